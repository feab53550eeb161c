/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the text of -e to events that this recorder can record. */
#ifndef RECORD_SELECT_H
#define RECORD_SELECT_H

#include "event/catalog.h"

/*
 * Appends the events of `text` to `list`. What the language has and the recorder has not yet is
 * refused; what says nothing to a recording is told (PTUI_LOG_WARN). On failure the list is as it
 * was.
 */
int record_select(struct catalog *catalog, const char *text, struct event_list *list,
		  struct ptui_error *err);

#endif
