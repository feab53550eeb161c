/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The samples of a row, and what is shown of one. */
#include <errno.h>
#include <stdlib.h>
#include "base/buf.h"
#include "base/i18n.h"
#include "base/vec.h"
#include "profile/debug.h"
#include "profile/hist/hist.h"

/* By class: whether it adds to the row. To be freed; NULL: out of memory. */
static bool *classes_of_row(const struct ptui_hist *h, const struct hist_row *r)
{
	const struct hist_tree *t = &h->tree;
	bool *ret = calloc(h->n_classes + 1, sizeof(*ret));
	bool *below = h->children ? calloc(t->n + 1, sizeof(*below)) : NULL;
	uint32_t number = below && r->first_node != PTUI_NONE ?
				  t->row[r->first_node] & ~NODE_REPEATS :
				  PTUI_NONE;

	if (!ret || (h->children && !below)) {
		free(ret);
		free(below);
		return NULL;
	}
	for (uint32_t c = r->first_self; c != PTUI_NONE; c = h->classes[c].next_self)
		ret[c] = true;
	for (size_t node = 0; number != PTUI_NONE && node < t->n; node++) {
		uint32_t up = t->own[node].parent;

		below[node] = (up != PTUI_NONE && below[up]) ||
			      (t->row[node] != PTUI_NONE &&
			       (t->row[node] & ~NODE_REPEATS) == number);
	}
	for (size_t c = 0; number != PTUI_NONE && c < h->n_classes; c++)
		ret[c] |= h->classes[c].node != PTUI_NONE && below[h->classes[c].node];
	free(below);
	return ret;
}

struct sample_list {
	uint32_t *v;
	size_t n, cap;
};

/* Adds the samples of a row. 0, -ENOMEM or -ECANCELED. */
static int list_samples(struct sample_list *l, struct ptui_hist *h, const struct hist_row *r,
			ptui_progress_fn progress, void *ctx)
{
	const char *what = _("collecting the samples");
	const struct samples *s = &h->profile->samples;
	bool *listed = classes_of_row(h, r);
	int err = listed ? 0 : -ENOMEM;

	for (size_t i = 0; i < s->n && !err; i++) {
		uint32_t c;

		if (progress && i % 4096 == 0 && progress(ctx, what, i, s->n))
			err = -ECANCELED;
		c = s->event[i] == h->event ? hist_class_of(h, i) : PTUI_NONE;
		if (err || c == PTUI_NONE || !listed[c])
			continue;
		err = vec_grow(&l->v, &l->cap, l->n + 1);
		if (!err)
			l->v[l->n++] = (uint32_t)i;
	}
	free(listed);
	return err;
}

static int by_time(const void *va, const void *vb, void *samples)
{
	const uint64_t *time_ns = ((const struct samples *)samples)->time_ns;
	uint32_t a = *(const uint32_t *)va, b = *(const uint32_t *)vb;

	if (time_ns[a] != time_ns[b])
		return time_ns[a] < time_ns[b] ? -1 : 1;
	return a < b ? -1 : a > b;
}

static bool is_by_time(const struct sample_list *l, struct samples *s)
{
	for (size_t i = 1; i < l->n; i++)
		if (by_time(&l->v[i - 1], &l->v[i], s) > 0)
			return false;
	return true;
}

uint32_t *ptui_hist_samples(struct ptui_hist *h, size_t row, size_t *ret_n,
			    ptui_progress_fn progress, void *ctx, struct ptui_error *err)
{
	struct samples *s = &h->profile->samples;
	struct sample_list l = { .n = 0 };
	int ret = vec_grow(&l.v, &l.cap, 1);

	if (!ret)
		ret = list_samples(&l, h, &h->rows[row], progress, ctx);
	for (size_t i = 0; i < h->group.n && !ret; i++) {
		const struct hist_row *r = hist_group_row(h, &h->rows[row], i + 1);

		if (r)
			ret = list_samples(&l, h->group.members[i], r, progress, ctx);
	}
	if (!ret && !is_by_time(&l, s))
		qsort_r(l.v, l.n, sizeof(*l.v), by_time, s);
	*ret_n = ret ? 0 : l.n;
	if (!ret)
		return l.v;
	free(l.v);
	if (ret == -ECANCELED)
		ptui_error_set(err, PTUI_ERROR_INPUT, ECANCELED, NULL, _("cancelled"));
	else
		ptui_error_nomem(err);
	return NULL;
}

static const char *name_of(const struct ptui_profile *p, uint32_t name)
{
	return name == PTUI_NONE ? NULL : strpool_get(&p->names, name);
}

void ptui_profile_sample(const struct ptui_profile *p, uint32_t i, struct ptui_sample *ret)
{
	const struct samples *s = &p->samples;
	const struct profile_frame *f = &p->frames[s->frame[i]];

	*ret = (struct ptui_sample){
		.time_ns = s->time_ns[i],
		.period = s->period[i],
		.event = s->event[i],
		.cpu = s->cpu[i],
		.pid = s->threads[s->thread[i]].pid,
		.tid = thread_tid(&s->threads[s->thread[i]]),
		.comm = name_of(p, s->comm[i]),
		.symbol = name_of(p, f->sym_name),
		.dso = name_of(p, f->short_name),
		.payload = p->extra_of ? name_of(p, p->extras[p->extra_of[i]].trace) : NULL,
	};
}

/* "memcpy+0x12 (libc.so.6)" */
static void add_frame(const struct ptui_profile *p, uint32_t frame, struct buf *out)
{
	const struct profile_frame *f = &p->frames[frame];
	char name[1024];

	profile_frame_name(p, frame, name, sizeof(name));
	buf_add_str(out, name);
	if (f->sym_name != PTUI_NONE && !f->inlined)
		buf_addf(out, "+0x%llx", (unsigned long long)f->sym_offset);
	buf_addf(out, " (%s)\n", profile_frame_dso(p, frame));
}

char *ptui_profile_sample_chain(const struct ptui_profile *p, uint32_t i)
{
	uint32_t node = p->samples.stack[i];
	struct buf out = BUF_INIT;

	if (node == PTUI_NONE)
		add_frame(p, p->samples.frame[i], &out);
	for (; node != PTUI_NONE; node = p->stacks.nodes[node].parent)
		add_frame(p, p->stacks.nodes[node].frame, &out);
	return buf_take(&out);
}
