/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/window.h"

#define STEPS	    16 /* per halving */
#define ONE	    65536
#define GONE_HALVES 40 /* every period is 0 by then */

/* ONE * 2^(-i / STEPS) */
static const uint32_t table[STEPS] = {
	65536, 62757, 60097, 57549, 55109, 52772, 50535, 48393,
	46341, 44376, 42495, 40693, 38968, 37316, 35734, 34219,
};

void hist_window_init(struct hist_window *w, const struct samples *s, uint16_t event,
		      uint64_t since_ns, uint64_t half_life_ns)
{
	*w = (struct hist_window){ .since_ns = since_ns, .half_life_ns = half_life_ns };
	for (size_t i = 0; half_life_ns && i < s->n; i++) {
		if (s->event[i] == event && s->time_ns[i] > w->newest_ns)
			w->newest_ns = s->time_ns[i];
	}
}

uint64_t hist_window_weigh_old(const struct hist_window *w, uint64_t time_ns, uint64_t period)
{
	uint64_t age = w->newest_ns > time_ns ? w->newest_ns - time_ns : 0;
	uint64_t halves = age / w->half_life_ns, rest = age % w->half_life_ns;
	unsigned step = (unsigned)((double)rest / (double)w->half_life_ns * STEPS);

	if (halves >= GONE_HALVES)
		return 0;
	/* the product needs 17 more bits: divide large periods first */
	if (period >> 46)
		return (period / ONE * table[step] * WINDOW_PARTS) >> halves;
	return period * table[step] / (ONE / WINDOW_PARTS) >> halves;
}
