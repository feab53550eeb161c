/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ratios that people know: what two counts together mean. Takes: the lines of model/live.h by
 * their names. Gives: which pairs are there, and their value. Not for the events' own numbers.
 *
 * A ratio is there when both of its events are recorded, with the same levels (:u, :k …) of the same
 * unit; its value is known when both were counted. A new one is a row of rules[].
 */
#ifndef MODEL_LIVE_LIVE_DERIVED_H
#define MODEL_LIVE_LIVE_DERIVED_H

#include "model/live/live.h"

/* Does the event count nanoseconds? */
bool live_is_clock(const char *name);

/*
 * Fills ret_derived (titles, lines), at most `max`; returns how many. `whole_system`: nobody in
 * particular is measured, so a clock tells nothing but the number of CPUs.
 */
size_t live_derived_find(const struct live_line *lines, size_t n, bool whole_system,
			 struct live_derived *ret_derived, size_t max);

/* "1.38", "4.1 %", "1.97 of 2"; "–" when it is not known. Returns buf. */
char *live_derived_text(const struct live_derived *d, unsigned n_cpus, char *buf, size_t size);

/* `running`: by the rates of the last interval, else by the counts so far. NaN: unknown. */
double live_derived_value(const struct live_derived *d, const struct live_line *lines,
			  const struct ptui_live_stats *stats, bool running);

#endif
