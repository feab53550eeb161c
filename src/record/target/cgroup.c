/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/file.h"
#include "base/i18n.h"
#include "base/text.h"
#include "base/vec.h"
#include "record/target/cgroup.h"

/* True if the comma-separated list contains `word`. */
static bool has_word(const char *list, const char *word)
{
	size_t n = strlen(word);

	for (; list; list = strchr(list, ',') ? strchr(list, ',') + 1 : NULL)
		if (!strncmp(list, word, n) && (list[n] == ',' || !list[n]))
			return true;
	return false;
}

/*
 * "cgroup /sys/fs/cgroup/perf_event cgroup rw,perf_event 0 0": returns the version, and the path.
 */
static int read_mount(char *line, char **ret_path)
{
	char *path, *type, *options, *save = NULL;

	strtok_r(line, " ", &save);
	path = strtok_r(NULL, " ", &save);
	type = strtok_r(NULL, " ", &save);
	options = strtok_r(NULL, " ", &save);
	if (!path || !type || !options)
		return 0;
	*ret_path = path;
	if (!strcmp(type, "cgroup2"))
		return 2;
	return !strcmp(type, "cgroup") && has_word(options, "perf_event") ? 1 : 0;
}

/*
 * Returns the version and its path (within *text); 0: none. The first mount of each version counts.
 */
static int find_mount(const struct roots *roots, struct buf *text, char **ret_path)
{
	char *line, *save = NULL, *path;
	int version, found = 0;

	if (file_readf(text, 1 << 20, "%s/self/mounts", roots->proc))
		return 0;
	for (line = strtok_r(text->data, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		version = read_mount(line, &path);
		if (!version || (found && version >= found))
			continue;
		found = version;
		*ret_path = path;
	}
	return found;
}

int cgroup_version(const struct roots *roots)
{
	struct buf text = BUF_INIT;
	char *path;
	int version = find_mount(roots, &text, &path);

	buf_release(&text);
	return version;
}

int cgroup_mount(const struct roots *roots, char **ret, struct ptui_error *err)
{
	struct buf text = BUF_INIT;
	char *path;
	int result = 0;

	if (!find_mount(roots, &text, &path)) {
		result = ptui_error_set(err, PTUI_ERROR_SYSTEM, ENOENT, "cgroup",
					_("no cgroup file system with the perf_event controller "
					  "is mounted"));
		ptui_error_hint(err, _("as root: mount -t cgroup2 none /sys/fs/cgroup"));
	} else {
		text_unescape_octal(path);
		*ret = strdup(path);
		if (!*ret)
			result = ptui_error_nomem(err);
	}
	buf_release(&text);
	return result;
}

/* Reports whether the cgroup is missing or cannot be opened. */
static int open_group(struct cgroups *g, const struct roots *roots, const char *name, int *ret_fd,
		      struct ptui_error *err)
{
	struct buf path = BUF_INIT;
	int ret = 0;

	if (!g->mount)
		ret = cgroup_mount(roots, &g->mount, err);
	if (ret)
		return ret;
	buf_addf(&path, "%s/%s", g->mount, name);
	if (path.err || vec_grow(&g->fds, &g->cap, g->n + 1)) {
		buf_release(&path);
		return ptui_error_nomem(err);
	}
	*ret_fd = open(buf_str(&path), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (*ret_fd < 0) {
		ret = ptui_error_errno(err, errno, name, _("cannot open cgroup %s (%s)"), name,
				       buf_str(&path));
		if (ret == -ENOENT)
			ptui_error_hint(err, _("names are relative to %s"), g->mount);
	} else {
		g->fds[g->n++] = *ret_fd;
	}
	buf_release(&path);
	return ret;
}

static int set_group(struct event *ev, const char *name, int fd, struct ptui_error *err)
{
	free(ev->cgroup);
	ev->cgroup = strdup(name);
	ev->cgroup_fd = fd;
	return ev->cgroup ? 0 : ptui_error_nomem(err);
}

static int cgroups_add_name(struct cgroups *g, const struct roots *roots, const char *name,
			    struct event_list *events, struct ptui_error *err)
{
	int fd = -1, ret = 0;

	if (g->next >= events->n)
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, name,
				      _("no event for cgroup '%s': each name applies to one of "
					"the events before -G, in order"),
				      name);
	if (*name) {
		ret = open_group(g, roots, name, &fd, err);
		if (!ret)
			ret = set_group(&events->v[g->next], name, fd, err);
	}
	g->next++;
	return ret;
}

/* A single first name applies to every event so far. */
static int apply_to_all_events(const struct event_list *events, struct ptui_error *err)
{
	const struct event *first = &events->v[0];
	int ret = 0;

	for (size_t i = 1; i < events->n && first->cgroup && !ret; i++)
		ret = set_group(&events->v[i], first->cgroup, first->cgroup_fd, err);
	return ret;
}

int cgroups_add(struct cgroups *g, const struct roots *roots, const char *names,
		struct event_list *events, struct ptui_error *err)
{
	char *copy, *at, *name;
	int ret = 0;

	if (!events->n)
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, "-G",
				      _("give -G after the -e that it applies to"));
	copy = at = strdup(names);
	if (!copy)
		return ptui_error_nomem(err);
	/* an empty name after the last event is ignored */
	while (!ret && (name = strsep(&at, ",")))
		if (*name || g->next < events->n)
			ret = cgroups_add_name(g, roots, name, events, err);
	free(copy);
	return !ret && g->next == 1 ? apply_to_all_events(events, err) : ret;
}

int cgroups_set(struct cgroups *g, const struct roots *roots, const char *name,
		struct event_list *events, size_t from, struct ptui_error *err)
{
	int fd, ret = open_group(g, roots, name, &fd, err);

	for (size_t i = from; i < events->n && !ret; i++)
		ret = set_group(&events->v[i], name, fd, err);
	return ret;
}

void cgroups_release(struct cgroups *g)
{
	for (size_t i = 0; i < g->n; i++)
		close(g->fds[i]);
	free(g->fds);
	free(g->mount);
	memset(g, 0, sizeof(*g));
}
