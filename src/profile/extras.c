/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/extras.h"

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

_Static_assert(sizeof(struct extra) == 40, "compared as bytes, so without gaps");

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
	return (struct extra){
		.weight = keep & PTUI_EXTRA_WEIGHT ? e->weight : 0,
		.latency = keep & PTUI_EXTRA_LATENCY ? e->latency : 0,
		.stage = keep & PTUI_EXTRA_STAGE ? e->stage : 0,
		.code_page = keep & PTUI_EXTRA_CODE_PAGE ? e->code_page : 0,
		.cgroup = keep & PTUI_EXTRA_CGROUP ? e->cgroup : 0,
		.cgroup_name = keep & PTUI_EXTRA_CGROUP ? e->cgroup_name : PTUI_NONE,
		.trace = keep & PTUI_EXTRA_TRACE ? e->trace : PTUI_NONE,
	};
}
