/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where tracefs is: it may be mounted by itself, or stand inside debugfs. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/i18n.h"
#include "event/source/source.h"

#define MOUNTS_BYTES_MAX (16u << 20)

/* Spaces in the mounts file are written as octal numbers (\040); in place. */
static void unescape(char *s)
{
	char *to = s;

	for (; *s; s++, to++) {
		if (s[0] == '\\' && s[1] >= '0' && s[1] <= '3' && s[2] >= '0' && s[2] <= '7' &&
		    s[3] >= '0' && s[3] <= '7') {
			*to = (char)((s[1] - '0') << 6 | (s[2] - '0') << 3 | (s[3] - '0'));
			s += 3;
		} else {
			*to = *s;
		}
	}
	*to = '\0';
}

/*
 * The first mount point of a file system type: "DEVICE PATH TYPE OPTIONS 0 0" a line. NULL
 * when there is none or no memory; free() it.
 */
static char *mount_point(const char *mounts, const char *type)
{
	const char *line = mounts;

	while (*line) {
		const char *end = line + strcspn(line, "\n");
		const char *path = line + strcspn(line, " \n");
		const char *path_end, *kind, *kind_end;

		path += *path == ' ';
		path_end = path + strcspn(path, " \n");
		kind = path_end + (*path_end == ' ');
		kind_end = kind + strcspn(kind, " \n");
		if ((size_t)(kind_end - kind) == strlen(type) &&
		    !strncmp(kind, type, strlen(type))) {
			char *copy = strndup(path, (size_t)(path_end - path));

			if (copy)
				unescape(copy);
			return copy;
		}
		line = *end ? end + 1 : end;
	}
	return NULL;
}

static int not_mounted(const struct catalog *cat, struct ptui_error *err)
{
	ptui_error_set(err, PTUI_ERROR_SYSTEM, ENOENT, "tracefs",
		       _("tracefs, where the kernel shows its tracepoints, is not mounted"));
	ptui_error_hint(err, _("mount it: sudo mount -t tracefs tracefs %s/kernel/tracing"),
			cat->roots->sysfs);
	return -ENOENT;
}

static int not_readable(const char *path, int errnum, struct ptui_error *err)
{
	int ret = ptui_error_errno(err, errnum, path, _("cannot read the tracepoints in %s"), path);

	if (errnum == EACCES || errnum == EPERM)
		ptui_error_hint(err,
				_("run ptui as root, or let everybody read them: "
				  "sudo mount -o remount,mode=755 %s"),
				path);
	return ret;
}

/* -ENOENT: no file system that has tracefs is mounted. */
static int search(const struct catalog *cat, char **ret_path, struct ptui_error *err)
{
	struct buf mounts = BUF_INIT, path = BUF_INIT;
	char *found = NULL;
	int ret;

	buf_addf(&path, "%s/mounts", cat->roots->proc);
	ret = path.err ? ptui_error_nomem(err) :
			 file_read(buf_str(&path), MOUNTS_BYTES_MAX, &mounts, err);
	if (ret)
		goto out;
	buf_clear(&path);
	found = mount_point(buf_str(&mounts), "tracefs");
	if (found) {
		buf_add_str(&path, found);
	} else {
		found = mount_point(buf_str(&mounts), "debugfs");
		if (found)
			buf_addf(&path, "%s/tracing", found);
	}
	if (!found)
		ret = not_mounted(cat, err);
	else if (path.err)
		ret = ptui_error_nomem(err);
	else
		*ret_path = buf_take(&path);
out:
	free(found);
	buf_release(&path);
	buf_release(&mounts);
	return ret;
}

/* Whether the events can be listed there. */
static int check(const struct catalog *cat, const char *path, struct ptui_error *err)
{
	struct buf events = BUF_INIT;
	int ret = 0;

	buf_addf(&events, "%s/events", path);
	if (events.err)
		ret = ptui_error_nomem(err);
	else if (!access(buf_str(&events), R_OK | X_OK))
		ret = 0;
	else if (errno == ENOENT || errno == ENOTDIR)
		ret = not_mounted(cat, err);
	else
		ret = not_readable(path, errno, err);
	buf_release(&events);
	return ret;
}

int catalog_tracefs(struct catalog *cat, const char **ret_path, struct ptui_error *err)
{
	char *path = NULL;
	int ret = 0;

	if (cat->tracefs) {
		*ret_path = cat->tracefs;
		return 0;
	}
	if (cat->roots->tracefs) {
		path = strdup(cat->roots->tracefs);
		if (!path)
			ret = ptui_error_nomem(err);
	} else {
		ret = search(cat, &path, err);
	}
	if (!ret)
		ret = check(cat, path, err);
	if (ret) {
		free(path);
		return ret;
	}
	cat->tracefs = path;
	*ret_path = path;
	return 0;
}
