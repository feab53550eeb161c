/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Views of a time range, and views with a half-life. */
#include <string.h>
#include "lib/need.h"
#include "profile/hist/window.h"
#include "unit/profile/made.h"

#define SECOND 1000000000ull

static void check(struct ptui_profile *p, const struct ptui_hist_opts *opts, const char *expected)
{
	struct ptui_hist *h = ptui_hist_new(p, opts, NULL);

	assert_non_null(h);
	assert_string_equal(made_rows(h), expected);
	ptui_hist_free(h);
}

static struct ptui_profile *three(void)
{
	struct made *m = made_new();

	made_sample(m, "old", 40, 10 * SECOND);
	made_sample(m, "middle", 40, 12 * SECOND);
	made_sample(m, "kernel:new", 20, 14 * SECOND);
	return made_take(m);
}

static void since(void **state)
{
	struct ptui_profile *p = three();

	(void)state;
	check(p, &(struct ptui_hist_opts){ .sort = "sym", .since_ns = 12 * SECOND },
	      "66.67%|[.] middle\n33.33%|[k] new\n");
	check(p, &(struct ptui_hist_opts){ .sort = "sym", .since_ns = 12 * SECOND + 1 },
	      "100.00%|[k] new\n");
	check(p, &(struct ptui_hist_opts){ .sort = "sym", .since_ns = 15 * SECOND }, "");
	ptui_profile_unref(p);
}

/* 20, 40 / 2, 40 / 4: of 50 */
static void half_life(void **state)
{
	struct ptui_profile *p = three();

	(void)state;
	check(p, &(struct ptui_hist_opts){ .sort = "sym", .half_life_ns = 2 * SECOND },
	      "40.00%|[.] middle\n40.00%|[k] new\n20.00%|[.] old\n");
	ptui_profile_unref(p);
}

static void user_or_kernel(void **state)
{
	struct ptui_profile *p = three();

	(void)state;
	check(p, &(struct ptui_hist_opts){ .sort = "sym", .filter.user = true },
	      "40.00%|[.] middle\n40.00%|[.] old\n");
	check(p, &(struct ptui_hist_opts){ .sort = "sym", .filter.kernel = true },
	      "20.00%|[k] new\n");
	ptui_profile_unref(p);
}

/* Decreases with age; a period of 1 does not become 0 at once; no overflows. */
static void weights(void **state)
{
	static const uint64_t periods[] = { 1, 4000, 1ull << 40, 1ull << 47, 1ull << 55 };
	struct hist_window w = { .half_life_ns = 3 * SECOND, .newest_ns = 1000 * SECOND };

	(void)state;
	for (size_t i = 0; i < sizeof(periods) / sizeof(*periods); i++) {
		uint64_t last = UINT64_MAX, now;

		for (uint64_t age = 0; age < 300 * SECOND; age += SECOND / 7) {
			now = hist_window_weigh(&w, w.newest_ns - age, periods[i]);
			assert_true(now <= last);
			last = now;
		}
		assert_int_equal(last, 0);
		assert_int_equal(hist_window_weigh(&w, w.newest_ns, periods[i]),
				 periods[i] * WINDOW_PARTS);
		assert_int_equal(hist_window_weigh(&w, w.newest_ns - 6 * SECOND, periods[i]),
				 periods[i] * WINDOW_PARTS / 4);
		/* a clock that went backwards */
		assert_int_equal(hist_window_weigh(&w, w.newest_ns + SECOND, periods[i]),
				 periods[i] * WINDOW_PARTS);
	}
	w.half_life_ns = 0;
	assert_int_equal(hist_window_weigh(&w, 0, 7), 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(since),
		cmocka_unit_test(half_life),
		cmocka_unit_test(user_or_kernel),
		cmocka_unit_test(weights),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
