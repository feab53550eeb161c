/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Waiting for a state, with a deadline. */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "screen/harness/private.h"

/* Long enough for a sanitizer build on a busy machine; only failures wait that long. */
#define DEADLINE_S 30

static double now_s(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec * 1e-9;
}

bool screen_wait_for(struct screen *s, screen_holds_fn holds, void *ctx)
{
	const char *env = getenv("PTUI_SCREEN_DEADLINE");
	double end = now_s() + (env && atoi(env) > 0 ? atoi(env) : DEADLINE_S);

	while (!holds(s, ctx)) {
		if (now_s() > end)
			return false;
		if (!screen_pump(s, s->ended ? 100 : 1000) && s->ended)
			return holds(s, ctx);
	}
	return true;
}

struct wanted {
	const char *text;
	int y;
};

static bool is_there(struct screen *s, void *ctx)
{
	return screen_find(s, ((struct wanted *)ctx)->text, NULL) >= 0;
}

static bool is_gone(struct screen *s, void *ctx)
{
	return !is_there(s, ctx);
}

static bool is_in_row(struct screen *s, void *ctx)
{
	struct wanted *w = ctx;

	return strstr(screen_row(s, w->y), w->text) != NULL;
}

static bool is_stopped(struct screen *s, void *ctx)
{
	(void)ctx;
	return s->stopped;
}

static bool is_ended(struct screen *s, void *ctx)
{
	(void)ctx;
	return s->ended;
}

void screen_wait_at(struct screen *s, const char *text, const char *file, int line)
{
	struct wanted w = { text, 0 };

	if (!screen_wait_for(s, is_there, &w))
		screen_fail(s, file, line, "\"%s\" does not come", text);
}

void screen_wait_row_at(struct screen *s, int y, const char *text, const char *file, int line)
{
	struct wanted w = { text, y };

	if (!screen_wait_for(s, is_in_row, &w))
		screen_fail(s, file, line, "\"%s\" does not come in row %d", text, y);
}

void screen_wait_gone_at(struct screen *s, const char *text, const char *file, int line)
{
	struct wanted w = { text, 0 };

	if (!screen_wait_for(s, is_gone, &w))
		screen_fail(s, file, line, "\"%s\" does not go", text);
}

void screen_wait_until_at(struct screen *s, screen_holds_fn holds, void *ctx, const char *what,
			  const char *file, int line)
{
	if (!screen_wait_for(s, holds, ctx))
		screen_fail(s, file, line, "never: %s", what);
}

void screen_wait_stopped_at(struct screen *s, const char *file, int line)
{
	if (!screen_wait_for(s, is_stopped, NULL))
		screen_fail(s, file, line, "the program does not stop");
}

int screen_wait_end_at(struct screen *s, const char *file, int line)
{
	if (!screen_wait_for(s, is_ended, NULL))
		screen_fail(s, file, line, "the program does not end");
	return s->status;
}

/* ---- left as it was found ---- */

static const char *wrong_modes(const struct termios *now, const struct termios *before)
{
	if (now->c_iflag != before->c_iflag)
		return "its input modes";
	if (now->c_oflag != before->c_oflag)
		return "its output modes";
	if (now->c_lflag != before->c_lflag)
		return "its local modes (echo, lines, signals)";
	if (now->c_cflag != before->c_cflag)
		return "its control modes";
	return memcmp(now->c_cc, before->c_cc, sizeof(now->c_cc)) ? "its control characters" : NULL;
}

void screen_check_sane_at(struct screen *s, const char *file, int line)
{
	struct termios now;
	VTermValue reverse, bold;
	const char *wrong;

	while (screen_pump(s, 0))
		;
	if (tcgetattr(s->keeper.pty, &now) < 0)
		screen_fail(s, file, line, "the terminal's modes cannot be read");
	wrong = wrong_modes(&now, &s->keeper.modes);
	if (!wrong && s->alternate)
		wrong = "on the second screen";
	if (!wrong && !s->cursor_seen)
		wrong = "without a cursor";
	if (!wrong && s->mouse != VTERM_PROP_MOUSE_NONE)
		wrong = "listening to the mouse";
	if (!wrong && s->paste_asked)
		wrong = "with bracketed paste";
	vterm_state_get_penattr(vterm_obtain_state(s->vt), VTERM_ATTR_REVERSE, &reverse);
	vterm_state_get_penattr(vterm_obtain_state(s->vt), VTERM_ATTR_BOLD, &bold);
	if (!wrong && (reverse.boolean || bold.boolean))
		wrong = "in reverse or bold";
	if (wrong)
		screen_fail(s, file, line, "the terminal was not left as it was found: %s", wrong);
}
