/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/perf_abi.h"
#include "base/vec.h"
#include "session/builder.h"
#include "session/debug.h"
#include "session/load.h"
#include "session/stream_queue.h"

/* The maps of a process do not change in [from, to). */
struct stream_maps {
	int32_t pid;
	uint32_t number; /* of these maps; 0: unknown process */
	uint64_t from, to;
	unsigned seals; /* when this was found out */
};

struct stream {
	struct data_file *file;
	unsigned seals; /* beside what does not change: another thread may read it */
	struct stream_opts opts;
	struct builder builder; /* of the sideband; no sample is added to it */
	struct data_walk *walk; /* that passes records on */
	bool by_rounds;		/* a pipe: its sideband is sealed round by round */
	bool in_order;		/* nothing is sorted: the file is in the order of its times */
	bool begun;
	struct stream_queue queue;
	uint64_t max_time, round_time; /* newest record, now and at the last FINISHED_ROUND */
	struct stream_maps kernel_maps;
	struct stream_maps *maps;
	size_t n_maps, cap_maps;
	struct index_table maps_index;
	struct profile_debug *debug; /* made when it is first needed */
	uint32_t last_maps[64];	     /* of `maps`, by pid */
	uint32_t numbers;
};

struct stream *stream_new(struct data_file *file, const struct stream_opts *opts)
{
	struct stream *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->file = file;
	s->opts = *opts;
	s->kernel_maps = (struct stream_maps){ .pid = -1, .from = 1 };
	if (load_init_builder(&s->builder, file, &opts->load)) {
		stream_free(s);
		return NULL;
	}
	s->builder.for_stream = true;
	return s;
}

void stream_free(struct stream *s)
{
	if (!s)
		return;
	if (s->debug)
		s->debug->free(s->debug);
	builder_release(&s->builder);
	data_walk_free(s->walk);
	stream_queue_release(&s->queue);
	free(s->maps);
	index_table_release(&s->maps_index);
	free(s);
}

struct data_file *stream_file(const struct stream *s)
{
	return s->file;
}

void stream_trust(const struct stream *s, struct ptui_trust *ret)
{
	struct builder b = s->builder; /* for its count of damage only */
	struct data_damage damage = { 0 };

	if (s->walk)
		data_walk_damage(s->walk, &damage);
	builder_set_damage(&b, &damage);
	*ret = b.trust;
}

/* ---- sideband ---- */

/* Of a pipe: the sideband up to `limit` is complete. */
static int seal_round(struct stream *s, uint64_t limit)
{
	int ret = 0;

	if (!s->by_rounds)
		return 0;
	if (!s->builder.resolver)
		ret = load_features(&s->builder, s->file);
	if (!ret)
		ret = load_events(&s->builder, s->file);
	s->seals++;
	return ret ? ret : builder_seal(&s->builder, limit);
}

/* ---- records in order ---- */

static int pass_on(struct stream *s, const struct stream_callbacks *cb,
		   const struct data_record *rec, uint64_t when)
{
	int ret = s->begun ? 0 : cb->begin(cb->ctx, s);

	s->begun = true;
	return ret ? ret : cb->record(cb->ctx, s, rec, when);
}

/* Passes on what is older than `limit`. */
static int flush(struct stream *s, const struct stream_callbacks *cb, uint64_t limit,
		 struct ptui_error *err)
{
	struct data_record rec;
	uint64_t when;
	int ret = seal_round(s, limit);

	if (!ret)
		ret = stream_queue_take(&s->queue, limit);
	if (ret)
		return ptui_error_nomem(err);
	while (!ret && stream_queue_next(&s->queue, &rec, &when))
		ret = pass_on(s, cb, &rec, when);
	stream_queue_done(&s->queue);
	if (!ret && cb->round && s->begun)
		ret = cb->round(cb->ctx, s);
	return ret;
}

static int finish_round(struct stream *s, const struct stream_callbacks *cb, struct ptui_error *err)
{
	int ret = flush(s, cb, s->round_time, err);

	s->round_time = s->max_time;
	return ret;
}

static int pass_on_now(struct stream *s, const struct stream_callbacks *cb,
		       const struct data_record *rec, uint64_t when, struct ptui_error *err)
{
	int ret = seal_round(s, s->round_time);

	return ret ? ptui_error_nomem(err) : pass_on(s, cb, rec, when);
}

/* Records without a time are passed on at once, as in perf. */
static int add_record(struct stream *s, const struct stream_callbacks *cb,
		      const struct data_record *rec, uint64_t time, uint64_t when,
		      struct ptui_error *err)
{
	if (s->in_order || !time || time == UINT64_MAX)
		return pass_on_now(s, cb, rec, when, err);
	if (time > s->max_time)
		s->max_time = time;
	return stream_queue_add(&s->queue, rec, time, when) ? ptui_error_nomem(err) : 0;
}

static int take_sample(struct stream *s, const struct stream_callbacks *cb,
		       const struct data_record *rec, struct ptui_error *err)
{
	uint64_t time;

	if (data_walk_sample_time(s->walk, rec, &time))
		time = 0; /* damaged: stream_sample() will count it */
	return add_record(s, cb, rec, time, s->builder.timed ? time : rec->seq, err);
}

static int take_sideband(struct stream *s, const struct stream_callbacks *cb,
			 const struct data_record *rec, struct ptui_error *err)
{
	int ret = 0;

	if (s->by_rounds && builder_add_record(&s->builder, rec))
		return ptui_error_nomem(err);
	if (rec->type >= PTUI_RECORD_HEADER_ATTR &&
	    (s->opts.all || (s->opts.rounds && rec->type == PTUI_RECORD_FINISHED_ROUND)))
		ret = pass_on_now(s, cb, rec, 0, err);
	if (!ret && rec->type == PTUI_RECORD_FINISHED_ROUND && !s->opts.rounds)
		ret = finish_round(s, cb, err);
	if (ret || !s->opts.sideband || rec->type >= PTUI_RECORD_HEADER_ATTR)
		return ret;
	return add_record(s, cb, rec, load_record_time(rec), builder_when(s->builder.timed, rec),
			  err);
}

int stream_run(struct stream *s, const struct stream_callbacks *cb, struct ptui_error *err)
{
	struct load_order order = { .sideband = s->opts.sideband,
				    .in_order = !s->opts.rounds && !s->opts.all };
	struct data_record rec;
	int ret = 0;

	if (s->opts.load.stitch_lbr && load_stitch_lbr(&s->builder, s->file, err))
		return -EINVAL;
	s->by_rounds = !s->opts.rounds && data_is_pipe(s->file) && data_n_events(s->file) &&
		       builder_is_timed(s->file);
	s->builder.timed = s->by_rounds;
	if (!s->by_rounds)
		ret = load_sideband(&s->builder, s->file, &s->opts.load, &order, err);
	if (ret)
		return ret;
	s->in_order = s->opts.rounds || (!s->by_rounds && order.in_order);
	s->walk = data_walk_new(s->file, err);
	if (!s->walk)
		return -ENOMEM;
	if (s->opts.unknown)
		data_walk_keep_unknown(s->walk);
	if (s->opts.simpleperf)
		data_walk_keep_simpleperf(s->walk);
	while (!ret && (ret = data_walk_next(s->walk, true, &rec, err)) == 0)
		ret = rec.type == PERF_RECORD_SAMPLE ? take_sample(s, cb, &rec, err) :
						       take_sideband(s, cb, &rec, err);
	return ret == 1 ? flush(s, cb, UINT64_MAX, err) : ret;
}

/* ---- for the callbacks ---- */

int stream_sample(struct stream *s, const struct data_record *rec, struct data_sample *ret)
{
	return data_walk_sample(s->walk, rec, ret);
}

ssize_t stream_payload(struct stream *s, const struct data_record *rec, uint64_t at, void *bytes,
		       size_t n)
{
	return data_walk_payload(s->walk, rec, at, bytes, n);
}

const struct resolver *stream_resolver(const struct stream *s)
{
	return s->builder.resolver;
}

const char *stream_name(const struct stream *s, uint32_t id)
{
	return strpool_get(s->builder.store.names, id);
}

uint32_t stream_comm(const struct stream *s, int32_t pid, int32_t tid, uint64_t when)
{
	return machine_comm(s->builder.machine, pid, tid, when);
}

uint32_t stream_comm_span(const struct stream *s, int32_t tid, uint64_t when, uint64_t *ret_from,
			  uint64_t *ret_last)
{
	return machine_comm_span(s->builder.machine, tid, when, ret_from, ret_last);
}

unsigned stream_seals(const struct stream *s)
{
	return s->seals;
}

static uint32_t with_symbol(struct resolver *r, uint32_t frame)
{
	if (frame == PTUI_NONE || resolver_frames(r)[frame].symbolized)
		return frame;
	return resolver_symbolize_frame(r, frame) ? PTUI_NONE : frame;
}

uint32_t stream_frame_in(struct stream *s, int32_t pid, unsigned mode, uint64_t when, uint64_t addr)
{
	struct resolver *r = s->builder.resolver;

	return with_symbol(r, resolver_frame(r, pid, mode, when, addr));
}

uint32_t stream_frame_in_module(struct stream *s, uint32_t module, uint64_t off, uint64_t addr,
				unsigned mode)
{
	struct resolver *r = s->builder.resolver;

	return with_symbol(r, resolver_frame_in_module(r, module, off, addr, mode));
}

uint32_t stream_frame_unnamed(struct stream *s, const struct data_sample *sample, uint64_t when,
			      uint64_t addr)
{
	return resolver_frame(s->builder.resolver, sample->pid, sample->misc & DATA_CPUMODE_MASK,
			      when, addr);
}

uint32_t stream_frame(struct stream *s, const struct data_sample *sample, uint64_t when,
		      uint64_t addr)
{
	return stream_frame_in(s, sample->pid, sample->misc & DATA_CPUMODE_MASK, when, addr);
}

bool stream_place(struct stream *s, int32_t pid, unsigned mode, uint64_t when, uint64_t addr,
		  struct resolver_place *ret)
{
	return resolver_place(s->builder.resolver, pid, mode, when, addr, ret);
}

bool stream_peek_place(const struct stream *s, int32_t pid, unsigned mode, uint64_t when,
		       uint64_t addr, struct resolver_place *ret)
{
	return resolver_peek_place(s->builder.resolver, pid, mode, when, addr, ret);
}

void stream_preload(struct stream *s)
{
	resolver_preload(s->builder.resolver);
}

void stream_wait_symbols(struct stream *s, uint32_t module)
{
	resolver_preload_wait(s->builder.resolver, module);
}

bool stream_wants_threads(const struct stream *s)
{
	return !data_is_pipe(s->file) && load_wants_threads(s->file, &s->opts.load);
}

int stream_chain(struct stream *s, const struct data_sample *sample, uint64_t when,
		 struct stream_chain *ret)
{
	struct chain_user user = { .n = 0 };
	uint8_t how;
	const struct data_event *event = data_event(s->file, sample->event);
	int given = user_chain_get(&s->builder.user_chains, event, sample, when, &user, &how);

	*ret = (struct stream_chain){ .words = sample->chain,
				      .n = sample->n_chain,
				      .replaced = given > 0,
				      .user = user.addrs,
				      .n_user = given > 0 ? user.n : 0,
				      .unwound = given > 0 && user_chain_is_dumped(event),
				      .limited = user.limited,
				      .how = how };
	return given < 0 ? given : 0;
}

/* The files of all modules so far; NULL: no memory. */
static struct profile_debug *stream_debug(struct stream *s)
{
	if (!s->debug)
		s->debug = session_debug_new(s->builder.resolver, s->builder.machine,
					     s->builder.store.names, &s->builder.resolver_opts);
	else if (session_debug_update(s->debug, s->builder.resolver, s->builder.machine,
				      s->builder.store.names))
		return NULL;
	return s->debug;
}

size_t stream_scopes(struct stream *s, uint32_t frame, struct profile_scope *ret, size_t max)
{
	const struct frame *f = &resolver_frames(s->builder.resolver)[frame];
	const struct profile_frame at = { .addr = f->off,
					  .dso = f->dso,
					  .level = f->mode == DATA_MODE_USER ? '.' : 'k' };
	struct profile_debug *debug = f->dso == PTUI_NONE ? NULL : stream_debug(s);

	return debug ? debug->scopes(debug, &at, false, ret, max) : 0;
}

int stream_code(struct stream *s, uint32_t frame, size_t n, struct profile_code *ret)
{
	const struct frame *f = &resolver_frames(s->builder.resolver)[frame];
	struct profile_debug *debug = f->dso == PTUI_NONE ? NULL : stream_debug(s);

	return debug ? session_debug_code_at(debug, f->dso, f->off, n, ret) : -ENOENT;
}

uint16_t stream_machine(struct stream *s)
{
	struct profile_debug *debug = stream_debug(s);

	return debug ? session_debug_machine(debug) : 0;
}

int stream_chain_mode(uint64_t word)
{
	return word == PTUI_CONTEXT_USER_DEFERRED ? STREAM_CHAIN_END : chain_marker_mode(word);
}

/* ---- times in which maps do not change ---- */

static bool maps_same(const void *owner, uint32_t index, const void *key)
{
	return ((const struct stream *)owner)->maps[index].pid == *(const int32_t *)key;
}

static uint32_t maps_of(struct stream *s, int32_t pid)
{
	uint64_t hash = hash_u64((uint32_t)pid);
	uint32_t i = index_table_find(&s->maps_index, hash, maps_same, s, &pid);

	if (i != PTUI_NONE)
		return i;
	i = (uint32_t)s->n_maps;
	if (vec_grow(&s->maps, &s->cap_maps, s->n_maps + 1) ||
	    index_table_add(&s->maps_index, hash, i))
		return PTUI_NONE;
	s->maps[s->n_maps++] = (struct stream_maps){ .pid = pid, .from = 1 };
	return i;
}

uint32_t stream_maps(struct stream *s, int32_t pid, uint64_t when)
{
	uint32_t *last = &s->last_maps[(uint32_t)pid % (sizeof(s->last_maps) / sizeof(uint32_t))];
	struct stream_maps *m = pid == -1	  ? &s->kernel_maps :
				*last < s->n_maps ? &s->maps[*last] :
						    NULL;
	uint64_t generation;

	if (!m || m->pid != pid) {
		*last = maps_of(s, pid);
		if (*last == PTUI_NONE)
			return 0;
		m = &s->maps[*last];
	}
	if (m->from <= when && when < m->to && m->seals == s->seals)
		return m->number;
	machine_maps_validity(s->builder.machine, pid, when, &generation, &m->from, &m->to);
	m->seals = s->seals;
	m->number = generation ? ++s->numbers : 0;
	return m->number;
}

/* ---- groups ---- */

int stream_members(struct stream *s, const struct data_sample *sample,
		   int (*fn)(void *ctx, uint32_t event, uint64_t period), void *ctx)
{
	int ret = 0;

	if (!(sample->present & PERF_SAMPLE_READ) || !sample->n_reads)
		return fn(ctx, sample->event, sample->period);
	for (uint32_t i = 0; i < sample->n_reads && !ret; i++) {
		uint64_t id = sample->reads[2 * i + 1], period;
		uint32_t event = data_event_of_id(s->file, id);

		ret = builder_counter_growth(&s->builder, id, sample->reads[2 * i], &period);
		if (!ret && period && event != PTUI_NONE)
			ret = fn(ctx, event, period);
	}
	return ret;
}
