/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The snapshots of one recording, as a person has them in a list: the newest first, named, marked,
 * saved elsewhere, deleted.
 *
 * Takes: what the engine tells of each (struct ptui_snapshot), again and again while it records. Gives:
 * rows, which stay when the recording has gone. Not for files: who deletes or moves one says so here.
 *
 *	engine --snapshot_list_feed--> rows --get--> a table, by the number they were taken with
 *
 * One thread. Shared by who feeds it and who shows it: the last reference frees it.
 */
#ifndef MODEL_SNAPSHOTS_SNAPSHOTS_H
#define MODEL_SNAPSHOTS_SNAPSHOTS_H

#include <stdbool.h>
#include <stddef.h>

#include "ptui/record.h"

#define SNAPSHOT_ROWS_MAX 1000

struct snapshot_list;

struct snapshot_row {
	size_t number;		    /* as they were taken, from 1 on */
	struct ptui_snapshot facts; /* its path is not to be used */
	char *path;		    /* of its file; NULL: it has none of its own */
	char *name;		    /* a person's; NULL: none */
	char *when; /* the condition that came true; NULL: that was not the reason, or it is not known */
	size_t marked; /* by order; 0: it is not */
	bool saved;    /* a person has put it where it is: nobody but he removes it */
	unsigned tab;  /* in which it was opened last; the screens' own */
};

struct snapshot_list *snapshot_list_new(void); /* NULL: out of memory */
struct snapshot_list *snapshot_list_ref(struct snapshot_list *s);
void snapshot_list_unref(struct snapshot_list *s); /* NULL ok */

/*
 * Takes the rows that are new, and takes out those whose files the recorder has removed. `get`: the i-th
 * that was taken, false: there is none yet. `when`: the condition that is armed; NULL: none. Of more than
 * SNAPSHOT_ROWS_MAX the oldest rows leave. Returns how many are new, or -ENOMEM: the others come with the next call.
 */
int snapshot_list_feed(struct snapshot_list *s,
		       bool (*get)(void *ctx, size_t i, struct ptui_snapshot *ret), void *ctx,
		       const char *when);

/* So many were taken at all; so many of them the recorder has removed to make room. */
size_t snapshot_list_taken(const struct snapshot_list *s);
size_t snapshot_list_removed(const struct snapshot_list *s);
/* The facts of the last that was taken, whatever became of it. False: there is none. */
bool snapshot_list_last(const struct snapshot_list *s, struct ptui_snapshot *ret);

/* ---- rows ---- */

size_t snapshot_list_n(const struct snapshot_list *s);
/* Until the next call that changes something. The newest is 0. */
const struct snapshot_row *snapshot_list_get(const struct snapshot_list *s, size_t row);
/* Where the one of this number is now; SIZE_MAX: it has gone. */
size_t snapshot_list_find(const struct snapshot_list *s, size_t number);
/* Has one of them a file? */
bool snapshot_list_have_files(const struct snapshot_list *s);

/* "": none. 0, or -ENOMEM: it is called as before. */
int snapshot_list_name(struct snapshot_list *s, size_t row, const char *name);
/*
 * Two can be marked: the one that was marked longest gives way to a third. Those without a file cannot:
 * false.
 */
bool snapshot_list_mark(struct snapshot_list *s, size_t row);
/*
 * What is to be compared: the two that are marked, or the one and this row. The older one is `before`.
 * False: there are no two.
 */
bool snapshot_list_pair(const struct snapshot_list *s, size_t row, size_t *ret_before,
			size_t *ret_after);
void snapshot_list_set_tab(struct snapshot_list *s, size_t row, unsigned tab);
/* Its file is at this path from now on. 0 or -ENOMEM. */
int snapshot_list_moved(struct snapshot_list *s, size_t row, const char *path);
/* The file is gone, and so is the row. */
void snapshot_list_forget(struct snapshot_list *s, size_t row);

/* ---- texts, translated; all return buf ---- */

/* "key", "signal", "condition" … Not to be freed. */
const char *snapshot_list_why(enum ptui_snapshot_why why);
/* The same of a row, or its condition. */
const char *snapshot_list_reason(const struct snapshot_row *r);
/* "#2 gc-pause", "#2" */
char *snapshot_list_label(const struct snapshot_row *r, char *buf, size_t size);
/*
 * A path to save it at: "perf.data.gc-pause" beside its file, for "perf.data.2026112215120001" that was
 * named gc-pause; without a name, its own path.
 */
char *snapshot_list_save_path(const struct snapshot_row *r, char *buf, size_t size);
/* Does it say the text somewhere: name, reason, file, number? */
bool snapshot_list_matches(const struct snapshot_row *r, const char *text);

#endif
