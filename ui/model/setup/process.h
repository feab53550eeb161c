/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The processes that run, to choose one: read from /proc, searched, ordered by the CPU time they
 * took. A later reading tells what each took since the one before.
 */
#ifndef MODEL_SETUP_PROCESS_H
#define MODEL_SETUP_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "ptui/error.h"

struct process {
	pid_t pid;
	uint64_t start;	    /* ticks since boot: with pid, an identity */
	uint64_t cpu_ticks; /* user and system, all threads */
	double cpu_share;   /* since the reading before, 1.0 is one CPU; negative: not known yet */
	unsigned threads;
	uid_t uid;
	char user[32];
	char *name; /* the command line, or "[comm]" */
};

struct processes {
	char *proc; /* the root */
	struct process *v;
	size_t n, cap;
	size_t *shown; /* indexes of those that fit the search */
	size_t n_shown;
	char search[128];
	uint64_t read_ns; /* 0: never */
};

/* `proc` is "/proc" or a test's. 0 or -ENOMEM. Reads nothing yet. */
int processes_init(struct processes *p, const char *proc);
void processes_release(struct processes *p);

/*
 * Reads all that run into `fresh` (empty, of the same root); those that end meanwhile are left out.
 * `now_ns`: monotonic. Any thread: it may take long, since names of users may come from far away.
 */
int processes_scan(struct processes *fresh, uint64_t now_ns, struct ptui_error *err);
/* Shows what was read into `fresh` from now on, with the same search; empties `fresh`. */
void processes_take(struct processes *p, struct processes *fresh);
/* Shows those that have every word of the text in pid, user or name; "" shows all. */
void processes_search(struct processes *p, const char *text);

/* The i-th that is shown. */
const struct process *processes_get(const struct processes *p, size_t i);
/* Where it is shown; SIZE_MAX: it is not. */
size_t processes_find(const struct processes *p, pid_t pid);

/* Does this very process still run? */
bool process_is(const char *proc, pid_t pid, uint64_t start);

/* When the process began, and its name (free() it). False: there is none of this number. */
bool process_identify(const char *proc, pid_t pid, uint64_t *ret_start, char **ret_name);

/* Does `text` have every word of `wanted` in it, whatever the case? */
bool text_has_words(const char *text, const char *wanted);

#endif
