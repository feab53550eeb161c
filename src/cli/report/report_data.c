/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows for programs, --json and --csv. The schema is in the manual page of ptui report; a name that has
 * been published keeps its meaning.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "base/text.h"
#include "cli/report/report_row.h"

#define SCHEMA_VERSION 1

/* The name of a column, with its unit. */
static void add_name(const struct ptui_column *c, struct buf *out)
{
	static const struct {
		const char *key, *name;
	} names[] = {
		{ "overhead", "overhead_percent" },
		{ "overhead_children", "overhead_children_percent" },
		{ "overhead_sys", "overhead_sys_percent" },
		{ "overhead_us", "overhead_us_percent" },
		{ "overhead_guest_sys", "overhead_guest_sys_percent" },
		{ "overhead_guest_us", "overhead_guest_us_percent" },
		{ "sample", "samples" },
		{ "symbol_size", "symbol_size_bytes" },
		{ "time", "time_seconds" },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!strcmp(names[i].key, c->name)) {
			buf_add_str(out, names[i].name);
			return;
		}
	}
	buf_add_str(out, c->name);
}

/* With a point, whatever the locale's. */
static void add_percent(double percent, struct buf *out)
{
	uint64_t parts = (uint64_t)(percent * 10000 + 0.5);

	buf_addf(out, "%" PRIu64 ".%04" PRIu64, parts / 10000, parts % 10000);
}

static void add_quoted(const char *text, enum report_format format, struct buf *out)
{
	if (format == REPORT_JSON) {
		text_json(out, text);
		return;
	}
	if (!strpbrk(text, ",\"\n\r")) {
		buf_add_str(out, text);
		return;
	}
	buf_add_char(out, '"');
	for (; *text; text++) {
		if (*text == '"')
			buf_add_char(out, '"');
		buf_add_char(out, *text);
	}
	buf_add_char(out, '"');
}

/* A text as the rows show it: escaped, without the spaces that align it. */
static void add_text(const char *text, enum report_format format, struct buf *out)
{
	struct buf shown = BUF_INIT;

	text_escape(&shown, text + strspn(text, " "));
	add_quoted(buf_str(&shown), format, out);
	if (shown.err)
		out->err = shown.err;
	buf_release(&shown);
}

/* A text, or a number that is printed by itself. */
static void add_cell(const struct ptui_hist *h, size_t row, size_t col, bool number,
		     enum report_format format, struct buf *out)
{
	int n = ptui_hist_cell(h, row, col, NULL, 0);
	char *text = n < 0 ? NULL : malloc((size_t)n + 1);

	if (!text) {
		out->err = -ENOMEM;
		return;
	}
	ptui_hist_cell(h, row, col, text, (size_t)n + 1);
	if (number)
		buf_add_str(out, text + strspn(text, " "));
	else
		add_text(text, format, out);
	free(text);
}

static void add_value(const struct ptui_hist *h, size_t row, size_t col, enum report_format format,
		      struct buf *out)
{
	const struct ptui_column *c = ptui_hist_column(h, col);
	struct ptui_cell cell;

	ptui_hist_cell_parts(h, row, col, &cell);
	if (cell.kind == PTUI_CELL_PERCENT) {
		add_percent(cell.percent, out);
	} else if (cell.kind == PTUI_CELL_NUMBER) {
		buf_addf(out, "%" PRIu64, cell.number);
	} else if (!c->groups || !strcmp(c->name, "symbol_size")) { /* no number: N/A, unknown */
		buf_add_str(out, format == REPORT_JSON ? "null" : "");
	} else {
		add_cell(h, row, col, !strcmp(c->name, "time"), format, out);
	}
}

/* ---- callchains ---- */

/* A function, with its line if callchains are by address or line. */
static void add_frame(const struct ptui_calltree *t, const struct ptui_callnode *node, uint32_t i,
		      struct buf *out)
{
	char name[2 * REPORT_CELL_BYTES];
	size_t len;

	ptui_calltree_frame(t, node, i, name, sizeof(name) / 2);
	len = strlen(name);
	name[len] = ' ';
	ptui_calltree_line(t, node, i, name + len + 1, sizeof(name) / 2 - 1);
	if (!name[len + 1])
		name[len] = '\0';
	len = strlen(name);
	ptui_calltree_branches(t, node, i, name + len, sizeof(name) - len);
	add_text(name, REPORT_JSON, out);
}

static void add_nodes(const struct ptui_calltree *t, uint32_t first, bool count, struct buf *out)
{
	buf_add_char(out, '[');
	for (uint32_t at = first; at != PTUI_NONE;) {
		const struct ptui_callnode *node = ptui_calltree_node(t, at);

		buf_addf(out, "%s{\"period\": %" PRIu64, at == first ? "" : ", ", node->cumul);
		if (count)
			buf_addf(out, ", \"samples\": %" PRIu64, node->cumul_samples);
		buf_add_str(out, ", \"functions\": [");
		for (uint32_t i = 0; i < node->n_frames; i++) {
			buf_add_str(out, i ? ", " : "");
			add_frame(t, node, i, out);
		}
		buf_add_str(out, "], \"branches\": ");
		add_nodes(t, node->first_child, count, out);
		buf_add_char(out, '}');
		at = node->next;
	}
	buf_add_char(out, ']');
}

static int add_callchains(struct ptui_hist *h, size_t row, const struct report_style *style,
			  struct buf *out, struct ptui_error *err)
{
	uint64_t total = ptui_hist_total_period(h);
	uint64_t min = (uint64_t)((double)total * (style->chain_min_percent / 100.0));
	struct ptui_calltree *t = ptui_hist_calltree(h, row, min, err);
	bool count = style->chain_value == CHAIN_COUNT;
	int ret = t ? 0 : -ENOMEM;

	if (t && count)
		ret = ptui_calltree_count(t, h, row, err);
	if (!ret) {
		buf_add_str(out, ", \"callchains\": ");
		add_nodes(t, ptui_calltree_first(t), count, out);
	}
	ptui_calltree_free(t);
	return ret;
}

/* ---- rows ---- */

static int add_row(struct ptui_hist *h, size_t row, const struct ptui_event_info *event,
		   const struct report_style *style, struct buf *out, struct ptui_error *err)
{
	bool json = style->format == REPORT_JSON;
	size_t n = ptui_hist_n_columns(h);
	int ret = 0;

	if (json)
		buf_add_char(out, '{');
	else
		add_quoted(event->name, REPORT_CSV, out);
	for (size_t i = 0; i < n; i++) {
		if (i || !json)
			buf_add_str(out, json ? ", " : ",");
		if (json) {
			buf_add_char(out, '"');
			add_name(ptui_hist_column(h, i), out);
			buf_add_str(out, "\": ");
		}
		add_value(h, row, i, style->format, out);
	}
	if (json && style->chains && ptui_event_has_chains(event))
		ret = add_callchains(h, row, style, out, err);
	buf_add_str(out, json ? "}" : "\n");
	return ret;
}

static void add_csv_titles(const struct ptui_hist *h, struct buf *out)
{
	buf_add_str(out, "event");
	for (size_t i = 0; i < ptui_hist_n_columns(h); i++) {
		buf_add_char(out, ',');
		add_name(ptui_hist_column(h, i), out);
	}
	buf_add_char(out, '\n');
}

static void add_event(const struct ptui_hist *h, const struct ptui_event_info *event,
		      struct buf *out)
{
	struct ptui_hist_all all;

	ptui_hist_all(h, &all);
	buf_add_str(out, "\n  {\"event\": ");
	text_json(out, event->name);
	buf_addf(out, ", \"samples\": %" PRIu64 ", \"period\": %" PRIu64 ", \"rows\": [",
		 all.samples, ptui_hist_total_period(h));
}

void report_data_begin(const struct ptui_trust *trust, const struct report_style *style,
		       struct buf *out)
{
	if (style->format == REPORT_JSON)
		buf_addf(out, "{\"version\": %d, \"lost_samples\": %" PRIu64 ", \"events\": [",
			 SCHEMA_VERSION, trust->lost_samples);
}

void report_data_end(const struct report_style *style, struct buf *out)
{
	if (style->format == REPORT_JSON)
		buf_add_str(out, "\n]}\n");
}

int report_data(struct ptui_hist *h, const struct ptui_event_info *event,
		const struct report_style *style, bool first, struct buf *out,
		report_flush_fn flush, void *ctx, struct ptui_error *err)
{
	bool json = style->format == REPORT_JSON, any = false;
	int ret = 0;

	if (json && !first)
		buf_add_char(out, ',');
	if (json)
		add_event(h, event, out);
	else if (first)
		add_csv_titles(h, out);
	for (size_t row = 0; row < ptui_hist_n_rows(h) && !ret; row++) {
		if (report_below_limit(h, row, style->percent_limit))
			continue;
		if (json)
			buf_add_str(out, any ? ",\n    " : "\n    ");
		any = true;
		ret = add_row(h, row, event, style, out, err);
		if (!ret && out->err)
			ret = ptui_error_nomem(err);
		if (!ret && out->len >= FLUSH_BYTES)
			ret = flush(ctx, out);
	}
	if (json)
		buf_add_str(out, any ? "\n  ]}" : "]}");
	return ret ? ret : out->err ? ptui_error_nomem(err) : flush(ctx, out);
}
