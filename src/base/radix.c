/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/radix.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS	   2	/* that are sorted by at once */
#define DIGIT_BITS 11	/* of a large digit */
#define FEW	   48	/* numbers that are sorted without counting digits */
#define MANY	   4096 /* numbers that are worth large digits */

struct sorter {
	unsigned low;
	uint32_t count[DIGITS][1 << DIGIT_BITS];
};

static void insertion_sort(uint64_t *v, size_t n, unsigned low)
{
	for (size_t i = 1; i < n; i++) {
		uint64_t word = v[i];
		size_t at = i;

		for (; at && v[at - 1] >> low > word >> low; at--)
			v[at] = v[at - 1];
		v[at] = word;
	}
}

/* The number of the first bit from which on all are the same; 0: they are sorted. */
static unsigned find_top(const uint64_t *v, size_t n, unsigned low)
{
	uint64_t differ = 0, last = v[0] >> low;
	bool sorted = true;

	for (size_t i = 1; i < n; i++) {
		uint64_t value = v[i] >> low;

		differ |= value ^ last;
		sorted &= value >= last;
		last = value;
	}
	return sorted ? 0 : low + 64 - (unsigned)__builtin_clzll(differ);
}

/* Stably by one digit, whose values are counted, to another place. */
static void sort_digit(uint32_t *count, unsigned shift, unsigned bits, const uint64_t *from,
		       uint64_t *to, size_t n)
{
	uint64_t mask = (1u << bits) - 1;
	uint32_t at = 0;

	for (unsigned i = 0; i <= mask; i++) {
		uint32_t here = count[i];

		count[i] = at;
		at += here;
	}
	for (size_t i = 0; i < n; i++)
		to[count[from[i] >> shift & mask]++] = from[i];
}

/* By digits of so many bits from `shift` on, the last one first; one that is equal in all is skipped. */
static void sort_digits(struct sorter *s, uint64_t *v, uint64_t *scratch, size_t n, unsigned shift,
			unsigned bits)
{
	uint64_t mask = (1u << bits) - 1, *from = v, *to = scratch;

	for (unsigned d = 0; d < DIGITS; d++)
		memset(s->count[d], 0, sizeof(s->count[d][0]) << bits);
	for (size_t i = 0; i < n; i++) {
		s->count[0][v[i] >> shift & mask]++;
		s->count[1][v[i] >> (shift + bits) & mask]++;
	}
	for (unsigned d = 0; d < DIGITS; d++) {
		unsigned at = shift + d * bits;
		uint64_t *swap = from;

		if (s->count[d][from[0] >> at & mask] == n)
			continue;
		sort_digit(s->count[d], at, bits, from, to, n);
		from = to;
		to = swap;
	}
	if (from != v)
		memcpy(v, from, n * sizeof(*v));
}

/* By the first digits that differ; then, what is equal in these. */
static void sort_words(struct sorter *s, uint64_t *v, uint64_t *scratch, size_t n)
{
	unsigned most = n < MANY ? 8 : DIGIT_BITS, top, bits, shift;

	if (n <= FEW) {
		insertion_sort(v, n, s->low);
		return;
	}
	top = find_top(v, n, s->low);
	if (!top)
		return;
	bits = (top - s->low + DIGITS - 1) / DIGITS;
	bits = bits < most ? bits : most;
	shift = top > s->low + DIGITS * bits ? top - DIGITS * bits : s->low;
	sort_digits(s, v, scratch, n, shift, bits);
	for (size_t first = 0, end; first < n && shift > s->low; first = end) {
		uint64_t value = v[first] >> shift;

		for (end = first + 1; end < n; end++)
			if (v[end] >> shift != value)
				break;
		if (end - first > 1)
			sort_words(s, v + first, scratch + first, end - first);
	}
}

int radix_sort_words(uint64_t *v, size_t n, unsigned low)
{
	struct sorter *s;
	uint64_t *scratch;

	if (n <= FEW) {
		insertion_sort(v, n, low);
		return 0;
	}
	s = malloc(sizeof(*s));
	scratch = malloc(n * sizeof(*scratch));
	if (s && scratch) {
		s->low = low;
		sort_words(s, v, scratch, n);
	}
	free(scratch);
	free(s);
	return s && scratch ? 0 : -ENOMEM;
}

/* ---- values and indexes ---- */

/* Their places, below what fits of their values; then, of those that are equal in that, stably below the rest. */
static int sort_places(const struct radix_item *v, size_t n, uint64_t min, uint64_t max,
		       uint64_t *places)
{
	unsigned low = 64 - (unsigned)__builtin_clzll(n), room = 64 - low;
	int ret;

	for (size_t i = 0; i < n; i++)
		places[i] = (v[i].value - min) << low | i;
	ret = radix_sort_words(places, n, low);
	for (size_t i = 0; i < n; i++)
		places[i] &= (1ull << low) - 1;
	if (ret || !((max - min) >> room))
		return ret;
	for (size_t i = 0; i < n; i++)
		places[i] |= (v[places[i]].value - min) >> room << low;
	ret = radix_sort_words(places, n, low);
	for (size_t i = 0; i < n; i++)
		places[i] &= (1ull << low) - 1;
	return ret;
}

int radix_sort(struct radix_item *v, size_t n)
{
	uint64_t min = UINT64_MAX, max = 0, *places;
	struct radix_item *from;
	bool sorted = true;
	int ret;

	for (size_t i = 0; i < n; i++) {
		sorted &= v[i].value >= max;
		min = v[i].value < min ? v[i].value : min;
		max = v[i].value > max ? v[i].value : max;
	}
	if (sorted)
		return 0;
	places = malloc(n * sizeof(*places));
	ret = places ? sort_places(v, n, min, max, places) : -ENOMEM;
	from = ret ? NULL : malloc(n * sizeof(*from));
	if (from) {
		memcpy(from, v, n * sizeof(*from));
		for (size_t i = 0; i < n; i++)
			v[i] = from[places[i]];
	}
	free(places);
	free(from);
	return from ? 0 : -ENOMEM;
}
