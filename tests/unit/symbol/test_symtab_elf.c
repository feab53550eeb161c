/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which symbols of an ELF file become entries, where, and which alias is chosen. */
#include <string.h>
#include "dso/starts.h"
#include "lib/need.h"
#include "symbol/symtab.h"
#include "unit/dso/elf_make.h"
#include "unit/dso/scratch.h"

#define FUNC(n, v, s)                                                                  \
	{                                                                              \
		.name = n, .value = v, .size = s, .type = STT_FUNC, .shndx = MADE_TEXT \
	}
#define SYM(n, v, s, b, t)                                                                 \
	{                                                                                  \
		.name = n, .value = v, .size = s, .bind = b, .type = t, .shndx = MADE_TEXT \
	}
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static struct dso_file *open_made(const struct elf_made *e)
{
	struct buf bytes = BUF_INIT;
	struct dso_file *f;

	elf_make(&bytes, e);
	assert_int_equal(bytes.err, 0);
	f = dso_file_open_image("made", bytes.data, bytes.len, NULL, 0, NULL);
	assert_non_null(f);
	buf_release(&bytes);
	return f;
}

static struct symtab *table_of(const struct elf_made *e)
{
	struct dso_file *f = open_made(e);
	struct symtab *t = symtab_from_elf(f, f, NULL);

	dso_file_unref(f);
	return t;
}

static const char *at(const struct symtab *t, uint64_t off)
{
	const struct symtab_entry *e = symtab_find(t, off);

	return e ? e->name : "none";
}

static void test_kinds(void **state)
{
	static const struct elf_made_sym syms[] = {
		FUNC("function", 0x1000, 16),
		SYM("ifunc", 0x1010, 16, STB_GLOBAL, STT_GNU_IFUNC),
		SYM("label", 0x1020, 16, STB_LOCAL, STT_NOTYPE),
		SYM("section", 0x1030, 16, STB_LOCAL, STT_SECTION),
		SYM("tls", 0x1040, 16, STB_LOCAL, STT_TLS),
		{ .name = "hidden label",
		  .value = 0x1050,
		  .size = 16,
		  .shndx = MADE_TEXT,
		  .visibility = STV_HIDDEN },
		{ .name = "undefined", .value = 0x1060, .size = 16, .type = STT_FUNC },
		{ .name = "absolute",
		  .value = 0x1070,
		  .size = 16,
		  .type = STT_FUNC,
		  .shndx = SHN_ABS },
		{ .name = "warning",
		  .value = 0x1080,
		  .size = 16,
		  .type = STT_OBJECT,
		  .shndx = MADE_COMMENT },
		{ .name = NULL, .value = 0x1090, .size = 16, .type = STT_FUNC, .shndx = MADE_TEXT },
		{ .name = "no section",
		  .value = 0x10a0,
		  .size = 16,
		  .type = STT_FUNC,
		  .shndx = 999 },
		{ .name = "object",
		  .value = 0x3000,
		  .size = 16,
		  .type = STT_OBJECT,
		  .shndx = MADE_DATA },
		{ .name = "bss label", .value = 0x3200, .size = 16, .shndx = MADE_BSS },
		{ .name = "bss",
		  .value = 0x3300,
		  .size = 16,
		  .type = STT_OBJECT,
		  .shndx = MADE_BSS },
	};
	struct elf_made e = { .syms = syms, .n_syms = COUNT(syms) };
	struct symtab *t = table_of(&e);

	(void)state;
	assert_non_null(t);
	assert_string_equal(at(t, 0x100f), "function");
	assert_string_equal(at(t, 0x1010), "ifunc");
	assert_string_equal(at(t, 0x1020), "label");
	assert_string_equal(at(t, 0x1030), "none");
	assert_string_equal(at(t, 0x2000), "object"); /* by its place in the file */
	assert_string_equal(at(t, 0x2300), "bss");
	assert_string_equal(at(t, 0x3000), "none");
	assert_int_equal(symtab_n(t), 5);
	symtab_free(t);
}

static void test_marks_in_arm_code(void **state)
{
	static const struct elf_made_sym syms[] = {
		SYM("$a", 0x1000, 0, STB_LOCAL, STT_NOTYPE),
		SYM("$d.12", 0x1004, 0, STB_LOCAL, STT_NOTYPE),
		SYM("$other", 0x1008, 8, STB_LOCAL, STT_NOTYPE),
		FUNC("thumb", 0x1011, 8),
	};
	struct elf_made e = { .syms = syms, .n_syms = COUNT(syms), .machine = EM_ARM };
	struct symtab *t = table_of(&e);

	(void)state;
	assert_int_equal(symtab_n(t), 2);
	assert_string_equal(at(t, 0x1008), "$other");
	assert_string_equal(at(t, 0x1010), "thumb");
	symtab_free(t);
	e.machine = EM_X86_64;
	t = table_of(&e);
	assert_int_equal(symtab_n(t), 4);
	symtab_free(t);
}

/* Pairs at one start: the winner is the first, whatever the order in the file. */
static void test_aliases(void **state)
{
	static const struct elf_made_sym pairs[][2] = {
		{ SYM("func", 0x1000, 8, STB_WEAK, STT_FUNC),
		  SYM("label_longer", 0x1000, 8, STB_GLOBAL, STT_NOTYPE) },
		{ SYM("local", 0x1000, 8, STB_LOCAL, STT_FUNC),
		  SYM("weak_longer", 0x1000, 8, STB_WEAK, STT_FUNC) },
		{ SYM("global", 0x1000, 8, STB_GLOBAL, STT_FUNC),
		  SYM("local_longer", 0x1000, 8, STB_LOCAL, STT_FUNC) },
		{ SYM("_one", 0x1000, 8, STB_GLOBAL, STT_FUNC),
		  SYM("__two_longer", 0x1000, 8, STB_GLOBAL, STT_FUNC) },
		{ SYM("longer_name", 0x1000, 8, STB_GLOBAL, STT_FUNC),
		  SYM("name", 0x1000, 8, STB_GLOBAL, STT_FUNC) },
		{ SYM("sys_x", 0x1000, 8, STB_GLOBAL, STT_FUNC),
		  SYM("SyS_x", 0x1000, 8, STB_GLOBAL, STT_FUNC) },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(pairs); i++)
		for (int swap = 0; swap < 2; swap++) {
			struct elf_made_sym two[2] = { pairs[i][swap], pairs[i][1 - swap] };
			struct elf_made e = { .syms = two, .n_syms = 2 };
			struct symtab *t = table_of(&e);

			assert_string_equal(at(t, 0x1000), pairs[i][0].name);
			assert_int_equal(symtab_n(t), 1);
			symtab_free(t);
		}
}

/*
 * Ends are set before aliases are dropped: of two with the same start, the first gets no size and
 * loses, the last reaches to the next symbol and counts as sized.
 */
static void test_alias_without_size(void **state)
{
	static const struct elf_made_sym sized = SYM("sized", 0x1000, 8, STB_LOCAL, STT_FUNC);
	static const struct elf_made_sym bare = SYM("bare", 0x1000, 0, STB_GLOBAL, STT_FUNC);
	struct elf_made_sym syms[2] = { bare, sized };
	struct elf_made e = { .syms = syms, .n_syms = 2 };
	struct symtab *t = table_of(&e);

	(void)state;
	assert_string_equal(at(t, 0x1000), "sized");
	symtab_free(t);
	syms[0] = sized;
	syms[1] = bare;
	t = table_of(&e);
	assert_string_equal(at(t, 0x1000), "bare");
	symtab_free(t);
}

/* Underscores and lengths are compared on demangled names. */
static void test_aliases_by_shown_name(void **state)
{
	static const struct elf_made_sym syms[] = {
		SYM("_longer_than_that", 0x1000, 8, STB_GLOBAL, STT_FUNC),
		SYM("_Z1fi", 0x1000, 8, STB_GLOBAL, STT_FUNC),
	};
	struct elf_made e = { .syms = syms, .n_syms = 2 };
	struct symtab *t = table_of(&e);

	(void)state;
#ifdef HAVE_LIBIBERTY
	assert_string_equal(at(t, 0x1000), "_Z1fi");
#else
	assert_string_equal(at(t, 0x1000), "_longer_than_that");
#endif
	symtab_free(t);
}

static void test_ends_and_nesting(void **state)
{
	static const struct elf_made_sym syms[] = {
		FUNC("no_size", 0x1000, 0),	 FUNC("outer", 0x1100, 0x100),
		FUNC("inner", 0x1140, 0x10),	 FUNC("behind_gap", 0x1300, 0x10),
		FUNC("last_no_size", 0x1400, 0),
	};
	struct elf_made e = { .syms = syms, .n_syms = COUNT(syms) };
	struct symtab *t = table_of(&e);

	(void)state;
	assert_string_equal(at(t, 0xfff), "none");
	assert_string_equal(at(t, 0x10ff), "no_size");
	assert_string_equal(at(t, 0x113f), "outer");
	assert_string_equal(at(t, 0x1140), "inner");
	assert_string_equal(at(t, 0x114f), "inner");
	assert_string_equal(at(t, 0x1150), "outer");
	assert_string_equal(at(t, 0x1200), "none"); /* a given size is used */
	/* the last one ends with the page after its own, or where the plt begins */
	assert_string_equal(at(t, 0x17ff), "last_no_size");
	assert_string_equal(at(t, 0x1800), "none");
	symtab_free(t);
}

static void test_both_tables(void **state)
{
	static const struct elf_made_sym syms[] = {
		FUNC("in_symtab", 0x1000, 16),
		{ .name = "in_dynsym",
		  .value = 0x1010,
		  .size = 16,
		  .type = STT_FUNC,
		  .bind = STB_GLOBAL,
		  .shndx = MADE_TEXT,
		  .dynamic = true },
	};
	struct elf_made e = { .syms = syms, .n_syms = COUNT(syms) };
	struct symtab *t = table_of(&e);

	(void)state;
	assert_string_equal(at(t, 0x1000), "in_symtab");
	assert_string_equal(at(t, 0x1010), "in_dynsym");
	symtab_free(t);
	e.no_symtab = true;
	t = table_of(&e);
	assert_string_equal(at(t, 0x1000), "none");
	assert_string_equal(at(t, 0x1010), "in_dynsym");
	symtab_free(t);
}

static void test_plt(void **state)
{
	static const char *const slots[] = { "malloc", "_ZdlPv", "" };
	static const struct elf_made_sym syms[] = { FUNC("_init", 0x1000, 0) };
	struct elf_made e = { .syms = syms, .n_syms = 1, .plt = slots, .n_plt = 3 };
	struct symtab *t = table_of(&e);

	(void)state;
	assert_string_equal(at(t, 0x17ff), "_init");
	assert_string_equal(at(t, 0x1800), "none"); /* the header */
	assert_string_equal(at(t, 0x1810), "malloc@plt");
	assert_string_equal(at(t, 0x182f), "_ZdlPv@plt");
	assert_string_equal(at(t, 0x1830), "@plt");
	assert_string_equal(at(t, 0x1840), "none");
	assert_true(symtab_find(t, 0x1810)->plt);
	assert_false(symtab_find(t, 0x1000)->plt);
	symtab_free(t);
}

/* Symbols of a debug file have the offsets of the executed file. */
static void test_debug_file(void **state)
{
	static const struct elf_made_sym syms[] = { FUNC("known", 0x401010, 16) };
	struct elf_made stripped = { .base = 0x400000, .type = ET_EXEC, .no_symtab = true };
	struct elf_made debug = {
		.base = 0x400000, .type = ET_EXEC, .syms = syms, .n_syms = 1, .debug_only = true
	};
	struct dso_file *runtime = open_made(&stripped), *symbols = open_made(&debug);
	struct ptui_error err = PTUI_ERROR_INIT;
	struct symtab *t = symtab_from_elf(runtime, symbols, &err);

	(void)state;
	assert_non_null(t);
	assert_string_equal(at(t, 0x1010), "known");
	symtab_free(t);
	assert_null(symtab_from_elf(runtime, runtime, &err));
	assert_string_equal(err.text, "made has no symbols");
	dso_file_unref(runtime);
	dso_file_unref(symbols);
}

/* Binary search against linear search. */
static void test_find_against_a_list(void **state)
{
	struct elf_made_sym syms[64];
	struct elf_made e = { .syms = syms, .n_syms = 64 };
	char names[64][16];
	uint32_t r = 1;

	(void)state;
	for (int round = 0; round < 50; round++) {
		struct symtab *t;

		for (int i = 0; i < 64; i++) {
			r = r * 1664525u + 1013904223u;
			snprintf(names[i], sizeof(names[i]), "s%d", i);
			syms[i] = (struct elf_made_sym)FUNC(names[i], 0x1000 + (r >> 16) % 1024,
							    1 + (r >> 8) % 100);
		}
		t = table_of(&e);
		for (uint64_t off = 0x1000; off < 0x1480; off++) {
			const struct symtab_entry *want = NULL, *have = symtab_find(t, off);

			for (size_t j = 0; j < symtab_n(t); j++) {
				const struct symtab_entry *c = symtab_at(t, j);

				if (c->start <= off && off < c->end &&
				    (!want || c->start > want->start))
					want = c;
			}
			assert_ptr_equal(want, have);
		}
		symtab_free(t);
	}
}

/* Every byte of the headers and tables corrupted, every length truncated: no crash. */
static void test_damaged(void **state)
{
	static const char *const slots[] = { "malloc" };
	static const struct elf_made_sym syms[] = { FUNC("f", 0x1000, 0), FUNC("g", 0x1100, 8) };
	static const uint8_t id[20] = { 1 };
	struct elf_made e = { .syms = syms, .n_syms = 2, .plt = slots, .n_plt = 1, .build_id = id };
	struct buf whole = BUF_INIT;

	(void)state;
	elf_make(&whole, &e);
	for (size_t i = 0; i < 3 * whole.len; i++) {
		static const uint8_t nonsense[] = { 0xff, 0x00, 0x80 };
		size_t place = i / 3;
		char keep = whole.data[place];
		struct dso_file *f;

		if (place >= 0x200 && place < 0x2100) /* code is not read */
			continue;
		whole.data[place] = (char)nonsense[i % 3];
		f = dso_file_open_image("made", whole.data, whole.len, NULL, 0, NULL);
		if (f)
			symtab_free(symtab_from_elf(f, f, NULL));
		dso_file_unref(f);
		whole.data[place] = keep;
	}
	for (size_t i = 0; i < whole.len; i += i < 0x200 || i > 0x2100 ? 1 : 64) {
		struct dso_file *f = dso_file_open_image("made", whole.data, i, NULL, 0, NULL);

		if (f)
			symtab_free(symtab_from_elf(f, f, NULL));
		dso_file_unref(f);
	}
	buf_release(&whole);
}

/* ---- what only an assembler and a linker make ---- */

/* What `source` becomes with the linker's options; NULL: they cannot make it here. */
static struct dso_file *linked_file(const char *source, const char *options)
{
	struct dso_file *f = NULL;
	char command[1200];
	struct scratch s;

	assert_int_equal(scratch_init(&s), 0);
	scratch_write(&s, "a.s", source);
	snprintf(command, sizeof(command),
		 "cd '%s' && as -o a.o a.s 2>as.err && ld %s -o a a.o 2>ld.err", s.dir, options);
	if (!system(command))
		f = dso_file_open(scratch_path(&s, "a"), NULL, 0, NULL);
	scratch_release(&s);
	return f;
}

/* Its table. */
static struct symtab *linked(const char *source, const char *options)
{
	struct dso_file *f = linked_file(source, options);
	struct symtab *t = f ? symtab_from_elf(f, f, NULL) : NULL;

	dso_file_unref(f);
	return t;
}

/* An entry with that name that was made for a slot. */
static bool has_slot(const struct symtab *t, const char *name)
{
	for (size_t i = 0; i < symtab_n(t); i++)
		if (symtab_at(t, i)->plt && !strcmp(symtab_at(t, i)->name, name))
			return true;
	return false;
}

#if defined(__x86_64__)
static const char ifunc_source[] = ".text\n"
				   ".type impl,@function\nimpl: ret\n.size impl,1\n"
				   ".globl chosen\n.hidden chosen\n"
				   ".type chosen,@gnu_indirect_function\n"
				   "chosen: lea impl(%rip),%rax\n ret\n.size chosen,.-chosen\n"
				   ".globl _start\n.type _start,@function\n"
				   "_start: call chosen@plt\n ret\n.size _start,.-_start\n";

/* A function that is chosen at start is called through a slot without a symbol. */
static void test_ifunc_slot(void **state)
{
	static const char *const options[] = { "-shared", "", "-z ibtplt", "-shared -z ibtplt" };

	(void)state;
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		struct symtab *t = linked(ifunc_source, options[i]);

		if (!t)
			skip_because("there is no as(1) and ld(1) for it");
		if (!has_slot(t, "chosen@plt"))
			fail_msg("no slot with '%s'", options[i]);
		symtab_free(t);
	}
}

/* The n-th of the calls at the start of .text. */
static const char *called(struct dso_file *f, const struct symtab *t, size_t n)
{
	const struct symtab_entry *e;
	GElf_Shdr text;
	Elf_Data *data = elf_rawdata(dso_file_section(f, SHT_PROGBITS, ".text", &text), NULL);
	const uint8_t *code = (const uint8_t *)data->d_buf + 5 * n;
	int32_t to;

	assert_int_equal(code[0], 0xe8);
	memcpy(&to, code + 1, sizeof(to));
	e = symtab_find(t, text.sh_offset + 5 * n + 5 + (uint64_t)(int64_t)to);
	return e ? e->name : "";
}

/* Relocations of such functions are sorted behind the others, their slots are not. */
static void test_slots_in_another_order(void **state)
{
	static const char source[] =
		".text\n.globl _start\n.type _start,@function\n"
		"_start: call chosen@plt\n call far@plt\n call second@plt\n call nearer@plt\n ret\n"
		".size _start,.-_start\n.type impl,@function\nimpl: ret\n.size impl,1\n"
		".globl chosen\n.hidden chosen\n.type chosen,@gnu_indirect_function\n"
		"chosen: lea impl(%rip),%rax\n ret\n.size chosen,.-chosen\n"
		".globl second\n.hidden second\n.type second,@gnu_indirect_function\n"
		"second: lea impl(%rip),%rax\n ret\n.size second,.-second\n";
	static const char *const options[] = { "-shared", "-shared -z ibtplt", "-shared -z now" };
	static const char *const names[] = { "chosen@plt", "far@plt", "second@plt", "nearer@plt" };

	(void)state;
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		struct dso_file *f = linked_file(source, options[i]);
		struct symtab *t = f ? symtab_from_elf(f, f, NULL) : NULL;

		if (!t)
			skip_because("there is no as(1) and ld(1) for it");
		for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++)
			if (strcmp(called(f, t, k), names[k]) != 0)
				fail_msg("'%s': %s is called %s", options[i], names[k],
					 called(f, t, k));
		symtab_free(t);
		dso_file_unref(f);
	}
}

/* A function whose address is taken as well has its slot in .plt.got. */
static void test_slot_in_plt_got(void **state)
{
	static const char source[] = ".globl _start\n.type _start,@function\n"
				     "_start: call far@plt\n mov far@GOTPCREL(%rip),%rax\n"
				     " call nearer@plt\n ret\n.size _start,.-_start\n";
	static const char *const options[] = { "-shared", "-shared -z ibtplt" };

	(void)state;
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		struct symtab *t = linked(source, options[i]);

		if (!t)
			skip_because("there is no as(1) and ld(1) for it");
		if (!has_slot(t, "far@plt") || !has_slot(t, "nearer@plt"))
			fail_msg("no slot with '%s'", options[i]);
		symtab_free(t);
	}
}
#endif

/* 64-bit PowerPC: symbols name descriptors, whose first word is the function's address. */
static void test_function_descriptors(void **state)
{
	static const char source[] =
		".text\n.globl _start\n_start:\n.Lfunction: .long 0\n .long 0\n"
		".section .opd,\"aw\"\n.globl function\n"
		".type function,%function\n"
		"function: .quad .Lfunction\n .quad 0\n .quad 0\n"
		".size function,8\n";
	struct symtab *t = linked(source, "");
	bool found = false;

	(void)state;
	if (!t)
		skip_because("there is no as(1) and ld(1) for it");
	for (size_t i = 0; i < symtab_n(t); i++) {
		const struct symtab_entry *e = symtab_at(t, i);

		if (strcmp(e->name, "function"))
			continue;
		found = true;
		assert_true(e->start == 0x1000 && e->end == 0x1008); /* .text, not .opd */
	}
	assert_true(found);
	symtab_free(t);
}

/* Of this program: functions with symbols keep them, all others are ranges, and nothing is in two. */
static void test_unnamed(void **state)
{
	struct dso_file *f = dso_file_open("/proc/self/exe", NULL, 0, NULL);
	struct symtab *named, *all, *none = NULL;
	struct dso_range *v;
	size_t n, n_named, n_unnamed = 0;

	(void)state;
	assert_non_null(f);
	assert_int_equal(dso_functions(f, &v, &n), 0);
	assert_true(n > 10);
	named = symtab_from_elf(f, f, NULL);
	all = symtab_from_elf(f, f, NULL);
	assert_non_null(named);
	n_named = symtab_n(all);
	assert_int_equal(symtab_add_unnamed(&all, f), 0);
	for (size_t i = 0; i < symtab_n(all); i++) {
		const struct symtab_entry *e = symtab_at(all, i);

		n_unnamed += e->unnamed;
		for (uint64_t off = e->start; e->unnamed && off < e->end; off++)
			assert_null(symtab_find(named, off));
	}
	assert_int_equal(symtab_n(all), n_named + n_unnamed);
	assert_int_equal(symtab_add_unnamed(&none, f), 0);
	assert_non_null(none);
	for (size_t i = 0; i < n; i++) {
		const struct symtab_entry *e = symtab_find(none, v[i].start);
		char name[40];
		uint64_t rva;

		assert_true(!i || v[i - 1].start <= v[i].start);
		if (!e || !e->unnamed) /* the PLT has names */
			continue;
		assert_true(dso_file_off_to_rva(f, v[i].start, &rva));
		snprintf(name, sizeof(name), "%#llx-%#llx", (unsigned long long)rva,
			 (unsigned long long)(rva + v[i].end - v[i].start));
		assert_string_equal(e->name, name);
		assert_int_equal(e->end, v[i].end);
	}
	assert_true(symtab_find(none, v[n / 2].start) != NULL);
	symtab_free(named);
	symtab_free(all);
	symtab_free(none);
	free(v);
	dso_file_unref(f);
}

#if defined(__x86_64__)
/*
 * As C++ functions are described, which have a personality; then one that wraps around, one in it, and one that ends
 * beyond the file.
 */
static void test_unnamed_odd(void **state)
{
	static const char source[] =
		".text\n.skip 0x10\n"
		"1: .skip 0x10\n2: .skip 0x10\n3: .skip 0x10\n4: .skip 0x10\n"
		".section .eh_frame,\"a\",@progbits\n"
		"10: .long 12f-11f\n11: .long 0\n.byte 1\n.string \"zPLR\"\n.byte 1,0x78,16,7\n"
		".byte 0x9b\n.long 1b-.\n.byte 0x1b,0x1b\n.balign 8\n12:\n"
		".long 14f-13f\n13: .long .-10b\n.long 1b-.\n.long 0x10\n.byte 4\n.long 0\n"
		".balign 8\n14:\n"
		"20: .long 22f-21f\n21: .long 0\n.byte 1\n.string \"zR\"\n.byte 1,0x78,16,1,0\n"
		".balign 8\n22:\n"
		".long 24f-23f\n23: .long .-20b\n.quad 2b\n.quad -0x100\n.balign 8\n24:\n"
		".long 26f-25f\n25: .long .-20b\n.quad 3b\n.quad 0x10\n.balign 8\n26:\n"
		".long 28f-27f\n27: .long .-20b\n.quad 4b\n.quad 1<<40\n.balign 8\n28:\n";
	static const char *const names[] = { "0x1010-0x1020", "0x1020-0x1030", "0x1030-0x1040" };
	struct dso_file *f = linked_file(source, "-e 0 -s -Ttext=0x1000");
	struct symtab *t = NULL;

	(void)state;
	if (!f)
		skip_because("there is no as(1) and ld(1) for it");
	assert_int_equal(symtab_add_unnamed(&t, f), 0);
	assert_non_null(t);
	assert_int_equal(symtab_n(t), 3);
	for (size_t i = 0; i < symtab_n(t); i++)
		assert_string_equal(symtab_at(t, i)->name, names[i]);
	symtab_free(t);
	dso_file_unref(f);
}
#endif

/* Neither symbols nor call frame information. */
static void test_unnamed_without_any(void **state)
{
	struct elf_made e = { .no_symtab = true };
	struct dso_file *f = open_made(&e);
	struct symtab *t = NULL;

	(void)state;
	assert_non_null(f);
	assert_int_equal(symtab_add_unnamed(&t, f), 0);
	assert_null(t);
	dso_file_unref(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_marks_in_arm_code),
		cmocka_unit_test(test_aliases),
		cmocka_unit_test(test_alias_without_size),
		cmocka_unit_test(test_aliases_by_shown_name),
		cmocka_unit_test(test_ends_and_nesting),
		cmocka_unit_test(test_both_tables),
		cmocka_unit_test(test_plt),
		cmocka_unit_test(test_debug_file),
		cmocka_unit_test(test_find_against_a_list),
		cmocka_unit_test(test_unnamed),
		cmocka_unit_test(test_unnamed_without_any),
		cmocka_unit_test(test_damaged),
#if defined(__x86_64__)
		cmocka_unit_test(test_unnamed_odd),
		cmocka_unit_test(test_ifunc_slot),
		cmocka_unit_test(test_slot_in_plt_got),
		cmocka_unit_test(test_slots_in_another_order),
#endif
		cmocka_unit_test(test_function_descriptors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
