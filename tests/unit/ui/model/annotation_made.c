/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit/ui/model/annotation_made.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINES_MAX 64

struct ptui_annotation {
	struct ptui_function function;
	struct ptui_annotation_info info;
	struct ptui_line lines[LINES_MAX];
	size_t n;
};

struct ptui_annotate_counts {
	size_t n_events;
	struct ptui_annotate_count lines[4][LINES_MAX], local[4], global[4];
	uint32_t hot[LINES_MAX];
	struct ptui_line_cycles cycles[LINES_MAX];
	struct ptui_function_cycles all;
};

static const uint8_t code[] = { 0x48, 0x89, 0xe5, 0x90 };

static void make_flow(struct ptui_annotation *a, struct ptui_line *l)
{
	const char *operand = strpbrk(l->text, "@=");

	l->mnemonic = (unsigned)strcspn(l->text, " ");
	l->flow = !strncmp(l->text, "call", 4) ? PTUI_FLOW_CALL :
		  !strncmp(l->text, "jmp", 3)  ? PTUI_FLOW_JUMP :
		  *l->text == 'j'	       ? PTUI_FLOW_BRANCH :
		  !strcmp(l->text, "ret")      ? PTUI_FLOW_RETURN :
						 PTUI_FLOW_NEXT;
	if (!operand)
		return;
	l->has_target = true;
	if (*operand == '@') {
		l->target_line = (uint32_t)atoi(operand + 1);
		l->target_symbol = a->function.symbol;
	} else {
		l->target = 0x2000;
		l->target_symbol = operand + 1;
	}
}

struct ptui_annotation *annotation_made(const char *const *lines)
{
	struct ptui_annotation *a = calloc(1, sizeof(*a));
	uint64_t addr = 0x1000;

	if (!a)
		abort();
	a->function =
		(struct ptui_function){ .symbol = "work", .dso = "prog", .path = "/bin/prog" };
	a->info = (struct ptui_annotation_info){ .file = "/bin/prog",
						 .arch = "x86-64",
						 .start = addr };
	for (; lines[a->n] && a->n < LINES_MAX; a->n++) {
		struct ptui_line *l = &a->lines[a->n];
		const char *colon = strchr(lines[a->n], ':');

		l->text = lines[a->n];
		l->target_line = PTUI_NONE;
		if (!strncmp(l->text, "# ", 2)) {
			l->kind = PTUI_LINE_FUNCTION;
			l->text += 2;
		} else if (*l->text >= '0' && *l->text <= '9' && colon) {
			l->kind = PTUI_LINE_SOURCE;
			l->path = "/src/work.c";
			l->line = (unsigned)atoi(l->text);
			l->text = colon + 2;
			a->info.n_source++;
		} else {
			l->kind = PTUI_LINE_CODE;
			l->addr = l->offset = addr;
			l->bytes = code;
			l->n_bytes = sizeof(code);
			addr += sizeof(code);
			a->info.n_code++;
			make_flow(a, l);
		}
	}
	for (size_t i = 0; i < a->n; i++)
		if (a->lines[i].target_line != PTUI_NONE)
			a->lines[i].target = a->lines[a->lines[i].target_line].addr;
	a->info.end = addr;
	return a;
}

void ptui_annotation_free(struct ptui_annotation *a)
{
	free(a);
}

const struct ptui_function *ptui_annotation_function(const struct ptui_annotation *a)
{
	return &a->function;
}

const struct ptui_annotation_info *ptui_annotation_info(const struct ptui_annotation *a)
{
	return &a->info;
}

size_t ptui_annotation_n_lines(const struct ptui_annotation *a)
{
	return a->n;
}

const struct ptui_line *ptui_annotation_line(const struct ptui_annotation *a, size_t i)
{
	return &a->lines[i];
}

const char *ptui_annotation_inline(const struct ptui_annotation *a, uint32_t i)
{
	(void)a;
	(void)i;
	return "mix";
}

struct ptui_annotate_counts *annotation_made_counts(size_t n_events, uint64_t all,
						    const struct annotation_made_count *v)
{
	struct ptui_annotate_counts *c = calloc(1, sizeof(*c));

	if (!c)
		abort();
	c->n_events = n_events;
	for (size_t e = 0; e < n_events; e++)
		c->global[e] = (struct ptui_annotate_count){ all, all * 10 };
	for (; v->line != PTUI_NONE; v++) {
		c->lines[v->event][v->line] = (struct ptui_annotate_count){ v->samples, v->period };
		c->local[v->event].samples += v->samples;
		c->local[v->event].period += v->period;
	}
	return c;
}

void ptui_annotate_counts_free(struct ptui_annotate_counts *c)
{
	free(c);
}

struct ptui_annotate_count ptui_counts_line(const struct ptui_annotate_counts *c, size_t event,
					    size_t line)
{
	return event < c->n_events ? c->lines[event][line] : (struct ptui_annotate_count){ 0 };
}

struct ptui_annotate_count ptui_counts_local(const struct ptui_annotate_counts *c, size_t event)
{
	return event < c->n_events ? c->local[event] : (struct ptui_annotate_count){ 0 };
}

struct ptui_annotate_count ptui_counts_global(const struct ptui_annotate_counts *c, size_t event)
{
	return event < c->n_events ? c->global[event] : (struct ptui_annotate_count){ 0 };
}

void annotation_made_cycles(struct ptui_annotate_counts *c, size_t line,
			    struct ptui_line_cycles cycles, struct ptui_function_cycles all)
{
	c->cycles[line] = cycles;
	c->all = all;
}

struct ptui_line_cycles ptui_counts_line_cycles(const struct ptui_annotate_counts *c, size_t line)
{
	return c->cycles[line];
}

struct ptui_function_cycles ptui_counts_cycles(const struct ptui_annotate_counts *c)
{
	return c->all;
}

double ptui_counts_percent(const struct ptui_annotate_counts *c, size_t event, size_t line,
			   enum ptui_percent_type type)
{
	struct ptui_annotate_count n = ptui_counts_line(c, event, line);
	bool global = type >= PTUI_PERCENT_GLOBAL_PERIOD;
	struct ptui_annotate_count of = global ? ptui_counts_global(c, event) :
						 ptui_counts_local(c, event);
	bool hits = type == PTUI_PERCENT_LOCAL_HITS || type == PTUI_PERCENT_GLOBAL_HITS;
	uint64_t all = hits ? of.samples : of.period;

	return all ? 100.0 * (double)(hits ? n.samples : n.period) / (double)all : 0;
}

const uint32_t *ptui_counts_hottest(const struct ptui_annotate_counts *counts, size_t event,
				    bool by_samples, size_t *ret_n)
{
	struct ptui_annotate_counts *c = (void *)(uintptr_t)counts;
	bool taken[LINES_MAX] = { false };

	*ret_n = 0;
	if (event >= c->n_events)
		return NULL;
	for (;; ++*ret_n) {
		uint64_t most = 0;

		for (uint32_t i = 0; i < LINES_MAX; i++) {
			const struct ptui_annotate_count *n = &c->lines[event][i];
			uint64_t here = by_samples ? n->samples : n->period;

			if (!taken[i] && here > most) {
				most = here;
				c->hot[*ret_n] = i;
			}
		}
		if (!most)
			return c->hot;
		taken[c->hot[*ret_n]] = true;
	}
}
