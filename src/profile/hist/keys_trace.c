/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keys of tracepoints: the payload as one text, and single fields by their names. A plan has the fields
 * that its -s and -F name; the key of the i-th of them is field_keys[i].
 */
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "base/text.h"
#include "profile/hist/keys_private.h"

/* ---- trace ---- */

static uint32_t row_trace(const struct ptui_hist *h, const struct hist_row *row)
{
	return key_extra(h, &row->item)->trace;
}

static uint64_t trace_value(const struct ptui_hist *h, const struct hist_item *item)
{
	return key_extra(h, item)->trace;
}

static int trace_compare(const struct ptui_hist *h, const struct hist_row *a,
			 const struct hist_row *b)
{
	return key_name_compare(h->profile, row_trace(h, a), row_trace(h, b));
}

static int trace_order(const struct ptui_hist *h, uint64_t *ret)
{
	return key_order_by_name(h, &h->profile->names, row_trace, ret);
}

static void trace_cell(const struct ptui_hist *h, const struct hist_row *row, struct ptui_cell *ret)
{
	if (row_trace(h, row) == PTUI_NONE)
		ret->text = "N/A";
	else
		key_set_name(&h->profile->names, row_trace(h, row), ret);
}

const struct hist_key hist_trace_keys[] = {
	{ "trace", N_("Trace output"), N_("payload of the tracepoint"), false, false,
	  KEY_NEEDS_EXTRA, 0, false, trace_value, trace_compare, trace_order, trace_cell,
	  .extra = PTUI_EXTRA_TRACE },
	{ .name = NULL },
};

/* ---- fields ---- */

/* Number of the value in profile.trace.v; PTUI_NONE: none. */
static uint32_t field_value(const struct ptui_hist *h, const struct hist_item *item, unsigned i)
{
	uint32_t at = key_extra(h, item)->fields;

	return at && h->fields.v[at] > i ? h->fields.v[at + 1 + i] : PTUI_NONE;
}

/* The value's bytes in hexadecimal: strpool id; PTUI_NONE: none. */
static uint32_t field_bytes(const struct ptui_hist *h, const struct hist_row *row, unsigned i)
{
	uint32_t value = field_value(h, &row->item, i);

	return value == PTUI_NONE ? PTUI_NONE : h->profile->trace.v[value].bytes;
}

/* By bytes, the largest first, as in perf; rows without a value come last. */
static int field_compare(const struct ptui_hist *h, const struct hist_row *a,
			 const struct hist_row *b, unsigned i)
{
	uint32_t na = field_bytes(h, a, i), nb = field_bytes(h, b, i);

	if (na == PTUI_NONE || nb == PTUI_NONE)
		return (nb == PTUI_NONE) - (na == PTUI_NONE);
	return strcmp(strpool_get(&h->profile->names, na), strpool_get(&h->profile->names, nb));
}

static int field_order(const struct ptui_hist *h, uint64_t *ret,
		       uint32_t (*bytes)(const struct ptui_hist *h, const struct hist_row *row))
{
	int err = key_order_by_name(h, &h->profile->names, bytes, ret);

	for (size_t i = 0; i < h->n_rows && !err; i++)
		if (ret[i] != h->profile->names.n)
			ret[i] = h->profile->names.n - 1 - ret[i];
	return err;
}

static uint32_t shown_text(const struct ptui_hist *h, const struct trace_value *v, unsigned i)
{
	return h->plan.fields[i].raw ? v->raw : v->shown;
}

static void field_cell(const struct ptui_hist *h, const struct hist_row *row, unsigned i,
		       struct ptui_cell *ret)
{
	uint32_t value = field_value(h, &row->item, i);

	if (value != PTUI_NONE)
		key_set_name(&h->profile->names, shown_text(h, &h->profile->trace.v[value], i),
			     ret);
}

/* A key knows its place in the plan by its functions. */
#define FIELD(i)                                                                           \
	static uint64_t value_##i(const struct ptui_hist *h, const struct hist_item *item) \
	{                                                                                  \
		return field_value(h, item, i);                                            \
	}                                                                                  \
	static int compare_##i(const struct ptui_hist *h, const struct hist_row *a,        \
			       const struct hist_row *b)                                   \
	{                                                                                  \
		return field_compare(h, a, b, i);                                          \
	}                                                                                  \
	static uint32_t bytes_##i(const struct ptui_hist *h, const struct hist_row *row)   \
	{                                                                                  \
		return field_bytes(h, row, i);                                             \
	}                                                                                  \
	static int order_##i(const struct ptui_hist *h, uint64_t *ret)                     \
	{                                                                                  \
		return field_order(h, ret, bytes_##i);                                     \
	}                                                                                  \
	static void cell_##i(const struct ptui_hist *h, const struct hist_row *row,        \
			     struct ptui_cell *ret)                                        \
	{                                                                                  \
		field_cell(h, row, i, ret);                                                \
	}

FIELD(0)
FIELD(1)
FIELD(2)
FIELD(3)
FIELD(4)
FIELD(5)
FIELD(6)
FIELD(7)
FIELD(8)
FIELD(9)
FIELD(10)
FIELD(11)
FIELD(12)
FIELD(13)
FIELD(14)
FIELD(15)
FIELD(16)
FIELD(17)
FIELD(18)
FIELD(19)
FIELD(20)
FIELD(21)
FIELD(22)
FIELD(23)
FIELD(24)
FIELD(25)
FIELD(26)
FIELD(27)
FIELD(28)
FIELD(29)
FIELD(30)
FIELD(31)

#define KEY(i)                                                                                  \
	{                                                                                       \
		"field", "", "", true, true, KEY_NEEDS_EXTRA, 0, false, value_##i, compare_##i, \
			order_##i, cell_##i, .extra = PTUI_EXTRA_FIELDS                         \
	}

static const struct hist_key field_keys[] = {
	KEY(0),	 KEY(1),  KEY(2),  KEY(3),  KEY(4),  KEY(5),  KEY(6),  KEY(7),
	KEY(8),	 KEY(9),  KEY(10), KEY(11), KEY(12), KEY(13), KEY(14), KEY(15),
	KEY(16), KEY(17), KEY(18), KEY(19), KEY(20), KEY(21), KEY(22), KEY(23),
	KEY(24), KEY(25), KEY(26), KEY(27), KEY(28), KEY(29), KEY(30), KEY(31),
};

_Static_assert(sizeof(field_keys) / sizeof(field_keys[0]) == HIST_FIELDS_MAX,
	       "a key for each field of a plan");

const struct hist_key *hist_key_field(size_t i)
{
	return &field_keys[i];
}

int hist_key_field_index(const struct hist_key *key)
{
	for (int i = 0; i < HIST_FIELDS_MAX; i++)
		if (key == &field_keys[i])
			return i;
	return -1;
}

/* ---- the fields of a plan ---- */

/* A word of -s: [EVENT.]FIELD[/raw] */
struct field_name {
	char event[256], field[256];
	bool has_event, raw, valid;
};

/* A word of C, as all fields are named, or, of an event, all its fields. */
static bool is_field_name(const char *name, bool has_event)
{
	size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");

	return (has_event && !strcmp(name, "*")) ||
	       (!name[n] && n && !(*name >= '0' && *name <= '9'));
}

static struct field_name split_name(const char *word, size_t len)
{
	struct field_name ret = { .valid = false };
	const char *dot = memchr(word, '.', len), *field = dot ? dot + 1 : word;
	const char *end = word + len, *slash = memchr(field, '/', (size_t)(end - field));
	size_t field_len = (size_t)((slash ? slash : end) - field);

	ret.raw = slash && end - slash == 4 && !memcmp(slash, "/raw", 4);
	ret.has_event = dot != NULL;
	if (!field_len || field_len >= sizeof(ret.field) || (slash && !ret.raw) ||
	    (dot && (dot == word || (size_t)(dot - word) >= sizeof(ret.event))))
		return ret;
	memcpy(ret.field, field, field_len);
	if (dot)
		memcpy(ret.event, word, (size_t)(dot - word));
	ret.valid = is_field_name(ret.field, ret.has_event);
	return ret;
}

static bool is_traced(const struct ptui_profile *p, uint32_t event)
{
	for (size_t i = 0; i < p->trace.n_fields; i++)
		if (p->trace.fields[i].event == event)
			return true;
	return false;
}

/* "%2": by number, from 1; "sched:sched_switch": by name; "switch": the only one with it in its name. */
static uint32_t find_event(const struct ptui_profile *p, const char *text)
{
	uint32_t found = PTUI_NONE;
	uint64_t n;

	if (*text == '%') {
		const char *end = text_number(text + 1, UINT32_MAX, &n);

		return end && !*end && n && n <= p->n_events ? (uint32_t)n - 1 : PTUI_NONE;
	}
	for (uint32_t i = 0; i < p->n_events; i++) {
		const char *name = p->events[i].name;

		if (strchr(text, ':')) {
			if (!strcmp(name, text))
				return i;
		} else if (strstr(name, text)) {
			if (found != PTUI_NONE)
				return PTUI_NONE;
			found = i;
		}
	}
	return found;
}

static bool field_matches(const struct ptui_profile *p, const struct trace_key *f,
			  const struct field_name *name)
{
	if (!strcmp(name->field, "trace_fields") || (name->has_event && !strcmp(name->field, "*")))
		return !f->common;
	return !strcmp(strpool_get(&p->names, f->name), name->field);
}

/* As in perf, a field that is named again stays as it is, with or without "/raw". */
static void add_field(struct hist_plan *plan, const struct hist_field *field,
		      const struct hist_key **keys, size_t *n)
{
	size_t i = 0;

	while (i < plan->n_fields && plan->fields[i].field != field->field)
		i++;
	if (i == HIST_FIELDS_MAX) {
		plan->extra_field = field->field;
		return;
	}
	if (i == plan->n_fields)
		plan->fields[plan->n_fields++] = *field;
	hist_keys_add(keys, n, hist_key_field(i));
}

bool hist_plan_add_fields(struct hist_plan *plan, const struct hist_scope *scope, const char *word,
			  size_t len, const struct hist_key **keys, size_t *n)
{
	const struct field_name name = split_name(word, len);
	const struct ptui_profile *p = scope->profile;
	uint32_t only = PTUI_NONE;
	bool found = false;

	plan->other_fields |= name.valid;
	if (!p || !name.valid)
		return name.valid;
	if (name.has_event) {
		only = find_event(p, name.event);
		if (only == PTUI_NONE || !is_traced(p, only))
			return false;
	}
	for (uint32_t i = 0; i < p->trace.n_fields; i++) {
		const struct trace_key *f = &p->trace.fields[i];

		if ((only != PTUI_NONE && f->event != only) || !field_matches(p, f, &name))
			continue;
		found = true;
		if (f->event == scope->event)
			add_field(plan, &(struct hist_field){ i, name.raw, word, len }, keys, n);
	}
	return found;
}

/* ---- what a view shows of them ---- */

uint32_t hist_find_fields(struct ptui_hist *h, uint32_t tuple)
{
	uint32_t values[HIST_FIELDS_MAX];

	for (size_t i = 0; i < h->plan.n_fields; i++)
		values[i] = trace_values_of(&h->profile->trace, tuple, h->plan.fields[i].field);
	return tuples_add(&h->fields, values, (uint32_t)h->plan.n_fields);
}

static const struct trace_key *field_of(const struct ptui_hist *h, const struct hist_key *key)
{
	return &h->profile->trace.fields[h->plan.fields[hist_key_field_index(key)].field];
}

const char *hist_field_name(const struct ptui_hist *h, const struct hist_key *key)
{
	return strpool_get(&h->profile->names, field_of(h, key)->name);
}

unsigned hist_field_width(const struct ptui_hist *h, const struct hist_key *key)
{
	const struct trace_key *f = field_of(h, key);
	unsigned i = (unsigned)hist_key_field_index(key);
	size_t width = text_width(hist_field_name(h, key)), bytes = f->bytes;

	if (!f->text)
		bytes = 2 * bytes + 2;
	if (bytes > width)
		width = bytes;
	for (size_t row = 0; row < h->n_rows; row++) {
		uint32_t value = field_value(h, &h->rows[row].item, i);
		const struct trace_value *v;
		size_t w;

		if (value == PTUI_NONE)
			continue;
		v = &h->profile->trace.v[value];
		w = text_width(strpool_get(&h->profile->names, shown_text(h, v, i)));
		width = w > width ? w : width;
		width = v->length > width ? v->length : width;
	}
	return (unsigned)width;
}

const char *ptui_profile_trace_field(const struct ptui_profile *p, uint32_t event, size_t i)
{
	for (size_t k = 0; k < p->trace.n_fields; k++) {
		const struct trace_key *f = &p->trace.fields[k];

		if (f->event == event && !f->common && !i--)
			return strpool_get(&p->names, f->name);
	}
	return NULL;
}
