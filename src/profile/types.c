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
#define CACHE_LINE	64 /* bytes, as in perf */

/* False: `ret` has one of perf's words instead of a type. */
static bool find_type(struct ptui_profile *p, size_t i, bool exact, struct profile_type *ret)
{
	static const char *const names[] = { [PROFILE_ACCESS_UNKNOWN] = "(unknown)",
					     [PROFILE_ACCESS_STACK] = "(stack operation)",
					     [PROFILE_ACCESS_CANARY] = "(stack canary)" };
	/* a caller is at a call */
	enum profile_access access = exact ? PROFILE_ACCESS_UNKNOWN : PROFILE_ACCESS_STACK;

	if (exact && p->debug && p->debug->data_type)
		access = p->debug->data_type(p->debug, &p->frames[i], ret);
	if (access == PROFILE_ACCESS_TYPE)
		return true;
	ret->offset = 0;
	snprintf(ret->name, sizeof(ret->name), "%s", names[access]);
	return false;
}

static void print_type(const struct profile_type *t, char *text, size_t size)
{
	snprintf(text, size, "%s +%#" PRIx64 " (%s)", t->name, t->offset,
		 *t->members ? t->members : "no field");
}

bool profile_type_of(struct profile_debug *d, const struct profile_frame *f, char *text,
		     size_t size)
{
	struct profile_type t;

	if (!d->data_type || d->data_type(d, f, &t) != PROFILE_ACCESS_TYPE)
		return false;
	print_type(&t, text, size);
	return true;
}

static int add_type(struct ptui_profile *p, size_t i, bool exact, struct profile_texts *texts)
{
	struct profile_type t;
	bool known = find_type(p, i, exact, &t);
	char text[sizeof(t.name) + sizeof(t.members) + 32];

	texts->part[i] = strpool_add(&texts->names, t.name);
	snprintf(text, sizeof(text), "%s: cache-line %" PRIu64, t.name, t.offset / CACHE_LINE);
	texts->within[i] = strpool_add(&texts->names, text);
	if (known)
		print_type(&t, text, sizeof(text));
	texts->whole[i] = strpool_add(&texts->names, known ? text : t.name);
	return texts->part[i] == PTUI_NONE || texts->whole[i] == PTUI_NONE ||
			       texts->within[i] == PTUI_NONE ?
		       -ENOMEM :
		       0;
}

const struct profile_texts *profile_types(struct ptui_profile *p, ptui_progress_fn progress,
					  void *ctx, int *ret_error)
{
	return profile_texts(p, &p->types, _("finding the types of data"), PROGRESS_FRAMES,
			     add_type, progress, ctx, ret_error);
}
