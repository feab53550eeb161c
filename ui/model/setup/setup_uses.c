/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/setup/setup_uses.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "text/i18n.h"

void setup_uses_release(struct setup_uses *m)
{
	for (size_t i = 0; i < m->n; i++)
		free((char *)m->v[i].use.value);
	free(m->v);
	memset(m, 0, sizeof(*m));
}

int setup_uses_add(struct setup_uses *m, const struct ptui_record_use *use)
{
	char *copy = use->value ? strdup(use->value) : NULL;

	if (use->value && !copy)
		return -ENOMEM;
	if (m->n >= SETUP_USES_MAX || vec_grow(&m->v, &m->cap, m->n + 1)) {
		free(copy);
		return m->n >= SETUP_USES_MAX ? -E2BIG : -ENOMEM;
	}
	m->v[m->n++] = (struct setup_use){ { use->option, copy, use->off }, SIZE_MAX };
	return 0;
}

int setup_uses_error(int failed, struct ptui_error *err)
{
	if (failed == -E2BIG)
		return ptui_error_set(err, PTUI_ERROR_INPUT, E2BIG, NULL, _("too many options"));
	return failed ? ptui_error_nomem(err) : 0;
}

void setup_uses_remove_at(struct setup_uses *m, size_t i)
{
	free((char *)m->v[i].use.value);
	m->n--;
	memmove(&m->v[i], &m->v[i + 1], (m->n - i) * sizeof(*m->v));
}

bool setup_uses_remove(struct setup_uses *m, size_t option)
{
	size_t before = m->n;

	for (size_t i = m->n; i-- > 0;)
		if (m->v[i].use.option == option)
			setup_uses_remove_at(m, i);
	return m->n < before;
}

const struct ptui_record_use *setup_uses_find(const struct setup_uses *m, size_t option,
					      size_t from)
{
	for (size_t i = from; i < m->n; i++)
		if (m->v[i].use.option == option)
			return &m->v[i].use;
	return NULL;
}

const struct ptui_record_use *setup_uses_named(const struct setup_uses *m, const char *name)
{
	return setup_uses_find(m, ptui_record_option_find(name), 0);
}

/* Options that are more than a line of the Options screen. */
static const struct option_part {
	const char *name;
	enum setup_part part;
	bool listed; /* a line there, too: the row has some of its values only */
	bool for_counts;
	bool follows_events;
} option_parts[] = {
	{ "freq", SETUP_PART_RATE, false, false, false },
	{ "count", SETUP_PART_RATE, false, false, false },
	{ "g", SETUP_PART_CALLS, false, false, false },
	{ "call-graph", SETUP_PART_CALLS, true, false, false },
	{ "event", SETUP_PART_EVENTS, false, true, false },
	{ "filter", SETUP_PART_EVENTS, false, true, false },
	{ "exclude-perf", SETUP_PART_OTHERS, true, false, true },
	{ "no-inherit", SETUP_PART_OTHERS, true, true, false },
	{ "output", SETUP_PART_OUTPUT, false, false, false },
	{ "cpu", SETUP_PART_CPUS, true, true, false },
	{ "pid", SETUP_PART_TARGET, true, true, false },
	{ "tid", SETUP_PART_TARGET, true, true, false },
	{ "uid", SETUP_PART_TARGET, true, true, false },
	{ "cgroup", SETUP_PART_TARGET, true, true, true },
	{ "all-cpus", SETUP_PART_SYSTEM, false, false, false },
	{ "quiet", SETUP_PART_NOWHERE, false, false, false },
	{ "verbose", SETUP_PART_NOWHERE, false, false, false },
	{ "dry-run", SETUP_PART_NOWHERE, false, false, false },
	{ "tui", SETUP_PART_NOWHERE, false, false, false },
	{ NULL, SETUP_PART_OTHERS, true, false, false }, /* all others */
};

/* "freq" or "g", as ptui_record_option_find() takes it. `letter` may hold it. NULL: no option. */
static const char *option_name(size_t option, char letter[2])
{
	struct ptui_record_option o;

	if (!ptui_record_option(option, &o))
		return NULL;
	letter[0] = o.letter;
	letter[1] = '\0';
	return o.name ? o.name : letter;
}

static const struct option_part *part_of(size_t option)
{
	const struct option_part *part = option_parts;
	char letter[2];
	const char *name = option_name(option, letter);

	while (part->name && (!name || strcmp(part->name, name) != 0))
		part++;
	return part;
}

enum setup_part setup_option_part(size_t option)
{
	return part_of(option)->part;
}

bool setup_has_row(size_t option)
{
	return !part_of(option)->listed;
}

bool setup_is_for_counts(size_t option)
{
	return part_of(option)->for_counts;
}

bool setup_follows_events(size_t option)
{
	return part_of(option)->follows_events;
}

void setup_uses_pin(struct setup_uses *m, size_t n, bool cgroups)
{
	for (size_t i = 0; i < m->n; i++) {
		size_t option = m->v[i].use.option;

		if (m->v[i].after == SIZE_MAX && setup_follows_events(option) &&
		    (cgroups || setup_option_part(option) != SETUP_PART_TARGET))
			m->v[i].after = n;
	}
}

bool setup_use_follows(const struct setup_use *u, size_t i, size_t n)
{
	return setup_follows_events(u->use.option) && (u->after < n ? u->after : n) == i;
}

const char *setup_use_value(const struct ptui_record_use *u)
{
	return u->off ? _("off") : u->value ? u->value : _("on");
}

int setup_use_words(const struct ptui_record_use *u, struct words *ret)
{
	size_t size = (u->value ? strlen(u->value) : 0) + 256;
	char *first = malloc(size);
	bool follows = false;
	int err = -ENOMEM;

	if (first && !ptui_record_use_words(u, first, size, &follows))
		err = words_add(ret, first);
	if (!err && follows)
		err = words_add(ret, u->value);
	free(first);
	return err;
}

/* ---- a line of a file ---- */

char *setup_use_line(const struct ptui_record_use *u)
{
	char letter[2], *line;
	const char *name = option_name(u->option, letter);

	if (!name || asprintf(&line, "%s%s%s%s", name, u->off ? "!" : "", u->value ? "=" : "",
			      u->value ? u->value : "") < 0)
		return NULL;
	return line;
}

int setup_use_read(const char *line, struct ptui_record_use *ret)
{
	size_t n = strcspn(line, "=!");
	char *name = strndup(line, n);

	if (!name)
		return -ENOMEM;
	*ret = (struct ptui_record_use){ .option = ptui_record_option_find(name),
					 .off = line[n] == '!' };
	free(name);
	n += ret->off;
	if (ret->option == SIZE_MAX || (line[n] && (ret->off || line[n] != '=')))
		return -EINVAL;
	if (line[n])
		ret->value = line + n + 1;
	return ptui_record_use_check(ret, NULL);
}
