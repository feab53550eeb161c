/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An annotated function as rows: texts, numbers, jumps, moving. */
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "lib/need.h"
#include "model/annotate/annotate.h"
#include "unit/ui/model/annotation_made.h"

/*
 * A loop with a branch in it:
 *
 *	 0  # work
 *	 1  12: for
 *	 2  mov
 *	 3  jmp 9	┐
 *	 4  13: sum	│
 *	 5  # mix	│
 *	 6  add	←─┐	│
 *	 7  # work│	│
 *	 8  call  │	│
 *	 9  cmp	  │ ←───┘
 *	10  jne ──┘
 *	11  ret
 */
static const char *const loop[] = {
	"# work",
	"12: for (i = 0;\ti < n; i++)",
	"mov    %edi,%r10d",
	"jmp    @9",
	"13: \tsum += i;",
	"# mix",
	"add    $0x1,%eax",
	"# work",
	"call   =leaf",
	"cmp    %esi,%r10d",
	"jne    @6",
	"ret",
	NULL,
};

static const struct annotation_made_count counts[] = {
	{ 0, 6, 3, 100 }, { 0, 9, 5, 50 },	  { 1, 9, 1, 10 },
	{ 0, 10, 2, 50 }, { 0, PTUI_NONE, 0, 0 },
};

static const struct annotate_event events[] = { { "cycles", 0 }, { "misses", 1 } };

struct world {
	struct annotate_code *code;
	struct annotate *a;
	struct annotate_look look;
	char buf[256];
};

static int setup(void **state)
{
	struct world *w = calloc(1, sizeof(*w));

	setlocale(LC_ALL, "C.UTF-8");
	assert_non_null(w);
	w->code = annotate_code_new(annotation_made(loop));
	assert_non_null(w->code);
	w->a = annotate_new(w->code, annotation_made_counts(2, 20, counts), events, 2);
	assert_non_null(w->a);
	*state = w;
	return 0;
}

static int teardown(void **state)
{
	struct world *w = *state;

	annotate_free(w->a);
	annotate_code_unref(w->code);
	free(w);
	return 0;
}

static void change(struct world *w)
{
	assert_int_equal(annotate_set_look(w->a, &w->look), 0);
}

static const char *place(struct world *w, enum annotate_place place, uint32_t line)
{
	return annotate_place(w->a, place, line, line, w->buf, sizeof(w->buf));
}

static const char *text(struct world *w, uint32_t line)
{
	return place(w, PLACE_CODE, line);
}

static const char *label(struct world *w, uint32_t line)
{
	return place(w, PLACE_LABEL, line);
}

static const char *number(struct world *w, uint32_t line, size_t column)
{
	double percent;

	return annotate_number(w->a, line, column, w->buf, sizeof(w->buf), &percent);
}

static void test_rows(void **state)
{
	struct world *w = *state;

	assert_int_equal(w->a->n_rows, 12);
	assert_int_equal(annotate_first_code(w->a), 2);
	w->look.no_source = true;
	change(w);
	assert_int_equal(w->a->n_rows, 7);
	assert_int_equal(annotate_line_of(w->a, 0), 2);
	assert_int_equal(annotate_line_of(w->a, 2), 6);
	assert_int_equal(annotate_row_of(w->a, 6), 2);
	assert_int_equal(annotate_row_of(w->a, 4), 2); /* hidden: the next one */
	assert_int_equal(annotate_line_of(w->a, 99), PTUI_NONE);
}

/* Source lines of which only the place is known are shown with the line numbers. */
static void test_missing_source(void **state)
{
	struct world *w = *state;
	struct ptui_line *l = (void *)(uintptr_t)ptui_annotation_line(w->code->annotation, 4);

	l->no_text = true;
	w->look.line_numbers = true;
	change(w);
	assert_int_equal(w->a->n_rows, 12);
	w->look.line_numbers = false;
	change(w);
	assert_int_equal(w->a->n_rows, 11);
	assert_int_equal(annotate_row_of(w->a, 4), 4);
	assert_int_equal(annotate_line_of(w->a, 4), 5);
}

/* Inlined templates have long names: short ones first, whole ones with the paths. */
static void test_inlined_names(void **state)
{
	static const char whole[] = "boost::detail::table<std::__cxx11::basic_string<char, "
				    "std::char_traits<char>, std::allocator<char> > >::grow_to_fit";
	struct world *w = *state;
	struct ptui_line *l = (void *)(uintptr_t)ptui_annotation_line(w->code->annotation, 5);
	const char *shown;

	l->text = whole;
	shown = text(w, 5);
	assert_non_null(strstr(shown, "grow_to_fit() (inlined):"));
	assert_null(strstr(shown, "basic_string"));
	w->look.paths = true;
	change(w);
	assert_non_null(strstr(text(w, 5), whole));
}

static void test_texts(void **state)
{
	struct world *w = *state;

	assert_string_equal(text(w, 0), "work():");
	assert_string_equal(text(w, 5), "mix() (inlined):");
	assert_string_equal(text(w, 1), "for (i = 0; i < n; i++)"); /* tabs are expanded */
	assert_string_equal(text(w, 4), "    sum += i;");
	assert_string_equal(text(w, 2), "  mov    %edi,%r10d");
	assert_string_equal(text(w, 3), "↓ jmp    10");
	assert_string_equal(text(w, 8), "→ call   leaf");
	assert_string_equal(text(w, 10), "↑ jne    8");
	assert_string_equal(text(w, 11), "← ret");
	w->look.full_addresses = true;
	change(w);
	assert_string_equal(text(w, 10), "↑ jne    1008");
	w->look = (struct annotate_look){ .places = ANNOTATE_ADDRESSES, .paths = true };
	change(w);
	assert_string_equal(text(w, 10), "↑ jne    @6"); /* as the disassembler has it */
	assert_string_equal(text(w, 4), "/src/work.c:13      sum += i;");
	assert_true(annotate_matches(w->a, 4, "SUM"));
	assert_false(annotate_matches(w->a, 4, "mov"));
}

static void test_labels(void **state)
{
	struct world *w = *state;

	assert_string_equal(label(w, 6), "8:"); /* the target of a jump */
	assert_string_equal(label(w, 2), "");
	assert_string_equal(label(w, 8), "");
	assert_string_equal(label(w, 4), "");
	w->look.offsets = ANNOTATE_AT_CALLS;
	w->look.line_numbers = true;
	change(w);
	assert_string_equal(label(w, 8), "c:");
	assert_string_equal(label(w, 2), "");
	assert_string_equal(label(w, 4), "13");
	w->look.offsets = ANNOTATE_AT_ALL;
	change(w);
	assert_string_equal(label(w, 2), "0:");
	w->look.places = ANNOTATE_BYTES;
	change(w);
	assert_string_equal(label(w, 2), "1000:");
	assert_string_equal(place(w, PLACE_BYTES, 2), "48 89 e5 90");
	assert_string_equal(place(w, PLACE_BYTES, 1), "");
	assert_int_equal(annotate_place_width(w->a, PLACE_BYTES), 11);
	assert_true(annotate_place_width(w->a, PLACE_LABEL) >= 5);
}

static void test_numbers(void **state)
{
	struct world *w = *state;

	assert_string_equal(number(w, 6, 0), "50.00");
	assert_string_equal(number(w, 6, 1), "0.00");
	assert_string_equal(number(w, 9, 1), "100.00");
	assert_string_equal(number(w, 2, 0), ""); /* no samples of any event */
	assert_string_equal(number(w, 1, 0), "");
	assert_string_equal(annotate_percent_type(w->a), "local period");
	w->look.global = true;
	change(w);
	assert_string_equal(number(w, 6, 0), "50.00");
	assert_string_equal(number(w, 9, 1), "5.00");
	w->look.by_samples = true;
	change(w);
	assert_string_equal(number(w, 6, 0), "15.00");
	assert_string_equal(annotate_percent_type(w->a), "global samples");
	w->look.numbers = ANNOTATE_PERIOD;
	change(w);
	assert_string_equal(number(w, 6, 0), "100");
	assert_string_equal(annotate_number_title(w->a), "Period");
	w->look.numbers = ANNOTATE_SAMPLES;
	change(w);
	assert_string_equal(number(w, 6, 0), "3");
	assert_int_equal(annotate_local(w->a, 0).samples, 10);
	assert_int_equal(annotate_global(w->a, 0).samples, 20);
}

static void test_hottest(void **state)
{
	struct world *w = *state;

	assert_int_equal(annotate_hottest(w->a), 6);
	assert_int_equal(annotate_next_hot(w->a, 6, 1), 9);
	assert_int_equal(annotate_next_hot(w->a, 10, 1), 6); /* wraps around */
	assert_int_equal(annotate_next_hot(w->a, 6, -1), 10);
	assert_int_equal(annotate_next_hot(w->a, 2, 1), 6); /* from a line without samples */
	w->look.by_samples = true;
	change(w);
	assert_int_equal(annotate_hottest(w->a), 9);
}

/* The numbers change, the lines do not. */
static void test_newer_counts(void **state)
{
	static const struct annotation_made_count newer[] = { { 1, 11, 4, 40 },
							      { 0, PTUI_NONE, 0, 0 } };
	struct world *w = *state;

	annotate_set_counts(w->a, annotation_made_counts(2, 40, newer), events, 2);
	assert_string_equal(number(w, 6, 0), "");
	assert_int_equal(annotate_hottest(w->a), 11); /* of the second event: the first has none */
	annotate_set_counts(w->a, annotation_made_counts(0, 0, newer + 1), events, 2);
	assert_int_equal(annotate_hottest(w->a), PTUI_NONE);
	assert_int_equal(annotate_local(w->a, 1).samples, 0);
	assert_string_equal(number(w, 11, 1), "");
}

/* ---- jumps ---- */

static const char *one(struct world *w, uint32_t line, uint32_t at)
{
	return annotate_jumps_one(&w->code->jumps, line, at, w->buf);
}

static const char *all(struct world *w, uint32_t line)
{
	return annotate_jumps_all(&w->code->jumps, line, w->buf);
}

static void test_one_arrow(void **state)
{
	struct world *w = *state;

	assert_string_equal(one(w, 2, 3), "   ");
	assert_string_equal(one(w, 3, 3), "┌──");
	assert_string_equal(one(w, 4, 3), "│  "); /* beside source, too */
	assert_string_equal(one(w, 9, 3), "└─▸");
	assert_string_equal(one(w, 10, 3), "   ");
	assert_string_equal(one(w, 6, 10), "┌─▸"); /* upwards */
	assert_string_equal(one(w, 10, 10), "└──");
	assert_string_equal(one(w, 10, 6), "└──"); /* all jumps to the line under the cursor */
	assert_string_equal(one(w, 6, 2), "   ");
}

static void test_all_arrows(void **state)
{
	struct world *w = *state;

	/* the shorter one is next to the code */
	assert_int_equal(w->code->jumps.lanes, 2);
	assert_string_equal(all(w, 2), "    ");
	assert_string_equal(all(w, 3), "┌───");
	assert_string_equal(all(w, 6), "│┌─▸");
	assert_string_equal(all(w, 7), "││  ");
	assert_string_equal(all(w, 9), "└┼─▸");
	assert_string_equal(all(w, 10), " └──");
	assert_int_equal(annotate_jumps_to(&w->code->jumps, 6), 1);
	assert_int_equal(annotate_jumps_to(&w->code->jumps, 7), 0);
}

/* Jumps to one target share an arrow; a jump to itself is one, too. */
static void test_shared_arrow(void **state)
{
	struct annotate_jump *jumps = malloc(4 * sizeof(*jumps));
	struct annotate_jumps j;
	char buf[ANNOTATE_ARROW_MAX];

	(void)state;
	assert_non_null(jumps);
	jumps[0] = (struct annotate_jump){ 8, 5 };
	jumps[1] = (struct annotate_jump){ 2, 5 };
	jumps[2] = (struct annotate_jump){ 4, 5 };
	jumps[3] = (struct annotate_jump){ 9, 9 };
	assert_int_equal(annotate_jumps_init(&j, jumps, 4), 0);
	assert_int_equal(j.n, 2);
	assert_int_equal(j.lanes, 1);
	assert_int_equal(annotate_jumps_to(&j, 5), 3);
	assert_string_equal(annotate_jumps_all(&j, 2, buf), "┌──");
	assert_string_equal(annotate_jumps_all(&j, 3, buf), "│  ");
	assert_string_equal(annotate_jumps_all(&j, 4, buf), "├──");
	assert_string_equal(annotate_jumps_all(&j, 5, buf), "├─▸");
	assert_string_equal(annotate_jumps_all(&j, 8, buf), "└──");
	assert_string_equal(annotate_jumps_all(&j, 9, buf), "──▸");
	/* of the line under the cursor, only its own */
	assert_string_equal(annotate_jumps_one(&j, 4, 2, buf), "│  ");
	assert_string_equal(annotate_jumps_one(&j, 8, 2, buf), "   ");
	annotate_jumps_release(&j);
}

/* More arrows across one place than there are lanes: the longest are not drawn. */
static void test_no_lane(void **state)
{
	const uint32_t n = 20;
	struct annotate_jump *jumps = malloc(n * sizeof(*jumps));
	struct annotate_jumps j;
	char buf[ANNOTATE_ARROW_MAX];

	(void)state;
	assert_non_null(jumps);
	for (uint32_t i = 0; i < n; i++)
		jumps[i] = (struct annotate_jump){ n - 1 - i, n + i };
	assert_int_equal(annotate_jumps_init(&j, jumps, n), 0);
	assert_int_equal(j.lanes, ANNOTATE_LANES);
	assert_string_equal(annotate_jumps_all(&j, n - 1, buf), "│││││┌──");
	assert_string_equal(annotate_jumps_all(&j, n - 6, buf), "┌───────");
	assert_string_equal(annotate_jumps_all(&j, 0, buf), "        ");
	assert_string_equal(annotate_jumps_all(&j, n, buf), "│││││└─▸");
	annotate_jumps_release(&j);
}

static void test_jump_counts(void **state)
{
	struct world *w = *state;

	assert_string_equal(place(w, PLACE_COUNT, 6), "");
	w->look.jump_counts = true;
	change(w);
	assert_string_equal(place(w, PLACE_COUNT, 6), "1");
	assert_string_equal(place(w, PLACE_COUNT, 3), "");
	assert_int_equal(annotate_place_width(w->a, PLACE_COUNT), 1);
	assert_int_equal(annotate_place_width(w->a, PLACE_ARROWS), 3);
	w->look.arrows = ANNOTATE_ALL_ARROWS;
	change(w);
	assert_int_equal(annotate_place_width(w->a, PLACE_ARROWS), 4);
	w->look.arrows = ANNOTATE_NO_ARROWS;
	change(w);
	assert_int_equal(annotate_place_width(w->a, PLACE_ARROWS), 0);
	assert_string_equal(place(w, PLACE_ARROWS, 3), "");
}

static void test_cycles(void **state)
{
	static const struct ptui_line_cycles branch = {
		.ipc = 1.5, .branches = 4, .sum = 90, .min = 12, .max = 45
	};
	struct ptui_function_cycles all = { .branches = 4, .ipc = 1.5, .coverage = 12.4 };
	struct world *w = *state;

	/* no branch stacks */
	assert_int_equal(annotate_place_width(w->a, PLACE_IPC), 0);
	assert_int_equal(annotate_place_width(w->a, PLACE_CYCLES), 0);
	assert_string_equal(annotate_ipc_summary(w->a, w->buf, sizeof(w->buf)), "");
	annotation_made_cycles(w->a->counts, 10, branch, all);
	assert_int_equal(annotate_place_width(w->a, PLACE_IPC), 5);
	assert_int_equal(annotate_place_width(w->a, PLACE_CYCLES), 6);
	assert_string_equal(place(w, PLACE_IPC, 10), "1.50");
	assert_string_equal(place(w, PLACE_IPC, 9), "");
	assert_string_equal(place(w, PLACE_CYCLES, 10), "22");
	assert_string_equal(place(w, PLACE_CYCLES, 9), "");
	assert_string_equal(annotate_ipc_summary(w->a, w->buf, sizeof(w->buf)),
			    "IPC 1.50 for 12% of the code");
	w->look.cycles = ANNOTATE_CYCLES_RANGE;
	change(w);
	assert_string_equal(place(w, PLACE_CYCLES, 10), "22 (12/45)");
	assert_int_equal(annotate_place_width(w->a, PLACE_CYCLES), 19);
	/* blocks are not known from their beginnings */
	all.ipc = all.coverage = 0;
	annotation_made_cycles(w->a->counts, 10, branch, all);
	assert_string_equal(annotate_ipc_summary(w->a, w->buf, sizeof(w->buf)), "IPC unknown");
	w->look.cycles = ANNOTATE_NO_CYCLES;
	change(w);
	assert_int_equal(annotate_place_width(w->a, PLACE_IPC), 0);
	assert_int_equal(annotate_place_width(w->a, PLACE_CYCLES), 0);
	assert_string_equal(annotate_ipc_summary(w->a, w->buf, sizeof(w->buf)), "");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_rows),
		TEST(test_missing_source),
		TEST(test_inlined_names),
		TEST(test_texts),
		TEST(test_labels),
		TEST(test_numbers),
		TEST(test_hottest),
		TEST(test_newer_counts),
		TEST(test_one_arrow),
		TEST(test_all_arrows),
		cmocka_unit_test(test_shared_arrow),
		cmocka_unit_test(test_no_lane),
		TEST(test_jump_counts),
		TEST(test_cycles),
	};

	return cmocka_run_group_tests_name("ui/model/annotate", tests, NULL, NULL);
}
