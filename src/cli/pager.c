/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/buf.h"
#include "base/i18n.h"
#include "cli/out.h"
#include "cli/pager.h"

static struct {
	pid_t pid;			/* 0: not running */
	int saved_stdout, saved_stderr; /* the terminal; -1: unchanged */
	struct sigaction old_int, old_quit, old_pipe;
} pager = { .saved_stdout = -1, .saved_stderr = -1 };

/* Is there such a program in PATH? Only for a single plain word. */
static bool can_be_found(const char *word, size_t len)
{
	const char *path = getenv("PATH");
	struct buf full = BUF_INIT;
	bool found = false;

	if (memchr(word, '/', len)) {
		buf_add(&full, word, len);
		found = !access(buf_str(&full), X_OK);
		path = NULL;
	}
	while (path && *path && !found) {
		size_t n = strcspn(path, ":");

		buf_clear(&full);
		buf_add(&full, path, n);
		buf_add_char(&full, '/');
		buf_add(&full, word, len);
		found = !access(buf_str(&full), X_OK);
		path += n + (path[n] == ':');
	}
	buf_release(&full);
	return found;
}

/* The shell command, or NULL for no pager. */
static const char *pager_choose(const struct cli *cli)
{
	const char *want = getenv("PTUI_PAGER"), *term = getenv("TERM");
	size_t n;

	if (!want)
		want = getenv("PAGER");
	/* less waits there until a warning is confirmed */
	if (!want && !cli->paginate && (!term || !strcmp(term, "dumb")))
		return NULL;
	if (!want)
		return can_be_found("less", 4) ? "less" : NULL;
	if (!*want || !strcmp(want, "cat"))
		return NULL;
	/* else the output would be replaced by "command not found" */
	n = strcspn(want, " \t");
	if (!strpbrk(want, "\"'$`\\;&|<>(){}*?[]~=") && !can_be_found(want, n)) {
		cli_warn(cli, _("pager '%s' not found; continuing without one"), want);
		return NULL;
	}
	return want;
}

/* Runs in the child. */
static void pager_exec(const char *command, int in)
{
	static const int defaults[] = { SIGINT, SIGQUIT, SIGPIPE };

	for (size_t i = 0; i < sizeof(defaults) / sizeof(*defaults); i++)
		signal(defaults[i], SIG_DFL);
	if (dup2(in, STDIN_FILENO) < 0)
		_exit(127);
	setenv("LESS", "FRSX", 0);
	execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(127);
}

/* Redirects stdout, and stderr if it is a terminal, to `fd`. */
static void pager_redirect(int fd)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN };

	fflush(stdout);
	pager.saved_stdout = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	dup2(fd, STDOUT_FILENO);
	/* warnings would be hidden by a full-screen pager */
	if (isatty(STDERR_FILENO)) {
		pager.saved_stderr = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
		dup2(fd, STDERR_FILENO);
	}
	sigaction(SIGINT, &ignore, &pager.old_int);
	sigaction(SIGQUIT, &ignore, &pager.old_quit);
	sigaction(SIGPIPE, &ignore, &pager.old_pipe);
}

void pager_start(const struct cli *cli)
{
	const char *command;
	int fds[2];

	if (pager.pid || cli->no_pager || !(cli->paginate || isatty(STDOUT_FILENO)))
		return;
	command = pager_choose(cli);
	if (!command || pipe2(fds, O_CLOEXEC))
		return;
	fflush(stdout);
	pager.pid = fork();
	if (!pager.pid)
		pager_exec(command, fds[0]);
	close(fds[0]);
	if (pager.pid > 0)
		pager_redirect(fds[1]);
	else
		pager.pid = 0; /* fork() failed: print without a pager */
	close(fds[1]);
}

bool pager_runs(void)
{
	return pager.pid;
}

/* Points `fd` to the terminal again. */
static void pager_restore(int fd, int *saved)
{
	if (*saved < 0)
		return;
	dup2(*saved, fd);
	close(*saved);
	*saved = -1;
}

void pager_finish(void)
{
	if (!pager.pid)
		return;
	/* output that a quit pager did not read is discarded */
	if (fflush(stdout) || ferror(stdout)) {
		__fpurge(stdout);
		clearerr(stdout);
	}
	pager_restore(STDOUT_FILENO, &pager.saved_stdout);
	pager_restore(STDERR_FILENO, &pager.saved_stderr);
	while (waitpid(pager.pid, NULL, 0) < 0 && errno == EINTR)
		;
	pager.pid = 0;
	sigaction(SIGINT, &pager.old_int, NULL);
	sigaction(SIGQUIT, &pager.old_quit, NULL);
	sigaction(SIGPIPE, &pager.old_pipe, NULL);
}

int pager_print(const struct cli *cli, struct buf *text)
{
	int status = text->err ? cli_nomem(cli) : CLI_OK;

	if (!status) {
		pager_start(cli);
		cli_put(text); /* a failure is reported at exit */
		pager_finish();
	}
	buf_release(text);
	return status;
}
