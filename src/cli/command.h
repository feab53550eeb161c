/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Commands. What it takes: one const struct a command, with its options, its help and its
 * function; each is a file of its own and one row in command.c. What it gives: `ptui NAME`,
 * its --help, and its part of the manual page. Not for what a command does: that is in the
 * rooms below, a command only reads options, calls, and prints.
 */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include <stdbool.h>
#include "cli/config.h"
#include "cli/option.h"
#include "ptui/cli.h"
#include "ptui/error.h"

/* What the process says when it ends; a command of the person's may say others. */
enum {
	CLI_OK = 0,
	CLI_NONE = 1,	  /* nothing matched; no such command */
	CLI_USAGE = 129,  /* the command line makes no sense */
	CLI_FAILED = 255, /* it did, but the work could not be done */
};

struct cli_example {
	const char *line; /* "ptui record -g -- make" */
	const char *text; /* N_(): what it does */
};

struct cli_command;

/* One run of the program. */
struct cli {
	const struct cli_command *command;  /* NULL before it is known */
	const struct ptui_cli_hooks *hooks; /* NULL: none */
	int argc;			    /* main()'s, whole and in order */
	char *const *argv;
	bool paginate;		 /* --paginate: a pager even when stdout is no terminal */
	bool no_pager;		 /* --no-pager */
	const char *buildid_dir; /* --buildid-dir; NULL: as the config says, or ~/.debug */
	int status;		 /* see cli_parse() */
	int signal; /* the program ends by raising it, when all is tidied up; 0: none */
};

struct cli_command {
	const char *name;
	const char *summary;	  /* N_(): half a line, "list the events …" */
	const char *const *usage; /* what may follow "ptui NAME", each form; NULL ends them */
	const char *text;	  /* N_(): some paragraphs, apart by an empty line */
	const struct option *options;
	const struct cli_setting *settings; /* its defaults in config files; NULL: none */
	const struct cli_example *examples; /* a NULL line ends them; NULL: none */
	int (*run)(struct cli *cli, int argc,
		   char **argv); /* argv[0] is the first word behind NAME */
};

/* All of them, NULL at the end; each command's file defines its own. */
extern const struct cli_command *const cli_commands[];
extern const struct cli_command cmd_doctor, cmd_help, cmd_list, cmd_record, cmd_report, cmd_top;

/* The options before the command's name. */
extern const struct option cli_global_options[];

const struct cli_command *cli_command_find(const char *name);
/* Says so, with the nearest; returns CLI_NONE. */
int cli_no_such_command(const struct cli *cli, const char *name);

/*
 * For a command's first lines: reads its defaults out of config files and its options into
 * `ret_values`. False when there is nothing more to do (help was printed, or what is wrong):
 * return cli->status then.
 */
bool cli_parse(struct cli *cli, void *ret_values, int argc, char **argv, unsigned flags,
	       struct option_result *ret);

/* Writes whole help to stdout, through a pager on a terminal; returns CLI_OK. */
int cli_help(const struct cli *cli, const struct cli_command *command); /* NULL: of ptui */

/* The text of that help, and ptui(1) in roff. */
void cli_help_text(const struct cli_command *command, struct buf *out);
void cli_man(const struct cli *cli, struct buf *out);

/* What --version says. */
void cli_version(const struct cli *cli, struct buf *out);

#endif
