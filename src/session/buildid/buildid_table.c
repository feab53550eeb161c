/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/buildid/buildid_table.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/i18n.h"
#include "base/perf_abi.h"
#include "data/write/feature_payload.h"
#include "dso/dso.h"
#include "machine/machine.h"
#include "ptui/log.h"
#include "session/builder.h"

#define KERNEL_NAME "[kernel.kallsyms]"
#define VDSO_NAME   "[vdso]"

struct table {
	struct data_file *file;
	const struct roots *roots;
	struct buildid_reader *known; /* NULL: build-ids are read from the files now */
	struct strpool names;
	struct machine *machine;
	bool timed;
	int32_t *pids; /* by module: a process with a sample in it, -1 for pid 0; 0: none */
	struct buf *out;
};

static int walk_sideband(struct table *t, struct ptui_error *err)
{
	struct data_walk *walk = data_walk_new(t->file, err);
	struct data_record rec;
	int ret;

	if (!walk)
		return -ENOMEM;
	t->timed = builder_is_timed(t->file);
	while ((ret = data_walk_next(walk, false, &rec, err)) == 0) {
		ret = machine_add(t->machine, &rec, builder_when(t->timed, &rec));
		if (ret)
			break;
	}
	data_walk_free(walk);
	if (ret >= 0)
		ret = machine_seal(t->machine);
	return ret == -ENOMEM ? ptui_error_nomem(err) : ret;
}

static void mark_module(struct table *t, const struct data_record *rec, const struct data_sample *s)
{
	uint64_t when = t->timed ? s->time_ns : rec->seq;
	const struct machine_map *map = NULL;

	if ((s->misc & DATA_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL)
		map = machine_find_kernel_map(t->machine, when, s->ip);
	else if ((s->misc & DATA_CPUMODE_MASK) == PERF_RECORD_MISC_USER)
		map = machine_find_map(t->machine, s->pid, when, s->ip);
	if (map)
		t->pids[map->module] = s->pid ? s->pid : -1;
}

static int walk_samples(struct table *t, struct ptui_error *err)
{
	struct data_walk *walk = data_walk_new(t->file, err);
	struct data_record rec;
	struct data_sample s;
	int ret;

	if (!walk)
		return -ENOMEM;
	while ((ret = data_walk_next(walk, true, &rec, err)) == 0)
		if (rec.type == PERF_RECORD_SAMPLE && !data_walk_sample(walk, &rec, &s))
			mark_module(t, &rec, &s);
	data_walk_free(walk);
	return ret < 0 ? ret : 0;
}

/* ---- build-ids ---- */

/* "/lib/modules/6.1/kernel/fs/nf-tables.ko.xz" or "[nf_tables]" to "nf_tables" */
static void module_name(const char *path, char *ret, size_t size)
{
	const char *slash = strrchr(path, '/');
	size_t n = 0;

	for (path = slash ? slash + 1 : path + (*path == '['); *path && n + 1 < size; path++) {
		if (*path == '.' || *path == ']')
			break;
		ret[n++] = *path;
		if (*path == '-')
			ret[n - 1] = '_';
	}
	ret[n] = '\0';
}

static int kernel_build_id(struct table *t, const char *path, uint8_t id[DATA_BUILD_ID_MAX])
{
	struct buildids ids;
	struct data_mmap m;
	char name[256];

	memset(&m, 0, sizeof(m));
	buildids_init(&ids, t->roots, NULL, NULL);
	module_name(path, name, sizeof(name));
	buildids_of_kernel(&ids, strcmp(path, KERNEL_NAME) ? name : NULL, &m);
	buildids_release(&ids);
	memcpy(id, m.build_id, DATA_BUILD_ID_MAX);
	return m.build_id_bytes;
}

static int vdso_build_id(uint8_t id[DATA_BUILD_ID_MAX])
{
	struct dso_file *vdso = dso_vdso_open(NULL, 0, NULL);
	int bytes = vdso ? dso_file_build_id(vdso, id) : 0;

	dso_file_unref(vdso);
	return bytes;
}

/* Reads the file as the process sees the path (its mount namespace), else as we see it. */
static int file_build_id(struct table *t, const char *path, int32_t pid,
			 uint8_t id[DATA_BUILD_ID_MAX])
{
	struct buf root = BUF_INIT;
	char open_path[64];
	int fd = -ENOENT, bytes;

	if (t->known)
		return buildid_reader_find(t->known, path, id);
	buf_addf(&root, "%s/%d/root", t->roots->proc, (int)pid);
	if (pid > 0 && !root.err)
		fd = file_open_in_root(buf_str(&root), path);
	buf_release(&root);
	if (fd < 0)
		return dso_read_build_id(path, id);
	snprintf(open_path, sizeof(open_path), "/proc/self/fd/%d", fd);
	bytes = dso_read_build_id(open_path, id);
	close(fd);
	return bytes;
}

static int module_build_id(struct table *t, const struct module_ref *module, const char *path,
			   int32_t pid, uint8_t id[DATA_BUILD_ID_MAX])
{
	if (module->kernel)
		return kernel_build_id(t, path, id);
	if (!strcmp(path, VDSO_NAME))
		return vdso_build_id(id);
	return !module->memory && *path == '/' ? file_build_id(t, path, pid, id) : 0;
}

static void init_item(const struct table *t, const struct module_ref *module,
		      struct data_build_id *item)
{
	*item = (struct data_build_id){ .path = strpool_get(&t->names, module->path), .pid = -1 };
	item->misc = module->kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER;
}

/* `listed`: the module goes into the table, too. */
static int add_module(struct table *t, uint32_t i, bool listed, buildid_table_fn each, void *ctx)
{
	const struct module_ref *module = machine_module(t->machine, i);
	struct data_build_id item;
	int bytes, ret = 0;

	init_item(t, module, &item);
	bytes = module_build_id(t, module, item.path, t->pids[i], item.id);
	if (bytes > 0 && bytes <= DATA_BUILD_ID_MAX) {
		item.bytes = (uint8_t)bytes;
		ret = listed ? feature_build_id(t->out, &item) : 0;
		if (!ret && each)
			each(ctx, &item, t->pids[i]);
	}
	/* -E2BIG: the path is too long for the table */
	return ret == -E2BIG ? 0 : ret;
}

static int add_modules(struct table *t, bool all, buildid_table_fn each, void *ctx)
{
	size_t n = machine_n_modules(t->machine);
	int ret = 0;

	for (uint32_t i = 0; i < n && !ret; i++) {
		const char *path = strpool_get(&t->names, machine_module(t->machine, i)->path);

		if (all || t->pids[i] || !strcmp(path, VDSO_NAME))
			ret = add_module(t, i, true, each, ctx);
		else if (each && !strcmp(path, KERNEL_NAME))
			ret = add_module(t, i, false, each, ctx);
	}
	return ret ? ret : t->out->err;
}

static int table_open(struct table *t, bool all, struct ptui_error *err)
{
	int ret;

	strpool_init(&t->names);
	t->machine = machine_new(&t->names);
	ret = t->machine ? walk_sideband(t, err) : ptui_error_nomem(err);
	if (ret >= 0) {
		t->pids = calloc(machine_n_modules(t->machine) + 1, sizeof(*t->pids));
		ret = t->pids ? 0 : ptui_error_nomem(err);
	}
	return ret || all ? ret : walk_samples(t, err);
}

static void table_close(struct table *t)
{
	free(t->pids);
	machine_free(t->machine);
	strpool_release(&t->names);
}

int buildid_table_build(struct data_file *file, const struct roots *roots, bool all,
			struct buildid_reader *known, buildid_table_fn each, void *ctx,
			struct buf *out, struct ptui_error *err)
{
	struct table t = { .file = file, .roots = roots, .known = known, .out = out };
	int ret = table_open(&t, all, err);

	if (!ret && add_modules(&t, all, each, ctx))
		ret = ptui_error_nomem(err);
	table_close(&t);
	return ret;
}

/* ---- for a recording of another time ---- */

static bool is_newer(const char *path, uint64_t until_ns)
{
	struct stat st;

	return until_ns && !stat(path, &st) &&
	       (uint64_t)st.st_mtim.tv_sec * 1000000000u + (uint64_t)st.st_mtim.tv_nsec > until_ns;
}

static void give_module(struct table *t, uint32_t i, const struct buildid_modules *which)
{
	const struct module_ref *module = machine_module(t->machine, i);
	struct data_build_id item;
	int bytes = 0;

	init_item(t, module, &item);
	if (module->build_id_bytes && !module->several_files) {
		bytes = module->build_id_bytes;
		memcpy(item.id, module->build_id, sizeof(item.id));
	} else if (*item.path == '/' && !module->kernel && is_newer(item.path, which->until_ns)) {
		if (which->changed)
			which->changed(which->ctx, item.path);
	} else if (!module->several_files) {
		/* its processes are gone: no mount namespace */
		bytes = module_build_id(t, module, item.path, 0, item.id);
	}
	item.bytes = bytes > 0 && bytes <= DATA_BUILD_ID_MAX ? (uint8_t)bytes : 0;
	which->each(which->ctx, &item, t->pids[i]);
}

int buildid_modules_each(struct data_file *file, const struct roots *roots,
			 const struct buildid_modules *which, struct ptui_error *err)
{
	struct table t = { .file = file, .roots = roots };
	int ret = table_open(&t, which->all, err);

	for (uint32_t i = 0; !ret && i < machine_n_modules(t.machine); i++) {
		const char *path = strpool_get(&t.names, machine_module(t.machine, i)->path);

		if (which->all || t.pids[i] || !strcmp(path, VDSO_NAME))
			give_module(&t, i, which);
	}
	table_close(&t);
	return ret;
}

/* ---- for the recorder ---- */

struct cache_result {
	const struct buildid_cache *cache;
	const struct roots *roots;
	int ret; /* the first error */
	char what[256];
};

/* Whether it is at its path outside of all containers; the kernel and the vdso are. */
static bool is_outside(const struct data_build_id *item)
{
	uint8_t id[DSO_BUILD_ID_MAX];

	return *item->path != '/' || (dso_read_build_id(item->path, id) == item->bytes &&
				      !memcmp(id, item->id, item->bytes));
}

static void add_to_cache(void *ctx, const struct data_build_id *item, int32_t pid)
{
	struct cache_result *f = ctx;
	int ret;

	if (f->cache->only_hidden && (pid <= 0 || is_outside(item)))
		return;
	ret = buildid_cache_add(f->cache->dir, f->roots, item, pid);
	/* it has ended with its container */
	if (!ret || f->ret || (f->cache->only_hidden && (ret == -ENOENT || ret == -ESTALE)))
		return;
	f->ret = ret;
	snprintf(f->what, sizeof(f->what), "%s", item->path);
}

int buildid_table_of_recording(void *ctx, const char *path, const struct roots *roots, bool all,
			       const struct buildid_cache *cache, struct buildid_reader *known,
			       struct buf *out, struct ptui_error *err)
{
	struct cache_result cache_result = { .cache = cache, .roots = roots };
	struct data_file *file;
	int ret = -EIO;

	(void)ctx;
	file = data_open(path, err, &ret);
	if (!file)
		return ret;
	ret = buildid_table_build(file, roots, all, known, cache ? add_to_cache : NULL,
				  &cache_result, out, err);
	data_close(file);
	if (cache_result.ret)
		ptui_log(PTUI_LOG_WARN, "session", _("cannot add %s to the build-id cache %s: %s"),
			 cache_result.what, cache->dir, strerror(-cache_result.ret));
	return ret;
}
