/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as terminal input. The first byte selects the charset and the sizes of the pieces in
 * which the rest arrives, since sequences may be split anywhere. No crash; every key is a character
 * or a key code; a paste has newlines only as \n; after the ESC timeout nothing is pending.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "term/input.h"
#include "text/utf8.h"

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

/*
 * A call that returns an event consumes at least one byte, so there are at most as many events as
 * bytes.
 */
static void drain(struct input *in, uint64_t now_ns, size_t most)
{
	struct term_event ev;
	size_t n = 0;

	while (input_next(in, now_ns, &ev) == 0) {
		check(&ev);
		if (++n > most)
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t now_ns = 1000000000;
	struct input in;
	size_t piece;

	if (!size)
		return 0;
	input_init(&in, data[0] & 1);
	input_add_key(&in, "\033OP", K_F1);
	input_add_key(&in, "\033[3~", K_DELETE);
	piece = data[0] / 2 + 1;
	for (size_t at = 1; at < size; at += piece) {
		size_t n = size - at < piece ? size - at : piece;

		if (input_feed(&in, (const char *)data + at, n, now_ns))
			abort();
		drain(&in, now_ns, size + 1);
		now_ns += data[at] % 32 * 1000000;
	}
	now_ns += 1000000000;
	drain(&in, now_ns, size + 1);
	if (!in.pasting && input_timeout_ms(&in, now_ns) > 0)
		abort();
	input_release(&in);
	return 0;
}
