/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "base/text.h"
#include "base/vec.h"
#include "probe/find.h"
#include "ptui/log.h"

#define SOURCE_BYTES_MAX (256u << 20)

struct finder {
	struct probe_binary *b;
	const struct probe_definition *def;
	const struct probe_find_opts *o;
	probe_place_fn fn;
	void *ctx;
	struct ptui_error *err;

	Dwarf_Die unit;
	const char *file; /* of the line or the function; NULL: any */
	int line;
	/* the lines of `lazy_file` that match the pattern, ascending */
	const char *lazy_file;
	int *lazy_lines;
	size_t n_lazy, cap_lazy;
	bool passed; /* some place */
	int ret;     /* of a callback within libdw */
};

/* ---- one place ---- */

static void find_frame(struct finder *f, struct probe_place *p, Dwarf_Frame **ret_frame)
{
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t n;

	*ret_frame = NULL;
	p->frame = NULL;
	p->n_frame = 0;
	if (!dwarf_attr(&p->function, DW_AT_frame_base, &attr) ||
	    dwarf_getlocation_addr(&attr, p->addr, &ops, &n, 1) <= 0 || !n)
		return;
	if (n == 1 && ops[0].atom == DW_OP_call_frame_cfa) {
		if ((!f->b->cfi_eh || dwarf_cfi_addrframe(f->b->cfi_eh, p->addr, ret_frame)) &&
		    (!f->b->cfi_debug || dwarf_cfi_addrframe(f->b->cfi_debug, p->addr, ret_frame)))
			return;
		if (dwarf_frame_cfa(*ret_frame, &ops, &n) || !n)
			return;
	}
	p->frame = ops;
	p->n_frame = n;
}

static int pass_place(struct finder *f, Dwarf_Die *scope, Dwarf_Addr addr)
{
	struct probe_place p = { .unit = f->unit, .scope = *scope, .addr = addr };
	Dwarf_Frame *frame;
	int ret;

	if (die_is_function(scope)) {
		p.function = *scope;
	} else if (!unit_function_at(&f->unit, addr, &p.function)) {
		if (unit_function_before(&f->unit, addr, &p.function))
			return 0; /* after a call that never returns */
		return ptui_error_set(f->err, PTUI_ERROR_INPUT, ENOENT, NULL,
				      _("no function has code at 0x%llx"),
				      (unsigned long long)addr);
	}
	find_frame(f, &p, &frame);
	f->passed = true;
	ret = f->fn(f->ctx, &p, f->err);
	free(frame);
	return ret;
}

/*
 * Of the functions at an address, the outermost first: that of the definition, or with a line the one that
 * is declared nearest before it.
 */
static bool best_scope(struct finder *f, Dwarf_Addr addr, Dwarf_Die *ret)
{
	int nearest = INT_MAX;
	bool found = false;
	Dwarf_Die at, outermost;

	if (!unit_function_at(&f->unit, addr, &at))
		return false;
	outermost = at;
	do {
		const char *file = die_decl_file(&at);
		int before = f->line - die_decl_line(&at);

		if (f->file && (!file || strcmp(f->file, file)))
			continue;
		if (f->def->point.function) {
			if (!die_matches(&at, f->def->point.function))
				continue;
			*ret = at;
			return true;
		}
		if (before > 0 && before < nearest) {
			nearest = before;
			*ret = at;
			found = true;
		}
	} while (die_inlined_at(&at, addr, &at));
	if (!found)
		*ret = outermost;
	return true;
}

/* ---- lines ---- */

/* A line whose address the table gives to another line cannot be probed by its own number. */
static int check_line(struct finder *f, const char *file, int line, Dwarf_Addr addr)
{
	const char *other, *where;
	Dwarf_Die scope;
	int number;

	if (!unit_line_at(&f->unit, addr, &other, &number) || strcmp(file, other) || number == line)
		return 0;
	ptui_error_set(f->err, PTUI_ERROR_INPUT, ENOENT, NULL,
		       _("line %d has no code of its own: it shares its address with another line"),
		       f->def->point.line);
	where = other;
	if (f->def->point.function && best_scope(f, addr, &scope) &&
	    die_matches(&scope, f->def->point.function) && dwarf_diename(&scope) &&
	    number >= die_decl_line(&scope)) {
		where = dwarf_diename(&scope);
		number -= die_decl_line(&scope);
	}
	ptui_error_hint(f->err, _("probe at %s:%d instead"), where, number);
	return -ENOENT;
}

static int visit_line(void *ctx, const char *file, int line, Dwarf_Addr addr)
{
	struct finder *f = ctx;
	Dwarf_Die scope;
	int ret;

	if (line != f->line || !f->file || !path_ends_alike(file, f->file))
		return 0;
	ret = check_line(f, file, line, addr);
	if (ret)
		return ret;
	if (!best_scope(f, addr, &scope))
		return ptui_error_set(f->err, PTUI_ERROR_INPUT, ENOENT, NULL,
				      _("no function has code at line %d"), line);
	return pass_place(f, &scope, addr);
}

/* ---- lazy patterns ---- */

static void add_without_blanks(struct buf *out, const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!isspace((unsigned char)s[i]))
			buf_add_char(out, s[i]);
}

static int match_lines(struct finder *f, const char *text)
{
	struct buf pattern = BUF_INIT, line = BUF_INIT;
	const char *glob = f->def->point.pattern;
	int ret = 0;

	add_without_blanks(&pattern, glob, strlen(glob));
	for (int number = 1; *text && !ret; number++) {
		size_t n = strcspn(text, "\n");

		buf_clear(&line);
		add_without_blanks(&line, text, n);
		if (text_glob(buf_str(&pattern), buf_str(&line))) {
			ret = vec_grow(&f->lazy_lines, &f->cap_lazy, f->n_lazy + 1);
			if (!ret)
				f->lazy_lines[f->n_lazy++] = number;
		}
		text += n + (text[n] == '\n');
	}
	ret = ret || pattern.err || line.err ? ptui_error_nomem(f->err) : 0;
	buf_release(&pattern);
	buf_release(&line);
	return ret;
}

static int read_lazy_lines(struct finder *f)
{
	struct buf text = BUF_INIT;
	Dwarf_Attribute attr;
	const char *dir, *path;
	int ret;

	if (f->lazy_file && !strcmp(f->lazy_file, f->file))
		return 0;
	f->lazy_file = f->file;
	f->n_lazy = 0;
	dir = dwarf_attr(&f->unit, DW_AT_comp_dir, &attr) ? dwarf_formstring(&attr) : NULL;
	path = probe_source_path(f->file, dir, f->o->source_prefix, f->o->mem, f->err);
	if (!path)
		return -ENOENT;
	ret = file_read(path, SOURCE_BYTES_MAX, &text, f->err);
	if (!ret)
		ret = match_lines(f, buf_str(&text));
	buf_release(&text);
	return ret;
}

static int visit_lazy_line(void *ctx, const char *file, int line, Dwarf_Addr addr)
{
	struct finder *f = ctx;
	size_t i = bisect(at, f->n_lazy, f->lazy_lines[at] < line);
	Dwarf_Die scope;

	if (i == f->n_lazy || f->lazy_lines[i] != line || !path_ends_alike(file, f->file))
		return 0;
	f->line = line;
	if (!best_scope(f, addr, &scope))
		return ptui_error_set(f->err, PTUI_ERROR_INPUT, ENOENT, NULL,
				      _("no function has code at line %d"), line);
	return pass_place(f, &scope, addr);
}

static int find_lazy(struct finder *f, Dwarf_Die *root)
{
	int ret = read_lazy_lines(f);

	return ret || !f->n_lazy ? ret : die_walk_lines(root, visit_lazy_line, f);
}

/* ---- functions ---- */

/* The function's variables are in memory only after the prologue if it was not optimized. */
static Dwarf_Addr after_prologue(struct finder *f, Dwarf_Die *function, Dwarf_Addr entry)
{
	const struct probe_point *p = &f->def->point;
	Dwarf_Addr body;

	if (f->b->is_kernel || !entry || p->line || p->returns || p->pattern || p->offset ||
	    !probe_has_variables(f->def) || unit_is_optimized(&f->unit))
		return entry;
	body = function_body(function, &f->unit, entry);
	if (body != entry)
		ptui_log(PTUI_LOG_INFO, "probe",
			 _("the program is compiled without optimization: probing after the "
			   "prologue; probe on address 0x%llx to force the function's entry"),
			 (unsigned long long)entry);
	return body;
}

static int visit_instance(void *ctx, Dwarf_Die *instance)
{
	struct finder *f = ctx;
	Dwarf_Addr addr;

	if (f->def->point.pattern)
		return find_lazy(f, instance);
	if (!die_entry(instance, &addr) || !addr)
		return 0;
	addr += f->def->point.offset;
	/* the offset may be of the function itself, or of another such place; perf probes whatever follows this one */
	return f->def->point.offset && dwarf_haspc(instance, addr) <= 0 ?
		       0 :
		       pass_place(f, instance, addr);
}

static int find_in_function(struct finder *f, Dwarf_Die *function)
{
	const struct probe_point *p = &f->def->point;
	Dwarf_Addr entry;

	if (p->line) {
		f->line = die_decl_line(function) + p->line;
		return die_walk_lines(&f->unit, visit_line, f);
	}
	if (!die_has_code(function))
		return f->o->no_inlines ? 0 : die_walk_instances(function, visit_instance, f, NULL);
	if (!die_entry(function, &entry) || !entry)
		return 0;
	if (p->pattern)
		return find_lazy(f, function);
	return pass_place(f, function, after_prologue(f, function, entry) + p->offset);
}

static int visit_function(Dwarf_Die *function, void *ctx)
{
	struct finder *f = ctx;
	const struct probe_point *p = &f->def->point;
	const char *file;

	if (!die_is_function(function) || !die_matches(function, p->function))
		return DWARF_CB_OK;
	file = die_decl_file(function);
	if (!file || (p->file && !path_ends_alike(p->file, file)))
		return DWARF_CB_OK;
	f->file = file;
	f->ret = find_in_function(f, function);
	/* A unit has one function of a name, a glob may match others. */
	return f->ret || !probe_is_glob(p->function) ? DWARF_CB_ABORT : DWARF_CB_OK;
}

static int visit_unit(void *ctx, Dwarf_Die *unit)
{
	struct finder *f = ctx;
	const struct probe_point *p = &f->def->point;

	f->unit = *unit;
	f->file = p->file ? unit_source(unit, p->file) : NULL;
	f->ret = 0;
	if (p->file && !f->file)
		return 0;
	if (p->function) {
		dwarf_getfuncs(unit, visit_function, f, 0);
		return f->ret;
	}
	if (p->pattern)
		return find_lazy(f, unit);
	f->line = p->line;
	return die_walk_lines(unit, visit_line, f);
}

static const char *dwo_name(Dwarf_Die *skeleton)
{
	Dwarf_Attribute attr;

	if (!dwarf_attr(skeleton, DW_AT_dwo_name, &attr) &&
	    !dwarf_attr(skeleton, DW_AT_GNU_dwo_name, &attr))
		return NULL;
	return dwarf_formstring(&attr);
}

/* Of split DWARF (-gsplit-dwarf), the part in the .dwo file, which has the functions. */
static void use_split_unit(struct probe_binary *b, uint8_t kind, Dwarf_Die *unit, Dwarf_Die *split)
{
	const char *name = kind == DW_UT_skeleton ? dwo_name(unit) : NULL;

	if (!name)
		return;
	if (dwarf_tag(split) == DW_TAG_compile_unit) {
		*unit = *split;
		return;
	}
	if (!b->lacks_split)
		ptui_log(PTUI_LOG_WARN, "probe",
			 _("%s: debug information is in other files, which are not here: %s"),
			 b->path, name);
	b->lacks_split = true;
}

static bool next_unit(struct probe_binary *b, Dwarf_CU **cu, Dwarf_Die *ret)
{
	Dwarf_Die split;
	uint8_t kind;

	while (!dwarf_get_units(b->dwarf, *cu, cu, NULL, &kind, ret, &split)) {
		if (kind != DW_UT_compile && kind != DW_UT_skeleton)
			continue;
		use_split_unit(b, kind, ret, &split);
		return true;
	}
	return false;
}

int probe_each_unit(struct probe_binary *b, int (*fn)(void *ctx, Dwarf_Die *unit), void *ctx)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;
	int ret = 0;

	while (!ret && next_unit(b, &cu, &unit))
		ret = fn(ctx, &unit);
	return ret;
}

bool probe_unit_at(struct probe_binary *b, Dwarf_Addr addr, Dwarf_Die *ret)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die split;
	uint8_t kind;

	if (dwarf_addrdie(b->dwarf, addr, ret) &&
	    !dwarf_cu_info(ret->cu, NULL, &kind, NULL, &split, NULL, NULL, NULL)) {
		use_split_unit(b, kind, ret, &split);
		return true;
	}
	/* without .debug_aranges, as clang leaves it */
	while (next_unit(b, &cu, ret))
		if (dwarf_haspc(ret, addr) > 0)
			return true;
	return false;
}

/* Compilers make functions such as "f.part.0" and "f.constprop.0", which debug information calls f. */
static int find_by_symbol(struct finder *f)
{
	const struct probe_point *p = &f->def->point;
	const struct probe_symbol *symbol;
	Dwarf_Die function;
	uint64_t addr;

	if (!p->function || p->line || p->pattern || p->file || probe_is_glob(p->function) ||
	    probe_binary_symbols(f->b, NULL))
		return 0;
	symbol = probe_binary_symbol_named(f->b, p->function);
	addr = symbol ? symbol->addr + p->offset : 0;
	if (!symbol || (symbol->bytes && p->offset >= symbol->bytes) ||
	    !probe_unit_at(f->b, addr, &f->unit) || !unit_function_at(&f->unit, addr, &function))
		return 0;
	return pass_place(f, &function, addr);
}

int probe_find(struct probe_binary *b, const struct probe_definition *def,
	       const struct probe_find_opts *o, probe_place_fn fn, void *ctx,
	       struct ptui_error *err)
{
	struct ptui_error unused = PTUI_ERROR_INIT;
	struct finder f = {
		.b = b, .def = def, .o = o, .fn = fn, .ctx = ctx, .err = err ? err : &unused
	};
	int ret = probe_each_unit(b, visit_unit, &f);

	if (!ret && !f.passed && o->by_symbol)
		ret = find_by_symbol(&f);
	free(f.lazy_lines);
	return ret;
}
