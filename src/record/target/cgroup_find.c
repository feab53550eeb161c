/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record/target/cgroup_find.h"

#include <dirent.h>
#include <errno.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "base/buf.h"
#include "base/i18n.h"
#include "base/vec.h"
#include "record/target/cgroup.h"

#define DEPTH_MAX	64
#define TASKS_BYTES_MAX (16 << 20)

/* ---- all of them ---- */

struct walk {
	struct buf path;
	size_t root; /* length of the path of the mount */
	cgroup_fn fn;
	void *ctx;
};

/* The path is restored. */
static int walk_below(struct walk *w, int depth)
{
	size_t len = w->path.len;
	struct dirent *item;
	struct stat st;
	DIR *dir;
	int ret;

	if (stat(buf_str(&w->path), &st))
		return 0;
	ret = w->fn(w->ctx, buf_str(&w->path), len > w->root ? buf_str(&w->path) + w->root : "/",
		    st.st_ino);
	dir = ret || depth == DEPTH_MAX ? NULL : opendir(buf_str(&w->path));
	while (dir && !ret && (item = readdir(dir))) {
		if (item->d_type != DT_DIR || item->d_name[0] == '.')
			continue;
		buf_addf(&w->path, "/%s", item->d_name);
		ret = w->path.err ? w->path.err : walk_below(w, depth + 1);
		if (w->path.err)
			break;
		w->path.len = len;
		w->path.data[len] = '\0';
	}
	if (dir)
		closedir(dir);
	return ret;
}

int cgroups_walk(const struct roots *roots, cgroup_fn fn, void *ctx, struct ptui_error *err)
{
	struct walk w = { .path = BUF_INIT, .fn = fn, .ctx = ctx };
	char *mount = NULL;
	int ret = cgroup_mount(roots, &mount, err);

	if (ret)
		return ret;
	buf_add_str(&w.path, mount);
	w.root = w.path.len;
	free(mount);
	ret = w.path.err ? w.path.err : walk_below(&w, 0);
	buf_release(&w.path);
	return ret;
}

/* ---- names ---- */

void cgroup_names_release(struct cgroup_names *names)
{
	for (size_t i = 0; i < names->n; i++)
		free(names->v[i].name);
	free(names->v);
	memset(names, 0, sizeof(*names));
}

static int add_name(struct cgroup_names *names, const char *name, size_t n_tasks)
{
	int ret = vec_grow(&names->v, &names->cap, names->n + 1);
	char *copy = ret ? NULL : strdup(name);

	if (!copy)
		return -ENOMEM;
	names->v[names->n++] = (struct cgroup_name){ copy, n_tasks };
	return 0;
}

/* "/a/b" as "a/b"; the root keeps its name. */
static const char *short_name(const char *name)
{
	return name[1] ? name + 1 : name;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct cgroup_name *)a)->name, ((const struct cgroup_name *)b)->name);
}

static int by_tasks(const void *a, const void *b)
{
	const struct cgroup_name *x = a, *y = b;

	return x->n_tasks != y->n_tasks ? (x->n_tasks < y->n_tasks) - (x->n_tasks > y->n_tasks) :
					  by_name(a, b);
}

static void sort(struct cgroup_names *names, int (*compare)(const void *, const void *))
{
	if (names->n)
		qsort(names->v, names->n, sizeof(*names->v), compare);
}

struct patterns {
	regex_t *v;
	size_t n;
	struct cgroup_names *names;
};

static int match(void *ctx, const char *path, const char *name, uint64_t id)
{
	struct patterns *p = ctx;

	(void)path;
	(void)id;
	for (size_t i = 0; i < p->n; i++)
		if (!regexec(&p->v[i], name + 1, 0, NULL, 0)) /* "a/b", and "" for the root */
			return add_name(p->names, short_name(name), 0);
	return 0;
}

static int set_bad_pattern(const char *word, int code, const regex_t *r, struct ptui_error *err)
{
	char why[128];

	regerror(code, r, why, sizeof(why));
	return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, word,
			      _("'%s' is not a regular expression: %s"), word, why);
}

/* Splits `list`. */
static int compile(struct patterns *p, char *list, struct ptui_error *err)
{
	char *save = NULL;
	int code = 0, ret = 0;

	for (char *word = strtok_r(list, ",", &save); word && !ret;
	     word = strtok_r(NULL, ",", &save)) {
		regex_t *more = reallocarray(p->v, p->n + 1, sizeof(*more));

		if (!more)
			return ptui_error_nomem(err);
		p->v = more;
		code = regcomp(&p->v[p->n], word, REG_NOSUB);
		if (code)
			ret = set_bad_pattern(word, code, &p->v[p->n], err);
		else
			p->n++;
	}
	return ret;
}

static int find_matches(struct cgroup_names *names, const struct roots *roots, const char *list,
			struct ptui_error *err)
{
	struct patterns p = { .names = names };
	char *copy = strdup(list);
	int ret = copy ? compile(&p, copy, err) : ptui_error_nomem(err);

	if (!ret)
		ret = cgroups_walk(roots, match, &p, err);
	if (!ret && !names->n)
		ret = ptui_error_set(err, PTUI_ERROR_INPUT, ENOENT, list,
				     _("no cgroup matches '%s'"), list);
	for (size_t i = 0; i < p.n; i++)
		regfree(&p.v[i]);
	free(p.v);
	free(copy);
	sort(names, by_name);
	return ret;
}

int cgroup_names_find(struct cgroup_names *names, const struct roots *roots, const char *list,
		      struct ptui_error *err)
{
	char *copy, *save = NULL;
	int ret = 0;

	if (strpbrk(list, "{}[]()|*+?^$")) {
		ret = find_matches(names, roots, list, err);
	} else {
		copy = strdup(list);
		ret = copy ? 0 : -ENOMEM;
		for (char *name = ret ? NULL : strtok_r(copy, ",", &save); name && !ret;
		     name = strtok_r(NULL, ",", &save))
			ret = add_name(names, name, 0);
		free(copy);
	}
	return ret == -ENOMEM ? ptui_error_nomem(err) : ret;
}

/* In the directory of a cgroup; version 1 has "tasks", version 2 "cgroup.threads". */
static size_t count_tasks(const char *path)
{
	struct buf text = BUF_INIT;
	size_t n = 0;

	if (file_readf(&text, TASKS_BYTES_MAX, "%s/cgroup.threads", path))
		(void)file_readf(&text, TASKS_BYTES_MAX, "%s/tasks", path);
	for (size_t i = 0; i < text.len; i++)
		n += text.data[i] == '\n';
	buf_release(&text);
	return n;
}

static int add_busy(void *ctx, const char *path, const char *name, uint64_t id)
{
	size_t n_tasks = count_tasks(path);

	(void)id;
	return n_tasks ? add_name(ctx, short_name(name), n_tasks) : 0;
}

int cgroup_names_find_busy(struct cgroup_names *names, const struct roots *roots,
			   struct ptui_error *err)
{
	int ret = cgroups_walk(roots, add_busy, names, err);

	if (ret)
		return ret == -ENOMEM ? ptui_error_nomem(err) : ret;
	if (!names->n)
		return ptui_error_set(err, PTUI_ERROR_INPUT, ENOENT, "cgroup",
				      _("no cgroup has tasks that are visible here"));
	sort(names, by_name);
	return 0;
}

void cgroup_names_limit(struct cgroup_names *names, size_t max)
{
	if (names->n <= max)
		return;
	sort(names, by_tasks);
	while (names->n > max)
		free(names->v[--names->n].name);
	sort(names, by_name);
}
