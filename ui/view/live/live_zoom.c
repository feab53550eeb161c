/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Zooms: functions of a thread, a DSO, a CPU or a name only; each at most once, undone in reverse
 * order.
 */
#include <stdio.h>
#include <string.h>

#include "text/i18n.h"
#include "view/live/live_private.h"

static void set_text(char to[LIVE_HOT_TEXT_MAX], const char *text)
{
	snprintf(to, LIVE_HOT_TEXT_MAX, "%s", text);
}

/* ---- kinds: value of a row, filter, text; "" and false: not available ---- */

static bool get_thread(struct live_hot_origin *only, const struct live_hot_origin *of)
{
	only->has_thread = of->has_thread;
	only->tid = of->tid;
	set_text(only->comm, of->has_thread ? "" : of->comm);
	return of->has_thread || *of->comm;
}

static void put_thread(const struct live_hot_origin *only, char *buf, size_t size)
{
	if (only->has_thread)
		snprintf(buf, size, _("thread %d"), (int)only->tid);
	else
		snprintf(buf, size, _("command %s"), only->comm);
}

static bool get_dso(struct live_hot_origin *only, const struct live_hot_origin *of)
{
	set_text(only->dso, of->dso);
	return *of->dso;
}

static void put_dso(const struct live_hot_origin *only, char *buf, size_t size)
{
	snprintf(buf, size, _("DSO %s"), only->dso);
}

static bool get_function(struct live_hot_origin *only, const struct live_hot_origin *of)
{
	set_text(only->function, of->function);
	return *of->function;
}

static void put_function(const struct live_hot_origin *only, char *buf, size_t size)
{
	snprintf(buf, size, _("functions with %s"), only->function);
}

static bool get_cpu(struct live_hot_origin *only, const struct live_hot_origin *of)
{
	only->has_cpu = of->has_cpu;
	only->cpu = of->cpu;
	return of->has_cpu;
}

static void put_cpu(const struct live_hot_origin *only, char *buf, size_t size)
{
	snprintf(buf, size, _("CPU %d"), (int)only->cpu);
}

static const struct kind {
	int key; /* in the menu: a digit, since perf's letters are other keys of the screen */
	bool (*get)(struct live_hot_origin *only, const struct live_hot_origin *of);
	void (*put)(const struct live_hot_origin *only, char *buf, size_t size);
} kinds[LIVE_ZOOMS] = {
	[LIVE_ZOOM_THREAD] = { '1', get_thread, put_thread },
	[LIVE_ZOOM_DSO] = { '2', get_dso, put_dso },
	[LIVE_ZOOM_FUNCTION] = { '3', get_function, put_function },
	[LIVE_ZOOM_CPU] = { '4', get_cpu, put_cpu },
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

/* The value of the menu's row, which may be gone meanwhile. */
static bool get_origin(const struct live_view *v, enum live_zoom zoom, struct live_hot_origin *ret)
{
	struct live_hot_origin of;

	return live_hot_get_origin(v->hot, v->menu_node, &of) && kinds[zoom].get(ret, &of);
}

static void undo(struct live_look *look, size_t which)
{
	static const struct live_hot_origin nothing;

	kinds[look->zooms[which]].get(&look->view.only, &nothing);
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
		kinds[zoom].put(&v->look.view.only, what, sizeof(what));
		snprintf(buf, size, _("not only %s"), what);
		return true;
	}
	if (!get_origin(v, zoom, &of))
		return false;
	kinds[zoom].put(&of, what, sizeof(what));
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
	if (!get_origin(v, zoom, &look->view.only))
		return;
	look->zooms[look->n_zooms++] = zoom;
	/* for a single function only its callers are interesting */
	if (zoom == LIVE_ZOOM_FUNCTION && look->view.by == LIVE_HOT_FUNCTIONS &&
	    live_hot_opens(v->hot, v->menu_node) && tree_set_open(&v->tree, v->menu_node, true))
		stack_no_memory(v->stack);
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
		kinds[v->look.zooms[i]].put(&v->look.view.only, what, sizeof(what));
		snprintf(text, sizeof(text),
			 i + 1 == v->look.n_zooms ? _("only %s (ESC)") : _("only %s"), what);
		live_add_text(buf, size, text);
	}
	if (v->look.view.relative)
		live_add_text(buf, size, _("percentages of these (F)"));
}
