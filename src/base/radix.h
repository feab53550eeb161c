/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sorting by numbers. */
#ifndef BASE_RADIX_H
#define BASE_RADIX_H

#include <stddef.h>
#include <stdint.h>

/* A value and what it belongs to. */
struct radix_item {
	uint64_t value;
	uint32_t index;
};

/* Sorts by value, the smallest first; equal values stay in their order. 0 or -ENOMEM. */
int radix_sort(struct radix_item *v, size_t n);
/*
 * The same for values that have fewer bits: each with what it belongs to in one number, of which the lowest `low`
 * bits, 32 at most, do not count.
 */
int radix_sort_words(uint64_t *v, size_t n, unsigned low);

#endif
