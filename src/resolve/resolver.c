/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From addresses to frames. */
#include "resolve/resolver.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"
#include "resolve/private.h"

int dsos_add_new(struct resolver *r)
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
		info->jitdump = info->fetched = info->vmlinux = info->kcore = PTUI_NONE;
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
	r->places = calloc(PLACE_SETS, sizeof(*r->places));
	if (!r->cache || !r->places)
		return -ENOMEM;
	places_forget(r);
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
	r->once = opts->once;
	r->roots = opts->roots ? opts->roots : &roots_system;
	r->ignore_vmlinux = opts->kernel.ignore_vmlinux;
	r->mangled_names = opts->mangled_names;
	r->full_names = opts->full_names;
	r->unnamed_functions = opts->unnamed_functions;
	r->demangle_kernel = opts->demangle_kernel;
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

void resolver_find_starts(struct resolver *r, bool starts)
{
	r->starts = starts;
}

void resolver_free(struct resolver *r)
{
	if (!r)
		return;
	preload_finish(r);
	for (size_t i = 0; i < r->n_dsos; i++) {
		symtab_free(r->work[i].table);
		free(r->work[i].entry_symbols);
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
	for (size_t i = 0; i < r->n_given; i++) {
		free((char *)(uintptr_t)r->given[i].name);
		symtab_free(r->given[i].table);
	}
	free(r->given);
	free(r->kallsyms_sources);
	free(r->frames);
	free(r->dsos);
	free(r->work);
	free(r->symbols);
	free(r->slots);
	free(r->places);
	free(r->cache);
	free(r);
}

/* The id that the next frame gets; PTUI_NONE: no memory for it. */
static uint32_t frame_room(struct resolver *r)
{
	if (r->n_frames >= PTUI_NONE - 1 ||
	    (r->n_frames == r->cap_frames &&
	     vec_grow(&r->frames, &r->cap_frames, r->n_frames + 1) < 0))
		return PTUI_NONE;
	return (uint32_t)r->n_frames;
}

void resolver_reserve(struct resolver *r, size_t n)
{
	(void)vec_grow(&r->frames, &r->cap_frames, n);
}

/* ---- frames of guests and the like ---- */

static uint64_t frame_hash(const struct frame *f)
{
	return hash_pair(f->off, (uint64_t)f->space << 8 | f->mode);
}

static bool frame_same(const void *owner, uint32_t index, const void *key)
{
	const struct frame *a = &((const struct resolver *)owner)->frames[index], *b = key;

	return a->off == b->off && a->dso == b->dso && a->space == b->space && a->mode == b->mode;
}

static uint32_t frame_find_odd(const struct resolver *r, const struct frame *f)
{
	return index_table_find(&r->frame_index, frame_hash(f), frame_same, r, f);
}

/* ---- frames by module and offset, or by space and address ---- */

static bool frame_has_slot(const struct frame *f)
{
	return f->dso != PTUI_NONE ||
	       (f->mode == DATA_MODE_USER && (f->space < SLOT_SPACE || f->space == PTUI_NONE));
}

static uint32_t slot_where(const struct frame *f)
{
	return f->dso != PTUI_NONE ? f->dso : SLOT_SPACE | f->space;
}

static uint64_t slot_hash(uint32_t where, uint64_t off)
{
	return hash_pair(off, where);
}

/* The slot of a frame, or the free one for it. */
static struct frame_slot *slot_find_hashed(const struct resolver *r, uint32_t where, uint64_t off,
					   uint64_t hash)
{
	struct frame_slot *at = &r->slots[hash >> r->slot_shift], *end = r->slots + r->n_slots;

	while (at->frame != PTUI_NONE && (at->off != off || at->where != where))
		at = at + 1 < end ? at + 1 : r->slots;
	return at;
}

static struct frame_slot *slot_find(const struct resolver *r, uint32_t where, uint64_t off)
{
	return slot_find_hashed(r, where, off, slot_hash(where, off));
}

/*
 * Makes room for one more; at most 5 of 8 slots are used. The high bits of the hash make the place, so
 * growing moves the slots in their order. 0 or -ENOMEM.
 */
static int slots_grow(struct resolver *r)
{
	struct frame_slot *old = r->slots;
	size_t n_old = r->n_slots, n = n_old ? hash_slots_after(n_old) : 1024;

	if ((r->n_used + 1) * 8 <= n_old * 5)
		return 0;
	if (n > PTRDIFF_MAX / sizeof(*r->slots))
		return -ENOMEM;
	r->slots = malloc(n * sizeof(*r->slots));
	if (!r->slots) {
		r->slots = old;
		return -ENOMEM;
	}
	memory_at_random(r->slots, n * sizeof(*r->slots));
	memset(r->slots, 0xff, n * sizeof(*r->slots)); /* all free */
	r->n_slots = n;
	r->slot_shift = 64 - (unsigned)__builtin_ctzll(n);
	for (size_t i = 0; i < n_old; i++)
		if (old[i].frame != PTUI_NONE)
			*slot_find(r, old[i].where, old[i].off) = old[i];
	free(old);
	return 0;
}

static int slot_add(struct resolver *r, uint32_t where, uint64_t off, uint32_t frame)
{
	if (slots_grow(r))
		return -ENOMEM;
	*slot_find(r, where, off) = (struct frame_slot){ off, where, frame };
	r->n_used++;
	return 0;
}

static uint32_t frame_find(const struct resolver *r, const struct frame *f)
{
	if (!frame_has_slot(f))
		return frame_find_odd(r, f);
	return r->n_slots ? slot_find(r, slot_where(f), f->off)->frame : PTUI_NONE;
}

static int frame_index(struct resolver *r, const struct frame *f, uint32_t id)
{
	return frame_has_slot(f) ? slot_add(r, slot_where(f), f->off, id) :
				   index_table_add(&r->frame_index, frame_hash(f), id);
}

/* `found_again`: it will be looked up. */
static uint32_t frame_add(struct resolver *r, const struct frame *f, bool found_again)
{
	uint32_t id = frame_room(r);

	if (id == PTUI_NONE || (found_again && frame_index(r, f, id)))
		return PTUI_NONE;
	r->frames[id] = *f;
	r->n_frames++;
	return id;
}

static uint32_t frame_intern(struct resolver *r, const struct frame *f)
{
	uint32_t id = frame_find(r, f);

	return id != PTUI_NONE ? id : frame_add(r, f, true);
}

void resolver_drop_index(struct resolver *r)
{
	index_table_release(&r->frame_index);
	index_table_init(&r->frame_index);
	free(r->slots);
	r->slots = NULL;
	r->n_used = r->n_slots = 0;
}

int frames_index(struct resolver *r)
{
	int ret = 0;

	resolver_drop_index(r);
	for (size_t i = 0; i < r->n_frames && !ret; i++)
		if (!r->frames[i].retired)
			ret = frame_index(r, &r->frames[i], (uint32_t)i);
	return ret;
}

/* ---- from addresses to frames ---- */

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

void dso_mapped(struct resolver *r, const struct machine_map *map, int32_t pid)
{
	struct dso_work *w = &r->work[map->module];

	w->pid = pid;
	w->map_start = map->start;
	w->map_end = map->end;
	w->map_pgoff = map->pgoff;
	if (w->vdso)
		w->vdso_low |= map->start <= UINT32_MAX;
	if (r->dsos[map->module].kernel && !w->base)
		w->base = map->pgoff ? map->pgoff : map->start;
	if (r->preload && !w->preloaded)
		preload_module(r, map->module);
}

static uint32_t frame_of_place(struct resolver *r, struct frame *f, const struct place *p,
			       struct resolver_span *ret_span)
{
	*ret_span = (struct resolver_span){ p->from, p->last };
	f->off = f->addr + p->to_off;
	f->dso = p->module;
	f->space = p->space;
	return frame_intern(r, f);
}

/* Generated code has its name in the map, and gets no place. */
static uint32_t frame_of_ksymbol(struct resolver *r, struct frame *f, const struct machine_map *map,
				 int32_t pid)
{
	f->dso = map->module;
	dso_mapped(r, map, pid);
	return set_ksymbol(r, f, map) < 0 ? PTUI_NONE : frame_intern(r, f);
}

/* The place of an address in a map, or in none; NULL: it gets none. */
static const struct place *add_place(struct resolver *r, const struct machine_map *map,
				     int32_t map_pid, int32_t pid, uint64_t when, uint64_t addr)
{
	if (!map)
		return place_add_gap(r, map_pid, when, addr);
	return machine_module(r->m, map->module)->ksymbol ? NULL :
							    place_add(r, map_pid, pid, when, addr);
}

/* The address is in no known place. */
static uint32_t frame_by_cache(struct resolver *r, struct frame *f, int32_t map_pid, int32_t pid,
			       uint64_t when, struct resolver_span *ret_span)
{
	struct cache_slot *slot = &r->cache[hash_u64(f->addr ^ (uint64_t)(uint32_t)map_pid << 48) &
					    (CACHE_SLOTS - 1)];
	struct cache_slot now = { .addr = f->addr, .pid = map_pid };
	const struct machine_map *map;
	const struct place *place;

	if (slot->addr == f->addr && slot->pid == map_pid && slot->from <= when &&
	    when <= slot->last) {
		*ret_span = (struct resolver_span){ slot->from, slot->last };
		return slot->frame;
	}
	map = machine_map_validity(r->m, map_pid, when, f->addr, &now.from, &now.last);
	if (map && map->module >= r->n_dsos && dsos_add_new(r) < 0)
		return PTUI_NONE;
	place = add_place(r, map, map_pid, pid, when, f->addr);
	if (place)
		return frame_of_place(r, f, place, ret_span);
	if (now.last != UINT64_MAX)
		now.last--;
	if (now.last > machine_known_until(r->m))
		now.last = machine_known_until(r->m);
	if (!map && map_pid != -1)
		f->space = machine_space(r->m, map_pid, when);
	now.frame = map ? frame_of_ksymbol(r, f, map, pid) : frame_intern(r, f);
	if (now.frame != PTUI_NONE)
		*slot = now;
	*ret_span = (struct resolver_span){ now.from, now.last };
	return now.frame;
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
	const struct place *place;

	if (mode != DATA_MODE_KERNEL && (mode != DATA_MODE_USER || pid < 0)) {
		*ret_span = (struct resolver_span){ 0, UINT64_MAX };
		return frame_intern(r, &f); /* guests and hypervisors: no maps are known */
	}
	place = place_find(r, map_pid, when, addr);
	return place ? frame_of_place(r, &f, place, ret_span) :
		       frame_by_cache(r, &f, map_pid, pid, when, ret_span);
}

uint32_t resolver_frame(struct resolver *r, int32_t pid, unsigned mode, uint64_t when,
			uint64_t addr)
{
	struct resolver_span span;

	return resolver_frame_span(r, pid, mode, when, addr, &span);
}

uint32_t resolver_frame_in_module(struct resolver *r, uint32_t module, uint64_t off, uint64_t addr,
				  unsigned mode)
{
	struct frame f = { .off = off,
			   .addr = addr,
			   .dso = module,
			   .sym = PTUI_NONE,
			   .space = PTUI_NONE,
			   .mode = (uint8_t)mode };

	return frame_intern(r, &f);
}

bool resolver_place(struct resolver *r, int32_t pid, unsigned mode, uint64_t when, uint64_t addr,
		    struct resolver_place *ret)
{
	int32_t map_pid = mode == DATA_MODE_KERNEL ? -1 : pid;
	const struct machine_map *map;
	const struct place *p;
	uint64_t from, last;

	if (mode != DATA_MODE_KERNEL && (mode != DATA_MODE_USER || pid < 0))
		return false;
	p = place_find(r, map_pid, when, addr);
	if (!p) {
		map = machine_map_validity(r->m, map_pid, when, addr, &from, &last);
		if (map && map->module >= r->n_dsos && dsos_add_new(r) < 0)
			return false;
		p = add_place(r, map, map_pid, pid, when, addr);
	}
	if (p)
		*ret = (struct resolver_place){ p->start, p->end, p->to_off, p->module };
	return p;
}

/* ---- many addresses ---- */

#define AT_ONCE 32

/* What place_find() found; copied, since a place may be replaced before the frame is looked up. */
struct placed {
	uint64_t to_off, hash; /* that of the frame's slot, if it has one */
	uint32_t module, space;
	bool found, has_slot;
};

static uint32_t placed_where(const struct placed *p)
{
	return p->module != PTUI_NONE ? p->module : SLOT_SPACE | p->space;
}

static void placed_find(struct resolver *r, int32_t pid, uint64_t when, struct resolver_addr *a,
			struct placed *ret)
{
	int32_t map_pid = a->mode == DATA_MODE_KERNEL ? -1 : pid;
	const struct place *p;

	*ret = (struct placed){ .found = false };
	if (a->mode != DATA_MODE_KERNEL && (a->mode != DATA_MODE_USER || pid < 0))
		return;
	p = place_find(r, map_pid, when, a->addr);
	if (!p)
		return;
	*ret = (struct placed){
		.to_off = p->to_off, .module = p->module, .space = p->space, .found = true
	};
	a->span = (struct resolver_span){ p->from, p->last };
	ret->has_slot = r->n_slots && (p->module != PTUI_NONE || p->space < SLOT_SPACE);
	if (!ret->has_slot)
		return;
	ret->hash = slot_hash(placed_where(ret), a->addr + p->to_off);
	__builtin_prefetch(&r->slots[ret->hash >> r->slot_shift]);
}

static uint32_t placed_frame(struct resolver *r, const struct placed *p, uint64_t addr,
			     unsigned mode)
{
	struct frame f = { .off = addr + p->to_off,
			   .addr = addr,
			   .dso = p->module,
			   .sym = PTUI_NONE,
			   .space = p->space,
			   .mode = (uint8_t)mode };
	uint32_t known = p->has_slot ? slot_find_hashed(r, placed_where(p), f.off, p->hash)->frame :
				       PTUI_NONE;

	return known != PTUI_NONE ? known : frame_intern(r, &f);
}

/* The slots of all addresses are loaded from memory before the first one is looked at. */
int resolver_resolve(struct resolver *r, int32_t pid, uint64_t when, struct resolver_addr *v,
		     size_t n)
{
	struct placed placed[AT_ONCE];

	for (size_t first = 0; first < n; first += AT_ONCE) {
		size_t end = n - first < AT_ONCE ? n : first + AT_ONCE;

		for (size_t i = first; i < end; i++)
			placed_find(r, pid, when, &v[i], &placed[i - first]);
		for (size_t i = first; i < end; i++) {
			const struct placed *p = &placed[i - first];

			v[i].frame = p->found ? placed_frame(r, p, v[i].addr, v[i].mode) :
						resolver_frame_span(r, pid, v[i].mode, when,
								    v[i].addr, &v[i].span);
			if (v[i].frame == PTUI_NONE)
				return -ENOMEM;
		}
	}
	return 0;
}

int resolver_resolve_each(struct resolver *r, struct resolver_query *v, size_t n)
{
	struct placed placed[AT_ONCE];

	for (size_t first = 0; first < n; first += AT_ONCE) {
		size_t end = n - first < AT_ONCE ? n : first + AT_ONCE;

		for (size_t i = first; i < end; i++) {
			struct resolver_addr a = { .addr = v[i].addr, .mode = v[i].mode };

			placed_find(r, v[i].pid, v[i].when, &a, &placed[i - first]);
		}
		for (size_t i = first; i < end; i++) {
			const struct placed *p = &placed[i - first];

			v[i].frame = p->found ? placed_frame(r, p, v[i].addr, v[i].mode) :
						resolver_frame(r, v[i].pid, v[i].mode, v[i].when,
							       v[i].addr);
			if (v[i].frame == PTUI_NONE)
				return -ENOMEM;
		}
	}
	return 0;
}

/* ---- of another resolver ---- */

#define ABSORB_AHEAD 16

static void absorb_work(struct resolver *r, uint32_t dso, const struct dso_work *from)
{
	struct dso_work *w = &r->work[dso];

	if (!from->map_end) /* not mapped */
		return;
	w->pid = from->pid;
	w->map_start = from->map_start;
	w->map_end = from->map_end;
	w->map_pgoff = from->map_pgoff;
	w->vdso_low |= from->vdso_low;
	if (!w->base)
		w->base = from->base;
	if (r->preload && !w->preloaded)
		preload_module(r, dso);
}

static uint32_t absorb_frame(struct resolver *r, const struct resolver *other, struct frame f,
			     bool last)
{
	uint32_t id;

	if (f.sym != PTUI_NONE) { /* of generated code */
		struct symbol sym = other->symbols[f.sym];

		f.sym = symbol_intern(r, &sym);
		r->dsos[f.dso].state = DSO_OK;
		if (f.sym == PTUI_NONE)
			return PTUI_NONE;
	}
	id = frame_find(r, &f);
	return id != PTUI_NONE ? id : frame_add(r, &f, !last);
}

int resolver_absorb(struct resolver *r, const struct resolver *other, bool last,
		    uint32_t *ret_frames)
{
	for (size_t i = 0; i < other->n_dsos && i < r->n_dsos; i++)
		absorb_work(r, (uint32_t)i, &other->work[i]);
	for (size_t i = 0; i < other->n_frames; i++) {
		const struct frame *ahead = &other->frames[i + ABSORB_AHEAD];

		if (i + ABSORB_AHEAD < other->n_frames && frame_has_slot(ahead) && r->n_slots)
			__builtin_prefetch(&r->slots[slot_hash(slot_where(ahead), ahead->off) >>
						     r->slot_shift]);
		ret_frames[i] = absorb_frame(r, other, other->frames[i], last);
		if (ret_frames[i] == PTUI_NONE)
			return -ENOMEM;
	}
	if (last)
		resolver_drop_index(r);
	return 0;
}

size_t resolver_n_retired(const struct resolver *r)
{
	return r->n_retired;
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
