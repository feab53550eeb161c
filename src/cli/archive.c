/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `ptui archive`: a recording and the files that its symbols come from, in one file. */
#include "archive/archive.h"
#include "archive/folder_guard.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/i18n.h"
#include "cli/command.h"
#include "cli/out.h"
#include "cli/recording.h"
#include "session/buildid/buildid_entries.h"

#define SUFFIX ".tar.zst"

struct archive_values {
	const char *input, *output, *unpack;
	bool verbose, quiet, all;
	char *usual; /* buildid.dir; owned */
};

struct archive_run {
	struct cli *cli;
	const struct archive_values *v;
};

static void print_file(void *ctx, const char *path, const char *why)
{
	const struct archive_run *r = ctx;

	if (why && !r->v->quiet)
		cli_warn(r->cli, _("left out %s: %s"), path, why);
	else if (!why && r->v->verbose)
		cli_warn(r->cli, _("added %s"), path);
}

static int make(struct cli *cli, const struct archive_values *v)
{
	struct archive_run run = { cli, v };
	struct archive_opts o = { .input = v->input, .file = print_file, .ctx = &run };
	struct ptui_error err = PTUI_ERROR_INIT;
	struct buf output = BUF_INIT;
	char *dir = buildid_cache_dir(cli->buildid_dir ? cli->buildid_dir : v->usual);
	struct archive_result result;
	int ret, status = CLI_OK;

	buf_addf(&output, "%s%s", v->output ? v->output : v->input, v->output ? "" : SUFFIX);
	if (!dir || output.err) {
		free(dir);
		buf_release(&output);
		return cli_nomem(cli);
	}
	o.output = buf_str(&output);
	o.cache_dir = dir;
	ret = archive_make(&o, &result, &err);
	if (!ret && !v->quiet)
		cli_warn_damage(cli, &result.damage, v->input);
	if (ret)
		status = cli_cannot_open(cli, v->input, ret, &err);
	else if (!v->quiet)
		cli_warn(cli,
			 _("%s: %.1f MB, with %" PRIu64 " of the files that its symbols come from; "
			   "read it with 'ptui report -i %s', or unpack it with tar for 'perf "
			   "--buildid-dir .debug report'"),
			 o.output, (double)result.bytes / 1e6, result.files - 1, o.output);
	free(dir);
	buf_release(&output);
	return status;
}

static int unpack_guarded(const char *path, const char *dir, struct ptui_error *err)
{
	struct folder_guard guard = FOLDER_GUARD_INIT;
	int ret;

	folder_guard_start(&guard, dir, NULL);
	ret = archive_unpack(path, dir, err);
	folder_guard_end(&guard);
	return ret;
}

/* To -o FOLDER, which must not exist; by default the archive's name without its suffix. */
static int unpack(struct cli *cli, const struct archive_values *v)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct buf dir = BUF_INIT;
	int status = CLI_OK;
	size_t n = strlen(v->unpack), suffix = strlen(SUFFIX);

	if (v->output)
		buf_add_str(&dir, v->output);
	else if (n > suffix && !strcmp(v->unpack + n - suffix, SUFFIX))
		buf_add(&dir, v->unpack, n - suffix);
	else
		buf_add_str(&dir, v->unpack);
	if (!v->output)
		buf_add_str(&dir, ".d");
	if (dir.err) {
		status = cli_nomem(cli);
	} else if (access(v->unpack, R_OK)) {
		ptui_error_errno(&err, errno, v->unpack, _("cannot open %s"), v->unpack);
		status = cli_failed(cli, &err);
	} else if (mkdir(buf_str(&dir), 0755)) {
		ptui_error_errno(&err, errno, buf_str(&dir), _("cannot create %s"), buf_str(&dir));
		status = cli_failed(cli, &err);
	} else if (unpack_guarded(v->unpack, buf_str(&dir), &err)) {
		rmdir(buf_str(&dir));
		status = cli_failed(cli, &err);
	} else if (!v->quiet) {
		cli_warn(cli,
			 _("unpacked to %s: 'perf --buildid-dir %s/.debug report -i %s/perf.data'"),
			 buf_str(&dir), buf_str(&dir), buf_str(&dir));
	}
	buf_release(&dir);
	return status;
}

static int run_archive(struct cli *cli, int argc, char **argv)
{
	struct archive_values v = { .input = cli_default_input };
	struct option_result parsed;
	int status;

	signal(SIGXFSZ, SIG_IGN); /* writing fails instead, which is reported */
	if (!cli_parse(cli, &v, argc, argv, 0, &parsed))
		status = cli->status;
	else if (parsed.n_words > 1)
		status = cli_invalid(cli, _("too many files: unexpected '%s'"), argv[1]);
	else if (!strcmp(parsed.n_words ? argv[0] : v.input, "-"))
		status = cli_invalid(cli, _("a recording from a pipe must be saved first"));
	else if (!v.unpack && v.output && !strcmp(v.output, "-"))
		status = cli_invalid(cli, "%s",
				     _("an archive cannot be written to standard output: give -o "
				       "a file"));
	else {
		if (parsed.n_words)
			v.input = argv[0];
		status = v.unpack ? unpack(cli, &v) : make(cli, &v);
	}
	free(v.usual);
	return status;
}

#define AT(member) .offset = offsetof(struct archive_values, member)

static const struct option archive_options[] = {
	{ OPTION_STRING, 'i', "input", N_("FILE"), N_("recording (default: perf.data)"),
	  AT(input) },
	{ OPTION_STRING, 'o', "output", N_("FILE"),
	  N_("archive to write (default: the recording's name with .tar.zst); with .tar at its end it "
	     "is not compressed"),
	  AT(output) },
	{ OPTION_STRING, 0, "unpack", N_("FILE"),
	  N_("unpack an archive to the new folder -o DIR (default: its name with .d)"),
	  AT(unpack) },
	/* perf's way to ask for what ptui always does: the recording is in the archive, too */
	{ OPTION_FLAG, 'a', "all", AT(all), .flags = OPTION_HIDDEN },
	{ OPTION_FLAG, 'q', "quiet", NULL, N_("print errors only"), AT(quiet) },
	{ OPTION_FLAG, 'v', "verbose", NULL, N_("print what is added"), AT(verbose) },
	{ .type = OPTION_END },
};

static const struct cli_setting archive_settings[] = {
	RECORDING_CACHE(AT(usual)),
	{ NULL },
};

#undef AT

static const char *const archive_usage[] = { N_("[-i FILE] [-o FILE]"),
					     N_("--unpack FILE [-o DIR]"), NULL };

static const struct cli_example archive_examples[] = {
	{ "ptui archive", N_("Make perf.data.tar.zst, to be read on another machine.") },
	{ "ptui report -i perf.data.tar.zst", N_("Read it there.") },
	{ NULL, NULL },
};

const struct cli_command cmd_archive = {
	.name = "archive",
	.summary = N_("put a recording and its program files into one file"),
	.usage = archive_usage,
	.text = N_(
		"Writes a tar file with the recording and what resolves its symbols elsewhere: the "
		"programs, libraries and debug files with samples or in callchains, and the symbols "
		"of the kernel, by their build-ids. They come from their paths and from the build-id "
		"cache.\n"
		"\n"
		"ptui reads the archive as a recording. For perf it is unpacked with --unpack, or by "
		"tar; perf then needs --buildid-dir, unless it is unpacked in the home directory."),
	.options = archive_options,
	.settings = archive_settings,
	.examples = archive_examples,
	.run = run_archive,
};
