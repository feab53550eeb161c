/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opening a recording: layout, byte order, attrs and feature table. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/clock.h"
#include "base/i18n.h"
#include "data/read/looks_like.h"
#include "data/read/reader_private.h"

#define PIPE_HEADER_BYTES 16
#define HEADER_BYTES	  104
#define HEADER_BYTES_BARE 72 /* perf before 2.6.33: without feature bits */
#define SECTION_BYTES	  16
#define IDS_MAX		  (1u << 24) /* per event: more would be damage */
/* A header that claims more is wrong; the file is not cut. */
#define FILE_BYTES_SANE ((uint64_t)1 << 40)

struct section {
	uint64_t off, size;
};

struct header {
	uint64_t bytes, attr_bytes;
	struct section attrs, data;
	uint8_t features[PTUI_FEAT_MAX / 8];
	bool cut_off; /* the header is valid, and more records may follow */
};

/* ---- the file layout ---- */

static int damaged(const struct data_file *f, struct ptui_error *err, const char *what)
{
	return ptui_error_set(err, PTUI_ERROR_FORMAT, EINVAL, f->path, _("%s: damaged header: %s"),
			      f->path, what);
}

static void read_header(struct cursor *c, struct header *h)
{
	const void *features;

	cursor_bytes(c, 8);
	h->bytes = cursor_u64(c);
	h->attr_bytes = cursor_u64(c);
	h->attrs.off = cursor_u64(c);
	h->attrs.size = cursor_u64(c);
	h->data.off = cursor_u64(c);
	h->data.size = cursor_u64(c);
	cursor_bytes(c, SECTION_BYTES);
	memset(h->features, 0, sizeof(h->features));
	features = h->bytes >= HEADER_BYTES ? cursor_bytes(c, sizeof(h->features)) : NULL;
	if (features)
		memcpy(h->features, features, sizeof(h->features));
}

/*
 * The feature bits are an array of unsigned long, whose size and byte order depend on the machine
 * that wrote it. HOSTNAME is always set, so it shows which order is right.
 */
static void order_features(uint8_t *bits, bool swap)
{
	bool big = (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) != swap;
	uint8_t wide[PTUI_FEAT_MAX / 8], narrow[PTUI_FEAT_MAX / 8];
	const uint8_t mark = 1 << PTUI_FEAT_HOSTNAME;

	if (!big)
		return; /* bit n is bit n%8 of byte n/8 for any size of long */
	for (size_t i = 0; i < sizeof(wide); i++) {
		wide[i] = bits[i ^ 7];
		narrow[i] = bits[i ^ 3];
	}
	memcpy(bits, !(wide[0] & mark) && (narrow[0] & mark) ? narrow : wide, sizeof(wide));
}

/* Reads n bytes at `off`; -EBADMSG if the file has fewer. */
static int read_exact(struct data_file *f, uint64_t off, void *buf, size_t n)
{
	ssize_t got = source_read(&f->src, off, buf, n, n);

	if (got < 0)
		return (int)got;
	return (size_t)got == n ? 0 : -EBADMSG;
}

static bool inside(const struct data_file *f, struct section s)
{
	return s.off <= f->src.size && s.size <= f->src.size - s.off;
}

/* Counts a section that cannot be used: the file was cut, or the header is wrong. */
static void count_missing(struct data_file *f, struct section s)
{
	uint64_t end = s.off + s.size;

	if (s.off > FILE_BYTES_SANE || s.size > FILE_BYTES_SANE || end <= f->src.size)
		f->damage.bad_sections++;
	else if (end > f->src.size && end - f->src.size > f->damage.truncated_bytes)
		f->damage.truncated_bytes = end - f->src.size;
}

static struct section section_at(const uint8_t *at, bool swap)
{
	struct section s;
	struct cursor c;

	cursor_init(&c, at, SECTION_BYTES, swap);
	s.off = cursor_u64(&c);
	s.size = cursor_u64(&c);
	return s;
}

static bool sane_ids(const struct data_file *f, struct section s)
{
	return inside(f, s) && s.size % 8 == 0 && s.size / 8 <= IDS_MAX;
}

/*
 * One entry of the attr table:   [ attr … attr.size | … ][ ids: offset, size ]  = stride
 * Some writers put the ids directly after attr.size, where perf looks for them: tried second.
 */
static int read_attr(struct data_file *f, const uint8_t *entry, size_t stride)
{
	uint32_t size = attr_size_at(entry, f->swap);
	struct section ids = section_at(entry + stride - SECTION_BYTES, f->swap);
	uint8_t *bytes = NULL;
	int ret;

	if (!sane_ids(f, ids) && size >= PTUI_ATTR_SIZE_VER0 && size <= stride - 2 * SECTION_BYTES)
		ids = section_at(entry + size, f->swap);
	if (!sane_ids(f, ids)) {
		count_missing(f, ids);
		ids.size = 0;
	}
	if (ids.size) {
		bytes = malloc(ids.size);
		if (!bytes)
			return -ENOMEM;
		ret = read_exact(f, ids.off, bytes, ids.size);
		if (ret == -EBADMSG)
			ids.size = 0;
		else if (ret)
			goto out;
	}
	ret = event_table_add(&f->events, f->swap, entry, stride - SECTION_BYTES, bytes,
			      ids.size / 8);
out:
	free(bytes);
	return ret;
}

static int read_attrs(struct data_file *f, const struct header *h, struct ptui_error *err)
{
	uint64_t n = h->attrs.size / h->attr_bytes;
	int ret = 0;
	uint8_t *entry = malloc(h->attr_bytes);

	if (!entry)
		return ptui_error_nomem(err);
	for (uint64_t i = 0; i < n; i++) {
		ret = read_exact(f, h->attrs.off + i * h->attr_bytes, entry, h->attr_bytes);
		if (!ret)
			ret = read_attr(f, entry, h->attr_bytes);
		if (ret == -EBADMSG)
			ret = damaged(f, err, _("an event's attributes cannot be read"));
		else if (ret)
			ptui_error_errno(err, -ret, f->path, _("cannot read %s"), f->path);
		if (ret)
			break;
	}
	free(entry);
	return ret;
}

static unsigned count_features(const struct header *h)
{
	unsigned n = 0;

	for (size_t i = 0; i < sizeof(h->features); i++)
		n += (unsigned)__builtin_popcount(h->features[i]);
	return n;
}

static struct section feature_table(const struct header *h)
{
	return (struct section){ h->data.off + h->data.size + (h->cut_off ? SECTION_BYTES : 0),
				 (count_features(h) - h->cut_off) * SECTION_BYTES };
}

static void count_missing_feature(struct data_file *f, const struct header *h, unsigned feature,
				  struct section s)
{
	f->damage.missing_features[feature / 64] |= 1ULL << feature % 64;
	if (!inside(f, h->data)) /* what is missing of it will be counted */
		return;
	count_missing(f, s);
	if (f->damage.truncated_bytes && !h->cut_off)
		f->damage.cut_after_data = f->src.size;
}

/* data end: [ { offset, size } of each set bit, in order ][ payloads … ] */
static void read_feature_table(struct data_file *f, const struct header *h)
{
	const struct section table = feature_table(h);
	uint64_t off = table.off;

	for (unsigned i = h->cut_off; i < PTUI_FEAT_MAX; i++) {
		uint8_t bytes[SECTION_BYTES];
		struct section s;
		bool is_read;

		if (!(h->features[i / 8] >> i % 8 & 1))
			continue;
		is_read = !read_exact(f, off, bytes, sizeof(bytes));
		s = is_read ? section_at(bytes, f->swap) : table;
		off += sizeof(bytes);
		if (!is_read || !inside(f, s)) {
			count_missing_feature(f, h, i, s);
			continue;
		}
		f->features[i].present = true;
		f->features[i].off = s.off;
		f->features[i].size = s.size;
	}
}

/*
 * If the data size is 0, either nothing was recorded or, much more often, the recorder was killed
 * and never wrote the announced features. In the first case a feature table starts here, whose
 * first payload follows the table.
 */
static bool is_finished(struct data_file *f, const struct header *h)
{
	uint8_t bytes[SECTION_BYTES];
	uint64_t n = count_features(h);

	if (h->data.size || h->cut_off)
		return true;
	if (!n || read_exact(f, h->data.off, bytes, sizeof(bytes)))
		return false;
	return section_at(bytes, f->swap).off == h->data.off + n * SECTION_BYTES;
}

static void place_data(struct data_file *f, const struct header *h)
{
	uint64_t left;

	f->data_off = h->data.off;
	if (h->data.off > f->src.size) {
		count_missing(f, h->data);
		f->data_off = f->data_end = f->src.size;
		return;
	}
	left = f->src.size - h->data.off;
	if (!is_finished(f, h)) {
		f->damage.unfinished = true;
		f->data_end = f->src.size;
		return;
	}
	if (h->cut_off) {
		f->damage.unfinished = true;
		f->data_end = recover_data_end(f, h->data.off + h->data.size);
		return;
	}
	f->data_end = h->data.off + (h->data.size < left ? h->data.size : left);
	if (h->data.size > left)
		count_missing(f, h->data);
}

static int open_file_layout(struct data_file *f, struct ptui_error *err)
{
	uint8_t bytes[HEADER_BYTES];
	struct header h;
	struct cursor c;
	ssize_t n = source_read(&f->src, 0, bytes, sizeof(bytes), sizeof(bytes));

	if (n < 0)
		return ptui_error_errno(err, (int)-n, f->path, _("cannot read %s"), f->path);
	cursor_init(&c, bytes, (size_t)n, f->swap);
	read_header(&c, &h);
	if (c.bad)
		return damaged(f, err, _("the file ends within it"));
	if (h.attr_bytes < PTUI_ATTR_SIZE_VER0 + SECTION_BYTES || h.attr_bytes > 4096 ||
	    h.attrs.size / h.attr_bytes > 65536)
		return damaged(f, err, _("the sizes of its event table are out of range"));
	if (!inside(f, h.attrs))
		return damaged(f, err, _("its event table is outside the file"));
	order_features(h.features, f->swap);
	h.cut_off = recover_is_ours(f, h.features, h.data.off + h.data.size);
	if (is_finished(f, &h))
		read_feature_table(f, &h);
	place_data(f, &h);
	return read_attrs(f, &h, err);
}

/*
 * Finds the byte order by the magic or, for the older magic without it ("PERFFILE"), by a plausible
 * size. Then the layout: a pipe's header is the magic and its own size.
 */
static int find_layout(struct data_file *f, struct ptui_error *err)
{
	uint8_t head[HEADER_BYTES_BARE] = { 0 };
	struct cursor c;
	uint64_t bytes;
	ssize_t n = source_read(&f->src, 0, head, PIPE_HEADER_BYTES, sizeof(head));

	if (n < 0)
		return ptui_error_errno(err, (int)-n, f->path, _("cannot read %s"), f->path);
	if (n == 0)
		return ptui_error_set(err, PTUI_ERROR_FORMAT, ENODATA, f->path,
				      _("%s is a zero-sized file, nothing to do"), f->path);
	if (n < PIPE_HEADER_BYTES)
		return looks_like_error(f->path, head, (size_t)n, err);
	cursor_init(&c, head + 8, sizeof(head) - 8, false);
	bytes = cursor_u64(&c);
	if (!memcmp(head, "PERFILE2", 8))
		f->swap = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	else if (!memcmp(head, "2ELIFREP", 8))
		f->swap = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
	else if (!memcmp(head, "PERFFILE", 8))
		f->swap = bytes > 65536;
	else
		return looks_like_error(f->path, head, (size_t)n, err);
	if (f->swap)
		bytes = bswap_64(bytes);
	f->pipe = bytes == PIPE_HEADER_BYTES;
	if (!f->pipe && (bytes < HEADER_BYTES_BARE || bytes > 4096))
		return damaged(f, err, _("its size is out of range"));
	return 0;
}

static int open_layout(struct data_file *f, struct ptui_error *err)
{
	int ret = find_layout(f, err);

	if (ret)
		return ret;
	if (f->pipe) {
		f->data_off = PIPE_HEADER_BYTES;
		f->data_end = f->src.is_spool ? UINT64_MAX : f->src.size;
		f->meta_end = f->data_off;
		return walk_read_leading(f, err);
	}
	if (f->src.is_spool) {
		/* the file layout through a pipe: its features are at the end */
		ret = source_fetch_all(&f->src);
		if (ret)
			return ptui_error_errno(err, -ret, f->path, _("cannot read %s"), f->path);
	}
	ret = open_file_layout(f, err);
	if (ret)
		return ret;
	f->meta_end = f->data_off;
	ret = meta_read_features(f);
	if (ret)
		return ptui_error_errno(err, -ret, f->path, _("cannot read the header of %s"),
					f->path);
	ret = directory_add_parts(f, err);
	if (ret)
		return ret;
	return walk_read_leading(f, err); /* simpleperf has its tracing data there */
}

/* ---- open and close ---- */

static struct data_file *file_new(const char *path)
{
	struct data_file *f = calloc(1, sizeof(*f));

	if (!f)
		return NULL;
	f->dir_fd = -1;
	source_init(&f->src);
	source_init(&f->unpacked);
	f->unpacked.is_spool = true;
	f->unpacked.at_end = true;
	arena_init(&f->arena);
	event_table_init(&f->events, &f->arena);
	pthread_mutex_init(&f->lock, NULL);
	f->path = strdup(path);
	if (!f->path) {
		data_close(f);
		return NULL;
	}
	return f;
}

void data_close(struct data_file *f)
{
	if (!f)
		return;
	unpack_free(f->unpacker);
	source_release(&f->src);
	source_release(&f->unpacked);
	free(f->packed);
	simpleperf_release(f);
	free(f->build_ids);
	event_table_release(&f->events);
	arena_release(&f->arena);
	pthread_mutex_destroy(&f->lock);
	if (f->dir_fd >= 0)
		close(f->dir_fd);
	free(f->path);
	free(f);
}

static int open_source(struct data_file *f, const char *path, struct ptui_error *err)
{
	struct stat st;
	int ret;

	if (!strcmp(path, "-")) {
		f->src.fd = STDIN_FILENO;
	} else {
		/* O_NONBLOCK: source.c waits for the writer of a named pipe */
		f->src.fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
		f->src.owns_fd = true;
	}
	if (f->src.fd < 0 || fstat(f->src.fd, &st))
		return ptui_error_errno(err, errno, path, _("cannot open %s"), path);
	if (S_ISDIR(st.st_mode)) {
		ret = directory_open_data(f, &st, err);
		if (ret)
			return ret;
	}
	if (S_ISREG(st.st_mode)) {
		f->src.size = (uint64_t)st.st_size;
		f->mtime_ns = clock_timespec_ns(st.st_mtim);
		return 0;
	}
	f->src.is_spool = true;
	return 0;
}

static struct data_file *finish_open(struct data_file *f, int ret, struct ptui_error *err,
				     int *ret_error)
{
	if (!ret)
		ret = open_layout(f, err);
	if (!ret)
		return f;
	if (ret_error)
		*ret_error = ret;
	data_close(f);
	return NULL;
}

struct data_file *data_open(const char *path, struct ptui_error *err, int *ret_error)
{
	return data_open_waiting(path, NULL, NULL, err, ret_error);
}

struct data_file *data_open_waiting(const char *path, int (*waiting)(void *ctx), void *ctx,
				    struct ptui_error *err, int *ret_error)
{
	struct data_file *f = file_new(path);

	if (!f) {
		int ret = ptui_error_nomem(err);

		if (ret_error)
			*ret_error = ret;
		return NULL;
	}
	f->src.waiting = waiting;
	f->src.waiting_ctx = ctx;
	return finish_open(f, open_source(f, path, err), err, ret_error);
}

struct data_file *data_open_memory(const void *bytes, size_t n, struct ptui_error *err,
				   int *ret_error)
{
	static const uint8_t nothing[1];
	struct data_file *f = file_new("memory");

	if (!f) {
		int ret = ptui_error_nomem(err);

		if (ret_error)
			*ret_error = ret;
		return NULL;
	}
	f->src.mem = n ? bytes : nothing;
	f->src.size = n;
	return finish_open(f, 0, err, ret_error);
}

struct data_file *data_open_feed(struct ptui_error *err)
{
	struct data_file *f = file_new("memory");

	if (!f)
		ptui_error_nomem(err);
	else
		f->meta_end = UINT64_MAX; /* its metadata is known already */
	return f;
}

int data_feed_event(struct data_file *f, const void *attr, size_t attr_bytes, const char *name,
		    const uint64_t *ids, size_t n_ids)
{
	int ret = event_table_add(&f->events, f->swap, attr, attr_bytes, ids, n_ids);

	return ret ? ret :
		     event_table_name(&f->events, (uint32_t)f->events.n - 1, name, strlen(name));
}

void data_header_damage(const struct data_file *f, struct data_damage *ret)
{
	*ret = f->damage;
}

bool data_swapped(const struct data_file *f)
{
	return f->swap;
}

bool data_is_pipe(const struct data_file *f)
{
	return f->pipe;
}

uint64_t data_mtime_ns(const struct data_file *f)
{
	return f->mtime_ns;
}

uint64_t data_size_bytes(const struct data_file *f)
{
	uint64_t end = f->data_end == UINT64_MAX || f->src.n_parts ? f->src.size : f->data_end;
	uint64_t maps = simpleperf_has_init_map(f) ?
				f->features[PTUI_FEAT_SIMPLEPERF_INIT_MAP].size :
				0;

	return (end > f->data_off ? end - f->data_off : 0) + maps;
}

size_t data_n_events(const struct data_file *f)
{
	return f->events.n;
}

const struct data_event *data_event(const struct data_file *f, size_t index)
{
	return index < f->events.n ? &f->events.v[index]->ev : NULL;
}

uint32_t data_event_of_id(const struct data_file *f, uint64_t id)
{
	return event_table_find(&f->events, id);
}

bool data_guest_of_id(const struct data_file *f, uint64_t id, struct data_guest *ret)
{
	return f->events.n_guests && event_table_guest(&f->events, id, ret);
}

int32_t data_guest_thread(const struct data_guest *guest, int32_t tid)
{
	return guest->number && tid >= 0 && tid < DATA_TIDS ?
		       (int32_t)(guest->number * DATA_TIDS) + tid :
		       INT32_MIN;
}

const struct perf_event_attr *data_event_attr(const struct data_file *f, size_t index)
{
	return index < f->events.n ? &f->events.v[index]->attr : NULL;
}

bool data_has_feature(const struct data_file *f, unsigned feature)
{
	return feature < PTUI_FEAT_MAX && f->features[feature].present;
}

void data_layout(const struct data_file *f, struct data_layout *ret)
{
	memset(ret, 0, sizeof(*ret));
	if (f->pipe)
		return;
	ret->data_off = f->data_off;
	ret->data_bytes = f->data_end - f->data_off;
	ret->features_off = f->data_end;
}
