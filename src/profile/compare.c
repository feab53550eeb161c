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
#include "profile/hist.h"

#define SAMPLES_MIN 3.5	   /* of fewer nothing can be said */
#define BETWEEN	    '\037' /* in no name */

struct ptui_compare {
	const struct ptui_hist *before, *after;
	double worth_before, worth_after; /* samples */
	struct ptui_compare_row *rows;
	size_t n, cap;
};

/*
 * Rows of the view after by their text. Several may say the same (two static functions of one
 * name): they are a chain, and the first of one view is the first of the other.
 */
struct matcher {
	struct strpool texts;
	uint32_t *first; /* by text: the next row to be matched; PTUI_NONE: no more */
	uint32_t *next;	 /* by row: the one behind it that says the same */
	struct buf text; /* scratch */
};

static int add_cell(struct buf *out, const struct ptui_hist *h, const struct hist_row *row,
		    const struct hist_key *key)
{
	char small[256], *large;
	int n = key->print(h, row, small, sizeof(small));

	if (n < (int)sizeof(small)) {
		buf_add_str(out, small);
		return out->err;
	}
	large = malloc((size_t)n + 1);
	if (!large)
		return -ENOMEM;
	key->print(h, row, large, (size_t)n + 1);
	buf_add_str(out, large);
	free(large);
	return out->err;
}

/* What tells the row from others, as text: interned. PTUI_NONE: out of memory. */
static uint32_t row_text(struct matcher *m, const struct ptui_hist *h, size_t row)
{
	buf_clear(&m->text);
	for (size_t i = 0; i < h->plan.n_sort; i++) {
		if (!h->plan.sort[i]->value)
			continue;
		if (add_cell(&m->text, h, &h->rows[row], h->plan.sort[i]))
			return PTUI_NONE;
		buf_add_char(&m->text, BETWEEN);
	}
	return m->text.err ? PTUI_NONE : strpool_add(&m->texts, buf_str(&m->text));
}

/* From the last row to the first, so that each chain begins with the one that stands highest. */
static int matcher_init(struct matcher *m, const struct ptui_hist *after)
{
	size_t n = after->n_rows;

	memset(m, 0, sizeof(*m));
	if (strpool_init(&m->texts))
		return -ENOMEM;
	m->first = malloc((n + 2) * sizeof(*m->first)); /* texts of rows, and "" */
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

/* As many samples of equal weight as the view's 100 % are worth. */
static double worth(const struct ptui_hist *h)
{
	struct ptui_hist_all all;

	ptui_hist_all(h, &all);
	return all.period ? all.equal_samples * (double)h->total_period / (double)all.period : 0;
}

/* Each with one sample more in the row and one beside it (Agresti and Caffo): few samples count. */
static double variance(double part, double samples)
{
	double p = (part * samples + 1) / (samples + 2);

	return p * (1 - p) / (samples + 2);
}

static double noise(const struct ptui_compare *c, double before, double after)
{
	/* three of three and none of three are chance in one case of ten */
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

static int match(struct ptui_compare *c, struct matcher *m)
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

/* What differs by less than this is the arithmetic's, not the recordings'. */
static long long steps(double delta)
{
	return (long long)((delta < 0 ? -delta : delta) * 1e9 + 0.5);
}

/* PTUI_COMPARE_NONE is the largest number there is: what is gone stands last among equals. */
static int by_delta(const void *x, const void *y)
{
	const struct ptui_compare_row *a = x, *b = y;
	long long da = steps(a->delta), db = steps(b->delta);

	if (da != db)
		return da > db ? -1 : 1;
	if (a->after != b->after)
		return a->after < b->after ? -1 : 1;
	return a->before < b->before ? -1 : a->before > b->before;
}

static bool same_keys(const struct ptui_hist *a, const struct ptui_hist *b)
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

	if (!same_keys(before, after)) {
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
	c->worth_before = worth(before);
	c->worth_after = worth(after);
	ret = matcher_init(&m, after);
	if (!ret)
		ret = match(c, &m);
	matcher_release(&m);
	if (ret) {
		ptui_error_nomem(err);
		ptui_compare_free(c);
		return NULL;
	}
	if (c->n)
		qsort(c->rows, c->n, sizeof(*c->rows), by_delta);
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
