/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CIEs and FDEs of .eh_frame and .debug_frame.
 *
 *   length | CIE id  | version | augmentation | ... | initial instructions
 *   length | CIE pointer | start | range | augmentation data | instructions
 *
 * Everything is read through a cursor that ends with the entry, which ends with the section.
 */
#include <dwarf.h>
#include "unwind/bytes.h"
#include "unwind/cfi.h"

#define DWARF64_ESCAPE UINT32_MAX
#define HEAD_BYTES     12u /* the longest length field */

struct entry {
	struct cursor c; /* from after the CIE id or pointer to the end of the entry */
	uint32_t next;	 /* offset of the next entry */
	uint64_t id;	 /* CIE id or pointer */
	uint32_t id_off; /* where that is in the section */
	bool is64;
};

static uint32_t offset_of(const struct cfi_section *s, const struct cursor *c)
{
	return (uint32_t)(c->p - s->bytes);
}

/* Whether bytes of the section are there, or could be read. */
static bool section_need(const struct cfi_section *s, uint64_t off, uint64_t n)
{
	return !s->lazy || lazy_need(&s->lazy->section, off, n);
}

/* false: the section ends, or is damaged. *ret_next is set for a terminator, too. */
static bool entry_read(const struct unwind_table *t, const struct cfi_section *s, uint32_t off,
		       struct entry *e)
{
	struct cursor *c = &e->c;
	uint64_t length;
	uint32_t left = s->n_bytes - off;

	if (off >= s->n_bytes || !section_need(s, off, left < HEAD_BYTES ? left : HEAD_BYTES))
		return false;
	cursor_init(c, s->bytes + off, s->n_bytes - off, t->swap);
	length = cursor_u32(c);
	e->is64 = length == DWARF64_ESCAPE;
	if (e->is64)
		length = cursor_u64(c);
	if (c->bad || length > cursor_left(c) || !section_need(s, offset_of(s, c), length))
		return false;
	c->end = c->p + length;
	e->next = offset_of(s, c) + (uint32_t)length;
	e->id_off = offset_of(s, c);
	if (!length) { /* a terminator; linkers leave some in the middle */
		e->id = 0;
		return true;
	}
	/* In .eh_frame the CIE pointer has 4 bytes in 64-bit DWARF as well, but compilers differ: as libgcc. */
	e->id = e->is64 && s->is_debug ? cursor_u64(c) : cursor_u32(c);
	return !c->bad;
}

static bool entry_is_cie(const struct cfi_section *s, const struct entry *e)
{
	if (!s->is_debug)
		return !e->id;
	return e->id == (e->is64 ? UINT64_MAX : UINT32_MAX);
}

/* ---- encoded pointers ---- */

/* The number alone. `word` is the size of an address. */
static uint64_t pointer_number(struct cursor *c, uint8_t encoding, unsigned word)
{
	switch (encoding & 0x0f) {
	case DW_EH_PE_absptr:
		return bytes_word(c, word);
	case DW_EH_PE_uleb128:
		return bytes_uleb(c);
	case DW_EH_PE_udata2:
		return cursor_u16(c);
	case DW_EH_PE_udata4:
		return cursor_u32(c);
	case DW_EH_PE_udata8:
	case DW_EH_PE_sdata8:
		return cursor_u64(c);
	case DW_EH_PE_sleb128:
		return (uint64_t)bytes_sleb(c);
	case DW_EH_PE_sdata2:
		return (uint64_t)(int64_t)(int16_t)cursor_u16(c);
	case DW_EH_PE_sdata4:
		return (uint64_t)(int64_t)(int32_t)cursor_u32(c);
	case DW_EH_PE_signed:
		return word == 4 ? (uint64_t)(int64_t)(int32_t)cursor_u32(c) : cursor_u64(c);
	default:
		c->bad = true;
		return 0;
	}
}

/* DW_EH_PE_aligned: an address at the next multiple of its size. */
static void pointer_align(const struct cfi_section *s, struct cursor *c, unsigned word)
{
	uint64_t addr = s->addr + offset_of(s, c);

	cursor_bytes(c, (size_t)(-addr & (word - 1)));
}

bool cfi_pointer(const struct unwind_table *t, const struct cfi_section *s, struct cursor *c,
		 uint8_t encoding, uint64_t data_base, uint64_t *ret)
{
	unsigned word = t->arch->word;
	uint64_t at, v;

	if (encoding == DW_EH_PE_omit) {
		*ret = 0;
		return true;
	}
	if (encoding == DW_EH_PE_aligned) {
		pointer_align(s, c, word);
		*ret = bytes_word(c, word);
		return !c->bad;
	}
	at = s->addr + offset_of(s, c);
	v = pointer_number(c, encoding, word);
	switch (encoding & 0x70) {
	case DW_EH_PE_absptr:
		break;
	case DW_EH_PE_pcrel:
		v += at;
		break;
	case DW_EH_PE_datarel:
		v += data_base;
		break;
	default:
		return false; /* textrel, funcrel: of no address that an ELF file has */
	}
	*ret = word == 4 ? (uint32_t)v : v;
	return !c->bad && !(encoding & DW_EH_PE_indirect);
}

/* ---- CIEs ---- */

/* The augmentation's data, or without 'z' what old compilers put there. */
static bool cie_augmentation(const struct unwind_table *t, const struct cfi_section *s,
			     struct cursor *c, const char *letters, struct cfi_cie *cie)
{
	const uint8_t *end = c->end;
	uint64_t bytes = 0, ignored;

	if (letters[0] == 'z') {
		bytes = bytes_uleb(c);
		if (bytes > cursor_left(c))
			return false;
		cie->has_z = true;
		end = c->p + bytes;
		letters++;
	}
	for (; *letters; letters++) {
		switch (*letters) {
		case 'R':
			cie->fde_encoding = cursor_u8(c);
			break;
		case 'L':
			cursor_u8(c);
			break;
		case 'P': {
			uint8_t encoding = cursor_u8(c);

			/* Usually indirect; only its size matters. */
			cfi_pointer(t, s, c, encoding & 0x7f, 0, &ignored);
			break;
		}
		case 'S':
			cie->signal_frame = true;
			break;
		case 'B': /* AArch64: return addresses are signed with the other key */
		case 'G': /* AArch64: tagged stack memory */
			break;
		default:
			/* An unknown letter, and what follows it, can be skipped only by the size of all. */
			if (!cie->has_z)
				return false;
			letters = " ";
			break;
		}
		if (c->bad)
			return false;
	}
	if (cie->has_z)
		c->p = end;
	return true;
}

static bool cie_read(const struct unwind_table *t, const struct cfi_section *s, uint32_t off,
		     struct cfi_cie *cie)
{
	struct entry e;
	struct cursor *c = &e.c;
	const char *letters;
	unsigned version;

	*cie = (struct cfi_cie){ .off = off };
	if (!entry_read(t, s, off, &e) || !entry_is_cie(s, &e))
		return false;
	version = cursor_u8(c);
	if (version != 1 && version != 3 && version != 4)
		return false;
	letters = (const char *)c->p;
	while (!c->bad && cursor_u8(c))
		;
	if (c->bad)
		return false;
	if (letters[0] == 'e' && letters[1] == 'h') { /* GCC 2 */
		bytes_word(c, t->arch->word);
		letters += 2;
	}
	if (version == 4) {
		if (cursor_u8(c) != t->arch->word || cursor_u8(c))
			return false; /* another size of address, or segments */
	}
	cie->code_align = bytes_uleb(c);
	cie->data_align = bytes_sleb(c);
	cie->ra_column = version == 1 ? cursor_u8(c) : (uint32_t)bytes_uleb(c);
	if (c->bad || !cie_augmentation(t, s, c, letters, cie))
		return false;
	cie->program = *c;
	return true;
}

/* ---- FDEs ---- */

bool cfi_fde_read(const struct unwind_table *t, const struct cfi_section *s, uint32_t off,
		  struct cfi_cie *cie, struct cfi_fde *ret)
{
	struct entry e;
	struct cursor *c = &e.c;
	uint64_t cie_off, range;

	ret->next = 0;
	if (!entry_read(t, s, off, &e))
		return false;
	ret->next = e.next;
	if (entry_is_cie(s, &e))
		return false;
	cie_off = s->is_debug ? e.id : (uint64_t)e.id_off - e.id;
	if (cie_off >= s->n_bytes)
		return false;
	if (!cie->program.p || cie->off != cie_off)
		if (!cie_read(t, s, (uint32_t)cie_off, cie)) {
			cie->program.p = NULL;
			return false;
		}
	if (!cfi_pointer(t, s, c, cie->fde_encoding, 0, &ret->start))
		return false;
	range = pointer_number(c, cie->fde_encoding & 0x0f, t->arch->word);
	if (cie->has_z)
		cursor_bytes(c, bytes_uleb(c));
	if (c->bad || !range)
		return false;
	ret->end = ret->start + range;
	ret->program = *c;
	return ret->end > ret->start;
}
