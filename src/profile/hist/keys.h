/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The keys of -s and -F. A key either identifies rows (comm, dso, sym …) or measures them
 * (overhead, sample …). A new key is a row of the table in keys.c, or
 * in that of the keys of its kind (keys_*.c).
 */
#ifndef PROFILE_KEYS_H
#define PROFILE_KEYS_H

#include "profile/profile.h"

#define HIST_KEYS_MAX	 96 /* at least as many as there are keys */
#define HIST_FIELDS_MAX	 32 /* keys by fields of tracepoints in a plan */
#define HIST_NO_LEVEL	 (~0U)
#define HIST_UNKNOWN_DSO "[unknown]"

/* What a key needs of a sample besides comm, frame and stack. */
enum {
	KEY_NEEDS_THREAD = 1 << 0,
	KEY_NEEDS_CPU = 1 << 1,
	KEY_NEEDS_LINES = 1 << 2, /* source lines, with KEY_NEEDS_ADDRESS */
	KEY_NEEDS_TIME = 1 << 3,
	KEY_NEEDS_PARENT = 1 << 4,
	KEY_NEEDS_EXTRA = 1 << 5,
	KEY_NEEDS_ADDRESS = 1 << 6, /* the address itself, not only the function */
	KEY_NEEDS_CLASSES = 1 << 7, /* the classes of a row, when its cells are made */
	KEY_NEEDS_PLAIN = 1 << 8,   /* names of commands without digits */
	KEY_NEEDS_CYCLES = 1 << 9,  /* hist_set_ipc() */
	KEY_NEEDS_TYPES = 1 << 10,  /* types of data, with KEY_NEEDS_ADDRESS */
	/* facets.h */
	KEY_NEEDS_FACET = KEY_NEEDS_CPU | KEY_NEEDS_TIME | KEY_NEEDS_PARENT | KEY_NEEDS_EXTRA,
};

/* The part of a sample or a row that keys use. */
struct hist_item {
	uint32_t comm, frame, thread, facet;
};

struct hist_row {
	struct hist_item item; /* thread: of the first sample by time */
	uint64_t period, period_children, samples;
	uint32_t n_chains;	 /* classes with a stack that adds to it */
	uint32_t max_depth : 31; /* of their chains */
	uint32_t
		called : 1; /* with addresses: item.frame is a caller, with its address in the process */
	union {
		struct {
			uint32_t first_cls; /* by time */
			uint32_t pair;	    /* see hist_group.pairs */
		};
		uint64_t
			age; /* of its first class by time, while rows are built: see row_builder.h */
	};
	uint32_t first_self; /* class of its own samples, see hist_class.next_self */
	uint32_t first_node; /* one of its nodes, see hist_tree.next_same; PTUI_NONE: it has none */
};
_Static_assert(sizeof(struct hist_row) == 64, "a cache line");

struct ptui_hist;

struct hist_key {
	const char *name;
	const char *title;
	const char *help; /* in a few words, for lists of the keys */
	bool number;	  /* right-aligned */
	bool padded; /* padded to the column's width even if it is the last column, as in perf */
	unsigned needs;
	unsigned width; /* in columns, at least that of the title; 0: that of the widest cell */
	bool of_frame; /* value() looks at the frame only, and has 32 bits; else not at the frame */
	/* Identity of the item under this key; NULL: the key measures. */
	uint64_t (*value)(const struct ptui_hist *h, const struct hist_item *item);
	/* > 0: a comes before b; 0: equal by this key. */
	int (*compare)(const struct ptui_hist *h, const struct hist_row *a,
		       const struct hist_row *b);
	/*
	 * The same order as values, the first row's being the smallest: one for each row of the
	 * histogram. 0 or -ENOMEM.
	 */
	int (*order)(const struct ptui_hist *h, uint64_t *ret);
	/* The cell; `ret` is a text without prefix and id before. */
	void (*cell)(const struct ptui_hist *h, const struct hist_row *row, struct ptui_cell *ret);
	unsigned extra; /* PTUI_EXTRA_... that it needs; 0: none */
	/* Columns that a cell counts for the width of the column, as in perf; NULL: those of its text. */
	size_t (*cell_width)(const struct ptui_hist *h, const struct hist_row *row);
	/*
	 * A number that is equal for rows whose cells have equal widths, so that one of them is measured; NULL:
	 * the cell's id.
	 */
	uint32_t (*width_class)(const struct ptui_hist *h, const struct hist_row *row);
};

static inline void hist_key_cell(const struct hist_key *key, const struct ptui_hist *h,
				 const struct hist_row *row, struct ptui_cell *ret)
{
	ret->kind = PTUI_CELL_TEXT;
	ret->text = "";
	ret->id = PTUI_NONE;
	ret->prefix[0] = ret->suffix[0] = '\0';
	key->cell(h, row, ret);
}

/* Text of the cell; returns as snprintf(). */
int hist_key_print(const struct hist_key *key, const struct ptui_hist *h,
		   const struct hist_row *row, char *buf, size_t size);

/* By name or, as in perf, by prefix; NULL: none. */
const struct hist_key *hist_key_find(const char *name, size_t len);
const struct hist_key *hist_key_at(size_t i); /* NULL at the end */
/* The key of plan.fields[i], and i of such a key; -1: another key. */
const struct hist_key *hist_key_field(size_t i);
int hist_key_field_index(const struct hist_key *key);

extern const struct hist_key *const hist_key_overhead;
extern const struct hist_key *const hist_key_sys;
extern const struct hist_key *const hist_key_us;
extern const struct hist_key *const hist_key_children;
extern const struct hist_key *const hist_key_latency;
extern const struct hist_key *const hist_key_latency_children;
extern const struct hist_key *const hist_key_sample;
extern const struct hist_key *const hist_key_period;
extern const struct hist_key *const hist_key_comm;
extern const struct hist_key *const hist_key_dso;
extern const struct hist_key *const hist_key_symbol;
extern const struct hist_key *const hist_key_thread;
extern const struct hist_key *const hist_key_time;
extern const struct hist_key hist_key_own_addr; /* addr without rows of callers; in no list */

/* Where keys that are fields of tracepoints are looked for. */
struct hist_scope {
	const struct ptui_profile *profile; /* NULL: not loaded yet */
	uint32_t event;			    /* PTUI_NONE: all */
};

/* A field of a tracepoint as a key: hist_key_field(i). */
struct hist_field {
	uint32_t field;	  /* in profile.trace.fields */
	bool raw;	  /* as in the payload, not as in its text */
	const char *word; /* of the list that named it; only while the plan is made */
	size_t word_len;
};

/* The keys that a view sorts by, and those that it shows. */
struct hist_plan {
	const struct hist_key *sort[HIST_KEYS_MAX];
	unsigned level
		[HIST_KEYS_MAX]; /* of the sort keys, in a hierarchy, from 0; HIST_NO_LEVEL: a measure */
	size_t n_sort;
	const struct hist_key *show[HIST_KEYS_MAX];
	size_t n_show;
	unsigned needs;
	unsigned extras; /* PTUI_EXTRA_... */
	struct hist_field fields[HIST_FIELDS_MAX];
	size_t n_fields;
	bool other_fields; /* some were named that this event may not have */
	bool fields_last;  /* the last key that was named is a field */
	uint32_t
		extra_field; /* one for which there was no room, in profile.trace.fields; PTUI_NONE: none */
};

/* The place among the sort keys of one that is shown. */
unsigned hist_plan_place(const struct hist_plan *plan, const struct hist_key *key);
bool hist_plan_has(const struct hist_plan *plan, const struct hist_key *key); /* sorted by it */

/* Columns besides the default ones. */
struct hist_columns {
	bool children, modes, samples, period; /* modes: sys and usr */
};

/*
 * From -s, -F and the options for columns, by perf's rules; `mode` has the default of -s. Fields of tracepoints are keys if there is a `scope`. 0, or -EINVAL with `err` set.
 */
int hist_plan_make(struct hist_plan *plan, enum ptui_mode mode, const struct hist_scope *scope,
		   const char *sort, const char *fields, const struct hist_columns *columns,
		   struct ptui_error *err);
/*
 * Adds the keys that a word names as fields of tracepoints: those of the scope's event. False: no event has
 * such a field.
 */
bool hist_plan_add_fields(struct hist_plan *plan, const struct hist_scope *scope, const char *word,
			  size_t len, const struct hist_key **keys, size_t *n);
/* Appends a key once. */
void hist_keys_add(const struct hist_key **keys, size_t *n, const struct hist_key *key);

#endif
