/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Filling struct ptui_error: texts are truncated to fit, at character boundaries. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "base/i18n.h"
#include "base/text.h"
#include "ptui/error.h"

/*
 * Formats into dst (size bytes), truncated. The arguments may point into dst's own struct, so
 * callers format into a local array first.
 */
static void PTUI_PRINTF(3, 0) format_cut(char *dst, size_t size, const char *fmt, va_list ap)
{
	int n = vsnprintf(dst, size, fmt, ap);

	if (n < 0)
		dst[0] = '\0'; /* a %ls that the locale cannot encode */
	else if ((size_t)n >= size)
		dst[text_utf8_floor(dst, size - 1)] = '\0';
}

static void copy_cut(char *dst, size_t size, const char *src)
{
	size_t n = strnlen(src, size);

	if (n == size)
		n = text_utf8_floor(src, size - 1);
	memcpy(dst, src, n);
	dst[n] = '\0';
}

/* Appends src to dst, truncated. */
static void append_cut(char *dst, size_t size, const char *src)
{
	size_t n = strlen(dst);

	copy_cut(dst + n, size - n, src);
}

static const char *errno_text(int errnum, char *scratch, size_t size)
{
#if defined(__GLIBC__) && defined(_GNU_SOURCE)
	return strerror_r(errnum, scratch, size);
#else
	if (strerror_r(errnum, scratch, size))
		snprintf(scratch, size, _("error %d"), errnum);
	return scratch;
#endif
}

static void fill(struct ptui_error *err, enum ptui_error_domain domain, int code,
		 const char *object, const char *text)
{
	char object_copy[sizeof(err->object)];

	/* `object` may be the old err->object */
	copy_cut(object_copy, sizeof(object_copy), object ? object : "");
	err->domain = domain;
	err->code = code;
	memcpy(err->object, object_copy, sizeof(object_copy));
	copy_cut(err->text, sizeof(err->text), text);
	err->hint[0] = '\0';
}

int ptui_error_set(struct ptui_error *err, enum ptui_error_domain domain, int errnum,
		   const char *object, const char *fmt, ...)
{
	char text[sizeof(err->text)];
	va_list ap;

	if (!err)
		return -errnum;
	va_start(ap, fmt);
	format_cut(text, sizeof(text), fmt, ap);
	va_end(ap);
	fill(err, domain, errnum, object, text);
	return -errnum;
}

int ptui_error_errno(struct ptui_error *err, int errnum, const char *object, const char *fmt, ...)
{
	char text[sizeof(err->text)], scratch[128];
	va_list ap;

	if (!err)
		return -errnum;
	va_start(ap, fmt);
	format_cut(text, sizeof(text), fmt, ap);
	va_end(ap);
	append_cut(text, sizeof(text), ": ");
	append_cut(text, sizeof(text), errno_text(errnum, scratch, sizeof(scratch)));
	fill(err, PTUI_ERROR_SYSTEM, errnum, object, text);
	if (errnum == EMFILE)
		ptui_error_hint(err, _("raise the limit of open files: ulimit -n"));
	return -errnum;
}

int ptui_error_nomem(struct ptui_error *err)
{
	if (err)
		fill(err, PTUI_ERROR_SYSTEM, ENOMEM, NULL, _("out of memory"));
	return -ENOMEM;
}

/* A prefix that is too long, as with the name of a C++ function, leaves room for the reason. */
static void cut_prefix(char *text, size_t size, const char *reason)
{
	size_t n = strlen(text), most = size / 3;

	if (n <= most || n + strlen(": ") + strlen(reason) < size)
		return;
	text[text_utf8_floor(text, most)] = '\0';
	append_cut(text, size, "...");
}

void ptui_error_prefix(struct ptui_error *err, const char *fmt, ...)
{
	char text[sizeof(err->text)];
	va_list ap;

	if (!ptui_error_is_set(err))
		return;
	va_start(ap, fmt);
	format_cut(text, sizeof(text), fmt, ap);
	va_end(ap);
	cut_prefix(text, sizeof(text), err->text);
	append_cut(text, sizeof(text), ": ");
	append_cut(text, sizeof(text), err->text);
	memcpy(err->text, text, sizeof(text));
}

void ptui_error_hint(struct ptui_error *err, const char *fmt, ...)
{
	char line[sizeof(err->hint)];
	va_list ap;

	if (!ptui_error_is_set(err))
		return;
	va_start(ap, fmt);
	format_cut(line, sizeof(line), fmt, ap);
	va_end(ap);
	if (err->hint[0]) {
		/* no room for any of it */
		if (strlen(err->hint) + 2 >= sizeof(err->hint))
			return;
		append_cut(err->hint, sizeof(err->hint), "\n");
	}
	append_cut(err->hint, sizeof(err->hint), line);
}
