/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the files of struct stack only. */
#ifndef WIDGET_STACK_PRIVATE_H
#define WIDGET_STACK_PRIVATE_H

#include "term/term.h"
#include "widget/stack.h"

/*
 * Screens are identified by number, since a handler may free its screen and the next one may get
 * the same address.
 */
struct layer {
	unsigned number, below; /* 0: bottom */
	const struct screen_ops *ops;
	void *self;
	bool stale;    /* recalc before drawing */
	bool finished; /* finish() returned true */
	unsigned tab;  /* > 0: begins a tab; order in the first line */
	char tab_name[STACK_TAB_MAX];
};

struct stack {
	struct term *term;
	const struct keymaps *keys;
	struct loop *loop;
	struct layer *layers;
	size_t n, room;
	unsigned last_number, last_tab;
	char said[512];
	style_t said_style;
	int said_rows;	    /* of the message, at the last draw; 0: none */
	int body_y, body_h; /* of the whole screen, at the last draw */
	int hints_y, width; /* the last line; -1: none */
	int tabs_w;	    /* width of the tabs in the first line; 0: none */
	int rows;	    /* of the terminal at the last draw */
	unsigned part;	    /* the layer whose WISH_PART is to be fulfilled; 0: none */
	struct stack_light light;
	struct term_event press; /* the last press, and its screen */
	unsigned pressed;
	bool finishing;
	int signal; /* that requested the end; 0: a key */
	unsigned finish_timer;
	bool quit;
	bool changed; /* rows, since the last recalc, by something else than an event */
};

struct layer *stack_layer(const struct stack *s, unsigned number);
struct layer *stack_layer_with(const struct stack *s, const void *self);
/* Fulfils wishes of a layer. If it removed itself, they apply to the one that was below. */
void stack_fulfil(struct stack *s, unsigned number, unsigned below, unsigned wishes);
void stack_key(struct stack *s, key_code key);
/* stack_screen.c: opens the menu of the top screen. */
unsigned stack_show_menu(struct stack *s, const struct layer *top);

/*
 * stack_tabs.c: layers are ordered as drawn: those of a tab together, those of the front tab last:
 *
 *	Setup | Live Help | Snapshots | #2 prompt
 */

/* Index after the last layer that belongs with this one. */
size_t stack_end_of(const struct stack *s, size_t layer);
/* To the tab next to the front one, +1 or -1. False: there is none. */
bool stack_next_tab(struct stack *s, int direction);

/*
 * help.c: the keys that work in a screen, by group, from the request table, the user's keymaps and
 * the screen's can(). 0 or -ENOMEM.
 */
int help_open(struct stack *s, const struct screen_ops *of, void *self);

/* stack_screen.c */
/* A request of a screen or its widgets. */
unsigned stack_request(struct stack *s, const struct layer *top, enum request req);
/* What the functions of a screen leave to its widgets. */
unsigned stack_widget_request(const struct layer *l, enum request req);
/* What the visible layers have wished. It may push and remove layers. */
void stack_recalc_stale(struct stack *s);
void stack_mouse(struct stack *s, const struct term_event *e);

#endif
