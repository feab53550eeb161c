/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `ptui record`: perf's closing lines and the exit status; its options are in record_options.c. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/i18n.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/out.h"
#include "cli/record/record_options.h"
#include "ptui/doctor.h"
#include "ptui/record.h"

static struct ptui_recording *volatile recording;
static volatile sig_atomic_t caught;

static void stop_recording(int number)
{
	struct ptui_recording *r = recording;

	caught = number;
	if (r)
		ptui_recording_stop(r);
}

/* Ignored if nothing is kept, as in perf. */
static void on_snapshot_signal(int number)
{
	struct ptui_recording *r = recording;

	(void)number;
	if (r)
		ptui_recording_snapshot(r, PTUI_SNAPSHOT_SIGNAL);
}

/*
 * No action: the signal must not kill ptui; writing to a closed pipe, or beyond a file size limit,
 * then fails with an error.
 */
static void ignore_signal(int number)
{
	(void)number;
}

/*
 * Handlers instead of SIG_IGN, which the command would inherit. Signals ignored by nohup stay
 * ignored; SIGINT is caught even if a shell started the job in the background, as in perf.
 */
static void handle_signals(void)
{
	/* perf ends at SIGUSR1, too: it is what one types for SIGUSR2 by mistake */
	static const int enders[] = { SIGINT, SIGTERM, SIGHUP, SIGUSR1 };
	struct sigaction stop = { .sa_handler = stop_recording, .sa_flags = SA_RESTART };
	struct sigaction harmless = { .sa_handler = ignore_signal, .sa_flags = SA_RESTART };
	struct sigaction snapshot = { .sa_handler = on_snapshot_signal, .sa_flags = SA_RESTART };
	struct sigaction old;

	for (size_t i = 0; i < sizeof(enders) / sizeof(*enders); i++) {
		if (!sigaction(enders[i], NULL, &old) && old.sa_handler == SIG_IGN &&
		    enders[i] == SIGHUP)
			continue;
		sigaction(enders[i], &stop, NULL);
	}
	sigaction(SIGPIPE, &harmless, NULL);
	sigaction(SIGXFSZ, &harmless, NULL);
	sigaction(SIGUSR2, &snapshot, NULL);
}

/* How long the kernel could not write, and how soon it could again. */
static void print_pause(const struct ptui_snapshot *s)
{
	if (s->pause_ns)
		fprintf(stderr, _("; ring buffers paused for %.3f ms"), (double)s->pause_ns / 1e6);
	if (s->pause_ns && s->react_ns)
		fprintf(stderr, _(", resumed %.3f ms after the trigger"),
			(double)s->react_ns / 1e6);
	else if (s->react_ns)
		fprintf(stderr, _("; taken %.3f ms after the trigger"), (double)s->react_ns / 1e6);
	if (s->lost)
		fprintf(stderr,
			Q_("; %llu sample was lost during it", "; %llu samples were lost during it",
			   s->lost),
			(unsigned long long)s->lost);
}

static void print_kept(const struct ptui_snapshot *s)
{
	fprintf(stderr,
		Q_("[ ptui record: snapshot at %.3f s: %llu sample in %.3f s, %llu of them new",
		   "[ ptui record: snapshot at %.3f s: %llu samples in %.3f s, %llu of them new",
		   s->samples),
		(double)s->taken_ns / 1e9, (unsigned long long)s->samples, (double)s->span_ns / 1e9,
		(unsigned long long)s->new_samples);
	print_pause(s);
	if (s->new_samples < s->samples)
		fprintf(stderr, _("; %.3f s overlap the previous snapshot"),
			(double)s->overlap_ns / 1e9);
	fputs(" ]\n", stderr);
}

/* With -M. */
static void print_memory(const struct ptui_record_stats *s)
{
	if (s->forgotten_samples)
		fprintf(stderr,
			Q_("[ ptui record: %llu older sample did not fit into memory (-M) ]\n",
			   "[ ptui record: %llu older samples did not fit into memory (-M) ]\n",
			   s->forgotten_samples),
			(unsigned long long)s->forgotten_samples);
}

static void print_file(const struct ptui_snapshot *s)
{
	struct buf shown = BUF_INIT;

	text_escape(&shown, s->path);
	fprintf(stderr, _("[ ptui record: Dump %s ]\n"), buf_str(&shown));
	buf_release(&shown);
}

/* What the recorder thread prints while recording, and what it leaves for the end. */
struct progress {
	bool quiet;
	bool files; /* snapshot files exist: the total is not that of the last file */
};

/* Printed even if no kept sample is new, since it was requested. */
static void print_snapshot(void *ctx, const struct ptui_snapshot *s)
{
	struct progress *p = ctx;

	p->files |= s->path != NULL;
	if (p->quiet)
		return;
	if (s->kept)
		print_kept(s);
	if (s->aux_bytes)
		fprintf(stderr, _("[ ptui record: AUX snapshot at %.3f s: %.3f MB ]\n"),
			(double)s->taken_ns / 1e9, (double)s->aux_bytes / 1024 / 1024);
	if (s->path)
		print_file(s);
}

static void print_removed(size_t n)
{
	if (n)
		fprintf(stderr,
			Q_("[ ptui record: %zu older file was removed (--switch-max-files, keep) ]\n",
			   "[ ptui record: %zu older files were removed (--switch-max-files, keep) ]\n",
			   n),
			n);
}

static void print_written(const struct ptui_record_stats *s, const char *path, bool all)
{
	struct buf shown = BUF_INIT;
	struct stat st;
	/* with -M not all samples are in the file */
	uint64_t bytes = s->bytes, samples = s->samples - s->held_samples - s->forgotten_samples;

	if (!stat(path, &st) && S_ISREG(st.st_mode))
		bytes = (uint64_t)st.st_size;
	text_escape(&shown, path);
	fprintf(stderr, _("[ ptui record: Captured and wrote %.3f MB %s"),
		(double)bytes / 1024 / 1024, buf_str(&shown));
	if (samples && all)
		fprintf(stderr, Q_(" (%llu sample)", " (%llu samples)", samples),
			(unsigned long long)samples);
	if (s->ratio > 0)
		fprintf(stderr, _(", compressed (original %.3f MB, ratio is %.3f)"),
			(double)s->raw_bytes / 1024 / 1024, s->ratio);
	fputs(" ]\n", stderr);
	buf_release(&shown);
}

static void warn_of_children(const struct cli *cli, const struct ptui_recording *r, pid_t pid)
{
	char children[4096];

	ptui_recording_children(r, children, sizeof(children));
	if (*children)
		cli_warn(
			cli,
			_("no samples of process %d; its children must be selected as well: -p %s"),
			(int)pid, children);
}

/* perf's closing lines, and what is missing in the file. */
static void print_end(const struct cli *cli, struct ptui_recording *r,
		      const struct ptui_record_opts *opts, bool files)
{
	const struct ptui_record_output *out = &opts->out;
	const char *path = ptui_recording_output(r);
	struct ptui_record_stats s;
	uint64_t lost;

	ptui_recording_get_stats(r, &s);
	if (s.size_reached)
		fprintf(stderr, _("[ ptui record: size limit reached (%llu KB), stopping ]\n"),
			(unsigned long long)out->max_bytes >> 10);
	if (s.limit_reached)
		fprintf(stderr,
			_("[ ptui record: limit of overflows reached (%llu per counter), stopping ]\n"),
			(unsigned long long)opts->overflow_limit);
	fprintf(stderr, _("[ ptui record: Woken up %llu times to write data ]\n"),
		(unsigned long long)s.wakeups);
	print_removed(s.removed_files);
	if (out->memory_bytes)
		print_memory(&s);
	print_written(&s, path, !files);
	if (opts->n_pids && !s.samples && !s.aux_bytes)
		warn_of_children(cli, r, opts->pids[0]);
	lost = (s.lost > s.lost_samples ? s.lost : s.lost_samples) - s.lost_sideband;
	if (lost)
		cli_warn(
			cli,
			Q_("%llu sample was lost: it arrived faster than it could be written; use "
			   "a lower -F or a higher -c",
			   "%llu samples were lost: they arrived faster than they could be written; use "
			   "a lower -F or a higher -c",
			   lost),
			(unsigned long long)lost);
	if (s.lost_sideband)
		cli_warn(
			cli,
			Q_("%llu sideband record (names and maps) was lost: functions and processes "
			   "may have wrong or missing names; use larger ring buffers (-m)",
			   "%llu sideband records (names and maps) were lost: functions and processes "
			   "may have wrong or missing names; use larger ring buffers (-m)",
			   s.lost_sideband),
			(unsigned long long)s.lost_sideband);
	if (s.not_unwound)
		cli_warn(
			cli,
			Q_("the user stack of %llu sample was not unwound in time; use a lower -F, or -g",
			   "the user stacks of %llu samples were not unwound in time; use a lower -F, or "
			   "-g",
			   s.not_unwound),
			(unsigned long long)s.not_unwound);
	if (s.aux_truncated)
		cli_warn(
			cli,
			Q_("AUX data was truncated %llu time: an AUX area was full; use a larger one "
			   "(-m ,SIZE)",
			   "AUX data was truncated %llu times: an AUX area was full; use a larger one "
			   "(-m ,SIZE)",
			   s.aux_truncated),
			(unsigned long long)s.aux_truncated);
	if (s.throttled)
		cli_warn(
			cli,
			Q_("the kernel throttled sampling %llu time: parts of the recording have fewer "
			   "samples than requested",
			   "the kernel throttled sampling %llu times: parts of the recording have fewer "
			   "samples than requested",
			   s.throttled),
			(unsigned long long)s.throttled);
	if ((lost || s.throttled) && s.reached_hz < s.asked_hz)
		cli_warn(
			cli,
			_("the average sampling frequency per event and CPU was %llu Hz instead of "
			  "%llu Hz"),
			(unsigned long long)s.reached_hz, (unsigned long long)s.asked_hz);
}

/* -v: what recording cost in ptui. What a sample costs in the kernel, doctor measures. */
static void print_cost(const struct cli *cli, const struct ptui_recording *r)
{
	struct ptui_record_stats s;
	const char *by;
	double share;

	ptui_recording_get_stats(r, &s);
	by = s.cost_counted ? _("counted by task-clock") :
			      _("by its clock, since task-clock was refused");
	share = s.elapsed_ns ? 100.0 * (double)s.cost_ns / (double)s.elapsed_ns : 0;
	if (s.samples)
		cli_warn(cli,
			 _("cost of the recorder thread: %.3f ms of CPU time, %.2f us per sample, "
			   "%.2f%% of a CPU (%s)"),
			 (double)s.cost_ns / 1e6, (double)s.cost_ns / 1e3 / (double)s.samples,
			 share, by);
	else
		cli_warn(
			cli,
			_("cost of the recorder thread: %.3f ms of CPU time, %.2f%% of a CPU, without "
			  "any sample (%s)"),
			(double)s.cost_ns / 1e6, share, by);
}

static int record(struct cli *cli, struct ptui_record_opts *opts, bool quiet)
{
	struct progress progress = { .quiet = quiet };
	struct ptui_error err = PTUI_ERROR_INIT;
	struct ptui_recording *r;
	int status, ret;
	bool started;

	opts->took_snapshot = print_snapshot;
	opts->took_snapshot_ctx = &progress;
	r = ptui_recording_new(opts, &err);
	if (!r)
		return cli_failed(cli, &err);
	recording = r;
	handle_signals();
	ret = ptui_recording_start(r, &err);
	started = !ret;
	if (started)
		ret = ptui_recording_join(r, &err);
	/* also of a recording that failed later: the file has what was recorded until then */
	if (started && !quiet)
		print_end(cli, r, opts, progress.files);
	if (started && opts->measure_cost)
		print_cost(cli, r);
	status = ret ? cli_failed(cli, &err) :
		       cli_exit_like(cli, caught, ptui_recording_child_status(r));
	recording = NULL;
	ptui_recording_free(r);
	return status;
}

/* --dry-run: records nothing; reports what would be refused. */
static int check_only(struct cli *cli, const struct ptui_record_opts *opts)
{
	struct ptui_check check;
	int status = CLI_OK;

	if (ptui_record_check(opts, &check))
		status = cli_failed(cli, &check.error);
	for (size_t i = 0; i < check.n_problems; i++) {
		struct ptui_problem *p = &check.problems[i];

		if (p->refused)
			status = cli_failed(cli, &p->what);
		else
			cli_warn(cli, "%s", p->what.text);
	}
	ptui_check_release(&check);
	return status;
}

/* ---- --tui ---- */

/* What was given that the Live screen cannot do; NULL: nothing. */
static const char *only_text(const struct record_options *o)
{
	return o->dry_run ? "--dry-run" : o->quiet ? "--quiet" : o->verbose ? "--verbose" : NULL;
}

static int cannot_show(const struct cli *cli)
{
	struct ptui_error err = PTUI_ERROR_INIT;

	ptui_error_set(&err, PTUI_ERROR_SYSTEM, ENOTTY, "--tui",
		       _("cannot open the screen: this terminal cannot show it"));
	ptui_error_hint(&err, _("without --tui, ptui records without a screen"));
	return cli_failed(cli, &err);
}

static int record_on_screen(struct cli *cli, struct record_options *o)
{
	const struct ptui_cli_hooks *hooks = cli->hooks;
	struct ptui_error err = PTUI_ERROR_INIT;
	const char *parting;
	int ret;

	if (only_text(o)) {
		ptui_error_set(&err, PTUI_ERROR_INPUT, ENOTSUP, only_text(o),
			       _("%s cannot be used together with --tui"), only_text(o));
		return cli_misused(cli, &err);
	}
	if (!hooks || !hooks->record || !isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return cannot_show(cli);
	o->quiet = true; /* --control prints nothing on the screen */
	cli_log_quiet(true);
	ret = hooks->record(hooks->ctx, &o->opts, &err);
	cli_log_quiet(false);
	parting = hooks->parting ? hooks->parting(hooks->ctx) : NULL;
	if (parting)
		cli_warn(cli, "%s", parting);
	if (ret == -ENOTTY)
		return cannot_show(cli);
	return ret ? cli_failed(cli, &err) : CLI_OK;
}

static int run_with(struct cli *cli, struct record_options *o, char **command)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct buf cmdline = BUF_INIT;
	int status;

	if (record_options_settle(cli, o, &err))
		return cli_rejected(cli, &err);
	if (o->quiet)
		cli_log_quiet(true);
	else if (o->verbose)
		cli_log_verbose();
	o->opts.measure_cost = o->verbose && !o->quiet;
	record_add_cmdline((const char *const *)cli->argv, (size_t)cli->argc, &cmdline);
	o->opts.argv = command;
	o->opts.cmdline = cmdline.data;
	o->opts.cmdline_bytes = cmdline.len;
	status = cmdline.err ? cli_nomem(cli) :
		 o->tui	     ? record_on_screen(cli, o) :
		 o->dry_run  ? check_only(cli, &o->opts) :
			       record(cli, &o->opts, o->quiet);
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
		status = run_with(cli, &o, words.n_words ? argv : NULL);
	} else {
		status = cli->status;
	}
	record_options_release(&o);
	return status;
}

static const char *const record_usage[] = {
	N_("[OPTIONS] [COMMAND [ARGUMENTS]]"),
	N_("[OPTIONS] -- COMMAND [ARGUMENTS]"),
	NULL,
};

static const struct cli_example record_examples[] = {
	{ "ptui record -g -- make -j4",
	  N_("Record make and all its child processes, with callchains.") },
	{ "ptui record -F 99 -ag sleep 10", N_("Record the whole system for ten seconds.") },
	{ "ptui record -p 1234", N_("Record a running process until ^C.") },
	{ "ptui record --tui -g -- make -j4",
	  N_("The same as the first, watched on the Live screen.") },
	{ "ptui record -e page-faults -c 1 ./program",
	  N_("Record every page fault of a program.") },
	{ NULL, NULL },
};

const struct cli_command cmd_record = {
	.name = "record",
	.summary = N_("record a command or what is running into perf.data"),
	.usage = record_usage,
	.text = N_(
		"Samples a command, processes or the whole system, and writes the samples to "
		"perf.data, which 'perf' reads as well. The recording ends when the command "
		"or the last of the processes exits, or on ^C, SIGTERM or SIGHUP; the file "
		"is complete in each case.\n"
		"\n"
		"The first word that is not an option starts the command. ptui exits as the "
		"command did: with its exit status, or by the same signal.\n"
		"\n"
		"With --tui, the recording is shown on the Live screen while it runs, and in the "
		"browser when it has ended; '?' lists the keys. The command then has a terminal "
		"of its own ('o' shows its output), and ptui exits with 0."),
	.options = record_options,
	.settings = record_settings,
	.examples = record_examples,
	.run = run_record,
};
