/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/browser/browser_state.h"
#include "model/browser/missing.h"
#include "model/state_file.h"
#include "ptui/live.h"
#include "text/grouped.h"
#include "text/i18n.h"
#include "text/strings.h"
#include "view/browser/browser_private.h"
#include "view/samples/samples.h"
#include "widget/popup.h"

/* ---- messages: data quality, DSOs without symbols, the recording's header ---- */

static bool zoom_into_dso(void *ctx, const char *dso)
{
	return rows_view_zoom_dso(&((struct browser_screen *)ctx)->view, dso);
}

static unsigned symbols_show(struct browser_screen *b)
{
	struct symbols_opts opts = { .where = text_file_name(b->name),
				     .zoom = zoom_into_dso,
				     .ctx = b };
	const struct rows *rows = b->view.rows;

	if (!rows)
		return stack_note(b->stack, _("counting…"));
	opts.path = browser_path(b);
	opts.list = missing_list_new(rows_hist(rows));
	symbols_open(b->stack, &opts);
	return WISH_REDRAW;
}

/* Leads to a Setup like this recording; with unwound stacks if that is the remedy for these. */
static unsigned browser_record_again(struct browser_screen *b)
{
	const struct browser_opts *o = &b->model->opts;
	const char *path = o->from_setup ? NULL : browser_path(b);

	return o->record_again ?
		       o->record_again(o->ctx, path, trust_wants_unwinding(b->facts, b->n_facts)) :
		       WISH_PASS;
}

static unsigned remedy_chosen(void *ctx, enum trust_remedy remedy)
{
	return remedy == TRUST_RECORD_UNWOUND ? browser_record_again(ctx) : symbols_show(ctx);
}

static bool has_missing(const struct browser_screen *b)
{
	const struct rows *rows = b->view.rows;
	struct ptui_missing one;

	return rows && ptui_hist_missing(rows_hist(rows), &one, 1);
}

static unsigned trust_tell(struct browser_screen *b)
{
	bool unwinds = b->model->opts.record_again && trust_wants_unwinding(b->facts, b->n_facts);
	const struct trust_show show = {
		.stack = b->stack,
		.map = KEYMAP_BROWSER,
		.req = { [TRUST_RECORD_UNWOUND] = unwinds ? REQ_RECORD_AGAIN : REQ_NONE,
			 [TRUST_LIST_SYMBOLS] = has_missing(b) ? REQ_MISSING : REQ_NONE },
		.chosen = remedy_chosen,
		.ctx = b,
	};

	return trust_show(&show, b->facts, b->n_facts);
}

static unsigned header_show(struct browser_screen *b)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	const char *header = ptui_profile_header(b->model->profile, true);
	char *text = header ? NULL : ptui_recording_header(b->name, true, &err);
	unsigned wishes;

	if (!header && !text)
		return browser_path(b) ? rows_view_say_error(&b->view, &err) :
					 browser_say_no_file(b);
	wishes = popup_message(b->stack, _("The recording"), header ? header : text);
	free(text);
	return wishes;
}

/* WISH_PASS: not a request of this file. */
static unsigned browser_ask(struct browser_screen *b, enum request req)
{
	switch (req) {
	case REQ_TRUST:
		return trust_tell(b);
	case REQ_MISSING:
		return symbols_show(b);
	case REQ_HEADER_INFO:
		return header_show(b);
	case REQ_SWITCH_FILE:
		browser_files_ask(b, FILE_OPEN);
		return WISH_REDRAW;
	case REQ_COMPARE_FILE:
		browser_files_ask(b, FILE_COMPARE);
		return WISH_REDRAW;
	case REQ_MERGE_FILE:
		browser_files_ask(b, FILE_MERGE);
		return WISH_REDRAW;
	default:
		return WISH_PASS;
	}
}

/* More comes, or it is known why nothing more came. */
static void explain_part(struct browser_screen *b)
{
	for (size_t i = 0; i < b->n_facts; i++) {
		struct trust_fact *f = &b->facts[i];

		if (f->kind != TRUST_PARTIAL)
			continue;
		if (b->loading)
			f->level = TRUST_NOTE;
		if (b->stopped)
			text_append(f->advice, sizeof(f->advice), " %s", b->stopped);
	}
}

void browser_recalc(void *self)
{
	struct browser_screen *b = self;
	struct rows *rows = browser_rows(b->model);

	if (b->view.tabs->n)
		b->n_facts = trust_facts(b->model->profile, browser_tab_event(b->model),
					 rows ? rows_hist(rows) : NULL, b->facts);
	explain_part(b);
	browser_set_rows(b, rows);
}

#define CRUMBS_COLUMNS 40 /* before the name of a function */

/* ---- requests ---- */

const struct ptui_event_info *browser_event(const struct browser_screen *b)
{
	return b->view.tabs->n ?
		       ptui_profile_event(b->model->profile, browser_tab_event(b->model)) :
		       NULL;
}

const char *browser_path(const struct browser_screen *b)
{
	return b->model->opts.no_file ? NULL : b->name;
}

static bool has_chains(const struct browser_screen *b)
{
	const struct ptui_event_info *e = browser_event(b);

	return e && ptui_event_has_chains(e) && !b->model->opts.hist.no_chains;
}

/* All is loaded, and there are no samples. */
static bool is_empty(const struct browser_screen *b)
{
	return !b->loading && b->view.rows && !rows_n(b->view.rows) && b->view.tabs->n < 2 &&
	       !browser_samples(b->model, browser_tab_event(b->model), NULL);
}

static bool browser_can(void *self, enum request req)
{
	struct browser_screen *b = self;

	if (is_empty(b) && rows_view_needs_rows(req))
		return false;
	switch (req) {
	case REQ_INLINES:
		return has_chains(b);
	case REQ_OPEN:
		return has_chains(b) || b->view.look->hierarchy ||
		       (browser_event(b) && browser_event(b)->extras & PTUI_EXTRA_TRACE);
	case REQ_HEADER_INFO:
		return browser_path(b) || ptui_profile_header(b->model->profile, true);
	case REQ_RECORD_AGAIN:
		return b->model->opts.record_again;
	case REQ_PROBE:
		return b->model->opts.record_probes;
	case REQ_SAVE_SAMPLES:
		return b->unsaved;
	case REQ_MERGE_FILE:
		return browser_path(b);
	default:
		return rows_view_can(&b->view, req, has_chains(b));
	}
}

static void record_probes(void *self, const char *events)
{
	struct browser_screen *b = self;
	const struct browser_opts *o = &b->model->opts;

	o->record_probes(o->ctx, o->from_setup ? NULL : browser_path(b), events);
}

struct probe_then browser_probe_then(struct browser_screen *b)
{
	return (struct probe_then){ b->model->opts.record_probes ? record_probes : NULL, b };
}

static unsigned list_samples(struct browser_screen *b)
{
	uint64_t node = tree_cursor(&b->view.tree);
	char where[1024];

	if (b->view.rows && node && rows_is_inner(b->view.rows, node))
		return stack_note(
			b->stack,
			_("Samples are listed for rows by the last sort key: open this one."));
	if (!b->view.rows || !node || rows_row(b->view.rows, node) == PTUI_NONE)
		return stack_note(b->stack, _("There is no row whose samples could be listed."));
	return samples_open(b->stack, browser_crumbs(b, CRUMBS_COLUMNS, where, sizeof(where)),
			    b->view.rows, node, b->model->opts.max_samples);
}

/* A row that does not open: of tracepoints its samples, else the menu, as in perf. */
static unsigned open_leaf(struct browser_screen *b)
{
	const struct ptui_event_info *e = browser_event(b);

	if (e && e->extras & PTUI_EXTRA_TRACE && b->view.rows && tree_cursor(&b->view.tree))
		return list_samples(b);
	return rows_view_request(&b->view, REQ_MENU);
}

#define SAMPLES_COLUMNS 11 /* "999,999,999" */

static unsigned event_chosen(void *ctx, int index)
{
	struct browser_screen *b = ctx;

	const struct rows_tabs *t = b->view.tabs;
	uint32_t event = index < 0 ? PTUI_NONE : b->asked[index];

	/* other tabs may have come since */
	for (size_t i = 0; i < t->n && event != PTUI_NONE; i++)
		if (t->v[i].event[0] == event)
			return rows_view_show_tab(&b->view, i);
	return WISH_REDRAW;
}

/* As in perf, Left in front of all else lists the events, with the numbers of their samples. */
static unsigned ask_event(struct browser_screen *b)
{
	const struct rows_tabs *t = b->view.tabs;
	struct menu_item *items = calloc(t->n, sizeof(*items));
	uint32_t *events = realloc(b->asked, t->n * sizeof(*events));
	struct words texts = WORDS_INIT;
	char line[512];

	if (events)
		b->asked = events;

	for (size_t i = 0; items && events && i < t->n; i++) {
		events[i] = t->v[i].event[0];
		snprintf(line, sizeof(line), "%*s  %s", SAMPLES_COLUMNS,
			 grouped(browser_samples(b->model, t->v[i].event[0], NULL)).text,
			 t->names[i]);
		items[i].text = words_keep(&texts, line);
		items[i].current = i == t->at;
	}
	if (items && events && !texts.failed)
		popup_menu(b->stack, _("Samples of the events"), items, t->n, event_chosen, b);
	else
		stack_no_memory(b->stack);
	words_release(&texts);
	free(items);
	return WISH_REDRAW;
}

static bool is_at_left_end(const struct rows_view *v)
{
	return !v->tree.table.skip && !v->look->n_zooms;
}

static unsigned browser_request(void *self, enum request req)
{
	struct browser_screen *b = self;
	unsigned wishes;

	if (rows_walk_stop(&b->view) && req == REQ_BACK)
		return WISH_REDRAW;
	wishes = browser_ask(b, req);
	if (!(wishes & WISH_PASS))
		return wishes;
	switch (req) {
	case REQ_INLINES:
		browser_toggle_inlines(b->model);
		return rows_view_changed(&b->view);
	case REQ_HIERARCHY:
		rows_look_toggle_hierarchy(b->view.look);
		b->view.to_top = true;
		return rows_view_changed(&b->view);
	case REQ_QUIT:
		return browser_stop_loading(b);
	case REQ_BACK:
		wishes = browser_stop_loading(b);
		if (!(wishes & WISH_PASS))
			return wishes;
		wishes = browser_stop(b);
		if (wishes & WISH_PASS)
			wishes = rows_view_request(&b->view, req);
		return wishes & (WISH_PASS | WISH_POP) && browser_is_unsaved(b) ?
			       browser_ask_to_leave(b) :
			       wishes;
	case REQ_LEFT_OR_BACK:
		return b->view.tabs->n > 1 && is_at_left_end(&b->view) ?
			       ask_event(b) :
			       rows_view_request(&b->view, req);
	case REQ_LEAVE:
		return browser_is_unsaved(b) ? browser_ask_to_leave(b) : WISH_POP;
	case REQ_SAVE_SAMPLES:
		return browser_ask_to_save(b);
	case REQ_RECORD_AGAIN:
		return browser_record_again(b);
	case REQ_COPY_COMMAND:
		return browser_copy_command(b);
	case REQ_SAMPLES:
		return list_samples(b);
	default:
		break;
	}
	if (req == REQ_COLLAPSE_ALL || req == REQ_COLLAPSE_ENTRY)
		browser_stop_opening(b);
	if (browser_opens_later(b, req))
		return WISH_REDRAW;
	wishes = rows_view_request(&b->view, req);
	browser_go_on_opening(b);
	return wishes & (WISH_PASS | WISH_POP) && req == REQ_OPEN ? open_leaf(b) : wishes;
}

/* ---- the screen ---- */

/* Waits until the samples are saved. */
static bool screen_finish(void *self, int signal)
{
	struct browser_screen *b = self;

	(void)signal;
	return !b->saver.worker;
}

/* ---- sort keys, columns and widths of the next start ---- */

static void load_choices(struct browser_screen *b)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	char *path = state_path("browser");
	struct browser_state state;

	if (path && browser_state_load(&state, path, &err))
		stack_note(b->stack, err.text);
	if (path)
		browser_state_use(&state, b->model->profile, b->view.look);
	free(path);
}

/* When it closes: writing may take longer than a key may. */
static void save_choices(struct browser_screen *b)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	char *path = b->chosen && b->model ? state_path("browser") : NULL;
	struct browser_state state;

	if (!path)
		return;
	(void)browser_state_load(&state, path, NULL); /* those of other kinds of recordings */
	browser_state_keep(&state, b->model->profile, b->view.look);
	if (browser_state_save(&state, path, &err))
		stack_say(b->stack, ROLE_BAD, "%s", err.text);
	free(path);
}

static void screen_close(void *self)
{
	struct browser_screen *b = self;

	save_choices(b);
	browser_loading_free(b->loading);
	browser_leave(b);
	words_release(&b->files);
	free(b->stopped);
	free(b->wanted);
	sample_saver_release(&b->saver, b->unsaved);
	words_release(&b->opened);
	rows_view_release(&b->view);
	free(b->asked);
	free(b->name);
	free(b);
}

static const enum request menu[] = {
	REQ_ANNOTATE,	REQ_BUTTERFLY,	  REQ_SAMPLES,	    REQ_JUMP,	     REQ_GO_BACK,
	REQ_TOGGLE,	REQ_EXPAND_ENTRY, REQ_ZOOM_THREAD,  REQ_ZOOM_DSO,    REQ_ZOOM_KERNEL,
	REQ_ONLY,	REQ_HIDE,	  REQ_FILTER,	    REQ_PERCENTAGE,  REQ_SORT,
	REQ_COLUMNS,	REQ_HIERARCHY,	  REQ_CHILDREN,	    REQ_CHAIN_ORDER, REQ_PERCENT_LIMIT,
	REQ_EXPAND_ALL, REQ_COLLAPSE_ALL, REQ_MODULES,	    REQ_INLINES,     REQ_PATHS,
	REQ_FULL_NAMES, REQ_COPY_ROW,	  REQ_HEADER,	    REQ_TRUST,	     REQ_MISSING,
	REQ_PROBE,	REQ_HEADER_INFO,  REQ_PRINT,	    REQ_SWITCH_FILE, REQ_COMPARE_FILE,
	REQ_MERGE_FILE, REQ_RECORD_AGAIN, REQ_COPY_COMMAND, REQ_NONE,
};

static const struct rows_room rooms[] = {
	{ "overhead", .hide = 1 }, /* next to children only */
	{ "comm", .min = 6, .hide = 3 },
	{ "dso", .min = 17, .hide = 2 },
	{ "pid", .min = 12, .hide = 5 },
	{ "sample", .hide = 4 },
	{ "period", .hide = 4 },
	{ "symbol", .min = 20 },
	{ NULL },
};

static const struct ptui_event_info *event_shown(void *self)
{
	return browser_event(self);
}

/* For the annotate screen, which is above this one. */
static struct ptui_profile *newest(void *self, uint64_t *ret_generation)
{
	const struct browser_screen *b = self;

	*ret_generation = b->generation;
	return ptui_profile_ref(b->model->profile);
}

static void code_of_row(void *self, uint64_t node, struct annotate_opts *ret)
{
	struct browser_screen *b = self;
	const struct browser_opts *o = &b->model->opts;

	(void)node;
	*ret = (struct annotate_opts){
		.where = browser_crumbs(b, CRUMBS_COLUMNS, b->where, sizeof(b->where)),
		.path = browser_path(b),
		.profile = ptui_profile_ref(b->model->profile),
		.newest = b->loading ? newest : NULL,
		.ctx = b,
		.event = browser_tab_event(b->model),
		.only = b->view.look->only,
		.parent = o->hist.parent,
		.since_ns = o->hist.since_ns,
		.probe_then = browser_probe_then(b),
	};
}

/* As in perf, digits sort a group by one of its events. */
static bool has_key(void *self, key_code key)
{
	struct browser_screen *b = self;

	return key >= '0' && key <= '9' && browser_is_grouped(b->model);
}

static unsigned sort_by_event(void *self, key_code key)
{
	struct browser_screen *b = self;
	const struct rows *rows = b->view.rows;
	unsigned event = (unsigned)(key - '0');
	const struct ptui_hist *h = rows ? rows_hist(rows) : NULL;

	if (!has_key(self, key) || !h)
		return WISH_PASS;
	if (event >= ptui_hist_n_grouped(h))
		return stack_say(b->stack, ROLE_NOTE, _("The group has no event number %u."),
				 event);
	b->view.look->group_sort = event;
	b->view.look->order = (struct rows_order){ "", false };
	b->view.to_top = true;
	stack_say(b->stack, ROLE_NOTE, _("Sorted by event %u of the group: %s"), event,
		  ptui_profile_event(b->model->profile,
				     ptui_hist_event(ptui_hist_grouped(h, event)))
			  ->name);
	return rows_view_changed(&b->view);
}

static void butterfly_of_row(void *self, uint64_t node, struct butterfly_opts *ret)
{
	const struct browser_screen *b = self;

	(void)node;
	*ret = (struct butterfly_opts){ .hist = b->model->opts.hist, .look = *b->view.look };
	/* of a group, the event that the rows are sorted by */
	ret->hist.event = ptui_hist_event(
		ptui_hist_grouped(rows_hist(b->view.rows), b->view.look->group_sort));
}

static const char *copy_note(void *self, char *buf, size_t size)
{
	return browser_loaded_text(self, buf, size);
}

static struct ptui_profile *profile_shown(void *self, uint32_t *ret_event)
{
	struct browser_screen *b = self;

	*ret_event = browser_tab_event(b->model);
	return b->model->profile;
}

static void keys_chosen(void *self)
{
	struct browser_screen *b = self;

	b->chosen = true;
}

static const enum request screen_hints[] = {
	REQ_OPEN,	  REQ_EXPAND_ENTRY, REQ_ANNOTATE, REQ_SEARCH, REQ_MENU,	    REQ_NEXT_EVENT,
	REQ_ZOOM_DSO,	  REQ_ZOOM_THREAD,  REQ_FILTER,	  REQ_SORT,   REQ_CHILDREN, REQ_TRUST,
	REQ_RECORD_AGAIN, REQ_HELP,	    REQ_BACK,	  REQ_NONE,
};

static const struct screen_ops screen_ops = {
	.title = N_("Browser"),
	.keymap = KEYMAP_BROWSER,
	.hints = screen_hints,
	.recalc = browser_recalc,
	.head = browser_head,
	.draw = rows_view_draw_screen,
	.request = browser_request,
	.can = browser_can,
	.has_key = has_key,
	.key = sort_by_event,
	.mouse = rows_view_mouse,
	.head_mouse = rows_view_head_mouse,
	.finish = screen_finish,
	.close = screen_close,
};

static const struct rows_view_ops view_ops = {
	.screen = &screen_ops,
	.menu = menu,
	.rooms = rooms,
	.job = browser_job,
	.counting_ops = &browser_counting,
	.shown = browser_shown,
	.event = event_shown,
	.profile = profile_shown,
	.loads = browser_loads,
	.sorted = keys_chosen,
	.print_head = browser_print_head,
	.copy_note = copy_note,
	.draw_info = browser_draw_info,
	.draw_empty = browser_draw_empty,
	.draw_note = browser_draw_trust,
	.code = code_of_row,
	.butterfly = butterfly_of_row,
};

struct browser_screen *browser_replace(struct stack *s, void *instead, struct ptui_profile *p,
				       const char *name, const struct browser_opts *opts,
				       struct browser_loading *loading, struct ptui_error *err)
{
	struct browser_screen *b = calloc(1, sizeof(*b));
	struct browser_opts own = *opts;

	if (!b || rows_view_init(&b->view, s, &view_ops, b, false)) {
		free(b);
		ptui_error_nomem(err);
		return NULL;
	}
	own.unsaved = NULL; /* a recording opened from here is another one */
	b->stack = s;
	b->saver = (struct sample_saver){ .stack = s, .done = browser_saved, .ctx = b };
	b->view.tree.table.follow_first = true;
	b->view.tree.slice_ns = ROWS_SLICE_NS;
	b->view.tree.asks = true;
	b->name = strdup(name);
	b->model = browser_new(p, &own, err);
	if (!b->name || !b->model) {
		screen_close(b);
		ptui_error_nomem(err);
		return NULL;
	}
	b->view.tabs = &b->model->tabs;
	b->view.look = &b->view.tabs->look;
	if (!opts->hist.sort && !opts->hist.fields)
		load_choices(b);
	b->loading = loading;
	if (loading)
		browser_loading_to(loading, b);
	if (instead ? stack_replace(s, instead, &screen_ops, b) : stack_push(s, &screen_ops, b)) {
		ptui_error_nomem(err);
		return NULL;
	}
	rows_view_count(&b->view);
	b->unsaved = opts->unsaved;
	if (own.annotates)
		rows_view_annotate(&b->view, own.symbol);
	return b;
}

int browser_open(struct stack *s, struct ptui_profile *p, const char *name,
		 const struct browser_opts *opts, struct ptui_error *err)
{
	return browser_replace(s, NULL, p, name, opts, NULL, err) ? 0 : -ENOMEM;
}
