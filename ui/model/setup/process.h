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

/* Columns of the list, and orders. */
enum process_order {
	PROCESSES_BY_PID,
	PROCESSES_BY_USER,
	PROCESSES_BY_CPU, /* recent CPU time, then all of it */
	PROCESSES_BY_TIME,
	PROCESSES_BY_THREADS,
	PROCESSES_BY_NAME,
	PROCESS_ORDERS
};

/* Empty at first, but for `proc`. */
struct processes {
	const char *proc;  /* "/proc" or a test's */
	struct process *v; /* the first n_shown match the search */
	size_t n, n_shown, cap;
	uint64_t read_ns;	  /* 0: never */
	struct ptui_error failed; /* why it was never read */
};

void processes_release(struct processes *p);

/*
 * Reads all processes into `fresh` (empty, same root), or sets `failed`; skips those that exit
 * during that. `now_ns`: monotonic. May run in any thread: looking up user names may be slow.
 */
void processes_scan(struct processes *fresh, uint64_t now_ns);
/* Replaces the list by `fresh`, which is empty then, unless that could not be read. To be arranged. */
void processes_take(struct processes *p, struct processes *fresh);
/* Sorts those that contain all words of `search` in pid, user or name; "": all. */
void processes_arrange(struct processes *p, enum process_order order, const char *search);

/* Reads the process with this pid; free() its name. False: there is none. */
bool process_read(const char *proc, struct process *p);
/* True if this process still runs. */
bool process_is(const char *proc, pid_t pid, uint64_t start);

#endif
