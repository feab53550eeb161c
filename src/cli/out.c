/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>
#include "base/clock.h"
#include "base/file.h"
#include "base/i18n.h"
#include "base/text.h"
#include "cli/out.h"
#include "ptui/log.h"

#define INDENT "    "

static struct {
	int fd; /* of the debug log; -1: none */
	enum ptui_log_level max;
	bool quiet;
	uint64_t start_ns;
} log_state = { .fd = -1 };

/* In one write(), so that lines of several threads do not interleave. */
static void write_text(int fd, struct buf *b)
{
	if (!b->err && b->len)
		(void)file_write_all(fd, b->data, b->len);
	buf_release(b);
}

/* Needs no memory if there is none for the text. */
static void put_stderr(struct buf *b)
{
	const char *text = _("out of memory");
	const struct iovec iov[] = { { .iov_base = (void *)(uintptr_t) "ptui: ", .iov_len = 6 },
				     { .iov_base = (void *)(uintptr_t)text,
				       .iov_len = strlen(text) },
				     { .iov_base = (void *)(uintptr_t) "\n", .iov_len = 1 } };
	ssize_t ignored;

	fflush(stdout);
	if (b->err) {
		ignored = writev(STDERR_FILENO, iov, 3);
		(void)ignored;
	}
	write_text(STDERR_FILENO, b);
}

static void add_head(struct buf *b, const struct cli *cli)
{
	buf_add_str(b, "ptui: ");
	if (cli->command)
		buf_addf(b, "%s: ", cli->command->name);
}

/* Each line of `text` separately, escaped, after `indent`; the first after `first`. */
static void add_lines(struct buf *b, const char *first, const char *indent, const char *text)
{
	while (*text) {
		size_t n = strcspn(text, "\n");
		struct buf line = BUF_INIT;

		buf_add(&line, text, n);
		buf_add_str(b, first);
		text_escape(b, buf_str(&line));
		buf_add_char(b, '\n');
		if (line.err)
			b->err = line.err;
		buf_release(&line);
		text += n + (text[n] == '\n');
		first = indent;
	}
}

void cli_error(const struct cli *cli, const struct ptui_error *err)
{
	struct buf b = BUF_INIT;

	add_head(&b, cli);
	/* selector errors have the selector and a caret below the message */
	add_lines(&b, "", INDENT, err->text);
	add_lines(&b, INDENT, INDENT, err->hint);
	put_stderr(&b);
}

int cli_failed(const struct cli *cli, const struct ptui_error *err)
{
	cli_error(cli, err);
	return err->domain == PTUI_ERROR_INPUT ? CLI_USAGE : CLI_FAILED;
}

int cli_misused(const struct cli *cli, struct ptui_error *err)
{
	const char *const *usage = cli->command ? cli->command->usage : NULL;

	if (usage)
		ptui_error_hint(err, _("usage: ptui %s %s"), cli->command->name, _(usage[0]));
	else
		ptui_error_hint(err, _("usage: ptui [OPTIONS] COMMAND [ARGUMENTS]"));
	cli_error(cli, err);
	return CLI_USAGE;
}

int cli_rejected(const struct cli *cli, struct ptui_error *err)
{
	return err->domain == PTUI_ERROR_INPUT ? cli_misused(cli, err) : cli_failed(cli, err);
}

int cli_invalid(const struct cli *cli, const char *fmt, ...)
{
	struct ptui_error err = { .domain = PTUI_ERROR_INPUT, .code = EINVAL };
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(err.text, sizeof(err.text), fmt, ap);
	va_end(ap);
	return cli_misused(cli, &err);
}

int cli_nomem(const struct cli *cli)
{
	cli_warn(cli, "%s", _("out of memory"));
	return CLI_FAILED;
}

void cli_warn(const struct cli *cli, const char *fmt, ...)
{
	struct buf text = BUF_INIT, b = BUF_INIT;
	va_list ap;

	if (log_state.quiet)
		return;
	va_start(ap, fmt);
	buf_vaddf(&text, fmt, ap);
	va_end(ap);
	add_head(&b, cli);
	text_escape(&b, buf_str(&text));
	buf_add_char(&b, '\n');
	if (text.err)
		b.err = text.err;
	buf_release(&text);
	put_stderr(&b);
}

static void log_debug(enum ptui_log_level level, const char *room, const char *text)
{
	static const char *const levels[] = { "warn", "info", "debug" };
	struct buf b = BUF_INIT;
	long long ns = (long long)(clock_monotonic_ns() - log_state.start_ns);

	buf_addf(&b, "%5lld.%06lld %-5s %s: ", ns / 1000000000, ns / 1000 % 1000000, levels[level],
		 room);
	text_escape(&b, text);
	buf_add_char(&b, '\n');
	write_text(log_state.fd, &b);
}

static void heard(void *ctx, enum ptui_log_level level, const char *room, const char *text)
{
	bool shown = level <= log_state.max && !log_state.quiet;

	if (shown)
		cli_warn(ctx, "%s", text);
	if (log_state.fd >= 0 && !(shown && log_state.fd == STDERR_FILENO))
		log_debug(level, room, text);
}

static void log_set(const struct cli *cli)
{
	ptui_log_set(heard, (void *)(uintptr_t)cli,
		     log_state.fd >= 0 ? PTUI_LOG_DEBUG : log_state.max);
}

static const struct cli *log_cli;

void cli_log_open(const struct cli *cli)
{
	const char *want = getenv("PTUI_DEBUG");

	log_cli = cli;
	log_state.max = PTUI_LOG_WARN;
	log_state.quiet = false;
	log_state.start_ns = clock_monotonic_ns();
	if (want && !strcmp(want, "1")) {
		log_state.fd = STDERR_FILENO;
	} else if (want && *want && strcmp(want, "0")) {
		log_state.fd = open(want, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
		if (log_state.fd < 0)
			cli_warn(cli, _("no debug log: PTUI_DEBUG=%s: %s"), want, strerror(errno));
	}
	log_set(cli);
}

void cli_log_verbose(void)
{
	log_state.max = PTUI_LOG_INFO;
	log_set(log_cli);
}

void cli_log_quiet(bool quiet)
{
	log_state.quiet = quiet;
}

void cli_log_close(void)
{
	ptui_log_set(NULL, NULL, PTUI_LOG_WARN);
	if (log_state.fd > STDERR_FILENO)
		close(log_state.fd);
	log_state.fd = -1;
}

/* errno of the first failed write; the stream only remembers that one failed. */
static int stdout_errno;

static int put_bytes(const char *bytes, size_t n)
{
	errno = 0;
	if (fwrite(bytes, 1, n, stdout) == n && !ferror(stdout))
		return 0;
	if (!stdout_errno)
		stdout_errno = errno;
	return stdout_errno ? -stdout_errno : -EIO;
}

int cli_put(struct buf *text)
{
	int ret = text->err ? text->err : put_bytes(buf_str(text), text->len);

	if (!ret)
		buf_clear(text);
	return ret;
}

int cli_put_text(const char *text)
{
	return put_bytes(text, strlen(text));
}

int cli_flush(void)
{
	errno = 0;
	if (!fflush(stdout))
		return 0;
	if (!stdout_errno)
		stdout_errno = errno;
	return stdout_errno ? -stdout_errno : -EIO;
}

int cli_close_stdout(const struct cli *cli, int status)
{
	bool failed = ferror(stdout);

	errno = 0;
	if (fclose(stdout)) {
		failed = true;
		if (!stdout_errno)
			stdout_errno = errno;
	}
	if (!failed)
		return status;
	if (stdout_errno)
		cli_warn(cli, _("standard output: %s"), strerror(stdout_errno));
	else
		cli_warn(cli, _("cannot write to standard output"));
	return status == CLI_OK ? CLI_FAILED : status;
}
