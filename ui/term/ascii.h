/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ASCII replacements for characters that the terminal cannot show or must not receive. */
#ifndef TERM_ASCII_H
#define TERM_ASCII_H

#include "term/canvas.h"

/* The character shown for `c`, according to the grid's ascii_ flags. */
uint32_t ascii_shown(const struct grid *g, uint32_t c);

/* A control character as ASCII text: \n, \x1b, \u202e. */
void ascii_escape(uint32_t c, char buf[8]);

#endif
