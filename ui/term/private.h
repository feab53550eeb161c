/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the files of struct term only. */
#ifndef TERM_PRIVATE_H
#define TERM_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "term/input.h"
#include "term/term.h"

#define SIDE_MAX  1000 /* limits absurd sizes: no terminal has more rows or columns */
#define TERM_TEXT 256
#define STYLES	  (N_STYLE_ROLES * 32) /* roles with flags */

/* A style for ncurses. */
struct curses_look {
	unsigned attrs;
	short pair;
	bool made;
};

struct screen;
struct term {
	int fd;
	struct grid *grid;
	bool forget;
	bool hung_up, hangup_reported;
	bool resized, resumed;
	const struct theme *theme;
	enum depth depth;
	struct input input;
	struct term_stats stats;

	/* curses.c */
	struct screen *screen; /* a SCREEN */
	FILE *in, *out;	       /* of newterm(); they own fd and out_fd */
	int out_fd;	       /* where ncurses writes: a file in memory */
	char *bytes;	       /* to be sent: frames, and what else the terminal gets */
	size_t n_bytes, cap_bytes, sent;
	bool trims;	    /* the terminal has the sequences that curses_trim() knows */
	struct cell *drawn; /* the last frame; rows * cols of the grid */
	struct curses_look looks[STYLES];
	char enter[TERM_TEXT], leave[TERM_TEXT]; /* sets up, restores the terminal */
};

/*
 * curses.c: ncurses on t->fd, whose owner it becomes. -ENOTTY: a required capability is missing.
 * After a failure, too, call curses_close(). Then curses_resize(), and again for each new size.
 */
int curses_open(struct term *t, bool mouse, struct ptui_error *err);
void curses_close(struct term *t);
int curses_resize(struct term *t, int rows, int cols); /* 0 or -ENOMEM */
/* Appends to the bytes to send what differs from the last frame, or everything after t->forget. */
void curses_draw(struct term *t);
/* Removes sequences of a frame that have no effect; returns the remaining bytes. */
size_t curses_trim(char *text, size_t n);
/* Of terminfo; "" if missing. */
const char *curses_cap(const char *name);

#endif
