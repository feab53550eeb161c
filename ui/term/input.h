/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bytes from a terminal to events. No terminal in here: a test feeds it.
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

#define INPUT_ESC_MS 10 /* a key is answered within 16 ms, and so is this one */

struct input_key {
	char text[16];
	key_code key;
};

struct input {
	char *bytes;
	size_t at, n, room;
	uint64_t last_ns;	  /* when the last byte came */
	bool pasting;		  /* between the two marks */
	bool too_much;		  /* of it: what is left goes nowhere, up to its end */
	size_t scanned;		  /* of a paste: searched for the end up to here */
	char *paste;		  /* of the event that was given last */
	bool utf8;		  /* else: the locale's bytes */
	struct input_key own[40]; /* what terminfo says */
	size_t n_own;
};

void input_init(struct input *in, bool utf8);
void input_release(struct input *in);
/* A sequence of this terminal's own. Ignored when it is too long or there are too many. */
void input_add_key(struct input *in, const char *text, key_code key);

/* 0 or -ENOMEM. */
int input_feed(struct input *in, const char *bytes, size_t n, uint64_t now_ns);
/* 0 an event, 1 none (yet). */
int input_next(struct input *in, uint64_t now_ns, struct term_event *ret);
/* How long until an ESC that is held is one; -1: none is held. */
int input_timeout_ms(const struct input *in, uint64_t now_ns);

#endif
