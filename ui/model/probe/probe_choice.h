/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is chosen on the Probe screen, as rows:
 *
 *	[ ] return value	only at a function; excludes the variables
 *	[x] n			one per variable
 *	[ ] keep		after ptui exits
 */
#ifndef MODEL_PROBE_PROBE_CHOICE_H
#define MODEL_PROBE_PROBE_CHOICE_H

#include <stdbool.h>
#include <stddef.h>

#include "ptui/probe.h"

enum probe_row_kind { PROBE_ROW_RETURN, PROBE_ROW_VARIABLE, PROBE_ROW_KEEP };

struct probe_row {
	enum probe_row_kind kind;
	const char *name, *type, *note; /* translated; "": none */
	const char *refusal;		/* why it cannot be chosen: a sentence; NULL: it can */
	bool *chosen;
};

struct probe_choice {
	const struct ptui_probe *probe; /* borrowed; NULL: not read yet */
	bool *variables;		/* by index */
	bool returns, keep;
};

/* Nothing is chosen. 0 or -ENOMEM. */
int probe_choice_init(struct probe_choice *c, const struct ptui_probe *probe);
void probe_choice_release(struct probe_choice *c);

size_t probe_choice_n_rows(const struct probe_choice *c);
struct probe_row probe_choice_row(struct probe_choice *c, size_t row);
/* False: refused. */
bool probe_choice_toggle(struct probe_choice *c, size_t row);
/* All variables that can be chosen; none if they are. False: there are none. */
bool probe_choice_toggle_all(struct probe_choice *c);
bool probe_choice_can_return(const struct probe_choice *c);
size_t probe_choice_n_chosen(const struct probe_choice *c);

#endif
