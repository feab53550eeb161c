/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What surrounds the lines of counts: title and times, in perf's words, which are not translated. */
#include "stat/stat_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "base/text.h"
#include "stat/stat_private.h"

void stat_add_title(const struct stat *s, const struct stat_result *r, struct buf *out)
{
	const struct ptui_record_opts *what = s->opts.what;
	struct buf words = BUF_INIT;

	buf_add_str(out, "\n Performance counter stats for ");
	if (what->n_pids || what->n_tids) {
		const pid_t *ids = what->n_pids ? what->pids : what->tids;
		size_t n = what->n_pids ? what->n_pids : what->n_tids;

		buf_add_str(out, what->n_pids ? "process id '" : "thread id '");
		for (size_t i = 0; i < n; i++)
			buf_addf(out, "%s%d", i ? "," : "", (int)ids[i]);
	} else if (what->user) {
		buf_addf(out, "user '%s", what->user);
	} else if (what->cpus && !what->system_wide) {
		buf_addf(out, "'CPU(s) %s", what->cpus);
	} else if (stat_is_system_wide(s)) {
		buf_add_str(out, "'system wide");
	} else {
		for (size_t i = 0; what->argv && what->argv[i]; i++)
			buf_addf(&words, "%s%s", i ? " " : "", what->argv[i]);
		buf_add_char(out, '\'');
		text_escape(out, buf_str(&words));
	}
	buf_release(&words);
	buf_add_char(out, '\'');
	if (r->n_runs > 1)
		buf_addf(out, " (%zu runs)", r->n_done);
	buf_add_str(out, ":\n\n");
}

/* Decimals that show two digits of the error. */
static int decimals_for(double error_s)
{
	if (error_s > 1)
		return 2;
	return error_s > 0 ? (int)lround(ceil(-log10(error_s))) + 2 : 9;
}

static void add_table(const struct stat_result *r, int decimals, double mean_s, struct buf *out)
{
	int indent = 18 - snprintf(NULL, 0, "%.*f", decimals, mean_s);

	buf_addf(out, "%*s# Table of individual measurements:\n", indent, "");
	for (size_t i = 0; i < r->n_done; i++) {
		double s = r->each_ns[i] / 1e9;
		int marks = s > 0 ? 1 + abs((int)(100.0 * (s - mean_s) / s) / 5) : 1;

		buf_addf(out, " %17.*f (%+.*f) ", decimals, s, decimals, s - mean_s);
		for (int j = 0; j < marks && j < 100; j++)
			buf_add_char(out, '#');
		buf_add_char(out, '\n');
	}
	buf_addf(out, "\n%*s# Final result:\n", indent, "");
}

void stat_add_end(const struct stat *s, const struct stat_result *r, struct buf *out)
{
	double mean_s = r->passed.mean / 1e9, error_s = stat_mean_error(&r->passed) / 1e9;
	int decimals = decimals_for(error_s);

	if (!s->opts.null_run)
		buf_add_char(out, '\n');
	if (r->n_runs <= 1) {
		buf_addf(out, " %17.9f seconds time elapsed", mean_s);
		if (stat_is_of_command(s))
			buf_addf(out, "\n\n %17.9f seconds user\n %17.9f seconds sys\n",
				 (double)r->usage.user_ns / 1e9, (double)r->usage.system_ns / 1e9);
	} else {
		if (r->table)
			add_table(r, decimals, mean_s, out);
		buf_addf(out, " %17.*f +- %.*f seconds time elapsed", decimals, mean_s, decimals,
			 error_s);
		if (error_s > 0 && mean_s > 0)
			buf_addf(out, "  ( +-%6.2f%% )", 100 * error_s / mean_s);
	}
	buf_add_str(out, "\n\n");
}
