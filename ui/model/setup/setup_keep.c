/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/setup/setup_keep.h"

#include <errno.h>
#include <string.h>

#include "text/i18n.h"

#define MEMORY_SIZE "64M" /* about a minute of two CPUs with callchains */
#define RING_SIZE   "8M"

/* The option that sets the size. */
static const char *const sizes[N_SETUP_KEEPS] = {
	[SETUP_KEEP_MEMORY] = "memory",
	[SETUP_KEEP_RINGS] = "mmap-pages",
};

static bool says(const struct setup *s, const char *name)
{
	const struct setup_use *u = setup_more_named(&s->more, name);

	return u && !u->off;
}

enum setup_keep setup_keep(const struct setup *s)
{
	if (says(s, "memory"))
		return SETUP_KEEP_MEMORY;
	return says(s, "overwrite") ? SETUP_KEEP_RINGS : SETUP_KEEP_OFF;
}

const char *setup_keep_size(const struct setup *s)
{
	const char *name = sizes[setup_keep(s)];
	const struct setup_use *u = name ? setup_more_named(&s->more, name) : NULL;

	return u ? u->value : NULL;
}

static int add_option(struct setup *s, const char *name, const char *value, struct ptui_error *err)
{
	int ret = setup_more_add(&s->more, ptui_record_option_find(name), value, false);

	if (ret == -E2BIG)
		ptui_error_set(err, PTUI_ERROR_INPUT, E2BIG, name, _("too many options"));
	else if (ret)
		ptui_error_nomem(err);
	return ret;
}

int setup_set_keep(struct setup *s, enum setup_keep keep, struct ptui_error *err)
{
	const struct setup_use *size = setup_more_named(&s->more, "mmap-pages");
	int ret;

	/* the ring size for overwrite mode does not fit other modes */
	if (setup_keep(s) == SETUP_KEEP_RINGS && size && !strcmp(size->value, RING_SIZE))
		setup_more_remove(&s->more, ptui_record_option_find("mmap-pages"));
	setup_more_remove(&s->more, ptui_record_option_find("memory"));
	setup_more_remove(&s->more, ptui_record_option_find("overwrite"));
	if (keep == SETUP_KEEP_MEMORY)
		return add_option(s, "memory", MEMORY_SIZE, err);
	if (keep != SETUP_KEEP_RINGS)
		return 0;
	ret = add_option(s, "overwrite", NULL, err);
	return ret || setup_more_named(&s->more, "mmap-pages") ?
		       ret :
		       add_option(s, "mmap-pages", RING_SIZE, err);
}

int setup_set_keep_size(struct setup *s, const char *text, struct ptui_error *err)
{
	const char *name = sizes[setup_keep(s)];
	struct ptui_record_use use = { .option = name ? ptui_record_option_find(name) : 0,
				       .value = text };
	int ret = name ? ptui_record_use_check(&use, err) : 0;

	if (!name || ret)
		return ret;
	setup_more_remove(&s->more, use.option);
	return add_option(s, name, text, err);
}
