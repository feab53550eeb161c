/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The arrows of the jumps within a function, beside its lines. All jumps to one target are one
 * arrow. Arrows that overlap are in different lanes, short ones next to the code:
 *
 *	┌────  jmp  50
 *	│┌───  je   38
 *	│└─▸ 38: …
 *	└──▸ 50: …
 *
 * "Line" is an index into the lines of the annotation.
 */
#ifndef MODEL_ANNOTATE_ANNOTATE_JUMPS_H
#define MODEL_ANNOTATE_ANNOTATE_JUMPS_H

#include <stddef.h>
#include <stdint.h>

#include "ptui/types.h"

#define ANNOTATE_LANES	   6
#define ANNOTATE_ARROW_MAX ((ANNOTATE_LANES + 2) * 3 + 1) /* bytes of the widest text, with NUL */

struct annotate_jump {
	uint32_t from, to; /* lines */
};

struct annotate_arrow {
	uint32_t first, last, to; /* lines; `to` is the target */
	uint32_t jump, n;	  /* its jumps: the first, and their number */
	unsigned lane; /* from the code to the left; ANNOTATE_LANES: no room, not drawn */
};

struct annotate_jumps {
	struct annotate_jump *jumps; /* sorted by target, then by source */
	size_t n_jumps;
	uint32_t *by_source;	       /* indices of `jumps`, sorted by source */
	struct annotate_arrow *arrows; /* sorted by target */
	size_t n;
	unsigned lanes; /* in use */
};

/* Owns `jumps`, which was malloc()ed, also on failure. 0 or -ENOMEM. */
int annotate_jumps_init(struct annotate_jumps *j, struct annotate_jump *jumps, size_t n);
void annotate_jumps_release(struct annotate_jumps *j);

/* The number of jumps to this line. */
unsigned annotate_jumps_to(const struct annotate_jumps *j, uint32_t line);

/*
 * What is drawn beside `line`: all arrows, in `lanes` + 2 columns. Returns buf.
 */
const char *annotate_jumps_all(const struct annotate_jumps *j, uint32_t line,
			       char buf[ANNOTATE_ARROW_MAX]);
/*
 * The same for only the arrow of the jump at line `at`, or of all jumps to it, in three columns; blank
 * if there is none.
 */
const char *annotate_jumps_one(const struct annotate_jumps *j, uint32_t line, uint32_t at,
			       char buf[ANNOTATE_ARROW_MAX]);

#endif
