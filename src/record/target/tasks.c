/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "base/vec.h"
#include "record/target/tasks.h"

#define CHILDREN_MAX_BYTES 4096

struct pid_list {
	pid_t *v;
	size_t n, cap;
};

int tasks_pid_compare(const void *a, const void *b)
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

/* The numeric entries of a directory in /proc. */
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
		qsort(list->v, list->n, sizeof(*list->v), tasks_pid_compare);
	return ret;
}

static int no_process(pid_t pid, struct ptui_error *err)
{
	char object[32];

	snprintf(object, sizeof(object), "%d", (int)pid);
	return ptui_error_set(err, PTUI_ERROR_SYSTEM, ESRCH, object, _("no process %d"), (int)pid);
}

int tasks_threads(const struct roots *roots, pid_t pid, pid_t **ret_tids, size_t *ret_n,
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

pid_t tasks_leader(const struct roots *roots, pid_t tid)
{
	struct buf text = BUF_INIT;
	const char *at;
	pid_t ret = 0;

	if (!file_readf(&text, 65536, "%s/%d/status", roots->proc, (int)tid)) {
		at = strstr(buf_str(&text), "\nTgid:");
		if (at)
			ret = (pid_t)strtol(at + 6, NULL, 10);
	}
	buf_release(&text);
	return ret;
}

int tasks_processes(const struct roots *roots, pid_t **ret_pids, size_t *ret_n,
		    struct ptui_error *err)
{
	struct pid_list list = { NULL, 0, 0 };
	int ret = list_numbers(roots->proc, &list);

	if (ret) {
		free(list.v);
		return ptui_error_errno(err, -ret, roots->proc,
					_("cannot list the processes in %s"), roots->proc);
	}
	*ret_pids = list.v;
	*ret_n = list.n;
	return 0;
}

void tasks_children(const struct roots *roots, pid_t pid, struct buf *ret)
{
	char *at;

	if (file_readf(ret, CHILDREN_MAX_BYTES, "%s/%d/task/%d/children", roots->proc, (int)pid,
		       (int)pid) ||
	    ret->len < 2) {
		ret->len = 0;
		return;
	}
	ret->data[--ret->len] = '\0'; /* a space follows each */
	for (at = ret->data; (at = strchr(at, ' '));)
		*at = ',';
}
