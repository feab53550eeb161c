/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Interning of modules. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "base/text.h"
#include "base/vec.h"
#include "machine/private.h"

#define KALLSYMS_NAME "[kernel.kallsyms]"

static uint64_t module_hash(const struct module_ref *ref)
{
	uint64_t h = hash_pair(ref->path, (uint32_t)ref->pid);

	return hash_pair(h, hash_bytes(ref->build_id, ref->build_id_bytes));
}

static bool module_same(const void *owner, uint32_t index, const void *key)
{
	const struct machine *m = owner;
	const struct module_ref *a = &m->modules[index], *b = key;

	return a->path == b->path && a->pid == b->pid && a->kernel == b->kernel &&
	       a->ksymbol == b->ksymbol && a->memory == b->memory &&
	       a->build_id_bytes == b->build_id_bytes &&
	       !memcmp(a->build_id, b->build_id, b->build_id_bytes);
}

/* Synthesized records have no generation, those of the kernel do. */
static void module_note_file(struct module_ref *module, const struct module_ref *seen)
{
	if (!seen->ino)
		return;
	if (!module->ino) {
		module->maj = seen->maj;
		module->min = seen->min;
		module->ino = seen->ino;
	}
	if (module->maj != seen->maj || module->min != seen->min || module->ino != seen->ino)
		module->several_files = true;
	else if (!module->ino_generation)
		module->ino_generation = seen->ino_generation;
	else if (seen->ino_generation && module->ino_generation != seen->ino_generation)
		module->several_files = true;
	module->several_files |= seen->several_files;
}

static uint32_t module_intern(struct machine *m, const struct module_ref *ref)
{
	uint64_t hash = module_hash(ref);
	uint32_t id = index_table_find(&m->module_index, hash, module_same, m, ref);

	if (id != PTUI_NONE) {
		module_note_file(&m->modules[id], ref);
		return id;
	}
	if (vec_grow(&m->modules, &m->cap_modules, m->n_modules + 1) < 0)
		return PTUI_NONE;
	id = (uint32_t)m->n_modules;
	m->modules[id] = *ref;
	if (index_table_add(&m->module_index, hash, id) < 0)
		return PTUI_NONE;
	m->n_modules++;
	return id;
}

int modules_index(struct machine *m)
{
	int ret = 0;

	index_table_release(&m->module_index);
	index_table_init(&m->module_index);
	for (size_t i = 0; i < m->n_modules && !ret; i++)
		ret = index_table_add(&m->module_index, module_hash(&m->modules[i]), (uint32_t)i);
	return ret;
}

/* Memory without a symbol file, by name as in tools/perf/util/map.c. */
static bool is_memory(const struct data_mmap *map)
{
	return (map->flags & MAP_HUGETLB) || !strcmp(map->path, "//anon") ||
	       text_starts_with(map->path, "/dev/zero") ||
	       text_starts_with(map->path, "/anon_hugepage") ||
	       text_starts_with(map->path, "[stack") || text_starts_with(map->path, "/SYSV") ||
	       !strcmp(map->path, "[heap]");
}

uint32_t module_of_map(struct machine *m, const struct data_mmap *map, bool kernel)
{
	struct module_ref ref = { .pid = -1, .kernel = kernel };
	const char *path = map->path;

	if (kernel && text_starts_with(path, KALLSYMS_NAME))
		path = KALLSYMS_NAME;
	if (!kernel && is_memory(map)) {
		ref.memory = true;
		/* Only code has symbols: those of a JIT compiler, one table per process. */
		if (map->prot & PROT_EXEC)
			ref.pid = map->pid;
	} else if (map->build_id_bytes <= DATA_BUILD_ID_MAX) {
		ref.build_id_bytes = map->build_id_bytes;
		memcpy(ref.build_id, map->build_id, map->build_id_bytes);
		ref.maj = map->maj;
		ref.min = map->min;
		ref.ino = map->ino;
		ref.ino_generation = map->ino_generation;
	}
	if (ref.pid >= 0) /* heap, stack and others share the process's table */
		path = "//anon";
	ref.path = strpool_add(m->names, path);
	return ref.path == PTUI_NONE ? PTUI_NONE : module_intern(m, &ref);
}

bool module_is_kernel(const struct machine *m, uint32_t module)
{
	const struct module_ref *ref = &m->modules[module];

	return ref->kernel && !strcmp(strpool_get(m->names, ref->path), KALLSYMS_NAME);
}

uint32_t module_of_ksymbol(struct machine *m, const char *name)
{
	struct module_ref ref = { .pid = -1, .kernel = true, .ksymbol = true };

	ref.path = strpool_add(m->names, name);
	return ref.path == PTUI_NONE ? PTUI_NONE : module_intern(m, &ref);
}

static int listed_compare(const void *va, const void *vb)
{
	const struct listed_build_id *a = va, *b = vb;

	return a->path < b->path ? -1 : a->path > b->path;
}

static const struct listed_build_id *listed_find(const struct machine *m, uint32_t path)
{
	struct listed_build_id key = { .path = path };

	return m->n_listed ? bsearch(&key, m->listed, m->n_listed, sizeof(key), listed_compare) :
			     NULL;
}

/* Sets the build-ids of the BUILD_ID feature. Modules that become equal are merged. */
int modules_merge(struct machine *m)
{
	struct module_ref *old = m->modules;
	size_t n = m->n_modules;
	uint32_t *now;
	int ret = 0;

	if (!m->n_listed || !n)
		return 0;
	now = calloc(n, sizeof(*now));
	if (!now)
		return -ENOMEM;
	qsort(m->listed, m->n_listed, sizeof(*m->listed), listed_compare);
	m->modules = NULL;
	m->n_modules = m->cap_modules = 0;
	index_table_release(&m->module_index);
	index_table_init(&m->module_index);
	for (size_t i = 0; i < n && !ret; i++) {
		const struct listed_build_id *t = listed_find(m, old[i].path);

		if (t && !old[i].build_id_bytes && !old[i].memory && !old[i].ksymbol) {
			old[i].build_id_bytes = t->bytes;
			memcpy(old[i].build_id, t->id, t->bytes);
		}
		now[i] = module_intern(m, &old[i]);
		if (now[i] == PTUI_NONE)
			ret = -ENOMEM;
	}
	for (size_t i = 0; i < m->n_events && !ret; i++)
		if (m->events[i].kind <= EVENT_UNMAP_KSYMBOL)
			m->events[i].module = now[m->events[i].module];
	free(now);
	free(old);
	return ret;
}
