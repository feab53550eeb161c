/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Evaluation of a parsed condition. */
#include "record/snapshot/condition.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "ptui/types.h"

void condition_release(struct condition *c)
{
	free(c->text);
	free(c->parts);
	free(c->steps);
	memset(c, 0, sizeof(*c));
}

bool condition_needs(const struct condition *c, uint32_t event)
{
	for (size_t i = 0; i < c->n_parts; i++) {
		const struct condition_part *p = &c->parts[i];

		if (p->event == event || (p->unit >= PTUI_ARMED_RATIO && p->under == event))
			return true;
	}
	return false;
}

void condition_reset(struct condition *c)
{
	for (size_t i = 0; i < c->n_parts; i++)
		c->parts[i].last_event = c->parts[i].last_under = NAN;
}

/* Never negative: scaled estimates may decrease. */
static double increase(double now, double last)
{
	return now < last ? 0 : now - last; /* NaN stays NaN */
}

static double part_value(const struct condition_part *p, double event, double under,
			 uint64_t passed_ns)
{
	switch (p->unit) {
	case PTUI_ARMED_COUNT:
		return event;
	case PTUI_ARMED_RATE:
		return passed_ns ? increase(event, p->last_event) * 1e9 / (double)passed_ns : NAN;
	case PTUI_ARMED_RATIO:
	case PTUI_ARMED_PERCENT:
		under = increase(under, p->last_under);
		return under > 0 ? increase(event, p->last_event) / under : NAN;
	}
	return NAN;
}

/* An unknown value satisfies no comparison. */
static bool part_holds(const struct condition_part *p)
{
	if (isnan(p->now))
		return false;
	if (p->or_equal && p->now == p->limit)
		return true;
	return p->below ? p->now < p->limit : p->now > p->limit;
}

static void part_evaluate(struct condition_part *p, const double *totals, uint64_t passed_ns)
{
	double event = totals[p->event];
	double under = p->unit >= PTUI_ARMED_RATIO ? totals[p->under] : NAN;

	p->now = part_value(p, event, under, passed_ns);
	p->had_value |= !isnan(p->now);
	p->last_event = event;
	p->last_under = under;
}

/* The lowest bit of `stack` is its top. The parser limits its depth. */
static bool condition_join(const struct condition *c)
{
	uint64_t stack = 0;
	size_t part = 0;

	for (size_t i = 0; i < c->n_steps; i++) {
		uint64_t top = stack & 1, below = stack >> 1 & 1;

		if (c->steps[i] == CONDITION_PART)
			stack = stack << 1 | part_holds(&c->parts[part++]);
		else if (c->steps[i] == CONDITION_AND)
			stack = stack >> 2 << 1 | (top & below);
		else
			stack = stack >> 2 << 1 | (top | below);
	}
	return stack & 1;
}

bool condition_evaluate(struct condition *c, const double *totals, uint64_t passed_ns)
{
	for (size_t i = 0; i < c->n_parts; i++)
		part_evaluate(&c->parts[i], totals, passed_ns);
	return condition_join(c);
}

uint32_t condition_never_known(const struct condition *c)
{
	for (size_t i = 0; i < c->n_parts; i++)
		if (!c->parts[i].had_value)
			return c->parts[i].event;
	return PTUI_NONE;
}
