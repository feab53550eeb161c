/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The procedure linkage table has no symbols of its own; its slots stand in the order of
 * the relocations that fill them:
 *
 *   .plt       [ header ][ slot 0 ][ slot 1 ] …
 *   .rela.plt             [ sym a ] [ sym b ] …       -> "a@plt", "b@plt"
 */
#include <errno.h>
#include <string.h>
#include "symbol/builder.h"

struct plt_shape {
	uint64_t header_bytes, slot_bytes;
};

static struct plt_shape plt_shape(unsigned e_machine, const GElf_Shdr *plt)
{
	switch (e_machine) {
	case EM_ARM:
		return (struct plt_shape){ 20, 12 };
	case EM_AARCH64:
		return (struct plt_shape){ 32, 16 };
	case EM_SPARC:
		return (struct plt_shape){ 48, 12 };
	case EM_SPARCV9:
		return (struct plt_shape){ 128, 32 };
	default:
		return (struct plt_shape){ plt->sh_entsize, plt->sh_entsize };
	}
}

static bool reloc_symbol(Elf_Data *relocs, bool is_rela, size_t i, size_t *ret_sym)
{
	GElf_Rela rela;
	GElf_Rel rel;

	if (is_rela) {
		if (!gelf_getrela(relocs, (int)i, &rela))
			return false;
		*ret_sym = GELF_R_SYM(rela.r_info);
	} else {
		if (!gelf_getrel(relocs, (int)i, &rel))
			return false;
		*ret_sym = GELF_R_SYM(rel.r_info);
	}
	return true;
}

static int add_slot(struct symtab *t, struct symtab_entry *e, const char *name)
{
	static const char suffix[] = "@plt";
	size_t len = strlen(name);
	char *text = arena_alloc(&t->names, len + sizeof(suffix));

	if (!text)
		return -ENOMEM;
	memcpy(text, name, len);
	memcpy(text + len, suffix, sizeof(suffix));
	e->name = text;
	return symtab_push(t, e);
}

int symtab_add_plt(struct symtab *t, struct dso_file *runtime)
{
	GElf_Shdr plt, rel, dynsym;
	Elf *elf = dso_file_elf(runtime);
	Elf_Scn *dynsym_scn = dso_file_section(runtime, SHT_DYNSYM, ".dynsym", &dynsym);
	Elf_Scn *rel_scn = dso_file_section(runtime, SHT_RELA, ".rela.plt", &rel);
	struct plt_shape shape;
	Elf_Data *relocs, *syms;
	GElf_Ehdr ehdr;
	uint64_t off;
	size_t n, i;
	int ret = 0;

	if (!rel_scn)
		rel_scn = dso_file_section(runtime, SHT_REL, ".rel.plt", &rel);
	if (!dynsym_scn || !rel_scn || rel.sh_link != elf_ndxscn(dynsym_scn) ||
	    !dso_file_section(runtime, SHT_PROGBITS, ".plt", &plt) || !gelf_getehdr(elf, &ehdr))
		return 0;
	relocs = elf_getdata(rel_scn, NULL);
	syms = elf_getdata(dynsym_scn, NULL);
	shape = plt_shape(ehdr.e_machine, &plt);
	if (!relocs || !syms || !rel.sh_entsize || !shape.slot_bytes)
		return 0;
	n = relocs->d_size / rel.sh_entsize;
	off = plt.sh_offset + shape.header_bytes;
	for (i = 0; i < n && i <= INT32_MAX && !ret; i++, off += shape.slot_bytes) {
		struct symtab_entry e = { .start = off,
					  .end = off + shape.slot_bytes,
					  .binding = STB_GLOBAL,
					  .type = STT_FUNC,
					  .plt = true };
		const char *name;
		GElf_Sym sym;
		size_t at;

		if (!reloc_symbol(relocs, rel.sh_type == SHT_RELA, i, &at) || at > INT32_MAX ||
		    !gelf_getsym(syms, (int)at, &sym) || e.end < e.start)
			continue;
		name = elf_strptr(elf, dynsym.sh_link, sym.st_name);
		if (name)
			ret = add_slot(t, &e, name);
	}
	return ret;
}
