/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keys as text, in the config language:
 *
 *	e  E  /  +  中		the character itself
 *	<C-r> <M-f> <S-Tab>	with Ctrl, Alt (A- means the same), Shift; <C-M-x> for two
 *	<Enter> <Esc> <Tab> <Space> <BS> <Del> <Ins> <Up> <Down> <Left> <Right> <Home> <End>
 *	<PgUp> <PgDn> <F1> … <F12> <lt>
 *
 * Names are read in any case, and those of more than one letter without <> as well: Space, F1.
 */
#ifndef INPUT_KEY_NAME_H
#define INPUT_KEY_NAME_H

#include <stddef.h>

#include "term/key.h"

#define KEY_NAME_MAX 32

/* The key names of the config by index; NULL after the last. */
const char *key_name_at(size_t i);

/* 0 or -EINVAL: unknown key. */
int key_parse(const char *text, key_code *ret_key);
/* As in the config; "" if it is not a key. Returns buf. */
char *key_format(key_code key, char buf[KEY_NAME_MAX]);
/* As shown on the screens: "Space", "PgDn", "Ctrl-R", "ESC", "e". Returns buf. */
char *key_label(key_code key, char buf[KEY_NAME_MAX]);

#endif
