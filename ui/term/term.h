/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The terminal: cells out, keys in, restored on exit. Sends only what differs from the last frame.
 * For waiting see term/loop.h.
 *
 *	widgets --draw--> grid --term_paint: compare with what is shown--> bytes, one write
 *	bytes --term_read--> events: key, mouse, paste, resize, hang-up
 *
 * The terminal is restored on every way out: term_close(), exit() (atexit), and fatal signals
 * (ABRT, SEGV, BUS, ILL, FPE, QUIT, SYS, XCPU, TRAP), whose handler writes a prepared text,
 * restores the modes and lets the signal take effect. INT, TERM and HUP ask the program to finish:
 * the loop passes them on (term/loop.h). A second one takes effect at once.
 *
 * One terminal per process; all calls from the thread that opened it.
 */
#ifndef TERM_TERM_H
#define TERM_TERM_H

#include <stdbool.h>
#include <stdint.h>

#include "ptui/error.h"
#include "term/canvas.h"
#include "term/key.h"
#include "term/theme.h"

struct term;

struct term_opts {
	const char *theme; /* NULL: PTUI_THEME, else "dark" */
	bool ascii;	   /* like PTUI_ASCII=1: rules, marks and bars as ASCII */
	bool no_mouse;	   /* do not enable the mouse */
};

/*
 * Opens the controlling terminal (/dev/tty), whatever stdin and stdout are. NULL on failure: no
 * terminal, unknown TERM, or no cursor addressing. Call setlocale() first.
 */
struct term *term_open(const struct term_opts *opts, struct ptui_error *err);
void term_close(struct term *t); /* NULL ok */
/* Called by the handler of fatal signals, after the terminal is restored: only system calls. NULL: none. */
void term_on_fault(void (*fn)(void));

/* The grid to draw into before term_paint(), in the terminal's size; keeps its contents. */
struct grid *term_grid(struct term *t);

/*
 * Sends what differs from what is shown. Never blocks: if the terminal has not taken the last
 * frame, this one is deferred (then term_wants_write() is true). 0, or -EIO if the terminal is
 * gone.
 */
int term_paint(struct term *t);
/* The next paint sends everything (after Ctrl-L, or if another program wrote to the screen). */
void term_forget(struct term *t);

enum term_event_kind {
	TERM_KEY,
	TERM_MOUSE,
	TERM_PASTE,   /* bracketed paste */
	TERM_RESIZE,  /* the grid has the new size */
	TERM_HANGUP,  /* the terminal is gone */
	TERM_RESUMED, /* after a stop (Ctrl-Z): redraw everything */
};

enum mouse_what {
	MOUSE_PRESS,
	MOUSE_RELEASE,
	MOUSE_WHEEL_UP,
	MOUSE_WHEEL_DOWN,
};

/* Maximum time between the presses of a double click. */
#define MOUSE_DOUBLE_NS 400000000ull

struct term_event {
	enum term_event_kind kind;
	key_code key;	       /* TERM_KEY */
	enum mouse_what mouse; /* TERM_MOUSE */
	int button;	       /* 1 left, 2 middle, 3 right */
	int y, x;	       /* cell */
	uint64_t time_ns;      /* TERM_MOUSE: time of arrival, as of loop_now_ns() */
	const char *text;      /* TERM_PASTE: valid until the next call; UTF-8, newlines as \n */
};

/*
 * The next pending event: 0 an event, 1 none (yet), or negative. Waits 10 ms for what follows an
 * ESC, and never else.
 */
int term_read(struct term *t, struct term_event *ret);
/* For poll(). */
int term_fd(const struct term *t);
bool term_wants_write(const struct term *t);
/* Continues sending. 0 or -EIO. */
int term_flush(struct term *t);

/* Restores the terminal and stops the process, like Ctrl-Z; returns after SIGCONT. */
void term_suspend(struct term *t);
/* Sets the modes again after the process was stopped otherwise. */
void term_resume(struct term *t);
/* Restores the terminal at once; async-signal-safe. */
void term_emergency(void);
/* Reads the terminal's size again, after SIGWINCH. Queues a TERM_RESIZE if it changed. */
void term_check_size(struct term *t);
/* Copies a text to the clipboard (OSC 52), if the terminal supports it. */
int term_copy(struct term *t, const char *text);

struct term_stats {
	uint64_t paints;   /* that sent something */
	uint64_t bytes;	   /* sent, all paints */
	uint64_t paint_ns; /* comparing and sending, all paints */
};
void term_get_stats(const struct term *t, struct term_stats *ret);

#endif
