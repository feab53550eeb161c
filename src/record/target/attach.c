/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread that appears in a later listing was created while ptui attached. If its parent was
 * attached by then, it has inherited the counters, and opening them again would count it twice.
 * FORK records of the sideband, which is opened first on every thread, decide:
 *
 *	open(T1) sideband, samples | scan the rings | open(T2) ... | scan | ...
 *	   T1 forks T3 here: T3 has    T1 is complete;  T1 forks T4 here: T4 has
 *	   some of them                                 inherited all: skip it
 *
 * Closing T1's counters also closes what T3 inherited of them. So they are opened again, until T1
 * forks nothing in between, and T3 is attached like any other thread.
 *
 * One thread may be missed: a clone under way at the very end, which inherited before the last
 * counter was open, and whose FORK record arrives after the last scan. It lacks some counters, or
 * is enabled late. No kernel interface reports this.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include "base/i18n.h"
#include "base/vec.h"
#include "ptui/log.h"
#include "record/target/attach.h"
#include "record/target/tasks.h"

#define REOPENS_MAX 32	   /* of a thread that keeps forking */
#define NAPS_MAX    50	   /* waiting for the FORK record of a thread that has not run yet */
#define NAP_NS	    200000 /* each */
#define ENABLES_MAX 32
#define CHASE_NS    2000000000ull /* limit for threads created faster than they are attached to */

struct pid_list {
	pid_t *v; /* sorted */
	size_t n, cap;
};

struct attach {
	struct counters *c;
	const struct target *w;
	struct pid_list done; /* threads with all counters, and exited ones */
	struct pid_list born; /* children of incomplete threads, incomplete themselves */
	uint64_t *seen;	      /* by ring: position up to which its records were scanned */
	size_t cap_seen;
	pid_t current; /* being opened */
	bool current_forked;
	uint64_t until_ns; /* when to give up on new threads; 0: not yet */
	bool gave_up;	   /* some are not attached to */
	bool again;	   /* the lists are read for the second time or later */
	size_t n_attached, n_refused;
	struct ptui_error refusal; /* by one of the user's processes */
};

static bool has_pid(const struct pid_list *list, pid_t pid)
{
	return list->n && bsearch(&pid, list->v, list->n, sizeof(*list->v), tasks_pid_compare);
}

static int add_pid(struct pid_list *list, pid_t pid)
{
	size_t i;

	if (has_pid(list, pid))
		return 0;
	if (vec_grow(&list->v, &list->cap, list->n + 1))
		return -ENOMEM;
	for (i = list->n++; i && list->v[i - 1] > pid; i--)
		list->v[i] = list->v[i - 1];
	list->v[i] = pid;
	return 0;
}

/* A single pass may take long on a busy machine, so each thread checks the time. */
static bool attach_is_late(struct attach *a)
{
	const struct kernel_ops *ops = a->c->ops;

	if (a->until_ns && ops->clock_ns(ops->ctx) >= a->until_ns)
		a->gave_up = true;
	return a->gave_up;
}

/* ---- FORK records ---- */

/* u32 pid, ppid, tid, ptid. */
static int note_fork(struct attach *a, const struct ring *r, uint64_t at)
{
	uint64_t word = ring_u64(r, at, 16);
	uint32_t half[2];

	memcpy(half, &word, sizeof(half));
	if (has_pid(&a->done, (pid_t)half[1]))
		return add_pid(&a->done, (pid_t)half[0]);
	if ((pid_t)half[1] == a->current)
		a->current_forked = true;
	return add_pid(&a->born, (pid_t)half[0]);
}

/* New rings have not been scanned. */
static int grow_seen(struct attach *a)
{
	size_t had = a->cap_seen;

	if (vec_grow(&a->seen, &a->cap_seen, a->c->n_rings))
		return -ENOMEM;
	if (a->cap_seen > had)
		memset(a->seen + had, 0, (a->cap_seen - had) * sizeof(*a->seen));
	return 0;
}

/* Rings of reopened counters are new. */
static void reset_reopened_rings(struct attach *a)
{
	const struct counters *c = a->c;

	for (size_t i = 0; i < c->n_rings; i++) {
		const struct counter *owner = &c->v[c->rings[i].watch];

		if (owner->tid == a->current && !c->events->v[owner->event].sideband)
			a->seen[i] = 0;
	}
}

/* Children of complete threads are complete. Consumes nothing: the records belong to the file. */
static int note_forks(struct attach *a)
{
	struct perf_event_header header;
	struct counter_ring *cr;
	struct iovec iov[2];
	struct ring_hop hop;
	uint64_t at;
	size_t bytes;
	int n, ret = 0;

	if (!a->w->inherit)
		return 0;
	if (grow_seen(a))
		return -ENOMEM;
	for (size_t i = 0; i < a->c->n_rings && !ret; i++) {
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

/* True if the thread has ever run, or this is unknown: its FORK record was written before. */
static bool has_run(const struct attach *a, pid_t tid)
{
	const char *proc = a->c->ops->roots.proc;
	unsigned long long slices = 1;
	struct buf text = BUF_INIT;

	/* nanoseconds on a CPU, nanoseconds waiting, number of time slices */
	if (!file_readf(&text, 256, "%s/%d/schedstat", proc, (int)tid))
		sscanf(buf_str(&text), "%*u %*u %llu", &slices);
	buf_release(&text);
	return slices > 0;
}

/*
 * A thread is visible in /proc shortly before its FORK record is written. Wait for the record, or
 * the thread would be opened in addition to what it inherited.
 */
static int await_fork(struct attach *a, pid_t tid)
{
	const struct timespec nap = { .tv_nsec = NAP_NS };
	int ret, naps = 0;

	for (;;) {
		bool ran = has_run(a, tid);

		ret = note_forks(a);
		if (ret || ran || naps++ == NAPS_MAX || attach_is_late(a) ||
		    has_pid(&a->done, tid) || has_pid(&a->born, tid))
			return ret;
		nanosleep(&nap, NULL);
	}
}

/* ---- threads ---- */

/* 0, or -ESRCH without err if the thread has exited. */
static int open_thread(struct attach *a, pid_t tid, struct ptui_error *err)
{
	int ret;

	a->current = tid;
	a->current_forked = false;
	ret = counters_open(a->c, tid, err);
	if (!ret)
		ret = note_forks(a);
	for (int tries = 0; !ret && a->current_forked && tries < REOPENS_MAX; tries++) {
		a->current_forked = false;
		ret = counters_reopen(a->c, tid, err);
		if (!ret) {
			reset_reopened_rings(a);
			ret = note_forks(a);
		}
	}
	if (!ret && a->current_forked)
		ptui_log(PTUI_LOG_DEBUG, "record",
			 "thread %d forks faster than it can be attached to", (int)tid);
	a->current = 0;
	return ret;
}

/* Returns 1 if the thread is attached now, 0 if it has exited or has inherited the counters. */
static int attach_thread(struct attach *a, pid_t tid, struct ptui_error *err)
{
	int ret = 0;

	if (a->again && a->w->inherit)
		ret = await_fork(a, tid);
	if (ret || has_pid(&a->done, tid))
		goto out;
	ret = open_thread(a, tid, err);
	if (ret && ret != -ESRCH && ret != -ENOMEM)
		return ret;
	if (!ret)
		a->n_attached++;
	if (ret != -ENOMEM && add_pid(&a->done, tid))
		ret = -ENOMEM;
	if (!ret)
		return 1;
out:
	if (ret == -ENOMEM)
		ptui_error_nomem(err);
	return ret == -ESRCH ? 0 : ret;
}

static int no_thread(pid_t tid, struct ptui_error *err)
{
	char object[32];

	snprintf(object, sizeof(object), "%d", (int)tid);
	return ptui_error_set(err, PTUI_ERROR_SYSTEM, ESRCH, object, _("no thread %d"), (int)tid);
}

/* ---- one pass over the lists: returns the number of new threads, or a negative errno ---- */

/* exited after some counters were opened: not an error */
static int attach_process(struct attach *a, pid_t pid, struct ptui_error *err)
{
	size_t n_tids;
	pid_t *tids;
	int ret, fresh = 0;

	ret = tasks_threads(&a->c->ops->roots, pid, &tids, &n_tids, err);
	if (ret)
		return a->again && ret == -ESRCH ? 0 : ret;
	counters_expect(a->c, n_tids);
	for (size_t i = 0; i < n_tids && ret >= 0; i++) {
		if (has_pid(&a->done, tids[i]))
			continue;
		if (attach_is_late(a))
			break;
		ret = attach_thread(a, tids[i], err);
		if (ret > 0)
			fresh++;
	}
	free(tids);
	return ret < 0 ? ret : fresh;
}

static int attach_pids(struct attach *a, struct ptui_error *err)
{
	int ret, fresh = 0;

	for (size_t i = 0; i < a->w->n_pids; i++) {
		ret = attach_process(a, a->w->pids[i], err);
		if (ret < 0)
			return ret;
		fresh += ret;
	}
	return fresh;
}

static int attach_tids(struct attach *a, struct ptui_error *err)
{
	int ret, fresh = 0;

	for (size_t i = 0; i < a->w->n_tids && !a->again; i++) {
		if (has_pid(&a->done, a->w->tids[i])) /* of a process that is recorded, too */
			continue;
		counters_expect(a->c, a->w->n_tids - i);
		ret = attach_thread(a, a->w->tids[i], err);
		if (!ret)
			ret = no_thread(a->w->tids[i], err);
		if (ret < 0)
			return ret;
		fresh += ret;
	}
	/* their children, if they were created too early to inherit everything */
	for (size_t i = 0; i < a->born.n && a->w->n_tids; i++) {
		if (has_pid(&a->done, a->born.v[i]))
			continue;
		if (attach_is_late(a))
			break;
		ret = attach_thread(a, a->born.v[i], err);
		if (ret < 0)
			return ret;
		fresh += ret;
	}
	return fresh;
}

static bool is_forbidden(int ret)
{
	return ret == -EACCES || ret == -EPERM;
}

/* A process may have exited, or ptui may have no right to it. */
static int attach_user(struct attach *a, struct ptui_error *err)
{
	const struct roots *roots = &a->c->ops->roots;
	struct ptui_error why = PTUI_ERROR_INIT;
	int ret, fresh = 0;
	pid_t *pids;
	size_t n;

	if (!a->w->user)
		return 0;
	ret = tasks_processes(roots, &pids, &n, err);
	if (ret)
		return ret;
	a->n_refused = 0;
	for (size_t i = 0; i < n && ret >= 0; i++) {
		if (!target_owns(a->w, roots, pids[i]))
			continue;
		ret = attach_process(a, pids[i], &why);
		if (ret > 0)
			fresh += ret;
		if (is_forbidden(ret)) {
			a->n_refused++;
			a->refusal = why;
			ret = 0;
		}
		if (ret == -ESRCH)
			ret = 0;
	}
	free(pids);
	if (ret < 0)
		*err = why;
	return ret < 0 ? ret : fresh;
}

static int attach_round(struct attach *a, struct ptui_error *err)
{
	static int (*const kinds[])(struct attach * a, struct ptui_error * err) = {
		attach_pids,
		attach_tids,
		attach_user,
	};
	int ret, fresh = 0;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		ret = kinds[i](a, err);
		if (ret < 0)
			return ret;
		fresh += ret;
	}
	return fresh;
}

static int no_task(const struct attach *a, struct ptui_error *err)
{
	char object[32];
	pid_t pid;

	if (a->n_refused) {
		*err = a->refusal;
		return -err->code;
	}
	if (a->w->user)
		return ptui_error_set(err, PTUI_ERROR_SYSTEM, ESRCH, a->w->user,
				      _("user %s has no processes"), a->w->user);
	pid = a->w->n_pids ? a->w->pids[0] : a->w->tids[0];
	snprintf(object, sizeof(object), "%d", (int)pid);
	return ptui_error_set(err, PTUI_ERROR_SYSTEM, ESRCH, object, _("no process %d"), (int)pid);
}

/*
 * Repeats until no new thread appears. To overtake a chain of threads that each create the next
 * takes a higher priority on a busy machine; the time limit makes sure that the recording begins.
 */
static int attach_until_none_new(struct attach *a, struct ptui_error *err)
{
	const struct kernel_ops *ops = a->c->ops;
	int nice_before = getpriority(PRIO_PROCESS, 0), ret;

	/* of this thread only; continue if not permitted */
	setpriority(PRIO_PROCESS, 0, -20);
	a->again = true;
	a->until_ns = ops->clock_ns(ops->ctx) + CHASE_NS;
	do {
		ret = attach_round(a, err);
	} while (ret > 0 && !attach_is_late(a));
	setpriority(PRIO_PROCESS, 0, nice_before);
	if (ret >= 0 && a->gave_up)
		ptui_log(PTUI_LOG_WARN, "record",
			 _("threads are created faster than ptui can attach to them: some are not "
			   "recorded"));
	return ret;
}

int attach_tasks(struct counters *c, const struct target *w, struct ptui_error *err)
{
	struct attach a = { .c = c, .w = w };
	struct ptui_error why = PTUI_ERROR_INIT;
	int ret = attach_round(&a, &why);

	if (ret > 0 && (c->ring_bytes || !w->inherit))
		ret = attach_until_none_new(&a, &why);
	if (ret > 0)
		ret = 0;
	if (!ret && !a.n_attached)
		ret = no_task(&a, &why);
	if (ret && err)
		*err = why;
	if (!ret && a.n_refused)
		ptui_log(PTUI_LOG_WARN, "record", _("skipping %zu processes of %s: %s"),
			 a.n_refused, w->user, a.refusal.text);
	free(a.done.v);
	free(a.born.v);
	free(a.seen);
	return ret;
}

int attach_pid(struct counters *c, pid_t pid, bool inherit, struct ptui_error *err)
{
	const struct target w = { .pids = &pid, .n_pids = 1, .inherit = inherit };

	return attach_tasks(c, &w, err);
}

/* ---- enabling ---- */

/* All threads of the targets, in a fixed order. */
static int list_threads(const struct roots *roots, const struct target *w, struct pid_list *list)
{
	size_t n_pids = w->n_pids, n;
	pid_t *pids = w->pids, *tids;
	int ret = 0;

	list->n = 0;
	if (w->user && tasks_processes(roots, &pids, &n_pids, NULL))
		return 0;
	for (size_t i = 0; i < n_pids && !ret; i++) {
		if ((w->user && !target_owns(w, roots, pids[i])) ||
		    tasks_threads(roots, pids[i], &tids, &n, NULL))
			continue;
		for (size_t j = 0; j < n && !ret; j++)
			ret = add_pid(list, tids[j]);
		free(tids);
	}
	if (w->user)
		free(pids);
	return ret;
}

static bool has_new(const struct pid_list *before, const struct pid_list *after)
{
	for (size_t i = 0; i < after->n; i++)
		if (!has_pid(before, after->v[i]))
			return true;
	return false;
}

/*
 * fork() checks whether a counter is enabled, creates the child's counter, and links it to the
 * parent's. An enable in between misses the child if the parent is an inherited counter itself. The
 * listing shows such children, and the next enable reaches them.
 */
int attach_enable(struct counters *c, const struct target *w)
{
	struct pid_list lists[2] = { { NULL, 0, 0 }, { NULL, 0, 0 } };
	const struct roots *roots = &c->ops->roots;
	int ret, now = 0, tries = 0;

	ret = w->inherit ? list_threads(roots, w, &lists[now]) : 0;
	do {
		if (!ret)
			ret = counters_enable(c);
		now = !now;
		if (!ret && w->inherit)
			ret = list_threads(roots, w, &lists[now]);
	} while (!ret && ++tries < ENABLES_MAX && has_new(&lists[!now], &lists[now]));
	free(lists[0].v);
	free(lists[1].v);
	return ret;
}
