/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/picker/picker_rate.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"

int picker_rate_parse(const char *text, struct picker_rate *ret)
{
	static const char prefixes[] = "kKmMgG";
	static const uint64_t times[] = { 1, 1000, 1000000, 1000000000 };
	const char *at = text + strspn(text, " "), *prefix;
	uint64_t value;
	bool is_freq;

	memset(ret, 0, sizeof(*ret));
	if (!*at)
		return 0;
	at = text_number(at, UINT64_MAX, &value);
	if (!at)
		return -EINVAL;
	at += strspn(at, " ");
	prefix = *at ? strchr(prefixes, *at) : NULL;
	if (__builtin_mul_overflow(value, times[prefix ? (prefix - prefixes) / 2 + 1 : 0], &value))
		return -EINVAL;
	at += prefix != NULL;
	at += strspn(at, " ");
	is_freq = !strncasecmp(at, "Hz", 2);
	at += is_freq ? 2 : 0;
	if (!value || at[strspn(at, " ")])
		return -EINVAL;
	*(is_freq ? &ret->freq_hz : &ret->period) = value;
	return 0;
}

char *picker_rate_text(const struct picker_rate *rate, char *buf, size_t size)
{
	if (rate->freq_hz)
		snprintf(buf, size, "%" PRIu64 " Hz", rate->freq_hz);
	else if (rate->period)
		snprintf(buf, size, "%" PRIu64, rate->period);
	else
		*buf = '\0';
	return buf;
}
