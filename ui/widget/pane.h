/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Scrolling text: the output of the recorded command. Keeps the last lines, up to a number and up
 * to 32 MB; keeps colours (sgr.h), strips other escape sequences, handles \r, expands tabs. It is not
 * a terminal: output that moves about the screen becomes consecutive lines.
 */
#ifndef WIDGET_PANE_H
#define WIDGET_PANE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "input/request.h"
#include "term/canvas.h"
#include "term/term.h"
#include "widget/wish.h"

struct pane;

/* NULL: out of memory. */
struct pane *pane_new(size_t max_lines);
void pane_free(struct pane *p); /* NULL ok */
/* Appends bytes; characters may be split between calls. 0 or -ENOMEM (some are lost). */
int pane_write(struct pane *p, const char *bytes, size_t n);
/* Current lines, and lines dropped at the top. */
size_t pane_lines(const struct pane *p);
uint64_t pane_dropped(const struct pane *p);
/* NULL: no such line. Valid until the next pane_write(). */
const char *pane_line(const struct pane *p, size_t i);

/* Follows the end until the user scrolls up; LAST follows again. */
void pane_draw(struct pane *p, const struct canvas *c);
unsigned pane_request(struct pane *p, enum request req);
unsigned pane_mouse(struct pane *p, const struct term_event *e);
bool pane_follows(const struct pane *p);

/* Searches the lines from the first visible one on; the context is the pane. */
extern const struct find_ops pane_find_ops;

#endif
