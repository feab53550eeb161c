/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists of numbers and times as options take them:
 *
 *	CPUs, thread ids	"0-3,7"
 *	times			"12.5,13.25 14,15"	seconds: from, to; several after blanks
 *				"10%-20%,40%-60%"	of the recording
 *				"10%/2"			the second tenth of it
 */
#ifndef BASE_RANGES_H
#define BASE_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct range {
	uint64_t from, to; /* both included */
};

struct ranges {
	struct range *v;
	size_t n, cap;
};

void ranges_release(struct ranges *r); /* accepts a zeroed one */

/* Appends the numbers of a list, which are at most `max`. 0, -EINVAL or -ENOMEM. */
int ranges_parse_numbers(struct ranges *r, const char *text, uint64_t max);

/* Whether the times are shares of the recording, so that its first and last time are needed. */
bool ranges_are_percent(const char *text);
/* Appends times in nanoseconds; `all` is the recording's. 0, -EINVAL or -ENOMEM. */
int ranges_parse_times(struct ranges *r, const char *text, const struct range *all);

static inline bool ranges_have(const struct ranges *r, uint64_t value)
{
	for (size_t i = 0; i < r->n; i++)
		if (value >= r->v[i].from && value <= r->v[i].to)
			return true;
	return false;
}

#endif
