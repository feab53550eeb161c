/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/builder_extras.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/cursor.h"
#include "base/perf_abi.h"
#include "base/vec.h"
#include "event/trace_format.h"
#include "session/builder.h"

/* Payloads are formatted before the kernel's symbols are known. */
static const char *no_function(void *ctx, uint64_t addr, const char **ret_module,
			       uint64_t *ret_start)
{
	(void)ctx;
	(void)addr;
	(void)ret_module;
	(void)ret_start;
	return NULL;
}

int builder_extras_start(struct builder *b, struct data_file *file, struct ptui_error *err)
{
	struct builder_extras *x = &b->extras;
	size_t n = 0;
	const void *bytes = data_feature(file, PTUI_FEAT_TRACING_DATA, &n);
	unsigned present = 0;

	x->text = (struct buf)BUF_INIT;
	for (size_t i = 0; i < b->store.n_events; i++)
		present |= b->store.events[i].extras;
	x->wanted &= present;
	if (!(x->wanted & PTUI_EXTRA_TRACE) || !bytes)
		return 0;
	x->formats = trace_formats_new(bytes, n, no_function, NULL, err);
	return x->formats ? 0 : -ENOMEM;
}

void builder_extras_release(struct builder *b)
{
	struct builder_extras *x = &b->extras;

	extras_release(&x->table);
	trace_formats_free(x->formats);
	buf_release(&x->text);
	free(x->of_row);
	free(x->cgroups);
}

unsigned builder_extras_of(const struct data_event *e)
{
	static const struct {
		uint64_t sample_type;
		unsigned extras;
	} fields[] = {
		{ PERF_SAMPLE_WEIGHT, PTUI_EXTRA_WEIGHT },
		{ PERF_SAMPLE_WEIGHT_STRUCT,
		  PTUI_EXTRA_WEIGHT | PTUI_EXTRA_LATENCY | PTUI_EXTRA_STAGE },
		{ PERF_SAMPLE_CODE_PAGE_SIZE, PTUI_EXTRA_CODE_PAGE },
		{ PERF_SAMPLE_CGROUP, PTUI_EXTRA_CGROUP },
	};
	unsigned ret = 0;

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		if (e->sample_type & fields[i].sample_type)
			ret |= fields[i].extras;
	return e->type == PERF_TYPE_TRACEPOINT && e->sample_type & PERF_SAMPLE_RAW ?
		       ret | PTUI_EXTRA_TRACE :
		       ret;
}

/* u64 id, path */
int builder_extras_cgroup(struct builder *b, const struct data_record *rec)
{
	struct builder_extras *x = &b->extras;
	struct cursor c;
	uint64_t id;
	uint32_t name;

	cursor_init(&c, rec->body, rec->body_bytes, data_swapped(b->file));
	id = cursor_u64(&c);
	if (c.bad)
		return 0;
	name = strpool_add_n(b->store.names, (const char *)c.p, cursor_left(&c));
	if (name == PTUI_NONE || vec_grow(&x->cgroups, &x->cap_cgroups, x->n_cgroups + 1))
		return -ENOMEM;
	x->cgroups[x->n_cgroups++] = (struct builder_cgroup){ id, name };
	return 0;
}

static uint32_t cgroup_name(const struct builder_extras *x, uint64_t id)
{
	for (size_t i = x->n_cgroups; i-- > 0;)
		if (x->cgroups[i].id == id)
			return x->cgroups[i].name;
	return PTUI_NONE;
}

static uint32_t trace_text(struct builder *b, const struct data_event *e,
			   const struct data_sample *s)
{
	struct builder_extras *x = &b->extras;

	if (!x->formats || !e || e->type != PERF_TYPE_TRACEPOINT || !s->raw)
		return PTUI_NONE;
	x->text.len = 0;
	trace_formats_print(x->formats, e->config, s->cpu, s->raw, s->raw_bytes, &x->text);
	return strpool_add(b->store.names, buf_str(&x->text));
}

uint32_t builder_extra(struct builder *b, const struct data_event *e, const struct data_sample *s)
{
	struct builder_extras *x = &b->extras;
	struct extra all = {
		.weight = s->weight,
		.latency = s->latency[0],
		.stage = s->latency[1],
		.code_page = s->code_page_size,
		.cgroup = s->cgroup,
		.cgroup_name = x->wanted & PTUI_EXTRA_CGROUP ? cgroup_name(x, s->cgroup) :
							       PTUI_NONE,
		.trace = x->wanted & PTUI_EXTRA_TRACE ? trace_text(b, e, s) : PTUI_NONE,
	};

	all = extra_masked(&all, x->wanted);
	return extras_add(&x->table, &all);
}

int builder_extras_row(struct builder *b, uint32_t extra)
{
	struct builder_extras *x = &b->extras;

	if (x->table.failed || vec_grow(&x->of_row, &x->cap_rows, x->n_rows + 1))
		return -ENOMEM;
	x->of_row[x->n_rows++] = extra;
	return 0;
}

void builder_extras_give(struct builder *b, struct ptui_profile *p)
{
	struct builder_extras *x = &b->extras;

	if (!x->wanted || x->n_rows != p->samples.n || !x->table.n)
		return;
	p->has_extras = x->wanted;
	p->extras = x->table.v;
	p->n_extras = x->table.n;
	p->extra_of = x->of_row;
	x->table.v = NULL;
	x->table.n = 0;
	x->of_row = NULL;
}
