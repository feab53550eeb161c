/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A file that is not a recording: what it is instead, as far as its first bytes tell. */
#ifndef DATA_READ_LOOKS_LIKE_H
#define DATA_READ_LOOKS_LIKE_H

#include <stddef.h>
#include "ptui/error.h"

/* Returns -EINVAL with the sentence. */
int looks_like_error(const char *path, const void *head, size_t n, struct ptui_error *err);

#endif
