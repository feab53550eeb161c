/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pty.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utmp.h>

#include "screen/harness/keeper.h"

static void set_environment(const struct screen_opts *opts)
{
	size_t i;

	/* Settings of the user who runs the tests must not affect the pictures. */
	static const char *const unset[] = { "NO_COLOR",   "COLORTERM", "PTUI_THEME", "PTUI_ASCII",
					     "PTUI_DEBUG", "LINES",	"COLUMNS",    "LANGUAGE" };

	for (i = 0; i < sizeof(unset) / sizeof(unset[0]); i++)
		unsetenv(unset[i]);
	setenv("TERM", opts->term ? opts->term : "xterm-256color", 1);
	setenv("LC_ALL", opts->locale ? opts->locale : "C.UTF-8", 1);
	setenv("TZ", "UTC", 1);
	for (i = 0; opts->env && opts->env[i]; i++) {
		if (strchr(opts->env[i], '='))
			putenv((char *)opts->env[i]);
		else
			unsetenv(opts->env[i]);
	}
}

/*
 * The program: in a process group of its own, in the foreground, with default signal dispositions.
 */
static void __attribute__((noreturn)) run_program(const struct screen_opts *opts)
{
	const struct rlimit no_core = { 0, 0 };
	sigset_t none;
	int sig;

	setpgid(0, 0);
	tcsetpgrp(STDIN_FILENO, getpgrp());
	for (sig = 1; sig < 32; sig++)
		signal(sig, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	set_environment(opts);
	setrlimit(RLIMIT_CORE, &no_core); /* it may crash on purpose */
	if (opts->folder && chdir(opts->folder))
		_exit(126);
	if (opts->user && (setgroups(0, NULL) || setresgid(opts->user, opts->user, opts->user) ||
			   setresuid(opts->user, opts->user, opts->user)))
		_exit(126);
	execvp(opts->argv[0], (char *const *)opts->argv);
	_exit(127);
}

static void say(int words, pid_t pid, int status)
{
	struct keeper_word word = { pid, status };

	if (write(words, &word, sizeof(word)) != (ssize_t)sizeof(word))
		_exit(1);
}

/*
 * The session: the program in the foreground; when it stops or exits, the keeper. The keeper holds
 * the terminal open until the test releases it.
 */
static void __attribute__((noreturn)) keep(const struct screen_opts *opts, int words, int orders)
{
	int status;
	pid_t pid;
	char order;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGHUP, SIG_IGN);
	signal(SIGTTOU, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	pid = fork();
	if (pid == 0)
		run_program(opts);
	if (pid < 0)
		_exit(1);
	setpgid(pid, pid);
	say(words, pid, -1);
	while (waitpid(pid, &status, WUNTRACED) == pid) {
		tcsetpgrp(STDIN_FILENO, getpgrp());
		say(words, pid, status);
		if (!WIFSTOPPED(status))
			break;
		if (read(orders, &order, 1) != 1)
			break;
		tcsetpgrp(STDIN_FILENO, pid);
		kill(-pid, SIGCONT);
	}
	while (read(orders, &order, 1) == 1)
		;
	kill(-pid, SIGKILL);
	_exit(0);
}

int keeper_start(struct keeper *k, const struct screen_opts *opts)
{
	struct winsize size = {
		.ws_row = (unsigned short)(opts->rows ? opts->rows : 24),
		.ws_col = (unsigned short)(opts->cols ? opts->cols : 80),
	};
	int words[2], orders[2], slave;

	if (pipe2(words, O_CLOEXEC) < 0 || pipe2(orders, O_CLOEXEC) < 0 ||
	    openpty(&k->pty, &slave, NULL, NULL, &size) < 0 || tcgetattr(slave, &k->modes) < 0)
		return -errno;
	fcntl(k->pty, F_SETFD, FD_CLOEXEC);
	k->pid = fork();
	if (k->pid < 0)
		return -errno;
	if (k->pid == 0) {
		close(k->pty);
		close(words[0]);
		close(orders[1]);
		if (login_tty(slave) < 0)
			_exit(1);
		keep(opts, words[1], orders[0]);
	}
	close(slave);
	close(words[1]);
	close(orders[0]);
	k->words = words[0];
	k->orders = orders[1];
	fcntl(k->pty, F_SETFL, O_NONBLOCK);
	return 0;
}
