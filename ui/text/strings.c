/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text/strings.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "text/utf8.h"

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

/* ---- names for narrow columns ---- */

#define ELLIPSIS	 "…"
#define HEAD_OF(columns) ((columns) / 3) /* the tail gets the rest */

/* What the standard library's strings are demangled to. */
static const struct {
	const char *longs, *shorts;
} strings[] = {
	{ "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >",
	  "std::string" },
	{ "std::basic_string<char, std::char_traits<char>, std::allocator<char> >", "std::string" },
	{ "std::basic_string_view<char, std::char_traits<char> >", "std::string_view" },
	{ "std::__cxx11::basic_string<wchar_t, std::char_traits<wchar_t>, std::allocator<wchar_t> "
	  ">",
	  "std::wstring" },
};

static void shorten_strings(const char *name, char *buf, size_t size)
{
	size_t n = 0;

	while (*name && n + 1 < size) {
		size_t len = 0;

		for (size_t i = 0; i < sizeof(strings) / sizeof(*strings) && !len; i++) {
			len = strlen(strings[i].longs);
			if (strncmp(name, strings[i].longs, len) != 0) {
				len = 0;
				continue;
			}
			n += (size_t)snprintf(buf + n, size - n, "%s", strings[i].shorts);
		}
		name += len;
		if (!len)
			buf[n++] = *name++;
	}
	buf[n < size ? n : size - 1] = '\0';
}

/* The last bytes of a text that fit into `columns`. */
static const char *tail_of(const char *text, int columns)
{
	size_t at = strlen(text);

	while (at) {
		size_t before = utf8_before(text, at);

		if (utf8_width(text + before) > columns)
			break;
		at = before;
	}
	return text + at;
}

char *name_short(const char *name, int columns, char *buf, size_t size)
{
	char tail[1024];
	size_t head;

	if (strstr(name, "std::"))
		shorten_strings(name, buf, size);
	else
		snprintf(buf, size, "%s", name);
	if (columns < 4 || utf8_width(buf) <= columns)
		return buf;
	head = utf8_fit(buf, HEAD_OF(columns));
	snprintf(tail, sizeof(tail), "%s", tail_of(buf, columns - 1 - HEAD_OF(columns)));
	snprintf(buf + head, size - head, ELLIPSIS "%s", tail);
	return buf;
}
