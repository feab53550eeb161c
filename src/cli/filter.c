/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/filter.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/buf.h"
#include "base/i18n.h"

int filter_read_name(void *field, const char *value, bool unset, struct ptui_error *err)
{
	(void)unset;
	if (!*value || strchr(value, ','))
		return ptui_error_set(
			err, PTUI_ERROR_INPUT, ENOTSUP, value,
			_("expected a single name, not '%s': ptui does not support lists yet; "
			  "use perf"),
			value);
	*(const char **)field = value;
	return 0;
}

/* 0 or a negative errno. */
static int add_lines_of(const char *path, struct buf *out)
{
	FILE *f = fopen(path, "re");
	char *line = NULL;
	size_t cap = 0;
	int ret;

	if (!f)
		return -errno;
	while (getline(&line, &cap, f) >= 0) {
		line[strcspn(line, "\n")] = '\0';
		if (*line)
			buf_addf(out, "%s\n", line);
	}
	ret = ferror(f) ? -EIO : 0;
	free(line);
	fclose(f);
	return ret;
}

static int add_word(const char *word, size_t len, struct buf *out, struct ptui_error *err)
{
	static const char file[] = "file://";
	char *path;
	int ret;

	if (!len)
		return 0;
	if (len < sizeof(file) || strncmp(word, file, sizeof(file) - 1)) {
		buf_add(out, word, len);
		buf_add_char(out, '\n');
		return 0;
	}
	path = strndup(word + sizeof(file) - 1, len - (sizeof(file) - 1));
	ret = path ? add_lines_of(path, out) : -ENOMEM;
	if (ret)
		ptui_error_set(err, PTUI_ERROR_INPUT, -ret, path, _("cannot read '%s': %s"),
			       path ? path : "", strerror(-ret));
	free(path);
	return ret;
}

int filter_read_list(void *field, const char *value, bool unset, struct ptui_error *err)
{
	char **list = field;
	struct buf lines = BUF_INIT;
	int ret = 0;

	free(*list);
	*list = NULL;
	if (unset)
		return 0;
	while (*value && !ret) {
		size_t len = strcspn(value, ",");

		ret = add_word(value, len, &lines, err);
		value += len + (value[len] == ',');
	}
	if (!ret && lines.len)
		*list = strndup(lines.data, lines.len - 1);
	if (!ret && !lines.len)
		ret = ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, NULL, _("the list is empty"));
	else if (!ret && (lines.err || !*list))
		ret = ptui_error_nomem(err);
	buf_release(&lines);
	return ret;
}

int filter_read_percentage(void *field, const char *value, bool unset, struct ptui_error *err)
{
	bool *relative = field;

	(void)unset;
	*relative = !strcmp(value, "relative");
	if (*relative || !strcmp(value, "absolute"))
		return 0;
	return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, value,
			      _("'%s' is neither relative nor absolute"), value);
}
