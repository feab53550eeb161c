/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Key codes: a Unicode character, or a named key, with modifiers.
 *
 *	'a'  0x4e2d  K_ENTER  K_CTRL | 'r'  K_ALT | 'f'  K_SHIFT | K_TAB
 *
 * Each key has a unique code: Shift is part of a character and a modifier of named keys only, Ctrl
 * has the lower-case letter, and keys that terminals do not distinguish are one (Ctrl-M is K_ENTER,
 * Ctrl-I K_TAB, Ctrl-[ K_ESC, Ctrl-H K_BACKSPACE).
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

/* True if the key types a character: no modifier, not a named key. */
static inline int key_is_char(key_code key)
{
	return key >= ' ' && key < K_NAMED && key != 0x7f;
}

#endif
