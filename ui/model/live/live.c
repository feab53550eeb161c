/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/live/live.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "model/amount.h"
#include "text/grouped.h"
#include "text/i18n.h"

/* ---- values derived from pairs of counts ---- */

/* Alternative names of the same event, separated by blanks; none below (""): seconds. */
struct rule {
	const char *title, *over, *under;
	enum live_derived_unit unit;
	enum { ALWAYS, OF_TASKS, OF_CPUS } when;
};

#define INSTRUCTIONS "instructions"
#define CYCLES	     "cycles cpu-cycles"
#define CLOCKS	     "task-clock cpu-clock"
#define PERCENT	     LIVE_DERIVED_PERCENT

/* In display order. A clock of whole CPUs also counts idle time. */
static const struct rule rules[] = {
	{ N_("instructions/cycle"), INSTRUCTIONS, CYCLES, LIVE_DERIVED_RATIO, ALWAYS },
	{ N_("CPUs used"), CLOCKS, "", LIVE_DERIVED_CPUS, OF_TASKS },
	{ N_("clock rate"), CYCLES, CLOCKS, LIVE_DERIVED_GHZ, OF_TASKS },
	{ N_("clock, idle too"), CYCLES, CLOCKS, LIVE_DERIVED_GHZ, OF_CPUS },
	{ N_("cache miss rate"), "cache-misses", "cache-references", PERCENT, ALWAYS },
	{ N_("branch miss rate"), "branch-misses", "branches branch-instructions", PERCENT,
	  ALWAYS },
	{ N_("L1 miss rate"), "L1-dcache-load-misses", "L1-dcache-loads", PERCENT, ALWAYS },
	{ N_("L1i miss rate"), "L1-icache-load-misses", "L1-icache-loads", PERCENT, ALWAYS },
	{ N_("LLC miss rate"), "LLC-load-misses", "LLC-loads", PERCENT, ALWAYS },
	{ N_("node miss rate"), "node-load-misses", "node-loads", PERCENT, ALWAYS },
	{ N_("dTLB miss rate"), "dTLB-load-misses", "dTLB-loads", PERCENT, ALWAYS },
	{ N_("iTLB miss rate"), "iTLB-load-misses", "iTLB-loads", PERCENT, ALWAYS },
	{ N_("front end stalled"), "stalled-cycles-frontend idle-cycles-frontend", CYCLES, PERCENT,
	  ALWAYS },
	{ N_("back end stalled"), "stalled-cycles-backend idle-cycles-backend", CYCLES, PERCENT,
	  ALWAYS },
	{ N_("cache misses/1000"), "cache-misses", INSTRUCTIONS, LIVE_DERIVED_MILLE, ALWAYS },
	{ N_("branch misses/1000"), "branch-misses", INSTRUCTIONS, LIVE_DERIVED_MILLE, ALWAYS },
};

/* ---- names ---- */

/* The parts of a selector: "cycles:u", "cycles/period=9/u", "cpu_core/cycles/". */
struct parts {
	const char *unit, *name;
	size_t unit_n, name_n;
	unsigned levels; /* the LEVELS modifiers: the others do not change the count */
};

#define LEVELS "ukhHGI"

static unsigned read_levels(const char *mods)
{
	unsigned levels = 0;

	for (; *mods; mods++)
		if (strchr(LEVELS, *mods))
			levels |= 1u << (strchr(LEVELS, *mods) - LEVELS);
	return levels;
}

/*
 * After a PMU the slashes enclose an event; after an event name, terms, which have commas and "=".
 */
static struct parts read_name(const char *text)
{
	size_t n = strcspn(text, "/:");
	struct parts p = { .name = text, .name_n = n, .levels = 0 };
	const char *end;

	if (text[n] != '/') {
		p.levels = read_levels(text + n);
		return p;
	}
	end = strchr(text + n + 1, '/');
	if (!end)
		return p;
	p.levels = read_levels(end + 1);
	if (memchr(text + n, '=', (size_t)(end - text) - n) || end == text + n + 1 ||
	    amount_is_time(text) || !strncmp(text + n, "/overwrite/", 11))
		return p;
	p.unit = text;
	p.unit_n = n;
	p.name = text + n + 1;
	p.name_n = (size_t)(end - p.name);
	return p;
}

/* Whether the name is a word of `wanted`. */
static bool is_one_of(const char *name, size_t n, const char *wanted)
{
	for (size_t length; *wanted; wanted += length + strspn(wanted + length, " ")) {
		length = strcspn(wanted, " ");
		if (length == n && !memcmp(wanted, name, n))
			return true;
	}
	return false;
}

static bool line_is(const struct live_line *l, const char *names)
{
	struct parts p = read_name(l->facts.name);

	return !l->facts.reason && is_one_of(p.name, p.name_n, names);
}

/* Same PMU and same levels: both could have counted the same instructions. */
static bool belong_together(const struct live_line *a, const struct live_line *b)
{
	struct parts p = read_name(a->facts.name), q = read_name(b->facts.name);

	/* a clock belongs to no PMU, and counts at any level */
	if (amount_is_time(b->facts.name))
		return !p.levels;
	return p.levels == q.levels && p.unit_n == q.unit_n &&
	       (!p.unit_n || !memcmp(p.unit, q.unit, p.unit_n));
}

/* ---- pairs ---- */

static size_t find_under(const struct live_line *lines, size_t n, const struct rule *rule,
			 size_t over)
{
	for (size_t i = 0; i < n; i++)
		if (line_is(&lines[i], rule->under) && belong_together(&lines[over], &lines[i]))
			return i;
	return SIZE_MAX;
}

/* "u", "cpu_core", "cpu_core u": distinguishes a pair from others of its rule. */
static void name_pair(struct live_derived *d, const char *name)
{
	struct parts p = read_name(name);
	size_t n;

	snprintf(d->of, sizeof(d->of), "%.*s%s", (int)p.unit_n, p.unit ? p.unit : "",
		 p.unit && p.levels ? " " : "");
	n = strlen(d->of);
	for (size_t i = 0; LEVELS[i] && n + 1 < sizeof(d->of); i++)
		if (p.levels & 1u << i)
			d->of[n++] = LEVELS[i];
	d->of[n] = 0;
}

/* Adds the pairs of a rule; several pairs get a qualifier. */
static size_t apply(const struct rule *rule, const struct live_line *lines, size_t n,
		    struct live_derived *ret, size_t max)
{
	size_t found = 0;

	for (size_t i = 0; i < n && found < max; i++) {
		size_t under = SIZE_MAX;

		if (!line_is(&lines[i], rule->over))
			continue;
		if (*rule->under)
			under = find_under(lines, n, rule, i);
		if (*rule->under && under == SIZE_MAX)
			continue;
		ret[found] = (struct live_derived){ .title = _(rule->title),
						    .unit = rule->unit,
						    .over = i,
						    .under = under,
						    .value = NAN };
		name_pair(&ret[found++], lines[i].facts.name);
		if (!*rule->under)
			break; /* one clock is enough */
	}
	if (found == 1)
		ret[0].of[0] = 0;
	return found;
}

/*
 * Counters of tasks run only while the tasks do: without a clock, their running time serves as one,
 * unless they were multiplexed. Uses the one that ran most.
 */
static double run_time(const struct live_derived *d, const struct live_line *lines, bool running)
{
	const struct ptui_live_event *most = &lines[d->over].facts;

	for (size_t i = d->over; i <= d->last; i++)
		if (lines[i].facts.running_ns > most->running_ns)
			most = &lines[i].facts;
	if (most->state != PTUI_LIVE_COUNTING || most->running_share < 0.995)
		return NAN;
	return running ? most->running_rate * 1e9 : (double)most->running_ns;
}

static bool by_run_time(const struct live_line *lines, size_t n, struct live_derived *ret)
{
	/* unsupported events come last */
	if (!n || lines[0].facts.reason)
		return false;
	*ret = (struct live_derived){ .title = _("CPUs used"),
				      .unit = LIVE_DERIVED_CPUS,
				      .over = 0,
				      .last = n - 1,
				      .under = SIZE_MAX,
				      .run_time = true,
				      .value = NAN };
	return true;
}

/* Without a specific target a clock only shows the number of CPUs, so it is omitted. */
static void find_derived(struct live_model *m)
{
	size_t found = 0;
	bool clock = false;

	for (size_t r = 0; r < sizeof(rules) / sizeof(rules[0]) && found < LIVE_DERIVED_MAX; r++) {
		if (rules[r].when != ALWAYS && (rules[r].when == OF_CPUS) != m->whole_system)
			continue;
		found += apply(&rules[r], m->lines, m->n_lines, m->derived + found,
			       LIVE_DERIVED_MAX - found);
	}
	for (size_t i = 0; i < found; i++)
		clock |= m->derived[i].unit == LIVE_DERIVED_CPUS;
	if (!clock && !m->whole_system && found < LIVE_DERIVED_MAX)
		found += by_run_time(m->lines, m->n_lines, m->derived + found);
	m->n_derived = found;
}

/* ---- values ---- */

static const double factors[] = {
	[LIVE_DERIVED_RATIO] = 1, [LIVE_DERIVED_PERCENT] = 100, [LIVE_DERIVED_MILLE] = 1000,
	[LIVE_DERIVED_CPUS] = 1,  [LIVE_DERIVED_GHZ] = 1, /* cycles per nanosecond */
};

/* `running`: from the rates of the last interval, else from the total counts. NaN: unknown. */
static double derived_value(const struct live_derived *d, const struct live_line *lines,
			    const struct ptui_live_stats *stats, bool running)
{
	const struct ptui_live_event *over = &lines[d->over].facts;
	double above = running ? over->rate : (double)over->scaled, below;

	if (d->run_time)
		above = run_time(d, lines, running);
	else if (over->state != PTUI_LIVE_COUNTING)
		return NAN;
	if (d->under == SIZE_MAX) {
		/* clock by clock: both in nanoseconds */
		below = running ? 1e9 : (double)(stats->elapsed_ns - stats->paused_ns);
	} else {
		const struct ptui_live_event *under = &lines[d->under].facts;

		if (under->state != PTUI_LIVE_COUNTING)
			return NAN;
		below = running ? under->rate : (double)under->scaled;
	}
	if (below <= 0)
		return NAN;
	return above / below * factors[d->unit];
}

char *live_derived_text(const struct live_derived *d, unsigned n_cpus, char *buf, size_t size)
{
	if (isnan(d->value)) {
		snprintf(buf, size, "–");
		return buf;
	}
	switch (d->unit) {
	case LIVE_DERIVED_CPUS:
		snprintf(buf, size, _("%.2f of %u"), d->value, n_cpus);
		break;
	case LIVE_DERIVED_PERCENT:
		snprintf(buf, size, "%.1f %%", d->value);
		break;
	case LIVE_DERIVED_GHZ:
		snprintf(buf, size, "%.2f GHz", d->value);
		break;
	default:
		snprintf(buf, size, "%.2f", d->value);
	}
	return buf;
}

void live_history_add(struct live_history *h, double value)
{
	if (h->n == LIVE_HISTORY)
		memmove(h->values, h->values + 1, --h->n * sizeof(*h->values));
	h->values[h->n++] = value;
}

int live_model_init(struct live_model *m, size_t n_events)
{
	m->n_lines = n_events;
	m->lines = calloc(n_events + 1, sizeof(*m->lines));
	m->derived = calloc(LIVE_DERIVED_MAX, sizeof(*m->derived));
	return m->lines && m->derived ? 0 : -ENOMEM;
}

void live_model_release(struct live_model *m)
{
	free(m->lines);
	free(m->derived);
	memset(m, 0, sizeof(*m));
}

static enum live_phase phase_of(const struct live_model *m, enum ptui_live_state state,
				bool target_gone)
{
	switch (state) {
	case PTUI_LIVE_ENDED:
		return LIVE_ENDED;
	case PTUI_LIVE_FAILED:
		return LIVE_FAILED;
	default:
		break;
	}
	if (m->stop_asked)
		return LIVE_STOPPING;
	if (target_gone)
		return LIVE_TARGET_GONE;
	return state == PTUI_LIVE_PAUSED ? LIVE_PAUSED : LIVE_RECORDING;
}

/* Pauses add no point: histories cover measured time only. */
static bool is_point(const struct live_model *m)
{
	return m->phase != LIVE_PAUSED && m->phase != LIVE_ENDED && m->phase != LIVE_FAILED &&
	       m->stats.elapsed_ns >= m->fed_ns + LIVE_POINT_NS;
}

void live_model_update(struct live_model *m, const struct ptui_live_stats *stats,
		       enum ptui_live_state state, bool target_gone)
{
	bool point;

	if (!m->derived_known)
		find_derived(m);
	m->derived_known = true;
	m->stats = *stats;
	m->phase = phase_of(m, state, target_gone);
	point = is_point(m);
	for (size_t i = 0; i < m->n_lines; i++) {
		struct live_line *l = &m->lines[i];
		bool counts = l->facts.state == PTUI_LIVE_COUNTING;

		m->shares |= counts && l->facts.running_share < 0.995;
		if (point)
			live_history_add(&l->rates, counts ? l->facts.rate : NAN);
	}
	for (size_t i = 0; i < m->n_derived; i++) {
		struct live_derived *d = &m->derived[i];

		d->value = derived_value(d, m->lines, stats, m->phase == LIVE_RECORDING);
		if (point)
			live_history_add(&d->values, d->value);
	}
	if (point)
		m->fed_ns = stats->elapsed_ns;
}

const char *live_phase_text(enum live_phase phase, bool has_file)
{
	static const char *const texts[] = {
		[LIVE_RECORDING] = N_("● REC"),	    [LIVE_PAUSED] = N_("⏸ paused"),
		[LIVE_STOPPING] = N_("● stopping"), [LIVE_TARGET_GONE] = N_("● target gone"),
		[LIVE_ENDED] = N_("✓ ended"),	    [LIVE_FAILED] = N_("✗ failed"),
	};

	return phase == LIVE_RECORDING && !has_file ? _("● LIVE") : _(texts[phase]);
}

char *live_child_text(int status, char *buf, size_t size)
{
	if (size)
		buf[0] = 0;
	if (status == -1)
		return buf;
	if (WIFSIGNALED(status))
		snprintf(buf, size, _("killed by signal %d (%s)"), WTERMSIG(status),
			 strsignal(WTERMSIG(status)));
	else
		snprintf(buf, size, _("exit %d"), WEXITSTATUS(status));
	return buf;
}

char *live_missing_text(bool has_file, uint64_t left, uint64_t dropped, char *buf, size_t size)
{
	uint64_t n = left ? left : dropped;
	struct grouped first = grouped(n), second = grouped(dropped);

	*buf = '\0';
	if (left && dropped)
		snprintf(
			buf, size,
			has_file ?
				Q_("only in the file: the oldest %s sample, and %s that came too fast to be shown",
				   "only in the file: the oldest %s samples, and %s that came too fast to be shown",
				   n) :
				Q_("the oldest %s sample is no longer shown, and %s came too fast to be shown",
				   "the oldest %s samples are no longer shown, and %s came too fast to be shown",
				   n),
			first.text, second.text);
	else if (left)
		snprintf(buf, size,
			 has_file ? Q_("only in the file: the oldest %s sample",
				       "only in the file: the oldest %s samples", n) :
				    Q_("the oldest %s sample is no longer shown",
				       "the oldest %s samples are no longer shown", n),
			 first.text);
	else if (dropped)
		snprintf(buf, size,
			 has_file ?
				 Q_("only in the file: %s sample that came too fast to be shown",
				    "only in the file: %s samples that came too fast to be shown",
				    n) :
				 Q_("%s sample came too fast to be shown",
				    "%s samples came too fast to be shown", n),
			 first.text);
	return buf;
}

uint64_t live_lost(const struct ptui_live_stats *s)
{
	return (s->lost > s->lost_samples ? s->lost : s->lost_samples) - s->lost_sideband;
}

bool live_rings_are_full(const struct ptui_live_stats *s)
{
	return s->ring_fill_max > 0.8;
}

void live_trouble_text(const struct ptui_live_stats *s, char *buf, size_t size)
{
	if (s->lost_sideband)
		live_add_text(
			buf, size,
			_("sideband lost, names may be wrong: enlarge the ring buffers (-m)"));
	if (live_lost(s))
		live_add_text(
			buf, size,
			_("samples are lost: lower the frequency (-F) or enlarge the ring buffers "
			  "(-m)"));
	else if (!s->lost_sideband && live_rings_are_full(s))
		live_add_text(
			buf, size,
			_("the ring buffers are nearly full: lower the frequency (-F) or enlarge "
			  "them (-m)"));
	if (s->not_unwound)
		live_add_text(buf, size,
			      _("stacks are not unwound in time: lower the frequency (-F), or "
				"record frame pointers (-g)"));
	if (s->throttled)
		live_add_text(buf, size, _("the kernel throttles: lower the frequency (-F)"));
}
