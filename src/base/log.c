/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Log messages of the core. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "base/text.h"
#include "ptui/log.h"

#define LINE_BYTES 1024
#define ELLIPSIS   "\xe2\x80\xa6"

static struct {
	ptui_log_fn fn;
	void *ctx;
	enum ptui_log_level max;
} sink;

void ptui_log_set(ptui_log_fn fn, void *ctx, enum ptui_log_level max)
{
	sink.fn = fn;
	sink.ctx = ctx;
	sink.max = max;
}

int ptui_log_wants(enum ptui_log_level level)
{
	return sink.fn && level <= sink.max;
}

/* The callback gets one line: removes a newline at the end, and replaces others by spaces. */
static void make_one_line(char *line)
{
	size_t n = strlen(line);

	while (n && line[n - 1] == '\n')
		line[--n] = '\0';
	for (; *line; line++)
		if (*line == '\n')
			*line = ' ';
}

void ptui_log(enum ptui_log_level level, const char *room, const char *fmt, ...)
{
	char line[LINE_BYTES];
	int saved_errno = errno; /* logging preserves errno */
	va_list ap;
	int n;

	if (!ptui_log_wants(level))
		return;
	va_start(ap, fmt);
	n = vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	if (n < 0) {
		line[0] = '\0';
	} else if ((size_t)n >= sizeof(line)) {
		size_t keep = text_utf8_floor(line, sizeof(line) - sizeof(ELLIPSIS));

		memcpy(line + keep, ELLIPSIS, sizeof(ELLIPSIS));
	}
	make_one_line(line);
	sink.fn(sink.ctx, level, room, line);
	errno = saved_errno;
}
