/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arming a condition in Live: typing, completing, correcting, showing, disarming. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "unit/ui/view/live_made.h"

static void type(const char *text)
{
	for (; *text; text++)
		key((key_code)*text);
}

static void open_with_ring(void)
{
	t.live.has_ring = true;
	open_live();
	draw(24, 100);
	wake();
}

static void value(size_t i, enum ptui_armed_unit unit, double v)
{
	t.live.armed.values[i].unit = unit;
	t.live.armed.values[i].value = v;
	t.live.armed.n_values = i + 1;
}

static void test_armed_and_shown(void **state)
{
	(void)state;
	open_with_ring();
	does_not_see("armed");
	key('A');
	sees("snapshot when:");
	sees("a condition on recorded events");
	value(0, PTUI_ARMED_RATE, NAN);
	type("cycles/s > 1e6");
	key(K_ENTER);
	assert_string_equal(t.live.armed.condition, "cycles/s > 1e6");
	sees("armed: cycles/s > 1e6 (now –)");
	sees("when this becomes true: cycles/s > 1e6");
	value(0, PTUI_ARMED_RATE, 820000);
	wake();
	sees("armed: cycles/s > 1e6 (now 820 K/s)");
	t.live.armed.over = true;
	wake();
	sees("no more snapshots from: cycles/s > 1e6");
	t.live.armed.over = false;
}

static void test_every_unit(void **state)
{
	(void)state;
	open_with_ring();
	key('A');
	type("all of them");
	key(K_ENTER);
	value(0, PTUI_ARMED_COUNT, 12);
	value(1, PTUI_ARMED_RATIO, 1.385);
	value(2, PTUI_ARMED_PERCENT, 0.041);
	wake();
	sees("(now 12, 1.39, 4.1 %)");
}

static void test_invalid_line_keeps_the_prompt(void **state)
{
	(void)state;
	open_with_ring();
	key('A');
	type("wrong > 1");
	key(K_ENTER);
	sees("It is no condition.");
	sees("snapshot when: wrong > 1");
	assert_int_equal(t.live.n_arms, 0);
	key(K_CTRL | 'u');
	type("cycles > 1");
	key(K_ENTER);
	sees("armed: cycles > 1");
	does_not_see("It is no condition.");
	/* the armed condition is in the prompt */
	key('A');
	sees("snapshot when: cycles > 1");
	key(K_ESC);
	assert_int_equal(t.live.n_arms, 1);
	sees("armed: cycles > 1");
}

static void test_empty_disarms(void **state)
{
	(void)state;
	open_with_ring();
	key('A');
	type("cycles > 1");
	key(K_ENTER);
	key('A');
	key(K_CTRL | 'u');
	key(K_ENTER);
	assert_null(t.live.armed.condition);
	does_not_see("armed: ");
	sees("The condition is disarmed.");
	/* it was typed before */
	key('A');
	key(K_UP);
	sees("snapshot when: cycles > 1");
	key(K_ESC);
}

static void test_completes_events(void **state)
{
	(void)state;
	set_event(2, "cpu/cycles/", 1, 1, 1);
	t.live.events[1].state = PTUI_LIVE_COUNTING;
	open_with_ring();
	key('A');
	type("cy");
	key(K_TAB);
	sees("snapshot when: cycles");
	type("/ins");
	key(K_TAB);
	sees("snapshot when: cycles/instructions");
	type(" > 1 or (cpu/c");
	key(K_TAB);
	sees("> 1 or (cpu/cycles/");
	key(K_ESC);
}

static void test_only_with_a_ring(void **state)
{
	(void)state;
	open_live();
	draw(24, 100);
	key('A');
	does_not_see("snapshot when");
	sees("No samples are kept for snapshots");
	/* top has no options for them */
	t.live.no_file = true;
	for (const char *k = "AsS"; *k; k++) {
		key((key_code)*k);
		sees("all samples stay in memory");
	}
	t.live.no_file = false;
	t.live.has_ring = true;
	end(PTUI_LIVE_ENDED);
	key('A');
	does_not_see("snapshot when");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		LIVE(test_armed_and_shown),
		LIVE(test_every_unit),
		LIVE(test_invalid_line_keeps_the_prompt),
		LIVE(test_empty_disarms),
		LIVE(test_completes_events),
		LIVE(test_only_with_a_ring),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
