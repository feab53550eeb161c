/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/live/live_unwind.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include "base/perf_abi.h"
#include "data/read/reader.h"
#include "resolve/stack_unwinder.h"
#include "session/builder.h"

#define KEEP_ENDED_NS 5000000000ull /* as in the live view */
#define SPARE_BYTES   ((size_t)8 << 20)

struct live_unwinding {
	struct data_file *file;
	struct data_walk *sideband, *samples;
	struct strpool *names;
	struct machine *machine;
	struct stack_unwinder *unwinder;
	uint32_t max_stack;
	bool timed;	     /* as in struct builder */
	uint64_t seen;	     /* youngest time in all records so far */
	uint64_t sealed;     /* of the machine */
	uint64_t dropped_ns; /* time of the last machine_drop_ended() */
	size_t kept_bytes;   /* after the last compaction */
};

static struct strpool *names_new(void)
{
	struct strpool *names = malloc(sizeof(*names));

	if (names && !strpool_init(names))
		return names;
	free(names);
	return NULL;
}

static void names_free(struct strpool *names)
{
	if (names)
		strpool_release(names);
	free(names);
}

static void unwinding_end(void *unwinding)
{
	struct live_unwinding *u = unwinding;

	if (!u)
		return;
	stack_unwinder_free(u->unwinder);
	machine_free(u->machine);
	names_free(u->names);
	data_walk_free(u->sideband);
	data_walk_free(u->samples);
	data_close(u->file);
	free(u);
}

/* Whether this machine's architecture can be unwound. */
static int check_arch(struct ptui_error *err)
{
	const uint64_t abi = sizeof(void *) == 8 ? PERF_SAMPLE_REGS_ABI_64 :
						   PERF_SAMPLE_REGS_ABI_32;
	struct utsname here;

	if (uname(&here))
		return ptui_error_errno(err, errno, "uname", "uname");
	return unwind_arch_of_uname(here.machine, abi, err) ? 0 : -ENOTSUP;
}

static void *unwinding_begin(void *ctx, uint32_t max_stack, struct ptui_error *err)
{
	struct live_unwinding *u;

	(void)ctx;
	if (check_arch(err))
		return NULL;
	u = calloc(1, sizeof(*u));
	if (u) {
		u->max_stack = max_stack;
		u->file = data_open_feed(NULL);
		u->names = names_new();
	}
	if (u && u->file && u->names) {
		u->sideband = data_walk_new(u->file, NULL);
		u->samples = data_walk_new(u->file, NULL);
		u->machine = machine_new(u->names);
	}
	if (u && u->sideband && u->samples && u->machine) {
		machine_track_ends(u->machine);
		return u;
	}
	unwinding_end(u);
	ptui_error_nomem(err);
	return NULL;
}

static int unwinding_event(void *unwinding, const struct event *ev, const uint64_t *ids,
			   size_t n_ids)
{
	struct live_unwinding *u = unwinding;
	int ret = data_feed_event(u->file, &ev->attr, sizeof(ev->attr), ev->name, ids, n_ids);

	u->timed = builder_is_timed(u->file);
	return ret;
}

/* ---- the machine ---- */

static int make_unwinder(struct live_unwinding *u)
{
	const struct stack_unwinder_opts opts = { .max_stack = u->max_stack };

	u->unwinder = stack_unwinder_new(u->machine, u->names, &opts);
	return u->unwinder ? 0 : -ENOMEM;
}

static size_t table_bytes(const struct live_unwinding *u)
{
	struct machine_load machine;

	machine_load(u->machine, &machine);
	return machine.bytes + stack_unwinder_bytes(u->unwinder);
}

static int compact(struct live_unwinding *u)
{
	size_t n = machine_n_modules(u->machine);
	bool *used = calloc(n + 1, sizeof(*used));
	uint32_t *now = calloc(n + 1, sizeof(*now));
	struct strpool *names = names_new(), *old = u->names;
	struct strpool_move move = { .failed = false };
	int ret = used && now && names ? strpool_move_init(&move, old, names) : -ENOMEM;

	if (!ret)
		ret = machine_compact(u->machine, &move, used, now);
	if (!ret)
		ret = stack_unwinder_compact(u->unwinder, now, names);
	if (names) {
		/* after a failure the machine is not used again, but it still points to names */
		u->names = names;
		names_free(old);
	}
	strpool_move_release(&move);
	free(used);
	free(now);
	u->kept_bytes = ret ? 0 : table_bytes(u);
	return ret;
}

/* Everything up to `when` has arrived. */
static int seal_machine(struct live_unwinding *u, uint64_t when)
{
	int ret = machine_seal_until(u->machine, when);

	u->sealed = when;
	if (!ret && !u->unwinder)
		ret = make_unwinder(u);
	if (ret || !u->timed || when <= u->dropped_ns + KEEP_ENDED_NS)
		return ret;
	u->dropped_ns = when;
	machine_drop_ended(u->machine, when - KEEP_ENDED_NS);
	stack_unwinder_invalidate(u->unwinder);
	return table_bytes(u) > 2 * u->kept_bytes + SPARE_BYTES ? compact(u) : 0;
}

static int unwinding_records(void *unwinding, const void *bytes, size_t n)
{
	struct live_unwinding *u = unwinding;
	uint64_t seen = u->seen;
	struct data_record rec;
	struct data_sample s;
	int ret = 0;

	data_walk_feed(u->sideband, bytes, n);
	while (!ret && data_walk_next(u->sideband, true, &rec, NULL) == 0) {
		uint64_t when = builder_when(u->timed, &rec);

		if (rec.type != PERF_RECORD_SAMPLE)
			ret = machine_add(u->machine, &rec, when);
		else if (u->timed && !data_walk_sample(u->sideband, &rec, &s))
			when = s.time_ns;
		if (when > seen)
			seen = when;
	}
	if (!ret)
		ret = seal_machine(u, u->seen);
	u->seen = seen;
	return ret;
}

static int unwinding_settle(void *unwinding)
{
	struct live_unwinding *u = unwinding;

	return seal_machine(u, u->seen);
}

static uint32_t unwinding_unwind(void *unwinding, const void *sample, uint64_t *addrs, uint32_t max,
				 enum short_sample_end *ret_end)
{
	struct live_unwinding *u = unwinding;
	struct perf_event_header header;
	struct unwound_stack stack;
	struct data_record rec;
	struct data_sample s;

	memcpy(&header, sample, sizeof(header));
	data_walk_feed(u->samples, sample, header.size);
	if (data_walk_next(u->samples, true, &rec, NULL) || data_walk_sample(u->samples, &rec, &s))
		return 0;
	stack_unwinder_unwind(u->unwinder, &s, u->timed ? s.time_ns : u->sealed, &stack);
	if (stack.result.n <= max)
		*ret_end = stack.result.end == UNWIND_DUMP_END	  ? SHORT_SAMPLE_TRUNCATED :
			   stack.result.end == UNWIND_OTHER_STACK ? SHORT_SAMPLE_OTHER_STACK :
								    SHORT_SAMPLE_WHOLE;
	if (stack.result.n < max)
		max = stack.result.n;
	memcpy(addrs, stack.addrs, max * sizeof(*addrs));
	return max;
}

const struct stack_unwinding session_stack_unwinding = {
	.begin = unwinding_begin,
	.end = unwinding_end,
	.event = unwinding_event,
	.records = unwinding_records,
	.settle = unwinding_settle,
	.unwind = unwinding_unwind,
};
