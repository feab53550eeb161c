/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading a recording. Opening decodes the header, the attrs and the features; walks iterate over
 * the records, several at once if needed. Damaged input is not fatal: everything readable is
 * returned, the rest is counted in `struct data_damage`.
 */
#ifndef DATA_READ_READER_H
#define DATA_READ_READER_H

#include <sys/types.h>
#include "data/data.h"

struct data_file;

/* The damage of a file, by kind. All zero: none. */
struct data_damage {
	uint64_t truncated_bytes; /* missing bytes, according to the header */
	uint64_t bad_records;	  /* too small, or with bad fields */
	uint64_t unknown_records; /* of unknown types: skipped */
	struct ptui_unknown_type unknown_types[PTUI_UNKNOWN_TYPES];
	uint64_t unknown_ids;	/* samples of events that are not in the header */
	uint64_t skipped_bytes; /* skipped from a bad record to the next good one */
	uint64_t bad_sections;	/* of the header: with impossible offsets or sizes */
	uint64_t
		cut_after_data; /* where the file ends, if its data is whole but not what follows */
	uint64_t missing_features[4]; /* bit n: the header has feature n, but it cannot be read */
	bool unfinished;	      /* data size 0 in the header: the recorder was killed */
	/* not damage: all records that were read, by type */
	uint64_t records[PTUI_RECORD_TYPES];
};

/*
 * Opens a file, a directory (perf record --threads, --kcore; or the file "data" in it), or "-" for standard input.
 * -ENODATA: the file has size 0. -EINVAL: not a perf.data file; the error says what it looks like. A pipe is copied
 * to memory as walks read it, so it can be walked again. Files are read with pread() instead of mapped: if a file
 * shrinks during a walk it counts as damaged, where a mapping would raise SIGBUS.
 */
struct data_file *data_open(const char *path, struct ptui_error *err, int *ret_error);
/*
 * The same with a callback: `waiting` is called several times a second while a pipe is empty, here
 * and in walks. Non-zero ends waiting with -ECANCELED; a walk can be continued afterwards.
 */
struct data_file *data_open_waiting(const char *path, int (*waiting)(void *ctx), void *ctx,
				    struct ptui_error *err, int *ret_error);
/* The same for bytes that stay the caller's until data_close(). For tests and fuzzing. */
struct data_file *data_open_memory(const void *bytes, size_t n, struct ptui_error *err,
				   int *ret_error);
void data_close(struct data_file *f);

bool data_swapped(const struct data_file *f); /* the other byte order */
bool data_is_pipe(const struct data_file *f);
/* When the file was last written, in ns since 1970; 0: not known, as of a pipe. */
uint64_t data_mtime_ns(const struct data_file *f);
uint64_t data_size_bytes(const struct data_file *f); /* of what a walk reads; for progress */

/*
 * The copy of /proc/kallsyms that a directory recording has (perf record --kcore); NULL: none. Owned
 * by the file.
 */
const char *data_kallsyms_path(struct data_file *f);

/* Events; those of a pipe become known during the first walk. */
size_t data_n_events(const struct data_file *f);
const struct data_event *data_event(const struct data_file *f, size_t index);
/* Its attr in host byte order; fields that the file's version lacks are 0. As data_event(). */
struct perf_event_attr;
const struct perf_event_attr *data_event_attr(const struct data_file *f, size_t index);
/* The event with this kernel id; PTUI_NONE: none. */
uint32_t data_event_of_id(const struct data_file *f, uint64_t id);

/* The guest whose records have this id; false: it is of the host. */
bool data_guest_of_id(const struct data_file *f, uint64_t id, struct data_guest *ret);
int32_t data_guest_thread(const struct data_guest *guest, int32_t tid); /* see DATA_TIDS */
/* The thread of a sample, by which the machine knows it. */
static inline int32_t data_sample_thread(const struct data_sample *s)
{
	return s->guest.machine_pid ? data_guest_thread(&s->guest, s->tid) : s->tid;
}
/* The mode of an address that a sample refers to (enum data_cpumode): the kernel's are negative. */
static inline unsigned data_sample_mode(const struct data_sample *s, uint64_t addr)
{
	return s->guest.machine_pid ? DATA_MODE_GUEST_USER :
	       addr >> 63	    ? DATA_MODE_KERNEL :
				      DATA_MODE_USER;
}

/*
 * The payload of a feature (PTUI_FEAT_*) in the file's byte order; NULL: none. For text features
 * (hostname, version, arch, cmdline …) use data_feature_text().
 */
const void *data_feature(const struct data_file *f, unsigned feature, size_t *ret_bytes);
/* "vm"; for CMDLINE the words joined by spaces. NULL: none. Owned by the file. */
const char *data_feature_text(struct data_file *f, unsigned feature);
bool data_has_feature(const struct data_file *f, unsigned feature);
/* "CMDLINE", as perf lists it; NULL: unknown. */
const char *data_feature_name(unsigned feature);

/*
 * The AUXTRACE records that the index of a file names, one per call with i from 0: 0 record, 1 end,
 * -EBADMSG: there is no such record where the index says. A pipe has no index.
 */
int data_auxtrace_at(const struct data_file *f, size_t i, struct data_auxtrace *ret);

/* Where the sections of the file are, in bytes; all 0 in a pipe. */
struct data_layout {
	uint64_t data_off, data_bytes, features_off;
};
void data_layout(const struct data_file *f, struct data_layout *ret);

/* Build-ids of the BUILD_ID feature, one per call with i from 0: 0 item, 1 end. */
struct data_build_id {
	const char *path;
	int32_t pid;
	uint16_t misc;
	uint8_t bytes;
	uint8_t id[DATA_BUILD_ID_MAX];
};
int data_build_id_at(const struct data_file *f, size_t i, struct data_build_id *ret);

/*
 * Symbols that a recording brings along (simpleperf), in the addresses that the DSO was linked at:
 * `addr` is the lowest address of its code, `off` its offset in the file, or in memory for a kernel
 * module (UINT64_MAX: unknown). A symbol's end is its start if its size is unknown.
 */
enum data_dso_kind {
	DATA_DSO_KERNEL,
	DATA_DSO_KERNEL_MODULE,
	DATA_DSO_ELF,
	DATA_DSO_DEX,	 /* addresses are file offsets */
	DATA_DSO_MEMORY, /* addresses of a process: code of a JIT compiler */
	DATA_DSO_UNKNOWN,
};

struct data_symbol {
	uint64_t start, end;
	const char *name;
};

struct data_dso_symbols {
	const char *path;
	unsigned kind; /* enum data_dso_kind */
	uint64_t addr, off;
	const struct data_symbol *v;
	size_t n;
};

/* Valid during the call. Non-zero ends data_symbols_each(), which returns it. */
typedef int (*data_symbols_fn)(void *ctx, const struct data_dso_symbols *dso);
/* Not while walks are under way. Some may have come as records: after a first walk. 0 or -ENOMEM. */
int data_symbols_each(const struct data_file *f, data_symbols_fn fn, void *ctx);

/*
 * A recording in progress: its events are added as they are opened, and its records are walked piece
 * by piece in the caller's memory, in host byte order.
 *
 *   data_open_feed -> data_feed_event … -> data_walk_new -> [ data_walk_feed -> next … ] …
 */
struct data_file *data_open_feed(struct ptui_error *err);
/* `attr`: a struct perf_event_attr of attr_bytes. 0, -EBADMSG or -ENOMEM. */
int data_feed_event(struct data_file *f, const void *attr, size_t attr_bytes, const char *name,
		    const uint64_t *ids, size_t n_ids);

/*
 * A walk over all records of the data section in the file's order. Each walk belongs to one thread.
 * Several threads may walk at once, but a pipe only after a first walk has reached the end, since
 * until then it adds events. Walks also return the records that define events.
 */
struct data_walk;
struct data_walk *data_walk_new(struct data_file *f, struct ptui_error *err);
void data_walk_free(struct data_walk *w);
/*
 * 0: *rec is the next record. 1: end. Negative: I/O error. Records in COMPRESSED ones are unpacked,
 * and COMPRESSED itself is not returned. `want_samples` false: skips PERF_RECORD_SAMPLE at the cost
 * of reading its header.
 */
int data_walk_next(struct data_walk *w, bool want_samples, struct data_record *rec,
		   struct ptui_error *err);
/* Also returns records of unknown types, which are counted all the same. */
void data_walk_keep_unknown(struct data_walk *w);
/* Also returns simpleperf's own records, which may be larger than others. */
void data_walk_keep_simpleperf(struct data_walk *w);
/*
 * Reads up to `n` of the bytes that follow an AUXTRACE record, from byte `at` of them on. Returns how
 * many: fewer than `n` only at their end, or if the file was cut while it is read; or a negative errno.
 */
ssize_t data_walk_payload(struct data_walk *w, const struct data_record *rec, uint64_t at,
			  void *bytes, size_t n);
/*
 * Frees what the file keeps of a pipe before the position of this walk, of which no other walk may
 * be behind. No effect unless the recording has the pipe layout.
 */
void data_walk_forget(struct data_walk *w);
/*
 * For data_open_feed(): continues the walk with these whole records, which stay the caller's and
 * must be valid until the walk reaches their end (1). `seq` keeps increasing. Walks over one feed
 * must alternate.
 */
void data_walk_feed(struct data_walk *w, const void *bytes, size_t n);
/*
 * For several walks that share the records of a file: whether they can, after a first walk over all of
 * it: not a pipe, not compressed, and not damaged.
 */
bool data_walk_splits(const struct data_walk *w);
/* The start of a record that a walk has returned. */
struct data_place {
	uint64_t off, seq;
};
/* Before the first record: only those from one place (NULL: the first) to another (NULL: the end). */
void data_walk_range(struct data_walk *w, const struct data_place *from,
		     const struct data_place *to);
/*
 * The first record at this offset in the file or later is returned even if it is a sample and those are not wanted.
 * Once: the next one requires another call.
 */
void data_walk_stop_skipping(struct data_walk *w, uint64_t off);
/*
 * A thread that finds samples in a part of a file, which a walk that skips them can jump over when it comes there. NULL:
 * there is none, which is no error.
 */
struct data_scout *data_scout_start(struct data_file *f, uint64_t from, uint64_t to);
void data_scout_free(struct data_scout *s); /* ends the thread; accepts NULL */
/* Ends the scout, and uses what it has found. It must live as long as the walk; NULL: none from now on. */
void data_walk_follow(struct data_walk *w, struct data_scout *s);
/* Adds what another walk, over another range, has counted. */
void data_walk_join(struct data_walk *w, const struct data_walk *other);
/* Decodes a PERF_RECORD_SAMPLE. 0, or -EBADMSG (counted in damage, `s` undefined). */
int data_walk_sample(struct data_walk *w, const struct data_record *rec, struct data_sample *s);
/*
 * Only its time, 0 if it has none; costs less. Damage is counted by data_walk_sample(). 0, or
 * -EBADMSG.
 */
int data_walk_sample_time(struct data_walk *w, const struct data_record *rec, uint64_t *ret_time);
/* The damage found by opening the file. */
void data_header_damage(const struct data_file *f, struct data_damage *ret);
/* The damage found by opening the file and by this walk. */
void data_walk_damage(const struct data_walk *w, struct data_damage *ret);

#endif
