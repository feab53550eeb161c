/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The flight recorder of Setup: whether every sample is written, or the last ones are kept until a
 * snapshot. It is a look at the options that say so (-M, --overwrite, -m), which stand among the others.
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

/* Of both the memory: they contradict each other, which is told elsewhere. */
enum setup_keep setup_keep(const struct setup *s);
/* "64M": of the memory, or of a ring; NULL: as large as record takes by itself. */
const char *setup_keep_size(const struct setup *s);

/* From now on; with a size that is good for a start where none is said. 0, -ENOMEM, -E2BIG. */
int setup_set_keep(struct setup *s, enum setup_keep keep, struct ptui_error *err);
/* Of what is kept now. What is no size is told, and changes nothing: -EINVAL. */
int setup_set_keep_size(struct setup *s, const char *text, struct ptui_error *err);

#endif
