/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf's build-id cache: layout, existing entries, missing files. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/perf_abi.h"
#include "dso/dso.h"
#include "lib/need.h"
#include "session/buildid/buildid_table.h"

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

/* Copies `from` to `to`; returns an item with path `path` and the build-id of `from`. */
static struct data_build_id copy_program(const char *from, const char *to, const char *path)
{
	struct data_build_id it = item(path, PERF_RECORD_MISC_USER);
	char command[512];
	int bytes = dso_read_build_id(from, it.id);

	assert_true(bytes > 0);
	it.bytes = (uint8_t)bytes;
	snprintf(command, sizeof(command), "mkdir -p \"$(dirname %s)\" && cp -L %s %s", to, from,
		 to);
	assert_int_equal(system(command), 0);
	return it;
}

static void entry_path(const struct data_build_id *it, char *ret, size_t size)
{
	char id[DSO_BUILD_ID_TEXT];

	dso_build_id_format(it->id, it->bytes, id);
	snprintf(ret, size, "%s%s/%s/elf", cache, it->path, id);
}

static void has_entry(const struct data_build_id *it)
{
	uint8_t id[DSO_BUILD_ID_MAX];
	char path[512];
	struct stat st;

	entry_path(it, path, sizeof(path));
	assert_int_equal(dso_read_build_id(path, id), it->bytes);
	assert_memory_equal(id, it->id, it->bytes);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_nlink, 1);
}

static void test_file(void **state)
{
	struct data_build_id it = copy_program("/bin/cat", program, program);
	char id[DSO_BUILD_ID_TEXT], name[128], wanted[256], link_path[256], entry[512];

	(void)state;
	assert_int_equal(buildid_cache_add(cache, &roots, &it, 0), 0);
	has_entry(&it);
	dso_build_id_format(it.id, it.bytes, id);
	snprintf(name, sizeof(name), ".build-id/%.2s/%s", id, id + 2);
	snprintf(wanted, sizeof(wanted), "../..%s/%s", program, id);
	leads_to(name, wanted);
	/* again: a wrong link is replaced */
	snprintf(link_path, sizeof(link_path), "%s/%s", cache, name);
	assert_int_equal(unlink(link_path), 0);
	assert_int_equal(symlink("../../elsewhere", link_path), 0);
	assert_int_equal(buildid_cache_add(cache, &roots, &it, 0), 0);
	leads_to(name, wanted);
	/* a hard link is replaced by a copy, and so is an entry of another file */
	entry_path(&it, entry, sizeof(entry));
	assert_int_equal(unlink(entry), 0);
	assert_int_equal(link(program, entry), 0);
	assert_int_equal(buildid_cache_add(cache, &roots, &it, 0), 0);
	has_entry(&it);
	put(entry, "something else");
	assert_int_equal(buildid_cache_add(cache, &roots, &it, 0), 0);
	has_entry(&it);
	/* the program is overwritten: the copy is unchanged */
	copy_program("/bin/true", program, program);
	has_entry(&it);
}

/* The file below the process's root is used, not ours at that path. */
static void test_other_root(void **state)
{
	char path[256], command[512];
	struct data_build_id it;

	(void)state;
	snprintf(path, sizeof(path), "%s/42/root/bin/true", proc);
	it = copy_program("/bin/cat", path, "/bin/true");
	assert_int_equal(buildid_cache_add(cache, &roots, &it, 42), 0);
	has_entry(&it);
	/* a link does not leave the root */
	it.path = "/bin/link";
	snprintf(command, sizeof(command), "ln -s /bin/true %s/42/root/bin/link", proc);
	assert_int_equal(system(command), 0);
	assert_int_equal(buildid_cache_add(cache, &roots, &it, 42), 0);
	has_entry(&it);
	/* neither file is the recorded one */
	it.path = "/bin/true";
	it.id[0] ^= 1;
	assert_int_equal(buildid_cache_add(cache, &roots, &it, 42), -ESTALE);
}

static void test_missing(void **state)
{
	struct data_build_id it = item("/no/such/file", PERF_RECORD_MISC_USER);
	char fifo[128];

	(void)state;
	assert_int_equal(buildid_cache_add(cache, &roots, &it, 0), -ENOENT);
	it = item(dir, PERF_RECORD_MISC_USER);
	assert_int_equal(buildid_cache_add(cache, &roots, &it, 0), -EINVAL);
	/* does not wait for a writer */
	snprintf(fifo, sizeof(fifo), "%s/fifo", dir);
	assert_int_equal(mkfifo(fifo, 0600), 0);
	it = item(fifo, PERF_RECORD_MISC_USER);
	assert_int_equal(buildid_cache_add(cache, &roots, &it, 0), -EINVAL);
	it = item("/dev/zero", PERF_RECORD_MISC_USER);
	assert_int_equal(buildid_cache_add(cache, &roots, &it, 0), -EINVAL);
	it = copy_program("/bin/cat", program, program);
	assert_true(buildid_cache_add("/dev/null/cache", &roots, &it, 0) < 0);
}

static void test_kernel(void **state)
{
	struct data_build_id it = item("[kernel.kallsyms]", PERF_RECORD_MISC_KERNEL);
	char kallsyms[128], path[256];

	(void)state;
	snprintf(kallsyms, sizeof(kallsyms), "%s/kallsyms", proc);
	/* hidden addresses are useless */
	put(kallsyms, "0000000000000000 T _text\n0000000000000000 T start\n");
	assert_int_equal(buildid_cache_add(cache, &roots, &it, 0), 0);
	snprintf(path, sizeof(path), "%s/[kernel.kallsyms]", cache);
	assert_int_not_equal(access(path, F_OK), 0);
	put(kallsyms, "ffffffff81000000 T _text\n");
	assert_int_equal(buildid_cache_add(cache, &roots, &it, 0), 0);
	has("[kernel.kallsyms]/" ID_TEXT "/kallsyms", "ffffffff81000000 T _text\n");
}

static void test_vdso(void **state)
{
	struct data_build_id it = item("[vdso]", PERF_RECORD_MISC_USER);
	char path[256], magic[4] = "";
	int fd;

	(void)state;
	assert_int_equal(buildid_cache_add(cache, &roots, &it, 0), 0);
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
		cmocka_unit_test(test_file),	cmocka_unit_test(test_other_root),
		cmocka_unit_test(test_missing), cmocka_unit_test(test_kernel),
		cmocka_unit_test(test_vdso),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
