/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Restores the terminal on every way out, including fatal signals. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "term/private.h"
#include "text/i18n.h"

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
 * Reinstalls the previous handler (a sanitizer's, or the default). A fault recurs on return; a
 * signal that was sent is sent again.
 */
static void on_fault(int sig, siginfo_t *info, void *context)
{
	(void)context;
	restore_now();
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
	handle_faults();
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
	restore_now();
	for (size_t i = 0; caught && i < N_FAULTS; i++)
		sigaction(faults[i], &before[i], NULL);
	caught = false;
}
