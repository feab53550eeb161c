/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/rows/rows_tabs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int rows_tabs_init(struct rows_tabs *t, size_t max)
{
	t->v = calloc(max + 1, sizeof(*t->v));
	t->names = calloc(max + 1, sizeof(*t->names));
	t->generation = 1;
	return t->v && t->names ? 0 : -ENOMEM;
}

int rows_tabs_add(struct rows_tabs *t, size_t at, const char *name)
{
	bool none = t->shown == t->n;

	name = words_keep(&t->texts, name);
	if (!name)
		return -ENOMEM;
	memmove(t->v + at + 1, t->v + at, (t->n - at) * sizeof(*t->v));
	memmove(t->names + at + 1, t->names + at, (t->n - at) * sizeof(*t->names));
	memset(&t->v[at], 0, sizeof(t->v[at]));
	t->names[at] = name;
	t->n++;
	t->at += t->n > 1 && t->at >= at;
	t->shown = none ? t->n : t->shown + (t->shown >= at);
	return 0;
}

void rows_tabs_release(struct rows_tabs *t, void (*free_made)(void *made))
{
	for (size_t i = 0; i < t->n; i++)
		free_made(t->v[i].made);
	free(t->v);
	free(t->names);
	words_release(&t->texts);
}

struct rows_tab *rows_tabs_now(const struct rows_tabs *t)
{
	return t->n ? &t->v[t->at] : NULL;
}

void rows_tabs_set(struct rows_tabs *t, size_t tab)
{
	if (tab >= t->n)
		return;
	if (t->v[t->at].made)
		t->shown = t->at;
	t->at = tab;
}

void rows_tabs_move(struct rows_tabs *t, int direction)
{
	if (t->n)
		rows_tabs_set(t, (t->at + (direction < 0 ? t->n - 1 : 1)) % t->n);
}

void *rows_tabs_made(const struct rows_tabs *t)
{
	return t->n ? t->v[t->at].made : NULL;
}

const struct ptui_error *rows_tabs_error(const struct rows_tabs *t)
{
	return t->n && ptui_error_is_set(&t->v[t->at].err) ? &t->v[t->at].err : NULL;
}

void rows_tabs_changed(struct rows_tabs *t)
{
	t->generation++;
}

bool rows_tabs_is_current(const struct rows_tabs *t)
{
	return !t->n || t->v[t->at].generation == t->generation;
}

bool rows_tabs_cancel(struct rows_tabs *t)
{
	if (!rows_tabs_made(t) && t->shown < t->n)
		t->at = t->shown;
	if (!rows_tabs_made(t))
		return false;
	t->look = t->v[t->at].look;
	t->v[t->at].generation = ++t->generation;
	return true;
}

bool rows_tabs_next(const struct rows_tabs *t, struct rows_job *ret)
{
	if (rows_tabs_is_current(t))
		return false;
	*ret = (struct rows_job){ .look = t->look, .tab = t->at, .generation = t->generation };
	return true;
}

bool rows_tabs_done(struct rows_tabs *t, struct rows_job *job)
{
	struct rows_tab *tab = &t->v[job->tab];
	void *before = tab->made;

	/* the look changed meanwhile: another job follows, but any rows are better than none */
	if (job->generation != t->generation && (before || !job->made))
		return false;
	/* cancelled by a tab switch: the tab may be shown again */
	if (!job->made && job->err.code == ECANCELED)
		return false;
	tab->generation = job->generation;
	tab->err = job->err;
	if (!job->made)
		return true;
	tab->made = job->made;
	tab->look = job->look;
	job->made = before;
	return true;
}
