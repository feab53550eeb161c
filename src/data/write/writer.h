/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writing a recording, to a file or down a pipe.
 *
 *   open -> add_event …, add_feature … -> begin -> write … (records) -> add_feature … -> finish
 *
 * A file is true while it grows: begin() writes header, attrs, ids and the features that are known
 * by then, each write() (at the latest the sync() behind it) says what has been written. A recorder
 * that is killed leaves a file that perf reads up to there; finish() adds what became known later.
 * One thread at a time.
 */
#ifndef DATA_WRITE_WRITER_H
#define DATA_WRITE_WRITER_H

#include <sys/uio.h>
#include "base/perf_abi.h"
#include "data/data.h"

struct data_writer;

struct data_writer_opts {
	int compress_level; /* 1 to 22; 0: not compressed */
	bool append;	    /* behind the records of an older file of the same events */
	bool overwrite;	    /* an older file is not kept as PATH.old */
	bool timestamp;	    /* finish() gives it the name PATH.YYYYMMDDHHMMSSxx */
	bool aside; /* with timestamp: it has no other name before, what is at `path` stays */
	bool nowhere; /* records are counted and shown to the witness, and kept by nobody; `path` is "" */
	int cancel_fd; /* readable: stop waiting for a pipe's reader; -1 */
};

/*
 * Creates `path` 0600 (an old one is kept as PATH.old, as perf does) and takes the file; what it
 * is written to has the name only from begin() on. "-" (standard output) and named pipes are
 * written in the pipe layout. A folder that cannot be written: told with path and errno. NULL on
 * failure.
 */
struct data_writer *data_writer_open(const char *path, const struct data_writer_opts *opts,
				     struct ptui_error *err);
/*
 * Another file of the same name, with the same events and the features that are known by now; of its
 * own, and not begun. `aside` as of the options; what is there already is not kept otherwise.
 */
struct data_writer *data_writer_again(const struct data_writer *w, bool aside,
				      struct ptui_error *err);
/* The same at another path, with these options. */
struct data_writer *data_writer_copy(const struct data_writer *w, const char *path,
				     const struct data_writer_opts *opts, struct ptui_error *err);
/* data_writer_open() without options. */
struct data_writer *data_writer_new(const char *path, struct ptui_error *err);
/* attr->size bytes of the attr are written; ids are copied. */
int data_writer_add_event(struct data_writer *w, const struct perf_event_attr *attr,
			  const char *name, const uint64_t *ids, size_t n_ids);
/* Of the event that was added last; a pipe's readers are told. 0 or -ENOMEM. */
int data_writer_set_unit(struct data_writer *w, const char *unit, double scale);
int data_writer_set_cpus(struct data_writer *w, const int32_t *cpus, size_t n);
int data_writer_begin(struct data_writer *w, struct ptui_error *err);
/*
 * The two halves of begin(): all that comes before the first record, in a file that does not have its name
 * yet; and the name. The second may run in another thread than the one that writes, but not beside finish()
 * and free().
 */
int data_writer_begin_unnamed(struct data_writer *w, struct ptui_error *err);
int data_writer_take_name(struct data_writer *w, struct ptui_error *err);
/* Whole records, gathered. All is written or a negative errno; then the writer has stopped. */
int data_writer_write(struct data_writer *w, const struct iovec *iov, int n,
		      struct ptui_error *err);
uint64_t data_writer_bytes(const struct data_writer *w);     /* of records so far, as written */
uint64_t data_writer_raw_bytes(const struct data_writer *w); /* before they were compressed */
double data_writer_ratio(const struct data_writer *w);	     /* of the two; 0: not compressed */
/* Once it has begun: older records stand in front of ours. */
bool data_writer_appends(const struct data_writer *w);
/* What was written can be read back. */
bool data_writer_is_file(const struct data_writer *w);
/* Files of their own can stand beside it: it is one, and not a device. */
bool data_writer_has_folder(const struct data_writer *w);
const char *data_writer_path(const struct data_writer *w);  /* finish() may have changed it */
const char *data_writer_place(const struct data_writer *w); /* where it can be read now */
/* What was written counts, also where it was too little to say so at once. */
int data_writer_sync(struct data_writer *w, struct ptui_error *err);
/*
 * Payload of PTUI_FEAT_* (copied), in any order, before finish(); what is told before begin()
 * survives a kill. EVENT_DESC and COMPRESSED are made here.
 */
int data_writer_add_feature(struct data_writer *w, unsigned feature, const void *bytes, size_t n);
/*
 * Once it has begun: other bytes for a feature that was added before, in the file from the next sync on.
 * A pipe, and bytes that fit no record, wait for add_feature(); so do they when they would be a large
 * part of the file. 0 or a negative errno, told in err.
 */
int data_writer_refresh_feature(struct data_writer *w, unsigned feature, const void *bytes,
				size_t n, struct ptui_error *err);
/* Features, header, close. The writer stays to be freed. */
int data_writer_finish(struct data_writer *w, struct ptui_error *err);
void data_writer_free(struct data_writer *w); /* NULL ok; not finished: keeps what was synced */

/* ---- records of our own making, appended to a buffer ---- */
struct buf;

/* The sample-id trailer that goes behind synthesized records of an event with this attr. */
void data_put_id(struct buf *out, const struct perf_event_attr *attr, const struct data_id *id);
/*
 * Whole records with header, padding and id trailer (time 0: the base layer under the timed
 * ones). `misc` as in the kernel's records.
 */
int data_put_mmap2(struct buf *out, const struct data_mmap *m, uint16_t misc,
		   const struct perf_event_attr *attr, const struct data_id *id);
int data_put_mmap(struct buf *out, const struct data_mmap *m, uint16_t misc,
		  const struct perf_event_attr *attr, const struct data_id *id);
int data_put_comm(struct buf *out, int32_t pid, int32_t tid, const char *comm, uint16_t misc,
		  const struct perf_event_attr *attr, const struct data_id *id);
int data_put_fork(struct buf *out, int32_t pid, int32_t ppid, int32_t tid, int32_t ptid,
		  const struct perf_event_attr *attr, const struct data_id *id);
/* Of a thread: net, uts, ipc, pid, user, mnt, cgroup, in this order; zeros for those not known. */
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
/* A record of type `type` (PTUI_RECORD_*) around a payload that is already encoded. */
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

#endif
