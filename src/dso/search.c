/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the symbols of a module may be, in perf's order (tools/perf/util/symbol.c,
 * binary_type_symtab):
 *
 *   debuglink             its directory, .debug in it, /usr/lib/debug/DIRECTORY
 *   perf's cache          ~/.debug/.build-id/xx/yyyy/{elf,debug}
 *   by name               /usr/lib/debug/PATH.debug, /usr/lib/debug/PATH
 *   by build-id           /usr/lib/debug/.build-id/xx/yyyy.debug
 *   the file itself
 *
 * and those of the kernel (vmlinux_path__init):
 *
 *   perf's cache          as above
 *   by name               vmlinux, /boot/vmlinux, /boot/vmlinux-RELEASE and the like
 *   by build-id           /usr/lib/debug/.build-id/xx/yyyy.debug
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "base/buf.h"
#include "dso/dso.h"

#define DEBUG_ROOT	"/usr/lib/debug"
#define MODULES_DEP_MAX (16u << 20)

struct search {
	const struct dso_search *s;
	const char *root; /* symfs, never NULL */
	struct buf path;
	int (*fn)(void *ctx, const char *path, char origin);
	void *ctx;
};

static int try_path(struct search *w, char origin)
{
	struct stat st;

	if (w->path.err)
		return w->path.err;
	if (stat(buf_str(&w->path), &st) < 0 || !S_ISREG(st.st_mode))
		return 0;
	return w->fn(w->ctx, buf_str(&w->path), origin);
}

static int try_debuglink(struct search *w)
{
	const char *path = w->s->path, *slash = strrchr(path, '/');
	int dir_len = (int)(slash - path), ret = 0, i;
	struct dso_file *f;
	char link[256];
	bool linked;

	buf_clear(&w->path);
	buf_addf(&w->path, "%s%s", w->root, path);
	f = w->path.err ? NULL : dso_file_open(buf_str(&w->path), NULL, 0, NULL);
	linked = f && dso_file_debuglink(f, link, sizeof(link)) && !strchr(link, '/');
	dso_file_unref(f);
	for (i = 0; linked && i < 3 && !ret; i++) {
		buf_clear(&w->path);
		if (i < 2)
			buf_addf(&w->path, "%s%.*s/%s%s", w->root, dir_len, path,
				 i ? ".debug/" : "", link);
		else
			buf_addf(&w->path, "%s" DEBUG_ROOT "%.*s/%s", w->root, dir_len, path, link);
		ret = try_path(w, DSO_FROM_DEBUGLINK);
	}
	return ret;
}

static int try_cache(struct search *w, const char *id)
{
	static const char *const names[] = { "elf", "debug" };
	const char *home = w->s->home ? w->s->home : getenv("HOME");
	const char *dir = w->s->cache_dir;
	int ret = 0;

	if (!dir && (!home || !*home))
		return 0;
	for (int i = 0; i < 2 && !ret; i++) {
		buf_clear(&w->path);
		buf_addf(&w->path, "%s%s/.build-id/%.2s/%s/%s", dir ? dir : home,
			 dir ? "" : "/.debug", id, id + 2, names[i]);
		ret = try_path(w, i ? DSO_FROM_CACHE_DEBUG : DSO_FROM_CACHE);
	}
	return ret;
}

static int try_debug_id(struct search *w, const char *id)
{
	buf_clear(&w->path);
	buf_addf(&w->path, "%s" DEBUG_ROOT "/.build-id/%.2s/%s.debug", w->root, id, id + 2);
	return try_path(w, DSO_FROM_DEBUG_ID);
}

static int try_debug_root(struct search *w, const char *id)
{
	int ret;

	buf_clear(&w->path);
	buf_addf(&w->path, "%s" DEBUG_ROOT "%s.debug", w->root, w->s->path);
	ret = try_path(w, DSO_FROM_DEBUG_ROOT);
	if (ret)
		return ret;
	buf_clear(&w->path);
	buf_addf(&w->path, "%s" DEBUG_ROOT "%s", w->root, w->s->path);
	ret = try_path(w, DSO_FROM_DEBUG_COPY);
	return ret || !*id ? ret : try_debug_id(w, id);
}

static int try_itself(struct search *w, char origin)
{
	buf_clear(&w->path);
	buf_addf(&w->path, "%s%s", w->root, w->s->path);
	return try_path(w, origin);
}

/* ".ko", or ".ko.xz" and the like. */
static char module_origin(const char *path, size_t n)
{
	return n > 3 && !strncmp(path + n - 3, ".ko", 3) ? DSO_FROM_MODULE : DSO_FROM_PACKED_MODULE;
}

/* ".../nf-x.ko.xz" is the file of module "nf_x". */
static bool is_module_file(const char *path, size_t n, const char *module)
{
	const char *base = path + n;
	size_t i;

	while (base > path && base[-1] != '/')
		base--;
	for (i = 0; module[i] && base + i < path + n; i++)
		if ((base[i] == '-' ? '_' : base[i]) != module[i])
			return false;
	return !module[i] && base + i < path + n && !strncmp(base + i, ".ko", 3);
}

/* The build-id as text, "" if it is unknown. */
static void search_begin(struct search *w, const struct dso_search *s,
			 int (*fn)(void *ctx, const char *path, char origin), void *ctx,
			 char ret_id[DSO_BUILD_ID_TEXT])
{
	*w = (struct search){ .s = s, .root = s->symfs ? s->symfs : "", .fn = fn, .ctx = ctx };
	buf_init(&w->path);
	ret_id[0] = '\0';
	if (s->build_id_bytes >= 2)
		dso_build_id_format(s->build_id, s->build_id_bytes, ret_id);
}

int dso_search_each(const struct dso_search *s, int (*fn)(void *ctx, const char *path, char origin),
		    void *ctx)
{
	struct search w;
	char id[DSO_BUILD_ID_TEXT];
	int ret;

	if (s->path[0] != '/') /* not a file's path */
		return 0;
	search_begin(&w, s, fn, ctx, id);
	ret = try_debuglink(&w);
	if (!ret && *id)
		ret = try_cache(&w, id);
	if (!ret)
		ret = try_debug_root(&w, id);
	if (!ret)
		ret = try_itself(&w, DSO_FROM_FILE);
	buf_release(&w.path);
	return ret;
}

/* The release goes between `dir` and `tail`; without a tail `dir` is the whole path. */
static int try_vmlinux(struct search *w, const char *release)
{
	static const struct {
		const char *dir, *tail;
	} paths[] = {
		{ "vmlinux", NULL },
		{ "/boot/vmlinux", NULL },
		{ "/boot/vmlinux-", "" },
		{ DEBUG_ROOT "/boot/vmlinux-", "" },
		{ "/lib/modules/", "/build/vmlinux" },
		{ DEBUG_ROOT "/lib/modules/", "/vmlinux" },
		{ DEBUG_ROOT "/boot/vmlinux-", ".debug" },
	};
	int ret = 0;

	for (size_t i = 0; i < sizeof(paths) / sizeof(*paths) && !ret; i++) {
		if (paths[i].tail && (!release || !*release || strchr(release, '/')))
			continue;
		buf_clear(&w->path);
		buf_addf(&w->path, "%s%s", paths[i].dir[0] == '/' ? w->root : "", paths[i].dir);
		if (paths[i].tail)
			buf_addf(&w->path, "%s%s", release, paths[i].tail);
		ret = try_path(w, DSO_FROM_VMLINUX);
	}
	return ret;
}

/* "/kernel/fs/x.ko.xz" among the lines of modules.dep; they name the file and what it depends on. */
static int try_modules_dep(struct search *w, const char *release, const char *module)
{
	struct buf text = BUF_INIT;
	char *line, *rest = NULL;
	int ret = 0;

	buf_clear(&w->path);
	buf_addf(&w->path, "%s/lib/modules/%s/modules.dep", w->root, release);
	if (w->path.err || file_read(buf_str(&w->path), MODULES_DEP_MAX, &text, NULL) < 0) {
		buf_release(&text);
		return 0;
	}
	for (line = strtok_r(text.data, "\n", &rest); line && !ret;
	     line = strtok_r(NULL, "\n", &rest)) {
		size_t n = strcspn(line, ":");

		if (!is_module_file(line, n, module))
			continue;
		buf_clear(&w->path);
		buf_addf(&w->path, "%s%s%s/%.*s", w->root, line[0] == '/' ? "" : "/lib/modules/",
			 line[0] == '/' ? "" : release, (int)n, line);
		ret = try_path(w, module_origin(line, n));
	}
	buf_release(&text);
	return ret;
}

int dso_search_kernel_module(const struct dso_search *s, const char *module, const char *release,
			     int (*fn)(void *ctx, const char *path, char origin), void *ctx)
{
	struct search w;
	char id[DSO_BUILD_ID_TEXT];
	int ret = 0;

	search_begin(&w, s, fn, ctx, id);
	if (*id)
		ret = try_cache(&w, id);
	if (!ret && *id)
		ret = try_debug_id(&w, id);
	if (!ret && s->path[0] == '/')
		ret = try_itself(&w, module_origin(s->path, strlen(s->path)));
	if (!ret && release && *release && !strchr(release, '/'))
		ret = try_modules_dep(&w, release, module);
	buf_release(&w.path);
	return ret;
}

int dso_search_vmlinux(const struct dso_search *s, const char *release,
		       int (*fn)(void *ctx, const char *path, char origin), void *ctx)
{
	struct search w;
	char id[DSO_BUILD_ID_TEXT];
	int ret = 0;

	search_begin(&w, s, fn, ctx, id);
	if (*id)
		ret = try_cache(&w, id);
	if (!ret)
		ret = try_vmlinux(&w, release);
	if (!ret && *id)
		ret = try_debug_id(&w, id);
	buf_release(&w.path);
	return ret;
}
