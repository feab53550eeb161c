/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "unit/event/tree.h"

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

struct unit_file {
	const char *unit, *file, *text;
};

static const struct unit_file units[] = {
	{ "breakpoint", "type", "5" },
	{ "software", "type", "1" },
	{ "tracepoint", "type", "2" },
	{ "notype", "format/event", "config:0-7" },
	{ "msr", "type", "14" },
	{ "msr", "format/event", "config:0-63" },
	{ "msr", "events/tsc", "event=0x00" },
	{ "cpu", "type", "4" },
	{ "cpu", "format/event", "config:0-7,32-35" },
	{ "cpu", "format/umask", "config:8-15" },
	{ "cpu", "format/inv", "config:23" },
	{ "cpu", "format/offcore_rsp", "config1:0-63" },
	{ "cpu", "format/ldat", "config1:0-15" },
	{ "cpu", "format/frontend", "config2:0-23" },
	{ "cpu", "format/far", "config3:0-7" },
	{ "cpu", "format/farther", "config4:4-7" },
	{ "cpu", "format/nowhere", "config5:0" },
	{ "cpu", "caps/max_precise", "3" },
	{ "cpu", "caps/branches", "32" },
	{ "cpu", "format/damaged", "config:7-3" },
	{ "cpu", "events/mem-loads", "event=0xcd,umask=0x1,ldat=3" },
	{ "cpu", "events/with-param", "event=0x10,umask=?" },
	{ "cpu", "events/loop", "loop" },
	{ "uncore_imc_0", "type", "20" },
	{ "uncore_imc_0", "cpumask", "0,28" },
	{ "uncore_imc_0", "format/event", "config:0-7" },
	{ "uncore_imc_0", "events/cas", "event=0x04" },
	{ "uncore_imc_0", "events/cas.unit", "MiB" },
	{ "uncore_imc_0", "events/cas.scale", "6.103515625e-5" },
	{ "uncore_imc_0", "events/cas.per-pkg", "1" },
	{ "uncore_imc_1", "type", "21" },
	{ "uncore_imc_1", "cpumask", "0,28" },
	{ "uncore_imc_1", "format/event", "config:0-7" },
	{ "uncore_imc_1", "events/cas", "event=0x04" },
	{ "uncore_imc_1", "events/temp", "event=0x05" },
	{ "uncore_imc_1", "events/temp.snapshot", "1" },
};

int tree_write_unit(struct tree *t, const char *unit, const char *file, const char *text)
{
	char path[160], line[160];

	snprintf(path, sizeof(path), "%s/bus/event_source/devices/%s/%s",
		 strrchr(t->sysfs, '/') + 1, unit, file);
	snprintf(line, sizeof(line), "%s\n", text);
	return tree_write(t, path, line);
}

static int write_units(struct tree *t, const struct unit_file *files, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (tree_write_unit(t, files[i].unit, files[i].file, files[i].text))
			return -1;
	}
	return 0;
}

void tree_begin_machine(struct tree *t, const char *name)
{
	snprintf(t->sysfs, sizeof(t->sysfs), "%s/%.15s", t->dir, name);
	t->roots.sysfs = t->sysfs;
}

int tree_make(struct tree *t)
{
	char mounts[256];

	snprintf(t->dir, sizeof(t->dir), "/tmp/ptui-test-event-XXXXXX");
	if (!mkdtemp(t->dir))
		return -1;
	snprintf(t->proc, sizeof(t->proc), "%s/proc", t->dir);
	snprintf(t->tracefs, sizeof(t->tracefs), "%s/tracing", t->dir);
	snprintf(t->sysfs, sizeof(t->sysfs), "%s/sys", t->dir);
	t->roots = (struct roots){ .sysfs = t->sysfs, .proc = t->proc, .tracefs = NULL };
	snprintf(mounts, sizeof(mounts),
		 "proc /proc proc rw 0 0\n"
		 "debugfs /nowhere/debug debugfs rw 0 0\n"
		 "tracefs %s tracefs rw,relatime 0 0\n",
		 t->tracefs);
	snprintf(t->debug, sizeof(t->debug), "%s/debug", t->dir);
	t->roots.buildid_dir = t->debug;
	if (tree_write(t, "debug/.build-id/28/9ee39f/probes",
		       "%sdt_shop:open=open\n"
		       "p:sdt_shop/open /usr/bin/shop:0x7f05 arg1=%di:u64\n"
		       "p:sdt_shop/open /usr/bin/shop:0x8f05 arg1=%si:u64\n"
		       "#probe_shop:mine=main\n"
		       "p:probe_shop/mine /usr/bin/shop:0x1000\n") ||
	    tree_write(t, "debug/.build-id/93/ac61ec/probes",
		       "%sdt_shop:open=open\n"
		       "p:sdt_shop/open /opt/shop:0x99\n"
		       "%sdt_bank:close=close\n"
		       "p:sdt_bank/close /usr/bin/bank:0x1\n") ||
	    tree_write(t, "debug/.build-id/93/ac61ed/elf", "no markers\n") ||
	    tree_write(t, "tracing/dynamic_events",
		       "p:probe/my_open do_sys_openat2 name=+0(%si):string\n"
		       "r16:kprobes/back do_sys_openat2 arg1=$retval\n"
		       "damaged\n"))
		return -1;
	if (tree_write(t, "proc/mounts", mounts) || tree_write(t, "tracing/events/enable", "0\n") ||
	    tree_write(t, "tracing/events/sched/enable", "0\n"))
		return -1;
	if (tree_write(t, "proc/kallsyms",
		       "ffffffff81000000 T _stext\n"
		       "ffffffff82000040 D jiffies\n"
		       "0000000000000000 T hidden\n") ||
	    write_units(t, units, sizeof(units) / sizeof(units[0])))
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
