/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>

#include "base/vec.h"
#include "term/ascii.h"

/* Sorted by code, for binary search. */
static const struct {
	uint32_t from;
	char to;
} art[] = {
	{ 0x00b7, '.' }, /* · */
	{ 0x2013, '-' }, /* – */
	{ 0x2022, '*' }, /* • */
	{ 0x2026, '~' }, /* … */
	{ 0x2039, '<' }, /* ‹ */
	{ 0x203a, '>' }, /* › */
	{ 0x2190, '<' }, /* ← */
	{ 0x2191, '^' }, /* ↑ */
	{ 0x2192, '>' }, /* → */
	{ 0x2193, 'v' }, /* ↓ */
	{ 0x23f8, '|' }, /* ⏸ */
	{ 0x2500, '-' }, /* ─ */
	{ 0x2502, '|' }, /* │ */
	{ 0x250c, '+' }, /* ┌ */
	{ 0x2510, '+' }, /* ┐ */
	{ 0x2514, '+' }, /* └ */
	{ 0x2518, '+' }, /* ┘ */
	{ 0x251c, '|' }, /* ├ */
	{ 0x2524, '|' }, /* ┤ */
	{ 0x252c, '+' }, /* ┬ */
	{ 0x2534, '+' }, /* ┴ */
	{ 0x253c, '+' }, /* ┼ */
	{ 0x2581, '_' }, /* ▁ and seven greater heights */
	{ 0x2582, '_' }, { 0x2583, '.' }, { 0x2584, '-' }, { 0x2585, '-' }, { 0x2586, '=' },
	{ 0x2587, '#' }, { 0x2588, '#' }, { 0x2589, '#' }, /* ▉ and seven smaller widths */
	{ 0x258a, '#' }, { 0x258b, '=' }, { 0x258c, '=' }, { 0x258d, '-' }, { 0x258e, '-' },
	{ 0x258f, '.' }, { 0x2591, '.' }, /* ░ */
	{ 0x25b8, '>' },		  /* ▸ */
	{ 0x25be, 'v' },		  /* ▾ */
	{ 0x25cb, 'o' },		  /* ○ */
	{ 0x25cf, '*' },		  /* ● */
	{ 0x2713, '+' },		  /* ✓ */
	{ 0x2717, 'x' },		  /* ✗ */
};

static char art_find(uint32_t c)
{
	size_t n = sizeof(art) / sizeof(art[0]), at = bisect(i, n, art[i].from < c);

	return at < n && art[at].from == c ? art[at].to : 0;
}

uint32_t ascii_shown(const struct grid *g, uint32_t c)
{
	char found;

	if (c < 0x80 || !(g->ascii_art || g->ascii_text))
		return c;
	found = art_find(c);
	if (found)
		return (uint32_t)found;
	return g->ascii_text ? '?' : c;
}

void ascii_escape(uint32_t c, char buf[8])
{
	if (c == '\n')
		snprintf(buf, 8, "\\n");
	else if (c == '\t')
		snprintf(buf, 8, "\\t");
	else if (c <= 0xff)
		snprintf(buf, 8, "\\x%02x", (unsigned)(c & 0xff));
	else
		snprintf(buf, 8, "\\u%04x", (unsigned)(c & 0xffff));
}
