/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CGROUP records of existing cgroups. A cgroup's id in samples is the inode of its directory. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include "record/header/synth.h"
#include "record/target/cgroup.h"

#define DEPTH_MAX 64

/* The name is `path` from `root` on; `path` is restored. Directories that vanish are skipped. */
static int put_tree(struct synth *s, struct buf *path, size_t root, int depth)
{
	size_t len = path->len;
	struct dirent *item;
	struct stat st;
	DIR *dir;
	int ret;

	if (stat(buf_str(path), &st))
		return 0;
	ret = data_put_cgroup(s->out, st.st_ino, len > root ? buf_str(path) + root : "/", s->attr,
			      NULL);
	dir = ret || depth == DEPTH_MAX ? NULL : opendir(buf_str(path));
	while (dir && !ret && (item = readdir(dir))) {
		if (item->d_type != DT_DIR || item->d_name[0] == '.')
			continue;
		buf_addf(path, "/%s", item->d_name);
		ret = path->err ? path->err : put_tree(s, path, root, depth + 1);
		if (path->err)
			break;
		path->len = len;
		path->data[len] = '\0';
	}
	if (dir)
		closedir(dir);
	return ret == -E2BIG ? 0 : ret;
}

int synth_cgroups(struct synth *s)
{
	struct buf path = BUF_INIT;
	char *mount = NULL;
	int ret = cgroup_mount(s->roots, &mount, NULL);

	if (ret)
		return ret == -ENOENT ? 0 : ret;
	buf_add_str(&path, mount);
	free(mount);
	ret = path.err ? path.err : put_tree(s, &path, path.len, 0);
	buf_release(&path);
	return ret;
}
