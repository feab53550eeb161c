/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/wake.h"

#include <errno.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include "base/i18n.h"

int wake_open(struct ptui_error *err)
{
	int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);

	return fd >= 0 ? fd :
			 ptui_error_errno(err, errno, "eventfd", _("cannot create an event fd"));
}

void wake_set(int fd)
{
	const uint64_t one = 1;
	int saved_errno = errno;
	/* fails only if the counter is full, when the fd is readable anyway */
	ssize_t ignored = write(fd, &one, sizeof(one));

	(void)ignored;
	errno = saved_errno;
}

void wake_clear(int fd)
{
	uint64_t count;
	/* fails only if the fd is not readable */
	ssize_t ignored = read(fd, &count, sizeof(count));

	(void)ignored;
}
