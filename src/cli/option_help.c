/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A table of options as text for the terminal. */
#include <string.h>
#include "base/i18n.h"
#include "base/text.h"
#include "cli/option.h"
#include "cli/wrap.h"

#define HELP_COLUMN 28

/* Shown as --[no-]NAME? Not if NAME itself begins with "no-". */
bool option_has_no(const struct option *opt)
{
	return (opt->flags & OPTION_NO) && strncmp(opt->name, "no-", 3);
}

/* "    -e, --event EVENT" */
static void add_names(struct buf *line, const struct option *opt)
{
	const char *word = opt->word ? _(opt->word) : "";

	if (opt->letter)
		buf_addf(line, "    -%c%s", opt->letter, opt->name ? ", " : "");
	else
		buf_add_str(line, "        ");
	if (opt->name)
		buf_addf(line, "--%s%s", option_has_no(opt) ? "[no-]" : "", opt->name);
	if (option_takes_value(opt) && opt->flags & OPTION_ATTACHED)
		buf_addf(line, "[=%s]", word);
	else if (option_takes_value(opt))
		buf_addf(line, opt->flags & OPTION_MAY_END ? " [%s]" : " %s", word);
}

void option_help(const struct option *table, struct buf *out)
{
	struct buf line = BUF_INIT;

	for (; table->type != OPTION_END; table++) {
		if (table->flags & OPTION_HIDDEN)
			continue;
		if (table->type == OPTION_GROUP) {
			buf_addf(out, "%s%s\n", out->len ? "\n" : "", _(table->help));
			continue;
		}
		buf_clear(&line);
		add_names(&line, table);
		wrap_beside(out, buf_str(&line), HELP_COLUMN, _(table->help));
		if (line.err)
			out->err = line.err;
	}
	buf_release(&line);
}
