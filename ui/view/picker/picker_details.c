/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Details of the event, the group or the heading under the cursor; below them the marks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "ptui/selector.h"
#include "text/grouped.h"
#include "text/i18n.h"
#include "text/strings.h"
#include "text/utf8.h"
#include "view/picker/picker_private.h"
#include "widget/popup.h"
#include "widget/scroll.h"

#define ALL_MODIFIERS "ukhIGHpPSDWeb"
#define MARKED_FROM   16  /* lines; smaller panes show details only */
#define SETTLE_MS     150 /* skip rows while scrolling through a list */

static void description_free(void *description)
{
	struct picker_description *t = description;

	if (!t)
		return;
	ptui_event_details_release(&t->details);
	words_release(&t->fields);
	words_release(&t->names);
	free(t);
}

/* ---- fields of a tracepoint ---- */

/* "char prev_comm[16]": prev_comm. Without memory some are missing. */
static void split_fields(struct picker_description *t)
{
	static const char dynamic[] = "__data_loc "; /* its length is in the record */
	const char *end, *begin;

	for (const char *at = t->details.fields; at && *at; at = end + (*end == '\n')) {
		if (!strncmp(at, dynamic, strlen(dynamic)))
			at += strlen(dynamic);
		end = at + strcspn(at, "\n");
		/* the last word, without the [16] of an array */
		for (begin = end; begin > at && begin[-1] != ' '; begin--)
			;
		words_addf(&t->fields, "%.*s", (int)(end - at), at);
		words_addf(&t->names, "%.*s", (int)strcspn(begin, "[ \n"), begin);
	}
}

const struct words *picker_field_names(const struct picker_screen *v)
{
	return v->description && v->description->details.fields ? &v->description->names : NULL;
}

char *picker_fields_text(const struct picker_screen *v, char *buf, size_t size)
{
	const struct words *names = picker_field_names(v);

	snprintf(buf, size, "%s", _("fields:"));
	for (size_t i = 0; names && i < names->n; i++)
		text_append(buf, size, " %s", names->v[i]);
	return buf;
}

/* ---- reading ---- */

/* Of the event without its modifiers: tries each letter with the parser. */
static void find_modifiers(struct picker_description *t, struct ptui_catalog *c, const char *text)
{
	char *to = t->modifiers;
	struct ptui_selector s;

	if (ptui_selector_parse(c, text, &s, NULL))
		return;
	for (const char *letter = ALL_MODIFIERS; *letter; letter++) {
		const char one[2] = { *letter, '\0' };

		if (ptui_selector_check_modifiers(c, s.events[0].what, one, false, NULL))
			continue;
		if (to != t->modifiers)
			*to++ = ' ';
		*to++ = *letter;
	}
	ptui_selector_release(&s);
}

/* `text` as for -e. In the thread as well, which has a catalog of its own. NULL: out of memory. */
static void *describe(void *catalog, void *text)
{
	struct picker_description *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	ptui_catalog_details(catalog, text, &t->details, &t->error);
	split_fields(t);
	find_modifiers(t, catalog, text);
	return t;
}

static void catalog_free(void *catalog)
{
	ptui_catalog_free(catalog);
}

/* The cursor may have left the row since. */
static void reading_done(void *ctx, void *answer, bool is_latest)
{
	struct picker_screen *v = ctx;

	if (!is_latest || v->description) {
		description_free(answer);
		return;
	}
	v->description = answer;
	stack_wish(v->stack, v, WISH_REDRAW);
}

bool picker_details_init(struct picker_screen *v)
{
	static const struct latest_worker_ops ops = { .work = describe,
						      .done = reading_done,
						      .release_job = free,
						      .release_answer = description_free,
						      .release_ctx = catalog_free };
	struct ptui_catalog *catalog = ptui_catalog_new();

	v->reader = catalog ? latest_worker_new(stack_loop(v->stack), &ops, catalog, v) : NULL;
	return v->reader;
}

void picker_details_release(struct picker_screen *v)
{
	loop_remove(stack_loop(v->stack), v->settle);
	latest_worker_free(v->reader);
	description_free(v->description);
	free(v->described);
}

static void settled(void *ctx)
{
	struct picker_screen *v = ctx;

	v->settle = 0;
	stack_wish(v->stack, v, WISH_RECALC);
}

void picker_describe(struct picker_screen *v, bool now)
{
	const struct picker_entry *e = picker_current(v)->entry;
	struct loop *loop = stack_loop(v->stack);
	char *text = e ? picker_text(e) : NULL;

	if (text && v->described && !strcmp(text, v->described)) {
		free(text);
	} else {
		description_free(v->description);
		v->description = NULL;
		free(v->described);
		v->described = text;
		/* without memory there are no details */
		latest_worker_submit(v->reader, text && e->try_late ? strdup(text) : NULL);
		now |= e && !e->try_late;
		loop_remove(loop, v->settle);
		v->settle = e && e->try_late && e->state == PICKER_UNTRIED ?
				    loop_after(loop, SETTLE_MS, settled, v) :
				    0;
	}
	if (now && v->described && !v->description)
		v->description = describe(v->picker.catalog, v->described);
}

/* ---- the paragraphs ---- */

void picker_write(struct picker_writer *w, style_t style, const char *fmt, ...)
{
	va_list args;
	char *text;
	int n;

	va_start(args, fmt);
	n = vasprintf(&text, fmt, args);
	va_end(args);
	if (n < 0)
		return;
	if (w->text)
		buf_addf(w->text, "%s\n\n", text);
	else
		w->y += scroll_text(w->c, w->y, 1, w->width - 2, style, text);
	free(text);
}

static void write_state(const struct picker_entry *e, struct picker_writer *w)
{
	if (e->state == PICKER_AVAILABLE)
		picker_write(w, ROLE_GOOD, "✓ %s", _("this machine has it"));
	else if (e->state == PICKER_REFUSED)
		picker_write(w, ROLE_BAD, "✗ %s",
			     e->reason ? e->reason : _("this machine refuses it"));
	else
		picker_write(w, ROLE_DIM, "%s", _("untested: trying to open it …"));
}

static void write_encoding(const struct picker_description *t, struct picker_writer *w)
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

/* The text of -e that contains a marked entry. */
static void write_text(const struct picker *p, const struct picker_entry *e,
		       struct picker_writer *w, const char *option)
{
	char *text = picker_whole_text(p, e);

	if (text)
		picker_write(w, ROLE_TEXT, "%s%s", option, text);
	free(text);
}

/* The number of its events, and why they are missing. */
static void write_heading(const struct picker *p, const struct picker_heading *h,
			  struct picker_writer *w)
{
	size_t n_marked = picker_n_marked_in(p, h);
	const char *why = picker_why_none(p, h);

	picker_write(w, ROLE_TEXT | STYLE_BOLD, "%s", h->title);
	if (h->n)
		picker_write(w, ROLE_DIM, Q_("%s event", "%s events", h->n), grouped(h->n).text);
	if (n_marked)
		picker_write(w, ROLE_DIM, _("%zu marked"), n_marked);
	if (h->trouble || why)
		picker_write(w, ROLE_BAD, "%s", h->trouble ? h->trouble : why);
}

static void write_event(const struct picker_screen *v, const struct picker_entry *e, bool all,
			struct picker_writer *w)
{
	const struct picker_description *t = v->description;
	const char *desc = t && t->details.desc ? t->details.desc : e->desc;

	if (desc)
		picker_write(w, ROLE_TEXT, "%s", desc);
	else if (t && !t->details.fields)
		picker_write(w, ROLE_DIM, "%s", _("the kernel provides only its name"));
	write_state(e, w);
	if (t)
		write_encoding(t, w);
	if (e->mark)
		write_text(&v->picker, e, w, "-e ");
	if (e->mark && e->mark->filter)
		picker_write(w, ROLE_TEXT, "--filter %s", e->mark->filter);
	if (!t || !all)
		return;
	if (t->details.fields)
		picker_write(w, ROLE_TEXT, "%s\n%s", _("Fields for the filter:"),
			     t->details.fields);
	if (t->details.terms)
		picker_write(w, ROLE_TEXT, "%s\n%s", _("Terms of its PMU:"), t->details.terms);
	if (t->details.caps)
		picker_write(w, ROLE_TEXT, "%s\n%s", _("Capabilities of its PMU:"),
			     t->details.caps);
}

/* ---- drawing ---- */

static void draw_name(const struct picker_entry *e, const struct canvas *c)
{
	const struct picker_heading *top = e->heading->parent ? e->heading->parent : e->heading;
	int x = 1 + canvas_text(c, 0, 1, ROLE_TEXT | STYLE_BOLD, e->name);
	int w = utf8_width(top->title);

	if (e->alias)
		x += canvas_printf(c, 0, x, ROLE_TEXT, " = %s", e->alias);
	if (x + 2 + w < c->at.w)
		canvas_text(c, 0, c->at.w - 1 - w, ROLE_DIM, top->title);
}

/* "int prev_pid", in as many columns as fit; if space is short, names only. */
static void draw_fields(const struct picker_screen *v, const struct canvas *c, int y)
{
	const struct words *fields = v->description ? &v->description->fields : NULL;
	int n = fields ? (int)fields->n : 0, widest = 1, columns;
	char names[1024];

	if (!n)
		return;
	for (int i = 0; i < n; i++)
		widest = utf8_widest(widest, fields->v[i]);
	columns = (c->at.w - 2) / (widest + 2) > 0 ? (c->at.w - 2) / (widest + 2) : 1;
	if (y + 1 + (n + columns - 1) / columns > c->at.h) {
		scroll_text(c, y, 1, c->at.w - 2, ROLE_TEXT,
			    picker_fields_text(v, names, sizeof(names)));
		return;
	}
	canvas_text(c, y, 1, ROLE_DIM, _("fields"));
	for (int i = 0; i < n; i++)
		canvas_cell(c, y + 1 + i / columns, 1 + i % columns * (widest + 2), widest,
			    ALIGN_LEFT, ROLE_TEXT, fields->v[i]);
}

/* ---- marks, as for record ---- */

static void draw_marked(const struct picker_screen *v, const struct canvas *c)
{
	const struct words *marks = &v->picker.texts;
	size_t room = c->at.h > 2 ? (size_t)c->at.h - 2 : 0, n = marks->n / 2;

	canvas_rule(c, 0);
	canvas_printf(c, 1, 1, ROLE_DIM, _("%zu marked, each line one -e of record"),
		      v->picker.n_marks);
	for (size_t i = 0; i < n && i < room; i++) {
		int y = 2 + (int)i, x;

		if (i + 1 == room && n > room) {
			canvas_printf(c, y, 1, ROLE_DIM, _("and %zu more"), n - i);
			break;
		}
		x = 1 + canvas_text(c, y, 1, ROLE_TEXT, marks->v[2 * i]);
		if (*marks->v[2 * i + 1])
			canvas_printf(c, y, x, ROLE_DIM, _("  if %s"), marks->v[2 * i + 1]);
	}
}

/* The most important first, since the end may not fit. */
static void draw_row(const struct picker_screen *v, const struct canvas *c)
{
	const struct picker_row *r = picker_current(v);
	struct picker_writer w = { .c = c, .width = c->at.w, .y = r->entry != NULL };

	if (r->leader) {
		picker_write(&w, ROLE_TEXT | STYLE_BOLD, _("group {%u}"), r->leader->mark->group);
		picker_write(&w, ROLE_DIM, "%s", _("counted together or not at all"));
		write_text(&v->picker, r->leader, &w, "");
	} else if (!r->entry && r->heading) {
		write_heading(&v->picker, r->heading, &w);
	}
	if (!r->entry)
		return;
	draw_name(r->entry, c);
	/* also in the list; here with a longer history */
	if (c->at.h >= MARKED_FROM)
		picker_preview_write_event(v, &w);
	write_event(v, r->entry, false, &w);
	if (w.y < c->at.h)
		draw_fields(v, c, w.y);
}

void picker_details_draw(struct picker_screen *v, const struct canvas *c)
{
	struct canvas part = *c, notes;
	struct picker_writer measured = { .width = c->at.w }, w = { .width = c->at.w };
	int below, rows;

	if (c->at.h >= MARKED_FROM && v->picker.n_marks && picker_marked(&v->picker)) {
		below = (int)v->picker.texts.n / 2 + 2;
		below = below < c->at.h / 3 ? below : c->at.h / 3;
		part = canvas_part(c, c->at.h - below, 0, below, c->at.w);
		draw_marked(v, &part);
		part = canvas_part(c, 0, 0, c->at.h - below, c->at.w);
	}
	/* problems of the marks are more important than details of one event */
	picker_preview_write(v, &measured);
	rows = measured.y > part.at.h * 2 / 3 ? part.at.h * 2 / 3 : measured.y;
	notes = canvas_part(&part, part.at.h - rows, 0, rows, part.at.w);
	w.c = &notes;
	picker_preview_write(v, &w);
	part = canvas_part(&part, 0, 0, part.at.h - rows, part.at.w);
	draw_row(v, &part);
}

/* ---- details window ---- */

unsigned picker_details_open(struct picker_screen *v)
{
	const struct picker_entry *e = picker_current(v)->entry;
	struct buf text = BUF_INIT;

	if (!e)
		return WISH_PASS;
	picker_describe(v, false);
	write_event(v, e, true, &(struct picker_writer){ .text = &text });
	while (text.len && text.data[text.len - 1] == '\n')
		text.data[--text.len] = '\0';
	popup_message(v->stack, e->name, text.err ? NULL : buf_str(&text));
	buf_release(&text);
	return WISH_REDRAW;
}
