/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `ptui report`: a recording as text, or in the Browser. */
#include "cli/report/report_options.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/i18n.h"
#include "base/text.h"
#include "base/vec.h"
#include "cli/command.h"
#include "cli/out.h"
#include "cli/pager.h"
#include "profile/hist/keys.h"
#include "ptui/log.h"

/* ---- warnings about the data ---- */

static uint64_t count_samples(const struct ptui_profile *p)
{
	uint64_t n = 0;

	for (size_t i = 0; i < ptui_profile_n_events(p); i++)
		n += ptui_profile_event(p, i)->samples;
	return n;
}

/* --switch-on, --switch-off: an event by its name. */
static int check_switch(const struct ptui_profile *p, const char *option, const char *event,
			struct ptui_error *err)
{
	for (size_t i = 0; event && i < ptui_profile_n_events(p); i++)
		if (!strcmp(ptui_profile_event(p, i)->name, event))
			return 0;
	if (!event)
		return 0;
	ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, option,
		       _("%s: the recording has no event '%s'"), option, event);
	ptui_error_hint(err, _("'ptui evlist' lists its events"));
	return -EINVAL;
}

/* Keys, and a filter, whose values no event has. */
static int check_extras(const struct ptui_profile *p, const struct report_opts *o,
			struct ptui_error *err)
{
	unsigned missing = ptui_hist_keys_extras(o->sort, o->fields) & ~(unsigned)PTUI_EXTRA_FIELDS;
	const char *key;

	missing |= o->filter.parallelism ? PTUI_EXTRA_RUNNING : 0;
	for (size_t i = 0; i < ptui_profile_n_events(p); i++)
		missing &= ~ptui_profile_event(p, i)->extras;
	if (!missing)
		return 0;
	key = ptui_hist_extra_key(o->sort, o->fields, missing);
	if (*key)
		ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, key,
			       _("--sort: the samples of %s have no data for '%s'"), o->in.input,
			       key);
	else
		ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, "--parallelism",
			       _("--parallelism: there are no context switches in %s"),
			       o->in.input);
	if (missing & PTUI_EXTRA_RUNNING)
		ptui_error_hint(err, _("'ptui record --latency' records what it needs"));
	return -EINVAL;
}

static void warn_no_chains(const struct cli *cli, const struct ptui_profile *p,
			   const struct report_opts *o)
{
	for (size_t i = 0; i < ptui_profile_n_events(p); i++) {
		if (ptui_event_has_chains(ptui_profile_event(p, i)))
			return;
	}
	if (o->chain.given && !o->chain.none)
		cli_warn(cli,
			 _("%s: there are no callchains in it for -g to draw; "
			   "'ptui record -g' records them"),
			 o->in.input);
}

static void warn_no_counts(const struct cli *cli, const struct ptui_profile *p,
			   const struct report_opts *o)
{
	size_t n;

	ptui_profile_thread_counts(p, &n);
	if (o->threads && !n)
		cli_warn(cli,
			 _("%s: there are no counts of threads in it for -T to print; "
			   "'ptui record -s' records them"),
			 o->in.input);
}

static void warn_no_cycles(const struct cli *cli, const struct ptui_profile *p,
			   const struct report_opts *o)
{
	bool wanted = o->total_cycles || report_needs(o) & KEY_NEEDS_CYCLES;

	if (wanted && !ptui_profile_has_cycles(p))
		cli_warn(cli,
			 _("%s: there are no cycles in its branch stacks for %s to print; few "
			   "processors record them"),
			 o->in.input, o->total_cycles ? "--total-cycles" : "ipc_lbr");
}

/* Callchains are read for keys as well. */
static bool needs_callers(const struct report_opts *o)
{
	return report_needs(o) & KEY_NEEDS_PARENT || o->filter.stack;
}

/* What the keys need of the samples; the default keys of --mem-mode show what is missing as 0. */
static unsigned wanted_extras(const struct report_opts *o)
{
	bool adds = !o->sort || *o->sort == '+';
	unsigned extras = ptui_hist_keys_extras(o->sort, o->fields) |
			  ptui_hist_filter_extras(&o->filter);

	if (o->mem_mode && adds)
		extras |= ptui_hist_keys_extras(ptui_default_sort(PTUI_MODE_MEMORY), NULL);
	return extras;
}

/*
 * Without keys and filters that look at single samples, those that are equal are one row of the
 * profile. The keys were checked.
 */
static struct ptui_merge merge_of(const struct report_opts *o)
{
	const struct ptui_hist_filter *f = &o->filter;
	unsigned needs = report_needs(o);

	return (struct ptui_merge){
		.samples = !f->times && !report_is_switched(o) && !(needs & KEY_NEEDS_TIME) &&
			   o->inlines != PTUI_INLINES_ON,
		.by_thread = f->pids || f->tids || f->by_thread || needs & KEY_NEEDS_THREAD,
		.by_cpu = f->cpus || f->by_cpu || f->by_socket || needs & KEY_NEEDS_CPU,
	};
}

/* Whether the default sort keys are used, which depend on the recording. */
static bool has_default_sort(const struct report_opts *o)
{
	if (o->mem_mode)
		return false;
	return o->sort ? *o->sort == '+' : !o->fields || *o->fields == '+';
}

/* perf's default for recordings of tracepoints. */
static int settle_default_sort(struct report_opts *o, const struct ptui_profile *p,
			       struct ptui_error *err)
{
	const char *sort = ptui_profile_default_sort(p);

	if (!sort || !has_default_sort(o))
		return 0;
	if (asprintf(&o->by_default, "%s%s%s", sort, o->sort ? "," : "",
		     o->sort ? o->sort + 1 : "") < 0) {
		o->by_default = NULL;
		return ptui_error_nomem(err);
	}
	o->sort = o->by_default;
	return 0;
}

/* Of -g branch, too: as in perf, rows of branches have no callchains that branches could be part of. */
static bool with_history(const struct report_opts *o)
{
	return o->chain.branches && !o->chain.none && o->mode == PTUI_MODE_SAMPLES;
}

/* `lists`: three, which the result refers to. */
static struct ptui_load_opts load_opts(const struct report_opts *o, const char **lists)
{
	struct ptui_load_opts lopts = o->in.load;

	lists[0] = o->sort;
	lists[1] = o->fields;
	lists[2] = o->filter.fields;
	lopts.mode = o->mode;
	lopts.extras = wanted_extras(o);
	lopts.fields = lists;
	lopts.n_fields = 3;
	lopts.callers = needs_callers(o);
	if (has_default_sort(o))
		lopts.extras |= PTUI_EXTRA_TRACE_ALONE;
	if (has_default_sort(o) && lopts.raw_trace) {
		lopts.extras |= PTUI_EXTRA_FIELDS;
		lopts.n_fields = 0;
	}
	lopts.merge = merge_of(o);
	lopts.cycles = o->total_cycles || report_needs(o) & KEY_NEEDS_CYCLES;
	lopts.history = with_history(o);
	lopts.extras |= o->branch_history ? PTUI_EXTRA_HISTORY : 0;
	lopts.no_chains = o->chain.none && !o->children && !needs_callers(o) && !o->hide_dsos &&
			  !o->filter.collapse_recursion;
	return lopts;
}

/* ---- --stats -v ---- */

static void add_memory_row(struct buf *out, const char *what, uint64_t bytes, uint64_t samples)
{
	buf_addf(out, "%16s bytes:  %10" PRIu64 "  (%.1f per sample)\n", what, bytes,
		 samples ? (double)bytes / (double)samples : 0);
}

/* What a report with these options keeps of the recording, besides symbol tables while it is loaded. */
static int add_memory(void *ctx, struct buf *out, struct ptui_error *err)
{
	const struct report_opts *o = ctx;
	const char *lists[3];
	const struct ptui_load_opts lopts = load_opts(o, lists);
	struct ptui_profile_memory m;
	int ret = 0;
	struct ptui_profile *p = ptui_profile_load(o->in.input, &lopts, err, &ret);

	if (!p)
		return ret;
	ptui_profile_memory(p, &m);
	ptui_profile_unref(p);
	buf_addf(out,
		 "\nMemory of the report: %" PRIu64 " rows for %" PRIu64 " samples, %" PRIu64
		 " bytes each\n",
		 m.rows, m.samples, m.row_bytes);
	add_memory_row(out, "TOTAL", m.total, m.samples);
	add_memory_row(out, "columns", m.columns, m.samples);
	add_memory_row(out, "stacks", m.stacks, m.samples);
	add_memory_row(out, "frames", m.frames, m.samples);
	add_memory_row(out, "threads", m.threads, m.samples);
	add_memory_row(out, "names", m.names, m.samples);
	add_memory_row(out, "extras", m.extras, m.samples);
	return 0;
}

static int report(struct cli *cli, struct report_opts *o)
{
	const char *lists[3];
	const struct ptui_load_opts lopts = load_opts(o, lists);
	struct ptui_error err = PTUI_ERROR_INIT;
	struct ptui_profile *p;
	struct ptui_trust trust;
	char several[PATH_MAX + 64];
	const char *path = o->in.load.n_more ? several : o->in.input;
	int ret = 0, status = CLI_OK;
	bool lacks;

	if (!lopts.no_chains) /* without them little is needed twice */
		memory_setup();
	p = ptui_profile_load(o->in.input, &lopts, &err, &ret);
	if (!lopts.no_chains)
		memory_trim();
	if (!p)
		return cli_cannot_open(cli, o->in.input, ret, &err);
	if (settle_default_sort(o, p, &err) || ptui_hist_check_keys(p, o->sort, o->fields, &err) ||
	    report_check_event(p, o, &err) ||
	    check_switch(p, "--switch-on", o->filter.switch_on, &err) ||
	    check_switch(p, "--switch-off", o->filter.switch_off, &err) ||
	    (o->filter.cpus && recording_check_cpus(p, o->in.input, &err)) ||
	    ptui_profile_check_filter(p, &o->filter, &lacks, &err) || check_extras(p, o, &err)) {
		ptui_profile_unref(p);
		return cli_misused(cli, &err);
	}
	ptui_profile_trust(p, &trust);
	if (o->in.load.n_more)
		snprintf(several, sizeof(several),
			 Q_("%s and %zu more file", "%s and %zu more files", o->in.load.n_more),
			 o->in.input, o->in.load.n_more);
	cli_warn_trust(cli, &trust, count_samples(p), path);
	cli_warn_largest(cli, p, path);
	if (o->filter.times && (trust.hosts > 1 || trust.clocks > 1))
		cli_warn(cli,
			 _("%s: --time compares times of different machines or clocks, which have "
			   "nothing in common"),
			 path);
	warn_no_chains(cli, p, o);
	warn_no_counts(cli, p, o);
	warn_no_cycles(cli, p, o);
	if (!count_samples(p))
		status = cli_warn_no_samples(cli, &trust, path);
	if ((count_samples(p) || o->json) && report_print(cli, p, o, &err))
		status = cli_failed(cli, &err);
	ptui_profile_unref(p);
	return status;
}

static int print_header(struct cli *cli, const struct report_opts *o)
{
	int status;
	struct data_file *file = cli_open_recording(cli, o->in.input, &status);

	if (!file)
		return status;
	status = cli_print_header(cli, file, o->in.input, o->in.info);
	data_close(file);
	return status;
}

/* The screens show and undo filters, so these have a maximum length there. */
static int check_lengths(const struct ptui_hist_filter *f, struct ptui_error *err)
{
	const char *const texts[] = { f->comm,	    f->dso,	f->symbol, f->comms, f->dsos,
				      f->symbols,   f->pids,	f->tids,   f->cpus,  f->times,
				      f->hide_dsos, f->cgroups, f->stack,  f->fields };

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (texts[i] && strlen(texts[i]) >= PTUI_BROWSE_TEXT_MAX)
			return ptui_error_set(
				err, PTUI_ERROR_INPUT, EINVAL, texts[i],
				_("a filter is too long for the browser; --stdio takes "
				  "longer ones"));
	return 0;
}

/* -1: no screen can be shown. */
static int browse(const struct cli *cli, const struct report_opts *o)
{
	struct ptui_browse what = {
		.path = o->in.input,
		.load = o->in.load,
		.hist = report_hist_opts(o, 0),
		.event = o->event,
		.order_given = o->chain.order_given,
		.hierarchy = o->hierarchy,
		.percent_limit = o->percent_limit,
		.chain_min_percent = o->chain.min_percent,
		.max_samples = o->max_samples,
		.from_pipe = report_is_pipe(o->in.input),
	};
	struct ptui_error err = PTUI_ERROR_INIT;
	int ret;

	/* other keys may be chosen there */
	what.load.mode = o->mode;
	what.load.no_branches = o->mode == PTUI_MODE_SAMPLES;
	what.load.extras = PTUI_EXTRA_NUMBERS | wanted_extras(o);
	what.load.history = with_history(o);
	what.load.extras |= o->branch_history ? PTUI_EXTRA_HISTORY : 0;
	if (!what.from_pipe)
		what.load.extras |= PTUI_EXTRA_TRACE | PTUI_EXTRA_TRACE_ALONE;
	if (check_lengths(&o->filter, &err))
		return cli_misused(cli, &err);
	cli_log_quiet(true); /* the screen covers stderr */
	ret = cli->hooks->browse(cli->hooks->ctx, &what, &err);
	cli_log_quiet(false);
	if (ret == -ENOTTY)
		return -1;
	return ret && ret != -ECANCELED ? cli_cannot_open(cli, o->in.input, ret, &err) : CLI_OK;
}

/* If the recording comes from standard input, keys come from /dev/tty. */
static bool wants_browser(const struct cli *cli, const struct report_opts *o)
{
	return !o->stdio && !chain_is_text(&o->chain) && !o->in.header && !report_is_switched(o) &&
	       !o->separator && !o->quiet && !o->json && !o->csv && cli->hooks &&
	       cli->hooks->browse && (isatty(STDIN_FILENO) || !strcmp(o->in.input, "-")) &&
	       isatty(STDOUT_FILENO);
}

static int no_browser(const struct cli *cli, const struct report_opts *o)
{
	struct ptui_error err = PTUI_ERROR_INIT;

	if (o->stdio || o->separator || o->quiet || report_is_switched(o) ||
	    chain_is_text(&o->chain))
		return cli_invalid(
			cli, "%s",
			_("--tui cannot be used together with --stdio, --switch-on, "
			  "--switch-off, -t, -q, or -g with fractal, flat, folded, period "
			  "or count"));
	ptui_error_set(&err, PTUI_ERROR_SYSTEM, ENOTTY, "--tui",
		       _("cannot open the browser: this terminal cannot show it"));
	ptui_error_hint(&err, _("without --tui, ptui prints text"));
	return cli_failed(cli, &err);
}

/* perf shows one file; the parts of several have their names as titles. */
static int show_each(const struct cli *cli, const struct report_opts *o,
		     const struct report_records *what)
{
	const struct ptui_load_opts *l = &o->in.load;
	struct buf title = BUF_INIT;
	int status = CLI_OK;

	pager_start(cli);
	for (size_t i = 0; i <= l->n_more && !status; i++) {
		const char *path = i ? l->more[i - 1] : o->in.input;

		if (l->n_more) {
			buf_add_str(&title, i ? "\n# " : "# ");
			text_escape(&title, path);
			buf_add_char(&title, '\n');
			cli_put(&title);
		}
		status = report_records(cli, path, what);
	}
	buf_release(&title);
	pager_finish();
	return status;
}

static int show_dump(struct cli *cli, const struct report_opts *o)
{
	const struct report_records stats = { .stats = true };
	int status = script_dump(cli, &o->in, o->dump_unsorted);

	return status ? status : report_records(cli, o->in.input, &stats);
}

static int show_records(const struct cli *cli, const struct report_opts *o)
{
	struct report_records what = o->records;
	struct ptui_error err = PTUI_ERROR_INIT;

	what.header = o->in.header;
	what.info = o->in.info;
	if (o->verbose && !report_is_pipe(o->in.input) &&
	    !o->in.load.n_more) { /* it is read once more */
		what.more = add_memory;
		what.more_ctx = (void *)o;
	}
	if (!what.stats || (!what.tasks && !what.mmaps))
		return show_each(cli, o, &what);
	ptui_error_set(&err, PTUI_ERROR_INPUT, EINVAL, "--stats",
		       _("--tasks and --mmaps cannot be used together with --stats"));
	return cli_misused(cli, &err);
}

static int report_show(struct cli *cli, struct report_opts *o)
{
	int status = report_settle(cli, o);

	if (status)
		return status;
	if (o->in.header_only)
		return print_header(cli, o);
	if (o->dump)
		return show_dump(cli, o);
	if (o->records.stats || o->records.tasks || o->records.mmaps)
		return show_records(cli, o);
	if (wants_browser(cli, o)) {
		status = browse(cli, o);
		if (status >= 0)
			return status;
	}
	if (o->tui)
		return no_browser(cli, o);
	return report(cli, o);
}

/*
 * report.sort_order applies only without -s and -F, as in perf. It is for all recordings, so fields
 * of tracepoints are no keys in it.
 */
static void apply_default_sort(struct report_opts *o)
{
	struct ptui_error err = PTUI_ERROR_INIT;

	if (!o->usual_sort || o->sort || o->fields)
		return;
	if (ptui_hist_check_keys(NULL, o->usual_sort, NULL, &err))
		ptui_log(PTUI_LOG_WARN, "config", "report.sort_order: %s", err.text);
	else
		o->sort = o->usual_sort;
}

/* perf report FILE; further ones, after that of -i, become one profile with it. */
static void take_files(struct report_opts *o, char **words, size_t n)
{
	if (n && o->in.input == cli_default_input) {
		o->in.input = *words++;
		n--;
	}
	o->in.load.more = (const char *const *)words;
	o->in.load.n_more = n;
}

static int run_report(struct cli *cli, int argc, char **argv)
{
	struct report_opts o = { .in.input = cli_default_input,
				 .mode = PTUI_MODE_AUTO,
				 .children = true,
				 .skip_empty = true,
				 .grouping.how = PTUI_GROUP_RECORDED,
				 .chain = { .min_percent = 0.5 } };
	struct option_result parsed;
	int status;

	if (!cli_parse(cli, &o, argc, argv, 0, &parsed)) {
		status = cli->status;
	} else {
		take_files(&o, argv, parsed.n_words);
		cli_choose_input(cli, &o.in.input);
		apply_default_sort(&o);
		if (o.verbose)
			cli_log_verbose();
		o.in.load.full_names = o.verbose; /* as in perf */
		status = report_show(cli, &o);
	}
	free(o.with_latency);
	free(o.with_parent);
	free(o.by_default);
	free(o.comms);
	free(o.dsos);
	free(o.symbols);
	free(o.cgroups);
	free(o.hide_dsos);
	free(o.hidden);
	free(o.usual_sort);
	free(o.in.usual_cache);
	return status;
}

static const char *const report_usage[] = { N_("[OPTION...] [FILE...]"), NULL };

static const struct cli_example report_examples[] = {
	{ "ptui report", N_("Browse perf.data, heaviest functions first.") },
	{ "ptui report --stdio -i old.data | head -n 40",
	  N_("Print the beginning of another recording as text.") },
	{ "ptui report --stdio perf.data.*",
	  N_("Print several recordings, such as those of --switch-output, as one.") },
	{ "ptui report --no-children -g none -s dso", N_("Show the overhead per DSO.") },
	{ "ssh HOST ptui record -o - -a | ptui report -i -",
	  N_("Watch another machine while it is recorded.") },
	{ "ptui report -F overhead,sample,comm,dso,sym -t '|' --no-children -g none",
	  N_("Print one line per function, for other programs.") },
	{ "ptui report --json -s dso -g none", N_("Print the overhead per DSO as JSON.") },
	{ NULL, NULL },
};

const struct cli_command cmd_report = {
	.name = "report",
	.summary = N_("show where the time of a recording went"),
	.usage = report_usage,
	.text = N_(
		"Reads a recording of ptui or of any perf and adds its samples up into rows. "
		"Overhead is a row's share of all samples of its event. With callchains, "
		"Children is the share of samples in a function or below it, and Self that of "
		"samples in the function itself.\n\n"
		"Several files become one profile: snapshots of one recorder, files of "
		"--switch-output, recordings of several runs or machines. A sample that is in "
		"several of them counts once. Events are one if their names and settings are "
		"equal.\n\n"
		"On a terminal the browser opens: perf's keys move in it, and '?' lists them. "
		"With --stdio, -t or -q, into a file or a pipe, and on a terminal that can show no "
		"screens, text is printed.\n\n"
		"If the recording comes from a pipe (-i -), its functions are shown live, as in "
		"'ptui top', until the pipe ends; then the browser opens.\n\n"
		"--csv prints a line with the names of the columns, then a line per row, which begins "
		"with the name of its event. --json prints one object:\n\n"
		"{\"version\": 1, \"lost_samples\": N, \"events\": [{\"event\": NAME, \"samples\": N, "
		"\"period\": N, \"rows\": [ROW...]}...]}\n\n"
		"Columns are in the order of -F and -s, and named as these keys, with the unit: "
		"overhead_percent, overhead_children_percent, samples, period (in units of the event), "
		"symbol_size_bytes, time_seconds. What is no number is a string, without the spaces that "
		"align it; an unknown number is null, or empty in CSV. With callchains, and without -g "
		"none, a row of JSON also has \"callchains\", a list of {\"period\": N, \"functions\": "
		"[NAME...], \"branches\": [...]}, with \"samples\": N for -g count. The events of a group are separate."),
	.options = report_options,
	.settings = report_settings,
	.examples = report_examples,
	.run = run_report,
};
