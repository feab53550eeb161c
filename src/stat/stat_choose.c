/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The metrics of -M: which they are, and their events. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "base/vec.h"
#include "event/selector/selector.h"
#include "stat/stat_private.h"

static const char *event_text(const struct stat *s, const char *text)
{
	if (strcmp(text, STAT_METRIC_CLOCK))
		return text;
	return stat_is_system_wide(s) ? "cpu-clock" : "task-clock";
}

/* An event that an earlier metric of [from, s->n_chosen) has; PTUI_NONE: none has it. */
static uint32_t shared_event(const struct stat *s, size_t from, const char *text)
{
	for (size_t i = from; i < s->n_chosen; i++) {
		const struct chosen_metric *m = &s->chosen[i];

		if (!strcmp(event_text(s, m->def->over), text))
			return m->over;
		if (m->under != PTUI_NONE && !strcmp(event_text(s, m->def->under), text))
			return m->under;
	}
	return PTUI_NONE;
}

static int add_event(struct stat *s, const char *text, uint32_t *ret_index, struct ptui_error *err)
{
	if (*ret_index != PTUI_NONE)
		return 0;
	*ret_index = (uint32_t)s->list.n;
	return selector_parse(s->catalog, text, &s->list, err);
}

/* Two events that share counters are a group, so that both are counted at the same time. */
static int add_pair(struct stat *s, const char *over, const char *under, struct ptui_error *err)
{
	char text[128];

	snprintf(text, sizeof(text), "{%s,%s}:W", over, under);
	return selector_parse(s->catalog, text, &s->list, err);
}

/* `from`: the first of the metrics that may share events with it. */
static int choose(struct stat *s, const struct stat_metric_def *def, size_t from,
		  struct ptui_error *err)
{
	struct chosen_metric m = { .def = def, .over = PTUI_NONE, .under = PTUI_NONE };
	const char *over = event_text(s, def->over),
		   *under = def->under ? event_text(s, def->under) : NULL;
	bool clock = !under || !strcmp(def->under, STAT_METRIC_CLOCK);
	int ret;

	if (vec_grow(&s->chosen, &s->cap_chosen, s->n_chosen + 1))
		return ptui_error_nomem(err);
	if (s->opts.metric_no_merge)
		from = s->n_chosen;
	m.over = shared_event(s, from, over);
	if (under)
		m.under = shared_event(s, from, under);
	if (!clock && !s->opts.metric_no_group && m.over == PTUI_NONE && m.under == PTUI_NONE) {
		m.over = (uint32_t)s->list.n;
		m.under = m.over + 1;
		ret = add_pair(s, over, under, err);
	} else {
		ret = add_event(s, over, &m.over, err);
		if (!ret && under)
			ret = add_event(s, under, &m.under, err);
	}
	if (!ret)
		s->chosen[s->n_chosen++] = m;
	return ret;
}

static bool is_chosen(const struct stat *s, size_t from, const struct stat_metric_def *def)
{
	for (size_t i = from; i < s->n_chosen; i++)
		if (s->chosen[i].def == def)
			return true;
	return false;
}

/* A metric, or all of a group. */
static int choose_name(struct stat *s, const char *name, size_t from, struct ptui_error *err)
{
	bool found = false;
	int ret = 0;

	for (size_t i = 0; i < stat_n_metric_defs() && !ret; i++) {
		const struct stat_metric_def *def = stat_metric_def(i);

		if (!stat_metric_is(def, name))
			continue;
		found = true;
		if (!is_chosen(s, from, def))
			ret = choose(s, def, from, err);
	}
	if (found || ret)
		return ret;
	ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, name,
		       _("unknown metric or metric group '%s'"), name);
	ptui_error_hint(err, "%s", _("'ptui list metrics metricgroups' lists them"));
	return -EINVAL;
}

int stat_choose_metrics(struct stat *s, struct ptui_error *err)
{
	size_t from = s->n_chosen;
	int ret = 0;

	for (size_t i = 0; i < s->opts.n_metrics && !ret; i++) {
		char *names = strdup(s->opts.metrics[i]), *save = NULL;

		ret = names ? 0 : ptui_error_nomem(err);
		if (!ret && !names[strspn(names, ",")])
			ret = choose_name(s, "", from, err);
		for (char *name = ret ? NULL : strtok_r(names, ",", &save); name && !ret;
		     name = strtok_r(NULL, ",", &save))
			ret = choose_name(s, name, from, err);
		free(names);
	}
	return ret;
}
