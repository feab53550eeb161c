/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The file layout, written front to back:
 *
 *   0        104                               data_off          data_off + bytes
 *   [ header | ids of event 0, 1, … | attrs … | records … … … … | feature table | payloads ]
 *                                     ^ each of stride_bytes: attr (stride - 16), { ids off, size }
 *
 * perf takes the next attr behind attr.size + 16 bytes, other readers behind header.attr_size:
 * both are right only when every attr has the size of the largest.
 */
#include "data/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/buf.h"
#include "base/file.h"
#include "base/i18n.h"
#include "base/vec.h"

#define MAGIC		"PERFILE2"
#define HEADER_BYTES	104
#define SECTION_BYTES	16 /* u64 offset, u64 size */
#define NAME_ALIGN	64 /* perf pads names to this */
#define WRITE_BATCH	64 /* iovecs handed to the kernel at once */
#define TRIES		100

struct writer_event {
	struct perf_event_attr attr;
	uint32_t attr_bytes; /* of attr that mean something */
	char *name;
	uint64_t *ids;
	size_t n_ids;
};

struct writer_feature {
	bool present;
	void *bytes;
	size_t n;
};

struct data_writer {
	char *path;
	char *temp; /* the file's name until begin(); NULL: it has its own already */
	int fd;
	bool begun, stopped;
	struct writer_event *events;
	size_t n_events, events_cap;
	struct writer_feature features[PTUI_FEAT_MAX];
	uint32_t stride_bytes;
	uint64_t attrs_off, data_off, bytes;
	uint64_t synced_bytes; /* what data.size in the file says */
	data_written_fn written; /* may be NULL */
	void *written_ctx;
};

/* `text` is a whole sentence with a %s for the file: its parts stand elsewhere in other languages. */
#define told(w, errnum, err, text) ptui_error_errno(err, errnum, (w)->path, text, (w)->path)

/*
 * The new file gets its name only in begin(): until then a failure leaves the folder, and an
 * older recording in it, as they were.
 */
static int create_temp(struct data_writer *w, struct ptui_error *err)
{
	int errnum = EEXIST;
	unsigned i;

	for (i = 0; i < TRIES && errnum == EEXIST; i++) {
		if (asprintf(&w->temp, "%s.%d-%u.new", w->path, (int)getpid(), i) < 0) {
			w->temp = NULL;
			return ptui_error_nomem(err);
		}
		w->fd = open(w->temp, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
		if (w->fd >= 0)
			return 0;
		errnum = errno;
		free(w->temp);
		w->temp = NULL;
	}
	return told(w, errnum, err, _("cannot create %s"));
}

static int create(struct data_writer *w, struct ptui_error *err)
{
	struct stat st;

	if (stat(w->path, &st) || S_ISREG(st.st_mode))
		return create_temp(w, err);
	if (S_ISDIR(st.st_mode))
		return told(w, EISDIR, err, _("cannot create %s"));
	/* /dev/null and its like: no other file can take its place */
	w->fd = open(w->path, O_RDWR | O_CLOEXEC);
	if (w->fd < 0)
		return told(w, errno, err, _("cannot open %s"));
	if (lseek(w->fd, 0, SEEK_CUR) < 0)
		return told(w, errno, err, _("cannot write a file's layout to %s"));
	return 0;
}

struct data_writer *data_writer_new(const char *path, struct ptui_error *err)
{
	struct data_writer *w = calloc(1, sizeof(*w));

	if (!w) {
		ptui_error_nomem(err);
		return NULL;
	}
	w->fd = -1;
	w->path = strdup(path);
	if (!w->path) {
		ptui_error_nomem(err);
		goto fail;
	}
	if (create(w, err))
		goto fail;
	return w;
fail:
	data_writer_free(w);
	return NULL;
}

void data_writer_free(struct data_writer *w)
{
	size_t i;

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
	for (i = 0; i < w->n_events; i++) {
		free(w->events[i].name);
		free(w->events[i].ids);
	}
	free(w->events);
	for (i = 0; i < PTUI_FEAT_MAX; i++)
		free(w->features[i].bytes);
	free(w->path);
	free(w);
}

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
		free(e->name);
		free(e->ids);
		return -ENOMEM;
	}
	if (n_ids)
		memcpy(e->ids, ids, n_ids * sizeof(*ids));
	e->n_ids = n_ids;
	w->n_events++;
	return 0;
}

static uint32_t common_attr_bytes(const struct data_writer *w)
{
	uint32_t most = PTUI_ATTR_SIZE_VER0;
	size_t i;

	for (i = 0; i < w->n_events; i++)
		if (w->events[i].attr_bytes > most)
			most = w->events[i].attr_bytes;
	return most;
}

static void put_attr(struct buf *out, const struct writer_event *e, uint32_t attr_bytes)
{
	struct perf_event_attr attr = e->attr;

	attr.size = attr_bytes;
	buf_add(out, &attr, attr_bytes); /* what lies behind e->attr_bytes is zero */
}

static int put_header(const struct data_writer *w, uint64_t data_bytes, bool with_features)
{
	struct buf out = BUF_INIT;
	uint64_t bits[PTUI_FEAT_MAX / 64] = { 0 };
	size_t i;
	int ret;

	for (i = 0; with_features && i < PTUI_FEAT_MAX; i++)
		if (w->features[i].present)
			bits[i / 64] |= 1ULL << (i % 64);
	buf_add(&out, MAGIC, 8);
	buf_add_u64(&out, HEADER_BYTES);
	buf_add_u64(&out, w->stride_bytes);
	buf_add_u64(&out, w->attrs_off);
	buf_add_u64(&out, w->n_events * (uint64_t)w->stride_bytes);
	buf_add_u64(&out, w->data_off);
	buf_add_u64(&out, data_bytes);
	buf_add_zeros(&out, SECTION_BYTES); /* event types: no longer written */
	buf_add(&out, bits, sizeof(bits));
	ret = out.err;
	if (!ret) {
		ssize_t n = pwrite(w->fd, out.data, out.len, 0);

		if (n < 0)
			ret = -errno;
		else if ((size_t)n < out.len)
			ret = -ENOSPC;
	}
	buf_release(&out);
	return ret;
}

/* Gives the file its name; an older one of that name is kept beside it. */
static int take_name(struct data_writer *w, struct ptui_error *err)
{
	struct stat st;
	char *old;
	int ret = 0;

	if (!w->temp)
		return 0;
	if (asprintf(&old, "%s.old", w->path) < 0)
		return ptui_error_nomem(err);
	if (!lstat(w->path, &st) && !(S_ISREG(st.st_mode) && !st.st_size) &&
	    rename(w->path, old)) {
		ret = ptui_error_errno(err, errno, old, _("cannot keep %s as %s"), w->path, old);
		goto out;
	}
	if (rename(w->temp, w->path)) {
		ret = told(w, errno, err, _("cannot create %s"));
		goto out;
	}
	free(w->temp);
	w->temp = NULL;
out:
	free(old);
	return ret;
}

int data_writer_begin(struct data_writer *w, struct ptui_error *err)
{
	uint32_t attr_bytes = common_attr_bytes(w);
	struct buf out = BUF_INIT;
	uint64_t ids_off = HEADER_BYTES;
	size_t i;
	int ret;

	w->stride_bytes = attr_bytes + SECTION_BYTES;
	for (i = 0; i < w->n_events; i++)
		buf_add(&out, w->events[i].ids, w->events[i].n_ids * sizeof(uint64_t));
	w->attrs_off = HEADER_BYTES + out.len;
	for (i = 0; i < w->n_events; i++) {
		uint64_t ids_bytes = w->events[i].n_ids * sizeof(uint64_t);

		put_attr(&out, &w->events[i], attr_bytes);
		buf_add_u64(&out, ids_off);
		buf_add_u64(&out, ids_bytes);
		ids_off += ids_bytes;
	}
	w->data_off = HEADER_BYTES + out.len;
	ret = out.err;
	if (ret) {
		ptui_error_nomem(err);
		goto out;
	}
	ret = put_header(w, 0, false);
	if (!ret && lseek(w->fd, HEADER_BYTES, SEEK_SET) < 0)
		ret = -errno;
	if (!ret && out.len)
		ret = file_write_all(w->fd, out.data, out.len);
	if (ret) {
		told(w, -ret, err, _("cannot write %s"));
		goto out;
	}
	ret = take_name(w, err);
	if (!ret)
		w->begun = true;
out:
	buf_release(&out);
	return ret;
}

static int write_batch(int fd, struct iovec *v, int n)
{
	while (n) {
		ssize_t done = writev(fd, v, n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return -errno;
		while (n && (size_t)done >= v->iov_len) {
			done -= (ssize_t)v->iov_len;
			v++;
			n--;
		}
		if (n) {
			v->iov_base = (char *)v->iov_base + done;
			v->iov_len -= (size_t)done;
		}
	}
	return 0;
}

int data_writer_write(struct data_writer *w, const struct iovec *iov, int n,
		      struct ptui_error *err)
{
	uint64_t bytes = 0;
	int ret = 0, i;

	if (!w->begun || w->stopped)
		return ptui_error_set(err, PTUI_ERROR_SYSTEM, EPIPE, w->path,
				      _("%s takes no more records"), w->path);
	for (i = 0; i < n && !ret; i += WRITE_BATCH) {
		struct iovec part[WRITE_BATCH];
		int k = n - i < WRITE_BATCH ? n - i : WRITE_BATCH, j;

		memcpy(part, iov + i, (size_t)k * sizeof(*part));
		for (j = 0; j < k; j++)
			bytes += part[j].iov_len;
		ret = write_batch(w->fd, part, k);
	}
	if (!ret) {
		w->bytes += bytes;
		if (w->written)
			w->written(w->written_ctx, iov, n);
		return 0;
	}
	/*
	 * Where in the gathered records it ended is not a record's end: they are taken back
	 * whole, so that the file ends with a record, and the header tells of what is left.
	 */
	told(w, -ret, err, _("cannot write %s"));
	w->stopped = true;
	if (ftruncate(w->fd, (off_t)(w->data_off + w->bytes)) == 0)
		put_header(w, w->bytes, false);
	return ret;
}

void data_writer_set_witness(struct data_writer *w, data_written_fn fn, void *ctx)
{
	w->written = fn;
	w->written_ctx = ctx;
}

uint64_t data_writer_bytes(const struct data_writer *w)
{
	return w->bytes;
}

int data_writer_sync(struct data_writer *w, struct ptui_error *err)
{
	int ret;

	if (!w->begun || w->fd < 0 || w->synced_bytes == w->bytes)
		return 0;
	ret = put_header(w, w->bytes, false);
	if (ret)
		return told(w, -ret, err, _("cannot write the header of %s"));
	w->synced_bytes = w->bytes;
	return 0;
}

int data_writer_add_feature(struct data_writer *w, unsigned feature, const void *bytes, size_t n)
{
	struct writer_feature *f;
	void *copy;

	if (feature >= PTUI_FEAT_MAX)
		return -EINVAL;
	copy = malloc(n + !n);
	if (!copy)
		return -ENOMEM;
	if (n)
		memcpy(copy, bytes, n);
	f = &w->features[feature];
	free(f->bytes);
	f->present = true;
	f->bytes = copy;
	f->n = n;
	return 0;
}

/* EVENT_DESC: which event has which name, and once more its attr and ids. */
static int make_event_desc(struct data_writer *w)
{
	uint32_t attr_bytes = common_attr_bytes(w);
	struct buf out = BUF_INIT;
	size_t i;
	int ret;

	buf_add_u32(&out, (uint32_t)w->n_events);
	buf_add_u32(&out, attr_bytes);
	for (i = 0; i < w->n_events; i++) {
		const struct writer_event *e = &w->events[i];
		size_t len = strlen(e->name) + 1;
		size_t padded = (len + NAME_ALIGN - 1) / NAME_ALIGN * NAME_ALIGN;

		put_attr(&out, e, attr_bytes);
		buf_add_u32(&out, (uint32_t)e->n_ids);
		buf_add_u32(&out, (uint32_t)padded);
		buf_add(&out, e->name, len);
		buf_add_zeros(&out, padded - len);
		buf_add(&out, e->ids, e->n_ids * sizeof(uint64_t));
	}
	ret = out.err;
	if (!ret)
		ret = data_writer_add_feature(w, PTUI_FEAT_EVENT_DESC, out.data, out.len);
	buf_release(&out);
	return ret;
}

static int write_features(struct data_writer *w)
{
	uint64_t end = w->data_off + w->bytes, off = end;
	struct buf table = BUF_INIT;
	size_t i;
	int ret;

	for (i = 0; i < PTUI_FEAT_MAX; i++)
		if (w->features[i].present)
			off += SECTION_BYTES;
	for (i = 0; i < PTUI_FEAT_MAX; i++) {
		if (!w->features[i].present)
			continue;
		buf_add_u64(&table, off);
		buf_add_u64(&table, w->features[i].n);
		off += w->features[i].n;
	}
	ret = table.err;
	if (!ret && lseek(w->fd, (off_t)end, SEEK_SET) < 0)
		ret = -errno;
	if (!ret && table.len)
		ret = file_write_all(w->fd, table.data, table.len);
	for (i = 0; i < PTUI_FEAT_MAX && !ret; i++)
		if (w->features[i].n)
			ret = file_write_all(w->fd, w->features[i].bytes, w->features[i].n);
	buf_release(&table);
	return ret;
}

int data_writer_finish(struct data_writer *w, struct ptui_error *err)
{
	int ret, closed;

	if (!w->begun || w->fd < 0)
		return ptui_error_set(err, PTUI_ERROR_SYSTEM, EINVAL, w->path,
				      _("%s was not begun"), w->path);
	/* The header first without features: true, whatever happens to them. */
	ret = put_header(w, w->bytes, false);
	if (!ret)
		ret = make_event_desc(w);
	if (!ret)
		ret = write_features(w);
	if (!ret)
		ret = put_header(w, w->bytes, true);
	if (ret) {
		told(w, -ret, err, _("cannot finish %s"));
		if (ftruncate(w->fd, (off_t)(w->data_off + w->bytes)) == 0)
			put_header(w, w->bytes, false);
	}
	closed = close(w->fd) ? -errno : 0; /* NFS tells of a full disk only here */
	w->fd = -1;
	if (closed && !ret)
		ret = told(w, -closed, err, _("cannot finish %s"));
	return ret;
}
