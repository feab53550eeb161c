/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Archives come from elsewhere. Names are checked before anything is created, files are created in a new
 * folder without following links, and links are made last.
 */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include "archive/archive.h"
#include "archive/tar.h"
#include "archive/tar_header.h"
#include "base/buf.h"
#include "base/file.h"
#include "base/i18n.h"
#include "base/text.h"
#include "base/vec.h"

#define ENTRIES_MAX 1000000u
#define COPY_BYTES  ((size_t)256 << 10)
#define OPEN_DIRS   16

struct link {
	char *name, *target;
};

struct unpacking {
	const char *path, *dir;
	struct ptui_error *err;
	int dir_fd;
	struct tar_reader *tar;
	uint8_t *bytes;
	struct link *links;
	size_t n_links, cap_links;
	unsigned n_entries;
	uint64_t room; /* bytes that the file system still has */
	bool has_recording;
};

static bool is_packed(const uint8_t *start, size_t n)
{
	return n >= 4 && !memcmp(start, "\x28\xb5\x2f\xfd", 4);
}

static bool is_tar(const uint8_t *start, size_t n)
{
	return n >= TAR_BLOCK && !memcmp(start + offsetof(struct tar_header, magic), "ustar", 5);
}

static ssize_t read_start(int fd, uint8_t start[TAR_BLOCK])
{
	return file_pread_full(fd, start, TAR_BLOCK, 0);
}

bool archive_is(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	uint8_t start[TAR_BLOCK];
	struct stat st;
	ssize_t n = fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode) ? read_start(fd, start) : -1;

	if (fd >= 0)
		close(fd);
	return n > 0 && (is_packed(start, (size_t)n) || is_tar(start, (size_t)n));
}

static int remove_item(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)st;
	(void)type;
	(void)at;
	return remove(path);
}

void archive_remove_folder(const char *dir)
{
	nftw(dir, remove_item, OPEN_DIRS, FTW_DEPTH | FTW_PHYS);
}

/* ---- what is allowed ---- */

static int refuse(const struct unpacking *u, const char *name)
{
	return ptui_error_set(u->err, PTUI_ERROR_FORMAT, EPERM, u->path,
			      _("%s is no archive of ptui: '%s' does not belong into one"), u->path,
			      name);
}

/* No empty component, no "." and "..", nothing that cannot be a name. */
static bool is_clean(const char *name)
{
	size_t n;

	for (const char *p = name;; p += n + 1) {
		n = strcspn(p, "/");
		if (!n || n > NAME_MAX || !strncmp(p, ".", n) || (n == 2 && !strncmp(p, "..", 2)))
			return false;
		if (!p[n])
			return strlen(name) < PATH_MAX / 2;
	}
}

static bool is_allowed(const char *name)
{
	const size_t n = strlen(ARCHIVE_RECORDING);

	if (!is_clean(name))
		return false;
	return text_starts_with(name, ARCHIVE_CACHE "/") ||
	       (text_starts_with(name, ARCHIVE_RECORDING) && (!name[n] || name[n] == '/'));
}

/* .debug/.build-id/93/ac61... -> ../../usr/lib/libc.so.6/93ac61... */
static bool is_allowed_link(const char *name, const char *target)
{
	const char *rest = name + strlen(ARCHIVE_CACHE "/.build-id/"), *slash;

	if (!text_starts_with(name, ARCHIVE_CACHE "/.build-id/") ||
	    !text_starts_with(target, "../../") || !is_clean(target + strlen("../../")))
		return false;
	slash = strchr(rest, '/');
	return slash && slash - rest == 2 && !strchr(slash + 1, '/');
}

/* ---- creating ---- */

/* Creates the folders of a checked name below `dir`. */
static int make_folders(struct unpacking *u, const char *name)
{
	char path[PATH_MAX];
	int ret = 0;

	snprintf(path, sizeof(path), "%s", name);
	for (char *p = strchr(path, '/'); p && !ret; p = strchr(p + 1, '/')) {
		*p = '\0';
		if (mkdirat(u->dir_fd, path, 0755) && errno != EEXIST)
			ret = -errno;
		*p = '/';
	}
	return ret;
}

static int copy_file(struct unpacking *u, int fd)
{
	ssize_t n;
	int ret = 0;

	while (!ret && (n = tar_read(u->tar, u->bytes, COPY_BYTES)) != 0)
		ret = n < 0 ? (int)n : file_write_all(fd, u->bytes, (size_t)n);
	return ret;
}

static int unpack_file(struct unpacking *u, const struct tar_entry *e)
{
	int fd, ret;

	if (e->size > u->room)
		return -ENOSPC;
	u->room -= e->size;
	ret = make_folders(u, e->name);
	fd = ret ? ret :
		   openat(u->dir_fd, e->name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
			  0600 | (e->mode & 0111));
	if (fd < 0)
		return ret ? ret : -errno;
	ret = copy_file(u, fd);
	if (close(fd) && !ret)
		ret = -errno;
	u->has_recording |= text_starts_with(e->name, ARCHIVE_RECORDING);
	return ret;
}

static int keep_link(struct unpacking *u, const struct tar_entry *e)
{
	struct link *l;

	if (vec_grow(&u->links, &u->cap_links, u->n_links + 1))
		return -ENOMEM;
	l = &u->links[u->n_links++];
	*l = (struct link){ strdup(e->name), strdup(e->target) };
	return l->name && l->target ? 0 : -ENOMEM;
}

static int make_links(struct unpacking *u)
{
	int ret = 0;

	for (size_t i = 0; i < u->n_links && !ret; i++) {
		ret = make_folders(u, u->links[i].name);
		if (!ret && symlinkat(u->links[i].target, u->dir_fd, u->links[i].name))
			ret = -errno;
	}
	return ret;
}

static int unpack_entry(struct unpacking *u, const struct tar_entry *e)
{
	/* tar may have added these */
	if (e->kind == TAR_FOLDER)
		return 0;
	if (++u->n_entries > ENTRIES_MAX || !is_allowed(e->name))
		return refuse(u, e->name);
	if (e->kind == TAR_FILE)
		return unpack_file(u, e);
	if (e->kind != TAR_LINK || !is_allowed_link(e->name, e->target))
		return refuse(u, e->name);
	return keep_link(u, e);
}

static int unpack_all(struct unpacking *u)
{
	struct tar_entry e;
	int ret;

	while ((ret = tar_next(u->tar, &e)) == 0) {
		ret = unpack_entry(u, &e);
		if (ret)
			return ret;
	}
	if (ret < 0)
		return ret;
	if (!u->has_recording)
		return ptui_error_set(u->err, PTUI_ERROR_FORMAT, ENOENT, u->path,
				      _("%s has no recording in it"), u->path);
	return make_links(u);
}

static int set_error(const struct unpacking *u, int ret)
{
	if (!ret || ptui_error_is_set(u->err))
		return ret;
	if (ret == -ENOMEM)
		return ptui_error_nomem(u->err);
	if (ret == -EBADMSG)
		return ptui_error_set(u->err, PTUI_ERROR_FORMAT, EBADMSG, u->path,
				      _("%s is damaged, or not an archive of ptui"), u->path);
	return ptui_error_errno(u->err, -ret, u->path, _("cannot unpack %s to %s"), u->path,
				u->dir);
}

static int open_all(struct unpacking *u, int *ret_fd)
{
	uint8_t start[TAR_BLOCK];
	struct statvfs fs;
	ssize_t n;
	int fd = open(u->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	*ret_fd = fd;
	n = fd < 0 ? -errno : read_start(fd, start);
	if (n < 0)
		return ptui_error_errno(u->err, (int)-n, u->path, _("cannot open %s"), u->path);
	if (!is_packed(start, (size_t)n) && !is_tar(start, (size_t)n))
		return -EBADMSG;
	u->dir_fd = open(u->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (u->dir_fd < 0 || fstatvfs(u->dir_fd, &fs))
		return -errno;
	u->room = (uint64_t)fs.f_bavail * fs.f_frsize;
	u->tar = tar_reader_new(fd, is_packed(start, (size_t)n));
	u->bytes = malloc(COPY_BYTES);
	return u->tar && u->bytes ? 0 : -ENOMEM;
}

static void remove_contents(const struct unpacking *u)
{
	struct buf path = BUF_INIT;

	buf_addf(&path, "%s/" ARCHIVE_RECORDING, u->dir);
	archive_remove_folder(buf_str(&path));
	buf_clear(&path);
	buf_addf(&path, "%s/" ARCHIVE_CACHE, u->dir);
	archive_remove_folder(buf_str(&path));
	buf_release(&path);
}

int archive_unpack(const char *path, const char *dir, struct ptui_error *err)
{
	struct unpacking u = { .path = path, .dir = dir, .err = err, .dir_fd = -1 };
	int fd, ret = open_all(&u, &fd);

	if (!ret)
		ret = unpack_all(&u);
	ret = set_error(&u, ret);
	if (ret && u.dir_fd >= 0)
		remove_contents(&u);
	if (fd >= 0)
		close(fd);
	if (u.dir_fd >= 0)
		close(u.dir_fd);
	tar_reader_free(u.tar);
	free(u.bytes);
	for (size_t i = 0; i < u.n_links; i++) {
		free(u.links[i].name);
		free(u.links[i].target);
	}
	free(u.links);
	return ret;
}
