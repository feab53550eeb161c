/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pictures by number, to be drawn by the probe on a terminal and by its test in memory. */
#ifndef TESTS_SCREEN_PICTURES_H
#define TESTS_SCREEN_PICTURES_H

#include "term/canvas.h"

/*
 * Each differs from the previous one like screens do: a list scrolled between fixed rows, some
 * changed texts, sometimes everything. With wide and combining characters anywhere, cut in half by
 * others and by the edge. The last row begins with "picture N of HxW."
 */
void picture_draw(struct grid *g, int n);

#endif
