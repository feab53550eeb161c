/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record/snapshot/sideband_log.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"
#include "record/snapshot/sideband_log_private.h"

#define LONG_ENTRIES 4096 /* below this pruning is not worth it */
/*
 * A sample may be taken after its task's EXIT, and the clocks of CPUs differ: keep this much before
 * the horizon.
 */
#define LINGER_NS	 1000000000ULL
#define FORK_SYNTHESIZED (1u << 13) /* misc bit of FORK, set by perf */

struct sideband_log *sideband_log_new(void)
{
	struct sideband_log *h = calloc(1, sizeof(*h));

	if (!h)
		return NULL;
	buf_init(&h->records);
	h->feed = data_open_feed(NULL);
	if (h->feed)
		h->walk = data_walk_new(h->feed, NULL);
	if (h->walk)
		return h;
	sideband_log_free(h);
	return NULL;
}

void sideband_log_free(struct sideband_log *h)
{
	if (!h)
		return;
	data_walk_free(h->walk);
	data_close(h->feed);
	buf_release(&h->records);
	free(h->v);
	free(h);
}

int sideband_log_event(struct sideband_log *h, const struct perf_event_attr *attr, const char *name,
		       const uint64_t *ids, size_t n_ids)
{
	return data_feed_event(h->feed, attr, sizeof(*attr), name, ids, n_ids);
}

/* ---- kinds of records ---- */

static bool is_kernel(const struct data_record *rec)
{
	unsigned mode = rec->misc & DATA_CPUMODE_MASK;

	return rec->mmap.pid == -1 || (mode != DATA_MODE_USER && mode != DATA_MODE_UNKNOWN);
}

static void note_map(struct sideband_entry *e, const struct data_record *rec)
{
	const struct data_mmap *m = &rec->mmap;

	e->kind = is_kernel(rec) ? SIDEBAND_STAYS : SIDEBAND_MAP;
	e->pid = m->pid;
	e->tid = m->tid;
	e->start = m->start;
	e->end = m->start + m->len < m->start ? UINT64_MAX : m->start + m->len;
}

static void note_comm(struct sideband_entry *e, const struct data_record *rec)
{
	e->kind = rec->comm.exec ? SIDEBAND_EXEC : SIDEBAND_COMM;
	e->pid = rec->comm.pid;
	e->tid = rec->comm.tid;
}

static void note_task(struct sideband_entry *e, const struct data_record *rec)
{
	e->kind = rec->type == PERF_RECORD_FORK ? SIDEBAND_FORK : SIDEBAND_EXIT;
	e->no_maps = rec->misc & FORK_SYNTHESIZED;
	e->pid = rec->task.pid;
	e->ppid = rec->task.ppid;
	e->tid = rec->task.tid;
	e->ptid = rec->task.ptid;
}

/* u32 pid, u32 tid, … */
static void note_namespaces(struct sideband_entry *e, const struct data_record *rec)
{
	if (rec->body_bytes < 2 * sizeof(e->pid))
		return;
	memcpy(&e->pid, rec->body, sizeof(e->pid));
	memcpy(&e->tid, rec->body + sizeof(e->pid), sizeof(e->tid));
	e->kind = SIDEBAND_NAMESPACES;
}

static void entry_fill(struct sideband_entry *e, const struct data_record *rec)
{
	switch (rec->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		note_map(e, rec);
		break;
	case PERF_RECORD_COMM:
		note_comm(e, rec);
		break;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		note_task(e, rec);
		break;
	case PERF_RECORD_NAMESPACES:
		note_namespaces(e, rec);
		break;
	case PERF_RECORD_KSYMBOL:
	case PERF_RECORD_BPF_EVENT:
	case PERF_RECORD_CGROUP:
	case PERF_RECORD_TEXT_POKE:
	case PTUI_RECORD_ID_INDEX:
	case PTUI_RECORD_THREAD_MAP:
	case PTUI_RECORD_CPU_MAP:
	case PTUI_RECORD_AUXTRACE_INFO:
		e->kind = SIDEBAND_STAYS;
		break;
	default:
		break;
	}
}

/* ---- adding ---- */

/*
 * Adds the record that was just copied. A record that cannot be parsed is kept, up to the horizon.
 */
static int add_entry(struct sideband_log *h, size_t off)
{
	struct data_record rec;
	struct sideband_entry *e;

	if (vec_grow(&h->v, &h->cap, h->n + 1))
		return -ENOMEM;
	e = &h->v[h->n++];
	*e = (struct sideband_entry){ .off = off,
				      .bytes = (uint32_t)(h->records.len - off),
				      .kind = SIDEBAND_MOMENT };
	data_walk_feed(h->walk, h->records.data + off, e->bytes);
	if (data_walk_next(h->walk, false, &rec, NULL))
		return 0;
	if (rec.id.has & DATA_HAS_TIME)
		e->time_ns = rec.id.time_ns;
	if (e->time_ns > h->newest_ns)
		h->newest_ns = e->time_ns;
	entry_fill(e, &rec);
	if (e->kind == SIDEBAND_MOMENT && rec.id.has & DATA_HAS_TID)
		e->pid = rec.id.pid;
	return 0;
}

/* A reader over the pieces. */
struct pieces {
	const struct iovec *iov;
	int n;
	size_t at; /* in iov[0] */
};

/* Appends the next `bytes` to `out` (NULL: skips them). False: not enough bytes. */
static bool pieces_read(struct pieces *p, size_t bytes, struct buf *out)
{
	while (bytes) {
		size_t here;

		if (!p->n)
			return false;
		here = p->iov->iov_len - p->at;
		if (here > bytes)
			here = bytes;
		if (out)
			buf_add(out, (const char *)p->iov->iov_base + p->at, here);
		p->at += here;
		bytes -= here;
		if (p->at == p->iov->iov_len) {
			p->iov++;
			p->n--;
			p->at = 0;
		}
	}
	return true;
}

static bool is_logged(uint32_t type)
{
	return type != PERF_RECORD_SAMPLE && type != PTUI_RECORD_FINISHED_ROUND;
}

int sideband_log_add(struct sideband_log *h, const struct iovec *iov, int n)
{
	struct pieces p = { .iov = iov, .n = n };
	struct perf_event_header header;
	int ret = 0;

	while (!ret && pieces_read(&p, sizeof(header), &h->records) && !h->records.err) {
		size_t off = h->records.len - sizeof(header);
		struct buf *out;

		memcpy(&header, h->records.data + off, sizeof(header));
		out = is_logged(header.type) ? &h->records : NULL;
		if (!out)
			h->records.len = off;
		if (header.size < sizeof(header) ||
		    !pieces_read(&p, header.size - sizeof(header), out)) {
			h->records.len = off;
			break;
		}
		if (out && !h->records.err)
			ret = add_entry(h, off);
	}
	return ret ? ret : h->records.err;
}

struct iovec sideband_log_records(const struct sideband_log *h)
{
	return (struct iovec){ .iov_base = h->records.data, .iov_len = h->records.len };
}

struct iovec sideband_log_unwritten(const struct sideband_log *h)
{
	size_t from = h->n_written < h->n ? h->v[h->n_written].off : h->records.len;

	return (struct iovec){ .iov_base = h->records.data + from,
			       .iov_len = h->records.len - from };
}

void sideband_log_note_written(struct sideband_log *h)
{
	h->n_written = h->n;
}

uint64_t sideband_log_newest_ns(const struct sideband_log *h)
{
	return h->newest_ns;
}

bool sideband_log_is_long(const struct sideband_log *h)
{
	return h->n >= LONG_ENTRIES && h->n >= 2 * h->n_pruned;
}

/* ---- pruning ---- */

static void sideband_log_drop(struct sideband_log *h, const bool *keep)
{
	size_t n = 0, to = 0, n_written = 0;

	for (size_t i = 0; i < h->n; i++) {
		struct sideband_entry e = h->v[i];

		if (!keep[i])
			continue;
		memmove(h->records.data + to, h->records.data + e.off, e.bytes);
		e.off = to;
		to += e.bytes;
		n_written += i < h->n_written;
		h->v[n++] = e;
	}
	h->n = n;
	h->n_written = n_written;
	h->records.len = to;
}

int sideband_log_prune(struct sideband_log *h, uint64_t horizon_ns)
{
	return sideband_log_prune_others(h, horizon_ns, 0, NULL);
}

int sideband_log_prune_others(struct sideband_log *h, uint64_t horizon_ns, uint64_t settled_ns,
			      const struct sideband_pids *sampled)
{
	bool *keep;
	int ret;

	h->n_pruned = h->n;
	if (horizon_ns <= LINGER_NS)
		return 0;
	keep = calloc(h->n + 1, sizeof(*keep));
	if (!keep)
		return -ENOMEM;
	ret = sideband_log_mark(h, horizon_ns - LINGER_NS, keep);
	if (!ret && sampled && settled_ns > horizon_ns)
		ret = sideband_log_mark_sampled(h, settled_ns - LINGER_NS, sampled, keep);
	if (!ret)
		sideband_log_drop(h, keep);
	free(keep);
	h->n_pruned = h->n;
	return ret;
}

int sideband_log_drop_moments(struct sideband_log *h)
{
	bool *keep = calloc(h->n + 1, sizeof(*keep));

	if (!keep)
		return -ENOMEM;
	for (size_t i = 0; i < h->n; i++)
		keep[i] = h->v[i].kind != SIDEBAND_MOMENT;
	sideband_log_drop(h, keep);
	free(keep);
	return 0;
}
