/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `ptui annotate`: the machine code of functions with their samples, as text or on a screen. */
#include "ptui/annotate.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/i18n.h"
#include "base/text.h"
#include "base/vec.h"
#include "cli/annotate/annotate_text.h"
#include "cli/command.h"
#include "cli/filter.h"
#include "cli/out.h"
#include "cli/pager.h"
#include "cli/recording.h"
#include "cli/report/chain_choice.h"

#define CPU_MAX	  65535
#define FLUSH_AT  ((size_t)256 << 10)
#define NEAREST_N 3

struct annotate_cpus {
	uint32_t *v; /* owned */
	size_t n, cap;
};

enum colours {
	COLOUR_AUTO,
	COLOUR_ALWAYS,
	COLOUR_NEVER,
};

struct annotate_opts {
	struct recording_opts in;
	const char *symbol, *dsos, *prefix;
	uint64_t prefix_strip;
	struct annotate_cpus cpus;
	char *comms;			/* a list; owned */
	struct ptui_hist_filter filter; /* of samples */
	enum ptui_asm_syntax syntax;
	enum ptui_percent_type type;
	enum colours colours;
	double percent_limit;
	bool stdio, tui, quiet, verbose, no_source, no_group, show_samples, show_period;
	bool skip_missing, raw, lines, types, full_paths, force;
};

#define AT(member) .offset = offsetof(struct annotate_opts, member)
#define IN(member) AT(in.member)

/* ---- options ---- */

/* "0-3,8" */
static int parse_cpus(void *field, const char *value, bool unset, struct ptui_error *err)
{
	struct annotate_cpus *cpus = field;
	const char *p = value;

	(void)unset;
	cpus->n = 0;
	do {
		uint64_t from, to;

		p = text_number(p, CPU_MAX, &from);
		to = from;
		if (p && *p == '-')
			p = text_number(p + 1, CPU_MAX, &to);
		if (!p || (*p && *p != ',') || to < from)
			return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, value,
					      _("expected a list of CPUs such as 0-3,8, not '%s'"),
					      value);
		for (uint64_t cpu = from; cpu <= to; cpu++) {
			if (vec_grow(&cpus->v, &cpus->cap, cpus->n + 1))
				return ptui_error_nomem(err);
			cpus->v[cpus->n++] = (uint32_t)cpu;
		}
	} while (*p++ == ',');
	return 0;
}

/* One of the words, by its number. */
static int parse_word(const char *const *words, const char *value, unsigned *ret,
		      struct ptui_error *err)
{
	struct buf list = BUF_INIT;
	int done;

	for (unsigned i = 0; words[i]; i++) {
		if (!strcmp(words[i], value)) {
			*ret = i;
			buf_release(&list);
			return 0;
		}
		buf_addf(&list, "%s%s", i ? ", " : "", words[i]);
	}
	done = ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, value,
			      _("expected one of %s, not '%s'"), buf_str(&list), value);
	buf_release(&list);
	return done;
}

static int parse_syntax(void *field, const char *value, bool unset, struct ptui_error *err)
{
	static const char *const words[] = { "att", "intel", NULL };
	unsigned i = 0;
	int ret = parse_word(words, value, &i, err);

	(void)unset;
	if (!ret)
		*(enum ptui_asm_syntax *)field = i ? PTUI_ASM_INTEL : PTUI_ASM_ATT;
	return ret;
}

/* The words of a type may be in any order, as in perf. */
static int parse_type(void *field, const char *value, bool unset, struct ptui_error *err)
{
	static const char *const words[] = { "local-period",  "local-hits",   "global-period",
					     "global-hits",   "period-local", "hits-local",
					     "period-global", "hits-global",  NULL };
	unsigned i = 0;
	int ret = parse_word(words, value, &i, err);

	(void)unset;
	if (!ret)
		*(enum ptui_percent_type *)field = (enum ptui_percent_type)(i % 4);
	return ret;
}

static int parse_colours(void *field, const char *value, bool unset, struct ptui_error *err)
{
	static const char *const words[] = { "auto", "always", "never", NULL };
	unsigned i = COLOUR_ALWAYS;
	int ret = value ? parse_word(words, value, &i, err) : 0;

	*(enum colours *)field = unset ? COLOUR_NEVER : (enum colours)i;
	return ret;
}

static const char not_types[] = N_(
	"not supported: 'ptui report -s type,typeoff,sym' counts the accesses to data of each type");
static const char not_front_end[] = N_("ptui has a screen (--tui) and text (--stdio) only");

static int no_mangled(void *field, const char *value, bool unset, struct ptui_error *err)
{
	(void)field;
	(void)value;
	return unset ? ptui_error_set(err, PTUI_ERROR_INPUT, ENOTSUP, NULL,
				      _("names are always demangled")) :
		       0;
}

static const struct option annotate_options[] = {
	{ OPTION_GROUP, .help = N_("Input") },
	RECORDING_FILES(IN),
	RECORDING_IGNORE_VMLINUX(IN(load.kernel.ignore_vmlinux)),
	RECORDING_MODULES(IN(load.kernel.no_modules)),
	RECORDING_NAMES(IN),
	RECORDING_FORCE(AT(force)),
	{ OPTION_GROUP, .help = N_("Functions and samples") },
	{ OPTION_STRING, 's', "symbol", N_("SYMBOL"), N_("annotate only this function"),
	  AT(symbol) },
	{ OPTION_STRING, 'd', "dsos", N_("DSO[,DSO...]"),
	  N_("annotate only functions of these DSOs, such as libc.so.6"), AT(dsos) },
	{ OPTION_CALL, 'C', "cpu", N_("CPU[,CPU...]"), N_("only samples of these CPUs: 0-3,8"),
	  AT(cpus), .call = parse_cpus },
	{ OPTION_CALL, 0, "comms", N_("COMM[,COMM...]"),
	  N_("only samples of processes with these command names"), AT(comms),
	  .call = filter_read_list },
	{ OPTION_STRING, 0, "pid", N_("PID[,PID...]"), N_("only samples of these processes"),
	  AT(filter.pids) },
	{ OPTION_STRING, 0, "tid", N_("TID[,TID...]"), N_("only samples of these threads"),
	  AT(filter.tids) },
	{ OPTION_STRING, 0, "time", N_("START,STOP"),
	  N_("only samples of these times, in seconds or shares of the recording: 10%-20%"),
	  AT(filter.times) },
	{ OPTION_CALL, 0, "percent-limit", N_("PERCENT"),
	  N_("omit functions with less than PERCENT of the event"), AT(percent_limit),
	  .call = chain_parse_percent },
	{ OPTION_FLAG, 0, "skip-missing", NULL,
	  N_("skip functions whose machine code is not here, without a warning"), AT(skip_missing),
	  OPTION_NO },
	{ OPTION_GROUP, .help = N_("Columns") },
	{ OPTION_CALL, 'p', "percent-type", N_("TYPE"),
	  N_("percentages of the function or of the event, by period or by samples: local-period "
	     "(default), local-hits, global-period, global-hits"),
	  AT(type), .call = parse_type },
	{ OPTION_FLAG, 'n', "show-nr-samples", NULL, N_("show numbers of samples"),
	  AT(show_samples), OPTION_NO },
	{ OPTION_FLAG, 0, "show-total-period", NULL, N_("show sums of periods"), AT(show_period),
	  OPTION_NO },
	{ OPTION_CALL, 0, "group", NULL, N_("show the events of a group side by side (default)"),
	  AT(no_group), OPTION_NO | OPTION_NO_VALUE, .call = option_store_unset },
	{ OPTION_GROUP, .help = N_("Code and source") },
	{ OPTION_CALL, 'M', "disassembler-style", N_("att|intel"),
	  N_("syntax of x86 instructions (default: att)"), AT(syntax), .call = parse_syntax },
	{ OPTION_FLAG, 0, "asm-raw", NULL, N_("show the bytes of the instructions"), AT(raw),
	  OPTION_NO },
	{ OPTION_CALL, 0, "source", NULL, N_("show source lines above their code (default)"),
	  AT(no_source), OPTION_NO | OPTION_NO_VALUE, .call = option_store_unset },
	{ OPTION_FLAG, 'l', "print-line", NULL,
	  N_("add up the samples of source lines, and show the lines beside the code"), AT(lines),
	  OPTION_NO },
	{ OPTION_FLAG, 0, "code-with-type", NULL,
	  N_("beside each instruction the type of the data that it accesses (x86-64 only)"),
	  AT(types), OPTION_NO },
	{ OPTION_FLAG, 'P', "full-paths", NULL, N_("show full paths of DSOs and source files"),
	  AT(full_paths), OPTION_NO },
	{ OPTION_STRING, 0, "prefix", N_("PREFIX"),
	  N_("look up source files below PREFIX, see --prefix-strip"), AT(prefix) },
	{ OPTION_NUMBER, 0, "prefix-strip", N_("N"),
	  N_("number of leading directories that --prefix replaces"), AT(prefix_strip),
	  .max = 1000 },
	{ OPTION_GROUP, .help = N_("Output") },
	{ OPTION_FLAG, 0, "stdio", NULL, N_("print text instead of opening the screen"),
	  AT(stdio) },
	{ OPTION_FLAG, 0, "stdio2", NULL, N_("same as --stdio"), AT(stdio) },
	{ OPTION_FLAG, 0, "tui", NULL,
	  N_("open the screen, or fail with the reason; never print text"), AT(tui) },
	{ OPTION_CALL, 0, "stdio-color", "auto|always|never",
	  N_("colour the text: auto (default) on a terminal only"), AT(colours),
	  OPTION_NO | OPTION_MAY_END, .call = parse_colours },
	{ OPTION_FLAG, 'v', "verbose", NULL,
	  N_("show the sources of symbols, or why they are missing, and samples by address"),
	  AT(verbose), OPTION_NO },
	{ OPTION_FLAG, 'q', "quiet", NULL, N_("print no warnings"), AT(quiet), OPTION_NO },
	OPTION_NOT('D', "dump-raw-trace", OPTION_NO_VALUE,
		   N_("'ptui script -D' prints the records of a recording")),
	OPTION_NOT(0, "objdump", 0,
		   N_("ptui disassembles in its own process, with objdump's library")),
	OPTION_NOT(0, "data-type", OPTION_ATTACHED, not_types),
	OPTION_NOT(0, "type-stat", OPTION_NO_VALUE, not_types),
	OPTION_NOT(0, "insn-stat", OPTION_NO_VALUE, not_types),
	OPTION_NOT(0, "itrace", OPTION_ATTACHED | OPTION_NO,
		   N_("ptui does not decode hardware traces; use perf")),
	OPTION_NOT(0, "gtk", OPTION_NO_VALUE, not_front_end),
	{ OPTION_CALL, 0, "demangle", .flags = OPTION_NO_VALUE | OPTION_NO | OPTION_HIDDEN,
	  .call = no_mangled },
	{ OPTION_CALL, 0, "demangle-kernel", .flags = OPTION_NO_VALUE | OPTION_NO | OPTION_HIDDEN,
	  .call = no_mangled },
	{ .type = OPTION_END },
};

static const struct cli_setting annotate_settings[] = {
	RECORDING_CACHE(IN(usual_cache)),
	{ .name = NULL },
};

#undef NOT
#undef IN
#undef AT

/* ---- functions ---- */

/* A DSO with functions that cannot be annotated. */
struct missing_code {
	uint32_t module;
	uint64_t start; /* of the function of which the user was warned */
	const char *dso;
	bool others;
};

struct annotating {
	struct cli *cli;
	const struct annotate_opts *o;
	struct ptui_profile *profile;
	struct ptui_annotate_filter filter;
	struct annotate_style style;
	struct ptui_function_samples *functions; /* of this event or group */
	size_t n_functions;
	uint32_t *events; /* with a column */
	size_t n_events;
	struct buf out;
	size_t n_found, n_shown;
	int failed;
	struct ptui_error err; /* of the last function that could not be annotated */
	struct missing_code *missing;
	size_t n_missing, cap_missing;
};

static bool is_same_function(const struct ptui_function *a, const struct ptui_function *b)
{
	return a->module == b->module && a->start == b->start;
}

/* Adds functions with samples in an event, besides those that are there. */
static int add_functions(struct annotating *a, uint32_t event)
{
	struct ptui_function_samples *more, *all;
	size_t n = 0, had = a->n_functions;

	more = ptui_annotate_functions(a->profile, event, &a->filter, &n, &a->err);
	if (!more)
		return -ENOMEM;
	if (!a->functions) {
		a->functions = more;
		a->n_functions = n;
		return 0;
	}
	all = reallocarray(a->functions, had + n + 1, sizeof(*all));
	if (!all) {
		free(more);
		return ptui_error_nomem(&a->err);
	}
	a->functions = all;
	for (size_t i = 0; i < n; i++) {
		bool known = false;

		for (size_t k = 0; k < had && !known; k++)
			known = is_same_function(&all[k].function, &more[i].function);
		if (known)
			continue;
		more[i].samples = more[i].period = 0; /* of the leader */
		all[a->n_functions++] = more[i];
	}
	free(more);
	return 0;
}

/* Whether a list "libc.so.6,/usr/bin/x" contains a DSO. */
static bool lists_dso(const char *list, const struct ptui_function *f)
{
	for (const char *p = list; *p;) {
		size_t n = strcspn(p, ",");

		if ((strlen(f->dso) == n && !memcmp(f->dso, p, n)) ||
		    (f->path && strlen(f->path) == n && !memcmp(f->path, p, n)))
			return true;
		p += n + (p[n] == ',');
	}
	return false;
}

static bool is_wanted(const struct annotating *a, const struct ptui_function_samples *f)
{
	uint64_t all = ptui_profile_event(a->profile, a->events[0])->period;

	return (!a->o->symbol || !strcmp(f->function.symbol, a->o->symbol)) &&
	       (!a->o->dsos || lists_dso(a->o->dsos, &f->function)) &&
	       (a->o->percent_limit <= 0 ||
		(double)f->period * 100.0 >= a->o->percent_limit * (double)all);
}

/* 0, or a negative errno with a->err set. */
static int show_function(struct annotating *a, const struct ptui_function *f)
{
	const struct ptui_annotate_opts opts = { .syntax = a->o->syntax,
						 .no_source = a->o->no_source && !a->o->lines,
						 .types = a->o->types,
						 .no_text = a->o->no_source,
						 .prefix = a->o->prefix,
						 .prefix_strip = (unsigned)a->o->prefix_strip };
	struct annotate_view view = { .profile = a->profile,
				      .events = a->events,
				      .n_events = a->n_events };
	struct ptui_annotation *annotation = ptui_annotate_new(a->profile, f, &opts, &a->err);
	struct ptui_annotate_counts *counts;
	int ret = -ENOMEM;

	if (!annotation)
		return a->err.code ? -a->err.code : -ENOENT;
	counts = ptui_annotate_count(annotation, a->profile, &a->filter, &a->err);
	if (counts) {
		view.annotation = annotation;
		view.counts = counts;
		ret = annotation_print(&view, &a->style, &a->out);
		a->n_shown++;
	}
	if (!ret && a->out.len >= FLUSH_AT)
		ret = cli_put(&a->out);
	ptui_annotate_counts_free(counts);
	ptui_annotation_free(annotation);
	return ret;
}

/* Warns of one function per DSO: the reason is usually that of the others, which may be hundreds. */
static int note_missing(struct annotating *a, const struct ptui_function *f)
{
	struct missing_code *m = a->missing, *end = m + a->n_missing;

	while (m < end && m->module != f->module)
		m++;
	if (m < end && !a->o->verbose) {
		m->others |= m->start != f->start;
		return 0;
	}
	cli_warn(a->cli, "%s", a->err.text);
	if (a->o->verbose)
		return 0;
	if (vec_grow(&a->missing, &a->cap_missing, a->n_missing + 1))
		return ptui_error_nomem(&a->err);
	a->missing[a->n_missing++] =
		(struct missing_code){ .module = f->module, .start = f->start, .dso = f->dso };
	return 0;
}

static void warn_others(const struct annotating *a)
{
	for (size_t i = 0; i < a->n_missing; i++)
		if (a->missing[i].others)
			cli_warn(a->cli,
				 _("other functions of %s cannot be annotated either; -v lists "
				   "them with their reasons"),
				 a->missing[i].dso);
}

/* Without a name, what is missing for one function is a warning. */
static int show_functions(struct annotating *a)
{
	int ret = 0;

	for (size_t i = 0; i < a->n_functions && !ret; i++) {
		const struct ptui_function_samples *f = &a->functions[i];

		if (!is_wanted(a, f))
			continue;
		a->n_found++;
		a->err = (struct ptui_error)PTUI_ERROR_INIT;
		ret = show_function(a, &f->function);
		if (!ret || ret == -ENOMEM || ret == -ENOTSUP || ret == -EPIPE ||
		    !ptui_error_is_set(&a->err))
			continue;
		ret = a->o->symbol || a->o->quiet || a->o->skip_missing ?
			      0 :
			      note_missing(a, &f->function);
	}
	return ret;
}

static bool is_leader(const struct annotating *a, uint32_t event)
{
	return a->o->no_group || ptui_profile_event(a->profile, event)->leader == event;
}

/* An event, or a group by its leader. */
static int show_event(struct annotating *a, uint32_t leader)
{
	int ret = 0;

	a->n_events = a->n_functions = 0;
	free(a->functions);
	a->functions = NULL;
	for (uint32_t i = leader; i < ptui_profile_n_events(a->profile) && !ret; i++) {
		if (i != leader &&
		    (a->o->no_group || ptui_profile_event(a->profile, i)->leader != leader))
			continue;
		a->events[a->n_events++] = i;
		ret = add_functions(a, i);
	}
	return ret ? ret : show_functions(a);
}

/* ---- the command ---- */

/* Names like the one that was asked for. */
static void hint_nearest(struct annotating *a)
{
	struct ptui_function_samples *f;
	const char *best[NEAREST_N], **names;
	struct ptui_error err;
	size_t n = 0;

	f = ptui_annotate_functions(a->profile, PTUI_NONE, NULL, &n, &err);
	names = f ? calloc(n + 1, sizeof(*names)) : NULL;
	for (size_t i = 0; names && i < n; i++)
		names[i] = f[i].function.symbol;
	if (names && text_nearest(a->o->symbol, names, n, best, NEAREST_N))
		ptui_error_hint(&a->err, _("did you mean '%s'?"), best[0]);
	else
		ptui_error_hint(&a->err, _("'ptui report --stdio' lists the functions"));
	free(names);
	free(f);
}

static int finish(struct annotating *a, int ret)
{
	if (ret && ptui_error_is_set(&a->err))
		return cli_failed(a->cli, &a->err);
	if (ret == -ENOMEM)
		return cli_nomem(a->cli);
	if (a->n_shown)
		return CLI_OK;
	if (a->n_found) { /* the reason is that of the last one */
		if (a->o->symbol)
			return cli_failed(a->cli, &a->err);
		return a->o->skip_missing ? CLI_OK : CLI_FAILED;
	}
	if (a->o->symbol) {
		ptui_error_set(&a->err, PTUI_ERROR_FORMAT, ENOENT, a->o->symbol,
			       _("no samples in a function named '%s'"), a->o->symbol);
		hint_nearest(a);
	} else if (a->o->dsos) {
		ptui_error_set(&a->err, PTUI_ERROR_FORMAT, ENOENT, a->o->dsos,
			       _("no samples in functions of the DSO '%s'"), a->o->dsos);
		ptui_error_hint(&a->err, _("'ptui report --stdio -s dso' lists the DSOs"));
	} else {
		ptui_error_set(&a->err, PTUI_ERROR_FORMAT, ENOENT, NULL,
			       _("no samples in functions with a name"));
	}
	return cli_failed(a->cli, &a->err);
}

static int show_profile(struct annotating *a)
{
	bool terminal = isatty(STDOUT_FILENO);
	int ret = 0;

	a->style = (struct annotate_style){
		.column = a->o->show_samples ? ANNOTATE_SAMPLES :
			  a->o->show_period  ? ANNOTATE_PERIOD :
					       ANNOTATE_PERCENT,
		.type = a->o->type,
		.colour = a->o->colours == COLOUR_ALWAYS ||
			  (a->o->colours == COLOUR_AUTO && terminal),
		.raw = a->o->raw,
		.lines = a->o->lines,
		.full_paths = a->o->full_paths,
		.histogram = a->o->verbose,
	};
	a->filter = (struct ptui_annotate_filter){ .cpus = a->o->cpus.n ? a->o->cpus.v : NULL,
						   .n_cpus = a->o->cpus.n,
						   .samples = a->o->filter };
	a->events = calloc(ptui_profile_n_events(a->profile) + 1, sizeof(*a->events));
	if (!a->events)
		return cli_nomem(a->cli);
	pager_start(a->cli);
	for (uint32_t i = 0; i < ptui_profile_n_events(a->profile) && !ret; i++)
		if (is_leader(a, i))
			ret = show_event(a, i);
	if (!ret || a->out.len)
		cli_put(&a->out); /* a failure is reported at exit */
	pager_finish();
	warn_others(a);
	ret = finish(a, ret);
	free(a->missing);
	free(a->events);
	free(a->functions);
	buf_release(&a->out);
	return ret;
}

static int annotate_print(struct cli *cli, const struct annotate_opts *o)
{
	struct annotating a = { .cli = cli, .o = o, .err = PTUI_ERROR_INIT, .out = BUF_INIT };
	struct ptui_load_opts load = o->in.load;
	struct ptui_trust trust;
	uint64_t samples = 0;
	int ret = 0, status = CLI_OK;

	load.no_chains = load.cycles = true;
	a.profile = ptui_profile_load(o->in.input, &load, &a.err, &ret);
	if (!a.profile)
		return cli_cannot_open(cli, o->in.input, ret, &a.err);
	for (size_t i = 0; i < ptui_profile_n_events(a.profile); i++)
		samples += ptui_profile_event(a.profile, i)->samples;
	ptui_profile_trust(a.profile, &trust);
	if (o->cpus.n && recording_check_cpus(a.profile, o->in.input, &a.err)) {
		ptui_profile_unref(a.profile);
		return cli_failed(cli, &a.err);
	}
	if (!o->quiet) {
		cli_warn_trust(cli, &trust, samples, o->in.input);
		cli_warn_largest(cli, a.profile, o->in.input);
	}
	if (!samples)
		status = cli_warn_no_samples(cli, &trust, o->in.input);
	else
		status = show_profile(&a);
	ptui_profile_unref(a.profile);
	return status;
}

/* -1: no screen can be shown. */
static int annotate_browse(const struct cli *cli, const struct annotate_opts *o)
{
	struct ptui_browse what = {
		.path = o->in.input, .load = o->in.load, .annotates = true, .symbol = o->symbol
	};
	struct ptui_error err = PTUI_ERROR_INIT;
	int ret;

	cli_log_quiet(true); /* the screen covers stderr */
	ret = cli->hooks->browse(cli->hooks->ctx, &what, &err);
	cli_log_quiet(false);
	if (ret == -ENOTTY)
		return -1;
	return ret && ret != -ECANCELED ? cli_cannot_open(cli, o->in.input, ret, &err) : CLI_OK;
}

/* Options that the screen does not take: its keys do most of that. */
static bool is_text_only(const struct annotate_opts *o)
{
	return o->stdio || o->quiet || o->dsos || o->prefix || o->cpus.n || o->filter.comms ||
	       o->filter.pids || o->filter.tids || o->filter.times || o->syntax || o->type ||
	       o->colours || o->percent_limit > 0 || o->no_source || o->no_group ||
	       o->show_samples || o->show_period || o->skip_missing || o->raw || o->lines ||
	       o->types || o->full_paths || o->verbose;
}

static bool wants_screen(const struct cli *cli, const struct annotate_opts *o)
{
	return !is_text_only(o) && cli->hooks && cli->hooks->browse && isatty(STDIN_FILENO) &&
	       isatty(STDOUT_FILENO);
}

static int annotate_show(struct cli *cli, struct annotate_opts *o)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	int status;

	if (o->show_samples && o->show_period)
		return cli_invalid(cli, "%s",
				   _("-n cannot be used together with --show-total-period"));
	if (o->prefix_strip && !o->prefix)
		return cli_invalid(cli, "%s", _("--prefix-strip requires --prefix"));
	if (o->tui && is_text_only(o))
		return cli_invalid(
			cli, "%s",
			_("--tui takes a function and options of the input only: keys of the "
			  "screen do the rest"));
	if (ptui_hist_check_filter(&o->filter, &err))
		return cli_failed(cli, &err);
	if (recording_opts_settle(cli, &o->in, &err))
		return cli_failed(cli, &err);
	if (wants_screen(cli, o)) {
		status = annotate_browse(cli, o);
		if (status >= 0)
			return status;
	}
	if (o->tui) {
		ptui_error_set(&err, PTUI_ERROR_SYSTEM, ENOTTY, "--tui",
			       _("cannot open the screen: this terminal cannot show it"));
		ptui_error_hint(&err, _("without --tui, ptui prints text"));
		return cli_failed(cli, &err);
	}
	return annotate_print(cli, o);
}

static int run_annotate(struct cli *cli, int argc, char **argv)
{
	struct annotate_opts o = { .in.input = cli_default_input };
	struct option_result parsed;
	int status;

	if (!cli_parse(cli, &o, argc, argv, 0, &parsed)) {
		status = cli->status;
	} else if (parsed.n_words > 1) {
		status = cli_invalid(cli, _("too many functions: unexpected '%s'"), argv[1]);
	} else {
		cli_choose_input(cli, &o.in.input);
		if (parsed.n_words)
			o.symbol = argv[0];
		if (o.verbose)
			cli_log_verbose();
		if (o.quiet)
			cli_log_quiet(true);
		o.filter.comms = o.comms;
		status = annotate_show(cli, &o);
	}
	free(o.cpus.v);
	free(o.comms);
	free(o.in.usual_cache);
	return status;
}

static const char *const annotate_usage[] = { N_("[OPTION...] [SYMBOL]"), NULL };

static const struct cli_example annotate_examples[] = {
	{ "ptui annotate", N_("Open the hottest function of perf.data.") },
	{ "ptui annotate --stdio main", N_("Print the code of main.") },
	{ "ptui annotate --stdio -l --no-source -i old.data",
	  N_("Print which source lines and instructions took the time.") },
	{ "ptui annotate --stdio -M intel --asm-raw -n -d libc.so.6",
	  N_("Print the functions of libc with bytes and numbers of samples.") },
	{ NULL, NULL },
};

const struct cli_command cmd_annotate = {
	.name = "annotate",
	.summary = N_("show the machine code and source of functions with their samples"),
	.usage = annotate_usage,
	.text = N_(
		"Disassembles the functions of a recording, and shows above each instruction the "
		"source lines that it was made from, and beside it its share of the samples of the "
		"function. The events of a group have a column each. Branch stacks with cycles (record -b) "
		"add two: instructions per cycle (IPC) of each basic block, and the mean cycles up to each "
		"branch.\n\n"
		"The machine code is read from the program or library that was recorded, which is "
		"found like its symbols: by its build-id, below --symfs, in the build-id cache or "
		"from debuginfod; that of the kernel from vmlinux or /proc/kcore, and that of JIT "
		"compilers from their jitdump files. Source lines require debug information.\n\n"
		"On a terminal a screen opens. With --stdio or any other option on what is shown and "
		"how, into a file or a pipe, text is printed: without a SYMBOL, all functions with samples, hottest first."),
	.options = annotate_options,
	.settings = annotate_settings,
	.examples = annotate_examples,
	.run = run_annotate,
};
