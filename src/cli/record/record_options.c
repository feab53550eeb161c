/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include "base/i18n.h"
#include "cli/record/record_options.h"

#define AT(field)    .offset = offsetof(struct record_options, field)
#define OPT(field)   AT(opts.field)
#define SHAPE(field) OPT(shape.field)
#define WHOLE	     .offset = 0

static const char not_off_cpu[] = N_("not supported: it requires a BPF program of perf; the event "
				     "sched:sched_switch with -g shows where tasks leave the CPU");
static const char not_clang[] = N_("not supported: ptui compiles no BPF programs");

const struct option record_options[] = {
	{ OPTION_GROUP, .help = N_("Events and sampling") },
	{ OPTION_MULTI, 'e', "event", N_("EVENT"),
	  N_("event selector (see 'ptui list'), or several separated by commas; may be "
	     "repeated (default: cycles, or cpu-clock without hardware counters)"),
	  AT(events) },
	{ OPTION_CALL, 0, "pfm-events", N_("EVENT"),
	  N_("event from the processor manual, by its libpfm4 name (see 'ptui list "
	     "vendor')"),
	  AT(events), .call = record_add_pfm },
	{ OPTION_CALL, 0, "filter", N_("FILTER"),
	  N_("tracepoint filter for the preceding -e, such as 'prev_pid != 0 && next_comm "
	     "~ \"cc*\"'; 'ptui list --details NAME' lists the fields; or an address filter of an "
	     "event with an AUX area, such as 'filter main @ program'"),
	  AT(events), .call = record_add_filter },
	{ OPTION_CALL, 0, "exclude-perf", NULL,
	  N_("exclude ptui's own activity from the tracepoints of the preceding -e "
	     "(always on with -a)"),
	  AT(events), OPTION_NO_VALUE, .call = record_add_exclude_perf },
	{ OPTION_CALL, 'F', "freq", N_("HZ"),
	  N_("sampling frequency in Hz, or \"max\" (default: 4000)"), WHOLE,
	  .call = record_read_freq },
	{ OPTION_FLAG, 0, "strict-freq", NULL,
	  N_("fail if the kernel does not allow the frequency, instead of lowering it"),
	  OPT(strict_freq), OPTION_NO },
	{ OPTION_NUMBER, 'c', "count", N_("N"),
	  N_("sampling period: one sample every N events, instead of -F"), OPT(period),
	  .max = UINT64_MAX },
	{ OPTION_NUMBER, 0, "overflow-limit", N_("N"),
	  N_("stop each counter after N samples, and end the recording when all have stopped; "
	     "there is one counter per thread (children are not recorded), or per CPU with -a or -C"),
	  OPT(overflow_limit), .min = 1, .max = INT32_MAX },
	{ OPTION_FLAG, 0, "group", NULL,
	  N_("put all events into one event group, counted together or not at all"), SHAPE(group),
	  OPTION_NO },
	{ OPTION_FLAG, 'n', "no-samples", NULL, N_("count events without taking samples"),
	  SHAPE(no_samples), OPTION_NO },
	{ OPTION_FLAG, 0, "all-kernel", NULL, N_("restrict all events to kernel mode"),
	  SHAPE(all_kernel), OPTION_NO },
	{ OPTION_FLAG, 0, "all-user", NULL, N_("restrict all events to user mode"), SHAPE(all_user),
	  OPTION_NO },

	{ OPTION_GROUP, .help = N_("Callchains") },
	{ OPTION_CALL, 'g', NULL, NULL, N_("record callchains (default mode: fp)"), WHOLE,
	  OPTION_NO_VALUE, .call = record_read_g, .takes = record_takes_mode },
	{ OPTION_CALL, 0, "call-graph", N_("MODE[,BYTES]"),
	  N_("callchain mode: fp (frame pointers), dwarf[,BYTES] (copy of the user stack, "
	     "8192 bytes by default), dwarf[,BYTES],live (unwound while recording) or lbr "
	     "(branch records of the processor)"),
	  AT(opts.shape), OPTION_NO, .call = record_read_callgraph },
	{ OPTION_FLAG, 0, "kernel-callchains", NULL,
	  N_("record only the kernel part of callchains"), SHAPE(kernel_callchains), OPTION_NO },
	{ OPTION_FLAG, 0, "user-callchains", NULL, N_("record only the user part of callchains"),
	  SHAPE(user_callchains), OPTION_NO },

	{ OPTION_GROUP, .help = N_("Sample fields") },
	{ OPTION_CALL, 'T', "timestamp", NULL, N_("timestamp (on by default)"), SHAPE(timestamp),
	  OPTION_NO | OPTION_NO_VALUE, .call = record_read_said },
	{ OPTION_CALL, 'P', "period", NULL, N_("sampling period"), SHAPE(period),
	  OPTION_NO | OPTION_NO_VALUE, .call = record_read_said },
	{ OPTION_FLAG, 0, "sample-cpu", NULL, N_("CPU number"), SHAPE(sample_cpu), OPTION_NO },
	{ OPTION_FLAG, 'd', "data", NULL,
	  N_("address of the accessed data; also records data maps"), SHAPE(data), OPTION_NO },
	{ OPTION_FLAG, 0, "phys-data", NULL, N_("physical address of the accessed data"),
	  SHAPE(phys_data), OPTION_NO },
	{ OPTION_FLAG, 0, "data-page-size", NULL, N_("page size of the accessed data"),
	  SHAPE(data_page_size), OPTION_NO },
	{ OPTION_FLAG, 0, "code-page-size", NULL, N_("page size of the code"),
	  SHAPE(code_page_size), OPTION_NO },
	{ OPTION_FLAG, 'R', "raw-samples", NULL,
	  N_("raw data of all events that provide it, not only of tracepoints"), SHAPE(raw_samples),
	  OPTION_NO },
	{ OPTION_FLAG, 'W', "weight", NULL,
	  N_("weight, for events that provide one (such as the latency of a load)"), SHAPE(weight),
	  OPTION_NO },
	{ OPTION_FLAG, 0, "transaction", NULL, N_("type of the memory transaction"),
	  SHAPE(transaction), OPTION_NO },
	{ OPTION_CALL, 'b', "branch-any", NULL, N_("branch stack, with branches of any type"),
	  SHAPE(branch_filter), OPTION_NO_VALUE, .call = record_read_branch },
	{ OPTION_CALL, 'j', "branch-filter", N_("FILTER[,FILTER...]"),
	  N_("branch stack, filtered: any, any_call, any_ret, ind_call, ind_jmp, call, "
	     "cond; u, k, hv (privilege levels); abort_tx, in_tx, no_tx; stack; no_flags, "
	     "no_cycles; hw_index, save_type, priv, counter"),
	  SHAPE(branch_filter), .call = record_read_branch },
	{ OPTION_CALL, 'I', "intr-regs", N_("REGISTER,..."),
	  N_("registers at the time of the sample, all or the given ones; ? lists the "
	     "names"),
	  SHAPE(intr_regs), OPTION_ATTACHED, .call = record_read_registers },
	{ OPTION_CALL, 0, "user-regs", N_("REGISTER,..."),
	  N_("user-mode registers, all or the given ones; ? lists the names"), SHAPE(user_regs),
	  OPTION_ATTACHED, .call = record_read_registers },
	{ OPTION_FLAG, 0, "sample-identifier", NULL,
	  N_("event ID at a fixed position (PERF_SAMPLE_IDENTIFIER)"), SHAPE(sample_identifier),
	  OPTION_NO },
	{ OPTION_CALL, 'k', "clockid", N_("CLOCK"),
	  N_("clock of the timestamps: monotonic, monotonic_raw, realtime, boottime, tai, "
	     "or a clock number"),
	  AT(opts.shape), .call = record_read_clockid },
	{ OPTION_FLAG, 0, "running-time", NULL,
	  N_("enabled and running times of events read in samples (:S)"), SHAPE(running_time),
	  OPTION_NO },

	{ OPTION_GROUP, .help = N_("Other records") },
	{ OPTION_FLAG, 's', "stat", NULL, N_("event counts of each thread when it exits"),
	  SHAPE(stat), OPTION_NO },
	{ OPTION_FLAG, 0, "switch-events", NULL, N_("context switches"), SHAPE(switch_events),
	  OPTION_NO },
	{ OPTION_FLAG, 0, "latency", NULL,
	  N_("what 'ptui report --latency' requires; same as --switch-events"),
	  SHAPE(switch_events), OPTION_NO },
	{ OPTION_FLAG, 0, "namespaces", NULL, N_("namespaces of each process"), SHAPE(namespaces),
	  OPTION_NO },
	{ OPTION_FLAG, 0, "all-cgroups", NULL, N_("cgroup names, and the cgroup of each sample"),
	  SHAPE(all_cgroups), OPTION_NO },
	{ OPTION_FLAG, 0, "no-bpf-event", NULL,
	  N_("do not record BPF program information; only the names of loaded programs"),
	  SHAPE(no_bpf_event), OPTION_NO },
	{ OPTION_CALL, 0, "synth", N_("WHAT[,WHAT...]"),
	  N_("existing state to synthesize records for: no, all, task, mmap, cgroup"),
	  OPT(skip_synth), .call = record_read_synth },
	{ OPTION_FLAG, 0, "tail-synthesize", NULL,
	  N_("synthesize these records at the end of the recording, not at the beginning"),
	  OPT(tail_synth), OPTION_NO },
	{ OPTION_CALL, 0, "num-thread-synthesize", N_("N"),
	  N_("number of threads that read /proc for this (default: number of CPUs, at "
	     "most 4)"),
	  OPT(synth_threads), .call = record_read_threads },
	{ OPTION_NUMBER, 0, "proc-map-timeout", N_("MS"),
	  N_("timeout for reading the maps of one process, in milliseconds (default: 500)"),
	  OPT(proc_map_timeout_ms), .min = 1, .max = UINT32_MAX },

	{ OPTION_GROUP, .help = N_("Target") },
	{ OPTION_FLAG, 'a', "all-cpus", NULL,
	  N_("the whole system (default without a command or another target)"), OPT(system_wide),
	  OPTION_NO },
	{ OPTION_CALL, 'p', "pid", N_("PID[,PID...]"),
	  N_("processes with all their threads; with a command, until it exits"), AT(pids),
	  .call = record_read_pids },
	{ OPTION_CALL, 't', "tid", N_("TID[,TID...]"),
	  N_("threads without their children (--inherit: with children)"), AT(tids),
	  .call = record_read_tids },
	{ OPTION_STRING, 'u', "uid", N_("USER"),
	  N_("all processes of a user (name or number), with their children"), OPT(user) },
	{ OPTION_STRING, 'C', "cpu", N_("CPU[,CPU-CPU...]"),
	  N_("all tasks on these CPUs, such as 0-3,8; with a command, until it exits"), OPT(cpus) },
	{ OPTION_CALL, 'G', "cgroup", N_("NAME[,NAME...]"),
	  N_("with -a: restrict the preceding events to these cgroups, in order; a single "
	     "name applies to all events, an empty one means all tasks"),
	  .offset = 0, .call = record_read_cgroup },
	{ OPTION_FLAG, 0, "per-thread", NULL,
	  N_("one ring buffer per thread instead of per CPU; implies --no-inherit"),
	  OPT(per_thread), OPTION_NO },
	{ OPTION_CALL, 'i', "no-inherit", NULL, N_("do not record child processes and new threads"),
	  AT(opts), OPTION_NO | OPTION_NO_VALUE, .call = record_read_inherit },
	{ OPTION_FLAG, 0, "overwrite", NULL,
	  N_("overwrite mode: keep only the last samples, in the ring buffers; write them "
	     "at the end, and on SIGUSR2 as a snapshot into FILE.<timestamp>"),
	  SHAPE(overwrite), OPTION_NO },
	{ OPTION_CALL, 'M', "memory", N_("SIZE"),
	  N_("keep the last samples in memory of this size, such as 64M (at least 65537 "
	     "bytes); write them at the end, and on SIGUSR2 or --control snapshot"),
	  OPT(out.memory_bytes), .call = record_read_memory },
	{ OPTION_STRING, 'm', "mmap-pages", N_("PAGES"),
	  N_("size of each ring buffer in pages, or in bytes as 512K or 16M (default: as "
	     "kernel.perf_event_mlock_kb allows); ,SIZE: of each AUX area (default: 4M for "
	     "privileged users, else 128K)"),
	  OPT(ring_pages) },
	{ OPTION_CALL, 'S', "snapshot", N_("[e][SIZE]"),
	  N_("keep the newest AUX data, of events such as intel_pt//, in the AUX areas; on SIGUSR2, "
	     "a key or --control snapshot, write the last SIZE bytes of each (default: all of it); "
	     "e: also at the end"),
	  OPT(aux), OPTION_ATTACHED, .call = record_read_aux_snapshot },
	{ OPTION_CALL, 0, "aux-sample", N_("SIZE"),
	  N_("put the last SIZE bytes of AUX data (default: 4096) into each sample of a group that an "
	     "event with an AUX area leads, such as '{intel_pt//,branch-misses}'"),
	  OPT(aux.sample_bytes), OPTION_ATTACHED, .call = record_read_aux_sample },
	{ OPTION_GROUP, .help = N_("Output") },
	{ OPTION_STRING, 'o', "output", N_("FILE"),
	  N_("output file; -: standard output in pipe format (default: perf.data, or - if "
	     "standard output is a pipe)"),
	  OPT(output) },
	{ OPTION_CALL, 'z', "compression-level", N_("N"),
	  N_("compress the recording; level 1 (fastest, default) to 22 (smallest)"),
	  OPT(out.compress_level), OPTION_ATTACHED | OPTION_NO, .call = record_read_level },
	{ OPTION_FLAG, 'A', "append", NULL,
	  N_("append to an existing file, which must have the same events and options"),
	  OPT(out.append), OPTION_NO },
	{ OPTION_FLAG, 'f', "force", NULL,
	  N_("replace an existing file without keeping it as FILE.old"), OPT(out.overwrite),
	  OPTION_NO },
	{ OPTION_CALL, 0, "max-size", N_("SIZE"),
	  N_("stop recording at this file size, with unit B, K, M or G"), OPT(out.max_bytes),
	  .call = record_read_max_size },
	{ OPTION_FLAG, 0, "timestamp-filename", NULL,
	  N_("append the end time of the recording to the file name"), OPT(out.timestamp_filename),
	  OPTION_NO },
	{ OPTION_FLAG, 0, "timestamp-boundary", NULL,
	  N_("examine each sample to store exact times of the first and last one "
	     "(default: approximate times)"),
	  OPT(out.timestamp_boundary), OPTION_NO },
	{ OPTION_CALL, 0, "mmap-flush", N_("BYTES"),
	  N_("minimum number of bytes to drain from a ring buffer at once, at most a "
	     "quarter of it; larger pieces compress better"),
	  OPT(out.flush_bytes), .call = record_read_flush },
	{ OPTION_CALL, 0, "switch-output", N_("signal|SIZE|TIME"),
	  N_("rename the output to FILE.<timestamp> and start a new file, on SIGUSR2 or "
	     "after a size (100M) or time (30s); each file can be read on its own. With "
	     "--overwrite and -M: take a snapshot"),
	  OPT(out.change), OPTION_ATTACHED | OPTION_NO, .call = record_read_switch },
	{ OPTION_CALL, 0, "switch-max-files", N_("N"),
	  N_("number of these files to keep; older ones are deleted"), OPT(out.change.max_files),
	  .call = record_read_max_files },
	{ OPTION_MULTI, 0, "snapshot-when", N_("CONDITION"),
	  N_("take a snapshot when the condition becomes true, such as 'page-faults/s > "
	     "10k', 'cycles > 1G' or 'cache-misses/instructions > 10%'; terms can be "
	     "combined with and, or. All its events must be recorded. It is checked ten "
	     "times a second; the next snapshot waits until half of its samples are new. "
	     "Append ', once' to take a single snapshot, or ', keep 5' to keep the last "
	     "five files. Requires --overwrite, -M or --switch-output; may be repeated "
	     "(any condition is enough)"),
	  AT(when) },
	{ OPTION_CALL, 0, "snapshot-max-size", N_("SIZE"),
	  N_("disk space limit for snapshots taken by --snapshot-when, with unit B, K, M "
	     "or G (default: 1G); no more are taken once it is reached"),
	  OPT(trigger.max_bytes), .call = record_read_max_size },
	{ OPTION_MULTI, 0, "switch-output-event", N_("EVENT"),
	  N_("start a new output file each time the event occurs, as --switch-output does "
	     "on a signal; with --overwrite: take a snapshot. The event is not recorded. "
	     "It is counted on all CPUs, with -p, -t and -u in those tasks"),
	  AT(trigger_events) },
	{ OPTION_CALL, 0, "switch-output-filter", N_("FILTER"),
	  N_("tracepoint filter for the preceding --switch-output-event"), AT(trigger_events),
	  .call = record_add_trigger_filter },
	{ OPTION_GROUP, .help = N_("Build-ids") },
	{ OPTION_CALL, 'N', "no-buildid-cache", NULL,
	  N_("store build-ids in a table of the file, and do not fill the cache ~/.debug "
	     "(--buildid-cache: fill it too)"),
	  AT(buildids.no_cache), OPTION_NO | OPTION_NO_VALUE, .call = record_read_said },
	{ OPTION_CALL, 'B', "no-buildid", NULL,
	  N_("do not store build-ids, neither in the file nor in the cache"), AT(buildids.none),
	  OPTION_NO | OPTION_NO_VALUE, .call = record_read_said },
	{ OPTION_STRING, 0, "vmlinux", N_("FILE"),
	  N_("vmlinux file of the running kernel, kept in the build-id cache for 'ptui report'"),
	  OPT(vmlinux) },
	{ OPTION_CALL, 0, "buildid-all", NULL,
	  N_("store the build-ids of all mapped DSOs, not only of those with samples; "
	     "also fills the cache, unless -N is given"),
	  AT(buildids.all), OPTION_NO | OPTION_NO_VALUE, .call = record_read_said },
	{ OPTION_CALL, 0, "buildid-mmap", NULL,
	  N_("let the kernel put build-ids into MMAP2 records, for every target (default: "
	     "only for a command started by ptui); perf 6.1 recording the same processes "
	     "at the same time then aborts. --no-buildid-mmap: use a table and the cache"),
	  AT(buildids.mmap), OPTION_NO | OPTION_NO_VALUE, .call = record_read_said },
	{ OPTION_GROUP, .help = N_("Control and scheduling") },
	{ OPTION_STRING, 'D', "delay", N_("MS"),
	  N_("enable events this many milliseconds after the start; -1: when --control "
	     "enables them; 10-20,30-40: only during these intervals"),
	  OPT(control.delay) },
	{ OPTION_STRING, 0, "control", N_("WHERE"),
	  N_("read commands from fd:CTL[,ACK] or fifo:CTL[,ACK] and acknowledge them on "
	     "ACK: enable, disable, enable EVENT, disable EVENT, evlist [-v|-g|-F], "
	     "snapshot, ping, stop"),
	  OPT(control.channel) },
	{ OPTION_NUMBER, 'r', "realtime", N_("PRIORITY"),
	  N_("SCHED_FIFO priority of the writer thread, 1 to 99"), OPT(realtime_priority), .min = 1,
	  .max = 99 },
	{ OPTION_FLAG, 0, "no-buffering", NULL,
	  N_("write each sample immediately instead of many at once"), OPT(out.no_buffering),
	  OPTION_NO },
	{ OPTION_CALL, 0, "wakeup-events", N_("N"),
	  N_("drain a ring buffer after N samples of an event, instead of when it is half full"),
	  OPT(out.wakeup_events), .call = record_read_wakeup_events },
	{ OPTION_CALL, 0, "wakeup-watermark", N_("BYTES"),
	  N_("drain a ring buffer when it contains this many bytes, instead of when it is half full"),
	  OPT(out.wakeup_bytes), .call = record_read_watermark },
	{ OPTION_CALL, 0, "affinity", N_("sys|node|cpu"),
	  N_("CPU affinity of the writer thread: node or cpu (move to the ring buffer "
	     "being drained), sys (leave it to the kernel)"),
	  OPT(affinity), .call = record_read_affinity },
	{ OPTION_GROUP, .help = N_("Messages") },
	{ OPTION_FLAG, 0, "tui", NULL,
	  N_("record on the Live screen, then browse the recording, or fail with the reason"),
	  AT(tui) },
	{ OPTION_FLAG, 'q', "quiet", NULL, N_("print errors only"), AT(quiet), OPTION_NO },
	{ OPTION_FLAG, 'v', "verbose", NULL, N_("print details about the recording"), AT(verbose),
	  OPTION_NO },
	{ OPTION_FLAG, 0, "dry-run", NULL,
	  N_("check the options and whether recording is possible, then exit"), AT(dry_run),
	  OPTION_NO },

	/* perf's options that ptui does not have: known by name, with the reasons */
	OPTION_NOT(0, "threads", OPTION_ATTACHED | OPTION_NO,
		   N_("not supported: one thread drains all ring buffers; larger ones (-m) bridge "
		      "its delays")),
	OPTION_NOT(
		0, "aio", OPTION_ATTACHED | OPTION_NO,
		N_("not supported: the recording is written while the kernel fills the ring buffers; "
		   "larger ones (-m) bridge delays of the disk")),
	OPTION_NOT(0, "kcore", OPTION_ATTACHED | OPTION_NO,
		   N_("not supported: a recording is one file; 'ptui buildid-cache -k /proc/kcore' "
		      "keeps a copy of the kernel's code")),
	OPTION_NOT(0, "off-cpu", OPTION_ATTACHED | OPTION_NO, not_off_cpu),
	OPTION_NOT(0, "off-cpu-thresh", OPTION_ATTACHED | OPTION_NO, not_off_cpu),
	OPTION_NOT(0, "clang-opt", OPTION_ATTACHED | OPTION_NO, not_clang),
	OPTION_NOT(0, "clang-path", OPTION_ATTACHED | OPTION_NO, not_clang),
	OPTION_NOT(0, "setup-filter", OPTION_ATTACHED | OPTION_NO, not_clang),
	OPTION_NOT(0, "debuginfod", OPTION_ATTACHED | OPTION_NO,
		   N_("not supported: report asks the servers in DEBUGINFOD_URLS when it needs a "
		      "file")),
	{ .type = OPTION_END },
};

int record_options_settle(const struct cli *cli, struct record_options *o, struct ptui_error *err)
{
	struct ptui_record_opts *opts = &o->opts;
	int ret = record_settle_triggers(&o->trigger_events, err);

	if (ret)
		return ret;
	if (record_events_complete(&o->events))
		return ptui_error_nomem(err);
	opts->events = o->events.texts.words;
	opts->n_events = o->events.texts.n;
	opts->filters = (const char *const *)o->events.filters;
	opts->exclude_self = o->events.exclude_self;
	opts->trigger.when = o->when.words;
	opts->trigger.n_when = o->when.n;
	opts->trigger.events = o->trigger_events.texts.words;
	opts->trigger.n_events = o->trigger_events.texts.n;
	opts->trigger.filters = (const char *const *)o->trigger_events.filters;
	opts->pids = o->pids.pids;
	opts->n_pids = o->pids.n;
	record_settle_buildids(&o->buildids, opts);
	opts->control.say = record_print_line;
	opts->control.say_ctx = &o->quiet;
	opts->buildid_dir = cli->buildid_dir ? cli->buildid_dir : o->buildids.dir;
	opts->tids = o->tids.pids;
	opts->n_tids = o->tids.n;
	opts->cgroups = o->cgroups.texts.words;
	opts->cgroup_after = o->cgroups.after;
	opts->n_cgroups = o->cgroups.texts.n;
	if ((opts->freq_hz || opts->max_freq) && opts->period)
		return ptui_error_set(
			err, PTUI_ERROR_INPUT, EINVAL, NULL,
			_("-F and -c cannot be used together: one sets a frequency, the other a period"));
	if (opts->shape.all_kernel && opts->shape.all_user)
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, NULL,
				      _("--all-kernel and --all-user cannot be used together"));
	record_warn_shape(cli, o);
	if (record_settle_output(opts, err))
		return -EINVAL;
	return record_settle_switch(opts, err);
}

void record_options_release(struct record_options *o)
{
	record_events_release(&o->events);
	record_events_release(&o->trigger_events);
	option_words_release(&o->when);
	free(o->pids.pids);
	free(o->buildids.dir);
	free(o->tids.pids);
	free(o->cgroups.after);
	option_words_release(&o->cgroups.texts);
}
