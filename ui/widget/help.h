/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The help screen: the keys that work in a view, by group, out of the request table and the
 * person's keymaps. The stack opens it; what it lists is what keymaps_find() does.
 */
#ifndef WIDGET_HELP_H
#define WIDGET_HELP_H

#include "widget/stack.h"

/* Opens the help of a view. 0 or -ENOMEM. */
int help_open(struct stack *s, enum keymap map, const char *title);

#endif
