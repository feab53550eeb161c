/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The facts of the trust line with their advice, as a message whose remedies have keys. */
#ifndef VIEW_TRUST_SHOW_H
#define VIEW_TRUST_SHOW_H

#include "input/keymap.h"
#include "model/browser/trust.h"
#include "widget/stack.h"

/* Remedies, in the order in which they are offered. */
enum trust_remedy {
	TRUST_RECORD_UNWOUND, /* record again with unwound stacks */
	TRUST_LIST_SYMBOLS,   /* list the DSOs without symbols */
	TRUST_REMEDIES,
};

struct trust_show {
	struct stack *stack;
	enum keymap map;		  /* of the screen, for the keys … */
	enum request req[TRUST_REMEDIES]; /* … of these requests; REQ_NONE: not offered */
	unsigned (*chosen)(void *ctx, enum trust_remedy remedy);
	void *ctx;
};

/* Returns wishes. */
unsigned trust_show(const struct trust_show *show, const struct trust_fact *facts, size_t n);

#endif
