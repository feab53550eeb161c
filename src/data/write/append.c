/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Appending: the new file starts with the records of the older one and takes its name once they are
 * copied. Until then the older file is unchanged.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zstd.h>
#include "base/i18n.h"
#include "data/read/reader_private.h"
#include "data/write/writer_private.h"

#define COPY_BYTES ((size_t)256 << 10)
#define ATTR_FLAGS 40 /* offset of the flags in an attr */
#define ATTR_SIZE  4  /* and of its size */
/* disabled, enable_on_exec: only about how the recording started */
#define FLAGS_IGNORED	 (1ULL << 0 | 1ULL << 12)
#define COMPRESSED_PIECE 16 /* offset of the size of the longest piece in the feature */

struct append {
	struct data_file *old;
};

void append_free(struct append *a)
{
	if (!a)
		return;
	data_close(a->old);
	free(a);
}

#define incompatible(w, err, ...) \
	ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, (w)->path, __VA_ARGS__)

/* Reads attr i of the old file, in our size. */
static int read_attr(const struct data_file *old, size_t i, struct perf_event_attr *ret)
{
	uint8_t header[32];
	uint64_t stride, attrs_off, n;
	ssize_t got = source_read((struct source *)(uintptr_t)&old->src, 0, header, sizeof(header),
				  sizeof(header));

	if (got < (ssize_t)sizeof(header))
		return got < 0 ? (int)got : -EBADMSG;
	memcpy(&stride, header + 16, sizeof(stride));
	memcpy(&attrs_off, header + 24, sizeof(attrs_off));
	n = stride - WRITER_SECTION_BYTES;
	if (n > sizeof(*ret))
		n = sizeof(*ret);
	memset(ret, 0, sizeof(*ret));
	got = source_read((struct source *)(uintptr_t)&old->src, attrs_off + i * stride, ret, n, n);
	return got < 0 ? (int)got : (uint64_t)got < n ? -EBADMSG : 0;
}

static void clear_ignored(struct perf_event_attr *attr)
{
	uint64_t flags;

	memcpy(&flags, (char *)attr + ATTR_FLAGS, sizeof(flags));
	flags &= ~FLAGS_IGNORED;
	memcpy((char *)attr + ATTR_FLAGS, &flags, sizeof(flags));
	memset((char *)attr + ATTR_SIZE, 0, sizeof(uint32_t));
}

static int check_event(struct data_writer *w, const struct data_file *old, size_t i,
		       struct ptui_error *err)
{
	const struct writer_event *e = &w->events[i];
	struct perf_event_attr theirs, ours = e->attr;
	int ret = read_attr(old, i, &theirs);

	if (ret)
		return writer_error(w, -ret, err, _("cannot read %s"));
	clear_ignored(&theirs);
	clear_ignored(&ours);
	if (!memcmp(&theirs, &ours, sizeof(ours)))
		return 0;
	return incompatible(
		w, err,
		_("incompatible append: %s has event %s instead of %s, or with other options"),
		w->path, data_event(old, i)->name, e->name);
}

/* Adds the old ids of the counters to the event's. */
static int merge_ids(struct data_writer *w, const struct data_file *old, size_t i,
		     struct ptui_error *err)
{
	const struct data_event *theirs = data_event(old, i);
	struct writer_event *e = &w->events[i];
	uint64_t *ids;

	for (size_t k = 0; k < e->n_ids; k++) {
		uint32_t owner = data_event_of_id(old, e->ids[k]);

		if (owner != PTUI_NONE && owner != i)
			return incompatible(
				w, err,
				_("incompatible append: %s was recorded before the last boot, and other counters have its ids now"),
				w->path);
	}
	ids = malloc((theirs->n_ids + e->n_ids + 1) * sizeof(*ids));
	if (!ids)
		return ptui_error_nomem(err);
	for (size_t k = 0; k < theirs->n_ids; k++)
		ids[k] = theirs->ids[k];
	for (size_t k = 0; k < e->n_ids; k++)
		ids[theirs->n_ids + k] = e->ids[k];
	free(e->ids);
	e->ids = ids;
	e->n_ids += theirs->n_ids;
	return 0;
}

/* Readers require complete streams, one after the other. */
static int unpack_and_discard(ZSTD_DStream *stream, const void *bytes, size_t n, bool *ret_ended)
{
	ZSTD_inBuffer in = { bytes, n, 0 };
	static uint8_t nowhere[64 << 10];
	size_t left = 1;

	for (;;) {
		ZSTD_outBuffer out = { nowhere, sizeof(nowhere), 0 };

		left = ZSTD_decompressStream(stream, &out, &in);
		if (ZSTD_isError(left))
			return -EBADMSG;
		if (in.pos == in.size && out.pos < out.size)
			break;
	}
	*ret_ended = !left;
	return 0;
}

static int stream_ended(struct data_file *old, bool *ret_ended)
{
	ZSTD_DStream *stream = ZSTD_createDStream();
	uint8_t *bytes = malloc(PTUI_RECORD_MAX_BYTES);
	uint64_t off = old->data_off;
	int ret = stream && bytes ? 0 : -ENOMEM;

	*ret_ended = true;
	while (!ret && old->data_end - off >= DATA_RECORD_HEADER_BYTES) {
		struct perf_event_header h;
		ssize_t n = source_read(&old->src, off, &h, sizeof(h), sizeof(h));

		if (n < (ssize_t)sizeof(h) || h.size < sizeof(h)) {
			ret = -EBADMSG;
			break;
		}
		if (h.type == PTUI_RECORD_AUXTRACE) {
			uint64_t payload;

			n = source_read(&old->src, off + sizeof(h), &payload, 8, 8);
			if (n < 8 || payload > old->data_end - off) {
				ret = -EBADMSG;
				break;
			}
			off += payload;
		}
		if (h.type == PTUI_RECORD_COMPRESSED) {
			n = source_read(&old->src, off + sizeof(h), bytes, h.size - sizeof(h),
					h.size - sizeof(h));
			ret = n < 0 ? (int)n :
				      unpack_and_discard(stream, bytes, (size_t)n, ret_ended);
		}
		off += h.size;
	}
	ZSTD_freeDStream(stream);
	free(bytes);
	return ret;
}

static int check_stream(struct data_writer *w, struct data_file *old, struct ptui_error *err)
{
	bool ended;
	int ret;

	if (!w->compressor || !old->features[PTUI_FEAT_COMPRESSED].present)
		return 0;
	ret = stream_ended(old, &ended);
	if (ret == -ENOMEM)
		return ptui_error_nomem(err);
	if (!ret && ended)
		return 0;
	incompatible(w, err, _("incompatible append: the compressed stream of %s is incomplete"),
		     w->path);
	ptui_error_hint(err, _("append without -z"));
	return -EINVAL;
}

static int check_file(struct data_writer *w, struct data_file *old, struct ptui_error *err)
{
	int ret = 0;

	if (old->pipe || old->swap)
		return incompatible(
			w, err,
			_("incompatible append: %s has the pipe layout or another byte order"),
			w->path);
	if (old->damage.truncated_bytes || old->damage.bad_records)
		return incompatible(w, err, _("incompatible append: %s is damaged"), w->path);
	if (old->events.n != w->n_events)
		return incompatible(w, err, _("incompatible append: %s has %zu events, not %zu"),
				    w->path, old->events.n, w->n_events);
	for (size_t i = 0; i < w->n_events && !ret; i++)
		ret = check_event(w, old, i, err);
	if (!ret)
		ret = check_stream(w, old, err);
	for (size_t i = 0; i < w->n_events && !ret; i++)
		ret = merge_ids(w, old, i, err);
	return ret;
}

int append_open(struct data_writer *w, struct ptui_error *err)
{
	struct append *a;
	struct stat st;
	int ret = 0;

	if (stat(w->path, &st) || !st.st_size)
		return 0; /* no file: a new one */
	a = calloc(1, sizeof(*a));
	if (!a)
		return ptui_error_nomem(err);
	a->old = data_open(w->path, err, &ret);
	if (!a->old) {
		free(a);
		ptui_error_prefix(err, "%s", _("incompatible append"));
		return ret;
	}
	ret = check_file(w, a->old, err);
	if (ret)
		append_free(a);
	else
		w->append = a;
	return ret;
}

int append_copy(struct data_writer *w, uint64_t *ret_bytes)
{
	struct data_file *old = w->append->old;
	uint64_t off = old->data_off, to = w->data_off;
	uint8_t *bytes = malloc(COPY_BYTES);
	int ret = bytes ? 0 : -ENOMEM;

	while (!ret && off < old->data_end) {
		uint64_t left = old->data_end - off;
		size_t part = left < COPY_BYTES ? (size_t)left : COPY_BYTES;
		ssize_t n = source_read(&old->src, off, bytes, part, part);

		if (n <= 0)
			ret = n < 0 ? (int)n : -EIO;
		else
			ret = writer_put(w->fd, bytes, (size_t)n, (int64_t)to);
		off += n > 0 ? (uint64_t)n : 0;
		to += n > 0 ? (uint64_t)n : 0;
	}
	/*
	 * ext4 allocates the blocks of a file that replaces another one in rename(), during which the recorder
	 * cannot write to it: so they are allocated here, before the recording starts.
	 */
	if (!ret)
		sync_file_range(w->fd, (off_t)w->data_off, (off_t)(to - w->data_off),
				SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER);
	*ret_bytes = to - w->data_off;
	free(bytes);
	return ret;
}

int append_features(struct data_writer *w)
{
	struct append *a = w->append;
	int ret = 0;

	w->append = NULL; /* do not merge the old features with themselves */
	for (unsigned i = 1; i < PTUI_FEAT_MAX && !ret; i++) {
		const void *bytes;
		size_t n = 0;

		/* the places in its index are not those in ours: see append_aux_index() */
		if (w->features[i].present || i == PTUI_FEAT_AUXTRACE)
			continue;
		bytes = data_feature(a->old, i, &n);
		if (bytes)
			ret = data_writer_add_feature(w, i, bytes, n);
	}
	w->append = a;
	return ret;
}

/* ---- features of both files ---- */

static void merge_times(struct buf *ours, const char *theirs)
{
	uint64_t a[2], b[2];

	memcpy(a, ours->data, sizeof(a));
	memcpy(b, theirs, sizeof(b));
	if (b[0] < a[0])
		a[0] = b[0];
	if (b[1] > a[1])
		a[1] = b[1];
	memcpy(ours->data, a, sizeof(a));
}

static void merge_piece_bytes(struct buf *ours, const char *theirs)
{
	uint32_t a, b;

	memcpy(&a, ours->data + COMPRESSED_PIECE, sizeof(a));
	memcpy(&b, theirs + COMPRESSED_PIECE, sizeof(b));
	if (b > a)
		memcpy(ours->data + COMPRESSED_PIECE, &b, sizeof(b));
}

int append_aux_index(const struct data_writer *w, struct buf *out)
{
	const struct data_file *old = w->append->old;
	size_t n = 0;
	const uint8_t *index = data_feature(old, PTUI_FEAT_AUXTRACE, &n);

	for (size_t i = 1; index && i + 2 <= n / 8; i += 2) {
		buf_add_u64(out, data_word(index, i, false) - old->data_off + w->data_off);
		buf_add_u64(out, data_word(index, i + 1, false));
	}
	return out->err;
}

int append_merge(struct data_writer *w, unsigned feature, struct buf *bytes)
{
	size_t n = 0;
	const void *theirs = data_feature(w->append->old, feature, &n);

	if (!theirs)
		return 0;
	if (feature == PTUI_FEAT_SAMPLE_TIME && n >= 16 && bytes->len >= 16)
		merge_times(bytes, theirs);
	else if (feature == PTUI_FEAT_COMPRESSED && n >= 20 && bytes->len >= 20)
		merge_piece_bytes(bytes, theirs);
	else if (feature == PTUI_FEAT_BUILD_ID)
		buf_add(bytes, theirs, n);
	return bytes->err;
}
