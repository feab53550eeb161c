/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When to take a snapshot: a text about the events of the recording, parsed once and evaluated
 * repeatedly.
 *
 *	cache-misses/s > 1e6				rate per second
 *	page-faults > 10k				count since the start
 *	cache-misses/instructions > 10%			ratio: 0.1 is the same
 *	page-faults/s >= 2k and (a/b < 0.5 or c/s > 1M)
 *
 *	page-faults/s > 10k, keep 5			keep only the last five of its snapshots
 *
 *	text	 := expr { , once | , keep NUMBER }
 *	expr	 := term { or term }		"or" is || as well
 *	term	 := factor { and factor }	"and" is && as well
 *	factor	 := ( expr ) | value REL number	REL: > >= < <=
 *	value	 := EVENT | EVENT/s | EVENT/EVENT
 *	number	 := 12, 0.5, 1e6, 20k, 3M, 1G; of EVENT/EVENT also 10%
 *
 * An event is named as in the recording, or without its terms and modifiers if that is unambiguous.
 * Names may contain / and : themselves; the longest match counts.
 *
 * A comparison with an unknown value is false: an event that was never scheduled; a rate before the
 * second evaluation; a ratio whose second event did not occur between two evaluations.
 */
#ifndef RECORD_SNAPSHOT_CONDITION_H
#define RECORD_SNAPSHOT_CONDITION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "event/event.h"
#include "ptui/record.h"

/* One comparison. */
struct condition_part {
	enum ptui_armed_unit unit;
	bool or_equal, below;  /* the operator; neither: > */
	uint32_t event, under; /* event indexes; under: the divisor of a ratio */
	double limit;
	/* state of the last evaluation */
	double last_event, last_under; /* totals; NaN: none */
	double now;		       /* the value as compared, without "percent"; NaN: unknown */
	bool had_value;		       /* at any time */
};

struct condition {
	char *text;
	size_t expr_len; /* of the text without ", once" and ", keep" */
	bool once;	 /* take one snapshot only */
	unsigned keep;	 /* number of its snapshot files to keep; 0: all */
	struct condition_part *parts;
	size_t n_parts, cap_parts;
	/* The parts and operators in postfix order; CONDITION_PART is the next part. */
	uint8_t *steps;
	size_t n_steps, cap_steps;
};

enum condition_step {
	CONDITION_PART,
	CONDITION_AND,
	CONDITION_OR,
};

/*
 * Looks event names up in `events`; keeps indexes into it. 0, call condition_release() then;
 * -EINVAL with the position in err, or -ENOMEM.
 */
int condition_parse(const char *text, const struct event_list *events, struct condition *ret,
		    struct ptui_error *err);
void condition_release(struct condition *c);

/* True if the condition uses the event. */
bool condition_needs(const struct condition *c, uint32_t event);
/* Call after the counters were disabled: the next evaluation starts a new interval. */
void condition_reset(struct condition *c);
/*
 * Evaluates the condition: `totals` by event since the start, NaN if unknown; `passed_ns` after the
 * last evaluation. Returns whether it holds.
 */
bool condition_evaluate(struct condition *c, const double *totals, uint64_t passed_ns);
/* The first event that never had a value; PTUI_NONE: all were compared at least once. */
uint32_t condition_never_known(const struct condition *c);

#endif
