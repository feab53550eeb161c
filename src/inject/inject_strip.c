/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --strip: what is left is samples that were made, as with perf inject --itrace --strip, and the records
 * that describe the tasks. Samples of other events are dropped, AUX data as well, and the events
 * themselves: records that have the id of one get that of an event that stays, if their id fields are
 * in the same places; else the event stays, without samples.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "data/write/feature_payload.h"
#include "inject/private.h"

#define WORD_BYTES 8u
/* the id fields at the end of a record, in their order */
static const uint64_t id_fields[] = { PERF_SAMPLE_TID, PERF_SAMPLE_TIME,
				      PERF_SAMPLE_ID,  PERF_SAMPLE_STREAM_ID,
				      PERF_SAMPLE_CPU, PERF_SAMPLE_IDENTIFIER };
#define N_ID_FIELDS (sizeof(id_fields) / sizeof(*id_fields))

struct inject_strip {
	bool *made;	   /* by event: its samples are made */
	uint32_t *instead; /* by event: the event that its records get; itself: it stays */
	bool removes;	   /* some event does not stay */
};

static uint64_t id_mask(const struct data_event *e)
{
	uint64_t mask = 0;

	for (size_t i = 0; i < N_ID_FIELDS; i++)
		mask |= e->sample_type & id_fields[i];
	return e->sample_id_all ? mask : 0;
}

/* PTUI_NONE: none. */
static uint32_t find_made_like(struct inject *j, const struct inject_strip *s, uint32_t event)
{
	const struct data_event *e = data_event(j->file, event), *other;

	for (uint32_t i = 0; i < data_n_events(j->file); i++) {
		other = data_event(j->file, i);
		if (s->made[i] && other->n_ids && id_mask(other) == id_mask(e) &&
		    other->sample_id_all == e->sample_id_all)
			return i;
	}
	return PTUI_NONE;
}

int inject_strip_open(struct inject *j)
{
	struct inject_strip *s = calloc(1, sizeof(*s));
	size_t n = data_n_events(j->file);

	j->strip = s;
	if (s) {
		s->made = calloc(n + 1, sizeof(*s->made));
		s->instead = calloc(n + 1, sizeof(*s->instead));
	}
	if (!s || !s->made || !s->instead)
		return ptui_error_nomem(j->err);
	for (uint32_t i = 0; i < n; i++)
		s->made[i] = j->sched ?
				     inject_sched_makes(j->sched, i) :
				     data_event(j->file, i)->sample_type & PERF_SAMPLE_STACK_USER;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t like = s->made[i] ? i : find_made_like(j, s, i);

		s->instead[i] = like == PTUI_NONE ? i : like;
		s->removes |= s->instead[i] != i;
	}
	return 0;
}

void inject_strip_free(struct inject_strip *s)
{
	if (!s)
		return;
	free(s->made);
	free(s->instead);
	free(s);
}

bool inject_strip_has_event(const struct inject_strip *s, size_t event)
{
	return s->instead[event] == event;
}

/* An event that stays has the records of those that do not. */
void inject_strip_attr(const struct inject *j, size_t event, struct perf_event_attr *attr)
{
	for (size_t i = 0; i < data_n_events(j->file); i++) {
		const struct perf_event_attr *a = data_event_attr(j->file, i);

		if (j->strip->instead[i] != event)
			continue;
		attr->mmap |= a->mmap;
		attr->mmap2 |= a->mmap2;
		attr->mmap_data |= a->mmap_data;
		attr->comm |= a->comm;
		attr->comm_exec |= a->comm_exec;
		attr->task |= a->task;
		attr->ksymbol |= a->ksymbol;
		attr->bpf_event |= a->bpf_event;
	}
}

/* Groups of the events that stay. */
int inject_strip_groups(struct inject *j)
{
	size_t n = data_n_events(j->file), n_groups = 0;
	struct feature_group *groups = calloc(n + 1, sizeof(*groups));
	uint32_t at = 0; /* index in the output */
	struct buf out = BUF_INIT;
	int ret;

	if (!groups)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		const struct data_event *e = data_event(j->file, i);
		uint32_t members = 0;

		for (size_t k = i; k < n && e->leader == i; k++)
			members += data_event(j->file, k)->leader == i &&
				   inject_strip_has_event(j->strip, k);
		if (!inject_strip_has_event(j->strip, i))
			continue;
		if (members > 1)
			groups[n_groups++] = (struct feature_group){ e->group ? e->group :
										"{anon_group}",
								     at, members };
		at++;
	}
	if (n_groups)
		feature_group_desc(&out, groups, n_groups);
	ret = n_groups && !out.err ?
		      data_writer_add_feature(j->writer, PTUI_FEAT_GROUP_DESC, out.data, out.len) :
		      out.err;
	buf_release(&out);
	free(groups);
	return ret;
}

/* ---- records ---- */

/* What only a decoder of AUX data needs. */
static bool is_of_aux(uint32_t type)
{
	return type == PERF_RECORD_AUX || type == PERF_RECORD_ITRACE_START ||
	       type == PTUI_RECORD_AUX_OUTPUT_HW_ID || type == PERF_RECORD_SWITCH ||
	       type == PERF_RECORD_SWITCH_CPU_WIDE || type == PTUI_RECORD_AUXTRACE_INFO ||
	       type == PTUI_RECORD_AUXTRACE || type == PTUI_RECORD_AUXTRACE_ERROR;
}

/* What an event that does not stay did itself. */
static bool is_of_event(uint32_t type)
{
	return type == PERF_RECORD_THROTTLE || type == PERF_RECORD_UNTHROTTLE ||
	       type == PERF_RECORD_READ || type == PTUI_RECORD_EVENT_UPDATE;
}

static uint32_t event_of(struct inject *j, const struct data_record *rec)
{
	if (rec->type == PTUI_RECORD_EVENT_UPDATE) /* type and size, then the id */
		return rec->body_bytes < 2 * WORD_BYTES ?
			       PTUI_NONE :
			       data_event_of_id(j->file, data_word(rec->body, 1, false));
	if (rec->type == PERF_RECORD_THROTTLE || rec->type == PERF_RECORD_UNTHROTTLE)
		return data_event_of_id(j->file, rec->throttle.id);
	return rec->id.has & DATA_HAS_ID ? data_event_of_id(j->file, rec->id.id) : PTUI_NONE;
}

/* The ids of `from` in a record become the first one of `to`. */
static void set_ids(uint8_t *bytes, size_t n, const struct data_event *from,
		    const struct data_event *to)
{
	uint64_t mask = id_mask(from);
	uint8_t *at = bytes + n;
	uint64_t id;

	for (size_t i = N_ID_FIELDS; i-- > 0;) {
		if (!(mask & id_fields[i]))
			continue;
		at -= WORD_BYTES;
		if (id_fields[i] &
		    (PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_IDENTIFIER))
			memcpy(at, &to->ids[0], WORD_BYTES);
	}
	at = bytes + sizeof(struct perf_event_header);
	memcpy(&id, at, sizeof(id));
	if (((const struct perf_event_header *)(void *)bytes)->type != PERF_RECORD_LOST)
		return;
	for (size_t i = 0; i < from->n_ids; i++)
		if (from->ids[i] == id)
			memcpy(at, &to->ids[0], WORD_BYTES);
}

int inject_strip_record(struct inject *j, const struct data_record *rec)
{
	const struct inject_strip *s = j->strip;
	uint32_t event = event_of(j, rec);
	uint8_t *bytes;
	size_t n;

	if (is_of_aux(rec->type) || (rec->type == PTUI_RECORD_ID_INDEX && s->removes))
		return 1;
	if (event == PTUI_NONE || s->instead[event] == event)
		return 0;
	if (is_of_event(rec->type))
		return 1;
	bytes = inject_bytes(j, rec, &n);
	if (!bytes)
		return -ENOMEM;
	j->result->bytes_in += n;
	set_ids(bytes, n, data_event(j->file, event), data_event(j->file, s->instead[event]));
	return inject_put(j, bytes, n) ? -EIO : 1;
}
