/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keys as numbers of our own: a Unicode character, or one of the named keys, with modifiers.
 *
 *	'a'  0x4e2d  K_ENTER  K_CTRL | 'r'  K_ALT | 'f'  K_SHIFT | K_TAB
 *
 * A key has one code only: Shift is in the character itself and stands with named keys alone,
 * Ctrl-letter has the small letter, and what a terminal cannot tell apart is one key (Ctrl-M is
 * K_ENTER, Ctrl-I K_TAB, Ctrl-[ K_ESC, Ctrl-H K_BACKSPACE).
 */
#ifndef TERM_KEY_H
#define TERM_KEY_H

#include <stdint.h>

typedef uint32_t key_code;

#define K_NONE	0u
#define K_CTRL	0x01000000u
#define K_ALT	0x02000000u
#define K_SHIFT 0x04000000u
#define K_MODS	(K_CTRL | K_ALT | K_SHIFT)

enum {
	K_NAMED = 0x00200000, /* above every character */
	K_ENTER,
	K_TAB,
	K_ESC,
	K_BACKSPACE,
	K_INSERT,
	K_DELETE,
	K_UP,
	K_DOWN,
	K_LEFT,
	K_RIGHT,
	K_HOME,
	K_END,
	K_PGUP,
	K_PGDN,
	K_F1,
	K_F2,
	K_F3,
	K_F4,
	K_F5,
	K_F6,
	K_F7,
	K_F8,
	K_F9,
	K_F10,
	K_F11,
	K_F12,
	K_NAMED_END,
};

/* The key types this character: it has no modifier, and is not a named key. */
static inline int key_is_char(key_code key)
{
	return key >= ' ' && key < K_NAMED && key != 0x7f;
}

#endif
