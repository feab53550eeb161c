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

static int add_type(struct ptui_profile *p, size_t i, bool exact, struct profile_texts *texts)
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
	texts->part[i] = strpool_add(&texts->names, t.name);
	texts->whole[i] = strpool_add(&texts->names, text);
	return texts->part[i] == PTUI_NONE || texts->whole[i] == PTUI_NONE ? -ENOMEM : 0;
}

const struct profile_texts *profile_types(struct ptui_profile *p, ptui_progress_fn progress,
					  void *ctx, int *ret_error)
{
	return profile_texts(p, &p->types, _("finding the types of data"), PROGRESS_FRAMES,
			     add_type, progress, ctx, ret_error);
}
