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

#define TRUST_FACTS_MAX	  17
#define TRUST_STACK_FACTS 4 /* of them */

struct trust_fact {
	enum trust_level level;
	char text[96];	  /* "lost 120 (0.4%)" */
	char advice[768]; /* meaning, and the remedy if there is a problem */
};

/*
 * Worst first, in a fixed order within a level. `h` may be NULL: then without unknown functions.
 * Returns the number, at least one.
 */
size_t trust_facts(const struct ptui_profile *p, uint32_t event, const struct ptui_hist *h,
		   struct trust_fact ret[TRUST_FACTS_MAX]);

/*
 * What is known of the user stacks of an event in a view `h` (may be NULL). How far they reach comes
 * first. Returns how many, often none, as without callchains.
 */
size_t trust_stack_facts(const struct ptui_event_info *e, const struct ptui_hist *h,
			 struct trust_fact ret[TRUST_STACK_FACTS]);
/* The first of them. False: there is none. */
bool trust_stacks(const struct ptui_event_info *e, const struct ptui_hist *h,
		  struct trust_fact *ret);

#endif
