/* SPDX-License-Identifier: GPL-2.0-or-later */
/* P: writes the visible functions, as far as open, as text to the next perf.hist.N. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "text/i18n.h"
#include "view/live/live_private.h"
#include "view/print.h"
#include "widget/number.h"

#define INDENT 3

static void put_cells(const struct table *t, FILE *out, struct live_view *v, uint64_t node)
{
	char buf[1024];

	for (size_t k = 0; k < t->n_columns; k++) {
		style_t style = ROLE_TEXT;
		const char *text = node == TREE_TOP ?
					   t->columns[k].title :
					   live_tree_cell(v, node, k, buf, sizeof(buf), &style);

		fputs("  ", out);
		print_fitted(out, text, t->columns[k].width, t->columns[k].align == ALIGN_RIGHT,
			     k + 1 == t->n_columns);
	}
	fputc('\n', out);
}

static void put_deeper(FILE *out, struct live_view *v, uint64_t node)
{
	char buf[1024], head[32] = "";
	style_t style, head_style;
	const char *text = live_tree_label(v, node, buf, sizeof(buf), &style, head, sizeof(head),
					   &head_style);

	fprintf(out, " %s ", head);
	print_text(out, text);
	fputc('\n', out);
}

static void put_rows(FILE *out, struct live_view *v)
{
	for (size_t i = 0; i < v->tree.n_rows; i++) {
		uint64_t node = tree_node(&v->tree, i);
		int depth = tree_depth(&v->tree, i);

		fprintf(out, "%*s%c", depth * INDENT, "",
			!live_hot_opens(v->hot, node) ? ' ' :
			tree_is_open(&v->tree, node)  ? '-' :
							'+');
		if (depth)
			put_deeper(out, v, node);
		else
			put_cells(&v->tree.table, out, v, node);
	}
}

static void put_head(FILE *out, struct live_view *v)
{
	char text[1024] = "", clock[32];

	fprintf(out, "# %s, ", number_clock_ns(clock, sizeof(clock), v->model.stats.elapsed_ns));
	print_text(out, v->target);
	fputs("\n# ", out);
	print_text(out, v->model.lines[v->line].name);
	live_look_text(v, text, sizeof(text));
	if (*text)
		fputs(", ", out);
	print_text(out, text);
	fputs("\n#\n#", out);
	put_cells(&v->tree.table, out, v, TREE_TOP);
	fputs("#\n", out);
}

void live_print(struct live_view *v)
{
	char path[32];
	bool failed;
	FILE *out;

	if (!live_hot_count(v->hot, 0)) {
		stack_say(v->stack, ROLE_NOTE, "%s", _("Nothing to print yet."));
		return;
	}
	out = print_create(path, sizeof(path));
	if (!out) {
		stack_say(v->stack, ROLE_BAD, _("cannot write %s: %s"), path, strerror(errno));
		return;
	}
	put_head(out, v);
	put_rows(out, v);
	failed = ferror(out);
	if (fclose(out) || failed) {
		stack_say(v->stack, ROLE_BAD, _("cannot write %s: %s"), path, strerror(errno));
		unlink(path);
		return;
	}
	stack_say(v->stack, ROLE_GOOD, _("wrote %s"), path);
}
