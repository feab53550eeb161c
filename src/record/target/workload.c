/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/file.h"
#include "base/i18n.h"
#include "kernel/ops.h"
#include "record/target/workload.h"

void workload_init(struct workload *w)
{
	*w = (struct workload){
		.go_fd = -1, .exec_fd = -1, .pid_fd = -1, .status = -1, .terminal_fd = -1
	};
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* Between fork and exec only async-signal-safe calls: the process may be multithreaded. */
static _Noreturn void workload_child(char *const *argv, int go_fd, int exec_fd, int terminal_fd,
				     bool stdout_aside)
{
	ssize_t got;
	char go;
	int errnum;

	if (stdout_aside && dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
		_exit(126);
	if (terminal_fd >= 0 &&
	    (setsid() < 0 || ioctl(terminal_fd, TIOCSCTTY, 0) || dup2(terminal_fd, 0) < 0 ||
	     dup2(terminal_fd, 1) < 0 || dup2(terminal_fd, 2) < 0))
		_exit(126);
	do {
		got = read(go_fd, &go, 1);
	} while (got < 0 && errno == EINTR);
	if (got != 1)
		_exit(0);
	execvp(argv[0], argv);
	errnum = errno;
	do {
		got = write(exec_fd, &errnum, sizeof(errnum));
	} while (got < 0 && errno == EINTR);
	_exit(127);
}

int workload_set_size(struct workload *w, unsigned short rows, unsigned short cols)
{
	struct winsize size = { .ws_row = rows, .ws_col = cols };

	if (w->terminal_fd < 0)
		return 0;
	return ioctl(w->terminal_fd, TIOCSWINSZ, &size) ? -errno : 0;
}

/* *ret_slave is the workload's side. */
static int open_terminal(struct workload *w, int *ret_slave, struct ptui_error *err)
{
	int fd = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
	int unlocked = 0;

	w->terminal_fd = fd;
	if (fd >= 0 && !ioctl(fd, TIOCSPTLCK, &unlocked) && !workload_set_size(w, w->rows, w->cols))
		*ret_slave = ioctl(fd, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (*ret_slave < 0)
		return ptui_error_errno(err, errno, "/dev/ptmx",
					_("cannot create a pseudo-terminal for the command"));
	return 0;
}

int workload_fork(struct workload *w, char *const *argv, struct ptui_error *err)
{
	int go[2] = { -1, -1 }, exec[2] = { -1, -1 }, slave = -1;
	int ret = 0;
	pid_t pid;

	/* a socket: writing to a killed child must not raise SIGPIPE */
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, go) || pipe2(exec, O_CLOEXEC)) {
		ret = ptui_error_errno(err, errno, argv[0], _("cannot create a pipe for %s"),
				       argv[0]);
		goto out;
	}
	if (w->own_terminal)
		ret = open_terminal(w, &slave, err);
	if (ret)
		goto out;
	pid = fork();
	if (pid < 0) {
		ret = ptui_error_errno(err, errno, argv[0], _("cannot start a process for %s"),
				       argv[0]);
		goto out;
	}
	if (!pid) {
		/* ptui's end: the child must see EOF when ptui dies */
		close(go[1]);
		workload_child(argv, go[0], exec[1], slave, w->stdout_aside);
	}
	w->pid = pid;
	w->running = true;
	w->go_fd = go[1];
	w->exec_fd = exec[0];
	w->pid_fd = kernel_pidfd_open(pid);
	go[1] = exec[0] = -1;
out:
	close_fd(&go[0]);
	close_fd(&go[1]);
	close_fd(&exec[0]);
	close_fd(&exec[1]);
	close_fd(&slave);
	return ret;
}

int workload_cannot_run(const char *name, int errnum, struct ptui_error *err)
{
	int ret = ptui_error_errno(err, errnum, name, _("cannot run %s"), name);

	if (errnum == EACCES)
		ptui_error_hint(err, _("not executable: chmod +x"));
	else if (errnum == ENOENT && *name && !name[strspn(name, "0123456789")])
		/* -p $(pgrep NAME) is several words */
		ptui_error_hint(err, _("put commas between the IDs of several processes, as "
				       "'pgrep -d, NAME' does"));
	else if (errnum == ENOENT && !strchr(name, '/'))
		ptui_error_hint(err,
				_("not found in PATH; use ./%s for a program in this directory"),
				name);
	return ret;
}

int workload_start(struct workload *w, const char *name, struct ptui_error *err)
{
	int errnum = 0, ret;
	ssize_t got;

	ret = send(w->go_fd, "g", 1, MSG_NOSIGNAL) == 1 ? 0 : -errno;
	close_fd(&w->go_fd);
	if (ret) {
		workload_ended(w, true);
		return ptui_error_set(err, PTUI_ERROR_SYSTEM, -ret, name,
				      _("the process for %s was killed before it could execute "
					"the command"),
				      name);
	}
	got = file_read_full(w->exec_fd, &errnum, sizeof(errnum));
	close_fd(&w->exec_fd);
	if (got != sizeof(errnum))
		return 0;
	workload_ended(w, true);
	return workload_cannot_run(name, errnum, err);
}

int workload_signal(const struct workload *w, int sig)
{
	return kill(w->terminal_fd >= 0 ? -w->pid : w->pid, sig) ? -errno : 0;
}

bool workload_ended(struct workload *w, bool block)
{
	int status;
	pid_t got;

	if (!w->pid)
		return false;
	if (!w->running)
		return true;
	do {
		got = waitpid(w->pid, &status, block ? 0 : WNOHANG);
	} while (got < 0 && errno == EINTR);
	if (!got)
		return false;
	/* ECHILD: SIGCHLD is ignored, so the kernel kept no status */
	w->status = got == w->pid ? status : -1;
	w->running = false;
	return true;
}

void workload_release(struct workload *w)
{
	bool held = w->go_fd >= 0;

	/* a held child exits when it reads EOF */
	close_fd(&w->go_fd);
	close_fd(&w->exec_fd);
	if (w->pid && w->running) {
		if (held || !workload_signal(w, SIGKILL))
			workload_ended(w, true);
	}
	close_fd(&w->pid_fd);
	close_fd(&w->terminal_fd);
}
