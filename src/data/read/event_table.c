/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "data/read/event_table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/cursor.h"
#include "base/vec.h"

void event_table_init(struct event_table *t, struct arena *arena)
{
	memset(t, 0, sizeof(*t));
	t->arena = arena;
	index_table_init(&t->id_index);
}

void event_table_release(struct event_table *t)
{
	free(t->v);
	free(t->ids);
	free(t->guests);
	index_table_release(&t->id_index);
}

static bool has_id(const void *owner, uint32_t index, const void *key)
{
	return ((const struct event_table *)owner)->ids[index].id == *(const uint64_t *)key;
}

static uint32_t find_id(const struct event_table *t, uint64_t id)
{
	return index_table_find(&t->id_index, hash_u64(id), has_id, t, &id);
}

uint32_t event_table_find(const struct event_table *t, uint64_t id)
{
	uint32_t i = find_id(t, id);

	return i == PTUI_NONE ? PTUI_NONE : t->ids[i].event;
}

/* 0: there is no room for another one. */
static uint32_t machine_number(struct event_table *t, int32_t pid)
{
	for (uint32_t i = 0; i < t->n_machines; i++)
		if (t->machine_pids[i] == pid)
			return i + 1;
	if (t->n_machines == EVENT_GUESTS_MAX)
		return 0;
	t->machine_pids[t->n_machines++] = pid;
	return t->n_machines;
}

int event_table_set_guest(struct event_table *t, uint64_t id, int32_t machine_pid, uint32_t vcpu)
{
	uint32_t i = find_id(t, id);

	if (i == PTUI_NONE)
		return 0;
	if (vec_grow(&t->guests, &t->cap_guests, (size_t)i + 1))
		return -ENOMEM;
	for (; t->n_guests <= i; t->n_guests++)
		t->guests[t->n_guests] = (struct data_guest){ 0 };
	t->guests[i] = (struct data_guest){ machine_pid, vcpu, machine_number(t, machine_pid) };
	return 0;
}

bool event_table_guest(const struct event_table *t, uint64_t id, struct data_guest *ret)
{
	uint32_t i = find_id(t, id);

	if (i >= t->n_guests || !t->guests[i].machine_pid)
		return false;
	*ret = t->guests[i];
	return true;
}

int event_table_add_id(struct event_table *t, uint64_t id, uint32_t event)
{
	if (event_table_find(t, id) != PTUI_NONE)
		return 0;
	if (vec_grow(&t->ids, &t->ids_cap, t->n_ids + 1))
		return -ENOMEM;
	t->ids[t->n_ids].id = id;
	t->ids[t->n_ids].event = event;
	if (index_table_add(&t->id_index, hash_u64(id), (uint32_t)t->n_ids))
		return -ENOMEM;
	t->n_ids++;
	return 0;
}

/*
 * The id must be at the same position in the records of all events, since it is read before the
 * event of a record is known.
 */
static void update_common(struct event_table *t, const struct event_layout *layout)
{
	if (t->n == 1) {
		t->common = *layout;
		return;
	}
	if (t->common.id_pos != layout->id_pos)
		t->common.id_pos = -2;
	if (t->common.id_pos_from_end != layout->id_pos_from_end)
		t->common.id_pos_from_end = -2;
}

int event_table_add(struct event_table *t, bool swap, const void *attr, size_t attr_bytes,
		    const void *ids, size_t n_ids)
{
	struct data_event_slot *e;
	struct cursor c;
	int ret;

	e = arena_alloc(t->arena, sizeof(*e));
	if (!e || vec_grow(&t->v, &t->cap, t->n + 1))
		return -ENOMEM;
	ret = attr_decode(attr, attr_bytes, swap, &e->attr);
	if (ret)
		return ret;
	attr_describe(&e->attr, &e->ev);
	attr_layout(&e->ev, &e->layout);
	t->asks_build_ids |= e->ev.build_id;
	e->ev.name = event_name_make(t->arena, &e->ev, e->attr.bp_addr, e->attr.bp_type);
	e->ids = arena_alloc(t->arena, (n_ids + 1) * sizeof(*e->ids));
	if (!e->ev.name || !e->ids)
		return -ENOMEM;
	e->ev.leader = (uint32_t)t->n;
	e->ev.ids = e->ids;
	e->ev.n_ids = n_ids;
	cursor_init(&c, n_ids ? ids : "", n_ids * 8, swap);
	for (size_t i = 0; i < n_ids; i++) {
		e->ids[i] = cursor_u64(&c);
		ret = event_table_add_id(t, e->ids[i], (uint32_t)t->n);
		if (ret)
			return ret;
	}
	t->v[t->n++] = e;
	update_common(t, &e->layout);
	return 0;
}

int event_table_name(struct event_table *t, uint32_t index, const char *name, size_t n)
{
	char *copy;

	n = strnlen(name, n);
	if (index >= t->n || !n)
		return 0;
	copy = arena_memdup0(t->arena, name, n);
	if (!copy)
		return -ENOMEM;
	t->v[index]->ev.name = copy;
	t->v[index]->named_by_file = true;
	return 0;
}
