/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records into the rooms that make a profile of them. Loading a file and following a recording
 * differ in where records come from and in nothing that is done with them: that is here.
 *
 *   sideband --> machine        losses --> trust        sample --> frames, stack, a row
 */
#ifndef SESSION_INTAKE_H
#define SESSION_INTAKE_H

#include "data/reader.h"
#include "profile/profile.h"
#include "resolve/resolver.h"
#include "session/chain.h"

/*
 * How long the counters of one event and thread were on, from READ records. A thread has a counter
 * a CPU, all of them are enabled while it runs on any, and they share the running.
 */
struct intake_times {
	uint32_t event;
	int32_t tid; /* -1: whatever ran on a CPU; then each record is of a CPU of its own */
	uint64_t enabled_ns, running_ns;
};

/* What a counter had counted when a sample last brought its value (PERF_SAMPLE_READ). */
struct intake_counter {
	uint64_t id, value;
};

struct intake {
	const struct data_file *file; /* all borrowed, down to trust */
	struct machine *machine;
	struct resolver *resolver;    /* needed from the first sample on */
	struct strpool *names;
	struct samples *samples;
	struct stacks *stacks;
	struct ptui_trust *trust;
	bool timed; /* records carry times; else their place in the stream is the time */
	bool no_chains; /* callchains are left aside */
	struct chain_builder chain;
	uint64_t *lost_samples; /* by event, cap_lost of them */
	size_t cap_lost;
	struct intake_times *times;
	size_t n_times, cap_times;
	struct index_table times_index;
	struct intake_counter *counters;
	size_t n_counters, cap_counters;
	struct index_table counters_index;
};

/*
 * Whether the sideband has times. Without sample_id_all it has none, and then a sample's own
 * time cannot be compared with it: the order in the file counts for both.
 */
bool intake_is_timed(const struct data_file *f);
/* When a record of the sideband happened, for the machine. */
uint64_t intake_when(bool timed, const struct data_record *rec);

void intake_release(struct intake *in);

/* Both 0 or -ENOMEM. Samples whose event nobody knows are left out. */
int intake_sideband(struct intake *in, const struct data_record *rec);
int intake_sample(struct intake *in, const struct data_record *rec, const struct data_sample *s);

/* For profile_set_frames(); ctx is the resolver. */
void intake_frame_facts(void *ctx, size_t i, struct profile_frame_facts *ret);

/* Sets lost samples and times of the first `n` events. */
void intake_tell_events(const struct intake *in, struct ptui_event_info *events, size_t n);

/* What a walk met. */
void intake_damage(struct ptui_trust *trust, const struct data_damage *d);

#endif
