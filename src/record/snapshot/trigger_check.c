/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record/snapshot/trigger_check.h"

#include <errno.h>
#include "base/i18n.h"
#include "record/snapshot/condition.h"
#include "record/snapshot/trigger_event.h"

bool trigger_can_snapshot(const struct options *o, const struct event_list *events)
{
	for (size_t i = 0; i < events->n; i++)
		if (events->v[i].attr.write_backward)
			return true;
	return o->given.aux.snapshot || (o->given.out.memory_bytes && !o->given.out.nowhere) ||
	       o->given.out.change.on;
}

int trigger_nothing_kept(const char *object, struct ptui_error *err)
{
	ptui_error_set(
		err, PTUI_ERROR_INPUT, EOPNOTSUPP, object,
		_("snapshots are not possible: this recording writes all samples to one file"));
	ptui_error_hint(err,
			_("use --overwrite or -M SIZE to keep the last samples until a snapshot is "
			  "taken, or --switch-output to begin a new file each time"));
	return -EOPNOTSUPP;
}

static int check_when(const char *when, const struct event_list *events, struct ptui_error *what)
{
	struct condition c;
	int ret = condition_parse(when, events, &c, what);

	if (!ret)
		condition_release(&c);
	ptui_error_prefix(what, "--snapshot-when");
	return ret;
}

static int check_event(const char *text, const char *filter, struct catalog *catalog,
		       struct ptui_error *what)
{
	struct trigger_event t;
	int ret;

	trigger_event_init(&t);
	ret = trigger_event_add(&t, catalog, text, filter, what);
	trigger_event_release(&t);
	ptui_error_prefix(what, "--switch-output-event");
	return ret;
}

int trigger_check(const struct options *o, struct catalog *catalog, const struct event_list *events,
		  int (*add)(void *ctx, const struct ptui_error *what), void *ctx)
{
	const struct ptui_record_trigger *t = &o->given.trigger;
	size_t n_when = t->n_when;
	int ret = 0;

	if (n_when && !trigger_can_snapshot(o, events)) {
		struct ptui_error what = PTUI_ERROR_INIT;

		trigger_nothing_kept("--snapshot-when", &what);
		ret = add(ctx, &what);
		n_when = 0;
	}
	for (size_t i = 0; i < n_when + t->n_events && !ret; i++) {
		struct ptui_error what = PTUI_ERROR_INIT;
		size_t k = i - n_when;

		ret = i < n_when ? check_when(t->when[i], events, &what) :
				   check_event(t->events[k], t->filters[k], catalog, &what);
		if (ret && ret != -ENOMEM)
			ret = add(ctx, &what);
	}
	return ret;
}
