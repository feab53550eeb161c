/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a handler wants to happen next: bits. Handlers do their work on the facts and return; the
 * screen stack does the rest, once.
 */
#ifndef WIDGET_WISH_H
#define WIDGET_WISH_H

#define WISH_NONE   0x00u /* done, nothing to be seen */
#define WISH_REDRAW 0x01u /* done, paint */
#define WISH_RECALC 0x02u /* done, the facts changed: recalc and paint */
#define WISH_POP    0x04u /* close this screen */
#define WISH_QUIT   0x08u /* close all */
#define WISH_PASS   0x10u /* not mine: who comes next may have it */
#define WISH_OPEN   0x20u /* from a click: as if REQ_OPEN were asked for now */

#endif
