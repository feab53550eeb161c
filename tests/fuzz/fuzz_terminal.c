/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as terminal input. The first byte selects the charset. No crash; every key is a character
 * or a key code; a paste has newlines only as \n.
 */
#include <fcntl.h>
#include <locale.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "term/private.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct term_event *ev)
{
	switch (ev->kind) {
	case TERM_KEY:
		if (!ev->key)
			abort();
		break;
	case TERM_MOUSE:
		if (ev->y < 0 || ev->x < 0)
			abort();
		break;
	case TERM_PASTE:
		if (!ev->text || strchr(ev->text, '\r'))
			abort();
		break;
	default:
		break;
	}
}

/* A terminal whose input is a pipe. */
static struct term *open_input(int fd, bool utf8)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct term *t = calloc(1, sizeof(*t));

	setlocale(LC_ALL, utf8 ? "C.UTF-8" : "C");
	setenv("TERM", "xterm-256color", 1);
	if (!t)
		abort();
	t->fd = fd;
	if (curses_open(t, true, &err) < 0)
		abort();
	return t;
}

/* Each event consumes at least one byte. */
static void drain(struct input *in, size_t most)
{
	struct term_event ev;
	size_t n = 0;

	while (input_next(in, &ev) == 0) {
		check(&ev);
		if (++n > most)
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct term *t;
	int ends[2];

	if (!size || size > 32768)
		return 0;
	if (pipe2(ends, O_NONBLOCK) < 0)
		abort();
	t = open_input(ends[0], data[0] & 1);
	if (write(ends[1], data + 1, size - 1) != (ssize_t)size - 1)
		abort();
	drain(&t->input, size);
	curses_close(t);
	close(ends[1]);
	free(t);
	return 0;
}
