/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "text/grouped.h"
#include "text/i18n.h"
#include "text/number.h"
#include "text/strings.h"
#include "text/utf8.h"
#include "view/snapshots/snapshots_private.h"
#include "widget/line.h"
#include "widget/scroll.h"

/* ---- texts of a snapshot ---- */

char *snapshots_news(size_t number, const struct ptui_snapshot *facts, char *buf, size_t size)
{
	struct grouped samples = grouped(facts->samples);
	char span[32], pause[32];

	number_span_ns(span, sizeof(span), facts->span_ns);
	number_span_ns(pause, sizeof(pause), facts->pause_ns);
	if (facts->pause_ns)
		snprintf(buf, size,
			 Q_("Snapshot %zu (%s): %s sample, %s; rings paused for %s",
			    "Snapshot %zu (%s): %s samples, %s; rings paused for %s",
			    facts->samples),
			 number, snapshot_list_why(facts->why), samples.text, span, pause);
	else
		snprintf(buf, size,
			 Q_("Snapshot %zu (%s): %s sample, %s", "Snapshot %zu (%s): %s samples, %s",
			    facts->samples),
			 number, snapshot_list_why(facts->why), samples.text, span);
	return buf;
}

static const char *reason(enum ptui_snapshot_why why)
{
	static const char *const texts[] = {
		[PTUI_SNAPSHOT_ASKED] = N_("Requested with a key at %s."),
		[PTUI_SNAPSHOT_SIGNAL] = N_("Requested by SIGUSR2 at %s."),
		[PTUI_SNAPSHOT_CONTROL] = N_("Requested by a --control command at %s."),
		[PTUI_SNAPSHOT_EVENT] = N_("The event of --switch-output-event occurred at %s."),
		[PTUI_SNAPSHOT_WHEN] = N_("A condition (--snapshot-when) became true at %s."),
		[PTUI_SNAPSHOT_SIZE] = N_("The size limit of --switch-output was reached at %s."),
		[PTUI_SNAPSHOT_TIME] = N_("The time limit of --switch-output was reached at %s."),
	};

	return (size_t)why < sizeof(texts) / sizeof(texts[0]) ? _(texts[why]) : "%s";
}

static void put_overlap(const struct snapshot_row *r, char *buf, size_t size)
{
	const struct ptui_snapshot *f = &r->facts;
	struct grouped shared = grouped(f->samples - f->new_samples);
	char span[32];

	number_span_ns(span, sizeof(span), f->overlap_ns);
	if (f->samples > f->new_samples && f->overlap_ns)
		text_join(buf, size, " ",
			  _("%s of its samples (%s) are also in the previous snapshot."),
			  shared.text, span);
	else if (f->samples > f->new_samples)
		text_join(buf, size, " ", _("%s of its samples are also in the previous snapshot."),
			  shared.text);
	else if (f->gap && r->number > 1)
		text_join(
			buf, size, " ", "%s",
			_("The samples between the previous snapshot and this one were overwritten."));
}

static void put_pause(const struct ptui_snapshot *f, char *buf, size_t size)
{
	char pause[32], react[32];

	number_span_ns(pause, sizeof(pause), f->pause_ns);
	number_span_ns(react, sizeof(react), f->react_ns);
	if (f->pause_ns && f->lost)
		text_join(
			buf, size, " ",
			Q_("The ring buffers were paused for %s; %s sample was lost in that time.",
			   "The ring buffers were paused for %s; %s samples were lost in that time.",
			   f->lost),
			pause, grouped(f->lost).text);
	else if (f->pause_ns)
		text_join(buf, size, " ",
			  _("The ring buffers were paused for %s; no samples were lost."), pause);
	if (f->react_ns)
		text_join(buf, size, " ", _("It was taken %s after the request."), react);
}

/* What the columns do not show: reason, file, overlap and gaps, pause. Returns buf. */
static char *snapshots_details(const struct snapshot_row *r, char *buf, size_t size)
{
	char clock[32], label[256], bytes[32];

	number_clock_ns(clock, sizeof(clock), r->facts.taken_ns);
	snprintf(buf, size, "%s:", snapshot_list_label(r, label, sizeof(label)));
	/* the formats are those of reason() */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	text_join(buf, size, " ", reason(r->facts.why), clock);
#pragma GCC diagnostic pop
	if (r->path)
		text_join(buf, size, " ", _("File: %s."), r->path);
	else
		text_join(
			buf, size, " ", "%s",
			_("It has no file of its own, so it cannot be opened: its samples were added "
			  "to the file of the recording."));
	if (r->facts.aux_bytes)
		text_join(buf, size, " ", _("It has %s of AUX data."),
			  number_bytes(bytes, sizeof(bytes), r->facts.aux_bytes));
	put_overlap(r, buf, size);
	put_pause(&r->facts, buf, size);
	return buf;
}

/* ---- rows ---- */

enum {
	COLUMN_MARK,
	COLUMN_NUMBER,
	COLUMN_TAKEN,
	COLUMN_SPAN,
	COLUMN_SAMPLES,
	COLUMN_SIZE,
	COLUMN_AUX, /* only if a snapshot has AUX data */
	COLUMN_OVERLAP,
	COLUMN_WHY,
	COLUMN_NAME,
	N_COLUMNS
};

static const struct snapshot_row *row_at(void *ctx, size_t row)
{
	const struct snapshots_view *v = ctx;

	return snapshot_list_get(v->list, row);
}

static const char *span_text(uint64_t ns, char *buf, size_t size)
{
	return ns ? number_span_ns(buf, size, ns) : "–";
}

static const char *row_cell(void *ctx, size_t row, size_t column, char *buf, size_t size,
			    style_t *style)
{
	const struct snapshot_row *r = row_at(ctx, row);
	const struct snapshots_view *v = ctx;

	switch (column + (column >= COLUMN_AUX && !v->has_aux)) {
	case COLUMN_MARK:
		*style = ROLE_KEY;
		return r->marked ? "*" : "";
	case COLUMN_NUMBER:
		snprintf(buf, size, "%zu", r->number);
		return buf;
	case COLUMN_TAKEN:
		return number_clock_ns(buf, size, r->facts.taken_ns);
	case COLUMN_SPAN:
		return span_text(r->facts.span_ns, buf, size);
	case COLUMN_SAMPLES:
		return text_grouped(buf, size, r->facts.samples);
	case COLUMN_SIZE:
		return number_bytes(buf, size, r->facts.bytes);
	case COLUMN_AUX:
		return r->facts.aux_bytes ? number_bytes(buf, size, r->facts.aux_bytes) : "";
	case COLUMN_OVERLAP:
		*style = ROLE_DIM;
		return span_text(r->facts.overlap_ns, buf, size);
	case COLUMN_WHY:
		*style = r->facts.why == PTUI_SNAPSHOT_ASKED ? ROLE_TEXT : ROLE_NOTE;
		return snapshot_list_reason(r);
	default:
		*style = r->name ? ROLE_TITLE : ROLE_DIM;
		return r->name ? r->name : r->path ? "–" : _("no file of its own");
	}
}

static uint64_t row_id(void *ctx, size_t row)
{
	return row_at(ctx, row)->number;
}

static bool row_matches(void *ctx, size_t row, const char *text)
{
	return snapshot_list_matches(row_at(ctx, row), text);
}

const struct table_ops snapshots_table_ops = {
	.list = offsetof(struct snapshots_view, list),
	.n_rows = offsetof(struct snapshot_list, n),
	.cell = row_cell,
	.id = row_id,
	.matches = row_matches,
};

static bool has_aux(const struct snapshots_view *v)
{
	for (size_t i = 0; i < v->list->n; i++)
		if (v->list->rows[i].facts.aux_bytes)
			return true;
	return false;
}

void snapshots_set_columns(struct snapshots_view *v)
{
	struct table_column columns[N_COLUMNS] = {
		[COLUMN_MARK] = { .title = "", .width = 1 },
		[COLUMN_NUMBER] = { .title = "#", .width = 4, .align = ALIGN_RIGHT },
		[COLUMN_TAKEN] = { .title = _("Taken"), .width = 9, .align = ALIGN_RIGHT },
		[COLUMN_SPAN] = { .title = _("Span"), .width = 7, .align = ALIGN_RIGHT, .hide = 1 },
		[COLUMN_SAMPLES] = { .title = _("Samples"), .width = 9, .align = ALIGN_RIGHT },
		[COLUMN_SIZE] = { .title = _("Size"), .width = 7, .align = ALIGN_RIGHT, .hide = 3 },
		[COLUMN_AUX] = { .title = _("AUX"), .width = 7, .align = ALIGN_RIGHT, .hide = 4 },
		[COLUMN_OVERLAP] = { .title = _("Overlap"),
				     .width = 7,
				     .align = ALIGN_RIGHT,
				     .hide = 5 },
		/* conditions get the room they need, but leave some for names */
		[COLUMN_WHY] = { .title = _("Why"), .width = 9, .min = 9, .most = 32, .hide = 2 },
		[COLUMN_NAME] = { .title = _("Name"), .width = 12, .fill = true },
	};

	v->has_aux = has_aux(v);
	if (!v->has_aux)
		memmove(columns + COLUMN_AUX, columns + COLUMN_AUX + 1,
			(N_COLUMNS - COLUMN_AUX - 1) * sizeof(*columns));
	table_fit_columns(&v->table, columns, N_COLUMNS - !v->has_aux);
}

/* ---- the first line ---- */

static void files_text(const struct snapshots_view *v, char *buf, size_t size)
{
	size_t n = snapshot_list_files(v->list);
	uint64_t bytes = 0;
	char sum[32];

	*buf = '\0';
	for (size_t i = 0; i < v->list->n; i++)
		bytes += v->list->rows[i].path ? v->list->rows[i].facts.bytes : 0;
	if (n)
		snprintf(buf, size, Q_("%zu file, %s", "%zu files, %s", n), n,
			 number_bytes(sum, sizeof(sum), bytes));
	/* by --switch-max-files */
	if (v->list->removed)
		text_append(buf, size, _(" (%zu older removed)"), v->list->removed);
}

void snapshots_draw_head(void *self, const struct canvas *line)
{
	struct snapshots_view *v = self;
	const char *where = stack_n_tabs(v->stack) > 1 ? "" : _("Snapshots");
	char text[96];

	if (v->saving) {
		int percent = worker_percent(v->saving);

		snprintf(text, sizeof(text), _("copying… %d%%, ESC stops it"),
			 percent > 0 ? percent : 0);
		line_head(line, where, text, ROLE_NOTE);
		return;
	}
	files_text(v, text, sizeof(text));
	line_head(line, where, utf8_width(text) + 2 <= line->at.w ? text : "", ROLE_DIM);
}

/* ---- details ---- */

/* Explains what to do. */
static const char *empty_text(const struct snapshots_view *v)
{
	bool can = v->recorder.can && v->recorder.can(v->recorder.ctx);

	if (can && v->list->taken)
		return _("No snapshots left: press s to take one.");
	if (can)
		return _("No snapshots yet: press s or send SIGUSR2 to take one. It contains the "
			 "samples kept from the last seconds; the recording goes on.");
	if (v->list->taken)
		return _("No snapshots left: they were deleted.");
	if (v->recorder.take)
		return _("This recording cannot take snapshots: every sample goes straight to its "
			 "file. To keep the last seconds instead, record with --overwrite (in the "
			 "ring buffers) or -M SIZE (in memory), or with the flight recorder preset "
			 "(P in Setup).");
	return _("No snapshot was taken.");
}

void snapshots_draw(void *self, const struct canvas *c)
{
	struct snapshots_view *v = self;
	struct canvas part;
	char text[2048];

	box_reflow(v->boxes, N_SNAPSHOTS_BOXES, c->at.h);
	part = box_canvas(&v->boxes[BOX_ROWS], c);
	if (v->list->n)
		table_draw(&v->table, &part);
	else
		scroll_text(&part, part.at.h > 4 ? 1 : 0, 2, part.at.w - 4, ROLE_DIM,
			    empty_text(v));
	part = box_canvas(&v->boxes[BOX_RULE], c);
	if (part.at.h && v->list->n)
		canvas_rule(&part, 0);
	part = box_canvas(&v->boxes[BOX_DETAILS], c);
	if (snapshots_here(v))
		scroll_text(&part, 0, 1, part.at.w - 2, ROLE_DIM,
			    snapshots_details(snapshots_here(v), text, sizeof(text)));
}
