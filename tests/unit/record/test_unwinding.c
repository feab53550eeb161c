/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stacks that are unwound while recording, with a fake kernel and a fake unwinder: the output has
 * the same samples in the same order, in short form and with complete chains. Samples for which
 * there is no time are cut and counted. Nothing is lost or leaked, however the recording ends.
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include "data/read/reader.h"
#include "fake/recording.h"
#include "lib/need.h"
#include "ptui/log.h"
#include "record/recording.h"
#include "record/unwind/unwind_queue.h"
#include "session/user_chain.h"

#define PID	    100
#define STACK_BYTES 512
#define KERNEL_IP   0xffffffff81000000ull
#define CALLER	    0x5000ull /* the caller that the fake unwinder finds */
#define CALLERS	    3

/* ---- a fake unwinder ---- */

struct world {
	struct fake_recording r;
	struct recording_watch watch;
	struct stack_unwinding unwinding;
	char warnings[1024];
	_Atomic bool refuses, fails, blocked, truncates;
	_Atomic uint64_t begun, ended, unwound, records, comms, settled, seen, seen_bytes;
	_Atomic uint64_t early; /* samples that were unwound before their sideband was complete */
};

/* One instance. */
struct made_unwinding {
	struct world *w;
	uint64_t due;	 /* highest ip that may be unwound */
	uint64_t newest; /* highest ip in the records so far */
};

static void *begin(void *ctx, uint32_t max_stack, struct ptui_error *err)
{
	struct world *w = ctx;
	struct made_unwinding *u;

	assert_int_equal(max_stack, 127);
	if (w->refuses) {
		ptui_error_set(err, PTUI_ERROR_INPUT, ENOTSUP, NULL, "made up");
		return NULL;
	}
	w->begun++;
	u = calloc(1, sizeof(*u));
	u->w = w;
	return u;
}

static void end(void *unwinding)
{
	((struct made_unwinding *)unwinding)->w->ended++;
	free(unwinding);
}

static int event(void *unwinding, const struct event *ev, const uint64_t *ids, size_t n_ids)
{
	(void)unwinding;
	assert_true(n_ids > 0 && ids[0]);
	/* as it was opened */
	assert_true(ev->sideband || ev->attr.sample_type & PERF_SAMPLE_STACK_USER);
	return 0;
}

static uint64_t word(const uint8_t *at)
{
	uint64_t ret;

	memcpy(&ret, at, sizeof(ret));
	return ret;
}

static int records(void *unwinding, const void *bytes, size_t n)
{
	struct made_unwinding *u = unwinding;
	struct world *w = u->w;
	struct perf_event_header header;

	u->due = u->newest;
	w->records++;
	for (size_t at = 0; at < n; at += header.size) {
		memcpy(&header, (const uint8_t *)bytes + at, sizeof(header));
		assert_true(header.size >= sizeof(header) && at + header.size <= n);
		w->comms += header.type == PERF_RECORD_COMM;
		/* IDENTIFIER, IP */
		if (header.type == PERF_RECORD_SAMPLE &&
		    word((const uint8_t *)bytes + at + 16) > u->newest)
			u->newest = word((const uint8_t *)bytes + at + 16);
	}
	return w->fails ? -ENOMEM : 0;
}

static int settle(void *unwinding)
{
	struct made_unwinding *u = unwinding;
	struct world *w = u->w;

	u->due = u->newest;
	w->settled++;
	return w->fails ? -ENOMEM : 0;
}

static uint32_t unwind(void *unwinding, const void *sample, uint64_t *addrs, uint32_t max,
		       enum short_sample_end *ret_end)
{
	struct made_unwinding *u = unwinding;
	struct world *w = u->w;
	uint64_t ip = word((const uint8_t *)sample + 16);

	while (w->blocked)
		sched_yield();
	w->early += ip > u->due;
	w->unwound++;
	assert_true(max >= 1);
	*ret_end = w->truncates ? SHORT_SAMPLE_TRUNCATED : SHORT_SAMPLE_WHOLE;
	addrs[0] = ip;
	for (uint32_t i = 1; i < max && i <= CALLERS; i++)
		addrs[i] = CALLER + i;
	return max < CALLERS + 1 ? max : CALLERS + 1;
}

/* ---- the recording ---- */

static void hear(void *ctx, enum ptui_log_level level, const char *room, const char *text)
{
	struct world *w = ctx;
	size_t len = strlen(w->warnings);

	(void)room;
	if (level == PTUI_LOG_WARN)
		snprintf(w->warnings + len, sizeof(w->warnings) - len, "%s\n", text);
}

static int setup(void **state)
{
	struct world *w = calloc(1, sizeof(*w));

	fake_recording_init(&w->r, PID);
	w->r.opts.ring_pages = "64K";
	w->r.opts.buildid = PTUI_BUILDID_NONE;
	w->r.opts.shape.callgraph = PTUI_CALLGRAPH_LIVE;
	w->r.opts.shape.stack_bytes = STACK_BYTES;
	w->unwinding = (struct stack_unwinding){ .ctx = w,
						 .begin = begin,
						 .end = end,
						 .event = event,
						 .records = records,
						 .settle = settle,
						 .unwind = unwind };
	ptui_log_set(hear, w, PTUI_LOG_WARN);
	*state = w;
	return 0;
}

static int teardown(void **state)
{
	struct world *w = *state;

	w->blocked = false;
	ptui_recording_free(w->r.recording);
	assert_int_equal(w->begun, w->ended);
	ptui_log_set(NULL, NULL, PTUI_LOG_WARN);
	fake_kernel_release(&w->r.kernel);
	free(w);
	return 0;
}

static int on_event(void *ctx, const struct event *ev, const uint64_t *ids, size_t n_ids)
{
	(void)ctx;
	(void)ids;
	(void)n_ids;
	/* as it is in the output */
	assert_false(ev->attr.sample_type & PERF_SAMPLE_STACK_USER);
	return 0;
}

static void on_begins(void *ctx)
{
	(void)ctx;
}

static void on_written(void *ctx, const struct iovec *iov, int n)
{
	struct world *w = ctx;
	struct perf_event_header header;

	for (int i = 0; i < n; i++) {
		for (size_t at = 0; at < iov[i].iov_len; at += header.size) {
			memcpy(&header, (const uint8_t *)iov[i].iov_base + at, sizeof(header));
			w->seen += header.type == PERF_RECORD_SAMPLE;
			if (header.type == PERF_RECORD_SAMPLE)
				w->seen_bytes += header.size;
		}
	}
}

static void start(struct world *w)
{
	fake_recording_new(&w->r);
	recording_set_unwinding(w->r.recording, &w->unwinding);
	if (w->watch.ctx)
		recording_set_watch(w->r.recording, &w->watch);
	fake_recording_start(&w->r);
}

/* ---- samples ---- */

struct body {
	uint8_t bytes[4096];
	size_t n;
};

static void put(struct body *b, uint64_t value)
{
	memcpy(b->bytes + b->n, &value, sizeof(value));
	b->n += sizeof(value);
}

static void make_sample(struct body *b, const struct perf_event_attr *attr, uint64_t id,
			uint64_t ip, uint64_t abi)
{
	uint64_t type = attr->sample_type;

	b->n = 0;
	assert_true(type & PERF_SAMPLE_IDENTIFIER);
	put(b, id);
	put(b, ip);
	put(b, PID | (uint64_t)PID << 32);
	put(b, 1000 + ip);
	if (type & PERF_SAMPLE_ADDR)
		put(b, 0xadd);
	if (type & PERF_SAMPLE_CPU)
		put(b, 1);
	if (type & PERF_SAMPLE_PERIOD)
		put(b, 1000 + ip);
	put(b, 2); /* the kernel's part of the chain */
	put(b, (uint64_t)PERF_CONTEXT_KERNEL);
	put(b, KERNEL_IP);
	put(b, abi);
	for (int i = 0; abi && i < __builtin_popcountll(attr->sample_regs_user); i++)
		put(b, (uint64_t)i);
	put(b, abi ? attr->sample_stack_user : 0);
	if (abi) {
		memset(b->bytes + b->n, 0x5a, attr->sample_stack_user);
		b->n += attr->sample_stack_user;
		put(b, attr->sample_stack_user / 2);
	}
	if (type & PERF_SAMPLE_DATA_SRC)
		put(b, 0xda7a);
}

/* Blocks until the ring has room. */
static void emit_mode(struct world *w, int cpu, uint64_t ip, uint64_t abi, uint16_t misc)
{
	const struct fake_fd *f = fake_recording_counter(&w->r, cpu);
	time_t until = time(NULL) + 30;
	struct body b;

	make_sample(&b, &f->attr, f->id, ip, abi);
	while (!fake_emit(&w->r.kernel, cpu, PERF_RECORD_SAMPLE, misc, b.bytes, b.n)) {
		assert_true(time(NULL) < until);
		sched_yield();
	}
}

static void emit(struct world *w, int cpu, uint64_t ip)
{
	emit_mode(w, cpu, ip, PERF_SAMPLE_REGS_ABI_64, PERF_RECORD_MISC_USER);
}

static void emit_comm(struct world *w)
{
	struct {
		uint32_t pid, tid;
		char name[16];
		uint64_t tid_both, time_ns, id;
	} comm = { PID,
		   PID,
		   "other",
		   PID | (uint64_t)PID << 32,
		   5000,
		   fake_find(&w->r.kernel, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY, PID, 0)->id };

	assert_true(fake_emit(&w->r.kernel, 0, PERF_RECORD_COMM, 0, &comm, sizeof(comm)));
}

static void await_drained(struct world *w)
{
	time_t until = time(NULL) + 30;

	while (!fake_is_drained(&w->r.kernel, 0) || !fake_is_drained(&w->r.kernel, 1)) {
		assert_true(time(NULL) < until);
		sched_yield();
	}
}

/* ---- reading back ---- */

struct content {
	uint64_t samples, whole, cut, truncated, no_user, disorder, rounds, comms, wrong, max_bytes;
	bool round_last;
	struct perf_event_attr attr;
};

/* How the reader interprets the marks. */
static unsigned read_how(const struct data_event *e, const struct data_sample *s)
{
	struct user_chains chains = { .unwinder = NULL };
	struct chain_user user;
	uint8_t how;

	assert_int_equal(user_chain_get(&chains, e, s, 0, &user, &how), 0);
	return how;
}

static void check_sample(const struct data_event *e, const struct data_sample *s, struct content *c)
{
	const uint64_t user = (uint64_t)PERF_CONTEXT_USER;
	const uint64_t *rest = s->chain + 2;
	uint32_t n = s->n_chain - 2;
	unsigned how = read_how(e, s), expected = STACK_RECORDED;

	c->wrong += s->n_chain < 2 || s->chain[0] != (uint64_t)PERF_CONTEXT_KERNEL ||
		    s->chain[1] != KERNEL_IP || s->period != 1000 + s->ip || s->addr ||
		    s->data_src || s->stack_user || s->regs_user || s->pid != PID;
	if (!n)
		c->no_user++;
	else if (n == 2 + CALLERS && rest[0] == user && rest[1] == s->ip &&
		 rest[1 + CALLERS] == CALLER + CALLERS)
		c->whole++;
	else if (n == 3 + CALLERS && rest[n - 1] == user && rest[n - 2] == CALLER + CALLERS)
		expected = STACK_TRUNCATED;
	else if (rest[0] == user && rest[n - 1] == user && (n == 2 || (n == 3 && rest[1] == s->ip)))
		expected = STACK_LATE;
	else
		c->wrong++;
	c->truncated += expected == STACK_TRUNCATED;
	c->cut += expected == STACK_LATE;
	c->wrong += how != expected;
}

static void read_file(const char *path, struct content *c)
{
	uint64_t next[2] = { 0, 0 };
	struct data_record rec;
	struct data_sample s;
	struct data_walk *walk;
	struct data_file *f;
	int ret;

	f = data_open(path, NULL, &ret);
	assert_non_null(f);
	/* that the chains were unwound, and from how much; there are no copies in the samples */
	assert_int_equal(data_event(f, 0)->stack_user_bytes, STACK_BYTES);
	assert_false(data_event(f, 0)->sample_type & PERF_SAMPLE_STACK_USER);
	assert_int_equal(data_event(f, 0)->exclude_callchain_user, 0);
	walk = data_walk_new(f, NULL);
	while ((ret = data_walk_next(walk, true, &rec, NULL)) == 0) {
		c->round_last = rec.type == PTUI_RECORD_FINISHED_ROUND;
		c->rounds += c->round_last;
		c->comms += rec.type == PERF_RECORD_COMM && !strcmp(rec.comm.name, "other");
		if (rec.type != PERF_RECORD_SAMPLE)
			continue;
		assert_int_equal(data_walk_sample(walk, &rec, &s), 0);
		c->samples++;
		if (rec.bytes > c->max_bytes)
			c->max_bytes = rec.bytes;
		c->disorder += s.ip <= next[s.ip & 1];
		next[s.ip & 1] = s.ip;
		check_sample(data_event(f, 0), &s, c);
	}
	assert_int_equal(ret, 1);
	data_walk_free(walk);
	data_close(f);
}

static void read_back(struct world *w, struct content *c)
{
	memset(c, 0, sizeof(*c));
	read_file(w->r.output, c);
}

/* ---- the queue alone ---- */

static void samples_wait_for_the_sideband_of_the_next_pass(void **state)
{
	struct world *w = *state;
	struct short_samples shorts;
	struct event_list events;
	struct counter v[1] = { { .id = 7 } };
	struct counters c = { .events = &events, .v = v, .n = 1 };
	struct unwind_queue *q;
	struct unwind_pass *pass;
	struct perf_event_header header = { PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, 0 };
	struct pollfd fd = { .events = POLLIN };
	struct iovec iov[2];
	struct body b;

	event_list_init(&events);
	event_list_add(&events, "cpu-clock");
	events.v[0].attr.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
				       PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN |
				       PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
	events.v[0].attr.sample_regs_user = 0xff;
	events.v[0].attr.sample_stack_user = STACK_BYTES;
	short_samples_init(&shorts, false, false, false);
	q = unwind_queue_new(&w->unwinding, &shorts, 127, 0, NULL);
	assert_non_null(q);
	assert_int_equal(unwind_queue_open(q, &c), 0);
	fd.fd = q->fd;
	for (uint64_t ip = 1; ip <= 3; ip++) {
		make_sample(&b, &events.v[0].attr, 7, ip, PERF_SAMPLE_REGS_ABI_64);
		header.size = (uint16_t)(sizeof(header) + b.n);
		iov[0] = (struct iovec){ &header, sizeof(header) };
		iov[1] = (struct iovec){ b.bytes, b.n };
		pass = unwind_pass_new(header.size, 1);
		unwind_pass_add(pass, iov, 2);
		unwind_queue_push(q, pass);
		if (ip == 1) {
			/* the records are known, and the sample waits */
			while (!w->records)
				sched_yield();
			assert_null(unwind_queue_take(q));
			continue;
		}
		assert_int_equal(poll(&fd, 1, 30000), 1);
		pass = unwind_queue_take(q);
		assert_int_equal(pass->seq, ip - 1);
		unwind_pass_free(pass);
		assert_null(unwind_queue_take(q));
	}
	assert_true(unwind_queue_is_busy(q));
	assert_int_equal(w->settled, 0);
	unwind_queue_idle(q);
	assert_int_equal(poll(&fd, 1, 30000), 1);
	pass = unwind_queue_take(q);
	assert_int_equal(pass->seq, 3);
	unwind_pass_free(pass);
	assert_false(unwind_queue_is_busy(q));
	assert_int_equal(w->settled, 1);
	assert_int_equal(w->unwound, 3);
	assert_int_equal(w->early, 0);
	unwind_queue_free(q);
	event_list_release(&events);
}

/* ---- recordings ---- */

static void samples_get_whole_chains(void **state)
{
	struct world *w = *state;
	struct ptui_record_stats stats;
	struct content c;

	start(w);
	assert_true(fake_recording_counter(&w->r, 0)->attr.sample_type & PERF_SAMPLE_STACK_USER);
	assert_int_equal(fake_recording_counter(&w->r, 0)->attr.sample_stack_user, STACK_BYTES);
	assert_true(fake_recording_counter(&w->r, 0)->attr.exclude_callchain_user);
	for (uint64_t i = 1; i <= 1000; i++)
		emit(w, i & 1, i);
	emit_comm(w);
	fake_recording_stop(&w->r);
	ptui_recording_get_stats(w->r.recording, &stats);
	assert_int_equal(stats.samples, 1000);
	assert_true(stats.unwinds);
	assert_int_equal(stats.not_unwound, 0);
	assert_int_equal(w->unwound, 1000);
	assert_int_equal(w->early, 0);
	/* of the process that existed before, and of this one */
	assert_int_equal(w->comms, 2);
	read_back(w, &c);
	assert_int_equal(c.samples, 1000);
	assert_int_equal(c.whole, 1000);
	assert_int_equal(c.wrong, 0);
	assert_int_equal(c.disorder, 0);
	assert_int_equal(c.comms, 1);
	assert_int_equal(c.rounds, stats.wakeups);
	assert_true(c.round_last);
	/* header, 5 fields, and the chain: n, 2 of the kernel, the marker, 4 addresses */
	assert_int_equal(c.max_bytes, 8 + 5 * 8 + 8 + 2 * 8 + 8 + (1 + CALLERS) * 8);
	assert_string_equal(w->warnings, "");
}

static void samples_of_kernel_threads_have_no_user_part(void **state)
{
	struct world *w = *state;
	struct content c;

	start(w);
	emit_mode(w, 0, 2, PERF_SAMPLE_REGS_ABI_NONE, PERF_RECORD_MISC_KERNEL);
	emit_mode(w, 0, 4, PERF_SAMPLE_REGS_ABI_64, PERF_RECORD_MISC_KERNEL);
	fake_recording_stop(&w->r);
	read_back(w, &c);
	assert_int_equal(c.samples, 2);
	assert_int_equal(c.no_user, 1);
	assert_int_equal(c.whole, 1);
	assert_int_equal(c.wrong, 0);
	assert_int_equal(w->unwound, 1);
}

/* The thread is blocked: the recorder continues, and only the chains are lost. */
static void what_there_is_no_time_for_is_cut_and_counted(void **state)
{
	struct world *w = *state;
	const uint64_t n = 3000;
	struct ptui_record_stats stats;
	struct content c;

	w->blocked = true;
	w->r.opts.unwind_queue_bytes = 1;
	start(w);
	for (uint64_t i = 1; i <= n; i++)
		emit(w, i & 1, i);
	await_drained(w);
	ptui_recording_get_stats(w->r.recording, &stats);
	assert_true(stats.not_unwound > 0);
	w->blocked = false;
	fake_recording_stop(&w->r);
	ptui_recording_get_stats(w->r.recording, &stats);
	assert_int_equal(stats.samples, n);
	assert_int_equal(stats.lost, 0);
	read_back(w, &c);
	assert_int_equal(c.samples, n);
	assert_int_equal(c.wrong, 0);
	assert_int_equal(c.disorder, 0);
	assert_true(c.cut > 0 && c.whole > 0);
	assert_int_equal(c.cut + c.whole, n);
	assert_int_equal(c.cut, stats.not_unwound);
	assert_int_equal(c.whole, w->unwound);
}

static void stacks_deeper_than_their_copy_are_marked(void **state)
{
	struct world *w = *state;
	struct content c;

	w->truncates = true;
	start(w);
	emit(w, 0, 2);
	fake_recording_stop(&w->r);
	read_back(w, &c);
	assert_int_equal(c.truncated, 1);
	assert_int_equal(c.wrong, 0);
}

static void a_failing_unwinder_ends_no_recording(void **state)
{
	struct world *w = *state;
	struct ptui_record_stats stats;
	struct content c;

	w->fails = true;
	start(w);
	for (uint64_t i = 1; i <= 19; i++)
		emit(w, 0, i);
	emit_mode(w, 0, 20, PERF_SAMPLE_REGS_ABI_64, PERF_RECORD_MISC_KERNEL);
	fake_recording_stop(&w->r);
	ptui_recording_get_stats(w->r.recording, &stats);
	read_back(w, &c);
	assert_int_equal(c.samples, 20);
	assert_int_equal(c.cut, 20);
	assert_int_equal(stats.not_unwound, 20);
	assert_int_equal(w->unwound, 0);
}

static bool is_enabled(struct world *w)
{
	const struct fake_fd *f = fake_recording_counter(&w->r, 0);
	bool enabled;

	pthread_mutex_lock(&w->r.kernel.lock);
	enabled = f->enabled;
	pthread_mutex_unlock(&w->r.kernel.lock);
	return enabled;
}

static void the_end_waits_for_what_is_queued(void **state)
{
	struct world *w = *state;
	struct content c;
	time_t until = time(NULL) + 30;

	w->blocked = true;
	start(w);
	for (uint64_t i = 1; i <= 10; i++)
		emit(w, 0, i);
	await_drained(w);
	ptui_recording_stop(w->r.recording);
	/* the end has begun only when the counters are off */
	while (is_enabled(w)) {
		assert_true(time(NULL) < until);
		sched_yield();
	}
	w->blocked = false;
	assert_int_equal(ptui_recording_join(w->r.recording, NULL), 0);
	read_back(w, &c);
	assert_int_equal(c.samples, 10);
	assert_int_equal(c.whole, 10);
}

static void what_is_live_is_unwound(void **state)
{
	struct world *w = *state;

	w->watch = (struct recording_watch){
		.ctx = w, .event = on_event, .begins = on_begins, .written = on_written
	};
	start(w);
	for (uint64_t i = 1; i <= 10; i++)
		emit(w, 0, i);
	fake_recording_stop(&w->r);
	assert_int_equal(w->seen, 10);
	assert_true(w->seen_bytes / 10 < STACK_BYTES);
}

static void memory_holds_the_short_form(void **state)
{
	struct world *w = *state;
	struct ptui_record_stats stats;
	struct content c;

	w->r.opts.out.memory_bytes = 128 << 10;
	start(w);
	/* five times the dumps that fit, and at most half of their short forms */
	for (uint64_t i = 1; i <= 500; i++)
		emit(w, i & 1, i);
	fake_recording_stop(&w->r);
	ptui_recording_get_stats(w->r.recording, &stats);
	assert_int_equal(stats.forgotten_samples, 0);
	read_back(w, &c);
	assert_int_equal(c.samples, 500);
	assert_int_equal(c.whole, 500);
	assert_int_equal(c.disorder, 0);
}

static void overwritten_rings_are_unwound_when_they_are_read(void **state)
{
	struct world *w = *state;
	const struct fake_fd *f;
	struct content c = { .samples = 0 };
	struct body b;

	w->r.opts.shape.overwrite = true;
	start(w);
	f = fake_recording_counter(&w->r, 0);
	for (uint64_t i = 1; i <= 10; i++) {
		make_sample(&b, &f->attr, f->id, i, PERF_SAMPLE_REGS_ABI_64);
		fake_emit_back(&w->r.kernel, 0, b.bytes, b.n);
	}
	assert_int_equal(w->unwound, 0);
	fake_recording_stop(&w->r);
	read_back(w, &c);
	assert_int_equal(c.samples, 10);
	assert_int_equal(c.whole, 10);
	assert_int_equal(c.wrong, 0);
	assert_int_equal(w->unwound, 10);
	/* one for the recording, one for the snapshot, with the base records */
	assert_int_equal(w->begun, 2);
}

static void switched_files_have_each_sample_once(void **state)
{
	struct world *w = *state;
	struct ptui_snapshot taken;
	struct content c = { .samples = 0 };
	time_t until = time(NULL) + 30;

	w->r.opts.out.change.on = true;
	start(w);
	for (uint64_t i = 1; i <= 10; i++)
		emit(w, 0, i);
	ptui_recording_snapshot(w->r.recording, PTUI_SNAPSHOT_ASKED);
	while (!ptui_recording_get_snapshot(w->r.recording, 0, &taken)) {
		assert_true(time(NULL) < until);
		sched_yield();
	}
	/* samples that were in the rings are in the file that was closed, unwound */
	assert_int_equal(taken.samples, 10);
	read_file(taken.path, &c);
	assert_int_equal(c.samples, 10);
	assert_int_equal(c.whole, 10);
	fake_recording_stop(&w->r);
}

static void without_an_unwinder_frame_pointers_are_used(void **state)
{
	struct world *w = *state;

	w->refuses = true;
	start(w);
	assert_non_null(strstr(w->warnings, "frame pointers: made up"));
	assert_true(fake_recording_counter(&w->r, 0)->attr.sample_type & PERF_SAMPLE_CALLCHAIN);
	assert_false(fake_recording_counter(&w->r, 0)->attr.sample_type &
		     (PERF_SAMPLE_STACK_USER | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_ADDR));
	assert_false(fake_recording_counter(&w->r, 0)->attr.exclude_callchain_user);
	fake_recording_stop(&w->r);
	assert_int_equal(w->begun, 0);
}

static void max_stack_counts_kernel_frames_too(void **state)
{
	static const char *const few[] = {
		"cpu-clock/call-graph=dwarf,stack-size=512,max-stack=3/"
	};
	struct world *w = *state;
	struct data_record rec;
	struct data_sample s;
	struct data_walk *walk;
	struct data_file *f;
	int ret;

	w->r.opts.events = few;
	start(w);
	assert_int_equal(fake_recording_counter(&w->r, 0)->attr.sample_max_stack, 3);
	emit(w, 0, 2);
	fake_recording_stop(&w->r);
	f = data_open(w->r.output, NULL, &ret);
	walk = data_walk_new(f, NULL);
	while (data_walk_next(walk, true, &rec, NULL) == 0 && rec.type != PERF_RECORD_SAMPLE)
		;
	assert_int_equal(data_walk_sample(walk, &rec, &s), 0);
	/* two markers, one frame of the kernel, two of the user */
	assert_int_equal(s.n_chain, 5);
	data_walk_free(walk);
	data_close(f);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(samples_wait_for_the_sideband_of_the_next_pass),
		TEST(samples_get_whole_chains),
		TEST(samples_of_kernel_threads_have_no_user_part),
		TEST(what_there_is_no_time_for_is_cut_and_counted),
		TEST(stacks_deeper_than_their_copy_are_marked),
		TEST(a_failing_unwinder_ends_no_recording),
		TEST(the_end_waits_for_what_is_queued),
		TEST(what_is_live_is_unwound),
		TEST(memory_holds_the_short_form),
		TEST(overwritten_rings_are_unwound_when_they_are_read),
		TEST(switched_files_have_each_sample_once),
		TEST(without_an_unwinder_frame_pointers_are_used),
		TEST(max_stack_counts_kernel_frames_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
