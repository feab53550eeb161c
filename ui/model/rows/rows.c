/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/vec.h"
#include "model/rows/rows_private.h"
#include "text/i18n.h"
#include "text/utf8.h"

#define MEASURED 100 /* rows */

/* What takes a few milliseconds: call trees freed, rows shown, rows sorted by a column. */
#define MADE_AT_ONCE   1000
#define SHOWN_AT_ONCE  500000
#define SORTED_AT_ONCE 5000

/* ---- a histogram as source ---- */

static const struct ptui_column *hist_column(const void *of, size_t column)
{
	return ptui_hist_column(of, column);
}

static void hist_cell(const void *of, size_t row, size_t column, char *buf, size_t size)
{
	ptui_hist_cell(of, row, column, buf, size);
}

static const struct ptui_hist *hist_itself(const void *of, size_t *row)
{
	(void)row;
	return of;
}

static const struct rows_source hist_source = {
	.column = hist_column,
	.cell = hist_cell,
	.hist = hist_itself,
};

size_t rows_n_columns(const struct rows *b)
{
	if (b->levels)
		return b->n_measures + 1;
	return b->hist ? ptui_hist_n_columns(b->hist) : b->source->n_columns;
}

const struct ptui_column *rows_column(const struct rows *b, size_t column)
{
	return column < rows_n_columns(b) ? b->source->column(b->of, column) : NULL;
}

size_t rows_find_column(const struct rows *b, const char *key)
{
	for (size_t c = 0; c < rows_n_columns(b); c++)
		if (!strcmp(rows_column(b, c)->name, key))
			return c;
	return SIZE_MAX;
}

const char *rows_hist_cell(const struct ptui_hist *h, size_t row, const char *key, char *buf,
			   size_t size)
{
	buf[0] = '\0';
	for (size_t c = 0; c < ptui_hist_n_columns(h); c++)
		if (!strcmp(ptui_hist_column(h, c)->name, key))
			ptui_hist_cell(h, row, c, buf, size);
	return buf;
}

/* ---- ids ---- */

uint64_t rows_hash(uint64_t hash, const char *text)
{
	return hash_pair(hash, hash_bytes(text, strlen(text)));
}

static bool is_node(const void *owner, uint32_t node, const void *id)
{
	return rows_node(owner, node)->id == *(const uint64_t *)id;
}

static uint32_t find_node(const struct rows *b, uint64_t id)
{
	uint32_t i = index_table_find(&b->index, id, is_node, b, &id);

	return i != PTUI_NONE ?
		       i :
		       index_table_find(&b->index_below[id % ROWS_TABLES], id, is_node, b, &id);
}

struct node *rows_find(const struct rows *b, uint64_t id)
{
	uint32_t i;

	if (id == ROWS_TOP)
		return NULL;
	if (b->hint < b->n_nodes && rows_node(b, b->hint)->id == id)
		i = (uint32_t)b->hint;
	else
		i = find_node(b, id);
	return i != PTUI_NONE && !rows_node(b, i)->hidden ? rows_node(b, i) : NULL;
}

int rows_add(struct rows *b, const struct node *like)
{
	if (b->n_nodes + 1 >= NONE)
		return -ENOMEM;
	if (b->n_nodes == b->n_blocks * ROWS_BLOCK) {
		struct node *block;

		if (vec_grow(&b->blocks, &b->cap_blocks, b->n_blocks + 1))
			return -ENOMEM;
		block = malloc(ROWS_BLOCK * sizeof(*block));
		if (!block)
			return -ENOMEM;
		b->blocks[b->n_blocks++] = block;
	}
	*rows_node(b, b->n_nodes++) = *like;
	return 0;
}

int rows_set_id(struct rows *b, uint32_t i, uint64_t id)
{
	struct index_table *index;

	while (id == ROWS_TOP || find_node(b, id) != PTUI_NONE)
		id = rows_hash(id, "again");
	index = i < b->n_all ? &b->index : &b->index_below[id % ROWS_TABLES];
	if (index_table_add(index, id, i))
		return -ENOMEM;
	rows_node(b, i)->id = id;
	return 0;
}

uint32_t rows_top_find(const struct rows *b, uint64_t id)
{
	uint32_t i = index_table_find(&b->index, id, is_node, b, &id);

	return i != PTUI_NONE && !rows_node(b, i)->hidden ? i : PTUI_NONE;
}

static void clear_index_below(struct rows *b)
{
	for (size_t i = 0; i < ROWS_TABLES; i++)
		index_table_release(&b->index_below[i]);
}

/* Numbers change when samples are counted again: hash the other columns. */
static uint64_t row_id(const struct rows *b, uint32_t row)
{
	uint64_t id = 1;
	char cell[ROW_BYTES];

	for (size_t c = 0; c < rows_n_columns(b); c++) {
		if (rows_column(b, c)->number)
			continue;
		b->source->cell(b->of, row, c, cell, sizeof(cell));
		id = rows_hash(id, cell);
	}
	return id;
}

/* ---- the order of rows ---- */

struct sortable {
	double number;
	char *text; /* NULL: a number */
	uint32_t index, at;
};

static int by_value(const void *x, const void *y)
{
	const struct sortable *a = x, *b = y;
	int cmp = a->text && b->text	 ? strcasecmp(a->text, b->text) :
		  a->number != b->number ? (a->number > b->number ? -1 : 1) :
					   0;

	/* equal ones stay as counted */
	return cmp ? cmp : a->at < b->at ? -1 : a->at > b->at;
}

/* The histogram that has a row of the source; *row becomes its row there. */
static const struct ptui_hist *hist_of(const struct rows *b, uint32_t *row)
{
	const struct ptui_hierarchy_node *node;

	if (!b->levels)
		return b->hist;
	node = ptui_hierarchy_node(b->levels, *row);
	*row = node->row;
	return ptui_hierarchy_level(b->levels, node->level);
}

static double cell_number(const struct rows *b, uint32_t row, size_t column)
{
	const struct ptui_hist *h = hist_of(b, &row);
	struct ptui_cell cell;

	ptui_hist_cell_parts(h, row, b->levels ? b->measures[column] : column, &cell);
	return cell.kind == PTUI_CELL_PERCENT ? cell.percent : (double)cell.number;
}

int rows_sort(const struct rows *b, const uint32_t *rows, uint32_t *v, size_t n)
{
	size_t column = *b->opts.order.key ? rows_find_column(b, b->opts.order.key) : SIZE_MAX;
	bool number, missing = false;
	struct sortable *all;
	char cell[ROW_BYTES];

	if (column == SIZE_MAX || !n)
		return 0;
	all = calloc(n, sizeof(*all));
	if (!all)
		return -ENOMEM;
	number = b->hist && rows_column(b, column)->number;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t row = rows ? rows[v[i]] : v[i];

		all[i].index = v[i];
		all[i].at = i;
		if (number) {
			all[i].number = cell_number(b, row, column);
			continue;
		}
		b->source->cell(b->of, row, column, cell, sizeof(cell));
		all[i].text = strdup(rows_unmarked(cell) + strspn(rows_unmarked(cell), " "));
		missing |= !all[i].text;
	}
	if (!missing)
		qsort(all, n, sizeof(*all), by_value);
	for (size_t i = 0; i < n; i++) {
		v[b->opts.order.reverse ? n - 1 - i : i] = all[i].index;
		free(all[i].text);
	}
	free(all);
	return missing ? -ENOMEM : 0;
}

/* ---- visible rows ---- */

static double rows_percent_of(const struct rows *b, uint64_t period)
{
	return b->total ? 100.0 * (double)period / (double)b->total : 0;
}

static uint64_t row_period(const struct rows *b, uint32_t row)
{
	const struct ptui_hist *h = hist_of(b, &row);
	struct ptui_row r;

	ptui_hist_row(h, row, &r);
	return ptui_hist_children(h) ? r.period_children : r.period;
}

struct node rows_entry(const struct rows *b, uint32_t row, enum rows_kind kind)
{
	return (struct node){
		.row = b->levels ? ptui_hierarchy_node(b->levels, row)->first : row,
		.call = NONE,
		.frame = b->levels ? row : 0,
		.kind = (uint8_t)kind,
	};
}

bool rows_is_visible(const struct rows *b, uint32_t row)
{
	return !b->hist || rows_percent_of(b, row_period(b, row)) >= b->opts.limits.row_percent;
}

void rows_changed(struct rows *b)
{
	static atomic_uint_fast64_t revisions; /* rows are made in threads */

	b->revision = atomic_fetch_add(&revisions, 1) + 1;
}

uint64_t rows_revision(const struct rows *b)
{
	return b ? b->revision : 0;
}

/* Drops the nodes below the rows; call trees stay. */
static void clear_nodes(struct rows *b)
{
	b->n_nodes = b->n_all;
	for (size_t i = 0; i < b->n_all; i++)
		rows_node(b, i)->made = false;
	clear_index_below(b);
}

static void clear_below(struct rows *b)
{
	for (size_t i = 0; b->n_made && i < b->n_below; i++) {
		ptui_calltree_free(b->below[i].tree);
		ptui_hist_free(b->below[i].functions);
		b->below[i] = (struct below){ NULL, NULL };
	}
	b->n_made = 0;
}

/* Which rows are visible, and their order. */
static int show(struct rows *b)
{
	int ret;

	b->n_rows = 0;
	for (uint32_t i = 0; i < b->n_all; i++) {
		rows_node(b, i)->hidden = b->hist && rows_percent_of(b, b->periods[i]) <
							     b->opts.limits.row_percent;
		if (!rows_node(b, i)->hidden)
			b->shown[b->n_rows++] = i;
	}
	ret = rows_sort(b, b->all, b->shown, b->n_rows);
	if (ret)
		b->n_rows = 0;
	for (uint32_t i = 0; i < b->n_rows; i++)
		b->places[b->shown[i]] = i;
	rows_changed(b);
	return ret;
}

int rows_set_limits(struct rows *b, const struct rows_limits *limits)
{
	if (!memcmp(&b->opts.limits, limits, sizeof(*limits)) && b->n_rows)
		return 0;
	clear_nodes(b);
	clear_below(b);
	b->opts.limits = *limits;
	b->min_period = (uint64_t)((double)b->total * (limits->chain_percent / 100.0));
	return show(b);
}

int rows_set_order(struct rows *b, const struct rows_order *order)
{
	if (!strcmp(b->opts.order.key, order->key) && b->opts.order.reverse == order->reverse &&
	    b->n_rows)
		return 0;
	b->opts.order = *order;
	if (b->levels) /* those below have an order, too */
		clear_nodes(b);
	return show(b);
}

bool rows_is_slow(const struct rows *b, const struct rows_order *order)
{
	return b->n_made > MADE_AT_ONCE || b->n_all > SHOWN_AT_ONCE ||
	       (*order->key && b->n_all > SORTED_AT_ONCE);
}

static void row_origin(const struct rows *b, size_t row, struct ptui_row_origin *ret)
{
	const struct ptui_hist *h = b->source->hist(b->of, &row);

	ptui_hist_row_origin(h, row, ret);
}

static void widen_path(struct rows *b, uint32_t row)
{
	struct ptui_row_origin from;

	row_origin(b, row, &from);
	b->path_width = utf8_widest(b->path_width, from.dso_path ? from.dso_path : "");
}

/* Owns `list`. */
static int init_rows(struct rows *b, uint32_t *list, size_t n)
{
	b->all = list;
	b->n_all = n;
	b->shown = malloc((n + 1) * sizeof(*b->shown));
	b->places = malloc((n + 1) * sizeof(*b->places));
	b->periods = calloc(n + 1, sizeof(*b->periods));
	if (!list || !b->shown || !b->places || !b->periods)
		return -ENOMEM;
	b->symbol = b->levels ? rows_levels_column(b, NONE, "symbol") :
				rows_find_column(b, "symbol");
	b->dso = rows_find_column(b, "dso");
	for (size_t i = 0; i < n; i++) {
		struct node node = rows_entry(b, list[i], ROWS_ROW);

		if (rows_add(b, &node) || rows_set_id(b, (uint32_t)i, row_id(b, list[i])))
			return -ENOMEM;
		if (b->hist)
			b->periods[i] = row_period(b, list[i]);
		if (b->dso != SIZE_MAX)
			widen_path(b, list[i]);
	}
	return 0;
}

struct rows *rows_new(struct ptui_hist *h, const struct rows_opts *opts, struct ptui_error *err)
{
	struct rows *b = calloc(1, sizeof(*b));
	size_t n = ptui_hist_n_rows(h);
	uint32_t *list;

	if (!b) {
		ptui_hist_free(h);
		ptui_error_nomem(err);
		return NULL;
	}
	if (opts->most && n > opts->most)
		n = opts->most;
	atomic_init(&b->refs, 1);
	b->source = &hist_source;
	b->of = b->hist = h;
	b->opts = *opts;
	b->total = ptui_hist_total_period(h);
	b->below = calloc(n + 1, sizeof(*b->below));
	b->n_below = n;
	if (opts->hierarchy) {
		list = rows_levels_make(b, &n, err);
		if (!list) {
			rows_free(b);
			return NULL;
		}
	} else {
		list = malloc((n + 1) * sizeof(*list));
		for (uint32_t i = 0; list && i < n; i++)
			list[i] = i;
	}
	if (!init_rows(b, list, n) && b->below && !rows_set_limits(b, &opts->limits))
		return b;
	rows_free(b);
	ptui_error_nomem(err);
	return NULL;
}

struct rows *rows_new_list(const struct rows_source *source, const void *of, uint32_t *list,
			   size_t n)
{
	struct rows *b = calloc(1, sizeof(*b));

	if (!b) {
		free(list);
		return NULL;
	}
	atomic_init(&b->refs, 1);
	b->source = source;
	b->of = of;
	if (!init_rows(b, list, n) && !show(b))
		return b;
	rows_free(b);
	return NULL;
}

struct rows *rows_ref(struct rows *b)
{
	atomic_fetch_add_explicit(&b->refs, 1, memory_order_relaxed);
	return b;
}

bool rows_is_unshared(const struct rows *b)
{
	return atomic_load_explicit(&b->refs, memory_order_acquire) == 1;
}

void rows_free(struct rows *b)
{
	if (!b || atomic_fetch_sub_explicit(&b->refs, 1, memory_order_acq_rel) != 1)
		return;
	clear_below(b);
	rows_levels_release(b);
	free(b->below);
	free(b->all);
	free(b->shown);
	free(b->places);
	free(b->periods);
	for (size_t i = 0; i < b->n_blocks; i++)
		free(b->blocks[i]);
	free(b->blocks);
	index_table_release(&b->index);
	clear_index_below(b);
	ptui_hist_free(b->hist);
	free(b);
}

const struct ptui_hist *rows_hist(const struct rows *b)
{
	return b->hist;
}

const struct rows_limits *rows_limits(const struct rows *b)
{
	return &b->opts.limits;
}

bool rows_may_open(const struct rows *b)
{
	return b->opts.has_chains;
}

size_t rows_n(const struct rows *b)
{
	return b->n_rows;
}

size_t rows_n_hidden(const struct rows *b)
{
	return b->n_all - b->n_rows;
}

uint32_t rows_shown(const struct rows *b, size_t i)
{
	if (i >= b->n_rows)
		return PTUI_NONE;
	return b->levels ? rows_node(b, b->shown[i])->row : b->all[b->shown[i]];
}

/* ---- properties of a node ---- */

enum rows_kind rows_kind(const struct rows *b, uint64_t id)
{
	const struct node *n = rows_find(b, id);

	return n ? (enum rows_kind)n->kind : ROWS_NOTE;
}

uint32_t rows_row(const struct rows *b, uint64_t id)
{
	const struct node *n = rows_find(b, id);

	return n ? n->row : PTUI_NONE;
}

double rows_percent(const struct rows *b, uint64_t id)
{
	const struct node *n = rows_find(b, id);
	struct ptui_row r;

	if (!n || !b->hist)
		return -1;
	if (rows_is_entry(n))
		return rows_percent_of(b, row_period(b, rows_source_row(b, n)));
	if (n->kind == ROWS_FUNCTION) {
		ptui_hist_row(b->below[n->row].functions, n->call, &r);
		return rows_percent_of(b, r.period);
	}
	if (n->kind == ROWS_BRANCH || n->head)
		return rows_percent_of(b,
				       ptui_calltree_node(b->below[n->row].tree, n->call)->cumul);
	return -1;
}

const char *rows_cell(const struct rows *b, uint64_t id, size_t column, char *buf, size_t size)
{
	const struct node *n = rows_find(b, id);

	if (size)
		buf[0] = '\0';
	if (n && n->kind == ROWS_ROW && column < rows_n_columns(b))
		b->source->cell(b->of, rows_source_row(b, n), column, buf, size);
	return buf;
}

const char *rows_label(const struct rows *b, uint64_t id, char *buf, size_t size)
{
	const struct node *n = rows_find(b, id);

	if (size)
		buf[0] = '\0';
	if (n && n->kind == ROWS_NOTE)
		snprintf(buf, size,
			 n->frame ? _("all rows are below %.2f%%") :
				    _("all branches are below %.2f%%"),
			 n->frame ? b->opts.limits.row_percent : b->opts.limits.chain_percent);
	else if (n && n->kind == ROWS_LEVEL)
		b->source->cell(b->of, n->frame, b->n_measures, buf, size);
	else if (n && n->kind == ROWS_FUNCTION)
		rows_hist_cell(b->below[n->row].functions, n->call, "symbol", buf, size);
	else if (n && n->call != NONE)
		rows_frame_text(b->below[n->row].tree, n->call, n->frame, buf, size);
	return buf;
}

int rows_width(const struct rows *b, size_t column)
{
	char cell[ROW_BYTES];
	int most = 0;

	for (size_t i = 0; i < b->n_rows && i < MEASURED; i++) {
		b->source->cell(b->of, rows_source_row(b, rows_node(b, b->shown[i])), column, cell,
				sizeof(cell));
		most = utf8_widest(most, cell + strspn(cell, " "));
	}
	return most;
}

int rows_path_width(const struct rows *b)
{
	return b->path_width;
}

bool rows_origin(const struct rows *b, uint64_t id, struct ptui_row_origin *ret)
{
	const struct node *n = rows_find(b, id);
	struct ptui_row_origin of;

	if (!n)
		return false;
	if (b->levels && !rows_is_entry(n))
		ptui_hist_row_origin(b->hist, n->row, ret);
	else
		row_origin(b, rows_source_row(b, n), ret);
	if (n->kind != ROWS_FUNCTION)
		return true;
	/* the thread is the row's, the rest its own */
	ptui_hist_row_origin(b->below[n->row].functions, n->call, &of);
	ret->dso = of.dso;
	ret->dso_path = of.dso_path;
	ret->kernel = of.kernel;
	return true;
}

const char *rows_dso(const struct rows *b, uint64_t id)
{
	const struct node *n = rows_find(b, id);
	struct ptui_row_origin from;

	if (!n || n->kind == ROWS_NOTE)
		return NULL;
	if (n->kind == ROWS_BRANCH || n->kind == ROWS_FRAME)
		return ptui_calltree_dso(b->below[n->row].tree,
					 ptui_calltree_node(b->below[n->row].tree, n->call),
					 n->frame);
	return rows_origin(b, id, &from) ? from.dso : NULL;
}

const char *rows_unmarked(const char *cell)
{
	return cell[0] == '[' && cell[1] && cell[2] == ']' && cell[3] == ' ' ? cell + 4 : cell;
}

const char *rows_function(const struct rows *b, uint64_t id, char *buf, size_t size)
{
	const struct node *n = rows_find(b, id);
	char text[ROW_BYTES];
	const char *name;

	if (n && b->levels && rows_is_entry(n))
		rows_hist_cell(b->hist, n->row,
			       rows_levels_column(b, n->frame, "symbol") != SIZE_MAX ? "symbol" :
										       "",
			       text, sizeof(text));
	else if (rows_kind(b, id) != ROWS_ROW)
		rows_label(b, id, text, sizeof(text));
	else
		rows_cell(b, id, b->symbol, text, sizeof(text));
	name = rows_unmarked(text);
	snprintf(buf, size, "%s",
		 rows_kind(b, id) == ROWS_NOTE || !strncmp(name, "0x", 2) ? "" : name);
	return buf;
}

bool rows_code(const struct rows *b, uint64_t id, struct ptui_function *ret)
{
	const struct node *n = rows_find(b, id);
	struct ptui_calltree *tree;
	const struct ptui_hist *h;
	size_t row;

	if (!n || n->kind == ROWS_NOTE)
		return false;
	if (rows_is_entry(n)) {
		row = rows_source_row(b, n);
		h = b->source->hist(b->of, &row);
		return ptui_hist_row_function(h, row, ret);
	}
	if (n->kind == ROWS_FUNCTION)
		return ptui_hist_row_function(b->below[n->row].functions, n->call, ret);
	tree = b->below[n->row].tree;
	return ptui_calltree_function(tree, ptui_calltree_node(tree, n->call), n->frame, ret);
}

int rows_cpu(const struct rows *b, uint64_t id)
{
	const struct node *n = rows_find(b, id);
	size_t column = n && b->levels ?
				rows_levels_column(b, rows_is_entry(n) ? n->frame : NONE, "cpu") :
				rows_find_column(b, "cpu");
	char cell[ROW_BYTES];

	if (column == SIZE_MAX || !n)
		return -1;
	if (b->levels)
		ptui_hist_cell(b->hist, n->row, column, cell, sizeof(cell));
	else
		b->source->cell(b->of, n->row, column, cell, sizeof(cell));
	return atoi(cell);
}

bool rows_match(const struct rows *b, uint64_t id, const char *text)
{
	const struct node *n = rows_find(b, id);
	struct ptui_row_origin from;
	char buf[ROW_BYTES];
	size_t bytes;

	if (!n)
		return false;
	if (n->kind != ROWS_ROW)
		return utf8_find(rows_label(b, id, buf, sizeof(buf)), text, &bytes);
	for (size_t c = 0; c < rows_n_columns(b); c++) {
		if (rows_column(b, c)->number)
			continue;
		b->source->cell(b->of, rows_source_row(b, n), c, buf, sizeof(buf));
		if (utf8_find(buf, text, &bytes))
			return true;
	}
	if (b->dso == SIZE_MAX)
		return false;
	row_origin(b, n->row, &from);
	return from.dso_path && utf8_find(from.dso_path, text, &bytes);
}
