/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/merge/merge.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "base/vec.h"
#include "data/data.h"
#include "session/merge/merge_private.h"

struct profile_merge *profile_merge_new(void)
{
	struct profile_merge *m = calloc(1, sizeof(*m));

	if (!m)
		return NULL;
	m->debug = calloc(1, sizeof(*m->debug));
	if (!m->debug || profile_store_init(&m->store, STORE_UNBOUNDED)) {
		free(m->debug);
		free(m);
		return NULL;
	}
	index_table_init(&m->threads);
	index_table_init(&m->frames);
	index_table_init(&m->symbols);
	index_table_init(&m->dsos);
	m->debug->debug = merged_debug_ops;
	return m;
}

void profile_merge_free(struct profile_merge *m)
{
	if (!m)
		return;
	profile_store_release(&m->store);
	if (m->debug)
		m->debug->debug.free(&m->debug->debug);
	for (size_t i = 0; i < m->n_hosts; i++)
		free(m->hosts[i]);
	free(m->hosts);
	free(m->parts);
	free(m->event_keys);
	free(m->event_used);
	free(m->thread_hosts);
	free(m->extra_of);
	free(m->counts);
	free(m->header[0]);
	free(m->header[1]);
	free(m->sockets);
	index_table_release(&m->threads);
	index_table_release(&m->frames);
	index_table_release(&m->symbols);
	index_table_release(&m->dsos);
	extras_release(&m->extras);
	free(m);
}

static void add_trust(struct ptui_trust *to, const struct ptui_trust *t)
{
	to->lost_events += t->lost_events;
	to->lost_chunks += t->lost_chunks;
	to->lost_samples += t->lost_samples;
	to->lost_sideband += t->lost_sideband;
	to->throttled += t->throttled;
	to->aux_pieces += t->aux_pieces;
	to->aux_truncated += t->aux_truncated;
	to->aux_gaps += t->aux_gaps;
	to->aux_collisions += t->aux_collisions;
	to->aux_records += t->aux_records;
	if (t->aux_what)
		to->aux_what = t->aux_what;
	to->unknown_event += t->unknown_event;
	to->bad_records += t->bad_records;
	to->unknown_records += t->unknown_records;
	for (size_t i = 0; i < PTUI_UNKNOWN_TYPES && t->unknown_types[i].records; i++)
		data_unknown_add(to->unknown_types, t->unknown_types[i].type,
				 t->unknown_types[i].records);
	to->truncated_bytes += t->truncated_bytes;
	to->skipped_bytes += t->skipped_bytes;
	to->bad_sections += t->bad_sections;
	if (t->cut_after_samples)
		to->cut_after_samples = t->cut_after_samples;
	for (size_t i = 0; i < sizeof(to->missing_sections) / sizeof(to->missing_sections[0]); i++)
		to->missing_sections[i] |= t->missing_sections[i];
	to->broken_chains += t->broken_chains;
	to->unverified += t->unverified;
	to->forced_names |= t->forced_names;
	to->unfinished |= t->unfinished;
	for (size_t i = 0; i < PTUI_RECORD_TYPES; i++)
		to->records[i] += t->records[i];
	to->files++;
}

/* ---- events ---- */

static uint64_t part_event_key(const struct ptui_profile *part, size_t i)
{
	const struct ptui_event_info *e = &part->events[i];
	const char *leader = e->leader < part->n_events ? part->events[e->leader].name : "";

	return hash_pair(part->event_keys ? part->event_keys[i] : 0,
			 hash_bytes(leader, strlen(leader)));
}

static uint32_t find_event(const struct profile_merge *m, const char *name, uint64_t key)
{
	for (uint32_t i = 0; i < m->store.n_events; i++)
		if (m->event_keys[i] == key && m->event_used[i] != m->n_parts + 1 &&
		    !strcmp(m->store.events[i].name, name))
			return i;
	return PTUI_NONE;
}

static void add_to_event(struct ptui_event_info *to, const struct ptui_event_info *e)
{
	to->lost_samples += e->lost_samples;
	to->enabled_ns += e->enabled_ns;
	to->running_ns += e->running_ns;
	to->has_callchains |= e->has_callchains;
	to->stacks_unwound |= e->stacks_unwound;
	to->stacks_dumped |= e->stacks_dumped;
	to->lacks_cpu |= e->lacks_cpu;
	to->extras |= e->extras;
}

static int add_event(struct merge_maps *x, size_t i)
{
	struct profile_merge *m = x->m;
	struct ptui_event_info e = x->part->events[i];
	uint64_t key = part_event_key(x->part, i);
	uint32_t at = find_event(m, e.name, key);
	uint32_t why = e.stacks_why ? strpool_add(m->store.names, e.stacks_why) : 0;

	if (why == PTUI_NONE)
		return -ENOMEM;
	e.samples = e.period = 0;
	e.stacks_why = e.stacks_why ? strpool_get(m->store.names, why) : NULL;
	if (at != PTUI_NONE) {
		add_to_event(&m->store.events[at], &e);
	} else {
		if (vec_grow(&m->event_keys, &m->cap_event_keys, m->store.n_events + 1) ||
		    vec_grow(&m->event_used, &m->cap_event_used, m->store.n_events + 1))
			return -ENOMEM;
		at = profile_store_add_event(&m->store, &e);
		if (at == PTUI_NONE)
			return -ENOMEM;
		m->event_keys[at] = key;
	}
	m->event_used[at] = (uint32_t)m->n_parts + 1;
	x->events[i] = at;
	return 0;
}

static int add_events(struct merge_maps *x)
{
	const struct ptui_profile *part = x->part;
	size_t had = x->m->store.n_events;

	for (size_t i = 0; i < part->n_events; i++)
		if (add_event(x, i))
			return -ENOMEM;
	for (size_t i = 0; i < part->n_events; i++)
		if (x->events[i] >= had && part->events[i].leader < part->n_events)
			x->m->store.events[x->events[i]].leader = x->events[part->events[i].leader];
	return 0;
}

/* ---- threads ---- */

static int find_host(struct profile_merge *m, const char *name, uint32_t *ret)
{
	size_t i = 0;

	while (i < m->n_hosts && (!name != !m->hosts[i] || (name && strcmp(name, m->hosts[i]))))
		i++;
	*ret = (uint32_t)i;
	if (i < m->n_hosts)
		return 0;
	if (vec_grow(&m->hosts, &m->cap_hosts, i + 1))
		return -ENOMEM;
	m->hosts[i] = name ? strdup(name) : NULL;
	if (name && !m->hosts[i])
		return -ENOMEM;
	m->n_hosts++;
	return 0;
}

static uint64_t thread_hash(uint32_t host, const struct thread_id *t)
{
	return hash_pair(host, (uint64_t)(uint32_t)t->pid << 32 | (uint32_t)t->tid);
}

static uint32_t find_thread(const struct profile_merge *m, uint32_t host, const struct thread_id *t)
{
	const struct thread_id *all = m->store.samples.threads;
	uint64_t hash = thread_hash(host, t);
	uint32_t at = index_table_begin(&m->threads, hash), i;

	do {
		i = index_table_next(&m->threads, hash, &at);
	} while (i != PTUI_NONE &&
		 (m->thread_hosts[i] != host || all[i].pid != t->pid || all[i].tid != t->tid));
	return i;
}

static int add_threads(struct merge_maps *x, const struct merge_part *from)
{
	struct profile_merge *m = x->m;
	struct samples *all = &m->store.samples;

	for (size_t i = 0; i < x->part->samples.n_threads; i++) {
		struct thread_id t = x->part->samples.threads[i];
		uint32_t at = find_thread(m, from->host, &t);

		t.last_comm = strpool_move(&x->names, t.last_comm);
		if (at == PTUI_NONE) {
			bool shared = false;

			for (uint32_t h = 0; h < m->n_hosts && t.pid > 0; h++)
				shared |= find_thread(m, h, &t) != PTUI_NONE;
			m->trust.shared_threads += shared;
			at = (uint32_t)all->n_threads;
			if (vec_grow(&all->threads, &all->cap_threads, at + (size_t)1) ||
			    vec_grow(&m->thread_hosts, &m->cap_thread_hosts, at + (size_t)1) ||
			    index_table_add(&m->threads, thread_hash(from->host, &t), at))
				return -ENOMEM;
			m->thread_hosts[at] = from->host;
			all->threads[all->n_threads++] = t;
		} else if (t.last_comm != PTUI_NONE) {
			all->threads[at].last_comm = t.last_comm;
		}
		x->threads[i] = at;
	}
	return 0;
}

/* ---- stacks ---- */

static int add_stacks(struct merge_maps *x)
{
	const struct stacks *s = &x->part->stacks;

	for (size_t i = 0; i < s->n; i++) {
		struct stack_node node = s->nodes[i];

		x->stacks[i] = stacks_push(&x->m->store.stacks,
					   node.parent == PTUI_NONE ? PTUI_NONE :
								      x->stacks[node.parent],
					   x->frames[node.frame]);
		if (x->stacks[i] == PTUI_NONE)
			return -ENOMEM;
	}
	return 0;
}

/* ---- rows ---- */

static uint64_t row_hash(uint64_t time_ns, uint32_t thread, uint32_t cpu)
{
	return hash_pair(time_ns, (uint64_t)cpu << 32 | thread);
}

/* Rows of earlier parts that may have the same samples as this one. */
static int index_rows(struct merge_maps *x, const struct merge_part *from)
{
	const struct samples *s = &x->m->store.samples;

	for (size_t k = 0; k < x->m->n_parts && from->timed; k++) {
		const struct merge_part *p = &x->m->parts[k];

		if (p->host != from->host || p->clock != from->clock || !p->timed ||
		    p->first_ns > from->last_ns || p->last_ns < from->first_ns)
			continue;
		if (!x->taken)
			x->taken = calloc(s->n + 1, sizeof(*x->taken));
		if (!x->taken)
			return -ENOMEM;
		for (size_t i = p->first_row; i < p->end_row; i++)
			if (s->time_ns[i] && s->time_ns[i] >= from->first_ns &&
			    s->time_ns[i] <= from->last_ns &&
			    index_table_add(&x->repeated,
					    row_hash(s->time_ns[i], s->thread[i], s->cpu[i]),
					    (uint32_t)i))
				return -ENOMEM;
	}
	return 0;
}

static bool is_repeated(struct merge_maps *x, const struct sample_row *row)
{
	const struct samples *s = &x->m->store.samples;
	uint64_t hash = row_hash(row->time_ns, row->thread, row->cpu);
	uint32_t at = index_table_begin(&x->repeated, hash), i;

	if (!x->taken || !row->time_ns)
		return false;
	while ((i = index_table_next(&x->repeated, hash, &at)) != PTUI_NONE)
		if (!x->taken[i] && s->time_ns[i] == row->time_ns && s->thread[i] == row->thread &&
		    s->cpu[i] == row->cpu && s->event[i] == row->event &&
		    s->period[i] == row->period && s->frame[i] == row->frame) {
			x->taken[i] = true;
			return true;
		}
	return false;
}

/* PTUI_NONE: out of memory. */
static uint32_t add_extra(struct merge_maps *x, size_t row)
{
	struct extra e = EXTRA_NONE;
	uint32_t i;

	e.ip_frame = PTUI_NONE;
	if (x->part->extra_of) {
		e = x->part->extras[x->part->extra_of[row]];
		e.trace = strpool_move(&x->names, e.trace);
		e.cgroup_name = strpool_move(&x->names, e.cgroup_name);
		if (e.from_frame != PTUI_NONE)
			e.from_frame = x->frames[e.from_frame];
		if (e.data_frame != PTUI_NONE)
			e.data_frame = x->frames[e.data_frame];
		if (e.ip_frame != PTUI_NONE)
			e.ip_frame = x->frames[e.ip_frame];
		e.fields = 0;
	}
	i = extras_add(&x->m->extras, &e);
	return x->m->extras.failed ? PTUI_NONE : i;
}

static int set_extra(struct merge_maps *x, size_t row, size_t to)
{
	struct profile_merge *m = x->m;
	uint32_t extra;

	if (!m->with_extras)
		return 0;
	extra = add_extra(x, row);
	if (extra == PTUI_NONE || vec_grow(&m->extra_of, &m->cap_extra_of, to + 1))
		return -ENOMEM;
	m->extra_of[to] = extra;
	return 0;
}

/* The first part that has extras: rows before it have none. */
static int start_extras(struct merge_maps *x)
{
	struct profile_merge *m = x->m;
	struct extra none = EXTRA_NONE;
	uint32_t empty;

	if (m->with_extras || !x->part->extra_of)
		return 0;
	none.ip_frame = PTUI_NONE;
	empty = extras_add(&m->extras, &none);
	if (m->extras.failed || vec_grow(&m->extra_of, &m->cap_extra_of, m->store.samples.n + 1))
		return -ENOMEM;
	for (size_t i = 0; i < m->store.samples.n; i++)
		m->extra_of[i] = empty;
	m->with_extras = true;
	return 0;
}

static int add_rows(struct merge_maps *x)
{
	const struct samples *s = &x->part->samples;
	struct profile_store *store = &x->m->store;

	if (s->n >= PTUI_NONE - store->samples.n || start_extras(x))
		return -ENOMEM;
	profile_store_reserve(store, store->samples.n + s->n, false);
	for (size_t i = 0; i < s->n; i++) {
		uint32_t stack = samples_stack(s, i);
		struct sample_row row = { .time_ns = s->time_ns[i],
					  .period = s->period[i],
					  .thread = x->threads[s->thread[i]],
					  .comm = strpool_move(&x->names, s->comm[i]),
					  .frame = x->frames[s->frame[i]],
					  .stack = stack == PTUI_NONE ? PTUI_NONE :
									x->stacks[stack],
					  .cpu = s->cpu[i],
					  .event = (uint16_t)x->events[s->event[i]],
					  .how = s->how[i] };

		if (is_repeated(x, &row)) {
			x->m->trust.repeated++;
			if (x->part->frames[s->frame[i]].symbols == PTUI_SYMBOLS_UNVERIFIED &&
			    x->m->trust.unverified)
				x->m->trust.unverified--;
			continue;
		}
		if (x->names.failed || set_extra(x, i, store->samples.n) ||
		    profile_store_add_row(store, &row))
			return -ENOMEM;
	}
	return 0;
}

/* ---- what is not in samples ---- */

static int add_counts(struct merge_maps *x)
{
	struct profile_merge *m = x->m;

	if (vec_grow(&m->counts, &m->cap_counts, m->n_counts + x->part->n_thread_counts + 1))
		return -ENOMEM;
	for (size_t i = 0; i < x->part->n_thread_counts; i++) {
		struct ptui_thread_count c = x->part->thread_counts[i];

		c.event = x->events[c.event];
		m->counts[m->n_counts++] = c;
	}
	return 0;
}

/* Sockets that differ between the parts are unknown. */
static int add_sockets(struct profile_merge *m, const struct ptui_profile *part)
{
	size_t bytes = part->n_sockets * sizeof(*m->sockets);

	if (!m->n_parts && bytes) {
		m->sockets = malloc(bytes);
		if (!m->sockets)
			return -ENOMEM;
		memcpy(m->sockets, part->sockets, bytes);
		m->n_sockets = part->n_sockets;
	} else if (m->n_sockets != part->n_sockets ||
		   (bytes && memcmp(m->sockets, part->sockets, bytes))) {
		m->n_sockets = 0;
	}
	return 0;
}

static int add_header(struct profile_merge *m, const struct ptui_profile *part)
{
	for (int i = 0; i < 2; i++) {
		size_t had = m->header[i] ? strlen(m->header[i]) : 0;
		size_t n = part->header[i] ? strlen(part->header[i]) : 0;
		char *text = realloc(m->header[i], had + n + 1);

		if (!text)
			return -ENOMEM;
		if (n)
			memcpy(text + had, part->header[i], n);
		text[had + n] = '\0';
		m->header[i] = text;
	}
	return 0;
}

static int add_facts(struct merge_maps *x, struct merge_part *from)
{
	struct profile_merge *m = x->m;
	struct ptui_profile *part = x->part;
	const struct samples *s = &part->samples;
	struct merged_debug *debug = m->debug;

	if (vec_grow(&m->parts, &m->cap_parts, m->n_parts + 1) ||
	    vec_grow(&debug->parts, &debug->cap_parts, m->n_parts + 1) ||
	    find_host(m, part->host, &from->host) || add_sockets(m, part) || add_header(m, part))
		return -ENOMEM;
	debug->parts[debug->n_parts++] = part->debug;
	part->debug = NULL;
	add_trust(&m->trust, &part->trust);
	from->timed = part->timed;
	from->clock = part->clock;
	from->first_ns = UINT64_MAX;
	for (size_t i = 0; i < s->n; i++) {
		if (s->time_ns[i] && s->time_ns[i] < from->first_ns)
			from->first_ns = s->time_ns[i];
		if (s->time_ns[i] > from->last_ns)
			from->last_ns = s->time_ns[i];
	}
	if (part->last_ns && (!m->last_ns || part->first_ns < m->first_ns))
		m->first_ns = part->first_ns;
	if (part->last_ns > m->last_ns)
		m->last_ns = part->last_ns;
	m->mode = part->mode;
	m->has_extras |= part->has_extras;
	m->raw_trace |= part->raw_trace;
	m->full_paths |= part->full_paths;
	return 0;
}

static size_t count_dsos(const struct ptui_profile *p)
{
	size_t n = 0;

	for (size_t i = 0; i < p->n_frames; i++)
		if (p->frames[i].dso != PTUI_NONE && p->frames[i].dso >= n)
			n = (size_t)p->frames[i].dso + 1;
	return n;
}

static int add_part(struct merge_maps *x)
{
	struct merge_part from = { .first_row = x->m->store.samples.n };
	const struct ptui_profile *part = x->part;
	size_t n_dsos = count_dsos(part);

	x->events = calloc(part->n_events + 1, sizeof(*x->events));
	x->threads = calloc(part->samples.n_threads + 1, sizeof(*x->threads));
	x->dsos = calloc(n_dsos + 1, sizeof(*x->dsos));
	x->frames = calloc(part->n_frames + 1, sizeof(*x->frames));
	x->stacks = calloc(part->stacks.n + 1, sizeof(*x->stacks));
	if (!x->events || !x->threads || !x->dsos || !x->frames || !x->stacks ||
	    add_facts(x, &from) || add_events(x) || add_threads(x, &from) ||
	    merge_map_dsos(x, n_dsos) || merge_add_frames(x) || add_stacks(x) || x->names.failed ||
	    index_rows(x, &from) || add_rows(x) || add_counts(x))
		return -ENOMEM;
	from.end_row = x->m->store.samples.n;
	x->m->parts[x->m->n_parts++] = from;
	return 0;
}

int profile_merge_add(struct profile_merge *m, struct ptui_profile *part, struct ptui_error *err)
{
	struct merge_maps x = { .m = m, .part = part };
	int ret;

	if (m->n_parts && part->mode != m->mode)
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, NULL,
				      _("the recordings differ: rows of some are branches, rows of "
					"others samples"));
	index_table_init(&x.repeated);
	ret = strpool_move_init(&x.names, &part->names, m->store.names);
	if (!ret)
		ret = add_part(&x);
	strpool_move_release(&x.names);
	index_table_release(&x.repeated);
	free(x.events);
	free(x.threads);
	free(x.dsos);
	free(x.frames);
	free(x.stacks);
	free(x.added);
	free(x.taken);
	return ret ? ptui_error_nomem(err) : 0;
}

struct ptui_profile *profile_merge_take(struct profile_merge *m)
{
	struct ptui_profile *p;

	m->trust.hosts = m->n_hosts;
	for (size_t i = 0; i < m->n_parts; i++) {
		size_t k = 0;

		while (k < i && m->parts[k].clock != m->parts[i].clock)
			k++;
		m->trust.clocks += k == i;
	}
	p = profile_store_publish(&m->store, &m->trust);
	if (!p)
		return NULL;
	p->mode = m->mode;
	p->clock = m->n_parts ? m->parts[0].clock : -1;
	p->timed = true;
	p->raw_trace = m->raw_trace;
	p->full_paths = m->full_paths;
	p->has_extras = m->has_extras;
	p->first_ns = m->first_ns;
	p->last_ns = m->last_ns;
	p->thread_counts = m->counts;
	p->n_thread_counts = m->n_counts;
	p->sockets = m->sockets;
	p->n_sockets = m->n_sockets;
	p->extras = m->extras.v;
	p->n_extras = m->extras.n;
	p->extra_of = m->extra_of;
	p->header[0] = m->header[0];
	p->header[1] = m->header[1];
	p->debug = &m->debug->debug;
	m->counts = NULL;
	m->sockets = NULL;
	m->extras.v = NULL;
	m->extra_of = NULL;
	m->header[0] = m->header[1] = NULL;
	m->debug = NULL;
	return p;
}
