/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The profile builder: decoded records with raw addresses in, published immutable profiles out.
 * Loading a file and following a recording use it alike; they differ in where records come from and
 * when they publish.
 *
 *	sideband --builder_add_record()--> machine      losses --> trust
 *	         --builder_seal(when)----> what was mapped up to `when` is known
 *	sample   --builder_add_sample()--> frames, stack, one row of the store
 *	         --builder_publish()-----> symbols of new frames --> struct ptui_profile
 *
 * Order: all events, then the sideband up to a time, then the samples up to that time; samples among
 * themselves in any order. The sideband of a file is added and sealed as a whole first.
 * One thread at a time; a published profile may be read by any.
 */
#ifndef SESSION_BUILDER_H
#define SESSION_BUILDER_H

#include "data/read/reader.h"
#include "profile/store.h"
#include "resolve/resolver.h"
#include "session/chain.h"

/*
 * How long the counters of one event and thread were on, from READ records. A thread has a counter
 * per CPU, all of them are enabled while it runs on any, and they share the running time.
 */
struct builder_times {
	uint32_t event;
	int32_t tid; /* -1: whatever ran on a CPU; then each record is of a CPU of its own */
	uint64_t enabled_ns, running_ns;
};

/* What a counter had counted when a sample last brought its value (PERF_SAMPLE_READ). */
struct builder_counter {
	uint64_t id, value;
};

struct builder_opts {
	const struct data_file *file;  /* borrowed: its events are looked up by id */
	struct resolver_opts resolver; /* borrowed, with all that it points to */
	size_t max_rows;	       /* STORE_UNBOUNDED: no cap */
	bool no_chains;		       /* ignore callchains */
	bool track_ends;	       /* ended processes will be forgotten */
};

struct builder {
	struct profile_store store;
	struct ptui_trust trust;
	const struct data_file *file;
	struct machine *machine;
	struct resolver *resolver; /* exists once something is sealed */
	struct resolver_opts resolver_opts;
	bool timed; /* records have times; else their place in the stream is the time */
	bool no_chains;
	struct chain_builder chain;
	unsigned chain_numbering; /* store.renumbered, as of the ids in `chain` */
	uint64_t *lost_samples;	  /* by event, cap_lost of them */
	size_t cap_lost;
	uint64_t lost_sideband;		/* by LOST records ... */
	uint64_t lost_sideband_samples; /* ... and by LOST_SAMPLES, which are exact */
	struct builder_times *times;
	size_t n_times, cap_times;
	struct index_table times_index;
	struct builder_counter *counters;
	size_t n_counters, cap_counters;
	struct index_table counters_index;

	/* builder_compact.c */
	size_t max_frames;  /* more, and rows are dropped */
	size_t spare_bytes; /* that the tables may grow by before they are compacted */
	size_t kept_bytes;  /* of the tables after the last time */
	unsigned compactions;
};

/*
 * Whether the sideband has times. Without sample_id_all it has none, and then a sample's own
 * time cannot be compared with it: the order in the file counts for both.
 */
bool builder_is_timed(const struct data_file *f);
/* When a sideband record happened, for the machine. */
uint64_t builder_when(bool timed, const struct data_record *rec);

/* All of these: 0 or -ENOMEM, and then only builder_release() is allowed. */
int builder_init(struct builder *b, const struct builder_opts *opts);
void builder_release(struct builder *b); /* a zeroed one is fine */
int builder_add_event(struct builder *b, const struct data_event *e);
int builder_add_record(struct builder *b, const struct data_record *rec);
/* All sideband up to `when` (UINT64_MAX: all there is) was added. */
int builder_seal(struct builder *b, uint64_t when);
/* Samples of unknown events are left out. */
int builder_add_sample(struct builder *b, const struct data_record *rec,
		       const struct data_sample *s);

/* Whether rows were added since the last publication. */
static inline bool builder_has_news(const struct builder *b)
{
	return b->store.samples.n > b->store.published;
}

/* What a walk over the records met; the last call counts. */
void builder_set_damage(struct builder *b, const struct data_damage *d);
/* Names threads as they are called now. */
void builder_name_threads(struct builder *b);

/*
 * Looks up the symbols of new frames and publishes all that was added so far. One reference. NULL:
 * out of memory, or cancelled by `progress` (may be NULL), with `err` (may be NULL) and *ret_error
 * (may be NULL) set.
 */
struct ptui_profile *builder_publish(struct builder *b, ptui_progress_fn progress, void *ctx,
				     struct ptui_error *err, int *ret_error);

/*
 * For a recording that goes on for days, right after a publication: removes modules, threads,
 * frames and names that no kept row and no living process uses, if enough of them have come.
 */
int builder_compact(struct builder *b);

#endif
