/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records that are no samples: names, maps, losses, times. */
#include "session/builder.h"

#include <errno.h>
#include "base/cursor.h"
#include "base/perf_abi.h"
#include "base/vec.h"

/* The event that a record belongs to; PTUI_NONE: unknown. */
static uint32_t record_event(const struct builder *b, const struct data_record *rec)
{
	return rec->id.has & DATA_HAS_ID ? data_event_of_id(b->file, rec->id.id) : 0;
}

/* Whether the event is a dummy that only carries sideband records. */
static bool is_sideband(const struct builder *b, uint32_t event)
{
	const struct data_event *e = event == PTUI_NONE ? NULL : data_event(b->file, event);

	return e && e->sideband && e->type == PERF_TYPE_SOFTWARE &&
	       e->config == PERF_COUNT_SW_DUMMY;
}

static int count_lost_samples(struct builder *b, const struct data_record *rec)
{
	uint32_t event = record_event(b, rec);
	size_t had = b->cap_lost;

	b->trust.lost_samples += rec->lost.lost;
	if (is_sideband(b, event))
		b->lost_sideband_samples += rec->lost.lost;
	if (event == PTUI_NONE)
		return 0;
	if (vec_grow(&b->lost_samples, &b->cap_lost, event + 1))
		return -ENOMEM;
	for (size_t i = had; i < b->cap_lost; i++)
		b->lost_samples[i] = 0;
	b->lost_samples[event] += rec->lost.lost;
	return 0;
}

/* ---- enabled and running times ---- */

static bool times_same(const void *owner, uint32_t index, const void *key)
{
	const struct builder_times *a = &((const struct builder *)owner)->times[index], *b = key;

	return a->event == b->event && a->tid == b->tid && a->pid == b->pid;
}

static int add_times(struct builder *b, const struct data_record *rec)
{
	struct builder_times one = { .event = record_event(b, rec),
				     .pid = rec->read.pid,
				     .tid = rec->read.tid },
			     *t;
	uint64_t hash = hash_pair(one.event, (uint32_t)one.tid);
	uint32_t i;

	if (one.event == PTUI_NONE)
		return 0;
	i = index_table_find(&b->times_index, hash, times_same, b, &one);
	if (i == PTUI_NONE) {
		i = (uint32_t)b->n_times;
		if (vec_grow(&b->times, &b->cap_times, b->n_times + 1) ||
		    index_table_add(&b->times_index, hash, i))
			return -ENOMEM;
		b->times[b->n_times++] = one;
	}
	t = &b->times[i];
	if (rec->read.has_value) {
		t->count += rec->read.value;
		t->has_count = true;
	}
	if (t->tid < 0)
		t->enabled_ns += rec->read.enabled_ns;
	else if (rec->read.enabled_ns > t->enabled_ns)
		t->enabled_ns = rec->read.enabled_ns;
	t->running_ns += rec->read.running_ns;
	return 0;
}

/* ---- AUX areas ---- */

static void count_aux(struct ptui_trust *t, const struct data_record *rec)
{
	t->aux_pieces++;
	t->aux_truncated += (rec->aux.flags & PERF_AUX_FLAG_TRUNCATED) != 0;
	t->aux_gaps += (rec->aux.flags & PERF_AUX_FLAG_PARTIAL) != 0;
	t->aux_collisions += (rec->aux.flags & PERF_AUX_FLAG_COLLISION) != 0;
}

static void note_aux_kind(struct builder *b, const struct data_record *rec)
{
	struct cursor c;

	cursor_init(&c, rec->body, rec->body_bytes, data_swapped(b->file));
	b->trust.aux_what = data_auxtrace_name(cursor_u32(&c));
}

/* ---- records ---- */

_Static_assert(THREAD_TIDS == DATA_TIDS, "thread_tid() undoes data_guest_thread()");

/* Of a guest only the names of its threads; its files are not here. */
static int add_guest_record(struct builder *b, const struct data_record *rec,
			    const struct data_guest *guest)
{
	struct data_record r = *rec;

	switch (rec->type) {
	case PERF_RECORD_COMM:
		r.comm.pid = data_guest_thread(guest, rec->comm.pid);
		r.comm.tid = data_guest_thread(guest, rec->comm.tid);
		break;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		r.task.pid = data_guest_thread(guest, rec->task.pid);
		r.task.tid = data_guest_thread(guest, rec->task.tid);
		r.task.ppid = data_guest_thread(guest, rec->task.ppid);
		r.task.ptid = data_guest_thread(guest, rec->task.ptid);
		break;
	default:
		return 0;
	}
	return guest->number ? machine_add(b->machine, &r, builder_when(b->timed, rec)) : 0;
}

static int add_task_record(struct builder *b, const struct data_record *rec)
{
	struct data_guest guest;

	if (rec->id.has & DATA_HAS_ID && data_guest_of_id(b->file, rec->id.id, &guest))
		return add_guest_record(b, rec, &guest);
	if (jit_maps_note(&b->jit, rec) || (b->extras.wanted && builder_extras_record(b, rec)))
		return -ENOMEM;
	return machine_add(b->machine, rec, builder_when(b->timed, rec));
}

int builder_add_record(struct builder *b, const struct data_record *rec)
{
	struct ptui_trust *trust = &b->trust;

	b->sealed = false;
	switch (rec->type) {
	case PERF_RECORD_LOST:
		trust->lost_events += rec->lost.lost;
		trust->lost_chunks++;
		if (is_sideband(b, data_event_of_id(b->file, rec->lost.id)))
			b->lost_sideband += rec->lost.lost;
		return 0;
	case PERF_RECORD_LOST_SAMPLES:
		return count_lost_samples(b, rec);
	case PERF_RECORD_THROTTLE:
		trust->throttled++;
		return 0;
	case PERF_RECORD_AUX:
		count_aux(trust, rec);
		return 0;
	case PTUI_RECORD_AUXTRACE:
		trust->aux_records++;
		return 0;
	case PTUI_RECORD_AUXTRACE_INFO:
		note_aux_kind(b, rec);
		return 0;
	case PERF_RECORD_READ:
		return add_times(b, rec);
	case PERF_RECORD_CGROUP:
		return b->extras.wanted ? builder_extras_cgroup(b, rec) : 0;
	case PTUI_RECORD_CALLCHAIN_DEFERRED:
		return b->no_chains ? 0 :
				      deferred_add(&b->user_chains.deferred, rec,
						   builder_when(b->timed, rec));
	default:
		return add_task_record(b, rec);
	}
}
