/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "text/utf8.h"
#include "widget/find.h"
#include "widget/pane.h"
#include "widget/scroll.h"

#define LINE_MAX_CHARS 4096 /* a longer one goes on in the next line */
#define TAB_COLUMNS 8
#define SIDEWAYS 8

/*
 * Where the bytes stand in an escape sequence:
 *
 *	ESC [ 31 m		CSI: ends with @ … ~
 *	ESC ] 0;title BEL	a string: ends with BEL, or with ESC and one byte more
 *	ESC ( B			one byte between ESC and the last
 */
enum state {
	TEXT,
	ESCAPE,
	CSI,
	BETWEEN,
	STRING,
	STRING_ESCAPE,
};

struct pane {
	char **lines; /* a ring of max_lines */
	size_t max_lines, first, n;
	uint64_t dropped;

	/* The line that is written, by characters: \r goes back in it. */
	uint32_t *chars;
	size_t n_chars, at;
	bool begun;	/* it is a line, even if it is empty so far */
	char *last;	/* the same as text; made by pane_line() */

	enum state state;
	unsigned param; /* the first number of a CSI sequence */
	char part[4];	/* of a character that has not come whole */
	size_t n_part;

	struct scroll scroll;
	bool follow;
	int skip; /* columns scrolled away */

	char search[FIND_SIZE];
	uint64_t found; /* a line, counted with those that left; NOWHERE */
};

#define NOWHERE UINT64_MAX

struct pane *pane_new(size_t max_lines)
{
	struct pane *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->max_lines = max_lines ? max_lines : 1;
	p->lines = calloc(p->max_lines, sizeof(*p->lines));
	p->chars = malloc(LINE_MAX_CHARS * sizeof(*p->chars));
	p->last = malloc(LINE_MAX_CHARS * 4 + 1);
	p->follow = true;
	p->found = NOWHERE;
	if (!p->lines || !p->chars || !p->last) {
		pane_free(p);
		return NULL;
	}
	return p;
}

void pane_free(struct pane *p)
{
	if (!p)
		return;
	for (size_t i = 0; p->lines && i < p->max_lines; i++)
		free(p->lines[i]);
	free(p->lines);
	free(p->chars);
	free(p->last);
	free(p);
}

/* ---- what comes in ---- */

static void last_text(struct pane *p)
{
	size_t at = 0;

	for (size_t i = 0; i < p->n_chars; i++)
		at += utf8_put(p->last + at, p->chars[i]);
	p->last[at] = '\0';
}

static int end_line(struct pane *p)
{
	size_t slot = (p->first + p->n) % p->max_lines;
	char *text;

	last_text(p);
	text = strdup(p->last);
	p->n_chars = p->at = 0;
	p->begun = false;
	if (!text)
		return -ENOMEM;
	if (p->n == p->max_lines) {
		free(p->lines[p->first]);
		p->lines[p->first] = text;
		p->first = (p->first + 1) % p->max_lines;
		p->dropped++;
		/* who looks at older lines keeps looking at them */
		if (!p->follow && p->scroll.top)
			p->scroll.top--;
		return 0;
	}
	p->lines[slot] = text;
	p->n++;
	return 0;
}

static int put_char(struct pane *p, uint32_t ch)
{
	int ret = 0;

	if (p->at == LINE_MAX_CHARS)
		ret = end_line(p);
	p->begun = true;
	p->chars[p->at++] = ch;
	if (p->at > p->n_chars)
		p->n_chars = p->at;
	return ret;
}

/* The cursor goes to character `to` of the line: what is not there yet is blank. */
static void move_to(struct pane *p, size_t to)
{
	if (to > LINE_MAX_CHARS)
		to = LINE_MAX_CHARS;
	while (p->n_chars < to)
		p->chars[p->n_chars++] = ' ';
	p->at = to;
}

/* Of all that CSI can say, what moves in the line and clears it: progress bars do that. */
static void end_csi(struct pane *p, unsigned char last)
{
	switch (last) {
	case 'K': /* erase: to the end, to the begin, all */
		if (p->param == 0) {
			p->n_chars = p->at;
		} else {
			size_t end = p->param == 2 ? p->n_chars : p->at;

			for (size_t i = 0; i < end; i++)
				p->chars[i] = ' ';
		}
		break;
	case 'G':
		move_to(p, p->param ? p->param - 1 : 0);
		break;
	case 'C':
		move_to(p, p->at + (p->param ? p->param : 1));
		break;
	case 'D': {
		size_t back = p->param ? p->param : 1;

		p->at -= back < p->at ? back : p->at;
		break;
	}
	default:
		break;
	}
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
	case 0x1b:
		p->state = ESCAPE;
		break;
	default: /* the bell and its like */
		break;
	}
	return 0;
}

static void after_escape(struct pane *p, unsigned char b)
{
	p->param = 0;
	if (b == '[')
		p->state = CSI;
	else if (b == ']' || b == 'P' || b == 'X' || b == '^' || b == '_')
		p->state = STRING;
	else if (b >= 0x20 && b <= 0x2f)
		p->state = BETWEEN;
	else
		p->state = TEXT;
}

/* One byte of a sequence. */
static void sequence(struct pane *p, unsigned char b)
{
	switch (p->state) {
	case ESCAPE:
		after_escape(p, b);
		break;
	case CSI:
		if (b >= '0' && b <= '9' && p->param < LINE_MAX_CHARS)
			p->param = p->param * 10 + (b - '0');
		if (b >= 0x40 && b <= 0x7e) {
			p->state = TEXT;
			end_csi(p, b);
		}
		break;
	case BETWEEN:
		if (b < 0x20 || b > 0x2f)
			p->state = TEXT;
		break;
	case STRING:
		if (b == 0x1b)
			p->state = STRING_ESCAPE;
		else if (b == 0x07)
			p->state = TEXT;
		break;
	case STRING_ESCAPE:
		p->state = b == 0x1b ? STRING_ESCAPE : TEXT;
		break;
	case TEXT:
		break;
	}
}

/* How many bytes a character has that begins with this one. */
static size_t char_bytes(unsigned char b)
{
	return b >= 0xf0 ? 4 : b >= 0xe0 ? 3 : b >= 0xc2 ? 2 : 1;
}

/* The bytes of one character are here, or it cannot become one any more. */
static int flush_part(struct pane *p)
{
	size_t at = 0;
	int ret = 0;

	while (at < p->n_part) {
		uint32_t ch;

		at += utf8_next(p->part + at, p->n_part - at, &ch);
		/* in two bytes, those too are control characters */
		if (ch < 0x80 || ch > 0x9f)
			ret = put_char(p, ch) ? -ENOMEM : ret;
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

		if (p->state != TEXT)
			sequence(p, b);
		else if (text_byte(p, b))
			ret = -ENOMEM;
	}
	return ret;
}

/* ---- what is seen ---- */

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
		return p->lines[(p->first + i) % p->max_lines];
	if (i > p->n || !p->begun)
		return NULL;
	last_text((struct pane *)p);
	return p->last;
}

static bool at_end(const struct pane *p)
{
	return p->scroll.top + p->scroll.page >= p->scroll.n;
}

void pane_draw(struct pane *p, const struct canvas *c)
{
	size_t n = pane_lines(p), page = c->at.h > 0 ? (size_t)c->at.h : 1;

	if (p->follow)
		p->scroll.top = n > page ? n - page : 0;
	scroll_fit(&p->scroll, n, c->at.h);
	for (int y = 0; y < c->at.h && p->scroll.top + (size_t)y < n; y++) {
		size_t line = p->scroll.top + (size_t)y;

		canvas_cell_from(c, y, 0, c->at.w - 1, p->skip, ROLE_TEXT, pane_line(p, line));
		canvas_mark(c, y, p->search, ROLE_MATCH);
		if (p->dropped + line == p->found)
			canvas_add_flags(c, y, 0, c->at.w - 1, STYLE_CURSOR);
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
		if (p->skip < LINE_MAX_CHARS)
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

static bool line_matches(void *ctx, size_t i)
{
	struct pane *p = ctx;
	size_t bytes;

	return utf8_find(pane_line(p, i), p->search, &bytes);
}

static bool search_from(struct pane *p, size_t from, int direction)
{
	size_t n = pane_lines(p), line = find_line(n, from, direction, line_matches, p);

	if (line == FIND_NONE)
		return false;
	p->found = p->dropped + line;
	p->scroll.n = n;
	scroll_show(&p->scroll, line);
	/* what comes in must not push it away */
	p->follow = false;
	return true;
}

bool pane_search(struct pane *p, const char *text)
{
	find_copy(p->search, text);
	p->found = NOWHERE;
	return !*p->search || search_from(p, p->scroll.top, 1);
}

bool pane_search_again(struct pane *p, int direction)
{
	size_t n = pane_lines(p), from = p->scroll.top;

	if (!*p->search || !n)
		return false;
	if (p->found != NOWHERE && p->found >= p->dropped)
		from = (size_t)(p->found - p->dropped) + (direction > 0 ? 1 : n - 1);
	return search_from(p, from % n, direction);
}

uint64_t pane_place(const struct pane *p)
{
	return p->follow ? NOWHERE : p->dropped + p->scroll.top;
}

void pane_go(struct pane *p, uint64_t place)
{
	p->follow = place == NOWHERE;
	if (!p->follow)
		p->scroll.top = place > p->dropped ? (size_t)(place - p->dropped) : 0;
}
