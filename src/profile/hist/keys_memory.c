/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sort keys of memory accesses, and other numbers that only some samples have. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "base/text.h"
#include "profile/hist/data_src.h"
#include "profile/hist/keys_private.h"

#define NOWHERE_COLUMNS	  22 /* "[.] 0x…", as perf has it */
#define OFFSET_COLUMNS	  18 /* "+0x…", as perf has it */
#define DATA_SRC_TEXT_MAX 62 /* longer texts, of impossible values, are cut; as in perf */
#define PTUI_CACHE_LINE	  64u
#define SIGN_BIT \
	((uint64_t)1 << 63) /* addresses of the kernel are smaller than all others, as in perf */

/* ---- data_src ---- */

static void put_data_src(const struct ptui_hist *h, const struct hist_row *row,
			 enum data_src_part part, struct ptui_cell *ret)
{
	struct buf text = BUF_INIT;

	data_src_add(&text, part, key_extra(h, &row->item)->data_src);
	snprintf(ret->prefix, sizeof(ret->prefix), "%.*s", DATA_SRC_TEXT_MAX, buf_str(&text));
	buf_release(&text);
}

#define KEY_OF_DATA_SRC(name, part)                                                           \
	static uint64_t name##_value(const struct ptui_hist *h, const struct hist_item *item) \
	{                                                                                     \
		return data_src_bits(part, key_extra(h, item)->data_src);                     \
	}                                                                                     \
	static void name##_cell(const struct ptui_hist *h, const struct hist_row *row,        \
				struct ptui_cell *ret)                                        \
	{                                                                                     \
		put_data_src(h, row, part, ret);                                              \
	}                                                                                     \
	KEY_SMALLEST_FIRST(name, name##_value)

KEY_OF_DATA_SRC(mem, DATA_SRC_LEVEL)
KEY_OF_DATA_SRC(snoop, DATA_SRC_SNOOP)
KEY_OF_DATA_SRC(tlb, DATA_SRC_TLB)
KEY_OF_DATA_SRC(locked, DATA_SRC_LOCK)
KEY_OF_DATA_SRC(blocked, DATA_SRC_BLOCK)

/* ---- the address of the data ---- */

static const struct profile_frame *data_frame(const struct ptui_hist *h,
					      const struct hist_item *item)
{
	uint32_t frame = key_extra(h, item)->data_frame;

	return frame == PTUI_NONE ? NULL : &h->profile->frames[frame];
}

/* An address in data: the symbol and the offset in it, or the address. */
static void put_data(const struct ptui_hist *h, const struct profile_frame *f, char level,
		     uint64_t addr, uint64_t offset, struct ptui_cell *ret)
{
	char *to = ret->prefix;

	if (h->show_addresses)
		to = key_put_place(to, addr, f);
	to = key_put_level(to, level);
	if (f && f->sym_name != PTUI_NONE) {
		ret->text = strpool_get(&h->profile->names, f->sym_name);
		if (f->object)
			snprintf(ret->suffix, sizeof(ret->suffix), "+0x%" PRIx64, offset);
	} else {
		to = key_put_address(to, addr);
	}
	*to = '\0';
}

static size_t data_width(const struct ptui_hist *h, const struct profile_frame *f)
{
	if (!f || f->sym_name == PTUI_NONE)
		return NOWHERE_COLUMNS;
	return text_width(strpool_get(&h->profile->names, f->sym_name)) + 4 + OFFSET_COLUMNS;
}

KEY_OF_EXTRA(symbol_daddr, data_addr)
KEY_SMALLEST_FIRST(symbol_daddr, symbol_daddr_value)

static void symbol_daddr_cell(const struct ptui_hist *h, const struct hist_row *row,
			      struct ptui_cell *ret)
{
	const struct profile_frame *f = data_frame(h, &row->item);

	put_data(h, f, f ? f->level : 'H', key_extra(h, &row->item)->data_addr,
		 f ? f->sym_offset : 0, ret);
}

static size_t symbol_daddr_width(const struct ptui_hist *h, const struct hist_row *row)
{
	return data_width(h, data_frame(h, &row->item));
}

static uint64_t dso_daddr_value(const struct ptui_hist *h, const struct hist_item *item)
{
	const struct profile_frame *f = data_frame(h, item);

	return f ? f->short_name : PTUI_NONE;
}

static int dso_daddr_compare(const struct ptui_hist *h, const struct hist_row *a,
			     const struct hist_row *b)
{
	return key_dso_compare(h, data_frame(h, &a->item), data_frame(h, &b->item));
}

static int dso_daddr_order(const struct ptui_hist *h, uint64_t *ret)
{
	return key_dso_order(h, data_frame, ret);
}

static void dso_daddr_cell(const struct ptui_hist *h, const struct hist_row *row,
			   struct ptui_cell *ret)
{
	key_dso_cell(h, data_frame(h, &row->item), ret);
}

static size_t dso_daddr_width(const struct ptui_hist *h, const struct hist_row *row)
{
	return key_dso_width(h, data_frame(h, &row->item));
}

/*
 * A cache line of data: of a file or the kernel the line in it, whichever process maps it; of anonymous
 * memory the process, too (extra.data_pid).
 */
static uint64_t line_address(const struct ptui_hist *h, const struct hist_item *item)
{
	const struct profile_frame *f = data_frame(h, item);
	uint64_t addr = f ? f->addr : key_extra(h, item)->data_addr;

	return addr & ~(uint64_t)(PTUI_CACHE_LINE - 1);
}

static uint64_t dcacheline_value(const struct ptui_hist *h, const struct hist_item *item)
{
	uint64_t where = (uint64_t)key_extra(h, item)->data_pid << 32 | dso_daddr_value(h, item);

	return hash_pair(where, line_address(h, item));
}

static int dcacheline_compare(const struct ptui_hist *h, const struct hist_row *a,
			      const struct hist_row *b)
{
	const struct extra *ea = key_extra(h, &a->item), *eb = key_extra(h, &b->item);
	uint64_t da = dso_daddr_value(h, &a->item), db = dso_daddr_value(h, &b->item);

	if ((da == PTUI_NONE) != (db == PTUI_NONE)) /* unmapped ones come last */
		return da == PTUI_NONE ? -1 : 1;
	if (da != db)
		return -dso_daddr_compare(h, a, b);
	if (ea->data_pid != eb->data_pid)
		return key_compare_u64(eb->data_pid, ea->data_pid);
	return key_compare_u64(line_address(h, &b->item), line_address(h, &a->item));
}

static int line_order_compare(const void *a, const void *b, void *ctx)
{
	const struct ptui_hist *h = ctx;

	return -dcacheline_compare(h, &h->rows[*(const uint32_t *)a],
				   &h->rows[*(const uint32_t *)b]);
}

static int dcacheline_order(const struct ptui_hist *h, uint64_t *ret)
{
	return key_rank_by(h, line_order_compare, (void *)h, ret);
}

static void dcacheline_cell(const struct ptui_hist *h, const struct hist_row *row,
			    struct ptui_cell *ret)
{
	const struct profile_frame *f = data_frame(h, &row->item);
	uint64_t addr = line_address(h, &row->item);
	char level = !f || f->short_name == PTUI_NONE	   ? 'X' :
		     key_extra(h, &row->item)->data_shared ? 's' :
							     f->level;

	/* the line may begin before the symbol */
	put_data(h, f, level, addr, f ? addr - frame_sym_start(f) : 0, ret);
}

static size_t dcacheline_width(const struct ptui_hist *h, const struct hist_row *row)
{
	const struct profile_frame *f = data_frame(h, &row->item);

	return data_width(h, f) + (f && f->sym_name != PTUI_NONE);
}

/* ---- other numbers ---- */

KEY_OF_EXTRA(phys_daddr, phys_addr)
KEY_SMALLEST_FIRST(phys_daddr, phys_daddr_value)

static void phys_daddr_cell(const struct ptui_hist *h, const struct hist_row *row,
			    struct ptui_cell *ret)
{
	char *to = ret->prefix;

	to = key_put_level(to, h->profile->frames[row->item.frame].level);
	*key_put_address(to, phys_daddr_value(h, &row->item)) = '\0';
}

KEY_OF_EXTRA(data_page, data_page)
KEY_SMALLEST_FIRST(data_page, data_page_value)

static void data_page_cell(const struct ptui_hist *h, const struct hist_row *row,
			   struct ptui_cell *ret)
{
	key_put_page_size(ret, data_page_value(h, &row->item));
}

/* With rows of callers: by the address in the DSO, since callers are of any process. */
static uint64_t addr_value(const struct ptui_hist *h, const struct hist_item *item)
{
	(void)h;
	return item->frame;
}

static uint64_t addr_number(const struct ptui_hist *h, const struct hist_item *item)
{
	return h->profile->frames[item->frame].addr ^ SIGN_BIT;
}

KEY_SMALLEST_FIRST(addr, addr_number)

/* The virtual address of the first sample of a row; of callers that of any process. */
static void addr_cell(const struct ptui_hist *h, const struct hist_row *row, struct ptui_cell *ret)
{
	const struct extra *e = key_extra(h, &row->item);
	bool own = e->ip_frame == row->item.frame;

	snprintf(ret->prefix, sizeof(ret->prefix), "%#" PRIx64,
		 own ? e->ip : h->profile->frames[row->item.frame].raw_addr);
}

/* Without them: by the address in the process, as in perf. */
KEY_OF_EXTRA(own_addr, ip)

static uint64_t own_addr_number(const struct ptui_hist *h, const struct hist_item *item)
{
	return own_addr_value(h, item) ^ SIGN_BIT;
}

KEY_SMALLEST_FIRST(own_addr, own_addr_number)

KEY_OF_EXTRA(dso_size, map_bytes)
KEY_SMALLEST_FIRST(dso_size, dso_size_value)

static void dso_size_cell(const struct ptui_hist *h, const struct hist_row *row,
			  struct ptui_cell *ret)
{
	if (!dso_size_value(h, &row->item)) {
		ret->text = "unknown";
		return;
	}
	ret->kind = PTUI_CELL_NUMBER;
	ret->number = dso_size_value(h, &row->item);
}

/* Of the namespace of control groups that the thread is in: device and inode. */
static uint64_t cgroup_id_value(const struct ptui_hist *h, const struct hist_item *item)
{
	const struct extra *e = key_extra(h, item);

	return hash_pair(e->cgroup_dev, e->cgroup_inode);
}

static int cgroup_id_compare(const struct ptui_hist *h, const struct hist_row *a,
			     const struct hist_row *b)
{
	const struct extra *ea = key_extra(h, &a->item), *eb = key_extra(h, &b->item);
	int cmp = key_compare_u64(ea->cgroup_dev, eb->cgroup_dev);

	return cmp ? cmp : key_compare_u64(ea->cgroup_inode, eb->cgroup_inode);
}

static int cgroup_order_compare(const void *a, const void *b, void *ctx)
{
	const struct ptui_hist *h = ctx;

	return -cgroup_id_compare(h, &h->rows[*(const uint32_t *)a],
				  &h->rows[*(const uint32_t *)b]);
}

static int cgroup_id_order(const struct ptui_hist *h, uint64_t *ret)
{
	return key_rank_by(h, cgroup_order_compare, (void *)h, ret);
}

static void cgroup_id_cell(const struct ptui_hist *h, const struct hist_row *row,
			   struct ptui_cell *ret)
{
	const struct extra *e = key_extra(h, &row->item);

	snprintf(ret->prefix, sizeof(ret->prefix), "%" PRIu64 "/0x%" PRIx64, e->cgroup_dev,
		 e->cgroup_inode);
}

/* ---- transactions ---- */

KEY_OF_EXTRA(transaction, transaction)
KEY_LARGEST_FIRST(transaction, transaction_value)

/* "TX SYNC CON :5": flags, and the code of an abort */
static void transaction_cell(const struct ptui_hist *h, const struct hist_row *row,
			     struct ptui_cell *ret)
{
	static const char *const names[] = { "EL ",    "TX ",  "SYNC ",	     "ASYNC ",
					     "RETRY ", "CON ", "CAP-WRITE ", "CAP-READ " };
	uint64_t v = transaction_value(h, &row->item);
	char *to = ret->prefix;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (v >> i & 1)
			to = stpcpy(to, names[i]);
	if (v && !(v & 0xc))
		to = stpcpy(to, "NEITHER ");
	if (v >> 32)
		snprintf(to, 12, ":%" PRIx64, v >> 32);
}

/* ---- the table ---- */

#define MEMORY(key, head, words, data, is_padded, prefix)                                         \
	.name = key, .title = head, .help = words, .padded = is_padded, .needs = KEY_NEEDS_EXTRA, \
	.value = prefix##_value, .compare = prefix##_compare, .order = prefix##_order,            \
	.cell = prefix##_cell, .extra = data

#define ADDR(fn)                                                                              \
	.name = "addr", .title = N_("Address"), .help = N_("address of the instruction"),     \
	.padded = true, .needs = KEY_NEEDS_ADDRESS | KEY_NEEDS_EXTRA, .extra = PTUI_EXTRA_IP, \
	.width = 18, .value = fn##_value, .compare = fn##_compare, .order = fn##_order,       \
	.cell = addr_cell

const struct hist_key hist_key_own_addr = { ADDR(own_addr) };

const struct hist_key hist_memory_keys[] = {
	{ MEMORY("symbol_daddr", N_("Data Symbol"), N_("symbol of the data"), PTUI_EXTRA_DATA_ADDR,
		 false, symbol_daddr),
	  .cell_width = symbol_daddr_width },
	{ MEMORY("dso_daddr", N_("Data Object"), N_("DSO of the data"), PTUI_EXTRA_DATA_ADDR, true,
		 dso_daddr),
	  .cell_width = dso_daddr_width },
	{ MEMORY("locked", N_("Locked"), N_("whether the access was locked"), PTUI_EXTRA_DATA_SRC,
		 false, locked),
	  .width = 6 },
	{ MEMORY("tlb", N_("TLB access"), N_("which TLB had the address"), PTUI_EXTRA_DATA_SRC,
		 true, tlb),
	  .width = 22 },
	{ MEMORY("mem", N_("Memory access"), N_("which cache or memory had the data"),
		 PTUI_EXTRA_DATA_SRC, true, mem),
	  .width = 24 },
	{ MEMORY("snoop", N_("Snoop"), N_("what other caches had of the data"), PTUI_EXTRA_DATA_SRC,
		 true, snoop),
	  .width = 12 },
	{ MEMORY("dcacheline", N_("Data Cacheline"), N_("cache line of the data"),
		 PTUI_EXTRA_DATA_ADDR, false, dcacheline),
	  .cell_width = dcacheline_width },
	{ MEMORY("phys_daddr", N_("Data Physical Address"), N_("physical address of the data"),
		 PTUI_EXTRA_PHYS_ADDR, true, phys_daddr),
	  .width = 22 },
	{ MEMORY("data_page_size", N_("Data Page Size"), N_("size of the page of the data"),
		 PTUI_EXTRA_DATA_PAGE, true, data_page),
	  .width = 22 },
	{ MEMORY("blocked", N_("Blocked"), N_("why the access was blocked"), PTUI_EXTRA_DATA_SRC,
		 false, blocked),
	  .width = 10 },
	{ MEMORY("transaction", "Transaction                ",
		 N_("flags of the transaction and its abort"), PTUI_EXTRA_TRANSACTION, true,
		 transaction),
	  .width = 32 },
	{ MEMORY("dso_size", N_("DSO size"), N_("size of the map of the DSO"), PTUI_EXTRA_MAP, true,
		 dso_size),
	  .number = true },
	{ MEMORY("cgroup_id", N_("cgroup id (dev/inode)"), N_("namespace of control groups"),
		 PTUI_EXTRA_NAMESPACE, false, cgroup_id),
	  .width = 20 },
	{ ADDR(addr), .of_frame = true },
	{ .name = NULL },
};
