/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf_event_attr of each event, as `perf record` sets it.
 *
 * The rules match perf 6.1 (perf evlist -v) with one exception: ptui always adds a dummy event for
 * the sideband. perf does so for whole CPUs only, and otherwise sets the sideband bits on the first
 * event.
 */
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include "event/attr.h"
#include "event/aux.h"
#include "event/regs.h"

#define PRECISE_MAX 3

bool event_is_ftrace_function(const struct event *ev)
{
	return ev->kind == EVENT_TRACEPOINT && ev->tp_system && ev->tp_name &&
	       !strcmp(ev->tp_system, "ftrace") && !strcmp(ev->tp_name, "function");
}

/* Raw-data samples: sample every event, with CPU and time. */
static bool is_raw_data(const struct event *ev)
{
	return ev->kind == EVENT_TRACEPOINT ||
	       (ev->attr.type == PERF_TYPE_SOFTWARE && ev->attr.config == PERF_COUNT_SW_BPF_OUTPUT);
}

/* Events that by default sample every occurrence. */
static bool samples_every(const struct event *ev)
{
	return is_raw_data(ev) || ev->sideband || ev->kind == EVENT_BREAKPOINT;
}

/*
 * Period or frequency from the command line; tracepoints and the dummy event use it only if set
 * explicitly.
 */
static void set_period(struct event *ev, const struct attr_options *opts)
{
	struct perf_event_attr *attr = &ev->attr;
	bool given = opts->freq_given || opts->period_given;

	attr->freq = 0;
	attr->sample_period = opts->period;
	if (samples_every(ev) && !given) {
		attr->sample_period = 1;
	} else if (opts->freq_hz) {
		attr->freq = 1;
		attr->sample_freq = opts->freq_hz;
	}
	if (attr->freq)
		attr->sample_type |= PERF_SAMPLE_PERIOD;
	if (opts->shape.no_samples)
		attr->sample_period = 0;
}

static bool dumps_stack(enum ptui_callgraph how)
{
	return how == PTUI_CALLGRAPH_DWARF || how == PTUI_CALLGRAPH_LIVE;
}

/* A copied stack is data: unwinding also requires data addresses. */
static bool wants_data(const struct ptui_shape *s)
{
	return s->data || dumps_stack(s->callgraph);
}

static bool is_dummy(const struct event *ev)
{
	return ev->attr.type == PERF_TYPE_SOFTWARE && ev->attr.config == PERF_COUNT_SW_DUMMY;
}

/* Bits set by options on every event. */
static uint64_t wanted_sample_type(const struct attr_options *opts)
{
	const struct ptui_shape *s = &opts->shape;
	uint64_t type = 0;

	if (wants_data(s))
		type |= PERF_SAMPLE_ADDR | PERF_SAMPLE_DATA_SRC;
	if (s->phys_data)
		type |= PERF_SAMPLE_PHYS_ADDR;
	if (s->data_page_size)
		type |= PERF_SAMPLE_DATA_PAGE_SIZE;
	if (s->code_page_size)
		type |= PERF_SAMPLE_CODE_PAGE_SIZE;
	if (s->raw_samples)
		type |= PERF_SAMPLE_RAW | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU;
	if (s->weight)
		type |= opts->kernel_weight_struct ? PERF_SAMPLE_WEIGHT_STRUCT : PERF_SAMPLE_WEIGHT;
	if (s->transaction)
		type |= PERF_SAMPLE_TRANSACTION;
	if (s->all_cgroups)
		type |= PERF_SAMPLE_CGROUP;
	if (opts->per_cpu_target || s->sample_cpu)
		type |= PERF_SAMPLE_CPU;
	return type;
}

static void set_sample_type(struct event *ev, const struct attr_options *opts)
{
	const struct ptui_shape *s = &opts->shape;
	struct perf_event_attr *attr = &ev->attr;

	attr->sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | wanted_sample_type(opts);
	if (s->timestamp == PTUI_SAID_YES || is_raw_data(ev) ||
	    (s->timestamp == PTUI_SAID_NOTHING && !opts->per_thread))
		attr->sample_type |= PERF_SAMPLE_TIME;
	if (is_raw_data(ev))
		attr->sample_type |= PERF_SAMPLE_RAW | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD;
	/* an event without samples has no registers and branches */
	attr->sample_regs_intr = is_dummy(ev) ? 0 : s->intr_regs;
	if (attr->sample_regs_intr)
		attr->sample_type |= PERF_SAMPLE_REGS_INTR;
	attr->sample_regs_user = is_dummy(ev) ? 0 : s->user_regs;
	if (attr->sample_regs_user)
		attr->sample_type |= PERF_SAMPLE_REGS_USER;
	attr->branch_sample_type = is_dummy(ev) ? 0 : s->branch_filter;
	if (attr->branch_sample_type)
		attr->sample_type |= PERF_SAMPLE_BRANCH_STACK;
	/* a user stack walk may fault, while the fault is being traced */
	attr->exclude_callchain_user = event_is_ftrace_function(ev);
	attr->exclude_callchain_kernel = 0;
}

/* ---- callchains: the command line, unless the event's terms override it ---- */

#define LBR_CALLS                                                                                 \
	(PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_CALL_STACK | PERF_SAMPLE_BRANCH_NO_CYCLES | \
	 PERF_SAMPLE_BRANCH_NO_FLAGS | PERF_SAMPLE_BRANCH_HW_INDEX)

/* Keep at least the registers that unwinding requires. */
static uint64_t dwarf_regs(const struct ptui_shape *s)
{
	return s->user_regs ? s->user_regs | event_regs_minimal() : event_regs_all();
}

static void set_dwarf(struct event *ev, uint32_t stack_bytes, const struct ptui_shape *s)
{
	struct perf_event_attr *attr = &ev->attr;

	attr->exclude_callchain_user = 1;
	if (event_is_ftrace_function(ev))
		return;
	attr->sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
	attr->sample_regs_user = dwarf_regs(s);
	attr->sample_stack_user = stack_bytes ? stack_bytes : PTUI_STACK_BYTES;
}

/* The call records use the branch stack, so it is one or the other. */
static void set_lbr(struct event *ev, const struct ptui_shape *s)
{
	if (s->branch_filter || ev->attr.exclude_user || is_dummy(ev))
		return;
	ev->attr.sample_type |= PERF_SAMPLE_BRANCH_STACK;
	ev->attr.branch_sample_type = LBR_CALLS;
}

static void set_chain(struct event *ev, enum ptui_callgraph how, uint32_t stack_bytes,
		      const struct ptui_shape *s)
{
	if (how == PTUI_CALLGRAPH_NONE)
		return;
	ev->attr.sample_type |= PERF_SAMPLE_CALLCHAIN;
	if (s->kernel_callchains)
		ev->attr.exclude_callchain_user = 1;
	if (s->user_callchains)
		ev->attr.exclude_callchain_kernel = 1;
	if (dumps_stack(how))
		set_dwarf(ev, stack_bytes, s);
	else if (how == PTUI_CALLGRAPH_LBR)
		set_lbr(ev, s);
}

/* ---- the event's own terms ---- */

/* Removes callchains from the samples. */
static void clear_chain(struct event *ev, const struct ptui_shape *s)
{
	struct perf_event_attr *attr = &ev->attr;

	attr->sample_type &= ~(uint64_t)(PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_STACK_USER);
	if (!s->user_regs)
		attr->sample_type &= ~(uint64_t)PERF_SAMPLE_REGS_USER;
	if (!s->branch_filter)
		attr->sample_type &= ~(uint64_t)PERF_SAMPLE_BRANCH_STACK;
	attr->branch_sample_type = is_dummy(ev) ? 0 : s->branch_filter;
	attr->sample_regs_user = is_dummy(ev) ? 0 : s->user_regs;
	attr->sample_stack_user = 0;
	attr->exclude_callchain_user = 0;
	attr->exclude_callchain_kernel = 0;
}

static void apply_callchain_terms(struct event *ev, const struct ptui_shape *s)
{
	static const enum ptui_callgraph hows[] = {
		[EVENT_CALLGRAPH_NONE] = PTUI_CALLGRAPH_NONE,
		[EVENT_CALLGRAPH_FP] = PTUI_CALLGRAPH_FP,
		[EVENT_CALLGRAPH_DWARF] = PTUI_CALLGRAPH_DWARF,
		[EVENT_CALLGRAPH_LBR] = PTUI_CALLGRAPH_LBR,
	};
	const struct event_terms *terms = &ev->terms;
	enum ptui_callgraph how = terms->given & EVENT_TERM_CALLGRAPH ? hows[terms->callgraph] :
									PTUI_CALLGRAPH_FP;

	/* stack-size alone modifies the command line's callchains */
	if (!(terms->given & (EVENT_TERM_CALLGRAPH | EVENT_TERM_MAX_STACK))) {
		if (terms->given & EVENT_TERM_STACK_SIZE &&
		    ev->attr.sample_type & PERF_SAMPLE_STACK_USER)
			ev->attr.sample_stack_user = terms->stack_bytes;
		return;
	}
	clear_chain(ev, s);
	set_chain(ev, how, terms->given & EVENT_TERM_STACK_SIZE ? terms->stack_bytes : 0, s);
	if (how == PTUI_CALLGRAPH_NONE)
		return;
	ev->attr.sample_max_stack = terms->max_stack;
	if (how == PTUI_CALLGRAPH_DWARF)
		ev->attr.sample_type |= PERF_SAMPLE_ADDR | PERF_SAMPLE_DATA_SRC;
}

static void set_bit(struct perf_event_attr *attr, uint64_t bit, bool on)
{
	attr->sample_type = on ? attr->sample_type | bit : attr->sample_type & ~bit;
}

static void apply_terms(struct event *ev, const struct attr_options *opts)
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
	apply_callchain_terms(ev, &opts->shape);
}

/*
 * :S: the leader samples, and each sample has the counts of the group. The order is only
 * unambiguous with ids, and inherited counts are not supported with it.
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

/* Sideband records. */
static void set_sideband(struct perf_event_attr *attr, const struct attr_options *opts)
{
	const struct ptui_shape *s = &opts->shape;

	attr->mmap = 1;
	attr->mmap2 = 1;
	attr->comm = 1;
	attr->comm_exec = 1;
	attr->task = 1;
	attr->ksymbol = !opts->text_poke; /* then in order with the changes of the code */
	attr->bpf_event = !s->no_bpf_event;
	attr->namespaces = s->namespaces;
	attr->cgroup = s->all_cgroups;
	attr->context_switch = s->switch_events;
	/* perf asks for data maps with copies of the stack; unwinding while recording has no use for them */
	attr->mmap_data = s->data || s->callgraph == PTUI_CALLGRAPH_DWARF;
	attr->build_id = opts->kernel_build_id;
}

static void set_read_format(struct perf_event_attr *attr, const struct attr_options *opts)
{
	attr->read_format = PERF_FORMAT_ID;
	if (opts->kernel_lost)
		attr->read_format |= PTUI_FORMAT_LOST;
	if (opts->live || opts->shape.stat || opts->shape.running_time)
		attr->read_format |= PERF_FORMAT_TOTAL_TIME_ENABLED |
				     PERF_FORMAT_TOTAL_TIME_RUNNING;
	attr->inherit_stat = opts->shape.stat;
}

/* Exclude bits from --all-user and --all-kernel, or from the event's modifiers. */
static void set_levels(struct perf_event_attr *attr, const struct ptui_shape *s)
{
	if (s->all_user) {
		attr->exclude_kernel = 1;
		attr->exclude_user = 0;
	}
	if (s->all_kernel) {
		attr->exclude_kernel = 0;
		attr->exclude_user = 1;
	}
}

static void configure(struct event *ev, bool is_leader, const struct attr_options *opts)
{
	const struct ptui_shape *s = &opts->shape;
	struct perf_event_attr *attr = &ev->attr;

	set_levels(attr, s);
	set_sample_type(ev, opts);
	set_period(ev, opts);
	set_chain(ev, s->callgraph, s->stack_bytes, s);
	set_read_format(attr, opts);
	attr->sample_id_all = 1;
	attr->inherit = opts->inherit;
	attr->use_clockid = s->use_clockid;
	attr->clockid = s->use_clockid ? s->clockid : 0;
	if (ev->precise_max)
		attr->precise_ip = PRECISE_MAX;
	attr->write_backward = s->overwrite && !ev->sideband;
	if (ev->aux) {
		aux_configure(ev, opts->freq_hz ? 0 : opts->period, opts->per_thread);
		attr->aux_watermark = opts->aux_watermark;
	}
	apply_terms(ev, opts);
	if (s->period != PTUI_SAID_NOTHING)
		set_bit(attr, PERF_SAMPLE_PERIOD, s->period == PTUI_SAID_YES);
	/* members of a group start with their leader; the sideband is never off */
	attr->disabled = is_leader && !ev->sideband;
	attr->enable_on_exec = attr->disabled && opts->enable_on_exec;
	if (ev->sideband && !ev->on_all_cpus)
		set_sideband(attr, opts);
}

static bool has_aux(const struct event_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->v[i].aux)
			return true;
	return false;
}

/*
 * Maps and switches are found by their time and CPU, so that AUX data can be decoded. Samples of a group whose
 * leader has an AUX area may contain the end of its data.
 */
static void configure_beside_aux(struct event_list *list, const struct attr_options *opts)
{
	for (size_t i = 0; i < list->n; i++) {
		struct event *ev = &list->v[i];
		bool samples_aux = !ev->aux && ev->leader != i && list->v[ev->leader].aux;

		if (samples_aux && !ev->attr.aux_sample_size && !ev->attr.aux_output)
			ev->attr.aux_sample_size = opts->aux_sample_bytes;
		if (samples_aux && ev->attr.aux_sample_size)
			ev->attr.sample_type |= PERF_SAMPLE_AUX;
		if (!ev->sideband)
			continue;
		ev->attr.context_switch |= opts->aux_switches && !ev->on_all_cpus;
		if (!opts->per_thread)
			ev->attr.sample_type |= PERF_SAMPLE_TIME | PERF_SAMPLE_CPU;
	}
}

/*
 * With -s the first event carries the sideband, as in perf: with several events on a thread, the
 * kernel mixes up their counts in PERF_RECORD_READ. Whole CPUs have no such records.
 */
static bool has_own_sideband(const struct attr_options *opts)
{
	return !opts->shape.stat || opts->per_cpu_target || opts->starts_off ||
	       opts->shape.overwrite;
}

/*
 * Records must identify their event: by an id at a fixed offset if all events have the same
 * sample_type, else by PERF_SAMPLE_IDENTIFIER, which is first or last.
 */
static void set_ids(struct event_list *list, const struct attr_options *opts)
{
	uint64_t id = opts->shape.sample_identifier ? PERF_SAMPLE_IDENTIFIER : PERF_SAMPLE_ID;

	for (size_t i = 1; i < list->n; i++) {
		if (list->v[i].attr.sample_type != list->v[0].attr.sample_type)
			id = PERF_SAMPLE_IDENTIFIER;
	}
	for (size_t i = 0; i < list->n; i++)
		list->v[i].attr.sample_type |= id;
}

/*
 * Unprivileged users may read their own maps but not sample the kernel: so the dummy event excludes
 * the kernel if all events do.
 */
static bool all_exclude_kernel(const struct event_list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		if (!list->v[i].attr.exclude_kernel)
			return false;
	}
	return list->n > 0;
}

static bool unwinds(const struct event *ev)
{
	return ev->terms.given & EVENT_TERM_CALLGRAPH &&
	       ev->terms.callgraph == EVENT_CALLGRAPH_DWARF;
}

static int add_sideband(struct event_list *list, const struct attr_options *opts)
{
	bool user_only = !opts->per_cpu_target && all_exclude_kernel(list);
	struct event *ev;

	for (size_t i = 0; i < list->n; i++) {
		if (list->v[i].sideband && !list->v[i].on_all_cpus)
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

/* As perf's evlist__add_dummy_on_all_cpus(). */
static struct event *add_dummy_on_all_cpus(struct event_list *list)
{
	struct event *ev = event_list_add(list, "dummy:u");

	if (!ev)
		return NULL;
	ev->kind = EVENT_SOFTWARE;
	ev->sideband = true;
	ev->on_all_cpus = true;
	ev->attr.type = PERF_TYPE_SOFTWARE;
	ev->attr.config = PERF_COUNT_SW_DUMMY;
	ev->attr.exclude_kernel = 1;
	ev->attr.exclude_hv = 1;
	ev->attr.exclude_guest = 1;
	return ev;
}

/* Before the sideband of the targets, which stays the last event. */
static int add_of_all_tasks(struct event_list *list, const struct attr_options *opts)
{
	struct event *switches = NULL, *pokes = NULL;

	for (size_t i = 0; i < list->n; i++)
		if (list->v[i].sideband)
			return 0;
	if (opts->aux_switches_of_all) {
		switches = add_dummy_on_all_cpus(list);
		if (!switches)
			return -ENOMEM;
		switches->attr.context_switch = 1;
	}
	if (opts->text_poke) {
		pokes = add_dummy_on_all_cpus(list);
		if (!pokes)
			return -ENOMEM;
		pokes->attr.text_poke = 1;
		pokes->attr.ksymbol = 1;
	}
	return 0;
}

/* All events in one group: the first is the leader and controls enabling. */
static void make_group(struct event_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		list->v[i].leader = list->v[i].sideband ? (uint32_t)i : 0;
}

int event_attrs_configure(struct event_list *list, const struct attr_options *opts)
{
	struct event *carrier;

	if (opts->shape.group)
		make_group(list);
	if (add_of_all_tasks(list, opts) || (has_own_sideband(opts) && add_sideband(list, opts)))
		return -ENOMEM;
	for (size_t i = 0; i < list->n; i++)
		configure(&list->v[i], list->v[i].leader == i, opts);
	carrier = has_own_sideband(opts) ? &list->v[list->n - 1] : &list->v[0];
	if (!carrier->sideband)
		set_sideband(&carrier->attr, opts);
	/* perf sets it on the first event if that carries the sideband */
	if (!opts->per_cpu_target)
		carrier->attr.mmap_data |= unwinds(&list->v[0]);
	for (size_t i = 0; i < list->n; i++) {
		size_t leader = list->v[i].leader;

		/* members follow their leader */
		set_sample_read(&list->v[i], &list->v[leader],
				leader + 1 < list->n && list->v[leader + 1].leader == leader);
	}
	if (has_aux(list))
		configure_beside_aux(list, opts);
	set_ids(list, opts);
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

void event_configure_counting(struct event *ev, bool inherit)
{
	struct perf_event_attr *attr = &ev->attr;

	attr->sample_period = attr->freq = attr->precise_ip = 0;
	attr->sample_type = attr->branch_sample_type = 0;
	attr->read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	attr->enable_on_exec = 0;
	/* until the filter is set: it must not count what the filter leaves out */
	attr->disabled = ev->filter != NULL;
	attr->inherit = inherit;
	ev->precise_max = false;
	attr->size = attr_size_min(attr);
}
