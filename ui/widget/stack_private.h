/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of struct stack share; nobody else includes it. */
#ifndef WIDGET_STACK_PRIVATE_H
#define WIDGET_STACK_PRIVATE_H

#include "term/term.h"
#include "widget/stack.h"

/*
 * A screen by number, not by its address: it may be freed by its own handler, and the next one
 * made at the same place.
 */
struct layer {
	unsigned number, below; /* 0: nothing is below */
	const struct screen_ops *ops;
	void *self;
	bool stale;    /* recalc before it is drawn */
	bool finished; /* finish() said so */
	unsigned tab;  /* it begins one: their order in the first line; 0: it does not */
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
	int body_y, body_h;	 /* of the whole screen, by the last draw */
	int hints_y, width;	 /* the last line; -1: there is none */
	int tabs_w;		 /* of the tabs in the first line; 0: they are not there */
	struct term_event press; /* the last one, and whose it was */
	unsigned pressed;
	bool finishing;
	int signal; /* that asked for it; 0: a key did */
	unsigned finish_timer;
	bool quit;
};

struct layer *stack_layer(const struct stack *s, unsigned number);
/* Does what the layer wishes. One that took itself off speaks for the one that was below it. */
void stack_fulfil(struct stack *s, unsigned number, unsigned below, unsigned wishes);
void stack_key(struct stack *s, key_code key);

/*
 * stack_tabs.c: layers lie as they are seen, those of a tab beside each other, those of the one in
 * front last:
 *
 *	Setup | Live Help | Snapshots | #2 prompt
 */

/* Behind the last layer that goes with this one. */
size_t stack_end_of(const struct stack *s, size_t layer);
/* To the tab beside the one in front, +1 or -1. False: there is none. */
bool stack_next_tab(struct stack *s, int direction);
/* In the first line of a whole screen; what is left of it comes back. */
struct canvas stack_draw_tabs(struct stack *s, const struct canvas *line);
/* A click there. False: on no tab. */
bool stack_click_tab(struct stack *s, int x);

/* stack_screen.c */
void stack_mouse(struct stack *s, const struct term_event *e);

#endif
