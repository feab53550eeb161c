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
 * process at that time, and stays in the terminal's process group; unless it is given a terminal
 * of its own, and with it a session and a process group: then what ends it, ends the group.
 */
#ifndef RECORD_TARGET_WORKLOAD_H
#define RECORD_TARGET_WORKLOAD_H

#include <stdbool.h>
#include <sys/types.h>
#include "ptui/error.h"

struct workload {
	pid_t pid; /* 0: there is none */
	int go_fd; /* -1: it was let go */
	int exec_fd;
	int pid_fd;		   /* becomes readable when it ends; -1: this kernel has none */
	bool running;		   /* not waited for yet */
	int status;		   /* as of waitpid(), once it is not running; -1: unknown */
	bool stdout_aside;	   /* its stdout is our stderr; set before the fork */
	bool own_terminal;	   /* wanted; set before the fork */
	unsigned short rows, cols; /* of that terminal */
	int terminal_fd;	   /* its master side, not blocking; -1: none */
};

void workload_init(struct workload *w);
int workload_fork(struct workload *w, char *const *argv, struct ptui_error *err);
/* Lets it go. An exec that fails is told with the command's name, and the child waited for. */
int workload_start(struct workload *w, const char *name, struct ptui_error *err);
/* To it, or to its group when it has one of its own. 0 or a negative errno. */
int workload_signal(const struct workload *w, int sig);
/* 0 or a negative errno; without a terminal of its own: 0. */
int workload_set_size(struct workload *w, unsigned short rows, unsigned short cols);
/* Whether it has ended; `block`: waits for that. The status is in w then. */
bool workload_ended(struct workload *w, bool block);
/* Ends it (one that was not let go yet never ran anything), waits, closes. A zero pid is fine. */
void workload_release(struct workload *w);

#endif
