/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text of `ptui report`: which events it has, as which views, and what is around them. */
#include "cli/report/report_options.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include "base/i18n.h"
#include "base/text.h"
#include "cli/out.h"
#include "cli/pager.h"
#include "profile/hist/keys.h"
#include "ptui/log.h"

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

struct ptui_hist_opts report_hist_opts(const struct report_opts *o, uint32_t event)
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

/* These leave samples out of the total as well. */
static bool drops_samples(const struct report_opts *o)
{
	return report_is_switched(o) || o->filter.times || o->filter.cpus || o->filter.resolved;
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

unsigned report_needs(const struct report_opts *o)
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
	struct ptui_hist_opts hopts = report_hist_opts(o, event);
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
	if (report_needs(o) & KEY_NEEDS_CYCLES && report_ipc(h, &o->filter)) {
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

int report_check_event(const struct ptui_profile *p, const struct report_opts *o,
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

int report_print(const struct cli *cli, struct ptui_profile *p, const struct report_opts *o,
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
