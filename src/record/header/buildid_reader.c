/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record/header/buildid_reader.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "base/clock.h"
#include "base/cursor.h"
#include "base/i18n.h"
#include "base/perf_abi.h"
#include "base/thread.h"
#include "base/vec.h"
#include "data/write/feature_payload.h"
#include "event/event.h"

#define QUEUE_MAX_BYTES ((size_t)64 << 20) /* limit while a file system does not respond */
#define KERNEL_NAME	"[kernel.kallsyms]"
#define OFFSET_NS	60000000000ULL
#define FRESH_NS	10000000000ULL
#define UNION_BYTES	24 /* in MMAP2: device and inode, or the build-id */

/* A mapped file that could not be found. */
struct missing_file {
	uint32_t maj, min;
	uint64_t ino, generation;
};

struct buildid_row {
	char *path;
	uint16_t misc;
	bool known;    /* id is that of a file mapped here; bytes 0: it has none */
	bool is_mixed; /* different files were mapped here */
	bool is_missing;
	struct missing_file missing;
	int32_t pid;  /* a process that had the file mapped, the last one */
	uint64_t ino; /* 0: its record had the build-id instead */
	/*
	 * ctime (CLOCK_MONOTONIC) minus time of the map (the records' clock), the most of the maps of
	 * the last seconds; while `is_fresh`
	 */
	int64_t changed_minus_mapped_ns;
	uint64_t read_ns; /* CLOCK_MONOTONIC */
	bool is_fresh;
	uint8_t bytes, id[DATA_BUILD_ID_MAX];
};

struct buildid_reader {
	struct buildids *ids;
	pthread_t thread;
	pthread_mutex_t lock; /* of all below */
	pthread_cond_t work, empty;
	struct buf queue; /* MMAP2 records, unchanged */
	bool ends, busy;
	bool is_partial; /* a record was dropped: no path is certain */
	struct buildid_row *rows;
	size_t n, cap;
	struct index_table index; /* by path */
	size_t time_back;	  /* of an MMAP2's time from the record's end; 0: it has none */
	/* CLOCK_MONOTONIC minus the records' clock, at most: of this minute and of the one before */
	int64_t offset_ns, offset_before_ns;
	uint64_t minute_began_ns; /* 0: unknown so far */
};

/* ---- rows ---- */

static bool same_path(const void *owner, uint32_t i, const void *key)
{
	return !strcmp(((const struct buildid_reader *)owner)->rows[i].path, key);
}

static struct buildid_row *row_find(struct buildid_reader *r, const char *path)
{
	uint32_t i = index_table_find(&r->index, hash_bytes(path, strlen(path)), same_path, r,
				      path);

	return i == PTUI_NONE ? NULL : &r->rows[i];
}

static struct buildid_row *row_get(struct buildid_reader *r, const char *path, uint16_t misc)
{
	struct buildid_row *row = row_find(r, path);

	if (row || vec_grow(&r->rows, &r->cap, r->n + 1))
		return row;
	row = &r->rows[r->n];
	*row = (struct buildid_row){ .path = strdup(path), .misc = misc };
	if (!row->path ||
	    index_table_add(&r->index, hash_bytes(path, strlen(path)), (uint32_t)r->n)) {
		free(row->path);
		return NULL;
	}
	r->n++;
	return row;
}

static struct missing_file missing_file_of(const struct data_mmap *m)
{
	struct missing_file file;

	memset(&file, 0, sizeof(file)); /* compared with memcmp() */
	file.maj = m->maj;
	file.min = m->min;
	file.ino = m->ino;
	file.generation = m->ino_generation;
	return file;
}

static void row_note_known(struct buildid_row *row, const struct data_mmap *m)
{
	struct missing_file file = missing_file_of(m);

	if (row->known &&
	    (row->bytes != m->build_id_bytes || memcmp(row->id, m->build_id, row->bytes)))
		row->is_mixed = true;
	if (row->is_missing && !memcmp(&row->missing, &file, sizeof(file)))
		row->is_missing = false;
	row->known = true;
	row->pid = m->pid;
	row->ino = m->ino;
	row->bytes = m->build_id_bytes;
	memcpy(row->id, m->build_id, sizeof(row->id));
}

/* Another process may find it later, for example if a container's first process has exited. */
static void row_note_missing(struct buildid_row *row, const struct data_mmap *m)
{
	struct missing_file file = missing_file_of(m);

	if (row->is_missing && memcmp(&row->missing, &file, sizeof(file)))
		row->is_mixed = true;
	row->is_missing = true;
	row->missing = file;
}

static bool row_has_id(const struct buildid_row *row)
{
	return row->known && row->bytes && !row->is_mixed && !row->is_missing;
}

/* ---- files that were changed after they were mapped ---- */

static void reader_note_time(struct buildid_reader *r, uint64_t record_ns, uint64_t now_ns)
{
	int64_t offset_ns = (int64_t)(now_ns - record_ns);

	/* the clocks drift: an offset is not kept for long */
	if (!r->minute_began_ns || now_ns - r->minute_began_ns >= OFFSET_NS) {
		r->offset_before_ns = r->minute_began_ns ? r->offset_ns : offset_ns;
		r->offset_ns = offset_ns;
		r->minute_began_ns = now_ns;
	}
	if (offset_ns < r->offset_ns)
		r->offset_ns = offset_ns;
}

static uint64_t time_of_map(const struct buildid_reader *r, const struct perf_event_header *h,
			    const uint8_t *body)
{
	uint64_t ns;

	if (!r->time_back || h->size < sizeof(*h) + r->time_back)
		return 0;
	memcpy(&ns, body + h->size - sizeof(*h) - r->time_back, sizeof(ns));
	return ns;
}

/* `mapped_ns` 0: a base record, mapped at an unknown time. */
static void row_note_changed(struct buildid_row *row, const struct timespec *changed,
			     uint64_t mapped_ns)
{
	uint64_t now_ns = clock_monotonic_ns();
	int64_t since_ns, changed_ns;

	if (!mapped_ns || !changed->tv_sec)
		return;
	changed_ns = (int64_t)changed->tv_sec * 1000000000 + changed->tv_nsec;
	changed_ns -= (int64_t)(clock_read_ns(CLOCK_REALTIME) - now_ns);
	since_ns = changed_ns - (int64_t)mapped_ns;
	if (!row->is_fresh || since_ns > row->changed_minus_mapped_ns)
		row->changed_minus_mapped_ns = since_ns;
	row->is_fresh = true;
	row->read_ns = now_ns;
}

/* Better estimates of the offset come later, but not much later. */
static void row_check_changed(struct buildid_reader *r, struct buildid_row *row)
{
	int64_t offset_ns = r->offset_ns < r->offset_before_ns ? r->offset_ns : r->offset_before_ns;

	if (!row->is_fresh || !r->minute_began_ns)
		return;
	if (row->changed_minus_mapped_ns > offset_ns)
		row->is_mixed = true;
	row->is_fresh = clock_monotonic_ns() - row->read_ns < FRESH_NS;
}

/* ---- the thread ---- */

/* False: cannot have a build-id. */
static bool parse_mmap2(const struct perf_event_header *h, const uint8_t *body, struct data_mmap *m)
{
	struct cursor c;
	const uint8_t *file;

	memset(m, 0, sizeof(*m));
	cursor_init(&c, body, h->size - sizeof(*h), false);
	m->pid = (int32_t)cursor_u32(&c);
	m->tid = (int32_t)cursor_u32(&c);
	m->start = cursor_u64(&c);
	m->len = cursor_u64(&c);
	m->pgoff = cursor_u64(&c);
	file = cursor_bytes(&c, UNION_BYTES);
	m->prot = cursor_u32(&c);
	m->flags = cursor_u32(&c);
	if (c.bad || !memchr(c.p, 0, cursor_left(&c)))
		return false;
	m->path = (const char *)c.p;
	if (h->misc & PERF_RECORD_MISC_MMAP_BUILD_ID) {
		m->build_id_bytes = file[0] <= DATA_BUILD_ID_MAX ? file[0] : 0;
		memcpy(m->build_id, file + 4, m->build_id_bytes);
		return true;
	}
	cursor_init(&c, file, UNION_BYTES, false);
	m->maj = cursor_u32(&c);
	m->min = cursor_u32(&c);
	m->ino = cursor_u64(&c);
	m->ino_generation = cursor_u64(&c);
	return m->prot & PROT_EXEC && m->path[0] == '/' && m->ino;
}

/*
 * The map of the kernel text has the name of its first symbol appended: "[kernel.kallsyms]_text".
 */
static const char *path_in_table(const struct perf_event_header *h, const struct data_mmap *m)
{
	bool kernel = (h->misc & DATA_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;

	return kernel && !strncmp(m->path, KERNEL_NAME, strlen(KERNEL_NAME)) ? KERNEL_NAME :
									       m->path;
}

static void read_one(struct buildid_reader *r, const struct perf_event_header *h,
		     const uint8_t *body)
{
	struct timespec changed = { 0, 0 };
	struct buildid_row *row;
	struct data_mmap m;
	bool found;

	if (!parse_mmap2(h, body, &m))
		return;
	found = m.build_id_bytes || buildids_of_map(r->ids, &m, &changed);
	pthread_mutex_lock(&r->lock);
	row = row_get(r, path_in_table(h, &m), h->misc & DATA_CPUMODE_MASK);
	if (!row)
		r->is_partial = true;
	else if (found)
		row_note_known(row, &m);
	else
		row_note_missing(row, &m);
	if (row)
		row_note_changed(row, &changed, time_of_map(r, h, body));
	pthread_mutex_unlock(&r->lock);
}

static void read_all(struct buildid_reader *r, const struct buf *records)
{
	struct perf_event_header h;

	for (size_t at = 0; at < records->len; at += h.size) {
		memcpy(&h, records->data + at, sizeof(h));
		read_one(r, &h, (const uint8_t *)records->data + at + sizeof(h));
	}
}

static void *reader_main(void *arg)
{
	struct buildid_reader *r = arg;
	struct buf records;

	pthread_mutex_lock(&r->lock);
	while (!r->ends) {
		if (!r->queue.len) {
			r->busy = false;
			pthread_cond_broadcast(&r->empty);
			pthread_cond_wait(&r->work, &r->lock);
			continue;
		}
		r->busy = true;
		records = r->queue;
		r->queue = (struct buf)BUF_INIT;
		pthread_mutex_unlock(&r->lock);
		read_all(r, &records);
		buf_release(&records);
		pthread_mutex_lock(&r->lock);
	}
	pthread_mutex_unlock(&r->lock);
	return NULL;
}

/* ---- called by other threads ---- */

static void reader_release(struct buildid_reader *r)
{
	for (size_t i = 0; i < r->n; i++)
		free(r->rows[i].path);
	free(r->rows);
	index_table_release(&r->index);
	buf_release(&r->queue);
	pthread_cond_destroy(&r->work);
	pthread_cond_destroy(&r->empty);
	pthread_mutex_destroy(&r->lock);
	free(r);
}

struct buildid_reader *buildid_reader_new(struct buildids *ids, struct ptui_error *err)
{
	struct buildid_reader *r = calloc(1, sizeof(*r));
	int ret;

	if (!r) {
		ptui_error_nomem(err);
		return NULL;
	}
	r->ids = ids;
	index_table_init(&r->index);
	pthread_mutex_init(&r->lock, NULL);
	pthread_cond_init(&r->work, NULL);
	thread_cond_init(&r->empty);
	ret = thread_start(&r->thread, reader_main, r);
	if (!ret)
		return r;
	ptui_error_errno(err, -ret, "thread", _("cannot start the build-id reader thread"));
	reader_release(r);
	return NULL;
}

void buildid_reader_free(struct buildid_reader *r)
{
	if (!r)
		return;
	pthread_mutex_lock(&r->lock);
	r->ends = true;
	pthread_cond_signal(&r->work);
	pthread_mutex_unlock(&r->lock);
	pthread_join(r->thread, NULL);
	reader_release(r);
}

/* The trailer of a record is TID, TIME, ID, STREAM_ID, CPU and IDENTIFIER, eight bytes each. */
void buildid_reader_set_events(struct buildid_reader *r, const struct event_list *events)
{
	const uint64_t from_time = PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID |
				   PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER;

	for (size_t i = 0; i < events->n; i++) {
		const struct perf_event_attr *attr = &events->v[i].attr;

		if (attr->mmap2 && attr->sample_id_all && attr->sample_type & PERF_SAMPLE_TIME)
			r->time_back = 8 *
				       (size_t)__builtin_popcountll(attr->sample_type & from_time);
	}
}

void buildid_reader_note_time(struct buildid_reader *r, uint64_t record_ns, uint64_t now_ns)
{
	pthread_mutex_lock(&r->lock);
	reader_note_time(r, record_ns, now_ns);
	pthread_mutex_unlock(&r->lock);
}

void buildid_reader_add(struct buildid_reader *r, const void *record, size_t bytes)
{
	struct perf_event_header h;
	uint64_t mapped_ns;

	pthread_mutex_lock(&r->lock);
	memcpy(&h, record, sizeof(h));
	mapped_ns = time_of_map(r, &h, (const uint8_t *)record + sizeof(h));
	if (mapped_ns)
		reader_note_time(r, mapped_ns, clock_monotonic_ns());
	if (r->queue.len + bytes > QUEUE_MAX_BYTES)
		r->is_partial = true;
	else
		buf_add(&r->queue, record, bytes);
	r->is_partial |= r->queue.err != 0;
	pthread_cond_signal(&r->work);
	pthread_mutex_unlock(&r->lock);
}

void buildid_reader_add_all(struct buildid_reader *r, const void *records, size_t bytes)
{
	struct perf_event_header h;

	for (size_t at = 0; bytes - at >= sizeof(h); at += h.size) {
		memcpy(&h, (const char *)records + at, sizeof(h));
		if (h.size < sizeof(h) || h.size > bytes - at)
			break;
		if (h.type == PERF_RECORD_MMAP2)
			buildid_reader_add(r, (const char *)records + at, h.size);
	}
}

void buildid_reader_wait(struct buildid_reader *r, unsigned ms)
{
	uint64_t until_ns = clock_monotonic_ns() + (uint64_t)ms * 1000000;

	pthread_mutex_lock(&r->lock);
	while ((r->queue.len || r->busy) && thread_cond_wait_until(&r->empty, &r->lock, until_ns))
		;
	pthread_mutex_unlock(&r->lock);
}

int buildid_reader_table(struct buildid_reader *r, struct buf *out)
{
	int ret = 0;

	pthread_mutex_lock(&r->lock);
	for (size_t i = 0; i < r->n && !ret && !r->is_partial; i++) {
		struct buildid_row *row = &r->rows[i];
		struct data_build_id item = {
			.path = row->path, .pid = -1, .misc = row->misc, .bytes = row->bytes
		};

		row_check_changed(r, row);
		if (!row_has_id(row))
			continue;
		memcpy(item.id, row->id, sizeof(item.id));
		ret = feature_build_id(out, &item);
		if (ret == -E2BIG) /* path too long for the table */
			ret = 0;
	}
	pthread_mutex_unlock(&r->lock);
	return ret ? ret : out->err;
}

int buildid_reader_flush(struct buildid_reader *r, struct data_writer *w, struct ptui_error *err)
{
	struct buf table = BUF_INIT;
	int ret;

	if (!r)
		return 0;
	if (buildid_reader_table(r, &table))
		ret = ptui_error_nomem(err);
	else
		ret = data_writer_refresh_feature(w, PTUI_FEAT_BUILD_ID, table.data, table.len,
						  err);
	buf_release(&table);
	return ret;
}

static bool row_is_at_path(const struct buildid_row *row, const struct buildids *ids)
{
	uint8_t id[DATA_BUILD_ID_MAX];
	struct stat st;

	if (stat(row->path, &st))
		return false;
	if (row->ino)
		return st.st_ino == row->ino;
	return S_ISREG(st.st_mode) && ids->fn(ids->ctx, row->path, id) == row->bytes &&
	       !memcmp(id, row->id, row->bytes);
}

/* The file is not at its path now, as we see it, but a process has it. */
static bool row_is_hidden(const struct buildid_row *row, const struct buildids *ids)
{
	char process[256];

	if (!row_has_id(row) || row->path[0] != '/')
		return false;
	snprintf(process, sizeof(process), "%s/%d/maps", ids->roots->proc, (int)row->pid);
	return !access(process, F_OK) && !row_is_at_path(row, ids);
}

bool buildid_reader_has_hidden(struct buildid_reader *r)
{
	bool has = false;

	pthread_mutex_lock(&r->lock);
	for (size_t i = 0; i < r->n && !has; i++)
		has = row_is_hidden(&r->rows[i], r->ids);
	pthread_mutex_unlock(&r->lock);
	return has;
}

int buildid_reader_find(struct buildid_reader *r, const char *path, uint8_t id[DATA_BUILD_ID_MAX])
{
	struct buildid_row *row;
	int bytes = 0;

	pthread_mutex_lock(&r->lock);
	row = r->is_partial ? NULL : row_find(r, path);
	if (row)
		row_check_changed(r, row);
	if (row && row_has_id(row)) {
		memcpy(id, row->id, DATA_BUILD_ID_MAX);
		bytes = row->bytes;
	}
	pthread_mutex_unlock(&r->lock);
	return bytes;
}
