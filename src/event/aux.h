/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PMUs that write a trace of their own, into the AUX area of a ring buffer, and what perf asks them for
 * by default.
 */
#ifndef EVENT_AUX_H
#define EVENT_AUX_H

#include "event/event.h"

struct catalog;
struct pmu;

/* What such a PMU writes, by its name: PTUI_AUXTRACE_*; 0: nothing. */
uint32_t aux_of_pmu(const char *pmu);
/* Sets ev->aux of an event of this PMU, and its config as perf does before the terms are applied. */
void aux_begin_event(struct event *ev, const struct pmu *pmu);
/* After the terms, which may choose what is written (s390). */
void aux_end_event(struct event *ev);
/*
 * Completes the attr (attr.h) of an event with an AUX area: one sample per event, as far as the PMU takes
 * samples at all. `period`: -c, or 0.
 */
void aux_configure(struct event *ev, uint64_t period, bool per_thread);

/* The bits of a term of the event's PMU in attr.config; 0: it has no such term there. */
uint64_t aux_term_bits(struct catalog *cat, const struct event *ev, const char *term);
/* A capability of the event's PMU, a number; `missing` without it. */
long aux_cap(struct catalog *cat, const struct event *ev, const char *cap, long missing);

#endif
