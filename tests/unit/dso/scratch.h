/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A temporary directory for a test. */
#ifndef TESTS_UNIT_DSO_SCRATCH_H
#define TESTS_UNIT_DSO_SCRATCH_H

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>

struct scratch {
	char dir[64];
	char path[512];
};

static inline int scratch_init(struct scratch *s)
{
	snprintf(s->dir, sizeof(s->dir), "/tmp/ptui-test-XXXXXX");
	return mkdtemp(s->dir) ? 0 : -1;
}

/* DIR/name; until the next call. */
static inline const char *scratch_path(struct scratch *s, const char *name)
{
	snprintf(s->path, sizeof(s->path), "%s%s%s", s->dir, name[0] == '/' ? "" : "/", name);
	return s->path;
}

static inline int scratch_write(struct scratch *s, const char *name, const char *text)
{
	FILE *f = fopen(scratch_path(s, name), "w");

	if (!f)
		return -1;
	fputs(text, f);
	return fclose(f);
}

static inline int scratch_remove(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
	(void)st;
	(void)kind;
	(void)ftw;
	return remove(path);
}

static inline void scratch_release(struct scratch *s)
{
	nftw(s->dir, scratch_remove, 8, FTW_DEPTH | FTW_PHYS);
}

#endif
