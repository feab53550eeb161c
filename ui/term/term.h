/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The terminal: cells out, keys in, and left as it was found.
 *
 * Takes: a grid drawn by widgets, bytes typed by a person. Gives: pictures (only what differs is
 * sent) and events. It is not for waiting: see term/loop.h.
 *
 *	widgets --draw--> grid --term_paint: compare with what is shown--> bytes, one write
 *	bytes --term_read--> events: key, mouse, paste, resize, hang-up
 *
 * The terminal is given back on every way out: term_close(), exit() (atexit), and the signals that
 * end a program by its own fault (ABRT, SEGV, BUS, ILL, FPE, QUIT, SYS, XCPU, TRAP), whose handler
 * writes a prepared text, sets the old modes and lets the signal do its work. INT, TERM and HUP are
 * orders to finish: the loop hands them to the program (term/loop.h). A second one of them acts at
 * once.
 *
 * One terminal a process; all calls from the thread that opened it.
 */
#ifndef TERM_TERM_H
#define TERM_TERM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ptui/error.h"
#include "term/canvas.h"
#include "term/key.h"
#include "term/theme.h"

struct term;

struct term_opts {
	const char *theme; /* NULL: PTUI_THEME, else "dark" */
	bool ascii;	   /* as PTUI_ASCII=1: rules, marks and bars as ASCII */
	bool no_mouse;	   /* the mouse is left to the terminal */
};

/*
 * Opens the controlling terminal (/dev/tty), whatever stdin and stdout are. NULL on failure: there
 * is none, TERM is not known, or it cannot move its cursor. Call setlocale() first.
 */
struct term *term_open(const struct term_opts *opts, struct ptui_error *err);
void term_close(struct term *t); /* NULL ok */

/* What is drawn into before term_paint(); of the terminal's size. Starts as it was left. */
struct grid *term_grid(struct term *t);

/*
 * Sends what differs from what is shown. Never waits: while the terminal has not taken the last
 * picture, this one is put off (then term_wants_write() is true). 0, or -EIO when the terminal is
 * gone.
 */
int term_paint(struct term *t);
/* The next paint sends everything (after Ctrl-L, or when somebody else wrote on the screen). */
void term_forget(struct term *t);

enum term_event_kind {
	TERM_KEY,
	TERM_MOUSE,
	TERM_PASTE,   /* text typed by the terminal, not the person */
	TERM_RESIZE,  /* the grid has the new size */
	TERM_HANGUP,  /* the terminal is gone */
	TERM_RESUMED, /* after a stop (Ctrl-Z): everything is to be drawn */
};

enum mouse_what {
	MOUSE_PRESS,
	MOUSE_RELEASE,
	MOUSE_WHEEL_UP,
	MOUSE_WHEEL_DOWN,
};

/* Presses that are nearer to each other are one gesture. */
#define MOUSE_DOUBLE_NS 400000000ull

struct term_event {
	enum term_event_kind kind;
	key_code key;	       /* TERM_KEY */
	enum mouse_what mouse; /* TERM_MOUSE */
	int button;	       /* 1 left, 2 middle, 3 right */
	int y, x;	       /* cell */
	uint64_t time_ns;      /* TERM_MOUSE: when it came, by loop_now_ns() */
	const char *text;      /* TERM_PASTE: until the next call; UTF-8, newlines as \n */
};

/*
 * The next event that is there: 0 an event, 1 none (yet), negative error. Never waits. An ESC that
 * may begin a sequence is held for 10 ms: see term_timeout_ms().
 */
int term_read(struct term *t, struct term_event *ret);
/* How long a held ESC may still be waited for; -1: nothing is held. */
int term_timeout_ms(const struct term *t);

/* For poll(). */
int term_fd(const struct term *t);
bool term_wants_write(const struct term *t);
/* Goes on sending. 0 or -EIO. */
int term_flush(struct term *t);

/* Gives the terminal back and stops the process, as Ctrl-Z does; returns when it is continued. */
void term_suspend(struct term *t);
/* Takes the terminal again after the process was stopped by somebody else. */
void term_resume(struct term *t);
/* Gives the terminal back, now; all that a signal handler may do with it. */
void term_emergency(void);
/* Asks the terminal its size again: after SIGWINCH. Leaves a TERM_RESIZE if it changed. */
void term_check_size(struct term *t);
/* Puts a text into the person's clipboard (OSC 52), where the terminal allows it. */
int term_copy(struct term *t, const char *text);

struct term_stats {
	uint64_t paints; /* that sent something */
	uint64_t bytes;	 /* sent, all paints */
	uint64_t last_bytes;
	uint64_t paint_ns; /* comparing and sending, all paints */
	uint64_t last_paint_ns;
	uint64_t deferred; /* put off because the terminal was slow */
};
void term_get_stats(const struct term *t, struct term_stats *ret);

#endif
