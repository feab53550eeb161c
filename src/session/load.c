/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/load.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/cursor.h"
#include "base/i18n.h"
#include "base/perf_abi.h"
#include "ptui/log.h"
#include "session/buildid_table.h"
#include "session/debug.h"
#include "session/header.h"

#define LARGE_SAMPLE 1024		 /* bytes */
#define THREAD_BYTES ((uint64_t)8 << 20) /* of a file that is worth a thread */

/* Records between two calls of the progress callback. */
#define PROGRESS_RECORDS 16384

/* `n` counts the records. */
static int report_progress(const struct ptui_load_opts *o, const struct data_file *file,
			   uint64_t *n, const char *what, uint64_t done, struct ptui_error *err)
{
	if (!o->progress || (*n)++ % PROGRESS_RECORDS)
		return 0;
	if (!o->progress(o->progress_ctx, what, done, data_size_bytes(file)))
		return 0;
	return ptui_error_set(err, PTUI_ERROR_INPUT, ECANCELED, NULL, _("cancelled"));
}

/* ---- first walk: the sideband ---- */

int load_init_builder(struct builder *b, struct data_file *file, const struct ptui_load_opts *opts)
{
	struct builder_opts build = {
		.file = file,
		.resolver = { .roots = &roots_system,
			      .symfs = opts->symfs,
			      .buildid_dir = opts->buildid_dir,
			      .kernel = opts->kernel,
			      .force_names = opts->force_names },
		.max_rows = STORE_UNBOUNDED,
		.max_stack = opts->max_stack,
		.no_chains = opts->no_chains,
	};

	if (!build.resolver.kernel.kallsyms && !build.resolver.kernel.vmlinux)
		build.resolver.kernel.kallsyms = data_kallsyms_path(file);
	return builder_init(b, &build);
}

static bool has_sample_type(const struct data_file *file, uint64_t bits)
{
	for (size_t i = 0; i < data_n_events(file); i++)
		if (data_event(file, i)->sample_type & bits)
			return true;
	return false;
}

/* Branch stacks that are no call stacks. As in perf, recordings with copied stacks show samples. */
static bool shows_branches(const struct data_file *file)
{
	bool found = false;

	for (size_t i = 0; i < data_n_events(file); i++) {
		const struct data_event *e = data_event(file, i);

		found |= e->sample_type & PERF_SAMPLE_BRANCH_STACK &&
			 !(e->branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK);
	}
	return found && !has_sample_type(file, PERF_SAMPLE_STACK_USER);
}

/* Before the events are added. */
static int choose_mode(struct builder *b, const struct data_file *file,
		       const struct ptui_load_opts *opts, struct ptui_error *err)
{
	b->mode = opts->mode;
	if (b->mode == PTUI_MODE_AUTO)
		b->mode = shows_branches(file) ? PTUI_MODE_BRANCHES : PTUI_MODE_SAMPLES;
	if (b->mode == PTUI_MODE_BRANCHES && !has_sample_type(file, PERF_SAMPLE_BRANCH_STACK))
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, "-b",
				      _("-b: no event of the recording has branch stacks"));
	if (b->mode == PTUI_MODE_MEMORY && !has_sample_type(file, PERF_SAMPLE_DATA_SRC))
		return ptui_error_set(
			err, PTUI_ERROR_INPUT, EINVAL, "--mem-mode",
			_("--mem-mode: no event of the recording has sources of data"));
	if (b->mode == PTUI_MODE_BRANCHES)
		b->extras.wanted |= PTUI_EXTRA_BRANCH;
	else
		b->extras.wanted &= ~(unsigned)PTUI_EXTRA_BRANCH;
	b->no_chains |= b->mode == PTUI_MODE_BRANCHES && !opts->callers;
	return 0;
}

int load_events(struct builder *b, const struct data_file *file)
{
	int ret = 0;

	for (size_t i = b->store.n_events; i < data_n_events(file) && !ret; i++)
		ret = builder_add_event(b, data_event(file, i));
	return ret;
}

int load_features(struct builder *b, struct data_file *file)
{
	b->resolver_opts.kernel_release = data_feature_text(file, PTUI_FEAT_OSRELEASE);
	b->resolver_opts.arch = data_feature_text(file, PTUI_FEAT_ARCH);
	b->resolver_opts.hostname = data_feature_text(file, PTUI_FEAT_HOSTNAME);
	b->resolver_opts.recorded_ns = data_mtime_ns(file);
	return buildid_add_recorded(file, b->machine, b->store.names);
}

uint64_t load_record_time(const struct data_record *rec)
{
	return rec->id.has & DATA_HAS_TIME && rec->id.time_ns != UINT64_MAX ? rec->id.time_ns : 0;
}

/* Large samples are not read for that: copies of the stack. */
static bool order_goes_on(struct load_order *order, struct data_walk *walk,
			  const struct data_record *rec)
{
	uint64_t time = 0;

	if (rec->type == PERF_RECORD_SAMPLE) {
		if (rec->bytes > LARGE_SAMPLE || data_walk_sample_time(walk, rec, &time))
			return false;
	} else {
		if (!order->sideband || rec->type >= PTUI_RECORD_HEADER_ATTR)
			return true;
		time = load_record_time(rec);
	}
	if (time == UINT64_MAX || time < order->last_ns)
		return false;
	order->last_ns = time;
	return true;
}

int load_sideband(struct builder *b, struct data_file *file, const struct ptui_load_opts *opts,
		  struct load_order *order, struct ptui_error *err)
{
	struct data_walk *walk = data_walk_new(file, err);
	struct data_damage damage;
	struct data_record rec;
	const char *what = _("reading the maps"); /* once: gettext() is slow */
	bool timed_known = false;
	uint64_t records = 0;
	int ret;

	if (!walk)
		return -ENOMEM;
	while ((ret = data_walk_next(walk, order && order->in_order, &rec, err)) == 0) {
		if (order && order->in_order)
			order->in_order = order_goes_on(order, walk, &rec);
		if (rec.type == PERF_RECORD_SAMPLE)
			continue;
		/* in a pipe the events come first, as records */
		if (!timed_known && rec.type < PTUI_RECORD_HEADER_ATTR) {
			b->timed = builder_is_timed(file);
			timed_known = true;
		}
		ret = builder_add_record(b, &rec) ?
			      ptui_error_nomem(err) :
			      report_progress(opts, file, &records, what, rec.off, err);
		if (ret)
			break;
	}
	data_walk_damage(walk, &damage);
	b->n_coming = damage.records[PERF_RECORD_SAMPLE];
	data_walk_free(walk);
	if (ret < 0)
		return ret;
	if (!timed_known)
		b->timed = builder_is_timed(file);
	/* complete only now in a pipe */
	if (choose_mode(b, file, opts, err))
		return -EINVAL;
	ret = load_features(b, file);
	if (!ret)
		ret = load_events(b, file);
	if (!ret)
		ret = jit_maps_add(&b->jit, b->machine, file, opts->symfs);
	if (!ret)
		ret = builder_seal(b, UINT64_MAX);
	return ret ? ptui_error_nomem(err) : 0;
}

/* ---- second walk: the samples ---- */

/* Not worth threads: small files. */
static bool wants_threads(const struct data_file *file, const struct ptui_load_opts *opts)
{
	unsigned threads = opts->threads;

	if (!threads && data_size_bytes(file) >= THREAD_BYTES)
		threads = (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
	return threads > 1;
}

static int walk_samples(struct builder *b, struct data_file *file,
			const struct ptui_load_opts *opts, struct ptui_error *err)
{
	struct data_walk *walk = data_walk_new(file, err);
	const char *what = _("reading the samples");
	struct data_damage damage;
	struct data_record rec;
	struct data_sample s;
	uint64_t records = 0;
	int ret;

	if (!walk)
		return -ENOMEM;
	profile_store_reserve(&b->store, b->n_coming, b->chains);
	if (wants_threads(file, opts)) {
		resolver_preload(b->resolver);
		if (b->chains) /* rows without stacks are not worth one */
			row_writer_start(&b->rows);
	}
	builder_start_batches(b);
	while ((ret = data_walk_next(walk, true, &rec, err)) == 0) {
		if (rec.type != PERF_RECORD_SAMPLE)
			continue;
		/* a damaged one is counted by the walk */
		ret = !data_walk_sample(walk, &rec, &s) && builder_add_sample(b, &rec, &s) ?
			      ptui_error_nomem(err) :
			      report_progress(opts, file, &records, what, rec.off, err);
		if (ret)
			break;
	}
	if (builder_flush(b) && ret >= 0)
		ret = ptui_error_nomem(err);
	if (row_writer_finish(&b->rows) && ret >= 0)
		ret = ptui_error_nomem(err);
	data_walk_damage(walk, &damage);
	builder_set_damage(b, &damage);
	data_walk_free(walk);
	return ret < 0 ? ret : 0;
}

/* ---- both walks, and the publication ---- */

/* Skips a number, and as many strings with their lengths. */
static void skip_strings(struct cursor *c)
{
	for (uint32_t n = cursor_u32(c); n && !c->bad; n--)
		cursor_bytes(c, cursor_u32(c));
}

/* 0 or -ENOMEM. */
static int set_sockets(struct ptui_profile *p, const struct data_file *file)
{
	struct cursor c;
	size_t n = 0;
	const void *bytes = data_feature(file, PTUI_FEAT_NRCPUS, &n);
	uint32_t cpus;

	cursor_init(&c, bytes, n, data_swapped(file));
	cpus = cursor_u32(&c);
	bytes = data_feature(file, PTUI_FEAT_CPU_TOPOLOGY, &n);
	if (c.bad || !bytes)
		return 0;
	cursor_init(&c, bytes, n, data_swapped(file));
	skip_strings(&c);
	skip_strings(&c);
	if (c.bad || cpus > cursor_left(&c) / 8)
		return 0;
	p->sockets = malloc((cpus + 1) * sizeof(*p->sockets));
	if (!p->sockets)
		return -ENOMEM;
	p->n_sockets = cpus;
	for (uint32_t i = 0; i < cpus; i++) {
		cursor_u32(&c); /* the core */
		p->sockets[i] = (int32_t)cursor_u32(&c);
	}
	return 0;
}

/* What filters need to know of the recording. */
static void set_times(struct ptui_profile *p, const struct data_file *file)
{
	struct cursor c;
	size_t n = 0;
	const void *bytes = data_feature(file, PTUI_FEAT_SAMPLE_TIME, &n);

	cursor_init(&c, bytes, n, data_swapped(file));
	p->first_ns = cursor_u64(&c);
	p->last_ns = cursor_u64(&c);
	if (c.bad || p->first_ns >= p->last_ns)
		p->first_ns = p->last_ns = 0;
}

static int load_profile(struct builder *b, struct data_file *file,
			const struct ptui_load_opts *opts, struct ptui_profile **ret_profile,
			struct ptui_error *err)
{
	int ret;

	b->extras.wanted = opts->extras;
	b->resolver_opts.once = true;
	b->with_blocks = opts->cycles;
	ret = load_sideband(b, file, opts, NULL, err);

	if (ret)
		return ret;
	if (builder_extras_start(b, file, err))
		return -ENOMEM;
	ptui_log(PTUI_LOG_DEBUG, "session", "maps read: %zu modules",
		 machine_n_modules(b->machine));
	ret = walk_samples(b, file, opts, err);
	if (ret)
		return ret;
	ptui_log(PTUI_LOG_DEBUG, "session", "samples read: %zu, %zu frames, %zu stack nodes",
		 b->store.samples.n, resolver_n_frames(b->resolver), b->store.stacks.n);
	builder_name_threads(b);
	*ret_profile = builder_publish(b, opts->progress, opts->progress_ctx, err, &ret);
	if (!ret) {
		(*ret_profile)->mode = b->mode;
		set_times(*ret_profile, file);
		builder_extras_give(b, *ret_profile);
		(*ret_profile)->blocks = b->blocks;
		b->blocks = (struct blocks){ .v = NULL };
		if (set_sockets(*ret_profile, file))
			ret = ptui_error_nomem(err);
	}
	if (!ret) {
		(*ret_profile)->debug = session_debug_new(b->resolver, b->machine, b->store.names,
							  &b->resolver_opts);
		if (!(*ret_profile)->debug)
			ret = ptui_error_nomem(err);
	}
	for (unsigned info = 0; !ret && info < 2; info++) {
		(*ret_profile)->header[info] = header_text(file, info);
		if (!(*ret_profile)->header[info])
			ret = ptui_error_nomem(err);
	}
	if (ret) {
		ptui_profile_unref(*ret_profile);
		*ret_profile = NULL;
	}
	ptui_log(PTUI_LOG_DEBUG, "session", "symbols found");
	return ret;
}

struct ptui_profile *session_load(struct data_file *file, const struct ptui_load_opts *opts,
				  struct ptui_error *err, int *ret_error)
{
	static const struct ptui_load_opts no_opts;
	struct ptui_profile *p = NULL;
	struct builder builder;
	int ret;

	if (!opts)
		opts = &no_opts;
	ret = load_init_builder(&builder, file, opts) ? ptui_error_nomem(err) :
							load_profile(&builder, file, opts, &p, err);
	builder_release(&builder);
	if (ret && ret_error)
		*ret_error = ret;
	return p;
}

static int report_waiting(void *ctx)
{
	const struct ptui_load_opts *opts = ctx;

	return opts->progress(opts->progress_ctx, _("waiting for the pipe"), 0, 0);
}

struct ptui_profile *ptui_profile_load(const char *path, const struct ptui_load_opts *opts,
				       struct ptui_error *err, int *ret_error)
{
	bool asks = opts && opts->progress;
	struct data_file *file = data_open_waiting(path, asks ? report_waiting : NULL, (void *)opts,
						   err, ret_error);
	struct ptui_profile *p;

	if (!file)
		return NULL;
	p = session_load(file, opts, err, ret_error);
	data_close(file);
	return p;
}
