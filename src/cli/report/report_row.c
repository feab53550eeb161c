/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rows of a view as lines.
 *
 * What is the same for all rows is found out once, as a plan: the columns, their widths, what is between them. A row is
 * then written straight into the output, which has room for it. A cell that several rows have in common, by its
 * id, is escaped, measured and padded at its first use, and copied from then on; so is a number that is equal to
 * that of the row before.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/text.h"
#include "base/vec.h"
#include "cli/report/report_row.h"

#define CELL_BYTES     REPORT_CELL_BYTES /* longer ones are cut, */
#define ESCAPED_MAX    (4 * CELL_BYTES)	 /* and may become so long: \xHH */
#define SHORT_BYTES    32		 /* see copy() */
#define PID_COLUMNS    8		 /* "   3326:" */
#define SOCKET_COLUMNS 3		 /* blanks before the digits */

struct plan_column {
	const struct ptui_column *c;
	size_t col;
	bool hidden, grouped;
	const char *before; /* separates the cell from the one before it */
	size_t n_before;
	unsigned given; /* its width by -w; 0: as needed */
	unsigned field; /* the cell is aligned to the right in so many columns, */
	unsigned width; /* and padded to so many */
	bool spaced;	/* with a space in front of it at least */
	/* Of cells with an id: where their texts begin << 32 | their length, in `texts`; 0: not known yet. */
	uint64_t *known;
	size_t n_known;
	struct buf texts;
	uint64_t number;	/* of the row before, */
	struct buf number_text; /* and as a text; empty: none */
};

struct report_plan {
	const struct ptui_hist *h;
	const struct report_style *style;
	char replaced;	  /* by a dot in cells: a separator of one character; '\0': none */
	size_t row_bytes; /* at most */
	struct ptui_cell *cells;
	struct buf escaped;
	size_t n;
	struct plan_column columns[];
};

/* ---- the plan ---- */

/* -w; 0: none. */
static unsigned given_width(const struct report_style *style, size_t col)
{
	return col < REPORT_WIDTHS ? style->widths[col] : 0;
}

unsigned report_width(const struct ptui_hist *h, const struct report_style *style, size_t col)
{
	const struct ptui_column *c = ptui_hist_column(h, col);
	unsigned given = given_width(style, col);

	/* as in perf */
	if (c->each && given < c->width)
		given = 0;
	if (given && !c->groups && given < strlen(c->title))
		given = (unsigned)strlen(c->title);
	return given ? given : c->width;
}

bool report_is_hidden(const struct report_style *style, size_t col)
{
	return col < 64 && style->hidden >> col & 1;
}

bool report_follows(const struct report_style *style, size_t col)
{
	while (col--)
		if (!report_is_hidden(style, col))
			return true;
	return false;
}

/* In a hierarchy, texts are the last ones, one after the other. */
static bool is_last(const struct ptui_hist *h, const struct report_style *style, size_t col)
{
	if (style->hierarchy)
		return ptui_hist_column(h, col)->level != PTUI_NONE;
	while (++col < ptui_hist_n_columns(h))
		if (!report_is_hidden(style, col))
			return false;
	return true;
}

static void plan_column(const struct report_plan *p, size_t col, struct plan_column *ret)
{
	const struct ptui_column *c = ptui_hist_column(p->h, col);
	const char *separator = p->style->separator;
	unsigned given = given_width(p->style, col), width = report_width(p->h, p->style, col);
	bool padded = c->padded || !is_last(p->h, p->style, col);

	*ret = (struct plan_column){ .c = c,
				     .col = col,
				     .hidden = report_is_hidden(p->style, col),
				     .grouped = c->each,
				     .before = separator ? separator : "  ",
				     .given = given };
	if (!p->style->hierarchy && (!separator || report_follows(p->style, col)))
		ret->n_before = strlen(ret->before);
	if (c->each) {
		ret->width = width;
	} else if (given && !c->groups) {
		/* a number has the width that was given, even if the title is wider */
		ret->field = separator ? 0 : given;
		ret->width = width;
		ret->spaced = !separator || (c->number && !c->padded);
	} else if (c->number && (c->padded || !separator)) {
		ret->field = width;
	} else {
		ret->width = padded ? width : 0;
		ret->spaced = c->number && !c->padded && separator;
	}
}

/* At most. */
static size_t column_bytes(const struct report_plan *p, const struct plan_column *c)
{
	size_t grouped = c->c->each ? ptui_hist_n_grouped(p->h) : 0;
	size_t each = TEXT_NUMBER_BYTES + (c->given ? c->given : c->c->each);

	return c->n_before + c->field + c->width + ESCAPED_MAX + grouped * each;
}

struct report_plan *report_plan_new(const struct ptui_hist *h, const struct report_style *style)
{
	size_t n = ptui_hist_n_columns(h);
	struct report_plan *p = calloc(1, sizeof(*p) + n * sizeof(p->columns[0]));

	if (!p)
		return NULL;
	p->h = h;
	p->style = style;
	if (style->separator && style->separator[0] && !style->separator[1])
		p->replaced = style->separator[0];
	p->cells = calloc(n + 1, sizeof(*p->cells));
	if (!p->cells) {
		free(p);
		return NULL;
	}
	p->n = n;
	p->row_bytes = 1;
	for (size_t i = 0; i < n; i++) {
		plan_column(p, i, &p->columns[i]);
		p->row_bytes += column_bytes(p, &p->columns[i]);
	}
	return p;
}

void report_plan_free(struct report_plan *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->n; i++) {
		free(p->columns[i].known);
		buf_release(&p->columns[i].texts);
		buf_release(&p->columns[i].number_text);
	}
	buf_release(&p->escaped);
	free(p->cells);
	free(p);
}

/* ---- cells ---- */

/* Texts are cut to a given width, measures are not. */
void report_cut(const struct ptui_hist *h, const struct report_style *style, size_t col, char *text)
{
	unsigned given = given_width(style, col);

	if (given && ptui_hist_column(h, col)->groups && strlen(text) > given)
		text[text_utf8_floor(text, given)] = '\0';
}

/*
 * As in perf, "[.] main" is whole if the width ends before its name, and "[.] 0x12ab" always. A range, "[.] 0x12ab-0x12c0",
 * is a name.
 */
static bool is_uncut(const char *key, const char *text, int width)
{
	const char *name = strstr(text, "] ");

	if (strncmp(key, "symbol", strlen("symbol")) != 0 || !name)
		return false;
	name += strlen("] ");
	return width < name - text || (!strncmp(name, "0x", strlen("0x")) && !strchr(name, '-'));
}

/*
 * The same for cells, whose numbers are not cut. As in perf, those of CPUs and sockets have more digits. Returns the
 * length.
 */
static size_t cut_cell(const struct report_plan *p, const struct plan_column *c, char *text)
{
	const char *key = c->c->name;
	int width = (int)c->given;

	if (!strcmp(key, "cpu") || !strcmp(key, "socket"))
		snprintf(text, CELL_BYTES, "%*.*ld", width,
			 key[0] == 's' ? width - SOCKET_COLUMNS : width, strtol(text, NULL, 10));
	else if (!is_uncut(key, text, width) && (strcmp(key, "pid") || width >= PID_COLUMNS))
		report_cut(p->h, p->style, c->col, text);
	return strlen(text);
}

/* A separator inside a cell is replaced by a dot, as in perf. */
static void replace_separator(const struct report_plan *p, char *text, size_t n)
{
	for (size_t i = 0; p->replaced && i < n; i++)
		if (text[i] == p->replaced)
			text[i] = '.';
}

/*
 * Copies a text of n bytes, after which there are SHORT_BYTES more in memory: most are short, and take no call.
 * Returns its end.
 */
static inline char *copy(char *at, const char *text, size_t n)
{
	memcpy(at, text, SHORT_BYTES);
	if (n > SHORT_BYTES)
		memcpy(at + SHORT_BYTES, text + SHORT_BYTES, n - SHORT_BYTES);
	return at + n;
}

/* Appends a text for copy(). */
static void keep(struct buf *texts, const char *text, size_t n)
{
	char *at = buf_reserve(texts, n + SHORT_BYTES);

	if (!at)
		return;
	memcpy(at, text, n);
	buf_added(texts, n);
}

/* Appends, up to `end`. Returns the new end. */
static char *put(char *at, const char *end, const char *text)
{
	size_t n = strlen(text), left = (size_t)(end - at);

	n = n < left ? n : left;
	memcpy(at, text, n);
	return at + n;
}

/* Brings the n bytes of a cell, which are at `at`, to their place there. Returns its end. */
static inline char *align(const struct plan_column *c, char *at, size_t n, size_t columns,
			  bool spaced)
{
	size_t left = columns < c->field ? c->field - columns : spaced, used = left + columns;

	if (left) {
		memmove(at + left, at, n);
		memset(at, ' ', left);
	}
	at += left + n;
	if (used < c->width) {
		memset(at, ' ', c->width - used);
		at += c->width - used;
	}
	return at;
}

/* These functions put a cell at `at`, where there is room, and return its end. */

static char *put_text(struct report_plan *p, const struct plan_column *c,
		      const struct ptui_cell *cell, char *at)
{
	char *text, *end;
	size_t n, columns;

	memcpy(at, c->before, c->n_before);
	at += c->n_before;
	end = text = put(at, at + CELL_BYTES - 1, cell->prefix);
	if (cell->text[0])
		end = put(end, at + CELL_BYTES - 1, cell->text);
	if (cell->suffix[0])
		end = put(end, at + CELL_BYTES - 1, cell->suffix);
	columns = n = (size_t)(end - at);
	if (c->given) {
		*end = '\0';
		columns = n = cut_cell(p, c, at);
	}
	replace_separator(p, at, n);
	if (text < at + n && !text_is_plain(text, (size_t)(at + n - text))) {
		buf_clear(&p->escaped);
		text_escape_n(&p->escaped, at, n);
		n = p->escaped.len;
		memcpy(at, buf_str(&p->escaped), n);
		columns = text_width(buf_str(&p->escaped));
	}
	return align(c, at, n, columns, c->spaced);
}

/* ---- cells that were there before ---- */

/* Without memory, it is made again for the next row. */
static void remember(struct plan_column *c, uint32_t id, const char *text, size_t n)
{
	size_t had = c->n_known, begin = c->texts.len;

	if (id >= had) {
		if (vec_grow(&c->known, &c->n_known, (size_t)id + 1))
			return;
		memset(c->known + had, 0, (c->n_known - had) * sizeof(*c->known));
	}
	keep(&c->texts, text, n);
	if (!c->texts.err && begin <= UINT32_MAX)
		c->known[id] = (uint64_t)begin << 32 | n;
}

static char *put_new(struct report_plan *p, struct plan_column *c, const struct ptui_cell *cell,
		     char *at)
{
	char *end = put_text(p, c, cell, at);

	if (cell->id != PTUI_NONE)
		remember(c, cell->id, at, (size_t)(end - at));
	return end;
}

static size_t number_text(const struct ptui_cell *cell, char *to)
{
	return cell->kind == PTUI_CELL_PERCENT ? text_percent(to, cell->percent) :
						 text_decimal(to, cell->number);
}

/* The bits of a number or percentage; equal ones have equal texts. */
static uint64_t number_of(const struct ptui_cell *cell)
{
	uint64_t bits = cell->number;

	if (cell->kind == PTUI_CELL_PERCENT)
		memcpy(&bits, &cell->percent, sizeof(bits));
	return bits;
}

static char *put_new_number(const struct report_plan *p, struct plan_column *c,
			    const struct ptui_cell *cell, char *at)
{
	char *to = at + c->n_before;
	size_t n;

	memcpy(at, c->before, c->n_before);
	n = number_text(cell, to);
	replace_separator(p, to, n);
	/* as in perf, a percentage has a space in front of it in the narrowest column, too */
	to = align(c, to, n, n, c->spaced || cell->kind == PTUI_CELL_PERCENT);
	buf_clear(&c->number_text);
	keep(&c->number_text, at, (size_t)(to - at));
	c->number = number_of(cell);
	return to;
}

/* The numbers of the events of a group, each in its width. */
static char *put_grouped(const struct report_plan *p, const struct plan_column *c, size_t row,
			 char *at)
{
	const struct plan_column text = { .field = c->given ? c->given : c->c->each };
	const struct plan_column number = { .field = p->style->separator ? 0 : text.field };
	char *begin;
	size_t n;

	memcpy(at, c->before, c->n_before);
	begin = at += c->n_before;
	for (size_t i = 0; i < ptui_hist_n_grouped(p->h); i++) {
		struct ptui_cell cell;

		ptui_hist_grouped_cell(p->h, row, c->col, i, &cell);
		if (cell.kind == PTUI_CELL_TEXT) { /* of no event: N/A */
			n = strlen(cell.text);
			memcpy(at, cell.text, n);
			at = align(&text, at, n, n, false);
			break;
		}
		n = number_text(&cell, at);
		at = align(&number, at, n, n, true);
	}
	n = (size_t)(at - begin);
	return align(c, begin, n, n, false);
}

static inline char *put_cell(struct report_plan *p, struct plan_column *c, size_t row,
			     const struct ptui_cell *cell, char *at)
{
	bool number = cell->kind != PTUI_CELL_TEXT;
	const struct buf *texts = number ? &c->number_text : &c->texts;
	uint64_t known = 0;

	if (c->grouped)
		return put_grouped(p, c, row, at);
	if (number && number_of(cell) == c->number)
		known = c->number_text.len;
	else if (!number && cell->id < c->n_known)
		known = c->known[cell->id];
	if (!known)
		return number ? put_new_number(p, c, cell, at) : put_new(p, c, cell, at);
	return copy(at, texts->data + (known >> 32), (uint32_t)known);
}

/* ---- rows ---- */

void report_plan_cell(struct report_plan *p, size_t row, size_t col, struct buf *out)
{
	char *at = buf_reserve(out, p->row_bytes);

	if (!at)
		return;
	ptui_hist_cell_parts(p->h, row, col, &p->cells[col]);
	buf_added(out, (size_t)(put_cell(p, &p->columns[col], row, &p->cells[col], at) - at));
	if (p->escaped.err)
		out->err = p->escaped.err;
}

void report_plan_row(struct report_plan *p, size_t row, struct buf *out)
{
	char *begin = buf_reserve(out, p->row_bytes), *at = begin;
	const struct ptui_cell *cell = p->cells;

	if (!begin)
		return;
	ptui_hist_row_cells(p->h, row, p->cells);
	for (struct plan_column *c = p->columns; c < p->columns + p->n; c++, cell++)
		if (!c->hidden)
			at = put_cell(p, c, row, cell, at);
	*at++ = '\n';
	buf_added(out, (size_t)(at - begin));
	if (p->escaped.err)
		out->err = p->escaped.err;
}

bool report_below_limit(const struct ptui_hist *h, size_t row, double percent_limit)
{
	uint64_t total = ptui_hist_total_period(h);
	struct ptui_row r;

	if (percent_limit <= 0)
		return false;
	ptui_hist_row(h, row, &r);
	return total && 100.0 * (double)(ptui_hist_children(h) ? r.period_children : r.period) /
					(double)total <
				percent_limit;
}
