/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -L: source lines, those with code of their own by number; -F: functions; and the way back from an address. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "base/text.h"
#include "base/vec.h"
#include "probe/filter.h"
#include "probe/show.h"
#include "symbol/symtab.h"

#define SOURCE_BYTES_MAX (256u << 20)
#define LINES_AFTER	 2 /* what perf prints after the last one */

struct lines {
	const struct probe_line_range *range;
	const char *file; /* that is looked for */
	const char *path; /* as the compiler wrote it; NULL: no line was found */
	const char *dir;  /* of the compilation */
	int base;	  /* line of the function */
	int start, end;
	Dwarf_Die unit;
	int *v;
	size_t n, cap;
	int ret;
};

static int visit_line(void *ctx, const char *file, int line, Dwarf_Addr addr)
{
	struct lines *l = ctx;
	const char *other;
	int number;

	if (line < l->start || line > l->end || !path_ends_alike(file, l->file))
		return 0;
	if (unit_line_at(&l->unit, addr, &other, &number) &&
	    (number != line || strcmp(file, other)))
		return 0;
	if (!l->path)
		l->path = file;
	if (vec_grow(&l->v, &l->cap, l->n + 1))
		return -ENOMEM;
	l->v[l->n++] = line;
	return 0;
}

static int visit_instance(void *ctx, Dwarf_Die *instance)
{
	return die_walk_lines(instance, visit_line, ctx);
}

static int sum_line(int base, int line)
{
	int sum;

	return __builtin_add_overflow(base, line, &sum) ? INT_MAX : sum;
}

static int visit_function(Dwarf_Die *function, void *ctx)
{
	struct lines *l = ctx;
	const char *file = die_decl_file(function);

	if (!die_is_function(function) || !die_matches(function, l->range->function) || !file ||
	    (l->range->file && !path_ends_alike(l->range->file, file)))
		return DWARF_CB_OK;
	l->file = file;
	l->base = die_decl_line(function);
	l->start = sum_line(l->base, l->range->start);
	l->end = sum_line(l->base, l->range->end);
	l->ret = die_has_code(function) ? die_walk_lines(function, visit_line, l) :
					  die_walk_instances(function, visit_instance, l, NULL);
	return DWARF_CB_ABORT;
}

static int visit_unit(void *ctx, Dwarf_Die *unit)
{
	struct lines *l = ctx;
	Dwarf_Attribute attr;

	l->unit = *unit;
	l->file = l->range->file ? unit_source(unit, l->range->file) : NULL;
	if (l->range->file && !l->file)
		return 0;
	if (l->range->function) {
		dwarf_getfuncs(unit, visit_function, l, 0);
	} else {
		l->start = l->range->start;
		l->end = l->range->end;
		l->ret = die_walk_lines(unit, visit_line, l);
	}
	if (l->n)
		l->dir = dwarf_attr(unit, DW_AT_comp_dir, &attr) ? dwarf_formstring(&attr) : NULL;
	return l->ret ? l->ret : l->n > 0;
}

static int by_number(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;

	return (x > y) - (x < y);
}

static void print_source(struct lines *l, const char *text, struct buf *out)
{
	int line = 1, last;
	size_t i = 0;

	qsort(l->v, l->n, sizeof(*l->v), by_number);
	last = l->end == INT_MAX ? sum_line(l->v[l->n - 1], 1 + LINES_AFTER) : l->end;
	for (; *text && line <= last; line++) {
		size_t n = strcspn(text, "\n");

		while (i < l->n && l->v[i] < line)
			i++;
		if (line >= l->start) {
			if (i < l->n && l->v[i] == line)
				buf_addf(out, "%7d  ", line - l->base);
			else
				buf_add_spaces(out, 9);
			buf_add(out, text, n);
			buf_add_char(out, '\n');
		}
		text += n + (text[n] == '\n');
	}
}

static int no_lines(const struct probe_binary *b, struct ptui_error *err)
{
	ptui_error_set(err, PTUI_ERROR_INPUT, ENOENT, b->path,
		       _("there is no such source line with code in %s"), b->path);
	ptui_error_hint(err, _("-F lists the functions"));
	return -ENOENT;
}

int probe_show_lines(struct probe_binary *b, const struct probe_line_range *range,
		     const struct probe_show_opts *o, struct buf *out, struct ptui_error *err)
{
	struct lines l = { .range = range };
	struct buf text = BUF_INIT;
	const char *path;
	int ret = probe_binary_need_dwarf(b, err);

	if (ret)
		return ret;
	probe_each_unit(b, visit_unit, &l);
	ret = l.ret ? ptui_error_nomem(err) : l.n ? 0 : no_lines(b, err);
	if (ret)
		goto out;
	path = probe_source_path(l.path, l.dir, o->find.source_prefix, o->find.mem, err);
	ret = path ? file_read(path, SOURCE_BYTES_MAX, &text, err) : -ENOENT;
	if (ret)
		goto out;
	if (range->function)
		buf_addf(out, "<%s@%s:%d>\n", range->function, path, l.start - l.base);
	else
		buf_addf(out, "<%s:%d>\n", path, l.start);
	print_source(&l, buf_str(&text), out);
	ret = out->err ? ptui_error_nomem(err) : 0;
out:
	free(l.v);
	buf_release(&text);
	return ret;
}

/* ---- functions ---- */

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

int probe_show_functions(struct probe_binary *b, const struct probe_show_opts *o, struct buf *out,
			 struct ptui_error *err)
{
	const char *filter = o->filter ? o->filter : "!_* & !*@plt";
	char **names;
	size_t n = 0;
	int ret = probe_binary_symbols(b, err);

	if (!ret)
		ret = probe_binary_need_functions(b, err);
	if (ret)
		return ret;
	names = calloc(b->n_symbols + 1, sizeof(*names));
	if (!names)
		return ptui_error_nomem(err);
	for (size_t i = 0; i < b->n_symbols && !ret; i++) {
		const struct probe_symbol *s = &b->symbols[i];

		if (s->type != STT_FUNC && s->type != STT_GNU_IFUNC)
			continue;
		names[n] = o->demangle ? symbol_demangle(s->name) : strdup(s->name);
		if (!names[n])
			ret = ptui_error_nomem(err);
		else if (probe_filter_matches(filter, names[n]))
			n++;
		else
			free(names[n]);
	}
	qsort(names, n, sizeof(*names), by_text);
	for (size_t i = 0; i < n; i++)
		if (!ret && (!i || strcmp(names[i], names[i - 1])))
			buf_addf(out, "%s\n", names[i]);
	for (size_t i = 0; i < n; i++)
		free(names[i]);
	free(names);
	return !ret && out->err ? ptui_error_nomem(err) : ret;
}

/* ---- the way back ---- */

struct where {
	const char *function, *file;
	int line, base;	   /* of the file, of the function */
	const char *outer; /* the function with the code */
	Dwarf_Addr entry;  /* of it */
};

/* From the function at the address through those that are inlined there. */
static void find_inlined(Dwarf_Die *function, Dwarf_Addr addr, struct where *w)
{
	Dwarf_Die at = *function, inlined;
	const char *file;
	Dwarf_Addr entry;

	while (die_inlined_at(&at, addr, &inlined)) {
		if (die_entry(&inlined, &entry) && entry == addr) { /* it is where it is called */
			w->line = die_call_line(&inlined);
			w->file = die_call_file(&inlined);
			break;
		}
		if (!dwarf_diename(&inlined) || !die_decl_line(&inlined))
			break;
		w->function = dwarf_diename(&inlined);
		w->base = die_decl_line(&inlined);
		at = inlined;
	}
	file = die_decl_file(&at);
	if (!file || (w->file && strcmp(file, w->file)))
		w->line = 0;
}

static bool find_where(struct probe_binary *b, Dwarf_Addr addr, struct where *w)
{
	Dwarf_Die unit, function;

	if (!b->dwarf || !probe_unit_at(b, addr, &unit))
		return false;
	unit_line_at(&unit, addr, &w->file, &w->line);
	if (!unit_function_at(&unit, addr, &function))
		return w->file && w->line;
	w->function = w->outer = dwarf_diename(&function);
	w->base = die_decl_line(&function);
	if (!w->function || !die_entry(&function, &w->entry) || !w->base) {
		w->line = 0;
		return w->function != NULL;
	}
	w->file = die_decl_file(&function);
	if (addr == w->entry)
		w->line = w->base;
	else
		find_inlined(&function, addr, w);
	return true;
}

void probe_point_at(struct probe_binary *b, uint64_t rva, struct arena *mem,
		    struct probe_point *ret)
{
	struct where w = { .line = 0 };
	const struct probe_symbol *symbol;

	memset(ret, 0, sizeof(*ret));
	if (find_where(b, rva, &w)) {
		if (w.line) {
			ret->line = w.line - w.base;
		} else if (w.outer) {
			ret->offset = rva - w.entry;
			w.function = w.outer;
		}
		ret->function = w.function ? arena_strdup(mem, w.function) : NULL;
		ret->file = w.file ? arena_strdup(mem, w.file) : NULL;
		if (ret->function || ret->file)
			return;
	}
	symbol = probe_binary_symbols(b, NULL) ? NULL : probe_binary_symbol_at(b, rva);
	if (symbol) {
		ret->function = symbol->name;
		ret->offset = rva - symbol->addr;
	} else {
		ret->function = arena_printf(mem, "0x%llx", (unsigned long long)rva);
	}
}
