/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <string.h>

#include "text/utf8.h"
#include "widget/spark.h"

#define HEIGHTS 8 /* of a block, and as many widths */

void spark_init(struct spark *s)
{
	memset(s, 0, sizeof(*s));
}

void spark_add(struct spark *s, double value)
{
	s->values[s->next] = value;
	s->next = (s->next + 1) % SPARK_MAX;
	if (s->n < SPARK_MAX)
		s->n++;
}

/* The value `back` before the last one. */
static double value_at(const struct spark *s, size_t back)
{
	return s->values[(s->next + SPARK_MAX - 1 - back) % SPARK_MAX];
}

static bool is_value(double v)
{
	return isfinite(v) && v >= 0;
}

/* ▁ … █: zero is the lowest one, distinct from a gap. */
static uint32_t block(double value, double top)
{
	int height = top > 0 ? (int)(value / top * HEIGHTS) : 0;

	if (height >= HEIGHTS)
		height = HEIGHTS - 1;
	return 0x2581 + (uint32_t)height;
}

void spark_draw(const struct spark *s, const struct canvas *c, int y, int x, int width,
		style_t style)
{
	double top = s->floor_top;

	for (size_t i = 0; i < s->n && (int)i < width; i++) {
		double v = value_at(s, i);

		if (is_value(v) && v > top)
			top = v;
	}
	for (int i = 0; i < width; i++) {
		size_t back = (size_t)(width - 1 - i);
		uint32_t ch = ' ';

		if (back < s->n && is_value(value_at(s, back)))
			ch = block(value_at(s, back), top);
		canvas_fill(c, y, x + i, 1, 1, style, ch);
	}
}

char *spark_char(double part, char buf[SPARK_CHAR])
{
	buf[utf8_put(buf, block(part > 0 ? part : 0, 1))] = 0;
	return buf;
}

void spark_bar(const struct canvas *c, int y, int x, int width, double part, style_t style)
{
	int eighths;

	if (width <= 0)
		return;
	if (!(part > 0))
		part = 0;
	else if (part > 1)
		part = 1;
	eighths = (int)(part * width * HEIGHTS + 0.5);
	for (int i = 0; i < width; i++, eighths -= HEIGHTS) {
		uint32_t ch = ' ';

		if (eighths >= HEIGHTS)
			ch = 0x2588;
		else if (eighths > 0)
			ch = 0x2590 - (uint32_t)eighths; /* ▏ is one eighth, ▉ seven */
		canvas_fill(c, y, x + i, 1, 1, style, ch);
	}
}
