/* SPDX-License-Identifier: GPL-2.0-or-later */
/* P: writes the visible rows as text to the next perf.hist.N. */
#include "text/i18n.h"
#include "view/browser/browser_private.h"
#include "view/print.h"

/* Without regard to the width of the screen. */
static const char *whole_cell(void *ctx, uint64_t node, size_t column, char *buf, size_t size,
			      style_t *style)
{
	struct browser_screen *b = ctx;

	(void)style;
	browser_rows_cell(browser_rows(b->model), node, column, buf, size);
	return buf;
}

static void put(void *ctx, FILE *out)
{
	struct browser_screen *b = ctx;
	char text[1024];

	fputs("# ", out);
	print_text(out, browser_crumbs(b, INT32_MAX, text, sizeof(text)));
	fputs("\n# ", out);
	print_text(out, browser_summary(b, true, text, sizeof(text)));
	fputs("\n#\n", out);
	print_tree(out, &b->tree, whole_cell);
}

void browser_print(struct browser_screen *b)
{
	if (browser_rows(b->model))
		print_file(b->stack, put, b);
	else
		stack_say(b->stack, ROLE_NOTE, "%s", _("Nothing to print yet."));
}
