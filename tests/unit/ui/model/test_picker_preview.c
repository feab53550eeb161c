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
	struct preview preview;
};

static int setup(void **state)
{
	struct world *w = calloc(1, sizeof(*w));

	picker_init(&w->picker);
	preview_init(&w->preview);
	for (size_t i = 0; i < sizeof(entries) / sizeof(entries[0]); i++)
		assert_int_equal(picker_add(&w->picker, &entries[i]), 0);
	assert_int_equal(picker_search(&w->picker, ""), 0);
	*state = w;
	return 0;
}

static int teardown(void **state)
{
	struct world *w = *state;

	preview_release(&w->preview);
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

/* The texts to count, "*" after marked ones; "=": unchanged. */
static const char *wishes(struct world *w, size_t row)
{
	static char buf[512];
	size_t n = 0;
	bool changed;

	assert_int_equal(preview_wish(&w->preview, &w->picker, row, &changed), 0);
	if (!changed)
		return "=";
	*buf = '\0';
	for (size_t i = 0; i < w->preview.n; i++)
		n += (size_t)snprintf(buf + n, sizeof(buf) - n, "%s%s ", w->preview.v[i].text,
				      w->preview.v[i].marked ? "*" : "");
	return buf;
}

static void marked_and_current_events_are_wished(void **state)
{
	struct world *w = *state;
	size_t clock = row_of(w, "cpu-clock"), faults = row_of(w, "page-faults");

	assert_string_equal(wishes(w, clock), "cpu-clock ");
	assert_string_equal(wishes(w, clock), "=");
	assert_int_equal(picker_toggle(&w->picker, clock), 0);
	assert_string_equal(wishes(w, clock), "cpu-clock* ");
	assert_string_equal(wishes(w, faults), "cpu-clock* page-faults ");
	/* a heading is nothing that could be counted */
	assert_string_equal(wishes(w, 0), "cpu-clock* ");
	assert_int_equal(picker_toggle(&w->picker, clock), 0);
	assert_string_equal(wishes(w, 0), "");
}

/* Known results stay when the cursor moves. */
static void what_is_known_stays(void **state)
{
	struct world *w = *state;
	size_t clock = row_of(w, "cpu-clock"), faults = row_of(w, "page-faults");
	struct preview_cell cell;
	struct ptui_count_event *e;

	assert_int_equal(picker_toggle(&w->picker, clock), 0);
	wishes(w, clock);
	assert_true(preview_cell(&w->preview, &w->picker, clock, &cell));
	assert_int_equal(cell.state, PTUI_COUNT_UNTRIED);
	e = calloc(1, sizeof(*e));
	*e = (struct ptui_count_event){ .name = "cpu-clock",
					.state = PTUI_COUNT_COUNTING,
					.rate = 2e9,
					.running_share = 0.5,
					.n_history = 1 };
	e->history[0] = 2e9;
	w->preview.v[0].events = e;
	w->preview.v[0].n = 1;
	wishes(w, faults);
	assert_true(preview_cell(&w->preview, &w->picker, clock, &cell));
	assert_int_equal(cell.state, PTUI_COUNT_COUNTING);
	assert_true(cell.is_time);
	assert_true(cell.rate == 2e9 && cell.share == 0.5);
	assert_false(preview_cell(&w->preview, &w->picker, row_of(w, "cpu-cycles"), &cell));
}

/* Of a glob: together, and the worst of them. */
static void events_of_one_text_are_added_up(void **state)
{
	struct world *w = *state;
	size_t faults = row_of(w, "page-faults");
	struct ptui_count_event *e = calloc(3, sizeof(*e));
	struct preview_cell cell;

	wishes(w, faults);
	for (size_t i = 0; i < 3; i++) {
		e[i] = (struct ptui_count_event){ .name = "x",
						  .state = PTUI_COUNT_COUNTING,
						  .rate = 10,
						  .running_share = 1,
						  .n_history = 2 };
		e[i].history[0] = (double)i;
		e[i].history[1] = 5;
	}
	e[1].running_share = 0.25;
	w->preview.v[0].events = e;
	w->preview.v[0].n = 3;
	assert_true(preview_cell(&w->preview, &w->picker, faults, &cell));
	assert_true(cell.rate == 30 && cell.share == 0.25);
	assert_true(cell.history[0] == 3 && cell.history[1] == 15);
	e[2].state = PTUI_COUNT_ERROR;
	assert_true(preview_cell(&w->preview, &w->picker, faults, &cell));
	assert_int_equal(cell.state, PTUI_COUNT_ERROR);
}

static void only_what_does_not_fit_is_reported(void **state)
{
	struct world *w = *state;
	struct ptui_count_fit *fit = &w->preview.fit;
	char buf[512];

	assert_string_equal(preview_fit_text(&w->preview, buf, sizeof(buf)), "");
	*fit = (struct ptui_count_fit){
		.state = PTUI_FIT_TOGETHER, .n_events = 2, .expected_share = 1, .watchdog = true
	};
	assert_string_equal(preview_fit_text(&w->preview, buf, sizeof(buf)), "");
	assert_string_equal(preview_proposal_text(&w->preview, buf, sizeof(buf)), "");
	assert_string_equal(
		preview_watchdog_text(&w->preview, buf, sizeof(buf)),
		"the NMI watchdog uses a counter; as root: sysctl kernel.nmi_watchdog=0");
	*fit = (struct ptui_count_fit){
		.state = PTUI_FIT_IN_TURNS, .n_events = 3, .n_over = 2, .expected_share = 0.63
	};
	assert_string_equal(preview_fit_text(&w->preview, buf, sizeof(buf)),
			    "Marked together: 3 events, 2 counters too few: expect 63 % running");
	assert_string_equal(preview_watchdog_text(&w->preview, buf, sizeof(buf)), "");
	*fit = (struct ptui_count_fit){
		.state = PTUI_FIT_NEVER, .n_events = 6, .n_over = 1, .too_large = "{a,b}"
	};
	assert_string_equal(preview_fit_text(&w->preview, buf, sizeof(buf)),
			    "{a,b} will never count: 1 counter too few");
	snprintf(fit->too_large, sizeof(fit->too_large), "a:D");
	assert_string_equal(preview_fit_text(&w->preview, buf, sizeof(buf)),
			    "a:D will never count: others hold the counters");
	fit->n_groups = 2;
	fit->proposed_share = 0.5;
	words_add(&w->preview.proposal, "{a,b}");
	words_add(&w->preview.proposal, "c");
	assert_string_equal(preview_proposal_text(&w->preview, buf, sizeof(buf)),
			    "as 2 groups, at least 50 % running: {a,b} c");
	/* truncated at the buffer's size */
	assert_int_equal(strlen(preview_proposal_text(&w->preview, buf, 30)), 29);
}

static void filters_stay_with_their_texts(void **state)
{
	static const struct {
		const char *text, *filter;
	} marks[] = { { "s:a", "x > 1" }, { "cycles", NULL }, { "s:a", "x > 2" }, { "s:b", NULL } };
	static const char *const proposal[] = { "s:a", "{cycles,branches}", "s:a", "s:b" };
	struct words filters = WORDS_INIT;
	struct world *w = *state;

	w->preview.v = calloc(4, sizeof(*w->preview.v));
	w->preview.n = 4;
	for (size_t i = 0; i < 4; i++) {
		w->preview.v[i].text = strdup(marks[i].text);
		w->preview.v[i].filter = marks[i].filter ? strdup(marks[i].filter) : NULL;
		w->preview.v[i].marked = true;
		words_add(&w->preview.proposal, proposal[i]);
	}
	assert_int_equal(preview_proposal_filters(&w->preview, &filters), 0);
	assert_int_equal(filters.n, 4);
	assert_string_equal(filters.v[0], "x > 1");
	assert_string_equal(filters.v[1], "");
	assert_string_equal(filters.v[2], "x > 2");
	assert_string_equal(filters.v[3], "");
	words_release(&filters);
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(marked_and_current_events_are_wished), T(what_is_known_stays),
		T(events_of_one_text_are_added_up),	 T(only_what_does_not_fit_is_reported),
		T(filters_stay_with_their_texts),
	};

	return cmocka_run_group_tests_name("ui/model/picker_preview", tests, NULL, NULL);
}
