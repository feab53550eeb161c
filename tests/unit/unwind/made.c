/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit/unwind/made.h"

#include <dwarf.h>
#include <string.h>
#include "lib/need.h"

#define N_SECTIONS 5

static unsigned word(const struct made_form *f)
{
	return f->elf32 ? 4 : 8;
}

void made_put(struct buf *b, const struct made_form *f, uint64_t v, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		buf_add_char(b, (char)(v >> 8 * (f->big ? bytes - 1 - i : i)));
}

static void put_uleb(struct buf *b, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		buf_add_char(b, (char)(v | 0x80));
	buf_add_char(b, (char)v);
}

/* Overwrites what was put as 0. */
static void patch(struct buf *b, const struct made_form *f, size_t at, uint64_t v, unsigned bytes)
{
	struct buf n = BUF_INIT;

	made_put(&n, f, v, bytes);
	memcpy(b->data + at, n.data, bytes);
	buf_release(&n);
}

/* The length that begins an entry. Returns where its contents begin. */
static size_t entry_begin(struct buf *b, const struct made_form *f)
{
	if (f->dwarf64)
		made_put(b, f, UINT32_MAX, 4);
	made_put(b, f, 0, f->dwarf64 ? 8 : 4);
	return b->len;
}

static void entry_end(struct buf *b, const struct made_form *f, size_t begin)
{
	unsigned bytes = f->dwarf64 ? 8 : 4;

	while ((b->len - begin) % word(f))
		buf_add_char(b, DW_CFA_nop);
	patch(b, f, begin - bytes, b->len - begin, bytes);
}

static void put_program(struct buf *b, const struct made_program *p)
{
	if (p->n)
		buf_add(b, p->bytes, p->n);
}

static void put_cie(struct buf *b, const struct made_form *f, const struct made_cie *cie)
{
	const char *augmentation = cie->augmentation ? cie->augmentation : f->debug ? "" : "zR";
	uint8_t version = f->version ? f->version : 1;
	size_t begin = entry_begin(b, f);

	made_put(b, f, f->debug ? UINT64_MAX : 0, f->debug && f->dwarf64 ? 8 : 4);
	buf_add_char(b, (char)version);
	buf_add(b, augmentation, strlen(augmentation) + 1);
	if (version == 4) {
		buf_add_char(b, (char)word(f));
		buf_add_char(b, 0);
	}
	buf_add_char(b, 1); /* code alignment */
	buf_add_char(b, (cie->data_align ? cie->data_align : -(int)word(f)) & 0x7f);
	buf_add_char(b, (char)cie->ra);
	if (augmentation[0] == 'z') {
		put_uleb(b, 1);
		buf_add_char(b, (char)f->encoding);
	}
	put_program(b, &cie->program);
	entry_end(b, f, begin);
}

/* An address by the encoding. */
static void put_pointer(struct buf *b, const struct made_form *f, uint64_t v, bool is_range)
{
	uint8_t encoding = f->debug ? DW_EH_PE_absptr : f->encoding;

	if (!is_range && (encoding & 0x70) == DW_EH_PE_pcrel)
		v -= MADE_ADDR + b->len;
	switch (encoding & 0x0f) {
	case DW_EH_PE_absptr:
		made_put(b, f, v, word(f));
		break;
	case DW_EH_PE_udata2:
	case DW_EH_PE_sdata2:
		made_put(b, f, v, 2);
		break;
	case DW_EH_PE_udata4:
	case DW_EH_PE_sdata4:
		made_put(b, f, v, 4);
		break;
	case DW_EH_PE_uleb128:
		put_uleb(b, v);
		break;
	default:
		made_put(b, f, v, 8);
	}
}

static void put_fde(struct buf *b, const struct made_form *f, const struct made_cie *cie,
		    size_t cie_at, const struct made_fde *fde)
{
	size_t begin = entry_begin(b, f);

	made_put(b, f, f->debug ? cie_at : begin - cie_at, f->debug && f->dwarf64 ? 8 : 4);
	put_pointer(b, f, fde->start, false);
	put_pointer(b, f, fde->end - fde->start, true);
	if (cie->augmentation ? cie->augmentation[0] == 'z' : !f->debug)
		put_uleb(b, 0);
	put_program(b, &fde->program);
	entry_end(b, f, begin);
}

void made_frames(struct buf *b, const struct made_form *f, const struct made_cie *cies)
{
	for (; cies->fdes; cies++) {
		size_t cie_at = b->len;

		put_cie(b, f, cies);
		for (const struct made_fde *fde = cies->fdes; fde->end > fde->start; fde++)
			put_fde(b, f, cies, cie_at, fde);
	}
}

/* ---- ELF ---- */

/* Deflate's stored blocks: as a compressed section, but of the same bytes. */
static void compress(struct buf *out, const struct made_form *f, const uint8_t *bytes, size_t n)
{
	uint32_t a = 1, b = 0;
	struct made_form big = { .big = true }, little = { .big = false };

	assert_true(n < 65536);
	for (size_t i = 0; i < n; i++) {
		a = (a + bytes[i]) % 65521;
		b = (b + a) % 65521;
	}
	made_put(out, f, ELFCOMPRESS_ZLIB, 4);
	if (!f->elf32)
		made_put(out, f, 0, 4);
	made_put(out, f, n, word(f));
	made_put(out, f, 1, word(f));
	made_put(out, &big, 0x7801, 2);
	buf_add_char(out, 1);
	made_put(out, &little, n, 2);
	made_put(out, &little, ~n, 2);
	buf_add(out, bytes, n);
	made_put(out, &big, b << 16 | a, 4);
}

struct section {
	uint32_t name, type;
	uint64_t flags, addr, off, bytes;
};

static void put_section(struct buf *b, const struct made_form *f, const struct section *s)
{
	made_put(b, f, s->name, 4);
	made_put(b, f, s->type, 4);
	made_put(b, f, s->flags, word(f));
	made_put(b, f, s->addr, word(f));
	made_put(b, f, s->off, word(f));
	made_put(b, f, s->bytes, word(f));
	made_put(b, f, 0, 4);
	made_put(b, f, 0, 4);
	made_put(b, f, 1, word(f));
	made_put(b, f, 0, word(f));
}

static void put_segment(struct buf *b, const struct made_form *f, uint32_t type, uint64_t off,
			uint64_t addr, uint64_t bytes)
{
	made_put(b, f, type, 4);
	if (!f->elf32)
		made_put(b, f, PF_R | PF_X, 4);
	made_put(b, f, off, word(f));
	made_put(b, f, addr, word(f));
	made_put(b, f, addr, word(f));
	made_put(b, f, bytes, word(f));
	made_put(b, f, bytes, word(f));
	if (f->elf32)
		made_put(b, f, PF_R | PF_X, 4);
	made_put(b, f, 1, word(f));
}

static void put_ehdr(struct buf *b, const struct made_form *f, uint64_t sections)
{
	const char ident[EI_NIDENT] = { ELFMAG0,
					ELFMAG1,
					ELFMAG2,
					ELFMAG3,
					(char)(f->elf32 ? ELFCLASS32 : ELFCLASS64),
					(char)(f->big ? ELFDATA2MSB : ELFDATA2LSB),
					EV_CURRENT };

	buf_add(b, ident, sizeof(ident));
	made_put(b, f, ET_DYN, 2);
	made_put(b, f, f->machine, 2);
	made_put(b, f, EV_CURRENT, 4);
	made_put(b, f, 0, word(f));
	made_put(b, f, f->elf32 ? 52 : 64, word(f));
	made_put(b, f, f->no_sections ? 0 : sections, word(f));
	made_put(b, f, 0, 4);
	made_put(b, f, f->elf32 ? 52 : 64, 2);
	made_put(b, f, f->elf32 ? 32 : 56, 2);
	made_put(b, f, f->eh_frame_hdr ? 3 : 2, 2);
	made_put(b, f, f->elf32 ? 40 : 64, 2);
	made_put(b, f, f->no_sections ? 0 : N_SECTIONS, 2);
	made_put(b, f, f->no_sections ? 0 : 2, 2);
}

/* The linker's index of FDEs that are written with 32-bit DWARF and DW_EH_PE_udata4. */
static void put_index(struct buf *out, const struct made_form *f, const char *frames, size_t n,
		      uint64_t addr)
{
	uint32_t count = 0, cie = 0;
	struct buf pairs = BUF_INIT;

	for (size_t at = 0; at + 12 <= n;) {
		uint32_t length, id, start;

		memcpy(&length, frames + at, 4);
		memcpy(&id, frames + at + 4, 4);
		memcpy(&start, frames + at + 8, 4);
		if (id) {
			made_put(&pairs, f, start - addr, 4);
			made_put(&pairs, f, MADE_ADDR + at - addr, 4);
			count++;
		} else {
			cie++;
		}
		at += 4 + length;
	}
	assert_true(cie > 0);
	buf_add_char(out, 1);
	buf_add_char(out, DW_EH_PE_pcrel | DW_EH_PE_sdata4);
	buf_add_char(out, DW_EH_PE_udata4);
	buf_add_char(out, DW_EH_PE_datarel | DW_EH_PE_sdata4);
	made_put(out, f, MADE_ADDR - (addr + 4), 4);
	made_put(out, f, count, 4);
	buf_add(out, pairs.data, pairs.len);
	buf_release(&pairs);
}

void made_elf(struct buf *out, const struct made_form *f, const void *frames, size_t n)
{
	static const char names[] = "\0.eh_frame\0.debug_frame\0.shstrtab\0.text\0.gopclntab";
	struct buf contents = BUF_INIT, index = BUF_INIT;
	uint64_t off = (f->elf32 ? 52 : 64) + (f->elf32 ? 32 : 56) * (f->eh_frame_hdr ? 3ull : 2);
	uint64_t index_addr;
	struct section sections[N_SECTIONS] = { { 0 } };

	if (f->compressed)
		compress(&contents, f, frames, n);
	else if (n)
		buf_add(&contents, frames, n);
	index_addr = MADE_ADDR + contents.len;
	if (f->eh_frame_hdr)
		put_index(&index, f, frames, n, index_addr);
	sections[1] = (struct section){
		f->debug ? 11 : 1,	  SHT_PROGBITS, f->compressed ? SHF_COMPRESSED : 0,
		f->debug ? 0 : MADE_ADDR, off,		contents.len
	};
	sections[2] = (struct section){
		24, SHT_STRTAB, 0, 0, off + contents.len + index.len, sizeof(names)
	};
	sections[3] = (struct section){ 34, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0x1000, 0, 0 };
	if (f->go)
		sections[4] = (struct section){ 40, SHT_PROGBITS, SHF_ALLOC, 0x1000, 0, 0 };
	put_ehdr(out, f, sections[2].off + sizeof(names));
	put_segment(out, f, PT_LOAD, 0, 0x1000, 0x7000);
	put_segment(out, f, PT_LOAD, off, MADE_ADDR, contents.len + index.len);
	if (f->eh_frame_hdr)
		put_segment(out, f, PT_GNU_EH_FRAME, off + contents.len, index_addr, index.len);
	buf_add(out, contents.data, contents.len);
	if (index.len)
		buf_add(out, index.data, index.len);
	buf_add(out, names, sizeof(names));
	for (size_t i = 0; i < N_SECTIONS && !f->no_sections; i++)
		put_section(out, f, &sections[i]);
	buf_release(&contents);
	buf_release(&index);
}

struct unwind_table *made_table(const struct made_form *f, const struct made_cie *cies,
				struct ptui_error *err)
{
	struct buf frames = BUF_INIT, elf = BUF_INIT;
	struct unwind_table *t;
	struct dso_file *file;

	made_frames(&frames, f, cies);
	made_elf(&elf, f, frames.data, frames.len);
	file = dso_file_open_image("made", elf.data, elf.len, NULL, 0, err);
	assert_non_null(file);
	t = unwind_table_new(file, NULL, err);
	dso_file_unref(file);
	buf_release(&frames);
	buf_release(&elf);
	return t;
}
