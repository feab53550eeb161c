/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Terms between the slashes of an event:
 *
 *	cpu/event=0xa8,umask=1,period=100003,call-graph=no/u
 *	    `--- PMU terms -------' `------ general -----'
 *
 * General terms apply to all events; they are rows of one table (terms_general.c). All others must
 * be terms of the PMU. Private to the event room.
 */
#ifndef EVENT_TERMS_H
#define EVENT_TERMS_H

#include "event/pmu.h"
#include "event/selector/parser.h"

struct term {
	struct span all;	 /* name, equals sign, value with its quotes */
	struct span name, value; /* without quotes; value.at NULL: no value */
	bool is_number;
	uint64_t number; /* base of the value; 1 when */
};

struct terms {
	struct term *v;
	size_t n, cap;
};

/* Splits `text`, the text between the slashes. 0, or a negative errno with err set. */
int terms_split(struct parser *p, struct span text, struct terms *ret);
void terms_release(struct terms *terms);

/*
 * 1: a general term, stored in `ev`; 0: not a general term; negative: invalid. Tracepoints accept
 * only a few.
 */
int term_apply_general(struct parser *p, const struct term *t, struct event *ev);
bool term_is_general(const struct term *t);
/* Applies terms that must all be general, as for an event without a PMU. */
int terms_apply_general(struct parser *p, const struct terms *terms, struct event *ev);
/* Names of the general terms, for suggestions. NULL at the end. */
const char *term_general_name(size_t i);

/* Applies PMU terms and general terms to `ev`. */
int terms_apply(struct parser *p, const struct terms *terms, const struct pmu *pmu,
		struct event *ev);
/* The same for a named event of the PMU. */
int pmu_event_apply(struct parser *p, const struct pmu *pmu, const struct pmu_event *pe,
		    struct event *ev);

/* "any", "any_call", "u" … of perf's -j as attr.branch_sample_type. False: unknown. */
bool branch_filter_find(const char *name, size_t len, uint64_t *ret_bits);
/* Completes a set of filters: all branches, if only levels are given. */
uint64_t branch_filter_complete(uint64_t bits);

#endif
