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

#define F(id)	  SCRIPT_FIELD(id)
#define PUT_PIECE 32
#define LINES_MAX ((size_t)256 << 20) /* then they are made again */

/* Where the addresses of a callchain are. */
struct chain_place {
	bool inlines; /* with inlined functions */
	int32_t pid;
	unsigned mode;
	uint32_t maps; /* stream_maps(); 0: not to be cached */
	uint64_t when;
};

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

static void add_chain_addr(struct script *s, uint64_t fields, const struct frame *f)
{
	char number[32] = "\t";

	if (fields & F(IP))
		buf_add(&s->lines, number,
			(size_t)(put_hex(number + 1, chain_addr(s, f), 16) - number));
}

/* The functions that are inlined at a frame, in lines of their own. */
static void add_inlined(struct script *s, uint64_t fields, uint32_t frame, const struct frame *f)
{
	const struct resolver *r = stream_resolver(s->stream);
	struct profile_scope scopes[PROFILE_INLINE_MAX];
	size_t n;

	if (f->sym == PTUI_NONE)
		return;
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
		buf_add_str(&s->lines, " (inlined)\n");
	}
}

static int make_line(struct script *s, uint64_t fields, uint32_t frame, bool inlines,
		     struct script_line *line)
{
	const struct frame *f = &resolver_frames(stream_resolver(s->stream))[frame];
	size_t at = s->lines.len;

	if (inlines)
		add_inlined(s, fields, frame, f);
	add_chain_addr(s, fields, f);
	line->tail = (uint32_t)(s->lines.len - at);
	add_place(s, fields, f);
	buf_add_char(&s->lines, '\n');
	line->at = (uint32_t)at;
	line->n = (uint32_t)(s->lines.len - at);
	/* room for put_line() */
	return s->lines.err ?
		       s->lines.err :
		       vec_reserve(&s->lines.data, &s->lines.cap, s->lines.len + PUT_PIECE, 1);
}

static void forget_lines(struct script *s)
{
	for (size_t i = 0; i < 2 * SCRIPT_KINDS; i++)
		if (s->places[i].cap)
			memset(s->places[i].lines, 0,
			       s->places[i].cap * sizeof(*s->places[i].lines));
	memset(s->cached, 0, sizeof(s->cached));
	s->lines.len = s->lines_start;
}

static const struct script_line *line_of(struct script *s, const struct script_event *e,
					 uint32_t frame, bool inlines)
{
	struct script_places *places = &s->places[2 * e->kind + inlines];
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
	return make_line(s, e->fields, frame, inlines, &places->lines[frame]) ?
		       NULL :
		       &places->lines[frame];
}

int script_print_place(struct script *s, const struct script_event *e, uint32_t frame)
{
	const struct script_line *line = line_of(s, e, frame, false);
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

/* ---- callchains ---- */

/* The line of an address, by the cache if possible. NULL: no memory. */
static const struct script_cached *cached_line(struct script *s, const struct script_event *e,
					       const struct chain_place *at, uint64_t addr)
{
	uint32_t key = at->maps << 4 | (uint32_t)e->kind << 1 | at->inlines;
	uint64_t hash = (addr ^ (uint64_t)key << 40) * 0x9e3779b97f4a7c15u;
	struct script_cached *c = &s->cached[hash >> (64 - SCRIPT_CACHED_BITS)];
	const struct script_line *line;
	uint32_t frame;

	if (c->addr == addr && c->key == key && at->maps)
		return c;
	frame = stream_frame_in(s->stream, at->pid, at->mode, at->when, addr);
	line = frame == PTUI_NONE ? NULL : line_of(s, e, frame, at->inlines);
	if (!line)
		return NULL;
	*c = (struct script_cached){ addr, key, line->at, line->n };
	return c;
}

/* Copies in pieces of a constant size, which need no call; both sides have room after them. */
static char *put_line(char *p, const char *text, size_t n)
{
	for (size_t i = 0; i < n; i += PUT_PIECE)
		memcpy(p + i, text + i, PUT_PIECE);
	return p + n;
}

static int put_address(struct script *s, const struct script_event *e, const struct chain_place *at,
		       uint64_t addr)
{
	const struct script_cached *c = cached_line(s, e, at, addr);
	char *p = c ? script_room(s, c->n + PUT_PIECE) : NULL;

	if (!p)
		return -ENOMEM;
	script_wrote(s, put_line(p, s->lines.data + c->at, c->n));
	return 0;
}

static void chain_place_mode(struct script *s, struct chain_place *at, int mode)
{
	at->mode = (unsigned)mode;
	at->maps = mode == DATA_MODE_USER   ? stream_maps(s->stream, at->pid, at->when) :
		   mode == DATA_MODE_KERNEL ? stream_maps(s->stream, -1, at->when) :
					      0;
}

static int put_words(struct script *s, const struct script_event *e, struct chain_place *at,
		     const struct stream_chain *chain, size_t *n)
{
	size_t start = s->out.len;
	int ret = 0;

	for (size_t i = 0; i < chain->n && *n < s->opts->in.max_stack && !ret; i++) {
		uint64_t word = chain->words[i];

		if (word >= STREAM_CHAIN_MARKER) {
			int mode = stream_chain_mode(word);

			if (mode == STREAM_CHAIN_BAD)
				s->out.len = start;
			if (mode < 0)
				return mode;
			chain_place_mode(s, at, mode);
		} else if (!chain->replaced || at->mode != DATA_MODE_USER) {
			ret = put_address(s, e, at, word);
			++*n;
		}
	}
	return ret;
}

int script_print_chain(struct script *s, const struct script_event *e,
		       const struct data_sample *sample, uint64_t when)
{
	struct chain_place at = { .pid = sample->pid, .when = when };
	struct stream_chain chain;
	int ret = stream_chain(s->stream, sample, when, &chain);
	size_t n = 0;

	if (ret)
		return ret;
	buf_add_char(&s->out, '\n');
	chain_place_mode(s, &at, DATA_MODE_USER);
	ret = put_words(s, e, &at, &chain, &n);
	if (ret == STREAM_CHAIN_BAD)
		return 0;
	if (ret != STREAM_CHAIN_END && ret)
		return ret;
	chain_place_mode(s, &at, DATA_MODE_USER);
	at.inlines = chain.unwound && !s->opts->no_inlines;
	ret = 0;
	for (size_t i = 0; i < chain.n_user && !ret; i++)
		if (!chain.limited || n++ < s->opts->in.max_stack)
			ret = put_address(s, e, &at, chain.user[i]);
	return ret;
}
