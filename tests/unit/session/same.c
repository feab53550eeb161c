/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit/session/same.h"

#include <string.h>
#include "lib/need.h"

void assert_same_rows(const struct ptui_hist *a, const struct ptui_hist *b)
{
	char cell_a[1024], cell_b[1024];

	assert_int_equal(ptui_hist_n_rows(a), ptui_hist_n_rows(b));
	assert_int_equal(ptui_hist_total_period(a), ptui_hist_total_period(b));
	for (size_t row = 0; row < ptui_hist_n_rows(a); row++)
		for (size_t col = 0; col < ptui_hist_n_columns(a); col++) {
			ptui_hist_cell(a, row, col, cell_a, sizeof(cell_a));
			ptui_hist_cell(b, row, col, cell_b, sizeof(cell_b));
			assert_string_equal(cell_a, cell_b);
		}
}

static void same_trees(struct ptui_hist *a, struct ptui_hist *b, size_t row)
{
	struct ptui_calltree *ta = ptui_hist_calltree(a, row, 0, NULL);
	struct ptui_calltree *tb = ptui_hist_calltree(b, row, 0, NULL);
	const struct ptui_callnode *na, *nb;

	assert_true(ta && tb);
	for (uint32_t i = 0; (na = ptui_calltree_node(ta, i)); i++) {
		char frame_a[512], frame_b[512];

		nb = ptui_calltree_node(tb, i);
		assert_non_null(nb);
		assert_int_equal(na->hits, nb->hits);
		assert_int_equal(na->cumul, nb->cumul);
		assert_int_equal(na->n_frames, nb->n_frames);
		for (uint32_t f = 0; f < na->n_frames; f++) {
			ptui_calltree_frame(ta, na, f, frame_a, sizeof(frame_a));
			ptui_calltree_frame(tb, nb, f, frame_b, sizeof(frame_b));
			assert_string_equal(frame_a, frame_b);
		}
	}
	ptui_calltree_free(ta);
	ptui_calltree_free(tb);
}

static void same_trust(struct ptui_profile *a, struct ptui_profile *b)
{
	struct ptui_trust ta, tb;

	ptui_profile_trust(a, &ta);
	ptui_profile_trust(b, &tb);
	assert_int_equal(ta.lost_events, tb.lost_events);
	assert_int_equal(ta.lost_chunks, tb.lost_chunks);
	assert_int_equal(ta.lost_samples, tb.lost_samples);
	assert_int_equal(ta.lost_sideband, tb.lost_sideband);
	assert_int_equal(ta.throttled, tb.throttled);
	assert_int_equal(ta.broken_chains, tb.broken_chains);
	assert_int_equal(ta.unknown_event, tb.unknown_event);
	assert_int_equal(ta.bad_records, tb.bad_records);
}

static void same_events(struct ptui_profile *a, struct ptui_profile *b)
{
	assert_int_equal(ptui_profile_n_events(a), ptui_profile_n_events(b));
	for (uint32_t e = 0; e < ptui_profile_n_events(a); e++) {
		const struct ptui_event_info *ia = ptui_profile_event(a, e);
		const struct ptui_event_info *ib = ptui_profile_event(b, e);

		assert_string_equal(ia->name, ib->name);
		assert_int_equal(ia->samples, ib->samples);
		assert_int_equal(ia->period, ib->period);
		assert_int_equal(ia->lost_samples, ib->lost_samples);
		assert_int_equal(ia->enabled_ns, ib->enabled_ns);
		assert_int_equal(ia->running_ns, ib->running_ns);
		assert_int_equal(ia->has_callchains, ib->has_callchains);
	}
}

static void same_view(struct ptui_profile *a, struct ptui_profile *b,
		      const struct ptui_hist_opts *opts, size_t n_trees)
{
	struct ptui_hist *ha = ptui_hist_new(a, opts, NULL), *hb = ptui_hist_new(b, opts, NULL);

	assert_true(ha && hb);
	assert_same_rows(ha, hb);
	for (size_t row = 0; row < ptui_hist_n_rows(ha) && row < n_trees; row++)
		same_trees(ha, hb, row);
	ptui_hist_free(ha);
	ptui_hist_free(hb);
}

void assert_same_profile(struct ptui_profile *a, struct ptui_profile *b)
{
	static const char *const sorts[] = { NULL, "pid", "pid,comm,dso,sym,cpu", "time,sym",
					     "cpu,parent,symbol_size" };
	static const struct ptui_hist_filter filters[] = {
		{ .cpus = "0-1" },
		{ .resolved = true },
		{ .has_parent = true },
	};

	same_trust(a, b);
	same_events(a, b);
	for (uint32_t e = 0; e < ptui_profile_n_events(a); e++)
		for (size_t i = 0; i < sizeof(sorts) / sizeof(sorts[0]); i++) {
			const struct ptui_hist_opts opts = {
				.event = e, .sort = sorts[i], .children = !i, .show_samples = true
			};

			same_view(a, b, &opts, 20);
		}
	for (size_t i = 0; i < sizeof(filters) / sizeof(filters[0]); i++) {
		const struct ptui_hist_opts opts = { .filter = filters[i], .parent = "a" };

		same_view(a, b, &opts, 0);
	}
}

void assert_same_system(struct ptui_profile *a, struct ptui_profile *b)
{
	static const struct ptui_hist_opts views[] = {
		{ .sort = "pid,comm,dso,cpu", .show_samples = true },
		{ .sort = "pid,sym", .show_samples = true, .filter = { .kernel = true } },
	};

	same_trust(a, b);
	same_events(a, b);
	for (size_t i = 0; i < sizeof(views) / sizeof(views[0]); i++)
		same_view(a, b, &views[i], 0);
}
