/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/count/count_target.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int copy_argv(struct count_target *t, char *const *argv)
{
	char **copy;
	size_t n = 0;

	while (argv[n])
		n++;
	copy = calloc(n + 1, sizeof(*copy));
	t->what.argv = copy;
	for (size_t i = 0; copy && i < n; i++) {
		copy[i] = strdup(argv[i]);
		if (!copy[i])
			return -ENOMEM;
	}
	return copy ? 0 : -ENOMEM;
}

static int copy_ids(const pid_t **ids, size_t n)
{
	pid_t *copy = calloc(n + 1, sizeof(*copy));

	if (copy && n)
		memcpy(copy, *ids, n * sizeof(*copy));
	*ids = copy;
	return copy ? 0 : -ENOMEM;
}

static int copy_text(const char **text)
{
	if (!*text)
		return 0;
	*text = strdup(*text);
	return *text ? 0 : -ENOMEM;
}

int count_target_copy(struct count_target *t, const struct ptui_record_opts *what)
{
	int ret = 0;

	t->what = *what;
	t->what.argv = NULL;
	ret |= copy_ids(&t->what.pids, what->n_pids);
	ret |= copy_ids(&t->what.tids, what->n_tids);
	ret |= copy_text(&t->what.user);
	ret |= copy_text(&t->what.cpus);
	if (what->argv)
		ret |= copy_argv(t, what->argv);
	return ret ? -ENOMEM : 0;
}

void count_target_forget_events(struct count_target *t)
{
	t->what.events = NULL;
	t->what.n_events = 0;
	t->what.filters = NULL;
	t->what.cgroups = NULL;
	t->what.cgroup_after = NULL;
	t->what.n_cgroups = 0;
}

void count_target_release(struct count_target *t)
{
	for (size_t i = 0; t->what.argv && t->what.argv[i]; i++)
		free(t->what.argv[i]);
	free((void *)t->what.argv);
	free((void *)t->what.pids);
	free((void *)t->what.tids);
	free((void *)t->what.user);
	free((void *)t->what.cpus);
}
