/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command that is recorded: forked early and held, so that its counters are open before its
 * first instruction.
 *
 *	ptui                        child
 *	fork  ------------------->  read(go socket) ...
 *	open counters on its pid
 *	start: a byte ----------->  execvp()
 *	read(exec pipe) <---------  closed by exec: it runs; or an errno: exec failed
 *
 * It inherits the signal mask and dispositions of the forking thread and the resource limits at
 * that time. It stays in the terminal's process group, unless it gets a pseudo-terminal: then it
 * has its own session and process group, and signals go to the group.
 */
#ifndef RECORD_TARGET_WORKLOAD_H
#define RECORD_TARGET_WORKLOAD_H

#include <stdbool.h>
#include <sys/types.h>
#include "ptui/error.h"

struct workload {
	pid_t pid; /* 0: no workload */
	int go_fd; /* -1: already started */
	int exec_fd;
	int pid_fd;		   /* readable when the process exits; -1: no pidfd support */
	bool running;		   /* not reaped yet */
	int status;		   /* as of waitpid(), valid if not running; -1: unknown */
	bool stdout_aside;	   /* its stdout goes to stderr; set before the fork */
	bool own_terminal;	   /* pseudo-terminal requested; set before the fork */
	unsigned short rows, cols; /* of the pseudo-terminal */
	int terminal_fd;	   /* master side, non-blocking; -1: none */
};

void workload_init(struct workload *w);
int workload_fork(struct workload *w, char *const *argv, struct ptui_error *err);
/* "cannot run NAME: …" with what to do about it. Returns -errnum. */
int workload_cannot_run(const char *name, int errnum, struct ptui_error *err);
/* Executes the command. If exec fails, err names the command, and the child is reaped. */
int workload_start(struct workload *w, const char *name, struct ptui_error *err);
/* Warns if the kernel will end the counters of the command when it is executed. */
void workload_warn_of_rights(const char *name);
/* Signals it, or its process group if it has its own. 0 or a negative errno. */
int workload_signal(const struct workload *w, int sig);
/* 0 or a negative errno; 0 without a pseudo-terminal. */
int workload_set_size(struct workload *w, unsigned short rows, unsigned short cols);
/* True if it has exited; `block` waits for that. Its status is in w then. */
bool workload_ended(struct workload *w, bool block);
/* Kills it (if held, nothing was executed), reaps it, closes the fds. A zero pid is fine. */
void workload_release(struct workload *w);

#endif
