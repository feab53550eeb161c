/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stddef.h>
#include <string.h>

#include "input/request.h"
#include "text/i18n.h"

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
