/* SPDX-License-Identifier: GPL-2.0-or-later */
/* P: writes the visible functions, as far as open, as text to the next perf.hist.N. */
#include "text/i18n.h"
#include "view/live/live_private.h"
#include "view/print.h"
#include "widget/number.h"

static void put(void *ctx, FILE *out)
{
	struct live_view *v = ctx;
	char text[1024] = "", clock[32];

	fprintf(out, "# %s, ", number_clock_ns(clock, sizeof(clock), v->model.stats.elapsed_ns));
	print_text(out, v->target);
	fputs("\n# ", out);
	print_text(out, v->model.lines[v->line].name);
	live_look_text(v, text, sizeof(text));
	if (*text)
		fputs(", ", out);
	print_text(out, text);
	fputs("\n#\n", out);
	print_tree(out, &v->tree, NULL);
}

void live_print(struct live_view *v)
{
	if (live_hot_count(v->hot, 0))
		print_file(v->stack, put, v);
	else
		stack_say(v->stack, ROLE_NOTE, "%s", _("Nothing to print yet."));
}
