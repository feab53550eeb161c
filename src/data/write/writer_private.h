/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Internals of a writer, for the files of this room only.
 *
 *   writer.c           public functions; what both layouts have in common
 *   writer_name.c      the file's name: created, kept as .old, set
 *   writer_file.c      the file layout, valid while it grows     recover.c reads it back
 *   writer_features.c  features and their table
 *   writer_pipe.c      the pipe layout
 *   compress.c         COMPRESSED records                        unpack.c reads them back
 *   auxtrace.c         AUXTRACE records and their index          read/auxtrace.c reads them back
 *   append.c           the records of an older file in front of ours
 */
#ifndef DATA_WRITE_WRITER_PRIVATE_H
#define DATA_WRITE_WRITER_PRIVATE_H

#include "base/buf.h"
#include "data/write/writer.h"

#define WRITER_MAGIC	     "PERFILE2"
#define WRITER_HEADER_BYTES  104
#define WRITER_SECTION_BYTES 16 /* u64 offset, u64 size */

struct writer_event {
	struct perf_event_attr attr;
	uint32_t attr_bytes; /* valid bytes of attr */
	char *name;
	uint64_t *ids;
	size_t n_ids;
	char *unit;   /* NULL: none */
	double scale; /* 0: none */
	int32_t *cpus;
	size_t n_cpus;
};

struct writer_feature {
	bool present;
	void *bytes;
	size_t n;
	uint64_t off; /* file offset of the bytes; 0: not written */
};

struct data_writer {
	struct data_writer_opts opts;
	char *path;
	char *temp; /* temporary name until begin(); NULL: none */
	int fd;
	/* Path of an unnamed file, so that a killed recorder leaves nothing (O_TMPFILE). */
	char unnamed[32];  /* "/proc/self/fd/N"; "": not unnamed */
	bool pipe, device; /* pipe layout; a file that cannot be replaced */
	bool blocks;	   /* a pipe that cannot be made non-blocking: small writes after poll() */
	bool begun, stopped;
	struct writer_event *events;
	size_t n_events, events_cap;
	struct writer_feature features[PTUI_FEAT_MAX];
	uint32_t stride_bytes;
	uint64_t attrs_off, data_off;
	uint64_t data_bytes; /* data.size in the file */
	uint64_t end;	     /* end of the written data, from data_off */
	uint64_t bytes;	     /* of records, as written */
	uint64_t raw_bytes;  /* of records before compression */
	struct buf table;    /* the table of each flush */
	struct iovec *iov;
	size_t iov_cap;
	struct buf aux_index;	       /* u64 file offset and size of each AUXTRACE record */
	struct compressor *compressor; /* NULL: not compressed */
	struct buf packed;
	struct append *append; /* NULL: not appending */
};

/* `text` is a whole sentence with %s for the file, for translations. */
#define writer_error(w, errnum, err, text) ptui_error_errno(err, errnum, (w)->path, text, (w)->path)

/* ---- writer.c ---- */
uint32_t writer_attr_bytes(const struct data_writer *w); /* the common size of all attrs */
void writer_put_attr(struct buf *out, const struct writer_event *e, uint32_t attr_bytes);
uint64_t writer_iov_bytes(const struct iovec *iov, size_t n);
/* A copy of `iov` with room for `more` in w->iov; NULL: out of memory. */
struct iovec *writer_iov(struct data_writer *w, const struct iovec *iov, size_t n, size_t more);
/* Writes everything at `off`; modifies `v`. 0 or a negative errno. */
int writer_put_iov(int fd, struct iovec *v, size_t n, int64_t off);
int writer_put(int fd, const void *bytes, size_t n, int64_t off);

/* Writes records as they are. 0, or a negative errno. */
int writer_put_records(struct data_writer *w, const struct iovec *iov, size_t n);
/* After a write of raw_bytes: 0, or stops the writer and sets `err`. */
int writer_end_write(struct data_writer *w, int ret, uint64_t raw_bytes, struct ptui_error *err);

/* ---- auxtrace.c ---- */
/* Sets the index of the AUXTRACE records, if there are any, or if some were expected. */
int writer_make_aux_index(struct data_writer *w);

/* ---- writer_name.c ---- */
int writer_create(struct data_writer *w, struct ptui_error *err);
/* Names the file; keeps an older one of that name as .old. */
int writer_take_name(struct data_writer *w, struct ptui_error *err);
/* --timestamp-filename: gives the finished file its name. */
int writer_stamp_name(struct data_writer *w, struct ptui_error *err);

/* ---- writer_file.c, writer_pipe.c: 0 or negative errnos ---- */
int file_layout_begin(struct data_writer *w);
int file_layout_put(struct data_writer *w, const struct iovec *iov, size_t n, bool flush);
/* Writes w->features[feature], which has no place, into the data, as a record that readers skip. */
int file_layout_put_feature(struct data_writer *w, unsigned feature);
int file_layout_sync(struct data_writer *w);
int file_layout_finish(struct data_writer *w);
int pipe_layout_begin(struct data_writer *w);
int pipe_layout_put(struct data_writer *w, const struct iovec *iov, size_t n);
int pipe_layout_finish(struct data_writer *w);

/* ---- writer_features.c ---- */
int writer_make_event_desc(struct data_writer *w);
int writer_make_compressed(struct data_writer *w);
/* The bits of present features; with bit 0 (see writer_file.c) unless finished. */
void writer_feature_bits(const struct data_writer *w, bool finished,
			 uint64_t bits[PTUI_FEAT_MAX / 64]);
size_t writer_table_bytes(const struct data_writer *w); /* of the final table */
/* Places features without a place consecutively from `off`, and appends their bytes to `out`. */
void writer_place_features(struct data_writer *w, uint64_t off, struct buf *out);
int writer_make_table(const struct data_writer *w, bool finished, struct buf *out);

/* ---- compress.c ---- */
struct compressor *compressor_new(int level);
void compressor_free(struct compressor *c);
/* Appends whole records to `out` as COMPRESSED ones. 0, -ENOMEM or -EIO. */
int compressor_pack(struct compressor *c, const struct iovec *iov, size_t n, struct buf *out);
/* The same, and ends the stream, so that another one may follow. */
int compressor_end(struct compressor *c, const struct iovec *iov, size_t n, struct buf *out);
/* The size of the longest piece, for the COMPRESSED feature. */
uint32_t compressor_piece_bytes(void);
double compressor_ratio(const struct compressor *c);

/* ---- append.c ---- */
/* Opens the file at w->path, if it exists; fails if its events differ from ours. */
int append_open(struct data_writer *w, struct ptui_error *err);
void append_free(struct append *a);
/* Copies its records to the start of w's data. 0 or a negative errno. */
int append_copy(struct data_writer *w, uint64_t *ret_bytes);
/* Adds its features that ours lacks. 0 or -ENOMEM. */
int append_features(struct data_writer *w);
/* The index of its AUXTRACE records, with their places in ours. 0 or -ENOMEM. */
int append_aux_index(const struct data_writer *w, struct buf *out);
int append_merge(struct data_writer *w, unsigned feature, struct buf *bytes);

#endif
