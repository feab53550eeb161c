/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/filter.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "base/vec.h"
#include "profile/keys.h"

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

static bool frame_matches(const struct ptui_profile *p, const struct profile_frame *f,
			  const struct ptui_hist_filter *like, const struct frame_lists *lists)
{
	const char *dso = f->short_name == PTUI_NONE ? HIST_UNKNOWN_DSO :
						       strpool_get(&p->names, f->short_name);
	bool kernel = f->level == 'k' || f->level == 'g';

	if ((like->kernel && !kernel) || (like->user && kernel))
		return false;
	if (like->dso && strcmp(dso, like->dso) &&
	    (f->path == PTUI_NONE || strcmp(strpool_get(&p->names, f->path), like->dso)))
		return false;
	if (like->resolved && f->sym_name == PTUI_NONE)
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
				(!like->tids || ranges_have(&tids, (uint64_t)s->threads[i].tid));
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

static int check_drops(struct hist_filter *f, const struct ptui_profile *p,
		       const struct ptui_hist_filter *like)
{
	int err = 0;

	f->resolved = like->resolved;
	f->drops = like->cpus || like->times || like->resolved;
	if (like->cpus)
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

	return p->frames[p->samples.frame[i]].sym_name != PTUI_NONE &&
	       (from == PTUI_NONE || p->frames[from].sym_name != PTUI_NONE);
}

bool hist_filter_keeps(const struct hist_filter *f, const struct ptui_profile *p, size_t i)
{
	const struct samples *s = &p->samples;

	return (!f->cpus.n || s->cpu[i] == PTUI_NONE || ranges_have(&f->cpus, s->cpu[i])) &&
	       (!f->times.n || ranges_have(&f->times, s->time_ns[i])) &&
	       (!f->resolved || is_resolved(p, i));
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
	f->by_lists = like->comms || like->pids || like->tids;
	err = check_drops(f, p, like);
	if (!err && like->comms)
		err = check_comms(f, p, like->comms);
	if (!err && (like->pids || like->tids))
		err = check_threads(f, p, like);
	return err ? err : check_frames(f, p, like);
}

void hist_filter_release(struct hist_filter *f)
{
	free(f->rows);
	free(f->comms);
	free(f->threads);
	ranges_release(&f->cpus);
	ranges_release(&f->times);
	memset(f, 0, sizeof(*f));
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
	return ret ? ret : check_times(filter->times, err);
}
