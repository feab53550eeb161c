/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One refresh as text, in perf top's format, which programs parse. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>
#include "base/i18n.h"
#include "base/text.h"
#include "cli/report/report_row.h"
#include "cli/top/top.h"
#include "kernel/ops.h"
#include "record/options.h"

#define DEFAULT_FREQ_HZ 4000
#define HEADER_LINES	5  /* that perf reserves above the rows */
#define HALF_LIVES	20 /* older samples weigh less than a millionth */

uint64_t top_half_life_ns(uint32_t delay_ms)
{
	/* ln 2 / ln(8/7) refreshes */
	return (uint64_t)((double)delay_ms * 1e6 * 5.190893);
}

/* ---- the first line ---- */

/* Frequency or period as requested; "" if the events set their own. */
static void add_rate(const struct top *t, struct buf *out)
{
	const struct ptui_record_opts *o = &t->o->record.opts;
	uint64_t max_hz = options_max_freq_hz(kernel_ops_real());
	uint64_t hz = o->max_freq ? max_hz : o->freq_hz ? o->freq_hz : DEFAULT_FREQ_HZ;

	if (o->n_events > 1 || (o->n_events && strpbrk(o->events[0], ",/{")))
		return;
	if (o->period)
		buf_addf(out, "%" PRIu64 " ", o->period);
	else
		buf_addf(out, "%" PRIu64 "Hz ", max_hz && hz > max_hz ? max_hz : hz);
}

static void add_ids(const struct pid_words *ids, struct buf *out)
{
	for (size_t i = 0; i < ids->n; i++)
		buf_addf(out, "%s%d", i ? "," : "", (int)ids->pids[i]);
}

static void add_target(const struct top *t, struct buf *out)
{
	const struct record_options *r = &t->o->record;
	long n_cpus = sysconf(_SC_NPROCESSORS_ONLN);

	if (r->pids.n) {
		buf_add_str(out, " (target_pid: ");
		add_ids(&r->pids, out);
	} else if (r->tids.n) {
		buf_add_str(out, " (target_tid: ");
		add_ids(&r->tids, out);
	} else if (r->opts.user) {
		buf_add_str(out, " (uid: ");
		text_escape(out, r->opts.user);
	} else {
		buf_add_str(out, " (all");
	}
	if (r->opts.cpus) {
		buf_addf(out, ", CPU%s: ", strpbrk(r->opts.cpus, ",-") ? "s" : "");
		text_escape(out, r->opts.cpus);
		buf_add_char(out, ')');
	} else if (r->pids.n || r->tids.n) {
		buf_add_char(out, ')');
	} else {
		buf_addf(out, ", %ld CPU%s)", n_cpus, n_cpus > 1 ? "s" : "");
	}
}

static void add_header(const struct top *t, const char *event, struct buf *out)
{
	const struct top_counts *c = &t->now;
	double samples = (double)c->samples, all = samples > 0 ? samples : 1;

	buf_addf(out, "   PerfTop:%8.0f irqs/sec  kernel:%4.1f%%  exact: %4.1f%%",
		 t->passed_s > 0 ? samples / t->passed_s : 0.0, 100 * (double)c->kernel / all,
		 100 * (double)c->exact / all);
	buf_addf(out, " lost: %" PRIu64 "/%" PRIu64 " drop: %" PRIu64 "/%" PRIu64 " [", c->lost,
		 t->stats.lost, c->dropped, t->stats.dropped_samples);
	add_rate(t, out);
	text_escape(out, event);
	buf_add_str(out, "], ");
	add_target(t, out);
	buf_add_char(out, '\n');
}

/* ---- the rows ---- */

/* Older samples are not counted: as requested, or because their weight is negligible. */
static uint64_t counted_since_ns(const struct top *t)
{
	uint64_t sideband_log_ns = HALF_LIVES * top_half_life_ns(t->look.delay_ms);
	uint64_t since_ns = t->info.seen_ns > sideband_log_ns ? t->info.seen_ns - sideband_log_ns :
								0;

	return t->look.zero || since_ns < t->since_ns ? t->since_ns : since_ns;
}

/* If samples arrive fast, memory covers less time. Printed where perf prints warnings. */
static void add_warning(const struct top *t, struct buf *out)
{
	if (t->info.left && t->info.first_ns > counted_since_ns(t))
		buf_addf(
			out,
			_("WARNING: only the last %.1f s are counted, older samples have left memory"),
			(double)(t->info.last_ns - t->info.first_ns) / 1e9);
}

static struct ptui_hist *count(const struct top *t, struct ptui_profile *p, uint32_t event,
			       struct ptui_error *err)
{
	const struct chain_choice *chain = &t->o->chain;
	struct ptui_hist_opts opts = {
		.event = event,
		.sort = t->o->sort,
		.fields = t->o->fields,
		.children = top_wants_children(t->o),
		.show_samples = t->o->show_samples,
		.show_addresses = t->o->record.verbose,
		.no_chains = chain->none,
		.order = chain->order,
		.since_ns = counted_since_ns(t),
		.half_life_ns = t->look.zero ? 0 : top_half_life_ns(t->look.delay_ms),
		.filter.user = t->look.hide_kernel,
		.filter.kernel = t->look.hide_user,
		.filter.comm = t->o->comm,
		.filter.dso = t->o->dso,
		.filter.symbol = t->o->symbol,
		.filter.hide_dsos = t->o->hide_dsos,
		.filter.collapse_recursion = t->o->collapse_recursion,
		.relative = t->o->relative || t->look.hide_kernel || t->look.hide_user,
	};

	if (!chain->order_given)
		opts.order = opts.children ? PTUI_CALLER : PTUI_CALLEE;
	return ptui_hist_new(p, &opts, err);
}

static bool is_shown(const struct top *t, const struct ptui_hist *h, size_t row)
{
	struct ptui_row r;

	ptui_hist_row(h, row, &r);
	return r.period_children && r.samples + (t->look.min_samples == 0) > t->look.min_samples &&
	       !report_below_limit(h, row, t->o->percent_limit);
}

/*
 * Limits the lines to the height of the terminal, so that the first ones stay visible; -E limits
 * the rows.
 */
struct room {
	uint64_t rows, lines;
};

static struct room room_for(const struct top *t)
{
	unsigned rows, cols;

	if (t->look.entries)
		return (struct room){ t->look.entries, UINT64_MAX };
	top_terminal_size(&rows, &cols);
	rows = rows > HEADER_LINES + 1 ? rows - HEADER_LINES : 1;
	return (struct room){ rows, isatty(STDOUT_FILENO) ? rows : UINT64_MAX };
}

static void keep_lines(struct buf *text, uint64_t lines)
{
	for (size_t i = 0; i < text->len; i++)
		if (text->data[i] == '\n' && !--lines) {
			text->len = i + 1;
			return;
		}
}

static int add_rows(const struct top *t, struct ptui_hist *h, bool chains, struct buf *out,
		    struct ptui_error *err)
{
	const struct report_style style = {
		.sort = t->o->sort,
		.fields = t->o->fields,
		.chains = chains && !t->o->chain.none,
		.chain_min_percent = t->o->chain.min_percent,
		.chain_max_lines = t->o->chain.max_lines,
	};
	struct room room = room_for(t);
	struct report_plan *plan = report_plan_new(h, &style);
	struct buf rows = BUF_INIT;
	int ret = plan ? 0 : ptui_error_nomem(err);

	for (size_t i = 0; i < ptui_hist_n_rows(h) && room.rows && !ret; i++) {
		if (!is_shown(t, h, i))
			continue;
		report_plan_row(plan, i, &rows);
		if (style.chains)
			ret = report_chain(h, i, &style, &rows, err);
		room.rows--;
	}
	report_plan_free(plan);
	keep_lines(&rows, room.lines);
	if (!ret && rows.err)
		ret = ptui_error_nomem(err);
	buf_add(out, rows.data, rows.len);
	buf_release(&rows);
	return ret;
}

static int add_look(const struct top *t, struct ptui_profile *p, unsigned width, struct buf *out,
		    struct ptui_error *err)
{
	struct ptui_live_event e;
	struct ptui_hist *h;
	size_t before;
	int ret;

	ptui_live_event(t->live, t->event, &e);
	add_header(t, e.name ? e.name : "", out);
	for (unsigned i = 0; i < width; i++)
		buf_add_char(out, '-');
	buf_add_char(out, '\n');
	before = out->len;
	add_warning(t, out);
	if (!p || e.profile_event >= ptui_profile_n_events(p)) {
		buf_add_char(out, '\n');
		return 0;
	}
	h = count(t, p, e.profile_event, err);
	if (!h)
		return -ENOMEM;
	if (out->len == before)
		report_stacks(h, ptui_profile_event(p, e.profile_event), out);
	buf_add_char(out, '\n');
	ret = add_rows(t, h, ptui_profile_event(p, e.profile_event)->has_callchains, out, err);
	ptui_hist_free(h);
	return ret;
}

/* Cuts long lines: wrapped ones would scroll the first lines off the terminal. */
static void add_cut(struct buf *out, const char *text, size_t width)
{
	char one[MB_LEN_MAX + 1];
	size_t at = 0;

	for (; *text; text += strlen(one)) {
		mbstate_t state = { 0 };
		size_t n = mbrlen(text, MB_CUR_MAX, &state);

		n = n && n <= MB_LEN_MAX ? n : 1;
		memcpy(one, text, n);
		one[n] = '\0';
		at = *one == '\n' ? 0 : at + text_width(one);
		if (!at || at <= width)
			buf_add(out, one, n);
	}
}

int top_text(const struct top *t, struct ptui_profile *p, struct buf *out, struct ptui_error *err)
{
	struct buf look = BUF_INIT;
	unsigned rows, cols;
	int ret;

	top_terminal_size(&rows, &cols);
	ret = add_look(t, p, cols - 1, &look, err);
	if (ret) {
		buf_release(&look);
		return ret;
	}
	if (isatty(STDOUT_FILENO)) {
		buf_add_str(out, "\033[H\033[2J\n");
		add_cut(out, buf_str(&look), cols - 1);
	} else {
		buf_add(out, look.data, look.len);
		buf_add_char(out, '\n');
	}
	if (look.err)
		out->err = look.err;
	buf_release(&look);
	return out->err ? ptui_error_nomem(err) : 0;
}
