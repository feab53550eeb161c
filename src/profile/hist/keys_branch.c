/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sort keys of branches. In a profile of branches a row of the sample table is an entry of a branch
 * stack: its frame is the target, its source and flags are in struct extra.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "base/text.h"
#include "profile/debug.h"
#include "profile/hist/keys_private.h"

#define NOWHERE_COLUMNS	  22 /* "[H] 0x…", as perf has it */
#define UNKNOWN_DSO_WIDTH 16

int key_rank_by(const struct ptui_hist *h, int (*compare)(const void *a, const void *b, void *ctx),
		void *ctx, uint64_t *ret)
{
	uint32_t *rows = malloc((h->n_rows + 1) * sizeof(*rows));
	uint64_t place = 0;

	if (!rows)
		return -ENOMEM;
	for (size_t i = 0; i < h->n_rows; i++)
		rows[i] = (uint32_t)i;
	qsort_r(rows, h->n_rows, sizeof(*rows), compare, ctx);
	for (size_t i = 0; i < h->n_rows; i++) {
		place += i && compare(&rows[i - 1], &rows[i], ctx);
		ret[rows[i]] = place;
	}
	free(rows);
	return 0;
}

/* ---- what branches and data accesses have in common ---- */

static const char *dso_name(const struct ptui_hist *h, const struct profile_frame *f)
{
	return f && f->short_name != PTUI_NONE ? strpool_get(&h->profile->names, f->short_name) :
						 NULL;
}

int key_dso_compare(const struct ptui_hist *h, const struct profile_frame *a,
		    const struct profile_frame *b)
{
	const char *na = dso_name(h, a), *nb = dso_name(h, b);

	if (!na || !nb)
		return !na == !nb ? 0 : na ? -1 : 1;
	return strcmp(na, nb);
}

int key_dso_order(const struct ptui_hist *h, key_frame_fn frame, uint64_t *ret)
{
	uint32_t *ids = malloc((h->n_rows + 1) * sizeof(*ids)), *rank = NULL;

	for (size_t i = 0; ids && i < h->n_rows; i++) {
		const struct profile_frame *f = frame(h, &h->rows[i].item);

		ids[i] = f ? f->short_name : PTUI_NONE;
	}
	if (ids)
		rank = hist_rank_names(&h->profile->names, ids, h->n_rows);
	for (size_t i = 0; rank && i < h->n_rows; i++)
		ret[i] = ids[i] == PTUI_NONE ? 0 : PTUI_NONE - rank[ids[i]];
	free(ids);
	free(rank);
	return rank ? 0 : -ENOMEM;
}

void key_dso_cell(const struct ptui_hist *h, const struct profile_frame *f, struct ptui_cell *ret)
{
	if (dso_name(h, f))
		key_set_name(&h->profile->names, f->short_name, ret);
	else
		ret->text = HIST_UNKNOWN_DSO;
}

size_t key_dso_width(const struct ptui_hist *h, const struct profile_frame *f)
{
	const char *name = dso_name(h, f);
	size_t width = name ? text_width(name) : 0;

	return f && f->sym_name != PTUI_NONE ? width :
	       width > UNKNOWN_DSO_WIDTH     ? width :
					       UNKNOWN_DSO_WIDTH;
}

/* ---- both ends of a branch ---- */

static const struct profile_frame *from_frame(const struct ptui_hist *h,
					      const struct hist_item *item)
{
	uint32_t frame = key_extra(h, item)->from_frame;

	return frame == PTUI_NONE ? NULL : &h->profile->frames[frame];
}

static const struct profile_frame *to_frame(const struct ptui_hist *h, const struct hist_item *item)
{
	return &h->profile->frames[item->frame];
}

static int symbol_compare(const struct profile_frame *a, const struct profile_frame *b)
{
	bool known_a = a && a->sym_name != PTUI_NONE, known_b = b && b->sym_name != PTUI_NONE;

	if (!a || !b)
		return (a != NULL) - (b != NULL);
	if (known_a != known_b)
		return known_a ? 1 : -1;
	return known_a ? key_address_compare(frame_sym_start(b), frame_sym_start(a)) :
			 key_address_compare(b->raw_addr, a->raw_addr);
}

static int addr_compare(const struct ptui_hist *h, const struct profile_frame *a,
			const struct profile_frame *b)
{
	int cmp = key_dso_compare(h, a, b);

	return cmp || !a || !b ? cmp : key_address_compare(b->raw_addr, a->raw_addr);
}

/* An order of rows by their frames, as compare() has it. */
struct frame_order {
	const struct ptui_hist *h;
	key_frame_fn frame;
	bool by_address;
};

static int frame_order_compare(const void *a, const void *b, void *ctx)
{
	const struct frame_order *o = ctx;
	const struct hist_item *ia = &o->h->rows[*(const uint32_t *)a].item;
	const struct hist_item *ib = &o->h->rows[*(const uint32_t *)b].item;
	const struct profile_frame *fa = o->frame(o->h, ia), *fb = o->frame(o->h, ib);

	return o->by_address ? -addr_compare(o->h, fa, fb) : -symbol_compare(fa, fb);
}

static int order_by_frame(const struct ptui_hist *h, key_frame_fn frame, bool by_address,
			  uint64_t *ret)
{
	struct frame_order o = { h, frame, by_address };

	return key_rank_by(h, frame_order_compare, &o, ret);
}

char *key_put_level(char *to, char level)
{
	*to++ = '[';
	*to++ = level;
	*to++ = ']';
	*to++ = ' ';
	return to;
}

/* The symbol, with its offset if `by_address`. */
static void end_cell(const struct ptui_hist *h, const struct profile_frame *f, bool by_address,
		     struct ptui_cell *ret)
{
	char *to = ret->prefix;

	if (!f) {
		ret->text = "N/A";
		return;
	}
	if (h->show_addresses)
		to = key_put_place(to, f->addr, f);
	/* perf does not know the mode: what is not mapped has no level */
	to = key_put_level(to, f->short_name == PTUI_NONE ? 'H' : f->level);
	if (f->sym_name == PTUI_NONE)
		to = key_put_address(to, f->addr);
	else
		ret->text = strpool_get(&h->profile->names, f->sym_name);
	*to = '\0';
	if (by_address && f->sym_name != PTUI_NONE && f->sym_offset)
		snprintf(ret->suffix, sizeof(ret->suffix), "+0x%" PRIx32, f->sym_offset);
}

static size_t end_width(const struct ptui_hist *h, const struct profile_frame *f)
{
	if (!f || f->sym_name == PTUI_NONE)
		return NOWHERE_COLUMNS;
	return text_width(strpool_get(&h->profile->names, f->sym_name)) + 4;
}

/* The functions of a key for either end. */
#define KEYS_OF_END(end)                                                                           \
	static uint64_t dso_##end##_value(const struct ptui_hist *h, const struct hist_item *item) \
	{                                                                                          \
		const struct profile_frame *f = end##_frame(h, item);                              \
		return f ? f->short_name : PTUI_NONE;                                              \
	}                                                                                          \
	static int dso_##end##_compare(const struct ptui_hist *h, const struct hist_row *a,        \
				       const struct hist_row *b)                                   \
	{                                                                                          \
		return key_dso_compare(h, end##_frame(h, &a->item), end##_frame(h, &b->item));     \
	}                                                                                          \
	static int dso_##end##_order(const struct ptui_hist *h, uint64_t *ret)                     \
	{                                                                                          \
		return key_dso_order(h, end##_frame, ret);                                         \
	}                                                                                          \
	static void dso_##end##_cell(const struct ptui_hist *h, const struct hist_row *row,        \
				     struct ptui_cell *ret)                                        \
	{                                                                                          \
		key_dso_cell(h, end##_frame(h, &row->item), ret);                                  \
	}                                                                                          \
	static size_t dso_##end##_width(const struct ptui_hist *h, const struct hist_row *row)     \
	{                                                                                          \
		return key_dso_width(h, end##_frame(h, &row->item));                               \
	}                                                                                          \
	static uint64_t symbol_##end##_value(const struct ptui_hist *h,                            \
					     const struct hist_item *item)                         \
	{                                                                                          \
		const struct profile_frame *f = end##_frame(h, item);                              \
		return f ? f->place : PTUI_NONE;                                                   \
	}                                                                                          \
	static int symbol_##end##_compare(const struct ptui_hist *h, const struct hist_row *a,     \
					  const struct hist_row *b)                                \
	{                                                                                          \
		return symbol_compare(end##_frame(h, &a->item), end##_frame(h, &b->item));         \
	}                                                                                          \
	static int symbol_##end##_order(const struct ptui_hist *h, uint64_t *ret)                  \
	{                                                                                          \
		return order_by_frame(h, end##_frame, false, ret);                                 \
	}                                                                                          \
	static void symbol_##end##_cell(const struct ptui_hist *h, const struct hist_row *row,     \
					struct ptui_cell *ret)                                     \
	{                                                                                          \
		end_cell(h, end##_frame(h, &row->item), false, ret);                               \
	}                                                                                          \
	static size_t end_##end##_width(const struct ptui_hist *h, const struct hist_row *row)     \
	{                                                                                          \
		return end_width(h, end##_frame(h, &row->item));                                   \
	}                                                                                          \
	static uint64_t addr_##end##_value(const struct ptui_hist *h,                              \
					   const struct hist_item *item)                           \
	{                                                                                          \
		const struct profile_frame *f = end##_frame(h, item);                              \
		return f ? (uint64_t)(f - h->profile->frames) : PTUI_NONE;                         \
	}                                                                                          \
	static int addr_##end##_compare(const struct ptui_hist *h, const struct hist_row *a,       \
					const struct hist_row *b)                                  \
	{                                                                                          \
		return addr_compare(h, end##_frame(h, &a->item), end##_frame(h, &b->item));        \
	}                                                                                          \
	static int addr_##end##_order(const struct ptui_hist *h, uint64_t *ret)                    \
	{                                                                                          \
		return order_by_frame(h, end##_frame, true, ret);                                  \
	}                                                                                          \
	static void addr_##end##_cell(const struct ptui_hist *h, const struct hist_row *row,       \
				      struct ptui_cell *ret)                                       \
	{                                                                                          \
		end_cell(h, end##_frame(h, &row->item), true, ret);                                \
	}                                                                                          \
	static uint32_t row_srcline_##end(const struct ptui_hist *h, const struct hist_row *row)   \
	{                                                                                          \
		const struct profile_frame *f = end##_frame(h, &row->item);                        \
		return f ? lines_of(h)->whole[f - h->profile->frames] : PTUI_NONE;                 \
	}                                                                                          \
	static uint64_t srcline_##end##_value(const struct ptui_hist *h,                           \
					      const struct hist_item *item)                        \
	{                                                                                          \
		const struct profile_frame *f = end##_frame(h, item);                              \
		return f ? lines_of(h)->whole[f - h->profile->frames] : PTUI_NONE;                 \
	}                                                                                          \
	static int srcline_##end##_compare(const struct ptui_hist *h, const struct hist_row *a,    \
					   const struct hist_row *b)                               \
	{                                                                                          \
		return line_compare(h, row_srcline_##end(h, a), row_srcline_##end(h, b));          \
	}                                                                                          \
	static int srcline_##end##_order(const struct ptui_hist *h, uint64_t *ret)                 \
	{                                                                                          \
		return key_order_by_name(h, &lines_of(h)->names, row_srcline_##end, ret);          \
	}                                                                                          \
	static void srcline_##end##_cell(const struct ptui_hist *h, const struct hist_row *row,    \
					 struct ptui_cell *ret)                                    \
	{                                                                                          \
		uint32_t line = row_srcline_##end(h, row);                                         \
		if (line != PTUI_NONE)                                                             \
			key_set_name(&lines_of(h)->names, line, ret);                              \
	}

static const struct profile_texts *lines_of(const struct ptui_hist *h)
{
	return atomic_load_explicit(&h->profile->lines, memory_order_relaxed);
}

static int line_compare(const struct ptui_hist *h, uint32_t a, uint32_t b)
{
	const struct strpool *names = &lines_of(h)->names;

	if (a == PTUI_NONE || b == PTUI_NONE)
		return (b == PTUI_NONE) - (a == PTUI_NONE);
	return strcmp(strpool_get(names, b), strpool_get(names, a));
}

KEYS_OF_END(from)
KEYS_OF_END(to)

/* ---- flags ---- */

static uint32_t row_flags(const struct ptui_hist *h, const struct hist_item *item)
{
	return key_extra(h, item)->branch;
}

static uint64_t cycles_value(const struct ptui_hist *h, const struct hist_item *item)
{
	return extra_cycles(row_flags(h, item));
}

KEY_LARGEST_FIRST(cycles, cycles_value)

static void cycles_cell(const struct ptui_hist *h, const struct hist_row *row,
			struct ptui_cell *ret)
{
	uint64_t cycles = cycles_value(h, &row->item);

	if (cycles)
		key_put_number(ret, cycles);
	else
		ret->text = "-";
}

/* N, Y and N/A, in this order. perf's comparison of these has none. */
static uint64_t mispredict_value(const struct ptui_hist *h, const struct hist_item *item)
{
	uint32_t flags = row_flags(h, item);

	return flags & EXTRA_BRANCH_PREDICTED ? 0 : flags & EXTRA_BRANCH_MISPREDICTED ? 1 : 2;
}

static uint64_t in_tx_value(const struct ptui_hist *h, const struct hist_item *item)
{
	return row_flags(h, item) & EXTRA_BRANCH_IN_TX ? 0 : 1;
}

static uint64_t abort_value(const struct ptui_hist *h, const struct hist_item *item)
{
	return row_flags(h, item) & EXTRA_BRANCH_ABORT ? 0 : 1;
}

#define KEY_OF_FLAG(name, ...)                                                                   \
	KEY_SMALLEST_FIRST(name, name##_value)                                                   \
	static void name##_cell(const struct ptui_hist *h, const struct hist_row *row,           \
				struct ptui_cell *ret)                                           \
	{                                                                                        \
		ret->text = ((const char *const[]){ __VA_ARGS__ })[name##_value(h, &row->item)]; \
	}

KEY_OF_FLAG(mispredict, "N", "Y", "N/A")
KEY_OF_FLAG(in_tx, "T", ".")
KEY_OF_FLAG(abort, "A", ".")

/* ---- the table ---- */

#define BRANCH(key, head, words, key_needs, is_padded, frame_key, prefix)                       \
	.name = key, .title = head, .help = words, .padded = is_padded,                         \
	.needs = KEY_NEEDS_EXTRA | (key_needs), .of_frame = frame_key, .value = prefix##_value, \
	.compare = prefix##_compare, .order = prefix##_order, .cell = prefix##_cell,            \
	.extra = PTUI_EXTRA_BRANCH

const struct hist_key hist_branch_keys[] = {
	{ BRANCH("dso_from", N_("Source Shared Object"), N_("DSO of the branch"), 0, true, false,
		 dso_from),
	  .cell_width = dso_from_width },
	{ BRANCH("dso_to", N_("Target Shared Object"), N_("DSO of the branch's target"), 0, true,
		 true, dso_to),
	  .cell_width = dso_to_width },
	{ BRANCH("symbol_from", N_("Source Symbol"), N_("function of the branch"), 0, false, false,
		 symbol_from),
	  .cell_width = end_from_width },
	{ BRANCH("symbol_to", N_("Target Symbol"), N_("function of the branch's target"), 0, false,
		 true, symbol_to),
	  .cell_width = end_to_width },
	{ BRANCH("mispredict", N_("Branch Mispredicted"),
		 N_("whether the branch was mispredicted: Y or N"), 0, true, false, mispredict) },
	{ BRANCH("abort", N_("Transaction abort"), N_("whether the branch aborted a transaction"),
		 0, true, false, abort) },
	{ BRANCH("in_tx", N_("Branch in transaction"),
		 N_("whether the branch was in a transaction"), 0, true, false, in_tx) },
	{ BRANCH("cycles", N_("Basic Block Cycles"), N_("cycles since the branch before"), 0, true,
		 false, cycles) },
	{ BRANCH("srcline_from", N_("From Source:Line"), N_("source line of the branch"),
		 KEY_NEEDS_LINES | KEY_NEEDS_ADDRESS, true, false, srcline_from) },
	{ BRANCH("srcline_to", N_("To Source:Line"), N_("source line of the branch's target"),
		 KEY_NEEDS_LINES | KEY_NEEDS_ADDRESS, true, true, srcline_to) },
	{ BRANCH("addr_from", N_("Source Address"), N_("address of the branch"), KEY_NEEDS_ADDRESS,
		 false, false, addr_from) },
	{ BRANCH("addr_to", N_("Target Address"), N_("address of the branch's target"),
		 KEY_NEEDS_ADDRESS, false, true, addr_to) },
	{ .name = NULL },
};
