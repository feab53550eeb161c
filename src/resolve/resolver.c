/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From addresses to frames. */
#include "resolve/resolver.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"
#include "resolve/private.h"

/* Adds the modules that are new in the machine. */
static int dsos_add_new(struct resolver *r)
{
	size_t n = machine_n_modules(r->m);

	if (vec_grow(&r->dsos, &r->cap_dsos, n + 1) < 0 ||
	    vec_grow(&r->work, &r->cap_work, n + 1) < 0)
		return -ENOMEM;
	for (size_t i = r->n_dsos; i < n; i++) {
		const struct module_ref *ref = machine_module(r->m, (uint32_t)i);
		struct dso_info *info = &r->dsos[i];

		memset(info, 0, sizeof(*info));
		memset(&r->work[i], 0, sizeof(r->work[i]));
		info->kernel = ref->kernel;
		info->jit = ref->pid >= 0;
		info->jitdump = info->fetched = PTUI_NONE;
		info->build_id_bytes = ref->build_id_bytes;
		memcpy(info->build_id, ref->build_id, ref->build_id_bytes);
		r->work[i].identity = ref->memory || ref->ksymbol ||
				      dso_name_is_kernel(r->names, ref);
		r->work[i].vdso = !ref->kernel &&
				  dso_name_is_vdso(strpool_get(r->names, ref->path));
		if (dso_name_set(r->names, ref, info) < 0)
			return -ENOMEM;
		r->n_dsos++;
	}
	return 0;
}

static int copy_string(char **dst, const char *src)
{
	*dst = src ? strdup(src) : NULL;
	return src && !*dst ? -ENOMEM : 0;
}

static int cache_init(struct resolver *r)
{
	r->cache = calloc(CACHE_SLOTS, sizeof(*r->cache));
	if (!r->cache)
		return -ENOMEM;
	for (size_t i = 0; i < CACHE_SLOTS; i++)
		r->cache[i].from = UINT64_MAX;
	return 0;
}

struct resolver *resolver_new(const struct machine *m, struct strpool *names,
			      const struct resolver_opts *opts)
{
	struct resolver *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	r->m = m;
	r->names = names;
	r->starts = opts->starts;
	r->roots = opts->roots ? opts->roots : &roots_system;
	r->ignore_vmlinux = opts->kernel.ignore_vmlinux;
	r->no_modules = opts->kernel.no_modules;
	r->live = opts->live;
	r->force_names = opts->force_names;
	r->recorded_ns = opts->recorded_ns;
	index_table_init(&r->frame_index);
	index_table_init(&r->symbol_index);
	if (copy_string(&r->symfs, opts->symfs) < 0 ||
	    copy_string(&r->buildid_dir, opts->buildid_dir) < 0 ||
	    copy_string(&r->kallsyms, opts->kernel.kallsyms) < 0 ||
	    copy_string(&r->vmlinux, opts->kernel.vmlinux) < 0 ||
	    copy_string(&r->kernel_release, opts->kernel_release) < 0 ||
	    copy_string(&r->arch, opts->arch) < 0 ||
	    copy_string(&r->hostname, opts->hostname) < 0 ||
	    copy_string(&r->home, opts->home) < 0 || cache_init(r) < 0 || dsos_add_new(r) < 0) {
		resolver_free(r);
		return NULL;
	}
	return r;
}

void resolver_free(struct resolver *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->n_dsos; i++) {
		symtab_free(r->work[i].table);
		free(r->work[i].starts);
	}
	index_table_release(&r->frame_index);
	index_table_release(&r->symbol_index);
	free(r->symfs);
	free(r->buildid_dir);
	free(r->kallsyms);
	free(r->vmlinux);
	free(r->kernel_release);
	free(r->arch);
	free(r->hostname);
	free(r->home);
	kallsyms_forget(r);
	free(r->kallsyms_sources);
	free(r->frames);
	free(r->dsos);
	free(r->work);
	free(r->symbols);
	free(r->cache);
	free(r);
}

static uint64_t frame_hash(const struct frame *f)
{
	return hash_pair(f->off,
			 f->dso != PTUI_NONE ? f->dso : (uint64_t)f->space << 8 | 1ULL << 63);
}

int frames_index(struct resolver *r)
{
	int ret = 0;

	index_table_release(&r->frame_index);
	index_table_init(&r->frame_index);
	for (size_t i = 0; i < r->n_frames && !ret; i++)
		ret = index_table_add(&r->frame_index, frame_hash(&r->frames[i]), (uint32_t)i);
	return ret;
}

static bool frame_same(const void *owner, uint32_t index, const void *key)
{
	const struct frame *a = &((const struct resolver *)owner)->frames[index], *b = key;

	if (a->off != b->off || a->dso != b->dso)
		return false;
	return a->dso != PTUI_NONE || (a->space == b->space && a->mode == b->mode);
}

static uint32_t frame_intern(struct resolver *r, const struct frame *f)
{
	uint64_t hash = frame_hash(f);
	uint32_t id = index_table_find(&r->frame_index, hash, frame_same, r, f);

	if (id != PTUI_NONE)
		return id;
	if (r->n_frames >= PTUI_NONE - 1 ||
	    vec_grow(&r->frames, &r->cap_frames, r->n_frames + 1) < 0)
		return PTUI_NONE;
	id = (uint32_t)r->n_frames;
	r->frames[id] = *f;
	if (index_table_add(&r->frame_index, hash, id) < 0)
		return PTUI_NONE;
	r->n_frames++;
	return id;
}

/* Generated code has its name in the map; no table is needed. */
static int set_ksymbol(struct resolver *r, struct frame *f, const struct machine_map *map)
{
	struct symbol sym = { .start = map->start,
			      .end = map->end,
			      .name = r->dsos[map->module].name,
			      .dso = map->module };

	f->sym = symbol_intern(r, &sym);
	f->symbolized = true;
	r->dsos[map->module].state = DSO_OK;
	return f->sym == PTUI_NONE ? -ENOMEM : 0;
}

static uint32_t frame_of_map(struct resolver *r, struct frame *f, const struct machine_map *map,
			     int32_t pid)
{
	struct dso_work *w;

	if (!map)
		return frame_intern(r, f);
	if (map->module >= r->n_dsos && dsos_add_new(r) < 0)
		return PTUI_NONE;
	w = &r->work[map->module];
	f->dso = map->module;
	w->pid = pid;
	w->map_start = map->start;
	w->map_end = map->end;
	if (w->vdso) { /* its pgoff is an artifact of the kernel's mapping */
		f->off -= map->start;
		w->vdso_low |= map->start <= UINT32_MAX;
	} else if (!w->identity) {
		f->off = f->off - map->start + map->pgoff;
	}
	if (machine_module(r->m, map->module)->ksymbol && set_ksymbol(r, f, map) < 0)
		return PTUI_NONE;
	if (r->dsos[map->module].kernel && !w->base)
		w->base = map->pgoff ? map->pgoff : map->start;
	return frame_intern(r, f);
}

uint32_t resolver_frame_span(struct resolver *r, int32_t pid, unsigned mode, uint64_t when,
			     uint64_t addr, struct resolver_span *ret_span)
{
	int32_t map_pid = mode == DATA_MODE_KERNEL ? -1 : pid;
	struct frame f = { .off = addr,
			   .addr = addr,
			   .dso = PTUI_NONE,
			   .sym = PTUI_NONE,
			   .space = PTUI_NONE,
			   .mode = (uint8_t)mode };
	struct cache_slot *slot;
	const struct machine_map *map;
	uint64_t to;

	if (mode != DATA_MODE_KERNEL && (mode != DATA_MODE_USER || pid < 0)) {
		*ret_span = (struct resolver_span){ 0, UINT64_MAX };
		return frame_intern(r, &f); /* guests and hypervisors: no maps are known */
	}
	slot = &r->cache[hash_u64(addr ^ (uint64_t)(uint32_t)map_pid << 48) & (CACHE_SLOTS - 1)];
	if (slot->addr == addr && slot->pid == map_pid && slot->from <= when &&
	    when <= slot->last) {
		*ret_span = (struct resolver_span){ slot->from, slot->last };
		return slot->frame;
	}
	slot->from = UINT64_MAX; /* invalid until it is complete */
	map = machine_map_validity(r->m, map_pid, when, addr, &slot->from, &to);
	if (!map && map_pid != -1)
		f.space = machine_space(r->m, map_pid, when);
	slot->addr = addr;
	slot->pid = map_pid;
	slot->last = to == UINT64_MAX ? to : to - 1;
	if (slot->last > machine_known_until(r->m))
		slot->last = machine_known_until(r->m);
	slot->frame = frame_of_map(r, &f, map, pid);
	if (slot->frame == PTUI_NONE) {
		slot->from = UINT64_MAX;
		slot->last = 0;
	}
	*ret_span = (struct resolver_span){ slot->from, slot->last };
	return slot->frame;
}

uint32_t resolver_frame(struct resolver *r, int32_t pid, unsigned mode, uint64_t when,
			uint64_t addr)
{
	struct resolver_span span;

	return resolver_frame_span(r, pid, mode, when, addr, &span);
}

size_t resolver_n_frames(const struct resolver *r)
{
	return r->n_frames;
}

const struct frame *resolver_frames(const struct resolver *r)
{
	return r->frames;
}

const struct dso_info *resolver_dso(const struct resolver *r, uint32_t id)
{
	return id < r->n_dsos ? &r->dsos[id] : NULL;
}

const struct symbol *resolver_symbol(const struct resolver *r, uint32_t id)
{
	return id < r->n_symbols ? &r->symbols[id] : NULL;
}

bool resolver_frame_unverified(const struct resolver *r, const struct frame *f)
{
	return f->dso != PTUI_NONE &&
	       (r->dsos[f->dso].state == DSO_UNVERIFIED || r->dsos[f->dso].forced);
}

bool resolver_has_unverified(const struct resolver *r)
{
	for (size_t i = 0; i < r->n_dsos; i++)
		if (r->dsos[i].state == DSO_UNVERIFIED || r->dsos[i].forced)
			return true;
	return false;
}
