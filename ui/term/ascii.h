/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What stands for characters that a terminal cannot show, or must not be sent. */
#ifndef TERM_ASCII_H
#define TERM_ASCII_H

#include "term/canvas.h"

/* The character that a grid shows for `c`, as the grid's ascii_ members say; itself else. */
uint32_t ascii_shown(const struct grid *g, uint32_t c);

/* A control character as a text of ASCII: \n, \x1b, \u202e. */
void ascii_escape(uint32_t c, char buf[8]);

#endif
