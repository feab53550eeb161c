/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "input/key_name.h"
#include "text/utf8.h"

static const struct {
	key_code key;
	const char *name;  /* in the config */
	const char *label; /* for the screens */
} names[] = {
	{ K_ENTER, "Enter", "Enter" },
	{ K_ESC, "Esc", "ESC" },
	{ K_TAB, "Tab", "Tab" },
	{ ' ', "Space", "Space" },
	{ K_BACKSPACE, "BS", "Backspace" },
	{ K_DELETE, "Del", "Del" },
	{ K_INSERT, "Ins", "Ins" },
	{ K_UP, "Up", "Up" },
	{ K_DOWN, "Down", "Down" },
	{ K_LEFT, "Left", "Left" },
	{ K_RIGHT, "Right", "Right" },
	{ K_HOME, "Home", "Home" },
	{ K_END, "End", "End" },
	{ K_PGUP, "PgUp", "PgUp" },
	{ K_PGDN, "PgDn", "PgDn" },
	{ K_F1, "F1", "F1" },
	{ K_F2, "F2", "F2" },
	{ K_F3, "F3", "F3" },
	{ K_F4, "F4", "F4" },
	{ K_F5, "F5", "F5" },
	{ K_F6, "F6", "F6" },
	{ K_F7, "F7", "F7" },
	{ K_F8, "F8", "F8" },
	{ K_F9, "F9", "F9" },
	{ K_F10, "F10", "F10" },
	{ K_F11, "F11", "F11" },
	{ K_F12, "F12", "F12" },
	{ '<', "lt", "<" },
};
#define N_NAMES (sizeof(names) / sizeof(names[0]))

const char *key_name_at(size_t i)
{
	return i < N_NAMES ? names[i].name : NULL;
}

/* ---- parsing ---- */

static key_code find_name(const char *text, size_t n)
{
	for (size_t i = 0; i < N_NAMES; i++) {
		if (strlen(names[i].name) == n && !strncasecmp(names[i].name, text, n))
			return names[i].key;
	}
	return K_NONE;
}

/* A name, or exactly one character. */
static key_code parse_base(const char *text, size_t n)
{
	key_code key = find_name(text, n);
	uint32_t c;

	if (key || !n)
		return key;
	if (utf8_next(text, n, &c) != n || (c == UTF8_BAD && n == 1))
		return K_NONE;
	return key_is_char(c) && utf8_char_width(c) >= 0 ? c : K_NONE;
}

static key_code parse_mods(const char **text, size_t *n)
{
	key_code mods = 0;

	while (*n > 2 && (*text)[1] == '-') {
		switch (toupper((unsigned char)**text)) {
		case 'C':
			mods |= K_CTRL;
			break;
		case 'M':
		case 'A':
			mods |= K_ALT;
			break;
		case 'S':
			mods |= K_SHIFT;
			break;
		default:
			return mods;
		}
		*text += 2;
		*n -= 2;
	}
	return mods;
}

/* Ctrl with a character: several combinations are one key to a terminal; returns its code. */
static key_code with_ctrl(key_code c)
{
	if (c >= 'A' && c <= 'Z')
		c += 'a' - 'A';
	switch (c) {
	case 'm':
		return K_ENTER;
	case 'i':
		return K_TAB;
	case '[':
		return K_ESC;
	case 'h':
		return K_BACKSPACE;
	default:
		return c < 0x80 ? K_CTRL | c : K_NONE;
	}
}

int key_parse(const char *text, key_code *ret_key)
{
	size_t n = strlen(text);
	key_code key, mods = 0;

	if (n > 2 && text[0] == '<' && text[n - 1] == '>') {
		text++;
		n -= 2;
		mods = parse_mods(&text, &n);
	}
	key = parse_base(text, n);
	if (key && key < K_NAMED) {
		/* Shift is part of the character: only given with letters. */
		if (mods & K_SHIFT) {
			if (mods & K_CTRL || key >= 0x80 || !isalpha((int)key))
				return -EINVAL;
			key = (key_code)toupper((int)key);
		}
		if (mods & K_CTRL)
			key = with_ctrl(key);
		mods &= K_ALT;
	}
	if (!key)
		return -EINVAL;
	*ret_key = key | mods;
	return 0;
}

/* ---- formatting ---- */

static size_t name_index(key_code key)
{
	size_t i = 0;

	while (i < N_NAMES && names[i].key != (key & ~K_MODS))
		i++;
	return i;
}

char *key_format(key_code key, char buf[KEY_NAME_MAX])
{
	size_t i = name_index(key);
	char c[5] = "";

	*buf = '\0';
	if (i == N_NAMES && !key_is_char(key & ~K_MODS))
		return buf;
	c[utf8_put(c, key & ~K_MODS)] = '\0';
	if (i == N_NAMES && !(key & K_MODS))
		snprintf(buf, KEY_NAME_MAX, "%s", c);
	else
		snprintf(buf, KEY_NAME_MAX, "<%s%s%s%s>", key & K_CTRL ? "C-" : "",
			 key & K_ALT ? "M-" : "", key & K_SHIFT ? "S-" : "",
			 i < N_NAMES ? names[i].name : c);
	return buf;
}

char *key_label(key_code key, char buf[KEY_NAME_MAX])
{
	size_t i = name_index(key);
	key_code base = key & ~K_MODS;
	char c[5] = "";

	*buf = '\0';
	if (i == N_NAMES && !key_is_char(base))
		return buf;
	if (key & K_CTRL && base < 0x80)
		base = (key_code)toupper((int)base);
	c[utf8_put(c, base)] = '\0';
	snprintf(buf, KEY_NAME_MAX, "%s%s%s%s", key & K_CTRL ? "Ctrl-" : "",
		 key & K_ALT ? "Alt-" : "", key & K_SHIFT ? "Shift-" : "",
		 i < N_NAMES ? names[i].label : c);
	return buf;
}
