/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/picker/picker_preview.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/live/live_derived.h"
#include "model/picker/picker.h"
#include "text/i18n.h"
#include "text/strings.h"

int preview_wishes(const struct picker *p, size_t row, struct words *events, struct words *filters,
		   size_t *ret_marked)
{
	const struct picker_entry *e = picker_entry(p, row);

	if (picker_marked(p, events, filters))
		return -ENOMEM;
	*ret_marked = events->n;
	if (!e || e->marked)
		return 0;
	return words_add(events, e->name) || words_add(filters, "") ? -ENOMEM : 0;
}

void preview_add(struct preview_cell *cell, const struct ptui_count_event *e)
{
	cell->is_time = live_is_clock(e->name);
	if (e->state == PTUI_COUNT_UNTRIED || (e->state == PTUI_COUNT_COUNTING && isnan(e->rate)))
		return;
	/* show the worst state */
	if (cell->state == PTUI_COUNT_UNTRIED || e->state > cell->state)
		cell->state = e->state;
	if (e->running_share < cell->share)
		cell->share = e->running_share;
	if (isfinite(e->rate))
		cell->rate = isfinite(cell->rate) ? cell->rate + e->rate : e->rate;
	/* events of one text were opened together: their histories have equal length */
	for (size_t i = 0; i < e->n_history; i++)
		cell->history[i] = i < cell->n_history ? cell->history[i] + e->history[i] :
							 e->history[i];
	if (e->n_history > cell->n_history)
		cell->n_history = e->n_history;
}

char *preview_fit_text(const struct ptui_count_fit *f, char *buf, size_t size)
{
	char counters[96];

	buf[0] = '\0';
	snprintf(counters, sizeof(counters),
		 Q_("%zu counter too few", "%zu counters too few", f->n_over), f->n_over);
	if (f->state == PTUI_FIT_IN_TURNS)
		snprintf(buf, size,
			 Q_("Marked together: %zu event, %s: expect %.0f %% running",
			    "Marked together: %zu events, %s: expect %.0f %% running", f->n_events),
			 f->n_events, counters, 100 * f->expected_share);
	else if (f->state == PTUI_FIT_NEVER)
		snprintf(buf, size, _("%s will never count: %s"), f->too_large,
			 strchr(f->too_large, '{') ? counters : _("others hold the counters"));
	return buf;
}

char *preview_proposal_text(const struct ptui_count_fit *f, const struct words *proposal, char *buf,
			    size_t size)
{
	buf[0] = '\0';
	if (!proposal->n || !f->n_groups)
		return buf;
	snprintf(buf, size,
		 Q_("as %zu group, at least %.0f %% running:",
		    "as %zu groups, at least %.0f %% running:", f->n_groups),
		 f->n_groups, 100 * f->proposed_share);
	for (size_t i = 0; i < proposal->n; i++)
		text_append(buf, size, " %s", proposal->v[i]);
	return buf;
}

/* Each text of the marks is used once, so that duplicates keep their own filters. */
int preview_proposal_filters(const struct words *proposal, const struct words *events,
			     const struct words *filters, struct words *ret)
{
	bool *taken = calloc(events->n + 1, sizeof(*taken));
	int failed = taken ? 0 : -ENOMEM;

	for (size_t i = 0; i < proposal->n && !failed; i++) {
		size_t k = 0;

		while (k < events->n && (taken[k] || strcmp(events->v[k], proposal->v[i]) != 0))
			k++;
		failed = words_add(ret, k < events->n ? filters->v[k] : "");
		taken[k] = true;
	}
	free(taken);
	return failed;
}
