/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Automatic snapshots: trigger events and conditions. */
#include <errno.h>
#include "base/i18n.h"
#include "record/recording_private.h"
#include "record/snapshot/trigger_check.h"

#define SNAPSHOT_BYTES (1ULL << 30) /* for snapshots by a condition, by default */

bool recording_can_snapshot(const struct ptui_recording *r)
{
	return trigger_can_snapshot(&r->options, &r->events);
}

int recording_add_triggers(struct ptui_recording *r, struct ptui_error *err)
{
	const struct ptui_record_trigger *t = &r->options.given.trigger;
	int ret = 0;

	for (size_t i = 0; i < t->n_events && !ret; i++) {
		ret = trigger_event_add(&r->triggers.event, r->catalog, t->events[i], t->filters[i],
					err);
		if (ret)
			ptui_error_prefix(err, "--switch-output-event");
	}
	return ret;
}

int recording_open_triggers(struct ptui_recording *r, struct ptui_error *err)
{
	return trigger_event_open(&r->triggers.event, r->catalog, r->ops, &r->options.target, err);
}

int recording_begin_triggers(struct ptui_recording *r, struct ptui_error *err)
{
	const struct ptui_record_trigger *t = &r->options.given.trigger;

	if (t->n_when && !recording_can_snapshot(r))
		return trigger_nothing_kept("--snapshot-when", err);
	r->triggers.max_bytes = t->max_bytes ? t->max_bytes : SNAPSHOT_BYTES;
	return triggers_begin(&r->triggers, &r->counters, &r->recorder.snapshots, t->when,
			      t->n_when, err);
}

int ptui_recording_arm(struct ptui_recording *r, const char *condition, struct ptui_error *err)
{
	if (!r->recorder.running)
		return ptui_error_set(err, PTUI_ERROR_INPUT, ESRCH, NULL,
				      _("the recording is not running"));
	if (condition && !recording_can_snapshot(r))
		return trigger_nothing_kept(condition, err);
	return triggers_arm(&r->triggers, condition, err);
}

void ptui_recording_get_armed(struct ptui_recording *r, struct ptui_armed *ret)
{
	triggers_get_armed(&r->triggers, ret);
}
