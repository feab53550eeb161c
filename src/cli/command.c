/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>
#include <sys/wait.h>
#include "cli/command.h"
#include "cli/out.h"

const struct cli_command *const cli_commands[] = {
	&cmd_record,	    &cmd_report, &cmd_annotate, &cmd_script, &cmd_stat,
	&cmd_top,	    &cmd_list,	 &cmd_diff,	&cmd_evlist, &cmd_buildid_list,
	&cmd_buildid_cache, &cmd_inject, &cmd_archive,	&cmd_probe,  &cmd_doctor,
	&cmd_help,	    NULL,
};

const struct cli_command *cli_command_find(const char *name)
{
	for (size_t i = 0; cli_commands[i]; i++)
		if (!strcmp(cli_commands[i]->name, name))
			return cli_commands[i];
	return NULL;
}

bool cli_parse(struct cli *cli, void *ret_values, int argc, char **argv, unsigned flags,
	       struct option_result *ret)
{
	struct ptui_error err = PTUI_ERROR_INIT;

	if (cli_config_read(cli->command->settings, ret_values, &err)) {
		cli->status = cli_failed(cli, &err);
		return false;
	}
	if (option_parse(cli->command->options, ret_values, argc, argv, flags, ret, &err)) {
		cli->status = cli_rejected(cli, &err);
		return false;
	}
	if (ret->help) {
		cli->status = cli_help(cli, cli->command);
		return false;
	}
	return true;
}

int cli_exit_like(struct cli *cli, int number, int child_status)
{
	cli->signal = number;
	if (child_status == -1)
		return CLI_OK;
	if (WIFSIGNALED(child_status))
		cli->signal = WTERMSIG(child_status);
	return WIFEXITED(child_status) ? WEXITSTATUS(child_status) : CLI_OK;
}
