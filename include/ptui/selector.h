/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The text of -e, taken apart and put together again, and judged while somebody types.
 *
 *	"cycles/period=5000/u,team{sched:sched_switch,r1a8}:S"
 *
 *	events	what "cycles"		    modifiers "u"  period 5000	group 0
 *		what "sched:sched_switch"   modifiers ""		group 1
 *		what "r1a8"		    modifiers ""		group 1
 *	groups	[0] name "team"  modifiers "S"
 *
 * A catalog is asked by one thread at a time; the rest is plain data of the caller's.
 */
#ifndef PTUI_SELECTOR_H
#define PTUI_SELECTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "ptui/catalog.h"
#include "ptui/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One event of the text. Strings are its own (malloc), NUL-terminated. */
struct ptui_selector_event {
	char *what;	   /* all but the next three: "cpu/event=0x3c/", "mem:0x1000/8:w" */
	char *modifiers;   /* letters without a colon; "" for none */
	uint64_t period;   /* of period=; 0: not said */
	uint64_t freq_hz;  /* of freq=; 0: not said. What is said last counts: one of them is 0 */
	char *filter;	   /* --filter, or NULL. Not part of the text of -e */
	bool exclude_self; /* --exclude-perf; the same */
	unsigned group; /* 0: alone; else groups[group - 1] has it. Members stand together, and the
			      first of them leads */
};

struct ptui_selector_group {
	char *name;	 /* of a named group, or NULL */
	char *modifiers; /* behind its brace; "" for none */
};

struct ptui_selector {
	struct ptui_selector_event *events;
	size_t n_events;
	struct ptui_selector_group *groups;
	size_t n_groups;
};

/* What is wrong with a text, so that it can be shown below the place. */
struct ptui_mistake {
	size_t at;	    /* bytes in front of the caret; at most the text's length */
	char what[768];	    /* what stands there: "no event is called 'cyclse'", one line */
	char expected[256]; /* "the name of an event"; may be "" */
	char hint[1536];    /* "did you mean cycles?"; may be "", may have several lines */
};

/*
 * Takes `text` apart. *ret is then to be released; on failure it is empty. 0, -ENOMEM, or -EINVAL with
 * the first mistake in *mistake (may be NULL).
 */
int ptui_selector_parse(struct ptui_catalog *c, const char *text, struct ptui_selector *ret,
			struct ptui_mistake *mistake);
/* Safe on one that is all zeros. */
void ptui_selector_release(struct ptui_selector *s);

/*
 * The text of -e for it; free() it. NULL: out of memory. What it makes of parts that are no events
 * is no selector: ptui_selector_parse() tells.
 */
char *ptui_selector_text(const struct ptui_selector *s);

/*
 * Whether `modifiers` (no colon) can stand behind the event, which is a group's member and not its
 * leader, or not. 0; -EINVAL with the place in `modifiers`; -ENOMEM.
 */
int ptui_selector_check_modifiers(struct ptui_catalog *c, const char *what, const char *modifiers,
				  bool is_member, struct ptui_mistake *mistake);
/*
 * Whether `filter` can be set for the event: it is a tracepoint with the fields that are named, and
 * the text has the form of a filter. The kernel has the last word when the recording starts. 0;
 * -EINVAL with the place in `filter`; -ENOMEM.
 */
int ptui_selector_check_filter(struct ptui_catalog *c, const char *what, const char *filter,
			       struct ptui_mistake *mistake);
/*
 * Whether the event can be sampled every `period` events, or `freq_hz` times a second; one of them
 * is 0. Tracepoints take no terms for it: -c and -F are for them. 0; -EINVAL, whose place is 0.
 */
int ptui_selector_check_period(struct ptui_catalog *c, const char *what, uint64_t period,
			       uint64_t freq_hz, struct ptui_mistake *mistake);

#ifdef __cplusplus
}
#endif
#endif
