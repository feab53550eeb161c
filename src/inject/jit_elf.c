/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 *	[ Ehdr | PT_LOAD PT_NOTE | .text | .note.gnu.build-id | .symtab | .strtab |
 *	  .debug_line | .debug_abbrev | .debug_info | .shstrtab | section headers ]
 */
#include "inject/jit_elf.h"

#include <dwarf.h>
#include <elf.h>
#include <string.h>
#include "base/hash.h"

#define ID_BYTES   20
#define N_SECTIONS 9

enum section {
	SECTION_NULL,
	SECTION_TEXT,
	SECTION_NOTE,
	SECTION_SYMTAB,
	SECTION_STRTAB,
	SECTION_LINE,
	SECTION_ABBREV,
	SECTION_INFO,
	SECTION_SHSTRTAB,
};

static const char section_names[] = "\0.text\0.note.gnu.build-id\0.symtab\0.strtab\0.debug_line\0"
				    ".debug_abbrev\0.debug_info\0.shstrtab";

struct elf {
	const struct jit_code *code;
	struct buf *out;
	size_t start; /* of the file in `out` */
	Elf64_Shdr sections[N_SECTIONS];
};

/* Of code whose compiler does not name it. */
#if defined(__x86_64__)
#define OWN_MACHINE EM_X86_64
#elif defined(__i386__)
#define OWN_MACHINE EM_386
#elif defined(__aarch64__)
#define OWN_MACHINE EM_AARCH64
#elif defined(__arm__)
#define OWN_MACHINE EM_ARM
#elif defined(__powerpc64__)
#define OWN_MACHINE EM_PPC64
#elif defined(__s390x__)
#define OWN_MACHINE EM_S390
#elif defined(__riscv)
#define OWN_MACHINE EM_RISCV
#else
#define OWN_MACHINE EM_NONE
#endif

static uint32_t name_off(enum section which)
{
	const char *name = section_names + 1;

	for (int i = SECTION_TEXT; i < (int)which; i++)
		name += strlen(name) + 1;
	return (uint32_t)(name - section_names);
}

static Elf64_Shdr *begin_section(struct elf *e, enum section which, uint32_t type, uint64_t align)
{
	Elf64_Shdr *s = &e->sections[which];
	size_t at = e->out->len - e->start;

	buf_add_zeros(e->out, (align - at % align) % align);
	*s = (Elf64_Shdr){ .sh_name = name_off(which),
			   .sh_type = type,
			   .sh_offset = e->out->len - e->start,
			   .sh_addralign = align };
	return s;
}

static void end_section(struct elf *e, enum section which)
{
	e->sections[which].sh_size = e->out->len - e->start - e->sections[which].sh_offset;
}

/* ---- code, symbol, build-id ---- */

static void add_text(struct elf *e)
{
	Elf64_Shdr *s = begin_section(e, SECTION_TEXT, SHT_PROGBITS, 1);

	s->sh_flags = SHF_ALLOC | SHF_EXECINSTR;
	s->sh_addr = s->sh_offset;
	buf_add(e->out, e->code->bytes, e->code->n);
	end_section(e, SECTION_TEXT);
}

static void add_note(struct elf *e)
{
	const Elf64_Nhdr note = { .n_namesz = 4, .n_descsz = ID_BYTES, .n_type = NT_GNU_BUILD_ID };
	uint64_t hash = hash_pair(hash_bytes(e->code->name, strlen(e->code->name)),
				  hash_bytes(e->code->bytes, e->code->n));
	Elf64_Shdr *s = begin_section(e, SECTION_NOTE, SHT_NOTE, 4);
	uint64_t id[3];

	for (size_t i = 0; i < 3; i++)
		id[i] = hash_pair(hash, e->code->off + i);
	s->sh_flags = SHF_ALLOC;
	s->sh_addr = s->sh_offset;
	buf_add(e->out, &note, sizeof(note));
	buf_add(e->out, "GNU", 4);
	buf_add(e->out, id, ID_BYTES);
	end_section(e, SECTION_NOTE);
}

static void add_symbols(struct elf *e)
{
	const Elf64_Sym symbols[2] = { { 0 },
				       { .st_name = 1,
					 .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
					 .st_shndx = SECTION_TEXT,
					 .st_value = JIT_ELF_TEXT_OFF,
					 .st_size = e->code->n } };
	Elf64_Shdr *s = begin_section(e, SECTION_SYMTAB, SHT_SYMTAB, 8);

	s->sh_entsize = sizeof(*symbols);
	s->sh_link = SECTION_STRTAB;
	s->sh_info = 1; /* the first that is not local */
	buf_add(e->out, symbols, sizeof(symbols));
	end_section(e, SECTION_SYMTAB);
	begin_section(e, SECTION_STRTAB, SHT_STRTAB, 1);
	buf_add_char(e->out, '\0');
	buf_add(e->out, e->code->name, strlen(e->code->name) + 1);
	end_section(e, SECTION_STRTAB);
}

/* ---- lines: DWARF 4 ---- */

static void add_uleb(struct buf *b, uint64_t v)
{
	do {
		buf_add_u8(b, (uint8_t)((v & 0x7f) | (v > 0x7f ? 0x80 : 0)));
		v >>= 7;
	} while (v);
}

static void add_sleb(struct buf *b, int64_t v)
{
	bool more = true;

	while (more) {
		uint8_t low = v & 0x7f;

		v >>= 7;
		more = !((v == 0 && !(low & 0x40)) || (v == -1 && low & 0x40));
		buf_add_u8(b, (uint8_t)(low | (more ? 0x80 : 0)));
	}
}

/* Sets a length of 4 bytes at `at` to what follows it. */
static void set_length(struct buf *b, size_t at)
{
	uint32_t n = (uint32_t)(b->len - at - sizeof(n));

	if (!b->err)
		memcpy(b->data + at, &n, sizeof(n));
}

static bool same_file(const struct jitdump_line *a, const struct jitdump_line *b)
{
	return a->file == b->file || !strcmp(a->file, b->file);
}

/* The files, each once if its lines follow each other; the number of the next one. */
static void add_files(struct buf *b, const struct jit_code *c)
{
	for (size_t i = 0; i < c->n_lines; i++) {
		if (i && same_file(&c->lines[i], &c->lines[i - 1]))
			continue;
		buf_add(b, c->lines[i].file, strlen(c->lines[i].file) + 1);
		buf_add(b, "\0\0\0", 3); /* folder, time, size */
	}
	buf_add_u8(b, 0);
}

static void add_rows(struct buf *b, const struct jit_code *c)
{
	uint64_t off = c->off, file = 1, row = 1;

	buf_add_u8(b, 0);
	add_uleb(b, 1 + sizeof(uint64_t));
	buf_add_u8(b, DW_LNE_set_address);
	buf_add_u64(b, JIT_ELF_TEXT_OFF);
	for (size_t i = 0; i < c->n_lines; i++) {
		const struct jitdump_line *line = &c->lines[i];

		if (i && !same_file(line, line - 1)) {
			buf_add_u8(b, DW_LNS_set_file);
			add_uleb(b, ++file);
		}
		buf_add_u8(b, DW_LNS_advance_pc);
		add_uleb(b, line->off - off);
		buf_add_u8(b, DW_LNS_advance_line);
		add_sleb(b, (int64_t)line->line - (int64_t)row);
		buf_add_u8(b, DW_LNS_copy);
		off = line->off;
		row = line->line;
	}
	buf_add_u8(b, DW_LNS_advance_pc);
	add_uleb(b, c->off + c->n - off);
	buf_add(b, "\0\1\1", 3); /* DW_LNE_end_sequence */
}

static void add_line_table(struct elf *e)
{
	static const uint8_t operands[] = { 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1 };
	struct buf *b = e->out;
	size_t unit, header;

	begin_section(e, SECTION_LINE, SHT_PROGBITS, 1);
	unit = b->len;
	buf_add_u32(b, 0);
	buf_add_u16(b, 4); /* version */
	header = b->len;
	buf_add_u32(b, 0);
	buf_add_u8(b, 1); /* bytes of an instruction, operations in it, is a statement */
	buf_add_u8(b, 1);
	buf_add_u8(b, 1);
	buf_add_u8(b, (uint8_t)-5); /* of special opcodes, which are not used */
	buf_add_u8(b, 14);
	buf_add_u8(b, sizeof(operands) + 1);
	buf_add(b, operands, sizeof(operands));
	buf_add_u8(b, 0); /* no folders */
	add_files(b, e->code);
	set_length(b, header);
	add_rows(b, e->code);
	set_length(b, unit);
	end_section(e, SECTION_LINE);
}

static void add_unit(struct elf *e)
{
	static const uint8_t abbreviations[] = {
		1,
		DW_TAG_compile_unit,
		DW_CHILDREN_no,
		DW_AT_name,
		DW_FORM_string,
		DW_AT_stmt_list,
		DW_FORM_sec_offset,
		DW_AT_low_pc,
		DW_FORM_addr,
		DW_AT_high_pc,
		DW_FORM_data8,
		0,
		0,
		0,
	};
	struct buf *b = e->out;
	size_t unit;

	begin_section(e, SECTION_ABBREV, SHT_PROGBITS, 1);
	buf_add(b, abbreviations, sizeof(abbreviations));
	end_section(e, SECTION_ABBREV);
	begin_section(e, SECTION_INFO, SHT_PROGBITS, 1);
	unit = b->len;
	buf_add_u32(b, 0);
	buf_add_u16(b, 4); /* version */
	buf_add_u32(b, 0); /* of the abbreviations */
	buf_add_u8(b, sizeof(uint64_t));
	add_uleb(b, 1);
	buf_add(b, e->code->lines[0].file, strlen(e->code->lines[0].file) + 1);
	buf_add_u32(b, 0);
	buf_add_u64(b, JIT_ELF_TEXT_OFF);
	buf_add_u64(b, e->code->n);
	set_length(b, unit);
	end_section(e, SECTION_INFO);
}

/* ---- the headers ---- */

static void add_section_headers(struct elf *e)
{
	size_t at = e->out->len - e->start;

	for (int i = 0; i < N_SECTIONS; i++)
		if (i && !e->sections[i].sh_type)
			e->sections[i].sh_type = SHT_NULL;
	buf_add_zeros(e->out, (8 - at % 8) % 8);
	buf_add(e->out, e->sections, sizeof(e->sections));
}

static void set_headers(struct elf *e, size_t section_headers)
{
	const Elf64_Shdr *text = &e->sections[SECTION_TEXT], *note = &e->sections[SECTION_NOTE];
	const uint16_t one = 1;
	Elf64_Ehdr h = { .e_type = ET_DYN,
			 .e_machine = e->code->machine ? e->code->machine : OWN_MACHINE,
			 .e_version = EV_CURRENT,
			 .e_entry = JIT_ELF_TEXT_OFF,
			 .e_phoff = sizeof(h),
			 .e_shoff = section_headers,
			 .e_ehsize = sizeof(h),
			 .e_phentsize = sizeof(Elf64_Phdr),
			 .e_phnum = 2,
			 .e_shentsize = sizeof(Elf64_Shdr),
			 .e_shnum = N_SECTIONS,
			 .e_shstrndx = SECTION_SHSTRTAB };
	const Elf64_Phdr segments[2] = {
		{ .p_type = PT_LOAD,
		  .p_flags = PF_R | PF_X,
		  .p_filesz = text->sh_offset + text->sh_size,
		  .p_memsz = text->sh_offset + text->sh_size,
		  .p_align = 0x1000 },
		{ .p_type = PT_NOTE,
		  .p_flags = PF_R,
		  .p_offset = note->sh_offset,
		  .p_vaddr = note->sh_offset,
		  .p_paddr = note->sh_offset,
		  .p_filesz = note->sh_size,
		  .p_memsz = note->sh_size,
		  .p_align = 4 },
	};

	memcpy(h.e_ident, ELFMAG, SELFMAG);
	h.e_ident[EI_CLASS] = ELFCLASS64;
	h.e_ident[EI_DATA] = *(const uint8_t *)&one ? ELFDATA2LSB : ELFDATA2MSB;
	h.e_ident[EI_VERSION] = EV_CURRENT;
	memcpy(e->out->data + e->start, &h, sizeof(h));
	memcpy(e->out->data + e->start + sizeof(h), segments, sizeof(segments));
}

int jit_elf_make(const struct jit_code *code, struct buf *out)
{
	struct elf e = { .code = code, .out = out, .start = out->len };
	size_t headers;

	_Static_assert(sizeof(Elf64_Ehdr) + 2 * sizeof(Elf64_Phdr) <= JIT_ELF_TEXT_OFF,
		       "the headers come before the code");
	buf_add_zeros(out, JIT_ELF_TEXT_OFF);
	add_text(&e);
	add_note(&e);
	add_symbols(&e);
	if (code->n_lines) {
		add_line_table(&e);
		add_unit(&e);
	}
	begin_section(&e, SECTION_SHSTRTAB, SHT_STRTAB, 1);
	buf_add(out, section_names, sizeof(section_names));
	end_section(&e, SECTION_SHSTRTAB);
	add_section_headers(&e);
	headers = out->len - e.start - sizeof(e.sections);
	if (!out->err)
		set_headers(&e, headers);
	return out->err;
}
