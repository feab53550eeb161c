/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Probes that ptui left in the kernel when a test of the screens was killed: on a program in a folder of these
 * tests, in the group of a process that has ended. Those of other programs stay.
 */
#ifndef SCREEN_HARNESS_LEFTOVERS_H
#define SCREEN_HARNESS_LEFTOVERS_H

#include <stdbool.h>
#include <stddef.h>

#define LEFTOVERS_PATH "/tmp/ptui-" /* where the folders of these tests are */

void leftovers_remove(void);
/* True if this line of uprobe_events is such a probe; ret: the line that removes it. */
bool leftovers_line(const char *line, char *ret, size_t size);

#endif
