/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/picker/picker.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptui/doctor.h"
#include "text/i18n.h"
#include "view/picker/picker_private.h"
#include "widget/popup.h"

#define AT_ONCE 32 /* events tried per thread */

const struct picker_row *picker_current(const struct picker_screen *v)
{
	return picker_row(&v->picker, v->table.cursor);
}

/* The first event, below its heading, until a key or a click. */
static void go_to_start(struct picker_screen *v)
{
	const struct picker *p = &v->picker;

	table_recalc(&v->table);
	if (v->opts.where && p->n_marks)
		table_move_to(&v->table, table_row_of(&v->table, (uintptr_t)p->marks[0]));
	else
		table_move_to(&v->table, picker_row(p, 1)->entry ? 1 : 0);
	v->table.top = 0; /* show the heading if there is room */
	v->table.moved = false;
}

/*
 * ---- which events this machine supports ----
 *
 * That is known after opening one. Closing a tracepoint takes the kernel tens of milliseconds, so
 * events are tried in a thread, a few at a time, tracepoints only if marked or under the cursor.
 */

struct trying {
	int (*try_event)(const char *event, struct ptui_error *why);
	size_t n;
	struct {
		struct picker_entry *entry;
		char *text;
		enum picker_state state;
		struct ptui_error why;
	} v[AT_ONCE];
};

/* In the thread. */
static void try_run(void *task, struct worker *w)
{
	struct trying *t = task;

	for (size_t i = 0; i < t->n && !worker_is_cancelled(w); i++)
		t->v[i].state = t->try_event(t->v[i].text, &t->v[i].why) ? PICKER_REFUSED :
									   PICKER_AVAILABLE;
}

static void try_release(void *task)
{
	struct trying *t = task;

	for (size_t i = 0; i < t->n; i++)
		free(t->v[i].text);
	free(t);
}

static void try_done(void *task, void *owner)
{
	struct picker_screen *v = owner;
	struct trying *t = task;

	for (size_t i = 0; i < t->n; i++) {
		const struct ptui_error *why = &t->v[i].why;
		char *text = picker_text(t->v[i].entry);
		char reason[sizeof(*why)];

		snprintf(reason, sizeof(reason), "%s%s%s", why->text, *why->hint ? "\n" : "",
			 why->hint);
		/* the mark may have changed since: then the result is for another selector */
		if (text && !strcmp(text, t->v[i].text))
			picker_set_state(&v->picker, t->v[i].entry, t->v[i].state, reason);
		free(text);
	}
	if (v->picker.available_only || *v->picker.search)
		picker_rebuild(&v->picker); /* without memory some are missing */
	stack_wish(v->stack, v, WISH_RECALC);
}

static void add_text(struct trying *t, struct picker_entry *e)
{
	if (e->state != PICKER_UNTRIED || t->n == AT_ONCE)
		return;
	for (size_t i = 0; i < t->n; i++)
		if (t->v[i].entry == e)
			return;
	t->v[t->n].entry = e;
	t->v[t->n].text = picker_text(e);
	t->n += t->v[t->n].text != NULL;
}

/*
 * Tries events in a thread, if none is running: first the one under the cursor, then the marked
 * ones, then the catalog, except for those that are slow to close.
 */
static void try_next(struct picker_screen *v)
{
	static const struct worker_ops ops = { try_run, try_done, try_release };
	struct picker *p = &v->picker;
	struct picker_entry *looked_at = v->settle ? NULL : picker_current(v)->entry;
	struct trying *t = v->trier ? NULL : calloc(1, sizeof(*t));

	if (!t)
		return;
	t->try_event = v->opts.try_event ? v->opts.try_event : ptui_event_try;
	if (looked_at)
		add_text(t, looked_at);
	for (size_t i = 0; i < p->n_marks; i++)
		add_text(t, p->marks[i]);
	for (bool any = t->n; !any && v->try_from < p->n_entries && t->n < AT_ONCE; v->try_from++)
		if (!p->entries[v->try_from]->try_late)
			add_text(t, p->entries[v->try_from]);
	if (t->n)
		worker_start(&v->trier, stack_loop(v->stack), &ops, t, v, NULL);
	else
		free(t);
	if (v->trier || !v->checking)
		return;
	/* rows move only once, when all is known */
	v->checking = false;
	picker_rebuild(p);
	table_recalc(&v->table);
	if (!v->table.moved)
		go_to_start(v);
	picker_describe(v, false);
}

static void recalc(void *self)
{
	struct picker_screen *v = self;

	table_recalc(&v->table);
	if (v->loader)
		return;
	picker_describe(v, false);
	try_next(v);
	picker_preview_update(v);
}

unsigned picker_changed(struct picker_screen *v, int failed)
{
	table_recalc(&v->table);
	return failed ? WISH_RECALC | WISH_NO_MEM : WISH_RECALC;
}

/* ---- search ---- */

static void show_matching(void *ctx)
{
	struct picker_screen *v = ctx;

	if (picker_rebuild(&v->picker))
		stack_no_memory(v->stack);
}

/* Not a heading: for Space and Enter. */
static bool is_entry(void *ctx, size_t row)
{
	return picker_row(&((struct picker_screen *)ctx)->picker, row)->entry;
}

/* Ends a search. Of all rows, the cursor stays on its entry. */
static unsigned show(struct picker_screen *v, bool marked_only)
{
	const struct picker_entry *e = picker_current(v)->entry;

	v->picker.marked_only = marked_only;
	if (e && !marked_only)
		picker_reveal(e);
	return filter_show(&v->filter, "");
}

/* ---- headings ---- */

/* As in a tree: Right opens a heading or enters it, Left closes it, also from its entries. */
static unsigned open_or_close(struct picker_screen *v, bool open)
{
	struct picker *p = &v->picker;
	const struct picker_row *r = picker_current(v);
	bool is_opened = !r->entry && r->heading && picker_is_open(p, r->heading);
	size_t row = v->table.cursor;
	unsigned wishes;

	if (open && r->entry && !v->table.is_cut)
		return WISH_NONE;
	if (*p->search || !r->heading || (open && r->entry) || (!open && v->table.skip))
		return table_request(&v->table, open ? REQ_RIGHT : REQ_LEFT);
	if (open && is_opened)
		return table_request(&v->table, REQ_DOWN) | WISH_RECALC;
	if (!open && !is_opened)
		row = picker_above(p, row);
	wishes = picker_changed(v, picker_set_open(p, picker_row(p, row)->heading, open));
	table_move_to(&v->table, row);
	return wishes;
}

/* ---- marks ---- */

static unsigned toggle(struct picker_screen *v)
{
	return picker_changed(v, picker_toggle(&v->picker, v->table.cursor));
}

static unsigned toggle_and_down(struct picker_screen *v)
{
	bool down = picker_current(v)->entry && !v->picker.marked_only;
	unsigned wishes = toggle(v);

	return down ? wishes | table_request(&v->table, REQ_DOWN) : wishes;
}

static unsigned return_marks(struct picker_screen *v)
{
	const struct words *marks = picker_marked(&v->picker);

	if (!marks)
		return WISH_NO_MEM;
	v->opts.done(v->opts.ctx, marks);
	return WISH_POP;
}

/* Enter takes the marks; if the user changed none, the cursor row in addition. */
static unsigned accept_marks(struct picker_screen *v)
{
	const struct picker_entry *e = picker_current(v)->entry;

	if (!e && !v->picker.marked_only)
		return toggle(v);
	if (e && !e->mark && (!v->picker.touched || !v->picker.n_marks))
		picker_toggle(&v->picker, v->table.cursor);
	return return_marks(v);
}

/* ---- requests ---- */

/* True if events, modifiers, groups or filters differ from the initial ones. */
static bool is_changed(struct picker_screen *v)
{
	const struct words *marks = picker_marked(&v->picker);
	bool changed = !marks || marks->n != v->before.n;

	for (size_t i = 0; !changed && i < marks->n; i++)
		changed = strcmp(marks->v[i], v->before.v[i]) != 0;
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

static unsigned request(void *self, enum request req)
{
	static unsigned (*const requests[N_REQUESTS])(struct picker_screen * v) = {
		[REQ_MARK] = toggle_and_down,
		[REQ_OPEN] = toggle, /* a click on the cursor row */
		[REQ_TAKE] = accept_marks,
		[REQ_TYPE_EVENT] = picker_ask_type,
		[REQ_GROUP_EVENTS] = picker_group_events,
		[REQ_DETAILS] = picker_details_open,
		[REQ_PREVIEW] = picker_preview_toggle,
		[REQ_TAKE_GROUPS] = picker_preview_take_groups,
	};
	struct picker_screen *v = self;
	struct picker *p = &v->picker;

	if (v->loader)
		return WISH_PASS;
	v->table.moved = true;
	switch (req) {
	case REQ_CLOSE_HEADING:
	case REQ_OPEN_HEADING:
		return open_or_close(v, req == REQ_OPEN_HEADING);
	case REQ_MODIFIERS:
		return picker_ask(v, PICKER_MODIFIERS);
	case REQ_EVENT_RATE:
		return picker_ask(v, PICKER_RATE);
	case REQ_EVENT_FILTER:
		return picker_ask(v, PICKER_FILTER);
	case REQ_AVAILABLE_ONLY:
		p->available_only = !p->available_only;
		return picker_changed(v, picker_rebuild(p));
	case REQ_MARKED_ONLY:
		return show(v, !p->marked_only);
	case REQ_BACK:
		if (!*p->search && !p->marked_only)
			return leave_picker(v);
		return show(v, *p->search && p->marked_only);
	default: /* the cursor may have moved */
		return requests[req] ? requests[req](v) :
				       filter_request(&v->filter, req) | WISH_RECALC;
	}
}

static unsigned mouse(void *self, const struct term_event *e)
{
	return table_mouse(&((struct picker_screen *)self)->table, e) | WISH_RECALC;
}

/* Kept until the catalog is loaded. */
static unsigned key(void *self, key_code code)
{
	struct picker_screen *v = self;

	if (!v->loader)
		return WISH_PASS;
	if (v->n_early < EARLY_MAX)
		v->early[v->n_early++] = code;
	return WISH_NONE;
}

/* All keys after the first one, in their order; but it can be left. */
static bool has_key(void *self, key_code code)
{
	const struct picker_screen *v = self;

	return v->loader && v->n_early &&
	       keymaps_find(stack_keys(v->stack), KEYMAP_PICKER, code) != REQ_QUIT;
}

static void close_screen(void *self)
{
	struct picker_screen *v = self;

	worker_abandon(&v->loader);
	picker_preview_stop(v);
	worker_abandon(&v->trier);
	picker_details_release(v);
	picker_release(&v->picker);
	words_release(&v->before);
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
	.key = key,
	.has_key = has_key,
	.mouse = mouse,
	.close = close_screen,
};

/* ---- the catalog: read in a thread, since the kernel may take a while to list its tracepoints ---- */

struct loading {
	struct picker picker;
	int failed;
};

static struct loading *loading_new(void)
{
	struct loading *l = calloc(1, sizeof(*l));

	if (l)
		l->picker.search = "";
	return l;
}

static void load_run(void *task, struct worker *w)
{
	struct loading *l = task;

	(void)w;
	l->failed = picker_load(&l->picker);
}

static void load_release(void *task)
{
	struct loading *l = task;

	picker_release(&l->picker);
	free(l);
}

/* Marks the events that the screen was opened with. 0 or -ENOMEM. */
static int set_catalog(struct picker_screen *v, struct picker *loaded)
{
	int failed;

	v->picker = *loaded;
	*loaded = (struct picker){ .search = "" };
	v->picker.search = v->table.search;
	failed = picker_mark_all(&v->picker, &v->before) || !picker_marked(&v->picker);
	words_release(&v->before);
	return failed || words_add_all(&v->before, &v->picker.texts) ? -ENOMEM : 0;
}

static void load_done(void *task, void *owner)
{
	struct picker_screen *v = owner;
	struct loading *l = task;
	struct stack *s = v->stack;
	key_code early[EARLY_MAX];
	size_t n = v->n_early;

	if (l->failed || set_catalog(v, &l->picker)) {
		stack_no_memory(s);
		stack_remove(s, v);
		return;
	}
	if (v->opts.preview)
		picker_preview_toggle(v);
	go_to_start(v);
	stack_wish(s, v, WISH_RECALC);
	/* they may open or close something */
	memcpy(early, v->early, sizeof(early));
	for (size_t i = 0; i < n; i++)
		stack_event(s, &(struct term_event){ .kind = TERM_KEY, .key = early[i] });
}

static void read_once(void *loading)
{
	load_run(loading, NULL);
	load_release(loading);
}

void picker_prepare(void)
{
	worker_put_away(read_once, loading_new());
}

static bool start_loading(struct picker_screen *v)
{
	static const struct worker_ops ops = { load_run, load_done, load_release };
	struct loading *l = loading_new();

	return l && worker_start(&v->loader, stack_loop(v->stack), &ops, l, v, NULL);
}

int picker_open(struct stack *s, const struct picker_opts *opts, struct ptui_error *err)
{
	struct picker_screen *v = calloc(1, sizeof(*v));

	if (!v)
		return ptui_error_nomem(err);
	v->stack = s;
	v->opts = *opts;
	v->checking = true;
	v->filter = (struct filter){
		.stack = s, .table = &v->table, .show = show_matching, .is_entry = is_entry
	};
	table_init(&v->table, &picker_row_ops, v);
	v->table.header = false;
	v->picker.search = v->table.search;
	if (!picker_details_init(v) || words_add_all(&v->before, opts->marks) ||
	    !start_loading(v)) {
		close_screen(v);
		return ptui_error_nomem(err);
	}
	return stack_push(s, &screen, v) ? ptui_error_nomem(err) : 0;
}
