/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/report/report_options.h"

#include <errno.h>
#include <string.h>
#include "base/i18n.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/filter.h"

#define AT(member) .offset = offsetof(struct report_opts, member)
#define IN(member) AT(in.member)

static int parse_inline(void *field, const char *value, bool unset, struct ptui_error *err)
{
	(void)value;
	(void)err;
	*(enum ptui_inlines *)field = unset ? PTUI_INLINES_OFF : PTUI_INLINES_ON;
	return 0;
}

/* As in perf, the limit is that of callchains, too, unless -g follows. `field`: all options. */
static int parse_percent_limit(void *field, const char *value, bool unset, struct ptui_error *err)
{
	struct report_opts *o = field;
	int ret = chain_parse_percent(&o->percent_limit, value, unset, err);

	if (!ret)
		o->chain.min_percent = o->percent_limit;
	return ret;
}

static int parse_color(void *field, const char *value, bool unset, struct ptui_error *err)
{
	(void)field;
	(void)unset;
	if (!strcmp(value, "never"))
		return 0;
	return ptui_error_set(
		err, PTUI_ERROR_INPUT, ENOTSUP, value,
		_("not supported: ptui prints text without colors, expected 'never'"));
}

static int parse_group(void *field, const char *value, bool unset, struct ptui_error *err)
{
	(void)value;
	(void)err;
	*(struct report_grouping *)field =
		(struct report_grouping){ unset ? PTUI_GROUP_NONE : PTUI_GROUP_ALL, true };
	return 0;
}

/* report.group: groups as they were recorded, or none. */
static int set_group(void *field, const char *value, bool unset, struct ptui_error *err)
{
	bool on;
	int ret = cli_setting_bool(&on, value, unset, err);

	if (!ret)
		((struct report_grouping *)field)->how = on ? PTUI_GROUP_RECORDED : PTUI_GROUP_NONE;
	return ret;
}

static int set_nothing(void *field, const char *value, bool unset, struct ptui_error *err)
{
	(void)field;
	(void)value;
	(void)unset;
	(void)err;
	return 0;
}

static int parse_branches(void *field, const char *value, bool unset, struct ptui_error *err)
{
	(void)value;
	(void)err;
	*(enum ptui_mode *)field = unset ? PTUI_MODE_SAMPLES : PTUI_MODE_BRANCHES;
	return 0;
}

/* Why some options of perf report are not supported. */
static const char not_annotate[] = N_("not supported: it is an option of 'ptui annotate'");

static int parse_pretty(void *field, const char *value, bool unset, struct ptui_error *err)
{
	(void)unset;
	*(bool *)field = !strcmp(value, "raw");
	if (*(bool *)field || !strcmp(value, "normal"))
		return 0;
	return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, value,
			      _("expected 'normal' or 'raw', not '%s'"), value);
}

/* With 0, each time is an interval of its own. */
static int parse_quantum(void *field, const char *value, bool unset, struct ptui_error *err)
{
	static const struct {
		const char *unit;
		uint64_t ns;
	} units[] = { { "s", 1000000000 }, { "ms", 1000000 }, { "us", 1000 }, { "ns", 1 } };
	uint64_t n;
	const char *unit = text_number(value, UINT32_MAX, &n);

	(void)unset;
	for (size_t i = 0; unit && i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(unit, units[i].unit) != 0)
			continue;
		*(uint64_t *)field = n ? n * units[i].ns : 1;
		return 0;
	}
	return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, value,
			      _("expected a time such as 100ms, not '%s'"), value);
}

static int parse_widths(void *field, const char *value, bool unset, struct ptui_error *err)
{
	(void)unset;
	return report_read_widths(value, field, err);
}

static int parse_socket(void *field, const char *value, bool unset, struct ptui_error *err)
{
	struct ptui_hist_filter *f = field;
	uint64_t n;

	(void)unset;
	if (option_number(value, 0, INT32_MAX, &n))
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, value,
				      _("expected the number of a socket, not '%s'"), value);
	f->by_socket = true;
	f->socket = (int32_t)n;
	return 0;
}

const struct option report_options[] = {
	{ OPTION_GROUP, .help = N_("Input") },
	RECORDING_FILES(IN),
	RECORDING_IGNORE_VMLINUX(IN(load.kernel.ignore_vmlinux)),
	RECORDING_MODULES(IN(load.kernel.no_modules)),
	RECORDING_NAMES(IN),
	RECORDING_DEMANGLE(IN),
	RECORDING_FORCE(AT(force)),
	{ OPTION_GROUP, .help = N_("Rows and columns") },
	{ OPTION_STRING, 's', "sort", N_("KEY[,KEY...]"),
	  N_("sort keys: comm, comm_nodigit, dso, symbol, symoff, pid, cpu, socket, time, parent, symbol_size, srcline, "
	     "srcfile, type, typeoff, typecln, trace, weight, local_weight, ins_lat, local_ins_lat, p_stage_cyc, "
	     "local_p_stage_cyc, retire_lat, local_retire_lat, code_page_size, cgroup, cgroup_id, parallelism, "
	     "transaction, dso_size, addr; sort order: overhead, overhead_children, sample, period, "
	     "latency, latency_children (default: "
	     "comm,dso,symbol, or trace if all events are tracepoints); +KEY adds to the default; fields of "
	     "tracepoints: FIELD, EVENT.FIELD, EVENT.* or trace_fields, with /raw as recorded"),
	  AT(sort) },
	{ OPTION_FLAG, 0, "latency", NULL,
	  N_("sort by the share of the elapsed time, which tasks that run at the same time divide "
	     "among them, and show it first"),
	  AT(latency), OPTION_NO },
	{ OPTION_CALL, 'b', "branch-stack", NULL,
	  N_("a row for each recorded branch instead of each sample (default if the recording has "
	     "branch stacks); keys: dso_from, dso_to, symbol_from, symbol_to, addr_from, addr_to, "
	     "srcline_from, srcline_to, mispredict, abort, in_tx, cycles (default: "
	     "comm,dso_from,symbol_from,symbol_to,cycles)"),
	  AT(mode), OPTION_NO | OPTION_NO_VALUE, .call = parse_branches },
	{ OPTION_FLAG, 0, "total-cycles", NULL,
	  N_("print blocks of code between taken branches instead of rows, those with the most cycles "
	     "first, from branch stacks with cycles"),
	  AT(total_cycles), OPTION_NO },
	{ OPTION_FLAG, 0, "mem-mode", NULL,
	  N_("weigh samples of memory accesses by their cost; keys: mem, symbol_daddr, dso_daddr, "
	     "snoop, tlb, locked, blocked, dcacheline, phys_daddr, data_page_size (default: "
	     "local_weight, mem, sym, dso, symbol_daddr, dso_daddr, snoop, tlb, locked, blocked, "
	     "local_ins_lat)"),
	  AT(mem_mode), OPTION_NO },
	{ OPTION_STRING, 'F', "fields", N_("KEY[,KEY...]"), N_("output columns, by the same keys"),
	  AT(fields) },
	{ OPTION_FLAG, 'n', "show-nr-samples", NULL, N_("show a column with the number of samples"),
	  AT(show_samples), OPTION_NO },
	{ OPTION_FLAG, 0, "show-total-period", NULL,
	  N_("show a column with the sum of the periods"), AT(show_period), OPTION_NO },
	{ OPTION_FLAG, 0, "show-cpu-utilization", NULL,
	  N_("show columns with the shares of the kernel and of user space: overhead_sys and "
	     "overhead_us, for guests overhead_guest_sys and overhead_guest_us"),
	  AT(show_modes), OPTION_NO },
	{ OPTION_FLAG, 0, "showcpuutilization", AT(show_modes),
	  .flags = OPTION_NO | OPTION_HIDDEN },
	{ OPTION_FLAG, 0, "children", NULL,
	  N_("accumulate the overhead of callees in their callers (default if there are "
	     "callchains)"),
	  AT(children), OPTION_NO },
	{ OPTION_CALL, 0, "group", NULL,
	  N_("show the events of a group side by side (default for recorded groups); if there are no "
	     "groups, all events"),
	  AT(grouping), OPTION_NO | OPTION_NO_VALUE, .call = parse_group },
	{ OPTION_NUMBER, 0, "group-sort-idx", N_("N"),
	  N_("sort by event N of the group, from 0; in the browser, press the digit"),
	  AT(group_sort), .min = 0, .max = UINT16_MAX },
	{ OPTION_FLAG, 0, "hierarchy", NULL,
	  N_("show the rows as a hierarchy, one level per sort key; keys in braces are one level: "
	     "-s '{comm,dso},sym'"),
	  AT(hierarchy), OPTION_NO },
	{ OPTION_CALL, 0, "percent-limit", N_("PERCENT"),
	  N_("omit entries and branches of callchains below PERCENT"), .offset = 0,
	  .call = parse_percent_limit },
	{ OPTION_NUMBER, 0, "samples", N_("N"),
	  N_("number of samples that the browser lists of a row, spread over all of them (default: "
	     "all); text has none"),
	  AT(max_samples), .min = 1, .max = UINT32_MAX },
	{ OPTION_CALL, 0, "time-quantum", N_("TIME"),
	  N_("length of the intervals of the key time: a number and s, ms, us or ns (default: "
	     "100ms)"),
	  AT(quantum_ns), .call = parse_quantum },
	{ OPTION_FLAG, 0, "raw-trace", NULL,
	  N_("print payloads of tracepoints field by field, not as the event formats them"),
	  IN(load.raw_trace), OPTION_NO },
	{ OPTION_FLAG, 0, "full-source-path", NULL,
	  N_("show source files with their folders in the keys srcline and srcfile"),
	  IN(load.full_paths), OPTION_NO },
	{ OPTION_FLAG, 0, "ns", NULL, N_("print times with nanoseconds"), AT(show_ns), OPTION_NO },
	{ OPTION_CALL, 'w', "column-widths", N_("WIDTH[,WIDTH...]"),
	  N_("widths of the columns, from the first; longer texts are cut"), AT(widths),
	  .call = parse_widths },
	{ OPTION_GROUP, .help = N_("Filters") },
	{ OPTION_STRING, 0, "event", N_("EVENT"),
	  N_("only this event, by its name in the recording"), AT(event) },
	{ OPTION_CALL, 'c', "comms", N_("COMM[,COMM...]"),
	  N_("only samples of processes with these command names; file://PATH: the lines of a file, "
	     "also for -d and -S"),
	  AT(comms), .call = filter_read_list },
	{ OPTION_STRING, 0, "pid", N_("PID[,PID...]"), N_("only samples of these processes"),
	  AT(filter.pids) },
	{ OPTION_STRING, 0, "tid", N_("TID[,TID...]"), N_("only samples of these threads"),
	  AT(filter.tids) },
	{ OPTION_STRING, 0, "switch-on", N_("EVENT"),
	  N_("no samples before the first one of this event"), AT(filter.switch_on) },
	{ OPTION_STRING, 0, "switch-off", N_("EVENT"),
	  N_("no samples after one of this event, until --switch-on's event"),
	  AT(filter.switch_off) },
	{ OPTION_FLAG, 0, "show-on-off-events", NULL,
	  N_("also count the samples that switch on and off"), AT(filter.show_switch), OPTION_NO },
	{ OPTION_STRING, 'C', "cpu", N_("CPU[,CPU...]"),
	  N_("only samples on these CPUs, such as 0-3,7; the others are not in the total either"),
	  AT(filter.cpus) },
	{ OPTION_STRING, 0, "time", N_("START,STOP"),
	  N_("only samples of these times, in seconds, several separated by blanks; or in shares of "
	     "the recording: 10%-20%,40%-60%, or 10%/2, the second tenth; the others are not in the "
	     "total either"),
	  AT(filter.times) },
	{ OPTION_CALL, 'd', "dsos", N_("DSO[,DSO...]"),
	  N_("only functions of these DSOs, such as libc.so.6"), AT(dsos),
	  .call = filter_read_list },
	{ OPTION_CALL, 'S', "symbols", N_("SYMBOL[,SYMBOL...]"), N_("only these functions"),
	  AT(symbols), .call = filter_read_list },
	{ OPTION_STRING, 0, "symbol-filter", N_("TEXT"),
	  N_("only functions whose names contain TEXT"), AT(filter.symbol) },
	{ OPTION_FLAG, 'U', "hide-unresolved", NULL,
	  N_("only functions with a symbol; other samples are not in the total either"),
	  AT(filter.resolved), OPTION_NO },
	{ OPTION_STRING, 'p', "parent", N_("REGEX"),
	  N_("add the sort key parent: a function in the callchain whose name matches"),
	  AT(parent) },
	{ OPTION_FLAG, 'x', "exclude-other", NULL,
	  N_("with -p, only samples that have such a function in their callchain"),
	  AT(only_parents), OPTION_NO },
	{ OPTION_CALL, 0, "socket-filter", N_("N"),
	  N_("only samples on the CPUs of this processor socket"), AT(filter),
	  .call = parse_socket },
	{ OPTION_CALL, 0, "cgroup-filter", N_("CGROUP[,CGROUP...]"),
	  N_("only samples of these control groups, with wildcards, such as /system.slice/*"),
	  AT(cgroups), .call = filter_read_list },
	{ OPTION_STRING, 0, "stack-filter", N_("TEXT"),
	  N_("only samples with a function in their callchain whose name contains TEXT"),
	  AT(filter.stack) },
	{ OPTION_STRING, 0, "field-filter", N_("FIELD OP VALUE"),
	  N_("only samples of tracepoints with such a field: 'prev_pid > 100 && prev_comm == sh'; OP: ==, "
	     "!=, <, <=, >, >=, & (bits in common) or ~ (wildcards), joined by && and ||"),
	  AT(filter.fields) },
	{ OPTION_STRING, 0, "parallelism", N_("N[,N...]"),
	  N_("only samples of times at which so many tasks ran, such as 1 or 2-4,8; implies --stdio"),
	  AT(filter.parallelism) },
	{ OPTION_FLAG, 0, "hide_user_symbols", NULL, N_("hide user symbols"), AT(filter.kernel),
	  OPTION_NO },
	{ OPTION_CALL, 0, "percentage", N_("relative|absolute"),
	  N_("percentages relative to the filtered samples, or to all samples (default)"),
	  AT(relative), .call = filter_read_percentage },
	{ OPTION_GROUP, .help = N_("Callchains") },
	{ OPTION_CALL, 'g', "call-graph", N_("TYPE,MIN,MAX,ORDER,KEY,VALUE"),
	  N_("callchain display (default: graph,0.5,caller,function,percent; callee with "
	     "--no-children). TYPE: graph, fractal (percentages of the caller), flat (a list of "
	     "chains), folded (one line per chain) or none; MIN: percentage below which branches are "
	     "omitted; MAX: entries per level; ORDER: caller or callee; KEY: function, address or "
	     "srcline; VALUE: percent, period or count (of samples); branch: with --no-branch-stack, "
	     "add the branch stack to the callchain. The browser has graph and percent "
	     "only"),
	  AT(chain), OPTION_NO | OPTION_MAY_END, .call = chain_parse },
	{ OPTION_FLAG, 'G', "inverted", NULL, N_("same as -g caller"), AT(inverted) },
	{ OPTION_NUMBER, 0, "max-stack", N_("N"),
	  N_("maximum number of frames in a callchain (default: as recorded, and 127 in an "
	     "unwound one)"),
	  IN(max_stack), .min = 1, .max = UINT16_MAX },
	{ OPTION_STRING, 0, "ignore-callees", N_("REGEX"),
	  N_("count samples in the callees of functions whose names match as samples of these "
	     "functions"),
	  AT(ignore_callees) },
	{ OPTION_CALL, 0, "hide-dsos", N_("PATTERN[,PATTERN...]"),
	  N_("hide these DSOs from callchains: their time goes to the functions that called them; "
	     "PATTERN: a name or path such as libc.so* or /usr/lib/*, [kernel], [unknown] (no symbol), or "
	     "!PATTERN: all others"),
	  AT(hide_dsos), .call = filter_read_list },
	{ OPTION_FLAG, 0, "collapse-recursion", NULL,
	  N_("show a function that calls itself, directly or through others, once in a callchain"),
	  AT(filter.collapse_recursion), OPTION_NO },
	{ OPTION_FLAG, 0, "branch-history", NULL,
	  N_("add the branches before each sample, from its branch stack, to its callchain: where they "
	     "came from and went, how many were predicted, and the cycles between them; implies -g "
	     "address (default keys: srcline,symbol,dso)"),
	  AT(branch_history), OPTION_NO },
	{ OPTION_FLAG, 0, "stitch-lbr", NULL,
	  N_("complete call stacks of --call-graph lbr that are deeper than the LBR with callers from "
	     "earlier samples of the thread, where both have calls in common; these may be wrong"),
	  IN(load.stitch_lbr), OPTION_NO },
	{ OPTION_CALL, 0, "inline", NULL,
	  N_("show inlined functions in callchains, from debug information (default "
	     "where user stacks were copied: --call-graph dwarf)"),
	  AT(inlines), OPTION_NO | OPTION_NO_VALUE, .call = parse_inline },
	{ OPTION_GROUP, .help = N_("Output") },
	{ OPTION_FLAG, 0, "stdio", NULL, N_("print text instead of opening the browser"),
	  AT(stdio) },
	{ OPTION_FLAG, 0, "tui", NULL,
	  N_("open the browser, or fail with the reason; never print text"), AT(tui) },
	{ OPTION_CALL, 0, "stdio-color", "never",
	  N_("print text without colors; ptui has no others"), AT(stdio), .call = parse_color },
	{ OPTION_FLAG, 0, "skip-empty", NULL, N_("omit events without samples (default)"),
	  AT(skip_empty), OPTION_NO },
	RECORDING_HEADER(IN),
	{ OPTION_FLAG, 0, "stats", NULL,
	  N_("print the number of records of each type and nothing else; with -v, also the memory that "
	     "the report of a file takes"),
	  AT(records.stats), OPTION_NO },
	{ OPTION_FLAG, 0, "tasks", NULL, N_("print the threads of the recording and nothing else"),
	  AT(records.tasks), OPTION_NO },
	{ OPTION_FLAG, 0, "mmaps", NULL, N_("print the threads with their maps and nothing else"),
	  AT(records.mmaps), OPTION_NO },
	{ OPTION_FLAG, 'D', "dump-raw-trace", NULL,
	  N_("print all records, as bytes and decoded, then their numbers, and nothing else"),
	  AT(dump) },
	{ OPTION_FLAG, 0, "disable-order", NULL,
	  N_("with -D, print the records in the order of the file instead of their times"),
	  AT(dump_unsorted) },
	{ OPTION_FLAG, 'T', "threads", NULL,
	  N_("after the rows, print what the events counted for each thread, which 'record -s' writes"),
	  AT(threads), OPTION_NO },
	{ OPTION_CALL, 0, "pretty", "normal|raw",
	  N_("with -T, a column for each event (default), or raw: a line for each count"),
	  AT(raw_threads), .call = parse_pretty },
	{ OPTION_FLAG, 0, "json", NULL,
	  N_("print JSON: for each event its rows, with numbers as numbers"), AT(json) },
	{ OPTION_FLAG, 0, "csv", NULL,
	  N_("print CSV: a line with the names of the columns, then the rows"), AT(csv) },
	{ OPTION_STRING, 't', "field-separator", N_("SEP"),
	  N_("separate columns with SEP, for processing by other programs"), AT(separator) },
	{ OPTION_FLAG, 'v', "verbose", NULL,
	  N_("show the sources of symbols, or why they are missing, the paths of DSOs, the parameters "
	     "of C++ functions, and before symbols an address and where they are from: k kallsyms, v "
	     "vmlinux, K and m (packed) kernel module, d the file itself, B and D perf's cache of build-ids, "
	     "l .gnu_debuglink, b, f and u /usr/lib/debug, n .gnu_debugdata, j JIT, ! nowhere"),
	  AT(verbose), OPTION_NO },
	{ OPTION_FLAG, 'q', "quiet", NULL, N_("print entries only"), AT(quiet), OPTION_NO },
	OPTION_NOT('M', "disassembler-style", 0, not_annotate),
	OPTION_NOT(0, "asm-raw", OPTION_NO_VALUE | OPTION_NO, not_annotate),
	OPTION_NOT(
		0, "itrace", OPTION_ATTACHED | OPTION_NO,
		N_("not supported: ptui does not decode AUX area traces; 'perf script --itrace' does, and "
		   "without this option ptui shows the other records")),
	OPTION_NOT(0, "objdump", 0, not_annotate),
	OPTION_NOT(0, "percent-type", 0, not_annotate),
	OPTION_NOT(0, "prefix", 0, not_annotate),
	OPTION_NOT(0, "prefix-strip", 0, not_annotate),
	OPTION_NOT(0, "show-ref-call-graph", OPTION_NO_VALUE | OPTION_NO,
		   N_("not supported: ptui shows the callchains of each event only")),
	OPTION_NOT(0, "source", OPTION_NO_VALUE | OPTION_NO, not_annotate),
	{ .type = OPTION_END },
};

/* Defaults for the command line; values from a config file do not count as given. */
const struct cli_setting report_settings[] = {
	{ "report.percent-limit", N_("PERCENT"), N_("Same as --percent-limit of ptui report."), 0,
	  parse_percent_limit },
	{ "report.children", N_("true|false"),
	  N_("Same as --children or --no-children of ptui report."), AT(children),
	  cli_setting_bool },
	{ "report.group", N_("true|false"), N_("Same as --group or --no-group of ptui report."),
	  AT(grouping), set_group },
	{ "report.skip-empty", N_("true|false"),
	  N_("Same as --skip-empty or --no-skip-empty of ptui report."), AT(skip_empty),
	  cli_setting_bool },
	{ "report.queue-size", N_("BYTES"),
	  N_("Without effect: perf's limit to the samples that it sorts by time. ptui needs no limit."),
	  AT(in), set_nothing },
	{ "hist.percentage", "relative|absolute", N_("Same as --percentage of ptui report."),
	  AT(relative), filter_read_percentage },
	{ "report.sort_order", N_("KEY[,KEY...]"), N_("Same as --sort of ptui report."),
	  AT(usual_sort), cli_setting_text },
	RECORDING_CACHE(IN(usual_cache)),
	{ "call-graph.print-type", "graph|fractal|flat|folded|none",
	  N_("Same as --call-graph of ptui report."), AT(chain), chain_set_type },
	{ "call-graph.order", "caller|callee", N_("Same as --call-graph of ptui report."),
	  AT(chain), chain_set_order },
	{ "call-graph.threshold", N_("PERCENT"), N_("Same as MIN of --call-graph of ptui report."),
	  AT(chain.min_percent), chain_parse_percent },
	{ "call-graph.print-limit", N_("N"), N_("Same as MAX of --call-graph of ptui report."),
	  AT(chain.max_lines), chain_set_limit },
	{ "call-graph.sort-key", "function|address|srcline|branch",
	  N_("Same as --call-graph of ptui report."), AT(chain), chain_set_key },
	{ .name = NULL },
};

#undef IN
#undef AT
