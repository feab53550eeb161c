/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines and inlined functions of this program, and of damaged DWARF. */
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/file.h"
#include "lib/need.h"
#include "symbol/debug_info.h"

extern const ElfW(Ehdr) __ehdr_start;

static unsigned innermost_line, middle_line, outer_line;
static volatile unsigned sink;

/* The address after the call. */
static __attribute__((noinline)) const char *return_address(void)
{
	sink++;
	return __builtin_return_address(0);
}

static inline __attribute__((always_inline)) const char *innermost(void)
{
	const char *p;

	sink++;
	innermost_line = __LINE__ + 1;
	p = return_address();
	sink++;
	return p;
}

static inline __attribute__((always_inline)) const char *middle(void)
{
	sink++;
	middle_line = __LINE__ + 1;
	return innermost();
}

static __attribute__((noinline)) const char *outer(void)
{
	const char *p;

	outer_line = __LINE__ + 1;
	p = middle();
	sink++;
	return p;
}

static struct debug_info *open_self(struct ptui_error *err)
{
	struct dso_file *f = dso_file_open("/proc/self/exe", NULL, 0, NULL);
	struct debug_info *d;

	assert_non_null(f);
	assert_true(debug_info_is_in(f));
	d = debug_info_new(f, err);
	dso_file_unref(f);
	return d;
}

static uint64_t in_file(const char *p)
{
	const ElfW(Ehdr) *e = &__ehdr_start;

	return e->e_type == ET_DYN ? (uint64_t)(p - (const char *)e) : (uint64_t)(uintptr_t)p;
}

static const char *base_name(const char *path)
{
	const char *slash = path ? strrchr(path, '/') : NULL;

	return slash ? slash + 1 : path;
}

static void test_inlined(void **state)
{
	struct debug_inline in[DEBUG_INFO_INLINE_MAX];
	struct debug_line line;
	struct debug_info *d = open_self(NULL);
	uint64_t addr = in_file(outer());

	(void)state;
	assert_non_null(d);
	assert_true(debug_info_line(d, addr - 1, &line));
	assert_string_equal(base_name(line.path), "test_debug_info.c");
	assert_int_equal(line.line, innermost_line);
	assert_int_equal(debug_info_inlines(d, addr - 1, in), 2);
	assert_string_equal(in[0].name, "innermost");
	assert_int_equal(in[0].call.line, middle_line);
	assert_string_equal(base_name(in[0].call.path), "test_debug_info.c");
	assert_string_equal(in[1].name, "middle");
	assert_int_equal(in[1].call.line, outer_line);
	debug_info_free(d);
}

static void test_no_such_address(void **state)
{
	struct debug_inline in[DEBUG_INFO_INLINE_MAX];
	struct debug_line line;
	struct debug_info *d = open_self(NULL);

	(void)state;
	assert_false(debug_info_line(d, 0, &line));
	assert_false(debug_info_line(d, UINT64_MAX, &line));
	assert_int_equal(debug_info_inlines(d, 0, in), 0);
	assert_int_equal(debug_info_inlines(d, UINT64_MAX, in), 0);
	debug_info_free(d);
}

/* Overwrites random bytes of the DWARF sections: no crash, no endless loop. */
static void test_damaged(void **state)
{
	static const char *const names[] = { ".debug_info", ".debug_abbrev", ".debug_line",
					     ".debug_rnglists" };
	struct debug_inline in[DEBUG_INFO_INLINE_MAX];
	struct debug_line line;
	uint64_t addr = in_file(outer());
	struct buf whole = BUF_INIT;

	(void)state;
	assert_int_equal(file_read("/proc/self/exe", 256 << 20, &whole, NULL), 0);
	for (unsigned round = 0; round < 40; round++) {
		struct dso_file *f = dso_file_open_image("self", whole.data, whole.len, NULL, 0,
							 NULL);
		GElf_Shdr shdr;
		struct debug_info *d;
		char *copy = malloc(whole.len);

		assert_non_null(f);
		memcpy(copy, whole.data, whole.len);
		srand(round);
		for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
			if (!dso_file_section(f, 0, names[i], &shdr) || !shdr.sh_size)
				continue;
			for (unsigned n = 0; n <= round; n++)
				copy[shdr.sh_offset + (size_t)rand() % shdr.sh_size] = (char)rand();
		}
		dso_file_unref(f);
		f = dso_file_open_image("damaged", copy, whole.len, NULL, 0, NULL);
		assert_non_null(f);
		d = debug_info_new(f, NULL);
		for (uint64_t a = addr > 256 ? addr - 256 : 0; d && a < addr + 256; a += 16) {
			debug_info_line(d, a, &line);
			debug_info_inlines(d, a, in);
		}
		debug_info_free(d);
		dso_file_unref(f);
		free(copy);
	}
	buf_release(&whole);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_inlined),
		cmocka_unit_test(test_no_such_address),
		cmocka_unit_test(test_damaged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
