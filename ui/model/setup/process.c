/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/setup/process.h"

#include <dirent.h>
#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/vec.h"
#include "text/i18n.h"
#include "text/words.h"

#define NAME_MAX_BYTES	  511
#define STAT_MAX_BYTES	  4096
#define CMDLINE_MAX_BYTES (4 << 20) /* the kernel's limit is below it */

void processes_release(struct processes *p)
{
	for (size_t i = 0; i < p->n; i++)
		free(p->v[i].name);
	free(p->v);
	*p = (struct processes){ .proc = p->proc };
}

/* ---- one process ---- */

/* The words separated by blanks; kernel threads by their comm. */
static char *read_name(const char *proc, pid_t pid, const char *comm)
{
	struct buf text = BUF_INIT;
	char *name;

	file_readf(&text, CMDLINE_MAX_BYTES, "%s/%d/cmdline", proc, (int)pid);
	while (text.len && !text.data[text.len - 1])
		text.len--;
	for (size_t i = 0; i < text.len; i++)
		text.data[i] = text.data[i] ? text.data[i] : ' ';
	if (text.len)
		name = strndup(text.data, text.len < NAME_MAX_BYTES ? text.len : NAME_MAX_BYTES);
	else if (asprintf(&name, "[%s]", comm) < 0)
		name = NULL;
	buf_release(&text);
	return name;
}

/*
 * proc_pid_stat(5): "PID (COMM) STATE …"; COMM may contain anything, so search for the last ).
 * After it the 3rd field begins: 14 and 15 are user and system ticks, 20 the threads, 22 the start
 * time.
 */
bool process_read(const char *proc, struct process *p)
{
	unsigned long long user, system, start;
	struct buf text = BUF_INIT;
	char *comm, *end;
	long threads;

	file_readf(&text, STAT_MAX_BYTES, "%s/%d/stat", proc, (int)p->pid);
	comm = text.len ? strchr(text.data, '(') : NULL;
	end = comm ? strrchr(comm, ')') : NULL;
	if (end && sscanf(end + 1,
			  " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu %*d %*d %*d "
			  "%*d %ld %*d %llu",
			  &user, &system, &threads, &start) == 4) {
		*end = '\0';
		p->cpu_ticks = user + system;
		p->threads = threads > 0 ? (unsigned)threads : 1;
		p->start = start;
		p->name = read_name(proc, p->pid, comm + 1);
	}
	buf_release(&text);
	return p->name;
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
	bool is = process_read(proc, &p) && p.start == start;

	free(p.name);
	return is;
}

/* ---- all of them ---- */

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
		struct process one = { .cpu_share = -1 };

		pid = strtol(entry->d_name, &end, 10);
		if (pid <= 0 || pid > INT32_MAX || *end)
			continue;
		one.pid = (pid_t)pid;
		ret = vec_grow(&p->v, &p->cap, p->n + 1) ? -ENOMEM : 0;
		if (!ret && process_read(p->proc, &one)) {
			read_user(p->proc, &one, p->v, p->n);
			p->v[p->n++] = one;
		}
	}
	if (!ret && errno)
		ret = -errno;
	closedir(dir);
	return ret;
}

#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

static int by_pid(const void *a, const void *b)
{
	return COMPARE(((const struct process *)a)->pid, ((const struct process *)b)->pid);
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
	const int time = COMPARE(y->cpu_ticks, x->cpu_ticks);
	const int recent = COMPARE(y->cpu_share, x->cpu_share);
	const int orders[PROCESS_ORDERS] = {
		[PROCESSES_BY_USER] = strcmp(x->user, y->user),
		[PROCESSES_BY_CPU] = recent ? recent : time,
		[PROCESSES_BY_TIME] = time,
		[PROCESSES_BY_THREADS] = COMPARE(y->threads, x->threads),
		[PROCESSES_BY_NAME] = strcmp(x->name, y->name),
	};
	int chosen = x->fits != y->fits ? y->fits - x->fits :
					  orders[*(const enum process_order *)order];

	return chosen ? chosen : by_pid(a, b);
}

void processes_scan(struct processes *fresh, uint64_t now_ns)
{
	int ret = read_folder(fresh);

	if (!ret)
		fresh->read_ns = now_ns;
	else if (ret == -ENOMEM)
		ptui_error_nomem(&fresh->failed);
	else
		ptui_error_errno(&fresh->failed, -ret, fresh->proc,
				 _("cannot list the processes in %s"), fresh->proc);
}

void processes_take(struct processes *p, struct processes *fresh)
{
	if (ptui_error_is_set(&fresh->failed)) {
		if (!p->read_ns)
			p->failed = fresh->failed;
		return;
	}
	if (p->n)
		qsort(p->v, p->n, sizeof(*p->v), by_pid);
	set_shares(fresh, p->v, p->n, (double)(fresh->read_ns - p->read_ns) / 1e9);
	processes_release(p);
	*p = *fresh;
	*fresh = (struct processes){ .proc = p->proc };
}

void processes_arrange(struct processes *p, enum process_order order, const char *search)
{
	char line[NAME_MAX_BYTES + 65];

	p->n_shown = 0;
	for (size_t i = 0; i < p->n; i++) {
		snprintf(line, sizeof(line), "%d %s %s", (int)p->v[i].pid, p->v[i].user,
			 p->v[i].name);
		p->v[i].fits = words_are_in(line, search);
		p->n_shown += p->v[i].fits;
	}
	if (p->n)
		qsort_r(p->v, p->n, sizeof(*p->v), by_order, &order);
}
