/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Preloaded into ptui: writes to the recording fail like those of a disk.
 *
 *	FAULT_FILE	the recording; until it has begun it has a temporary name, or none
 *	FAULT_AT	number, from 1, of the write that fails; with FAULT_ON=1 all later ones, too
 *	FAULT_ERRNO	its errno
 *	FAULT_LOG	gets lines: "flushed N" for each write of data.size, "failed"
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#define DATA_SIZE_OFF 48
#define LINE_BYTES    64

static unsigned writes;

static void say(const char *what, unsigned long long number)
{
	const char *path = getenv("FAULT_LOG");
	char line[LINE_BYTES];
	int fd = path ? open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600) : -1, n;
	ssize_t ignored;

	if (fd < 0)
		return;
	n = snprintf(line, sizeof(line), "%s %llu\n", what, number);
	ignored = write(fd, line, (size_t)n);
	(void)ignored;
	close(fd);
}

static int is_recording(int fd)
{
	const char *file = getenv("FAULT_FILE");
	char link[64], name[4096];
	const char *slash;
	ssize_t n;

	if (!file)
		return 0;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, name, sizeof(name) - 1);
	if (n < 0)
		return 0;
	name[n] = '\0';
	/* "FOLDER/#INODE (deleted)" was made without a name */
	slash = strrchr(file, '/');
	return !strncmp(name, file, strlen(file)) ||
	       (slash && !strncmp(name, file, (size_t)(slash - file)) &&
		name[slash - file] == '/' && name[slash - file + 1] == '#');
}

static int fails(int fd)
{
	const char *at = getenv("FAULT_AT"), *on = getenv("FAULT_ON"),
		   *what = getenv("FAULT_ERRNO");
	unsigned number;

	if (!at || !what || !is_recording(fd))
		return 0;
	number = ++writes;
	if (number != (unsigned)atoi(at) && !(number > (unsigned)atoi(at) && on))
		return 0;
	say("failed", number);
	errno = atoi(what);
	return 1;
}

static void *next(const char *name)
{
	return dlsym(RTLD_NEXT, name);
}

/* Both names: which one is called depends on the build of ptui. */
#define HOOK_PWRITEV(name)                                                                \
	ssize_t name(int fd, const struct iovec *v, int n, off_t off);                    \
	ssize_t name(int fd, const struct iovec *v, int n, off_t off)                     \
	{                                                                                 \
		ssize_t (*real)(int, const struct iovec *, int, off_t);                   \
		void *symbol = next(#name);                                               \
		ssize_t done;                                                             \
                                                                                          \
		memcpy(&real, &symbol, sizeof(real));                                     \
		if (fails(fd))                                                            \
			return -1;                                                        \
		done = real(fd, v, n, off);                                               \
		if (off == DATA_SIZE_OFF && done == sizeof(uint64_t) && is_recording(fd)) \
			say("flushed", *(const uint64_t *)v[0].iov_base);                 \
		return done;                                                              \
	}

HOOK_PWRITEV(pwritev)
HOOK_PWRITEV(pwritev64)

#define HOOK_TRUNCATE(name)                             \
	int name(int fd, off_t size);                   \
	int name(int fd, off_t size)                    \
	{                                               \
		int (*real)(int, off_t);                \
		void *symbol = next(#name);             \
                                                        \
		memcpy(&real, &symbol, sizeof(real));   \
		return fails(fd) ? -1 : real(fd, size); \
	}

HOOK_TRUNCATE(ftruncate)
HOOK_TRUNCATE(ftruncate64)
