/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "term/loop.h"
#include "term/private.h"
#include "text/utf8.h"

#define NCURSES_NOMACROS
#include <curses.h>

#define ESC	  0x1b
#define PASTE_MAX (1u << 20)

/* Codes of wgetch() above ncurses' own. */
#define PASTE_BEGIN 0x2000
#define PASTE_END   0x2001
#define OWN_KEY	    0x1000 /* modifiers << 6 | key */

/* Matched by ncurses: as terminfo has it, ESC [ number ~, ESC [ letter, ESC O letter. */
static const struct {
	key_code key;
	int sent; /* number or letter; 0: none */
	const char *cap;
} keys[] = {
	{ K_UP, 'A', "kcuu1" },	  { K_DOWN, 'B', "kcud1" }, { K_RIGHT, 'C', "kcuf1" },
	{ K_LEFT, 'D', "kcub1" }, { K_HOME, 'H', "khome" }, { K_END, 'F', "kend" },
	{ K_HOME, 1, "" },	  { K_INSERT, 2, "kich1" }, { K_DELETE, 3, "kdch1" },
	{ K_END, 4, "" },	  { K_PGUP, 5, "kpp" },	    { K_PGDN, 6, "knp" },
	{ K_HOME, 7, "" },	  { K_END, 8, "" },	    { K_ENTER, 0, "kent" },
	{ K_F1, 11, "kf1" },	  { K_F2, 12, "kf2" },	    { K_F3, 13, "kf3" },
	{ K_F4, 14, "kf4" },	  { K_F5, 15, "kf5" },	    { K_F6, 17, "kf6" },
	{ K_F7, 18, "kf7" },	  { K_F8, 19, "kf8" },	    { K_F9, 20, "kf9" },
	{ K_F10, 21, "kf10" },	  { K_F11, 23, "kf11" },    { K_F12, 24, "kf12" },
	{ K_F1, 'P', "" },	  { K_F2, 'Q', "" },	    { K_F3, 'R', "" },
	{ K_F4, 'S', "" },
};

/* A key as a code of wgetch(), and back. */
static int code_of(key_code key)
{
	return OWN_KEY | (int)(key >> 24 & 7) << 6 | (int)(key & 0x3f);
}

static key_code key_of(int code)
{
	if (code < OWN_KEY || code >= PASTE_BEGIN)
		return K_NONE;
	return ((key_code)code >> 6 & 7) << 24 | K_NAMED | ((key_code)code & 0x3f);
}

/* xterm's modifier parameter: 1 + shift 1, alt 2, ctrl 4. */
static key_code modifiers(int param)
{
	int bits = param > 0 ? param - 1 : 0;

	return (bits & 1 ? K_SHIFT : 0) | (bits & 2 ? K_ALT : 0) | (bits & 4 ? K_CTRL : 0);
}

static void define_sent(int sent, key_code key)
{
	char text[32];

	for (int m = 1; sent && m <= 8; m++) {
		if (sent >= 'A')
			snprintf(text, sizeof(text), m > 1 ? "\033[1;%2$d%1$c" : "\033[%c", sent,
				 m);
		else
			snprintf(text, sizeof(text), m > 1 ? "\033[%d;%d~" : "\033[%d~", sent, m);
		define_key(text, code_of(key | modifiers(m)));
	}
	snprintf(text, sizeof(text), "\033O%c", sent);
	if (sent >= 'A')
		define_key(text, code_of(key));
}

int input_open(struct input *in)
{
	in->held = ERR;
	in->pad = newpad(1, 1);
	if (!in->pad)
		return -ENOMEM;
	set_escdelay(INPUT_ESC_MS);
	keypad(in->pad, TRUE);
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		define_key(curses_cap(keys[i].cap), code_of(keys[i].key));
		define_sent(keys[i].sent, keys[i].key);
	}
	define_key(curses_cap("kcbt"), code_of(K_SHIFT | K_TAB));
	define_sent('Z', K_SHIFT | K_TAB);
	define_key(curses_cap("kLFT"), code_of(K_SHIFT | K_LEFT));
	define_key(curses_cap("kRIT"), code_of(K_SHIFT | K_RIGHT));
	define_key("\033[200~", PASTE_BEGIN);
	define_key("\033[201~", PASTE_END);
	define_key(curses_cap("kbs"), 0);   /* may follow an ESC: Alt */
	define_key(curses_cap("kmous"), 0); /* decoded by mouse_event() */
	return 0;
}

void input_close(struct input *in)
{
	if (in->pad)
		delwin(in->pad);
	free(in->paste);
}

/* A byte, a code of a key (> 255), or ERR: nothing within that time. */
static int next_code(struct input *in, int wait_ms)
{
	int code = in->held;

	in->held = ERR;
	wtimeout(in->pad, wait_ms);
	return code == ERR ? wgetch(in->pad) : code;
}

static bool found_key(key_code key, struct term_event *ret)
{
	*ret = (struct term_event){ .kind = TERM_KEY, .key = key };
	return key != K_NONE;
}

/* A character with modifiers, as its unique code. */
static key_code key_of_char(int c, key_code mods)
{
	static const key_code control[0x20] = {
		[0] = K_CTRL | ' ', ['\t'] = K_TAB,	  ['\n'] = K_ENTER,
		['\r'] = K_ENTER,   ['\b'] = K_BACKSPACE, [ESC] = K_ESC,
	};

	if (c == 0x7f)
		return K_BACKSPACE | mods;
	if (c < ' ' && control[c])
		return control[c] | mods;
	if (c < ' ')
		return K_CTRL | (key_code)(c <= 26 ? 'a' + c - 1 : '@' + c) | mods;
	if (mods & K_CTRL && c >= 'A' && c <= 'Z')
		c += 'a' - 'A';
	return utf8_char_width((uint32_t)c) < 0 ? K_NONE : (key_code)c | (mods & ~K_SHIFT);
}

/* ESC [ < button ; column ; row M or m */
static bool mouse_event(const int params[3], bool release, struct term_event *ret)
{
	int code = params[0];

	*ret = (struct term_event){ .kind = TERM_MOUSE, .x = params[1] - 1, .y = params[2] - 1 };
	ret->time_ns = loop_now_ns();
	/* motion, or an unknown button */
	if (ret->x < 0 || ret->y < 0 || code & 32 || code & 128)
		return false;
	if (code & 64) {
		ret->mouse = code & 1 ? MOUSE_WHEEL_DOWN : MOUSE_WHEEL_UP;
		return (code & 3) <= 1 && !release;
	}
	ret->mouse = release ? MOUSE_RELEASE : MOUSE_PRESS;
	ret->button = (code & 3) + 1;
	return ret->button <= 3;
}

/* After ESC [, what ncurses does not match; unknown sequences are skipped. */
static bool parse_csi(struct input *in, struct term_event *ret)
{
	int params[3] = { 0 }, c;
	char text[64] = "";
	size_t n = 0;

	while ((c = next_code(in, INPUT_ESC_MS)) >= 0x20 && c < 0x40) {
		if (n + 1 < sizeof(text))
			text[n++] = (char)c;
	}
	if (c == ERR)
		return found_key(n ? K_NONE : K_ALT | '[', ret);
	if (c < 0x40 || c > 0x7e) { /* aborted by another key */
		in->held = c;
		return false;
	}
	sscanf(text + (*text == '<'), "%7d;%7d;%7d", &params[0], &params[1], &params[2]);
	if (*text == '<')
		return (c == 'M' || c == 'm') && mouse_event(params, c == 'm', ret);
	if (c == 'u' && params[0] >= 0) /* a unique code, with modifiers */
		return found_key(key_of_char(params[0], modifiers(params[1])), ret);
	if (c == '~' && params[0] == 27 && params[2] >= 0) /* xterm's modifyOtherKeys */
		return found_key(key_of_char(params[2], modifiers(params[1])), ret);
	return false;
}

/* A byte: a character of the locale, or a part of one. */
static bool parse_byte(struct input *in, int byte, key_code mods, struct term_event *ret)
{
	bool within = !mbsinit(&in->part);
	wchar_t c = byte;
	size_t rc = 1;

	if (byte >= 0x80 || within)
		rc = mbrtowc(&c, &(char){ (char)byte }, 1, &in->part);
	mods |= in->part_mods;
	in->part_mods = rc == (size_t)-2 ? mods : 0;
	if (rc == (size_t)-2)
		return false;
	if (rc != (size_t)-1)
		return found_key(key_of_char((int)c, mods), ret);
	memset(&in->part, 0, sizeof(in->part));
	return within && parse_byte(in, byte, 0, ret); /* the begin of another one */
}

/* After an ESC that begins no sequence that ncurses knows. */
static bool parse_escape(struct input *in, struct term_event *ret)
{
	int code = next_code(in, 0);

	if (code == '[')
		return parse_csi(in, ret);
	if (code != ERR && code != ESC && code <= 0xff)
		return parse_byte(in, code, K_ALT, ret);
	in->held = code;
	return found_key(K_ESC, ret);
}

/* A paste that is too long is truncated, but read to its end. */
static bool parse_paste(struct input *in, int code, struct term_event *ret)
{
	bool second = code == '\n' && in->after_cr; /* \r\n is one newline */

	in->after_cr = code == '\r';
	in->pasting = code != PASTE_END;
	if (vec_grow(&in->paste, &in->room, in->n + 1))
		return false;
	if (code == PASTE_END) {
		in->paste[in->n] = '\0';
		in->n = 0;
		*ret = (struct term_event){ .kind = TERM_PASTE, .text = in->paste };
		return true;
	}
	if (code > 0 && code <= 0xff && !second && in->n < PASTE_MAX)
		in->paste[in->n++] = code == '\r' ? '\n' : (char)code;
	return false;
}

int input_next(struct input *in, struct term_event *ret)
{
	int code;

	while ((code = next_code(in, 0)) != ERR) {
		if (in->pasting ? parse_paste(in, code, ret) :
		    code == ESC ? parse_escape(in, ret) :
		    code > 0xff ? found_key(key_of(code), ret) :
				  parse_byte(in, code, 0, ret))
			return 0;
		in->pasting |= code == PASTE_BEGIN;
	}
	return 1;
}
