/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Event selectors (-e): parsing, formatting and checks for editors.
 *
 *	"cycles/period=5000/u,team{sched:sched_switch,r1a8}:S"
 *
 *	events	what "cycles"		    modifiers "u"  period 5000	group 0
 *		what "sched:sched_switch"   modifiers ""		group 1
 *		what "r1a8"		    modifiers ""		group 1
 *	groups	[0] name "team"  modifiers "S"
 *
 * A catalog may be used by one thread at a time; everything else is plain data of the caller.
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

/* One event. Strings are owned (malloc). */
struct ptui_selector_event {
	/* without modifiers, period and freq: "cpu/event=0x3c/", "mem:0x1000/8:w" */
	char *what;
	char *modifiers;   /* modifiers without the colon; "" for none */
	uint64_t period;   /* period=; 0: not set */
	uint64_t freq_hz;  /* freq=; 0: not set. The last one wins: at most one of the two is set */
	char *filter;	   /* --filter, or NULL; not part of the -e text */
	bool exclude_self; /* --exclude-perf; not part of the -e text */
	/* 0: no group; else index + 1 in groups. Members are adjacent; the first is the leader */
	unsigned group;
};

struct ptui_selector_group {
	char *name;	 /* name of the group, or NULL */
	char *modifiers; /* modifiers after the brace; "" for none */
};

struct ptui_selector {
	struct ptui_selector_event *events;
	size_t n_events;
	struct ptui_selector_group *groups;
	size_t n_groups;
};

/*
 * Parses `text`. Release *ret on success; on failure it is empty. 0, -ENOMEM, or -EINVAL with the
 * first error: a sentence, the text with a mark below the position, and similar names as a hint.
 */
int ptui_selector_parse(struct ptui_catalog *c, const char *text, struct ptui_selector *ret,
			struct ptui_error *err);
/* Also valid for an all-zero selector. */
void ptui_selector_release(struct ptui_selector *s);

/*
 * Formats the selector in -e syntax; the caller frees it. NULL: out of memory. Contents are not
 * validated: use ptui_selector_parse().
 */
char *ptui_selector_text(const struct ptui_selector *s);

/*
 * Checks `modifiers` (without colon) for an event that is a non-leader group member (is_member) or
 * not. 0; -EINVAL with a mark below the first wrong one; -ENOMEM.
 */
int ptui_selector_check_modifiers(struct ptui_catalog *c, const char *what, const char *modifiers,
				  bool is_member, struct ptui_error *err);
/*
 * Checks a filter: the event must be a tracepoint with the named fields, and the syntax must be
 * valid. The kernel makes the final check when the recording starts. 0; -EINVAL with a mark below
 * the position; another negative errno.
 */
int ptui_selector_check_filter(struct ptui_catalog *c, const char *what, const char *filter,
			       struct ptui_error *err);
/*
 * Checks whether the event can be sampled with period=`period` or freq=`freq_hz`; one of them is 0.
 * Tracepoints do not accept these terms; use -c and -F. 0, -EINVAL or -ENOMEM.
 */
int ptui_selector_check_period(struct ptui_catalog *c, const char *what, uint64_t period,
			       uint64_t freq_hz, struct ptui_error *err);

#ifdef __cplusplus
}
#endif
#endif
