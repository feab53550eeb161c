/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * General terms, one row each. Terms of tracers and counting tools are accepted where perf record
 * accepts them.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "event/cpu_list.h"
#include "event/selector/terms.h"

#define STACK_BYTES_MAX 65528 /* a sample's record is at most 64 KiB */

struct general {
	const char *name;
	enum { NUMBER, FLAG, WORD } value;
	bool tracepoint; /* also on tracepoints */
	/* 0, or negative with err set */
	int (*apply)(struct parser *p, const struct term *t, struct event *ev);
};

static int wrong_value(struct parser *p, const struct term *t, const char *expected)
{
	return parser_error(p, t->value.at ? t->value.at : t->name.end, expected,
			    _("invalid value for %.*s"), (int)span_len(t->name), t->name.at);
}

static int zero_or_one(struct parser *p, const struct term *t, bool *ret)
{
	if ((t->value.at && !t->is_number) || t->number > 1)
		return wrong_value(p, t, _("0 or 1"));
	*ret = t->number;
	return 0;
}

/* config to config4: the number in the name selects the field. */
static int apply_config(struct parser *p, const struct term *t, struct event *ev)
{
	char last = t->name.end[-1];

	(void)p;
	*event_config(&ev->attr,
		      last >= '1' && last <= '4' ? (unsigned int)(last - '0') : 0) = t->number;
	return 0;
}

static int apply_name(struct parser *p, const struct term *t, struct event *ev)
{
	char *name = strndup(t->value.at, span_len(t->value));

	if (!name)
		return ptui_error_nomem(p->err);
	free(ev->name);
	ev->name = name;
	return 0;
}

static int apply_period(struct parser *p, const struct term *t, struct event *ev)
{
	(void)p;
	/* the last one wins */
	ev->terms.given &= ~EVENT_TERM_FREQ;
	ev->terms.given |= EVENT_TERM_PERIOD;
	ev->terms.period = t->number;
	return 0;
}

static int apply_freq(struct parser *p, const struct term *t, struct event *ev)
{
	(void)p;
	ev->terms.given &= ~EVENT_TERM_PERIOD;
	ev->terms.given |= EVENT_TERM_FREQ;
	ev->terms.freq_hz = t->number;
	return 0;
}

static int apply_time(struct parser *p, const struct term *t, struct event *ev)
{
	ev->terms.given |= EVENT_TERM_TIME;
	return zero_or_one(p, t, &ev->terms.time);
}

static int apply_callgraph(struct parser *p, const struct term *t, struct event *ev)
{
	static const struct {
		const char *word;
		enum event_callgraph is;
	} words[] = {
		{ "no", EVENT_CALLGRAPH_NONE },
		{ "fp", EVENT_CALLGRAPH_FP },
		{ "dwarf", EVENT_CALLGRAPH_DWARF },
		{ "lbr", EVENT_CALLGRAPH_LBR },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (span_len(t->value) == strlen(words[i].word) &&
		    !memcmp(t->value.at, words[i].word, span_len(t->value))) {
			ev->terms.given |= EVENT_TERM_CALLGRAPH;
			ev->terms.callgraph = words[i].is;
			return 0;
		}
	}
	return wrong_value(p, t, _("fp, dwarf, lbr or no"));
}

static int apply_stack_size(struct parser *p, const struct term *t, struct event *ev)
{
	if (!t->number || t->number > STACK_BYTES_MAX)
		return wrong_value(p, t, _("1 to 65528 bytes"));
	ev->terms.given |= EVENT_TERM_STACK_SIZE;
	ev->terms.stack_bytes = (uint32_t)((t->number + 7) & ~7ull);
	return 0;
}

static int apply_max_stack(struct parser *p, const struct term *t, struct event *ev)
{
	if (!t->number || t->number > UINT16_MAX)
		return wrong_value(p, t, _("1 to 65535 frames"));
	ev->terms.given |= EVENT_TERM_MAX_STACK;
	ev->terms.max_stack = (uint16_t)t->number;
	return 0;
}

static int apply_nr(struct parser *p, const struct term *t, struct event *ev)
{
	(void)p;
	ev->terms.given |= EVENT_TERM_NR;
	ev->terms.nr = t->number;
	return 0;
}

static bool says_no(const struct term *t)
{
	return span_len(t->name) > 3 && !memcmp(t->name.at, "no-", 3);
}

static int apply_inherit(struct parser *p, const struct term *t, struct event *ev)
{
	bool yes = false;

	if (zero_or_one(p, t, &yes))
		return -EINVAL;
	ev->terms.given |= EVENT_TERM_INHERIT;
	ev->terms.inherit = yes != says_no(t);
	return 0;
}

static int apply_overwrite(struct parser *p, const struct term *t, struct event *ev)
{
	bool yes = false;

	if (zero_or_one(p, t, &yes))
		return -EINVAL;
	ev->terms.given |= EVENT_TERM_OVERWRITE;
	ev->terms.overwrite = yes != says_no(t);
	return 0;
}

static int apply_branch_type(struct parser *p, const struct term *t, struct event *ev)
{
	uint64_t bits = 0;

	if (!(span_len(t->value) == 2 && !memcmp(t->value.at, "no", 2)) &&
	    !branch_filter_find(t->value.at, span_len(t->value), &bits))
		return wrong_value(p, t, _("a branch filter as -j has them: any, any_call, u ..."));
	ev->terms.given |= EVENT_TERM_BRANCH;
	ev->terms.branch_sample_type = bits ? branch_filter_complete(bits) : 0;
	return 0;
}

static int apply_percore(struct parser *p, const struct term *t, struct event *ev)
{
	bool yes = false;

	if (zero_or_one(p, t, &yes))
		return -EINVAL;
	ev->terms.given |= EVENT_TERM_PERCORE;
	return 0;
}

/* Mutually exclusive terms. */
static int one_of_aux(struct parser *p, const struct term *t, const struct event *ev)
{
	if (!ev->attr.aux_output || !ev->attr.aux_action)
		return 0;
	return parser_error(p, t->name.at, _("one of them"),
			    _("aux-output and aux-action are mutually exclusive"));
}

static int apply_aux_output(struct parser *p, const struct term *t, struct event *ev)
{
	bool yes = false;

	if (zero_or_one(p, t, &yes))
		return -EINVAL;
	ev->terms.given |= EVENT_TERM_AUX;
	ev->attr.aux_output = yes;
	return one_of_aux(p, t, ev);
}

static int apply_aux_sample_size(struct parser *p, const struct term *t, struct event *ev)
{
	if (t->number > UINT32_MAX)
		return wrong_value(p, t, _("a number of bytes, at most 4294967295"));
	ev->terms.given |= EVENT_TERM_AUX;
	ev->attr.aux_sample_size = (uint32_t)t->number;
	return 0;
}

/* What the event does to the tracer that leads its group. */
static int apply_aux_action(struct parser *p, const struct term *t, struct event *ev)
{
	ev->terms.given |= EVENT_TERM_AUX;
	ev->attr.aux_start_paused = span_is(t->value, "start-paused");
	ev->attr.aux_pause = span_is(t->value, "pause");
	ev->attr.aux_resume = span_is(t->value, "resume");
	if (!ev->attr.aux_action)
		return wrong_value(p, t, _("pause, resume or start-paused"));
	return one_of_aux(p, t, ev);
}

/* Terms internal to perf, or that need more than one event. */
static int refuse(struct parser *p, const struct term *t, struct event *ev)
{
	(void)ev;
	return parser_error(p, t->name.at, _("another term"),
			    _("metrics are not supported yet (%.*s)"), (int)span_len(t->name),
			    t->name.at);
}

/* A list of CPUs, or those of a PMU; repeated terms add to the first. */
static int apply_cpu(struct parser *p, const struct term *t, struct event *ev)
{
	const struct pmu *pmu = catalog_find_pmu(p->cat, t->value.at, span_len(t->value));
	struct buf cpus = BUF_INIT;

	/* a PMU on all CPUs */
	if (pmu && !pmu->cpus)
		return 0;
	if (ev->asked_cpus)
		buf_addf(&cpus, "%s,", ev->asked_cpus);
	if (pmu)
		buf_add_str(&cpus, pmu->cpus);
	else
		buf_add(&cpus, t->value.at, span_len(t->value));
	if (!cpus.err && !cpu_list_is_valid(buf_str(&cpus))) {
		buf_release(&cpus);
		return wrong_value(p, t, _("a CPU, a CPU range (0-3), or a PMU"));
	}
	return buf_replace(&cpus, &ev->asked_cpus) ? ptui_error_nomem(p->err) : 0;
}

static const struct general table[] = {
	{ "config", NUMBER, false, apply_config },
	{ "config1", NUMBER, false, apply_config },
	{ "config2", NUMBER, false, apply_config },
	{ "config3", NUMBER, false, apply_config },
	{ "config4", NUMBER, false, apply_config },
	{ "name", WORD, false, apply_name },
	{ "period", NUMBER, false, apply_period },
	{ "freq", NUMBER, false, apply_freq },
	{ "time", NUMBER, false, apply_time },
	{ "branch_type", WORD, false, apply_branch_type },
	{ "call-graph", WORD, true, apply_callgraph },
	{ "stack-size", NUMBER, true, apply_stack_size },
	{ "max-stack", NUMBER, true, apply_max_stack },
	{ "nr", NUMBER, true, apply_nr },
	{ "inherit", FLAG, true, apply_inherit },
	{ "no-inherit", FLAG, true, apply_inherit },
	{ "overwrite", FLAG, true, apply_overwrite },
	{ "no-overwrite", FLAG, true, apply_overwrite },
	{ "percore", FLAG, false, apply_percore },
	{ "aux-output", FLAG, true, apply_aux_output },
	{ "aux-sample-size", NUMBER, true, apply_aux_sample_size },
	{ "aux-action", WORD, true, apply_aux_action },
	{ "cpu", WORD, false, apply_cpu },
	{ "metric-id", WORD, false, refuse },
	{ "ratio-to-prev", WORD, false, refuse },
};

#define N_TABLE (sizeof(table) / sizeof(table[0]))

const char *term_general_name(size_t i)
{
	return i < N_TABLE ? table[i].name : NULL;
}

/* @NAME=VALUE is passed unchanged to the PMU's driver. */
static int apply_driver(struct parser *p, const struct term *t, struct event *ev)
{
	const char *end = t->value.at ? t->value.end : t->name.end;
	struct buf text = BUF_INIT;

	if (ev->driver_config)
		buf_addf(&text, "%s,", ev->driver_config);
	buf_add(&text, t->name.at + 1, (size_t)(end - t->name.at - 1));
	return buf_replace(&text, &ev->driver_config) ? ptui_error_nomem(p->err) : 1;
}

static const struct general *find(struct span name)
{
	for (size_t i = 0; i < N_TABLE; i++) {
		if (strlen(table[i].name) == span_len(name) &&
		    !memcmp(table[i].name, name.at, span_len(name)))
			return &table[i];
	}
	return NULL;
}

bool term_is_general(const struct term *t)
{
	return *t->name.at == '@' || find(t->name);
}

int term_apply_general(struct parser *p, const struct term *t, struct event *ev)
{
	const struct general *g = find(t->name);
	int ret;

	if (*t->name.at == '@')
		return apply_driver(p, t, ev);
	if (!g)
		return 0;
	if (ev->kind == EVENT_TRACEPOINT && !g->tracepoint)
		return parser_error(p, t->name.at, _("another term"),
				    _("term %s is not supported on tracepoints"), g->name);
	if (g->value == WORD && !t->value.at)
		return parser_error(p, t->name.end, _("an equals sign and a value"),
				    _("term %s requires a value"), g->name);
	if (g->value == NUMBER && t->value.at && !t->is_number)
		return wrong_value(p, t, _("a number, decimal or 0x..."));
	ret = g->apply(p, t, ev);
	return ret ? ret : 1;
}

int terms_apply_general(struct parser *p, const struct terms *terms, struct event *ev)
{
	for (size_t i = 0; i < terms->n; i++) {
		const struct term *t = &terms->v[i];
		const char *names[N_TABLE];
		int ret = term_apply_general(p, t, ev);

		if (ret < 0)
			return ret;
		if (ret)
			continue;
		ret = parser_error(p, t->name.at, _("a general term"), _("unknown term %.*s"),
				   (int)(span_len(t->name) > 80 ? 80 : span_len(t->name)),
				   t->name.at);
		for (size_t k = 0; k < N_TABLE; k++)
			names[k] = table[k].name;
		parser_hint_nearest(p, t->name, names, N_TABLE);
		return ret;
	}
	return 0;
}
