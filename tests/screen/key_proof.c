/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "input/key_name.h"
#include "screen/key_proof.h"
#include "text/utf8.h"

#define WHERE_BYTES 32768

/* ---- the help ---- */

static enum request request_of_label(enum keymap map, const char *label)
{
	key_code found[16];
	char text[KEY_NAME_MAX];

	for (int i = REQ_NONE + 1; i < N_REQUESTS; i++) {
		size_t n = keymaps_keys(keys, map, (enum request)i, found, 16);

		while (n--) {
			if (!strcmp(key_label(found[n], text), label))
				return (enum request)i;
		}
	}
	return REQ_NONE;
}

/* "  ?  h  F1      list the keys": the request, if all of its keys are bound to it. */
static enum request read_row(const struct place *p, const char *row)
{
	enum request req = REQ_NONE;
	char word[512];

	if (strncmp(row, "  ", 2) || row[2] == ' ' || !row[2])
		return REQ_NONE;
	for (row += 2; *row; row += strspn(row, " ")) {
		const char *end = strstr(row, "  ");
		enum request of;

		snprintf(word, sizeof(word), "%.*s", end ? (int)(end - row) : (int)strlen(row),
			 row);
		of = request_of_label(p->map, word);
		if (of == REQ_NONE)
			break;
		if (req != REQ_NONE && of != req)
			give_up("help of %s: %s is said to do what %s does", p->name, word,
				request_info(req)->name);
		req = of;
		row += strlen(word);
	}
	if (req == REQ_NONE)
		give_up("help of %s: no such key: %s", p->name, row);
	/* a scroll bar may follow */
	if (strncmp(row, request_info(req)->help, strlen(request_info(req)->help)))
		give_up("help of %s: '%s' is not what %s does", p->name, row,
			request_info(req)->name);
	return req;
}

/* Reads the whole help; told[] is set for listed requests. */
static void read_help(const struct place *p, bool told[N_REQUESTS])
{
	if (p->no_help_of_its_own) {
		for (size_t i = 0; i < p->n; i++)
			told[p->proofs[i].req] = true;
		return;
	}
	type(p->help);
	screen_wait_row(s, 0, "Help: ");
	for (;;) {
		char before[1024];

		settle();
		for (int y = 1; y < screen_rows(s) - 1; y++)
			told[read_row(p, screen_row(s, y))] = true;
		snprintf(before, sizeof(before), "%s", screen_row(s, 2));
		type("<PgDn>");
		settle();
		if (!strcmp(before, screen_row(s, 2)))
			break;
	}
	type(p->leave);
	screen_wait(s, p->base);
}

/* ---- proofs ---- */

struct seen {
	const char *text;
	bool there;
};

static bool is_so(struct screen *screen, void *ctx)
{
	const struct seen *w = ctx;

	return (screen_find(screen, w->text, NULL) >= 0) == w->there;
}

static bool line_is(struct screen *screen, void *ctx)
{
	char shown[1024];
	int y, x, at = 0;
	const char *row;
	size_t n;

	if (!screen_cursor(screen, &y, &x) || y != screen_rows(screen) - 1)
		return false;
	row = screen_row(screen, y);
	for (n = 0; row[n] && at < x; at++)
		n++; /* the lines are of ASCII */
	snprintf(shown, sizeof(shown), "%.*s%*s|%s", (int)n, row, x - at, "", row + n);
	return !strcmp(shown, ctx);
}

static bool sign_is(struct screen *screen, void *ctx)
{
	int y = screen_cursor_row(screen);

	return y >= 0 && *screen_row(screen, y) == *(char *)ctx;
}

/*
 * The current position: visible and highlighted rows; the cursor row on screens with changing
 * numbers.
 */
static void where(const struct place *p, char buf[WHERE_BYTES])
{
	size_t n = 0;

	if (p->live) {
		snprintf(buf, WHERE_BYTES, "%d", screen_cursor_row(s));
		return;
	}
	for (int y = 1; y < screen_rows(s) - 1; y++) {
		n += (size_t)snprintf(buf + n, WHERE_BYTES - n, "%s\n", screen_row(s, y));
		assert_true(n < WHERE_BYTES);
		n += (size_t)snprintf(buf + n, WHERE_BYTES - n, "%s\n", screen_row_looks(s, y));
		assert_true(n < WHERE_BYTES);
	}
}

static void expect_where(const struct place *p, enum request req, const char *key, const char *text,
			 bool same)
{
	char now[WHERE_BYTES];

	for (int i = 0; i < 50; i++) {
		where(p, now);
		if (!strcmp(now, text) == same)
			return;
		settle();
	}
	give_up("%s: %s (%s) %s", p->name, key, request_info(req)->name,
		same ? "does not lead where it should" : "does not move");
}

static void prove_move(const struct place *p, enum request req, const char *key)
{
	char first[WHERE_BYTES], second[WHERE_BYTES], last[WHERE_BYTES];
	bool up = req == REQ_UP || req == REQ_PAGE_UP || req == REQ_FIRST;

	type("<Home>");
	settle();
	where(p, first);
	type("<Down>");
	settle();
	where(p, second);
	type("<End>");
	settle();
	where(p, last);
	if (!strcmp(first, second) || !strcmp(first, last))
		give_up("%s: there is nowhere to move to", p->name);
	if (!up) {
		type("<Home>");
		settle();
	}
	type(key);
	settle();
	if (req == REQ_FIRST || req == REQ_LAST)
		expect_where(p, req, key, up ? first : last, true);
	else if (req == REQ_DOWN)
		expect_where(p, req, key, second, true);
	else
		expect_where(p, req, key, up ? last : first, false);
	if (req == REQ_PAGE_DOWN && !p->live)
		expect_where(p, req, key, second, false);
	type("<Home>");
	settle();
}

/* The right half of the rows, which scrolls horizontally. */
static void right_half(char buf[8192])
{
	size_t n = 0;

	*buf = '\0';
	for (int y = 2; y < screen_rows(s) - 2; y++) {
		const char *row = screen_row(s, y);
		size_t skip = strlen(row) > 60 ? 60 : strlen(row);

		n += (size_t)snprintf(buf + n, n < 8192 ? 8192 - n : 0, "%.50s\n", row + skip);
	}
}

static void prove_sideways(const struct place *p, enum request req, const char *key)
{
	char before[8192], after[8192], back[8192];

	if (p->live)
		type("<Home>");
	settle();
	right_half(before);
	type(req == REQ_RIGHT ? key : "<Right>");
	settle();
	right_half(after);
	type(req == REQ_LEFT ? key : "<Left>");
	settle();
	right_half(back);
	if (!p->live && (!strcmp(before, after) || strcmp(before, back)))
		give_up("%s: %s (%s) does not scroll and back", p->name, key,
			request_info(req)->name);
}

/* The cursor row, or a highlighted one, contains the searched text. */
static bool has_found(struct screen *screen, void *ctx)
{
	int y = screen_cursor_row(screen);
	size_t bytes;

	return y > 0 && utf8_find(screen_row(screen, y), ctx, &bytes);
}

static void prove_search(const struct place *p, enum request req, const char *key)
{
	char first[WHERE_BYTES], next[WHERE_BYTES];

	type("<Home>");
	type(req == REQ_SEARCH ? key : "/");
	type(p->find);
	type("<Enter>");
	screen_wait_until(s, has_found, (char *)p->find, "what was searched is found");
	settle();
	if (req != REQ_SEARCH) {
		where(p, first);
		type(req == REQ_SEARCH_NEXT ? key : p->next ? p->next : "n");
		screen_wait_until(s, has_found, (char *)p->find, "the next is found");
		expect_where(p, req, key, first, false);
		where(p, next);
		type(req == REQ_SEARCH_PREV ? key : p->prev ? p->prev : "N");
		expect_where(p, req, key, first, true);
	}
	type(p->unfind);
	settle();
	screen_wait(s, p->base);
}

static void prove_suspend(const struct place *p, const char *key)
{
	type(key);
	screen_wait_stopped(s);
	screen_check_sane(s);
	screen_continue(s);
	screen_wait(s, p->base);
}

static void prove_redraw(const struct place *p, const char *key)
{
	settle();
	screen_scribble(s, 3, 10, "somebody else's words");
	assert_true(screen_find(s, "somebody else's words", NULL) >= 0);
	type(key);
	screen_wait_gone(s, "somebody else's words");
	screen_wait(s, p->base);
}

static void end(const struct place *p)
{
	int status = screen_wait_end(s);

	if (!WIFEXITED(status) || WEXITSTATUS(status))
		give_up("%s: it ended with status %x", p->name, (unsigned)status);
	screen_check_sane(s);
	stop();
	p->open(p);
}

static void prove_text(const struct place *p, const struct proof *proof, const char *key)
{
	struct seen seen = { proof->text, proof->effect == COMES };
	char what[256], *sign = (char *)proof->text;

	type(proof->before);
	settle();
	if (proof->effect != LINE && proof->effect != SIGN && is_so(s, &seen))
		give_up("%s: \"%s\" is%s there before %s is pressed", p->name, proof->text,
			seen.there ? "" : " not", key);
	if (proof->effect == SIGN && sign_is(s, sign))
		give_up("%s: the row has the sign %s before %s is pressed", p->name, sign, key);
	type(key);
	type(proof->then);
	snprintf(what, sizeof(what), "%s: %s (%s) %s %s", p->name, key,
		 request_info(proof->req)->name, seen.there ? "shows" : "leads to", proof->text);
	screen_wait_until(s,
			  proof->effect == LINE ? line_is :
			  proof->effect == SIGN ? sign_is :
						  is_so,
			  proof->effect == LINE || proof->effect == SIGN ? (void *)sign : &seen,
			  what);
	if (!proof->after) {
		stop();
		p->open(p);
		return;
	}
	type(proof->after);
	settle();
	screen_wait(s, p->base);
}

static void prove(const struct place *p, const struct proof *proof, const char *key)
{
	switch (proof->req) {
	case REQ_UP:
	case REQ_DOWN:
	case REQ_PAGE_UP:
	case REQ_PAGE_DOWN:
	case REQ_FIRST:
	case REQ_LAST:
		prove_move(p, proof->req, key);
		return;
	case REQ_LEFT:
	case REQ_RIGHT:
		prove_sideways(p, proof->req, key);
		return;
	case REQ_SEARCH:
	case REQ_SEARCH_NEXT:
	case REQ_SEARCH_PREV:
		prove_search(p, proof->req, key);
		return;
	case REQ_SUSPEND:
		prove_suspend(p, key);
		return;
	case REQ_REDRAW:
		prove_redraw(p, key);
		return;
	default:
		break;
	}
	if (proof->effect != ENDS) {
		prove_text(p, proof, key);
		return;
	}
	type(key);
	type(proof->then);
	end(p);
}

void test_place(void **state)
{
	const struct place *p = *state;
	bool told[N_REQUESTS] = { false };
	key_code found[16];
	char name[KEY_NAME_MAX];

	p->open(p);
	read_help(p, told);
	told[REQ_NONE] = false;
	for (int i = REQ_NONE + 1; i < N_REQUESTS; i++) {
		size_t k, n = keymaps_keys(keys, p->map, (enum request)i, found, 16);
		const struct proof *proof = NULL;

		for (size_t at = 0; at < p->n; at++) {
			if (p->proofs[at].req == (enum request)i)
				proof = &p->proofs[at];
		}
		if (told[i] && !proof)
			give_up("the help of %s lists %s, and nothing proves it", p->name,
				request_info((enum request)i)->name);
		if (!told[i] && proof)
			give_up("%s does %s, and its help does not tell", p->name,
				request_info((enum request)i)->name);
		for (k = 0; told[i] && k < n; k++) {
			if (p->rows)
				screen_resize(s, p->rows, p->cols);
			prove(p, proof, key_format(found[k], name));
		}
	}
	stop();
}

/* ---- menus ---- */

static void check_letter(const struct menu_place *m, char letter, const char *text)
{
	enum request req = keymaps_find(keys, m->on->map, (key_code)letter);
	const char *does;

	if (req == REQ_NONE) {
		if (!strchr(m->others, letter))
			give_up("%s, %s: (%c) %s: not a key of the screen", m->on->name, m->keys,
				letter, text);
		return;
	}
	for (size_t i = 0; i < 6 && m->reqs[i] != REQ_NONE; i++)
		if (m->reqs[i] == req)
			return;
	does = request_info(req)->help;
	/* the end may be truncated */
	if (strncmp(text, does, strlen(does)) != 0 && !strstr(text, "…"))
		give_up("%s, %s: (%c) %s: on the screen it does this: %s", m->on->name, m->keys,
			letter, text, does);
}

void prove_menus(const struct menu_place *menus, size_t n)
{
	const struct place *open = NULL;

	for (size_t i = 0; i < n; i++) {
		const struct menu_place *m = &menus[i];
		int letters = 0;

		if (open != m->on && open)
			stop();
		if (open != m->on)
			m->on->open(m->on);
		open = m->on;
		screen_resize(s, 50, 140);
		type(m->keys);
		screen_wait(s, m->there);
		settle();
		for (int y = 0; y < screen_rows(s); y++) {
			const char *at = strstr(screen_row(s, y), "│ ");

			/* a mark may come first */
			for (; at && strchr(" \xe2\x94\x82\x80\xa2", *at) && *at; at++)
				;
			if (at && at[0] == '(' && at[1] && at[2] == ')' && at[3] == ' ') {
				check_letter(m, at[1], at + 4);
				letters++;
			}
		}
		if (!letters && *m->others)
			give_up("%s, %s: no letters", m->on->name, m->keys);
		/* a line that the screen leaves to its widgets */
		if (screen_find(s, "(/) ", NULL) >= 0) {
			type("/");
			screen_wait_row(s, screen_rows(s) - 1, "find:");
		}
		type("<Esc>");
		settle();
	}
	stop();
}

/* ---- the mouse ---- */

static bool cursor_is(struct screen *screen, void *ctx)
{
	return screen_cursor_row(screen) == *(int *)ctx;
}

static void click_row(int y)
{
	screen_click(s, y, 10);
	screen_wait_until(s, cursor_is, &y, "the cursor is in the row that was clicked");
}

static void wait_opened(const struct place *p, int y)
{
	if (strlen(p->opens) == 1)
		screen_wait_until(s, sign_is, (char *)p->opens, "the row is open");
	else
		screen_wait(s, p->opens);
	settle();
	type(p->closes);
	screen_wait(s, p->base);
	type(p->row);
	settle();
	if (screen_cursor_row(s) != y)
		give_up("%s: '%s' leads elsewhere than before", p->name, p->row);
}

static void click_hint(const char *hint)
{
	int x, last = screen_rows(s) - 1;

	settle(); /* hints of the screen before may be there */
	screen_wait_row(s, last, hint);
	assert_int_equal(screen_find(s, hint, &x), last);
	screen_click(s, last, x);
}

/* Of changing rows the cursor may stay where it is, and the rows move. */
static bool has_scrolled(const struct place *p)
{
	return p->live && screen_find(s, "above (Home)", NULL) >= 0;
}

static void prove_wheel(const struct place *p, int y)
{
	char before[WHERE_BYTES];

	type("<Home>");
	settle();
	where(p, before);
	screen_wheel(s, y, 10, 3);
	settle();
	if (!has_scrolled(p))
		expect_where(p, REQ_DOWN, "the wheel", before, false);
	screen_wheel(s, y, 10, -3);
	type("<Home>");
	expect_where(p, REQ_UP, "the wheel", before, true);
}

void test_mouse_in(void **state)
{
	const struct place *p = *state;
	int y;

	p->open(p);
	y = screen_rows(s) / 2;
	if (p->rows)
		screen_resize(s, p->rows, p->cols);
	type(p->row);
	settle();
	if (p->row) {
		y = screen_cursor_row(s);
		click_row(y + 1);
		click_row(y);
		screen_click(s, y, 10);
		wait_opened(p, y);
		click_row(y + 1);
		/* a double click */
		screen_click(s, y, 10);
		screen_click(s, y, 10);
		wait_opened(p, y);
	}
	prove_wheel(p, y);
	if (p->no_help_of_its_own)
		return;
	click_hint("? help");
	screen_wait_row(s, 0, "Help: ");
	click_hint("ESC back");
	screen_wait(s, p->base);
}
