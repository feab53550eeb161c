/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From a definition to events: by debug information, else by symbols. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "base/text.h"
#include "base/vec.h"
#include "probe/event.h"
#include "probe/markers.h"
#include "ptui/log.h"

/* As in perf: the value of a variable at the places of a probe where it does not exist. */
#define NO_VALUE "\\deade12d"

struct maker {
	struct probe_binary *b;
	const struct probe_definition *def;
	const struct probe_make_opts *o;
	struct probe_events *ret;
	struct ptui_error *err;
	struct probe_value *values; /* of the event that is made */
	size_t n_values;
	bool is_inlined; /* a return probe was not set where the function is inlined */
};

void probe_events_release(struct probe_events *events)
{
	free(events->v);
	*events = (struct probe_events){ NULL, 0, 0 };
}

static struct probe_event *add_event(struct maker *m)
{
	struct probe_event *e;

	if (m->ret->n >= m->o->max_probes) {
		ptui_error_set(m->err, PTUI_ERROR_INPUT, ERANGE, NULL,
			       _("the definition has more than %zu addresses"), m->o->max_probes);
		ptui_error_hint(m->err, _("allow more with --max-probes"));
		return NULL;
	}
	if (vec_grow(&m->ret->v, &m->ret->cap, m->ret->n + 1)) {
		ptui_error_nomem(m->err);
		return NULL;
	}
	e = &m->ret->v[m->ret->n++];
	*e = (struct probe_event){
		.group = m->def->group,
		.is_uprobe = !m->b->is_kernel,
		.returns = m->def->point.returns,
		.module = m->b->is_kernel ? m->o->module : m->b->path,
	};
	return e;
}

static int outside(struct maker *m, const char *function)
{
	return ptui_error_set(m->err, PTUI_ERROR_INPUT, EINVAL, function,
			      _("the offset is outside of the function '%s'"), function);
}

/* An address of the file in the kernel's notation. `symbol` starts at `start`. */
static int set_place(struct maker *m, struct probe_event *e, uint64_t addr, const char *symbol,
		     uint64_t start)
{
	if (!m->b->is_kernel) {
		if (dso_file_rva_to_off(m->b->file, addr, &e->address))
			return 0;
		return ptui_error_set(m->err, PTUI_ERROR_INPUT, EINVAL, m->b->path,
				      _("the address 0x%llx is not in the file '%s'"),
				      (unsigned long long)addr, m->b->path);
	}
	e->symbol = m->o->base_symbol && !e->returns ? m->o->base_symbol : symbol;
	e->offset = addr - (e->symbol == symbol ? start : m->o->base_addr);
	return 0;
}

/* ---- arguments ---- */

static int add_value(struct maker *m, const struct probe_place *place, const struct probe_arg *arg)
{
	if (m->n_values == PROBE_ARGS_MAX)
		return ptui_error_set(m->err, PTUI_ERROR_INPUT, E2BIG, NULL,
				      _("the probe has more arguments than the kernel allows"));
	return probe_variable_fetch(m->b, place, arg, m->o->find.mem, &m->values[m->n_values++],
				    m->err);
}

struct expand {
	struct maker *m;
	const struct probe_place *place;
	size_t from; /* its first value */
};

/* Nested variables may hide others of their name: the kernel wants each name once. */
static int expand_variable(void *ctx, Dwarf_Die *die)
{
	struct expand *x = ctx;
	struct probe_arg arg = { .var = dwarf_diename(die) };
	struct probe_value *v;
	int ret;

	for (size_t i = x->from; i < x->m->n_values; i++)
		if (!strcmp(x->m->values[i].name, arg.var))
			return 0;
	ret = add_value(x->m, x->place, &arg);
	v = &x->m->values[x->m->n_values - 1];
	if (!ret && !v->fetch)
		x->m->n_values--;
	return ret;
}

static int add_argument(struct maker *m, const struct probe_place *place,
			const struct probe_arg *arg)
{
	struct expand x = { m, place, m->n_values };
	bool is_all = !strcmp(arg->var, "$vars");

	if (is_all || !strcmp(arg->var, "$params"))
		return probe_variables_at(m->b, place, is_all ? PROBE_LOCALS : PROBE_PARAMETERS,
					  false, expand_variable, &x);
	return add_value(m, place, arg);
}

static int add_arguments(struct maker *m, const struct probe_place *place, struct probe_event *e)
{
	int ret = 0;

	m->values = arena_alloc(m->o->find.mem, PROBE_ARGS_MAX * sizeof(*m->values));
	m->n_values = 0;
	if (!m->values)
		return ptui_error_nomem(m->err);
	for (size_t i = 0; i < m->def->n_args && !ret; i++)
		ret = add_argument(m, place, &m->def->args[i]);
	e->values = m->values;
	e->n_values = m->n_values;
	return ret;
}

static int no_such_variable(struct maker *m, const char *name)
{
	ptui_error_set(m->err, PTUI_ERROR_INPUT, ENOENT, name,
		       _("the variable '%s' is not available at this place"), name);
	ptui_error_hint(m->err, _("-V lists the variables of the place, with --range where in the "
				  "function each is available; the compiler may have removed it"));
	return -ENOENT;
}

/* Each variable must exist at one of the places at least; at the others it has a mark as its value. */
static int fill_missing(struct maker *m)
{
	for (size_t i = 0; i < m->ret->n; i++)
		for (size_t k = 0; k < m->ret->v[i].n_values; k++) {
			struct probe_value *missing = &m->ret->v[i].values[k];
			const struct probe_value *other = NULL;

			if (missing->fetch)
				continue;
			for (size_t j = 0; j < m->ret->n && !other; j++)
				if (k < m->ret->v[j].n_values && m->ret->v[j].values[k].fetch)
					other = &m->ret->v[j].values[k];
			if (!other || !strcmp(other->fetch, NO_VALUE))
				return no_such_variable(m, missing->name);
			missing->type = other->type;
		}
	for (size_t i = 0; i < m->ret->n; i++)
		for (size_t k = 0; k < m->ret->v[i].n_values; k++)
			if (!m->ret->v[i].values[k].fetch)
				m->ret->v[i].values[k].fetch = NO_VALUE;
	return 0;
}

/* ---- by debug information ---- */

static const char *name_in(Dwarf_Die *die, struct arena *mem)
{
	const char *name = dwarf_diename(die);

	return name ? arena_strdup(mem, name) : "";
}

static int add_place(void *ctx, const struct probe_place *place, struct ptui_error *err)
{
	struct maker *m = ctx;
	Dwarf_Die function = place->function, scope = place->scope;
	const struct probe_symbol *symbol;
	const char *name = name_in(&function, m->o->find.mem);
	struct probe_event *e;
	Dwarf_Addr entry;
	int ret;

	for (size_t i = 0; i < m->ret->n; i++) /* line tables name some addresses twice */
		if (m->ret->v[i].rva == place->addr)
			return 0;
	if (dwarf_haspc(&function, place->addr) <= 0)
		return outside(m, name);
	if (!name || !die_entry(&function, &entry))
		return ptui_error_nomem(err);
	if (m->def->point.returns &&
	    (dwarf_tag(&scope) != DW_TAG_subprogram || entry != place->addr)) {
		m->is_inlined = true;
		return 0;
	}
	if (m->b->is_kernel) { /* the compiler renames functions: f.isra.0 */
		ret = probe_binary_symbols(m->b, err);
		if (ret)
			return ret;
		symbol = probe_binary_symbol_at(m->b, place->addr);
		if (symbol && !m->b->is_running) {
			name = symbol->name;
			entry = symbol->addr;
		}
	}
	e = add_event(m);
	if (!e)
		return -ERANGE;
	e->rva = place->addr;
	e->function = name_in(&scope, m->o->find.mem);
	ret = e->function ? set_place(m, e, place->addr, name, entry) : ptui_error_nomem(err);
	return ret ? ret : add_arguments(m, place, e);
}

static int make_by_debug_info(struct maker *m)
{
	struct probe_find_opts find = m->o->find;
	int ret;

	find.by_symbol = probe_needs_debug_info(m->def);
	ret = probe_find(m->b, m->def, &find, add_place, m, m->err);
	return ret ? ret : fill_missing(m);
}

/* ---- by symbols ---- */

static bool symbol_matches(const struct probe_symbol *s, const char *glob, bool with_version,
			   struct buf *name)
{
	buf_clear(name);
	if (with_version)
		buf_add_str(name, s->name);
	else
		buf_add(name, s->name, strcspn(s->name, "@"));
	return text_glob(glob, buf_str(name));
}

static int add_symbol(struct maker *m, const struct probe_symbol *s)
{
	const struct probe_point *p = &m->def->point;
	struct probe_event *e;

	if (s->bytes && p->offset > s->bytes)
		return outside(m, s->name);
	e = add_event(m);
	if (!e)
		return -ERANGE;
	e->function = s->name;
	e->values = arena_alloc(m->o->find.mem, (m->def->n_args + 1) * sizeof(*e->values));
	if (!e->values)
		return ptui_error_nomem(m->err);
	e->n_values = m->def->n_args;
	for (size_t i = 0; i < m->def->n_args; i++) {
		const struct probe_arg *arg = &m->def->args[i];

		e->values[i] = (struct probe_value){ arg->name, arg->var, arg->type };
	}
	return set_place(m, e, s->addr + p->offset, s->name, s->addr);
}

static void warn_indirect(const struct probe_symbol *s)
{
	ptui_log(PTUI_LOG_WARN, "probe",
		 _("'%s' is an indirect function: the probe is hit when it is chosen, not when it "
		   "is called; probe the implementation that is used"),
		 s->name);
}

static int make_by_symbols_of(struct maker *m, bool plt)
{
	const char *glob = m->def->point.function;
	struct buf name = BUF_INIT;
	uint64_t last = 0;
	bool any = false;
	int ret = 0;

	for (size_t i = 0; i < m->b->n_symbols && !ret; i++) {
		const struct probe_symbol *s = &m->b->symbols[i];

		if ((s->type != STT_FUNC && s->type != STT_GNU_IFUNC) || s->plt != plt ||
		    (any && s->addr == last) ||
		    !symbol_matches(s, glob, strchr(glob, '@') != NULL, &name))
			continue;
		if (s->type == STT_GNU_IFUNC)
			warn_indirect(s);
		any = true;
		last = s->addr;
		ret = add_symbol(m, s);
	}
	ret = !ret && name.err ? ptui_error_nomem(m->err) : ret;
	buf_release(&name);
	return ret;
}

/* A function of another library, which has a slot of the PLT here, only if there is none of this file. */
static int make_by_symbols(struct maker *m)
{
	int ret = probe_binary_symbols(m->b, m->err);

	if (!ret)
		ret = make_by_symbols_of(m, false);
	return ret || m->ret->n ? ret : make_by_symbols_of(m, true);
}

/* ---- an address ---- */

static int make_by_address(struct maker *m)
{
	struct probe_event *e;

	if (probe_needs_debug_info(m->def)) {
		ptui_error_set(m->err, PTUI_ERROR_INPUT, EINVAL, NULL,
			       _("variables at an address are not known"));
		ptui_error_hint(m->err, _("name the function and an offset, or registers"));
		return -EINVAL;
	}
	e = add_event(m);
	if (!e)
		return -ERANGE;
	e->address = m->def->point.address;
	e->function = arena_printf(m->o->find.mem, "abs_%llx", (unsigned long long)e->address);
	e->n_values = m->def->n_args;
	e->values = arena_alloc(m->o->find.mem, (e->n_values + 1) * sizeof(*e->values));
	if (!e->function || !e->values)
		return ptui_error_nomem(m->err);
	for (size_t i = 0; i < e->n_values; i++)
		e->values[i] = (struct probe_value){ m->def->args[i].name, m->def->args[i].var,
						     m->def->args[i].type };
	return 0;
}

static int not_found(struct maker *m)
{
	struct buf point = BUF_INIT;

	if (m->is_inlined)
		return ptui_error_set(m->err, PTUI_ERROR_INPUT, EINVAL, m->def->point.function,
				      _("'%s' is inlined everywhere, so it does not return"),
				      m->def->point.function);
	if (probe_binary_need_functions(m->b, m->err))
		return -ENOENT;
	probe_point_format(&m->def->point, &point);
	if (m->def->point.pattern)
		buf_addf(&point, ";%s", m->def->point.pattern);
	ptui_error_set(m->err, PTUI_ERROR_INPUT, ENOENT, buf_str(&point),
		       _("no probe point '%s' in %s"), buf_str(&point), m->b->path);
	if (m->def->point.pattern)
		ptui_error_hint(m->err, _("the pattern has to match a whole line, such as '*%s*'"),
				m->def->point.pattern);
	else
		ptui_error_hint(m->err,
				_("-F lists the functions, -L the lines that can be probed"));
	buf_release(&point);
	return -ENOENT;
}

int probe_events_make(struct probe_binary *b, const struct probe_definition *def,
		      const struct probe_make_opts *o, struct probe_events *ret,
		      struct ptui_error *err)
{
	struct ptui_error unused = PTUI_ERROR_INIT;
	struct maker m = { .b = b, .def = def, .o = o, .ret = ret, .err = err ? err : &unused };
	bool needs_debug = probe_needs_debug_info(def);
	int error;

	*ret = (struct probe_events){ NULL, 0, 0 };
	if (def->is_sdt)
		error = probe_markers_make(b, def, o, ret, m.err);
	else if (def->point.is_address)
		error = make_by_address(&m);
	else if (needs_debug && probe_binary_need_dwarf(b, m.err))
		error = -ENOENT;
	else if (b->dwarf && !def->point.returns)
		error = make_by_debug_info(&m);
	else
		error = make_by_symbols(&m);
	/* a function that debug information lacks, as one in assembly, or a name that symbols lack */
	if (!error && !ret->n && b->dwarf && !needs_debug && !def->is_sdt)
		error = def->point.returns ? make_by_debug_info(&m) : make_by_symbols(&m);
	if (!error && !ret->n)
		error = not_found(&m);
	if (error)
		probe_events_release(ret);
	return error;
}
