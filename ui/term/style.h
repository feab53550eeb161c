/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How a cell looks, by what it means. Views name a role; a theme (term/theme.h) says what the role
 * looks like on this terminal.
 */
#ifndef TERM_STYLE_H
#define TERM_STYLE_H

#include <stdint.h>

/* X(id, config name) */
#define ROLES(X)                                                                  \
	X(TEXT, "text")	    /* what is read */                                    \
	X(DIM, "dim")	    /* context: units, secondary columns, explanations */ \
	X(TITLE, "title")   /* where I am; column headers */                      \
	X(HOT, "hot")	    /* heat: > 5 % as in perf */                          \
	X(WARM, "warm")	    /* heat: > 0.5 % */                                   \
	X(GOOD, "good")	    /* state: as it should be */                          \
	X(BAD, "bad")	    /* state: wrong, lost, refused */                     \
	X(NOTE, "note")	    /* state: to be looked at; recording, paused */       \
	X(KEY, "key")	    /* a key in a hint, a menu, the help */               \
	X(FIELD, "field")   /* a value that can be changed */                     \
	X(MATCH, "match")   /* what the search found */                           \
	X(FRAME, "frame")   /* rules, frames, guides */                           \
	X(CURSOR, "cursor") /* the cursor row: through STYLE_CURSOR, not by name */

enum role {
#define X(id, name) ROLE_##id,
	ROLES(X)
#undef X
		N_ROLES
};

/* A role, and flags on top. */
typedef uint16_t style_t;

#define STYLE_ROLE   0x00ffu
#define STYLE_CURSOR 0x0100u /* on the cursor row: the only reverse video */
#define STYLE_BOLD   0x0200u /* chosen, marked, current */

/* perf's heat: colours beside the number itself, never instead of it. */
static inline style_t style_heat(double percent)
{
	return percent >= 5.0 ? ROLE_HOT : percent > 0.5 ? ROLE_WARM : ROLE_TEXT;
}

#endif
