/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks a recording in a thread, since closing tracepoints is slow. A new question replaces one
 * that is not answered yet.
 */
#ifndef VIEW_SETUP_SETUP_CHECKER_H
#define VIEW_SETUP_SETUP_CHECKER_H

#include "model/setup/setup.h"
#include "ptui/doctor.h"
#include "term/loop.h"

typedef int (*setup_check_fn)(const struct ptui_record_opts *opts, struct ptui_check *ret,
			      struct ptui_error *err);

struct setup_checker {
	/* The answer to the last question; NULL: none (yet). Valid until the loop's next turn. */
	const struct ptui_check *answer;
	/* The last answer to any question; NULL: none. */
	const struct ptui_check *last;
	/* Why the last question could not be answered; NULL: answered, or pending. */
	const struct ptui_error *error;
	bool busy; /* a question is pending */

	struct loop *loop;
	setup_check_fn check;
	void (*done)(void *ctx);
	void *ctx;
	unsigned watch;
	struct latest_worker *worker;
	struct setup_answer *kept; /* the last answer */
	uint64_t asked;		   /* number of the last question */
};

/* `done` is called on the loop's thread after each answer. NULL: out of memory, or no thread. */
struct setup_checker *setup_checker_new(struct loop *loop, setup_check_fn check,
					void (*done)(void *ctx), void *ctx, struct ptui_error *err);
/* Waits for the running check. NULL ok. */
void setup_checker_free(struct setup_checker *c);

/* Owns `line`; NULL: nothing to check, drops the answer. */
void setup_checker_ask(struct setup_checker *c, struct ptui_record_line *line);
/*
 * Repeats an answered question, in case the machine has changed; the old answer stays valid until
 * then. Owns `line`.
 */
void setup_checker_again(struct setup_checker *c, struct ptui_record_line *line);

#endif
