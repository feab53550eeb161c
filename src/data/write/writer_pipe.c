/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The pipe layout: there is no seeking back, so all metadata are records.
 *
 *   [ "PERFILE2", u64 16 ][ HEADER_ATTR … ][ EVENT_UPDATE … ][ HEADER_FEATURE … , mark ]
 *   [ TRACING_DATA, its payload ][ records … ][ HEADER_FEATURE, HEADER_BUILD_ID: added later ]
 */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>
#include "data/write/writer_private.h"

#define STALL_MS	      1000 /* without progress, after the end was requested */
#define IOV_BATCH	      512
#define PIPE_HEADER_BYTES     16
#define RECORD_ALIGN	      8
#define FEATURES_MARK	      32 /* perf's HEADER_LAST_FEATURE: end of the features */
#define CPUS_LIST	      0	 /* of a CPU_MAP: u16 n, u16 each */
#define BUILD_ID_RECORD_BYTES 8

/* perf 6.1 assumes its own size of the attr, whatever attr.size is. */
static uint32_t attr_bytes(const struct data_writer *w)
{
	uint32_t bytes = writer_attr_bytes(w);

	return bytes > PTUI_ATTR_SIZE_VER7 ? bytes : PTUI_ATTR_SIZE_VER7;
}

static int put_attr(const struct data_writer *w, const struct writer_event *e, struct buf *out)
{
	struct buf payload = BUF_INIT;
	int ret;

	writer_put_attr(&payload, e, attr_bytes(w));
	buf_add(&payload, e->ids, e->n_ids * sizeof(*e->ids));
	ret = payload.err;
	if (!ret)
		ret = data_put_user(out, PTUI_RECORD_HEADER_ATTR, payload.data, payload.len);
	if (ret == -E2BIG) {
		/* the ids do not fit: ID_INDEX has all of them */
		ret = data_put_user(out, PTUI_RECORD_HEADER_ATTR, payload.data,
				    attr_bytes(w) + sizeof(*e->ids));
	}
	buf_release(&payload);
	return ret;
}

static int put_update(const struct writer_event *e, uint64_t what, const void *bytes, size_t n,
		      struct buf *out)
{
	return data_put_event_update(out, e->n_ids ? e->ids[0] : 0, what, bytes, n);
}

static int put_cpus(const struct writer_event *e, struct buf *out)
{
	struct buf map = BUF_INIT;
	int ret;

	buf_add_u16(&map, CPUS_LIST);
	buf_add_u16(&map, (uint16_t)e->n_cpus);
	for (size_t i = 0; i < e->n_cpus; i++)
		buf_add_u16(&map, (uint16_t)e->cpus[i]);
	ret = map.err ? map.err : put_update(e, DATA_UPDATE_CPUS, map.data, map.len, out);
	buf_release(&map);
	return ret;
}

static int put_updates(const struct writer_event *e, struct buf *out)
{
	int ret = 0;

	if (e->unit)
		ret = put_update(e, DATA_UPDATE_UNIT, e->unit, strlen(e->unit) + 1, out);
	if (!ret && e->scale != 0)
		ret = put_update(e, DATA_UPDATE_SCALE, &e->scale, sizeof(e->scale), out);
	if (!ret && e->n_cpus)
		ret = put_cpus(e, out);
	return ret ? ret : put_update(e, DATA_UPDATE_NAME, e->name, strlen(e->name) + 1, out);
}

/* u32 bytes, u32 0; the payload follows the record, whose size field is too small. */
static int put_tracing_data(const struct writer_feature *f, struct buf *out)
{
	size_t padded = (f->n + RECORD_ALIGN - 1) / RECORD_ALIGN * RECORD_ALIGN;
	uint32_t payload[2] = { (uint32_t)padded, 0 };
	int ret = data_put_user(out, PTUI_RECORD_HEADER_TRACING_DATA, payload, sizeof(payload));

	buf_add(out, f->bytes, f->n);
	buf_add_zeros(out, padded - f->n);
	return ret ? ret : out->err;
}

/* The feature consists of whole build-id records; in a pipe they have a type of their own. */
static int put_build_ids(const struct writer_feature *f, struct buf *out)
{
	const uint8_t *at = f->bytes, *end = at + f->n;

	while (end - at >= BUILD_ID_RECORD_BYTES) {
		uint32_t type = PTUI_RECORD_HEADER_BUILD_ID;
		uint16_t size;

		memcpy(&size, at + 6, sizeof(size));
		if (size < BUILD_ID_RECORD_BYTES || size > end - at)
			break;
		buf_add_u32(out, type);
		buf_add(out, at + sizeof(type), size - sizeof(type));
		at += size;
	}
	return out->err;
}

/* Skips features that are too long for a record, as perf does. */
static int put_feature(unsigned feature, const struct writer_feature *f, struct buf *out)
{
	struct buf payload = BUF_INIT;
	int ret;

	if (feature == PTUI_FEAT_TRACING_DATA)
		return put_tracing_data(f, out);
	if (feature == PTUI_FEAT_BUILD_ID)
		return put_build_ids(f, out);
	if (feature == PTUI_FEAT_AUXTRACE)
		return 0; /* perf would read its entries from the pipe */
	buf_add_u64(&payload, feature);
	buf_add(&payload, f->bytes, f->n);
	ret = payload.err;
	if (!ret)
		ret = data_put_user(out, PTUI_RECORD_HEADER_FEATURE, payload.data, payload.len);
	buf_release(&payload);
	return ret == -E2BIG ? 0 : ret;
}

/* Writes the features that were not written yet, whose `off` is 0. */
static int put_features(struct data_writer *w, bool tracing_data, struct buf *out)
{
	int ret = 0;

	for (unsigned i = 0; i < PTUI_FEAT_MAX && !ret; i++) {
		struct writer_feature *f = &w->features[i];

		if (!f->present || f->off || (i == PTUI_FEAT_TRACING_DATA) != tracing_data)
			continue;
		f->off = 1;
		ret = put_feature(i, f, out);
	}
	return ret;
}

/* Waits for room. After the end was requested, gives up on a reader that does not read. */
static int await_room(const struct data_writer *w)
{
	struct pollfd fds[2] = { { .fd = w->fd, .events = POLLOUT },
				 { .fd = w->opts.cancel_fd, .events = POLLIN } };
	int ret;

	do {
		ret = poll(fds, 2, -1);
	} while (ret < 0 && errno == EINTR);
	if (ret >= 0 && !fds[0].revents && fds[1].revents) {
		do {
			ret = poll(fds, 1, STALL_MS);
		} while (ret < 0 && errno == EINTR);
		if (!ret)
			return -ECANCELED;
	}
	return ret < 0 ? -errno : 0;
}

/* One write; to a blocking pipe only as much as fits. */
static ssize_t put_some(const struct data_writer *w, const struct iovec *v, size_t n)
{
	if (!w->blocks)
		return writev(w->fd, v, n < IOV_BATCH ? (int)n : IOV_BATCH);
	return write(w->fd, v->iov_base, v->iov_len < PIPE_BUF ? v->iov_len : PIPE_BUF);
}

/* As writer_put_iov(). */
static int put_iov(const struct data_writer *w, struct iovec *v, size_t n)
{
	int ret = 0;

	while (n && !ret) {
		ssize_t done = 0;

		if (!v->iov_len) {
			v++;
			n--;
			continue;
		}
		if (w->blocks)
			ret = await_room(w);
		if (!ret)
			done = put_some(w, v, n);
		if (done < 0) {
			ret = errno == EAGAIN ? await_room(w) : errno == EINTR ? 0 : -errno;
			continue;
		}
		for (; n && (size_t)done >= v->iov_len; n--, v++)
			done -= (ssize_t)v->iov_len;
		if (done) {
			v->iov_base = (char *)v->iov_base + done;
			v->iov_len -= (size_t)done;
		}
	}
	return ret;
}

static int put_buf(const struct data_writer *w, const struct buf *b)
{
	struct iovec v = { b->data, b->len };

	return b->err ? b->err : put_iov(w, &v, 1);
}

int pipe_layout_begin(struct data_writer *w)
{
	const uint64_t mark = FEATURES_MARK;
	struct buf out = BUF_INIT;
	int ret = 0;

	buf_add(&out, WRITER_MAGIC, 8);
	buf_add_u64(&out, PIPE_HEADER_BYTES);
	for (size_t i = 0; i < w->n_events && !ret; i++)
		ret = put_attr(w, &w->events[i], &out);
	for (size_t i = 0; i < w->n_events && !ret; i++)
		ret = put_updates(&w->events[i], &out);
	if (!ret)
		ret = put_features(w, false, &out);
	if (!ret)
		ret = data_put_user(&out, PTUI_RECORD_HEADER_FEATURE, &mark, sizeof(mark));
	if (!ret)
		ret = put_features(w, true, &out);
	if (!ret)
		ret = put_buf(w, &out);
	buf_release(&out);
	return ret;
}

int pipe_layout_put(struct data_writer *w, const struct iovec *iov, size_t n)
{
	struct iovec *v = writer_iov(w, iov, n, 0);

	return v ? put_iov(w, v, n) : -ENOMEM;
}

int pipe_layout_finish(struct data_writer *w)
{
	struct buf out = BUF_INIT;
	int ret;

	if (w->stopped)
		return 0; /* the reader is gone, or misses a part */
	ret = put_features(w, false, &out);
	if (!ret)
		ret = put_buf(w, &out);
	buf_release(&out);
	return ret;
}
