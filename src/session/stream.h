/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A recording as a stream of records in the order of their times, with what resolves their
 * addresses: for output that builds no profile.
 *
 *   file:  all sideband --> machine, sealed        records --queue--> callback
 *   pipe:  sideband of a round --> machine, sealed up to it; records of the round --> callback
 *
 * The records of the CPUs follow one another in a file. What was written before the last but one
 * FINISHED_ROUND is complete, and is sorted and passed on then; the rest at the end, as in perf.
 */
#ifndef SESSION_STREAM_H
#define SESSION_STREAM_H

#include "data/read/reader.h"
#include "profile/debug.h"
#include "ptui/profile.h"
#include "resolve/resolver.h"

struct stream;

struct stream_opts {
	struct ptui_load_opts load;
	bool sideband;	 /* also pass on records other than samples */
	bool all;	 /* with `sideband`: also records of the recorder itself, at once */
	bool unknown;	 /* with `all`: also records of unknown types */
	bool simpleperf; /* with `all`: also simpleperf's own records */
	bool rounds;	 /* also pass on FINISHED_ROUND, and all records in the order of the file */
};

/*
 * The callchain of a sample as recorded: addresses and context markers, innermost first. Valid until
 * the next call.
 */
struct stream_chain {
	const uint64_t *words;
	size_t n;
	/* the user part, if it is not among the words (session/user_chain.h): those are ignored then */
	bool replaced;
	const uint64_t *user;
	size_t n_user;
	bool unwound; /* from a copy of the stack */
	bool limited; /* the limit of frames counts those of the kernel, too */
	uint8_t how;  /* why the user part ends: enum stack_how */
};

/* The first word that is a marker. */
#define STREAM_CHAIN_MARKER ((uint64_t)-4095)
enum {
	STREAM_CHAIN_BAD = -1, /* unknown marker: as in perf, the whole chain is ignored */
	STREAM_CHAIN_END = -2, /* what follows is no address */
};

struct stream_callbacks {
	/*
	 * All events that come before the first record are known, and addresses can be resolved.
	 * Not called for a recording without records. The callbacks return 0, or a negative value
	 * that ends the stream.
	 */
	int (*begin)(void *ctx, struct stream *s);
	/* `when`: the time for resolving. */
	int (*record)(void *ctx, struct stream *s, const struct data_record *rec, uint64_t when);
	/* All records that are complete now were passed on. May be NULL. */
	int (*round)(void *ctx, struct stream *s);
	void *ctx;
};

/* `file` stays the caller's. NULL: no memory. */
struct stream *stream_new(struct data_file *file, const struct stream_opts *opts);
void stream_free(struct stream *s); /* NULL ok */
/* Runs to the end. 0, the value of a callback, or a negative errno with `err` set. */
int stream_run(struct stream *s, const struct stream_callbacks *cb, struct ptui_error *err);
/* The damage found so far, and the kernel's losses (struct ptui_trust). */
void stream_trust(const struct stream *s, struct ptui_trust *ret);

/* ---- for the callbacks ---- */

struct data_file *stream_file(const struct stream *s);
/* Decodes a sample. 0, or -EBADMSG: damaged, and counted. Valid until the next call. */
int stream_sample(struct stream *s, const struct data_record *rec, struct data_sample *ret);
/* data_walk_payload(), for a callback that was given this record at once (`all`). */
ssize_t stream_payload(struct stream *s, const struct data_record *rec, uint64_t at, void *bytes,
		       size_t n);
/* The frame of an address, with its symbol; PTUI_NONE: no memory. */
uint32_t stream_frame(struct stream *s, const struct data_sample *sample, uint64_t when,
		      uint64_t addr);
/* The same without a look at its symbol. */
uint32_t stream_frame_unnamed(struct stream *s, const struct data_sample *sample, uint64_t when,
			      uint64_t addr);
/* The frame and its symbol in a given mode (enum data_cpumode). */
uint32_t stream_frame_in(struct stream *s, int32_t pid, unsigned mode, uint64_t when,
			 uint64_t addr);
/* resolver_place() */
bool stream_place(struct stream *s, int32_t pid, unsigned mode, uint64_t when, uint64_t addr,
		  struct resolver_place *ret);
/* resolver_peek_place(), for a file; any thread may call it */
bool stream_peek_place(const struct stream *s, int32_t pid, unsigned mode, uint64_t when,
		       uint64_t addr, struct resolver_place *ret);
/* The frame of an address in a module, and its symbol. */
uint32_t stream_frame_in_module(struct stream *s, uint32_t module, uint64_t off, uint64_t addr,
				unsigned mode);
/*
 * For output that takes two threads: from now on, a third one reads the symbols of a module as soon as
 * it has a frame; stream_wait_symbols() waits for it, or reads them. One thread gets the samples, their
 * chains, comms and stream_maps(); only one at a time may call what returns a frame, place or name.
 */
void stream_preload(struct stream *s);
void stream_wait_symbols(struct stream *s, uint32_t module);
/* Whether the file is worth threads. */
bool stream_wants_threads(const struct stream *s);
/* 0 or -ENOMEM. */
int stream_chain(struct stream *s, const struct data_sample *sample, uint64_t when,
		 struct stream_chain *ret);
/*
 * The functions at a frame by debug information: those that were inlined, innermost first, and the one
 * with the symbol. Returns their number; 0: unknown. The names are valid as long as the stream.
 */
size_t stream_scopes(struct stream *s, uint32_t frame, struct profile_scope *ret, size_t max);
/* session_debug_code_at() of the module of a frame. */
int stream_code(struct stream *s, uint32_t frame, size_t n, struct profile_code *ret);
uint16_t stream_machine(struct stream *s); /* session_debug_machine() */
/* What a marker says: the mode of the addresses after it, or STREAM_CHAIN_BAD or _END. */
int stream_chain_mode(uint64_t word);
/*
 * For caches of addresses: a number of the maps of a process (-1: of the kernel) at a time. An address
 * has the same frame while the number is the same. 0: unknown process.
 */
uint32_t stream_maps(struct stream *s, int32_t pid, uint64_t when);
const struct resolver *stream_resolver(const struct stream *s);
const char *stream_name(const struct stream *s, uint32_t id); /* of the resolver's string ids */
/* The name of a thread; PTUI_NONE: unknown. */
uint32_t stream_comm(const struct stream *s, int32_t pid, int32_t tid, uint64_t when);
/*
 * The same, and the first and the last moment at which that is the answer, as long as stream_seals() is
 * the same.
 */
uint32_t stream_comm_span(const struct stream *s, int32_t tid, uint64_t when, uint64_t *ret_from,
			  uint64_t *ret_last);
unsigned stream_seals(const struct stream *s);

/*
 * With PERF_SAMPLE_READ, a sample counts for all events of its group. Calls `fn` for each that has
 * counted something since the last one, with its event and period; else once.
 */
int stream_members(struct stream *s, const struct data_sample *sample,
		   int (*fn)(void *ctx, uint32_t event, uint64_t period), void *ctx);

#endif
