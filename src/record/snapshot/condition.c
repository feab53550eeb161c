/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A condition that was read: asked whether it holds. */
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

void condition_forget(struct condition *c)
{
	for (size_t i = 0; i < c->n_parts; i++)
		c->parts[i].last_event = c->parts[i].last_under = NAN;
}

/* What scaling estimates may be a little less the next time. */
static double since(double now, double last)
{
	return now < last ? 0 : now - last; /* NaN stays NaN */
}

static double value(const struct condition_part *p, double event, double under, uint64_t passed_ns)
{
	switch (p->unit) {
	case PTUI_ARMED_COUNT:
		return event;
	case PTUI_ARMED_RATE:
		return passed_ns ? since(event, p->last_event) * 1e9 / (double)passed_ns : NAN;
	case PTUI_ARMED_RATIO:
	case PTUI_ARMED_PERCENT:
		under = since(under, p->last_under);
		return under > 0 ? since(event, p->last_event) / under : NAN;
	}
	return NAN;
}

/* No value is neither above nor below. */
static bool holds(const struct condition_part *p)
{
	if (isnan(p->now))
		return false;
	if (p->or_equal && p->now == p->limit)
		return true;
	return p->below ? p->now < p->limit : p->now > p->limit;
}

static void look_at(struct condition_part *p, const double *totals, uint64_t passed_ns)
{
	double event = totals[p->event];
	double under = p->unit >= PTUI_ARMED_RATIO ? totals[p->under] : NAN;

	p->now = value(p, event, under, passed_ns);
	p->had_value |= !isnan(p->now);
	p->last_event = event;
	p->last_under = under;
}

/* Of the bits in `stack` the lowest is the top. There are at most as many as the parser lets be open. */
static bool join(const struct condition *c)
{
	uint64_t stack = 0;
	size_t part = 0;

	for (size_t i = 0; i < c->n_steps; i++) {
		uint64_t top = stack & 1, below = stack >> 1 & 1;

		if (c->steps[i] == CONDITION_PART)
			stack = stack << 1 | holds(&c->parts[part++]);
		else if (c->steps[i] == CONDITION_AND)
			stack = stack >> 2 << 1 | (top & below);
		else
			stack = stack >> 2 << 1 | (top | below);
	}
	return stack & 1;
}

bool condition_look(struct condition *c, const double *totals, uint64_t passed_ns)
{
	for (size_t i = 0; i < c->n_parts; i++)
		look_at(&c->parts[i], totals, passed_ns);
	return join(c);
}

uint32_t condition_never_known(const struct condition *c)
{
	for (size_t i = 0; i < c->n_parts; i++)
		if (!c->parts[i].had_value)
			return c->parts[i].event;
	return PTUI_NONE;
}
