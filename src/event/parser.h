/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of the selector share. Inside the event room only.
 *
 *   selector.c	    lists, groups, events
 *   selector_mods.c  what stands behind the last colon
 *   selector_error.c the sentence, the caret, the nearest names
 */
#ifndef EVENT_PARSER_H
#define EVENT_PARSER_H

#include "event/catalog.h"

/* A piece of the selector's text. */
struct span {
	const char *at;
	const char *end;
};

static inline size_t span_len(struct span s)
{
	return (size_t)(s.end - s.at);
}

struct parser {
	struct catalog *cat;
	const char *text; /* the whole selector */
	const char *at;	  /* what is read next */
	struct event_list *list;
	struct ptui_error *err;
};

/*
 * Fills the parser's error with "SENTENCE", the text, and a caret under `where` beside
 * `expected` (already translated). Returns -EINVAL.
 */
int parser_error(struct parser *p, const char *where, const char *expected, const char *fmt, ...)
	PTUI_PRINTF(4, 5);

/* No event is called so: the error, and up to three names that are near. -EINVAL. */
int parser_unknown_event(struct parser *p, struct span name);
/* The same for a tracepoint; `name` is all of SYSTEM:NAME. */
int parser_unknown_tracepoint(struct parser *p, struct span system, struct span name);

bool parser_is_glob(struct span s);
/* False too when the tracepoints cannot be read. */
bool parser_system_exists(struct parser *p, struct span system);

/* What a string of modifier letters says. */
struct modifiers {
	bool user, kernel, hv;
	bool guest, host;
	bool idle;
	unsigned int precise;
	bool precise_max;
	bool pinned, exclusive;
	const char *leader_only; /* where the D or e stands, for the error; or NULL */
};

/* Letters of `text`, which may not be empty. 0 or -EINVAL. */
int modifiers_parse(struct parser *p, struct span text, struct modifiers *ret);
/* Whether `text` could be meant as modifiers: it has no other letters. */
bool modifiers_plausible(struct span text);
/*
 * Puts them on an event; `again` when they are its group's and it may have its own. `where`
 * is for the error. 0 or -EINVAL.
 */
int modifiers_apply(struct parser *p, const struct modifiers *mods, const char *where,
		    struct event *ev, bool is_leader, bool again);

#endif
