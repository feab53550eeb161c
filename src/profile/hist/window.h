/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The times of a view, and the weight of older samples.
 *
 *	weight  1 |                      .-'|
 *	       1/2|              .--''      |
 *	       1/4|     ..--''              |
 *	          +------------|------------|---> time
 *	                 newest - half life  newest
 */
#ifndef PROFILE_WINDOW_H
#define PROFILE_WINDOW_H

#include "profile/samples.h"

/* With a half-life, periods are scaled by this, so that small ones do not become 0. */
#define WINDOW_PARTS 256

struct hist_window {
	uint64_t since_ns, newest_ns;
	uint64_t half_life_ns; /* 0: equal weights */
};

/* The newest sample of the event has the full weight. */
void hist_window_init(struct hist_window *w, const struct samples *s, uint16_t event,
		      uint64_t since_ns, uint64_t half_life_ns);

static inline bool hist_window_contains(const struct hist_window *w, uint64_t time_ns)
{
	return time_ns >= w->since_ns;
}

uint64_t hist_window_weigh_old(const struct hist_window *w, uint64_t time_ns, uint64_t period);

static inline uint64_t hist_window_weigh(const struct hist_window *w, uint64_t time_ns,
					 uint64_t period)
{
	return w->half_life_ns ? hist_window_weigh_old(w, time_ns, period) : period;
}

#endif
