/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text/strings.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static char *append(char *buf, size_t size, const char *between, const char *fmt, va_list args)
{
	size_t n = strlen(buf);

	if (n)
		n += (size_t)snprintf(buf + n, size - n, "%s", between);
	if (n < size)
		vsnprintf(buf + n, size - n, fmt, args);
	return buf;
}

char *text_append(char *buf, size_t size, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	append(buf, size, "", fmt, args);
	va_end(args);
	return buf;
}

char *text_join(char *buf, size_t size, const char *between, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	append(buf, size, between, fmt, args);
	va_end(args);
	return buf;
}

int text_copy(char **ret, const char *text)
{
	*ret = text ? strdup(text) : NULL;
	return text && !*ret ? -ENOMEM : 0;
}

const char *text_file_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}
