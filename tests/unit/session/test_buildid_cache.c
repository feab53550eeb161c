/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf's cache of modules: its layout, what is there already, what cannot be had. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/perf_abi.h"
#include "lib/need.h"
#include "session/buildid_table.h"

#define ID_TEXT "0102030405060708090a0b0c0d0e0f1011121314"

static char dir[] = "/tmp/ptui-test-cache-XXXXXX";
static char cache[64], proc[64], program[64];
static const struct roots roots = { .sysfs = "/sys", .proc = proc };

static void put(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

static void has(const char *path, const char *text)
{
	char full[512], got[64] = "";
	FILE *f;

	snprintf(full, sizeof(full), "%s/%s", cache, path);
	f = fopen(full, "r");
	if (!f)
		fail_msg("%s is not there", full);
	assert_true(fread(got, 1, sizeof(got) - 1, f) > 0);
	fclose(f);
	assert_string_equal(got, text);
}

static void leads_to(const char *link, const char *wanted)
{
	char full[512], got[512];
	ssize_t n;

	snprintf(full, sizeof(full), "%s/%s", cache, link);
	n = readlink(full, got, sizeof(got) - 1);
	assert_true(n > 0);
	got[n] = '\0';
	assert_string_equal(got, wanted);
}

static struct data_build_id item(const char *path, uint16_t misc)
{
	struct data_build_id it = { .path = path, .pid = -1, .misc = misc, .bytes = 20 };

	for (uint8_t i = 0; i < 20; i++)
		it.id[i] = (uint8_t)(i + 1);
	return it;
}

static int begin(void **state)
{
	(void)state;
	if (!mkdtemp(dir))
		return -1;
	snprintf(cache, sizeof(cache), "%s/a/cache", dir);
	snprintf(proc, sizeof(proc), "%s/proc", dir);
	snprintf(program, sizeof(program), "%s/program", dir);
	put(program, "a program");
	return mkdir(proc, 0700);
}

static int end(void **state)
{
	char command[96];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf %s", dir);
	return system(command);
}

static void test_file(void **state)
{
	struct data_build_id it = item(program, PERF_RECORD_MISC_USER);
	char path[256], wanted[256], link[256];

	(void)state;
	assert_int_equal(buildid_cache_add(cache, &roots, &it, program), 0);
	snprintf(path, sizeof(path), "%s/" ID_TEXT "/elf", program + 1);
	has(path, "a program");
	snprintf(wanted, sizeof(wanted), "../..%s/" ID_TEXT, program);
	leads_to(".build-id/01/02030405060708090a0b0c0d0e0f1011121314", wanted);
	/* again: what is there stays; a link that leads elsewhere is mended */
	snprintf(link, sizeof(link), "%s/.build-id/01/02030405060708090a0b0c0d0e0f1011121314", cache);
	assert_int_equal(unlink(link), 0);
	assert_int_equal(symlink("../../elsewhere", link), 0);
	assert_int_equal(buildid_cache_add(cache, &roots, &it, program), 0);
	leads_to(".build-id/01/02030405060708090a0b0c0d0e0f1011121314", wanted);
}

static void test_missing(void **state)
{
	struct data_build_id it = item("/no/such/file", PERF_RECORD_MISC_USER);

	(void)state;
	assert_int_equal(buildid_cache_add(cache, &roots, &it, "/no/such/file"), -ENOENT);
	it = item(dir, PERF_RECORD_MISC_USER);
	assert_int_equal(buildid_cache_add(cache, &roots, &it, dir), -EINVAL);
	assert_true(buildid_cache_add("/dev/null/cache", &roots, &it, program) < 0);
}

static void test_kernel(void **state)
{
	struct data_build_id it = item("[kernel.kallsyms]", PERF_RECORD_MISC_KERNEL);
	char kallsyms[128], path[256];

	(void)state;
	snprintf(kallsyms, sizeof(kallsyms), "%s/kallsyms", proc);
	/* hidden addresses are of no use to anybody */
	put(kallsyms, "0000000000000000 T _text\n0000000000000000 T start\n");
	assert_int_equal(buildid_cache_add(cache, &roots, &it, NULL), 0);
	snprintf(path, sizeof(path), "%s/[kernel.kallsyms]", cache);
	assert_int_not_equal(access(path, F_OK), 0);
	put(kallsyms, "ffffffff81000000 T _text\n");
	assert_int_equal(buildid_cache_add(cache, &roots, &it, NULL), 0);
	has("[kernel.kallsyms]/" ID_TEXT "/kallsyms", "ffffffff81000000 T _text\n");
}

static void test_vdso(void **state)
{
	struct data_build_id it = item("[vdso]", PERF_RECORD_MISC_USER);
	char path[256], magic[4] = "";
	int fd;

	(void)state;
	assert_int_equal(buildid_cache_add(cache, &roots, &it, NULL), 0);
	snprintf(path, sizeof(path), "%s/[vdso]/" ID_TEXT "/vdso", cache);
	fd = open(path, O_RDONLY);
	assert_true(fd >= 0);
	assert_int_equal(read(fd, magic, sizeof(magic)), 4);
	close(fd);
	assert_memory_equal(magic, "\177ELF", 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_file),
		cmocka_unit_test(test_missing),
		cmocka_unit_test(test_kernel),
		cmocka_unit_test(test_vdso),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
