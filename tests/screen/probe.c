/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A program on ui/term alone, for test_term: shows the events it gets, and ends in every possible
 * way.
 *
 *	size 24x80
 *	event 3: key 61
 *
 * Rows 6 to 21 are a list; j, k, J and K scroll it. With PROBE_PICTURES it shows pictures by
 * number, the next one after n.
 */
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "screen/pictures.h"
#include "term/loop.h"

static struct term *term;
static struct loop *loop;
static bool ended;
static char last[200] = "none";
static int events, resumed, first = 50, picture;

static void on_paint(void *ctx)
{
	struct canvas c;
	int y;

	(void)ctx;
	if (getenv("PROBE_PICTURES")) {
		picture_draw(term_grid(term), picture);
		return;
	}
	grid_clear(term_grid(term));
	c = canvas_of(term_grid(term));
	canvas_printf(&c, 0, 0, ROLE_TITLE, "size %dx%d", c.at.h, c.at.w);
	canvas_printf(&c, 1, 0, ROLE_TEXT, "event %d: %s", events, last);
	canvas_text(&c, 2, 0, ROLE_HOT, "▁▄█ 中文 e\u0301 …");
	canvas_cell(&c, 3, 0, c.at.w, ALIGN_LEFT, ROLE_TEXT | STYLE_CURSOR, "cursor row");
	canvas_printf(&c, 4, 0, ROLE_DIM, "resumed %d", resumed);
	canvas_rule(&c, 5);
	for (y = 6; y < 22 && y < c.at.h; y++) {
		canvas_printf(&c, y, 0, (first + y) % 2 ? ROLE_TEXT : ROLE_NOTE,
			      "line %d of the list 中", first + y);
		canvas_text(&c, y, c.at.w - 1, ROLE_FRAME, y == 6 + first % 16 ? "█" : "│");
	}
	/* the last cell of the screen: a terminal must not scroll */
	canvas_text(&c, c.at.h - 1, c.at.w - 1, ROLE_TEXT, "#");
}

/* A real fault: an inaccessible page. */
static void crash(void)
{
	volatile char *page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	page[0] = 1;
}

static void on_key(key_code key)
{
	snprintf(last, sizeof(last), "key %x", key);
	switch (key) {
	case 'q':
		ended = true;
		break;
	case 'A':
		abort();
	case 'S':
		crash();
		break;
	case 'X':
		exit(3);
	case 'n':
		picture++;
		break;
	case 'L':
		term_forget(term);
		break;
	case K_CTRL | 'z':
		term_suspend(term);
		break;
	case 'j':
	case 'k':
		first += key == 'j' ? 1 : -1;
		break;
	case 'J':
	case 'K':
		first += key == 'J' ? 10 : -10;
		break;
	case 'Y':
		term_copy(term, "text");
		break;
	default:
		break;
	}
}

static void on_event(void *ctx, const struct term_event *e)
{
	(void)ctx;
	events++;
	switch (e->kind) {
	case TERM_KEY:
		on_key(e->key);
		break;
	case TERM_MOUSE:
		snprintf(last, sizeof(last), "mouse %d button %d at %d,%d", e->mouse, e->button,
			 e->y, e->x);
		break;
	case TERM_PASTE:
		snprintf(last, sizeof(last), "paste %s", e->text);
		break;
	case TERM_RESUMED:
		resumed++;
		break;
	default:
		break;
	}
	loop_dirty(loop);
}

static void on_finish(void *ctx, int sig)
{
	(void)ctx;
	(void)sig;
	ended = true;
}

static const struct loop_ops ops = { .event = on_event, .paint = on_paint, .finish = on_finish };

int main(void)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	int rc = 1, sig = 0;

	setlocale(LC_ALL, "");
	term = term_open(NULL, &err);
	if (term)
		loop = loop_new(term, &ops, NULL, &err);
	if (loop) {
		rc = 0;
		while (!ended && !rc)
			rc = loop_turn(loop, -1) < 0;
		sig = loop_signal(loop);
	} else {
		fprintf(stderr, "probe: %s\n", err.text);
	}
	loop_free(loop);
	term_close(term);
	if (sig)
		raise(sig);
	return rc;
}
