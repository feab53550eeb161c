/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sections of a module with call frame information, copied, and an index of their FDEs.
 *
 * The linker's index (.eh_frame_hdr) is taken if it has the usual form and is sorted; otherwise, and for
 * .debug_frame, the section is read once from its beginning to its end.
 *
 * A lazy .eh_frame is neither copied nor checked: a lookup reads the blocks of the linker's index that a binary
 * search visits, and the FDE. If the index is not sorted, it finds none, or one that does not cover the address.
 */
#include <dwarf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>
#include "base/i18n.h"
#include "base/vec.h"
#include "unwind/bytes.h"
#include "unwind/cfi.h"

/* The linker's index: version, encodings, address of .eh_frame, count, (start, FDE) pairs. */
struct header {
	const uint8_t *bytes;
	size_t n_bytes;
	uint64_t addr;
};

/* The lazy tables of a process keep at most so many files open: further ones are read as a whole. */
#define LAZY_FILES_MAX 64u

#define INDEX_HEAD     12u /* bytes before the pairs of the linker's index */
#define INDEX_ENTRY    8u
#define CFI_GUIDE      64u
#define GUIDE_AFTER    2048u /* lookups: reading the index then costs less than further ones */

static atomic_uint last_id, n_lazy_files;

static void section_release(struct cfi_section *s)
{
	if (s->lazy) {
		lazy_release(&s->lazy->section);
		lazy_release(&s->lazy->index);
		free(s->lazy->guide);
		s->bytes = NULL;
	}
	free(s->lazy);
	free(s->bytes);
	free(s->start);
	free(s->off);
	memset(s, 0, sizeof(*s));
}

/* ---- the index ---- */

/* Start and place of an FDE as one number, which sorts as wanted. */
struct index {
	uint64_t *v;
	size_t n, cap;
};

static int index_add(const struct unwind_table *t, struct index *x, uint64_t start, uint32_t off)
{
	if (start < t->base || start - t->base > UINT32_MAX)
		return 0;
	if (vec_grow(&x->v, &x->cap, x->n + 1) < 0)
		return -ENOMEM;
	x->v[x->n++] = (start - t->base) << 32 | off;
	return 0;
}

static int by_start(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static int index_finish(struct cfi_section *s, struct index *x)
{
	for (size_t i = 1; i < x->n; i++) {
		if (x->v[i - 1] > x->v[i]) {
			qsort(x->v, x->n, sizeof(*x->v), by_start);
			break;
		}
	}
	s->start = malloc((x->n ? x->n : 1) * sizeof(*s->start));
	s->off = malloc((x->n ? x->n : 1) * sizeof(*s->off));
	if (!s->start || !s->off)
		return -ENOMEM;
	for (size_t i = 0; i < x->n; i++) {
		s->start[i] = (uint32_t)(x->v[i] >> 32);
		s->off[i] = (uint32_t)x->v[i];
	}
	s->n_fdes = (uint32_t)x->n;
	return 0;
}

/* Each entry is visited once: the count of FDEs is bounded by the size of the section. */
static int index_scan(const struct unwind_table *t, struct cfi_section *s)
{
	struct index x = { 0 };
	struct cfi_cie cie = { 0 };
	struct cfi_fde fde;
	int ret = 0;

	for (uint32_t off = 0; !ret; off = fde.next) {
		if (cfi_fde_read(t, s, off, &cie, &fde))
			ret = index_add(t, &x, fde.start, off);
		if (!fde.next)
			break;
	}
	if (!ret)
		ret = index_finish(s, &x);
	free(x.v);
	return ret;
}

/* The number of entries, if the linker's index has the usual form; 0: it does not. */
static uint32_t index_head(struct cursor *c)
{
	const uint8_t usual = DW_EH_PE_datarel | DW_EH_PE_sdata4;
	uint32_t n;

	if (cursor_u8(c) != 1 || cursor_u8(c) != (DW_EH_PE_pcrel | DW_EH_PE_sdata4) ||
	    cursor_u8(c) != DW_EH_PE_udata4 || cursor_u8(c) != usual)
		return 0;
	cursor_u32(c);
	n = cursor_u32(c);
	return c->bad || n > cursor_left(c) / INDEX_ENTRY ? 0 : n;
}

/* true: `s` has an index, made from the linker's. */
static bool index_from_header(const struct unwind_table *t, struct cfi_section *s,
			      const struct header *h)
{
	struct cursor c;
	uint32_t n, kept = 0;

	cursor_init(&c, h->bytes, h->n_bytes, t->swap);
	n = index_head(&c);
	if (!n)
		return false;
	s->start = malloc(n * sizeof(*s->start));
	s->off = malloc(n * sizeof(*s->off));
	if (!s->start || !s->off)
		return false;
	for (uint32_t i = 0; i < n; i++) {
		uint64_t start = h->addr + (uint64_t)(int64_t)(int32_t)cursor_u32(&c) - t->base;
		uint64_t off = h->addr + (uint64_t)(int64_t)(int32_t)cursor_u32(&c) - s->addr;

		if (start > UINT32_MAX || off >= s->n_bytes)
			continue;
		if (kept && s->start[kept - 1] > start)
			return false;
		s->start[kept] = (uint32_t)start;
		s->off[kept++] = (uint32_t)off;
	}
	s->n_fdes = kept;
	return kept;
}

/* Entry i of a lazy section's index: where its function and its FDE begin. */
static bool lazy_entry(const struct unwind_table *t, const struct cfi_section *s, uint32_t i,
		       uint64_t *ret_start, uint64_t *ret_off)
{
	struct cfi_lazy *l = s->lazy;
	uint64_t at = INDEX_HEAD + (uint64_t)i * INDEX_ENTRY;
	struct cursor c;

	if (!lazy_need(&l->index, at, INDEX_ENTRY))
		return false;
	cursor_init(&c, l->index.bytes + at, INDEX_ENTRY, t->swap);
	*ret_start = l->index_addr + (uint64_t)(int64_t)(int32_t)cursor_u32(&c);
	*ret_off = l->index_addr + (uint64_t)(int64_t)(int32_t)cursor_u32(&c) - s->addr;
	return true;
}

static uint32_t guide_entries(const struct cfi_section *s)
{
	return (s->n_fdes + CFI_GUIDE - 1) / CFI_GUIDE;
}

/* Reads all of the index. Without memory or in case of an error there is no guide. */
static void make_guide(const struct unwind_table *t, const struct cfi_section *s)
{
	struct cfi_lazy *l = s->lazy;
	uint32_t n = guide_entries(s);
	int32_t *guide = malloc(n * sizeof(*guide));
	uint64_t start, off;

	for (uint32_t i = 0; i < n && guide; i++) {
		if (!lazy_entry(t, s, i * CFI_GUIDE, &start, &off)) {
			free(guide);
			return;
		}
		guide[i] = (int32_t)(start - l->index_addr);
	}
	l->guide = guide;
}

/* The entries that the function at an address may have: *ret_n from the result on. */
static uint32_t lazy_narrow(const struct unwind_table *t, const struct cfi_section *s, uint64_t rva,
			    uint32_t *ret_n)
{
	int64_t key = (int64_t)(rva - s->lazy->index_addr);
	const int32_t *at;
	uint32_t n = guide_entries(s), first;

	*ret_n = s->n_fdes;
	if (s->lazy->n_finds <= GUIDE_AFTER && s->lazy->n_finds++ == GUIDE_AFTER)
		make_guide(t, s);
	at = s->lazy->guide;
	if (!at)
		return 0;
	while (n > 1) {
		uint32_t half = n / 2;

		at += at[half] <= key ? half : 0;
		n -= half;
	}
	first = (uint32_t)(at - s->lazy->guide) * CFI_GUIDE;
	*ret_n = s->n_fdes - first < CFI_GUIDE ? s->n_fdes - first : CFI_GUIDE;
	return first;
}

static uint32_t lazy_find(const struct unwind_table *t, const struct cfi_section *s, uint64_t rva)
{
	uint32_t n, first = lazy_narrow(t, s, rva, &n);
	uint64_t start, off;

	while (n > 1) {
		uint32_t half = n / 2;

		if (!lazy_entry(t, s, first + half, &start, &off))
			return UINT32_MAX;
		first += start <= rva ? half : 0;
		n -= half;
	}
	return lazy_entry(t, s, first, &start, &off) && start <= rva && off < s->n_bytes ?
		       (uint32_t)off :
		       UINT32_MAX;
}

uint32_t cfi_index_find(const struct unwind_table *t, const struct cfi_section *s, uint64_t rva)
{
	const uint32_t *at = s->start;
	uint32_t n = s->n_fdes, key;

	if (s->lazy)
		return lazy_find(t, s, rva);
	if (!n || rva < t->base || rva - t->base > UINT32_MAX)
		return UINT32_MAX;
	key = (uint32_t)(rva - t->base);
	while (n > 1) {
		uint32_t half = n / 2;

		at += at[half] <= key ? half : 0;
		n -= half;
	}
	return *at <= key ? s->off[at - s->start] : UINT32_MAX;
}

/* ---- finding the sections ---- */

static int section_copy(struct cfi_section *s, const Elf_Data *data, uint64_t addr)
{
	if (!data || !data->d_buf || !data->d_size || data->d_size >= UINT32_MAX)
		return -ENODATA;
	s->bytes = malloc(data->d_size);
	if (!s->bytes)
		return -ENOMEM;
	memcpy(s->bytes, data->d_buf, data->d_size);
	s->n_bytes = (uint32_t)data->d_size;
	s->addr = addr;
	return 0;
}

/* The bytes of a section as they are in the file; NULL: none (a debug file has only the header). */
static Elf_Data *raw_section(struct dso_file *f, const char *name, uint64_t *ret_addr)
{
	GElf_Shdr shdr;
	Elf_Scn *scn = dso_file_section(f, 0, name, &shdr);

	if (!scn || shdr.sh_type == SHT_NOBITS)
		return NULL;
	*ret_addr = shdr.sh_addr;
	return elf_rawdata(scn, NULL);
}

/* Without section headers: from an address to the end of the segment that has it. */
static Elf_Data *raw_segment_from(struct dso_file *f, uint64_t addr)
{
	Elf *elf = dso_file_elf(f);
	size_t n = 0;

	if (elf_getphdrnum(elf, &n) < 0)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		GElf_Phdr phdr;

		if (!gelf_getphdr(elf, (int)i, &phdr) || phdr.p_type != PT_LOAD ||
		    addr < phdr.p_vaddr || addr - phdr.p_vaddr >= phdr.p_filesz)
			continue;
		return elf_getdata_rawchunk(elf, (int64_t)(phdr.p_offset + (addr - phdr.p_vaddr)),
					    phdr.p_filesz - (addr - phdr.p_vaddr), ELF_T_BYTE);
	}
	return NULL;
}

/* The program header of .eh_frame_hdr, which also exists if the file has no section headers. */
static bool find_header_phdr(struct dso_file *f, GElf_Phdr *ret)
{
	Elf *elf = dso_file_elf(f);
	size_t n = 0;

	if (elf_getphdrnum(elf, &n) < 0)
		return false;
	for (size_t i = 0; i < n; i++)
		if (gelf_getphdr(elf, (int)i, ret) && ret->p_type == PT_GNU_EH_FRAME)
			return true;
	return false;
}

static bool find_header(struct dso_file *f, struct header *ret)
{
	GElf_Phdr phdr;
	Elf_Data *data;

	if (!find_header_phdr(f, &phdr))
		return false;
	data = elf_getdata_rawchunk(dso_file_elf(f), (int64_t)phdr.p_offset, phdr.p_filesz,
				    ELF_T_BYTE);
	if (!data || !data->d_buf)
		return false;
	ret->bytes = data->d_buf;
	ret->n_bytes = data->d_size;
	ret->addr = phdr.p_vaddr;
	return true;
}

/* The address of .eh_frame, as .eh_frame_hdr has it. */
static bool header_points_to(const struct unwind_table *t, const struct header *h, uint64_t *ret)
{
	struct cfi_section as = { .bytes = (uint8_t *)h->bytes, .addr = h->addr };
	struct cursor c;
	uint8_t encoding;

	cursor_init(&c, h->bytes, h->n_bytes, t->swap);
	if (cursor_u8(&c) != 1)
		return false;
	encoding = cursor_u8(&c);
	cursor_u16(&c);
	return !c.bad && cfi_pointer(t, &as, &c, encoding, h->addr, ret);
}

static int add_eh_frame(struct unwind_table *t, struct dso_file *f)
{
	struct cfi_section *s = &t->sections[t->n_sections];
	struct header h = { 0 };
	bool has_header = find_header(f, &h);
	uint64_t addr;
	Elf_Data *data = raw_section(f, ".eh_frame", &addr);
	int ret;

	if (!data && has_header && header_points_to(t, &h, &addr))
		data = raw_segment_from(f, addr);
	ret = section_copy(s, data, addr);
	if (ret)
		return ret;
	if (!has_header || !index_from_header(t, s, &h)) {
		free(s->start);
		free(s->off);
		s->start = s->off = NULL;
		ret = index_scan(t, s);
	}
	t->n_sections += !ret;
	return ret;
}

/* ---- lazy sections ---- */

/* Keeps the file open; false: it has none, or enough are open. */
static bool lazy_open(struct unwind_table *t, const struct dso_file *f)
{
	int fd = dso_file_fd(f);

	if (fd < 0)
		return false;
	if (atomic_fetch_add_explicit(&n_lazy_files, 1, memory_order_relaxed) < LAZY_FILES_MAX)
		t->fd = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	if (t->fd < 0)
		atomic_fetch_sub_explicit(&n_lazy_files, 1, memory_order_relaxed);
	return t->fd >= 0;
}

static void lazy_close(struct unwind_table *t)
{
	if (t->fd < 0)
		return;
	close(t->fd);
	t->fd = -1;
	atomic_fetch_sub_explicit(&n_lazy_files, 1, memory_order_relaxed);
}

static bool lazy_read_head(const struct unwind_table *t, struct cfi_section *s)
{
	struct lazy_bytes *index = &s->lazy->index;
	struct cursor c;

	if (!lazy_need(index, 0, INDEX_HEAD))
		return false;
	cursor_init(&c, index->bytes, index->n, t->swap);
	s->n_fdes = index_head(&c);
	return s->n_fdes;
}

/* True: added. False: it lacks the linker's index in its usual form, or memory is short. */
static bool add_lazy_eh_frame(struct unwind_table *t, struct dso_file *f)
{
	struct cfi_section *s = &t->sections[t->n_sections];
	GElf_Shdr shdr;
	GElf_Phdr phdr;

	if (!find_header_phdr(f, &phdr) || phdr.p_filesz > UINT32_MAX ||
	    !dso_file_section(f, 0, ".eh_frame", &shdr) || shdr.sh_type == SHT_NOBITS ||
	    shdr.sh_flags & SHF_COMPRESSED || !shdr.sh_size || shdr.sh_size >= UINT32_MAX ||
	    !lazy_open(t, f))
		return false;
	s->lazy = calloc(1, sizeof(*s->lazy));
	if (s->lazy &&
	    !lazy_init(&s->lazy->section, t->fd, shdr.sh_offset, (uint32_t)shdr.sh_size) &&
	    !lazy_init(&s->lazy->index, t->fd, phdr.p_offset, (uint32_t)phdr.p_filesz) &&
	    lazy_read_head(t, s)) {
		s->bytes = s->lazy->section.bytes;
		s->n_bytes = s->lazy->section.n;
		s->addr = shdr.sh_addr;
		s->lazy->index_addr = phdr.p_vaddr;
		t->n_sections++;
		return true;
	}
	section_release(s);
	lazy_close(t);
	return false;
}

static Elf_Data *debug_frame(struct dso_file *f)
{
	GElf_Shdr shdr;
	Elf_Scn *scn = dso_file_section(f, 0, ".debug_frame", &shdr);

	if (scn && (shdr.sh_flags & SHF_COMPRESSED) && elf_compress(scn, 0, 0) < 0)
		return NULL;
	if (!scn) {
		scn = dso_file_section(f, 0, ".zdebug_frame", &shdr);
		if (scn && elf_compress_gnu(scn, 0, 0) < 0)
			return NULL;
	}
	return scn && shdr.sh_type != SHT_NOBITS ? elf_rawdata(scn, NULL) : NULL;
}

/* Its table of functions is in each file with Go code. Other code of the file has an .eh_frame. */
static bool has_go(struct dso_file *f)
{
	GElf_Shdr shdr;

	return dso_file_section(f, 0, ".gopclntab", &shdr) ||
	       dso_file_section(f, 0, ".data.rel.ro.gopclntab", &shdr);
}

static int add_debug_frame(struct unwind_table *t, struct dso_file *f)
{
	struct cfi_section *s = &t->sections[t->n_sections];
	int ret = section_copy(s, debug_frame(f), 0);

	if (ret)
		return ret;
	s->is_debug = true;
	s->is_go = has_go(f);
	ret = index_scan(t, s);
	t->n_sections += !ret;
	return ret;
}

/* ---- a table ---- */

static int read_ehdr(struct unwind_table *t, struct dso_file *f, struct ptui_error *err)
{
	bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	Elf *elf = dso_file_elf(f);
	size_t n = 0;
	GElf_Ehdr ehdr;
	GElf_Phdr phdr;

	if (!gelf_getehdr(elf, &ehdr))
		return ptui_error_set(err, PTUI_ERROR_ELF, ENOEXEC, dso_file_path(f),
				      _("%s is not an ELF file"), dso_file_path(f));
	t->arch = unwind_arch_of_elf(ehdr.e_machine, ehdr.e_ident[EI_CLASS], err);
	if (!t->arch)
		return -ENOTSUP;
	t->swap = (ehdr.e_ident[EI_DATA] == ELFDATA2MSB) != big;
	t->base = UINT64_MAX;
	if (!elf_getphdrnum(elf, &n))
		for (size_t i = 0; i < n; i++)
			if (gelf_getphdr(elf, (int)i, &phdr) && phdr.p_type == PT_LOAD &&
			    (phdr.p_flags & PF_X) && phdr.p_vaddr < t->base)
				t->base = phdr.p_vaddr;
	if (t->base == UINT64_MAX)
		t->base = 0;
	return 0;
}

/* The frame information of a stage that is missing is no error. */
static int optional(struct unwind_table *t, int ret)
{
	if (ret)
		section_release(&t->sections[t->n_sections]);
	return ret == -ENOMEM ? ret : 0;
}

static int table_read(struct unwind_table *t, struct dso_file *f, struct dso_file *debug, bool lazy,
		      struct ptui_error *err)
{
	int ret = read_ehdr(t, f, err);

	if (ret)
		return ret;
	if (!lazy || !add_lazy_eh_frame(t, f))
		ret = optional(t, add_eh_frame(t, f));
	if (!ret)
		ret = optional(t, add_debug_frame(t, f));
	if (!ret && debug)
		ret = optional(t, add_debug_frame(t, debug));
	if (ret)
		return ptui_error_nomem(err);
	for (uint32_t i = 0; i < t->n_sections; i++)
		if (t->sections[i].n_fdes)
			return 0;
	return ptui_error_set(err, PTUI_ERROR_FORMAT, ENODATA, dso_file_path(f),
			      _("%s has no call frame information"), dso_file_path(f));
}

static struct unwind_table *table_new(struct dso_file *f, struct dso_file *debug, bool lazy,
				      struct ptui_error *err)
{
	struct unwind_table *t = calloc(1, sizeof(*t));

	if (!t) {
		ptui_error_nomem(err);
		return NULL;
	}
	t->fd = -1;
	t->id = 1 + atomic_fetch_add_explicit(&last_id, 1, memory_order_relaxed);
	if (table_read(t, f, debug, lazy, err) < 0) {
		unwind_table_free(t);
		return NULL;
	}
	return t;
}

struct unwind_table *unwind_table_new(struct dso_file *f, struct dso_file *debug,
				      struct ptui_error *err)
{
	return table_new(f, debug, false, err);
}

struct unwind_table *unwind_table_new_lazy(struct dso_file *f, struct dso_file *debug,
					   struct ptui_error *err)
{
	return table_new(f, debug, true, err);
}

void unwind_table_free(struct unwind_table *t)
{
	if (!t)
		return;
	for (uint32_t i = 0; i < sizeof(t->sections) / sizeof(t->sections[0]); i++)
		section_release(&t->sections[i]);
	lazy_close(t);
	free(t);
}

size_t unwind_table_bytes(const struct unwind_table *t)
{
	size_t n = sizeof(*t);

	for (uint32_t i = 0; i < t->n_sections; i++) {
		const struct cfi_section *s = &t->sections[i];

		if (s->lazy)
			n += lazy_memory(&s->lazy->section) + lazy_memory(&s->lazy->index) +
			     (s->lazy->guide ? guide_entries(s) * sizeof(*s->lazy->guide) : 0);
		else
			n += s->n_bytes + (size_t)s->n_fdes * 2 * sizeof(uint32_t);
	}
	return n;
}
