/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>
#include "base/text.h"
#include "cli/wrap.h"

#define LINE_COLUMNS 80

/* One paragraph; `at` is the current column. */
static void wrap_paragraph(struct buf *out, size_t indent, size_t at, const char *text, size_t len)
{
	const char *end = text + len;
	size_t gap = 0; /* columns between the previous word and this one */
	bool first = true;

	buf_add_spaces(out, indent > at ? indent - at : 0);
	at = indent;
	while (text < end) {
		size_t n = text_piece(text), width;
		struct buf piece = BUF_INIT;

		if (n > (size_t)(end - text))
			n = (size_t)(end - text);
		buf_add(&piece, text, n);
		width = text_width(buf_str(&piece));
		if (!first && n && at + gap + width > LINE_COLUMNS) {
			buf_add_char(out, '\n');
			buf_add_spaces(out, indent);
			at = indent;
			first = true;
		}
		if (n) {
			if (!first)
				buf_add_spaces(out, gap);
			buf_add_str(out, buf_str(&piece));
			at += width + (first ? 0 : gap);
			first = false;
			gap = 0;
		}
		if (piece.err)
			out->err = piece.err;
		buf_release(&piece);
		text += n;
		if (text < end && (*text == ' ' || *text == '\n')) {
			gap = 1;
			text++;
		}
	}
	buf_add_char(out, '\n');
}

void wrap_text(struct buf *out, size_t indent, const char *text)
{
	const char *gap;

	while ((gap = strstr(text, "\n\n"))) {
		wrap_paragraph(out, indent, 0, text, (size_t)(gap - text));
		buf_add_char(out, '\n');
		text = gap + 2;
	}
	wrap_paragraph(out, indent, 0, text, strlen(text));
}

void wrap_beside(struct buf *out, const char *left, size_t column, const char *text)
{
	size_t width = text_width(left);

	buf_add_str(out, left);
	if (width + 2 > column) {
		buf_add_char(out, '\n');
		width = 0;
	}
	wrap_paragraph(out, column, width, text, strlen(text));
}
