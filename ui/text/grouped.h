/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts in messages: digits in groups, "12,345". */
#ifndef TEXT_GROUPED_H
#define TEXT_GROUPED_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

struct grouped {
	char text[32];
};

/* grouped(n).text is valid until the end of the full expression. */
static inline struct grouped grouped(uint64_t n)
{
	struct grouped ret;

	text_grouped(ret.text, sizeof(ret.text), n);
	return ret;
}

/* Groups a text of digits only, such as a cell. Returns buf. */
static inline char *group_digits(char *buf, size_t size)
{
	if (*buf && !buf[strspn(buf, "0123456789")])
		text_grouped(buf, size, strtoull(buf, NULL, 10));
	return buf;
}

/* The width of a number of so many digits in groups. */
static inline int grouped_width(int digits)
{
	return digits > 0 ? digits + (digits - 1) / 3 : 0;
}

#endif
