/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/setup/setup_more.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

void setup_more_release(struct setup_more *m)
{
	for (size_t i = 0; i < m->n; i++)
		free(m->v[i].value);
	free(m->v);
	memset(m, 0, sizeof(*m));
}

int setup_more_add(struct setup_more *m, size_t option, const char *value, bool off)
{
	char *copy = value ? strdup(value) : NULL;

	if (value && !copy)
		return -ENOMEM;
	if (m->n >= SETUP_MORE_MAX || vec_grow(&m->v, &m->cap, m->n + 1)) {
		free(copy);
		return m->n >= SETUP_MORE_MAX ? -E2BIG : -ENOMEM;
	}
	m->v[m->n++] = (struct setup_use){ option, copy, off };
	return 0;
}

bool setup_more_remove(struct setup_more *m, size_t option)
{
	size_t to = 0;
	bool was;

	for (size_t i = 0; i < m->n; i++) {
		if (m->v[i].option == option)
			free(m->v[i].value);
		else
			m->v[to++] = m->v[i];
	}
	was = to < m->n;
	m->n = to;
	return was;
}

const struct setup_use *setup_more_find(const struct setup_more *m, size_t option, size_t from)
{
	for (size_t i = from; i < m->n; i++)
		if (m->v[i].option == option)
			return &m->v[i];
	return NULL;
}

const struct setup_use *setup_more_named(const struct setup_more *m, const char *name)
{
	size_t option = ptui_record_option_find(name);

	return option == SIZE_MAX ? NULL : setup_more_find(m, option, 0);
}

int setup_use_words(const struct setup_use *u, struct words *ret)
{
	const struct ptui_record_use use = { u->option, u->value, u->off };
	size_t size = (u->value ? strlen(u->value) : 0) + 256;
	char *first = malloc(size);
	bool follows = false;
	int err = -ENOMEM;

	if (first && !ptui_record_use_words(&use, first, size, &follows))
		err = words_add(ret, first);
	if (!err && follows)
		err = words_add(ret, u->value);
	free(first);
	return err;
}

int setup_more_words(const struct setup_more *m, struct words *ret)
{
	int err = 0;

	for (size_t i = 0; i < m->n && !err; i++)
		err = setup_use_words(&m->v[i], ret);
	return err;
}

size_t setup_more_count(const struct setup_more *m)
{
	size_t n = 0;

	for (size_t i = 0; i < m->n; i++)
		n += setup_more_find(m, m->v[i].option, 0) == &m->v[i];
	return n;
}

/* ---- a line of a file ---- */

char *setup_use_line(const struct setup_use *u)
{
	struct ptui_record_option o;
	char letter[2] = "", *line;
	const char *name;

	if (!ptui_record_option(u->option, &o))
		return NULL;
	letter[0] = o.letter;
	name = o.name ? o.name : letter;
	if (asprintf(&line, "%s%s%s%s", name, u->off ? "!" : "", u->value ? "=" : "",
		     u->value ? u->value : "") < 0)
		return NULL;
	return line;
}

int setup_more_read(struct setup_more *m, const char *line)
{
	size_t n = strcspn(line, "=!"), option;
	char *name = strndup(line, n);
	struct ptui_record_use use;
	int ret;

	if (!name)
		return -ENOMEM;
	option = ptui_record_option_find(name);
	free(name);
	use = (struct ptui_record_use){ option, NULL, line[n] == '!' };
	n += line[n] == '!';
	if (option == SIZE_MAX || (line[n] && line[n] != '='))
		return -EINVAL;
	if (line[n])
		use.value = line + n + 1;
	if (use.value && use.off)
		return -EINVAL;
	ret = ptui_record_use_check(&use, NULL);
	return ret ? ret : setup_more_add(m, option, use.value, use.off);
}
