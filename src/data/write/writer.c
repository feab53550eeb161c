/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Public functions, and what files and pipes have in common. */
#include "data/write/writer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/i18n.h"
#include "base/vec.h"
#include "data/write/writer_private.h"

#define WRITE_BATCH 512 /* iovecs per call; the kernel's limit is 1024 */

/* ---- bytes ---- */

uint64_t writer_iov_bytes(const struct iovec *iov, size_t n)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < n; i++)
		bytes += iov[i].iov_len;
	return bytes;
}

struct iovec *writer_iov(struct data_writer *w, const struct iovec *iov, size_t n, size_t more)
{
	if (vec_grow(&w->iov, &w->iov_cap, n + more))
		return NULL;
	if (n)
		memcpy(w->iov, iov, n * sizeof(*iov));
	return w->iov;
}

int writer_put_iov(int fd, struct iovec *v, size_t n, int64_t off)
{
	while (n) {
		int k = n < WRITE_BATCH ? (int)n : WRITE_BATCH;
		ssize_t done = pwritev(fd, v, k, off);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return -errno;
		if (!done && writer_iov_bytes(v, (size_t)k))
			return -ENOSPC;
		off += done;
		while (n && (size_t)done >= v->iov_len) {
			done -= (ssize_t)v->iov_len;
			v++;
			n--;
		}
		if (done) {
			v->iov_base = (char *)v->iov_base + done;
			v->iov_len -= (size_t)done;
		}
	}
	return 0;
}

int writer_put(int fd, const void *bytes, size_t n, int64_t off)
{
	struct iovec v = { (void *)(uintptr_t)bytes, n };

	return n ? writer_put_iov(fd, &v, 1, off) : 0;
}

/* ---- new, free ---- */

struct data_writer *data_writer_open(const char *path, const struct data_writer_opts *opts,
				     struct ptui_error *err)
{
	struct data_writer *w = calloc(1, sizeof(*w));

	if (!w) {
		ptui_error_nomem(err);
		return NULL;
	}
	w->fd = -1;
	w->opts = *opts;
	w->path = strdup(path);
	if (opts->compress_level)
		w->compressor = compressor_new(opts->compress_level);
	if (!w->path || (opts->compress_level && !w->compressor)) {
		ptui_error_nomem(err);
		goto fail;
	}
	if (writer_create(w, err))
		goto fail;
	return w;
fail:
	data_writer_free(w);
	return NULL;
}

struct data_writer *data_writer_new(const char *path, struct ptui_error *err)
{
	static const struct data_writer_opts plain = { .cancel_fd = -1 };

	return data_writer_open(path, &plain, err);
}

static void event_release(struct writer_event *e)
{
	free(e->name);
	free(e->ids);
	free(e->unit);
	free(e->cpus);
}

void data_writer_free(struct data_writer *w)
{
	if (!w)
		return;
	if (w->begun && w->fd >= 0 && !w->stopped)
		data_writer_sync(w, NULL);
	if (w->fd >= 0)
		close(w->fd);
	if (w->temp) {
		unlink(w->temp);
		free(w->temp);
	}
	for (size_t i = 0; i < w->n_events; i++)
		event_release(&w->events[i]);
	free(w->events);
	for (size_t i = 0; i < PTUI_FEAT_MAX; i++)
		free(w->features[i].bytes);
	buf_release(&w->table);
	buf_release(&w->packed);
	buf_release(&w->aux_index);
	compressor_free(w->compressor);
	append_free(w->append);
	free(w->iov);
	free(w->path);
	free(w);
}

/* ---- events ---- */

int data_writer_add_event(struct data_writer *w, const struct perf_event_attr *attr,
			  const char *name, const uint64_t *ids, size_t n_ids)
{
	struct writer_event *e;

	if (w->begun)
		return -EBUSY;
	if (vec_grow(&w->events, &w->events_cap, w->n_events + 1))
		return -ENOMEM;
	e = &w->events[w->n_events];
	memset(e, 0, sizeof(*e));
	e->attr_bytes = attr->size;
	if (e->attr_bytes < PTUI_ATTR_SIZE_VER0)
		e->attr_bytes = PTUI_ATTR_SIZE_VER0;
	if (e->attr_bytes > sizeof(e->attr))
		e->attr_bytes = sizeof(e->attr);
	memcpy(&e->attr, attr, e->attr_bytes);
	e->name = strdup(name);
	e->ids = malloc((n_ids + !n_ids) * sizeof(*ids));
	if (!e->name || !e->ids) {
		event_release(e);
		return -ENOMEM;
	}
	if (n_ids)
		memcpy(e->ids, ids, n_ids * sizeof(*ids));
	e->n_ids = n_ids;
	w->n_events++;
	return 0;
}

int data_writer_set_unit(struct data_writer *w, const char *unit, double scale)
{
	struct writer_event *e = w->n_events ? &w->events[w->n_events - 1] : NULL;

	if (!e)
		return -EINVAL;
	free(e->unit);
	e->unit = strdup(unit);
	e->scale = scale;
	return e->unit ? 0 : -ENOMEM;
}

int data_writer_set_cpus(struct data_writer *w, const int32_t *cpus, size_t n)
{
	struct writer_event *e = w->n_events ? &w->events[w->n_events - 1] : NULL;

	if (!e)
		return -EINVAL;
	free(e->cpus);
	e->cpus = malloc((n + !n) * sizeof(*cpus));
	if (!e->cpus)
		return -ENOMEM;
	memcpy(e->cpus, cpus, n * sizeof(*cpus));
	e->n_cpus = n;
	return 0;
}

static int copy_event(struct data_writer *to, const struct writer_event *e)
{
	int ret = data_writer_add_event(to, &e->attr, e->name, e->ids, e->n_ids);

	if (!ret && e->unit)
		ret = data_writer_set_unit(to, e->unit, e->scale);
	if (!ret && e->n_cpus)
		ret = data_writer_set_cpus(to, e->cpus, e->n_cpus);
	return ret;
}

struct data_writer *data_writer_again(const struct data_writer *w, bool aside,
				      struct ptui_error *err)
{
	struct data_writer_opts opts = w->opts;

	opts.append = false;
	opts.overwrite = true;
	opts.aside = aside;
	opts.timestamp |= aside;
	return data_writer_copy(w, w->path, &opts, err);
}

struct data_writer *data_writer_copy(const struct data_writer *w, const char *path,
				     const struct data_writer_opts *opts, struct ptui_error *err)
{
	struct data_writer *to = data_writer_open(path, opts, err);
	int ret = 0;

	if (!to)
		return NULL;
	for (size_t i = 0; i < w->n_events && !ret; i++)
		ret = copy_event(to, &w->events[i]);
	for (unsigned i = 1; i < PTUI_FEAT_MAX && !ret; i++)
		if (w->features[i].present)
			ret = data_writer_add_feature(to, i, w->features[i].bytes,
						      w->features[i].n);
	if (!ret)
		return to;
	data_writer_free(to);
	ptui_error_nomem(err);
	return NULL;
}

uint32_t writer_attr_bytes(const struct data_writer *w)
{
	uint32_t most = PTUI_ATTR_SIZE_VER0;

	for (size_t i = 0; i < w->n_events; i++)
		if (w->events[i].attr_bytes > most)
			most = w->events[i].attr_bytes;
	return most;
}

void writer_put_attr(struct buf *out, const struct writer_event *e, uint32_t attr_bytes)
{
	struct perf_event_attr attr = e->attr;
	uint32_t n = attr_bytes < sizeof(attr) ? attr_bytes : (uint32_t)sizeof(attr);

	attr.size = attr_bytes;
	buf_add(out, &attr, n); /* zero after e->attr_bytes */
	buf_add_zeros(out, attr_bytes - n);
}

/* ---- begin, write, finish ---- */

/* Sets `err` for the result of a write. */
static int set_write_error(struct data_writer *w, int ret, struct ptui_error *err)
{
	if (ret == -ENOMEM)
		return ptui_error_nomem(err);
	if (ret == -EPIPE && w->pipe)
		return ptui_error_set(err, PTUI_ERROR_SYSTEM, EPIPE, w->path,
				      _("the reader of the pipe is gone: the recording ends here"));
	if (ret == -ECANCELED)
		return ptui_error_set(
			err, PTUI_ERROR_SYSTEM, ECANCELED, w->path,
			_("the reader of the pipe has stopped reading: the rest is lost"));
	return writer_error(w, -ret, err, _("cannot write %s"));
}

int data_writer_begin_unnamed(struct data_writer *w, struct ptui_error *err)
{
	int ret;

	if (w->opts.nowhere) {
		w->begun = true;
		return 0;
	}
	if (w->opts.append && !w->pipe && !w->device) {
		ret = append_open(w, err);
		if (ret)
			return ret;
	}
	ret = writer_make_event_desc(w);
	if (!ret)
		ret = writer_make_compressed(w);
	if (!ret && w->append)
		ret = append_features(w);
	if (!ret)
		ret = w->pipe ? pipe_layout_begin(w) : file_layout_begin(w);
	if (ret)
		return set_write_error(w, ret, err);
	w->begun = true;
	return 0;
}

int data_writer_name_file(struct data_writer *w, struct ptui_error *err)
{
	return w->opts.aside ? 0 : writer_take_name(w, err);
}

int data_writer_begin(struct data_writer *w, struct ptui_error *err)
{
	int ret = data_writer_begin_unnamed(w, err);

	return ret ? ret : data_writer_name_file(w, err);
}

static bool is_round(const struct iovec *v)
{
	struct perf_event_header header;

	if (v->iov_len != sizeof(header))
		return false;
	memcpy(&header, v->iov_base, sizeof(header));
	return header.type == PTUI_RECORD_FINISHED_ROUND;
}

/* FINISHED_ROUND stays uncompressed, as in perf: it marks up to where readers sort. */
static int pack_records(struct data_writer *w, const struct iovec *iov, size_t n,
			struct iovec to[2], size_t *ret_n)
{
	bool round = n && is_round(&iov[n - 1]);
	int ret;

	buf_clear(&w->packed);
	ret = compressor_pack(w->compressor, iov, n - round, &w->packed);
	to[0] = (struct iovec){ w->packed.data, w->packed.len };
	if (round)
		to[1] = iov[n - 1];
	*ret_n = 1 + round;
	return ret;
}

int writer_put_records(struct data_writer *w, const struct iovec *iov, size_t n)
{
	int ret = 0;

	if (!w->opts.nowhere)
		ret = w->pipe ? pipe_layout_put(w, iov, n) : file_layout_put(w, iov, n, false);
	if (!ret)
		w->bytes += writer_iov_bytes(iov, n);
	return ret;
}

int writer_end_write(struct data_writer *w, int ret, uint64_t raw_bytes, struct ptui_error *err)
{
	if (!ret) {
		w->raw_bytes += raw_bytes;
		return 0;
	}
	if (ret == -EBADF) /* it was not begun, or has stopped before */
		return ptui_error_set(err, PTUI_ERROR_SYSTEM, EPIPE, w->path,
				      _("%s does not accept more records"), w->path);
	w->stopped = true;
	set_write_error(w, ret, err);
	if (ret != -ENOMEM && !w->pipe && !w->opts.whole && w->bytes)
		ptui_error_hint(err, _("everything written before is kept, and can be read"));
	return ret;
}

int data_writer_write(struct data_writer *w, const struct iovec *iov, int n, struct ptui_error *err)
{
	struct iovec packed[2];
	size_t n_packed;
	int ret;

	if (!w->begun || w->stopped)
		return writer_end_write(w, -EBADF, 0, err);
	if (w->compressor) {
		ret = pack_records(w, iov, (size_t)n, packed, &n_packed);
		if (!ret)
			ret = writer_put_records(w, packed, n_packed);
	} else {
		ret = writer_put_records(w, iov, (size_t)n);
	}
	return writer_end_write(w, ret, writer_iov_bytes(iov, (size_t)n), err);
}

uint64_t data_writer_bytes(const struct data_writer *w)
{
	return w->bytes;
}

uint64_t data_writer_raw_bytes(const struct data_writer *w)
{
	return w->raw_bytes;
}

double data_writer_ratio(const struct data_writer *w)
{
	return w->compressor ? compressor_ratio(w->compressor) : 0;
}

bool data_writer_appends(const struct data_writer *w)
{
	return w->append != NULL;
}

bool data_writer_is_file(const struct data_writer *w)
{
	return !w->pipe && !w->opts.nowhere;
}

bool data_writer_has_folder(const struct data_writer *w)
{
	return data_writer_is_file(w) && !w->device;
}

const char *data_writer_path(const struct data_writer *w)
{
	return w->path;
}

const char *data_writer_place(const struct data_writer *w)
{
	return *w->unnamed ? w->unnamed : w->temp ? w->temp : w->path;
}

int data_writer_sync(struct data_writer *w, struct ptui_error *err)
{
	int ret;

	if (!w->begun || w->fd < 0 || w->pipe || w->stopped)
		return 0;
	ret = file_layout_sync(w);
	if (ret)
		return writer_error(w, -ret, err, _("cannot write the header of %s"));
	return 0;
}

/* Ends the compressed stream with a record of its own, so that another one may be appended. */
static int end_stream(struct data_writer *w)
{
	static const struct perf_event_header round = { .type = PTUI_RECORD_FINISHED_ROUND,
							.size = sizeof(round) };
	struct iovec one = { (void *)(uintptr_t)&round, sizeof(round) };
	int ret;

	if (!w->compressor || w->stopped)
		return 0;
	buf_clear(&w->packed);
	ret = compressor_end(w->compressor, &one, 1, &w->packed);
	if (ret)
		return ret;
	one = (struct iovec){ w->packed.data, w->packed.len };
	ret = writer_put_records(w, &one, 1);
	w->stopped |= ret != 0;
	return ret ? ret : writer_make_compressed(w);
}

int data_writer_finish(struct data_writer *w, struct ptui_error *err)
{
	int ret, later, closed, named = 1; /* 1: not tried yet */

	if (w->opts.nowhere && w->begun)
		return 0;
	if (!w->begun || w->fd < 0)
		return ptui_error_set(err, PTUI_ERROR_SYSTEM, EINVAL, w->path,
				      _("%s has not been started"), w->path);
	ret = end_stream(w);
	if (!ret)
		ret = writer_make_aux_index(w);
	later = w->pipe ? pipe_layout_finish(w) : file_layout_finish(w);
	if (!ret)
		ret = later;
	if (!ret && w->opts.whole)
		named = writer_take_name(w, err);
	else if (!ret && *w->unnamed)
		named = writer_stamp_name(w, err); /* the unnamed file is unreachable once it is
						   closed */
	closed = close(w->fd) ? -errno : 0;	   /* NFS reports a full disk only here */
	w->fd = -1;
	if (!ret && named >= 0)
		ret = closed;
	if (ret)
		return writer_error(w, -ret, err, _("cannot finish %s"));
	if (named > 0)
		named = w->opts.timestamp ? writer_stamp_name(w, err) : 0;
	return named;
}
