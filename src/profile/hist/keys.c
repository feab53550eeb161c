/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/hist/keys.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "base/i18n.h"
#include "base/radix.h"
#include "base/text.h"
#include "profile/debug.h"
#include "profile/hist/hist.h"
#include "profile/hist/keys_private.h"

#define NS_PER_SEC 1000000000u
#define SIGN_BIT   (1U << 31)

static const struct facet *facet_of(const struct ptui_hist *h, const struct hist_item *item)
{
	return &h->facets.v[item->facet];
}

void key_set_name(const struct strpool *names, uint32_t id, struct ptui_cell *ret)
{
	ret->text = strpool_get(names, id);
	ret->id = id;
}

int key_order_by_name(const struct ptui_hist *h, const struct strpool *names,
		      uint32_t (*name)(const struct ptui_hist *h, const struct hist_row *row),
		      uint64_t *ret)
{
	uint32_t *ids = malloc((h->n_rows + 1) * sizeof(*ids)), *rank = NULL;

	for (size_t i = 0; ids && i < h->n_rows; i++) {
		hist_prefetch_frame(h, i);
		ids[i] = name(h, &h->rows[i]);
	}
	if (ids)
		rank = hist_rank_names(names, ids, h->n_rows);
	for (size_t i = 0; rank && i < h->n_rows; i++)
		ret[i] = ids[i] < names->n ? rank[ids[i]] : names->n;
	free(ids);
	free(rank);
	return rank ? 0 : -ENOMEM;
}

/* ---- comm ---- */

static uint64_t comm_value(const struct ptui_hist *h, const struct hist_item *item)
{
	(void)h;
	return item->comm;
}

static int comm_compare(const struct ptui_hist *h, const struct hist_row *a,
			const struct hist_row *b)
{
	return strcmp(strpool_get(&h->profile->names, b->item.comm),
		      strpool_get(&h->profile->names, a->item.comm));
}

static uint32_t row_comm(const struct ptui_hist *h, const struct hist_row *row)
{
	return row->item.comm < h->profile->names.n ? row->item.comm : 0;
}

static int comm_order(const struct ptui_hist *h, uint64_t *ret)
{
	return key_order_by_name(h, &h->profile->names, row_comm, ret);
}

static void comm_cell(const struct ptui_hist *h, const struct hist_row *row, struct ptui_cell *ret)
{
	key_set_name(&h->profile->names, row_comm(h, row), ret);
}

/* ---- comm_nodigit ---- */

static uint32_t plain_comm(const struct ptui_hist *h, const struct hist_item *item)
{
	uint32_t name = item->comm < h->profile->names.n ? h->plain_of[item->comm] : PTUI_NONE;

	return name == PTUI_NONE ? 0 : name;
}

/* The text decides: events of a group are histograms with numbers of their own. */
static uint64_t plain_value(const struct ptui_hist *h, const struct hist_item *item)
{
	const char *text = strpool_get(&h->plain, plain_comm(h, item));

	return hash_bytes(text, strlen(text));
}

static uint32_t row_plain(const struct ptui_hist *h, const struct hist_row *row)
{
	return plain_comm(h, &row->item);
}

static int plain_compare(const struct ptui_hist *h, const struct hist_row *a,
			 const struct hist_row *b)
{
	return strcmp(strpool_get(&h->plain, row_plain(h, b)),
		      strpool_get(&h->plain, row_plain(h, a)));
}

static int plain_order(const struct ptui_hist *h, uint64_t *ret)
{
	return key_order_by_name(h, &h->plain, row_plain, ret);
}

static void plain_cell(const struct ptui_hist *h, const struct hist_row *row, struct ptui_cell *ret)
{
	key_set_name(&h->plain, row_plain(h, row), ret);
}

/* ---- dso ---- */

/* With addresses, as in perf: the path. */
static uint32_t dso_name(const struct ptui_hist *h, uint32_t frame)
{
	const struct profile_frame *f = &h->profile->frames[frame];

	return h->show_addresses && f->path != PTUI_NONE ? f->path : f->short_name;
}

static uint64_t dso_value(const struct ptui_hist *h, const struct hist_item *item)
{
	return dso_name(h, item->frame);
}

int key_name_compare(const struct ptui_profile *p, uint32_t a, uint32_t b)
{
	if (a == PTUI_NONE || b == PTUI_NONE)
		return (b == PTUI_NONE) - (a == PTUI_NONE);
	return strcmp(strpool_get(&p->names, b), strpool_get(&p->names, a));
}

static int dso_compare(const struct ptui_hist *h, const struct hist_row *a,
		       const struct hist_row *b)
{
	return key_name_compare(h->profile, dso_name(h, a->item.frame), dso_name(h, b->item.frame));
}

static uint32_t row_dso(const struct ptui_hist *h, const struct hist_row *row)
{
	return dso_name(h, row->item.frame);
}

static int dso_order(const struct ptui_hist *h, uint64_t *ret)
{
	return key_order_by_name(h, &h->profile->names, row_dso, ret);
}

/* Of an unknown one: the id after those of the names. */
static uint32_t dso_id(const struct ptui_hist *h, const struct hist_row *row)
{
	uint32_t name = row_dso(h, row);

	return name == PTUI_NONE ? h->profile->names.n : name;
}

static void dso_cell(const struct ptui_hist *h, const struct hist_row *row, struct ptui_cell *ret)
{
	ret->id = dso_id(h, row);
	ret->text = ret->id < h->profile->names.n ? h->profile->names.names[ret->id] :
						    HIST_UNKNOWN_DSO;
}

/* ---- sym ---- */

static uint64_t sym_value(const struct ptui_hist *h, const struct hist_item *item)
{
	return h->profile->frames[item->frame].place;
}

static int sym_compare(const struct ptui_hist *h, const struct hist_row *a,
		       const struct hist_row *b)
{
	const struct profile_frame *fa = &h->profile->frames[a->item.frame];
	const struct profile_frame *fb = &h->profile->frames[b->item.frame];
	int cmp = key_name_compare(h->profile, fa->sym_name, fb->sym_name);

	if (!cmp && fa->sym_name == PTUI_NONE)
		cmp = key_compare_u64(fb->addr, fa->addr);
	return cmp;
}

static uint32_t row_symbol(const struct ptui_hist *h, const struct hist_row *row)
{
	return h->profile->frames[row->item.frame].sym_name;
}

int key_place_addresses(const struct ptui_hist *h, struct radix_item *v, size_t n)
{
	uint64_t place = h->profile->names.n, last = 0;
	int err = radix_sort(v, n);

	for (size_t i = 0; i < n; i++) {
		place += i && v[i].value != last;
		last = v[i].value;
		v[i].value = place;
	}
	return err;
}

/* Functions without a name by address, after those with one. */
static int order_by_address(const struct ptui_hist *h, uint64_t *ret)
{
	struct radix_item *v = malloc((h->n_rows + 1) * sizeof(*v));
	size_t n = 0;
	int err;

	if (!v)
		return -ENOMEM;
	for (size_t i = 0; i < h->n_rows; i++) {
		const struct profile_frame *f = &h->profile->frames[h->rows[i].item.frame];

		hist_prefetch_frame(h, i);
		if (f->sym_name == PTUI_NONE)
			v[n++] = (struct radix_item){ f->addr, (uint32_t)i };
	}
	err = key_place_addresses(h, v, n);
	for (size_t i = 0; i < n; i++)
		ret[v[i].index] = v[i].value;
	free(v);
	return err;
}

static int sym_order(const struct ptui_hist *h, uint64_t *ret)
{
	int err = key_order_by_name(h, &h->profile->names, row_symbol, ret);

	return err ? err : order_by_address(h, ret);
}

char *key_put_address(char *to, uint64_t addr)
{
	if (addr) {
		*to++ = '0';
		*to++ = 'x';
	}
	return text_hex16(to, addr);
}

char *key_put_place(char *to, uint64_t addr, const struct profile_frame *f)
{
	char origin = f && f->origin ? (char)f->origin : '!';

	return to + snprintf(to, KEY_PLACE_MAX, "%-#18" PRIx64 " %c ", addr, origin);
}

/* A name is that of several cells: one for each level, and with -v for each address. */
static uint32_t symbol_id(const struct ptui_hist *h, const struct profile_frame *f)
{
	static const char levels[] = { '.', 'k', 'H', 'g', 'u' };
	uint32_t names = h->profile->names.n, i = 0;

	while (i < sizeof(levels) && levels[i] != f->level)
		i++;
	if (h->show_addresses || i == sizeof(levels) || names > PTUI_NONE / sizeof(levels))
		return PTUI_NONE;
	return i * names + f->sym_name;
}

static void sym_cell(const struct ptui_hist *h, const struct hist_row *row, struct ptui_cell *ret)
{
	const struct profile_frame *f = &h->profile->frames[row->item.frame];
	char *to = ret->prefix;

	if (h->show_addresses)
		to = key_put_place(to, row->called ? f->raw_addr : f->addr, f);
	to = key_put_level(to, f->level);
	if (f->sym_name == PTUI_NONE) {
		to = key_put_address(to, f->addr);
	} else {
		ret->text = strpool_get(&h->profile->names, f->sym_name);
		ret->id = symbol_id(h, f);
	}
	*to = '\0';
}

/* Addresses have two widths, and names of all levels the same. */
static uint32_t symbol_width_class(const struct ptui_hist *h, const struct hist_row *row)
{
	const struct profile_frame *f = &h->profile->frames[row->item.frame];

	return f->sym_name == PTUI_NONE ? h->profile->names.n + !f->addr : f->sym_name;
}

/* ---- symoff: the function, and the offset of the sampled address in it ---- */

static uint64_t symoff_value(const struct ptui_hist *h, const struct hist_item *item)
{
	(void)h;
	return item->frame;
}

static int symoff_compare(const struct ptui_hist *h, const struct hist_row *a,
			  const struct hist_row *b)
{
	const struct profile_frame *fa = &h->profile->frames[a->item.frame];
	const struct profile_frame *fb = &h->profile->frames[b->item.frame];
	int cmp = sym_compare(h, a, b);

	return cmp ? cmp : key_compare_u64(fb->sym_offset, fa->sym_offset);
}

static int symoff_first(const void *a, const void *b, void *ctx)
{
	const struct ptui_hist *h = ctx;

	return -symoff_compare(h, &h->rows[*(const uint32_t *)a], &h->rows[*(const uint32_t *)b]);
}

static int symoff_order(const struct ptui_hist *h, uint64_t *ret)
{
	return key_rank_by(h, symoff_first, (void *)h, ret);
}

static void symoff_cell(const struct ptui_hist *h, const struct hist_row *row,
			struct ptui_cell *ret)
{
	const struct profile_frame *f = &h->profile->frames[row->item.frame];

	sym_cell(h, row, ret);
	ret->id = PTUI_NONE;
	if (f->sym_name != PTUI_NONE)
		snprintf(ret->suffix, sizeof(ret->suffix), "+0x%" PRIx32, f->sym_offset);
}

/* ---- pid (perf's name for: thread) and cpu ---- */

static int32_t row_tid(const struct ptui_hist *h, const struct hist_item *item)
{
	return thread_tid(&h->profile->samples.threads[item->thread]);
}

static uint64_t thread_value(const struct ptui_hist *h, const struct hist_item *item)
{
	return (uint32_t)row_tid(h, item);
}

static uint64_t thread_number(const struct ptui_hist *h, const struct hist_item *item)
{
	return thread_value(h, item) ^ SIGN_BIT;
}

KEY_SMALLEST_FIRST(thread, thread_number)

static void thread_cell(const struct ptui_hist *h, const struct hist_row *row,
			struct ptui_cell *ret)
{
	snprintf(ret->prefix, sizeof(ret->prefix), "%7d:", row_tid(h, &row->item));
	ret->text = strpool_get(&h->profile->names, h->last_comm[row->item.thread]);
}

static uint64_t cpu_value(const struct ptui_hist *h, const struct hist_item *item)
{
	return facet_of(h, item)->cpu;
}

KEY_SMALLEST_FIRST(cpu, cpu_value)

static void cpu_cell(const struct ptui_hist *h, const struct hist_row *row, struct ptui_cell *ret)
{
	/* not recorded: -001, as in perf */
	snprintf(ret->prefix, sizeof(ret->prefix), "%.3d", (int)facet_of(h, &row->item)->cpu);
}

/* ---- socket ---- */

static int32_t socket_of(const struct ptui_hist *h, const struct hist_item *item)
{
	return profile_socket(h->profile, facet_of(h, item)->cpu);
}

static uint64_t socket_value(const struct ptui_hist *h, const struct hist_item *item)
{
	return (uint32_t)socket_of(h, item);
}

static uint64_t socket_number(const struct ptui_hist *h, const struct hist_item *item)
{
	return socket_value(h, item) ^ SIGN_BIT;
}

KEY_SMALLEST_FIRST(socket, socket_number)

static void socket_cell(const struct ptui_hist *h, const struct hist_row *row,
			struct ptui_cell *ret)
{
	snprintf(ret->prefix, sizeof(ret->prefix), "%6.3d", (int)socket_of(h, &row->item));
}

/* ---- time ---- */

static uint64_t time_value(const struct ptui_hist *h, const struct hist_item *item)
{
	return facet_of(h, item)->time_ns;
}

KEY_SMALLEST_FIRST(time, time_value)

static void time_cell(const struct ptui_hist *h, const struct hist_row *row, struct ptui_cell *ret)
{
	uint64_t ns = time_value(h, &row->item), sec = ns / NS_PER_SEC;

	ns %= NS_PER_SEC;
	if (h->show_ns)
		snprintf(ret->prefix, sizeof(ret->prefix), "%" PRIu64 ".%09" PRIu64, sec, ns);
	else
		snprintf(ret->prefix, sizeof(ret->prefix), "%" PRIu64 ".%06" PRIu64, sec,
			 ns / 1000);
}

/* ---- parent ---- */

static uint64_t parent_value(const struct ptui_hist *h, const struct hist_item *item)
{
	return facet_of(h, item)->parent;
}

static uint32_t row_parent(const struct ptui_hist *h, const struct hist_row *row)
{
	return facet_of(h, &row->item)->parent;
}

static int parent_compare(const struct ptui_hist *h, const struct hist_row *a,
			  const struct hist_row *b)
{
	return key_name_compare(h->profile, row_parent(h, a), row_parent(h, b));
}

static int parent_order(const struct ptui_hist *h, uint64_t *ret)
{
	return key_order_by_name(h, &h->profile->names, row_parent, ret);
}

static void parent_cell(const struct ptui_hist *h, const struct hist_row *row,
			struct ptui_cell *ret)
{
	if (row_parent(h, row) == PTUI_NONE)
		ret->text = "[other]";
	else
		key_set_name(&h->profile->names, row_parent(h, row), ret);
}

/* ---- ipc_lbr, ipc_null ---- */

#define NO_IPC "-      -"

static void no_ipc_cell(const struct ptui_hist *h, const struct hist_row *row,
			struct ptui_cell *ret)
{
	(void)h;
	(void)row;
	ret->text = NO_IPC;
}

static void ipc_cell(const struct ptui_hist *h, const struct hist_row *row, struct ptui_cell *ret)
{
	const char *text = h->ipc ? h->ipc[row - h->rows] : "";

	ret->text = *text ? text : NO_IPC;
}

/* ---- symbol_size ---- */

static uint64_t symbol_size_value(const struct ptui_hist *h, const struct hist_item *item)
{
	return h->profile->frames[item->frame].sym_size;
}

KEY_SMALLEST_FIRST(symbol_size, symbol_size_value)

static void symbol_size_cell(const struct ptui_hist *h, const struct hist_row *row,
			     struct ptui_cell *ret)
{
	if (h->profile->frames[row->item.frame].sym_name == PTUI_NONE) {
		ret->text = "unknown";
		return;
	}
	ret->kind = PTUI_CELL_NUMBER;
	ret->number = symbol_size_value(h, &row->item);
}

/* ---- source lines, and types of data ---- */

/* A key by the whole text of a frame, or by its part. */
#define KEY_OF_TEXTS(key, texts, which)                                                      \
	static const struct profile_texts *texts_of_##key(const struct ptui_hist *h)         \
	{                                                                                    \
		return atomic_load_explicit(&h->profile->texts, memory_order_relaxed);       \
	}                                                                                    \
	static uint64_t key##_value(const struct ptui_hist *h, const struct hist_item *item) \
	{                                                                                    \
		return texts_of_##key(h)->which[item->frame];                                \
	}                                                                                    \
	static uint32_t row_##key(const struct ptui_hist *h, const struct hist_row *row)     \
	{                                                                                    \
		return (uint32_t)key##_value(h, &row->item);                                 \
	}                                                                                    \
	static int key##_compare(const struct ptui_hist *h, const struct hist_row *a,        \
				 const struct hist_row *b)                                   \
	{                                                                                    \
		return strcmp(strpool_get(&texts_of_##key(h)->names, row_##key(h, b)),       \
			      strpool_get(&texts_of_##key(h)->names, row_##key(h, a)));      \
	}                                                                                    \
	static int key##_order(const struct ptui_hist *h, uint64_t *ret)                     \
	{                                                                                    \
		return key_order_by_name(h, &texts_of_##key(h)->names, row_##key, ret);      \
	}                                                                                    \
	static void key##_cell(const struct ptui_hist *h, const struct hist_row *row,        \
			       struct ptui_cell *ret)                                        \
	{                                                                                    \
		key_set_name(&texts_of_##key(h)->names, row_##key(h, row), ret);             \
	}

KEY_OF_TEXTS(srcline, lines, whole)
KEY_OF_TEXTS(srcfile, lines, part)
KEY_OF_TEXTS(typeoff, types, whole)
KEY_OF_TEXTS(type, types, part)
KEY_OF_TEXTS(typecln, types, within)

/* ---- the table ---- */

enum {
	KEY_THREAD,
	KEY_COMM,
	KEY_COMM_NODIGIT,
	KEY_DSO,
	KEY_SYMBOL,
	KEY_SYMOFF,
	KEY_CPU,
	KEY_SRCLINE,
	KEY_SRCFILE,
	KEY_TYPE,
	KEY_TYPEOFF,
	KEY_TYPECLN,
	KEY_SOCKET,
	KEY_TIME,
	KEY_PARENT,
	KEY_SYMBOL_SIZE,
	KEY_IPC,
	KEY_IPC_NULL,
};

static const struct hist_key sample_keys[] = {
	[KEY_THREAD] = { "pid", N_("    Pid:Command"), N_("thread"), false, true, KEY_NEEDS_THREAD,
			 0, false, thread_value, thread_compare, thread_order, thread_cell },
	[KEY_COMM] = { "comm", N_("Command"), N_("command name"), false, true, 0, 0, false,
		       comm_value, comm_compare, comm_order, comm_cell, .width_class = row_comm },
	[KEY_COMM_NODIGIT] = { "comm_nodigit", N_("CommandNoDigit"),
			       N_("command name, with <N> for each number in it"), false, true,
			       KEY_NEEDS_PLAIN, 0, false, plain_value, plain_compare, plain_order,
			       plain_cell },
	[KEY_DSO] = { "dso", N_("Shared Object"), N_("program, library or kernel module"), false,
		      true, 0, 0, true, dso_value, dso_compare, dso_order, dso_cell,
		      .width_class = dso_id },
	[KEY_SYMBOL] = { "symbol", N_("Symbol"), N_("function"), false, false, 0, 0, true,
			 sym_value, sym_compare, sym_order, sym_cell,
			 .width_class = symbol_width_class },
	[KEY_SYMOFF] = { "symoff", N_("Symbol Offset"), N_("function and offset in it"), false,
			 false, KEY_NEEDS_ADDRESS, 0, true, symoff_value, symoff_compare,
			 symoff_order, symoff_cell },
	[KEY_CPU] = { "cpu", N_("CPU"), N_("CPU number"), false, false, KEY_NEEDS_CPU, 3, false,
		      cpu_value, cpu_compare, cpu_order, cpu_cell },
	[KEY_SRCLINE] = { "srcline", N_("Source:Line"), N_("source file and line"), false, false,
			  KEY_NEEDS_LINES | KEY_NEEDS_ADDRESS, 0, true, srcline_value,
			  srcline_compare, srcline_order, srcline_cell },
	[KEY_SRCFILE] = { "srcfile", N_("Source File"), N_("source file"), false, false,
			  KEY_NEEDS_LINES | KEY_NEEDS_ADDRESS, 0, true, srcfile_value,
			  srcfile_compare, srcfile_order, srcfile_cell },
	[KEY_TYPE] = { "type", N_("Data Type"), N_("type of the data that is accessed"), false,
		       true, KEY_NEEDS_TYPES | KEY_NEEDS_ADDRESS, 0, true, type_value, type_compare,
		       type_order, type_cell },
	[KEY_TYPEOFF] = { "typeoff", N_("Data Type Offset"),
			  N_("member of the data that is accessed"), false, true,
			  KEY_NEEDS_TYPES | KEY_NEEDS_ADDRESS, 0, true, typeoff_value,
			  typeoff_compare, typeoff_order, typeoff_cell },
	[KEY_TYPECLN] = { "typecln", N_("Data Type Cacheline"),
			  N_("cache line of the data that is accessed, counted from its start"),
			  false, true, KEY_NEEDS_TYPES | KEY_NEEDS_ADDRESS, 0, true, typecln_value,
			  typecln_compare, typecln_order, typecln_cell },
	[KEY_SOCKET] = { "socket", N_("Socket"), N_("processor socket"), false, false,
			 KEY_NEEDS_CPU, 6, false, socket_value, socket_compare, socket_order,
			 socket_cell },
	[KEY_TIME] = { "time", N_("Time"), N_("interval of time"), false, false, KEY_NEEDS_TIME, 0,
		       false, time_value, time_compare, time_order, time_cell },
	[KEY_PARENT] = { "parent", N_("Parent symbol"), N_("caller that matches a pattern"), false,
			 true, KEY_NEEDS_PARENT, 0, false, parent_value, parent_compare,
			 parent_order, parent_cell },
	[KEY_SYMBOL_SIZE] = { "symbol_size", N_("Symbol size"), N_("size of the function in bytes"),
			      true, true, 0, 0, true, symbol_size_value, symbol_size_compare,
			      symbol_size_order, symbol_size_cell },
	[KEY_IPC] = { "ipc_lbr", N_("IPC   [IPC Coverage]"),
		      N_("instructions per cycle of the function, from branch stacks"), false, true,
		      KEY_NEEDS_CYCLES, 0, true, sym_value, sym_compare, sym_order, ipc_cell },
	[KEY_IPC_NULL] = { "ipc_null", N_("IPC   [IPC Coverage]"),
			   N_("an empty column, for perf's scripts"), false, true, 0, 0, true,
			   sym_value, sym_compare, sym_order, no_ipc_cell },
	{ .name = NULL },
};

const struct hist_key *const hist_key_comm = &sample_keys[KEY_COMM];
const struct hist_key *const hist_key_dso = &sample_keys[KEY_DSO];
const struct hist_key *const hist_key_symbol = &sample_keys[KEY_SYMBOL];
const struct hist_key *const hist_key_thread = &sample_keys[KEY_THREAD];
const struct hist_key *const hist_key_time = &sample_keys[KEY_TIME];

int hist_key_print(const struct hist_key *key, const struct ptui_hist *h,
		   const struct hist_row *row, char *buf, size_t size)
{
	struct ptui_cell cell;
	char number[TEXT_NUMBER_BYTES];

	hist_key_cell(key, h, row, &cell);
	switch (cell.kind) {
	case PTUI_CELL_PERCENT:
		return snprintf(buf, size, "%.2f%%", cell.percent);
	case PTUI_CELL_NUMBER:
		text_decimal(number, cell.number);
		return snprintf(buf, size, "%s", number);
	case PTUI_CELL_TEXT:
		break;
	}
	return snprintf(buf, size, "%s%s%s", cell.prefix, cell.text, cell.suffix);
}

const struct hist_key *hist_key_at(size_t i)
{
	static const struct hist_key *const tables[] = { hist_overhead_keys, sample_keys,
							 hist_extra_keys,    hist_time_keys,
							 hist_branch_keys,   hist_memory_keys,
							 hist_trace_keys };

	for (size_t t = 0; t < sizeof(tables) / sizeof(tables[0]); t++)
		for (const struct hist_key *key = tables[t]; key->name; key++)
			if (!i--)
				return key;
	return NULL;
}

/*
 * As in perf, a prefix of a key's name is enough ("sym"), keys that identify rows come before keys
 * that measure ("s" is symbol, not sample), and a full name comes first.
 */
const struct hist_key *hist_key_find(const char *name, size_t len)
{
	const struct hist_key *key;

	for (size_t i = 0; (key = hist_key_at(i)); i++)
		if (strlen(key->name) == len && !strncasecmp(name, key->name, len))
			return key;
	for (size_t groups = 2; groups-- > 0;)
		for (size_t i = 0; (key = hist_key_at(i)); i++)
			if (!!groups == (key->value != NULL) && !strncasecmp(name, key->name, len))
				return key;
	return NULL;
}
