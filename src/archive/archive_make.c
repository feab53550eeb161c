/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "archive/archive.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "archive/folder_guard.h"
#include "archive/tar.h"
#include "base/buf.h"
#include "base/i18n.h"
#include "base/text.h"
#include "data/read/reader.h"
#include "session/buildid/buildid_entries.h"
#include "session/buildid/buildid_hits.h"
#include "session/buildid/buildid_table.h"

#define FOLDERS_MAX 3 /* in a recording that is a folder */

struct making {
	const struct archive_opts *o;
	struct archive_result *result;
	struct ptui_error *err;
	struct tar_writer *tar;
	char *temp;    /* the archive, until it is whole */
	char *staging; /* a cache for files that that of the user lacks */
	int fd;
	struct folder_guard guard; /* of both */
};

/* ---- the recording ---- */

static int put_file(struct making *m, const char *name, int fd)
{
	struct stat st;

	if (fstat(fd, &st))
		return -errno;
	m->result->files++;
	return tar_put_file(m->tar, name, fd, (uint64_t)st.st_size, st.st_mode);
}

static int put_recording(struct making *m, const char *name, const char *path, unsigned depth);

static int put_folder(struct making *m, const char *name, const char *path, unsigned depth)
{
	struct buf sub_name = BUF_INIT, sub_path = BUF_INIT;
	DIR *d = opendir(path);
	struct dirent *item;
	int ret = d ? 0 : -errno;

	while (d && !ret && (item = readdir(d))) {
		if (!strcmp(item->d_name, ".") || !strcmp(item->d_name, ".."))
			continue;
		buf_clear(&sub_name);
		buf_clear(&sub_path);
		buf_addf(&sub_name, "%s/%s", name, item->d_name);
		buf_addf(&sub_path, "%s/%s", path, item->d_name);
		ret = sub_name.err || sub_path.err ?
			      -ENOMEM :
			      put_recording(m, buf_str(&sub_name), buf_str(&sub_path), depth + 1);
	}
	if (d)
		closedir(d);
	buf_release(&sub_name);
	buf_release(&sub_path);
	return ret;
}

static int put_recording(struct making *m, const char *name, const char *path, unsigned depth)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY), ret;
	struct stat st;

	if (fd < 0 || fstat(fd, &st))
		ret = -errno;
	else if (S_ISDIR(st.st_mode))
		ret = depth < FOLDERS_MAX ? put_folder(m, name, path, depth) : 0;
	else
		ret = S_ISREG(st.st_mode) ? put_file(m, name, fd) : 0;
	if (fd >= 0)
		close(fd);
	return ret;
}

/* ---- files of DSOs ---- */

static bool has_id(int fd, const struct data_build_id *item)
{
	uint8_t id[DSO_BUILD_ID_MAX];
	char path[64];
	int n;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	n = dso_read_build_id(path, id);
	return n == item->bytes && !memcmp(id, item->id, (size_t)n);
}

/* Of the file here, or of the cache's copy. perf's copies may be hard links to files that changed. */
static int open_part(const struct making *m, const struct data_build_id *item, const char *id,
		     const char *part)
{
	const char *const caches[] = { m->staging, m->o->cache_dir };
	bool is_elf = !strcmp(part, "elf") || !strcmp(part, "debug");
	struct buf path = BUF_INIT;
	int fd = -ENOENT;

	for (size_t i = 0; i < 2 && fd < 0; i++) {
		buf_clear(&path);
		buf_addf(&path, "%s/.build-id/%.2s/%s/%s", caches[i], id, id + 2, part);
		fd = path.err ? -ENOMEM : open(buf_str(&path), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
		if (fd >= 0 && is_elf && !has_id(fd, item)) {
			close(fd);
			fd = -ENOENT;
		}
	}
	buf_release(&path);
	return fd;
}

static int put_link(struct making *m, const struct data_build_id *item, const char *id)
{
	struct buf name = BUF_INIT, target = BUF_INIT;
	int ret;

	buf_addf(&name, ARCHIVE_CACHE "/.build-id/%.2s/%s", id, id + 2);
	buf_addf(&target, "../..%s%s/%s", *item->path == '/' ? "" : "/", item->path, id);
	ret = name.err || target.err ? -ENOMEM :
				       tar_put_link(m->tar, buf_str(&name), buf_str(&target));
	buf_release(&name);
	buf_release(&target);
	return ret;
}

static int put_parts(struct making *m, const struct data_build_id *item, const char *id,
		     bool *ret_found)
{
	static const char *const parts[] = { "elf", "debug", "kallsyms", "vdso", "probes" };
	struct buf name = BUF_INIT;
	int ret = 0;

	*ret_found = false;
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts) && !ret; i++) {
		int fd = open_part(m, item, id, parts[i]);

		if (fd < 0)
			continue;
		buf_clear(&name);
		buf_addf(&name, ARCHIVE_CACHE "%s%s/%s/%s", *item->path == '/' ? "" : "/",
			 item->path, id, parts[i]);
		ret = name.err ? -ENOMEM : put_file(m, buf_str(&name), fd);
		*ret_found |= strcmp(parts[i], "probes") != 0;
		close(fd);
	}
	buf_release(&name);
	return ret;
}

/* A copy of /proc/kallsyms is only right for the running kernel. */
static bool is_here(const struct data_build_id *item)
{
	uint8_t id[DSO_BUILD_ID_MAX];
	int n;

	if (item->misc != DATA_MODE_KERNEL || *item->path == '/')
		return true;
	n = dso_read_kernel_build_id(&roots_system, id);
	return n == item->bytes && !memcmp(id, item->id, (size_t)n);
}

/* Copies are made where the archive is. */
static bool is_full(int ret)
{
	return ret == -ENOSPC || ret == -EDQUOT || ret == -EFBIG;
}

static int put_dso(void *ctx, const struct data_build_id *item)
{
	struct making *m = ctx;
	char id[DSO_BUILD_ID_TEXT];
	const char *why = NULL;
	bool found = false;
	int ret = 0;

	dso_build_id_format(item->id, item->bytes, id);
	if (!item->bytes) {
		why = _("the recording has no build-id of it");
	} else {
		if (is_here(item))
			ret = buildid_cache_add(m->staging, &roots_system, item, 0);
		if (is_full(ret))
			return ret;
		ret = put_parts(m, item, id, &found);
		if (!ret && found)
			ret = put_link(m, item, id);
		why = found ? NULL : _("no file here has its build-id");
	}
	m->result->missing += why != NULL;
	if (!ret && m->o->file)
		m->o->file(m->o->ctx, item->path, why);
	return ret;
}

/* ---- the archive ---- */

static char *beside(const char *path)
{
	struct buf name = BUF_INIT;

	buf_addf(&name, "%s.XXXXXX", path);
	return buf_take(&name);
}

static bool is_packed_name(const char *path)
{
	size_t n = strlen(path);

	return n < 4 || strcmp(path + n - 4, ".tar") != 0;
}

static int open_output(struct making *m)
{
	const char *path = m->o->output;

	m->temp = beside(path);
	m->staging = beside(path);
	if (!m->temp || !m->staging)
		return -ENOMEM;
	m->fd = mkostemp(m->temp, O_CLOEXEC);
	if (m->fd < 0)
		return -errno;
	if (!mkdtemp(m->staging))
		return -errno;
	folder_guard_start(&m->guard, m->staging, m->temp);
	m->tar = tar_writer_new(m->fd, is_packed_name(path));
	return m->tar ? 0 : -ENOMEM;
}

static int close_output(struct making *m)
{
	struct stat st;
	int ret = tar_finish(m->tar);

	if (!ret && fstat(m->fd, &st))
		ret = -errno;
	if (!ret)
		m->result->bytes = (uint64_t)st.st_size;
	if (close(m->fd) && !ret)
		ret = -errno;
	m->fd = -1;
	if (!ret && rename(m->temp, m->o->output))
		ret = -errno;
	return ret;
}

static int put_all(struct making *m, struct data_file *file)
{
	int ret = open_output(m);

	if (!ret)
		ret = put_recording(m, ARCHIVE_RECORDING, m->o->input, 0);
	if (!ret)
		ret = buildid_hits_each(file, m->o->cache_dir, true, put_dso, m, m->err);
	return ret ? ret : close_output(m);
}

int archive_make(const struct archive_opts *o, struct archive_result *result,
		 struct ptui_error *err)
{
	struct making m = {
		.o = o, .result = result, .err = err, .fd = -1, .guard = FOLDER_GUARD_INIT
	};
	struct data_file *file;
	int ret = 0;

	memset(result, 0, sizeof(*result));
	file = data_open(o->input, err, &ret);
	if (!file)
		return ret;
	data_header_damage(file, &result->damage);
	ret = put_all(&m, file);
	if (ret == -ENOMEM && !ptui_error_is_set(err))
		ptui_error_nomem(err);
	else if (ret && !ptui_error_is_set(err))
		ptui_error_errno(err, -ret, o->output, _("cannot write %s"), o->output);
	if (ret && m.fd >= 0)
		close(m.fd);
	if (ret && m.temp)
		unlink(m.temp);
	if (m.staging)
		archive_remove_folder(m.staging);
	folder_guard_end(&m.guard);
	tar_writer_free(m.tar);
	free(m.temp);
	free(m.staging);
	data_close(file);
	return ret;
}
