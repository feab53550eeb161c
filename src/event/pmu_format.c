/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Format terms of a PMU: bits in config. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "event/pmu.h"

#define CONFIG "config"

static int parse_bit(const char **at, unsigned int *ret)
{
	char *end;
	unsigned long bit = strtoul(*at, &end, 10);

	if (end == *at || bit > 63)
		return -EINVAL;
	*at = end;
	*ret = (unsigned int)bit;
	return 0;
}

int pmu_format_parse(const char *text, uint8_t *ret_field, uint64_t *ret_bits)
{
	const char *at = text;
	unsigned int from, to;

	if (strncmp(at, CONFIG, strlen(CONFIG)))
		return -EINVAL;
	at += strlen(CONFIG);
	*ret_field = 0;
	if (*at >= '1' && *at <= '9')
		*ret_field = (uint8_t)(*at++ - '0');
	if (*at++ != ':')
		return -EINVAL;
	*ret_bits = 0;
	for (;;) {
		if (parse_bit(&at, &from))
			return -EINVAL;
		to = from;
		if (*at == '-') {
			at++;
			if (parse_bit(&at, &to) || to < from)
				return -EINVAL;
		}
		*ret_bits |= (to - from == 63 ? UINT64_MAX : ((1ull << (to - from + 1)) - 1))
			     << from;
		if (*at != ',')
			break;
		at++;
	}
	return *at == '\0' || *at == '\n' ? 0 : -EINVAL;
}

uint64_t pmu_format_max(uint64_t bits)
{
	int n = __builtin_popcountll(bits);

	return n == 64 ? UINT64_MAX : (1ull << n) - 1;
}

uint64_t pmu_format_spread(uint64_t bits, uint64_t value)
{
	uint64_t out = 0;

	for (unsigned int to = 0, from = 0; to < 64; to++) {
		if (bits >> to & 1)
			out |= (value >> from++ & 1) << to;
	}
	return out;
}
