/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rows of a form: label, value and explanation, each drawn as a row of a table without columns.
 *
 *	 Target      ‹ command ›  make -j2                 (p) process · (a) all
 *	 Call graph  ‹ frame pointers ›                    frame pointers · off
 *	 Events        cycles                              hardware
 *	               instructions                        hardware	label "": one more line
 *	               + add from the catalog …
 *
 * Values are aligned in one column; choices are in ‹ ›.
 */
#ifndef WIDGET_FORM_H
#define WIDGET_FORM_H

#include <stdbool.h>

#include "term/canvas.h"

struct form_row {
	const char *label; /* translated; or "" */
	bool is_choice;	   /* its values go round */
	char value[512];
	char detail[512];      /* after the value: the concrete choice */
	char explanation[256]; /* on the right; hidden first if space is short */
	const char *current;   /* highlighted part of the explanation; "": none */
	style_t value_style;   /* ROLE_DIM if read-only */
	style_t detail_style;  /* as value_style */
	style_t explanation_style;
};
#define FORM_ROW_INIT                                                                              \
	{                                                                                          \
		.label = "", .current = "", .value_style = ROLE_FIELD, .detail_style = ROLE_FIELD, \
		.explanation_style = ROLE_DIM                                                      \
	}

/* `width`: columns of the form, of which a scroll bar may hide the last. */
void form_row_draw(const struct canvas *line, int width, int label_width,
		   const struct form_row *row);

#endif
