/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options that filter samples and functions, of report and top; for OPTION_CALL. */
#ifndef CLI_FILTER_H
#define CLI_FILTER_H

#include <stdbool.h>
#include "ptui/error.h"
#include "ptui/profile.h"

/* The field is a const char *: perf accepts a list, ptui a single name. */
int filter_read_name(void *field, const char *value, bool unset, struct ptui_error *err);
/*
 * The field is a char *, which the caller frees: the words of a list, one per line. They are separated by
 * commas; file://PATH is the lines of that file. NULL if unset.
 */
int filter_read_list(void *field, const char *value, bool unset, struct ptui_error *err);
/* The field is a bool: "relative" or "absolute". */
int filter_read_percentage(void *field, const char *value, bool unset, struct ptui_error *err);

#endif
