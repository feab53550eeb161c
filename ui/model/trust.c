/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/trust.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "text/i18n.h"

struct facts {
	struct trust_fact *list;
	size_t n;
};

static struct trust_fact *add(struct facts *f, enum trust_level level)
{
	struct trust_fact *fact;

	if (f->n == TRUST_FACTS_MAX)
		return NULL;
	fact = &f->list[f->n++];
	memset(fact, 0, sizeof(*fact));
	fact->level = level;
	return fact;
}

#define SAY(fact, field, ...)                                                      \
	do {                                                                       \
		if (fact)                                                          \
			snprintf((fact)->field, sizeof((fact)->field), __VA_ARGS__); \
	} while (0)

static double share(uint64_t part, uint64_t all)
{
	return all ? 100.0 * (double)part / (double)all : 0;
}

static uint64_t all_samples(const struct ptui_profile *p)
{
	uint64_t n = 0;

	for (size_t i = 0; i < ptui_profile_n_events(p); i++)
		n += ptui_profile_event(p, i)->samples;
	return n;
}

/* LOST counts records of any kind, LOST_SAMPLES the samples among them: the higher one is told. */
static void add_lost(struct facts *f, const struct ptui_trust *t, uint64_t samples)
{
	uint64_t lost = t->lost_events > t->lost_samples ? t->lost_events : t->lost_samples;
	double percent = share(lost, samples + lost);
	struct trust_fact *fact = add(f, !lost ? TRUST_FINE : percent < 1 ? TRUST_NOTE : TRUST_BAD);

	if (!lost) {
		SAY(fact, text, "%s", _("lost 0"));
		SAY(fact, advice, "%s", _("The kernel had room for every record."));
		return;
	}
	SAY(fact, text, _("lost %" PRIu64 " (%.1f%%)"), lost, percent);
	SAY(fact, advice,
	    _("The kernel dropped %" PRIu64 " records because a ring buffer was full: what happened "
	      "then is not in the rows. Record with larger rings (-m 4M) or a lower frequency (-F)."),
	    lost);
}

static const char *unknown_help(const char *module)
{
	if (module[0] == '[')
		return _("The kernel hides its symbols from normal users: "
			 "sysctl kernel.kptr_restrict=0, or --kallsyms FILE.");
	return _("Install its debug package, or point --symfs to where its file is.");
}

static void add_unknown(struct facts *f, const struct ptui_hist *h)
{
	struct ptui_unknown u;
	struct trust_fact *fact;
	double percent;

	ptui_hist_unknown(h, &u);
	percent = share(u.period, ptui_hist_total_period(h));
	fact = add(f, percent < 1 ? TRUST_FINE : percent < 20 ? TRUST_NOTE : TRUST_BAD);
	if (!u.module || percent < 0.05)
		SAY(fact, text, _("unknown %.1f%%"), percent);
	else
		SAY(fact, text, _("unknown %.1f%% (%.40s)"), percent, u.module);
	if (percent < 1) {
		SAY(fact, advice, "%s", _("Nearly all samples are in functions with a name."));
		return;
	}
	if (u.module && u.why)
		SAY(fact, advice,
		    _("%.1f%% of the samples are in functions without a name, most of them in %.60s: "
		      "%.200s. %s"), percent, u.module, u.why, unknown_help(u.module));
	else
		SAY(fact, advice,
		    _("%.1f%% of the samples are in functions without a name, most of them in %.60s. "
		      "%s"), percent, u.module ? u.module : _("no module at all"),
		    u.module ? unknown_help(u.module) :
			       _("Code that is made while a program runs needs a perf-PID.map."));
}

static void add_chains(struct facts *f, const struct ptui_profile *p, uint32_t event,
		       const struct ptui_trust *t, uint64_t samples)
{
	double percent = share(t->broken_chains, samples);
	struct trust_fact *fact;

	if (!ptui_profile_event(p, event)->has_callchains)
		return;
	/* a few are usual where code has no frame pointers */
	fact = add(f, percent < 1 ? TRUST_FINE : percent < 20 ? TRUST_NOTE : TRUST_BAD);
	SAY(fact, text, _("broken stacks %.1f%%"), percent);
	if (percent < 1)
		SAY(fact, advice, "%s", _("Nearly all callchains could be followed."));
	else
		SAY(fact, advice,
		    _("%.1f%% of the callchains had nonsense in them and were left out: programs "
		      "built without frame pointers. Build with -fno-omit-frame-pointer."), percent);
}

/* Nothing is said where the recording says nothing. */
static void add_running(struct facts *f, const struct ptui_event_info *e)
{
	double percent = share(e->running_ns, e->enabled_ns);
	struct trust_fact *fact;

	if (!e->enabled_ns)
		return;
	fact = add(f, percent >= 99.95 ? TRUST_FINE : percent >= 20 ? TRUST_NOTE : TRUST_BAD);
	SAY(fact, text, _("running %.*f%%"), percent >= 99.95 ? 0 : 1, percent);
	if (percent >= 99.95)
		SAY(fact, advice, "%s", _("The event had a counter all the time it was on."));
	else
		SAY(fact, advice,
		    _("The event had a counter %.1f%% of the time only: more events were recorded than "
		      "the CPU has counters for, and they took turns. What was short may be missing. "
		      "Record fewer events at once, or together what is compared: -e '{a,b}'."),
		    percent);
}

static void add_throttled(struct facts *f, const struct ptui_trust *t)
{
	struct trust_fact *fact;

	if (!t->throttled)
		return;
	fact = add(f, TRUST_NOTE);
	SAY(fact, text, _("throttled %" PRIu64), t->throttled);
	SAY(fact, advice,
	    _("The kernel slowed sampling down %" PRIu64 " times because it took too long: busy "
	      "times weigh less than they should. Record with a lower frequency (-F)."),
	    t->throttled);
}

static void add_damage(struct facts *f, const struct ptui_trust *t)
{
	uint64_t bad = t->bad_records + t->unknown_event;
	struct trust_fact *fact;

	if (t->truncated_bytes || t->skipped_bytes || t->unfinished) {
		fact = add(f, TRUST_BAD);
		SAY(fact, text, "%s", t->unfinished && !t->skipped_bytes ? _("cut off") :
					t->truncated_bytes ? _("cut short") : _("damaged"));
		SAY(fact, advice,
		    _("The file is not whole (%" PRIu64 " bytes missing at its end, %" PRIu64
		      " given up behind damage): the rows are of what could be read."),
		    t->truncated_bytes, t->skipped_bytes);
	}
	if (bad) {
		fact = add(f, TRUST_BAD);
		SAY(fact, text, _("left out %" PRIu64), bad);
		SAY(fact, advice,
		    _("%" PRIu64 " damaged records and %" PRIu64 " samples of events that the file does "
		      "not name were left out."), t->bad_records, t->unknown_event);
	}
	if (t->unknown_records) {
		fact = add(f, TRUST_NOTE);
		SAY(fact, text, _("new records %" PRIu64), t->unknown_records);
		SAY(fact, advice,
		    _("%" PRIu64 " records are of types that this version of ptui does not know; they "
		      "were skipped."), t->unknown_records);
	}
}

size_t trust_facts(const struct ptui_profile *p, uint32_t event, const struct ptui_hist *h,
		   struct trust_fact ret[TRUST_FACTS_MAX])
{
	struct trust_fact list[TRUST_FACTS_MAX];
	struct facts f = { .list = list };
	uint64_t samples = all_samples(p);
	struct ptui_trust t;
	size_t n = 0;

	ptui_profile_trust(p, &t);
	add_damage(&f, &t);
	add_lost(&f, &t, samples);
	if (h)
		add_unknown(&f, h);
	add_chains(&f, p, event, &t, samples);
	add_running(&f, ptui_profile_event(p, event));
	add_throttled(&f, &t);
	for (int level = TRUST_BAD; level >= TRUST_FINE; level--) {
		for (size_t i = 0; i < f.n; i++) {
			if ((int)list[i].level == level)
				ret[n++] = list[i];
		}
	}
	return n;
}
