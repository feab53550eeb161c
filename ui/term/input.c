/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "term/input.h"
#include "text/utf8.h"

#define ESC	  0x1b
#define PASTE_MAX (1u << 20)

static const char paste_end[] = "\033[201~";

void input_init(struct input *in, bool utf8)
{
	memset(in, 0, sizeof(*in));
	in->utf8 = utf8;
}

void input_release(struct input *in)
{
	free(in->bytes);
	free(in->paste);
	in->bytes = in->paste = NULL;
}

void input_add_key(struct input *in, const char *text, key_code key)
{
	struct input_key *own = &in->own[in->n_own];
	size_t n = strlen(text);

	if (in->n_own == sizeof(in->own) / sizeof(in->own[0]) || n < 2 || n >= sizeof(own->text))
		return;
	memcpy(own->text, text, n + 1);
	own->key = key;
	in->n_own++;
}

int input_feed(struct input *in, const char *bytes, size_t n, uint64_t now_ns)
{
	if (in->at) {
		memmove(in->bytes, in->bytes + in->at, in->n - in->at);
		in->n -= in->at;
		in->at = 0;
	}
	if (in->n + n > in->room) {
		size_t room = (in->n + n) * 2;
		char *grown = realloc(in->bytes, room);

		if (!grown)
			return -ENOMEM;
		in->bytes = grown;
		in->room = room;
	}
	memcpy(in->bytes + in->n, bytes, n);
	in->n += n;
	in->last_ns = now_ns;
	return 0;
}

/* Result of a parser: bytes used, event or none; 0 bytes: incomplete. */
struct found {
	size_t bytes;
	bool event;
};

static struct found found_key(size_t bytes, key_code key, struct term_event *ret)
{
	*ret = (struct term_event){ .kind = TERM_KEY, .key = key };
	return (struct found){ bytes, key != K_NONE };
}

/* xterm's modifier parameter: 1 + shift 1, alt 2, ctrl 4. */
static key_code modifiers(int param)
{
	int bits = param > 0 ? param - 1 : 0;

	return (bits & 1 ? K_SHIFT : 0) | (bits & 2 ? K_ALT : 0) | (bits & 4 ? K_CTRL : 0);
}

static key_code key_of_control(unsigned char c)
{
	switch (c) {
	case 0:
		return K_CTRL | ' ';
	case '\t':
		return K_TAB;
	case '\r':
	case '\n':
		return K_ENTER;
	case '\b':
	case 0x7f:
		return K_BACKSPACE;
	case ESC:
		return K_ESC;
	default:
		return K_CTRL | (c <= 26 ? (key_code)('a' + c - 1) : (key_code)('@' + c));
	}
}

/* ESC [ number ~ */
static key_code key_of_number(int number)
{
	static const struct {
		int number;
		key_code key;
	} keys[] = {
		{ 1, K_HOME }, { 2, K_INSERT }, { 3, K_DELETE }, { 4, K_END },	{ 5, K_PGUP },
		{ 6, K_PGDN }, { 7, K_HOME },	{ 8, K_END },	 { 11, K_F1 },	{ 12, K_F2 },
		{ 13, K_F3 },  { 14, K_F4 },	{ 15, K_F5 },	 { 17, K_F6 },	{ 18, K_F7 },
		{ 19, K_F8 },  { 20, K_F9 },	{ 21, K_F10 },	 { 23, K_F11 }, { 24, K_F12 },
	};
	size_t i;

	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		if (keys[i].number == number)
			return keys[i].key;
	}
	return K_NONE;
}

/* ESC [ letter, ESC O letter */
static key_code key_of_letter(char letter)
{
	switch (letter) {
	case 'A':
		return K_UP;
	case 'B':
		return K_DOWN;
	case 'C':
		return K_RIGHT;
	case 'D':
		return K_LEFT;
	case 'H':
		return K_HOME;
	case 'F':
		return K_END;
	case 'M':
		return K_ENTER; /* of the keypad */
	case 'P':
	case 'Q':
	case 'R':
	case 'S':
		return K_F1 + (key_code)(letter - 'P');
	case 'Z':
		return K_SHIFT | K_TAB;
	default:
		return K_NONE;
	}
}

/* A character with modifiers, as its unique code. */
static key_code key_of_code(int code, key_code mods)
{
	if (code < 0 || code > 0x10ffff)
		return K_NONE;
	if (code < ' ' || code == 0x7f)
		return key_of_control((unsigned char)code) | mods;
	if (mods & K_CTRL && code >= 'A' && code <= 'Z')
		code += 'a' - 'A';
	return (key_code)code | (mods & ~K_SHIFT);
}

#define PARAMS_MAX 6

/* Up to PARAMS_MAX decimal numbers separated by ; or :. */
static int parse_params(const char *s, size_t n, int params[PARAMS_MAX])
{
	int count = 0;
	size_t i;

	memset(params, 0, PARAMS_MAX * sizeof(params[0]));
	for (i = 0; i < n; i++) {
		if (s[i] >= '0' && s[i] <= '9') {
			if (params[count] < 10000000)
				params[count] = params[count] * 10 + (s[i] - '0');
		} else if (s[i] == ';') {
			if (++count == PARAMS_MAX)
				return PARAMS_MAX;
		} else if (s[i] == ':') {
			while (i + 1 < n && s[i + 1] != ';') /* skip kitty's alternate keys */
				i++;
		}
	}
	return count + 1;
}

/* ESC [ < button ; column ; row M or m */
static bool mouse_event(const int params[PARAMS_MAX], char final, struct term_event *ret)
{
	int code = params[0];

	*ret = (struct term_event){ .kind = TERM_MOUSE, .x = params[1] - 1, .y = params[2] - 1 };
	/* motion, or an unknown button */
	if (ret->x < 0 || ret->y < 0 || code & 32 || code & 128)
		return false;
	if (code & 64) {
		if ((code & 3) > 1 || final == 'm')
			return false;
		ret->mouse = code & 1 ? MOUSE_WHEEL_DOWN : MOUSE_WHEEL_UP;
		return true;
	}
	ret->mouse = final == 'm' ? MOUSE_RELEASE : MOUSE_PRESS;
	ret->button = (code & 3) + 1;
	return ret->button <= 3;
}

/* `s` begins with ESC [ */
static struct found parse_csi(struct input *in, const char *s, size_t n, struct term_event *ret)
{
	int params[PARAMS_MAX];
	size_t end = 2;
	key_code key;

	if (n > 2 && s[2] == '[') { /* Linux console: F1 … F5 */
		if (n < 4)
			return (struct found){ 0, false };
		return found_key(
			4, s[3] >= 'A' && s[3] <= 'E' ? K_F1 + (key_code)(s[3] - 'A') : K_NONE,
			ret);
	}
	while (end < n && s[end] >= 0x20 && s[end] < 0x40)
		end++;
	if (end == n)
		return (struct found){ n > 64 ? n : 0, false };
	/* aborted by another character */
	if ((unsigned char)s[end] < 0x40 || (unsigned char)s[end] > 0x7e)
		return (struct found){ end, false };

	if (s[2] == '<' && (s[end] == 'M' || s[end] == 'm')) {
		parse_params(s + 3, end - 3, params);
		return (struct found){ end + 1, mouse_event(params, s[end], ret) };
	}
	parse_params(s + 2, end - 2, params);
	if (s[end] == '~' && params[0] == 200) {
		in->pasting = true;
		in->scanned = 0;
		return (struct found){ end + 1, false };
	}
	if (s[end] == '~' && params[0] == 27) /* xterm's modifyOtherKeys */
		return found_key(end + 1, key_of_code(params[2], modifiers(params[1])), ret);
	if (s[end] == 'u')
		return found_key(end + 1, key_of_code(params[0], modifiers(params[1])), ret);
	key = s[end] == '~' ? key_of_number(params[0]) : key_of_letter(s[end]);
	if (key)
		key |= modifiers(params[1]);
	return found_key(end + 1, key, ret);
}

static struct found parse_char(const struct input *in, const char *s, size_t n, bool late,
			       struct term_event *ret)
{
	unsigned char first = (unsigned char)s[0];
	size_t bytes = 1;
	uint32_t c;

	if (first < 0x20 || first == 0x7f)
		return found_key(1, key_of_control(first), ret);
	if (first < 0x80)
		return found_key(1, first, ret);
	if (!in->utf8) {
		wint_t wide = btowc(first);

		return found_key(1, wide == WEOF ? K_NONE : (key_code)wide, ret);
	}
	bytes = utf8_next(s, n, &c);
	if (c == UTF8_BAD && bytes == 1) {
		size_t wanted = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;

		if (first >= 0xc2 && n < wanted && !late)
			return (struct found){ 0, false };
		return (struct found){ 1, false };
	}
	return found_key(bytes, utf8_char_width(c) < 0 ? K_NONE : c, ret);
}

/* Sequences from terminfo; *ret_part: the bytes so far are a prefix of one. */
static struct found parse_own(const struct input *in, const char *s, size_t n, bool *ret_part,
			      struct term_event *ret)
{
	size_t i;

	*ret_part = false;
	for (i = 0; i < in->n_own; i++) {
		size_t size = strlen(in->own[i].text);

		if (n >= size && !memcmp(s, in->own[i].text, size))
			return found_key(size, in->own[i].key, ret);
		if (n < size && !memcmp(s, in->own[i].text, n))
			*ret_part = true;
	}
	return (struct found){ 0, false };
}

/* `s` begins with ESC. `late`: nothing followed within INPUT_ESC_MS. */
static struct found parse_escape(struct input *in, const char *s, size_t n, bool late,
				 struct term_event *ret)
{
	struct found found;
	bool part;

	found = parse_own(in, s, n, &part, ret);
	if (found.bytes || ((n == 1 || part) && !late))
		return found;
	if (n == 1 || s[1] == ESC) {
		return found_key(1, K_ESC, ret);
	}
	if (s[1] == '[')
		found = parse_csi(in, s, n, ret);
	else if (s[1] == 'O' && n > 2)
		found = found_key(3, key_of_letter(s[2]), ret);
	else if (s[1] != 'O') {
		found = parse_char(in, s + 1, n - 1, late, ret);
		if (found.bytes)
			found.bytes++;
		ret->key |= K_ALT;
	}
	if (!found.bytes && late) {
		/* An incomplete sequence is Alt and a character. */
		found = found_key(2, K_ALT | (key_code)(unsigned char)s[1], ret);
	}
	return found;
}

/* The pasted text, with newlines as \n. NULL: out of memory. */
static char *paste_text(const char *s, size_t n)
{
	char *text = malloc(n + 1);
	size_t i, at = 0;

	for (i = 0; text && i < n; i++) {
		if (s[i] == '\r' && i + 1 < n && s[i + 1] == '\n')
			continue;
		if (s[i])
			text[at++] = s[i] == '\r' ? '\n' : s[i];
	}
	if (text)
		text[at] = '\0';
	return text;
}

/*
 * Looks for the end of the paste. A paste that is too long is truncated, but consumed to its end,
 * so that the rest is not taken for keys.
 */
static struct found parse_paste(struct input *in, const char *s, size_t n, struct term_event *ret)
{
	size_t mark = sizeof(paste_end) - 1;
	size_t from = in->scanned > mark ? in->scanned - mark : 0;
	const char *end = memmem(s + from, n - from, paste_end, mark);
	size_t length = end ? (size_t)(end - s) : n >= mark ? n - mark + 1 : 0;
	struct found found = { end ? length + mark : length, false };

	in->scanned = n;
	if (!end && n < PASTE_MAX && !in->too_much)
		return (struct found){ 0, false };
	if (!in->too_much) {
		free(in->paste);
		in->paste = paste_text(s, length);
		found.event = in->paste;
		*ret = (struct term_event){ .kind = TERM_PASTE, .text = in->paste };
	}
	in->too_much = in->pasting = !end;
	in->scanned = 0;
	return found;
}

static bool is_late(const struct input *in, uint64_t now_ns)
{
	return now_ns >= in->last_ns + INPUT_ESC_MS * 1000000ull;
}

int input_next(struct input *in, uint64_t now_ns, struct term_event *ret)
{
	bool late = is_late(in, now_ns);

	while (in->at < in->n) {
		const char *s = in->bytes + in->at;
		size_t n = in->n - in->at;
		struct found found;

		if (in->pasting)
			found = parse_paste(in, s, n, ret);
		else if (s[0] == ESC)
			found = parse_escape(in, s, n, late, ret);
		else
			found = parse_char(in, s, n, late, ret);
		in->at += found.bytes;
		if (found.event) {
			ret->time_ns = ret->kind == TERM_MOUSE ? now_ns : 0;
			return 0;
		}
		if (!found.bytes)
			return 1;
	}
	return 1;
}

int input_timeout_ms(const struct input *in, uint64_t now_ns)
{
	uint64_t end = in->last_ns + INPUT_ESC_MS * 1000000ull;

	if (in->at >= in->n || in->pasting)
		return -1;
	return now_ns >= end ? 0 : (int)((end - now_ns + 999999) / 1000000);
}
