/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "record/header/bpf_programs.h"
#include "record/pump.h"

static const struct perf_event_header finished_round = {
	.type = PTUI_RECORD_FINISHED_ROUND,
	.size = sizeof(struct perf_event_header),
};

#define MMAP_BYTES_MAX 8192 /* paths end at 4096 */

/* Fields that stand before TIME in a sample, eight bytes each. */
#define BEFORE_TIME (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID)

static size_t find_time_off(const struct event_list *events)
{
	size_t off = 0, here, i;

	for (i = 0; i < events->n; i++) {
		uint64_t type = events->v[i].attr.sample_type;

		if (events->v[i].sideband)
			continue;
		if (!(type & PERF_SAMPLE_TIME))
			return 0;
		here = sizeof(struct perf_event_header) +
		       8 * (size_t)__builtin_popcountll(type & BEFORE_TIME);
		if (off && off != here)
			return 0;
		off = here;
	}
	return off;
}

/* TID lies in front of TIME. */
static size_t find_pid_off(const struct event_list *events, size_t time_off)
{
	for (size_t i = 0; i < events->n; i++)
		if (!events->v[i].sideband && !(events->v[i].attr.sample_type & PERF_SAMPLE_TID))
			return 0;
	return time_off ? time_off - 8 : 0;
}

static bool asks_for_buildids(const struct event_list *events)
{
	for (size_t i = 0; i < events->n; i++)
		if (events->v[i].attr.build_id)
			return true;
	return false;
}

int pump_init(struct pump *p, struct counters *counters, struct record_sink *sink,
	      struct pump_counts *counts)
{
	memset(p, 0, sizeof(*p));
	p->counters = counters;
	p->sink = sink;
	p->counts = counts;
	p->time_off = find_time_off(counters->events);
	p->kernel_buildids = asks_for_buildids(counters->events);
	p->iov = calloc(2 * counters->n_rings + 1, sizeof(*p->iov));
	p->taken = calloc(counters->n_rings + 1, sizeof(*p->taken));
	p->rounds = !counters_have_back(counters);
	if (p->iov && p->taken &&
	    !catcher_init(&p->back, counters, p->time_off,
			  find_pid_off(counters->events, p->time_off)))
		return 0;
	pump_release(p);
	return -ENOMEM;
}

void pump_release(struct pump *p)
{
	free(p->iov);
	free(p->taken);
	catcher_release(&p->back);
	memory_router_release(&p->memory_router);
	affinity_release(&p->affinity);
	memset(p, 0, sizeof(*p));
}

int pump_use_memory(struct pump *p, uint64_t bytes)
{
	p->rounds = false;
	return memory_router_init(&p->memory_router, bytes, p->time_off);
}

bool pump_keeps(const struct pump *p)
{
	return !p->rounds;
}

static void note_time(struct pump *p, uint64_t ns)
{
	if (!p->first_ns || ns < p->first_ns)
		p->first_ns = ns;
	if (ns > p->last_ns)
		p->last_ns = ns;
}

static void note_map(struct pump *p, const struct ring *ring, uint64_t at,
		     const struct perf_event_header *header)
{
	uint8_t record[MMAP_BYTES_MAX];
	struct perf_event_header told = *header;
	struct iovec iov[2];
	size_t bytes = 0;
	int n;

	if (p->kernel_buildids)
		return;
	if (header->misc & PERF_RECORD_MISC_MMAP_BUILD_ID)
		p->sink->false_build_ids = true;
	if (!p->buildids || header->misc & PERF_RECORD_MISC_MMAP_DATA ||
	    header->size > sizeof(record))
		return;
	n = ring_pieces(ring, at, at + header->size, iov);
	for (int i = 0; i < n; i++) {
		memcpy(record + bytes, iov[i].iov_base, iov[i].iov_len);
		bytes += iov[i].iov_len;
	}
	told.misc &= (uint16_t)~PERF_RECORD_MISC_MMAP_BUILD_ID;
	memcpy(record, &told, sizeof(told));
	buildid_reader_add(p->buildids, record, bytes);
}

/* The kernel's record has no more than the id: what else there is to know is asked for at once. */
static void note_bpf(struct pump *p, const struct ring *ring, uint64_t at,
		     const struct perf_event_header *header)
{
	const struct kernel_ops *ops = p->counters->ops;
	const struct bpf_program *program;
	struct {
		uint16_t type, flags;
		uint32_t id;
	} body;
	uint64_t word;

	if (!p->bpf || header->size < sizeof(*header) + sizeof(body))
		return;
	word = ring_u64(ring, at, sizeof(*header));
	memcpy(&body, &word, sizeof(body));
	if (body.type == PERF_BPF_EVENT_PROG_LOAD)
		bpf_programs_read(p->bpf, ops, body.id, &program); /* it may be unloaded by now */
}

static bool is_sideband(const struct counters *c, uint64_t id)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->v[i].id == id)
			return c->events->v[c->v[i].event].sideband;
	return false;
}

/* A ring's samples are nearly in order of time: the first and the last of a pass tell its span. */
static void look_at(struct pump *p, const struct ring *ring, size_t bytes,
		    struct pump_counts *found)
{
	uint64_t samples = 0, lost = 0, throttled = 0, first = 0, last = 0, at;
	/* of those in a memory it counts what is written one day */
	size_t time_off = memory_router_is_used(&p->memory_router) ? 0 : p->time_off;
	struct perf_event_header header;
	struct ring_hop hop;

	ring_hop_init(&hop, ring, bytes);
	while (ring_hop_next(&hop, &header, &at)) {
		switch (header.type) {
		case PERF_RECORD_SAMPLE:
			if (!samples++)
				first = at;
			last = at;
			if (p->exact_times && time_off)
				note_time(p, ring_u64(ring, at, time_off));
			break;
		case PERF_RECORD_MMAP2:
			note_map(p, ring, at, &header);
			break;
		case PERF_RECORD_BPF_EVENT:
			note_bpf(p, ring, at, &header);
			break;
		case PERF_RECORD_LOST:
			if (header.size < 24)
				break;
			lost += ring_u64(ring, at, 16);
			if (is_sideband(p->counters, ring_u64(ring, at, 8)))
				found->lost_sideband += ring_u64(ring, at, 16);
			break;
		case PERF_RECORD_THROTTLE:
			throttled++;
			break;
		default:
			break;
		}
	}
	if (samples && time_off) {
		note_time(p, ring_u64(ring, first, time_off));
		note_time(p, ring_u64(ring, last, time_off));
	}
	found->samples += samples;
	found->lost += lost;
	found->throttled += throttled;
}

/* Has the ring so little that it is to wait for more? */
static bool is_left(const struct pump *p, const struct ring *ring, size_t bytes)
{
	return bytes < p->leave_bytes && bytes < ring->size / 4;
}

static void note_fill(struct pump *p)
{
	struct counters *c = p->counters;
	uint32_t fullest = 0, fill;
	size_t i;

	for (i = 0; i < c->n_rings; i++) {
		fill = (uint32_t)(p->taken[i] * 1000 / c->rings[i].ring.size);
		if (fill > fullest)
			fullest = fill;
	}
	p->counts->fill_permille = fullest;
	if (fullest > p->counts->fill_max_permille)
		p->counts->fill_max_permille = fullest;
}

/* All at once; or, where the thread follows the rings, ring by ring. */
static int write_pass(struct pump *p, int n, struct ptui_error *err)
{
	const struct counters *c = p->counters;
	int from, at = 0, ret = 0;

	if (p->affinity.mode == PTUI_AFFINITY_SYS)
		return record_sink_put(p->sink, p->iov, n + p->rounds, err);
	for (size_t i = 0; i < c->n_rings && !ret; i++) {
		size_t bytes = 0;

		for (from = at; bytes < p->taken[i]; at++)
			bytes += p->iov[at].iov_len;
		if (!bytes)
			continue;
		affinity_move(&p->affinity, c->rings[i].cpu);
		ret = record_sink_put(p->sink, p->iov + from, at - from, err);
	}
	return ret ? ret : record_sink_put(p->sink, p->iov + n, p->rounds, err);
}

/* With -M. */
static int memory_router_pass(struct pump *p, struct ptui_error *err)
{
	const struct counters *c = p->counters;

	for (size_t i = 0; i < c->n_rings; i++) {
		if (!p->taken[i])
			continue;
		affinity_move(&p->affinity, c->rings[i].cpu);
		if (memory_router_ring(&p->memory_router, &c->rings[i].ring, p->taken[i]))
			return ptui_error_nomem(err);
	}
	return memory_router_finish(&p->memory_router, p->sink, err);
}

static void note_held(struct pump *p)
{
	p->counts->held = p->memory_router.memory.samples;
	p->counts->forgotten = p->memory_router.memory.dropped;
}

int pump_pass(struct pump *p, struct ptui_error *err)
{
	struct pump_counts found = { .samples = 0 };
	struct counters *c = p->counters;
	int n = 0, pieces, ret;
	size_t i;

	p->sink->false_build_ids = false;
	if (p->sink->sideband_log)
		p->settled_ns = sideband_log_newest_ns(p->sink->sideband_log);
	for (i = 0; i < c->n_rings; i++) {
		p->taken[i] = 0;
		if (c->rings[i].back)
			continue;
		p->taken[i] = ring_peek(&c->rings[i].ring, p->iov + n, &pieces);
		if (is_left(p, &c->rings[i].ring, p->taken[i]))
			p->taken[i] = (size_t)(pieces = 0);
		n += pieces;
		if (p->taken[i])
			look_at(p, &c->rings[i].ring, p->taken[i], &found);
	}
	note_fill(p);
	if (!n)
		return 0;
	p->iov[n].iov_base = (void *)(uintptr_t)&finished_round;
	p->iov[n].iov_len = sizeof(finished_round);
	ret = memory_router_is_used(&p->memory_router) ? memory_router_pass(p, err) :
							 write_pass(p, n, err);
	if (ret)
		return ret;
	for (i = 0; i < c->n_rings; i++)
		if (p->taken[i])
			ring_consume(&c->rings[i].ring, p->taken[i]);
	/* only now: what could not be written was not recorded */
	p->counts->samples += found.samples;
	p->counts->lost += found.lost;
	p->counts->lost_sideband += found.lost_sideband;
	p->counts->throttled += found.throttled;
	p->counts->bytes = record_sink_bytes(p->sink);
	p->counts->rounds++;
	note_held(p);
	return 1;
}

/* ---- what is kept ---- */

int pump_pass_all(struct pump *p, struct ptui_error *err)
{
	uint64_t leave_bytes = p->leave_bytes;
	int ret;

	p->leave_bytes = 0;
	ret = pump_pass(p, err);
	p->leave_bytes = leave_bytes;
	return ret < 0 ? ret : 0;
}

/*
 * Rings are emptied one by one: of a sample in the second, a map may have come into the first behind our
 * back. So they are emptied twice, and what came with the second pass counts next time.
 */
static int look_at_memory(struct pump *p, struct pump_catch *ret, struct ptui_error *err)
{
	int failed = pump_pass_all(p, err);
	uint64_t until = p->memory_router.memory.end, now_ns = pump_catch_clock_ns();

	if (!failed)
		failed = pump_pass_all(p, err);
	if (failed)
		return failed;
	failed = memory_router_look(&p->memory_router, until, ret);
	ret->resumed_ns = now_ns; /* they never stood still */
	return failed;
}

bool pump_is_half_new(const struct pump *p)
{
	uint64_t bytes, fresh;

	if (!pump_keeps(p))
		return true;
	if (memory_router_is_used(&p->memory_router))
		feed_peek(&p->memory_router, &bytes, &fresh);
	else
		catcher_peek(&p->back, &bytes, &fresh);
	return fresh >= bytes - fresh;
}

int pump_look_back(struct pump *p, struct pump_catch *ret, struct ptui_error *err)
{
	int found, failed;

	if (memory_router_is_used(&p->memory_router))
		return look_at_memory(p, ret, err);
	found = catcher_look(&p->back, ret, err);
	failed = found < 0 ? found : pump_pass_all(p, err);
	return failed ? failed : found;
}

int pump_prune_sideband(struct pump *p, const struct pump_catch *found)
{
	uint64_t horizon_ns = found->first_ns < p->settled_ns ? found->first_ns : p->settled_ns;

	return horizon_ns ? sideband_log_prune_others(p->sink->sideband_log, horizon_ns,
						      p->settled_ns, found->pids) :
			    0;
}

/* The sideband of what was found; what only older samples needed is not written any more. */
static int write_held(struct pump *p, const struct pump_catch *found, struct ptui_error *err)
{
	if (p->sink->holds && pump_prune_sideband(p, found))
		return ptui_error_nomem(err);
	return record_sink_flush(p->sink, err);
}

int pump_write_back(struct pump *p, const struct pump_catch *found, bool only_new,
		    struct ptui_error *err)
{
	uint64_t first_ns = only_new ? found->new_first_ns : found->first_ns;
	int n = only_new ? found->n_fresh : found->n_all, failed;

	if (!n)
		return 0;
	failed = write_held(p, found, err);
	if (failed)
		return failed;
	failed = data_writer_write(p->sink->writer, only_new ? found->fresh : found->all, n, err);
	if (failed)
		return failed;
	if (!found->shown) {
		record_sink_show(p->sink, found->fresh, found->n_fresh);
		p->counts->samples += found->new_samples;
	}
	if (first_ns) {
		note_time(p, first_ns);
		note_time(p, found->last_ns);
	}
	if (memory_router_is_used(&p->memory_router))
		memory_router_forget(&p->memory_router);
	note_held(p);
	p->counts->bytes = record_sink_bytes(p->sink);
	return 1;
}

/* ---- the history ---- */

void pump_hold_sideband(struct pump *p)
{
	if (!pump_keeps(p) || !p->time_off || !p->sink->sideband_log)
		return;
	past_note_written(p->sink->sideband_log);
	p->sink->holds = true;
}

/* What is kept, as far as the sideband is needed for it. */
static void find_kept(struct pump *p, struct pump_catch *ret)
{
	*ret = (struct pump_catch){ .first_ns = p->settled_ns };
	if (memory_router_is_used(&p->memory_router))
		ret->first_ns = memory_router_oldest_ns(&p->memory_router);
	else if (pump_keeps(p))
		catcher_find(&p->back, ret);
}

int pump_trim_sideband_log(struct pump *p, struct ptui_error *err)
{
	struct sideband_log *sideband_log = p->sink->sideband_log;
	struct pump_catch kept;

	if (!sideband_log || !sideband_log_is_long(sideband_log))
		return 0;
	find_kept(p, &kept);
	/* also where nothing can be left out: the log is not looked at again before it has doubled */
	if (!kept.first_ns)
		return sideband_log_prune(sideband_log, 0);
	return pump_prune_sideband(p, &kept) ? ptui_error_nomem(err) : 0;
}
