/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/browser.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/trust.h"
#include "text/i18n.h"
#include "text/utf8.h"
#include "view/browser_ask.h"
#include "view/worker.h"
#include "widget/box.h"
#include "widget/line.h"
#include "widget/number.h"
#include "widget/tree.h"

#define RULE_ROWS 30 /* below, a row more is worth more than the rule */

struct screen {
	struct stack *stack;
	struct browser *model;
	struct worker worker;
	struct browser_job job; /* the worker's, while it runs */
	struct tree tree;
	struct browser_ask ask;
	struct box *root, *info, *body, *rule, *trust; /* root owns the others */
	const struct browser_rows *rows; /* those that the tree's columns are of */
	struct trust_fact facts[TRUST_FACTS_MAX]; /* of the tab */
	size_t n_facts;
	int head_w; /* columns of the first line, by the last draw */
	char name[256];
};

/* ---- the tree's facts ---- */

static size_t node_count(void *ctx, uint64_t node)
{
	struct screen *b = ctx;
	struct browser_rows *rows = browser_rows(b->model);

	return rows ? browser_rows_count(rows, node) : 0;
}

static uint64_t node_child(void *ctx, uint64_t node, size_t i)
{
	struct screen *b = ctx;

	return browser_rows_child(browser_rows(b->model), node, i);
}

static bool node_opens(void *ctx, uint64_t node)
{
	struct screen *b = ctx;
	struct browser_rows *rows = browser_rows(b->model);

	return rows && browser_rows_opens(rows, node);
}

static const char *node_cell(void *ctx, uint64_t node, size_t column, char *buf, size_t size,
			     style_t *style)
{
	struct screen *b = ctx;
	struct browser_rows *rows = browser_rows(b->model);
	const struct ptui_column *c;

	browser_rows_cell(rows, node, column, buf, size);
	c = ptui_hist_column(browser_rows_hist(rows), column);
	if (c && !strncmp(c->name, "overhead", 8))
		*style = style_heat(strtod(buf, NULL));
	return buf;
}

static const char *node_label(void *ctx, uint64_t node, char *buf, size_t size, style_t *style,
			      char *head, size_t head_size, style_t *head_style)
{
	struct screen *b = ctx;
	struct browser_rows *rows = browser_rows(b->model);
	double percent = browser_rows_percent(rows, node);

	if (browser_rows_kind(rows, node) == BROWSER_NOTE)
		*style = ROLE_DIM;
	if (percent >= 0) {
		snprintf(head, head_size, "%.2f%%", percent);
		*head_style = style_heat(percent);
	}
	return browser_rows_label(rows, node, buf, size);
}

static const struct tree_ops node_ops = {
	.count = node_count,
	.child = node_child,
	.opens = node_opens,
	.cell = node_cell,
	.label = node_label,
};

/* ---- counting ---- */

static void count_done(void *ctx);

static void count_run(void *ctx)
{
	struct screen *b = ctx;

	browser_job_run(&b->job);
}

/* Starts what is to be counted, unless something is: its end comes here again. */
static void count(struct screen *b)
{
	int ret;

	if (worker_runs(&b->worker) || !browser_job_next(b->model, &b->job))
		return;
	ret = worker_start(&b->worker, stack_loop(b->stack), count_run, count_done, b);
	if (!ret)
		return;
	ptui_error_errno(&b->job.err, -ret, NULL, _("cannot start a thread"));
	browser_job_done(b->model, &b->job);
}

static void count_done(void *ctx)
{
	struct screen *b = ctx;

	browser_job_done(b->model, &b->job);
	if (browser_error(b->model))
		stack_say(b->stack, ROLE_BAD, "%s", browser_error(b->model)->text);
	count(b);
	stack_wish(b->stack, b, WISH_RECALC);
}

/* ---- the facts on the screen ---- */

static const struct {
	const char *name; /* of the key */
	int min, hide;
} column_rooms[] = {
	{ "overhead", 0, 1 }, /* beside children only */
	{ "comm", 6, 3 },     { "dso", 8, 2 },
	{ "sample", 0, 4 },   { "period", 0, 4 },
};

static void set_columns(struct screen *b)
{
	const struct ptui_hist *h = browser_rows_hist(b->rows);
	struct table_column columns[TABLE_COLUMNS_MAX];
	size_t n = ptui_hist_n_columns(h);

	if (n > TABLE_COLUMNS_MAX)
		n = TABLE_COLUMNS_MAX;
	for (size_t i = 0; i < n; i++) {
		const struct ptui_column *c = ptui_hist_column(h, i);

		columns[i] = (struct table_column){
			.title = c->title,
			.width = (int)c->width,
			.align = c->number ? ALIGN_RIGHT : ALIGN_LEFT,
			.fill = i + 1 == n,
		};
		for (size_t k = 0; k < sizeof(column_rooms) / sizeof(column_rooms[0]); k++) {
			if (!i || i + 1 == n || strcmp(c->name, column_rooms[k].name))
				continue;
			columns[i].min = column_rooms[k].min;
			columns[i].hide = column_rooms[k].hide;
		}
		if (!c->number && columns[i].width > 40)
			columns[i].width = 40;
	}
	table_set_columns(&b->tree.table, columns, n);
}

static void screen_recalc(void *self)
{
	struct screen *b = self;

	b->rows = browser_rows(b->model);
	if (b->rows)
		set_columns(b);
	if (browser_n_tabs(b->model))
		b->n_facts = trust_facts(browser_profile(b->model),
					 browser_tab_event(b->model, browser_tab(b->model)),
					 b->rows ? browser_rows_hist(b->rows) : NULL, b->facts);
	if (tree_recalc(&b->tree))
		stack_say(b->stack, ROLE_BAD, "%s", _("out of memory"));
	count(b);
}

/* The tabs stand at the right, in so many columns. */
static int tabs_room(int width)
{
	return width * 2 / 3;
}

static void screen_head(void *self, const struct canvas *line)
{
	struct screen *b = self;
	size_t n = browser_n_tabs(b->model);
	int room = tabs_room(line->at.w);
	char where[320];

	if (browser_is_current(b->model)) {
		line_head(line, 0, b->name, n > 1 ? "" : _("✓ loaded"), ROLE_GOOD);
	} else {
		snprintf(where, sizeof(where), "%s  %s", b->name, _("counting…"));
		line_head(line, 0, where, "", ROLE_NOTE);
	}
	b->head_w = line->at.w;
	if (n > 1)
		line_tabs(line, 0, line->at.w - room, room - 1, browser_tab_names(b->model), n,
			  browser_tab(b->model));
}

/* How the rows were made, the most telling first: what does not fit is left out. */
static void draw_ways(struct screen *b, const struct canvas *c, int left)
{
	const struct browser_opts *o = browser_opts(b->model);
	const struct ptui_event_info *e = ptui_profile_event(
		browser_profile(b->model), browser_tab_event(b->model, browser_tab(b->model)));
	size_t hidden = b->rows ? browser_rows_n_hidden(b->rows) : 0, n = 0, len = 0;
	int room = c->at.w - left - 3, width = 0;
	char by[BROWSER_SORT_MAX + 32], below[96], text[1024] = "";
	const char *parts[4];

	if (hidden) {
		snprintf(below, sizeof(below), Q_("%zu row below %.4g%%", "%zu rows below %.4g%%",
						  hidden), hidden, o->limits.row_percent);
		parts[n++] = below;
	}
	if (o->hist.sort) {
		snprintf(by, sizeof(by), _("by %s"), o->hist.sort);
		parts[n++] = by;
	}
	if (e->has_callchains && !o->hist.no_chains) {
		parts[n++] = o->hist.order == PTUI_CALLER ? _("caller first") : _("callee first");
		parts[n++] = o->hist.children ? _("with callers") : _("self only");
	}
	for (size_t i = 0; i < n; i++) {
		int w = utf8_width(parts[i]) + (i ? 3 : 0);

		if (width + w > room)
			break;
		width += w;
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%s", i ? " · " : "",
					parts[i]);
	}
	canvas_text(c, 0, c->at.w - 1 - width, ROLE_DIM, text);
}

static void draw_info(struct screen *b, const struct canvas *c)
{
	const struct ptui_event_info *e;
	char samples[32], period[32];
	int w;

	if (!browser_n_tabs(b->model))
		return;
	e = ptui_profile_event(browser_profile(b->model),
			       browser_tab_event(b->model, browser_tab(b->model)));
	number_count(samples, sizeof(samples), (double)e->samples);
	number_count(period, sizeof(period), (double)e->period);
	w = 1 + canvas_printf(c, 0, 1, ROLE_TITLE, _("Samples %s of event '%s'"), samples, e->name);
	if (c->at.w - w > 30)
		w += canvas_printf(c, 0, w, ROLE_TITLE, _(", count (approx.) %s"), period);
	draw_ways(b, c, w);
}

static void draw_trust(struct screen *b, const struct canvas *c)
{
	static const style_t styles[] = { ROLE_DIM, ROLE_NOTE, ROLE_BAD };
	const struct trust_fact *facts = b->facts;
	struct line_fact shown[TRUST_FACTS_MAX];

	for (size_t i = 0; i < b->n_facts; i++) {
		/* never by colour alone */
		snprintf(shown[i].text, sizeof(shown[i].text), "%s%.90s",
			 facts[i].level == TRUST_FINE ? "" : "! ", facts[i].text);
		shown[i].style = styles[facts[i].level];
		shown[i].hide = (int)i;
	}
	if (b->n_facts)
		line_facts(c, 0, _("trust"), shown, b->n_facts);
}

/* Empty states teach. */
static void draw_empty(struct screen *b, const struct canvas *c)
{
	if (!browser_n_tabs(b->model))
		canvas_text(c, 1, 2, ROLE_DIM, _("There are no events in this recording."));
	else if (browser_error(b->model))
		canvas_text(c, 1, 2, ROLE_BAD, browser_error(b->model)->text);
	else if (b->rows && browser_rows_n_hidden(b->rows))
		canvas_text(c, 1, 2, ROLE_DIM, _("All rows are below the limit: L changes it."));
	else if (b->rows)
		canvas_text(c, 1, 2, ROLE_DIM,
			    _("There are no samples: the program may have been too short, or idle."));
}

static void screen_draw(void *self, const struct canvas *c)
{
	struct screen *b = self;
	struct canvas at;

	box_set_off(b->rule, c->at.h < RULE_ROWS);
	box_reflow(b->root, c->at.h, c->at.w);
	at = box_canvas(b->info, c);
	draw_info(b, &at);
	at = box_canvas(b->body, c);
	if (b->rows && browser_rows_n(b->rows))
		tree_draw(&b->tree, &at);
	else
		draw_empty(b, &at);
	at = box_canvas(b->rule, c);
	if (at.at.h)
		canvas_rule(&at, 0);
	at = box_canvas(b->trust, c);
	draw_trust(b, &at);
}

/* ---- wishes ---- */

static unsigned changed(struct screen *b)
{
	count(b);
	return WISH_RECALC;
}

static unsigned screen_request(void *self, enum request req)
{
	struct screen *b = self;

	switch (req) {
	case REQ_NEXT_TAB:
	case REQ_PREV_TAB:
		browser_move_tab(b->model, req == REQ_NEXT_TAB ? 1 : -1);
		return changed(b);
	case REQ_HEADER:
		b->tree.table.header = !b->tree.table.header;
		return WISH_REDRAW;
	case REQ_CHILDREN:
		browser_toggle_children(b->model);
		return changed(b);
	case REQ_CHAIN_ORDER:
		browser_toggle_order(b->model);
		return changed(b);
	default:
		break;
	}
	if (browser_ask(&b->ask, req))
		return WISH_REDRAW;
	return tree_request(&b->tree, req);
}

/* Chains are there if they were recorded and are shown; tabs, if there are several events. */
static bool screen_can(void *self, enum request req)
{
	struct screen *b = self;
	size_t n = browser_n_tabs(b->model);
	const struct ptui_event_info *e =
		n ? ptui_profile_event(browser_profile(b->model),
				       browser_tab_event(b->model, browser_tab(b->model))) : NULL;

	switch (req) {
	case REQ_NEXT_TAB:
	case REQ_PREV_TAB:
		return n > 1;
	case REQ_OPEN:
	case REQ_TOGGLE:
	case REQ_EXPAND_ENTRY:
	case REQ_COLLAPSE_ENTRY:
	case REQ_EXPAND_ALL:
	case REQ_COLLAPSE_ALL:
	case REQ_CHILDREN:
	case REQ_CHAIN_ORDER:
		return e && e->has_callchains && !browser_opts(b->model)->hist.no_chains;
	default:
		return true;
	}
}

static unsigned screen_mouse(void *self, const struct term_event *e)
{
	struct screen *b = self;
	struct term_event in = *e;

	if (!box_has(b->body, e->y, e->x))
		return WISH_PASS;
	in.y -= b->body->at.y;
	in.x -= b->body->at.x;
	return tree_mouse(&b->tree, &in);
}

/* A click on a tab. */
static unsigned screen_head_mouse(void *self, const struct term_event *e)
{
	struct screen *b = self;
	size_t n = browser_n_tabs(b->model);
	int room = tabs_room(b->head_w), tab;

	if (e->mouse != MOUSE_PRESS || e->button != 1 || n < 2)
		return WISH_PASS;
	tab = line_tab_at(browser_tab_names(b->model), n, browser_tab(b->model), room - 1,
			  e->x - (b->head_w - room));
	if (tab < 0 || (size_t)tab == browser_tab(b->model))
		return WISH_PASS;
	browser_set_tab(b->model, (size_t)tab);
	return changed(b);
}

static unsigned screen_opened(void *self, struct stack *s)
{
	struct screen *b = self;

	(void)s;
	return changed(b);
}

static void screen_close(void *self)
{
	struct screen *b = self;

	if (worker_runs(&b->worker)) {
		worker_stop(&b->worker);
		browser_job_release(&b->job);
	}
	browser_ask_release(&b->ask);
	tree_release(&b->tree);
	browser_free(b->model);
	box_free(b->root);
	free(b);
}

static const enum request screen_hints[] = {
	REQ_OPEN,     REQ_EXPAND_ENTRY, REQ_SEARCH, REQ_SORT, REQ_CHILDREN,
	REQ_CHAIN_ORDER, REQ_PERCENT_LIMIT, REQ_MENU, REQ_HELP, REQ_BACK, REQ_NONE,
};

static const struct screen_ops screen_ops = {
	.title = N_("Browser"),
	.keymap = KEYMAP_BROWSER,
	.hints = screen_hints,
	.open = screen_opened,
	.recalc = screen_recalc,
	.head = screen_head,
	.draw = screen_draw,
	.request = screen_request,
	.can = screen_can,
	.mouse = screen_mouse,
	.head_mouse = screen_head_mouse,
	.close = screen_close,
};

static struct box *add_box(struct screen *b, const char *name, enum box_sizing sizing, int size,
			   int hide)
{
	struct box like = { .sizing = sizing, .size = size, .min = size, .hide = hide };
	struct box *box = box_new(name, &like);

	return box_add(b->root, box) ? NULL : box;
}

static bool make_boxes(struct screen *b)
{
	struct box like = { .sizing = BOX_FILL, .direction = BOX_COLUMN };

	b->root = box_new("browser", &like);
	if (!b->root)
		return false;
	b->info = add_box(b, "info", BOX_FIXED, 1, 2);
	b->body = b->info ? add_box(b, "body", BOX_FILL, 4, 0) : NULL;
	b->rule = b->body ? add_box(b, "rule", BOX_FIXED, 1, 3) : NULL;
	b->trust = b->rule ? add_box(b, "trust", BOX_FIXED, 1, 1) : NULL;
	return b->trust;
}

int browser_open(struct stack *s, void *instead, struct ptui_profile *p, const char *name,
		 const struct browser_opts *opts, struct ptui_error *err)
{
	struct screen *b = calloc(1, sizeof(*b));

	if (!b)
		return ptui_error_nomem(err);
	b->stack = s;
	snprintf(b->name, sizeof(b->name), "%s", name);
	if (tree_init(&b->tree, &node_ops, b)) {
		free(b);
		return ptui_error_nomem(err);
	}
	b->tree.table.header = true;
	b->model = browser_new(p, opts, err);
	if (!b->model || !make_boxes(b)) {
		screen_close(b);
		return ptui_error_nomem(err);
	}
	b->ask = (struct browser_ask){ .stack = s, .model = b->model, .tree = &b->tree, .self = b,
				       .request = screen_request,
				       .searched = HISTORY_INIT, .sorted = HISTORY_INIT };
	if (instead ? stack_replace(s, instead, &screen_ops, b) : stack_push(s, &screen_ops, b))
		return ptui_error_nomem(err);
	return 0;
}
