/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Details of an event, a group or a heading, as paragraphs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptui/selector.h"
#include "text/i18n.h"
#include "view/picker/picker_private.h"
#include "widget/number.h"

#define ALL_MODIFIERS "ukhIGHpPSDWeb"

void picker_description_release(struct picker_description *t)
{
	ptui_event_details_release(&t->details);
	free(t->text);
	free(t->what);
	memset(t, 0, sizeof(*t));
}

/* ---- fields of a tracepoint ---- */

bool picker_next_field(const char **at, struct picker_field *ret)
{
	static const char dynamic[] = "__data_loc "; /* its length is in the record */
	const char *end, *name;

	if (!*at || !**at)
		return false;
	if (!strncmp(*at, dynamic, strlen(dynamic)))
		*at += strlen(dynamic);
	end = *at + strcspn(*at, "\n");
	snprintf(ret->text, sizeof(ret->text), "%.*s", (int)(end - *at), *at);
	/* the last word, without the [16] of an array */
	for (name = end; name > *at && name[-1] != ' '; name--)
		;
	snprintf(ret->name, sizeof(ret->name), "%.*s", (int)strcspn(name, "[ \n"), name);
	*at = end + (*end == '\n');
	return true;
}

size_t picker_field_names(const struct picker_screen *v, char *buf, size_t size)
{
	size_t n = (size_t)snprintf(buf, size, "%s", _("fields:"));
	const char *at = v->description.details.fields;
	struct picker_field f;

	while (n < size && picker_next_field(&at, &f))
		n += (size_t)snprintf(buf + n, size - n, " %s", f.name);
	return n < size ? n : size - 1;
}

/* ---- reading ---- */

/* Tries each letter with the parser. */
static void find_modifiers(struct picker_description *t, struct ptui_catalog *c)
{
	char *to = t->modifiers;

	for (const char *letter = ALL_MODIFIERS; *letter; letter++) {
		const char one[2] = { *letter, '\0' };

		if (ptui_selector_check_modifiers(c, t->what, one, false, NULL))
			continue;
		if (to != t->modifiers)
			*to++ = ' ';
		*to++ = *letter;
	}
	*to = '\0';
}

static void description_fill(struct picker_description *t, struct ptui_catalog *c)
{
	ptui_catalog_details(c, t->text, &t->details, &t->error);
	find_modifiers(t, c);
	t->ready = true;
}

struct reading {
	struct ptui_catalog *catalog; /* NULL: to be created */
	struct picker_description description;
};

static void description_run(void *task, struct worker *w)
{
	struct reading *r = task;

	(void)w;
	if (!r->catalog)
		r->catalog = ptui_catalog_new();
	if (r->catalog)
		description_fill(&r->description, r->catalog);
}

static void release(void *task)
{
	struct reading *r = task;

	picker_description_release(&r->description);
	ptui_catalog_free(r->catalog);
	free(r);
}

static void read_aside(struct picker_screen *v);

/* The cursor may have left the row since. */
static void done(void *task, void *owner)
{
	struct picker_screen *v = owner;
	struct reading *r = task;

	v->reader = NULL;
	v->reader_catalog = r->catalog;
	r->catalog = NULL;
	if (!v->description.text || v->description.ready)
		return;
	if (strcmp(v->description.text, r->description.text)) {
		read_aside(v);
		return;
	}
	picker_description_release(&v->description);
	v->description = r->description;
	v->description.ready = true; /* also if out of memory */
	memset(&r->description, 0, sizeof(r->description));
	stack_wish(v->stack, v, WISH_REDRAW);
}

static const struct worker_ops ops = { .run = description_run, .done = done, .release = release };

static void read_aside(struct picker_screen *v)
{
	struct reading *r;

	if (v->reader)
		return;
	r = calloc(1, sizeof(*r));
	if (!r)
		return;
	r->description.text = strdup(v->description.text);
	r->description.what = strdup(v->description.what);
	if (!r->description.text || !r->description.what) {
		release(r);
		return;
	}
	r->catalog = v->reader_catalog;
	v->reader_catalog = NULL;
	v->reader = worker_start(stack_loop(v->stack), &ops, r, v, NULL);
}

void picker_description_now(struct picker_screen *v)
{
	if (v->description.text && !v->description.ready)
		description_fill(&v->description, v->catalog);
}

void picker_description_update(struct picker_screen *v)
{
	size_t entry = picker_entry_index(&v->picker, v->table.cursor), mark;
	struct picker_description *t = &v->description;
	const char *what;
	char *text;

	if (entry == SIZE_MAX) {
		picker_description_release(t);
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
	picker_description_release(t);
	t->what = text ? strdup(what) : NULL;
	if (!t->what) {
		free(text);
		return;
	}
	t->text = text;
	if (v->picker.entries[entry].try_late)
		read_aside(v);
	else
		description_fill(t, v->catalog);
}

/* ---- the paragraphs ---- */

struct describing {
	const struct picker_screen *v;
	const struct picker_entry *e;
	size_t mark; /* SIZE_MAX: not marked */
	const struct picker_writer *w;
};

void picker_write(const struct picker_writer *w, style_t style, const char *fmt, ...)
{
	va_list args;
	char *text;
	int n;

	va_start(args, fmt);
	n = vasprintf(&text, fmt, args);
	va_end(args);
	if (n < 0)
		return;
	w->put(w->ctx, style, text);
	free(text);
}

static void describe_desc(const struct describing *t)
{
	const char *desc = t->v->description.details.desc;

	if (!desc)
		desc = t->e->desc;
	if (desc)
		picker_write(t->w, ROLE_TEXT, "%s", desc);
	else if (t->v->description.ready && !t->v->description.details.fields)
		picker_write(t->w, ROLE_DIM, "%s", _("the kernel provides only its name"));
}

static void describe_state(const struct describing *t)
{
	switch (t->e->state) {
	case PICKER_AVAILABLE:
		picker_write(t->w, ROLE_GOOD, "✓ %s", _("this machine has it"));
		break;
	case PICKER_REFUSED:
		picker_write(t->w, ROLE_BAD, "✗ %s",
			     t->e->reason ? t->e->reason : _("this machine refuses it"));
		break;
	case PICKER_UNTRIED:
		picker_write(t->w, ROLE_DIM, "%s", _("untested: trying to open it …"));
		break;
	}
}

static void describe_encoding(const struct describing *t)
{
	const struct ptui_event_details *d = &t->v->description.details;

	if (ptui_error_is_set(&t->v->description.error))
		picker_write(t->w, ROLE_BAD, "%s%s%s", t->v->description.error.text,
			     *t->v->description.error.hint ? "\n" : "",
			     t->v->description.error.hint);
	if (d->n_events > 1)
		picker_write(t->w, ROLE_DIM, _("%zu events; of the first:"), d->n_events);
	if (d->encoding && *t->v->description.modifiers)
		picker_write(t->w, ROLE_DIM, _("%s   modifiers %s"), d->encoding,
			     t->v->description.modifiers);
	else if (d->encoding)
		picker_write(t->w, ROLE_DIM, _("%s   takes no modifiers"), d->encoding);
}

static void describe_pmu(const struct describing *t)
{
	const struct ptui_event_details *d = &t->v->description.details;

	if (d->unit)
		picker_write(t->w, ROLE_DIM, _("counted in %s, scaled by %g"), d->unit, d->scale);
	else if (d->scale != 1 && d->scale != 0)
		picker_write(t->w, ROLE_DIM, _("scaled by %g"), d->scale);
	if (d->per_pkg)
		picker_write(t->w, ROLE_DIM, "%s", _("one count per socket"));
	if (d->snapshot)
		picker_write(t->w, ROLE_DIM, "%s",
			     _("the count is the current value, not an increase"));
	if (d->cpus)
		picker_write(t->w, ROLE_DIM, _("opened on CPUs %s"), d->cpus);
}

static void describe_mark(const struct describing *t)
{
	const struct picker *p = &t->v->picker;
	char *text = t->mark == SIZE_MAX ? NULL : picker_mark_text_of(p, t->mark);

	if (!text)
		return;
	picker_write(t->w, ROLE_TEXT, "-e %s", text);
	free(text);
	if (p->marks.v[t->mark].event.filter)
		picker_write(t->w, ROLE_TEXT, "--filter %s", p->marks.v[t->mark].event.filter);
}

static void describe_lists(const struct describing *t)
{
	const struct ptui_event_details *d = &t->v->description.details;

	if (d->fields)
		picker_write(t->w, ROLE_TEXT, "%s\n%s", _("Fields for the filter:"), d->fields);
	if (d->terms)
		picker_write(t->w, ROLE_TEXT, "%s\n%s", _("Terms of its PMU:"), d->terms);
	if (d->caps)
		picker_write(t->w, ROLE_TEXT, "%s\n%s", _("Capabilities of its PMU:"), d->caps);
}

/* Of a heading: number of events, and why they are missing. */
static void describe_heading(const struct describing *t, size_t heading)
{
	const struct picker *p = &t->v->picker;
	const struct picker_heading *h = &p->headings[heading];
	size_t marked = picker_n_marked_in(p, heading);
	const char *why = picker_why_none(p, heading);
	char number[32];

	picker_write(t->w, ROLE_TEXT | STYLE_BOLD, "%s", h->title);
	if (h->trouble) {
		picker_write(t->w, ROLE_BAD, "%s", h->trouble);
		return;
	}
	picker_write(t->w, ROLE_DIM, Q_("%s event", "%s events", h->n),
		     number_full(number, sizeof(number), h->n));
	if (marked)
		picker_write(t->w, ROLE_DIM, _("%zu marked"), marked);
	if (why)
		picker_write(t->w, ROLE_BAD, "%s", why);
}

/* Of a group in the list of marks: as for record -e. */
static void describe_group(const struct describing *t, unsigned group)
{
	char *text = picker_mark_text_of(&t->v->picker, t->mark);

	picker_write(t->w, ROLE_TEXT | STYLE_BOLD, _("group {%u}"), group);
	picker_write(t->w, ROLE_DIM, "%s", _("counted together or not at all"));
	if (text)
		picker_write(t->w, ROLE_TEXT, "%s", text);
	free(text);
}

void picker_description_write(const struct picker_screen *v, bool all,
			      const struct picker_writer *w)
{
	size_t row = v->table.cursor;
	const struct describing t = { v, picker_entry(&v->picker, row),
				      picker_mark_at(&v->picker, row), w };

	if (row >= v->picker.n_rows)
		return;
	if (!t.e && v->picker.rows[row].group) {
		describe_group(&t, v->picker.rows[row].group);
		return;
	}
	if (!t.e) {
		describe_heading(&t, v->picker.rows[row].heading);
		return;
	}
	describe_desc(&t);
	describe_state(&t);
	describe_encoding(&t);
	describe_pmu(&t);
	describe_mark(&t);
	if (all)
		describe_lists(&t);
}
