/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/rows/rows_view.h"

#include <errno.h>
#include <string.h>

#include "text/i18n.h"
#include "text/strings.h"
#include "view/copy_row.h"
#include "widget/line.h"

#define RULE_ROWS 30 /* smaller terminals use the line for a row */

/* The look or the tab has changed. */
static unsigned make_rows(struct rows_view *v)
{
	if (v->ops->changed)
		return v->ops->changed(v->screen);
	/* the running job is obsolete */
	if (v->counting && !rows_tabs_is_current(v->tabs))
		worker_cancel(v->counting);
	rows_view_count(v);
	v->asked = v->counting && !rows_tabs_is_current(v->tabs);
	return WISH_RECALC;
}

unsigned rows_view_changed(struct rows_view *v)
{
	if (v->tabs)
		rows_tabs_changed(v->tabs);
	return make_rows(v);
}

unsigned rows_view_shown(struct rows_view *v)
{
	return v->ops->shown ? v->ops->shown(v->screen) : rows_view_changed(v);
}

static const struct box boxes[ROWS_BOXES] = {
	[ROWS_INFO] = { .size = 1, .hide = 2 },
	[ROWS_BODY] = { .size = 4, .fill = true },
	[ROWS_RULE] = { .size = 1, .hide = 3 },
	[ROWS_NOTES] = { .size = 1, .hide = 1 },
};

int rows_view_init(struct rows_view *v, struct stack *s, const struct rows_view_ops *ops,
		   void *screen, bool flat)
{
	memcpy(v->boxes, boxes, sizeof(boxes));
	v->stack = s;
	v->ops = ops;
	v->screen = screen;
	if (tree_init(&v->tree, &rows_tree_ops, v))
		return -ENOMEM;
	v->tree.flat = flat;
	v->tree.elide = true;
	v->tree.put_away = worker_put_away;
	find_init_table(&v->find, s, &v->tree.table);
	v->find.in_slices = true;
	return 0;
}

void rows_view_release(struct rows_view *v)
{
	if (!v->stack) /* not initialized */
		return;
	worker_abandon(&v->counting);
	rows_walk_stop(v);
	find_release(&v->find);
	rows_sort_release(&v->sort);
	words_release(&v->filtered);
	words_release(&v->hidden);
	rows_only_release(&v->only);
	tree_release(&v->tree);
}

void rows_view_set_rows(struct rows_view *v, struct rows *rows)
{
	/* if they are made later, the old ones come once more */
	bool to_top = v->to_top && (v->ops->shown || rows != v->rows);

	v->rows = rows;
	/* a search reads the cells before they are drawn */
	if (v->drawn_w && v->columns_id != rows_view_columns_id(v))
		rows_view_set_columns(v, v->drawn_w);
	v->columns_w = 0;
	/* what is open is gathered once, not at each change of the screen's size */
	if (rows && rows_revision(rows) == v->rows_revision)
		table_recalc(&v->tree.table);
	else if (tree_recalc(&v->tree))
		stack_no_memory(v->stack);
	v->rows_revision = rows_revision(rows);
	if (to_top) {
		table_move_to(&v->tree.table, 0);
		v->to_top = false;
	}
}

void rows_view_count(struct rows_view *v)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	void *job;

	if (v->counting || rows_tabs_is_current(v->tabs))
		return;
	job = v->ops->job(v->screen);
	if (!job ||
	    !worker_start_shown(&v->counting, v->stack, v->ops->counting_ops, job, v->screen, &err))
		stack_say(v->stack, ROLE_BAD, "%s", job ? err.text : _("out of memory"));
}

void rows_view_counted(struct rows_view *v)
{
	if (rows_tabs_error(v->tabs))
		stack_say(v->stack, ROLE_BAD, "%s", rows_tabs_error(v->tabs)->text);
	rows_view_count(v);
	v->asked &= v->counting != NULL;
	stack_wish(v->stack, v->screen, WISH_RECALC);
}

/* ---- requests ---- */

uint64_t rows_view_node(const struct rows_view *v)
{
	return v->from_menu ? v->menu_node : tree_cursor(&v->tree);
}

static unsigned zoom(struct rows_view *v, enum rows_zoom kind)
{
	uint64_t node = rows_view_node(v);
	struct ptui_error err = PTUI_ERROR_INIT;

	if (rows_look_zoom(v->look, kind, v->rows, node, &err))
		return rows_view_say_error(v, &err);
	/* of a single function only the callers are interesting */
	if (kind == ROWS_ZOOM_FUNCTION && rows_look_is_zoomed(v->look, kind) &&
	    rows_opens(v->rows, node) && tree_set_open(&v->tree, node, true))
		stack_no_memory(v->stack);
	return rows_view_changed(v);
}

static const char *no_function_text(const struct rows_view *v)
{
	if (rows_is_hierarchy(v->rows))
		return _("This row has several functions: open it.");
	return rows_find_column(v->rows, "symbol") == SIZE_MAX &&
			       rows_find_column(v->rows, "symbol_to") == SIZE_MAX ?
		       _("This row has several functions: sort by symbol first.") :
		       _("The function of this row is unknown: it has no symbol.");
}

/* Annotates a function, or opens the Probe screen for it. `f` NULL: the hottest of a name. */
static unsigned open_code(struct rows_view *v, enum request req, uint64_t node,
			  const struct ptui_function *f, const char *symbol)
{
	struct annotate_opts opts = { .where = NULL };
	struct probe_opts probe = { .function = f };
	unsigned wishes;

	v->ops->code(v->screen, node, &opts);
	if (!opts.profile)
		return stack_note(v->stack, _("No samples yet."));
	opts.function = f;
	opts.symbol = symbol;
	probe.where = opts.where;
	probe.then = opts.probe_then;
	wishes = req == REQ_PROBE ? probe_open(v->stack, &probe) : annotate_open(v->stack, &opts);
	ptui_profile_unref(opts.profile);
	return wishes;
}

unsigned rows_view_annotate(struct rows_view *v, const char *symbol)
{
	return open_code(v, REQ_ANNOTATE, ROWS_TOP, NULL, symbol);
}

/* From the Butterfly, which is above the rows. */
static unsigned open_from_butterfly(void *ctx, enum request req, const struct ptui_function *f)
{
	return open_code(ctx, req, ROWS_TOP, f, NULL);
}

static unsigned butterfly(struct rows_view *v)
{
	uint64_t node = rows_view_node(v);
	struct butterfly_view_opts opts = { .open = open_from_butterfly, .ctx = v };
	struct annotate_opts code = { .where = NULL };

	if (!v->rows || !node || rows_kind(v->rows, node) == ROWS_NOTE)
		return stack_note(v->stack,
				  _("There is no function whose callers could be shown."));
	opts.frame = rows_frame(v->rows, node);
	if (opts.frame == PTUI_NONE)
		return stack_note(v->stack, no_function_text(v));
	v->ops->code(v->screen, node, &code);
	ptui_profile_unref(code.profile);
	opts.where = code.where;
	opts.can_probe = code.probe_then.added;
	opts.profile = ptui_hist_profile(rows_hist(v->rows)); /* the frame is one of it */
	v->ops->butterfly(v->screen, node, &opts.counts);
	return butterfly_open(v->stack, &opts);
}

/* False: it is not visible any more. */
static bool move_to(struct rows_view *v, uint64_t node)
{
	size_t row = table_row_of(&v->tree.table, node);

	if (row == SIZE_MAX)
		return false;
	table_show(&v->tree.table, row);
	return true;
}

static void say_no_row(struct rows_view *v)
{
	if (v->look->children)
		stack_note(v->stack,
			   _("The list has no row of this function: undo the zoom or the limit, "
			     "or sort by symbol."));
	else
		stack_say(v->stack, ROLE_NOTE,
			  _("The list has no row of this function: %s shows rows of callers, too."),
			  keymaps_label(stack_keys(v->stack), v->ops->screen->keymap, REQ_CHILDREN)
				  .text);
}

static unsigned jump(struct rows_view *v)
{
	uint64_t node = rows_view_node(v);

	if (!v->rows || !node || rows_kind(v->rows, node) == ROWS_NOTE)
		return stack_note(v->stack, _("There is no function to go to."));
	if (rows_is_hierarchy(v->rows))
		return stack_note(
			v->stack,
			_("The rows are a hierarchy, which has no list of functions to go to."));
	if (rows_kind(v->rows, node) == ROWS_ROW)
		return stack_note(
			v->stack,
			_("This is the row of the function: jump from a callchain below it."));
	return rows_walk_jump(v, node);
}

void rows_view_jump_to(struct rows_view *v, uint64_t row, uint64_t node)
{
	if (row == ROWS_TOP || !move_to(v, row)) {
		say_no_row(v);
		return;
	}
	if (v->n_jumped == ROWS_JUMPS_MAX)
		memmove(v->jumped, v->jumped + 1, --v->n_jumped * sizeof(v->jumped[0]));
	v->jumped[v->n_jumped++] = node;
}

static unsigned jump_back(struct rows_view *v)
{
	while (v->n_jumped)
		if (move_to(v, v->jumped[--v->n_jumped]))
			return WISH_REDRAW;
	return stack_note(v->stack, _("There is no jump to go back from."));
}

/* A function is annotated, or probed. */
static unsigned with_function(struct rows_view *v, enum request req, const char *none)
{
	uint64_t node = rows_view_node(v);
	struct ptui_function f;

	if (!v->rows || !node)
		return stack_note(v->stack, none);
	if (!rows_code(v->rows, node, &f) || !f.symbol)
		return stack_note(v->stack, no_function_text(v));
	return open_code(v, req, node, &f, NULL);
}

static unsigned toggle_percentage(struct rows_view *v)
{
	if (!v->ops->screen->can(v->screen, REQ_PERCENTAGE))
		return stack_note(
			v->stack,
			_("Percentages are already relative to the total: zoom in first."));
	v->look->relative = !v->look->relative;
	return rows_view_changed(v);
}

bool rows_view_zoom_dso(struct rows_view *v, const char *dso)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	bool failed = rows_look_zoom_dso(v->look, dso, &err);

	stack_wish(v->stack, v->screen,
		   failed ? rows_view_say_error(v, &err) : rows_view_changed(v));
	return !failed;
}

enum rows_zoom rows_view_zoom(enum request req)
{
	static const enum request requests[] = {
		[ROWS_ZOOM_THREAD] = REQ_ZOOM_THREAD,	  [ROWS_ZOOM_DSO] = REQ_ZOOM_DSO,
		[ROWS_ZOOM_FUNCTION] = REQ_ZOOM_FUNCTION, [ROWS_ZOOM_CPU] = REQ_ZOOM_CPU,
		[ROWS_ZOOM_KERNEL] = REQ_ZOOM_KERNEL,
	};

	for (size_t i = 0; i < sizeof(requests) / sizeof(requests[0]); i++)
		if (requests[i] == req)
			return (enum rows_zoom)i;
	return ROWS_ZOOMS;
}

/* Changes that require counting. */
static unsigned look_request(struct rows_view *v, enum request req)
{
	if (rows_view_zoom(req) != ROWS_ZOOMS)
		return zoom(v, rows_view_zoom(req));
	switch (req) {
	case REQ_CHILDREN:
		if (v->look->hierarchy)
			return stack_note(v->stack, _("A hierarchy has no rows of callers."));
		rows_look_toggle_children(v->look);
		return rows_view_changed(v);
	case REQ_CHAIN_ORDER:
		rows_look_toggle_chain_order(v->look);
		return rows_view_changed(v);
	case REQ_PERCENTAGE:
		return toggle_percentage(v);
	case REQ_BACK:
		return rows_look_unzoom(v->look) ? rows_view_changed(v) : WISH_PASS;
	case REQ_LEFT_OR_BACK: /* as in perf */
		if (!v->tree.table.skip && rows_look_unzoom(v->look))
			return rows_view_changed(v);
		return tree_request(&v->tree, REQ_LEFT);
	default:
		return WISH_PASS;
	}
}

static unsigned copy_noted_row(struct rows_view *v)
{
	char row[ROW_BYTES], note[512];

	tree_cursor_text(&v->tree, row, sizeof(row));
	if (v->ops->copy_note && *v->ops->copy_note(v->screen, note, sizeof(note)))
		text_append(row, sizeof(row), "  # %s", note);
	return copy_text(v->stack, row);
}

unsigned rows_view_request(struct rows_view *v, enum request req)
{
	unsigned wishes;

	if (rows_walk_stop(v) && req == REQ_BACK)
		return WISH_REDRAW;
	wishes = look_request(v, req);
	if (wishes & WISH_PASS)
		wishes = rows_view_ask(v, req);
	if (wishes & WISH_PASS)
		wishes = find_request(&v->find, req);
	if (!(wishes & WISH_PASS))
		return wishes;
	switch (req) {
	case REQ_NEXT_EVENT:
	case REQ_PREV_EVENT:
		if (!v->tabs)
			return WISH_PASS;
		rows_tabs_move(v->tabs, req == REQ_NEXT_EVENT ? 1 : -1);
		return make_rows(v);
	case REQ_ANNOTATE:
		return with_function(v, req, _("There is no function to annotate."));
	case REQ_PROBE:
		return with_function(v, req, _("There is no function to probe."));
	case REQ_JUMP:
		return jump(v);
	case REQ_GO_BACK:
		return jump_back(v);
	case REQ_BUTTERFLY:
		return v->ops->butterfly ? butterfly(v) : WISH_PASS;
	case REQ_HEADER:
		v->tree.table.header = !v->tree.table.header;
		return WISH_REDRAW;
	case REQ_MODULES:
		v->modules = !v->modules;
		return WISH_REDRAW;
	case REQ_PATHS:
		if (v->look->hierarchy)
			return stack_note(v->stack, _("A hierarchy has no column of DSOs."));
		v->paths = !v->paths;
		v->columns_w = 0;
		return WISH_REDRAW;
	case REQ_FULL_NAMES:
		v->full_names = !v->full_names;
		v->tree.elide = !v->full_names;
		return stack_note(v->stack,
				  v->full_names ?
					  _("Function names are shown in full.") :
					  _("Long function names are shown without their middle."));
	case REQ_COPY_ROW:
		return copy_noted_row(v);
	case REQ_PRINT:
		return rows_view_print(v);
	default:
		return tree_request(&v->tree, req);
	}
}

bool rows_view_needs_rows(enum request req)
{
	static const enum request requests[] = {
		REQ_OPEN,	   REQ_TOGGLE,	 REQ_EXPAND_ENTRY,  REQ_COLLAPSE_ENTRY,
		REQ_EXPAND_ALL,	   REQ_SEARCH,	 REQ_COLLAPSE_ALL,  REQ_ZOOM_THREAD,
		REQ_ZOOM_DSO,	   REQ_ZOOM_CPU, REQ_ZOOM_FUNCTION, REQ_ZOOM_KERNEL,
		REQ_FILTER,	   REQ_SORT,	 REQ_CHILDREN,	    REQ_CHAIN_ORDER,
		REQ_HIERARCHY,	   REQ_HIDE,	 REQ_MODULES,	    REQ_INLINES,
		REQ_COPY_ROW,	   REQ_ANNOTATE, REQ_BUTTERFLY,	    REQ_SAMPLES,
		REQ_PERCENT_LIMIT, REQ_JUMP,	 REQ_PROBE,	    REQ_PRINT,
	};

	for (size_t i = 0; i < sizeof(requests) / sizeof(requests[0]); i++)
		if (requests[i] == req)
			return true;
	return false;
}

bool rows_view_can(const struct rows_view *v, enum request req, bool has_chains)
{
	switch (req) {
	case REQ_NEXT_EVENT:
	case REQ_PREV_EVENT:
		return v->tabs && v->tabs->n > 1;
	case REQ_TOGGLE:
	case REQ_EXPAND_ENTRY:
	case REQ_COLLAPSE_ENTRY:
	case REQ_EXPAND_ALL:
	case REQ_COLLAPSE_ALL:
		return has_chains || v->look->hierarchy;
	case REQ_PATHS:
		return !v->look->hierarchy;
	case REQ_CHILDREN:
	case REQ_JUMP:
		return has_chains && !v->look->hierarchy;
	case REQ_CHAIN_ORDER:
	case REQ_MODULES:
	case REQ_BUTTERFLY:
	case REQ_HIDE:
		return has_chains;
	case REQ_GO_BACK:
		return v->n_jumped;
	case REQ_PERCENTAGE:
		return v->look->n_zooms || v->look->relative;
	default:
		return true;
	}
}

unsigned rows_view_mouse(void *view, const struct term_event *e)
{
	struct rows_view *v = view;
	size_t column = v->rows ? table_header_at(&v->tree.table, e) : SIZE_MAX;

	rows_walk_stop(v);

	return column == SIZE_MAX ? tree_mouse(&v->tree, e) : rows_view_order_by(v, column);
}

void rows_view_draw(struct rows_view *v, const struct canvas *c)
{
	if (v->columns_w != c->at.w)
		rows_view_set_columns(v, c->at.w);
	v->drawn_w = c->at.w;
	tree_draw(&v->tree, c);
}

/* ---- a screen of rows ---- */

void rows_view_draw_screen(void *view, const struct canvas *c)
{
	struct rows_view *v = view;
	struct canvas rule, at;

	v->boxes[ROWS_RULE].off = c->at.h < RULE_ROWS;
	box_reflow(v->boxes, ROWS_BOXES, c->at.h);
	rule = box_canvas(&v->boxes[ROWS_RULE], c);
	canvas_rule(&rule, 0);
	at = box_canvas(&v->boxes[ROWS_INFO], c);
	v->ops->draw_info(v->screen, &at);
	at = box_canvas(&v->boxes[ROWS_BODY], c);
	if (v->rows && rows_n(v->rows))
		rows_view_draw(v, &at);
	else
		v->ops->draw_empty(v->screen, &at);
	at = box_canvas(&v->boxes[ROWS_NOTES], c);
	v->ops->draw_note(v->screen, &at);
}

struct canvas rows_view_draw_tabs(struct rows_view *v, const struct canvas *line)
{
	const struct rows_tabs *t = v->tabs;
	int most = line->at.w * 2 / 3;

	v->tabs_w = 0;
	if (!t || t->n < 2)
		return *line;
	v->tabs_w = line_tabs_width(t->names, t->n);
	if (v->tabs_w > most)
		v->tabs_w = most;
	v->tabs_x = line->at.w - v->tabs_w - 1;
	line_tabs(line, v->tabs_x, v->tabs_w, t->names, t->n, t->at);
	return canvas_part(line, 0, 0, 1, v->tabs_x - 1);
}

unsigned rows_view_show_tab(struct rows_view *v, size_t tab)
{
	if (tab < v->tabs->n)
		rows_tabs_set(v->tabs, tab);
	return make_rows(v);
}

unsigned rows_view_head_mouse(void *view, const struct term_event *e)
{
	struct rows_view *v = view;
	const struct rows_tabs *t = v->tabs;
	int tab;

	if (e->mouse != MOUSE_PRESS || e->button != 1 || !t || t->n < 2)
		return WISH_PASS;
	tab = line_tab_at(t->names, t->n, t->at, v->tabs_w, e->x - v->tabs_x);
	return tab < 0 || (size_t)tab == t->at ? WISH_PASS : rows_view_show_tab(v, (size_t)tab);
}
