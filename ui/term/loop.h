/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The event loop: polls the terminal, timers and file descriptors, and paints changes once per
 * turn.
 *
 *	 .-> wait -> wakes and descriptors -> timers -> all pending keys -> paint, if dirty -.
 *	 '-----------------------------------------------------------------------------------'
 *
 * Handlers run on the loop's thread and must not block: work of more than a few milliseconds
 * belongs in a thread (view/worker.h).
 */
#ifndef TERM_LOOP_H
#define TERM_LOOP_H

#include <stdbool.h>
#include <stdint.h>

#include "ptui/error.h"
#include "term/term.h"

struct loop;

struct loop_ops {
	/* A key, a mouse event, a paste, or a new size. */
	void (*event)(void *ctx, const struct term_event *event);
	/* The loop is dirty: recalculate, and draw into term_grid(). */
	void (*paint)(void *ctx);
	/*
	 * After INT, TERM or HUP, or a hang-up of the terminal (then SIGHUP): finish the work.
	 */
	void (*finish)(void *ctx, int signal);
};

/*
 * Handles INT, TERM, HUP, WINCH, CONT and TSTP until loop_free(). `term` may be NULL (a test). NULL
 * on failure.
 */
struct loop *loop_new(struct term *term, const struct loop_ops *ops, void *ctx,
		      struct ptui_error *err);
void loop_free(struct loop *l); /* NULL ok */

/* One turn, waiting at most `max_ms` (-1: forever). 0, or a negative errno. */
int loop_turn(struct loop *l, int max_ms);
/* The signal that ended the loop, 0: none. Raise it again after cleanup. */
int loop_signal(const struct loop *l);

/* Requests a paint in this turn. */
void loop_dirty(struct loop *l);
/* The same, of a part that the last picture has; nothing else has changed. */
void loop_dirty_part(struct loop *l);
/* In ops.paint(): there were only requests for parts since the last paint. */
bool loop_paints_part(const struct loop *l);

/* Monotonic clock. */
uint64_t loop_now_ns(void);

typedef void (*loop_fn)(void *ctx);

/*
 * Calls `fn` every `interval_ms`, or once. Missed intervals are skipped. Returns an id for
 * loop_remove(), 0: out of memory. A handler may remove its own timer.
 */
unsigned loop_every(struct loop *l, unsigned interval_ms, loop_fn fn, void *ctx);
unsigned loop_after(struct loop *l, unsigned delay_ms, loop_fn fn, void *ctx);
/* Calls `fn` when `fd`, which stays the caller's, can be read. */
unsigned loop_watch(struct loop *l, int fd, loop_fn fn, void *ctx);
/* Removes a timer or a watch; ignores 0 and removed ids. */
void loop_remove(struct loop *l, unsigned id);

/* Steps of a turn, timed to find what delays keys. */
enum loop_step {
	LOOP_SIGNALS,
	LOOP_WATCHES, /* descriptors */
	LOOP_TIMERS,
	LOOP_EVENTS, /* keys, mouse, paste */
	LOOP_PAINT,  /* recalculated, drawn, compared and sent */
	N_LOOP_STEPS,
};

#define LOOP_SLOW_NS 16000000u /* keys must be handled within this time */

struct loop_stats {
	uint64_t turns;
	uint64_t slow;	   /* turns that took longer than LOOP_SLOW_NS */
	uint64_t cpu_slow; /* that used so much CPU time of their thread, whatever else runs */
	uint64_t paints, paint_ns;
	uint64_t longest_ns[N_LOOP_STEPS], longest_cpu_ns[N_LOOP_STEPS];
};
void loop_get_stats(const struct loop *l, struct loop_stats *ret);

#endif
