/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "input/keymap.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "input/key_name.h"
#include "input/request.h"
#include "text/i18n.h"

/* ---- the tables ---- */

static const struct request_info requests[N_REQUESTS] = {
#define X(id, name, group, word, help, keys) [REQ_##id] = { name, GROUP_##group, word, help, keys },
	REQUESTS(X)
#undef X
};

static const char *const group_titles[N_GROUPS] = {
#define X(id, title) [GROUP_##id] = title,
	REQUEST_GROUPS(X)
#undef X
};

static const struct {
	const char *name;
	enum keymap parent;
} maps[N_KEYMAPS] = {
#define X(id, name, parent) [KEYMAP_##id] = { name, KEYMAP_##parent },
	KEYMAPS(X)
#undef X
};

const struct request_info *request_info(enum request req)
{
	return req > REQ_NONE && req < N_REQUESTS ? &requests[req] : NULL;
}

enum request request_find(const char *name)
{
	for (int i = REQ_NONE + 1; i < N_REQUESTS; i++) {
		if (!strcmp(requests[i].name, name))
			return (enum request)i;
	}
	return REQ_NONE;
}

const char *request_group_title(enum request_group group)
{
	return group < N_GROUPS ? group_titles[group] : "";
}

const char *keymap_name(enum keymap map)
{
	return map < N_KEYMAPS ? maps[map].name : NULL;
}

enum keymap keymap_find(const char *name)
{
	for (int i = KEYMAP_NONE + 1; i < N_KEYMAPS; i++) {
		if (!strcmp(maps[i].name, name))
			return (enum keymap)i;
	}
	return KEYMAP_NONE;
}

enum keymap keymap_parent(enum keymap map)
{
	return map < N_KEYMAPS ? maps[map].parent : KEYMAP_NONE;
}

/* ---- keys ---- */

struct binding {
	key_code key;
	enum request req; /* REQ_NONE: unbound here, overriding the parent */
};

/* A few dozen keys per view: a linear search is fast enough, and keeps the order for the help. */
struct keymaps {
	struct {
		struct binding *keys;
		size_t n, room;
	} maps[N_KEYMAPS];
};

/* "VIEW: KEY KEY VIEW: KEY", as in the request table. */
static int bind_defaults(struct keymaps *k, enum request req, struct ptui_error *err)
{
	const char *at = request_info(req)->keys;
	enum keymap map = KEYMAP_NONE;
	char word[KEY_NAME_MAX];
	key_code key;
	size_t n;

	for (at += strspn(at, " "); *at; at += n + strspn(at + n, " ")) {
		n = strcspn(at, " ");
		snprintf(word, sizeof(word), "%.*s", (int)n, at);
		if (n > 1 && n < sizeof(word) && word[n - 1] == ':') {
			word[n - 1] = '\0';
			map = keymap_find(word);
			continue;
		}
		if (map == KEYMAP_NONE || n >= sizeof(word) || key_parse(word, &key) < 0)
			return ptui_error_input(err, NULL,
						_("invalid default keys of '%s' at '%s'"),
						request_info(req)->name, word);
		if (keymaps_bind(k, map, key, req) < 0)
			return ptui_error_nomem(err);
	}
	return 0;
}

struct keymaps *keymaps_new(struct ptui_error *err)
{
	struct keymaps *k = calloc(1, sizeof(*k));

	if (!k) {
		ptui_error_nomem(err);
		return NULL;
	}
	for (int i = REQ_NONE + 1; i < N_REQUESTS; i++) {
		if (bind_defaults(k, (enum request)i, err) < 0) {
			keymaps_free(k);
			return NULL;
		}
	}
	return k;
}

void keymaps_free(struct keymaps *k)
{
	if (!k)
		return;
	for (int i = 0; i < N_KEYMAPS; i++)
		free(k->maps[i].keys);
	free(k);
}

int keymaps_bind(struct keymaps *k, enum keymap map, key_code key, enum request req)
{
	struct binding *keys;
	size_t i, n = k->maps[map].n;

	if (vec_grow(&k->maps[map].keys, &k->maps[map].room, n + 1))
		return -ENOMEM;
	keys = k->maps[map].keys;
	for (i = 0; i < n && keys[i].key != key; i++)
		;
	if (i < n) {
		memmove(keys + i, keys + i + 1, (n - i - 1) * sizeof(*keys));
		n--;
	}
	keys[n++] = (struct binding){ key, req };
	k->maps[map].n = n;
	return 0;
}

enum request keymaps_find(const struct keymaps *k, enum keymap map, key_code key)
{
	for (; map != KEYMAP_NONE; map = keymap_parent(map)) {
		for (size_t i = 0; i < k->maps[map].n; i++) {
			if (k->maps[map].keys[i].key == key)
				return k->maps[map].keys[i].req;
		}
	}
	return REQ_NONE;
}

static int has_key(const key_code *keys, size_t n, key_code key)
{
	size_t i;

	for (i = 0; i < n && keys[i] != key; i++)
		;
	return i < n;
}

size_t keymaps_keys(const struct keymaps *k, enum keymap map, enum request req, key_code *ret_keys,
		    size_t max)
{
	size_t n = 0;

	if (req == REQ_NONE)
		return 0;
	for (enum keymap at = map; at != KEYMAP_NONE; at = keymap_parent(at)) {
		for (size_t i = 0; i < k->maps[at].n && n < max; i++) {
			struct binding b = k->maps[at].keys[i];

			if (b.req == req && keymaps_find(k, map, b.key) == req &&
			    !has_key(ret_keys, n, b.key))
				ret_keys[n++] = b.key;
		}
	}
	return n;
}

int keymaps_letter(const struct keymaps *k, enum keymap map, enum request req)
{
	key_code key;

	return keymaps_keys(k, map, req, &key, 1) && key > ' ' && key < 0x7f ? (int)key : 0;
}

struct key_text keymaps_label(const struct keymaps *k, enum keymap map, enum request req)
{
	struct key_text label = { "" };
	key_code key;

	if (keymaps_keys(k, map, req, &key, 1))
		key_label(key, label.text);
	return label;
}
