/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/snapshots/snapshots.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/report_line.h"
#include "text/i18n.h"
#include "view/browser/browser.h"
#include "view/compare/compare.h"
#include "view/copy_row.h"
#include "view/snapshots/snapshots_private.h"
#include "widget/popup.h"

#define MERGED_NAMES 4 /* numbers in the name of merged snapshots */

bool snapshots_here(const struct snapshots_view *v, size_t *ret_row)
{
	*ret_row = v->table.cursor;
	return v->table.cursor < snapshot_list_n(v->list);
}

/* ---- opening ---- */

/* The list may be closed by then. */
static void not_loaded(void *ctx, int ret, const struct ptui_error *err)
{
	if (ret != -ECANCELED)
		popup_error(ctx, err);
}

static unsigned open_row(struct snapshots_view *v, size_t row)
{
	const struct snapshot_row *r = snapshot_list_get(v->list, row);
	struct browser_load load = {
		.path = r->path,
		.opts = BROWSER_OPTS_INIT,
		.failed = not_loaded,
		.ctx = v->stack,
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
	snapshot_list_set_tab(v->list, row,
			      stack_make_tab(v->stack, NULL,
					     snapshot_list_label(r, label, sizeof(label))));
	return WISH_REDRAW;
}

/* ---- names and marks ---- */

static unsigned name_done(void *ctx, const char *line)
{
	struct snapshots_view *v = ctx;
	size_t row = snapshot_list_find(v->list, v->asked);
	const struct snapshot_row *r;
	char label[256];

	if (!line || row == SIZE_MAX)
		return WISH_REDRAW;
	line += strspn(line, " ");
	if (snapshot_list_name(v->list, row, line))
		return stack_no_memory(v->stack);
	r = snapshot_list_get(v->list, row);
	stack_name_tab(v->stack, r->tab, snapshot_list_label(r, label, sizeof(label)));
	return WISH_RECALC;
}

static unsigned prompt_name(struct snapshots_view *v, size_t row)
{
	const struct snapshot_row *r = snapshot_list_get(v->list, row);
	char label[64];
	const struct prompt_opts opts = {
		.label = label, .line = r->name, .history = &v->names, .done = name_done, .ctx = v
	};

	snprintf(label, sizeof(label), _("name of #%zu: "), r->number);
	v->asked = r->number;
	return prompt_open(v->stack, &opts);
}

static unsigned mark(struct snapshots_view *v, size_t row)
{
	if (!snapshot_list_mark(v->list, row))
		return stack_note(v->stack,
				  _("It has no file of its own, so it cannot be compared."));
	return WISH_REDRAW;
}

static unsigned compare(struct snapshots_view *v)
{
	char before_name[256], after_name[256], name[64];
	const struct snapshot_row *before, *after;
	struct ptui_error err = PTUI_ERROR_INIT;
	struct compare_view_opts opts = { 0 };
	size_t first, second;

	if (!snapshot_list_pair(v->list, v->table.cursor, &first, &second))
		return stack_note(
			v->stack,
			_("Mark one snapshot (*), then go to the other to compare them."));
	before = snapshot_list_get(v->list, first);
	after = snapshot_list_get(v->list, second);
	opts.before_path = before->path;
	opts.after_path = after->path;
	opts.before_name = snapshot_list_label(before, before_name, sizeof(before_name));
	opts.after_name = snapshot_list_label(after, after_name, sizeof(after_name));
	if (compare_view_open(v->stack, &opts, &err))
		return stack_say(v->stack, ROLE_BAD, "%s", err.text);
	snprintf(name, sizeof(name), "#%zu → #%zu", before->number, after->number);
	stack_make_tab(v->stack, NULL, name);
	return WISH_REDRAW;
}

/* "#1 + #3", "#1 … #9 (7)" */
static void merged_name(const struct snapshots_view *v, const size_t *rows, size_t n, char *buf,
			size_t size)
{
	size_t len = 0;

	if (n > MERGED_NAMES) {
		snprintf(buf, size, "#%zu … #%zu (%zu)",
			 snapshot_list_get(v->list, rows[0])->number,
			 snapshot_list_get(v->list, rows[n - 1])->number, n);
		return;
	}
	for (size_t i = 0; i < n && len < size; i++)
		len += (size_t)snprintf(buf + len, size - len, "%s#%zu", i ? " + " : "",
					snapshot_list_get(v->list, rows[i])->number);
}

static unsigned merge(struct snapshots_view *v)
{
	const char *paths[SNAPSHOT_ROWS_MAX];
	struct ptui_error err = PTUI_ERROR_INIT;
	size_t rows[SNAPSHOT_ROWS_MAX], n;
	char name[64];
	struct browser_load load = {
		.name = name,
		.opts = BROWSER_OPTS_INIT,
		.failed = not_loaded,
		.ctx = v->stack,
	};

	n = snapshot_list_merged(v->list, v->table.cursor, rows);
	if (n < 2)
		return stack_say(v->stack, ROLE_NOTE,
				 _("Fewer than two snapshots have files that could be merged."));
	for (size_t i = 0; i < n; i++)
		paths[i] = snapshot_list_get(v->list, rows[i])->path;
	merged_name(v, rows, n, name, sizeof(name));
	load.path = paths[0];
	load.load.more = paths + 1;
	load.load.n_more = n - 1;
	load.opts.no_file = true;
	if (browser_load_open(v->stack, &load, &err))
		return stack_say(v->stack, ROLE_BAD, "%s", err.text);
	stack_make_tab(v->stack, NULL, name);
	return WISH_REDRAW;
}

static unsigned copy_report(struct snapshots_view *v, size_t row)
{
	const struct report_line line = { .path = snapshot_list_get(v->list, row)->path };
	struct words words = WORDS_INIT;

	if (!line.path)
		return stack_note(v->stack, _("It has no file of its own."));
	return copy_command(v->stack, &words, report_line_words(&line, &words));
}

/* ---- requests ---- */

static unsigned row_request(struct snapshots_view *v, enum request req, size_t row)
{
	switch (req) {
	case REQ_OPEN_SNAPSHOT:
		return open_row(v, row);
	case REQ_MARK_SNAPSHOT:
		return mark(v, row);
	case REQ_NAME_SNAPSHOT:
		return prompt_name(v, row);
	case REQ_SAVE_SNAPSHOT:
		return snapshots_ask_path(v, row);
	case REQ_DELETE_SNAPSHOT:
		return snapshots_ask_delete(v, row);
	case REQ_COPY_COMMAND:
		return copy_report(v, row);
	default:
		return WISH_PASS;
	}
}

static bool can(void *self, enum request req)
{
	const struct snapshots_view *v = self;
	size_t row, other, rows[SNAPSHOT_ROWS_MAX];

	switch (req) {
	case REQ_MERGE_SNAPSHOTS:
		return snapshot_list_merged(v->list, v->table.cursor, rows) > 1;
	case REQ_COMPARE_SNAPSHOTS:
		return snapshot_list_pair(v->list, v->table.cursor, &row, &other);
	case REQ_SNAPSHOT:
		return v->recorder.can && v->recorder.can(v->recorder.ctx);
	case REQ_NAME_SNAPSHOT:
	case REQ_SEARCH:
	case REQ_SEARCH_NEXT:
	case REQ_SEARCH_PREV:
		return snapshots_here(v, &row);
	case REQ_OPEN_SNAPSHOT:
	case REQ_MARK_SNAPSHOT:
	case REQ_SAVE_SNAPSHOT:
	case REQ_DELETE_SNAPSHOT:
	case REQ_COPY_COMMAND:
		return snapshots_here(v, &row) && snapshot_list_get(v->list, row)->path;
	default:
		return true;
	}
}

static unsigned take_snapshot(struct snapshots_view *v)
{
	if (v->recorder.take) {
		v->follow_from = snapshot_list_taken(v->list) + 1;
		return v->recorder.take(v->recorder.ctx);
	}
	return stack_note(v->stack,
			  _("The recording has ended: snapshots can no longer be taken."));
}

static unsigned request(void *self, enum request req)
{
	struct snapshots_view *v = self;
	size_t row;

	if (req == REQ_SNAPSHOT)
		return take_snapshot(v);
	if (req == REQ_BACK)
		return snapshots_stop_saving(v);
	if (req == REQ_COMPARE_SNAPSHOTS)
		return compare(v);
	if (req == REQ_MERGE_SNAPSHOTS)
		return merge(v);
	return snapshots_here(v, &row) ? row_request(v, req, row) : WISH_PASS;
}

/* ---- open, close ---- */

static void recalc(void *self)
{
	struct snapshots_view *v = self;

	snapshots_set_columns(v);
	table_recalc(&v->table);
	if (v->follow_from && snapshot_list_taken(v->list) >= v->follow_from &&
	    snapshot_list_n(v->list)) {
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

void snapshots_view_raise(struct snapshots_view *v)
{
	stack_raise(v->stack, v);
}
