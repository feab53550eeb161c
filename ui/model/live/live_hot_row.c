/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counting options of Live's views, and the cells of their rows. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/live/live_hot_private.h"
#include "text/i18n.h"

static const char *text_or_null(const char *text)
{
	return *text ? text : NULL;
}

struct ptui_hist_opts hot_hist_opts(const struct live_hot_job *job)
{
	const struct live_hot_view *view = &job->view;
	const struct live_hot_origin *only = &view->only;

	return (struct ptui_hist_opts){
		.event = job->event,
		.order = PTUI_CALLEE,
		.show_samples = view->samples || view->by != LIVE_HOT_FUNCTIONS,
		.since_ns = view->since_ns,
		.half_life_ns = view->half_life_ns,
		.relative = view->relative,
		.filter = { .comm = text_or_null(only->comm),
			    .dso = text_or_null(only->dso),
			    .symbol = text_or_null(only->function),
			    .by_thread = only->has_thread,
			    .tid = only->tid,
			    .by_cpu = only->has_cpu,
			    .cpu = only->cpu,
			    .user = view->hide_kernel,
			    .kernel = view->hide_user },
	};
}

const char *hot_sort(const struct live_hot_view *view)
{
	static const char *const sorts[] = {
		[LIVE_HOT_FUNCTIONS] = NULL,
		[LIVE_HOT_THREADS] = "pid",
		[LIVE_HOT_CPUS] = "cpu",
	};

	return view->by == LIVE_HOT_FUNCTIONS ? text_or_null(view->sort) : sorts[view->by];
}

static bool origin_equal(const struct live_hot_origin *a, const struct live_hot_origin *b)
{
	return !strcmp(a->comm, b->comm) && !strcmp(a->dso, b->dso) &&
	       !strcmp(a->function, b->function) && a->has_thread == b->has_thread &&
	       a->has_cpu == b->has_cpu && a->tid == b->tid && a->cpu == b->cpu;
}

bool hot_view_equal(const struct live_hot_view *a, const struct live_hot_view *b)
{
	return a->since_ns == b->since_ns && a->half_life_ns == b->half_life_ns &&
	       a->hide_kernel == b->hide_kernel && a->hide_user == b->hide_user &&
	       a->samples == b->samples && a->whole_system == b->whole_system &&
	       a->relative == b->relative && a->by == b->by && !strcmp(a->sort, b->sort) &&
	       origin_equal(&a->only, &b->only);
}

void hot_set_columns(struct live_hot *h, const struct ptui_hist *hist)
{
	for (size_t i = 0; i < ptui_hist_n_columns(hist); i++) {
		const struct ptui_column *from = ptui_hist_column(hist, i);
		struct live_hot_column *c = &h->columns[h->n_columns];

		/* Live has its own column for it */
		if (!strncmp(from->name, "overhead", 8))
			continue;
		if (h->n_columns == LIVE_HOT_COLUMNS_MAX)
			break;
		snprintf(c->name, sizeof(c->name), "%s", from->name);
		snprintf(c->title, sizeof(c->title), "%s", from->title);
		c->number = from->number;
		h->from_column[h->n_columns++] = i;
	}
}

/* Without padding: the table pads. */
static char *read_cell(const struct ptui_hist *hist, size_t row, size_t col, char *buf, size_t size)
{
	buf[0] = 0;
	ptui_hist_cell(hist, row, col, buf, size);
	buf[size - 1] = 0;
	for (size_t n = strlen(buf); n && buf[n - 1] == ' '; n--)
		buf[n - 1] = 0;
	return buf + strspn(buf, " ");
}

/* "CPU 3"; sets the row's CPU. */
static const char *cpu_text(struct hot_row *r, const char *cell, char *buf, size_t size)
{
	int cpu = atoi(cell);

	if (cpu < 0)
		return _("CPUs are not recorded (--sample-cpu)");
	r->has_cpu = true;
	r->cpu = (uint32_t)cpu;
	snprintf(buf, size, _("CPU %d"), cpu);
	return buf;
}

/* "[.] parse" is the function parse, if it has a name. */
static const char *function_of(const char *cell)
{
	return cell[0] == '[' && cell[1] && cell[2] == ']' && cell[3] == ' ' &&
			       strncmp(cell + 4, "0x", 2) ?
		       cell + 4 :
		       "";
}

static bool measures(const char *key)
{
	return !strcmp(key, "sample") || !strcmp(key, "period");
}

static int fill_origin(struct live_hot *h, size_t at, const struct ptui_hist *hist, size_t row,
		       const char *function)
{
	struct hot_row *r = &h->rows[at];
	struct ptui_row_origin from;
	size_t sink;

	ptui_hist_row_origin(hist, row, &from);
	r->has_origin = true;
	r->has_thread = from.has_thread;
	r->tid = from.tid;
	return hot_add_text(h, from.comm ? from.comm : "", &r->from) ||
			       hot_add_text(h, from.dso ? from.dso : "", &sink) ||
			       hot_add_text(h, function, &sink) ?
		       -ENOMEM :
		       0;
}

int hot_fill_row(struct live_hot *h, size_t at, const struct ptui_hist *hist, size_t row,
		 enum live_hot_by by)
{
	struct hot_row *r = &h->rows[at];
	char buf[1024], number[64], function[LIVE_HOT_TEXT_MAX] = "";
	uint64_t id = 0;

	r->entry = (uint32_t)at;
	for (size_t c = 0; c < h->n_columns; c++) {
		const char *cell = read_cell(hist, row, h->from_column[c], buf, sizeof(buf));

		if (by == LIVE_HOT_CPUS && !strcmp(h->columns[c].name, "cpu"))
			cell = cpu_text(r, cell, number, sizeof(number));
		if (hot_add_text(h, cell, &r->last))
			return -ENOMEM;
		if (!c)
			r->text = r->last;
		if (!strcmp(h->columns[c].name, "symbol"))
			snprintf(function, sizeof(function), "%s", function_of(cell));
		if (!measures(h->columns[c].name))
			id = hot_id(id, cell);
	}
	r->id = id;
	return fill_origin(h, at, hist, row, function);
}

static size_t column_of(const struct ptui_hist *hist, const char *name)
{
	for (size_t i = 0; i < ptui_hist_n_columns(hist); i++)
		if (!strcmp(ptui_hist_column(hist, i)->name, name))
			return i;
	return SIZE_MAX;
}

int hot_fill_function(struct live_hot *h, size_t at, size_t parent, const struct ptui_hist *hist,
		      size_t row)
{
	struct hot_row *r = &h->rows[at];
	char buf[1024] = "";
	const char *name = read_cell(hist, row, column_of(hist, "symbol"), buf, sizeof(buf));
	struct ptui_row_origin from;

	ptui_hist_row_origin(hist, row, &from);
	r->entry = (uint32_t)parent;
	if (hot_add_text(h, name, &r->text) || hot_add_text(h, from.dso ? from.dso : "", &r->dso) ||
	    fill_origin(h, at, hist, row, function_of(name)))
		return -ENOMEM;
	r->id = hot_id(hot_id(h->rows[parent].id, h->text + r->dso), h->text + r->text);
	/* its samples are the parent's */
	r->has_thread = h->rows[parent].has_thread;
	r->tid = h->rows[parent].tid;
	r->has_cpu = h->rows[parent].has_cpu;
	r->cpu = h->rows[parent].cpu;
	return 0;
}
