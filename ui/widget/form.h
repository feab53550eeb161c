/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A form: rows of label, value and explanation.
 *
 *	 Target      ‹ command ›  make -j2                 (p) process · (a) all
 *	 Call graph  ‹ frame pointers ›                    frame pointers · off
 *	 Events        cycles                              hardware
 *	               instructions                        hardware	label "": one more line
 *	               + add from the catalog …
 *
 * Values are aligned in one column; choices begin with ‹.
 *
 * The form keeps cursor and layout; the caller owns the values and changes them in act(). Text is
 * edited in a prompt that the caller opens.
 */
#ifndef WIDGET_FORM_H
#define WIDGET_FORM_H

#include "widget/table.h"

enum form_kind {
	FORM_TEXT,   /* Enter edits */
	FORM_CHOICE, /* Left, Right, Space cycle through the choices; Enter may list them */
	FORM_TOGGLE, /* Enter, Space, Left, Right toggle it */
	FORM_NOTE,   /* read-only; skipped by the cursor */
};

struct form_row {
	enum form_kind kind;
	const char *label; /* translated; or "" */
	char value[512];
	char detail[512];	   /* after the value: the concrete choice */
	char explanation[256];	   /* on the right, dim; hidden first if space is short */
	char current[64];	   /* highlighted part of the explanation; "": none */
	style_t value_style;	   /* default ROLE_FIELD; ROLE_DIM if read-only */
	style_t detail_style;	   /* as value_style */
	style_t explanation_style; /* default ROLE_DIM */
};

enum form_act {
	FORM_EDIT, /* Enter */
	FORM_NEXT, /* next choice; toggle */
	FORM_PREV,
};

struct form_ops {
	size_t (*count)(void *ctx);
	/* `row` is passed empty: FORM_TEXT, "", "". */
	void (*row)(void *ctx, size_t i, struct form_row *row);
	/* Performs it; returns wishes. */
	unsigned (*act)(void *ctx, size_t i, enum form_act act);
};

struct form {
	const struct form_ops *ops;
	void *ctx;
	size_t cursor, top;
	int label_width; /* columns */
	bool focus;
	size_t n_rows;
	int page;
	struct rect at;	    /* at the last draw */
	uint64_t opened_ns; /* the last click that acted; 0: none */
};

void form_init(struct form *f, const struct form_ops *ops, void *ctx, int label_width);
void form_recalc(struct form *f);
void form_draw(struct form *f, const struct canvas *c);
unsigned form_request(struct form *f, enum request req);
unsigned form_mouse(struct form *f, const struct term_event *e);
void form_move_to(struct form *f, size_t row);

#endif
