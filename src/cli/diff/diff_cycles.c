/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * -c cycles: how many more cycles a basic block takes than in the baseline. As in perf, a block is the
 * longest one that ends at a branch, and its cycles are the mean of all that end there:
 *
 *	row (dso, symbol)   work  [.] main
 *	  block 12..30        baseline 48 / 4 = 12    other file 45 / 3 = 15    +3
 *	  block 34..60        only in one of them: not compared
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"
#include "cli/diff/diff.h"

/* A block of one file. */
struct found {
	size_t row;
	uint32_t id; /* cell: what makes it the same block in all files */
	uint32_t range;
	uint64_t cycles, runs;
	uint16_t first_runs[PTUI_BLOCK_RUNS];
	uint32_t n_first_runs;
};

struct of_file {
	struct found *found; /* sorted by row and id */
	size_t n_found, cap_found;
	struct diff_block *blocks; /* sorted by row and difference */
	size_t n_blocks, cap_blocks;
};

struct diff_cycles {
	size_t n_files;
	struct of_file files[];
};

struct diff_cycles *diff_cycles_new(size_t n_files)
{
	struct diff_cycles *c = calloc(1, sizeof(*c) + n_files * sizeof(*c->files));

	if (c)
		c->n_files = n_files;
	return c;
}

void diff_cycles_free(struct diff_cycles *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->n_files; i++) {
		free(c->files[i].found);
		free(c->files[i].blocks);
	}
	free(c);
}

/* ---- the blocks of a file ---- */

static int compare_names(const void *pa, const void *pb)
{
	const struct ptui_code_block *a = pa, *b = pb;
	int cmp = strcmp(a->symbol, b->symbol);

	if (!cmp)
		cmp = strcmp(a->dso, b->dso);
	if (!cmp)
		cmp = a->start < b->start ? -1 : a->start > b->start;
	return cmp ? cmp : a->end < b->end ? -1 : a->end > b->end;
}

static int add_block(struct diff_table *t, struct of_file *file, size_t row,
		     const struct ptui_code_block *b)
{
	struct buf id = BUF_INIT;
	struct found *f;
	int ret = -ENOMEM;

	buf_addf(&id, "%s\037%s\037%" PRIu64 "\037%" PRIu64, b->dso, b->symbol, b->start, b->end);
	if (id.err || vec_grow(&file->found, &file->cap_found, file->n_found + 1))
		goto out;
	f = &file->found[file->n_found];
	*f = (struct found){ .row = row,
			     .id = strpool_add(&t->cells, buf_str(&id)),
			     .range = strpool_add(&t->cells, b->range),
			     .cycles = b->all_cycles,
			     .runs = b->runs,
			     .n_first_runs = b->n_first_runs };
	memcpy(f->first_runs, b->first_runs, sizeof(f->first_runs));
	if (f->id == PTUI_NONE || f->range == PTUI_NONE)
		goto out;
	file->n_found++;
	ret = 0;
out:
	buf_release(&id);
	return ret;
}

/* The blocks, sorted by name, that are in the function of a row. */
static int add_row(struct diff_table *t, size_t file, const struct ptui_hist *h, size_t from,
		   size_t row, const struct ptui_code_blocks *blocks)
{
	uint32_t frame = ptui_hist_row_frame(h, from);
	char name[2048];
	size_t at;
	int ret = 0;

	if (frame == PTUI_NONE ||
	    ptui_hist_frame_name(h, frame, name, sizeof(name)) >= (int)sizeof(name))
		return 0;
	at = bisect(i, blocks->n, strcmp(blocks->v[i].symbol, name) < 0);
	for (; at < blocks->n && !strcmp(blocks->v[at].symbol, name) && !ret; at++)
		if (ptui_hist_is_function(h, frame, blocks->v[at].frame))
			ret = add_block(t, &t->cycles->files[file], row, &blocks->v[at]);
	return ret;
}

int diff_cycles_add(struct diff_table *t, size_t file, const struct ptui_hist *h,
		    const size_t *rows)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct ptui_code_blocks blocks;
	int ret = ptui_hist_code_blocks(h, &blocks, &err);

	if (ret)
		return ret;
	qsort(blocks.v, blocks.n, sizeof(*blocks.v), compare_names);
	for (size_t i = 0; i < ptui_hist_n_rows(h) && !ret; i++)
		if (rows[i] != SIZE_MAX)
			ret = add_row(t, file, h, i, rows[i], &blocks);
	free(blocks.v);
	return ret;
}

/* ---- matching ---- */

static int compare_found(const void *pa, const void *pb)
{
	const struct found *a = pa, *b = pb;

	if (a->row != b->row)
		return a->row < b->row ? -1 : 1;
	return a->id < b->id ? -1 : a->id > b->id;
}

/* Rows of a file with the same text are one row of the table, and so are their blocks. */
static void merge_found(struct of_file *file)
{
	size_t n = 0;

	qsort(file->found, file->n_found, sizeof(*file->found), compare_found);
	for (size_t i = 0; i < file->n_found; i++) {
		struct found *at = &file->found[i], *last = n ? &file->found[n - 1] : NULL;

		if (!last || compare_found(last, at) != 0) {
			file->found[n++] = *at;
			continue;
		}
		last->cycles += at->cycles;
		last->runs += at->runs;
	}
	file->n_found = n;
}

static uint64_t magnitude(int64_t n)
{
	return n < 0 ? -(uint64_t)n : (uint64_t)n;
}

static int compare_blocks(const void *pa, const void *pb, void *ctx)
{
	const struct diff_block *a = pa, *b = pb;
	const struct diff_table *t = ctx;

	if (a->row != b->row)
		return a->row < b->row ? -1 : 1;
	if (magnitude(a->diff) != magnitude(b->diff))
		return magnitude(a->diff) > magnitude(b->diff) ? -1 : 1;
	return strcmp(strpool_get(&t->cells, a->range), strpool_get(&t->cells, b->range));
}

static int match_file(struct diff_table *t, const struct of_file *base, struct of_file *file)
{
	for (size_t i = 0, k = 0; i < base->n_found && k < file->n_found;) {
		const struct found *pair[2] = { &base->found[i], &file->found[k] };
		int cmp = compare_found(pair[0], pair[1]);
		struct diff_block *b;

		i += cmp <= 0;
		k += cmp >= 0;
		if (cmp)
			continue;
		if (vec_grow(&file->blocks, &file->cap_blocks, file->n_blocks + 1))
			return -ENOMEM;
		b = &file->blocks[file->n_blocks++];
		*b = (struct diff_block){ .row = pair[0]->row, .range = pair[0]->range };
		for (size_t f = 0; f < 2; f++) {
			b->cycles[f] = pair[f]->cycles;
			b->runs[f] = pair[f]->runs;
			b->n_first_runs[f] = pair[f]->n_first_runs;
			memcpy(b->first_runs[f], pair[f]->first_runs, sizeof(b->first_runs[f]));
		}
		b->diff = (int64_t)(b->cycles[1] / b->runs[1]) -
			  (int64_t)(b->cycles[0] / b->runs[0]);
	}
	qsort_r(file->blocks, file->n_blocks, sizeof(*file->blocks), compare_blocks, t);
	return 0;
}

int diff_cycles_match(struct diff_table *t)
{
	struct of_file *files = t->cycles->files;

	for (size_t i = 0; i < t->n_files; i++) {
		merge_found(&files[i]);
		if (i && match_file(t, &files[0], &files[i]))
			return -ENOMEM;
	}
	return 0;
}

const struct diff_block *diff_cycles_of(const struct diff_table *t, size_t row, size_t file,
					size_t *ret_n)
{
	const struct of_file *f = &t->cycles->files[file];
	size_t first = bisect(i, f->n_blocks, f->blocks[i].row < row);

	*ret_n = bisect(i, f->n_blocks, f->blocks[i].row <= row) - first;
	return f->blocks + first;
}

/* ---- how far single runs differ ---- */

void diff_cycles_hist(const struct diff_block *b, char *buf, size_t size)
{
	static const char *const bars[] = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
	const size_t n_bars = sizeof(bars) / sizeof(bars[0]);
	size_t n = b->n_first_runs[0] < b->n_first_runs[1] ? b->n_first_runs[0] :
							     b->n_first_runs[1];
	unsigned v[PTUI_BLOCK_RUNS], min = UINT16_MAX, max = 0;
	double mean = 0, squares = 0;
	size_t at;

	*buf = '\0';
	for (size_t i = 0; i < n; i++) {
		v[i] = (unsigned)abs((int)b->first_runs[1][i] - (int)b->first_runs[0][i]);
		mean += (double)v[i] / (double)n;
		min = v[i] < min ? v[i] : min;
		max = v[i] > max ? v[i] : max;
	}
	if (n < 2 || !max)
		return;
	for (size_t i = 0; i < n; i++)
		squares += ((double)v[i] - mean) * ((double)v[i] - mean);
	/* of the mean, in percent of it */
	at = (size_t)snprintf(buf, size, "±%5.1f%% ",
			      100.0 * sqrt(squares / (double)(n - 1) / (double)n) / mean);
	for (size_t i = 0; i < PTUI_BLOCK_RUNS && at < size; i++)
		at += (size_t)snprintf(buf + at, size - at, "%s",
				       i >= n ? " " :
				       min == max ?
						bars[0] :
						bars[(v[i] - min) * (n_bars - 1) / (max - min)]);
}
