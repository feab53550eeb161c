/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probe/add.h"

#include <errno.h>
#include <string.h>
#include "probe/tracefs.h"

int probe_lists_read(struct arena *mem, const char **ret_tracefs, struct probe_events *ret,
		     struct ptui_error *err)
{
	int error = probe_tracefs(&roots_system, mem, ret_tracefs, err);

	if (!error)
		error = probe_tracefs_read(*ret_tracefs, false, mem, ret, err);
	return error ? error : probe_tracefs_read(*ret_tracefs, true, mem, ret, err);
}

int probe_base_symbol(struct probe_binary *b, struct probe_make_opts *o, struct ptui_error *err)
{
	static const char *const names[] = { "_text", "_stext" };
	int ret = b->is_running ? probe_binary_symbols(b, err) : 0;

	for (size_t i = 0; i < 2 && b->is_running && !ret && !o->base_symbol; i++) {
		const struct probe_symbol *s = probe_binary_symbol_named(b, names[i]);

		if (s) {
			o->base_symbol = names[i];
			o->base_addr = s->addr;
		}
	}
	return ret;
}

struct adder {
	const struct probe_definition *def;
	struct probe_events *events;
	const struct probe_events *known;
	const char *tracefs;
	const struct probe_add_opts *o;
	struct arena *mem;
};

static bool is_taken(void *ctx, const char *name)
{
	const struct adder *a = ctx;

	for (size_t i = 0; i < a->known->n; i++)
		if (a->known->v[i].is_uprobe == a->events->v[0].is_uprobe &&
		    (!a->o->own_group || !strcmp(a->known->v[i].group, a->events->v[0].group)) &&
		    !strcmp(a->known->v[i].event, name))
			return true;
	return false;
}

/* Several addresses are one event, unless the kernel wants a name for each. */
static int add_one(struct adder *a, size_t i, struct ptui_error *err)
{
	struct probe_event *e = &a->events->v[i];
	int ret;

	if (i) {
		e->event = a->events->v[i - 1].event;
		ret = probe_tracefs_add(a->tracefs, e, a->o->dry_run, err);
		if (!ret || ret != -EEXIST)
			return ret;
		memset(err, 0, sizeof(*err));
	}
	ret = probe_event_name(a->def, e, is_taken, a, i > 0 || a->o->force, a->mem, &e->event,
			       err);
	return ret ? ret : probe_tracefs_add(a->tracefs, e, a->o->dry_run, err);
}

int probe_events_add(const struct probe_definition *def, struct probe_events *events,
		     const char *tracefs, const struct probe_events *known,
		     const struct probe_add_opts *o, struct arena *mem, struct ptui_error *err)
{
	struct adder a = { def, events, known, tracefs, o, mem };

	for (size_t i = 0; i < events->n; i++) {
		int ret = add_one(&a, i, err);

		if (!ret)
			continue;
		while (!o->dry_run && i-- > 0)
			if (!i || strcmp(events->v[i].event, events->v[i - 1].event))
				probe_tracefs_delete(tracefs, &events->v[i], NULL);
		return ret;
	}
	return 0;
}
