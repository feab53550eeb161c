/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include "event/cpu_list.h"

struct range {
	long first, last;
};

/* The next range of the list; false at its end, and where it is damaged (*at stays there). */
static bool next_range(const char **at, struct range *ret)
{
	char *end;

	if (!isdigit((unsigned char)**at))
		return false;
	ret->first = ret->last = strtol(*at, &end, 10);
	if (*end == '-' && isdigit((unsigned char)end[1]))
		ret->last = strtol(end + 1, &end, 10);
	if (ret->last < ret->first || ret->last > INT_MAX)
		return false;
	if (*end == ',' && isdigit((unsigned char)end[1]))
		end++;
	else if (*end)
		return false;
	*at = end;
	return true;
}

bool cpu_list_is_valid(const char *text)
{
	const char *at = text;
	struct range r;

	while (next_range(&at, &r))
		;
	return at > text && !*at;
}

static void add_range(struct buf *out, size_t begin, long first, long last)
{
	buf_addf(out, out->len > begin ? ",%ld" : "%ld", first);
	if (last > first)
		buf_addf(out, "-%ld", last);
}

void cpu_list_add_common(struct buf *out, const char *a, const char *b)
{
	size_t begin = out->len;
	struct range x, y;

	while (next_range(&a, &x)) {
		const char *at = b;

		while (next_range(&at, &y)) {
			long first = x.first > y.first ? x.first : y.first;
			long last = x.last < y.last ? x.last : y.last;

			if (first <= last)
				add_range(out, begin, first, last);
		}
	}
}
