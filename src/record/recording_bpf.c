/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The event arrays of BPF programs of -e: each gets the counters of an event, one per CPU, into which
 * bpf_perf_event_output() writes. Programs are loaded in bpf_load.c.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "config.h"
#include "event/bpf_file.h"
#include "record/recording_private.h"
#include "record/select.h"
#ifdef HAVE_LIBBPF
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#endif

void recording_set_probe_adder(struct ptui_recording *r, probe_adder_fn fn)
{
	r->probe_adder = fn;
}

#ifndef HAVE_LIBBPF

int recording_add_bpf_outputs(struct ptui_recording *r, struct ptui_error *err)
{
	(void)r;
	(void)err;
	return 0;
}

int recording_connect_bpf(struct ptui_recording *r, struct ptui_error *err)
{
	(void)r;
	(void)err;
	return 0;
}

#else

/* The file of event `i`, unless an earlier event has the same one; or NULL. */
static struct bpf_file *new_file(const struct ptui_recording *r, size_t i)
{
	const struct event *v = r->events.v;

	for (size_t k = 0; v[i].bpf && k < i; k++)
		if (v[k].bpf && v[k].bpf->file == v[i].bpf->file)
			return NULL;
	return v[i].bpf ? v[i].bpf->file : NULL;
}

/* ---- event arrays ---- */

static const char *event_of_map(const struct bpf_file *f, const struct bpf_map *map,
				bool *ret_given)
{
	const char *name = bpf_map__name(map);

	for (size_t i = 0; i < f->n_terms; i++) {
		if (!strcmp(f->terms[i].map, name)) {
			*ret_given = true;
			return f->terms[i].event;
		}
	}
	*ret_given = false;
	return name;
}

static uint32_t find_event(const struct ptui_recording *r, const char *name)
{
	for (uint32_t i = 0; i < r->events.n; i++)
		if (!strcmp(r->events.v[i].name, name))
			return i;
	return PTUI_NONE;
}

/* An array without an event gets an output event of its name. */
static int add_output(struct ptui_recording *r, const struct bpf_file *f, const struct bpf_map *map,
		      struct ptui_error *err)
{
	struct buf text = BUF_INIT;
	bool given;
	const char *name = event_of_map(f, map, &given);
	int ret;

	if (find_event(r, name) != PTUI_NONE)
		return 0;
	if (given)
		return ptui_error_set(err, PTUI_ERROR_INPUT, ENOENT, f->path,
				      _("no event is named '%s', for the map '%s' of %s"), name,
				      bpf_map__name(map), f->path);
	buf_addf(&text, "bpf-output/no-inherit=1,name=%s/", name);
	ret = text.err ? ptui_error_nomem(err) :
			 record_select(r->catalog, buf_str(&text), &r->events, err);
	buf_release(&text);
	return ret;
}

static bool is_event_array(const struct bpf_map *map)
{
	return bpf_map__type(map) == BPF_MAP_TYPE_PERF_EVENT_ARRAY;
}

int recording_add_bpf_outputs(struct ptui_recording *r, struct ptui_error *err)
{
	size_t n = r->events.n;
	int ret = 0;

	for (size_t i = 0; i < n && !ret; i++) {
		const struct bpf_file *f = new_file(r, i);
		struct bpf_map *map;

		if (!f)
			continue;
		bpf_object__for_each_map(map, f->object)
		{
			if (!ret && is_event_array(map))
				ret = add_output(r, f, map, err);
		}
	}
	return ret;
}

/* The counter of a thread on any CPU serves all of them. */
static int set_counter(const struct bpf_map *map, const struct counter *k)
{
	int first = k->cpu < 0 ? 0 : k->cpu;
	int last = k->cpu < 0 ? (int)bpf_map__max_entries(map) - 1 : k->cpu, ret = 0;

	for (int cpu = first; cpu <= last && !ret; cpu++)
		ret = bpf_map_update_elem(bpf_map__fd(map), &cpu, &k->fd, BPF_ANY);
	return ret;
}

static int fill_array(const struct ptui_recording *r, const struct bpf_map *map, uint32_t event,
		      struct ptui_error *err)
{
	const struct event *ev = &r->events.v[event];
	const struct counter *last = NULL;

	if (ev->attr.inherit) {
		ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, ev->name,
			       _("the map '%s' cannot have an inherited event"),
			       bpf_map__name(map));
		ptui_error_hint(err, _("give %s the term no-inherit=1"), ev->name);
		return -EINVAL;
	}
	for (size_t i = 0; i < r->counters.n; i++) {
		const struct counter *k = &r->counters.v[i];
		int ret;

		if (k->event != event)
			continue;
		if (last && last->tid != k->tid) {
			ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, ev->name,
				       _("the map '%s' takes one counter per CPU, and %s has one "
					 "per thread"),
				       bpf_map__name(map), ev->name);
			ptui_error_hint(err, _("record the whole system (-a), a command or a "
					       "single thread (-t)"));
			return -EINVAL;
		}
		last = k;
		ret = set_counter(map, k);
		if (ret)
			return ptui_error_errno(err, -ret, bpf_map__name(map),
						_("cannot set the events of the map '%s'"),
						bpf_map__name(map));
	}
	return 0;
}

int recording_connect_bpf(struct ptui_recording *r, struct ptui_error *err)
{
	int ret = 0;

	for (size_t i = 0; i < r->events.n && !ret; i++) {
		const struct bpf_file *f = new_file(r, i);
		struct bpf_map *map;
		uint32_t event;
		bool given;

		if (!f)
			continue;
		bpf_object__for_each_map(map, f->object)
		{
			if (ret || !is_event_array(map))
				continue;
			event = find_event(r, event_of_map(f, map, &given));
			if (event != PTUI_NONE)
				ret = fill_array(r, map, event, err);
		}
	}
	return ret;
}

#endif
