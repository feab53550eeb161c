/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hardware cache events (PERF_TYPE_HW_CACHE): every cache, operation and result that make
 * sense together.
 *
 *   L1-dcache - load - misses	 config = cache | operation << 8 | result << 16
 *   l1d       - read - miss	 the same by other spellings
 *   L1-dcache - loads		 no result: accesses
 *   L1-dcache			 no operation: loads
 */
#include <errno.h>
#include <string.h>
#include "base/i18n.h"
#include "event/source/source.h"

#define SPELLINGS 5
#define NOT_FOUND -1

/* The first spelling is the one that names are listed by. */
struct words {
	const char *spelling[SPELLINGS];
};

static const struct words caches[PERF_COUNT_HW_CACHE_MAX] = {
	[PERF_COUNT_HW_CACHE_L1D] = { { "L1-dcache", "l1-d", "l1d", "L1-data" } },
	[PERF_COUNT_HW_CACHE_L1I] = { { "L1-icache", "l1-i", "l1i", "L1-instruction" } },
	[PERF_COUNT_HW_CACHE_LL] = { { "LLC", "L2" } },
	[PERF_COUNT_HW_CACHE_DTLB] = { { "dTLB", "d-tlb", "Data-TLB" } },
	[PERF_COUNT_HW_CACHE_ITLB] = { { "iTLB", "i-tlb", "Instruction-TLB" } },
	[PERF_COUNT_HW_CACHE_BPU] = { { "branch", "branches", "bpu", "btb", "bpc" } },
	[PERF_COUNT_HW_CACHE_NODE] = { { "node" } },
};

/* One of them is a load, several are loads: names with a result have the first spelling. */
static const struct words operations[PERF_COUNT_HW_CACHE_OP_MAX] = {
	[PERF_COUNT_HW_CACHE_OP_READ] = { { "load", "loads", "read" } },
	[PERF_COUNT_HW_CACHE_OP_WRITE] = { { "store", "stores", "write" } },
	[PERF_COUNT_HW_CACHE_OP_PREFETCH] = { { "prefetch", "prefetches", "speculative-read",
						"speculative-load" } },
};

static const struct words results[PERF_COUNT_HW_CACHE_RESULT_MAX] = {
	[PERF_COUNT_HW_CACHE_RESULT_ACCESS] = { { "refs", "Reference", "ops", "access" } },
	[PERF_COUNT_HW_CACHE_RESULT_MISS] = { { "misses", "miss" } },
};

#define READ	 (1 << PERF_COUNT_HW_CACHE_OP_READ)
#define WRITE	 (1 << PERF_COUNT_HW_CACHE_OP_WRITE)
#define PREFETCH (1 << PERF_COUNT_HW_CACHE_OP_PREFETCH)

/* Operations of each cache; instruction caches have no stores. */
static const unsigned char has_operation[PERF_COUNT_HW_CACHE_MAX] = {
	[PERF_COUNT_HW_CACHE_L1D] = READ | WRITE | PREFETCH,
	[PERF_COUNT_HW_CACHE_L1I] = READ | PREFETCH,
	[PERF_COUNT_HW_CACHE_LL] = READ | WRITE | PREFETCH,
	[PERF_COUNT_HW_CACHE_DTLB] = READ | WRITE | PREFETCH,
	[PERF_COUNT_HW_CACHE_ITLB] = READ,
	[PERF_COUNT_HW_CACHE_BPU] = READ,
	[PERF_COUNT_HW_CACHE_NODE] = READ | WRITE | PREFETCH,
};

static uint64_t config_of(unsigned int cache, unsigned int op, unsigned int result)
{
	return cache | (uint64_t)op << 8 | (uint64_t)result << 16;
}

static const char *describe(unsigned int op, unsigned int result)
{
	static const char
		*const text[PERF_COUNT_HW_CACHE_OP_MAX][PERF_COUNT_HW_CACHE_RESULT_MAX] = {
			{ N_("loads"), N_("loads that missed") },
			{ N_("stores"), N_("stores that missed") },
			{ N_("prefetches"), N_("prefetches that missed") },
		};

	return _(text[op][result]);
}

static int add(struct catalog *cat, struct catalog_rows *rows, unsigned int cache, unsigned int op,
	       unsigned int result)
{
	struct catalog_entry *entry = catalog_rows_add(rows);

	if (!entry)
		return -ENOMEM;
	if (result == PERF_COUNT_HW_CACHE_RESULT_MISS)
		entry->name = arena_printf(&cat->text, "%s-%s-%s", caches[cache].spelling[0],
					   operations[op].spelling[0], results[result].spelling[0]);
	else
		entry->name = arena_printf(&cat->text, "%s-%s", caches[cache].spelling[0],
					   operations[op].spelling[1]);
	if (!entry->name)
		return -ENOMEM;
	entry->desc = describe(op, result);
	entry->kind = EVENT_CACHE;
	entry->type = PERF_TYPE_HW_CACHE;
	entry->config = config_of(cache, op, result);
	return 0;
}

static int load(struct catalog *cat, struct catalog_rows *rows, struct ptui_error *err)
{
	for (unsigned int cache = 0; cache < PERF_COUNT_HW_CACHE_MAX; cache++) {
		for (unsigned int op = 0; op < PERF_COUNT_HW_CACHE_OP_MAX; op++) {
			if (!(has_operation[cache] & 1 << op))
				continue;
			for (unsigned int r = 0; r < PERF_COUNT_HW_CACHE_RESULT_MAX; r++) {
				if (add(cat, rows, cache, op, r))
					return ptui_error_nomem(err);
			}
		}
	}
	catalog_rows_sort(rows);
	return 0;
}

/*
 * Index of the longest spelling at *at that ends there or before a '-'; moves *at past it and the
 * '-'. NOT_FOUND: *at is unchanged.
 */
static int parse_word(const char **at, const char *end, const struct words *table, size_t n)
{
	size_t left = (size_t)(end - *at), best_len = 0;
	int best = NOT_FOUND;

	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < SPELLINGS && table[i].spelling[k]; k++) {
			const char *word = table[i].spelling[k];
			size_t len = strlen(word);

			if (len > left || len <= best_len || memcmp(word, *at, len) ||
			    (len < left && (*at)[len] != '-'))
				continue;
			best = (int)i;
			best_len = len;
		}
	}
	*at += best_len;
	if (best != NOT_FOUND && end - *at > 1)
		(*at)++;
	return best;
}

/* CACHE[-OPERATION][-RESULT], operation and result in any order, as in perf. */
static const struct catalog_entry *find(const struct catalog_rows *rows, const char *name,
					size_t len)
{
	const char *at = name, *end = name + len;
	int cache = parse_word(&at, end, caches, PERF_COUNT_HW_CACHE_MAX);
	int op = NOT_FOUND, result = NOT_FOUND;
	uint64_t config;

	if (cache == NOT_FOUND)
		return NULL;
	while (at < end) {
		int word = NOT_FOUND;

		if (op == NOT_FOUND) {
			word = parse_word(&at, end, operations, PERF_COUNT_HW_CACHE_OP_MAX);
			op = word;
		}
		if (word == NOT_FOUND && result == NOT_FOUND) {
			word = parse_word(&at, end, results, PERF_COUNT_HW_CACHE_RESULT_MAX);
			result = word;
		}
		if (word == NOT_FOUND)
			return NULL;
	}
	config = config_of((unsigned int)cache, op == NOT_FOUND ? 0 : (unsigned int)op,
			   result == NOT_FOUND ? 0 : (unsigned int)result);
	for (size_t i = 0; i < rows->n; i++) {
		if (rows->v[i].config == config)
			return &rows->v[i];
	}
	return NULL; /* a cache without that operation */
}

const struct catalog_source source_cache = {
	.kind = EVENT_CACHE,
	.heading = N_("Hardware cache event"),
	.legacy = true,
	.load = load,
	.find = find,
};
