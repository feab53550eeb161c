/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From addresses to frames to symbols, with made-up modules below a test root. */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>
#include "base/perf_abi.h"
#include "lib/need.h"
#include "resolve/resolver.h"
#include "unit/dso/elf_make.h"
#include "unit/dso/scratch.h"

#define KTEXT 0xffffffff81000000

static const uint8_t ID[20] = { 1, 2, 3 }, OTHER_ID[20] = { 9, 9 };

struct world {
	struct scratch s;
	struct strpool names;
	struct machine *m;
	struct resolver *r;
	char proc[80], sysfs[80];
	char given[2][600]; /* paths of files given by name */
	struct roots roots;
	struct utsname uts;
	const char *release; /* of the recorded kernel */
	uint64_t seq;
	bool preloads; /* a thread reads the symbols, */
	bool early;    /* those of the kernel first */
};

static int setup(void **state)
{
	static struct world w;

	memset(&w, 0, sizeof(w));
	assert_int_equal(scratch_init(&w.s), 0);
	snprintf(w.proc, sizeof(w.proc), "%s/proc", w.s.dir);
	snprintf(w.sysfs, sizeof(w.sysfs), "%s/sys", w.s.dir);
	mkdir(w.proc, 0777);
	mkdir(w.sysfs, 0777);
	w.roots = (struct roots){ .proc = w.proc, .sysfs = w.sysfs };
	assert_int_equal(uname(&w.uts), 0);
	w.release = w.uts.release;
	assert_int_equal(strpool_init(&w.names), 0);
	w.m = machine_new(&w.names);
	assert_non_null(w.m);
	*state = &w;
	return 0;
}

static int setup_preloads(void **state)
{
	int ret = setup(state);

	((struct world *)*state)->preloads = true;
	return ret;
}

static int setup_early(void **state)
{
	int ret = setup_preloads(state);

	((struct world *)*state)->early = true;
	return ret;
}

static int teardown(void **state)
{
	struct world *w = *state;

	resolver_free(w->r);
	machine_free(w->m);
	strpool_release(&w->names);
	scratch_release(&w->s);
	return 0;
}

static void map_with(struct world *w, uint64_t when, int pid, uint64_t start, uint64_t pgoff,
		     const char *path, const uint8_t *id)
{
	struct data_record rec = { .type = PERF_RECORD_MMAP2,
				   .misc = pid == -1 ? DATA_MODE_KERNEL : DATA_MODE_USER,
				   .seq = w->seq++ };

	rec.mmap = (struct data_mmap){ .pid = pid,
				       .tid = pid,
				       .start = start,
				       .len = 0x1000,
				       .pgoff = pgoff,
				       .prot = PROT_READ | PROT_EXEC,
				       .path = path };
	if (id) {
		rec.mmap.build_id_bytes = 20;
		memcpy(rec.mmap.build_id, id, 20);
	}
	assert_int_equal(machine_add(w->m, &rec, when), 0);
}

static void map(struct world *w, int pid, uint64_t start, uint64_t pgoff, const char *path)
{
	map_with(w, 0, pid, start, pgoff, path, NULL);
}

static void seal_with(struct world *w, const struct ptui_kernel_symbols *kernel)
{
	struct resolver_opts opts = { .roots = &w->roots,
				      .symfs = w->s.dir,
				      .home = w->s.dir,
				      .kernel = *kernel,
				      .kernel_release = w->release,
				      .arch = w->uts.machine,
				      .hostname = w->uts.nodename };

	assert_int_equal(machine_seal(w->m), 0);
	w->r = resolver_new(w->m, &w->names, &opts);
	assert_non_null(w->r);
	if (w->preloads)
		resolver_preload(w->r);
	if (w->early)
		resolver_preload_kernel(w->r, ID, sizeof(ID));
}

static void seal(struct world *w)
{
	const struct ptui_kernel_symbols usual = { .vmlinux = NULL };

	seal_with(w, &usual);
}

static void make_lib(struct world *w, const char *path, const uint8_t *id, const char *symbol)
{
	struct elf_made_sym sym = { .name = symbol,
				    .value = 0x1100,
				    .size = 0x100,
				    .type = STT_FUNC,
				    .bind = STB_GLOBAL,
				    .shndx = MADE_TEXT };
	struct elf_made e = { .build_id = id, .syms = &sym, .n_syms = symbol ? 1 : 0 };

	assert_int_equal(elf_make_file(scratch_path(&w->s, path), &e), 0);
}

static const struct frame *frame(struct world *w, uint32_t id)
{
	assert_true(id < resolver_n_frames(w->r));
	return &resolver_frames(w->r)[id];
}

static void symbolize(struct world *w)
{
	assert_int_equal(resolver_symbolize(w->r, NULL, NULL, NULL), 0);
}

static const char *sym_name(struct world *w, uint32_t id)
{
	const struct frame *f = frame(w, id);

	assert_true(f->symbolized);
	if (f->sym == PTUI_NONE)
		return "none";
	return strpool_get(&w->names, resolver_symbol(w->r, f->sym)->name);
}

static const struct dso_info *dso(struct world *w, uint32_t id)
{
	assert_int_not_equal(frame(w, id)->dso, PTUI_NONE);
	return resolver_dso(w->r, frame(w, id)->dso);
}

static const char *short_name(struct world *w, uint32_t id)
{
	return strpool_get(&w->names, dso(w, id)->short_name);
}

static uint32_t user(struct world *w, int pid, uint64_t when, uint64_t addr)
{
	return resolver_frame(w->r, pid, DATA_MODE_USER, when, addr);
}

static uint32_t kernel(struct world *w, uint64_t addr)
{
	return resolver_frame(w->r, 1, DATA_MODE_KERNEL, 0, addr);
}

static void test_two_processes_one_frame(void **state)
{
	struct world *w = *state;
	uint32_t a, b, c, other;

	make_lib(w, "/lib/libx.so", ID, "_ZN1x3fooEv");
	map_with(w, 0, 1, 0x7000000, 0x1000, "/lib/libx.so", ID);
	map_with(w, 0, 2, 0x9000000, 0x1000, "/lib/libx.so", ID);
	seal(w);
	a = user(w, 1, 0, 0x7000110);
	b = user(w, 2, 5, 0x9000110);
	c = user(w, 1, 9, 0x7000110);
	other = user(w, 1, 0, 0x7000000);
	assert_int_equal(a, b);
	assert_int_equal(a, c);
	assert_int_not_equal(a, other);
	assert_true(frame(w, a)->off == 0x1110);
	assert_false(frame(w, a)->symbolized);
	symbolize(w);
#ifdef HAVE_LIBIBERTY
	assert_string_equal(sym_name(w, a), "x::foo");
#else
	assert_string_equal(sym_name(w, a), "_ZN1x3fooEv");
#endif
	assert_string_equal(sym_name(w, other), "none");
	assert_string_equal(short_name(w, a), "libx.so");
	assert_int_equal(dso(w, a)->state, DSO_OK);
	assert_string_equal(dso(w, a)->why, "");
}

/* Frames may be added after the first symbolization. */
static void test_symbolize_twice(void **state)
{
	struct world *w = *state;
	uint32_t a, b;

	make_lib(w, "/lib/libx.so", NULL, "foo");
	map(w, 1, 0x7000000, 0x1000, "/lib/libx.so");
	seal(w);
	a = user(w, 1, 0, 0x7000110);
	symbolize(w);
	assert_string_equal(sym_name(w, a), "foo");
	b = user(w, 1, 0, 0x7000120);
	assert_int_not_equal(a, b);
	unlink(scratch_path(&w->s, "/lib/libx.so")); /* it was read before */
	symbolize(w);
	assert_string_equal(sym_name(w, b), "foo");
	assert_int_equal(frame(w, a)->sym, frame(w, b)->sym);
}

static void test_no_map(void **state)
{
	struct world *w = *state;
	uint32_t a, b, kern;

	map(w, 1, 0x7000000, 0, "/a");
	map(w, 2, 0x7000000, 0, "/a");
	seal(w);
	a = user(w, 1, 0, 0x1234);
	b = user(w, 2, 0, 0x1234);
	kern = kernel(w, 0x1234);
	assert_int_equal(frame(w, a)->dso, PTUI_NONE);
	assert_true(frame(w, a)->off == 0x1234);
	assert_int_not_equal(a, b);    /* another space */
	assert_int_not_equal(a, kern); /* another mode */
	assert_int_equal(frame(w, kern)->mode, DATA_MODE_KERNEL);
	assert_int_equal(user(w, 1, 0, 0x1234), a);
	assert_int_equal(frame(w, resolver_frame(w->r, 1, DATA_MODE_GUEST_USER, 0, 0x7000000))->dso,
			 PTUI_NONE);
	assert_int_equal(frame(w, user(w, -1, 0, KTEXT))->dso, PTUI_NONE);
	symbolize(w);
	assert_string_equal(sym_name(w, a), "none");
}

/* The cache must not outlive a map. */
static void test_address_changes_hands(void **state)
{
	struct world *w = *state;

	map_with(w, 10, 1, 0x7000000, 0, "/a", NULL);
	map_with(w, 20, 1, 0x7000000, 0, "/b", NULL);
	seal(w);
	for (uint64_t when = 0; when < 30; when += when % 3 ? 5 : 1) { /* back and forth */
		uint64_t t = (when * 7) % 30;
		const struct frame *f = frame(w, user(w, 1, t, 0x7000010));

		if (t < 10)
			assert_int_equal(f->dso, PTUI_NONE);
		else
			assert_string_equal(strpool_get(&w->names,
							resolver_dso(w->r, f->dso)->name),
					    t < 20 ? "/a" : "/b");
	}
	assert_string_equal(strpool_get(&w->names, dso(w, user(w, 1, UINT64_MAX, 0x7000010))->name),
			    "/b");
}

static void test_states(void **state)
{
	struct world *w = *state;
	uint32_t gone, stale, bare, junk;

	make_lib(w, "/stale", OTHER_ID, "foo");
	make_lib(w, "/bare", NULL, NULL);
	scratch_write(&w->s, "junk", "no elf");
	map(w, 1, 0x1000000, 0x1000, "/gone (deleted)");
	map_with(w, 0, 1, 0x2000000, 0x1000, "/stale", ID);
	map(w, 1, 0x3000000, 0x1000, "/bare");
	map(w, 1, 0x4000000, 0x1000, "/junk");
	seal(w);
	gone = user(w, 1, 0, 0x1000110);
	stale = user(w, 1, 0, 0x2000110);
	bare = user(w, 1, 0, 0x3000110);
	junk = user(w, 1, 0, 0x4000110);
	symbolize(w);
	assert_int_equal(dso(w, gone)->state, DSO_NO_FILE);
	assert_non_null(strstr(dso(w, gone)->why, "/gone (deleted)"));
	assert_string_equal(short_name(w, gone), "gone (deleted)");
	assert_int_equal(dso(w, stale)->state, DSO_STALE);
	assert_non_null(strstr(dso(w, stale)->why, "0102030000"));
	assert_non_null(strstr(dso(w, stale)->why, "0909000000"));
	assert_string_equal(sym_name(w, stale), "none");
	assert_int_equal(dso(w, bare)->state, DSO_NO_SYMBOLS);
	assert_int_equal(dso(w, junk)->state, DSO_NO_SYMBOLS);
}

/* A stripped file and its debug file, found by build-id. */
static void test_debug_file(void **state)
{
	struct elf_made_sym sym = { .name = "hidden",
				    .value = 0x1100,
				    .size = 0x100,
				    .type = STT_FUNC,
				    .shndx = MADE_TEXT };
	struct elf_made stripped = { .build_id = ID, .no_symtab = true };
	struct elf_made debug = { .build_id = ID, .syms = &sym, .n_syms = 1, .debug_only = true };
	struct world *w = *state;
	uint32_t a;

	assert_int_equal(elf_make_file(scratch_path(&w->s, "/bin/x"), &stripped), 0);
	assert_int_equal(elf_make_file(scratch_path(&w->s,
						    "/usr/lib/debug/.build-id/01/"
						    "02030000000000000000000000000000000000.debug"),
				       &debug),
			 0);
	map(w, 1, 0x1000000, 0x1000, "/bin/x"); /* its id is read from the file */
	seal(w);
	a = user(w, 1, 0, 0x1000110);
	symbolize(w);
	assert_string_equal(sym_name(w, a), "hidden");
}

static void test_kernel(void **state)
{
	struct world *w = *state;
	uint32_t a, b;

	scratch_write(&w->s, "proc/kallsyms",
		      "ffffffff81000000 T _text\nffffffff81000100 T _Z3foov\n"
		      "ffffffffc0000000 t nf_init\t[nf_x]\n");
	map(w, -1, KTEXT, KTEXT, "[kernel.kallsyms]_text");
	map(w, -1, 0xffffffffc0000000, 0, "/lib/modules/6.1/kernel/nf-x.ko.xz");
	seal(w);
	a = kernel(w, KTEXT + 0x110);
	b = kernel(w, 0xffffffffc0000010);
	assert_true(frame(w, a)->off == KTEXT + 0x110);
	/* in a kernel module: its offset */
	assert_true(frame(w, b)->off == 0x10);
	symbolize(w);
	assert_string_equal(sym_name(w, a), "_Z3foov"); /* kernel names are not demangled */
	assert_string_equal(short_name(w, a), "[kernel.kallsyms]");
	assert_string_equal(sym_name(w, b), "nf_init");
	assert_string_equal(short_name(w, b), "[nf_x]");
}

/* A build-id note as in sysfs. */
static void write_build_id(const char *path, const uint8_t *id, uint32_t bytes)
{
	const uint32_t head[] = { 4, bytes, 3 };
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fwrite(head, 1, sizeof(head), f);
	fwrite("GNU", 1, 4, f);
	fwrite(id, 1, bytes, f);
	fclose(f);
}

static void running_build_id(struct world *w, const uint8_t *id, uint32_t bytes)
{
	mkdir(scratch_path(&w->s, "sys/kernel"), 0777);
	write_build_id(scratch_path(&w->s, "sys/kernel/notes"), id, bytes);
}

static void module_build_id(struct world *w, const char *name, const uint8_t *id)
{
	char path[200];

	mkdir(scratch_path(&w->s, "sys/module"), 0777);
	snprintf(path, sizeof(path), "sys/module/%s", name);
	mkdir(scratch_path(&w->s, path), 0777);
	snprintf(path, sizeof(path), "sys/module/%s/notes", name);
	mkdir(scratch_path(&w->s, path), 0777);
	snprintf(path, sizeof(path), "sys/module/%s/notes/.note.gnu.build-id", name);
	write_build_id(scratch_path(&w->s, path), id, 20);
}

/* The same kernel at another address after a reboot. */
static void test_kernel_moved(void **state)
{
	struct world *w = *state;
	const struct symbol *sym;
	uint32_t a, b;

	scratch_write(&w->s, "proc/kallsyms",
		      "ffffffff92000000 T _text\nffffffff92000100 T foo\n"
		      "ffffffff92000200 T bar\nffffffffc0005000 t nf_init\t[nf]\n");
	scratch_write(&w->s, "proc/modules",
		      "nfs 4096 0 - Live 0x1\n"
		      "nf 4096 0 - Live 0xffffffffc0005000\n");
	map(w, -1, KTEXT, KTEXT, "[kernel.kallsyms]_text");
	map(w, -1, 0xffffffffc0000000, 0, "[nf]");
	assert_int_equal(machine_add_build_id(w->m, "[kernel.kallsyms]", ID, 20), 0);
	assert_int_equal(machine_add_build_id(w->m, "[nf]", OTHER_ID, 20), 0);
	running_build_id(w, ID, 20);
	module_build_id(w, "nf", OTHER_ID);
	seal(w);
	a = kernel(w, KTEXT + 0x110);
	b = kernel(w, 0xffffffffc0000010);
	symbolize(w);
	assert_string_equal(sym_name(w, a), "foo");
	sym = resolver_symbol(w->r, frame(w, a)->sym);
	assert_true(sym->start == KTEXT + 0x100 && sym->end == KTEXT + 0x200);
	assert_string_equal(sym_name(w, b), "nf_init");
}

static void test_kernel_forbidden(void **state)
{
	struct world *w = *state;
	uint32_t a;

	scratch_write(&w->s, "proc/kallsyms", "0000000000000000 T _text\n");
	map(w, -1, KTEXT, KTEXT, "[kernel.kallsyms]_text");
	seal(w);
	a = kernel(w, KTEXT + 0x110);
	symbolize(w);
	assert_int_equal(dso(w, a)->state, DSO_FORBIDDEN);
	assert_non_null(strstr(dso(w, a)->why, "kptr_restrict"));
}

static const uint8_t TODAY_ID[4] = { 7, 7 };

static void test_kernel_of_another_day(void **state)
{
	struct world *w = *state;
	uint32_t a;

	scratch_write(&w->s, "proc/kallsyms", "ffffffff81000000 T _text\n");
	running_build_id(w, TODAY_ID, 4);
	map(w, -1, KTEXT, KTEXT, "[kernel.kallsyms]_text");
	assert_int_equal(machine_add_build_id(w->m, "[kernel.kallsyms]", ID, 20), 0);
	seal(w);
	a = kernel(w, KTEXT + 0x110);
	symbolize(w);
	assert_int_equal(dso(w, a)->state, DSO_STALE);
	assert_non_null(strstr(dso(w, a)->why, "build-id 07070000,"));
}

/* ---- vmlinux ---- */

/* Linked 16 MiB below where the recorded kernel ran; "foo" is 0x100 behind its reference symbols. */
static const char *make_vmlinux(struct world *w, const char *path, const uint8_t *id)
{
	static const uint64_t text = KTEXT - 0x1000000;
	const struct elf_made_sym syms[] = {
		{ .name = "_text", .value = text, .shndx = MADE_TEXT, .bind = STB_GLOBAL },
		{ .name = "_stext", .value = text + 0x40, .shndx = MADE_TEXT, .bind = STB_GLOBAL },
		{ .name = "_Z3foov",
		  .value = text + 0x100,
		  .size = 0x80,
		  .type = STT_FUNC,
		  .bind = STB_GLOBAL,
		  .shndx = MADE_TEXT },
	};
	const struct elf_made e = {
		.type = ET_EXEC, .base = text - 0x1000, .build_id = id, .syms = syms, .n_syms = 3
	};

	assert_int_equal(elf_make_file(scratch_path(&w->s, path), &e), 0);
	snprintf(w->given[0], sizeof(w->given[0]), "%s", scratch_path(&w->s, path));
	return w->given[0];
}

static void record_kernel(struct world *w, const char *name, uint64_t ref)
{
	struct data_record rec = { .type = PERF_RECORD_MMAP,
				   .misc = DATA_MODE_KERNEL,
				   .seq = w->seq++ };

	rec.mmap = (struct data_mmap){ .pid = -1,
				       .tid = 0,
				       .start = KTEXT,
				       .len = 0x100000,
				       .pgoff = ref,
				       .prot = PROT_EXEC,
				       .path = name };
	assert_int_equal(machine_add(w->m, &rec, 0), 0);
	assert_int_equal(machine_add_build_id(w->m, "[kernel.kallsyms]", ID, 20), 0);
	w->release = "6.1-made";
	running_build_id(w, ID, 20);
	scratch_write(&w->s, "proc/kallsyms",
		      "ffffffff81000000 T _text\nffffffff81000100 T by_proc\n");
}

static uint32_t kernel_sample(struct world *w, const struct ptui_kernel_symbols *symbols)
{
	uint32_t a;

	seal_with(w, symbols);
	a = kernel(w, KTEXT + 0x110);
	symbolize(w);
	return a;
}

static void test_vmlinux_moved_at_boot(void **state)
{
	struct world *w = *state;
	struct ptui_kernel_symbols k = { .vmlinux = make_vmlinux(w, "/vm/right", ID) };
	const struct symbol *sym;
	uint32_t a;

	record_kernel(w, "[kernel.kallsyms]_text", KTEXT);
	a = kernel_sample(w, &k);
	assert_string_equal(sym_name(w, a), "_Z3foov"); /* not demangled: the kernel is C */
	sym = resolver_symbol(w->r, frame(w, a)->sym);
	assert_true(sym->start == KTEXT + 0x100 && sym->end == KTEXT + 0x180);
	assert_int_equal(dso(w, a)->state, DSO_OK);
	assert_string_equal(short_name(w, a), "[kernel.kallsyms]");
}

/* The recorded address is that of _stext, which differs from _text. */
static void test_vmlinux_by_stext(void **state)
{
	struct world *w = *state;
	struct ptui_kernel_symbols k = { .vmlinux = make_vmlinux(w, "/vm/right", ID) };

	record_kernel(w, "[kernel.kallsyms]_stext", KTEXT + 0x40);
	assert_string_equal(sym_name(w, kernel_sample(w, &k)), "_Z3foov");
}

/* A file that does not fit is named; /proc/kallsyms does not take its place. */
static void test_vmlinux_of_another_kernel(void **state)
{
	struct world *w = *state;
	struct ptui_kernel_symbols k = { .vmlinux = make_vmlinux(w, "/vm/wrong", OTHER_ID) };
	uint32_t a;

	record_kernel(w, "[kernel.kallsyms]_text", KTEXT);
	a = kernel_sample(w, &k);
	assert_string_equal(sym_name(w, a), "none");
	assert_int_equal(dso(w, a)->state, DSO_STALE);
	assert_non_null(strstr(dso(w, a)->why, "/vm/wrong has build-id 0909"));
	assert_non_null(strstr(dso(w, a)->why, "0102030000"));
}

static void test_vmlinux_without_build_id(void **state)
{
	struct world *w = *state;
	struct ptui_kernel_symbols k = { .vmlinux = make_vmlinux(w, "/vm/bare", NULL) };
	uint32_t a;

	record_kernel(w, "[kernel.kallsyms]_text", KTEXT);
	a = kernel_sample(w, &k);
	assert_int_equal(dso(w, a)->state, DSO_STALE);
	assert_non_null(strstr(dso(w, a)->why, "has no build-id"));
}

static void test_vmlinux_that_is_none(void **state)
{
	struct world *w = *state;
	struct ptui_kernel_symbols k = { .vmlinux = w->given[0] };
	uint32_t a;

	scratch_write(&w->s, "vmlinuz", "MZ, a boot image");
	snprintf(w->given[0], sizeof(w->given[0]), "%s", scratch_path(&w->s, "vmlinuz"));
	record_kernel(w, "[kernel.kallsyms]_text", KTEXT);
	a = kernel_sample(w, &k);
	assert_string_equal(sym_name(w, a), "none");
	assert_int_equal(dso(w, a)->state, DSO_NO_SYMBOLS);
	assert_non_null(strstr(dso(w, a)->why, "not an ELF file"));
}

static void test_kallsyms_wins(void **state)
{
	struct world *w = *state;
	struct ptui_kernel_symbols k;
	k = (struct ptui_kernel_symbols){ .vmlinux = make_vmlinux(w, "/vm/right", ID) };
	scratch_write(&w->s, "copy", "ffffffff91000000 T _text\nffffffff91000100 T by_copy\n");
	snprintf(w->given[1], sizeof(w->given[1]), "%s", scratch_path(&w->s, "copy"));
	k.kallsyms = w->given[1];
	record_kernel(w, "[kernel.kallsyms]_text", KTEXT);
	assert_string_equal(sym_name(w, kernel_sample(w, &k)), "by_copy");
}

static void test_vmlinux_is_found(void **state)
{
	static const char *const places[] = {
		"/.debug/.build-id/01/02030000000000000000000000000000000000/elf",
		"/boot/vmlinux-6.1-made",
		"/usr/lib/debug/boot/vmlinux-6.1-made",
		"/lib/modules/6.1-made/build/vmlinux",
		"/usr/lib/debug/lib/modules/6.1-made/vmlinux",
		"/usr/lib/debug/.build-id/01/02030000000000000000000000000000000000.debug",
	};
	const struct ptui_kernel_symbols usual = { .vmlinux = NULL },
					 ignore = { .ignore_vmlinux = true };
	struct world *w = *state;

	record_kernel(w, "[kernel.kallsyms]_text", KTEXT);
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		make_vmlinux(w, "/boot/vmlinux", OTHER_ID); /* that of another kernel is skipped */
		make_vmlinux(w, places[i], ID);
		assert_string_equal(sym_name(w, kernel_sample(w, &usual)), "_Z3foov");
		resolver_free(w->r);
		assert_string_equal(sym_name(w, kernel_sample(w, &ignore)), "by_proc");
		resolver_free(w->r);
		unlink(scratch_path(&w->s, places[i]));
	}
	assert_string_equal(sym_name(w, kernel_sample(w, &usual)), "by_proc");
}

/* The recorded kernel is not running any more, but perf's cache has it. */
static void test_cached_kallsyms(void **state)
{
	const struct ptui_kernel_symbols usual = { .vmlinux = NULL };
	struct world *w = *state;
	uint32_t a;

	record_kernel(w, "[kernel.kallsyms]_text", KTEXT);
	running_build_id(w, TODAY_ID, 4);
	mkdir(scratch_path(&w->s, ".debug"), 0777);
	mkdir(scratch_path(&w->s, ".debug/[kernel.kallsyms]"), 0777);
	mkdir(scratch_path(&w->s,
			   ".debug/[kernel.kallsyms]/0102030000000000000000000000000000000000"),
	      0777);
	scratch_write(&w->s,
		      ".debug/[kernel.kallsyms]/0102030000000000000000000000000000000000/kallsyms",
		      "ffffffff91000000 T _text\nffffffff91000100 T by_cache\n");
	a = kernel_sample(w, &usual);
	assert_string_equal(sym_name(w, a), "by_cache");
	assert_int_equal(dso(w, a)->state, DSO_OK);
}

/* A copy of the code: that of the recorded boot comes first; without one, another boot's. */
static void test_cached_kcore(void **state)
{
	static const char *const boots[] = { "2026010101010101", "2026020202020202" };
	const struct ptui_kernel_symbols usual = { .vmlinux = NULL };
	char name[160], text[160];
	struct world *w = *state;
	uint32_t a;

	record_kernel(w, "[kernel.kallsyms]_text", KTEXT);
	running_build_id(w, TODAY_ID, 4);
	mkdir(scratch_path(&w->s, ".debug"), 0777);
	mkdir(scratch_path(&w->s, ".debug/[kernel.kcore]"), 0777);
	mkdir(scratch_path(&w->s, ".debug/[kernel.kcore]/0102030000000000000000000000000000000000"),
	      0777);
	for (int i = 0; i < 2; i++) {
		uint64_t text_at = i ? KTEXT : KTEXT + 0x4000000;

		snprintf(name, sizeof(name),
			 ".debug/[kernel.kcore]/0102030000000000000000000000000000000000/%s",
			 boots[i]);
		mkdir(scratch_path(&w->s, name), 0777);
		snprintf(name, sizeof(name),
			 ".debug/[kernel.kcore]/0102030000000000000000000000000000000000/%s/kcore",
			 boots[i]);
		scratch_write(&w->s, name, "code");
		snprintf(
			name, sizeof(name),
			".debug/[kernel.kcore]/0102030000000000000000000000000000000000/%s/kallsyms",
			boots[i]);
		snprintf(text, sizeof(text), "%llx T _text\n%llx T by_boot_%d\n",
			 (unsigned long long)text_at, (unsigned long long)text_at + 0x100, i);
		scratch_write(&w->s, name, text);
	}
	a = kernel_sample(w, &usual);
	assert_string_equal(sym_name(w, a), "by_boot_1");
	assert_non_null(strstr(strpool_get(&w->names, dso(w, a)->kcore), boots[1]));
	assert_true(dso(w, a)->shift == 0);
	resolver_free(w->r);
	unlink(scratch_path(&w->s, name));
	a = kernel_sample(w, &usual);
	assert_string_equal(sym_name(w, a), "by_boot_0");
	assert_true(dso(w, a)->shift == 0x4000000);
}

static void test_no_modules(void **state)
{
	const struct ptui_kernel_symbols k = { .no_modules = true };
	struct world *w = *state;
	uint32_t a, b;

	scratch_write(&w->s, "proc/kallsyms",
		      "ffffffff81000000 T _text\nffffffff81000100 T foo\n"
		      "ffffffffc0000000 t nf_init\t[nf]\n");
	map(w, -1, KTEXT, KTEXT, "[kernel.kallsyms]_text");
	map(w, -1, 0xffffffffc0000000, 0, "[nf]");
	seal_with(w, &k);
	a = kernel(w, KTEXT + 0x110);
	b = kernel(w, 0xffffffffc0000010);
	symbolize(w);
	assert_string_equal(sym_name(w, a), "foo");
	assert_string_equal(sym_name(w, b), "none");
}

static void test_code_made_at_run_time(void **state)
{
	struct data_record rec = { .type = PERF_RECORD_KSYMBOL };
	struct world *w = *state;
	uint32_t a, jit, heap, vdso;

	mkdir(scratch_path(&w->s, "tmp"), 0777);
	scratch_write(&w->s, "tmp/perf-7.map", "5000100 10 jitted(int)\n");
	rec.ksymbol.addr = 0xffffffffc0000000;
	rec.ksymbol.len = 0x40;
	rec.ksymbol.name = "bpf_prog_1_x";
	assert_int_equal(machine_add(w->m, &rec, 0), 0);
	map(w, 7, 0x5000000, 0x77000, "//anon");
	map(w, 7, 0x6000000, 0x77000, "[heap]");
	map(w, 7, 0x8000000, 0x77000, "[vdso]");
	seal(w);
	a = kernel(w, 0xffffffffc0000010);
	jit = user(w, 7, 0, 0x5000108);
	heap = user(w, 7, 0, 0x6000108);
	vdso = user(w, 7, 0, 0x8000008);
	assert_true(frame(w, jit)->off == 0x5000108); /* the file offset has no meaning */
	assert_true(frame(w, vdso)->off == 8);
	symbolize(w);
	assert_string_equal(sym_name(w, a), "bpf_prog_1_x");
	assert_string_equal(short_name(w, a), "bpf_prog_1_x");
	assert_string_equal(sym_name(w, jit), "jitted(int)");
	assert_string_equal(short_name(w, jit), "[JIT] tid 7");
	assert_string_equal(short_name(w, heap), "[JIT] tid 7");
	assert_string_equal(short_name(w, vdso), "[vdso]");
}

/* The place and the frame of an address are those of resolver_frame(), whichever is asked first. */
static void test_places(void **state)
{
	static const uint64_t addrs[] = { 0x7f0000000000,    0x7f0000001100, 0x7f0000001fff,
					  0x7f0000002000,    0x7f0000100010, 0x10,
					  0xffffffffff600000 };
	struct world *w = *state;
	unsigned places = 0;

	map_with(w, 1, 10, 0x7f0000000000, 0, "/lib/a.so", NULL);
	map_with(w, 2, 10, 0x7f0000001000, 0x1000, "/lib/a.so", NULL);
	map_with(w, 3, 10, 0x7f0000100000, 0, "/lib/b.so", NULL);
	map_with(w, 5, 10, 0x7f0000000800, 0, "/lib/b.so", NULL); /* over parts of both */
	map(w, -1, KTEXT, KTEXT, "[kernel.kallsyms]_text");
	seal(w);
	for (unsigned i = 0; i < 8 * (sizeof(addrs) / sizeof(*addrs)); i++) {
		struct resolver_place peeked, got;
		uint64_t addr = addrs[i / 8], when = 1 + i % 8;
		bool has = resolver_peek_place(w->r, 10, DATA_MODE_USER, when, addr, &peeked);
		const struct frame *f;
		uint32_t id;

		assert_int_equal(resolver_place(w->r, 10, DATA_MODE_USER, when, addr, &got), has);
		if (!has)
			continue;
		places++;
		assert_memory_equal(&got, &peeked, offsetof(struct resolver_place, module));
		assert_int_equal(got.module, peeked.module);
		assert_true(got.from <= addr && addr < got.to);
		id = user(w, 10, when, addr);
		f = frame(w, id);
		assert_int_equal(f->dso, got.module);
		assert_int_equal(f->off, addr + got.to_off);
		if (got.module != PTUI_NONE)
			assert_int_equal(resolver_frame_in_module(w->r, got.module, f->off, addr,
								  DATA_MODE_USER),
					 id);
	}
	assert_true(places > 40);
	assert_false(resolver_peek_place(w->r, 10, DATA_MODE_GUEST_USER, 1, 0x10,
					 &(struct resolver_place){ .from = 0 }));
}

static int stop_at_second(void *ctx, const char *what, uint64_t done, uint64_t total)
{
	int *calls = ctx;

	assert_non_null(what);
	assert_int_equal(total, 2);
	assert_int_equal(done, *calls % 2);
	return ++*calls == 2;
}

/* The next call continues after a cancellation. */
static void test_cancel(void **state)
{
	struct world *w = *state;
	struct ptui_error err = PTUI_ERROR_INIT;
	uint32_t a, b;
	int calls = 0;

	make_lib(w, "/a", NULL, "in_a");
	make_lib(w, "/b", NULL, "in_b");
	map(w, 1, 0x1000000, 0x1000, "/a");
	map(w, 1, 0x2000000, 0x1000, "/b");
	seal(w);
	a = user(w, 1, 0, 0x1000110);
	b = user(w, 1, 0, 0x2000110);
	assert_int_equal(resolver_symbolize(w->r, stop_at_second, &calls, &err), -ECANCELED);
	assert_true(frame(w, a)->symbolized);
	assert_false(frame(w, b)->symbolized);
	symbolize(w);
	assert_string_equal(sym_name(w, a), "in_a");
	assert_string_equal(sym_name(w, b), "in_b");
}

/* Each test also with a thread that reads the symbols, and the kernel's before all: it finds the same. */
int main(void)
{
#define T(f)                                                            \
	cmocka_unit_test_setup_teardown(f, setup, teardown),            \
		{ #f "_preloaded", f, setup_preloads, teardown, NULL }, \
	{                                                               \
#f "_early", f, setup_early, teardown, NULL             \
	}
	const struct CMUnitTest tests[] = {
		T(test_two_processes_one_frame),
		T(test_symbolize_twice),
		T(test_no_map),
		T(test_address_changes_hands),
		T(test_states),
		T(test_debug_file),
		T(test_kernel),
		T(test_kernel_moved),
		T(test_kernel_forbidden),
		T(test_kernel_of_another_day),
		T(test_vmlinux_moved_at_boot),
		T(test_vmlinux_by_stext),
		T(test_vmlinux_of_another_kernel),
		T(test_vmlinux_without_build_id),
		T(test_vmlinux_that_is_none),
		T(test_kallsyms_wins),
		T(test_vmlinux_is_found),
		T(test_cached_kallsyms),
		T(test_cached_kcore),
		T(test_no_modules),
		T(test_code_made_at_run_time),
		T(test_places),
		T(test_cancel),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
