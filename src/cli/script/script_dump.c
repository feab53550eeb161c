/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * -D: each record as bytes and decoded, as perf prints it before the line of a sample:
 *
 *	0x440@perf.data [0x48]: event: 9
 *	.
 *	. ... raw event: size 72 bytes
 *	.  0000:  09 00 00 00 02 00 48 00 ...  ......H.
 *
 *	1372741276970 0x440 [0x48]: PERF_RECORD_SAMPLE(IP, 0x2): 31743/31743: 0x562ae324415a ...
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "base/cursor.h"
#include "base/perf_abi.h"
#include "base/text.h"
#include "cli/script/script.h"
#include "ptui/shape.h"
#include "session/chain.h"

#define HEADER_BYTES 8
#define LINE_BYTES   16

/* perf counts from here in a pipe, and has no event at the first record */
#define PIPE_HEADER_BYTES 16

/* ---- the bytes ---- */

static uint8_t record_byte(const struct data_record *rec, size_t i)
{
	uint8_t head[HEADER_BYTES];
	uint16_t size = (uint16_t)rec->bytes;

	if (i >= HEADER_BYTES)
		return rec->body[i - HEADER_BYTES];
	memcpy(head, &rec->type, 4);
	memcpy(head + 4, &rec->misc, 2);
	memcpy(head + 6, &size, 2);
	return head[i];
}

static void dump_bytes(struct script *s, const struct data_record *rec)
{
	size_t n = rec->body_bytes + HEADER_BYTES;

	buf_addf(&s->out, ".\n. ... raw event: size %u bytes\n", rec->bytes);
	for (size_t at = 0; at < n; at += LINE_BYTES) {
		buf_addf(&s->out, ".  %04zx: ", at);
		for (size_t i = at; i < at + LINE_BYTES; i++) {
			if (i < n)
				buf_addf(&s->out, " %02x", record_byte(rec, i));
			else
				buf_add_str(&s->out, "   ");
		}
		buf_add_str(&s->out, "  ");
		for (size_t i = at; i < at + LINE_BYTES; i++) {
			uint8_t c = i < n ? record_byte(rec, i) : ' ';

			buf_add_char(&s->out, c >= ' ' && c < 0x7f ? (char)c : '.');
		}
		buf_add_char(&s->out, '\n');
	}
	buf_add_char(&s->out, '\n');
}

/* ---- records that are no samples ---- */

static struct cursor body_of(struct script *s, const struct data_record *rec)
{
	struct cursor c;

	cursor_init(&c, rec->body, rec->body_bytes, data_swapped(stream_file(s->stream)));
	return c;
}

/* u64 n, { u64 id, u64 index, u64 cpu, u64 tid } × n, maybe { u64 machine pid, u64 vcpu } × n */
static void dump_id_index(struct script *s, const struct data_record *rec)
{
	bool swapped = data_swapped(stream_file(s->stream));
	struct cursor c = body_of(s, rec);
	uint64_t n = cursor_u64(&c);
	const uint8_t *guests = n <= cursor_left(&c) / 48 ? c.p + 32 * n : NULL;

	buf_addf(&s->out, " nr: %" PRIu64 "\n", n);
	for (uint64_t i = 0; i < n && cursor_left(&c) >= 32; i++) {
		uint64_t id = cursor_u64(&c), index = cursor_u64(&c), cpu = cursor_u64(&c),
			 tid = cursor_u64(&c);

		buf_addf(&s->out,
			 " ... id: %" PRId64 "  idx: %" PRId64 "  cpu: %" PRId64 "  tid: %" PRId64,
			 (int64_t)id, (int64_t)index, (int64_t)cpu, (int64_t)tid);
		if (guests)
			buf_addf(&s->out, "  machine_pid: %" PRId64 "  vcpu: %" PRId64,
				 (int64_t)data_word(guests, 2 * i, swapped),
				 (int64_t)data_word(guests, 2 * i + 1, swapped));
		buf_add_char(&s->out, '\n');
	}
}

/* u64 n, { u64 pid, char comm[16] } × n */
static void dump_thread_map(struct script *s, const struct data_record *rec)
{
	struct cursor c = body_of(s, rec);
	uint64_t n = cursor_u64(&c);

	buf_addf(&s->out, " nr: %" PRIu64 " thread%s", n, n > 1 ? "s" : "");
	for (uint64_t i = 0; i < n && cursor_left(&c) >= 24; i++) {
		buf_addf(&s->out, "%s%" PRId64, i ? ", " : ": ", (int64_t)cursor_u64(&c));
		cursor_bytes(&c, 16);
	}
	buf_add_char(&s->out, '\n');
}

/* "0-3,7", from CPUs in ascending order */
struct cpu_ranges {
	struct buf *out;
	bool any;
	uint64_t first, last;
};

static void ranges_end(struct cpu_ranges *r)
{
	if (!r->any)
		return;
	buf_addf(r->out, "%" PRIu64, r->first);
	if (r->last > r->first)
		buf_addf(r->out, "-%" PRIu64, r->last);
}

static void ranges_add(struct cpu_ranges *r, uint64_t first, uint64_t last)
{
	if (r->any && first == r->last + 1) {
		r->last = last;
		return;
	}
	ranges_end(r);
	if (r->any)
		buf_add_char(r->out, ',');
	*r = (struct cpu_ranges){ r->out, true, first, last };
}

/*
 * u16 form, and
 *
 *	0:  u16 n, u16 CPU × n; 65535 is any CPU
 *	1:  u16 n, u16 bytes of a word (4 or 8), [ u16 padding before words of 8 bytes ] words of a mask
 *	2:  u8 any CPU, u8 padding, u16 first, u16 last
 */
static void add_cpu_map(struct script *s, struct cursor *c)
{
	struct cpu_ranges r = { .out = &s->out };
	uint16_t form = cursor_u16(c), n = cursor_u16(c), word;

	if (form == 0) {
		for (uint16_t i = 0; i < n && cursor_left(c) >= 2; i++) {
			uint16_t cpu = cursor_u16(c);

			if (cpu == UINT16_MAX && n == 1)
				buf_add_str(&s->out, "-1");
			else
				ranges_add(&r, cpu, cpu);
		}
	} else if (form == 1) {
		word = cursor_u16(c);
		cursor_bytes(c, word == 8 ? 2 : 0);
		for (uint64_t i = 0; i < n && cursor_left(c) >= word && !c->bad; i++) {
			uint64_t mask = word == 8 ? cursor_u64(c) : cursor_u32(c);

			for (uint64_t bit = 0; bit < 64; bit++)
				if (mask >> bit & 1)
					ranges_add(&r, i * word * 8 + bit, i * word * 8 + bit);
		}
	} else if (form == 2) {
		uint16_t first = cursor_u16(c), last = cursor_u16(c);

		ranges_add(&r, first, last);
	}
	ranges_end(&r);
	buf_add_char(&s->out, '\n');
}

/* i32 pid, i32 tid, then what the read_format of the event has */
static void dump_read(struct script *s, const struct data_record *rec)
{
	static const struct {
		uint64_t bit;
		const char *name;
	} values[] = {
		{ PERF_FORMAT_TOTAL_TIME_ENABLED, "time enabled" },
		{ PERF_FORMAT_TOTAL_TIME_RUNNING, "time running" },
		{ PERF_FORMAT_ID, "id          " },
		{ PTUI_FORMAT_LOST, "lost        " },
	};
	struct data_file *file = stream_file(s->stream);
	uint32_t id = rec->id.has & DATA_HAS_ID ? data_event_of_id(file, rec->id.id) : 0;
	const struct data_event *e = id < data_n_events(file) ? data_event(file, id) : NULL;
	struct cursor c = body_of(s, rec);

	if (e && !(e->read_format & PERF_FORMAT_GROUP)) {
		buf_addf(&s->out, ": %d", (int)cursor_u32(&c));
		buf_addf(&s->out, " %d ", (int)cursor_u32(&c));
		text_escape(&s->out, e->name);
		buf_addf(&s->out, " %" PRIu64 "\n", cursor_u64(&c));
		for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++)
			if (e->read_format & values[i].bit)
				buf_addf(&s->out, "... %s : %" PRIu64 "\n", values[i].name,
					 cursor_u64(&c));
	}
	if (!s->opts->dump_only) /* perf report reads them */
		buf_add_str(&s->out, ": unhandled!\n");
}

static void dump_cpu_map(struct script *s, const struct data_record *rec)
{
	struct cursor c = body_of(s, rec);

	buf_add_str(&s->out, ": ");
	add_cpu_map(s, &c);
}

/* u64 what, u64 id of the event, then its new unit, scale, name or CPUs */
static void dump_event_update(struct script *s, const struct data_record *rec)
{
	struct cursor c = body_of(s, rec);
	uint64_t what = cursor_u64(&c), id = cursor_u64(&c), word;
	double scale;

	buf_addf(&s->out, "\n... id:    %" PRIu64 "\n", id);
	if (what == 1) {
		word = cursor_u64(&c);
		memcpy(&scale, &word, sizeof(scale));
		buf_addf(&s->out, "... scale: %f\n", scale);
	} else if (what == 0 || what == 2) {
		buf_addf(&s->out, "... %s  ", what ? "name:" : "unit:");
		text_escape_n(&s->out, (const char *)c.p,
			      strnlen((const char *)c.p, cursor_left(&c)));
		buf_add_char(&s->out, '\n');
	} else if (what == 3) {
		buf_add_str(&s->out, "... ");
		add_cpu_map(s, &c);
	} else {
		buf_add_str(&s->out, "... unknown type\n");
	}
}

static void dump_lost(struct script *s, const struct data_record *rec)
{
	if (rec->type == PERF_RECORD_LOST)
		buf_addf(&s->out, ": id:%" PRIu64 ": lost:%" PRIu64 "\n", rec->lost.id,
			 rec->lost.lost);
	else
		buf_addf(&s->out, ": id:%" PRIu64 ": lost samples :%" PRIu64 "\n", rec->id.id,
			 rec->lost.lost);
}

/* u64 shift, multiplier, zero, cycles, mask; u8 whether zero is valid, and cycles and mask */
static void dump_time_conv(struct script *s, const struct data_record *rec)
{
	struct cursor c = body_of(s, rec);
	uint64_t shift = cursor_u64(&c), mult = cursor_u64(&c), zero = cursor_u64(&c);

	buf_addf(&s->out,
		 "\n... Time Shift      %" PRIu64 "\n... Time Muliplier  %" PRIu64
		 "\n... Time Zero       %" PRIu64 "\n",
		 shift, mult, zero);
	if (cursor_left(&c) >= 18) {
		uint64_t cycles = cursor_u64(&c), mask = cursor_u64(&c);
		unsigned has_zero = cursor_u8(&c), is_short = cursor_u8(&c);

		buf_addf(&s->out,
			 "... Time Cycles     %" PRIu64 "\n... Time Mask       %#" PRIx64
			 "\n... Cap Time Zero   %u\n... Cap Time Short  %u\n",
			 cycles, mask, has_zero, is_short);
	}
	buf_add_str(&s->out, ": unhandled!\n");
}

/* ---- AUX areas ---- */

static void dump_aux(struct script *s, const struct data_record *rec)
{
	uint64_t flags = rec->aux.flags;

	buf_addf(&s->out, " offset: %#" PRIx64 " size: %#" PRIx64 " flags: %#" PRIx64 " [%s%s%s]\n",
		 rec->aux.off, rec->aux.bytes, flags, flags & PERF_AUX_FLAG_TRUNCATED ? "T" : "",
		 flags & PERF_AUX_FLAG_OVERWRITE ? "O" : "",
		 flags & PERF_AUX_FLAG_PARTIAL ? "P" : "");
}

/* u32 pid, tid */
static void dump_itrace_start(struct script *s, const struct data_record *rec)
{
	struct cursor c = body_of(s, rec);
	uint32_t pid = cursor_u32(&c), tid = cursor_u32(&c);

	buf_addf(&s->out, " pid: %" PRIu32 " tid: %" PRIu32 "\n", pid, tid);
}

static void dump_hw_id(struct script *s, const struct data_record *rec)
{
	struct cursor c = body_of(s, rec);

	buf_addf(&s->out, " hw_id: %#" PRIx64 "\n", cursor_u64(&c));
}

/* The words of AUXTRACE_INFO: their names, and those that are masks. */
static const struct aux_words {
	uint32_t type;
	int width; /* of the names */
	uint64_t hex;
	const char *names[18];
} aux_words[] = {
	{ PTUI_AUXTRACE_INTEL_PT,
	  19,
	  1 << 5 | 1 << 6 | 1 << 10 | 1 << 11 | 1 << 14,
	  { "PMU Type", "Time Shift", "Time Muliplier", "Time Zero", "Cap Time Zero", "TSC bit",
	    "NoRETComp bit", "Have sched_switch", "Snapshot mode", "Per-cpu maps", "MTC bit",
	    "MTC freq bits", "TSC:CTC numerator", "TSC:CTC denominator", "CYC bit",
	    "Max non-turbo ratio", "Filter string len." } },
	{ PTUI_AUXTRACE_INTEL_BTS,
	  18,
	  0,
	  { "PMU Type", "Time Shift", "Time Muliplier", "Time Zero", "Cap Time Zero",
	    "Snapshot mode" } },
	{ PTUI_AUXTRACE_ARM_SPE, 18, 0, { "PMU Type", "Per-cpu maps" } },
	{ PTUI_AUXTRACE_HISI_PTT, 18, 0, { "PMU Type" } },
};

/* The last words of Intel PT: the length of a text, the text, padded to 8 bytes, and one more. */
static void dump_pt_filter(struct script *s, struct cursor *c, uint64_t bytes)
{
	const char *text = bytes <= cursor_left(c) ? cursor_bytes(c, (bytes + 7) / 8 * 8) : NULL;

	buf_add_str(&s->out, "  Filter string       ");
	if (text && bytes)
		text_escape_n(&s->out, text, strnlen(text, bytes));
	buf_add_char(&s->out, '\n');
	if (cursor_left(c) >= 8)
		buf_addf(&s->out, "  Cap Event Trace     %" PRIu64 "\n", cursor_u64(c));
}

/* u32 type, u32 0, words that depend on it */
static void dump_auxtrace_info(struct script *s, const struct data_record *rec)
{
	struct cursor c = body_of(s, rec);
	uint32_t type = cursor_u32(&c);
	const struct aux_words *w = NULL;

	buf_addf(&s->out, " type: %" PRIu32 "\n", type);
	cursor_u32(&c);
	for (size_t i = 0; i < sizeof(aux_words) / sizeof(*aux_words); i++)
		if (aux_words[i].type == type)
			w = &aux_words[i];
	for (unsigned i = 0; cursor_left(&c) >= 8; i++) {
		uint64_t word = cursor_u64(&c);
		bool named = w && i < sizeof(w->names) / sizeof(*w->names) && w->names[i];

		if (!named)
			buf_addf(&s->out, "  word %-14u %#" PRIx64 "\n", i, word);
		else if (w->hex >> i & 1)
			buf_addf(&s->out, "  %-*s %#" PRIx64 "\n", w->width, w->names[i], word);
		else
			buf_addf(&s->out, "  %-*s %" PRIu64 "\n", w->width, w->names[i], word);
		if (type == PTUI_AUXTRACE_INTEL_PT && i == 16)
			dump_pt_filter(s, &c, word);
	}
}

static void dump_auxtrace(struct script *s, const struct data_record *rec)
{
	const struct data_auxtrace *a = &rec->auxtrace;

	buf_addf(&s->out,
		 " size: %#" PRIx64 "  offset: %#" PRIx64 "  ref: %#" PRIx64 "  idx: %" PRIu32
		 "  tid: %" PRId32 "  cpu: %" PRId32 "\n",
		 a->bytes, a->off, a->reference, a->idx, a->tid, a->cpu);
}

/* ---- records of simpleperf, as its command dump prints them ---- */

/* u32 pid, tid; u64 type, time, n, addresses × n, stack pointers × n */
static void dump_callchain(struct script *s, const struct data_record *rec)
{
	static const char *const types[] = { "ORIGINAL_OFFLINE", "ORIGINAL_REMOTE",
					     "JOINED_OFFLINE", "JOINED_REMOTE" };
	struct cursor c = body_of(s, rec), sps;
	uint32_t pid = cursor_u32(&c), tid = cursor_u32(&c);
	uint64_t type = cursor_u64(&c), time = cursor_u64(&c), n = cursor_u64(&c);

	buf_addf(&s->out,
		 "\n... pid:        %" PRIu32 "\n... tid:        %" PRIu32 "\n... chain_type: %s"
		 "\n... time:       %" PRIu64 "\n... ip_nr:      %" PRIu64 "\n",
		 pid, tid, type < sizeof(types) / sizeof(*types) ? types[type] : "UNKNOWN", time,
		 n);
	sps = c;
	cursor_bytes(&sps, n > cursor_left(&c) / 16 ? cursor_left(&c) : 8 * n);
	for (uint64_t i = 0; i < n && cursor_left(&sps) >= 8; i++) {
		uint64_t ip = cursor_u64(&c), sp = cursor_u64(&sps);

		buf_addf(&s->out, "..... ip 0x%" PRIx64 ", sp 0x%" PRIx64 "\n", ip, sp);
	}
}

/* How unwinding the sample of the same time ended: u64 each; newer versions have more after them */
static void dump_unwinding_result(struct script *s, const struct data_record *rec)
{
	static const char *const fields[] = { "time",	    "used_time",   "error_code",
					      "error_addr", "stack_start", "stack_end" };
	struct cursor c = body_of(s, rec);

	buf_add_char(&s->out, '\n');
	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields) && cursor_left(&c) >= 8; i++)
		buf_addf(&s->out, i < 3 ? "... %-12s %" PRIu64 "\n" : "... %-12s 0x%" PRIx64 "\n",
			 fields[i], cursor_u64(&c));
}

/* u64 time, a message */
static void dump_debug(struct script *s, const struct data_record *rec)
{
	struct cursor c = body_of(s, rec);
	uint64_t time = cursor_u64(&c);

	buf_addf(&s->out, "\n... time: %" PRIu64 "\n... ", time);
	if (!c.bad)
		text_escape_n(&s->out, (const char *)c.p,
			      strnlen((const char *)c.p, cursor_left(&c)));
	buf_add_char(&s->out, '\n');
}

/* As in perf, the line of these ends with that of the next record. */
static void dump_chain(struct script *s, const void *words, uint32_t n, bool swapped)
{
	buf_addf(&s->out, "... FP chain: nr:%" PRIu32 "\n", n);
	for (uint32_t i = 0; i < n; i++)
		buf_addf(&s->out, "..... %2" PRIu32 ": %016" PRIx64 "\n", i,
			 data_word(words, i, swapped));
}

static void dump_deferred(struct script *s, const struct data_record *rec)
{
	buf_addf(&s->out, "(IP, 0x%x): %d/%d: %#" PRIx64 "\n", rec->misc, rec->id.pid, rec->id.tid,
		 rec->deferred.cookie);
	dump_chain(s, rec->deferred.addrs, rec->deferred.n, rec->deferred.swapped);
}

static void dump_nothing(struct script *s, const struct data_record *rec)
{
	(void)s;
	(void)rec;
}

static void dump_round(struct script *s, const struct data_record *rec)
{
	(void)rec;
	buf_add_char(&s->out, '\n');
}

static const struct {
	uint32_t type;
	void (*dump)(struct script *s, const struct data_record *rec);
} dumps[] = {
	{ PERF_RECORD_LOST, dump_lost },
	{ PERF_RECORD_LOST_SAMPLES, dump_lost },
	{ PERF_RECORD_AUX, dump_aux },
	{ PERF_RECORD_ITRACE_START, dump_itrace_start },
	{ PTUI_RECORD_AUX_OUTPUT_HW_ID, dump_hw_id },
	{ PTUI_RECORD_CALLCHAIN_DEFERRED, dump_deferred },
	{ PTUI_RECORD_AUXTRACE_INFO, dump_auxtrace_info },
	{ PTUI_RECORD_AUXTRACE, dump_auxtrace },
	{ PTUI_RECORD_HEADER_ATTR, dump_nothing },
	{ PTUI_RECORD_HEADER_FEATURE, dump_nothing },
	{ PTUI_RECORD_HEADER_TRACING_DATA, dump_nothing },
	{ PTUI_RECORD_HEADER_BUILD_ID, dump_nothing },
	{ PTUI_RECORD_TIME_CONV, dump_time_conv },
	{ PTUI_RECORD_ID_INDEX, dump_id_index },
	{ PTUI_RECORD_THREAD_MAP, dump_thread_map },
	{ PTUI_RECORD_CPU_MAP, dump_cpu_map },
	{ PERF_RECORD_READ, dump_read },
	{ PTUI_RECORD_EVENT_UPDATE, dump_event_update },
	{ PTUI_RECORD_FINISHED_ROUND, dump_round },
	{ PTUI_SIMPLEPERF_CALLCHAIN, dump_callchain },
	{ PTUI_SIMPLEPERF_UNWINDING_RESULT, dump_unwinding_result },
	{ PTUI_SIMPLEPERF_DEBUG, dump_debug },
};

static void dump_fields(struct script *s, const struct data_record *rec)
{
	if (s->opts->dump_unsorted && rec->type == PTUI_RECORD_FINISHED_ROUND) {
		buf_add_str(&s->out, ": unhandled!\n");
		return;
	}
	for (size_t i = 0; i < sizeof(dumps) / sizeof(*dumps); i++) {
		if (dumps[i].type == rec->type) {
			dumps[i].dump(s, rec);
			/* what perf script reads, and perf report does not */
			if (s->opts->dump_only && (rec->type == PTUI_RECORD_THREAD_MAP ||
						   rec->type == PTUI_RECORD_CPU_MAP))
				buf_add_str(&s->out, ": unhandled!\n");
			return;
		}
	}
	if (!script_add_record_fields(s, rec))
		buf_add_str(&s->out, ": unhandled!\n");
	else
		buf_add_char(&s->out, '\n');
}

/* ---- samples ---- */

static void dump_regs(struct script *s, const char *which, uint64_t abi, uint64_t mask,
		      const uint64_t *regs)
{
	static const char *const abis[] = { "none", "32-bit", "64-bit" };

	if (!regs)
		return;
	buf_addf(&s->out, "... %s regs: mask 0x%" PRIx64 " ABI %s\n", which, mask,
		 abi < 3 ? abis[abi] : "unknown");
	for (unsigned bit = 0, i = 0; bit < 64; bit++) {
		const char *name;

		if (!(mask >> bit & 1))
			continue;
		name = ptui_register_name(bit);
		buf_addf(&s->out, ".... %-5s 0x%016" PRIx64 "\n", name ? name : "unknown",
			 regs[i++]);
	}
}

static void dump_page_size(struct script *s, const char *which, uint64_t size)
{
	buf_addf(&s->out, " .. %s page size:", which);
	script_add_page_size(&s->out, size);
	buf_add_char(&s->out, '\n');
}

static void dump_weight(struct script *s, uint64_t type, const struct data_sample *sample)
{
	buf_addf(&s->out, "... weight: %" PRIu64, sample->weight);
	if (type & PERF_SAMPLE_WEIGHT_STRUCT)
		buf_addf(&s->out, ",0x%x,0x%x", sample->latency[0], sample->latency[1]);
	buf_add_char(&s->out, '\n');
}

static void dump_reads(struct script *s, const struct data_event *ev,
		       const struct data_sample *sample)
{
	uint64_t format = ev->read_format;

	buf_add_str(&s->out, "... sample_read:\n");
	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		buf_addf(&s->out, "...... time enabled %016" PRIx64 "\n", sample->read_enabled_ns);
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		buf_addf(&s->out, "...... time running %016" PRIx64 "\n", sample->read_running_ns);
	if (format & PERF_FORMAT_GROUP)
		buf_addf(&s->out, ".... group nr %" PRIu32 "\n", sample->n_reads);
	for (uint32_t i = 0; i < sample->n_reads; i++) {
		buf_addf(&s->out, "..... id %016" PRIx64 ", value %016" PRIx64,
			 sample->reads[2 * i + 1], sample->reads[2 * i]);
		if (sample->reads_lost)
			buf_addf(&s->out, ", lost %" PRIu64, sample->reads_lost[i]);
		buf_add_char(&s->out, '\n');
	}
}

/* In the order of perf, with what the sample has. */
static void dump_values(struct script *s, const struct data_record *rec,
			const struct data_event *ev, const struct data_sample *sample)
{
	uint64_t type = ev->sample_type, cookie;

	if (type & PERF_SAMPLE_CALLCHAIN) {
		dump_chain(s, sample->chain, sample->n_chain, false);
		if (chain_is_deferred(sample, &cookie))
			buf_add_str(&s->out, "...... (deferred)\n");
	}
	if (type & PERF_SAMPLE_BRANCH_STACK)
		script_dump_branches(s, ev, sample);
	if (type & PERF_SAMPLE_REGS_USER)
		dump_regs(s, "user", sample->regs_user_abi, sample->regs_user_mask,
			  sample->regs_user);
	if (type & PERF_SAMPLE_REGS_INTR)
		dump_regs(s, "intr", sample->regs_intr_abi, sample->regs_intr_mask,
			  sample->regs_intr);
	if (type & PERF_SAMPLE_STACK_USER)
		buf_addf(&s->out, "... ustack: size %" PRIu64 ", offset 0x%zx\n",
			 sample->stack_user_dyn_bytes,
			 sample->stack_user ? (size_t)(sample->stack_user - rec->body) : 0);
	if (type & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT))
		dump_weight(s, type, sample);
	if (type & PERF_SAMPLE_DATA_SRC)
		buf_addf(&s->out, " . data_src: 0x%" PRIx64 "\n", sample->data_src);
	if (type & PERF_SAMPLE_PHYS_ADDR)
		buf_addf(&s->out, " .. phys_addr: 0x%" PRIx64 "\n", sample->phys_addr);
	if (type & PERF_SAMPLE_DATA_PAGE_SIZE)
		dump_page_size(s, "data", sample->data_page_size);
	if (type & PERF_SAMPLE_CODE_PAGE_SIZE)
		dump_page_size(s, "code", sample->code_page_size);
	if (type & PERF_SAMPLE_TRANSACTION)
		buf_addf(&s->out, "... transaction: %" PRIx64 "\n", sample->transaction);
	if (type & PERF_SAMPLE_READ)
		dump_reads(s, ev, sample);
}

void script_dump_place(struct script *s, const struct data_sample *sample, uint64_t when)
{
	const struct script_comm *comm = script_comm(s, sample->pid, data_sample_thread(sample),
						     when);
	uint32_t frame = stream_frame(s->stream, sample, when, sample->ip);
	const struct resolver *r = stream_resolver(s->stream);
	const struct frame *f = frame == PTUI_NONE ? NULL : &resolver_frames(r)[frame];
	const struct dso_info *dso = f && f->dso != PTUI_NONE ? resolver_dso(r, f->dso) : NULL;

	buf_add_str(&s->out, " ... thread: ");
	buf_add(&s->out, comm->text, comm->n);
	buf_addf(&s->out, ":%d\n ...... dso: ", sample->tid);
	text_escape(&s->out, dso ? stream_name(s->stream, dso->name) :
			     (sample->misc & DATA_CPUMODE_MASK) == DATA_MODE_HYPERVISOR ?
				   "[hypervisor]" :
				   "<not found>");
	buf_add_char(&s->out, '\n');
}

/* ---- a record ---- */

static uint64_t all_sample_types(const struct data_file *file)
{
	uint64_t type = 0;

	for (size_t i = 0; i < data_n_events(file); i++)
		type |= data_event(file, i)->sample_type;
	return type;
}

/* In the order of the file, perf prints -1 if the record could have a CPU and has none. */
static uint32_t shown_cpu(const struct script *s, const struct data_record *rec,
			  const struct data_sample *sample)
{
	bool known = (sample ? sample->has : rec->id.has) & DATA_HAS_CPU;

	if (s->opts->dump_unsorted && !known && rec->type < PTUI_RECORD_HEADER_ATTR)
		return UINT32_MAX;
	return sample ? sample->cpu : rec->id.cpu;
}

static void dump_stamp(struct script *s, const struct data_record *rec,
		       const struct data_sample *sample)
{
	const struct data_file *file = stream_file(s->stream);
	uint64_t type = all_sample_types(file);

	if (!sample && (!data_n_events(file) || !data_event(file, 0)->sample_id_all ||
			(rec->type == PTUI_RECORD_HEADER_ATTR && rec->off == PIPE_HEADER_BYTES))) {
		buf_add_str(&s->out, "-1 -1 ");
		return;
	}
	if (type & PERF_SAMPLE_CPU)
		buf_addf(&s->out, "%" PRIu32 " ", shown_cpu(s, rec, sample));
	if (type & PERF_SAMPLE_TIME)
		buf_addf(&s->out, "%" PRIu64 " ", sample ? sample->time_ns : rec->id.time_ns);
}

int script_dump_record(struct script *s, const struct data_record *rec,
		       const struct data_sample *sample)
{
	const char *name = data_record_type_name(rec->type);
	bool pipe = data_is_pipe(stream_file(s->stream));
	uint64_t off = rec->off - (pipe ? PIPE_HEADER_BYTES : 0);

	buf_addf(&s->out, "\n%#" PRIx64 "@%s [%#x]: event: %u\n", off,
		 pipe ? "pipe" : s->opts->in.input, rec->bytes, rec->type);
	dump_bytes(s, rec);
	dump_stamp(s, rec, sample);
	buf_addf(&s->out, "%#" PRIx64 " [%#x]: PERF_RECORD_%s", off, rec->bytes,
		 name ? name : "UNKNOWN");
	if (!sample) {
		if (rec->type != PERF_RECORD_SAMPLE)
			dump_fields(s, rec);
		return s->out.err;
	}
	buf_addf(&s->out,
		 "(IP, 0x%x): %d/%d: %#" PRIx64 " period: %" PRIu64 " addr: %#" PRIx64 "\n",
		 rec->misc, sample->pid, sample->tid, sample->ip, sample->period, sample->addr);
	dump_values(s, rec, data_event(stream_file(s->stream), sample->event), sample);
	return s->out.err;
}
