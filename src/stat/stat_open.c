/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counters opened, one set per group; events that the kernel does not support are left out. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/i18n.h"
#include "base/vec.h"
#include "record/target/attach.h"
#include "stat/stat_private.h"

static void set_free(struct set *set)
{
	if (!set)
		return;
	if (set->open)
		counters_release(&set->counters);
	free(set->list.v);
	free(set->index);
	free(set->before);
	free(set);
}

/* The supported ones of the events [from, from + n). */
static int set_fill(struct set *set, struct stat *s, uint32_t from, uint32_t n)
{
	set->list.v = calloc(n, sizeof(*set->list.v));
	set->index = calloc(n, sizeof(*set->index));
	if (!set->list.v || !set->index)
		return -ENOMEM;
	for (uint32_t i = from; i < from + n; i++) {
		struct event *copy = &set->list.v[set->list.n];

		if (!s->events[i].supported)
			continue;
		*copy = s->list.v[i];
		copy->leader = 0;
		if (!set->list.n) { /* the leader itself may not be supported */
			copy->attr.disabled = s->list.v[from].attr.disabled;
			copy->attr.enable_on_exec = s->list.v[from].attr.enable_on_exec;
		}
		set->index[set->list.n++] = i;
	}
	return 0;
}

static int open_counters(struct stat *s, struct set *set, pid_t pid, struct ptui_error *err)
{
	int ret = counters_init(&set->counters, s->ops, &set->list, 0, err);

	if (ret)
		return ret;
	set->open = true;
	set->counters.counting = true;
	set->counters.n_other_events = s->list.n - set->list.n;
	if (s->target.system_wide) {
		if (s->target.cpus &&
		    counters_use_cpus(&set->counters, s->target.cpus, s->target.n_cpus))
			return ptui_error_nomem(err);
		return counters_open(&set->counters, -1, err);
	}
	counters_follow_tasks(&set->counters);
	return target_has_tasks(&s->target) ? attach_tasks(&set->counters, &s->target, err) :
					      counters_open(&set->counters, pid, err);
}

/* The errors that say that the event, and not the target or the user, is the problem. */
static bool is_unsupported(int ret)
{
	return ret == -EINVAL || ret == -ENOSYS || ret == -ENOENT || ret == -EOPNOTSUPP ||
	       ret == -ENXIO || ret == -ENODEV;
}

/* "cs" that is counted as "cs:u" only. The copy may have a new name in place of the one that it had from the event. */
static void keep_fallback(struct event *ev, const struct event *copy)
{
	ev->name = copy->name;
	ev->attr.exclude_kernel = copy->attr.exclude_kernel;
	ev->attr.exclude_hv = copy->attr.exclude_hv;
	ev->attr.exclude_guest = copy->attr.exclude_guest;
}

/* NULL, with the reason in *ret and err. */
static struct set *open_set(struct stat *s, uint32_t from, uint32_t n, pid_t pid, int *ret,
			    struct ptui_error *err)
{
	struct set *set = calloc(1, sizeof(*set));

	*ret = set && !set_fill(set, s, from, n) ? open_counters(s, set, pid, err) : -ENOMEM;
	for (uint32_t i = 0; set && set->index && i < set->list.n; i++)
		keep_fallback(&s->list.v[set->index[i]], &set->list.v[i]);
	if (!*ret)
		return set;
	if (*ret == -ENOMEM)
		ptui_error_nomem(err);
	set_free(set);
	return NULL;
}

/* Marks those events of a refused group that are refused alone as well; if none is, all. */
static int find_unsupported(struct stat *s, uint32_t from, uint32_t n, pid_t pid,
			    const struct ptui_error *why, struct ptui_error *err)
{
	bool found = false;

	for (uint32_t i = from; i < from + n; i++) {
		struct ptui_error alone = PTUI_ERROR_INIT;
		int ret;

		if (!s->events[i].supported)
			continue;
		set_free(open_set(s, i, 1, pid, &ret, &alone));
		if (ret && !is_unsupported(ret)) {
			*err = alone;
			return ret;
		}
		if (!ret)
			continue;
		found = true;
		s->events[i].supported = false;
		s->events[i].why = alone;
	}
	for (uint32_t i = from; i < from + n && !found; i++) {
		s->events[i].why = *why;
		s->events[i].supported = false;
	}
	return 0;
}

static bool any_supported(const struct stat *s, uint32_t from, uint32_t n)
{
	for (uint32_t i = from; i < from + n; i++)
		if (s->events[i].supported)
			return true;
	return false;
}

static int open_group(struct stat *s, uint32_t from, uint32_t n, pid_t pid, struct ptui_error *err)
{
	struct ptui_error why;
	struct set *set;
	int ret;

	if (vec_grow(&s->sets, &s->cap_sets, s->n_sets + 1))
		return ptui_error_nomem(err);
	for (uint32_t i = from; i < from + n; i++)
		s->events[i].supported = s->list.v[i].kind != EVENT_TOOL;
	while (any_supported(s, from, n)) {
		why = (struct ptui_error)PTUI_ERROR_INIT;
		set = open_set(s, from, n, pid, &ret, &why);
		if (set) {
			s->sets[s->n_sets++] = set;
			return 0;
		}
		if (!is_unsupported(ret)) {
			*err = why;
			return ret;
		}
		ret = find_unsupported(s, from, n, pid, &why, err);
		if (ret)
			return ret;
	}
	return 0;
}

int stat_open(struct stat *s, pid_t pid, struct ptui_error *err)
{
	int ret = s->programs_loaded ?
			  0 :
			  bpf_load_events(&s->list, s->catalog, s->opts.add_probe, err);

	s->programs_loaded = !ret;
	for (uint32_t i = 0, n; i < s->list.n && !ret; i += n) {
		for (n = 1; i + n < s->list.n && s->list.v[i + n].leader == i; n++)
			;
		ret = open_group(s, i, n, pid, err);
		if (s->list.v[i].kind == EVENT_TOOL)
			s->events[i].supported = true;
	}
	s->opener = s->opts.alone ? gettid() : 0;
	if (!ret && stat_name_threads(s))
		ret = ptui_error_nomem(err);
	/* a process that exits while it is opened has no message yet */
	if (ret && !ptui_error_is_set(err))
		ptui_error_set(err, PTUI_ERROR_SYSTEM, -ret, NULL,
			       _("the process exited before it could be counted"));
	return ret;
}

int stat_start(struct stat *s)
{
	/* all of them or none: see stat_settle_event() */
	return s->n_sets && s->sets[0]->list.v[0].attr.enable_on_exec ? 0 : stat_enable(s);
}

/*
 * All counters by one system call: there may be thousands, and between the first and the last of as many
 * calls they count different times. False: it is not possible.
 */
static bool switch_at_once(struct stat *s, bool on)
{
	if (s->opener != gettid() || s->ops->switch_own(s->ops->ctx, on))
		return false;
	for (size_t i = 0; i < s->n_sets; i++)
		counters_note_switch(&s->sets[i]->counters, on);
	return true;
}

int stat_enable(struct stat *s)
{
	int ret = 0;

	/* tasks may create others meanwhile: see attach_enable() */
	if (!target_has_tasks(&s->target) && switch_at_once(s, true))
		return 0;
	for (size_t i = 0; i < s->n_sets && !ret; i++) {
		struct set *set = s->sets[i];

		ret = target_has_tasks(&s->target) ? attach_enable(&set->counters, &s->target) :
						     counters_enable(&set->counters);
	}
	return ret;
}

int stat_disable(struct stat *s)
{
	int ret = 0;

	if (switch_at_once(s, false))
		return 0;
	for (size_t i = 0; i < s->n_sets && !ret; i++)
		ret = counters_disable(&s->sets[i]->counters);
	return ret;
}

int stat_switch_event(struct stat *s, uint32_t event, bool on)
{
	for (size_t i = 0; i < s->n_sets; i++)
		for (uint32_t j = 0; j < s->sets[i]->list.n; j++)
			if (s->sets[i]->index[j] == event)
				counters_switch(&s->sets[i]->counters, j, on);
	return 0;
}

void stat_close_at_exit(struct stat *s)
{
	struct counters **all = calloc(s->n_sets + 1, sizeof(*all));

	for (size_t i = 0; all && i < s->n_sets; i++) {
		all[i] = &s->sets[i]->counters;
		s->sets[i]->open = false;
	}
	if (all)
		counters_release_all_in_child(all, s->n_sets);
	free(all);
	stat_close(s);
}

void stat_close(struct stat *s)
{
	for (size_t i = 0; i < s->n_sets; i++)
		set_free(s->sets[i]);
	s->n_sets = 0;
}
