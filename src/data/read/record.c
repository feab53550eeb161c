/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's records other than SAMPLE, and their trailer:
 *
 *   [ header | fields … text, NUL, padding | pid tid | time | id | stream | cpu | identifier ]
 *                                            '-- by the sample_type of the event --'
 */
#include <errno.h>
#include <string.h>
#include "base/i18n.h"
#include "data/read/reader_private.h"

#define MISC_EXEC	     PERF_RECORD_MISC_COMM_EXEC /* of COMM; MMAP_DATA of MMAP */
#define PROT_EXEC_BIT	     4

#define SIMPLEPERF_TYPES_END (PTUI_SIMPLEPERF_TYPES + 32)
#define TYPES_SANE	     0x100000 /* far more than any perf has */

/* Numbers beyond these are damage, and would make impossible sums. */
#define LOST_SANE    ((uint64_t)1 << 40)
#define READ_NS_SANE ((uint64_t)1 << 56) /* two years */

struct record_head record_decode_head(const uint8_t *at, bool swap)
{
	struct record_head h;
	struct cursor c;

	cursor_init(&c, at, DATA_RECORD_HEADER_BYTES, swap);
	h.type = cursor_u32(&c);
	h.misc = cursor_u16(&c);
	h.size = cursor_u16(&c);
	if (h.type >= PTUI_SIMPLEPERF_TYPES && h.type < SIMPLEPERF_TYPES_END) {
		h.size |= (uint32_t)h.misc << 16;
		h.misc = 0;
	}
	return h;
}

bool record_type_known(uint32_t type)
{
	return (type >= PERF_RECORD_MMAP && type <= PTUI_RECORD_CALLCHAIN_DEFERRED) ||
	       (type >= PTUI_RECORD_HEADER_ATTR && type <= PTUI_RECORD_BPF_METADATA) ||
	       (type >= PTUI_SIMPLEPERF_KERNEL_SYMBOL && type <= PTUI_SIMPLEPERF_DEBUG);
}

bool record_is_possible(const struct record_head *h)
{
	return h->size >= DATA_RECORD_HEADER_BYTES &&
	       (record_type_known(h->type) || (h->type < TYPES_SANE && h->size % 4 == 0));
}

unsigned record_count_index(uint32_t type)
{
	if (type < PTUI_RECORD_SIMPLEPERF)
		return type;
	return type >= PTUI_SIMPLEPERF_TYPES && type <= PTUI_SIMPLEPERF_DEBUG ?
		       type - PTUI_SIMPLEPERF_TYPES + PTUI_RECORD_SIMPLEPERF :
		       PTUI_RECORD_TYPES;
}

const char *data_record_type_name(unsigned type)
{
	static const char *const names[PTUI_RECORD_TYPES] = {
		[PERF_RECORD_MMAP] = "MMAP",
		[PERF_RECORD_LOST] = "LOST",
		[PERF_RECORD_COMM] = "COMM",
		[PERF_RECORD_EXIT] = "EXIT",
		[PERF_RECORD_THROTTLE] = "THROTTLE",
		[PERF_RECORD_UNTHROTTLE] = "UNTHROTTLE",
		[PERF_RECORD_FORK] = "FORK",
		[PERF_RECORD_READ] = "READ",
		[PERF_RECORD_SAMPLE] = "SAMPLE",
		[PERF_RECORD_MMAP2] = "MMAP2",
		[PERF_RECORD_AUX] = "AUX",
		[PERF_RECORD_ITRACE_START] = "ITRACE_START",
		[PERF_RECORD_LOST_SAMPLES] = "LOST_SAMPLES",
		[PERF_RECORD_SWITCH] = "SWITCH",
		[PERF_RECORD_SWITCH_CPU_WIDE] = "SWITCH_CPU_WIDE",
		[PERF_RECORD_NAMESPACES] = "NAMESPACES",
		[PERF_RECORD_KSYMBOL] = "KSYMBOL",
		[PERF_RECORD_BPF_EVENT] = "BPF_EVENT",
		[PERF_RECORD_CGROUP] = "CGROUP",
		[PERF_RECORD_TEXT_POKE] = "TEXT_POKE",
		[PTUI_RECORD_AUX_OUTPUT_HW_ID] = "AUX_OUTPUT_HW_ID",
		[PTUI_RECORD_CALLCHAIN_DEFERRED] = "CALLCHAIN_DEFERRED",
		[PTUI_RECORD_HEADER_ATTR] = "ATTR",
		[PTUI_RECORD_HEADER_EVENT_TYPE] = "EVENT_TYPE",
		[PTUI_RECORD_HEADER_TRACING_DATA] = "TRACING_DATA",
		[PTUI_RECORD_HEADER_BUILD_ID] = "BUILD_ID",
		[PTUI_RECORD_FINISHED_ROUND] = "FINISHED_ROUND",
		[PTUI_RECORD_ID_INDEX] = "ID_INDEX",
		[PTUI_RECORD_AUXTRACE_INFO] = "AUXTRACE_INFO",
		[PTUI_RECORD_AUXTRACE] = "AUXTRACE",
		[PTUI_RECORD_AUXTRACE_ERROR] = "AUXTRACE_ERROR",
		[PTUI_RECORD_THREAD_MAP] = "THREAD_MAP",
		[PTUI_RECORD_CPU_MAP] = "CPU_MAP",
		[PTUI_RECORD_STAT_CONFIG] = "STAT_CONFIG",
		[PTUI_RECORD_STAT] = "STAT",
		[PTUI_RECORD_STAT_ROUND] = "STAT_ROUND",
		[PTUI_RECORD_EVENT_UPDATE] = "EVENT_UPDATE",
		[PTUI_RECORD_TIME_CONV] = "TIME_CONV",
		[PTUI_RECORD_HEADER_FEATURE] = "FEATURE",
		[PTUI_RECORD_COMPRESSED] = "COMPRESSED",
		[PTUI_RECORD_FINISHED_INIT] = "FINISHED_INIT",
		[PTUI_RECORD_COMPRESSED2] = "COMPRESSED2",
		[PTUI_RECORD_BPF_METADATA] = "BPF_METADATA",
#define SIMPLEPERF(name)                                   \
	[PTUI_RECORD_SIMPLEPERF + PTUI_SIMPLEPERF_##name - \
		PTUI_SIMPLEPERF_TYPES] = "SIMPLEPERF_" #name
		SIMPLEPERF(KERNEL_SYMBOL),
		SIMPLEPERF(DSO),
		SIMPLEPERF(SYMBOL),
		SIMPLEPERF(SPLIT),
		SIMPLEPERF(SPLIT_END),
		SIMPLEPERF(EVENT_ID),
		SIMPLEPERF(CALLCHAIN),
		SIMPLEPERF(UNWINDING_RESULT),
		SIMPLEPERF(TRACING_DATA),
		SIMPLEPERF(DEBUG),
	};

	if (type >= PTUI_SIMPLEPERF_TYPES)
		type = record_count_index(type);
	return type < PTUI_RECORD_TYPES ? names[type] : NULL;
}

void data_unknown_add(struct ptui_unknown_type v[PTUI_UNKNOWN_TYPES], uint32_t type, uint64_t n)
{
	for (size_t i = 0; i < PTUI_UNKNOWN_TYPES; i++) {
		if (v[i].records && v[i].type != type)
			continue;
		v[i].type = type;
		v[i].records += n;
		return;
	}
}

const char *data_records_instead(const uint64_t records[PTUI_RECORD_TYPES])
{
	static const struct {
		unsigned type;
		const char *what;
	} kinds[] = {
		{ PTUI_RECORD_STAT, N_("counts of 'perf stat record'") },
		{ PTUI_RECORD_AUXTRACE, N_("AUX area data, which ptui does not decode") },
		{ PTUI_RECORD_COMPRESSED, N_("compressed records") },
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (records[kinds[i].type])
			return kinds[i].what;
	}
	return NULL;
}

/* Text up to the end of the fields, which contains a NUL. */
static const char *rest_str(struct cursor *c)
{
	return cursor_str(c, cursor_left(c));
}

static void decode_mmap(struct cursor *c, struct data_record *rec)
{
	struct data_mmap *m = &rec->mmap;

	m->pid = (int32_t)cursor_u32(c);
	m->tid = (int32_t)cursor_u32(c);
	m->start = cursor_u64(c);
	m->len = cursor_u64(c);
	m->pgoff = cursor_u64(c);
	if (rec->type == PERF_RECORD_MMAP) {
		m->prot = rec->misc & PERF_RECORD_MISC_MMAP_DATA ? 0 : PROT_EXEC_BIT;
		m->path = rest_str(c);
		return;
	}
	if (rec->misc & PERF_RECORD_MISC_MMAP_BUILD_ID) {
		const void *id;

		m->build_id_bytes = cursor_u8(c);
		cursor_bytes(c, 3);
		id = cursor_bytes(c, DATA_BUILD_ID_MAX);
		if (m->build_id_bytes > DATA_BUILD_ID_MAX)
			c->bad = true;
		else if (id)
			memcpy(m->build_id, id, m->build_id_bytes);
	} else {
		m->maj = cursor_u32(c);
		m->min = cursor_u32(c);
		m->ino = cursor_u64(c);
		m->ino_generation = cursor_u64(c);
	}
	m->prot = cursor_u32(c);
	m->flags = cursor_u32(c);
	m->path = rest_str(c);
}

static void decode_comm(struct cursor *c, struct data_record *rec)
{
	rec->comm.pid = (int32_t)cursor_u32(c);
	rec->comm.tid = (int32_t)cursor_u32(c);
	rec->comm.name = rest_str(c);
	rec->comm.exec = rec->misc & MISC_EXEC;
}

static void decode_task(struct cursor *c, struct data_record *rec)
{
	rec->task.pid = (int32_t)cursor_u32(c);
	rec->task.ppid = (int32_t)cursor_u32(c);
	rec->task.tid = (int32_t)cursor_u32(c);
	rec->task.ptid = (int32_t)cursor_u32(c);
	rec->task.time_ns = cursor_u64(c);
}

static void decode_lost(struct cursor *c, struct data_record *rec)
{
	if (rec->type == PERF_RECORD_LOST)
		rec->lost.id = cursor_u64(c);
	rec->lost.lost = cursor_u64(c);
	c->bad |= rec->lost.lost > LOST_SANE;
}

static void decode_throttle(struct cursor *c, struct data_record *rec)
{
	rec->throttle.time_ns = cursor_u64(c);
	rec->throttle.id = cursor_u64(c);
	rec->throttle.stream_id = cursor_u64(c);
}

/* Only the times are needed, not the values and ids around them. */
static void decode_read(struct cursor *c, struct data_record *rec, uint64_t format)
{
	const uint64_t times = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;

	rec->read.pid = (int32_t)cursor_u32(c);
	rec->read.tid = (int32_t)cursor_u32(c);
	rec->read.value = cursor_u64(c); /* or the number of values */
	rec->read.has_value = !(format & PERF_FORMAT_GROUP);
	if ((format & times) != times)
		return;
	rec->read.enabled_ns = cursor_u64(c);
	rec->read.running_ns = cursor_u64(c);
	c->bad |= rec->read.enabled_ns > READ_NS_SANE || rec->read.running_ns > READ_NS_SANE;
}

static void decode_aux(struct cursor *c, struct data_record *rec)
{
	rec->aux.off = cursor_u64(c);
	rec->aux.bytes = cursor_u64(c);
	rec->aux.flags = cursor_u64(c);
}

static void decode_ksymbol(struct cursor *c, struct data_record *rec)
{
	rec->ksymbol.addr = cursor_u64(c);
	rec->ksymbol.len = cursor_u32(c);
	rec->ksymbol.ksym_type = cursor_u16(c);
	rec->ksymbol.flags = cursor_u16(c);
	rec->ksymbol.name = rest_str(c);
}

uint64_t data_word(const uint8_t *bytes, size_t i, bool swapped)
{
	uint64_t word;

	memcpy(&word, bytes + 8 * i, sizeof(word));
	return swapped ? bswap_64(word) : word;
}

static void decode_deferred(struct cursor *c, struct data_record *rec)
{
	uint64_t n;

	rec->deferred.cookie = cursor_u64(c);
	n = cursor_u64(c);
	if (n > cursor_left(c) / 8) {
		c->bad = true;
		return;
	}
	rec->deferred.addrs = cursor_bytes(c, n * 8);
	rec->deferred.n = (uint32_t)n;
	rec->deferred.swapped = c->swap;
}

/* Records whose fields do not depend on the event. */
typedef void (*decode_fn)(struct cursor *c, struct data_record *rec);

static const decode_fn decoders[] = {
	[PERF_RECORD_MMAP] = decode_mmap,
	[PERF_RECORD_LOST] = decode_lost,
	[PERF_RECORD_COMM] = decode_comm,
	[PERF_RECORD_EXIT] = decode_task,
	[PERF_RECORD_THROTTLE] = decode_throttle,
	[PERF_RECORD_UNTHROTTLE] = decode_throttle,
	[PERF_RECORD_FORK] = decode_task,
	[PERF_RECORD_MMAP2] = decode_mmap,
	[PERF_RECORD_AUX] = decode_aux,
	[PERF_RECORD_LOST_SAMPLES] = decode_lost,
	[PERF_RECORD_KSYMBOL] = decode_ksymbol,
	[PTUI_RECORD_CALLCHAIN_DEFERRED] = decode_deferred,
};

/*
 * The event of a record, by the id in the trailer, which must be at the same position for all
 * events. Records made by the recorder have id 0, for the first event.
 */
static const struct data_event_slot *event_of(const struct data_file *f,
					      const struct data_record *rec)
{
	int pos = f->events.common.id_pos_from_end;
	struct cursor c;
	uint32_t event;
	uint64_t id;

	if (!f->events.n)
		return NULL;
	if (f->events.n == 1 || !f->events.v[0]->ev.sample_id_all)
		return f->events.v[0];
	if (pos < 0 || rec->body_bytes < (uint32_t)pos * 8)
		return NULL;
	cursor_init(&c, rec->body + rec->body_bytes - (uint32_t)pos * 8, 8, f->swap);
	id = cursor_u64(&c);
	event = id ? event_table_find(&f->events, id) : 0;
	return event < f->events.n ? f->events.v[event] : NULL;
}

static void decode_trailer(const struct data_event_slot *e, const uint8_t *at, bool swap,
			   struct data_id *id)
{
	uint64_t type = e->ev.sample_type;
	struct cursor c;

	cursor_init(&c, at, e->layout.trailer_bytes, swap);
	if (type & PERF_SAMPLE_TID) {
		id->pid = (int32_t)cursor_u32(&c);
		id->tid = (int32_t)cursor_u32(&c);
		id->has |= DATA_HAS_TID;
	}
	if (type & PERF_SAMPLE_TIME) {
		id->time_ns = cursor_u64(&c);
		id->has |= DATA_HAS_TIME;
	}
	if (type & PERF_SAMPLE_ID) {
		id->id = cursor_u64(&c);
		id->has |= DATA_HAS_ID;
	}
	if (type & PERF_SAMPLE_STREAM_ID) {
		id->stream_id = cursor_u64(&c);
		id->has |= DATA_HAS_STREAM;
	}
	if (type & PERF_SAMPLE_CPU) {
		id->cpu = cursor_u32(&c);
		cursor_u32(&c);
		id->has |= DATA_HAS_CPU;
	}
	if (type & PERF_SAMPLE_IDENTIFIER) {
		id->id = cursor_u64(&c);
		id->has |= DATA_HAS_ID;
	}
}

/*
 * While any recording on the machine uses attr.build_id, the kernel leaves the bit for it set in
 * all copies of an MMAP2 record (perf_event_mmap_output() of 5.12 to 6.18), although device and
 * inode are there. If no attr of the recording asks for build-ids, the field counts as a build-id
 * only if its length is that of one (for tools that insert build-ids later without changing attrs).
 */
static bool has_build_id(const struct data_file *f, const struct data_record *rec)
{
	const uint32_t at = 4 + 4 + 8 + 8 + 8;

	return f->events.asks_build_ids || rec->body_bytes <= at || rec->body[at] == 20 ||
	       rec->body[at] == 16;
}

int record_decode(const struct data_file *f, struct data_record *rec)
{
	const struct data_event_slot *e = event_of(f, rec);
	uint32_t trailer = e ? e->layout.trailer_bytes : 0;
	decode_fn decode = NULL;
	struct cursor c;

	if (rec->type < sizeof(decoders) / sizeof(*decoders))
		decode = decoders[rec->type];
	if (trailer > rec->body_bytes)
		trailer = 0;
	if (rec->type == PERF_RECORD_MMAP2 && rec->misc & PERF_RECORD_MISC_MMAP_BUILD_ID &&
	    !has_build_id(f, rec))
		rec->misc &= (uint16_t)~PERF_RECORD_MISC_MMAP_BUILD_ID;
	if (decode) {
		cursor_init(&c, rec->body, rec->body_bytes - trailer, f->swap);
		decode(&c, rec);
		if (c.bad && trailer) {
			/* some recorders omit the trailer in their own records */
			trailer = 0;
			cursor_init(&c, rec->body, rec->body_bytes, f->swap);
			decode(&c, rec);
		}
		if (c.bad)
			return -EBADMSG;
	}
	if (rec->type == PERF_RECORD_READ && e) {
		cursor_init(&c, rec->body, rec->body_bytes - trailer, f->swap);
		decode_read(&c, rec, e->ev.read_format);
		if (c.bad)
			return -EBADMSG;
	}
	if (trailer)
		decode_trailer(e, rec->body + rec->body_bytes - trailer, f->swap, &rec->id);
	return 0;
}
