/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/buildid/buildid_hits.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/perf_abi.h"
#include "base/vec.h"
#include "session/stream.h"

/*
 * A DSO of the resolver. perf lists DSOs in the order of the build-id table, and those that are not in it in the
 * order of the times of their first maps. The resolver's is that of the file: one CPU after the other.
 */
struct hit {
	bool sampled;
	uint32_t mapped; /* 0: no map was seen */
};

struct hits {
	struct hit *dsos; /* by DSO of the resolver */
	size_t cap;
	uint32_t n_mapped;
	bool chains;
};

static int begin(void *ctx, struct stream *s)
{
	(void)ctx;
	(void)s;
	return 0;
}

/* NULL: no memory. */
static struct hit *hit_of(struct hits *h, uint32_t dso)
{
	size_t cap = h->cap;

	if (dso >= cap) {
		if (vec_grow(&h->dsos, &h->cap, dso + 1))
			return NULL;
		memset(h->dsos + cap, 0, (h->cap - cap) * sizeof(*h->dsos));
	}
	return &h->dsos[dso];
}

static int mark_frame(struct hits *h, struct stream *s, uint32_t frame)
{
	const struct frame *f;
	struct hit *hit;

	if (frame == PTUI_NONE)
		return -ENOMEM;
	f = &resolver_frames(stream_resolver(s))[frame];
	if (f->dso == PTUI_NONE)
		return 0;
	hit = hit_of(h, f->dso);
	if (!hit)
		return -ENOMEM;
	hit->sampled = true;
	return 0;
}

static int mark_map(struct hits *h, struct stream *s, const struct data_record *rec, uint64_t when)
{
	const struct data_sample at = {
		.pid = rec->mmap.pid,
		.tid = rec->mmap.tid,
		.misc = rec->mmap.pid < 0 ? DATA_MODE_KERNEL : DATA_MODE_USER,
	};
	uint32_t frame = stream_frame_unnamed(s, &at, when, rec->mmap.start), dso;
	struct hit *hit;

	if (frame == PTUI_NONE)
		return -ENOMEM;
	dso = resolver_frames(stream_resolver(s))[frame].dso;
	if (dso == PTUI_NONE)
		return 0;
	hit = hit_of(h, dso);
	if (!hit)
		return -ENOMEM;
	if (!hit->mapped)
		hit->mapped = ++h->n_mapped;
	return 0;
}

static int mark_words(struct hits *h, struct stream *s, const struct data_sample *sample,
		      uint64_t when, const uint64_t *words, size_t n, int mode)
{
	struct data_sample as = *sample;
	int ret = 0;

	for (size_t i = 0; i < n && !ret; i++) {
		as.misc = (uint16_t)mode;
		if (words[i] >= STREAM_CHAIN_MARKER)
			mode = stream_chain_mode(words[i]);
		else if (mode >= 0)
			ret = mark_frame(h, s, stream_frame_unnamed(s, &as, when, words[i]));
	}
	return ret;
}

static int mark_chain(struct hits *h, struct stream *s, const struct data_sample *sample,
		      uint64_t when)
{
	struct stream_chain chain;
	int ret = stream_chain(s, sample, when, &chain);

	if (!ret)
		ret = mark_words(h, s, sample, when, chain.words, chain.n,
				 sample->misc & DATA_CPUMODE_MASK);
	if (!ret && chain.replaced)
		ret = mark_words(h, s, sample, when, chain.user, chain.n_user, DATA_MODE_USER);
	return ret;
}

static int mark(void *ctx, struct stream *s, const struct data_record *rec, uint64_t when)
{
	struct hits *h = ctx;
	struct data_sample sample;
	int ret;

	if (rec->type == PERF_RECORD_MMAP || rec->type == PERF_RECORD_MMAP2)
		return mark_map(h, s, rec, when);
	if (rec->type != PERF_RECORD_SAMPLE || stream_sample(s, rec, &sample) ||
	    sample.event == PTUI_NONE)
		return 0;
	ret = mark_frame(h, s, stream_frame_unnamed(s, &sample, when, sample.ip));
	return ret || !h->chains ? ret : mark_chain(h, s, &sample, when);
}

struct ranked {
	struct data_build_id item;
	uint64_t rank;
};

static int by_rank(const void *va, const void *vb)
{
	const struct ranked *a = va, *b = vb;

	return a->rank < b->rank ? -1 : a->rank > b->rank;
}

/* The place of an item in the build-id table; PTUI_NONE: it is not there. */
static uint32_t place_in_table(struct data_file *file, const struct data_build_id *item)
{
	struct data_build_id listed;

	for (uint32_t i = 0; !data_build_id_at(file, i, &listed); i++)
		if (listed.bytes == item->bytes && !memcmp(listed.id, item->id, item->bytes) &&
		    !strcmp(listed.path, item->path))
			return i;
	return PTUI_NONE;
}

static void rank(struct ranked *r, const struct hits *h, struct stream *s, uint32_t dso)
{
	const struct dso_info *info = resolver_dso(stream_resolver(s), dso);
	uint32_t mapped = h->dsos[dso].mapped, listed;

	r->item.pid = -1;
	r->item.path = stream_name(s, info->name);
	r->item.misc = info->kernel ? DATA_MODE_KERNEL : DATA_MODE_USER;
	r->item.bytes = info->build_id_bytes;
	memcpy(r->item.id, info->build_id, r->item.bytes);
	listed = place_in_table(stream_file(s), &r->item);
	if (listed != PTUI_NONE)
		r->rank = listed;
	else
		r->rank = (mapped ? mapped : (uint64_t)UINT32_MAX + dso) + UINT32_MAX;
}

static int each_hit(const struct hits *h, struct stream *s, buildid_hit_fn fn, void *ctx)
{
	struct ranked *v = h->cap ? calloc(h->cap, sizeof(*v)) : NULL;
	size_t n = 0;
	int ret = h->cap && !v ? -ENOMEM : 0;

	for (size_t i = 0; i < h->cap && !ret; i++)
		if (h->dsos[i].sampled)
			rank(&v[n++], h, s, (uint32_t)i);
	if (n)
		qsort(v, n, sizeof(*v), by_rank);
	for (size_t i = 0; i < n && !ret; i++)
		ret = fn(ctx, &v[i].item);
	free(v);
	return ret;
}

int buildid_hits_each(struct data_file *file, const char *buildid_dir, bool chains,
		      buildid_hit_fn fn, void *ctx, struct ptui_error *err)
{
	const struct stream_opts opts = {
		.load = { .buildid_dir = buildid_dir, .no_chains = !chains }, .sideband = true
	};
	struct hits h = { .chains = chains };
	struct stream *s = stream_new(file, &opts);
	const struct stream_callbacks cb = { begin, mark, NULL, &h };
	int ret = s ? stream_run(s, &cb, err) : -ENOMEM;

	if (!ret)
		ret = each_hit(&h, s, fn, ctx);
	if (ret == -ENOMEM && !ptui_error_is_set(err))
		ptui_error_nomem(err);
	free(h.dsos);
	stream_free(s);
	return ret;
}
