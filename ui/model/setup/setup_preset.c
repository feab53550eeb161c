/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/setup/setup_preset.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "text/i18n.h"

/*
 * Callchains by frame pointers for events that may come a million times a second, and for rings in
 * overwrite mode, which would hold copies of stacks: a fiftieth of the time.
 */
static const struct {
	const char *name, *line;
} ours[] = {
	{ N_("CPU profile"), "ptui record -F 4000 --call-graph dwarf,live -e cycles" },
	{ N_("page faults"), "ptui record -c 1 --call-graph dwarf,live -e page-faults" },
	{ N_("system calls"), "ptui record -c 1 -e raw_syscalls:sys_enter" },
	{ N_("scheduler"), "ptui record -c 1 -g -e sched:sched_switch -e sched:sched_wakeup" },
	{ N_("cache misses"),
	  "ptui record -F 4000 --call-graph dwarf,live -e '{cache-misses,cache-references}'" },
	{ N_("flight recorder"), "ptui record -F 4000 --call-graph dwarf,live -e cycles -M 64M" },
	{ N_("flight rings"), "ptui record -F 4000 -g -e cycles --overwrite -m 8M" },
};

#define N_OURS (sizeof(ours) / sizeof(ours[0]))

size_t setup_n_presets(const struct setup *s)
{
	return N_OURS + s->preset_names.n;
}

void setup_preset(const struct setup *s, size_t i, struct setup_preset *ret)
{
	if (i < N_OURS)
		*ret = (struct setup_preset){ _(ours[i].name), ours[i].line, false };
	else
		*ret = (struct setup_preset){ s->preset_names.v[i - N_OURS],
					      s->preset_lines.v[i - N_OURS], true };
}

/* ---- applying ---- */

int setup_take_preset(struct setup *s, size_t i, const char *proc, struct setup_taken *ret,
		      struct ptui_error *err)
{
	struct setup_preset preset;
	char *line;
	int failed;

	setup_preset(s, i, &preset);
	memset(ret, 0, sizeof(*ret));
	/* the list of presets is part of what is replaced */
	line = strdup(preset.line);
	failed = line ? setup_take_settings(s, line, proc, ret, err) : ptui_error_nomem(err);
	free(line);
	return failed;
}

/* ---- saving ---- */

static size_t find_own(const struct setup *s, const char *name)
{
	size_t i;

	for (i = 0; i < s->preset_names.n && strcmp(s->preset_names.v[i], name) != 0; i++)
		;
	return i;
}

static int check_name(const struct setup *s, const char *name, struct ptui_error *err)
{
	if (!*name || strpbrk(name, "\t\n"))
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, name,
				      _("a preset requires a name"));
	if (strlen(name) > SETUP_PRESET_NAME_MAX)
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, name,
				      _("name too long: at most %d bytes"), SETUP_PRESET_NAME_MAX);
	for (size_t i = 0; i < N_OURS; i++)
		if (!strcmp(name, _(ours[i].name)) || !strcmp(name, ours[i].name))
			return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, name,
					      _("%s already exists and cannot be replaced"), name);
	if (find_own(s, name) == s->preset_names.n && s->preset_names.n >= SETUP_PRESETS_MAX)
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, name,
				      _("there are already %d presets: remove one first"),
				      SETUP_PRESETS_MAX);
	return 0;
}

static int add_own(struct setup *s, const char *name, const char *line)
{
	setup_forget_preset(s, N_OURS + find_own(s, name));
	if (words_add(&s->preset_names, name))
		return -ENOMEM;
	if (!words_add(&s->preset_lines, line))
		return 0;
	words_remove(&s->preset_names, s->preset_names.n - 1);
	return -ENOMEM;
}

int setup_keep_preset(struct setup *s, const char *name, struct ptui_error *err)
{
	struct words how = WORDS_INIT;
	int ret = check_name(s, name, err);
	char *line;

	if (ret)
		return ret;
	line = setup_how_words(s, &how) ? NULL : words_join(&how);
	ret = line ? add_own(s, name, line) : -ENOMEM;
	free(line);
	words_release(&how);
	return ret ? ptui_error_nomem(err) : 0;
}

void setup_forget_preset(struct setup *s, size_t i)
{
	if (i < N_OURS || i >= setup_n_presets(s))
		return;
	words_remove(&s->preset_names, i - N_OURS);
	words_remove(&s->preset_lines, i - N_OURS);
}

int setup_read_preset(struct setup *s, const char *text, struct ptui_error *err)
{
	const char *tab = strchr(text, '\t');
	char *name;
	int ret;

	if (!tab || !tab[1])
		return -EINVAL;
	name = strndup(text, (size_t)(tab - text));
	if (!name)
		return -ENOMEM;
	ret = check_name(s, name, err);
	if (!ret)
		ret = add_own(s, name, tab + 1);
	free(name);
	return ret;
}
