/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/snapshots/snapshots.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/report_line.h"
#include "text/i18n.h"
#include "text/strings.h"
#include "view/browser/browser.h"
#include "view/compare/compare.h"
#include "view/copy_row.h"
#include "view/snapshots/snapshots_private.h"

#define MERGED_NAMES 4 /* numbers in the name of merged snapshots */

struct snapshot_row *snapshots_here(const struct snapshots_view *v)
{
	return snapshot_list_get(v->list, v->table.cursor);
}

/* ---- opening ---- */

static unsigned open_row(struct snapshots_view *v, struct snapshot_row *r)
{
	struct browser_load load = {
		.path = r->path,
		.opts = BROWSER_OPTS_INIT,
	};
	struct ptui_error err = PTUI_ERROR_INIT;
	char label[256];

	if (!r->path)
		return stack_note(
			v->stack,
			_("It has no file of its own: its samples are in the file of the recording."));
	if (stack_raise_tab(v->stack, r->tab))
		return WISH_REDRAW;
	if (browser_load_open(v->stack, &load, &err))
		return stack_say(v->stack, ROLE_BAD, "%s", err.text);
	r->tab = stack_make_tab(v->stack, NULL, snapshot_list_label(r, label, sizeof(label)));
	return WISH_REDRAW;
}

/* ---- names and marks ---- */

static unsigned name_done(void *ctx, const char *line)
{
	struct snapshots_view *v = ctx;
	struct snapshot_row *r = snapshot_list_find(v->list, v->asked);
	char label[256];

	if (!line || !r)
		return WISH_REDRAW;
	if (snapshot_row_name(r, line + strspn(line, " ")))
		return stack_no_memory(v->stack);
	stack_name_tab(v->stack, r->tab, snapshot_list_label(r, label, sizeof(label)));
	return WISH_RECALC;
}

static unsigned prompt_name(struct snapshots_view *v, const struct snapshot_row *r)
{
	char label[64];
	const struct prompt_opts opts = {
		.label = label, .line = r->name, .history = &v->names, .done = name_done, .ctx = v
	};

	snprintf(label, sizeof(label), _("name of #%zu: "), r->number);
	v->asked = r->number;
	return prompt_open(v->stack, &opts);
}

static unsigned mark(struct snapshots_view *v, struct snapshot_row *r)
{
	if (!snapshot_list_mark(v->list, r))
		return stack_note(v->stack,
				  _("It has no file of its own, so it cannot be compared."));
	return WISH_REDRAW;
}

static unsigned compare(struct snapshots_view *v)
{
	char before_name[256], after_name[256], name[64];
	struct ptui_error err = PTUI_ERROR_INIT;
	struct compare_view_opts opts = { 0 };
	struct snapshot_row *two[2];

	if (!snapshot_list_pair(v->list, snapshots_here(v), two))
		return stack_note(
			v->stack,
			_("Mark one snapshot (*), then go to the other to compare them."));
	opts.before_path = two[0]->path;
	opts.after_path = two[1]->path;
	opts.before_name = snapshot_list_label(two[0], before_name, sizeof(before_name));
	opts.after_name = snapshot_list_label(two[1], after_name, sizeof(after_name));
	if (compare_view_open(v->stack, &opts, &err))
		return stack_say(v->stack, ROLE_BAD, "%s", err.text);
	snprintf(name, sizeof(name), "#%zu → #%zu", two[0]->number, two[1]->number);
	stack_make_tab(v->stack, NULL, name);
	return WISH_REDRAW;
}

/* "#1 + #3", "#1 … #9 (7)" */
static void merged_name(const struct snapshot_row *const *rows, size_t n, char *buf, size_t size)
{
	*buf = '\0';
	for (size_t i = 0; i < n && n <= MERGED_NAMES; i++)
		text_join(buf, size, " + ", "#%zu", rows[i]->number);
	if (n > MERGED_NAMES)
		snprintf(buf, size, "#%zu … #%zu (%zu)", rows[0]->number, rows[n - 1]->number, n);
}

static unsigned merge(struct snapshots_view *v)
{
	const struct snapshot_row *rows[SNAPSHOT_ROWS_MAX];
	const char *paths[SNAPSHOT_ROWS_MAX];
	size_t n = snapshot_list_merged(v->list, snapshots_here(v), rows);
	struct ptui_error err = PTUI_ERROR_INIT;
	char name[64];
	struct browser_load load = {
		.name = name,
		.opts = BROWSER_OPTS_INIT,
	};

	if (n < 2)
		return stack_say(v->stack, ROLE_NOTE,
				 _("Fewer than two snapshots have files that could be merged."));
	for (size_t i = 0; i < n; i++)
		paths[i] = rows[i]->path;
	merged_name(rows, n, name, sizeof(name));
	load.path = paths[0];
	load.load.more = paths + 1;
	load.load.n_more = n - 1;
	load.opts.no_file = true;
	if (browser_load_open(v->stack, &load, &err))
		return stack_say(v->stack, ROLE_BAD, "%s", err.text);
	stack_make_tab(v->stack, NULL, name);
	return WISH_REDRAW;
}

static unsigned copy_report(struct snapshots_view *v, const struct snapshot_row *r)
{
	const struct report_line line = { .path = r->path };
	struct words words = WORDS_INIT;

	if (!line.path)
		return stack_note(v->stack, _("It has no file of its own."));
	report_line_words(&line, &words);
	return copy_command(v->stack, &words);
}

/* ---- requests ---- */

static unsigned row_request(struct snapshots_view *v, enum request req, struct snapshot_row *r)
{
	switch (req) {
	case REQ_OPEN_SNAPSHOT:
		return open_row(v, r);
	case REQ_MARK_SNAPSHOT:
		return mark(v, r);
	case REQ_NAME_SNAPSHOT:
		return prompt_name(v, r);
	case REQ_SAVE_SNAPSHOT:
		return snapshots_ask_path(v, r);
	case REQ_DELETE_SNAPSHOT:
		return snapshots_ask_delete(v, r);
	case REQ_COPY_COMMAND:
		return copy_report(v, r);
	default:
		return WISH_PASS;
	}
}

static bool can(void *self, enum request req)
{
	const struct snapshots_view *v = self;
	const struct snapshot_row *rows[SNAPSHOT_ROWS_MAX];
	struct snapshot_row *r = snapshots_here(v), *two[2];

	switch (req) {
	case REQ_MERGE_SNAPSHOTS:
		return snapshot_list_merged(v->list, r, rows) > 1;
	case REQ_COMPARE_SNAPSHOTS:
		return snapshot_list_pair(v->list, r, two);
	case REQ_SNAPSHOT:
		return v->recorder.can && v->recorder.can(v->recorder.ctx);
	case REQ_NAME_SNAPSHOT:
	case REQ_SEARCH:
	case REQ_SEARCH_NEXT:
	case REQ_SEARCH_PREV:
		return r;
	case REQ_OPEN_SNAPSHOT:
	case REQ_MARK_SNAPSHOT:
	case REQ_SAVE_SNAPSHOT:
	case REQ_DELETE_SNAPSHOT:
	case REQ_COPY_COMMAND:
		return r && r->path;
	default:
		return true;
	}
}

static unsigned take_snapshot(struct snapshots_view *v)
{
	if (v->recorder.take) {
		v->follow_from = v->list->taken + 1;
		return v->recorder.take(v->recorder.ctx);
	}
	return stack_note(v->stack,
			  _("The recording has ended: snapshots can no longer be taken."));
}

static unsigned request(void *self, enum request req)
{
	struct snapshots_view *v = self;

	if (req == REQ_SNAPSHOT)
		return take_snapshot(v);
	if (req == REQ_BACK && v->saving) {
		worker_cancel(v->saving);
		return WISH_REDRAW;
	}
	if (req == REQ_COMPARE_SNAPSHOTS)
		return compare(v);
	if (req == REQ_MERGE_SNAPSHOTS)
		return merge(v);
	return snapshots_here(v) ? row_request(v, req, snapshots_here(v)) : WISH_PASS;
}

/* ---- open, close ---- */

static void recalc(void *self)
{
	struct snapshots_view *v = self;

	snapshots_set_columns(v);
	table_recalc(&v->table);
	if (v->follow_from && v->list->taken >= v->follow_from && v->list->n) {
		v->follow_from = 0;
		table_move_to(&v->table, 0); /* the newest */
	}
}

static void close_view(void *self)
{
	struct snapshots_view *v = self;

	if (v->recorder.closed)
		v->recorder.closed(v->recorder.ctx);
	worker_abandon(&v->saving);
	free(v->save_to);
	find_release(&v->find);
	words_release(&v->names);
	words_release(&v->paths);
	snapshot_list_unref(v->list);
	free(v);
}

static const enum request hints[] = {
	REQ_SNAPSHOT,
	REQ_OPEN_SNAPSHOT,
	REQ_MARK_SNAPSHOT,
	REQ_COMPARE_SNAPSHOTS,
	REQ_NAME_SNAPSHOT,
	REQ_SAVE_SNAPSHOT,
	REQ_DELETE_SNAPSHOT,
	REQ_SEARCH,
	REQ_HELP,
	REQ_BACK,
	REQ_NONE,
};

static const struct screen_ops screen = {
	.title = N_("Snapshots"),
	.keymap = KEYMAP_SNAPSHOTS,
	.hints = hints,
	.recalc = recalc,
	.head = snapshots_draw_head,
	.draw = snapshots_draw,
	.request = request,
	.can = can,
	.table = offsetof(struct snapshots_view, table),
	.find = offsetof(struct snapshots_view, find),
	.opens = REQ_OPEN_SNAPSHOT,
	.close = close_view,
};

static const struct box boxes[N_SNAPSHOTS_BOXES] = {
	[BOX_ROWS] = { .size = 4, .fill = true },
	[BOX_RULE] = { .size = 1, .hide = 2 },
	[BOX_DETAILS] = { .size = 4, .hide = 1 },
};

struct snapshots_view *snapshots_view_open(struct stack *s, struct snapshot_list *list,
					   const struct snapshots_recorder *r,
					   struct ptui_error *err)
{
	struct snapshots_view *v = calloc(1, sizeof(*v));

	if (!v) {
		ptui_error_nomem(err);
		return NULL;
	}
	v->stack = s;
	v->list = snapshot_list_ref(list);
	find_init_table(&v->find, s, &v->table);
	table_init(&v->table, &snapshots_table_ops, v);
	memcpy(v->boxes, boxes, sizeof(boxes));
	if (stack_push(s, &screen, v)) {
		ptui_error_nomem(err);
		return NULL;
	}
	v->recorder = *r;
	stack_make_tab(s, v, _("Snapshots"));
	return v;
}

/* At once: keys may come before the next draw, and the table must not refer to removed rows. */
void snapshots_view_changed(struct snapshots_view *v)
{
	recalc(v);
	stack_wish(v->stack, v, WISH_REDRAW);
}

void snapshots_view_left_alone(struct snapshots_view *v)
{
	memset(&v->recorder, 0, sizeof(v->recorder));
	stack_wish(v->stack, v, WISH_REDRAW);
}
