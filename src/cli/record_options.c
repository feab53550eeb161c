/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "cli/out.h"
#include "cli/record_options.h"

#define AT(field)  .offset = offsetof(struct record_options, field)
#define OPT(field) AT(opts.field)

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
	     "'prev_pid != 0 && next_comm ~ \"cc*\"'; 'ptui list -v NAME' has the fields"),
	  AT(events), .call = record_add_filter },
	{ OPTION_CALL, 0, "exclude-perf", NULL,
	  N_("of the tracepoints of the -e before nothing that ptui itself does"), AT(events),
	  OPTION_NO_VALUE, .call = record_add_exclude_perf },
	{ OPTION_NUMBER, 'F', "freq", N_("HZ"),
	  N_("so many samples a second (of each event on each CPU); 4000 if nothing is said"),
	  OPT(freq_hz), .min = 1, .max = UINT64_MAX },
	{ OPTION_NUMBER, 'c', "count", N_("N"), N_("one sample every N events, instead of -F"),
	  OPT(period), .min = 1, .max = UINT64_MAX },
	{ OPTION_FLAG, 'g', NULL, .help = N_("call chains as well, by frame pointers"),
	  OPT(callchain) },
	{ OPTION_GROUP, .help = N_("Whom") },
	{ OPTION_FLAG, 'a', "all-cpus",
	  .help = N_("the whole machine; also when neither a command nor a process is given"),
	  OPT(system_wide), .flags = OPTION_NO },
	{ OPTION_CALL, 'p', "pid", N_("PID[,PID...]"),
	  N_("these processes, with their threads; with a command: while it runs"), AT(pids),
	  .call = record_read_pids },
	{ OPTION_CALL, 't', "tid", N_("TID[,TID...]"),
	  N_("these threads, without their children (with those: --no-no-inherit)"), AT(tids),
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
	{ OPTION_STRING, 'm', "mmap-pages", N_("PAGES"),
	  N_("the size of each ring: pages, or bytes as 512K or 16M; else what "
	     "kernel.perf_event_mlock_kb grants"),
	  OPT(ring_pages) },
	{ OPTION_GROUP, .help = N_("Output") },
	{ OPTION_STRING, 'o', "output", N_("FILE"), N_("the recording, instead of perf.data"),
	  OPT(output) },
	{ OPTION_GROUP, .help = N_("Build-ids") },
	{ OPTION_CALL, 'N', "no-buildid-cache", NULL,
	  N_("a table of build-ids in the file, as perf makes it, and nothing into the cache "
	     "~/.debug; --buildid-cache: the modules go there as well"),
	  AT(buildids.no_cache), OPTION_NO | OPTION_NO_VALUE, .call = record_say },
	{ OPTION_CALL, 'B', "no-buildid", NULL, N_("no build-ids in the file, and none in the cache"),
	  AT(buildids.none), OPTION_NO | OPTION_NO_VALUE, .call = record_say },
	{ OPTION_CALL, 0, "buildid-all", NULL,
	  N_("a table of all modules that were mapped, not only of those that a sample lies in; into "
	     "the cache too, without -N"),
	  AT(buildids.all), OPTION_NO | OPTION_NO_VALUE, .call = record_say },
	{ OPTION_CALL, 0, "buildid-mmap", NULL,
	  N_("build-ids in the records of what is mapped, by the kernel, as ptui has it by itself; "
	     "refused where the kernel cannot. --no-buildid-mmap: a table, and the cache"),
	  AT(buildids.mmap), OPTION_NO | OPTION_NO_VALUE, .call = record_say },
	{ OPTION_GROUP, .help = N_("What is said") },
	{ OPTION_FLAG, 'q', "quiet", .help = N_("print errors only"), AT(quiet),
	  .flags = OPTION_NO },
	{ OPTION_FLAG, 'v', "verbose", .help = N_("print what is done as well"), AT(verbose),
	  .flags = OPTION_NO },
	{ .type = OPTION_END },
};

const struct cli_setting record_settings[] = {
	{ "record.build-id", N_("cache|no-cache|skip|mmap"),
	  N_("Where ptui record keeps build-ids: in a table of the file, and the modules in the cache; "
	     "in a table; nowhere; in the records of what is mapped, as without this setting."),
	  offsetof(struct record_options, buildids.usual), record_buildid_setting },
	{ "buildid.dir", N_("DIR"),
	  N_("The cache, where the command line has no --buildid-dir; /dev/null: there is none."),
	  offsetof(struct record_options, buildids.dir), cli_setting_text },
	{ .name = NULL },
};

int record_options_settle(const struct cli *cli, struct record_options *o, struct ptui_error *err)
{
	struct ptui_record_opts *opts = &o->opts;

	if (record_events_complete(&o->events))
		return ptui_error_nomem(err);
	opts->events = o->events.texts.words;
	opts->n_events = o->events.texts.n;
	opts->filters = (const char *const *)o->events.filters;
	opts->exclude_self = o->events.exclude_self;
	opts->pids = o->pids.pids;
	opts->n_pids = o->pids.n;
	record_settle_buildids(&o->buildids, opts);
	opts->buildid_dir = cli->buildid_dir ? cli->buildid_dir : o->buildids.dir;
	opts->tids = o->tids.pids;
	opts->n_tids = o->tids.n;
	opts->cgroups = o->cgroups.texts.words;
	opts->cgroup_after = o->cgroups.after;
	opts->n_cgroups = o->cgroups.texts.n;
	if (opts->freq_hz && opts->period)
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, NULL,
				      _("-F and -c exclude each other: samples are taken so often, "
					"or every so many events"));
	if (opts->output && (!*opts->output || !strcmp(opts->output, "-")))
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, opts->output,
				      _("-o needs the name of a file, not '%s'"), opts->output);
	return 0;
}

void record_options_release(struct record_options *o)
{
	record_events_release(&o->events);
	free(o->pids.pids);
	free(o->buildids.dir);
	free(o->tids.pids);
	free(o->cgroups.after);
	option_words_release(&o->cgroups.texts);
}
