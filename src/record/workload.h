/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command that is recorded: forked early and held, so that its counters stand before its
 * first instruction; let go late.
 *
 *	us                          child
 *	fork  ------------------->  read(go socket) ...
 *	open counters on its pid
 *	start: a byte ----------->  execvp()
 *	read(exec pipe) <---------  closed by the exec: it runs; or an errno: it does not
 *
 * It gets the signal mask and dispositions of the thread that forks it, the limits of this
 * process at that time, and stays in the terminal's process group.
 */
#ifndef RECORD_WORKLOAD_H
#define RECORD_WORKLOAD_H

#include <stdbool.h>
#include <sys/types.h>
#include "ptui/error.h"

struct workload {
	pid_t pid;    /* 0: there is none */
	int go_fd;    /* -1: it was let go */
	int exec_fd;
	int pid_fd;   /* becomes readable when it ends; -1: this kernel has none */
	bool running; /* not waited for yet */
	int status;   /* as of waitpid(), once it is not running; -1: unknown */
};

void workload_init(struct workload *w);
int workload_fork(struct workload *w, char *const *argv, struct ptui_error *err);
/* Lets it go. An exec that fails is told with the command's name, and the child waited for. */
int workload_start(struct workload *w, const char *name, struct ptui_error *err);
/* Whether it has ended; `block`: waits for that. The status is in w then. */
bool workload_ended(struct workload *w, bool block);
/* Ends it (one that was not let go yet never ran anything), waits, closes. A zero pid is fine. */
void workload_release(struct workload *w);

#endif
