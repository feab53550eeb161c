/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The selector language of -e: "cycles:u,{instructions,branches}:k,sched:sched_*,r01c4".
 * Recursive descent over one string, with positions.
 */
#ifndef EVENT_SELECTOR_H
#define EVENT_SELECTOR_H

#include "event/catalog.h"

/*
 * Parses `text` and appends its events to `list` (unchanged on failure). The error is one sentence
 * with the text and a caret line: found and expected; the hint has up to three similar names.
 */
int selector_parse(struct catalog *cat, const char *text, struct event_list *list,
		   struct ptui_error *err);

#endif
