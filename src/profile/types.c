/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The types of the data that sampled instructions access, by frame. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "profile/debug.h"

#define PROGRESS_FRAMES 16

void profile_types_free(struct profile_types *types)
{
	if (!types)
		return;
	strpool_release(&types->names);
	free(types->type);
	free(types->place);
	free(types);
}

static int add_type(struct ptui_profile *p, size_t i, bool exact, struct profile_types *types)
{
	const struct profile_frame *f = &p->frames[i];
	enum profile_access access = exact ? PROFILE_ACCESS_UNKNOWN : PROFILE_ACCESS_STACK;
	struct profile_type t;
	char text[sizeof(t.name) + sizeof(t.members) + 32];

	/* a caller is at a call */
	if (exact && p->debug && p->debug->data_type)
		access = p->debug->data_type(p->debug, f, &t);
	if (access == PROFILE_ACCESS_TYPE) {
		snprintf(text, sizeof(text), "%s +%#" PRIx64 " (%s)", t.name, t.offset,
			 *t.members ? t.members : "no field");
	} else {
		snprintf(t.name, sizeof(t.name), "%s",
			 access == PROFILE_ACCESS_STACK ? "(stack operation)" : "(unknown)");
		snprintf(text, sizeof(text), "%s", t.name);
	}
	types->type[i] = strpool_add(&types->names, t.name);
	types->place[i] = strpool_add(&types->names, text);
	return types->type[i] == PTUI_NONE || types->place[i] == PTUI_NONE ? -ENOMEM : 0;
}

static struct profile_types *types_new(size_t n)
{
	struct profile_types *types = calloc(1, sizeof(*types));

	if (!types)
		return NULL;
	types->type = calloc(n + 1, sizeof(*types->type));
	types->place = calloc(n + 1, sizeof(*types->place));
	if (!types->type || !types->place || strpool_init(&types->names)) {
		free(types->type);
		free(types->place);
		free(types);
		return NULL;
	}
	return types;
}

const struct profile_types *profile_types(struct ptui_profile *p, ptui_progress_fn progress,
					  void *ctx, int *ret_error)
{
	struct profile_types *types = atomic_load_explicit(&p->types, memory_order_acquire),
			     *none = NULL;
	const char *what = _("finding the types of data");
	bool *exact;
	int ret = 0;

	if (types)
		return types;
	exact = profile_find_exact(p);
	types = exact ? types_new(p->n_frames) : NULL;
	if (!types) {
		free(exact);
		*ret_error = -ENOMEM;
		return NULL;
	}
	for (size_t i = 0; i < p->n_frames && !ret; i++) {
		if (progress && i % PROGRESS_FRAMES == 0 && progress(ctx, what, i, p->n_frames))
			ret = -ECANCELED;
		else
			ret = add_type(p, i, exact[i], types);
	}
	free(exact);
	if (ret) {
		profile_types_free(types);
		*ret_error = ret;
		return NULL;
	}
	/* another thread may have been faster */
	if (!atomic_compare_exchange_strong(&p->types, &none, types)) {
		profile_types_free(types);
		types = none;
	}
	return types;
}
