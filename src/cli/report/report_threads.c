/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include "base/hash.h"
#include "base/text.h"
#include "base/vec.h"
#include "cli/report/report.h"

struct thread {
	int32_t pid, tid;
	uint64_t *counts; /* by column; owned */
};

struct thread_table {
	const struct ptui_profile *p;
	struct thread
		*threads; /* in the order of their first counts, as the events of the columns */
	size_t n_threads, cap_threads;
	struct index_table index;
	uint32_t *column; /* by event: 1 + its column; 0: none */
	uint32_t *event;  /* by column */
	size_t n_columns, n_events;
	bool raw; /* a row for each count */
};

static bool same_thread(const void *owner, uint32_t index, const void *key)
{
	const struct thread *a = &((const struct thread_table *)owner)->threads[index], *b = key;

	return a->pid == b->pid && a->tid == b->tid;
}

/* NULL: out of memory. */
static struct thread *thread_of(struct thread_table *t, int32_t pid, int32_t tid)
{
	struct thread one = { .pid = pid, .tid = tid };
	uint64_t hash = hash_pair((uint32_t)pid, (uint32_t)tid);
	uint32_t i = index_table_find(&t->index, hash, same_thread, t, &one);

	if (i != PTUI_NONE)
		return &t->threads[i];
	i = (uint32_t)t->n_threads;
	one.counts = calloc(t->n_events + 1, sizeof(*one.counts));
	if (!one.counts || vec_grow(&t->threads, &t->cap_threads, t->n_threads + 1) ||
	    index_table_add(&t->index, hash, i)) {
		free(one.counts);
		return NULL;
	}
	t->threads[t->n_threads++] = one;
	return &t->threads[i];
}

static int add_counts(struct thread_table *t)
{
	size_t n;
	const struct ptui_thread_count *c = ptui_profile_thread_counts(t->p, &n);

	for (size_t i = 0; i < n; i++) {
		struct thread *thread = thread_of(t, c[i].pid, c[i].tid);

		if (!thread)
			return -ENOMEM;
		if (!t->column[c[i].event]) {
			t->event[t->n_columns] = c[i].event;
			t->column[c[i].event] = (uint32_t)++t->n_columns;
		}
		thread->counts[t->column[c[i].event] - 1] += c[i].count;
	}
	return 0;
}

/* ---- text ---- */

#define FIXED 2 /* columns before the others: PID and TID */

/* A column for each event. `thread` NULL: the titles. */
static void add_event_cell(const struct thread_table *t, const struct thread *thread, size_t column,
			   struct buf *ret)
{
	if (thread)
		buf_addf(ret, "%" PRIu64, thread->counts[column]);
	else
		text_escape(ret, ptui_profile_event(t->p, t->event[column])->name);
}

/* A row for each event: its name, its number, the count. */
static void add_raw_cell(const struct thread_table *t, const struct thread *thread, size_t event,
			 size_t column, struct buf *ret)
{
	static const char *const titles[] = { "Name", "Raw", "Count" };

	if (!thread)
		buf_add_str(ret, titles[column]);
	else if (column == 0)
		text_escape(ret, ptui_profile_event(t->p, t->event[event])->name);
	else if (column == 1)
		buf_addf(ret, "%" PRIx32, t->event[event]);
	else
		buf_addf(ret, "%" PRIu64, thread->counts[event]);
}

/* `row` 0: the titles. */
static void cell(const struct thread_table *t, size_t row, size_t column, struct buf *ret)
{
	size_t each = t->raw ? t->n_columns : 1; /* rows of a thread */
	const struct thread *thread = row ? &t->threads[(row - 1) / each] : NULL;

	buf_clear(ret);
	if (column < FIXED && thread)
		buf_addf(ret, "%" PRId32, column ? thread->tid : thread->pid);
	else if (column < FIXED)
		buf_add_str(ret, column ? "TID" : "PID");
	else if (t->raw)
		add_raw_cell(t, thread, row ? (row - 1) % each : 0, column - FIXED, ret);
	else
		add_event_cell(t, thread, column - FIXED, ret);
}

static int print(const struct thread_table *t, struct buf *out)
{
	size_t n_rows = t->n_threads * (t->raw ? t->n_columns : 1);
	size_t n = FIXED + (t->raw ? 3 : t->n_columns);
	size_t *width = calloc(n, sizeof(*width));
	struct buf text = BUF_INIT;
	int err;

	if (!width)
		return -ENOMEM;
	for (size_t row = 0; row <= n_rows; row++) {
		for (size_t i = 0; i < n; i++) {
			cell(t, row, i, &text);
			if (text.len > width[i])
				width[i] = text.len;
		}
	}
	for (size_t row = 0; row <= n_rows; row++) {
		buf_add_str(out, row ? "" : "#");
		for (size_t i = 0; i < n; i++) {
			cell(t, row, i, &text);
			buf_add_spaces(out, (i || row ? 2 : 1) + width[i] - text.len);
			buf_add(out, text.data, text.len);
		}
		buf_add_char(out, '\n');
	}
	free(width);
	err = text.err ? text.err : out->err;
	buf_release(&text);
	return err;
}

static void release(struct thread_table *t)
{
	for (size_t i = 0; i < t->n_threads; i++)
		free(t->threads[i].counts);
	free(t->threads);
	free(t->column);
	free(t->event);
	index_table_release(&t->index);
}

int report_threads(const struct ptui_profile *p, bool raw, struct buf *out)
{
	struct thread_table t = { .p = p, .n_events = ptui_profile_n_events(p), .raw = raw };
	int err;

	index_table_init(&t.index);
	t.column = calloc(t.n_events + 1, sizeof(*t.column));
	t.event = calloc(t.n_events + 1, sizeof(*t.event));
	err = t.column && t.event ? add_counts(&t) : -ENOMEM;
	if (!err)
		err = print(&t, out);
	release(&t);
	return err;
}
