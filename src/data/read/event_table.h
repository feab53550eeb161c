/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The events of a recording: their attrs and names, and the event of each kernel id. */
#ifndef DATA_READ_EVENT_TABLE_H
#define DATA_READ_EVENT_TABLE_H

#include "base/arena.h"
#include "base/hash.h"
#include "base/perf_abi.h"
#include "data/data.h"

/* The id fields of an event's records, computed once. Positions are in u64s; -1: none. */
struct event_layout {
	int id_pos;	     /* of the id in a sample, from its start */
	int id_pos_from_end; /* of the id in the trailer, from the record's end: 1 is the last */
	uint32_t trailer_bytes;
};

struct data_event_slot {
	struct data_event ev;
	struct perf_event_attr attr; /* in host byte order */
	struct event_layout layout;
	uint64_t *ids;
	bool named_by_file; /* by EVENT_DESC or EVENT_UPDATE: final */
};

struct data_id_item {
	uint64_t id;
	uint32_t event;
};

#define EVENT_GUESTS_MAX 64 /* machines */

struct event_table {
	struct arena *arena; /* borrowed, for names and ids */
	struct data_event_slot **v;
	size_t n, cap;
	struct event_layout common; /* id_pos -2: differs between events */
	bool asks_build_ids;	    /* some attr requests build-ids in MMAP2 records */
	struct data_id_item *ids;
	size_t n_ids, ids_cap;
	struct index_table id_index;
	struct data_guest *guests; /* by index of `ids`; only the first n_guests have one */
	size_t n_guests, cap_guests;
	int32_t machine_pids[EVENT_GUESTS_MAX]; /* by number */
	uint32_t n_machines;
};

void event_table_init(struct event_table *t, struct arena *arena);
void event_table_release(struct event_table *t);
/* Appends an event with its ids, both in the byte order of the file. 0, -EBADMSG or -ENOMEM. */
int event_table_add(struct event_table *t, bool swap, const void *attr, size_t attr_bytes,
		    const void *ids, size_t n_ids);
/* Adds an id to an event, unless it has it. 0 or -ENOMEM. */
int event_table_add_id(struct event_table *t, uint64_t id, uint32_t event);
/* Sets the name that the file gives the event, if it is not empty. 0 or -ENOMEM. */
int event_table_name(struct event_table *t, uint32_t index, const char *name, size_t n);
/* Returns an index; PTUI_NONE: no event has the id. */
uint32_t event_table_find(const struct event_table *t, uint64_t id);
/* An id is that of a guest, if some event has it. 0 or -ENOMEM. */
int event_table_set_guest(struct event_table *t, uint64_t id, int32_t machine_pid, uint32_t vcpu);
bool event_table_guest(const struct event_table *t, uint64_t id, struct data_guest *ret);

/* ---- attr.c ---- */
/* Decodes `n` bytes of an attr; -EBADMSG: too few. */
int attr_decode(const void *bytes, size_t n, bool swap, struct perf_event_attr *ret);
/* Sets what data_event has of the attr. */
void attr_describe(const struct perf_event_attr *a, struct data_event *ret);
/* attr.size as in the file; 64 if it is 0. */
uint32_t attr_size_at(const void *bytes, bool swap);
void attr_layout(const struct data_event *ev, struct event_layout *ret);

/* ---- event_name.c ---- */
/* The name as perf makes it from type, config and the exclude bits. NULL: out of memory. */
const char *event_name_make(struct arena *arena, const struct data_event *ev, uint64_t bp_addr,
			    uint32_t bp_type);

#endif
