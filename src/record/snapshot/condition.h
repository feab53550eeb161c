/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When a snapshot is worth taking: a text about the events of the recording, read once, and asked
 * again and again whether it holds.
 *
 *	cache-misses/s > 1e6				so many a second
 *	page-faults > 10k				so many since the start
 *	cache-misses/instructions > 10%			one for each of the other: 0.1 is the same
 *	page-faults/s >= 2k and (a/b < 0.5 or c/s > 1M)
 *
 *	page-faults/s > 10k, keep 5			and of its snapshots only the last five stay
 *
 *	text	 := expr { , once | , keep NUMBER }
 *	expr	 := term { or term }		"or" is || as well
 *	term	 := factor { and factor }	"and" is && as well
 *	factor	 := ( expr ) | value REL number	REL: > >= < <=
 *	value	 := EVENT | EVENT/s | EVENT/EVENT
 *	number	 := 12, 0.5, 1e6, 20k, 3M, 1G; of EVENT/EVENT also 10%
 *
 * An event is called as in the recording, or so without its terms and modifiers where that is only one
 * of them; names may hold / and : themselves, and the longest that fits is meant.
 *
 * What has no value does not hold: of an event that had no counter yet; a rate before the second
 * look; a ratio whose second event did not happen between two looks.
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
	bool or_equal, below;  /* what it is compared by: > without either */
	uint32_t event, under; /* indexes in the list; under: of a ratio */
	double limit;
	/* what the last looks found */
	double last_event, last_under; /* totals; NaN: none */
	double now;		       /* as it is compared, without "percent"; NaN: no value */
	bool had_value;		       /* ever */
};

struct condition {
	char *text;
	size_t expr_len; /* of the text, without what stands behind the expr */
	bool once;	 /* one snapshot is enough */
	unsigned keep;	 /* files of its snapshots that stay; 0: all */
	struct condition_part *parts;
	size_t n_parts, cap_parts;
	/* How they belong together, operators behind what they join: CONDITION_PART is the next part. */
	uint8_t *steps;
	size_t n_steps, cap_steps;
};

enum condition_step {
	CONDITION_PART,
	CONDITION_AND,
	CONDITION_OR,
};

/*
 * `events` have the names that are meant; indexes of it are kept. 0, *ret is to be released then; -EINVAL with the place, -ENOMEM.
 */
int condition_parse(const char *text, const struct event_list *events, struct condition *ret,
		    struct ptui_error *err);
void condition_release(struct condition *c);

/* Whether its value must be known. */
bool condition_needs(const struct condition *c, uint32_t event);
/* What was counted is not what the next look goes on from: the counters stood still meanwhile. */
void condition_forget(struct condition *c);
/*
 * A look: `totals` by event, since the start, NaN where there is none; so long after the one before.
 * Whether it holds.
 */
bool condition_look(struct condition *c, const double *totals, uint64_t passed_ns);
/* The first event that there never was a value for; PTUI_NONE: all were compared at least once. */
uint32_t condition_never_known(const struct condition *c);

#endif
