/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keys that measure rows: overhead and the like, numbers of samples. */
#include "profile/hist/keys.h"

#include "base/i18n.h"
#include "profile/hist/hist.h"
#include "profile/hist/keys_private.h"

static void set_percent(const struct ptui_hist *h, uint64_t part, struct ptui_cell *ret)
{
	ret->kind = PTUI_CELL_PERCENT;
	ret->percent = h->total_period ? 100.0 * (double)part / (double)h->total_period : 0.0;
}

static int overhead_compare(const struct ptui_hist *h, const struct hist_row *a,
			    const struct hist_row *b)
{
	(void)h;
	return key_compare_u64(a->period, b->period);
}

static int overhead_order(const struct ptui_hist *h, uint64_t *ret)
{
	for (size_t i = 0; i < h->n_rows; i++)
		ret[i] = ~h->rows[i].period;
	return 0;
}

static void overhead_cell(const struct ptui_hist *h, const struct hist_row *row,
			  struct ptui_cell *ret)
{
	set_percent(h, row->period, ret);
}

/* If caller and callee have equal periods in one thread, the caller comes first. */
static int children_compare(const struct ptui_hist *h, const struct hist_row *a,
			    const struct hist_row *b)
{
	int cmp;

	if (!h->children)
		return 0;
	cmp = key_compare_u64(a->period_children, b->period_children);
	if (cmp || a->item.thread != b->item.thread || !h->chains)
		return cmp;
	cmp = key_compare_u64(b->max_depth, a->max_depth);
	return h->order == PTUI_CALLER ? -cmp : cmp;
}

/* Without the depths, see hist_sort.c. */
static int children_order(const struct ptui_hist *h, uint64_t *ret)
{
	for (size_t i = 0; i < h->n_rows; i++)
		ret[i] = h->children ? ~h->rows[i].period_children : 0;
	return 0;
}

static void children_cell(const struct ptui_hist *h, const struct hist_row *row,
			  struct ptui_cell *ret)
{
	if (h->children)
		set_percent(h, row->period_children, ret);
	else
		ret->text = "N/A";
}

/* ---- overhead_sys and the like: by the level of the sampled function ---- */

static uint64_t period_of_level(const struct ptui_hist *h, const struct hist_row *row, char level)
{
	uint64_t period = 0;

	for (uint32_t c = row->period ? row->first_self : PTUI_NONE; c != PTUI_NONE;
	     c = h->classes[c].next_self)
		if (h->profile->frames[h->classes[c].item.frame].level == level)
			period += h->classes[c].period;
	return period;
}

#define OVERHEAD_OF_LEVEL(name, level)                                                 \
	static int name##_compare(const struct ptui_hist *h, const struct hist_row *a, \
				  const struct hist_row *b)                            \
	{                                                                              \
		return key_compare_u64(period_of_level(h, a, level),                   \
				       period_of_level(h, b, level));                  \
	}                                                                              \
	static int name##_order(const struct ptui_hist *h, uint64_t *ret)              \
	{                                                                              \
		for (size_t i = 0; i < h->n_rows; i++)                                 \
			ret[i] = ~period_of_level(h, &h->rows[i], level);              \
		return 0;                                                              \
	}                                                                              \
	static void name##_cell(const struct ptui_hist *h, const struct hist_row *row, \
				struct ptui_cell *ret)                                 \
	{                                                                              \
		set_percent(h, period_of_level(h, row, level), ret);                   \
	}

OVERHEAD_OF_LEVEL(sys, 'k')
OVERHEAD_OF_LEVEL(us, '.')
OVERHEAD_OF_LEVEL(guest_sys, 'g')
OVERHEAD_OF_LEVEL(guest_us, 'u')

static int sample_compare(const struct ptui_hist *h, const struct hist_row *a,
			  const struct hist_row *b)
{
	(void)h;
	return key_compare_u64(a->samples, b->samples);
}

static int sample_order(const struct ptui_hist *h, uint64_t *ret)
{
	for (size_t i = 0; i < h->n_rows; i++)
		ret[i] = ~h->rows[i].samples;
	return 0;
}

static void sample_cell(const struct ptui_hist *h, const struct hist_row *row,
			struct ptui_cell *ret)
{
	(void)h;
	ret->kind = PTUI_CELL_NUMBER;
	ret->number = row->samples;
}

static void period_cell(const struct ptui_hist *h, const struct hist_row *row,
			struct ptui_cell *ret)
{
	ret->kind = PTUI_CELL_NUMBER;
	ret->number = row->period / (h->window.half_life_ns ? WINDOW_PARTS : 1);
}

/* ---- the table ---- */

enum {
	KEY_OVERHEAD,
	KEY_SYS,
	KEY_US,
	KEY_GUEST_SYS,
	KEY_GUEST_US,
	KEY_CHILDREN,
	KEY_SAMPLE,
	KEY_PERIOD,
};

const struct hist_key hist_overhead_keys[] = {
	[KEY_OVERHEAD] = { "overhead", N_("Overhead"), N_("share of the samples, by period"), true,
			   false, 0, 8, false, NULL, overhead_compare, overhead_order,
			   overhead_cell },
	[KEY_SYS] = { "overhead_sys", N_("sys"), N_("share of the samples in the kernel"), true,
		      false, KEY_NEEDS_CLASSES, 8, false, NULL, sys_compare, sys_order, sys_cell },
	[KEY_US] = { "overhead_us", N_("usr"), N_("share of the samples in user space"), true,
		     false, KEY_NEEDS_CLASSES, 8, false, NULL, us_compare, us_order, us_cell },
	[KEY_GUEST_SYS] = { "overhead_guest_sys", N_("guest sys"),
			    N_("share of the samples in the kernel of a guest"), true, false,
			    KEY_NEEDS_CLASSES, 9, false, NULL, guest_sys_compare, guest_sys_order,
			    guest_sys_cell },
	[KEY_GUEST_US] = { "overhead_guest_us", N_("guest usr"),
			   N_("share of the samples in user space of a guest"), true, false,
			   KEY_NEEDS_CLASSES, 9, false, NULL, guest_us_compare, guest_us_order,
			   guest_us_cell },
	[KEY_CHILDREN] = { "overhead_children", N_("Children"), N_("the same, including callees"),
			   true, false, 0, 8, false, NULL, children_compare, children_order,
			   children_cell },
	[KEY_SAMPLE] = { "sample", N_("Samples"), N_("number of samples"), true, false, 0, 12,
			 false, NULL, sample_compare, sample_order, sample_cell },
	[KEY_PERIOD] = { "period", N_("Period"), N_("sum of the periods"), true, false, 0, 12,
			 false, NULL, overhead_compare, overhead_order, period_cell },
	{ .name = NULL },
};

const struct hist_key *const hist_key_overhead = &hist_overhead_keys[KEY_OVERHEAD];
const struct hist_key *const hist_key_sys = &hist_overhead_keys[KEY_SYS];
const struct hist_key *const hist_key_us = &hist_overhead_keys[KEY_US];
const struct hist_key *const hist_key_children = &hist_overhead_keys[KEY_CHILDREN];
const struct hist_key *const hist_key_sample = &hist_overhead_keys[KEY_SAMPLE];
const struct hist_key *const hist_key_period = &hist_overhead_keys[KEY_PERIOD];
