/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The counter set: create, describe, release. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/i18n.h"
#include "base/thread.h"
#include "event/attr_text.h"
#include "kernel/counters.h"
#include "kernel/counters_private.h"
#include "kernel/cpus.h"
#include "kernel/diagnose.h"
#include "ptui/log.h"

#define FDS_OF_OUR_OWN 32 /* files, pipes and libraries besides the counters */

/* Of several sets one may take the last file that the limit allows. */
static int counters_read_cpus(struct counters *c, struct ptui_error *err)
{
	struct ptui_error why = PTUI_ERROR_INIT;
	int ret;

	c->expected = FDS_OF_OUR_OWN;
	do {
		ret = cpus_online(&c->ops->roots, &c->cpus, &c->n_cpus, &why);
	} while (ret == -EMFILE && !counters_raise_fd_limit(c));
	if (ret && err)
		*err = why;
	return ret;
}

int counters_init(struct counters *c, const struct kernel_ops *ops, struct event_list *events,
		  size_t ring_bytes, struct ptui_error *err)
{
	int ret;

	memset(c, 0, sizeof(*c));
	buf_init(&c->changes);
	c->ops = ops;
	c->events = events;
	c->ring_bytes = ring_bytes;
	c->ring_bytes_wanted = ring_bytes;
	c->bad_filter = PTUI_NONE;
	ret = counters_read_cpus(c, err);
	if (ret)
		return ret;
	c->group_fds = calloc(c->n_cpus * (events->n ? events->n : 1), sizeof(*c->group_fds));
	if (!c->group_fds) {
		counters_release(c);
		return ptui_error_nomem(err);
	}
	counters_expect(c, 1);
	return 0;
}

int counters_use_cpus(struct counters *c, const int *cpus, size_t n)
{
	size_t cells = n * (c->events->n ? c->events->n : 1);
	int *copy = calloc(n, sizeof(*copy)), *fds = calloc(cells, sizeof(*fds));

	if (!copy || !fds) {
		free(copy);
		free(fds);
		return -ENOMEM;
	}
	memcpy(copy, cpus, n * sizeof(*copy));
	free(c->cpus);
	free(c->group_fds);
	c->cpus = copy;
	c->n_cpus = n;
	c->group_fds = fds;
	counters_expect(c, 1);
	return 0;
}

int counters_measure_cpus(struct counters *c, const int *cpus, size_t n)
{
	c->measured = calloc(n, sizeof(*c->measured));
	if (!c->measured)
		return -ENOMEM;
	memcpy(c->measured, cpus, n * sizeof(*cpus));
	c->n_measured = n;
	return 0;
}

void counters_follow_tasks(struct counters *c)
{
	c->cpus[0] = -1; /* at least one CPU */
	c->n_cpus = 1;
	c->per_thread = true;
	counters_expect(c, 1);
}

void counters_close_all(struct counters *c)
{
	for (size_t i = 0; i < c->n_rings; i++)
		counters_unmap_ring(c, &c->rings[i]);
	for (size_t i = 0; i < c->n; i++)
		c->ops->close(c->ops->ctx, c->v[i].fd);
	c->n_rings = c->n = 0;
}

void counters_release(struct counters *c)
{
	counters_close_all(c);
	if (c->fd_limit_raised)
		c->ops->set_rlimit(c->ops->ctx, RLIMIT_NOFILE, &c->fd_limit_before);
	free(c->measured);
	free(c->cpus);
	free(c->rings);
	free(c->group_fds);
	free(c->v);
	buf_release(&c->changes);
	memset(c, 0, sizeof(*c));
}

#define SLOW_TO_CLOSE 16
#define MANY_TO_CLOSE 256
#define SLOW_TO_END   1 /* the user waits for the program to exit, not for a view to close */

static bool is_slow_to_close(const struct counters *c, size_t slow)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n && n < slow; i++)
		n += c->events->v[c->v[i].event].kind == EVENT_TRACEPOINT;
	return n == slow || c->n >= MANY_TO_CLOSE;
}

/*
 * The child keeps only the counters open, so that it does not hold pipes or locks of the parent;
 * they are closed when it exits. The last one to close a counter waits for the kernel: that is not
 * the parent, since the child exits when the parent has closed its end of the pipe.
 */
static _Noreturn void close_by_ending(const bool *is_counter, int n_fds, const int closed[2])
{
	char byte;

	close(closed[1]);
	for (int fd = 0; fd < n_fds; fd++)
		if (!is_counter[fd] && fd != closed[0])
			close(fd);
	while (read(closed[0], &byte, 1) < 0 && errno == EINTR)
		;
	_exit(0);
}

static int highest_fd(void)
{
	struct dirent *item;
	DIR *dir = opendir("/proc/self/fd");
	int fd, highest = -1;

	while (dir && (item = readdir(dir))) {
		fd = atoi(item->d_name);
		if (fd > highest)
			highest = fd;
	}
	if (dir)
		closedir(dir);
	return highest;
}

/* In a child, if they are slow to close; its pid, or -1: there is none. */
static pid_t release_all(struct counters *const *sets, size_t n, bool slow)
{
	bool *is_counter = NULL;
	pid_t child = -1;
	int n_fds = 0, closed[2] = { -1, -1 };

	if (slow && !pipe2(closed, O_CLOEXEC))
		n_fds = highest_fd() + 1;
	if (n_fds)
		is_counter = calloc((size_t)n_fds, sizeof(*is_counter));
	for (size_t i = 0; is_counter && i < n; i++)
		for (size_t j = 0; j < sets[i]->n; j++)
			if (sets[i]->v[j].fd < n_fds)
				is_counter[sets[i]->v[j].fd] = true;
	if (is_counter)
		child = fork();
	if (!child)
		close_by_ending(is_counter, n_fds, closed);
	free(is_counter);
	for (size_t i = 0; i < n; i++)
		counters_release(sets[i]);
	for (size_t i = 0; i < 2; i++)
		if (closed[i] >= 0)
			close(closed[i]);
	return child;
}

void counters_release_all_in_child(struct counters *const *sets, size_t n)
{
	bool slow = false;

	for (size_t i = 0; i < n && !slow; i++)
		slow = is_slow_to_close(sets[i], SLOW_TO_END);
	(void)release_all(sets, n, slow);
}

void counters_release_in_child(struct counters *c)
{
	counters_release_all_in_child(&c, 1);
}

/*
 * A child closes them, so that a program that ends before that does not wait either. The events may be freed by now.
 */
static void *release_main(void *arg)
{
	struct counters *const c = arg;
	pid_t child = release_all(&c, 1, true);

	free(c);
	while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
		;
	return NULL;
}

void counters_release_aside(struct counters *c)
{
	struct counters *taken = is_slow_to_close(c, SLOW_TO_CLOSE) ? malloc(sizeof(*taken)) : NULL;

	if (taken) {
		/* raise the limit at once: it is per process */
		if (c->fd_limit_raised)
			c->ops->set_rlimit(c->ops->ctx, RLIMIT_NOFILE, &c->fd_limit_before);
		c->fd_limit_raised = false;
		*taken = *c;
		if (thread_start(NULL, release_main, taken))
			free(taken);
		else
			memset(c, 0, sizeof(*c));
	}
	counters_release(c);
}

size_t counters_default_ring_bytes(const struct kernel_ops *ops)
{
	long kb = diagnose_mlock_kb(ops);
	size_t granted, bytes = ops->page_bytes;

	/* What the kernel grants includes the control page. */
	if (kb < 0 || (size_t)kb * 1024 <= 2 * ops->page_bytes)
		return bytes;
	granted = (size_t)kb * 1024 - ops->page_bytes;
	while (bytes * 2 <= granted)
		bytes *= 2;
	return bytes;
}

void counters_expect(struct counters *c, size_t n_threads)
{
	size_t events = c->events->n + c->n_other_events;

	c->expected = c->n + n_threads * c->n_cpus * events + FDS_OF_OUR_OWN;
}

/* Logs the opened events and rings. */
static void log_events(const struct counters *c)
{
	struct buf text = BUF_INIT;

	for (uint32_t i = 0; i < c->events->n; i++) {
		const struct perf_event_attr *a = &c->events->v[i].attr;

		if (c->events->v[i].sideband)
			continue;
		ptui_log(
			PTUI_LOG_INFO, "kernel",
			a->freq ?
				_("%s: type %u, config 0x%llx, %llu times a second, %zu counters") :
				_("%s: type %u, config 0x%llx, every %llu, %zu counters"),
			c->events->v[i].name, a->type, (unsigned long long)a->config,
			(unsigned long long)a->sample_period, counters_ids(c, i, NULL, 0));
		buf_clear(&text);
		attr_text(&text, &c->events->v[i]);
		if (text.len && !text.err)
			ptui_log(PTUI_LOG_INFO, "kernel", "%.*s", (int)text.len - 1,
				 buf_str(&text));
	}
	buf_release(&text);
	ptui_log(PTUI_LOG_INFO, "kernel", _("%zu ring buffers of %zu KiB"), c->n_rings,
		 c->ring_bytes / 1024);
	if (c->aux_bytes)
		ptui_log(PTUI_LOG_INFO, "kernel", _("AUX areas of %zu KiB"), c->aux_bytes / 1024);
}

void counters_log(struct counters *c)
{
	const char *line = buf_str(&c->changes);
	struct rlimit limit = { 0, 0 };
	size_t n;

	for (; *line; line += n + 1) {
		n = strcspn(line, "\n");
		ptui_log(PTUI_LOG_WARN, "kernel", "%.*s", (int)n, line);
	}
	buf_clear(&c->changes);
	c->ops->get_rlimit(c->ops->ctx, RLIMIT_MEMLOCK, &limit);
	if (c->ring_bytes != c->ring_bytes_wanted)
		ptui_log(
			PTUI_LOG_WARN, "kernel",
			_("ring buffers have %zu KiB instead of %zu: kernel.perf_event_mlock_kb is %ld, the locked-memory limit (ulimit -l) %llu KiB"),
			c->ring_bytes / 1024, c->ring_bytes_wanted / 1024,
			diagnose_mlock_kb(c->ops), (unsigned long long)limit.rlim_cur / 1024);
	log_events(c);
}
