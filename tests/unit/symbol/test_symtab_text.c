/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables from text, kallsyms and perf-PID.map; and demangling. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "lib/need.h"
#include "symbol/symtab.h"
#include "unit/dso/scratch.h"

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

static const char *at(const struct symtab *t, uint64_t off)
{
	const struct symtab_entry *e = symtab_find(t, off);

	return e ? e->name : "none";
}

static const char KALLSYMS[] = "ffffffff81000000 T _stext\n"
			       "ffffffff81000000 T _text\n"
			       "ffffffff81000100 t local\n"
			       "ffffffff81000200 W weak\n"
			       "ffffffff81000300 r rodata\n"
			       "ffffffff81000400 D data\n"
			       "ffffffff81000500 t $x\n"
			       "not a line\n"
			       "\n"
			       "ffffffff81000600 T last\n"
			       "ffffffffc0000100 t second\t[nf-x]\n"
			       "ffffffffc0000000 t first\t[nf-x]\n"
			       "ffffffffc0008000 t other\t[nf]\n"
			       "ffffffffc0009000 t bpf_prog_1\t[bpf]";

static void test_kernel(void **state)
{
	struct scratch *s = *state;
	struct symtab *t;

	scratch_write(s, "kallsyms", KALLSYMS);
	t = symtab_from_kallsyms(scratch_path(s, "kallsyms"), NULL, NULL);
	assert_non_null(t);
	/* lines have no size: the last alias gets the gap after it */
	assert_string_equal(at(t, 0xffffffff81000000), "_text");
	assert_string_equal(at(t, 0xffffffff81000100), "local");
	assert_string_equal(at(t, 0xffffffff81000399), "weak"); /* rodata is not included */
	assert_string_equal(at(t, 0xffffffff810005ff), "data");
	assert_string_equal(at(t, 0xffffffff81001fff), "last"); /* to the end of a page */
	assert_string_equal(at(t, 0xffffffff81002000), "none");
	assert_string_equal(at(t, 0xffffffffc0000000), "none");
	assert_int_equal(symtab_find(t, 0xffffffff81000100)->binding, STB_LOCAL);
	assert_int_equal(symtab_find(t, 0xffffffff81000200)->binding, STB_WEAK);
	assert_int_equal(symtab_find(t, 0xffffffff81000400)->type, STT_OBJECT);
	assert_true(symtab_kernel_ref(t, false) == 0xffffffff81000000);
	symtab_free(t);
}

static void test_module(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct scratch *s = *state;
	struct symtab *t;

	scratch_write(s, "kallsyms", KALLSYMS);
	t = symtab_from_kallsyms(scratch_path(s, "kallsyms"), "nf-x", NULL);
	assert_non_null(t);
	assert_int_equal(symtab_n(t), 2);
	assert_string_equal(at(t, 0xffffffffc00000ff), "first");
	assert_string_equal(at(t, 0xffffffffc0001fff), "second");
	assert_string_equal(at(t, 0xffffffffc0002000), "none");
	symtab_free(t);
	t = symtab_from_kallsyms(scratch_path(s, "kallsyms"), "bpf", NULL);
	assert_string_equal(at(t, 0xffffffffc0009000), "bpf_prog_1");
	symtab_free(t);
	assert_null(symtab_from_kallsyms(scratch_path(s, "kallsyms"), "n", &err));
	assert_int_equal(err.code, ENOENT);
	assert_non_null(strstr(err.text, "no symbols of n"));
}

static void test_forbidden(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct scratch *s = *state;

	scratch_write(s, "kallsyms", "0000000000000000 T _text\n0000000000000000 t x\n");
	assert_null(symtab_from_kallsyms(scratch_path(s, "kallsyms"), NULL, &err));
	assert_int_equal(err.code, EPERM);
	assert_non_null(strstr(err.text, "kptr_restrict"));
	mkdir(scratch_path(s, "sys"), 0777);
	mkdir(scratch_path(s, "sys/kernel"), 0777);
	scratch_write(s, "sys/kernel/kptr_restrict", "2\n");
	assert_null(symtab_from_kallsyms(scratch_path(s, "kallsyms"), NULL, &err));
	assert_non_null(strstr(err.text, "kernel.kptr_restrict is 2"));
	assert_null(symtab_from_kallsyms(scratch_path(s, "missing"), NULL, &err));
	assert_int_equal(err.code, ENOENT);
}

static void test_kernel_without_symbols(void **state)
{
	static const char *const texts[] = { "",
					     "\n\n",
					     "x",
					     "ffffffff81000000",
					     "1 T",
					     "ffffffff81000000 T ",
					     "11112222333344445 T long\n" };
	struct ptui_error err = PTUI_ERROR_INIT;
	struct scratch *s = *state;
	size_t i;

	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		scratch_write(s, "kallsyms", texts[i]);
		assert_null(symtab_from_kallsyms(scratch_path(s, "kallsyms"), NULL, &err));
		assert_int_equal(err.code, ENOENT);
	}
}

static void test_perf_map(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct scratch *s = *state;
	struct symtab *t;

	scratch_write(s, "map",
		      "2000 10 second(int, long)\n"
		      "0x1000 10 prefix is no hex digit\n"
		      "1000 20 first\n"
		      "3000 0 empty\n"
		      "4000 10\n"
		      "4000 10 \n"
		      "1000 8 again\n"
		      "fffffffffffffff0 ff top");
	t = symtab_from_perf_map(scratch_path(s, "map"), NULL);
	assert_non_null(t);
	assert_int_equal(symtab_n(t), 4);
	assert_string_equal(at(t, 0x1007), "again");
	assert_string_equal(at(t, 0x1008), "none");
	assert_string_equal(at(t, 0x200f), "second(int, long)");
	assert_string_equal(at(t, 0x3000), "empty");
	assert_string_equal(at(t, 0x3001), "none");
	assert_string_equal(at(t, 0xfffffffffffffff1), "top");
	symtab_free(t);
	scratch_write(s, "map", "nothing\n");
	assert_null(symtab_from_perf_map(scratch_path(s, "map"), &err));
	assert_int_equal(err.code, ENOENT);
	assert_null(symtab_from_perf_map(s->dir, &err));
	assert_int_equal(err.code, EINVAL);
}

/* /tmp is world-writable: maps of other users are refused. */
static void test_perf_map_of_another_user(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct scratch *s = *state;

	need("root");
	scratch_write(s, "map", "1000 10 f\n");
	assert_int_equal(chown(scratch_path(s, "map"), 12345, 12345), 0);
	assert_null(symtab_from_perf_map(scratch_path(s, "map"), &err));
	assert_int_equal(err.code, EPERM);
}

static void shows(const char *name, const char *want)
{
	char *shown = symbol_demangle(name);

	assert_non_null(shown);
	assert_string_equal(shown, want);
	free(shown);
}

static void test_demangle(void **state)
{
	(void)state;
	shows("main", "main");
	shows("_start", "_start");
	shows("", "");
	shows("malloc@plt", "malloc@plt");
	shows("@plt", "@plt");
	shows("camlStdlib__List__map$2b_123", "Stdlib.List.map+_123");
	shows("caml_alloc", "caml_alloc");
#ifdef HAVE_LIBIBERTY
	shows("_ZN2ns1SIdLi64EEpLERKS1_", "ns::S<double, 64>::operator+=");
	shows("_ZdlPv@plt", "operator delete@plt");
	shows("_ZZ4mainENKUliE_clEi", "main::{lambda(int)#1}::operator()");
	shows("_ZN4core3fmt5write17h0123456789abcdefE", "core::fmt::write");
	shows("_RNvC7mycrate3foo", "mycrate::foo");
	shows("_Z3fooi.constprop.0", "foo");
#endif
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(test_kernel),	   T(test_module),
		T(test_forbidden), T(test_kernel_without_symbols),
		T(test_perf_map),  T(test_perf_map_of_another_user),
		T(test_demangle),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
