/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/amount.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "text/number.h"

bool amount_is_time(const char *event)
{
	static const char *const clocks[] = { "cpu-clock", "task-clock" };
	size_t n = strcspn(event, "/:");

	for (size_t i = 0; i < sizeof(clocks) / sizeof(*clocks); i++)
		if (strlen(clocks[i]) == n && !memcmp(clocks[i], event, n))
			return true;
	return false;
}

char *amount_text(const char *event, double value, char *buf, size_t size)
{
	return amount_is_time(event) && !isnan(value) ?
		       number_span_ns(buf, size, (uint64_t)fmax(value, 0)) :
		       number_count(buf, size, value);
}

char *amount_exact_text(const char *event, uint64_t value, char *buf, size_t size)
{
	return amount_is_time(event) ? number_span_ns(buf, size, value) :
				       text_grouped(buf, size, value);
}
