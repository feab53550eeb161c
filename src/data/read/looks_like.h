/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Errors for files that are no recordings: what the file is, by its first bytes. */
#ifndef DATA_READ_LOOKS_LIKE_H
#define DATA_READ_LOOKS_LIKE_H

#include <stddef.h>
#include "ptui/error.h"

/* Returns -EINVAL and sets `err`. */
int looks_like_error(const char *path, const void *head, size_t n, struct ptui_error *err);

#endif
