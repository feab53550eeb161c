/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/picker/picker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/i18n.h"
#include "text/utf8.h"
#include "view/picker/picker_private.h"
#include "widget/popup.h"
#include "widget/prompt.h"

void picker_update(struct picker_screen *v)
{
	table_recalc(&v->table);
	picker_description_update(v);
	picker_try_next(v);
	picker_preview_update(v);
}

static void recalc(void *self)
{
	picker_update(self);
}

/* ---- search ---- */

static unsigned show_matching(void *ctx, const char *text)
{
	struct picker_screen *v = ctx;

	return picker_result(picker_search(&v->picker, text));
}

/* Not a heading: for Space and Enter. */
static bool is_entry(void *ctx, size_t row)
{
	struct picker_screen *v = ctx;

	return picker_entry(&v->picker, row);
}

/* Shows all rows again; the cursor stays on its entry. */
static unsigned end_search(struct picker_screen *v)
{
	size_t entry = picker_entry_index(&v->picker, v->table.cursor);
	unsigned wishes = filter_show(&v->filter, "");

	return wishes | picker_result(entry != SIZE_MAX && picker_reveal(&v->picker, entry));
}

static unsigned show_marked(struct picker_screen *v)
{
	struct picker *p = &v->picker;
	size_t entry = picker_entry_index(p, v->table.cursor);

	filter_show(&v->filter, ""); /* all rows */
	p->marked_only = !p->marked_only;
	return picker_result(picker_rebuild(p) ||
			     (!p->marked_only && entry != SIZE_MAX && picker_reveal(p, entry)));
}

/* ---- headings ---- */

/* True if a visible name is wider than its column, so that Right shows more of it. */
static bool names_are_cut(const struct table *t)
{
	int widths[TABLE_COLUMNS_MAX];
	char buf[1024];
	style_t style;

	table_layout(t, t->width, widths);
	for (size_t row = t->top; row < t->n_rows && row < t->top + (size_t)t->page; row++)
		if (utf8_width(t->ops->cell(t->ctx, row, 0, buf, sizeof(buf), &style)) >
		    widths[0] + t->skip)
			return true;
	return false;
}

/* As in a tree: Right opens a heading or enters it, Left closes it, also from its entries. */
static unsigned open_or_close(struct picker_screen *v, bool open)
{
	const struct picker *p = &v->picker;
	size_t row = v->table.cursor;
	bool is_entry = picker_entry(p, row);

	if (open && is_entry && !names_are_cut(&v->table))
		return WISH_NONE;
	if (*p->search || p->marked_only || row >= p->n_rows || (open && is_entry))
		return table_request(&v->table, open ? REQ_RIGHT : REQ_LEFT);
	if (open && picker_is_open(p, row))
		return table_request(&v->table, REQ_DOWN);
	if (!open && v->table.skip)
		return table_request(&v->table, REQ_LEFT);
	if (!open && (is_entry || !picker_is_open(p, row)))
		row = picker_heading(p, row);
	if (picker_set_open(&v->picker, row, open))
		return WISH_NO_MEM;
	table_recalc(&v->table);
	table_move_to(&v->table, row);
	return WISH_RECALC;
}

/* ---- marks ---- */

static unsigned toggle(struct picker_screen *v, bool and_down)
{
	bool was_entry = picker_entry(&v->picker, v->table.cursor);

	if (picker_toggle(&v->picker, v->table.cursor))
		return picker_result(-1);
	table_recalc(&v->table);
	if (was_entry && and_down && !v->picker.marked_only)
		table_request(&v->table, REQ_DOWN);
	return WISH_RECALC;
}

static unsigned return_marks(struct picker_screen *v)
{
	struct words events = WORDS_INIT, filters = WORDS_INIT;
	unsigned wishes;

	wishes = picker_marked(&v->picker, &events, &filters) ? WISH_NO_MEM : WISH_POP;
	if (wishes == WISH_POP)
		v->opts.done(v->opts.ctx, &events, &filters);
	words_release(&events);
	words_release(&filters);
	return wishes;
}

/* Enter takes the marks; if the user changed none, the cursor row in addition. */
static unsigned accept_marks(struct picker_screen *v)
{
	const struct picker_entry *e = picker_entry(&v->picker, v->table.cursor);

	if (!e && !v->picker.marked_only)
		return toggle(v, false);
	if (e && !e->marked && (!v->picker.touched || !v->picker.marks.n))
		picker_toggle(&v->picker, v->table.cursor);
	return return_marks(v);
}

/* ---- requests ---- */

/* True if events, modifiers, groups or filters differ from the initial ones. */
static bool is_changed(const struct picker_screen *v)
{
	struct words marks = WORDS_INIT;
	bool changed = picker_marked(&v->picker, &marks, &marks) || marks.n != v->before.n;

	for (size_t i = 0; i < marks.n && !changed; i++)
		changed = strcmp(marks.v[i], v->before.v[i]) != 0;
	words_release(&marks);
	return changed;
}

static unsigned leave_answered(void *ctx, int index)
{
	if (index == 0)
		return return_marks(ctx);
	return index == 1 ? WISH_POP : WISH_REDRAW;
}

/* Asks before changed marks are lost. The same key twice leaves. */
static unsigned leave_picker(struct picker_screen *v)
{
	const struct menu_item items[] = {
		{ .text = _("take what is marked now"), .current = true },
		{ .text = _("leave; the events stay as they were"), .key = 'q' },
		{ .text = _("go on choosing"), .key = 'g' },
	};

	if (!is_changed(v))
		return WISH_PASS;
	return popup_menu(v->stack, _("The marks were changed"), items, 3, leave_answered, v);
}

static unsigned back(struct picker_screen *v)
{
	if (*v->picker.search)
		return end_search(v);
	return v->picker.marked_only ? show_marked(v) : leave_picker(v);
}

static unsigned answer(struct picker_screen *v, enum request req)
{
	switch (req) {
	case REQ_MARK:
		return toggle(v, true);
	case REQ_TAKE:
		return accept_marks(v);
	case REQ_CLOSE_HEADING:
		return open_or_close(v, false);
	case REQ_OPEN_HEADING:
		return open_or_close(v, true);
	case REQ_TYPE_EVENT:
		return picker_ask_type(v);
	case REQ_GROUP_EVENTS:
		return picker_group_events(v);
	case REQ_MODIFIERS:
		return picker_ask(v, PICKER_MODIFIERS);
	case REQ_EVENT_RATE:
		return picker_ask(v, PICKER_RATE);
	case REQ_EVENT_FILTER:
		return picker_ask(v, PICKER_FILTER);
	case REQ_AVAILABLE_ONLY:
		v->picker.available_only = !v->picker.available_only;
		return picker_result(picker_rebuild(&v->picker));
	case REQ_MARKED_ONLY:
		return show_marked(v);
	case REQ_DETAILS:
		return picker_details_open(v);
	case REQ_PREVIEW:
		return picker_preview_toggle(v);
	case REQ_TAKE_GROUPS:
		return picker_preview_take_groups(v);
	case REQ_BACK:
		return back(v);
	default:
		return filter_request(&v->filter, req);
	}
}

/* The cursor may have moved. */
static unsigned request(void *self, enum request req)
{
	struct picker_screen *v = self;
	unsigned wishes;

	v->table.moved = true;
	wishes = answer(v, req);
	if (!(wishes & (WISH_POP | WISH_PASS)))
		picker_update(v);
	return wishes;
}

static unsigned mouse(void *self, const struct term_event *e)
{
	struct picker_screen *v = self;
	unsigned wishes = table_mouse(&v->table, e);

	/* A click on the cursor row marks it, or opens the heading. */
	if (wishes & WISH_OPEN)
		wishes = toggle(v, false);
	picker_update(v);
	return wishes;
}

static void close_screen(void *self)
{
	struct picker_screen *v = self;

	loop_remove(stack_loop(v->stack), v->settle);
	picker_preview_stop(v);
	worker_abandon(&v->trier);
	picker_description_release(v);
	picker_release(&v->picker);
	words_release(&v->before);
	ptui_catalog_free(v->catalog);
	free(v);
}

static const enum request hints[] = {
	REQ_MARK,      REQ_TAKE,	 REQ_SEARCH,  REQ_GROUP_EVENTS,
	REQ_MODIFIERS, REQ_EVENT_FILTER, REQ_PREVIEW, REQ_AVAILABLE_ONLY,
	REQ_HELP,      REQ_BACK,	 REQ_NONE
};

static const struct screen_ops screen = {
	.title = N_("Events"),
	.keymap = KEYMAP_PICKER,
	.hints = hints,
	.recalc = recalc,
	.head = picker_head,
	.draw = picker_draw,
	.request = request,
	.mouse = mouse,
	.close = close_screen,
};

static int pass_by(void *ctx, const struct ptui_catalog_entry *entry)
{
	(void)ctx;
	(void)entry;
	return 0;
}

/* Runs in a thread. */
static void read_once(void *catalog)
{
	ptui_catalog_each(catalog, pass_by, NULL, NULL);
	ptui_catalog_free(catalog);
}

void picker_prepare(void)
{
	struct ptui_catalog *c = ptui_catalog_new();

	if (c)
		worker_put_away(read_once, c);
}

static size_t first_marked(const struct picker_screen *v)
{
	for (size_t row = 0; row < v->picker.n_rows; row++) {
		const struct picker_entry *e = picker_entry(&v->picker, row);

		if (e && e->marked)
			return row;
	}
	return 0;
}

void picker_go_to_start(struct picker_screen *v)
{
	table_recalc(&v->table);
	table_move_to(&v->table, picker_entry(&v->picker, 1) ? 1 : 0);
	v->table.top = 0; /* show the heading if there is room */
	v->table.moved = false;
}

int picker_open(struct stack *s, const struct picker_opts *opts, struct ptui_error *err)
{
	struct picker_screen *v = calloc(1, sizeof(*v));

	if (!v)
		return ptui_error_nomem(err);
	v->stack = s;
	v->opts = *opts;
	v->checking = true;
	v->filter = (struct filter){ .stack = s,
				     .table = &v->table,
				     .show = show_matching,
				     .is_entry = is_entry,
				     .ctx = v };
	picker_init(&v->picker);
	v->catalog = ptui_catalog_new();
	if (!v->catalog || picker_load(&v->picker, v->catalog) ||
	    picker_mark_all(&v->picker, v->catalog, opts->events, opts->filters) ||
	    picker_marked(&v->picker, &v->before, &v->before)) {
		close_screen(v);
		return ptui_error_nomem(err);
	}
	/* without err only the preview is missing; refusals are reported later */
	if (opts->preview)
		picker_preview_start(v, NULL);
	picker_draw_init(v);
	picker_go_to_start(v);
	if (opts->at_marked && v->picker.marks.n)
		table_move_to(&v->table, first_marked(v));
	v->table.top = 0;
	return stack_push(s, &screen, v) ? ptui_error_nomem(err) : 0;
}
