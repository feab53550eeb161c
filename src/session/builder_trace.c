/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fields of tracepoints, as sort keys need them (profile/extras.h). A value is formatted when it is seen
 * for the first time.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"
#include "event/trace_format.h"
#include "session/builder.h"

/* Whether one of the lists of keys names the field, or all; without lists all are wanted. */
static bool is_wanted(const struct ptui_load_opts *opts, const struct trace_field *f)
{
	for (size_t i = 0; i < opts->n_fields; i++) {
		const char *list = opts->fields[i];

		if (list && strstr(list, f->name))
			return true;
		if (list && !f->common && (strstr(list, "trace_fields") || strstr(list, ".*")))
			return true;
	}
	return !opts->n_fields && !f->common;
}

static int add_field(struct builder *b, uint32_t event, uint32_t at, const struct trace_field *f,
		     bool loaded)
{
	struct builder_trace *t = &b->extras.trace;
	struct trace_values *v = &t->values;
	uint32_t name = strpool_add(b->store.names, f->name);

	if (name == PTUI_NONE || vec_grow(&v->fields, &v->cap_fields, v->n_fields + 1) ||
	    vec_grow(&t->at, &t->cap_at, v->n_fields + 1))
		return -ENOMEM;
	t->at[v->n_fields] = at;
	v->fields[v->n_fields++] = (struct trace_key){ event,	name,	   f->bytes,
						       f->text, f->common, loaded };
	return 0;
}

int builder_trace_start(struct builder *b, const struct ptui_load_opts *opts)
{
	struct builder_trace *t = &b->extras.trace;
	struct trace_field f;
	int ret = 0;

	t->raw = opts->raw_trace;
	t->first = calloc(b->store.n_events + 1, sizeof(*t->first));
	if (!t->first)
		return -ENOMEM;
	for (uint32_t e = 0; e < b->store.n_events && !ret; e++) {
		const struct data_event *event = data_event(b->file, e);

		t->first[e] = (uint32_t)t->values.n_fields;
		if (!event || !(builder_extras_of(event) & PTUI_EXTRA_TRACE))
			continue;
		for (uint32_t i = 0;
		     !ret && trace_formats_describe(b->extras.formats, event->config, i, &f); i++)
			ret = add_field(b, e, i, &f,
					b->extras.wanted & PTUI_EXTRA_FIELDS &&
						is_wanted(opts, &f));
	}
	t->first[b->store.n_events] = (uint32_t)t->values.n_fields;
	t->n_events = b->store.n_events;
	return ret;
}

void builder_trace_release(struct builder_trace *t)
{
	trace_values_release(&t->values);
	free(t->first);
	free(t->at);
	free(t->tuple);
	memset(t, 0, sizeof(*t));
}

/* "state=S " after the name in the payload's text, as perf finds it: by the first word that begins with it. */
static bool find_shown(const char *text, const char *name, struct buf *out)
{
	size_t n = strlen(name);

	while (*text) {
		size_t len = strcspn(text, " ");

		if (!strncmp(text, name, n)) {
			if (len > n + 1)
				buf_add(out, text + n + 1, len - n - 1);
			return true;
		}
		text += len + (text[len] == ' ');
	}
	return false;
}

static uint32_t name_of(struct builder *b, struct buf *text)
{
	return text->err ? PTUI_NONE : strpool_add(b->store.names, buf_str(text));
}

/* The texts of a value; `field` is its number. */
static uint32_t add_value(struct builder *b, uint32_t field, uint32_t bytes, size_t n_bytes,
			  const struct data_event *e, const struct data_sample *s)
{
	struct builder_extras *x = &b->extras;
	struct builder_trace *t = &x->trace;
	struct trace_value value = { .field = field, .bytes = bytes };
	const char *name = strpool_get(b->store.names, t->values.fields[field].name);
	struct buf shown = BUF_INIT;

	if (n_bytes != t->values.fields[field].bytes)
		value.length = (uint32_t)n_bytes;
	x->text.len = 0;
	trace_formats_print_field(x->formats, e->config, t->at[field], s->raw, s->raw_bytes,
				  &x->text);
	value.raw = name_of(b, &x->text);
	value.shown = value.raw;
	x->text.len = 0;
	if (!t->raw)
		trace_formats_print(x->formats, e->config, s->cpu, s->raw, s->raw_bytes, &x->text);
	if (find_shown(buf_str(&x->text), name, &shown))
		value.shown = name_of(b, &shown);
	buf_release(&shown);
	return value.raw == PTUI_NONE || value.shown == PTUI_NONE || x->text.err ?
		       PTUI_NONE :
		       trace_values_add(&t->values, &value);
}

/* The number of the sample's value; PTUI_NONE: it has none, or *failed was set. */
static uint32_t value_of(struct builder *b, uint32_t field, const struct data_event *e,
			 const struct data_sample *s, bool *failed)
{
	static const char digits[] = "0123456789abcdef";
	struct builder_extras *x = &b->extras;
	struct builder_trace *t = &x->trace;
	const uint8_t *bytes;
	uint32_t id, value;
	size_t n;

	if (!trace_formats_bytes(x->formats, e->config, t->at[field], s->raw, s->raw_bytes, &bytes,
				 &n))
		return PTUI_NONE;
	x->text.len = 0;
	for (size_t i = 0; i < n; i++) {
		buf_add_char(&x->text, digits[bytes[i] >> 4]);
		buf_add_char(&x->text, digits[bytes[i] & 15]);
	}
	id = name_of(b, &x->text);
	value = id == PTUI_NONE ? PTUI_NONE : trace_values_find(&t->values, field, id);
	if (value == PTUI_NONE && id != PTUI_NONE)
		value = add_value(b, field, id, n, e, s);
	*failed |= value == PTUI_NONE;
	return value;
}

uint32_t builder_trace_fields(struct builder *b, const struct data_event *e,
			      const struct data_sample *s)
{
	struct builder_trace *t = &b->extras.trace;
	bool failed = false;
	uint32_t n = 0, first, end;

	if (!t->first || !e || s->event >= t->n_events || !s->raw)
		return 0;
	first = t->first[s->event];
	end = t->first[s->event + 1];
	if (vec_grow(&t->tuple, &t->cap_tuple, end - first))
		failed = true;
	for (uint32_t f = first; f < end && !failed; f++) {
		uint32_t value;

		if (!t->values.fields[f].loaded)
			continue;
		value = value_of(b, f, e, s, &failed);

		if (value != PTUI_NONE)
			t->tuple[n++] = value;
	}
	n = failed ? 0 : tuples_add(&t->values.tuples, t->tuple, n);
	b->extras.table.failed |= failed || t->values.tuples.failed;
	return n;
}
