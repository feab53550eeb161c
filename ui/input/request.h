/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests: user actions, independent of the keys bound to them. The table is input/requests.h;
 * views implement them in request().
 */
#ifndef INPUT_REQUEST_H
#define INPUT_REQUEST_H

#include "input/requests.h"

enum request {
	REQ_NONE, /* no key, or an unbound key */
#define X(id, name, group, word, help, keys) REQ_##id,
	REQUESTS(X)
#undef X
		N_REQUESTS
};

enum request_group {
#define X(id, title) GROUP_##id,
	REQUEST_GROUPS(X)
#undef X
		N_GROUPS
};

enum keymap {
	KEYMAP_NONE,
#define X(id, name, parent) KEYMAP_##id,
	KEYMAPS(X)
#undef X
		N_KEYMAPS
};

struct request_info {
	const char *name; /* in the config */
	enum request_group group;
	const char *word; /* English: pass word and help through _() */
	const char *help;
	const char *keys; /* the defaults: input/requests.h */
};

/* NULL for REQ_NONE and invalid values. */
const struct request_info *request_info(enum request req);
/* REQ_NONE: unknown name. */
enum request request_find(const char *name);
/* The title of a group; English, as above. */
const char *request_group_title(enum request_group group);

/* NULL for KEYMAP_NONE. */
const char *keymap_name(enum keymap map);
/* KEYMAP_NONE: unknown name. */
enum keymap keymap_find(const char *name);
/* The map to look up unbound keys in; KEYMAP_NONE: none. */
enum keymap keymap_parent(enum keymap map);

#endif
