/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether this machine supports an event is known after opening it once. Closing a tracepoint takes
 * the kernel tens of milliseconds, so this runs in a thread, a few events at a time, and
 * tracepoints are tried only if marked or under the cursor.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptui/doctor.h"
#include "view/picker/picker_private.h"

#define AT_ONCE	  32  /* events tried per thread */
#define SETTLE_MS 150 /* skip rows while scrolling through a list */

struct trying {
	int (*try_event)(const char *event, struct ptui_error *why);
	size_t n;
	struct {
		struct picker_entry *entry;
		char *text;
		bool has;
		char *reason; /* NULL: none, or out of memory */
	} v[AT_ONCE];
};

/* ---- the thread ---- */

static void try_run(void *task, struct worker *w)
{
	struct trying *t = task;

	for (size_t i = 0; i < t->n && !worker_is_cancelled(w); i++) {
		struct ptui_error why = PTUI_ERROR_INIT;

		t->v[i].has = !t->try_event(t->v[i].text, &why);
		if (t->v[i].has)
			continue;
		if (asprintf(&t->v[i].reason, "%s%s%s", why.text, *why.hint ? "\n" : "", why.hint) <
		    0)
			t->v[i].reason = NULL;
	}
}

static void release(void *task)
{
	struct trying *t = task;

	for (size_t i = 0; i < t->n; i++) {
		free(t->v[i].text);
		free(t->v[i].reason);
	}
	free(t);
}

/* ---- the loop's thread ---- */

static void done(void *task, void *owner)
{
	struct picker_screen *v = owner;
	struct trying *t = task;

	v->trier = NULL;
	for (size_t i = 0; i < t->n; i++) {
		char *text = picker_text(t->v[i].entry);

		/* the mark may have changed since: then the result is for another selector */
		if (text && !strcmp(text, t->v[i].text))
			picker_set_state(&v->picker, t->v[i].entry,
					 t->v[i].has ? PICKER_AVAILABLE : PICKER_REFUSED,
					 t->v[i].reason);
		free(text);
	}
	if (v->picker.available_only || *v->picker.search)
		picker_rebuild(&v->picker); /* without memory some are missing */
	stack_wish(v->stack, v, WISH_RECALC);
}

static const struct worker_ops ops = { .run = try_run, .done = done, .release = release };

static void add_text(struct trying *t, struct picker_entry *e)
{
	if (e->state != PICKER_UNTRIED || t->n == AT_ONCE)
		return;
	for (size_t i = 0; i < t->n; i++)
		if (t->v[i].entry == e)
			return;
	t->v[t->n].entry = e;
	t->v[t->n].text = picker_text(e);
	t->n += t->v[t->n].text != NULL;
}

static void settled(void *ctx)
{
	struct picker_screen *v = ctx;

	loop_remove(stack_loop(v->stack), v->settle);
	v->settle = 0;
	picker_try_next(v);
}

/* True if the cursor has rested on its entry. */
static bool is_looked_at(struct picker_screen *v)
{
	const struct picker_entry *e = picker_current(v)->entry;

	if (e != v->looked_at) {
		v->looked_at = e;
		loop_remove(stack_loop(v->stack), v->settle);
		v->settle = e && e->try_late && e->state == PICKER_UNTRIED ?
				    loop_after(stack_loop(v->stack), SETTLE_MS, settled, v) :
				    0;
	}
	return e && !v->settle;
}

void picker_try_next(struct picker_screen *v)
{
	struct picker *p = &v->picker;
	bool looked_at = is_looked_at(v);
	struct trying *t = v->trier ? NULL : calloc(1, sizeof(*t));

	if (!t)
		return;
	t->try_event = v->opts.try_event ? v->opts.try_event : ptui_event_try;
	if (looked_at)
		add_text(t, picker_current(v)->entry);
	for (size_t i = 0; i < p->n_marks; i++)
		add_text(t, p->marks[i]);
	for (bool any = t->n; !any && v->try_from < p->n_entries && t->n < AT_ONCE; v->try_from++)
		if (!p->entries[v->try_from]->try_late)
			add_text(t, p->entries[v->try_from]);
	if (t->n)
		v->trier = worker_start(stack_loop(v->stack), &ops, t, v, NULL);
	else
		free(t);
	if (v->trier || !v->checking)
		return;
	/* rows move only once, when all is known */
	v->checking = false;
	picker_rebuild(p);
	table_recalc(&v->table);
	if (!v->table.moved)
		picker_go_to_start(v);
}
