/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `ptui record`: perf's options, perf's closing lines, and the command's own end. */
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include "base/i18n.h"
#include "base/text.h"
#include "base/vec.h"
#include "cli/command.h"
#include "cli/out.h"
#include "ptui/record.h"

struct pid_words {
	pid_t *pids;
	size_t n;
	size_t cap;
};

/* Texts of -e in their order; those that were put together here, to be freed. */
struct record_events {
	struct option_words texts;
	struct option_words own;
	/* by text, as long as the last one that has any */
	char **filters;
	size_t cap_filters;
	bool *exclude_self;
	size_t cap_exclude_self;
};

struct record_options {
	struct record_events events;
	uint64_t freq_hz;
	uint64_t period;
	bool callchain;
	bool all_cpus;
	struct pid_words pids;
	bool no_inherit;
	const char *output;
	bool quiet;
	bool verbose;
};

/* "12,345" */
static int read_pids(void *field, const char *value, bool unset, struct ptui_error *err)
{
	struct pid_words *list = field;
	char one[16];

	(void)unset;
	for (;;) {
		size_t n = strcspn(value, ",");
		uint64_t pid;

		if (n >= sizeof(one))
			break;
		memcpy(one, value, n);
		one[n] = '\0';
		if (option_number(one, 1, INT32_MAX, &pid))
			break;
		if (vec_grow(&list->pids, &list->cap, list->n + 1))
			return ptui_error_nomem(err);
		list->pids[list->n++] = (pid_t)pid;
		if (!value[n])
			return 0;
		value += n + 1;
	}
	return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, value,
			      _("'%.*s' is no process id"), (int)strcspn(value, ","), value);
}

#define AT(field) .offset = offsetof(struct record_options, field)

/* "a:x,{b,c}" to "pfm:a:x,{pfm:b,pfm:c}", which -e takes. */
static int add_pfm(void *field, const char *value, bool unset, struct ptui_error *err)
{
	struct record_events *events = field;
	struct buf text = BUF_INIT;
	bool at_name = true;
	char *copy;

	(void)unset;
	for (; *value; value++) {
		if (at_name && !strchr("{},", *value)) {
			buf_add_str(&text, "pfm:");
			at_name = false;
		}
		at_name |= *value == ',' || *value == '{';
		buf_add_char(&text, *value);
	}
	buf_add_str(&text, "");
	copy = buf_take(&text);
	buf_release(&text);
	if (!copy || option_words_add(&events->own, copy)) {
		free(copy);
		return ptui_error_nomem(err);
	}
	return option_words_add(&events->texts, copy) ? ptui_error_nomem(err) : 0;
}

/* The -e before; what comes behind it may have none. */
static int last_event(const struct record_events *events, const char *option, size_t *ret,
		      struct ptui_error *err)
{
	if (!events->texts.n)
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, option,
				      _("it belongs behind the -e that it is for"));
	*ret = events->texts.n - 1;
	return 0;
}

/* Of several for one -e all must hold. */
static int add_filter(void *field, const char *value, bool unset, struct ptui_error *err)
{
	struct record_events *events = field;
	size_t i = 0, had = events->cap_filters;
	struct buf both = BUF_INIT;
	char *copy;

	(void)unset;
	if (last_event(events, "--filter", &i, err))
		return -EINVAL;
	if (vec_grow(&events->filters, &events->cap_filters, i + 1))
		return ptui_error_nomem(err);
	for (; had < events->cap_filters; had++)
		events->filters[had] = NULL;
	if (events->filters[i])
		buf_addf(&both, "(%s) && (%s)", events->filters[i], value);
	else
		buf_add_str(&both, value);
	copy = buf_take(&both);
	buf_release(&both);
	if (!copy)
		return ptui_error_nomem(err);
	free(events->filters[i]);
	events->filters[i] = copy;
	return 0;
}

static int add_exclude_perf(void *field, const char *value, bool unset, struct ptui_error *err)
{
	struct record_events *events = field;
	size_t i = 0, had = events->cap_exclude_self;

	(void)value;
	(void)unset;
	if (last_event(events, "--exclude-perf", &i, err))
		return -EINVAL;
	if (vec_grow(&events->exclude_self, &events->cap_exclude_self, i + 1))
		return ptui_error_nomem(err);
	for (; had < events->cap_exclude_self; had++)
		events->exclude_self[had] = false;
	events->exclude_self[i] = true;
	return 0;
}

/* As long as there are texts: those behind the last one have none. 0 or -ENOMEM. */
static int events_complete(struct record_events *events)
{
	size_t n = events->texts.n, filters = events->cap_filters, self = events->cap_exclude_self;

	if (vec_grow(&events->filters, &events->cap_filters, n) ||
	    vec_grow(&events->exclude_self, &events->cap_exclude_self, n))
		return -ENOMEM;
	for (; filters < events->cap_filters; filters++)
		events->filters[filters] = NULL;
	for (; self < events->cap_exclude_self; self++)
		events->exclude_self[self] = false;
	return 0;
}

static void events_release(struct record_events *events)
{
	for (size_t i = 0; i < events->cap_filters; i++)
		free(events->filters[i]);
	free(events->filters);
	free(events->exclude_self);
	for (size_t i = 0; i < events->own.n; i++)
		free((char *)events->own.words[i]);
	option_words_release(&events->own);
	option_words_release(&events->texts);
}

static const struct option record_options[] = {
	{ OPTION_GROUP, .help = N_("What is measured") },
	{ OPTION_MULTI, 'e', "event", N_("EVENT"),
	  N_("an event, or several with commas, as 'ptui list' names them; may be repeated. "
	     "Without it: cycles, or cpu-clock where there are no hardware counters"),
	  AT(events) },
	{ OPTION_CALL, 0, "pfm-events", N_("EVENT"),
	  N_("an event of the processor's manual, as libpfm4 names it (see ptui list vendor)"),
	  AT(events), .call = add_pfm },
	{ OPTION_CALL, 0, "filter", N_("FILTER"),
	  N_("of the tracepoints of the -e before only those for which this holds, such as "
	     "'prev_pid != 0 && next_comm ~ \"cc*\"'; 'ptui list -v NAME' has the fields"),
	  AT(events), .call = add_filter },
	{ OPTION_CALL, 0, "exclude-perf", NULL,
	  N_("of the tracepoints of the -e before nothing that ptui itself does"), AT(events),
	  OPTION_NO_VALUE, .call = add_exclude_perf },
	{ OPTION_NUMBER, 'F', "freq", N_("HZ"),
	  N_("so many samples a second (of each event on each CPU); 4000 if nothing is said"),
	  AT(freq_hz), .min = 1, .max = UINT64_MAX },
	{ OPTION_NUMBER, 'c', "count", N_("N"), N_("one sample every N events, instead of -F"),
	  AT(period), .min = 1, .max = UINT64_MAX },
	{ OPTION_FLAG, 'g', NULL, .help = N_("call chains as well, by frame pointers"),
	  AT(callchain) },
	{ OPTION_GROUP, .help = N_("Whom") },
	{ OPTION_FLAG, 'a', "all-cpus",
	  .help = N_("the whole machine; also when neither a command nor a process is given"),
	  AT(all_cpus), .flags = OPTION_NO },
	{ OPTION_CALL, 'p', "pid", N_("PID[,PID...]"),
	  N_("these processes, with their threads; with a command: while it runs"), AT(pids),
	  .call = read_pids },
	{ OPTION_FLAG, 'i', "no-inherit", .help = N_("not the children and new threads of it"),
	  AT(no_inherit), .flags = OPTION_NO },
	{ OPTION_GROUP, .help = N_("Output") },
	{ OPTION_STRING, 'o', "output", N_("FILE"), N_("the recording, instead of perf.data"),
	  AT(output) },
	{ OPTION_FLAG, 'q', "quiet", .help = N_("print errors only"), AT(quiet),
	  .flags = OPTION_NO },
	{ OPTION_FLAG, 'v', "verbose", .help = N_("print what is done as well"), AT(verbose),
	  .flags = OPTION_NO },
	{ .type = OPTION_END },
};

#undef AT

static struct ptui_recording *volatile recording;
static volatile sig_atomic_t caught;

static void stop_recording(int number)
{
	struct ptui_recording *r = recording;

	caught = number;
	if (r)
		ptui_recording_stop(r);
}

/* Has no effect of its own: a write to a closed pipe fails, the file is finished all the same. */
static void survive(int number)
{
	(void)number;
}

/*
 * Handlers, not SIG_IGN, which the command would inherit. What nohup took away stays away;
 * SIGINT is taken even where a shell has put the job into the background, as perf does.
 */
static void catch_signals(void)
{
	static const int enders[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction stop = { .sa_handler = stop_recording, .sa_flags = SA_RESTART };
	struct sigaction pipe_closed = { .sa_handler = survive, .sa_flags = SA_RESTART };
	struct sigaction old;
	size_t i;

	for (i = 0; i < sizeof(enders) / sizeof(*enders); i++) {
		if (!sigaction(enders[i], NULL, &old) && old.sa_handler == SIG_IGN &&
		    enders[i] == SIGHUP)
			continue;
		sigaction(enders[i], &stop, NULL);
	}
	sigaction(SIGPIPE, &pipe_closed, NULL);
}

/* What a shell asks ptui to do, word by word. */
static void add_cmdline(const struct cli *cli, struct buf *out)
{
	int i;

	for (i = 0; i < cli->argc; i++) {
		buf_add_str(out, cli->argv[i]);
		buf_add_char(out, '\0');
	}
}

/* -EINVAL: the options contradict each other. */
static int check(const struct cli *cli, struct record_options *o, struct ptui_error *err)
{
	if (o->freq_hz && o->period)
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, NULL,
				      _("-F and -c exclude each other: samples are taken so often, "
					"or every so many events"));
	if (o->output && (!*o->output || !strcmp(o->output, "-")))
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, o->output,
				      _("-o needs the name of a file, not '%s'"), o->output);
	if (o->all_cpus && o->pids.n) {
		cli_warn(cli, _("-p overrides -a: only the processes are recorded"));
		o->all_cpus = false;
	}
	return 0;
}

/* perf's two closing lines, and what is missing in the file. */
static void tell_end(const struct cli *cli, const struct ptui_recording *r)
{
	const char *path = ptui_recording_output(r);
	struct ptui_record_stats s;
	struct buf shown = BUF_INIT;
	uint64_t lost;
	double megabytes;
	struct stat st;

	ptui_recording_get_stats(r, &s);
	megabytes = (double)(stat(path, &st) ? s.bytes : (uint64_t)st.st_size) / 1024 / 1024;
	text_escape(&shown, path);
	fprintf(stderr, _("[ ptui record: Woken up %llu times to write data ]\n"),
		(unsigned long long)s.wakeups);
	if (s.samples)
		fprintf(stderr,
			_("[ ptui record: Captured and wrote %.3f MB %s (%llu samples) ]\n"),
			megabytes, buf_str(&shown), (unsigned long long)s.samples);
	else
		fprintf(stderr, _("[ ptui record: Captured and wrote %.3f MB %s ]\n"), megabytes,
			buf_str(&shown));
	buf_release(&shown);
	lost = s.lost > s.lost_samples ? s.lost : s.lost_samples;
	if (lost)
		cli_warn(cli,
			 _("%llu samples were lost: they came faster than they could be written; "
			   "a lower -F or a higher -c loses fewer"),
			 (unsigned long long)lost);
	if (s.throttled)
		cli_warn(cli,
			 _("the kernel held sampling back %llu times: there are stretches with fewer "
			   "samples than asked for"),
			 (unsigned long long)s.throttled);
}

/*
 * The command's end becomes ours, as with perf: the signal it died of, else the signal that we
 * were ended with (however the command took that), else its status.
 */
static int take_status(struct cli *cli, int child_status)
{
	cli->signal = caught;
	if (child_status == -1)
		return CLI_OK;
	if (WIFSIGNALED(child_status))
		cli->signal = WTERMSIG(child_status);
	return WIFEXITED(child_status) ? WEXITSTATUS(child_status) : CLI_OK;
}

static int record(struct cli *cli, const struct ptui_record_opts *opts, bool quiet)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct ptui_recording *r = ptui_recording_new(opts, &err);
	int status, ret;

	if (!r)
		return cli_failed(cli, &err);
	recording = r;
	catch_signals();
	ret = ptui_recording_start(r, &err);
	if (!ret)
		ret = ptui_recording_join(r, &err);
	if (ret) {
		status = cli_failed(cli, &err);
	} else {
		if (!quiet)
			tell_end(cli, r);
		status = take_status(cli, ptui_recording_child_status(r));
	}
	recording = NULL;
	ptui_recording_free(r);
	return status;
}

static int run_with(struct cli *cli, struct record_options *o, char **command)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct ptui_record_opts opts = {
		.events = o->events.texts.words,
		.n_events = o->events.texts.n,
		.filters = (const char *const *)o->events.filters,
		.exclude_self = o->events.exclude_self,
		.freq_hz = o->freq_hz,
		.period = o->period,
		.callchain = o->callchain,
		.no_inherit = o->no_inherit,
		.pids = o->pids.pids,
		.n_pids = o->pids.n,
		.argv = command,
		.output = o->output,
	};
	struct buf cmdline = BUF_INIT;
	int status;

	if (check(cli, o, &err))
		return cli_misused(cli, &err);
	opts.system_wide = o->all_cpus;
	if (o->quiet)
		cli_log_quiet(true);
	else if (o->verbose)
		cli_log_verbose();
	add_cmdline(cli, &cmdline);
	opts.cmdline = cmdline.data;
	opts.cmdline_bytes = cmdline.len;
	if (cmdline.err) {
		ptui_error_nomem(&err);
		status = cli_failed(cli, &err);
	} else {
		status = record(cli, &opts, o->quiet);
	}
	buf_release(&cmdline);
	return status;
}

static int run_record(struct cli *cli, int argc, char **argv)
{
	struct record_options o = { 0 };
	struct option_result words;
	int status;

	if (cli_parse(cli, &o, argc, argv, OPTION_STOP_AT_WORD, &words)) {
		argv[words.n_words] = NULL;
		if (events_complete(&o.events)) {
			cli_warn(cli, "%s", _("out of memory"));
			status = CLI_FAILED;
		} else {
			status = run_with(cli, &o, words.n_words ? argv : NULL);
		}
	} else {
		status = cli->status;
	}
	events_release(&o.events);
	free(o.pids.pids);
	return status;
}

static const char *const record_usage[] = {
	N_("[OPTIONS] [COMMAND [ARGUMENTS]]"),
	N_("[OPTIONS] -- COMMAND [ARGUMENTS]"),
	NULL,
};

static const struct cli_example record_examples[] = {
	{ "ptui record -g -- make -j4", N_("Records make and all that it starts, with call chains.") },
	{ "ptui record -F 99 -ag sleep 10", N_("The whole machine for ten seconds.") },
	{ "ptui record -p 1234", N_("A process that runs already, until ^C.") },
	{ "ptui record -e page-faults -c 1 ./program", N_("Every page fault of a program.") },
	{ NULL, NULL },
};

const struct cli_command cmd_record = {
	.name = "record",
	.summary = N_("run a command, or watch what runs, and record it into perf.data"),
	.usage = record_usage,
	.text = N_("Samples what the command, a process or the machine does, and writes the samples "
		   "into perf.data, which 'perf' reads as well. The recording ends when the command "
		   "or the last of the processes does, or with ^C, SIGTERM or SIGHUP; the file is "
		   "whole then, too.\n\n"
		   "The first word that is no option begins the command. ptui ends as the command "
		   "did: with its exit status, or of the same signal."),
	.options = record_options,
	.examples = record_examples,
	.run = run_record,
};
