/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "base/strpool.h"
#include "base/text.h"
#include "base/vec.h"
#include "cli/diff/diff.h"

#define BETWEEN '\037' /* occurs in no name */
#define ADDRESS "\037" /* in the text of a row: a function without a name */

/* ---- keys ---- */

static const struct {
	const char *key;
	size_t list; /* in struct diff_filter */
	bool is_name;
} filters[] = {
	{ "comm", offsetof(struct diff_filter, comms), true },
	{ "dso", offsetof(struct diff_filter, dsos), true },
	{ "symbol", offsetof(struct diff_filter, symbols), true },
	{ "cpu", offsetof(struct diff_filter, cpus), false },
	{ "pid", offsetof(struct diff_filter, tids), false },
};

#define N_FILTERS (sizeof(filters) / sizeof(filters[0]))

static const char *filter_list(const struct diff_table *t, size_t i)
{
	return *(const char *const *)((const char *)t->filter + filters[i].list);
}

static bool has_word(const char *list, const char *word, size_t n)
{
	for (const char *s = list; s; s = strchr(s, ',')) {
		s += *s == ',';
		if (strcspn(s, ",") == n && !strncmp(s, word, n))
			return true;
	}
	return false;
}

bool diff_sorts_by(const char *sort, const char *key)
{
	return has_word(sort, key, strlen(key)) ||
	       (!strcmp(key, "symbol") && has_word(sort, "sym", 3));
}

static size_t n_words(const char *list)
{
	size_t n = 1;

	for (; *list; list++)
		n += *list == ',';
	return n;
}

/* The keys of the table, and those that only the filters need. */
static int add_keys(struct diff_table *t, const char *sort, struct ptui_error *err)
{
	struct buf keys = BUF_INIT;

	buf_add_str(&keys, sort);
	t->n_shown = n_words(sort);
	for (size_t i = 0; i < N_FILTERS; i++)
		if (filter_list(t, i) && !diff_sorts_by(sort, filters[i].key))
			buf_addf(&keys, ",%s", filters[i].key);
	if (buf_replace(&keys, &t->sort))
		return ptui_error_nomem(err);
	t->n_keys = n_words(t->sort);
	if (t->n_keys > DIFF_KEYS_MAX)
		return ptui_error_set(err, PTUI_ERROR_INPUT, E2BIG, sort,
				      _("too many keys for -s (at most %d)"), DIFF_KEYS_MAX);
	return ptui_hist_check_keys(NULL, t->sort, t->sort, err);
}

struct diff_table *diff_table_new(const char *sort, size_t n_files,
				  const struct diff_filter *filter, struct ptui_error *err)
{
	struct diff_table *t = calloc(1, sizeof(*t));

	if (!t || strpool_init(&t->texts) || strpool_init(&t->cells)) {
		diff_table_free(t);
		ptui_error_nomem(err);
		return NULL;
	}
	t->n_files = n_files;
	t->filter = filter;
	t->totals = calloc(n_files, sizeof(*t->totals));
	t->filtered_totals = calloc(n_files, sizeof(*t->filtered_totals));
	if (!t->totals || !t->filtered_totals)
		ptui_error_nomem(err);
	else if (!add_keys(t, sort, err))
		return t;
	diff_table_free(t);
	return NULL;
}

void diff_table_free(struct diff_table *t)
{
	if (!t)
		return;
	strpool_release(&t->texts);
	strpool_release(&t->cells);
	for (size_t i = 0; i < DIFF_KEYS_MAX; i++)
		free(t->titles[i]);
	free(t->sort);
	free(t->rows);
	free(t->periods);
	free(t->present);
	free(t->totals);
	free(t->filtered_totals);
	diff_cycles_free(t->cycles);
	free(t);
}

/* ---- rows ---- */

/* The function's name in the text of a cell: "[.] name". */
const char *diff_symbol_name(const char *cell)
{
	return *cell == '[' && strlen(cell) > 4 ? cell + 4 : cell;
}

static bool is_address(const char *name)
{
	return text_starts_with(name, "0x") &&
	       strspn(name + 2, "0123456789abcdef") == strlen(name + 2);
}

static int get_cell(const struct ptui_hist *h, size_t row, size_t col, struct buf *out)
{
	int n = ptui_hist_cell(h, row, col, NULL, 0);
	char *at;

	buf_clear(out);
	at = n < 0 ? NULL : buf_reserve(out, (size_t)n + 1);
	if (!at)
		return -ENOMEM;
	ptui_hist_cell(h, row, col, at, (size_t)n + 1);
	buf_added(out, (size_t)n);
	return 0;
}

/* What the filter of a key compares: the thread id of "1234:name". */
static bool passes(const struct diff_table *t, const char *key, const char *cell)
{
	for (size_t i = 0; i < N_FILTERS; i++) {
		const char *list = filter_list(t, i);
		size_t n;

		if (!list || strcmp(filters[i].key, key) != 0)
			continue;
		if (!strcmp(key, "symbol"))
			cell = diff_symbol_name(cell);
		cell += strspn(cell, " ");
		n = strcmp(key, "pid") ? strlen(cell) : strspn(cell, "0123456789");
		if (!has_word(list, cell, n))
			return false;
	}
	return true;
}

/* The row of this text, new if there is none; SIZE_MAX: out of memory. */
static size_t find_row(struct diff_table *t, const char *text, const struct diff_row *row)
{
	size_t n_before = t->texts.n, at;
	uint32_t id = strpool_add(&t->texts, text);

	if (id == PTUI_NONE)
		return SIZE_MAX;
	at = id - 1; /* id 0 is the empty text, which no row has */
	if (id < n_before)
		return at;
	if (vec_grow(&t->rows, &t->cap, at + 1) ||
	    vec_grow(&t->periods, &t->periods_cap, (at + 1) * t->n_files) ||
	    vec_grow(&t->present, &t->present_cap, (at + 1) * t->n_files))
		return SIZE_MAX;
	t->rows[at] = *row;
	memset(t->periods + at * t->n_files, 0, t->n_files * sizeof(*t->periods));
	memset(t->present + at * t->n_files, 0, t->n_files * sizeof(*t->present));
	return at;
}

/* Reads the cells of a row. *ret_text: what makes it the same as a row of another file. */
static int read_row(struct diff_table *t, const struct ptui_hist *h, size_t i, struct diff_row *ret,
		    struct buf *ret_text, struct buf *cell, bool *ret_passes)
{
	char build[PTUI_BUILD_ID_HEX];

	memset(ret, 0, sizeof(*ret));
	ret->nameless = t->nameless;
	buf_clear(ret_text);
	*ret_passes = true;
	for (size_t k = 0; k < t->n_keys && *ret_passes; k++) {
		const char *text;

		if (get_cell(h, i, k, cell))
			return -ENOMEM;
		text = buf_str(cell);
		*ret_passes = passes(t, t->names[k], text);
		if (k >= t->n_shown)
			continue;
		ret->cells[k] = strpool_add(&t->cells, text);
		if (ret->cells[k] == PTUI_NONE)
			return -ENOMEM;
		/* as in perf: addresses differ between builds, and names do not */
		if (!strcmp(t->names[k], "symbol")) {
			text = diff_symbol_name(text);
			ret->nameless = is_address(text);
			if (ret->nameless)
				text = ADDRESS;
		}
		buf_add_str(ret_text, text);
		buf_add_char(ret_text, BETWEEN);
	}
	ptui_hist_row_build(h, i, build);
	buf_add_str(ret_text, build);
	return ret_text->err;
}

/* As in perf, a name that all rows have in common needs no column, unless no other key would be left. */
static void hide_common(struct diff_table *t)
{
	bool others = false;

	for (size_t k = 0; k < t->n_shown; k++) {
		t->hidden[k] = false;
		for (size_t i = 0; i < N_FILTERS; i++) {
			const char *list = filter_list(t, i);

			if (filters[i].is_name && list && !strchr(list, ',') &&
			    !strcmp(filters[i].key, t->names[k]))
				t->hidden[k] = true;
		}
		others |= !t->hidden[k];
	}
	if (!others)
		memset(t->hidden, 0, sizeof(t->hidden));
	for (size_t k = 0; k < t->n_shown; k++)
		if (!t->hidden[k])
			t->last = k;
}

static int set_titles(struct diff_table *t, const struct ptui_hist *h)
{
	for (size_t k = 0; k < t->n_keys; k++) {
		const struct ptui_column *c = ptui_hist_column(h, k);

		t->names[k] = c->name;
		if (!t->titles[k])
			t->titles[k] = strdup(c->title);
		if (!t->titles[k])
			return -ENOMEM;
	}
	hide_common(t);
	t->padded = ptui_hist_column(h, t->last)->padded;
	return 0;
}

/* Without the key symbol: whether the column of the DSOs is as wide as perf makes it then. */
static bool has_nameless(const struct ptui_hist *h)
{
	for (size_t k = 0; k < ptui_hist_n_columns(h); k++)
		if (!strcmp(ptui_hist_column(h, k)->name, "dso"))
			return ptui_hist_column(h, k)->width == DIFF_DSO_WIDTH;
	return false;
}

/* rows_at: where each row of the histogram went, SIZE_MAX: it was left out. */
static int add_rows(struct diff_table *t, size_t file, const struct ptui_hist *h, size_t *rows_at)
{
	struct buf text = BUF_INIT, cell = BUF_INIT;
	int ret = set_titles(t, h);

	t->nameless = has_nameless(h);
	for (size_t i = 0; i < ptui_hist_n_rows(h) && !ret; i++) {
		struct ptui_row counts;
		struct diff_row row;
		bool wanted;
		size_t at;

		rows_at[i] = SIZE_MAX;
		ret = read_row(t, h, i, &row, &text, &cell, &wanted);
		if (ret || !wanted)
			continue;
		at = find_row(t, buf_str(&text), &row);
		if (at == SIZE_MAX) {
			ret = -ENOMEM;
			break;
		}
		rows_at[i] = at;
		ptui_hist_row(h, i, &counts);
		t->periods[at * t->n_files + file] += counts.period;
		t->present[at * t->n_files + file] = true;
		t->filtered_totals[file] += counts.period;
	}
	buf_release(&text);
	buf_release(&cell);
	return ret;
}

int diff_table_add(struct diff_table *t, size_t file, struct ptui_profile *p, uint32_t event,
		   struct ptui_error *err)
{
	struct ptui_hist_opts opts = {
		.event = event,
		.sort = t->sort,
		.fields = t->sort,
		.no_chains = true,
		.filter = { .pids = t->filter->pids,
			    .times = t->filter->times_of ? t->filter->times_of[file] :
							   t->filter->times,
			    .hide_dsos = t->filter->hide_dsos,
			    .collapse_recursion = t->filter->collapse_recursion },
	};
	struct ptui_hist *h = ptui_hist_new(p, &opts, err);
	size_t *rows_at;
	int ret;

	if (!h)
		return -ENOMEM;
	t->totals[file] = ptui_hist_total_period(h);
	rows_at = calloc(ptui_hist_n_rows(h) + 1, sizeof(*rows_at));
	ret = rows_at ? add_rows(t, file, h, rows_at) : -ENOMEM;
	if (!ret && t->cycles)
		ret = diff_cycles_add(t, file, h, rows_at);
	free(rows_at);
	ptui_hist_free(h);
	return ret ? ptui_error_nomem(err) : 0;
}
