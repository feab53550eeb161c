/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/picker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/setup.h"
#include "model/setup_complete.h"
#include "text/i18n.h"
#include "view/picker_private.h"
#include "view/setup_ask.h"
#include "widget/prompt.h"

/* ---- what the person asks for ---- */

static unsigned search(struct picker_screen *v, const char *text)
{
	char copy[sizeof(v->picker.search)];

	snprintf(copy, sizeof(copy), "%s", text);
	if (picker_search(&v->picker, copy))
		stack_say(v->stack, ROLE_BAD, "%s", _("out of memory"));
	snprintf(v->table.search, sizeof(v->table.search), "%s", copy);
	return WISH_RECALC;
}

static unsigned search_changed(void *ctx, const char *line)
{
	struct picker_screen *v = ctx;
	unsigned wishes = search(v, line);
	size_t row;

	/* The first that fits, not its heading: Space and Enter are meant for it. */
	table_recalc(&v->table);
	for (row = 0; *line && row < v->picker.n_rows; row++) {
		if (picker_entry(&v->picker, row)) {
			table_move_to(&v->table, row);
			break;
		}
	}
	return wishes;
}

static unsigned search_done(void *ctx, const char *line)
{
	struct picker_screen *v = ctx;

	return line ? WISH_RECALC : search(v, v->search_before);
}

static unsigned ask_search(struct picker_screen *v)
{
	const struct prompt_opts opts = { .label = "/ ", .line = v->picker.search,
					  .changed = search_changed, .done = search_done,
					  .ctx = v };

	memcpy(v->search_before, v->picker.search, sizeof(v->search_before));
	prompt_ask(v->stack, &opts);
	return WISH_REDRAW;
}

static int take_typed(void *ctx, const char *line, struct ptui_error *err)
{
	struct picker_screen *v = ctx;
	int ret = *line ? setup_check_event(line, err) : 0;

	if (ret || !*line)
		return ret;
	v->picker.touched = true;
	return words_add(&v->picker.typed, line) ? ptui_error_nomem(err) : 0;
}

static unsigned typed(void *ctx)
{
	(void)ctx;
	return WISH_RECALC;
}

static int ways(void *ctx, const char *line, size_t at, size_t *begin, struct words *ret)
{
	struct picker_screen *v = ctx;

	return complete_event(v->catalog, line, at, begin, ret);
}

static unsigned ask_type(struct picker_screen *v)
{
	const struct setup_question q = { .label = _("event: "),
					  .note = _("as ptui record -e takes it; Tab completes"),
					  .ways = ways, .take = take_typed, .taken = typed,
					  .ctx = v };

	return setup_ask(v->stack, &q);
}

static unsigned toggle(struct picker_screen *v, bool and_down)
{
	const struct picker_entry *e = picker_entry(&v->picker, v->table.cursor);

	if (picker_toggle(&v->picker, v->table.cursor))
		stack_say(v->stack, ROLE_BAD, "%s", _("out of memory"));
	if (e && and_down)
		table_request(&v->table, REQ_DOWN);
	return WISH_RECALC;
}

/*
 * Enter takes what is marked. Who marked nothing by hand means the row he is on, beside what was
 * there before.
 */
static unsigned take(struct picker_screen *v)
{
	const struct picker_entry *e = picker_entry(&v->picker, v->table.cursor);
	struct words events = WORDS_INIT;
	unsigned wishes = WISH_NONE;

	if (!e)
		return toggle(v, false);
	if (!e->mark && (!v->picker.touched || !picker_n_marked(&v->picker)))
		picker_toggle(&v->picker, v->table.cursor);
	if (picker_marked(&v->picker, &events)) {
		stack_say(v->stack, ROLE_BAD, "%s", _("out of memory"));
	} else {
		v->done(v->ctx, &events);
		wishes = WISH_POP;
	}
	words_release(&events);
	return wishes;
}

/* As in a tree: Right opens a heading or goes into it, Left closes it, from its entries too. */
static unsigned open_or_close(struct picker_screen *v, bool open)
{
	size_t row = v->table.cursor;

	if (*v->picker.search || row >= v->picker.n_rows || (open && picker_entry(&v->picker, row)))
		return table_request(&v->table, open ? REQ_RIGHT : REQ_LEFT);
	if (open && picker_is_open(&v->picker, row))
		return table_request(&v->table, REQ_DOWN);
	if (!open && v->table.skip)
		return table_request(&v->table, REQ_LEFT);
	row = picker_heading(&v->picker, row);
	if (picker_set_open(&v->picker, row, open))
		stack_say(v->stack, ROLE_BAD, "%s", _("out of memory"));
	table_recalc(&v->table);
	table_move_to(&v->table, row);
	return WISH_RECALC;
}

static void recalc(void *self)
{
	struct picker_screen *v = self;

	table_recalc(&v->table);
}

static unsigned request(void *self, enum request req)
{
	struct picker_screen *v = self;

	switch (req) {
	case REQ_MARK:
		return toggle(v, true);
	case REQ_TAKE:
		return take(v);
	case REQ_CLOSE_HEADING:
		return open_or_close(v, false);
	case REQ_OPEN_HEADING:
		return open_or_close(v, true);
	case REQ_SEARCH:
		return ask_search(v);
	case REQ_SEARCH_NEXT:
	case REQ_SEARCH_PREV:
		return *v->picker.search ? table_request(&v->table, req) : ask_search(v);
	case REQ_TYPE_EVENT:
		return ask_type(v);
	case REQ_BACK:
		return *v->picker.search ? search(v, "") : WISH_PASS;
	default:
		return table_request(&v->table, req);
	}
}

static unsigned mouse(void *self, const struct term_event *e)
{
	struct picker_screen *v = self;
	unsigned wishes = table_mouse(&v->table, e);

	/* A click on the row where the cursor is marks it, or opens the heading. */
	return wishes & WISH_OPEN ? toggle(v, false) : wishes;
}

static void close_screen(void *self)
{
	struct picker_screen *v = self;

	picker_release(&v->picker);
	ptui_catalog_free(v->catalog);
	free(v);
}

static const enum request hints[] = { REQ_MARK, REQ_TAKE, REQ_SEARCH, REQ_TYPE_EVENT, REQ_HELP,
				      REQ_BACK, REQ_NONE };

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

int picker_open(struct stack *s, const struct picker_opts *opts, struct ptui_error *err)
{
	struct picker_screen *v = calloc(1, sizeof(*v));

	if (!v)
		return ptui_error_nomem(err);
	v->stack = s;
	v->done = opts->done;
	v->ctx = opts->ctx;
	picker_init(&v->picker);
	v->catalog = ptui_catalog_new();
	if (!v->catalog || picker_load(&v->picker, v->catalog) ||
	    picker_mark_all(&v->picker, opts->events)) {
		close_screen(v);
		return ptui_error_nomem(err);
	}
	picker_draw_init(v);
	table_recalc(&v->table);
	return stack_push(s, &screen, v) ? ptui_error_nomem(err) : 0;
}
