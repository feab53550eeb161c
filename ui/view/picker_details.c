/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All of the entry under the cursor: the columns cut it. */
#include "text/i18n.h"
#include "view/picker_private.h"

/*
 * Each part draws what it has to say of an entry from row `y` on, in the whole width, and returns
 * the rows that it took; 0: it has nothing to say.
 */
typedef int (*part_fn)(const struct picker_screen *v, const struct picker_entry *e,
		       const struct canvas *c, int y);

static int draw_name(const struct picker_screen *v, const struct picker_entry *e,
		     const struct canvas *c, int y)
{
	const struct picker_group *g = &v->picker.groups[e->group];
	int x = 1 + canvas_text(c, y, 1, ROLE_TEXT | STYLE_BOLD, e->name);

	if (e->alias)
		x += canvas_printf(c, y, x, ROLE_TEXT, " = %s", e->alias);
	canvas_printf(c, y, x + 2, ROLE_DIM, "%s", g->heading);
	return 1;
}

static int draw_desc(const struct picker_screen *v, const struct picker_entry *e,
		     const struct canvas *c, int y)
{
	(void)v;
	canvas_text(c, y, 1, e->desc ? ROLE_TEXT : ROLE_DIM,
		    e->desc ? e->desc : _("the kernel describes it by its name alone"));
	return 1;
}

/* In the order in which they stand; what matters most first, since the end may have no room. */
static const part_fn parts[] = {
	draw_name,
	draw_desc,
};

void picker_details_draw(const struct picker_screen *v, const struct canvas *c)
{
	const struct picker_entry *e = picker_entry(&v->picker, v->table.cursor);
	size_t i;
	int y = 0;

	for (i = 0; e && i < sizeof(parts) / sizeof(parts[0]) && y < c->at.h; i++)
		y += parts[i](v, e, c, y);
}
