/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/complete.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ptui/catalog.h"

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Sorts, and removes duplicates. */
static void sort(struct words *ways)
{
	if (!ways->n)
		return;
	qsort(ways->v, ways->n, sizeof(*ways->v), by_text);
	for (size_t i = ways->n - 1; i > 0; i--)
		if (!strcmp(ways->v[i], ways->v[i - 1]))
			words_remove(ways, i);
}

/* ---- files ---- */

enum what {
	FILES,
	PROGRAMS, /* executables, and directories on the way to them */
	PROGRAMS_ONLY,
};

/* 0: no match; 1: match; 2: directory. */
static int kind_of(const char *folder, const char *name, enum what what)
{
	char path[PATH_MAX];
	struct stat st;

	if ((size_t)snprintf(path, sizeof(path), "%s/%s", folder, name) >= sizeof(path))
		return 0;
	if (stat(path, &st))
		return what == FILES;
	if (S_ISDIR(st.st_mode))
		return what == PROGRAMS_ONLY ? 0 : 2;
	return what == FILES || (S_ISREG(st.st_mode) && !access(path, X_OK));
}

/*
 * Entries of `folder` that begin with `name`, prefixed with `shown`. Hidden files only if `name`
 * begins with a dot.
 */
static int add_folder(const char *folder, const char *shown, const char *name, enum what what,
		      struct words *ways)
{
	size_t n = strlen(name);
	DIR *dir = opendir(folder);
	struct dirent *e;
	int ret = 0, kind;

	while (dir && !ret && ways->n < COMPLETE_MAX && (e = readdir(dir))) {
		if (strncmp(e->d_name, name, n) || (*e->d_name == '.' && *name != '.') ||
		    !strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
			continue;
		kind = kind_of(folder, e->d_name, what);
		if (kind)
			ret = words_addf(ways, "%s%s%s", shown, e->d_name, kind == 2 ? "/" : "");
	}
	if (dir)
		closedir(dir);
	return ret;
}

/* `typed` up to its last slash is the directory, shown as typed. */
static int add_paths(const char *typed, enum what what, struct words *ways)
{
	const char *slash = strrchr(typed, '/');
	char *shown = strndup(typed, slash ? (size_t)(slash - typed) + 1 : 0);
	char *folder = shown ? words_path(*shown ? shown : ".") : NULL;
	int ret = -ENOMEM;

	if (folder)
		ret = add_folder(folder, shown, slash ? slash + 1 : typed, what, ways);
	free(folder);
	free(shown);
	return ret;
}

int complete_path(void *unused, const char *line, size_t at, size_t *begin, struct words *ways)
{
	char *typed = strndup(line, at);
	int ret = typed ? add_paths(typed, FILES, ways) : -ENOMEM;

	(void)unused;
	*begin = 0;
	free(typed);
	sort(ways);
	return ret;
}

/* ---- command lines ---- */

static int add_programs(const char *name, struct words *ways)
{
	const char *path = getenv("PATH");
	char *copy = strdup(path ? path : ""), *next = copy, *folder;
	int ret = copy ? 0 : -ENOMEM;

	while (!ret && next) {
		folder = strsep(&next, ":");
		if (*folder)
			ret = add_folder(folder, "", name, PROGRAMS_ONLY, ways);
	}
	free(copy);
	return ret;
}

/*
 * Parses the line like words_split() up to `at`, even if incomplete: returns the last word without
 * quotes (free() it), its start, and whether it is the first word. NULL: out of memory.
 */
static char *last_word(const char *line, size_t at, size_t *begin, bool *first)
{
	char *word = malloc(at + 1), quote = 0;
	size_t n = 0;

	if (!word)
		return NULL;
	*begin = strspn(line, " \t");
	*begin = *begin < at ? *begin : at;
	*first = true;
	for (size_t i = *begin; i < at; i++) {
		if (quote && line[i] == quote) {
			quote = 0;
		} else if (!quote && strchr("'\"", line[i])) {
			quote = line[i];
		} else if (!quote && strchr(" \t", line[i])) {
			*begin = i + 1;
			*first = false;
			n = 0;
		} else {
			if (quote != '\'' && line[i] == '\\' && i + 1 < at)
				i++;
			word[n++] = line[i];
		}
	}
	word[n] = '\0';
	return word;
}

/* Escapes special characters with \; keeps a leading ~. */
static int escape(char **way, bool tilde)
{
	char *escaped = malloc(2 * strlen(*way) + 1), *to = escaped;
	const char *from = *way;

	if (!escaped)
		return -ENOMEM;
	for (; *from; from++) {
		if (strchr(" \t\n|&;<>()$`\\\"'*?[", *from) ||
		    (from == *way && strchr("~#", *from) && !tilde))
			*to++ = '\\';
		*to++ = *from;
	}
	*to = '\0';
	free(*way);
	*way = escaped;
	return 0;
}

int complete_command(void *unused, const char *line, size_t at, size_t *begin, struct words *ways)
{
	bool first, tilde;
	char *word = last_word(line, at, begin, &first);
	int ret;

	(void)unused;
	if (!word)
		return -ENOMEM;
	tilde = line[*begin] == '~';
	if (!first)
		ret = add_paths(word, FILES, ways);
	else if (strchr(word, '/'))
		ret = add_paths(word, PROGRAMS, ways);
	else
		ret = *word ? add_programs(word, ways) : 0;
	free(word);
	for (size_t i = 0; i < ways->n && !ret; i++)
		ret = escape(&ways->v[i], tilde);
	sort(ways);
	return ret;
}

/* ---- events ---- */

struct finding {
	const char *name;
	size_t n;
	struct words *ways;
};

static int add_name(const struct finding *f, const char *name)
{
	if (!name || strncmp(name, f->name, f->n))
		return 0;
	return words_add(f->ways, name);
}

static int find_entry(void *ctx, const struct ptui_catalog_entry *e)
{
	struct finding *f = ctx;

	if (f->ways->n >= COMPLETE_MAX || !strcmp(e->kind, "raw"))
		return 0;
	return add_name(f, e->name) || add_name(f, e->alias) ? -ENOMEM : 0;
}

int complete_event(void *unused, const char *line, size_t at, size_t *begin, struct words *ways)
{
	struct ptui_catalog *catalog = ptui_catalog_new();
	struct finding f = { .ways = ways };
	int ret = -ENOMEM;

	(void)unused;
	for (*begin = at; *begin && !strchr(",{", line[*begin - 1]);)
		--*begin;
	f.name = line + *begin;
	f.n = at - *begin;
	if (catalog)
		ret = ptui_catalog_each(catalog, find_entry, NULL, &f);
	ptui_catalog_free(catalog);
	sort(ways);
	return ret;
}
