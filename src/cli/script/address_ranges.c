/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/script/address_ranges.h"

#include <string.h>
#include "base/hash.h"

struct address_ranges *address_spaces_get(struct address_spaces *s, uint32_t key)
{
	uint32_t at = (uint32_t)hash_u64(key) % ADDRESS_SPACES_MAX;
	struct address_ranges *r;

	/* in one of two neighbours */
	if (!s->spaces[at].n || s->spaces[at].key != key)
		at ^= 1;
	if (!s->spaces[at].n || s->spaces[at].key != key) {
		at ^= s->last == at;
		r = &s->spaces[at];
		*r = (struct address_ranges){ .key = key, .n = 1 };
		memset(r->from + 1, 0xff, sizeof(r->from) - sizeof(*r->from));
	}
	s->last = at;
	return &s->spaces[at];
}

static void ranges_move(struct address_ranges *r, size_t to, size_t from, size_t n)
{
	memmove(r->from + to, r->from + from, n * sizeof(*r->from));
	memmove(r->bytes + to, r->bytes + from, n * sizeof(*r->bytes));
	memmove(r->to_off + to, r->to_off + from, n * sizeof(*r->to_off));
	memmove(r->module + to, r->module + from, n * sizeof(*r->module));
}

static void ranges_remove(struct address_ranges *r, size_t i)
{
	ranges_move(r, i, i + 1, r->n - i - 1);
	r->n--;
}

size_t address_ranges_add(struct address_ranges *r, const struct resolver_place *place)
{
	size_t i;

	if (r->n == ADDRESS_RANGES_MAX) {
		r->replaced = r->replaced % (ADDRESS_RANGES_MAX - 1) + 1;
		ranges_remove(r, r->replaced);
	}
	for (i = r->n; i > 1 && r->from[i - 1] > place->from; i--)
		;
	ranges_move(r, i + 1, i, r->n - i);
	r->from[i] = place->from;
	r->bytes[i] = place->to - place->from;
	r->to_off[i] = place->to_off;
	r->module[i] = place->module;
	r->n++;
	return i;
}
