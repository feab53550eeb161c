/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From main()'s arguments to a command, and from its result to the exit status. */
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include "base/i18n.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/out.h"
#include "cli/pager.h"
#include "ptui/probe.h"

struct globals {
	bool help;
	bool version;
	bool man;
	bool paginate;
	bool no_pager;
	const char *buildid_dir;
};

const struct option cli_global_options[] = {
	{ OPTION_GROUP, .help = N_("Options before the command") },
	{ OPTION_FLAG, 'h', "help", NULL,
	  N_("show this help; after a command: help for the command"),
	  .offset = offsetof(struct globals, help) },
	{ OPTION_FLAG, 'v', "version", NULL,
	  N_("show the version and the libraries it was built with"),
	  .offset = offsetof(struct globals, version) },
	{ OPTION_FLAG, 'p', "paginate", NULL,
	  N_("use a pager even if the output is not a terminal"),
	  .offset = offsetof(struct globals, paginate) },
	{ OPTION_FLAG, 0, "no-pager", NULL, N_("never use a pager"),
	  .offset = offsetof(struct globals, no_pager) },
	{ OPTION_STRING, 0, "buildid-dir", N_("DIR"),
	  N_("build-id cache directory (default: ~/.debug)"),
	  .offset = offsetof(struct globals, buildid_dir) },
	{ OPTION_FLAG, 0, "man", NULL, N_("print the manual page ptui(1), for 'man -l -'"),
	  .offset = offsetof(struct globals, man) },
	{ .type = OPTION_END },
};

#define MAX_COMMANDS 64

/* perf's commands that ptui does not have: not to be reported as typos. */
static const char *const perf_commands[] = {
	"annotate", "archive", "bench",	 "buildid-cache", "c2c",       "config", "daemon", "data",
	"diff",	    "ftrace",  "inject", "iostat",	  "kallsyms",  "kmem",	 "kvm",	   "kwork",
	"lock",	    "mem",     "sched",	 "test",	  "timechart", "trace",
};

int cli_no_such_command(const struct cli *cli, const char *name)
{
	const char *names[MAX_COMMANDS], *best[1];
	size_t n, n_best = 0;

	for (n = 0; n < sizeof(perf_commands) / sizeof(*perf_commands); n++) {
		if (strcmp(name, perf_commands[n]))
			continue;
		cli_warn(cli, _("command '%s' is not supported yet; use 'perf %s'"), name, name);
		return CLI_NONE;
	}

	for (n = 0; cli_commands[n] && n < MAX_COMMANDS; n++) {
		names[n] = cli_commands[n]->name;
		if (*name && !strncmp(names[n], name, strlen(name)) && !n_best) {
			best[0] = names[n];
			n_best = 1;
		}
	}
	if (!n_best)
		n_best = text_nearest(name, names, n, best, 1);
	if (n_best)
		cli_warn(cli, _("no such command '%s'; did you mean '%s'?"), name, best[0]);
	else
		cli_warn(cli, _("no such command '%s'; see 'ptui --help'"), name);
	return CLI_NONE;
}

/* Prints text without a pager. */
static int print_built(const struct cli *cli, void (*build)(const struct cli *cli, struct buf *out))
{
	struct buf text = BUF_INIT;
	int status = CLI_OK;

	build(cli, &text);
	if (text.err)
		status = cli_nomem(cli);
	else
		(void)cli_put(&text); /* reported at exit */
	buf_release(&text);
	return status;
}

/* `ptui` alone, `ptui --help`, `ptui --help COMMAND`. */
static int print_help(struct cli *cli, const char *name)
{
	const struct cli_command *about = name ? cli_command_find(name) : NULL;

	if (name && !about)
		return cli_no_such_command(cli, name);
	return cli_help(cli, about);
}

/* `ptui` alone: the screens if on a terminal, else the help. */
static int run_session(struct cli *cli)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	const char *parting = NULL;
	int ret = -ENOTTY;

	if (cli->hooks && cli->hooks->session && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)) {
		cli_log_quiet(true); /* the screen covers stderr */
		ret = cli->hooks->session(cli->hooks->ctx, &err);
		cli_log_quiet(false);
		if (cli->hooks->parting)
			parting = cli->hooks->parting(cli->hooks->ctx);
	}
	if (parting)
		cli_warn(cli, "%s", parting);
	if (!ret && cli->hooks->counted && cli->hooks->counted(cli->hooks->ctx))
		fputs(cli->hooks->counted(cli->hooks->ctx), stderr);
	if (ret == -ENOTTY)
		return print_help(cli, NULL) ? CLI_FAILED : CLI_NONE;
	return ret ? cli_failed(cli, &err) : CLI_OK;
}

static int run(struct cli *cli, int argc, char **argv)
{
	struct globals globals = { 0 };
	struct ptui_error err = PTUI_ERROR_INIT;
	struct option_result words;

	if (option_parse(cli_global_options, &globals, argc, argv, OPTION_STOP_AT_WORD, &words,
			 &err))
		return cli_misused(cli, &err);
	cli->paginate = globals.paginate;
	cli->no_pager = globals.no_pager;
	cli->buildid_dir = globals.buildid_dir;
	if (globals.help)
		return print_help(cli, words.n_words ? argv[0] : NULL);
	/* perf version [--build-options] */
	if (globals.version || (words.n_words && !strcmp(argv[0], "version")))
		return print_built(cli, cli_version);
	if (globals.man)
		return print_built(cli, cli_man);
	if (!words.n_words)
		return run_session(cli);
	cli->command = cli_command_find(argv[0]);
	if (!cli->command)
		return cli_no_such_command(cli, argv[0]);
	return cli->command->run(cli, (int)words.n_words - 1, argv + 1);
}

/* Dies of the signal that the recorded command died of, so that a shell sees it. */
static void die_of(int number)
{
	const struct rlimit no_core = { 0, 0 };
	sigset_t set;

	/* any core dump is the command's */
	setrlimit(RLIMIT_CORE, &no_core);
	signal(number, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, number);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	raise(number);
}

/*
 * If one of the standard files is closed, the next opened file would get its number. The
 * placeholders are opened in the wrong direction, so that using them still fails.
 */
static void fill_standard_files(void)
{
	for (int fd = 0; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd ? O_RDONLY : O_WRONLY) != fd)
			abort();
}

int ptui_cli_main(int argc, char **argv, const struct ptui_cli_hooks *hooks)
{
	struct cli cli = { .hooks = hooks, .argc = argc, .argv = argv };
	/* parsing reorders argv; the header of a recording needs the original order */
	char **words = calloc((size_t)argc + 1, sizeof(*words));
	int status;

	fill_standard_files();
	setlocale(LC_ALL, "");
	text_set_numbers();
	i18n_init();
	cli_log_open(&cli);
	if (words) {
		memcpy(words, argv, (size_t)argc * sizeof(*words));
		status = run(&cli, argc ? argc - 1 : 0, words + !!argc);
	} else {
		status = cli_nomem(&cli);
	}
	free(words);
	pager_finish();
	status = cli_close_stdout(&cli, status);
	cli_log_close();
	ptui_probes_remove();
	if (cli.signal)
		die_of(cli.signal);
	return status;
}
