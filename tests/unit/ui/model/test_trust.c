/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/buf.h"
#include "lib/need.h"
#include "model/browser/missing.h"
#include "model/browser/trust.h"
#include "unit/profile/made.h"

static char all_advice[4096]; /* of all facts that check() saw last */

/* "text text …", "!" before notes and "!!" before bad ones. */
static void check(const struct ptui_trust *t, const char *chain, const char *expected)
{
	struct made *m = made_new();
	struct ptui_hist_opts o = { 0 };
	struct trust_fact facts[TRUST_FACTS_MAX];
	struct buf out = BUF_INIT;
	struct ptui_profile *p;
	struct ptui_hist *h;
	size_t n;

	made_sample(m, "kernel:main", 50, 1);
	made_sample(m, chain, 50, 2);
	p = made_take(m);
	p->trust = *t;
	h = ptui_hist_new(p, &o, NULL);
	assert_non_null(h);
	n = trust_facts(p, 0, h, facts);
	*all_advice = '\0';
	for (size_t i = 0; i < n; i++) {
		buf_addf(&out, "%s%.*s%s", i ? ", " : "", (int)facts[i].level, "!!", facts[i].text);
		assert_true(*facts[i].advice);
		snprintf(all_advice + strlen(all_advice), sizeof(all_advice) - strlen(all_advice),
			 "%s\n", facts[i].advice);
	}
	assert_string_equal(buf_str(&out), expected);
	buf_release(&out);
	ptui_hist_free(h);
	ptui_profile_unref(p);
}

static void test_facts(void **state)
{
	struct ptui_trust t = { 0 };

	(void)state;
	check(&t, "_start run", "lost 0, unknown 0.0%, stacks reach start 100%");
	check(&t, "kernel:main", "lost 0, unknown 0.0%");
	check(&t, "lib:0x10",
	      "!!unknown 50.0% (lib), !!stacks reach start 0% (end in lib), lost 0");
	t = (struct ptui_trust){ .loaded_bytes = 439, .total_bytes = 1000 };
	check(&t, "kernel:main", "!!43% loaded, lost 0, unknown 0.0%");
	assert_non_null(strstr(all_advice, "later ones are missing"));
	t.loaded_bytes = 1; /* there are rows */
	check(&t, "kernel:main", "!!1% loaded, lost 0, unknown 0.0%");
	t.lost_events = 9; /* of all samples, not of those so far */
	check(&t, "kernel:main", "!!1% loaded, !lost 9 in the whole file, unknown 0.0%");
	t.lost_events = 0;
	t.loaded_bytes = 1000; /* the end is still to come */
	check(&t, "kernel:main", "!!99% loaded, lost 0, unknown 0.0%");
	t = (struct ptui_trust){ .lost_events = 2 };
	check(&t, "kernel:main", "!!lost 2 (50.0%), unknown 0.0%");
	t.lost_sideband = 2;
	check(&t, "kernel:main", "!!sideband lost 2, lost 0, unknown 0.0%");
	t = (struct ptui_trust){ .lost_events = 3, .lost_samples = 4, .lost_sideband = 2 };
	check(&t, "kernel:main", "!!sideband lost 2, !!lost 2 (50.0%), unknown 0.0%");
	t = (struct ptui_trust){ .throttled = 7,
				 .broken_chains = 2,
				 .truncated_bytes = 8,
				 .bad_records = 1,
				 .unknown_event = 2,
				 .unknown_records = 3 };
	check(&t, "kernel:main",
	      "!!cut short, !!left out 3, !!broken stacks 100.0%, !new records 3, "
	      "!throttled 7, lost 0, unknown 0.0%");
	t = (struct ptui_trust){ .truncated_bytes = 8,
				 .cut_after_samples = 100,
				 .missing_sections = { 1 << 3 | 1 << 11, 0, 2 } };
	check(&t, "kernel:main", "!!cut short, !!header incomplete, lost 0, unknown 0.0%");
	assert_non_null(strstr(all_advice, ": HOSTNAME, CMDLINE, META_INFO."));
	t = (struct ptui_trust){ .aux_pieces = 9,
				 .aux_truncated = 2,
				 .aux_gaps = 1,
				 .aux_collisions = 3,
				 .aux_records = 5,
				 .aux_what = "Intel PT" };
	check(&t, "kernel:main",
	      "!!AUX truncated 2, !AUX incomplete 4, !AUX not decoded, lost 0, unknown 0.0%");
	assert_non_null(strstr(all_advice, "Record with larger AUX areas (-m ,16M)."));
	assert_non_null(strstr(all_advice, "AUX data of this recording (Intel PT)"));
	t = (struct ptui_trust){ .unverified = 1 };
	check(&t, "kernel:main", "!!unverified 50.0%, lost 0, unknown 0.0%");
	t.forced_names = true;
	check(&t, "kernel:main", "!!unverified 50.0%, lost 0, unknown 0.0%");
	t = (struct ptui_trust){ .unfinished = true };
	check(&t, "kernel:main", "!!cut off, lost 0, unknown 0.0%");
}

/* The module and why it has no names. */
static void test_unknown(void **state)
{
	struct made *m = made_new();
	struct ptui_hist_opts o = { 0 };
	struct trust_fact facts[TRUST_FACTS_MAX];
	struct ptui_profile *p;
	struct ptui_hist *h;

	(void)state;
	made_sample(m, "gone:0x10", 1, 1);
	p = made_take(m);
	h = ptui_hist_new(p, &o, NULL);
	assert_non_null(h);
	trust_facts(p, 0, h, facts);
	assert_string_equal(facts[0].text, "unknown 100.0% (gone)");
	assert_non_null(strstr(facts[0].advice, "in gone: /opt/gone does not exist (any more)."));
	assert_non_null(strstr(facts[0].advice, "debug package"));
	ptui_hist_free(h);
	ptui_profile_unref(p);
}

/* The size of stack copies in stacks(); 0: they were unwound while recording. */
static uint32_t dump_bytes = 8192;

/*
 * The facts about stacks and their advice, of one event with these chains. `how` holds an enum
 * stack_how and flags for each; NULL: all were recorded.
 */
static const char *stacks(const unsigned *how, uint16_t max_stack, const char *const *chains,
			  size_t n)
{
	static char text[1400];
	struct made *m = made_new();
	struct ptui_hist_opts o = { 0 };
	struct trust_fact facts[TRUST_STACK_FACTS];
	struct ptui_profile *p;
	struct ptui_hist *h;
	size_t n_facts, len = 0;

	for (size_t i = 0; i < n; i++) {
		made_how(m, how ? how[i] : STACK_RECORDED);
		made_sample(m, chains[i], 1, i);
	}
	p = made_take(m);
	p->events[0].stacks_dumped = how;
	p->events[0].dump_bytes = dump_bytes;
	p->events[0].stacks_why = "stacks of mips are not unwound";
	p->events[0].max_stack = max_stack;
	h = ptui_hist_new(p, &o, NULL);
	assert_non_null(h);
	text[0] = '\0';
	n_facts = trust_stack_facts(ptui_profile_event(p, 0), h, facts);
	for (size_t i = 0; i < n_facts && len < sizeof(text); i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%d %s: %s",
					i ? " | " : "", facts[i].level, facts[i].text,
					facts[i].advice);
	ptui_hist_free(h);
	ptui_profile_unref(p);
	return text;
}

#define STACKS(max, ...)                                        \
	stacks(NULL, max, (const char *const[]){ __VA_ARGS__ }, \
	       sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *))

static void begins(const char *text, const char *with)
{
	if (strncmp(text, with, strlen(with)))
		fail_msg("'%s' does not begin with '%s'", text, with);
}

static void test_stacks(void **state)
{
	(void)state;
	begins(STACKS(0, "_start main"), "0 stacks reach start 100%: Nearly all");
	begins(STACKS(0, "_start main", "libc:qsort f", "libc:qsort g", "x:a b"),
	       "2 stacks reach start 25% (end in libc, x): 25.0% of");
	assert_non_null(strstr(STACKS(0, "libc:a b"), "end in libc (100.0%): code without frame"));
	assert_non_null(strstr(STACKS(0, "libc:a b"), "far too low"));
	assert_non_null(strstr(STACKS(0, "libc:a b"),
			       "(--call-graph dwarf), or build it with -fno-omit-frame-pointer."));
	begins(STACKS(0, "_start a", "_start b", "_start c", "_start d", "_start e", "_start f",
		      "_start g", "_start h", "libc:qsort f"),
	       "1 stacks reach start 89% (end in libc)");
	begins(STACKS(2, "_start main", "a b", "a c"),
	       "2 stacks reach start 33% (67% cut at 2 frames): 66.7% of the user stacks were cut");
	assert_non_null(
		strstr(STACKS(2, "_start main", "a b", "a c"),
		       "sysctl kernel.perf_event_max_stack, or the event's term max-stack="));
	begins(STACKS(0, "unread:a b"), "1 stacks not checked");
	/* only kernel stacks */
	assert_string_equal(STACKS(0, "kernel:a"), "");
}

#define UNWOUND(...) ((const unsigned[]){ __VA_ARGS__ })

static void test_unwound_stacks(void **state)
{
	static const char *const chains[] = { "_start a", "_start b", "_start c",
					      "gone:f d", "prog e",   "kernel:f" };
	const char *text;

	(void)state;
	begins(stacks(UNWOUND(STACK_REACHED, STACK_REACHED, STACK_REACHED), 127, chains, 3),
	       "0 stacks reach start 100%: Nearly all");
	text = stacks(UNWOUND(STACK_REACHED, STACK_REACHED, STACK_REACHED | STACK_GUESSED,
			      STACK_BROKEN),
		      127, chains, 4);
	begins(text,
	       "2 stacks reach start 75% (end in gone): 75.0% of the user stacks were unwound");
	assert_non_null(strstr(text, "end in gone (25.0%). gone cannot be unwound: "
				     "/opt/gone does not exist (any more). Provide its file"));
	assert_non_null(strstr(text, " | 1 guessed stacks 25.0%: 25.0% of the unwound"));
	text = stacks(UNWOUND(STACK_REACHED, STACK_REACHED, STACK_REACHED, STACK_TRUNCATED,
			      STACK_TRUNCATED, STACK_BROKEN),
		      127, chains, 5);
	begins(text,
	       "2 stacks reach start 60% (40% truncated): 40.0% of the user stacks are deeper "
	       "than their copy (--call-graph dwarf,8192)");
	assert_non_null(strstr(text, "--call-graph dwarf,16384."));
	begins(stacks(UNWOUND(STACK_REACHED, STACK_OTHER, STACK_OTHER), 127, chains + 2, 3),
	       "2 stacks reach start 33% (67% on another stack): 66.7% of the user stacks are of signal "
	       "handlers that "
	       "have a stack of their own (sigaltstack).");
	dump_bytes = 0;
	text = stacks(UNWOUND(STACK_REACHED, STACK_TRUNCATED), 127, chains + 2, 2);
	dump_bytes = 8192;
	assert_non_null(strstr(text, "Record with larger copies: --call-graph dwarf,BYTES,live."));
	begins(stacks(UNWOUND(STACK_REACHED, STACK_REACHED, STACK_REACHED, STACK_CUT, STACK_CUT), 2,
		      chains, 5),
	       "2 stacks reach start 60% (40% cut at 2 frames): 40.0% of the user stacks were cut at 2 "
	       "frames: inclusive times of the outer callers are too low. Raise the limit with "
	       "--max-stack.");
	begins(stacks(UNWOUND(STACK_REACHED, STACK_REACHED, STACK_REACHED, STACK_REACHED,
			      STACK_BROKEN),
		      127, chains, 5),
	       "2 stacks reach start 80% (end in prog): 80.0% of the user stacks were unwound to the "
	       "start of their program or thread. The others end in prog (20.0%): code whose call");
	begins(stacks(UNWOUND(STACK_NOT_UNWOUND), 127, chains + 5, 1),
	       "2 user stacks not unwound: Copies of user stacks (--call-graph dwarf) could not be "
	       "unwound: stacks of mips are not unwound. ");
	text = stacks(UNWOUND(STACK_REACHED, STACK_REACHED, STACK_REACHED, STACK_NOT_UNWOUND,
			      STACK_LOST, STACK_LOST),
		      127, chains, 6);
	assert_non_null(strstr(text, " | 2 stacks not unwound 25.0%: "));
	assert_non_null(strstr(text, " | 1 stacks without user part 40.0%: "));
	text = stacks(UNWOUND(STACK_RECORDED, STACK_RECORDED, STACK_RECORDED, STACK_LATE), 127,
		      chains, 4);
	assert_non_null(
		strstr(text, " | 2 stacks not unwound in time 25.0%: The user stack of 1 sample "));
	assert_non_null(strstr(text, "without callers. Lower the frequency (-F), or record frame"));
	text = stacks(UNWOUND(STACK_RECORDED, STACK_LATE, STACK_LATE), 127, chains, 3);
	assert_non_null(strstr(text, "The user stacks of 2 samples were not unwound while"));
	text = stacks(UNWOUND(STACK_RECORDED, STACK_RECORDED | STACK_SKIPS), 127, chains, 2);
	assert_non_null(strstr(text, " | 1 caller missing 50.0%: In 50.0% of the user stacks"));
	assert_non_null(strstr(text, "Record again with unwound stacks (--call-graph dwarf)."));
}

static const char *running(uint64_t enabled_ns, uint64_t running_ns)
{
	static char text[128];
	struct made *m = made_new();
	struct trust_fact facts[TRUST_FACTS_MAX];
	struct ptui_profile *p;
	size_t n;

	made_sample(m, "main", 50, 1);
	p = made_take(m);
	p->events[0].enabled_ns = enabled_ns;
	p->events[0].running_ns = running_ns;
	n = trust_facts(p, 0, NULL, facts);
	text[0] = '\0';
	for (size_t i = 0; i < n; i++) {
		if (strstr(facts[i].text, "running"))
			snprintf(text, sizeof(text), "%d %s", facts[i].level, facts[i].text);
	}
	ptui_profile_unref(p);
	return text;
}

/* Without times in the file there is no fact. */
static void test_running(void **state)
{
	(void)state;
	assert_string_equal(running(0, 0), "");
	assert_string_equal(running(1000000, 1000000), "0 running 100%");
	assert_string_equal(running(1000000, 631000), "1 running 63.1%");
	assert_string_equal(running(1000000, 0), "2 running 0.0%");
}

/* ---- advice that fits the cause ---- */

enum unknown_cause { KNOWN, NO_FILE, NO_MODULE, KERNEL, HIDDEN_KERNEL };

/* The advice that goes with the fact whose text begins so. */
static const char *advice(const struct ptui_trust *t, enum unknown_cause cause, const char *fact)
{
	static const char *const functions[] = { "main", "gone:0x10", "nowhere:0x10", "kernel:0x10",
						 "kernel:0x10" };
	static char text[sizeof(((struct trust_fact *)0)->advice)];
	struct made *m = made_new();
	struct ptui_hist_opts o = { 0 };
	struct trust_fact facts[TRUST_FACTS_MAX];
	struct ptui_profile *p;
	struct ptui_hist *h;
	size_t n;

	made_sample(m, functions[cause], 1, 1);
	p = made_take(m);
	p->trust = *t;
	p->frames[0].hidden = cause == HIDDEN_KERNEL;
	p->events[0].enabled_ns = 1000;
	p->events[0].running_ns = 500;
	h = ptui_hist_new(p, &o, NULL);
	assert_non_null(h);
	n = trust_facts(p, 0, h, facts);
	*text = '\0';
	for (size_t i = 0; i < n; i++)
		if (!strncmp(facts[i].text, fact, strlen(fact)))
			snprintf(text, sizeof(text), "%s", facts[i].advice);
	ptui_hist_free(h);
	ptui_profile_unref(p);
	return text;
}

static void test_advice(void **state)
{
	static const struct {
		struct ptui_trust trust;
		enum unknown_cause cause;
		const char *fact, *says[4], *lacks;
	} rows[] = {
		{ .cause = NO_FILE,
		  .fact = "unknown",
		  .says = { "Install its debug package", "--symfs" },
		  .lacks = "kptr_restrict" },
		{ .cause = NO_MODULE,
		  .fact = "unknown",
		  .says = { "perf-PID.map" },
		  .lacks = "kptr_restrict" },
		{ .cause = KERNEL,
		  .fact = "unknown",
		  .says = { "Name the vmlinux of the recorded kernel (-k FILE)",
			    "(--kallsyms FILE)" },
		  .lacks = "kptr_restrict" },
		{ .cause = HIDDEN_KERNEL,
		  .fact = "unknown",
		  .says = { "sysctl kernel.kptr_restrict=0", "sysctl kernel.perf_event_paranoid=1",
			    "(-k FILE)", "(--kallsyms FILE)" } },
		{ .trust = { .lost_events = 1 },
		  .fact = "lost 1",
		  .says = { "a ring buffer was full", "(-m 4M) or a lower frequency (-F)" } },
		{ .trust = { .lost_events = 2 },
		  .fact = "lost 2",
		  .says = { "a ring buffer was full", "(-m 4M) or a lower frequency (-F)" } },
		{ .trust = { .lost_events = 1, .lost_sideband = 1 },
		  .fact = "sideband lost 1",
		  .says = { "names and maps", "(-m 4M)" } },
		{ .trust = { .lost_events = 2, .lost_sideband = 2 },
		  .fact = "sideband lost 2",
		  .says = { "names and maps", "(-m 4M)" } },
		{ .trust = { .throttled = 1 },
		  .fact = "throttled 1",
		  .says = { "it took too much CPU time", "a lower frequency (-F)" } },
		{ .trust = { .throttled = 2 },
		  .fact = "throttled 2",
		  .says = { "it took too much CPU time", "a lower frequency (-F)" } },
		{ .trust = { .unverified = 1 },
		  .fact = "unverified",
		  .says = { "Record with build-ids", "-k FILE", "--force-names" } },
		{ .trust = { .unverified = 1, .forced_names = true },
		  .fact = "unverified",
		  .says = { "(--force-names): names ending in" } },
		{ .trust = { .broken_chains = 1 },
		  .fact = "broken stacks",
		  .says = { "Build with -fno-omit-frame-pointer" } },
		{ .fact = "running", .says = { "or group the events to compare" } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const char *text = advice(&rows[i].trust, rows[i].cause, rows[i].fact);

		print_message("%s: %s\n", rows[i].fact, text);
		for (size_t k = 0; k < 4 && rows[i].says[k]; k++)
			assert_non_null(strstr(text, rows[i].says[k]));
		assert_true(!rows[i].lacks || !strstr(text, rows[i].lacks));
	}
}

/* Stacks that were unwound while recording gain nothing from being recorded so again. */
static void test_unwinding_helps(void **state)
{
	struct made *m = made_new();
	struct trust_fact facts[TRUST_FACTS_MAX];
	struct ptui_hist_opts o = { 0 };
	struct ptui_profile *p;
	struct ptui_hist *h;
	size_t n;

	(void)state;
	made_sample(m, "lib:sort", 50, 1);
	p = made_take(m);
	h = ptui_hist_new(p, &o, NULL);
	assert_non_null(h);
	n = trust_facts(p, 0, h, facts);
	assert_true(trust_wants_unwinding(facts, n));
	p->events[0].stacks_unwound = true;
	n = trust_facts(p, 0, h, facts);
	assert_false(trust_wants_unwinding(facts, n));
	ptui_hist_free(h);
	ptui_profile_unref(p);
}

/* Each DSO once, by its share, with the reason and what helps. */
static void test_missing(void **state)
{
	struct made *m = made_new();
	struct ptui_hist_opts o = { 0 };
	struct ptui_missing list[4];
	struct ptui_profile *p;
	struct missing_list *missing, *copy;
	struct ptui_hist *h;
	char *text;

	(void)state;
	made_sample(m, "main", 5, 1);
	made_sample(m, "lib:0x10", 1, 1);
	made_sample(m, "gone:0x10", 2, 1);
	made_sample(m, "gone:0x20", 2, 1);
	p = made_take(m);
	h = ptui_hist_new(p, &o, NULL);
	assert_non_null(h);
	assert_int_equal(ptui_hist_missing(h, list, 4), 2);
	assert_string_equal(list[0].path, "/opt/gone");
	assert_int_equal(list[0].period, 4);
	assert_int_equal(list[0].state, PTUI_SYMBOLS_NO_FILE);
	assert_int_equal(list[1].period, 1);
	assert_int_equal(list[1].state, PTUI_SYMBOLS_PARTIAL);
	assert_int_equal(ptui_hist_missing(h, list, 1), 2);
	/* all, each once */
	assert_int_equal(ptui_hist_dsos(h, list, 4), 3);
	assert_int_equal(list[0].period + list[1].period + list[2].period, 10);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(list[i].unnamed,
				 list[i].state == PTUI_SYMBOLS_OK ? 0 : list[i].period);
	assert_int_equal(list[0].state, PTUI_SYMBOLS_OK);
	assert_int_equal(list[0].period, 5);
	missing = missing_list_new(h);
	ptui_hist_free(h);
	ptui_profile_unref(p);
	assert_non_null(missing);
	copy = missing_list_ref(missing);
	missing_list_unref(missing);
	assert_non_null(copy);
	assert_int_equal(copy->n, 2);
	assert_int_equal(copy->all->n, 3);
	assert_string_equal(missing_problem(&copy->all->rows[0]), "none");
	assert_true(copy->all->rows[0].percent > 49.9 && copy->all->rows[0].unnamed == 0);
	text = missing_text(&copy->rows[0]);
	assert_non_null(strstr(text, "40.00%  /opt/gone\n"));
	assert_non_null(strstr(text, "\nCopy the file from the recorded machine"));
	free(text);
	assert_string_equal(missing_problem(&copy->rows[0]), "file not found");
	assert_string_equal(missing_remedy(&copy->rows[0]), "the recorded file (--symfs DIR)");
	text = missing_text(&copy->rows[1]);
	assert_non_null(strstr(text, "10.00%  /opt/lib\n"));
	assert_non_null(strstr(text, "\nInstall its debug package"));
	free(text);
	assert_true(copy->rows[0].id != copy->rows[1].id);
	missing_list_unref(copy);

	m = made_new();
	made_sample(m, "main", 5, 1);
	p = made_take(m);
	h = ptui_hist_new(p, &o, NULL);
	assert_non_null(h);
	missing = missing_list_new(h);
	assert_non_null(missing);
	assert_int_equal(missing->n, 0);
	missing_list_unref(missing);
	ptui_hist_free(h);
	ptui_profile_unref(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_facts),	       cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_missing),	       cmocka_unit_test(test_stacks),
		cmocka_unit_test(test_unwound_stacks), cmocka_unit_test(test_running),
		cmocka_unit_test(test_advice),	       cmocka_unit_test(test_unwinding_helps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
