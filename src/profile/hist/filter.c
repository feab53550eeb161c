/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/hist/filter.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "base/vec.h"
#include "profile/hist/filter_fields.h"
#include "profile/hist/keys.h"
#include "profile/hist/window.h"

/* ---- lists of names ---- */

struct names {
	char *text; /* the list, its lines ended by NUL */
	const char **v;
	size_t n, cap;
};

static void names_release(struct names *l)
{
	free(l->text);
	free(l->v);
}

static int names_order(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* 0 or -ENOMEM. */
static int names_init(struct names *l, const char *lines)
{
	char *rest;

	*l = (struct names){ .text = strdup(lines) };
	if (!l->text)
		return -ENOMEM;
	rest = l->text;
	while (rest) {
		const char *line = strsep(&rest, "\n");

		if (!*line)
			continue;
		if (vec_grow(&l->v, &l->cap, l->n + 1)) {
			names_release(l);
			return -ENOMEM;
		}
		l->v[l->n++] = line;
	}
	if (l->n)
		qsort(l->v, l->n, sizeof(*l->v), names_order);
	return 0;
}

static bool names_have(const struct names *l, const char *name)
{
	return l->n && bsearch(&name, l->v, l->n, sizeof(*l->v), names_order);
}

/* ---- frames ---- */

/* Linear: published profiles have no index of names. */
static uint32_t find_name(const struct ptui_profile *p, const char *text)
{
	for (uint32_t i = 0; i < p->names.n; i++) {
		if (!strcmp(strpool_get(&p->names, i), text))
			return i;
	}
	return PTUI_NONE;
}

/* The lists of a filter; without names if NULL in it. */
struct frame_lists {
	struct names dsos, symbols;
};

/* A symbol by its name, or by its address in the process. */
static bool symbol_listed(const struct ptui_profile *p, const struct profile_frame *f,
			  const struct names *symbols)
{
	char addr[20];

	if (f->sym_name == PTUI_NONE)
		return false;
	if (names_have(symbols, strpool_get(&p->names, f->sym_name)))
		return true;
	snprintf(addr, sizeof(addr), "%#llx", (unsigned long long)(f->raw_addr - f->sym_offset));
	return names_have(symbols, addr);
}

static bool dso_listed(const struct ptui_profile *p, const struct profile_frame *f, const char *dso,
		       const struct names *dsos)
{
	return names_have(dsos, dso) ||
	       (f->path != PTUI_NONE && names_have(dsos, strpool_get(&p->names, f->path)));
}

static bool is_kernel(const struct profile_frame *f)
{
	return f->level == 'k' || f->level == 'g';
}

static bool frame_matches(const struct ptui_profile *p, const struct profile_frame *f,
			  const struct ptui_hist_filter *like, const struct frame_lists *lists)
{
	const char *dso = f->short_name == PTUI_NONE ? HIST_UNKNOWN_DSO :
						       strpool_get(&p->names, f->short_name);

	if ((like->kernel && !is_kernel(f)) || (like->user && is_kernel(f)))
		return false;
	if (like->dso && strcmp(dso, like->dso) &&
	    (f->path == PTUI_NONE || strcmp(strpool_get(&p->names, f->path), like->dso)))
		return false;
	if (like->resolved && !frame_is_named(f))
		return false;
	if (like->dsos && !dso_listed(p, f, dso, &lists->dsos))
		return false;
	if (like->symbols && !symbol_listed(p, f, &lists->symbols))
		return false;
	if (!like->symbol)
		return true;
	return f->sym_name != PTUI_NONE &&
	       strcasestr(strpool_get(&p->names, f->sym_name), like->symbol);
}

static int check_frames(struct hist_filter *f, const struct ptui_profile *p,
			const struct ptui_hist_filter *like)
{
	struct frame_lists lists = { { 0 }, { 0 } };
	int err = 0;

	if (!like->kernel && !like->user && !like->dso && !like->symbol && !like->dsos &&
	    !like->symbols && !like->resolved)
		return 0;
	f->rows = malloc(p->n_frames + 1);
	if (!f->rows)
		err = -ENOMEM;
	if (!err && like->dsos)
		err = names_init(&lists.dsos, like->dsos);
	if (!err && like->symbols)
		err = names_init(&lists.symbols, like->symbols);
	for (size_t i = 0; i < p->n_frames && !err; i++)
		f->rows[i] = frame_matches(p, &p->frames[i], like, &lists);
	names_release(&lists.dsos);
	names_release(&lists.symbols);
	return err;
}

/* ---- samples ---- */

static int check_comms(struct hist_filter *f, const struct ptui_profile *p, const char *comms)
{
	struct names list;

	if (names_init(&list, comms))
		return -ENOMEM;
	f->comms = malloc((size_t)p->names.n + 1);
	for (uint32_t i = 0; f->comms && i < p->names.n; i++)
		f->comms[i] = names_have(&list, strpool_get(&p->names, i));
	names_release(&list);
	return f->comms ? 0 : -ENOMEM;
}

static int check_threads(struct hist_filter *f, const struct ptui_profile *p,
			 const struct ptui_hist_filter *like)
{
	const struct samples *s = &p->samples;
	struct ranges pids = { 0 }, tids = { 0 };
	int err = 0;

	if (like->pids)
		err = ranges_parse_numbers(&pids, like->pids, INT32_MAX);
	if (!err && like->tids)
		err = ranges_parse_numbers(&tids, like->tids, INT32_MAX);
	f->threads = malloc(s->n_threads + 1);
	if (!f->threads)
		err = -ENOMEM;
	for (size_t i = 0; i < s->n_threads && !err; i++)
		f->threads[i] = (!like->pids || ranges_have(&pids, (uint64_t)s->threads[i].pid)) &&
				(!like->tids ||
				 ranges_have(&tids, (uint64_t)thread_tid(&s->threads[i])));
	ranges_release(&pids);
	ranges_release(&tids);
	return err;
}

/* The times of the recording: those of its samples, unless its header has them. */
static struct range recorded_times(const struct ptui_profile *p)
{
	struct range r = { p->first_ns, p->last_ns };

	if (r.from || r.to || !p->samples.n)
		return r;
	r.from = UINT64_MAX;
	for (size_t i = 0; i < p->samples.n; i++) {
		r.from = p->samples.time_ns[i] < r.from ? p->samples.time_ns[i] : r.from;
		r.to = p->samples.time_ns[i] > r.to ? p->samples.time_ns[i] : r.to;
	}
	return r;
}

/* ---- events that switch ---- */

static int switch_order(const void *va, const void *vb)
{
	const struct filter_switch *a = va, *b = vb;

	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns ? -1 : 1;
	return a->row < b->row ? -1 : a->row > b->row;
}

static bool is_event(const struct ptui_profile *p, size_t row, const char *name)
{
	uint16_t event = p->samples.event[row];

	return name && event < p->n_events && !strcmp(p->events[event].name, name);
}

/* Leaves those that switch: one that is on stays on. `toggles`: the same event switches both ways. */
static void drop_repeats(struct hist_filter *f, bool toggles)
{
	bool on = !f->starts_off;
	size_t n = 0;

	for (size_t i = 0; i < f->n_switches; i++) {
		if (f->switches[i].on == on && !toggles)
			continue;
		on = !on;
		f->switches[n] = f->switches[i];
		f->switches[n++].on = on;
	}
	f->n_switches = n;
}

static int check_switches(struct hist_filter *f, const struct ptui_profile *p,
			  const struct ptui_hist_filter *like)
{
	const struct samples *s = &p->samples;

	f->by_switches = true;
	f->starts_off = like->switch_on;
	f->show_switch = like->show_switch;
	for (size_t i = 0; i < s->n; i++) {
		bool on = is_event(p, i, like->switch_on);

		if (!on && !is_event(p, i, like->switch_off))
			continue;
		if (vec_grow(&f->switches, &f->cap_switches, f->n_switches + 1))
			return -ENOMEM;
		f->switches[f->n_switches++] = (struct filter_switch){ s->time_ns[i], i, on };
	}
	if (f->n_switches)
		qsort(f->switches, f->n_switches, sizeof(*f->switches), switch_order);
	drop_repeats(f, like->switch_on && like->switch_off &&
				!strcmp(like->switch_on, like->switch_off));
	return 0;
}

static bool is_switched_on(const struct hist_filter *f, const struct samples *s, size_t row)
{
	const struct filter_switch at = { s->time_ns[row], row, false };
	size_t low = 0, high = f->n_switches;

	while (low < high) { /* the last one not after the sample */
		size_t mid = low + (high - low) / 2;

		if (switch_order(&f->switches[mid], &at) <= 0)
			low = mid + 1;
		else
			high = mid;
	}
	if (!low)
		return !f->starts_off;
	return f->switches[low - 1].row == row ? f->show_switch : f->switches[low - 1].on;
}

static int check_drops(struct hist_filter *f, const struct ptui_profile *p,
		       const struct ptui_hist_filter *like)
{
	int err = 0;

	f->resolved = like->resolved;
	f->drops = like->cpus || like->times || like->resolved || like->switch_on ||
		   like->switch_off;
	if (like->switch_on || like->switch_off)
		err = check_switches(f, p, like);
	if (!err && like->cpus)
		err = ranges_parse_numbers(&f->cpus, like->cpus, UINT16_MAX);
	if (!err && like->times) {
		struct range all = { 0, 0 };

		if (ranges_are_percent(like->times))
			all = recorded_times(p);
		err = ranges_parse_times(&f->times, like->times, &all);
	}
	return err;
}

/* A branch: both of its ends. */
static bool is_resolved(const struct ptui_profile *p, size_t i)
{
	uint32_t from = p->mode == PTUI_MODE_BRANCHES && p->extra_of ?
				p->extras[p->extra_of[i]].from_frame :
				PTUI_NONE;

	return frame_is_named(&p->frames[p->samples.frame[i]]) &&
	       (from == PTUI_NONE || frame_is_named(&p->frames[from]));
}

bool hist_filter_keeps(const struct hist_filter *f, const struct ptui_profile *p, size_t i)
{
	const struct samples *s = &p->samples;

	return (!f->cpus.n || s->cpu[i] == PTUI_NONE || ranges_have(&f->cpus, s->cpu[i])) &&
	       (!f->times.n || ranges_have(&f->times, s->time_ns[i])) &&
	       (!f->by_switches || is_switched_on(f, s, i)) && (!f->resolved || is_resolved(p, i));
}

/* ---- what only some samples have ---- */

/* The lines are patterns of the shell. */
static bool line_matches(const struct names *lines, const char *name)
{
	for (size_t i = 0; i < lines->n; i++)
		if (!fnmatch(lines->v[i], name, 0))
			return true;
	return false;
}

static int check_extras(struct hist_filter *f, const struct ptui_profile *p,
			const struct ptui_hist_filter *like)
{
	struct filter_terms terms = { .n = 0 };
	struct names cgroups = { 0 };
	int err = like->cgroups ? names_init(&cgroups, like->cgroups) : 0;

	if (like->fields)
		(void)filter_terms_parse(&terms, like->fields); /* it was checked */
	f->extra_of = p->extra_of;
	f->extras = malloc(p->n_extras + 1);
	if (!f->extras)
		err = -ENOMEM;
	for (size_t i = 0; i < p->n_extras && !err; i++) {
		const struct extra *e = &p->extras[i];

		f->extras[i] = (!like->fields || filter_terms_match(&terms, p, e->fields)) &&
			       (!like->cgroups ||
				(e->cgroup_name != PTUI_NONE &&
				 line_matches(&cgroups, strpool_get(&p->names, e->cgroup_name))));
	}
	names_release(&cgroups);
	return err;
}

/* Callers have lower numbers than those below them. */
static int check_stacks(struct hist_filter *f, const struct ptui_profile *p, const char *text)
{
	f->tops = malloc(p->n_frames + 1);
	f->stacks = malloc(p->stacks.n + 1);
	if (!f->tops || !f->stacks)
		return -ENOMEM;
	for (size_t i = 0; i < p->n_frames; i++) {
		uint32_t name = p->frames[i].sym_name;

		f->tops[i] = name != PTUI_NONE && strcasestr(strpool_get(&p->names, name), text);
	}
	for (size_t i = 0; i < p->stacks.n; i++) {
		const struct stack_node *node = &p->stacks.nodes[i];

		f->stacks[i] = f->tops[node->frame] ||
			       (node->parent != PTUI_NONE && f->stacks[node->parent]);
	}
	return 0;
}

/* ---- the filter ---- */

int hist_filter_init(struct hist_filter *f, const struct ptui_profile *p,
		     const struct ptui_hist_filter *like)
{
	int err;

	memset(f, 0, sizeof(*f));
	f->by_comm = like->comm;
	f->comm = like->comm ? find_name(p, like->comm) : PTUI_NONE;
	f->by_thread = like->by_thread;
	f->tid = like->tid;
	f->by_cpu = like->by_cpu;
	f->cpu = like->cpu;
	f->by_parent = like->has_parent;
	f->by_socket = like->by_socket;
	f->socket = like->socket;
	f->by_lists = like->comms || like->pids || like->tids || like->parallelism ||
		      like->cgroups || like->stack || like->fields;
	err = check_drops(f, p, like);
	if (!err && like->parallelism)
		err = ranges_parse_numbers(&f->running, like->parallelism, UINT32_MAX);
	if (!err && like->comms)
		err = check_comms(f, p, like->comms);
	if (!err && (like->pids || like->tids))
		err = check_threads(f, p, like);
	if (!err && (like->cgroups || like->fields))
		err = check_extras(f, p, like);
	if (!err && like->stack)
		err = check_stacks(f, p, like->stack);
	return err ? err : check_frames(f, p, like);
}

void hist_filter_release(struct hist_filter *f)
{
	free(f->rows);
	free(f->comms);
	free(f->threads);
	free(f->switches);
	free(f->extras);
	free(f->stacks);
	free(f->tops);
	ranges_release(&f->cpus);
	ranges_release(&f->times);
	ranges_release(&f->running);
	memset(f, 0, sizeof(*f));
}

/* ---- the shape of callchains ---- */

static bool hide_matches(const struct ptui_profile *p, const struct profile_frame *f,
			 const char *pattern)
{
	if (!strcmp(pattern, "[kernel]"))
		return is_kernel(f);
	if (!strcmp(pattern, "[unknown]"))
		return !frame_is_named(f);
	return (f->short_name != PTUI_NONE &&
		(!strcmp(pattern, strpool_get(&p->names, f->short_name)) ||
		 !fnmatch(pattern, strpool_get(&p->names, f->short_name), 0))) ||
	       (f->path != PTUI_NONE && !fnmatch(pattern, strpool_get(&p->names, f->path), 0));
}

static bool frame_hides(const struct ptui_profile *p, const struct profile_frame *f,
			const struct names *patterns)
{
	bool hidden = false, except = false, kept = false;

	for (size_t i = 0; i < patterns->n && !hidden; i++) {
		const char *pattern = patterns->v[i];

		if (*pattern == '!') {
			except = true;
			kept |= hide_matches(p, f, pattern + 1);
		} else {
			hidden = hide_matches(p, f, pattern);
		}
	}
	return hidden || (except && !kept);
}

/* Frames of a DSO are hidden alike, but for "[unknown]": most are like the frame before. */
static int find_hidden(struct hist_shape *s, const struct ptui_profile *p, const char *lines)
{
	const struct profile_frame *last = NULL;
	struct names patterns;

	if (!lines || !*lines)
		return 0;
	if (names_init(&patterns, lines))
		return -ENOMEM;
	s->hidden = malloc(p->n_frames + 1);
	for (size_t i = 0; s->hidden && i < p->n_frames; i++) {
		const struct profile_frame *f = &p->frames[i];

		if (last && last->short_name == f->short_name && last->path == f->path &&
		    last->level == f->level && frame_is_named(last) == frame_is_named(f))
			s->hidden[i] = s->hidden[i - 1];
		else
			s->hidden[i] = frame_hides(p, f, &patterns);
		last = f;
	}
	names_release(&patterns);
	return s->hidden ? 0 : -ENOMEM;
}

/* The function on the way to the node, or itself; PTUI_NONE: it is not there. */
static uint32_t same_above(const struct hist_shape *s, const struct ptui_profile *p, uint32_t node,
			   uint32_t frame)
{
	uint32_t face = p->frames[frame].face;

	while (node != PTUI_NONE && p->frames[s->stacks.nodes[node].frame].face != face)
		node = s->stacks.nodes[node].parent;
	return node;
}

/* PTUI_NONE in `of`: nothing of the chain is left so far. */
static int shape_node(struct hist_shape *s, const struct ptui_profile *p,
		      const struct stack_node *from, bool collapse, uint32_t *ret)
{
	uint32_t up = from->parent == PTUI_NONE ? PTUI_NONE : s->of[from->parent];

	*ret = up;
	if (s->hidden && s->hidden[from->frame])
		return 0;
	*ret = collapse ? same_above(s, p, up, from->frame) : PTUI_NONE;
	if (*ret == PTUI_NONE)
		*ret = stacks_push(&s->stacks, up, from->frame);
	return *ret == PTUI_NONE ? -ENOMEM : 0;
}

/* Chains of which nothing is left keep their outermost function. */
static int shape_rest(struct hist_shape *s, const struct stacks *from)
{
	for (size_t i = 0; i < from->n; i++) {
		const struct stack_node *node = &from->nodes[i];

		if (s->of[i] != PTUI_NONE)
			continue;
		s->of[i] = node->parent == PTUI_NONE ?
				   stacks_push(&s->stacks, PTUI_NONE, node->frame) :
				   s->of[node->parent];
		if (s->of[i] == PTUI_NONE)
			return -ENOMEM;
	}
	return 0;
}

int hist_shape_init(struct hist_shape *s, const struct ptui_profile *p, const struct stacks *from,
		    const struct ptui_hist_filter *like, ptui_progress_fn progress, void *ctx)
{
	int err;

	memset(s, 0, sizeof(*s));
	err = find_hidden(s, p, like->hide_dsos);
	if (err || (!s->hidden && !like->collapse_recursion))
		return err;
	stacks_init(&s->stacks);
	s->of = malloc((from->n + 1) * sizeof(*s->of));
	err = s->of ? 0 : -ENOMEM;
	for (size_t i = 0; i < from->n && !err; i++) {
		if (progress && i % 4096 == 0 &&
		    progress(ctx, _("changing the callchains"), i, from->n))
			err = -ECANCELED;
		else
			err = shape_node(s, p, &from->nodes[i], like->collapse_recursion,
					 &s->of[i]);
	}
	return err ? err : shape_rest(s, from);
}

void hist_shape_release(struct hist_shape *s)
{
	stacks_release(&s->stacks);
	free(s->of);
	free(s->hidden);
	memset(s, 0, sizeof(*s));
}

/* ---- before a profile is there ---- */

static int check_numbers(const char *option, const char *text, uint64_t max, struct ptui_error *err)
{
	struct ranges r = { 0 };
	int ret = text ? ranges_parse_numbers(&r, text, max) : 0;

	ranges_release(&r);
	if (ret == -ENOMEM)
		return ptui_error_nomem(err);
	return ret ? ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, option,
				    _("%s: expected numbers such as 3,7 or 0-3, not '%s'"), option,
				    text) :
		     0;
}

static int check_times(const char *text, struct ptui_error *err)
{
	const struct range all = { 0, UINT32_MAX };
	struct ranges r = { 0 };
	int ret = text ? ranges_parse_times(&r, text, &all) : 0;

	ranges_release(&r);
	if (ret == -ENOMEM)
		return ptui_error_nomem(err);
	if (!ret)
		return 0;
	return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, text,
			      _("--time: '%s' is no range of time such as 12.5,13 (seconds), "
				"10%%-20%% or 30%%/2"),
			      text);
}

int ptui_hist_check_filter(const struct ptui_hist_filter *filter, struct ptui_error *err)
{
	int ret = check_numbers("--pid", filter->pids, INT32_MAX, err);

	if (!ret)
		ret = check_numbers("--tid", filter->tids, INT32_MAX, err);
	if (!ret)
		ret = check_numbers("--cpu", filter->cpus, UINT16_MAX, err);
	if (!ret)
		ret = check_numbers("--parallelism", filter->parallelism, UINT32_MAX, err);
	if (!ret)
		ret = filter_fields_check(filter->fields, err);
	return ret ? ret : check_times(filter->times, err);
}

/* ---- the times of a view (window.h) ---- */

#define STEPS	    16 /* per halving */
#define ONE	    65536
#define GONE_HALVES 40 /* every period is 0 by then */

/* ONE * 2^(-i / STEPS) */
static const uint32_t weights[STEPS] = {
	65536, 62757, 60097, 57549, 55109, 52772, 50535, 48393,
	46341, 44376, 42495, 40693, 38968, 37316, 35734, 34219,
};

void hist_window_init(struct hist_window *w, const struct samples *s, uint16_t event,
		      uint64_t since_ns, uint64_t half_life_ns)
{
	*w = (struct hist_window){ .since_ns = since_ns, .half_life_ns = half_life_ns };
	for (size_t i = 0; half_life_ns && i < s->n; i++) {
		if (s->event[i] == event && s->time_ns[i] > w->newest_ns)
			w->newest_ns = s->time_ns[i];
	}
}

uint64_t hist_window_weigh_old(const struct hist_window *w, uint64_t time_ns, uint64_t period)
{
	uint64_t age = w->newest_ns > time_ns ? w->newest_ns - time_ns : 0;
	uint64_t halves = age / w->half_life_ns, rest = age % w->half_life_ns;
	unsigned step = (unsigned)((double)rest / (double)w->half_life_ns * STEPS);

	if (halves >= GONE_HALVES)
		return 0;
	/* the product needs 17 more bits: divide large periods first */
	if (period >> 46)
		return (period / ONE * weights[step] * WINDOW_PARTS) >> halves;
	return period * weights[step] / (ONE / WINDOW_PARTS) >> halves;
}
