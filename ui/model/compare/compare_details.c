/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The details of one row of a comparison as text:
 *
 *	            Before       After
 *	samples        400         521
 *	share       40.00%      52.10%
 *	…
 *	called by
 *	  parse     30.00%      52.10%
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/amount.h"
#include "model/compare/compare_rows_private.h"
#include "text/i18n.h"
#include "text/number.h"
#include "text/strings.h"
#include "text/utf8.h"

#define LABEL_COLUMNS	22
#define NUMBER_COLUMNS	14
#define CALLERS_MAX	16
#define CALLERS_SHOWN	8
#define CALLERS_PERCENT 0.5 /* of the event: omits smaller ones */

/* ---- lines ---- */

static void put_left(FILE *out, const char *text)
{
	int fill = LABEL_COLUMNS - utf8_width(text);

	fprintf(out, "%s%*s", text, fill > 0 ? fill : 0, "");
}

static void put_right(FILE *out, const char *text)
{
	int fill = NUMBER_COLUMNS - utf8_width(text);

	fprintf(out, "%*s%s", fill > 0 ? fill : 0, "", text);
}

static void put_texts(FILE *out, const char *label, const char *before, const char *after)
{
	put_left(out, label);
	put_right(out, before);
	put_right(out, after);
	fputc('\n', out);
}

/* Of the event that was counted: clocks count time. */
static void put_amounts(FILE *out, const char *event, const char *label, const char *time_label,
			const uint64_t n[2])
{
	char text[2][32];

	put_texts(out, amount_is_time(event) ? time_label : label,
		  amount_exact_text(event, n[0], text[0], sizeof(text[0])),
		  amount_exact_text(event, n[1], text[1], sizeof(text[1])));
}

static void put_counts(FILE *out, const char *label, const uint64_t n[2])
{
	char text[2][32];

	for (int i = 0; i < 2; i++)
		text_grouped(text[i], sizeof(text[i]), n[i]);
	put_texts(out, label, text[0], text[1]);
}

/* NaN: unknown. */
static void put_shares(FILE *out, const char *label, double before, double after)
{
	char text[2][32];

	put_texts(out, label, number_percent(text[0], sizeof(text[0]), before * 100),
		  number_percent(text[1], sizeof(text[1]), after * 100));
}

/* ---- numbers ---- */

static double share(uint64_t part, uint64_t all)
{
	return all ? (double)part / (double)all : NAN;
}

/* Per second between the oldest and the newest sample of the event. */
static void put_rates(FILE *out, const char *event, const struct compare_row *row,
		      const struct ptui_hist_all all[2])
{
	char text[2][32] = { "–", "–" };

	for (int i = 0; i < 2; i++) {
		double s = (double)(all[i].last_ns - all[i].first_ns) / 1e9;

		if (s > 0)
			amount_exact_text(event,
					  (uint64_t)((double)row->period_children[i] / s + 0.5),
					  text[i], sizeof(text[i]));
	}
	put_texts(out, amount_is_time(event) ? _("CPU time per second") : _("events per second"),
		  text[0], text[1]);
}

static void put_numbers(FILE *out, const char *event, const struct compare_row *row,
			const struct ptui_hist_all all[2], bool children)
{
	put_texts(out, "", _("Before"), _("After"));
	put_counts(out, _("samples in it"), row->samples);
	put_amounts(out, event, _("events in it"), _("CPU time in it"), row->period);
	put_shares(out, _("share"), share(row->period[0], all[0].period),
		   share(row->period[1], all[1].period));
	if (children) {
		put_amounts(out, event, _("events with callees"), _("CPU time with callees"),
			    row->period_children);
		put_shares(out, _("share with callees"),
			   share(row->period_children[0], all[0].period),
			   share(row->period_children[1], all[1].period));
	}
	put_rates(out, event, row, all);
	put_counts(out, _("samples in total"), (uint64_t[]){ all[0].samples, all[1].samples });
	put_amounts(out, event, _("events in total"), _("CPU time in total"),
		    (uint64_t[]){ all[0].period, all[1].period });
}

static void put_difference(FILE *out, const struct compare_row *row)
{
	double factor = compare_row_factor(row);

	fprintf(out, _("difference %+.2f%%"), row->delta * 100);
	if (!row->is_before)
		fprintf(out, ", %s", _("new"));
	else if (!row->is_after)
		fprintf(out, ", %s", _("gone"));
	else if (factor > 0)
		fprintf(out, _(", %.2f times the share"), factor);
	fputc('\n', out);
	if (compare_row_is_sure(row))
		fprintf(out,
			_("Chance accounts for up to %.2f%% with this many samples: the difference "
			  "is larger."),
			row->noise * 100);
	else
		fprintf(out,
			_("Chance accounts for up to %.2f%% with this many samples: the difference "
			  "is not significant. Record longer or at a higher frequency."),
			row->noise * 100);
	fputc('\n', out);
}

/* ---- callers ---- */

struct caller {
	char name[ROW_BYTES];
	uint64_t period[2];
};

struct callers {
	struct caller v[CALLERS_MAX];
	size_t n;
};

static void add_caller(struct callers *c, int side, const char *name, uint64_t period)
{
	size_t i;

	for (i = 0; i < c->n && strcmp(c->v[i].name, name); i++)
		;
	if (i == CALLERS_MAX)
		return;
	if (i == c->n) {
		c->v[c->n++] = (struct caller){ { 0 }, { 0 } };
		snprintf(c->v[i].name, sizeof(c->v[i].name), "%s", name);
	}
	c->v[i].period[side] += period;
}

static void add_frame(struct callers *c, int side, const struct ptui_calltree *t, uint32_t node,
		      uint32_t frame)
{
	const struct ptui_callnode *n = ptui_calltree_node(t, node);
	char name[ROW_BYTES];

	ptui_calltree_frame(t, n, frame, name, sizeof(name));
	/* addresses differ between recordings */
	add_caller(c, side, strncmp(name, "0x", 2) ? name : _("without a name"), n->cumul);
}

/* The tree begins with the function itself, or with its callers. */
static void add_tree(struct callers *c, int side, const struct ptui_calltree *t, const char *own)
{
	for (uint32_t at = ptui_calltree_first(t); at != PTUI_NONE;
	     at = ptui_calltree_node(t, at)->next) {
		const struct ptui_callnode *n = ptui_calltree_node(t, at);
		char name[ROW_BYTES];

		ptui_calltree_frame(t, n, 0, name, sizeof(name));
		if (strcmp(name, own))
			add_frame(c, side, t, at, 0);
		else if (n->n_frames > 1)
			add_frame(c, side, t, at, 1);
		else
			for (uint32_t k = n->first_child; k != PTUI_NONE;
			     k = ptui_calltree_node(t, k)->next)
				add_frame(c, side, t, k, 0);
	}
}

/* The function's name, without the mark of its DSO type. */
static const char *own_name(const struct compare_views *v, size_t at, char *buf, size_t size)
{
	*buf = '\0';
	for (size_t i = 0; i < v->source.n_columns; i++) {
		if (!strcmp(v->columns[i].name, "symbol"))
			compare_views_name(v, at, i, buf, size);
	}
	return *buf == '[' && strlen(buf) > 4 ? buf + 4 : buf;
}

static void find_callers(const struct compare_views *v, bool swapped, size_t at, struct callers *c)
{
	struct ptui_compare_row row;
	char buf[ROW_BYTES];
	const char *own = own_name(v, at, buf, sizeof(buf));

	/* without a name it cannot be distinguished from its callers */
	if (!*own || !strncmp(own, "0x", 2))
		return;
	ptui_compare_row(v->compare, at, &row);
	for (int i = 0; i < 2; i++) {
		size_t in = i ? row.after : row.before;
		double all = (double)ptui_hist_total_period(v->hist[i]);
		struct ptui_calltree *t;

		if (in == PTUI_COMPARE_NONE)
			continue;
		t = ptui_hist_calltree(v->hist[i], in, (uint64_t)(all * CALLERS_PERCENT / 100),
				       NULL);
		if (t)
			add_tree(c, i ^ swapped, t, own);
		ptui_calltree_free(t);
	}
}

static int most_first(const void *x, const void *y)
{
	const struct caller *a = x, *b = y;
	uint64_t most_a = a->period[0] > a->period[1] ? a->period[0] : a->period[1];
	uint64_t most_b = b->period[0] > b->period[1] ? b->period[0] : b->period[1];

	if (most_a != most_b)
		return most_a > most_b ? -1 : 1;
	return strcmp(a->name, b->name);
}

static void put_callers(FILE *out, const struct callers *c, const struct ptui_hist_all all[2])
{
	if (c->n)
		fprintf(out, "\n%s\n", _("called by"));
	for (size_t i = 0; i < c->n && i < CALLERS_SHOWN; i++) {
		char label[ROW_BYTES] = "  ";

		name_short(c->v[i].name, LABEL_COLUMNS - 2, label + 2, sizeof(label) - 2);
		put_shares(out, label, share(c->v[i].period[0], all[0].period),
			   share(c->v[i].period[1], all[1].period));
	}
}

char *compare_details(const struct compare_views *v, bool swapped, uint32_t at)
{
	struct callers *c = calloc(1, sizeof(*c));
	char *text = NULL, name[ROW_BYTES];
	struct ptui_hist_all all[2];
	struct compare_row row;
	size_t size;
	FILE *out = c ? open_memstream(&text, &size) : NULL;

	if (!out) {
		free(c);
		return NULL;
	}
	compare_views_get(v, at, swapped, &row);
	for (int i = 0; i < 2; i++)
		ptui_hist_all(v->hist[i ^ swapped], &all[i]);
	for (size_t k = 0; k < v->source.n_columns; k++)
		fprintf(out, "%s%s", k ? " · " : "",
			compare_views_name(v, at, k, name, sizeof(name)));
	fputs("\n\n", out);
	put_numbers(out, ptui_profile_event(v->profile[1], v->event[1])->name, &row, all,
		    ptui_hist_children(v->hist[1]));
	fputc('\n', out);
	put_difference(out, &row);
	find_callers(v, swapped, at, c);
	qsort(c->v, c->n, sizeof(*c->v), most_first);
	put_callers(out, c, all);
	free(c);
	if (!fclose(out))
		return text;
	free(text);
	return NULL;
}
