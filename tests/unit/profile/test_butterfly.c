/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Callers and callees of a function, against a count of every sample. */
#include <stdio.h>
#include <string.h>
#include "lib/need.h"
#include "unit/profile/made.h"

/* A frame of a function; the test fails if there is none. */
static uint32_t frame_named(const struct ptui_hist *h, const struct ptui_profile *p,
			    const char *name)
{
	char text[64];

	for (uint32_t i = 0; i < p->n_frames; i++) {
		ptui_hist_frame_name(h, i, text, sizeof(text));
		if (!strcmp(text, name))
			return i;
	}
	fail_msg("no function %s", name);
	return PTUI_NONE;
}

static void put_calls(char *ret, const struct ptui_hist *h, const struct ptui_butterfly *b,
		      size_t n,
		      const struct ptui_call *(*call)(const struct ptui_butterfly *b, size_t i))
{
	for (size_t i = 0; i < n; i++) {
		char name[64];

		ptui_hist_frame_name(h, call(b, i)->frame, name, sizeof(name));
		sprintf(ret + strlen(ret), "%s%s %d", i ? ", " : "", name, (int)call(b, i)->period);
	}
	assert_null(call(b, n));
}

/* "main 70 > parse 100 self 40 first 0 > eval 60". */
static const char *text_of(const struct ptui_hist *h, const struct ptui_profile *p,
			   const char *func)
{
	struct ptui_butterfly *b = ptui_hist_butterfly(h, frame_named(h, p, func), NULL);
	const struct ptui_butterfly_info *info;
	static char ret[512];

	assert_non_null(b);
	info = ptui_butterfly_info(b);
	assert_int_equal(info->total, ptui_hist_total_period(h));
	*ret = '\0';
	put_calls(ret, h, b, info->n_callers, ptui_butterfly_caller);
	sprintf(ret + strlen(ret), " > %s %d self %d first %d > ", func, (int)info->period,
		(int)info->self, (int)info->outermost);
	put_calls(ret, h, b, info->n_callees, ptui_butterfly_callee);
	ptui_butterfly_free(b);
	return ret;
}

static void test_neighbours(void **state)
{
	struct made *m = made_new();
	const struct ptui_hist_opts o = { .sort = "sym", .children = true };
	struct ptui_profile *p;
	struct ptui_hist *h;

	(void)state;
	made_sample(m, "main run parse leaf", 30, 1);
	made_sample(m, "main run eval leaf", 20, 2);
	made_sample(m, "main leaf", 10, 3);
	made_sample(m, "leaf", 5, 4);
	p = made_take(m);
	h = ptui_hist_new(p, &o, NULL);
	assert_string_equal(text_of(h, p, "run"),
			    "main 50 > run 50 self 0 first 0 > parse 30, eval 20");
	assert_string_equal(text_of(h, p, "leaf"),
			    "parse 30, eval 20, main 10 > leaf 65 self 65 first 5 > ");
	assert_string_equal(text_of(h, p, "main"), " > main 60 self 0 first 60 > run 50, leaf 10");
	ptui_hist_free(h);
	ptui_profile_unref(p);
}

static void test_recursion(void **state)
{
	struct made *m = made_new();
	const struct ptui_hist_opts o = { .sort = "sym" };
	struct ptui_profile *p;
	struct ptui_hist *h;

	(void)state;
	made_sample(m, "main f f f g f g", 30, 1);
	made_sample(m, "main f", 10, 2);
	p = made_take(m);
	h = ptui_hist_new(p, &o, NULL);
	assert_string_equal(text_of(h, p, "f"),
			    "main 40, f 30, g 30 > f 40 self 10 first 0 > f 30, g 30");
	ptui_hist_free(h);
	ptui_profile_unref(p);
}

/* Samples that the histogram leaves out do not count; what leaves out rows does not matter. */
static void test_filter(void **state)
{
	struct made *m = made_new();
	const struct ptui_hist_opts o = { .sort = "sym",
					  .relative = true,
					  .filter = { .comm = "b", .symbol = "leaf" } };
	struct ptui_profile *p;
	struct ptui_hist *h;

	(void)state;
	made_sample(m, "main leaf", 30, 1);
	made_thread(m, "b", 2, 0);
	made_sample(m, "run leaf", 20, 2);
	p = made_take(m);
	h = ptui_hist_new(p, &o, NULL);
	assert_string_equal(text_of(h, p, "leaf"), "run 20 > leaf 20 self 20 first 0 > ");
	assert_string_equal(text_of(h, p, "run"), " > run 20 self 0 first 20 > leaf 20");
	ptui_hist_free(h);
	ptui_profile_unref(p);
}

/* ---- any stacks ---- */

#define FUNCS	  6
#define DEEPEST	  9
#define N_SAMPLES 400

static struct any_sample {
	char chain[DEEPEST + 1]; /* functions are letters */
	uint64_t period;
} any[N_SAMPLES];

static struct ptui_profile *any_stacks(uint32_t seed)
{
	struct made *m = made_new();

	for (unsigned i = 0; i < N_SAMPLES; i++) {
		struct any_sample *s = &any[i];
		char words[2 * DEEPEST];
		size_t depth;

		seed = seed * 1664525 + 1013904223;
		depth = 1 + (seed >> 20) % DEEPEST;
		s->period = 1 + (seed >> 8) % 5;
		for (size_t k = 0; k < depth; k++) {
			seed = seed * 1664525 + 1013904223;
			s->chain[k] = words[2 * k] = (char)('a' + (seed >> 24) % FUNCS);
			words[2 * k + 1] = k + 1 < depth ? ' ' : '\0';
		}
		s->chain[depth] = '\0';
		made_sample(m, words, s->period, i);
	}
	return made_take(m);
}

static uint64_t period_with(const char *part)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < N_SAMPLES; i++)
		sum += strstr(any[i].chain, part) ? any[i].period : 0;
	return sum;
}

static uint64_t period_at(char func, bool last)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < N_SAMPLES; i++)
		if (any[i].chain[last ? strlen(any[i].chain) - 1 : 0] == func)
			sum += any[i].period;
	return sum;
}

static void check_calls(const struct ptui_hist *h, const struct ptui_butterfly *b, char func,
			size_t n, bool callers)
{
	uint64_t before = UINT64_MAX;
	size_t expected = 0;

	for (char other = 'a'; other < 'a' + FUNCS; other++) {
		const char call[] = { callers ? other : func, callers ? func : other, '\0' };

		expected += period_with(call) > 0;
	}
	assert_int_equal(n, expected);
	for (size_t i = 0; i < n; i++) {
		const struct ptui_call *c = callers ? ptui_butterfly_caller(b, i) :
						      ptui_butterfly_callee(b, i);
		char name[8], call[3] = { func, func, '\0' };

		ptui_hist_frame_name(h, c->frame, name, sizeof(name));
		call[callers ? 0 : 1] = name[0];
		assert_int_equal(c->period, period_with(call));
		assert_true(c->period <= before);
		before = c->period;
	}
}

static void test_any_stacks(void **state)
{
	(void)state;
	for (uint32_t seed = 1; seed <= 5; seed++) {
		struct ptui_profile *p = any_stacks(seed);
		const struct ptui_hist_opts o = { .sort = "sym", .children = true };
		struct ptui_hist *h = ptui_hist_new(p, &o, NULL);

		assert_int_equal(ptui_hist_n_rows(h), FUNCS);
		for (size_t row = 0; row < FUNCS; row++) {
			uint32_t frame = ptui_hist_row_frame(h, row);
			struct ptui_butterfly *b = ptui_hist_butterfly(h, frame, NULL);
			const struct ptui_butterfly_info *info = ptui_butterfly_info(b);
			struct ptui_row r;
			char name[8];

			ptui_hist_row(h, row, &r);
			ptui_hist_frame_name(h, frame, name, sizeof(name));
			assert_int_equal(info->period, period_with(name));
			assert_int_equal(info->period, r.period_children);
			assert_int_equal(info->self, period_at(name[0], true));
			assert_int_equal(info->self, r.period);
			assert_int_equal(info->outermost, period_at(name[0], false));
			check_calls(h, b, name[0], info->n_callers, true);
			check_calls(h, b, name[0], info->n_callees, false);
			ptui_butterfly_free(b);
		}
		ptui_hist_free(h);
		ptui_profile_unref(p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_neighbours),
		cmocka_unit_test(test_recursion),
		cmocka_unit_test(test_filter),
		cmocka_unit_test(test_any_stacks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
