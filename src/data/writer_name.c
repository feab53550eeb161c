/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The file that a writer writes: how it comes to be, and how it gets its name. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#include "base/i18n.h"
#include "data/writing.h"

#define TRIES	 100
#define WAIT_MS	 50 /* for somebody who reads a named pipe */

/*
 * The new file gets its name only in begin(): until then a failure leaves the folder, and an
 * older recording in it, as they were.
 */
static int create_temp(struct data_writer *w, struct ptui_error *err)
{
	int errnum = EEXIST;
	unsigned i;

	for (i = 0; i < TRIES && errnum == EEXIST; i++) {
		if (asprintf(&w->temp, "%s.%d-%u.new", w->path, (int)getpid(), i) < 0) {
			w->temp = NULL;
			return ptui_error_nomem(err);
		}
		w->fd = open(w->temp, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
		if (w->fd >= 0)
			return 0;
		errnum = errno;
		free(w->temp);
		w->temp = NULL;
	}
	return writer_told(w, errnum, err, _("cannot create %s"));
}

/*
 * In a folder where everybody makes files and only their owners take them away, such as /tmp,
 * somebody else may have put a link or a pipe where our file is expected. What is a file is
 * replaced, not followed; what we would open is not opened.
 */
static bool is_planted(const char *path)
{
	const char *slash = strrchr(path, '/');
	struct stat folder, it;
	char *name;
	int ret;

	name = slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : strdup(".");
	if (!name)
		return true;
	ret = stat(name, &folder);
	free(name);
	if (ret || lstat(path, &it))
		return false;
	return folder.st_mode & S_ISVTX && folder.st_mode & (S_IWGRP | S_IWOTH) &&
	       it.st_uid != geteuid() && it.st_uid != folder.st_uid;
}

/* Waits for somebody who reads it, or until that is given up. */
static int open_fifo(struct data_writer *w)
{
	struct pollfd cancel = { .fd = w->opts.cancel_fd, .events = POLLIN };
	int fd, flags;

	for (;;) {
		fd = open(w->path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
		if (fd >= 0)
			break;
		if (errno != ENXIO && errno != EINTR)
			return -errno;
		if (poll(&cancel, 1, WAIT_MS) > 0)
			return -ECANCELED;
	}
	flags = fcntl(fd, F_GETFL);
	if (flags < 0 || fcntl(fd, F_SETFL, flags & ~O_NONBLOCK) < 0) {
		close(fd);
		return -errno;
	}
	return fd;
}

static int create_pipe(struct data_writer *w, bool is_stdout, struct ptui_error *err)
{
	w->pipe = true;
	if (is_stdout)
		w->fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	else
		w->fd = open_fifo(w);
	if (is_stdout && w->fd < 0)
		return ptui_error_errno(err, errno, "stdout", _("cannot write to standard output"));
	if (w->fd == -ECANCELED)
		return ptui_error_set(err, PTUI_ERROR_SYSTEM, ECANCELED, w->path,
				      _("nobody reads %s"), w->path);
	return w->fd < 0 ? writer_told(w, -w->fd, err, _("cannot open %s")) : 0;
}

int writer_create(struct data_writer *w, struct ptui_error *err)
{
	struct stat st;

	if (w->opts.nowhere)
		return 0;
	if (!strcmp(w->path, "-"))
		return create_pipe(w, true, err);
	if (stat(w->path, &st) || S_ISREG(st.st_mode))
		return create_temp(w, err);
	if (S_ISDIR(st.st_mode))
		return writer_told(w, EISDIR, err, _("cannot create %s"));
	if (is_planted(w->path)) {
		writer_told(w, EPERM, err, _("cannot write to %s"));
		ptui_error_hint(err, _("somebody else has put it into a folder that all may write to"));
		return -EPERM;
	}
	if (S_ISFIFO(st.st_mode))
		return create_pipe(w, false, err);
	/* /dev/null and its like: no other file can take its place */
	w->device = true;
	w->fd = open(w->path, O_RDWR | O_CLOEXEC);
	if (w->fd < 0)
		return writer_told(w, errno, err, _("cannot open %s"));
	if (lseek(w->fd, 0, SEEK_CUR) < 0)
		return writer_told(w, errno, err, _("cannot write a file's layout to %s"));
	return 0;
}

static int keep_old(struct data_writer *w, struct ptui_error *err)
{
	struct stat st;
	char *old;
	int ret = 0;

	if (lstat(w->path, &st) || (S_ISREG(st.st_mode) && !st.st_size))
		return 0;
	if (asprintf(&old, "%s.old", w->path) < 0)
		return ptui_error_nomem(err);
	if (rename(w->path, old))
		ret = ptui_error_errno(err, errno, old, _("cannot keep %s as %s"), w->path, old);
	free(old);
	return ret;
}

int writer_take_name(struct data_writer *w, struct ptui_error *err)
{
	int ret = 0;

	if (!w->temp)
		return 0;
	/* what is appended to stands in the new one */
	if (!w->opts.overwrite && !w->append)
		ret = keep_old(w, err);
	if (ret)
		return ret;
	if (rename(w->temp, w->path))
		return writer_told(w, errno, err, _("cannot create %s"));
	free(w->temp);
	w->temp = NULL;
	return 0;
}

/*
 * A time in hundredths of a second since 1970, and a number within it. Later ones sort after earlier ones,
 * also when more than a hundred files a second are made, or when the earlier ones were removed: the time
 * runs up to a second ahead of the clock, and then the number counts. If the clock was set back, it starts
 * again from there.
 */
#define STAMP_NUMBER_BITS 20
#define STAMP_AHEAD	  99

static uint64_t next_stamp(void)
{
	static _Atomic uint64_t last;
	uint64_t before = last, stamp, passed;
	struct timeval now;

	gettimeofday(&now, NULL);
	do {
		stamp = (uint64_t)now.tv_sec * 100 + (uint64_t)now.tv_usec / 10000;
		passed = before >> STAMP_NUMBER_BITS;
		if (passed >= stamp && passed - stamp < STAMP_AHEAD)
			stamp = (passed + 1) << STAMP_NUMBER_BITS;
		else if (passed - stamp == STAMP_AHEAD)
			stamp = before + 1;
		else
			stamp <<= STAMP_NUMBER_BITS;
	} while (!atomic_compare_exchange_weak(&last, &before, stamp));
	return stamp;
}

/* "FILE.YYYYMMDDHHMMSSxx", or with "-NNN" behind it. NULL: out of memory, or the time is out of range. */
static char *stamped_name(const char *path)
{
	uint64_t stamp = next_stamp(), hundredths = stamp >> STAMP_NUMBER_BITS;
	unsigned number = (unsigned)(stamp & ((1U << STAMP_NUMBER_BITS) - 1));
	time_t seconds = (time_t)(hundredths / 100);
	struct tm tm;
	char *name, text[32], suffix[16] = "";

	if (number)
		snprintf(suffix, sizeof(suffix), "-%03u", number);
	if (!localtime_r(&seconds, &tm) || !strftime(text, sizeof(text), "%Y%m%d%H%M%S", &tm) ||
	    asprintf(&name, "%s.%s%02u%s", path, text, (unsigned)(hundredths % 100), suffix) < 0)
		return NULL;
	return name;
}

/* Never in the place of another one. 0 or a negative errno. */
static int name_file(const char *from, const char *to)
{
	struct stat st;

	if (!link(from, to)) {
		unlink(from);
		return 0;
	}
	if (errno == EEXIST)
		return -EEXIST;
	/* a file system without links */
	if (!lstat(to, &st))
		return -EEXIST;
	return rename(from, to) ? -errno : 0;
}

int writer_stamp_name(struct data_writer *w, struct ptui_error *err)
{
	int ret = -EEXIST;

	if (w->pipe || w->device)
		return 0;
	/* each name is new, so this ends: other programs do not make files faster than this loop tries */
	while (ret == -EEXIST) {
		char *name = stamped_name(w->path);

		if (!name)
			return ptui_error_nomem(err);
		ret = name_file(data_writer_place(w), name);
		if (ret && ret != -EEXIST)
			ptui_error_errno(err, -ret, name, _("cannot name %s %s"), w->path, name);
		if (ret) {
			free(name);
			continue;
		}
		free(w->path);
		free(w->temp);
		w->path = name;
		w->temp = NULL;
	}
	return ret;
}
