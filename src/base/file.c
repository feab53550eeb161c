/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading and writing that continues after signals and short counts. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>
#include "base/file.h"
#include "base/i18n.h"

#define STEP_BYTES   16384
#define NUMBER_BYTES 128 /* larger than any number with white space */

const struct roots roots_system = {
	.sysfs = "/sys",
	.proc = "/proc",
	.tracefs = NULL,
};

/* Reads to the end: st_size is 0 in /proc and a page in sysfs. -EFBIG: over max_bytes. */
static int read_all(int fd, size_t max_bytes, struct buf *out)
{
	char step[STEP_BYTES];
	size_t total = 0;

	for (;;) {
		ssize_t got = file_read_full(fd, step, sizeof(step));

		if (got <= 0)
			return (int)got;
		if ((size_t)got > max_bytes - total)
			return -EFBIG;
		total += (size_t)got;
		buf_add(out, step, (size_t)got);
		if (out->err)
			return out->err;
	}
}

int file_read(const char *path, size_t max_bytes, struct buf *out, struct ptui_error *err)
{
	size_t len_before = out->len;
	int fd, ret;

	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return ptui_error_errno(err, errno, path, _("cannot open %s"), path);
	buf_add(out, "", 0); /* an empty file is "", not NULL */
	ret = out->err ? out->err : read_all(fd, max_bytes, out);
	close(fd);
	if (!ret)
		return 0;
	/* leave no partial content */
	out->len = len_before;
	if (out->data)
		out->data[out->len] = '\0';
	if (ret == -EFBIG)
		return ptui_error_set(err, PTUI_ERROR_SYSTEM, EFBIG, path,
				      _("%s is larger than %zu bytes"), path, max_bytes);
	return ptui_error_errno(err, -ret, path, _("cannot read %s"), path);
}

int file_vreadf(struct buf *out, size_t max_bytes, const char *fmt, va_list ap)
{
	struct buf path = BUF_INIT;
	int ret;

	buf_vaddf(&path, fmt, ap);
	ret = path.err ? path.err : file_read(buf_str(&path), max_bytes, out, NULL);
	buf_release(&path);
	return ret;
}

int file_readf(struct buf *out, size_t max_bytes, const char *fmt, ...)
{
	va_list ap;
	int ret;

	va_start(ap, fmt);
	ret = file_vreadf(out, max_bytes, fmt, ap);
	va_end(ap);
	return ret;
}

static bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Decimal even with leading zeros (sysfs has no octal), or 0x…; skips white space. */
static int parse_number(const struct buf *text, long long *ret_value)
{
	const char *s = buf_str(text), *text_end = s + text->len;
	const char *digits;
	long long value;
	char *end;

	while (is_space(*s))
		s++;
	digits = s + (*s == '-' || *s == '+');
	errno = 0;
	value = strtoll(s, &end, digits[0] == '0' && (digits[1] | 32) == 'x' ? 16 : 10);
	if (end == s)
		return -EINVAL;
	if (errno)
		return -errno;
	while (is_space(*end))
		end++;
	if (end != text_end) /* there was a NUL inside */
		return -EINVAL;
	*ret_value = value;
	return 0;
}

int file_read_long(long long *ret_value, const char *fmt, ...)
{
	struct buf text = BUF_INIT;
	va_list ap;
	int ret;

	va_start(ap, fmt);
	ret = file_vreadf(&text, NUMBER_BYTES, fmt, ap);
	va_end(ap);
	if (ret == -EFBIG)
		ret = -EINVAL;
	if (!ret)
		ret = parse_number(&text, ret_value);
	buf_release(&text);
	return ret;
}

int file_write_all(int fd, const void *bytes, size_t n)
{
	const char *p = bytes;

	while (n) {
		ssize_t put = write(fd, p, n);

		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0)
			return -errno;
		if (!put)
			return -EIO; /* avoid an endless loop */
		p += put;
		n -= (size_t)put;
	}
	return 0;
}

/* `off` negative: from the file's position. */
static ssize_t read_full(int fd, void *bytes, size_t n, off_t off)
{
	size_t done = 0;

	if (n > SSIZE_MAX)
		return -EINVAL;
	while (done < n) {
		char *at = (char *)bytes + done;
		ssize_t got = off < 0 ? read(fd, at, n - done) :
					pread(fd, at, n - done, off + (off_t)done);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (!got)
			break;
		done += (size_t)got;
	}
	return (ssize_t)done;
}

ssize_t file_read_full(int fd, void *bytes, size_t n)
{
	return read_full(fd, bytes, n, -1);
}

ssize_t file_pread_full(int fd, void *bytes, size_t n, off_t off)
{
	return off < 0 ? -EINVAL : read_full(fd, bytes, n, off);
}
