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
	in->lost_samples = NULL;
	in->cap_lost = 0;
}

static uint64_t record_when(const struct intake *in, const struct data_record *rec)
{
	if (!in->timed)
		return rec->seq;
	return rec->id.has & DATA_HAS_TIME ? rec->id.time_ns : 0;
}

static int count_lost_samples(struct intake *in, const struct data_record *rec)
{
	uint32_t event = rec->id.has & DATA_HAS_ID ? data_event_of_id(in->file, rec->id.id) : 0;
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
	default:
		return machine_add(in->machine, rec, record_when(in, rec));
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
	return err ? err : samples_add(in->samples, &row);
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
		.sym_name = sym ? sym->name : PTUI_NONE,
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
