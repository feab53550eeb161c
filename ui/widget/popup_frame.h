/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What all that floats is drawn in. */
#ifndef WIDGET_POPUP_FRAME_H
#define WIDGET_POPUP_FRAME_H

#include "term/canvas.h"

/* A frame in the middle for `h` lines of `w` columns, or what there is of them; its inside. */
struct canvas popup_frame(const struct canvas *c, const char *title, int h, int w);

#endif
