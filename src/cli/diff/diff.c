/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `ptui diff`: the rows of two or more recordings side by side, in perf diff's text. */
#include "cli/diff/diff.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "base/text.h"
#include "base/vec.h"
#include "cli/filter.h"
#include "cli/out.h"
#include "cli/pager.h"
#include "cli/recording.h"

#define FILES_MAX 64

struct diff_opts {
	struct recording_opts in;
	struct diff_style style;
	struct diff_filter filter;
	const char *sort;
	char *hide_dsos;
	char *times; /* of all files, cut into parts */
	bool verbose, force, stream;
};

/* ---- options ---- */

static const struct {
	const char *name;
	enum diff_compute compute;
} computes[] = {
	{ "delta", DIFF_DELTA }, { "delta-abs", DIFF_DELTA_ABS }, { "ratio", DIFF_RATIO },
	{ "wdiff", DIFF_WDIFF }, { "cycles", DIFF_CYCLES },
};

/* "wdiff:2,1": the weights. */
static int read_weights(struct diff_style *s, const char *value, struct ptui_error *err)
{
	char *end;

	s->base_weight = strtoll(value, &end, 10);
	if (end != value && *end == ',') {
		const char *second = end + 1;

		s->weight = strtoll(second, &end, 10);
		if (end != second && !*end)
			return 0;
	}
	ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, value,
		       _("wdiff requires two weights, as in wdiff:1,2, not '%s'"), value);
	return -EINVAL;
}

static int read_compute(void *field, const char *value, bool unset, struct ptui_error *err)
{
	struct diff_style *s = field;
	const char *weights = strchr(value, ':');
	size_t n = weights ? (size_t)(weights - value) : strlen(value);

	(void)unset;
	for (size_t i = 0; i < sizeof(computes) / sizeof(computes[0]); i++) {
		if (strncmp(computes[i].name, value, n) != 0 || computes[i].name[n])
			continue;
		s->compute = computes[i].compute;
		if (s->compute == DIFF_WDIFF)
			return read_weights(s, weights ? weights + 1 : "", err);
		if (!weights)
			return 0;
		break;
	}
	return ptui_error_set(
		err, PTUI_ERROR_INPUT, EINVAL, value,
		_("expected delta, delta-abs, ratio, wdiff:W1,W2 or cycles, not '%s'"), value);
}

static int set_compute(void *field, const char *value, bool unset, struct ptui_error *err)
{
	if (!strncmp(value, "wdiff", 5) && !strchr(value, ':'))
		return 0; /* perf's default without its weights */
	return read_compute(field, value, unset, err);
}

static int read_order(void *field, const char *value, bool unset, struct ptui_error *err)
{
	uint64_t *order = field;
	const char *rest = text_number(value, FILES_MAX, order);

	(void)unset;
	if (rest && !*rest)
		return 0;
	return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, value,
			      _("'%s' is not the number of a file"), value);
}

/* ---- events ---- */

/* Of a name without its modifiers: "cpu-clock:u". */
static size_t bare_length(const char *name)
{
	const char *colon = strrchr(name, ':');

	if (colon && colon[1] && strspn(colon + 1, "ukhHGpPSDWe") == strlen(colon + 1))
		return (size_t)(colon - name);
	return strlen(name);
}

static bool is_one_event(const char *a, const char *b)
{
	size_t n = bare_length(a);

	return n == bare_length(b) && !strncmp(a, b, n);
}

/* The event of this name, exactly or without modifiers; SIZE_MAX: none. */
static size_t find_event(const struct ptui_profile *p, const char *name)
{
	size_t n = ptui_profile_n_events(p);

	for (size_t i = 0; i < n; i++)
		if (!strcmp(ptui_profile_event(p, i)->name, name))
			return i;
	for (size_t i = 0; i < n; i++)
		if (is_one_event(ptui_profile_event(p, i)->name, name))
			return i;
	return SIZE_MAX;
}

/* ---- printing ---- */

struct diff_files {
	const char **paths;
	struct ptui_profile *profiles[FILES_MAX];
	size_t n;
};

static void print_files(const struct diff_files *f, struct buf *out)
{
	buf_add_str(out, "# Data files:\n");
	for (size_t i = 0; i < f->n; i++) {
		buf_addf(out, "#  [%zu] ", i);
		text_escape(out, f->paths[i]);
		buf_add_str(out, i ? " \n" : " (Baseline)\n");
	}
	buf_add_str(out, "#\n");
}

static void add_event_name(struct buf *out, const char *name)
{
	buf_add_str(out, out->len ? "\n# Event '" : "# Event '");
	text_escape(out, name);
	buf_add_str(out, "'\n#\n");
}

static int print_event(const struct diff_opts *o, const struct diff_files *f, uint32_t event,
		       bool verbose, struct buf *out, struct ptui_error *err)
{
	const char *name = ptui_profile_event(f->profiles[0], event)->name;
	struct diff_table *t = diff_table_new(o->sort, f->n, &o->filter, err);
	int ret = t ? 0 : -EINVAL;

	if (!ret && o->style.compute == DIFF_CYCLES) {
		t->cycles = diff_cycles_new(f->n);
		ret = t->cycles ? 0 : ptui_error_nomem(err);
	}
	for (size_t i = 0; i < f->n && !ret; i++) {
		size_t at = i ? find_event(f->profiles[i], name) : event;

		if (at != SIZE_MAX)
			ret = diff_table_add(t, i, f->profiles[i], (uint32_t)at, err);
	}
	if (!ret && !o->style.quiet) {
		add_event_name(out, name);
		if (f->n > 2 || verbose)
			print_files(f, out);
	}
	if (!ret && diff_table_print(t, &o->style, out))
		ret = ptui_error_nomem(err);
	diff_table_free(t);
	return ret;
}

/* Of an event that both files have. */
static int print_streams(const struct diff_opts *o, const struct diff_files *f, uint32_t event,
			 struct buf *out, struct ptui_error *err)
{
	const char *name = ptui_profile_event(f->profiles[0], event)->name;
	size_t other = find_event(f->profiles[1], name);
	const uint32_t events[2] = { event, (uint32_t)other };

	if (other == SIZE_MAX)
		return 0;
	if (!o->style.quiet)
		add_event_name(out, name);
	return diff_streams(f->profiles, events, &o->filter, out, err);
}

static bool has_samples(const struct diff_files *f, const char *name)
{
	for (size_t i = 0; i < f->n; i++) {
		size_t at = find_event(f->profiles[i], name);

		if (at != SIZE_MAX && ptui_profile_event(f->profiles[i], at)->samples)
			return true;
	}
	return false;
}

static int print_events(const struct cli *cli, const struct diff_opts *o,
			const struct diff_files *f)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct buf out = BUF_INIT;
	int ret = 0;

	for (uint32_t i = 0; i < ptui_profile_n_events(f->profiles[0]) && !ret; i++)
		if (has_samples(f, ptui_profile_event(f->profiles[0], i)->name))
			ret = o->stream ? print_streams(o, f, i, &out, &err) :
					  print_event(o, f, i, o->verbose, &out, &err);
	if (!ret)
		return pager_print(cli, &out);
	buf_release(&out);
	return cli_rejected(cli, &err);
}

/* ---- the command ---- */

static uint64_t count_samples(const struct ptui_profile *p)
{
	uint64_t n = 0;

	for (size_t i = 0; i < ptui_profile_n_events(p); i++)
		n += ptui_profile_event(p, i)->samples;
	return n;
}

/* -c cycles and --stream need branch stacks, as in perf of all files. */
static int check_branches(const struct ptui_profile *p, const struct diff_opts *o, const char *path,
			  struct ptui_error *err)
{
	bool has = o->style.compute != DIFF_CYCLES || ptui_profile_has_cycles(p);

	if (!has)
		return ptui_error_set(
			err, PTUI_ERROR_INPUT, EINVAL, "-c",
			_("-c cycles: there are no cycles in the branch stacks of %s, or no "
			  "branch stacks"),
			path);
	for (size_t i = 0; i < ptui_profile_n_events(p) && o->stream; i++) {
		has = ptui_profile_event(p, i)->has_history;
		if (has)
			return 0;
	}
	return has ? 0 :
		     ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, "--stream",
				    _("--stream: no event of %s has branch stacks"), path);
}

static int load(const struct cli *cli, const struct diff_opts *o, struct diff_files *f,
		int *ret_status)
{
	struct ptui_load_opts lopts = o->in.load;

	lopts.no_chains = !o->filter.hide_dsos && !o->filter.collapse_recursion && !o->stream;
	lopts.cycles = o->style.compute == DIFF_CYCLES;
	lopts.history = o->stream;
	lopts.extras |= o->stream ? PTUI_EXTRA_HISTORY : 0;
	for (size_t i = 0; i < f->n; i++) {
		struct ptui_error err = PTUI_ERROR_INIT;
		struct ptui_trust trust;
		int ret = 0;

		f->profiles[i] = ptui_profile_load(f->paths[i], &lopts, &err, &ret);
		if (!f->profiles[i]) {
			*ret_status = cli_cannot_open(cli, f->paths[i], ret, &err);
			return -1;
		}
		if ((o->filter.cpus && recording_check_cpus(f->profiles[i], f->paths[i], &err)) ||
		    check_branches(f->profiles[i], o, f->paths[i], &err)) {
			*ret_status = cli_rejected(cli, &err);
			return -1;
		}
		ptui_profile_trust(f->profiles[i], &trust);
		cli_warn_trust(cli, &trust, count_samples(f->profiles[i]), f->paths[i]);
		cli_warn_largest(cli, f->profiles[i], f->paths[i]);
		if (!count_samples(f->profiles[i]))
			cli_warn_no_samples(cli, &trust, f->paths[i]);
	}
	return 0;
}

/* Which files: as perf, perf.data.old and perf.data if they are not named. */
static void choose_files(struct diff_files *f, const char **usual, char **words, size_t n)
{
	if (n == 1)
		usual[1] = words[0];
	f->paths = n > 1 ? (const char **)words : usual;
	f->n = n > 1 ? n : 2;
}

/* What cannot be used together. CLI_OK, or the status with an error printed. */
static int check_together(struct cli *cli, const struct diff_opts *o)
{
	bool cycles = o->style.compute == DIFF_CYCLES;

	if (o->style.cycles_hist && !cycles)
		return cli_invalid(cli, "%s", _("--cycles-hist requires -c cycles"));
	if (o->stream &&
	    (cycles || o->filter.hide_dsos || o->filter.collapse_recursion || o->style.periods ||
	     o->style.formula || o->style.baseline_only || o->style.separator))
		return cli_invalid(
			cli, "%s",
			_("--stream cannot be used together with -c cycles, -p, -F, -b, -t, "
			  "--hide-dsos or --collapse-recursion"));
	if (cycles && !diff_sorts_by(o->sort, "symbol"))
		return cli_invalid(
			cli, "%s",
			_("-c cycles compares blocks of functions: -s needs the key symbol"));
	return CLI_OK;
}

/* --time with a part for each file, separated by colons. */
static int cut_times(struct diff_opts *o, size_t n_files, const char **times,
		     struct ptui_error *err)
{
	size_t n = 1;

	if (!o->filter.times || !strchr(o->filter.times, ':'))
		return 0;
	o->times = strdup(o->filter.times);
	if (!o->times)
		return ptui_error_nomem(err);
	times[0] = o->times;
	for (char *at = o->times; (at = strchr(at, ':')); n++) {
		*at++ = '\0';
		if (n < n_files)
			times[n] = at;
	}
	o->filter.times_of = times;
	return n == n_files ?
		       0 :
		       ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, "--time",
				      _("--time: times of files: %zu; files: %zu"), n, n_files);
}

static int check_filters(const struct diff_opts *o, size_t n_files, struct ptui_error *err)
{
	struct ptui_hist_filter filter = { .pids = o->filter.pids,
					   .times = o->filter.times,
					   .hide_dsos = o->hide_dsos };
	int ret = 0;

	for (size_t i = 0; i < n_files && !ret; i++) {
		if (o->filter.times_of)
			filter.times = o->filter.times_of[i];
		ret = ptui_hist_check_filter(&filter, err);
	}
	return ret;
}

static int diff(struct cli *cli, struct diff_opts *o, char **words, size_t n_words)
{
	const char *usual[] = { "perf.data.old", cli_default_input };
	const char *times[FILES_MAX];
	struct ptui_error err = PTUI_ERROR_INIT;
	struct diff_files f = { .n = 0 };
	int status = CLI_OK;

	if (n_words > FILES_MAX)
		return cli_invalid(cli, _("too many files (at most %d)"), FILES_MAX);
	o->filter.hide_dsos = o->hide_dsos;
	status = check_together(cli, o);
	if (status != CLI_OK)
		return status;
	choose_files(&f, usual, words, n_words);
	if (o->stream && f.n > 2)
		return cli_invalid(cli, "%s", _("--stream compares two files"));
	if (o->style.order == DIFF_ORDER_USUAL)
		o->style.order = o->style.compute != DIFF_CYCLES;
	if (o->style.order >= f.n)
		return cli_invalid(cli, _("-o %" PRIu64 ": there are only files 0 to %zu"),
				   o->style.order, f.n - 1);
	if (recording_opts_settle(cli, &o->in, &err) || cut_times(o, f.n, times, &err) ||
	    check_filters(o, f.n, &err) || ptui_hist_check_keys(NULL, o->sort, NULL, &err))
		return cli_rejected(cli, &err);
	if (!load(cli, o, &f, &status))
		status = print_events(cli, o, &f);
	for (size_t i = 0; i < f.n; i++)
		ptui_profile_unref(f.profiles[i]);
	return status;
}

static int run_diff(struct cli *cli, int argc, char **argv)
{
	struct diff_opts o = {
		.in.input = cli_default_input,
		.sort = "dso,symbol",
		.style = { .order = DIFF_ORDER_USUAL, .base_weight = 1, .weight = 1 },
	};
	struct option_result parsed;
	int status = cli->status;

	if (cli_parse(cli, &o, argc, argv, 0, &parsed))
		status = diff(cli, &o, argv, parsed.n_words);
	else
		status = cli->status;
	free(o.hide_dsos);
	free(o.times);
	free(o.in.usual_cache);
	return status;
}

#define AT(member) .offset = offsetof(struct diff_opts, member)
#define IN(member) AT(in.member)

static const struct option diff_options[] = {
	{ OPTION_GROUP, .help = N_("Rows and columns") },
	{ OPTION_CALL, 'c', "compute", N_("delta|delta-abs|ratio|wdiff:W1,W2|cycles"),
	  N_("what is computed for each row (default: delta-abs); cycles: the difference of the mean "
	     "cycles of each basic block of a function, from branch stacks"),
	  AT(style), .call = read_compute },
	{ OPTION_FLAG, 0, "cycles-hist", NULL,
	  N_("with -c cycles: the relative standard deviation and a histogram of the differences of "
	     "the first eight runs of each block"),
	  AT(style.cycles_hist), OPTION_NO },
	{ OPTION_FLAG, 0, "stream", NULL,
	  N_("compare the five hottest callchains of branches (streams) of two recordings, instead of "
	     "rows"),
	  AT(stream), OPTION_NO },
	{ OPTION_CALL, 'o', "order", N_("N"),
	  N_("sort by the column of file N; 0: by the baseline (default: 1; with -c cycles: 0)"),
	  AT(style.order), .call = read_order },
	{ OPTION_FLAG, 'b', "baseline-only", NULL,
	  N_("show only rows that the baseline and another file have"), AT(style.baseline_only),
	  OPTION_NO },
	{ OPTION_FLAG, 'p', "period", NULL, N_("show the periods, too"), AT(style.periods),
	  OPTION_NO },
	{ OPTION_FLAG, 'F', "formula", NULL, N_("show how each value is computed"),
	  AT(style.formula), OPTION_NO },
	{ OPTION_STRING, 's', "sort", N_("KEY[,KEY...]"),
	  N_("keys that identify a row, as in report (default: dso,symbol)"), AT(sort) },
	{ OPTION_STRING, 't', "field-separator", N_("SEP"),
	  N_("separate columns with SEP, for processing by other programs"), AT(style.separator) },
	{ OPTION_CALL, 0, "percentage", N_("relative|absolute"),
	  N_("percentages relative to the filtered samples, or to all samples (default)"),
	  AT(style.relative), .call = filter_read_percentage },
	{ OPTION_FLAG, 'q', "quiet", NULL, N_("print entries only"), AT(style.quiet), OPTION_NO },
	{ OPTION_FLAG, 'v', "verbose", NULL, N_("name the files above the rows"), AT(verbose),
	  OPTION_NO },
	{ OPTION_GROUP, .help = N_("Filters") },
	{ OPTION_STRING, 'C', "comms", N_("COMM[,COMM...]"),
	  N_("only samples of processes with these command names"), AT(filter.comms) },
	{ OPTION_STRING, 'd', "dsos", N_("DSO[,DSO...]"),
	  N_("only functions of these DSOs, such as libc.so.6"), AT(filter.dsos) },
	{ OPTION_STRING, 'S', "symbols", N_("NAME[,NAME...]"), N_("only these functions"),
	  AT(filter.symbols) },
	{ OPTION_STRING, 0, "cpu", N_("CPU[,CPU...]"), N_("only samples on these CPUs"),
	  AT(filter.cpus) },
	{ OPTION_STRING, 0, "tid", N_("TID[,TID...]"), N_("only samples of these threads"),
	  AT(filter.tids) },
	{ OPTION_STRING, 0, "pid", N_("PID[,PID...]"), N_("only samples of these processes"),
	  AT(filter.pids) },
	{ OPTION_STRING, 0, "time", N_("START,STOP"),
	  N_("only samples of these times, in seconds, several separated by blanks; or in shares of "
	     "the recording: 10%-20%,40%-60%, or 10%/2, the second tenth; the others are not in the "
	     "total either; with colons, times of each file: 1.5,2:7.25,8"),
	  AT(filter.times) },
	{ OPTION_CALL, 0, "hide-dsos", N_("PATTERN[,PATTERN...]"),
	  N_("hide these DSOs from callchains: their time goes to the functions that called them; "
	     "PATTERN: a name or path such as libc.so* or /usr/lib/*, [kernel], [unknown] (no symbol), or "
	     "!PATTERN: all others"),
	  AT(hide_dsos), .call = filter_read_list },
	{ OPTION_FLAG, 0, "collapse-recursion", NULL,
	  N_("count a function that calls itself, directly or through others, as its outermost call"),
	  AT(filter.collapse_recursion), OPTION_NO },
	{ OPTION_GROUP, .help = N_("Input") },
	{ OPTION_STRING, 0, "symfs", N_("DIR"), N_("look up program files below DIR"),
	  IN(load.symfs) },
	{ OPTION_STRING, 0, "kallsyms", N_("FILE"),
	  N_("copy of /proc/kallsyms with the kernel symbols; overrides -k"),
	  IN(load.kernel.kallsyms) },
	RECORDING_MODULES(IN(load.kernel.no_modules)),
	RECORDING_NAMES(IN),
	RECORDING_FORCE(AT(force)),
	OPTION_NOT('D', "dump-raw-trace", OPTION_NO_VALUE,
		   N_("not supported: 'ptui script -D' prints the records")),
	{ .type = OPTION_END },
};

static const struct cli_setting diff_settings[] = {
	{ "diff.order", N_("N"), N_("Same as --order of ptui diff."), AT(style.order), read_order },
	{ "diff.compute", "delta|delta-abs|ratio|cycles", N_("Same as --compute of ptui diff."),
	  AT(style), set_compute },
	{ "hist.percentage", "relative|absolute", N_("Same as --percentage of ptui diff."),
	  AT(style.relative), filter_read_percentage },
	RECORDING_CACHE(IN(usual_cache)),
	{ .name = NULL },
};

#undef IN
#undef AT

static const char *const diff_usage[] = { N_("[OPTION...] [OLD] [NEW...]"), NULL };

static const struct cli_example diff_examples[] = {
	{ "ptui diff", N_("Compare perf.data with perf.data.old, the recording before.") },
	{ "ptui diff -c ratio before.data after.data",
	  N_("How many times as much time each function took.") },
	{ NULL, NULL },
};

const struct cli_command cmd_diff = {
	.name = "diff",
	.summary = N_("compare two or more recordings, row by row"),
	.usage = diff_usage,
	.text = N_(
		"Compares recordings with the first one, the baseline, as perf diff does. Rows are "
		"matched by their names, so programs may have been built again between the "
		"recordings. Without files, perf.data.old is the baseline and perf.data the other "
		"recording; a single file takes the place of perf.data."),
	.options = diff_options,
	.settings = diff_settings,
	.examples = diff_examples,
	.run = run_diff,
};
