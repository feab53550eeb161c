/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of sort keys (keys*.c) share. */
#ifndef PROFILE_KEYS_PRIVATE_H
#define PROFILE_KEYS_PRIVATE_H

#include "base/radix.h"
#include "profile/hist/hist.h"

/* Tables of keys, which end with a row without name. */
extern const struct hist_key hist_overhead_keys[], hist_extra_keys[], hist_time_keys[],
	hist_branch_keys[], hist_memory_keys[], hist_trace_keys[];

static inline int key_compare_u64(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

/* What only some samples have, of a row. */
static inline const struct extra *key_extra(const struct ptui_hist *h, const struct hist_item *item)
{
	return &h->extras.v[h->facets.v[item->facet].extra];
}

/* value() of a key by a member of what only some samples have. */
#define KEY_OF_EXTRA(name, member)                                                            \
	static uint64_t name##_value(const struct ptui_hist *h, const struct hist_item *item) \
	{                                                                                     \
		return key_extra(h, item)->member;                                            \
	}

/* compare() and order() of a key by a number that an item has. */
#define KEY_BY_NUMBER(name, number, compared, ordered)                                 \
	static int name##_compare(const struct ptui_hist *h, const struct hist_row *a, \
				  const struct hist_row *b)                            \
	{                                                                              \
		uint64_t na = number(h, &a->item), nb = number(h, &b->item);           \
                                                                                       \
		return compared;                                                       \
	}                                                                              \
	static int name##_order(const struct ptui_hist *h, uint64_t *ret)              \
	{                                                                              \
		for (size_t i = 0; i < h->n_rows; i++)                                 \
			ret[i] = ordered number(h, &h->rows[i].item);                  \
		return 0;                                                              \
	}
#define KEY_SMALLEST_FIRST(name, number) KEY_BY_NUMBER(name, number, key_compare_u64(nb, na), )
#define KEY_LARGEST_FIRST(name, number)	 KEY_BY_NUMBER(name, number, key_compare_u64(na, nb), ~)

/* The order of rows by a name; those without one (PTUI_NONE) come last, as names->n. 0 or -ENOMEM. */
int key_order_by_name(const struct ptui_hist *h, const struct strpool *names,
		      uint32_t (*name)(const struct ptui_hist *h, const struct hist_row *row),
		      uint64_t *ret);
/*
 * Sorts addresses, and makes each its place among them, after the names: what frames without a name are ordered by.
 * 0 or -ENOMEM.
 */
int key_place_addresses(const struct ptui_hist *h, struct radix_item *v, size_t n);
/* Names alphabetically; rows without a name come last. */
int key_name_compare(const struct ptui_profile *p, uint32_t a, uint32_t b);
void key_set_name(const struct strpool *names, uint32_t id, struct ptui_cell *ret);
void key_put_number(struct ptui_cell *ret, uint64_t n);
/* 4K, 2M, 1G; 0: N/A */
void key_put_page_size(struct ptui_cell *ret, uint64_t n);
/* Addresses of the kernel are smaller than all others, as in perf. */
static inline int key_address_compare(uint64_t a, uint64_t b)
{
	return (int64_t)a < (int64_t)b ? -1 : (int64_t)a > (int64_t)b;
}

/* "[k] " and, as "%#.16x" of printf(), an address. They return the end. */
char *key_put_level(char *to, char level);
char *key_put_address(char *to, uint64_t addr);
/* With -v: "0xffffffff81000000 k ", an address and where the symbols of its frame, which may be NULL, are from. */
#define KEY_PLACE_MAX 32
char *key_put_place(char *to, uint64_t addr, const struct profile_frame *f);

/* ---- keys by the frame of a branch or of data (keys_branch.c) ---- */

/* The frame that a key of a row looks at; NULL: it has none. */
typedef const struct profile_frame *(*key_frame_fn)(const struct ptui_hist *h,
						    const struct hist_item *item);

/* DSOs in reverse alphabetical order, unknown ones first, as in perf. */
int key_dso_compare(const struct ptui_hist *h, const struct profile_frame *a,
		    const struct profile_frame *b);
int key_dso_order(const struct ptui_hist *h, key_frame_fn frame, uint64_t *ret);
void key_dso_cell(const struct ptui_hist *h, const struct profile_frame *f, struct ptui_cell *ret);
/* At least 16 columns if the DSO is unknown, as in perf. */
size_t key_dso_width(const struct ptui_hist *h, const struct profile_frame *f);

/*
 * Places of rows in the order of a comparison for qsort_r() of two indexes (uint32_t) of rows: 0 is the first, equal
 * rows have equal places. 0 or -ENOMEM.
 */
int key_rank_by(const struct ptui_hist *h, int (*compare)(const void *a, const void *b, void *ctx),
		void *ctx, uint64_t *ret);

#endif
