/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/counts/counts.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "text/grouped.h"
#include "text/i18n.h"
#include "text/number.h"
#include "text/strings.h"

int counts_init(struct counts_model *m, const struct ptui_count_run *run)
{
	*m = (struct counts_model){ .n = ptui_count_run_n_events(run) };
	m->rows = calloc(m->n + 1, sizeof(*m->rows));
	if (!m->rows)
		return -ENOMEM;
	counts_update(m, run);
	return 0;
}

/* A reading may be newer than the state: it is in the history with the next one. */
void counts_update(struct counts_model *m, const struct ptui_count_run *run)
{
	unsigned long long before = m->state.n_intervals;

	ptui_count_run_get_state(run, &m->state);
	for (size_t i = 0; i < m->n; i++) {
		struct counts_row *r = &m->rows[i];

		ptui_count_run_get(run, i, &r->facts);
		if (m->state.n_intervals != before && m->state.n_intervals > 1)
			live_history_add(&r->rates,
					 r->facts.interval.counted ? r->facts.interval.rate : NAN);
	}
}

/* ---- texts ---- */

/* Times keep all their digits: "2000 msec". */
static char *short_count(const struct counts_row *r, double value, char *buf, size_t size)
{
	if (!*r->facts.unit)
		return number_count(buf, size, value);
	snprintf(buf, size, "%s %s",
		 value < 1e18 ? grouped((uint64_t)(value + 0.5)).text : "> 1e18", r->facts.unit);
	return buf;
}

char *counts_interval(const struct counts_row *r, bool ended, char *buf, size_t size)
{
	const struct ptui_count_sum *s = &r->facts.interval;

	*buf = '\0';
	if (ended || r->facts.state == PTUI_TOTAL_UNREAD ||
	    r->facts.state == PTUI_TOTAL_NOT_SUPPORTED)
		return buf;
	if (!s->counted) {
		snprintf(buf, size, "–");
		return buf;
	}
	return short_count(r, s->value, buf, size);
}

char *counts_total(const struct counts_row *r, char *buf, size_t size)
{
	const struct ptui_count_total *t = &r->facts;
	char number[64];

	switch (t->state) {
	case PTUI_TOTAL_UNREAD:
		*buf = '\0';
		return buf;
	case PTUI_TOTAL_NOT_COUNTED:
		snprintf(buf, size, "<not counted>");
		return buf;
	case PTUI_TOTAL_NOT_SUPPORTED:
		snprintf(buf, size, "<not supported>");
		return buf;
	case PTUI_TOTAL_COUNTED:
		break;
	}
	if (t->decimals)
		snprintf(number, sizeof(number), "%.2f", t->total.value);
	else
		snprintf(number, sizeof(number), "%s",
			 t->total.value < 1e18 ? grouped((uint64_t)t->total.value).text : "> 1e18");
	snprintf(buf, size, "%s%s%s", number, *t->unit ? " " : "", t->unit);
	return buf;
}

char *counts_rate(const struct counts_row *r, bool ended, char *buf, size_t size)
{
	const struct ptui_count_sum *s = ended ? &r->facts.total : &r->facts.interval;
	char number[64];

	*buf = '\0';
	if (!s->counted || isnan(s->rate))
		return buf;
	snprintf(buf, size, "%s/s", short_count(r, s->rate, number, sizeof(number)));
	return buf;
}

char *counts_share(const struct counts_row *r, char *buf, size_t size)
{
	const struct ptui_count_total *t = &r->facts;

	*buf = '\0';
	if (t->state == PTUI_TOTAL_COUNTED && t->total.share < 0.9995)
		snprintf(buf, size, "%.1f %%", 100 * t->total.share);
	return buf;
}

char *counts_name(const struct counts_row *r, char *buf, size_t size)
{
	snprintf(buf, size, "%s%s%s", r->facts.name, *r->facts.cgroup ? "  " : "", r->facts.cgroup);
	return buf;
}

static void add_detail(char *buf, size_t size, const char *title, const char *text)
{
	if (*text)
		text_join(buf, size, "\n", "%s: %s", title, text);
}

char *counts_details(const struct counts_row *r, char *buf, size_t size)
{
	const struct ptui_count_total *t = &r->facts;
	char text[96];

	*buf = '\0';
	add_detail(buf, size, _("Total"), counts_total(r, text, sizeof(text)));
	add_detail(buf, size, _("Per second"), counts_rate(r, true, text, sizeof(text)));
	add_detail(buf, size, _("Running"), counts_share(r, text, sizeof(text)));
	add_detail(buf, size, _("Ratio"), t->ratio);
	add_detail(buf, size, _("Reason"),
		   *t->why ? t->why :
		   t->state == PTUI_TOTAL_NOT_COUNTED ?
			     _("the target did not run, or no counter was free") :
			     "");
	return buf;
}

const char *counts_phase(const struct counts_model *m)
{
	if (m->state.ended)
		return m->state.error ? _("✗ failed") : _("✓ ended");
	if (m->stop_asked)
		return _("stopping…");
	return m->state.paused ? _("⏸ paused") : _("● COUNT");
}
