/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "event/attr_text.h"

#include <string.h>

struct bit {
	uint64_t bit;
	const char *name;
};

static const struct bit sample_bits[] = {
	{ PERF_SAMPLE_IP, "IP" },
	{ PERF_SAMPLE_TID, "TID" },
	{ PERF_SAMPLE_TIME, "TIME" },
	{ PERF_SAMPLE_ADDR, "ADDR" },
	{ PERF_SAMPLE_READ, "READ" },
	{ PERF_SAMPLE_CALLCHAIN, "CALLCHAIN" },
	{ PERF_SAMPLE_ID, "ID" },
	{ PERF_SAMPLE_CPU, "CPU" },
	{ PERF_SAMPLE_PERIOD, "PERIOD" },
	{ PERF_SAMPLE_STREAM_ID, "STREAM_ID" },
	{ PERF_SAMPLE_RAW, "RAW" },
	{ PERF_SAMPLE_BRANCH_STACK, "BRANCH_STACK" },
	{ PERF_SAMPLE_REGS_USER, "REGS_USER" },
	{ PERF_SAMPLE_STACK_USER, "STACK_USER" },
	{ PERF_SAMPLE_IDENTIFIER, "IDENTIFIER" },
	{ PERF_SAMPLE_REGS_INTR, "REGS_INTR" },
	{ PERF_SAMPLE_DATA_SRC, "DATA_SRC" },
	{ PERF_SAMPLE_WEIGHT, "WEIGHT" },
	{ PERF_SAMPLE_PHYS_ADDR, "PHYS_ADDR" },
	{ PERF_SAMPLE_TRANSACTION, "TRANSACTION" },
	{ PERF_SAMPLE_AUX, "AUX" },
	{ PERF_SAMPLE_CGROUP, "CGROUP" },
	{ PERF_SAMPLE_DATA_PAGE_SIZE, "DATA_PAGE_SIZE" },
	{ PERF_SAMPLE_CODE_PAGE_SIZE, "CODE_PAGE_SIZE" },
	{ PERF_SAMPLE_WEIGHT_STRUCT, "WEIGHT_STRUCT" },
	{ 0, NULL },
};

static const struct bit read_bits[] = {
	{ PERF_FORMAT_TOTAL_TIME_ENABLED, "TOTAL_TIME_ENABLED" },
	{ PERF_FORMAT_TOTAL_TIME_RUNNING, "TOTAL_TIME_RUNNING" },
	{ PERF_FORMAT_ID, "ID" },
	{ PERF_FORMAT_GROUP, "GROUP" },
	{ PTUI_FORMAT_LOST, "LOST" },
	{ 0, NULL },
};

static const struct bit branch_bits[] = {
	{ PERF_SAMPLE_BRANCH_USER, "USER" },
	{ PERF_SAMPLE_BRANCH_KERNEL, "KERNEL" },
	{ PERF_SAMPLE_BRANCH_HV, "HV" },
	{ PERF_SAMPLE_BRANCH_ANY, "ANY" },
	{ PERF_SAMPLE_BRANCH_ANY_CALL, "ANY_CALL" },
	{ PERF_SAMPLE_BRANCH_ANY_RETURN, "ANY_RETURN" },
	{ PERF_SAMPLE_BRANCH_IND_CALL, "IND_CALL" },
	{ PERF_SAMPLE_BRANCH_ABORT_TX, "ABORT_TX" },
	{ PERF_SAMPLE_BRANCH_IN_TX, "IN_TX" },
	{ PERF_SAMPLE_BRANCH_NO_TX, "NO_TX" },
	{ PERF_SAMPLE_BRANCH_COND, "COND" },
	{ PERF_SAMPLE_BRANCH_CALL_STACK, "CALL_STACK" },
	{ PERF_SAMPLE_BRANCH_IND_JUMP, "IND_JUMP" },
	{ PERF_SAMPLE_BRANCH_CALL, "CALL" },
	{ PERF_SAMPLE_BRANCH_NO_FLAGS, "NO_FLAGS" },
	{ PERF_SAMPLE_BRANCH_NO_CYCLES, "NO_CYCLES" },
	{ PERF_SAMPLE_BRANCH_TYPE_SAVE, "TYPE_SAVE" },
	{ PERF_SAMPLE_BRANCH_HW_INDEX, "HW_INDEX" },
	{ 0, NULL },
};

static void add_bits(struct buf *out, const char *field, const char *equals, uint64_t value,
		     const struct bit *bits)
{
	const char *bar = "";

	if (!value)
		return;
	buf_addf(out, ", %s%s", field, equals);
	for (; bits->name; bits++) {
		if (!(value & bits->bit))
			continue;
		buf_addf(out, "%s%s", bar, bits->name);
		bar = "|";
		value &= ~bits->bit;
	}
	if (value)
		buf_addf(out, "%s%#llx", bar, (unsigned long long)value);
}

static void add_flags(struct buf *out, const struct perf_event_attr *a, const char *equals)
{
	const struct {
		const char *name;
		unsigned int value;
	} flags[] = {
		{ "disabled", a->disabled },
		{ "inherit", a->inherit },
		{ "pinned", a->pinned },
		{ "exclusive", a->exclusive },
		{ "exclude_user", a->exclude_user },
		{ "exclude_kernel", a->exclude_kernel },
		{ "exclude_hv", a->exclude_hv },
		{ "exclude_idle", a->exclude_idle },
		{ "mmap", a->mmap },
		{ "comm", a->comm },
		{ "freq", a->freq },
		{ "inherit_stat", a->inherit_stat },
		{ "enable_on_exec", a->enable_on_exec },
		{ "task", a->task },
		{ "watermark", a->watermark },
		{ "precise_ip", a->precise_ip },
		{ "mmap_data", a->mmap_data },
		{ "sample_id_all", a->sample_id_all },
		{ "exclude_host", a->exclude_host },
		{ "exclude_guest", a->exclude_guest },
		{ "exclude_callchain_kernel", a->exclude_callchain_kernel },
		{ "exclude_callchain_user", a->exclude_callchain_user },
		{ "mmap2", a->mmap2 },
		{ "comm_exec", a->comm_exec },
		{ "use_clockid", a->use_clockid },
		{ "context_switch", a->context_switch },
		{ "write_backward", a->write_backward },
		{ "namespaces", a->namespaces },
		{ "ksymbol", a->ksymbol },
		{ "bpf_event", a->bpf_event },
		{ "aux_output", a->aux_output },
		{ "cgroup", a->cgroup },
		{ "text_poke", a->text_poke },
		{ "build_id", a->build_id },
		{ "inherit_thread", a->inherit_thread },
		{ "remove_on_exec", a->remove_on_exec },
		{ "sigtrap", a->sigtrap },
		{ "defer_callchain", a->defer_callchain },
		{ "defer_output", a->defer_output },
		{ "{ wakeup_events, wakeup_watermark }", a->wakeup_events },
		{ "bp_type", a->bp_type },
	};

	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		if (flags[i].value)
			buf_addf(out, ", %s%s%u", flags[i].name, equals, flags[i].value);
}

/* The fields after branch_sample_type. */
static void add_numbers(struct buf *out, const struct perf_event_attr *a, const char *equals)
{
	const struct {
		const char *name;
		uint64_t value;
		bool decimal;
	} fields[] = {
		{ "{ bp_addr, config1 }", a->config1, false },
		{ "{ bp_len, config2 }", a->config2, false },
		{ "sample_regs_user", a->sample_regs_user, false },
		{ "sample_stack_user", a->sample_stack_user, true },
		{ "clockid", (uint64_t)a->clockid, true },
		{ "sample_regs_intr", a->sample_regs_intr, false },
		{ "aux_watermark", a->aux_watermark, true },
		{ "sample_max_stack", a->sample_max_stack, true },
		{ "aux_sample_size", a->aux_sample_size, true },
		{ "sig_data", a->sig_data, false },
	};

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		if (fields[i].value)
			buf_addf(out, fields[i].decimal ? ", %s%s%llu" : ", %s%s%#llx",
				 fields[i].name, equals, (unsigned long long)fields[i].value);
}

void attr_text_fields(struct buf *out, const struct perf_event_attr *a, const char *equals)
{
	if (a->type)
		buf_addf(out, ", type%s%u", equals, a->type);
	buf_addf(out, ", size%s%u", equals, a->size);
	if (a->config)
		buf_addf(out, ", config%s%#llx", equals, (unsigned long long)a->config);
	if (a->sample_period)
		buf_addf(out, ", { sample_period, sample_freq }%s%llu", equals,
			 (unsigned long long)a->sample_period);
	add_bits(out, "sample_type", equals, a->sample_type, sample_bits);
	add_bits(out, "read_format", equals, a->read_format, read_bits);
	add_flags(out, a, equals);
	add_bits(out, "branch_sample_type", equals, a->branch_sample_type, branch_bits);
	add_numbers(out, a, equals);
}

void attr_text(struct buf *out, const struct event *ev)
{
	struct buf fields = BUF_INIT;

	attr_text_fields(&fields, &ev->attr, ": ");
	if (fields.err)
		out->err = fields.err;
	else /* without the comma before the first */
		buf_addf(out, "%s: %s\n", ev->name, buf_str(&fields) + strlen(", "));
	buf_release(&fields);
}
