/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Controls and counts of a running recording. */
#include <errno.h>
#include "event/attr.h"
#include "record/recording_private.h"

void recording_set_watch(struct ptui_recording *r, const struct recording_watch *watch)
{
	r->watch = watch;
	r->options.watched = true;
}

void recording_set_terminal(struct ptui_recording *r, unsigned short rows, unsigned short cols)
{
	r->workload.own_terminal = true;
	r->workload.rows = rows;
	r->workload.cols = cols;
}

int recording_terminal_fd(const struct ptui_recording *r)
{
	return r->workload.terminal_fd;
}

int recording_set_size(struct ptui_recording *r, unsigned short rows, unsigned short cols)
{
	return workload_set_size(&r->workload, rows, cols);
}

int recording_switch(struct ptui_recording *r, bool on)
{
	return recorder_switch(&r->recorder, on);
}

void recording_count(const struct ptui_recording *r, uint32_t event, struct counter_sum *ret)
{
	counters_sum(&r->counters, event, ret);
}

void recording_cost(const struct ptui_recording *r, struct recording_cost *ret)
{
	ret->cpu_ns = r->recorder.cpu_ns;
	if (r->unwind_queue)
		ret->cpu_ns += r->unwind_queue->cpu_ns;
	ret->fill_permille = r->recorder.counts.fill_permille;
	ret->fill_max_permille = r->recorder.counts.fill_max_permille;
}

/* ---- unsupported events ---- */

/*
 * Tries to open event `i` for thread `tid`, and closes it again. 0 if it opens or the failure is not
 * about the event itself; else the reason in err. Keeps fallbacks that were needed: the event itself
 * would need them again.
 */
static int probe_event(struct ptui_recording *r, uint32_t i, pid_t tid, struct ptui_error *err)
{
	struct event *ev = &r->events.v[i];
	struct event_list one = { .v = ev, .n = 1, .cap = 1 };
	uint32_t leader = ev->leader;
	struct counters c;
	int ret;

	ev->leader = 0; /* alone: its group is checked elsewhere */
	ev->attr.disabled = 1;
	ev->attr.size = attr_size_min(&ev->attr);
	ret = counters_init(&c, r->ops, &one, 0, NULL);
	if (!ret) {
		ret = counters_open(&c, tid, err);
		counters_release(&c);
	}
	ev->leader = leader;
	ev->attr.disabled = 0;
	/* missing tasks and missing rights are reported when all events are opened */
	return ret == -ENOENT || ret == -EOPNOTSUPP || ret == -ENODEV ? ret : 0;
}

/* The thread for which a probe counter is opened. */
static pid_t probe_tid(const struct ptui_recording *r)
{
	const struct options *o = &r->options;

	if (o->target.system_wide)
		return -1;
	if (o->target.n_pids)
		return o->target.pids[0];
	if (o->target.n_tids)
		return o->target.tids[0];
	return o->target.user ? 0 : r->workload.pid;
}

/*
 * With a live view, an unsupported event is only reported, as long as another one is left. A group
 * is removed as a whole.
 */
static int recording_drop_event(struct ptui_recording *r, uint32_t index, const char *why)
{
	const struct event *v = r->events.v;
	int ret = 0;

	for (uint32_t i = index; i < r->events.n && !ret; i++)
		if (i == index || v[i].leader == index)
			ret = r->watch->unsupported(r->watch->ctx, v[i].name, why);
	event_list_drop(&r->events, index);
	return ret;
}

int recording_drop_unsupported(struct ptui_recording *r, struct ptui_error *err)
{
	struct ptui_error why = PTUI_ERROR_INIT;
	int refused = 0, refusal;
	uint32_t i = 0;

	while (i < r->events.n) {
		/* tracefs lists it; and closing a tracepoint's counter is slow */
		refusal = r->events.v[i].kind == EVENT_TRACEPOINT ?
				  0 :
				  probe_event(r, i, probe_tid(r), &why);
		if (!refusal) {
			i++;
			continue;
		}
		refused = refusal;
		if (recording_drop_event(r, i, why.text))
			return ptui_error_nomem(err);
	}
	if (r->events.n)
		return 0;
	if (err)
		*err = why;
	return refused;
}
