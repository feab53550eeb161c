/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "cli/probe/probe.h"

/* "ext4" of "/lib/modules/x/ext4.ko.xz" */
static const char *module_name(struct arena *mem, const char *path)
{
	const char *name = strrchr(path, '/');
	char *ret;

	name = name ? name + 1 : path;
	ret = arena_memdup0(mem, name, strcspn(name, "."));
	for (char *c = ret; c && *c; c++)
		if (*c == '-')
			*c = '_';
	return ret;
}

static const char *real_path(struct probe_run *r, const char *path, struct ptui_error *err)
{
	char whole[PATH_MAX];
	const char *ret;

	if (r->c->namespace_pid) {
		ret = arena_printf(&r->mem, "/proc/%llu/root/%s",
				   (unsigned long long)r->c->namespace_pid, path + (*path == '/'));
	} else if (r->c->symfs) {
		ret = path;
	} else if (!realpath(path, whole)) {
		ptui_error_errno(err, errno, path, _("cannot find '%s'"), path);
		return NULL;
	} else {
		ret = arena_strdup(&r->mem, whole);
	}
	if (!ret)
		ptui_error_nomem(err);
	return ret;
}

static struct probe_binary *open_target(struct probe_run *r, const struct probe_target *t,
					struct ptui_error *err)
{
	const struct probe_binary_opts o = { .symfs = r->c->symfs,
					     .cache_dir = r->cli->buildid_dir };
	const char *path;

	r->module = NULL;
	if (t->exec) {
		path = real_path(r, t->exec, err);
		return path ? probe_binary_open(path, &o, err) : NULL;
	}
	if (t->module) {
		r->module = module_name(&r->mem, t->module);
		return strchr(t->module, '/') ? probe_binary_open_kernel(t->module, &o, err) :
						probe_binary_kernel_module(t->module, &o, err);
	}
	return r->c->vmlinux ? probe_binary_open_kernel(r->c->vmlinux, &o, err) :
			       probe_binary_running_kernel(&roots_system, &o, err);
}

int probe_use_target(struct probe_run *r, const struct probe_target *t, struct ptui_error *err)
{
	if (r->binary && r->target.exec == t->exec && r->target.module == t->module)
		return 0;
	probe_binary_free(r->binary);
	r->target = *t;
	r->binary = open_target(r, t, err);
	if (r->binary)
		return 0;
	return err->code ? -err->code : -EINVAL;
}

struct probe_find_opts probe_find_opts(struct probe_run *r)
{
	return (struct probe_find_opts){ .no_inlines = r->c->no_inlines,
					 .source_prefix = r->c->source,
					 .mem = &r->mem };
}
