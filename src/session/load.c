/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/load.h"

#include <errno.h>
#include <stdlib.h>
#include "base/i18n.h"
#include "base/perf_abi.h"
#include "profile/profile.h"
#include "ptui/log.h"
#include "resolve/resolver.h"
#include "session/intake.h"

/* Records between two looks at the progress callback. */
#define PROGRESS_RECORDS 16384

struct loader {
	struct data_file *file;
	const struct ptui_load_opts *opts;
	struct ptui_profile *profile;
	struct machine *machine;
	struct resolver *resolver;
	struct intake intake;
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

static int add_build_ids(struct loader *l)
{
	struct data_build_id id;

	for (size_t i = 0; data_build_id_at(l->file, i, &id) == 0; i++) {
		int err = machine_add_build_id(l->machine, id.path, id.id, id.bytes);

		if (err)
			return err;
	}
	return 0;
}

static int walk_sideband(struct loader *l, struct ptui_error *err)
{
	struct data_walk *walk = data_walk_new(l->file, err);
	struct data_record rec;
	const char *what = _("reading the maps"); /* gettext is too slow for every record */
	bool timed_known = false;
	int ret;

	if (!walk)
		return -ENOMEM;
	while ((ret = data_walk_next(walk, false, &rec, err)) == 0) {
		/* in a pipe the events come first, as records */
		if (!timed_known && rec.type < PTUI_RECORD_HEADER_ATTR) {
			l->intake.timed = intake_is_timed(l->file);
			timed_known = true;
		}
		ret = intake_sideband(&l->intake, &rec);
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
		l->intake.timed = intake_is_timed(l->file);
	ret = add_build_ids(l);
	if (!ret)
		ret = machine_seal(l->machine);
	return ret ? ptui_error_nomem(err) : 0;
}

/* ---- second walk: the samples ---- */

static int take_sample(struct loader *l, struct data_walk *walk, const struct data_record *rec)
{
	struct data_sample s;

	if (data_walk_sample(walk, rec, &s))
		return 0; /* counted by the walk */
	return intake_sample(&l->intake, rec, &s);
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
		ret = take_sample(l, walk, &rec);
		if (ret) {
			ptui_error_nomem(err);
			break;
		}
		ret = report_progress(l, what, rec.off, err);
		if (ret)
			break;
	}
	data_walk_damage(walk, &damage);
	intake_damage(&l->profile->trust, &damage);
	data_walk_free(walk);
	return ret < 0 ? ret : 0;
}

/* ---- the end: names for the frames, totals for the events ---- */

static int set_events(struct loader *l)
{
	struct ptui_profile *p = l->profile;
	size_t n = data_n_events(l->file);

	p->events = calloc(n ? n : 1, sizeof(*p->events));
	if (!p->events)
		return -ENOMEM;
	p->n_events = n;
	for (size_t i = 0; i < n; i++) {
		const struct data_event *e = data_event(l->file, i);
		uint32_t name = strpool_add(&p->names, e->name);

		if (name == PTUI_NONE)
			return -ENOMEM;
		p->events[i].name = strpool_get(&p->names, name);
		p->events[i].has_callchains = e->sample_type & PERF_SAMPLE_CALLCHAIN &&
					      !l->opts->no_chains;
	}
	intake_tell_events(&l->intake, p->events, n);
	for (size_t i = 0; i < p->samples.n; i++) {
		struct ptui_event_info *e = &p->events[p->samples.event[i]];

		e->samples++;
		e->period += p->samples.period[i];
	}
	return 0;
}

static void set_last_comms(struct loader *l)
{
	struct samples *s = &l->profile->samples;

	for (size_t t = 0; t < s->n_threads; t++)
		s->threads[t].last_comm = machine_comm(l->machine, s->threads[t].pid,
						       s->threads[t].tid, UINT64_MAX);
}

static int load(struct loader *l, struct ptui_error *err)
{
	struct resolver_opts ropts = {
		.roots = &roots_system,
		.symfs = l->opts->symfs,
		.buildid_dir = l->opts->buildid_dir,
		.kallsyms = l->opts->kallsyms,
	};
	int ret = walk_sideband(l, err);

	if (ret)
		return ret;
	ptui_log(PTUI_LOG_DEBUG, "session", "maps read: %zu modules", machine_n_modules(l->machine));
	l->resolver = resolver_new(l->machine, &l->profile->names, &ropts);
	if (!l->resolver)
		return ptui_error_nomem(err);
	l->intake.resolver = l->resolver;
	ret = walk_samples(l, err);
	if (ret)
		return ret;
	ptui_log(PTUI_LOG_DEBUG, "session", "samples read: %zu, %zu frames, %zu stack nodes",
		 l->profile->samples.n, resolver_n_frames(l->resolver), l->profile->stacks.n);
	set_last_comms(l);
	ret = resolver_symbolize(l->resolver, l->opts->progress, l->opts->progress_ctx, err);
	if (ret)
		return ret;
	ptui_log(PTUI_LOG_DEBUG, "session", "symbols found");
	ret = profile_set_frames(l->profile, resolver_n_frames(l->resolver), intake_frame_facts,
				 l->resolver);
	if (!ret)
		ret = set_events(l);
	return ret ? ptui_error_nomem(err) : 0;
}

struct ptui_profile *session_load(struct data_file *file, const struct ptui_load_opts *opts,
				  struct ptui_error *err, int *ret_error)
{
	static const struct ptui_load_opts no_opts;
	struct loader l = { .file = file, .opts = opts ? opts : &no_opts };
	int ret = -ENOMEM;

	l.profile = profile_new();
	if (l.profile)
		l.machine = machine_new(&l.profile->names);
	if (l.machine) {
		l.intake = (struct intake){ .file = file, .machine = l.machine,
					    .names = &l.profile->names,
					    .samples = &l.profile->samples,
					    .stacks = &l.profile->stacks,
					    .trust = &l.profile->trust,
					    .no_chains = l.opts->no_chains };
		ret = load(&l, err);
	} else {
		ptui_error_nomem(err);
	}
	resolver_free(l.resolver);
	machine_free(l.machine);
	intake_release(&l.intake);
	if (ret) {
		ptui_profile_unref(l.profile);
		l.profile = NULL;
		if (ret_error)
			*ret_error = ret;
	}
	return l.profile;
}

static int waiting(void *ctx)
{
	const struct ptui_load_opts *opts = ctx;

	return opts->progress(opts->progress_ctx, _("waiting for the pipe"), 0, 0);
}

struct ptui_profile *ptui_profile_load(const char *path, const struct ptui_load_opts *opts,
				       struct ptui_error *err, int *ret_error)
{
	bool asks = opts && opts->progress;
	struct data_file *file = data_open_waiting(path, asks ? waiting : NULL, (void *)opts, err,
						   ret_error);
	struct ptui_profile *p;

	if (!file)
		return NULL;
	p = session_load(file, opts, err, ret_error);
	data_close(file);
	return p;
}
