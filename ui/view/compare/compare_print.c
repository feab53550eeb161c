/* SPDX-License-Identifier: GPL-2.0-or-later */
/* P: writes the visible rows as text to the next perf.hist.N. */
#include "text/i18n.h"
#include "view/compare/compare_private.h"
#include "view/print.h"

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

/* The bar is not printed: the number is. */
static void put(void *ctx, FILE *out)
{
	struct compare_screen *s = ctx;

	put_head(s, out);
	print_titles(out, &s->table, COMPARE_BAR);
	for (size_t i = 0; i < compare_rows_n(s->rows); i++)
		print_row(out, &s->table, i, COMPARE_BAR);
}

void compare_print(struct compare_screen *s)
{
	if (s->rows)
		print_file(s->stack, put, s);
	else
		stack_say(s->stack, ROLE_NOTE, "%s", _("Nothing to print yet."));
}
