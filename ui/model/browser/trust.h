/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How far a profile can be trusted: facts as a short text for a line on the screen, and a sentence
 * with the meaning and the remedy.
 */
#ifndef MODEL_BROWSER_TRUST_H
#define MODEL_BROWSER_TRUST_H

#include <stdbool.h>
#include <stddef.h>

#include "ptui/profile.h"

enum trust_level {
	TRUST_FINE, /* no problem found */
	TRUST_NOTE, /* worth knowing */
	TRUST_BAD,  /* the rows are misleading */
};

#define TRUST_FACTS_MAX	  22
#define TRUST_STACK_FACTS 4 /* of them */

enum trust_kind {
	TRUST_OTHER,
	TRUST_UNKNOWN,
	TRUST_UNVERIFIED,
	TRUST_STACKS,
	TRUST_RUNNING,
	TRUST_PARTIAL, /* not all of the file is loaded */
};

struct trust_fact {
	enum trust_level level;
	enum trust_kind kind;
	bool unwinding_helps; /* recording again with unwound stacks is the remedy */
	char text[96];	      /* "lost 120 (0.4%)" */
	char advice[768];     /* meaning, and the remedy if there is a problem */
};

/*
 * Worst first, in a fixed order within a level. `h` may be NULL: then without unknown functions.
 * Returns the number, at least one.
 */
size_t trust_facts(const struct ptui_profile *p, uint32_t event, const struct ptui_hist *h,
		   struct trust_fact ret[TRUST_FACTS_MAX]);

/* How much of the file is loaded, in percent: 100 only if all of it is, and never 0. */
int trust_loaded_percent(const struct ptui_profile *p);
/* The fact about multiplexing. False: the times are not known. */
bool trust_running(uint64_t enabled_ns, uint64_t running_ns, struct trust_fact *ret);
/* True: recording again with unwound stacks is the remedy for one of them. */
bool trust_wants_unwinding(const struct trust_fact *facts, size_t n);
/* All facts with their advice, for a message. NULL: out of memory. free() it. */
char *trust_text(const struct trust_fact *facts, size_t n);

/*
 * What is known of the user stacks of an event in a view `h` (may be NULL). How far they reach comes
 * first. Returns how many, often none, as without callchains.
 */
size_t trust_stack_facts(const struct ptui_event_info *e, const struct ptui_hist *h,
			 struct trust_fact ret[TRUST_STACK_FACTS]);

#endif
