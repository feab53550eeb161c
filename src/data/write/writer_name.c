/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Creating and naming the file of a writer. */
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
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>
#include "base/i18n.h"
#include "data/write/writer_private.h"

#define TRIES	   100
#define LINKS_MAX  40	  /* symbolic links in a row: the kernel's limit */
#define PROC_MAGIC 0x9fa0 /* PROC_SUPER_MAGIC, for statfs() */
#define WAIT_MS	   50	  /* between attempts to open a named pipe */

/* The directory of `path`; NULL: out of memory. */
static char *folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : strdup(".");
}

/* O_TMPFILE: nothing is left if the recorder is killed. Not all file systems support it. */
static bool create_unnamed(struct data_writer *w)
{
	char *folder = folder_of(w->path);
	int fd = folder ? open(folder, O_RDWR | O_TMPFILE | O_CLOEXEC, 0600) : -1;

	free(folder);
	if (fd < 0)
		return false;
	snprintf(w->unnamed, sizeof(w->unnamed), "/proc/self/fd/%d", fd);
	if (access(w->unnamed, R_OK | W_OK)) {
		/* it could not be named without /proc */
		*w->unnamed = '\0';
		close(fd);
		return false;
	}
	w->fd = fd;
	return true;
}

static int link_unnamed(const struct data_writer *w, const char *to)
{
	return linkat(AT_FDCWD, w->unnamed, AT_FDCWD, to, AT_SYMLINK_FOLLOW) ? -errno : 0;
}

/*
 * Creates the file with a temporary name beside the final one, which it gets only in begin(): if
 * something fails before, the directory and an older recording in it are unchanged.
 */
static int create_temp(struct data_writer *w)
{
	int errnum = EEXIST;

	for (unsigned i = 0; i < TRIES && errnum == EEXIST; i++) {
		if (asprintf(&w->temp, "%s.%d-%u.new", w->path, (int)getpid(), i) < 0) {
			w->temp = NULL;
			return -ENOMEM;
		}
		if (*w->unnamed) {
			errnum = -link_unnamed(w, w->temp);
		} else {
			w->fd = open(w->temp, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
				     0600);
			errnum = w->fd < 0 ? errno : 0;
		}
		if (!errnum)
			return 0;
		free(w->temp);
		w->temp = NULL;
	}
	return -errnum;
}

/*
 * In a sticky world-writable directory such as /tmp, another user may have created a link or a pipe
 * with our file's name. Files are replaced without following links; anything that would be opened
 * instead is refused.
 */
static bool is_planted(const char *path)
{
	struct stat folder, it;
	char *name = folder_of(path);
	int ret;

	if (!name)
		return true;
	ret = stat(name, &folder);
	free(name);
	if (ret || lstat(path, &it))
		return false;
	return folder.st_mode & S_ISVTX && folder.st_mode & (S_IWGRP | S_IWOTH) &&
	       it.st_uid != geteuid() && it.st_uid != folder.st_uid;
}

/* Waits for a reader, or for cancel_fd: -ECANCELED. */
static int open_fifo(struct data_writer *w)
{
	struct pollfd cancel = { .fd = w->opts.cancel_fd, .events = POLLIN };
	int fd;

	for (;;) {
		fd = open(w->path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
		if (fd >= 0)
			break;
		if (errno != ENXIO && errno != EINTR)
			return -errno;
		if (poll(&cancel, 1, WAIT_MS) > 0)
			return -ECANCELED;
	}
	return fd;
}

/* Opens a pipe again: O_NONBLOCK belongs to the open file, which other processes share. */
static int open_stdout(struct data_writer *w)
{
	struct stat st;
	int fd = -1;

	if (fstat(STDOUT_FILENO, &st))
		return -errno;
	if (S_ISFIFO(st.st_mode))
		fd = open("/proc/self/fd/1", O_WRONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd >= 0)
		return fd;
	w->blocks = !S_ISREG(st.st_mode);
	fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	return fd < 0 ? -errno : fd;
}

static int create_pipe(struct data_writer *w, bool is_stdout, struct ptui_error *err)
{
	w->pipe = true;
	if (is_stdout)
		w->fd = open_stdout(w);
	else
		w->fd = open_fifo(w);
	if (is_stdout && w->fd < 0)
		return ptui_error_errno(err, -w->fd, "stdout",
					_("cannot write to standard output"));
	if (w->fd == -ECANCELED)
		return ptui_error_set(err, PTUI_ERROR_SYSTEM, ECANCELED, w->path,
				      _("%s has no reader"), w->path);
	return w->fd < 0 ? writer_error(w, -w->fd, err, _("cannot open %s")) : 0;
}

/* ---- files that are written in place ---- */

/* Whether the last component of `path` is a link in /proc, such as /proc/self/fd/1. */
static bool is_in_proc(const char *path)
{
	char *folder = folder_of(path);
	struct statfs fs;
	bool is_proc = folder && !statfs(folder, &fs) && fs.f_type == PROC_MAGIC;

	free(folder);
	return is_proc;
}

/* Whether `path` links to /dev or /proc, possibly via other links: /dev/stdout, /dev/fd/N. */
static bool leads_to_device(const char *path)
{
	char at[PATH_MAX], to[PATH_MAX];

	if (snprintf(at, sizeof(at), "%s", path) >= (int)sizeof(at))
		return false;
	for (int hops = 0; hops < LINKS_MAX; hops++) {
		ssize_t n = readlink(at, to, sizeof(to) - 1);
		const char *slash = strrchr(at, '/');
		size_t folder = slash ? (size_t)(slash - at) + 1 : 0;

		if (n < 0)
			return false;
		to[n] = '\0';
		if (is_in_proc(at) || !strncmp(to, "/dev/", 5) || !strncmp(to, "/proc/", 6))
			return true;
		if (*to == '/')
			folder = 0;
		if (folder + (size_t)n >= sizeof(at))
			return false;
		memcpy(at + folder, to, (size_t)n + 1);
	}
	return false;
}

/* Whether the file is a mount point, as in containers: it cannot be replaced. */
static bool is_mount_point(const char *path)
{
	struct statx st;

	return !statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, 0, &st) &&
	       st.stx_attributes & STATX_ATTR_MOUNT_ROOT;
}

/* FILE.old is impossible here, so a recording is not overwritten by default, as in perf. */
static int open_in_place(struct data_writer *w, const struct stat *st, struct ptui_error *err)
{
	w->device = true;
	if (S_ISREG(st->st_mode) && st->st_size && (w->opts.append || !w->opts.overwrite)) {
		ptui_error_set(
			err, PTUI_ERROR_SYSTEM, EEXIST, w->path,
			w->opts.append ?
				_("cannot append to %s: it can only be written in place") :
				_("cannot keep the older %s: it can only be written in place"),
			w->path);
		ptui_error_hint(err, _("empty it first, or choose another file (-o)"));
		return -EEXIST;
	}
	w->fd = open(w->path, O_RDWR | O_CLOEXEC);
	if (w->fd < 0)
		return writer_error(w, errno, err, _("cannot open %s"));
	if (lseek(w->fd, 0, SEEK_CUR) < 0)
		return writer_error(w, errno, err, _("cannot seek in %s"));
	return 0;
}

/* Creates a file to be named later. In a read-only directory, an existing writable file is used. */
static int create_file(struct data_writer *w, const struct stat *st, struct ptui_error *err)
{
	int ret;

	if (st && is_mount_point(w->path))
		return open_in_place(w, st, err);
	ret = create_unnamed(w) ? 0 : create_temp(w);
	if (!ret)
		return 0;
	if (ret == -ENOMEM)
		return ptui_error_nomem(err);
	if (st && (ret == -EACCES || ret == -EPERM || ret == -EROFS) && !access(w->path, W_OK))
		return open_in_place(w, st, err);
	return writer_error(w, -ret, err, _("cannot create %s"));
}

int writer_create(struct data_writer *w, struct ptui_error *err)
{
	struct stat st;
	bool planted;

	if (w->opts.nowhere)
		return 0;
	if (!strcmp(w->path, "-"))
		return create_pipe(w, true, err);
	if (stat(w->path, &st))
		return create_file(w, NULL, err);
	planted = is_planted(w->path);
	if (S_ISREG(st.st_mode) && (planted || !leads_to_device(w->path)))
		return create_file(w, planted ? NULL : &st, err);
	if (S_ISDIR(st.st_mode)) { /* perhaps a recording by perf record --threads */
		writer_error(w, EISDIR, err, _("cannot create %s"));
		ptui_error_hint(err, _("choose another file with -o, or move the directory away"));
		return -EISDIR;
	}
	if (planted) {
		writer_error(w, EPERM, err, _("cannot write to %s"));
		ptui_error_hint(
			err,
			_("another user created it in a world-writable directory; choose another file (-o)"));
		return -EPERM;
	}
	if (S_ISFIFO(st.st_mode))
		return create_pipe(w, false, err);
	if (S_ISBLK(st.st_mode))
		return ptui_error_set(
			err, PTUI_ERROR_INPUT, EINVAL, w->path,
			_("%s is a block device: a recording would overwrite what is on it"),
			w->path);
	/* /dev/null and the like: cannot be replaced */
	return open_in_place(w, &st, err);
}

static int rename_old(struct data_writer *w, struct ptui_error *err)
{
	struct stat st;
	char *old;
	int ret = 0;

	if (lstat(w->path, &st) || (S_ISREG(st.st_mode) && !st.st_size))
		return 0;
	if (asprintf(&old, "%s.old", w->path) < 0)
		return ptui_error_nomem(err);
	if (rename(w->path, old)) {
		ret = ptui_error_errno(err, errno, old, _("cannot rename %s to %s"), w->path, old);
		if (ret == -EISDIR)
			ptui_error_hint(
				err, _("choose another file with -o, or move the directory away"));
	}
	free(old);
	return ret;
}

int writer_take_name(struct data_writer *w, struct ptui_error *err)
{
	int ret = 0;

	if (!w->temp && !*w->unnamed)
		return 0;
	/* when appending, the new file contains the older one */
	if (!w->opts.overwrite && !w->append)
		ret = rename_old(w, err);
	if (ret)
		return ret;
	if (*w->unnamed)
		ret = link_unnamed(w, w->path);
	/* replace the existing file atomically: only rename() can */
	if (ret == -EEXIST)
		ret = create_temp(w);
	if (!ret && w->temp && rename(w->temp, w->path))
		ret = -errno;
	if (ret)
		return writer_error(w, -ret, err, _("cannot create %s"));
	*w->unnamed = '\0';
	free(w->temp);
	w->temp = NULL;
	return 0;
}

/*
 * A time in hundredths of a second since the epoch, and a number within it. Stamps increase even if
 * more than a hundred files a second are made, or if earlier ones were removed: the time runs up to
 * a second ahead of the clock, then the number counts. If the clock is set back, it starts again
 * from there.
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

/* "FILE.YYYYMMDDHHMMSSxx" or "…-NNN". NULL: out of memory, or the time is out of range. */
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

/* Renames without replacing. 0 or a negative errno. */
static int name_file(const char *from, const char *to)
{
	struct stat st;

	if (!link(from, to)) {
		unlink(from);
		return 0;
	}
	if (errno == EEXIST)
		return -EEXIST;
	/* the file system has no hard links */
	if (!lstat(to, &st))
		return -EEXIST;
	return rename(from, to) ? -errno : 0;
}

int writer_stamp_name(struct data_writer *w, struct ptui_error *err)
{
	int ret = -EEXIST;

	if (w->pipe || w->device)
		return 0;
	/* ends: each name is new, and other programs do not create files that fast */
	while (ret == -EEXIST) {
		char *name = stamped_name(w->path);

		if (!name)
			return ptui_error_nomem(err);
		ret = *w->unnamed ? link_unnamed(w, name) : name_file(data_writer_place(w), name);
		if (ret && ret != -EEXIST)
			ptui_error_errno(err, -ret, name, _("cannot rename %s to %s"), w->path,
					 name);
		if (ret) {
			free(name);
			continue;
		}
		free(w->path);
		free(w->temp);
		w->path = name;
		w->temp = NULL;
		*w->unnamed = '\0';
	}
	return ret;
}
