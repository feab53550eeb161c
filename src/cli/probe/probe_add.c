/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -a and -D: definitions to events. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "base/vec.h"
#include "cli/out.h"
#include "cli/probe/probe.h"
#include "dso/sdt.h"
#include "probe/add.h"
#include "probe/markers.h"
#include "session/buildid/buildid_entries.h"

struct definition {
	struct probe_definition def;
	struct probe_events events;
	bool is_uprobe;
};

/* ---- markers by name: in files of the build-id cache ---- */

static int count_marker(void *ctx, const struct dso_sdt *marker)
{
	return probe_marker_matches(ctx, marker);
}

static bool has_marker(const struct probe_definition *def, const char *path)
{
	return dso_sdt_each(path, count_marker, (void *)(uintptr_t)def, NULL) > 0;
}

static int add_marker_of(struct probe_run *r, const char *path, struct definition *ret,
			 struct ptui_error *err)
{
	struct probe_make_opts o = { .find = probe_find_opts(r), .max_probes = r->c->max_probes };
	struct probe_target target = { arena_strdup(&r->mem, path), NULL };
	struct probe_events of_file = { NULL, 0, 0 };
	int error = target.exec ? probe_use_target(r, &target, err) : ptui_error_nomem(err);

	if (!error)
		error = probe_events_make(r->binary, &ret->def, &o, &of_file, err);
	for (size_t i = 0; i < of_file.n && !error; i++) {
		struct probe_event *e = &of_file.v[i];

		e->module = arena_strdup(&r->mem, e->module);
		if (!e->module || vec_grow(&ret->events.v, &ret->events.cap, ret->events.n + 1))
			error = ptui_error_nomem(err);
		else
			ret->events.v[ret->events.n++] = *e;
	}
	probe_events_release(&of_file);
	return error;
}

static int no_marker(const struct probe_request *q, struct ptui_error *err)
{
	ptui_error_set(err, PTUI_ERROR_INPUT, ENOENT, q->text,
		       _("no file in the build-id cache has the marker '%s'"), q->text);
	ptui_error_hint(err, _("'ptui buildid-cache --add FILE' adds a file with its markers; or "
			       "name the file with -x"));
	return -ENOENT;
}

/* As in perf: the probes are set in all files of the cache that have the marker. */
static int resolve_cached_marker(struct probe_run *r, const struct probe_request *q,
				 struct definition *ret, struct ptui_error *err)
{
	char *dir = buildid_cache_dir(r->cli->buildid_dir);
	struct cached_files files = { NULL, 0, 0 };
	int error = dir ? cached_files_read(&files, dir, &roots_system, err) :
			  ptui_error_nomem(err);

	for (size_t i = 0; i < files.n && !error; i++) {
		const struct cached_file *f = &files.v[i];
		const char *elf = arena_printf(&r->mem, "%s%s/%s/elf", dir, f->path, f->id);

		if (!elf)
			error = ptui_error_nomem(err);
		else if (*f->path == '/' && has_marker(&ret->def, elf) && f->valid)
			error = add_marker_of(r, f->path, ret, err);
		else if (*f->path == '/' && !f->valid && has_marker(&ret->def, elf))
			cli_warn(r->cli,
				 _("%s is not the file in the build-id cache any more, so it gets "
				   "no probe"),
				 f->path);
	}
	cached_files_release(&files);
	free(dir);
	ret->is_uprobe = true;
	return error || ret->events.n ? error : no_marker(q, err);
}

static int resolve(struct probe_run *r, const struct probe_request *q, struct definition *ret,
		   struct ptui_error *err)
{
	struct probe_make_opts o = { .find = probe_find_opts(r), .max_probes = r->c->max_probes };
	struct probe_target target = q->target;
	const char *group;
	int error = probe_definition_parse(q->text, &r->mem, &ret->def, err);

	if (error)
		return error;
	if (ret->def.is_sdt && !ret->def.target && !target.exec && !target.module)
		return resolve_cached_marker(r, q, ret, err);
	if (ret->def.target)
		target = (struct probe_target){ ret->def.target, NULL };
	error = probe_use_target(r, &target, err);
	if (!error)
		error = probe_base_symbol(r->binary, &o, err);
	if (error)
		return error;
	o.module = r->module;
	ret->is_uprobe = !r->binary->is_kernel;
	error = probe_events_make(r->binary, &ret->def, &o, &ret->events, err);
	group = probe_group_of(ret->is_uprobe ? q->target.exec ? r->binary->path : NULL : NULL,
			       &r->mem);
	for (size_t i = 0; i < ret->events.n && !error; i++) {
		struct probe_event *e = &ret->events.v[i];

		/* the file may be another one for the next definition */
		e->module = e->module ? arena_strdup(&r->mem, e->module) : NULL;
		e->group = e->group ? e->group : group;
	}
	return error;
}

/* ---- -D ---- */

int probe_print_definition(struct probe_run *r, const struct probe_request *q,
			   struct ptui_error *err)
{
	struct definition d = { .is_uprobe = false };
	const char *last = NULL;
	int ret = resolve(r, q, &d, err);

	if (!ret && r->c->bootconfig && d.is_uprobe)
		ret = ptui_error_set(err, PTUI_ERROR_INPUT, ENOTSUP, NULL,
				     _("a boot configuration cannot have probes in programs"));
	for (size_t i = 0; i < d.events.n && !ret; i++) {
		struct probe_event *e = &d.events.v[i];
		struct buf line = BUF_INIT;

		ret = probe_event_name(&d.def, e, NULL, NULL, true, &r->mem, &e->event, err);
		if (!ret && r->c->bootconfig) {
			probe_event_format(e, &line);
			if (last && !strcmp(last, e->event))
				buf_add_str(&r->out, ", ");
			else
				buf_addf(&r->out,
					 "%sftrace.event.kprobes.%s.probe = ", last ? "\n" : "",
					 e->event);
			buf_addf(&r->out, "'%s'", strchr(buf_str(&line), ' ') + 1);
			last = e->event;
		} else if (!ret) {
			probe_event_format(e, &r->out);
			buf_add_char(&r->out, '\n');
		}
		buf_release(&line);
	}
	if (!ret && r->c->bootconfig)
		buf_add_char(&r->out, '\n');
	probe_events_release(&d.events);
	return ret;
}

/* ---- -a ---- */

void probe_describe(struct buf *out, const struct probe_event *e, const struct probe_point *point,
		    const struct probe_arg *args, size_t n_args)
{
	struct buf name = BUF_INIT;

	buf_addf(&name, "%s:%s", e->group, e->event);
	buf_addf(out, "  %-20s (on ", buf_str(&name));
	probe_point_format(point, out);
	if (e->module)
		buf_addf(out, " in %s", e->module);
	if (n_args)
		buf_add_str(out, " with");
	for (size_t i = 0; i < n_args; i++) {
		buf_add_char(out, ' ');
		probe_arg_format(&args[i], out);
	}
	buf_add_str(out, ")\n");
	buf_release(&name);
}

static int add_definition(struct probe_run *r, struct definition *d, struct ptui_error *err)
{
	const struct probe_add_opts o = { .force = r->c->force, .dry_run = r->c->dry_run };
	struct probe_events known = { NULL, 0, 0 };
	const char *tracefs;
	int ret = probe_lists_read(&r->mem, &tracefs, &known, err);

	if (!ret)
		ret = probe_events_add(&d->def, &d->events, tracefs, &known, &o, &r->mem, err);
	for (size_t i = 0; i < d->events.n && !ret; i++)
		probe_describe(&r->note, &d->events.v[i], &d->def.point, d->def.args,
			       d->def.n_args);
	probe_events_release(&known);
	return ret;
}

int probe_add_all(struct probe_run *r, struct ptui_error *err)
{
	struct definition *v = calloc(r->c->n_requests, sizeof(*v));
	const struct probe_event *last = NULL;
	size_t n = 0, done = 0, n_events = 0;
	struct buf all = BUF_INIT;
	int ret = v ? 0 : ptui_error_nomem(err);

	for (; v && n < r->c->n_requests && !ret; n++)
		ret = resolve(r, &r->c->requests[n], &v[n], err);
	for (; done < n && !ret; done++) {
		ret = add_definition(r, &v[done], err);
		if (!ret) {
			n_events += v[done].events.n;
			last = &v[done].events.v[v[done].events.n - 1];
		}
	}
	if (last) {
		buf_add_str(&all, n_events > 1 ? _("Added new events:") : _("Added new event:"));
		buf_addf(&all, "\n%s\n", buf_str(&r->note));
		buf_addf(&all, "%s\n\n\tptui record -e %s:%s -aR sleep 1\n\n",
			 _("You can now use it in all perf tools, such as:"), last->group,
			 last->event);
		buf_release(&r->note);
		r->note = all;
	}
	for (size_t i = 0; i < n; i++)
		probe_events_release(&v[i].events);
	free(v);
	return ret;
}
