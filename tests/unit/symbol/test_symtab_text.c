/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables that are no ELF files: kallsyms, perf-PID.map, jitdump; and demangling. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/buf.h"
#include "lib/need.h"
#include "symbol/jitdump.h"
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
	/* then it hides nothing: it is the other one */
	scratch_write(s, "sys/kernel/kptr_restrict", "0\n");
	scratch_write(s, "sys/kernel/perf_event_paranoid", "2\n");
	assert_null(symtab_from_kallsyms(scratch_path(s, "kallsyms"), NULL, &err));
	assert_non_null(strstr(err.text, "kernel.perf_event_paranoid is 2"));
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

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
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
		      "0x0000000000005000 0x0000000000000010 long T.h(java.lang.String)\n"
		      "0x 10 prefix without digits\n"
		      "6000 0xg no digit\n"
		      "1000 20 first\n"
		      "3000 0 empty\n"
		      "4000 10\n"
		      "4000 10 \n"
		      "1000 8 again\n"
		      "fffffffffffffff0 ff top");
	t = symtab_from_perf_map(scratch_path(s, "map"), false, NULL);
	assert_non_null(t);
	assert_int_equal(symtab_n(t), 5);
	assert_string_equal(at(t, 0x1007), "again");
	assert_string_equal(at(t, 0x500f), "long T.h(java.lang.String)");
	assert_string_equal(at(t, 0x5010), "none");
	assert_string_equal(at(t, 0x6000), "none");
	assert_string_equal(at(t, 0x1008), "none");
	assert_string_equal(at(t, 0x200f), "second(int, long)");
	assert_string_equal(at(t, 0x3000), "empty");
	assert_string_equal(at(t, 0x3001), "none");
	assert_string_equal(at(t, 0xfffffffffffffff1), "top");
	symtab_free(t);
	scratch_write(s, "map", "nothing\n");
	assert_null(symtab_from_perf_map(scratch_path(s, "map"), false, &err));
	assert_int_equal(err.code, ENOENT);
	assert_null(symtab_from_perf_map(s->dir, false, &err));
	assert_int_equal(err.code, EINVAL);
}

/* Random entries, nested and without size: what a span says is what a search of each offset says. */
static void test_spans(void **state)
{
	struct scratch *s = *state;
	unsigned random = 1, n_spans = 0;

	for (unsigned round = 0; round < 60; round++) {
		struct buf text = BUF_INIT;
		struct symtab *t;

		for (unsigned i = 0; i < 1 + round % 12; i++) {
			random = random * 1103515245 + 12345;
			buf_addf(&text, "%x %x f%u\n", 0x100 + (random >> 16) % 64,
				 (random >> 8) % 4 ? (random >> 24) % 24 : 0, i);
		}
		scratch_write(s, "map", buf_str(&text));
		buf_release(&text);
		t = symtab_from_perf_map(scratch_path(s, "map"), false, NULL);
		assert_non_null(t);
		for (uint64_t off = 0xf0; off < 0x170; off++) {
			uint64_t from, to;

			if (!symtab_span(t, off, &from, &to))
				continue;
			n_spans++;
			assert_true(from <= off && off < to);
			for (uint64_t x = from < 0xe0 ? 0xe0 : from; x < to && x < 0x180; x++)
				assert_ptr_equal(symtab_find(t, x), symtab_find(t, off));
		}
		symtab_free(t);
	}
	assert_true(n_spans > 60 * 64);
}

/* /tmp is world-writable: maps of other users are refused. */
static void test_perf_map_of_another_user(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct scratch *s = *state;

	need("root");
	scratch_write(s, "map", "1000 10 f\n");
	assert_int_equal(chown(scratch_path(s, "map"), 12345, 12345), 0);
	assert_null(symtab_from_perf_map(scratch_path(s, "map"), false, &err));
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
	shows("Ljava/lang/StringLatin1;equals([B[B)Z",
	      "java.lang.StringLatin1.equals(byte[], byte[])");
	shows("LMain;main([Ljava/lang/String;)V", "Main.main(java.lang.String[])");
	shows("La/B;<init>()V", "a.B.<init>()");
	shows("La/B;f(IJLx/Y;[[D)Lx/Z;", "a.B.f(int, long, x.Y, double[][])");
	shows("Loop(int)", "Loop(int)");
	shows("La/B;f(Q)V", "La/B;f(Q)V");
	shows("La/B;f(I", "La/B;f(I");
#ifdef HAVE_LIBIBERTY
	shows("_ZN2ns1SIdLi64EEpLERKS1_", "ns::S<double, 64>::operator+=");
	shows("_ZdlPv@plt", "operator delete@plt");
	shows("_ZZ4mainENKUliE_clEi", "main::{lambda(int)#1}::operator()");
	shows("_ZN4core3fmt5write17h0123456789abcdefE", "core::fmt::write");
	shows("_RNvC7mycrate3foo", "mycrate::foo");
	shows("_Z3fooi.constprop.0", "foo");
	shows("_D3foo3barFiZv", "foo.bar(int)");
	shows("_Dmain_is_no_D", "_Dmain_is_no_D");
#endif
}

/* ---- jitdump ---- */

static void put(struct buf *b, const void *bytes, size_t n)
{
	buf_add(b, bytes, n);
}

static void put_record(struct buf *b, uint32_t id, uint64_t time_ns, const struct buf *body)
{
	buf_add_u32(b, id);
	buf_add_u32(b, (uint32_t)(16 + body->len));
	buf_add_u64(b, time_ns);
	put(b, body->data, body->len);
}

static void put_load(struct buf *b, uint64_t time_ns, uint64_t addr, uint64_t index,
		     const char *name)
{
	struct buf body = BUF_INIT;

	buf_add_u64(&body, 7 | 7ull << 32);
	buf_add_u64(&body, addr);
	buf_add_u64(&body, addr);
	buf_add_u64(&body, 16);
	buf_add_u64(&body, index);
	put(&body, name, strlen(name) + 1);
	buf_add_zeros(&body, 16);
	put_record(b, 0, time_ns, &body);
	buf_release(&body);
}

static void put_lines(struct buf *b)
{
	struct buf body = BUF_INIT;

	buf_add_u64(&body, 0x1000);
	buf_add_u64(&body, 3);
	for (int i = 0; i < 3; i++) {
		buf_add_u64(&body,
			    i < 2 ? 0x1000 + 8 * (uint64_t)i : 0x5000); /* the last: not of it */
		buf_add_u32(&body, 30 + (uint32_t)i);
		buf_add_u32(&body, 0);
		put(&body, i ? "\xff" : "a.js", i ? 2 : 5); /* \xff: the same file */
	}
	put_record(b, 2, 1, &body);
	buf_release(&body);
}

static void make_jitdump(struct buf *b, struct buf *move)
{
	static const uint32_t head[] = { 0x4A695444, 1, 40, 62, 0, 7, 0, 0, 0, 0 };

	put(b, head, sizeof(head));
	put_lines(b);
	put_load(b, 2, 0x1000, 1, "first");
	buf_add_u64(move, 7 | 7ull << 32);
	buf_add_u64(move, 0x2000);
	buf_add_u64(move, 0x1000);
	buf_add_u64(move, 0x2000);
	buf_add_u64(move, 16);
	buf_add_u64(move, 1);
	put_record(b, 1, 3, move);
	put_load(b, 4, 0x1000, 2, "second");
}

static struct jitdump *read_jitdump(struct scratch *s, const struct buf *b, size_t n)
{
	int fd = open(scratch_path(s, "jit-7.dump"), O_RDWR | O_CREAT | O_TRUNC, 0600);
	struct jitdump *d;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, b->data, n), (ssize_t)n);
	d = jitdump_read(fd, "jit-7.dump", NULL);
	close(fd);
	return d;
}

static void test_jitdump(void **state)
{
	struct scratch *s = *state;
	struct buf b = BUF_INIT, move = BUF_INIT;
	const struct jitdump_map *first, *moved, *second;
	const struct jitdump_line *line;
	struct jitdump *d;
	struct symtab *t;
	uint64_t off;

	make_jitdump(&b, &move);
	d = read_jitdump(s, &b, b.len);
	assert_non_null(d);
	assert_int_equal(jitdump_n_maps(d), 3);
	first = jitdump_map(d, 0);
	moved = jitdump_map(d, 1);
	second = jitdump_map(d, 2);
	assert_true(first->addr == 0x1000 && first->time_ns == 2 && first->bytes == 16);
	assert_true(moved->addr == 0x2000 && moved->time_ns == 3 && moved->off == first->off);
	assert_true(second->addr == 0x1000 && second->time_ns == 4 && second->off > first->off);
	t = symtab_from_jitdump(d, false, NULL);
	assert_string_equal(symtab_find(t, first->off + 15)->name, "first");
	assert_string_equal(symtab_find(t, second->off)->name, "second");
	assert_null(symtab_find(t, second->off + 16));
	symtab_free(t);
	t = symtab_from_jitdump(d, true, NULL);
	assert_string_equal(symtab_find(t, 0x1000)->name, "second");
	assert_string_equal(symtab_find(t, 0x2008)->name, "first");
	symtab_free(t);
	line = jitdump_find_line(d, first->off + 9);
	assert_non_null(line);
	assert_int_equal(line->line, 31);
	assert_string_equal(line->file, "a.js");
	assert_int_equal(jitdump_find_line(d, first->off)->line, 30);
	assert_null(jitdump_find_line(d, first->off - 1));
	assert_null(jitdump_find_line(d, first->off + 16));
	assert_null(jitdump_find_line(d, second->off)); /* it has none, and "first" before it has */
	assert_true(jitdump_find_offset(d, 0x1003, &off) && off == second->off + 3);
	assert_true(jitdump_find_offset(d, 0x2003, &off) && off == first->off + 3);
	assert_false(jitdump_find_offset(d, 0x1010, &off));
	assert_false(jitdump_find_offset(d, 0xfff, &off));
	jitdump_free(d);
	/* cut anywhere: what is whole counts */
	for (size_t n = 0; n < b.len; n++) {
		d = read_jitdump(s, &b, n);
		assert_true(!d == (n < 40));
		if (d)
			assert_true(jitdump_n_maps(d) < 3);
		jitdump_free(d);
	}
	buf_release(&b);
	buf_release(&move);
}

static void test_jitdump_name(void **state)
{
	(void)state;
	assert_true(jitdump_is_name("/tmp/jit-17.dump"));
	assert_true(jitdump_is_name("/home/x/.debug/jit/java-jit-1/jit-17.dump"));
	assert_false(jitdump_is_name("/tmp/jit-.dump"));
	assert_false(jitdump_is_name("/tmp/jit-17.dump.old"));
	assert_false(jitdump_is_name("/tmp/xjit-17.dump"));
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(test_kernel),	      T(test_module),
		T(test_forbidden),    T(test_kernel_without_symbols),
		T(test_perf_map),     T(test_perf_map_of_another_user),
		T(test_demangle),     T(test_jitdump),
		T(test_jitdump_name), T(test_spans),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
