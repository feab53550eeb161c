/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Addresses as perf prints them. The line of a frame is made once and copied from then on:
 *
 *   "\t           1183 leaf+0x1a (/tmp/w)\n"
 *                     '--- tail ---------'
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "base/text.h"
#include "base/vec.h"
#include "cli/script/put.h"
#include "cli/script/script.h"

#define F(id)	  SCRIPT_FIELD(id)
#define LINES_MAX ((size_t)256 << 20) /* then they are made anew */

/* " symbol+0xoff (dso)" */
static void add_place(struct script *s, uint64_t fields, const struct frame *f)
{
	const struct resolver *r = stream_resolver(s->stream);
	const struct symbol *sym = f->sym == PTUI_NONE ? NULL : resolver_symbol(r, f->sym);
	const struct dso_info *dso = f->dso == PTUI_NONE ? NULL : resolver_dso(r, f->dso);
	uint32_t name = PTUI_NONE;

	if (fields & F(SYM)) {
		buf_add_char(&s->lines, ' ');
		text_escape(&s->lines, sym ? stream_name(s->stream, sym->name) : "[unknown]");
		if (sym && fields & F(SYMOFF))
			buf_addf(&s->lines, "+0x%llx", (unsigned long long)(f->off - sym->start));
	}
	if (!(fields & F(DSO)))
		return;
	if (dso)
		name = dso->kernel && !s->opts->kernel_path ? dso->short_name : dso->name;
	buf_add_str(&s->lines, " (");
	text_escape(&s->lines, dso ? stream_name(s->stream, name) : "[unknown]");
	if (dso && fields & F(DSOFF))
		buf_addf(&s->lines, "+0x%llx", (unsigned long long)f->off);
	buf_add_char(&s->lines, ')');
}

/* perf 6.1 shows the place in the file in callchains, except of the kernel. */
static uint64_t chain_addr(struct script *s, const struct frame *f)
{
	const struct dso_info *dso = f->dso == PTUI_NONE ?
					     NULL :
					     resolver_dso(stream_resolver(s->stream), f->dso);

	return dso && !dso->kernel ? f->off : f->addr;
}

static int make_line(struct script *s, uint64_t fields, uint32_t frame, struct script_line *line)
{
	const struct frame *f = &resolver_frames(stream_resolver(s->stream))[frame];
	char number[32] = "\t";
	size_t at = s->lines.len;

	if (fields & F(IP))
		buf_add(&s->lines, number,
			(size_t)(put_hex(number + 1, chain_addr(s, f), 16) - number));
	line->tail = (uint32_t)(s->lines.len - at);
	add_place(s, fields, f);
	buf_add_char(&s->lines, '\n');
	line->at = (uint32_t)at;
	line->n = (uint32_t)(s->lines.len - at);
	return s->lines.err;
}

static void forget_lines(struct script *s)
{
	for (size_t i = 0; i < SCRIPT_KINDS; i++)
		if (s->places[i].cap)
			memset(s->places[i].lines, 0,
			       s->places[i].cap * sizeof(*s->places[i].lines));
	s->lines.len = s->lines_start;
}

static const struct script_line *line_of(struct script *s, const struct script_event *e,
					 uint32_t frame)
{
	struct script_places *places = &s->places[e->kind];
	size_t cap = places->cap;

	if (frame < cap && places->lines[frame].n)
		return &places->lines[frame];
	if (s->lines.len > LINES_MAX)
		forget_lines(s);
	if (frame >= cap) {
		if (vec_grow(&places->lines, &places->cap, frame + 1))
			return NULL;
		memset(places->lines + cap, 0, (places->cap - cap) * sizeof(*places->lines));
	}
	return make_line(s, e->fields, frame, &places->lines[frame]) ? NULL : &places->lines[frame];
}

int script_print_place(struct script *s, const struct script_event *e, uint32_t frame)
{
	const struct script_line *line = line_of(s, e, frame);
	char *p;

	if (!line)
		return -ENOMEM;
	p = script_room(s, line->n);
	if (!p)
		return -ENOMEM;
	/* without the address and the end of the line */
	script_wrote(s,
		     put_text(p, s->lines.data + line->at + line->tail, line->n - line->tail - 1));
	return 0;
}

int script_print_chain(struct script *s, const struct script_event *e,
		       const struct stream_chain *chain)
{
	char *p = script_room(s, 256), *end;

	if (!p)
		return -ENOMEM;
	*p++ = '\n';
	end = s->out.data + s->out.cap - 1;
	for (size_t i = 0; i < chain->n; i++) {
		const struct script_line *line = line_of(s, e, chain->frames[i]);

		if (!line)
			return -ENOMEM;
		if ((size_t)(end - p) < line->n) {
			script_wrote(s, p);
			p = script_room(s, line->n);
			if (!p)
				return -ENOMEM;
			end = s->out.data + s->out.cap - 1;
		}
		p = put_text(p, s->lines.data + line->at, line->n);
	}
	script_wrote(s, p);
	return 0;
}
