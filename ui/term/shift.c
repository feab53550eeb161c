/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows that moved up or down together are scrolled by the terminal instead of being sent again.
 *
 *	shown	a b c d e		grid	b c d e f
 *	sent	rows 1 to 5 scroll; newline in the last of them; all rows scroll again; then f
 *
 * A wrong guess only costs bytes: afterwards `shown` is what the terminal shows, and painting sends
 * what still differs.
 */
#include <string.h>

#include "base/hash.h"
#include "term/private.h"

#define ROWS_MAX  1000 /* limit of a grid: term.c */
#define GAIN_MIN  3    /* saved rows that make a shift worthwhile */
#define SHIFT_MAX 64

struct rows {
	uint64_t want[ROWS_MAX], have[ROWS_MAX]; /* hashes; 0: blank */
	int n;
};

struct shift {
	int by; /* rows; > 0: up */
	int top, end;
};

/* Without the last column: a scroll bar does not scroll. */
static uint64_t row_hash(const struct term *t, const struct cell *row)
{
	uint64_t hash = 0;
	bool blank = true;

	for (int x = 0; x + 1 < t->grid->cols; x++) {
		const struct cell *c = &row[x];

		blank &= c->ch == ' ' && c->style == ROLE_TEXT;
		hash = hash_u64(hash ^ c->ch ^ (uint64_t)c->mark[0] << 21 ^
				(uint64_t)c->style << 42);
	}
	return blank ? 0 : hash | 1;
}

/* The number of rows that differ. */
static int hash_rows(const struct term *t, struct rows *r)
{
	size_t cols = (size_t)t->grid->cols;
	int differ = 0;

	r->n = t->grid->rows;
	for (int y = 0; y < r->n; y++) {
		r->want[y] = row_hash(t, t->grid->cells + (size_t)y * cols);
		r->have[y] = row_hash(t, t->shown + (size_t)y * cols);
		differ += r->want[y] != r->have[y];
	}
	return differ;
}

/* The most frequent shift; 0: none. */
static int most_moved(const struct rows *r)
{
	int votes[2 * SHIFT_MAX + 1] = { 0 }, best = 0;

	for (int y = 0; y < r->n; y++) {
		int from = y > SHIFT_MAX ? y - SHIFT_MAX : 0;

		if (!r->want[y] || r->want[y] == r->have[y])
			continue;
		for (int was = from; was < r->n && was - y <= SHIFT_MAX; was++)
			votes[was - y + SHIFT_MAX] += r->have[was] == r->want[y];
	}
	votes[SHIFT_MAX] = 0;
	for (int i = 0; i <= 2 * SHIFT_MAX; i++) {
		if (votes[i] > votes[best + SHIFT_MAX])
			best = i - SHIFT_MAX;
	}
	return best;
}

/* Rows made correct by the shift minus rows made wrong. */
static int shift_gain(const struct rows *r, const struct shift *s)
{
	int gain = 0;

	for (int y = s->top; y < s->end; y++) {
		int was = y + s->by;
		uint64_t shows = was >= s->top && was < s->end ? r->have[was] : 0;

		gain += (shows == r->want[y]) - (r->have[y] == r->want[y]);
	}
	return gain;
}

static bool find_shift(const struct rows *r, struct shift *s)
{
	*s = (struct shift){ .by = most_moved(r), .top = r->n, .end = 0 };
	for (int y = 0; s->by && y < r->n; y++) {
		int was = y + s->by, low = y < was ? y : was, high = y < was ? was : y;

		if (low < 0 || high >= r->n || !r->want[y] || r->want[y] != r->have[was] ||
		    r->want[y] == r->have[y])
			continue;
		s->top = low < s->top ? low : s->top;
		s->end = high + 1 > s->end ? high + 1 : s->end;
	}
	return s->end > s->top && shift_gain(r, s) >= GAIN_MIN;
}

/* Shifts `shown` as the terminal's rows; new rows are cleared. */
static void move_shown(struct term *t, const struct shift *s, const struct cell *blank)
{
	size_t cols = (size_t)t->grid->cols;
	size_t height = (size_t)(s->end - s->top), n = (size_t)(s->by < 0 ? -s->by : s->by);
	struct cell *top = t->shown + (size_t)s->top * cols;
	struct cell *fresh = s->by > 0 ? top + (height - n) * cols : top;

	memmove(s->by > 0 ? top : top + n * cols, s->by > 0 ? top + n * cols : top,
		(height - n) * cols * sizeof(*top));
	for (size_t i = 0; i < n * cols; i++)
		fresh[i] = *blank;
}

void paint_shift(struct term *t, const struct cell *blank)
{
	struct rows r;
	struct shift s;

	if (!*t->caps.csr || hash_rows(t, &r) < 2 * GAIN_MIN || !find_shift(&r, &s))
		return;
	paint_style(t, ROLE_TEXT);
	caps_csr(&t->caps, &t->out, s.top, s.end - 1);
	caps_cup(&t->caps, &t->out, s.by > 0 ? s.end - 1 : s.top, 0);
	for (int i = s.by; i > 0; i--)
		out_text(&t->out, t->caps.ind);
	for (int i = s.by; i < 0; i++)
		out_text(&t->out, t->caps.ri);
	out_text(&t->out, CSR_WHOLE);
	t->x = -1;
	move_shown(t, &s, blank);
}
