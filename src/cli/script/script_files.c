/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --per-event-dump: a file per event, INPUT.EVENT.dump. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/file.h"
#include "base/i18n.h"
#include "cli/script/script.h"

#define OUT_BYTES ((size_t)256 << 10) /* written at once */

static char *file_path(const char *input, const char *event)
{
	struct buf b = BUF_INIT;
	size_t at;

	buf_add_str(&b, input);
	buf_add_char(&b, '.');
	at = b.len;
	buf_add_str(&b, event);
	buf_add_str(&b, ".dump");
	if (b.err) {
		buf_release(&b);
		return NULL;
	}
	for (char *p = b.data + at; *p; p++)
		if (*p == '/') /* "cpu/event=0x3c/" */
			*p = '_';
	return b.data;
}

static int fail(const struct script_file *f, int error, struct ptui_error *err)
{
	return ptui_error_set(err, PTUI_ERROR_SYSTEM, error, f->path, _("cannot write '%s': %s"),
			      f->path, strerror(error));
}

static int file_write(struct script_file *f, struct ptui_error *err)
{
	int ret = f->out.err ? f->out.err : file_write_all(f->fd, f->out.data, f->out.len);

	if (ret)
		return fail(f, -ret, err);
	f->bytes += f->out.len;
	buf_clear(&f->out);
	return 0;
}

/* Events with one name have one file. */
static int open_file(struct script *s, struct script_event *e, char *path, struct ptui_error *err)
{
	struct script_file *f = &s->files[s->n_files];

	for (size_t i = 0; i < s->n_files; i++) {
		if (!strcmp(s->files[i].path, path)) {
			e->file = &s->files[i];
			free(path);
			return 0;
		}
	}
	*f = (struct script_file){ .path = path, .out = BUF_INIT };
	f->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	s->n_files++;
	e->file = f;
	return f->fd < 0 ? fail(f, errno, err) : 0;
}

int script_files_open(struct script *s, const char *input, struct ptui_error *err)
{
	struct data_file *file = stream_file(s->stream);
	int ret = 0;

	s->files = calloc(s->n_events, sizeof(*s->files));
	if (!s->files)
		return ptui_error_nomem(err);
	for (size_t i = 0; i < s->n_events && !ret; i++) {
		char *path = file_path(input, data_event(file, i)->name);

		ret = path ? open_file(s, &s->events[i], path, err) : ptui_error_nomem(err);
	}
	return ret;
}

static void swap_out(struct script *s, struct script_file *f)
{
	struct buf out = s->out;

	s->out = f->out;
	f->out = out;
}

void script_file_begin(struct script *s, struct script_event *e)
{
	swap_out(s, e->file);
	e->file->samples++;
}

int script_file_end(struct script *s, struct script_event *e, struct ptui_error *err)
{
	swap_out(s, e->file);
	return e->file->out.len >= OUT_BYTES ? file_write(e->file, err) : 0;
}

int script_files_finish(struct script *s, struct ptui_error *err)
{
	int ret = 0;

	for (size_t i = 0; i < s->n_files && !ret; i++)
		ret = file_write(&s->files[i], err);
	for (size_t i = 0; i < s->n_files && !ret; i++) {
		const struct script_file *f = &s->files[i];

		buf_addf(&s->out, "[ ptui script: Wrote %.3f MB %s (%" PRIu64 " samples) ]\n",
			 (double)f->bytes / (1 << 20), f->path, f->samples);
	}
	return ret;
}

void script_files_release(struct script *s)
{
	for (size_t i = 0; i < s->n_files; i++) {
		if (s->files[i].fd >= 0)
			close(s->files[i].fd);
		buf_release(&s->files[i].out);
		free(s->files[i].path);
	}
	free(s->files);
}
