/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/setup/process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/vec.h"
#include "text/i18n.h"
#include "text/words.h"

#define NAME_MAX_BYTES 512

void processes_release(struct processes *p)
{
	for (size_t i = 0; i < p->n; i++)
		free(p->v[i].name);
	free(p->v);
	*p = (struct processes){ .proc = p->proc };
}

/* ---- one process ---- */

/* At most size - 1 bytes, and a NUL. Returns the bytes read or a negative errno. */
static ssize_t read_small(const char *proc, pid_t pid, const char *file, char *buf, size_t size)
{
	char path[512];
	ssize_t got;
	int fd;

	if ((size_t)snprintf(path, sizeof(path), "%s/%d/%s", proc, (int)pid, file) >= sizeof(path))
		return -ENAMETOOLONG;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	got = read(fd, buf, size - 1);
	if (got < 0)
		got = -errno;
	close(fd);
	buf[got > 0 ? got : 0] = '\0';
	return got;
}

/*
 * proc_pid_stat(5): "PID (COMM) STATE …"; COMM may contain anything, so search for the last ).
 * After it the 3rd field begins: 14 and 15 are user and system ticks, 20 the threads, 22 the start
 * time.
 */
static bool read_stat(const char *proc, struct process *p, char comm[64])
{
	unsigned long long user, system, start;
	char text[1024], *open, *close;
	long threads;

	if (read_small(proc, p->pid, "stat", text, sizeof(text)) <= 0)
		return false;
	open = strchr(text, '(');
	close = strrchr(text, ')');
	if (!open || !close || close < open)
		return false;
	*close = '\0';
	if (sscanf(close + 1,
		   " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu %*d %*d %*d "
		   "%*d %ld %*d %llu",
		   &user, &system, &threads, &start) != 4)
		return false;
	snprintf(comm, 64, "%s", open + 1);
	p->cpu_ticks = user + system;
	p->threads = threads > 0 ? (unsigned)threads : 1;
	p->start = start;
	return true;
}

/* The words separated by blanks; kernel threads by their comm. */
static char *read_name(const char *proc, pid_t pid, const char *comm)
{
	char text[NAME_MAX_BYTES], *name;
	ssize_t i, n = read_small(proc, pid, "cmdline", text, sizeof(text));

	while (n > 0 && !text[n - 1])
		n--;
	if (n <= 0)
		return asprintf(&name, "[%s]", comm) < 0 ? NULL : name;
	for (i = 0; i < n; i++)
		if (!text[i])
			text[i] = ' ';
	return strdup(text);
}

static void read_user(const char *proc, struct process *p, const struct process *others, size_t n)
{
	struct passwd entry, *pw = NULL;
	char path[512], strings[2048];
	struct stat st;

	snprintf(path, sizeof(path), "%s/%d", proc, (int)p->pid);
	if (stat(path, &st))
		return;
	p->uid = st.st_uid;
	for (size_t i = n; i-- > 0;) {
		if (others[i].uid == p->uid && *others[i].user) {
			memcpy(p->user, others[i].user, sizeof(p->user));
			return;
		}
	}
	if (!getpwuid_r(p->uid, &entry, strings, sizeof(strings), &pw) && pw)
		snprintf(p->user, sizeof(p->user), "%s", pw->pw_name);
	else
		snprintf(p->user, sizeof(p->user), "%u", (unsigned)p->uid);
}

bool process_is(const char *proc, pid_t pid, uint64_t start)
{
	struct process p = { .pid = pid };
	char comm[64];

	return read_stat(proc, &p, comm) && p.start == start;
}

bool process_identify(const char *proc, pid_t pid, uint64_t *ret_start, char **ret_name)
{
	struct process p = { .pid = pid };
	char comm[64];

	if (!read_stat(proc, &p, comm))
		return false;
	*ret_start = p.start;
	*ret_name = read_name(proc, pid, comm);
	return *ret_name;
}

/* ---- all of them ---- */

static int add_process(struct processes *p, pid_t pid)
{
	struct process one = { .pid = pid, .cpu_share = -1 };
	char comm[64];

	if (!read_stat(p->proc, &one, comm))
		return 0; /* exited */
	if (vec_grow(&p->v, &p->cap, p->n + 1))
		return -ENOMEM;
	read_user(p->proc, &one, p->v, p->n);
	one.name = read_name(p->proc, pid, comm);
	if (!one.name)
		return -ENOMEM;
	p->v[p->n++] = one;
	return 0;
}

static int read_folder(struct processes *p)
{
	DIR *dir = opendir(p->proc);
	struct dirent *entry;
	int ret = 0;
	char *end;
	long pid;

	if (!dir)
		return -errno;
	while (!ret && (errno = 0, entry = readdir(dir))) {
		pid = strtol(entry->d_name, &end, 10);
		if (pid > 0 && pid <= INT32_MAX && !*end)
			ret = add_process(p, (pid_t)pid);
	}
	if (!ret && errno)
		ret = -errno;
	closedir(dir);
	return ret;
}

static int by_pid(const void *a, const void *b)
{
	const struct process *x = a, *y = b;

	return (x->pid > y->pid) - (x->pid < y->pid);
}

/* `old` must be sorted by pid. */
static void set_shares(struct processes *p, const struct process *old, size_t n_old, double seconds)
{
	long per_second = sysconf(_SC_CLK_TCK);

	for (size_t i = 0; i < p->n && n_old && seconds > 0 && per_second > 0; i++) {
		struct process *now = &p->v[i];
		const struct process *before = bsearch(now, old, n_old, sizeof(*old), by_pid);

		if (before && before->start == now->start && now->cpu_ticks >= before->cpu_ticks)
			now->cpu_share = (double)(now->cpu_ticks - before->cpu_ticks) /
					 (double)per_second / seconds;
	}
}

/* Hidden ones last; numbers from the highest, texts from A; if equal, by pid. */
static int by_order(const void *a, const void *b, void *order)
{
	const struct process *x = a, *y = b;
	int ret = 0;

	if (x->fits != y->fits)
		return x->fits ? -1 : 1;
	switch (*(const enum process_order *)order) {
	case PROCESSES_BY_CPU:
		ret = (x->cpu_share < y->cpu_share) - (x->cpu_share > y->cpu_share);
		if (ret)
			break;
		/* fall through */
	case PROCESSES_BY_TIME:
		ret = (x->cpu_ticks < y->cpu_ticks) - (x->cpu_ticks > y->cpu_ticks);
		break;
	case PROCESSES_BY_THREADS:
		ret = (x->threads < y->threads) - (x->threads > y->threads);
		break;
	case PROCESSES_BY_USER:
		ret = strcmp(x->user, y->user);
		break;
	case PROCESSES_BY_NAME:
		ret = strcmp(x->name, y->name);
		break;
	case PROCESSES_BY_PID:
	case PROCESS_ORDERS:
		break;
	}
	return ret ? ret : by_pid(a, b);
}

void processes_sort(struct processes *p, enum process_order order)
{
	p->order = order;
	processes_search(p, p->search);
}

int processes_scan(struct processes *fresh, uint64_t now_ns, struct ptui_error *err)
{
	int ret = read_folder(fresh);

	if (ret == -ENOMEM)
		return ptui_error_nomem(err);
	if (ret)
		return ptui_error_errno(err, -ret, fresh->proc,
					_("cannot list the processes in %s"), fresh->proc);
	fresh->read_ns = now_ns;
	return 0;
}

void processes_take(struct processes *p, struct processes *fresh)
{
	if (p->n)
		qsort(p->v, p->n, sizeof(*p->v), by_pid);
	set_shares(fresh, p->v, p->n, (double)(fresh->read_ns - p->read_ns) / 1e9);
	memcpy(fresh->search, p->search, sizeof(p->search));
	processes_sort(fresh, p->order);
	processes_release(p);
	*p = *fresh;
	*fresh = (struct processes){ .proc = p->proc };
}

/* ---- searching ---- */

void processes_search(struct processes *p, const char *text)
{
	char line[NAME_MAX_BYTES + 64];

	if (text != p->search)
		snprintf(p->search, sizeof(p->search), "%s", text);
	p->n_shown = 0;
	for (size_t i = 0; i < p->n; i++) {
		snprintf(line, sizeof(line), "%d %s %s", (int)p->v[i].pid, p->v[i].user,
			 p->v[i].name);
		p->v[i].fits = words_are_in(line, p->search);
		p->n_shown += p->v[i].fits;
	}
	if (p->n)
		qsort_r(p->v, p->n, sizeof(*p->v), by_order, &p->order);
}

const struct process *processes_get(const struct processes *p, size_t i)
{
	return i < p->n_shown ? &p->v[i] : NULL;
}

size_t processes_find(const struct processes *p, pid_t pid)
{
	for (size_t i = 0; i < p->n_shown; i++)
		if (p->v[i].pid == pid)
			return i;
	return SIZE_MAX;
}
