/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record/bpf_load.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/buf.h"
#include "base/i18n.h"
#include "config.h"
#include "event/bpf_file.h"
#include "event/catalog.h"
#ifdef HAVE_LIBBPF
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#endif

#ifndef HAVE_LIBBPF

int bpf_load_events(struct event_list *events, struct catalog *catalog, probe_adder_fn add_probe,
		    struct ptui_error *err)
{
	(void)events;
	(void)catalog;
	(void)add_probe;
	(void)err;
	return 0;
}

#else

/* The id in tracefs of the event's tracepoint. */
static int read_id(struct catalog *catalog, struct event *ev, struct ptui_error *err)
{
	const char *tracefs;
	long long id;
	int ret = catalog_tracefs(catalog, &tracefs, err);

	if (ret)
		return ret;
	ret = file_read_long(&id, "%s/events/%s/%s/id", tracefs, ev->tp_system, ev->tp_name);
	if (ret)
		return ptui_error_errno(err, -ret, ev->name, _("cannot read the id of %s"),
					ev->name);
	ev->attr.config = (uint64_t)id;
	return 0;
}

/* "GROUP:NAME" lines: one, unless the definition matches several functions. */
static int take_probe(struct event *ev, char *events, struct ptui_error *err)
{
	char *colon = strchr(events, ':');

	if (!colon || strchr(events, '\n'))
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, ev->bpf->probe,
				      _("'%s' matches several functions: a program can be "
					"attached to one probe only"),
				      ev->bpf->probe);
	*colon = '\0';
	free(ev->tp_system);
	free(ev->tp_name);
	ev->tp_system = strdup(events);
	ev->tp_name = strdup(colon + 1);
	return ev->tp_system && ev->tp_name ? 0 : ptui_error_nomem(err);
}

static int make_probe(struct catalog *catalog, probe_adder_fn add_probe, struct event *ev,
		      struct ptui_error *err)
{
	const struct event_bpf *b = ev->bpf;
	char *events = NULL;
	int ret;

	if (!add_probe)
		return ptui_error_set(err, PTUI_ERROR_SYSTEM, ENOTSUP, b->probe,
				      _("probes cannot be made here"));
	ret = add_probe(b->probe, b->exec, b->module, &events, err);
	if (!ret)
		ret = take_probe(ev, events, err);
	else
		ptui_error_prefix(err, "%s", b->file->path);
	free(events);
	return ret ? ret : read_id(catalog, ev, err);
}

static int load_file(struct bpf_file *f, struct ptui_error *err)
{
	int ret;

	bpf_begin_warnings();
	ret = bpf_object__load(f->object);
	f->loaded = !ret;
	if (!ret)
		return 0;
	ptui_error_errno(err, -ret, f->path, _("cannot load the BPF programs of %s"), f->path);
	if (ret == -EPERM || ret == -EACCES)
		ptui_error_hint(err, _("BPF programs require root: run it with sudo"));
	else if (*bpf_first_warning())
		ptui_error_hint(err, "libbpf: %s", bpf_first_warning());
	return ret;
}

int bpf_load_events(struct event_list *events, struct catalog *catalog, probe_adder_fn add_probe,
		    struct ptui_error *err)
{
	int ret = 0;

	for (size_t i = 0; i < events->n && !ret; i++)
		if (events->v[i].bpf && events->v[i].bpf->probe)
			ret = make_probe(catalog, add_probe, &events->v[i], err);
	for (size_t i = 0; i < events->n && !ret; i++) {
		struct event_bpf *b = events->v[i].bpf;

		if (b && !b->file->loaded)
			ret = load_file(b->file, err);
		if (b && !ret)
			b->fd = bpf_program__fd(b->program);
	}
	return ret;
}

#endif
