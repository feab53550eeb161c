/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Symbols of an ELF file. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/cursor.h"
#include "base/i18n.h"
#include "dso/starts.h"
#include "symbol/builder.h"

/* What of a section its symbols need. */
struct elf_section {
	enum { SECTION_UNREAD, SECTION_SKIPPED, SECTION_USED } state;
	bool has_labels; /* code or data, by its name */
	uint64_t addr, offset;
};

/* One symbol table of a file while it is read. */
struct elf_source {
	Elf *elf; /* the file with the symbols */
	GElf_Ehdr ehdr;
	Elf_Data *syms;
	const char *names; /* of the symbols; ends with a NUL */
	size_t names_bytes;
	const char *copy;     /* of the names, in the table; NULL: none yet */
	size_t section_names; /* section index */
	struct elf_section *sections;
	size_t n_sections;
	const struct elf_job *job;
	Elf_Data *opd; /* function descriptors; NULL: none */
	size_t opd_index;
	uint64_t opd_addr;
	bool swap;
};

/* What is read from which files. */
struct elf_job {
	struct dso_file *runtime; /* its headers have the true addresses */
	struct dso_file *symbols;
	bool vmlinux;		   /* keep addresses instead of file offsets */
	bool dynsym_of_runtime;	   /* `symbols` has only what .dynsym of `runtime` lacks */
	struct dso_placed *placed; /* of a kernel module: its sections */
	size_t n_placed;
};

static bool is_function_or_object(unsigned type)
{
	return type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_OBJECT;
}

/* Assembly code without .type; accepted only in sections of code and data. */
static bool is_label(const GElf_Sym *sym)
{
	unsigned visibility = GELF_ST_VISIBILITY(sym->st_other);

	return GELF_ST_TYPE(sym->st_info) == STT_NOTYPE && visibility != STV_HIDDEN &&
	       visibility != STV_INTERNAL;
}

/* $a, $d, $t, $x and $x.1: markers between code and data. */
static bool is_mapping_mark(const struct elf_source *s, const char *name)
{
	if (s->ehdr.e_machine != EM_ARM && s->ehdr.e_machine != EM_AARCH64)
		return false;
	return name[0] == '$' && name[1] && strchr("adtx", name[1]) && (!name[2] || name[2] == '.');
}

static void section_read(const struct elf_source *s, size_t index, struct elf_section *ret)
{
	Elf_Scn *scn = elf_getscn(s->elf, index);
	const char *name;
	GElf_Shdr shdr;

	ret->state = SECTION_SKIPPED;
	if (!scn || !gelf_getshdr(scn, &shdr) || !(shdr.sh_flags & SHF_ALLOC))
		return;
	name = elf_strptr(s->elf, s->section_names, shdr.sh_name);
	ret->has_labels = name && (strstr(name, "text") || strstr(name, "data"));
	/* In a file of debug information, code sections have no contents and no valid offset. */
	if (shdr.sh_type == SHT_NOBITS) {
		scn = elf_getscn(dso_file_elf(s->job->runtime), index);
		if (!scn || !gelf_getshdr(scn, &shdr))
			return;
	}
	ret->addr = shdr.sh_addr;
	ret->offset = shdr.sh_offset;
	ret->state = SECTION_USED;
}

/* The section of a symbol, in the file with its true offset; NULL: none with code or data. */
static const struct elf_section *section_of(const struct elf_source *s, const GElf_Sym *sym)
{
	struct elf_section *section;

	if (sym->st_shndx >= s->n_sections)
		return NULL;
	section = &s->sections[sym->st_shndx];
	if (section->state == SECTION_UNREAD)
		section_read(s, sym->st_shndx, section);
	if (section->state == SECTION_SKIPPED || (is_label(sym) && !section->has_labels))
		return NULL;
	return section;
}

static uint64_t to_offset(const struct elf_source *s, uint64_t value,
			  const struct elf_section *section)
{
	uint64_t off;

	if (dso_file_rva_to_off(s->job->runtime, value, &off))
		return off;
	return value - section->addr + section->offset;
}

static bool place(const struct elf_source *s, const GElf_Sym *sym, uint64_t value,
		  const struct elf_section *section, uint64_t *ret)
{
	const struct elf_job *job = s->job;

	if (job->placed) {
		if (sym->st_shndx >= job->n_placed || job->placed[sym->st_shndx].at == UINT64_MAX)
			return false;
		*ret = job->placed[sym->st_shndx].at + value;
	} else {
		*ret = job->vmlinux ? value : to_offset(s, value, section);
	}
	return true;
}

static void set_kernel_ref(struct symtab *t, const char *name, uint64_t value)
{
	if (!strcmp(name, "_text"))
		t->kernel_text = value;
	else if (!strcmp(name, "_stext"))
		t->kernel_stext = value;
}

/* All names are copied at once, when the first one is needed. 0 or -ENOMEM. */
static int push_named(struct symtab *t, struct elf_source *s, struct symtab_entry *e,
		      const char *name)
{
	if (!s->copy)
		s->copy = arena_memdup0(&t->names, s->names, s->names_bytes);
	if (!s->copy)
		return -ENOMEM;
	e->name = s->copy + (name - s->names);
	return symtab_push(t, e);
}

/* The function whose descriptor (.opd of 64-bit PowerPC, ELFv1) a symbol names. */
static int add_opd_symbol(struct symtab *t, struct elf_source *s, const GElf_Sym *sym,
			  const char *name)
{
	struct symtab_entry e = { .binding = GELF_ST_BIND(sym->st_info),
				  .type = GELF_ST_TYPE(sym->st_info) };
	uint64_t at = sym->st_value - s->opd_addr;
	struct cursor c;

	if (at > s->opd->d_size || sym->st_value < s->opd_addr)
		return 0;
	cursor_init(&c, (const uint8_t *)s->opd->d_buf + at, s->opd->d_size - at, s->swap);
	at = cursor_u64(&c);
	if (c.bad || !dso_file_rva_to_off(s->job->runtime, at, &e.start))
		return 0;
	e.end = e.start + sym->st_size < e.start ? UINT64_MAX : e.start + sym->st_size;
	return push_named(t, s, &e, name);
}

static int add_elf_symbol(struct symtab *t, struct elf_source *s, const GElf_Sym *sym)
{
	unsigned type = GELF_ST_TYPE(sym->st_info);
	struct symtab_entry e = { .binding = GELF_ST_BIND(sym->st_info), .type = (uint8_t)type };
	uint64_t value = sym->st_value;
	const struct elf_section *section;
	const char *name;

	if (!sym->st_name || sym->st_name >= s->names_bytes || sym->st_shndx == SHN_UNDEF ||
	    sym->st_shndx >= SHN_LORESERVE)
		return 0;
	name = s->names + sym->st_name;
	if (s->job->vmlinux)
		set_kernel_ref(t, name, value);
	if (!is_function_or_object(type) && !is_label(sym))
		return 0;
	section = is_mapping_mark(s, name) ? NULL : section_of(s, sym);
	if (!section)
		return 0;
	if (sym->st_shndx == s->opd_index && s->opd)
		return add_opd_symbol(t, s, sym, name);
	if (s->ehdr.e_machine == EM_ARM && type == STT_FUNC)
		value &= ~1ULL; /* Thumb */
	if (!place(s, sym, value, section, &e.start))
		return 0;
	e.end = e.start + sym->st_size < e.start ? UINT64_MAX : e.start + sym->st_size;
	return push_named(t, s, &e, name);
}

/* In the file that ran: one of debug information has none. */
static void find_opd(struct elf_source *s)
{
	GElf_Shdr shdr;
	Elf_Scn *scn = dso_file_section(s->job->runtime, SHT_PROGBITS, ".opd", &shdr);

	s->opd = scn && !s->job->placed && !s->job->vmlinux ? elf_rawdata(scn, NULL) : NULL;
	if (!s->opd || !s->opd->d_buf) {
		s->opd = NULL;
		return;
	}
	s->opd_index = elf_ndxscn(scn);
	s->opd_addr = shdr.sh_addr;
	s->swap = (s->ehdr.e_ident[EI_DATA] == ELFDATA2MSB) !=
		  (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
}

/* False: no such table, or not readable. */
static bool source_init(struct elf_source *s, const struct elf_job *job, struct dso_file *symbols,
			uint32_t type)
{
	Elf_Data *names;
	Elf_Scn *scn;
	GElf_Shdr shdr;

	memset(s, 0, sizeof(*s));
	s->job = job;
	s->elf = dso_file_elf(symbols);
	scn = dso_file_section(symbols, type, NULL, &shdr);
	if (!scn || !gelf_getehdr(s->elf, &s->ehdr) ||
	    elf_getshdrstrndx(s->elf, &s->section_names) < 0 ||
	    elf_getshdrnum(s->elf, &s->n_sections) < 0)
		return false;
	s->syms = elf_getdata(scn, NULL);
	scn = elf_getscn(s->elf, shdr.sh_link);
	names = scn ? elf_rawdata(scn, NULL) : NULL;
	if (!s->syms || !s->syms->d_buf || !names || !names->d_buf)
		return false;
	s->names = names->d_buf;
	s->names_bytes = names->d_size;
	find_opd(s);
	while (s->names_bytes && s->names[s->names_bytes - 1]) /* up to the last NUL */
		s->names_bytes--;
	return true;
}

static int add_elf_table(struct symtab *t, const struct elf_job *job, struct dso_file *symbols,
			 uint32_t type)
{
	struct elf_source s;
	size_t n, before = t->n;
	int ret = 0;

	if (!source_init(&s, job, symbols, type))
		return 0;
	s.sections = calloc(s.n_sections + 1, sizeof(*s.sections));
	if (!s.sections)
		return -ENOMEM;
	n = s.syms->d_size / gelf_fsize(s.elf, ELF_T_SYM, 1, EV_CURRENT);
	for (size_t i = 0; i < n && i <= INT32_MAX && !ret; i++) {
		GElf_Sym sym;

		if (gelf_getsym(s.syms, (int)i, &sym))
			ret = add_elf_symbol(t, &s, &sym);
	}
	free(s.sections);
	if (ret || t->n == before)
		return ret;
	ret = symtab_sort(t);
	if (ret)
		return ret;
	symtab_fix_ends(t);
	symtab_drop_aliases(t);
	return 0;
}

static struct symtab *from_elf(const struct elf_job *job, struct ptui_error *err)
{
	struct symtab *t = symtab_new();
	bool kernel = job->vmlinux || job->placed;

	if (!t)
		goto nomem;
	t->demangled_ties = !kernel; /* kernel names are shown as they are */
	/* Both: distributions leave some functions only in .dynsym. */
	if (add_elf_table(t, job, job->symbols, SHT_SYMTAB) < 0 ||
	    add_elf_table(t, job, job->dynsym_of_runtime ? job->runtime : job->symbols,
			  SHT_DYNSYM) < 0)
		goto nomem;
	if (t->n && !kernel && symtab_add_plt(t, job->runtime) < 0)
		goto nomem;
	if (symtab_finish(t) < 0)
		goto nomem;
	if (!t->n) {
		ptui_error_set(err, PTUI_ERROR_FORMAT, ENOENT, dso_file_path(job->symbols),
			       _("%s has no symbols"), dso_file_path(job->symbols));
		symtab_free(t);
		return NULL;
	}
	return t;
nomem:
	symtab_free(t);
	ptui_error_nomem(err);
	return NULL;
}

struct symtab *symtab_from_elf(struct dso_file *runtime, struct dso_file *symbols,
			       struct ptui_error *err)
{
	const struct elf_job job = { .runtime = runtime, .symbols = symbols };

	return from_elf(&job, err);
}

struct symtab *symtab_from_debugdata(struct dso_file *runtime, struct dso_file *debugdata,
				     struct ptui_error *err)
{
	const struct elf_job job = { .runtime = runtime,
				     .symbols = debugdata,
				     .dynsym_of_runtime = true };

	return from_elf(&job, err);
}

struct symtab *symtab_from_vmlinux(struct dso_file *f, struct ptui_error *err)
{
	const struct elf_job job = { .runtime = f, .symbols = f, .vmlinux = true };

	return from_elf(&job, err);
}

/* ---- functions without symbols ---- */

static int add_unnamed(struct symtab *t, const struct dso_file *code, const struct dso_range *range)
{
	struct symtab_entry e = { .start = range->start,
				  .end = range->end,
				  .binding = STB_LOCAL,
				  .type = STT_FUNC,
				  .unnamed = true };
	uint64_t rva = range->start;
	char name[40];
	int n;

	(void)dso_file_off_to_rva(code, range->start, &rva);
	n = snprintf(name, sizeof(name), "%#" PRIx64 "-%#" PRIx64, rva,
		     rva + (range->end - range->start));
	return symtab_add(t, &e, name, (size_t)n);
}

int symtab_add_unnamed(struct symtab **ret, struct dso_file *code)
{
	struct symtab *t = *ret ? *ret : symtab_new();
	struct dso_range *v = NULL;
	size_t n_ranges = 0, n;
	int err = t ? dso_functions(code, &v, &n_ranges) : -ENOMEM;

	/* others have them already */
	if (!err && !t->n && (symtab_add_plt(t, code) || symtab_finish(t))) {
		t->n = 0;
		err = -ENOMEM;
	}
	n = t ? t->n : 0;
	for (size_t i = 0; i < n_ranges && !err; i++)
		if (!symtab_overlaps(t, n, v[i].start, v[i].end))
			err = add_unnamed(t, code, &v[i]);
	free(v);
	if (t && symtab_sort(t)) { /* what is not in order finds wrong names */
		t->n = n;
		err = -ENOMEM;
	}
	if (t && t->n > n && symtab_finish(t))
		err = -ENOMEM;
	if (t && !t->n) {
		symtab_free(t);
		t = NULL;
	}
	*ret = t;
	return err == -ENOMEM ? err : 0;
}

/* ---- kernel modules ---- */

struct symtab *symtab_from_kernel_module(struct dso_file *f, struct ptui_error *err)
{
	struct elf_job job = { .runtime = f, .symbols = f };
	struct symtab *t = NULL;
	int ret = dso_file_place_sections(f, &job.placed, &job.n_placed);

	if (!ret)
		t = from_elf(&job, err);
	else if (ret == -ENOMEM)
		ptui_error_nomem(err);
	else
		ptui_error_set(err, PTUI_ERROR_FORMAT, EINVAL, dso_file_path(f),
			       _("%s is not a kernel module"), dso_file_path(f));
	free(job.placed);
	return t;
}
