/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Adding records, and sorting them. */
#include "machine/machine.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "base/perf_abi.h"
#include "base/vec.h"
#include "machine/private.h"

/* misc of a synthesized FORK (tools/perf/util/synthetic-events.c) */
#define MISC_FORK_SYNTHESIZED (1u << 13)

struct machine *machine_new(struct strpool *names)
{
	struct machine *m = calloc(1, sizeof(*m));

	if (!m)
		return NULL;
	m->names = names;
	index_table_init(&m->module_index);
	index_table_init(&m->proc_index);
	index_table_init(&m->thread_index);
	m->swapper = strpool_add(names, "swapper");
	if (m->swapper == PTUI_NONE) {
		machine_free(m);
		return NULL;
	}
	return m;
}

void machine_free(struct machine *m)
{
	if (!m)
		return;
	for (size_t i = 0; i < m->n_spaces; i++)
		free(m->spaces[i].nodes);
	for (size_t i = 0; i < m->n_procs; i++)
		free(m->procs[i].spaces);
	for (size_t i = 0; i < m->n_threads; i++)
		free(m->threads[i].spans);
	index_table_release(&m->module_index);
	index_table_release(&m->proc_index);
	index_table_release(&m->thread_index);
	free(m->ended);
	free(m->ended_threads);
	free(m->free_spaces);
	free(m->with_former);
	free(m->crowded);
	free(m->events);
	free(m->listed);
	free(m->modules);
	free(m->spaces);
	free(m->touched);
	free(m->procs);
	free(m->threads);
	free(m);
}

static int event_add(struct machine *m, uint64_t seq, struct timed_event *e)
{
	if (m->n_events >= UINT32_MAX - 1 - m->n_sealed ||
	    vec_grow(&m->events, &m->cap_events, m->n_events + 1) < 0)
		return -ENOMEM;
	e->seq = seq;
	e->added = (uint32_t)m->n_events;
	m->events[m->n_events++] = *e;
	return 0;
}

static uint64_t end_of(uint64_t start, uint64_t len)
{
	return start + len < start ? UINT64_MAX : start + len;
}

static int add_map(struct machine *m, const struct data_record *rec, uint64_t when)
{
	const struct data_mmap *map = &rec->mmap;
	unsigned mode = rec->misc & DATA_CPUMODE_MASK;
	bool kernel = map->pid == -1 || mode == DATA_MODE_KERNEL;
	uint64_t len = map->len;
	struct timed_event e = { .kind = EVENT_MAP, .when = when };

	if (mode == DATA_MODE_GUEST_KERNEL || mode == DATA_MODE_GUEST_USER || !map->path ||
	    !strncmp(map->path, "[guest.kernel", 13))
		return 0;
	if (kernel && !map->start && !len) /* old recordings: the whole address space */
		len = UINT64_MAX;
	if (!len)
		return 0;
	e.module = module_of_map(m, map, kernel);
	if (e.module == PTUI_NONE)
		return -ENOMEM;
	e.pid = kernel ? -1 : map->pid;
	e.start = map->start;
	e.end = end_of(map->start, len);
	e.pgoff = map->pgoff;
	e.prot = map->prot;
	if (!module_is_kernel(m, e.module))
		return event_add(m, rec->seq, &e);
	if (e.end > m->modules[e.module].recorded_end)
		m->modules[e.module].recorded_end = e.end;
	m->modules[e.module].ref_stext = strstr(map->path, "]_stext") != NULL;
	e.end = UINT64_MAX;
	/* Since it has no end, it must not hide earlier maps. */
	e.when = 0;
	return event_add(m, 0, &e);
}

static int add_ksymbol(struct machine *m, const struct data_record *rec, uint64_t when)
{
	bool unregister = rec->ksymbol.flags & 1;
	struct timed_event e = { .kind = unregister ? EVENT_UNMAP_KSYMBOL : EVENT_MAP,
				 .when = when,
				 .pid = -1,
				 .start = rec->ksymbol.addr,
				 .end = end_of(rec->ksymbol.addr, rec->ksymbol.len),
				 .prot = PROT_READ | PROT_EXEC };

	if (!rec->ksymbol.name || !rec->ksymbol.len)
		return 0;
	e.module = module_of_ksymbol(m, rec->ksymbol.name);
	return e.module == PTUI_NONE ? -ENOMEM : event_add(m, rec->seq, &e);
}

static int add_comm(struct machine *m, const struct data_record *rec, uint64_t when)
{
	struct timed_event e = { .kind = rec->comm.exec ? EVENT_EXEC : EVENT_COMM,
				 .when = when,
				 .pid = rec->comm.pid,
				 .tid = rec->comm.tid };

	if (!rec->comm.name)
		return 0;
	e.comm = strpool_add(m->names, rec->comm.name);
	return e.comm == PTUI_NONE ? -ENOMEM : event_add(m, rec->seq, &e);
}

static int add_task(struct machine *m, enum event_kind kind, const struct data_record *rec,
		    uint64_t when)
{
	struct timed_event e = { .kind = kind,
				 .when = when,
				 .pid = rec->task.pid,
				 .tid = rec->task.tid,
				 .ppid = rec->task.ppid,
				 .ptid = rec->task.ptid,
				 .no_maps = rec->misc & MISC_FORK_SYNTHESIZED };

	return event_add(m, rec->seq, &e);
}

/*
 * EXIT does not end lookups: a sample taken on the way out still belongs to the process, and the
 * next process with the pid begins with a FORK. It only shows what may be dropped.
 */
int machine_add(struct machine *m, const struct data_record *rec, uint64_t when)
{
	switch (rec->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		return add_map(m, rec, when);
	case PERF_RECORD_COMM:
		return add_comm(m, rec, when);
	case PERF_RECORD_FORK:
		return add_task(m, EVENT_FORK, rec, when);
	case PERF_RECORD_EXIT:
		return m->track_ends ? add_task(m, EVENT_EXIT, rec, when) : 0;
	case PERF_RECORD_KSYMBOL:
		return add_ksymbol(m, rec, when);
	default:
		return 0;
	}
}

int machine_add_build_id(struct machine *m, const char *path, const uint8_t *id, uint8_t bytes)
{
	struct listed_build_id *t;

	if (!bytes || bytes > DATA_BUILD_ID_MAX)
		return 0;
	if (vec_grow(&m->listed, &m->cap_listed, m->n_listed + 1) < 0)
		return -ENOMEM;
	t = &m->listed[m->n_listed];
	t->path = strpool_add(m->names, path);
	if (t->path == PTUI_NONE)
		return -ENOMEM;
	t->bytes = bytes;
	memset(t->id, 0, sizeof(t->id));
	memcpy(t->id, id, bytes);
	m->n_listed++;
	return 0;
}

static int event_compare(const void *va, const void *vb)
{
	const struct timed_event *a = va, *b = vb;

	if (a->when != b->when)
		return a->when < b->when ? -1 : 1;
	if (a->seq != b->seq)
		return a->seq < b->seq ? -1 : 1;
	return a->added < b->added ? -1 : a->added > b->added;
}

/* The number of sorted events up to `when`. */
static size_t events_until(const struct machine *m, uint64_t when)
{
	return bisect(i, m->n_events, m->events[i].when <= when);
}

int machine_seal_until(struct machine *m, uint64_t when)
{
	size_t n;
	int ret;

	if (m->n_events)
		qsort(m->events, m->n_events, sizeof(*m->events), event_compare);
	ret = m->sealed ? 0 : modules_merge(m);
	n = events_until(m, when);
	if (!ret)
		ret = spaces_build(m, n);
	if (!ret)
		ret = comms_build(m, n);
	m->sealed = true;
	m->n_sealed += (uint32_t)n;
	m->n_events -= n;
	if (m->n_events)
		memmove(m->events, m->events + n, m->n_events * sizeof(*m->events));
	if (when > m->known_until)
		m->known_until = when;
	return ret;
}

int machine_seal(struct machine *m)
{
	int ret = machine_seal_until(m, UINT64_MAX);

	free(m->events);
	m->events = NULL;
	m->n_events = m->cap_events = 0;
	return ret;
}

uint64_t machine_known_until(const struct machine *m)
{
	return m->known_until;
}

size_t machine_n_modules(const struct machine *m)
{
	return m->n_modules;
}

const struct module_ref *machine_module(const struct machine *m, uint32_t id)
{
	return id < m->n_modules ? &m->modules[id] : NULL;
}
