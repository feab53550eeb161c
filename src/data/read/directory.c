/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recordings that are directories: perf record --threads, --kcore.
 *
 *   DIR/data               header, features, records
 *   DIR/data.0, data.1 …   records only: one per thread of the recorder
 *   DIR/kcore_dir/         kallsyms, modules and kcore, copied while it recorded
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/i18n.h"
#include "data/read/reader_private.h"

int directory_open_data(struct data_file *f, struct stat *st, struct ptui_error *err)
{
	const char *path = f->path;
	int fd = openat(f->src.fd, "data", O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

	if (fd < 0 && errno == ENOENT)
		return ptui_error_set(err, PTUI_ERROR_FORMAT, EINVAL, path,
				      _("%s is a directory, and not a recording: it has no file "
					"named \"data\""),
				      path);
	if (fd < 0)
		return ptui_error_errno(err, errno, path, _("cannot open %s/data"), path);
	f->dir_fd = f->src.fd;
	f->src.fd = fd;
	if (fstat(fd, st))
		return ptui_error_errno(err, errno, path, _("cannot open %s/data"), path);
	return 0;
}

/* If the file is DIR/data, and its header says so, DIR is where the others are. */
static int open_directory_of(struct data_file *f)
{
	const char *slash = strrchr(f->path, '/');
	char *dir;

	if (f->dir_fd >= 0 || strcmp(slash ? slash + 1 : f->path, "data"))
		return 0;
	dir = slash ? strndup(f->path, (size_t)(slash + 1 - f->path)) : strdup(".");
	if (!dir)
		return -ENOMEM;
	f->dir_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	free(dir);
	return 0;
}

int directory_add_parts(struct data_file *f, struct ptui_error *err)
{
	char name[32];
	struct stat st;
	int ret;

	if (!f->features[PTUI_FEAT_DIR_FORMAT].present)
		return 0;
	if (open_directory_of(f))
		return ptui_error_nomem(err);
	for (unsigned i = 0; f->dir_fd >= 0; i++) {
		int fd;

		snprintf(name, sizeof(name), "data.%u", i);
		fd = openat(f->dir_fd, name, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
		if (fd < 0 && errno == ENOENT)
			break;
		if (fd < 0 || fstat(fd, &st) || !S_ISREG(st.st_mode)) {
			ret = ptui_error_set(err, PTUI_ERROR_FORMAT, EINVAL, f->path,
					     _("cannot open %s of the recording %s"), name,
					     f->path);
			if (fd >= 0)
				close(fd);
			return ret;
		}
		if (source_add_part(&f->src, fd, (uint64_t)st.st_size)) {
			close(fd);
			return ptui_error_nomem(err);
		}
	}
	return 0;
}

const char *data_kallsyms_path(struct data_file *f)
{
	static const char name[] = "kcore_dir/kallsyms";
	struct stat st;
	const char *slash = strrchr(f->path, '/');
	size_t n = slash ? (size_t)(slash + 1 - f->path) : 0;
	char *path;

	if (f->dir_fd < 0 || fstatat(f->dir_fd, name, &st, 0) || !S_ISREG(st.st_mode))
		return NULL;
	if (!stat(f->path, &st) && S_ISDIR(st.st_mode))
		n = strlen(f->path);
	path = arena_alloc(&f->arena, n + 1 + sizeof(name));
	if (path)
		snprintf(path, n + 1 + sizeof(name), "%.*s%s%s", (int)n, f->path,
			 n && f->path[n - 1] != '/' ? "/" : "", name);
	return path;
}
