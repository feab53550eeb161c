/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Following a recording through a pipe. Two walks read it: the first adds the sideband as it comes,
 * the second, a round behind, the samples. What both have passed is freed.
 *
 *	[ attrs, features ][ round 1 ][ round 2 ][ round 3 ] [ round 4 …
 *	                                          ^ samples             ^ sideband
 *
 * Recordings without rounds are taken in pieces of PIECE_BYTES; they are complete when the writer
 * pauses, as they are at the end.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/clock.h"
#include "base/i18n.h"
#include "base/perf_abi.h"
#include "session/buildid/buildid_table.h"
#include "session/debug.h"
#include "session/header.h"
#include "session/live/live.h"
#include "session/load.h"

#define PIECE_BYTES   ((uint64_t)4 << 20)
#define CLOCK_RECORDS 256	    /* between two looks at the clock */
#define KEEP_ENDED_NS 5000000000ull /* how long ended processes are kept */

/* Once the pipe is open, a walk returns when nothing comes, so that what came can be shown. */
static int on_waiting(void *ctx)
{
	const struct ptui_live *l = ctx;

	return l->pipe.opened || l->pipe.stop;
}

void live_pipe_release(struct ptui_live *l)
{
	free(l->pipe.path);
	free(l->pipe.periods);
}

int live_pipe_result(const struct ptui_live *l, struct ptui_error *err)
{
	if (l->pipe.result == -ENOMEM || l->build_result)
		return ptui_error_nomem(err);
	if (l->pipe.result && err)
		*err = l->pipe.err;
	return l->pipe.result;
}

/* ---- start ---- */

/* Counters for the events of the builder. 0 or -ENOMEM. */
static int add_counters(struct ptui_live *l)
{
	size_t n = l->build.builder.store.n_events, had = l->pipe.n_counted;
	uint64_t *taken = realloc(l->build.taken, (n + 1) * sizeof(*taken)), *periods;

	if (!taken)
		return -ENOMEM;
	l->build.taken = taken;
	periods = realloc(l->pipe.periods, (n + 1) * sizeof(*periods));
	if (!periods)
		return -ENOMEM;
	l->pipe.periods = periods;
	memset(taken + had, 0, (n + 1 - had) * sizeof(*taken));
	memset(periods + had, 0, (n + 1 - had) * sizeof(*periods));
	l->pipe.n_counted = n;
	return 0;
}

/* Events may come late, but those of perf and ptui come first. 0 or -ENOMEM. */
static int add_events(struct ptui_live *l)
{
	struct builder *b = &l->build.builder;
	size_t had = b->store.n_events;
	int ret = 0;

	while (!ret && b->store.n_events < data_n_events(l->build.file))
		ret = builder_add_event(b, data_event(l->build.file, b->store.n_events));
	return ret || had == b->store.n_events ? ret : add_counters(l);
}

static int add_lines(struct ptui_live *l)
{
	for (size_t i = 0; i < data_n_events(l->build.file); i++) {
		const struct data_event *ev = data_event(l->build.file, i);
		struct live_event *e;

		if (ev->sideband && ev->type == PERF_TYPE_SOFTWARE &&
		    ev->config == PERF_COUNT_SW_DUMMY)
			continue;
		e = live_add_event(l, ev->name);
		if (!e)
			return -ENOMEM;
		e->shown.state = PTUI_LIVE_NOT_COUNTED;
		e->shown.running_share = 1;
		e->shown.profile_event = e->index = (uint32_t)i;
		e->leader = ev->leader;
	}
	return 0;
}

static int start_build(struct ptui_live *l)
{
	struct live_build *b = &l->build;
	const struct builder_opts opts = {
		.file = b->file,
		.resolver = { .roots = &l->ops->roots,
			      .symfs = l->pipe.load.symfs,
			      .buildid_dir = l->pipe.load.buildid_dir,
			      .kernel = l->opts.kernel,
			      .force_names = l->pipe.load.force_names,
			      .unnamed_functions = l->opts.unnamed_functions ||
						   l->pipe.load.unnamed_functions,
			      .kernel_release = data_feature_text(b->file, PTUI_FEAT_OSRELEASE),
			      .arch = data_feature_text(b->file, PTUI_FEAT_ARCH),
			      .hostname = data_feature_text(b->file, PTUI_FEAT_HOSTNAME) },
		.max_rows = l->opts.max_samples,
		.max_stack = l->opts.max_stack,
		.no_chains = l->pipe.load.no_chains,
		.track_ends = true,
	};

	b->sideband = data_walk_new(b->file, NULL);
	b->samples = data_walk_new(b->file, NULL);
	if (!b->sideband || !b->samples || builder_init(&b->builder, &opts))
		return -ENOMEM;
	b->builder.timed = builder_is_timed(b->file);
	live_build_keep_blocks(b);
	if (add_events(l) || add_lines(l) || add_counters(l) ||
	    buildid_add_recorded(b->file, b->builder.machine, b->builder.store.names))
		return -ENOMEM;
	return builder_seal(&b->builder, 0);
}

int live_pipe_open(struct ptui_live *l, struct ptui_error *err)
{
	int ret = 0;

	l->build.file = data_open_waiting(l->pipe.path, on_waiting, l, err, &ret);
	if (!l->build.file)
		return ret;
	if (start_build(l))
		return ptui_error_nomem(err);
	if (l->pipe.load.stitch_lbr) {
		ret = load_stitch_lbr(&l->build.builder, l->build.file, err);
		if (ret)
			return ret;
	}
	l->began_ns = clock_monotonic_ns();
	l->pipe.opened = true;
	return 0;
}

/* ---- reading ---- */

static void count_period(struct ptui_live *l, const struct data_sample *s)
{
	if (s->event < l->pipe.n_counted && !s->n_reads)
		l->pipe.periods[s->event] += s->period;
}

/* Adds the samples among the first `n` records; the sideband up to `when` is complete. */
static int add_samples(struct ptui_live *l, uint64_t when, uint64_t n)
{
	struct live_build *b = &l->build;
	struct data_record rec;
	struct data_sample s;
	int ret = builder_seal(&b->builder, when);

	if (!ret && b->builder.timed && when != UINT64_MAX &&
	    when > b->dropped_ns + KEEP_ENDED_NS) {
		b->dropped_ns = when;
		ret = builder_drop_ended(&b->builder, when - KEEP_ENDED_NS);
	}
	for (; !ret && l->pipe.n_added < n; l->pipe.n_added++) {
		ret = data_walk_next(b->samples, true, &rec, &l->pipe.err);
		if (ret)
			return ret < 0 ? ret : 0;
		if (rec.type != PERF_RECORD_SAMPLE || data_walk_sample(b->samples, &rec, &s))
			continue;
		ret = builder_add_sample(&b->builder, &rec, &s);
		live_build_count(b, &s);
		count_period(l, &s);
	}
	data_walk_forget(b->samples);
	return ret;
}

static int add_record(struct ptui_live *l, const struct data_record *rec)
{
	struct live_build *b = &l->build;
	uint64_t when = builder_when(b->builder.timed, rec);
	int ret = 0;

	l->pipe.n_read++;
	l->pipe.between_rounds = rec->type == PTUI_RECORD_FINISHED_ROUND;
	l->pipe.has_rounds |= l->pipe.between_rounds;
	if (rec->type != PERF_RECORD_SAMPLE) {
		ret = builder_add_record(&b->builder, rec);
		if (!ret && rec->type == PTUI_RECORD_HEADER_ATTR)
			ret = add_events(l);
	} else if (b->builder.timed) {
		data_walk_sample_time(b->sideband, rec, &when);
	}
	if (when > b->seen_ns)
		b->seen_ns = when;
	return ret;
}

/* A round has ended: the one before it is complete now. */
static int end_round(struct ptui_live *l, uint64_t at)
{
	int ret = add_samples(l, l->pipe.round_when, l->pipe.round_n);

	l->pipe.round_n = l->pipe.n_read;
	l->pipe.round_when = l->build.seen_ns;
	l->pipe.round_bytes = at;
	return ret;
}

/* Nothing comes. What came is complete, unless the writer pauses within a round. */
static int pause_reading(struct ptui_live *l)
{
	if (l->pipe.stop)
		return 1;
	if (l->pipe.has_rounds && !l->pipe.between_rounds)
		return 0;
	return add_samples(l, l->build.seen_ns, l->pipe.n_read);
}

static int read_records(struct ptui_live *l, uint64_t until_ns)
{
	struct data_record rec;
	int ret;

	for (unsigned n = 1;; n++) {
		ret = data_walk_next(l->build.sideband, true, &rec, &l->pipe.err);
		if (ret == -ECANCELED)
			return pause_reading(l);
		if (ret)
			return ret;
		ret = add_record(l, &rec);
		if (!ret && (l->pipe.has_rounds ? l->pipe.between_rounds :
						  rec.off - l->pipe.round_bytes >= PIECE_BYTES))
			ret = end_round(l, rec.off);
		if (ret)
			return ret;
		if (n % CLOCK_RECORDS == 0 && clock_monotonic_ns() >= until_ns)
			return 0;
		if (l->pipe.stop)
			return 1;
	}
}

int live_pipe_read(struct ptui_live *l, uint64_t until_ns)
{
	int ret = read_records(l, until_ns);

	if (ret >= 0 && ret != 1)
		return 0;
	if (ret == 1) /* to the very end, whose damage is counted there */
		ret = add_samples(l, UINT64_MAX, l->pipe.stop ? l->pipe.n_read : UINT64_MAX);
	if (ret == -ENOMEM)
		l->build_result = ret;
	l->pipe.result = ret;
	builder_name_threads(&l->build.builder);
	pthread_mutex_lock(&l->lock);
	l->ended_ns = clock_monotonic_ns();
	pthread_mutex_unlock(&l->lock);
	return 1;
}

int live_pipe_complete(struct ptui_live *l, struct ptui_profile *p)
{
	const struct builder *b = &l->build.builder;

	if (p->debug)
		p->debug->free(p->debug);
	p->code_only = false;
	p->debug = session_debug_new(b->resolver, b->machine, b->store.names, &b->resolver_opts);
	for (unsigned info = 0; info < 2; info++)
		p->header[info] = header_text(l->build.file, info);
	return p->debug && p->header[0] && p->header[1] ? 0 : -ENOMEM;
}

/* ---- counts ---- */

static void set_stats(struct ptui_live *l)
{
	const struct ptui_trust *t = &l->build.builder.trust;

	l->pipe_stats = (struct ptui_live_stats){
		.samples = l->build.all_taken,
		.lost = t->lost_events,
		.lost_samples = t->lost_samples,
		.lost_sideband = t->lost_sideband,
		.throttled = t->throttled,
	};
}

/* With PERF_SAMPLE_READ the samples have the counts themselves. */
static uint64_t count_of(const struct ptui_live *l, uint32_t event)
{
	const struct builder *b = &l->build.builder;
	uint64_t sum = l->pipe.periods[event];

	for (size_t i = 0; i < b->n_counters; i++)
		if (data_event_of_id(l->build.file, b->counters[i].id) == event)
			sum += b->counters[i].value;
	return sum;
}

void live_pipe_count(struct ptui_live *l, uint64_t passed_ns)
{
	uint64_t elapsed_ns = (l->ended_ns ? l->ended_ns : clock_monotonic_ns()) - l->began_ns;

	set_stats(l);
	for (size_t i = 0; i < l->n_events; i++) {
		struct ptui_live_event *e = &l->events[i].shown;
		uint64_t count = count_of(l, l->events[i].index);

		e->rate = passed_ns && count > e->count ?
				  (double)(count - e->count) * 1e9 / (double)passed_ns :
				  0;
		e->count = e->scaled = count;
		e->enabled_ns = e->running_ns = elapsed_ns;
		e->running_rate = 1;
		e->state = count ? PTUI_LIVE_COUNTING : PTUI_LIVE_NOT_COUNTED;
		e->samples = l->build.taken[l->events[i].index];
	}
}
