/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether this machine has an event is known when it was opened once. Closing a tracepoint takes
 * the kernel tens of milliseconds, so all of it happens in a thread, a few events at a time, and
 * tracepoints only when somebody is interested in them.
 */
#include <stdlib.h>
#include <string.h>

#include "view/picker/picker_private.h"

#define AT_ONCE	  32  /* events that one thread tries before it tells */
#define SETTLE_MS 150 /* who runs through a list looks at nothing */

struct trying {
	int (*try)(const char *event, struct ptui_error *why);
	size_t n;
	struct {
		size_t entry;
		char *text;
		bool has;
		char *reason; /* NULL: there is none, or no memory */
	} v[AT_ONCE];
};

/* ---- the thread ---- */

static void run(void *task, struct worker *w)
{
	struct trying *t = task;
	size_t i;

	for (i = 0; i < t->n && !worker_is_cancelled(w); i++) {
		struct ptui_error why = PTUI_ERROR_INIT;

		t->v[i].has = !t->try(t->v[i].text, &why);
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
	size_t i;

	for (i = 0; i < t->n; i++) {
		free(t->v[i].text);
		free(t->v[i].reason);
	}
	free(t);
}

/* ---- the loop's thread ---- */

/* A mark may ask for it in another way by now: then it is not what was tried. */
static char *text_to_try(const struct picker *p, size_t entry)
{
	size_t mark = picker_mark_of(p, entry);

	return mark == SIZE_MAX ? strdup(p->entries[entry].name) :
				  picker_event_text(&p->marks.v[mark]);
}

static void done(void *task, void *owner)
{
	struct picker_screen *v = owner;
	struct trying *t = task;
	size_t i;

	v->trier = NULL;
	for (i = 0; i < t->n; i++) {
		char *text = text_to_try(&v->picker, t->v[i].entry);

		if (text && !strcmp(text, t->v[i].text))
			picker_set_state(&v->picker, t->v[i].entry,
					 t->v[i].has ? PICKER_AVAILABLE : PICKER_REFUSED,
					 t->v[i].reason);
		free(text);
	}
	if (v->picker.available_only)
		picker_rebuild(&v->picker); /* without memory, it shows less than there is */
	picker_try_next(v);
	stack_wish(v->stack, v, WISH_RECALC);
}

static const struct worker_ops ops = { .run = run, .done = done, .release = release };

static void add(const struct picker *p, struct trying *t, size_t entry)
{
	size_t i;

	if (entry == SIZE_MAX || p->entries[entry].state != PICKER_UNTRIED || t->n == AT_ONCE)
		return;
	for (i = 0; i < t->n; i++)
		if (t->v[i].entry == entry)
			return;
	t->v[t->n].entry = entry;
	t->v[t->n].text = text_to_try(p, entry);
	t->n += t->v[t->n].text != NULL;
}

static void add_catalog(struct picker_screen *v, struct trying *t)
{
	const struct picker *p = &v->picker;

	for (; v->try_from < p->n_entries && t->n < AT_ONCE; v->try_from++)
		if (!p->entries[v->try_from].try_late)
			add(p, t, v->try_from);
}

static void settled(void *ctx)
{
	struct picker_screen *v = ctx;

	loop_remove(stack_loop(v->stack), v->settle);
	v->settle = 0;
	picker_try_next(v);
}

/* Is the row under the cursor one that is looked at, or passed by? */
static bool is_looked_at(struct picker_screen *v)
{
	const struct picker_entry *e = picker_entry(&v->picker, v->table.cursor);
	uint64_t id = e ? picker_id(&v->picker, v->table.cursor) : 0;

	if (id != v->looked_at) {
		v->looked_at = id;
		loop_remove(stack_loop(v->stack), v->settle);
		v->settle = e && e->try_late && e->state == PICKER_UNTRIED ?
				    loop_after(stack_loop(v->stack), SETTLE_MS, settled, v) :
				    0;
	}
	return e && !v->settle;
}

void picker_try_next(struct picker_screen *v)
{
	const struct picker *p = &v->picker;
	bool looked_at = is_looked_at(v);
	struct trying *t;
	size_t i;

	if (v->trier)
		return;
	t = calloc(1, sizeof(*t));
	if (!t)
		return;
	t->try = v->try;
	if (looked_at)
		add(p, t, picker_entry_index(p, v->table.cursor));
	for (i = 0; i < p->marks.n; i++)
		add(p, t, p->marks.v[i].entry);
	if (!t->n)
		add_catalog(v, t);
	if (t->n)
		v->trier = worker_start(stack_loop(v->stack), &ops, t, v, NULL);
	else
		free(t);
}
