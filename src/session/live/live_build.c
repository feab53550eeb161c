/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the recorder's blocks to published profiles. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "base/perf_abi.h"
#include "session/debug.h"
#include "session/live/live.h"

#define MAX_BUILDIDS  65536
#define MAX_RUNS      (1u << 20)    /* branches of branch stacks: 8 MiB */
#define KEEP_ENDED_NS 5000000000ull /* how long ended processes are kept */

int live_build_init(struct live_build *b, const struct ptui_live_opts *live,
		    const struct roots *roots)
{
	struct builder_opts opts = {
		.resolver = { .roots = roots,
			      .kernel = live->kernel,
			      .unnamed_functions = live->unnamed_functions,
			      .live = true },
		.max_rows = live->max_samples,
		.max_stack = live->max_stack,
		.track_ends = true,
	};

	memset(b, 0, sizeof(*b));
	buildids_init(&b->buildids, roots, NULL, NULL);
	b->buildids.max_entries = MAX_BUILDIDS;
	b->file = data_open_feed(NULL);
	if (!b->file)
		return -ENOMEM;
	opts.file = b->file;
	b->sideband = data_walk_new(b->file, NULL);
	b->samples = data_walk_new(b->file, NULL);
	if (builder_init(&b->builder, &opts))
		return -ENOMEM;
	b->builder.timed = true;
	live_build_keep_blocks(b);
	return b->sideband && b->samples ? 0 : -ENOMEM;
}

void live_build_keep_blocks(struct live_build *b)
{
	b->builder.with_blocks = true;
	b->builder.max_runs = MAX_RUNS;
}

void live_build_release(struct live_build *b)
{
	free(b->waiting);
	free(b->taken);
	if (b->debug)
		b->debug->free(b->debug);
	builder_release(&b->builder);
	data_walk_free(b->sideband);
	data_walk_free(b->samples);
	data_close(b->file);
	buildids_release(&b->buildids);
	memset(b, 0, sizeof(*b));
}

int live_build_event(struct live_build *b, const struct event *ev, const uint64_t *ids,
		     size_t n_ids)
{
	int ret = data_feed_event(b->file, &ev->attr, sizeof(ev->attr), ev->name, ids, n_ids);

	if (ret)
		return ret;
	return builder_add_event(&b->builder, data_event(b->file, data_n_events(b->file) - 1));
}

int live_build_begin(struct live_build *b)
{
	b->taken = calloc(b->builder.store.n_events + 1, sizeof(*b->taken));
	return b->taken ? builder_seal(&b->builder, 0) : -ENOMEM;
}

/* What the kernel was not asked for, or did not find. */
static void add_build_id(struct live_build *b, struct data_record *rec)
{
	if (rec->type == PERF_RECORD_MMAP2 && rec->mmap.prot & PROT_EXEC &&
	    !rec->mmap.build_id_bytes && (rec->misc & DATA_CPUMODE_MASK) == PERF_RECORD_MISC_USER)
		buildids_of_map(&b->buildids, &rec->mmap, NULL);
}

/* The sideband is added; *youngest_ns is brought up to the youngest record. */
static int add_sideband(struct live_build *b, const struct live_block *block, uint64_t *youngest_ns)
{
	struct data_record rec;
	struct data_sample s;
	int ret = 0;

	data_walk_feed(b->sideband, block->bytes, block->n);
	while (!ret && data_walk_next(b->sideband, true, &rec, NULL) == 0) {
		uint64_t ns = rec.id.has & DATA_HAS_TIME ? rec.id.time_ns : 0;

		add_build_id(b, &rec);
		if (rec.type != PERF_RECORD_SAMPLE)
			ret = builder_add_record(&b->builder, &rec);
		else if (data_walk_sample(b->sideband, &rec, &s) == 0)
			ns = s.time_ns;
		if (ns > *youngest_ns)
			*youngest_ns = ns;
	}
	return ret;
}

void live_build_count(struct live_build *b, const struct data_sample *s)
{
	if (s->event >= b->builder.store.n_events)
		return;
	b->taken[s->event]++;
	b->all_taken++;
	b->kernel_taken += (s->misc & DATA_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
	b->exact_taken += !!(s->misc & PERF_RECORD_MISC_EXACT_IP);
}

static int add_samples(struct live_build *b, const struct live_block *block)
{
	struct data_record rec;
	struct data_sample s;
	int ret = 0;

	data_walk_feed(b->samples, block->bytes, block->n);
	while (!ret && data_walk_next(b->samples, true, &rec, NULL) == 0) {
		if (rec.type != PERF_RECORD_SAMPLE || data_walk_sample(b->samples, &rec, &s))
			continue;
		ret = builder_add_sample(&b->builder, &rec, &s);
		live_build_count(b, &s);
	}
	return ret;
}

/* Everything up to `when` has arrived: seals it, and adds the samples of the waiting block. */
static int add_waiting_block(struct live_build *b, uint64_t when)
{
	int ret = builder_seal(&b->builder, when);

	/* no record comes later than that */
	if (!ret && when != UINT64_MAX && when > b->dropped_ns + KEEP_ENDED_NS) {
		b->dropped_ns = when;
		ret = builder_drop_ended(&b->builder, when - KEEP_ENDED_NS);
	}

	if (!ret && b->waiting)
		ret = add_samples(b, b->waiting);
	free(b->waiting);
	b->waiting = NULL;
	return ret;
}

int live_build_block(struct live_build *b, struct live_block *block)
{
	uint64_t youngest_ns = b->seen_ns;
	int ret = add_sideband(b, block, &youngest_ns);

	if (!ret)
		ret = add_waiting_block(b, b->seen_ns);
	if (ret) {
		free(block);
		return ret;
	}
	b->waiting = block;
	b->seen_ns = youngest_ns;
	return block->idle_after ? live_build_idle(b) : 0;
}

int live_build_idle(struct live_build *b)
{
	return b->waiting ? add_waiting_block(b, b->seen_ns) : 0;
}

int live_build_end(struct live_build *b)
{
	int ret = add_waiting_block(b, UINT64_MAX);

	builder_name_threads(&b->builder);
	return ret;
}

/*
 * For annotations: the profiles of a lineage, whose modules have the same numbers, share one. NULL: out
 * of memory; the code of functions is not shown then.
 */
static struct profile_debug *share_debug(struct live_build *b, uint64_t lineage)
{
	const struct builder *from = &b->builder;

	if (b->debug && b->debug_lineage != lineage) {
		b->debug->free(b->debug);
		b->debug = NULL;
	}
	b->debug_lineage = lineage;
	if (!b->debug)
		b->debug = session_debug_new(from->resolver, from->machine, from->store.names,
					     &from->resolver_opts);
	else if (session_debug_update(b->debug, from->resolver, from->machine, from->store.names))
		return NULL;
	return b->debug ? session_debug_ref(b->debug) : NULL;
}

struct ptui_profile *live_build_publish(struct live_build *b)
{
	struct data_damage damage;
	struct ptui_profile *p;

	data_walk_damage(b->samples, &damage);
	builder_set_damage(&b->builder, &damage);
	p = builder_publish(&b->builder, NULL, NULL, NULL, NULL);
	if (p && builder_copy_blocks(&b->builder, p)) {
		ptui_profile_unref(p);
		return NULL;
	}
	if (p && !p->debug) {
		p->debug = share_debug(b, p->lineage);
		p->code_only = true;
	}
	return p;
}
