/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The session leader of the program under test, in place of a shell. */
#ifndef TESTS_SCREEN_HARNESS_KEEPER_H
#define TESTS_SCREEN_HARNESS_KEEPER_H

#include <sys/types.h>
#include <termios.h>

#include "screen/harness/screen.h"

/* Messages of the keeper: first the program's pid, then each of its wait statuses. */
struct keeper_word {
	pid_t pid;
	int status; /* -1: it was started */
};

struct keeper {
	pid_t pid;
	int pty;	      /* the terminal's side */
	int words;	      /* struct keeper_word can be read */
	int orders;	      /* one byte: c, continue it; closed: end */
	struct termios modes; /* before the program */
};

/* 0 or a negative errno. */
int keeper_start(struct keeper *k, const struct screen_opts *opts);

#endif
