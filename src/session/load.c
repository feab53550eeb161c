/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/load_private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/cursor.h"
#include "base/i18n.h"
#include "base/perf_abi.h"
#include "ptui/log.h"
#include "session/buildid/buildid_table.h"
#include "session/debug.h"
#include "session/header.h"
#include "session/merge/merge.h"

#define LARGE_SAMPLE 1024		 /* bytes */
#define FIRST_BYTES  ((uint64_t)4 << 20) /* of a large file: shown before all maps are read */

/* ---- first walk: the sideband ---- */

int load_init_builder(struct builder *b, struct data_file *file, const struct ptui_load_opts *opts)
{
	struct builder_opts build = {
		.file = file,
		.resolver = { .roots = &roots_system,
			      .symfs = opts->symfs,
			      .buildid_dir = opts->buildid_dir,
			      .kernel = opts->kernel,
			      .force_names = opts->force_names,
			      .full_names = opts->full_names,
			      .mangled_names = opts->mangled_names,
			      .demangle_kernel = opts->demangle_kernel,
			      .unnamed_functions = opts->unnamed_functions },
		.max_rows = STORE_UNBOUNDED,
		.max_stack = opts->max_stack,
		.no_chains = opts->no_chains,
	};

	int ret;

	if (!build.resolver.kernel.kallsyms && !build.resolver.kernel.vmlinux)
		build.resolver.kernel.kallsyms = data_kallsyms_path(file);
	ret = builder_init(b, &build);
	b->chain.outermost = opts->outermost;
	return ret;
}

static bool has_sample_type(const struct data_file *file, uint64_t bits)
{
	for (size_t i = 0; i < data_n_events(file); i++)
		if (data_event(file, i)->sample_type & bits)
			return true;
	return false;
}

static bool has_lbr_places(struct data_file *file)
{
	const uint64_t wanted = PERF_SAMPLE_BRANCH_CALL_STACK | PERF_SAMPLE_BRANCH_HW_INDEX;
	bool found = false;

	for (size_t i = 0; i < data_n_events(file); i++)
		found |= (data_event(file, i)->branch_sample_type & wanted) == wanted;
	return found && header_max_branches(file);
}

int load_stitch_lbr(struct builder *b, struct data_file *file, struct ptui_error *err)
{
	if (!has_lbr_places(file))
		return ptui_error_set(
			err, PTUI_ERROR_INPUT, EINVAL, "--stitch-lbr",
			_("--stitch-lbr: no event of the recording has call stacks of "
			  "the LBR with places in it, or its size is unknown"));
	b->user_chains.max_lbr = header_max_branches(file);
	return 0;
}

/* Branch stacks that are no call stacks. */
static bool shows_history(const struct data_file *file)
{
	bool found = false;

	for (size_t i = 0; i < data_n_events(file); i++) {
		const struct data_event *e = data_event(file, i);

		found |= e->sample_type & PERF_SAMPLE_BRANCH_STACK &&
			 !(e->branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK);
	}
	return found;
}

/* As in perf, recordings with copied stacks show samples. */
static bool shows_branches(const struct data_file *file)
{
	return shows_history(file) && !has_sample_type(file, PERF_SAMPLE_STACK_USER);
}

/* Before the events are added. */
static int choose_mode(struct builder *b, struct data_file *file, const struct ptui_load_opts *opts,
		       struct ptui_error *err)
{
	b->mode = opts->mode;
	if (b->mode == PTUI_MODE_AUTO)
		b->mode = shows_branches(file) ? PTUI_MODE_BRANCHES : PTUI_MODE_SAMPLES;
	if (b->mode == PTUI_MODE_BRANCHES && !has_sample_type(file, PERF_SAMPLE_BRANCH_STACK))
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, "-b",
				      _("-b: no event of the recording has branch stacks"));
	if (opts->stitch_lbr && load_stitch_lbr(b, file, err))
		return -EINVAL;
	if (opts->history && !shows_history(file))
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, "--branch-history",
				      _("no event of the recording has branch stacks that could "
					"be part of callchains"));
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

static void set_machine_facts(struct builder *b, struct data_file *file)
{
	b->resolver_opts.kernel_release = data_feature_text(file, PTUI_FEAT_OSRELEASE);
	b->resolver_opts.arch = data_feature_text(file, PTUI_FEAT_ARCH);
	b->resolver_opts.hostname = data_feature_text(file, PTUI_FEAT_HOSTNAME);
	b->resolver_opts.recorded_ns = data_mtime_ns(file);
}

int load_features(struct builder *b, struct data_file *file)
{
	set_machine_facts(b, file);
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

/* An error after which what was read before is shown. */
static bool shows_before(const struct ptui_load_opts *opts, int ret)
{
	return opts->partial && ret < 0 && ret != -ECANCELED && ret != -ENOMEM;
}

/*
 * In the first part of a file, the sideband that is older than a round has come before the end of the next
 * one. True: the part has ended.
 */
static bool first_part_ends(struct load *l, const struct data_record *rec, uint64_t *round)
{
	if (rec->type == PTUI_RECORD_FINISHED_ROUND) {
		l->until = *round;
		*round = rec->seq;
	}
	return rec->off > l->first_bytes;
}

/* Offset of the next part, of those that are read at once; UINT64_MAX: none. */
static uint64_t next_cut(const struct load *l)
{
	if (l->n_cuts + 1 >= l->n_parts)
		return UINT64_MAX;
	return data_size_bytes(l->file) / l->n_parts * (l->n_cuts + 1);
}

/* One for each part but the first, which the walk comes to at once. */
struct scouts {
	struct data_scout *of_cut[LOAD_PARTS_MAX - 1];
};

static void start_scouts(struct scouts *s, const struct load *l)
{
	uint64_t bytes = data_size_bytes(l->file) / l->n_parts;

	for (unsigned i = 0; i + 1 < l->n_parts; i++)
		s->of_cut[i] = data_scout_start(l->file, bytes * (i + 1),
						i + 2 < l->n_parts ? bytes * (i + 2) : UINT64_MAX);
}

static void end_scouts(struct scouts *s)
{
	for (size_t i = 0; i < LOAD_PARTS_MAX - 1; i++)
		data_scout_free(s->of_cut[i]);
}

/* The samples of a file are divided at the first record of each part. */
static void note_cut(struct load *l, const struct scouts *scouts, struct data_walk *walk,
		     const struct data_record *rec)
{
	if (rec->off < next_cut(l))
		return;
	data_walk_follow(walk, scouts->of_cut[l->n_cuts]);
	l->cuts[l->n_cuts++] = (struct data_place){ rec->off, rec->seq };
	data_walk_stop_skipping(walk, next_cut(l));
}

/* What is known only after all records of a pipe. */
static int seal_sideband(struct builder *b, struct data_file *file,
			 const struct ptui_load_opts *opts, struct ptui_error *err)
{
	int ret;

	if (choose_mode(b, file, opts, err))
		return -EINVAL;
	ret = load_features(b, file);
	if (!ret)
		ret = load_events(b, file);
	if (!ret)
		ret = jit_maps_add(&b->jit, b->machine, file, opts->symfs);
	if (!ret && b->resolver)
		resolver_find_starts(b->resolver, b->resolver_opts.starts);
	if (!ret)
		ret = builder_seal(b, UINT64_MAX);
	return ret ? ptui_error_nomem(err) : 0;
}

/* The symbols of the kernel are needed in most reports, and their file is large. 0 or -ENOMEM. */
static int read_kernel_early(struct load *l)
{
	struct data_build_id id;

	if (l->first || data_is_pipe(l->file) || !load_wants_threads(l->file, l->opts) ||
	    buildid_of_kernel(l->file, &id))
		return 0;
	set_machine_facts(l->b, l->file);
	return builder_preload_kernel(l->b, id.id, id.bytes);
}

/* `order` may be NULL. Sets l->until. */
static int walk_sideband(struct load *l, struct load_order *order, struct ptui_error *err)
{
	struct builder *b = l->b;
	struct data_file *file = l->file;
	const struct ptui_load_opts *opts = l->opts;
	struct data_walk *walk = data_walk_new(file, err);
	struct data_damage damage;
	struct data_record rec;
	const char *what = _("reading the maps"); /* once: gettext() is slow */
	bool timed_known = false;
	uint64_t records = 0, round = 0, seq = 0;
	struct scouts scouts = { .of_cut = { NULL } };
	int ret;

	if (!walk)
		return -ENOMEM;
	l->until = l->first ? 0 : UINT64_MAX;
	l->n_parts = l->first || data_is_pipe(file) ? 1 : load_parts_wanted(file, opts);
	data_walk_stop_skipping(walk, next_cut(l));
	if (!order)
		start_scouts(&scouts, l);
	while ((ret = data_walk_next(walk, order && order->in_order, &rec, err)) == 0) {
		seq = rec.seq;
		if (l->first && first_part_ends(l, &rec, &round))
			break;
		if (order && order->in_order)
			order->in_order = order_goes_on(order, walk, &rec);
		note_cut(l, &scouts, walk, &rec);
		if (rec.type == PERF_RECORD_SAMPLE)
			continue;
		/* in a pipe the events come first, as records */
		if (!timed_known && rec.type < PTUI_RECORD_HEADER_ATTR) {
			b->timed = builder_is_timed(file);
			timed_known = true;
		}
		ret = builder_add_record(b, &rec) ? ptui_error_nomem(err) : 0;
		if (!ret && load_progress_is_due(opts, &records))
			ret = load_progress(opts, file, what, rec.off, err);
		if (ret)
			break;
	}
	data_walk_damage(walk, &damage);
	b->n_coming = damage.records[PERF_RECORD_SAMPLE];
	l->splits = !ret || ret == 1 ? data_walk_splits(walk) : false;
	data_walk_free(walk);
	end_scouts(&scouts);
	if (shows_before(opts, ret)) {
		l->until = seq;
		l->failed = ret;
		err = NULL;
	} else if (ret < 0) {
		return ret;
	}
	if (!timed_known)
		b->timed = builder_is_timed(file);
	return seal_sideband(b, file, opts, err);
}

int load_sideband(struct builder *b, struct data_file *file, const struct ptui_load_opts *opts,
		  struct load_order *order, struct ptui_error *err)
{
	struct load l = { .b = b, .file = file, .opts = opts };

	return walk_sideband(&l, order, err);
}

/* ---- profiles ---- */

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

static int set_thread_counts(struct ptui_profile *p, const struct builder *b)
{
	p->thread_counts = calloc(b->n_times + 1, sizeof(*p->thread_counts));
	if (!p->thread_counts)
		return -ENOMEM;
	for (size_t i = 0; i < b->n_times; i++) {
		const struct builder_times *t = &b->times[i];

		if (t->has_count && t->event < p->n_events)
			p->thread_counts[p->n_thread_counts++] =
				(struct ptui_thread_count){ t->pid, t->tid, t->event, t->count };
	}
	return 0;
}

/*
 * What makes events of two recordings the same one, besides the name. Numbers of tracepoints and of PMUs
 * differ between machines.
 */
static uint64_t event_key(const struct data_event *e)
{
	uint64_t flags = e->freq | e->precise_ip << 1 | e->exclude_user << 3 |
			 e->exclude_kernel << 4 | e->exclude_hv << 5 | e->exclude_guest << 6 |
			 e->exclude_host << 7;
	uint64_t key = hash_pair(e->type < PERF_TYPE_MAX ? e->type : PERF_TYPE_MAX,
				 e->type == PERF_TYPE_TRACEPOINT ? 0 : e->config);

	key = hash_pair(key, e->config1);
	key = hash_pair(key, e->config2);
	key = hash_pair(key, e->config3);
	key = hash_pair(key, e->config4);
	key = hash_pair(key, e->sample_period);
	key = hash_pair(key, e->sample_type);
	key = hash_pair(key, e->branch_sample_type);
	return hash_pair(key, flags);
}

/* What merging compares. 0 or -ENOMEM. */
static int set_origin(struct ptui_profile *p, struct data_file *file)
{
	const char *host = data_feature_text(file, PTUI_FEAT_HOSTNAME);

	p->clock = -1;
	p->host = host ? strdup(host) : NULL;
	p->event_keys = calloc(p->n_events + 1, sizeof(*p->event_keys));
	if ((host && !p->host) || !p->event_keys)
		return -ENOMEM;
	for (size_t i = 0; i < p->n_events && i < data_n_events(file); i++) {
		const struct data_event *e = data_event(file, i);

		p->event_keys[i] = event_key(e);
		if (e->use_clockid)
			p->clock = e->clockid;
	}
	return 0;
}

/* What a profile has besides what the store publishes. `last`: nothing follows. 0 or -ENOMEM. */
static int complete_profile(struct load *l, struct ptui_profile *p, bool last)
{
	struct builder *b = l->b;

	p->mode = b->mode;
	p->timed = b->timed;
	if (set_origin(p, l->file))
		return -ENOMEM;
	p->full_paths = l->opts->full_paths;
	if (last && set_thread_counts(p, b))
		return -ENOMEM;
	set_times(p, l->file);
	if (last) {
		builder_extras_give(b, p);
		p->blocks = b->blocks;
		b->blocks = (struct blocks){ .v = NULL };
	} else if (builder_extras_copy(b, p) || builder_copy_blocks(b, p)) {
		return -ENOMEM;
	}
	if (set_sockets(p, l->file))
		return -ENOMEM;
	if (!l->debug)
		l->debug = session_debug_new(b->resolver, b->machine, b->store.names,
					     &b->resolver_opts);
	else if (session_debug_update(l->debug, b->resolver, b->machine, b->store.names))
		return -ENOMEM;
	if (!l->debug)
		return -ENOMEM;
	p->debug = session_debug_ref(l->debug);
	for (unsigned info = 0; info < 2; info++) {
		p->header[info] = header_text(l->file, info);
		if (!p->header[info])
			return -ENOMEM;
	}
	return 0;
}

/* The progress of loading goes on while symbols are read for a partial profile. */
static int report_symbols(void *ctx, const char *what, uint64_t done, uint64_t total)
{
	const struct load *l = ctx;

	(void)done;
	(void)total;
	return l->opts->progress ? l->opts->progress(l->opts->progress_ctx, what, l->off,
						     data_size_bytes(l->file)) :
				   0;
}

static struct ptui_profile *publish(struct load *l, bool last, struct ptui_error *err,
				    int *ret_error)
{
	struct ptui_profile *p;

	builder_name_threads(l->b);
	p = last ? builder_publish(l->b, l->opts->progress, l->opts->progress_ctx, err, ret_error) :
		   builder_publish(l->b, report_symbols, l, err, ret_error);
	if (p && complete_profile(l, p, last)) {
		ptui_profile_unref(p);
		*ret_error = ptui_error_nomem(err);
		return NULL;
	}
	return p;
}

int load_publish_partial(struct load *l, struct ptui_error *err)
{
	int ret = 0;
	struct ptui_profile *p = publish(l, false, err, &ret);

	if (!p)
		return ret;
	p->trust.loaded_bytes = l->off;
	p->trust.total_bytes = data_size_bytes(l->file);
	l->opts->partial(l->opts->partial_ctx, p);
	return 0;
}

/* ---- both walks ---- */

/* All of the file, or its first part; the latter is only shown. */
static int load_profile(struct load *l, struct ptui_profile **ret_profile, struct ptui_error *err)
{
	struct builder *b = l->b;
	int ret;

	b->extras.wanted = l->opts->extras;
	b->resolver_opts.once = !l->opts->partial;
	b->with_blocks = l->opts->cycles;
	b->with_history = l->opts->history;
	ret = read_kernel_early(l) ? ptui_error_nomem(err) : walk_sideband(l, NULL, err);
	if (ret || !l->until)
		return ret ? ret : l->failed;
	if (builder_extras_start(b, l->file, l->opts, err))
		return -ENOMEM;
	ptui_log(PTUI_LOG_DEBUG, "session", "maps read: %zu modules",
		 machine_n_modules(b->machine));
	ret = load_samples(l, err);
	if (!ret)
		ret = l->failed;
	if (shows_before(l->opts, ret) && l->n_samples > l->shown)
		(void)load_publish_partial(l, NULL);
	if (ret)
		return ret;
	if (l->first)
		return load_publish_partial(l, err);
	ptui_log(PTUI_LOG_DEBUG, "session", "samples read: %zu, %zu frames, %zu stack nodes",
		 b->n_rows, resolver_n_frames(b->resolver), b->store.stacks.n);
	*ret_profile = publish(l, true, err, &ret);
	ptui_log(PTUI_LOG_DEBUG, "session", "symbols found");
	return ret;
}

static uint64_t part_bytes(const struct ptui_load_opts *opts)
{
	return opts->partial_bytes ? opts->partial_bytes : FIRST_BYTES;
}

/* `first_bytes` 0: all of the file, of whose samples *shown are shown. Else sets *shown. */
static int load_file(struct data_file *file, const struct ptui_load_opts *opts,
		     uint64_t first_bytes, uint64_t *shown, struct ptui_profile **ret_profile,
		     struct ptui_error *err)
{
	struct builder builder;
	struct load l = { .b = &builder,
			  .file = file,
			  .opts = opts,
			  .asks = opts->partial_wanted && !first_bytes &&
				  data_size_bytes(file) >= part_bytes(opts),
			  .first = first_bytes > 0,
			  .first_bytes = first_bytes,
			  .shown = *shown };
	int ret = load_init_builder(&builder, file, opts) ? ptui_error_nomem(err) :
							    load_profile(&l, ret_profile, err);

	*shown = ret ? 0 : l.n_samples;
	if (l.debug)
		l.debug->free(l.debug);
	builder_release(&builder);
	return ret;
}

/* Of a large file, reading all maps takes a while: its first part is shown before. */
static int load_first_part(struct data_file *file, const struct ptui_load_opts *opts,
			   uint64_t *shown, struct ptui_error *err)
{
	uint64_t bytes = part_bytes(opts);
	struct ptui_profile *none = NULL;
	int ret;

	if (!opts->partial || data_is_pipe(file) || data_size_bytes(file) / 2 < bytes)
		return 0;
	ret = load_file(file, opts, bytes, shown, &none, err);
	return shows_before(opts, ret) ? 0 : ret;
}

struct ptui_profile *session_load(struct data_file *file, const struct ptui_load_opts *opts,
				  struct ptui_error *err, int *ret_error)
{
	static const struct ptui_load_opts no_opts;
	struct ptui_profile *p = NULL;
	uint64_t shown = 0;
	int ret;

	if (!opts)
		opts = &no_opts;
	ret = load_first_part(file, opts, &shown, err);
	if (!ret)
		ret = load_file(file, opts, 0, &shown, &p, err);
	if (ret && ret_error)
		*ret_error = ret;
	return p;
}

static int report_waiting(void *ctx)
{
	const struct ptui_load_opts *opts = ctx;

	return opts->progress(opts->progress_ctx, _("waiting for the pipe"), 0, 0);
}

static struct ptui_profile *load_path(const char *path, const struct ptui_load_opts *opts,
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

/* ---- several files ---- */

static int merge_path(struct profile_merge *m, const char *path, const struct ptui_load_opts *opts,
		      struct ptui_error *err)
{
	int ret = 0;
	struct ptui_profile *part = load_path(path, opts, err, &ret);

	if (!part && ret == -ENODATA)
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, path, _("%s is empty"), path);
	if (!part)
		return ret;
	ret = profile_merge_add(m, part, err);
	ptui_profile_unref(part);
	return ret;
}

static int check_mergeable(const struct ptui_load_opts *opts, struct ptui_error *err)
{
	if (opts->extras & PTUI_EXTRA_FIELDS)
		return ptui_error_set(
			err, PTUI_ERROR_INPUT, EINVAL, "--sort",
			_("fields of tracepoints cannot be sort keys of several recordings: their "
			  "formats may differ"));
	return 0;
}

static struct ptui_profile *load_several(const char *path, const struct ptui_load_opts *opts,
					 struct ptui_error *err, int *ret_error)
{
	struct ptui_load_opts each = *opts;
	struct profile_merge *m = profile_merge_new();
	struct ptui_profile *p = NULL;
	int ret = m ? check_mergeable(opts, err) : ptui_error_nomem(err);

	each.merge.samples = false;
	each.cycles = false;
	each.partial_wanted = NULL;
	each.partial = NULL;
	if (!ret)
		ret = merge_path(m, path, &each, err);
	for (size_t i = 0; i < opts->n_more && !ret; i++)
		ret = merge_path(m, opts->more[i], &each, err);
	if (!ret) {
		p = profile_merge_take(m);
		ret = p ? 0 : ptui_error_nomem(err);
	}
	profile_merge_free(m);
	if (ret && ret_error)
		*ret_error = ret;
	return p;
}

struct ptui_profile *ptui_profile_load(const char *path, const struct ptui_load_opts *opts,
				       struct ptui_error *err, int *ret_error)
{
	return opts && opts->n_more ? load_several(path, opts, err, ret_error) :
				      load_path(path, opts, err, ret_error);
}
