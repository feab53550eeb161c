/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writing a recording, to a file or a pipe.
 *
 *   open -> add_event …, add_feature … -> begin -> write … (records) -> add_feature … -> finish
 *
 * A file is valid while it grows: begin() writes header, attrs, ids and the features that are known
 * by then, and each write() (at the latest the next sync()) updates the data size. If the recorder
 * is killed, perf can read the file up to there; finish() adds later features. One thread at a
 * time.
 */
#ifndef DATA_WRITE_WRITER_H
#define DATA_WRITE_WRITER_H

#include <sys/uio.h>
#include "base/perf_abi.h"
#include "data/data.h"

struct data_writer;

struct data_writer_opts {
	int compress_level; /* 1 to 22; 0: not compressed */
	bool append;	    /* append to an older file of the same events */
	bool overwrite;	    /* do not keep an older file as PATH.old */
	bool timestamp;	    /* finish() renames it to PATH.YYYYMMDDHHMMSSxx */
	bool aside;	    /* with timestamp: no name before that; the file at `path` stays */
	bool whole;	    /* finish() names it, when it is complete; no name before that */
	bool nowhere;	    /* records are only counted; `path` is "" */
	int cancel_fd;	    /* readable: stop waiting for a pipe's reader; -1: none */
};

/*
 * Creates a file with mode 0600; it gets its name only in begin(), which keeps an older file as
 * PATH.old, as perf does. Copies `path`. "-" (standard output) and named pipes are written in the
 * pipe layout. NULL on failure, with path and errno in `err`.
 */
struct data_writer *data_writer_open(const char *path, const struct data_writer_opts *opts,
				     struct ptui_error *err);
/*
 * Another file with the same name, events and features known so far, not begun. `aside` as in the
 * options; an existing file is not kept.
 */
struct data_writer *data_writer_again(const struct data_writer *w, bool aside,
				      struct ptui_error *err);
/* The same at another path, with these options. */
struct data_writer *data_writer_copy(const struct data_writer *w, const char *path,
				     const struct data_writer_opts *opts, struct ptui_error *err);
struct data_writer *data_writer_new(const char *path, struct ptui_error *err);
/* Writes attr->size bytes of the attr; copies ids and name. */
int data_writer_add_event(struct data_writer *w, const struct perf_event_attr *attr,
			  const char *name, const uint64_t *ids, size_t n_ids);
/* For the last event added; only pipes contain it. 0 or -ENOMEM. */
int data_writer_set_unit(struct data_writer *w, const char *unit, double scale);
int data_writer_set_cpus(struct data_writer *w, const int32_t *cpus, size_t n);
int data_writer_begin(struct data_writer *w, struct ptui_error *err);
/*
 * The two parts of begin(): writing everything before the first record, and naming the file. The
 * second part may run in another thread than the one that writes, but not during finish() and
 * free().
 */
int data_writer_begin_unnamed(struct data_writer *w, struct ptui_error *err);
int data_writer_name_file(struct data_writer *w, struct ptui_error *err);
/* Writes whole records. 0, or a negative errno: then the writer has stopped. */
int data_writer_write(struct data_writer *w, const struct iovec *iov, int n,
		      struct ptui_error *err);
/*
 * Writes an AUXTRACE record and its data, padded to 8 bytes; `a->bytes` is set from the data. It is not
 * compressed, as in perf, and goes into the index of a file. Results as above.
 */
int data_writer_write_aux(struct data_writer *w, const struct data_auxtrace *a,
			  const struct iovec *data, int n, struct ptui_error *err);
/* Call before begin(): says in the header, also of an unfinished file, that AUXTRACE records follow. */
int data_writer_expect_aux(struct data_writer *w);
uint64_t data_writer_bytes(const struct data_writer *w);     /* of records so far, as written */
uint64_t data_writer_raw_bytes(const struct data_writer *w); /* before compression */
double data_writer_ratio(const struct data_writer *w);	     /* compression ratio; 0: not
								compressed */
/* After begin(): whether older records precede ours. */
bool data_writer_appends(const struct data_writer *w);
/* Whether what was written can be read back. */
bool data_writer_is_file(const struct data_writer *w);
/* Whether other files can be created beside it: it is a file and not a device. */
bool data_writer_has_folder(const struct data_writer *w);
const char *data_writer_path(const struct data_writer *w);  /* may change in finish() */
const char *data_writer_place(const struct data_writer *w); /* path at which it can be read now */
/* Updates the header for all records written so far. */
int data_writer_sync(struct data_writer *w, struct ptui_error *err);
/*
 * Sets the payload of PTUI_FEAT_* (copied), in any order, before finish(); features set before
 * begin() survive a kill. EVENT_DESC and COMPRESSED are made by the writer.
 */
int data_writer_add_feature(struct data_writer *w, unsigned feature, const void *bytes, size_t n);
/*
 * After begin(): replaces the payload of a feature, in the file from the next sync on. Ignored for
 * pipes, for payloads that exceed a record, and if they would be a large part of the file: those
 * are written by add_feature(). 0 or a negative errno, with `err` set.
 */
int data_writer_refresh_feature(struct data_writer *w, unsigned feature, const void *bytes,
				size_t n, struct ptui_error *err);
/* Writes features and header and closes the file. The writer is still to be freed. */
int data_writer_finish(struct data_writer *w, struct ptui_error *err);
void data_writer_free(struct data_writer *w); /* may be NULL; without finish() keeps what was
						 synced */

/* ---- synthesized records, appended to a buffer ---- */
struct buf;

/* The sample-id trailer of synthesized records of an event with this attr. */
void data_put_id(struct buf *out, const struct perf_event_attr *attr, const struct data_id *id);
/*
 * Whole records with header, padding and id trailer (time 0: the base layer below the timed ones).
 * `misc` as in the kernel's records.
 */
int data_put_mmap2(struct buf *out, const struct data_mmap *m, uint16_t misc,
		   const struct perf_event_attr *attr, const struct data_id *id);
int data_put_mmap(struct buf *out, const struct data_mmap *m, uint16_t misc,
		  const struct perf_event_attr *attr, const struct data_id *id);
int data_put_comm(struct buf *out, int32_t pid, int32_t tid, const char *comm, uint16_t misc,
		  const struct perf_event_attr *attr, const struct data_id *id);
int data_put_fork(struct buf *out, int32_t pid, int32_t ppid, int32_t tid, int32_t ptid,
		  const struct perf_event_attr *attr, const struct data_id *id);
/* Of a thread: net, uts, ipc, pid, user, mnt, cgroup, in this order; zeros if unknown. */
struct data_namespace {
	uint64_t dev, ino;
};
int data_put_namespaces(struct buf *out, int32_t pid, int32_t tid, const struct data_namespace *v,
			size_t n, const struct perf_event_attr *attr, const struct data_id *id);
int data_put_cgroup(struct buf *out, uint64_t cgroup, const char *path,
		    const struct perf_event_attr *attr, const struct data_id *id);
struct data_ksymbol {
	uint64_t addr;
	uint32_t len;
	uint16_t type, flags; /* PERF_RECORD_KSYMBOL_TYPE_*; bit 0: unregistered */
	const char *name;
};
int data_put_ksymbol(struct buf *out, const struct data_ksymbol *symbol,
		     const struct perf_event_attr *attr, const struct data_id *id);
/* PERF_BPF_EVENT_PROG_LOAD of this program. */
int data_put_bpf_load(struct buf *out, uint32_t program_id, const uint8_t tag[8],
		      const struct perf_event_attr *attr, const struct data_id *id);
int data_put_lost(struct buf *out, uint64_t event_id, uint64_t lost,
		  const struct perf_event_attr *attr, const struct data_id *id);
/* A record of type PTUI_RECORD_* with an encoded payload. */
int data_put_user(struct buf *out, uint32_t type, const void *payload, size_t n);
/* ID_INDEX, THREAD_MAP, CPU_MAP, FINISHED_ROUND, FINISHED_INIT as perf writes them. */
struct data_id_index_entry {
	uint64_t id;
	uint32_t event;	  /* index */
	int32_t cpu, tid; /* -1: any */
};
int data_put_id_index(struct buf *out, const struct data_id_index_entry *v, size_t n);
int data_put_thread_map(struct buf *out, const int32_t *tids, const char *const *comms, size_t n);
int data_put_cpu_map(struct buf *out, const int32_t *cpus, size_t n);
/* EVENT_UPDATE of the event with this id: a text with its NUL, a double, a CPU_MAP. */
enum data_event_update {
	DATA_UPDATE_UNIT,
	DATA_UPDATE_SCALE,
	DATA_UPDATE_NAME,
	DATA_UPDATE_CPUS,
};
int data_put_event_update(struct buf *out, uint64_t id, enum data_event_update what,
			  const void *bytes, size_t n);

#endif
