/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Presets: named lines of options that say how to record, without target and output, which stay
 * unchanged. User presets are saved with the choices.
 */
#ifndef MODEL_SETUP_SETUP_PRESET_H
#define MODEL_SETUP_SETUP_PRESET_H

#include "model/setup/setup.h"

#define SETUP_PRESETS_MAX     100
#define SETUP_PRESET_NAME_MAX 40 /* bytes */

struct setup_preset {
	const char *name; /* translated for built-in ones; valid until the next change */
	const char *line; /* "ptui record -g …" */
	bool own;
};

/* Built-in presets, then user presets in the order saved. */
size_t setup_n_presets(const struct setup *s);
void setup_preset(const struct setup *s, size_t i, struct setup_preset *ret);

/* Applies preset `i`; returns like setup_take_line(). */
int setup_take_preset(struct setup *s, size_t i, const char *proc, struct setup_taken *ret,
		      struct ptui_error *err);

/*
 * Saves the current options under a name, replacing a user preset of that name. -EINVAL with err
 * set: the name is empty, too long or built-in, or there are too many. -ENOMEM.
 */
int setup_keep_preset(struct setup *s, const char *name, struct ptui_error *err);
/* A user preset. */
void setup_forget_preset(struct setup *s, size_t i);

/* Reads a user preset from a line of the file, "NAME<tab>LINE": 0, -EINVAL, -ENOMEM. */
int setup_read_preset(struct setup *s, const char *text, struct ptui_error *err);

#endif
