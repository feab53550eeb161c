/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/deferred.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/perf_abi.h"
#include "base/vec.h"

void deferred_release(struct deferred_chains *d)
{
	free(d->v);
	free(d->addrs);
	index_table_release(&d->index);
	memset(d, 0, sizeof(*d));
}

static uint64_t deferred_hash(int32_t tid, uint64_t cookie)
{
	return hash_pair((uint32_t)tid, cookie);
}

static bool deferred_same(const void *owner, uint32_t index, const void *key)
{
	const struct deferred_chain *a = &((const struct deferred_chains *)owner)->v[index];
	const struct deferred_chain *b = key;

	return a->tid == b->tid && a->cookie == b->cookie;
}

static uint32_t deferred_index(const struct deferred_chains *d, int32_t tid, uint64_t cookie)
{
	struct deferred_chain key = { .tid = tid, .cookie = cookie };

	return index_table_find(&d->index, deferred_hash(tid, cookie), deferred_same, d, &key);
}

int deferred_add(struct deferred_chains *d, const struct data_record *rec, uint64_t when)
{
	struct deferred_chain c = { .cookie = rec->deferred.cookie,
				    .when = when,
				    .first = d->n_addrs,
				    .tid = rec->id.tid };

	if (!(rec->id.has & DATA_HAS_TID) || deferred_index(d, c.tid, c.cookie) != PTUI_NONE)
		return 0;
	if (d->n >= PTUI_NONE - 1 || vec_grow(&d->v, &d->cap, d->n + 1) ||
	    vec_grow(&d->addrs, &d->cap_addrs, d->n_addrs + rec->deferred.n + 1) ||
	    index_table_add(&d->index, deferred_hash(c.tid, c.cookie), (uint32_t)d->n))
		return -ENOMEM;
	for (uint32_t i = 0; i < rec->deferred.n; i++) {
		uint64_t addr = data_word(rec->deferred.addrs, i, rec->deferred.swapped);

		if (addr < (uint64_t)PERF_CONTEXT_MAX) /* preceded by a marker */
			d->addrs[d->n_addrs++] = addr;
	}
	c.n = (uint32_t)(d->n_addrs - c.first);
	d->v[d->n++] = c;
	return 0;
}

bool deferred_find(const struct deferred_chains *d, int32_t tid, uint64_t cookie,
		   struct chain_user *ret)
{
	uint32_t i = deferred_index(d, tid, cookie);

	if (i == PTUI_NONE)
		return false;
	*ret = (struct chain_user){ d->addrs + d->v[i].first, d->v[i].n, true };
	return true;
}

int deferred_drop(struct deferred_chains *d, uint64_t when)
{
	size_t n = 0, n_addrs = 0;

	if (!d->n)
		return 0;
	index_table_release(&d->index);
	index_table_init(&d->index);
	for (size_t i = 0; i < d->n; i++) {
		struct deferred_chain c = d->v[i];

		if (c.when < when)
			continue;
		memmove(d->addrs + n_addrs, d->addrs + c.first, c.n * sizeof(*d->addrs));
		c.first = n_addrs;
		n_addrs += c.n;
		if (index_table_add(&d->index, deferred_hash(c.tid, c.cookie), (uint32_t)n))
			return -ENOMEM;
		d->v[n++] = c;
	}
	d->n = n;
	d->n_addrs = n_addrs;
	vec_fit(&d->v, &d->cap, n);
	vec_fit(&d->addrs, &d->cap_addrs, n_addrs);
	return 0;
}
