/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "base/text.h"
#include "base/vec.h"
#include "record/control.h"

static int no_delay(const char *text, struct ptui_error *err)
{
	ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, "-D", _("'%s' is not a valid delay (-D)"),
		       text);
	ptui_error_hint(err, _("use milliseconds, such as 500; -1 to start with events disabled; "
			       "or ascending time ranges, such as 10-20,30-40"));
	return -EINVAL;
}

static int add_stretch(struct control *c, uint64_t on_ms, uint64_t off_ms)
{
	if (vec_grow(&c->stretches, &c->cap_stretches, c->n_stretches + 1))
		return -ENOMEM;
	c->stretches[c->n_stretches++] = (struct control_stretch){ on_ms, off_ms };
	return 0;
}

int control_parse_delay(struct control *c, const char *text, struct ptui_error *err)
{
	uint64_t on, off, last = 0;
	const char *at = text;

	c->delayed = true;
	if (!strcmp(text, "-1"))
		return 0;
	at = text_number(text, UINT32_MAX, &on);
	if (at && !*at && on)
		return add_stretch(c, on, UINT64_MAX) ? ptui_error_nomem(err) : 0;
	for (at = text;;) {
		at = text_number(at, UINT32_MAX, &on);
		if (!at || *at++ != '-')
			return no_delay(text, err);
		at = text_number(at, UINT32_MAX, &off);
		if (!at || (*at && *at != ',') || off <= on || (c->n_stretches && on <= last))
			return no_delay(text, err);
		if (add_stretch(c, on, off))
			return ptui_error_nomem(err);
		if (!*at)
			return 0;
		last = off;
		at++;
	}
}

static int no_channel(const char *text, struct ptui_error *err)
{
	ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, "--control",
		       _("'%s' is not a valid --control argument"), text);
	ptui_error_hint(err, _("use fd:CTL or fd:CTL,ACK with open file descriptors, or fifo:CTL "
			       "or fifo:CTL,ACK with paths of FIFOs"));
	return -EINVAL;
}

static int parse_fds(struct control *c, const char *text, struct ptui_error *err)
{
	uint64_t fds[2] = { 0, 0 };
	const char *at = text_number(text + strlen("fd:"), INT32_MAX, &fds[0]);
	int n = 1;

	if (at && *at == ',') {
		at = text_number(at + 1, INT32_MAX, &fds[1]);
		n = 2;
	}
	if (!at || *at)
		return no_channel(text, err);
	for (int i = 0; i < n; i++)
		if (fcntl((int)fds[i], F_GETFD) < 0)
			return ptui_error_set(err, PTUI_ERROR_INPUT, EBADF, "--control",
					      _("file descriptor %d in '%s' is not open "
						"(--control)"),
					      (int)fds[i], text);
	c->fd = (int)fds[0];
	c->ack_fd = n > 1 ? (int)fds[1] : -1;
	return 0;
}

/*
 * Opened for reading and writing: the FIFO then always has a reader and a writer, so that the other
 * side may close it and open it again.
 */
static int open_fifo(const char *path, int *ret, struct ptui_error *err)
{
	*ret = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	return *ret < 0 ?
		       ptui_error_errno(err, errno, path, _("cannot open '%s' (--control)"), path) :
		       0;
}

static int parse_fifos(struct control *c, const char *text, struct ptui_error *err)
{
	char *paths = strdup(text + strlen("fifo:")), *ack;
	int ret = 0;

	if (!paths)
		return ptui_error_nomem(err);
	ack = strchr(paths, ',');
	if (ack)
		*ack++ = '\0';
	c->own_fds = true;
	if (!*paths)
		ret = no_channel(text, err);
	else
		ret = open_fifo(paths, &c->fd, err);
	if (!ret && ack && *ack)
		ret = open_fifo(ack, &c->ack_fd, err);
	free(paths);
	return ret;
}

int control_parse_channel(struct control *c, const char *text, struct ptui_error *err)
{
	if (!strncmp(text, "fd:", 3))
		return parse_fds(c, text, err);
	if (!strncmp(text, "fifo:", 5))
		return parse_fifos(c, text, err);
	return no_channel(text, err);
}
