/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * List of running processes to choose from: read from /proc, searched, sorted; at first by recent CPU
 * time, which is known after the second reading.
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
	uint64_t start;	    /* ticks since boot; identifies the process together with pid */
	uint64_t cpu_ticks; /* user and system, all threads */
	double cpu_share;   /* since the last reading, 1.0 is one CPU; negative: unknown yet */
	unsigned threads;
	uid_t uid;
	char user[32];
	char *name; /* the command line, or "[comm]" */
	bool fits;  /* matches the search */
};

enum process_order {
	PROCESSES_BY_CPU, /* recent CPU time, then all of it */
	PROCESSES_BY_TIME,
	PROCESSES_BY_THREADS,
	PROCESSES_BY_USER,
	PROCESSES_BY_NAME,
	PROCESSES_BY_PID,
	PROCESS_ORDERS
};

/* Empty at first, but for `proc`. */
struct processes {
	const char *proc; /* "/proc" or a test's */
	enum process_order order;
	struct process *v; /* those that match the search first */
	size_t n, n_shown, cap;
	char search[128];
	uint64_t read_ns; /* 0: never */
};

void processes_release(struct processes *p);

/*
 * Reads all processes into `fresh` (empty, same root); skips those that exit meanwhile. `now_ns`:
 * monotonic. May run in any thread: looking up user names may be slow.
 */
int processes_scan(struct processes *fresh, uint64_t now_ns, struct ptui_error *err);
/* Replaces the list by `fresh`, with the same search; empties `fresh`. */
void processes_take(struct processes *p, struct processes *fresh);
/* Sorts them, and those that are read later. */
void processes_sort(struct processes *p, enum process_order order);
/* Shows processes that contain all words in pid, user or name; "" shows all. */
void processes_search(struct processes *p, const char *text);

/* The i-th visible one; NULL: there are fewer. */
const struct process *processes_get(const struct processes *p, size_t i);
/* Its position; SIZE_MAX: hidden. */
size_t processes_find(const struct processes *p, pid_t pid);

/* True if this process still runs. */
bool process_is(const char *proc, pid_t pid, uint64_t start);

/* Start time and name (free() it) of a process. False: no such process. */
bool process_identify(const char *proc, pid_t pid, uint64_t *ret_start, char **ret_name);

#endif
