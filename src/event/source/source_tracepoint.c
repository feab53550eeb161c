/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tracepoints: tracefs/events/SYSTEM/NAME/, a few thousand. Loading only lists directories; the id
 * file is read when the event is used.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/i18n.h"
#include "event/source/source.h"

#define ID_UNKNOWN UINT64_MAX

static bool is_folder(int dir_fd, const struct dirent *item)
{
	struct stat st;

	if (item->d_name[0] == '.')
		return false;
	if (item->d_type != DT_UNKNOWN)
		return item->d_type == DT_DIR;
	return !fstatat(dir_fd, item->d_name, &st, 0) && S_ISDIR(st.st_mode);
}

/* In the system "ftrace", which describes records of tracers, only events have an id. */
static bool is_event(int system_fd, const char *system, const char *name)
{
	struct buf path = BUF_INIT;
	bool has_id;

	if (strcmp(system, "ftrace"))
		return true;
	buf_addf(&path, "%s/id", name);
	has_id = !path.err && !faccessat(system_fd, buf_str(&path), F_OK, 0);
	buf_release(&path);
	return has_id;
}

static int add(struct catalog *cat, struct catalog_rows *rows, const char *system, const char *name)
{
	struct catalog_entry *entry = catalog_rows_add(rows);

	if (!entry)
		return -ENOMEM;
	entry->name = arena_printf(&cat->text, "%s:%s", system, name);
	entry->kind = EVENT_TRACEPOINT;
	entry->type = PERF_TYPE_TRACEPOINT;
	entry->config = ID_UNKNOWN;
	return entry->name ? 0 : -ENOMEM;
}

/* A system that disappeared (its module was unloaded) has no events. */
static int add_system(struct catalog *cat, struct catalog_rows *rows, int events_fd,
		      const char *system, struct ptui_error *err)
{
	int fd = openat(events_fd, system, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *item;
	int ret = 0;

	if (!dir) {
		int errnum = errno;

		if (fd >= 0)
			close(fd);
		if (errnum == ENOENT)
			return 0;
		return ptui_error_errno(err, errnum, system, _("cannot read the tracepoints of %s"),
					system);
	}
	while (!ret && (item = readdir(dir))) {
		if (is_folder(fd, item) && is_event(fd, system, item->d_name) &&
		    add(cat, rows, system, item->d_name))
			ret = ptui_error_nomem(err);
	}
	closedir(dir);
	return ret;
}

static int open_events(const char *tracefs, DIR **ret_dir, struct ptui_error *err)
{
	struct buf path = BUF_INIT;
	int ret = 0;

	buf_addf(&path, "%s/events", tracefs);
	if (path.err) {
		ret = ptui_error_nomem(err);
		goto out;
	}
	*ret_dir = opendir(buf_str(&path));
	if (!*ret_dir)
		ret = ptui_error_errno(err, errno, buf_str(&path), _("cannot read %s"),
				       buf_str(&path));
out:
	buf_release(&path);
	return ret;
}

static int load(struct catalog *cat, struct catalog_rows *rows, struct ptui_error *err)
{
	struct dirent *item;
	const char *tracefs;
	DIR *dir;
	int ret = catalog_tracefs(cat, &tracefs, err);

	if (!ret)
		ret = open_events(tracefs, &dir, err);
	if (ret)
		return ret;
	while (!ret && (item = readdir(dir))) {
		if (is_folder(dirfd(dir), item))
			ret = add_system(cat, rows, dirfd(dir), item->d_name, err);
	}
	closedir(dir);
	if (!ret)
		catalog_rows_sort(rows);
	return ret;
}

struct key {
	const char *name;
	size_t len;
};

static int compare_key(const void *a, const void *b)
{
	const struct key *key = a;
	const struct catalog_entry *entry = b;
	int order = strncmp(key->name, entry->name, key->len);

	return order ? order : entry->name[key->len] ? -1 : 0;
}

static const struct catalog_entry *find(const struct catalog_rows *rows, const char *name,
					size_t len)
{
	struct key key = { name, len };

	return rows->n ? bsearch(&key, rows->v, rows->n, sizeof(*rows->v), compare_key) : NULL;
}

static int resolve(struct catalog *cat, const struct catalog_entry *entry, uint64_t *ret_config,
		   struct ptui_error *err)
{
	size_t system_len = strcspn(entry->name, ":");
	const char *tracefs;
	long long id;
	int ret = catalog_tracefs(cat, &tracefs, err);

	if (ret)
		return ret;
	ret = file_read_long(&id, "%s/events/%.*s/%s/id", tracefs, (int)system_len, entry->name,
			     entry->name + system_len + 1);
	if (!ret && id < 0)
		ret = -EINVAL;
	if (ret) {
		ptui_error_errno(err, -ret, entry->name, _("cannot read the id of %s"),
				 entry->name);
		if (ret == -EACCES)
			catalog_tracefs_hint(tracefs, err);
		return ret;
	}
	*ret_config = (uint64_t)id;
	return 0;
}

const struct catalog_source source_tracepoint = {
	.kind = EVENT_TRACEPOINT,
	.heading = N_("Tracepoint event"),
	.has_colon = true,
	.load = load,
	.find = find,
	.resolve = resolve,
};
