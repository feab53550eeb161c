/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bytes of a recording: from a file, a pipe, memory, or what was unpacked. All are read by
 * position. A file is read with pread(), not mapped: if it shrinks meanwhile that is a short read,
 * where a mapping would raise SIGBUS.
 *
 *   pipe / unpacker --append--> spool [ chunk | chunk | chunk … ]   can be read repeatedly
 *
 * Any number of threads may read at once; one of them at a time reads from the pipe.
 */
#ifndef DATA_READ_SOURCE_H
#define DATA_READ_SOURCE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Called several times a second while a pipe is empty. Non-zero: stop waiting. */
typedef int (*source_waiting_fn)(void *ctx);

/* One more file whose bytes follow those before: see source_add_part(). */
struct source_part {
	int fd;
	uint64_t off, end; /* its bytes in the source */
};

struct source {
	int fd; /* a regular file, or the pipe that fills the spool; -1 */
	bool owns_fd;
	const uint8_t *mem; /* the caller's memory, or NULL */
	bool is_spool;
	bool at_end;		   /* end of the pipe was reached */
	source_waiting_fn waiting; /* may be NULL */
	void *waiting_ctx;
	uint64_t size; /* bytes known so far */
	uint8_t **chunks;
	size_t n_chunks, chunks_cap;
	size_t n_forgotten;   /* the first chunks, which are freed */
	pthread_mutex_t lock; /* protects the spool */
	struct source_part *parts;
	size_t n_parts, parts_cap;
};

void source_init(struct source *s);
void source_release(struct source *s);

/*
 * Reads at least `min` bytes from `off`, up to `max` if available without waiting; fewer only at
 * the end. The number of bytes or a negative errno.
 */
ssize_t source_read(struct source *s, uint64_t off, void *buf, size_t min, size_t max);

/*
 * Adds `bytes` bytes of the file `fd`, which the source then owns, after all others. Only before
 * the source is read by several threads. No read crosses the start of a part. 0 or -ENOMEM.
 */
int source_add_part(struct source *s, int fd, uint64_t bytes);
/* 0: the bytes at `off` are of the first file; i + 1: of parts[i]. */
size_t source_part_at(const struct source *s, uint64_t off);

/* Appends to a spool. 0 or -ENOMEM. */
int source_append(struct source *s, const void *bytes, size_t n);

/* Frees a spool's memory before `off`; reads from there on fail with -EIO. */
void source_forget(struct source *s, uint64_t off);

/* Reads a pipe to its end. 0 or a negative errno. */
int source_fetch_all(struct source *s);

/* A sliding window on a source. For one thread. */
struct window {
	struct source *src;
	uint8_t *buf;
	size_t cap;
	uint64_t off;	   /* of buf[0] */
	size_t n;	   /* bytes in buf */
	size_t read_bytes; /* of the next read: grows with each one after window_skip() */
	uint64_t advised;  /* the kernel was asked to read the file ahead up to here */
};

void window_init(struct window *w, struct source *src);
void window_release(struct window *w);
/*
 * `want` bytes at `off`, or fewer (*ret_n) at the end of the source. Valid until the next call.
 * NULL with *ret_error set to a negative errno.
 */
const uint8_t *window_at(struct window *w, uint64_t off, size_t want, size_t *ret_n,
			 int *ret_error);
/* The same if they were read before; else NULL. */
static inline const uint8_t *window_has(const struct window *w, uint64_t off, size_t want)
{
	return off >= w->off && off - w->off <= w->n && w->n - (off - w->off) >= want ?
		       w->buf + (off - w->off) :
		       NULL;
}

/*
 * `bytes` are not needed. If they are many, the next read is a short one: to find the other records
 * between copies of stacks, 6 % of the bytes are read.
 */
void window_skip(struct window *w, size_t bytes);

#endif
