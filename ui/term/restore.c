/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The terminal is given back on every way out, also by a handler of a signal that ends us. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "term/private.h"
#include "text/i18n.h"

/* The faults of a program: nothing can be finished after them but the screen. */
static const int faults[] = { SIGABRT, SIGSEGV, SIGBUS,	 SIGILL, SIGFPE,
			      SIGQUIT, SIGSYS,	SIGXCPU, SIGTRAP };
#define N_FAULTS (sizeof(faults) / sizeof(faults[0]))

/* A handler sees these: written before armed is set, and only there. */
static volatile sig_atomic_t armed;
static int saved_fd;
static struct termios saved_modes;
static char leave_text[256];
static size_t leave_size;
static struct sigaction before[N_FAULTS];
static char handler_stack[65536];
static bool at_exit, caught;

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
 * Of the modes alone, at once: what a command prints while it dies must not be thrown away.
 * A process in the background would be stopped for touching its terminal: then the shell has it.
 */
void restore_now(void)
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
 * Whoever had the signal before (a sanitizer, or the kernel) has it now. A fault happens again
 * when we return; one that was sent is sent again.
 */
static void on_fault(int sig, siginfo_t *info, void *context)
{
	size_t i;

	(void)context;
	restore_now();
	for (i = 0; i < N_FAULTS; i++) {
		if (faults[i] == sig)
			sigaction(sig, &before[i], NULL);
	}
	if (!info || info->si_code <= 0 || sig == SIGQUIT || sig == SIGXCPU)
		raise(sig);
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

static void catch_faults(void)
{
	stack_t stack = { .ss_sp = handler_stack, .ss_size = sizeof(handler_stack) };
	struct sigaction action = { .sa_flags = SA_SIGINFO | SA_ONSTACK };
	stack_t old;
	size_t i;

	/* A stack that ran over is a fault too. A sanitizer brings a stack of its own. */
	if (sigaltstack(NULL, &old) == 0 && old.ss_flags & SS_DISABLE)
		sigaltstack(&stack, NULL);
	action.sa_sigaction = on_fault;
	sigfillset(&action.sa_mask);
	for (i = 0; i < N_FAULTS; i++)
		sigaction(faults[i], &action, &before[i]);
	caught = true;
}

int restore_arm(int fd, const char *leave, struct ptui_error *err)
{
	int rc;

	saved_fd = fd;
	leave_size = strlen(leave);
	memcpy(leave_text, leave, leave_size + 1);
	if (tcgetattr(fd, &saved_modes) < 0)
		return ptui_error_errno(err, errno, "/dev/tty",
					_("cannot read the terminal modes"));
	if (!at_exit && atexit(restore_now))
		return ptui_error_nomem(err);
	at_exit = true;
	catch_faults();
	armed = 1;
	rc = go_raw();
	if (rc < 0) {
		restore_disarm();
		return ptui_error_errno(err, -rc, "/dev/tty", _("cannot set the terminal modes"));
	}
	return 0;
}

int restore_again(void)
{
	armed = 1;
	return go_raw();
}

void restore_disarm(void)
{
	size_t i;

	restore_now();
	for (i = 0; caught && i < N_FAULTS; i++)
		sigaction(faults[i], &before[i], NULL);
	caught = false;
}
