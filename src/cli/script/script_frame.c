/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Addresses as perf prints them. The line of a frame is made once and copied from then on:
 *
 *   "\t           1183 leaf+0x1a (/tmp/w)\n"
 *                     '--- tail ---------'
 */
#include <errno.h>
#include <string.h>
#include "base/text.h"
#include "base/vec.h"
#include "cli/script/put.h"
#include "cli/script/script.h"

#define F(id) SCRIPT_FIELD(id)

/*
 * The name of a DSO in a line; NULL: none. As in perf, kernel modules have their path if the header has build-ids, which
 * then name them first.
 */
const char *script_dso_name(const struct script *s, const struct dso_info *dso)
{
	bool path;

	if (!dso)
		return "[unknown]";
	path = !dso->kernel || s->opts->kernel_path ||
	       (s->has_build_ids && dso->build_id_bytes &&
		strcmp(stream_name(s->stream, dso->short_name), "[kernel.kallsyms]"));
	return stream_name(s->stream, path ? dso->name : dso->short_name);
}

/* " (dso)" */
void script_add_dso(struct script *s, uint64_t fields, const struct frame *f)
{
	const struct resolver *r = stream_resolver(s->stream);
	const struct dso_info *dso = f->dso == PTUI_NONE ? NULL : resolver_dso(r, f->dso);

	if (!(fields & F(DSO)))
		return;
	buf_add_str(&s->lines, " (");
	text_escape(&s->lines, script_dso_name(s, dso));
	if (dso && fields & F(DSOFF))
		buf_addf(&s->lines, "+0x%llx", (unsigned long long)f->off);
	buf_add_char(&s->lines, ')');
}

/* " symbol+0xoff (dso)" */
void script_add_place(struct script *s, uint64_t fields, const struct frame *f)
{
	const struct resolver *r = stream_resolver(s->stream);
	const struct symbol *sym = f->sym == PTUI_NONE ? NULL : resolver_symbol(r, f->sym);

	if (fields & F(SYM)) {
		buf_add_char(&s->lines, ' ');
		text_escape(&s->lines, sym ? stream_name(s->stream, sym->name) : "[unknown]");
		if (sym && fields & F(SYMOFF))
			buf_addf(&s->lines, "+0x%llx", (unsigned long long)(f->off - sym->start));
	}
	script_add_dso(s, fields, f);
}

void script_add_srcline(struct script *s, uint32_t frame, size_t level, struct buf *out)
{
	const struct resolver *r = stream_resolver(s->stream);
	const struct frame *f = &resolver_frames(r)[frame];
	struct profile_scope scopes[PROFILE_INLINE_MAX];
	size_t n = stream_scopes(s->stream, frame, scopes, PROFILE_INLINE_MAX);
	const struct profile_scope *at = n ? &scopes[level < n ? level : n - 1] : NULL;
	const char *path;

	if (at && at->path) {
		path = strrchr(at->path, '/');
		text_escape(out, path && !s->opts->source_path ? path + 1 : at->path);
		buf_addf(out, ":%u", at->line);
	} else {
		text_escape(out, stream_name(s->stream, resolver_dso(r, f->dso)->short_name));
		buf_addf(out, "[%llx]", (unsigned long long)f->off);
	}
}

/* The source line in a line of its own. */
static void add_source(struct script *s, uint64_t fields, uint32_t frame, size_t level)
{
	const struct frame *f = &resolver_frames(stream_resolver(s->stream))[frame];

	if (!(fields & F(SRCLINE)) || f->dso == PTUI_NONE)
		return;
	buf_add_str(&s->lines, "\n  ");
	script_add_srcline(s, frame, level, &s->lines);
}

/* perf 6.1 shows the place in the file in callchains, except of the kernel. */
static uint64_t chain_addr(struct script *s, const struct frame *f)
{
	const struct dso_info *dso = f->dso == PTUI_NONE ?
					     NULL :
					     resolver_dso(stream_resolver(s->stream), f->dso);

	return dso && !dso->kernel ? f->off : f->addr;
}

static void add_chain_addr(struct script *s, uint64_t fields, const struct frame *f)
{
	char number[32] = "\t";

	if (fields & F(IP))
		buf_add(&s->lines, number,
			(size_t)(put_hex_16(number + 1, chain_addr(s, f)) - number));
}

/* The functions that are inlined at a frame, in lines of their own. True: the callchain ends there. */
static bool add_inlined(struct script *s, uint64_t fields, uint32_t frame, const struct frame *f)
{
	const struct resolver *r = stream_resolver(s->stream);
	struct profile_scope scopes[PROFILE_INLINE_MAX];
	size_t n;

	if (f->sym == PTUI_NONE)
		return false;
	n = stream_scopes(s->stream, frame, scopes, PROFILE_INLINE_MAX);
	for (size_t i = 0; i + 1 < n; i++) {
		add_chain_addr(s, fields, f);
		if (fields & F(SYM)) {
			buf_add_char(&s->lines, ' ');
			text_escape(&s->lines, scopes[i].name);
			if (fields & F(SYMOFF))
				buf_addf(&s->lines, "+0x%llx",
					 (unsigned long long)(f->off -
							      resolver_symbol(r, f->sym)->start));
		}
		add_source(s, fields, frame, i);
		buf_add_str(&s->lines, " (inlined)\n");
		if (script_list_has(s->opts->stop_bt, scopes[i].name))
			return true;
	}
	return false;
}

static bool stops_at(struct script *s, const struct frame *f)
{
	return s->opts->stop_bt && f->sym != PTUI_NONE &&
	       script_list_has(
		       s->opts->stop_bt,
		       stream_name(s->stream,
				   resolver_symbol(stream_resolver(s->stream), f->sym)->name));
}

static int make_line(struct script *s, uint64_t fields, uint32_t frame, bool inlines,
		     struct script_line *line)
{
	const struct frame *f = &resolver_frames(stream_resolver(s->stream))[frame];
	size_t at = s->lines.len;

	line->stops = inlines && add_inlined(s, fields, frame, f);
	if (!line->stops) {
		add_chain_addr(s, fields, f);
		line->tail = (uint32_t)(s->lines.len - at);
		script_add_place(s, fields, f);
		line->place = (uint32_t)(s->lines.len - at) - line->tail;
		add_source(s, fields, frame, inlines ? SCRIPT_OUTERMOST : 0);
		buf_add_char(&s->lines, '\n');
		line->stops = stops_at(s, f);
	}
	line->at = (uint32_t)at;
	line->n = (uint32_t)(s->lines.len - at);
	/* room for put_line() */
	return s->lines.err ?
		       s->lines.err :
		       vec_reserve(&s->lines.data, &s->lines.cap, s->lines.len + PUT_PIECE, 1);
}

void script_forget_lines(struct script *s)
{
	for (size_t i = 0; i < 2 * SCRIPT_KINDS; i++)
		if (s->places[i].cap)
			memset(s->places[i].lines, 0,
			       s->places[i].cap * sizeof(*s->places[i].lines));
	memset(s->cached, 0, sizeof(s->cached));
	memset(s->code, 0, SCRIPT_CODE_BYTES);
	memset(s->unmapped, 0, sizeof(s->unmapped));
	for (size_t i = 0; i < SCRIPT_KINDS; i++) {
		if (s->heads[i].cap)
			memset(s->heads[i].texts, 0, s->heads[i].cap * sizeof(*s->heads[i].texts));
		if (s->tails[i].cap)
			memset(s->tails[i].texts, 0, s->tails[i].cap * sizeof(*s->tails[i].texts));
	}
	s->lines.len = s->lines_start;
}

const struct script_line *script_line_of(struct script *s, const struct script_event *e,
					 uint32_t frame, bool inlines)
{
	struct script_places *places = &s->places[2 * e->kind + inlines];
	size_t cap = places->cap;

	if (frame < cap && places->lines[frame].n)
		return &places->lines[frame];
	if (s->lines.len > SCRIPT_LINES_MAX)
		script_forget_lines(s);
	if (frame >= cap) {
		if (vec_grow(&places->lines, &places->cap, frame + 1))
			return NULL;
		memset(places->lines + cap, 0, (places->cap - cap) * sizeof(*places->lines));
	}
	return make_line(s, e->fields, frame, inlines, &places->lines[frame]) ?
		       NULL :
		       &places->lines[frame];
}

int script_print_place(struct script *s, const struct script_event *e, uint32_t frame, bool source)
{
	const struct script_line *line = script_line_of(s, e, frame, false);
	char *p;

	if (!line)
		return -ENOMEM;
	p = script_room(s, line->n);
	if (!p)
		return -ENOMEM;
	/* without the address, and without the end of the line */
	script_wrote(s, put_text(p, s->lines.data + line->at + line->tail,
				 source ? line->n - line->tail - 1 : line->place));
	return 0;
}
