/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Progress of a worker, with a bar, for a screen that has nothing else to show. */
#ifndef VIEW_WORK_DRAW_H
#define VIEW_WORK_DRAW_H

#include "term/canvas.h"
#include "view/worker.h"

void work_draw(const struct canvas *c, const struct worker_state *state, const char *escape_does);

#endif
