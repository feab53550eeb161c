/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the manual page says of the screens: their keys, the config, the environment, the files.
 * Takes: the tables of requests, views, key names, settings and themes. Gives: text, so that the
 * page cannot say other than what is. Not for the help on a screen, which knows the person's own
 * keys (widget/help.h).
 */
#ifndef INPUT_MANUAL_H
#define INPUT_MANUAL_H

#include "ptui/manual.h"

void manual_write(struct ptui_manual *m, enum ptui_manual_part part);

#endif
