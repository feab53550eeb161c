/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A sample as perf's text. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "base/perf_abi.h"
#include "base/text.h"
#include "base/vec.h"
#include "cli/script/line_writer.h"
#include "cli/script/put.h"
#include "cli/script/script.h"

#define F(id)	     SCRIPT_FIELD(id)
#define START_BYTES  256 /* of the numbers at the beginning of a line */
#define NSEC_PER_SEC 1000000000u

/* ---- the beginning of a line ---- */

const struct script_comm *script_comm(struct script *s, int32_t pid, int32_t tid, uint64_t when)
{
	uint32_t id = stream_comm(s->stream, pid, tid, when);
	struct script_comm *c = &s->comms[id % (sizeof(s->comms) / sizeof(*s->comms))];
	char unknown[32];

	if (id != PTUI_NONE && c->id == id && c->n)
		return c;
	snprintf(unknown, sizeof(unknown), ":%d", tid < 0 ? tid : tid % DATA_TIDS);
	buf_clear(&s->scratch);
	script_lock(s);
	text_escape(&s->scratch, id == PTUI_NONE ? unknown : stream_name(s->stream, id));
	script_unlock(s);
	if (s->scratch.err)
		s->out.err = s->scratch.err;
	c->id = id;
	c->n = (uint32_t)s->scratch.len;
	if (c->n > sizeof(c->text))
		c->n = sizeof(c->text);
	memcpy(c->text, buf_str(&s->scratch), c->n);
	return c;
}

static char *put_comm(char *p, const struct script_comm *c, size_t width, size_t max)
{
	size_t n = c->n < max ? c->n : max;

	/* 32 bits, or gcc warns of memset() beyond any object (-O1 -fsanitize=address) */
	if (n < width)
		p = put_pad(p, ' ', (uint32_t)(width - n));
	p = put_text(p, c->text, n);
	*p++ = ' ';
	return p;
}

static char *put_ids(char *p, uint64_t fields, int32_t pid, int32_t tid)
{
	if (fields & F(PID))
		p = put_i32(p, pid, 5);
	if ((fields & (F(PID) | F(TID))) == (F(PID) | F(TID))) {
		char *from;

		*p++ = '/';
		from = p;
		p = put_i32(p, tid, 0);
		if (p - from < 5)
			p = put_fill(p, ' ', 5 - (size_t)(p - from));
	} else if (fields & F(TID)) {
		p = put_i32(p, tid, 5);
	}
	if (fields & (F(PID) | F(TID)))
		*p++ = ' ';
	return p;
}

/* The letters of misc, in 6 columns. */
static char *put_misc(char *p, uint16_t misc, uint32_t type)
{
	static const char modes[][3] = { "", "K", "U", "KUH", "G", "KGg" };
	unsigned mode = misc & DATA_CPUMODE_MASK;
	char *from = p;
	size_t n;

	/* perf tests each mode as a mask */
	if (mode < sizeof(modes) / sizeof(*modes))
		p = put_text(p, modes[mode], strnlen(modes[mode], 3));
	if ((type == PERF_RECORD_MMAP || type == PERF_RECORD_MMAP2) &&
	    misc & PERF_RECORD_MISC_MMAP_DATA)
		*p++ = 'M';
	if (type == PERF_RECORD_COMM && misc & PERF_RECORD_MISC_COMM_EXEC)
		*p++ = 'E';
	if ((type == PERF_RECORD_SWITCH || type == PERF_RECORD_SWITCH_CPU_WIDE) &&
	    misc & PERF_RECORD_MISC_SWITCH_OUT) {
		*p++ = 'S';
		if (misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT)
			*p++ = 'p';
	}
	n = (size_t)(p - from);
	return n < 6 ? put_pad(p, ' ', 6 - n) : p;
}

static uint64_t shown_time(struct script *s, uint64_t time)
{
	uint64_t t = time;

	if (s->opts->reltime) {
		if (!s->timed)
			s->first_ns = time;
		t = time - s->first_ns;
	} else if (s->opts->deltatime) {
		t = s->timed ? time - s->previous_ns : 0;
		s->previous_ns = time;
	}
	s->timed = true;
	return t;
}

static char *put_time(char *p, struct script *s, uint64_t time)
{
	uint64_t t = shown_time(s, time), seconds = t / NSEC_PER_SEC, ns = t % NSEC_PER_SEC;
	struct script_seconds *known = &s->seconds;

	if (known->seconds != seconds || !known->n) {
		known->seconds = seconds;
		known->n = (uint32_t)(put_u64(known->text, seconds, 5) - known->text);
		known->text[known->n++] = '.';
	}
	p = put_line(p, known->text, known->n);
	p = s->opts->ns ? put_padded(p, ns, 9, '0') : put_padded(p, ns / 1000, 6, '0');
	return put_text(p, ": ", 2);
}

static char *put_names(char *p, struct script *s, const struct script_event *e,
		       const struct script_start *start)
{
	uint64_t fields = e->fields;

	if (fields & F(COMM))
		p = put_comm(p, script_comm(s, start->comm_pid, start->comm_tid, start->when),
			     s->opts->latency		 ? 8 :
			     fields & F(IP) && e->chains ? 0 :
							   16,
			     s->opts->latency ? 8 : SIZE_MAX);
	return put_ids(p, fields, start->pid, start->tid);
}

static char *put_guest(char *p, uint64_t fields, const struct data_guest *guest)
{
	if (!guest->machine_pid)
		return p;
	if (fields & F(MACHINE_PID)) {
		p = put_text(p, "VM:", 3);
		p = put_i32(p, guest->machine_pid, 5);
		*p++ = ' ';
	}
	if (fields & F(VCPU)) {
		p = put_text(p, "VCPU:", 5);
		p = put_padded(p, guest->vcpu, 3, '0');
		*p++ = ' ';
	}
	return p;
}

/* The same by what the thread's line before began with. */
static char *put_thread(char *p, struct script *s, const struct script_event *e,
			const struct script_start *start)
{
	uint32_t i = (uint32_t)start->tid + 61 * (uint32_t)(e - s->events);
	struct script_thread *t = &s->threads[i % (sizeof(s->threads) / sizeof(*s->threads))];

	if (start->comm_tid != start->tid)
		return put_names(p, s, e, start);
	if (t->event != e || t->tid != start->tid || t->pid != start->pid ||
	    t->from > start->when || t->last < start->when || t->seals != stream_seals(s->stream)) {
		t->event = e;
		t->tid = start->tid;
		t->pid = start->pid;
		t->seals = stream_seals(s->stream);
		stream_comm_span(s->stream, t->tid, start->when, &t->from, &t->last);
		t->n = (uint32_t)(put_names(t->text, s, e, start) - t->text);
	}
	return put_line(p, t->text, t->n);
}

int script_print_start(struct script *s, const struct script_event *e,
		       const struct script_start *start)
{
	uint64_t fields = e->fields;
	char *p = script_room(s, START_BYTES);

	if (!p)
		return -ENOMEM;
	if (fields & (F(MACHINE_PID) | F(VCPU)))
		p = put_guest(p, fields, &start->guest);
	p = put_thread(p, s, e, start);
	if (fields & F(CPU) && s->opts->latency) {
		p = put_u64(p, start->cpu, 3);
		*p++ = ' ';
	} else if (fields & F(CPU)) {
		*p++ = '[';
		p = put_padded(p, start->cpu, 3, '0');
		p = put_text(p, "] ", 2);
	}
	if (fields & F(MISC))
		p = put_misc(p, start->misc, start->type);
	script_wrote(s, p);
	if (fields & F(TOD) && script_print_tod(s, start->time_ns))
		return -ENOMEM;
	if (fields & F(TIME)) {
		p = script_room(s, START_BYTES);
		if (!p)
			return -ENOMEM;
		script_wrote(s, put_time(p, s, start->time_ns));
	}
	return 0;
}

static void sample_start(const struct data_sample *sample, uint64_t when, struct script_start *ret)
{
	*ret = (struct script_start){
		.type = PERF_RECORD_SAMPLE,
		.misc = sample->misc,
		.pid = sample->pid,
		.tid = sample->tid,
		.comm_pid = sample->pid,
		.comm_tid = data_sample_thread(sample),
		.guest = sample->guest,
		.cpu = sample->cpu,
		.time_ns = sample->time_ns,
		.when = when,
	};
}

int script_print_sample_start(struct script *s, const struct script_event *e,
			      const struct data_sample *sample, uint64_t when)
{
	struct script_start start;

	sample_start(sample, when, &start);
	return script_print_start(s, e, &start);
}

/* ---- a sample ---- */

static int print_payload(struct script *s, const struct data_event *ev,
			 const struct data_sample *sample)
{
	if (!s->formats || !sample->raw || ev->type != PERF_TYPE_TRACEPOINT)
		return 0;
	buf_clear(&s->scratch);
	script_lock(s); /* it may look up kernel functions */
	trace_formats_print(s->formats, ev->config, sample->cpu, sample->raw, sample->raw_bytes,
			    &s->scratch);
	script_unlock(s);
	if (s->scratch.err)
		return -ENOMEM;
	text_escape(&s->out, buf_str(&s->scratch));
	return s->out.err;
}

/* " ip symbol (dso)", or the callchain in lines of its own. `source`: with the source line of a single one. */
static int print_address(struct script *s, const struct script_event *e,
			 const struct data_sample *sample, uint64_t when, bool source)
{
	uint32_t frame;
	char *p;
	int ret;

	if (e->chains && sample->present & PERF_SAMPLE_CALLCHAIN)
		return script_print_chain(s, e, sample, when);
	p = script_room(s, 64);
	if (!p)
		return -ENOMEM;
	*p++ = ' ';
	script_wrote(s, put_hex_16(p, sample->ip));
	if (!(e->fields & (F(SYM) | F(DSO) | F(SRCLINE))))
		return 0;
	script_lock(s);
	frame = stream_frame(s->stream, sample, when, sample->ip);
	ret = frame == PTUI_NONE ? -ENOMEM : script_print_place(s, e, frame, source);
	script_unlock(s);
	return ret;
}

/* The period and the name of the event. */
static int print_event(struct script *s, const struct script_event *e, uint64_t period)
{
	char *p = script_room(s, PUT_NUMBER_MAX + e->name_n + PUT_PIECE + 64);

	if (!p)
		return -ENOMEM;
	if (e->fields & F(PERIOD)) {
		p = put_u64(p, period, 10);
		*p++ = ' ';
	}
	if (e->fields & F(EVENT))
		p = put_line(p, s->lines.data + e->name_at, e->name_n);
	if (e->fields & F(FLAGS)) /* only a processor trace has them */
		p = put_fill(p, ' ', 24);
	script_wrote(s, p);
	return 0;
}

int script_print_begin(struct script *s, const struct script_event *e,
		       const struct script_start *start, uint64_t period)
{
	int ret = script_print_start(s, e, start);

	return ret ? ret : print_event(s, e, period);
}

/* Some of these values are addresses. */
static int print_values(struct script *s, const struct script_event *e, const struct data_event *ev,
			const struct data_sample *sample, uint64_t when,
			int (*print)(struct script *s, const struct script_event *e,
				     const struct data_event *ev, const struct data_sample *sample,
				     uint64_t when))
{
	int ret;

	script_lock(s);
	ret = print(s, e, ev, sample, when);
	script_unlock(s);
	return ret;
}

/* The source line of a branch, after its target. */
static int print_branch_source(struct script *s, uint32_t frame)
{
	if (frame == PTUI_NONE)
		return -ENOMEM;
	if (resolver_frames(stream_resolver(s->stream))[frame].dso == PTUI_NONE)
		return 0;
	buf_add_str(&s->out, "\n  ");
	script_add_srcline(s, frame, 0, &s->out);
	return s->out.err;
}

/* "(dso)\t", where the names of calls are in a processor trace. */
static int print_callindent(struct script *s, const struct script_event *e, uint32_t frame)
{
	const struct resolver *r = stream_resolver(s->stream);
	const struct frame *f = frame == PTUI_NONE ? NULL : &resolver_frames(r)[frame];
	const struct dso_info *dso = f && f->dso != PTUI_NONE ? resolver_dso(r, f->dso) : NULL;

	if (!f)
		return -ENOMEM;
	if (!(e->fields & F(DSO)) || e->fields & (F(IP) | F(ADDR)))
		return 0;
	buf_add_char(&s->out, '(');
	text_escape(&s->out, script_dso_name(s, dso));
	buf_add_str(&s->out, ")\t");
	return s->out.err;
}

/* A branch that is a sample: " from => to". */
static int print_branch(struct script *s, const struct script_event *e, const struct data_event *ev,
			const struct data_sample *sample, uint64_t when)
{
	bool chain = e->chains && sample->present & PERF_SAMPLE_CALLCHAIN;
	uint64_t f = e->fields;
	int ret = 0;

	if (f & F(CALLINDENT))
		ret = print_callindent(s, e, stream_frame(s->stream, sample, when, sample->ip));
	if (!ret && f & F(IP))
		ret = print_address(s, e, sample, when, false);
	if (!ret && (f & F(ADDR) || (ev->sample_type & PERF_SAMPLE_ADDR && e->default_fields))) {
		buf_add_str(&s->out, " => ");
		ret = script_print_addr(s, e, ev, sample, when);
	}
	if (!ret && f & F(SRCLINE) && f & F(IP) && !chain)
		ret = print_branch_source(s, stream_frame(s->stream, sample, when, sample->ip));
	if (!ret && f & SCRIPT_INSN)
		ret = script_print_insn(s, f, sample, when);
	if (!ret && f & SCRIPT_BLOCKS)
		ret = script_print_blocks(s, e, ev, sample, when);
	return ret;
}

static int print_fields(struct script *s, const struct script_event *e, const struct data_event *ev,
			const struct data_sample *sample, uint64_t when)
{
	int ret = e->fields & F(TRACE) ? print_payload(s, ev, sample) : 0;

	if (!ret && e->values)
		ret = print_values(s, e, ev, sample, when, script_print_values);
	if (!ret && e->fields & F(IP))
		ret = print_address(s, e, sample, when, true);
	if (!ret && e->values)
		ret = print_values(s, e, ev, sample, when, script_print_last_values);
	return ret;
}

static int print_line(struct script *s, const struct script_event *e, const struct data_event *ev,
		      const struct data_sample *sample, uint64_t when, uint64_t period)
{
	struct script_start here, *start = s->writer ? line_writer_begin(s, e, period) : &here;
	int ret = 0;

	if (!start)
		return -ENOMEM;
	sample_start(sample, when, start);
	if (!s->writer)
		ret = script_print_begin(s, e, start, period);
	if (!ret)
		ret = e->branch_trace ? print_branch(s, e, ev, sample, when) :
					print_fields(s, e, ev, sample, when);
	return ret;
}

int script_print_sample(struct script *s, const struct data_sample *sample, uint64_t when,
			uint32_t event, uint64_t period)
{
	const struct script_event *e = &s->events[event];
	char *p;
	int ret;

	if (!e->fields)
		return 0;
	ret = print_line(s, e, data_event(stream_file(s->stream), event), sample, when, period);
	p = ret ? NULL : script_room(s, 1);
	if (!p)
		return ret ? ret : -ENOMEM;
	*p++ = '\n';
	script_wrote(s, p);
	if (e->fields & F(SRCCODE))
		return script_print_srccode(s, sample, when, sample->ip);
	return e->fields & F(METRIC) ? script_metric_add(s, event, period) : 0;
}
