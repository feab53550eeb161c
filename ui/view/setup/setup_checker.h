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

struct setup_checker {
	/* The answer to the last question; NULL: none (yet). Valid until the loop's next turn. */
	const struct ptui_check *answer;
	/* The last answer to any question; NULL: none. */
	const struct ptui_check *last;
	/* Why the last question could not be answered; NULL: answered, or pending. */
	const struct ptui_error *error;
	bool busy; /* a question is pending */

	void (*done)(void *ctx);
	void *ctx;
	struct latest_worker *worker;
	struct setup_answer *kept; /* the last answer */
};

/* `done` is called on the loop's thread after each answer. 0 or -ENOMEM. */
int setup_checker_init(struct setup_checker *c, struct loop *loop, void (*done)(void *ctx),
		       void *ctx);
/* Does not wait for the running check. */
void setup_checker_release(struct setup_checker *c);

/* Owns `line`; NULL: nothing to check, drops the answer. */
void setup_checker_ask(struct setup_checker *c, struct ptui_record_line *line);
/*
 * Repeats an answered question, in case the machine has changed; the old answer stays valid until
 * then. Owns `line`. False: no thread could be started for it.
 */
bool setup_checker_again(struct setup_checker *c, struct ptui_record_line *line);

#endif
