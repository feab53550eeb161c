/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What stands between the slashes of an event:
 *
 *	cpu/event=0xa8,umask=1,period=100003,call-graph=no/u
 *	    `-- the unit's own ---' `------ general -----'
 *
 * General terms are known to ptui, whatever the event; they are rows of one table
 * (terms_general.c). All others must be the unit's. Inside the event room only.
 */
#ifndef EVENT_TERMS_H
#define EVENT_TERMS_H

#include "event/parser.h"
#include "event/pmu.h"

struct term {
	struct span all;	 /* name, equals sign, value with its quotes */
	struct span name, value; /* without quotes; value.at NULL: none was given */
	bool is_number;
	uint64_t number; /* of the value; 1 when there is none */
};

struct terms {
	struct term *v;
	size_t n, cap;
};

/* Splits `text`, which is all between the slashes. 0 or a negative errno, told. */
int terms_split(struct parser *p, struct span text, struct terms *ret);
void terms_release(struct terms *terms);

/*
 * 1: it was a general term, and is in `ev`; 0: it is none; negative: it is wrong. A tracepoint
 * takes few of them.
 */
int term_apply_general(struct parser *p, const struct term *t, struct event *ev);
bool term_is_general(const struct term *t);
/* All of them must be general ones, as those of an event without a unit. */
int terms_apply_general(struct parser *p, const struct terms *terms, struct event *ev);
/* The names of the general terms, for near ones. NULL behind the last. */
const char *term_general_name(size_t i);

/* The unit's and general ones, onto `ev`. */
int terms_apply(struct parser *p, const struct terms *terms, const struct pmu *pmu,
		struct event *ev);
/* The same for an event that the unit has a name for. */
int pmu_event_apply(struct parser *p, const struct pmu *pmu, const struct pmu_event *pe,
		    struct event *ev);

/*
 * "any", "any_call", "u" …: what perf's -j says, as attr.branch_sample_type. False: no such word.
 */
bool branch_filter_find(const char *name, size_t len, uint64_t *ret_bits);
/* What a set of filters lacks is added: all branches, when only levels were named. */
uint64_t branch_filter_complete(uint64_t bits);

#endif
