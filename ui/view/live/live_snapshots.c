/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Snapshots in Live: taking them, reporting them, opening their list. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "text/i18n.h"
#include "text/number.h"
#include "text/strings.h"
#include "text/words.h"
#include "view/live/live_private.h"
#include "widget/prompt.h"

/* ---- by a condition ---- */

/* ---- the prompt ---- */

static int add_ways(const struct live_view *v, const char *word, size_t n, struct words *ways)
{
	for (size_t i = 0; i < v->model.n_lines; i++) {
		const struct ptui_live_event *e = &v->model.lines[i].facts;

		if (e->state != PTUI_LIVE_NOT_SUPPORTED && !strncmp(e->name, word, n) &&
		    words_add(ways, e->name))
			return -1;
	}
	return 0;
}

/* Completes recorded events. Names may contain slashes; after one, another name may begin. */
static int ways(void *ctx, const char *line, size_t at, size_t *begin, struct words *ret)
{
	const struct live_view *v = ctx;

	for (*begin = at; *begin && !strchr(" ()<>=&|", line[*begin - 1]); --*begin)
		;
	if (add_ways(v, line + *begin, at - *begin, ret) || ret->n)
		return ret->n ? 0 : -1;
	for (size_t slash = at; slash > *begin; slash--) {
		if (line[slash - 1] != '/')
			continue;
		*begin = slash;
		return add_ways(v, line + slash, at - slash, ret);
	}
	return 0;
}

static int apply_line(void *ctx, const char *line, struct ptui_error *err)
{
	struct live_view *v = ctx;

	line += strspn(line, " ");
	return ptui_live_arm(v->live, *line ? line : NULL, err);
}

static unsigned taken(void *ctx)
{
	struct live_view *v = ctx;

	ptui_live_armed(v->live, &v->arm.armed);
	if (v->arm.armed.condition)
		stack_say(v->stack, ROLE_NOTE, _("A snapshot is taken when this becomes true: %s"),
			  v->arm.armed.condition);
	else
		stack_note(v->stack, _("The condition is disarmed."));
	return WISH_REDRAW;
}

unsigned live_arm_ask(struct live_view *v)
{
	char note[512];
	const struct prompt_opts q = {
		.label = _("snapshot when: "),
		.line = v->arm.armed.condition,
		.note = note,
		.history = &v->arm.typed,
		.ways = ways,
		.accept = apply_line,
		.accepted = taken,
		.ctx = v,
	};

	if (v->model.phase >= LIVE_ENDED || !ptui_live_has_ring(v->live))
		return stack_note(
			v->stack,
			v->model.phase >= LIVE_ENDED ?
				_("The recording has ended.") :
				_("No samples are kept for snapshots: record with --overwrite or -M to keep "
				  "the last ones."));
	snprintf(note, sizeof(note), "%s",
		 _("a condition on recorded events, such as page-faults/s > 10k or "
		   "cache-misses/instructions > 10%; combine with and, or; append ', once' or "
		   "', keep 5' to limit the snapshots; empty: disarm"));
	return prompt_open(v->stack, &q);
}

/* ---- the state ---- */

static void add_value(char *buf, size_t size, enum ptui_armed_unit unit, double value)
{
	char text[32];

	if (isnan(value))
		snprintf(text, sizeof(text), "–");
	else if (unit == PTUI_ARMED_PERCENT)
		snprintf(text, sizeof(text), "%.1f %%", 100 * value);
	else if (unit == PTUI_ARMED_RATIO)
		snprintf(text, sizeof(text), "%.3g", value);
	else
		number_count(text, sizeof(text), value);
	text_join(buf, size, ", ", "%s%s", text,
		  unit == PTUI_ARMED_RATE && !isnan(value) ? "/s" : "");
}

void live_arm_text(const struct live_view *v, char *buf, size_t size)
{
	const struct ptui_armed *a = &v->arm.armed;
	char now[128] = "";

	if (!a->condition || v->model.phase >= LIVE_ENDED)
		return;
	for (size_t i = 0; i < a->n_values; i++)
		add_value(now, sizeof(now), a->values[i].unit, a->values[i].value);
	if (a->over)
		live_add_text(buf, size, _("no more snapshots from: %s"), a->condition);
	else
		live_add_text(buf, size, _("armed: %s (now %s)"), a->condition, now);
}

static bool get(void *ctx, size_t i, struct ptui_snapshot *ret)
{
	return ptui_live_get_snapshot(ctx, i, ret);
}

void live_snapshots_feed(struct live_view *v)
{
	struct snapshot_list *list = v->snapshots.list;
	size_t before = list->n;
	int n = snapshot_list_update(list, get, v->live, v->arm.armed.condition);
	char text[256];

	if (n < 0)
		stack_say(v->stack, ROLE_BAD, _("Out of memory: a snapshot is not listed yet."));
	/* frequent automatic snapshots are not reported one by one */
	if (n > 0 && list->last.why != PTUI_SNAPSHOT_SIZE && list->last.why != PTUI_SNAPSHOT_TIME)
		stack_note(v->stack, snapshots_news(list->taken, &list->last, text, sizeof(text)));
	if (v->snapshots.shown && (n || before != list->n))
		snapshots_view_changed(v->snapshots.shown);
}

unsigned live_snapshots_take(void *self)
{
	struct live_view *v = self;
	struct ptui_error err = PTUI_ERROR_INIT;

	if (ptui_live_snapshot(v->live, &err))
		stack_say(v->stack, ROLE_BAD, "%s", err.text);
	else
		stack_note(v->stack, _("A snapshot is being taken."));
	return WISH_REDRAW;
}

bool live_snapshots_can(void *self)
{
	const struct live_view *v = self;

	return v->model.phase < LIVE_ENDED && ptui_live_has_ring(v->live);
}

/* ---- the list ---- */

static void closed(void *ctx)
{
	struct live_view *v = ctx;

	v->snapshots.shown = NULL;
}

unsigned live_snapshots_show(struct live_view *v)
{
	const struct snapshots_recorder recorder = {
		.can = live_snapshots_can, .take = live_snapshots_take, .closed = closed, .ctx = v
	};
	struct ptui_error err = PTUI_ERROR_INIT;

	if (v->snapshots.shown) {
		stack_raise(v->stack, v->snapshots.shown);
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
