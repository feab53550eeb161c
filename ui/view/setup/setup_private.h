/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The Setup screen's own: its state, between the files that draw it, fill its form and act. */
#ifndef VIEW_SETUP_SETUP_PRIVATE_H
#define VIEW_SETUP_SETUP_PRIVATE_H

#include "model/setup/setup.h"
#include "ptui/catalog.h"
#include "view/setup/setup_checker.h"
#include "widget/form.h"
#include "widget/prompt.h"
#include "widget/stack.h"

#define LABEL_COLUMNS 13

struct setup_screen {
	struct stack *stack;
	struct setup setup;
	struct form form;
	struct setup_checker *checker;
	struct words same_as;	      /* the command line; … for a target that is not said */
	struct ptui_error incomplete; /* what is not said yet, or not there any more */
	bool target_ended;	      /* the chosen process, as last seen */
	bool contradicts;	      /* it is the options that make no sense together */
	struct history commands, outputs, lines;
	struct setup_taken line_taken; /* what the last pasted line was */
	struct ptui_catalog *catalog;  /* to complete events from; NULL until then */
	struct words undo;	       /* setup_to_text() before each change, the oldest first */
	char *now;		       /* of the choices as they are */
	char *kept;		       /* as they were read or saved last */
	char *state_path;	       /* NULL: not kept */
	bool told_not_kept;
	char *proc;
	char *recording;	       /* to be browsed */
	size_t edited;		       /* the event that is typed */
	enum setup_target command_for; /* the target of the command that is typed */
	unsigned watch;		       /* the timer of setup_watch() */
	unsigned ticks;		       /* of it */
	bool preview;		       /* the picker counts events while they are looked at */
	bool away;		       /* another screen was opened, and may have made files */
	int form_rows;		       /* seen by the last draw */
	unsigned (*start)(void *ctx, const struct ptui_record_opts *opts);
	unsigned (*browse)(void *ctx, const char *path);
	void *ctx;
	unsigned (*taken)(void *ctx); /* events were chosen from a screen above: its */
	void *taken_ctx;
};

/* The form's rows: the events are several. */
enum part {
	PART_TARGET,
	PART_EVENT,
	PART_ADD,
	PART_RATE,
	PART_CALLS,
	PART_KEEP,
	PART_OUTPUT,
	PART_MORE
};

/* ---- setup_form.c: the rows ---- */

enum part setup_part_of(const struct setup_screen *v, size_t row);
size_t setup_row_of(const struct setup_screen *v, enum part part);
size_t setup_form_count(void *ctx);
void setup_form_row(void *ctx, size_t i, struct form_row *row);

/* The event of a PART_EVENT row. */
size_t setup_event_of(size_t row);

/* ---- setup_draw.c ---- */

void setup_head(void *self, const struct canvas *line);
void setup_draw(void *self, const struct canvas *c);

/* ---- setup_edit.c: each lets the person say something, and returns wishes ---- */

/* After any change: the command line, and a new question to the machine. */
unsigned setup_changed(struct setup_screen *v);
/* Back to before the last change. */
unsigned setup_undo(struct setup_screen *v);
/* The key of setup_undo(), for messages. */
const char *setup_undo_label(const struct setup_screen *v, char buf[32]);
/* From time to time: does the chosen process still run, is refused still what was? */
void setup_watch(void *v);
unsigned setup_set_target(struct setup_screen *v, enum setup_target target);
unsigned setup_toggle_callchain(struct setup_screen *v);
/* The command of this target. */
unsigned setup_ask_command(struct setup_screen *v, enum setup_target target);
unsigned setup_ask_process(struct setup_screen *v);
/* Event `i`; one more when there are only `i`. */
unsigned setup_ask_event(struct setup_screen *v, size_t i);
unsigned setup_choose_events(struct setup_screen *v);
/* The same for a screen above of this name, which is told. False: it cannot be opened. */
bool setup_choose_events_above(struct setup_screen *v, const char *where);
unsigned setup_ask_rate(struct setup_screen *v);
unsigned setup_ask_output(struct setup_screen *v);
/* Which recording is browsed. */
unsigned setup_ask_recording(struct setup_screen *v);
/* What is said of the target, if the recording wants more of it. */
unsigned setup_ask_target(struct setup_screen *v);
/* All options that have no row. */
unsigned setup_open_options(struct setup_screen *v);
/* What is recorded often, by name. */
unsigned setup_choose_preset(struct setup_screen *v);
/* A command line to be taken over; `text` stands there first. */
unsigned setup_ask_line(void *v, const char *text);
unsigned setup_form_act(void *ctx, size_t i, enum form_act act);

#endif
