/* SPDX-License-Identifier: GPL-2.0-or-later */
/* DSO files, their build-ids, and the search for their symbols. */
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include "dso/dso.h"
#include "lib/need.h"
#include "unit/dso/elf_make.h"
#include "unit/dso/scratch.h"

static const uint8_t ID[20] = { 0xab, 0xcd, 3,	4,  5,	6,  7,	8,  9,	10,
				11,   12,   13, 14, 15, 16, 17, 18, 19, 20 };
#define ID_TEXT "abcd030405060708090a0b0c0d0e0f1011121314"

static int setup(void **state)
{
	static struct scratch s;

	*state = &s;
	return scratch_init(&s);
}

static int teardown(void **state)
{
	scratch_release(*state);
	return 0;
}

static void make(struct scratch *s, const char *name, const uint8_t *id, const char *link)
{
	struct elf_made e = { .build_id = id, .debuglink = link };

	assert_int_equal(elf_make_file(scratch_path(s, name), &e), 0);
}

static void test_open_checks_the_build_id(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct scratch *s = *state;
	uint8_t other[20] = { 9 }, id[20];
	struct dso_file *f;

	make(s, "lib", ID, NULL);
	f = dso_file_open(scratch_path(s, "lib"), ID, 20, &err);
	assert_non_null(f);
	assert_int_equal(dso_file_build_id(f, id), 20);
	assert_memory_equal(id, ID, 20);
	dso_file_unref(dso_file_ref(f));
	dso_file_unref(f);
	assert_null(dso_file_open(scratch_path(s, "lib"), other, 20, &err));
	assert_int_equal(err.code, ESTALE);
	assert_non_null(strstr(err.text, ID_TEXT));
	assert_non_null(strstr(err.text, "0900000000000000000000000000000000000000"));
	make(s, "none", NULL, NULL);
	assert_null(dso_file_open(scratch_path(s, "none"), ID, 20, NULL));
	f = dso_file_open(scratch_path(s, "none"), NULL, 0, NULL);
	assert_non_null(f);
	assert_int_equal(dso_file_build_id(f, id), 0);
	dso_file_unref(f);
}

static void refuse(struct scratch *s, const char *name, int code)
{
	struct ptui_error err = PTUI_ERROR_INIT;

	assert_null(dso_file_open(scratch_path(s, name), NULL, 0, &err));
	assert_int_equal(err.code, code);
	assert_non_null(strstr(err.text, name));
}

static void test_what_is_no_elf_file(void **state)
{
	struct scratch *s = *state;
	uint8_t id[20];

	scratch_write(s, "text", "#!/bin/sh\n");
	scratch_write(s, "empty", "");
	scratch_write(s, "short", "\177ELF");
	assert_int_equal(mkfifo(scratch_path(s, "fifo"), 0666), 0);
	refuse(s, "text", ENOEXEC);
	refuse(s, "empty", ENOEXEC);
	refuse(s, "short", ENOEXEC);
	refuse(s, "fifo", ENOEXEC); /* without waiting for a writer */
	refuse(s, "missing", ENOENT);
	assert_int_equal(dso_read_build_id(scratch_path(s, "text"), id), -ENOEXEC);
	assert_int_equal(dso_read_build_id(scratch_path(s, "fifo"), id), -ENOEXEC);
	assert_int_equal(dso_read_build_id(scratch_path(s, "missing"), id), -ENOENT);
}

static void test_offsets(void **state)
{
	struct elf_made e = { .base = 0x400000, .type = ET_EXEC };
	struct buf bytes = BUF_INIT;
	struct dso_file *f;
	uint64_t v;

	(void)state;
	elf_make(&bytes, &e);
	f = dso_file_open_image("made", bytes.data, bytes.len, NULL, 0, NULL);
	assert_non_null(f);
	assert_true(dso_file_rva_to_off(f, 0x401234, &v));
	assert_true(v == 0x1234);
	assert_true(dso_file_rva_to_off(f, 0x403010, &v));
	assert_true(v == 0x2010);
	assert_true(dso_file_rva_to_off(f, 0x403fff, &v)); /* .bss */
	assert_false(dso_file_rva_to_off(f, 0x404000, &v));
	assert_false(dso_file_rva_to_off(f, 0x400fff, &v));
	dso_file_unref(f);
	buf_release(&bytes);
}

/* Packers and sstrip remove the section headers; objcopy --only-keep-debug keeps nothing but them. */
static void test_has_code(void **state)
{
	static const struct {
		bool debug_only, no_sections, want;
	} cases[] = { { .want = true },
		      { .debug_only = true },
		      { .no_sections = true, .want = true } };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct elf_made e = { .debug_only = cases[i].debug_only };
		struct buf bytes = BUF_INIT;
		struct dso_file *f;

		elf_make(&bytes, &e);
		if (cases[i].no_sections) {
			Elf64_Ehdr *eh = (void *)bytes.data;

			eh->e_shoff = eh->e_shnum = eh->e_shstrndx = 0;
		}
		f = dso_file_open_image("made", bytes.data, bytes.len, NULL, 0, NULL);
		assert_non_null(f);
		assert_int_equal(dso_file_has_code(f), cases[i].want);
		dso_file_unref(f);
		buf_release(&bytes);
	}
}

static void test_read_build_id(void **state)
{
	struct scratch *s = *state;
	uint8_t id[20], running[20];
	int n;

	make(s, "lib", ID, NULL);
	make(s, "none", NULL, NULL);
	assert_int_equal(dso_read_build_id(scratch_path(s, "lib"), id), 20);
	assert_memory_equal(id, ID, 20);
	assert_int_equal(dso_read_build_id(scratch_path(s, "none"), id), 0);
	n = dso_read_build_id("/proc/self/exe", running);
	assert_true(n >= 0);
}

/* The fast reader agrees with libdw. */
static void test_read_build_id_of_ourselves(void **state)
{
	struct dso_file *f = dso_file_open("/proc/self/exe", NULL, 0, NULL);
	uint8_t quick[20] = { 0 }, slow[20] = { 0 };

	(void)state;
	assert_non_null(f);
	assert_int_equal(dso_read_build_id("/proc/self/exe", quick), dso_file_build_id(f, slow));
	assert_memory_equal(quick, slow, 20);
	dso_file_unref(f);
}

static void test_notes(void **state)
{
	static const uint8_t notes[] = {
		4, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 'G', 'N', 'U', 0, 9, 9, 0, 0, /* another */
		4, 0, 0, 0, 3, 0, 0, 0, 3, 0, 0, 0, 'G', 'N', 'U', 0, 7, 8, 9,	  /* unpadded */
	};
	static const uint8_t swapped[] = {
		0, 0, 0, 4, 0, 0, 0, 2, 0, 0, 0, 3, 'G', 'N', 'U', 0, 5, 6, 0, 0,
	};
	bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	uint8_t id[20] = { 0 };

	(void)state;
	assert_int_equal(dso_notes_build_id(notes, sizeof(notes), big, id), 3);
	assert_memory_equal(id, "\7\10\11", 3);
	assert_int_equal(dso_notes_build_id(swapped, sizeof(swapped), !big, id), 2);
	for (size_t n = 0; n < sizeof(notes); n++)
		assert_int_equal(dso_notes_build_id(notes, n, big, id), 0);
}

struct seen {
	char text[4096];
	const char *strip; /* the prefix of every path */
	int stop_at;
	int n;
};

static int see(void *ctx, const char *path, char origin)
{
	struct seen *seen = ctx;
	size_t len = strlen(seen->text), dir = strlen(seen->strip);

	assert_memory_equal(path, seen->strip, dir);
	snprintf(seen->text + len, sizeof(seen->text) - len, "%s %c%s\n", path + dir, origin,
		 dso_origin_is_debug(origin) ? " debug" : "");
	return ++seen->n == seen->stop_at ? 7 : 0;
}

static void test_search_order(void **state)
{
	struct scratch *s = *state;
	char home[80];
	struct dso_search search = { .path = "/usr/bin/x",
				     .build_id = ID,
				     .build_id_bytes = 20,
				     .symfs = s->dir,
				     .home = home };
	struct seen seen = { .strip = s->dir };

	snprintf(home, sizeof(home), "%s/home", s->dir);
	make(s, "usr/bin/x", ID, "x.dbg");
	make(s, "usr/bin/x.dbg", ID, NULL);
	make(s, "usr/bin/.debug/x.dbg", ID, NULL);
	make(s, "usr/lib/debug/usr/bin/x.dbg", ID, NULL);
	make(s, "usr/lib/debug/usr/bin/x.debug", ID, NULL);
	make(s, "usr/lib/debug/usr/bin/x", ID, NULL);
	make(s,
	     "usr/lib/debug/.build-id/ab/"
	     "cd030405060708090a0b0c0d0e0f1011121314.debug",
	     ID, NULL);
	make(s, "home/.debug/.build-id/ab/cd030405060708090a0b0c0d0e0f1011121314/elf", ID, NULL);
	make(s, "home/.debug/.build-id/ab/cd030405060708090a0b0c0d0e0f1011121314/debug", ID, NULL);
	assert_int_equal(dso_search_each(&search, see, &seen), 0);
	assert_string_equal(
		seen.text,
		"/usr/bin/x.dbg l debug\n"
		"/usr/bin/.debug/x.dbg l debug\n"
		"/usr/lib/debug/usr/bin/x.dbg l debug\n"
		"/home/.debug/.build-id/ab/cd030405060708090a0b0c0d0e0f1011121314/elf B\n"
		"/home/.debug/.build-id/ab/cd030405060708090a0b0c0d0e0f1011121314/debug D debug\n"
		"/usr/lib/debug/usr/bin/x.debug f debug\n"
		"/usr/lib/debug/usr/bin/x u debug\n"
		"/usr/lib/debug/.build-id/ab/cd030405060708090a0b0c0d0e0f1011121314.debug b debug\n"
		"/usr/bin/x d\n");
	seen = (struct seen){ .strip = s->dir, .stop_at = 2 };
	assert_int_equal(dso_search_each(&search, see, &seen), 7);
	assert_int_equal(seen.n, 2);
}

/* Without an id only names are used; a link with a slash is ignored. */
static void test_search_without_id(void **state)
{
	struct scratch *s = *state;
	struct dso_search search = { .path = "/bin/x", .symfs = s->dir, .home = s->dir };
	struct seen seen = { .strip = s->dir };

	make(s, "bin/x", NULL, "../../etc/x.dbg");
	assert_int_equal(dso_search_each(&search, see, &seen), 0);
	assert_string_equal(seen.text, "/bin/x d\n");
	search.path = "//anon";
	seen = (struct seen){ .strip = s->dir };
	dso_search_each(&search, see, &seen);
	search.path = "relative";
	dso_search_each(&search, see, &seen);
	assert_int_equal(seen.n, 0);
}

static void test_vdso(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct dso_file *f = dso_vdso_open(NULL, 0, &err);

	(void)state;
	if (!f)
		skip_because("%s", err.text);
	assert_true(dso_file_has_section(f, SHT_DYNSYM));
	dso_file_unref(f);
	assert_null(dso_vdso_open(ID, 20, &err));
	assert_int_equal(err.code, ESTALE);
}

static int cancel(void *ctx, uint64_t done, uint64_t total)
{
	(void)done;
	(void)total;
	return ++*(int *)ctx;
}

/* A server that accepts and never answers: the request ends when progress says so. */
static void test_debuginfod_cancel(void **state)
{
	static const uint8_t id[20] = { 1, 2, 3 };
	struct sockaddr_in at = { .sin_family = AF_INET,
				  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t n = sizeof(at);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), calls = 0;
	struct scratch *s = *state;
	char url[64], *path;

	assert_int_equal(bind(fd, (struct sockaddr *)&at, sizeof(at)), 0);
	assert_int_equal(listen(fd, 8), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&at, &n), 0);
	snprintf(url, sizeof(url), "http://127.0.0.1:%d", ntohs(at.sin_port));
	setenv("DEBUGINFOD_URLS", url, 1);
	setenv("DEBUGINFOD_CACHE_PATH", scratch_path(s, "cache"), 1);
	if (!dso_debuginfod_enabled())
		skip();
	assert_int_equal(dso_debuginfod_fetch(id, sizeof(id), false, cancel, &calls, &path),
			 -ECANCELED);
	assert_true(calls > 0);
	assert_null(path);
	unsetenv("DEBUGINFOD_URLS");
	unsetenv("DEBUGINFOD_CACHE_PATH");
	close(fd);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(test_open_checks_the_build_id),
		T(test_what_is_no_elf_file),
		T(test_offsets),
		T(test_has_code),
		T(test_read_build_id),
		T(test_read_build_id_of_ourselves),
		T(test_notes),
		T(test_search_order),
		T(test_search_without_id),
		T(test_vdso),
		T(test_debuginfod_cancel),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
