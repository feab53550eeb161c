/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The stack of screens: the top one has the focus. Dispatches events to screens and fulfils the
 * wishes that their handlers return. A screen is a table of functions.
 *
 *	key --keymaps--> request --> top screen's request() --WISH_PASS--> common requests
 *	                                                                   (back, quit, help, …)
 *	paste --> its paste(); unbound keys, and keys with an unhandled request --> its key()
 *	mouse --> top screen's mouse() or list, in the first line its head_mouse(); a hint in the last line -->
 *	the key that it names
 *
 * A whole screen is framed by the stack: first line by head(), last line hints or a message, rule
 * lines if there is room. A floating one draws over what is below it.
 *
 *	 where I am                      state	head()
 *	 ─────────────────────────────────────
 *	 …					draw()
 *	 ─────────────────────────────────────
 *	 Enter open   / find   ? help   q back	hints
 *
 * A whole screen can begin a tab. One tab is in front, with everything above its screen; the others
 * stay behind it: their timers run, but they are not drawn. Screens below the first tab are below
 * all of them. The first line shows the tab names:
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
	const char *title; /* English; heading of its help */
	enum keymap keymap;
	bool floating;		   /* drawn over what is below, without head and hints */
	bool has_light;		   /* head() shows what the light (stack_set_light()) shows */
	const enum request *hints; /* terminated by REQ_NONE; may be NULL */

	/*
	 * The widgets of a screen that is a list or a text, as their offsets in `self`; 0: none. They
	 * get the requests that request() passes on, and the mouse if there is no mouse(); a table is
	 * recalculated if there is no recalc().
	 */
	size_t table;	    /* struct table */
	size_t filter;	    /* struct filter: searches it, and shows what matches … */
	size_t find;	    /* … or struct find: goes to what matches */
	size_t scroll;	    /* struct scroll */
	enum request opens; /* what a click on the cursor row does; REQ_NONE: REQ_OPEN */

	/* What REQ_MENU offers, terminated by REQ_NONE, if request() passes it on. NULL: there is no menu. */
	const enum request *menu;
	const char *menu_open; /* English: the line of REQ_OPEN; NULL: its help */
	enum { MENU_OFFERS, MENU_DIMS, MENU_OMITS } menu_kind; /* … what can() refuses */
	const char *(*menu_title)(void *self); /* NULL: there is no row to offer it for */

	/*
	 * All may be NULL except draw. `self` is what was pushed. A handler may remove its own
	 * screen: the wishes that it returns then apply to the screen below.
	 */

	/* Recalculates before drawing; only after WISH_RECALC. Must not draw. */
	void (*recalc)(void *self);
	/* Draws the first line. */
	void (*head)(void *self, const struct canvas *line);
	/*
	 * Draws. Whole screens: everything between the rules, initially blank. Floating ones: the
	 * whole terminal, over what is below.
	 */
	void (*draw)(void *self, const struct canvas *c);
	/*
	 * After WISH_PART: draws over the last picture what may have changed. Whole screens; NULL: draw()
	 * draws all of it.
	 */
	void (*draw_part)(void *self, const struct canvas *c);
	/* Returns wishes; WISH_PASS for unknown requests. */
	unsigned (*request)(void *self, enum request req);
	/*
	 * True if the request does something now. False: neither help nor hints show it; request()
	 * is still called, and may show the reason. NULL: all do.
	 */
	bool (*can)(void *self, enum request req);
	/*
	 * The request's current word and help if they differ from the table. NULL, or returning
	 * NULL: they do not.
	 */
	const struct request_info *(*info)(void *self, enum request req);
	/* An unbound key, or one for which has_key() is true. */
	unsigned (*key)(void *self, key_code key);
	/*
	 * Letters shown on the screen: they take precedence over keymaps, and are not in the help.
	 */
	bool (*has_key)(void *self, key_code key);
	unsigned (*paste)(void *self, const char *text);
	/* Positions are those of the terminal, as in the `at` of what was drawn. */
	unsigned (*mouse)(void *self, const struct term_event *e);
	/* In the first line of a whole screen; positions are relative to the line of head(). */
	unsigned (*head_mouse)(void *self, const struct term_event *e);
	/*
	 * The session ends, by a signal (INT, TERM, HUP) or a key (0): finish pending work. False:
	 * not done yet, call again later.
	 */
	bool (*finish)(void *self, int signal);
	/* Removed from the stack: may free `self`. */
	void (*close)(void *self);
};

/* `keys` is borrowed. Creates the loop for `term` (NULL: a test, see stack_draw()). */
struct stack *stack_new(struct term *term, const struct keymaps *keys, struct ptui_error *err);
/* Closes all screens, from the top. */
void stack_free(struct stack *s); /* NULL ok */
struct loop *stack_loop(struct stack *s);
const struct keymaps *stack_keys(const struct stack *s);

/* 0 or -ENOMEM, after close(self). */
int stack_push(struct stack *s, const struct screen_ops *ops, void *self);
/* Removes this screen and everything above it: within its tab, or (below all tabs) on the stack. */
void stack_remove(struct stack *s, void *self);
/*
 * Removes everything above the nearest screen with these functions. False: there is none, nothing
 * was removed.
 */
bool stack_return_to(struct stack *s, const struct screen_ops *ops);
/* The nearest screen with these functions; NULL: none. */
void *stack_find(const struct stack *s, const struct screen_ops *ops);
/* Is it on the stack? On top? On top but for floating ones? At the bottom? */
bool stack_has(const struct stack *s, const void *self);
bool stack_is_top(const struct stack *s, const void *self);
bool stack_is_shown(const struct stack *s, const void *self);
bool stack_is_bottom(const struct stack *s, const void *self);
/* Replaces the screen `self` (and all above it); in a tab behind, it stays there. */
int stack_replace(struct stack *s, void *self, const struct screen_ops *ops, void *with);

/* ---- tabs ---- */

#define STACK_TAB_MAX 64 /* length of a name, with its NUL */

/*
 * Makes the screen and everything above it a tab with this name, or renames its tab. `self` NULL:
 * the top screen, if it is whole and begins no tab. A replacement of the screen takes over the tab.
 * Returns the tab's number, never reused; 0: no such screen.
 */
unsigned stack_make_tab(struct stack *s, void *self, const char *name);
/* False: no such tab. */
bool stack_name_tab(struct stack *s, unsigned tab, const char *name);
/* Brings a tab, or the tab of a screen, to the front. False: no such tab. */
bool stack_raise_tab(struct stack *s, unsigned tab);
bool stack_raise(struct stack *s, void *self);
size_t stack_n_tabs(const struct stack *s);

/* ---- the light: something runs, whichever screen is shown ---- */

struct stack_light {
	/* "● REC 00:12", and its style; "": off. On narrow screens only its first character is shown. */
	void (*text)(void *ctx, char *buf, size_t size, style_t *ret_style);
	void *ctx;
};

/*
 * Shows it at the right of the first line of all whole screens but those with `has_light`. text NULL:
 * none. When its text changes, loop_dirty() draws it again.
 */
void stack_set_light(struct stack *s, struct stack_light light);
/* Removes it if its owner has not been replaced. */
void stack_forget_light(struct stack *s, const void *ctx);

/*
 * True if the stack answers the request for any screen: what can() of a screen that has nothing to show yet
 * returns.
 */
bool stack_answers(enum request req);
/* For timers and posted calls: fulfils wishes of a screen. */
void stack_wish(struct stack *s, void *self, unsigned wishes);
/* Shows a line in place of the hints until the next key. Returns WISH_REDRAW. */
unsigned stack_say(struct stack *s, style_t style, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* The same for a note. */
unsigned stack_note(struct stack *s, const char *text);
/* The same for an action that failed for lack of memory. */
unsigned stack_no_memory(struct stack *s);
/* Paints the whole terminal again: something else may have written to it. */
void stack_redraw(struct stack *s);

/* Copies a text to the clipboard: term_copy(). -ENOTTY: no terminal. */
int stack_copy(struct stack *s, const char *text);

/* True if the request does something on the screen now: by its can(), or by the common requests. */
bool stack_offers(const struct stack *s, const struct screen_ops *ops, void *self,
		  enum request req);
/* Word and help of a request on this screen. */
const struct request_info *stack_request_info(const struct screen_ops *ops, void *self,
					      enum request req);

/* Size of the last drawn screen; 0 before the first. */
void stack_body_size(const struct stack *s, int *ret_rows, int *ret_cols);

/*
 * Runs until no screen is left at the end of a turn (so the last one may push its successor), or
 * until WISH_QUIT. 0, or negative: the terminal is gone.
 */
int stack_run(struct stack *s);

/* Called by the loop, and by tests. */
void stack_event(struct stack *s, const struct term_event *e);
void stack_draw(struct stack *s, struct grid *g);
/*
 * After WISH_PART, over the picture of the last stack_draw(): draws what may have changed. False: that is
 * not known, everything has to be drawn.
 */
bool stack_draw_part(struct stack *s, struct grid *g);
bool stack_is_done(const struct stack *s);

#endif
