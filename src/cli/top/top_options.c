/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options of `ptui top`: what to measure, as for record, and how to show it. */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "cli/filter.h"
#include "cli/recording.h"
#include "cli/top/top.h"

#define DELAY_MIN_MS 50
#define DELAY_MAX_MS 3600000
#define TOP_SORT     "dso,symbol" /* as in perf top: not by process */

#define AT(field)    .offset = offsetof(struct top_options, field)
#define REC(field)   AT(record.field)
#define OPT(field)   AT(record.opts.field)

static const char not_annotate[] = N_("not supported: it is an option of 'ptui annotate'");
static const char not_branches[] =
	N_("not supported: ptui top counts samples, and not branches; use 'ptui record -b'");
static const char not_records[] = N_("not supported: it is an option of 'ptui record'");
static const char not_report[] = N_("not supported: it is an option of 'ptui report'");

/* Seconds, as in perf, or fractions. 0 means one second, as in perf. */
static int read_delay(void *field, const char *value, bool unset, struct ptui_error *err)
{
	char *end;
	double seconds = strtod(value, &end);

	(void)unset;
	if (end == value || *end || !(seconds >= 0 && seconds * 1000 <= DELAY_MAX_MS) ||
	    (seconds > 0 && seconds * 1000 < DELAY_MIN_MS))
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, value,
				      _("'%s' is not a delay: use seconds from 0.05 to 3600"),
				      value);
	*(uint32_t *)field = seconds > 0 ? (uint32_t)(seconds * 1000 + 0.5) : 1000;
	return 0;
}

/* There is no file to unwind later. */
static void settle_mode(enum ptui_callgraph *mode)
{
	if (*mode == PTUI_CALLGRAPH_DWARF)
		*mode = PTUI_CALLGRAPH_LIVE;
}

/* "dwarf,4096,live,graph,0.5": how many characters are the mode. */
static size_t mode_length(const char *value)
{
	size_t best = 0, len = 0;
	char mode[32];

	for (int words = 0; words < 3; words++) {
		len += strcspn(value + len, ",");
		snprintf(mode, sizeof(mode), "%.*s", (int)len, value);
		if (len < sizeof(mode) && record_takes_mode(mode))
			best = len;
		if (!value[len])
			break;
		len++;
	}
	return best;
}

/* "fp,graph,0.5,caller": how to record callchains (optional), then how to print them. */
static int read_callgraph(void *options, const char *value, bool unset, struct ptui_error *err)
{
	struct top_options *o = options;
	struct ptui_shape *s = &o->record.opts.shape;
	size_t len;
	char mode[32];

	o->no_chains = unset;
	s->callgraph = unset ? PTUI_CALLGRAPH_NONE : PTUI_CALLGRAPH_FP;
	if (unset || !value)
		return 0;
	len = mode_length(value);
	if (len) {
		snprintf(mode, sizeof(mode), "%.*s", (int)len, value);
		if (ptui_callgraph_parse(mode, &s->callgraph, &s->stack_bytes, err))
			return -EINVAL;
		settle_mode(&s->callgraph);
		value += len + (value[len] == ',');
	}
	return chain_parse(&o->chain, value, false, err);
}

static int mode_setting(void *field, const char *value, bool unset, struct ptui_error *err)
{
	struct record_usual_chains *u = field;
	int ret = ptui_callgraph_parse(value, &u->mode, &u->stack_bytes, err);

	(void)unset;
	if (!ret)
		settle_mode(&u->mode);
	else
		u->mode = PTUI_CALLGRAPH_NONE;
	return ret;
}

const struct option top_options[] = {
	{ OPTION_GROUP, .help = N_("Events and sampling") },
	{ OPTION_MULTI, 'e', "event", N_("EVENT"),
	  N_("event selector (see 'ptui list'), or several separated by commas; may be "
	     "repeated (default: cycles, or cpu-clock without hardware counters)"),
	  REC(events) },
	{ OPTION_CALL, 'F', "freq", N_("HZ"),
	  N_("sampling frequency in Hz, or \"max\" (default: 4000)"), AT(record),
	  .call = record_read_freq },
	{ OPTION_NUMBER, 'c', "count", N_("N"),
	  N_("sampling period: one sample every N events, instead of -F"), OPT(period),
	  .max = UINT64_MAX },
	{ OPTION_FLAG, 0, "group", NULL,
	  N_("put all events into one event group, counted together or not at all"),
	  OPT(shape.group), OPTION_NO },
	{ OPTION_CALL, 'g', NULL, NULL, N_("record callchains (default mode: fp)"), AT(record),
	  OPTION_NO_VALUE, .call = record_read_g },
	{ OPTION_CALL, 0, "call-graph", N_("fp,graph|none,MIN,MAX,caller|callee"),
	  N_("callchain mode: fp, dwarf[,BYTES] or lbr (default: dwarf on the screen, none as text), "
	     "and how --stdio shows callchains: branches of at least MIN percent, at most MAX per "
	     "level, caller or callee order (default: fp,graph,0.5,caller; callee with "
	     "--no-children)"),
	  .offset = 0, OPTION_NO, .call = read_callgraph },

	{ OPTION_GROUP, .help = N_("Target") },
	{ OPTION_FLAG, 'a', "all-cpus", NULL, N_("the whole system (default)"), OPT(system_wide),
	  OPTION_NO },
	{ OPTION_CALL, 'p', "pid", N_("PID[,PID...]"), N_("processes with all their threads"),
	  REC(pids), .call = record_read_pids },
	{ OPTION_CALL, 't', "tid", N_("TID[,TID...]"), N_("threads without their children"),
	  REC(tids), .call = record_read_tids },
	{ OPTION_STRING, 'u', "uid", N_("USER"),
	  N_("all processes of a user (name or number), with their children"), OPT(user) },
	{ OPTION_STRING, 'C', "cpu", N_("CPU[,CPU-CPU...]"),
	  N_("all tasks on these CPUs, such as 0-3,8"), OPT(cpus) },
	{ OPTION_CALL, 'G', "cgroup", N_("NAME[,NAME...]"),
	  N_("with -a: restrict the preceding events to these cgroups, in order; a single "
	     "name applies to all events, an empty one means all tasks"),
	  AT(record), .call = record_read_cgroup },
	{ OPTION_CALL, 'i', "no-inherit", NULL, N_("do not record child processes and new threads"),
	  REC(opts), OPTION_NO | OPTION_NO_VALUE, .call = record_read_inherit },

	{ OPTION_GROUP, .help = N_("Display") },
	{ OPTION_CALL, 'd', "delay", N_("SECONDS"),
	  N_("refresh interval, such as 5 or 0.5 (default: 2)"), AT(look.delay_ms),
	  .call = read_delay },
	{ OPTION_FLAG, 'z', "zero", NULL,
	  N_("zero the counts at each refresh, instead of decaying them to 7/8"), AT(look.zero),
	  OPTION_NO },
	{ OPTION_FLAG, 'K', "hide_kernel_symbols", NULL, N_("hide kernel symbols"),
	  AT(look.hide_kernel), OPTION_NO },
	{ OPTION_FLAG, 'U', "hide_user_symbols", NULL, N_("hide user symbols"), AT(look.hide_user),
	  OPTION_NO },
	{ OPTION_CALL, 0, "comms", N_("COMM"), N_("only processes with this command name"),
	  AT(comm), .call = filter_read_name },
	{ OPTION_CALL, 0, "dsos", N_("MODULE"), N_("only functions of this DSO, such as libc.so.6"),
	  AT(dso), .call = filter_read_name },
	{ OPTION_STRING, 0, "symbol-filter", N_("TEXT"),
	  N_("only functions whose names contain TEXT"), AT(symbol) },
	{ OPTION_CALL, 0, "hide-dsos", N_("PATTERN[,PATTERN...]"),
	  N_("hide these DSOs from callchains, as ptui report does"), AT(hide_dsos),
	  .call = filter_read_list },
	{ OPTION_FLAG, 0, "collapse-recursion", NULL,
	  N_("show a function that calls itself, directly or through others, once in a callchain"),
	  AT(collapse_recursion), OPTION_NO },
	{ OPTION_CALL, 0, "percentage", N_("relative|absolute"),
	  N_("with --comms or --dsos: percentages relative to the filtered entries, or to "
	     "all samples (default)"),
	  AT(relative), .call = filter_read_percentage },
	{ OPTION_STRING, 's', "sort", N_("KEY[,KEY...]"),
	  N_("sort keys: comm, dso, symbol, pid, cpu (default: dso,symbol)"), AT(sort) },
	{ OPTION_FLAG, 'n', "show-nr-samples", NULL, N_("show a column with the number of samples"),
	  AT(show_samples), OPTION_NO },
	{ OPTION_CALL, 0, "percent-limit", N_("PERCENT"), N_("omit entries below PERCENT"),
	  AT(percent_limit), .call = chain_parse_percent },

	{ OPTION_STRING, 'k', "vmlinux", N_("FILE"),
	  N_("vmlinux file with the kernel symbols; its build-id must be the running kernel's"),
	  AT(kernel.vmlinux) },
	{ OPTION_STRING, 0, "kallsyms", N_("FILE"),
	  N_("copy of /proc/kallsyms with the kernel symbols; overrides -k"), AT(kernel.kallsyms) },
	RECORDING_IGNORE_VMLINUX(AT(kernel.ignore_vmlinux)),
	RECORDING_UNNAMED(AT(unnamed_functions)),

	{ OPTION_GROUP, .help = N_("Text output") },
	{ OPTION_FLAG, 0, "stdio", NULL, N_("print text instead of opening the screen"),
	  AT(stdio) },
	{ OPTION_FLAG, 0, "tui", NULL,
	  N_("open the screen, or fail with the reason; never print text"), AT(tui) },
	{ OPTION_NUMBER, 'E', "entries", N_("N"),
	  N_("with --stdio: number of rows (default: as many as fit)"), AT(look.entries), .min = 0,
	  .max = UINT32_MAX },
	{ OPTION_NUMBER, 'f', "count-filter", N_("N"),
	  N_("with --stdio: only rows with more samples than this"), AT(look.min_samples), .min = 0,
	  .max = UINT32_MAX },
	{ OPTION_STRING, 0, "fields", N_("KEY[,KEY...]"),
	  N_("with --stdio: output columns, by the keys of -s and overhead, "
	     "overhead_children, sample, period"),
	  AT(fields) },
	{ OPTION_FLAG, 0, "show-total-period", NULL,
	  N_("with --stdio: show a column with the sum of periods"), AT(show_period), OPTION_NO },
	{ OPTION_CALL, 0, "children", NULL,
	  N_("with --stdio: accumulate the overhead of callees in their callers (default "
	     "with -g)"),
	  AT(children), OPTION_NO | OPTION_NO_VALUE, .call = record_read_said },

	{ OPTION_NUMBER, 0, "max-stack", N_("N"),
	  N_("maximum number of frames in a callchain (default: as recorded, and 127 in an "
	     "unwound one)"),
	  AT(max_stack), .min = 1, .max = UINT16_MAX },
	{ OPTION_FLAG, 0, "stitch-lbr", NULL,
	  N_("complete call stacks of --call-graph lbr that are deeper than the LBR with callers from "
	     "earlier samples of the thread, where both have calls in common; these may be wrong"),
	  AT(stitch_lbr), OPTION_NO },

	{ OPTION_GROUP, .help = N_("Sampling") },
	{ OPTION_STRING, 'm', "mmap-pages", N_("PAGES"),
	  N_("size of each ring buffer in pages, or in bytes as 512K or 16M (default: as "
	     "kernel.perf_event_mlock_kb allows)"),
	  OPT(ring_pages) },
	{ OPTION_NUMBER, 'r', "realtime", N_("PRIORITY"),
	  N_("SCHED_FIFO priority of the thread that drains the ring buffers, 1 to 99"),
	  OPT(realtime_priority), .min = 1, .max = 99 },
	{ OPTION_FLAG, 0, "no-bpf-event", NULL,
	  N_("do not record BPF program information; only the names of loaded programs"),
	  OPT(shape.no_bpf_event), OPTION_NO },
	{ OPTION_CALL, 0, "num-thread-synthesize", N_("N"),
	  N_("number of threads that read /proc at the start (default: number of CPUs, at "
	     "most 4)"),
	  OPT(synth_threads), .call = record_read_threads },
	{ OPTION_NUMBER, 0, "proc-map-timeout", N_("MS"),
	  N_("timeout for reading the maps of one process, in milliseconds (default: 500)"),
	  OPT(proc_map_timeout_ms), .min = 1, .max = UINT32_MAX },
	{ OPTION_FLAG, 'v', "verbose", NULL, N_("print details about the recording"), REC(verbose),
	  OPTION_NO },

	/*
	 * perf's options that ptui does not have yet: known by name, so that they are not reported
	 * as typos
	 */
	OPTION_NOT('b', "branch-any", OPTION_NO_VALUE, not_branches),
	OPTION_NOT('j', "branch-filter", 0, not_branches),
	OPTION_NOT('D', "dump-symtab", OPTION_NO_VALUE,
		   N_("not supported: it is for finding mistakes in perf")),
	OPTION_NOT('M', "disassembler-style", 0, not_annotate),
	OPTION_NOT('w', "column-widths", 0,
		   N_("not supported: columns are as wide as their texts in ptui top")),
	OPTION_NOT(0, "addr2line", 0, N_("not supported: ptui reads debug information itself")),
	OPTION_NOT(0, "all-cgroups", OPTION_NO_VALUE | OPTION_NO, not_records),
	OPTION_NOT(0, "asm-raw", OPTION_NO_VALUE | OPTION_NO, not_annotate),
	OPTION_NOT(
		0, "demangle-kernel", OPTION_NO_VALUE | OPTION_NO,
		N_("not supported: ptui demangles the names of all functions except the kernel's")),
	OPTION_NOT(0, "force", OPTION_NO_VALUE | OPTION_NO,
		   N_("not supported: ptui top reads no recording")),
	OPTION_NOT(0, "group-sort-idx", 0, not_report),
	OPTION_NOT(0, "hierarchy", OPTION_NO_VALUE | OPTION_NO, not_report),
	OPTION_NOT(0, "ignore-callees", 0, not_report),
	OPTION_NOT(0, "namespaces", OPTION_NO_VALUE | OPTION_NO, not_records),
	OPTION_NOT(0, "objdump", 0, not_annotate),
	OPTION_NOT(0, "overwrite", OPTION_NO_VALUE | OPTION_NO, not_records),
	OPTION_NOT(0, "prefix", 0, not_annotate),
	OPTION_NOT(0, "prefix-strip", 0, not_annotate),
	OPTION_NOT(0, "raw-trace", OPTION_NO_VALUE | OPTION_NO, not_report),
	OPTION_NOT(0, "show-on-off-events", OPTION_NO_VALUE | OPTION_NO, not_report),
	OPTION_NOT(0, "source", OPTION_NO_VALUE | OPTION_NO, not_annotate),
	OPTION_NOT(0, "switch-on", 0, not_report),
	OPTION_NOT(0, "switch-off", 0, not_report),
	OPTION_NOT(0, "sym-annotate", 0, not_annotate),
	OPTION_NOT(0, "symbols", 0, not_report),
	{ .type = OPTION_END },
};

const struct cli_setting top_settings[] = {
	{ "top.children", N_("true|false"), N_("Same as --children or --no-children of ptui top."),
	  offsetof(struct top_options, usual_children), cli_setting_bool },
	{ "top.call-graph", "fp|dwarf[,BYTES]|lbr", N_("Callchain mode of -g in ptui top."),
	  offsetof(struct top_options, record.usual_chains), mode_setting },
	{ "hist.percentage", "relative|absolute", N_("Same as --percentage of ptui top."),
	  offsetof(struct top_options, relative), filter_read_percentage },
	{ "call-graph.print-type", "graph|none", N_("Same as --call-graph of ptui top."),
	  offsetof(struct top_options, chain), chain_set_type },
	{ "call-graph.order", "caller|callee", N_("Same as --call-graph of ptui top."),
	  offsetof(struct top_options, chain), chain_set_order },
	{ "call-graph.threshold", N_("PERCENT"), N_("Same as MIN of --call-graph of ptui top."),
	  offsetof(struct top_options, chain.min_percent), chain_parse_percent },
	{ "call-graph.print-limit", N_("N"), N_("Same as MAX of --call-graph of ptui top."),
	  offsetof(struct top_options, chain.max_lines), chain_set_limit },
	{ "call-graph.sort-key", "function", N_("Same as --call-graph of ptui top."),
	  offsetof(struct top_options, chain), chain_set_key },
	{ .name = NULL },
};

/* ---- derived values ---- */

bool top_wants_children(const struct top_options *o)
{
	if (o->record.opts.shape.callgraph == PTUI_CALLGRAPH_NONE)
		return false;
	return o->children == PTUI_SAID_NOTHING ? o->usual_children : o->children == PTUI_SAID_YES;
}

const char *top_only_text(const struct top_options *o)
{
	return o->look.entries		    ? "-E" :
	       o->look.min_samples	    ? "-f" :
	       o->fields		    ? "--fields" :
	       o->show_period		    ? "--show-total-period" :
	       o->children == PTUI_SAID_YES ? "--children" :
					      NULL;
}

/* "+key" adds to the default keys of top. */
static int settle_sort(struct top_options *o)
{
	struct buf text = BUF_INIT;

	if (o->sort ? *o->sort != '+' : o->fields && *o->fields != '+')
		return 0;
	buf_addf(&text, "%s%s%s", TOP_SORT, o->sort ? "," : "", o->sort ? o->sort + 1 : "");
	if (buf_replace(&text, &o->own_sort))
		return -ENOMEM;
	o->sort = o->own_sort;
	return 0;
}

/* As in perf: -F lists all columns, replacing the default. */
static int settle_fields(struct top_options *o)
{
	struct buf text = BUF_INIT;

	if (!o->show_period || (o->fields && *o->fields != '+'))
		return 0;
	buf_addf(&text, "+period%s%s", o->fields ? "," : "", o->fields ? o->fields + 1 : "");
	if (buf_replace(&text, &o->own_fields))
		return -ENOMEM;
	o->fields = o->own_fields;
	return 0;
}

int top_options_settle(const struct cli *cli, struct top_options *o, struct ptui_error *err)
{
	const char *key;
	unsigned extras;
	int ret;

	o->record.opts.out.nowhere = true;
	ret = kernel_symbols_check(&o->kernel, err);
	if (ret)
		return ret;
	ret = record_options_settle(cli, &o->record, err);
	if (ret)
		return ret;
	/* no later reader: modules are read while they run */
	o->record.opts.buildid = PTUI_BUILDID_NONE;
	if (o->stitch_lbr && o->record.opts.shape.callgraph != PTUI_CALLGRAPH_LBR)
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, "--stitch-lbr",
				      _("--stitch-lbr requires --call-graph lbr"));
	if (o->look.hide_kernel && o->look.hide_user)
		return ptui_error_set(
			err, PTUI_ERROR_INPUT, EINVAL, NULL,
			_("-K and -U exclude each other: nothing would be left to be shown"));
	if (settle_sort(o) || settle_fields(o))
		return ptui_error_nomem(err);
	/* per-task samples need the CPU only for these keys */
	if ((o->sort && strstr(o->sort, "cpu")) || (o->fields && strstr(o->fields, "cpu")))
		o->record.opts.shape.sample_cpu = true;
	if (ptui_hist_check_keys(NULL, o->sort, o->fields, err))
		return -EINVAL;
	extras = ptui_hist_keys_extras(o->sort, o->fields);
	key = ptui_hist_extra_key(o->sort, o->fields, extras);
	return extras ? ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, key,
				       _("--sort: '%s' needs a recording: 'ptui report' has it"),
				       key) :
			0;
}

void top_options_release(struct top_options *o)
{
	record_options_release(&o->record);
	free(o->own_sort);
	free(o->own_fields);
	free(o->hide_dsos);
}
