/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests: what a person asks for, apart from the key that asked.
 *
 * Takes: the table in input/requests.h. Gives: an enum, names, help. Not for doing anything: a
 * view's request() does.
 */
#ifndef INPUT_REQUEST_H
#define INPUT_REQUEST_H

#include "input/requests.h"

enum request {
	REQ_NONE, /* no key, or a key that is bound to nothing */
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
	const char *word; /* word and help are English: pass them through _() */
	const char *help;
	const char *keys; /* the default ones: input/requests.h */
};

/* NULL for REQ_NONE and what is no request. */
const struct request_info *request_info(enum request req);
/* REQ_NONE: no such name. */
enum request request_find(const char *name);
/* The title of a group; English, as above. */
const char *request_group_title(enum request_group group);

/* NULL for KEYMAP_NONE. */
const char *keymap_name(enum keymap map);
/* KEYMAP_NONE: no such name. */
enum keymap keymap_find(const char *name);
/* Where a map's unbound keys are looked up; KEYMAP_NONE: nowhere. */
enum keymap keymap_parent(enum keymap map);

#endif
