/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/picker/picker_preview.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/live/live_derived.h"
#include "model/picker/picker.h"
#include "text/i18n.h"

void preview_init(struct preview *p)
{
	memset(p, 0, sizeof(*p));
}

static void texts_free(struct preview_text *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(v[i].text);
		free(v[i].filter);
		free(v[i].events);
	}
	free(v);
}

void preview_release(struct preview *p)
{
	texts_free(p->v, p->n);
	words_release(&p->proposal);
	preview_init(p);
}

/* ---- what to count ---- */

static bool is_text(const struct preview_text *t, const char *text, const char *filter)
{
	if (strcmp(t->text, text))
		return false;
	return t->filter && filter ? !strcmp(t->filter, filter) : t->filter == filter;
}

static struct preview_text *find_text(struct preview_text *v, size_t n, const char *text,
				      const char *filter)
{
	for (size_t i = 0; i < n; i++)
		if (is_text(&v[i], text, filter))
			return &v[i];
	return NULL;
}

struct wishing {
	struct preview_text *v;
	size_t n;
};

static int add_text(struct wishing *w, const char *text, const char *filter, bool marked)
{
	struct preview_text *t = &w->v[w->n];

	if (filter && !*filter)
		filter = NULL;
	if (find_text(w->v, w->n, text, filter))
		return 0;
	*t = (struct preview_text){ .text = strdup(text), .marked = marked };
	w->n++;
	if (t->text && filter)
		t->filter = strdup(filter);
	return t->text && (t->filter || !filter) ? 0 : -ENOMEM;
}

static int collect(struct wishing *w, const struct picker *picker, size_t row)
{
	const struct picker_entry *e = picker_entry(picker, row);
	struct words events = WORDS_INIT, filters = WORDS_INIT;
	int failed = picker_marked(picker, &events, &filters);

	if (!failed) {
		w->v = calloc(events.n + 2, sizeof(*w->v));
		failed = w->v ? 0 : -ENOMEM;
	}
	for (size_t i = 0; i < events.n && !failed; i++)
		failed = add_text(w, events.v[i], filters.v[i], true);
	if (!failed && e && !e->marked)
		failed = add_text(w, e->name, NULL, false);
	words_release(&events);
	words_release(&filters);
	return failed;
}

static bool is_same(const struct preview *p, const struct wishing *w)
{
	bool same = p->n == w->n;

	for (size_t i = 0; i < w->n && same; i++)
		same = is_text(&p->v[i], w->v[i].text, w->v[i].filter) &&
		       p->v[i].marked == w->v[i].marked;
	return same;
}

/* Known results of a text stay until there are new ones. */
static void keep_results(struct preview *p, struct wishing *w)
{
	for (size_t i = 0; i < w->n; i++) {
		struct preview_text *old = find_text(p->v, p->n, w->v[i].text, w->v[i].filter);

		if (!old)
			continue;
		w->v[i].events = old->events;
		w->v[i].n = old->n;
		w->v[i].refused = old->refused;
		old->events = NULL;
	}
	texts_free(p->v, p->n);
	p->v = w->v;
	p->n = w->n;
}

int preview_wish(struct preview *p, const struct picker *picker, size_t row, bool *ret_changed)
{
	struct wishing w = { 0 };
	int failed = collect(&w, picker, row);

	*ret_changed = !failed && !is_same(p, &w);
	if (*ret_changed)
		keep_results(p, &w);
	else
		texts_free(w.v, w.n);
	return failed;
}

int preview_submit(const struct preview *p, struct ptui_count *c)
{
	struct ptui_count_wish *v = calloc(p->n + 1, sizeof(*v));
	int failed;

	if (!v)
		return -ENOMEM;
	for (size_t i = 0; i < p->n; i++)
		v[i] = (struct ptui_count_wish){ p->v[i].text, p->v[i].filter, p->v[i].marked };
	failed = ptui_count_set(c, v, p->n);
	free(v);
	return failed;
}

/* ---- results ---- */

static int feed_text(struct preview_text *t, const struct ptui_count *c)
{
	size_t n = ptui_count_n_events(c, t->text, t->filter);
	struct ptui_count_event *events, one;

	/* refused as a whole: no events, but a reason */
	ptui_count_get(c, t->text, t->filter, 0, &one);
	t->refused = one.state == PTUI_COUNT_NOT_SUPPORTED;
	if (!n)
		return 0;
	events = reallocarray(t->events, n, sizeof(*events));
	if (!events)
		return -ENOMEM;
	t->events = events;
	t->n = n;
	for (size_t i = 0; i < n; i++)
		ptui_count_get(c, t->text, t->filter, i, &events[i]);
	return 0;
}

static int feed_proposal(struct preview *p, const struct ptui_count *c)
{
	char *lines = ptui_count_proposal(c), *line, *rest = lines;
	int failed = 0;

	words_release(&p->proposal);
	while (rest && !failed && (line = strsep(&rest, "\n")))
		if (*line)
			failed = words_add(&p->proposal, line);
	free(lines);
	return failed;
}

int preview_update(struct preview *p, const struct ptui_count *c)
{
	unsigned long long before = p->fit.generation;
	enum ptui_count_fit_state state = p->fit.state;
	int failed = 0;

	for (size_t i = 0; i < p->n && !failed; i++)
		failed = feed_text(&p->v[i], c);
	p->refused = ptui_count_refused(c, &p->why);
	ptui_count_get_fit(c, &p->fit);
	if (!failed && (p->fit.generation != before || p->fit.state != state))
		failed = feed_proposal(p, c);
	return failed;
}

/* ---- rows ---- */

static void add_event(struct preview_cell *cell, const struct ptui_count_event *e)
{
	size_t n = e->n_history;

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
	for (size_t i = 0; i < n; i++)
		cell->history[i] = i < cell->n_history ? cell->history[i] + e->history[i] :
							 e->history[i];
	if (n > cell->n_history)
		cell->n_history = n;
}

/* Event i of a text; SIZE_MAX: all. */
static bool make_cell(const struct preview_text *t, size_t i, struct preview_cell *ret)
{
	memset(ret, 0, sizeof(*ret));
	ret->rate = NAN;
	ret->share = 1;
	if (!t)
		return false;
	for (size_t k = 0; k < t->n; k++)
		if (i == SIZE_MAX || i == k)
			add_event(ret, &t->events[k]);
	if (t->refused)
		ret->state = PTUI_COUNT_NOT_SUPPORTED;
	ret->is_time = t->n && live_is_clock(t->events[i == SIZE_MAX || i >= t->n ? 0 : i].name);
	return true;
}

bool preview_cell(const struct preview *p, const struct picker *picker, size_t row,
		  struct preview_cell *ret)
{
	const struct picker_entry *e = picker_entry(picker, row);
	size_t mark = picker_mark_at(picker, row), first = 0, n;
	const struct preview_text *t;
	char *text;

	if (!e)
		return make_cell(NULL, 0, ret);
	if (mark == SIZE_MAX)
		return make_cell(find_text(p->v, p->n, e->name, NULL), SIZE_MAX, ret);
	n = picker_group_of(picker, mark, &first);
	text = picker_mark_text_of(picker, mark);
	t = text ? find_text(p->v, p->n, text, picker->marks.v[first].event.filter) : NULL;
	free(text);
	return make_cell(t, n > 1 ? mark - first : SIZE_MAX, ret);
}

/* ---- sentences ---- */

char *preview_fit_text(const struct preview *p, char *buf, size_t size)
{
	const struct ptui_count_fit *f = &p->fit;
	char counters[96];

	buf[0] = '\0';
	snprintf(counters, sizeof(counters),
		 Q_("%zu counter too few", "%zu counters too few", f->n_over), f->n_over);
	if (f->state == PTUI_FIT_IN_TURNS)
		snprintf(buf, size,
			 Q_("Marked together: %zu event, %s: expect %.0f %% running",
			    "Marked together: %zu events, %s: expect %.0f %% running", f->n_events),
			 f->n_events, counters, 100 * f->expected_share);
	else if (f->state == PTUI_FIT_NEVER && strchr(f->too_large, '{'))
		snprintf(buf, size, _("%s will never count: %s"), f->too_large, counters);
	else if (f->state == PTUI_FIT_NEVER)
		snprintf(buf, size, _("%s will never count: others hold the counters"),
			 f->too_large);
	return buf;
}

char *preview_proposal_text(const struct preview *p, char *buf, size_t size)
{
	size_t at;

	buf[0] = '\0';
	if (!p->proposal.n || !p->fit.n_groups)
		return buf;
	at = (size_t)snprintf(buf, size,
			      Q_("as %zu group, at least %.0f %% running:",
				 "as %zu groups, at least %.0f %% running:", p->fit.n_groups),
			      p->fit.n_groups, 100 * p->fit.proposed_share);
	for (size_t i = 0; i < p->proposal.n && at < size; i++)
		at += (size_t)snprintf(buf + at, size - at, " %s", p->proposal.v[i]);
	return buf;
}

char *preview_watchdog_text(const struct preview *p, char *buf, size_t size)
{
	buf[0] = '\0';
	if (p->fit.watchdog && p->fit.state != PTUI_FIT_UNKNOWN)
		snprintf(
			buf, size, "%s",
			_("the NMI watchdog uses a counter; as root: sysctl kernel.nmi_watchdog=0"));
	return buf;
}

/* Each text of the marks is used once, so that duplicates keep their own filters. */
int preview_proposal_filters(const struct preview *p, struct words *ret)
{
	bool *taken = calloc(p->n + 1, sizeof(*taken));
	int failed = taken ? 0 : -ENOMEM;

	for (size_t i = 0; i < p->proposal.n && !failed; i++) {
		const char *filter = "";

		for (size_t k = 0; k < p->n; k++) {
			if (taken[k] || !p->v[k].marked || strcmp(p->v[k].text, p->proposal.v[i]))
				continue;
			taken[k] = true;
			filter = p->v[k].filter ? p->v[k].filter : "";
			break;
		}
		failed = words_add(ret, filter);
	}
	free(taken);
	return failed;
}
