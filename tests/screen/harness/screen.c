/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The terminal made of memory: bytes in, cells; and the program's life. */
#include <errno.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "screen/harness/leftovers.h"
#include "screen/harness/private.h"

static int on_property(VTermProp prop, VTermValue *value, void *ctx)
{
	struct screen *s = ctx;

	switch (prop) {
	case VTERM_PROP_CURSORVISIBLE:
		s->cursor_seen = value->boolean;
		return 1;
	case VTERM_PROP_ALTSCREEN:
		s->alternate = value->boolean;
		return 1;
	case VTERM_PROP_MOUSE:
		s->mouse = value->number;
		return 1;
	default:
		return 1;
	}
}

static const VTermScreenCallbacks callbacks = { .settermprop = on_property };

/* What the terminal itself answers or types. */
static void on_output(const char *bytes, size_t n, void *ctx)
{
	screen_send(ctx, bytes, n);
}

static void make_terminal(struct screen *s)
{
	s->vt = vterm_new(s->rows, s->cols);
	assert_non_null(s->vt);
	vterm_set_utf8(s->vt, 1);
	s->cells = vterm_obtain_screen(s->vt);
	vterm_screen_set_callbacks(s->cells, &callbacks, s);
	vterm_screen_enable_altscreen(s->cells, 1);
	vterm_screen_reset(s->cells, 1);
	vterm_output_set_callback(s->vt, on_output, s);
	s->cursor_seen = true;
}

struct screen *screen_start(const struct screen_opts *opts)
{
	struct screen *s = calloc(1, sizeof(*s));
	int rc;

	assert_non_null(s);
	leftovers_remove();
	setlocale(LC_CTYPE, "C.UTF-8"); /* a wide character is two columns here as well */
	s->rows = opts->rows ? opts->rows : 24;
	s->cols = opts->cols ? opts->cols : 80;
	make_terminal(s);
	rc = keeper_start(&s->keeper, opts);
	if (rc < 0)
		fail_msg("%s cannot be started: %s", opts->argv[0], strerror(-rc));
	while (!s->pid && !s->keeper_gone)
		screen_pump(s, 1000);
	return s;
}

void screen_free(struct screen *s)
{
	if (!s)
		return;
	if (s->pid && !s->ended)
		kill(s->pid, SIGKILL);
	close(s->keeper.orders);
	close(s->keeper.words);
	if (s->keeper.pty >= 0)
		close(s->keeper.pty);
	waitpid(s->keeper.pid, NULL, 0);
	vterm_free(s->vt);
	free(s->row);
	free(s->row_columns);
	free(s->looks);
	free(s);
}

/* libvterm does not report bracketed paste mode: scan the output for it. */
static void watch_paste_mode(struct screen *s, const char *bytes, size_t n)
{
	static const char on[] = "\033[?2004h", off[] = "\033[?2004l";
	const char *last_on = NULL, *last_off = NULL, *at;

	for (at = bytes; (at = memmem(at, n - (size_t)(at - bytes), on, sizeof(on) - 1)); at++)
		last_on = at;
	for (at = bytes; (at = memmem(at, n - (size_t)(at - bytes), off, sizeof(off) - 1)); at++)
		last_off = at;
	if (last_on || last_off)
		s->paste_asked = last_on > last_off;
}

/* Tracks whether the output ends within a sequence: then nothing else may be written. */
static void watch_sequences(struct screen *s, const char *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (bytes[i] == '\033')
			s->within = ESCAPE;
		else if (s->within == ESCAPE)
			s->within = bytes[i] == '[' || bytes[i] == '(' ? SEQUENCE : BETWEEN;
		else if (s->within == SEQUENCE && bytes[i] >= '@')
			s->within = BETWEEN;
	}
}

/* The bytes of an incomplete UTF-8 character at the end. */
static size_t part_of_char(const char *bytes, size_t n)
{
	for (size_t i = 1; i <= n && i <= 3; i++) {
		unsigned char c = (unsigned char)bytes[n - i];

		if (c >= 0xc0)
			return (c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : 2) > i ? i : 0;
		if (c < 0x80)
			return 0;
	}
	return 0;
}

/* libvterm shows a combining character that it gets in two parts as two bad ones. */
static void show_output(struct screen *s, char *buf, size_t n)
{
	size_t part;

	memmove(buf + s->part_n, buf, n);
	memcpy(buf, s->part, s->part_n);
	n += s->part_n;
	part = part_of_char(buf, n);
	vterm_input_write(s->vt, buf, n - part);
	memcpy(s->part, buf + n - part, part);
	s->part_n = part;
	vterm_screen_flush_damage(s->cells);
}

/* What the program wrote. False: nothing. */
static bool take_output(struct screen *s)
{
	char buf[65536 + sizeof(s->part)];
	ssize_t n;

	if (s->keeper.pty < 0)
		return false;
	n = read(s->keeper.pty, buf, sizeof(buf) - sizeof(s->part));
	if (n <= 0)
		return false;
	s->bytes += (uint64_t)n;
	watch_paste_mode(s, buf, (size_t)n);
	watch_sequences(s, buf, (size_t)n);
	screen_watch_clipboard(s, buf, (size_t)n);
	show_output(s, buf, (size_t)n);
	return true;
}

/* Reads a message of the keeper. */
static bool take_word(struct screen *s)
{
	struct keeper_word word;

	if (read(s->keeper.words, &word, sizeof(word)) != (ssize_t)sizeof(word)) {
		s->keeper_gone = true;
		return false;
	}
	s->pid = word.pid;
	if (word.status == -1)
		return true;
	s->stopped = WIFSTOPPED(word.status);
	if (!s->stopped) {
		/* What it wrote last is in the pipe already. */
		while (take_output(s))
			;
		s->ended = true;
		s->status = word.status;
	}
	return true;
}

bool screen_pump(struct screen *s, int max_ms)
{
	struct pollfd fds[2] = {
		{ .fd = s->keeper.pty, .events = POLLIN },
		{ .fd = s->keeper_gone ? -1 : s->keeper.words, .events = POLLIN },
	};
	bool any = false;

	if (poll(fds, 2, max_ms) <= 0)
		return false;
	if (fds[0].revents & POLLIN)
		any = take_output(s);
	if (fds[1].revents)
		any |= take_word(s);
	return any;
}

/* A program that does not read blocks the terminal: read its output meanwhile. */
void screen_send(struct screen *s, const char *bytes, size_t n)
{
	int tries = 0;

	while (n && s->keeper.pty >= 0) {
		ssize_t sent = write(s->keeper.pty, bytes, n);

		if (sent > 0) {
			bytes += sent;
			n -= (size_t)sent;
			tries = 0;
		} else if (errno != EAGAIN && errno != EINTR) {
			return;
		} else if (!screen_pump(s, 10) && ++tries > 2000) {
			fail_msg("the program does not read its keys");
		}
	}
}

void screen_resize(struct screen *s, int rows, int cols)
{
	struct winsize size = { .ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols };

	/* libvterm falls over wide characters and tabs in a terminal of almost nothing */
	vterm_set_size(s->vt, rows < 3 ? 3 : rows, cols < 4 ? 4 : cols);
	s->rows = rows;
	s->cols = cols;
	assert_int_equal(ioctl(s->keeper.pty, TIOCSWINSZ, &size), 0);
}

void screen_scribble(struct screen *s, int y, int x, const char *text)
{
	VTermPos at;
	char bytes[512];
	int n;

	while (s->within != BETWEEN && screen_pump(s, 1000))
		;
	/* back to the cursor position that the program assumes */
	vterm_state_get_cursorpos(vterm_obtain_state(s->vt), &at);
	n = snprintf(bytes, sizeof(bytes), "\033[%d;%dH%s\033[%d;%dH", y + 1, x + 1, text,
		     at.row + 1, at.col + 1);

	assert_in_range(n, 1, sizeof(bytes) - 1);
	vterm_input_write(s->vt, bytes, (size_t)n);
}

int screen_rows(const struct screen *s)
{
	return s->rows;
}

int screen_cols(const struct screen *s)
{
	return s->cols;
}

uint64_t screen_bytes(const struct screen *s)
{
	return s->bytes;
}

pid_t screen_pid(const struct screen *s)
{
	return s->pid;
}

bool screen_is_open(const struct screen *s)
{
	return s->alternate;
}

bool screen_is_stopped(const struct screen *s)
{
	return s->stopped;
}

bool screen_has_ended(const struct screen *s)
{
	return s->ended;
}

void screen_signal(struct screen *s, int sig)
{
	assert_int_equal(kill(s->pid, sig), 0);
}

void screen_continue(struct screen *s)
{
	s->stopped = false;
	assert_int_equal(write(s->keeper.orders, "c", 1), 1);
}

void screen_hang_up(struct screen *s)
{
	close(s->keeper.pty);
	s->keeper.pty = -1;
}

bool screen_cursor(const struct screen *s, int *ret_y, int *ret_x)
{
	VTermPos pos;

	vterm_state_get_cursorpos(vterm_obtain_state(s->vt), &pos);
	*ret_y = pos.row;
	*ret_x = pos.col;
	return s->cursor_seen;
}
