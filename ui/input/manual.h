/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The manual page's sections about the screens: keys, config, environment, files. Generated from
 * the tables of requests, views, key names, settings and themes, so that they are always true. The
 * help on a screen uses the user's own keys instead (widget/help.c).
 */
#ifndef INPUT_MANUAL_H
#define INPUT_MANUAL_H

#include "ptui/manual.h"

void manual_write(struct ptui_manual *m, enum ptui_manual_part part);

#endif
