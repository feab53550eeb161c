/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "Did you mean": finds the names that a mistyped word may stand for. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "base/text.h"

static char fold(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

static size_t min_size(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Longer words need rows on the heap. */
#define STACK_COLUMNS 128

struct word {
	const char *s;
	size_t n;
};

/*
 * Edit distance up to `limit`; anything larger is limit + 1. Row i, column j is the distance of a's
 * first i and b's first j characters:
 *
 *            j  0 1 2 3 4 5       only cells with |i - j| <= limit can be within the
 *         i  0  * * * . . .       limit, so only these are computed; three rows are
 *            1  * * * * . .       kept, since a swap of neighbours uses the row before
 *            2  * * * * * .       the previous one
 */
static size_t distance_rows(struct word a, struct word b, size_t limit, size_t *rows)
{
	size_t columns = b.n + 1;
	size_t *two_back = rows, *back = rows + columns, *row = rows + 2 * columns;

	for (size_t j = 0; j <= b.n; j++)
		back[j] = two_back[j] = j;
	for (size_t i = 1; i <= a.n; i++) {
		size_t from = i > limit ? i - limit : 1;
		size_t to = i + limit < b.n ? i + limit : b.n;
		size_t best;
		size_t *oldest = two_back;

		row[from - 1] = from == 1 ? i : limit + 1;
		best = row[from - 1];
		for (size_t j = from; j <= to; j++) {
			char ca = fold(a.s[i - 1]), cb = fold(b.s[j - 1]);
			size_t d = back[j - 1] + (ca != cb);

			d = min_size(d, back[j] + 1);
			d = min_size(d, row[j - 1] + 1);
			if (i > 1 && j > 1 && ca == fold(b.s[j - 2]) && cb == fold(a.s[i - 2]))
				d = min_size(d, two_back[j - 2] + 1);
			row[j] = d;
			best = min_size(best, d);
		}
		if (to < b.n)
			row[to + 1] = limit + 1; /* the next row reads one more column */
		if (best > limit)
			return limit + 1;
		two_back = back;
		back = row;
		row = oldest;
	}
	return min_size(back[b.n], limit + 1);
}

static size_t distance_within(struct word a, struct word b, size_t limit)
{
	size_t on_stack[3 * STACK_COLUMNS];
	size_t *rows = on_stack;
	size_t d;

	while (a.n && b.n && fold(a.s[0]) == fold(b.s[0])) {
		a.s++, a.n--;
		b.s++, b.n--;
	}
	while (a.n && b.n && fold(a.s[a.n - 1]) == fold(b.s[b.n - 1]))
		a.n--, b.n--;
	if (a.n < b.n) {
		struct word swap = a;

		a = b;
		b = swap;
	}
	if (a.n - b.n > limit)
		return limit + 1;
	if (!b.n)
		return a.n;
	if (b.n >= STACK_COLUMNS) {
		rows = calloc(b.n + 1, 3 * sizeof(*rows));
		if (!rows)
			return min_size(a.n, limit + 1); /* a lower bound */
	}
	d = distance_rows(a, b, limit, rows);
	if (rows != on_stack)
		free(rows);
	return d;
}

size_t text_distance(const char *a, const char *b)
{
	struct word wa = { a, strlen(a) }, wb = { b, strlen(b) };

	return distance_within(wa, wb, wa.n > wb.n ? wa.n : wb.n);
}

static bool starts_with(const char *s, struct word w)
{
	for (size_t i = 0; i < w.n; i++)
		if (fold(s[i]) != fold(w.s[i])) /* also at the NUL of s */
			return false;
	return true;
}

static const char *find_inside(const char *s, struct word w)
{
	for (; *s; s++)
		if (starts_with(s, w))
			return s;
	return NULL;
}

/* Lower is nearer; among equals, fewer extra or missing characters. */
#define RANK(step, extra) ((uint64_t)(step) << 32 | (uint32_t)(extra))
#define RANK_FAR	  UINT64_MAX

enum rank_step {
	STEP_SAME = 0,	    /* ignoring case, or the part after the group: "sched:" */
	STEP_A_MISTAKE = 2, /* one more for each further mistake */
	STEP_STARTS = 3,    /* "cpu" for "cpu-clock": between one and two mistakes */
	STEP_CONTAINS = 5,
};

/* Shorter words occur in too many names. */
#define MIN_START_CHARS	 2
#define MIN_INSIDE_CHARS 3

static uint64_t rank_mistakes(size_t mistakes, size_t extra)
{
	return RANK(mistakes ? STEP_A_MISTAKE * mistakes : STEP_SAME, extra);
}

static uint64_t rank_name(struct word word, const char *s, size_t limit)
{
	struct word name = { s, strlen(s) };
	size_t extra = name.n > word.n ? name.n - word.n : word.n - name.n;
	const char *colon = memchr(word.s, ':', word.n) ? NULL : strrchr(s, ':');
	uint64_t rank = RANK_FAR, other = RANK_FAR;
	size_t d = distance_within(word, name, limit);

	if (d <= limit)
		rank = rank_mistakes(d, extra);
	if (colon) {
		/* the event without its group ranks as high, except for the extra length */
		struct word event = { colon + 1, name.n - (size_t)(colon + 1 - s) };

		d = distance_within(word, event, limit);
		if (d <= limit)
			other = rank_mistakes(d, extra);
		rank = other < rank ? other : rank;
	}
	other = RANK_FAR;
	if (word.n >= MIN_START_CHARS && starts_with(s, word))
		other = RANK(STEP_STARTS, extra);
	else if (word.n >= MIN_INSIDE_CHARS && find_inside(s, word))
		other = RANK(STEP_CONTAINS, extra);
	return other < rank ? other : rank;
}

/* Inserts into the sorted best[], dropping the worst. Equals keep their order. */
static size_t insert(const char **best, uint64_t *ranks, size_t n, size_t max, const char *name,
		     uint64_t rank)
{
	size_t at;

	if (n == max && rank >= ranks[n - 1])
		return n;
	for (size_t i = 0; i < n; i++)
		if (!strcmp(best[i], name))
			return n;
	if (n < max)
		n++;
	for (at = n - 1; at && ranks[at - 1] > rank; at--) {
		ranks[at] = ranks[at - 1];
		best[at] = best[at - 1];
	}
	ranks[at] = rank;
	best[at] = name;
	return n;
}

size_t text_nearest(const char *word, const char *const *names, size_t n, const char **ret_best,
		    size_t max)
{
	struct word w = { word, strlen(word) };
	size_t limit = w.n / 3 > 2 ? w.n / 3 : 2;
	uint64_t *ranks;
	size_t found = 0;

	max = min_size(max, n);
	if (!w.n || !max)
		return 0;
	/* not every letter can be mistyped */
	limit = min_size(limit, w.n - 1);
	ranks = calloc(max, sizeof(*ranks));
	if (!ranks)
		return 0; /* no suggestion is no error */
	for (size_t i = 0; i < n; i++) {
		uint64_t rank = rank_name(w, names[i], limit);

		if (rank != RANK_FAR)
			found = insert(ret_best, ranks, found, max, names[i], rank);
	}
	free(ranks);
	return found;
}
