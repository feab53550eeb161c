/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Commands: one const struct per command with its options, help and function, in a file of its own
 * and a row in command.c. From it come `ptui NAME`, its --help, and its part of the manual page. A
 * command only reads options, calls the rooms below, and prints.
 */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include <stdbool.h>
#include "cli/config.h"
#include "cli/option.h"
#include "ptui/cli.h"
#include "ptui/error.h"

/* Exit status; ptui record may return others, from the recorded command. */
enum {
	CLI_OK = 0,
	CLI_NONE = 1,	  /* nothing matched; unknown command */
	CLI_USAGE = 129,  /* invalid command line */
	CLI_FAILED = 255, /* valid, but failed */
};

struct cli_example {
	const char *line; /* "ptui record -g -- make" */
	const char *text; /* N_(): what it does */
};

struct cli_command;

/* One run of the program. */
struct cli {
	const struct cli_command *command;  /* NULL before it is known */
	const struct ptui_cli_hooks *hooks; /* NULL: no screens */
	int argc;			    /* of main(), unchanged */
	char *const *argv;
	bool paginate;		 /* --paginate: use a pager even if stdout is not a terminal */
	bool no_pager;		 /* --no-pager */
	const char *buildid_dir; /* --buildid-dir; NULL: from the config, or ~/.debug */
	int status;		 /* see cli_parse() */
	int signal;		 /* signal to raise after cleanup; 0: none */
};

struct cli_command {
	const char *name;
	const char *summary; /* N_(): half a line, "list the events …" */
	/* what may follow "ptui NAME", one string per form; NULL-terminated */
	const char *const *usage;
	const char *text; /* N_(): paragraphs separated by an empty line */
	const struct option *options;
	const struct cli_setting *settings; /* defaults from config files; NULL: none */
	const struct cli_example *examples; /* terminated by a NULL line; NULL: none */
	int (*run)(struct cli *cli, int argc,
		   char **argv); /* argv[0] is the first word after NAME */
};

/* NULL-terminated; each command is defined in its own file. */
extern const struct cli_command *const cli_commands[];
extern const struct cli_command cmd_annotate, cmd_archive, cmd_buildid_cache, cmd_buildid_list,
	cmd_diff, cmd_doctor, cmd_evlist, cmd_help, cmd_inject, cmd_list, cmd_probe, cmd_record,
	cmd_report, cmd_script, cmd_stat, cmd_top;

/* The options before the command's name. */
extern const struct option cli_global_options[];

const struct cli_command *cli_command_find(const char *name);
/* Prints an error with the most similar name; returns CLI_NONE. */
int cli_no_such_command(const struct cli *cli, const char *name);

/*
 * Call first: reads defaults from config files and options into `ret_values`. False if there is
 * nothing more to do (help was printed, or an error): return cli->status then.
 */
bool cli_parse(struct cli *cli, void *ret_values, int argc, char **argv, unsigned flags,
	       struct option_result *ret);

/*
 * The exit status after a command was run, as in perf: the signal that killed it, else the signal
 * that ended ptui (`number`, whatever the command did about it), else its status; -1: no command.
 */
int cli_exit_like(struct cli *cli, int number, int child_status);

/* Prints the help, through a pager on a terminal; returns CLI_OK. */
int cli_help(const struct cli *cli, const struct cli_command *command); /* NULL: of ptui */

/* ptui(1) in roff. */
void cli_man(const struct cli *cli, struct buf *out);

/* The text of --version. */
void cli_version(const struct cli *cli, struct buf *out);

#endif
