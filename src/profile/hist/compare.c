/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ptui/compare.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/buf.h"
#include "base/i18n.h"
#include "base/strpool.h"
#include "base/vec.h"
#include "profile/hist/hist.h"

#define SAMPLES_MIN 3.5	   /* fewer are not significant */
#define BETWEEN	    '\037' /* occurs in no name */

struct ptui_compare {
	const struct ptui_hist *before, *after;
	double worth_before, worth_after; /* in samples */
	struct ptui_compare_row *rows;
	size_t n, cap;
};

/*
 * The rows of `after` by their text. Rows with the same text (two static functions of one name)
 * form a chain, which is matched in order.
 */
struct matcher {
	struct strpool texts;
	uint32_t *first; /* by text: the next row to be matched; PTUI_NONE: no more */
	uint32_t *next;	 /* by row: the next one with the same text */
	struct buf text; /* scratch */
};

static int add_cell(struct buf *out, const struct ptui_hist *h, const struct hist_row *row,
		    const struct hist_key *key)
{
	char small[256], *large;
	int n = hist_key_print(key, h, row, small, sizeof(small));

	if (n < (int)sizeof(small)) {
		buf_add_str(out, small);
		return out->err;
	}
	large = malloc((size_t)n + 1);
	if (!large)
		return -ENOMEM;
	hist_key_print(key, h, row, large, (size_t)n + 1);
	buf_add_str(out, large);
	free(large);
	return out->err;
}

/* Interns the text of the keys that identify the row. PTUI_NONE: out of memory. */
static uint32_t row_text(struct matcher *m, const struct ptui_hist *h, size_t row)
{
	char build[PTUI_BUILD_ID_HEX];

	buf_clear(&m->text);
	for (size_t i = 0; i < h->plan.n_sort; i++) {
		if (!h->plan.sort[i]->value)
			continue;
		if (add_cell(&m->text, h, &h->rows[row], h->plan.sort[i]))
			return PTUI_NONE;
		buf_add_char(&m->text, BETWEEN);
	}
	ptui_hist_row_build(h, row, build);
	buf_add_str(&m->text, build);
	return m->text.err ? PTUI_NONE : strpool_add(&m->texts, buf_str(&m->text));
}

/* From the last row to the first, so that each chain starts with the top row. */
static int matcher_init(struct matcher *m, const struct ptui_hist *after)
{
	size_t n = after->n_rows;

	memset(m, 0, sizeof(*m));
	if (strpool_init(&m->texts))
		return -ENOMEM;
	m->first = malloc((n + 2) * sizeof(*m->first)); /* texts of the rows, and "" */
	m->next = malloc((n + 1) * sizeof(*m->next));
	if (!m->first || !m->next)
		return -ENOMEM;
	memset(m->first, 0xff, (n + 2) * sizeof(*m->first));
	while (n--) {
		uint32_t text = row_text(m, after, n);

		if (text == PTUI_NONE)
			return -ENOMEM;
		m->next[n] = m->first[text];
		m->first[text] = (uint32_t)n;
	}
	return 0;
}

static void matcher_release(struct matcher *m)
{
	strpool_release(&m->texts);
	buf_release(&m->text);
	free(m->first);
	free(m->next);
}

static double share(const struct ptui_hist *h, uint64_t part)
{
	return h->total_period ? (double)part / (double)h->total_period : 0;
}

/* The number of samples of equal weight that 100 % of the view is worth. */
static double samples_worth(const struct ptui_hist *h)
{
	struct ptui_hist_all all;

	ptui_hist_all(h, &all);
	return all.period ? all.equal_samples * (double)h->total_period / (double)all.period : 0;
}

/* With one more sample inside and outside the row (Agresti and Caffo), for small numbers. */
static double variance(double part, double samples)
{
	double p = (part * samples + 1) / (samples + 2);

	return p * (1 - p) / (samples + 2);
}

static double noise(const struct ptui_compare *c, double before, double after)
{
	/* three of three against none of three happens by chance in one of ten cases */
	if (c->worth_before < SAMPLES_MIN || c->worth_after < SAMPLES_MIN)
		return 1;
	return 2 * sqrt(variance(before, c->worth_before) + variance(after, c->worth_after));
}

static int add_row(struct ptui_compare *c, size_t before, size_t after)
{
	struct ptui_compare_row *r;

	if (vec_grow(&c->rows, &c->cap, c->n + 1))
		return -ENOMEM;
	r = &c->rows[c->n++];
	*r = (struct ptui_compare_row){ .before = before, .after = after };
	if (before != PTUI_COMPARE_NONE) {
		r->share_before = share(c->before, c->before->rows[before].period);
		r->children_before = share(c->before, c->before->rows[before].period_children);
	}
	if (after != PTUI_COMPARE_NONE) {
		r->share_after = share(c->after, c->after->rows[after].period);
		r->children_after = share(c->after, c->after->rows[after].period_children);
	}
	if (c->after->children) {
		r->delta = r->children_after - r->children_before;
		r->noise = noise(c, r->children_before, r->children_after);
	} else {
		r->delta = r->share_after - r->share_before;
		r->noise = noise(c, r->share_before, r->share_after);
	}
	return 0;
}

static int match_rows(struct ptui_compare *c, struct matcher *m)
{
	uint32_t known = m->texts.n;
	bool *taken = calloc(c->after->n_rows + 1, sizeof(*taken));
	int ret = taken ? 0 : -ENOMEM;

	for (size_t i = 0; i < c->before->n_rows && !ret; i++) {
		uint32_t text = row_text(m, c->before, i), row;

		if (text == PTUI_NONE) {
			ret = -ENOMEM;
			break;
		}
		row = text < known ? m->first[text] : PTUI_NONE;
		if (row != PTUI_NONE) {
			m->first[text] = m->next[row];
			taken[row] = true;
		}
		ret = add_row(c, i, row == PTUI_NONE ? PTUI_COMPARE_NONE : row);
	}
	for (size_t i = 0; i < c->after->n_rows && !ret; i++)
		ret = taken[i] ? 0 : add_row(c, PTUI_COMPARE_NONE, i);
	free(taken);
	return ret;
}

/* Rounds: smaller differences are floating-point errors. */
static long long delta_steps(double delta)
{
	return (long long)((delta < 0 ? -delta : delta) * 1e9 + 0.5);
}

/* PTUI_COMPARE_NONE is the largest number: rows that are gone are last among equals. */
static int delta_order(const void *x, const void *y)
{
	const struct ptui_compare_row *a = x, *b = y;
	long long da = delta_steps(a->delta), db = delta_steps(b->delta);

	if (da != db)
		return da > db ? -1 : 1;
	if (a->after != b->after)
		return a->after < b->after ? -1 : 1;
	return a->before < b->before ? -1 : a->before > b->before;
}

static bool have_same_keys(const struct ptui_hist *a, const struct ptui_hist *b)
{
	return a->children == b->children && a->plan.n_sort == b->plan.n_sort &&
	       a->plan.n_show == b->plan.n_show &&
	       !memcmp(a->plan.sort, b->plan.sort, a->plan.n_sort * sizeof(*a->plan.sort)) &&
	       !memcmp(a->plan.show, b->plan.show, a->plan.n_show * sizeof(*a->plan.show));
}

struct ptui_compare *ptui_compare_new(const struct ptui_hist *before, const struct ptui_hist *after,
				      struct ptui_error *err)
{
	struct ptui_compare *c;
	struct matcher m;
	int ret;

	if (!have_same_keys(before, after)) {
		ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, NULL,
			       _("only views with the same columns can be compared"));
		return NULL;
	}
	c = calloc(1, sizeof(*c));
	if (!c) {
		ptui_error_nomem(err);
		return NULL;
	}
	c->before = before;
	c->after = after;
	c->worth_before = samples_worth(before);
	c->worth_after = samples_worth(after);
	ret = matcher_init(&m, after);
	if (!ret)
		ret = match_rows(c, &m);
	matcher_release(&m);
	if (ret) {
		ptui_error_nomem(err);
		ptui_compare_free(c);
		return NULL;
	}
	if (c->n)
		qsort(c->rows, c->n, sizeof(*c->rows), delta_order);
	return c;
}

void ptui_compare_free(struct ptui_compare *c)
{
	if (!c)
		return;
	free(c->rows);
	free(c);
}

size_t ptui_compare_n_rows(const struct ptui_compare *c)
{
	return c->n;
}

void ptui_compare_row(const struct ptui_compare *c, size_t i, struct ptui_compare_row *ret)
{
	*ret = c->rows[i];
}

int ptui_compare_cell(const struct ptui_compare *c, size_t i, size_t col, char *buf, size_t size)
{
	const struct ptui_compare_row *r = &c->rows[i];

	if (r->after != PTUI_COMPARE_NONE)
		return ptui_hist_cell(c->after, r->after, col, buf, size);
	return ptui_hist_cell(c->before, r->before, col, buf, size);
}
