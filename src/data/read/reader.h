/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading a recording. Opening decodes the header, the attrs and the features; walks go
 * over the records, several at once if wanted. Damaged input is not fatal: what can be
 * read is given, what cannot is counted in `struct data_damage`.
 */
#ifndef DATA_READ_READER_H
#define DATA_READ_READER_H

#include "data/data.h"

struct data_file;

/* What was wrong with the file, by kind. All zero: nothing was. */
struct data_damage {
	uint64_t truncated_bytes; /* the header promises so many more than there are */
	uint64_t bad_records;	  /* too small, or their fields do not fit */
	uint64_t unknown_records; /* types this version does not know: skipped */
	uint64_t unknown_ids;	  /* samples of an event the header does not name */
	uint64_t skipped_bytes;	  /* given up from a bad record's place on */
	bool unfinished;	  /* data size 0 in the header: the recorder was killed */
};

/*
 * Opens "perf.data", or "-" for standard input. -ENODATA: the file has size 0 (not an
 * error for report: it says so and exits 0). A pipe is read to memory in the background of
 * the walk: it can be walked again. Not a perf.data file: -EINVAL, and the sentence says
 * what it looks like instead. A file is read with pread(), not mapped: one that shrinks
 * meanwhile is damaged, where a mapping would raise SIGBUS.
 */
struct data_file *data_open(const char *path, struct ptui_error *err, int *ret_error);
/*
 * The same for who can be asked not to wait: `waiting` is called several times a second while a
 * pipe brings nothing, here and in the walks. Nonzero ends it with -ECANCELED.
 */
struct data_file *data_open_waiting(const char *path, int (*waiting)(void *ctx), void *ctx,
				    struct ptui_error *err, int *ret_error);
/* The same over bytes that stay the caller's until data_close(). For tests and fuzzing. */
struct data_file *data_open_memory(const void *bytes, size_t n, struct ptui_error *err,
				   int *ret_error);
void data_close(struct data_file *f);

bool data_swapped(const struct data_file *f); /* the other byte order */
bool data_is_pipe(const struct data_file *f);
uint64_t data_size_bytes(const struct data_file *f); /* of the data section; for progress */

/* Events; in a pipe they become known while the first walk goes on. */
size_t data_n_events(const struct data_file *f);
const struct data_event *data_event(const struct data_file *f, size_t index);
/* By kernel id. PTUI_NONE when no event has it. */
uint32_t data_event_of_id(const struct data_file *f, uint64_t id);

/*
 * A feature's payload in the file's byte order, PTUI_FEAT_*. NULL when the file has none.
 * Text features (hostname, version, arch, cmdline …): data_feature_text().
 */
const void *data_feature(const struct data_file *f, unsigned feature, size_t *ret_bytes);
/* "vm"; of CMDLINE the words joined by spaces. NULL when absent. Owned by the file. */
const char *data_feature_text(struct data_file *f, unsigned feature);

/* Build-ids of the BUILD_ID feature, one a call with i from 0: 0 item, 1 end. */
struct data_build_id {
	const char *path;
	int32_t pid;
	uint16_t misc;
	uint8_t bytes;
	uint8_t id[DATA_BUILD_ID_MAX];
};
int data_build_id_at(const struct data_file *f, size_t i, struct data_build_id *ret);

/*
 * A recording that is being made: its events are told as they were opened, and its records are
 * walked over piece by piece, out of the caller's memory, in host byte order.
 *
 *   data_open_feed -> data_feed_event … -> data_walk_new -> [ data_walk_feed -> next … ] …
 */
struct data_file *data_open_feed(struct ptui_error *err);
/* `attr`: a struct perf_event_attr of attr_bytes. 0, -EBADMSG or -ENOMEM. */
int data_feed_event(struct data_file *f, const void *attr, size_t attr_bytes, const char *name,
		    const uint64_t *ids, size_t n_ids);

/*
 * A walk over all records of the data section, from its start, in the file's order. Each walk
 * is for one thread; several threads may walk at once, but in a pipe only when a first walk
 * has come to its end: until then it adds events. The records that bring these are shown too.
 */
struct data_walk;
struct data_walk *data_walk_new(struct data_file *f, struct ptui_error *err);
void data_walk_free(struct data_walk *w);
/*
 * Negative: cannot go on (I/O error). 0: *rec is the next one. 1: the end. Records of
 * COMPRESSED are unpacked on the way and not shown. `want_samples` false: PERF_RECORD_SAMPLE
 * is skipped at the cost of reading its header.
 */
int data_walk_next(struct data_walk *w, bool want_samples, struct data_record *rec,
		   struct ptui_error *err);
/*
 * Of a feed: the walk goes on with these whole records, which stay the caller's until it has come
 * to their end (1). `seq` grows on. Walks over one feed take turns.
 */
void data_walk_feed(struct data_walk *w, const void *bytes, size_t n);
/* Decodes a PERF_RECORD_SAMPLE. 0, or -EBADMSG (counted in damage, `s` undefined). */
int data_walk_sample(struct data_walk *w, const struct data_record *rec, struct data_sample *s);
/* What this walk met, added to what opening met. */
void data_walk_damage(const struct data_walk *w, struct data_damage *ret);

#endif
