/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The help screen: the keys that work in a screen, by group, out of the request table, the person's
 * keymaps and what the screen can do now. The stack opens it.
 */
#ifndef WIDGET_HELP_H
#define WIDGET_HELP_H

#include "widget/stack.h"

/* Opens the help of a screen, which is asked only now. 0 or -ENOMEM. */
int help_open(struct stack *s, const struct screen_ops *of, void *self);

#endif
