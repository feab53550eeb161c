/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "base/file.h"

/* O_PATH: does not open a FIFO or device before its type is known. */
static int path_in_root(const char *root, const char *path)
{
	struct open_how how;
	int dir = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC), fd;

	if (dir < 0)
		return -errno;
	memset(&how, 0, sizeof(how));
	how.flags = O_PATH | O_CLOEXEC;
	how.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS;
	fd = (int)syscall(SYS_openat2, dir, path, &how, sizeof(how));
	if (fd < 0)
		fd = -errno;
	close(dir);
	return fd;
}

int file_open_in_root(const char *root, const char *path)
{
	int found = path_in_root(root, path), fd;
	char again[64];
	struct stat st;

	if (found < 0)
		return found;
	snprintf(again, sizeof(again), "/proc/self/fd/%d", found);
	if (fstat(found, &st))
		fd = -errno;
	else if (!S_ISREG(st.st_mode))
		fd = -EINVAL;
	else
		fd = open(again, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd == -1)
		fd = -errno;
	close(found);
	return fd;
}
