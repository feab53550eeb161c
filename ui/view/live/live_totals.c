/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The line below Live's events: counts of the recorder, and the state of its ring buffers. */
#include <stdio.h>
#include <string.h>

#include "model/browser/trust.h"
#include "model/live/live_derived.h"
#include "text/grouped.h"
#include "text/i18n.h"
#include "text/strings.h"
#include "view/live/live_private.h"
#include "widget/line.h"
#include "widget/number.h"
#include "widget/spark.h"

static void add_fact(struct line_fact *facts, size_t *n, style_t style, int hide, const char *title,
		     const char *value)
{
	line_add_fact(facts, n, style, hide, "%s %s", title, value);
}

/* Fill level of the fullest ring as a bar, and the maximum so far. */
static const char *rings_text(const struct ptui_live_stats *s, char *buf, size_t size)
{
	char bar[SPARK_CHAR + 1];

	snprintf(buf, size, _("%s %2.0f %%, at most %.0f %%"), spark_char(s->ring_fill, bar),
		 100 * s->ring_fill, 100 * s->ring_fill_max);
	return buf;
}

/* "0", "1,234 (1.2 %)": relative to all samples. */
static const char *lost_text(uint64_t samples, uint64_t lost, char *buf, size_t size)
{
	snprintf(buf, size, "%s", grouped(lost).text);
	if (lost)
		text_append(buf, size, " (%.1f %%)",
			    100.0 * (double)lost / ((double)lost + (double)samples));
	return buf;
}

/* What is wrong with names and stacks; T shows the rest, and the remedies. */
static void add_trust(const struct live_view *v, struct line_fact *facts, size_t *n)
{
	size_t n_trust = v->hot ? v->hot->n_facts : 0;
	const struct trust_fact *trust = v->hot ? v->hot->facts : NULL;
	bool stacks = false;

	for (size_t i = 0; i < n_trust; i++) {
		/* of several facts about stacks the first is the most important */
		if (trust[i].level == TRUST_FINE || (trust[i].kind == TRUST_STACKS && stacks) ||
		    (trust[i].kind != TRUST_STACKS && trust[i].kind != TRUST_UNVERIFIED))
			continue;
		stacks |= trust[i].kind == TRUST_STACKS;
		line_add_fact(facts, n, trust[i].level == TRUST_BAD ? ROLE_BAD : ROLE_NOTE, 1,
			      "! %.90s", trust[i].text);
	}
}

void live_totals_draw(const struct live_view *v, const struct canvas *c, bool derived_too)
{
	const struct ptui_live_stats *s = &v->model.stats;
	uint64_t lost = live_lost(s);
	const char *path = ptui_live_output(v->live);
	struct line_fact facts[15 + TRUST_FACTS_MAX];
	const struct snapshot_list *list = v->snapshots.list;
	char buf[64];
	size_t n = 0;

	add_fact(facts, &n, ROLE_TEXT, 0, _("samples"), grouped(s->samples).text);
	add_fact(facts, &n, lost ? ROLE_BAD : ROLE_TEXT, 0, _("lost"),
		 lost_text(s->samples, lost, buf, sizeof(buf)));
	if (s->lost_sideband)
		add_fact(facts, &n, ROLE_BAD, 0, _("sideband lost"),
			 grouped(s->lost_sideband).text);
	if (s->not_unwound)
		add_fact(facts, &n, ROLE_NOTE, 1, _("not unwound"), grouped(s->not_unwound).text);
	add_trust(v, facts, &n);
	add_fact(facts, &n, s->throttled ? ROLE_NOTE : ROLE_TEXT, s->throttled ? 1 : 4,
		 _("throttled"), grouped(s->throttled).text);
	if (!ptui_live_is_pipe(v->live))
		add_fact(facts, &n, live_rings_are_full(s) ? ROLE_BAD : ROLE_TEXT, 5, _("rings"),
			 rings_text(s, buf, sizeof(buf)));
	if (path)
		add_fact(facts, &n, ROLE_TEXT, 3, text_file_name(path),
			 number_bytes(buf, sizeof(buf), s->bytes));
	if (list->taken) {
		char clock[32];

		number_clock_ns(clock, sizeof(clock), list->last.taken_ns);
		snprintf(buf, sizeof(buf), _("%zu (last %s)"), list->taken, clock);
		add_fact(facts, &n, ROLE_TEXT, 0, _("snapshots"), buf);
	}
	for (size_t i = 0; derived_too && i < v->model.n_derived && i < 4; i++) {
		live_derived_text(&v->model.derived[i], v->model.n_cpus, buf, sizeof(buf));
		add_fact(facts, &n, ROLE_TEXT, 2, v->model.derived[i].title, buf);
	}
	line_facts(c, 0, "", facts, n);
}
