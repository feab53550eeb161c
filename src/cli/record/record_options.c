/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "cli/out.h"
#include "cli/record/record_options.h"

#define AT(field)    .offset = offsetof(struct record_options, field)
#define OPT(field)   AT(opts.field)
#define SHAPE(field) OPT(shape.field)
#define WHOLE	     .offset = 0
#define NOT_YET(letter, name)                                                                    \
	{                                                                                        \
		OPTION_CALL, letter, name, .flags = OPTION_ATTACHED | OPTION_NO | OPTION_HIDDEN, \
					   .call = record_not_yet                                \
	}

const struct option record_options[] = {
	{ OPTION_GROUP, .help = N_("What is measured") },
	{ OPTION_MULTI, 'e', "event", N_("EVENT"),
	  N_("an event, or several with commas, as 'ptui list' names them; may be repeated. "
	     "Without it: cycles, or cpu-clock where there are no hardware counters"),
	  AT(events) },
	{ OPTION_CALL, 0, "pfm-events", N_("EVENT"),
	  N_("an event of the processor's manual, as libpfm4 names it (see ptui list vendor)"),
	  AT(events), .call = record_add_pfm },
	{ OPTION_CALL, 0, "filter", N_("FILTER"),
	  N_("of the tracepoints of the -e before only those for which this holds, such as "
	     "'prev_pid != 0 && next_comm ~ \"cc*\"'; 'ptui list --details NAME' has the fields"),
	  AT(events), .call = record_add_filter },
	{ OPTION_CALL, 0, "exclude-perf", NULL,
	  N_("of the tracepoints of the -e before nothing that ptui itself does; with -a that is so for "
	     "all of them, without being asked for"),
	  AT(events), OPTION_NO_VALUE, .call = record_add_exclude_perf },
	{ OPTION_CALL, 'F', "freq", N_("HZ"),
	  N_("so many samples a second (of each event on each CPU), or max: as many as the kernel "
	     "allows; 4000 if nothing is said"),
	  WHOLE, .call = record_read_freq },
	{ OPTION_FLAG, 0, "strict-freq",
	  .help = N_("refuse a frequency that the kernel does not allow, instead of lowering it"),
	  OPT(strict_freq), .flags = OPTION_NO },
	{ OPTION_NUMBER, 'c', "count", N_("N"), N_("one sample every N events, instead of -F"),
	  OPT(period), .max = UINT64_MAX },
	{ OPTION_FLAG, 0, "group",
	  .help = N_("all events as one group: they are counted together, or not at all"),
	  SHAPE(group), .flags = OPTION_NO },
	{ OPTION_FLAG, 'n', "no-samples", .help = N_("count the events, and take no samples"),
	  SHAPE(no_samples), .flags = OPTION_NO },
	{ OPTION_FLAG, 0, "all-kernel", .help = N_("of every event only what the kernel does"),
	  SHAPE(all_kernel), .flags = OPTION_NO },
	{ OPTION_FLAG, 0, "all-user", .help = N_("of every event only what programs do"),
	  SHAPE(all_user), .flags = OPTION_NO },

	{ OPTION_GROUP, .help = N_("Call chains") },
	{ OPTION_CALL, 'g', NULL, .help = N_("call chains as well, by frame pointers"), WHOLE,
	  OPTION_NO_VALUE, .call = record_read_g, .takes = record_takes_mode },
	{ OPTION_CALL, 0, "call-graph", N_("MODE[,BYTES]"),
	  N_("call chains by fp: frame pointers; dwarf: a copy of the registers and of so many "
	     "bytes of the stack (8192), unwound later; lbr: the processor's own record"),
	  AT(opts.shape), OPTION_NO, .call = record_read_callgraph },
	{ OPTION_FLAG, 0, "kernel-callchains", .help = N_("of call chains only the kernel's part"),
	  SHAPE(kernel_callchains), .flags = OPTION_NO },
	{ OPTION_FLAG, 0, "user-callchains", .help = N_("of call chains only the program's part"),
	  SHAPE(user_callchains), .flags = OPTION_NO },

	{ OPTION_GROUP, .help = N_("What stands in a sample") },
	{ OPTION_CALL, 'T', "timestamp", NULL, N_("when it was taken; it is, unless taken back"),
	  SHAPE(timestamp), OPTION_NO | OPTION_NO_VALUE, .call = record_read_said },
	{ OPTION_CALL, 'P', "period", NULL, N_("how many events it stands for"), SHAPE(period),
	  OPTION_NO | OPTION_NO_VALUE, .call = record_read_said },
	{ OPTION_FLAG, 0, "sample-cpu", .help = N_("on which CPU"), SHAPE(sample_cpu),
	  .flags = OPTION_NO },
	{ OPTION_FLAG, 'd', "data",
	  .help = N_("the address of the data that was used; maps of data are told as well"),
	  SHAPE(data), .flags = OPTION_NO },
	{ OPTION_FLAG, 0, "phys-data", .help = N_("where in physical memory the data lies"),
	  SHAPE(phys_data), .flags = OPTION_NO },
	{ OPTION_FLAG, 0, "data-page-size", .help = N_("how large the page of the data is"),
	  SHAPE(data_page_size), .flags = OPTION_NO },
	{ OPTION_FLAG, 0, "code-page-size", .help = N_("how large the page of the code is"),
	  SHAPE(code_page_size), .flags = OPTION_NO },
	{ OPTION_FLAG, 'R', "raw-samples",
	  .help = N_("raw data of every event that has any, not of tracepoints only"),
	  SHAPE(raw_samples), .flags = OPTION_NO },
	{ OPTION_FLAG, 'W', "weight",
	  .help = N_("what it cost, of events that tell it (such as the latency of a load)"),
	  SHAPE(weight), .flags = OPTION_NO },
	{ OPTION_FLAG, 0, "transaction", .help = N_("in what kind of memory transaction"),
	  SHAPE(transaction), .flags = OPTION_NO },
	{ OPTION_CALL, 'b', "branch-any", NULL, N_("the branches taken before it, of any kind"),
	  SHAPE(branch_filter), OPTION_NO_VALUE, .call = record_read_branch },
	{ OPTION_CALL, 'j', "branch-filter", N_("FILTER[,FILTER...]"),
	  N_("the branches taken before it: any, any_call, any_ret, ind_call, ind_jmp, call, cond, "
	     "in u (programs), k (kernel) or hv; abort_tx, in_tx, no_tx; stack; without no_flags, "
	     "no_cycles; with hw_index, save_type, priv, counter"),
	  SHAPE(branch_filter), .call = record_read_branch },
	{ OPTION_CALL, 'I', "intr-regs", N_("REGISTER,..."),
	  N_("the registers when it was taken, all or these; ? lists their names"),
	  SHAPE(intr_regs), OPTION_ATTACHED, .call = record_read_registers },
	{ OPTION_CALL, 0, "user-regs", N_("REGISTER,..."),
	  N_("the program's registers, all or these; ? lists their names"), SHAPE(user_regs),
	  OPTION_ATTACHED, .call = record_read_registers },
	{ OPTION_FLAG, 0, "sample-identifier",
	  .help = N_("its event at a fixed place, whatever else stands in it"),
	  SHAPE(sample_identifier), .flags = OPTION_NO },
	{ OPTION_CALL, 'k', "clockid", N_("CLOCK"),
	  N_("times by this clock: monotonic, monotonic_raw, realtime, boottime, tai, or its number"),
	  AT(opts.shape), .call = record_read_clockid },
	{ OPTION_FLAG, 0, "running-time",
	  .help = N_("beside counts in samples (:S), how long the event was counted"),
	  SHAPE(running_time), .flags = OPTION_NO },

	{ OPTION_GROUP, .help = N_("What is told besides samples") },
	{ OPTION_FLAG, 's', "stat", .help = N_("the counts of each thread when it ends"),
	  SHAPE(stat), .flags = OPTION_NO },
	{ OPTION_FLAG, 0, "switch-events", .help = N_("when threads leave the CPU and take it"),
	  SHAPE(switch_events), .flags = OPTION_NO },
	{ OPTION_FLAG, 0, "namespaces", .help = N_("the namespaces of each process"),
	  SHAPE(namespaces), .flags = OPTION_NO },
	{ OPTION_FLAG, 0, "all-cgroups",
	  .help = N_("cgroups with their names, and to which one each sample belongs"),
	  SHAPE(all_cgroups), .flags = OPTION_NO },
	{ OPTION_FLAG, 0, "no-bpf-event",
	  .help = N_("do not record BPF program information; only the names of loaded programs"),
	  SHAPE(no_bpf_event), .flags = OPTION_NO },
	{ OPTION_CALL, 0, "synth", N_("WHAT[,WHAT...]"),
	  N_("what is told of that which was there before: no, all, task, mmap, cgroup"),
	  OPT(skip_synth), .call = record_read_synth },
	{ OPTION_FLAG, 0, "tail-synthesize",
	  .help = N_("tell that at the end of the recording instead of its beginning"),
	  OPT(tail_synth), .flags = OPTION_NO },
	{ OPTION_CALL, 0, "num-thread-synthesize", N_("N"),
	  N_("so many threads read /proc for it; otherwise as many as there are CPUs, at most 4"),
	  OPT(synth_threads), .call = record_read_threads },
	{ OPTION_NUMBER, 0, "proc-map-timeout", N_("MS"),
	  N_("and give up on the maps of one process after so many milliseconds (500)"),
	  OPT(proc_map_timeout_ms), .min = 1, .max = UINT32_MAX },

	{ OPTION_GROUP, .help = N_("Whom") },
	{ OPTION_FLAG, 'a', "all-cpus",
	  .help = N_("the whole machine; also when neither a command nor a process is given"),
	  OPT(system_wide), .flags = OPTION_NO },
	{ OPTION_CALL, 'p', "pid", N_("PID[,PID...]"),
	  N_("these processes, with their threads; with a command: while it runs"), AT(pids),
	  .call = record_read_pids },
	{ OPTION_CALL, 't', "tid", N_("TID[,TID...]"),
	  N_("these threads, without their children (with those: --inherit)"), AT(tids),
	  .call = record_read_tids },
	{ OPTION_STRING, 'u', "uid", N_("USER"),
	  N_("all that runs as this user, a name or a number, and its children"), OPT(user) },
	{ OPTION_STRING, 'C', "cpu", N_("CPU[,CPU-CPU...]"),
	  N_("whatever runs on these CPUs, such as 0-3,8; with a command: while it runs"),
	  OPT(cpus) },
	{ OPTION_CALL, 'G', "cgroup", N_("NAME[,NAME...]"),
	  N_("with -a: only the tasks of these control groups, one for each event before, in "
	     "order; an empty name for all tasks, a single one for all events"),
	  .offset = 0, .call = record_read_cgroup },
	{ OPTION_FLAG, 0, "per-thread",
	  .help = N_("a ring a thread instead of a CPU; children are not recorded"),
	  OPT(per_thread), .flags = OPTION_NO },
	{ OPTION_CALL, 'i', "no-inherit", NULL, N_("not the children and new threads of it"),
	  AT(opts), OPTION_NO | OPTION_NO_VALUE, .call = record_read_inherit },
	{ OPTION_FLAG, 0, "overwrite",
	  .help = N_(
		  "keep only the last samples, in rings that are overwritten: they are written at the end, "
		  "and on SIGUSR2 into a file of their own, FILE.<timestamp>"),
	  SHAPE(overwrite), .flags = OPTION_NO },
	{ OPTION_CALL, 'M', "memory", N_("SIZE"),
	  N_("keep the last samples in memory of this size, such as 64M (at least 65537 bytes); they are written "
	     "at the end, and on SIGUSR2 or --control snapshot"),
	  OPT(out.memory_bytes), .call = record_read_memory },
	{ OPTION_STRING, 'm', "mmap-pages", N_("PAGES"),
	  N_("the size of each ring: pages, or bytes as 512K or 16M; else what "
	     "kernel.perf_event_mlock_kb grants"),
	  OPT(ring_pages) },
	{ OPTION_GROUP, .help = N_("Output") },
	{ OPTION_STRING, 'o', "output", N_("FILE"),
	  N_("the recording, instead of perf.data; -: standard output, in a form for pipes, as also "
	     "when that is a pipe and nothing is said"),
	  OPT(output) },
	{ OPTION_CALL, 'z', "compression-level", N_("N"),
	  N_("compressed: 1 is the fastest and taken without a number, 22 the smallest"),
	  OPT(out.compress_level), OPTION_ATTACHED | OPTION_NO, .call = record_read_level },
	{ OPTION_FLAG, 'A', "append",
	  .help = N_("behind what is in the file, which must be of the same events and options"),
	  OPT(out.append), .flags = OPTION_NO },
	{ OPTION_FLAG, 'f', "force",
	  .help = N_("an older file is not kept as FILE.old, but replaced"), OPT(out.overwrite),
	  .flags = OPTION_NO },
	{ OPTION_CALL, 0, "max-size", N_("SIZE"),
	  N_("end the recording when so much was written: a number with B, K, M or G"),
	  OPT(out.max_bytes), .call = record_read_max_size },
	{ OPTION_FLAG, 0, "timestamp-filename",
	  .help = N_("put the time of its end behind the name of the file"),
	  OPT(out.timestamp_filename), .flags = OPTION_NO },
	{ OPTION_FLAG, 0, "timestamp-boundary",
	  .help = N_("look at each sample for the times of the first and the last; without it they "
		     "are told as well, and may be off by a little"),
	  OPT(out.timestamp_boundary), .flags = OPTION_NO },
	{ OPTION_CALL, 0, "mmap-flush", N_("BYTES"),
	  N_("leave less than so many bytes in a buffer until more have come, at most a quarter of "
	     "it; larger pieces compress better"),
	  OPT(out.flush_bytes), .call = record_read_flush },
	{ OPTION_CALL, 0, "switch-output", N_("signal|SIZE|TIME"),
	  N_("on SIGUSR2, and when so much was written (100M) or so much time has passed (30s), what is "
	     "there becomes FILE.<timestamp>, and another file is begun, which can be read alone as well. With "
	     "--overwrite and -M: a snapshot"),
	  OPT(out.change), OPTION_ATTACHED | OPTION_NO, .call = record_read_switch },
	{ OPTION_CALL, 0, "switch-max-files", N_("N"),
	  N_("keep the last N of these files, and remove those before"), OPT(out.change.max_files),
	  .call = record_read_max_files },
	{ OPTION_MULTI, 0, "snapshot-when", N_("CONDITION"),
	  N_("take a snapshot when it comes true: 'page-faults/s > 10k', 'cache-misses/instructions > 10%', "
	     "'cycles > 1G', of events that are recorded, several with and, or; checked ten times a second. The "
	     "next snapshot waits until half of its samples are new. A condition may end with ', once' (one "
	     "snapshot) or ', keep 5' (its last five files stay). With --overwrite, -M or --switch-output; "
	     "may be repeated: each is enough"),
	  AT(when) },
	{ OPTION_CALL, 0, "snapshot-max-size", N_("SIZE"),
	  N_("disk space for the snapshots that --snapshot-when takes of kept samples, a number with B, K, M "
	     "or G (default: 1G); it takes no more then"),
	  OPT(trigger.max_bytes), .call = record_read_max_size },
	{ OPTION_MULTI, 0, "switch-output-event", N_("EVENT"),
	  N_("each time it happens another file is begun, as --switch-output does on a signal; it is not "
	     "recorded. With --overwrite: a snapshot is taken. Counted on all CPUs, with -p, -t and -u on "
	     "those tasks"),
	  AT(trigger_events) },
	{ OPTION_CALL, 0, "switch-output-filter", N_("FILTER"),
	  N_("of the tracepoints of the --switch-output-event before only those for which this holds"),
	  AT(trigger_events), .call = record_add_trigger_filter },
	{ OPTION_GROUP, .help = N_("Build-ids") },
	{ OPTION_CALL, 'N', "no-buildid-cache", NULL,
	  N_("a table of build-ids in the file, as perf makes it, and nothing into the cache "
	     "~/.debug; --buildid-cache: the modules go there as well"),
	  AT(buildids.no_cache), OPTION_NO | OPTION_NO_VALUE, .call = record_read_said },
	{ OPTION_CALL, 'B', "no-buildid", NULL,
	  N_("no build-ids in the file, and none in the cache"), AT(buildids.none),
	  OPTION_NO | OPTION_NO_VALUE, .call = record_read_said },
	{ OPTION_STRING, 0, "vmlinux", N_("FILE"),
	  N_("vmlinux file of the running kernel, kept in the build-id cache for 'ptui report'"),
	  OPT(vmlinux) },
	{ OPTION_CALL, 0, "buildid-all", NULL,
	  N_("a table of all modules that were mapped, not only of those that a sample lies in; into "
	     "the cache too, without -N"),
	  AT(buildids.all), OPTION_NO | OPTION_NO_VALUE, .call = record_read_said },
	{ OPTION_CALL, 0, "buildid-mmap", NULL,
	  N_("ask the kernel to put build-ids into MMAP2 records, for every target (default: only for "
	     "a command that ptui starts); perf 6.1 recording the same processes at the same "
	     "time then aborts. --no-buildid-mmap: a table, and the cache"),
	  AT(buildids.mmap), OPTION_NO | OPTION_NO_VALUE, .call = record_read_said },
	{ OPTION_GROUP, .help = N_("When, and how the recorder runs") },
	{ OPTION_STRING, 'D', "delay", N_("MS"),
	  N_("events are switched on so many milliseconds after the command has begun; -1: not before "
	     "--control says so; 10-20,30-40: for these stretches"),
	  OPT(control.delay) },
	{ OPTION_STRING, 0, "control", N_("WHERE"),
	  N_("reads commands from fd:CTL or fifo:CTL, and writes 'ack' to what may stand behind a "
	     "comma: enable, disable, enable EVENT, disable EVENT, evlist [-v|-g|-F], snapshot, ping, "
	     "stop"),
	  OPT(control.channel) },
	{ OPTION_NUMBER, 'r', "realtime", N_("PRIORITY"),
	  N_("the thread that writes is SCHED_FIFO with this priority, 1 to 99"),
	  OPT(realtime_priority), .min = 1, .max = 99 },
	{ OPTION_FLAG, 0, "no-buffering",
	  .help = N_("each sample is written when it is there, instead of many at once"),
	  OPT(out.no_buffering), .flags = OPTION_NO },
	{ OPTION_CALL, 0, "affinity", N_("sys|node|cpu"),
	  N_("the thread that writes moves to the node or the CPU whose samples it takes; sys: it stays "
	     "where the kernel puts it"),
	  OPT(affinity), .call = record_read_affinity },
	{ OPTION_GROUP, .help = N_("What is said") },
	{ OPTION_FLAG, 'q', "quiet", .help = N_("print errors only"), AT(quiet),
	  .flags = OPTION_NO },
	{ OPTION_FLAG, 'v', "verbose", .help = N_("print what is done as well"), AT(verbose),
	  .flags = OPTION_NO },
	{ OPTION_FLAG, 0, "dry-run",
	  .help = N_("look whether all of it makes sense and could be recorded, and end"),
	  AT(dry_run), .flags = OPTION_NO },

	/* perf's options that ptui has not yet: known by name, so that nobody takes them for typos */
	NOT_YET('S', "snapshot"),
	NOT_YET(0, "aux-sample"),
	NOT_YET(0, "threads"),
	NOT_YET(0, "aio"),
	NOT_YET(0, "kcore"),
	NOT_YET(0, "off-cpu"),
	NOT_YET(0, "off-cpu-thresh"),
	NOT_YET(0, "clang-opt"),
	NOT_YET(0, "clang-path"),
	NOT_YET(0, "setup-filter"),
	NOT_YET(0, "debuginfod"),
	NOT_YET(0, "latency"),
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
	opts->control.say = record_say_line;
	opts->control.say_ctx = &o->quiet;
	opts->buildid_dir = cli->buildid_dir ? cli->buildid_dir : o->buildids.dir;
	opts->tids = o->tids.pids;
	opts->n_tids = o->tids.n;
	opts->cgroups = o->cgroups.texts.words;
	opts->cgroup_after = o->cgroups.after;
	opts->n_cgroups = o->cgroups.texts.n;
	if ((opts->freq_hz || opts->max_freq) && opts->period)
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, NULL,
				      _("-F and -c exclude each other: samples are taken so often, "
					"or every so many events"));
	if (opts->shape.all_kernel && opts->shape.all_user)
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, NULL,
				      _("--all-kernel and --all-user exclude each other"));
	record_tell_shape(cli, o);
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
