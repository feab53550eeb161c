/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/radix.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define DIGIT_BITS 11
#define DIGITS	   6 /* of 64 bits */
#define BUCKETS	   (1U << DIGIT_BITS)
#define FEW	   48 /* items that are sorted without counting digits */

static unsigned digit_of(uint64_t value, unsigned digit)
{
	return (unsigned)(value >> (digit * DIGIT_BITS)) & (BUCKETS - 1);
}

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

/* From the last digit to the first; digits that are equal in all items are skipped. */
int radix_sort(struct radix_item *v, size_t n)
{
	uint32_t(*count)[BUCKETS];
	struct radix_item *from = v, *to, *other;

	if (n <= FEW) {
		insertion_sort(v, n);
		return 0;
	}
	count = calloc(DIGITS, sizeof(*count));
	other = to = malloc(n * sizeof(*to));
	if (!count || !to) {
		free(count);
		free(to);
		return -ENOMEM;
	}
	for (size_t i = 0; i < n; i++)
		for (unsigned d = 0; d < DIGITS; d++)
			count[d][digit_of(v[i].value, d)]++;
	for (unsigned d = 0; d < DIGITS; d++) {
		struct radix_item *swap = from;
		uint32_t at = 0;

		if (count[d][digit_of(from[0].value, d)] == n)
			continue;
		for (unsigned b = 0; b < BUCKETS; b++) {
			uint32_t here = count[d][b];

			count[d][b] = at;
			at += here;
		}
		for (size_t i = 0; i < n; i++)
			to[count[d][digit_of(from[i].value, d)]++] = from[i];
		from = to;
		to = swap;
	}
	if (from != v)
		memcpy(v, from, n * sizeof(*v));
	free(other);
	free(count);
	return 0;
}
