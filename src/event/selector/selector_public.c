/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Selectors for editors: built from the parser's callbacks for each part. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "base/vec.h"
#include "event/catalog_public.h"
#include "event/selector/filter.h"
#include "event/selector/parser.h"
#include "event/selector/terms.h"

struct builder {
	struct ptui_selector *to;
	size_t events_cap, groups_cap;
	unsigned int group; /* that is open; 0: none */
};

static struct builder *builder_of(struct parser *p)
{
	return p->listener->ctx;
}

/* ---- events ---- */

static bool is_rate(const struct term *t)
{
	return span_is(t->name, "period") || span_is(t->name, "freq");
}

/* The last value of a term wins. */
static void set_rate(const struct term *t, struct ptui_selector_event *ev)
{
	bool is_period = span_is(t->name, "period");

	ev->period = is_period ? t->number : 0;
	ev->freq_hz = is_period ? 0 : t->number;
}

/*
 * "cycles/period=5,name=x/" without the period. Drops the slashes if no terms are left and there is
 * no PMU.
 */
static int split_terms(struct parser *p, const struct event_text *t, struct buf *what,
		       struct ptui_selector_event *ev)
{
	struct terms terms;
	const char *between = "/";
	int ret = terms_split(p, t->terms, &terms);

	buf_add(what, t->all.at, (size_t)(t->terms.at - 1 - t->all.at));
	for (size_t i = 0; !ret && i < terms.n; i++) {
		const struct term *term = &terms.v[i];

		if (is_rate(term)) {
			set_rate(term, ev);
			continue;
		}
		buf_add_str(what, between);
		between = ",";
		buf_add(what, term->all.at, span_len(term->all));
	}
	if (*between == ',')
		buf_add_char(what, '/');
	else if (t->is_pmu)
		buf_add_str(what, "//");
	terms_release(&terms);
	return ret;
}

static int add_event(struct parser *p, const struct event_text *t)
{
	struct builder *b = builder_of(p);
	struct ptui_selector_event *ev;
	struct span mods = t->rest;
	struct buf what = BUF_INIT;
	int ret = 0;

	if (vec_grow(&b->to->events, &b->events_cap, b->to->n_events + 1))
		return ptui_error_nomem(p->err);
	ev = &b->to->events[b->to->n_events++];
	memset(ev, 0, sizeof(*ev));
	ev->group = b->group;
	if (t->has_terms)
		ret = split_terms(p, t, &what, ev);
	else
		buf_add(&what, t->all.at, (size_t)(t->rest.at - t->all.at));
	if (mods.at < mods.end && *mods.at == ':')
		mods.at++;
	ev->what = buf_take(&what);
	ev->modifiers = mods.at < mods.end ? strndup(mods.at, span_len(mods)) : strdup("");
	buf_release(&what);
	if (!ret && (!ev->what || !ev->modifiers))
		ret = ptui_error_nomem(p->err);
	return ret;
}

/* ---- groups ---- */

static void begin_group(struct parser *p)
{
	struct builder *b = builder_of(p);

	b->group = (unsigned int)b->to->n_groups + 1;
}

static int end_group(struct parser *p, struct span name, struct span modifiers)
{
	struct builder *b = builder_of(p);
	struct ptui_selector_group *group;

	if (vec_grow(&b->to->groups, &b->groups_cap, b->to->n_groups + 1))
		return ptui_error_nomem(p->err);
	group = &b->to->groups[b->to->n_groups++];
	memset(group, 0, sizeof(*group));
	group->modifiers = strndup(modifiers.at, span_len(modifiers));
	if (name.at < name.end)
		group->name = strndup(name.at, span_len(name));
	b->group = 0;
	if (!group->modifiers || (name.at < name.end && !group->name))
		return ptui_error_nomem(p->err);
	return 0;
}

/* ---- the contract ---- */

static int read_all(struct parser *p)
{
	int ret = parser_read(p);

	return ret && ret != -ENOMEM ? -EINVAL : ret; /* also if a file cannot be read */
}

int ptui_selector_parse(struct ptui_catalog *c, const char *text, struct ptui_selector *ret,
			struct ptui_error *err)
{
	struct builder builder = { .to = ret };
	const struct parser_listener listener = {
		.event = add_event,
		.group_begins = begin_group,
		.group_ends = end_group,
		.ctx = &builder,
	};
	struct event_list list;
	struct parser p = {
		.cat = c->catalog,
		.text = text,
		.at = text,
		.list = &list,
		.err = err,
		.listener = &listener,
	};
	int error;

	memset(ret, 0, sizeof(*ret));
	event_list_init(&list);
	error = read_all(&p);
	event_list_release(&list);
	if (error)
		ptui_selector_release(ret);
	return error;
}

void ptui_selector_release(struct ptui_selector *s)
{
	for (size_t i = 0; i < s->n_events; i++) {
		free(s->events[i].what);
		free(s->events[i].modifiers);
		free(s->events[i].filter);
	}
	for (size_t i = 0; i < s->n_groups; i++) {
		free(s->groups[i].name);
		free(s->groups[i].modifiers);
	}
	free(s->events);
	free(s->groups);
	memset(s, 0, sizeof(*s));
}

/* "cpu/event=1/" and period=5: "cpu/event=1,period=5/". */
static void add_what(struct buf *out, const struct ptui_selector_event *ev)
{
	size_t len = strlen(ev->what);
	bool has_terms = len && ev->what[len - 1] == '/';

	if (!ev->period && !ev->freq_hz) {
		buf_add_str(out, ev->what);
		return;
	}
	buf_add(out, ev->what, has_terms ? len - 1 : len);
	if (!has_terms)
		buf_add_char(out, '/');
	else if (len > 1 && ev->what[len - 2] != '/')
		buf_add_char(out, ',');
	if (ev->period)
		buf_addf(out, "period=%llu/", (unsigned long long)ev->period);
	else
		buf_addf(out, "freq=%llu/", (unsigned long long)ev->freq_hz);
}

static void add_text(struct buf *out, const struct ptui_selector_event *ev)
{
	add_what(out, ev);
	if (!ev->modifiers || !*ev->modifiers)
		return;
	if (out->err || out->data[out->len - 1] != '/')
		buf_add_char(out, ':');
	buf_add_str(out, ev->modifiers);
}

char *ptui_selector_text(const struct ptui_selector *s)
{
	struct buf out = BUF_INIT;
	char *ret;

	buf_add(&out, "", 0);
	for (size_t i = 0; i < s->n_events; i++) {
		unsigned int group = s->events[i].group;
		const struct ptui_selector_group *g = group && group <= s->n_groups ?
							      &s->groups[group - 1] :
							      NULL;
		bool first = !i || s->events[i - 1].group != group;
		bool last = i + 1 == s->n_events || s->events[i + 1].group != group;

		if (i)
			buf_add_char(&out, ',');
		if (g && first)
			buf_addf(&out, "%s{", g->name ? g->name : "");
		add_text(&out, &s->events[i]);
		if (g && last)
			buf_addf(&out, "}%s%s", g->modifiers && *g->modifiers ? ":" : "",
				 g->modifiers ? g->modifiers : "");
	}
	ret = out.len ? buf_take(&out) : strdup("");
	buf_release(&out);
	return ret;
}

/* ---- checks while editing ---- */

/* Parses `text`; errors show it from `from` on. */
static int check_text(struct ptui_catalog *c, const struct buf *text, size_t from,
		      struct event_list *list, struct ptui_error *err)
{
	struct parser p = {
		.cat = c->catalog,
		.text = buf_str(text) + from,
		.at = buf_str(text),
		.list = list,
		.err = err,
	};

	return text->err ? ptui_error_nomem(err) : read_all(&p);
}

/* Other characters could end the event or start terms. */
static size_t letters(const char *modifiers)
{
	return strcspn(modifiers, ",{}/' \t\n");
}

int ptui_selector_check_modifiers(struct ptui_catalog *c, const char *what, const char *modifiers,
				  bool is_member, struct ptui_error *err)
{
	const struct ptui_selector_event ev = { .what = (char *)what };
	struct parser p = { .text = modifiers, .err = err };
	size_t from, n = letters(modifiers);
	struct buf text = BUF_INIT;
	struct event_list list;
	int ret = 0;

	if (is_member) /* without the brace in errors */
		ret = ptui_selector_check_modifiers(c, what, modifiers, false, err);
	if (ret || !*modifiers)
		return ret;
	event_list_init(&list);
	buf_add_str(&text, is_member ? "{dummy," : "");
	add_what(&text, &ev);
	if (!text.err && text.data[text.len - 1] != '/')
		buf_add_char(&text, ':');
	from = text.len;
	buf_addf(&text, "%.*s%s", (int)n, modifiers, is_member ? "}" : "");
	ret = check_text(c, &text, from, &list, err);
	if (!ret && modifiers[n])
		ret = parser_error(&p, modifiers + n, "",
				   _("unknown modifier in the event selector"));
	event_list_release(&list);
	buf_release(&text);
	return ret;
}

int ptui_selector_check_filter(struct ptui_catalog *c, const char *what, const char *filter,
			       struct ptui_error *err)
{
	struct buf text = BUF_INIT;
	struct event_list list;
	int ret;

	event_list_init(&list);
	buf_add_str(&text, what);
	ret = check_text(c, &text, 0, &list, err);
	for (size_t i = 0; !ret && i < list.n; i++)
		ret = event_filter_check(c->catalog, &list.v[i], filter, err);
	event_list_release(&list);
	buf_release(&text);
	return ret;
}

int ptui_selector_check_period(struct ptui_catalog *c, const char *what, uint64_t period,
			       uint64_t freq_hz, struct ptui_error *err)
{
	const struct ptui_selector_event ev = {
		.what = (char *)what,
		.period = period,
		.freq_hz = freq_hz,
	};
	struct buf text = BUF_INIT;
	struct event_list list;
	int ret;

	event_list_init(&list);
	add_what(&text, &ev);
	ret = check_text(c, &text, 0, &list, err);
	event_list_release(&list);
	buf_release(&text);
	return ret;
}
