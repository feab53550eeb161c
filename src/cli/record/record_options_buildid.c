/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where build-ids go. perf's options are negative: without them it writes a table into the header
 * and fills its cache. By default ptui leaves build-ids to the kernel, which puts them into MMAP2
 * records; any of these options selects perf's way.
 */
#include <errno.h>
#include <string.h>
#include "base/i18n.h"
#include "cli/record/record_options.h"

int record_buildid_setting(void *field, const char *value, bool unset, struct ptui_error *err)
{
	static const struct {
		const char *word;
		enum ptui_record_buildid means;
	} words[] = {
		{ "cache", PTUI_BUILDID_CACHE },
		{ "no-cache", PTUI_BUILDID_TABLE },
		{ "skip", PTUI_BUILDID_NONE },
		{ "mmap", PTUI_BUILDID_MMAP },
	};

	(void)unset;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(words[i].word, value))
			continue;
		*(enum ptui_record_buildid *)field = words[i].means;
		return 0;
	}
	return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, value,
			      _("expected one of %s, not '%s'"), "cache, no-cache, skip, mmap",
			      value);
}

void record_settle_buildids(struct record_buildids *b, struct ptui_record_opts *opts)
{
	bool asked = b->all == PTUI_SAID_YES || b->no_cache || b->none == PTUI_SAID_NO ||
		     b->mmap == PTUI_SAID_NO;

	opts->buildid_all = b->all == PTUI_SAID_YES;
	if (b->mmap == PTUI_SAID_YES)
		opts->buildid = PTUI_BUILDID_MMAP;
	else if (b->none == PTUI_SAID_YES)
		opts->buildid = PTUI_BUILDID_NONE;
	else if (b->no_cache == PTUI_SAID_YES)
		opts->buildid = PTUI_BUILDID_TABLE;
	else if (!asked)
		opts->buildid = b->usual;
	else /* the config's cache setting applies to a table requested here */
		opts->buildid = b->usual == PTUI_BUILDID_TABLE && b->no_cache != PTUI_SAID_NO ?
					PTUI_BUILDID_TABLE :
					PTUI_BUILDID_CACHE;
}
