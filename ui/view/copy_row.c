/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/copy_row.h"

#include <string.h>

#include "text/i18n.h"

unsigned copy_row(struct stack *s, const struct tree *t)
{
	char text[4096];
	const char *from = tree_cursor_text(t, text, sizeof(text));

	from += strspn(from, " ");
	if (!*from)
		return WISH_NONE;
	if (stack_copy(s, from))
		stack_say(s, ROLE_BAD, "%s", _("the row cannot be copied"));
	else
		stack_say(s, ROLE_GOOD, "%s",
			  _("copied to the clipboard, if the terminal supports it"));
	return WISH_REDRAW;
}
