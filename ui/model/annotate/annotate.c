/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/vec.h"
#include "model/annotate/annotate_private.h"
#include "text/i18n.h"

/* ---- code ---- */

/* The jumps within the function, malloc()ed; NULL: out of memory. */
static struct annotate_jump *find_jumps(const struct ptui_annotation *a, size_t *ret_n)
{
	size_t n = ptui_annotation_n_lines(a);
	struct annotate_jump *jumps = calloc(n + 1, sizeof(*jumps));

	*ret_n = 0;
	for (uint32_t i = 0; jumps && i < n; i++) {
		const struct ptui_line *l = ptui_annotation_line(a, i);

		if (l->kind == PTUI_LINE_CODE && l->target_line != PTUI_NONE &&
		    (l->flow == PTUI_FLOW_JUMP || l->flow == PTUI_FLOW_BRANCH))
			jumps[(*ret_n)++] = (struct annotate_jump){ i, l->target_line };
	}
	return jumps;
}

static int digits(unsigned n)
{
	return snprintf(NULL, 0, "%u", n);
}

static void measure_code(struct annotate_code *c)
{
	size_t n = ptui_annotation_n_lines(c->annotation);
	uint32_t bytes = 0;
	unsigned jumps = 0;

	for (uint32_t i = 0; i < n; i++) {
		const struct ptui_line *l = ptui_annotation_line(c->annotation, i);

		if (l->kind == PTUI_LINE_CODE && l->n_bytes > bytes)
			bytes = l->n_bytes;
	}
	for (size_t i = 0; i < c->jumps.n; i++)
		if (c->jumps.arrows[i].n > jumps)
			jumps = c->jumps.arrows[i].n;
	c->bytes_width = bytes ? 3 * (int)bytes - 1 : 0;
	c->jump_count_width = jumps ? digits(jumps) : 0;
}

struct annotate_code *annotate_code_new(struct ptui_annotation *a)
{
	struct annotate_code *c = calloc(1, sizeof(*c));
	struct annotate_jump *jumps;
	size_t n;

	if (!c) {
		ptui_annotation_free(a);
		return NULL;
	}
	atomic_init(&c->refs, 1);
	c->annotation = a;
	jumps = find_jumps(a, &n);
	if (!jumps || annotate_jumps_init(&c->jumps, jumps, n)) {
		annotate_code_unref(c);
		return NULL;
	}
	measure_code(c);
	return c;
}

struct annotate_code *annotate_code_ref(struct annotate_code *c)
{
	atomic_fetch_add_explicit(&c->refs, 1, memory_order_relaxed);
	return c;
}

void annotate_code_unref(struct annotate_code *c)
{
	if (!c || atomic_fetch_sub_explicit(&c->refs, 1, memory_order_acq_rel) != 1)
		return;
	annotate_jumps_release(&c->jumps);
	ptui_annotation_free(c->annotation);
	free(c);
}

/* ---- rows ---- */

const struct ptui_line *annotate_line(const struct annotate *a, uint32_t line)
{
	return ptui_annotation_line(a->code->annotation, line);
}

static bool is_shown(const struct ptui_line *l, const struct annotate_look *look)
{
	if (l->kind == PTUI_LINE_CODE)
		return true;
	return !look->no_source && (!l->no_text || look->line_numbers);
}

/* NULL: out of memory. */
static uint32_t *make_rows(const struct annotate *a, const struct annotate_look *look,
			   size_t *ret_n)
{
	size_t n = ptui_annotation_n_lines(a->code->annotation);
	uint32_t *rows = malloc((n + 1) * sizeof(*rows));

	*ret_n = 0;
	for (uint32_t i = 0; rows && i < n; i++)
		if (is_shown(annotate_line(a, i), look))
			rows[(*ret_n)++] = i;
	return rows;
}

static void set_events(struct annotate *a, const struct annotate_event *events, size_t n)
{
	a->n_events = n < ANNOTATE_EVENTS_MAX ? n : ANNOTATE_EVENTS_MAX;
	for (size_t i = 0; i < a->n_events; i++)
		a->events[i] = events[i];
}

struct annotate *annotate_new(struct annotate_code *code, struct ptui_annotate_counts *counts,
			      const struct annotate_event *events, size_t n_events)
{
	struct annotate *a = calloc(1, sizeof(*a));

	if (!a) {
		ptui_annotate_counts_free(counts);
		return NULL;
	}
	a->code = annotate_code_ref(code);
	a->counts = counts;
	set_events(a, events, n_events);
	a->rows = make_rows(a, &a->look, &a->n_rows);
	if (a->rows)
		return a;
	annotate_free(a);
	return NULL;
}

void annotate_free(struct annotate *a)
{
	if (!a)
		return;
	annotate_code_unref(a->code);
	ptui_annotate_counts_free(a->counts);
	free(a->rows);
	free(a);
}

void annotate_set_counts(struct annotate *a, struct ptui_annotate_counts *counts,
			 const struct annotate_event *events, size_t n_events)
{
	ptui_annotate_counts_free(a->counts);
	a->counts = counts;
	set_events(a, events, n_events);
}

int annotate_set_look(struct annotate *a, const struct annotate_look *look)
{
	uint32_t *rows;
	size_t n;

	if (look->no_source != a->look.no_source || look->line_numbers != a->look.line_numbers) {
		rows = make_rows(a, look, &n);
		if (!rows)
			return -ENOMEM;
		free(a->rows);
		a->rows = rows;
		a->n_rows = n;
	}
	a->look = *look;
	return 0;
}

uint32_t annotate_line_of(const struct annotate *a, size_t row)
{
	return row < a->n_rows ? a->rows[row] : PTUI_NONE;
}

size_t annotate_row_of(const struct annotate *a, uint32_t line)
{
	size_t row = bisect(i, a->n_rows, a->rows[i] < line);

	return row < a->n_rows ? row : a->n_rows ? a->n_rows - 1 : 0;
}

uint32_t annotate_first_code(const struct annotate *a)
{
	for (size_t i = 0; i < a->n_rows; i++)
		if (annotate_line(a, a->rows[i])->kind == PTUI_LINE_CODE)
			return a->rows[i];
	return PTUI_NONE;
}

/* ---- events ---- */

const struct annotate_event *annotate_event(const struct annotate *a, size_t column)
{
	return &a->events[column];
}

/* A newer profile has all events of the older one; a broken file may have none. */
static bool has_event(const struct annotate *a, size_t column)
{
	return column < a->n_events && a->events[column].event < ptui_counts_n_events(a->counts);
}

struct ptui_annotate_count annotate_local(const struct annotate *a, size_t column)
{
	return has_event(a, column) ? ptui_counts_local(a->counts, a->events[column].event) :
				      (struct ptui_annotate_count){ 0, 0 };
}

struct ptui_annotate_count annotate_global(const struct annotate *a, size_t column)
{
	return has_event(a, column) ? ptui_counts_global(a->counts, a->events[column].event) :
				      (struct ptui_annotate_count){ 0, 0 };
}

struct ptui_annotate_count annotate_count(const struct annotate *a, uint32_t line, size_t column)
{
	return has_event(a, column) ? ptui_counts_line(a->counts, a->events[column].event, line) :
				      (struct ptui_annotate_count){ 0, 0 };
}

static enum ptui_percent_type percent_type(const struct annotate_look *l)
{
	if (l->global)
		return l->by_samples ? PTUI_PERCENT_GLOBAL_HITS : PTUI_PERCENT_GLOBAL_PERIOD;
	return l->by_samples ? PTUI_PERCENT_LOCAL_HITS : PTUI_PERCENT_LOCAL_PERIOD;
}

double annotate_percent(const struct annotate *a, uint32_t line, size_t column)
{
	return has_event(a, column) ? ptui_counts_percent(a->counts, a->events[column].event, line,
							  percent_type(&a->look)) :
				      0;
}

const char *annotate_percent_type(const struct annotate *a)
{
	static const char *const texts[] = {
		[PTUI_PERCENT_LOCAL_PERIOD] = N_("local period"),
		[PTUI_PERCENT_LOCAL_HITS] = N_("local samples"),
		[PTUI_PERCENT_GLOBAL_PERIOD] = N_("global period"),
		[PTUI_PERCENT_GLOBAL_HITS] = N_("global samples"),
	};

	return _(texts[percent_type(&a->look)]);
}

/* ---- moving ---- */

/* Of the first column that has samples here; sorted, the hottest first. */
static const uint32_t *hot_lines(const struct annotate *a, size_t *ret_n)
{
	*ret_n = 0;
	for (size_t i = 0; i < a->n_events; i++) {
		const uint32_t *lines = has_event(a, i) ?
						ptui_counts_hottest(a->counts, a->events[i].event,
								    a->look.by_samples, ret_n) :
						NULL;

		if (*ret_n)
			return lines;
	}
	return NULL;
}

uint32_t annotate_hottest(const struct annotate *a)
{
	size_t n;
	const uint32_t *lines = hot_lines(a, &n);

	return n ? lines[0] : PTUI_NONE;
}

uint32_t annotate_next_hot(const struct annotate *a, uint32_t line, int direction)
{
	size_t n, i = 0;
	const uint32_t *lines = hot_lines(a, &n);

	while (i < n && lines[i] != line)
		i++;
	if (i == n)
		return n ? lines[0] : PTUI_NONE;
	return lines[direction > 0 ? (i + 1) % n : (i + n - 1) % n];
}
