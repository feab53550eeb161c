/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <poll.h>
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
#define SETTLE_MS      5    /* between two passes while the unwinding is waited for */

/* Sample fields before TIME, eight bytes each. */
#define BEFORE_TIME (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID)

static size_t find_time_off(const struct event_list *events)
{
	size_t off = 0, here;

	for (size_t i = 0; i < events->n; i++) {
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

int pump_init(struct pump *p, struct counters *counters, struct record_sink *sink,
	      struct pump_counts *counts)
{
	memset(p, 0, sizeof(*p));
	p->counters = counters;
	p->sink = sink;
	p->counts = counts;
	p->time_off = find_time_off(counters->events);
	p->kernel_buildids = event_list_has_buildids(counters->events);
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

static void note_time(uint64_t *first_ns, uint64_t *last_ns, uint64_t ns)
{
	if (!*first_ns || ns < *first_ns)
		*first_ns = ns;
	if (ns > *last_ns)
		*last_ns = ns;
}

static void found_note_time(struct pass_found *found, uint64_t ns)
{
	note_time(&found->first_ns, &found->last_ns, ns);
}

void pump_note_written(struct pump *p, uint64_t first_ns, uint64_t last_ns)
{
	if (first_ns) {
		note_time(&p->first_ns, &p->last_ns, first_ns);
		note_time(&p->first_ns, &p->last_ns, last_ns);
	}
	p->counts->bytes = record_sink_bytes(p->sink);
	p->counts->held = p->memory_router.memory.samples;
	p->counts->forgotten = p->memory_router.memory.dropped;
}

static void pump_note_map(struct pump *p, const struct ring *ring, uint64_t at,
			  const struct perf_event_header *header, struct pass_found *found)
{
	uint8_t record[MMAP_BYTES_MAX];
	struct perf_event_header header_copy = *header;
	struct iovec iov[2];
	size_t bytes = 0;
	int n;

	if (p->kernel_buildids)
		return;
	if (header->misc & PERF_RECORD_MISC_MMAP_BUILD_ID)
		found->false_build_ids = true;
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
			   struct pass_found *found)
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
				found_note_time(found, ring_u64(ring, at, time_off));
			break;
		case PERF_RECORD_MMAP2:
			pump_note_map(p, ring, at, &header, found);
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
		case PERF_RECORD_AUX:
			if (header.size >= 32 && ring_u64(ring, at, 24) & PERF_AUX_FLAG_TRUNCATED)
				found->aux_truncated++;
			break;
		default:
			break;
		}
	}
	if (samples && p->time_off && ring_u64(ring, last, p->time_off) > p->newest_ns)
		p->newest_ns = ring_u64(ring, last, p->time_off);
	if (samples && time_off) {
		found_note_time(found, ring_u64(ring, first, time_off));
		found_note_time(found, ring_u64(ring, last, time_off));
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

	for (size_t i = 0; i < c->n_rings; i++) {
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

/* Peeks at all rings. Returns the number of pieces in p->iov; 0: nothing new. */
static int pump_scan(struct pump *p, struct pass_found *found)
{
	struct counters *c = p->counters;
	int n = 0, pieces;

	p->defers = false;
	p->newest_ns = 0;
	for (size_t i = 0; i < c->n_rings; i++) {
		p->taken[i] = 0;
		if (c->rings[i].back)
			continue;
		p->taken[i] = ring_peek(&c->rings[i].ring, p->iov + n, &pieces);
		if (pump_defers_ring(p, &c->rings[i].ring, p->taken[i])) {
			p->defers |= p->taken[i] > 0;
			p->taken[i] = (size_t)(pieces = 0);
		}
		n += pieces;
		if (p->taken[i])
			pump_scan_ring(p, &c->rings[i].ring, p->taken[i], found);
	}
	if (p->buildids && p->newest_ns)
		buildid_reader_note_time(p->buildids, p->newest_ns, clock_monotonic_ns());
	pump_note_fill(p);
	return n;
}

static void pump_consume(struct pump *p)
{
	struct counters *c = p->counters;

	for (size_t i = 0; i < c->n_rings; i++)
		if (p->taken[i])
			ring_consume(&c->rings[i].ring, p->taken[i]);
}

/* After the next pass, all that happened before the newest record in the log is drained. */
static void pump_note_settled(struct pump *p)
{
	if (p->sink->sideband_log && !p->sink->waits_for_base)
		p->settled_ns = sideband_log_newest_ns(p->sink->sideband_log);
}

/* Only after it is written: what could not be written was not recorded. */
static void pump_count(struct pump *p, const struct pass_found *found)
{
	p->counts->samples += found->samples;
	p->counts->lost += found->lost;
	p->counts->lost_sideband += found->lost_sideband;
	p->counts->throttled += found->throttled;
	p->counts->aux_truncated += found->aux_truncated;
	p->counts->rounds++;
	pump_note_written(p, found->first_ns, found->last_ns);
}

/* ---- with stacks that are unwound while recording ---- */

static int pump_queue_rings(struct pump *p, const struct pass_found *found, struct ptui_error *err)
{
	const struct counters *c = p->counters;
	struct unwind_pass *pass;
	struct iovec iov[2];
	size_t bytes = 0;

	for (size_t i = 0; i < c->n_rings; i++)
		bytes += p->taken[i];
	pass = unwind_pass_new(bytes, c->n_rings);
	if (!pass)
		return ptui_error_nomem(err);
	pass->found = *found;
	for (size_t i = 0; i < c->n_rings; i++) {
		const struct ring *ring = &c->rings[i].ring;

		if (!p->taken[i])
			continue;
		affinity_move(&p->affinity, c->rings[i].cpu);
		unwind_pass_add(pass, iov,
				ring_pieces(ring, ring->tail, ring->tail + p->taken[i], iov));
	}
	pump_consume(p);
	unwind_queue_push(p->unwind_queue, pass);
	return 0;
}

/* As pump_route_pass(): each part is read like a ring that has not wrapped. */
static int pump_route_unwound(struct pump *p, const struct unwind_pass *pass,
			      struct ptui_error *err)
{
	struct ring *rings = calloc(pass->n_parts + 1, sizeof(*rings));
	int ret = rings ? 0 : -ENOMEM;

	for (size_t i = 0; i < pass->n_parts && !ret; i++) {
		rings[i] = (struct ring){ .data = pass->bytes + pass->parts[i].at,
					  .size = UINT64_C(1) << 62 };
		ret = memory_router_ring(&p->memory_router, &rings[i], pass->parts[i].n);
	}
	ret = ret ? ptui_error_nomem(err) : memory_router_finish(&p->memory_router, p->sink, err);
	free(rings);
	return ret;
}

static int pump_put_unwound(struct pump *p, const struct unwind_pass *pass, struct ptui_error *err)
{
	const struct iovec iov[2] = {
		{ .iov_base = pass->bytes, .iov_len = pass->n },
		{ .iov_base = (void *)(uintptr_t)&finished_round,
		  .iov_len = sizeof(finished_round) },
	};
	int ret;

	pump_note_settled(p);
	p->sink->false_build_ids = pass->found.false_build_ids;
	ret = memory_router_is_used(&p->memory_router) ?
		      pump_route_unwound(p, pass, err) :
		      record_sink_put(p->sink, iov, 1 + p->rounds, err);
	if (!ret)
		pump_count(p, &pass->found);
	return ret;
}

/* From the rings to the queue, and from the queue to the sink. */
static int pump_pass_unwinding(struct pump *p, struct ptui_error *err)
{
	struct pass_found found = { .samples = 0 };
	struct unwind_pass *pass;
	bool has_room = unwind_queue_has_room(p->unwind_queue);
	int n = has_room ? pump_scan(p, &found) : 0, ret = 0, n_put = 0;

	if (n)
		ret = pump_queue_rings(p, &found, err);
	else if (has_room && !p->defers)
		unwind_queue_idle(p->unwind_queue);
	while (!ret && (pass = unwind_queue_take(p->unwind_queue))) {
		ret = pump_put_unwound(p, pass, err);
		unwind_pass_free(pass);
		n_put++;
	}
	p->idle = !n && has_room && !unwind_queue_is_busy(p->unwind_queue);
	if (p->idle)
		pump_note_settled(p);
	return ret ? ret : n_put > 0;
}

/* Waits until all that is queued has been written, and drains the rings until then. */
static int pump_settle(struct pump *p, struct ptui_error *err)
{
	const struct unwind_queue *q = p->unwind_queue;
	uint64_t until = q->n_pushed;
	struct pollfd fd = { .fd = q->fd, .events = POLLIN };
	int ret = 0;

	while (ret >= 0 && q->n_taken < until) {
		poll(&fd, 1, SETTLE_MS);
		ret = pump_pass_unwinding(p, err);
	}
	return ret < 0 ? ret : 0;
}

static int pump_pass_rings(struct pump *p, struct ptui_error *err)
{
	struct pass_found found = { .samples = 0 };
	int n, ret;

	/* until then there are no samples */
	if (!p->sink->waits_for_base && p->unwind_queue && p->unwind_queue->has_rings)
		return pump_pass_unwinding(p, err);
	pump_note_settled(p);
	n = pump_scan(p, &found);
	p->idle = !n;
	if (!n)
		return 0;
	p->iov[n].iov_base = (void *)(uintptr_t)&finished_round;
	p->iov[n].iov_len = sizeof(finished_round);
	p->sink->false_build_ids = found.false_build_ids;
	ret = memory_router_is_used(&p->memory_router) ? pump_route_pass(p, err) :
							 pump_write_pass(p, n, err);
	if (ret)
		return ret;
	pump_consume(p);
	pump_count(p, &found);
	return 1;
}

int pump_pass(struct pump *p, struct ptui_error *err)
{
	int ret = pump_pass_rings(p, err), aux;

	if (ret < 0 || !p->counters->aux_bytes)
		return ret;
	/* after the rings: a piece is never in the file before the AUX record that describes it */
	aux = pump_drain_aux(p, err);
	return aux ? aux : ret;
}

int pump_pass_all(struct pump *p, struct ptui_error *err)
{
	uint64_t min_drain_bytes = p->min_drain_bytes;
	int ret;

	p->min_drain_bytes = 0;
	ret = pump_pass(p, err);
	if (ret >= 0 && p->unwind_queue)
		ret = pump_settle(p, err);
	p->min_drain_bytes = min_drain_bytes;
	return ret < 0 ? ret : 0;
}
