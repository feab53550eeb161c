/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "base/vec.h"
#include "probe/filter.h"
#include "probe/show.h"

struct variables {
	struct probe_binary *b;
	const struct probe_definition *def;
	const struct probe_show_opts *o;
	struct buf *out;
	const struct probe_place *place;
	bool is_external;
	char **lines; /* of this place */
	size_t n_lines, cap_lines;
	Dwarf_Addr *addrs; /* of the places so far */
	size_t n_addrs, cap_addrs;
};

static bool add_type(Dwarf_Die *die, struct buf *out, int depth)
{
	static const struct {
		int tag;
		const char *word;
	} words[] = { { DW_TAG_union_type, "union " },
		      { DW_TAG_structure_type, "struct " },
		      { DW_TAG_enumeration_type, "enum " } };
	Dwarf_Die type;
	const char *name;
	int tag;

	if (depth > 64 || !die_qualified_type(die, &type))
		return false;
	tag = dwarf_tag(&type);
	if (tag == DW_TAG_subroutine_type) {
		buf_add_str(out, "(function_type)");
		return true;
	}
	if (tag == DW_TAG_array_type || tag == DW_TAG_pointer_type ||
	    tag == DW_TAG_reference_type || tag == DW_TAG_rvalue_reference_type) {
		Dwarf_Die pointed;

		if (!die_qualified_type(&type, &pointed))
			buf_add_str(out, "void");
		else if (!add_type(&type, out, depth + 1))
			return false;
		buf_add_str(out, tag == DW_TAG_reference_type	     ? "&" :
				 tag == DW_TAG_rvalue_reference_type ? "&&" :
								       "*");
		return true;
	}
	name = dwarf_diename(&type);
	if (!name)
		return false;
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (words[i].tag == tag)
			buf_add_str(out, words[i].word);
	buf_add_str(out, name);
	return true;
}

void probe_type_format(Dwarf_Die *die, struct buf *out)
{
	size_t before = out->len;

	if (add_type(die, out, 0))
		return;
	out->len = before;
	buf_add_str(out, "(unknown_type)");
}

static void add_range(struct buf *out, bool *first, const char *function, Dwarf_Addr start,
		      Dwarf_Addr end)
{
	if (*first)
		buf_addf(out, "\t@<%s+[", function);
	else
		buf_add_char(out, ',');
	buf_addf(out, "%llu-%llu", (unsigned long long)start, (unsigned long long)end);
	*first = false;
}

/* The block that declares it, for a variable with a single location. */
static void add_scope(Dwarf_Die *die, struct buf *out, bool *first, const char *function,
		      Dwarf_Addr entry)
{
	Dwarf_Die *scopes = NULL;
	int n = dwarf_getscopes_die(die, &scopes);
	Dwarf_Addr base, start, end;
	ptrdiff_t off = 0;

	while (n > 1 && (off = dwarf_ranges(&scopes[1], off, &base, &start, &end)) > 0)
		add_range(out, first, function, start - entry, end - entry);
	free(scopes);
}

static void add_ranges(struct variables *v, Dwarf_Die *die, struct buf *out)
{
	Dwarf_Die function = v->place->function;
	const char *name = dwarf_diename(&function);
	Dwarf_Addr entry, base, start, end;
	Dwarf_Attribute attr;
	bool first = true;
	ptrdiff_t off = 0;
	Dwarf_Op *ops;
	size_t n;

	if (!name || !die_entry(&function, &entry) || !dwarf_attr(die, DW_AT_location, &attr))
		return;
	while ((off = dwarf_getlocations(&attr, off, &base, &start, &end, &ops, &n)) > 0) {
		if (!start) {
			add_scope(die, out, &first, name, entry);
			break;
		}
		add_range(out, &first, name, start - entry, end - entry);
	}
	if (!first)
		buf_add_str(out, "]>");
}

static int add_line(struct variables *v, struct buf *line)
{
	char *text = buf_take(line);

	if (!text || vec_grow(&v->lines, &v->cap_lines, v->n_lines + 1)) {
		free(text);
		return -ENOMEM;
	}
	v->lines[v->n_lines++] = text;
	return 0;
}

static int visit_variable(void *ctx, Dwarf_Die *die)
{
	struct variables *v = ctx;
	struct buf line = BUF_INIT, type = BUF_INIT;
	const char *filter = v->o->filter ? v->o->filter : "!__k???tab_* & !__crc_*";
	int ret = 0;

	if (v->o->ranges)
		buf_add_str(&line, v->is_external				? "[EXT]\t" :
				   probe_variable_is_valid(v->b, v->place, die) ? "[VAL]\t" :
										  "[INV]\t");
	probe_type_format(die, &type);
	buf_addf(&line, "%s\t%s", buf_str(&type), dwarf_diename(die));
	if (v->o->ranges && !v->is_external)
		add_ranges(v, die, &line);
	if (probe_filter_matches(filter, dwarf_diename(die)))
		ret = add_line(v, &line);
	buf_release(&line);
	buf_release(&type);
	return ret;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void print_lines(struct variables *v)
{
	if (v->n_lines)
		qsort(v->lines, v->n_lines, sizeof(*v->lines), by_text);
	for (size_t i = 0; i < v->n_lines; i++)
		if (!i || strcmp(v->lines[i], v->lines[i - 1]))
			buf_addf(v->out, "\t\t%s\n", v->lines[i]);
	if (!v->n_lines)
		buf_addf(v->out, "\t\t%s\n", _("(No matched variables)"));
	for (size_t i = 0; i < v->n_lines; i++)
		free(v->lines[i]);
	v->n_lines = 0;
}

static int visit_place(void *ctx, const struct probe_place *place, struct ptui_error *err)
{
	struct variables *v = ctx;
	Dwarf_Die function = place->function;
	Dwarf_Addr entry;
	int ret;

	for (size_t i = 0; i < v->n_addrs; i++)
		if (v->addrs[i] == place->addr)
			return 0;
	if (v->n_addrs >= v->o->max_probes)
		return ptui_error_set(err, PTUI_ERROR_INPUT, ERANGE, NULL,
				      _("the definition has more than %zu addresses"),
				      v->o->max_probes);
	if (vec_grow(&v->addrs, &v->cap_addrs, v->n_addrs + 1))
		return ptui_error_nomem(err);
	v->addrs[v->n_addrs++] = place->addr;
	v->place = place;
	if (!die_entry(&function, &entry))
		entry = place->addr;
	buf_addf(v->out, "\t@<%s+%llu>\n", dwarf_diename(&function) ? dwarf_diename(&function) : "",
		 (unsigned long long)(place->addr - entry));
	v->is_external = false;
	ret = probe_variables_at(v->b, place, PROBE_LOCALS, v->o->ranges, visit_variable, v);
	v->is_external = true;
	if (!ret && v->o->externals)
		ret = probe_variables_at(v->b, place, PROBE_EXTERNALS, v->o->ranges, visit_variable,
					 v);
	print_lines(v);
	return ret ? ptui_error_nomem(err) : 0;
}

int probe_show_variables(struct probe_binary *b, const struct probe_definition *def,
			 const struct probe_show_opts *o, struct buf *out, struct ptui_error *err)
{
	struct variables v = { .b = b, .def = def, .o = o, .out = out };
	struct probe_find_opts find = o->find;
	struct buf point = BUF_INIT;
	int ret = probe_binary_need_dwarf(b, err);

	find.by_symbol = true;

	probe_point_format(&def->point, &point);
	if (!ret) {
		size_t before = out->len;

		buf_addf(out, "Available variables at %s\n", buf_str(&point));
		ret = probe_find(b, def, &find, visit_place, &v, err);
		if (ret || !v.n_addrs)
			out->len = before;
		if (!ret && !v.n_addrs) {
			ret = ptui_error_set(err, PTUI_ERROR_INPUT, ENOENT, buf_str(&point),
					     _("no probe point '%s' in %s"), buf_str(&point),
					     b->path);
			ptui_error_hint(err, _("-F lists the functions, -L the lines that can be "
					       "probed"));
		}
	}
	if (!ret && out->err)
		ret = ptui_error_nomem(err);
	buf_release(&point);
	free(v.addrs);
	free(v.lines);
	return ret;
}
