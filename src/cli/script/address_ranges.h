/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which parts of modules are where in a process: the addresses of callchains repeat them.
 *
 *	0        from              from         from
 *	|  none  |  libc  |  none  |    gap     |  main  |  none
 *
 * Ranges of one process and one time do not overlap.
 */
#ifndef CLI_SCRIPT_ADDRESS_RANGES_H
#define CLI_SCRIPT_ADDRESS_RANGES_H

#include <stddef.h>
#include <stdint.h>
#include "resolve/resolver.h"

#define ADDRESS_RANGES_MAX 32 /* of a process; see address_ranges_find() */
#define ADDRESS_SPACES_MAX 128

/* Ranges by `from`. The first is empty, unused ones begin at UINT64_MAX: so each search takes the same steps. */
struct address_ranges {
	uint64_t from[ADDRESS_RANGES_MAX];
	uint64_t bytes[ADDRESS_RANGES_MAX];
	uint64_t to_off[ADDRESS_RANGES_MAX]; /* from an address to its offset in the module */
	uint32_t module
		[ADDRESS_RANGES_MAX]; /* PTUI_NONE: nothing is mapped (broken frame pointers) */
	uint32_t key, n;	      /* n 0: free */
	uint32_t replaced;	      /* the range that was replaced last */
};

struct address_spaces {
	struct address_ranges spaces[ADDRESS_SPACES_MAX];
	uint32_t last; /* the one found last, which stays */
};

/* The ranges with this key; none are known yet if it is new. Valid until the next call. */
struct address_ranges *address_spaces_get(struct address_spaces *s, uint32_t key);
/* Returns the index. */
size_t address_ranges_add(struct address_ranges *r, const struct resolver_place *place);

/* Without a branch, which could not be predicted. */
static inline size_t address_ranges_step(const struct address_ranges *r, uint64_t addr, size_t i,
					 size_t step)
{
	return i + (step & (0 - (size_t)(r->from[i + step] <= addr)));
}

/* The range that may contain the address: see address_ranges_has(). */
static inline size_t address_ranges_find(const struct address_ranges *r, uint64_t addr)
{
	size_t i = address_ranges_step(r, addr, 0, 16);

	i = address_ranges_step(r, addr, i, 8);
	i = address_ranges_step(r, addr, i, 4);
	i = address_ranges_step(r, addr, i, 2);
	return address_ranges_step(r, addr, i, 1);
}

static inline bool address_ranges_has(const struct address_ranges *r, size_t i, uint64_t addr)
{
	return addr - r->from[i] < r->bytes[i];
}

#endif
