/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/print.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "text/utf8.h"

#define FILES_MAX 8192 /* as in perf */

void print_text(FILE *out, const char *text)
{
	for (; *text; text++)
		fputc((unsigned char)*text < 0x20 || *text == 0x7f ? '?' : *text, out);
}

void print_fitted(FILE *out, const char *text, int width, bool right, bool last)
{
	int fill = width - utf8_width(text);

	if (right && fill > 0)
		fprintf(out, "%*s", fill, "");
	print_text(out, text);
	if (!right && !last && fill > 0)
		fprintf(out, "%*s", fill, "");
}

FILE *print_create(char *path, size_t size)
{
	FILE *out;
	int fd = -1;

	for (int i = 0; i < FILES_MAX && fd < 0; i++) {
		snprintf(path, size, "perf.hist.%d", i);
		fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (fd < 0 && errno != EEXIST)
			return NULL;
	}
	out = fd < 0 ? NULL : fdopen(fd, "w");
	if (fd >= 0 && !out)
		close(fd);
	return out;
}
