/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names are taken only from a file or kernel that is proven to be the recorded one. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/utsname.h>
#include <unistd.h>
#include "base/perf_abi.h"
#include "lib/need.h"
#include "resolve/resolver.h"
#include "unit/dso/elf_make.h"
#include "unit/dso/scratch.h"

#define KTEXT  0xffffffff81000000
#define LIB    0x7000000
#define SECOND 1000000000u

static const uint8_t ID[20] = { 1, 2, 3 }, OTHER_ID[20] = { 9, 9 };

struct world {
	struct scratch s;
	struct strpool names;
	struct machine *m;
	struct resolver *r;
	char proc[80], sysfs[80], lib[600];
	struct roots roots;
	struct utsname uts;
	struct resolver_opts opts;
	struct data_mmap map; /* of the library */
};

/* A recording of this machine, made now: "foo" in a library without build-id, and a kernel. */
static int setup(void **state)
{
	static struct world w;
	struct elf_made_sym sym = {
		.name = "foo", .value = 0x1100, .size = 0x100, .type = STT_FUNC, .shndx = MADE_TEXT
	};
	struct elf_made elf = { .syms = &sym, .n_syms = 1 };
	struct stat st;

	memset(&w, 0, sizeof(w));
	assert_int_equal(scratch_init(&w.s), 0);
	snprintf(w.proc, sizeof(w.proc), "%s/proc", w.s.dir);
	snprintf(w.sysfs, sizeof(w.sysfs), "%s/sys", w.s.dir);
	mkdir(w.proc, 0777);
	mkdir(w.sysfs, 0777);
	w.roots = (struct roots){ .proc = w.proc, .sysfs = w.sysfs };
	scratch_write(&w.s, "proc/kallsyms",
		      "ffffffff81000000 T _text\nffffffff81000100 T foo\n"
		      "ffffffffc0000000 t nf_init\t[nf]\n");
	snprintf(w.lib, sizeof(w.lib), "%s", scratch_path(&w.s, "libx.so"));
	assert_int_equal(elf_make_file(w.lib, &elf), 0);
	assert_int_equal(stat(w.lib, &st), 0);
	w.map = (struct data_mmap){ .pid = 1,
				    .tid = 1,
				    .start = LIB,
				    .len = 0x1000,
				    .pgoff = 0x1000,
				    .prot = PROT_READ | PROT_EXEC,
				    .maj = major(st.st_dev),
				    .min = minor(st.st_dev),
				    .ino = st.st_ino,
				    .path = w.lib };
	assert_int_equal(uname(&w.uts), 0);
	w.opts = (struct resolver_opts){ .roots = &w.roots,
					 .home = w.s.dir,
					 .kernel_release = w.uts.release,
					 .arch = w.uts.machine,
					 .hostname = w.uts.nodename,
					 .recorded_ns = ((uint64_t)st.st_mtime + 10) * SECOND };
	assert_int_equal(strpool_init(&w.names), 0);
	w.m = machine_new(&w.names);
	assert_non_null(w.m);
	*state = &w;
	return 0;
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

static void add_map(struct world *w, const struct data_mmap *map)
{
	struct data_record rec = { .type = PERF_RECORD_MMAP2,
				   .misc = map->pid == -1 ? DATA_MODE_KERNEL : DATA_MODE_USER,
				   .mmap = *map };

	assert_int_equal(machine_add(w->m, &rec, 0), 0);
}

static void add_kernel_map(struct world *w, uint64_t at, const char *path)
{
	add_map(w, &(struct data_mmap){ .pid = -1,
					.start = at,
					.len = 0x100000,
					.pgoff = at,
					.prot = PROT_EXEC,
					.path = path });
}

/* The name that an address gets, or "" and the reason in *ret_info. */
static const char *name_of(struct world *w, int pid, uint64_t addr,
			   const struct dso_info **ret_info)
{
	const struct frame *f;
	uint32_t id;

	if (!w->r) {
		assert_int_equal(machine_seal(w->m), 0);
		w->r = resolver_new(w->m, &w->names, &w->opts);
		assert_non_null(w->r);
	}
	id = resolver_frame(w->r, pid, pid < 0 ? DATA_MODE_KERNEL : DATA_MODE_USER, 0, addr);
	assert_int_equal(resolver_symbolize(w->r, NULL, NULL, NULL), 0);
	f = &resolver_frames(w->r)[id];
	*ret_info = resolver_dso(w->r, f->dso);
	assert_non_null(*ret_info);
	assert_int_equal(resolver_frame_unverified(w->r, f),
			 (*ret_info)->forced || (*ret_info)->state == DSO_UNVERIFIED);
	assert_int_equal(resolver_has_unverified(w->r), resolver_frame_unverified(w->r, f));
	/* the same holds for its call frame information */
	if (pid == 1 && addr < LIB + 0x1000)
		assert_int_equal(resolver_may_use(w->r, f->dso, NULL),
				 (*ret_info)->state != DSO_UNVERIFIED);
	return f->sym == PTUI_NONE ? "" :
				     strpool_get(&w->names, resolver_symbol(w->r, f->sym)->name);
}

static void expect_lib(struct world *w, const char *name, enum dso_state state)
{
	const struct dso_info *info;

	assert_string_equal(name_of(w, 1, LIB + 0x110, &info), name);
	assert_int_equal(info->state, state);
	if (state == DSO_UNVERIFIED)
		assert_non_null(strstr(info->why, w->lib));
}

static void expect_kernel(struct world *w, const char *name, enum dso_state state)
{
	const struct dso_info *info;

	assert_string_equal(name_of(w, -1, KTEXT + 0x110, &info), name);
	assert_int_equal(info->state, state);
}

/* ---- a file without build-id ---- */

static void test_recorded_here(void **state)
{
	struct world *w = *state;

	add_map(w, &w->map);
	expect_lib(w, "foo", DSO_OK);
}

static void test_other_host(void **state)
{
	struct world *w = *state;

	w->opts.hostname = "elsewhere";
	add_map(w, &w->map);
	expect_lib(w, "", DSO_UNVERIFIED);
}

static void test_other_arch(void **state)
{
	struct world *w = *state;

	w->opts.arch = "alpha";
	add_map(w, &w->map);
	expect_lib(w, "", DSO_UNVERIFIED);
}

static void test_no_header(void **state)
{
	struct world *w = *state;

	w->opts.hostname = w->opts.arch = w->opts.kernel_release = NULL;
	add_map(w, &w->map);
	expect_lib(w, "", DSO_UNVERIFIED);
}

static void test_other_inode(void **state)
{
	struct world *w = *state;

	w->map.ino++;
	add_map(w, &w->map);
	expect_lib(w, "", DSO_UNVERIFIED);
}

/* MMAP records of old recorders have none. */
static void test_inode_not_recorded(void **state)
{
	struct world *w = *state;

	w->map.maj = w->map.min = 0;
	w->map.ino = 0;
	add_map(w, &w->map);
	expect_lib(w, "", DSO_UNVERIFIED);
}

static void test_written_since(void **state)
{
	struct world *w = *state;

	w->opts.recorded_ns -= 20ull * SECOND;
	add_map(w, &w->map);
	expect_lib(w, "", DSO_UNVERIFIED);
}

/* A file that took the place of another one during the recording. */
static void test_two_files_of_one_path(void **state)
{
	struct world *w = *state;

	add_map(w, &w->map);
	w->map.ino++;
	w->map.start += 0x100000;
	add_map(w, &w->map);
	expect_lib(w, "", DSO_UNVERIFIED);
}

/* Who names the files answers for them. */
static void test_symfs(void **state)
{
	struct world *w = *state;

	w->opts.hostname = NULL;
	w->opts.symfs = w->s.dir;
	w->map.path = "/libx.so";
	add_map(w, &w->map);
	expect_lib(w, "foo", DSO_OK);
}

static void test_live(void **state)
{
	struct world *w = *state;

	w->opts.hostname = NULL;
	w->opts.live = true;
	add_map(w, &w->map);
	expect_lib(w, "foo", DSO_OK);
}

static void test_force_names(void **state)
{
	struct world *w = *state;

	w->opts.hostname = NULL;
	w->opts.force_names = true;
	add_map(w, &w->map);
	expect_lib(w, "foo (unverified)", DSO_OK);
}

/* Not even then: it is known to be another file. */
static void test_force_does_not_take_another_build(void **state)
{
	struct world *w = *state;

	w->opts.force_names = true;
	w->map.build_id_bytes = 20;
	memcpy(w->map.build_id, ID, 20);
	add_map(w, &w->map);
	expect_lib(w, "", DSO_STALE);
}

static void test_perf_map(void **state)
{
	struct data_mmap jit = { .pid = getpid(),
				 .tid = getpid(),
				 .start = LIB,
				 .len = 0x1000,
				 .prot = PROT_READ | PROT_EXEC,
				 .path = "//anon" };
	struct world *w = *state;
	const struct dso_info *info;
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)getpid());
	f = fopen(path, "w");
	if (!f)
		skip_because("/tmp cannot be written");
	fprintf(f, "%x 100 jitted\n", LIB + 0x100);
	fclose(f);
	add_map(w, &jit);
	w->opts.hostname = "elsewhere";
	assert_string_equal(name_of(w, getpid(), LIB + 0x110, &info), "");
	assert_int_equal(info->state, DSO_UNVERIFIED);
	resolver_free(w->r);
	w->r = NULL;
	w->opts.hostname = w->uts.nodename;
	w->opts.recorded_ns += 3600ull * SECOND;
	assert_string_equal(name_of(w, getpid(), LIB + 0x110, &info), "jitted");
	unlink(path);
}

/* ---- the kernel ---- */

static void write_build_id(struct world *w, const char *name, const uint8_t *id)
{
	const uint32_t head[] = { 4, 20, 3 };
	FILE *f = fopen(scratch_path(&w->s, name), "w");

	assert_non_null(f);
	fwrite(head, 1, sizeof(head), f);
	fwrite("GNU", 1, 4, f);
	fwrite(id, 1, 20, f);
	fclose(f);
}

static void running_build_id(struct world *w, const uint8_t *id)
{
	mkdir(scratch_path(&w->s, "sys/kernel"), 0777);
	write_build_id(w, "sys/kernel/notes", id);
}

static void test_kernel_by_build_id(void **state)
{
	struct world *w = *state;

	w->opts.hostname = w->opts.kernel_release = NULL;
	running_build_id(w, ID);
	add_kernel_map(w, KTEXT, "[kernel.kallsyms]_text");
	assert_int_equal(machine_add_build_id(w->m, "[kernel.kallsyms]", ID, 20), 0);
	expect_kernel(w, "foo", DSO_OK);
}

/* The host and its release cannot make good a build-id that differs. */
static void test_kernel_of_other_build_id(void **state)
{
	struct world *w = *state;

	w->opts.force_names = true;
	running_build_id(w, OTHER_ID);
	add_kernel_map(w, KTEXT, "[kernel.kallsyms]_text");
	assert_int_equal(machine_add_build_id(w->m, "[kernel.kallsyms]", ID, 20), 0);
	expect_kernel(w, "", DSO_STALE);
}

static void test_kernel_by_host(void **state)
{
	struct world *w = *state;

	running_build_id(w, ID);
	add_kernel_map(w, KTEXT, "[kernel.kallsyms]_text");
	expect_kernel(w, "foo", DSO_OK);
}

static void test_kernel_of_other_host(void **state)
{
	struct world *w = *state;

	w->opts.hostname = "elsewhere";
	add_kernel_map(w, KTEXT, "[kernel.kallsyms]_text");
	expect_kernel(w, "", DSO_UNVERIFIED);
}

static void test_kernel_of_other_release(void **state)
{
	struct world *w = *state;

	w->opts.kernel_release = "2.6.39";
	add_kernel_map(w, KTEXT, "[kernel.kallsyms]_text");
	expect_kernel(w, "", DSO_UNVERIFIED);
}

static void test_kernel_at_other_address(void **state)
{
	struct world *w = *state;
	const struct dso_info *info;

	add_kernel_map(w, KTEXT + 0x1000000, "[kernel.kallsyms]_text");
	assert_string_equal(name_of(w, -1, KTEXT + 0x1000110, &info), "");
	assert_int_equal(info->state, DSO_UNVERIFIED);
	assert_non_null(strstr(info->why, "0xffffffff82000000"));
}

static void test_kernel_booted_since(void **state)
{
	struct world *w = *state;
	char text[64];

	snprintf(text, sizeof(text), "cpu 1\nbtime %llu\n",
		 (unsigned long long)(w->opts.recorded_ns / SECOND + 1));
	scratch_write(&w->s, "proc/stat", text);
	add_kernel_map(w, KTEXT, "[kernel.kallsyms]_text");
	expect_kernel(w, "", DSO_UNVERIFIED);
}

static void test_kernel_forced(void **state)
{
	struct world *w = *state;

	w->opts.hostname = NULL;
	w->opts.force_names = true;
	add_kernel_map(w, KTEXT, "[kernel.kallsyms]_text");
	expect_kernel(w, "foo (unverified)", DSO_OK);
}

/* A module has a build-id of its own, else it must be where it was. */
static void test_module(void **state)
{
	struct world *w = *state;
	const struct dso_info *info;

	mkdir(scratch_path(&w->s, "sys/module"), 0777);
	mkdir(scratch_path(&w->s, "sys/module/nf"), 0777);
	mkdir(scratch_path(&w->s, "sys/module/nf/notes"), 0777);
	write_build_id(w, "sys/module/nf/notes/.note.gnu.build-id", OTHER_ID);
	add_map(w, &(struct data_mmap){ .pid = -1,
					.start = 0xffffffffc0000000,
					.len = 0x1000,
					.path = "[nf]",
					.build_id_bytes = 20,
					.build_id = { 1, 2, 3 } });
	assert_string_equal(name_of(w, -1, 0xffffffffc0000010, &info), "");
	assert_int_equal(info->state, DSO_STALE);
	resolver_free(w->r);
	w->r = NULL;
	write_build_id(w, "sys/module/nf/notes/.note.gnu.build-id", ID);
	assert_string_equal(name_of(w, -1, 0xffffffffc0000010, &info), "nf_init");
}

static void test_module_loaded_again(void **state)
{
	struct world *w = *state;
	const struct dso_info *info;

	scratch_write(&w->s, "proc/modules", "nf 4096 0 - Live 0xffffffffc0005000\n");
	add_kernel_map(w, KTEXT, "[kernel.kallsyms]_text");
	add_map(w, &(struct data_mmap){
			   .pid = -1, .start = 0xffffffffc0000000, .len = 0x1000, .path = "[nf]" });
	assert_string_equal(name_of(w, -1, 0xffffffffc0000010, &info), "");
	assert_int_equal(info->state, DSO_UNVERIFIED);
}

static void write_cached_kallsyms(struct world *w, const char *text)
{
	static const char *const folders[] = {
		".debug", ".debug/[kernel.kallsyms]",
		".debug/[kernel.kallsyms]/0102030000000000000000000000000000000000"
	};

	for (size_t i = 0; i < 3; i++)
		mkdir(scratch_path(&w->s, folders[i]), 0777);
	scratch_write(&w->s,
		      ".debug/[kernel.kallsyms]/0102030000000000000000000000000000000000/kallsyms",
		      text);
}

/* It has the names of the running kernel, unless it is cut. */
static void test_cached_kallsyms_of_the_running_kernel(void **state)
{
	static const struct {
		const char *text, *name;
	} cases[] = {
		{ "ffffffff81000000 T _text\nffffffff81000100 T by_cache\n"
		  "ffffffff81000200 T _etext\n",
		  "by_cache" },
		/* of another boot */
		{ "ffffffff91000000 T _text\nffffffff91000100 T moved\n"
		  "ffffffff91000200 T _etext\n",
		  "moved" },
		{ "ffffffff81000000 T _text\nffffffff81000080 T before_the_cut\n", "by_proc" },
		{ "0000000000000000 T _text\n0000000000000000 T hidden\n"
		  "0000000000000000 T _etext\n",
		  "by_proc" },
		{ "", "by_proc" },
	};
	struct world *w = *state;
	const struct dso_info *info;

	scratch_write(&w->s, "proc/kallsyms",
		      "ffffffff81000000 T _text\nffffffff81000100 T by_proc\n"
		      "ffffffff81000200 T _etext\n");
	running_build_id(w, ID);
	add_kernel_map(w, KTEXT, "[kernel.kallsyms]_text");
	assert_int_equal(machine_add_build_id(w->m, "[kernel.kallsyms]", ID, 20), 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		write_cached_kallsyms(w, cases[i].text);
		assert_string_equal(name_of(w, -1, KTEXT + 0x110, &info), cases[i].name);
		assert_int_equal(info->state, DSO_OK);
		assert_true(info->running);
		resolver_free(w->r);
		w->r = NULL;
	}
}

/* The copy of the recorded kernel in perf's cache has its modules, too. */
static void test_module_in_cached_kallsyms(void **state)
{
	struct world *w = *state;
	const struct dso_info *info;

	write_cached_kallsyms(w, "ffffffff81000000 T _text\nffffffff81000100 T foo\n"
				 "ffffffffc0007010 t by_cache\t[nf]\n"
				 "ffffffffc0009010 t moved\t[xt]\n");
	running_build_id(w, OTHER_ID);
	add_kernel_map(w, KTEXT, "[kernel.kallsyms]_text");
	assert_int_equal(machine_add_build_id(w->m, "[kernel.kallsyms]", ID, 20), 0);
	add_map(w, &(struct data_mmap){
			   .pid = -1, .start = 0xffffffffc0007000, .len = 0x1000, .path = "[nf]" });
	add_map(w, &(struct data_mmap){
			   .pid = -1, .start = 0xffffffffc0000000, .len = 0x1000, .path = "[xt]" });
	assert_string_equal(name_of(w, -1, 0xffffffffc0007020, &info), "by_cache");
	assert_int_equal(info->state, DSO_OK);
}

/*
 * The module is not loaded any more, or another build of it is: its file has the build-id. The code
 * of .init is elsewhere.
 */
static const char *const module_source =
	".section .init.text,\"ax\",@progbits\n.globl in_init\n.type in_init,@function\n"
	"in_init: .skip 64\n.size in_init, 64\n"
	".text\n.globl first\n.type first,@function\nfirst: .skip 40\n.size first, 40\n"
	".section .text.unlikely,\"ax\",@progbits\n.balign 16\n.globl cold\n.type cold,@function\n"
	"cold: .skip 16\n.size cold, 16\n";

static const char *module_name_at(struct world *w, unsigned off, const struct dso_info **info)
{
	return name_of(w, -1, 0xffffffffc0000000 + off, info);
}

static void test_module_file(void **state)
{
	static const char *const packers[] = { "cat", "gzip -c", "xz -c", "zstd -qc" };
	static const char *const tails[] = { "", ".gz", ".xz", ".zst" };
	struct world *w = *state;
	const struct dso_info *info;
	char command[4000], release[600];

	if (system("command -v as ld >/dev/null"))
		skip_because("there is no as(1) and ld(1)");
	snprintf(release, sizeof(release), "%s", scratch_path(&w->s, "lib/modules/1.2/extra/"));
	snprintf(command, sizeof(command), "mkdir -p '%s'", release);
	assert_int_equal(system(command), 0);
	scratch_write(&w->s, "module.s", module_source);
	snprintf(command, sizeof(command),
		 "cd '%s' && as -o module.o module.s && "
		 "ld -r --build-id=0x0102030000000000000000000000000000000000 -o x.ko module.o",
		 w->s.dir);
	assert_int_equal(system(command), 0);
	add_map(w, &(struct data_mmap){ .pid = -1,
					.start = 0xffffffffc0000000,
					.len = 0x1000,
					.path = "[my_mod]",
					.build_id_bytes = 20,
					.build_id = { 1, 2, 3 } });
	w->opts.symfs = w->s.dir;
	w->opts.kernel_release = "1.2";
	for (size_t i = 0; i < 4; i++) {
		snprintf(command, sizeof(command),
			 "%s '%s/x.ko' >'%s/my-mod.ko%s' && echo 'extra/my-mod.ko%s: other.ko' "
			 ">'%s/../modules.dep'",
			 packers[i], w->s.dir, release, tails[i], tails[i], release);
		if (system(command))
			continue; /* no such packer */
		assert_string_equal(module_name_at(w, 8, &info), "first");
		assert_string_equal(module_name_at(w, 48, &info), "cold");
		assert_int_equal(info->state, DSO_OK);
		resolver_free(w->r);
		w->r = NULL;
		snprintf(command, sizeof(command), "rm '%s/my-mod.ko%s'", release, tails[i]);
		assert_int_equal(system(command), 0);
	}
	assert_string_equal(module_name_at(w, 8, &info), "");
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(test_recorded_here),
		T(test_other_host),
		T(test_other_arch),
		T(test_no_header),
		T(test_other_inode),
		T(test_inode_not_recorded),
		T(test_written_since),
		T(test_two_files_of_one_path),
		T(test_symfs),
		T(test_live),
		T(test_force_names),
		T(test_force_does_not_take_another_build),
		T(test_perf_map),
		T(test_kernel_by_build_id),
		T(test_kernel_of_other_build_id),
		T(test_kernel_by_host),
		T(test_kernel_of_other_host),
		T(test_kernel_of_other_release),
		T(test_kernel_at_other_address),
		T(test_kernel_booted_since),
		T(test_kernel_forced),
		T(test_module),
		T(test_module_loaded_again),
		T(test_cached_kallsyms_of_the_running_kernel),
		T(test_module_in_cached_kallsyms),
		T(test_module_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
