/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The real program on a terminal emulator in memory (libvterm), for tests.
 *
 *	test --keys--> pty --> program
 *	test <--cells-- libvterm <-- pty <-- program
 *
 * A test waits for a state of the screen, never for time to pass: every wait has a deadline, after
 * which the test fails and shows the screen.
 *
 * The program runs as under a shell: in a process group of its own in the foreground of a session
 * led by the keeper, so that Ctrl-Z works, and the terminal's modes can be read after the program
 * has exited.
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
	const char *const *argv; /* NULL-terminated; argv[0] is searched for in PATH */
	int rows, cols;		 /* 0: 24, 80 */
	const char *term;	 /* NULL: "xterm-256color" */
	const char *locale;	 /* LC_ALL; NULL: "C.UTF-8" */
	const char *const
		*env;	    /* more of "NAME=value", "NAME" to unset; NULL at the end; or NULL */
	const char *folder; /* to run in; NULL: this one */
	uid_t user;	    /* to run as, with a group of that number; 0: as the test does */
};

/* Starts it; fails the test on errors. */
struct screen *screen_start(const struct screen_opts *opts);
/* Kills what is left and frees. NULL ok. */
void screen_free(struct screen *s);

/* ---- typing ---- */

/*
 * Types: characters, and keys named as in the config: "j", "<Enter>", "<C-c>", "<M-f>", "<S-Tab>",
 * "<PgDn>", "<F1>", "<Esc>", "<Space>", "<lt>" for <. An <Esc> before other keys is sent in a form
 * that cannot be taken for Alt.
 */
void screen_keys(struct screen *s, const char *keys);
/* Bytes as they are. */
void screen_send(struct screen *s, const char *bytes, size_t n);
/* As a terminal pastes: bracketed, if the program enabled that. */
void screen_paste(struct screen *s, const char *text);
/* Presses and releases the left button. Nothing is sent if the program did not enable the mouse. */
void screen_click(struct screen *s, int y, int x);
/* Lines > 0: down. */
void screen_wheel(struct screen *s, int y, int x, int lines);
void screen_resize(struct screen *s, int rows, int cols);
/* Writes on the terminal without the program's knowledge. */
void screen_scribble(struct screen *s, int y, int x, const char *text);

/* ---- waiting ---- */

/* Until the text is in some row (in row `y`); until it is in none. */
#define screen_wait(s, text)	    screen_wait_at(s, text, __FILE__, __LINE__)
#define screen_wait_row(s, y, text) screen_wait_row_at(s, y, text, __FILE__, __LINE__)
#define screen_wait_gone(s, text)   screen_wait_gone_at(s, text, __FILE__, __LINE__)
/* Until `holds` returns true; `what` is reported on timeout. */
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

/* Reads the program's output, waiting at most `max_ms` for more. False: none. */
bool screen_pump(struct screen *s, int max_ms);

/* ---- looking ---- */

/* A row as UTF-8 without trailing blanks; until the next call of this. */
const char *screen_row(struct screen *s, int y);
/* The column of a text in the row; -1: not found. */
int screen_column(struct screen *s, int y, const char *text);
/* The first row that contains the text; -1: none. *ret_x (may be NULL): its column. */
int screen_find(struct screen *s, const char *text, int *ret_x);

/*
 * The style of a cell as one character: # reverse, or dark on white; otherwise the text colour: .
 * default, k r g y b m c w, + any other; upper case, or * for the default, if bold; _ if underlined
 * in the default colour; % on another background that is not dark.
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
 * Waits until the screen, including styles, equals tests/screen/golden/NAME; with PTUI_GOLDEN=renew
 * writes it. Matches of the regular expressions (NULL-terminated; may be NULL) are replaced by as
 * many ?, without styles; a row that matches completely becomes one ?. Rows have full width then: "
 * *$" matches trailing blanks.
 */
#define screen_golden(s, name, masks) screen_golden_at(s, name, masks, __FILE__, __LINE__)
void screen_golden_at(struct screen *s, const char *name, const char *const *masks,
		      const char *file, int line);

/* ---- the ways out ---- */

pid_t screen_pid(const struct screen *s);
bool screen_is_stopped(const struct screen *s);
bool screen_has_ended(const struct screen *s);
/* True while the program uses the alternate screen: started, and not ended or stopped. */
bool screen_is_open(const struct screen *s);
void screen_signal(struct screen *s, int sig);
/* As the shell's fg does. */
void screen_continue(struct screen *s);
/* Hangs up the terminal. */
void screen_hang_up(struct screen *s);
/*
 * Checks that the terminal is restored: modes, primary screen, visible cursor, no mouse, no
 * bracketed paste, no colours. Else the test fails with the difference.
 */
#define screen_check_sane(s) screen_check_sane_at(s, __FILE__, __LINE__)
void screen_check_sane_at(struct screen *s, const char *file, int line);

#endif
