/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loaded BPF programs from a made kernel: their records, and the features of the file. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "data/read/reader.h"
#include "fake/kernel.h"
#include "lib/need.h"
#include "machine/machine.h"
#include "record/header/bpf_programs.h"
#include "record/header/btf_names.h"
#include "record/header/synth.h"

#define ADDR 0xffffffffc0001000ull

struct world {
	struct fake_kernel kernel;
	struct bpf_programs programs;
	struct perf_event_attr attr;
	struct buf out;
	struct synth synth;
	char path[80];
	struct data_file *file;
	struct data_walk *walk;
	struct strpool names;
	struct machine *machine;
};

static int setup(void **state)
{
	struct world *w = calloc(1, sizeof(*w));

	fake_kernel_init(&w->kernel);
	bpf_programs_init(&w->programs);
	strpool_init(&w->names);
	w->attr.size = PTUI_ATTR_SIZE_VER0;
	w->attr.type = PERF_TYPE_SOFTWARE;
	w->attr.sample_id_all = 1;
	w->attr.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_IDENTIFIER;
	w->synth = (struct synth){ .roots = &w->kernel.ops.roots,
				   .attr = &w->attr,
				   .ops = &w->kernel.ops,
				   .bpf = &w->programs,
				   .out = &w->out };
	*state = w;
	return 0;
}

static int teardown(void **state)
{
	struct world *w = *state;

	machine_free(w->machine);
	strpool_release(&w->names);
	data_walk_free(w->walk);
	data_close(w->file);
	if (w->path[0])
		unlink(w->path);
	buf_release(&w->out);
	bpf_programs_release(&w->programs);
	fake_kernel_release(&w->kernel);
	free(w);
	return 0;
}

/* ---- what the kernel has ---- */

static const uint64_t addrs[2] = { ADDR, ADDR + 0x400 };
static const uint32_t lens[2] = { 0x123, 0x45 };
static const uint8_t tags[2][BPF_TAG_BYTES] = { { 0x59, 0xf4, 0xa9, 0x31, 0x74, 0x4d, 0xcd, 0xc6 },
						{ 1, 2, 3, 4, 5, 6, 7, 8 } };
static const uint8_t code[5] = { 0x55, 0x48, 0x89, 0xe5, 0xc3 };
static const uint32_t functions[2][2] = { { 0, 3 }, { 7, 5 } }; /* instruction, type */

/* INT "int" (1), FUNC_PROTO with one parameter (2), FUNC "xdp_main" (3), STRUCT of one member (4), FUNC "helper" (5) */
static const char type_names[] = "\0int\0xdp_main\0helper\0";
static const uint32_t types[] = {
	1,  1u << 24,	   4, 32,	/* 1 */
	0,  13u << 24 | 1, 1, 0,  1,	/* 2 */
	5,  12u << 24,	   2,		/* 3 */
	0,  4u << 24 | 1,  4, 0,  1, 0, /* 4 */
	14, 12u << 24,	   2,		/* 5 */
};

static struct buf make_btf(uint32_t string_len)
{
	struct buf btf = BUF_INIT;

	buf_add_u16(&btf, 0xeb9f);
	buf_add_u16(&btf, 1);
	buf_add_u32(&btf, 24);
	buf_add_u32(&btf, 0);
	buf_add_u32(&btf, sizeof(types));
	buf_add_u32(&btf, sizeof(types));
	buf_add_u32(&btf, string_len);
	buf_add(&btf, types, sizeof(types));
	buf_add(&btf, type_names, sizeof(type_names));
	return btf;
}

static struct fake_bpf_program *load(struct world *w, uint32_t id, uint32_t n_functions,
				     const char *name)
{
	struct fake_bpf_program *p = &w->kernel.bpf.programs[w->kernel.bpf.n++];

	p->info = (struct bpf_program_info){ .id = id,
					     .jited_prog_len = sizeof(code),
					     .jited_prog_insns = (uintptr_t)code,
					     .nr_jited_ksyms = n_functions,
					     .jited_ksyms = (uintptr_t)addrs,
					     .nr_jited_func_lens = n_functions,
					     .jited_func_lens = (uintptr_t)lens,
					     .nr_prog_tags = n_functions,
					     .prog_tags = (uintptr_t)tags,
					     .func_info_rec_size = 8,
					     .line_info_rec_size = 16,
					     .jited_line_info_rec_size = 8 };
	memcpy(p->info.tag, tags[0], BPF_TAG_BYTES);
	strncpy(p->info.name, name, BPF_NAME_BYTES); /* like the kernel: all 16 bytes may be used */
	return p;
}

static struct fake_bpf_program *load_typed(struct world *w, uint32_t id, const struct buf *btf)
{
	struct fake_bpf_program *p = load(w, id, 2, "xdp_main");

	p->info.btf_id = 7;
	p->info.nr_func_info = 2;
	p->info.func_info = (uintptr_t)functions;
	w->kernel.bpf.btf[w->kernel.bpf.n_btf++] =
		(struct fake_btf){ .id = 7, .bytes = btf->data, .n = (uint32_t)btf->len };
	return p;
}

/* ---- what came of it ---- */

/* Records and features, through a file. */
static void read_back(struct world *w)
{
	struct iovec iov = { w->out.data, w->out.len };
	struct data_writer *writer;
	uint64_t id = 1;
	int ret;

	snprintf(w->path, sizeof(w->path), "%s.data", w->kernel.folder);
	writer = data_writer_new(w->path, NULL);
	assert_non_null(writer);
	assert_int_equal(data_writer_add_event(writer, &w->attr, "x", &id, 1), 0);
	assert_int_equal(data_writer_begin(writer, NULL), 0);
	if (iov.iov_len)
		assert_int_equal(data_writer_write(writer, &iov, 1, NULL), 0);
	assert_int_equal(bpf_programs_add_features(&w->programs, writer), 0);
	assert_int_equal(data_writer_finish(writer, NULL), 0);
	data_writer_free(writer);
	w->file = data_open(w->path, NULL, &ret);
	assert_non_null(w->file);
	w->walk = data_walk_new(w->file, NULL);
	assert_non_null(w->walk);
	w->machine = machine_new(&w->names);
	assert_non_null(w->machine);
}

static void next(struct world *w, struct data_record *rec, uint32_t type)
{
	assert_int_equal(data_walk_next(w->walk, true, rec, NULL), 0);
	assert_int_equal(rec->type, type);
	assert_int_equal(rec->id.time_ns, 0);
	assert_int_equal(machine_add(w->machine, rec, rec->id.time_ns), 0);
}

static void symbol(struct world *w, uint64_t addr, uint32_t len, const char *name)
{
	struct data_record rec;

	next(w, &rec, PERF_RECORD_KSYMBOL);
	assert_true(rec.ksymbol.addr == addr);
	assert_int_equal(rec.ksymbol.len, len);
	assert_int_equal(rec.ksymbol.ksym_type, PERF_RECORD_KSYMBOL_TYPE_BPF);
	assert_int_equal(rec.ksymbol.flags, 0);
	assert_string_equal(rec.ksymbol.name, name);
}

static void loaded(struct world *w, uint32_t id)
{
	struct data_record rec;
	uint16_t type;
	uint32_t got;

	next(w, &rec, PERF_RECORD_BPF_EVENT);
	assert_int_equal(rec.body_bytes, 16 + 24);
	memcpy(&type, rec.body, 2);
	memcpy(&got, rec.body + 4, 4);
	assert_int_equal(type, 1);
	assert_int_equal(got, id);
	assert_memory_equal(rec.body + 8, tags[0], BPF_TAG_BYTES);
}

static void ends(struct world *w)
{
	struct data_record rec;

	assert_int_equal(data_walk_next(w->walk, true, &rec, NULL), 1);
}

static const uint8_t *feature(struct world *w, unsigned which, size_t *n)
{
	const uint8_t *bytes = data_feature(w->file, which, n);

	assert_non_null(bytes);
	return bytes;
}

static uint32_t u32(const uint8_t *at)
{
	uint32_t v;

	memcpy(&v, at, sizeof(v));
	return v;
}

static uint64_t u64(const uint8_t *at)
{
	uint64_t v;

	memcpy(&v, at, sizeof(v));
	return v;
}

static void counts(struct world *w, uint32_t n_programs, uint32_t n_btf)
{
	size_t n;

	assert_int_equal(u32(feature(w, PTUI_FEAT_BPF_PROG_INFO, &n)), n_programs);
	assert_int_equal(u32(feature(w, PTUI_FEAT_BPF_BTF, &n)), n_btf);
}

static void synth(struct world *w)
{
	assert_int_equal(synth_bpf(&w->synth, true), 0);
	read_back(w);
}

/* ---- tests ---- */

static void names_loaded_programs(void **state)
{
	struct world *w = *state;
	struct buf btf = make_btf(sizeof(type_names));

	load_typed(w, 12, &btf);
	load(w, 40, 1, "plain")->gone = true;
	load(w, 41, 1, "sixteen_letters_");
	load(w, 42, 1, "");
	load(w, 43, 2, "two");
	synth(w);
	symbol(w, ADDR, 0x123, "bpf_prog_59f4a931744dcdc6_xdp_main");
	symbol(w, ADDR + 0x400, 0x45, "bpf_prog_0102030405060708_helper");
	loaded(w, 12);
	symbol(w, ADDR, 0x123, "bpf_prog_59f4a931744dcdc6_sixteen_letters_");
	loaded(w, 41);
	symbol(w, ADDR, 0x123, "bpf_prog_59f4a931744dcdc6");
	loaded(w, 42);
	symbol(w, ADDR, 0x123, "bpf_prog_59f4a931744dcdc6_F");
	symbol(w, ADDR + 0x400, 0x45, "bpf_prog_0102030405060708_F");
	loaded(w, 43);
	ends(w);
	counts(w, 4, 1);
	buf_release(&btf);
}

static void writes_features_as_perf_does(void **state)
{
	struct world *w = *state;
	struct buf btf = make_btf(sizeof(type_names));
	const uint8_t *f;
	size_t n;

	load_typed(w, 12, &btf);
	synth(w);
	f = feature(w, PTUI_FEAT_BPF_PROG_INFO, &n);
	assert_int_equal(n, 4 + 16 + 232 + 8 + 16 + 8 + 16 + 16);
	assert_int_equal(u32(f), 1);
	assert_int_equal(u32(f + 4), 232);
	assert_int_equal(u32(f + 8), 64);
	assert_int_equal(u64(f + 12), 0x1f9);
	f += 20;
	assert_int_equal(u32(f + 4), 12);
	assert_int_equal(u64(f + offsetof(struct bpf_program_info, jited_prog_insns)), 0);
	assert_int_equal(u64(f + offsetof(struct bpf_program_info, jited_ksyms)), 8);
	assert_int_equal(u64(f + offsetof(struct bpf_program_info, jited_func_lens)), 24);
	assert_int_equal(u64(f + offsetof(struct bpf_program_info, func_info)), 32);
	assert_int_equal(u64(f + offsetof(struct bpf_program_info, line_info)), 48);
	assert_int_equal(u64(f + offsetof(struct bpf_program_info, jited_line_info)), 48);
	assert_int_equal(u64(f + offsetof(struct bpf_program_info, prog_tags)), 48);
	assert_int_equal(u32(f + offsetof(struct bpf_program_info, btf_id)), 7);
	f += 232;
	assert_memory_equal(f, code, sizeof(code));
	assert_memory_equal(f + 8, addrs, 16);
	assert_memory_equal(f + 24, lens, 8);
	assert_memory_equal(f + 32, functions, 16);
	assert_memory_equal(f + 48, tags, 16);
	f = feature(w, PTUI_FEAT_BPF_BTF, &n);
	assert_int_equal(n, 12 + btf.len);
	assert_int_equal(u32(f), 1);
	assert_int_equal(u32(f + 4), 7);
	assert_int_equal(u32(f + 8), btf.len);
	assert_memory_equal(f + 12, btf.data, btf.len);
	buf_release(&btf);
}

static void resolves_them_at_time_0(void **state)
{
	struct world *w = *state;
	const struct machine_map *map;

	load(w, 12, 1, "plain");
	synth(w);
	symbol(w, ADDR, 0x123, "bpf_prog_59f4a931744dcdc6_plain");
	loaded(w, 12);
	assert_int_equal(machine_seal(w->machine), 0);
	map = machine_find_kernel_map(w->machine, 5, ADDR + 0x20);
	assert_non_null(map);
	assert_string_equal(strpool_get(&w->names, machine_module(w->machine, map->module)->path),
			    "bpf_prog_59f4a931744dcdc6_plain");
	assert_null(machine_find_kernel_map(w->machine, 5, ADDR + 0x123));
}

static void keeps_only_names_without_bpf_events(void **state)
{
	struct world *w = *state;

	load(w, 12, 1, "plain");
	w->synth.bpf = NULL;
	synth(w);
	symbol(w, ADDR, 0x123, "bpf_prog_59f4a931744dcdc6_plain");
	ends(w);
	counts(w, 0, 0);
}

static void adds_programs_that_are_loaded_later(void **state)
{
	struct world *w = *state;
	const struct bpf_program *program, *again;

	load(w, 20, 1, "late");
	load(w, 12, 1, "early");
	assert_int_equal(bpf_programs_read(&w->programs, &w->kernel.ops, 20, &program), 0);
	assert_int_equal(bpf_programs_read(&w->programs, &w->kernel.ops, 12, &again), 0);
	assert_int_equal(bpf_programs_read(&w->programs, &w->kernel.ops, 20, &again), 0);
	assert_ptr_equal(program, again);
	assert_int_equal(bpf_programs_read(&w->programs, &w->kernel.ops, 99, &again), -ENOENT);
	assert_int_equal(w->programs.n, 2);
	assert_int_equal(w->programs.v[0]->info.id, 12);
}

static void reads_trampolines_from_kallsyms(void **state)
{
	struct world *w = *state;

	fake_file(&w->kernel, "proc/kallsyms",
		  "ffffffff81000000 T _text\n"
		  "ffffffff81001000 t bpf_dispatcher_xdp_func\n"
		  "%llx t bpf_prog_59f4a931744dcdc6_plain\t[bpf]\n"
		  "ffffffffc0009000 t bpf_trampoline_42\t[bpf]\n"
		  "ffffffffc000a000 t bpf_dispatcher_xdp\t[bpf]\n"
		  "0000000000000000 t bpf_trampoline_43\t[bpf]\n"
		  "ffffffffc000b000 t bpf_trampoline_44\t[other]\n"
		  "ffffffffc000c000 t bpf_other\t[bpf]\n",
		  ADDR);
	load(w, 12, 1, "plain");
	synth(w);
	symbol(w, ADDR, 0x123, "bpf_prog_59f4a931744dcdc6_plain");
	loaded(w, 12);
	symbol(w, 0xffffffffc0009000, 4096, "bpf_trampoline_42");
	symbol(w, 0xffffffffc000a000, 4096, "bpf_dispatcher_xdp");
	ends(w);
}

static void takes_names_from_kallsyms_when_refused(void **state)
{
	static const int refusals[] = { EPERM, ENOSYS, EINVAL, EACCES };

	for (size_t i = 0; i < sizeof(refusals) / sizeof(*refusals); i++) {
		struct world *w;

		setup(state);
		w = *state;
		fake_file(&w->kernel, "proc/kallsyms",
			  "ffffffff81000000 T _text\n"
			  "ffffffffc0002000 t ext4_sync\t[ext4]\n"
			  "ffffffffc0001400 t bpf_prog_0102030405060708_helper\t[bpf]\n"
			  "ffffffffc0001000 t bpf_prog_59f4a931744dcdc6_xdp_main\t[bpf]\n"
			  "ffffffffc0900000 t bpf_prog_59f4a931744dcdc6_last\t[bpf]\n"
			  "0000000000000000 t bpf_prog_59f4a931744dcdc6_hidden\t[bpf]\n"
			  "nonsense\n\nffffffffc0100000\nffffffffc0100000 t");
		load(w, 12, 1, "plain");
		w->kernel.bpf.refused = refusals[i];
		synth(w);
		symbol(w, ADDR, 0x400, "bpf_prog_59f4a931744dcdc6_xdp_main");
		symbol(w, ADDR + 0x400, 0xc00, "bpf_prog_0102030405060708_helper");
		symbol(w, 0xffffffffc0900000, 0x100000, "bpf_prog_59f4a931744dcdc6_last");
		ends(w);
		counts(w, 0, 0);
		teardown(state);
	}
}

static void names_refused_programs_beside_others(void **state)
{
	struct world *w = *state;

	fake_file(&w->kernel, "proc/kallsyms",
		  "%llx t bpf_prog_59f4a931744dcdc6_seen\t[bpf]\n"
		  "ffffffffc0005000 t bpf_prog_0102030405060708_denied\t[bpf]\n"
		  "ffffffffc0005080 t x\t[m]\n",
		  ADDR);
	load(w, 12, 1, "denied")->refused = EPERM;
	load(w, 13, 1, "seen");
	synth(w);
	symbol(w, ADDR, 0x123, "bpf_prog_59f4a931744dcdc6_seen");
	loaded(w, 13);
	symbol(w, 0xffffffffc0005000, 0x80, "bpf_prog_0102030405060708_denied");
	ends(w);
	counts(w, 1, 0);
}

/* Recordings of user space have no samples in what kallsyms names. */
static void leaves_kallsyms_alone_without_kernel_samples(void **state)
{
	struct world *w = *state;

	fake_file(&w->kernel, "proc/kallsyms", "ffffffffc0009000 t bpf_trampoline_42\t[bpf]\n");
	load(w, 12, 1, "plain");
	assert_int_equal(synth_bpf(&w->synth, false), 0);
	read_back(w);
	symbol(w, ADDR, 0x123, "bpf_prog_59f4a931744dcdc6_plain");
	loaded(w, 12);
	ends(w);
}

static void has_no_symbol_for_what_has_no_code(void **state)
{
	struct world *w = *state;
	static const uint64_t hidden[1];
	static const uint32_t interpreted[1];

	load(w, 12, 1, "hidden")->info.jited_ksyms = (uintptr_t)hidden;
	load(w, 13, 1, "unreadable")->info.jited_ksyms = 0;
	load(w, 14, 1, "interpreted")->info.jited_func_lens = (uintptr_t)interpreted;
	synth(w);
	loaded(w, 12);
	loaded(w, 13);
	loaded(w, 14);
	ends(w);
}

static void refuses_answers_without_sense(void **state)
{
	struct world *w = *state;

	load(w, 1, 1, "huge")->info.nr_jited_ksyms = UINT32_MAX;
	load(w, 2, 1, "huge_lines")->info.nr_line_info = UINT32_MAX;
	w->kernel.bpf.programs[1].info.line_info_rec_size = UINT32_MAX;
	load(w, 3, 1, "untagged")->info.nr_prog_tags = 0;
	load(w, 4, 1, "grows")->changes = true;
	load(w, 5, 2, "uneven")->info.nr_jited_func_lens = 1;
	load(w, 6, 0, "empty");
	synth(w);
	loaded(w, 6);
	ends(w);
	counts(w, 1, 0);
}

static void ends_with_a_kernel_that_repeats_itself(void **state)
{
	struct world *w = *state;

	load(w, 12, 1, "plain");
	w->kernel.bpf.repeats = true;
	synth(w);
	symbol(w, ADDR, 0x123, "bpf_prog_59f4a931744dcdc6_plain");
	loaded(w, 12);
	ends(w);
}

/* Linux 4.x has neither tags of functions nor lines. */
static void omits_what_an_old_kernel_does_not_report(void **state)
{
	struct world *w = *state;

	w->kernel.bpf.known = offsetof(struct bpf_program_info, nr_func_info);
	load(w, 12, 1, "plain");
	fake_file(&w->kernel, "proc/kallsyms", "%llx t bpf_prog_59f4a931744dcdc6\t[bpf]\n", ADDR);
	synth(w);
	symbol(w, ADDR, 0x100000, "bpf_prog_59f4a931744dcdc6");
	ends(w);
	counts(w, 0, 0);
}

static void survives_damaged_types(void **state)
{
	struct world *w = *state;
	struct buf btf = make_btf(sizeof(type_names));

	/* its size is wrong: the types are dropped, and functions are named by tags */
	load_typed(w, 12, &btf);
	w->kernel.bpf.btf[0].claims = UINT32_MAX;
	synth(w);
	symbol(w, ADDR, 0x123, "bpf_prog_59f4a931744dcdc6_F");
	symbol(w, ADDR + 0x400, 0x45, "bpf_prog_0102030405060708_F");
	loaded(w, 12);
	ends(w);
	counts(w, 1, 0);
	buf_release(&btf);
}

static void reads_types_within_their_bytes(void **state)
{
	struct buf whole = make_btf(sizeof(type_names));
	struct btf_names names;

	(void)state;
	assert_int_equal(btf_names_init(&names, whole.data, whole.len), 0);
	assert_int_equal(names.n, 5);
	assert_string_equal(btf_names_find(&names, 5), "helper");
	assert_null(btf_names_find(&names, 0));
	assert_null(btf_names_find(&names, 2));
	assert_null(btf_names_find(&names, 6));
	assert_null(btf_names_find(&names, UINT32_MAX));
	btf_names_release(&names);
	/* cut anywhere, in memory that ends there; with any byte of the header or types another */
	for (size_t n = 0; n < whole.len; n++) {
		char *cut = malloc(n + !n);

		memcpy(cut, whole.data, n);
		assert_int_equal(btf_names_init(&names, cut, n), 0);
		for (uint32_t id = 0; id < 7; id++)
			btf_names_find(&names, id);
		btf_names_release(&names);
		free(cut);
		whole.data[n] ^= (char)0xff;
		assert_int_equal(btf_names_init(&names, whole.data, whole.len), 0);
		for (uint32_t id = 0; id < 7; id++)
			btf_names_find(&names, id);
		btf_names_release(&names);
		whole.data[n] ^= (char)0xff;
	}
	buf_release(&whole);
	/* the last name does not end */
	whole = make_btf(20);
	assert_int_equal(btf_names_init(&names, whole.data, whole.len), 0);
	assert_string_equal(btf_names_find(&names, 3), "xdp_main");
	assert_null(btf_names_find(&names, 5));
	btf_names_release(&names);
	buf_release(&whole);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(names_loaded_programs, setup, teardown),
		cmocka_unit_test_setup_teardown(writes_features_as_perf_does, setup, teardown),
		cmocka_unit_test_setup_teardown(resolves_them_at_time_0, setup, teardown),
		cmocka_unit_test_setup_teardown(keeps_only_names_without_bpf_events, setup,
						teardown),
		cmocka_unit_test_setup_teardown(adds_programs_that_are_loaded_later, setup,
						teardown),
		cmocka_unit_test_setup_teardown(reads_trampolines_from_kallsyms, setup, teardown),
		cmocka_unit_test(takes_names_from_kallsyms_when_refused),
		cmocka_unit_test_setup_teardown(names_refused_programs_beside_others, setup,
						teardown),
		cmocka_unit_test_setup_teardown(leaves_kallsyms_alone_without_kernel_samples, setup,
						teardown),
		cmocka_unit_test_setup_teardown(has_no_symbol_for_what_has_no_code, setup,
						teardown),
		cmocka_unit_test_setup_teardown(refuses_answers_without_sense, setup, teardown),
		cmocka_unit_test_setup_teardown(ends_with_a_kernel_that_repeats_itself, setup,
						teardown),
		cmocka_unit_test_setup_teardown(omits_what_an_old_kernel_does_not_report, setup,
						teardown),
		cmocka_unit_test_setup_teardown(survives_damaged_types, setup, teardown),
		cmocka_unit_test(reads_types_within_their_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
