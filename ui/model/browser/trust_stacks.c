/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many user stacks are complete, why the others are not, and the remedy. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "model/browser/trust.h"
#include "text/grouped.h"
#include "text/i18n.h"
#include "text/strings.h"

#define ENDS_TOO_SHARE	      20 /* percent of early ends from which the second DSO is named as well */
#define DUMP_BYTES_MAX	      65528 /* of --call-graph dwarf,BYTES */

#define SAY(fact, field, ...) snprintf((fact)->field, sizeof((fact)->field), __VA_ARGS__)

static double share(uint64_t part, uint64_t all)
{
	return all ? 100.0 * (double)part / (double)all : 0;
}

static enum trust_level level_of(double missing_percent)
{
	return missing_percent < 5 ? TRUST_FINE : missing_percent < 20 ? TRUST_NOTE : TRUST_BAD;
}

/* Why most of the other stacks are incomplete. */
enum cause { CAUSE_ENDS, CAUSE_CUT, CAUSE_TRUNCATED, CAUSE_OTHER_STACK };

static enum cause main_cause(const struct ptui_hist_stacks *s)
{
	if (s->other_stack > s->early && s->other_stack > s->cut && s->other_stack > s->truncated)
		return CAUSE_OTHER_STACK;
	if (s->cut > s->early && s->cut >= s->truncated)
		return CAUSE_CUT;
	return s->truncated > s->early ? CAUSE_TRUNCATED : CAUSE_ENDS;
}

/* " (end in libc.so.6, python3.11)", "(12% cut at 127 frames)" */
static void add_where(const struct ptui_hist_stacks *s, enum cause cause, struct trust_fact *fact)
{
	size_t size = sizeof(fact->text);

	if (cause == CAUSE_CUT)
		text_append(fact->text, size, _(" (%.0f%% cut at %" PRIu32 " frames)"),
			    share(s->cut, s->stacks), s->max_stack);
	else if (cause == CAUSE_TRUNCATED)
		text_append(fact->text, size, _(" (%.0f%% truncated)"),
			    share(s->truncated, s->stacks));
	else if (cause == CAUSE_OTHER_STACK)
		text_append(fact->text, size, _(" (%.0f%% on another stack)"),
			    share(s->other_stack, s->stacks));
	else if (s->n_ends > 1 && share(s->ends[1].stacks, s->early) >= ENDS_TOO_SHARE)
		text_append(fact->text, size, _(" (end in %.24s, %.24s)"), s->ends[0].dso,
			    s->ends[1].dso);
	else if (s->n_ends)
		text_append(fact->text, size, _(" (end in %.40s)"), s->ends[0].dso);
}

static void print_ends(const struct ptui_hist_stacks *s, char *buf, size_t size)
{
	buf[0] = '\0';
	for (size_t i = 0; i < s->n_ends; i++)
		text_join(buf, size, ", ", "%.40s (%.1f%%)", s->ends[i].dso,
			  share(s->ends[i].stacks, s->stacks));
}

static void advise_recorded_ends(const struct ptui_hist_stacks *s, struct trust_fact *fact)
{
	char ends[160];

	print_ends(s, ends, sizeof(ends));
	fact->unwinding_helps = true;
	SAY(fact, advice,
	    fact->level == TRUST_BAD ?
		    _("%.1f%% of the user stacks reach the start of their program or thread: inclusive "
		      "times of callers are far too low. The others end in %s: code without frame "
		      "pointers, where the kernel cannot follow the stack. Record again with unwound "
		      "stacks (--call-graph dwarf), or build it with -fno-omit-frame-pointer.") :
		    _("%.1f%% of the user stacks reach the start of their program or thread: inclusive "
		      "times of callers are somewhat too low. The others end in %s: code without frame "
		      "pointers, where the kernel cannot follow the stack. Record again with unwound "
		      "stacks (--call-graph dwarf), or build it with -fno-omit-frame-pointer."),
	    share(s->reach, s->stacks), ends);
}

/* Reports the reason of the DSO with the most early ends. */
static void advise_unwound_ends(const struct ptui_hist_stacks *s, struct trust_fact *fact)
{
	char ends[160];

	print_ends(s, ends, sizeof(ends));
	if (s->n_ends && s->ends[0].why)
		SAY(fact, advice,
		    _("%.1f%% of the user stacks were unwound to the start of their program or thread. The "
		      "others end in %s. %.40s cannot be unwound: %.160s. Provide its file with --symfs or "
		      "in the build-id cache."),
		    share(s->reach, s->stacks), ends, s->ends[0].dso, s->ends[0].why);
	else
		SAY(fact, advice,
		    _("%.1f%% of the user stacks were unwound to the start of their program or thread. The "
		      "others end in %s: code whose call frame information is missing or wrong, such as "
		      "assembly or code generated at run time."),
		    share(s->reach, s->stacks), ends);
}

static void advise_cut(const struct ptui_hist_stacks *s, struct trust_fact *fact)
{
	SAY(fact, advice,
	    s->unwound ?
		    _("%.1f%% of the user stacks were cut at %" PRIu32
		      " frames: inclusive times of the outer callers are too low. Raise the limit "
		      "with --max-stack.") :
		    _("%.1f%% of the user stacks were cut at %" PRIu32
		      " frames: inclusive times of the outer "
		      "callers are too low. Raise the limit: sysctl kernel.perf_event_max_stack, or the "
		      "event's term max-stack=N."),
	    share(s->cut, s->stacks), s->max_stack);
}

static void advise_truncated(const struct ptui_event_info *e, const struct ptui_hist_stacks *s,
			     struct trust_fact *fact)
{
	uint32_t more;

	if (!e->stacks_dumped || !e->dump_bytes) {
		SAY(fact, advice,
		    _("%.1f%% of the user stacks are deeper than the copies from which they were unwound "
		      "while recording: inclusive times of the outer callers are too low. Record with "
		      "larger copies: --call-graph dwarf,BYTES,live."),
		    share(s->truncated, s->stacks));
		return;
	}
	more = e->dump_bytes * 2 > DUMP_BYTES_MAX ? DUMP_BYTES_MAX : e->dump_bytes * 2;

	SAY(fact, advice,
	    _("%.1f%% of the user stacks are deeper than their copy (--call-graph dwarf,%" PRIu32
	      "): inclusive times of the outer callers are too low. Record larger copies: "
	      "--call-graph dwarf,%" PRIu32 "."),
	    share(s->truncated, s->stacks), e->dump_bytes, more);
}

static void advise_other_stack(const struct ptui_hist_stacks *s, struct trust_fact *fact)
{
	SAY(fact, advice,
	    _("%.1f%% of the user stacks are of signal handlers that have a stack of their own "
	      "(sigaltstack). Only that one was copied, so the callers of the function that was "
	      "interrupted are missing. If the program was built with frame pointers, record "
	      "these (--call-graph fp)."),
	    share(s->other_stack, s->stacks));
}

static void reach_fact(const struct ptui_event_info *e, const struct ptui_hist_stacks *s,
		       struct trust_fact *ret)
{
	enum cause cause = main_cause(s);

	ret->level = level_of(share(s->stacks - s->reach, s->stacks));
	SAY(ret, text, _("stacks reach start %.0f%%"), share(s->reach, s->stacks));
	if (ret->level == TRUST_FINE) {
		SAY(ret, advice, "%s",
		    _("Nearly all user stacks reach the start of their program or thread."));
		return;
	}
	add_where(s, cause, ret);
	if (cause == CAUSE_CUT)
		advise_cut(s, ret);
	else if (cause == CAUSE_TRUNCATED)
		advise_truncated(e, s, ret);
	else if (cause == CAUSE_OTHER_STACK)
		advise_other_stack(s, ret);
	else if (s->unwound || e->stacks_unwound)
		advise_unwound_ends(s, ret);
	else
		advise_recorded_ends(s, ret);
}

/* ---- other notes ---- */

static void not_unwound_fact(const struct ptui_event_info *e, const struct ptui_hist_stacks *s,
			     struct trust_fact *ret)
{
	const char *why = e->stacks_why ? e->stacks_why : _("the samples lack registers");

	if (!s->stacks) {
		ret->level = TRUST_BAD;
		SAY(ret, text, "%s", _("user stacks not unwound"));
	} else {
		ret->level = level_of(share(s->not_unwound, s->stacks + s->not_unwound));
		SAY(ret, text, _("stacks not unwound %.1f%%"),
		    share(s->not_unwound, s->stacks + s->not_unwound));
	}
	SAY(ret, advice,
	    _("Copies of user stacks (--call-graph dwarf) could not be unwound: %.200s. Their functions "
	      "are shown without callers. Record frame pointers instead (--call-graph fp)."),
	    why);
}

static void unread_fact(struct trust_fact *ret)
{
	ret->level = TRUST_NOTE;
	SAY(ret, text, "%s", _("stacks not checked"));
	SAY(ret, advice, "%s",
	    _("Whether the user stacks reach the start of their programs is unknown, because the "
	      "files in which they end cannot be read."));
}

static void guessed_fact(const struct ptui_hist_stacks *s, struct trust_fact *ret)
{
	ret->level = TRUST_NOTE;
	SAY(ret, text, _("guessed stacks %.1f%%"), share(s->guessed, s->unwound));
	SAY(ret, advice,
	    _("%.1f%% of the unwound stacks have callers that were found by frame pointers, because code "
	      "without call frame information, such as code generated at run time, is among them: "
	      "callers may be missing."),
	    share(s->guessed, s->unwound));
}

static void skipped_fact(const struct ptui_hist_stacks *s, struct trust_fact *ret)
{
	ret->level = TRUST_NOTE;
	ret->unwinding_helps = true;
	SAY(ret, text, _("caller missing %.1f%%"), share(s->skipped, s->stacks));
	SAY(ret, advice,
	    _("In %.1f%% of the user stacks the innermost function has no frame of its own (yet), and the "
	      "frame pointer leads past its caller: the caller of that caller is shown in its place. "
	      "Record again with unwound stacks (--call-graph dwarf)."),
	    share(s->skipped, s->stacks));
}

static void lost_fact(const struct ptui_hist_stacks *s, struct trust_fact *ret)
{
	ret->level = TRUST_NOTE;
	SAY(ret, text, _("stacks without user part %.1f%%"), share(s->lost, s->stacks + s->lost));
	SAY(ret, advice,
	    Q_("The user callchain of %s sample is missing: the kernel had to record it later, and "
	       "did not, or it was lost.",
	       "The user callchains of %s samples are missing: the kernel had to record them later, "
	       "and did not, or they were lost.",
	       s->lost),
	    grouped(s->lost).text);
}

static void late_fact(const struct ptui_hist_stacks *s, struct trust_fact *ret)
{
	ret->level = level_of(share(s->late, s->stacks + s->late));
	SAY(ret, text, _("stacks not unwound in time %.1f%%"), share(s->late, s->stacks + s->late));
	SAY(ret, advice,
	    Q_("The user stack of %s sample was not unwound while recording, because samples came faster: its function is "
	       "shown without callers. Lower the frequency (-F), or record frame pointers (-g).",
	       "The user stacks of %s samples were not unwound while recording, because samples came faster: their functions "
	       "are shown without callers. Lower the frequency (-F), or record frame pointers (-g).",
	       s->late),
	    grouped(s->late).text);
}

size_t trust_stack_facts(const struct ptui_event_info *e, const struct ptui_hist *h,
			 struct trust_fact ret[TRUST_STACK_FACTS])
{
	struct ptui_hist_stacks s;
	size_t n = 0, i;

	memset(ret, 0, TRUST_STACK_FACTS * sizeof(*ret));
	if (!h || !e->has_callchains)
		return 0;
	ptui_hist_stacks(h, &s);
	if (s.stacks)
		reach_fact(e, &s, &ret[n++]);
	else if (s.unread)
		unread_fact(&ret[n++]);
	if (s.not_unwound && (!s.stacks || share(s.not_unwound, s.stacks) >= 1))
		not_unwound_fact(e, &s, &ret[n++]);
	if (n < TRUST_STACK_FACTS && share(s.late, s.stacks + s.late) >= 1)
		late_fact(&s, &ret[n++]);
	if (n < TRUST_STACK_FACTS && share(s.guessed, s.unwound) >= 1)
		guessed_fact(&s, &ret[n++]);
	if (n < TRUST_STACK_FACTS && share(s.skipped, s.stacks) >= 5)
		skipped_fact(&s, &ret[n++]);
	if (n < TRUST_STACK_FACTS && share(s.lost, s.stacks + s.lost) >= 1)
		lost_fact(&s, &ret[n++]);
	for (i = 0; i < n; i++)
		ret[i].kind = TRUST_STACKS;
	return n;
}
