/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CGROUP records of existing cgroups. A cgroup's id in samples is the inode of its directory. */
#include <errno.h>
#include "record/header/synth.h"
#include "record/target/cgroup_find.h"

static int put_cgroup(void *ctx, const char *path, const char *name, uint64_t id)
{
	struct synth *s = ctx;
	int ret = data_put_cgroup(s->out, id, name, s->attr, NULL);

	(void)path;
	return ret == -E2BIG ? 0 : ret; /* a name that is too long for a record */
}

int synth_cgroups(struct synth *s)
{
	int ret = cgroups_walk(s->roots, put_cgroup, s, NULL);

	return ret == -ENOENT ? 0 : ret;
}
