/* SPDX-License-Identifier: GPL-2.0-or-later */
/* P: writes the visible rows as text to the next perf.hist.N. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "text/i18n.h"
#include "view/browser/browser_private.h"
#include "view/print.h"

#define INDENT 3

static void put_titles(FILE *out, const struct ptui_hist *h)
{
	size_t n = ptui_hist_n_columns(h);

	fputs("#", out);
	for (size_t i = 0; i < n; i++) {
		const struct ptui_column *c = ptui_hist_column(h, i);

		fputs("  ", out);
		print_fitted(out, c->title, (int)c->width, c->number, i + 1 == n);
	}
	fputc('\n', out);
}

static void put_row(struct browser_screen *b, FILE *out, uint64_t node)
{
	const struct ptui_hist *h = browser_rows_hist(browser_rows(b->model));
	size_t n = ptui_hist_n_columns(h);
	char cell[1024];

	for (size_t i = 0; i < n; i++) {
		const struct ptui_column *c = ptui_hist_column(h, i);

		fputs("  ", out);
		browser_rows_cell(browser_rows(b->model), node, i, cell, sizeof(cell));
		print_fitted(out, cell, (int)c->width, c->number, i + 1 == n);
	}
}

static void put_deeper(struct browser_screen *b, FILE *out, uint64_t node)
{
	char text[1024], head[32] = "";
	style_t style, head_style;

	browser_tree_ops.label(b, node, text, sizeof(text), &style, head, sizeof(head),
			       &head_style);
	fprintf(out, " %s ", head);
	print_text(out, text);
}

/* The rows of the tree, as far as open. */
static void put_rows(struct browser_screen *b, FILE *out)
{
	struct browser_rows *rows = browser_rows(b->model);

	for (size_t i = 0; i < b->tree.n_rows; i++) {
		uint64_t node = tree_node(&b->tree, i);
		int depth = tree_depth(&b->tree, i);

		fprintf(out, "%*s%c", depth * INDENT, "",
			!browser_rows_opens(rows, node) ? ' ' :
			tree_is_open(&b->tree, node)	? '-' :
							  '+');
		if (depth)
			put_deeper(b, out, node);
		else
			put_row(b, out, node);
		fputc('\n', out);
	}
}

void browser_print(struct browser_screen *b)
{
	char path[32], text[1024];
	bool failed;
	FILE *out;

	if (!browser_rows(b->model)) {
		stack_say(b->stack, ROLE_NOTE, "%s", _("Nothing to print yet."));
		return;
	}
	out = print_create(path, sizeof(path));
	if (!out) {
		stack_say(b->stack, ROLE_BAD, _("cannot write %s: %s"), path, strerror(errno));
		return;
	}
	fputs("# ", out);
	print_text(out, browser_crumbs(b, INT32_MAX, text, sizeof(text)));
	fputs("\n# ", out);
	print_text(out, browser_summary(b, true, text, sizeof(text)));
	fputs("\n#\n", out);
	put_titles(out, browser_rows_hist(browser_rows(b->model)));
	fputs("#\n", out);
	put_rows(b, out);
	failed = ferror(out);
	if (fclose(out) || failed) {
		stack_say(b->stack, ROLE_BAD, _("cannot write %s: %s"), path, strerror(errno));
		unlink(path);
		return;
	}
	stack_say(b->stack, ROLE_GOOD, _("wrote %s"), path);
}
