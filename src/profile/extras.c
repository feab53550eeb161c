/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/extras.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"
#include "ptui/profile.h"

void extras_release(struct extras *t)
{
	free(t->v);
	index_table_release(&t->index);
	memset(t, 0, sizeof(*t));
}

static bool extra_same(const void *owner, uint32_t index, const void *key)
{
	return !memcmp(&((const struct extras *)owner)->v[index], key, sizeof(struct extra));
}

_Static_assert(sizeof(struct extra) == 152, "compared as bytes, so without gaps");

uint32_t extras_add(struct extras *t, const struct extra *e)
{
	uint64_t hash = hash_bytes(e, sizeof(*e));
	uint32_t i = index_table_find(&t->index, hash, extra_same, t, e);

	if (i != PTUI_NONE)
		return i;
	if (vec_grow(&t->v, &t->cap, t->n + 1) ||
	    index_table_add(&t->index, hash, (uint32_t)t->n)) {
		t->failed = true;
		return 0;
	}
	t->v[t->n] = *e;
	return (uint32_t)t->n++;
}

struct extra extra_masked(const struct extra *e, unsigned keep)
{
	struct extra ret = EXTRA_NONE;

	if (keep & PTUI_EXTRA_WEIGHT)
		ret.weight = e->weight;
	if (keep & PTUI_EXTRA_LATENCY)
		ret.latency = e->latency;
	if (keep & PTUI_EXTRA_STAGE)
		ret.stage = e->stage;
	if (keep & PTUI_EXTRA_CODE_PAGE)
		ret.code_page = e->code_page;
	if (keep & PTUI_EXTRA_CGROUP) {
		ret.cgroup = e->cgroup;
		ret.cgroup_name = e->cgroup_name;
	}
	if (keep & PTUI_EXTRA_TRACE)
		ret.trace = e->trace;
	if (keep & PTUI_EXTRA_BRANCH) {
		ret.from_frame = e->from_frame;
		ret.branch = e->branch;
	}
	if (keep & PTUI_EXTRA_HISTORY)
		ret.history = e->history;
	if (keep & PTUI_EXTRA_DATA_SRC)
		ret.data_src = e->data_src;
	if (keep & PTUI_EXTRA_DATA_ADDR) {
		ret.data_addr = e->data_addr;
		ret.data_frame = e->data_frame;
		ret.data_pid = e->data_pid;
		ret.data_shared = e->data_shared;
	}
	if (keep & PTUI_EXTRA_PHYS_ADDR)
		ret.phys_addr = e->phys_addr;
	if (keep & PTUI_EXTRA_DATA_PAGE)
		ret.data_page = e->data_page;
	if (keep & PTUI_EXTRA_TRANSACTION)
		ret.transaction = e->transaction;
	if (keep & PTUI_EXTRA_MAP)
		ret.map_bytes = e->map_bytes;
	if (keep & PTUI_EXTRA_IP) {
		ret.ip = e->ip;
		ret.ip_frame = e->ip_frame;
	}
	if (keep & PTUI_EXTRA_FIELDS)
		ret.fields = e->fields;
	if (keep & PTUI_EXTRA_RUNNING)
		ret.running = e->running;
	if (keep & PTUI_EXTRA_NAMESPACE) {
		ret.cgroup_dev = e->cgroup_dev;
		ret.cgroup_inode = e->cgroup_inode;
	}
	return ret;
}

/* ---- fields of tracepoints ---- */

void tuples_release(struct tuples *t)
{
	free(t->v);
	index_table_release(&t->index);
	memset(t, 0, sizeof(*t));
}

struct tuple_key {
	const uint32_t *v;
	uint32_t n;
};

static bool is_same_tuple(const void *owner, uint32_t index, const void *key)
{
	const struct tuples *t = owner;
	const struct tuple_key *want = key;

	return t->v[index] == want->n &&
	       !memcmp(&t->v[index + 1], want->v, want->n * sizeof(*want->v));
}

uint32_t tuples_add(struct tuples *t, const uint32_t *v, uint32_t n)
{
	const struct tuple_key key = { v, n };
	uint64_t hash;
	uint32_t i;

	if (!n)
		return 0;
	hash = hash_bytes(v, n * sizeof(*v));
	i = index_table_find(&t->index, hash, is_same_tuple, t, &key);
	if (i != PTUI_NONE)
		return i;
	t->n += !t->n; /* the empty list */
	if (t->n + n >= PTUI_NONE || vec_grow(&t->v, &t->cap, t->n + n + 1) ||
	    index_table_add(&t->index, hash, (uint32_t)t->n)) {
		t->failed = true;
		return 0;
	}
	i = (uint32_t)t->n;
	t->v[0] = 0;
	t->v[i] = n;
	memcpy(&t->v[i + 1], v, n * sizeof(*v));
	t->n += (size_t)n + 1;
	return i;
}

void trace_values_release(struct trace_values *t)
{
	free(t->fields);
	free(t->v);
	index_table_release(&t->index);
	tuples_release(&t->tuples);
	memset(t, 0, sizeof(*t));
}

/* NULL: out of memory, or n is 0. */
static void *copy_of(const void *v, size_t n, size_t bytes)
{
	void *ret = n ? malloc(n * bytes) : NULL;

	if (ret)
		memcpy(ret, v, n * bytes);
	return ret;
}

int tuples_copy(const struct tuples *t, struct tuples *ret)
{
	*ret = (struct tuples){ .v = copy_of(t->v, t->n, sizeof(*t->v)), .n = t->n, .cap = t->n };
	return t->n && !ret->v ? -ENOMEM : 0;
}

int trace_values_copy(const struct trace_values *t, struct trace_values *ret)
{
	*ret = (struct trace_values){
		.fields = copy_of(t->fields, t->n_fields, sizeof(*t->fields)),
		.n_fields = t->n_fields,
		.cap_fields = t->n_fields,
		.v = copy_of(t->v, t->n, sizeof(*t->v)),
		.n = t->n,
		.cap = t->n,
	};
	return (t->n_fields && !ret->fields) || (t->n && !ret->v) ?
		       -ENOMEM :
		       tuples_copy(&t->tuples, &ret->tuples);
}

static bool is_same_value(const void *owner, uint32_t index, const void *key)
{
	const struct trace_value *have = &((const struct trace_values *)owner)->v[index];
	const struct trace_value *want = key;

	return have->field == want->field && have->bytes == want->bytes;
}

uint32_t trace_values_find(const struct trace_values *t, uint32_t field, uint32_t bytes)
{
	const struct trace_value key = { .field = field, .bytes = bytes };

	return index_table_find(&t->index, hash_pair(field, bytes), is_same_value, t, &key);
}

uint32_t trace_values_add(struct trace_values *t, const struct trace_value *value)
{
	if (t->n >= PTUI_NONE || vec_grow(&t->v, &t->cap, t->n + 1) ||
	    index_table_add(&t->index, hash_pair(value->field, value->bytes), (uint32_t)t->n))
		return PTUI_NONE;
	t->v[t->n] = *value;
	return (uint32_t)t->n++;
}

uint32_t trace_values_of(const struct trace_values *t, uint32_t tuple, uint32_t field)
{
	const uint32_t *list = t->tuples.v ? &t->tuples.v[tuple] : NULL;

	for (uint32_t i = 1; list && i <= *list; i++)
		if (t->v[list[i]].field == field)
			return list[i];
	return PTUI_NONE;
}

/* ---- blocks ---- */

void blocks_release(struct blocks *b)
{
	free(b->v);
	free(b->runs);
	free(b->lists);
	index_table_release(&b->index);
	memset(b, 0, sizeof(*b));
}

int blocks_copy(const struct blocks *b, struct blocks *ret)
{
	*ret = (struct blocks){
		.v = copy_of(b->v, b->n, sizeof(*b->v)),
		.n = b->n,
		.cap = b->n,
		.runs = copy_of(b->runs, b->n_runs, sizeof(*b->runs)),
		.n_runs = b->n_runs,
		.cap_runs = b->n_runs,
		.lists = copy_of(b->lists, b->n_lists, sizeof(*b->lists)),
		.n_lists = b->n_lists,
		.cap_lists = b->n_lists,
	};
	return (b->n && !ret->v) || (b->n_runs && !ret->runs) || (b->n_lists && !ret->lists) ?
		       -ENOMEM :
		       0;
}

int blocks_begin(struct blocks *b, uint32_t row)
{
	if (vec_grow(&b->lists, &b->cap_lists, b->n_lists + 1))
		return -ENOMEM;
	b->lists[b->n_lists++] = (struct block_list){ row, b->n_runs };
	return 0;
}

static bool is_same_block(const void *owner, uint32_t index, const void *key)
{
	const struct block *have = &((const struct blocks *)owner)->v[index], *want = key;

	return have->start == want->start && have->end == want->end;
}

/* PTUI_NONE: out of memory. */
static uint32_t find_or_add(struct blocks *b, const struct block *block)
{
	uint64_t hash = hash_pair(block->start, block->end);
	uint32_t i = index_table_find(&b->index, hash, is_same_block, b, block);

	if (i != PTUI_NONE)
		return i;
	if (b->n >= PTUI_NONE || vec_grow(&b->v, &b->cap, b->n + 1) ||
	    index_table_add(&b->index, hash, (uint32_t)b->n))
		return PTUI_NONE;
	b->v[b->n] = *block;
	return (uint32_t)b->n++;
}

int blocks_add(struct blocks *b, uint32_t start, uint32_t end, uint16_t cycles)
{
	uint32_t i = find_or_add(b, &(struct block){ start, end });

	if (i == PTUI_NONE || vec_grow(&b->runs, &b->cap_runs, b->n_runs + 1))
		return -ENOMEM;
	b->runs[b->n_runs++] = (struct block_run){ i, cycles };
	return 0;
}
