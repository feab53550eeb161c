/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/load.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "base/perf_abi.h"
#include "ptui/log.h"
#include "session/builder.h"
#include "session/buildid_table.h"
#include "session/debug.h"
#include "session/header.h"

/* Records between two calls of the progress callback. */
#define PROGRESS_RECORDS 16384

struct loader {
	struct data_file *file;
	const struct ptui_load_opts *opts;
	struct builder builder;
	uint64_t records;
};

static int report_progress(struct loader *l, const char *what, uint64_t done,
			   struct ptui_error *err)
{
	if (!l->opts->progress || l->records++ % PROGRESS_RECORDS)
		return 0;
	if (!l->opts->progress(l->opts->progress_ctx, what, done, data_size_bytes(l->file)))
		return 0;
	return ptui_error_set(err, PTUI_ERROR_INPUT, ECANCELED, NULL, _("cancelled"));
}

/* ---- first walk: the sideband ---- */

static int add_events(struct loader *l)
{
	int ret = 0;

	for (size_t i = 0; i < data_n_events(l->file) && !ret; i++)
		ret = builder_add_event(&l->builder, data_event(l->file, i));
	return ret;
}

static int walk_sideband(struct loader *l, struct ptui_error *err)
{
	struct data_walk *walk = data_walk_new(l->file, err);
	struct data_record rec;
	const char *what = _("reading the maps"); /* once: gettext() is slow */
	bool timed_known = false;
	int ret;

	if (!walk)
		return -ENOMEM;
	while ((ret = data_walk_next(walk, false, &rec, err)) == 0) {
		/* in a pipe the events come first, as records */
		if (!timed_known && rec.type < PTUI_RECORD_HEADER_ATTR) {
			l->builder.timed = builder_is_timed(l->file);
			timed_known = true;
		}
		ret = builder_add_record(&l->builder, &rec);
		if (ret) {
			ptui_error_nomem(err);
			break;
		}
		ret = report_progress(l, what, rec.off, err);
		if (ret)
			break;
	}
	data_walk_free(walk);
	if (ret < 0)
		return ret;
	if (!timed_known)
		l->builder.timed = builder_is_timed(l->file);
	/* complete only now in a pipe */
	l->builder.resolver_opts.kernel_release = data_feature_text(l->file, PTUI_FEAT_OSRELEASE);
	l->builder.resolver_opts.arch = data_feature_text(l->file, PTUI_FEAT_ARCH);
	l->builder.resolver_opts.hostname = data_feature_text(l->file, PTUI_FEAT_HOSTNAME);
	l->builder.resolver_opts.recorded_ns = data_mtime_ns(l->file);
	ret = add_events(l);
	if (!ret)
		ret = buildid_add_recorded(l->file, l->builder.machine, l->builder.store.names);
	if (!ret)
		ret = jit_maps_add(&l->builder.jit, l->builder.machine, l->file, l->opts->symfs);
	if (!ret)
		ret = builder_seal(&l->builder, UINT64_MAX);
	return ret ? ptui_error_nomem(err) : 0;
}

/* ---- second walk: the samples ---- */

static int load_sample(struct loader *l, struct data_walk *walk, const struct data_record *rec)
{
	struct data_sample s;

	if (data_walk_sample(walk, rec, &s))
		return 0; /* counted by the walk */
	return builder_add_sample(&l->builder, rec, &s);
}

static int walk_samples(struct loader *l, struct ptui_error *err)
{
	struct data_walk *walk = data_walk_new(l->file, err);
	const char *what = _("reading the samples");
	struct data_damage damage;
	struct data_record rec;
	int ret;

	if (!walk)
		return -ENOMEM;
	while ((ret = data_walk_next(walk, true, &rec, err)) == 0) {
		if (rec.type != PERF_RECORD_SAMPLE)
			continue;
		ret = load_sample(l, walk, &rec);
		if (ret) {
			ptui_error_nomem(err);
			break;
		}
		ret = report_progress(l, what, rec.off, err);
		if (ret)
			break;
	}
	data_walk_damage(walk, &damage);
	builder_set_damage(&l->builder, &damage);
	data_walk_free(walk);
	return ret < 0 ? ret : 0;
}

/* ---- both walks, and the publication ---- */

static int load_profile(struct loader *l, struct ptui_profile **ret_profile, struct ptui_error *err)
{
	struct builder *b = &l->builder;
	int ret = walk_sideband(l, err);

	if (ret)
		return ret;
	ptui_log(PTUI_LOG_DEBUG, "session", "maps read: %zu modules",
		 machine_n_modules(b->machine));
	ret = walk_samples(l, err);
	if (ret)
		return ret;
	ptui_log(PTUI_LOG_DEBUG, "session", "samples read: %zu, %zu frames, %zu stack nodes",
		 b->store.samples.n, resolver_n_frames(b->resolver), b->store.stacks.n);
	builder_name_threads(b);
	*ret_profile = builder_publish(b, l->opts->progress, l->opts->progress_ctx, err, &ret);
	if (!ret) {
		(*ret_profile)->debug = session_debug_new(b->resolver, b->machine, b->store.names,
							  &b->resolver_opts);
		if (!(*ret_profile)->debug)
			ret = ptui_error_nomem(err);
	}
	for (unsigned info = 0; !ret && info < 2; info++) {
		(*ret_profile)->header[info] = header_text(l->file, info);
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
	struct loader l = { .file = file, .opts = opts ? opts : &no_opts };
	struct builder_opts build = {
		.file = file,
		.resolver = { .roots = &roots_system,
			      .symfs = l.opts->symfs,
			      .buildid_dir = l.opts->buildid_dir,
			      .kernel = l.opts->kernel,
			      .force_names = l.opts->force_names },
		.max_rows = STORE_UNBOUNDED,
		.max_stack = l.opts->max_stack,
		.no_chains = l.opts->no_chains,
	};
	struct ptui_profile *p = NULL;
	int ret;

	if (!build.resolver.kernel.kallsyms && !build.resolver.kernel.vmlinux)
		build.resolver.kernel.kallsyms = data_kallsyms_path(file);
	ret = builder_init(&l.builder, &build);

	ret = ret ? ptui_error_nomem(err) : load_profile(&l, &p, err);
	builder_release(&l.builder);
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
