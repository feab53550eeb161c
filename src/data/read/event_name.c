/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of events that have none in the file: made from the attr, as perf makes them. */
#include <inttypes.h>
#include "base/buf.h"
#include "data/read/event_table.h"

static const char *const hardware[] = {
	"cycles",
	"instructions",
	"cache-references",
	"cache-misses",
	"branches",
	"branch-misses",
	"bus-cycles",
	"stalled-cycles-frontend",
	"stalled-cycles-backend",
	"ref-cycles",
};

static const char *const software[] = {
	"cpu-clock",	    "task-clock",   "page-faults",  "context-switches",
	"cpu-migrations",   "minor-faults", "major-faults", "alignment-faults",
	"emulation-faults", "dummy",	    "bpf-output",   "cgroup-switches",
};

static const char *const cache[] = { "L1-dcache", "L1-icache", "LLC", "dTLB",
				     "iTLB",	  "branch",    "node" };
static const char *const cache_op[] = { "load", "store", "prefetch" };
static const char *const cache_ops[] = { "loads", "stores", "prefetches" };

#define N(table) (sizeof(table) / sizeof(*(table)))

/* "L1-dcache-loads", "L1-dcache-load-misses": plural for the op alone, else with the result. */
static void add_cache(struct buf *out, uint64_t config)
{
	uint64_t type = config & 0xff, op = config >> 8 & 0xff, result = config >> 16 & 0xff;

	if (type >= N(cache))
		buf_add_str(out, "unknown-ext-hardware-cache-type");
	else if (op >= N(cache_op))
		buf_add_str(out, "unknown-ext-hardware-cache-op");
	else if (result == 0)
		buf_addf(out, "%s-%s", cache[type], cache_ops[op]);
	else if (result == 1)
		buf_addf(out, "%s-%s-misses", cache[type], cache_op[op]);
	else
		buf_add_str(out, "unknown-ext-hardware-cache-result");
}

static void add_breakpoint(struct buf *out, uint64_t addr, uint32_t bp_type)
{
	buf_addf(out, "mem:0x%" PRIx64 ":", addr);
	if (bp_type & 1)
		buf_add_char(out, 'r');
	if (bp_type & 2)
		buf_add_char(out, 'w');
	if (bp_type & 4)
		buf_add_char(out, 'x');
}

/*
 * ":k", ":u" and the like for what remains if something is excluded, "p" for each level of
 * precision. G and H are added only if they differ from what these imply.
 */
static void add_modifiers(struct buf *out, const struct data_event *ev)
{
	bool guest_excluded_is_usual = false;
	size_t colon = out->len;

	buf_add_char(out, ':');
	if (ev->exclude_kernel || ev->exclude_user || ev->exclude_hv) {
		if (!ev->exclude_kernel)
			buf_add_char(out, 'k');
		if (!ev->exclude_user)
			buf_add_char(out, 'u');
		if (!ev->exclude_hv)
			buf_add_char(out, 'h');
		guest_excluded_is_usual = true;
	}
	if (ev->precise_ip) {
		buf_add(out, "ppp", ev->precise_ip);
		guest_excluded_is_usual = true;
	}
	if (ev->exclude_host || ev->exclude_guest == guest_excluded_is_usual) {
		if (!ev->exclude_host)
			buf_add_char(out, 'H');
		if (!ev->exclude_guest)
			buf_add_char(out, 'G');
	}
	if (!out->err && out->len == colon + 1)
		out->data[--out->len] = '\0';
}

static void add_name(struct buf *out, const struct data_event *ev, uint64_t bp_addr,
		     uint32_t bp_type)
{
	switch (ev->type) {
	case PERF_TYPE_HARDWARE:
		buf_add_str(out,
			    ev->config < N(hardware) ? hardware[ev->config] : "unknown-hardware");
		break;
	case PERF_TYPE_SOFTWARE:
		buf_add_str(out,
			    ev->config < N(software) ? software[ev->config] : "unknown-software");
		break;
	case PERF_TYPE_HW_CACHE:
		add_cache(out, ev->config);
		break;
	case PERF_TYPE_RAW:
		buf_addf(out, "raw 0x%" PRIx64, ev->config);
		break;
	case PERF_TYPE_BREAKPOINT:
		add_breakpoint(out, bp_addr, bp_type);
		break;
	case PERF_TYPE_TRACEPOINT:
		buf_add_str(out, "unknown tracepoint");
		return;
	default:
		buf_addf(out, "unknown attr type: %" PRIu32, ev->type);
		return;
	}
	add_modifiers(out, ev);
}

const char *event_name_make(struct arena *arena, const struct data_event *ev, uint64_t bp_addr,
			    uint32_t bp_type)
{
	struct buf out = BUF_INIT;
	const char *name = NULL;

	add_name(&out, ev, bp_addr, bp_type);
	if (!out.err)
		name = arena_strdup(arena, buf_str(&out));
	buf_release(&out);
	return name;
}
