/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the files of the Setup screen. */
#ifndef VIEW_SETUP_SETUP_PRIVATE_H
#define VIEW_SETUP_SETUP_PRIVATE_H

#include "model/setup/setup.h"
#include "ptui/doctor.h"
#include "view/setup/setup.h"
#include "view/worker.h"
#include "widget/form.h"
#include "widget/popup.h"
#include "widget/prompt.h"
#include "widget/table.h"

#define LABEL_COLUMNS 13

struct setup_screen {
	struct stack *stack;
	struct setup_screen_opts opts;
	struct setup setup;
	struct table table; /* the rows of the form */
	struct latest_worker *checker;
	struct ptui_check *last;	       /* answer to any question; NULL: none */
	struct ptui_check *answer;	       /* the same, about the current choices */
	bool is_checking;		       /* the current choices */
	struct words same_as;		       /* the command line; … for a missing target */
	struct ptui_error incomplete;	       /* what is missing, or gone */
	bool target_ended;		       /* the chosen process had exited at the last check */
	bool contradicts;		       /* options contradict each other */
	struct words commands, outputs, lines; /* typed before, also refused ones */
	struct setup_taken line_taken;	       /* result of the last pasted line */
	/* setup_to_text() after each change: the current one, and before it what undo restores */
	struct words states;
	char *kept;	  /* the state as last loaded or saved */
	char *state_path; /* NULL: not saved */
	bool reported_unsaved;
	enum setup_row edited;	      /* the row whose line is being typed */
	size_t edited_i;	      /* which event, or for which target a command */
	unsigned watch;		      /* timer of setup_watch() */
	unsigned ticks;		      /* of the timer */
	bool is_open;		      /* the choices are to be saved at the end */
	bool away;		      /* another screen was opened, and may have created files */
	bool has_output;	      /* the output file exists, at the last tick */
	unsigned (*taken)(void *ctx); /* of the screen above that chose events */
	void *taken_ctx;
};

/* The nearest Setup on the stack; NULL: none. */
struct setup_screen *setup_below(struct stack *s);

/* Functions that return unsigned return wishes. */

/* ---- setup_form.c: the rows ---- */

extern const struct table_ops setup_row_ops;
/* The row of the cursor, and of which event; N_SETUP_ROWS: none. */
enum setup_row setup_row_here(const struct setup_screen *v, size_t *ret_i);
/* Moves the cursor to a row, the first one of events. */
void setup_go_to(struct setup_screen *v, enum setup_row row);
/* Enter on the row of the cursor. */
unsigned setup_open_row(struct setup_screen *v);
/* The next (+1) or previous (-1) value of a choice, or of the row of the cursor. */
unsigned setup_step_choice(struct setup_screen *v, enum setup_row c, int step);
unsigned setup_step_row(struct setup_screen *v, int step);

/* ---- setup_draw.c ---- */

void setup_head(void *self, const struct canvas *line);
void setup_draw(void *self, const struct canvas *c);
/*
 * A command line in shell syntax from column x of the first row on, with \ at line ends; words wider
 * than a line wrap. Returns its rows, including clipped ones. `c` may be NULL: then measures for `width`.
 */
int setup_command_text(const struct canvas *c, int x, int width, const struct words *words);

/* ---- setup.c ---- */

/* The checks: false, out of memory. */
bool setup_checker_init(struct setup_screen *v);
void setup_checker_release(struct setup_screen *v);
/* Checks the current choices, in place of a check that has not begun; owns `line`. NULL: nothing to check. */
void setup_checker_ask(struct setup_screen *v, struct ptui_record_line *line);

/* ---- setup_edit.c ---- */

/* Call after any change: updates the command line, and starts a new check. */
unsigned setup_changed(void *self);
/* The last state; "": there was no memory for it. */
const char *setup_state(const struct setup_screen *v);
unsigned setup_undo(struct setup_screen *v);
/* The key of a request, for messages. */
struct key_text setup_key(const struct setup_screen *v, enum request req);
/* Timer: does the chosen process still run, has a refusal been resolved? */
void setup_watch(void *v);
/*
 * Asks for the command of target `i`, for event `i` (a new one if there are `i`), the file, or the number or
 * size of a choice.
 */
unsigned setup_ask(struct setup_screen *v, enum setup_row row, size_t i);
/* Asks which recording to browse. */
unsigned setup_ask_recording(struct setup_screen *v);
/* Asks for a command line to apply; `text` is the initial text. */
unsigned setup_ask_line(void *v, const char *text);
/* Each opens a list to choose from. */
unsigned setup_choose_events(struct setup_screen *v);
unsigned setup_choose_preset(struct setup_screen *v);
unsigned setup_choose_process(struct setup_screen *v); /* setup_process.c */
unsigned setup_choose_options(struct setup_screen *v); /* setup_options.c */

#endif
