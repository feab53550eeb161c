/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values derived from pairs of counts, such as instructions per cycle. Pairs are found by the names
 * of the lines of model/live/live.h.
 *
 * A value exists if both events are recorded with the same levels (:u, :k …) on the same PMU, and
 * is known when both were counted. To add one, add a row to rules[].
 */
#ifndef MODEL_LIVE_LIVE_DERIVED_H
#define MODEL_LIVE_LIVE_DERIVED_H

#include "model/live/live.h"

/* True if the event counts nanoseconds. */
bool live_is_clock(const char *name);

/*
 * Fills ret_derived (titles, lines), at most `max`; returns the number. `whole_system`: without a
 * specific target a clock only shows the number of CPUs, so it is omitted.
 */
size_t live_derived_find(const struct live_line *lines, size_t n, bool whole_system,
			 struct live_derived *ret_derived, size_t max);

/* "1.38", "4.1 %", "1.97 of 2"; "–" if unknown. Returns buf. */
char *live_derived_text(const struct live_derived *d, unsigned n_cpus, char *buf, size_t size);

/* `running`: from the rates of the last interval, else from the total counts. NaN: unknown. */
double live_derived_value(const struct live_derived *d, const struct live_line *lines,
			  const struct ptui_live_stats *stats, bool running);

#endif
