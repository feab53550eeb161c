/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -e and related options. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "base/vec.h"
#include "cli/record/record_options.h"
#include "event/selector/filter.h"

/* "a:x,{b,c}" to "pfm:a:x,{pfm:b,pfm:c}" for -e. */
int record_add_pfm(void *field, const char *value, bool unset, struct ptui_error *err)
{
	struct record_events *events = field;
	struct buf text = BUF_INIT;
	bool at_name = true;
	char *copy;

	(void)unset;
	for (; *value; value++) {
		if (at_name && !strchr("{},", *value)) {
			buf_add_str(&text, "pfm:");
			at_name = false;
		}
		at_name |= *value == ',' || *value == '{';
		buf_add_char(&text, *value);
	}
	buf_add_str(&text, "");
	copy = buf_take(&text);
	buf_release(&text);
	if (!copy || option_words_add(&events->own, copy)) {
		free(copy);
		return ptui_error_nomem(err);
	}
	return option_words_add(&events->texts, copy) ? ptui_error_nomem(err) : 0;
}

static int no_event_before(const char *option, const char *before, struct ptui_error *err)
{
	return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, option,
			      _("must follow the %s it applies to"), before);
}

/* Index of the last -e; filters apply to it. */
static int last_event(const struct record_events *events, const char *option, size_t *ret,
		      struct ptui_error *err)
{
	if (!events->texts.n)
		return no_event_before(option, "-e", err);
	*ret = events->texts.n - 1;
	return 0;
}

/* Several filters of one event are combined with &&, those of addresses are a list. */
static int add_filter(struct record_events *events, size_t i, const char *value,
		      struct ptui_error *err)
{
	size_t had = events->cap_filters;
	struct buf both = BUF_INIT;

	if (vec_grow(&events->filters, &events->cap_filters, i + 1))
		return ptui_error_nomem(err);
	for (; had < events->cap_filters; had++)
		events->filters[had] = NULL;
	if (events->filters[i] && event_filter_is_address(value))
		buf_addf(&both, "%s,%s", events->filters[i], value);
	else if (events->filters[i])
		buf_addf(&both, "(%s) && (%s)", events->filters[i], value);
	else
		buf_add_str(&both, value);
	return buf_replace(&both, &events->filters[i]) ? ptui_error_nomem(err) : 0;
}

int record_add_filter(void *field, const char *value, bool unset, struct ptui_error *err)
{
	size_t i = 0;

	(void)unset;
	if (last_event(field, "--filter", &i, err))
		return -EINVAL;
	return add_filter(field, i, value, err);
}

int record_add_trigger_filter(void *field, const char *value, bool unset, struct ptui_error *err)
{
	struct record_events *events = field;

	(void)unset;
	/* not an error by itself: the Options screen parses each option alone */
	events->early_filter |= !events->texts.n;
	return events->texts.n ? add_filter(events, events->texts.n - 1, value, err) : 0;
}

int record_add_exclude_perf(void *field, const char *value, bool unset, struct ptui_error *err)
{
	struct record_events *events = field;
	size_t i = 0, had = events->cap_exclude_self;

	(void)value;
	(void)unset;
	if (last_event(events, "--exclude-perf", &i, err))
		return -EINVAL;
	if (vec_grow(&events->exclude_self, &events->cap_exclude_self, i + 1))
		return ptui_error_nomem(err);
	for (; had < events->cap_exclude_self; had++)
		events->exclude_self[had] = false;
	events->exclude_self[i] = true;
	return 0;
}

int record_settle_triggers(struct record_events *events, struct ptui_error *err)
{
	if (events->early_filter)
		return no_event_before("--switch-output-filter", "--switch-output-event", err);
	return record_events_complete(events) ? ptui_error_nomem(err) : 0;
}

int record_events_complete(struct record_events *events)
{
	size_t n = events->texts.n, filters = events->cap_filters, self = events->cap_exclude_self;

	if (vec_grow(&events->filters, &events->cap_filters, n) ||
	    vec_grow(&events->exclude_self, &events->cap_exclude_self, n))
		return -ENOMEM;
	for (; filters < events->cap_filters; filters++)
		events->filters[filters] = NULL;
	for (; self < events->cap_exclude_self; self++)
		events->exclude_self[self] = false;
	return 0;
}

void record_events_release(struct record_events *events)
{
	for (size_t i = 0; i < events->cap_filters; i++)
		free(events->filters[i]);
	free(events->filters);
	free(events->exclude_self);
	for (size_t i = 0; i < events->own.n; i++)
		free((char *)events->own.words[i]);
	option_words_release(&events->own);
	option_words_release(&events->texts);
}
