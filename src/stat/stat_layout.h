/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers in the records of counts, as in perf's event.h and stat.h. */
#ifndef STAT_STAT_LAYOUT_H
#define STAT_STAT_LAYOUT_H

#include "stat/stat.h"

enum stat_config_tag {
	STAT_CONFIG_AGGR,
	STAT_CONFIG_INTERVAL,
	STAT_CONFIG_SCALE,
};

enum stat_round_type {
	STAT_ROUND_INTERVAL,
	STAT_ROUND_FINAL,
};

/* perf's enum aggr_mode of 6.1; since 6.4 CACHE is between DIE and CORE. */
static const enum stat_aggr stat_aggr_modes[] = {
	STAT_CPU,
	STAT_GLOBAL,
	STAT_SOCKET,
	STAT_DIE,
	STAT_CORE,
	STAT_THREAD,
	STAT_GLOBAL /* unset */,
	STAT_NODE,
};

static inline uint64_t stat_aggr_in_file(enum stat_aggr aggr)
{
	uint64_t i = 0;

	while (stat_aggr_modes[i] != aggr)
		i++;
	return i;
}

#endif
