/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keys without Enter. Restores the user's terminal on every way out: at the end, by a fatal signal,
 * and while stopped (^Z).
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include "cli/option.h"
#include "cli/top/top.h"

#define ROWS_MAX     65535
#define DEFAULT_ROWS 25
#define DEFAULT_COLS 80

static struct termios before, quiet;
static volatile sig_atomic_t is_open, is_quiet;

/* Changing it from the background would stop ptui. */
static bool is_ours(void)
{
	return tcgetpgrp(STDIN_FILENO) == getpgrp();
}

static void set(bool to_quiet)
{
	if (is_open && is_ours())
		tcsetattr(STDIN_FILENO, TCSANOW, to_quiet ? &quiet : &before);
}

static void on_stop(int number)
{
	struct sigaction plain = { .sa_handler = SIG_DFL }, ours;
	int saved = errno;
	sigset_t one;

	set(false);
	sigaction(number, &plain, &ours);
	sigemptyset(&one);
	sigaddset(&one, number);
	raise(number);
	/* stops here until SIGCONT */
	sigprocmask(SIG_UNBLOCK, &one, NULL);
	sigaction(number, &ours, NULL);
	set(is_quiet);
	errno = saved;
}

/* After fg; not after bg, while in the background. */
static void on_continue(int number)
{
	int saved = errno;

	(void)number;
	set(is_quiet);
	errno = saved;
}

bool top_terminal_open(void)
{
	struct sigaction stop = { .sa_handler = on_stop, .sa_flags = SA_RESTART };
	struct sigaction go_on = { .sa_handler = on_continue, .sa_flags = SA_RESTART };

	if (!isatty(STDIN_FILENO) || !is_ours() || tcgetattr(STDIN_FILENO, &before))
		return false;
	quiet = before;
	quiet.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	quiet.c_cc[VMIN] = 1;
	quiet.c_cc[VTIME] = 0;
	is_open = is_quiet = true;
	sigaction(SIGTSTP, &stop, NULL);
	sigaction(SIGCONT, &go_on, NULL);
	set(true);
	return true;
}

void top_terminal_close(void)
{
	set(false);
	is_open = false;
}

void top_terminal_lines(bool lines)
{
	is_quiet = !lines;
	set(!lines);
}

/* LINES and COLUMNS take precedence, as in perf. */
static unsigned from_env(const char *name)
{
	const char *text = getenv(name);
	uint64_t value;

	return text && !option_number(text, 1, ROWS_MAX, &value) ? (unsigned)value : 0;
}

void top_terminal_size(unsigned *ret_rows, unsigned *ret_cols)
{
	struct winsize size = { 0 };

	*ret_rows = from_env("LINES");
	*ret_cols = from_env("COLUMNS");
	if (*ret_rows && *ret_cols)
		return;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || !size.ws_row || !size.ws_col) {
		size.ws_row = DEFAULT_ROWS;
		size.ws_col = DEFAULT_COLS;
	}
	*ret_rows = size.ws_row;
	*ret_cols = size.ws_col;
}
