/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>
#include "event/selector/selector.h"
#include "lib/need.h"
#include "unit/event/describe.h"

static void add_flag(struct buf *out, bool on, const char *name)
{
	if (on)
		buf_addf(out, " %s", name);
}

static void add_number(struct buf *out, bool given, const char *name, uint64_t value)
{
	if (given)
		buf_addf(out, " %s=%llu", name, (unsigned long long)value);
}

static void add_terms(struct buf *out, const struct event *ev)
{
	const struct event_terms *t = &ev->terms;
	const struct perf_event_attr *attr = &ev->attr;

	if (attr->config1)
		buf_addf(out, " config1=%#llx", (unsigned long long)attr->config1);
	if (attr->config2)
		buf_addf(out, " config2=%#llx", (unsigned long long)attr->config2);
	if (attr->config3)
		buf_addf(out, " config3=%#llx", (unsigned long long)attr->config3);
	if (attr->config4)
		buf_addf(out, " config4=%#llx", (unsigned long long)attr->config4);
	add_number(out, attr->bp_type, "bp_type", attr->bp_type);
	add_number(out, t->given & EVENT_TERM_PERIOD, "period", t->period);
	add_number(out, t->given & EVENT_TERM_FREQ, "freq", t->freq_hz);
	add_number(out, t->given & EVENT_TERM_TIME, "time", t->time);
	add_number(out, t->given & EVENT_TERM_CALLGRAPH, "callgraph", t->callgraph);
	add_number(out, t->given & EVENT_TERM_STACK_SIZE, "stack", t->stack_bytes);
	add_number(out, t->given & EVENT_TERM_MAX_STACK, "max_stack", t->max_stack);
	add_number(out, t->given & EVENT_TERM_INHERIT, "inherit", t->inherit);
	add_number(out, t->given & EVENT_TERM_OVERWRITE, "overwrite", t->overwrite);
	add_number(out, t->given & EVENT_TERM_BRANCH, "branch", t->branch_sample_type);
	add_number(out, t->given & EVENT_TERM_NR, "nr", t->nr);
	add_flag(out, t->given & EVENT_TERM_PERCORE, "percore");
	add_flag(out, t->given & EVENT_TERM_AUX, "aux");
	add_flag(out, attr->aux_output, "aux_output");
	add_number(out, attr->aux_sample_size, "aux_sample", attr->aux_sample_size);
	if (attr->aux_action)
		buf_addf(out, " aux_action=%#x", attr->aux_action);
	if (ev->pmu)
		buf_addf(out, " pmu=%s", ev->pmu);
	if (ev->cpus)
		buf_addf(out, " cpus=%s", ev->cpus);
	if (ev->driver_config)
		buf_addf(out, " driver=%s", ev->driver_config);
}

void describe_event(struct buf *out, const struct event_list *list, const struct event *ev)
{
	const struct perf_event_attr *attr = &ev->attr;

	buf_addf(out, "%s %s %u:%#llx", ev->name, event_kind_name(ev->kind), attr->type,
		 (unsigned long long)attr->config);
	add_flag(out, attr->exclude_user, "exclude_user");
	add_flag(out, attr->exclude_kernel, "exclude_kernel");
	add_flag(out, attr->exclude_hv, "exclude_hv");
	add_flag(out, attr->exclude_host, "exclude_host");
	add_flag(out, attr->exclude_guest, "exclude_guest");
	add_flag(out, attr->exclude_idle, "exclude_idle");
	if (attr->precise_ip)
		buf_addf(out, " precise_ip=%d", (int)attr->precise_ip);
	add_flag(out, ev->precise_max, "precise_max");
	add_flag(out, attr->pinned, "pinned");
	add_flag(out, attr->exclusive, "exclusive");
	add_flag(out, ev->mode_given, "mode_given");
	add_flag(out, ev->sample_read, "sample_read");
	add_flag(out, ev->weak, "weak");
	add_terms(out, ev);
	if (ev->tp_system)
		buf_addf(out, " %s/%s", ev->tp_system, ev->tp_name);
	if (ev->leader != ev - list->v)
		buf_addf(out, " leader=%s", list->v[ev->leader].name);
	if (ev->group_name)
		buf_addf(out, " group=%s", ev->group_name);
	buf_add_char(out, '\n');
}

/* Adds each line of `text` after `mark`. */
static void add_lines(struct buf *out, const char *mark, const char *text)
{
	while (*text) {
		size_t len = strcspn(text, "\n");

		buf_addf(out, "%s%.*s\n", mark, (int)len, text);
		text += len + (text[len] == '\n');
	}
}

static int by_text(const void *a, const void *b)
{
	return strcmp(((const struct event *)a)->name, ((const struct event *)b)->name);
}

void describe_selector(struct buf *out, struct catalog *catalog, const char *selector)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct event_list list;

	event_list_init(&list);
	if (selector_parse(catalog, selector, &list, &err)) {
		assert_int_equal(list.n, 0);
		assert_true(ptui_error_is_set(&err));
		add_lines(out, "! ", err.text);
		add_lines(out, "? ", err.hint);
	} else {
		/* events of a pattern are in directory order */
		if (strpbrk(selector, "*?[") && !strchr(selector, '{')) {
			qsort(list.v, list.n, sizeof(*list.v), by_text);
			for (size_t i = 0; i < list.n; i++)
				list.v[i].leader = (uint32_t)i;
		}
		for (size_t i = 0; i < list.n; i++)
			describe_event(out, &list, &list.v[i]);
	}
	event_list_release(&list);
}
