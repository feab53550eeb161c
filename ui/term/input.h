/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decodes the terminal's bytes into events. ncurses matches the sequences of terminfo and of the
 * table in input.c; the rest is decoded here.
 *
 *	\x1b [ 1 ; 5 C		K_CTRL | K_RIGHT
 *	\x1b f			K_ALT | 'f'
 *	\x1b, then nothing for INPUT_ESC_MS: K_ESC
 *	\x1b [ < 0 ; 12 ; 3 M	the left button at column 11, row 2
 *	\x1b [ 200 ~ … \x1b [ 201 ~	a paste
 */
#ifndef TERM_INPUT_H
#define TERM_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <wchar.h>

#include "term/term.h"

#define INPUT_ESC_MS 10 /* ESC, too, must be handled within 16 ms */

struct input {
	struct _win_st *pad; /* of wgetch(): a pad, which it does not refresh */
	int held;	     /* a code read too early; -1: none */
	mbstate_t part;	     /* the part of a character read so far */
	key_code part_mods;
	bool pasting, after_cr;
	char *paste; /* also of the last event */
	size_t n, room;
};

/* After newterm(). 0 or -ENOMEM. */
int input_open(struct input *in);
void input_close(struct input *in);
/* 0: an event, 1: none (yet). Waits for the rest of a sequence, INPUT_ESC_MS at most. */
int input_next(struct input *in, struct term_event *ret);

#endif
