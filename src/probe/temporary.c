/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A probe that a counter uses cannot be removed (EBUSY), and the kernel closes counters after their process
 * has ended, or in a child that has the last file descriptors. So what is in use is left to a child process,
 * which has no descriptors and no ring buffers of its own, and tries until it succeeds.
 *
 * The table is only appended to, and read by a signal handler and by the child: lines as they are written.
 */
#include "probe/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/i18n.h"
#include "event/probe_owner.h"
#include "ptui/probe.h"

#define PROBES_MAX 512
#define LINE_MAX_  (PROBE_OWNER_MAX + PROBE_NAME_MAX + 8)
#define TRY_MS	   20
#define TRIES	   1500 /* half a minute */

static struct {
	char lists[2][PATH_MAX]; /* kprobe_events, uprobe_events */
	struct {
		char line[LINE_MAX_]; /* "-:GROUP/NAME" */
		bool is_uprobe;
		bool removed;
		atomic_bool ready;
	} v[PROBES_MAX];
	atomic_size_t n;
	atomic_bool ended;
	bool at_exit;
	pid_t pid; /* of this process, not of its children */
} own;

const char *probe_temporary_group(struct arena *mem, struct ptui_error *err)
{
	struct probe_owner owner;
	char group[PROBE_OWNER_MAX];
	int error = probe_owner_of(&roots_system, 0, &owner);
	const char *ret = error ? NULL : arena_strdup(mem, probe_owner_group(&owner, group));

	if (error)
		ptui_error_errno(err, -error, roots_system.proc,
				 _("cannot read the start time of this process"));
	else if (!ret)
		ptui_error_nomem(err);
	return ret;
}

static void on_fatal_signal(int number)
{
	if (getpid() == own.pid)
		ptui_probes_fault();
	raise(number);
}

/* Those that end the process at once. Others are followed by an exit, as on the screens, or by term_on_fault(). */
static void handle_fatal_signals(void)
{
	static const int fatal[] = { SIGHUP,  SIGINT,  SIGQUIT, SIGILL,	 SIGTRAP, SIGABRT,
				     SIGBUS,  SIGFPE,  SIGSEGV, SIGPIPE, SIGALRM, SIGTERM,
				     SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ };
	const struct sigaction action = { .sa_handler = on_fatal_signal,
					  .sa_flags = (int)(SA_RESETHAND | SA_NODEFER) };
	struct sigaction old;

	own.pid = getpid();
	for (size_t i = 0; i < sizeof(fatal) / sizeof(*fatal); i++)
		if (!sigaction(fatal[i], NULL, &old) && !(old.sa_flags & SA_SIGINFO) &&
		    old.sa_handler == SIG_DFL)
			sigaction(fatal[i], &action, NULL);
}

int probe_temporary_note(const char *tracefs, const struct probe_event *e, struct ptui_error *err)
{
	size_t i;

	if (atomic_load(&own.ended))
		return ptui_error_set(err, PTUI_ERROR_SYSTEM, ECANCELED, e->event,
				      _("ptui is exiting"));
	if (!own.at_exit && atexit(ptui_probes_remove))
		return ptui_error_nomem(err);
	if (!own.at_exit)
		handle_fatal_signals();
	own.at_exit = true;
	i = atomic_load(&own.n);
	if (i >= PROBES_MAX)
		return ptui_error_set(err, PTUI_ERROR_INPUT, ENOSPC, e->event,
				      _("too many probes (at most %d)"), PROBES_MAX);
	snprintf(own.lists[0], sizeof(own.lists[0]), "%s/kprobe_events", tracefs);
	snprintf(own.lists[1], sizeof(own.lists[1]), "%s/uprobe_events", tracefs);
	snprintf(own.v[i].line, sizeof(own.v[i].line), "-:%s/%s", e->group, e->event);
	own.v[i].is_uprobe = e->is_uprobe;
	atomic_store(&own.v[i].ready, true);
	atomic_store(&own.n, i + 1);
	return 0;
}

/* The rest is used by a signal handler and its child: only system calls. */

/* True: it is gone. */
static bool remove_one(size_t i)
{
	int fd = open(own.lists[own.v[i].is_uprobe], O_WRONLY | O_APPEND | O_CLOEXEC);
	size_t n = strlen(own.v[i].line);
	bool busy = fd >= 0 && write(fd, own.v[i].line, n) < 0 && errno == EBUSY;

	if (fd >= 0)
		close(fd);
	return !busy;
}

/* False: some are in use. */
static bool remove_all(void)
{
	size_t n = atomic_load(&own.n);
	bool all = true;

	for (size_t i = 0; i < n; i++) {
		if (!atomic_load(&own.v[i].ready) || own.v[i].removed)
			continue;
		own.v[i].removed = remove_one(i);
		all = all && own.v[i].removed;
	}
	return all;
}

static pid_t fork_in_handler(void)
{
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 34)
	return _Fork(); /* runs no handlers of pthread_atfork(), which may wait for a lock */
#else
	return fork();
#endif
}

static void close_all(void)
{
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 34)
	if (!close_range(0, UINT_MAX, 0))
		return;
#endif
	for (int fd = 0; fd < 65536; fd++)
		close(fd);
}

/* In a process that nothing waits for, and that the terminal's signals do not reach. */
static void remove_in_child(void)
{
	static const int ignored[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
	pid_t pid = fork_in_handler();

	if (pid)
		return;
	setsid();
	for (size_t i = 0; i < sizeof(ignored) / sizeof(*ignored); i++)
		signal(ignored[i], SIG_IGN);
	close_all();
	for (int tries = 0; tries < TRIES && !remove_all(); tries++)
		poll(NULL, 0, TRY_MS);
	_exit(0);
}

void ptui_probes_remove(void)
{
	atomic_store(&own.ended, true);
	if (!remove_all())
		remove_in_child();
}

void ptui_probes_fault(void)
{
	if (atomic_exchange(&own.ended, true) || !atomic_load(&own.n))
		return;
	remove_in_child();
}
