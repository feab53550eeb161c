/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options of `ptui report` that depend on each other. */
#include "cli/report/report_options.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/i18n.h"
#include "cli/out.h"
#include "profile/hist/keys.h"

bool report_is_pipe(const char *path)
{
	struct stat st;

	if (!strcmp(path, "-"))
		return !fstat(STDIN_FILENO, &st) && !S_ISREG(st.st_mode);
	return !strncmp(path, "/dev/", 5) && !stat(path, &st) && S_ISFIFO(st.st_mode);
}

/* A list of one word, which the screens can name and undo; else the list. */
static void use_list(const char *list, const char **ret_word, const char **ret_list)
{
	*(list && !strchr(list, '\n') ? ret_word : ret_list) = list;
}

static int settle_mode(struct report_opts *o, struct ptui_error *err)
{
	if (!o->mem_mode)
		return 0;
	if (o->mode == PTUI_MODE_BRANCHES)
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, "--mem-mode",
				      _("--mem-mode cannot be used together with -b"));
	o->mode = PTUI_MODE_MEMORY;
	return 0;
}

/* --branch-history: samples, with the branches before each as part of its callchain. */
static int settle_history(struct report_opts *o, struct ptui_error *err)
{
	if (!o->branch_history)
		return 0;
	if (o->mode == PTUI_MODE_BRANCHES || o->mem_mode || o->chain.none ||
	    o->inlines == PTUI_INLINES_ON || o->ignore_callees || o->hide_dsos ||
	    o->filter.collapse_recursion || o->in.load.n_more)
		return ptui_error_set(
			err, PTUI_ERROR_INPUT, EINVAL, "--branch-history",
			_("--branch-history cannot be used together with -b, --mem-mode, -g none, "
			  "--inline, --ignore-callees, --hide-dsos, --collapse-recursion or "
			  "several files"));
	o->mode = PTUI_MODE_SAMPLES;
	o->inlines = PTUI_INLINES_OFF;
	o->chain.branches = true;
	if (o->chain.key == PTUI_CHAIN_FUNCTION)
		o->chain.key = PTUI_CHAIN_ADDRESS;
	if (!o->sort)
		o->sort = "srcline,symbol,dso";
	return 0;
}

static int add_sort_key(struct report_opts *o, const char *key, char **owned,
			struct ptui_error *err)
{
	if (asprintf(owned, "%s%s%s",
		     o->sort			    ? o->sort :
		     o->fields && *o->fields != '+' ? "" :
						      "+",
		     o->sort ? "," : "", key) < 0) {
		*owned = NULL;
		return ptui_error_nomem(err);
	}
	o->sort = *owned;
	return 0;
}

/* --latency adds its key. */
static int settle_latency(struct report_opts *o, struct ptui_error *err)
{
	return o->latency ? add_sort_key(o, "latency", &o->with_latency, err) : 0;
}

/* -p adds its key to the sort keys. */
static int settle_parent(struct report_opts *o, struct ptui_error *err)
{
	if (!o->parent)
		return o->only_parents ? ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, "-x",
							_("-x requires -p")) :
					 0;
	if (ptui_hist_check_pattern("--parent", o->parent, err))
		return -EINVAL;
	o->filter.has_parent = o->only_parents;
	return add_sort_key(o, "parent", &o->with_parent, err);
}

/* What is left out of callchains: with -U also functions without a symbol, as in perf. */
static int settle_hidden(struct report_opts *o, struct ptui_error *err)
{
	bool chains = !o->chain.none || o->children;

	o->filter.hide_dsos = o->hide_dsos;
	if (!o->filter.resolved || !chains || o->branch_history || o->mem_mode ||
	    o->mode == PTUI_MODE_BRANCHES)
		return 0;
	if (asprintf(&o->hidden, "%s%s[unknown]", o->hide_dsos ? o->hide_dsos : "",
		     o->hide_dsos ? "\n" : "") < 0) {
		o->hidden = NULL;
		return ptui_error_nomem(err);
	}
	o->filter.hide_dsos = o->hidden;
	return 0;
}

static int settle_filter(struct report_opts *o, struct ptui_error *err)
{
	struct ptui_hist_filter *f = &o->filter;
	uint64_t tid;

	use_list(o->comms, &f->comm, &f->comms);
	use_list(o->dsos, &f->dso, &f->dsos);
	f->symbols = o->symbols;
	f->cgroups = o->cgroups;
	if (settle_hidden(o, err))
		return -ENOMEM;
	if (f->tids && !option_number(f->tids, 0, INT32_MAX, &tid)) {
		f->by_thread = true;
		f->tid = (int32_t)tid;
		f->tids = NULL;
	}
	return ptui_hist_check_filter(f, err);
}

/* What works with one file only. 0, or a negative errno with err set. */
static int check_several(const struct report_opts *o, struct ptui_error *err)
{
	const struct ptui_load_opts *l = &o->in.load;
	bool pipe = report_is_pipe(o->in.input);

	for (size_t i = 0; i < l->n_more; i++)
		pipe |= report_is_pipe(l->more[i]);
	if (!l->n_more)
		return 0;
	if (pipe)
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, "-",
				      _("a pipe can only be read alone, not with other files"));
	if (o->in.header_only || o->dump)
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, "--header-only",
				      _("--header-only and -D show one file, not several"));
	if (report_is_switched(o))
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, "--switch-on",
				      _("--switch-on and --switch-off cannot be used with several "
					"files: their samples have no common order"));
	return 0;
}

/* 0, or the exit status after the message. */
static int check_together(const struct cli *cli, const struct report_opts *o)
{
	bool data = o->json || o->csv, cycles = report_needs(o) & KEY_NEEDS_CYCLES;
	const struct {
		bool refused;
		const char *why;
	} checks[] = {
		{ o->separator && !*o->separator, N_("--field-separator: the separator is empty") },
		{ data && (o->separator || o->in.header || o->hierarchy || o->tui ||
			   (o->json && o->csv)),
		  N_("--json and --csv cannot be used together, nor with --field-separator, "
		     "--header, --hierarchy or --tui") },
		{ o->json && o->chain.given && o->chain.type != CHAIN_GRAPH,
		  N_("-g with fractal, flat or folded is a form of text, and cannot "
		     "be used together with --json") },
		{ o->threads && (data || o->tui),
		  N_("--threads cannot be used together with --json, --csv or --tui") },
		{ o->total_cycles && (data || o->tui || o->hierarchy || o->mem_mode || o->sort ||
				      o->fields || o->mode == PTUI_MODE_SAMPLES),
		  N_("--total-cycles cannot be used together with --json, --csv, --tui, "
		     "--hierarchy, --mem-mode, --sort, --fields or "
		     "--no-branch-stack") },
		{ o->dump_unsorted && !o->dump,
		  N_("--disable-order requires -D: the order of the records makes "
		     "no difference to rows") },
		{ cycles && o->tui, N_("the key ipc_lbr cannot be used together with --tui") },
		{ o->hierarchy && o->fields,
		  N_("--hierarchy cannot be used together with --fields") },
	};

	for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++)
		if (checks[i].refused)
			return cli_invalid(cli, "%s", _(checks[i].why));
	return 0;
}

int report_settle(struct cli *cli, struct report_opts *o)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	int status = check_together(cli, o);

	if (status)
		return status;
	if (o->separator && !strcmp(o->separator, "\\t"))
		o->separator = "\t";
	if (o->total_cycles)
		o->mode = PTUI_MODE_BRANCHES;
	if (o->threads || o->total_cycles || o->filter.parallelism ||
	    report_needs(o) & KEY_NEEDS_CYCLES)
		o->stdio = true;
	/* whatever -g says, as in perf */
	if (o->inverted)
		o->chain.order = PTUI_CALLER;
	o->chain.order_given |= o->inverted;
	if (o->hierarchy) { /* as in perf: the order of callchains follows --children all the same */
		o->inverted |= o->children;
		o->children = false;
		memset(o->widths, 0, sizeof(o->widths));
	}
	if (o->ignore_callees &&
	    ptui_hist_check_pattern("--ignore-callees", o->ignore_callees, &err))
		return cli_misused(cli, &err);
	if (settle_history(o, &err) || check_several(o, &err) || settle_mode(o, &err) ||
	    settle_latency(o, &err) || settle_parent(o, &err) ||
	    ptui_hist_check_names(o->sort, o->fields, NULL, &err) || settle_filter(o, &err))
		return cli_misused(cli, &err);
	if (recording_opts_settle(cli, &o->in, &err))
		return cli_failed(cli, &err);
	o->in.load.outermost = !o->branch_history && report_hist_opts(o, 0).order == PTUI_CALLER;
	return CLI_OK;
}
