/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sorted table, and the choice among several symbols at one address. */
#include "symbol/symtab.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/radix.h"
#include "base/vec.h"
#include "symbol/builder.h"

#define PAGE 4096u

struct symtab *symtab_new(void)
{
	struct symtab *t = calloc(1, sizeof(*t));

	if (t)
		arena_init(&t->names);
	return t;
}

void symtab_free(struct symtab *t)
{
	if (!t)
		return;
	arena_release(&t->names);
	kallsyms_unref(t->names_of);
	free(t->v);
	free(t->max_end);
	free(t);
}

int symtab_push(struct symtab *t, const struct symtab_entry *e)
{
	if (vec_grow(&t->v, &t->cap, t->n + 1) < 0)
		return -ENOMEM;
	t->v[t->n++] = *e;
	return 0;
}

int symtab_add(struct symtab *t, const struct symtab_entry *e, const char *name, size_t name_len)
{
	struct symtab_entry named = *e;

	named.name = arena_memdup0(&t->names, name, name_len);
	return named.name ? symtab_push(t, &named) : -ENOMEM;
}

static bool is_sorted(const struct symtab *t)
{
	for (size_t i = 1; i < t->n; i++)
		if (t->v[i].start < t->v[i - 1].start)
			return false;
	return true;
}

int symtab_sort(struct symtab *t)
{
	struct radix_item *order;
	struct symtab_entry *to;
	int ret;

	if (is_sorted(t))
		return 0;
	order = malloc(t->n * sizeof(*order));
	to = malloc(t->cap * sizeof(*to));
	for (size_t i = 0; order && i < t->n; i++)
		order[i] = (struct radix_item){ t->v[i].start, (uint32_t)i };
	ret = order && to && t->n < PTUI_NONE ? radix_sort(order, t->n) : -ENOMEM;
	for (size_t i = 0; !ret && i < t->n; i++)
		to[i] = t->v[order[i].index];
	if (!ret) {
		free(t->v);
		t->v = to;
		to = NULL;
	}
	free(order);
	free(to);
	return ret;
}

static uint64_t end_of_next_page(uint64_t addr)
{
	uint64_t up = (addr + PAGE - 1) & ~(uint64_t)(PAGE - 1);

	return up < addr || up + PAGE < up ? UINT64_MAX : up + PAGE;
}

void symtab_fix_ends(struct symtab *t)
{
	for (size_t i = 0; i + 1 < t->n; i++)
		if (t->v[i].end == t->v[i].start)
			t->v[i].end = t->v[i + 1].start;
	if (t->n && t->v[t->n - 1].end == t->v[t->n - 1].start)
		t->v[t->n - 1].end = end_of_next_page(t->v[t->n - 1].start);
}

static size_t leading_underscores(const char *name)
{
	return strspn(name, "_");
}

/* -1: a, 1: b, 0: equally good. */
static int better_name(const char *a, const char *b)
{
	size_t n_a = leading_underscores(a), n_b = leading_underscores(b);

	if (n_a != n_b)
		return n_a < n_b ? -1 : 1;
	n_a = strlen(a);
	n_b = strlen(b);
	if (n_a != n_b)
		return n_a > n_b ? -1 : 1;
	/* names of system calls before Linux 4.17 */
	return !strncmp(a, "SyS", 3) || !strncmp(a, "compat_SyS", 10) ? 1 : 0;
}

static int better_shown_name(const struct symtab *t, const struct symtab_entry *a,
			     const struct symtab_entry *b)
{
	char *name_a, *name_b;
	int ret;

	if (!t->demangled_ties)
		return better_name(a->name, b->name);
	name_a = symbol_demangle(a->name);
	name_b = symbol_demangle(b->name);
	ret = better_name(name_a ? name_a : a->name, name_b ? name_b : b->name);
	free(name_a);
	free(name_b);
	return ret;
}

/* Of two with the same start: true if b is to be kept. */
static bool is_better(const struct symtab *t, const struct symtab_entry *a,
		      const struct symtab_entry *b)
{
	bool sized_a = a->end > a->start, sized_b = b->end > b->start;

	if (sized_a != sized_b)
		return sized_b;
	if (a->type != b->type && (a->type == STT_NOTYPE || b->type == STT_NOTYPE))
		return a->type == STT_NOTYPE;
	if ((a->binding == STB_WEAK) != (b->binding == STB_WEAK))
		return a->binding == STB_WEAK;
	if ((a->binding == STB_GLOBAL) != (b->binding == STB_GLOBAL))
		return b->binding == STB_GLOBAL;
	return better_shown_name(t, a, b) > 0;
}

void symtab_drop_aliases(struct symtab *t)
{
	size_t kept = 0;

	for (size_t i = 0; i < t->n; i++) {
		if (!kept || t->v[kept - 1].start != t->v[i].start)
			t->v[kept++] = t->v[i];
		else if (is_better(t, &t->v[kept - 1], &t->v[i]))
			t->v[kept - 1] = t->v[i];
	}
	t->n = kept;
}

int symtab_finish(struct symtab *t)
{
	uint64_t max = 0;
	bool ascend = true;

	if (symtab_sort(t) < 0)
		return -ENOMEM;
	free(t->max_end);
	t->max_end = NULL;
	for (size_t i = 1; i < t->n && ascend; i++)
		ascend = t->v[i - 1].end <= t->v[i].end;
	if (ascend)
		return 0;
	t->max_end = calloc(t->n + 1, sizeof(*t->max_end));
	if (!t->max_end)
		return -ENOMEM;
	for (size_t i = 0; i < t->n; i++) {
		if (t->v[i].end > max)
			max = t->v[i].end;
		t->max_end[i] = max;
	}
	return 0;
}

/* The largest end of the entries up to number i. */
static uint64_t max_end(const struct symtab *t, size_t i)
{
	return t->max_end ? t->max_end[i] : t->v[i].end;
}

bool symtab_overlaps(const struct symtab *t, size_t n, uint64_t start, uint64_t end)
{
	size_t i = bisect(at, n, t->v[at].start < end);

	return i && (t->v[i - 1].start >= start || max_end(t, i - 1) > start);
}

int symtab_finish_code(struct symtab *t)
{
	size_t kept = 0;

	if (symtab_sort(t) < 0)
		return -ENOMEM;
	for (size_t i = 0; i < t->n; i++) {
		if (kept && t->v[kept - 1].start == t->v[i].start)
			kept--;
		t->v[kept++] = t->v[i];
	}
	t->n = kept;
	return symtab_finish(t);
}

size_t symtab_n(const struct symtab *t)
{
	return t->n;
}

const struct symtab_entry *symtab_at(const struct symtab *t, size_t i)
{
	return &t->v[i];
}

/*
 * If several entries contain the offset, returns the one that starts last, the innermost. An entry
 * without size contains its start.
 */
const struct symtab_entry *symtab_find(const struct symtab *t, uint64_t off)
{
	size_t i = bisect(at, t->n, t->v[at].start <= off);

	while (i-- > 0) {
		const struct symtab_entry *e = &t->v[i];

		if (off < e->end || (e->start == off && e->end == off))
			return e;
		if (max_end(t, i) <= off)
			break;
	}
	return NULL;
}

bool symtab_span(const struct symtab *t, uint64_t off, uint64_t *ret_from, uint64_t *ret_to)
{
	size_t i = bisect(at, t->n, t->v[at].start <= off);
	uint64_t from = 0;

	*ret_to = i < t->n ? t->v[i].start : UINT64_MAX;
	while (i-- > 0) {
		const struct symtab_entry *e = &t->v[i];
		/* an entry without a size is found by its start only */
		uint64_t after = e->end > e->start ? e->end : e->start + 1;

		if (off < e->end) {
			*ret_to = *ret_to < e->end ? *ret_to : e->end;
			from = from > e->start ? from : e->start;
			break;
		}
		if (max_end(t, i) <= off && after <= max_end(t, i))
			after = max_end(t, i) + 1;
		from = from > after ? from : after;
		if (max_end(t, i) <= off)
			break;
	}
	*ret_from = from;
	return from <= off;
}

size_t symtab_bytes(const struct symtab *t)
{
	size_t entry = sizeof(*t->v) + (t && t->max_end ? sizeof(*t->max_end) : 0);

	return t ? t->n * entry + t->names.bytes : 0;
}

struct symtab *symtab_from_entries(const struct symtab_entry *v, size_t n)
{
	struct symtab *t = symtab_new();
	int ret = t ? 0 : -ENOMEM;

	for (size_t i = 0; i < n && !ret; i++)
		ret = symtab_add(t, &v[i], v[i].name, strlen(v[i].name));
	if (!ret)
		ret = symtab_sort(t);
	if (!ret) {
		symtab_fix_ends(t);
		symtab_drop_aliases(t);
		ret = symtab_finish(t);
	}
	if (!ret)
		return t;
	symtab_free(t);
	return NULL;
}
