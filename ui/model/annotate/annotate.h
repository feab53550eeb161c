/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An annotated function as rows: which lines are shown, and their texts.
 *
 *	annotation, jumps --> struct annotate_code (shared with the threads that count)
 *	code, counts, look --> struct annotate: rows
 *
 *	 12.30   2.10  ┌──    ↓ jmp    38		a row: numbers by event, arrows, label, code
 *	               │         if (i & 1)
 *	               └─▸ 38:   test   $0x1,%sil
 *
 * A row is a visible line of the annotation; "line" is an index into its lines.
 */
#ifndef MODEL_ANNOTATE_ANNOTATE_H
#define MODEL_ANNOTATE_ANNOTATE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/annotate/annotate_jumps.h"
#include "ptui/annotate.h"

#define ANNOTATE_EVENTS_MAX 8 /* columns */
#define ANNOTATE_NAME_MAX   64

/* ---- code: immutable ---- */

struct annotate_code {
	atomic_uint refs;
	struct ptui_annotation *annotation;
	struct annotate_jumps jumps;
	int bytes_width, jump_count_width; /* of the widest */
};

/* Owns the annotation, also on failure. NULL: out of memory. */
struct annotate_code *annotate_code_new(struct ptui_annotation *a);
/* Thread-safe. */
struct annotate_code *annotate_code_ref(struct annotate_code *c);
void annotate_code_unref(struct annotate_code *c); /* NULL ok */

/* ---- the look ---- */

enum annotate_numbers { ANNOTATE_PERCENT, ANNOTATE_PERIOD, ANNOTATE_SAMPLES, N_ANNOTATE_NUMBERS };
/* The addresses beside the code. */
enum annotate_places {
	ANNOTATE_OFFSETS,   /* offsets in the function, operands shortened */
	ANNOTATE_ADDRESSES, /* as objdump prints them */
	ANNOTATE_BYTES,	    /* and the bytes of the instruction */
	N_ANNOTATE_PLACES
};
/* Which instructions have an offset. */
enum annotate_offsets {
	ANNOTATE_AT_TARGETS,
	ANNOTATE_AT_CALLS, /* and targets */
	ANNOTATE_AT_ALL,
	N_ANNOTATE_OFFSETS
};
enum annotate_arrows {
	ANNOTATE_ONE_ARROW,
	ANNOTATE_ALL_ARROWS,
	ANNOTATE_NO_ARROWS,
	N_ANNOTATE_ARROWS
};

/* What is known about cycles, from branch stacks. */
enum annotate_cycles {
	ANNOTATE_CYCLES,
	ANNOTATE_CYCLES_RANGE,
	ANNOTATE_NO_CYCLES,
	N_ANNOTATE_CYCLES
};

/* Values of these, or 0 and 1. All zero: perf's. */
struct annotate_look {
	unsigned numbers, places, offsets, arrows, cycles;
	unsigned global, by_samples; /* what percentages are of */
	unsigned no_source, line_numbers, paths;
	unsigned full_addresses; /* instead of offsets */
	unsigned jump_counts;
};

/* ---- rows ---- */

struct annotate_event {
	char name[ANNOTATE_NAME_MAX];
	uint32_t event; /* index in the counts */
};

/* Read-only outside of the model. */
struct annotate {
	struct annotate_code *code;
	struct ptui_annotate_counts *counts;
	struct annotate_event events[ANNOTATE_EVENTS_MAX];
	size_t n_events;
	struct annotate_look look;
	uint32_t *rows; /* lines */
	size_t n_rows;
};

/*
 * Takes a reference to the code and owns the counts, also on failure. `events`: the columns, the
 * first is the one whose hottest instructions are found. NULL: out of memory.
 */
struct annotate *annotate_new(struct annotate_code *code, struct ptui_annotate_counts *counts,
			      const struct annotate_event *events, size_t n_events);
void annotate_free(struct annotate *a); /* NULL ok */
/* Newer counts of the same code, owned from now on, and the columns then. */
void annotate_set_counts(struct annotate *a, struct ptui_annotate_counts *counts,
			 const struct annotate_event *events, size_t n_events);

/* Rows follow. 0, or -ENOMEM with nothing changed. */
int annotate_set_look(struct annotate *a, const struct annotate_look *look);

/* Samples of the function and of all. */
struct ptui_annotate_count annotate_local(const struct annotate *a, size_t column);
struct ptui_annotate_count annotate_global(const struct annotate *a, size_t column);
/* "local period", translated. */
const char *annotate_percent_type(const struct annotate *a);

uint32_t annotate_line_of(const struct annotate *a, size_t row);
/* The row of a line; of a hidden one the next row. */
size_t annotate_row_of(const struct annotate *a, uint32_t line);
/* The first line of code; PTUI_NONE: there is none. */
uint32_t annotate_first_code(const struct annotate *a);

/* ---- texts of a line ---- */

/* The number of a column: "12.30", "1,204"; "" without samples. *ret_percent: for its colour. */
const char *annotate_number(const struct annotate *a, uint32_t line, size_t column, char *buf,
			    size_t size, double *ret_percent);
/* "IPC 1.25 for 60% of the code"; "" if no cycles are known. */
const char *annotate_ipc_summary(const struct annotate *a, char *buf, size_t size);
/* What is beside a line of code, and the code. */
enum annotate_place {
	PLACE_IPC,    /* "1.25": instructions per cycle of the block */
	PLACE_CYCLES, /* "24", "24 (12/80)": mean cycles of the block that ends here */
	PLACE_ARROWS,
	PLACE_COUNT, /* "4": jumps to this line */
	PLACE_LABEL, /* "38:", or the number of a source line */
	PLACE_BYTES, /* "48 89 e5" */
	PLACE_CODE,  /* "↓ jmp    38"; source with expanded tabs */
	N_PLACES
};
/* "": nothing. `cursor`: the line under the cursor. Returns buf, of at least ANNOTATE_ARROW_MAX. */
const char *annotate_place(const struct annotate *a, enum annotate_place place, uint32_t line,
			   uint32_t cursor, char *buf, size_t size);
/* Its columns of the terminal; 0: it is not shown. */
int annotate_place_width(const struct annotate *a, enum annotate_place place);
/* "hot.c:9 · mix, inlined into work": where the code of the line is from; "" if unknown. */
const char *annotate_origin(const struct annotate *a, uint32_t line, char *buf, size_t size);
bool annotate_matches(const struct annotate *a, uint32_t line, const char *text);

int annotate_number_width(const struct annotate *a, size_t column);
/* Of one event it says what is shown, of several which event. */
const char *annotate_column_title(const struct annotate *a, size_t column);
/* "Percent", "Period", "Samples", translated. */
const char *annotate_number_title(const struct annotate *a);

/* ---- moving ---- */

/* PTUI_NONE: no samples. */
uint32_t annotate_hottest(const struct annotate *a);
/* The next less hot (+1) or hotter (-1) instruction, wrapping around; PTUI_NONE: no samples. */
uint32_t annotate_next_hot(const struct annotate *a, uint32_t line, int direction);

#endif
