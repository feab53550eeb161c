/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Locates tracefs: it may be mounted separately or inside debugfs. */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/i18n.h"
#include "base/text.h"
#include "event/source/source.h"

#define MOUNTS_BYTES_MAX (16u << 20)

/*
 * The next mount point of a file system type after *at, in "DEVICE PATH TYPE OPTIONS 0 0" lines;
 * moves *at past its line. NULL: none, or out of memory; the caller frees it.
 */
static char *next_mount_point(const char **at, const char *type)
{
	while (**at) {
		const char *line = *at;
		const char *end = line + strcspn(line, "\n");
		const char *path = line + strcspn(line, " \n");
		const char *path_end, *kind, *kind_end;

		*at = *end ? end + 1 : end;
		path += *path == ' ';
		path_end = path + strcspn(path, " \n");
		kind = path_end + (*path_end == ' ');
		kind_end = kind + strcspn(kind, " \n");
		if ((size_t)(kind_end - kind) == strlen(type) &&
		    !strncmp(kind, type, strlen(type))) {
			char *copy = strndup(path, (size_t)(path_end - path));

			if (copy)
				text_unescape_octal(copy);
			return copy;
		}
	}
	return NULL;
}

/* 0: the events below `tracefs` can be listed; or a negative errno. */
static int try_listing(const char *tracefs)
{
	struct buf events = BUF_INIT;
	int ret;

	buf_addf(&events, "%s/events", tracefs);
	ret = events.err ? -ENOMEM : access(buf_str(&events), R_OK | X_OK) ? -errno : 0;
	buf_release(&events);
	return ret;
}

/* The first mount whose events can be listed, else the first of all. */
static char *find_tracefs(const char *mounts)
{
	char *first = next_mount_point(&mounts, "tracefs"), *other;

	if (!first || !try_listing(first))
		return first;
	while ((other = next_mount_point(&mounts, "tracefs"))) {
		if (!try_listing(other)) {
			free(first);
			return other;
		}
		free(other);
	}
	return first;
}

/* debugfs is closed to users: file systems mounted in it cannot be reached, whatever their mode. */
static bool is_in_debugfs(const char *mounts, const char *path)
{
	char *debugfs = next_mount_point(&mounts, "debugfs");
	size_t len = debugfs ? strlen(debugfs) : 0;
	bool inside = len && !strncmp(path, debugfs, len) && path[len] == '/';

	free(debugfs);
	return inside;
}

static int not_mounted(const struct catalog *cat, struct ptui_error *err)
{
	ptui_error_set(err, PTUI_ERROR_SYSTEM, ENOENT, "tracefs",
		       _("tracefs is not mounted, so tracepoints are not available"));
	ptui_error_hint(err, _("mount it: sudo mount -t tracefs tracefs %s/kernel/tracing"),
			cat->roots->sysfs);
	return -ENOENT;
}

void catalog_tracefs_hint(const char *tracefs, struct ptui_error *err)
{
	ptui_error_hint(err,
			_("run ptui as root, or let a group of yours read them: "
			  "sudo mount -o remount,gid=GROUP,mode=750 %s"),
			tracefs);
	ptui_error_hint(
		err,
		_("to record them, users also require kernel.perf_event_paranoid=-1 or CAP_PERFMON"));
}

static int not_readable(const struct catalog *cat, const char *path, bool in_debugfs, int errnum,
			struct ptui_error *err)
{
	int ret = ptui_error_errno(err, errnum, path, _("cannot read the tracepoints in %s"), path);

	if (errnum != EACCES && errnum != EPERM)
		return ret;
	if (!in_debugfs) {
		catalog_tracefs_hint(path, err);
		return ret;
	}
	ptui_error_hint(err,
			_("run ptui as root, or mount them outside debugfs for a group of yours: "
			  "sudo mount -t tracefs -o gid=GROUP,mode=750 tracefs %s/kernel/tracing"),
			cat->roots->sysfs);
	return ret;
}

/* -ENOENT: no file system that has tracefs is mounted. */
static int search(const struct catalog *cat, char **ret_path, bool *ret_in_debugfs,
		  struct ptui_error *err)
{
	struct buf mounts = BUF_INIT, path = BUF_INIT;
	const char *at;
	char *found = NULL;
	int ret;

	buf_addf(&path, "%s/mounts", cat->roots->proc);
	ret = path.err ? ptui_error_nomem(err) :
			 file_read(buf_str(&path), MOUNTS_BYTES_MAX, &mounts, err);
	if (ret)
		goto out;
	buf_clear(&path);
	found = find_tracefs(buf_str(&mounts));
	if (found) {
		buf_add_str(&path, found);
	} else {
		at = buf_str(&mounts);
		found = next_mount_point(&at, "debugfs");
		if (found)
			buf_addf(&path, "%s/tracing", found);
	}
	if (!found) {
		ret = not_mounted(cat, err);
	} else if (path.err) {
		ret = ptui_error_nomem(err);
	} else {
		*ret_in_debugfs = is_in_debugfs(buf_str(&mounts), buf_str(&path));
		*ret_path = buf_take(&path);
	}
out:
	free(found);
	buf_release(&path);
	buf_release(&mounts);
	return ret;
}

/* Whether the events can be listed there. */
static int check(const struct catalog *cat, const char *path, bool in_debugfs,
		 struct ptui_error *err)
{
	int ret = try_listing(path);

	switch (ret) {
	case 0:
		return 0;
	case -ENOMEM:
		return ptui_error_nomem(err);
	case -ENOENT:
	case -ENOTDIR:
		return not_mounted(cat, err);
	default:
		return not_readable(cat, path, in_debugfs, -ret, err);
	}
}

int catalog_tracefs(struct catalog *cat, const char **ret_path, struct ptui_error *err)
{
	char *path = NULL;
	bool in_debugfs = false;
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
		ret = search(cat, &path, &in_debugfs, err);
	}
	if (!ret)
		ret = check(cat, path, in_debugfs, err);
	if (ret) {
		free(path);
		return ret;
	}
	cat->tracefs = path;
	*ret_path = path;
	return 0;
}
