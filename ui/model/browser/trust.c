/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/browser/trust.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include "base/buf.h"
#include "text/grouped.h"
#include "text/i18n.h"

struct facts {
	struct trust_fact *list;
	size_t n;
};

/* What follows the last one that fits is overwritten. */
static struct trust_fact *new_fact(struct facts *f)
{
	if (f->n < TRUST_FACTS_MAX)
		f->n++;
	return &f->list[f->n - 1];
}

static void __attribute__((format(printf, 4, 5)))
add_fact(struct facts *f, enum trust_level level, enum trust_kind kind, const char *fmt, ...)
{
	struct trust_fact *fact = new_fact(f);
	va_list args;

	*fact = (struct trust_fact){ .level = level, .kind = kind };
	va_start(args, fmt);
	vsnprintf(fact->text, sizeof(fact->text), fmt, args);
	va_end(args);
}

/* The advice of the last fact. */
static void __attribute__((format(printf, 2, 3))) advise(struct facts *f, const char *fmt, ...)
{
	struct trust_fact *fact = &f->list[f->n - 1];
	va_list args;

	va_start(args, fmt);
	vsnprintf(fact->advice, sizeof(fact->advice), fmt, args);
	va_end(args);
}

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

int trust_loaded_percent(const struct ptui_profile *p)
{
	struct ptui_trust t;
	double percent;

	ptui_profile_trust(p, &t);
	percent = share(t.loaded_bytes, t.total_bytes);
	return !t.total_bytes ? 100 : percent < 1 ? 1 : percent < 99 ? (int)percent : 99;
}

static void add_partial(struct facts *f, const struct ptui_profile *p)
{
	int percent = trust_loaded_percent(p);

	if (percent == 100)
		return;
	add_fact(f, TRUST_BAD, TRUST_PARTIAL, _("%d%% loaded"), percent);
	advise(f,
	       _("%d%% of the file is loaded: the rows are those of its first samples, and later ones are missing."),
	       percent);
}

static void add_lost_sideband(struct facts *f, const struct ptui_trust *t)
{
	if (!t->lost_sideband)
		return;
	add_fact(f, TRUST_BAD, TRUST_OTHER, _("sideband lost %s"), grouped(t->lost_sideband).text);
	advise(f,
	       Q_("The kernel dropped %s sideband record, which carries names and maps: functions "
		  "and processes may have wrong names or none. Record with larger ring buffers (-m 4M); a "
		  "lower frequency (-F) helps only where samples fill the same ring buffers.",
		  "The kernel dropped %s sideband records, which carry names and maps: functions "
		  "and processes may have wrong names or none. Record with larger ring buffers (-m 4M); a "
		  "lower frequency (-F) helps only where samples fill the same ring buffers.",
		  t->lost_sideband),
	       grouped(t->lost_sideband).text);
}

/*
 * LOST and LOST_SAMPLES both count records of any kind: uses the higher one, without the sideband.
 */
static void add_lost(struct facts *f, const struct ptui_trust *t, uint64_t samples)
{
	uint64_t lost = (t->lost_events > t->lost_samples ? t->lost_events : t->lost_samples) -
			t->lost_sideband;
	/* the losses of the whole file are known before its samples */
	bool partial = t->total_bytes > 0;
	double percent = partial ? 0 : share(lost, samples + lost);
	enum trust_level level = percent < 1 ? TRUST_NOTE : TRUST_BAD;

	if (!lost) {
		add_fact(f, TRUST_FINE, TRUST_OTHER, "%s", _("lost 0"));
		advise(f, "%s",
		       t->lost_sideband ? _("The ring buffers had room for every sample.") :
					  _("The ring buffers had room for every record."));
		return;
	}
	if (partial)
		add_fact(f, level, TRUST_OTHER, _("lost %s in the whole file"), grouped(lost).text);
	else
		add_fact(f, level, TRUST_OTHER, _("lost %s (%.1f%%)"), grouped(lost).text, percent);
	advise(f,
	       Q_("The kernel dropped %s record because a ring buffer was full: the rows do not "
		  "contain it. Record with larger ring buffers (-m 4M) or a lower frequency (-F).",
		  "The kernel dropped %s records because a ring buffer was full: the rows do not "
		  "contain them. Record with larger ring buffers (-m 4M) or a lower frequency (-F).",
		  lost),
	       grouped(lost).text);
}

static void add_aux(struct facts *f, const struct ptui_trust *t)
{
	uint64_t parts = t->aux_gaps + t->aux_collisions;

	if (t->aux_truncated) {
		add_fact(f, TRUST_BAD, TRUST_OTHER, _("AUX truncated %s"),
			 grouped(t->aux_truncated).text);
		advise(f,
		       Q_("AUX data was truncated %s time, because the AUX area of a ring buffer was "
			  "full. Record with larger AUX areas (-m ,16M).",
			  "AUX data was truncated %s times, because the AUX area of a ring buffer was "
			  "full. Record with larger AUX areas (-m ,16M).",
			  t->aux_truncated),
		       grouped(t->aux_truncated).text);
	}
	if (parts) {
		add_fact(f, TRUST_NOTE, TRUST_OTHER, _("AUX incomplete %s"), grouped(parts).text);
		advise(f,
		       _("Parts of the AUX data are missing: gaps, as while a virtual machine ran: %s, "
			 "collisions of samples: %s."),
		       grouped(t->aux_gaps).text, grouped(t->aux_collisions).text);
	}
	if (!t->aux_records)
		return;
	add_fact(f, TRUST_NOTE, TRUST_OTHER, _("AUX not decoded"));
	advise(f,
	       _("ptui does not decode the AUX data of this recording (%.60s); its other records are "
		 "shown. 'perf script --itrace' decodes it."),
	       t->aux_what ? t->aux_what : _("of an unknown kind"));
}

static const char *unknown_help(const struct ptui_unknown *u)
{
	if (!u->module)
		return _("Code generated at run time requires a perf-PID.map file.");
	if (u->hidden)
		return _(
			"As root: sysctl kernel.kptr_restrict=0, for users without CAP_SYSLOG also "
			"sysctl kernel.perf_event_paranoid=1; or name the kernel's vmlinux (-k FILE) "
			"or a copy of its /proc/kallsyms (--kallsyms FILE).");
	if (u->kernel)
		return _("Name the vmlinux of the recorded kernel (-k FILE), or a copy of its "
			 "/proc/kallsyms (--kallsyms FILE).");
	return _("Install its debug package, or set --symfs to the directory that contains "
		 "its file.");
}

static void add_unknown(struct facts *f, const struct ptui_hist *h)
{
	struct ptui_unknown u;
	enum trust_level level;
	double percent;

	ptui_hist_unknown(h, &u);
	percent = share(u.period, ptui_hist_total_period(h));
	level = percent < 1 ? TRUST_FINE : percent < 20 ? TRUST_NOTE : TRUST_BAD;
	if (!u.module || percent < 0.05)
		add_fact(f, level, TRUST_UNKNOWN, _("unknown %.1f%%"), percent);
	else
		add_fact(f, level, TRUST_UNKNOWN, _("unknown %.1f%% (%.40s)"), percent, u.module);
	if (percent < 1) {
		advise(f, "%s", _("Nearly all samples are in known functions."));
		return;
	}
	if (u.module && u.why)
		advise(f,
		       _("%.1f%% of the samples are in unknown functions, most of them in %.60s: "
			 "%.200s. %s"),
		       percent, u.module, u.why, unknown_help(&u));
	else
		advise(f,
		       _("%.1f%% of the samples are in unknown functions, most of them in %.60s. %s"),
		       percent, u.module ? u.module : _("no DSO"), unknown_help(&u));
}

/* Of samples, so it is the same for every view. */
static void add_unverified(struct facts *f, const struct ptui_trust *t, uint64_t samples)
{
	double percent = share(t->unverified, samples);

	if (!t->unverified)
		return;
	add_fact(f, percent < 20 && !t->forced_names ? TRUST_NOTE : TRUST_BAD, TRUST_UNVERIFIED,
		 _("unverified %.1f%%"), percent);
	if (t->forced_names)
		advise(f,
		       _("%.1f%% of the samples have names from files or a kernel that are not known to "
			 "be the recorded ones (--force-names): names ending in \"(unverified)\" may be "
			 "wrong."),
		       percent);
	else
		advise(f,
		       _("%.1f%% of the samples are in files or a kernel without a build-id in the "
			 "recording, which are not known to be those on this machine: addresses are "
			 "shown. Record with build-ids (without -B or -N), use --symfs DIR or -k FILE, "
			 "or accept the names with --force-names."),
		       percent);
}

/* Chains that were dropped; a few are usual where code has no frame pointers. */
static void add_broken(struct facts *f, const struct ptui_trust *t, uint64_t samples)
{
	double percent = share(t->broken_chains, samples);

	if (percent < 1)
		return;
	add_fact(f, percent < 20 ? TRUST_NOTE : TRUST_BAD, TRUST_OTHER, _("broken stacks %.1f%%"),
		 percent);
	advise(f,
	       _("%.1f%% of the callchains were invalid and left out, typically from "
		 "programs built without frame pointers. Build with -fno-omit-frame-pointer."),
	       percent);
}

static void add_chains(struct facts *f, const struct ptui_profile *p, uint32_t event,
		       const struct ptui_hist *h, const struct ptui_trust *t, uint64_t samples)
{
	const struct ptui_event_info *e = ptui_profile_event(p, event);
	struct trust_fact stacks[TRUST_STACK_FACTS];
	size_t n = e->has_callchains ? trust_stack_facts(e, h, stacks) : 0;

	for (size_t i = 0; i < n; i++)
		*new_fact(f) = stacks[i];
	if (e->has_callchains)
		add_broken(f, t, samples);
}

bool trust_running(uint64_t enabled_ns, uint64_t running_ns, struct trust_fact *ret)
{
	double percent = share(running_ns, enabled_ns);
	bool always = percent >= 99.95;
	struct facts f = { .list = ret };

	if (!enabled_ns)
		return false;
	add_fact(&f,
		 always	       ? TRUST_FINE :
		 percent >= 20 ? TRUST_NOTE :
				 TRUST_BAD,
		 TRUST_RUNNING, _("running %.*f%%"), always ? 0 : 1, percent);
	if (always)
		advise(&f, "%s", _("The event was counted all the time (no multiplexing)."));
	else
		advise(&f,
		       _("The event was counted only %.1f%% of the time (multiplexing): the CPU "
			 "does not have a counter for every event. Short phases may be missing. "
			 "Record fewer events at once, or group the events to compare: -e '{a,b}'."),
		       percent);
	return true;
}

/* Nothing if the recording has no times. */
static void add_running(struct facts *f, const struct ptui_event_info *e)
{
	struct trust_fact running;

	if (trust_running(e->enabled_ns, e->running_ns, &running))
		*new_fact(f) = running;
}

static void add_throttled(struct facts *f, const struct ptui_trust *t)
{
	if (!t->throttled)
		return;
	add_fact(f, TRUST_NOTE, TRUST_OTHER, _("throttled %s"), grouped(t->throttled).text);
	advise(f,
	       Q_("The kernel throttled sampling %s time because it took too much CPU time: busy "
		  "phases are under-represented. Record with a lower frequency (-F).",
		  "The kernel throttled sampling %s times because it took too much CPU time: busy "
		  "phases are under-represented. Record with a lower frequency (-F).",
		  t->throttled),
	       grouped(t->throttled).text);
}

static void add_missing_sections(struct facts *f, const struct ptui_trust *t)
{
	char *sections = ptui_missing_sections(t);

	if (sections) {
		add_fact(f, TRUST_BAD, TRUST_OTHER, "%s", _("header incomplete"));
		advise(f,
		       _("Sections of the header that cannot be read: %s. Facts about the machine, names of events or build-ids may be missing."),
		       sections);
	}
	free(sections);
}

static void add_damage(struct facts *f, const struct ptui_trust *t)
{
	uint64_t bad = t->bad_records + t->unknown_event;

	if (t->cut_after_samples) {
		add_fact(f, TRUST_BAD, TRUST_OTHER, "%s", _("cut short"));
		advise(f,
		       _("The file is cut short after its samples (bytes missing at its end: at least %s): only facts about the recording are missing."),
		       grouped(t->truncated_bytes).text);
	} else if (t->truncated_bytes || t->skipped_bytes || t->unfinished) {
		add_fact(f, TRUST_BAD, TRUST_OTHER, "%s",
			 t->unfinished && !t->skipped_bytes ? _("cut off") :
			 t->truncated_bytes		    ? _("cut short") :
							      _("damaged"));
		advise(f,
		       _("The file is incomplete (bytes missing at its end: %s, skipped after damaged data: %s): the rows show what could be read."),
		       grouped(t->truncated_bytes).text, grouped(t->skipped_bytes).text);
	}
	if (bad) {
		add_fact(f, TRUST_BAD, TRUST_OTHER, _("left out %s"), grouped(bad).text);
		advise(f,
		       _("Left out: damaged records: %s, samples of events that the file does not describe: %s."),
		       grouped(t->bad_records).text, grouped(t->unknown_event).text);
	}
	if (t->bad_sections) {
		add_fact(f, TRUST_BAD, TRUST_OTHER, _("header damaged"));
		advise(f,
		       _("Sections of the header with impossible offsets or sizes: %s. Facts about the machine, names of events or build-ids may be missing."),
		       grouped(t->bad_sections).text);
	}
	add_missing_sections(f, t);
	if (t->repeated) {
		add_fact(f, TRUST_NOTE, TRUST_OTHER, _("repeated %s"), grouped(t->repeated).text);
		advise(f,
		       Q_("%s sample is in several of the files; it counts once.",
			  "%s samples are in several of the files; each counts once.", t->repeated),
		       grouped(t->repeated).text);
	}
	if (t->shared_threads || t->clocks > 1) {
		add_fact(f, TRUST_NOTE, TRUST_OTHER, "%s",
			 t->hosts > 1 ? _("several machines") : _("several clocks"));
		advise(f,
		       _("Thread ids that are used on several machines: %s; rows by pid and tid add them up. Times of different machines or clocks have nothing in common, for the time filter as well."),
		       grouped(t->shared_threads).text);
	}
	if (t->unknown_records) {
		add_fact(f, TRUST_NOTE, TRUST_OTHER, _("new records %s"),
			 grouped(t->unknown_records).text);
		advise(f,
		       Q_("%s record of a type unknown to this version of ptui was skipped.",
			  "%s records of types unknown to this version of ptui were skipped.",
			  t->unknown_records),
		       grouped(t->unknown_records).text);
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
	add_partial(&f, p);
	add_damage(&f, &t);
	add_lost_sideband(&f, &t);
	add_lost(&f, &t, samples);
	add_aux(&f, &t);
	if (h)
		add_unknown(&f, h);
	add_unverified(&f, &t, samples);
	add_chains(&f, p, event, h, &t, samples);
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

bool trust_wants_unwinding(const struct trust_fact *facts, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (facts[i].unwinding_helps)
			return true;
	return false;
}

char *trust_text(const struct trust_fact *facts, size_t n)
{
	struct buf out = BUF_INIT;

	for (size_t i = 0; i < n; i++)
		buf_addf(&out, "%s%s %s\n%s", i ? "\n\n" : "",
			 facts[i].level == TRUST_FINE ? "✓" : "!", facts[i].text, facts[i].advice);
	return buf_take(&out);
}
