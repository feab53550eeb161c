/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "lib/need.h"
#include "model/snapshots/snapshots.h"

#define SECOND 1000000000ull

/* Snapshots of the fake recorder. */
static struct ptui_snapshot engine[32];
static char paths[32][64];
static size_t n_engine;
static const char *condition;
static struct snapshot_list *s;

static bool from_engine(void *ctx, size_t i, struct ptui_snapshot *ret)
{
	assert_ptr_equal(ctx, engine);
	if (i >= n_engine)
		return false;
	*ret = engine[i];
	return true;
}

static int feed(void)
{
	return snapshot_list_update(s, from_engine, engine, condition);
}

static void takes(enum ptui_snapshot_why why, bool with_file)
{
	size_t i = n_engine++;

	snprintf(paths[i], sizeof(paths[i]), "/tmp/perf.data.20261122151200%02zu", i + 1);
	engine[i] = (struct ptui_snapshot){ .why = why,
					    .taken_ns = (i + 1) * SECOND,
					    .samples = 100 * (i + 1),
					    .path = with_file ? paths[i] : NULL };
}

static int set_up(void **state)
{
	(void)state;
	n_engine = 0;
	condition = NULL;
	s = snapshot_list_new();
	for (int i = 0; i < 3; i++)
		takes(PTUI_SNAPSHOT_ASKED, true);
	return s && feed() == 3 ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	snapshot_list_unref(s);
	return 0;
}

/* The rows by number: "3 2 1", * after marked ones. */
static const char *rows(void)
{
	static char text[256];
	size_t n = 0;

	*text = '\0';
	for (size_t i = 0; i < s->n; i++) {
		const struct snapshot_row *r = snapshot_list_get(s, i);

		assert_ptr_equal(snapshot_list_find(s, r->number), r);
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%zu%s", i ? " " : "",
				      r->number, r->marked ? "*" : "");
	}
	return text;
}

static void mark(size_t number)
{
	assert_true(snapshot_list_mark(s, snapshot_list_find(s, number)));
}

static void test_newest_first(void **state)
{
	(void)state;
	assert_string_equal(rows(), "3 2 1");
	assert_int_equal(feed(), 0);
	takes(PTUI_SNAPSHOT_SIGNAL, true);
	assert_int_equal(feed(), 1);
	assert_string_equal(rows(), "4 3 2 1");
	assert_int_equal(s->taken, 4);
	assert_int_equal(snapshot_list_get(s, 0)->facts.samples, 400);
	assert_string_equal(snapshot_list_get(s, 0)->path, "/tmp/perf.data.2026112215120004");
	assert_int_equal(s->last.taken_ns, 4 * SECOND);
	assert_null(snapshot_list_find(s, 5));
	assert_null(snapshot_list_get(s, 4));
}

/* The engine's texts are freed with the recording; the rows stay. */
static void test_outlives_the_recording(void **state)
{
	(void)state;
	snapshot_list_ref(s);
	snapshot_list_unref(s);
	memset(paths, '?', sizeof(paths));
	assert_string_equal(snapshot_list_get(s, 2)->path, "/tmp/perf.data.2026112215120001");
	assert_null(snapshot_list_get(s, 2)->facts.path);
}

static void test_empty(void **state)
{
	struct snapshot_list *none = snapshot_list_new();
	struct snapshot_row *two[2];

	(void)state;
	assert_int_equal(none->n, 0);
	assert_int_equal(none->taken, 0);
	assert_false(snapshot_list_pair(none, NULL, two));
	assert_int_equal(snapshot_list_files(none), 0);
	snapshot_list_unref(none);
	snapshot_list_unref(NULL);
}

/* max_files: the oldest go, all at once or one by one, whatever was deleted or saved before. */
static void test_removed(void **state)
{
	(void)state;
	engine[0].removed = true;
	assert_int_equal(feed(), 0);
	assert_string_equal(rows(), "3 2");
	assert_int_equal(s->removed, 1);
	assert_int_equal(s->taken, 3);
	/* several were taken and removed between two updates */
	for (int i = 0; i < 3; i++)
		takes(PTUI_SNAPSHOT_TIME, true);
	for (int i = 0; i < 5; i++)
		engine[i].removed = true;
	assert_int_equal(feed(), 3);
	assert_string_equal(rows(), "6");
	assert_int_equal(s->removed, 5);
	assert_int_equal(snapshot_list_get(s, 0)->facts.why, PTUI_SNAPSHOT_TIME);
}

/* Files moved by the user are kept; the recorder reports files that it has removed. */
static void test_saved_stays(void **state)
{
	(void)state;
	assert_int_equal(snapshot_row_moved(snapshot_list_find(s, 1), "/home/me/quiet.data"), 0);
	for (int i = 0; i < 2; i++)
		engine[i].removed = true;
	assert_int_equal(feed(), 0);
	assert_string_equal(rows(), "3 1");
	assert_string_equal(snapshot_list_get(s, 1)->path, "/home/me/quiet.data");
	assert_true(snapshot_list_get(s, 1)->saved);
}

static void test_forget(void **state)
{
	(void)state;
	snapshot_list_forget(s, snapshot_list_find(s, 2));
	assert_string_equal(rows(), "3 1");
	assert_int_equal(feed(), 0);
	assert_string_equal(rows(), "3 1");
	takes(PTUI_SNAPSHOT_ASKED, true);
	assert_int_equal(feed(), 1);
	assert_string_equal(rows(), "4 3 1");
	engine[0].removed = engine[1].removed = true;
	feed();
	assert_string_equal(rows(), "4 3");
	assert_int_equal(s->removed, 1);
}

static void test_names(void **state)
{
	char buf[128];
	struct snapshot_row *r = snapshot_list_find(s, 2);

	(void)state;
	assert_string_equal(snapshot_list_label(r, buf, sizeof(buf)), "#2");
	assert_int_equal(snapshot_row_name(r, "gc pause/2"), 0);
	takes(PTUI_SNAPSHOT_ASKED, true);
	feed();
	r = snapshot_list_find(s, 2);
	assert_string_equal(snapshot_list_label(r, buf, sizeof(buf)), "#2 gc pause/2");
	assert_string_equal(snapshot_list_save_path(r, buf, sizeof(buf)),
			    "/tmp/perf.data.gc-pause-2");
	assert_int_equal(snapshot_row_name(r, ""), 0);
	assert_null(r->name);
	assert_string_equal(snapshot_list_save_path(r, buf, sizeof(buf)),
			    "/tmp/perf.data.2026112215120002");
	/* a file that was saved has no time in its name */
	assert_int_equal(snapshot_row_moved(r, "/tmp/mine.12345"), 0);
	assert_int_equal(snapshot_row_name(r, "x"), 0);
	assert_string_equal(snapshot_list_save_path(r, buf, sizeof(buf)), "/tmp/mine.12345.x");
	/* what does not fit is cut */
	snapshot_list_save_path(r, buf, 10);
	assert_int_equal(strlen(buf), 9);
}

static void test_marks(void **state)
{
	struct snapshot_row *two[2];

	(void)state;
	takes(PTUI_SNAPSHOT_ASKED, true);
	feed();
	assert_false(snapshot_list_pair(s, snapshot_list_get(s, 0), two));
	mark(3);
	/* the marked row and the cursor row, but not a row with itself */
	assert_false(snapshot_list_pair(s, snapshot_list_find(s, 3), two));
	assert_true(snapshot_list_pair(s, snapshot_list_find(s, 4), two));
	assert_int_equal(two[0]->number, 3);
	assert_int_equal(two[1]->number, 4);
	mark(1);
	assert_string_equal(rows(), "4 3* 2 1*");
	assert_true(snapshot_list_pair(s, snapshot_list_find(s, 4), two));
	assert_int_equal(two[0]->number, 1);
	assert_int_equal(two[1]->number, 3);
	/* the two marked last are compared */
	mark(4);
	assert_string_equal(rows(), "4* 3* 2 1*");
	assert_true(snapshot_list_pair(s, snapshot_list_get(s, 0), two));
	assert_int_equal(two[0]->number, 1);
	assert_int_equal(two[1]->number, 4);
	mark(1);
	mark(3);
	assert_string_equal(rows(), "4* 3 2 1");
	snapshot_list_forget(s, snapshot_list_find(s, 4));
	assert_false(snapshot_list_pair(s, snapshot_list_get(s, 0), two));
}

/* Of these, oldest first, as "1 3". */
static const char *merged(size_t number)
{
	static char text[64];
	const struct snapshot_row *found[16];
	size_t n, len = 0;

	n = snapshot_list_merged(s, snapshot_list_find(s, number), found);
	*text = '\0';
	for (size_t i = 0; i < n; i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%zu", i ? " " : "",
					found[i]->number);
	return text;
}

static void test_merged(void **state)
{
	(void)state;
	takes(PTUI_SNAPSHOT_ASKED, true);
	feed();
	assert_string_equal(merged(2), "1 2 3 4");
	mark(3);
	assert_string_equal(merged(2), "2 3");
	assert_string_equal(merged(3), "3");
	mark(1);
	mark(4);
	assert_string_equal(merged(2), "1 3 4");
}

/* -M without files: listed, but cannot be opened or compared. */
static void test_without_files(void **state)
{
	struct snapshot_row *two[2];

	(void)state;
	takes(PTUI_SNAPSHOT_ASKED, false);
	feed();
	assert_int_equal(snapshot_list_files(s), 3);
	assert_null(snapshot_list_get(s, 0)->path);
	assert_false(snapshot_list_mark(s, snapshot_list_get(s, 0)));
	mark(1);
	assert_false(snapshot_list_pair(s, snapshot_list_get(s, 0), two));
	for (size_t i = 1; i <= 3; i++)
		snapshot_list_forget(s, snapshot_list_find(s, i));
	assert_int_equal(snapshot_list_files(s), 0);
	assert_int_equal(feed(), 0);
	assert_string_equal(rows(), "4");
}

/* The condition is the one armed at that time. */
static void test_conditions(void **state)
{
	char armed[] = "page-faults/s > 10k";

	(void)state;
	condition = armed;
	takes(PTUI_SNAPSHOT_WHEN, true);
	takes(PTUI_SNAPSHOT_ASKED, true);
	feed();
	memset(armed, '?', sizeof(armed) - 1);
	condition = NULL;
	takes(PTUI_SNAPSHOT_WHEN, true);
	feed();
	assert_string_equal(snapshot_list_reason(snapshot_list_get(s, 2)), "page-faults/s > 10k");
	assert_string_equal(snapshot_list_reason(snapshot_list_get(s, 1)), "key");
	assert_string_equal(snapshot_list_reason(snapshot_list_get(s, 0)), "condition");
	assert_true(snapshot_list_matches(snapshot_list_get(s, 2), "faults"));
}

static void test_search(void **state)
{
	struct snapshot_row *r = snapshot_list_get(s, 1);

	(void)state;
	assert_true(snapshot_list_matches(r, "#2"));
	assert_true(snapshot_list_matches(r, "KEY"));
	assert_true(snapshot_list_matches(r, "20002"));
	assert_false(snapshot_list_matches(r, "pause"));
	assert_int_equal(snapshot_row_name(r, "gc-pause"), 0);
	assert_true(snapshot_list_matches(r, "pause"));
}

static void test_reasons(void **state)
{
	(void)state;
	for (int i = PTUI_SNAPSHOT_ASKED; i <= PTUI_SNAPSHOT_TIME; i++)
		for (int k = PTUI_SNAPSHOT_ASKED; k < i; k++)
			assert_string_not_equal(snapshot_list_why((enum ptui_snapshot_why)i),
						snapshot_list_why((enum ptui_snapshot_why)k));
	assert_string_equal(snapshot_list_why(PTUI_SNAPSHOT_WHEN), "condition");
}

#define SNAPSHOTS(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

/* The engine forgets the oldest, the list lets the oldest rows go that nothing was done with. */
static bool of_many(void *ctx, size_t i, struct ptui_snapshot *ret)
{
	(void)ctx;
	if (i >= 5000)
		return false;
	*ret = (struct ptui_snapshot){ .forgotten = i < 3500 };
	if (!ret->forgotten)
		ret->path = "/tmp/perf.data.1";
	return true;
}

static void test_bounded(void **state)
{
	(void)state;
	mark(2);
	snapshot_row_name(snapshot_list_find(s, 1), "mine");
	assert_int_equal(snapshot_list_update(s, of_many, NULL, NULL), 4997);
	assert_int_equal(s->taken, 5000);
	assert_int_equal(s->n, SNAPSHOT_ROWS_MAX);
	assert_int_equal(snapshot_list_get(s, 0)->number, 5000);
	assert_int_equal(snapshot_list_get(s, SNAPSHOT_ROWS_MAX - 1)->number, 1);
	assert_int_equal(snapshot_list_get(s, SNAPSHOT_ROWS_MAX - 2)->number, 2);
	assert_int_equal(snapshot_list_get(s, SNAPSHOT_ROWS_MAX - 3)->number, 5000 - 997);
	assert_int_equal(s->removed, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		SNAPSHOTS(test_newest_first), SNAPSHOTS(test_outlives_the_recording),
		SNAPSHOTS(test_empty),	      SNAPSHOTS(test_removed),
		SNAPSHOTS(test_bounded),      SNAPSHOTS(test_saved_stays),
		SNAPSHOTS(test_forget),	      SNAPSHOTS(test_names),
		SNAPSHOTS(test_marks),	      SNAPSHOTS(test_without_files),
		SNAPSHOTS(test_merged),	      SNAPSHOTS(test_conditions),
		SNAPSHOTS(test_search),	      SNAPSHOTS(test_reasons),
	};

	return cmocka_run_group_tests_name("model/snapshots", tests, NULL, NULL);
}
