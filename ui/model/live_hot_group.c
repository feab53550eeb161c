/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/live_hot_private.h"
#include "text/i18n.h"

/* Of a thread or a CPU so many functions are shown, and none below this part of all. */
#define FUNCTIONS_MAX	   100
#define FUNCTIONS_MIN_PART 2000

struct ptui_hist_opts hot_hist_opts(const struct live_hot_job *job)
{
	return (struct ptui_hist_opts){ .event = job->event,
					.order = PTUI_CALLEE,
					.since_ns = job->view.since_ns,
					.half_life_ns = job->view.half_life_ns,
					.filter.user = job->view.hide_kernel,
					.filter.kernel = job->view.hide_user };
}

const char *hot_sort(enum live_hot_by by)
{
	static const char *const sorts[] = {
		[LIVE_HOT_FUNCTIONS] = NULL,
		[LIVE_HOT_THREADS] = "pid",
		[LIVE_HOT_CPUS] = "cpu",
	};

	return sorts[by];
}

static size_t column_of(const struct ptui_hist *hist, const char *name)
{
	for (size_t i = 0; i < ptui_hist_n_columns(hist); i++)
		if (!strcmp(ptui_hist_column(hist, i)->name, name))
			return i;
	return SIZE_MAX;
}

/* Without the blanks that cells are filled up with for columns: here the table does that. */
static char *read_cell(const struct ptui_hist *hist, size_t row, const char *name, char *buf,
		       size_t size)
{
	size_t col = column_of(hist, name), n;

	buf[0] = 0;
	if (col != SIZE_MAX)
		ptui_hist_cell(hist, row, col, buf, size);
	buf[size - 1] = 0;
	for (n = strlen(buf); n && buf[n - 1] == ' '; n--)
		buf[n - 1] = 0;
	return buf + strspn(buf, " ");
}

int hot_fill_function(struct live_hot *h, size_t at, const struct ptui_hist *hist, size_t row)
{
	struct hot_row *r = &h->rows[at];
	char buf[1024];

	return hot_add_text(h, read_cell(hist, row, "comm", buf, sizeof(buf)), &r->comm) ||
			       hot_add_text(h, read_cell(hist, row, "dso", buf, sizeof(buf)),
					    &r->dso) ||
			       hot_add_text(h, read_cell(hist, row, "symbol", buf, sizeof(buf)),
					    &r->function) ?
		       -ENOMEM :
		       0;
}

int hot_fill_group(struct live_hot *h, size_t at, const struct ptui_hist *hist, size_t row,
		   enum live_hot_by by)
{
	struct hot_row *r = &h->rows[at];
	char buf[1024], text[64];
	int cpu;

	r->comm = r->dso = 0;
	if (by == LIVE_HOT_THREADS)
		return hot_add_text(h, read_cell(hist, row, "pid", buf, sizeof(buf)), &r->function);
	cpu = atoi(read_cell(hist, row, "cpu", buf, sizeof(buf)));
	if (cpu < 0)
		return hot_add_text(h, _("CPUs are not recorded (--sample-cpu)"), &r->function);
	snprintf(text, sizeof(text), _("CPU %d"), cpu);
	return hot_add_text(h, text, &r->function);
}

/* Only what the row is of: a thread by its id, a CPU by its number. */
static void narrow(struct ptui_hist_opts *opts, const struct ptui_hist *hist, size_t row,
		   enum live_hot_by by)
{
	struct ptui_row_origin origin;
	char buf[64];

	if (by == LIVE_HOT_THREADS) {
		ptui_hist_row_origin(hist, row, &origin);
		opts->filter.by_thread = true;
		opts->filter.tid = origin.tid;
	} else {
		opts->filter.by_cpu = true;
		opts->filter.cpu = (uint32_t)atoi(read_cell(hist, row, "cpu", buf, sizeof(buf)));
	}
}

static size_t n_worth(const struct ptui_hist *functions)
{
	uint64_t least = ptui_hist_total_period(functions) / FUNCTIONS_MIN_PART;
	size_t n = ptui_hist_n_rows(functions), i;
	struct ptui_row facts;

	if (n > FUNCTIONS_MAX)
		n = FUNCTIONS_MAX;
	for (i = 0; i < n; i++) {
		ptui_hist_row(functions, i, &facts);
		if (facts.period <= least)
			break;
	}
	return i;
}

static int add_functions(struct live_hot *h, size_t parent, const struct ptui_hist *functions)
{
	double total = (double)ptui_hist_total_period(functions);
	size_t n = n_worth(functions), first;
	struct ptui_row facts;

	if (!n)
		return 0;
	if (hot_add_rows(h, n, &first))
		return -ENOMEM;
	h->rows[parent].first_child = (uint32_t)first;
	h->rows[parent].n_children = (uint32_t)n;
	for (size_t i = 0; i < n; i++) {
		struct hot_row *r = &h->rows[first + i];

		ptui_hist_row(functions, i, &facts);
		r->percent = total > 0 ? 100.0 * (double)facts.period / total : 0;
		r->now = NAN;
		r->samples = facts.samples;
		r->made = true;
		if (hot_fill_function(h, first + i, functions, i))
			return -ENOMEM;
		r->id = hot_id(hot_id(h->rows[parent].id, h->text + r->dso), h->text + r->function);
	}
	return 0;
}

int hot_open_group(struct live_hot *h, const struct ptui_hist *hist, size_t row,
		   const struct live_hot_job *job, struct ptui_error *err)
{
	struct ptui_hist_opts opts = hot_hist_opts(job);
	struct ptui_hist *functions;
	int ret;

	h->rows[row].made = true;
	narrow(&opts, hist, row, job->view.by);
	functions = ptui_hist_new(job->profile, &opts, err);
	if (!functions)
		return -ENOMEM;
	ret = add_functions(h, row, functions);
	ptui_hist_free(functions);
	return ret;
}
