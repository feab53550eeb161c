/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where machine code is read from: files, the kernel's memory, jitdump files. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "lib/need.h"
#include "session/debug_private.h"
#include "unit/dso/scratch.h"

struct world {
	struct scratch scratch;
	struct roots roots;
	char proc[96];
	struct session_debug debug;
	struct debug_dso dso;
	struct profile_code code;
	struct ptui_error err;
};

static int setup(void **state)
{
	struct world *w = calloc(1, sizeof(*w));

	assert_int_equal(scratch_init(&w->scratch), 0);
	snprintf(w->proc, sizeof(w->proc), "%s/proc", w->scratch.dir);
	assert_int_equal(mkdir(w->proc, 0755), 0);
	w->roots.proc = w->proc;
	pthread_mutex_init(&w->debug.lock, NULL);
	assert_int_equal(strpool_init(&w->debug.names), 0);
	w->debug.dsos = &w->dso;
	w->debug.n_dsos = 1;
	w->debug.roots = &w->roots;
	*state = w;
	return 0;
}

static int teardown(void **state)
{
	struct world *w = *state;

	profile_code_release(&w->code);
	debug_code_release(&w->dso);
	jitdump_free(w->dso.jitdump);
	dso_file_unref(w->dso.runtime);
	debug_info_free(w->dso.info);
	strpool_release(&w->debug.names);
	pthread_mutex_destroy(&w->debug.lock);
	scratch_release(&w->scratch);
	free(w);
	return 0;
}

static int read_code(struct world *w, uint64_t start)
{
	profile_code_release(&w->code);
	w->err = (struct ptui_error)PTUI_ERROR_INIT;
	return debug_code(&w->debug.ops, 0, start, &w->code, &w->err);
}

static void write_bytes(struct world *w, const char *name, const void *bytes, size_t n)
{
	int fd = open(scratch_path(&w->scratch, name), O_WRONLY | O_CREAT | O_TRUNC, 0644);

	assert_true(fd >= 0);
	assert_int_equal(file_write_all(fd, bytes, n), 0);
	close(fd);
}

/* ---- a file ---- */

int code_of_this_test(int n);

__attribute__((noinline)) int code_of_this_test(int n)
{
	return n * 3 + 1;
}

static void test_file(void **state)
{
	struct world *w = *state;
	char path[256] = { 0 };
	struct profile_symbol symbol;
	uint64_t off = 0;
	struct dso_file *f;
	struct symtab *t;

	assert_true(readlink("/proc/self/exe", path, sizeof(path) - 1) > 0);
	f = dso_file_open(path, NULL, 0, NULL);
	t = symtab_from_elf(f, f, NULL);
	for (size_t i = 0; i < symtab_n(t); i++)
		if (!strcmp(symtab_at(t, i)->name, "code_of_this_test"))
			off = symtab_at(t, i)->start;
	symtab_free(t);
	dso_file_unref(f);
	assert_true(off);
	w->dso.path = path;
	w->dso.code_is = DEBUG_CODE_FILE;
	assert_int_equal(read_code(w, off), 0);
	assert_string_equal(w->code.file, path);
	assert_int_equal(w->code.off, off);
	assert_memory_equal(w->code.bytes, (const void *)code_of_this_test, w->code.n);
	assert_true(debug_symbol(&w->debug.ops, 0, w->code.addr + 1, &symbol));
	assert_string_equal(symbol.name, "code_of_this_test");
	assert_int_equal(symbol.inside, 1);
	assert_int_equal(symbol.start, off);
	/* nothing is there */
	assert_int_equal(read_code(w, 1), -ENOENT);
	assert_false(ptui_error_is_set(&w->err));
}

static void test_another_build(void **state)
{
	struct world *w = *state;
	char path[256] = { 0 };

	assert_true(readlink("/proc/self/exe", path, sizeof(path) - 1) > 0);
	w->dso.path = path;
	w->dso.code_is = DEBUG_CODE_FILE;
	w->dso.build_id_bytes = 20;
	assert_int_equal(read_code(w, 0x1000), -ENOENT);
}

/* ---- the kernel's memory ---- */

#define KCORE_AT 0x1000

static void make_kcore(struct world *w)
{
	static const char kallsyms[] = "ffffffff81000000 T _stext\n"
				       "ffffffff81000000 T _text\n"
				       "ffffffff81000010 T work\n"
				       "ffffffff81000018 T after\n";
	uint8_t file[KCORE_AT + 0x20] = { 0 };
	Elf64_Ehdr *h = (Elf64_Ehdr *)(void *)file;
	Elf64_Phdr *p = (Elf64_Phdr *)(void *)(file + sizeof(*h));

	memcpy(h->e_ident, ELFMAG, SELFMAG);
	h->e_ident[EI_CLASS] = ELFCLASS64;
	h->e_machine = EM_X86_64;
	h->e_phoff = sizeof(*h);
	h->e_phentsize = sizeof(*p);
	h->e_phnum = 2;
	p[1] = (Elf64_Phdr){ .p_type = PT_LOAD,
			     .p_vaddr = 0xffffffff81000000,
			     .p_offset = KCORE_AT,
			     .p_filesz = 0x20 };
	for (unsigned i = 0; i < 0x20; i++)
		file[KCORE_AT + i] = (uint8_t)i;
	write_bytes(w, "proc/kcore", file, sizeof(file));
	write_bytes(w, "proc/kallsyms", kallsyms, strlen(kallsyms));
}

/* The recorded kernel was booted at another address: its frames are 0x1000 lower. */
static void test_kcore(void **state)
{
	static char name[] = "[kernel.kallsyms]";
	struct world *w = *state;
	struct profile_symbol symbol;

	if (sizeof(void *) != 8)
		skip_because("the kernel of this machine has 32 bits");
	make_kcore(w);
	w->dso.path = name;
	w->dso.code_is = DEBUG_CODE_KCORE;
	w->dso.shift = 0x1000;
	assert_int_equal(read_code(w, 0xffffffff81000010 - 0x1000), 0);
	assert_int_equal(w->code.n, 8);
	assert_int_equal(w->code.bytes[0], 0x10);
	assert_int_equal(w->code.machine, EM_X86_64);
	assert_true(w->code.addr == 0xffffffff81000010);
	assert_true(w->code.off == 0xffffffff81000010 - 0x1000);
	assert_true(debug_symbol(&w->debug.ops, 0, 0xffffffff81000012, &symbol));
	assert_string_equal(symbol.name, "work");
	assert_true(symbol.start == 0xffffffff81000010 - 0x1000);
}

/* A copy in perf's cache, of a kernel that does not run. */
static void test_kcore_copy(void **state)
{
	static char name[] = "[kernel.kallsyms]";
	struct world *w = *state;

	if (sizeof(void *) != 8)
		skip_because("the kernel of this machine has 32 bits");
	make_kcore(w);
	w->roots.proc = "/nonexistent";
	w->dso.path = name;
	w->dso.kcore = w->proc;
	w->dso.code_is = DEBUG_CODE_KCORE;
	assert_int_equal(read_code(w, 0xffffffff81000010), 0);
	assert_int_equal(w->code.bytes[0], 0x10);
	assert_non_null(strstr(w->code.file, w->proc));
	w->roots.proc = w->proc;
}

static void test_no_kcore(void **state)
{
	static char name[] = "[kernel.kallsyms]";
	struct world *w = *state;
	uid_t user = geteuid();

	make_kcore(w);
	w->dso.path = name;
	w->dso.code_is = DEBUG_CODE_KCORE;
	assert_int_equal(read_code(w, 0xffffffff81000010), 0); /* the symbols are there, too */
	/* root may read it, whatever its mode */
	assert_int_equal(chmod(scratch_path(&w->scratch, "proc/kcore"), 0), 0);
	if (!user)
		assert_int_equal(seteuid(65534), 0);
	assert_int_equal(read_code(w, 0xffffffff81000010), -EACCES);
	if (!user)
		assert_int_equal(seteuid(user), 0);
	assert_string_equal(w->err.hint,
			    "run as root, or name the vmlinux of this kernel (-k FILE)");
	unlink(scratch_path(&w->scratch, "proc/kcore"));
	assert_int_equal(read_code(w, 0xffffffff81000010), -ENOENT);
	assert_non_null(strstr(w->err.text, "cannot read the machine code of the kernel from"));
	/* no right would help */
	assert_string_equal(w->err.hint, "name the vmlinux of the recorded kernel (-k FILE)");
	write_bytes(w, "proc/kcore", "no core file", 12);
	assert_int_not_equal(read_code(w, 0xffffffff81000010), 0);
	assert_non_null(strstr(w->err.text, "/kcore: "));
}

/* ---- jitdump ---- */

static void make_jitdump(struct world *w, uint32_t code_bytes)
{
	static const char name[] = "hot";
	static const uint8_t code[] = { 0x90, 0x90, 0xc3 };
	struct buf b = BUF_INIT;

	buf_add_u32(&b, 0x4A695444);
	buf_add_u32(&b, 1);
	buf_add_u32(&b, 40);
	buf_add_u32(&b, EM_X86_64);
	buf_add_u32(&b, 0);
	buf_add_u32(&b, 17);
	buf_add_u64(&b, 0);
	buf_add_u64(&b, 0);
	buf_add_u32(&b, 0); /* LOAD */
	buf_add_u32(&b, 16 + 40 + sizeof(name) + sizeof(code));
	buf_add_u64(&b, 5);
	buf_add_u32(&b, 17);
	buf_add_u32(&b, 17);
	buf_add_u64(&b, 0x7000);
	buf_add_u64(&b, 0x7000);
	buf_add_u64(&b, code_bytes);
	buf_add_u64(&b, 1);
	buf_add(&b, name, sizeof(name));
	buf_add(&b, code, sizeof(code));
	write_bytes(w, "jit-17.dump", b.data, b.len);
	buf_release(&b);
}

#define JIT_CODE (40 + 16 + 40 + 4) /* its offset in the file */

static void test_jitdump(void **state)
{
	struct world *w = *state;
	struct profile_symbol symbol;
	char path[600];

	make_jitdump(w, 3);
	snprintf(path, sizeof(path), "%s", scratch_path(&w->scratch, "jit-17.dump"));
	w->dso.path = path;
	w->dso.code_is = DEBUG_CODE_JITDUMP;
	assert_int_equal(read_code(w, JIT_CODE), 0);
	assert_int_equal(w->code.n, 3);
	assert_int_equal(w->code.bytes[2], 0xc3);
	assert_int_equal(w->code.machine, EM_X86_64);
	assert_int_equal(w->code.addr, 0x7000);
	assert_int_equal(w->code.off, JIT_CODE);
	assert_true(debug_symbol(&w->debug.ops, 0, 0x7002, &symbol));
	assert_string_equal(symbol.name, "hot");
	assert_int_equal(symbol.start, JIT_CODE);
	/* it became shorter since */
	assert_int_equal(truncate(path, JIT_CODE + 1), 0);
	assert_int_equal(read_code(w, JIT_CODE), -EBADMSG);
}

/* ---- what cannot be read ---- */

static void test_reasons(void **state)
{
	static const struct {
		enum debug_code code_is;
		const char *text, *hint;
	} reasons[] = {
		{ DEBUG_CODE_MEMORY, "a JIT compiler is in no file",
		  "make the compiler write a jitdump file" },
		{ DEBUG_CODE_BPF, "BPF programs", "bpftool prog dump jited" },
		{ DEBUG_CODE_KERNEL, "of the recorded kernel is not here",
		  "name the vmlinux of the recorded kernel" },
	};
	struct world *w = *state;

	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++) {
		debug_code_release(&w->dso);
		w->dso = (struct debug_dso){ .code_is = reasons[i].code_is };
		assert_true(read_code(w, 0x10) < 0);
		assert_non_null(strstr(w->err.text, reasons[i].text));
		assert_non_null(strstr(w->err.hint, reasons[i].hint));
	}
	/* its symbols may come later (Live): then it is looked for again */
	debug_code_release(&w->dso);
	assert_false(w->dso.code_opened);
	assert_null(w->dso.code_err);
	assert_int_equal(debug_code(&w->debug.ops, 9, 0, &w->code, &w->err), -ENOENT);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_file),     TEST(test_another_build), TEST(test_kcore),
		TEST(test_no_kcore), TEST(test_kcore_copy),    TEST(test_jitdump),
		TEST(test_reasons),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
