/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `ptui stat report`: prints the counts of a recording as perf stat report does. */
#include <errno.h>
#include <string.h>
#include "base/i18n.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/out.h"
#include "cli/recording.h"
#include "cli/stat/stat_options.h"
#include "cli/stat/stat_output.h"
#include "stat/stat_data.h"

static void add_title(struct stat_reader *r, struct buf *out)
{
	const char *cmdline = stat_reader_cmdline(r);

	buf_add_str(out, "\n Performance counter stats for '");
	text_escape(out, cmdline ? cmdline : "");
	buf_add_str(out, "':\n\n");
}

static void add_round(const struct stat_command *o, struct stat_reader *r, struct stat *s,
		      const struct stat_round *round, size_t n, struct buf *out)
{
	struct stat_format f = {
		.separator = o->separator,
		.json = o->json,
		.group_digits = o->group_digits,
		.n_runs = 1,
		.interval = round->interval,
		.time_ns = round->time_ns,
		.passed_ns = (double)round->passed_ns,
	};

	if (stat_is_text(o) && !round->interval)
		add_title(r, out);
	if (stat_is_text(o) && round->interval && n % STAT_HEADING_EVERY == 0)
		stat_print_heading(s, &f, out);
	stat_print(s, &f, out);
	if (stat_is_text(o) && !round->interval)
		buf_addf(out, "\n %17.9f seconds time elapsed\n\n", (double)round->passed_ns / 1e9);
}

static int print_rounds(const struct stat_command *o, struct stat_reader *r,
			struct stat_output *out, struct ptui_error *err)
{
	struct stat_round round;
	struct stat *s;
	int ret;

	for (size_t n = 0; !(ret = stat_reader_next(r, &s, &round, err)); n++) {
		add_round(o, r, s, &round, n, &out->text);
		ret = stat_output_put(out);
		if (ret)
			return ptui_error_set(err, PTUI_ERROR_SYSTEM, -ret, NULL,
					      _("cannot write: %s"), strerror(-ret));
	}
	return ret < 0 ? ret : 0;
}

/* What is counted is in the recording. */
static int check_report(const struct stat_command *o, char *const *argv, struct ptui_error *err)
{
	const struct ptui_record_opts *what = &o->record.opts;

	if (argv[0])
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, argv[0],
				      _("unexpected argument '%s'"), argv[0]);
	if (o->record.events.texts.n || o->record.pids.n || o->record.tids.n || what->user ||
	    what->system_wide || what->cpus || o->interval_ms || o->repeat_given)
		return ptui_error_set(
			err, PTUI_ERROR_INPUT, EINVAL, NULL,
			_("events, targets, -I and -r do not apply to 'ptui stat report'"));
	return 0;
}

int stat_report(struct cli *cli, struct stat_command *o, char *const *argv)
{
	const struct stat_reader_opts opts = { .what = &o->record.opts,
					       .aggr = o->aggr,
					       .aggr_given = o->aggr != STAT_GLOBAL };
	struct stat_output out = STAT_OUTPUT_INIT;
	struct ptui_error err = PTUI_ERROR_INIT;
	const char *input = o->input ? o->input : cli_default_input;
	struct stat_reader *r = NULL;
	struct data_damage damage;
	int ret = check_report(o, argv, &err);

	if (!ret)
		ret = stat_output_open(&out, o, &err);
	if (!ret) {
		cli_choose_input(cli, &input);
		r = stat_reader_new(input, &opts, &err);
		ret = r ? print_rounds(o, r, &out, &err) : -EIO;
	}
	if (r && !ret) {
		stat_reader_damage(r, &damage);
		cli_warn_damage(cli, &damage, input);
	}
	stat_reader_free(r);
	stat_output_release(&out);
	return ret ? cli_failed(cli, &err) : CLI_OK;
}
