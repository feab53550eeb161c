/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Start functions of stacks, found in the files of this process. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include "base/buf.h"
#include "dso/starts.h"
#include "lib/need.h"
#include "unit/dso/elf_make.h"

static void *main_returns_to, *thread_returns_to, *compare_returns_to;

/* The file mapped at an address, and the offset in it. */
static bool file_at(const void *addr, char path[512], uint64_t *ret_off)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	char line[1024];
	bool found = false;

	assert_non_null(maps);
	while (!found && fgets(line, sizeof(line), maps)) {
		unsigned long start, end, off;

		if (sscanf(line, "%lx-%lx %*s %lx %*s %*s %511s", &start, &end, &off, path) != 4)
			continue;
		found = (unsigned long)addr >= start && (unsigned long)addr < end;
		*ret_off = (unsigned long)addr - start + off;
	}
	fclose(maps);
	return found;
}

/* Whether it is in a start function, by the contents of the file alone. */
static bool is_start(const void *addr)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct dso_range *ranges = NULL;
	struct dso_file *f;
	char path[512];
	uint64_t off = 0;
	size_t n = 0;
	bool found;

	assert_true(file_at(addr, path, &off));
	f = dso_file_open(path, NULL, 0, &err);
	assert_non_null(f);
	assert_int_equal(dso_starts(f, &ranges, &n), 0);
	found = dso_starts_has(ranges, n, off);
	free(ranges);
	dso_file_unref(f);
	return found;
}

static void test_program(void **state)
{
	(void)state;
	assert_true(is_start((const void *)getauxval(AT_ENTRY)));
	assert_false(is_start((const void *)(uintptr_t)test_program));
}

/* The loader's _start has no entry in .eh_frame. */
static void test_loader(void **state)
{
	const char *base = (const char *)getauxval(AT_BASE);
	Elf64_Ehdr ehdr;

	(void)state;
	if (!base || sizeof(void *) != 8)
		skip();
	memcpy(&ehdr, base, sizeof(ehdr));
	assert_true(is_start(base + ehdr.e_entry + 8)); /* where _dl_start returns to */
}

/* The library has no symbols for them, except in debug files, which are not used here. */
static void test_caller_of_main(void **state)
{
	(void)state;
	assert_true(is_start(main_returns_to));
}

static void *run(void *arg)
{
	(void)arg;
	thread_returns_to = __builtin_return_address(0);
	return NULL;
}

static void test_caller_of_a_thread(void **state)
{
	pthread_t thread;

	(void)state;
#if !defined(__x86_64__) || defined(__SANITIZE_THREAD__)
	skip(); /* under ThreadSanitizer a function of its library starts threads */
#endif
	assert_int_equal(pthread_create(&thread, NULL, run, NULL), 0);
	pthread_join(thread, NULL);
	assert_true(is_start(thread_returns_to));
}

static int compare(const void *a, const void *b)
{
	compare_returns_to = __builtin_return_address(0);
	return *(const int *)a - *(const int *)b;
}

static void test_caller_of_a_callback_is_no_start(void **state)
{
	int v[] = { 3, 1, 2 };

	(void)state;
	qsort(v, 3, sizeof(*v), compare);
	assert_int_equal(v[0], 1);
	assert_false(is_start(compare_returns_to));
}

/* A file without .eh_frame: a few bytes from the entry point on, in programs only. */
static void test_made(void **state)
{
	struct buf image = BUF_INIT;
	struct elf_made made = {
		.type = ET_EXEC, .base = 0x400000, .entry = 0x401010, .no_symtab = true
	};
	struct dso_range *ranges = NULL;
	struct dso_file *f;
	Elf64_Ehdr ehdr;
	size_t n = 9;

	(void)state;
	elf_make(&image, &made);
	f = dso_file_open_image("made", image.data, image.len, NULL, 0, NULL);
	assert_non_null(f);
	assert_int_equal(dso_starts(f, &ranges, &n), 0);
	assert_true(dso_starts_has(ranges, n, 0x1010));
	assert_true(dso_starts_has(ranges, n, 0x102f));
	assert_false(dso_starts_has(ranges, n, 0x100f));
	free(ranges);
	dso_file_unref(f);

	ranges = NULL;
	memcpy(&ehdr, image.data, sizeof(ehdr));
	ehdr.e_type = ET_DYN; /* a library, whose entry point is meaningless */
	memcpy(image.data, &ehdr, sizeof(ehdr));
	f = dso_file_open_image("made", image.data, image.len, NULL, 0, NULL);
	assert_non_null(f);
	assert_int_equal(dso_starts(f, &ranges, &n), 0);
	assert_int_equal(n, 0);
	free(ranges);
	dso_file_unref(f);

	buf_release(&image);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_program),
		cmocka_unit_test(test_loader),
		cmocka_unit_test(test_caller_of_main),
		cmocka_unit_test(test_caller_of_a_thread),
		cmocka_unit_test(test_caller_of_a_callback_is_no_start),
		cmocka_unit_test(test_made),
	};

	main_returns_to = __builtin_return_address(0);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
