/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is recorded often, by name: lines of options that say how, and not whom.
 *
 * Takes: the choices of Setup, to be kept under a name. Gives: the choices that a name stands for;
 * target and output stay as they are. Those of a person's own are kept with the last choices.
 */
#ifndef MODEL_SETUP_SETUP_PRESET_H
#define MODEL_SETUP_SETUP_PRESET_H

#include "model/setup/setup.h"

#define SETUP_PRESETS_MAX     100
#define SETUP_PRESET_NAME_MAX 40 /* bytes */

struct setup_preset {
	const char *name; /* translated, if it is one of ours; valid until the next change */
	const char *line; /* "ptui record -g …" */
	bool own;
};

/* Ours, then the person's own in the order they were kept. */
size_t setup_n_presets(const struct setup *s);
void setup_preset(const struct setup *s, size_t i, struct setup_preset *ret);

/* How to record becomes what preset `i` says. As setup_take_line(). */
int setup_take_preset(struct setup *s, size_t i, const char *proc, struct setup_taken *ret,
		      struct ptui_error *err);

/*
 * Keeps how to record under a name, instead of an own one of that name. -EINVAL, told: a name that is
 * empty, too long or one of ours, or there are too many. -ENOMEM.
 */
int setup_keep_preset(struct setup *s, const char *name, struct ptui_error *err);
/* An own one. */
void setup_forget_preset(struct setup *s, size_t i);

/* One of a person's own as the line of a file, "NAME<tab>LINE": 0, -EINVAL, -ENOMEM. */
int setup_read_preset(struct setup *s, const char *text);

#endif
