/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Comparisons of fields of tracepoints: "prev_pid > 100 && prev_comm == sh || prev_comm ~ cc*". */
#include "profile/hist/filter_fields.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"

#define NAME_CHARS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789"

enum op {
	OP_EQUAL,
	OP_DIFFERS,
	OP_AT_MOST,
	OP_AT_LEAST,
	OP_BELOW,
	OP_ABOVE,
	OP_BITS,
	OP_GLOB,
	OPS,
};

/* The longer of two that begin alike comes first. */
static const char *const ops[OPS] = {
	[OP_EQUAL] = "==", [OP_DIFFERS] = "!=", [OP_AT_MOST] = "<=", [OP_AT_LEAST] = ">=",
	[OP_BELOW] = "<",  [OP_ABOVE] = ">",	[OP_BITS] = "&",     [OP_GLOB] = "~",
};

/* What can only be compared as numbers. */
static bool takes_number(enum op op)
{
	return op >= OP_AT_MOST && op <= OP_BITS;
}

static const char *skip_blanks(const char *at)
{
	return at + strspn(at, " \t");
}

/* A number of C, with a sign. */
static bool read_number(const char *text, struct filter_number *ret)
{
	char *end;

	text = skip_blanks(text);
	ret->negative = *text == '-';
	errno = 0;
	ret->bits = ret->negative ? (uint64_t)strtoll(text, &end, 0) : strtoull(text, &end, 0);
	return !errno && end != text && !*end;
}

/* As of strcmp(); addresses of the kernel are large, not negative. */
static int order_of(const struct filter_number *a, const struct filter_number *b)
{
	if (a->negative != b->negative)
		return a->negative ? -1 : 1;
	return a->bits < b->bits ? -1 : a->bits > b->bits;
}

/* "bash" or bash; a value without quotes ends at a blank, & or |. NULL: there is none. */
static const char *read_value(const char *at, char *ret, size_t size)
{
	bool quoted = *at == '"' || *at == '\'';
	const char *end = quoted ? strchr(at + 1, *at) : at + strcspn(at, " \t&|");
	size_t n;

	at += quoted;
	n = end ? (size_t)(end - at) : 0;
	if (!end || (!n && !quoted) || n >= size)
		return NULL;
	memcpy(ret, at, n);
	ret[n] = '\0';
	return end + quoted;
}

/* Returns what follows; NULL: no comparison. */
static const char *read_term(const char *at, struct filter_term *ret)
{
	size_t n = strspn(at, NAME_CHARS), op = 0;

	if (!n || n >= sizeof(ret->field))
		return NULL;
	memcpy(ret->field, at, n);
	ret->field[n] = '\0';
	at = skip_blanks(at + n);
	while (op < OPS && strncmp(at, ops[op], strlen(ops[op])) != 0)
		op++;
	if (op == OPS)
		return NULL;
	ret->op = (unsigned)op;
	at = read_value(skip_blanks(at + strlen(ops[op])), ret->value, sizeof(ret->value));
	ret->is_number = at && read_number(ret->value, &ret->number);
	return at && (ret->is_number || !takes_number(ret->op)) ? skip_blanks(at) : NULL;
}

int filter_terms_parse(struct filter_terms *t, const char *text)
{
	const char *at = skip_blanks(text);
	bool begins = true;

	for (t->n = 0; t->n < FILTER_TERMS_MAX; at = skip_blanks(at + 2)) {
		struct filter_term *term = &t->v[t->n++];

		at = read_term(at, term);
		term->begins = begins;
		if (!at || !*at)
			return at ? 0 : -EINVAL;
		begins = !strncmp(at, "||", 2);
		if (!begins && strncmp(at, "&&", 2) != 0)
			return -EINVAL;
	}
	return -EINVAL;
}

/* ---- values ---- */

static bool term_is_true(const struct filter_term *t, const char *shown, const char *raw)
{
	struct filter_number n;
	bool numbers = t->is_number && read_number(raw, &n);
	int order = numbers ? order_of(&n, &t->number) : 0;

	switch (t->op) {
	case OP_EQUAL:
	case OP_DIFFERS:
		return ((numbers && !order) || !strcmp(shown, t->value) ||
			!strcmp(raw, t->value)) == (t->op == OP_EQUAL);
	case OP_AT_MOST:
		return numbers && order <= 0;
	case OP_AT_LEAST:
		return numbers && order >= 0;
	case OP_BELOW:
		return numbers && order < 0;
	case OP_ABOVE:
		return numbers && order > 0;
	case OP_BITS:
		return numbers && n.bits & t->number.bits;
	default:
		return !fnmatch(t->value, shown, 0) || !fnmatch(t->value, raw, 0);
	}
}

/* A sample without the field: false, whatever is compared. */
static bool term_matches(const struct filter_term *t, const struct ptui_profile *p, uint32_t tuple)
{
	const struct trace_values *values = &p->trace;

	for (uint32_t i = 0; i < values->n_fields; i++) {
		const struct trace_value *v;
		uint32_t at;

		if (strcmp(strpool_get(&p->names, values->fields[i].name), t->field) != 0)
			continue;
		at = trace_values_of(values, tuple, i);
		if (at == PTUI_NONE)
			continue;
		v = &values->v[at];
		return term_is_true(t, strpool_get(&p->names, v->shown),
				    strpool_get(&p->names, v->raw));
	}
	return false;
}

bool filter_terms_match(const struct filter_terms *t, const struct ptui_profile *p, uint32_t tuple)
{
	bool all = false;

	for (size_t i = 0; i < t->n; i++) {
		if (t->v[i].begins && all)
			return true;
		all = (t->v[i].begins || all) && term_matches(&t->v[i], p, tuple);
	}
	return all;
}

/* ---- before a profile is there ---- */

int filter_fields_check(const char *text, struct ptui_error *err)
{
	struct filter_terms t;

	if (!text || !filter_terms_parse(&t, text))
		return 0;
	return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, text,
			      _("--field-filter: '%s' is no comparison such as prev_pid > 100 && "
				"prev_comm == sh"),
			      text);
}

unsigned ptui_hist_filter_extras(const struct ptui_hist_filter *filter)
{
	return (filter->fields ? PTUI_EXTRA_FIELDS : 0) |
	       (filter->cgroups ? PTUI_EXTRA_CGROUP : 0) |
	       (filter->parallelism ? PTUI_EXTRA_RUNNING : 0);
}

/* Whether an event has the field; adds to *lacks whether its values were not loaded. */
static bool has_field(const struct ptui_profile *p, const char *name, bool *lacks)
{
	bool found = false;

	for (size_t i = 0; i < p->trace.n_fields; i++) {
		const struct trace_key *f = &p->trace.fields[i];

		if (strcmp(strpool_get(&p->names, f->name), name) != 0)
			continue;
		found = true;
		*lacks |= !f->loaded;
	}
	return found;
}

int ptui_profile_check_filter(const struct ptui_profile *p, const struct ptui_hist_filter *filter,
			      bool *ret_lacks, struct ptui_error *err)
{
	struct filter_terms t = { .n = 0 };
	unsigned extras = 0;

	*ret_lacks = false;
	if (filter->fields && filter_terms_parse(&t, filter->fields))
		return filter_fields_check(filter->fields, err);
	for (size_t i = 0; i < t.n; i++)
		if (!has_field(p, t.v[i].field, ret_lacks))
			return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, t.v[i].field,
					      _("no event has a field '%s'"), t.v[i].field);
	for (size_t i = 0; i < p->n_events; i++)
		extras |= p->events[i].extras;
	if (!filter->cgroups || extras & PTUI_EXTRA_CGROUP)
		return 0;
	ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, filter->cgroups,
		       _("--cgroup-filter: the samples have no control groups; "
			 "'ptui record --all-cgroups' records them"));
	return -EINVAL;
}
