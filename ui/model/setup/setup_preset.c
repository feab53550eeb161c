/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/setup/setup.h"

#include <errno.h>
#include <stdio.h>
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
	return N_OURS + s->presets.n;
}

struct setup_preset setup_preset(const struct setup *s, size_t i)
{
	struct setup_preset preset;
	const char *text, *tab;

	if (i < N_OURS) {
		snprintf(preset.name, sizeof(preset.name), "%s", _(ours[i].name));
		preset.line = ours[i].line;
	} else {
		text = s->presets.v[i - N_OURS];
		tab = strchr(text, '\t');
		snprintf(preset.name, sizeof(preset.name), "%.*s", (int)(tab - text), text);
		preset.line = tab + 1;
	}
	return preset;
}

/* The index among all presets; their number: there is none of the user's. */
static size_t find_own(const struct setup *s, const char *name)
{
	size_t i = N_OURS;

	while (i < setup_n_presets(s) && strcmp(setup_preset(s, i).name, name) != 0)
		i++;
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
	if (find_own(s, name) == setup_n_presets(s) && s->presets.n >= SETUP_PRESETS_MAX)
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, name,
				      _("there are already %d presets: remove one first"),
				      SETUP_PRESETS_MAX);
	return 0;
}

static int add_preset(struct setup *s, const char *name, const char *line, struct ptui_error *err)
{
	int ret = check_name(s, name, err);
	char *text;

	if (ret)
		return ret;
	if (asprintf(&text, "%s\t%s", name, line) < 0)
		return ptui_error_nomem(err);
	setup_forget_preset(s, find_own(s, name));
	ret = words_add(&s->presets, text);
	free(text);
	return ret ? ptui_error_nomem(err) : 0;
}

int setup_keep_preset(struct setup *s, const char *name, struct ptui_error *err)
{
	struct words how = WORDS_INIT;
	char *line = setup_how_words(s, &how) ? NULL : words_join(&how);
	int ret = line ? add_preset(s, name, line, err) : ptui_error_nomem(err);

	free(line);
	words_release(&how);
	return ret;
}

void setup_forget_preset(struct setup *s, size_t i)
{
	if (i >= N_OURS && i < setup_n_presets(s))
		words_remove(&s->presets, i - N_OURS);
}

int setup_read_preset(struct setup *s, const char *text, struct ptui_error *err)
{
	size_t n = strcspn(text, "\t");
	char *name = strndup(text, n);
	int ret = name ? -EINVAL : -ENOMEM;

	if (name && text[n] && text[n + 1])
		ret = add_preset(s, name, text + n + 1, err);
	free(name);
	return ret;
}
