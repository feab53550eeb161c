/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/debug.h"
#include "profile/hist.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "base/text.h"
#include "base/vec.h"

#define HOTTEST 1000 /* rows that are sorted by name if equal; the rest, and larger ties, are not */

/* Finds the last name of each thread, which perf shows for it. */
static int find_last_comms(struct ptui_hist *h)
{
	const struct samples *s = &h->profile->samples;
	uint64_t *last_ns = calloc(s->n_threads + 1, sizeof(*last_ns));

	h->last_comm = calloc(s->n_threads + 1, sizeof(*h->last_comm));
	if (!last_ns || !h->last_comm) {
		free(last_ns);
		return -ENOMEM;
	}
	for (size_t i = 0; i < s->n; i++) {
		uint32_t t = s->thread[i];

		if (s->time_ns[i] >= last_ns[t]) {
			last_ns[t] = s->time_ns[i];
			h->last_comm[t] = s->comm[i];
		}
	}
	for (size_t t = 0; t < s->n_threads; t++) {
		if (s->threads[t].last_comm != PTUI_NONE)
			h->last_comm[t] = s->threads[t].last_comm;
	}
	free(last_ns);
	return 0;
}

/* ---- second pass: the paths of the classes ---- */

const struct stacks *hist_stacks_of(const struct ptui_hist *h)
{
	return h->plan.needs & KEY_NEEDS_LINES ? &h->profile->stacks : &h->profile->folded;
}

static uint64_t stack_depth(const struct stacks *s, uint32_t node)
{
	uint64_t n = 0;

	for (; node != PTUI_NONE; node = s->nodes[node].parent)
		n++;
	return n;
}

/* Paths are needed only for chains and callers. */
static bool has_path(const struct ptui_hist *h, size_t cls)
{
	return (h->chains || h->children) && h->classes[cls].samples;
}

static int build_paths(struct ptui_hist *h)
{
	const struct stacks *s = hist_stacks_of(h);
	const char *what = _("expanding the callchains");
	uint64_t at = 0;
	int err = 0;

	h->path_first = malloc((h->n_classes + 1) * sizeof(*h->path_first));
	if (!h->path_first)
		return -ENOMEM;
	for (size_t c = 0; c < h->n_classes; c++) {
		h->path_first[c] = at;
		if (has_path(h, c))
			at += stack_depth(s, h->classes[c].stack);
	}
	h->path_first[h->n_classes] = at;
	h->paths = malloc((at + 1) * sizeof(*h->paths));
	if (!h->paths)
		return -ENOMEM;
	for (size_t c = 0; c < h->n_classes && !err; c++) {
		err = hist_report_progress(h, what, c, h->n_classes);
		at = h->path_first[c + 1];
		if (!has_path(h, c))
			continue;
		for (uint32_t n = h->classes[c].stack; n != PTUI_NONE; n = s->nodes[n].parent)
			h->paths[--at] = s->nodes[n].frame;
	}
	return err;
}

/* ---- third pass: classes to rows ---- */

struct row_builder {
	struct ptui_hist *h;
	struct index_table index;
	const struct hist_key *ids[HIST_KEYS_MAX]; /* the keys that identify a row */
	size_t n_ids;
	uint64_t *values; /* n_ids per row */
	size_t cap_values;
	uint32_t *seen; /* by row: 1 + the last class added to it */
	size_t cap_seen;
	uint32_t *self;	      /* by class: its own row, or PTUI_NONE */
	size_t rows_of_class; /* number of rows that the current class adds to */
	uint32_t *caller;     /* by position in paths: the row that the class adds to there, or
				 PTUI_NONE */
};

static bool row_same(const void *owner, uint32_t index, const void *key)
{
	const struct row_builder *b = owner;

	return !memcmp(b->values + index * b->n_ids, key, b->n_ids * sizeof(uint64_t));
}

/* The row of an item, added if new. PTUI_NONE: out of memory. */
static uint32_t row_get(struct row_builder *b, const struct hist_item *item)
{
	struct ptui_hist *h = b->h;
	uint64_t values[HIST_KEYS_MAX], hash = 0;
	size_t n = h->n_rows;
	uint32_t i;

	for (size_t k = 0; k < b->n_ids; k++) {
		values[k] = b->ids[k]->value(h->profile, item);
		hash = hash_pair(hash, values[k]);
	}
	i = index_table_find(&b->index, hash, row_same, b, values);
	if (i != PTUI_NONE)
		return i;
	if (vec_grow(&h->rows, &h->cap_rows, n + 1) || vec_grow(&b->seen, &b->cap_seen, n + 1) ||
	    vec_grow(&b->values, &b->cap_values, (n + 1) * b->n_ids + 1) ||
	    index_table_add(&b->index, hash, (uint32_t)n))
		return PTUI_NONE;
	memcpy(b->values + n * b->n_ids, values, b->n_ids * sizeof(uint64_t));
	memset(&h->rows[n], 0, sizeof(h->rows[n]));
	h->rows[n].item = *item;
	h->rows[n].first_ns = UINT64_MAX;
	b->seen[n] = 0;
	h->n_rows++;
	return (uint32_t)n;
}

static void row_count(struct hist_row *r, const struct hist_class *c, bool self)
{
	if (self) {
		r->period += c->period;
		r->samples += c->samples;
	}
	r->period_children += c->period;
	if (c->first_ns < r->first_ns) {
		r->first_ns = c->first_ns;
		r->item.thread = c->first_thread;
	}
}

static void row_linked(struct hist_row *r, uint64_t depth)
{
	r->n_links++;
	if (depth > r->max_depth)
		r->max_depth = (uint32_t)depth;
}

/*
 * Adds a class to the rows of its callers, in the order of the chains. A recursive function counts
 * at its first occurrence, and the sample's own row has counted it already.
 */
static int add_callers(struct row_builder *b, uint32_t cls)
{
	struct ptui_hist *h = b->h;
	const struct hist_class *c = &h->classes[cls];
	uint64_t first = h->path_first[cls], end = h->path_first[cls + 1];
	bool down = h->order == PTUI_CALLER;
	struct hist_item item = c->item;

	for (uint64_t k = 0; k < end - first; k++) {
		uint64_t at = down ? first + k : end - 1 - k;
		uint32_t row;

		item.frame = h->paths[at];
		b->caller[at] = PTUI_NONE;
		if (!hist_filter_shows(&h->filter, item.frame))
			continue;
		row = row_get(b, &item);
		if (row == PTUI_NONE)
			return -ENOMEM;
		b->rows_of_class++;
		if (b->seen[row] == cls + 1)
			continue;
		b->seen[row] = cls + 1;
		b->caller[at] = row;
		row_count(&h->rows[row], c, false);
		row_linked(&h->rows[row], end - first - k);
	}
	return 0;
}

static int add_self(struct row_builder *b, uint32_t cls, uint64_t depth)
{
	struct ptui_hist *h = b->h;
	uint32_t row = row_get(b, &h->classes[cls].item);

	if (row == PTUI_NONE)
		return -ENOMEM;
	b->self[cls] = row;
	b->rows_of_class++;
	row_count(&h->rows[row], &h->classes[cls], true);
	b->seen[row] = cls + 1;
	if (depth)
		row_linked(&h->rows[row], depth);
	return 0;
}

static int add_class(struct row_builder *b, uint32_t cls)
{
	struct ptui_hist *h = b->h;
	const struct hist_class *c = &h->classes[cls];
	uint64_t depth = h->path_first[cls + 1] - h->path_first[cls];
	int err = 0;

	b->rows_of_class = 0;
	b->self[cls] = PTUI_NONE;
	if (!c->samples) /* all of its samples were dropped */
		return 0;
	if (hist_filter_shows(&h->filter, c->item.frame))
		err = add_self(b, cls, depth);
	if (!err && h->children && depth)
		err = add_callers(b, cls);
	h->classes[cls].shown = b->rows_of_class > 0;
	if (b->rows_of_class) {
		h->shown.period += c->period;
		h->shown.samples += c->samples;
	}
	return err;
}

static void put_link(struct ptui_hist *h, uint32_t row, uint32_t cls, uint64_t at)
{
	struct hist_row *r = &h->rows[row];

	h->links[r->first_link + r->n_links++] =
		(struct hist_link){ cls, (uint32_t)(at - h->path_first[cls]) };
}

/* Sorts the links by row (counting sort: the number of links per row is known). */
static int build_links(struct row_builder *b)
{
	struct ptui_hist *h = b->h;
	const char *what = _("collecting the callchains");
	bool down = h->order == PTUI_CALLER;
	int err = 0;

	for (size_t i = 0; i < h->n_rows; i++) {
		h->rows[i].first_link = h->n_links;
		h->n_links += h->rows[i].n_links;
		h->rows[i].n_links = 0;
	}
	h->links = malloc((h->n_links + 1) * sizeof(*h->links));
	if (!h->links)
		return -ENOMEM;
	for (uint32_t c = 0; c < h->n_classes && !err; c++) {
		uint64_t first = h->path_first[c], end = h->path_first[c + 1];

		err = hist_report_progress(h, what, c, h->n_classes);
		if (first == end)
			continue;
		if (b->self[c] != PTUI_NONE)
			put_link(h, b->self[c], c, down ? first : end - 1);
		for (uint64_t at = first; h->children && at < end; at++) {
			if (b->caller[at] != PTUI_NONE)
				put_link(h, b->caller[at], c, at);
		}
	}
	return err;
}

static int build_rows(struct ptui_hist *h)
{
	struct row_builder b = { .h = h };
	const char *what = _("adding up the rows");
	int err = 0;

	for (size_t i = 0; i < h->plan.n_sort; i++) {
		if (h->plan.sort[i]->value)
			b.ids[b.n_ids++] = h->plan.sort[i];
	}
	index_table_init(&b.index);
	b.self = malloc((h->n_classes + 1) * sizeof(*b.self));
	b.caller =
		malloc(((h->children ? h->path_first[h->n_classes] : 0) + 1) * sizeof(*b.caller));
	if (!b.self || !b.caller)
		err = -ENOMEM;
	for (size_t i = 0; i < h->n_classes && !err; i++) {
		err = hist_report_progress(h, what, i, h->n_classes);
		if (!err)
			err = add_class(&b, (uint32_t)i);
	}
	if (!err && h->chains)
		err = build_links(&b);
	index_table_release(&b.index);
	free(b.values);
	free(b.seen);
	free(b.self);
	free(b.caller);
	return err;
}

/* ---- order and columns ---- */

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

static int period_order(const void *a, const void *b)
{
	const struct hist_row *x = a, *y = b;

	return x->period > y->period ? -1 : x->period < y->period;
}

/*
 * Only the hottest rows are sorted by all keys. The many others, with tiny periods, stay in the
 * order in which they were found.
 */
static void sort_hottest(struct ptui_hist *h)
{
	size_t first = 0, end;

	qsort(h->rows, h->n_rows, sizeof(*h->rows), period_order);
	for (; first < h->n_rows && first < HOTTEST; first = end) {
		end = first + 1;
		while (end < h->n_rows && h->rows[end].period == h->rows[first].period)
			end++;
		if (end - first > 1 && end - first <= HOTTEST)
			qsort_r(h->rows + first, end - first, sizeof(*h->rows), row_order, h);
	}
}

static void sort_rows(struct ptui_hist *h, bool rows_only)
{
	if (rows_only && h->n_rows > HOTTEST && h->plan.sort[0] == hist_key_overhead)
		sort_hottest(h);
	else if (h->n_rows)
		qsort_r(h->rows, h->n_rows, sizeof(*h->rows), row_order, h);
}

static unsigned column_width(const struct ptui_hist *h, const struct hist_key *key,
			     const struct ptui_hist_opts *opts)
{
	size_t width = text_width(key->title);
	char cell[1024];

	if (key->width || opts->rows_only)
		return key->width > width ? key->width : (unsigned)width;
	for (size_t i = 0; i < h->n_rows; i++) {
		size_t w;

		key->print(h, &h->rows[i], cell, sizeof(cell));
		w = text_width(cell);
		if (w > width)
			width = w;
	}
	/* perf reserves this width for unknown modules of functions without names */
	if (!strcmp(key->name, "dso") && width < 16 && !opts->separated) {
		for (size_t i = 0; i < h->n_rows && width < 16; i++) {
			if (h->profile->frames[h->rows[i].item.frame].sym_name == PTUI_NONE)
				width = 16;
		}
	}
	return (unsigned)width;
}

static void set_columns(struct ptui_hist *h, const struct ptui_hist_opts *opts)
{
	for (size_t i = 0; i < h->plan.n_show; i++) {
		const struct hist_key *key = h->plan.show[i];
		bool self = key == hist_key_overhead && h->plan.show[0] == hist_key_children;

		h->columns[i] = (struct ptui_column){
			.name = key->name,
			.title = self ? N_("Self") : key->title,
			.width = column_width(h, key, opts),
			.number = key->number,
			.padded = key->padded,
		};
	}
}

/* ---- public functions ---- */

static int build_hist(struct ptui_hist *h, const struct ptui_hist_opts *opts)
{
	const char *sorting = _("sorting the rows");
	int ret = hist_filter_init(&h->filter, h->profile, &opts->filter);

	hist_window_init(&h->window, &h->profile->samples, (uint16_t)opts->event, opts->since_ns,
			 opts->half_life_ns);
	if (!ret && (h->plan.needs & KEY_NEEDS_LINES))
		profile_lines(h->profile, opts->progress, opts->progress_ctx, &ret);
	if (!ret)
		ret = hist_build_classes(h, opts->before);
	if (!ret && (h->plan.needs & KEY_NEEDS_THREAD))
		ret = find_last_comms(h);
	if (!ret)
		ret = build_paths(h);
	if (!ret)
		ret = build_rows(h);
	if (!ret)
		ret = hist_report_progress(h, sorting, 0, 0);
	if (ret)
		return ret;
	h->total_period = opts->relative ? h->shown.period : h->all.period;
	sort_rows(h, opts->rows_only);
	ret = hist_report_progress(h, sorting, 0, 0);
	if (ret)
		return ret;
	if (!opts->rows_only)
		hist_find_unknown(h);
	set_columns(h, opts);
	return hist_find_stacks(h);
}

bool ptui_inlines_wanted(const struct ptui_profile *p, uint32_t event, enum ptui_inlines inlines)
{
	if (inlines == PTUI_INLINES_UNWOUND)
		return event < p->n_events && p->events[event].stacks_dumped;
	return inlines == PTUI_INLINES_ON;
}

/* One reference; NULL: *ret_error is set. */
static struct ptui_profile *wanted_profile(const struct ptui_hist *h, struct ptui_profile *p,
					   const struct ptui_hist_opts *opts, int *ret_error)
{
	if (!ptui_inlines_wanted(p, opts->event, opts->inlines))
		return ptui_profile_ref(p);
	return profile_inlined(p, h->progress, h->progress_ctx, ret_error);
}

struct ptui_hist *ptui_hist_new(struct ptui_profile *p, const struct ptui_hist_opts *opts,
				struct ptui_error *err)
{
	struct ptui_hist *h = calloc(1, sizeof(*h));
	int ret;

	if (!h) {
		ptui_error_nomem(err);
		return NULL;
	}
	h->event = (uint16_t)opts->event;
	h->order = opts->order;
	h->chains = !opts->no_chains;
	h->progress = opts->progress;
	h->progress_ctx = opts->progress_ctx;
	if (opts->event >= p->n_events) {
		ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, NULL,
			       _("the recording has no event number %u"), opts->event);
		goto fail;
	}
	h->children = opts->children && p->events[opts->event].has_callchains;
	h->show_addresses = opts->show_addresses;
	ret = hist_plan_make(&h->plan, opts->sort, opts->fields, h->children, opts->show_samples,
			     err);
	if (ret)
		goto fail;
	h->profile = wanted_profile(h, p, opts, &ret);
	if (h->profile)
		ret = build_hist(h, opts);
	h->progress = NULL;
	if (!ret)
		return h;
	if (ret == -ECANCELED)
		ptui_error_set(err, PTUI_ERROR_INPUT, ECANCELED, NULL, _("cancelled"));
	else
		ptui_error_nomem(err);
fail:
	ptui_hist_free(h);
	return NULL;
}

void ptui_hist_free(struct ptui_hist *h)
{
	if (!h)
		return;
	ptui_profile_unref(h->profile);
	hist_filter_release(&h->filter);
	free(h->classes);
	index_table_release(&h->class_index);
	free(h->rows);
	free(h->links);
	free(h->paths);
	free(h->path_first);
	calltree_scratch_free(h->scratch);
	free(h->last_comm);
	free(h);
}

size_t ptui_hist_n_columns(const struct ptui_hist *h)
{
	return h->plan.n_show;
}

const struct ptui_column *ptui_hist_column(const struct ptui_hist *h, size_t col)
{
	return col < h->plan.n_show ? &h->columns[col] : NULL;
}

size_t ptui_hist_n_rows(const struct ptui_hist *h)
{
	return h->n_rows;
}

void ptui_hist_row(const struct ptui_hist *h, size_t row, struct ptui_row *ret)
{
	const struct hist_row *r = &h->rows[row];

	*ret = (struct ptui_row){ r->period, r->period_children, r->samples, r->max_depth,
				  r->n_links };
}

uint64_t ptui_hist_total_period(const struct ptui_hist *h)
{
	return h->total_period;
}

void ptui_hist_shown(const struct ptui_hist *h, struct ptui_hist_shown *ret)
{
	*ret = h->shown;
}

void ptui_hist_all(const struct ptui_hist *h, struct ptui_hist_all *ret)
{
	double period = (double)h->all.period;

	*ret = h->all;
	ret->equal_samples = period > 0 ? period * period / h->all.equal_samples : 0;
}

bool ptui_hist_children(const struct ptui_hist *h)
{
	return h->children;
}

int ptui_hist_cell(const struct ptui_hist *h, size_t row, size_t col, char *buf, size_t size)
{
	return h->plan.show[col]->print(h, &h->rows[row], buf, size);
}
