/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The frame of popups. */
#ifndef WIDGET_POPUP_FRAME_H
#define WIDGET_POPUP_FRAME_H

#include "term/canvas.h"

/*
 * A centred frame for `h` lines of `w` columns, clipped to the screen; returns its inside. The last
 * line of the screen stays free for hints.
 */
struct canvas popup_frame(const struct canvas *c, const char *title, int h, int w);
/* Drawn over the frame's right edge. */
void popup_scrollbar(const struct canvas *c, const struct canvas *inside, int h, uint64_t first,
		     uint64_t all);
/* True if the cell is on the frame or inside it. */
bool popup_has(const struct rect *inside, int y, int x);

#endif
