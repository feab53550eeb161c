/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Event terms: splits them, and applies PMU terms to the config. */
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "base/vec.h"
#include "event/selector/terms.h"

#define DEPTH_MAX 8 /* nesting of named events */

void terms_release(struct terms *terms)
{
	free(terms->v);
	memset(terms, 0, sizeof(*terms));
}

static struct span unquote(struct span s)
{
	if (span_len(s) >= 2 && *s.at == '\'' && s.end[-1] == '\'') {
		s.at++;
		s.end--;
	}
	return s;
}

/* Up to the first `c` outside of quotes, or to the end. */
static const char *find_bare(struct span s, char c)
{
	bool quoted = false;
	const char *at;

	for (at = s.at; at < s.end; at++) {
		if (*at == '\'')
			quoted = !quoted;
		else if (*at == c && !quoted)
			break;
	}
	return at;
}

int terms_split(struct parser *p, struct span text, struct terms *ret)
{
	memset(ret, 0, sizeof(*ret));
	while (text.at < text.end) {
		struct span one = { text.at, find_bare(text, ',') };
		struct term *t;

		if (one.at == one.end)
			return parser_error(p, one.at, _("a term"),
					    _("term missing between commas"));
		if (vec_grow(&ret->v, &ret->cap, ret->n + 1))
			return ptui_error_nomem(p->err);
		t = &ret->v[ret->n++];
		memset(t, 0, sizeof(*t));
		t->all = one;
		t->name = (struct span){ one.at, find_bare(one, '=') };
		t->number = 1;
		if (t->name.end < one.end) {
			t->value = unquote((struct span){ t->name.end + 1, one.end });
			t->is_number = parser_take_number(t->value, UINT64_MAX, &t->number);
			if (t->value.at == t->value.end)
				return parser_error(p, t->value.at, _("a value"),
						    _("value missing after the equals sign"));
		}
		if (t->name.at == t->name.end)
			return parser_error(p, one.at, _("the name of a term"),
					    _("term without a name"));
		text.at = one.end;
		if (text.at < text.end && ++text.at == text.end)
			return parser_error(p, text.at, _("a term"),
					    _("term missing after the comma"));
	}
	return 0;
}

/* ---- PMU terms ---- */

/* The PMU's terms and events, as the hint for an unknown one. */
static int unknown_term(struct parser *p, const struct term *t, const struct pmu *pmu)
{
	const char **names = calloc(pmu->n_formats + pmu->n_events + 64, sizeof(*names));
	size_t n = 0;
	int ret = parser_error(p, t->name.at, _("a term of this PMU"),
			       _("%s has no term or event '%.*s'"), pmu->name,
			       (int)(span_len(t->name) > 80 ? 80 : span_len(t->name)), t->name.at);

	for (size_t i = 0; names && i < pmu->n_formats; i++)
		names[n++] = pmu->formats[i].name;
	for (size_t i = 0; names && i < pmu->n_events; i++)
		names[n++] = pmu->events[i].name;
	for (size_t i = 0; names && i < 64 && term_general_name(i); i++)
		names[n++] = term_general_name(i);
	if (names)
		parser_hint_nearest(p, t->name, names, n);
	free(names);
	return ret;
}

/* Applies a format term of the PMU. 1, or negative with err set. */
static int apply_format(struct parser *p, const struct term *t, const struct pmu *pmu,
			struct event *ev)
{
	const struct pmu_format *f = pmu_find_format(pmu, t->name.at, span_len(t->name));

	if (f->field >= PMU_CONFIGS)
		return parser_error(p, t->name.at, _("another term"),
				    _("%s uses config%u, which does not exist"), f->name, f->field);
	if (t->value.at && !t->is_number)
		return parser_error(p, t->value.at, _("a number, decimal or 0x..."),
				    _("invalid number for %s"), f->name);
	if (t->number > pmu_format_max(f->bits))
		return parser_error(p, t->value.at ? t->value.at : t->name.at, _("a smaller value"),
				    _("%s is at most %llu"), f->name,
				    (unsigned long long)pmu_format_max(f->bits));
	/* the term of an event with an AUX area replaces its default */
	if (ev->aux)
		*event_config(&ev->attr, f->field) &= ~f->bits;
	*event_config(&ev->attr, f->field) |= pmu_format_spread(f->bits, t->number);
	return 1;
}

/* r1a8 or r0x1a8 as a PMU term: its config. */
static bool is_raw_term(const struct term *t, uint64_t *ret)
{
	struct span digits = { t->name.at + 1, t->name.end };

	if (span_starts_with(digits, "0x"))
		digits.at += 2;
	return *t->name.at == 'r' && !t->value.at && parser_take_hex(digits, ret);
}

/*
 * perf's order: first the terms that set a whole config, then the format terms, which are ORed in.
 * So config=1,event=0x3c equals event=0x3c,config=1.
 */
enum pass { WHOLE, BITS };

struct unit_terms {
	const struct pmu *pmu;
	struct event *ev;
	enum pass pass;
};

static int apply_to_pmu(struct parser *p, const struct terms *terms, const struct unit_terms *u,
			unsigned int depth);

/* The terms of a named event come from sysfs: a caret cannot point at them. */
static int apply_named(struct parser *p, const struct unit_terms *u, const struct pmu_event *pe,
		       unsigned int depth)
{
	struct parser inner = *p;
	struct terms terms;
	int ret;

	inner.text = inner.at = pe->text;
	ret = terms_split(&inner, (struct span){ pe->text, pe->text + strlen(pe->text) }, &terms);
	if (!ret)
		ret = apply_to_pmu(&inner, &terms, u, depth + 1);
	terms_release(&terms);
	return ret;
}

/* A generic event of this PMU: cpu/cycles/. 0: not one. */
static int apply_legacy(struct parser *p, const struct term *t, const struct unit_terms *u)
{
	const struct catalog_entry *legacy =
		t->value.at ? NULL : catalog_find_legacy(p->cat, t->name.at, span_len(t->name));

	if (!legacy || legacy->type == PERF_TYPE_SOFTWARE)
		return 0;
	if (u->pass == WHOLE) {
		u->ev->attr.type = legacy->type;
		u->ev->attr.config = legacy->config;
		if (u->pmu->core)
			u->ev->attr.config |= (uint64_t)u->pmu->type << 32;
	}
	return 1;
}

/* Terms that are not format terms. 1: applied, 0: unknown. */
static int apply_whole(struct parser *p, const struct term *t, const struct unit_terms *u,
		       unsigned int depth)
{
	const struct pmu_event *pe = t->value.at ?
					     NULL :
					     pmu_find_event(u->pmu, t->name.at, span_len(t->name));
	uint64_t raw;
	int ret;

	if (pe && depth < DEPTH_MAX) {
		if (!depth)
			u->ev->pmu_event = pe;
		ret = apply_named(p, u, pe, depth);
		return ret ? ret : 1;
	}
	if (is_raw_term(t, &raw)) {
		if (u->pass == WHOLE)
			u->ev->attr.config = raw;
		return 1;
	}
	return apply_legacy(p, t, u);
}

static int apply_to_pmu(struct parser *p, const struct terms *terms, const struct unit_terms *u,
			unsigned int depth)
{
	for (size_t i = 0; i < terms->n; i++) {
		const struct term *t = &terms->v[i];
		int ret;

		/* "event=?": the event requires a value from the user */
		if (depth && t->value.at && span_len(t->value) == 1 && *t->value.at == '?')
			continue;
		if (term_is_general(t))
			ret = u->pass == WHOLE ? term_apply_general(p, t, u->ev) : 1;
		else if (pmu_find_format(u->pmu, t->name.at, span_len(t->name)))
			ret = u->pass == BITS ? apply_format(p, t, u->pmu, u->ev) : 1;
		else
			ret = apply_whole(p, t, u, depth);
		if (!ret)
			ret = unknown_term(p, t, u->pmu);
		if (ret < 0)
			return ret;
	}
	return 0;
}

int terms_apply(struct parser *p, const struct terms *terms, const struct pmu *pmu,
		struct event *ev)
{
	int ret = apply_to_pmu(p, terms, &(struct unit_terms){ pmu, ev, WHOLE }, 0);

	return ret ? ret : apply_to_pmu(p, terms, &(struct unit_terms){ pmu, ev, BITS }, 0);
}

int pmu_event_apply(struct parser *p, const struct pmu *pmu, const struct pmu_event *pe,
		    struct event *ev)
{
	int ret = apply_named(p, &(struct unit_terms){ pmu, ev, WHOLE }, pe, 0);

	ev->pmu_event = pe;
	return ret ? ret : apply_named(p, &(struct unit_terms){ pmu, ev, BITS }, pe, 0);
}
