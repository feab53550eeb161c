/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Snapshots in Live: taking them, reporting them, opening their list. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "text/i18n.h"
#include "text/strings.h"
#include "view/live/live_private.h"
#include "widget/number.h"

int live_snapshots_init(struct live_view *v)
{
	v->snapshots.list = snapshot_list_new();
	return v->snapshots.list ? 0 : -ENOMEM;
}

void live_snapshots_release(struct live_view *v)
{
	if (v->snapshots.shown)
		snapshots_view_left_alone(v->snapshots.shown);
	snapshot_list_unref(v->snapshots.list);
}

static bool get(void *ctx, size_t i, struct ptui_snapshot *ret)
{
	return ptui_live_get_snapshot(ctx, i, ret);
}

/* Frequent automatic snapshots are not reported one by one. */
static bool is_news(const struct ptui_snapshot *facts)
{
	return facts->why != PTUI_SNAPSHOT_SIZE && facts->why != PTUI_SNAPSHOT_TIME;
}

void live_snapshots_feed(struct live_view *v)
{
	struct snapshot_list *list = v->snapshots.list;
	size_t before = list->n;
	int n = snapshot_list_update(list, get, v->live, v->arm.armed.condition);
	char text[256];

	if (n < 0)
		stack_say(v->stack, ROLE_BAD, _("Out of memory: a snapshot is not listed yet."));
	if (n > 0 && is_news(&list->last))
		stack_note(v->stack, snapshots_news(list->taken, &list->last, text, sizeof(text)));
	if (v->snapshots.shown && (n || before != list->n))
		snapshots_view_changed(v->snapshots.shown);
}

unsigned live_snapshots_take(struct live_view *v)
{
	struct ptui_error err = PTUI_ERROR_INIT;

	if (ptui_live_snapshot(v->live, &err))
		stack_say(v->stack, ROLE_BAD, "%s", err.text);
	else
		stack_note(v->stack, _("A snapshot is being taken."));
	return WISH_REDRAW;
}

bool live_snapshots_can(const struct live_view *v)
{
	return v->model.phase < LIVE_ENDED && ptui_live_has_ring(v->live);
}

/* ---- the list ---- */

static bool can(void *ctx)
{
	return live_snapshots_can(ctx);
}

static unsigned take_snapshot(void *ctx)
{
	return live_snapshots_take(ctx);
}

static void closed(void *ctx)
{
	struct live_view *v = ctx;

	v->snapshots.shown = NULL;
}

unsigned live_snapshots_show(struct live_view *v)
{
	const struct snapshots_recorder recorder = {
		.can = can, .take = take_snapshot, .closed = closed, .ctx = v
	};
	struct ptui_error err = PTUI_ERROR_INIT;

	if (v->snapshots.shown) {
		snapshots_view_raise(v->snapshots.shown);
		return WISH_REDRAW;
	}
	v->snapshots.shown = snapshots_view_open(v->stack, v->snapshots.list, &recorder, &err);
	if (!v->snapshots.shown)
		stack_say(v->stack, ROLE_BAD, "%s", err.text);
	return WISH_REDRAW;
}

void live_snapshots_stay(struct live_view *v)
{
	if (!v->snapshots.shown && snapshot_list_files(v->snapshots.list))
		live_snapshots_show(v);
}

void live_snapshots_left(const struct live_view *v, char *buf, size_t size)
{
	size_t n = snapshot_list_files(v->snapshots.list);

	if (n)
		text_append(buf, size,
			    Q_(" %zu snapshot stays as well.", " %zu snapshots stay as well.", n),
			    n);
}
