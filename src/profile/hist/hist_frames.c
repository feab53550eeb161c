/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is known of frames before there are rows: a thread finds it while samples are added up. */
#include <errno.h>
#include <stdlib.h>
#include "base/radix.h"
#include "base/thread.h"
#include "profile/hist/keys_private.h"
#include "profile/hist/row_builder.h"

/* ---- places of frames in the order of a key ---- */

/* Makes names, by frame, their places in alphabetical order. 0 or -ENOMEM. */
static int rank_names(const struct ptui_hist *h, uint32_t *ids)
{
	const struct strpool *names = &h->profile->names;
	uint32_t *rank = hist_rank_names(names, ids, h->profile->n_frames);

	for (size_t i = 0; rank && i < h->profile->n_frames; i++)
		ids[i] = ids[i] < names->n ? rank[ids[i]] : names->n;
	free(rank);
	return rank ? 0 : -ENOMEM;
}

static int rank_dsos(const struct ptui_hist *h, uint32_t *ret)
{
	for (uint32_t i = 0; i < h->profile->n_frames; i++) {
		struct hist_item item = { .frame = i };

		ret[i] = (uint32_t)hist_key_dso->value(h, &item);
	}
	return rank_names(h, ret);
}

static int rank_symbols(const struct ptui_hist *h, uint32_t *ret)
{
	const struct profile_frame *frames = h->profile->frames;
	struct radix_item *v = malloc((h->profile->n_frames + 1) * sizeof(*v));
	size_t n = 0;
	int err;

	if (!v)
		return -ENOMEM;
	for (size_t i = 0; i < h->profile->n_frames; i++) {
		ret[i] = frames[i].sym_name;
		if (frames[i].sym_name == PTUI_NONE)
			v[n++] = (struct radix_item){ frames[i].addr, (uint32_t)i };
	}
	err = rank_names(h, ret);
	if (!err)
		err = key_place_addresses(h, v, n);
	for (size_t i = 0; i < n; i++)
		ret[v[i].index] = (uint32_t)v[i].value;
	free(v);
	return err;
}

/* NULL: out of memory, so rows will be compared. */
static uint32_t *rank_frames(const struct ptui_hist *h, const struct hist_key *key,
			     int (*rank)(const struct ptui_hist *h, uint32_t *ret))
{
	uint32_t *ret;

	if (!hist_plan_has(&h->plan, key))
		return NULL;
	ret = malloc((h->profile->n_frames + 1) * sizeof(*ret));
	if (!ret || !rank(h, ret))
		return ret;
	free(ret);
	return NULL;
}

/* ---- the thread ---- */

static void *find_frames(void *ctx)
{
	struct hist_frames *f = ctx;

	f->err = hist_find_groups(f->h, f);
	f->row_of = calloc(f->n_groups + 1, sizeof(*f->row_of));
	if (f->h->children)
		f->node_of = calloc(hist_stacks_of(f->h)->n + 1, sizeof(*f->node_of));
	if (!f->row_of || (f->h->children && !f->node_of))
		f->err = -ENOMEM;
	if (f->ranked && !f->err) {
		f->symbols = rank_frames(f->h, hist_key_symbol, rank_symbols);
		f->dsos = rank_frames(f->h, hist_key_dso, rank_dsos);
	}
	return NULL;
}

/* Whether there will be about as many rows as frames, all of them sorted by name. */
static bool has_many_rows(const struct ptui_hist *h)
{
	const struct hist_filter *f = &h->filter;

	return !f->by_comm && !f->by_thread && !f->by_cpu && !f->by_socket && !f->by_lists &&
	       !f->by_parent && !f->drops && !f->rows &&
	       h->profile->samples.n >= h->profile->n_frames;
}

void hist_frames_start(struct hist_frames *f, const struct ptui_hist *h, bool ranked)
{
	bool many = h->profile->n_frames >= MANY_ROWS && h->profile->samples.n >= MANY_ROWS;

	*f = (struct hist_frames){ .h = h, .ranked = ranked && many && has_many_rows(h) };
	f->started = many && !thread_start(&f->thread, find_frames, f);
}

int hist_frames_finish(struct hist_frames *f)
{
	if (f->started)
		pthread_join(f->thread, NULL);
	else if (!f->group)
		find_frames(f);
	f->started = false;
	return f->err;
}

void hist_frames_release(struct hist_frames *f)
{
	if (f->started)
		pthread_join(f->thread, NULL);
	free(f->group);
	free(f->symbols);
	free(f->dsos);
	free(f->row_of);
	free(f->node_of);
	*f = (struct hist_frames){ .h = NULL };
}
