/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows of one event as text, in perf's layout; comment lines begin with '#'. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "base/text.h"
#include "base/thread.h"
#include "base/vec.h"
#include "cli/report/report_row.h"

#define MISSING_MAX 100 /* lines of DSOs without symbols */

/* 964, 1K, 12M: perf's short numbers. */
static uint64_t short_number(uint64_t value, char *ret_unit)
{
	static const char units[] = { ' ', 'K', 'M', 'G' };
	size_t i = 0;

	while (value > 1000 && i + 1 < sizeof(units)) {
		value /= 1000;
		i++;
	}
	*ret_unit = units[i];
	return value;
}

int report_read_widths(const char *text, uint16_t ret[REPORT_WIDTHS], struct ptui_error *err)
{
	const char *at = text;

	for (size_t i = 0; i < REPORT_WIDTHS; i++) {
		uint64_t n;

		at = text_number(at, REPORT_CELL_BYTES - 1, &n);
		if (!at || (*at && *at != ','))
			break;
		ret[i] = (uint16_t)n;
		if (!*at++)
			return 0;
	}
	return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, text,
			      _("expected widths such as 10,8,20, not '%s'"), text);
}

void report_fitted(struct buf *out, const char *text, size_t width, bool right)
{
	size_t have = text_width(text), fill = have < width ? width - have : 0;

	if (right)
		buf_add_spaces(out, fill);
	buf_add_str(out, text);
	if (!right)
		buf_add_spaces(out, fill);
}

/* Not translated: programs parse perf's words. */
static void add_titles(const struct ptui_hist *h, const struct report_style *style, struct buf *out)
{
	size_t n = ptui_hist_n_columns(h);
	char title[64];

	buf_add_str(out, "# ");
	for (size_t i = 0; i < n; i++) {
		const struct ptui_column *c = ptui_hist_column(h, i);

		if (report_is_hidden(style, i))
			continue;
		if (report_follows(style, i))
			buf_add_str(out, style->separator ? style->separator : "  ");
		snprintf(title, sizeof(title), "%s", c->title);
		report_cut(h, style, i, title);
		report_fitted(out, title, report_width(h, style, i), c->number);
	}
	buf_add_char(out, '\n');
	if (style->separator)
		return;
	buf_add_str(out, "# ");
	for (size_t i = 0; i < n; i++) {
		if (report_is_hidden(style, i))
			continue;
		if (report_follows(style, i))
			buf_add_str(out, "  ");
		for (unsigned w = 0; w < report_width(h, style, i); w++)
			buf_add_char(out, '.');
	}
	buf_add_str(out, "\n#\n");
}

static double percent_of(uint64_t part, uint64_t all)
{
	return all ? 100.0 * (double)part / (double)all : 0;
}

static void add_ends(const struct ptui_hist_stacks *s, struct buf *out)
{
	for (size_t i = 0; i < s->n_ends; i++) {
		buf_add_str(out, i ? ", " : ", the others end in ");
		text_escape(out, s->ends[i].dso);
		buf_addf(out, " (%.1f%%", percent_of(s->ends[i].stacks, s->stacks));
		if (s->ends[i].why) {
			buf_add_str(out, ": ");
			text_escape(out, s->ends[i].why);
		}
		buf_add_char(out, ')');
	}
}

static void add_reach(const struct ptui_hist_stacks *s, const struct ptui_event_info *event,
		      struct buf *out)
{
	buf_addf(out, "User stacks: %.1f%% reach the start of their program or thread",
		 percent_of(s->reach, s->stacks));
	if (s->cut)
		buf_addf(out, ", %.1f%% are cut at %" PRIu32 " frames",
			 percent_of(s->cut, s->stacks), s->max_stack);
	if (s->truncated)
		buf_addf(out, ", %.1f%% are deeper than their copy",
			 percent_of(s->truncated, s->stacks));
	if (s->truncated && event->dump_bytes)
		buf_addf(out, " of %" PRIu32 " bytes", event->dump_bytes);
	if (s->other_stack)
		buf_addf(out, ", %.1f%% lead to another stack, which is not copied",
			 percent_of(s->other_stack, s->stacks));
	add_ends(s, out);
	if (percent_of(s->reach, s->stacks) < 80)
		buf_add_str(out, "; inclusive times of callers are far too low");
	if (percent_of(s->guessed, s->stacks) >= 0.05)
		buf_addf(out, "; %.1f%% have callers found by frame pointers only",
			 percent_of(s->guessed, s->stacks));
	if (percent_of(s->skipped, s->stacks) >= 0.05)
		buf_addf(out, "; %.1f%% lack the caller of the innermost function",
			 percent_of(s->skipped, s->stacks));
}

/* Not translated: programs parse it, like all of perf's text. */
void report_stacks(const struct ptui_hist *h, const struct ptui_event_info *event, struct buf *out)
{
	struct ptui_hist_stacks s;
	size_t begin = out->len;

	ptui_hist_stacks(h, &s);
	if (s.stacks)
		add_reach(&s, event, out);
	else if (s.unread)
		buf_add_str(out, "User stacks: not checked, the files in which they end "
				 "cannot be read");
	if (s.not_unwound) {
		buf_add_str(out, out->len > begin ? "; " : "User stacks: ");
		if (s.stacks)
			buf_addf(out, "%.1f%% more were ",
				 percent_of(s.not_unwound, s.stacks + s.not_unwound));
		buf_add_str(out, "not unwound: ");
		text_escape(out,
			    event->stacks_why ? event->stacks_why : "the samples lack registers");
	}
	if (s.lost) {
		buf_add_str(out, out->len > begin ? "; " : "User stacks: ");
		buf_addf(out, "%" PRIu64 " samples lack their deferred user callchain", s.lost);
	}
	if (s.late) {
		buf_add_str(out, out->len > begin ? "; " : "User stacks: ");
		buf_addf(out, "%" PRIu64 " samples were not unwound in time while recording",
			 s.late);
	}
}

static void add_stacks(const struct ptui_hist *h, const struct ptui_event_info *event,
		       struct buf *out)
{
	struct buf text = BUF_INIT;

	report_stacks(h, event, &text);
	if (text.len)
		buf_addf(out, "# %s\n", buf_str(&text));
	if (text.err)
		out->err = text.err;
	buf_release(&text);
}

/* Each on a line, the largest first: share, file, reason. */
static void add_missing(const struct ptui_hist *h, struct buf *out)
{
	struct ptui_missing list[MISSING_MAX];
	size_t n = ptui_hist_missing(h, list, MISSING_MAX);

	for (size_t i = 0; i < n && i < MISSING_MAX; i++) {
		const struct ptui_missing *m = &list[i];

		buf_addf(out, "# %s: %.2f%% in ",
			 m->state == PTUI_SYMBOLS_UNVERIFIED ? "Unverified" : "Without symbols",
			 percent_of(m->period, ptui_hist_total_period(h)));
		text_escape(out, m->path ? m->path : m->dso);
		if (m->why) {
			buf_add_str(out, ": ");
			text_escape(out, m->why);
		}
		buf_add_char(out, '\n');
	}
}

/* perf's default has a key that it leaves out on most machines. */
static void add_weight(uint64_t weight, const struct report_style *style, struct buf *out)
{
	bool adds = !style->sort || *style->sort == '+';

	buf_addf(out, "\n# Total weight : %" PRIu64 "\n# Sort order   : ", weight);
	if (adds)
		buf_addf(out, "%s,local_p_stage_cyc%s", ptui_default_sort(PTUI_MODE_MEMORY),
			 style->sort ? "," : "");
	if (style->sort)
		text_escape(out, style->sort + adds);
	buf_add_char(out, '\n');
}

void report_head(const struct ptui_hist *h, const struct ptui_event_info *event,
		 const struct report_style *style, struct buf *out)
{
	struct ptui_hist_shown shown;
	struct ptui_hist_all all;
	uint64_t samples = 0, period = 0;
	char unit;

	if (style->quiet)
		return;
	for (size_t i = 0; i < ptui_hist_n_grouped(h); i++) {
		ptui_hist_all(ptui_hist_grouped(h, i), &all);
		ptui_hist_shown(ptui_hist_grouped(h, i), &shown);
		samples += style->relative ? shown.samples : all.samples;
		period += ptui_hist_total_period(ptui_hist_grouped(h, i));
	}
	samples = short_number(samples, &unit);
	buf_addf(out, "# Samples: %" PRIu64 "%c of %s '", samples, unit,
		 style->of_group ? "events" : "event");
	text_escape(out, style->events ? style->events : event->name);
	buf_add_char(out, '\'');
	if (style->times)
		buf_addf(out, " (time slices: %s)", style->times);
	if (style->memory)
		add_weight(period, style, out);
	else
		buf_addf(out, "\n# Event count (approx.): %" PRIu64 "\n", period);
	if (style->socket >= 0)
		buf_addf(out, "# Processor Socket: %d\n", (int)style->socket);
	add_stacks(h, event, out);
	if (style->missing)
		add_missing(h, out);
	buf_add_str(out, "#\n");
}

/* ---- rows ---- */

#define PARTS 4 /* threads, at most, that write rows at the same time */
/* Of each: the first rows, with the largest trees, one by one, and then as many as have some of that text. */
#define PART_ROWS  4096
#define PART_BYTES ((size_t)1 << 20)

/*
 * The rows of a view, in rounds: as many by each part, one after the other. A round is printed while the next one is
 * written.
 */
struct rows_text {
	struct ptui_hist *h;
	const struct report_style *style;
	report_flush_fn flush;
	void *ctx;
	bool chains;
	uint64_t chain_min; /* see report_chain_min() */
	size_t first, each, end;
	size_t n_parts;
	bool odd; /* rounds take turns with the buffers */
	int ret;  /* of flush() */
	struct text_part {
		struct report_plan *plan;
		struct buf out[2];
		struct ptui_error err;
		int ret;
	} parts[PARTS];
};

static void write_part(struct rows_text *t, size_t i)
{
	struct text_part *part = &t->parts[i];
	struct buf *out = &part->out[t->odd];
	size_t first = t->first + i * t->each, end = first + t->each;
	double limit = t->style->percent_limit;

	for (size_t row = first; row < end && row < t->end && !part->ret; row++) {
		struct ptui_row r;

		if (limit > 0 && report_below_limit(t->h, row, limit))
			continue;
		report_plan_row(part->plan, row, out);
		if (!t->chains)
			continue;
		ptui_hist_row(t->h, row, &r);
		if (r.period_children >= t->chain_min)
			part->ret = report_chain(t->h, row, t->style, out, &part->err);
	}
	if (!part->ret && out->err)
		part->ret = ptui_error_nomem(&part->err);
}

/* The round before. */
static void print_parts(struct rows_text *t)
{
	for (size_t i = 0; i < t->n_parts && !t->ret; i++)
		t->ret = t->flush(t->ctx, &t->parts[i].out[!t->odd]);
}

/* If there are several parts, each has a thread, beside the one that prints. */
static void run_round(void *ctx, size_t i)
{
	struct rows_text *t = ctx;

	if (!i)
		print_parts(t);
	if (i || t->n_parts == 1)
		write_part(t, i ? i - 1 : 0);
}

static int add_rounds(struct rows_text *t, struct ptui_error *err)
{
	for (t->each = 1; t->first < t->end && !t->ret; t->odd = !t->odd) {
		size_t most = 0;

		thread_each(t->n_parts > 1 ? t->n_parts + 1 : 1, run_round, t);
		for (size_t i = 0; i < t->n_parts; i++) {
			const struct text_part *part = &t->parts[i];

			if (part->ret && err)
				*err = part->err;
			if (part->ret)
				return part->ret;
			most = part->out[t->odd].len > most ? part->out[t->odd].len : most;
		}
		t->first += t->n_parts * t->each;
		if (most > PART_BYTES && t->each > 1)
			t->each /= 2;
		else if (most < PART_BYTES / 2 && t->each < PART_ROWS)
			t->each *= 2;
	}
	print_parts(t);
	return t->ret;
}

static int add_rows(struct rows_text *t, struct ptui_error *err)
{
	unsigned cpus = t->end > PART_ROWS ? thread_cpus() : 1;
	int ret = 0;

	t->n_parts = cpus < PARTS ? cpus : PARTS;
	for (size_t i = 0; i < t->n_parts && !ret; i++) {
		t->parts[i].err = (struct ptui_error)PTUI_ERROR_INIT;
		t->parts[i].plan = report_plan_new(t->h, t->style);
		if (!t->parts[i].plan)
			ret = ptui_error_nomem(err);
	}
	if (!ret)
		ret = add_rounds(t, err);
	for (size_t i = 0; i < t->n_parts; i++) {
		report_plan_free(t->parts[i].plan);
		buf_release(&t->parts[i].out[0]);
		buf_release(&t->parts[i].out[1]);
	}
	return ret;
}

int report_text(struct ptui_hist *h, const struct ptui_event_info *event,
		const struct report_style *style, struct buf *out, report_flush_fn flush, void *ctx,
		struct ptui_error *err)
{
	struct rows_text rows = { .h = h,
				  .style = style,
				  .flush = flush,
				  .ctx = ctx,
				  .chains = style->chains && ptui_event_has_chains(event),
				  .chain_min = report_chain_min(h, style),
				  .end = ptui_hist_n_rows(h) };
	int ret;

	report_head(h, event, style, out);
	if (style->hierarchy && !style->quiet)
		report_hierarchy_titles(h, style, out);
	else if (!style->quiet)
		add_titles(h, style, out);
	if (style->hierarchy)
		ret = report_hierarchy(h, event, style, out, flush, ctx, err);
	else if (!(ret = out->err ? ptui_error_nomem(err) : flush(ctx, out)))
		ret = add_rows(&rows, err);
	if (ret)
		return ret;
	buf_add_str(out, "\n\n");
	return out->err ? ptui_error_nomem(err) : flush(ctx, out);
}
