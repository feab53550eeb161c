/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The filter of a view: ptui_hist_filter in the profile's ids.
 *
 *   sample --CPU, time, symbol--> kept or dropped	frame --dso, name, level--> has rows or not
 *     kept --comm, pid, tid, cpu--> counted or not
 *
 * Frames, names and threads are checked once, when the filter is made.
 */
#ifndef PROFILE_FILTER_H
#define PROFILE_FILTER_H

#include "base/ranges.h"
#include "profile/profile.h"

/* A sample of an event that switches; others of the same time are before it if their rows are. */
struct filter_switch {
	uint64_t time_ns;
	size_t row;
	bool on;
};

struct hist_filter {
	bool by_comm, by_thread, by_cpu;
	bool by_lists; /* `comms`, `threads`, `running`, `extras` or `stacks` */
	bool drops;    /* some samples may be dropped */
	bool resolved;
	bool by_parent; /* a caller of the sample matches the pattern: see ptui_hist.parents */
	bool by_socket;
	int32_t socket;
	uint32_t comm; /* strpool id; PTUI_NONE: no such name */
	int32_t tid;
	uint32_t cpu;
	uint8_t *comms;			    /* by strpool id: 1 if listed; NULL: all */
	uint8_t *threads;		    /* by thread: the same */
	struct ranges cpus, times, running; /* `running`: numbers of tasks */
	/* Samples that switch, by time; `starts_off`: before the first, samples are left out. */
	struct filter_switch *switches;
	size_t n_switches, cap_switches;
	bool by_switches, starts_off, show_switch;
	uint8_t *rows;	 /* by frame: 1 if it has rows; NULL: all have */
	uint8_t *extras; /* by place in the profile's: 1 if a sample with it counts; NULL: all do */
	const uint32_t *extra_of; /* the profile's, by sample; NULL: none */
	uint8_t *
		stacks; /* by node of the profile's: 1 if the stack has the function; NULL: all do */
	uint8_t *tops;	/* the same, by frame, of samples without a stack */
};

/*
 * Callchains without hidden DSOs and recursion, as another stack table:
 *
 *	main ── memcpy ── irq		of: 0 0 0	main
 *	main ── eval ── add ── eval	of: 0 1 2 1	main ── eval ── add
 */
struct hist_shape {
	struct stacks stacks;
	uint32_t *of;	 /* by node of the table before; NULL: callchains are as recorded */
	uint8_t *hidden; /* by frame: 1 if it is hidden; NULL: none is */
};

/* Leaves `s` zeroed if the filter changes no callchains. 0, -ENOMEM or -ECANCELED. */
int hist_shape_init(struct hist_shape *s, const struct ptui_profile *p, const struct stacks *from,
		    const struct ptui_hist_filter *like, ptui_progress_fn progress, void *ctx);
void hist_shape_release(struct hist_shape *s); /* accepts a zeroed one */

/* 0 or -ENOMEM. */
int hist_filter_init(struct hist_filter *f, const struct ptui_profile *p,
		     const struct ptui_hist_filter *like);
void hist_filter_release(struct hist_filter *f); /* accepts a zeroed one */

/* Whether a sample is in the totals; to be called if f->drops. */
bool hist_filter_keeps(const struct hist_filter *f, const struct ptui_profile *p, size_t i);

/* The same for `extras` and `stacks`. */
static inline bool hist_filter_has(const struct hist_filter *f, const struct samples *s, size_t i)
{
	uint32_t stack = samples_stack(s, i);

	if (f->extras && !(f->extra_of && f->extras[f->extra_of[i]]))
		return false;
	return !f->stacks || f->tops[s->frame[i]] || (stack != PTUI_NONE && f->stacks[stack]);
}

static inline bool hist_filter_accepts(const struct hist_filter *f, const struct samples *s,
				       size_t i)
{
	if (f->by_lists && ((f->comms && !f->comms[s->comm[i]]) ||
			    (f->threads && !f->threads[s->thread[i]]) || !hist_filter_has(f, s, i)))
		return false;
	return (!f->by_comm || s->comm[i] == f->comm) &&
	       (!f->by_thread || s->threads[s->thread[i]].tid == f->tid) &&
	       (!f->by_cpu || s->cpu[i] == f->cpu);
}

static inline bool hist_filter_shows(const struct hist_filter *f, uint32_t frame)
{
	return !f->rows || f->rows[frame];
}

#endif
