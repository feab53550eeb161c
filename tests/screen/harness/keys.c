/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Typing, as the current terminal sends it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "screen/harness/private.h"
#include "text/utf8.h"

static const struct {
	const char *name;
	VTermKey key; /* VTERM_KEY_NONE: a character */
	uint32_t c;
} named[] = {
	{ "Enter", VTERM_KEY_ENTER, 0 },  { "Tab", VTERM_KEY_TAB, 0 },
	{ "BS", VTERM_KEY_BACKSPACE, 0 }, { "Esc", VTERM_KEY_ESCAPE, 0 },
	{ "Up", VTERM_KEY_UP, 0 },	  { "Down", VTERM_KEY_DOWN, 0 },
	{ "Left", VTERM_KEY_LEFT, 0 },	  { "Right", VTERM_KEY_RIGHT, 0 },
	{ "Ins", VTERM_KEY_INS, 0 },	  { "Del", VTERM_KEY_DEL, 0 },
	{ "Home", VTERM_KEY_HOME, 0 },	  { "End", VTERM_KEY_END, 0 },
	{ "PgUp", VTERM_KEY_PAGEUP, 0 },  { "PgDn", VTERM_KEY_PAGEDOWN, 0 },
	{ "Space", VTERM_KEY_NONE, ' ' }, { "lt", VTERM_KEY_NONE, '<' },
};

/* All bytes at once, as terminals do: an ESC with nothing after it for some time is the key ESC. */
static void type_char(struct screen *s, uint32_t c, VTermModifier mods)
{
	char bytes[8];
	size_t n = 0;

	if (mods & VTERM_MOD_ALT)
		bytes[n++] = '\033';
	/* Ctrl with a letter is a single byte in every terminal; libvterm 0.1 sends more. */
	if (mods & VTERM_MOD_CTRL && (c == ' ' || (c >= '@' && c <= '~')))
		bytes[n++] = (char)(c & 0x1f);
	else
		n += utf8_put(bytes + n, c);
	screen_send(s, bytes, n);
}

/* The key between < and >. False: unknown name. */
static bool type_named(struct screen *s, const char *name, size_t n, bool last)
{
	VTermModifier mods = VTERM_MOD_NONE;
	size_t i, bytes;
	uint32_t c;

	while (n > 2 && name[1] == '-') {
		mods |= name[0] == 'C' ? VTERM_MOD_CTRL :
			name[0] == 'S' ? VTERM_MOD_SHIFT :
					 VTERM_MOD_ALT;
		name += 2;
		n -= 2;
	}
	for (i = 0; i < sizeof(named) / sizeof(named[0]); i++) {
		if (strlen(named[i].name) != n || strncasecmp(named[i].name, name, n))
			continue;
		if (named[i].key == VTERM_KEY_ESCAPE && !last)
			screen_send(s, "\033[27u", 5);
		else if (named[i].key == VTERM_KEY_ESCAPE)
			screen_send(s, "\033", 1);
		else if (named[i].key == VTERM_KEY_BACKSPACE)
			screen_send(s, mods & VTERM_MOD_ALT ? "\033\177" : "\177",
				    mods & VTERM_MOD_ALT ? 2 : 1);
		else if (named[i].key != VTERM_KEY_NONE)
			vterm_keyboard_key(s->vt, named[i].key, mods);
		else
			type_char(s, named[i].c, mods);
		return true;
	}
	if (n >= 2 && (name[0] == 'F' || name[0] == 'f') && name[1] >= '0' && name[1] <= '9') {
		vterm_keyboard_key(s->vt, (VTermKey)VTERM_KEY_FUNCTION(atoi(name + 1)), mods);
		return true;
	}
	bytes = n ? utf8_next(name, n, &c) : 0;
	if (!bytes || bytes != n)
		return false;
	type_char(s, c, mods);
	return true;
}

void screen_keys(struct screen *s, const char *keys)
{
	while (*keys) {
		const char *end = *keys == '<' ? strchr(keys, '>') : NULL;
		uint32_t c;

		if (end) {
			if (!type_named(s, keys + 1, (size_t)(end - keys - 1), !end[1]))
				fail_msg("no key is called %.*s", (int)(end - keys + 1), keys);
			keys = end + 1;
			continue;
		}
		keys += utf8_next(keys, strlen(keys), &c);
		type_char(s, c, VTERM_MOD_NONE);
	}
}

void screen_paste(struct screen *s, const char *text)
{
	vterm_keyboard_start_paste(s->vt);
	screen_send(s, text, strlen(text));
	vterm_keyboard_end_paste(s->vt);
}

static void mouse_button(struct screen *s, int y, int x, int button, bool pressed)
{
	if (s->mouse == VTERM_PROP_MOUSE_NONE)
		return;
	vterm_mouse_move(s->vt, y, x, VTERM_MOD_NONE);
	vterm_mouse_button(s->vt, button, pressed, VTERM_MOD_NONE);
}

void screen_click(struct screen *s, int y, int x)
{
	mouse_button(s, y, x, 1, true);
	mouse_button(s, y, x, 1, false);
}

void screen_wheel(struct screen *s, int y, int x, int lines)
{
	int button = lines > 0 ? 5 : 4;

	for (lines = abs(lines); lines; lines--)
		mouse_button(s, y, x, button, true);
}
