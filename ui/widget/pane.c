/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "text/utf8.h"
#include "widget/find.h"
#include "widget/pane.h"
#include "widget/scroll.h"
#include "widget/sgr.h"

#define LINE_MAX_COLUMNS 4096	     /* longer lines wrap */
#define BYTES_MAX	 (32u << 20) /* of all lines together */
#define TAB_COLUMNS	 8
#define SIDEWAYS	 8

/*
 * Position in an escape sequence:
 *
 *	ESC [ 31 m		CSI: ends with @ … ~
 *	ESC ] 0;title BEL	a string: ends with BEL, or with ESC and \
 *	ESC ( B			one byte between ESC and the last
 */
enum state {
	TEXT,
	ESCAPE,
	CSI,
	BETWEEN,
	STRING,
};

struct line {
	char *text;
	style_t *styles; /* of its columns; NULL: all are ROLE_TEXT */
	size_t bytes;	 /* of both */
	int columns;
};

struct pane {
	struct line *lines; /* a ring of max_lines */
	size_t max_lines, first, n, bytes;
	uint64_t dropped;

	/* The current line, a row of LINE_MAX_COLUMNS: \r moves back in it. */
	struct grid *cells;
	size_t n_cells, at; /* columns so far, and the next one */
	bool begun;	    /* the line exists, even if still empty */
	char *last;	    /* the same as text; from last_text() */

	enum state state;
	struct sgr_params params; /* of a CSI sequence */
	bool too_many, foreign;	  /* numbers; and: an unknown sequence */
	struct sgr sgr;
	style_t style; /* of what is written next */
	char part[4];  /* an incomplete character */
	size_t n_part;

	struct scroll scroll;
	bool follow;
	int skip;	   /* columns scrolled away */
	int widest, width; /* columns of the lines and of the canvas, at the last draw */

	char search[FIND_SIZE];
	uint64_t found; /* line number, counting dropped lines; NOWHERE */
};

#define NOWHERE UINT64_MAX

static void line_free(struct line *line)
{
	free(line->text);
	free(line->styles);
}

struct pane *pane_new(size_t max_lines)
{
	struct pane *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->max_lines = max_lines ? max_lines : 1;
	p->lines = calloc(p->max_lines, sizeof(*p->lines));
	p->cells = grid_new(1, LINE_MAX_COLUMNS);
	p->last = malloc(LINE_MAX_COLUMNS * CELL_BYTES + 1);
	p->follow = true;
	p->found = NOWHERE;
	p->sgr = (struct sgr)SGR_INIT;
	p->style = sgr_style(&p->sgr);
	if (!p->lines || !p->cells || !p->last) {
		pane_free(p);
		return NULL;
	}
	return p;
}

void pane_free(struct pane *p)
{
	if (!p)
		return;
	for (size_t i = 0; p->lines && i < p->n; i++)
		line_free(&p->lines[(p->first + i) % p->max_lines]);
	free(p->lines);
	grid_free(p->cells);
	free(p->last);
	free(p);
}

/* ---- writing ---- */

/* Returns the length. */
static size_t last_text(struct pane *p)
{
	size_t at = 0;

	for (size_t i = 0; i < p->n_cells; i++)
		at += cell_put(&p->cells->cells[i], p->last + at);
	p->last[at] = '\0';
	return at;
}

static void drop_first(struct pane *p)
{
	struct line *line = &p->lines[p->first];

	p->bytes -= line->bytes;
	line_free(line);
	p->first = (p->first + 1) % p->max_lines;
	p->n--;
	p->dropped++;
	/* when scrolled up, keep the same lines visible */
	if (!p->follow && p->scroll.top)
		p->scroll.top--;
}

/* Without memory the line has no colours. */
static void take_styles(const struct pane *p, struct line *line)
{
	bool coloured = false;

	for (size_t i = 0; i < p->n_cells; i++)
		coloured |= p->cells->cells[i].style != ROLE_TEXT;
	line->styles = coloured ? malloc(p->n_cells * sizeof(*line->styles)) : NULL;
	if (!line->styles)
		return;
	for (size_t i = 0; i < p->n_cells; i++)
		line->styles[i] = p->cells->cells[i].style;
	line->bytes += p->n_cells * sizeof(*line->styles);
}

static int end_line(struct pane *p)
{
	struct line line = { .bytes = last_text(p) + 1, .columns = (int)p->n_cells };

	take_styles(p, &line);
	p->n_cells = p->at = 0;
	p->begun = false;
	line.text = strdup(p->last);
	if (!line.text) {
		line_free(&line);
		return -ENOMEM;
	}
	while (p->n && (p->n == p->max_lines || p->bytes + line.bytes > BYTES_MAX))
		drop_first(p);
	p->lines[(p->first + p->n++) % p->max_lines] = line;
	p->bytes += line.bytes;
	return 0;
}

static int put_char(struct pane *p, uint32_t ch)
{
	const struct canvas line = canvas_of(p->cells);
	int width = utf8_char_width(ch), ret = 0;

	if (width == 0) {
		canvas_put_mark(&line, 0, (int)p->at, ch);
		return 0;
	}
	if (width < 0)
		width = 1;
	if (p->at + (size_t)width > LINE_MAX_COLUMNS)
		ret = end_line(p);
	p->begun = true;
	canvas_put(&line, 0, (int)p->at, p->style, ch, width);
	p->at += (size_t)width;
	if (p->at > p->n_cells)
		p->n_cells = p->at;
	return ret;
}

static void put_blanks(struct pane *p, size_t from, size_t to)
{
	const struct canvas line = canvas_of(p->cells);

	canvas_fill(&line, 0, (int)from, 1, (int)(to - from), ROLE_TEXT, ' ');
}

/* Moves the cursor to column `to`, filling with blanks. */
static void move_to(struct pane *p, size_t to)
{
	if (to > LINE_MAX_COLUMNS)
		to = LINE_MAX_COLUMNS;
	if (to > p->n_cells) {
		put_blanks(p, p->n_cells, to);
		p->n_cells = to;
	}
	p->at = to;
}

/* CSI K: from the cursor to the end, from the start to the cursor, all. */
static void erase(struct pane *p, unsigned what)
{
	size_t from = what ? 0 : p->at, to = p->n_cells;

	if (what > 2)
		return;
	if (what == 1) {
		put_blanks(p, 0, p->at < to ? p->at + 1 : to);
		return;
	}
	if (from < to)
		put_blanks(p, from, to);
	p->n_cells = from;
	move_to(p, p->at);
}

/* Handles CSI sequences that set colours, or move in the line or erase it, as progress bars use. */
static int end_csi(struct pane *p, unsigned char last)
{
	unsigned param = p->params.n ? p->params.v[0] : 0;
	size_t by = param ? param : 1;

	switch (last) {
	case 'm':
		sgr_apply(&p->sgr, &p->params);
		p->style = sgr_style(&p->sgr);
		break;
	case 'K':
		erase(p, param);
		break;
	case 'J': /* also erases below, where nothing is */
		if (!param)
			erase(p, 0);
		break;
	case 'G':
		move_to(p, by - 1);
		break;
	case 'C':
		move_to(p, p->at + by);
		break;
	case 'D':
		p->at -= by < p->at ? by : p->at;
		break;
	case 'H':
	case 'f':
		/* Moving to another line of the screen begins a new line here. */
		return p->begun ? end_line(p) : 0;
	default:
		break;
	}
	return 0;
}

/* Handles the byte after ESC, or a C1 control: 0x80 … 0x9f are ESC @ … ESC _. */
static void after_escape(struct pane *p, unsigned char b)
{
	p->params.n = 0;
	p->too_many = p->foreign = false;
	if (b == '[')
		p->state = CSI;
	else if (b == ']' || b == 'P' || b == 'X' || b == '^' || b == '_')
		p->state = STRING;
	else if (b >= 0x20 && b <= 0x2f)
		p->state = BETWEEN;
	else
		p->state = TEXT;
}

static int control(struct pane *p, unsigned char b)
{
	switch (b) {
	case '\n':
		return end_line(p);
	case '\r':
		p->at = 0;
		break;
	case '\b':
		p->at -= p->at > 0;
		break;
	case '\t':
		p->begun = true;
		move_to(p, (p->at / TAB_COLUMNS + 1) * TAB_COLUMNS);
		break;
	default: /* bell and other controls */
		break;
	}
	return 0;
}

static void begin_param(struct pane *p, bool sub)
{
	struct sgr_params *params = &p->params;

	p->too_many = params->n == SGR_PARAMS_MAX;
	if (p->too_many)
		return;
	params->v[params->n] = 0;
	params->sub[params->n++] = sub;
}

static int csi_byte(struct pane *p, unsigned char b)
{
	if ((b >= '0' && b <= '9') || b == ';' || b == ':') {
		unsigned *now;

		if (!p->params.n)
			begin_param(p, false);
		now = &p->params.v[p->params.n - 1];
		if (b > '9')
			begin_param(p, b == ':');
		else if (!p->too_many && *now < LINE_MAX_COLUMNS)
			*now = *now * 10 + (b - '0');
	} else if (b < 0x40) {
		p->foreign = true; /* ? and the like: private variants of K, C, D */
	} else {
		p->state = TEXT;
		if (b <= 0x7e && !p->foreign)
			return end_csi(p, b);
	}
	return 0;
}

static int text_byte(struct pane *p, unsigned char b);

/*
 * One byte of a sequence. A control character, ESC or the end of the line aborts it, so that output
 * after a killed program is not swallowed.
 */
static int sequence(struct pane *p, unsigned char b)
{
	if (b == 0x1b) {
		p->state = ESCAPE;
		return 0;
	}
	if (b < 0x20) {
		if (p->state != STRING || b == '\n' || b == 0x07 || b == 0x18 || b == 0x1a)
			p->state = TEXT;
		return p->state == TEXT ? control(p, b) : 0;
	}
	if (b >= 0x80 && p->state != STRING) {
		p->state = TEXT;
		return text_byte(p, b);
	}
	switch (p->state) {
	case ESCAPE:
		after_escape(p, b);
		break;
	case CSI:
		return csi_byte(p, b);
	case BETWEEN:
		if (b > 0x2f)
			p->state = TEXT;
		break;
	case STRING:
	case TEXT:
		break;
	}
	return 0;
}

/* Length of the character that begins with this byte. */
static size_t char_bytes(unsigned char b)
{
	return b >= 0xf0 ? 4 : b >= 0xe0 ? 3 : b >= 0xc2 ? 2 : 1;
}

/* Adds the character when it is complete, or invalid. */
static int flush_part(struct pane *p)
{
	size_t at = 0;
	int ret = 0;

	while (at < p->n_part) {
		uint32_t ch;

		at += utf8_next(p->part + at, p->n_part - at, &ch);
		if (ch >= 0x80 && ch <= 0x9f)
			after_escape(p, (unsigned char)(ch - 0x40));
		else if (put_char(p, ch))
			ret = -ENOMEM;
	}
	p->n_part = 0;
	return ret;
}

static int text_byte(struct pane *p, unsigned char b)
{
	bool goes_on = b >= 0x80 && b <= 0xbf;
	int ret = 0;

	if (p->n_part && !goes_on)
		ret = flush_part(p);
	if (b == 0x1b) {
		p->state = ESCAPE;
		return ret;
	}
	if (b < 0x20 || b == 0x7f)
		return control(p, b) ? -ENOMEM : ret;
	p->part[p->n_part++] = (char)b;
	if (p->n_part >= char_bytes((unsigned char)p->part[0]))
		ret = flush_part(p) ? -ENOMEM : ret;
	return ret;
}

int pane_write(struct pane *p, const char *bytes, size_t n)
{
	int ret = 0;

	for (size_t i = 0; i < n; i++) {
		unsigned char b = (unsigned char)bytes[i];

		if (p->state == TEXT ? text_byte(p, b) : sequence(p, b))
			ret = -ENOMEM;
	}
	return ret;
}

/* ---- drawing ---- */

size_t pane_lines(const struct pane *p)
{
	return p->n + p->begun;
}

uint64_t pane_dropped(const struct pane *p)
{
	return p->dropped;
}

const char *pane_line(const struct pane *p, size_t i)
{
	if (i < p->n)
		return p->lines[(p->first + i) % p->max_lines].text;
	if (i > p->n || !p->begun)
		return NULL;
	last_text((struct pane *)p);
	return p->last;
}

static bool at_end(const struct pane *p)
{
	return p->scroll.top + p->scroll.page >= p->scroll.n;
}

/* In the colours of line `i`, which is drawn in row `y`. */
static void draw_styles(const struct pane *p, const struct canvas *c, int y, size_t i)
{
	const struct line *line = i < p->n ? &p->lines[(p->first + i) % p->max_lines] : NULL;
	int n = line ? line->columns : (int)p->n_cells;

	for (int x = p->skip; x < n && x < p->skip + p->width && (!line || line->styles); x++)
		canvas_set_style(c, y, x - p->skip, 1,
				 line ? line->styles[x] : p->cells->cells[x].style);
}

void pane_draw(struct pane *p, const struct canvas *c)
{
	size_t n = pane_lines(p), page = c->at.h > 0 ? (size_t)c->at.h : 1;
	size_t before = p->scroll.page;

	if (p->follow)
		p->scroll.top = n > page ? n - page : 0;
	scroll_fit(&p->scroll, n, c->at.h);
	/* a taller window may reach the end */
	if (p->scroll.page > before && at_end(p))
		p->follow = true;
	p->widest = 0;
	p->width = c->at.w - 1;
	for (int y = 0; y < c->at.h && p->scroll.top + (size_t)y < n; y++) {
		size_t i = p->scroll.top + (size_t)y;
		int columns = i < p->n ? p->lines[(p->first + i) % p->max_lines].columns :
					 (int)p->n_cells;

		if (columns > p->widest)
			p->widest = columns;
		canvas_cell_from(c, y, 0, p->width, p->skip, ROLE_TEXT, pane_line(p, i));
		draw_styles(p, c, y, i);
		canvas_mark(c, y, p->search, ROLE_MATCH);
		if (p->dropped + i == p->found)
			canvas_add_flags(c, y, 0, p->width, STYLE_CURSOR);
	}
	canvas_scrollbar(c, 0, c->at.w - 1, c->at.h, p->scroll.top, p->scroll.page, n);
}

static unsigned scrolled(struct pane *p, unsigned wishes)
{
	if (wishes != WISH_PASS)
		p->follow = at_end(p);
	return wishes;
}

unsigned pane_request(struct pane *p, enum request req)
{
	switch (req) {
	case REQ_LEFT:
		p->skip -= SIDEWAYS < p->skip ? SIDEWAYS : p->skip;
		return WISH_REDRAW;
	case REQ_RIGHT:
		if (p->skip + p->width < p->widest)
			p->skip += SIDEWAYS;
		return WISH_REDRAW;
	default:
		return scrolled(p, scroll_request(&p->scroll, req));
	}
}

unsigned pane_mouse(struct pane *p, const struct term_event *e)
{
	return scrolled(p, scroll_mouse(&p->scroll, e));
}

bool pane_follows(const struct pane *p)
{
	return p->follow;
}

/* ---- searching ---- */

static size_t lines_count(void *ctx)
{
	return pane_lines(ctx);
}

static bool line_matches(void *ctx, size_t i)
{
	struct pane *p = ctx;
	size_t bytes;

	return utf8_find(pane_line(p, i), p->search, &bytes);
}

static size_t here(void *ctx, bool *ret_match)
{
	const struct pane *p = ctx;

	*ret_match = p->found != NOWHERE && p->found >= p->dropped;
	return *ret_match ? (size_t)(p->found - p->dropped) : p->scroll.top;
}

static void show(void *ctx, size_t line)
{
	struct pane *p = ctx;

	p->found = p->dropped + line;
	p->scroll.n = pane_lines(p);
	scroll_show(&p->scroll, line);
	/* new output must not scroll it away */
	p->follow = false;
}

static void set_text(void *ctx, const char *text)
{
	struct pane *p = ctx;

	find_copy(p->search, text);
	p->found = NOWHERE;
}

static uint64_t place(void *ctx)
{
	const struct pane *p = ctx;

	return p->follow ? NOWHERE : p->dropped + p->scroll.top;
}

static void go(void *ctx, uint64_t to)
{
	struct pane *p = ctx;

	p->follow = to == NOWHERE;
	if (!p->follow)
		p->scroll.top = to > p->dropped ? (size_t)(to - p->dropped) : 0;
}

const struct find_ops pane_find_ops = {
	.count = lines_count,
	.matches = line_matches,
	.here = here,
	.show = show,
	.set_text = set_text,
	.place = place,
	.go = go,
};
