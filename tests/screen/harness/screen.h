/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The real program on a terminal made of memory (libvterm), for tests.
 *
 *	test --keys--> pty --> program
 *	test <--cells-- libvterm <-- pty <-- program
 *
 * Takes: a command line and a size. Gives: what a person would see, and type. A test waits for a
 * state of the screen, never for time to pass: every wait has a deadline, and when it is over, the
 * test fails and shows the screen.
 *
 * The program runs as it does under a shell: a process group of its own in the foreground of a
 * session that somebody else leads (the keeper), so that Ctrl-Z works, and so that the terminal's
 * modes can be looked at when the program is gone.
 */
#ifndef TESTS_SCREEN_HARNESS_SCREEN_H
#define TESTS_SCREEN_HARNESS_SCREEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "lib/need.h"

struct screen;

struct screen_opts {
	const char *const *argv; /* NULL at the end; argv[0] is looked up in PATH */
	int rows, cols;		 /* 0: 24, 80 */
	const char *term;	 /* NULL: "xterm-256color" */
	const char *locale;	 /* LC_ALL; NULL: "C.UTF-8" */
	const char *const
		*env;	    /* more of "NAME=value", "NAME" to unset; NULL at the end; or NULL */
	const char *folder; /* to run in; NULL: this one */
	uid_t user;	    /* to run as, with a group of that number; 0: as the test does */
};

/* Starts it; the test fails if that is not possible. */
struct screen *screen_start(const struct screen_opts *opts);
/* Kills what is left and frees. NULL ok. */
void screen_free(struct screen *s);

/* ---- typing ---- */

/*
 * Types: characters as they are, keys as the config names them: "j", "<Enter>", "<C-c>", "<M-f>",
 * "<S-Tab>", "<PgDn>", "<F1>", "<Esc>", "<Space>", "<lt>" for <. An <Esc> before other keys is sent
 * in a form that cannot be taken for Alt.
 */
void screen_keys(struct screen *s, const char *keys);
/* Bytes as they are. */
void screen_send(struct screen *s, const char *bytes, size_t n);
/* As the terminal pastes: in brackets, if the program asked for that. */
void screen_paste(struct screen *s, const char *text);
/* The left button goes down and up. Nothing is sent if the program did not ask for the mouse. */
void screen_click(struct screen *s, int y, int x);
/* Lines > 0: down. */
void screen_wheel(struct screen *s, int y, int x, int lines);
void screen_resize(struct screen *s, int rows, int cols);
/* Somebody else writes on the terminal; the program does not know. */
void screen_scribble(struct screen *s, int y, int x, const char *text);

/* ---- waiting ---- */

/* Until the text is somewhere in one row (in row `y`); until it is nowhere. */
#define screen_wait(s, text)	    screen_wait_at(s, text, __FILE__, __LINE__)
#define screen_wait_row(s, y, text) screen_wait_row_at(s, y, text, __FILE__, __LINE__)
#define screen_wait_gone(s, text)   screen_wait_gone_at(s, text, __FILE__, __LINE__)
/* Until `holds` does; `what` is told when it never does. */
#define screen_wait_until(s, holds, ctx, what) \
	screen_wait_until_at(s, holds, ctx, what, __FILE__, __LINE__)
/* Until the program is stopped (Ctrl-Z); until it has ended: its wait status. */
#define screen_wait_stopped(s) screen_wait_stopped_at(s, __FILE__, __LINE__)
#define screen_wait_end(s)     screen_wait_end_at(s, __FILE__, __LINE__)

typedef bool (*screen_holds_fn)(struct screen *s, void *ctx);

void screen_wait_at(struct screen *s, const char *text, const char *file, int line);
void screen_wait_row_at(struct screen *s, int y, const char *text, const char *file, int line);
void screen_wait_gone_at(struct screen *s, const char *text, const char *file, int line);
void screen_wait_until_at(struct screen *s, screen_holds_fn holds, void *ctx, const char *what,
			  const char *file, int line);
void screen_wait_stopped_at(struct screen *s, const char *file, int line);
int screen_wait_end_at(struct screen *s, const char *file, int line);

/* Takes what the program has written so far, and waits at most so long for more. False: none came. */
bool screen_pump(struct screen *s, int max_ms);

/* ---- looking ---- */

/* A row as UTF-8 without trailing blanks; until the next call of this. */
const char *screen_row(struct screen *s, int y);
/* The column of the row in which the text begins; -1: it is not there. */
int screen_column(struct screen *s, int y, const char *text);
/* The first row that contains the text; -1: none. *ret_x (may be NULL): its column. */
int screen_find(struct screen *s, const char *text, int *ret_x);

/*
 * How a cell looks, as one character: # reverse, or dark on white; otherwise the colour of the text:
 * . its own, k r g y b m c w, + any other; a capital, or * for its own colour, if bold; _ if
 * underlined and of its own colour; % on a background that is not dark either.
 */
char screen_look(struct screen *s, int y, int x);
/* Of a whole row, without trailing dots; until the next call. */
const char *screen_row_looks(struct screen *s, int y);
/* The only row that has reverse video; -1: none, -2: several. */
int screen_cursor_row(struct screen *s);

/* What the program put into the clipboard last; NULL: nothing. */
const char *screen_clipboard(const struct screen *s);

int screen_rows(const struct screen *s);
int screen_cols(const struct screen *s);
/* The text cursor. */
bool screen_cursor(const struct screen *s, int *ret_y, int *ret_x);
/* Bytes the program has written so far. */
uint64_t screen_bytes(const struct screen *s);

/*
 * Waits until the screen, looks included, is as in tests/screen/golden/NAME; with PTUI_GOLDEN=renew
 * it writes that. Each place that matches one of the regular expressions (NULL at the end; may be
 * NULL) is shown as so many ? first, without its looks; a row that matches from end to end is shown
 * as one. Rows are as wide as the screen then: " *$" matches what is blank.
 */
#define screen_golden(s, name, masks) screen_golden_at(s, name, masks, __FILE__, __LINE__)
void screen_golden_at(struct screen *s, const char *name, const char *const *masks,
		      const char *file, int line);

/* ---- the ways out ---- */

pid_t screen_pid(const struct screen *s);
bool screen_is_stopped(const struct screen *s);
bool screen_has_ended(const struct screen *s);
/* On the second screen of the terminal: it has begun, and has not left or been stopped. */
bool screen_is_open(const struct screen *s);
void screen_signal(struct screen *s, int sig);
/* As the shell's fg does. */
void screen_continue(struct screen *s);
/* The terminal goes away. */
void screen_hang_up(struct screen *s);
/*
 * The terminal is as it was before the program: modes, first screen, text cursor seen, no mouse,
 * no bracketed paste, no colour left on. Else the test fails, and says what is not.
 */
#define screen_check_sane(s) screen_check_sane_at(s, __FILE__, __LINE__)
void screen_check_sane_at(struct screen *s, const char *file, int line);

#endif
