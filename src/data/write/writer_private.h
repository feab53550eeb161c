/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inside the data room only: what a writer holds, and the steps that stand in several files.
 *
 *   writer.c           the public calls; what goes to both layouts
 *   writer_name.c      the file's name: made, kept as .old, given
 *   writer_file.c      the file layout, true while it grows      recover.c reads it back
 *   writer_features.c  features and their table
 *   writer_pipe.c      the pipe layout
 *   compress.c         COMPRESSED records                        unpack.c reads them back
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
	uint32_t attr_bytes; /* of attr that mean something */
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
	uint64_t off; /* where these bytes stand in the file; 0: nowhere yet */
};

struct data_writer {
	struct data_writer_opts opts;
	char *path;
	char *temp; /* the file's name until begin(); NULL: it has its own already, or none yet */
	int fd;
	/* Of a file without a name, so that a recorder that is killed leaves nothing (O_TMPFILE). */
	char unnamed[32];  /* "/proc/self/fd/N"; "": it has a name */
	bool pipe, device; /* the pipe layout; a file that no other can take the place of */
	bool blocks; /* a pipe that could not be made non-blocking: small writes, when there is room */
	bool begun, stopped;
	struct writer_event *events;
	size_t n_events, events_cap;
	struct writer_feature features[PTUI_FEAT_MAX];
	uint32_t stride_bytes;
	uint64_t attrs_off, data_off;
	uint64_t data_bytes; /* what data.size in the file says */
	uint64_t end;	     /* of what is in the file, from data_off */
	uint64_t bytes;	     /* of records that were written */
	uint64_t raw_bytes;  /* of records that were handed in, before they were compressed */
	struct buf table;    /* as it stands behind each flush */
	struct iovec *iov;
	size_t iov_cap;
	struct compressor *compressor; /* NULL: not compressed */
	struct buf packed;
	struct append *append; /* NULL: nothing stands in front of our records */
};

/* `text` is a whole sentence with a %s for the file: its parts stand elsewhere in other languages. */
#define writer_told(w, errnum, err, text) ptui_error_errno(err, errnum, (w)->path, text, (w)->path)

/* ---- writer.c ---- */
uint32_t writer_attr_bytes(const struct data_writer *w); /* the one size of all attrs */
void writer_put_attr(struct buf *out, const struct writer_event *e, uint32_t attr_bytes);
uint64_t writer_iov_bytes(const struct iovec *iov, size_t n);
/* A copy of `iov` with room for `more` in w->iov; NULL: out of memory. */
struct iovec *writer_iov(struct data_writer *w, const struct iovec *iov, size_t n, size_t more);
/* All of them, at `off`; they are used up. 0 or a negative errno. */
int writer_put_iov(int fd, struct iovec *v, size_t n, int64_t off);
int writer_put(int fd, const void *bytes, size_t n, int64_t off);

/* ---- writer_name.c ---- */
int writer_create(struct data_writer *w, struct ptui_error *err);
/* Gives the file its name; an older one of that name is kept beside it. */
int writer_take_name(struct data_writer *w, struct ptui_error *err);
/* --timestamp-filename: the file is done, and gets the name that says when. */
int writer_stamp_name(struct data_writer *w, struct ptui_error *err);

/* ---- writer_file.c, writer_pipe.c: negative errnos, not told ---- */
int file_layout_begin(struct data_writer *w);
int file_layout_put(struct data_writer *w, const struct iovec *iov, size_t n, bool flush);
/* w->features[feature], which has no place, into the data: as a record that readers skip. */
int file_layout_put_feature(struct data_writer *w, unsigned feature);
int file_layout_sync(struct data_writer *w);
int file_layout_finish(struct data_writer *w);
int pipe_layout_begin(struct data_writer *w);
int pipe_layout_put(struct data_writer *w, const struct iovec *iov, size_t n);
int pipe_layout_finish(struct data_writer *w);

/* ---- writer_features.c ---- */
int writer_make_event_desc(struct data_writer *w);
int writer_make_compressed(struct data_writer *w);
/* The bits of those that are present; with bit 0 (see writer_file.c) until it is finished. */
void writer_feature_bits(const struct data_writer *w, bool finished,
			 uint64_t bits[PTUI_FEAT_MAX / 64]);
size_t writer_table_bytes(const struct data_writer *w); /* of a finished one */
/* Places those that have no place yet one after the other from `off`, adds their bytes to `out`. */
void writer_place_features(struct data_writer *w, uint64_t off, struct buf *out);
int writer_make_table(const struct data_writer *w, bool finished, struct buf *out);

/* ---- compress.c ---- */
struct compressor *compressor_new(int level);
void compressor_free(struct compressor *c);
/* Whole records become COMPRESSED ones, appended. 0, -ENOMEM or -EIO. */
int compressor_pack(struct compressor *c, const struct iovec *iov, size_t n, struct buf *out);
/* The same, and ends the stream: another one may follow it in the file. */
int compressor_end(struct compressor *c, const struct iovec *iov, size_t n, struct buf *out);
/* What the COMPRESSED feature says of the longest piece. */
uint32_t compressor_piece_bytes(void);
double compressor_ratio(const struct compressor *c);

/* ---- append.c ---- */
/* Opens the file at w->path, if there is one; refuses it when its events are not ours. */
int append_open(struct data_writer *w, struct ptui_error *err);
void append_free(struct append *a);
/* Copies its records to the beginning of w's data. 0 or a negative errno. */
int append_copy(struct data_writer *w, uint64_t *ret_bytes);
/* What of its features ours has to say as well. 0 or -ENOMEM. */
int append_features(struct data_writer *w);
int append_merge(struct data_writer *w, unsigned feature, struct buf *bytes);

#endif
