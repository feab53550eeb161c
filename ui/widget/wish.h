/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Wishes: what a handler wants the screen stack to do next, as bits. The stack fulfils them once,
 * after the handler has returned.
 */
#ifndef WIDGET_WISH_H
#define WIDGET_WISH_H

#define WISH_NONE   0x00u /* done, nothing to paint */
#define WISH_REDRAW 0x01u /* done, paint */
#define WISH_RECALC 0x02u /* done, state changed: recalc and paint */
#define WISH_POP    0x04u /* close this screen */
#define WISH_QUIT   0x08u /* close all */
#define WISH_PASS   0x10u /* not handled here: try the next one */
#define WISH_OPEN   0x20u /* from a click: handle the screen's request for it now */
#define WISH_NO_MEM 0x40u /* not done, for lack of memory: report it */
#define WISH_PART   0x80u /* done, paint only the first line and what draw_part() draws */

#endif
