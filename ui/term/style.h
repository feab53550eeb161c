/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Styles by meaning: views name a role; a theme (term/theme.h) defines its look on this terminal.
 */
#ifndef TERM_STYLE_H
#define TERM_STYLE_H

#include <stdint.h>

/* X(id, config name) */
#define ROLES(X)                                                                  \
	X(TEXT, "text")	    /* normal text */                                     \
	X(DIM, "dim")	    /* context: units, secondary columns, explanations */ \
	X(TITLE, "title")   /* titles; column headers */                          \
	X(HOT, "hot")	    /* heat: > 5 % as in perf */                          \
	X(WARM, "warm")	    /* heat: > 0.5 % */                                   \
	X(GOOD, "good")	    /* state: as expected */                              \
	X(BAD, "bad")	    /* state: wrong, lost, refused */                     \
	X(NOTE, "note")	    /* state: notable; recording, paused */               \
	X(KEY, "key")	    /* a key in a hint, a menu, the help */               \
	X(FIELD, "field")   /* a value that can be changed */                     \
	X(MATCH, "match")   /* search matches */                                  \
	X(FRAME, "frame")   /* rules, frames, guides */                           \
	X(CURSOR, "cursor") /* the cursor row: through STYLE_CURSOR only */

enum role {
#define X(id, name) ROLE_##id,
	ROLES(X)
#undef X
		N_ROLES,
	/* The 16 colours of a terminal, for text in colours that another program chose. */
	ROLE_ANSI = N_ROLES,
	N_STYLE_ROLES = ROLE_ANSI + 16
};

/* A role with flags. */
typedef uint16_t style_t;

#define STYLE_ROLE   0x00ffu
#define STYLE_CURSOR 0x0100u /* cursor row: of ours the only reverse video */
#define STYLE_BOLD   0x0200u /* selected, marked, current */
/* in another program's text only */
#define STYLE_DIM	0x0400u
#define STYLE_UNDERLINE 0x0800u
#define STYLE_REVERSE	0x1000u
#define STYLE_FLAGS	0x1f00u

/* perf's heat colours, always next to the number. */
static inline style_t style_heat(double percent)
{
	return percent >= 5.0 ? ROLE_HOT : percent > 0.5 ? ROLE_WARM : ROLE_TEXT;
}

#endif
