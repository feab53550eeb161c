/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The snapshots of one recording, as a person has them in a list: the newest first, named, marked,
 * saved elsewhere, deleted.
 *
 * Takes: what the engine tells of each (struct ptui_snapshot), again and again while it records. Gives:
 * rows, which stay when the recording has gone. Not for files: who deletes or moves one says so here.
 *
 *	engine --snapshots_feed--> rows --get--> a table, by the number they were taken with
 *
 * One thread. Shared by who feeds it and who shows it: the last reference frees it.
 */
#ifndef MODEL_SNAPSHOTS_H
#define MODEL_SNAPSHOTS_H

#include <stdbool.h>
#include <stddef.h>

#include "ptui/record.h"

struct snapshots;

struct snapshots_row {
	size_t number; /* as they were taken, from 1 on */
	struct ptui_snapshot facts; /* its path is not to be used */
	char *path;    /* of its file; NULL: it has none of its own */
	char *name;    /* a person's; NULL: none */
	size_t marked; /* by order; 0: it is not */
	bool saved;    /* a person has put it where it is: nobody but he removes it */
};

struct snapshots *snapshots_new(void); /* NULL: out of memory */
struct snapshots *snapshots_ref(struct snapshots *s);
void snapshots_unref(struct snapshots *s); /* NULL ok */

/*
 * Takes the rows that are new, and takes out those whose files the recorder has removed. `get`: the i-th
 * that was taken, false: there is none yet. Returns how many are new, or -ENOMEM: the others come with
 * the next call.
 */
int snapshots_feed(struct snapshots *s, bool (*get)(void *ctx, size_t i, struct ptui_snapshot *ret),
		   void *ctx);

/* So many were taken at all; so many of them the recorder has removed to make room. */
size_t snapshots_taken(const struct snapshots *s);
size_t snapshots_removed(const struct snapshots *s);
/* The facts of the last that was taken, whatever became of it. False: there is none. */
bool snapshots_last(const struct snapshots *s, struct ptui_snapshot *ret);

/* ---- rows ---- */

size_t snapshots_n(const struct snapshots *s);
/* Until the next call that changes something. The newest is 0. */
const struct snapshots_row *snapshots_get(const struct snapshots *s, size_t row);
/* Where the one of this number is now; SIZE_MAX: it has gone. */
size_t snapshots_find(const struct snapshots *s, size_t number);
/* Has one of them a file? */
bool snapshots_have_files(const struct snapshots *s);

/* "": none. 0, or -ENOMEM: it is called as before. */
int snapshots_name(struct snapshots *s, size_t row, const char *name);
/*
 * Two can be marked: the one that was marked longest gives way to a third. Those without a file cannot:
 * false.
 */
bool snapshots_mark(struct snapshots *s, size_t row);
/*
 * What is to be compared: the two that are marked, or the one and this row. The older one is `before`.
 * False: there are no two.
 */
bool snapshots_pair(const struct snapshots *s, size_t row, size_t *ret_before, size_t *ret_after);
/* Its file is at this path from now on. 0 or -ENOMEM. */
int snapshots_moved(struct snapshots *s, size_t row, const char *path);
/* The file is gone, and so is the row. */
void snapshots_forget(struct snapshots *s, size_t row);

/* ---- texts, translated; all return buf ---- */

/* "key", "signal", "condition" … Not to be freed. */
const char *snapshots_why(enum ptui_snapshot_why why);
/* "#2 gc-pause", "#2" */
char *snapshots_label(const struct snapshots_row *r, char *buf, size_t size);
/*
 * A path to save it at: "perf.data.gc-pause" beside its file, for "perf.data.2026112215120001" that was
 * named gc-pause; without a name, its own path.
 */
char *snapshots_save_path(const struct snapshots_row *r, char *buf, size_t size);
/* Does it say the text somewhere: name, reason, file, number? */
bool snapshots_matches(const struct snapshots_row *r, const char *text);

#endif
