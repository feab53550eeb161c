/* SPDX-License-Identifier: GPL-2.0-or-later */
/* P: writes the visible rows as text to the next perf.hist.N. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "text/i18n.h"
#include "view/compare/compare_private.h"
#include "view/print.h"

/* The bar is not printed: the number is. */
static bool is_printed(size_t column)
{
	return column != COMPARE_BAR;
}

static void put_row(struct compare_screen *s, FILE *out, size_t i)
{
	const struct table *t = &s->table;
	char buf[1024];

	for (size_t k = 0; k < t->n_columns; k++) {
		style_t style = ROLE_TEXT;

		if (!is_printed(k))
			continue;
		fputs("  ", out);
		print_fitted(out, t->ops->cell(s, i, k, buf, sizeof(buf), &style),
			     t->columns[k].width, t->columns[k].align == ALIGN_RIGHT,
			     k + 1 == t->n_columns);
	}
	fputc('\n', out);
}

static void put_titles(const struct compare_screen *s, FILE *out)
{
	const struct table *t = &s->table;

	fputc('#', out);
	for (size_t k = 0; k < t->n_columns; k++) {
		if (!is_printed(k))
			continue;
		fputs(k ? "  " : " ", out);
		print_fitted(out, t->columns[k].title, t->columns[k].width,
			     t->columns[k].align == ALIGN_RIGHT, k + 1 == t->n_columns);
	}
	fputs("\n#\n", out);
}

static void put_head(struct compare_screen *s, FILE *out)
{
	char text[256];

	for (int i = 0; i < 2; i++) {
		fprintf(out, "# %s: ", i ? _("after") : _("before"));
		print_text(out, compare_name(s, i));
		fprintf(out, ", %s\n", compare_counts(s, i, text, sizeof(text)));
	}
	fputs("# ", out);
	print_text(out, compare_tab_names(s->model)[compare_tab(s->model)]);
	fprintf(out, ", %s, %s\n", compare_order_text(compare_how(s->model)->order),
		_("~ may be due to chance"));
	for (size_t i = 0; i < compare_n_zooms(s->model); i++) {
		fputs(i ? " › " : "# › ", out);
		print_text(out, compare_zoom_name(s->model, i, text, sizeof(text)));
		if (i + 1 == compare_n_zooms(s->model))
			fputc('\n', out);
	}
	fputs("#\n", out);
}

void compare_print(struct compare_screen *s)
{
	char path[32];
	bool failed;
	FILE *out;

	if (!s->rows) {
		stack_say(s->stack, ROLE_NOTE, "%s", _("Nothing to print yet."));
		return;
	}
	out = print_create(path, sizeof(path));
	if (!out) {
		stack_say(s->stack, ROLE_BAD, _("cannot write %s: %s"), path, strerror(errno));
		return;
	}
	put_head(s, out);
	put_titles(s, out);
	for (size_t i = 0; i < compare_rows_n(s->rows); i++)
		put_row(s, out, i);
	failed = ferror(out);
	if (fclose(out) || failed) {
		stack_say(s->stack, ROLE_BAD, _("cannot write %s: %s"), path, strerror(errno));
		unlink(path);
		return;
	}
	stack_say(s->stack, ROLE_GOOD, _("wrote %s"), path);
}
