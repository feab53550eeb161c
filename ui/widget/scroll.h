/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines that are only read: which of them are seen. */
#ifndef WIDGET_SCROLL_H
#define WIDGET_SCROLL_H

#include <stddef.h>

#include "input/request.h"
#include "term/term.h"
#include "widget/wish.h"

struct scroll {
	size_t top;  /* first line seen */
	size_t n;    /* lines there are */
	size_t page; /* lines seen by the last draw */
};

/* Before drawing: what there is, and how much of it is seen. */
void scroll_fit(struct scroll *s, size_t n, int page);
unsigned scroll_request(struct scroll *s, enum request req);
/* Scrolls as little as is needed for the line to be seen. */
void scroll_show(struct scroll *s, size_t line);
/* The wheel. */
unsigned scroll_mouse(struct scroll *s, const struct term_event *e);

/*
 * One line of a text, broken at blanks and beside wide characters to `width` columns: sets its bytes, returns where the next
 * one begins; NULL behind the last.
 */
const char *scroll_wrap(const char *text, int width, size_t *ret_bytes);
/* How many lines that makes. */
size_t scroll_wrap_count(const char *text, int width);

#endif
