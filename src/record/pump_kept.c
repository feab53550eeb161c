/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Samples that are kept until a snapshot or the end (--overwrite, -M), and the sideband for them. */
#include <stdlib.h>
#include "base/clock.h"
#include "record/pump.h"

int pump_use_memory(struct pump *p, uint64_t bytes)
{
	p->rounds = false;
	return memory_router_init(&p->memory_router, bytes, p->time_off);
}

bool pump_keeps(const struct pump *p)
{
	return !p->rounds;
}

/*
 * Rings are drained one by one: the map of a sample in the second ring may have arrived in the
 * first after that was drained. So all are drained twice; samples of the second pass count next
 * time.
 */
static int pump_read_memory(struct pump *p, struct kept_samples *ret, struct ptui_error *err)
{
	int failed = pump_pass_all(p, err);
	uint64_t until = p->memory_router.memory.end, now_ns = clock_monotonic_ns();

	if (!failed)
		failed = pump_pass_all(p, err);
	if (failed)
		return failed;
	failed = memory_router_read(&p->memory_router, until, ret);
	ret->resumed_ns = now_ns; /* they were never paused */
	return failed;
}

bool pump_is_half_new(const struct pump *p)
{
	uint64_t bytes, fresh;

	if (!pump_keeps(p))
		return true;
	if (memory_router_is_used(&p->memory_router))
		memory_router_peek(&p->memory_router, &bytes, &fresh);
	else
		overwrite_reader_peek(&p->overwrite_reader, &bytes, &fresh);
	return fresh >= bytes - fresh;
}

/* The dumps that the rings in overwrite mode kept, in the reader's copy of them. */
static int pump_unwind_kept(struct pump *p, struct kept_samples *found, struct ptui_error *err)
{
	const struct iovec sideband = sideband_log_records(p->sink->sideband_log);
	struct iovec *all = p->overwrite_reader.iov, *fresh = all + p->overwrite_reader.n_rings;
	size_t *marks = calloc((size_t)found->n_all + 1, sizeof(*marks));
	int ret = marks ? 0 : ptui_error_nomem(err), j;

	/* the new part of a ring is the beginning of all that is in it */
	for (int i = j = 0; !ret && i < found->n_all; i++)
		if (j < found->n_fresh && fresh[j].iov_base == all[i].iov_base)
			marks[i] = fresh[j++].iov_len;
	if (!ret)
		ret = unwind_queue_in_place(p->unwind_queue, &sideband, all, marks, found->n_all,
					    err);
	found->bytes = found->new_bytes = 0;
	for (int i = j = 0; !ret && i < found->n_all; i++) {
		found->bytes += all[i].iov_len;
		if (j >= found->n_fresh || fresh[j].iov_base != all[i].iov_base)
			continue;
		fresh[j++].iov_len = marks[i];
		found->new_bytes += marks[i];
	}
	free(marks);
	return ret;
}

int pump_read_kept(struct pump *p, struct kept_samples *ret, struct ptui_error *err)
{
	int found, failed;

	if (memory_router_is_used(&p->memory_router))
		return pump_read_memory(p, ret, err);
	found = overwrite_reader_read(&p->overwrite_reader, ret, err);
	failed = found < 0 ? found : pump_pass_all(p, err);
	if (!failed && found && p->unwind_queue)
		failed = pump_unwind_kept(p, ret, err);
	return failed ? failed : found;
}

int pump_prune_sideband(struct pump *p, const struct kept_samples *found)
{
	uint64_t horizon_ns = found->first_ns < p->settled_ns ? found->first_ns : p->settled_ns;

	return horizon_ns ? sideband_log_prune_others(p->sink->sideband_log, horizon_ns,
						      p->settled_ns, found->pids) :
			    0;
}

/* Writes the sideband of the kept samples, without what only older samples needed. */
static int pump_write_held(struct pump *p, const struct kept_samples *found, struct ptui_error *err)
{
	if (p->sink->holds && pump_prune_sideband(p, found))
		return ptui_error_nomem(err);
	return record_sink_flush(p->sink, err);
}

int pump_write_kept(struct pump *p, const struct kept_samples *found, bool only_new,
		    struct ptui_error *err)
{
	uint64_t first_ns = only_new ? found->new_first_ns : found->first_ns;
	int n = only_new ? found->n_fresh : found->n_all, failed;

	if (!n)
		return 0;
	failed = pump_write_held(p, found, err);
	if (failed)
		return failed;
	failed = data_writer_write(p->sink->writer, only_new ? found->fresh : found->all, n, err);
	if (failed)
		return failed;
	if (!found->shown) {
		record_sink_show(p->sink, found->fresh, found->n_fresh);
		p->counts->samples += found->new_samples;
	}
	if (memory_router_is_used(&p->memory_router))
		memory_router_forget(&p->memory_router);
	pump_note_written(p, first_ns, found->last_ns);
	return 1;
}

/* ---- sideband log ---- */

void pump_hold_sideband(struct pump *p)
{
	if (!pump_keeps(p) || !p->time_off || !p->sink->sideband_log)
		return;
	sideband_log_note_written(p->sink->sideband_log);
	p->sink->holds = true;
}

/* Finds the oldest kept sample and the processes of all, to prune the sideband. */
static void pump_find_kept(struct pump *p, struct kept_samples *ret)
{
	*ret = (struct kept_samples){ .first_ns = p->settled_ns };
	if (memory_router_is_used(&p->memory_router))
		ret->first_ns = memory_router_oldest_ns(&p->memory_router);
	else if (pump_keeps(p))
		overwrite_reader_find_oldest(&p->overwrite_reader, ret);
}

int pump_trim_sideband_log(struct pump *p, struct ptui_error *err)
{
	struct sideband_log *sideband_log = p->sink->sideband_log;
	struct kept_samples kept;

	if (!sideband_log || !sideband_log_is_long(sideband_log))
		return 0;
	pump_find_kept(p, &kept);
	/* even if nothing can be pruned: this puts off the next try until the log has doubled */
	if (!kept.first_ns)
		return sideband_log_prune(sideband_log, 0);
	return pump_prune_sideband(p, &kept) ? ptui_error_nomem(err) : 0;
}
