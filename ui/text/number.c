/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text/number.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/text.h"

/* Three digits: 1.24, 12.4, 124; whole numbers below 1000 have no decimals. */
static int decimals(double value)
{
	return value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
}

/* From here on rounding would give 1000: use the next unit. */
#define NEXT_UNIT 999.5

static char *with_unit(char *buf, size_t size, double value, double step, const char *const *units,
		       size_t n_units)
{
	size_t i = 0;

	while (i + 1 < n_units && value >= (step > 1000 ? step - 0.5 : NEXT_UNIT)) {
		value /= step;
		i++;
	}
	/* no decimals for whole numbers */
	snprintf(buf, size, "%.*f%s%s", i || value != floor(value) ? decimals(value) : 0, value,
		 *units[i] ? " " : "", units[i]);
	return buf;
}

char *number_count(char *buf, size_t size, double value)
{
	static const char *const units[] = { "", "K", "M", "G", "T", "P", "E" };

	if (!isfinite(value) || value < 0) {
		snprintf(buf, size, "–");
		return buf;
	}
	return with_unit(buf, size, value, 1000, units, sizeof(units) / sizeof(units[0]));
}

char *number_bytes(char *buf, size_t size, uint64_t bytes)
{
	static const char *const units[] = { "B", "KB", "MB", "GB", "TB", "PB", "EB" };

	return with_unit(buf, size, (double)bytes, 1024, units, sizeof(units) / sizeof(units[0]));
}

char *number_span_ns(char *buf, size_t size, uint64_t ns)
{
	static const char *const units[] = { "ns", "us", "ms", "s" };

	return with_unit(buf, size, (double)ns, 1000, units, sizeof(units) / sizeof(units[0]));
}

char *number_clock_ns(char *buf, size_t size, uint64_t ns)
{
	uint64_t tenths = ns / 100000000, seconds = tenths / 10;

	if (seconds < 3600)
		snprintf(buf, size, "%02" PRIu64 ":%02" PRIu64 ".%" PRIu64, seconds / 60,
			 seconds % 60, tenths % 10);
	else
		snprintf(buf, size, "%" PRIu64 ":%02" PRIu64 ":%02" PRIu64, seconds / 3600,
			 seconds / 60 % 60, seconds % 60);
	return buf;
}

char *number_percent(char *buf, size_t size, double percent)
{
	if (isfinite(percent))
		snprintf(buf, size, "%.2f%%", percent);
	else
		snprintf(buf, size, "–");
	return buf;
}
