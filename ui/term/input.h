/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parses bytes from the terminal into events. Does no I/O, so that tests can feed it.
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
#include <stdint.h>

#include "term/term.h"

#define INPUT_ESC_MS 10 /* ESC, too, must be handled within 16 ms */

struct input_key {
	char text[16];
	key_code key;
};

struct input {
	char *bytes;
	size_t at, n, room;
	uint64_t last_ns;	  /* time of the last byte */
	bool pasting;		  /* inside a bracketed paste */
	bool too_much;		  /* the paste is too long: discard up to its end */
	size_t scanned;		  /* of a paste: the end was searched for up to here */
	char *paste;		  /* of the last event */
	bool utf8;		  /* else the locale's encoding */
	struct input_key own[40]; /* from terminfo */
	size_t n_own;
};

void input_init(struct input *in, bool utf8);
void input_release(struct input *in);
/* Adds a sequence from terminfo. Ignored if it is too long or there are too many. */
void input_add_key(struct input *in, const char *text, key_code key);

/* 0 or -ENOMEM. */
int input_feed(struct input *in, const char *bytes, size_t n, uint64_t now_ns);
/* 0: an event, 1: none (yet). */
int input_next(struct input *in, uint64_t now_ns, struct term_event *ret);
/* Time until a pending ESC becomes a key; -1: none pending. */
int input_timeout_ms(const struct input *in, uint64_t now_ns);

#endif
