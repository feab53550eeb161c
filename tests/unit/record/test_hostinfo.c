/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Header features of a fake machine in a tree under /tmp. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "base/cursor.h"
#include "base/perf_abi.h"
#include "lib/need.h"
#include "record/header/hostinfo.h"

static char top[64], sysfs[96], proc[96];
static struct roots roots = { .sysfs = sysfs, .proc = proc };

struct got {
	struct buf payload[32];
	unsigned n;
	int fail_at; /* put() refuses this feature */
};

static int put(void *ctx, unsigned feature, const void *bytes, size_t n)
{
	struct got *got = ctx;

	assert_true(feature < 32);
	if ((int)feature == got->fail_at)
		return -ENOSPC;
	buf_clear(&got->payload[feature]);
	buf_add(&got->payload[feature], bytes, n);
	got->n++;
	return 0;
}

static void release(struct got *got)
{
	for (unsigned i = 0; i < 32; i++)
		buf_release(&got->payload[i]);
}

/* A file with its folders. */
static void file(const char *root, const char *name, const char *text)
{
	char path[512], *slash;
	FILE *out;

	snprintf(path, sizeof(path), "%s/%s", root, name);
	for (slash = strchr(path + strlen(top) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
	out = fopen(path, "w");
	assert_non_null(out);
	fputs(text, out);
	fclose(out);
}

#define CPU "devices/system/cpu/"

static void cpu(unsigned n, const char *core)
{
	static const char *const names[] = { "package_cpus_list",   "core_cpus_list",
					     "die_cpus_list",	    "core_id",
					     "physical_package_id", "die_id" };
	const char *values[] = { "0-1\n", core, "0-1\n", core, "0\n", "0\n" };
	char name[128];

	for (unsigned i = 0; i < 6; i++) {
		snprintf(name, sizeof(name), CPU "cpu%u/topology/%s", n, names[i]);
		file(sysfs, name, values[i]);
	}
}

static void cache(unsigned n, unsigned index, const char *level, const char *type, const char *cpus)
{
	static const char *const names[] = { "level",	       "coherency_line_size",
					     "number_of_sets", "ways_of_associativity",
					     "type",	       "size",
					     "shared_cpu_list" };
	const char *values[] = { level, "64\n", "128\n", "4\n", type, "32K\n", cpus };
	char name[128];

	for (unsigned i = 0; i < 7; i++) {
		snprintf(name, sizeof(name), CPU "cpu%u/cache/index%u/%s", n, index, names[i]);
		file(sysfs, name, values[i]);
	}
}

static int make_tree(void **state)
{
	(void)state;
	strncpy(top, "/tmp/ptui-test-XXXXXX", sizeof(top) - 1);
	if (!mkdtemp(top))
		return -1;
	snprintf(sysfs, sizeof(sysfs), "%s/sys", top);
	snprintf(proc, sizeof(proc), "%s/proc", top);
	file(proc, "cpuinfo",
	     "processor\t: 0\nmodel name\t: Some   Fast\tCPU \n\nprocessor\t: 1\n");
	file(proc, "meminfo", "MemTotal:       24684096 kB\nMemFree: 1 kB\n");
	file(sysfs, CPU "present", "0-1\n");
	file(sysfs, CPU "online", "1\n");
	cpu(0, "0\n");
	cpu(1, "1\n");
	cache(0, 0, "3\n", "Unified\n", "0-1\n");
	cache(0, 1, "1\n", "Data\n", "0\n");
	cache(1, 0, "3\n", "Unified\n", "0-1\n");
	file(sysfs, "devices/system/node/online", "0,2\n");
	file(sysfs, "devices/system/node/node0/meminfo",
	     "Node 0 MemTotal:  100 kB\nNode 0 MemFree:   40 kB\n");
	file(sysfs, "devices/system/node/node0/cpulist", "0-1\n");
	file(sysfs, "devices/system/node/node2/meminfo", "Node 2 MemTotal:  7 kB\n");
	file(sysfs, "devices/system/node/node2/cpulist", "\n");
	file(sysfs, "devices/system/node/node0/memory0/state", "online\n");
	file(sysfs, "devices/system/node/node0/memory70/state", "online\n");
	file(sysfs, "devices/system/node/node0/memory_failure/total", "0\n");
	file(sysfs, "devices/system/memory/block_size_bytes", "8000000\n");
	file(sysfs, "bus/event_source/devices/software/type", "1\n");
	file(sysfs, "bus/event_source/devices/broken/type", "x\n");
	file(sysfs, "bus/event_source/devices/cpu/caps/branches", "32\n");
	file(sysfs, "bus/event_source/devices/other/caps/max_precise", "3\n");
	return 0;
}

static int drop_tree(void **state)
{
	char command[96];

	(void)state;
	snprintf(command, sizeof(command), "rm -r %s", top);
	return system(command);
}

static struct cursor payload(const struct got *got, unsigned feature)
{
	struct cursor c;

	assert_true(got->payload[feature].len > 0);
	cursor_init(&c, got->payload[feature].data, got->payload[feature].len, false);
	return c;
}

static void expect_word(struct cursor *c, const char *want)
{
	uint32_t n = cursor_u32(c);
	const char *text = cursor_str(c, n);

	assert_non_null(text);
	assert_int_equal(n % 64, 0);
	assert_string_equal(text, want);
}

static void expect_end(const struct cursor *c)
{
	assert_false(c->bad);
	assert_int_equal(cursor_left(c), 0);
}

static void a_made_machine(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct got got = { .fail_at = -1 };
	struct cursor c;

	(void)state;
	assert_int_equal(hostinfo_features(&roots, put, &got, &err), 0);

	c = payload(&got, PTUI_FEAT_CPUDESC);
	expect_word(&c, "Some Fast CPU");
	c = payload(&got, PTUI_FEAT_TOTAL_MEM);
	assert_int_equal(cursor_u64(&c), 24684096);
	c = payload(&got, PTUI_FEAT_NRCPUS);
	assert_int_equal(cursor_u32(&c), 2);
	assert_int_equal(cursor_u32(&c), 1);
	expect_end(&c);

	c = payload(&got, PTUI_FEAT_NUMA_TOPOLOGY);
	assert_int_equal(cursor_u32(&c), 2);
	assert_int_equal(cursor_u32(&c), 0);
	assert_int_equal(cursor_u64(&c), 100);
	assert_int_equal(cursor_u64(&c), 40);
	expect_word(&c, "0-1");
	assert_int_equal(cursor_u32(&c), 2);
	assert_int_equal(cursor_u64(&c), 7);
	assert_int_equal(cursor_u64(&c), 0);
	expect_word(&c, "");
	expect_end(&c);

	c = payload(&got, PTUI_FEAT_PMU_MAPPINGS);
	assert_int_equal(cursor_u32(&c), 1);
	assert_int_equal(cursor_u32(&c), 1);
	expect_word(&c, "software");
	expect_end(&c);

	c = payload(&got, PTUI_FEAT_CPU_PMU_CAPS);
	assert_int_equal(cursor_u32(&c), 1);
	expect_word(&c, "branches");
	expect_word(&c, "32");
	expect_end(&c);
	c = payload(&got, PTUI_FEAT_PMU_CAPS);
	assert_int_equal(cursor_u32(&c), 1);
	assert_int_equal(cursor_u32(&c), 1);
	expect_word(&c, "max_precise");
	expect_word(&c, "3");
	expect_word(&c, "other");
	expect_end(&c);

	c = payload(&got, PTUI_FEAT_MEM_TOPOLOGY);
	assert_int_equal(cursor_u64(&c), 1);
	assert_int_equal(cursor_u64(&c), 0x8000000);
	assert_int_equal(cursor_u64(&c), 1);
	assert_int_equal(cursor_u64(&c), 0);
	assert_int_equal(cursor_u64(&c), 71);
	assert_int_equal(cursor_u64(&c), 71);
	assert_int_equal(cursor_u64(&c), 1);
	assert_int_equal(cursor_u64(&c), 1 << 6);
	expect_end(&c);
	release(&got);
}

static void processors_and_caches(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct got got = { .fail_at = -1 };
	struct cursor c;

	(void)state;
	assert_int_equal(hostinfo_features(&roots, put, &got, &err), 0);
	c = payload(&got, PTUI_FEAT_CPU_TOPOLOGY);
	assert_int_equal(cursor_u32(&c), 1);
	expect_word(&c, "0-1");
	assert_int_equal(cursor_u32(&c), 2);
	expect_word(&c, "0");
	expect_word(&c, "1");
	for (unsigned i = 0; i < 2; i++) {
		assert_int_equal(cursor_u32(&c), i);
		assert_int_equal(cursor_u32(&c), 0);
	}
#if defined(__x86_64__)
	assert_int_equal(cursor_u32(&c), 1);
	expect_word(&c, "0-1");
	cursor_bytes(&c, 8);
#endif
	expect_end(&c);

	c = payload(&got, PTUI_FEAT_CACHE);
	assert_int_equal(cursor_u32(&c), 1);
	assert_int_equal(cursor_u32(&c), 2);
	assert_int_equal(cursor_u32(&c), 1);
	assert_int_equal(cursor_u32(&c), 64);
	assert_int_equal(cursor_u32(&c), 128);
	assert_int_equal(cursor_u32(&c), 4);
	expect_word(&c, "Data");
	expect_word(&c, "32K");
	expect_word(&c, "0");
	assert_int_equal(cursor_u32(&c), 3);
	release(&got);
}

/* Unreadable files are skipped; an error of put() stops. */
static void little_is_known(void **state)
{
	struct roots nothing = { .sysfs = "/nonexistent", .proc = "/nonexistent" };
	struct ptui_error err = PTUI_ERROR_INIT;
	struct got got = { .fail_at = -1 };

	(void)state;
	assert_int_equal(hostinfo_features(&nothing, put, &got, &err), 0);
	assert_true(got.payload[PTUI_FEAT_HOSTNAME].len > 0);
	assert_int_equal(got.payload[PTUI_FEAT_NRCPUS].len, 0);
	assert_int_equal(got.payload[PTUI_FEAT_CACHE].len, 0);
	assert_int_equal(got.payload[PTUI_FEAT_MEM_TOPOLOGY].len, 0);
	got.fail_at = PTUI_FEAT_ARCH;
	assert_int_equal(hostinfo_features(&nothing, put, &got, &err), -ENOSPC);
	release(&got);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_made_machine),
		cmocka_unit_test(processors_and_caches),
		cmocka_unit_test(little_is_known),
	};

	return cmocka_run_group_tests(tests, make_tree, drop_tree);
}
