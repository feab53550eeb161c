/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Maps keys to requests, by view.
 *
 *	(view, key) --> the view's map -> its parent's -> ... -> general --> request
 *
 * Built from the default keys of the request table and the user's config, both in the same syntax:
 *
 *	# comment
 *	bind browser <C-f> search
 *	bind general q none		# none: the key is unbound here
 *	set theme light
 */
#ifndef INPUT_KEYMAP_H
#define INPUT_KEYMAP_H

#include <stddef.h>

#include "input/key_name.h"
#include "input/request.h"
#include "ptui/error.h"
#include "ptui/manual.h"
#include "term/key.h"

struct keymaps;

/* Contains the default keys. NULL: out of memory. */
struct keymaps *keymaps_new(struct ptui_error *err);
void keymaps_free(struct keymaps *k); /* NULL ok */

/* Binds the key, replacing its binding in this view. REQ_NONE unbinds it here. 0 or -ENOMEM. */
int keymaps_bind(struct keymaps *k, enum keymap map, key_code key, enum request req);

/* The request of the key in this view; REQ_NONE: unbound. */
enum request keymaps_find(const struct keymaps *k, enum keymap map, key_code key);

/*
 * The keys of a request in this view, at most `max`, in binding order (defaults in the order of the
 * table, a view's own before its parent's). Skips keys that are bound to something else in the
 * view. Returns the number.
 */
size_t keymaps_keys(const struct keymaps *k, enum keymap map, enum request req, key_code *ret_keys,
		    size_t max);
/* The first of them, if it is a visible ASCII character: the letter of its line in a menu; else 0. */
int keymaps_letter(const struct keymaps *k, enum keymap map, enum request req);
/* The label of the first of them ("": none), for hints and messages. */
struct key_text {
	char text[KEY_NAME_MAX];
};
struct key_text keymaps_label(const struct keymaps *k, enum keymap map, enum request req);

/* Values of `set NAME VALUE`. */
struct config {
	char theme[32]; /* "": not set */
	int mouse;	/* -1: not set, else 0 or 1 */
	int ascii;
	int preview;
};
#define CONFIG_INIT            \
	{                      \
		"", -1, -1, -1 \
	}

/* A setting. */
struct config_setting {
	const char *name;
	const char *help; /* English: pass it through _() */
	size_t on_off;	  /* where it is in struct config: 0 or 1; 0: a theme name */
};

/* By index; NULL after the last. */
const struct config_setting *config_setting(size_t i);

/*
 * Parses one line. `file` and `line` are for the error message: -EINVAL. Empty lines and comments
 * are valid.
 */
int config_parse_line(struct keymaps *k, struct config *c, const char *text, const char *file,
		      unsigned line, struct ptui_error *err);
/* Reads a file, up to its first invalid line. A missing file counts as empty: 0. */
int config_read(struct keymaps *k, struct config *c, const char *path, struct ptui_error *err);

/*
 * manual.c: the manual page's sections about the screens: keys, config, environment, files. Generated from
 * the tables of requests, views, key names, settings and themes, so that they are always true. The
 * help on a screen uses the user's own keys instead (widget/help.c).
 */
void manual_write(struct ptui_manual *m, enum ptui_manual_part part);

#endif
