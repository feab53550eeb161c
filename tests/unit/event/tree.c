/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit/event/tree.h"
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const struct tree_event tree_events[] = {
	{ "9p", "9p_client_req", 10 },	       { "ftrace", "bprint", -1 },
	{ "ftrace", "function", 1 },	       { "irq", "irq_handler_entry", 20 },
	{ "irq", "irq_handler_exit", 21 },     { "probe", "my_open", 30 },
	{ "raw_syscalls", "sys_enter", 40 },   { "raw_syscalls", "sys_exit", 41 },
	{ "sched", "sched_process_fork", 50 }, { "sched", "sched_switch", 51 },
	{ "sched", "sched_wakeup", 52 },       { "sched", "sched_wakeup_new", 53 },
	{ "syscalls", "sys_enter_read", 60 },  { "syscalls", "sys_enter_write", 61 },
	{ "syscalls", "sys_exit_read", 62 },
};
const size_t tree_n_events = sizeof(tree_events) / sizeof(tree_events[0]);

static int make_folders(const char *path)
{
	char copy[256];

	snprintf(copy, sizeof(copy), "%s", path);
	for (char *slash = copy + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		if (mkdir(copy, 0700) && errno != EEXIST)
			return -1;
		*slash = '/';
	}
	return 0;
}

int tree_write(struct tree *t, const char *path, const char *text)
{
	char whole[256];
	FILE *file;
	int ret;

	snprintf(whole, sizeof(whole), "%s/%s", t->dir, path);
	if (make_folders(whole))
		return -1;
	file = fopen(whole, "w");
	if (!file)
		return -1;
	ret = fputs(text, file) < 0 ? -1 : 0;
	return fclose(file) ? -1 : ret;
}

static int write_event(struct tree *t, const struct tree_event *ev)
{
	char path[160], id[16];

	snprintf(path, sizeof(path), "tracing/events/%s/%s/format", ev->system, ev->name);
	if (tree_write(t, path, "name: it\n"))
		return -1;
	if (ev->id < 0)
		return 0;
	snprintf(path, sizeof(path), "tracing/events/%s/%s/id", ev->system, ev->name);
	snprintf(id, sizeof(id), "%d\n", ev->id);
	return tree_write(t, path, id);
}

int tree_make(struct tree *t)
{
	char mounts[256];

	snprintf(t->dir, sizeof(t->dir), "/tmp/ptui-test-event-XXXXXX");
	if (!mkdtemp(t->dir))
		return -1;
	snprintf(t->proc, sizeof(t->proc), "%s/proc", t->dir);
	snprintf(t->tracefs, sizeof(t->tracefs), "%s/tracing", t->dir);
	t->roots = (struct roots){ .sysfs = "/sys", .proc = t->proc, .tracefs = NULL };
	snprintf(mounts, sizeof(mounts),
		 "proc /proc proc rw 0 0\n"
		 "debugfs /nowhere/debug debugfs rw 0 0\n"
		 "tracefs %s tracefs rw,relatime 0 0\n",
		 t->tracefs);
	if (tree_write(t, "proc/mounts", mounts) || tree_write(t, "tracing/events/enable", "0\n") ||
	    tree_write(t, "tracing/events/sched/enable", "0\n"))
		return -1;
	for (size_t i = 0; i < tree_n_events; i++) {
		if (write_event(t, &tree_events[i]))
			return -1;
	}
	return 0;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

void tree_remove(struct tree *t)
{
	nftw(t->dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}
