/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "term/loop.h"
#include "term/private.h"
#include "text/i18n.h"

static bool env_is_on(const char *name)
{
	const char *value = getenv(name);

	return value && *value && strcmp(value, "0");
}

static void read_size(int fd, int *rows, int *cols)
{
	struct winsize size;

	*rows = 24;
	*cols = 80;
	if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_row && size.ws_col) {
		*rows = size.ws_row;
		*cols = size.ws_col;
	}
	/* Limits absurd sizes: no terminal has more. */
	if (*rows > 1000)
		*rows = 1000;
	if (*cols > 1000)
		*cols = 1000;
}

/* Resizes grid and `shown` to the terminal. 0, 1: unchanged, -ENOMEM. */
static int term_take_size(struct term *t)
{
	struct cell *shown;
	int rows, cols;

	read_size(t->fd, &rows, &cols);
	if (t->grid && t->grid->rows == rows && t->grid->cols == cols)
		return 1;
	shown = calloc((size_t)rows * (size_t)cols, sizeof(*shown));
	if (!shown)
		return -ENOMEM;
	if (!t->grid) {
		t->grid = grid_new(rows, cols);
		if (!t->grid) {
			free(shown);
			return -ENOMEM;
		}
	} else if (grid_resize(t->grid, rows, cols) < 0) {
		free(shown);
		return -ENOMEM;
	}
	free(t->shown);
	t->shown = shown;
	t->forget = true;
	return 0;
}

/*
 * Redraws everything even if the size is unchanged: it may have changed twice, and the terminal may
 * have dropped cells meanwhile.
 */
void term_check_size(struct term *t)
{
	(void)term_take_size(t); /* if out of memory, the old grid stays */
	t->resized = true;
	t->forget = true;
}

static const struct theme *pick_theme(const struct term_opts *opts)
{
	const char *env = getenv("PTUI_THEME");
	const struct theme *theme = NULL;

	if (opts->theme && *opts->theme)
		theme = theme_find(opts->theme);
	else if (env)
		theme = theme_find(env);
	return theme ? theme : theme_find("dark");
}

/* Sets the modes for drawing and input. */
static int term_enter(struct term *t)
{
	out_text(&t->out, t->caps.enter);
	t->forget = true;
	return term_flush(t);
}

static int open_tty(struct ptui_error *err)
{
	int fd = open("/dev/tty", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0)
		return ptui_error_errno(err, errno, "/dev/tty", _("No terminal to draw on"));
	return fd;
}

static int open_parts(struct term *t, const struct term_opts *opts, struct ptui_error *err)
{
	bool utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8");
	int rc;

	rc = open_tty(err);
	if (rc < 0)
		return rc;
	t->fd = rc;
	input_init(&t->input, utf8);
	rc = caps_read(&t->caps, t->fd, !opts->no_mouse, &t->input, err);
	if (rc < 0)
		return rc;
	if (term_take_size(t) < 0)
		return ptui_error_nomem(err);
	t->grid->ascii_text = !utf8;
	t->grid->ascii_art = !utf8 || opts->ascii || env_is_on("PTUI_ASCII");
	t->theme = pick_theme(opts);
	t->depth = theme_depth(t->caps.colors, getenv("COLORTERM"), getenv("NO_COLOR"));
	rc = restore_arm(t->fd, t->caps.leave, err);
	if (rc < 0)
		return rc;
	return term_enter(t);
}

struct term *term_open(const struct term_opts *opts, struct ptui_error *err)
{
	static const struct term_opts none;
	struct term *t = calloc(1, sizeof(*t));

	if (!t) {
		ptui_error_nomem(err);
		return NULL;
	}
	t->fd = -1;
	if (open_parts(t, opts ? opts : &none, err) < 0) {
		term_close(t);
		t = NULL;
	}
	return t;
}

void term_close(struct term *t)
{
	if (!t)
		return;
	if (t->fd >= 0) {
		restore_disarm();
		close(t->fd);
	}
	paint_forget_styles(t);
	input_release(&t->input);
	grid_free(t->grid);
	free(t->shown);
	free(t->out.bytes);
	free(t);
}

struct grid *term_grid(struct term *t)
{
	return t->grid;
}

void term_forget(struct term *t)
{
	t->forget = true;
}

/* Reads all pending input. */
static void read_bytes(struct term *t)
{
	char buf[4096];
	ssize_t n;

	while ((n = read(t->fd, buf, sizeof(buf))) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			if (errno != EAGAIN)
				t->hung_up = true;
			return;
		}
		if (input_feed(&t->input, buf, (size_t)n, loop_now_ns()) < 0)
			return;
		if ((size_t)n < sizeof(buf))
			return;
	}
	t->hung_up = true;
}

int term_read(struct term *t, struct term_event *ret)
{
	memset(ret, 0, sizeof(*ret));
	if (t->resumed) {
		t->resumed = false;
		ret->kind = TERM_RESUMED;
		return 0;
	}
	if (t->resized) {
		t->resized = false;
		ret->kind = TERM_RESIZE;
		return 0;
	}
	if (input_next(&t->input, loop_now_ns(), ret) == 0)
		return 0;
	if (!t->hung_up)
		read_bytes(t);
	if (input_next(&t->input, loop_now_ns(), ret) == 0)
		return 0;
	if (t->hung_up && !t->hangup_reported) {
		t->hangup_reported = true;
		ret->kind = TERM_HANGUP;
		return 0;
	}
	return t->hung_up ? -EIO : 1;
}

int term_timeout_ms(const struct term *t)
{
	return input_timeout_ms(&t->input, loop_now_ns());
}

int term_fd(const struct term *t)
{
	/* after a hang-up it would always be readable */
	return t->hangup_reported ? -1 : t->fd;
}

void term_suspend(struct term *t)
{
	struct sigaction plain = { .sa_handler = SIG_DFL }, stop_before, cont_before;
	sigset_t set, old;

	term_flush(t);
	t->out.at = t->out.n = 0;
	restore_now();
	/* our own SIGCONT is handled here */
	sigaction(SIGCONT, &plain, &cont_before);
	sigaction(SIGTSTP, &plain, &stop_before);
	sigemptyset(&set);
	sigaddset(&set, SIGTSTP);
	pthread_sigmask(SIG_UNBLOCK, &set, &old);
	raise(SIGTSTP);
	/* stops here until SIGCONT */
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	sigaction(SIGTSTP, &stop_before, NULL);
	sigaction(SIGCONT, &cont_before, NULL);
	term_resume(t);
}

void term_resume(struct term *t)
{
	restore_again();
	term_enter(t);
	term_check_size(t);
	t->resumed = true;
}

void term_emergency(void)
{
	restore_now();
}

static void out_base64(struct out *o, const char *text)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	size_t n = strlen(text), i;

	for (i = 0; i < n; i += 3) {
		uint32_t bits = (uint32_t)(unsigned char)text[i] << 16;
		char four[4];

		if (i + 1 < n)
			bits |= (uint32_t)(unsigned char)text[i + 1] << 8;
		if (i + 2 < n)
			bits |= (unsigned char)text[i + 2];
		four[0] = digits[bits >> 18 & 63];
		four[1] = digits[bits >> 12 & 63];
		four[2] = i + 1 < n ? digits[bits >> 6 & 63] : '=';
		four[3] = i + 2 < n ? digits[bits & 63] : '=';
		out_add(o, four, 4);
	}
}

int term_copy(struct term *t, const char *text)
{
	if (strlen(text) > 65536)
		return -E2BIG;
	out_text(&t->out, "\033]52;c;");
	out_base64(&t->out, text);
	out_text(&t->out, "\a");
	return term_flush(t);
}

void term_get_stats(const struct term *t, struct term_stats *ret)
{
	*ret = t->stats;
}
