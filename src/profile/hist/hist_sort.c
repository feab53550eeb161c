/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The order of the rows.
 *
 * Each key has a value for each row (hist_key.order), so rows are sorted by numbers: by the last key
 * first, then stably by the one before, and so on.
 *
 * The key overhead_children is no order: of two rows of equal weight, those of one thread are
 * compared by the depth of their chains, and those of different threads are not, so the next keys
 * decide. What comes out depends on which rows are compared. It is what a merge sort of all rows in
 * the order of their creation finds, which sort_tied() does for the rows of one weight.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/radix.h"
#include "base/thread.h"
#include "profile/hist/hist.h"

#define HOTTEST	    1000 /* rows that are sorted by name if equal; the rest, and larger ties, are not */
#define MANY_TIED   (1u << 17) /* rows of one weight that are worth another thread */
#define MOVED_AHEAD 8

/* ---- names ---- */

struct named {
	uint64_t start; /* its first bytes, the first one highest */
	const char *text;
	uint32_t id;
};

static int named_order(const void *va, const void *vb)
{
	const struct named *a = va, *b = vb;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->start & 0xff ? strcmp(a->text + sizeof(a->start), b->text + sizeof(b->start)) : 0;
}

static uint64_t name_start(const char *text)
{
	uint64_t start = 0;

	for (size_t i = 0; i < sizeof(start); i++) {
		start = start << 8 | (unsigned char)*text;
		text += *text != '\0';
	}
	return start;
}

uint32_t *hist_rank_names(const struct strpool *names, const uint32_t *used, size_t n)
{
	uint32_t *rank = calloc((size_t)names->n + 1, sizeof(*rank));
	struct named *v = NULL;
	uint32_t place = 0;
	size_t n_used = 0;

	for (size_t i = 0; rank && i < n; i++) {
		if (used[i] >= names->n || rank[used[i]])
			continue;
		rank[used[i]] = 1;
		n_used++;
	}
	if (rank)
		v = malloc((n_used + 1) * sizeof(*v));
	if (!v) {
		free(rank);
		return NULL;
	}
	n_used = 0;
	for (uint32_t id = 0; id < names->n; id++)
		if (rank[id])
			v[n_used++] = (struct named){ name_start(strpool_get(names, id)),
						      strpool_get(names, id), id };
	if (n_used)
		qsort(v, n_used, sizeof(*v), named_order);
	for (size_t i = 0; i < n_used; i++) {
		place += i && named_order(&v[i - 1], &v[i]);
		rank[v[i].id] = place;
	}
	free(v);
	return rank;
}

/* ---- rows of one weight ---- */

struct tied {
	uint32_t created; /* place in the order of creation */
	uint32_t thread;
	uint32_t depth; /* the smaller one comes first */
	uint32_t rest;	/* place by the keys that follow */
};

static uint64_t tied_value(const struct tied *a, const struct tied *other)
{
	uint32_t depth = a->thread == other->thread ? a->depth : 0;

	return (uint64_t)depth << 32 | a->rest;
}

static size_t tied_before(const struct tied *v, size_t n, uint32_t created)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (v[mid].created < created)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static void merge_tied(struct tied *v, size_t n_left, size_t n, struct tied *scratch)
{
	size_t l = 0, r = n_left, to = 0;

	memcpy(scratch, v, n_left * sizeof(*v));
	while (l < n_left && r < n) {
		bool left = tied_value(&scratch[l], &v[r]) <= tied_value(&v[r], &scratch[l]);

		v[to++] = left ? scratch[l] : v[r];
		l += left;
		r += !left;
	}
	memcpy(v + to, scratch + l, (n_left - l) * sizeof(*v));
}

/* Merge sort of all rows from `first` to `end` of which only these n, by creation, matter. */
static void sort_tied(struct tied *v, size_t n, uint32_t first, uint32_t end, struct tied *scratch)
{
	uint32_t mid = first + (end - first) / 2;
	size_t n_left = tied_before(v, n, mid);

	if (n_left > 1)
		sort_tied(v, n_left, first, mid, scratch);
	if (n - n_left > 1)
		sort_tied(v + n_left, n - n_left, mid, end, scratch);
	if (n_left && n_left < n)
		merge_tied(v, n_left, n, scratch);
}

/* The halves of very many rows, in two threads. */
struct tied_halves {
	struct tied *v, *scratch;
	size_t n, n_left;
	uint32_t mid, end;
};

static void sort_half(void *ctx, size_t right)
{
	const struct tied_halves *t = ctx;
	size_t from = right ? t->n_left : 0;

	sort_tied(t->v + from, right ? t->n - t->n_left : t->n_left, right ? t->mid : 0,
		  right ? t->end : t->mid, t->scratch + from);
}

/* Of all rows, of which there are `end`. */
static void sort_all_tied(struct tied *v, size_t n, uint32_t end, struct tied *scratch)
{
	struct tied_halves t = { v, scratch, n, tied_before(v, n, end / 2), end / 2, end };

	if (n < MANY_TIED) {
		sort_tied(v, n, 0, end, scratch);
		return;
	}
	thread_each(2, sort_half, &t);
	merge_tied(v, t.n_left, n, scratch);
}

/* ---- rows ---- */

struct sorter {
	struct ptui_hist *h;
	struct radix_item *v; /* rows, with the values of keys by which they are not sorted yet */
	unsigned bits;	      /* of these */
	uint64_t *values;     /* of a key, by row */
	const uint32_t *created; /* rows in the order of creation; NULL: as they are */
	uint32_t *place;	 /* by row: its place in the order of creation */
	const uint32_t *rest;	 /* see hist_creation */
};

static int sort_by_bits(struct sorter *s)
{
	int ret = s->bits ? radix_sort(s->v, s->h->n_rows) : 0;

	for (size_t i = 0; i < s->h->n_rows; i++)
		s->v[i].value = 0;
	s->bits = 0;
	return ret;
}

/* To sort by the values of a key, stably: later, together with those of keys before it, as far as they fit. */
static int add_values(struct sorter *s)
{
	uint64_t min = UINT64_MAX, max = 0;
	unsigned width;
	int ret = 0;

	for (size_t i = 0; i < s->h->n_rows; i++) {
		min = s->values[i] < min ? s->values[i] : min;
		max = s->values[i] > max ? s->values[i] : max;
	}
	if (max <= min)
		return 0;
	width = 64 - (unsigned)__builtin_clzll(max - min);
	if (s->bits + width > 64)
		ret = sort_by_bits(s);
	for (size_t i = 0; i < s->h->n_rows; i++)
		s->v[i].value |= (s->values[s->v[i].index] - min) << s->bits;
	s->bits += width;
	return ret;
}

/*
 * Of a group, a key that measures is a key for each event: the leader's, then the others'. With
 * sort_by, that event's comes first and the leader's is none, as in perf.
 */
static int sort_by_group(struct sorter *s, const struct hist_key *key)
{
	const struct hist_group *g = &s->h->group;
	size_t first = g->sort_by <= g->n ? g->sort_by : 0;
	int ret = 0;

	for (size_t i = g->n + 1; i-- > 0 && !ret;) {
		size_t event = i ? i : first;

		if (i && i == first)
			continue;
		ret = hist_group_order(s->h, key, event, s->values);
		if (!ret)
			ret = add_values(s);
	}
	return ret;
}

/* Sorts by the keys from `first` to before `end` of the plan, stably. */
static int sort_by_keys(struct sorter *s, size_t first, size_t end)
{
	int ret = 0;

	while (end-- > first && !ret) {
		const struct hist_key *key = s->h->plan.sort[end];

		if (s->h->group.n && !key->value && key != hist_key_children) {
			ret = sort_by_group(s, key);
			continue;
		}
		ret = key->order(s->h, s->values);
		if (!ret)
			ret = add_values(s);
	}
	return ret ? ret : sort_by_bits(s);
}

static bool is_tied(const struct ptui_hist *h, uint32_t a, uint32_t b, size_t n_keys)
{
	if (h->rows[a].period_children != h->rows[b].period_children)
		return false;
	for (size_t i = 0; i < n_keys; i++)
		if (h->plan.sort[i]->compare(h, &h->rows[a], &h->rows[b]))
			return false;
	return true;
}

/* Sorts the n rows of one weight from `first` on, which are in the order of their creation. */
static void sort_group(struct sorter *s, size_t first, size_t n, struct tied *v)
{
	struct ptui_hist *h = s->h;

	for (size_t i = 0; i < n; i++) {
		uint32_t row = s->v[first + i].index;
		const struct hist_row *r = &h->rows[row];

		v[i] = (struct tied){ s->place[row], r->item.thread,
				      h->order == PTUI_CALLER ? ~r->max_depth : r->max_depth,
				      s->rest[row] };
	}
	sort_all_tied(v, n, (uint32_t)h->n_rows, v + n);
	for (size_t i = 0; i < n; i++)
		s->v[first + i].index = s->created ? s->created[v[i].created] : v[i].created;
}

static void start_order(struct sorter *s)
{
	for (size_t i = 0; i < s->h->n_rows; i++)
		s->v[i] = (struct radix_item){ 0, s->created ? s->created[i] : (uint32_t)i };
}

static int sorter_init(struct sorter *s, struct ptui_hist *h, const uint32_t *created)
{
	*s = (struct sorter){ .h = h, .created = created };
	s->v = malloc((h->n_rows + 1) * sizeof(*s->v));
	s->values = malloc((h->n_rows + 1) * sizeof(*s->values));
	if (!s->v || !s->values)
		return -ENOMEM;
	start_order(s);
	return 0;
}

/* The key number `children` of the plan is overhead_children. */
static int sort_by_children(struct sorter *s, size_t children)
{
	struct ptui_hist *h = s->h;
	size_t n = h->n_rows;
	struct tied *tied;
	int ret = sort_by_keys(s, 0, children + 1);

	free(s->values); /* what follows needs more memory than that */
	s->values = NULL;
	tied = malloc((2 * n + 1) * sizeof(*tied));
	s->place = malloc((n + 1) * sizeof(*s->place));
	if (!tied || !s->place)
		ret = -ENOMEM;
	for (size_t i = 0; i < n && !ret; i++)
		s->place[s->created ? s->created[i] : i] = (uint32_t)i;
	for (size_t first = 0, end; first < n && !ret; first = end) {
		for (end = first + 1; end < n; end++)
			if (!is_tied(h, s->v[first].index, s->v[end].index, children))
				break;
		if (end - first > 1)
			sort_group(s, first, end - first, tied);
	}
	free(s->place);
	free(tied);
	return ret;
}

/* The number of overhead_children in the plan; n_sort: it is none of the keys, or rows of one weight do not differ by it. */
static size_t children_key(const struct ptui_hist *h)
{
	size_t i = 0;

	while (i < h->plan.n_sort && h->plan.sort[i] != hist_key_children)
		i++;
	return h->children && h->chains ? i : h->plan.n_sort;
}

bool hist_needs_rest(const struct ptui_hist *h)
{
	return children_key(h) < h->plan.n_sort;
}

uint32_t *hist_find_rest(struct ptui_hist *h, const uint32_t *created)
{
	size_t children = children_key(h);
	uint32_t *rest = malloc((h->n_rows + 1) * sizeof(*rest));
	struct sorter s;
	int ret = sorter_init(&s, h, created);

	if (!ret && rest)
		ret = sort_by_keys(&s, children + 1, h->plan.n_sort);
	for (size_t i = 0; i < h->n_rows && rest && !ret; i++)
		rest[s.v[i].index] = (uint32_t)i;
	free(s.v);
	free(s.values);
	if (!ret)
		return rest;
	free(rest);
	return NULL;
}

static int sort_by_period(struct sorter *s)
{
	for (size_t i = 0; i < s->h->n_rows; i++)
		s->v[i].value = ~s->h->rows[s->v[i].index].period;
	return radix_sort(s->v, s->h->n_rows);
}

static int row_order(const void *a, const void *b, void *ctx)
{
	const struct ptui_hist *h = ctx;

	for (size_t i = 0; i < h->plan.n_sort; i++) {
		int cmp = h->plan.sort[i]->compare(h, a, b);

		if (cmp)
			return -cmp;
	}
	return 0;
}

/*
 * Only the hottest rows are sorted by all keys. The many others, with tiny periods, stay in the
 * order in which they were found.
 */
static void sort_hottest(struct ptui_hist *h)
{
	size_t first = 0, end;

	for (; first < h->n_rows && first < HOTTEST; first = end) {
		end = first + 1;
		while (end < h->n_rows && h->rows[end].period == h->rows[first].period)
			end++;
		if (end - first > 1 && end - first <= HOTTEST)
			qsort_r(h->rows + first, end - first, sizeof(*h->rows), row_order, h);
	}
}

static bool is_by_heat(const struct ptui_hist *h, bool rows_only)
{
	return rows_only && h->n_rows > HOTTEST && !h->group.n &&
	       h->plan.sort[0] == hist_key_overhead;
}

uint32_t *hist_find_order(struct ptui_hist *h, const struct hist_creation *made, bool rows_only)
{
	size_t children = children_key(h);
	uint32_t *rest = NULL, *order = NULL;
	struct sorter s;
	int ret = sorter_init(&s, h, made->rows);

	s.rest = made->rest;
	if (!ret && is_by_heat(h, rows_only)) {
		ret = sort_by_period(&s);
	} else if (!ret && children < h->plan.n_sort) {
		if (!s.rest)
			s.rest = rest = hist_find_rest(h, made->rows);
		ret = s.rest ? sort_by_children(&s, children) : -ENOMEM;
	} else if (!ret) {
		ret = sort_by_keys(&s, 0, h->plan.n_sort);
	}
	free(rest);
	free(s.values);
	if (!ret)
		order = malloc((h->n_rows + 1) * sizeof(*order));
	for (size_t i = 0; i < h->n_rows && order; i++)
		order[i] = s.v[i].index;
	free(s.v);
	return order;
}

/*
 * In place, cycle by cycle: a copy would be a tenth of all memory. Each place is looked up some steps before its
 * row is needed.
 */
static void move_rows(struct hist_row *rows, uint32_t *order, size_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		struct hist_row row;
		uint32_t to = i, from, ahead = i;

		if (order[i] == i)
			continue;
		for (int k = 0; k < MOVED_AHEAD; k++)
			ahead = order[ahead];
		row = rows[i];
		while ((from = order[to]) != i) {
			rows[to] = rows[from];
			ahead = order[ahead];
			__builtin_prefetch(&rows[ahead]);
			order[to] = to;
			to = from;
		}
		rows[to] = row;
		order[to] = to;
	}
}

void hist_sort_rows(struct ptui_hist *h, uint32_t *order, bool rows_only)
{
	move_rows(h->rows, order, h->n_rows);
	if (is_by_heat(h, rows_only))
		sort_hottest(h);
}
