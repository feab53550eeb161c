/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The preview: counts the marked events and the one under the cursor. The engine counts in its own
 * thread, keeps the results, and wakes the loop after reading.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/amount.h"
#include "text/i18n.h"
#include "text/utf8.h"
#include "view/picker/picker_private.h"
#include "widget/spark.h"

#define RATE_COLUMNS  9
#define SPARK_COLUMNS 6
#define SHARE_COLUMNS 5
_Static_assert(PICKER_PREVIEW_COLUMNS == RATE_COLUMNS + 1 + SPARK_COLUMNS + 1 + SHARE_COLUMNS + 1,
	       "the cell is as wide as its parts");

/* ---- counting ---- */

void picker_preview_stop(struct picker_screen *v)
{
	loop_remove(stack_loop(v->stack), v->count_watch);
	v->count_watch = 0;
	ptui_count_free(v->count);
	v->count = NULL;
}

/* If nothing may be counted, reports that, and does not try again until requested. */
static void on_wake(void *ctx)
{
	struct picker_screen *v = ctx;

	ptui_count_ack(v->count);
	if (ptui_count_refused(v->count, &v->count_refused))
		picker_preview_stop(v);
	stack_wish(v->stack, v, WISH_REDRAW);
}

unsigned picker_preview_toggle(struct picker_screen *v)
{
	const struct ptui_count_opts opts = { .pids = &v->opts.pid, .n_pids = v->opts.pid ? 1 : 0 };

	v->count_refused = (struct ptui_error)PTUI_ERROR_INIT;
	if (v->count)
		picker_preview_stop(v);
	else
		v->count = (v->opts.count ? v->opts.count : ptui_count_new)(&opts,
									    &v->count_refused);
	if (v->count)
		v->count_watch = loop_watch(stack_loop(v->stack), ptui_count_wake_fd(v->count),
					    on_wake, v);
	if (v->count && !v->count_watch) {
		picker_preview_stop(v);
		ptui_error_nomem(&v->count_refused);
	}
	return WISH_RECALC;
}

void picker_preview_update(struct picker_screen *v)
{
	const struct picker_entry *e = picker_current(v)->entry;
	const struct words *marks = v->count ? picker_marked(&v->picker) : NULL;
	size_t n = marks ? marks->n / 2 : 0;
	struct ptui_count_wish *wishes = marks ? calloc(n + 1, sizeof(*wishes)) : NULL;

	if (!v->count)
		return;
	for (size_t i = 0; wishes && i < n; i++) {
		const char *filter = marks->v[2 * i + 1];

		wishes[i] = (struct ptui_count_wish){ marks->v[2 * i], *filter ? filter : NULL,
						      true };
	}
	if (wishes && e && !e->mark)
		wishes[n++] = (struct ptui_count_wish){ e->name, NULL, false };
	if (!wishes || ptui_count_set(v->count, wishes, n))
		stack_no_memory(v->stack);
	free(wishes);
}

int preview_proposal(char *lines, const struct words *marks, struct words *ret)
{
	size_t next = 0;
	char *line;

	while ((line = strsep(&lines, "\n"))) {
		size_t k = next;

		if (!*line)
			continue;
		while (k < marks->n && strcmp(marks->v[k], line) != 0)
			k += 2;
		words_add(ret, line);
		words_add(ret, k < marks->n ? marks->v[k + 1] : "");
		next = k < marks->n ? k + 2 : next;
	}
	return ret->failed ? -ENOMEM : 0;
}

unsigned picker_preview_take_groups(struct picker_screen *v)
{
	char *lines = v->count ? ptui_count_proposal(v->count) : NULL;
	const struct words *marks = picker_marked(&v->picker);
	struct words proposal = WORDS_INIT;
	int failed = !marks || preview_proposal(lines, marks, &proposal);

	if (!failed && !proposal.n)
		stack_note(v->stack,
			   v->count ?
				   _("the marked events need no further groups") :
				   _("start the preview to check whether the marked events fit"));
	else if (!failed)
		failed = picker_mark_all(&v->picker, &proposal);
	v->picker.touched |= proposal.n > 0;
	free(lines);
	words_release(&proposal);
	return picker_changed(v, failed);
}

/* ---- cells ---- */

void preview_add(struct ptui_count_event *sum, const struct ptui_count_event *e)
{
	memcpy(sum->name, e->name, sizeof(sum->name));
	if (e->state == PTUI_COUNT_UNTRIED || (e->state == PTUI_COUNT_COUNTING && isnan(e->rate)))
		return;
	/* show the worst state */
	if (sum->state == PTUI_COUNT_UNTRIED || e->state > sum->state)
		sum->state = e->state;
	if (e->running_share < sum->running_share)
		sum->running_share = e->running_share;
	if (isfinite(e->rate))
		sum->rate = isfinite(sum->rate) ? sum->rate + e->rate : e->rate;
	/* events of one text were opened together: their histories have equal length */
	for (size_t i = 0; i < e->n_history; i++)
		sum->history[i] = i < sum->n_history ? sum->history[i] + e->history[i] :
						       e->history[i];
	if (e->n_history > sum->n_history)
		sum->n_history = e->n_history;
}

/*
 * Of several events (a glob) the sum, with the lowest share. False: not counted, or no event in the
 * row.
 */
static bool get_cell(const struct picker_screen *v, const struct picker_entry *e,
		     struct ptui_count_event *ret)
{
	const char *filter = e && e->mark ? e->mark->filter : NULL;
	struct ptui_count_event event;
	bool is_member, refused;
	char *text;

	if (!v->count || !e || (!e->mark && e != picker_current(v)->entry))
		return false;
	text = e->mark ? picker_whole_text(&v->picker, e) : strdup(e->name);
	if (!text)
		return false;
	*ret = PREVIEW_NOTHING;
	ptui_count_get(v->count, text, filter, 0, &event);
	refused = event.state == PTUI_COUNT_NOT_SUPPORTED;
	/* a member of a group is one of the text's events */
	is_member = e->mark && e->mark->group;
	for (size_t i = is_member ? picker_place(&v->picker, e) : 0;
	     ptui_count_get(v->count, text, filter, i, &event); i++) {
		preview_add(ret, &event);
		if (is_member)
			break;
	}
	if (refused)
		ret->state = PTUI_COUNT_NOT_SUPPORTED;
	free(text);
	return true;
}

static void rate_text(const struct ptui_count_event *cell, char *buf, size_t size)
{
	if (cell->state == PTUI_COUNT_UNTRIED) {
		snprintf(buf, size, "…");
	} else if (isnan(cell->rate)) {
		snprintf(buf, size, "–");
	} else {
		amount_text(cell->name, cell->rate, buf, size - 2);
		strcat(buf, "/s");
	}
}

/* Highlights events that were multiplexed. */
static style_t share_style(const struct ptui_count_event *cell)
{
	if (cell->state == PTUI_COUNT_WAITING)
		return ROLE_BAD;
	return cell->running_share < 0.995 ? ROLE_NOTE : ROLE_TEXT;
}

const char *picker_preview_cell(const struct picker_screen *v, const struct picker_entry *e,
				char *buf, size_t size, style_t *style)
{
	char rate[32], spark[SPARK_CHAR * SPARK_COLUMNS + 1], share[16] = "";
	struct ptui_count_event cell;
	int pad;

	if (!get_cell(v, e, &cell) || cell.state == PTUI_COUNT_NOT_SUPPORTED)
		return NULL;
	if (cell.state == PTUI_COUNT_ERROR) {
		*style = ROLE_BAD;
		return _("✗ error state");
	}
	rate_text(&cell, rate, sizeof(rate));
	spark_text(cell.history, cell.n_history, SPARK_COLUMNS, spark, sizeof(spark));
	if (cell.state != PTUI_COUNT_UNTRIED)
		snprintf(share, sizeof(share), "%.0f %%", 100 * cell.running_share);
	*style = cell.state == PTUI_COUNT_UNTRIED ? ROLE_DIM : share_style(&cell);
	pad = RATE_COLUMNS - utf8_width(rate);
	snprintf(buf, size, "%*s%s %s %*s ", pad > 0 ? pad : 0, "", rate, spark, SHARE_COLUMNS,
		 share);
	return buf;
}

/* ---- details ---- */

void picker_preview_write_event(const struct picker_screen *v, struct picker_writer *w)
{
	char rate[32], share[64], spark[SPARK_CHAR * PTUI_COUNT_HISTORY + 1];
	struct ptui_count_event cell;
	int width = w->width - 2 < PTUI_COUNT_HISTORY ? w->width - 2 : PTUI_COUNT_HISTORY;

	if (width < 8 || !get_cell(v, picker_current(v)->entry, &cell))
		return;
	if (cell.state == PTUI_COUNT_ERROR)
		picker_write(
			w, ROLE_BAD, "%s",
			_("error state: the event is pinned (D), but no counter is free for it"));
	if (cell.state != PTUI_COUNT_COUNTING && cell.state != PTUI_COUNT_WAITING)
		return;
	rate_text(&cell, rate, sizeof(rate));
	snprintf(share, sizeof(share), _("%.0f %% running"), 100 * cell.running_share);
	picker_write(w, share_style(&cell) | STYLE_BOLD, "%s  %s", rate, share);
	picker_write(w, ROLE_TEXT, "%s",
		     spark_text(cell.history, cell.n_history, (size_t)width, spark, sizeof(spark)));
}

void preview_write_fit(const struct ptui_count_fit *f, struct picker_writer *w)
{
	char counters[96];

	snprintf(counters, sizeof(counters),
		 Q_("%zu counter too few", "%zu counters too few", f->n_over), f->n_over);
	if (f->state == PTUI_FIT_IN_TURNS)
		picker_write(w, ROLE_NOTE,
			     Q_("Marked together: %zu event, %s: expect %.0f %% running",
				"Marked together: %zu events, %s: expect %.0f %% running",
				f->n_events),
			     f->n_events, counters, 100 * f->expected_share);
	else if (f->state == PTUI_FIT_NEVER)
		picker_write(w, ROLE_NOTE, _("%s will never count: %s"), f->too_large,
			     strchr(f->too_large, '{') ? counters : _("others hold the counters"));
}

/* "(P) as 2 groups, at least 50 % running: {cycles,instructions} {branches}" */
static void write_proposal(const struct picker_screen *v, const struct ptui_count_fit *f,
			   struct picker_writer *w)
{
	char *lines = f->n_groups ? ptui_count_proposal(v->count) : NULL, groups[128];
	struct key_text key = keymaps_label(stack_keys(v->stack), KEYMAP_PICKER, REQ_TAKE_GROUPS);

	if (!lines)
		return;
	for (char *end = lines; (end = strchr(end, '\n'));)
		*end = ' ';
	snprintf(groups, sizeof(groups),
		 Q_("as %zu group, at least %.0f %% running:",
		    "as %zu groups, at least %.0f %% running:", f->n_groups),
		 f->n_groups, 100 * f->proposed_share);
	picker_write(w, ROLE_TEXT, *key.text ? "(%s) %s %s" : "%s%s %s", key.text, groups, lines);
	free(lines);
}

void picker_preview_write(const struct picker_screen *v, struct picker_writer *w)
{
	struct ptui_count_fit fit;

	if (ptui_error_is_set(&v->count_refused)) {
		picker_write(w, ROLE_NOTE, _("no preview: %s"), v->count_refused.text);
		picker_write(w, ROLE_DIM, "%s", v->count_refused.hint);
	}
	if (!v->count)
		return;
	ptui_count_get_fit(v->count, &fit);
	preview_write_fit(&fit, w);
	write_proposal(v, &fit, w);
	if (fit.watchdog && fit.state != PTUI_FIT_UNKNOWN)
		picker_write(
			w, ROLE_NOTE, "%s",
			_("the NMI watchdog uses a counter; as root: sysctl kernel.nmi_watchdog=0"));
}
