/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The help screen: the keys that work in a screen, by group, from the request table, the user's
 * keymaps and the screen's can(). Opened by the stack.
 */
#ifndef WIDGET_HELP_H
#define WIDGET_HELP_H

#include "widget/stack.h"

/* Opens the help of a screen. 0 or -ENOMEM. */
int help_open(struct stack *s, const struct screen_ops *of, void *self);

#endif
