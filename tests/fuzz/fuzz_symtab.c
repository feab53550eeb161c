/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as a DSO: symbols of an ELF file, kallsyms, a JIT's map. Looks for crashes, and for a
 * table that is not sorted or does not find its entries.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include "base/file.h"
#include "symbol/jitdump.h"
#include "symbol/symtab.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(struct symtab *t)
{
	size_t i, n = t ? symtab_n(t) : 0;

	for (i = 0; i < n; i++) {
		const struct symtab_entry *e = symtab_at(t, i), *found;

		if (i && e->start < symtab_at(t, i - 1)->start)
			abort();
		found = symtab_find(t, e->start);
		if (e->end > e->start && (!found || found->start > e->start))
			abort();
		if (i < 64)
			free(symbol_demangle(e->name));
	}
	symtab_free(t);
}

static void as_elf(const uint8_t *data, size_t size)
{
	struct dso_file *f = dso_file_open_image("fuzz", data, size, NULL, 0, NULL);
	struct dso_file *debugdata = f ? dso_file_open_debugdata(f, NULL) : NULL;
	struct symtab *t;

	if (f) {
		t = symtab_from_elf(f, f, NULL);
		symtab_add_unnamed(&t, f);
		check(t);
		check(symtab_from_kernel_module(f, NULL));
	}
	if (debugdata)
		check(symtab_from_debugdata(f, debugdata, NULL));
	dso_file_unref(debugdata);
	dso_file_unref(f);
}

static void check_jit_code(const struct jitdump *dump, uint64_t off, size_t size)
{
	struct jitdump_map code;

	jitdump_find_line(dump, off);
	if (jitdump_find_code(dump, off, &code) &&
	    (off < code.off || off - code.off >= code.bytes || code.off > size ||
	     code.bytes > size - code.off))
		abort();
}

/* The text readers take a path. */
static void as_text(const uint8_t *data, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	uint8_t id[DSO_BUILD_ID_MAX];
	struct jitdump *dump;
	uint64_t addr_off;
	char path[32];

	if (fd < 0 || file_write_all(fd, data, size) < 0)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	check(symtab_from_kallsyms(path, NULL, NULL));
	check(symtab_from_kallsyms(path, "bpf", NULL));
	check(symtab_from_perf_map(path, false, NULL));
	dump = jitdump_read(fd, path, NULL);
	if (dump) {
		check(symtab_from_jitdump(dump, false, NULL));
		check(symtab_from_jitdump(dump, true, NULL));
		for (size_t i = 0; i < jitdump_n_maps(dump); i++)
			if (jitdump_map(dump, i)->off + jitdump_map(dump, i)->bytes > size)
				abort();
		for (uint64_t off = 0; off < size && off < 4096; off += 16)
			check_jit_code(dump, off, size);
		if (jitdump_find_offset(dump, data[size / 2] * 64, &addr_off) && addr_off > size)
			abort();
	}
	jitdump_free(dump);
	if (dso_read_build_id(path, id) > DSO_BUILD_ID_MAX)
		abort();
	close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	as_elf(data, size);
	as_text(data, size);
	return 0;
}
