/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The screens of the session, one above the other: the top one has the focus.
 *
 * Takes: events of the loop. Gives: each screen what is its own, and does what its handlers wish.
 * It is not for knowing any screen: a screen is a table of functions.
 *
 *	key --keymaps--> request --> top screen's request() --WISH_PASS--> what all screens know
 *	                                                                   (back, quit, help, …)
 *	paste --> its paste(); keys that ask for nothing, or for something that nobody knows here -->
 *	its key()
 *	mouse --> top screen's mouse(), in the first line its head_mouse(); a hint in the last line -->
 *	the key that it names
 *
 * A whole screen is framed by the stack: first line by head(), last line hints or the message of
 * the moment, rule lines where there is room. A floating one draws over what is below it.
 *
 *	 where I am                      state	head()
 *	 ─────────────────────────────────────
 *	 …					draw()
 *	 ─────────────────────────────────────
 *	 Enter open   / find   ? help   q back	hints
 *
 * A whole screen can begin a tab. Of several tabs one is in front, with what lies on its screen; the
 * others stay behind it as they are: they hear of what they wait for, and are not drawn. What lies
 * below the first tab lies below all of them. Their names stand in the first line:
 *
 *	 Live · [Snapshots] · #2 gc-pause  where I am     state
 */
#ifndef WIDGET_STACK_H
#define WIDGET_STACK_H

#include <stdbool.h>
#include <stddef.h>

#include "input/keymap.h"
#include "ptui/error.h"
#include "term/canvas.h"
#include "term/loop.h"
#include "widget/wish.h"

struct stack;

struct screen_ops {
	const char *title; /* English; the heading of its help */
	enum keymap keymap;
	bool floating;		   /* draws over what is below, without head and hints of its own */
	const enum request *hints; /* REQ_NONE at the end; may be NULL */

	/*
	 * All may be NULL but draw. `self` is what was pushed. A handler may take its own screen
	 * off: the wishes that it returns are then those of the screen below.
	 */

	/* It is on the stack. Returns wishes. */
	unsigned (*open)(void *self, struct stack *s);
	/* Brings facts up to date, before it is drawn; only after WISH_RECALC. No drawing. */
	void (*recalc)(void *self);
	/* The first line. */
	void (*head)(void *self, const struct canvas *line);
	/*
	 * Draws. Whole screens: everything between the rules, blank from the start. Floating
	 * ones: the whole terminal, with what is below in it.
	 */
	void (*draw)(void *self, const struct canvas *c);
	/* Returns wishes; WISH_PASS for what it does not know. */
	unsigned (*request)(void *self, enum request req);
	/*
	 * Does it do something, here and now? False: neither the help nor the hints offer what the
	 * keymap binds; request() is asked all the same, and may tell why not. NULL: all do.
	 */
	bool (*can)(void *self, enum request req);
	/*
	 * The request's word and help, here and now, if they differ from those of the table. NULL, or
	 * it returns NULL: they do not.
	 */
	const struct request_info *(*info)(void *self, enum request req);
	/* A key that is bound to nothing, or that has_key() says is the screen's. */
	unsigned (*key)(void *self, key_code key);
	/* Letters that stand on the screen: before the keymaps, and so not in the help. */
	bool (*has_key)(void *self, key_code key);
	unsigned (*paste)(void *self, const char *text);
	/* Cells are those of the canvas of draw(). */
	unsigned (*mouse)(void *self, const struct term_event *e);
	/* In the first line of a whole screen; cells are those of the line of head(). */
	unsigned (*head_mouse)(void *self, const struct term_event *e);
	/*
	 * The session is to end, by a signal (INT, TERM, HUP) or a key (0): finish what must be
	 * finished. False: not done yet, try again later.
	 */
	bool (*finish)(void *self, int signal);
	/* It left the stack: frees `self`, if that is its habit. */
	void (*close)(void *self);
};

/* `keys` is borrowed. Makes the loop for `term` (NULL: a test, see stack_draw()). */
struct stack *stack_new(struct term *term, const struct keymaps *keys, struct ptui_error *err);
/* Closes all screens, the top one first. */
void stack_free(struct stack *s); /* NULL ok */
struct loop *stack_loop(struct stack *s);
const struct keymaps *stack_keys(const struct stack *s);

/* 0 or -ENOMEM, after close(self). */
int stack_push(struct stack *s, const struct screen_ops *ops, void *self);
/* Takes this screen and what lies on it off: all of its tab, or (below all tabs) of the stack. */
void stack_remove(struct stack *s, void *self);
/*
 * Takes off what lies above the nearest screen with these functions. False: there is none, and
 * nothing was done.
 */
bool stack_return_to(struct stack *s, const struct screen_ops *ops);
/* What was pushed with these functions, the nearest; NULL: there is none. */
void *stack_find(const struct stack *s, const struct screen_ops *ops);
/* Is it there? The top one? The one that lies below all? */
bool stack_has(const struct stack *s, const void *self);
bool stack_is_top(const struct stack *s, const void *self);
bool stack_is_bottom(const struct stack *s, const void *self);
/* Instead of the screen `self` (and all above it) comes another one; in a tab behind, it stays there. */
int stack_replace(struct stack *s, void *self, const struct screen_ops *ops, void *with);

/* ---- tabs ---- */

#define STACK_TAB_MAX 64 /* bytes of a name, with its NUL */

/*
 * The screen, and what lies on it, is a tab of this name from now on; one that was a tab has only its
 * name changed. `self` NULL: the top one, if it is whole and begins no tab yet. When the screen is
 * replaced, the other one takes over the tab. Returns the tab's number, never given twice; 0: there is
 * no such screen.
 */
unsigned stack_make_tab(struct stack *s, void *self, const char *name);
/* False: it has gone. */
bool stack_name_tab(struct stack *s, unsigned tab, const char *name);
/* Brings a tab in front, or the one of this screen. False: it is not there, or is in no tab. */
bool stack_raise_tab(struct stack *s, unsigned tab);
bool stack_raise(struct stack *s, void *self);
size_t stack_n_tabs(const struct stack *s);

/* From timers and posted calls: does what a screen wishes. */
void stack_wish(struct stack *s, void *self, unsigned wishes);
/* A line in place of the hints until the next key. */
void stack_say(struct stack *s, style_t style, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Puts a text into the person's clipboard: term_copy(). -ENOTTY: there is no terminal. */
int stack_copy(struct stack *s, const char *text);

/* Does the screen do it, here and now: by its can(), and by what all screens know? */
bool stack_offers(const struct stack *s, const struct screen_ops *ops, void *self,
		  enum request req);
/* Word and help of a request on this screen. */
const struct request_info *stack_request_info(const struct screen_ops *ops, void *self,
					      enum request req);

/* The room of the screen that was drawn last; 0 before the first. */
void stack_body_size(const struct stack *s, int *ret_rows, int *ret_cols);

/*
 * Runs until no screen is left after a turn of the loop, so that the last one may make room for
 * the next, or until one wishes to quit. 0, or a negative error: the terminal is gone.
 */
int stack_run(struct stack *s);

/* What the loop calls; a test calls them itself. */
void stack_event(struct stack *s, const struct term_event *e);
void stack_draw(struct stack *s, struct grid *g);
bool stack_is_done(const struct stack *s);

#endif
