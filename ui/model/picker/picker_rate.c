/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/picker/picker_rate.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const struct {
	char letter;
	uint64_t times;
} prefixes[] = {
	{ 'k', 1000 },	  { 'K', 1000 },       { 'm', 1000000 },
	{ 'M', 1000000 }, { 'g', 1000000000 }, { 'G', 1000000000 },
};

#define N_PREFIXES (sizeof(prefixes) / sizeof(prefixes[0]))

static uint64_t read_prefix(const char **at)
{
	for (size_t i = 0; i < N_PREFIXES; i++) {
		if (**at == prefixes[i].letter) {
			++*at;
			return prefixes[i].times;
		}
	}
	return 1;
}

int picker_rate_parse(const char *text, struct picker_rate *ret)
{
	uint64_t value = 0;
	const char *at = text + strspn(text, " ");

	memset(ret, 0, sizeof(*ret));
	if (!*at)
		return 0;
	if (*at < '0' || *at > '9')
		return -EINVAL;
	for (; *at >= '0' && *at <= '9'; at++)
		if (__builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, (uint64_t)(*at - '0'), &value))
			return -EINVAL;
	at += strspn(at, " ");
	if (__builtin_mul_overflow(value, read_prefix(&at), &value) || !value)
		return -EINVAL;
	at += strspn(at, " ");
	if (!strncasecmp(at, "Hz", 2)) {
		ret->freq_hz = value;
		at += 2;
	} else {
		ret->period = value;
	}
	at += strspn(at, " ");
	if (!*at)
		return 0;
	memset(ret, 0, sizeof(*ret));
	return -EINVAL;
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
