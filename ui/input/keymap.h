/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which key asks for what, where.
 *
 *	(view, key) --> the view's map -> its parent's -> ... -> general --> request
 *
 * Takes: the default keys of the request table and the person's own lines, both in one language.
 * Gives: lookups in both directions.
 *
 *	# comment
 *	bind browser <C-f> search
 *	bind general q none		# none: the key does nothing here
 *	set theme light
 */
#ifndef INPUT_KEYMAP_H
#define INPUT_KEYMAP_H

#include <stdbool.h>
#include <stddef.h>

#include "input/request.h"
#include "ptui/error.h"
#include "term/key.h"

struct keymaps;

/* With the default keys. NULL: out of memory. */
struct keymaps *keymaps_new(struct ptui_error *err);
void keymaps_free(struct keymaps *k); /* NULL ok */

/* Binds; what the key did in this view is forgotten. REQ_NONE: nothing, here. 0 or -ENOMEM. */
int keymaps_bind(struct keymaps *k, enum keymap map, key_code key, enum request req);

/* What the key asks for in this view; REQ_NONE: nothing. */
enum request keymaps_find(const struct keymaps *k, enum keymap map, key_code key);

/*
 * The keys that ask for it in this view, as many as `max`, in the order they were bound (the
 * default ones in the order of the table, and a view's own before its parent's). Keys that mean
 * something else in the view are left out. Returns how many.
 */
size_t keymaps_keys(const struct keymaps *k, enum keymap map, enum request req, key_code *ret_keys,
		    size_t max);
/* The first of them, as people are told ("" for none): for hints. Returns buf. */
char *keymaps_label(const struct keymaps *k, enum keymap map, enum request req, char *buf,
		    size_t size);

/* What `set NAME VALUE` says; strings are owned by whom they were read into. */
struct config {
	char theme[32]; /* "": not said */
	int mouse;	/* -1: not said, else 0 or 1 */
	int ascii;
	int preview;
};
#define CONFIG_INIT            \
	{                      \
		"", -1, -1, -1 \
	}

/* What can be set. */
struct config_setting {
	const char *name;
	bool on_off;	  /* else: a name, of a theme */
	const char *help; /* English: pass it through _() */
};

/* One by one; NULL at the end. */
const struct config_setting *config_setting(size_t i);

/*
 * One line. `file` and `line` are for the sentence of the error: -EINVAL. Empty lines and comments
 * are right.
 */
int config_parse_line(struct keymaps *k, struct config *c, const char *text, const char *file,
		      unsigned line, struct ptui_error *err);
/* A file, up to its first wrong line. A file that does not exist is an empty one: 0. */
int config_read(struct keymaps *k, struct config *c, const char *path, struct ptui_error *err);

#endif
