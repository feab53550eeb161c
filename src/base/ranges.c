/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/ranges.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/text.h"
#include "base/vec.h"

#define NS_PER_SEC 1000000000u

void ranges_release(struct ranges *r)
{
	free(r->v);
	*r = (struct ranges){ NULL, 0, 0 };
}

static int ranges_add(struct ranges *r, const struct range *one)
{
	if (one->to < one->from)
		return -EINVAL;
	if (vec_grow(&r->v, &r->cap, r->n + 1))
		return -ENOMEM;
	r->v[r->n++] = *one;
	return 0;
}

int ranges_parse_numbers(struct ranges *r, const char *text, uint64_t max)
{
	int err = 0;

	do {
		struct range one;

		text = text_number(text, max, &one.from);
		one.to = one.from;
		if (text && *text == '-')
			text = text_number(text + 1, max, &one.to);
		if (!text || (*text && *text != ','))
			return -EINVAL;
		err = ranges_add(r, &one);
	} while (!err && *text++ == ',');
	return err;
}

/* ---- times ---- */

bool ranges_are_percent(const char *text)
{
	return strchr(text, '%');
}

/* "12.345678" to ns. */
static bool parse_seconds(const char *text, size_t n, uint64_t *ret)
{
	uint64_t sec = 0, ns = 0, unit = NS_PER_SEC / 10;
	size_t i = 0;

	for (; i < n && text[i] >= '0' && text[i] <= '9'; i++) {
		sec = sec * 10 + (uint64_t)(text[i] - '0');
		if (sec > UINT64_MAX / NS_PER_SEC - 1)
			return false;
	}
	if (i < n && text[i] == '.')
		for (i++; i < n && text[i] >= '0' && text[i] <= '9'; i++, unit /= 10)
			ns += (uint64_t)(text[i] - '0') * unit;
	*ret = sec * NS_PER_SEC + ns;
	return n && i == n;
}

/* "from,to"; without one of them, to the beginning or the end. */
static int parse_times_one(const char *text, size_t n, struct range *ret)
{
	size_t comma = strcspn(text, ",");

	*ret = (struct range){ 0, UINT64_MAX };
	if (comma >= n)
		return parse_seconds(text, n, &ret->from) ? 0 : -EINVAL;
	if (comma && !parse_seconds(text, comma, &ret->from))
		return -EINVAL;
	if (comma + 1 < n && !parse_seconds(text + comma + 1, n - comma - 1, &ret->to))
		return -EINVAL;
	return 0;
}

/* "10%-20%" or "30%/2", the second 30 percent. */
static int parse_percent(const char *text, size_t n, const struct range *all, struct range *ret)
{
	double length = (double)(all->to - all->from);
	char *end;
	double first = strtod(text, &end), last;

	if (end == text || *end != '%' || !(first >= 0 && first <= 100))
		return -EINVAL;
	if (end[1] == '/') {
		unsigned long nth = strtoul(end + 2, &end, 10);

		if (!nth || first * (double)nth > 100)
			return -EINVAL;
		last = first * (double)nth;
		first = last - first;
	} else if (end[1] == '-') {
		char *from = end + 2;

		last = strtod(from, &end);
		if (end == from || *end++ != '%' || !(last > first && last <= 100))
			return -EINVAL;
	} else {
		last = first;
		first = 0;
		end++;
	}
	if ((size_t)(end - text) != n)
		return -EINVAL;
	ret->from = all->from + (uint64_t)(first / 100 * length);
	ret->to = all->from + (uint64_t)(last / 100 * length);
	/* the last slice has the end, the others stop before the next one */
	if (last >= 100)
		ret->to = all->to;
	else if (ret->to > ret->from)
		ret->to--;
	return 0;
}

int ranges_parse_times(struct ranges *r, const char *text, const struct range *all)
{
	bool percent = ranges_are_percent(text);
	const char *between = percent ? ", " : " ";
	size_t had = r->n;

	for (text += strspn(text, between); *text; text += strspn(text, between)) {
		size_t n = strcspn(text, between);
		struct range one;
		int err = percent ? parse_percent(text, n, all, &one) :
				    parse_times_one(text, n, &one);

		if (!err)
			err = ranges_add(r, &one);
		if (err)
			return err;
		text += n;
	}
	return r->n > had ? 0 : -EINVAL;
}
