/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Synthesized records. */
#include "data/write/writer.h"

#include <errno.h>
#include <string.h>
#include "base/buf.h"

#define HEADER_BYTES 8
#define RECORD_ALIGN 8
#define RECORD_LIMIT UINT16_MAX /* header.size has 16 bits */
#define COMM_BYTES   16

/*
 *   +------+------+------+-----------------+---------------+-----------+
 *   | type | misc | size | fixed fields    | text, NUL, 0s | id trailer|
 *   +------+------+------+-----------------+---------------+-----------+
 *     u32    u16    u16: of the whole record, a multiple of 8
 *
 * record_begin(), then the fields, then record_end(), which sets the size.
 */
static size_t record_begin(struct buf *out, uint32_t type, uint16_t misc)
{
	size_t start = out->len;

	buf_add_u32(out, type);
	buf_add_u16(out, misc);
	buf_add_u16(out, 0);
	return start;
}

/* Removes a record that exceeds its size field: -E2BIG. */
static int record_end(struct buf *out, size_t start)
{
	uint16_t size;

	if (out->err)
		return out->err;
	if (out->len - start > RECORD_LIMIT) {
		out->len = start;
		out->data[start] = '\0';
		return -E2BIG;
	}
	size = (uint16_t)(out->len - start);
	memcpy(out->data + start + 6, &size, sizeof(size));
	return 0;
}

static void add_padding(struct buf *out, size_t start)
{
	size_t over = (out->len - start) % RECORD_ALIGN;

	if (over)
		buf_add_zeros(out, RECORD_ALIGN - over);
}

static void add_text(struct buf *out, size_t start, const char *text)
{
	buf_add(out, text, strlen(text) + 1);
	add_padding(out, start);
}

void data_put_id(struct buf *out, const struct perf_event_attr *attr, const struct data_id *id)
{
	static const struct data_id zero;

	if (!attr->sample_id_all)
		return;
	if (!id)
		id = &zero;
	if (attr->sample_type & PERF_SAMPLE_TID) {
		buf_add_u32(out, (uint32_t)id->pid);
		buf_add_u32(out, (uint32_t)id->tid);
	}
	if (attr->sample_type & PERF_SAMPLE_TIME)
		buf_add_u64(out, id->time_ns);
	if (attr->sample_type & PERF_SAMPLE_ID)
		buf_add_u64(out, id->id);
	if (attr->sample_type & PERF_SAMPLE_STREAM_ID)
		buf_add_u64(out, id->stream_id);
	if (attr->sample_type & PERF_SAMPLE_CPU) {
		buf_add_u32(out, id->cpu);
		buf_add_u32(out, 0);
	}
	if (attr->sample_type & PERF_SAMPLE_IDENTIFIER)
		buf_add_u64(out, id->id);
}

int data_put_mmap2(struct buf *out, const struct data_mmap *m, uint16_t misc,
		   const struct perf_event_attr *attr, const struct data_id *id)
{
	bool build_id = m->build_id_bytes > 0 && m->build_id_bytes <= DATA_BUILD_ID_MAX;
	size_t start;

	misc &= (uint16_t)~PERF_RECORD_MISC_MMAP_BUILD_ID;
	if (build_id)
		misc |= PERF_RECORD_MISC_MMAP_BUILD_ID;
	start = record_begin(out, PERF_RECORD_MMAP2, misc);
	buf_add_u32(out, (uint32_t)m->pid);
	buf_add_u32(out, (uint32_t)m->tid);
	buf_add_u64(out, m->start);
	buf_add_u64(out, m->len);
	buf_add_u64(out, m->pgoff);
	if (build_id) {
		buf_add_u8(out, m->build_id_bytes);
		buf_add_zeros(out, 3);
		buf_add(out, m->build_id, m->build_id_bytes);
		buf_add_zeros(out, DATA_BUILD_ID_MAX - m->build_id_bytes);
	} else {
		buf_add_u32(out, m->maj);
		buf_add_u32(out, m->min);
		buf_add_u64(out, m->ino);
		buf_add_u64(out, m->ino_generation);
	}
	buf_add_u32(out, m->prot);
	buf_add_u32(out, m->flags);
	add_text(out, start, m->path);
	data_put_id(out, attr, id);
	return record_end(out, start);
}

int data_put_mmap(struct buf *out, const struct data_mmap *m, uint16_t misc,
		  const struct perf_event_attr *attr, const struct data_id *id)
{
	size_t start = record_begin(out, PERF_RECORD_MMAP, misc);

	buf_add_u32(out, (uint32_t)m->pid);
	buf_add_u32(out, (uint32_t)m->tid);
	buf_add_u64(out, m->start);
	buf_add_u64(out, m->len);
	buf_add_u64(out, m->pgoff);
	add_text(out, start, m->path);
	data_put_id(out, attr, id);
	return record_end(out, start);
}

int data_put_comm(struct buf *out, int32_t pid, int32_t tid, const char *comm, uint16_t misc,
		  const struct perf_event_attr *attr, const struct data_id *id)
{
	size_t start = record_begin(out, PERF_RECORD_COMM, misc);

	buf_add_u32(out, (uint32_t)pid);
	buf_add_u32(out, (uint32_t)tid);
	add_text(out, start, comm);
	data_put_id(out, attr, id);
	return record_end(out, start);
}

int data_put_fork(struct buf *out, int32_t pid, int32_t ppid, int32_t tid, int32_t ptid,
		  const struct perf_event_attr *attr, const struct data_id *id)
{
	size_t start = record_begin(out, PERF_RECORD_FORK, 0);

	buf_add_u32(out, (uint32_t)pid);
	buf_add_u32(out, (uint32_t)ppid);
	buf_add_u32(out, (uint32_t)tid);
	buf_add_u32(out, (uint32_t)ptid);
	buf_add_u64(out, id ? id->time_ns : 0);
	data_put_id(out, attr, id);
	return record_end(out, start);
}

int data_put_namespaces(struct buf *out, int32_t pid, int32_t tid, const struct data_namespace *v,
			size_t n, const struct perf_event_attr *attr, const struct data_id *id)
{
	size_t start = record_begin(out, PERF_RECORD_NAMESPACES, 0);

	buf_add_u32(out, (uint32_t)pid);
	buf_add_u32(out, (uint32_t)tid);
	buf_add_u64(out, n);
	for (size_t i = 0; i < n; i++) {
		buf_add_u64(out, v[i].dev);
		buf_add_u64(out, v[i].ino);
	}
	data_put_id(out, attr, id);
	return record_end(out, start);
}

int data_put_cgroup(struct buf *out, uint64_t cgroup, const char *path,
		    const struct perf_event_attr *attr, const struct data_id *id)
{
	size_t start = record_begin(out, PERF_RECORD_CGROUP, 0);

	buf_add_u64(out, cgroup);
	add_text(out, start, path);
	data_put_id(out, attr, id);
	return record_end(out, start);
}

int data_put_ksymbol(struct buf *out, const struct data_ksymbol *symbol,
		     const struct perf_event_attr *attr, const struct data_id *id)
{
	size_t start = record_begin(out, PERF_RECORD_KSYMBOL, 0);

	buf_add_u64(out, symbol->addr);
	buf_add_u32(out, symbol->len);
	buf_add_u16(out, symbol->type);
	buf_add_u16(out, symbol->flags);
	add_text(out, start, symbol->name);
	data_put_id(out, attr, id);
	return record_end(out, start);
}

int data_put_bpf_load(struct buf *out, uint32_t program_id, const uint8_t tag[8],
		      const struct perf_event_attr *attr, const struct data_id *id)
{
	size_t start = record_begin(out, PERF_RECORD_BPF_EVENT, 0);

	buf_add_u16(out, PERF_BPF_EVENT_PROG_LOAD);
	buf_add_u16(out, 0); /* flags */
	buf_add_u32(out, program_id);
	buf_add(out, tag, 8);
	data_put_id(out, attr, id);
	return record_end(out, start);
}

int data_put_lost(struct buf *out, uint64_t event_id, uint64_t lost,
		  const struct perf_event_attr *attr, const struct data_id *id)
{
	size_t start = record_begin(out, PERF_RECORD_LOST, 0);

	buf_add_u64(out, event_id);
	buf_add_u64(out, lost);
	data_put_id(out, attr, id);
	return record_end(out, start);
}

int data_put_user(struct buf *out, uint32_t type, const void *payload, size_t n)
{
	size_t start = record_begin(out, type, 0);

	if (n > RECORD_LIMIT)
		n = RECORD_LIMIT + 1; /* makes record_end() fail */
	if (n)
		buf_add(out, payload, n);
	add_padding(out, start);
	return record_end(out, start);
}

/* Ids that do not fit one record go into several, as in perf. */
int data_put_id_index(struct buf *out, const struct data_id_index_entry *v, size_t n)
{
	const size_t max = (RECORD_LIMIT - HEADER_BYTES - 8) / 32;

	while (n) {
		size_t part = n < max ? n : max, start;
		int ret;

		start = record_begin(out, PTUI_RECORD_ID_INDEX, 0);
		buf_add_u64(out, part);
		for (size_t i = 0; i < part; i++) {
			buf_add_u64(out, v[i].id);
			buf_add_u64(out, v[i].event);
			buf_add_u64(out, (uint64_t)(int64_t)v[i].cpu);
			buf_add_u64(out, (uint64_t)(int64_t)v[i].tid);
		}
		ret = record_end(out, start);
		if (ret)
			return ret;
		v += part;
		n -= part;
	}
	return out->err;
}

int data_put_thread_map(struct buf *out, const int32_t *tids, const char *const *comms, size_t n)
{
	const size_t max = (RECORD_LIMIT - HEADER_BYTES - 8) / (8 + COMM_BYTES);
	size_t start;

	if (n > max)
		return -E2BIG;
	start = record_begin(out, PTUI_RECORD_THREAD_MAP, 0);
	buf_add_u64(out, n);
	for (size_t i = 0; i < n; i++) {
		const char *comm = comms && comms[i] ? comms[i] : "";
		size_t len = strnlen(comm, COMM_BYTES - 1);

		buf_add_u64(out, (uint64_t)(int64_t)tids[i]);
		buf_add(out, comm, len);
		buf_add_zeros(out, COMM_BYTES - len);
	}
	return record_end(out, start);
}

/* As a list of numbers (type 0), which every perf since 4.5 reads. */
int data_put_cpu_map(struct buf *out, const int32_t *cpus, size_t n)
{
	size_t start;

	if (n > (RECORD_LIMIT - HEADER_BYTES - 4) / 2 - RECORD_ALIGN)
		return -E2BIG;
	start = record_begin(out, PTUI_RECORD_CPU_MAP, 0);
	buf_add_u16(out, 0);
	buf_add_u16(out, (uint16_t)n);
	for (size_t i = 0; i < n; i++)
		buf_add_u16(out, (uint16_t)cpus[i]);
	add_padding(out, start);
	return record_end(out, start);
}

int data_put_event_update(struct buf *out, uint64_t id, enum data_event_update what,
			  const void *bytes, size_t n)
{
	size_t start = record_begin(out, PTUI_RECORD_EVENT_UPDATE, 0);

	buf_add_u64(out, what);
	buf_add_u64(out, id);
	buf_add(out, bytes, n);
	add_padding(out, start);
	return record_end(out, start);
}
