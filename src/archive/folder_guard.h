/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Removes what is unfinished or temporary when this process is killed. A signal handler cannot remove a
 * folder, and SIGKILL has none: so a child process waits for the end of a connection.
 *
 *	ptui ----[ socket ]----> guard	end of file: ptui ended, remove
 *					a byte: ptui has finished, leave everything
 */
#ifndef ARCHIVE_FOLDER_GUARD_H
#define ARCHIVE_FOLDER_GUARD_H

#include <sys/types.h>

struct folder_guard {
	int fd; /* the end to write to; -1: no guard */
	pid_t pid;
};

#define FOLDER_GUARD_INIT \
	{                 \
		.fd = -1  \
	}

/*
 * Guards a folder with its contents, and a file; `file` may be NULL. Only while the process has one
 * thread. Without memory or processes there is no guard.
 */
void folder_guard_start(struct folder_guard *g, const char *folder, const char *file);
/* Ends the guard, which removes nothing. Does nothing without a guard. */
void folder_guard_end(struct folder_guard *g);

#endif
