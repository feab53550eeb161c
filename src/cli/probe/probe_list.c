/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -d and -l: the probes that there are. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "cli/probe/probe.h"
#include "event/probe_owner.h"
#include "probe/add.h"
#include "probe/filter.h"
#include "probe/show.h"
#include "probe/tracefs.h"

#define NAMES_MAX 4 /* of leftovers */

static bool event_matches(const struct probe_event *e, const char *filter)
{
	struct buf whole = BUF_INIT;
	bool ret;

	buf_addf(&whole, "%s:%s", e->group, e->event);
	ret = probe_filter_matches(filter, e->event) ||
	      probe_filter_matches(filter, buf_str(&whole));
	buf_release(&whole);
	return ret;
}

static bool is_repeated(const struct probe_events *events, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (events->v[k].is_uprobe == events->v[i].is_uprobe &&
		    !strcmp(events->v[k].group, events->v[i].group) &&
		    !strcmp(events->v[k].event, events->v[i].event))
			return true;
	return false;
}

int probe_delete(struct probe_run *r, const struct probe_request *q, struct ptui_error *err)
{
	struct probe_events known = { NULL, 0, 0 };
	const char *tracefs;
	size_t n = 0;
	int ret = probe_filter_check(q->text, err);

	if (!ret)
		ret = probe_lists_read(&r->mem, &tracefs, &known, err);
	for (size_t i = 0; i < known.n && !ret; i++) {
		const struct probe_event *e = &known.v[i];

		if (!event_matches(e, q->text) || is_repeated(&known, i))
			continue;
		ret = r->c->dry_run ? 0 : probe_tracefs_delete(tracefs, e, err);
		if (!ret)
			buf_addf(&r->note, _("Removed event: %s:%s\n"), e->group, e->event);
		n++;
	}
	if (!ret && !n) {
		ret = ptui_error_set(err, PTUI_ERROR_INPUT, ENOENT, q->text,
				     _("no probe matches '%s'"), q->text);
		ptui_error_hint(err, _("'ptui probe -l' lists the probes"));
	}
	probe_events_release(&known);
	return ret;
}

static int by_place(const void *a, const void *b)
{
	const struct probe_event *x = a, *y = b;
	int order = (x->is_uprobe > y->is_uprobe) - (x->is_uprobe < y->is_uprobe);

	if (!order)
		order = (x->returns > y->returns) - (x->returns < y->returns);
	if (!order)
		order = strcmp(x->group, y->group);
	if (!order)
		order = strcmp(x->event, y->event);
	if (!order)
		order = (x->address > y->address) - (x->address < y->address);
	return order;
}

/* The source of a probe; without it, what the kernel says. */
static void find_point(struct probe_run *r, const struct probe_event *e, struct probe_point *ret)
{
	struct ptui_error unused = PTUI_ERROR_INIT;
	struct probe_target target = { .exec = e->is_uprobe ? e->module : NULL };
	const struct probe_symbol *base;
	uint64_t rva;

	memset(ret, 0, sizeof(*ret));
	if (!e->is_uprobe && e->module)
		target.module = e->module;
	if (!probe_use_target(r, &target, &unused)) {
		if (e->is_uprobe && dso_file_off_to_rva(r->binary->file, e->address, &rva)) {
			probe_point_at(r->binary, rva, &r->mem, ret);
			ret->returns = e->returns;
			return;
		}
		base = !e->is_uprobe && e->symbol && !probe_binary_symbols(r->binary, NULL) ?
			       probe_binary_symbol_named(r->binary, e->symbol) :
			       NULL;
		if (base) {
			probe_point_at(r->binary, base->addr + e->offset, &r->mem, ret);
			ret->returns = e->returns;
			return;
		}
	}
	ret->function = e->symbol ? e->symbol :
				    arena_printf(&r->mem, "0x%llx", (unsigned long long)e->address);
	ret->offset = e->symbol ? e->offset : 0;
	ret->returns = e->returns;
}

/* On stderr: what a screen that was killed could not remove. */
static void note_leftovers(struct probe_run *r, const char *tracefs)
{
	struct probe_leftovers left;
	struct buf names = BUF_INIT;

	if (probe_leftovers_read(&roots_system, tracefs, &left) || !left.n)
		return;
	probe_leftovers_names(&left, NAMES_MAX, &names);
	buf_addf(&r->note,
		 Q_("%zu probe was left by a ptui that has ended: %s; to remove it: ",
		    "%zu probes were left by a ptui that has ended: %s; to remove them: ", left.n),
		 left.n, buf_str(&names));
	probe_leftovers_command(&left, &r->note);
	buf_add_char(&r->note, '\n');
	buf_release(&names);
	probe_leftovers_release(&left);
}

int probe_list(struct probe_run *r, const struct probe_request *q, struct ptui_error *err)
{
	struct probe_events known = { NULL, 0, 0 };
	const char *tracefs;
	int ret = q->text ? probe_filter_check(q->text, err) : 0;

	if (!ret)
		ret = probe_lists_read(&r->mem, &tracefs, &known, err);
	if (!ret && known.n)
		qsort(known.v, known.n, sizeof(*known.v), by_place);
	for (size_t i = 0; i < known.n && !ret; i++) {
		const struct probe_event *e = &known.v[i];
		struct probe_arg *args;
		struct probe_point point;

		if (q->text && !event_matches(e, q->text))
			continue;
		args = arena_alloc(&r->mem, (e->n_values + 1) * sizeof(*args));
		if (!args) {
			ret = ptui_error_nomem(err);
			break;
		}
		for (size_t k = 0; k < e->n_values; k++)
			args[k].name = e->values[k].name;
		find_point(r, e, &point);
		probe_describe(&r->out, e, &point, args, e->n_values);
	}
	if (!ret)
		note_leftovers(r, tracefs);
	probe_events_release(&known);
	return ret;
}
