/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The procedure linkage table has no symbols; its slots are in the order of the relocations that
 * fill them:
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

/* Cuts a function without size at the end of .init, which seems to extend over the whole table. */
static void cut_at(struct symtab *t, uint64_t off)
{
	size_t i;

	for (i = 0; i < t->n; i++)
		if (t->v[i].start < off && t->v[i].end > off)
			t->v[i].end = off;
}

/* The relocations of the slots, and their symbol names. */
struct plt_source {
	Elf *elf;
	Elf_Data *relocs, *syms;
	size_t n, names; /* names: section index */
	bool is_rela;
};

static bool source_init(struct plt_source *s, struct dso_file *runtime)
{
	GElf_Shdr dynsym, rel;
	Elf_Scn *dynsym_scn = dso_file_section(runtime, SHT_DYNSYM, ".dynsym", &dynsym);
	Elf_Scn *rel_scn = dso_file_section(runtime, SHT_RELA, ".rela.plt", &rel);

	s->is_rela = rel_scn != NULL;
	if (!rel_scn)
		rel_scn = dso_file_section(runtime, SHT_REL, ".rel.plt", &rel);
	if (!dynsym_scn || !rel_scn || rel.sh_link != elf_ndxscn(dynsym_scn) || !rel.sh_entsize)
		return false;
	s->elf = dso_file_elf(runtime);
	s->relocs = elf_getdata(rel_scn, NULL);
	s->syms = elf_getdata(dynsym_scn, NULL);
	s->names = dynsym.sh_link;
	if (!s->relocs || !s->syms)
		return false;
	s->n = s->relocs->d_size / rel.sh_entsize;
	return true;
}

static int add_slots(struct symtab *t, const struct plt_source *s, uint64_t off,
		     uint64_t slot_bytes)
{
	size_t i, at;
	int ret = 0;

	for (i = 0; i < s->n && i <= INT32_MAX && !ret; i++, off += slot_bytes) {
		struct symtab_entry e = { .start = off,
					  .end = off + slot_bytes,
					  .binding = STB_GLOBAL,
					  .type = STT_FUNC,
					  .plt = true };
		const char *name;
		GElf_Sym sym;

		if (!reloc_symbol(s->relocs, s->is_rela, i, &at) || at > INT32_MAX ||
		    !gelf_getsym(s->syms, (int)at, &sym) || e.end < e.start)
			continue;
		name = elf_strptr(s->elf, s->names, sym.st_name);
		if (name) /* "": computed at start (IRELATIVE); the slot is "@plt" */
			ret = add_slot(t, &e, name);
	}
	return ret;
}

int symtab_add_plt(struct symtab *t, struct dso_file *runtime)
{
	struct plt_shape shape;
	struct plt_source s;
	GElf_Shdr plt;
	GElf_Ehdr ehdr;
	int ret;

	if (!dso_file_section(runtime, SHT_PROGBITS, ".plt", &plt))
		return 0;
	cut_at(t, plt.sh_offset);
	if (!source_init(&s, runtime) || !gelf_getehdr(s.elf, &ehdr))
		return 0;
	shape = plt_shape(ehdr.e_machine, &plt);
	if (!shape.slot_bytes)
		return 0;
	ret = add_slots(t, &s, plt.sh_offset + shape.header_bytes, shape.slot_bytes);
	/* With IBT, calls go to a second table without header, in the same order. */
	if (!ret && dso_file_section(runtime, SHT_PROGBITS, ".plt.sec", &plt) && plt.sh_entsize)
		ret = add_slots(t, &s, plt.sh_offset, plt.sh_entsize);
	return ret;
}
