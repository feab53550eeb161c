/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The maps of recent addresses. */
#include "base/hash.h"
#include "resolve/private.h"

static bool place_has(const struct place *p, int32_t map_pid, uint64_t when)
{
	return p->pid == map_pid && p->from <= when && when <= p->last;
}

/* What turns addresses of a map into frame.off. */
static uint64_t map_to_off(const struct dso_work *w, const struct machine_map *map)
{
	if (w->vdso) /* its pgoff is an artifact of the kernel's mapping */
		return 0 - map->start;
	return w->identity ? 0 : map->pgoff - map->start;
}

static struct place_set *place_set(struct resolver *r, int32_t map_pid)
{
	return &r->places[hash_u64((uint32_t)map_pid) & (PLACE_SETS - 1)];
}

const struct place *place_find(struct resolver *r, int32_t map_pid, uint64_t when, uint64_t addr)
{
	struct place_set *set = place_set(r, map_pid);
	unsigned has = 0;

	if (addr - set->start[set->hit] < set->bytes[set->hit] &&
	    place_has(&set->places[set->hit], map_pid, when))
		return &set->places[set->hit];
	for (uint32_t i = 0; i < PLACE_WAYS; i++)
		has |= (unsigned)(addr - set->start[i] < set->bytes[i]) << i;
	for (; has; has &= has - 1) {
		uint32_t i = (uint32_t)__builtin_ctz(has);

		if (place_has(&set->places[i], map_pid, when)) {
			set->hit = i;
			return &set->places[i];
		}
	}
	return NULL;
}

/* Adds a place in the part of memory and the times of `at`, instead of the oldest one. */
static const struct place *place_put(struct resolver *r, const struct machine_place *at,
				     const struct place *p)
{
	struct place_set *set = place_set(r, p->pid);
	uint32_t i = set->next;
	struct place *to = &set->places[i];

	set->next = (i + 1) % PLACE_WAYS;
	*to = *p;
	to->start = set->start[i] = at->start;
	to->end = at->end;
	set->bytes[i] = at->end - at->start;
	to->from = at->from;
	to->last = at->to == UINT64_MAX ? at->to : at->to - 1;
	if (to->last > machine_known_until(r->m))
		to->last = machine_known_until(r->m);
	return to;
}

const struct place *place_add(struct resolver *r, int32_t map_pid, int32_t pid, uint64_t when,
			      uint64_t addr)
{
	struct machine_place at;
	const struct machine_map *map = machine_find_place(r->m, map_pid, when, addr, &at);

	dso_mapped(r, map, pid);
	return place_put(r, &at,
			 &(struct place){ .to_off = map_to_off(&r->work[map->module], map),
					  .pid = map_pid,
					  .module = map->module,
					  .space = PTUI_NONE });
}

const struct place *place_add_gap(struct resolver *r, int32_t map_pid, uint64_t when, uint64_t addr)
{
	struct machine_place at;

	if (!machine_find_gap(r->m, map_pid, when, addr, &at))
		return NULL;
	return place_put(r, &at,
			 &(struct place){ .pid = map_pid,
					  .module = PTUI_NONE,
					  .space = map_pid == -1 ?
							   PTUI_NONE :
							   machine_space(r->m, map_pid, when) });
}

bool resolver_peek_place(const struct resolver *r, int32_t pid, unsigned mode, uint64_t when,
			 uint64_t addr, struct resolver_place *ret)
{
	int32_t map_pid = mode == DATA_MODE_KERNEL ? -1 : pid;
	const struct machine_map *map;
	struct machine_place at;

	if (mode != DATA_MODE_KERNEL && (mode != DATA_MODE_USER || pid < 0))
		return false;
	map = machine_find_place(r->m, map_pid, when, addr, &at);
	if (map && (map->module >= r->n_dsos || machine_module(r->m, map->module)->ksymbol))
		return false;
	if (!map && !machine_find_gap(r->m, map_pid, when, addr, &at))
		return false;
	*ret = (struct resolver_place){ at.start, at.end,
					map ? map_to_off(&r->work[map->module], map) : 0,
					map ? map->module : PTUI_NONE };
	return true;
}

void places_forget(struct resolver *r)
{
	for (uint32_t i = 0; i < PLACE_SETS; i++)
		r->places[i] = (struct place_set){ .next = 0 };
	for (uint32_t i = 0; i < CACHE_SLOTS; i++)
		r->cache[i] = (struct cache_slot){ .from = UINT64_MAX };
}
