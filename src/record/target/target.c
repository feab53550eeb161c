/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <limits.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/i18n.h"
#include "kernel/cpus.h"
#include "record/target/target.h"

/* Removes duplicates: a task attached twice would be counted twice. */
static pid_t *copy_tasks(const pid_t *from, size_t n, size_t *ret_n)
{
	pid_t *v = calloc(n + 1, sizeof(*v));
	size_t j;

	for (size_t i = 0; v && i < n; i++) {
		for (j = 0; j < *ret_n && v[j] != from[i]; j++)
			;
		if (j == *ret_n)
			v[(*ret_n)++] = from[i];
	}
	return v;
}

/* ---- perf's rules ---- */

static bool has_pids(const struct target *w)
{
	return w->n_pids || w->n_tids;
}

static bool has_user(const struct target *w)
{
	return w->user;
}

static bool has_cpus(const struct target *w)
{
	return w->cpu_list;
}

static bool is_all(const struct target *w)
{
	return w->system_wide;
}

static bool is_per_thread(const struct target *w)
{
	return w->per_thread;
}

static bool is_by_cpu(const struct target *w)
{
	return w->system_wide || w->cpu_list;
}

static void drop_cpus(struct target *w)
{
	w->cpu_list = NULL;
}

static void drop_user(struct target *w)
{
	w->user = NULL;
}

static void drop_all(struct target *w)
{
	w->system_wide = false;
}

static void drop_per_thread(struct target *w)
{
	w->per_thread = false;
}

/* In this order: an overridden option overrides nothing itself. */
static const struct {
	bool (*strong)(const struct target *w);
	bool (*weak)(const struct target *w);
	void (*drop)(struct target *w);
	const char *conflict;
} rules[] = {
	{ has_pids, has_cpus, drop_cpus,
	  N_("-p and -t override -C: the tasks are recorded on every CPU") },
	{ has_pids, has_user, drop_user,
	  N_("-p and -t override -u: only these tasks are recorded") },
	{ has_user, has_cpus, drop_cpus,
	  N_("-u overrides -C: the user's tasks are recorded on every CPU") },
	{ has_pids, is_all, drop_all, N_("-p and -t override -a: only these tasks are recorded") },
	{ has_user, is_all, drop_all, N_("-u overrides -a: only the user's tasks are recorded") },
	{ is_by_cpu, is_per_thread, drop_per_thread,
	  N_("-a and -C override --per-thread: whole CPUs are recorded") },
};

int target_copy(struct target *w, const struct ptui_record_opts *from)
{
	bool only_tids;

	memset(w, 0, sizeof(*w));
	buf_init(&w->conflicts);
	w->system_wide = from->system_wide;
	w->per_thread = from->per_thread;
	w->pids = copy_tasks(from->pids, from->n_pids, &w->n_pids);
	w->tids = copy_tasks(from->tids, from->n_tids, &w->n_tids);
	w->user = from->user;
	w->cpu_list = from->cpus;
	if (!w->pids || !w->tids)
		return -ENOMEM;
	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++) {
		if (!rules[i].strong(w) || !rules[i].weak(w))
			continue;
		rules[i].drop(w);
		buf_addf(&w->conflicts, "%s\n", _(rules[i].conflict));
	}
	w->all = w->system_wide ||
		 (!w->cpu_list && !target_has_tasks(w) && (!from->argv || !from->argv[0]));
	w->system_wide = w->all || w->cpu_list;
	if (from->overflow_limit)
		w->per_thread = true; /* one counter per thread: its overflows are the thread's */
	if (w->system_wide)
		w->per_thread = false;
	/* -t means these threads only; and events on any CPU cannot be inherited into one ring. */
	only_tids = w->n_tids && !w->n_pids;
	w->inherit = !from->no_inherit && (!only_tids || from->inherit) && !w->per_thread &&
		     !from->overflow_limit;
	return w->conflicts.err;
}

void target_release(struct target *w)
{
	free(w->pids);
	free(w->tids);
	free(w->cpus);
	buf_release(&w->conflicts);
	memset(w, 0, sizeof(*w));
}

/* ---- lookup ---- */

/* A number needs no passwd entry: in containers many users have none. */
static int find_user(struct target *w, struct ptui_error *err)
{
	struct passwd entry, *found = NULL;
	char text[16384], *end;
	unsigned long long number;

	if (!getpwnam_r(w->user, &entry, text, sizeof(text), &found) && found) {
		w->uid = found->pw_uid;
		return 0;
	}
	errno = 0;
	number = strtoull(w->user, &end, 10);
	/* UINT32_MAX is not a user id: chown() takes it as "unchanged" */
	if (!errno && *w->user >= '0' && *w->user <= '9' && !*end && number < UINT32_MAX) {
		w->uid = (uid_t)number;
		return 0;
	}
	ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, w->user, _("no user '%s'"), w->user);
	ptui_error_hint(err, _("-u expects a user name or id, such as root or 1000"));
	return -EINVAL;
}

static int by_number(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;

	return (x > y) - (x < y);
}

static bool has_cpu(const int *cpus, size_t n, int cpu)
{
	return n && bsearch(&cpu, cpus, n, sizeof(*cpus), by_number);
}

static int absent_cpu_error(const struct kernel_ops *ops, int cpu, struct ptui_error *err)
{
	struct buf online = BUF_INIT;
	char object[32];
	bool known;

	snprintf(object, sizeof(object), "%d", cpu);
	known = !file_readf(&online, 65536, "%s/devices/system/cpu/cpu%d/online", ops->roots.sysfs,
			    cpu);
	if (known) {
		ptui_error_set(err, PTUI_ERROR_SYSTEM, ENODEV, object, _("CPU %d is offline"), cpu);
		ptui_error_hint(err, _("as root: echo 1 > %s/devices/system/cpu/cpu%d/online"),
				ops->roots.sysfs, cpu);
	} else {
		ptui_error_set(err, PTUI_ERROR_SYSTEM, ENODEV, object,
			       _("this machine has no CPU %d"), cpu);
	}
	buf_clear(&online);
	if (!file_readf(&online, 65536, "%s/devices/system/cpu/online", ops->roots.sysfs))
		ptui_error_hint(err, _("online CPUs: %.*s"), (int)strcspn(buf_str(&online), "\n"),
				buf_str(&online));
	buf_release(&online);
	return -ENODEV;
}

static int find_cpus(struct target *w, const struct kernel_ops *ops, struct ptui_error *err)
{
	int *online, ret;
	size_t n_online, kept = 0;

	ret = cpus_parse(w->cpu_list, &w->cpus, &w->n_cpus);
	if (ret == -ENOMEM)
		return ptui_error_nomem(err);
	if (ret)
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, w->cpu_list,
				      _("'%s' is not a CPU list, such as 0-3,8"), w->cpu_list);
	qsort(w->cpus, w->n_cpus, sizeof(*w->cpus), by_number);
	for (size_t i = 0; i < w->n_cpus; i++)
		if (!kept || w->cpus[kept - 1] != w->cpus[i])
			w->cpus[kept++] = w->cpus[i];
	w->n_cpus = kept;
	ret = cpus_online(&ops->roots, &online, &n_online, err);
	for (size_t i = 0; i < w->n_cpus && !ret; i++)
		if (!has_cpu(online, n_online, w->cpus[i]))
			ret = absent_cpu_error(ops, w->cpus[i], err);
	free(online);
	return ret;
}

void target_use_all_tasks(struct target *w)
{
	w->system_wide = w->all = false;
	w->user = _("all users");
	w->any_user = true;
}

int target_settle(struct target *w, const struct kernel_ops *ops, struct ptui_error *err)
{
	int ret = 0;

	if (w->user && !w->any_user)
		ret = find_user(w, err);
	if (!ret && w->cpu_list && !w->cpus)
		ret = find_cpus(w, ops, err);
	return ret;
}

bool target_tasks_live(const struct ptui_record_opts *opts)
{
	for (size_t i = 0; i < opts->n_pids; i++)
		if (!kill(opts->pids[i], 0) || errno == EPERM)
			return true;
	for (size_t i = 0; i < opts->n_tids; i++)
		if (!kill(opts->tids[i], 0) || errno == EPERM)
			return true;
	return !opts->n_pids && !opts->n_tids;
}

bool target_has_tasks(const struct target *w)
{
	return w->n_pids || w->n_tids || w->user;
}

bool target_owns(const struct target *w, const struct roots *roots, pid_t pid)
{
	struct buf text = BUF_INIT;
	bool owns = w->any_user;
	const char *at;
	char *effective;

	if (!owns && !file_readf(&text, 65536, "%s/%d/status", roots->proc, (int)pid)) {
		at = strstr(buf_str(&text), "\nUid:");
		if (at && strtoul(at + 5, &effective, 10) != ULONG_MAX)
			owns = strtoul(effective, NULL, 10) == w->uid;
	}
	buf_release(&text);
	return owns;
}
