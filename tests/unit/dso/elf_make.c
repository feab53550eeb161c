/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit/dso/elf_make.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/file.h"

static const char *const names[MADE_N] = {
	"",	    ".text",	 ".plt",    ".data",   ".bss",	    ".note.gnu.build-id",
	".symtab",  ".strtab",	 ".dynsym", ".dynstr", ".rela.plt", ".gnu_debuglink",
	".comment", ".shstrtab",
};

struct maker {
	struct buf *out;
	Elf64_Shdr sh[MADE_N];
	struct buf shstr, str, dynstr;
};

static void pad_to(struct buf *b, size_t n)
{
	if (b->len < n)
		buf_add_zeros(b, n - b->len);
}

static uint32_t string_add(struct buf *b, const char *s)
{
	uint32_t at;

	if (!b->len)
		buf_add_char(b, 0);
	at = (uint32_t)b->len;
	buf_add(b, s, strlen(s) + 1);
	return at;
}

static void section(struct maker *m, int i, uint32_t type, uint64_t flags, uint64_t addr,
		    uint64_t off, uint64_t size)
{
	m->sh[i].sh_name = string_add(&m->shstr, names[i]);
	m->sh[i].sh_type = type;
	m->sh[i].sh_flags = flags;
	m->sh[i].sh_addr = addr;
	m->sh[i].sh_offset = off;
	m->sh[i].sh_size = size;
	m->sh[i].sh_addralign = 1;
}

static void section_add(struct maker *m, int i, uint32_t type, const void *bytes, size_t n)
{
	buf_align(m->out, 8);
	section(m, i, type, 0, 0, m->out->len, n);
	if (n)
		buf_add(m->out, bytes, n);
}

static void link_to(struct maker *m, int i, int link, size_t entsize)
{
	m->sh[i].sh_link = (uint32_t)link;
	m->sh[i].sh_entsize = entsize;
}

static void add_sym(struct buf *table, struct buf *strings, const struct elf_made_sym *s)
{
	Elf64_Sym sym = { .st_name = s->name ? string_add(strings, s->name) : 0,
			  .st_info = ELF64_ST_INFO(s->bind, s->type),
			  .st_other = s->visibility,
			  .st_shndx = s->shndx,
			  .st_value = s->value,
			  .st_size = s->size };

	buf_add(table, &sym, sizeof(sym));
}

static void add_symbols(struct maker *m, const struct elf_made *e)
{
	struct buf table = BUF_INIT, dyn = BUF_INIT, rela = BUF_INIT;
	size_t n_dyn = 1;

	buf_add_zeros(&table, sizeof(Elf64_Sym));
	buf_add_zeros(&dyn, sizeof(Elf64_Sym));
	for (size_t i = 0; i < e->n_syms; i++) {
		add_sym(e->syms[i].dynamic ? &dyn : &table,
			e->syms[i].dynamic ? &m->dynstr : &m->str, &e->syms[i]);
		n_dyn += e->syms[i].dynamic;
	}
	for (size_t i = 0; i < e->n_plt; i++) {
		struct elf_made_sym sym = { .name = e->plt[i],
					    .type = STT_FUNC,
					    .bind = STB_GLOBAL };
		Elf64_Rela r = { .r_info = ELF64_R_INFO(n_dyn + i, R_X86_64_JUMP_SLOT) };

		add_sym(&dyn, &m->dynstr, &sym);
		buf_add(&rela, &r, sizeof(r));
	}
	if (!e->no_symtab) {
		section_add(m, MADE_SYMTAB, SHT_SYMTAB, table.data, table.len);
		link_to(m, MADE_SYMTAB, MADE_STRTAB, sizeof(Elf64_Sym));
		section_add(m, MADE_STRTAB, SHT_STRTAB, buf_str(&m->str), m->str.len);
	}
	section_add(m, MADE_DYNSYM, e->debug_only ? SHT_NOBITS : SHT_DYNSYM, dyn.data, dyn.len);
	link_to(m, MADE_DYNSYM, MADE_DYNSTR, sizeof(Elf64_Sym));
	section_add(m, MADE_DYNSTR, SHT_STRTAB, buf_str(&m->dynstr), m->dynstr.len);
	section_add(m, MADE_RELA_PLT, SHT_RELA, buf_str(&rela), rela.len);
	link_to(m, MADE_RELA_PLT, MADE_DYNSYM, sizeof(Elf64_Rela));
	buf_release(&table);
	buf_release(&dyn);
	buf_release(&rela);
}

static void add_note(struct maker *m, const struct elf_made *e)
{
	struct buf note = BUF_INIT;

	buf_add_u32(&note, 4);
	buf_add_u32(&note, 20);
	buf_add_u32(&note, NT_GNU_BUILD_ID);
	buf_add(&note, "GNU", 4);
	buf_add(&note, e->build_id, 20);
	section_add(m, MADE_NOTE, SHT_NOTE, note.data, note.len);
	m->sh[MADE_NOTE].sh_flags = SHF_ALLOC;
	m->sh[MADE_NOTE].sh_addralign = 4;
	buf_release(&note);
}

static void add_headers(struct maker *m, const struct elf_made *e, uint64_t shoff)
{
	Elf64_Ehdr eh = { .e_type = e->type ? e->type : ET_DYN,
			  .e_entry = e->entry,
			  .e_machine = e->machine ? e->machine : EM_X86_64,
			  .e_version = EV_CURRENT,
			  .e_phoff = sizeof(eh),
			  .e_shoff = shoff,
			  .e_ehsize = sizeof(eh),
			  .e_phentsize = sizeof(Elf64_Phdr),
			  .e_phnum = e->build_id ? 3 : 2,
			  .e_shentsize = sizeof(Elf64_Shdr),
			  .e_shnum = MADE_N,
			  .e_shstrndx = MADE_SHSTRTAB };
	Elf64_Phdr ph[3] = {
		{ PT_LOAD, PF_R | PF_X, 0x1000, e->base + 0x1000, 0, 0x1000, 0x1000, 0x1000 },
		{ PT_LOAD, PF_R | PF_W, 0x2000, e->base + 0x3000, 0, 0x100, 0x1000, 0x1000 },
		{ PT_NOTE, PF_R, m->sh[MADE_NOTE].sh_offset, 0, 0, m->sh[MADE_NOTE].sh_size,
		  m->sh[MADE_NOTE].sh_size, 4 },
	};

	memcpy(eh.e_ident, ELFMAG, SELFMAG);
	eh.e_ident[EI_CLASS] = ELFCLASS64;
	eh.e_ident[EI_DATA] = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;
	eh.e_ident[EI_VERSION] = EV_CURRENT;
	if (e->debug_only) /* its program headers are unusable, too */
		ph[0].p_offset = ph[1].p_offset = ph[0].p_filesz = ph[1].p_filesz = 0;
	memcpy(m->out->data, &eh, sizeof(eh));
	memcpy(m->out->data + sizeof(eh), ph, sizeof(ph));
}

void elf_make(struct buf *out, const struct elf_made *e)
{
	static const char comment[] = "made";
	struct maker m = { .out = out };
	uint32_t code = e->debug_only ? SHT_NOBITS : SHT_PROGBITS;
	uint64_t off = e->debug_only ? 0x200 : 0, shoff; /* NOBITS: any offset will do */

	string_add(&m.str, "");
	string_add(&m.dynstr, "");
	pad_to(out, e->debug_only ? 0x200 : 0x2100);
	section(&m, MADE_TEXT, code, SHF_ALLOC | SHF_EXECINSTR, e->base + 0x1000,
		off ? off : 0x1000, 0x800);
	section(&m, MADE_PLT, code, SHF_ALLOC | SHF_EXECINSTR, e->base + 0x1800, off ? off : 0x1800,
		0x800);
	m.sh[MADE_PLT].sh_entsize = MADE_PLT_SLOT;
	section(&m, MADE_DATA, code, SHF_ALLOC | SHF_WRITE, e->base + 0x3000, off ? off : 0x2000,
		0x100);
	section(&m, MADE_BSS, SHT_NOBITS, SHF_ALLOC | SHF_WRITE, e->base + 0x3100,
		off ? off : 0x2100, 0xf00);
	if (e->build_id)
		add_note(&m, e);
	add_symbols(&m, e);
	if (e->debuglink)
		section_add(&m, MADE_DEBUGLINK, SHT_PROGBITS, e->debuglink,
			    strlen(e->debuglink) + 1);
	section_add(&m, MADE_COMMENT, SHT_PROGBITS, comment, sizeof(comment));
	buf_align(out, 8);
	string_add(&m.shstr, names[MADE_SHSTRTAB]);
	section(&m, MADE_SHSTRTAB, SHT_STRTAB, 0, 0, out->len, 0);
	m.sh[MADE_SHSTRTAB].sh_size = m.shstr.len;
	buf_add(out, m.shstr.data, m.shstr.len);
	buf_align(out, 8);
	shoff = out->len;
	buf_add(out, m.sh, sizeof(m.sh));
	add_headers(&m, e, shoff);
	buf_release(&m.shstr);
	buf_release(&m.str);
	buf_release(&m.dynstr);
}

static void make_folders(char *path)
{
	char *slash;

	for (slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = 0;
		mkdir(path, 0777);
		*slash = '/';
	}
}

int elf_make_file(const char *path, const struct elf_made *e)
{
	struct buf out = BUF_INIT;
	char *copy = strdup(path);
	int fd, ret;

	if (!copy)
		return -ENOMEM;
	make_folders(copy);
	free(copy);
	elf_make(&out, e);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	ret = fd < 0 ? -errno : file_write_all(fd, out.data, out.len);
	if (fd >= 0)
		close(fd);
	buf_release(&out);
	return ret;
}
