/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text that flows in and is looked at: the output of the command under test. Holds the last lines
 * up to a number, and up to 32 MB of them; escape sequences are taken out, \r writes over its line,
 * tabs are filled up. It is no terminal: what programs draw that move about in the screen are lines
 * one below the other.
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
/* Bytes as they come; characters may be split between two calls. 0 or -ENOMEM (some are lost). */
int pane_write(struct pane *p, const char *bytes, size_t n);
/* Lines there are, and lines that left at the top. */
size_t pane_lines(const struct pane *p);
uint64_t pane_dropped(const struct pane *p);
/* NULL: no such line. Until the next pane_write(). */
const char *pane_line(const struct pane *p, size_t i);

/* Follows the end, until somebody scrolls up; LAST follows again. */
void pane_draw(struct pane *p, const struct canvas *c);
unsigned pane_request(struct pane *p, enum request req);
unsigned pane_mouse(struct pane *p, const struct term_event *e);
bool pane_follows(const struct pane *p);

/*
 * Sets what is searched and highlighted ("": nothing), and goes to the first line from the first
 * seen one on (from the start again at the end) that contains it. False: there is none.
 */
bool pane_search(struct pane *p, const char *text);
/* The next (+1) or previous (-1) such line, seen from the one found last. */
bool pane_search_again(struct pane *p, int direction);
/* Where the person is in the text, and back there. */
uint64_t pane_place(const struct pane *p);
void pane_go(struct pane *p, uint64_t place);

#endif
