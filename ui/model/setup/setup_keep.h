/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The flight recorder choice of Setup: write every sample, or keep the last ones until a snapshot.
 * Reads and sets the options for it (-M, --overwrite, -m) among the others.
 */
#ifndef MODEL_SETUP_SETUP_KEEP_H
#define MODEL_SETUP_SETUP_KEEP_H

#include "model/setup/setup.h"

enum setup_keep {
	SETUP_KEEP_OFF,	   /* all samples are written */
	SETUP_KEEP_MEMORY, /* -M */
	SETUP_KEEP_RINGS,  /* --overwrite */
	N_SETUP_KEEPS
};

/* If both options are given, memory: they contradict each other, which is reported elsewhere. */
enum setup_keep setup_keep(const struct setup *s);
/* "64M": of the memory, or of a ring buffer; NULL: record's default. */
const char *setup_keep_size(const struct setup *s);

/* Sets it, with a suitable default size if none is set. 0, -ENOMEM, -E2BIG. */
int setup_set_keep(struct setup *s, enum setup_keep keep, struct ptui_error *err);
/* Size for the current mode. Invalid sizes change nothing: -EINVAL with err set. */
int setup_set_keep_size(struct setup *s, const char *text, struct ptui_error *err);

#endif
