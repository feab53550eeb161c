/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/clock.h"
#include "record/header/bpf_programs.h"
#include "record/pump.h"

static const struct perf_event_header finished_round = {
	.type = PTUI_RECORD_FINISHED_ROUND,
	.size = sizeof(struct perf_event_header),
};

#define MMAP_BYTES_MAX 8192 /* paths are at most 4096 bytes */

/* Sample fields before TIME, eight bytes each. */
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

/* TID is directly before TIME. */
static size_t find_pid_off(const struct event_list *events, size_t time_off)
{
	for (size_t i = 0; i < events->n; i++)
		if (!events->v[i].sideband && !(events->v[i].attr.sample_type & PERF_SAMPLE_TID))
			return 0;
	return time_off ? time_off - 8 : 0;
}

static bool any_kernel_buildids(const struct event_list *events)
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
	p->kernel_buildids = any_kernel_buildids(counters->events);
	p->iov = calloc(2 * counters->n_rings + 1, sizeof(*p->iov));
	p->taken = calloc(counters->n_rings + 1, sizeof(*p->taken));
	p->rounds = !counters_have_back(counters);
	if (p->iov && p->taken &&
	    !overwrite_reader_init(&p->overwrite_reader, counters, p->time_off,
				   find_pid_off(counters->events, p->time_off)))
		return 0;
	pump_release(p);
	return -ENOMEM;
}

void pump_release(struct pump *p)
{
	free(p->iov);
	free(p->taken);
	overwrite_reader_release(&p->overwrite_reader);
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

static void pump_note_time(struct pump *p, uint64_t ns)
{
	if (!p->first_ns || ns < p->first_ns)
		p->first_ns = ns;
	if (ns > p->last_ns)
		p->last_ns = ns;
}

static void pump_note_map(struct pump *p, const struct ring *ring, uint64_t at,
			  const struct perf_event_header *header)
{
	uint8_t record[MMAP_BYTES_MAX];
	struct perf_event_header header_copy = *header;
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
	header_copy.misc &= (uint16_t)~PERF_RECORD_MISC_MMAP_BUILD_ID;
	memcpy(record, &header_copy, sizeof(header_copy));
	buildid_reader_add(p->buildids, record, bytes);
}

/* The kernel's record has only the id: read the program's information at once. */
static void pump_note_bpf(struct pump *p, const struct ring *ring, uint64_t at,
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
	/* fails if it is unloaded by now */
	if (body.type == PERF_BPF_EVENT_PROG_LOAD)
		bpf_programs_read(p->bpf, ops, body.id, &program);
}

static bool is_sideband(const struct counters *c, uint64_t id)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->v[i].id == id)
			return c->events->v[c->v[i].event].sideband;
	return false;
}

/*
 * Scans the first `bytes` of a ring. Its samples are nearly ordered by time, so the first and the
 * last one give the time span.
 */
static void pump_scan_ring(struct pump *p, const struct ring *ring, size_t bytes,
			   struct pump_counts *found)
{
	uint64_t samples = 0, lost = 0, throttled = 0, first = 0, last = 0, at;
	/* samples that go to memory are counted when they are written */
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
				pump_note_time(p, ring_u64(ring, at, time_off));
			break;
		case PERF_RECORD_MMAP2:
			pump_note_map(p, ring, at, &header);
			break;
		case PERF_RECORD_BPF_EVENT:
			pump_note_bpf(p, ring, at, &header);
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
		pump_note_time(p, ring_u64(ring, first, time_off));
		pump_note_time(p, ring_u64(ring, last, time_off));
	}
	found->samples += samples;
	found->lost += lost;
	found->throttled += throttled;
}

/* True if a ring with so few bytes is left until more have arrived. */
static bool pump_defers_ring(const struct pump *p, const struct ring *ring, size_t bytes)
{
	return bytes < p->min_drain_bytes && bytes < ring->size / 4;
}

static void pump_note_fill(struct pump *p)
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

/*
 * Writes all pieces at once; with --affinity ring by ring, since the thread moves to each ring's
 * CPU.
 */
static int pump_write_pass(struct pump *p, int n, struct ptui_error *err)
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

/* -M: samples go to the memory ring, the rest to the sink. */
static int pump_route_pass(struct pump *p, struct ptui_error *err)
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

static void pump_note_held(struct pump *p)
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
	if (p->sink->sideband_log && !p->sink->waits_for_base)
		p->settled_ns = sideband_log_newest_ns(p->sink->sideband_log);
	for (i = 0; i < c->n_rings; i++) {
		p->taken[i] = 0;
		if (c->rings[i].back)
			continue;
		p->taken[i] = ring_peek(&c->rings[i].ring, p->iov + n, &pieces);
		if (pump_defers_ring(p, &c->rings[i].ring, p->taken[i]))
			p->taken[i] = (size_t)(pieces = 0);
		n += pieces;
		if (p->taken[i])
			pump_scan_ring(p, &c->rings[i].ring, p->taken[i], &found);
	}
	pump_note_fill(p);
	if (!n)
		return 0;
	p->iov[n].iov_base = (void *)(uintptr_t)&finished_round;
	p->iov[n].iov_len = sizeof(finished_round);
	ret = memory_router_is_used(&p->memory_router) ? pump_route_pass(p, err) :
							 pump_write_pass(p, n, err);
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
	pump_note_held(p);
	return 1;
}

/* ---- kept samples (--overwrite, -M) ---- */

int pump_pass_all(struct pump *p, struct ptui_error *err)
{
	uint64_t min_drain_bytes = p->min_drain_bytes;
	int ret;

	p->min_drain_bytes = 0;
	ret = pump_pass(p, err);
	p->min_drain_bytes = min_drain_bytes;
	return ret < 0 ? ret : 0;
}

/*
 * Rings are drained one by one: the map of a sample in the second ring may have arrived in the
 * first after that was drained. So all are drained twice; samples of the second pass count next
 * time.
 */
static int pump_read_memory(struct pump *p, struct kept_samples *ret, struct ptui_error *err)
{
	int failed = pump_pass_all(p, err);
	uint64_t until = p->memory_router.memory.end, now_ns = clock_monotonic_ns();

	if (!failed)
		failed = pump_pass_all(p, err);
	if (failed)
		return failed;
	failed = memory_router_read(&p->memory_router, until, ret);
	ret->resumed_ns = now_ns; /* they were never paused */
	return failed;
}

bool pump_is_half_new(const struct pump *p)
{
	uint64_t bytes, fresh;

	if (!pump_keeps(p))
		return true;
	if (memory_router_is_used(&p->memory_router))
		memory_router_peek(&p->memory_router, &bytes, &fresh);
	else
		overwrite_reader_peek(&p->overwrite_reader, &bytes, &fresh);
	return fresh >= bytes - fresh;
}

int pump_read_kept(struct pump *p, struct kept_samples *ret, struct ptui_error *err)
{
	int found, failed;

	if (memory_router_is_used(&p->memory_router))
		return pump_read_memory(p, ret, err);
	found = overwrite_reader_read(&p->overwrite_reader, ret, err);
	failed = found < 0 ? found : pump_pass_all(p, err);
	return failed ? failed : found;
}

int pump_prune_sideband(struct pump *p, const struct kept_samples *found)
{
	uint64_t horizon_ns = found->first_ns < p->settled_ns ? found->first_ns : p->settled_ns;

	return horizon_ns ? sideband_log_prune_others(p->sink->sideband_log, horizon_ns,
						      p->settled_ns, found->pids) :
			    0;
}

/* Writes the sideband of the kept samples, without what only older samples needed. */
static int pump_write_held(struct pump *p, const struct kept_samples *found, struct ptui_error *err)
{
	if (p->sink->holds && pump_prune_sideband(p, found))
		return ptui_error_nomem(err);
	return record_sink_flush(p->sink, err);
}

int pump_write_kept(struct pump *p, const struct kept_samples *found, bool only_new,
		    struct ptui_error *err)
{
	uint64_t first_ns = only_new ? found->new_first_ns : found->first_ns;
	int n = only_new ? found->n_fresh : found->n_all, failed;

	if (!n)
		return 0;
	failed = pump_write_held(p, found, err);
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
		pump_note_time(p, first_ns);
		pump_note_time(p, found->last_ns);
	}
	if (memory_router_is_used(&p->memory_router))
		memory_router_forget(&p->memory_router);
	pump_note_held(p);
	p->counts->bytes = record_sink_bytes(p->sink);
	return 1;
}

/* ---- sideband log ---- */

void pump_hold_sideband(struct pump *p)
{
	if (!pump_keeps(p) || !p->time_off || !p->sink->sideband_log)
		return;
	sideband_log_note_written(p->sink->sideband_log);
	p->sink->holds = true;
}

/* Finds the oldest kept sample and the processes of all, to prune the sideband. */
static void pump_find_kept(struct pump *p, struct kept_samples *ret)
{
	*ret = (struct kept_samples){ .first_ns = p->settled_ns };
	if (memory_router_is_used(&p->memory_router))
		ret->first_ns = memory_router_oldest_ns(&p->memory_router);
	else if (pump_keeps(p))
		overwrite_reader_find_oldest(&p->overwrite_reader, ret);
}

int pump_trim_sideband_log(struct pump *p, struct ptui_error *err)
{
	struct sideband_log *sideband_log = p->sink->sideband_log;
	struct kept_samples kept;

	if (!sideband_log || !sideband_log_is_long(sideband_log))
		return 0;
	pump_find_kept(p, &kept);
	/* even if nothing can be pruned: this puts off the next try until the log has doubled */
	if (!kept.first_ns)
		return sideband_log_prune(sideband_log, 0);
	return pump_prune_sideband(p, &kept) ? ptui_error_nomem(err) : 0;
}
