/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/intake.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include "base/perf_abi.h"
#include "base/vec.h"

void intake_release(struct intake *in)
{
	chain_builder_release(&in->chain);
	free(in->lost_samples);
	free(in->times);
	index_table_release(&in->times_index);
	free(in->counters);
	index_table_release(&in->counters_index);
	in->lost_samples = NULL;
	in->times = NULL;
	in->counters = NULL;
	in->cap_lost = in->n_times = in->cap_times = 0;
	in->n_counters = in->cap_counters = 0;
}

bool intake_is_timed(const struct data_file *f)
{
	for (size_t i = 0; i < data_n_events(f); i++) {
		const struct data_event *e = data_event(f, i);

		if (!e->sample_id_all || !(e->sample_type & PERF_SAMPLE_TIME))
			return false;
	}
	return true;
}

uint64_t intake_when(bool timed, const struct data_record *rec)
{
	if (!timed)
		return rec->seq;
	return rec->id.has & DATA_HAS_TIME ? rec->id.time_ns : 0;
}

/* Whose record it is; PTUI_NONE: nobody knows. */
static uint32_t record_event(const struct intake *in, const struct data_record *rec)
{
	return rec->id.has & DATA_HAS_ID ? data_event_of_id(in->file, rec->id.id) : 0;
}

static int count_lost_samples(struct intake *in, const struct data_record *rec)
{
	uint32_t event = record_event(in, rec);
	size_t had = in->cap_lost;

	in->trust->lost_samples += rec->lost.lost;
	if (event == PTUI_NONE)
		return 0;
	if (vec_grow(&in->lost_samples, &in->cap_lost, event + 1))
		return -ENOMEM;
	for (size_t i = had; i < in->cap_lost; i++)
		in->lost_samples[i] = 0;
	in->lost_samples[event] += rec->lost.lost;
	return 0;
}

/* ---- how long the counters were on ---- */

static bool times_same(const void *owner, uint32_t index, const void *key)
{
	const struct intake_times *a = &((const struct intake *)owner)->times[index], *b = key;

	return a->event == b->event && a->tid == b->tid;
}

static int add_times(struct intake *in, const struct data_record *rec)
{
	struct intake_times one = { .event = record_event(in, rec), .tid = rec->read.tid }, *t;
	uint64_t hash = hash_pair(one.event, (uint32_t)one.tid);
	uint32_t i;

	if (one.event == PTUI_NONE || !rec->read.enabled_ns)
		return 0;
	i = index_table_find(&in->times_index, hash, times_same, in, &one);
	if (i == PTUI_NONE) {
		i = (uint32_t)in->n_times;
		if (vec_grow(&in->times, &in->cap_times, in->n_times + 1) ||
		    index_table_add(&in->times_index, hash, i))
			return -ENOMEM;
		in->times[in->n_times++] = one;
	}
	t = &in->times[i];
	if (t->tid < 0)
		t->enabled_ns += rec->read.enabled_ns;
	else if (rec->read.enabled_ns > t->enabled_ns)
		t->enabled_ns = rec->read.enabled_ns;
	t->running_ns += rec->read.running_ns;
	return 0;
}

void intake_tell_events(const struct intake *in, struct ptui_event_info *events, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		events[i].lost_samples = i < in->cap_lost ? in->lost_samples[i] : 0;
		events[i].enabled_ns = events[i].running_ns = 0;
	}
	for (size_t i = 0; i < in->n_times; i++) {
		const struct intake_times *t = &in->times[i];

		if (t->event >= n)
			continue;
		events[t->event].enabled_ns += t->enabled_ns;
		/* the CPUs' clocks do not stop at the same moment */
		events[t->event].running_ns += t->running_ns < t->enabled_ns ? t->running_ns :
									       t->enabled_ns;
	}
}

/* ---- records ---- */

int intake_sideband(struct intake *in, const struct data_record *rec)
{
	struct ptui_trust *trust = in->trust;

	switch (rec->type) {
	case PERF_RECORD_LOST:
		trust->lost_events += rec->lost.lost;
		trust->lost_chunks++;
		return 0;
	case PERF_RECORD_LOST_SAMPLES:
		return count_lost_samples(in, rec);
	case PERF_RECORD_THROTTLE:
		trust->throttled++;
		return 0;
	case PERF_RECORD_READ:
		return add_times(in, rec);
	default:
		return machine_add(in->machine, rec, intake_when(in->timed, rec));
	}
}

static uint32_t sample_comm(struct intake *in, const struct data_sample *s, uint64_t when)
{
	uint32_t comm = machine_comm(in->machine, s->pid, s->tid, when);
	char text[32];

	if (comm != PTUI_NONE)
		return comm;
	snprintf(text, sizeof(text), ":%d", s->tid);
	return strpool_add(in->names, text);
}

/* ---- samples that bring what a whole group has counted ---- */

static bool counter_same(const void *owner, uint32_t index, const void *key)
{
	return ((const struct intake *)owner)->counters[index].id == *(const uint64_t *)key;
}

/* What the counter has grown by since it was last read. 0 or -ENOMEM. */
static int grown_by(struct intake *in, uint64_t id, uint64_t value, uint64_t *ret)
{
	uint64_t hash = hash_u64(id);
	uint32_t i = index_table_find(&in->counters_index, hash, counter_same, in, &id);

	if (i == PTUI_NONE) {
		i = (uint32_t)in->n_counters;
		if (vec_grow(&in->counters, &in->cap_counters, in->n_counters + 1) ||
		    index_table_add(&in->counters_index, hash, i))
			return -ENOMEM;
		in->counters[in->n_counters++] = (struct intake_counter){ id, 0 };
	}
	*ret = value - in->counters[i].value;
	in->counters[i].value = value;
	return 0;
}

/* One place, as often as events of the group have counted something on the way to it. */
static int add_group(struct intake *in, const struct data_sample *s, struct sample_row *row)
{
	for (uint32_t i = 0; i < s->n_reads; i++) {
		uint64_t value = s->reads[2 * i], id = s->reads[2 * i + 1];
		uint32_t event = data_event_of_id(in->file, id);

		if (grown_by(in, id, value, &row->period))
			return -ENOMEM;
		if (!row->period || event == PTUI_NONE || event > UINT16_MAX)
			continue;
		row->event = (uint16_t)event;
		if (samples_add(in->samples, row))
			return -ENOMEM;
	}
	return 0;
}

int intake_sample(struct intake *in, const struct data_record *rec, const struct data_sample *s)
{
	const struct data_event *event = data_event(in->file, s->event);
	uint64_t when = in->timed ? s->time_ns : rec->seq;
	struct sample_row row = {
		.time_ns = when,
		.period = s->present & PERF_SAMPLE_PERIOD ? s->period :
			  event ? event->sample_period : 0,
		.cpu = s->has & DATA_HAS_CPU ? s->cpu : PTUI_NONE,
		.event = (uint16_t)s->event,
		.stack = PTUI_NONE,
	};
	int err = 0;

	if (s->event == PTUI_NONE || s->event > UINT16_MAX)
		return 0;
	row.thread = samples_thread(in->samples, s->pid, s->tid);
	row.comm = sample_comm(in, s, when);
	row.frame = resolver_frame(in->resolver, s->pid, s->misc & DATA_CPUMODE_MASK, when, s->ip);
	if (row.thread == PTUI_NONE || row.comm == PTUI_NONE || row.frame == PTUI_NONE)
		return -ENOMEM;
	if (s->n_chain && !in->no_chains) {
		err = chain_intern(&in->chain, in->resolver, in->stacks, s, when, &row.stack);
		if (err == -EBADMSG) {
			in->trust->broken_chains++;
			err = 0;
		}
	}
	if (err)
		return err;
	return s->n_reads ? add_group(in, s, &row) : samples_add(in->samples, &row);
}

static char mode_level(unsigned mode)
{
	static const char levels[] = { 'H', 'k', '.', 'H', 'g', 'u' };

	return mode < sizeof(levels) ? levels[mode] : 'H';
}

void intake_frame_facts(void *ctx, size_t i, struct profile_frame_facts *ret)
{
	const struct resolver *r = ctx;
	const struct frame *f = &resolver_frames(r)[i];
	const struct symbol *sym = f->sym == PTUI_NONE ? NULL : resolver_symbol(r, f->sym);
	const struct dso_info *dso = f->dso == PTUI_NONE ? NULL : resolver_dso(r, f->dso);

	*ret = (struct profile_frame_facts){
		.addr = f->off,
		.raw_addr = f->addr,
		.sym_start = sym ? sym->start : 0,
		.sym_end = sym ? sym->end : 0,
		.dso = f->dso,
		.short_name = dso ? dso->short_name : PTUI_NONE,
		.path = dso ? dso->name : PTUI_NONE,
		.sym_name = sym ? sym->name : PTUI_NONE,
		.why = dso && dso->state != DSO_UNTRIED ? dso->why_name : PTUI_NONE,
		.level = mode_level(f->mode),
	};
}

void intake_damage(struct ptui_trust *trust, const struct data_damage *d)
{
	trust->unknown_event = d->unknown_ids;
	trust->bad_records = d->bad_records;
	trust->unknown_records = d->unknown_records;
	trust->truncated_bytes = d->truncated_bytes;
	trust->skipped_bytes = d->skipped_bytes;
	trust->unfinished = d->unfinished;
}
