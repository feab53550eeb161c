/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/buildid_hits.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"
#include "session/stream.h"

struct hits {
	bool *dsos; /* by DSO of the resolver */
	size_t cap;
	bool chains;
};

static int begin(void *ctx, struct stream *s)
{
	(void)ctx;
	(void)s;
	return 0;
}

static int mark_frame(struct hits *h, struct stream *s, uint32_t frame)
{
	const struct frame *f;
	size_t cap = h->cap;

	if (frame == PTUI_NONE)
		return -ENOMEM;
	f = &resolver_frames(stream_resolver(s))[frame];
	if (f->dso == PTUI_NONE)
		return 0;
	if (f->dso >= cap) {
		if (vec_grow(&h->dsos, &h->cap, f->dso + 1))
			return -ENOMEM;
		memset(h->dsos + cap, 0, (h->cap - cap) * sizeof(*h->dsos));
	}
	h->dsos[f->dso] = true;
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

	if (stream_sample(s, rec, &sample) || sample.event == PTUI_NONE)
		return 0;
	ret = mark_frame(h, s, stream_frame_unnamed(s, &sample, when, sample.ip));
	return ret || !h->chains ? ret : mark_chain(h, s, &sample, when);
}

static int each_hit(const struct hits *h, struct stream *s, buildid_hit_fn fn, void *ctx)
{
	int ret = 0;

	for (size_t i = 0; i < h->cap && !ret; i++) {
		const struct dso_info *dso;
		struct data_build_id item = { .pid = -1 };

		if (!h->dsos[i])
			continue;
		dso = resolver_dso(stream_resolver(s), (uint32_t)i);
		item.path = stream_name(s, dso->name);
		item.misc = dso->kernel ? DATA_MODE_KERNEL : DATA_MODE_USER;
		item.bytes = dso->build_id_bytes;
		memcpy(item.id, dso->build_id, item.bytes);
		ret = fn(ctx, &item);
	}
	return ret;
}

int buildid_hits_each(struct data_file *file, const char *buildid_dir, bool chains,
		      buildid_hit_fn fn, void *ctx, struct ptui_error *err)
{
	const struct stream_opts opts = { .load = { .buildid_dir = buildid_dir,
						    .no_chains = !chains } };
	struct hits h = { .chains = chains };
	struct stream *s = stream_new(file, &opts);
	const struct stream_callbacks cb = { begin, mark, NULL, &h };
	int ret = s ? stream_run(s, &cb, err) : -ENOMEM;

	if (!ret)
		ret = each_hit(&h, s, fn, ctx);
	if (ret < 0 && !ptui_error_is_set(err))
		ptui_error_nomem(err);
	free(h.dsos);
	stream_free(s);
	return ret;
}
