/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The line editor, without a screen; see prompt_ask.c. */
#include <ctype.h>
#include <string.h>

#include "text/utf8.h"
#include "widget/prompt.h"

void prompt_init(struct prompt *p, const char *line, struct words *history)
{
	memset(p, 0, sizeof(*p));
	p->history = history;
	p->history_at = history ? history->n : 0;
	prompt_set(p, line ? line : "");
}

void prompt_set(struct prompt *p, const char *line)
{
	p->line[0] = '\0';
	p->length = p->at = 0;
	p->skip = 0;
	prompt_insert(p, line);
}

/*
 * Replaces bytes [from, to) with `n` bytes of `text`, which must fit; the cursor goes after them.
 */
static void replace(struct prompt *p, size_t from, size_t to, const char *text, size_t n)
{
	memmove(p->line + from + n, p->line + to, p->length - to + 1);
	memcpy(p->line + from, text, n);
	p->length = p->length - (to - from) + n;
	p->at = from + n;
}

/* A line continued with \, as in a shell. */
static bool goes_on(const char *text, size_t left)
{
	return left >= 2 && text[0] == '\\' && text[1] == '\n';
}

bool prompt_insert(struct prompt *p, const char *text)
{
	char clean[PROMPT_MAX];
	size_t n = 0, left = strlen(text);

	while (left && text[left - 1] == '\n')
		left--;
	while (left) {
		uint32_t c;
		size_t used = utf8_next(text, left, &c);

		if (goes_on(text, left)) {
			text += 2;
			left -= 2;
			continue;
		}
		text += used;
		left -= used;
		if (c == '\n' || c == '\t')
			c = ' ';
		if (utf8_char_width(c) < 0)
			continue;
		if (p->length + n + 4 >= PROMPT_MAX)
			return false;
		n += utf8_put(clean + n, c);
	}
	replace(p, p->at, p->at, clean, n);
	return true;
}

void prompt_complete(struct prompt *p, size_t begin, const char *text)
{
	size_t n = strlen(text);

	if (n && begin <= p->at && p->length - (p->at - begin) + n < PROMPT_MAX)
		replace(p, begin, p->at, text, n);
}

/* ---- positions ---- */

/* A character with its combining ones is one step. */
static size_t step_left(const struct prompt *p, size_t at)
{
	uint32_t c;

	while (at > 0) {
		at = utf8_before(p->line, at);
		utf8_next(p->line + at, p->length - at, &c);
		if (utf8_char_width(c) != 0)
			break;
	}
	return at;
}

static size_t step_right(const struct prompt *p, size_t at)
{
	uint32_t c;

	if (at < p->length)
		at += utf8_next(p->line + at, p->length - at, &c);
	while (at < p->length) {
		size_t n = utf8_next(p->line + at, p->length - at, &c);

		if (utf8_char_width(c) != 0)
			break;
		at += n;
	}
	return at;
}

/* Words consist of letters, digits and non-ASCII characters. */
static bool in_word(const struct prompt *p, size_t at)
{
	unsigned char c = (unsigned char)p->line[at];

	return c >= 0x80 || isalnum(c) || c == '_';
}

static size_t word_left(const struct prompt *p)
{
	size_t at = p->at;

	while (at > 0 && !in_word(p, at - 1))
		at--;
	while (at > 0 && in_word(p, at - 1))
		at--;
	return at;
}

static size_t word_right(const struct prompt *p)
{
	size_t at = p->at;

	while (at < p->length && !in_word(p, at))
		at++;
	while (at < p->length && in_word(p, at))
		at++;
	return at;
}

/* ---- requests ---- */

static unsigned move(struct prompt *p, size_t at)
{
	p->at = at;
	return WISH_REDRAW;
}

static unsigned erase(struct prompt *p, size_t from, size_t to)
{
	if (from == to)
		return WISH_NONE;
	replace(p, from, to, "", 0);
	return WISH_REDRAW;
}

/* Erases into the buffer for yanking. */
static unsigned prompt_cut(struct prompt *p, size_t from, size_t to)
{
	if (from == to)
		return WISH_NONE;
	memcpy(p->cut, p->line + from, to - from);
	p->cut[to - from] = '\0';
	return erase(p, from, to);
}

static unsigned history_go(struct prompt *p, int direction)
{
	const struct words *h = p->history;

	if (!h || (direction < 0 ? p->history_at == 0 : p->history_at >= h->n))
		return WISH_NONE;
	if (p->history_at == h->n)
		memcpy(p->typed, p->line, p->length + 1);
	if (direction < 0)
		p->history_at--;
	else
		p->history_at++;
	prompt_set(p, p->history_at == h->n ? p->typed : h->v[p->history_at]);
	return WISH_REDRAW;
}

unsigned prompt_request(struct prompt *p, enum request req)
{
	switch (req) {
	case REQ_HISTORY_PREV:
		return history_go(p, -1);
	case REQ_HISTORY_NEXT:
		return history_go(p, 1);
	case REQ_EDIT_LEFT:
		return move(p, step_left(p, p->at));
	case REQ_EDIT_RIGHT:
		return move(p, step_right(p, p->at));
	case REQ_EDIT_WORD_LEFT:
		return move(p, word_left(p));
	case REQ_EDIT_WORD_RIGHT:
		return move(p, word_right(p));
	case REQ_EDIT_BEGIN:
		return move(p, 0);
	case REQ_EDIT_END:
		return move(p, p->length);
	case REQ_EDIT_BACKSPACE:
		return erase(p, step_left(p, p->at), p->at);
	case REQ_EDIT_DELETE:
		return erase(p, p->at, step_right(p, p->at));
	case REQ_EDIT_KILL_WORD:
		return prompt_cut(p, word_left(p), p->at);
	case REQ_EDIT_KILL_WORD_RIGHT:
		return prompt_cut(p, p->at, word_right(p));
	case REQ_EDIT_KILL_BEGIN:
		return prompt_cut(p, 0, p->at);
	case REQ_EDIT_KILL_END:
		return prompt_cut(p, p->at, p->length);
	case REQ_EDIT_YANK:
		return *p->cut && prompt_insert(p, p->cut) ? WISH_REDRAW : WISH_NONE;
	default:
		return WISH_PASS;
	}
}

unsigned prompt_key(struct prompt *p, key_code key)
{
	char text[5];

	if (!key_is_char(key))
		return WISH_PASS;
	text[utf8_put(text, key)] = '\0';
	return prompt_insert(p, text) ? WISH_REDRAW : WISH_NONE;
}

unsigned prompt_click(struct prompt *p, int x)
{
	if (x < p->text_x)
		return WISH_NONE;
	return move(p, utf8_fit(p->line, x - p->text_x + p->skip));
}

void prompt_draw(struct prompt *p, const struct canvas *c, const char *label)
{
	char before[PROMPT_MAX];
	int w = c->at.w, x = utf8_width(label), at, unseen;

	canvas_fill(c, 0, 0, 1, w, ROLE_TEXT, ' ');
	/* The label takes at most half of the line. */
	if (x > w / 2) {
		x = w / 2;
		canvas_cell(c, 0, 0, x - 1, ALIGN_LEFT, ROLE_TITLE, label);
	} else {
		canvas_text(c, 0, 0, ROLE_TITLE, label);
	}
	p->text_x = x;
	memcpy(before, p->line, p->at);
	before[p->at] = '\0';
	at = utf8_width(before);
	/* If the window grew, scroll back as far as possible. */
	unseen = utf8_width(p->line) - (w - x - 1);
	if (p->skip > unseen)
		p->skip = unseen > 0 ? unseen : 0;
	if (at < p->skip)
		p->skip = at;
	if (at - p->skip > w - x - 1)
		p->skip = at - (w - x - 1);
	canvas_cell_from(c, 0, x, w - x, p->skip, ROLE_FIELD, p->line);
	canvas_set_cursor(c, 0, x + at - p->skip);
}
