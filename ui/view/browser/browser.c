/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ptui/live.h"
#include "text/i18n.h"
#include "view/browser/browser_private.h"
#include "view/copy_row.h"
#include "widget/line.h"

static void screen_recalc(void *self)
{
	struct browser_screen *b = self;

	b->rows = browser_rows(b->model);
	b->columns_w = 0;
	if (browser_n_tabs(b->model))
		b->n_facts = trust_facts(browser_profile(b->model),
					 browser_tab_event(b->model, browser_tab(b->model)),
					 b->rows ? browser_rows_hist(b->rows) : NULL, b->facts);
	if (tree_recalc(&b->tree))
		stack_no_memory(b->stack);
}

/* ---- changes of the view ---- */

static unsigned zoom(struct browser_screen *b, enum browser_zoom kind)
{
	struct ptui_error err = PTUI_ERROR_INIT;

	if (browser_zoom(b->model, kind, tree_cursor(&b->tree), &err)) {
		browser_say_error(b, &err);
		return WISH_REDRAW;
	}
	return browser_changed(b);
}

static unsigned unzoom(struct browser_screen *b)
{
	return browser_unzoom(b->model) ? browser_changed(b) : WISH_PASS;
}

static bool has_chains(const struct browser_screen *b)
{
	size_t n = browser_n_tabs(b->model);
	const struct ptui_event_info *e =
		n ? ptui_profile_event(browser_profile(b->model),
				       browser_tab_event(b->model, browser_tab(b->model))) :
		    NULL;

	return e && e->has_callchains && !browser_opts(b->model)->hist.no_chains;
}

/* Callchain keys need recorded and visible callchains; tab keys need several events. */
bool browser_can(void *self, enum request req)
{
	struct browser_screen *b = self;

	switch (req) {
	case REQ_NEXT_EVENT:
	case REQ_PREV_EVENT:
		return browser_n_tabs(b->model) > 1;
	case REQ_OPEN:
	case REQ_TOGGLE:
	case REQ_EXPAND_ENTRY:
	case REQ_COLLAPSE_ENTRY:
	case REQ_EXPAND_ALL:
	case REQ_COLLAPSE_ALL:
	case REQ_CHILDREN:
	case REQ_CHAIN_ORDER:
	case REQ_MODULES:
	case REQ_INLINES:
		return has_chains(b);
	case REQ_PERCENTAGE:
		return browser_n_zooms(b->model) || browser_opts(b->model)->hist.relative;
	case REQ_HEADER_INFO:
		return !browser_opts(b->model)->no_file;
	case REQ_RECORD_AGAIN:
		return browser_opts(b->model)->record_again;
	case REQ_SAVE_SAMPLES:
		return b->unsaved;
	default:
		return true;
	}
}

/* Changes that require counting. */
static unsigned view_request(struct browser_screen *b, enum request req)
{
	switch (req) {
	case REQ_NEXT_EVENT:
	case REQ_PREV_EVENT:
		browser_move_tab(b->model, req == REQ_NEXT_EVENT ? 1 : -1);
		return browser_changed(b);
	case REQ_CHILDREN:
		browser_toggle_children(b->model);
		return browser_changed(b);
	case REQ_CHAIN_ORDER:
		browser_toggle_order(b->model);
		return browser_changed(b);
	case REQ_INLINES:
		browser_toggle_inlines(b->model);
		return browser_changed(b);
	case REQ_ZOOM_THREAD:
		return zoom(b, BROWSER_ZOOM_THREAD);
	case REQ_ZOOM_DSO:
		return zoom(b, BROWSER_ZOOM_DSO);
	case REQ_ZOOM_KERNEL:
		return zoom(b, BROWSER_ZOOM_KERNEL);
	case REQ_PERCENTAGE:
		if (!browser_can(b, req)) {
			stack_say(
				b->stack, ROLE_NOTE, "%s",
				_("Percentages are already relative to the total: zoom in first."));
			return WISH_REDRAW;
		}
		browser_toggle_relative(b->model);
		return browser_changed(b);
	default:
		return WISH_PASS;
	}
}

unsigned browser_record_again(struct browser_screen *b)
{
	const struct browser_opts *o = browser_opts(b->model);
	const char *path = o->no_file || o->from_setup ? NULL : b->name;

	return o->record_again ?
		       o->record_again(o->ctx, path, trust_wants_unwinding(b->facts, b->n_facts)) :
		       WISH_PASS;
}

unsigned browser_request(void *self, enum request req)
{
	struct browser_screen *b = self;
	unsigned wishes = view_request(b, req);

	if (wishes & WISH_PASS)
		wishes = find_request(&b->find, req);
	if (!(wishes & WISH_PASS))
		return wishes;
	if (browser_ask(b, req))
		return WISH_REDRAW;
	switch (req) {
	case REQ_HEADER:
		b->tree.table.header = !b->tree.table.header;
		return WISH_REDRAW;
	case REQ_MODULES:
		b->modules = !b->modules;
		return WISH_REDRAW;
	case REQ_PATHS:
		b->paths = !b->paths;
		b->columns_w = 0;
		return WISH_REDRAW;
	case REQ_FULL_NAMES:
		b->full_names = !b->full_names;
		stack_say(b->stack, ROLE_NOTE, "%s",
			  b->full_names ? _("Function names are shown in full.") :
					  _("Long function names are shown without their middle."));
		return WISH_REDRAW;
	case REQ_COPY_ROW:
		return copy_row(b->stack, &b->tree);
	case REQ_BACK:
		wishes = browser_stop(b);
		wishes = wishes & WISH_PASS ? unzoom(b) : wishes;
		return wishes & (WISH_PASS | WISH_POP) && browser_is_unsaved(b) ?
			       browser_ask_to_leave(b) :
			       wishes;
	case REQ_LEAVE:
		return browser_is_unsaved(b) ? browser_ask_to_leave(b) : WISH_POP;
	case REQ_SAVE_SAMPLES:
		return browser_ask_to_save(b);
	case REQ_RECORD_AGAIN:
		return browser_record_again(b);
	case REQ_LEFT_OR_BACK: /* as in perf */
		if (!b->tree.table.skip && browser_n_zooms(b->model))
			return unzoom(b);
		return tree_request(&b->tree, REQ_LEFT);
	default:
		break;
	}
	if (browser_opens_later(b, req))
		return WISH_REDRAW;
	wishes = tree_request(&b->tree, req);
	/* rows that do not open have a menu, as in perf */
	if (wishes & (WISH_PASS | WISH_POP) && req == REQ_OPEN)
		return browser_ask(b, REQ_MENU) ? WISH_REDRAW : WISH_NONE;
	return wishes;
}

static unsigned screen_mouse(void *self, const struct term_event *e)
{
	struct browser_screen *b = self;
	struct term_event in = *e;

	if (!box_has(&b->boxes[BOX_BODY], e->y))
		return WISH_PASS;
	in.y -= b->boxes[BOX_BODY].y;
	return tree_mouse(&b->tree, &in);
}

/* A click on a tab. */
static unsigned screen_head_mouse(void *self, const struct term_event *e)
{
	struct browser_screen *b = self;
	size_t n = browser_n_tabs(b->model);
	int tab;

	if (e->mouse != MOUSE_PRESS || e->button != 1 || n < 2)
		return WISH_PASS;
	tab = line_tab_at(browser_tab_names(b->model), n, browser_tab(b->model), b->tabs_w,
			  e->x - b->tabs_x);
	if (tab < 0 || (size_t)tab == browser_tab(b->model))
		return WISH_PASS;
	browser_set_tab(b->model, (size_t)tab);
	return browser_changed(b);
}

/* ---- the screen ---- */

static unsigned screen_opened(void *self, struct stack *s)
{
	struct browser_screen *b = self;

	(void)s;
	return browser_changed(b);
}

/* Waits until the samples are saved. */
static bool screen_finish(void *self, int signal)
{
	struct browser_screen *b = self;

	(void)signal;
	return !sample_saver_is_busy(&b->saver);
}

static void screen_close(void *self)
{
	struct browser_screen *b = self;

	browser_leave(b);
	browser_files_forget(b);
	sample_saver_release(&b->saver, b->unsaved);
	find_release(&b->find);
	sort_ask_release(&b->sort);
	history_release(&b->filtered);
	history_release(&b->opened);
	tree_release(&b->tree);
	free(b->name);
	free(b);
}

static const enum request screen_hints[] = {
	REQ_OPEN,	  REQ_EXPAND_ENTRY, REQ_SEARCH, REQ_MENU,     REQ_ZOOM_DSO,
	REQ_ZOOM_THREAD,  REQ_FILTER,	    REQ_SORT,	REQ_CHILDREN, REQ_TRUST,
	REQ_RECORD_AGAIN, REQ_HELP,	    REQ_BACK,	REQ_NONE,
};

static const struct screen_ops screen_ops = {
	.title = N_("Browser"),
	.keymap = KEYMAP_BROWSER,
	.hints = screen_hints,
	.open = screen_opened,
	.recalc = screen_recalc,
	.head = browser_head,
	.draw = browser_draw,
	.request = browser_request,
	.can = browser_can,
	.mouse = screen_mouse,
	.head_mouse = screen_head_mouse,
	.finish = screen_finish,
	.close = screen_close,
};

static const struct box boxes[N_BROWSER_BOXES] = {
	[BOX_INFO] = { .size = 1, .hide = 2 },
	[BOX_BODY] = { .size = 4, .fill = true },
	[BOX_RULE] = { .size = 1, .hide = 3 },
	[BOX_TRUST] = { .size = 1, .hide = 1 },
};

int browser_open(struct stack *s, void *instead, struct ptui_profile *p, const char *name,
		 const struct browser_opts *opts, struct ptui_error *err)
{
	struct browser_screen *b = calloc(1, sizeof(*b));
	struct browser_opts own = *opts;

	if (!b)
		return ptui_error_nomem(err);
	own.unsaved = NULL; /* a recording opened from here is another one */
	b->stack = s;
	b->saver = (struct sample_saver){ .stack = s, .done = browser_saved, .ctx = b };
	if (tree_init(&b->tree, &browser_tree_ops, b)) {
		free(b);
		return ptui_error_nomem(err);
	}
	b->tree.table.header = true;
	b->tree.table.follow_first = true;
	b->tree.table.in_slices = true;
	find_init_table(&b->find, s, &b->tree.table);
	sort_ask_init(&b->sort, s, browser_sort_now, browser_sort_set, b);
	b->filtered = b->opened = (struct history)HISTORY_INIT;
	b->name = strdup(name);
	b->model = browser_new(p, &own, err);
	memcpy(b->boxes, boxes, sizeof(boxes));
	if (!b->name || !b->model) {
		screen_close(b);
		return ptui_error_nomem(err);
	}
	if (instead ? stack_replace(s, instead, &screen_ops, b) : stack_push(s, &screen_ops, b))
		return ptui_error_nomem(err);
	b->unsaved = opts->unsaved;
	return 0;
}
