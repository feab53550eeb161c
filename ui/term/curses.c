/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The grid drawn by ncurses, which finds what differs, scrolls, and moves the cursor.
 *
 *	grid --changed rows--> stdscr --doupdate--> memfd --curses_trim--> bytes --term_flush--> terminal
 *
 * ncurses writes with blocking calls, so it writes into a file in memory: a frame is read from there, and
 * sent as far as the terminal takes it (term.c).
 */
#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <wchar.h>

#include "base/vec.h"
#include "term/private.h"
#include "text/i18n.h"
#include "text/utf8.h"

#define NCURSES_NOMACROS
#include <curses.h>

#define OUT_KEEP (256 << 10) /* bytes of the file that stay allocated */

const char *curses_cap(const char *name)
{
	const char *text = tigetstr(name);

	return text && text != (const char *)-1 ? text : "";
}

/* ---- what ncurses has written ---- */

/* Bytes of the file: ncurses appends. */
static size_t out_size(const struct term *t)
{
	off_t end = lseek(t->out_fd, 0, SEEK_CUR);

	return end > 0 ? (size_t)end : 0;
}

/* The next frame overwrites the last one: the pages are used again, unless they are many. */
static void out_rewind(struct term *t, size_t size)
{
	if (size > OUT_KEEP)
		t->hung_up |= ftruncate(t->out_fd, 0) < 0;
	lseek(t->out_fd, 0, SEEK_SET);
}

/* The length of one of these sequences, which the text begins with; 0: none. */
static size_t sequence_at(const char *const *sequences, const char *text, size_t n)
{
	for (; *sequences; sequences++) {
		size_t len = strlen(*sequences);

		if (len <= n && !memcmp(text, *sequences, len))
			return len;
	}
	return 0;
}

/*
 * The length of what has no effect: the ASCII character set, since frames never leave it, and default
 * colours, if a reset of all attributes follows.
 */
static size_t vain_at(const char *text, size_t n)
{
	static const char *const charset[] = { "\033(B", NULL };
	static const char *const colours[] = { "\033[39m", "\033[49m", "\033[39;49m", NULL };
	static const char *const reset[] = { "\033[m", "\033[0m", "\033[0;", NULL };
	size_t len = sequence_at(charset, text, n), at, next;

	if (len)
		return len;
	len = sequence_at(colours, text, n);
	for (at = len; len && at < n; at += next) {
		if (sequence_at(reset, text + at, n - at))
			return len;
		next = sequence_at(charset, text + at, n - at);
		next = next ? next : sequence_at(colours, text + at, n - at);
		if (!next)
			return 0;
	}
	return 0;
}

size_t curses_trim(char *text, size_t n)
{
	size_t to = 0;

	for (size_t i = 0; i < n;) {
		size_t vain = text[i] == '\033' ? vain_at(text + i, n - i) : 0;

		i += vain;
		if (!vain)
			text[to++] = text[i++];
	}
	return to;
}

/* Appends the frame to the bytes to send. Without memory for it, the next one is drawn as a whole. */
static void out_take(struct term *t)
{
	size_t size = out_size(t);
	ssize_t n = -1;

	if (!size)
		return;
	if (!vec_grow(&t->bytes, &t->cap_bytes, t->n_bytes + size))
		n = pread(t->out_fd, t->bytes + t->n_bytes, size, 0);
	out_rewind(t, size);
	if (n != (ssize_t)size)
		t->forget = true;
	else
		t->n_bytes += t->trims ? curses_trim(t->bytes + t->n_bytes, size) : size;
}

/* ---- the screen ---- */

/*
 * newterm() without its signal handlers: the loop has its own, and after it the default applies.
 * Without its delays: no terminal needs padding any more. As if in UTF-8: else it repeats
 * characters by REP, after which terminals based on libvterm wrap too early.
 */
static SCREEN *new_screen(FILE *out, FILE *in)
{
	static const int taken[] = { SIGINT, SIGTERM, SIGTSTP, SIGWINCH };
	char *locale = strdup(setlocale(LC_CTYPE, NULL));
	bool was_set = getenv("NCURSES_NO_PADDING");
	struct sigaction before[4];
	SCREEN *screen;

	setenv("NCURSES_NO_PADDING", "1", 0);
	for (size_t i = 0; i < 4; i++)
		sigaction(taken[i], NULL, &before[i]);
	setlocale(LC_CTYPE, locale ? "C.UTF-8" : NULL);
	screen = newterm(NULL, out, in);
	setlocale(LC_CTYPE, locale);
	free(locale);
	if (!was_set)
		unsetenv("NCURSES_NO_PADDING"); /* the workload has this environment */
	for (size_t i = 0; i < 4; i++)
		sigaction(taken[i], &before[i], NULL);
	return screen;
}

/* Padding is $<5/>. */
static void strip_padding(char *text)
{
	char *end;

	while ((text = strstr(text, "$<")) && (end = strchr(text, '>')))
		memmove(text, end + 1, strlen(end));
}

/*
 * What sets up and restores the terminal. Ours, since a signal handler writes it, and ncurses
 * resets the user's palette. Clicks and pastes only from terminals with a mouse.
 */
static void make_texts(struct term *t, bool mouse)
{
	bool xterm = *curses_cap("kmous");
	bool region = !strcmp(curses_cap("csr"), "\033[%i%p1%d;%p2%dr");

	t->trims = !strcmp(curses_cap("op"), "\033[39;49m");
	snprintf(t->enter, TERM_TEXT, "%s%s%s%s%s%s%s", curses_cap("smcup"), curses_cap("sgr0"),
		 curses_cap("op"), curses_cap("rmir"), curses_cap("smam"),
		 xterm ? "\033[?2004h" : "", xterm && mouse ? "\033[?1000h\033[?1006h" : "");
	/*
	 * A frame may end within a scroll region. Without an alternate screen, the shell continues
	 * below the last frame. rmcup may restore that the cursor was hidden.
	 */
	snprintf(t->leave, TERM_TEXT, "%s%s%s%s%s%s%s", region ? "\033[r" : "", curses_cap("sgr0"),
		 curses_cap("op"), xterm && mouse ? "\033[?1006l\033[?1000l" : "",
		 xterm ? "\033[?2004l" : "",
		 *curses_cap("rmcup") ? curses_cap("rmcup") : "\033[999;1H\r\n",
		 curses_cap("cnorm"));
	strip_padding(t->enter);
	strip_padding(t->leave);
}

int curses_open(struct term *t, bool mouse, struct ptui_error *err)
{
	const char *name = getenv("TERM");
	int rc;

	name = name ? name : "";
	t->out_fd = memfd_create("screen", MFD_CLOEXEC);
	t->out = t->out_fd >= 0 ? fdopen(t->out_fd, "w") : NULL;
	t->in = fdopen(t->fd, "r");
	if (!t->out || !t->in)
		return ptui_error_nomem(err);
	t->screen = new_screen(t->out, t->in);
	if (!t->screen)
		return ptui_error_set(err, PTUI_ERROR_INPUT, ENOTTY, name,
				      _("Unknown terminal: TERM is \"%s\"."), name);
	if (!*curses_cap("cup") || !*curses_cap("clear"))
		return ptui_error_set(err, PTUI_ERROR_INPUT, ENOTTY, name,
				      _("This terminal (TERM is \"%s\") cannot move its cursor."),
				      name);
	noecho();
	nonl();
	typeahead(-1);
	idlok(stdscr, TRUE);
	meta(stdscr, TRUE); /* bytes of eight bits */
	t->depth = theme_depth(has_colors() ? tigetnum("colors") : 0, getenv("NO_COLOR"));
	if (t->depth != DEPTH_MONO) {
		start_color();
		use_default_colors();
	}
	make_texts(t, mouse);
	rc = input_open(&t->input);
	out_rewind(t, 0); /* replaced by t->enter: it depends on the size, and switches meta keys */
	return rc < 0 ? ptui_error_nomem(err) : 0;
}

void curses_close(struct term *t)
{
	input_close(&t->input);
	if (t->screen)
		delscreen(t->screen);
	free(t->drawn);
	free(t->bytes);
	if (t->out)
		fclose(t->out);
	if (t->in)
		fclose(t->in); /* and t->fd */
}

int curses_resize(struct term *t, int rows, int cols)
{
	struct cell *drawn = calloc((size_t)rows * (size_t)cols, sizeof(*drawn));

	if (!drawn || resizeterm(rows, cols) == ERR) {
		free(drawn);
		return -ENOMEM;
	}
	free(t->drawn);
	t->drawn = drawn;
	return 0;
}

/* The look of a style; its colours become a pair at its first use. */
static const struct curses_look *look_of(struct term *t, style_t style)
{
	unsigned role = style & STYLE_ROLE;
	unsigned slot = role * 32 + (style & STYLE_FLAGS) / STYLE_CURSOR;
	struct curses_look *known = &t->looks[slot];
	struct look look;

	if (known->made)
		return known;
	look = theme_look(t->theme, t->depth, style);
	known->made = true;
	known->attrs = (look.attrs & LOOK_BOLD ? WA_BOLD : 0) |
		       (look.attrs & LOOK_DIM ? WA_DIM : 0) |
		       (look.attrs & LOOK_UNDERLINE ? WA_UNDERLINE : 0) |
		       (look.attrs & LOOK_REVERSE ? WA_REVERSE : 0);
	if (look.fg != LOOK_DEFAULT || look.bg != LOOK_DEFAULT) {
		/* flags but the cursor change no colour; terminals of 8 colours have 64 pairs */
		known->pair = (short)(role * 2 + !!(style & STYLE_CURSOR) + 1);
		init_extended_pair(known->pair, look.fg, look.bg);
	}
	return known;
}

static void draw_row(struct term *t, int y, const struct cell *row)
{
	const struct curses_look *look = NULL;
	cchar_t line[SIDE_MAX];
	style_t style = 0;
	int n = 0;

	for (int x = 0; x < t->grid->cols; x++) {
		const struct cell *c = &row[x];
		wchar_t text[4] = { (wchar_t)c->ch, (wchar_t)c->mark[0], (wchar_t)c->mark[1] };

		if (!c->width)
			continue;
		if (wcwidth(text[0]) < 0) /* unknown to libc: ncurses would skip it */
			text[0] = UTF8_BAD;
		if (!look || style != c->style)
			look = look_of(t, c->style);
		style = c->style;
		setcchar(&line[n++], text, look->attrs, look->pair, NULL);
	}
	/* `cols` counts columns: a wide character is one element */
	mvadd_wchnstr(y, 0, line, t->grid->cols);
}

void curses_draw(struct term *t)
{
	size_t cols = (size_t)t->grid->cols;
	bool cursor = t->grid->cursor_y >= 0;

	for (int y = 0; y < t->grid->rows; y++) {
		const struct cell *row = t->grid->cells + (size_t)y * cols;
		struct cell *drawn = t->drawn + (size_t)y * cols;

		if (!memcmp(row, drawn, cols * sizeof(*row)))
			continue;
		draw_row(t, y, row);
		memcpy(drawn, row, cols * sizeof(*row));
	}
	leaveok(stdscr, !cursor);
	if (cursor)
		move(t->grid->cursor_y, t->grid->cursor_x);
	if (t->forget) {
		clearok(curscr, TRUE);
		curs_set(!cursor);
	}
	curs_set(cursor);
	t->forget = false;
	wnoutrefresh(stdscr);
	doupdate();
	out_take(t);
}
