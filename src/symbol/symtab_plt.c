/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The procedure linkage table has no symbols; its slots are in the order of the relocations that
 * fill them:
 *
 *   .plt       [ header ][ slot 0 ][ slot 1 ] …
 *   .rela.plt             [ sym a ] [ sym b ] …       -> "a@plt", "b@plt"
 *
 * On x86-64 the order is not relied on, since relocations of IFUNCs are sorted after the others: the
 * relocation that fills the word of the GOT through which a slot jumps has the symbol. Slots of .plt.got,
 * and those of static programs, are found in the same way.
 *
 * An IFUNC that is called by its own file has no symbol in the relocation, but the address of its resolver,
 * which is its own.
 */
#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"
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
	size_t version = strcspn(name, "@"); /* of a default version, "memcpy@@GLIBC_2.14" */
	size_t len = version ? version : strlen(name);
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
	for (size_t i = 0; i < t->n; i++)
		if (t->v[i].start < off && t->v[i].end > off)
			t->v[i].end = off;
}

/* The relocations of the slots, and their symbol names. */
struct plt_source {
	struct dso_file *runtime;
	Elf *elf;
	Elf_Data *relocs, *syms;
	size_t n, names; /* names: section index */
	bool is_rela;
};

/* A section of slots; `code`: its bytes, NULL: slots are in the order of their relocations. */
struct plt_section {
	uint64_t off, addr, header_bytes, slot_bytes;
	const uint8_t *code;
	size_t n;
};

static struct plt_section plt_section(Elf_Scn *scn, const GElf_Shdr *shdr, bool decodes)
{
	Elf_Data *data = decodes ? elf_rawdata(scn, NULL) : NULL;

	return (struct plt_section){ .off = shdr->sh_offset,
				     .addr = shdr->sh_addr,
				     .code = data ? data->d_buf : NULL,
				     .n = data && data->d_buf ? data->d_size : 0 };
}

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
	s->runtime = runtime;
	s->elf = dso_file_elf(runtime);
	s->relocs = elf_getdata(rel_scn, NULL);
	s->syms = elf_getdata(dynsym_scn, NULL);
	s->names = dynsym.sh_link;
	if (!s->relocs || !s->syms)
		return false;
	s->n = s->relocs->d_size / rel.sh_entsize;
	return true;
}

/* The function at an address; `t` is sorted up to n. "": unknown. */
static const char *name_at(const struct symtab *t, size_t n, const struct dso_file *runtime,
			   uint64_t addr)
{
	uint64_t off;
	size_t i;

	if (!dso_file_rva_to_off(runtime, addr, &off))
		return "";
	i = bisect(at, n, t->v[at].start < off);
	return i < n && t->v[i].start == off ? t->v[i].name : "";
}

/* ---- the code of the slots (x86-64) ---- */

#define GOT_SLOTS_MAX 65536

struct got_slot {
	uint64_t got; /* address of the word that it jumps through */
	uint64_t
		off; /* of the slot, in the file; or the index of the relocation that fills the word */
};

/* "jmp *DISP(%rip)", after endbr64 and bnd. False: other code. */
static bool jump_target(const uint8_t *code, size_t n, uint64_t addr, uint64_t *ret)
{
	size_t at = n >= 4 && !memcmp(code, "\xf3\x0f\x1e\xfa", 4) ? 4 : 0;
	int32_t disp;

	at += at < n && code[at] == 0xf2;
	if (n < at + 6 || code[at] != 0xff || code[at + 1] != 0x25)
		return false;
	memcpy(&disp, code + at + 2, sizeof(disp));
	*ret = addr + at + 6 + (uint64_t)(int64_t)(int32_t)le32toh((uint32_t)disp);
	return true;
}

static int got_order(const void *va, const void *vb)
{
	const struct got_slot *a = va, *b = vb;

	return a->got < b->got ? -1 : a->got > b->got;
}

/* "push $INDEX", after endbr64: the relocation of a slot of which .plt.sec has the jump. */
static bool push_index(const uint8_t *code, size_t n, uint64_t *ret)
{
	uint32_t index;

	if (n < 9 || memcmp(code, "\xf3\x0f\x1e\xfa\x68", 5) != 0)
		return false;
	memcpy(&index, code + 5, sizeof(index));
	*ret = le32toh(index);
	return true;
}

/* The words that the relocations fill, sorted; NULL: none, or no memory. */
static struct got_slot *read_words(const struct plt_source *s)
{
	struct got_slot *words = s->is_rela ? calloc(s->n + 1, sizeof(*words)) : NULL;
	GElf_Rela rela;

	for (size_t i = 0; words && i < s->n && i <= INT32_MAX; i++)
		if (gelf_getrela(s->relocs, (int)i, &rela))
			words[i] = (struct got_slot){ rela.r_offset, i };
	if (words)
		qsort(words, s->n, sizeof(*words), got_order);
	return words;
}

/* The relocation of the i-th slot of the section, by its code, else by its place; s->n: there is none. */
static size_t slot_reloc(const struct plt_source *s, const struct got_slot *words,
			 const struct plt_section *at, size_t i)
{
	uint64_t off = at->header_bytes + i * at->slot_bytes;
	const struct got_slot *word;
	const uint8_t *code;
	struct got_slot key;
	uint64_t index;

	if (!words || !at->code || off > at->n || at->slot_bytes > at->n - off)
		return i;
	code = at->code + off;
	if (push_index(code, at->slot_bytes, &index))
		return index < s->n ? (size_t)index : s->n;
	if (!jump_target(code, at->slot_bytes, at->addr + off, &key.got))
		return i;
	word = bsearch(&key, words, s->n, sizeof(*words), got_order);
	return word ? (size_t)word->off : s->n;
}

static int add_slots(struct symtab *t, const struct plt_source *s, const struct got_slot *words,
		     const struct plt_section *in)
{
	uint64_t off = in->off + in->header_bytes;
	size_t at, n_sorted = t->n;
	int ret = 0;

	for (size_t i = 0; i < s->n && i <= INT32_MAX && !ret; i++, off += in->slot_bytes) {
		size_t reloc = slot_reloc(s, words, in, i);
		struct symtab_entry e = { .start = off,
					  .end = off + in->slot_bytes,
					  .binding = STB_GLOBAL,
					  .type = STT_FUNC,
					  .plt = true };
		const char *name;
		GElf_Rela rela;
		GElf_Sym sym;

		if (!reloc_symbol(s->relocs, s->is_rela, reloc, &at) || at > INT32_MAX ||
		    !gelf_getsym(s->syms, (int)at, &sym) || e.end < e.start)
			continue;
		name = elf_strptr(s->elf, s->names, sym.st_name);
		if (name && !*name && s->is_rela && gelf_getrela(s->relocs, (int)reloc, &rela))
			name = name_at(t, n_sorted, s->runtime, (uint64_t)rela.r_addend);
		if (name)
			ret = add_slot(t, &e, name);
	}
	return ret;
}

/* ---- slots of any section, by their code ---- */

/* -> slots, sorted by their words; *ret_n 0: none. */
static struct got_slot *read_got_slots(struct dso_file *runtime, const char *section, size_t *ret_n,
				       uint64_t *ret_slot_bytes)
{
	GElf_Shdr shdr;
	Elf_Scn *scn = dso_file_section(runtime, SHT_PROGBITS, section, &shdr);
	Elf_Data *data = scn ? elf_rawdata(scn, NULL) : NULL;
	uint64_t bytes = 16;
	struct got_slot *slots;
	size_t n;

	*ret_n = 0;
	if (!data || !data->d_buf)
		return NULL;
	if (shdr.sh_entsize == 8 || (!shdr.sh_entsize && shdr.sh_addralign == 8))
		bytes = 8;
	*ret_slot_bytes = bytes;
	n = data->d_size / bytes < GOT_SLOTS_MAX ? data->d_size / bytes : GOT_SLOTS_MAX;
	slots = calloc(n + 1, sizeof(*slots));
	for (size_t i = 0; slots && i < n; i++) {
		struct got_slot slot = { .off = shdr.sh_offset + i * bytes };

		if (jump_target((const uint8_t *)data->d_buf + i * bytes, bytes,
				shdr.sh_addr + i * bytes, &slot.got))
			slots[(*ret_n)++] = slot;
	}
	if (slots)
		qsort(slots, *ret_n, sizeof(*slots), got_order);
	return slots;
}

/* One relocation of the table `shdr`, if it fills a slot's word. */
static int add_got_slot(struct symtab *t, size_t n_sorted, struct dso_file *runtime,
			const GElf_Shdr *shdr, const GElf_Rela *rela, const struct got_slot *slots,
			size_t n, uint64_t slot_bytes)
{
	const struct got_slot key = { .got = rela->r_offset };
	const struct got_slot *slot = bsearch(&key, slots, n, sizeof(*slots), got_order);
	struct symtab_entry e = { .binding = STB_GLOBAL, .type = STT_FUNC, .plt = true };
	Elf *elf = dso_file_elf(runtime);
	size_t at = GELF_R_SYM(rela->r_info);
	const char *name = "";
	GElf_Shdr syms;
	Elf_Scn *scn;
	GElf_Sym sym;

	if (!slot || at > INT32_MAX)
		return 0;
	e.start = slot->off;
	e.end = slot->off + slot_bytes;
	scn = at ? elf_getscn(elf, shdr->sh_link) : NULL;
	if (scn && gelf_getshdr(scn, &syms) && gelf_getsym(elf_getdata(scn, NULL), (int)at, &sym))
		name = elf_strptr(elf, syms.sh_link, sym.st_name);
	else if (!at)
		name = name_at(t, n_sorted, runtime, (uint64_t)rela->r_addend);
	return name && *name ? add_slot(t, &e, name) : 0;
}

static int add_got_slots(struct symtab *t, struct dso_file *runtime, const char *section)
{
	size_t n, n_sorted = t->n;
	uint64_t slot_bytes;
	struct got_slot *slots = read_got_slots(runtime, section, &n, &slot_bytes);
	Elf_Scn *scn = NULL;
	int ret = 0;

	while (n && !ret && (scn = elf_nextscn(dso_file_elf(runtime), scn))) {
		GElf_Shdr shdr;
		Elf_Data *data;

		if (!gelf_getshdr(scn, &shdr) || shdr.sh_type != SHT_RELA ||
		    !(shdr.sh_flags & SHF_ALLOC) || !shdr.sh_entsize)
			continue;
		data = elf_getdata(scn, NULL);
		for (size_t i = 0;
		     data && i < data->d_size / shdr.sh_entsize && i <= INT32_MAX && !ret; i++) {
			GElf_Rela rela;

			if (gelf_getrela(data, (int)i, &rela))
				ret = add_got_slot(t, n_sorted, runtime, &shdr, &rela, slots, n,
						   slot_bytes);
		}
	}
	free(slots);
	return ret;
}

/* ---- all kinds ---- */

/* .plt, and .plt.sec: with IBT, calls go to this second table, which has no header. */
static int add_plt_sections(struct symtab *t, const struct plt_source *s, Elf_Scn *scn,
			    const GElf_Shdr *shdr, const struct plt_shape *shape, bool decodes)
{
	struct got_slot *words = decodes ? read_words(s) : NULL;
	struct plt_section in = plt_section(scn, shdr, decodes);
	GElf_Shdr second;
	int ret;

	in.header_bytes = shape->header_bytes;
	in.slot_bytes = shape->slot_bytes;
	ret = add_slots(t, s, words, &in);
	scn = ret ? NULL : dso_file_section(s->runtime, SHT_PROGBITS, ".plt.sec", &second);
	if (scn && second.sh_entsize) {
		in = plt_section(scn, &second, decodes);
		in.slot_bytes = second.sh_entsize;
		ret = add_slots(t, s, words, &in);
	}
	free(words);
	return ret;
}

int symtab_add_plt(struct symtab *t, struct dso_file *runtime)
{
	struct plt_shape shape;
	struct plt_source s;
	GElf_Shdr plt;
	GElf_Ehdr ehdr;
	Elf_Scn *scn;
	bool decodes;
	int ret = 0;

	if (!gelf_getehdr(dso_file_elf(runtime), &ehdr))
		return 0;
	decodes = ehdr.e_machine == EM_X86_64;
	if (decodes && dso_file_section(runtime, SHT_PROGBITS, ".plt.got", &plt)) {
		cut_at(t, plt.sh_offset);
		ret = add_got_slots(t, runtime, ".plt.got");
	}
	scn = ret ? NULL : dso_file_section(runtime, SHT_PROGBITS, ".plt", &plt);
	if (!scn)
		return ret;
	cut_at(t, plt.sh_offset);
	if (!source_init(&s, runtime))
		return decodes ? add_got_slots(t, runtime, ".plt") : 0;
	shape = plt_shape(ehdr.e_machine, &plt);
	return shape.slot_bytes ? add_plt_sections(t, &s, scn, &plt, &shape, decodes) : 0;
}
