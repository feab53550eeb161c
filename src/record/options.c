/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "ptui/log.h"
#include "record/options.h"

#define DEFAULT_OUTPUT "perf.data"

static void free_words(char **words)
{
	char **at;

	for (at = words; at && *at; at++)
		free(*at);
	free(words);
}

/* NULL-terminated; NULL when out of memory. */
static char **copy_words(const char *const *words, size_t n)
{
	char **copy = calloc(n + 1, sizeof(*copy));
	size_t i;

	for (i = 0; copy && i < n; i++) {
		copy[i] = strdup(words[i]);
		if (!copy[i]) {
			free_words(copy);
			return NULL;
		}
	}
	return copy;
}

static int copy_command(struct options *o, char *const *argv)
{
	size_t n = 0;

	while (argv && argv[n])
		n++;
	if (!n)
		return 0;
	o->argv = copy_words((const char *const *)argv, n);
	return o->argv ? 0 : -ENOMEM;
}

/* Each once: a process that is attached twice would be counted twice. */
static void copy_pids(struct options *o, const struct ptui_record_opts *from)
{
	size_t i, j;

	for (i = 0; i < from->n_pids; i++) {
		for (j = 0; j < o->n_pids && o->pids[j] != from->pids[i]; j++)
			;
		if (j == o->n_pids)
			o->pids[o->n_pids++] = from->pids[i];
	}
}

int options_copy(struct options *o, const struct ptui_record_opts *from)
{
	memset(o, 0, sizeof(*o));
	o->freq_hz = from->freq_hz;
	o->period = from->period;
	o->callchain = from->callchain;
	o->system_wide = from->system_wide;
	o->no_inherit = from->no_inherit;

	o->events = copy_words(from->events, from->n_events);
	o->n_events = from->n_events;
	o->output = strdup(from->output ? from->output : DEFAULT_OUTPUT);
	o->pids = calloc(from->n_pids + 1, sizeof(*o->pids));
	o->cmdline = calloc(from->cmdline_bytes + 1, 1);
	if (!o->events || !o->output || !o->pids || !o->cmdline || copy_command(o, from->argv))
		return -ENOMEM;
	copy_pids(o, from);
	if (from->cmdline_bytes)
		memcpy(o->cmdline, from->cmdline, from->cmdline_bytes);
	o->cmdline_bytes = from->cmdline_bytes;

	if (o->system_wide && o->n_pids) {
		ptui_log(PTUI_LOG_WARN, "record", _("processes are named: -a is left aside"));
		o->system_wide = false;
	}
	if (!o->n_pids && !o->argv)
		o->system_wide = true;
	return 0;
}

void options_release(struct options *o)
{
	free_words(o->events);
	free_words(o->argv);
	free(o->pids);
	free(o->output);
	free(o->cmdline);
	memset(o, 0, sizeof(*o));
}

bool options_workload_only(const struct options *o)
{
	return o->argv && !o->system_wide && !o->n_pids;
}
