/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ptui/probe.h: a place of a profile as a definition, its variables, and the probes of a choice. */
#include "ptui/probe.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/i18n.h"
#include "base/text.h"
#include "base/vec.h"
#include "event/probe_owner.h"
#include "probe/add.h"
#include "probe/show.h"
#include "probe/temporary.h"
#include "probe/tracefs.h"

#define PLACES_MAX 128 /* as in perf */

struct variable {
	struct ptui_probe_variable of;
	const char *arg; /* "n", "title:string" */
};

struct ptui_probe {
	struct arena mem;
	struct probe_binary *binary;
	const char *tracefs;
	const char *module; /* of a kernel module; NULL: a program or the kernel */
	const char *point;  /* "work", "work+12", "work.c:9", "0x1150" */
	bool can_return;
	const char *return_type,
		*return_arg; /* NULL: nothing is returned, or it cannot be fetched */
	const char *no_variables;
	struct variable *variables;
	size_t n_variables, cap_variables;
};

/* ---- the place as a definition ---- */

/* With a backslash before what has a meaning in definitions. */
static void add_quoted(struct buf *out, const char *name)
{
	for (; *name; name++) {
		if (strchr(" \\:;@+%=*?[]", *name))
			buf_add_char(out, '\\');
		buf_add_char(out, *name);
	}
}

/* The function at an address as debug information, or the symbol table, names it. */
static const char *name_at(struct ptui_probe *p, uint64_t rva)
{
	const struct probe_symbol *symbol;
	Dwarf_Die unit, die;
	const char *name = NULL;

	if (p->binary->dwarf && probe_unit_at(p->binary, rva, &unit) &&
	    unit_function_at(&unit, rva, &die)) {
		name = die_linkage_name(&die);
		name = name ? name : dwarf_diename(&die);
	}
	if (name || probe_binary_symbols(p->binary, NULL))
		return name;
	symbol = probe_binary_symbol_at(p->binary, rva);
	return symbol ? arena_memdup0(&p->mem, symbol->name, strcspn(symbol->name, "@")) : NULL;
}

/* A function without a symbol is displayed as a range of addresses, and probed by its offset in the file. */
static void add_place(struct ptui_probe *p, const struct ptui_probe_place *place, const char *name,
		      struct buf *out)
{
	if (text_starts_with(name, "0x")) {
		buf_addf(out, "%#llx", (unsigned long long)(place->start + place->offset));
		return;
	}
	add_quoted(out, name);
	if (place->offset)
		buf_addf(out, "+%llu", (unsigned long long)place->offset);
	p->can_return = !place->offset;
}

static int set_point(struct ptui_probe *p, const struct ptui_probe_place *place,
		     struct ptui_error *err)
{
	struct buf text = BUF_INIT;
	const char *name = NULL;
	uint64_t rva;

	if (place->source && place->line) {
		add_quoted(&text, place->source);
		buf_addf(&text, ":%u", place->line);
	} else {
		if (!place->kernel && dso_file_off_to_rva(p->binary->file, place->start, &rva))
			name = name_at(p, rva);
		add_place(p, place, name ? name : place->function, &text);
	}
	p->point = text.err ? NULL : arena_strdup(&p->mem, buf_str(&text));
	buf_release(&text);
	return p->point ? 0 : ptui_error_nomem(err);
}

/* ---- variables ---- */

struct visit {
	struct ptui_probe *p;
	const struct probe_place *place;
	bool found;
};

static bool is_text(const char *type)
{
	return !strcmp(type, "char*");
}

static int visit_variable(void *ctx, Dwarf_Die *die)
{
	struct visit *v = ctx;
	struct ptui_probe *p = v->p;
	struct ptui_error err = PTUI_ERROR_INIT;
	struct probe_arg arg = { .var = dwarf_diename(die) };
	struct probe_value value;
	struct buf type = BUF_INIT;
	struct variable *var;
	int ret;

	for (size_t i = 0; i < p->n_variables; i++) /* hidden by one of an inner block */
		if (!strcmp(p->variables[i].of.name, arg.var))
			return 0;
	if (vec_grow(&p->variables, &p->cap_variables, p->n_variables + 1))
		return -ENOMEM;
	probe_type_format(die, &type);
	arg.type = is_text(buf_str(&type)) ? "string" : NULL;
	ret = probe_variable_fetch(p->binary, v->place, &arg, &p->mem, &value, &err);
	var = &p->variables[p->n_variables];
	*var = (struct variable){
		.of = { .name = arena_strdup(&p->mem, arg.var),
			.type = arena_strdup(&p->mem, buf_str(&type)),
			.is_parameter = dwarf_tag(die) == DW_TAG_formal_parameter,
			.why = ret ? arena_strdup(&p->mem, err.text) : NULL },
		.arg = arena_printf(&p->mem, arg.type ? "%1$s=%1$s:string" : "%1$s", arg.var),
	};
	buf_release(&type);
	if (ret == -ENOMEM || !var->of.name || !var->of.type || !var->arg || (ret && !var->of.why))
		return -ENOMEM;
	if (ret || value.fetch)
		p->n_variables++;
	return 0;
}

/* "$retval:s32" of an int; NULL: a structure or a floating-point number, which the kernel cannot fetch. */
static const char *return_arg(struct ptui_probe *p, Dwarf_Die *type)
{
	Dwarf_Word encoding = 0;
	int bytes = dwarf_bytesize(type), tag = dwarf_tag(type);

	if (is_text(p->return_type))
		return "retval=+0($retval):string";
	if (tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type ||
	    tag == DW_TAG_rvalue_reference_type)
		return "retval=$retval";
	if (tag == DW_TAG_base_type && die_udata(type, DW_AT_encoding, &encoding) &&
	    (encoding == DW_ATE_float || encoding == DW_ATE_complex_float))
		return NULL;
	if ((tag != DW_TAG_base_type && tag != DW_TAG_enumeration_type) || bytes < 1 || bytes > 8)
		return NULL;
	return arena_printf(&p->mem, "retval=$retval:%c%d", die_is_signed(type) ? 's' : 'u',
			    bytes * 8);
}

static int visit_place(void *ctx, const struct probe_place *place, struct ptui_error *err)
{
	struct visit *v = ctx;
	Dwarf_Die scope = place->scope, type;
	struct buf text = BUF_INIT;

	if (v->found)
		return 0;
	v->found = true;
	v->place = place;
	if (die_type(&scope, &type)) {
		probe_type_format(&scope, &text);
		v->p->return_type = arena_strdup(&v->p->mem, buf_str(&text));
		buf_release(&text);
		if (!v->p->return_type)
			return ptui_error_nomem(err);
		v->p->return_arg = return_arg(v->p, &type);
	}
	return probe_variables_at(v->p->binary, place, PROBE_LOCALS, false, visit_variable, v) ?
		       ptui_error_nomem(err) :
		       0;
}

static int find_variables(struct ptui_probe *p, struct ptui_error *err)
{
	const struct probe_find_opts o = { .mem = &p->mem };
	struct ptui_error none = PTUI_ERROR_INIT;
	struct visit v = { .p = p };
	struct probe_definition def;
	int ret = probe_definition_parse(p->point, &p->mem, &def, err);

	if (ret)
		return ret;
	if (probe_binary_need_dwarf(p->binary, &none)) {
		p->return_arg = p->can_return ? "retval=$retval" : NULL;
		p->no_variables = arena_strdup(&p->mem, none.text);
		return p->no_variables ? 0 : ptui_error_nomem(err);
	}
	if (!def.point.is_address)
		ret = probe_find(p->binary, &def, &o, visit_place, &v, err);
	if (ret || v.found)
		return ret;
	p->return_arg = p->can_return ? "retval=$retval" : NULL;
	p->no_variables = _("the debug information does not have this place");
	return 0;
}

/* ---- opening ---- */

/* Says why before the user has chosen anything. */
static int check_list(struct ptui_probe *p, bool kernel, struct ptui_error *err)
{
	const char *name = kernel ? "kprobe_events" : "uprobe_events";
	const char *path = arena_printf(&p->mem, "%s/%s", p->tracefs, name);

	if (!path)
		return ptui_error_nomem(err);
	if (!access(path, W_OK))
		return 0;
	ptui_error_errno(err, errno, path, _("cannot write to %s"), path);
	if (err && err->code == ENOENT)
		ptui_error_hint(err,
				kernel ? _("this kernel has no kprobes (CONFIG_KPROBE_EVENTS); "
					   "probes in programs (-x FILE) work") :
					 _("this kernel has no uprobes (CONFIG_UPROBE_EVENTS)"));
	else
		ptui_error_hint(err, _("probes need root: run it with sudo"));
	return -EACCES;
}

static struct probe_binary *open_binary(const struct ptui_probe_place *place,
					struct ptui_error *err)
{
	const struct probe_binary_opts o = { NULL, NULL };

	return place->kernel ? probe_binary_running_kernel(&roots_system, &o, err) :
			       probe_binary_open(place->path, &o, err);
}

struct ptui_probe *ptui_probe_open(const struct ptui_probe_place *place, struct ptui_error *err)
{
	struct ptui_probe *p = calloc(1, sizeof(*p));

	if (!p) {
		ptui_error_nomem(err);
		return NULL;
	}
	arena_init(&p->mem);
	if (!place->kernel && !place->path)
		ptui_error_set(err, PTUI_ERROR_INPUT, ENOENT, place->function,
			       _("the file of this function is not known"));
	else if (!probe_tracefs(&roots_system, &p->mem, &p->tracefs, err) &&
		 !check_list(p, place->kernel, err))
		p->binary = open_binary(place, err);
	if (p->binary && !set_point(p, place, err) && !find_variables(p, err))
		return p;
	ptui_probe_free(p);
	return NULL;
}

void ptui_probe_free(struct ptui_probe *p)
{
	if (!p)
		return;
	probe_binary_free(p->binary);
	free(p->variables);
	arena_release(&p->mem);
	free(p);
}

const char *ptui_probe_no_variables(const struct ptui_probe *p)
{
	return p->no_variables;
}

size_t ptui_probe_n_variables(const struct ptui_probe *p)
{
	return p->n_variables;
}

const struct ptui_probe_variable *ptui_probe_variable(const struct ptui_probe *p, size_t i)
{
	return &p->variables[i].of;
}

bool ptui_probe_can_return(const struct ptui_probe *p, const char **ret_type)
{
	*ret_type = p->return_type;
	return p->can_return;
}

/* ---- a choice ---- */

static char *definition_of(const struct ptui_probe *p, const struct ptui_probe_choice *c)
{
	struct buf text = BUF_INIT;

	buf_addf(&text, "%s%s", p->point, c->returns ? "%return" : "");
	if (c->returns && p->return_arg)
		buf_addf(&text, " %s", p->return_arg);
	for (size_t i = 0; i < p->n_variables && c->variables && !c->returns; i++)
		if (c->variables[i])
			buf_addf(&text, " %s", p->variables[i].arg);
	return buf_take(&text);
}

/* The events of a choice, with groups; strings in `mem`. */
static int make_events(struct ptui_probe *p, const struct ptui_probe_choice *c, const char *text,
		       struct arena *mem, struct probe_definition *ret_def,
		       struct probe_events *ret, struct ptui_error *err)
{
	struct probe_make_opts o = { .find.mem = mem,
				     .max_probes = PLACES_MAX,
				     .module = p->module };
	const char *group;
	int error = probe_definition_parse(text, mem, ret_def, err);

	if (!error)
		error = probe_base_symbol(p->binary, &o, err);
	if (error)
		return error;
	group = c->keep ? probe_group_of(p->binary->is_kernel ? NULL : p->binary->path, mem) :
			  probe_temporary_group(mem, err);
	if (!group)
		return ptui_error_is_set(err) ? -err->code : ptui_error_nomem(err);
	error = probe_events_make(p->binary, ret_def, &o, ret, err);
	for (size_t i = 0; i < ret->n && !error; i++)
		ret->v[i].group = group;
	return error;
}

int ptui_probe_plan(struct ptui_probe *p, const struct ptui_probe_choice *c,
		    struct ptui_probe_plan *ret, struct ptui_error *err)
{
	struct probe_events events = { NULL, 0, 0 };
	struct probe_definition def;
	struct arena mem = ARENA_INIT;
	struct buf lines = BUF_INIT;
	int error;

	memset(ret, 0, sizeof(*ret));
	ret->definition = definition_of(p, c);
	error = ret->definition ? make_events(p, c, ret->definition, &mem, &def, &events, err) :
				  ptui_error_nomem(err);
	for (size_t i = 0; i < events.n && !error; i++) {
		error = probe_event_name(&def, &events.v[i], NULL, NULL, true, &mem,
					 &events.v[i].event, err);
		if (error)
			break;
		if (i)
			buf_add_char(&lines, '\n');
		probe_event_format(&events.v[i], &lines);
	}
	ret->n_lines = events.n;
	ret->lines = error ? NULL : buf_take(&lines);
	if (!error && !ret->lines)
		error = ptui_error_nomem(err);
	buf_release(&lines);
	probe_events_release(&events);
	arena_release(&mem);
	return error;
}

void ptui_probe_plan_release(struct ptui_probe_plan *plan)
{
	free(plan->definition);
	free(plan->lines);
	memset(plan, 0, sizeof(*plan));
}

/* Notes temporary events for their removal; without a note they are removed at once. */
static int take_events(struct ptui_probe *p, const struct probe_events *events, bool keep,
		       struct buf *names, struct ptui_error *err)
{
	int ret = 0;

	for (size_t i = 0; i < events->n && !ret; i++) {
		const struct probe_event *e = &events->v[i];

		if (i && !strcmp(e->event, e[-1].event))
			continue;
		ret = keep ? 0 : probe_temporary_note(p->tracefs, e, err);
		buf_addf(names, "%s%s:%s", i ? "\n" : "", e->group, e->event);
	}
	if (!ret && names->err)
		ret = ptui_error_nomem(err);
	for (size_t i = 0; i < events->n && ret; i++)
		probe_tracefs_delete(p->tracefs, &events->v[i], NULL);
	return ret;
}

static int add_definition(struct ptui_probe *p, const struct ptui_probe_choice *c, const char *text,
			  char **ret_events, struct ptui_error *err)
{
	const struct probe_add_opts o = { .force = true, .own_group = !c->keep };
	struct probe_events events = { NULL, 0, 0 }, known = { NULL, 0, 0 };
	struct arena mem = ARENA_INIT;
	struct buf names = BUF_INIT;
	struct probe_definition def;
	const char *tracefs;
	int ret = make_events(p, c, text, &mem, &def, &events, err);

	*ret_events = NULL;
	if (!ret)
		ret = probe_lists_read(&mem, &tracefs, &known, err);
	if (!ret)
		ret = probe_events_add(&def, &events, tracefs, &known, &o, &mem, err);
	if (!ret)
		ret = take_events(p, &events, c->keep, &names, err);
	if (!ret)
		*ret_events = buf_take(&names);
	buf_release(&names);
	probe_events_release(&events);
	probe_events_release(&known);
	arena_release(&mem);
	return ret;
}

int ptui_probe_add(struct ptui_probe *p, const struct ptui_probe_choice *c, char **ret_events,
		   struct ptui_error *err)
{
	char *text = definition_of(p, c);
	int ret = text ? add_definition(p, c, text, ret_events, err) : ptui_error_nomem(err);

	if (!text)
		*ret_events = NULL;
	free(text);
	return ret;
}

int probe_temporary_add(const char *definition, const char *exec, const char *module,
			char **ret_events, struct ptui_error *err)
{
	const struct probe_binary_opts o = { NULL, NULL };
	const struct ptui_probe_choice temporary = { NULL };
	struct ptui_probe *p = calloc(1, sizeof(*p));
	int ret;

	if (!p)
		return ptui_error_nomem(err);
	arena_init(&p->mem);
	p->module = module;
	ret = probe_tracefs(&roots_system, &p->mem, &p->tracefs, err);
	if (!ret)
		ret = check_list(p, !exec, err);
	if (!ret) {
		p->binary = exec   ? probe_binary_open(exec, &o, err) :
			    module ? probe_binary_kernel_module(module, &o, err) :
				     probe_binary_running_kernel(&roots_system, &o, err);
		ret = p->binary ? add_definition(p, &temporary, definition, ret_events, err) :
				  -ENOENT;
	}
	ptui_probe_free(p);
	return ret;
}

/* ---- leftovers ---- */

bool ptui_probe_is_temporary(const char *event)
{
	struct probe_owner owner;
	char group[PROBE_OWNER_MAX];
	size_t n = strcspn(event, ":");

	if (event[n] != ':' || n >= sizeof(group))
		return false;
	memcpy(group, event, n);
	group[n] = '\0';
	return probe_owner_parse(group, &owner);
}

static int read_leftovers(struct arena *mem, const char **ret_tracefs, struct probe_leftovers *ret)
{
	memset(ret, 0, sizeof(*ret));
	if (probe_tracefs(&roots_system, mem, ret_tracefs, NULL))
		return -ENOENT;
	return probe_leftovers_read(&roots_system, *ret_tracefs, ret);
}

void ptui_probe_leftovers(struct ptui_probe_leftovers *ret)
{
	struct buf names = BUF_INIT, command = BUF_INIT;
	struct arena mem = ARENA_INIT;
	struct probe_leftovers left;
	const char *tracefs;

	memset(ret, 0, sizeof(*ret));
	if (!read_leftovers(&mem, &tracefs, &left) && left.n) {
		probe_leftovers_names(&left, 4, &names);
		probe_leftovers_command(&left, &command);
		ret->names = buf_take(&names);
		ret->command = buf_take(&command);
		ret->n = ret->names && ret->command ? left.n : 0;
	}
	probe_leftovers_release(&left);
	arena_release(&mem);
}

void ptui_probe_leftovers_release(struct ptui_probe_leftovers *l)
{
	free(l->names);
	free(l->command);
	memset(l, 0, sizeof(*l));
}

int ptui_probe_leftovers_remove(struct ptui_error *err)
{
	struct probe_events known = { NULL, 0, 0 };
	struct arena mem = ARENA_INIT;
	const char *tracefs;
	int ret = probe_lists_read(&mem, &tracefs, &known, err);

	for (size_t i = 0; i < known.n && !ret; i++) {
		const struct probe_event *e = &known.v[i];
		struct probe_owner owner;

		if ((i && !strcmp(e->event, e[-1].event) && !strcmp(e->group, e[-1].group)) ||
		    !probe_owner_parse(e->group, &owner) ||
		    !probe_owner_has_ended(&roots_system, &owner))
			continue;
		ret = probe_tracefs_delete(tracefs, e, err);
	}
	probe_events_release(&known);
	arena_release(&mem);
	return ret;
}
