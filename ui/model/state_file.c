/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/state_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

#define FILE_MAX_BYTES 0x100000 /* ignores the rest of the file */

char *state_path(const char *name)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	char *path;

	/* By specification: a relative path counts as unset. */
	if (state && *state == '/')
		return asprintf(&path, "%s/ptui/%s", state, name) < 0 ? NULL : path;
	if (home && *home == '/')
		return asprintf(&path, "%s/.local/state/ptui/%s", home, name) < 0 ? NULL : path;
	return NULL;
}

/* ---- reading ---- */

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* In place; false: invalid escape. */
static bool unescape(char *text)
{
	char *to = text;
	int high, low;

	for (; *text; text++) {
		if ((unsigned char)*text < ' ' || *text == 0x7f)
			return false;
		if (*text != '\\') {
			*to++ = *text;
			continue;
		}
		high = text[1] == 'x' ? hex_digit(text[2]) : -1;
		low = high < 0 ? -1 : hex_digit(text[3]);
		if (low < 0 || !(high | low))
			return false;
		*to++ = (char)(high << 4 | low);
		text += 3;
	}
	*to = '\0';
	return true;
}

static int read_line(char *line, int (*take)(void *ctx, const char *name, const char *value),
		     void *ctx)
{
	char *value = strchr(line, ' ');

	if (!value)
		return -EINVAL;
	*value++ = '\0';
	return unescape(value) ? take(ctx, line, value) : -EINVAL;
}

int state_lines(char *text, size_t n, int (*line)(void *ctx, const char *name, const char *value),
		void *ctx, size_t *bad)
{
	char *end = text + n, *next;
	int ret;

	for (; text < end; text = next) {
		next = memchr(text, '\n', (size_t)(end - text));
		ret = -EINVAL;
		if (next) {
			*next = '\0';
			if (strlen(text) == (size_t)(next - text))
				ret = read_line(text, line, ctx);
		}
		if (ret == -ENOMEM)
			return ret;
		*bad += ret != 0;
		next = next ? next + 1 : end;
	}
	return 0;
}

int state_read(const char *path, char **ret_text, size_t *ret_n)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t n = 0;
	int ret = fd < 0 && errno != ENOENT && errno != ENOTDIR ? -errno : 0;

	*ret_n = 0;
	*ret_text = ret ? NULL : malloc(FILE_MAX_BYTES);
	if (!ret && !*ret_text)
		ret = -ENOMEM;
	if (!ret && fd >= 0)
		n = file_read_full(fd, *ret_text, FILE_MAX_BYTES);
	if (fd >= 0)
		close(fd);
	if (n < 0)
		ret = (int)n;
	else
		*ret_n = (size_t)n;
	if (ret) {
		free(*ret_text);
		*ret_text = NULL;
	}
	return ret;
}

/* ---- writing ---- */

void state_put(struct buf *out, const char *name, const char *fmt, ...)
{
	struct buf value = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(&value, fmt, ap);
	va_end(ap);
	buf_addf(out, "%s ", name);
	for (const char *c = buf_str(&value); *c; c++) {
		if ((unsigned char)*c < ' ' || *c == 0x7f || *c == '\\')
			buf_addf(out, "\\x%02x", (unsigned char)*c);
		else
			buf_add_char(out, *c);
	}
	buf_add_char(out, '\n');
	out->err = value.err ? value.err : out->err;
	buf_release(&value);
}

/* Creates all directories of `path`, accessible by the user only. */
static int make_folders(char *path)
{
	char *slash;
	int ret = 0;

	for (slash = strchr(path + 1, '/'); slash && !ret; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(path, 0700) && errno != EEXIST)
			ret = -errno;
		*slash = '/';
	}
	return ret;
}

static int write_and_rename(const struct buf *text, char *temporary, const char *path)
{
	int fd = mkostemp(temporary, O_CLOEXEC), ret;

	if (fd < 0)
		return -errno;
	ret = file_write_all(fd, text->data, text->len);
	if (!ret && fsync(fd))
		ret = -errno;
	if (close(fd) && !ret)
		ret = -errno;
	if (!ret && rename(temporary, path))
		ret = -errno;
	if (ret)
		unlink(temporary);
	return ret;
}

int state_write(const struct buf *text, const char *path)
{
	char *temporary;
	int ret;

	if (text->err || asprintf(&temporary, "%s.XXXXXX", path) < 0)
		return -ENOMEM;
	ret = make_folders(temporary);
	if (!ret)
		ret = write_and_rename(text, temporary, path);
	free(temporary);
	return ret;
}
