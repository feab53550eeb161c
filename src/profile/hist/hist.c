/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/debug.h"
#include "profile/hist/hist.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/buf.h"
#include "base/i18n.h"
#include "base/text.h"
#include "base/thread.h"
#include "base/vec.h"

#define DEFAULT_QUANTUM_NS 100000000u

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

/* As in perf: kworker/3:1 is kworker/<N>:<N>. */
static int add_plain_name(struct ptui_hist *h, uint32_t comm)
{
	const struct strpool *names = &h->profile->names;
	const char *name;
	struct buf text = BUF_INIT;

	if (comm >= names->n || h->plain_of[comm] != PTUI_NONE)
		return 0;
	name = strpool_get(names, comm);
	while (*name) {
		size_t digits = strspn(name, "0123456789");

		if (digits)
			buf_add_str(&text, "<N>");
		else
			buf_add_char(&text, *name);
		name += digits ? digits : 1;
	}
	if (!text.err)
		h->plain_of[comm] = strpool_add(&h->plain, buf_str(&text));
	buf_release(&text);
	return h->plain_of[comm] == PTUI_NONE ? -ENOMEM : 0;
}

static int find_plain_names(struct ptui_hist *h)
{
	const struct strpool *names = &h->profile->names;
	const struct samples *s = &h->profile->samples;
	int err = 0;

	h->plain_of = malloc((names->n + 1) * sizeof(*h->plain_of));
	if (!h->plain_of || strpool_init(&h->plain))
		return -ENOMEM;
	memset(h->plain_of, 0xff, (names->n + 1) * sizeof(*h->plain_of));
	for (size_t i = 0; i < h->n_classes && !err; i++)
		err = add_plain_name(h, h->classes[i].item.comm);
	/* rows of other events of the group are added later */
	for (size_t i = 0; i < s->n && !err; i++)
		err = add_plain_name(h, s->comm[i]);
	return err;
}

static const struct stacks *recorded_stacks(const struct ptui_hist *h)
{
	return h->plan.needs & KEY_NEEDS_ADDRESS ? &h->profile->stacks : &h->profile->folded;
}

const struct stacks *hist_stacks_of(const struct ptui_hist *h)
{
	return h->shape.of ? &h->shape.stacks : recorded_stacks(h);
}

/* ---- columns ---- */

/* The width of a column, while it is found. */
struct measure {
	const struct hist_key *key;
	size_t width;
	uint8_t *seen; /* by hist_key.width_class, or by id of the cell */
	size_t n_seen;
};

/* Without memory, all are measured. */
static void set_seen(struct measure *m, uint32_t i)
{
	size_t had = m->n_seen;

	if (i >= had) {
		if (i == PTUI_NONE || vec_grow(&m->seen, &m->n_seen, (size_t)i + 1))
			return;
		memset(m->seen + had, 0, m->n_seen - had);
	}
	m->seen[i] = 1;
}

static size_t cell_width(const struct ptui_hist *h, const struct hist_key *key,
			 const struct hist_row *row, const struct ptui_cell *parts)
{
	char cell[1024];

	if (parts->kind == PTUI_CELL_TEXT)
		return strlen(parts->prefix) + text_width(parts->text) + strlen(parts->suffix);
	hist_key_print(key, h, row, cell, sizeof(cell));
	return text_width(cell);
}

static size_t measure_cell(struct measure *m, const struct ptui_hist *h, const struct hist_row *row)
{
	const struct hist_key *key = m->key;
	struct ptui_cell parts;
	uint32_t i;

	if (key->cell_width)
		return key->cell_width(h, row);
	if (!key->width_class)
		hist_key_cell(key, h, row, &parts);
	i = key->width_class ? key->width_class(h, row) : parts.id;
	if (i < m->n_seen && m->seen[i])
		return 0;
	set_seen(m, i);
	if (key->width_class)
		hist_key_cell(key, h, row, &parts);
	return cell_width(h, key, row, &parts);
}

/* Goes once through the rows, for all columns whose widths depend on them. */
static void measure_columns(const struct ptui_hist *h, struct measure *columns, size_t n)
{
	struct measure *list[HIST_KEYS_MAX];
	size_t n_list = 0;

	for (size_t i = 0; i < n; i++)
		if (!columns[i].key->width && hist_key_field_index(columns[i].key) < 0)
			list[n_list++] = &columns[i];
	for (size_t row = 0; row < h->n_rows && n_list; row++) {
		hist_prefetch_frame(h, row);
		for (size_t i = 0; i < n_list; i++) {
			size_t width = measure_cell(list[i], h, &h->rows[row]);

			if (width > list[i]->width)
				list[i]->width = width;
		}
	}
}

static unsigned column_width(const struct ptui_hist *h, const struct measure *m,
			     const struct ptui_hist_opts *opts)
{
	const struct hist_key *key = m->key;
	size_t width = m->width;

	if (hist_key_field_index(key) >= 0)
		return hist_field_width(h, key);
	if (key->width || opts->rows_only)
		return key->width > width ? key->width : (unsigned)width;
	/* as in perf */
	if (key == hist_key_time && width < (h->show_ns ? 16 : 12))
		width = h->show_ns ? 16 : 12;
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
	struct measure measures[HIST_KEYS_MAX];

	for (size_t i = 0; i < h->plan.n_show; i++)
		measures[i] = (struct measure){ .key = h->plan.show[i],
						.width = text_width(h->plan.show[i]->title) };
	if (!opts->rows_only)
		measure_columns(h, measures, h->plan.n_show);
	for (size_t i = 0; i < h->plan.n_show; i++) {
		const struct hist_key *key = h->plan.show[i];
		bool self = key == hist_key_overhead &&
			    (h->plan.show[0] == hist_key_children ||
			     h->plan.show[0] == hist_key_latency_children);
		unsigned place = hist_plan_place(&h->plan, key);

		h->columns[i] = (struct ptui_column){
			.name = key->name,
			.title = self ? N_("Self") : key->title,
			.width = column_width(h, &measures[i], opts),
			.number = key->number,
			.padded = key->padded,
			.groups = key->value,
			.level = h->plan.level[place],
			.place = place,
		};
		if (hist_key_field_index(key) >= 0)
			h->columns[i].name = h->columns[i].title = hist_field_name(h, key);
		/* as in perf, in which the columns of other events follow */
		if (i + 1 == h->plan.n_show && h->plan.fields_last)
			h->columns[i].padded = true;
		if (!key->value && h->group.n) {
			h->columns[i].each = key->width;
			h->columns[i].width = key->width * (unsigned)(h->group.n + 1);
		}
		free(measures[i].seen);
	}
}

/* ---- what is found out while rows are sorted ---- */

struct column_setter {
	struct ptui_hist *h;
	const struct ptui_hist_opts *opts;
};

static void *set_all_columns(void *ctx)
{
	const struct column_setter *s = ctx;

	set_columns(s->h, s->opts);
	return NULL;
}

/* Both go through all rows, and neither changes them before both have. */
static int sort_rows(struct ptui_hist *h, const struct ptui_hist_opts *opts,
		     struct hist_creation *made)
{
	struct column_setter setter = { h, opts };
	bool beside = !opts->rows_only && h->n_rows >= MANY_ROWS;
	uint32_t *order;
	pthread_t thread;

	beside = beside && !thread_start(&thread, set_all_columns, &setter);
	order = hist_find_order(h, made, opts->rows_only);
	if (beside)
		pthread_join(thread, NULL);
	else
		set_columns(h, opts);
	if (!order)
		return -ENOMEM;
	hist_sort_rows(h, order, opts->rows_only);
	free(order);
	return 0;
}

/* Which of the profile's extras are equal for the keys. Without extras, all are 0. */
static int find_extras(struct ptui_hist *h)
{
	const struct ptui_profile *p = h->profile;
	const struct extra none = EXTRA_NONE;
	bool exact = h->plan.needs & KEY_NEEDS_ADDRESS;

	if (p->extra_of)
		h->extra_of = malloc((p->n_extras + 1) * sizeof(*h->extra_of));
	else
		extras_add(&h->extras, &none);
	if (p->extra_of && !h->extra_of)
		return -ENOMEM;
	for (size_t i = 0; p->extra_of && i < p->n_extras; i++) {
		struct extra e = extra_masked(&p->extras[i], h->plan.extras);

		e.fields = hist_find_fields(h, e.fields);
		if (!exact && e.from_frame != PTUI_NONE)
			e.from_frame = p->frames[e.from_frame].face;
		h->extra_of[i] = extras_add(&h->extras, &e);
	}
	return h->extras.failed || h->fields.failed ? -ENOMEM : 0;
}

/* ---- public functions ---- */

static int build_hist(struct ptui_hist *h, const struct ptui_hist_opts *opts)
{
	const char *sorting = _("sorting the rows");
	struct hist_creation made = { .rows = NULL };
	int ret = hist_filter_init(&h->filter, h->profile, &opts->filter);

	hist_window_init(&h->window, &h->profile->samples, (uint16_t)opts->event, opts->since_ns,
			 opts->half_life_ns);
	if (!ret && (h->plan.needs & KEY_NEEDS_LINES))
		profile_lines(h->profile, opts->progress, opts->progress_ctx, &ret);
	if (!ret && (h->plan.needs & KEY_NEEDS_TYPES))
		profile_types(h->profile, opts->progress, opts->progress_ctx, &ret);
	if (!ret)
		ret = hist_find_chain_ids(h);
	if (!ret)
		ret = hist_shape_init(&h->shape, h->profile, recorded_stacks(h), &opts->filter,
				      h->progress, h->progress_ctx);
	if (!ret && opts->ignore_callees) {
		h->ignoring = callees_ignore(h->profile, hist_stacks_of(h), opts->ignore_callees);
		ret = h->ignoring ? 0 : -ENOMEM;
	}
	if (!ret && (h->plan.needs & KEY_NEEDS_PARENT || h->filter.by_parent)) {
		h->parents = parents_find(h->profile, hist_stacks_of(h), opts->parent,
					  h->order == PTUI_CALLER);
		ret = h->parents ? 0 : -ENOMEM;
	}
	if (!ret && h->plan.needs & KEY_NEEDS_EXTRA)
		ret = find_extras(h);
	if (!ret) {
		hist_frames_start(&made.frames, h, !opts->rows_only);
		ret = hist_build_classes(h, opts->before);
	}
	if (!ret && (h->plan.needs & KEY_NEEDS_THREAD))
		ret = find_last_comms(h);
	if (!ret && (h->plan.extras & PTUI_EXTRA_RUNNING))
		h->total_time = hist_total_time(h) + (opts->relative ? 0 : h->hidden_time);
	if (!ret && (h->plan.needs & KEY_NEEDS_PLAIN))
		ret = find_plain_names(h);
	h->has_unknown = !opts->rows_only;
	if (!ret)
		ret = hist_build_rows(h, &made);
	if (!ret && h->show_addresses)
		ret = hist_find_addresses(h);
	if (!ret && h->group.n)
		ret = hist_group_join(h, &made.rows);
	if (h->profile->samples.count && !h->shape.of) /* no single sample is asked for */
		hist_class_index_release(&h->class_index);
	if (!ret)
		ret = hist_report_progress(h, sorting, 0, 0);
	h->total_period = opts->relative ? h->shown.period : h->all.period;
	if (!ret)
		ret = sort_rows(h, opts, &made);
	hist_creation_release(&made);
	if (!ret && h->chain_counts)
		ret = hist_list_classes(h);
	return ret ? ret : hist_report_progress(h, sorting, 0, 0);
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
	struct hist_columns columns;
	struct hist_scope scope;
	int ret;

	if (!h) {
		ptui_error_nomem(err);
		return NULL;
	}
	h->event = (uint16_t)opts->event;
	h->order = opts->order;
	h->chains = !opts->no_chains && p->mode != PTUI_MODE_BRANCHES;
	h->progress = opts->progress;
	h->progress_ctx = opts->progress_ctx;
	if (opts->event >= p->n_events) {
		ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, NULL,
			       _("the recording has no event number %u"), opts->event);
		goto fail;
	}
	h->children = opts->children && p->mode == PTUI_MODE_SAMPLES &&
		      p->events[opts->event].has_callchains;
	h->show_addresses = opts->show_addresses;
	h->show_ns = opts->show_ns;
	h->quantum_ns = opts->quantum_ns ? opts->quantum_ns : DEFAULT_QUANTUM_NS;
	scope = (struct hist_scope){ p, opts->event };
	columns = (struct hist_columns){ h->children, opts->show_modes, opts->show_samples,
					 opts->show_period };
	ret = hist_plan_make(&h->plan, p->mode, &scope, opts->sort, opts->fields, &columns, err);
	if (ret)
		goto fail;
	h->chain_key = h->chains ? opts->chain_key : PTUI_CHAIN_FUNCTION;
	if (h->chain_key != PTUI_CHAIN_FUNCTION)
		h->plan.needs |= KEY_NEEDS_ADDRESS | KEY_NEEDS_LINES;
	h->chain_counts = h->chains && opts->chain_counts && p->extra_of &&
			  p->has_extras & PTUI_EXTRA_HISTORY;
	if (h->chain_counts) {
		h->plan.needs |= KEY_NEEDS_EXTRA;
		h->plan.extras |= PTUI_EXTRA_HISTORY;
	}
	h->profile = wanted_profile(h, p, opts, &ret);
	if (h->profile)
		ret = hist_group_count(h, opts);
	if (h->profile && !ret)
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

static void release_classes(struct ptui_hist *h)
{
	free(h->classes);
	h->classes = NULL;
	h->n_classes = h->cap_classes = h->n_empty = 0;
	hist_class_index_release(&h->class_index);
}

void ptui_hist_finish(struct ptui_hist *h)
{
	if (h->chains || h->plan.needs & KEY_NEEDS_CLASSES)
		return;
	if (!h->has_unknown)
		hist_find_unknown(h, &h->unknown);
	h->has_unknown = true;
	release_classes(h);
}

void ptui_hist_free(struct ptui_hist *h)
{
	if (!h)
		return;
	ptui_profile_unref(h->profile);
	hist_filter_release(&h->filter);
	release_classes(h);
	free(h->rows);
	hist_tree_release(&h->tree);
	calltree_scratch_free(h->scratch);
	calltree_classes_free(h->tree_classes);
	free(h->chain_ids);
	free(h->last_comm);
	free(h->ipc);
	strpool_release(&h->plain);
	free(h->plain_of);
	facets_release(&h->facets);
	extras_release(&h->extras);
	tuples_release(&h->fields);
	free(h->extra_of);
	free(h->parents);
	free(h->ignoring);
	hist_shape_release(&h->shape);
	hist_group_release(&h->group);
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
				  r->n_chains };
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
	if (h->profile->samples.count) {
		ret->first_ns = ret->last_ns = 0;
		ret->equal_samples = 0;
		return;
	}
	ret->equal_samples = period > 0 ? period * period / h->all.equal_samples : 0;
}

bool ptui_hist_children(const struct ptui_hist *h)
{
	return h->children;
}

void ptui_hist_cell_parts(const struct ptui_hist *h, size_t row, size_t col, struct ptui_cell *ret)
{
	if (!col) /* rows are mostly asked for one after the other */
		hist_prefetch_frame(h, row);
	hist_key_cell(h->plan.show[col], h, &h->rows[row], ret);
}

void ptui_hist_row_cells(const struct ptui_hist *h, size_t row, struct ptui_cell *ret)
{
	const struct hist_row *r = &h->rows[row];
	size_t n = h->plan.n_show;

	hist_prefetch_frame(h, row);
	for (size_t i = 0; i < n; i++)
		hist_key_cell(h->plan.show[i], h, r, &ret[i]);
}

void ptui_hist_grouped_cell(const struct ptui_hist *h, size_t row, size_t col, size_t i,
			    struct ptui_cell *ret)
{
	const struct hist_row none = { .period = 0 }, *r = hist_group_row(h, &h->rows[row], i);

	hist_key_cell(h->plan.show[col], ptui_hist_grouped(h, i), r ? r : &none, ret);
}

/* Returns the length, which may be more than `size`. */
static int print_grouped(const struct ptui_hist *h, size_t row, size_t col, char *buf, size_t size)
{
	const struct hist_row none = { .period = 0 };
	size_t len = 0;

	for (size_t i = 0; i <= h->group.n; i++) {
		const struct hist_row *r = hist_group_row(h, &h->rows[row], i);
		char number[TEXT_NUMBER_BYTES];

		hist_key_print(h->plan.show[col], ptui_hist_grouped(h, i), r ? r : &none, number,
			       sizeof(number));
		len += (size_t)snprintf(len < size ? buf + len : NULL, len < size ? size - len : 0,
					"%*s", (int)h->columns[col].each, number);
	}
	return (int)len;
}

int ptui_hist_cell(const struct ptui_hist *h, size_t row, size_t col, char *buf, size_t size)
{
	if (h->columns[col].each)
		return print_grouped(h, row, col, buf, size);
	return hist_key_print(h->plan.show[col], h, &h->rows[row], buf, size);
}
