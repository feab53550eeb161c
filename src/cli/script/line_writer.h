/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread that writes the lines of samples. One thread reads the samples and finds the module of each
 * address; the other finds the function, makes the text and prints it.
 *
 *   text:   cc 12 8.123456: cycles: payload \n       cc 12 8.123481: cycles: payload \n
 *   items:  ^------- start -------'           ^ ^ ^   ^                               ^ ^
 *                                             module, offset: a line each
 */
#ifndef CLI_SCRIPT_LINE_WRITER_H
#define CLI_SCRIPT_LINE_WRITER_H

#include <errno.h>

#include "base/vec.h"
#include "cli/script/script.h"

/* Instead of a module. LINE_GAP is PTUI_NONE, as in address_ranges. */
enum {
	LINE_GAP = UINT32_MAX,
	LINE_ADDRESS = UINT32_MAX - 2, /* an address of which nothing is known */
	LINE_PLACE = UINT32_MAX - 3,   /* off: index in `places`, for the items that follow */
	LINE_KEEP = UINT32_MAX - 4,    /* a text that is used again begins */
	LINE_KEPT = UINT32_MAX - 5,    /* and ends; off: its slot */
	LINE_USE = UINT32_MAX - 6,     /* that text */
	LINE_FORGET = UINT32_MAX - 7,  /* all of them */
	LINE_START = UINT32_MAX - 8,   /* off: index in `starts` */
	LINE_MODULES = UINT32_MAX - 9, /* modules are less */
};

struct line_item {
	uint64_t addr, off;
	uint32_t module;
	uint32_t text; /* how much of the text is before it */
};

struct line_place {
	struct chain_place at;
	const struct script_event *event;
};

struct line_start {
	struct script_start start;
	const struct script_event *event;
	uint64_t period;
};

struct line_batch {
	struct buf text; /* what the first thread has made */
	struct line_item *items;
	size_t n, cap;
	struct line_place *places;
	size_t n_places, cap_places;
	struct line_start *starts;
	size_t n_starts, cap_starts;
};

struct line_writer {
	struct line_batch *batch; /* that is being filled, except for its text: that is s->out */
	bool *mapped;		  /* by module: the resolver knows that it is */
	size_t cap_mapped;
};

/* Without memory, there is no thread. Text that was printed before belongs to the first batch. */
void line_writer_start(struct script *s);
/* Writes what is left. 0, or a negative errno. NULL ok. */
int line_writer_finish(struct script *s);
/* Gives the batch to the thread. */
int line_writer_give(struct script *s);
/* The texts that are used again have become too many. */
bool line_writer_wants_forget(struct line_writer *w);

/* Whether this is the first address in a module. */
bool line_writer_is_new(struct script *s, uint32_t module);

/* Whether the batch should be given, at the end of a record. */
static inline bool line_writer_is_full(const struct script *s)
{
	return s->writer->batch->n >= 8192 || s->out.len >= (size_t)256 << 10;
}

/* Room for n items, which line_writer_added() then counts; NULL: no memory. */
static inline struct line_item *line_writer_room(struct script *s, size_t n)
{
	struct line_batch *b = s->writer->batch;

	return b->cap - b->n < n && vec_grow(&b->items, &b->cap, b->n + n) ? NULL : b->items + b->n;
}

static inline void line_writer_added(struct script *s, const struct line_item *end)
{
	s->writer->batch->n = (size_t)(end - s->writer->batch->items);
}

/* 0 or -ENOMEM. */
static inline int line_writer_add(struct script *s, uint32_t module, uint64_t addr, uint64_t off)
{
	struct line_batch *b = s->writer->batch;

	if (b->n == b->cap && vec_grow(&b->items, &b->cap, b->n + 1))
		return -ENOMEM;
	b->items[b->n++] = (struct line_item){ addr, off, module, (uint32_t)s->out.len };
	return 0;
}

/* The addresses that follow are there. 0 or -ENOMEM. */
static inline int line_writer_place(struct script *s, const struct script_event *e,
				    const struct chain_place *at)
{
	struct line_batch *b = s->writer->batch;

	if (b->n_places == b->cap_places && vec_grow(&b->places, &b->cap_places, b->n_places + 1))
		return -ENOMEM;
	b->places[b->n_places] = (struct line_place){ *at, e };
	b->places[b->n_places].at.ranges = NULL; /* the reader's */
	return line_writer_add(s, LINE_PLACE, 0, b->n_places++);
}

/* The line of a sample begins; its start is to be set. NULL: no memory. */
static inline struct script_start *line_writer_begin(struct script *s, const struct script_event *e,
						     uint64_t period)
{
	struct line_batch *b = s->writer->batch;

	if ((b->n_starts == b->cap_starts &&
	     vec_grow(&b->starts, &b->cap_starts, b->n_starts + 1)) ||
	    line_writer_add(s, LINE_START, 0, b->n_starts))
		return NULL;
	b->starts[b->n_starts].event = e;
	b->starts[b->n_starts].period = period;
	return &b->starts[b->n_starts++].start;
}

#endif
