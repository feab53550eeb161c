/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the bytes of a recording come from: a file, a pipe, memory, or what was unpacked.
 * All are read by position. A file is read with pread, not mapped: one that shrinks while
 * it is read gives a short read, where a mapping would give SIGBUS.
 *
 *   pipe / unpacker --append--> spool [ chunk | chunk | chunk … ]   read again at will
 *
 * Any number of threads may read at once; one of them at a time fetches from the pipe.
 */
#ifndef DATA_READ_SOURCE_H
#define DATA_READ_SOURCE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Asked several times a second while a pipe brings nothing. Nonzero: it is waited for no more. */
typedef int (*source_waiting_fn)(void *ctx);

struct source {
	int fd; /* a regular file, or the pipe that feeds the spool; -1 */
	bool owns_fd;
	const uint8_t *mem; /* memory of the caller, or NULL */
	bool is_spool;
	bool at_end;		   /* the spool will not grow from fd any more */
	source_waiting_fn waiting; /* may be NULL */
	void *waiting_ctx;
	uint64_t size; /* bytes known so far */
	uint8_t **chunks;
	size_t n_chunks, chunks_cap;
	pthread_mutex_t lock; /* of the spool */
};

void source_init(struct source *s);
void source_release(struct source *s);

/*
 * At least `min` bytes from `off`, more when they are at hand (up to `max`); fewer only at
 * the end. Bytes read or a negative errno.
 */
ssize_t source_read(struct source *s, uint64_t off, void *buf, size_t min, size_t max);

/* Appends to a spool. 0 or -ENOMEM. */
int source_append(struct source *s, const void *bytes, size_t n);

/* Reads a pipe to its end. 0 or a negative errno. */
int source_fetch_all(struct source *s);

/* A view of a source that slides along it. For one thread. */
struct window {
	struct source *src;
	uint8_t *buf;
	size_t cap;
	uint64_t off; /* of buf[0] */
	size_t n;     /* bytes in buf */
};

void window_init(struct window *w, struct source *src);
void window_release(struct window *w);
/*
 * The bytes at `off`, `want` of them or, at the end of the source, fewer (*ret_n says how
 * many). Valid until the next call. NULL with *ret_error set to a negative errno.
 */
const uint8_t *window_at(struct window *w, uint64_t off, size_t want, size_t *ret_n,
			 int *ret_error);

#endif
