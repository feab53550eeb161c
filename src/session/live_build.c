/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From what the recorder wrote to a profile that is published now and then. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/perf_abi.h"
#include "session/live.h"

#define FORGET_NS  5000000000ull /* how long what has ended is remembered */
#define MAX_FRAMES ((size_t)1 << 20) /* places; each takes some 200 bytes in all */
#define SPARE_BYTES ((size_t)8 << 20)

int live_build_init(struct live_build *b, uint64_t max_samples)
{
	memset(b, 0, sizeof(*b));
	b->max_frames = MAX_FRAMES;
	b->spare_bytes = SPARE_BYTES;
	if (profile_grow_init(&b->grow, max_samples))
		return -ENOMEM;
	b->machine = machine_new(b->grow.names);
	if (b->machine)
		machine_track_ends(b->machine);
	b->file = data_open_feed(NULL);
	if (b->file) {
		b->sideband = data_walk_new(b->file, NULL);
		b->samples = data_walk_new(b->file, NULL);
	}
	return b->machine && b->sideband && b->samples ? 0 : -ENOMEM;
}

void live_build_release(struct live_build *b)
{
	free(b->waiting);
	free(b->taken);
	intake_release(&b->intake);
	data_walk_free(b->sideband);
	data_walk_free(b->samples);
	data_close(b->file);
	resolver_free(b->resolver);
	machine_free(b->machine);
	profile_grow_release(&b->grow);
	memset(b, 0, sizeof(*b));
}

int live_build_event(struct live_build *b, const struct event *ev, const uint64_t *ids,
		     size_t n_ids)
{
	int ret = data_feed_event(b->file, &ev->attr, sizeof(ev->attr), ev->name, ids, n_ids);

	if (!ret && profile_grow_event(&b->grow, ev->name,
				       ev->attr.sample_type & PERF_SAMPLE_CALLCHAIN) == PTUI_NONE)
		ret = -ENOMEM;
	return ret;
}

static int new_resolver(struct live_build *b)
{
	const struct resolver_opts opts = { .roots = b->roots };

	b->resolver = resolver_new(b->machine, b->grow.names, &opts);
	return b->resolver ? 0 : -ENOMEM;
}

int live_build_begin(struct live_build *b, const struct roots *roots)
{
	b->roots = roots;
	b->taken = calloc(b->grow.n_events + 1, sizeof(*b->taken));
	if (!b->taken || machine_seal_until(b->machine, 0))
		return -ENOMEM;
	if (new_resolver(b))
		return -ENOMEM;
	b->intake = (struct intake){ .file = b->file, .machine = b->machine,
				     .resolver = b->resolver, .names = b->grow.names,
				     .samples = &b->grow.samples, .stacks = &b->grow.stacks,
				     .trust = &b->trust, .timed = true };
	return 0;
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

		if (rec.type != PERF_RECORD_SAMPLE)
			ret = intake_sideband(&b->intake, &rec);
		else if (data_walk_sample(b->sideband, &rec, &s) == 0)
			ns = s.time_ns;
		if (ns > *youngest_ns)
			*youngest_ns = ns;
	}
	return ret;
}

static void note_sample(struct live_build *b, const struct data_sample *s)
{
	if (s->event >= b->grow.n_events)
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
		ret = intake_sample(&b->intake, &rec, &s);
		note_sample(b, &s);
	}
	return ret;
}

/* All that is not after `when` is there. */
static int take_waiting(struct live_build *b, uint64_t when)
{
	int ret = machine_seal_until(b->machine, when);

	/* a record may come late, but not that late */
	if (!ret && when != UINT64_MAX && when > b->forgot_ns + FORGET_NS) {
		b->forgot_ns = when;
		machine_forget(b->machine, when - FORGET_NS);
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
		ret = take_waiting(b, b->seen_ns);
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
	return b->waiting ? take_waiting(b, b->seen_ns) : 0;
}

int live_build_end(struct live_build *b)
{
	int ret = take_waiting(b, UINT64_MAX);

	live_build_name_threads(b);
	profile_grow_rename(&b->grow);
	return ret;
}

static int name_frames(struct live_build *b)
{
	int ret = resolver_symbolize(b->resolver, NULL, NULL, NULL);

	if (!ret)
		ret = profile_grow_frames(&b->grow, resolver_n_frames(b->resolver),
					  intake_frame_facts, b->resolver);
	return ret;
}

struct ptui_profile *live_build_publish(struct live_build *b)
{
	struct ptui_profile *p;
	struct data_damage damage;

	if (name_frames(b))
		return NULL;
	data_walk_damage(b->samples, &damage);
	intake_damage(&b->trust, &damage);
	intake_tell_events(&b->intake, b->grow.events, b->grow.n_events);
	p = profile_grow_publish(&b->grow, &b->trust);
	if (b->renumbered != b->grow.renumbered)
		chain_builder_forget(&b->intake.chain);
	b->renumbered = b->grow.renumbered;
	return p;
}
