/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options for when and how the recorder runs: --affinity, messages of -D and --control. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "base/text.h"
#include "cli/record/record_options.h"

int record_read_affinity(void *field, const char *value, bool unset, struct ptui_error *err)
{
	static const char *const words[] = {
		[PTUI_AFFINITY_SYS] = "sys",
		[PTUI_AFFINITY_NODE] = "node",
		[PTUI_AFFINITY_CPU] = "cpu",
	};
	enum ptui_record_affinity *affinity = field;

	(void)unset;
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (strcasecmp(value, words[i]))
			continue;
		*affinity = (enum ptui_record_affinity)i;
		return 0;
	}
	return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, value,
			      _("expected sys, node or cpu, not '%s'"), value);
}

/* Escaped: event names may come from the user. */
void record_print_line(void *quiet, const char *text)
{
	const bool *is_quiet = quiet;
	struct buf shown = BUF_INIT;
	size_t n;

	if (*is_quiet)
		return;
	for (;; text += n + 1) {
		char *line;

		n = strcspn(text, "\n");
		line = strndup(text, n);
		if (line)
			text_escape(&shown, line);
		free(line);
		buf_add_char(&shown, '\n');
		if (!text[n])
			break;
	}
	if (!shown.err)
		fputs(buf_str(&shown), stderr);
	buf_release(&shown);
}
