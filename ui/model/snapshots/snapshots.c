/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/snapshots/snapshots.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "text/i18n.h"
#include "text/utf8.h"
#include "text/words.h"

#define MARKS_MAX 2

struct snapshot_list *snapshot_list_new(void)
{
	struct snapshot_list *s = calloc(1, sizeof(*s));

	if (s)
		s->refs = 1;
	return s;
}

struct snapshot_list *snapshot_list_ref(struct snapshot_list *s)
{
	s->refs++;
	return s;
}

static void row_release(struct snapshot_row *r)
{
	free(r->path);
	free(r->name);
	free(r->when);
}

void snapshot_list_unref(struct snapshot_list *s)
{
	if (!s || --s->refs)
		return;
	for (size_t i = 0; i < s->n; i++)
		row_release(&s->rows[i]);
	free(s->rows);
	free(s);
}

/* ---- updates ---- */

static int add_row(struct snapshot_list *s, const struct ptui_snapshot *facts, const char *when)
{
	struct snapshot_row r = { .number = s->taken + 1, .facts = *facts };

	r.facts.path = NULL;
	if (vec_grow(&s->rows, &s->room, s->n + 1))
		return -ENOMEM;
	r.path = facts->path ? strdup(facts->path) : NULL;
	r.when = when && facts->why == PTUI_SNAPSHOT_WHEN ? strdup(when) : NULL;
	if (facts->path && !r.path) {
		row_release(&r);
		return -ENOMEM;
	}
	s->rows[s->n++] = r;
	return 0;
}

static void remove_row(struct snapshot_list *s, size_t i)
{
	row_release(&s->rows[i]);
	memmove(s->rows + i, s->rows + i + 1, (--s->n - i) * sizeof(*s->rows));
}

/* Limits the list: removes the oldest row that the user has not changed; its file stays. */
static void limit_rows(struct snapshot_list *s)
{
	size_t i = 0;

	if (s->n <= SNAPSHOT_ROWS_MAX)
		return;
	while (i + 1 < s->n && (s->rows[i].saved || s->rows[i].name || s->rows[i].marked))
		i++;
	remove_row(s, i);
}

/* Removes rows whose files the recorder has removed, except saved ones. */
static void drop_removed_rows(struct snapshot_list *s,
			      bool (*get)(void *ctx, size_t i, struct ptui_snapshot *ret),
			      void *ctx)
{
	struct ptui_snapshot facts;

	for (size_t i = 0; i < s->n;) {
		if (s->rows[i].saved || !s->rows[i].path ||
		    !get(ctx, s->rows[i].number - 1, &facts) || !facts.removed) {
			i++;
			continue;
		}
		remove_row(s, i);
		s->removed++;
	}
}

int snapshot_list_update(struct snapshot_list *s,
			 bool (*get)(void *ctx, size_t i, struct ptui_snapshot *ret), void *ctx,
			 const char *when)
{
	struct ptui_snapshot facts;
	int n = 0;

	while (get(ctx, s->taken, &facts)) {
		if (facts.removed)
			s->removed++;
		else if (!facts.forgotten && add_row(s, &facts, when))
			return -ENOMEM;
		limit_rows(s);
		s->last = facts;
		s->last.path = NULL;
		s->taken++;
		n++;
	}
	drop_removed_rows(s, get, ctx);
	return n;
}

/* ---- rows ---- */

struct snapshot_row *snapshot_list_get(const struct snapshot_list *s, size_t row)
{
	return row < s->n ? &s->rows[s->n - 1 - row] : NULL;
}

struct snapshot_row *snapshot_list_find(const struct snapshot_list *s, size_t number)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->rows[i].number == number)
			return &s->rows[i];
	return NULL;
}

size_t snapshot_list_files(const struct snapshot_list *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		n += s->rows[i].path != NULL;
	return n;
}

int snapshot_row_name(struct snapshot_row *r, const char *name)
{
	if (*name)
		return words_set(&r->name, name);
	free(r->name);
	r->name = NULL;
	return 0;
}

/* The two that were marked last, in the order of marking. Returns their number. */
static size_t last_marked(const struct snapshot_list *s, struct snapshot_row *ret[MARKS_MAX])
{
	struct snapshot_row *last = NULL, *before = NULL;

	for (size_t i = 0; i < s->n; i++) {
		struct snapshot_row *r = &s->rows[i];

		if (!r->marked)
			continue;
		if (!last || r->marked > last->marked) {
			before = last;
			last = r;
		} else if (!before || r->marked > before->marked) {
			before = r;
		}
	}
	ret[0] = before ? before : last;
	ret[1] = last;
	return before ? 2 : last != NULL;
}

bool snapshot_list_mark(struct snapshot_list *s, struct snapshot_row *r)
{
	if (r->path)
		r->marked = r->marked ? 0 : ++s->marks;
	return r->path;
}

bool snapshot_list_pair(const struct snapshot_list *s, struct snapshot_row *r,
			struct snapshot_row *ret[2])
{
	struct snapshot_row *two[MARKS_MAX];
	size_t n = last_marked(s, two);

	if (n == 1 && r && r != two[0] && r->path)
		two[n++] = r;
	if (n < 2)
		return false;
	ret[0] = two[0] < two[1] ? two[0] : two[1];
	ret[1] = two[0] < two[1] ? two[1] : two[0];
	return true;
}

size_t snapshot_list_merged(const struct snapshot_list *s, const struct snapshot_row *with,
			    const struct snapshot_row **ret)
{
	struct snapshot_row *two[MARKS_MAX];
	size_t marked = last_marked(s, two), n = 0;

	for (size_t i = 0; i < s->n; i++) {
		const struct snapshot_row *r = &s->rows[i];

		if (r->path && (!marked || r->marked || (marked == 1 && r == with)))
			ret[n++] = r;
	}
	return n;
}

int snapshot_row_moved(struct snapshot_row *r, const char *path)
{
	if (words_set(&r->path, path))
		return -ENOMEM;
	r->saved = true;
	return 0;
}

void snapshot_list_forget(struct snapshot_list *s, struct snapshot_row *r)
{
	remove_row(s, (size_t)(r - s->rows));
}

/* ---- texts ---- */

const char *snapshot_list_why(enum ptui_snapshot_why why)
{
	static const char *const words[] = {
		[PTUI_SNAPSHOT_ASKED] = N_("key"),	 [PTUI_SNAPSHOT_SIGNAL] = N_("signal"),
		[PTUI_SNAPSHOT_CONTROL] = N_("control"), [PTUI_SNAPSHOT_EVENT] = N_("event"),
		[PTUI_SNAPSHOT_WHEN] = N_("condition"),	 [PTUI_SNAPSHOT_SIZE] = N_("size"),
		[PTUI_SNAPSHOT_TIME] = N_("time"),
	};

	return (size_t)why < sizeof(words) / sizeof(words[0]) ? _(words[why]) : "?";
}

const char *snapshot_list_reason(const struct snapshot_row *r)
{
	return r->when ? r->when : snapshot_list_why(r->facts.why);
}

char *snapshot_list_label(const struct snapshot_row *r, char *buf, size_t size)
{
	snprintf(buf, size, r->name ? "#%zu %s" : "#%zu", r->number, r->name);
	return buf;
}

/* Length without the timestamp that ptui and perf append: ".YYYYMMDDHHMMSSxx". */
static size_t without_timestamp(const char *path)
{
	const char *dot = strrchr(path, '.');

	if (!dot || strlen(dot) != 17 || strspn(dot + 1, "0123456789") != 16)
		return strlen(path);
	return (size_t)(dot - path);
}

char *snapshot_list_save_path(const struct snapshot_row *r, char *buf, size_t size)
{
	size_t n;

	if (!r->name) {
		snprintf(buf, size, "%s", r->path ? r->path : "");
		return buf;
	}
	n = (size_t)snprintf(buf, size, "%.*s.", (int)without_timestamp(r->path), r->path);
	for (const char *p = r->name; *p && n + 1 < size; p++)
		buf[n++] = *p == '/' || *p == ' ' ? '-' : *p;
	if (n < size)
		buf[n] = '\0';
	return buf;
}

bool snapshot_list_matches(const struct snapshot_row *r, const char *text)
{
	char label[512];
	size_t bytes;

	return utf8_find(snapshot_list_label(r, label, sizeof(label)), text, &bytes) ||
	       utf8_find(snapshot_list_reason(r), text, &bytes) ||
	       (r->path && utf8_find(r->path, text, &bytes));
}
