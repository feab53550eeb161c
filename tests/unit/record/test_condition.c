/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Conditions of --snapshot-when: parsing, errors with their position, evaluation. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/buf.h"
#include "lib/need.h"
#include "record/snapshot/condition.h"

enum { FAULTS, CACHE, INSNS, CYCLES_U, CYCLES_K, SWITCH, UNIT, UNIT_CYCLES, TERMS, SIDE, N_EVENTS };

static const char *const names[N_EVENTS] = {
	"page-faults",
	"cache-misses:u",
	"instructions",
	"cycles:u",
	"cycles:k",
	"sched:sched_switch",
	"cpu/event=0x3c,umask=0/",
	"cpu/cycles/",
	"context-switches/period=5/u",
	"dummy",
};

static struct event_list events;

static int setup(void **state)
{
	(void)state;
	event_list_init(&events);
	for (size_t i = 0; i < N_EVENTS; i++)
		assert_non_null(event_list_add(&events, names[i]));
	events.v[SWITCH].tp_system = strdup("sched");
	events.v[SWITCH].tp_name = strdup("sched_switch");
	events.v[UNIT].kind = events.v[UNIT_CYCLES].kind = EVENT_PMU;
	events.v[SIDE].sideband = true;
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	event_list_release(&events);
	return 0;
}

/* ---- what they mean ---- */

static const struct {
	const char *text;
	uint32_t event, under;
	enum ptui_armed_unit unit;
	bool below, or_equal;
	double limit;
} good[] = {
	{ "page-faults > 1000", FAULTS, FAULTS, PTUI_ARMED_COUNT, false, false, 1000 },
	{ "page-faults/s>1e6", FAULTS, FAULTS, PTUI_ARMED_RATE, false, false, 1e6 },
	{ "  page-faults / s >= 2.5k ", FAULTS, FAULTS, PTUI_ARMED_RATE, false, true, 2500 },
	{ "page-faults/s < 3M", FAULTS, FAULTS, PTUI_ARMED_RATE, true, false, 3e6 },
	{ "page-faults/s <= 1G", FAULTS, FAULTS, PTUI_ARMED_RATE, true, true, 1e9 },
	{ "page-faults/s > .5", FAULTS, FAULTS, PTUI_ARMED_RATE, false, false, 0.5 },
	{ "page-faults/s > 1e-3", FAULTS, FAULTS, PTUI_ARMED_RATE, false, false, 0.001 },
	{ "page-faults/s > 1e3k", FAULTS, FAULTS, PTUI_ARMED_RATE, false, false, 1e6 },
	{ "page-faults > 100000000000000000000", FAULTS, FAULTS, PTUI_ARMED_COUNT, false, false,
	  1e20 },
	/* without modifiers, if unambiguous */
	{ "cache-misses/instructions > 0.1", CACHE, INSNS, PTUI_ARMED_RATIO, false, false, 0.1 },
	{ "cache-misses:u/instructions > 10%", CACHE, INSNS, PTUI_ARMED_PERCENT, false, false,
	  0.1 },
	{ "cycles:k/cycles:u > 50%", CYCLES_K, CYCLES_U, PTUI_ARMED_PERCENT, false, false, 0.5 },
	{ "instructions/sched:sched_switch < 1k", INSNS, SWITCH, PTUI_ARMED_RATIO, true, false,
	  1000 },
	{ "sched:sched_switch/s > 1", SWITCH, SWITCH, PTUI_ARMED_RATE, false, false, 1 },
	/* the same without its terms */
	{ "context-switches/s > 1", TERMS, TERMS, PTUI_ARMED_RATE, false, false, 1 },
	{ "context-switches/period=5/u > 1", TERMS, TERMS, PTUI_ARMED_COUNT, false, false, 1 },
	{ "context-switches/period=5/u/s > 1", TERMS, TERMS, PTUI_ARMED_RATE, false, false, 1 },
	{ "instructions/context-switches > 1", INSNS, TERMS, PTUI_ARMED_RATIO, false, false, 1 },
	/* names that have slashes */
	{ "cpu/event=0x3c,umask=0// s > 1", UNIT, UNIT, PTUI_ARMED_RATE, false, false, 1 },
	{ "cpu/cycles/ > 1", UNIT_CYCLES, UNIT_CYCLES, PTUI_ARMED_COUNT, false, false, 1 },
	{ "cpu/cycles//s > 1", UNIT_CYCLES, UNIT_CYCLES, PTUI_ARMED_RATE, false, false, 1 },
	{ "cpu/cycles//instructions > 1", UNIT_CYCLES, INSNS, PTUI_ARMED_RATIO, false, false, 1 },
	{ "instructions/cpu/cycles/ > 1", INSNS, UNIT_CYCLES, PTUI_ARMED_RATIO, false, false, 1 },
};

static void understood(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct condition c;

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
		if (condition_parse(good[i].text, &events, &c, &err))
			fail_msg("%s: %s", good[i].text, err.text);
		assert_string_equal(c.text, good[i].text);
		assert_int_equal(c.n_parts, 1);
		if (c.parts[0].event != good[i].event || c.parts[0].under != good[i].under ||
		    c.parts[0].unit != good[i].unit || c.parts[0].below != good[i].below ||
		    c.parts[0].or_equal != good[i].or_equal)
			fail_msg("%s: means something else", good[i].text);
		if (fabs(c.parts[0].limit - good[i].limit) > good[i].limit * 1e-12)
			fail_msg("%s: %g", good[i].text, c.parts[0].limit);
		condition_release(&c);
	}
}

/* ---- errors ---- */

static const struct {
	const char *text;
	size_t at; /* of the caret */
	const char *says;
} bad[] = {
	{ "", 0, "the condition is incomplete" },
	{ "   ", 3, "the condition is incomplete" },
	{ "> 5", 0, "event name expected" },
	{ "1000 < page-faults", 0, "write the event first" },
	{ "page-faultz/s > 1", 0, "has no event 'page-faultz'" },
	{ "cpu > 1", 0, "has no event 'cpu'" },
	{ "dummy > 1", 0, "has no event 'dummy'" },
	{ "cycles > 1", 0, "'cycles' matches several events" },
	{ "page-faults", 11, "comparison operator expected" },
	{ "page-faults 5", 12, "comparison operator expected" },
	{ "page-faults = 5", 12, "never exactly equal" },
	{ "page-faults != 5", 12, "never exactly equal" },
	{ "page-faults >", 13, "the number to compare with is missing" },
	{ "page-faults > x", 14, "not a valid number" },
	{ "page-faults > -1", 14, "not a valid number" },
	{ "page-faults > 1,000", 16, "'once' or 'keep' expected" },
	{ "page-faults > 1, twice", 17, "'once' or 'keep' expected" },
	{ "page-faults > 1, keep", 21, "number of snapshots to keep" },
	{ "page-faults > 1, keep 0", 22, "number of snapshots to keep" },
	{ "page-faults > 1, keep x", 22, "number of snapshots to keep" },
	{ "page-faults > 1, once and page-faults > 2", 22, "unexpected text" },
	{ "(page-faults > 1, once)", 16, "closing parenthesis expected" },
	{ "page-faults > 5x", 14, "not a valid number" },
	{ "page-faults > 1e999", 14, "not a valid number" },
	{ "page-faults > 1.2.3", 14, "not a valid number" },
	{ "page-faults/s > 10%", 18, "percentage" },
	{ "page-faults/ > 1", 13, "the divisor is missing" },
	{ "page-faults/x > 1", 12, "has no event 'x'" },
	{ "page-faults > 1 page-faults > 2", 16, "unexpected text" },
	{ "page-faults > 1 and", 19, "the condition is incomplete" },
	{ "page-faults > 1 andpage-faults > 2", 16, "unexpected text" },
	{ "(page-faults > 1", 16, "closing parenthesis expected" },
	{ "page-faults > 1)", 15, "unexpected text" },
	{ "((((((((((((((page-faults > 1))))))))))))))", 12, "nested too deeply" },
};

static void refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct ptui_error err = PTUI_ERROR_INIT;
		struct condition c;
		const char *line;

		if (condition_parse(bad[i].text, &events, &c, &err) != -EINVAL)
			fail_msg("%s: not refused", bad[i].text);
		if (!strstr(err.text, bad[i].says))
			fail_msg("%s: %s", bad[i].text, err.text);
		/* the caret is below the position */
		line = strrchr(err.text, '\n');
		assert_non_null(line);
		if (strcspn(line + 1, "^") != bad[i].at + 2)
			fail_msg("%s: the caret is elsewhere:\n%s", bad[i].text, err.text);
		assert_null(c.text);
	}
}

static void lists_what_is_recorded(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct condition c;

	(void)state;
	assert_int_equal(condition_parse("faults/s > 1", &events, &c, &err), -EINVAL);
	assert_non_null(strstr(err.hint, "page-faults, cache-misses:u, instructions"));
	assert_null(strstr(err.hint, "dummy"));
}

/* ---- when they hold ---- */

static double totals[N_EVENTS];

static struct condition parsed(const char *text)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct condition c;

	if (condition_parse(text, &events, &c, &err))
		fail_msg("%s: %s", text, err.text);
	for (size_t i = 0; i < N_EVENTS; i++)
		totals[i] = NAN;
	return c;
}

#define SPAN_NS 100000000u

static void a_count(void **state)
{
	struct condition c = parsed("page-faults >= 10");

	(void)state;
	totals[FAULTS] = 9;
	assert_false(condition_evaluate(&c, totals, SPAN_NS));
	totals[FAULTS] = 10;
	assert_true(condition_evaluate(&c, totals, SPAN_NS));
	condition_release(&c);
}

static void a_rate(void **state)
{
	struct condition c = parsed("page-faults/s > 1000");

	(void)state;
	assert_true(condition_needs(&c, FAULTS));
	assert_false(condition_needs(&c, INSNS));
	totals[FAULTS] = 1000000;
	assert_false(condition_evaluate(&c, totals, SPAN_NS)); /* no span yet */
	assert_true(isnan(c.parts[0].now));
	totals[FAULTS] += 100;
	assert_false(condition_evaluate(&c, totals, SPAN_NS));
	assert_true(c.parts[0].now == 1000);
	totals[FAULTS] += 101;
	assert_true(condition_evaluate(&c, totals, SPAN_NS));
	/* the same in a longer time is less */
	totals[FAULTS] += 101;
	assert_false(condition_evaluate(&c, totals, 2 * SPAN_NS));
	/* an estimate that went back is nothing */
	totals[FAULTS] -= 50;
	assert_false(condition_evaluate(&c, totals, SPAN_NS));
	assert_true(c.parts[0].now == 0);
	/* counts from before the reset are not part of the next interval */
	condition_reset(&c);
	totals[FAULTS] += 1e6;
	assert_false(condition_evaluate(&c, totals, SPAN_NS));
	condition_release(&c);
}

static void a_ratio(void **state)
{
	struct condition c = parsed("cache-misses/instructions > 10%");

	(void)state;
	assert_true(condition_needs(&c, CACHE) && condition_needs(&c, INSNS));
	totals[CACHE] = 500; /* earlier counts do not matter */
	totals[INSNS] = 500;
	assert_false(condition_evaluate(&c, totals, SPAN_NS));
	totals[CACHE] += 10;
	totals[INSNS] += 100;
	assert_false(condition_evaluate(&c, totals, SPAN_NS));
	totals[CACHE] += 11;
	totals[INSNS] += 100;
	assert_true(condition_evaluate(&c, totals, SPAN_NS));
	/* division by zero has no value, which is not above */
	totals[CACHE] += 11;
	assert_false(condition_evaluate(&c, totals, SPAN_NS));
	assert_true(isnan(c.parts[0].now));
	condition_release(&c);
}

/* An unknown value is not below, either. */
static void without_a_value(void **state)
{
	struct condition c = parsed("page-faults/s < 1000");

	(void)state;
	assert_false(condition_evaluate(&c, totals, SPAN_NS));
	assert_false(condition_evaluate(&c, totals, SPAN_NS));
	assert_int_equal(condition_never_known(&c), FAULTS);
	totals[FAULTS] = 0;
	assert_false(condition_evaluate(&c, totals, SPAN_NS));
	assert_true(condition_evaluate(&c, totals, SPAN_NS));
	assert_int_equal(condition_never_known(&c), PTUI_NONE);
	condition_release(&c);
}

static const struct {
	const char *text;
	const char *holds; /* by which of a, b, c are so: bits 4, 2, 1 */
} joined[] = {
	{ "page-faults > 1 and instructions > 1 and cycles:u > 1", "00000001" },
	{ "page-faults > 1 or instructions > 1 or cycles:u > 1", "01111111" },
	{ "page-faults > 1 or instructions > 1 and cycles:u > 1", "00011111" },
	{ "page-faults > 1 and instructions > 1 or cycles:u > 1", "01010111" },
	{ "(page-faults > 1 or instructions > 1) and cycles:u > 1", "00010101" },
	{ "page-faults > 1 && (instructions > 1 || cycles:u > 1)", "00000111" },
	{ "((page-faults>1)and(instructions>1))or(cycles:u>1)", "01010111" },
};

static void several(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(joined) / sizeof(*joined); i++) {
		struct condition c = parsed(joined[i].text);

		assert_int_equal(c.n_parts, 3);
		for (unsigned k = 0; k < 8; k++) {
			totals[FAULTS] = k & 4 ? 2 : 0;
			totals[INSNS] = k & 2 ? 2 : 0;
			totals[CYCLES_U] = k & 1 ? 2 : 0;
			if (condition_evaluate(&c, totals, SPAN_NS) != (joined[i].holds[k] == '1'))
				fail_msg("%s of %u", joined[i].text, k);
		}
		condition_release(&c);
	}
}

/* As many as allowed, each nested as long as nesting is allowed. */
static void many(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct buf text = BUF_INIT;
	struct condition c;

	(void)state;
	for (int i = 0; i < 64; i++)
		buf_addf(&text, "%spage-faults > %d%s", i < 12 ? "(" : "", i ? 0 : 5,
			 i < 63 ? " and " : "");
	for (int i = 0; i < 12; i++)
		buf_add_char(&text, ')');
	if (condition_parse(buf_str(&text), &events, &c, &err))
		fail_msg("%s", err.text);
	for (size_t i = 0; i < N_EVENTS; i++)
		totals[i] = 1;
	assert_false(condition_evaluate(&c, totals, SPAN_NS));
	totals[FAULTS] = 6;
	assert_true(condition_evaluate(&c, totals, SPAN_NS));
	condition_release(&c);
	buf_add_str(&text, " and page-faults > 1");
	assert_int_equal(condition_parse(buf_str(&text), &events, &c, &err), -EINVAL);
	assert_non_null(strstr(err.text, "too many"));
	buf_release(&text);
}

static void how_many(void **state)
{
	static const struct {
		const char *text;
		size_t expr_len;
		bool once;
		unsigned keep;
	} tests[] = {
		{ "page-faults > 1", 15, false, 0 },
		{ "page-faults > 1, once", 15, true, 0 },
		{ "page-faults > 1 ,keep 5", 16, false, 5 },
		{ "(page-faults > 1k),keep 2,once ", 18, true, 2 },
		{ "cycles:k/cycles:u > 50%, keep 12", 23, false, 12 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(tests) / sizeof(*tests); i++) {
		struct ptui_error err = PTUI_ERROR_INIT;
		struct condition c;

		if (condition_parse(tests[i].text, &events, &c, &err))
			fail_msg("%s: %s", tests[i].text, err.text);
		assert_int_equal(c.expr_len, tests[i].expr_len);
		assert_int_equal(c.once, tests[i].once);
		assert_int_equal(c.keep, tests[i].keep);
		condition_release(&c);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(understood),
		cmocka_unit_test(refused),
		cmocka_unit_test(lists_what_is_recorded),
		cmocka_unit_test(a_count),
		cmocka_unit_test(a_rate),
		cmocka_unit_test(a_ratio),
		cmocka_unit_test(without_a_value),
		cmocka_unit_test(several),
		cmocka_unit_test(many),
		cmocka_unit_test(how_many),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
