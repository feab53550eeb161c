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

_Static_assert(sizeof(struct extra) == 136, "compared as bytes, so without gaps");

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
	if (keep & PTUI_EXTRA_NAMESPACE) {
		ret.cgroup_dev = e->cgroup_dev;
		ret.cgroup_inode = e->cgroup_inode;
	}
	return ret;
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
