/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The list of snapshots of one recording: newest first, named, marked, saved elsewhere, deleted.
 * Updated repeatedly from the engine (struct ptui_snapshot) while recording; the rows stay after
 * the recording has ended. Does not access files: callers that delete or move one report it here.
 *
 *	engine --snapshot_list_update--> rows --get--> a table, by snapshot number
 *
 * Not thread-safe. Reference counted.
 */
#ifndef MODEL_SNAPSHOTS_SNAPSHOTS_H
#define MODEL_SNAPSHOTS_SNAPSHOTS_H

#include <stdbool.h>
#include <stddef.h>

#include "ptui/record.h"

#define SNAPSHOT_ROWS_MAX 1000

struct snapshot_row {
	size_t number;		    /* in the order taken, from 1 */
	struct ptui_snapshot facts; /* its path must not be used */
	char *path;		    /* of its file; NULL: no file of its own */
	char *name;		    /* given by the user; NULL: none */
	char *when;    /* the condition that triggered it; NULL: another reason, or unknown */
	size_t marked; /* order of marking; 0: not marked */
	bool saved;    /* moved by the user: never removed automatically */
	unsigned tab;  /* tab in which it was opened last; for the screens */
};

struct snapshot_list {
	unsigned refs;
	struct snapshot_row *rows; /* oldest first */
	size_t n, room;
	size_t taken, removed;	   /* in total; files removed by the recorder */
	struct ptui_snapshot last; /* of all that were taken; without its path */
	size_t marks;		   /* number of marks made so far: their order */
};

struct snapshot_list *snapshot_list_new(void); /* NULL: out of memory */
struct snapshot_list *snapshot_list_ref(struct snapshot_list *s);
void snapshot_list_unref(struct snapshot_list *s); /* NULL ok */

/*
 * Adds new rows, and removes those whose files the recorder has removed. `get`: the i-th snapshot,
 * false: none yet. `when`: the armed condition; NULL: none. Beyond SNAPSHOT_ROWS_MAX the oldest
 * rows are dropped. Returns the number of new rows, or -ENOMEM: the others follow with the next
 * call.
 */
int snapshot_list_update(struct snapshot_list *s,
			 bool (*get)(void *ctx, size_t i, struct ptui_snapshot *ret), void *ctx,
			 const char *when);

/* ---- rows: valid until the next change ---- */

/* 0 is the newest. NULL: there are fewer. */
struct snapshot_row *snapshot_list_get(const struct snapshot_list *s, size_t row);
/* The row of this number; NULL: gone. */
struct snapshot_row *snapshot_list_find(const struct snapshot_list *s, size_t number);
/* How many have a file. */
size_t snapshot_list_files(const struct snapshot_list *s);

/* "": none. 0, or -ENOMEM with the name unchanged. */
int snapshot_row_name(struct snapshot_row *r, const char *name);
/* Toggles a mark. False: it has no file. */
bool snapshot_list_mark(struct snapshot_list *s, struct snapshot_row *r);
/*
 * The rows to be merged, the oldest first: the marked ones; if one is marked, it and this row (may
 * be NULL); if none is, all with files. `ret` has room for all rows. Returns their number, which may
 * be less than two.
 */
size_t snapshot_list_merged(const struct snapshot_list *s, const struct snapshot_row *with,
			    const struct snapshot_row **ret);
/*
 * The pair to compare, the older one first: the two rows marked last, or the marked one and this row
 * (may be NULL). False: no pair.
 */
bool snapshot_list_pair(const struct snapshot_list *s, struct snapshot_row *r,
			struct snapshot_row *ret[2]);
/* Its file was moved to this path. 0 or -ENOMEM. */
int snapshot_row_moved(struct snapshot_row *r, const char *path);
/* Removes the row of a deleted file. */
void snapshot_list_forget(struct snapshot_list *s, struct snapshot_row *r);

/* ---- texts, translated; all return buf ---- */

/* "key", "signal", "condition" … Static. */
const char *snapshot_list_why(enum ptui_snapshot_why why);
/* The same for a row, or its condition. */
const char *snapshot_list_reason(const struct snapshot_row *r);
/* "#2 gc-pause", "#2" */
char *snapshot_list_label(const struct snapshot_row *r, char *buf, size_t size);
/*
 * A path to save it at: "perf.data.gc-pause" next to its file, for "perf.data.2026112215120001"
 * named gc-pause; without a name, its own path.
 */
char *snapshot_list_save_path(const struct snapshot_row *r, char *buf, size_t size);
/* True if name, reason, file or number contain the text. */
bool snapshot_list_matches(const struct snapshot_row *r, const char *text);

#endif
