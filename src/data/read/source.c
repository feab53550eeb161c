/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "data/read/source.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/file.h"
#include "base/vec.h"

#define CHUNK_BYTES  ((size_t)256 << 10)
#define WAITING_MS   100
#define WINDOW_BYTES ((size_t)256 << 10) /* fits in the cache */
#define SHORT_BYTES  ((size_t)512)
#define MANY_BYTES   ((size_t)2048) /* skipped: reading them costs more than another call */
#define AHEAD_BYTES \
	((uint64_t)4 << 20) /* a stride hides from the kernel that reading is sequential */

void source_init(struct source *s)
{
	memset(s, 0, sizeof(*s));
	s->fd = -1;
	pthread_mutex_init(&s->lock, NULL);
}

void source_release(struct source *s)
{
	for (size_t i = 0; i < s->n_chunks; i++)
		free(s->chunks[i]);
	free(s->chunks);
	for (size_t i = 0; i < s->n_parts; i++)
		close(s->parts[i].fd);
	free(s->parts);
	if (s->owns_fd && s->fd >= 0)
		close(s->fd);
	pthread_mutex_destroy(&s->lock);
}

/* Free memory at the end of the spool, and its size. */
static uint8_t *spool_room(struct source *s, size_t *ret_bytes)
{
	size_t used = s->size % CHUNK_BYTES;

	if (s->size / CHUNK_BYTES == s->n_chunks) {
		uint8_t *chunk;

		if (vec_grow(&s->chunks, &s->chunks_cap, s->n_chunks + 1))
			return NULL;
		chunk = malloc(CHUNK_BYTES);
		if (!chunk)
			return NULL;
		s->chunks[s->n_chunks++] = chunk;
	}
	*ret_bytes = CHUNK_BYTES - used;
	return s->chunks[s->n_chunks - 1] + used;
}

static int spool_append(struct source *s, const uint8_t *bytes, size_t n)
{
	while (n) {
		size_t room = 0;
		uint8_t *to = spool_room(s, &room);

		if (!to)
			return -ENOMEM;
		if (room > n)
			room = n;
		memcpy(to, bytes, room);
		s->size += room;
		bytes += room;
		n -= room;
	}
	return 0;
}

int source_append(struct source *s, const void *bytes, size_t n)
{
	int ret;

	pthread_mutex_lock(&s->lock);
	ret = spool_append(s, bytes, n);
	pthread_mutex_unlock(&s->lock);
	return ret;
}

/*
 * Waits until there is input. A named pipe without a writer would look like one at its end. 0 or a
 * negative errno; -ECANCELED if `waiting` says so.
 */
static int await_input(const struct source *s)
{
	struct pollfd fd = { .fd = s->fd, .events = POLLIN };

	for (;;) {
		int n = poll(&fd, 1, s->waiting ? WAITING_MS : -1);

		if (n > 0)
			return 0;
		if (n < 0 && errno != EINTR)
			return -errno;
		if (s->waiting && s->waiting(s->waiting_ctx))
			return -ECANCELED;
	}
}

/* One read from the pipe into the spool. 1: end of the pipe. */
static int fetch_from_pipe(struct source *s)
{
	size_t room = 0;
	uint8_t *to;
	ssize_t n;

	if (s->at_end || s->fd < 0)
		return 1;
	to = spool_room(s, &room);
	if (!to)
		return -ENOMEM;
	do {
		int ret = await_input(s);

		if (ret)
			return ret;
		n = read(s->fd, to, room);
	} while (n < 0 && (errno == EINTR || errno == EAGAIN));
	if (n < 0)
		return -errno;
	s->size += (uint64_t)n;
	s->at_end = n == 0;
	return n == 0;
}

void source_forget(struct source *s, uint64_t off)
{
	if (!s->is_spool)
		return;
	pthread_mutex_lock(&s->lock);
	for (; s->n_forgotten < s->n_chunks && s->n_forgotten < off / CHUNK_BYTES;
	     s->n_forgotten++) {
		free(s->chunks[s->n_forgotten]);
		s->chunks[s->n_forgotten] = NULL;
	}
	pthread_mutex_unlock(&s->lock);
}

int source_fetch_all(struct source *s)
{
	int ret;

	pthread_mutex_lock(&s->lock);
	do {
		ret = fetch_from_pipe(s);
	} while (!ret);
	pthread_mutex_unlock(&s->lock);
	return ret < 0 ? ret : 0;
}

static ssize_t spool_read(struct source *s, uint64_t off, uint8_t *buf, size_t min, size_t max)
{
	size_t done = 0;
	int ret = 0;

	pthread_mutex_lock(&s->lock);
	if (off / CHUNK_BYTES < s->n_forgotten)
		ret = -EIO;
	while (!ret && (s->size < off || s->size - off < min))
		ret = fetch_from_pipe(s);
	while (ret >= 0 && done < max && off + done < s->size) {
		uint64_t at = off + done;
		size_t n = CHUNK_BYTES - at % CHUNK_BYTES;

		if (n > s->size - at)
			n = s->size - at;
		if (n > max - done)
			n = max - done;
		memcpy(buf + done, s->chunks[at / CHUNK_BYTES] + at % CHUNK_BYTES, n);
		done += n;
	}
	pthread_mutex_unlock(&s->lock);
	return ret < 0 ? ret : (ssize_t)done;
}

int source_add_part(struct source *s, int fd, uint64_t bytes)
{
	if (vec_grow(&s->parts, &s->parts_cap, s->n_parts + 1))
		return -ENOMEM;
	s->parts[s->n_parts++] =
		(struct source_part){ .fd = fd, .off = s->size, .end = s->size + bytes };
	s->size += bytes;
	return 0;
}

size_t source_part_at(const struct source *s, uint64_t off)
{
	size_t n = 0;

	while (n < s->n_parts && off >= s->parts[n].off)
		n++;
	return n;
}

static ssize_t read_file(const struct source *s, uint64_t off, void *buf, size_t max)
{
	size_t part = source_part_at(s, off);
	const struct source_part first = { s->fd, 0, s->n_parts ? s->parts[0].off : s->size };
	const struct source_part *p = part ? &s->parts[part - 1] : &first;

	if (max > p->end - off)
		max = p->end - off;
	return file_pread_full(p->fd, buf, max, (off_t)(off - p->off));
}

ssize_t source_read(struct source *s, uint64_t off, void *buf, size_t min, size_t max)
{
	if (s->is_spool)
		return spool_read(s, off, buf, min, max);
	if (off >= s->size)
		return 0;
	if (max > s->size - off)
		max = s->size - off;
	if (s->mem) {
		memcpy(buf, s->mem + off, max);
		return (ssize_t)max;
	}
	return read_file(s, off, buf, max);
}

void window_init(struct window *w, struct source *src)
{
	memset(w, 0, sizeof(*w));
	w->src = src;
	w->read_bytes = WINDOW_BYTES;
}

void window_skip(struct window *w, size_t bytes)
{
	if (bytes >= MANY_BYTES)
		w->read_bytes = SHORT_BYTES;
}

/* The size of the next read, with a file's bytes on the way from the disk. */
static size_t window_read_bytes(struct window *w, uint64_t off, size_t want)
{
	size_t n = w->read_bytes;

	if (n == WINDOW_BYTES)
		return w->cap;
	w->read_bytes *= 2;
	if (!w->src->is_spool && off + AHEAD_BYTES / 2 > w->advised) {
		if (w->advised < off)
			w->advised = off;
		posix_fadvise(w->src->fd, (off_t)w->advised, (off_t)AHEAD_BYTES,
			      POSIX_FADV_WILLNEED);
		w->advised += AHEAD_BYTES;
	}
	return n > want ? n : want;
}

void window_release(struct window *w)
{
	free(w->buf);
	w->buf = NULL;
}

static const uint8_t *window_in_memory(const struct source *s, uint64_t off, size_t want,
				       size_t *ret_n)
{
	uint64_t left = off < s->size ? s->size - off : 0;

	*ret_n = left < want ? (size_t)left : want;
	return s->mem + (off < s->size ? off : s->size);
}

const uint8_t *window_at(struct window *w, uint64_t off, size_t want, size_t *ret_n, int *ret_error)
{
	ssize_t n;

	if (w->src->mem)
		return window_in_memory(w->src, off, want, ret_n);
	if (off >= w->off && off - w->off <= w->n && w->n - (off - w->off) >= want) {
		*ret_n = want;
		return w->buf + (off - w->off);
	}
	if (!w->buf || w->cap < want) {
		size_t cap = want > WINDOW_BYTES ? want : WINDOW_BYTES;
		uint8_t *buf = realloc(w->buf, cap);

		if (!buf) {
			*ret_error = -ENOMEM;
			return NULL;
		}
		w->buf = buf;
		w->cap = cap;
	}
	w->n = 0;
	n = source_read(w->src, off, w->buf, want, window_read_bytes(w, off, want));
	if (n < 0) {
		*ret_error = (int)n;
		return NULL;
	}
	w->off = off;
	w->n = (size_t)n;
	*ret_n = w->n < want ? w->n : want;
	return w->buf;
}
