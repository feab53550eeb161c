/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/stat/stat_output.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "base/file.h"
#include "base/i18n.h"

int stat_output_open(struct stat_output *out, const struct stat_command *o, struct ptui_error *err)
{
	const char *path = o->records ? NULL : o->output; /* of the recording */
	time_t now = time(NULL);
	char date[64];

	out->fd = o->log_fd ? (int)o->log_fd : STDERR_FILENO;
	if (o->log_fd && fcntl(out->fd, F_GETFD) < 0)
		return ptui_error_set(err, PTUI_ERROR_SYSTEM, EBADF, NULL,
				      _("file descriptor %d is not open"), out->fd);
	if (o->quiet)
		out->fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
	else if (path && strcmp(path, "-"))
		out->fd = open(path,
			       O_WRONLY | O_CREAT | O_CLOEXEC | (o->append ? O_APPEND : O_TRUNC),
			       0666);
	if (out->fd < 0)
		return ptui_error_set(err, PTUI_ERROR_SYSTEM, errno, path,
				      _("cannot write to %s: %s"), path ? path : "/dev/null",
				      strerror(errno));
	out->to_terminal = isatty(out->fd);
	if (path && out->fd != STDERR_FILENO && !o->quiet && !o->json && ctime_r(&now, date))
		buf_addf(&out->text, "# started on %s\n", date);
	return 0;
}

int stat_output_put(struct stat_output *out)
{
	int ret = out->text.err ? -ENOMEM : 0;

	if (!ret && out->text.len)
		ret = file_write_all(out->fd, out->text.data, out->text.len);
	buf_clear(&out->text);
	return ret;
}

void stat_output_release(struct stat_output *out)
{
	buf_release(&out->text);
	if (out->fd > STDERR_FILENO)
		close(out->fd);
}
