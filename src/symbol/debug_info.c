/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbol/debug_scopes.h"

#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "base/vec.h"

#define SCOPE_DEPTH_MAX 256
#define GLOBALS_MAX	((size_t)1 << 20)
#define GLOBAL_BYTES	((uint64_t)1 << 40) /* a larger one has a wrong size */
#define SPLIT_DIES_MAX	((size_t)1 << 24)   /* in a .dwo file, whose size is not known here */

/* Code of a function, or of a call that was inlined into it. */
struct scope {
	uint64_t start, end;
	Dwarf_Die die;
	uint32_t depth; /* larger if nested */
};

struct unit {
	Dwarf_Die lines; /* the unit with the line table */
	Dwarf_Die code;	 /* the unit with the functions: in a .dwo file if split, else the same */
	struct scope *scopes;
	size_t n_scopes, cap_scopes;
	bool has_scopes; /* they were read */
};

struct unit_range {
	uint64_t start, end;
	uint32_t unit;
};

struct debug_info {
	struct dso_file *file;
	Dwarf *dwarf;
	/* of a kernel module: sections where the kernel puts them, and where libdwfl has put them */
	Dwfl *dwfl;
	char *image; /* that libdwfl relocates in place */
	struct dso_placed *placed;
	uint64_t *laid;
	size_t n_placed;
	struct unit *units;
	size_t n_units, cap_units;
	struct unit_range *ranges; /* sorted by start */
	uint64_t *max_end;	   /* of ranges[0 .. i] */
	size_t n_ranges, cap_ranges;
	size_t max_dies; /* in a unit; more means that links between them form a loop */
	bool has_units;	 /* they were read */
	/* for types of data */
	Dwarf_CFI *cfi_debug, *cfi_eh; /* NULL: none, or not opened yet */
	struct dso_file *cfi_file;     /* of cfi_eh */
	bool has_cfi, has_globals;
	struct debug_global *globals; /* sorted by start */
	size_t n_globals, cap_globals;
};

static bool find_section(struct dso_file *f, GElf_Shdr *ret)
{
	return dso_file_section(f, SHT_PROGBITS, ".debug_info", ret) ||
	       dso_file_section(f, SHT_PROGBITS, ".zdebug_info", ret);
}

bool debug_info_is_in(struct dso_file *f)
{
	GElf_Shdr shdr;

	return find_section(f, &shdr);
}

/* ---- kernel modules ---- */

/* Other files are looked for by the callers, and only by build-id. */
static int no_other_file(Dwfl_Module *mod, void **data, const char *name, Dwarf_Addr base,
			 const char *file, const char *link, GElf_Word crc, char **ret_path)
{
	(void)mod, (void)data, (void)name, (void)base, (void)file, (void)link, (void)crc;
	*ret_path = NULL;
	return -1;
}

static int no_elf(Dwfl_Module *mod, void **data, const char *name, Dwarf_Addr base, char **ret_path,
		  Elf **ret_elf)
{
	(void)mod, (void)data, (void)name, (void)base, (void)ret_path, (void)ret_elf;
	return -1;
}

static const Dwfl_Callbacks callbacks = {
	.find_debuginfo = no_other_file,
	.section_address = dwfl_offline_section_address,
	.find_elf = no_elf,
};

/* Where libdwfl has put each section, once its debug information is relocated. */
static int find_laid(struct debug_info *d)
{
	Elf *elf = dwarf_getelf(d->dwarf);
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;

	d->laid = calloc(d->n_placed ? d->n_placed : 1, sizeof(*d->laid));
	if (!d->laid)
		return -ENOMEM;
	while ((scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, &shdr) && elf_ndxscn(scn) < d->n_placed)
			d->laid[elf_ndxscn(scn)] = shdr.sh_addr;
	return 0;
}

/* A module is a relocatable file: its addresses are 0 until libdwfl has laid out the sections. */
static int open_module(struct debug_info *d, struct dso_file *f)
{
	size_t n = 0;
	const char *bytes = elf_rawfile(dso_file_elf(f), &n);
	Dwfl_Module *mod;
	Dwarf_Addr bias;
	int ret = dso_file_place_sections(f, &d->placed, &d->n_placed);

	if (ret)
		return ret;
	d->image = bytes ? malloc(n ? n : 1) : NULL;
	d->dwfl = dwfl_begin(&callbacks);
	if (!d->image || !d->dwfl)
		return -ENOMEM;
	memcpy(d->image, bytes, n);
	dwfl_report_begin(d->dwfl);
	mod = dwfl_report_offline_memory(d->dwfl, "", dso_file_path(f), d->image, n);
	dwfl_report_end(d->dwfl, NULL, NULL);
	d->dwarf = mod ? dwfl_module_getdwarf(mod, &bias) : NULL;
	return d->dwarf ? find_laid(d) : -ENODATA;
}

/* The address in the debug information. */
static uint64_t laid_at(const struct debug_info *d, uint64_t addr)
{
	uint32_t i = d->placed ? dso_placed_find(d->placed, d->n_placed, addr) : PTUI_NONE;

	if (!d->placed)
		return addr;
	return i == PTUI_NONE ? UINT64_MAX : d->laid[i] + (addr - d->placed[i].at);
}

/* ---- lifetime ---- */

struct debug_info *debug_info_new(struct dso_file *f, struct ptui_error *err)
{
	struct debug_info *d = calloc(1, sizeof(*d));
	GElf_Ehdr ehdr;
	GElf_Shdr shdr;
	int failed = 0;

	if (!d) {
		ptui_error_nomem(err);
		return NULL;
	}
	d->file = dso_file_ref(f);
	if (gelf_getehdr(dso_file_elf(f), &ehdr) && ehdr.e_type == ET_REL)
		failed = open_module(d, f);
	else
		d->dwarf = dwarf_begin_elf(dso_file_elf(f), DWARF_C_READ, NULL);
	if (failed || !d->dwarf) {
		if (failed == -ENOMEM)
			ptui_error_nomem(err);
		else
			ptui_error_set(err, PTUI_ERROR_ELF, ENODATA, dso_file_path(f),
				       _("%s has no debug information"), dso_file_path(f));
		debug_info_free(d);
		return NULL;
	}
	/* A DIE takes at least a byte. The section may be compressed, by a factor of a hundred at most. */
	d->max_dies = find_section(f, &shdr) ? shdr.sh_size * 100 : 0;
	return d;
}

void debug_info_free(struct debug_info *d)
{
	if (!d)
		return;
	for (size_t i = 0; i < d->n_units; i++)
		free(d->units[i].scopes);
	free(d->units);
	free(d->globals);
	if (d->cfi_eh)
		dwarf_cfi_end(d->cfi_eh);
	dso_file_unref(d->cfi_file);
	free(d->ranges);
	free(d->max_end);
	if (d->dwfl)
		dwfl_end(d->dwfl); /* with its Dwarf */
	else
		dwarf_end(d->dwarf);
	free(d->image);
	free(d->placed);
	free(d->laid);
	dso_file_unref(d->file);
	free(d);
}

/* ---- which unit has an address ---- */

static int range_add(struct debug_info *d, uint64_t start, uint64_t end, uint32_t unit)
{
	if (start >= end)
		return 0;
	if (vec_grow(&d->ranges, &d->cap_ranges, d->n_ranges + 1))
		return -ENOMEM;
	d->ranges[d->n_ranges++] = (struct unit_range){ start, end, unit };
	return 0;
}

static int unit_add(struct debug_info *d, Dwarf_Die *die, Dwarf_Die *split)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;

	if (vec_grow(&d->units, &d->cap_units, d->n_units + 1))
		return -ENOMEM;
	d->units[d->n_units] = (struct unit){ .lines = *die, .code = split ? *split : *die };
	while ((at = dwarf_ranges(die, at, &base, &start, &end)) > 0) {
		if (range_add(d, start, end, (uint32_t)d->n_units))
			return -ENOMEM;
	}
	d->n_units++;
	return 0;
}

static int range_compare(const void *a, const void *b)
{
	const struct unit_range *ra = a, *rb = b;

	return ra->start < rb->start ? -1 : ra->start > rb->start;
}

static void units_read(struct debug_info *d)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die die, split;
	uint8_t kind;
	uint64_t max_end = 0;

	if (d->has_units)
		return;
	d->has_units = true;
	while (dwarf_get_units(d->dwarf, cu, &cu, NULL, &kind, &die, &split) == 0) {
		bool is_split = kind == DW_UT_skeleton && dwarf_tag(&split) == DW_TAG_compile_unit;

		if (kind != DW_UT_compile && kind != DW_UT_skeleton)
			continue;
		if (unit_add(d, &die, is_split ? &split : NULL))
			break;
	}
	d->max_end = calloc(d->n_ranges ? d->n_ranges : 1, sizeof(*d->max_end));
	if (!d->max_end) {
		d->n_ranges = 0;
		return;
	}
	if (d->n_ranges)
		qsort(d->ranges, d->n_ranges, sizeof(*d->ranges), range_compare);
	for (size_t i = 0; i < d->n_ranges; i++) {
		if (d->ranges[i].end > max_end)
			max_end = d->ranges[i].end;
		d->max_end[i] = max_end;
	}
}

/* Of several that contain it, the range that starts last. */
static struct unit *unit_find(struct debug_info *d, uint64_t addr)
{
	size_t i;

	units_read(d);
	i = bisect(at, d->n_ranges, d->ranges[at].start <= addr);
	while (i-- > 0 && d->max_end[i] > addr) {
		if (d->ranges[i].end > addr)
			return &d->units[d->ranges[i].unit];
	}
	return NULL;
}

/* ---- the scopes of a unit ---- */

struct scope_reader {
	struct unit *unit;
	size_t budget; /* DIEs that may still be read */
};

static int scope_add(struct unit *u, Dwarf_Die *die, uint32_t depth)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;

	while ((at = dwarf_ranges(die, at, &base, &start, &end)) > 0) {
		if (start >= end)
			continue;
		if (vec_grow(&u->scopes, &u->cap_scopes, u->n_scopes + 1))
			return -ENOMEM;
		u->scopes[u->n_scopes++] = (struct scope){ start, end, *die, depth };
	}
	return 0;
}

/* Whether the children of such a DIE may contain code, and whether it is a scope itself. */
static bool tag_has_code(int tag, bool *ret_scope)
{
	*ret_scope = tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
	switch (tag) {
	case DW_TAG_subprogram:
	case DW_TAG_inlined_subroutine:
	case DW_TAG_lexical_block:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
	case DW_TAG_with_stmt:
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
		return true;
	default:
		return false;
	}
}

/* The scopes below `parent`; `depth` is that of the next scope, `level` the nesting of DIEs. */
static int scopes_below(struct scope_reader *r, Dwarf_Die *parent, uint32_t depth, unsigned level)
{
	Dwarf_Die die;
	int more = dwarf_child(parent, &die), ret = 0;

	while (more == 0 && !ret) {
		int tag = dwarf_tag(&die);
		uint32_t below = depth;
		bool is_scope;

		if (!r->budget--)
			return -ELOOP;
		if (tag_has_code(tag, &is_scope) && level < SCOPE_DEPTH_MAX) {
			/* a nested function has its own scopes */
			uint32_t own = tag == DW_TAG_subprogram ? 0 : depth;

			if (is_scope) {
				ret = scope_add(r->unit, &die, own);
				below = own + 1;
			}
			if (!ret)
				ret = scopes_below(r, &die, below, level + 1);
		}
		if (!ret)
			more = dwarf_siblingof(&die, &die);
	}
	return ret;
}

static int scope_compare(const void *a, const void *b)
{
	const struct scope *sa = a, *sb = b;

	if (sa->start != sb->start)
		return sa->start < sb->start ? -1 : 1;
	return sa->depth < sb->depth ? -1 : sa->depth > sb->depth;
}

static void scopes_read(struct debug_info *d, struct unit *u)
{
	bool is_split = u->code.addr != u->lines.addr;
	struct scope_reader r = { u, is_split ? SPLIT_DIES_MAX : d->max_dies };

	if (u->has_scopes)
		return;
	u->has_scopes = true;
	/* what was read before an error is valid */
	scopes_below(&r, &u->code, 0, 0);
	if (u->n_scopes)
		qsort(u->scopes, u->n_scopes, sizeof(*u->scopes), scope_compare);
	vec_fit(&u->scopes, &u->cap_scopes, u->n_scopes);
}

/* ---- lookups ---- */

bool debug_info_line(struct debug_info *d, uint64_t addr, struct debug_line *ret)
{
	uint64_t at = laid_at(d, addr);
	struct unit *u = unit_find(d, at);
	Dwarf_Line *line = u ? dwarf_getsrc_die(&u->lines, at) : NULL;
	int number = 0;

	if (!line)
		return false;
	ret->path = dwarf_linesrc(line, NULL, NULL);
	if (!ret->path || dwarf_lineno(line, &number) || number <= 0)
		return false;
	ret->line = (unsigned)number;
	return true;
}

/* An attribute of the DIE itself, or of the function that it is an instance of. */
static const char *die_string(Dwarf_Die *die, unsigned attribute)
{
	Dwarf_Attribute attr;

	return dwarf_formstring(dwarf_attr_integrate(die, attribute, &attr));
}

static const char *scope_name(Dwarf_Die *die)
{
	const char *name = die_string(die, DW_AT_linkage_name);

	if (!name)
		name = die_string(die, DW_AT_MIPS_linkage_name);
	return name ? name : die_string(die, DW_AT_name);
}

static struct debug_line scope_call(struct unit *u, Dwarf_Die *die)
{
	struct debug_line call = { NULL, 0 };
	Dwarf_Attribute attr;
	Dwarf_Word file, line;
	Dwarf_Files *files;
	size_t n;

	if (dwarf_formudata(dwarf_attr(die, DW_AT_call_file, &attr), &file) ||
	    dwarf_formudata(dwarf_attr(die, DW_AT_call_line, &attr), &line) ||
	    dwarf_getsrcfiles(&u->lines, &files, &n) || file >= n || line > UINT32_MAX)
		return call;
	call.path = dwarf_filesrc(files, file, NULL, NULL);
	call.line = (unsigned)line;
	return call;
}

/*
 * Scopes that contain the address start at or before it, and those inside a function come after the
 * function: the walk backward ends there.
 */
size_t debug_info_inlines(struct debug_info *d, uint64_t addr,
			  struct debug_inline ret[DEBUG_INFO_INLINE_MAX])
{
	struct unit *u;
	size_t i, n = 0;

	addr = laid_at(d, addr);
	u = unit_find(d, addr);
	if (!u)
		return 0;
	scopes_read(d, u);
	i = bisect(at, u->n_scopes, u->scopes[at].start <= addr);
	for (; i > 0 && n < DEBUG_INFO_INLINE_MAX; i--) {
		struct scope *s = &u->scopes[i - 1];
		const char *name;

		if (s->end <= addr)
			continue;
		if (!s->depth)
			break;
		name = scope_name(&s->die);
		if (name)
			ret[n++] = (struct debug_inline){ name, scope_call(u, &s->die) };
	}
	return n;
}

/* ---- for types of data ---- */

size_t debug_info_scopes(struct debug_info *d, uint64_t addr, Dwarf_Die *ret, size_t max,
			 uint64_t *ret_addr)
{
	struct unit *u;
	size_t i, n = 0;

	*ret_addr = addr = laid_at(d, addr);
	u = unit_find(d, addr);
	if (!u)
		return 0;
	scopes_read(d, u);
	i = bisect(at, u->n_scopes, u->scopes[at].start <= addr);
	for (; i > 0 && n < max; i--) {
		struct scope *s = &u->scopes[i - 1];

		if (s->end <= addr)
			continue;
		ret[n++] = s->die;
		if (!s->depth)
			break;
	}
	return n;
}

static void cfi_open(struct debug_info *d, struct dso_file *runtime)
{
	GElf_Shdr shdr;

	d->has_cfi = true;
	d->cfi_debug = dwarf_getcfi(d->dwarf);
	if (runtime && dso_file_section(runtime, SHT_PROGBITS, ".eh_frame", &shdr)) {
		d->cfi_file = dso_file_ref(runtime);
		d->cfi_eh = dwarf_getcfi_elf(dso_file_elf(runtime));
	}
}

const Dwarf_Op *debug_info_cfa(struct debug_info *d, struct dso_file *runtime, uint64_t addr,
			       size_t *ret_n, Dwarf_Frame **ret_frame)
{
	Dwarf_Op *ops;

	*ret_frame = NULL;
	if (!d->has_cfi)
		cfi_open(d, runtime);
	if ((!d->cfi_eh || dwarf_cfi_addrframe(d->cfi_eh, addr, ret_frame)) &&
	    (!d->cfi_debug || dwarf_cfi_addrframe(d->cfi_debug, addr, ret_frame)))
		return NULL;
	return dwarf_frame_cfa(*ret_frame, &ops, ret_n) || !*ret_n ? NULL : ops;
}

bool debug_info_is_relocatable(const struct debug_info *d)
{
	return d->placed != NULL;
}

bool debug_static_address(const Dwarf_Op *ops, size_t n, uint64_t *ret)
{
	*ret = n ? ops[0].number : 0;
	if (n == 1)
		return ops[0].atom == DW_OP_addr;
	*ret += DEBUG_THREAD;
	return n == 2 && (ops[0].atom == DW_OP_const4u || ops[0].atom == DW_OP_const8u) &&
	       (ops[1].atom == DW_OP_GNU_push_tls_address || ops[1].atom == DW_OP_form_tls_address);
}

/* The block of the program ends where the thread pointer points to. */
bool debug_info_thread_address(struct debug_info *d, int64_t offset, uint64_t *ret)
{
	Elf *elf = dwarf_getelf(d->dwarf);
	GElf_Phdr phdr;
	size_t n;

	if (elf_getphdrnum(elf, &n))
		return false;
	for (size_t i = 0; i < n; i++) {
		uint64_t align, bytes;

		if (!gelf_getphdr(elf, (int)i, &phdr) || phdr.p_type != PT_TLS)
			continue;
		align = phdr.p_align ? phdr.p_align : 1;
		bytes = phdr.p_memsz + align - 1;
		bytes -= bytes % align;
		*ret = DEBUG_THREAD + bytes + (uint64_t)offset;
		return offset < 0 && 0 - (uint64_t)offset <= bytes;
	}
	return false;
}

static int global_add(struct debug_info *d, Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Word bytes = 1;
	Dwarf_Die type;
	Dwarf_Op *ops;
	uint64_t addr;
	size_t n;

	if (dwarf_tag(die) != DW_TAG_variable || !dwarf_attr(die, DW_AT_location, &attr) ||
	    dwarf_getlocation(&attr, &ops, &n) || !debug_static_address(ops, n, &addr))
		return 0;
	if (!dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attr), &type) ||
	    dwarf_aggregate_size(&type, &bytes) || !bytes || bytes > GLOBAL_BYTES)
		return 0;
	if (d->n_globals >= GLOBALS_MAX || vec_grow(&d->globals, &d->cap_globals, d->n_globals + 1))
		return -ENOMEM;
	d->globals[d->n_globals++] = (struct debug_global){ addr, addr + bytes, *die };
	return 0;
}

static int global_compare(const void *a, const void *b)
{
	const struct debug_global *ga = a, *gb = b;

	return ga->start < gb->start ? -1 : ga->start > gb->start;
}

static void globals_read(struct debug_info *d)
{
	d->has_globals = true;
	units_read(d);
	for (size_t i = 0; i < d->n_units; i++) {
		size_t budget = d->max_dies;
		Dwarf_Die die;
		int more = dwarf_child(&d->units[i].code, &die);

		while (!more && budget-- && !global_add(d, &die))
			more = dwarf_siblingof(&die, &die);
	}
	if (d->n_globals)
		qsort(d->globals, d->n_globals, sizeof(*d->globals), global_compare);
}

const struct debug_global *debug_info_global(struct debug_info *d, uint64_t addr)
{
	size_t i;

	if (!d->has_globals)
		globals_read(d);
	i = bisect(at, d->n_globals, d->globals[at].start <= addr);
	return i && addr < d->globals[i - 1].end ? &d->globals[i - 1] : NULL;
}
