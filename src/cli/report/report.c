/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `ptui report`: a recording as text, or in the Browser. */
#include "cli/report/report_options.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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

/* ---- printing ---- */

static int flush_stdout(void *ctx, struct buf *out)
{
	(void)ctx;
	return cli_put(out);
}

/* With --event, that event is shown alone; programs get each event alone. */
static enum ptui_grouping grouping_of(const struct report_opts *o)
{
	return o->event || o->json || o->csv ? PTUI_GROUP_NONE : o->grouping.how;
}

static struct ptui_hist_opts hist_opts(const struct report_opts *o, uint32_t event)
{
	struct ptui_hist_opts hopts = {
		.event = event,
		.sort = o->sort,
		.fields = o->fields,
		.children = o->children,
		.show_samples = o->show_samples,
		.show_period = o->show_period,
		.show_modes = o->show_modes,
		.show_addresses = o->verbose,
		.no_chains = o->chain.none,
		.chain_key = o->chain.key,
		.chain_counts = o->branch_history,
		.separated = o->separator != NULL,
		.order = o->chain.order,
		.inlines = o->inlines,
		.relative = o->relative,
		.filter = o->filter,
		.parent = o->parent,
		.ignore_callees = o->ignore_callees,
		.quantum_ns = o->quantum_ns,
		.show_ns = o->show_ns,
		.grouping = grouping_of(o),
		.group_sort = (unsigned)o->group_sort,
	};

	/* without children there is nothing below a function: callees, as in perf */
	if (!o->chain.order_given)
		hopts.order = o->inverted || o->children ? PTUI_CALLER : PTUI_CALLEE;
	return hopts;
}

/* The names that a filter has one of: all rows have it, so it needs no column, as in perf. */
static const char *only_name(const struct report_opts *o, const char *column)
{
	const char *name = NULL;

	if (!strcmp(column, "comm"))
		name = o->comms;
	else if (!strcmp(column, "dso"))
		name = o->dsos;
	else if (!strcmp(column, "symbol"))
		name = o->symbols;
	return name && !strchr(name, '\n') ? name : NULL;
}

/* Columns of names that all rows have in common, one bit each; 0 if no others would be left. */
static uint64_t common_columns(const struct ptui_hist *h, const struct report_opts *o)
{
	uint64_t common = 0;
	bool others = false;

	for (size_t i = 0; i < ptui_hist_n_columns(h); i++) {
		const struct ptui_column *c = ptui_hist_column(h, i);

		if (i < 64 && only_name(o, c->name))
			common |= UINT64_C(1) << i;
		else
			others |= c->groups;
	}
	return others ? common : 0;
}

/* The keys were checked. */
static void add_common(const struct report_opts *o, enum ptui_mode mode, struct buf *out)
{
	const struct hist_scope scope = { NULL, PTUI_NONE };
	const struct hist_columns none = { .children = false };
	struct hist_plan plan = { .n_show = 0 };

	(void)hist_plan_make(&plan, mode, &scope, o->sort, o->fields, &none, NULL);
	for (size_t i = 0; i < plan.n_show; i++) {
		const char *name = only_name(o, plan.show[i]->name);

		if (!name)
			continue;
		buf_addf(out, "# %s: ", plan.show[i]->name);
		text_escape(out, name);
		buf_add_char(out, '\n');
	}
}

/* Whether the event leads a group of several. */
static bool leads(const struct ptui_profile *p, uint32_t event, enum ptui_grouping grouping)
{
	for (uint32_t i = 0; i < ptui_profile_n_events(p); i++)
		if (i != event && ptui_profile_leader(p, i, grouping) == event)
			return true;
	return false;
}

/* The names of the events of a view, in perf's words: anon group { cycles, page-faults }. */
static void add_events(const struct ptui_profile *p, const struct ptui_hist *h, struct buf *out)
{
	size_t n = ptui_hist_n_grouped(h);
	uint32_t leader = ptui_hist_event(h);
	bool recorded = n > 1 && leads(p, leader, PTUI_GROUP_RECORDED);
	const char *group = ptui_profile_event(p, leader)->group;

	if (recorded)
		buf_addf(out, "%s { ", group ? group : "anon group");
	for (size_t i = 0; i < n; i++) {
		uint32_t event = ptui_hist_event(ptui_hist_grouped(h, i));

		buf_addf(out, "%s%s", i ? ", " : "", ptui_profile_event(p, event)->name);
	}
	if (recorded)
		buf_add_str(out, " }");
}

static struct report_style style_of(const struct report_opts *o, enum ptui_mode mode)
{
	struct report_style style = {
		.format = o->json ? REPORT_JSON :
			  o->csv  ? REPORT_CSV :
				    REPORT_TEXT,
		.separator = o->separator,
		.sort = o->sort,
		.fields = o->fields,
		.percent_limit = o->percent_limit,
		.hierarchy = o->hierarchy,
		.quiet = o->quiet,
		.relative = o->relative,
		.times = o->filter.times,
		.socket = o->filter.by_socket ? o->filter.socket : -1,
		.missing = o->verbose,
		.chains = !o->chain.none && mode != PTUI_MODE_BRANCHES,
		.memory = mode == PTUI_MODE_MEMORY,
		.chain_min_percent = o->chain.min_percent,
		.chain_max_lines = o->chain.max_lines,
		.chain_type = o->chain.type,
		.chain_value = o->chain.value,
	};

	memcpy(style.widths, o->widths, sizeof(style.widths));
	return style;
}

/* Screens cannot show these filters. */
static bool is_switched(const struct report_opts *o)
{
	return o->filter.switch_on || o->filter.switch_off;
}

/* These leave samples out of the total as well. */
static bool drops_samples(const struct report_opts *o)
{
	return is_switched(o) || o->filter.times || o->filter.cpus || o->filter.resolved;
}

/* Whether an event of the group has samples that are not dropped. */
static bool has_samples(const struct ptui_hist *h)
{
	struct ptui_hist_all all;

	for (size_t i = 0; i < ptui_hist_n_grouped(h); i++) {
		ptui_hist_all(ptui_hist_grouped(h, i), &all);
		if (all.samples)
			return true;
	}
	return false;
}

/* KEY_NEEDS_... of the keys. */
static unsigned plan_needs(const struct report_opts *o)
{
	const enum ptui_mode mode = PTUI_MODE_SAMPLES;
	const struct hist_scope scope = { NULL, PTUI_NONE };
	const struct hist_columns none = { .children = false };
	struct hist_plan plan = { .needs = 0 };

	(void)hist_plan_make(&plan, mode, &scope, o->sort, o->fields, &none, NULL);
	return plan.needs;
}

/* *n: the events that were printed. */
static int print_event(struct ptui_profile *p, uint32_t event, const struct report_opts *o,
		       size_t *n, struct buf *out, struct ptui_error *err)
{
	const struct ptui_event_info *info = ptui_profile_event(p, event);
	struct ptui_hist_opts hopts = hist_opts(o, event);
	struct report_style style = style_of(o, ptui_profile_mode(p));
	struct ptui_hist *h = ptui_hist_new(p, &hopts, err);
	struct buf events = BUF_INIT;
	int ret;

	if (!h)
		return -ENOMEM;
	ptui_log(PTUI_LOG_DEBUG, "report", "rows sorted: %zu", ptui_hist_n_rows(h));
	if (o->skip_empty && drops_samples(o) && !has_samples(h)) {
		ptui_hist_free(h);
		return 0;
	}
	if (plan_needs(o) & KEY_NEEDS_CYCLES && report_ipc(h, &o->filter)) {
		ptui_hist_free(h);
		return ptui_error_nomem(err);
	}
	style.hidden = o->hierarchy ? 0 : common_columns(h, o);
	/* as in perf, for which --no-group makes groups, too */
	style.of_group = leads(p, event, o->grouping.given ? PTUI_GROUP_ALL : PTUI_GROUP_RECORDED);
	add_events(p, h, &events);
	style.events = buf_str(&events);
	if (events.err)
		ret = ptui_error_nomem(err);
	else if (o->total_cycles)
		ret = report_blocks(h, info, &style, out, err);
	else if (style.format == REPORT_TEXT)
		ret = report_text(h, info, &style, out, flush_stdout, NULL, err);
	else
		ret = report_data(h, info, &style, !*n, out, flush_stdout, NULL, err);
	++*n;
	ptui_log(PTUI_LOG_DEBUG, "report", "rows written");
	buf_release(&events);
	ptui_hist_free(h);
	return ret;
}

/* An event is shown if it has samples, or if one of the group that it leads has. */
static bool is_shown(const struct ptui_profile *p, uint32_t event, const struct report_opts *o)
{
	enum ptui_grouping grouping = grouping_of(o);

	if (ptui_profile_leader(p, event, grouping) != event)
		return false;
	if (!o->skip_empty)
		return true;
	for (uint32_t i = 0; i < ptui_profile_n_events(p); i++)
		if (ptui_profile_event(p, i)->samples &&
		    ptui_profile_leader(p, i, grouping) == event)
			return true;
	return false;
}

static void add_lost(const struct ptui_trust *t, struct buf *out)
{
	buf_addf(out, "#\n# Total Lost Samples: %" PRIu64 "\n", t->lost_samples);
	if (t->lost_sideband)
		buf_addf(out, _("# Lost sideband records: %" PRIu64 ", names may be wrong\n"),
			 t->lost_sideband);
	if (t->unverified)
		buf_addf(out,
			 t->forced_names ? "# Unverified samples: %" PRIu64
					   ", names may be wrong\n" :
					   "# Unverified samples: %" PRIu64
					   ", without names (--force-names shows them)\n",
			 t->unverified);
	buf_add_str(out, "#\n");
}

/* --event: the first of this name. */
static bool is_wanted(const struct ptui_profile *p, size_t event, const struct report_opts *o)
{
	if (!o->event)
		return true;
	for (size_t i = 0; i < event; i++)
		if (!strcmp(ptui_profile_event(p, i)->name, o->event))
			return false;
	return !strcmp(ptui_profile_event(p, event)->name, o->event);
}

static int check_event(const struct ptui_profile *p, const struct report_opts *o,
		       struct ptui_error *err)
{
	struct buf names = BUF_INIT;
	bool found = !o->event;

	for (size_t i = 0; i < ptui_profile_n_events(p) && !found; i++) {
		found = is_wanted(p, i, o);
		buf_addf(&names, "%s%s", i ? ", " : "", ptui_profile_event(p, i)->name);
	}
	if (found) {
		buf_release(&names);
		return 0;
	}
	ptui_error_set(err, PTUI_ERROR_INPUT, ENOENT, o->event, _("--event: %s has no event '%s'"),
		       o->in.input, o->event);
	ptui_error_hint(err, _("its events are %s"), buf_str(&names));
	buf_release(&names);
	return -ENOENT;
}

static void add_head(const struct ptui_profile *p, const struct ptui_trust *trust,
		     const struct report_opts *o, struct buf *out)
{
	add_common(o, ptui_profile_mode(p), out);
	if (o->in.header && ptui_profile_header(p, o->in.info))
		buf_add_str(out, ptui_profile_header(p, o->in.info));
	if (!o->quiet)
		add_lost(trust, out);
}

static int print_profile(const struct cli *cli, struct ptui_profile *p, const struct report_opts *o,
			 struct ptui_error *err)
{
	const struct report_style style = style_of(o, ptui_profile_mode(p));
	struct ptui_trust trust;
	struct buf out = BUF_INIT;
	size_t n = 0;
	int ret = 0;

	ptui_profile_trust(p, &trust);
	pager_start(cli);
	if (style.format == REPORT_TEXT)
		add_head(p, &trust, o, &out);
	else
		report_data_begin(&trust, &style, &out);
	for (size_t i = 0; i < ptui_profile_n_events(p) && !ret; i++) {
		if (!is_shown(p, (uint32_t)i, o) || !is_wanted(p, i, o))
			continue;
		ret = print_event(p, (uint32_t)i, o, &n, &out, err);
	}
	if (!ret && style.format != REPORT_TEXT)
		report_data_end(&style, &out);
	if (!ret && o->threads && report_threads(p, o->raw_threads, &out))
		ret = ptui_error_nomem(err);
	if (!ret && out.len)
		ret = flush_stdout(NULL, &out);
	buf_release(&out);
	pager_finish();
	if (!ret && !n && drops_samples(o))
		cli_warn(cli, _("%s: no samples are left by these filters"), o->in.input);
	return ptui_error_is_set(err) ? ret : 0; /* errors of stdout are reported at exit */
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

/* Keys whose values no event has. */
static int check_extras(const struct ptui_profile *p, const struct report_opts *o,
			struct ptui_error *err)
{
	unsigned missing = ptui_hist_keys_extras(o->sort, o->fields) & ~(unsigned)PTUI_EXTRA_FIELDS;
	const char *key;

	for (size_t i = 0; i < ptui_profile_n_events(p); i++)
		missing &= ~ptui_profile_event(p, i)->extras;
	key = ptui_hist_extra_key(o->sort, o->fields, missing);
	return missing ? ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, key,
					_("--sort: the samples of %s have no data for '%s'"),
					o->in.input, key) :
			 0;
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
	bool wanted = o->total_cycles || plan_needs(o) & KEY_NEEDS_CYCLES;

	if (wanted && !ptui_profile_has_cycles(p))
		cli_warn(cli,
			 _("%s: there are no cycles in its branch stacks for %s to print; few "
			   "processors record them"),
			 o->in.input, o->total_cycles ? "--total-cycles" : "ipc_lbr");
}

/* Callchains are read for keys as well. */
static bool needs_callers(const struct report_opts *o)
{
	return plan_needs(o) & KEY_NEEDS_PARENT;
}

/* What the keys need of the samples; the default keys of --mem-mode show what is missing as 0. */
static unsigned wanted_extras(const struct report_opts *o)
{
	bool adds = !o->sort || *o->sort == '+';
	unsigned extras = ptui_hist_keys_extras(o->sort, o->fields);

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
	unsigned needs = plan_needs(o);

	return (struct ptui_merge){
		.samples = !f->times && !is_switched(o) && !(needs & KEY_NEEDS_TIME) &&
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

/* `lists`: two, which the result refers to. */
static struct ptui_load_opts load_opts(const struct report_opts *o, const char **lists)
{
	struct ptui_load_opts lopts = o->in.load;

	lists[0] = o->sort;
	lists[1] = o->fields;
	lopts.mode = o->mode;
	lopts.extras = wanted_extras(o);
	lopts.fields = lists;
	lopts.n_fields = 2;
	lopts.callers = needs_callers(o);
	if (has_default_sort(o))
		lopts.extras |= PTUI_EXTRA_TRACE_ALONE;
	if (has_default_sort(o) && lopts.raw_trace) {
		lopts.extras |= PTUI_EXTRA_FIELDS;
		lopts.n_fields = 0;
	}
	lopts.merge = merge_of(o);
	lopts.cycles = o->total_cycles || plan_needs(o) & KEY_NEEDS_CYCLES;
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
	const char *lists[2];
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
	const char *lists[2];
	const struct ptui_load_opts lopts = load_opts(o, lists);
	struct ptui_error err = PTUI_ERROR_INIT;
	struct ptui_profile *p;
	struct ptui_trust trust;
	char several[PATH_MAX + 64];
	const char *path = o->in.load.n_more ? several : o->in.input;
	int ret = 0, status = CLI_OK;

	if (!lopts.no_chains) /* without them little is needed twice */
		memory_setup();
	p = ptui_profile_load(o->in.input, &lopts, &err, &ret);
	if (!lopts.no_chains)
		memory_trim();
	if (!p)
		return cli_cannot_open(cli, o->in.input, ret, &err);
	if (settle_default_sort(o, p, &err) || ptui_hist_check_keys(p, o->sort, o->fields, &err) ||
	    check_event(p, o, &err) || check_switch(p, "--switch-on", o->filter.switch_on, &err) ||
	    check_switch(p, "--switch-off", o->filter.switch_off, &err) ||
	    (o->filter.cpus && recording_check_cpus(p, o->in.input, &err)) ||
	    check_extras(p, o, &err)) {
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
	if ((count_samples(p) || o->json) && print_profile(cli, p, o, &err))
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

/* Standard input, or another pipe without a name of its own: `ptui report -i <(ssh …)`. */
static bool is_pipe(const char *path)
{
	struct stat st;

	if (!strcmp(path, "-"))
		return !fstat(STDIN_FILENO, &st) && !S_ISREG(st.st_mode);
	return !strncmp(path, "/dev/", 5) && !stat(path, &st) && S_ISFIFO(st.st_mode);
}

/* The screens show and undo filters, so these have a maximum length there. */
static int check_lengths(const struct ptui_hist_filter *f, struct ptui_error *err)
{
	const char *const texts[] = { f->comm, f->dso,	   f->symbol,	f->comms,
				      f->dsos, f->symbols, f->pids,	f->tids,
				      f->cpus, f->times,   f->hide_dsos };

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
		.hist = hist_opts(o, 0),
		.event = o->event,
		.order_given = o->chain.order_given,
		.hierarchy = o->hierarchy,
		.percent_limit = o->percent_limit,
		.chain_min_percent = o->chain.min_percent,
		.max_samples = o->max_samples,
		.from_pipe = is_pipe(o->in.input),
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
	return !o->stdio && !chain_is_text(&o->chain) && !o->in.header && !is_switched(o) &&
	       !o->separator && !o->quiet && !o->json && !o->csv && cli->hooks &&
	       cli->hooks->browse && (isatty(STDIN_FILENO) || !strcmp(o->in.input, "-")) &&
	       isatty(STDOUT_FILENO);
}

static int no_browser(const struct cli *cli, const struct report_opts *o)
{
	struct ptui_error err = PTUI_ERROR_INIT;

	if (o->stdio || o->separator || o->quiet || is_switched(o) || chain_is_text(&o->chain))
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
	if (o->verbose && !is_pipe(o->in.input) && !o->in.load.n_more) { /* it is read once more */
		what.more = add_memory;
		what.more_ctx = (void *)o;
	}
	if (!what.stats || (!what.tasks && !what.mmaps))
		return show_each(cli, o, &what);
	ptui_error_set(&err, PTUI_ERROR_INPUT, EINVAL, "--stats",
		       _("--tasks and --mmaps cannot be used together with --stats"));
	return cli_misused(cli, &err);
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
	if (asprintf(&o->with_parent, "%s%sparent",
		     o->sort			    ? o->sort :
		     o->fields && *o->fields != '+' ? "" :
						      "+",
		     o->sort ? "," : "") < 0) {
		o->with_parent = NULL;
		return ptui_error_nomem(err);
	}
	o->sort = o->with_parent;
	return 0;
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
	bool pipe = is_pipe(o->in.input);

	for (size_t i = 0; i < l->n_more; i++)
		pipe |= is_pipe(l->more[i]);
	if (!l->n_more)
		return 0;
	if (pipe)
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, "-",
				      _("a pipe can only be read alone, not with other files"));
	if (o->in.header_only || o->dump)
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, "--header-only",
				      _("--header-only and -D show one file, not several"));
	if (is_switched(o))
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, "--switch-on",
				      _("--switch-on and --switch-off cannot be used with several "
					"files: their samples have no common order"));
	return 0;
}

static int report_show(struct cli *cli, struct report_opts *o)
{
	struct ptui_error err = PTUI_ERROR_INIT;

	if (o->separator && !*o->separator)
		return cli_invalid(cli, "%s", _("--field-separator: the separator is empty"));
	if (o->separator && !strcmp(o->separator, "\\t"))
		o->separator = "\t";
	if ((o->json || o->csv) &&
	    (o->separator || o->in.header || o->hierarchy || o->tui || (o->json && o->csv)))
		return cli_invalid(
			cli, "%s",
			_("--json and --csv cannot be used together, nor with --field-separator, "
			  "--header, --hierarchy or --tui"));
	if (o->json && o->chain.given && o->chain.type != CHAIN_GRAPH)
		return cli_invalid(
			cli, "%s",
			_("-g with fractal, flat or folded is a form of text, and cannot "
			  "be used together with --json"));
	if (o->threads && (o->json || o->csv || o->tui))
		return cli_invalid(
			cli, "%s",
			_("--threads cannot be used together with --json, --csv or --tui"));
	if (o->total_cycles && (o->json || o->csv || o->tui || o->hierarchy || o->mem_mode ||
				o->sort || o->fields || o->mode == PTUI_MODE_SAMPLES))
		return cli_invalid(
			cli, "%s",
			_("--total-cycles cannot be used together with --json, --csv, --tui, "
			  "--hierarchy, --mem-mode, --sort, --fields or "
			  "--no-branch-stack"));
	if (o->dump_unsorted && !o->dump)
		return cli_invalid(cli, "%s",
				   _("--disable-order requires -D: the order of the records makes "
				     "no difference to rows"));
	if (o->total_cycles)
		o->mode = PTUI_MODE_BRANCHES;
	if (plan_needs(o) & KEY_NEEDS_CYCLES && o->tui)
		return cli_invalid(cli, "%s",
				   _("the key ipc_lbr cannot be used together with --tui"));
	if (o->threads || o->total_cycles || plan_needs(o) & KEY_NEEDS_CYCLES)
		o->stdio = true;
	/* whatever -g says, as in perf */
	if (o->inverted)
		o->chain.order = PTUI_CALLER;
	o->chain.order_given |= o->inverted;
	if (o->hierarchy && o->fields)
		return cli_invalid(cli, "%s",
				   _("--hierarchy cannot be used together with --fields"));
	if (o->hierarchy) { /* as in perf: the order of callchains follows --children all the same */
		o->inverted |= o->children;
		o->children = false;
		memset(o->widths, 0, sizeof(o->widths));
	}
	if (o->ignore_callees &&
	    ptui_hist_check_pattern("--ignore-callees", o->ignore_callees, &err))
		return cli_misused(cli, &err);
	if (settle_history(o, &err) || check_several(o, &err) || settle_mode(o, &err) ||
	    settle_parent(o, &err) || ptui_hist_check_names(o->sort, o->fields, NULL, &err) ||
	    settle_filter(o, &err))
		return cli_misused(cli, &err);
	if (recording_opts_settle(cli, &o->in, &err))
		return cli_failed(cli, &err);
	o->in.load.outermost = !o->branch_history && hist_opts(o, 0).order == PTUI_CALLER;
	if (o->in.header_only)
		return print_header(cli, o);
	if (o->dump)
		return show_dump(cli, o);
	if (o->records.stats || o->records.tasks || o->records.mmaps)
		return show_records(cli, o);
	if (wants_browser(cli, o)) {
		int status = browse(cli, o);

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
	if (n && !strcmp(o->in.input, CLI_DEFAULT_INPUT)) {
		o->in.input = *words++;
		n--;
	}
	o->in.load.more = (const char *const *)words;
	o->in.load.n_more = n;
}

static int run_report(struct cli *cli, int argc, char **argv)
{
	struct report_opts o = { .in.input = CLI_DEFAULT_INPUT,
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
		apply_default_sort(&o);
		if (o.verbose)
			cli_log_verbose();
		o.in.load.full_names = o.verbose; /* as in perf */
		status = report_show(cli, &o);
	}
	free(o.with_parent);
	free(o.by_default);
	free(o.comms);
	free(o.dsos);
	free(o.symbols);
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
