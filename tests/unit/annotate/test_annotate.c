/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The core of annotations, on a made profile and a few bytes of x86 code. */
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "annotate/disasm.h"
#include "lib/need.h"
#include "profile/debug.h"
#include "unit/dso/scratch.h"
#include "unit/profile/made.h"

#define OFF  0x1000u   /* in the file */
#define ADDR 0x401000u /* as objdump prints it */
#define PUTS 0x401100u

static const uint8_t code[] = {
	0x53,			      /* 00 push */
	0x85, 0xff,		      /* 01 test */
	0x74, 0x05,		      /* 03 je 0a */
	0xe8, 0xf6, 0x00, 0x00, 0x00, /* 05 call 100 */
	0xeb, 0xf5,		      /* 0a jmp 01 */
	0xc3,			      /* 0c ret */
	0x06,			      /* 0d no instruction of 64-bit code */
};

struct world {
	struct profile_debug debug;
	struct scratch scratch;
	char source[300];
	uint16_t machine;
	bool no_code, why, no_lines;
	struct ptui_profile *profile;
	struct ptui_function function;
	struct ptui_error err;
};

static struct world *world;

static int fake_code(struct profile_debug *d, uint32_t dso, uint64_t start,
		     struct profile_code *ret, struct ptui_error *err)
{
	(void)d;
	(void)dso;
	if (world->why)
		return ptui_error_set(err, PTUI_ERROR_FORMAT, ESTALE, NULL, "it is another one");
	if (world->no_code)
		return -ENOENT;
	assert_int_equal(start, OFF);
	*ret = (struct profile_code){ .file = strdup("/made/prog"),
				      .machine = world->machine,
				      .is_64 = true,
				      .bytes = malloc(sizeof(code)),
				      .n = sizeof(code),
				      .off = OFF,
				      .addr = ADDR };
	memcpy(ret->bytes, code, sizeof(code));
	return 0;
}

static bool fake_symbol(struct profile_debug *d, uint32_t dso, uint64_t addr,
			struct profile_symbol *ret)
{
	(void)d;
	(void)dso;
	if (addr >= ADDR && addr < ADDR + sizeof(code))
		*ret = (struct profile_symbol){ "work", OFF, addr - ADDR };
	else if (addr == PUTS)
		*ret = (struct profile_symbol){ "puts@plt", OFF + PUTS - ADDR, 0 };
	else
		return false;
	return true;
}

/* 03 to 09 are of step(), which is inlined. */
static size_t fake_scopes(struct profile_debug *d, const struct profile_frame *f, bool before,
			  struct profile_scope *ret, size_t max)
{
	uint64_t at = f->addr - OFF;
	size_t n = 0;

	(void)d;
	assert_false(before);
	assert_true(max > 2);
	if (world->no_lines)
		return 0;
	if (at >= 3 && at < 0xa)
		ret[n++] = (struct profile_scope){ "step", world->source, 2 };
	ret[n++] = (struct profile_scope){ NULL, world->source, at < 0xa ? 5 : 9 };
	return n;
}

static void fake_free(struct profile_debug *d)
{
	(void)d;
}

static int setup(void **state)
{
	static const uint8_t sampled[] = { 0x01, 0x03, 0x0b, 0x0a };
	struct made *m = made_new();
	struct ptui_profile *p;
	uint32_t name;

	(void)state;
	world = calloc(1, sizeof(*world));
	assert_int_equal(scratch_init(&world->scratch), 0);
	assert_int_equal(scratch_write(&world->scratch, "w.c",
				       "int step(int n)\n{ return n + 1; }\nint work(int n)\n{\n"
				       "\twhile (n)\n\t\tn = step(n);\n\n}\n// nine\n"),
			 0);
	snprintf(world->source, sizeof(world->source), "%s/w.c", world->scratch.dir);
	world->machine = EM_X86_64;
	world->debug = (struct profile_debug){
		.scopes = fake_scopes, .code = fake_code, .symbol = fake_symbol, .free = fake_free
	};
	/* the samples of work() are at four addresses, two of them in one instruction */
	made_sample(m, "w0", 10, 1);
	made_sample(m, "w1", 20, 2);
	made_thread(m, "b", 7, 1);
	made_sample(m, "w2", 30, 3);
	made_sample(m, "w3", 15, 4);
	made_sample(m, "w3", 15, 5);
	made_sample(m, "lib:puts", 10, 6);
	p = world->profile = made_take(m);
	p->debug = &world->debug;
	name = p->frames[0].sym_name;
	for (size_t i = 0; i < 4; i++) {
		p->frames[i].addr = OFF + sampled[i];
		p->frames[i].sym_offset = (uint32_t)sampled[i];
		p->frames[i].sym_name = name;
		p->frames[i].func = p->frames[0].func;
	}
	profile_frame_function(p, &p->frames[0], &world->function);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	ptui_profile_unref(world->profile);
	scratch_release(&world->scratch);
	free(world);
	return 0;
}

static struct ptui_annotation *annotate(const struct ptui_annotate_opts *opts)
{
	struct ptui_annotation *a = ptui_annotate_new(world->profile, &world->function, opts,
						      &world->err);

#ifndef HAVE_LIBOPCODES
	skip_because("built without libopcodes");
#endif
	if (!a)
		fail_msg("%s", world->err.text);
	return a;
}

static const struct ptui_line *line_at(const struct ptui_annotation *a, unsigned at)
{
	uint32_t i = ptui_annotation_find(a, ADDR + at);

	assert_int_not_equal(i, PTUI_NONE);
	return ptui_annotation_line(a, i);
}

static void test_code(void **state)
{
	static const struct ptui_annotate_opts opts = { .no_source = true };
	static const struct {
		unsigned at, n;
		const char *text;
		enum ptui_flow flow;
		bool bad;
	} expected[] = {
		{ 0x0, 1, "push   %rbx", PTUI_FLOW_NEXT, false },
		{ 0x1, 2, "test   %edi,%edi", PTUI_FLOW_NEXT, false },
		{ 0x3, 2, "je     40100a <work+0xa>", PTUI_FLOW_BRANCH, false },
		{ 0x5, 5, "call   401100 <puts@plt>", PTUI_FLOW_CALL, false },
		{ 0xa, 2, "jmp    401001 <work+0x1>", PTUI_FLOW_JUMP, false },
		{ 0xc, 1, "ret", PTUI_FLOW_RETURN, false },
		{ 0xd, 1, "(bad)", PTUI_FLOW_NEXT, true },
	};
	struct ptui_annotation *a = annotate(&opts);
	const struct ptui_annotation_info *info = ptui_annotation_info(a);

	(void)state;
	assert_int_equal(ptui_annotation_n_lines(a), 7);
	assert_int_equal(info->n_code, 7);
	assert_int_equal(info->bad_bytes, 1);
	assert_int_equal(info->start, ADDR);
	assert_int_equal(info->end, ADDR + sizeof(code));
	assert_string_equal(info->arch, "x86-64");
	for (size_t i = 0; i < 7; i++) {
		const struct ptui_line *line = ptui_annotation_line(a, i);

		assert_int_equal(line->addr, ADDR + expected[i].at);
		assert_int_equal(line->offset, OFF + expected[i].at);
		assert_int_equal(line->n_bytes, expected[i].n);
		assert_memory_equal(line->bytes, code + expected[i].at, expected[i].n);
		assert_string_equal(line->text, expected[i].text);
		assert_int_equal(line->flow, expected[i].flow);
		assert_int_equal(line->bad, expected[i].bad);
	}
	assert_int_equal(line_at(a, 3)->target_line, 4);
	assert_int_equal(line_at(a, 3)->mnemonic, 2);
	assert_int_equal(line_at(a, 5)->target_line, PTUI_NONE);
	assert_string_equal(line_at(a, 5)->target_symbol, "puts@plt");
	assert_int_equal(line_at(a, 0xa)->target_line, 1);
	assert_false(line_at(a, 0xc)->has_target);
	assert_ptr_equal(line_at(a, 0x4), line_at(a, 0x3));
	assert_int_equal(ptui_annotation_find(a, ADDR - 1), PTUI_NONE);
	assert_int_equal(ptui_annotation_find(a, ADDR + sizeof(code)), PTUI_NONE);
	ptui_annotation_free(a);
}

static void test_intel(void **state)
{
	static const struct ptui_annotate_opts opts = { .syntax = PTUI_ASM_INTEL };
	struct ptui_annotation *a = annotate(&opts);

	(void)state;
	assert_string_equal(line_at(a, 1)->text, "test   edi,edi");
	ptui_annotation_free(a);
}

/* Source stands above its code, as in objdump -S; code of an inlined function has its name. */
static void test_source(void **state)
{
	static const char *const expected[] = {
		":w0",
		"1",
		"2",
		"3",
		"4",
		"5",
		"push   %rbx",
		"test   %edi,%edi",
		":step",
		"2",
		"je     40100a <work+0xa>",
		"call   401100 <puts@plt>",
		":w0",
		"6",
		"7",
		"8",
		"9",
		"jmp    401001 <work+0x1>",
		"ret",
		"(bad)",
	};
	struct ptui_annotation *a = annotate(NULL);
	const struct ptui_line *line;
	char number[16];

	(void)state;
	assert_int_equal(ptui_annotation_n_lines(a), sizeof(expected) / sizeof(expected[0]));
	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
		line = ptui_annotation_line(a, i);
		snprintf(number, sizeof(number), "%u", line->line);
		if (line->kind == PTUI_LINE_FUNCTION)
			assert_string_equal(line->text, expected[i] + 1);
		else
			assert_string_equal(line->kind == PTUI_LINE_SOURCE ? number : line->text,
					    expected[i]);
	}
	assert_string_equal(ptui_annotation_line(a, 5)->text, "\twhile (n)");
	assert_int_equal(line_at(a, 5)->n_inlines, 1);
	assert_string_equal(ptui_annotation_inline(a, line_at(a, 5)->first_inline), "step");
	assert_int_equal(line_at(a, 5)->line, 2);
	assert_int_equal(line_at(a, 0xa)->n_inlines, 0);
	assert_null(ptui_annotation_info(a)->no_source);
	assert_null(ptui_annotation_info(a)->source_note);
	ptui_annotation_free(a);
}

static void test_no_source(void **state)
{
	struct ptui_annotation *a;

	(void)state;
	unlink(world->source);
	a = annotate(NULL);
	assert_non_null(strstr(ptui_annotation_info(a)->source_note, "w.c is not here"));
	assert_non_null(strstr(ptui_annotation_line(a, 1)->text, "/w.c:5"));
	assert_true(ptui_annotation_line(a, 1)->no_text);
	ptui_annotation_free(a);
	world->no_lines = true;
	a = annotate(NULL);
	assert_string_equal(ptui_annotation_info(a)->no_source, "prog has no debug information");
	assert_int_equal(ptui_annotation_n_lines(a), 7);
	ptui_annotation_free(a);
}

/* --prefix and --prefix-strip: another place for the source files. */
static void test_prefix(void **state)
{
	struct ptui_annotate_opts opts = { .prefix = world->scratch.dir, .prefix_strip = 2 };
	struct ptui_annotation *a;

	(void)state;
	snprintf(world->source, sizeof(world->source), "/build/tree/w.c");
	a = annotate(&opts);
	assert_null(ptui_annotation_info(a)->source_note);
	assert_string_equal(ptui_annotation_line(a, 5)->text, "\twhile (n)");
	assert_string_equal(ptui_annotation_line(a, 5)->path, "/build/tree/w.c");
	ptui_annotation_free(a);
}

static void check_counts(const struct ptui_annotate_counts *c, const struct ptui_annotation *a,
			 unsigned at, uint64_t samples, uint64_t period, double percent)
{
	uint32_t line = ptui_annotation_find(a, ADDR + at);
	struct ptui_annotate_count count = ptui_counts_line(c, 0, line);

	assert_int_equal(count.samples, samples);
	assert_int_equal(count.period, period);
	assert_true(ptui_counts_percent(c, 0, line, PTUI_PERCENT_GLOBAL_PERIOD) - percent < 1e-9 &&
		    percent - ptui_counts_percent(c, 0, line, PTUI_PERCENT_GLOBAL_PERIOD) < 1e-9);
}

static void test_counts(void **state)
{
	static const uint32_t cpu_1 = 1;
	const struct ptui_annotate_filter by_cpu = { .cpus = &cpu_1, .n_cpus = 1 };
	const struct ptui_annotate_filter by_comm = { .samples.comm = "a", .since_ns = 2 };
	struct ptui_annotation *a = annotate(NULL);
	struct ptui_annotate_counts *c = ptui_annotate_count(a, world->profile, NULL, &world->err);
	const uint32_t *hot;
	size_t n;

	(void)state;
	check_counts(c, a, 0x0, 0, 0, 0);
	check_counts(c, a, 0x1, 1, 10, 10);
	check_counts(c, a, 0x3, 1, 20, 20);
	check_counts(c, a, 0xa, 3, 60, 60); /* 0a, and 0b within it */
	assert_int_equal(ptui_counts_local(c, 0).samples, 5);
	assert_int_equal(ptui_counts_local(c, 0).period, 90);
	assert_int_equal(ptui_counts_global(c, 0).period, 100);
	assert_true(ptui_counts_percent(c, 0, ptui_annotation_find(a, ADDR + 0xa),
					PTUI_PERCENT_LOCAL_HITS) == 60);
	hot = ptui_counts_hottest(c, 0, false, &n);
	assert_int_equal(n, 3);
	assert_int_equal(hot[0], ptui_annotation_find(a, ADDR + 0xa));
	assert_int_equal(hot[2], ptui_annotation_find(a, ADDR + 0x1));
	hot = ptui_counts_hottest(c, 0, true, &n);
	assert_int_equal(hot[1], ptui_annotation_find(a, ADDR + 0x1));
	ptui_annotate_counts_free(c);

	c = ptui_annotate_count(a, world->profile, &by_cpu, &world->err);
	assert_int_equal(ptui_counts_local(c, 0).period, 60);
	assert_int_equal(ptui_counts_global(c, 0).period, 70);
	ptui_annotate_counts_free(c);
	c = ptui_annotate_count(a, world->profile, &by_comm, &world->err);
	assert_int_equal(ptui_counts_local(c, 0).period, 20);
	ptui_annotate_counts_free(c);
	ptui_annotation_free(a);
}

/* Of the function of the row: the samples that the list shows. */
static void check_like_list(const struct ptui_annotation *a, const struct ptui_hist_filter *by,
			    uint64_t samples)
{
	const struct ptui_hist_opts opts = { .sort = "sym", .filter = *by, .parent = "^w" };
	const struct ptui_annotate_filter filter = { .samples = *by, .parent = "^w" };
	struct ptui_hist *h = ptui_hist_new(world->profile, &opts, &world->err);
	struct ptui_annotate_counts *c = ptui_annotate_count(a, world->profile, &filter,
							     &world->err);
	struct ptui_row row = { 0 };
	struct ptui_function f;
	uint64_t listed = 0, period = 0;

	assert_non_null(h);
	assert_non_null(c);
	for (size_t i = 0; i < ptui_hist_n_rows(h); i++) {
		ptui_hist_row(h, i, &row);
		if (!ptui_hist_row_function(h, i, &f) || f.start != world->function.start)
			continue;
		listed += row.samples;
		period += row.period;
	}
	assert_int_equal(listed, samples);
	assert_int_equal(ptui_counts_local(c, 0).samples, listed);
	assert_int_equal(ptui_counts_local(c, 0).period, period);
	ptui_annotate_counts_free(c);
	ptui_hist_free(h);
}

static void test_counts_like_list(void **state)
{
	static const struct {
		struct ptui_hist_filter by;
		uint64_t samples;
	} filters[] = {
		{ { .comm = "a" }, 2 },
		{ { .comms = "b\nc" }, 3 },
		{ { .tids = "7" }, 3 },
		{ { .pids = "99" }, 0 },
		{ { .cpus = "0" }, 2 },
		{ { .by_cpu = true, .cpu = 1 }, 3 },
		{ { .by_thread = true, .tid = 7 }, 3 },
		{ { .times = "0.000000002,0.000000003" }, 2 },
		{ { .times = "0%-50%" }, 2 },
		{ { .by_socket = true, .socket = 1 }, 3 },
		{ { .by_socket = true, .socket = 2 }, 0 },
		{ { .has_parent = true }, 5 },
		{ { .resolved = true }, 5 },
	};
	static int32_t sockets[] = { 0, 1 };
	struct ptui_annotation *a = annotate(NULL);

	(void)state;
	world->profile->sockets = sockets;
	world->profile->n_sockets = 2;
	for (size_t i = 0; i < sizeof(filters) / sizeof(filters[0]); i++)
		check_like_list(a, &filters[i].by, filters[i].samples);
	world->profile->sockets = NULL;
	world->profile->n_sockets = 0;
	ptui_annotation_free(a);
}

/* A newer profile of the recording may have other ids: the function is found by its names. */
static void test_another_lineage(void **state)
{
	struct ptui_annotation *a = annotate(NULL);
	struct ptui_annotate_counts *c;

	(void)state;
	world->profile->lineage++;
	for (size_t i = 0; i < world->profile->n_frames; i++)
		world->profile->frames[i].dso += 5;
	c = ptui_annotate_count(a, world->profile, NULL, &world->err);
	assert_int_equal(ptui_counts_local(c, 0).period, 90);
	ptui_annotate_counts_free(c);
	ptui_annotation_free(a);
	a = annotate(NULL);
	assert_int_equal(ptui_annotation_function(a)->module, world->profile->frames[0].dso);
	ptui_annotation_free(a);
}

static void test_functions(void **state)
{
	static const struct ptui_hist_opts by_symbol = { .sort = "sym" },
					   by_comm = { .sort = "comm" };
	struct ptui_function_samples *f;
	struct ptui_function found;
	struct ptui_hist *h;
	size_t n;

	(void)state;
	f = ptui_annotate_functions(world->profile, PTUI_NONE, NULL, &n, &world->err);
	assert_int_equal(n, 2);
	assert_int_equal(f[0].function.start, OFF);
	assert_int_equal(f[0].period, 90);
	assert_int_equal(f[0].samples, 5);
	assert_string_equal(f[1].function.symbol, "puts");
	free(f);
	h = ptui_hist_new(world->profile, &by_symbol, NULL);
	assert_true(ptui_hist_row_function(h, 0, &found));
	assert_string_equal(found.dso, "prog");
	ptui_hist_free(h);
	h = ptui_hist_new(world->profile, &by_comm, NULL);
	assert_false(ptui_hist_row_function(h, 0, &found));
	ptui_hist_free(h);
}

static void test_callee(void **state)
{
	static const struct ptui_annotate_opts opts = { .no_source = true };
	struct ptui_annotation *a = annotate(&opts);
	struct ptui_function callee;

	(void)state;
	assert_true(ptui_annotation_callee(a, 3, world->profile, &callee));
	assert_string_equal(callee.symbol, "puts");
	assert_string_equal(callee.dso, "lib");
	assert_false(ptui_annotation_callee(a, 4, world->profile, &callee));
	assert_false(ptui_annotation_callee(a, 5, world->profile, &callee));
	ptui_annotation_free(a);
}

static void check_failure(int code_wanted, const char *text, const char *hint)
{
	struct ptui_error err = PTUI_ERROR_INIT;

	assert_null(ptui_annotate_new(world->profile, &world->function, NULL, &err));
	assert_int_equal(err.code, code_wanted);
	if (!strstr(err.text, text) || !strstr(err.hint, hint))
		fail_msg("%s\n%s", err.text, err.hint);
}

static void test_failures(void **state)
{
	(void)state;
	world->no_code = true;
	check_failure(ENOENT, "cannot annotate 'w0': the machine code of prog is not here",
		      "below a folder that --symfs names");
	world->why = true;
	check_failure(ESTALE, "cannot annotate 'w0': it is another one", "--symfs names");
	world->no_code = world->why = false;
#ifdef HAVE_LIBOPCODES
	world->machine = 0xfffe;
	check_failure(ENOTSUP, "the disassembler here does not know the architecture machine 65534",
		      "binutils-multiarch");
#else
	check_failure(ENOTSUP, "built without a disassembler", "libopcodes");
#endif
	world->function.symbol = NULL;
	check_failure(ENOENT, "only functions with a name can be annotated", "");
}

static void no_name(void *ctx, uint64_t addr, struct buf *out)
{
	(void)ctx;
	(void)addr;
	(void)out;
}

/* Bytes that end within an instruction. */
static void test_bytes(void **state)
{
	static const struct disasm_target target = { .machine = EM_X86_64, .is_64 = true };
	static const uint8_t cut[] = { 0xe8, 0x00, 0x00 };
	struct disasm *d = disasm_new(&target, NULL, NULL, &world->err);
	struct disasm_insn insn;
	struct buf text = BUF_INIT;

	(void)state;
	if (!d)
		skip_because("built without libopcodes");
	disasm_lock();
	disasm_next(d, 0x10, cut, sizeof(cut), &text, &insn);
	disasm_unlock();
	assert_string_equal(buf_str(&text), ".byte 0xe8");
	assert_int_equal(insn.n_bytes, 1);
	assert_true(insn.bad);
	buf_release(&text);
	disasm_free(d);
}

static void sorted_pointers(void *ctx, uint64_t addr, struct buf *out)
{
	(void)ctx;
	(void)addr;
	buf_add_str(out, "sort<int* [4]>(int*)+0x8");
}

/* What looks like an operand in the name of a function of C++ makes no pointer of it; an operand does. */
static void test_names_like_operands(void **state)
{
	static const struct {
		enum ptui_asm_syntax syntax;
		uint8_t bytes[6];
		bool has_target;
	} all[] = {
		{ PTUI_ASM_ATT, { 0x74, 0x05 }, true },		     /* je 17 <...> */
		{ PTUI_ASM_ATT, { 0xe8, 0xf6 }, true },		     /* call 10b <...> */
		{ PTUI_ASM_ATT, { 0xff, 0x15, 0x17, 0x3c }, false }, /* call *0x3c17(%rip) # ... */
		{ PTUI_ASM_INTEL, { 0xe8, 0xf6 }, true },
		{ PTUI_ASM_INTEL, { 0xff, 0x15, 0x17, 0x3c }, false }, /* call QWORD PTR [rip+... */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		const struct disasm_target target = { .machine = EM_X86_64,
						      .is_64 = true,
						      .syntax = all[i].syntax };
		struct disasm *d = disasm_new(&target, sorted_pointers, NULL, &world->err);
		struct buf text = BUF_INIT;
		struct disasm_insn insn;

		if (!d)
			skip_because("built without libopcodes");
		disasm_lock();
		disasm_next(d, 0x10, all[i].bytes, sizeof(all[i].bytes), &text, &insn);
		disasm_unlock();
		assert_non_null(strstr(buf_str(&text), "<sort<int* [4]>(int*)+0x8>"));
		assert_int_equal(insn.has_target, all[i].has_target);
		buf_release(&text);
		disasm_free(d);
	}
}

/* Jumps, calls and returns of other processors, as far as this libopcodes knows them. */
static void test_processors(void **state)
{
	static const struct {
		uint16_t machine;
		bool is_64, big_endian;
		uint8_t bytes[8];
		size_t n;
		const char *text;
		enum ptui_flow flow;
		uint64_t target; /* 0: none */
	} insns[] = {
		{ EM_386, false, false, { 0x06 }, 1, "push   %es", PTUI_FLOW_NEXT, 0 },
		{ EM_386,
		  false,
		  false,
		  { 0x75, 0x02 },
		  2,
		  "jne    1004",
		  PTUI_FLOW_BRANCH,
		  0x1004 },
		{ EM_AARCH64,
		  true,
		  false,
		  { 4, 0, 0, 0x94 },
		  4,
		  "bl 1010",
		  PTUI_FLOW_CALL,
		  0x1010 },
		{ EM_AARCH64,
		  true,
		  false,
		  { 0x40, 0, 0, 0xb4 },
		  4,
		  "cbz x0, 1008",
		  PTUI_FLOW_BRANCH,
		  0x1008 },
		{ EM_AARCH64,
		  true,
		  false,
		  { 0xfe, 0xff, 0xff, 0x17 },
		  4,
		  "b ff8",
		  PTUI_FLOW_JUMP,
		  0xff8 },
		{ EM_AARCH64, true, false, { 0xc0, 3, 0x5f, 0xd6 }, 4, "ret", PTUI_FLOW_RETURN, 0 },
		{ EM_RISCV,
		  true,
		  false,
		  { 0xef, 0, 0x80, 0 },
		  4,
		  "jal 1008",
		  PTUI_FLOW_CALL,
		  0x1008 },
		{ EM_RISCV,
		  true,
		  false,
		  { 0x63, 0x14, 0xb5, 0 },
		  4,
		  "bne a0,a1,1008",
		  PTUI_FLOW_BRANCH,
		  0x1008 },
		{ EM_PPC64,
		  true,
		  true,
		  { 0x41, 0x82, 0, 8 },
		  4,
		  "beq     1008",
		  PTUI_FLOW_BRANCH,
		  0x1008 },
		{ EM_PPC64, true, true, { 0x4e, 0x80, 0, 0x20 }, 4, "blr", PTUI_FLOW_RETURN, 0 },
		{ EM_S390,
		  true,
		  true,
		  { 0xc0, 0xe5, 0, 0, 0, 4 },
		  6,
		  "brasl %r14,1008",
		  PTUI_FLOW_CALL,
		  0x1008 },
		{ EM_S390, true, true, { 0x07, 0xfe }, 2, "br %r14", PTUI_FLOW_RETURN, 0 },
		{ EM_ARM, false, false, { 1, 0, 0, 0xeb }, 4, "bl 100c", PTUI_FLOW_CALL, 0x100c },
		{ EM_ARM,
		  false,
		  false,
		  { 1, 0, 0, 0x1a },
		  4,
		  "bne 100c",
		  PTUI_FLOW_BRANCH,
		  0x100c },
		{ EM_ARM,
		  false,
		  false,
		  { 0x1e, 0xff, 0x2f, 0xe1 },
		  4,
		  "bx lr",
		  PTUI_FLOW_RETURN,
		  0 },
	};
	struct buf text = BUF_INIT;

	(void)state;
	for (size_t i = 0; i < sizeof(insns) / sizeof(insns[0]); i++) {
		struct disasm_target target = { .machine = insns[i].machine,
						.is_64 = insns[i].is_64,
						.big_endian = insns[i].big_endian };
		struct disasm *d = disasm_new(&target, no_name, NULL, NULL);
		struct disasm_insn insn;

		if (!d)
			continue;
		buf_clear(&text);
		disasm_lock();
		disasm_next(d, 0x1000, insns[i].bytes, insns[i].n, &text, &insn);
		disasm_unlock();
		assert_string_equal(buf_str(&text), insns[i].text);
		assert_int_equal(insn.flow, insns[i].flow);
		assert_int_equal(insn.n_bytes, insns[i].n);
		assert_int_equal(insn.target, insns[i].target);
		disasm_free(d);
	}
	buf_release(&text);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_code),
		TEST(test_intel),
		TEST(test_source),
		TEST(test_no_source),
		TEST(test_prefix),
		TEST(test_counts),
		TEST(test_counts_like_list),
		TEST(test_callee),
		TEST(test_another_lineage),
		TEST(test_functions),
		TEST(test_failures),
		TEST(test_bytes),
		TEST(test_names_like_operands),
		TEST(test_processors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
