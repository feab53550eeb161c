/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What can be said of an event, as paragraphs. */
#include <stdlib.h>
#include <string.h>

#include "ptui/selector.h"
#include "text/i18n.h"
#include "view/picker/picker_private.h"

#define ALL_MODIFIERS "ukhIGHpPSDWeb"

void picker_told_release(struct picker_told *t)
{
	ptui_event_details_release(&t->details);
	free(t->text);
	free(t->what);
	memset(t, 0, sizeof(*t));
}

/* ---- reading ---- */

/* Letter by letter: the parser knows which. */
static void find_modifiers(struct picker_told *t, struct ptui_catalog *c)
{
	char *to = t->modifiers;
	const char *letter;

	for (letter = ALL_MODIFIERS; *letter; letter++) {
		const char one[2] = { *letter, '\0' };

		if (ptui_selector_check_modifiers(c, t->what, one, false, NULL))
			continue;
		if (to != t->modifiers)
			*to++ = ' ';
		*to++ = *letter;
	}
	*to = '\0';
}

static void fill(struct picker_told *t, struct ptui_catalog *c)
{
	ptui_catalog_details(c, t->text, &t->details, &t->error);
	find_modifiers(t, c);
	t->ready = true;
}

struct reading {
	struct ptui_catalog *catalog; /* NULL: to be made */
	struct picker_told told;
};

static void run(void *task, struct worker *w)
{
	struct reading *r = task;

	(void)w;
	if (!r->catalog)
		r->catalog = ptui_catalog_new();
	if (r->catalog)
		fill(&r->told, r->catalog);
}

static void release(void *task)
{
	struct reading *r = task;

	picker_told_release(&r->told);
	ptui_catalog_free(r->catalog);
	free(r);
}

static void read_aside(struct picker_screen *v);

/* What was read may be of a row that the cursor has left. */
static void done(void *task, void *owner)
{
	struct picker_screen *v = owner;
	struct reading *r = task;

	v->teller = NULL;
	v->teller_catalog = r->catalog;
	r->catalog = NULL;
	if (!v->told.text || v->told.ready)
		return;
	if (strcmp(v->told.text, r->told.text)) {
		read_aside(v);
		return;
	}
	picker_told_release(&v->told);
	v->told = r->told;
	v->told.ready = true; /* also when there was no memory for it */
	memset(&r->told, 0, sizeof(r->told));
	stack_wish(v->stack, v, WISH_REDRAW);
}

static const struct worker_ops ops = { .run = run, .done = done, .release = release };

static void read_aside(struct picker_screen *v)
{
	struct reading *r;

	if (v->teller)
		return;
	r = calloc(1, sizeof(*r));
	if (!r)
		return;
	r->told.text = strdup(v->told.text);
	r->told.what = strdup(v->told.what);
	if (!r->told.text || !r->told.what) {
		release(r);
		return;
	}
	r->catalog = v->teller_catalog;
	v->teller_catalog = NULL;
	v->teller = worker_start(stack_loop(v->stack), &ops, r, v, NULL);
}

void picker_told_now(struct picker_screen *v)
{
	if (v->told.text && !v->told.ready)
		fill(&v->told, v->catalog);
}

void picker_told_update(struct picker_screen *v)
{
	size_t entry = picker_entry_index(&v->picker, v->table.cursor), mark;
	struct picker_told *t = &v->told;
	const char *what;
	char *text;

	if (entry == SIZE_MAX) {
		picker_told_release(t);
		return;
	}
	mark = picker_mark_of(&v->picker, entry);
	what = mark == SIZE_MAX ? v->picker.entries[entry].name :
				  v->picker.marks.v[mark].event.what;
	text = mark == SIZE_MAX ? strdup(what) : picker_event_text(&v->picker.marks.v[mark]);
	if (text && t->text && !strcmp(text, t->text)) {
		free(text);
		return;
	}
	picker_told_release(t);
	t->what = text ? strdup(what) : NULL;
	if (!t->what) {
		free(text);
		return;
	}
	t->text = text;
	if (v->picker.entries[entry].try_late)
		read_aside(v);
	else
		fill(t, v->catalog);
}

/* ---- the paragraphs ---- */

struct telling {
	const struct picker_screen *v;
	const struct picker_entry *e;
	const struct picker_mark *mark; /* NULL: it is not marked */
	picker_paragraph_fn fn;
	void *ctx;
};

static void __attribute__((format(printf, 3, 4)))
tell(const struct telling *t, style_t style, const char *fmt, ...)
{
	va_list args;
	char *text;
	int n;

	va_start(args, fmt);
	n = vasprintf(&text, fmt, args);
	va_end(args);
	if (n < 0)
		return;
	t->fn(t->ctx, style, text);
	free(text);
}

static void tell_desc(const struct telling *t)
{
	const char *desc = t->v->told.details.desc;

	if (!desc)
		desc = t->e->desc;
	if (desc)
		tell(t, ROLE_TEXT, "%s", desc);
	else if (t->v->told.ready && !t->v->told.details.fields)
		tell(t, ROLE_DIM, "%s", _("the kernel provides only its name"));
}

static void tell_state(const struct telling *t)
{
	switch (t->e->state) {
	case PICKER_AVAILABLE:
		tell(t, ROLE_GOOD, "✓ %s", _("this machine has it"));
		break;
	case PICKER_REFUSED:
		tell(t, ROLE_BAD, "✗ %s",
		     t->e->reason ? t->e->reason : _("this machine refuses it"));
		break;
	case PICKER_UNTRIED:
		tell(t, ROLE_DIM, "%s", _("untested: trying to open it …"));
		break;
	}
}

static void tell_encoding(const struct telling *t)
{
	const struct ptui_event_details *d = &t->v->told.details;

	if (ptui_error_is_set(&t->v->told.error))
		tell(t, ROLE_BAD, "%s%s%s", t->v->told.error.text,
		     *t->v->told.error.hint ? "\n" : "", t->v->told.error.hint);
	if (d->n_events > 1)
		tell(t, ROLE_DIM, _("%zu events; of the first:"), d->n_events);
	if (d->encoding && *t->v->told.modifiers)
		tell(t, ROLE_DIM, _("%s   modifiers %s"), d->encoding, t->v->told.modifiers);
	else if (d->encoding)
		tell(t, ROLE_DIM, _("%s   takes no modifiers"), d->encoding);
}

static void tell_unit(const struct telling *t)
{
	const struct ptui_event_details *d = &t->v->told.details;

	if (d->unit)
		tell(t, ROLE_DIM, _("counted in %s, scaled by %g"), d->unit, d->scale);
	else if (d->scale != 1 && d->scale != 0)
		tell(t, ROLE_DIM, _("scaled by %g"), d->scale);
	if (d->per_pkg)
		tell(t, ROLE_DIM, "%s", _("one count per socket"));
	if (d->snapshot)
		tell(t, ROLE_DIM, "%s", _("the count is the current value, not an increase"));
	if (d->cpus)
		tell(t, ROLE_DIM, _("opened on CPUs %s"), d->cpus);
}

static void tell_mark(const struct telling *t)
{
	char *text;

	if (!t->mark)
		return;
	text = picker_mark_text_of(&t->v->picker, (size_t)(t->mark - t->v->picker.marks.v));
	if (text)
		tell(t, ROLE_TEXT, "-e %s", text);
	free(text);
	if (t->mark->event.filter)
		tell(t, ROLE_TEXT, "--filter %s", t->mark->event.filter);
}

static void tell_lists(const struct telling *t)
{
	const struct ptui_event_details *d = &t->v->told.details;

	if (d->fields)
		tell(t, ROLE_TEXT, "%s\n%s", _("Fields for the filter:"), d->fields);
	if (d->terms)
		tell(t, ROLE_TEXT, "%s\n%s", _("Terms of its PMU:"), d->terms);
	if (d->caps)
		tell(t, ROLE_TEXT, "%s\n%s", _("Capabilities of its PMU:"), d->caps);
}

void picker_told_each(const struct picker_screen *v, bool all, picker_paragraph_fn fn, void *ctx)
{
	size_t mark = picker_mark_at(&v->picker, v->table.cursor);
	const struct telling t = {
		.v = v,
		.e = picker_entry(&v->picker, v->table.cursor),
		.mark = mark == SIZE_MAX ? NULL : &v->picker.marks.v[mark],
		.fn = fn,
		.ctx = ctx,
	};

	if (!t.e)
		return;
	tell_desc(&t);
	tell_state(&t);
	tell_encoding(&t);
	tell_unit(&t);
	tell_mark(&t);
	if (all)
		tell_lists(&t);
}
