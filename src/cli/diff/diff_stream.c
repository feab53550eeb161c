/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --stream: the hottest callchains of branches in two recordings, in perf's text. A stream is the
 * callchain of a sample with the branches before it (report --branch-history), by source lines:
 *
 *	            cycles: 12, hits: 40.00%	            cycles: 15, hits: 38.00%
 *	         ---------------------------	          --------------------------
 *	                       main work.c:9	                       main work.c:9
 *	                      spin work.c:12	                      spin work.c:12
 *
 * perf prints the part of a chain only that no hotter one begins with.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "base/text.h"
#include "base/vec.h"
#include "cli/diff/diff.h"

#define STREAMS 5
#define WIDTH	35

struct stream {
	char *lines; /* one per frame, the innermost first */
	uint64_t hits, cycles;
	const struct stream *pair; /* of the other file */
};

/* The hottest streams of a file, the hottest first. */
struct streams {
	struct stream v[STREAMS];
	size_t n;
	uint64_t total; /* hits of all callchains */
};

static void streams_release(struct streams *s)
{
	for (size_t i = 0; i < s->n; i++)
		free(s->v[i].lines);
}

/* ---- collecting ---- */

/* The chain that ends in a node, from its root on. */
static void add_chain(const struct ptui_calltree *t, uint32_t at, struct buf *out, uint64_t *cycles)
{
	const struct ptui_callnode *node = ptui_calltree_node(t, at);
	char text[1024];

	if (node->parent != PTUI_NONE)
		add_chain(t, node->parent, out, cycles);
	for (uint32_t i = 0; i < node->n_frames; i++) {
		ptui_calltree_frame(t, node, i, text, sizeof(text));
		text_escape(out, text);
		ptui_calltree_line(t, node, i, text, sizeof(text));
		buf_add_str(out, *text ? " " : "");
		text_escape(out, text);
		buf_add_char(out, '\n');
		*cycles += ptui_calltree_cycles(t, node, i);
	}
}

/* Keeps the stream if it is hot enough. */
static int keep(struct streams *s, const struct ptui_calltree *t, uint32_t node)
{
	struct stream new = { .hits = ptui_calltree_node(t, node)->hits };
	struct buf lines = BUF_INIT;
	size_t at = s->n;

	if (s->n == STREAMS && s->v[STREAMS - 1].hits >= new.hits)
		return 0;
	add_chain(t, node, &lines, &new.cycles);
	if (buf_replace(&lines, &new.lines))
		return -ENOMEM;
	if (s->n == STREAMS)
		free(s->v[--s->n].lines);
	for (at = s->n++; at && s->v[at - 1].hits < new.hits; at--)
		s->v[at] = s->v[at - 1];
	s->v[at] = new;
	return 0;
}

static int collect_row(struct streams *s, struct ptui_hist *h, size_t row, struct ptui_error *err)
{
	struct ptui_calltree *t = ptui_hist_calltree(h, row, 0, err);
	uint32_t *ends = NULL;
	size_t n = 0;
	int ret = -ENOMEM;

	if (!t)
		return -ENOMEM;
	if (ptui_calltree_count(t, h, row, err))
		goto out;
	ends = ptui_calltree_ends(t, 1, &n);
	ret = ends ? 0 : ptui_error_nomem(err);
	for (size_t i = 0; i < n && !ret; i++) {
		s->total += ptui_calltree_node(t, ends[i])->hits;
		if (ptui_calltree_node(t, ends[i])->hits && keep(s, t, ends[i]))
			ret = ptui_error_nomem(err);
	}
out:
	free(ends);
	ptui_calltree_free(t);
	return ret;
}

/* The words of a list as lines. NULL: any, or out of memory with *ret_failed set. */
static char *as_lines(const char *list, bool *ret_failed)
{
	char *ret = list ? strdup(list) : NULL;

	for (char *s = ret; s && *s; s++)
		*s = *s == ',' ? '\n' : *s;
	*ret_failed |= list && !ret;
	return ret;
}

static int collect(struct streams *s, struct ptui_profile *p, uint32_t event, size_t file,
		   const struct diff_filter *f, struct ptui_error *err)
{
	bool failed = false;
	char *comms = as_lines(f->comms, &failed), *dsos = as_lines(f->dsos, &failed);
	char *symbols = as_lines(f->symbols, &failed);
	struct ptui_hist_opts opts = {
		.event = event,
		.fields = "overhead", /* one row */
		.chain_key = PTUI_CHAIN_SRCLINE,
		.chain_counts = true,
		.inlines = PTUI_INLINES_OFF,
		.order = PTUI_CALLEE,
		.filter = { .comms = comms,
			    .dsos = dsos,
			    .symbols = symbols,
			    .cpus = f->cpus,
			    .tids = f->tids,
			    .pids = f->pids,
			    .times = f->times_of ? f->times_of[file] : f->times },
	};
	struct ptui_hist *h = failed ? NULL : ptui_hist_new(p, &opts, err);
	int ret = h ? 0 : -ENOMEM;

	if (failed)
		ptui_error_nomem(err);
	for (size_t i = 0; h && i < ptui_hist_n_rows(h) && !ret; i++)
		ret = collect_row(s, h, i, err);
	ptui_hist_free(h);
	free(comms);
	free(dsos);
	free(symbols);
	return ret;
}

static void match(struct streams *s)
{
	for (size_t i = 0; i < s[0].n; i++) {
		for (size_t k = 0; k < s[1].n && !s[0].v[i].pair; k++) {
			if (s[1].v[k].pair || strcmp(s[0].v[i].lines, s[1].v[k].lines) != 0)
				continue;
			s[0].v[i].pair = &s[1].v[k];
			s[1].v[k].pair = &s[0].v[i];
		}
	}
}

/* ---- text ---- */

static void add_right(struct buf *out, const char *text, size_t n)
{
	buf_add_spaces(out, n < WIDTH ? WIDTH - n : 0);
	buf_add(out, text, n);
}

/* A line of the left column, then of the right one; NULL: there is no such column. */
static void add_line(struct buf *out, const char *left, const char *right, size_t n)
{
	if (left)
		add_right(out, left, n);
	else
		buf_add_spaces(out, WIDTH);
	if (right) {
		buf_add_char(out, '\t');
		add_right(out, right, n);
	}
	buf_add_char(out, '\n');
}

static void add_stream(struct buf *out, const struct streams *s, const struct stream *left,
		       const struct stream *right)
{
	const struct stream *of[2] = { left, right };
	const char *lines = left ? left->lines : right->lines;
	char head[2][64];

	for (size_t i = 0; i < 2; i++)
		if (of[i])
			snprintf(head[i], sizeof(head[i]), "cycles: %" PRIu64 ", hits: %.2f%%",
				 of[i]->cycles, 100.0 * (double)of[i]->hits / (double)s[i].total);
	for (size_t i = 0; i < 2; i++) {
		if (i && right)
			buf_add_char(out, '\t');
		if (of[i])
			add_right(out, head[i], strlen(head[i]));
		else if (!i)
			buf_add_spaces(out, WIDTH);
	}
	buf_add_char(out, '\n');
	if (left && right)
		buf_addf(out, "%*s\t%*s\n", WIDTH, "---------------------------", WIDTH,
			 "--------------------------");
	else
		buf_addf(out, "%*s%s%*s\n", left ? 0 : WIDTH, "", left ? "" : "\t", WIDTH,
			 "--------------------------");
	for (const char *at = lines; *at; at += strcspn(at, "\n") + 1)
		add_line(out, left ? at : NULL, right ? at : NULL, strcspn(at, "\n"));
}

static void print(const struct streams *s, struct buf *out)
{
	size_t n = 0;

	buf_add_str(out, "[ Matched hot streams ]\n");
	for (size_t i = 0; i < s[0].n; i++) {
		if (!s[0].v[i].pair)
			continue;
		buf_addf(out, "\nhot chain pair %zu:\n", ++n);
		add_stream(out, s, &s[0].v[i], s[0].v[i].pair);
	}
	for (size_t file = 0; file < 2; file++) {
		buf_addf(out, "\n[ Hot streams in %s perf data only ]\n", file ? "new" : "old");
		n = 0;
		for (size_t i = 0; i < s[file].n; i++) {
			const struct stream *one = &s[file].v[i];

			if (one->pair)
				continue;
			buf_addf(out, "\nhot chain %zu:\n", ++n);
			add_stream(out, s, file ? NULL : one, file ? one : NULL);
		}
	}
}

int diff_streams(struct ptui_profile *const profiles[2], const uint32_t events[2],
		 const struct diff_filter *filter, struct buf *out, struct ptui_error *err)
{
	struct streams s[2] = { 0 };
	int ret = 0;

	for (size_t i = 0; i < 2 && !ret; i++)
		ret = collect(&s[i], profiles[i], events[i], i, filter, err);
	if (!ret) {
		match(s);
		print(s, out);
		ret = out->err ? ptui_error_nomem(err) : 0;
	}
	streams_release(&s[0]);
	streams_release(&s[1]);
	return ret;
}
