/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/radix.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS	  2    /* that are sorted by at once */
#define FEW	  48   /* items that are sorted without counting digits */
#define MANY	  4096 /* items that are worth large digits */
#define WORD_BITS 11   /* of a large digit */

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

struct digit {
	unsigned shift, bits;
	uint32_t *count; /* of items, by value */
};

static uint32_t *count_of(const struct digit *d, uint64_t value)
{
	return &d->count[value >> d->shift & ((1u << d->bits) - 1)];
}

/* Stably by one digit, to another place. */
static void sort_digit(const struct digit *d, const struct radix_item *from, struct radix_item *to,
		       size_t n)
{
	uint32_t at = 0;

	for (unsigned i = 0; i < 1u << d->bits; i++) {
		uint32_t here = d->count[i];

		d->count[i] = at;
		at += here;
	}
	for (size_t i = 0; i < n; i++)
		to[(*count_of(d, from[i].value))++] = from[i];
}

/* By digits of so many bits from `shift` on, the last one first; one that is equal in all items is skipped. */
static int sort_digits(struct radix_item *v, size_t n, unsigned shift, unsigned bits)
{
	uint32_t *count = calloc((size_t)DIGITS << bits, sizeof(*count));
	struct radix_item *from = v, *to = malloc(n * sizeof(*to)), *other = to;
	struct digit digits[DIGITS];

	if (!count || !to) {
		free(count);
		free(to);
		return -ENOMEM;
	}
	for (unsigned d = 0; d < DIGITS; d++)
		digits[d] = (struct digit){ shift + d * bits, bits, count + ((size_t)d << bits) };
	for (size_t i = 0; i < n; i++)
		for (unsigned d = 0; d < DIGITS; d++)
			++*count_of(&digits[d], v[i].value);
	for (unsigned d = 0; d < DIGITS; d++) {
		struct radix_item *swap = from;

		if (*count_of(&digits[d], from[0].value) == n)
			continue;
		sort_digit(&digits[d], from, to, n);
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
	unsigned bits = n < MANY ? 8 : 11, top, shift;
	int ret;

	if (n <= FEW) {
		insertion_sort(v, n);
		return 0;
	}
	top = find_top(v, n);
	if (!top)
		return 0;
	shift = top > DIGITS * bits ? top - DIGITS * bits : 0;
	ret = sort_digits(v, n, shift, bits);
	for (size_t first = 0, end; first < n && shift && !ret; first = end) {
		for (end = first + 1; end < n; end++)
			if (v[end].value >> shift != v[first].value >> shift)
				break;
		if (end - first > 1)
			ret = radix_sort(v + first, end - first);
	}
	return ret;
}

/* ---- the same for values and indexes in one number ---- */

struct word_sorter {
	uint64_t *scratch;
	unsigned low;
	uint32_t count[DIGITS][1 << WORD_BITS];
};

static void insertion_sort_words(uint64_t *v, size_t n, unsigned low)
{
	for (size_t i = 1; i < n; i++) {
		uint64_t word = v[i];
		size_t at = i;

		for (; at && v[at - 1] >> low > word >> low; at--)
			v[at] = v[at - 1];
		v[at] = word;
	}
}

/* As find_top(), `low` at least; 0: they are sorted. */
static unsigned find_top_word(const uint64_t *v, size_t n, unsigned low)
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
static void sort_word_digit(uint32_t *count, unsigned shift, unsigned bits, const uint64_t *from,
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

/* By two digits of so many bits from `shift` on; scratch[] as long as v[]. */
static void sort_word_digits(struct word_sorter *s, uint64_t *v, uint64_t *scratch, size_t n,
			     unsigned shift, unsigned bits)
{
	uint64_t mask = (1u << bits) - 1, *from = v, *to = scratch;

	for (unsigned d = 0; d < DIGITS; d++)
		memset(s->count[d], 0, sizeof(s->count[d][0]) << bits);
	for (size_t i = 0; i < n; i++) {
		s->count[0][v[i] >> shift & mask]++;
		s->count[1][v[i] >> (shift + bits) & mask]++;
	}
	for (unsigned d = 0; d < DIGITS; d++) {
		uint64_t *swap = from;
		unsigned at = shift + d * bits;

		if (s->count[d][from[0] >> at & mask] == n)
			continue;
		sort_word_digit(s->count[d], at, bits, from, to, n);
		from = to;
		to = swap;
	}
	if (from != v)
		memcpy(v, from, n * sizeof(*v));
}

static void sort_words(struct word_sorter *s, uint64_t *v, uint64_t *scratch, size_t n)
{
	unsigned most = n < MANY ? 8 : WORD_BITS, top, bits, shift;

	if (n <= FEW) {
		insertion_sort_words(v, n, s->low);
		return;
	}
	top = find_top_word(v, n, s->low);
	if (!top)
		return;
	bits = (top - s->low + DIGITS - 1) / DIGITS;
	bits = bits < most ? bits : most;
	shift = top > s->low + DIGITS * bits ? top - DIGITS * bits : s->low;
	sort_word_digits(s, v, scratch, n, shift, bits);
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
	struct word_sorter *s;

	if (n <= FEW) {
		insertion_sort_words(v, n, low);
		return 0;
	}
	s = malloc(sizeof(*s));
	if (s)
		s->scratch = malloc(n * sizeof(*s->scratch));
	if (!s || !s->scratch) {
		free(s);
		return -ENOMEM;
	}
	s->low = low;
	sort_words(s, v, s->scratch, n);
	free(s->scratch);
	free(s);
	return 0;
}
