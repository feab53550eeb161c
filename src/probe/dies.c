/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>
#include "base/text.h"
#include "probe/dies.h"

/* Nested deeper than this is damage. */
#define DEPTH_MAX 512

bool die_next(Dwarf_Die *die)
{
	const char *at = die->addr;

	return !dwarf_siblingof(die, die) && (const char *)die->addr > at;
}

static bool find_below(Dwarf_Die *root, die_find_fn fn, void *ctx, Dwarf_Die *ret, int depth)
{
	Dwarf_Die die;

	if (depth > DEPTH_MAX || dwarf_child(root, &die))
		return false;
	do {
		switch (fn(&die, ctx)) {
		case DIE_STOP:
			*ret = die;
			return true;
		case DIE_ENTER:
			if (find_below(&die, fn, ctx, ret, depth + 1))
				return true;
			break;
		case DIE_PASS:
			break;
		}
	} while (die_next(&die));
	return false;
}

bool die_find(Dwarf_Die *root, die_find_fn fn, void *ctx, Dwarf_Die *ret)
{
	return find_below(root, fn, ctx, ret, 0);
}

/* ---- attributes ---- */

bool die_udata(Dwarf_Die *die, unsigned attribute, Dwarf_Word *ret)
{
	Dwarf_Attribute attr;

	return dwarf_attr_integrate(die, attribute, &attr) && !dwarf_formudata(&attr, ret);
}

const char *die_linkage_name(Dwarf_Die *die)
{
	Dwarf_Attribute attr;

	if (!dwarf_attr_integrate(die, DW_AT_linkage_name, &attr))
		return NULL;
	return dwarf_formstring(&attr);
}

bool die_is_named(Dwarf_Die *die, const char *name)
{
	const char *own = dwarf_diename(die);

	return own && !strcmp(own, name);
}

bool die_matches(Dwarf_Die *die, const char *glob)
{
	const char *name = dwarf_diename(die);

	if (name && text_glob(glob, name))
		return true;
	name = die_linkage_name(die);
	return name && text_glob(glob, name);
}

static bool type_of(Dwarf_Die *die, Dwarf_Die *ret)
{
	Dwarf_Attribute attr;

	return dwarf_attr_integrate(die, DW_AT_type, &attr) && dwarf_formref_die(&attr, ret);
}

static bool skip_types(Dwarf_Die *die, bool typedefs, Dwarf_Die *ret)
{
	Dwarf_Die at = *die;

	for (int depth = 0; depth < DEPTH_MAX; depth++) {
		if (!type_of(&at, ret))
			return false;
		switch (dwarf_tag(ret)) {
		case DW_TAG_typedef:
			if (!typedefs)
				return true;
			break;
		case DW_TAG_const_type:
		case DW_TAG_volatile_type:
		case DW_TAG_restrict_type:
		case DW_TAG_shared_type:
		case DW_TAG_atomic_type:
			break;
		default:
			return true;
		}
		at = *ret;
	}
	return false;
}

bool die_type(Dwarf_Die *die, Dwarf_Die *ret)
{
	return skip_types(die, true, ret);
}

bool die_qualified_type(Dwarf_Die *die, Dwarf_Die *ret)
{
	return skip_types(die, false, ret);
}

bool die_is_signed(Dwarf_Die *type)
{
	Dwarf_Word encoding;

	return die_udata(type, DW_AT_encoding, &encoding) &&
	       (encoding == DW_ATE_signed_char || encoding == DW_ATE_signed ||
		encoding == DW_ATE_signed_fixed);
}

static const char *file_by_number(Dwarf_Die *die, unsigned attribute)
{
	Dwarf_Word number;
	Dwarf_Die unit;
	Dwarf_Files *files;
	size_t n;

	if (!die_udata(die, attribute, &number) || !dwarf_diecu(die, &unit, NULL, NULL) ||
	    dwarf_getsrcfiles(&unit, &files, &n) || number >= n)
		return NULL;
	return dwarf_filesrc(files, number, NULL, NULL);
}

const char *die_decl_file(Dwarf_Die *die)
{
	return file_by_number(die, DW_AT_decl_file);
}

const char *die_call_file(Dwarf_Die *die)
{
	return file_by_number(die, DW_AT_call_file);
}

static int line_in(Dwarf_Die *die, unsigned attribute)
{
	Dwarf_Word line;

	return die_udata(die, attribute, &line) && line <= INT32_MAX ? (int)line : 0;
}

int die_decl_line(Dwarf_Die *die)
{
	return line_in(die, DW_AT_decl_line);
}

int die_call_line(Dwarf_Die *die)
{
	return line_in(die, DW_AT_call_line);
}

/* ---- functions ---- */

bool die_entry(Dwarf_Die *die, Dwarf_Addr *ret)
{
	Dwarf_Addr base, end;
	Dwarf_Attribute attr;

	if (!dwarf_entrypc(die, ret))
		return true;
	return dwarf_attr(die, DW_AT_ranges, &attr) && dwarf_ranges(die, 0, &base, ret, &end) > 0;
}

bool die_has_code(Dwarf_Die *die)
{
	Dwarf_Addr addr;
	Dwarf_Attribute attr;
	int tag = dwarf_tag(die);

	return (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine) &&
	       (!dwarf_entrypc(die, &addr) || dwarf_attr(die, DW_AT_ranges, &attr));
}

bool die_is_function(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Addr addr;

	return dwarf_tag(die) == DW_TAG_subprogram && !dwarf_attr(die, DW_AT_declaration, &attr) &&
	       (dwarf_attr(die, DW_AT_inline, &attr) || die_entry(die, &addr));
}

struct search_function {
	Dwarf_Addr addr;
	Dwarf_Die *ret;
	bool at_end, found;
};

static int compare_function(Dwarf_Die *die, void *ctx)
{
	struct search_function *s = ctx;
	Dwarf_Addr end;

	if (dwarf_tag(die) != DW_TAG_subprogram ||
	    (s->at_end ? dwarf_highpc(die, &end) || end != s->addr :
			 dwarf_haspc(die, s->addr) <= 0))
		return DWARF_CB_OK;
	*s->ret = *die;
	s->found = true;
	return DWARF_CB_ABORT;
}

bool unit_function_at(Dwarf_Die *unit, Dwarf_Addr addr, Dwarf_Die *ret)
{
	struct search_function s = { addr, ret, false, false };

	dwarf_getfuncs(unit, compare_function, &s, 0);
	return s.found;
}

bool unit_function_before(Dwarf_Die *unit, Dwarf_Addr addr, Dwarf_Die *ret)
{
	struct search_function s = { addr, ret, true, false };

	dwarf_getfuncs(unit, compare_function, &s, 0);
	return s.found;
}

static enum die_step is_inlined_at(Dwarf_Die *die, void *ctx)
{
	const Dwarf_Addr *addr = ctx;

	return dwarf_tag(die) == DW_TAG_inlined_subroutine && dwarf_haspc(die, *addr) > 0 ?
		       DIE_STOP :
		       DIE_ENTER;
}

bool die_inlined_at(Dwarf_Die *die, Dwarf_Addr addr, Dwarf_Die *ret)
{
	Dwarf_Die at = *die; /* `ret` may be `die` */

	return die_find(&at, is_inlined_at, &addr, ret);
}

/* The innermost. */
static bool innermost_inlined_at(Dwarf_Die *die, Dwarf_Addr addr, Dwarf_Die *ret)
{
	if (!die_inlined_at(die, addr, ret))
		return false;
	while (die_inlined_at(ret, addr, ret))
		;
	return true;
}

struct instances {
	const void *origin;
	die_instance_fn fn;
	void *ctx;
	bool found;
	int ret;
};

static enum die_step visit_instance(Dwarf_Die *die, void *ctx)
{
	struct instances *s = ctx;
	Dwarf_Attribute attr;
	Dwarf_Die origin;

	if (!die_has_code(die) || !dwarf_attr(die, DW_AT_abstract_origin, &attr) ||
	    !dwarf_formref_die(&attr, &origin) || origin.addr != s->origin)
		return DIE_ENTER;
	/* An instance that is called where it is declared is no real one. */
	if (dwarf_tag(die) == DW_TAG_inlined_subroutine &&
	    die_call_line(die) == die_decl_line(&origin)) {
		Dwarf_Word called, declared;

		if (die_udata(die, DW_AT_call_file, &called) &&
		    die_udata(&origin, DW_AT_decl_file, &declared) && called == declared)
			return DIE_ENTER;
	}
	s->found = true;
	s->ret = s->fn(s->ctx, die);
	return s->ret ? DIE_STOP : DIE_ENTER;
}

int die_walk_instances(Dwarf_Die *function, die_instance_fn fn, void *ctx, bool *ret_found)
{
	struct instances s = { .origin = function->addr, .fn = fn, .ctx = ctx };
	Dwarf_Die unit, unused;

	if (dwarf_diecu(function, &unit, NULL, NULL))
		die_find(&unit, visit_instance, &s, &unused);
	if (ret_found)
		*ret_found = s.found;
	return s.ret;
}

/* ---- source lines ---- */

bool path_ends_alike(const char *a, const char *b)
{
	size_t n = strlen(a), m = strlen(b), shorter = n < m ? n : m;

	return !strcmp(a + n - shorter, b + m - shorter);
}

const char *unit_source(Dwarf_Die *unit, const char *tail)
{
	Dwarf_Files *files;
	size_t n;

	if (dwarf_getsrcfiles(unit, &files, &n))
		return NULL;
	for (size_t i = 0; i < n; i++) {
		const char *path = dwarf_filesrc(files, i, NULL, NULL);

		if (path && path_ends_alike(path, tail))
			return path;
	}
	return NULL;
}

/* The first line of the table with the address that `addr` belongs to, at which a statement begins. */
static Dwarf_Line *statement_at(Dwarf_Die *unit, Dwarf_Addr addr)
{
	Dwarf_Lines *lines;
	size_t n, from = 0, to;
	Dwarf_Addr at;
	bool begins;

	if (dwarf_getsrclines(unit, &lines, &n) || !n)
		return NULL;
	for (to = n; from < to;) { /* how many are not after it */
		size_t middle = from + (to - from) / 2;

		if (dwarf_lineaddr(dwarf_onesrcline(lines, middle), &at))
			return NULL;
		if (at <= addr)
			from = middle + 1;
		else
			to = middle;
	}
	if (!from)
		return NULL;
	from--;
	while (from && !dwarf_lineaddr(dwarf_onesrcline(lines, from - 1), &at) && at == addr)
		from--;
	for (; from < n; from++) {
		Dwarf_Line *line = dwarf_onesrcline(lines, from);

		if (dwarf_lineaddr(line, &at) || at > addr ||
		    dwarf_linebeginstatement(line, &begins))
			return NULL;
		if (begins)
			return line;
	}
	return NULL;
}

bool unit_line_at(Dwarf_Die *unit, Dwarf_Addr addr, const char **ret_file, int *ret_line)
{
	Dwarf_Die function;
	Dwarf_Addr entry;
	Dwarf_Line *line;

	*ret_file = NULL;
	*ret_line = 0;
	if (unit_function_at(unit, addr, &function) && die_entry(&function, &entry) &&
	    entry == addr) {
		*ret_file = die_decl_file(&function);
		*ret_line = die_decl_line(&function);
	} else {
		line = statement_at(unit, addr);
		if (line && !dwarf_lineno(line, ret_line))
			*ret_file = dwarf_linesrc(line, NULL, NULL);
	}
	return *ret_file && *ret_line;
}

struct line_walk {
	die_line_fn fn;
	void *ctx;
	bool nested; /* also in what is inlined */
	int ret;
};

static enum die_step visit_call(Dwarf_Die *die, void *ctx)
{
	struct line_walk *w = ctx;
	Dwarf_Addr addr = 0;
	const char *file;
	int line;

	if (dwarf_tag(die) != DW_TAG_inlined_subroutine)
		return DIE_ENTER;
	file = die_call_file(die);
	line = die_call_line(die);
	if (file && line && die_entry(die, &addr)) {
		w->ret = w->fn(w->ctx, file, line, addr);
		if (w->ret)
			return DIE_STOP;
	}
	if (!w->nested)
		return DIE_PASS;
	file = die_decl_file(die);
	line = die_decl_line(die);
	if (addr && file && line)
		w->ret = w->fn(w->ctx, file, line, addr);
	return w->ret ? DIE_STOP : DIE_ENTER;
}

static int walk_function(Dwarf_Die *function, struct line_walk *w)
{
	const char *file = die_decl_file(function);
	int line = die_decl_line(function);
	Dwarf_Addr addr;
	Dwarf_Die unused;

	if (file && line && die_entry(function, &addr))
		w->ret = w->fn(w->ctx, file, line, addr);
	if (!w->ret)
		die_find(function, visit_call, w, &unused);
	return w->ret;
}

static int visit_function(Dwarf_Die *function, void *ctx)
{
	return walk_function(function, ctx) ? DWARF_CB_ABORT : DWARF_CB_OK;
}

/* Whether a line of the table belongs to `function`, and not to a function that is inlined there. */
static bool is_own_line(Dwarf_Die *function, Dwarf_Addr addr, int line)
{
	const char *declared = die_decl_file(function), *called;
	Dwarf_Die inlined;

	if (dwarf_haspc(function, addr) <= 0)
		return false;
	if (!innermost_inlined_at(function, addr, &inlined))
		return true;
	called = die_call_file(&inlined);
	if (called && !strcmp(called, declared) && die_call_line(&inlined) == line)
		return true;
	return die_decl_line(&inlined) == die_decl_line(function) &&
	       die_decl_file(&inlined) == declared;
}

int die_walk_lines(Dwarf_Die *root, die_line_fn fn, void *ctx)
{
	struct line_walk w = { .fn = fn, .ctx = ctx };
	bool is_unit = dwarf_tag(root) == DW_TAG_compile_unit;
	Dwarf_Die unit = *root;
	Dwarf_Lines *lines;
	size_t n;

	if (!is_unit && (!die_decl_file(root) || !dwarf_diecu(root, &unit, NULL, NULL)))
		return 0;
	if (dwarf_getsrclines(&unit, &lines, &n))
		return 0;
	for (size_t i = 0; i < n; i++) {
		Dwarf_Line *at = dwarf_onesrcline(lines, i);
		const char *file;
		Dwarf_Addr addr;
		int line;
		bool flag;

		if (!at || dwarf_lineno(at, &line) || dwarf_lineaddr(at, &addr) ||
		    dwarf_lineendsequence(at, &flag) || flag ||
		    dwarf_linebeginstatement(at, &flag) || !flag)
			continue;
		if (!is_unit && !is_own_line(root, addr, line))
			continue;
		file = dwarf_linesrc(at, NULL, NULL);
		w.ret = file ? fn(ctx, file, line, addr) : 0;
		if (w.ret)
			return w.ret;
	}
	w.nested = is_unit;
	if (is_unit)
		dwarf_getfuncs(&unit, visit_function, &w, 0);
	else
		walk_function(root, &w);
	return w.ret;
}

/* ---- prologues ---- */

static enum die_step has_location_list(Dwarf_Die *die, void *ctx)
{
	int tag = dwarf_tag(die);
	Dwarf_Attribute attr;
	unsigned form;

	(void)ctx;
	if ((tag != DW_TAG_formal_parameter && tag != DW_TAG_variable) ||
	    !dwarf_attr_integrate(die, DW_AT_location, &attr))
		return DIE_ENTER;
	form = dwarf_whatform(&attr);
	return form == DW_FORM_sec_offset || form == DW_FORM_loclistx ? DIE_STOP : DIE_ENTER;
}

bool unit_is_optimized(Dwarf_Die *unit)
{
	Dwarf_Die unused;

	return die_find(unit, has_location_list, NULL, &unused);
}

Dwarf_Addr function_body(Dwarf_Die *function, Dwarf_Die *unit, Dwarf_Addr entry)
{
	Dwarf_Lines *lines;
	Dwarf_Addr end, addr = entry, before = entry;
	size_t n, from;
	int entry_line, line;
	bool is_end;

	if (dwarf_highpc(function, &end) || dwarf_getsrclines(unit, &lines, &n))
		return entry;
	for (from = 0; from < n; from++)
		if (dwarf_lineaddr(dwarf_onesrcline(lines, from), &addr) || addr == entry)
			break;
	if (from == n || addr != entry || dwarf_lineno(dwarf_onesrcline(lines, from), &entry_line))
		return entry;
	for (size_t i = from; i < n; i++) {
		Dwarf_Line *at = dwarf_onesrcline(lines, i);

		before = addr;
		if (dwarf_lineaddr(at, &addr) || dwarf_lineno(at, &line) ||
		    dwarf_lineprologueend(at, &is_end))
			return entry;
		if (addr >= end)
			return before;
		if (is_end || line != entry_line || i != from)
			break;
	}
	return addr;
}
