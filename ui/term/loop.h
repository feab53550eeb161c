/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The one event loop: polls the terminal, timers and file descriptors; what any of them changed is
 * painted once a turn.
 *
 *	 .-> wait -> wakes and descriptors -> timers -> all keys that are there -> paint, if dirty -.
 *	 '------------------------------------------------------------------------------------------'
 *
 * Handlers run on the loop's thread, one after the other, and must not wait for anything: a task
 * that takes longer than a few milliseconds runs in a thread (view/worker.h).
 */
#ifndef TERM_LOOP_H
#define TERM_LOOP_H

#include <stdbool.h>
#include <stdint.h>

#include "ptui/error.h"
#include "term/term.h"

struct loop;

struct loop_ops {
	/* A key, the mouse, a paste, a new size. */
	void (*event)(void *ctx, const struct term_event *event);
	/* The loop is dirty: recalc, and draw into term_grid(). */
	void (*paint)(void *ctx);
	/*
	 * INT, TERM or HUP came, or the terminal went away (then SIGHUP): finish the work, and
	 * call loop_quit(). May be NULL: the loop ends at once.
	 */
	void (*finish)(void *ctx, int signal);
};

/*
 * Takes over INT, TERM, HUP, WINCH, CONT and TSTP until loop_free(). `term` may be NULL (a test).
 * NULL on failure.
 */
struct loop *loop_new(struct term *term, const struct loop_ops *ops, void *ctx,
		      struct ptui_error *err);
void loop_free(struct loop *l); /* NULL ok */

/* Runs until loop_quit(). 0, or a negative error when the terminal is gone. */
int loop_run(struct loop *l);
/* One turn that waits at most `max_ms` (-1: as long as it takes). 0, 1 after loop_quit(). */
int loop_turn(struct loop *l, int max_ms);
void loop_quit(struct loop *l);
/* The signal that asked the program to end, 0: none. Raise it again when all is put away. */
int loop_signal(const struct loop *l);

/* Something on the screen changed: it is painted in this turn. */
void loop_dirty(struct loop *l);

/* Monotonic clock. */
uint64_t loop_now_ns(void);

typedef void (*loop_timer_fn)(void *ctx);
typedef void (*loop_fd_fn)(void *ctx, int fd, short revents);

/*
 * Calls `fn` every `interval_ms`, or once after it. Turns that were missed are not made up for.
 * Returns an id for loop_remove(), 0 when out of memory. May be removed from its own handler.
 */
unsigned loop_every(struct loop *l, unsigned interval_ms, loop_timer_fn fn, void *ctx);
unsigned loop_after(struct loop *l, unsigned delay_ms, loop_timer_fn fn, void *ctx);
/* Calls `fn` when poll() says so about `fd`, which stays the caller's. */
unsigned loop_watch(struct loop *l, int fd, short events, loop_fd_fn fn, void *ctx);
/* Ends a timer or a watch; 0 and ids that ended are ignored. */
void loop_remove(struct loop *l, unsigned id);

/* What a turn is spent on; how long the longest of each was tells who keeps a key waiting. */
enum loop_step {
	LOOP_SIGNALS,
	LOOP_WATCHES, /* descriptors */
	LOOP_TIMERS,
	LOOP_EVENTS, /* keys, mouse, paste */
	LOOP_PAINT,  /* facts brought up to date, drawn, compared and sent */
	N_LOOP_STEPS,
};

#define LOOP_SLOW_NS 16000000u /* a key is answered within so long */

struct loop_stats {
	uint64_t turns;
	uint64_t slow; /* turns that took longer than LOOP_SLOW_NS */
	uint64_t paints, paint_ns;
	uint64_t longest_ns[N_LOOP_STEPS];
};
void loop_get_stats(const struct loop *l, struct loop_stats *ret);

#endif
