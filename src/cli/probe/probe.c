/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `ptui probe`: dynamic tracepoints, with the options and texts of perf probe. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "cli/command.h"
#include "cli/out.h"
#include "cli/pager.h"
#include "cli/probe/probe.h"
#include "probe/filter.h"
#include "probe/show.h"
#include "ptui/log.h"

#define MAX_PROBES 128 /* as in perf */

/* ---- -V, -L, -F ---- */

static int show(struct probe_run *r, const struct probe_request *q, struct ptui_error *err)
{
	const char *filter = q->kind == 'F' && q->text ? q->text : r->c->filter;
	struct probe_show_opts o = {
		.find = probe_find_opts(r),
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
		ret = probe_use_target(r, &q->target, err);
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

static int run_requests(struct probe_run *r, struct ptui_error *err)
{
	int ret = 0;

	if (r->c->requests[0].kind == 'a')
		return probe_add_all(r, err);
	for (size_t i = 0; i < r->c->n_requests && !ret; i++) {
		const struct probe_request *q = &r->c->requests[i];

		if (q->kind == 'D')
			ret = probe_print_definition(r, q, err);
		else if (q->kind == 'd')
			ret = probe_delete(r, q, err);
		else if (q->kind == 'l')
			ret = probe_list(r, q, err);
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
	struct probe_run r = { .cli = cli, .c = &c };
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
