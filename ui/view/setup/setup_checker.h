/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Asks the machine about a recording in a thread of its own, since closing a tracepoint takes the
 * kernel its time. What is asked later replaces what is not answered yet.
 */
#ifndef VIEW_SETUP_SETUP_CHECKER_H
#define VIEW_SETUP_SETUP_CHECKER_H

#include "model/setup/setup.h"
#include "ptui/doctor.h"
#include "term/loop.h"

typedef int (*setup_check_fn)(const struct ptui_record_opts *opts, struct ptui_check *ret,
			      struct ptui_error *err);

struct setup_checker;

/* `done` is called on the loop's thread after each answer. NULL: no memory, no thread. */
struct setup_checker *setup_checker_new(struct loop *loop, setup_check_fn check,
					void (*done)(void *ctx), void *ctx, struct ptui_error *err);
/* Waits for the check that runs. NULL ok. */
void setup_checker_free(struct setup_checker *c);

/* Takes `opts`; NULL: there is nothing to check, what was answered is void. */
void setup_checker_ask(struct setup_checker *c, struct setup_opts *opts);
/*
 * Asks once more what was answered, in case the machine was changed meanwhile; that answer holds
 * until the new one is there. Takes `opts`.
 */
void setup_checker_again(struct setup_checker *c, struct setup_opts *opts);
/* The answer to the last question; NULL: there is none (yet). Until the loop's next turn. */
const struct ptui_check *setup_checker_answer(const struct setup_checker *c);
/* What was answered last, to whatever question; NULL: nothing ever. */
const struct ptui_check *setup_checker_last(const struct setup_checker *c);
/* Why the last question could not be answered; NULL: it could, or is not yet. */
const struct ptui_error *setup_checker_error(const struct setup_checker *c);
bool setup_checker_busy(const struct setup_checker *c);

#endif
