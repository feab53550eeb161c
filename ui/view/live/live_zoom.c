/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Only the functions of a thread, of a module, of a CPU, of a name: each once, undone in the other order. */
#include <stdio.h>
#include <string.h>

#include "text/i18n.h"
#include "view/live/live_private.h"

static void set_text(char to[LIVE_HOT_TEXT_MAX], const char *text)
{
	snprintf(to, LIVE_HOT_TEXT_MAX, "%s", text);
}

/* ---- what one kind takes from a row, in a filter, and in words; "" and false: it has none ---- */

static bool take_thread(struct live_hot_origin *only, const struct live_hot_origin *of)
{
	only->has_thread = of->has_thread;
	only->tid = of->tid;
	set_text(only->comm, of->has_thread ? "" : of->comm);
	return of->has_thread || *of->comm;
}

static void say_thread(const struct live_hot_origin *only, char *buf, size_t size)
{
	if (only->has_thread)
		snprintf(buf, size, _("thread %d"), (int)only->tid);
	else
		snprintf(buf, size, _("command %s"), only->comm);
}

static bool take_dso(struct live_hot_origin *only, const struct live_hot_origin *of)
{
	set_text(only->dso, of->dso);
	return *of->dso;
}

static void say_dso(const struct live_hot_origin *only, char *buf, size_t size)
{
	snprintf(buf, size, _("DSO %s"), only->dso);
}

static bool take_function(struct live_hot_origin *only, const struct live_hot_origin *of)
{
	set_text(only->function, of->function);
	return *of->function;
}

static void say_function(const struct live_hot_origin *only, char *buf, size_t size)
{
	snprintf(buf, size, _("functions with %s"), only->function);
}

static bool take_cpu(struct live_hot_origin *only, const struct live_hot_origin *of)
{
	only->has_cpu = of->has_cpu;
	only->cpu = of->cpu;
	return of->has_cpu;
}

static void say_cpu(const struct live_hot_origin *only, char *buf, size_t size)
{
	snprintf(buf, size, _("CPU %d"), (int)only->cpu);
}

static const struct kind {
	int key; /* in the menu: a digit, since perf's letters are keys of the screen for something else */
	bool (*take)(struct live_hot_origin *only, const struct live_hot_origin *of);
	void (*say)(const struct live_hot_origin *only, char *buf, size_t size);
} kinds[LIVE_ZOOMS] = {
	[LIVE_ZOOM_THREAD] = { '1', take_thread, say_thread },
	[LIVE_ZOOM_DSO] = { '2', take_dso, say_dso },
	[LIVE_ZOOM_FUNCTION] = { '3', take_function, say_function },
	[LIVE_ZOOM_CPU] = { '4', take_cpu, say_cpu },
};

int live_zoom_key(enum live_zoom zoom)
{
	return kinds[zoom].key;
}

static bool is_on(const struct live_look *look, enum live_zoom zoom)
{
	for (size_t i = 0; i < look->n_zooms; i++)
		if (look->zooms[i] == zoom)
			return true;
	return false;
}

/* What the row that the menu is of has of it; it may be gone meanwhile. */
static bool take(const struct live_view *v, enum live_zoom zoom, struct live_hot_origin *ret)
{
	struct live_hot_origin of;

	return live_hot_get_origin(v->hot, v->menu_node, &of) && kinds[zoom].take(ret, &of);
}

static void undo(struct live_look *look, size_t which)
{
	static const struct live_hot_origin nothing;

	kinds[look->zooms[which]].take(&look->view.only, &nothing);
	look->n_zooms--;
	memmove(look->zooms + which, look->zooms + which + 1,
		(look->n_zooms - which) * sizeof(*look->zooms));
	if (!look->n_zooms)
		look->view.relative = false;
}

bool live_zoom_offer(const struct live_view *v, enum live_zoom zoom, char *buf, size_t size)
{
	struct live_hot_origin of = { .tid = 0 };
	char what[LIVE_HOT_TEXT_MAX + 32];

	if (is_on(&v->look, zoom)) {
		kinds[zoom].say(&v->look.view.only, what, sizeof(what));
		snprintf(buf, size, _("not only %s"), what);
		return true;
	}
	if (!take(v, zoom, &of))
		return false;
	kinds[zoom].say(&of, what, sizeof(what));
	snprintf(buf, size, _("only %s"), what);
	return true;
}

void live_zoom_do(struct live_view *v, enum live_zoom zoom)
{
	struct live_look *look = &v->look;

	for (size_t i = 0; i < look->n_zooms; i++) {
		if (look->zooms[i] != zoom)
			continue;
		undo(look, i);
		live_tree_submit(v);
		return;
	}
	if (!take(v, zoom, &look->view.only))
		return;
	look->zooms[look->n_zooms++] = zoom;
	/* of one function, its callers are what is left to be seen */
	if (zoom == LIVE_ZOOM_FUNCTION && look->view.by == LIVE_HOT_FUNCTIONS &&
	    live_hot_opens(v->hot, v->menu_node) && tree_set_open(&v->tree, v->menu_node, true))
		stack_say(v->stack, ROLE_BAD, "%s", _("out of memory"));
	live_tree_submit(v);
}

bool live_zoom_undo(struct live_view *v)
{
	if (!v->look.n_zooms)
		return false;
	undo(&v->look, v->look.n_zooms - 1);
	live_tree_submit(v);
	return true;
}

void live_zoom_text(const struct live_view *v, char *buf, size_t size)
{
	char what[LIVE_HOT_TEXT_MAX + 32], text[LIVE_HOT_TEXT_MAX + 64];

	for (size_t i = 0; i < v->look.n_zooms; i++) {
		kinds[v->look.zooms[i]].say(&v->look.view.only, what, sizeof(what));
		snprintf(text, sizeof(text),
			 i + 1 == v->look.n_zooms ? _("only %s (ESC)") : _("only %s"), what);
		live_add_text(buf, size, text);
	}
	if (v->look.view.relative)
		live_add_text(buf, size, _("percentages of these (F)"));
}
