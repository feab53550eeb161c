/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Live's view of the hottest functions: restarted, frozen, decaying, filtered. */
#include <stdio.h>
#include <string.h>

#include "unit/profile/made.h"
#include "unit/ui/view/live_made.h"

static struct ptui_profile *phases(bool both)
{
	struct made *m = made_new();

	made_sample(m, "main parse", 90, 1 * (uint64_t)SECOND);
	made_sample(m, "main kernel:work", 10, 2 * (uint64_t)SECOND);
	if (both)
		made_sample(m, "main eval", 100, 20 * (uint64_t)SECOND);
	return made_take(m);
}

static void publish_at(struct ptui_profile *p, uint64_t seen_ns)
{
	t.live.info.seen_ns = seen_ns;
	publish(p);
	wake();
}

static void show(const char *text)
{
	publish_at(phases(false), 2 * (uint64_t)SECOND);
	open_live();
	draw(24, 100);
	wake();
	waits_for(text);
}

static void test_zero_and_whole(void **state)
{
	(void)state;
	show("90.00%");
	key('z');
	waits_for("since 00:12.4 (Z: all)");
	waits_for("No samples since then.");
	publish_at(phases(true), 20 * (uint64_t)SECOND);
	waits_for("100.00%");
	sees("eval");
	does_not_see("parse");
	key('Z');
	waits_for("45.00%");
	sees("parse");
	does_not_see("(Z: all)");
}

static void test_freeze(void **state)
{
	(void)state;
	show("90.00%");
	key('f');
	waits_for("list is frozen");
	publish_at(phases(true), 20 * (uint64_t)SECOND);
	/* opened rows belong to the frozen profile */
	key('+');
	waits_for("main");
	sees("90.00%");
	does_not_see("eval");
	key('f');
	waits_for("eval");
	does_not_see("list is frozen");
}

/* Functions with these weights, in a profile of their own. */
static struct ptui_profile *many(uint64_t first, uint64_t step)
{
	struct made *m = made_new();
	char stack[32];

	for (uint64_t i = 0; i < 40; i++) {
		snprintf(stack, sizeof(stack), "main fn_%02u", (unsigned)i);
		made_sample(m, stack, first + step * i, 1 + i);
	}
	return made_take(m);
}

/* The row that the cursor is on, and the first one below the titles. */
static int cursor_row_now(void)
{
	draw(24, 100);
	for (int y = 0; y < t.grid->rows; y++)
		if (grid_style(t.grid, y, 50) & STYLE_CURSOR)
			return y;
	return -1;
}

static int first_row(void)
{
	return row_of("Overhead") + 1;
}

/* When the hottest function sinks, the cursor stays on the first row. */
static void test_cursor_stays_on_the_first_row(void **state)
{
	(void)state;
	publish_at(many(100, (uint64_t)-1), SECOND);
	open_live();
	draw(24, 100);
	wake();
	waits_for("fn_00");
	assert_int_equal(row_of("fn_00"), first_row());
	publish_at(many(10, 3), 2 * (uint64_t)SECOND);
	waits_for("fn_39");
	assert_int_equal(cursor_row_now(), first_row());
	assert_int_equal(row_of("fn_39"), first_row());
	does_not_see("above");
	/* nor do other views move it */
	for (int i = 0; i < 2; i++) {
		key('U');
		waits_for(i ? "fn_39" : "only the kernel");
	}
	assert_int_equal(cursor_row_now(), first_row());
	assert_int_equal(row_of("fn_39"), first_row());
}

/*
 * A cursor that was moved stays on its row, and the rule shows the number above; Home follows the
 * first again.
 */
static void test_cursor_keeps_its_row(void **state)
{
	(void)state;
	publish_at(many(100, (uint64_t)-1), SECOND);
	open_live();
	draw(24, 100);
	wake();
	waits_for("fn_00");
	key(K_DOWN);
	publish_at(many(10, 3), 2 * (uint64_t)SECOND);
	waits_for("26 rows above (Home)");
	assert_int_equal(cursor_row_now(), row_of("fn_01"));
	key(K_HOME);
	does_not_see("above");
	publish_at(many(100, (uint64_t)-1), 3 * (uint64_t)SECOND);
	waits_for("fn_00");
	assert_int_equal(cursor_row_now(), first_row());
	assert_int_equal(row_of("fn_00"), first_row());
	/* opening counts as moving */
	key('+');
	waits_for("main");
	publish_at(many(10, 3), 4 * (uint64_t)SECOND);
	waits_for("rows above (Home)");
	assert_int_equal(cursor_row_now(), row_of("fn_00"));
}

static void test_nothing_to_freeze(void **state)
{
	(void)state;
	open_live();
	draw(24, 100);
	key('f');
	waits_for("Nothing to freeze yet");
}

static void test_decay(void **state)
{
	(void)state;
	publish_at(phases(true), 20 * (uint64_t)SECOND);
	open_live();
	draw(24, 100);
	wake();
	waits_for("45.00%");
	does_not_see(" now "); /* nothing to compare with */
	publish_at(phases(true), 21 * (uint64_t)SECOND);
	wake();
	waits_for("Overhead    now  ");
	key('D');
	waits_for("decay: half every");
	/* nine and a half half-lives; no column that would stay empty */
	waits_for("99.86%");
	does_not_see(" now ");
	key('D');
	waits_for("only since the last update");
	does_not_see("decay: half every");
	does_not_see(" now ");
	key('D');
	waits_for("45.00%");
	does_not_see("decay: half every");
}

/* What the last update brought, and nothing when it brought nothing. */
static void test_each_update(void **state)
{
	(void)state;
	t.look.each_update = true;
	t.live.refresh_ms = 20;
	t.live.info.last_ns = 2 * (uint64_t)SECOND;
	show("90.00%");
	sees("only since the last update (D)");
	t.live.info.last_ns = 20 * (uint64_t)SECOND;
	publish_at(phases(true), 20 * (uint64_t)SECOND);
	waits_for("100.00%");
	sees("eval");
	does_not_see("parse");
	/* a wakeup is an update when the delay has passed */
	for (int i = 0; i < 1000 && row_of("No samples since then.") < 0; i++) {
		wake();
		draw(24, 100);
	}
	sees("No samples since then.");
	key('D');
	waits_for("45.00%");
	does_not_see("last update");
}

/* The initial view: sort keys, samples, decay. */
static void test_first_look(void **state)
{
	(void)state;
	t.look.samples = t.look.hide_kernel = true;
	t.look.half_life_ns = 5 * (uint64_t)SECOND;
	snprintf(t.look.look.sort, sizeof(t.look.look.sort), "symbol,dso");
	show("parse");
	sees("half every 5.00 s (D)");
	sees("without the kernel (K)");
	sees("Overhead    Samples  Symbol");
	sees("Shared Object");
	does_not_see("Command");
	does_not_see("work");
}

static void test_one_side(void **state)
{
	(void)state;
	show("90.00%");
	key('K');
	waits_for("without the kernel");
	waits_for("parse");
	key('U');
	waits_for("only the kernel");
	waits_for("work");
	does_not_see("without the kernel");
	for (int i = 0; i < 100 && row_of("parse") >= 0; i++) {
		loop_turn(stack_loop(t.stack), 100);
		draw(24, 100);
	}
	does_not_see("parse");
	key('U');
	waits_for("parse");
	sees("work");
}

static void type(const char *text)
{
	key('d');
	key(K_CTRL | 'u');
	for (; *text; text++)
		key((key_code)*text);
	key(K_ENTER);
}

static void test_delay(void **state)
{
	static const struct {
		const char *text;
		uint32_t ms;
	} good[] = { { "2", 2000 },  { "0.5", 500 },   { "0,25s", 250 },
		     { "50ms", 50 }, { "1.5 ", 1500 }, { "3600", 3600000 } },
	  bad[] = { { "soon", 0 },
		    { "0", 0 },
		    { "0.01", 0 },
		    { "3601", 0 },
		    { "1 2", 0 },
		    { "-1", 0 },
		    { "99999999999999999999", 0 },
		    { "ms", 0 } };

	(void)state;
	t.live.refresh_ms = 1000;
	open_live();
	draw(24, 100);
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
		type(good[i].text);
		assert_int_equal(t.live.refresh_ms, good[i].ms);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		t.live.refresh_ms = 77;
		type(bad[i].text);
		assert_int_equal(t.live.refresh_ms, 77);
		sees("is not a delay");
	}
	key('d');
	sees("seconds between updates: 0.077");
	key(K_ESC);
	assert_int_equal(t.live.refresh_ms, 77);
}

/* The key is available if snapshots are possible. */
static void test_snapshot(void **state)
{
	(void)state;
	open_live();
	draw(24, 100);
	does_not_see("snapshot");
	key('s');
	sees("There is no ring.");
	t.live.has_ring = true;
	key(K_HOME);
	sees("s snapshot");
	sees("Only the last samples are kept");
	key('s');
	sees("A snapshot is being taken.");
	wake();
	sees("snapshots 1 (last 00:03.0)");
	key('s');
	wake();
	sees("snapshots 2 (last 00:06.0)");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		LIVE(test_zero_and_whole),
		LIVE(test_freeze),
		LIVE(test_nothing_to_freeze),
		LIVE(test_cursor_stays_on_the_first_row),
		LIVE(test_cursor_keeps_its_row),
		LIVE(test_decay),
		LIVE(test_one_side),
		LIVE(test_delay),
		LIVE(test_snapshot),
		LIVE(test_each_update),
		LIVE(test_first_look),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
