/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Details of an event, a group or a heading, as paragraphs. */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptui/selector.h"
#include "text/i18n.h"
#include "view/picker/picker_private.h"
#include "widget/number.h"

#define ALL_MODIFIERS "ukhIGHpPSDWeb"

static void description_free(void *description)
{
	struct picker_description *t = description;

	if (t)
		ptui_event_details_release(&t->details);
	free(t);
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

const char *picker_fields(const struct picker_screen *v)
{
	return v->description ? v->description->details.fields : NULL;
}

size_t picker_field_names(const struct picker_screen *v, char *buf, size_t size)
{
	size_t n = (size_t)snprintf(buf, size, "%s", _("fields:"));
	const char *at = picker_fields(v);
	struct picker_field f;

	while (n < size && picker_next_field(&at, &f))
		n += (size_t)snprintf(buf + n, size - n, " %s", f.name);
	return n < size ? n : size - 1;
}

/* ---- reading ---- */

/* Tries each letter with the parser. */
static void find_modifiers(struct picker_description *t, struct ptui_catalog *c, const char *what)
{
	char *to = t->modifiers;

	for (const char *letter = ALL_MODIFIERS; *letter; letter++) {
		const char one[2] = { *letter, '\0' };

		if (ptui_selector_check_modifiers(c, what, one, false, NULL))
			continue;
		if (to != t->modifiers)
			*to++ = ' ';
		*to++ = *letter;
	}
	*to = '\0';
}

/* `text` as for -e, `what` without modifiers and rate. NULL: out of memory. */
static struct picker_description *describe(struct ptui_catalog *c, const char *text,
					   const char *what)
{
	struct picker_description *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	ptui_catalog_details(c, text, &t->details, &t->error);
	find_modifiers(t, c, what);
	return t;
}

/* What the thread reads: with a catalog of its own, created when it is first needed. */
struct reading {
	char *text, *what;
};

static void *read_one(void *ctx, void *job)
{
	struct ptui_catalog **catalog = ctx;
	const struct reading *r = job;

	if (!*catalog)
		*catalog = ptui_catalog_new();
	return *catalog ? describe(*catalog, r->text, r->what) : NULL;
}

static void reading_free(void *job)
{
	struct reading *r = job;

	free(r->text);
	free(r->what);
	free(r);
}

static void catalog_release(void *ctx)
{
	struct ptui_catalog **catalog = ctx;

	ptui_catalog_free(*catalog);
	free(catalog);
}

/* The cursor may have left the row since. */
static void reading_done(void *ctx, int fd, short revents)
{
	struct picker_screen *v = ctx;
	uint64_t number;
	void *answer;

	(void)fd;
	(void)revents;
	if (!latest_worker_take(v->reader, &answer, &number))
		return;
	if (number != v->asked || v->description) {
		description_free(answer);
		return;
	}
	v->description = answer;
	stack_wish(v->stack, v, WISH_REDRAW);
}

/* Without a thread or memory there are no details. */
static void read_aside(struct picker_screen *v, const char *text, const char *what)
{
	static const struct latest_worker_ops ops = { .thread_name = "ptui-fields",
						      .work = read_one,
						      .release_job = reading_free,
						      .release_answer = description_free,
						      .release_ctx = catalog_release };
	struct ptui_catalog **catalog = v->reader ? NULL : calloc(1, sizeof(struct ptui_catalog *));
	struct reading *r = calloc(1, sizeof(*r));

	if (catalog)
		v->reader = latest_worker_new(&ops, catalog, NULL);
	if (v->reader && !v->reader_watch)
		v->reader_watch = loop_watch(stack_loop(v->stack), latest_worker_fd(v->reader),
					     POLLIN, reading_done, v);
	if (r) {
		r->text = strdup(text);
		r->what = strdup(what);
	}
	if (r && r->text && r->what && v->reader_watch)
		v->asked = latest_worker_submit(v->reader, r);
	else if (r)
		reading_free(r);
}

void picker_description_release(struct picker_screen *v)
{
	loop_remove(stack_loop(v->stack), v->reader_watch);
	latest_worker_free(v->reader, false);
	description_free(v->description);
	free(v->described);
}

void picker_description_now(struct picker_screen *v)
{
	size_t entry = picker_entry_index(&v->picker, v->table.cursor);

	if (v->described && !v->description)
		v->description = describe(v->catalog, v->described, picker_what(&v->picker, entry));
}

void picker_description_update(struct picker_screen *v)
{
	const struct picker_entry *e = picker_entry(&v->picker, v->table.cursor);
	size_t entry = picker_entry_index(&v->picker, v->table.cursor);
	char *text = e ? picker_text(&v->picker, entry) : NULL;

	if (text && v->described && !strcmp(text, v->described)) {
		free(text);
		return;
	}
	description_free(v->description);
	v->description = NULL;
	v->asked = 0;
	free(v->described);
	v->described = text;
	if (text && e->try_late)
		read_aside(v, text, picker_what(&v->picker, entry));
	else if (text)
		picker_description_now(v);
}

/* ---- the paragraphs ---- */

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

static void write_state(const struct picker_entry *e, const struct picker_writer *w)
{
	switch (e->state) {
	case PICKER_AVAILABLE:
		picker_write(w, ROLE_GOOD, "✓ %s", _("this machine has it"));
		break;
	case PICKER_REFUSED:
		picker_write(w, ROLE_BAD, "✗ %s",
			     e->reason ? e->reason : _("this machine refuses it"));
		break;
	case PICKER_UNTRIED:
		picker_write(w, ROLE_DIM, "%s", _("untested: trying to open it …"));
		break;
	}
}

static void write_encoding(const struct picker_description *t, const struct picker_writer *w)
{
	const struct ptui_event_details *d = &t->details;

	if (ptui_error_is_set(&t->error))
		picker_write(w, ROLE_BAD, "%s%s%s", t->error.text, *t->error.hint ? "\n" : "",
			     t->error.hint);
	if (d->n_events > 1)
		picker_write(w, ROLE_DIM, _("%zu events; of the first:"), d->n_events);
	if (d->encoding && *t->modifiers)
		picker_write(w, ROLE_DIM, _("%s   modifiers %s"), d->encoding, t->modifiers);
	else if (d->encoding)
		picker_write(w, ROLE_DIM, _("%s   takes no modifiers"), d->encoding);
	if (d->unit)
		picker_write(w, ROLE_DIM, _("counted in %s, scaled by %g"), d->unit, d->scale);
	else if (d->scale != 1 && d->scale != 0)
		picker_write(w, ROLE_DIM, _("scaled by %g"), d->scale);
	if (d->per_pkg)
		picker_write(w, ROLE_DIM, "%s", _("one count per socket"));
	if (d->snapshot)
		picker_write(w, ROLE_DIM, "%s",
			     _("the count is the current value, not an increase"));
	if (d->cpus)
		picker_write(w, ROLE_DIM, _("opened on CPUs %s"), d->cpus);
}

static void write_mark(const struct picker *p, size_t mark, const struct picker_writer *w)
{
	char *text = picker_mark_text_of(p, mark);

	if (!text)
		return;
	picker_write(w, ROLE_TEXT, "-e %s", text);
	free(text);
	if (p->marks.v[mark].event.filter)
		picker_write(w, ROLE_TEXT, "--filter %s", p->marks.v[mark].event.filter);
}

static void write_lists(const struct ptui_event_details *d, const struct picker_writer *w)
{
	if (d->fields)
		picker_write(w, ROLE_TEXT, "%s\n%s", _("Fields for the filter:"), d->fields);
	if (d->terms)
		picker_write(w, ROLE_TEXT, "%s\n%s", _("Terms of its PMU:"), d->terms);
	if (d->caps)
		picker_write(w, ROLE_TEXT, "%s\n%s", _("Capabilities of its PMU:"), d->caps);
}

/* The number of its events, and why they are missing. */
static void write_heading(const struct picker *p, size_t heading, const struct picker_writer *w)
{
	const struct picker_heading *h = &p->headings[heading];
	size_t marked = picker_n_marked_in(p, heading);
	const char *why = picker_why_none(p, heading);
	char number[32];

	picker_write(w, ROLE_TEXT | STYLE_BOLD, "%s", h->title);
	if (h->trouble) {
		picker_write(w, ROLE_BAD, "%s", h->trouble);
		return;
	}
	picker_write(w, ROLE_DIM, Q_("%s event", "%s events", h->n),
		     number_full(number, sizeof(number), h->n));
	if (marked)
		picker_write(w, ROLE_DIM, _("%zu marked"), marked);
	if (why)
		picker_write(w, ROLE_BAD, "%s", why);
}

/* In the list of marks: as for record -e. */
static void write_group(const struct picker *p, size_t row, const struct picker_writer *w)
{
	char *text = picker_mark_text_of(p, picker_mark_at(p, row));

	picker_write(w, ROLE_TEXT | STYLE_BOLD, _("group {%u}"), p->rows[row].group);
	picker_write(w, ROLE_DIM, "%s", _("counted together or not at all"));
	if (text)
		picker_write(w, ROLE_TEXT, "%s", text);
	free(text);
}

void picker_description_write(const struct picker_screen *v, bool all,
			      const struct picker_writer *w)
{
	const struct picker *p = &v->picker;
	size_t row = v->table.cursor, mark = picker_mark_at(p, row);
	const struct picker_entry *e = picker_entry(p, row);
	const struct picker_description *t = v->description;
	const char *desc = t && t->details.desc ? t->details.desc : e ? e->desc : NULL;

	if (!e && row < p->n_rows && p->rows[row].group)
		write_group(p, row, w);
	else if (!e && row < p->n_rows)
		write_heading(p, p->rows[row].heading, w);
	if (!e)
		return;
	if (desc)
		picker_write(w, ROLE_TEXT, "%s", desc);
	else if (t && !t->details.fields)
		picker_write(w, ROLE_DIM, "%s", _("the kernel provides only its name"));
	write_state(e, w);
	if (t)
		write_encoding(t, w);
	if (mark != SIZE_MAX)
		write_mark(p, mark, w);
	if (t && all)
		write_lists(&t->details, w);
}
