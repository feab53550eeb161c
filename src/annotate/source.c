/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "annotate/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/buf.h"
#include "base/file.h"
#include "base/vec.h"

#define SOURCE_BYTES_MAX  ((int64_t)64 << 20)
#define SOURCES_BYTES_MAX ((int64_t)512 << 20)

/* Where the file is on this machine. */
static void add_path(const struct sources *s, const char *path, struct buf *out)
{
	const char *rest = path;

	if (!s->prefix) {
		buf_add_str(out, path);
		return;
	}
	for (unsigned i = 0; i < s->prefix_strip; i++) {
		const char *slash = strchr(rest + (*rest == '/'), '/');

		if (!slash)
			break;
		rest = slash;
	}
	buf_addf(out, "%s%s%s", s->prefix, *rest == '/' ? "" : "/", rest);
}

static int split_lines(struct source_file *f, size_t n)
{
	char *p = f->text, *end = f->text + n;

	while (p < end) {
		char *newline = memchr(p, '\n', (size_t)(end - p));

		if (vec_grow(&f->lines, &f->cap_lines, f->n_lines + 1))
			return -ENOMEM;
		f->lines[f->n_lines++] = p;
		if (!newline)
			break;
		*newline = '\0';
		if (newline > p && newline[-1] == '\r')
			newline[-1] = '\0';
		p = newline + 1;
	}
	return 0;
}

/* 0, also if it cannot be read, or -ENOMEM. */
static int read_text(struct sources *s, struct source_file *f, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;
	ssize_t n = -1;

	if (fd < 0)
		return 0;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size <= SOURCE_BYTES_MAX &&
	    s->bytes + st.st_size <= SOURCES_BYTES_MAX) {
		s->bytes += st.st_size;
		f->text = malloc((size_t)st.st_size + 1);
		n = f->text ? file_pread_full(fd, f->text, (size_t)st.st_size, 0) : -ENOMEM;
		f->mtime_s = st.st_mtim.tv_sec;
	}
	close(fd);
	if (n < 0) {
		free(f->text);
		f->text = NULL;
		return n == -ENOMEM ? -ENOMEM : 0;
	}
	f->text[n] = '\0';
	return split_lines(f, (size_t)n);
}

static void source_free(struct source_file *f)
{
	free(f->path);
	free(f->text);
	free(f->lines);
	free(f);
}

struct source_file *source_get(struct sources *s, const char *path)
{
	struct source_file *f;
	struct buf full = BUF_INIT;
	int ret;

	for (size_t i = 0; i < s->n; i++)
		if (!strcmp(s->files[i]->path, path))
			return s->files[i];
	if (vec_grow(&s->files, &s->cap, s->n + 1))
		return NULL;
	f = calloc(1, sizeof(*f));
	if (!f)
		return NULL;
	f->path = strdup(path);
	add_path(s, path, &full);
	ret = !f->path || full.err ? -ENOMEM : read_text(s, f, buf_str(&full));
	buf_release(&full);
	if (ret) {
		source_free(f);
		return NULL;
	}
	s->files[s->n++] = f;
	return f;
}

const char *source_line(const struct source_file *f, unsigned line)
{
	return line && line <= f->n_lines ? f->lines[line - 1] : NULL;
}

void sources_release(struct sources *s)
{
	for (size_t i = 0; i < s->n; i++)
		source_free(s->files[i]);
	free(s->files);
	s->files = NULL;
	s->n = s->cap = 0;
}
