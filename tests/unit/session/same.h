/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether two profiles show the same rows. */
#ifndef TESTS_UNIT_SESSION_SAME_H
#define TESTS_UNIT_SESSION_SAME_H

#include "ptui/profile.h"

/* Fails with the first cell that differs, with several sort orders and call trees. */
void assert_same_profile(struct ptui_profile *a, struct ptui_profile *b);

/*
 * The same of the whole system, while other programs come and go: their files may be deleted before the
 * second profile looks for functions in them.
 */
void assert_same_system(struct ptui_profile *a, struct ptui_profile *b);

/* Checks for the same rows in the same order: cells, periods and samples. */
void assert_same_rows(const struct ptui_hist *a, const struct ptui_hist *b);

#endif
