/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The same numbers in every run, so that failures can be reproduced. */
#ifndef TESTS_UNIT_BASE_RANDOM_H
#define TESTS_UNIT_BASE_RANDOM_H

#include <stdint.h>

static inline uint32_t random_next(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return (uint32_t)(*seed >> 33);
}

static inline uint32_t random_below(uint64_t *seed, uint32_t n)
{
	return random_next(seed) % n;
}

#endif
