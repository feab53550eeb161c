/* SPDX-License-Identifier: GPL-2.0-or-later */
/* DSO names as perf shows them (tools/perf/util/dso.c). */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "base/buf.h"
#include "resolve/private.h"

bool dso_name_is_vdso(const char *path)
{
	return !strcmp(path, "[vdso]") || !strcmp(path, "[vdso32]") || !strcmp(path, "[vdsox32]");
}

bool dso_name_is_kernel(const struct strpool *names, const struct module_ref *ref)
{
	return ref->kernel && !strcmp(strpool_get(names, ref->path), "[kernel.kallsyms]");
}

/* The last component of a path, without trailing slashes. */
static const char *last_part(const char *path, size_t *ret_len)
{
	size_t end = strlen(path), start;

	while (end > 1 && path[end - 1] == '/')
		end--;
	for (start = end; start > 0 && path[start - 1] != '/';)
		start--;
	*ret_len = end - start;
	return path + start;
}

/* "nf-tables.ko.xz" -> length of "nf-tables"; 0: not the file of a kernel module. */
static size_t module_stem(const char *name, size_t len)
{
	static const char *const tails[] = { ".ko", ".ko.gz", ".ko.xz", ".ko.zst" };

	for (size_t i = 0; i < sizeof(tails) / sizeof(tails[0]); i++) {
		size_t n = strlen(tails[i]);

		if (len > n && !memcmp(name + len - n, tails[i], n))
			return len - n;
	}
	return 0;
}

/* "/lib/modules/…/nf-tables.ko.xz" and "[nf_tables]" are both "[nf_tables]". */
static void add_kernel_name(struct buf *b, const char *path)
{
	size_t len, stem;
	const char *base = last_part(path, &len);

	stem = path[0] == '[' ? 0 : module_stem(base, len);
	if (stem)
		buf_addf(b, "[%.*s]", (int)stem, base);
	else
		buf_add(b, path[0] == '[' ? path : base, path[0] == '[' ? strlen(path) : len);
	if (stem || (path[0] == '[' && strcmp(path, "[kernel.kallsyms]")))
		for (size_t i = 0; i < b->len; i++)
			if (b->data[i] == '-')
				b->data[i] = '_';
}

void resolver_kernel_module_name(struct buf *b, const char *path)
{
	size_t len;
	const char *base = last_part(path, &len);

	if (path[0] == '[' ? strncmp(path, "[kernel.", 8) && strncmp(path, "[guest.", 7) :
			     module_stem(base, len) > 0)
		add_kernel_name(b, path);
}

int dso_name_set(struct strpool *names, const struct module_ref *ref, struct dso_info *info)
{
	const char *path = strpool_get(names, ref->path), *base;
	struct buf b = BUF_INIT;
	char map[48];
	size_t len;

	info->name = ref->path;
	if (ref->pid >= 0) {
		snprintf(map, sizeof(map), "/tmp/perf-%d.map", (int)ref->pid);
		info->name = strpool_add(names, map);
		buf_addf(&b, "[JIT] tid %d", (int)ref->pid);
	} else if (ref->ksymbol) {
		buf_add_str(&b, path);
	} else if (ref->kernel) {
		add_kernel_name(&b, path);
	} else {
		base = last_part(path, &len);
		buf_add(&b, base, len);
	}
	info->short_name = b.err ? PTUI_NONE : strpool_add(names, buf_str(&b));
	buf_release(&b);
	return info->name == PTUI_NONE || info->short_name == PTUI_NONE ? -ENOMEM : 0;
}
