/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Controls and counts of a running recording. */
#include <errno.h>
#include <string.h>
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
	ret->fill_permille = r->recorder.counts.fill_permille;
	ret->fill_max_permille = r->recorder.counts.fill_max_permille;
}

/* Keeps fallbacks that were needed: the event itself would need them again. */
int recording_probe(struct ptui_recording *r, uint32_t i, pid_t tid, struct ptui_error *err)
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
