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

/*
 * A row as a number, by the parts of which rows are compared:
 *
 *	[ thread | depth: the smaller one comes first | rest: place by the keys that follow ]
 *
 * Rows of one thread are in the order of these numbers, others in that of `rest`, which no two rows have in common.
 */
struct tied {
	uint64_t *v, *scratch;
	const uint32_t
		*created; /* by place before sorting: that of its row in the order of creation */
	unsigned thread_shift;
	uint64_t rest_mask;
};

/* The rows of v[] from `from` to before `to`. */
struct tied_range {
	size_t from, to;
};

static size_t tied_before(const struct tied *t, struct tied_range of, uint32_t created)
{
	size_t low = of.from, high = of.to;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (t->created[mid] < created)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static inline bool tied_in_order(const struct tied *t, uint64_t a, uint64_t b)
{
	uint64_t mask = (a ^ b) >> t->thread_shift ? t->rest_mask : UINT64_MAX;

	return (a & mask) <= (b & mask);
}

static void merge_tied(const struct tied *t, struct tied_range of, size_t mid)
{
	const uint64_t *left = t->scratch + of.from, *left_end = t->scratch + mid;
	const uint64_t *right = t->v + mid, *right_end = t->v + of.to;
	uint64_t *to = t->v + of.from;

	memcpy(t->scratch + of.from, to, (mid - of.from) * sizeof(*to));
	while (left < left_end && right < right_end) {
		uint64_t a = *left, b = *right;
		bool is_left = tied_in_order(t, a, b);

		*to++ = is_left ? a : b;
		left += is_left;
		right += !is_left;
	}
	memcpy(to, left, (size_t)(left_end - left) * sizeof(*to));
}

/* Merge sort of all rows created from `first` to before `end`, of which only some matter. */
static void sort_tied(const struct tied *t, struct tied_range of, uint32_t first, uint32_t end)
{
	uint32_t mid = first + (end - first) / 2;
	size_t n = of.to - of.from, at;
	uint64_t *v = t->v + of.from;

	if (n == 2 && !tied_in_order(t, v[0], v[1])) {
		uint64_t swap = v[0];

		v[0] = v[1];
		v[1] = swap;
	}
	if (n <= 2)
		return;
	at = n == end - first ? of.from + (mid - first) : tied_before(t, of, mid);
	sort_tied(t, (struct tied_range){ of.from, at }, first, mid);
	sort_tied(t, (struct tied_range){ at, of.to }, mid, end);
	if (at > of.from && at < of.to)
		merge_tied(t, of, at);
}

/* The halves of very many rows, in two threads. */
struct tied_halves {
	const struct tied *tied;
	struct tied_range of[2];
	uint32_t mid, end;
};

static void sort_half(void *ctx, size_t right)
{
	const struct tied_halves *t = ctx;

	sort_tied(t->tied, t->of[right], right ? t->mid : 0, right ? t->end : t->mid);
}

/* Of all rows, of which there are `end`. */
static void sort_all_tied(const struct tied *t, struct tied_range of, uint32_t end)
{
	size_t at = tied_before(t, of, end / 2);
	struct tied_halves halves = { t, { { of.from, at }, { at, of.to } }, end / 2, end };

	if (of.to - of.from < MANY_TIED) {
		sort_tied(t, of, 0, end);
		return;
	}
	thread_each(2, sort_half, &halves);
	merge_tied(t, of, at);
}

/* ---- rows ---- */

static unsigned bits_of(uint64_t max)
{
	return max ? 64 - (unsigned)__builtin_clzll(max) : 0;
}

struct sorter {
	struct ptui_hist *h;
	uint64_t *v; /* rows, below the values of keys by which they are not sorted yet */
	unsigned row_bits, bits; /* of the rows, and with these values */
	uint64_t *values;	 /* of a key, by row */
	bool again;		 /* they were sorted by other keys before */
	const uint32_t *created; /* rows in the order of creation; NULL: as they are */
	const struct hist_frames *frames;
};

static inline uint32_t sorted_row(const struct sorter *s, size_t at)
{
	return (uint32_t)(s->v[at] & ((1ull << s->row_bits) - 1));
}

static int sort_by_bits(struct sorter *s)
{
	return s->bits > s->row_bits ? radix_sort_words(s->v, s->h->n_rows, s->row_bits) : 0;
}

/* Sorts by the values that are there, to make room for those of keys before them. */
static int sort_and_clear(struct sorter *s)
{
	int ret = sort_by_bits(s);

	for (size_t i = 0; i < s->h->n_rows; i++)
		s->v[i] = sorted_row(s, i);
	s->bits = s->row_bits;
	s->again = true;
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
	width = bits_of(max - min);
	if (s->bits + width > 64)
		ret = sort_and_clear(s);
	for (size_t i = 0; i < s->h->n_rows; i++)
		s->v[i] |= (s->values[sorted_row(s, i)] - min) << s->bits;
	if (s->bits + width <= 64) {
		s->bits += width;
		return ret;
	}
	/* more than there is room for: the upper ones come after the lower ones */
	width = 64 - s->bits;
	s->bits = 64;
	ret = ret ? ret : sort_and_clear(s);
	for (size_t i = 0; i < s->h->n_rows && !ret; i++)
		s->v[i] |= (s->values[sorted_row(s, i)] - min) >> width << s->bits;
	s->bits += bits_of((max - min) >> width);
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

/*
 * overhead_children is a key of the leader; with sort_by, that event's comes before it. perf has no such key, and rows
 * stay in the leader's order.
 */
static int sort_by_member(struct sorter *s, const struct hist_key *key)
{
	const struct hist_group *g = &s->h->group;
	int ret;

	if (key != hist_key_children || !g->sort_by || g->sort_by > g->n)
		return 0;
	ret = hist_group_order(s->h, key, g->sort_by, s->values);
	return ret ? ret : add_values(s);
}

static int find_values(struct sorter *s, const struct hist_key *key)
{
	const uint32_t *ranks = key == hist_key_symbol ? s->frames->symbols :
				key == hist_key_dso    ? s->frames->dsos :
							 NULL;

	if (!ranks)
		return key->order(s->h, s->values);
	for (size_t i = 0; i < s->h->n_rows; i++)
		s->values[i] = ranks[s->h->rows[i].item.frame];
	return 0;
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
		ret = find_values(s, key);
		if (!ret)
			ret = add_values(s);
		if (!ret)
			ret = sort_by_member(s, key);
	}
	return ret ? ret : sort_by_bits(s);
}

static uint64_t member_children(const struct ptui_hist *h, const struct hist_row *row)
{
	const struct hist_row *pair = hist_group_row(h, row, h->group.sort_by);

	return pair ? pair->period_children : 0;
}

/* Rows at two places that are next to each other; children: number of overhead_children in the plan. */
static bool is_tied(const struct sorter *s, size_t at, size_t other, size_t children)
{
	const struct ptui_hist *h = s->h;
	const struct hist_row *a = &h->rows[sorted_row(s, at)], *b = &h->rows[sorted_row(s, other)];

	if (!s->again && !h->group.n)
		return !((s->v[at] ^ s->v[other]) >> s->row_bits);
	if (a->period_children != b->period_children ||
	    (h->group.sort_by && h->group.sort_by <= h->group.n &&
	     member_children(h, a) != member_children(h, b)))
		return false;
	for (size_t i = 0; i < children; i++)
		if (h->plan.sort[i]->compare(h, a, b))
			return false;
	return true;
}

/* Sets the numbers of all rows, in scratch[] by row, but for their places by the keys that follow. */
static void number_tied(const struct sorter *s, struct tied *t)
{
	const struct ptui_hist *h = s->h;
	unsigned rest_bits = bits_of(h->n_rows);
	unsigned thread_bits = bits_of(h->profile->samples.n_threads | 1);
	uint64_t depth_mask;

	t->thread_shift = 64 - thread_bits;
	t->rest_mask = (1ull << rest_bits) - 1;
	depth_mask = (1ull << (t->thread_shift - rest_bits)) - 1;
	for (size_t i = 0; i < h->n_rows; i++) {
		const struct hist_row *r = &h->rows[i];
		uint64_t depth = r->max_depth < depth_mask ? r->max_depth : depth_mask;

		if (h->order == PTUI_CALLER)
			depth = depth_mask - depth;
		t->scratch[i] = (uint64_t)r->item.thread << t->thread_shift | depth << rest_bits;
	}
}

static void start_order(struct sorter *s)
{
	s->row_bits = s->bits = bits_of(s->h->n_rows);
	for (size_t i = 0; i < s->h->n_rows; i++)
		s->v[i] = s->created ? s->created[i] : i;
}

static int sorter_init(struct sorter *s, struct ptui_hist *h, const struct hist_creation *made)
{
	*s = (struct sorter){ .h = h, .created = made->rows, .frames = &made->frames };
	s->v = malloc((h->n_rows + 1) * sizeof(*s->v));
	s->values = malloc((h->n_rows + 1) * sizeof(*s->values));
	if (!s->v || !s->values)
		return -ENOMEM;
	start_order(s);
	return 0;
}

/* Sets created[] of the rows in v[]; place[] is by row. */
static void find_created(const struct sorter *s, uint32_t *place, uint32_t *created)
{
	size_t n = s->h->n_rows;

	for (size_t i = 0; i < n && s->created; i++)
		place[s->created[i]] = (uint32_t)i;
	for (size_t i = 0; i < n; i++)
		created[i] = s->created ? place[sorted_row(s, i)] : sorted_row(s, i);
}

/* Sorts the rows of one weight, which are in the order of their creation. `rest`: see hist_creation. */
static void sort_ties(struct sorter *s, const struct tied *t, size_t children, const uint32_t *rest)
{
	size_t n = s->h->n_rows;

	for (size_t i = 0; i < n; i++)
		t->scratch[rest[i]] |= i;
	for (size_t i = 0; i < n; i++)
		t->v[i] = t->scratch[sorted_row(s, i)];
	for (size_t first = 0, end; first < n; first = end) {
		for (end = first + 1; end < n; end++)
			if (!is_tied(s, first, end, children))
				break;
		if (end - first > 1)
			sort_all_tied(t, (struct tied_range){ first, end }, (uint32_t)n);
	}
	for (size_t i = 0; i < n; i++)
		s->v[i] = rest[t->v[i] & t->rest_mask];
}

/* The key number `children` of the plan is overhead_children. */
static int sort_by_children(struct sorter *s, size_t children, struct hist_creation *made)
{
	size_t n = s->h->n_rows;
	int ret = sort_by_keys(s, 0, children + 1);
	struct tied t = { .v = s->values }; /* which are not needed any more */
	uint32_t *place = malloc((2 * n + 1) * sizeof(*place));

	t.scratch = malloc((n + 1) * sizeof(*t.scratch));
	if (!place || !t.scratch)
		ret = -ENOMEM;
	if (!ret) {
		t.created = place + n;
		find_created(s, place, place + n);
		number_tied(s, &t);
		hist_creation_finish(made);
		if (!made->rest)
			made->rest = hist_find_rest(s->h, made);
		ret = made->rest ? 0 : -ENOMEM;
	}
	if (!ret)
		sort_ties(s, &t, children, made->rest);
	free(t.scratch);
	free(place);
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

uint32_t *hist_find_rest(struct ptui_hist *h, const struct hist_creation *made)
{
	size_t children = children_key(h);
	uint32_t *rest = malloc((h->n_rows + 1) * sizeof(*rest));
	struct sorter s;
	int ret = sorter_init(&s, h, made);

	if (!ret && rest)
		ret = sort_by_keys(&s, children + 1, h->plan.n_sort);
	for (size_t i = 0; i < h->n_rows && rest && !ret; i++)
		rest[i] = sorted_row(&s, i);
	free(s.v);
	free(s.values);
	if (!ret)
		return rest;
	free(rest);
	return NULL;
}

static int sort_by_period(struct sorter *s)
{
	int ret;

	for (size_t i = 0; i < s->h->n_rows; i++)
		s->values[i] = ~s->h->rows[i].period;
	ret = add_values(s);
	return ret ? ret : sort_by_bits(s);
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

uint32_t *hist_find_order(struct ptui_hist *h, struct hist_creation *made, bool rows_only)
{
	size_t children = children_key(h);
	uint32_t *order = NULL;
	struct sorter s;
	int ret = sorter_init(&s, h, made);

	if (!ret && is_by_heat(h, rows_only)) {
		ret = sort_by_period(&s);
	} else if (!ret && children < h->plan.n_sort) {
		ret = sort_by_children(&s, children, made);
	} else if (!ret) {
		ret = sort_by_keys(&s, 0, h->plan.n_sort);
	}
	free(s.values);
	if (!ret)
		order = malloc((h->n_rows + 1) * sizeof(*order));
	for (size_t i = 0; i < h->n_rows && order; i++)
		order[i] = sorted_row(&s, i);
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
