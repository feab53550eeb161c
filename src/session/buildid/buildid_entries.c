/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/buildid/buildid_entries.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/i18n.h"
#include "base/text.h"
#include "base/vec.h"

#define KERNEL_NAME "[kernel.kallsyms]"
#define LINK_START  "../.." /* DIR/.build-id/93/ac61… -> ../../usr/lib/libc.so.6/93ac61… */
#define OPEN_DIRS   8

char *buildid_cache_dir(const char *given)
{
	const char *home = getenv("HOME");
	struct buf dir = BUF_INIT;

	buf_addf(&dir, "%s%s%s",
		 given ? given :
		 home  ? home :
			 "",
		 given || !home ? "" : "/", given ? "" : ".debug");
	return buf_take(&dir);
}

/* ---- links ---- */

static bool is_hex(const char *s)
{
	return *s && strspn(s, "0123456789abcdef") == strlen(s);
}

static void add_link_path(struct buf *out, const char *dir, const char *id)
{
	buf_addf(out, "%s/.build-id/%.2s/%s", dir, id, id + 2);
}

/*
 * Reads where the entry's link leads, below the cache: "/usr/lib/libc.so.6/93ac61…" or "/[vdso]/…".
 * -EINVAL: not a link that perf or ptui makes.
 */
static int read_link(const char *dir, const char *id, char *ret, size_t size)
{
	const size_t start = strlen(LINK_START);
	struct buf link = BUF_INIT;
	const char *last;
	ssize_t n;

	add_link_path(&link, dir, id);
	n = link.err ? -1 : readlink(buf_str(&link), ret, size - 1);
	buf_release(&link);
	if (n < 0)
		return -errno;
	ret[n] = '\0';
	if (!text_starts_with(ret, LINK_START "/"))
		return -EINVAL;
	memmove(ret, ret + start, (size_t)n - start + 1);
	last = strrchr(ret, '/');
	return strstr(ret, "/../") || last == ret || strcmp(last + 1, id) ? -EINVAL : 0;
}

bool buildid_cache_has(const char *dir, const char *id)
{
	struct buf link = BUF_INIT;
	bool has;

	add_link_path(&link, dir, id);
	has = !link.err && !access(buf_str(&link), F_OK);
	buf_release(&link);
	return has;
}

/* ---- the list ---- */

/* As in perf, the vdso is never valid: it has no file of its own. */
static bool is_valid(const struct cached_file *e, const struct roots *roots)
{
	uint8_t id[DSO_BUILD_ID_MAX];
	char text[DSO_BUILD_ID_TEXT];
	int bytes = 0;

	if (!strcmp(e->path, KERNEL_NAME))
		bytes = dso_read_kernel_build_id(roots, id);
	else if (*e->path == '/')
		bytes = dso_read_build_id(e->path, id);
	if (bytes <= 0)
		return false;
	dso_build_id_format(id, (uint8_t)bytes, text);
	return !strcmp(text, e->id);
}

static int add_entry(struct cached_files *list, const char *dir, const struct roots *roots,
		     const char *id)
{
	struct cached_file *e;
	char path[PATH_MAX];

	if (read_link(dir, id, path, sizeof(path)))
		return 0; /* not ours, nor perf's */
	*strrchr(path, '/') = '\0';
	if (vec_grow(&list->v, &list->cap, list->n + 1))
		return -ENOMEM;
	e = &list->v[list->n];
	snprintf(e->id, sizeof(e->id), "%s", id);
	e->path = strdup(path + (path[1] == '['));
	if (!e->path)
		return -ENOMEM;
	e->valid = is_valid(e, roots);
	list->n++;
	return 0;
}

static int add_folder(struct cached_files *list, const char *dir, const struct roots *roots,
		      const char *folder, const char *start)
{
	DIR *d = opendir(folder);
	struct dirent *item;
	char id[DSO_BUILD_ID_TEXT];
	int ret = 0;

	while (d && !ret && (item = readdir(d)))
		if (is_hex(item->d_name) &&
		    (size_t)snprintf(id, sizeof(id), "%s%s", start, item->d_name) < sizeof(id))
			ret = add_entry(list, dir, roots, id);
	if (d)
		closedir(d);
	return ret;
}

static int by_id(const void *a, const void *b)
{
	const struct cached_file *x = a, *y = b;

	return strcmp(x->id, y->id);
}

int cached_files_read(struct cached_files *e, const char *dir, const struct roots *roots,
		      struct ptui_error *err)
{
	struct buf links = BUF_INIT, folder = BUF_INIT;
	struct dirent *item;
	DIR *d = NULL;
	int ret = 0;

	memset(e, 0, sizeof(*e));
	buf_addf(&links, "%s/.build-id", dir);
	if (!links.err)
		d = opendir(buf_str(&links));
	if (links.err)
		ret = -ENOMEM;
	else if (!d && errno != ENOENT)
		ret = -errno;
	while (d && !ret && (item = readdir(d))) {
		if (strlen(item->d_name) != 2 || !is_hex(item->d_name))
			continue;
		buf_clear(&folder);
		buf_addf(&folder, "%s/%s", buf_str(&links), item->d_name);
		ret = folder.err ? -ENOMEM :
				   add_folder(e, dir, roots, buf_str(&folder), item->d_name);
	}
	if (d)
		closedir(d);
	if (ret)
		ptui_error_errno(err, -ret, dir, _("cannot read the build-id cache %s"), dir);
	else if (e->n)
		qsort(e->v, e->n, sizeof(*e->v), by_id);
	buf_release(&links);
	buf_release(&folder);
	return ret;
}

void cached_files_release(struct cached_files *e)
{
	for (size_t i = 0; i < e->n; i++)
		free(e->v[i].path);
	free(e->v);
	memset(e, 0, sizeof(*e));
}

/* ---- removal ---- */

static int remove_item(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)st;
	(void)type;
	(void)at;
	return remove(path) ? -errno : 0;
}

/* Whether the folder is below `dir` when all links in its path are followed. */
static bool is_below(const char *dir, const char *folder)
{
	char *top = realpath(dir, NULL), *real = realpath(folder, NULL);
	size_t n = top ? strlen(top) : 0;
	bool below = top && real && !strncmp(real, top, n) && (real[n] == '/' || n == 1);

	free(top);
	free(real);
	return below;
}

/* Removes DIR/usr/lib/libc.so.6/93ac61… with its files, but follows no link out of the cache. */
static int remove_folder(const char *dir, const char *rest)
{
	struct buf folder = BUF_INIT;
	int ret;

	buf_addf(&folder, "%s%s", dir, rest);
	if (folder.err)
		ret = -ENOMEM;
	else if (access(buf_str(&folder), F_OK))
		ret = errno == ENOENT ? 0 : -errno;
	else if (!is_below(dir, buf_str(&folder)))
		ret = -EXDEV;
	else
		ret = nftw(buf_str(&folder), remove_item, OPEN_DIRS, FTW_DEPTH | FTW_PHYS);
	buf_release(&folder);
	return ret == -1 ? -errno : ret;
}

int buildid_cache_remove(const char *dir, const char *id)
{
	struct buf link = BUF_INIT;
	char rest[PATH_MAX];
	int ret = read_link(dir, id, rest, sizeof(rest)), ours = ret;

	if (ret && ret != -EINVAL)
		return ret;
	add_link_path(&link, dir, id);
	ret = link.err ? -ENOMEM : unlink(buf_str(&link)) ? -errno : 0;
	buf_release(&link);
	return ret || ours ? ret : remove_folder(dir, rest);
}

int buildid_cache_purge(const char *dir, const char *path,
			void (*each)(void *ctx, const char *id, int ret), void *ctx)
{
	/* a path that is gone has entries as well */
	char *real = realpath(path, NULL), *name = real ? real : strdup(path);
	struct buf folder = BUF_INIT;
	struct dirent *item;
	size_t n = 0;
	DIR *d = NULL;
	int ret = name ? 0 : -ENOMEM, one;

	if (name)
		buf_addf(&folder, "%s%s%s", dir, *name == '/' ? "" : "/", name);
	if (name && !folder.err) {
		d = opendir(buf_str(&folder));
		ret = d ? 0 : -errno;
	}
	while (d && (item = readdir(d))) {
		if (!is_hex(item->d_name) || strlen(item->d_name) < 4)
			continue;
		one = buildid_cache_remove(dir, item->d_name);
		if (each)
			each(ctx, item->d_name, one);
		ret = ret ? ret : one;
		n++;
	}
	if (d)
		closedir(d);
	buf_release(&folder);
	free(name);
	return ret || n ? ret : -ENOENT;
}

/* ---- a file ---- */

static int open_as_process(const struct roots *roots, const char *path, int32_t pid)
{
	struct buf root = BUF_INIT;
	int fd;

	if (pid <= 0) {
		fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
		return fd < 0 ? -errno : fd;
	}
	buf_addf(&root, "%s/%d/root", roots->proc, (int)pid);
	fd = root.err ? -ENOMEM : file_open_in_root(buf_str(&root), path);
	buf_release(&root);
	return fd;
}

int buildid_of_file(const struct roots *roots, const char *path, int32_t pid,
		    struct data_build_id *ret, char **ret_path)
{
	int fd = open_as_process(roots, path, pid), bytes;
	char self[64], real[PATH_MAX];
	ssize_t n;

	*ret_path = NULL;
	*ret = (struct data_build_id){ .pid = -1, .misc = DATA_MODE_USER };
	if (fd < 0)
		return fd;
	snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
	bytes = dso_read_build_id(self, ret->id);
	n = readlink(self, real, sizeof(real) - 1);
	close(fd);
	if (bytes <= 0 || n <= 0)
		return bytes < 0 ? bytes : -ENODATA;
	real[n] = '\0';
	ret->bytes = (uint8_t)bytes;
	*ret_path = strdup(real);
	ret->path = *ret_path;
	return *ret_path ? 0 : -ENOMEM;
}
