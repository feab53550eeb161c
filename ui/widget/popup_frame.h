/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What all that floats is drawn in. */
#ifndef WIDGET_POPUP_FRAME_H
#define WIDGET_POPUP_FRAME_H

#include "term/canvas.h"

/*
 * A frame in the middle for `h` lines of `w` columns, or what there is of them; its inside. The
 * last line of the screen stays free: the hints are there.
 */
struct canvas popup_frame(const struct canvas *c, const char *title, int h, int w);
/* In the frame's right edge, so that it covers nothing. */
void popup_scrollbar(const struct canvas *c, const struct canvas *inside, int h, uint64_t first,
		     uint64_t all);
/* Is this cell of the frame, or in it? */
bool popup_has(const struct rect *inside, int y, int x);

#endif
