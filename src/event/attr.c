/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What `perf record` asks the kernel for, event by event.
 *
 * The rules were found by looking at perf 6.1 (perf evlist -v); the one that is ours: the
 * sideband always has its own dummy event, where perf has one for whole CPUs only and lets
 * the first event carry the records otherwise.
 */
#include "event/attr.h"
#include <errno.h>
#include <stddef.h>
#include <string.h>

#define PRECISE_MAX 3

static bool is_ftrace_function(const struct event *ev)
{
	return ev->kind == EVENT_TRACEPOINT && ev->tp_system && ev->tp_name &&
	       !strcmp(ev->tp_system, "ftrace") && !strcmp(ev->tp_name, "function");
}

/* Records of raw data: each one counts, and where and when it was made. */
static bool is_raw_data(const struct event *ev)
{
	return ev->kind == EVENT_TRACEPOINT ||
	       (ev->attr.type == PERF_TYPE_SOFTWARE && ev->attr.config == PERF_COUNT_SW_BPF_OUTPUT);
}

/* Every hit is a sample as a rule. */
static bool takes_every(const struct event *ev)
{
	return is_raw_data(ev) || ev->sideband || ev->kind == EVENT_BREAKPOINT;
}

/* How often: what the command line says, which tracepoints and our dummy heed only if told. */
static void set_period(struct event *ev, const struct attr_options *opts)
{
	struct perf_event_attr *attr = &ev->attr;
	bool told = opts->freq_given || opts->period_given;

	attr->freq = 0;
	attr->sample_period = opts->period;
	if (takes_every(ev) && !told) {
		attr->sample_period = 1;
	} else if (opts->freq_hz) {
		attr->freq = 1;
		attr->sample_freq = opts->freq_hz;
	}
	if (attr->freq)
		attr->sample_type |= PERF_SAMPLE_PERIOD;
}

static void set_sample_type(struct event *ev, const struct attr_options *opts)
{
	struct perf_event_attr *attr = &ev->attr;

	attr->sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID;
	if (!opts->per_thread)
		attr->sample_type |= PERF_SAMPLE_TIME;
	if (is_raw_data(ev))
		attr->sample_type |= PERF_SAMPLE_RAW | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD;
	if (opts->callchain)
		attr->sample_type |= PERF_SAMPLE_CALLCHAIN;
	if (opts->per_cpu_target)
		attr->sample_type |= PERF_SAMPLE_CPU;
	/* walking a user stack may fault, inside of what traces the fault */
	attr->exclude_callchain_user = is_ftrace_function(ev);
}

/* ---- what the event's own terms say ---- */

/* Registers that a stack can be unwound from. */
#if defined(__x86_64__)
#define USER_REGS 0xff0fffull /* all but the segments that 64 bit code has no use for */
#elif defined(__aarch64__)
#define USER_REGS ((1ull << 33) - 1)
#elif defined(__riscv)
#define USER_REGS ((1ull << 32) - 1)
#elif defined(__powerpc64__)
#define USER_REGS ((1ull << 43) - 1)
#else
#define USER_REGS 0ull
#endif

#define STACK_BYTES 8192 /* of a stack to be unwound, when nobody says how much */

static void clear_callchain(struct perf_event_attr *attr)
{
	attr->sample_type &= ~(uint64_t)(PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER |
					 PERF_SAMPLE_STACK_USER);
	attr->sample_regs_user = 0;
	attr->sample_stack_user = 0;
	attr->exclude_callchain_user = 0;
}

static void set_callchain(struct event *ev)
{
	const struct event_terms *terms = &ev->terms;
	struct perf_event_attr *attr = &ev->attr;
	enum event_callgraph how = terms->given & EVENT_TERM_CALLGRAPH ? terms->callgraph :
									 EVENT_CALLGRAPH_FP;

	/* a stack's size alone changes nothing, as in perf */
	if (!(terms->given & (EVENT_TERM_CALLGRAPH | EVENT_TERM_MAX_STACK)))
		return;
	clear_callchain(attr);
	if (how == EVENT_CALLGRAPH_NONE)
		return;
	attr->sample_type |= PERF_SAMPLE_CALLCHAIN;
	attr->sample_max_stack = terms->max_stack;
	if (how == EVENT_CALLGRAPH_DWARF) {
		attr->sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER |
				     PERF_SAMPLE_ADDR | PERF_SAMPLE_DATA_SRC;
		attr->sample_regs_user |= USER_REGS;
		attr->sample_stack_user = terms->given & EVENT_TERM_STACK_SIZE ?
						  terms->stack_bytes :
						  STACK_BYTES;
		attr->exclude_callchain_user = 1;
	} else if (how == EVENT_CALLGRAPH_LBR) {
		attr->sample_type |= PERF_SAMPLE_BRANCH_STACK;
		attr->branch_sample_type = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_CALL_STACK |
					   PERF_SAMPLE_BRANCH_NO_CYCLES |
					   PERF_SAMPLE_BRANCH_NO_FLAGS |
					   PERF_SAMPLE_BRANCH_HW_INDEX;
	}
}

static void set_bit(struct perf_event_attr *attr, uint64_t bit, bool on)
{
	attr->sample_type = on ? attr->sample_type | bit : attr->sample_type & ~bit;
}

static void apply_terms(struct event *ev)
{
	const struct event_terms *terms = &ev->terms;
	struct perf_event_attr *attr = &ev->attr;

	if (terms->given & EVENT_TERM_PERIOD) {
		attr->freq = 0;
		attr->sample_period = terms->period;
		set_bit(attr, PERF_SAMPLE_PERIOD, false);
	}
	if (terms->given & EVENT_TERM_FREQ) {
		attr->freq = 1;
		attr->sample_freq = terms->freq_hz;
		set_bit(attr, PERF_SAMPLE_PERIOD, true);
	}
	if (terms->given & EVENT_TERM_TIME)
		set_bit(attr, PERF_SAMPLE_TIME, terms->time);
	if (terms->given & EVENT_TERM_BRANCH) {
		set_bit(attr, PERF_SAMPLE_BRANCH_STACK, terms->branch_sample_type != 0);
		attr->branch_sample_type = terms->branch_sample_type;
	}
	if (terms->given & EVENT_TERM_INHERIT)
		attr->inherit = terms->inherit;
	if (terms->given & EVENT_TERM_OVERWRITE)
		attr->write_backward = terms->overwrite;
	set_callchain(ev);
}

/*
 * S: the leader samples, and each sample brings the counts of all. Their order tells whose they
 * are only with ids, and counts of children cannot be in it.
 */
static void set_sample_read(struct event *ev, const struct event *leader, bool has_members)
{
	struct perf_event_attr *attr = &ev->attr;

	if (ev->sample_read) {
		attr->sample_type |= PERF_SAMPLE_READ;
		if (has_members) {
			attr->read_format |= PERF_FORMAT_GROUP;
			attr->inherit = 0;
		}
	}
	if (ev == leader || !leader->sample_read)
		return;
	attr->freq = 0;
	attr->sample_period = 0;
	attr->write_backward = 0;
	attr->sample_type = leader->attr.sample_type;
}

static void set_sideband(struct perf_event_attr *attr, const struct attr_options *opts)
{
	attr->mmap = 1;
	attr->mmap2 = 1;
	attr->comm = 1;
	attr->comm_exec = 1;
	attr->task = 1;
	attr->ksymbol = 1;
	attr->bpf_event = 1;
	attr->build_id = opts->kernel_build_id;
}

static void configure(struct event *ev, bool is_leader, const struct attr_options *opts)
{
	struct perf_event_attr *attr = &ev->attr;

	set_sample_type(ev, opts);
	set_period(ev, opts);
	attr->read_format = PERF_FORMAT_ID;
	if (opts->kernel_lost)
		attr->read_format |= PTUI_FORMAT_LOST;
	if (opts->live)
		attr->read_format |= PERF_FORMAT_TOTAL_TIME_ENABLED |
				     PERF_FORMAT_TOTAL_TIME_RUNNING;
	attr->sample_id_all = 1;
	attr->inherit = opts->inherit;
	if (ev->precise_max)
		attr->precise_ip = PRECISE_MAX;
	apply_terms(ev);
	/* members of a group start with their leader; the sideband is never off */
	attr->disabled = is_leader && !ev->sideband;
	attr->enable_on_exec = attr->disabled && opts->enable_on_exec;
	if (ev->sideband)
		set_sideband(attr, opts);
}

/*
 * Records must tell whose they are: an id, which stands at a fixed place if all samples are
 * made alike, and is put first or last (IDENTIFIER) if they are not.
 */
static void set_ids(struct event_list *list)
{
	uint64_t id = PERF_SAMPLE_ID;

	for (size_t i = 1; i < list->n; i++) {
		if (list->v[i].attr.sample_type != list->v[0].attr.sample_type)
			id = PERF_SAMPLE_IDENTIFIER;
	}
	for (size_t i = 0; i < list->n; i++)
		list->v[i].attr.sample_type |= id;
}

/*
 * A process may ask for its own maps without being allowed to look at the kernel: a dummy
 * next to events of user mode only asks for no more than they do.
 */
static bool all_exclude_kernel(const struct event_list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		if (!list->v[i].attr.exclude_kernel)
			return false;
	}
	return list->n > 0;
}

static int add_sideband(struct event_list *list, const struct attr_options *opts)
{
	bool user_only = !opts->per_cpu_target && all_exclude_kernel(list);
	struct event *ev;

	for (size_t i = 0; i < list->n; i++) {
		if (list->v[i].sideband)
			return 0;
	}
	ev = event_list_add(list, user_only ? "dummy:u" : "dummy:HG");
	if (!ev)
		return -ENOMEM;
	ev->kind = EVENT_SOFTWARE;
	ev->sideband = true;
	ev->attr.type = PERF_TYPE_SOFTWARE;
	ev->attr.config = PERF_COUNT_SW_DUMMY;
	ev->attr.exclude_kernel = user_only;
	ev->attr.exclude_hv = user_only;
	return 0;
}

int event_attrs_configure(struct event_list *list, const struct attr_options *opts)
{
	if (add_sideband(list, opts))
		return -ENOMEM;
	for (size_t i = 0; i < list->n; i++)
		configure(&list->v[i], list->v[i].leader == i, opts);
	for (size_t i = 0; i < list->n; i++) {
		size_t leader = list->v[i].leader;

		/* members stand right behind their leader */
		set_sample_read(&list->v[i], &list->v[leader],
				leader + 1 < list->n && list->v[leader + 1].leader == leader);
	}
	set_ids(list);
	for (size_t i = 0; i < list->n; i++)
		list->v[i].attr.size = attr_size_min(&list->v[i].attr);
	return 0;
}

uint32_t attr_size_min(const struct perf_event_attr *attr)
{
	static const uint32_t sizes[] = {
		PTUI_ATTR_SIZE_VER0, PTUI_ATTR_SIZE_VER1, PTUI_ATTR_SIZE_VER2, PTUI_ATTR_SIZE_VER3,
		PTUI_ATTR_SIZE_VER4, PTUI_ATTR_SIZE_VER5, PTUI_ATTR_SIZE_VER6, PTUI_ATTR_SIZE_VER7,
		PTUI_ATTR_SIZE_VER8, PTUI_ATTR_SIZE_VER9,
	};
	const unsigned char *bytes = (const unsigned char *)attr;
	size_t used = sizeof(*attr), i = 0;

	while (used > PTUI_ATTR_SIZE_VER0 && !bytes[used - 1])
		used--;
	while (sizes[i] < used)
		i++;
	return sizes[i];
}
