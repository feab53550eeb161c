/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/builder_extras.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/cursor.h"
#include "base/perf_abi.h"
#include "base/vec.h"
#include "event/trace_format.h"
#include "session/builder.h"

/* Payloads are formatted before the kernel's symbols are known. */
static const char *no_function(void *ctx, uint64_t addr, const char **ret_module,
			       uint64_t *ret_start)
{
	(void)ctx;
	(void)addr;
	(void)ret_module;
	(void)ret_start;
	return NULL;
}

unsigned builder_extras_wanted(const struct builder *b)
{
	unsigned wanted = b->extras.wanted;

	return wanted & PTUI_EXTRA_TRACE_ALONE ? wanted | PTUI_EXTRA_TRACE : wanted;
}

/* Whether the payload of tracepoints is wanted, now that all events are known. */
static void settle_trace(struct builder *b, bool has_formats)
{
	struct builder_extras *x = &b->extras;
	bool alone = has_formats && x->wanted & PTUI_EXTRA_TRACE_ALONE, any = false;

	for (size_t i = 0; i < b->store.n_events && alone; i++) {
		if (profile_event_is_dummy(&b->store.events[i]))
			continue;
		alone = b->store.events[i].extras & PTUI_EXTRA_TRACE;
		any = true;
	}
	if (x->wanted & PTUI_EXTRA_TRACE_ALONE && !has_formats)
		x->wanted &= ~(unsigned)PTUI_EXTRA_TRACE;
	x->wanted &= ~(unsigned)PTUI_EXTRA_TRACE_ALONE;
	if (alone && any)
		x->wanted |= PTUI_EXTRA_TRACE;
	for (size_t i = 0; i < b->store.n_events; i++)
		b->store.events[i].extras &= x->wanted;
}

void builder_extras_release(struct builder *b)
{
	struct builder_extras *x = &b->extras;

	extras_release(&x->table);
	tuples_release(&x->history);
	builder_trace_release(&x->trace);
	trace_formats_free(x->formats);
	buf_release(&x->text);
	free(x->of_row);
	free(x->cgroups);
	free(x->namespaces);
	free(x->switches);
	free(x->shared);
}

unsigned builder_extras_of(const struct data_event *e)
{
	static const struct {
		uint64_t sample_type;
		unsigned extras;
	} fields[] = {
		{ PERF_SAMPLE_WEIGHT, PTUI_EXTRA_WEIGHT },
		{ PERF_SAMPLE_WEIGHT_STRUCT,
		  PTUI_EXTRA_WEIGHT | PTUI_EXTRA_LATENCY | PTUI_EXTRA_STAGE },
		{ PERF_SAMPLE_CODE_PAGE_SIZE, PTUI_EXTRA_CODE_PAGE },
		{ PERF_SAMPLE_CGROUP, PTUI_EXTRA_CGROUP },
		{ PERF_SAMPLE_BRANCH_STACK, PTUI_EXTRA_BRANCH | PTUI_EXTRA_HISTORY },
		{ PERF_SAMPLE_ADDR, PTUI_EXTRA_DATA_ADDR },
		{ PERF_SAMPLE_DATA_SRC, PTUI_EXTRA_DATA_SRC },
		{ PERF_SAMPLE_PHYS_ADDR, PTUI_EXTRA_PHYS_ADDR },
		{ PERF_SAMPLE_DATA_PAGE_SIZE, PTUI_EXTRA_DATA_PAGE },
		{ PERF_SAMPLE_TRANSACTION, PTUI_EXTRA_TRANSACTION },
	};
	unsigned ret = PTUI_EXTRA_MAP | PTUI_EXTRA_NAMESPACE | PTUI_EXTRA_IP | PTUI_EXTRA_RUNNING;

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		if (e->sample_type & fields[i].sample_type)
			ret |= fields[i].extras;
	return e->type == PERF_TYPE_TRACEPOINT && e->sample_type & PERF_SAMPLE_RAW ?
		       ret | PTUI_EXTRA_TRACE | PTUI_EXTRA_FIELDS :
		       ret;
}

/* u64 id, path */
int builder_extras_cgroup(struct builder *b, const struct data_record *rec)
{
	struct builder_extras *x = &b->extras;
	struct cursor c;
	uint64_t id;
	uint32_t name;

	cursor_init(&c, rec->body, rec->body_bytes, data_swapped(b->file));
	id = cursor_u64(&c);
	if (c.bad)
		return 0;
	name = strpool_add_n(b->store.names, (const char *)c.p, cursor_left(&c));
	if (name == PTUI_NONE || vec_grow(&x->cgroups, &x->cap_cgroups, x->n_cgroups + 1))
		return -ENOMEM;
	x->cgroups[x->n_cgroups++] = (struct builder_cgroup){ id, name };
	return 0;
}

static uint32_t cgroup_name(const struct builder_extras *x, uint64_t id)
{
	for (size_t i = x->n_cgroups; i-- > 0;)
		if (x->cgroups[i].id == id)
			return x->cgroups[i].name;
	return PTUI_NONE;
}

static uint32_t trace_text(struct builder *b, const struct data_event *e,
			   const struct data_sample *s)
{
	struct builder_extras *x = &b->extras;
	uint32_t text;

	if (!x->formats || !e || e->type != PERF_TYPE_TRACEPOINT || !s->raw)
		return PTUI_NONE;
	x->text.len = 0;
	if (x->raw_trace)
		trace_formats_print_raw(x->formats, e->config, s->raw, s->raw_bytes, &x->text);
	else
		trace_formats_print(x->formats, e->config, s->cpu, s->raw, s->raw_bytes, &x->text);
	text = x->text.err ? PTUI_NONE : strpool_add(b->store.names, buf_str(&x->text));
	x->table.failed |= text == PTUI_NONE;
	return text;
}

/* ---- namespaces of threads ---- */

#define CGROUP_NAMESPACE 6 /* place in the list of NAMESPACES */

/* u32 pid, u32 tid, u64 number, and of each u64 device, u64 inode */
static int note_namespace(struct builder *b, const struct data_record *rec)
{
	struct builder_extras *x = &b->extras;
	struct builder_namespace n = { .when = builder_when(b->timed, rec) };
	struct cursor c;

	cursor_init(&c, rec->body, rec->body_bytes, data_swapped(b->file));
	cursor_u32(&c);
	n.tid = (int32_t)cursor_u32(&c);
	if (cursor_u64(&c) <= CGROUP_NAMESPACE)
		return 0;
	cursor_bytes(&c, (size_t)16 * CGROUP_NAMESPACE);
	n.dev = cursor_u64(&c);
	n.inode = cursor_u64(&c);
	if (c.bad)
		return 0;
	if (vec_grow(&x->namespaces, &x->cap_namespaces, x->n_namespaces + 1))
		return -ENOMEM;
	x->namespaces[x->n_namespaces++] = n;
	return 0;
}

static int namespace_order(const void *va, const void *vb)
{
	const struct builder_namespace *a = va, *b = vb;

	if (a->tid != b->tid)
		return a->tid < b->tid ? -1 : 1;
	return a->when < b->when ? -1 : a->when > b->when;
}

/* That of a thread at a time; NULL: unknown. */
static const struct builder_namespace *find_namespace(const struct builder_extras *x, int32_t tid,
						      uint64_t when)
{
	size_t low = 0, high = x->n_namespaces;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		const struct builder_namespace *n = &x->namespaces[mid];

		if (n->tid < tid || (n->tid == tid && n->when <= when))
			low = mid + 1;
		else
			high = mid;
	}
	return low && x->namespaces[low - 1].tid == tid ? &x->namespaces[low - 1] : NULL;
}

/* ---- how many tasks run ---- */

static int note_switch(struct builder *b, const struct data_record *rec)
{
	struct builder_extras *x = &b->extras;
	bool exits = rec->type == PERF_RECORD_EXIT;
	struct builder_switch s = {
		.when = builder_when(b->timed, rec),
		.seq = rec->seq,
		.running = exits || rec->misc & PERF_RECORD_MISC_SWITCH_OUT ? -1 : 1,
		.tid = exits ? rec->task.tid : rec->id.tid,
	};

	if (!s.tid) /* idle */
		return 0;
	if (vec_grow(&x->switches, &x->cap_switches, x->n_switches + 1))
		return -ENOMEM;
	x->switches[x->n_switches++] = s;
	x->has_switches |= !exits;
	return 0;
}

static int switch_order(const void *va, const void *vb)
{
	const struct builder_switch *a = va, *b = vb;

	if (a->when != b->when)
		return a->when < b->when ? -1 : 1;
	return a->seq < b->seq ? -1 : a->seq > b->seq;
}

static int switch_order_of_tasks(const void *va, const void *vb)
{
	const struct builder_switch *a = va, *b = vb;

	if (a->tid != b->tid)
		return a->tid < b->tid ? -1 : 1;
	return switch_order(va, vb);
}

/*
 * Sets .running to what it changes: nothing, if the task ran or did not run before, as at its exit, which may
 * come without a switch. Returns how many tasks ran at the start: those that are first switched out.
 */
static int64_t count_changes(struct builder_extras *x)
{
	int64_t first = 0;
	bool runs = false;

	for (size_t i = 0; i < x->n_switches; i++) {
		struct builder_switch *s = &x->switches[i];
		bool in = s->running > 0;

		if (!i || s[-1].tid != s->tid) {
			runs = !in;
			first += runs;
		}
		if (in == runs)
			s->running = 0;
		runs = in;
	}
	return first;
}

static void settle_switches(struct builder *b, struct data_file *file)
{
	struct builder_extras *x = &b->extras;
	const void *cpus;
	struct cursor c;
	int64_t running;
	size_t n = 0;

	for (size_t i = 0; !x->has_switches && i < b->store.n_events; i++)
		b->store.events[i].extras &= ~(unsigned)PTUI_EXTRA_RUNNING;
	if (x->n_switches)
		qsort(x->switches, x->n_switches, sizeof(*x->switches), switch_order_of_tasks);
	x->first_running = running = count_changes(x);
	if (x->n_switches)
		qsort(x->switches, x->n_switches, sizeof(*x->switches), switch_order);
	for (size_t i = 0; i < x->n_switches; i++) {
		running += x->switches[i].running;
		x->switches[i].running = running;
	}
	cpus = data_feature(file, PTUI_FEAT_NRCPUS, &n);
	cursor_init(&c, cpus, cpus ? n : 0, data_swapped(file));
	x->max_running = cursor_u32(&c);
	if (c.bad || !x->max_running)
		x->max_running = UINT32_MAX;
}

static uint32_t running_at(const struct builder_extras *x, uint64_t when)
{
	size_t low = 0, high = x->n_switches;
	int64_t n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (x->switches[mid].when <= when)
			low = mid + 1;
		else
			high = mid;
	}
	n = low ? x->switches[low - 1].running : x->first_running;
	return n < 1 ? 1 : n > x->max_running ? x->max_running : (uint32_t)n;
}

/* ---- shared maps of files ---- */

#define MAP_IS_SHARED 1u /* MAP_SHARED */
#define PROT_HAS_CODE 4u /* PROT_EXEC */

static int note_shared(struct builder *b, const struct data_record *rec)
{
	struct builder_extras *x = &b->extras;
	const struct data_mmap *m = &rec->mmap;

	if (!(m->flags & MAP_IS_SHARED) || m->prot & PROT_HAS_CODE || !(m->ino || m->maj || m->min))
		return 0;
	if (vec_grow(&x->shared, &x->cap_shared, x->n_shared + 1))
		return -ENOMEM;
	x->shared[x->n_shared++] = (struct builder_shared){ m->pid, m->start, m->start + m->len };
	return 0;
}

static int shared_order(const void *va, const void *vb)
{
	const struct builder_shared *a = va, *b = vb;

	if (a->pid != b->pid)
		return a->pid < b->pid ? -1 : 1;
	return a->start < b->start ? -1 : a->start > b->start;
}

static bool is_shared(const struct builder_extras *x, int32_t pid, uint64_t addr)
{
	size_t low = 0, high = x->n_shared;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		const struct builder_shared *m = &x->shared[mid];

		if (m->pid < pid || (m->pid == pid && m->start <= addr))
			low = mid + 1;
		else
			high = mid;
	}
	return low && x->shared[low - 1].pid == pid && addr < x->shared[low - 1].end;
}

/* ---- samples ---- */

/* Anonymous memory belongs to a process; the same addresses of others are other memory. */
static bool is_anonymous(const char *name)
{
	return *name != '/' || name[1] == '/';
}

static void set_data(struct builder *b, const struct data_sample *s, uint64_t when,
		     struct extra *ret)
{
	unsigned mode = s->misc & DATA_CPUMODE_MASK;
	uint32_t dso;

	ret->data_addr = s->addr;
	ret->data_frame = resolver_frame(b->resolver, s->pid, mode, when, s->addr);
	if (ret->data_frame == PTUI_NONE || mode == DATA_MODE_KERNEL)
		return;
	dso = resolver_frames(b->resolver)[ret->data_frame].dso;
	if (dso != PTUI_NONE &&
	    is_anonymous(strpool_get(b->store.names, resolver_dso(b->resolver, dso)->name)))
		ret->data_pid = (uint32_t)s->pid;
	ret->data_shared = dso != PTUI_NONE && is_shared(&b->extras, s->pid, s->addr);
}

/* The part of a map that later maps have left; 0: nothing is mapped. */
static uint64_t map_bytes(const struct builder *b, int32_t pid, uint64_t when, uint64_t addr)
{
	const struct machine_map *kernel = machine_find_kernel_map(b->machine, when, addr);
	struct machine_place place;

	if (kernel && b->extras.kernel_bytes && kernel->start == b->extras.kernel_start)
		return b->extras.kernel_bytes;
	if (machine_find_place(b->machine, pid, when, addr, &place))
		return place.end - place.start;
	return kernel ? kernel->end - kernel->start : 0;
}

/* The record has the end of the kernel; its map reaches up to the modules. */
static void note_kernel(struct builder_extras *x, const struct data_mmap *m)
{
	if (m->pid != -1 || strncmp(m->path, "[kernel.", 8) != 0)
		return;
	x->kernel_start = m->start;
	x->kernel_bytes = m->len;
}

void builder_extra_place(struct builder *b, const struct data_sample *s, uint64_t when,
			 uint64_t addr, uint32_t frame, struct extra *ret)
{
	ret->ip = addr;
	ret->ip_frame = frame;
	if (b->extras.wanted & PTUI_EXTRA_MAP)
		ret->map_bytes = map_bytes(b, s->pid, when, addr);
}

int builder_extras_record(struct builder *b, const struct data_record *rec)
{
	unsigned wanted = b->extras.wanted;

	if (rec->type == PERF_RECORD_MMAP && wanted & PTUI_EXTRA_MAP)
		note_kernel(&b->extras, &rec->mmap);
	if (rec->type == PERF_RECORD_NAMESPACES && wanted & PTUI_EXTRA_NAMESPACE)
		return note_namespace(b, rec);
	if ((rec->type == PERF_RECORD_SWITCH || rec->type == PERF_RECORD_SWITCH_CPU_WIDE ||
	     rec->type == PERF_RECORD_EXIT) &&
	    wanted & PTUI_EXTRA_RUNNING)
		return note_switch(b, rec);
	if (rec->type == PERF_RECORD_MMAP2 && wanted & PTUI_EXTRA_DATA_ADDR)
		return note_shared(b, rec);
	return 0;
}

struct extra builder_extra_values(struct builder *b, const struct data_event *e,
				  const struct data_sample *s, uint64_t when)
{
	struct builder_extras *x = &b->extras;
	struct extra all = EXTRA_NONE;
	uint32_t frame = PTUI_NONE;

	all.weight = s->weight;
	all.latency = s->latency[0];
	all.stage = s->latency[1];
	all.code_page = s->code_page_size;
	all.cgroup = s->cgroup;
	all.data_src = s->data_src;
	all.phys_addr = s->phys_addr;
	all.data_page = s->data_page_size;
	all.transaction = s->transaction;
	if (x->wanted & PTUI_EXTRA_CGROUP)
		all.cgroup_name = cgroup_name(x, s->cgroup);
	if (x->wanted & PTUI_EXTRA_TRACE)
		all.trace = trace_text(b, e, s);
	if (x->wanted & PTUI_EXTRA_FIELDS)
		all.fields = builder_trace_fields(b, e, s);
	if (x->wanted & PTUI_EXTRA_DATA_ADDR && s->present & PERF_SAMPLE_ADDR)
		set_data(b, s, when, &all);
	if (x->wanted & PTUI_EXTRA_IP)
		frame = resolver_frame(b->resolver, s->pid, s->misc & DATA_CPUMODE_MASK, when,
				       s->ip);
	builder_extra_place(b, s, when, s->ip, frame, &all);
	if (x->wanted & PTUI_EXTRA_RUNNING)
		all.running = running_at(x, when);
	if (x->wanted & PTUI_EXTRA_NAMESPACE) {
		const struct builder_namespace *n = find_namespace(x, s->tid, when);

		all.cgroup_dev = n ? n->dev : 0;
		all.cgroup_inode = n ? n->inode : 0;
	}
	return all;
}

uint32_t builder_extra_add(struct builder *b, const struct extra *values)
{
	struct extra kept = extra_masked(values, b->extras.wanted);

	return extras_add(&b->extras.table, &kept);
}

int builder_extras_start(struct builder *b, struct data_file *file,
			 const struct ptui_load_opts *opts, struct ptui_error *err)
{
	struct builder_extras *x = &b->extras;
	size_t n = 0;
	const void *bytes = data_feature(file, PTUI_FEAT_TRACING_DATA, &n);
	unsigned present = 0;

	x->text = (struct buf)BUF_INIT;
	x->raw_trace = opts->raw_trace;
	settle_trace(b, bytes != NULL);
	if (x->wanted & PTUI_EXTRA_RUNNING)
		settle_switches(b, file);
	for (size_t i = 0; i < b->store.n_events; i++)
		present |= b->store.events[i].extras;
	x->wanted &= present;
	if (x->n_namespaces)
		qsort(x->namespaces, x->n_namespaces, sizeof(*x->namespaces), namespace_order);
	if (x->n_shared)
		qsort(x->shared, x->n_shared, sizeof(*x->shared), shared_order);
	if (!(x->wanted & (PTUI_EXTRA_TRACE | PTUI_EXTRA_FIELDS)) || !bytes)
		return 0;
	x->formats = trace_formats_new(bytes, n, no_function, NULL, err);
	if (!x->formats)
		return -ENOMEM;
	return builder_trace_start(b, opts) ? ptui_error_nomem(err) : 0;
}

int builder_extras_row(struct builder *b, uint32_t extra)
{
	struct builder_extras *x = &b->extras;

	if (x->table.failed || vec_grow(&x->of_row, &x->cap_rows, x->n_rows + 1))
		return -ENOMEM;
	x->of_row[x->n_rows++] = extra;
	return 0;
}

int builder_extras_copy(const struct builder *b, struct ptui_profile *p)
{
	const struct builder_extras *x = &b->extras;

	p->raw_trace = x->raw_trace;
	if (trace_values_copy(&x->trace.values, &p->trace) || tuples_copy(&x->history, &p->history))
		return -ENOMEM;
	if (!x->wanted || x->n_rows != p->samples.n || !x->table.n)
		return 0;
	p->extras = malloc(x->table.n * sizeof(*p->extras));
	p->extra_of = malloc((x->n_rows + 1) * sizeof(*p->extra_of));
	if (!p->extras || !p->extra_of)
		return -ENOMEM;
	memcpy(p->extras, x->table.v, x->table.n * sizeof(*p->extras));
	if (x->n_rows)
		memcpy(p->extra_of, x->of_row, x->n_rows * sizeof(*p->extra_of));
	p->n_extras = x->table.n;
	p->has_extras = x->wanted;
	return 0;
}

void builder_extras_give(struct builder *b, struct ptui_profile *p)
{
	struct builder_extras *x = &b->extras;

	p->raw_trace = x->raw_trace;
	p->trace = x->trace.values;
	x->trace.values = (struct trace_values){ .n = 0 };
	p->history = x->history;
	x->history = (struct tuples){ .v = NULL };
	if (!x->wanted || x->n_rows != p->samples.n || !x->table.n)
		return;
	p->has_extras = x->wanted;
	p->extras = x->table.v;
	p->n_extras = x->table.n;
	p->extra_of = x->of_row;
	x->table.v = NULL;
	x->table.n = 0;
	x->of_row = NULL;
}
