/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lines of every screen: title and state, tabs, facts, key hints. Without a row it is the first one
 * of the canvas.
 */
#ifndef WIDGET_LINE_H
#define WIDGET_LINE_H

#include <stddef.h>

#include "input/keymap.h"
#include "term/canvas.h"

/* " Live  make -j2                 ● REC 00:12.4": the title is truncated, not the state. */
void line_head(const struct canvas *c, const char *where, const char *state, style_t state_style);

/* The same for `where`, which ends before the name of a function: that one loses its middle first. */
void line_head_name(const struct canvas *c, const char *where, const char *name, const char *state,
		    style_t state_style);

/*
 * Tabs in `width` columns: "cycles · instructions · sched:sched_switch", the current one bold in [
 * ] and always visible. Returns the columns drawn; right-aligned.
 */
int line_tabs(const struct canvas *c, int x, int width, const char *const *names, size_t n,
	      size_t current);
/* Columns needed for all of them. */
int line_tabs_width(const char *const *names, size_t n);
/* Columns that line_tabs() draws in `width`. */
int line_tabs_fit(const char *const *names, size_t n, size_t current, int width);
/*
 * The tab at column `x` after line_tabs() with the same arguments; … is the next one in that
 * direction. -1: none.
 */
int line_tab_at(const char *const *names, size_t n, size_t current, int width, int x);

/*
 * Facts in a row: "lost 0 · unknown 1.8 % · running 100 %". If they do not fit, the highest `hide`
 * is hidden first.
 */
struct line_fact {
	char text[96];
	style_t style;
	int hide;
};
/* Adds one to facts[*n]. */
void line_add_fact(struct line_fact *facts, size_t *n, style_t style, int hide, const char *fmt,
		   ...) __attribute__((format(printf, 5, 6)));
void line_facts(const struct canvas *c, const char *title, const struct line_fact *facts, size_t n);

struct line_hint {
	enum request req;
	const char *word; /* translated */
};
/* The last line: keys and words, as many as fit; help, if included, always. */
void line_hints(const struct canvas *c, int y, const struct keymaps *keys, enum keymap map,
		const struct line_hint *hints, size_t n);
/* The hint at column `x` of that line; REQ_NONE: none. */
enum request line_hint_at(const struct keymaps *keys, enum keymap map,
			  const struct line_hint *hints, size_t n, int width, int x);

#endif
