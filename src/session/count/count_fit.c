/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The marked texts together: whether their events fit the counters, and groups that would. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "event/selector/selector.h"
#include "session/count/count.h"

/* The events [from, to) of the list belong to the text. */
struct range {
	const struct count_wish *wish;
	size_t from, to;
};

struct fit_texts {
	struct event_list events;
	struct range *v;
	size_t n;
	bool *may_join;
	struct fit fit;
};

/* Whether it may be put into braces with others: not if it has scheduling options of its own. */
static bool is_joinable(const struct fit_texts *t, const struct range *r)
{
	const struct event *ev = &t->events.v[r->from];

	return r->to == r->from + 1 && *r->wish->text != '{' && !r->wish->filter &&
	       !ev->attr.pinned && !ev->attr.exclusive && !ev->sample_read && !ev->group_name &&
	       !strchr(r->wish->text, '{');
}

static int parse(struct fit_texts *t, struct catalog *catalog, const struct count_wishes *wishes)
{
	t->v = calloc(wishes->n + 1, sizeof(*t->v));
	if (!t->v)
		return -ENOMEM;
	for (size_t i = 0; i < wishes->n; i++) {
		struct range *r = &t->v[t->n];

		if (!wishes->v[i].marked)
			continue;
		*r = (struct range){ .wish = &wishes->v[i], .from = t->events.n };
		/* mistakes are reported where the event is opened */
		if (selector_parse(catalog, wishes->v[i].text, &t->events, NULL) == -ENOMEM)
			return -ENOMEM;
		r->to = t->events.n;
		t->n++;
	}
	t->may_join = calloc(t->events.n + 1, sizeof(*t->may_join));
	if (!t->may_join)
		return -ENOMEM;
	for (size_t i = 0; i < t->n; i++)
		if (t->v[i].to > t->v[i].from)
			t->may_join[t->v[i].from] = is_joinable(t, &t->v[i]);
	return 0;
}

/* ---- the proposal ---- */

static uint32_t group_of(const struct fit_texts *t, size_t event)
{
	return t->fit.events[event].group;
}

static bool is_single(const struct fit_texts *t, const struct range *r)
{
	return r->to == r->from + 1 && t->may_join[r->from];
}

/* Whether one perf group is split into several. */
static bool is_split(const struct fit_texts *t, const struct range *r)
{
	uint32_t first = PTUI_NONE;

	if (r->to == r->from || t->events.v[r->to - 1].leader != r->from)
		return false;
	for (size_t i = r->from; i < r->to; i++) {
		if (group_of(t, i) == PTUI_NONE)
			continue;
		if (first != PTUI_NONE && group_of(t, i) != first)
			return true;
		first = group_of(t, i);
	}
	return false;
}

/* "{a,b,c,d}:u" as "{a,b}:u" and "{c,d}:u"; events without a counter go with the first. */
static void add_split_group(const struct fit_texts *t, const struct range *r, struct buf *out)
{
	const char *brace = strrchr(r->wish->text, '}'), *mods = brace ? brace + 1 : "";
	uint32_t done = PTUI_NONE;
	bool first = true;

	for (size_t i = r->from; i < r->to; i++) {
		uint32_t group = group_of(t, i);
		const char *comma = "{";

		/* groups are numbered in the order of their first events */
		if (group == PTUI_NONE || (done != PTUI_NONE && group <= done))
			continue;
		for (size_t k = r->from; k < r->to; k++) {
			if (group_of(t, k) != group && !(first && group_of(t, k) == PTUI_NONE))
				continue;
			buf_addf(out, "%s%s", comma, t->events.v[k].name);
			comma = ",";
		}
		buf_addf(out, "}%s\n", mods);
		done = group;
		first = false;
	}
}

/* Writes all single events of a group at the position of the first. */
static void add_group(const struct fit_texts *t, size_t at, struct buf *out)
{
	uint32_t group = group_of(t, t->v[at].from);
	size_t n = 0;

	for (size_t i = 0; i < t->n; i++) {
		const struct range *r = &t->v[i];

		if (!is_single(t, r) || group_of(t, r->from) != group)
			continue;
		if (i < at)
			return;
		n++;
	}
	if (n > 1)
		buf_add_char(out, '{');
	for (size_t i = at, k = 0; i < t->n; i++) {
		const struct range *r = &t->v[i];

		if (is_single(t, r) && group_of(t, r->from) == group)
			buf_addf(out, "%s%s", k++ ? "," : "", r->wish->text);
	}
	buf_add_str(out, n > 1 ? "}\n" : "\n");
}

static int write_proposal(const struct fit_texts *t, char **ret)
{
	struct buf out = BUF_INIT;

	for (size_t i = 0; i < t->n; i++) {
		const struct range *r = &t->v[i];

		if (is_single(t, r) && group_of(t, r->from) != PTUI_NONE)
			add_group(t, i, &out);
		else if (is_split(t, r))
			add_split_group(t, r, &out);
		else
			buf_addf(&out, "%s\n", r->wish->text);
	}
	*ret = out.err ? NULL : buf_take(&out);
	buf_release(&out);
	return *ret ? 0 : -ENOMEM;
}

/* ---- put together ---- */

static void fill_result(const struct fit_texts *t, struct ptui_count_fit *s)
{
	const struct fit *fit = &t->fit;

	s->n_events = fit->n_needs;
	s->n_over = fit->n_over;
	s->expected_share = fit->share;
	s->proposed_share = fit->proposed_share;
	s->watchdog = fit->watchdog;
	s->n_groups = fit->n_groups;
	s->state = !fit->n_needs	   ? PTUI_FIT_UNKNOWN :
		   fit->never != PTUI_NONE ? PTUI_FIT_NEVER :
		   fit->n_over		   ? PTUI_FIT_IN_TURNS :
					     PTUI_FIT_TOGETHER;
	for (size_t i = 0; i < t->n && fit->never != PTUI_NONE; i++)
		if (t->v[i].from <= fit->never && fit->never < t->v[i].to)
			snprintf(s->too_large, sizeof(s->too_large), "%s", t->v[i].wish->text);
}

int count_fit_make(const struct kernel_ops *ops, struct catalog *catalog,
		   const struct count_wishes *wishes, struct count_fit *ret)
{
	struct fit_texts t = { 0 };
	int failed;

	memset(ret, 0, sizeof(*ret));
	ret->shown.expected_share = ret->shown.proposed_share = 1;
	event_list_init(&t.events);
	failed = parse(&t, catalog, wishes);
	if (!failed)
		failed = fit_try(ops, &t.events, t.may_join, &t.fit);
	if (!failed) {
		fill_result(&t, &ret->shown);
		if (ret->shown.n_groups)
			failed = write_proposal(&t, &ret->proposal);
	}
	fit_release(&t.fit);
	event_list_release(&t.events);
	free(t.may_join);
	free(t.v);
	/* -E2BIG: too many events to group */
	return failed == -E2BIG ? 0 : failed;
}
