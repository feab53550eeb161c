/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --help, from the tables, and the command `help`. */
#include "base/i18n.h"
#include "cli/command.h"
#include "cli/out.h"
#include "cli/pager.h"
#include "cli/wrap.h"

#define COMMAND_COLUMN 14

static void add_usage(const struct cli_command *command, struct buf *out)
{
	for (size_t i = 0; command->usage[i]; i++)
		buf_addf(out, "%s ptui %s %s\n", i ? _("   or:") : _("Usage:"), command->name,
			 _(command->usage[i]));
	buf_add_char(out, '\n');
}

static void add_examples(const struct cli_example *example, struct buf *out)
{
	if (!example)
		return;
	buf_addf(out, "\n%s\n", _("Examples"));
	for (; example->line; example++) {
		buf_addf(out, "    %s\n", example->line);
		wrap_text(out, 8, _(example->text));
	}
}

static void add_command_help(const struct cli_command *command, struct buf *out)
{
	struct buf options = BUF_INIT;

	add_usage(command, out);
	wrap_text(out, 0, _(command->text));
	option_help(command->options, &options);
	if (options.len)
		buf_addf(out, "\n%s", buf_str(&options));
	if (options.err)
		out->err = options.err;
	buf_release(&options);
	add_examples(command->examples, out);
}

static void add_program_help(struct buf *out)
{
	struct buf options = BUF_INIT;

	buf_addf(out, "%s\n\n", _("Usage: ptui [OPTIONS] COMMAND [ARGUMENTS]"));
	wrap_text(out, 0,
		  _("Without a command, on a terminal, ptui opens its screens to choose what to "
		    "measure, record it, watch it and browse the result. '?' lists the keys "
		    "there. 'ptui report' browses a recording."));
	buf_addf(out, "\n%s\n", _("Commands"));
	for (size_t i = 0; cli_commands[i]; i++) {
		struct buf left = BUF_INIT;

		buf_addf(&left, "    %s", cli_commands[i]->name);
		wrap_beside(out, buf_str(&left), COMMAND_COLUMN, _(cli_commands[i]->summary));
		buf_release(&left);
	}
	option_help(cli_global_options, &options);
	buf_addf(out, "\n%s\n", buf_str(&options));
	if (options.err)
		out->err = options.err;
	buf_release(&options);
	buf_addf(out, "%s\n", _("See 'ptui COMMAND --help' for help on a command."));
}

int cli_help(const struct cli *cli, const struct cli_command *command)
{
	struct buf text = BUF_INIT;

	if (command)
		add_command_help(command, &text);
	else
		add_program_help(&text);
	return pager_print(cli, &text);
}

static const struct option help_options[] = {
	{ .type = OPTION_END },
};

static const char *const help_usage[] = { N_("[COMMAND]"), NULL };

static int run_help(struct cli *cli, int argc, char **argv)
{
	const struct cli_command *about = NULL;
	struct option_result words;

	if (!cli_parse(cli, NULL, argc, argv, 0, &words))
		return cli->status;
	if (words.n_words > 1)
		return cli_invalid(cli, "%s", _("too many arguments: expected one command"));
	if (words.n_words) {
		about = cli_command_find(argv[0]);
		if (!about)
			return cli_no_such_command(cli, argv[0]);
	}
	return cli_help(cli, about);
}

const struct cli_command cmd_help = {
	.name = "help",
	.summary = N_("show help for ptui or one of its commands"),
	.usage = help_usage,
	.text = N_("Shows help for ptui, or for the given command."),
	.options = help_options,
	.run = run_help,
};
