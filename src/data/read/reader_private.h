/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Internals of an open recording, for the files of this room only.
 *
 * Calls go downwards only:
 *
 *   open.c         header, feature table
 *                                                  directory.c  recordings in several files
 *   walk.c         record by record                resync.c  the next one after damage
 *   meta.c         features, and the corresponding records of a pipe
 *                                                  tracepoint_names.c  names from TRACING_DATA
 *                                                  simpleperf.c  its features and records
 *                                                  header_records.c  those of Chrome OS
 *   unpack.c       COMPRESSED records to a spool   recover.c  unfinished files
 *   record.c       the kernel's records, decoded   sample.c   PERF_RECORD_SAMPLE
 *   event_table.c  the events and their ids        attr.c     one attr; event_name.c  its name
 *   source.c       the bytes
 */
#ifndef DATA_READ_READER_PRIVATE_H
#define DATA_READ_READER_PRIVATE_H

#include <pthread.h>
#include <sys/stat.h>
#include "base/arena.h"
#include "base/buf.h"
#include "base/cursor.h"
#include "base/perf_abi.h"
#include "data/read/event_table.h"
#include "data/read/reader.h"
#include "data/read/source.h"

#define DATA_RECORD_HEADER_BYTES 8

struct data_feature_slot {
	bool present, loaded;
	uint64_t off, size; /* in the file; in a pipe it is loaded on arrival */
	const void *bytes;
	const char *text;
};

/* One COMPRESSED record and the place of its records. */
struct data_packed {
	uint64_t off;	    /* of the outer record */
	uint64_t spool_end; /* end in the spool, after this record */
	bool bad;
};

struct data_unpacker;
struct simpleperf_dso;

struct data_file {
	char *path;
	int dir_fd; /* of a directory recording; -1 */
	struct source src;
	uint64_t mtime_ns;
	bool swap, pipe;
	bool old_pipe;		     /* header_records.c: records 69 to 81 are features */
	uint64_t data_off, data_end; /* data_end of a pipe: UINT64_MAX */
	struct event_table events;
	struct data_feature_slot features[PTUI_FEAT_MAX];
	struct data_build_id *build_ids;
	size_t n_build_ids, build_ids_cap;
	bool build_ids_read;
	struct data_damage damage; /* found by opening */

	/* Protects everything below, which walks may add to. */
	pthread_mutex_t lock;
	struct arena arena;
	uint64_t meta_end; /* metadata records are applied up to here */
	struct source unpacked;
	struct data_unpacker *unpacker;
	struct data_packed *packed;
	size_t n_packed, packed_cap;
	struct simpleperf_dso *dsos;
	size_t n_dsos, dsos_cap;
	struct buf split; /* parts of a record of simpleperf */
};

/* ---- directory.c ---- */
/* Replaces src.fd, a directory, by its file "data". Sets *st of that. */
int directory_open_data(struct data_file *f, struct stat *st, struct ptui_error *err);
/* Adds the other files of a directory recording, if the header says that it is one. */
int directory_add_parts(struct data_file *f, struct ptui_error *err);

/* ---- recover.c ---- */
/* Whether ptui's recorder did not finish this file, by its feature bits and table. */
bool recover_is_ours(struct data_file *f, const uint8_t *feature_bits, uint64_t table_off);
/* The end of the whole records that follow the data according to the header. */
uint64_t recover_data_end(struct data_file *f, uint64_t data_end);

/* ---- meta.c ---- */
/* Reads names and groups. To be called after the attrs and the feature table are known. */
int meta_read_features(struct data_file *f);
/* Applies a metadata record; `payload`: the bytes after TRACING_DATA. */
int meta_apply_record(struct data_file *f, const struct data_record *rec, const uint8_t *payload,
		      size_t payload_bytes);
bool meta_is_record(uint32_t type);
/* Sets a feature that came as a record. 0 or -ENOMEM. */
int meta_set_feature(struct data_file *f, unsigned feature, const uint8_t *bytes, size_t n);
/* The bytes of a feature, read on first use. */
const void *meta_feature(struct data_file *f, unsigned feature, size_t *ret_bytes);

/* ---- header_records.c ---- */
/*
 * Whether this record of a pipe is a feature of the header in the way of old Chrome OS; then sets
 * *ret_feature, PTUI_FEAT_MAX if ptui does not know it.
 */
bool header_record_feature(struct data_file *f, const struct data_record *rec,
			   unsigned *ret_feature);

/* ---- simpleperf.c ---- */
bool simpleperf_is_meta(uint32_t type);
/* Whether a feature has records, to be read after the data. */
bool simpleperf_has_init_map(const struct data_file *f);
int simpleperf_apply_record(struct data_file *f, const struct data_record *rec);
/* Names the events that META_INFO has a name for. 0 or -ENOMEM. */
int simpleperf_name_events(struct data_file *f);
void simpleperf_release(struct data_file *f);

/* ---- tracepoint_names.c ---- */
/* Names tracepoints "sys:name" if TRACING_DATA has their format. */
int tracepoint_names_read(struct event_table *events, const void *bytes, size_t n);

/* ---- walk.c ---- */
/* Applies the metadata before the first kernel record of a pipe: its events. */
int walk_read_leading(struct data_file *f, struct ptui_error *err);

/* ---- unpack.c ---- */
/*
 * Unpacks the COMPRESSED record at `off` (the index-th of the file) unless that was done before.
 * *ret_end: end of its records in f->unpacked. -EBADMSG: it is damaged.
 */
int unpack_record(struct data_file *f, size_t index, uint64_t off, const uint8_t *bytes, size_t n,
		  uint64_t *ret_end);
void unpack_free(struct data_unpacker *u);

/* ---- resync.c ---- */
/*
 * Finds the first offset from `from` up to `end`, in steps of `align` bytes, where a chain of
 * plausible records starts, after a damaged one. 0, 1: there is none; or a negative errno.
 */
int resync_find(struct window *win, bool swap, uint64_t from, unsigned align, uint64_t end,
		uint64_t *ret_off);

/* ---- scout.c ---- */
/* Samples that follow each other, from `off` to `end`; the last one is at last_off. */
struct sample_run {
	uint64_t off, end, last_off, n;
};
/* Ends the scout; what it has found, in order. They are its own. */
const struct sample_run *data_scout_runs(struct data_scout *s, size_t *ret_n);

/* ---- record.c ---- */
/* The header of a record, decoded. */
struct record_head {
	uint32_t type;
	uint16_t misc;
	uint32_t size;
};
struct record_head record_decode_head(const uint8_t *at, bool swap);
/* Decodes a kernel record other than SAMPLE. -EBADMSG: its fields do not fit. */
int record_decode(const struct data_file *f, struct data_record *rec);
bool record_type_known(uint32_t type);

/* False: damage. True: a known record, or one that a later perf may have written. */
bool record_is_possible(const struct record_head *h);
/* Where records of this type are counted; PTUI_RECORD_TYPES: nowhere. */
unsigned record_count_index(uint32_t type);

/* ---- auxtrace.c ---- */
/* The fields after the header of an AUXTRACE record. 0 or -EBADMSG. */
int auxtrace_decode(const struct data_file *f, const uint8_t *body, size_t n,
		    struct data_auxtrace *ret);
/*
 * Bytes of an AUXTRACE record, whose header is at `off`, with those that follow it; of another record
 * its size. 0: it cannot be read.
 */
uint64_t auxtrace_whole_bytes(struct window *win, bool swap, uint64_t off,
			      const struct record_head *h);

/* ---- sample.c ---- */
#define SAMPLE_IDS_KNOWN 64
struct sample_scratch {
	uint64_t *words; /* as large as the largest record */
	size_t used;
	struct {
		uint64_t id; /* 0: none */
		uint32_t event;
	} known[SAMPLE_IDS_KNOWN]; /* by id: each CPU has its own */
	/* of events with these fields */
	uint64_t type;
	size_t head_bytes;
	unsigned has;
};
int sample_decode(const struct data_file *f, const struct data_record *rec,
		  struct sample_scratch *scratch, struct data_sample *s);
int sample_time(const struct data_file *f, const struct data_record *rec,
		struct sample_scratch *scratch, uint64_t *ret_time);

#endif
