/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A form: rows of label, value and explanation, that a person goes through and changes.
 *
 *	 Target      ‹ command ›  make -j2                 (p) process · (a) all
 *	 Call graph  ‹ frame pointers ›                    frame pointers · off
 *	 Events        cycles                              hardware
 *	               instructions                        hardware	label "": one more line
 *	               + add from the catalog …
 *
 * Values stand in one column; what goes round choices has its ‹ before it.
 *
 * The form has the cursor and the layout; values live with the caller, who changes them when he is
 * told. Text is edited in a prompt that the caller opens.
 */
#ifndef WIDGET_FORM_H
#define WIDGET_FORM_H

#include "widget/table.h"

enum form_kind {
	FORM_TEXT,   /* Enter edits */
	FORM_CHOICE, /* Left, Right, Space go round the choices; Enter may list them */
	FORM_TOGGLE, /* Enter, Space, Left, Right turn it */
	FORM_NOTE,   /* only to be read; the cursor passes it by */
};

struct form_row {
	enum form_kind kind;
	const char *label; /* translated; "" */
	char value[512];
	char detail[512];	   /* behind the value: what was chosen, in particular */
	char explanation[256];	   /* at the right, dim; goes first when there is little room */
	char current[64];	   /* what of the explanation holds now, bright; "": nothing */
	style_t value_style;	   /* ROLE_FIELD unless set; ROLE_DIM for what cannot be changed */
	style_t detail_style;	   /* the same */
	style_t explanation_style; /* ROLE_DIM unless set */
};

enum form_act {
	FORM_EDIT, /* Enter */
	FORM_NEXT, /* the next choice; a toggle turns */
	FORM_PREV,
};

struct form_ops {
	size_t (*count)(void *ctx);
	/* `row` comes empty: FORM_TEXT, "", "". */
	void (*row)(void *ctx, size_t i, struct form_row *row);
	/* Do it; returns wishes. */
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
	uint64_t acted_ns; /* the click that did something; 0: none did */
};

void form_init(struct form *f, const struct form_ops *ops, void *ctx, int label_width);
void form_recalc(struct form *f);
void form_draw(struct form *f, const struct canvas *c);
unsigned form_request(struct form *f, enum request req);
unsigned form_mouse(struct form *f, const struct term_event *e);
void form_move_to(struct form *f, size_t row);

#endif
