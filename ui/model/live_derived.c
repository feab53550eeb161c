/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/live_derived.h"

#include <math.h>
#include <string.h>

#include "text/i18n.h"

struct rule {
	const char *title;
	const char *over[3], *under[3]; /* names of the same event; none: seconds */
	enum live_derived_unit unit;
};

static const struct rule rules[] = {
	{ N_("instructions/cycle"),
	  { "instructions" },
	  { "cycles", "cpu-cycles" },
	  LIVE_DERIVED_RATIO },
	{ N_("CPUs used"), { "task-clock", "cpu-clock" }, { NULL }, LIVE_DERIVED_RATIO },
	{ N_("cache miss rate"), { "cache-misses" }, { "cache-references" }, LIVE_DERIVED_PERCENT },
	{ N_("branch miss rate"),
	  { "branch-misses" },
	  { "branches", "branch-instructions" },
	  LIVE_DERIVED_PERCENT },
	{ N_("L1 miss rate"),
	  { "L1-dcache-load-misses" },
	  { "L1-dcache-loads" },
	  LIVE_DERIVED_PERCENT },
	{ N_("LLC miss rate"), { "LLC-load-misses" }, { "LLC-loads" }, LIVE_DERIVED_PERCENT },
	{ N_("dTLB miss rate"), { "dTLB-load-misses" }, { "dTLB-loads" }, LIVE_DERIVED_PERCENT },
};

/* "cycles:u" is cycles; returns its modifiers ("" without any), NULL: another event. */
static const char *is_event(const char *name, const char *wanted)
{
	size_t n = strlen(wanted);

	if (strncmp(name, wanted, n) || (name[n] && name[n] != ':'))
		return NULL;
	return name[n] ? name + n + 1 : name + n;
}

static const char *is_one_of(const char *name, const char *const wanted[3])
{
	const char *mods = NULL;

	for (size_t i = 0; i < 3 && wanted[i] && !mods; i++)
		mods = is_event(name, wanted[i]);
	return mods;
}

bool live_is_clock(const char *name)
{
	static const char *const clocks[3] = { "task-clock", "cpu-clock" };

	return is_one_of(name, clocks);
}

/* The first line that is one of these, with the modifiers `mods` (NULL: any). SIZE_MAX: none. */
static size_t find_line(const struct live_line *lines, size_t n, const char *const names[3],
			const char *mods)
{
	for (size_t i = 0; i < n; i++) {
		const char *has = is_one_of(lines[i].name, names);

		if (has && (!mods || !strcmp(has, mods)))
			return i;
	}
	return SIZE_MAX;
}

size_t live_derived_find(const struct live_line *lines, size_t n, bool whole_system,
			 struct live_derived *ret_derived, size_t max)
{
	size_t found = 0;

	for (size_t r = 0; r < sizeof(rules) / sizeof(rules[0]) && found < max; r++) {
		const struct rule *rule = &rules[r];
		size_t over = find_line(lines, n, rule->over, NULL), under = SIZE_MAX;

		if (over == SIZE_MAX || (whole_system && !rule->under[0]))
			continue;
		if (rule->under[0]) {
			under = find_line(lines, n, rule->under,
					  is_one_of(lines[over].name, rule->over));
			if (under == SIZE_MAX)
				continue;
		}
		ret_derived[found++] = (struct live_derived){ .title = _(rule->title),
							      .unit = rule->unit,
							      .over = over,
							      .under = under,
							      .value = NAN };
	}
	return found;
}

double live_derived_value(const struct live_derived *d, const struct live_line *lines,
			  const struct ptui_live_stats *stats, bool running)
{
	const struct ptui_live_event *over = &lines[d->over].facts;
	double above = running ? over->rate : (double)over->scaled, below;

	if (over->state != PTUI_LIVE_COUNTING)
		return NAN;
	if (d->under == SIZE_MAX) {
		/* a clock against the clock: both in nanoseconds */
		below = running ? 1e9 : (double)(stats->elapsed_ns - stats->paused_ns);
	} else {
		const struct ptui_live_event *under = &lines[d->under].facts;

		if (under->state != PTUI_LIVE_COUNTING)
			return NAN;
		below = running ? under->rate : (double)under->scaled;
	}
	if (below <= 0)
		return NAN;
	return above / below * (d->unit == LIVE_DERIVED_PERCENT ? 100.0 : 1.0);
}
