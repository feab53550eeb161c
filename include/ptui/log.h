/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The core never prints: it logs through one callback. Set it at process start, before other
 * threads run. The callback itself must be thread-safe.
 */
#ifndef PTUI_LOG_H
#define PTUI_LOG_H

#include "ptui/types.h"

#ifdef __cplusplus
extern "C" {
#endif

enum ptui_log_level {
	PTUI_LOG_WARN, /* for the user: a fallback, or something left out */
	PTUI_LOG_INFO,
	PTUI_LOG_DEBUG, /* for developers: PTUI_DEBUG */
};

/* `room` is the directory's name ("record"), `text` one line without a newline. */
typedef void (*ptui_log_fn)(void *ctx, enum ptui_log_level level, const char *room,
			    const char *text);

/* fn NULL: nothing is logged. `max` is the highest level that is passed to fn. */
void ptui_log_set(ptui_log_fn fn, void *ctx, enum ptui_log_level max);

void ptui_log(enum ptui_log_level level, const char *room, const char *fmt, ...) PTUI_PRINTF(3, 4);

/* True if `level` is logged: guards calls whose arguments are expensive. */
int ptui_log_wants(enum ptui_log_level level);

#ifdef __cplusplus
}
#endif
#endif
