/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/annotate/annotate_jumps.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

#define PLACED_MAX 4096 /* the longest arrows of huge functions are not drawn: this is quadratic */

static int compare_jumps(const void *x, const void *y)
{
	const struct annotate_jump *a = x, *b = y;

	if (a->to != b->to)
		return a->to < b->to ? -1 : 1;
	return a->from < b->from ? -1 : a->from > b->from;
}

/* An arrow per target. */
static void make_arrows(struct annotate_jumps *j)
{
	for (uint32_t i = 0; i < j->n_jumps; i++) {
		const struct annotate_jump *jump = &j->jumps[i];
		struct annotate_arrow *a = j->n ? &j->arrows[j->n - 1] : NULL;

		if (!a || a->to != jump->to) {
			a = &j->arrows[j->n++];
			*a = (struct annotate_arrow){
				.first = jump->to, .last = jump->to, .to = jump->to, .jump = i
			};
		}
		a->n++;
		if (jump->from < a->first)
			a->first = jump->from;
		if (jump->from > a->last)
			a->last = jump->from;
	}
}

/* ---- lanes ---- */

static int compare_spans(const void *x, const void *y)
{
	const struct annotate_arrow *a = *(struct annotate_arrow *const *)x;
	const struct annotate_arrow *b = *(struct annotate_arrow *const *)y;
	uint32_t of_a = a->last - a->first, of_b = b->last - b->first;

	if (of_a != of_b)
		return of_a < of_b ? -1 : 1;
	return a->to < b->to ? -1 : 1;
}

static bool is_free(struct annotate_arrow *const *placed, size_t n, unsigned lane,
		    const struct annotate_arrow *a)
{
	for (size_t i = 0; i < n; i++)
		if (placed[i]->lane == lane && placed[i]->first <= a->last &&
		    a->first <= placed[i]->last)
			return false;
	return true;
}

/* The shortest arrows are next to the code. */
static int place_arrows(struct annotate_jumps *j)
{
	struct annotate_arrow **by_span = calloc(j->n + 1, sizeof(*by_span));

	if (!by_span)
		return -ENOMEM;
	for (size_t i = 0; i < j->n; i++)
		by_span[i] = &j->arrows[i];
	qsort(by_span, j->n, sizeof(struct annotate_arrow *), compare_spans);
	for (size_t i = 0; i < j->n; i++) {
		struct annotate_arrow *a = by_span[i];

		a->lane = i < PLACED_MAX ? 0 : ANNOTATE_LANES;
		for (; a->lane < ANNOTATE_LANES; a->lane++)
			if (is_free(by_span, i, a->lane, a))
				break;
		if (a->lane < ANNOTATE_LANES && a->lane >= j->lanes)
			j->lanes = a->lane + 1;
	}
	free(by_span);
	return 0;
}

static int compare_sources(const void *x, const void *y, void *ctx)
{
	const struct annotate_jump *jumps = ctx;
	uint32_t a = jumps[*(const uint32_t *)x].from, b = jumps[*(const uint32_t *)y].from;

	return a < b ? -1 : a > b;
}

int annotate_jumps_init(struct annotate_jumps *j, struct annotate_jump *jumps, size_t n)
{
	*j = (struct annotate_jumps){ .jumps = jumps, .n_jumps = n };
	if (n)
		qsort(jumps, n, sizeof(*jumps), compare_jumps);
	j->arrows = calloc(n + 1, sizeof(*j->arrows));
	j->by_source = calloc(n + 1, sizeof(*j->by_source));
	if (!j->arrows || !j->by_source) {
		annotate_jumps_release(j);
		return -ENOMEM;
	}
	make_arrows(j);
	for (uint32_t i = 0; i < n; i++)
		j->by_source[i] = i;
	if (n)
		qsort_r(j->by_source, n, sizeof(*j->by_source), compare_sources, jumps);
	if (place_arrows(j)) {
		annotate_jumps_release(j);
		return -ENOMEM;
	}
	return 0;
}

void annotate_jumps_release(struct annotate_jumps *j)
{
	free(j->jumps);
	free(j->arrows);
	free(j->by_source);
	*j = (struct annotate_jumps){ .jumps = NULL };
}

/* ---- finding ---- */

/* NULL: no jump leads there. */
static const struct annotate_arrow *arrow_to(const struct annotate_jumps *j, uint32_t line)
{
	size_t at = bisect(i, j->n, j->arrows[i].to < line);

	return at < j->n && j->arrows[at].to == line ? &j->arrows[at] : NULL;
}

/* NULL: no jump is there. */
static const struct annotate_jump *jump_from(const struct annotate_jumps *j, uint32_t line)
{
	size_t at = bisect(i, j->n_jumps, j->jumps[j->by_source[i]].from < line);
	const struct annotate_jump *jump = at < j->n_jumps ? &j->jumps[j->by_source[at]] : NULL;

	return jump && jump->from == line ? jump : NULL;
}

unsigned annotate_jumps_to(const struct annotate_jumps *j, uint32_t line)
{
	const struct annotate_arrow *a = arrow_to(j, line);

	return a ? a->n : 0;
}

/* ---- drawing ---- */

/* Parts of a character of a line drawing. */
enum { UP = 1, DOWN = 2, RIGHT = 4, LEFT = 8, TIP = 16 };

static const char *const strokes[16] = {
	[0] = " ",
	[UP] = "│",
	[DOWN] = "│",
	[UP | DOWN] = "│",
	[RIGHT] = "─",
	[LEFT] = "─",
	[LEFT | RIGHT] = "─",
	[DOWN | RIGHT] = "┌",
	[UP | RIGHT] = "└",
	[UP | DOWN | RIGHT] = "├",
	[DOWN | LEFT] = "┬",
	[UP | LEFT] = "┴",
	[UP | DOWN | LEFT] = "┤",
	[DOWN | LEFT | RIGHT] = "┬",
	[UP | LEFT | RIGHT] = "┴",
	[UP | DOWN | LEFT | RIGHT] = "┼",
};

/* Adds an arrow from `first` to `last` in column `lane` of `width`. `ends`: one ends at `line`. */
static void add_arrow(unsigned char *cells, unsigned lane, unsigned width, uint32_t line,
		      uint32_t first, uint32_t last, bool ends, bool is_target)
{
	if (line < first || line > last)
		return;
	cells[lane] |= (unsigned char)((line > first ? UP : 0) | (line < last ? DOWN : 0));
	if (!ends)
		return;
	cells[lane] |= RIGHT;
	for (unsigned i = lane + 1; i < width; i++)
		cells[i] |= LEFT | RIGHT;
	if (is_target)
		cells[width - 1] |= TIP;
}

static const char *cells_text(const unsigned char *cells, unsigned width,
			      char buf[ANNOTATE_ARROW_MAX])
{
	size_t n = 0;

	for (unsigned i = 0; i < width; i++) {
		const char *text = cells[i] & TIP ? "▸" : strokes[cells[i] & 15];
		size_t bytes = strlen(text);

		memcpy(buf + n, text, bytes);
		n += bytes;
	}
	buf[n] = '\0';
	return buf;
}

static bool is_source(const struct annotate_jumps *j, const struct annotate_arrow *a, uint32_t line)
{
	for (uint32_t i = a->jump; i < a->jump + a->n; i++)
		if (j->jumps[i].from == line)
			return true;
	return false;
}

const char *annotate_jumps_all(const struct annotate_jumps *j, uint32_t line,
			       char buf[ANNOTATE_ARROW_MAX])
{
	unsigned char cells[ANNOTATE_LANES + 2] = { 0 };
	unsigned width = j->lanes + 2;

	for (size_t i = 0; i < j->n; i++) {
		const struct annotate_arrow *a = &j->arrows[i];

		if (a->lane < ANNOTATE_LANES && line >= a->first && line <= a->last)
			add_arrow(cells, j->lanes - 1 - a->lane, width, line, a->first, a->last,
				  line == a->to || is_source(j, a, line), line == a->to);
	}
	return cells_text(cells, width, buf);
}

const char *annotate_jumps_one(const struct annotate_jumps *j, uint32_t line, uint32_t at,
			       char buf[ANNOTATE_ARROW_MAX])
{
	const struct annotate_jump *jump = jump_from(j, at);
	const struct annotate_arrow *a = jump ? NULL : arrow_to(j, at);
	bool down = jump && jump->from < jump->to;
	unsigned char cells[3] = { 0 };

	if (jump)
		add_arrow(cells, 0, 3, line, down ? jump->from : jump->to,
			  down ? jump->to : jump->from, line == jump->from || line == jump->to,
			  line == jump->to);
	else if (a)
		add_arrow(cells, 0, 3, line, a->first, a->last,
			  line == a->to || is_source(j, a, line), line == a->to);
	return cells_text(cells, 3, buf);
}
