/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The second walk over a file: its samples. A large file is read in parts at once, each by a walk and a builder
 * of its own, which share the machine, sealed by the first walk:
 *
 *	part 0: walk, resolve --> builder of the profile <--absorb-- part 1 <--absorb-- part 2 …
 *	part 1: walk, resolve --> builder                  then freed
 *	part 2: …
 *
 * Since the parts are absorbed in their order, the profile is the same as without them, down to the ids of frames and
 * stacks. Until then, partial profiles have samples of part 0 only.
 */
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include "base/clock.h"
#include "base/i18n.h"
#include "base/perf_abi.h"
#include "base/thread.h"
#include "session/load_private.h"

#define THREAD_BYTES ((uint64_t)8 << 20)  /* of a file that is worth a thread */
#define PART_BYTES   ((uint64_t)16 << 20) /* the same for a part of it */

#define WAIT_NS	     50000000 /* between two calls of it while the other parts are read */

/* All but the first, in their order. */
struct load_part {
	struct builder b;
	struct load load; /* with this builder and these options */
	struct ptui_load_opts opts;
	struct data_walk *walk;
	struct load_parts *all;
	pthread_t thread;
	bool started;
	_Atomic uint64_t done; /* bytes */
	int ret;
	struct ptui_error err;
	struct builder_ids ids; /* its own, in the whole */
};

struct load_parts {
	pthread_mutex_t lock;
	pthread_cond_t ended; /* one of them */
	unsigned n_running;
	atomic_bool stop;
	unsigned n;
	struct load_part v[LOAD_PARTS_MAX - 1];
};

int load_progress(const struct ptui_load_opts *o, const struct data_file *file, const char *what,
		  uint64_t done, struct ptui_error *err)
{
	if (!o->progress(o->progress_ctx, what, done, data_size_bytes(file)))
		return 0;
	return ptui_error_set(err, PTUI_ERROR_INPUT, ECANCELED, NULL, _("cancelled"));
}

/* Small files are not worth them. */
static unsigned threads_wanted(const struct data_file *file, const struct ptui_load_opts *opts,
			       uint64_t bytes)
{
	uint64_t n = data_size_bytes(file) / bytes;
	unsigned cpus;

	if (opts->threads || !n)
		return opts->threads ? opts->threads : 1;
	cpus = thread_cpus();
	return n < cpus ? (unsigned)n : cpus;
}

bool load_wants_threads(const struct data_file *file, const struct ptui_load_opts *opts)
{
	return threads_wanted(file, opts, THREAD_BYTES / 2) > 1;
}

unsigned load_parts_wanted(const struct data_file *file, const struct ptui_load_opts *opts)
{
	unsigned n = threads_wanted(file, opts, PART_BYTES);

	return n < LOAD_PARTS_MAX ? n : LOAD_PARTS_MAX;
}

/* Bytes that the other parts have read. */
static uint64_t parts_done(const struct load *l)
{
	uint64_t done = 0;

	for (unsigned i = 0; l->parts && i < l->parts->n; i++)
		done += atomic_load_explicit(&l->parts->v[i].done, memory_order_relaxed);
	return done;
}

static void start_writing(struct load *l)
{
	struct builder *b = l->b;
	bool threaded = false;

	if (load_wants_threads(l->file, l->opts)) {
		resolver_preload(b->resolver);
		threaded = b->chains && !l->parts; /* rows without stacks are not worth one */
	}
	if (b->chains)
		row_writer_start(&b->rows, threaded);
	builder_start_batches(b);
}

/* All samples so far are in the store then. */
static int stop_writing(struct load *l, const struct data_walk *walk)
{
	struct data_damage damage;
	int ret = builder_flush(l->b);

	if (row_writer_finish(&l->b->rows))
		ret = -ENOMEM;
	data_walk_damage(walk, &damage);
	builder_set_damage(l->b, &damage);
	return ret;
}

static int add_sample(struct load *l, struct data_walk *walk, const struct data_record *rec,
		      struct ptui_error *err)
{
	const struct ptui_load_opts *o = l->opts;
	struct data_sample s;
	int ret = 0;

	/* a damaged one is counted by the walk */
	if (!data_walk_sample(walk, rec, &s) && builder_add_sample(l->b, rec, &s))
		return ptui_error_nomem(err);
	l->off = rec->off;
	l->n_samples++;
	if (!l->asks || l->n_samples <= l->shown ||
	    !o->partial_wanted(o->partial_ctx, l->n_samples))
		return 0;
	ret = stop_writing(l, walk) ? ptui_error_nomem(err) : load_publish_partial(l, err);
	start_writing(l);
	return ret;
}

/* From its place on. 1: to the end; 0: to l->until; or a negative errno. */
static int read_samples(struct load *l, struct data_walk *walk, struct ptui_error *err)
{
	const char *what = _("reading the samples");
	struct data_record rec;
	uint64_t records = 0;
	int ret;

	if (l->b->chains && !l->b->with_history) /* what is kept ends with the sampled function */
		chain_builder_keep(&l->b->chain);
	start_writing(l);
	while ((ret = data_walk_next(walk, true, &rec, err)) == 0 && rec.seq < l->until) {
		if (rec.type != PERF_RECORD_SAMPLE)
			continue;
		ret = add_sample(l, walk, &rec, err);
		if (!ret && load_progress_is_due(l->opts, &records))
			ret = load_progress(l->opts, l->file, what, rec.off + parts_done(l), err);
		if (ret)
			break;
	}
	if (stop_writing(l, walk) && ret >= 0)
		ret = ptui_error_nomem(err);
	return ret;
}

/* ---- parts ---- */

static int part_progress(void *ctx, const char *what, uint64_t done, uint64_t total)
{
	struct load_part *part = ctx;

	(void)what;
	(void)total;
	atomic_store_explicit(&part->done, done - part->load.off, memory_order_relaxed);
	return atomic_load_explicit(&part->all->stop, memory_order_relaxed);
}

static void read_part(struct load_part *part)
{
	part->ret = read_samples(&part->load, part->walk, &part->err);
}

static void *part_main(void *ctx)
{
	struct load_part *part = ctx;
	struct load_parts *all = part->all;

	read_part(part);
	pthread_mutex_lock(&all->lock);
	all->n_running--;
	pthread_cond_broadcast(&all->ended);
	pthread_mutex_unlock(&all->lock);
	return NULL;
}

/* Nothing of a sample may depend on another one, or be found by something that only one thread can use. */
static bool can_split(const struct load *l)
{
	const struct builder *b = l->b;

	if (!l->splits || !l->n_cuts || l->until != UINT64_MAX || b->extras.wanted ||
	    b->with_blocks || b->with_history || b->mode != PTUI_MODE_SAMPLES ||
	    b->user_chains.max_lbr || b->user_chains.deferred.n)
		return false;
	for (size_t i = 0; i < data_n_events(l->file); i++)
		if (data_event(l->file, i)->sample_type & PERF_SAMPLE_READ)
			return false;
	for (size_t i = 0; i < b->store.n_events; i++)
		if (b->store.events[i].stacks_dumped || b->store.events[i].stacks_unwound)
			return false;
	return true;
}

static void end_parts(struct load *l)
{
	struct load_parts *all = l->parts;

	if (!all)
		return;
	atomic_store(&all->stop, true);
	for (unsigned i = 0; i < all->n; i++) {
		if (all->v[i].started)
			pthread_join(all->v[i].thread, NULL);
		data_walk_free(all->v[i].walk);
		builder_release(&all->v[i].b);
		free(all->v[i].ids.names);
		free(all->v[i].ids.frames);
	}
	pthread_mutex_destroy(&all->lock);
	pthread_cond_destroy(&all->ended);
	free(all);
	l->parts = NULL;
}

/* Memory that stays unused costs nothing. */
static void reserve(struct builder *b, size_t n_samples)
{
	profile_store_reserve(&b->store, n_samples, b->chains);
	resolver_reserve(b->resolver, n_samples);
}

/* The part from cut i on. 0 or -ENOMEM. */
static int init_part(struct load *l, size_t i)
{
	struct load_part *part = &l->parts->v[i];
	size_t n = l->n_cuts + 1;

	part->all = l->parts;
	part->err = (struct ptui_error)PTUI_ERROR_INIT;
	part->opts = *l->opts;
	part->opts.threads = 1;
	part->opts.partial = NULL;
	part->opts.progress = part_progress;
	part->opts.progress_ctx = part;
	part->load = (struct load){ .b = &part->b,
				    .file = l->file,
				    .opts = &part->opts,
				    .off = l->cuts[i].off,
				    .until = UINT64_MAX };
	l->parts->n++;
	part->walk = data_walk_new(l->file, NULL);
	if (!part->walk || builder_init_part(&part->b, l->b))
		return -ENOMEM;
	data_walk_range(part->walk, &l->cuts[i], i + 1 < l->n_cuts ? &l->cuts[i + 1] : NULL);
	if (!l->opts->partial)
		builder_merge(&part->b, &l->opts->merge);
	reserve(&part->b, l->b->n_coming / n);
	return 0;
}

/* Without memory for it, the file is not divided. */
static void start_parts(struct load *l, struct data_walk *walk)
{
	struct load_parts *all = can_split(l) ? calloc(1, sizeof(*all)) : NULL;
	int ret = 0;

	l->parts = all;
	if (!all)
		return;
	pthread_mutex_init(&all->lock, NULL);
	thread_cond_init(&all->ended);
	for (size_t i = 0; i < l->n_cuts && !ret; i++)
		ret = init_part(l, i);
	if (ret) {
		end_parts(l);
		return;
	}
	data_walk_range(walk, NULL, &l->cuts[0]);
	builder_find_skips_later(l->b);
	for (unsigned i = 0; i < all->n; i++)
		builder_find_skips_later(&all->v[i].b);
	pthread_mutex_lock(&all->lock);
	for (unsigned i = 0; i < all->n; i++) {
		all->v[i].started = !thread_start(&all->v[i].thread, part_main, &all->v[i]);
		all->n_running += all->v[i].started;
	}
	pthread_mutex_unlock(&all->lock);
}

/* 0 or -ECANCELED. */
static int await_parts(struct load *l, struct ptui_error *err)
{
	struct load_parts *all = l->parts;
	int ret = 0;

	pthread_mutex_lock(&all->lock);
	while (all->n_running && !ret) {
		if (thread_cond_wait_until(&all->ended, &all->lock, clock_monotonic_ns() + WAIT_NS))
			continue;
		pthread_mutex_unlock(&all->lock);
		if (l->opts->progress)
			ret = load_progress(l->opts, l->file, _("reading the samples"),
					    l->off + parts_done(l), err);
		pthread_mutex_lock(&all->lock);
	}
	pthread_mutex_unlock(&all->lock);
	return ret;
}

/* Names and frames of the parts up to the first one that failed. 0, or the error of that one. */
static int absorb_frames(struct load *l, unsigned *ret_n, struct ptui_error *err)
{
	for (*ret_n = 0; *ret_n < l->parts->n; ++*ret_n) {
		struct load_part *part = &l->parts->v[*ret_n];

		if (!part->started)
			read_part(part);
		if (part->ret < 0) {
			if (err)
				*err = part->err;
			return part->ret;
		}
		if (builder_absorb_frames(l->b, &part->b, *ret_n + 1 == l->parts->n, &part->ids))
			return ptui_error_nomem(err);
	}
	return 0;
}

/* The frames of all parts are there: their symbols are found while the samples are added. */
struct joining {
	struct load *l;
	struct data_walk *walk;
	unsigned n;		      /* parts */
	int symbols_ret, samples_ret; /* 0 or a negative errno */
	struct ptui_error err;	      /* of the symbols */
};

static void join_samples(struct joining *j)
{
	for (unsigned i = 0; i < j->n && !j->samples_ret; i++) {
		struct load_part *part = &j->l->parts->v[i];

		j->samples_ret = builder_absorb_rows(j->l->b, &part->b, i + 1 == j->n, &part->ids);
		data_walk_join(j->walk, part->walk);
		j->l->n_samples += part->load.n_samples;
		j->l->off = part->load.off;
		builder_release(&part->b); /* the memory is needed for the next one */
	}
	if (!j->samples_ret)
		j->samples_ret = builder_find_skips(j->l->b);
}

static void join_half(void *ctx, size_t half)
{
	struct joining *j = ctx;

	if (half)
		join_samples(j);
	else
		j->symbols_ret = builder_find_symbols(j->l->b, j->l->opts->progress,
						      j->l->opts->progress_ctx, &j->err);
}

/* 0 or a negative errno: the parts before the one that failed are in the builder. */
static int take_parts(struct load *l, struct data_walk *walk, struct ptui_error *err)
{
	struct joining j = { .l = l, .walk = walk, .err = PTUI_ERROR_INIT };
	int ret = await_parts(l, err);

	if (ret)
		return ret;
	ret = absorb_frames(l, &j.n, err);
	resolver_drop_index(l->b->resolver); /* if one of them failed */
	thread_each(2, join_half, &j);
	if (j.samples_ret)
		return ptui_error_nomem(err);
	if (j.symbols_ret && !ret) {
		ret = j.symbols_ret;
		if (err)
			*err = j.err;
	}
	return ret;
}

int load_samples(struct load *l, struct ptui_error *err)
{
	struct data_walk *walk = data_walk_new(l->file, err);
	struct data_damage damage;
	int ret;

	if (!walk)
		return -ENOMEM;
	if (!l->opts->partial)
		builder_merge(l->b, &l->opts->merge);
	reserve(l->b, l->b->n_coming);
	start_parts(l, walk);
	ret = read_samples(l, walk, err);
	if (l->parts && ret >= 0)
		ret = take_parts(l, walk, err);
	end_parts(l);
	data_walk_damage(walk, &damage);
	builder_set_damage(l->b, &damage);
	data_walk_free(walk);
	return ret < 0 ? ret : 0;
}
