/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The profile builder: decoded records with raw addresses in, published immutable profiles out.
 * Used for loading a file and for following a recording; these differ in where records come from
 * and in when they publish.
 *
 *	sideband --builder_add_record()--> machine      losses --> trust
 *	         --builder_seal(when)----> maps up to `when` are complete
 *	sample   --builder_add_sample()--> frames, stack, one row of the store
 *	         --builder_publish()-----> symbols of new frames --> struct ptui_profile
 *
 * Order: all events, then the sideband up to a time, then the samples up to that time, in any order
 * among themselves. The sideband of a file is added and sealed as a whole first.
 * One thread at a time; a published profile may be read by any thread.
 */
#ifndef SESSION_BUILDER_H
#define SESSION_BUILDER_H

#include "data/read/reader.h"
#include "profile/extras.h"
#include "profile/row_writer.h"
#include "profile/store.h"
#include "resolve/resolver.h"
#include "session/builder_extras.h"
#include "session/chain.h"
#include "session/jit_maps.h"
#include "session/leaf.h"
#include "session/user_chain.h"

/*
 * Enabled and running times of one event and thread, from READ records. A thread has a counter per
 * CPU: all of them are enabled while it runs on any CPU, and they share the running time.
 */
struct builder_times {
	uint32_t event;
	int32_t pid, tid; /* -1: system-wide; then each record is of another CPU */
	uint64_t enabled_ns, running_ns;
	uint64_t count; /* the sum of its records */
	bool has_count;
};

/* The value of a counter in the last sample that contained it (PERF_SAMPLE_READ). */
struct builder_counter {
	uint64_t id, value;
};

/* Samples without stacks, whose frames are looked up together. */
#define BUILDER_BATCH MERGED_BATCH

struct builder_batch {
	size_t n;
	struct sample_row rows[BUILDER_BATCH];	 /* without their frames, */
	struct resolver_query at[BUILDER_BATCH]; /* which are looked up here */
	uint32_t extras[BUILDER_BATCH];
};

/* The name of a thread from one time to another; by its tid. */
#define BUILDER_COMMS 64u

struct builder_comm {
	uint64_t from, last; /* in that order if it is set */
	int32_t tid;
	uint32_t comm;
};

struct builder_opts {
	const struct data_file *file;  /* borrowed: its events are looked up by id */
	struct resolver_opts resolver; /* borrowed, with all that it points to */
	size_t max_rows;	       /* STORE_UNBOUNDED: no cap */
	uint32_t
		max_stack; /* maximum number of frames; 0: all recorded ones, STACK_UNWINDER_MAX unwound ones */
	bool no_chains;		 /* ignore callchains */
	bool track_ends;	 /* machine_drop_ended() will be called */
	struct machine *machine; /* borrowed, instead of one of its own; NULL: none */
};

/*
 * The branches of the current sample as the innermost part of its callchain: n positions, innermost first,
 * two for each branch. What the tables of the profile keep of them: BRANCH_... of profile/extras.h.
 */
struct branch_history {
	uint32_t *frames, *words;
	size_t n, cap, cap_words;
	size_t skip; /* words of the callchain that they repeat */
};

struct builder {
	struct profile_store store;
	struct ptui_trust trust;
	const struct data_file *file;
	struct jit_maps jit;
	struct machine *machine;
	/* of a part: the machine is that of the whole, and so are the first names */
	bool borrows_machine;
	uint32_t n_shared_names;
	struct resolver
		*resolver; /* NULL before the first builder_seal(), or builder_preload_kernel() */
	struct resolver_opts resolver_opts;
	bool timed;  /* records have times; otherwise their position in the stream counts as time */
	bool sealed; /* all sideband was added; see `comms` */
	bool for_stream; /* no profile is made of it: where stacks start does not matter */
	bool no_chains;
	enum ptui_mode mode; /* set before the events are added; never AUTO then */
	uint32_t max_stack;
	bool uprobes_have_callers; /* see session/leaf.h */
	bool chains;		   /* some event has callchains */
	size_t n_coming;	   /* samples that are known to follow, of a file */
	struct chain_builder chain;
	struct row_writer rows;
	struct user_chains user_chains;
	struct leaf_cache leaves;
	struct builder_comm comms[BUILDER_COMMS]; /* used if sealed */
	struct row_leaf leaf;			  /* of the current sample */
	struct builder_extras extras;
	struct blocks blocks;
	bool with_blocks;
	size_t max_runs;   /* of `blocks`; above this the older half is dropped; 0: no limit */
	bool with_history; /* branch stacks become part of callchains */
	struct branch_history history;
	size_t n_rows;		     /* that were added */
	struct builder_batch *batch; /* NULL: rows are written at once */
	/* trust.unverified has these rows, and as many had been dropped then */
	size_t counted_rows;
	uint64_t counted_dropped;
	size_t n_retired;	  /* resolver_n_retired() when `chain` was made */
	unsigned chain_numbering; /* value of store.renumbered when the ids in `chain` were made */
	uint64_t *lost_samples;	  /* by event; cap_lost entries */
	size_t cap_lost;
	uint64_t lost_sideband;		/* by LOST records ... */
	uint64_t lost_sideband_samples; /* ... and by LOST_SAMPLES, which are exact */
	struct builder_times *times;
	size_t n_times, cap_times;
	struct index_table times_index;
	struct builder_counter *counters;
	size_t n_counters, cap_counters;
	struct index_table counters_index;

	uint64_t periods;     /* sum of all samples */
	uint64_t bad_periods; /* samples that were left out because theirs are impossible */

	/* builder_compact.c */
	size_t max_frames;  /* above this, rows are dropped */
	size_t spare_bytes; /* growth of the tables before they are compacted */
	size_t kept_bytes;  /* size of the tables after the last compaction */
	unsigned compactions;
};

/*
 * Whether sideband records have times. Without sample_id_all they have none, and a sample's time
 * cannot be compared with them: the position in the file is used for both.
 */
bool builder_is_timed(const struct data_file *f);
/* Time of a sideband record, for the machine. */
uint64_t builder_when(bool timed, const struct data_record *rec);

/* All of these return 0 or -ENOMEM; after -ENOMEM only builder_release() is allowed. */
int builder_init(struct builder *b, const struct builder_opts *opts);
void builder_release(struct builder *b); /* accepts a zeroed one */
int builder_add_event(struct builder *b, const struct data_event *e);
int builder_add_record(struct builder *b, const struct data_record *rec);
/*
 * A builder for some of the samples of a file whose sideband `whole` has, sealed. Both may then add samples at
 * once, each in its thread, if the samples need nothing but the machine (see can_split() in load_samples.c).
 */
int builder_init_part(struct builder *part, const struct builder *whole);
/* The ids that names and frames of a part have got; to be freed. */
struct builder_ids {
	uint32_t *names, *frames;
};
/*
 * Adds what a part has, which all comes after the own samples, before the profile is published (`last`: nothing
 * comes after it): first names and frames,
 */
int builder_absorb_frames(struct builder *b, struct builder *part, bool last,
			  struct builder_ids *ret);
/* then the samples. Beside it and what follows, in another thread, only builder_find_symbols() may run. */
int builder_absorb_rows(struct builder *b, struct builder *part, bool last,
			const struct builder_ids *ids);
/*
 * If samples are merged: whether their stacks lack a caller is found out when all are there, by builder_find_skips(), or
 * else by builder_publish(). For builders whose samples are read at once: each would ask for the same functions.
 */
void builder_find_skips_later(struct builder *b);
/* 0 or -ENOMEM. */
int builder_find_skips(struct builder *b);
/* Finds the symbols of all frames so far; builder_publish() does so as well. 0 or a negative errno, with err set. */
int builder_find_symbols(struct builder *b, ptui_progress_fn progress, void *ctx,
			 struct ptui_error *err);
/*
 * Before the sideband: a thread reads the symbols of the kernel with this build-id already. All features of
 * the file are known. 0 or -ENOMEM.
 */
int builder_preload_kernel(struct builder *b, const uint8_t *id, uint8_t id_bytes);
/* To be called when all sideband up to `when` (UINT64_MAX: to the end) has been added. */
int builder_seal(struct builder *b, uint64_t when);
/* Ignores samples of unknown events. */
int builder_add_sample(struct builder *b, const struct data_record *rec,
		       const struct data_sample *s);

/*
 * From here on, until builder_flush(), rows are written some samples later. Without memory, they are
 * written at once.
 */
void builder_start_batches(struct builder *b);
/* Before the first sample of a file: merges samples, if that is possible; see struct ptui_merge. */
void builder_merge(struct builder *b, const struct ptui_merge *merge);
/* 0 or -ENOMEM. */
int builder_flush(struct builder *b);

/* ---- builder_branches.c ---- */

/* The blocks in the branch stack of a sample, whose last row was added. 0 or -ENOMEM. */
int builder_add_blocks(struct builder *b, const struct data_event *e, const struct data_sample *s,
		       uint64_t when);
/* Keeps the blocks of the newer half of the samples. 0 or -ENOMEM. */
int builder_halve_blocks(struct builder *b);
/* Frames got new numbers. 0 or -ENOMEM. */
int builder_renumber_blocks(struct builder *b, const uint32_t *frames);
void builder_mark_blocks(const struct builder *b, bool *used_frames);
/* The blocks of the rows of a profile that was just published. 0 or -ENOMEM. */
int builder_copy_blocks(const struct builder *b, struct ptui_profile *p);

void branch_history_release(struct branch_history *h); /* accepts a zeroed one */
/* Whether branches are part of the callchain of this sample. */
bool builder_has_history(const struct builder *b, const struct data_event *e,
			 const struct data_sample *s);
/* Sets b->history. The place of its words in extras.history; 0: none, or out of memory (extras.history.failed). */
uint32_t builder_read_history(struct builder *b, const struct data_event *e,
			      const struct data_sample *s, uint64_t when);
/* Adds the frames of b->history to those of b->chain. 0 or -ENOMEM. */
int builder_history_frames(struct builder *b);
/* Where an address of a branch is. PTUI_NONE: out of memory. */
uint32_t builder_branch_frame(struct builder *b, const struct data_sample *s, uint64_t when,
			      uint64_t addr);

/* How much a counter has grown since it was last read (PERF_SAMPLE_READ). */
int builder_counter_growth(struct builder *b, uint64_t id, uint64_t value, uint64_t *ret);

/* Whether rows were added since the last publication. */
static inline bool builder_has_news(const struct builder *b)
{
	return b->store.samples.n > b->store.published;
}

/* Sets the damage found in the records, replacing earlier values. */
void builder_set_damage(struct builder *b, const struct data_damage *d);
void trust_set_damage(struct ptui_trust *trust, const struct data_damage *d);
/* Sets the current names of all threads. */
void builder_name_threads(struct builder *b);

/*
 * Looks up the symbols of new frames and publishes everything added so far. Returns one reference.
 * On failure (out of memory, or cancelled by `progress`, which may be NULL) returns NULL and sets
 * `err` and *ret_error (both may be NULL).
 */
struct ptui_profile *builder_publish(struct builder *b, ptui_progress_fn progress, void *ctx,
				     struct ptui_error *err, int *ret_error);

/*
 * For long recordings: the machine drops what ended before `when` (machine_drop_ended()), and
 * deferred callchains from before are removed. 0 or -ENOMEM.
 */
int builder_drop_ended(struct builder *b, uint64_t when);
/*
 * For long recordings, right after a publication: frees modules, threads, frames and names that no
 * kept row and no living process uses, once enough of them have accumulated.
 */
int builder_compact(struct builder *b);

#endif
