/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread that shows up in a later look at the list was born while we attached. Was its parent
 * attached then? If so it has inherited the counters, and opening them again would count it
 * twice. The sideband, which is opened first on every thread, tells by FORK records:
 *
 *	open(T1) sideband, samples | look into the rings | open(T2) ... | look | ...
 *	   T1 forks T3 here: T3 may   T1 is complete now;  T1 forks T4 here: T4 has
 *	   lack some: attach it                            inherited all: leave it
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "base/vec.h"
#include "record/target.h"

struct pid_list {
	pid_t *v;
	size_t n, cap;
};

static int pid_compare(const void *a, const void *b)
{
	pid_t x = *(const pid_t *)a, y = *(const pid_t *)b;

	return (x > y) - (x < y);
}

static int pid_list_add(struct pid_list *list, pid_t pid)
{
	if (vec_grow(&list->v, &list->cap, list->n + 1))
		return -ENOMEM;
	list->v[list->n++] = pid;
	return 0;
}

/* The entries of a folder of /proc that are numbers. */
static int list_numbers(const char *path, struct pid_list *list)
{
	struct dirent *entry;
	int ret = 0;
	char *end;
	long pid;
	DIR *dir;

	dir = opendir(path);
	if (!dir)
		return -errno;
	while (!ret && (errno = 0, entry = readdir(dir))) {
		pid = strtol(entry->d_name, &end, 10);
		if (pid > 0 && !*end)
			ret = pid_list_add(list, (pid_t)pid);
	}
	if (!ret && errno)
		ret = -errno;
	closedir(dir);
	if (!ret && list->n)
		qsort(list->v, list->n, sizeof(*list->v), pid_compare);
	return ret;
}

static int no_process(pid_t pid, struct ptui_error *err)
{
	char object[32];

	snprintf(object, sizeof(object), "%d", (int)pid);
	return ptui_error_set(err, PTUI_ERROR_SYSTEM, ESRCH, object, _("there is no process %d"),
			      (int)pid);
}

int target_threads(const struct roots *roots, pid_t pid, pid_t **ret_tids, size_t *ret_n,
		   struct ptui_error *err)
{
	struct pid_list list = { NULL, 0, 0 };
	struct buf path = BUF_INIT;
	char object[32];
	int ret;

	buf_addf(&path, "%s/%d/task", roots->proc, (int)pid);
	ret = path.err ? path.err : list_numbers(buf_str(&path), &list);
	buf_release(&path);
	if (!ret && !list.n)
		ret = -ESRCH;
	if (!ret) {
		*ret_tids = list.v;
		*ret_n = list.n;
		return 0;
	}
	free(list.v);
	if (ret == -ENOENT || ret == -ESRCH)
		return no_process(pid, err);
	snprintf(object, sizeof(object), "%d", (int)pid);
	return ptui_error_errno(err, -ret, object, _("cannot list the threads of process %d"),
				(int)pid);
}

int target_processes(const struct roots *roots, pid_t **ret_pids, size_t *ret_n,
		     struct ptui_error *err)
{
	struct pid_list list = { NULL, 0, 0 };
	int ret;

	ret = list_numbers(roots->proc, &list);
	if (ret) {
		free(list.v);
		return ptui_error_errno(err, -ret, roots->proc, _("cannot list the processes in %s"),
					roots->proc);
	}
	*ret_pids = list.v;
	*ret_n = list.n;
	return 0;
}

/* ---- attaching ---- */

struct attach {
	struct counters *c;
	struct pid_list done; /* sorted: threads with all counters, and those that are gone */
	uint64_t *seen;	      /* by ring: how far its records were looked at */
};

static bool is_done(const struct attach *a, pid_t tid)
{
	return a->done.n &&
	       bsearch(&tid, a->done.v, a->done.n, sizeof(*a->done.v), pid_compare);
}

static int add_done(struct attach *a, pid_t tid)
{
	size_t i;

	if (is_done(a, tid))
		return 0;
	if (pid_list_add(&a->done, tid))
		return -ENOMEM;
	for (i = a->done.n - 1; i && a->done.v[i - 1] > tid; i--)
		a->done.v[i] = a->done.v[i - 1];
	a->done.v[i] = tid;
	return 0;
}

/* FORK: u32 pid, ppid, tid, ptid. */
static int note_fork(struct attach *a, const struct ring *r, uint64_t at)
{
	uint64_t word = ring_u64(r, at, 16);
	uint32_t half[2];

	memcpy(half, &word, sizeof(half));
	return is_done(a, (pid_t)half[1]) ? add_done(a, (pid_t)half[0]) : 0;
}

/* Children of complete threads are complete. Nothing is consumed: the records are the file's. */
static int note_forks(struct attach *a)
{
	struct perf_event_header header;
	struct counter_ring *cr;
	struct iovec iov[2];
	struct ring_hop hop;
	uint64_t at;
	size_t i, bytes;
	int n, ret = 0;

	for (i = 0; i < a->c->n_rings && !ret; i++) {
		cr = &a->c->rings[i];
		bytes = ring_peek(&cr->ring, iov, &n);
		ring_hop_init(&hop, &cr->ring, bytes);
		if (a->seen[i] > hop.at)
			hop.at = a->seen[i];
		while (!ret && ring_hop_next(&hop, &header, &at))
			if (header.type == PERF_RECORD_FORK && header.size >= 24)
				ret = note_fork(a, &cr->ring, at);
		a->seen[i] = hop.at;
	}
	return ret;
}

/* One look at the list: how many of it were new, or a negative errno. */
static int attach_round(struct attach *a, pid_t pid, bool inherit, struct ptui_error *err)
{
	size_t i, n_tids;
	pid_t *tids;
	int ret, fresh = 0;

	ret = target_threads(&a->c->ops->roots, pid, &tids, &n_tids, err);
	if (ret)
		return ret;
	counters_expect(a->c, n_tids);
	for (i = 0; i < n_tids && ret >= 0; i++) {
		if (is_done(a, tids[i]))
			continue;
		ret = counters_open(a->c, tids[i], err);
		if (ret == -ESRCH)
			ret = 0;
		else if (!ret)
			fresh++;
		/* What was forked until now came before this thread was complete. */
		if (!ret && inherit)
			ret = note_forks(a);
		if (!ret)
			ret = add_done(a, tids[i]);
		if (ret == -ENOMEM)
			ptui_error_nomem(err);
	}
	free(tids);
	return ret < 0 ? ret : fresh;
}

int target_attach(struct counters *c, pid_t pid, bool inherit, struct ptui_error *err)
{
	struct attach a = { .c = c };
	struct ptui_error gone = PTUI_ERROR_INIT;
	size_t attached = 0;
	int ret;

	a.seen = calloc(c->n_cpus, sizeof(*a.seen));
	if (!a.seen)
		return ptui_error_nomem(err);
	do {
		/* Ended after we had some of it: that is an end, not a mistake. */
		ret = attach_round(&a, pid, inherit, attached ? &gone : err);
		if (ret == -ESRCH && attached)
			ret = 0;
		else if (ret < 0 && attached && err)
			*err = gone;
		if (ret > 0)
			attached += (size_t)ret;
	} while (ret > 0);
	if (!ret && !attached)
		ret = no_process(pid, err);
	free(a.done.v);
	free(a.seen);
	return ret;
}
