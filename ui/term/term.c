/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "base/vec.h"
#include "term/loop.h"
#include "term/private.h"
#include "text/i18n.h"

/* ---- restoring the terminal on every way out, including fatal signals ---- */

/* Fatal signals: only the screen is restored. */
static const int faults[] = { SIGABRT, SIGSEGV, SIGBUS,	 SIGILL, SIGFPE,
			      SIGQUIT, SIGSYS,	SIGXCPU, SIGTRAP };
#define N_FAULTS (sizeof(faults) / sizeof(faults[0]))

/* Read by a signal handler: written only before armed is set. */
static volatile sig_atomic_t armed;
static int saved_fd;
static struct termios saved_modes;
static char leave_text[256];
static size_t leave_size;
static struct sigaction before[N_FAULTS];
static char handler_stack[65536];
static bool at_exit, caught;
static void (*volatile on_fault_too)(void); /* NULL: none */

static void write_all(int fd, const char *bytes, size_t n)
{
	int tries = 0;

	while (n && tries < 5) {
		ssize_t sent = write(fd, bytes, n);

		if (sent > 0) {
			bytes += sent;
			n -= (size_t)sent;
		} else if (errno == EAGAIN) {
			struct pollfd wait = { .fd = fd, .events = POLLOUT };

			poll(&wait, 1, 100);
			tries++;
		} else if (errno != EINTR) {
			return;
		}
	}
}

/*
 * Restores the modes at once, without TCSAFLUSH: output of the dying program must not be discarded.
 * A background process does not touch the terminal: it would be stopped, and the shell has set it
 * anyway.
 */
void term_emergency(void)
{
	int saved_errno = errno;

	if (armed) {
		armed = 0;
		write_all(saved_fd, leave_text, leave_size);
		tcsetattr(saved_fd, TCSANOW, &saved_modes);
	}
	errno = saved_errno;
}

/*
 * Reinstalls the previous handler (a sanitizer's, or the default). A fault recurs on return; a
 * signal that was sent is sent again.
 */
static void on_fault(int sig, siginfo_t *info, void *context)
{
	(void)context;
	term_emergency();
	if (on_fault_too)
		on_fault_too();
	for (size_t i = 0; i < N_FAULTS; i++) {
		if (faults[i] == sig)
			sigaction(sig, &before[i], NULL);
	}
	if (!info || info->si_code <= 0 || sig == SIGQUIT || sig == SIGXCPU)
		raise(sig);
}

void term_on_fault(void (*fn)(void))
{
	on_fault_too = fn;
}

static int go_raw(void)
{
	struct termios modes = saved_modes;

	modes.c_iflag &= ~(tcflag_t)(IGNBRK | BRKINT | PARMRK | ISTRIP | INLCR | IGNCR | ICRNL |
				     IXON);
	modes.c_oflag &= ~(tcflag_t)OPOST;
	modes.c_lflag &= ~(tcflag_t)(ECHO | ECHONL | ICANON | ISIG | IEXTEN);
	modes.c_cflag &= ~(tcflag_t)(CSIZE | PARENB);
	modes.c_cflag |= CS8;
	modes.c_cc[VMIN] = 1;
	modes.c_cc[VTIME] = 0;
	return tcsetattr(saved_fd, TCSANOW, &modes) < 0 ? -errno : 0;
}

static void handle_faults(void)
{
	stack_t stack = { .ss_sp = handler_stack, .ss_size = sizeof(handler_stack) };
	struct sigaction action = { .sa_flags = SA_SIGINFO | SA_ONSTACK };
	stack_t old;

	/* Stack overflows need an alternate stack. Sanitizers install their own. */
	if (sigaltstack(NULL, &old) == 0 && old.ss_flags & SS_DISABLE)
		sigaltstack(&stack, NULL);
	action.sa_sigaction = on_fault;
	sigfillset(&action.sa_mask);
	for (size_t i = 0; i < N_FAULTS; i++)
		sigaction(faults[i], &action, &before[i]);
	caught = true;
}

/* Restores, and removes the handlers. */
static void restore_disarm(void)
{
	term_emergency();
	for (size_t i = 0; caught && i < N_FAULTS; i++)
		sigaction(faults[i], &before[i], NULL);
	caught = false;
}

/* Saves the modes, sets raw mode. One terminal per process. */
static int restore_arm(int fd, const char *leave, struct ptui_error *err)
{
	int rc;

	saved_fd = fd;
	leave_size = strlen(leave);
	memcpy(leave_text, leave, leave_size + 1);
	if (tcgetattr(fd, &saved_modes) < 0)
		return ptui_error_errno(err, errno, "/dev/tty",
					_("cannot read the terminal modes"));
	if (!at_exit && atexit(term_emergency))
		return ptui_error_nomem(err);
	at_exit = true;
	handle_faults();
	armed = 1;
	rc = go_raw();
	if (rc < 0) {
		restore_disarm();
		return ptui_error_errno(err, -rc, "/dev/tty", _("cannot set the terminal modes"));
	}
	return 0;
}

/* ---- the terminal ---- */

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
	*rows = *rows < SIDE_MAX ? *rows : SIDE_MAX;
	*cols = *cols < SIDE_MAX ? *cols : SIDE_MAX;
}

/* Resizes the grid to the terminal. 0, 1: unchanged, -ENOMEM. */
static int term_take_size(struct term *t)
{
	int rows, cols, rc;

	read_size(t->fd, &rows, &cols);
	if (t->grid->rows == rows && t->grid->cols == cols && t->drawn)
		return 1;
	rc = curses_resize(t, rows, cols);
	return rc < 0 ? rc : grid_resize(t->grid, rows, cols);
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

/* Appends to the bytes to send. 0 or -ENOMEM. */
static int term_send(struct term *t, const char *text)
{
	size_t n = strlen(text);

	if (vec_grow(&t->bytes, &t->cap_bytes, t->n_bytes + n + 1))
		return -ENOMEM;
	memcpy(t->bytes + t->n_bytes, text, n);
	t->n_bytes += n;
	return 0;
}

bool term_wants_write(const struct term *t)
{
	return !t->hung_up && t->sent < t->n_bytes;
}

int term_flush(struct term *t)
{
	while (term_wants_write(t)) {
		ssize_t sent = write(t->fd, t->bytes + t->sent, t->n_bytes - t->sent);

		if (sent >= 0)
			t->sent += (size_t)sent;
		else if (errno == EAGAIN)
			return 0;
		else if (errno != EINTR)
			t->hung_up = true;
	}
	t->sent = t->n_bytes = 0;
	return t->hung_up ? -EIO : 0;
}

/* Sets the modes for drawing and input. */
static int term_enter(struct term *t)
{
	int rc = term_send(t, t->enter);

	t->forget = true;
	return rc ? rc : term_flush(t);
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
	t->theme = pick_theme(opts);
	rc = curses_open(t, !opts->no_mouse, err);
	if (rc < 0)
		return rc;
	t->grid = grid_new(1, 1);
	if (!t->grid || term_take_size(t) < 0)
		return ptui_error_nomem(err);
	t->grid->ascii_text = !utf8;
	t->grid->ascii_art = !utf8 || opts->ascii || env_is_on("PTUI_ASCII");
	rc = restore_arm(t->fd, t->leave, err);
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
	t->fd = t->out_fd = -1;
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
		curses_close(t);
	}
	grid_free(t->grid);
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

int term_paint(struct term *t)
{
	uint64_t begin = loop_now_ns();
	size_t bytes;
	int rc;

	if (t->hung_up)
		return -EIO;
	if (term_wants_write(t))
		return 0;
	curses_draw(t);
	bytes = t->n_bytes;
	rc = term_flush(t);
	if (bytes) {
		t->stats.paints++;
		t->stats.bytes += bytes;
		t->stats.paint_ns += loop_now_ns() - begin;
	}
	return rc;
}

static bool has_hung_up(const struct term *t)
{
	struct pollfd poll_fd = { .fd = t->fd };

	return poll(&poll_fd, 1, 0) > 0;
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
	if (!t->hung_up && input_next(&t->input, ret) == 0)
		return 0;
	t->hung_up |= has_hung_up(t);
	if (t->hung_up && !t->hangup_reported) {
		t->hangup_reported = true;
		ret->kind = TERM_HANGUP;
		return 0;
	}
	return t->hung_up ? -EIO : 1;
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
	t->sent = t->n_bytes = 0;
	term_emergency();
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
	armed = 1;
	(void)go_raw();
	term_enter(t);
	term_check_size(t);
	t->resumed = true;
}

/* `to` has room for 4 bytes per 3 of the text, rounded up, and the NUL. */
static void put_base64(char *to, const char *text)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	size_t n = strlen(text), i;

	for (i = 0; i < n; i += 3) {
		uint32_t bits = (uint32_t)(unsigned char)text[i] << 16;

		if (i + 1 < n)
			bits |= (uint32_t)(unsigned char)text[i + 1] << 8;
		if (i + 2 < n)
			bits |= (unsigned char)text[i + 2];
		*to++ = digits[bits >> 18 & 63];
		*to++ = digits[bits >> 12 & 63];
		*to++ = i + 1 < n ? digits[bits >> 6 & 63] : '=';
		*to++ = i + 2 < n ? digits[bits & 63] : '=';
	}
	*to = '\0';
}

int term_copy(struct term *t, const char *text)
{
	char coded[65536 / 3 * 4 + 8];

	if (strlen(text) > 65536)
		return -E2BIG;
	put_base64(coded, text);
	if (term_send(t, "\033]52;c;") || term_send(t, coded) || term_send(t, "\a"))
		return -ENOMEM;
	return term_flush(t);
}

void term_get_stats(const struct term *t, struct term_stats *ret)
{
	*ret = t->stats;
}
