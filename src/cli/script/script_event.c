/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records other than samples, as perf's text. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include "base/cursor.h"
#include "base/perf_abi.h"
#include "base/text.h"
#include "base/vec.h"
#include "cli/script/script.h"

/* ---- control groups ---- */

static bool cgroup_is(const void *owner, uint32_t index, const void *key)
{
	return ((const struct script *)owner)->cgroups[index].id == *(const uint64_t *)key;
}

static uint32_t cgroup_of(const struct script *s, uint64_t id)
{
	return index_table_find(&s->cgroup_index, hash_u64(id), cgroup_is, s, &id);
}

/* u64 id, path */
static int note_cgroup(struct script *s, const struct data_record *rec)
{
	struct cursor c;
	uint32_t older;
	uint64_t id;

	cursor_init(&c, rec->body, rec->body_bytes, data_swapped(stream_file(s->stream)));
	id = cursor_u64(&c);
	if (c.bad || vec_grow(&s->cgroups, &s->cap_cgroups, s->n_cgroups + 1))
		return c.bad ? 0 : -ENOMEM;
	s->cgroups[s->n_cgroups].id = id;
	s->cgroups[s->n_cgroups].path = strndup((const char *)c.p, cursor_left(&c));
	if (!s->cgroups[s->n_cgroups++].path)
		return -ENOMEM;
	older = cgroup_of(s, id);
	if (older != PTUI_NONE)
		index_table_remove(&s->cgroup_index, hash_u64(id), older);
	return index_table_add(&s->cgroup_index, hash_u64(id), (uint32_t)s->n_cgroups - 1);
}

const char *script_cgroup_name(const struct script *s, uint64_t id)
{
	uint32_t i = cgroup_of(s, id);

	return i == PTUI_NONE ? "unknown" : s->cgroups[i].path;
}

/* ---- the text of each type ---- */

static const char *cgroup_path(const struct data_record *rec)
{
	return rec->body_bytes > 8 && memchr(rec->body + 8, 0, rec->body_bytes - 8) ?
		       (const char *)rec->body + 8 :
		       "";
}

static void add_mmap(struct script *s, const struct data_record *rec)
{
	const struct data_mmap *m = &rec->mmap;

	buf_addf(&s->out, " %d/%d: [%#" PRIx64 "(%#" PRIx64 ") @ %#" PRIx64, m->pid, m->tid,
		 m->start, m->len, m->pgoff);
	if (rec->type == PERF_RECORD_MMAP) {
		buf_addf(&s->out, "]: %c ", m->prot ? 'x' : 'r');
	} else {
		if (m->build_id_bytes) {
			buf_add_str(&s->out, " <");
			for (unsigned i = 0; i < m->build_id_bytes; i++)
				buf_addf(&s->out, "%02x", m->build_id[i]);
			buf_add_str(&s->out, ">]:");
		} else {
			buf_addf(&s->out, " %02x:%02x %" PRIu64 " %" PRIu64 "]:", m->maj, m->min,
				 m->ino, m->ino_generation);
		}
		buf_addf(&s->out, " %c%c%c%c ", m->prot & 1 ? 'r' : '-', m->prot & 2 ? 'w' : '-',
			 m->prot & 4 ? 'x' : '-', m->flags & 1 ? 's' : 'p');
	}
	text_escape(&s->out, m->path);
}

static void add_comm(struct script *s, const struct data_record *rec)
{
	buf_addf(&s->out, "%s: ", rec->comm.exec ? " exec" : "");
	text_escape(&s->out, rec->comm.name);
	buf_addf(&s->out, ":%d/%d", rec->comm.pid, rec->comm.tid);
}

static void add_task(struct script *s, const struct data_record *rec)
{
	buf_addf(&s->out, "(%d:%d):(%d:%d)", rec->task.pid, rec->task.tid, rec->task.ppid,
		 rec->task.ptid);
}

static void add_lost(struct script *s, const struct data_record *rec)
{
	buf_addf(&s->out, " lost %" PRIu64, rec->lost.lost);
}

/* u32 pid, u32 tid of the other task, for a whole CPU; the direction is in misc. */
static void add_switch(struct script *s, const struct data_record *rec)
{
	bool out = rec->misc & PERF_RECORD_MISC_SWITCH_OUT;
	bool preempt = out && rec->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT;
	const char *way = !out ? "IN         " : preempt ? "OUT preempt" : "OUT        ";
	struct cursor c;
	uint32_t pid, tid;

	buf_addf(&s->out, " %s", way);
	if (rec->type != PERF_RECORD_SWITCH_CPU_WIDE)
		return;
	cursor_init(&c, rec->body, rec->body_bytes, data_swapped(stream_file(s->stream)));
	pid = cursor_u32(&c);
	tid = cursor_u32(&c);
	buf_addf(&s->out, "  %s pid/tid: %5d/%-5d", out ? "next" : "prev", (int)pid, (int)tid);
}

static void add_ksymbol(struct script *s, const struct data_record *rec)
{
	buf_addf(&s->out, " addr %" PRIx64 " len %u type %u flags 0x%x name ", rec->ksymbol.addr,
		 rec->ksymbol.len, rec->ksymbol.ksym_type, rec->ksymbol.flags);
	text_escape(&s->out, rec->ksymbol.name);
}

/* u16 type, u16 flags, u32 id */
static void add_bpf(struct script *s, const struct data_record *rec)
{
	struct cursor c;
	uint16_t type, flags;

	cursor_init(&c, rec->body, rec->body_bytes, data_swapped(stream_file(s->stream)));
	type = cursor_u16(&c);
	flags = cursor_u16(&c);
	buf_addf(&s->out, " type %u, flags %u, id %u", type, flags, cursor_u32(&c));
}

static void add_cgroup(struct script *s, const struct data_record *rec)
{
	struct cursor c;

	cursor_init(&c, rec->body, rec->body_bytes, data_swapped(stream_file(s->stream)));
	buf_addf(&s->out, " cgroup: %" PRIu64 " ", cursor_u64(&c));
	text_escape(&s->out, cgroup_path(rec));
}

/* i32 pid, i32 tid, u64 n, { u64 device, u64 inode } × n */
static void add_namespaces(struct script *s, const struct data_record *rec)
{
	static const char *const names[] = { "net", "uts", "ipc", "pid", "user", "mnt", "cgroup" };
	struct cursor c;
	int pid, tid;
	uint64_t n;

	cursor_init(&c, rec->body, rec->body_bytes, data_swapped(stream_file(s->stream)));
	pid = (int)cursor_u32(&c);
	tid = (int)cursor_u32(&c);
	n = cursor_u64(&c);
	if (n > cursor_left(&c) / 16)
		n = 0;
	buf_addf(&s->out, " %d/%d - nr_namespaces: %" PRIu64 "\n\t\t[", pid, tid, n);
	for (uint64_t i = 0; i < n; i++) {
		const char *name = i < sizeof(names) / sizeof(*names) ? names[i] : "unknown";
		uint64_t device = cursor_u64(&c), inode = cursor_u64(&c);

		if (i && i % 4 == 0)
			buf_add_str(&s->out, "\n\t\t ");
		buf_addf(&s->out, "%" PRIu64 "/%s: %" PRIu64 "/%#" PRIx64 "%s", i, name, device,
			 inode, i + 1 == n ? "" : ", ");
	}
	buf_add_char(&s->out, ']');
}

/* u64 address, u16 old length, u16 new length, old bytes, new bytes */
static void add_text_poke(struct script *s, const struct data_record *rec)
{
	struct cursor c;
	uint64_t addr;
	size_t n[2];

	cursor_init(&c, rec->body, rec->body_bytes, data_swapped(stream_file(s->stream)));
	addr = cursor_u64(&c);
	n[0] = cursor_u16(&c);
	n[1] = cursor_u16(&c);
	buf_addf(&s->out, " %" PRIx64 " ", addr);
	script_add_kernel_symbol(s, addr, s->when, &s->out);
	buf_addf(&s->out, " old len %zu new len %zu", n[0], n[1]);
	for (unsigned is_new = 0; is_new < 2; is_new++) {
		const uint8_t *bytes = cursor_bytes(&c, n[is_new]);

		for (size_t i = 0; bytes && i < n[is_new]; i++) {
			if (i % 16 == 0)
				buf_addf(&s->out,
					 "\n            %s bytes:", is_new ? "New" : "Old");
			buf_addf(&s->out, " %02x", bytes[i]);
		}
	}
}

static void add_nothing(struct script *s, const struct data_record *rec)
{
	(void)s;
	(void)rec;
}

static const struct {
	uint32_t type;
	const char *name;
	size_t shown; /* offset of the option in script_opts */
	void (*add)(struct script *s, const struct data_record *rec);
} types[] = {
#define SHOWN(member) offsetof(struct script_opts, member)
	{ PERF_RECORD_MMAP, "PERF_RECORD_MMAP", SHOWN(show_mmaps), add_mmap },
	{ PERF_RECORD_MMAP2, "PERF_RECORD_MMAP2", SHOWN(show_mmaps), add_mmap },
	{ PERF_RECORD_COMM, "PERF_RECORD_COMM", SHOWN(show_tasks), add_comm },
	{ PERF_RECORD_FORK, "PERF_RECORD_FORK", SHOWN(show_tasks), add_task },
	{ PERF_RECORD_EXIT, "PERF_RECORD_EXIT", SHOWN(show_tasks), add_task },
	{ PERF_RECORD_LOST, "PERF_RECORD_LOST", SHOWN(show_lost), add_lost },
	{ PERF_RECORD_SWITCH, "PERF_RECORD_SWITCH", SHOWN(show_switches), add_switch },
	{ PERF_RECORD_SWITCH_CPU_WIDE, "PERF_RECORD_SWITCH_CPU_WIDE", SHOWN(show_switches),
	  add_switch },
	{ PERF_RECORD_NAMESPACES, "PERF_RECORD_NAMESPACES", SHOWN(show_namespaces),
	  add_namespaces },
	{ PERF_RECORD_KSYMBOL, "PERF_RECORD_KSYMBOL", SHOWN(show_bpf), add_ksymbol },
	{ PERF_RECORD_BPF_EVENT, "PERF_RECORD_BPF_EVENT", SHOWN(show_bpf), add_bpf },
	{ PERF_RECORD_CGROUP, "PERF_RECORD_CGROUP", SHOWN(show_cgroups), add_cgroup },
	{ PERF_RECORD_TEXT_POKE, "PERF_RECORD_TEXT_POKE", SHOWN(show_text_pokes), add_text_poke },
	{ PTUI_RECORD_FINISHED_ROUND, "PERF_RECORD_FINISHED_ROUND", SHOWN(show_rounds),
	  add_nothing },
#undef SHOWN
};

bool script_add_record_fields(struct script *s, const struct data_record *rec)
{
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
		if (types[i].type != rec->type)
			continue;
		types[i].add(s, rec);
		return true;
	}
	return false;
}

/* Whose name the line begins with. */
static void record_task(const struct data_record *rec, bool swapped, struct script_start *start)
{
	struct cursor c;

	start->comm_pid = rec->id.pid;
	start->comm_tid = rec->id.tid;
	switch (rec->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		start->comm_pid = rec->mmap.pid;
		start->comm_tid = rec->mmap.tid;
		break;
	case PERF_RECORD_COMM:
		start->comm_pid = rec->comm.pid;
		start->comm_tid = rec->comm.tid;
		break;
	case PERF_RECORD_FORK: /* a child begins with the name of its parent */
		start->comm_pid = rec->task.ppid;
		start->comm_tid = rec->task.ptid;
		break;
	case PERF_RECORD_EXIT:
		start->comm_pid = rec->task.pid;
		start->comm_tid = rec->task.tid;
		break;
	case PERF_RECORD_NAMESPACES:
		cursor_init(&c, rec->body, rec->body_bytes, swapped);
		start->comm_pid = (int32_t)cursor_u32(&c);
		start->comm_tid = (int32_t)cursor_u32(&c);
		break;
	default:
		break;
	}
}

static int print_record(struct script *s, const struct data_record *rec, uint64_t when, size_t i)
{
	uint32_t event = rec->id.has & DATA_HAS_ID && rec->id.id ?
				 data_event_of_id(stream_file(s->stream), rec->id.id) :
				 0;
	struct script_start start = {
		.type = rec->type,
		.misc = rec->misc,
		.pid = rec->id.pid,
		.tid = rec->id.tid,
		.cpu = rec->id.cpu,
		.time_ns = rec->id.time_ns,
		.when = when,
	};
	int ret = 0;

	record_task(rec, data_swapped(stream_file(s->stream)), &start);
	if (rec->id.has & DATA_HAS_ID &&
	    data_guest_of_id(stream_file(s->stream), rec->id.id, &start.guest))
		start.comm_tid = data_guest_thread(&start.guest, start.comm_tid);
	if (event < s->n_events && rec->type < PTUI_RECORD_HEADER_ATTR)
		ret = script_print_start(s, &s->events[event], &start);
	if (ret)
		return ret;
	buf_add_str(&s->out, types[i].name);
	types[i].add(s, rec);
	buf_add_char(&s->out, '\n');
	return s->out.err;
}

int script_print_record(struct script *s, const struct data_record *rec, uint64_t when)
{
	if (rec->type == PERF_RECORD_CGROUP && note_cgroup(s, rec))
		return -ENOMEM;
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (types[i].type == rec->type &&
		    *(const bool *)((const char *)s->opts + types[i].shown) &&
		    script_filter_cpu(s->filter, rec->id.has & DATA_HAS_CPU, rec->id.cpu))
			return print_record(s, rec, when, i);
	return 0;
}
