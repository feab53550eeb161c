/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "event/catalog.h"
#include "event/pmu.h"
#include "lib/need.h"
#include "ptui/catalog.h"
#include "unit/event/tree.h"

static int set_up(void **state)
{
	struct tree *tree = calloc(1, sizeof(*tree));

	*state = tree;
	return tree ? tree_make(tree) : -1;
}

static int tear_down(void **state)
{
	tree_remove(*state);
	free(*state);
	return 0;
}

static const struct catalog_entry *find(struct catalog *cat, const char *name)
{
	return catalog_find(cat, name, strlen(name));
}

/* Checks the names of `kind` with their aliases, one per line. */
static void assert_names(struct catalog *cat, enum event_kind kind, const char *expected)
{
	const struct catalog_entry *entries;
	struct buf got = BUF_INIT;
	size_t n;

	assert_int_equal(catalog_entries(cat, kind, &entries, &n, NULL), 0);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(entries[i].kind, kind);
		buf_addf(&got, "%s%s%s\n", entries[i].name, entries[i].alias ? " OR " : "",
			 entries[i].alias ? entries[i].alias : "");
	}
	assert_string_equal(buf_str(&got), expected);
	buf_release(&got);
}

/* As in `perf list hw sw cache` of perf 6.1. */
static void test_fixed_names(void **state)
{
	struct tree *tree = *state;
	struct catalog *cat = catalog_new(&tree->roots);

	assert_names(cat, EVENT_HARDWARE,
		     "branch-instructions OR branches\n"
		     "branch-misses\n"
		     "bus-cycles\n"
		     "cache-misses\n"
		     "cache-references\n"
		     "cpu-cycles OR cycles\n"
		     "instructions\n"
		     "ref-cycles\n"
		     "stalled-cycles-backend OR idle-cycles-backend\n"
		     "stalled-cycles-frontend OR idle-cycles-frontend\n");
	assert_names(cat, EVENT_SOFTWARE,
		     "alignment-faults\n"
		     "bpf-output\n"
		     "cgroup-switches\n"
		     "context-switches OR cs\n"
		     "cpu-clock\n"
		     "cpu-migrations OR migrations\n"
		     "dummy\n"
		     "emulation-faults\n"
		     "major-faults\n"
		     "minor-faults\n"
		     "page-faults OR faults\n"
		     "task-clock\n");
	assert_names(cat, EVENT_CACHE,
		     "L1-dcache-load-misses\nL1-dcache-loads\n"
		     "L1-dcache-prefetch-misses\nL1-dcache-prefetches\n"
		     "L1-dcache-store-misses\nL1-dcache-stores\n"
		     "L1-icache-load-misses\nL1-icache-loads\n"
		     "L1-icache-prefetch-misses\nL1-icache-prefetches\n"
		     "LLC-load-misses\nLLC-loads\n"
		     "LLC-prefetch-misses\nLLC-prefetches\n"
		     "LLC-store-misses\nLLC-stores\n"
		     "branch-load-misses\nbranch-loads\n"
		     "dTLB-load-misses\ndTLB-loads\n"
		     "dTLB-prefetch-misses\ndTLB-prefetches\n"
		     "dTLB-store-misses\ndTLB-stores\n"
		     "iTLB-load-misses\niTLB-loads\n"
		     "node-load-misses\nnode-loads\n"
		     "node-prefetch-misses\nnode-prefetches\n"
		     "node-store-misses\nnode-stores\n");
	assert_names(cat, EVENT_TOOL, "duration_time\nuser_time\nsystem_time\n");
	assert_names(cat, EVENT_RAW, "rNNN\ncpu/t1=v1[,t2=v2,t3 ...]/modifier\n");
	assert_names(cat, EVENT_BREAKPOINT, "mem:<addr>[/len][:access]\n");
	catalog_free(cat);
}

static void test_units(void **state)
{
	struct tree *tree = *state;
	struct catalog *cat = catalog_new(&tree->roots);
	const struct catalog_entry *mem;
	const struct pmu_event *cas;
	const struct pmu *pmu;

	assert_names(cat, EVENT_PMU,
		     "loop OR cpu/loop/\n"
		     "mem-loads OR cpu/mem-loads/\n"
		     "msr/tsc/\n"
		     "uncore_imc_0/cas/\n"
		     "uncore_imc_1/cas/\n"
		     "uncore_imc_1/temp/\n"
		     "with-param OR cpu/with-param/\n");
	mem = find(cat, "mem-loads");
	assert_non_null(mem);
	assert_int_equal(mem->type, 4);
	assert_string_equal(mem->desc, "event=0xcd,umask=0x1,ldat=3");
	assert_ptr_equal(find(cat, "cpu/mem-loads/"), mem);

	/* a PMU without type is ignored */
	assert_null(catalog_find_pmu(cat, "notype", 6));
	pmu = catalog_find_pmu(cat, "uncore_imc_0", 12);
	assert_string_equal(pmu->cpus, "0,28");
	assert_false(pmu->core);
	cas = pmu_find_event(pmu, "cas", 3);
	assert_string_equal(cas->unit, "MiB");
	assert_true(cas->scale > 6.1e-5 && cas->scale < 6.11e-5);
	assert_true(cas->per_pkg);
	assert_false(cas->snapshot);
	assert_true(pmu_find_event(catalog_find_pmu(cat, "uncore_imc_1", 12), "temp", 4)->snapshot);
	catalog_free(cat);
}

static void test_names_of_units(void **state)
{
	static const struct {
		const char *pmu, *called;
		bool is;
	} cases[] = {
		{ "uncore_imc_0", "uncore_imc_0", true },
		{ "uncore_imc_0", "uncore_imc", true },
		{ "uncore_imc_0", "imc_0", true },
		{ "uncore_imc_0", "imc", true },
		{ "uncore_imc_0", "im", false },
		{ "uncore_imc_0", "uncore", false },
		{ "uncore_imc_0", "uncore_*", true },
		{ "uncore_imc_0", "*imc*", true },
		{ "uncore_imc_12", "uncore_imc_1", false },
		{ "cpu_core", "cpu", false },
		{ "cpu", "cp?", true },
		{ "armv8_pmuv3_0", "armv8_pmuv3", true },
		{ "uncore_", "", false },
		{ "smmuv3_pmcg_2b442", "smmuv3_pmcg", true },
		{ "cpu_a1", "cpu", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct pmu pmu = { .name = cases[i].pmu };

		if (pmu_is_called(&pmu, cases[i].called) != cases[i].is)
			fail_msg("%s, called %s", cases[i].pmu, cases[i].called);
	}
}

static void test_formats(void **state)
{
	static const struct {
		const char *text;
		int field; /* -1: damaged */
		uint64_t bits, value, spread;
	} cases[] = {
		{ "config:0-7", 0, 0xff, 0x3c, 0x3c },
		{ "config:0-7,32-35", 0, 0xf000000ff, 0xfff, 0xf000000ff },
		{ "config1:0-63", 1, UINT64_MAX, UINT64_MAX, UINT64_MAX },
		{ "config:0", 0, 1, 1, 1 },
		{ "config2:18\n", 2, 1u << 18, 1, 1u << 18 },
		{ "config:63,0", 0, 0x8000000000000001, 2, 0x8000000000000000 },
		{ "config3:4-5", 3, 0x30, 3, 0x30 },
		{ "config:64", -1, 0, 0, 0 },
		{ "config:7-3", -1, 0, 0, 0 },
		{ "config", -1, 0, 0, 0 },
		{ "config:", -1, 0, 0, 0 },
		{ "config:1,", -1, 0, 0, 0 },
		{ "conf:1", -1, 0, 0, 0 },
		{ "config:1 2", -1, 0, 0, 0 },
	};
	uint64_t bits;
	uint8_t field;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int ret = pmu_format_parse(cases[i].text, &field, &bits);

		assert_int_equal(ret, cases[i].field < 0 ? -EINVAL : 0);
		if (ret)
			continue;
		assert_int_equal(field, cases[i].field);
		assert_int_equal(bits, cases[i].bits);
		assert_int_equal(pmu_format_spread(bits, cases[i].value), cases[i].spread);
	}
	assert_int_equal(pmu_format_max(0xf000000ff), 0xfff);
	assert_int_equal(pmu_format_max(UINT64_MAX), UINT64_MAX);
	assert_int_equal(pmu_format_max(1), 1);
}

static void test_every_entry_is_complete(void **state)
{
	struct tree *tree = *state;
	struct catalog *cat = catalog_new(&tree->roots);

	for (int kind = 0; kind < EVENT_KINDS; kind++) {
		const struct catalog_entry *entries;
		size_t n;

		assert_int_equal(catalog_entries(cat, kind, &entries, &n, NULL), 0);
		/* libpfm4 does not know every processor */
		assert_true(n > 0 || kind == EVENT_VENDOR);
		assert_true(*catalog_heading(kind));
		for (size_t i = 0; i < n; i++) {
			/* probes and markers are found as tracepoints */
			if (kind == EVENT_PROBE || kind == EVENT_SDT)
				continue;
			/* forms of syntax are not names */
			assert_ptr_equal(find(cat, entries[i].name),
					 entries[i].form ? NULL : &entries[i]);
			assert_int_equal(entries[i].form,
					 kind == EVENT_RAW || kind == EVENT_BREAKPOINT);
			/* only cache events have shorter spellings */
			if (kind != EVENT_CACHE)
				assert_ptr_not_equal(catalog_find(cat, entries[i].name,
								  strlen(entries[i].name) - 1),
						     &entries[i]);
			if (entries[i].alias)
				assert_ptr_equal(find(cat, entries[i].alias), &entries[i]);
			if (kind != EVENT_TRACEPOINT)
				assert_true(entries[i].desc && *entries[i].desc);
		}
	}
	catalog_free(cat);
}

static void test_cache_spellings(void **state)
{
	static const struct {
		const char *name;
		int config; /* -1: no such event */
	} cases[] = {
		{ "L1-dcache-loads", 0x0 },
		{ "L1-dcache", 0x0 },
		{ "l1d", 0x0 },
		{ "l1-d-load-misses", 0x10000 },
		{ "l1d-read-miss", 0x10000 },
		{ "l1d-misses", 0x10000 },
		{ "l1d-miss-read", 0x10000 },
		{ "L1-data-write-access", 0x100 },
		{ "l1i-prefetches", 0x201 },
		{ "LLC-speculative-read-miss", 0x10202 },
		{ "L2-stores", 0x102 },
		{ "Data-TLB-Reference", 0x3 },
		{ "iTLB-load", 0x4 },
		{ "bpu", 0x5 },
		{ "bpc-misses", 0x10005 },
		{ "node-store-ops", 0x106 },
		{ "l1-icache-loads", -1 }, /* the case of the names is fixed */
		{ "L1-DCACHE-LOADS", -1 },
		{ "L1-icache-stores", -1 }, /* no stores in instruction caches */
		{ "iTLB-prefetches", -1 },
		{ "branch-stores", -1 },
		{ "l1d-load-store", -1 },
		{ "l1d-load-misses-refs", -1 },
		{ "l1d-", -1 },
		{ "l1d--load", -1 },
		{ "l1d-load-", -1 },
		{ "l1d-loadx", -1 },
		{ "l1dx", -1 },
	};
	struct tree *tree = *state;
	struct catalog *cat = catalog_new(&tree->roots);

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct catalog_entry *entry = find(cat, cases[i].name);

		if ((entry ? (int)entry->config : -1) != cases[i].config)
			fail_msg("%s: %#x", cases[i].name, entry ? (int)entry->config : -1);
	}
	/* similar names of hardware events are not hidden */
	assert_int_equal(find(cat, "branches")->kind, EVENT_HARDWARE);
	assert_int_equal(find(cat, "branch-misses")->kind, EVENT_HARDWARE);
	catalog_free(cat);
}

static void test_tracepoints(void **state)
{
	struct tree *tree = *state;
	struct catalog *cat = catalog_new(&tree->roots);
	const struct catalog_entry *entries;
	size_t n, expected = 0;

	for (size_t i = 0; i < tree_n_events; i++)
		expected += tree_events[i].id >= 0;
	assert_int_equal(catalog_entries(cat, EVENT_TRACEPOINT, &entries, &n, NULL), 0);
	assert_int_equal(n, expected);
	for (size_t i = 1; i < n; i++)
		assert_true(strcmp(entries[i - 1].name, entries[i].name) < 0);
	for (size_t i = 0; i < tree_n_events; i++) {
		const struct catalog_entry *entry;
		char name[64];
		uint64_t id;

		snprintf(name, sizeof(name), "%s:%s", tree_events[i].system, tree_events[i].name);
		entry = find(cat, name);
		if (tree_events[i].id < 0) {
			assert_null(entry);
			continue;
		}
		assert_non_null(entry);
		assert_int_equal(entry->type, PERF_TYPE_TRACEPOINT);
		assert_true(entry->config == UINT64_MAX);
		assert_int_equal(catalog_resolve(cat, entry, &id, NULL), 0);
		assert_int_equal(id, tree_events[i].id);
	}
	assert_null(find(cat, "sched:"));
	assert_null(find(cat, "sched:sched"));
	assert_null(find(cat, "zz:zz"));
	catalog_free(cat);
}

static void assert_entry(struct catalog *cat, enum event_kind kind, size_t i, const char *name,
			 const char *desc)
{
	const struct catalog_entry *entries;
	size_t n;

	assert_int_equal(catalog_entries(cat, kind, &entries, &n, NULL), 0);
	assert_true(i < n);
	assert_string_equal(entries[i].name, name);
	assert_string_equal(entries[i].desc, desc);
	assert_ptr_equal(catalog_find_aside(cat, kind, name, strlen(name)), &entries[i]);
}

static void test_probes(void **state)
{
	struct tree *tree = *state;
	struct catalog *cat = catalog_new(&tree->roots);

	assert_entry(cat, EVENT_PROBE, 0, "kprobes:back",
		     "r16:kprobes/back do_sys_openat2 arg1=$retval");
	assert_entry(cat, EVENT_PROBE, 1, "probe:my_open",
		     "p:probe/my_open do_sys_openat2 name=+0(%si):string");
	/* the event itself is a tracepoint */
	assert_int_equal(find(cat, "probe:my_open")->kind, EVENT_TRACEPOINT);
	assert_null(catalog_find_aside(cat, EVENT_PROBE, "damaged", 7));
	catalog_free(cat);
}

static void test_markers(void **state)
{
	struct tree *tree = *state;
	struct catalog *cat = catalog_new(&tree->roots);
	const struct catalog_entry *entries;
	const char *places;
	size_t n;

	assert_entry(cat, EVENT_SDT, 0, "sdt_bank:close", "/usr/bin/bank:0x1");
	/* in two files: both locations, in directory order */
	places = catalog_find_aside(cat, EVENT_SDT, "sdt_shop:open", 13)->desc;
	assert_non_null(strstr(places, "/usr/bin/shop:0x7f05 arg1=%di:u64"));
	assert_non_null(strstr(places, "; "));
	assert_non_null(strstr(places, "/opt/shop:0x99"));
	assert_int_equal(catalog_entries(cat, EVENT_SDT, &entries, &n, NULL), 0);
	assert_int_equal(n, 2);

	/* from an ELF file, before those of the cache */
	assert_int_equal(catalog_add_sdt(cat, "bank", "open", "/new/bank:0x5 8@%rdi"), 0);
	assert_int_equal(catalog_add_sdt(cat, "bank", "close", "/new/bank:0x6"), 0);
	assert_entry(cat, EVENT_SDT, 0, "sdt_bank:close", "/new/bank:0x6; /usr/bin/bank:0x1");
	assert_entry(cat, EVENT_SDT, 1, "sdt_bank:open", "/new/bank:0x5 8@%rdi");
	catalog_free(cat);
}

/* seq is the directory order of events. */
static void test_kernel_order(void **state)
{
	struct tree *tree = *state;
	struct catalog *cat = catalog_new(&tree->roots);
	char path[128];
	struct dirent *item;
	uint32_t last = 0;
	int seen = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/events/syscalls", tree->tracefs);
	dir = opendir(path);
	assert_non_null(dir);
	while ((item = readdir(dir))) {
		const struct catalog_entry *entry;
		char name[300];

		if (item->d_name[0] == '.')
			continue;
		snprintf(name, sizeof(name), "syscalls:%s", item->d_name);
		entry = find(cat, name);
		assert_non_null(entry);
		assert_true(!seen || entry->seq == last + 1);
		last = entry->seq;
		seen++;
	}
	closedir(dir);
	assert_int_equal(seen, 3);
	catalog_free(cat);
}

static void test_id_trouble(void **state)
{
	struct tree *tree = *state;
	struct catalog *cat = catalog_new(&tree->roots);
	struct ptui_error err = PTUI_ERROR_INIT;
	const struct catalog_entry *entry = find(cat, "sched:sched_switch");
	char path[160];
	uint64_t id = 7;

	assert_int_equal(tree_write(tree, "tracing/events/sched/sched_switch/id", "what?\n"), 0);
	assert_int_equal(catalog_resolve(cat, entry, &id, &err), -EINVAL);
	assert_non_null(strstr(err.text, "sched:sched_switch"));
	assert_int_equal(id, 7);
	snprintf(path, sizeof(path), "%s/events/sched/sched_switch/id", tree->tracefs);
	assert_int_equal(unlink(path), 0);
	err = (struct ptui_error)PTUI_ERROR_INIT;
	assert_int_equal(catalog_resolve(cat, entry, &id, &err), -ENOENT);
	assert_true(ptui_error_is_set(&err));
	catalog_free(cat);
}

static void assert_found_at(struct tree *tree, const char *mounts, const char *expected)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct catalog *cat;
	const char *path;
	int ret;

	assert_int_equal(tree_write(tree, "proc/mounts", mounts), 0);
	cat = catalog_new(&tree->roots);
	ret = catalog_tracefs(cat, &path, &err);
	if (expected) {
		assert_int_equal(ret, 0);
		assert_string_equal(path, expected);
	} else {
		assert_int_equal(ret, -ENOENT);
		assert_non_null(strstr(err.text, "not mounted"));
		assert_string_equal(err.hint,
				    "mount it: sudo mount -t tracefs tracefs /sys/kernel/tracing");
	}
	catalog_free(cat);
}

static void test_where_tracefs_is(void **state)
{
	struct tree *tree = *state;
	char mounts[512], place[128];

	tree->roots.sysfs = "/sys"; /* its path is in a hint */
	/* the first tracefs, before a debugfs with tracing */
	assert_int_equal(tree_write(tree, "debug/tracing/events/enable", ""), 0);
	snprintf(mounts, sizeof(mounts),
		 "none %s/debug debugfs rw 0 0\n"
		 "none %s tracefs rw 0 0\n"
		 "none /elsewhere tracefs rw 0 0\n",
		 tree->dir, tree->tracefs);
	assert_found_at(tree, mounts, tree->tracefs);

	snprintf(mounts, sizeof(mounts), "none %s/debug debugfs rw 0 0\n", tree->dir);
	snprintf(place, sizeof(place), "%s/debug/tracing", tree->dir);
	assert_found_at(tree, mounts, place);

	/* a space in the path */
	assert_int_equal(tree_write(tree, "my place/events/enable", ""), 0);
	snprintf(mounts, sizeof(mounts), "none %s/my\\040place tracefs rw 0 0\n", tree->dir);
	snprintf(place, sizeof(place), "%s/my place", tree->dir);
	assert_found_at(tree, mounts, place);

	assert_found_at(tree, "", NULL);
	assert_found_at(tree, "proc /proc proc rw 0 0\n", NULL);
	assert_found_at(tree, "tracefs\n\nx\nnone  tracefs", NULL);
	assert_found_at(tree, "none /nowhere tracefs rw 0 0\n", NULL);
	assert_found_at(tree, "none /x tracefsx rw 0 0\nnone /y trace rw 0 0\n", NULL);

	/* with an explicit path the mounts are not read */
	tree->roots.tracefs = tree->tracefs;
	assert_found_at(tree, "", tree->tracefs);
	tree->roots.tracefs = "/nowhere";
	assert_found_at(tree, "", NULL);
}

/* A failed source is loaded again: tracefs may be mounted meanwhile. */
static void test_failure_is_not_kept(void **state)
{
	struct tree *tree = *state;
	const struct catalog_entry *entries;
	struct catalog *cat;
	char mounts[160];
	size_t n;

	assert_int_equal(tree_write(tree, "proc/mounts", ""), 0);
	cat = catalog_new(&tree->roots);
	assert_int_equal(catalog_entries(cat, EVENT_TRACEPOINT, &entries, &n, NULL), -ENOENT);
	assert_int_equal(n, 0);
	assert_null(find(cat, "sched:sched_switch"));
	snprintf(mounts, sizeof(mounts), "none %s tracefs rw 0 0\n", tree->tracefs);
	assert_int_equal(tree_write(tree, "proc/mounts", mounts), 0);
	assert_int_equal(catalog_entries(cat, EVENT_TRACEPOINT, &entries, &n, NULL), 0);
	assert_true(n > 0);
	catalog_free(cat);
}

/* The directory of another user. The test drops root's rights. */
static void test_not_readable(void **state)
{
	struct tree *tree = *state;
	struct ptui_error err = PTUI_ERROR_INIT;
	const struct catalog_entry *entries;
	bool is_root = geteuid() == 0;
	struct catalog *cat;
	size_t n;
	int ret;

	assert_int_equal(chmod(tree->dir, 0755), 0);
	assert_int_equal(chmod(tree->proc, 0755), 0);
	assert_int_equal(chmod(tree->tracefs, 0), 0);
	/* access() uses the real user */
	if (is_root)
		assert_int_equal(setresuid(65534, 65534, 0), 0);
	cat = catalog_new(&tree->roots);
	ret = catalog_entries(cat, EVENT_TRACEPOINT, &entries, &n, &err);
	if (is_root)
		assert_int_equal(setresuid(0, 0, 0), 0);
	assert_int_equal(chmod(tree->tracefs, 0700), 0);
	assert_int_equal(ret, -EACCES);
	assert_non_null(strstr(err.text, tree->tracefs));
	assert_non_null(strstr(err.hint, "remount,gid=GROUP,mode=750"));
	assert_non_null(strstr(err.hint, "require kernel.perf_event_paranoid=-1 or CAP_PERFMON"));
	catalog_free(cat);
}

/* Looks for tracefs without rights: its path, or the error. */
static int find_as_user(struct tree *tree, char *path, size_t size, struct ptui_error *err)
{
	struct catalog *cat = catalog_new(&tree->roots);
	bool is_root = geteuid() == 0;
	const char *found = "";
	int ret;

	if (is_root)
		assert_int_equal(setresuid(65534, 65534, 0), 0);
	ret = catalog_tracefs(cat, &found, err);
	if (is_root)
		assert_int_equal(setresuid(0, 0, 0), 0);
	snprintf(path, size, "%s", ret ? "" : found);
	catalog_free(cat);
	return ret;
}

/* debugfs is closed: mounting tracefs elsewhere is the remedy, and works. */
static void test_closed_debugfs(void **state)
{
	struct tree *tree = *state;
	struct ptui_error err = PTUI_ERROR_INIT;
	char mounts[512], debug[128], events[160], found[160];

	assert_int_equal(chmod(tree->dir, 0755), 0);
	assert_int_equal(chmod(tree->proc, 0755), 0);
	assert_int_equal(chmod(tree->tracefs, 0755), 0);
	snprintf(events, sizeof(events), "%s/events", tree->tracefs);
	assert_int_equal(chmod(events, 0755), 0);
	assert_int_equal(tree_write(tree, "debug/tracing/events/enable", ""), 0);
	snprintf(debug, sizeof(debug), "%s/debug", tree->dir);
	assert_int_equal(chmod(debug, 0), 0);
	tree->roots.sysfs = "/sys";

	snprintf(mounts, sizeof(mounts), "none %s debugfs rw 0 0\n", debug);
	assert_int_equal(tree_write(tree, "proc/mounts", mounts), 0);
	assert_int_equal(find_as_user(tree, found, sizeof(found), &err), -EACCES);
	assert_non_null(strstr(err.hint, "sudo mount -t tracefs -o gid=GROUP,mode=750 tracefs "
					 "/sys/kernel/tracing"));

	snprintf(mounts, sizeof(mounts),
		 "none %s debugfs rw 0 0\nnone %s/tracing tracefs rw 0 0\nnone %s tracefs rw 0 0\n",
		 debug, debug, tree->tracefs);
	assert_int_equal(tree_write(tree, "proc/mounts", mounts), 0);
	assert_int_equal(find_as_user(tree, found, sizeof(found), &err), 0);
	assert_string_equal(found, tree->tracefs);
	assert_int_equal(chmod(debug, 0700), 0);
}

struct walk {
	int calls;
	int stop_after;
	int unreadable;
};

static int count_entry(void *ctx, const struct ptui_catalog_entry *entry)
{
	struct walk *walk = ctx;

	assert_true(*entry->name && *entry->kind && *entry->heading);
	if (!walk->calls)
		assert_string_equal(entry->heading, "Hardware event");
	return ++walk->calls == walk->stop_after ? 42 : 0;
}

static void count_unreadable(void *ctx, const char *kind, const struct ptui_error *err)
{
	struct walk *walk = ctx;

	assert_string_equal(kind, "tracepoint");
	assert_true(ptui_error_is_set(err));
	walk->unreadable++;
}

static void test_front_ends(void **state)
{
	struct ptui_catalog *c = ptui_catalog_new();
	struct walk walk = { 0, 0, 0 };

	(void)state;
	assert_int_equal(ptui_catalog_each(c, count_entry, count_unreadable, &walk), 0);
	assert_true(walk.calls >= 56); /* all but the tracepoints, which may be missing */
	walk = (struct walk){ 0, 3, 0 };
	assert_int_equal(ptui_catalog_each(c, count_entry, count_unreadable, &walk), 42);
	assert_int_equal(walk.calls, 3);
	ptui_catalog_free(c);
	ptui_catalog_free(NULL);
}

#define WITH_TREE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_TREE(test_fixed_names),
		WITH_TREE(test_every_entry_is_complete),
		WITH_TREE(test_units),
		cmocka_unit_test(test_names_of_units),
		cmocka_unit_test(test_formats),
		WITH_TREE(test_cache_spellings),
		WITH_TREE(test_tracepoints),
		WITH_TREE(test_probes),
		WITH_TREE(test_markers),
		WITH_TREE(test_kernel_order),
		WITH_TREE(test_id_trouble),
		WITH_TREE(test_where_tracefs_is),
		WITH_TREE(test_failure_is_not_kept),
		WITH_TREE(test_not_readable),
		WITH_TREE(test_closed_debugfs),
		cmocka_unit_test(test_front_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
