/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/radix.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define DIGIT_BITS 11
#define BUCKETS	   (1U << DIGIT_BITS)
#define DIGITS	   2  /* that are sorted by at once */
#define FEW	   48 /* items that are sorted without counting digits */

static void insertion_sort(struct radix_item *v, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		struct radix_item item = v[i];
		size_t at = i;

		for (; at && v[at - 1].value > item.value; at--)
			v[at] = v[at - 1];
		v[at] = item;
	}
}

/* The number of the first bit from which on all values are the same; 0: they are sorted. */
static unsigned find_top(const struct radix_item *v, size_t n)
{
	uint64_t differ = 0, last = v[0].value;
	bool sorted = true;

	for (size_t i = 1; i < n; i++) {
		differ |= v[i].value ^ last;
		sorted &= v[i].value >= last;
		last = v[i].value;
	}
	return sorted ? 0 : 64 - (unsigned)__builtin_clzll(differ);
}

static unsigned digit_of(uint64_t value, unsigned shift)
{
	return (unsigned)(value >> shift) & (BUCKETS - 1);
}

/* Stably by one digit, to another place. */
static void sort_digit(const struct radix_item *from, struct radix_item *to, size_t n,
		       uint32_t *count, unsigned shift)
{
	uint32_t at = 0;

	for (unsigned b = 0; b < BUCKETS; b++) {
		uint32_t here = count[b];

		count[b] = at;
		at += here;
	}
	for (size_t i = 0; i < n; i++)
		to[count[digit_of(from[i].value, shift)]++] = from[i];
}

/* By the digits from `shift` on, the last one first; one that is equal in all items is skipped. */
static int sort_digits(struct radix_item *v, size_t n, unsigned shift)
{
	uint32_t(*count)[BUCKETS] = calloc(DIGITS, sizeof(*count));
	struct radix_item *from = v, *to = malloc(n * sizeof(*to)), *other = to;

	if (!count || !to) {
		free(count);
		free(to);
		return -ENOMEM;
	}
	for (size_t i = 0; i < n; i++)
		for (unsigned d = 0; d < DIGITS; d++)
			count[d][digit_of(v[i].value, shift + d * DIGIT_BITS)]++;
	for (unsigned d = 0; d < DIGITS; d++) {
		struct radix_item *swap = from;
		unsigned at = shift + d * DIGIT_BITS;

		if (count[d][digit_of(from[0].value, at)] == n)
			continue;
		sort_digit(from, to, n, count[d], at);
		from = to;
		to = swap;
	}
	if (from != v)
		memcpy(v, from, n * sizeof(*v));
	free(other);
	free(count);
	return 0;
}

/* By the first digits that differ; then, what is equal in these. */
int radix_sort(struct radix_item *v, size_t n)
{
	unsigned top, shift;
	int ret;

	if (n <= FEW) {
		insertion_sort(v, n);
		return 0;
	}
	top = find_top(v, n);
	if (!top)
		return 0;
	shift = top > DIGITS * DIGIT_BITS ? top - DIGITS * DIGIT_BITS : 0;
	ret = sort_digits(v, n, shift);
	for (size_t first = 0, end; first < n && shift && !ret; first = end) {
		for (end = first + 1; end < n; end++)
			if (v[end].value >> shift != v[first].value >> shift)
				break;
		if (end - first > 1)
			ret = radix_sort(v + first, end - first);
	}
	return ret;
}
