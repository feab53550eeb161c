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
	bool inlines;	   /* with inlined functions */
	bool without_user; /* user addresses are not printed */
	bool uncached;	   /* an address of unknown maps was printed */
	int32_t pid;
	unsigned mode;
	uint32_t maps; /* stream_maps(); 0: not to be cached */
	uint64_t when;
};

/* " (dso)" */
static void add_dso(struct script *s, uint64_t fields, const struct frame *f)
{
	const struct resolver *r = stream_resolver(s->stream);
	const struct dso_info *dso = f->dso == PTUI_NONE ? NULL : resolver_dso(r, f->dso);
	uint32_t name = PTUI_NONE;

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

/* " symbol+0xoff (dso)" */
static void add_place(struct script *s, uint64_t fields, const struct frame *f)
{
	const struct resolver *r = stream_resolver(s->stream);
	const struct symbol *sym = f->sym == PTUI_NONE ? NULL : resolver_symbol(r, f->sym);

	if (fields & F(SYM)) {
		buf_add_char(&s->lines, ' ');
		text_escape(&s->lines, sym ? stream_name(s->stream, sym->name) : "[unknown]");
		if (sym && fields & F(SYMOFF))
			buf_addf(&s->lines, "+0x%llx", (unsigned long long)(f->off - sym->start));
	}
	add_dso(s, fields, f);
}

/* "file.c:12" in a line of its own; without debug information "libc.so.6[1234]" */
static void add_source(struct script *s, uint64_t fields, uint32_t frame)
{
	const struct resolver *r = stream_resolver(s->stream);
	const struct frame *f = &resolver_frames(r)[frame];
	struct profile_scope scopes[PROFILE_INLINE_MAX];
	const char *path;

	if (!(fields & F(SRCLINE)) || f->dso == PTUI_NONE)
		return;
	buf_add_str(&s->lines, "\n  ");
	if (stream_scopes(s->stream, frame, scopes, PROFILE_INLINE_MAX) && scopes[0].path) {
		path = strrchr(scopes[0].path, '/');
		text_escape(&s->lines, path && !s->opts->source_path ? path + 1 : scopes[0].path);
		buf_addf(&s->lines, ":%u", scopes[0].line);
	} else {
		text_escape(&s->lines, stream_name(s->stream, resolver_dso(r, f->dso)->short_name));
		buf_addf(&s->lines, "[%llx]", (unsigned long long)f->off);
	}
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
		add_source(s, fields, frame);
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
		add_place(s, fields, f);
		line->place = (uint32_t)(s->lines.len - at) - line->tail;
		add_source(s, fields, frame);
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

static void forget_lines(struct script *s)
{
	for (size_t i = 0; i < 2 * SCRIPT_KINDS; i++)
		if (s->places[i].cap)
			memset(s->places[i].lines, 0,
			       s->places[i].cap * sizeof(*s->places[i].lines));
	memset(s->cached, 0, sizeof(s->cached));
	memset(s->code, 0, sizeof(s->code));
	memset(s->unmapped, 0, sizeof(s->unmapped));
	for (size_t i = 0; i < SCRIPT_KINDS; i++) {
		if (s->heads[i].cap)
			memset(s->heads[i].texts, 0, s->heads[i].cap * sizeof(*s->heads[i].texts));
		if (s->tails[i].cap)
			memset(s->tails[i].texts, 0, s->tails[i].cap * sizeof(*s->tails[i].texts));
	}
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

int script_print_place(struct script *s, const struct script_event *e, uint32_t frame, bool source)
{
	const struct script_line *line = line_of(s, e, frame, false);
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

/* ---- callchains ---- */

#define BLOCK_BYTES 128 /* of a module; fits script_code.to */

static uint32_t cache_key(const struct script_event *e, const struct chain_place *at)
{
	return at->maps << 4 | (uint32_t)e->kind << 1 | at->inlines;
}

static uint64_t cache_hash(uint64_t addr, uint32_t key)
{
	return (addr ^ (uint64_t)key << 40) * 0x9e3779b97f4a7c15u;
}

/* Copies in pieces of a constant size, which need no call; both sides have room after them. */
static char *put_line(char *p, const char *text, size_t n)
{
	for (size_t i = 0; i < n; i += PUT_PIECE)
		memcpy(p + i, text + i, PUT_PIECE);
	return p + n;
}

/* The slot of a text; NULL: no memory. */
static struct script_text *text_slot(struct script_texts *t, size_t i)
{
	size_t cap = t->cap;

	if (i < cap)
		return &t->texts[i];
	if (vec_grow(&t->texts, &t->cap, i + 1))
		return NULL;
	memset(t->texts + cap, 0, (t->cap - cap) * sizeof(*t->texts));
	return &t->texts[i];
}

/* Ends a text that was appended to `lines`, with room for put_line(). */
static int end_text(struct script *s, size_t at, struct script_text *ret)
{
	*ret = (struct script_text){ (uint32_t)at, (uint32_t)(s->lines.len - at) };
	return s->lines.err ?
		       s->lines.err :
		       vec_reserve(&s->lines.data, &s->lines.cap, s->lines.len + PUT_PIECE, 1);
}

/* " symbol+0x"; the offset follows. */
static const struct script_text *code_head(struct script *s, const struct script_event *e,
					   const struct frame *f)
{
	const struct symbol *sym = f->sym == PTUI_NONE ?
					   NULL :
					   resolver_symbol(stream_resolver(s->stream), f->sym);
	struct script_text *t = text_slot(&s->heads[e->kind], sym ? (size_t)f->sym + 1 : 0);
	size_t at = s->lines.len;

	if (!t || t->n)
		return t;
	if (e->fields & F(SYM)) {
		buf_add_char(&s->lines, ' ');
		text_escape(&s->lines, sym ? stream_name(s->stream, sym->name) : "[unknown]");
	}
	if (sym && e->fields & F(SYMOFF))
		buf_add_str(&s->lines, "+0x");
	return end_text(s, at, t) ? NULL : t;
}

/* " (dso)\n" */
static const struct script_text *code_tail(struct script *s, const struct script_event *e,
					   const struct frame *f)
{
	struct script_text *t = text_slot(&s->tails[e->kind], f->dso);
	size_t at = s->lines.len;

	if (!t || t->n)
		return t;
	add_dso(s, e->fields, f);
	buf_add_char(&s->lines, '\n');
	return end_text(s, at, t) ? NULL : t;
}

/* What the offsets around this frame have in common with it; c->to stays 0 if that is not known. */
static void code_set(struct script *s, const struct script_event *e, uint32_t frame,
		     struct script_code *c)
{
	const struct resolver *r = stream_resolver(s->stream);
	const struct frame *f = &resolver_frames(r)[frame];
	uint64_t block = f->off / BLOCK_BYTES, first = block * BLOCK_BYTES, from, to, start;
	const struct script_text *head, *tail;

	c->to = 0;
	if (!resolver_symbol_span(r, frame, &from, &to))
		return;
	head = code_head(s, e, f);
	tail = code_tail(s, e, f);
	start = f->sym == PTUI_NONE ? first : resolver_symbol(r, f->sym)->start;
	if (!head || !tail || head->n > UINT16_MAX || tail->n > UINT16_MAX ||
	    first - start + BLOCK_BYTES > INT32_MAX)
		return;
	*c = (struct script_code){
		.block = block,
		.module = f->dso,
		.start = (int32_t)(first - start),
		.head = head->at,
		.tail = tail->at,
		.n_head = (uint16_t)head->n,
		.n_tail = (uint16_t)tail->n,
		.from = from > first ? (uint8_t)(from - first) : 0,
		.to = to - first < BLOCK_BYTES ? (uint8_t)(to - first) : BLOCK_BYTES,
		.kind = (uint8_t)e->kind,
		.offset = f->sym != PTUI_NONE && e->fields & F(SYMOFF),
		.kernel = resolver_dso(r, f->dso)->kernel,
	};
}

static bool code_has(const struct script_code *c, const struct script_event *e,
		     const struct script_range *range, uint64_t off)
{
	uint64_t in_block = off % BLOCK_BYTES;

	return c->block == off / BLOCK_BYTES && c->module == range->module && c->kind == e->kind &&
	       c->from <= in_block && in_block < c->to;
}

/* "\t           1183" and `text`; the number is where perf shows it. */
static char *put_number(struct script *s, const struct script_event *e, uint64_t number, size_t n)
{
	char *p = script_room(s, n + 2 * PUT_NUMBER_MAX + PUT_PIECE);

	if (p && e->fields & F(IP)) {
		*p++ = '\t';
		p = put_hex(p, number, 16);
	}
	return p;
}

static int put_code(struct script *s, const struct script_event *e, const struct script_code *c,
		    uint64_t addr, uint64_t off)
{
	char *p = put_number(s, e, c->kernel ? addr : off, (size_t)c->n_head + c->n_tail);

	if (!p)
		return -ENOMEM;
	p = put_line(p, s->lines.data + c->head, c->n_head);
	if (c->offset)
		p = put_hex(p, (uint64_t)(c->start + (int32_t)(off % BLOCK_BYTES)), 0);
	script_wrote(s, put_line(p, s->lines.data + c->tail, c->n_tail));
	return 0;
}

static int put_unmapped(struct script *s, const struct script_event *e, uint64_t addr)
{
	struct script_text *t = &s->unmapped[e->kind];
	const struct frame unknown = { .dso = PTUI_NONE, .sym = PTUI_NONE };
	size_t at = s->lines.len;
	char *p;

	if (!t->n) {
		add_place(s, e->fields, &unknown);
		buf_add_char(&s->lines, '\n');
		if (end_text(s, at, t))
			return -ENOMEM;
	}
	p = put_number(s, e, addr, t->n);
	if (!p)
		return -ENOMEM;
	script_wrote(s, put_line(p, s->lines.data + t->at, t->n));
	return 0;
}

static struct script_range *range_set(struct script *s, uint32_t key)
{
	return s->ranges[cache_hash(0, key) >> (64 - SCRIPT_RANGE_BITS)];
}

/* The range of an address, if it is known. The last one that was used comes first in its set. */
static const struct script_range *range_find(struct script *s, uint32_t key, uint64_t addr)
{
	struct script_range *set = range_set(s, key);

	for (size_t i = 0; i < SCRIPT_RANGE_WAYS; i++) {
		struct script_range found = set[i];

		if (found.key != key || addr - found.from >= found.to - found.from)
			continue;
		if (i) {
			set[i] = set[0];
			set[0] = found;
		}
		return set;
	}
	return NULL;
}

static const struct script_range *range_add(struct script *s, uint32_t key,
					    const struct resolver_place *place)
{
	struct script_range *set = range_set(s, key);

	memmove(set + 1, set, (SCRIPT_RANGE_WAYS - 1) * sizeof(*set));
	set[0] = (struct script_range){ place->from, place->to, place->to_off, place->module, key };
	return set;
}

/* What ends the callchain, besides stream_chain_mode(). */
#define CHAIN_STOPS 1

static int put_cached(struct script *s, const struct script_cached *c)
{
	char *p = script_room(s, c->n + PUT_PIECE);

	if (!p)
		return -ENOMEM;
	script_wrote(s, put_line(p, s->lines.data + c->at, c->n));
	return c->stops ? CHAIN_STOPS : 0;
}

/* The line of a frame, made once. */
static int put_frame(struct script *s, const struct script_event *e, const struct chain_place *at,
		     uint64_t addr, uint32_t frame)
{
	uint32_t key = cache_key(e, at);
	const struct script_line *line;
	struct script_cached *c;

	line = line_of(s, e, frame, at->inlines);
	if (!line)
		return -ENOMEM;
	c = &s->cached[cache_hash(addr, key) >> (64 - SCRIPT_CACHED_BITS)];
	*c = (struct script_cached){ addr, key, line->at, line->n, line->stops };
	return put_cached(s, c);
}

static int put_in_range(struct script *s, const struct script_event *e,
			const struct chain_place *at, const struct script_range *range,
			uint64_t addr)
{
	uint64_t off = addr + range->to_off;
	struct script_code *code;
	uint32_t frame;

	if (range->module == PTUI_NONE)
		return put_unmapped(s, e, addr);
	code = &s->code[cache_hash(off / BLOCK_BYTES, range->module) >> (64 - SCRIPT_CODE_BITS)];
	if (code_has(code, e, range, off))
		return put_code(s, e, code, addr, off);
	frame = stream_frame_in(s->stream, at->pid, at->mode, at->when, addr);
	if (frame == PTUI_NONE)
		return -ENOMEM;
	if (s->lines.len > LINES_MAX)
		forget_lines(s);
	code_set(s, e, frame, code);
	return code_has(code, e, range, off) ? put_code(s, e, code, addr, off) :
					       put_frame(s, e, at, addr, frame);
}

static int put_new_address(struct script *s, const struct script_event *e,
			   const struct chain_place *at, uint64_t addr)
{
	uint32_t frame = stream_frame_in(s->stream, at->pid, at->mode, at->when, addr);
	struct resolver_place place;

	if (frame == PTUI_NONE)
		return -ENOMEM;
	if (e->simple && !at->inlines && at->maps &&
	    stream_place(s->stream, at->pid, at->mode, at->when, addr, &place))
		return put_in_range(s, e, at, range_add(s, cache_key(e, at), &place), addr);
	return put_frame(s, e, at, addr, frame);
}

static int put_address(struct script *s, const struct script_event *e, const struct chain_place *at,
		       uint64_t addr)
{
	const struct script_range *range;
	const struct script_cached *c;
	uint32_t key = cache_key(e, at);

	if (!at->maps)
		return put_new_address(s, e, at, addr);
	range = range_find(s, key, addr);
	if (range)
		return put_in_range(s, e, at, range, addr);
	c = &s->cached[cache_hash(addr, key) >> (64 - SCRIPT_CACHED_BITS)];
	return c->addr == addr && c->key == key ? put_cached(s, c) :
						  put_new_address(s, e, at, addr);
}

static void chain_place_mode(struct script *s, struct chain_place *at, int mode)
{
	at->mode = (unsigned)mode;
	at->maps = mode == DATA_MODE_USER   ? stream_maps(s->stream, at->pid, at->when) :
		   mode == DATA_MODE_KERNEL ? stream_maps(s->stream, -1, at->when) :
					      0;
}

/*
 * Prints the addresses among these words; *n counts those of the chain. 0, -ENOMEM, CHAIN_STOPS, or
 * STREAM_CHAIN_BAD or _END.
 */
static int put_words(struct script *s, const struct script_event *e, struct chain_place *at,
		     const uint64_t *words, size_t n_words, size_t *n)
{
	int ret = 0;

	for (size_t i = 0; i < n_words && *n < s->opts->in.max_stack && !ret; i++) {
		uint64_t word = words[i];

		if (word >= STREAM_CHAIN_MARKER) {
			int mode = stream_chain_mode(word);

			if (mode < 0)
				return mode;
			chain_place_mode(s, at, mode);
		} else if (!at->without_user || at->mode != DATA_MODE_USER) {
			at->uncached |= !at->maps;
			ret = put_address(s, e, at, word);
			++*n;
		}
	}
	return ret;
}

/* The callers, by their text if it is known. All words are printed. */
static int put_callers(struct script *s, const struct script_event *e, struct chain_place *at,
		       const uint64_t *words, size_t n_words, size_t *n)
{
	const struct stack_key key = { .user_maps = stream_maps(s->stream, at->pid, at->when),
				       .kernel_maps = stream_maps(s->stream, -1, at->when),
				       .style = (uint32_t)e->kind << 4 | at->mode };
	struct stack_text *slot;
	size_t n_text = 0, start = s->out.len;
	const char *text = stack_cache_find(&s->stacks, &key, words, n_words, &n_text, &slot);
	int ret;

	if (text) {
		char *p = script_room(s, n_text);

		if (!p)
			return -ENOMEM;
		script_wrote(s, put_text(p, text, n_text));
		return 0;
	}
	ret = put_words(s, e, at, words, n_words, n);
	if (ret || at->uncached || !slot || s->out.len == start)
		return ret;
	return stack_cache_add(&s->stacks, slot, words, n_words, s->out.data + start,
			       s->out.len - start);
}

static int put_chain(struct script *s, const struct script_event *e, struct chain_place *at,
		     const struct stream_chain *chain, size_t *n)
{
	size_t start = s->out.len, first = 0;
	int ret;

	chain_place_mode(s, at, DATA_MODE_USER);
	at->without_user = chain->replaced;
	if (!chain->replaced && chain->n <= s->opts->in.max_stack) {
		while (first < chain->n && chain->words[first] >= STREAM_CHAIN_MARKER)
			first++;
		first += first < chain->n;
	}
	ret = put_words(s, e, at, chain->words, first, n);
	if (!ret)
		ret = first && first < chain->n ?
			      put_callers(s, e, at, chain->words + first, chain->n - first, n) :
			      put_words(s, e, at, chain->words + first, chain->n - first, n);
	if (ret == STREAM_CHAIN_BAD)
		s->out.len = start;
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
	ret = put_chain(s, e, &at, &chain, &n);
	if (ret == STREAM_CHAIN_BAD || ret == CHAIN_STOPS)
		return 0;
	if (ret != STREAM_CHAIN_END && ret)
		return ret;
	chain_place_mode(s, &at, DATA_MODE_USER);
	at.inlines = chain.unwound && !s->opts->no_inlines;
	ret = 0;
	for (size_t i = 0; i < chain.n_user && !ret; i++)
		if (!chain.limited || n++ < s->opts->in.max_stack)
			ret = put_address(s, e, &at, chain.user[i]);
	return ret == CHAIN_STOPS ? 0 : ret;
}
