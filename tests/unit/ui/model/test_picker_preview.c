/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The picker's preview: texts to count, cells, sentences. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "lib/need.h"
#include "model/picker/picker.h"
#include "model/picker/picker_preview.h"

static const struct ptui_catalog_entry entries[] = {
	{ "cpu-cycles", "cycles", NULL, "hardware", "Hardware event", 0 },
	{ "cpu-clock", NULL, NULL, "software", "Software event", 0 },
	{ "page-faults", "faults", NULL, "software", "Software event", 0 },
};

struct world {
	struct picker picker;
};

static int setup(void **state)
{
	struct world *w = calloc(1, sizeof(*w));

	picker_init(&w->picker);
	for (size_t i = 0; i < sizeof(entries) / sizeof(entries[0]); i++)
		assert_int_equal(picker_add(&w->picker, &entries[i]), 0);
	assert_int_equal(picker_search(&w->picker, ""), 0);
	*state = w;
	return 0;
}

static int teardown(void **state)
{
	struct world *w = *state;

	picker_release(&w->picker);
	free(w);
	return 0;
}

static size_t row_of(const struct world *w, const char *name)
{
	for (size_t i = 0; i < w->picker.n_rows; i++) {
		const struct picker_entry *e = picker_entry(&w->picker, i);

		if (e && !strcmp(e->name, name))
			return i;
	}
	fail_msg("no row of %s", name);
	return 0;
}

/* The texts to count, "*" after marked ones. */
static const char *wishes(struct world *w, size_t row)
{
	struct words events = WORDS_INIT, filters = WORDS_INIT;
	static char buf[512];
	size_t n = 0, n_marked;

	assert_int_equal(preview_wishes(&w->picker, row, &events, &filters, &n_marked), 0);
	assert_int_equal(events.n, filters.n);
	*buf = '\0';
	for (size_t i = 0; i < events.n; i++)
		n += (size_t)snprintf(buf + n, sizeof(buf) - n, "%s%s ", events.v[i],
				      i < n_marked ? "*" : "");
	words_release(&events);
	words_release(&filters);
	return buf;
}

static void marked_and_current_events_are_wished(void **state)
{
	struct world *w = *state;
	size_t clock = row_of(w, "cpu-clock"), faults = row_of(w, "page-faults");

	assert_string_equal(wishes(w, clock), "cpu-clock ");
	assert_int_equal(picker_toggle(&w->picker, clock), 0);
	assert_string_equal(wishes(w, clock), "cpu-clock* ");
	assert_string_equal(wishes(w, faults), "cpu-clock* page-faults ");
	/* a heading is nothing that could be counted */
	assert_string_equal(wishes(w, 0), "cpu-clock* ");
	assert_int_equal(picker_toggle(&w->picker, clock), 0);
	assert_string_equal(wishes(w, 0), "");
}

static void an_event_is_a_cell(void **state)
{
	struct preview_cell cell = PREVIEW_CELL_INIT;
	struct ptui_count_event e = { .name = "cpu-clock", .state = PTUI_COUNT_UNTRIED };

	(void)state;
	preview_add(&cell, &e);
	assert_int_equal(cell.state, PTUI_COUNT_UNTRIED);
	assert_true(isnan(cell.rate));
	e.state = PTUI_COUNT_COUNTING;
	e.rate = 2e9;
	e.running_share = 0.5;
	preview_add(&cell, &e);
	assert_int_equal(cell.state, PTUI_COUNT_COUNTING);
	assert_true(cell.is_time);
	assert_true(cell.rate == 2e9 && cell.share == 0.5);
}

/* Of a glob: together, and the worst of them. */
static void events_of_one_text_are_added_up(void **state)
{
	struct preview_cell cell = PREVIEW_CELL_INIT;
	struct ptui_count_event e;

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		e = (struct ptui_count_event){ .name = "x",
					       .state = PTUI_COUNT_COUNTING,
					       .rate = 10,
					       .running_share = i == 1 ? 0.25 : 1,
					       .n_history = 2 };
		e.history[0] = (double)i;
		e.history[1] = 5;
		preview_add(&cell, &e);
	}
	assert_true(cell.rate == 30 && cell.share == 0.25);
	assert_true(cell.history[0] == 3 && cell.history[1] == 15);
	e.state = PTUI_COUNT_ERROR;
	preview_add(&cell, &e);
	assert_int_equal(cell.state, PTUI_COUNT_ERROR);
}

static void only_what_does_not_fit_is_reported(void **state)
{
	struct ptui_count_fit fit = { .state = PTUI_FIT_UNKNOWN };
	struct words proposal = WORDS_INIT;
	char buf[512];

	(void)state;
	assert_string_equal(preview_fit_text(&fit, buf, sizeof(buf)), "");
	fit = (struct ptui_count_fit){
		.state = PTUI_FIT_TOGETHER, .n_events = 2, .expected_share = 1, .watchdog = true
	};
	assert_string_equal(preview_fit_text(&fit, buf, sizeof(buf)), "");
	assert_string_equal(preview_proposal_text(&fit, &proposal, buf, sizeof(buf)), "");
	fit = (struct ptui_count_fit){
		.state = PTUI_FIT_IN_TURNS, .n_events = 3, .n_over = 2, .expected_share = 0.63
	};
	assert_string_equal(preview_fit_text(&fit, buf, sizeof(buf)),
			    "Marked together: 3 events, 2 counters too few: expect 63 % running");
	fit = (struct ptui_count_fit){
		.state = PTUI_FIT_NEVER, .n_events = 6, .n_over = 1, .too_large = "{a,b}"
	};
	assert_string_equal(preview_fit_text(&fit, buf, sizeof(buf)),
			    "{a,b} will never count: 1 counter too few");
	snprintf(fit.too_large, sizeof(fit.too_large), "a:D");
	assert_string_equal(preview_fit_text(&fit, buf, sizeof(buf)),
			    "a:D will never count: others hold the counters");
	fit.n_groups = 2;
	fit.proposed_share = 0.5;
	words_add(&proposal, "{a,b}");
	words_add(&proposal, "c");
	assert_string_equal(preview_proposal_text(&fit, &proposal, buf, sizeof(buf)),
			    "as 2 groups, at least 50 % running: {a,b} c");
	/* truncated at the buffer's size */
	assert_int_equal(strlen(preview_proposal_text(&fit, &proposal, buf, 30)), 29);
	words_release(&proposal);
}

static void filters_stay_with_their_texts(void **state)
{
	static const char *const marks[][2] = {
		{ "s:a", "x > 1" }, { "cycles", "" }, { "s:a", "x > 2" }, { "s:b", "" }
	};
	static const char *const proposed[] = { "s:a", "{cycles,branches}", "s:a", "s:b" };
	struct words proposal = WORDS_INIT, events = WORDS_INIT, filters = WORDS_INIT,
		     with = WORDS_INIT;

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		words_add(&events, marks[i][0]);
		words_add(&filters, marks[i][1]);
		words_add(&proposal, proposed[i]);
	}
	assert_int_equal(preview_proposal_filters(&proposal, &events, &filters, &with), 0);
	assert_int_equal(with.n, 4);
	assert_string_equal(with.v[0], "x > 1");
	assert_string_equal(with.v[1], "");
	assert_string_equal(with.v[2], "x > 2");
	assert_string_equal(with.v[3], "");
	words_release(&proposal);
	words_release(&events);
	words_release(&filters);
	words_release(&with);
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(marked_and_current_events_are_wished), T(an_event_is_a_cell),
		T(events_of_one_text_are_added_up),	 T(only_what_does_not_fit_is_reported),
		T(filters_stay_with_their_texts),
	};

	return cmocka_run_group_tests_name("ui/model/picker_preview", tests, NULL, NULL);
}
