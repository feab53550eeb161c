/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "archive/folder_guard.h"

#include <errno.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include "archive/archive.h"

/* Signals that a terminal or a job control sends to all of ptui's processes are ptui's to handle. */
static void detach_guard(int fd)
{
	static const int ignored[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE };

	setsid();
	for (size_t i = 0; i < sizeof(ignored) / sizeof(*ignored); i++)
		signal(ignored[i], SIG_IGN);
	/* who reads or writes ptui's files does not wait for the guard */
	dup2(fd, STDIN_FILENO);
	close_range(STDERR_FILENO + 1, ~0u, 0);
	close(STDOUT_FILENO);
	close(STDERR_FILENO);
}

static _Noreturn void run_guard(int fd, const char *folder, const char *file)
{
	char byte;
	ssize_t n;

	detach_guard(fd);
	send(STDIN_FILENO, "", 1, MSG_NOSIGNAL);
	do
		n = read(STDIN_FILENO, &byte, 1);
	while (n < 0 && errno == EINTR);
	if (!n) {
		if (file)
			unlink(file);
		archive_remove_folder(folder);
	}
	_exit(0);
}

void folder_guard_start(struct folder_guard *g, const char *folder, const char *file)
{
	int fds[2];
	char byte;

	g->fd = -1;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds))
		return;
	g->pid = fork();
	if (!g->pid)
		run_guard(fds[0], folder, file);
	close(fds[0]);
	if (g->pid < 0) {
		close(fds[1]);
		return;
	}
	g->fd = fds[1];
	/* until it has detached itself: a signal to both would end both */
	while (read(g->fd, &byte, 1) < 0 && errno == EINTR)
		;
}

void folder_guard_end(struct folder_guard *g)
{
	if (g->fd < 0)
		return;
	while (send(g->fd, "", 1, MSG_NOSIGNAL) < 0 && errno == EINTR)
		;
	close(g->fd);
	g->fd = -1;
	while (waitpid(g->pid, NULL, 0) < 0 && errno == EINTR)
		;
}
