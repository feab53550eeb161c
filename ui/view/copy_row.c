/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/copy_row.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/i18n.h"

unsigned copy_or_say(struct stack *s, const char *text, const char *failed)
{
	if (!text || stack_copy(s, text))
		return stack_say(s, ROLE_BAD, "%s", failed);
	return stack_say(s, ROLE_GOOD, "%s",
			 _("copied to the clipboard, if the terminal supports it"));
}

unsigned copy_text(struct stack *s, const char *text)
{
	text += strspn(text, " ");
	return *text ? copy_or_say(s, text, _("the row cannot be copied")) : WISH_NONE;
}

unsigned copy_row(struct stack *s, const struct table *t)
{
	char text[4096];

	return copy_text(s, table_cursor_text(t, text, sizeof(text)));
}

/* Each command line quoted on its own. NULL: out of memory. */
static char *join(const struct words *w)
{
	size_t end = 0;
	char *first, *second, *both;

	while (end < w->n && strcmp(w->v[end], ";") != 0)
		end++;
	first = words_join_part(w, 0, end);
	if (end >= w->n)
		return first;
	second = words_join_part(w, end + 1, w->n - end - 1);
	if (!first || !second || asprintf(&both, "%s; %s", first, second) < 0)
		both = NULL;
	free(first);
	free(second);
	return both;
}

unsigned copy_command(struct stack *s, struct words *words)
{
	char *line = words->failed ? NULL : join(words);

	words_release(words);
	if (!line)
		return stack_no_memory(s);
	if (stack_copy(s, line))
		stack_say(s, ROLE_BAD, "%s", _("the command line cannot be copied"));
	else
		stack_say(s, ROLE_GOOD, _("copied: %s"), line);
	free(line);
	return WISH_REDRAW;
}
