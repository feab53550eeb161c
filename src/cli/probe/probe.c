/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `ptui probe`: dynamic tracepoints, with the options and texts of perf probe. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/out.h"
#include "cli/pager.h"
#include "cli/probe/probe.h"
#include "probe/filter.h"
#include "probe/show.h"
#include "probe/tracefs.h"
#include "ptui/log.h"

#define MAX_PROBES 128 /* as in perf */

struct run {
	const struct cli *cli;
	const struct probe_command *c;
	struct arena mem;
	struct probe_binary *binary; /* of `target` */
	struct probe_target target;
	const char *module; /* its name in definitions; NULL: none */
	struct buf out;	    /* to stdout */
	struct buf note;    /* to stderr */
};

/* ---- the target ---- */

/* "ext4" of "/lib/modules/x/ext4.ko.xz" */
static const char *module_name(struct arena *mem, const char *path)
{
	const char *name = strrchr(path, '/');
	char *ret;

	name = name ? name + 1 : path;
	ret = arena_memdup0(mem, name, strcspn(name, "."));
	for (char *c = ret; c && *c; c++)
		if (*c == '-')
			*c = '_';
	return ret;
}

static const char *real_path(struct run *r, const char *path, struct ptui_error *err)
{
	char whole[PATH_MAX];
	const char *ret;

	if (r->c->namespace_pid) {
		ret = arena_printf(&r->mem, "/proc/%llu/root/%s",
				   (unsigned long long)r->c->namespace_pid, path + (*path == '/'));
	} else if (r->c->symfs) {
		ret = path;
	} else if (!realpath(path, whole)) {
		ptui_error_errno(err, errno, path, _("cannot find '%s'"), path);
		return NULL;
	} else {
		ret = arena_strdup(&r->mem, whole);
	}
	if (!ret)
		ptui_error_nomem(err);
	return ret;
}

static struct probe_binary *open_target(struct run *r, const struct probe_target *t,
					struct ptui_error *err)
{
	const struct probe_binary_opts o = { .symfs = r->c->symfs,
					     .cache_dir = r->cli->buildid_dir };
	const char *path;

	r->module = NULL;
	if (t->exec) {
		path = real_path(r, t->exec, err);
		return path ? probe_binary_open(path, &o, err) : NULL;
	}
	if (t->module) {
		r->module = module_name(&r->mem, t->module);
		return strchr(t->module, '/') ? probe_binary_open_kernel(t->module, &o, err) :
						probe_binary_kernel_module(t->module, &o, err);
	}
	return r->c->vmlinux ? probe_binary_open_kernel(r->c->vmlinux, &o, err) :
			       probe_binary_running_kernel(&roots_system, &o, err);
}

/* Opened once for several requests. */
static int use_target(struct run *r, const struct probe_target *t, struct ptui_error *err)
{
	if (r->binary && r->target.exec == t->exec && r->target.module == t->module)
		return 0;
	probe_binary_free(r->binary);
	r->target = *t;
	r->binary = open_target(r, t, err);
	if (r->binary)
		return 0;
	return err->code ? -err->code : -EINVAL;
}

static struct probe_find_opts find_opts(struct run *r)
{
	return (struct probe_find_opts){ r->c->no_inlines, r->c->source, &r->mem };
}

/* ---- definitions to events ---- */

struct definition {
	struct probe_definition def;
	struct probe_events events;
	bool is_uprobe;
};

/* Kprobes of the running kernel are relative to one symbol, since functions of one name are many. */
static int set_base(struct run *r, struct probe_make_opts *o, struct ptui_error *err)
{
	static const char *const names[] = { "_text", "_stext" };
	int ret = r->binary->is_running ? probe_binary_symbols(r->binary, err) : 0;

	for (size_t i = 0; i < 2 && r->binary->is_running && !ret && !o->base_symbol; i++) {
		const struct probe_symbol *s = probe_binary_symbol_named(r->binary, names[i]);

		if (s) {
			o->base_symbol = names[i];
			o->base_addr = s->addr;
		}
	}
	return ret;
}

static int resolve(struct run *r, const struct probe_request *q, struct definition *ret,
		   struct ptui_error *err)
{
	struct probe_make_opts o = { .find = find_opts(r), .max_probes = r->c->max_probes };
	struct probe_target target = q->target;
	const char *group;
	int error = probe_definition_parse(q->text, &r->mem, &ret->def, err);

	if (error)
		return error;
	if (ret->def.target)
		target = (struct probe_target){ ret->def.target, NULL };
	error = use_target(r, &target, err);
	if (!error)
		error = set_base(r, &o, err);
	if (error)
		return error;
	o.module = r->module;
	ret->is_uprobe = !r->binary->is_kernel;
	error = probe_events_make(r->binary, &ret->def, &o, &ret->events, err);
	group = probe_group_of(ret->is_uprobe ? q->target.exec ? r->binary->path : NULL : NULL,
			       &r->mem);
	for (size_t i = 0; i < ret->events.n && !error; i++) {
		struct probe_event *e = &ret->events.v[i];

		/* the file may be another one for the next definition */
		e->module = e->module ? arena_strdup(&r->mem, e->module) : NULL;
		e->group = e->group ? e->group : group;
	}
	return error;
}

/* ---- -D ---- */

static int print_definition(struct run *r, const struct probe_request *q, struct ptui_error *err)
{
	struct definition d = { .is_uprobe = false };
	const char *last = NULL;
	int ret = resolve(r, q, &d, err);

	if (!ret && r->c->bootconfig && d.is_uprobe)
		ret = ptui_error_set(err, PTUI_ERROR_INPUT, ENOTSUP, NULL,
				     _("a boot configuration cannot have probes in programs"));
	for (size_t i = 0; i < d.events.n && !ret; i++) {
		struct probe_event *e = &d.events.v[i];
		struct buf line = BUF_INIT;

		ret = probe_event_name(&d.def, e, NULL, NULL, true, &r->mem, &e->event, err);
		if (!ret && r->c->bootconfig) {
			probe_event_format(e, &line);
			if (last && !strcmp(last, e->event))
				buf_add_str(&r->out, ", ");
			else
				buf_addf(&r->out,
					 "%sftrace.event.kprobes.%s.probe = ", last ? "\n" : "",
					 e->event);
			buf_addf(&r->out, "'%s'", strchr(buf_str(&line), ' ') + 1);
			last = e->event;
		} else if (!ret) {
			probe_event_format(e, &r->out);
			buf_add_char(&r->out, '\n');
		}
		buf_release(&line);
	}
	if (!ret && r->c->bootconfig)
		buf_add_char(&r->out, '\n');
	probe_events_release(&d.events);
	return ret;
}

/* ---- -a ---- */

/* "  probe_bash:readline  (on readline in /usr/bin/bash with prompt)" */
static void describe(struct buf *out, const struct probe_event *e, const struct probe_point *point,
		     const struct probe_arg *args, size_t n_args)
{
	struct buf name = BUF_INIT;

	buf_addf(&name, "%s:%s", e->group, e->event);
	buf_addf(out, "  %-20s (on ", buf_str(&name));
	probe_point_format(point, out);
	if (e->module)
		buf_addf(out, " in %s", e->module);
	if (n_args)
		buf_add_str(out, " with");
	for (size_t i = 0; i < n_args; i++) {
		buf_add_char(out, ' ');
		probe_arg_format(&args[i], out);
	}
	buf_add_str(out, ")\n");
	buf_release(&name);
}

struct taken {
	const struct probe_events *events;
	bool uprobes;
};

static bool is_taken(void *ctx, const char *name)
{
	const struct taken *t = ctx;

	for (size_t i = 0; i < t->events->n; i++)
		if (t->events->v[i].is_uprobe == t->uprobes && !strcmp(t->events->v[i].event, name))
			return true;
	return false;
}

static int read_lists(struct run *r, const char **ret_tracefs, struct probe_events *ret,
		      struct ptui_error *err)
{
	int error = probe_tracefs(&roots_system, &r->mem, ret_tracefs, err);

	if (!error)
		error = probe_tracefs_read(*ret_tracefs, false, &r->mem, ret, err);
	return error ? error : probe_tracefs_read(*ret_tracefs, true, &r->mem, ret, err);
}

/* Several addresses are one event, unless the kernel wants a name for each. */
static int add_one(struct run *r, struct definition *d, size_t i, const char *tracefs,
		   struct taken *taken, struct ptui_error *err)
{
	struct probe_event *e = &d->events.v[i];
	int ret;

	if (i) {
		e->event = d->events.v[i - 1].event;
		ret = r->c->dry_run ? 0 : probe_tracefs_add(tracefs, e, err);
		if (!ret || ret != -EEXIST)
			return ret;
		memset(err, 0, sizeof(*err));
	}
	ret = probe_event_name(&d->def, e, is_taken, taken, i > 0 || r->c->force, &r->mem,
			       &e->event, err);
	return ret || r->c->dry_run ? ret : probe_tracefs_add(tracefs, e, err);
}

/* All addresses or none. */
static int add_all(struct run *r, struct definition *d, const char *tracefs, struct taken *taken,
		   struct ptui_error *err)
{
	for (size_t i = 0; i < d->events.n; i++) {
		int ret = add_one(r, d, i, tracefs, taken, err);

		if (!ret)
			continue;
		while (!r->c->dry_run && i-- > 0)
			if (!i || strcmp(d->events.v[i].event, d->events.v[i - 1].event))
				probe_tracefs_delete(tracefs, &d->events.v[i], NULL);
		return ret;
	}
	return 0;
}

static int add_definition(struct run *r, struct definition *d, struct ptui_error *err)
{
	struct probe_events known = { NULL, 0, 0 };
	struct taken taken = { &known, d->is_uprobe };
	const char *tracefs;
	int ret = read_lists(r, &tracefs, &known, err);

	if (!ret)
		ret = add_all(r, d, tracefs, &taken, err);
	for (size_t i = 0; i < d->events.n && !ret; i++)
		describe(&r->note, &d->events.v[i], &d->def.point, d->def.args, d->def.n_args);
	probe_events_release(&known);
	return ret;
}

static int add_probes(struct run *r, struct ptui_error *err)
{
	struct definition *v = calloc(r->c->n_requests, sizeof(*v));
	const struct probe_event *last = NULL;
	size_t n = 0, done = 0, n_events = 0;
	struct buf all = BUF_INIT;
	int ret = v ? 0 : ptui_error_nomem(err);

	for (; v && n < r->c->n_requests && !ret; n++)
		ret = resolve(r, &r->c->requests[n], &v[n], err);
	for (; done < n && !ret; done++) {
		ret = add_definition(r, &v[done], err);
		if (!ret) {
			n_events += v[done].events.n;
			last = &v[done].events.v[v[done].events.n - 1];
		}
	}
	if (last) {
		buf_add_str(&all, n_events > 1 ? _("Added new events:") : _("Added new event:"));
		buf_addf(&all, "\n%s\n", buf_str(&r->note));
		buf_addf(&all, "%s\n\n\tptui record -e %s:%s -aR sleep 1\n\n",
			 _("You can now use it in all perf tools, such as:"), last->group,
			 last->event);
		buf_release(&r->note);
		r->note = all;
	}
	for (size_t i = 0; i < n; i++)
		probe_events_release(&v[i].events);
	free(v);
	return ret;
}

/* ---- -d and -l ---- */

static bool event_matches(const struct probe_event *e, const char *filter)
{
	struct buf whole = BUF_INIT;
	bool ret;

	buf_addf(&whole, "%s:%s", e->group, e->event);
	ret = probe_filter_matches(filter, e->event) ||
	      probe_filter_matches(filter, buf_str(&whole));
	buf_release(&whole);
	return ret;
}

static bool is_repeated(const struct probe_events *events, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (events->v[k].is_uprobe == events->v[i].is_uprobe &&
		    !strcmp(events->v[k].group, events->v[i].group) &&
		    !strcmp(events->v[k].event, events->v[i].event))
			return true;
	return false;
}

static int delete_probes(struct run *r, const struct probe_request *q, struct ptui_error *err)
{
	struct probe_events known = { NULL, 0, 0 };
	const char *tracefs;
	size_t n = 0;
	int ret = probe_filter_check(q->text, err);

	if (!ret)
		ret = read_lists(r, &tracefs, &known, err);
	for (size_t i = 0; i < known.n && !ret; i++) {
		const struct probe_event *e = &known.v[i];

		if (!event_matches(e, q->text) || is_repeated(&known, i))
			continue;
		ret = r->c->dry_run ? 0 : probe_tracefs_delete(tracefs, e, err);
		if (!ret)
			buf_addf(&r->note, _("Removed event: %s:%s\n"), e->group, e->event);
		n++;
	}
	if (!ret && !n) {
		ret = ptui_error_set(err, PTUI_ERROR_INPUT, ENOENT, q->text,
				     _("no probe matches '%s'"), q->text);
		ptui_error_hint(err, _("'ptui probe -l' lists the probes"));
	}
	probe_events_release(&known);
	return ret;
}

static int by_place(const void *a, const void *b)
{
	const struct probe_event *x = a, *y = b;
	int order = (x->is_uprobe > y->is_uprobe) - (x->is_uprobe < y->is_uprobe);

	if (!order)
		order = (x->returns > y->returns) - (x->returns < y->returns);
	if (!order)
		order = strcmp(x->group, y->group);
	if (!order)
		order = strcmp(x->event, y->event);
	if (!order)
		order = (x->address > y->address) - (x->address < y->address);
	return order;
}

/* The source of a probe; without it, what the kernel says. */
static void find_point(struct run *r, const struct probe_event *e, struct probe_point *ret)
{
	struct ptui_error unused = PTUI_ERROR_INIT;
	struct probe_target target = { .exec = e->is_uprobe ? e->module : NULL };
	const struct probe_symbol *base;
	uint64_t rva;

	memset(ret, 0, sizeof(*ret));
	if (!e->is_uprobe && e->module)
		target.module = e->module;
	if (!use_target(r, &target, &unused)) {
		if (e->is_uprobe && dso_file_off_to_rva(r->binary->file, e->address, &rva)) {
			probe_point_at(r->binary, rva, &r->mem, ret);
			ret->returns = e->returns;
			return;
		}
		base = !e->is_uprobe && e->symbol && !probe_binary_symbols(r->binary, NULL) ?
			       probe_binary_symbol_named(r->binary, e->symbol) :
			       NULL;
		if (base) {
			probe_point_at(r->binary, base->addr + e->offset, &r->mem, ret);
			ret->returns = e->returns;
			return;
		}
	}
	ret->function = e->symbol ? e->symbol :
				    arena_printf(&r->mem, "0x%llx", (unsigned long long)e->address);
	ret->offset = e->symbol ? e->offset : 0;
	ret->returns = e->returns;
}

static int list_probes(struct run *r, const struct probe_request *q, struct ptui_error *err)
{
	struct probe_events known = { NULL, 0, 0 };
	const char *tracefs;
	int ret = q->text ? probe_filter_check(q->text, err) : 0;

	if (!ret)
		ret = read_lists(r, &tracefs, &known, err);
	if (!ret && known.n)
		qsort(known.v, known.n, sizeof(*known.v), by_place);
	for (size_t i = 0; i < known.n && !ret; i++) {
		const struct probe_event *e = &known.v[i];
		struct probe_arg *args;
		struct probe_point point;

		if (q->text && !event_matches(e, q->text))
			continue;
		args = arena_alloc(&r->mem, (e->n_values + 1) * sizeof(*args));
		if (!args) {
			ret = ptui_error_nomem(err);
			break;
		}
		for (size_t k = 0; k < e->n_values; k++)
			args[k].name = e->values[k].name;
		find_point(r, e, &point);
		describe(&r->out, e, &point, args, e->n_values);
	}
	probe_events_release(&known);
	return ret;
}

/* ---- -V, -L, -F ---- */

static int show(struct run *r, const struct probe_request *q, struct ptui_error *err)
{
	const char *filter = q->kind == 'F' && q->text ? q->text : r->c->filter;
	struct probe_show_opts o = {
		.find = find_opts(r),
		.max_probes = r->c->max_probes,
		.filter = filter,
		.externals = r->c->externals,
		.ranges = r->c->ranges,
		.demangle = q->target.exec ? r->c->demangle : r->c->demangle_kernel,
	};
	struct probe_definition def;
	struct probe_line_range range;
	int ret = filter ? probe_filter_check(filter, err) : 0;

	if (!ret && q->kind == 'V')
		ret = probe_definition_parse(q->text, &r->mem, &def, err);
	if (!ret && q->kind == 'L')
		ret = probe_line_range_parse(q->text, &r->mem, &range, err);
	if (!ret && q->kind == 'V' && def.n_args)
		ret = ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, q->text,
				     _("--vars takes a probe point without arguments"));
	if (!ret)
		ret = use_target(r, &q->target, err);
	if (ret)
		return ret;
	switch (q->kind) {
	case 'V':
		return probe_show_variables(r->binary, &def, &o, &r->out, err);
	case 'L':
		return probe_show_lines(r->binary, &range, &o, &r->out, err);
	default:
		return probe_show_functions(r->binary, &o, &r->out, err);
	}
}

/* ---- the command ---- */

static int run_requests(struct run *r, struct ptui_error *err)
{
	int ret = 0;

	if (r->c->requests[0].kind == 'a')
		return add_probes(r, err);
	for (size_t i = 0; i < r->c->n_requests && !ret; i++) {
		const struct probe_request *q = &r->c->requests[i];

		if (q->kind == 'D')
			ret = print_definition(r, q, err);
		else if (q->kind == 'd')
			ret = delete_probes(r, q, err);
		else if (q->kind == 'l')
			ret = list_probes(r, q, err);
		else
			ret = show(r, q, err);
	}
	return ret;
}

/* The words that are no options are one definition; an absolute path before it is the target. */
static int add_words(struct probe_command *c, char **argv, size_t n, struct buf *text)
{
	size_t from = 0;
	const char *ext;

	if (!c->target.exec && !c->target.module && n && *argv[0] == '/') {
		ext = strrchr(argv[0], '.');
		if (ext && !strcmp(ext, ".ko"))
			c->target.module = argv[0];
		else
			c->target.exec = argv[0];
		from = 1;
	}
	for (size_t i = from; i < n; i++)
		buf_addf(text, "%s%s", i > from ? " " : "", argv[i]);
	if (from == n)
		return 0;
	if (text->err || probe_options[1].call(c, buf_str(text), false, NULL))
		return -ENOMEM;
	return 0;
}

/* Options that the request does not use, and requests that exclude each other. */
static const char *misuse(const struct probe_command *c)
{
	char kind = c->n_requests ? c->requests[0].kind : '\0';

	if (!kind)
		return _("nothing to do: give a probe definition, or -l, -d, -V, -L or -F");
	for (size_t i = 1; i < c->n_requests; i++)
		if (c->requests[i].kind != kind)
			return _("only one of --add, --definition, --del, --list, --vars, --line "
				 "and --funcs can be used at a time");
	if ((c->externals || c->ranges) && kind != 'V')
		return _("--externs and --range can only be used with --vars");
	if (c->filter && kind != 'V' && kind != 'F')
		return _("--filter can only be used with --vars and --funcs");
	if (c->bootconfig && kind != 'D')
		return _("--bootconfig can only be used with --definition");
	if (c->quiet && c->verbose)
		return _("--quiet and --verbose exclude each other");
	if (c->symfs && c->namespace_pid)
		return _("--symfs and --target-ns exclude each other");
	return NULL;
}

static int run_probe(struct cli *cli, int argc, char **argv)
{
	struct probe_command c = { .max_probes = MAX_PROBES, .demangle = true };
	struct ptui_error err = PTUI_ERROR_INIT;
	struct run r = { .cli = cli, .c = &c };
	struct option_result parsed;
	struct buf words = BUF_INIT;
	const char *why;
	int status = CLI_OK;

	if (!cli_parse(cli, &c, argc, argv, 0, &parsed)) {
		free(c.requests);
		return cli->status;
	}
	arena_init(&r.mem);
	if (add_words(&c, argv, parsed.n_words, &words)) {
		status = cli_nomem(cli);
		goto out;
	}
	why = misuse(&c);
	if (why) {
		status = cli_invalid(cli, "%s", why);
		goto out;
	}
	if (c.verbose)
		cli_log_verbose();
	if (c.quiet)
		cli_log_quiet(true);
	if (run_requests(&r, &err))
		status = err.code == ENOENT && c.requests[0].kind == 'd' ? CLI_FAILED : CLI_OK;
	if (!c.quiet && r.note.len) {
		fflush(stdout);
		fputs(buf_str(&r.note), stderr);
	}
	if (r.out.len)
		pager_print(cli, &r.out);
	if (ptui_error_is_set(&err)) {
		cli_failed(cli, &err);
		status = CLI_FAILED;
	}
out:
	probe_binary_free(r.binary);
	arena_release(&r.mem);
	buf_release(&r.out);
	buf_release(&r.note);
	buf_release(&words);
	free(c.requests);
	return status;
}

static const char *const usage[] = {
	N_("[OPTION...] 'DEFINITION'"),	      N_("[OPTION...] --del '[GROUP:]EVENT'"),
	N_("--list ['[GROUP:]EVENT']"),	      N_("[OPTION...] --line 'LINES' | --vars 'POINT'"),
	N_("[OPTION...] --funcs ['FILTER']"), NULL,
};

static const struct cli_example examples[] = {
	{ "ptui probe -x /bin/bash 'readline prompt:string'",
	  N_("Probe a function of a program, with an argument as a string.") },
	{ "ptui record -e probe_bash:readline -a", N_("Record the probe.") },
	{ "ptui probe -x ./prog -L main",
	  N_("Show the source lines of a function; those with a number can be probed.") },
	{ "ptui probe -x ./prog 'main:7 i list->next->value'",
	  N_("Probe a source line, with variables.") },
	{ "ptui probe -x ./prog 'parse%return $retval'", N_("Probe the return of a function.") },
	{ "ptui probe -l", N_("List the probes.") },
	{ "ptui probe -d 'probe_prog:*'", N_("Delete the probes of a program.") },
	{ NULL, NULL },
};

const struct cli_command cmd_probe = {
	.name = "probe",
	.summary = N_("set probes in functions and source lines of programs and the kernel"),
	.usage = usage,
	.text = N_(
		"Adds tracepoints to running programs and to the kernel, at functions, source "
		"lines and markers, with the values of variables. They stay until they are "
		"deleted, or until the next boot, and any program may record them.\n"
		"\n"
		"A DEFINITION is [[GROUP:]EVENT=]FUNC[@SRC][+OFFSET|%return|:LINE|;PATTERN] "
		"[ARG...], SRC:LINE [ARG...], SRC;PATTERN [ARG...], 0xADDRESS [ARG...] or "
		"%PROVIDER:MARKER. LINE counts from the start of a function. A PATTERN is a glob "
		"that source lines match without their blanks. An ARG is "
		"[NAME=]VARIABLE[.MEMBER|->MEMBER|[INDEX]][:TYPE][@user], $vars or $params (all "
		"variables or parameters), $retval, $stackN, $comm, %REGISTER, @ADDRESS or "
		"+OFFSET(ARG). A TYPE is string, ustring, s, u or x with 8, 16, 32 or 64 bits, "
		"char, or a bit field bWIDTH@OFFSET/SIZE. Variables, lines and inlined functions "
		"need debug information."),
	.options = probe_options,
	.examples = examples,
	.run = run_probe,
};
