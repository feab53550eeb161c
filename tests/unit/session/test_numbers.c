/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers in a recording that no machine has: the record counts as damaged, and what is shown stays
 * possible.
 */
#include <stdlib.h>
#include <string.h>
#include "base/perf_abi.h"
#include "lib/need.h"
#include "ptui/profile.h"
#include "session/load.h"
#include "unit/data/made.h"

#define TYPE                                                                            \
	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_IDENTIFIER | \
	 PERF_SAMPLE_CPU)

static struct made_event event = { .type = PERF_TYPE_SOFTWARE,
				   .period = 1,
				   .sample_type = TYPE | PERF_SAMPLE_PERIOD,
				   .flags = MADE_SAMPLE_ID_ALL,
				   .id = 3 };

static void trailer(struct made *m)
{
	made_u64(m, 1);
	made_u64(m, 5);
	made_u64(m, 0);
	made_u64(m, 3);
}

static void put_sample(struct made *m, uint64_t ip, uint64_t period, uint32_t cpu)
{
	made_begin(m, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
	made_u64(m, 3);
	made_u64(m, ip);
	made_u64(m, 1);
	made_u64(m, 10);
	made_u32(m, cpu);
	made_u32(m, 0);
	made_u64(m, period);
	made_end(m);
}

static void put_lost(struct made *m, uint32_t type, uint64_t lost)
{
	made_begin(m, type, 0);
	if (type == PERF_RECORD_LOST)
		made_u64(m, 3);
	made_u64(m, lost);
	trailer(m);
	made_end(m);
}

static struct ptui_profile *load(const struct made *m, struct ptui_trust *ret)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct data_file *f = made_open(m);
	struct ptui_profile *p = session_load(f, NULL, &err, NULL);

	if (!p)
		fail_msg("%s", err.text);
	ptui_profile_trust(p, ret);
	data_close(f);
	return p;
}

/* Every row's share is one, and together they are the whole. */
static void check_shares(struct ptui_profile *p, const char *sort)
{
	const struct ptui_hist_opts opts = { .sort = sort };
	struct ptui_error err = PTUI_ERROR_INIT;
	struct ptui_hist *h = ptui_hist_new(p, &opts, &err);
	double sum = 0;

	assert_non_null(h);
	for (size_t i = 0; i < ptui_hist_n_rows(h); i++) {
		char text[64];
		double share;

		ptui_hist_cell(h, i, 0, text, sizeof(text));
		share = strtod(text, NULL);
		if (!(share >= 0 && share <= 100))
			fail_msg("'%s'", text);
		sum += share;
	}
	if (!(sum > 99.5 && sum < 100.5))
		fail_msg("%f %% in all", sum);
	ptui_hist_free(h);
}

static void periods(void **state)
{
	static const uint64_t impossible[] = { UINT64_MAX, 1ull << 63, (1ull << 56) + 1 };
	struct ptui_trust trust;

	(void)state;
	for (unsigned swap = 0; swap < 2; swap++) {
		struct ptui_profile *p;
		struct made m;

		made_init(&m, swap, false);
		made_events(&m, &event, 1, 112);
		for (unsigned i = 0; i < 3; i++)
			put_sample(&m, 0x1000 + i, impossible[i], 0);
		put_sample(&m, 0x2000, 3, 0);
		put_sample(&m, 0x3000, 1, 0);
		made_finish(&m, NULL, 0);
		p = load(&m, &trust);
		assert_int_equal(trust.bad_records, 3);
		assert_int_equal(ptui_profile_event(p, 0)->samples, 2);
		assert_int_equal(ptui_profile_event(p, 0)->period, 4);
		check_shares(p, "sym");
		ptui_profile_unref(p);
		made_release(&m);
	}
}

/* Each is possible, but not all of them: sums do not overflow. */
static void sums(void **state)
{
	struct ptui_trust trust;
	struct ptui_profile *p;
	struct made m;

	(void)state;
	made_init(&m, false, false);
	made_events(&m, &event, 1, 112);
	for (unsigned i = 0; i < 300; i++)
		put_sample(&m, 0x1000 + i % 3, 1ull << 56, 0);
	made_finish(&m, NULL, 0);
	p = load(&m, &trust);
	assert_int_equal(trust.bad_records, 300 - 64);
	assert_int_equal(ptui_profile_event(p, 0)->period, 1ull << 62);
	check_shares(p, "sym");
	ptui_profile_unref(p);
	made_release(&m);
}

/* The period of the event, if samples have none; the counts of a group. */
static void periods_elsewhere(void **state)
{
	struct ptui_trust trust;

	(void)state;
	for (unsigned group = 0; group < 2; group++) {
		struct made_event ev = event;
		struct ptui_profile *p;
		struct made m;

		ev.sample_type = TYPE | (group ? PERF_SAMPLE_READ : 0);
		ev.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID;
		ev.period = group ? 1 : UINT64_MAX;
		made_init(&m, false, false);
		made_events(&m, &ev, 1, 112);
		for (unsigned i = 0; i < 3; i++) {
			put_sample(&m, 0x1000, 1, 0);
			/* in place of the period: one member, whose count jumps */
			m.out.len -= 8;
			if (group) {
				made_u64(&m, 1);
				made_u64(&m, i == 1 ? UINT64_MAX : i);
				made_u64(&m, 3);
			}
			made_end(&m);
		}
		made_finish(&m, NULL, 0);
		p = load(&m, &trust);
		assert_true(trust.bad_records > 0);
		assert_true(ptui_profile_event(p, 0)->period <= 3);
		ptui_profile_unref(p);
		made_release(&m);
	}
}

static void losses(void **state)
{
	struct ptui_trust trust;
	struct ptui_profile *p;
	struct made m;

	(void)state;
	made_init(&m, false, false);
	made_events(&m, &event, 1, 112);
	put_lost(&m, PERF_RECORD_LOST, UINT64_MAX);
	put_lost(&m, PERF_RECORD_LOST, 7);
	put_lost(&m, PERF_RECORD_LOST_SAMPLES, 1ull << 41);
	put_lost(&m, PERF_RECORD_LOST_SAMPLES, 9);
	put_sample(&m, 0x1000, 1, 0);
	made_finish(&m, NULL, 0);
	p = load(&m, &trust);
	assert_int_equal(trust.lost_events, 7);
	assert_int_equal(trust.lost_samples, 9);
	assert_int_equal(trust.lost_chunks, 1);
	/* each walk decodes them; they count once */
	assert_int_equal(trust.bad_records, 2);
	ptui_profile_unref(p);
	made_release(&m);
}

/* No array has an entry for each CPU up to the largest. */
static void cpus(void **state)
{
	struct ptui_trust trust;
	struct ptui_profile *p;
	struct made m;

	(void)state;
	made_init(&m, false, false);
	made_events(&m, &event, 1, 112);
	put_sample(&m, 0x1000, 1, 0xfffffff0);
	put_sample(&m, 0x1000, 3, 1);
	made_finish(&m, NULL, 0);
	p = load(&m, &trust);
	check_shares(p, "cpu");
	ptui_profile_unref(p);
	made_release(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(periods),
		cmocka_unit_test(sums),
		cmocka_unit_test(periods_elsewhere),
		cmocka_unit_test(losses),
		cmocka_unit_test(cpus),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
