/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `ptui inject`: a recording, written again with something added or changed. */
#include "inject/inject.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/file.h"
#include "base/i18n.h"
#include "cli/command.h"
#include "cli/out.h"
#include "cli/recording.h"

#define STREAM	   "-" /* standard input, standard output */
#define COPY_BYTES ((size_t)256 << 10)

struct inject_values {
	struct recording_opts in;
	struct inject_opts inject;
	bool verbose, force, ignore_vmlinux;
};

/* Why some options of perf inject are not supported. */
static const char not_trace[] = N_("ptui does not decode AUX area traces");
static const char not_guest[] = N_("ptui does not merge recordings of virtual machines");

/* ---- the command ---- */

static bool is_same_file(const char *a, const char *b)
{
	struct stat x, y;

	return !stat(a, &x) && !stat(b, &y) && S_ISREG(x.st_mode) && x.st_dev == y.st_dev &&
	       x.st_ino == y.st_ino;
}

static int check(struct cli *cli, const struct inject_values *v, const char *word)
{
	struct ptui_error err = PTUI_ERROR_INIT;

	if (word)
		return cli_invalid(cli, _("unexpected '%s'"), word);
	if (v->inject.sched_stat && v->inject.convert_callchain)
		return cli_invalid(cli, _("-s cannot be used with --convert-callchain"));
	if (v->inject.strip && !v->inject.sched_stat && !v->inject.convert_callchain)
		return cli_invalid(
			cli,
			_("--strip requires -s or --convert-callchain, whose samples it keeps"));
	if (is_same_file(v->in.input, v->inject.output)) {
		ptui_error_set(&err, PTUI_ERROR_INPUT, EINVAL, v->inject.output,
			       _("%s is the input, which is not overwritten"), v->inject.output);
		return cli_failed(cli, &err);
	}
	if (!strcmp(v->inject.output, STREAM) && isatty(STDOUT_FILENO))
		return cli_invalid(cli, _("the output is no text: -o FILE, or a pipe"));
	return CLI_OK;
}

static void print_result(const struct cli *cli, const struct inject_values *v,
			 const struct inject_result *r)
{
	const struct inject_opts *o = &v->inject;

	if (o->build_ids)
		cli_warn(cli, _("build-ids added: %" PRIu64), r->build_ids);
	if (o->sched_stat)
		cli_warn(cli,
			 _("samples merged: %" PRIu64
			   "; left out, since the task was not seen going to sleep: %" PRIu64),
			 r->merged, r->unmerged);
	if (o->jit)
		cli_warn(cli, _("functions written to ELF files: %" PRIu64), r->jit_functions);
	if (o->convert_callchain)
		cli_warn(cli, _("stacks unwound: %" PRIu64 "; %.1f MB became %.1f MB"),
			 r->converted, (double)r->bytes_in / 1e6, (double)r->bytes_out / 1e6);
	if (o->strip)
		cli_warn(cli, _("other samples left out: %" PRIu64), r->stripped);
}

/* A file that is gone when it is closed. A negative errno: none can be made. */
static int open_temporary(const char **ret_folder)
{
	const char *folder = getenv("TMPDIR");
	char path[PATH_MAX];
	int fd;

	*ret_folder = folder && *folder ? folder : "/tmp";
	fd = open(*ret_folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR))
		return fd < 0 ? -errno : fd;
	if (snprintf(path, sizeof(path), "%s/ptui-inject-XXXXXX", *ret_folder) >= (int)sizeof(path))
		return -ENAMETOOLONG;
	fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0)
		unlink(path);
	return fd < 0 ? -errno : fd;
}

static int copy_all(int from, int to)
{
	char *bytes = malloc(COPY_BYTES);
	ssize_t n = bytes ? 1 : -ENOMEM;
	int ret = 0;

	while (!ret && n > 0) {
		n = file_read_full(from, bytes, COPY_BYTES);
		if (n > 0)
			ret = file_write_all(to, bytes, (size_t)n);
	}
	free(bytes);
	return n < 0 ? (int)n : ret;
}

/*
 * What comes through a pipe is read twice, for its maps and for its samples. In a temporary file, in
 * place of standard input, it takes no memory.
 */
static int keep_pipe(const char **input, struct ptui_error *err)
{
	bool is_stdin = !strcmp(*input, STREAM);
	const char *folder = "";
	struct stat st;
	int ret, to, from = STDIN_FILENO;

	if (is_stdin ? fstat(from, &st) : stat(*input, &st))
		return 0; /* opening it says why */
	if (!S_ISFIFO(st.st_mode) && !S_ISSOCK(st.st_mode))
		return 0;
	if (!is_stdin)
		from = open(*input, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (from < 0)
		return 0;
	to = open_temporary(&folder);
	ret = to < 0 ? to : copy_all(from, to);
	if (!ret && dup2(to, STDIN_FILENO) < 0)
		ret = -errno;
	if (to >= 0)
		close(to);
	if (!is_stdin)
		close(from);
	if (ret)
		return ptui_error_errno(err, -ret, folder,
					_("cannot keep the recording in a temporary file in %s"),
					folder);
	*input = STREAM;
	return 0;
}

static int inject(struct cli *cli, struct inject_values *v)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct inject_result result;
	int status = CLI_OK;
	struct data_file *file;

	if (keep_pipe(&v->in.input, &err))
		return cli_failed(cli, &err);
	file = cli_open_recording(cli, v->in.input, &status);
	if (!file)
		return status;
	v->inject.load = v->in.load;
	if (inject_run(file, &v->inject, &result, &err))
		status = cli_failed(cli, &err);
	data_close(file);
	if (status != CLI_OK)
		return status;
	cli_warn_trust(cli, &result.trust, 0, v->in.input);
	if (result.changed_files)
		cli_warn(cli,
			 Q_("%" PRIu64 " file changed after the recording and got no build-id",
			    "%" PRIu64 " files changed after the recording and got no build-ids",
			    result.changed_files),
			 result.changed_files);
	if (v->verbose)
		print_result(cli, v, &result);
	return CLI_OK;
}

static int run_inject(struct cli *cli, int argc, char **argv)
{
	struct inject_values v = { .in = { .input = STREAM }, .inject = { .output = STREAM } };
	struct ptui_error err = PTUI_ERROR_INIT;
	struct option_result parsed;
	int status = CLI_OK;

	/* writing fails instead, which is reported */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	if (!cli_parse(cli, &v, argc, argv, 0, &parsed))
		status = cli->status;
	else if (recording_opts_settle(cli, &v.in, &err))
		status = cli_failed(cli, &err);
	else
		status = check(cli, &v, parsed.n_words ? argv[0] : NULL);
	if (status == CLI_OK && !parsed.help) {
		v.inject.build_ids |= v.inject.buildid_all || v.inject.known_ids;
		v.inject.vmlinux = v.in.load.kernel.vmlinux;
		status = inject(cli, &v);
	}
	free(v.in.usual_cache);
	return status;
}

#define AT(member) .offset = offsetof(struct inject_values, member)

static const struct option inject_options[] = {
	{ OPTION_STRING, 'i', "input", N_("FILE"),
	  N_("recording to read (default: standard input)"), AT(in.input) },
	{ OPTION_STRING, 'o', "output", N_("FILE"),
	  N_("recording to write (default: standard output)"), AT(inject.output) },
	{ OPTION_FLAG, 'b', "build-ids", NULL,
	  N_("add the build-ids of files with samples to the recording"), AT(inject.build_ids) },
	{ OPTION_FLAG, 0, "buildid-all", NULL, N_("add the build-ids of all mapped files"),
	  AT(inject.buildid_all) },
	{ OPTION_FLAG, 'B', "mmap2-buildids", NULL,
	  N_("same as -b: the table of build-ids has them, not the records of maps"),
	  AT(inject.build_ids) },
	{ OPTION_FLAG, 0, "mmap2-buildid-all", NULL, N_("same as --buildid-all"),
	  AT(inject.buildid_all) },
	{ OPTION_STRING, 0, "known-build-ids", N_("LIST"),
	  N_("build-ids of paths: 'BUILD-ID PATH' separated by commas, or file://FILE with a line "
	     "for each, as buildid-list prints them"),
	  AT(inject.known_ids) },
	{ OPTION_STRING, 'k', "vmlinux", N_("FILE"),
	  N_("with -b: the kernel has the build-id of this vmlinux file"),
	  AT(in.load.kernel.vmlinux) },
	{ OPTION_FLAG, 0, "ignore-vmlinux", NULL, N_("no effect: no vmlinux file is looked for"),
	  AT(ignore_vmlinux) },
	{ OPTION_FLAG, 's', "sched-stat", NULL,
	  N_("merge sched_stat with sched_switch events: where tasks slept, and for how long"),
	  AT(inject.sched_stat) },
	{ OPTION_FLAG, 'j', "jit", NULL,
	  N_("write code of JIT compilers (jitdump files) to ELF files, and map these"),
	  AT(inject.jit) },
	{ OPTION_FLAG, 0, "convert-callchain", NULL,
	  N_("unwind copied user stacks (--call-graph dwarf), and keep the callchains only"),
	  AT(inject.convert_callchain) },
	{ OPTION_FLAG, 0, "strip", NULL,
	  N_("with -s or --convert-callchain: leave out all samples that these did not make, their "
	     "events, and AUX area data"),
	  AT(inject.strip) },
	{ OPTION_STRING, 0, "symfs", N_("DIR"), N_("look up program files below DIR"),
	  AT(in.load.symfs) },
	RECORDING_FORCE(AT(force)),
	{ OPTION_FLAG, 'v', "verbose", NULL, N_("print what was changed"), AT(verbose) },
	OPTION_NOT(0, "itrace", OPTION_ATTACHED | OPTION_NO, not_trace),
	OPTION_NOT(0, "vm-time-correlation", OPTION_ATTACHED, not_trace),
	OPTION_NOT(0, "guest-data", OPTION_ATTACHED, not_guest),
	OPTION_NOT(0, "guestmount", 0, not_guest),
	OPTION_NOT(0, "kallsyms", 0, N_("ptui inject resolves no kernel symbols")),
	{ .type = OPTION_END },
};

static const struct cli_setting inject_settings[] = {
	RECORDING_CACHE(AT(in.usual_cache)),
	{ NULL },
};

#undef AT

static const char *const inject_usage[] = { N_("[OPTION...]"), NULL };

static const struct cli_example inject_examples[] = {
	{ "ptui inject -b -i perf.data -o ids.data",
	  N_("Add build-ids to a recording that was made without them (-B).") },
	{ "ptui inject -s -i raw.data -o perf.data",
	  N_("Where tasks slept and for how long, from a recording of sched:sched_stat_sleep, "
	     "sched:sched_switch and sched:sched_process_exit with -g.") },
	{ "ptui inject -j -i perf.data -o jit.data",
	  N_("Map the code of a JIT compiler from its jitdump file (recorded with -k mono).") },
	{ "ptui inject --convert-callchain -i dwarf.data -o small.data",
	  N_("Replace the stack copies of --call-graph dwarf by the callchains in them.") },
	{ NULL, NULL },
};

const struct cli_command cmd_inject = {
	.name = "inject",
	.summary = N_("write a recording again with something added or changed"),
	.usage = inject_usage,
	.text = N_(
		"Copies a recording, and adds or replaces what the options say, as perf inject does. "
		"The output appears when it is complete; an older file of its name is kept as "
		"FILE.old. Without options, it is a copy that is not compressed. A recording from a "
		"pipe is kept in a temporary file (in TMPDIR, or /tmp) until all of it has come."),
	.options = inject_options,
	.settings = inject_settings,
	.examples = inject_examples,
	.run = run_inject,
};
