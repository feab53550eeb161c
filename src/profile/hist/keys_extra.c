/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keys by what only some samples have: weights, sizes of pages, control groups, how many tasks ran. */
#include "profile/hist/keys.h"

#include <inttypes.h>
#include <stdio.h>
#include "base/i18n.h"
#include "profile/hist/hist.h"
#include "profile/hist/keys_private.h"

KEY_OF_EXTRA(weight, weight)
KEY_LARGEST_FIRST(weight, weight_value)
KEY_OF_EXTRA(latency, latency)
KEY_LARGEST_FIRST(latency, latency_value)
KEY_OF_EXTRA(stage, stage)
KEY_LARGEST_FIRST(stage, stage_value)
KEY_OF_EXTRA(code_page, code_page)
KEY_LARGEST_FIRST(code_page, code_page_value)

void key_put_number(struct ptui_cell *ret, uint64_t n)
{
	snprintf(ret->prefix, sizeof(ret->prefix), "%" PRIu64, n);
}

/* perf's "global" keys multiply by the number of samples. */
static void local_weight_cell(const struct ptui_hist *h, const struct hist_row *row,
			      struct ptui_cell *ret)
{
	key_put_number(ret, weight_value(h, &row->item));
}

static void weight_cell(const struct ptui_hist *h, const struct hist_row *row,
			struct ptui_cell *ret)
{
	key_put_number(ret, weight_value(h, &row->item) * row->samples);
}

static void local_latency_cell(const struct ptui_hist *h, const struct hist_row *row,
			       struct ptui_cell *ret)
{
	key_put_number(ret, latency_value(h, &row->item));
}

static void latency_cell(const struct ptui_hist *h, const struct hist_row *row,
			 struct ptui_cell *ret)
{
	key_put_number(ret, latency_value(h, &row->item) * row->samples);
}

static void local_stage_cell(const struct ptui_hist *h, const struct hist_row *row,
			     struct ptui_cell *ret)
{
	key_put_number(ret, stage_value(h, &row->item));
}

static void stage_cell(const struct ptui_hist *h, const struct hist_row *row, struct ptui_cell *ret)
{
	key_put_number(ret, stage_value(h, &row->item) * row->samples);
}

void key_put_page_size(struct ptui_cell *ret, uint64_t n)
{
	static const char units[] = "BKMGT";
	size_t unit = 0;

	for (; n >= 1024 && !(n % 1024) && units[unit + 1]; unit++)
		n /= 1024;
	if (n)
		snprintf(ret->prefix, sizeof(ret->prefix), "%" PRIu64 "%c", n, units[unit]);
	else
		ret->text = "N/A";
}

static void code_page_cell(const struct ptui_hist *h, const struct hist_row *row,
			   struct ptui_cell *ret)
{
	key_put_page_size(ret, code_page_value(h, &row->item));
}

KEY_OF_EXTRA(cgroup, cgroup)
KEY_SMALLEST_FIRST(cgroup, cgroup_value)

static void cgroup_cell(const struct ptui_hist *h, const struct hist_row *row,
			struct ptui_cell *ret)
{
	const struct extra *e = key_extra(h, &row->item);

	if (e->cgroup_name != PTUI_NONE)
		key_set_name(&h->profile->names, e->cgroup_name, ret);
	else
		ret->text = e->cgroup ? "unknown" : "N/A";
}

/* ---- parallelism and latency ---- */

KEY_OF_EXTRA(running, running)
KEY_SMALLEST_FIRST(running, running_value)

static void running_cell(const struct ptui_hist *h, const struct hist_row *row,
			 struct ptui_cell *ret)
{
	ret->kind = PTUI_CELL_NUMBER;
	ret->number = running_value(h, &row->item);
}

/* The elapsed time of a class: n tasks that run at a time share it. */
double hist_class_time(const struct ptui_hist *h, const struct hist_class *c)
{
	uint64_t running = running_value(h, &c->item);

	return (double)c->period / (double)(running ? running : 1);
}

static double time_of(const struct ptui_hist *h, const struct hist_row *row)
{
	double sum = 0;

	for (uint32_t c = row->period ? row->first_self : PTUI_NONE; c != PTUI_NONE;
	     c = h->classes[c].next_self)
		sum += hist_class_time(h, &h->classes[c]);
	return sum;
}

double hist_total_time(const struct ptui_hist *h)
{
	double sum = 0;

	for (size_t i = 0; i < h->n_classes; i++)
		sum += hist_class_time(h, &h->classes[i]);
	return sum;
}

/* With callees; the nodes count each class once, and a class counts itself if none of them is above it. */
static double time_with_callees(const struct ptui_hist *h, const struct hist_row *row)
{
	const struct hist_tree *t = &h->tree;
	uint32_t number = PTUI_NONE;
	double sum = 0;

	for (uint32_t n = t->times ? row->first_node : PTUI_NONE; n != PTUI_NONE;
	     n = t->next_same[n]) {
		number = t->row[n] & ~NODE_REPEATS;
		if (!(t->row[n] & NODE_REPEATS))
			sum += t->times[n];
	}
	for (uint32_t c = row->period ? row->first_self : PTUI_NONE; c != PTUI_NONE;
	     c = h->classes[c].next_self)
		if (number == PTUI_NONE || !hist_tree_has_row(t, h->classes[c].node, number))
			sum += hist_class_time(h, &h->classes[c]);
	return sum;
}

static double share_of(const struct ptui_hist *h, double time)
{
	return h->total_time > 0 ? time / h->total_time : 0;
}

/* As a number that is large enough; sums of the same times in another order are equal. */
static uint64_t parts_of(const struct ptui_hist *h, double time)
{
	return (uint64_t)(share_of(h, time) * 1e12 + 0.5);
}

#define KEY_OF_TIME(name, time)                                                           \
	static int name##_compare(const struct ptui_hist *h, const struct hist_row *a,    \
				  const struct hist_row *b)                               \
	{                                                                                 \
		return key_compare_u64(parts_of(h, time(h, a)), parts_of(h, time(h, b))); \
	}                                                                                 \
	static int name##_order(const struct ptui_hist *h, uint64_t *ret)                 \
	{                                                                                 \
		for (size_t i = 0; i < h->n_rows; i++)                                    \
			ret[i] = ~parts_of(h, time(h, &h->rows[i]));                      \
		return 0;                                                                 \
	}                                                                                 \
	static void name##_cell(const struct ptui_hist *h, const struct hist_row *row,    \
				struct ptui_cell *ret)                                    \
	{                                                                                 \
		ret->kind = PTUI_CELL_PERCENT;                                            \
		ret->percent = 100.0 * share_of(h, time(h, row));                         \
	}

KEY_OF_TIME(elapsed, time_of)
KEY_OF_TIME(with_callees, time_with_callees)

/* ---- the table ---- */

#define EXTRA(key, head, words, data, prefix, cell_fn)                                      \
	.name = key, .title = head, .help = words, .needs = KEY_NEEDS_EXTRA, .extra = data, \
	.value = prefix##_value, .compare = prefix##_compare, .order = prefix##_order,      \
	.cell = cell_fn

const struct hist_key hist_extra_keys[] = {
	{ EXTRA("local_weight", N_("Local Weight"), N_("cost of one sample"), PTUI_EXTRA_WEIGHT,
		weight, local_weight_cell),
	  .padded = true },
	{ EXTRA("weight", N_("Weight"), N_("cost of all samples"), PTUI_EXTRA_WEIGHT, weight,
		weight_cell),
	  .padded = true, .width = 12 },
	{ EXTRA("local_ins_lat", N_("Local INSTR Latency"), N_("latency of one instruction"),
		PTUI_EXTRA_LATENCY, latency, local_latency_cell),
	  .padded = true },
	{ EXTRA("ins_lat", N_("INSTR Latency"), N_("latency of all instructions"),
		PTUI_EXTRA_LATENCY, latency, latency_cell),
	  .padded = true },
	{ EXTRA("local_p_stage_cyc", N_("Local Pipeline Stage Cycle"),
		N_("cycles of one sample in a pipeline stage"), PTUI_EXTRA_STAGE, stage,
		local_stage_cell),
	  .padded = true },
	{ EXTRA("p_stage_cyc", N_("Pipeline Stage Cycle"),
		N_("cycles of all samples in a pipeline stage"), PTUI_EXTRA_STAGE, stage,
		stage_cell),
	  .padded = true },
	{ EXTRA("local_retire_lat", N_("Local Retire Latency"),
		N_("cycles until one sample retired"), PTUI_EXTRA_STAGE, stage, local_stage_cell),
	  .padded = true },
	{ EXTRA("retire_lat", N_("Retire Latency"), N_("cycles until all samples retired"),
		PTUI_EXTRA_STAGE, stage, stage_cell),
	  .padded = true },
	{ EXTRA("code_page_size", N_("Code Page Size"), N_("size of the page of the code"),
		PTUI_EXTRA_CODE_PAGE, code_page, code_page_cell),
	  .padded = true },
	{ EXTRA("cgroup", N_("Cgroup"), N_("control group"), PTUI_EXTRA_CGROUP, cgroup,
		cgroup_cell) },
	{ EXTRA("parallelism", N_("Parallelism"), N_("how many tasks ran at the time"),
		PTUI_EXTRA_RUNNING, running, running_cell),
	  .padded = true, .number = true },
	{ .name = NULL },
};

enum {
	KEY_LATENCY,
	KEY_LATENCY_CHILDREN,
};

const struct hist_key hist_time_keys[] = {
	[KEY_LATENCY] = { .name = "latency",
			  .title = N_("Latency"),
			  .help = N_("share of the elapsed time: overhead by parallelism"),
			  .number = true,
			  .needs = KEY_NEEDS_EXTRA | KEY_NEEDS_CLASSES,
			  .width = 8,
			  .compare = elapsed_compare,
			  .order = elapsed_order,
			  .cell = elapsed_cell,
			  .extra = PTUI_EXTRA_RUNNING },
	[KEY_LATENCY_CHILDREN] = { .name = "latency_children",
				   .title = N_("Latency"),
				   .help = N_("the same, including callees"),
				   .number = true,
				   .needs = KEY_NEEDS_EXTRA | KEY_NEEDS_CLASSES,
				   .width = 8,
				   .compare = with_callees_compare,
				   .order = with_callees_order,
				   .cell = with_callees_cell,
				   .extra = PTUI_EXTRA_RUNNING },
	{ .name = NULL },
};

const struct hist_key *const hist_key_latency = &hist_time_keys[KEY_LATENCY];
const struct hist_key *const hist_key_latency_children = &hist_time_keys[KEY_LATENCY_CHILDREN];
