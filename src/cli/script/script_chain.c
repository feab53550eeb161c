/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Callchains as perf prints them: an address per line. */
#include <errno.h>
#include <string.h>
#include "base/text.h"
#include "base/vec.h"
#include "cli/script/line_writer.h"
#include "cli/script/put.h"
#include "cli/script/script.h"

#define F(id)	    SCRIPT_FIELD(id)
#define BLOCK_BYTES 128 /* of a module; fits script_code.to */
#define BATCH_WORDS 64	/* of a callchain: looked up at once, then printed */

static uint32_t cache_key(const struct script_event *e, const struct chain_place *at)
{
	return at->maps << 4 | (uint32_t)e->kind << 1 | at->inlines;
}

static uint64_t cache_hash(uint64_t addr, uint32_t key)
{
	return (addr ^ (uint64_t)key << 40) * 0x9e3779b97f4a7c15u;
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
	script_add_dso(s, e->fields, f);
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

static bool code_has(const struct script_code *c, const struct script_event *e, uint32_t module,
		     uint64_t off)
{
	uint64_t in_block = off % BLOCK_BYTES;

	return c->block == off / BLOCK_BYTES && c->module == module && c->kind == e->kind &&
	       c->from <= in_block && in_block < c->to;
}

/* "\t           1183"; the number is where perf shows it. */
static inline char *put_number(char *p, const struct script_event *e, uint64_t number)
{
	if (!(e->fields & F(IP)))
		return p;
	*p++ = '\t';
	return put_hex_16(p, number);
}

/* Room for a line, besides its texts. */
#define LINE_ROOM (2 * PUT_NUMBER_MAX + 2 * PUT_PIECE)

static inline char *put_code_at(char *p, const struct script *s, const struct script_event *e,
				const struct script_code *c, uint64_t addr, uint64_t off)
{
	p = put_number(p, e, c->kernel ? addr : off);
	p = put_line(p, s->lines.data + c->head, c->n_head);
	if (c->offset)
		p = put_hex(p, (uint64_t)(c->start + (int32_t)(off % BLOCK_BYTES)));
	return put_line(p, s->lines.data + c->tail, c->n_tail);
}

static int put_code(struct script *s, const struct script_event *e, const struct script_code *c,
		    uint64_t addr, uint64_t off)
{
	char *p = script_room(s, (size_t)c->n_head + c->n_tail + LINE_ROOM);

	if (!p)
		return -ENOMEM;
	script_wrote(s, put_code_at(p, s, e, c, addr, off));
	return 0;
}

/* " [unknown] ([unknown])\n"; NULL: no memory. */
static const struct script_text *unmapped_text(struct script *s, const struct script_event *e)
{
	const struct frame unknown = { .dso = PTUI_NONE, .sym = PTUI_NONE };
	struct script_text *t = &s->unmapped[e->kind];
	size_t at = s->lines.len;

	if (t->n)
		return t;
	script_add_place(s, e->fields, &unknown);
	buf_add_char(&s->lines, '\n');
	return end_text(s, at, t) ? NULL : t;
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

	line = script_line_of(s, e, frame, at->inlines);
	if (!line)
		return -ENOMEM;
	c = &s->cached[cache_hash(addr, key) >> (64 - SCRIPT_CACHED_BITS)];
	*c = (struct script_cached){ addr, key, line->at, line->n, line->stops };
	return put_cached(s, c);
}

/* The first of the two slots of a block. */
static struct script_code *code_slot(struct script *s, uint32_t module, uint64_t off)
{
	uint64_t i = cache_hash(off / BLOCK_BYTES, module) >> (64 - SCRIPT_CODE_BITS);

	/* of a gap none is needed: no other slot is loaded from memory */
	return s->code[i & (0 - (uint64_t)(module != PTUI_NONE))];
}

static int put_unknown_code(struct script *s, const struct script_event *e,
			    const struct chain_place *at, struct script_code *code, uint32_t module,
			    uint64_t addr, uint64_t off)
{
	uint32_t frame = stream_frame_in_module(s->stream, module, off, addr, at->mode);

	if (frame == PTUI_NONE)
		return -ENOMEM;
	if (s->lines.len > SCRIPT_LINES_MAX)
		script_forget_lines(s);
	memmove(code + 1, code, (SCRIPT_CODE_WAYS - 1) * sizeof(*code));
	code_set(s, e, frame, code);
	return code_has(code, e, module, off) ? put_code(s, e, code, addr, off) :
						put_frame(s, e, at, addr, frame);
}

/* Waits for the symbols of a module before the other thread has to wait for this one. */
static void lock_symbols(const struct script *s, uint32_t module)
{
	bool untried;

	script_lock(s);
	untried = resolver_dso(stream_resolver(s->stream), module)->state == DSO_UNTRIED;
	if (!s->names || !untried)
		return;
	script_unlock(s);
	stream_wait_symbols(s->stream, module);
	script_lock(s);
}

static const struct script_code *code_find(const struct script_code *code,
					   const struct script_event *e, uint32_t module,
					   uint64_t off)
{
	for (size_t i = 0; i < SCRIPT_CODE_WAYS; i++)
		if (code_has(&code[i], e, module, off))
			return &code[i];
	return NULL;
}

/* The line of an address in a module. */
static int put_mapped(struct script *s, const struct script_event *e, const struct chain_place *at,
		      uint32_t module, uint64_t addr, uint64_t off)
{
	struct script_code *code = code_slot(s, module, off);
	const struct script_code *known = code_find(code, e, module, off);
	int ret;

	if (known)
		return put_code(s, e, known, addr, off);
	lock_symbols(s, module);
	ret = put_unknown_code(s, e, at, code, module, addr, off);
	script_unlock(s);
	return ret;
}

static int put_unmapped(struct script *s, const struct script_event *e, uint64_t addr)
{
	const struct script_text *unmapped = unmapped_text(s, e);
	char *p = unmapped ? script_room(s, unmapped->n + LINE_ROOM) : NULL;

	if (!p)
		return -ENOMEM;
	p = put_number(p, e, addr);
	script_wrote(s, put_line(p, s->lines.data + unmapped->at, unmapped->n));
	return 0;
}

static int put_in_range(struct script *s, const struct script_event *e,
			const struct chain_place *at, size_t range, uint64_t addr)
{
	const struct address_ranges *r = at->ranges;
	uint64_t off = addr + r->to_off[range];

	if (s->writer)
		return line_writer_add(s, r->module[range], addr, off);
	return r->module[range] == PTUI_NONE ? put_unmapped(s, e, addr) :
					       put_mapped(s, e, at, r->module[range], addr, off);
}

static int put_new_address(struct script *s, const struct script_event *e,
			   const struct chain_place *at, uint64_t addr)
{
	struct resolver_place place;
	uint32_t frame;

	if (at->ranges && stream_place(s->stream, at->pid, at->mode, at->when, addr, &place))
		return put_in_range(s, e, at, address_ranges_add(at->ranges, &place), addr);
	frame = stream_frame_in(s->stream, at->pid, at->mode, at->when, addr);
	return frame == PTUI_NONE ? -ENOMEM : put_frame(s, e, at, addr, frame);
}

/* The same for the thread: only the module is looked up. */
static int give_new_address(struct script *s, const struct script_event *e,
			    const struct chain_place *at, uint64_t addr)
{
	struct resolver_place place;
	bool found = at->ranges &&
		     stream_peek_place(s->stream, at->pid, at->mode, at->when, addr, &place);

	if (found && place.module != PTUI_NONE && line_writer_is_new(s, place.module)) {
		script_lock(s);
		found = stream_place(s->stream, at->pid, at->mode, at->when, addr, &place);
		script_unlock(s);
	}
	return found ? put_in_range(s, e, at, address_ranges_add(at->ranges, &place), addr) :
		       line_writer_add(s, LINE_ADDRESS, addr, 0);
}

static int put_address(struct script *s, const struct script_event *e, const struct chain_place *at,
		       uint64_t addr)
{
	const struct script_cached *c;
	uint32_t key = cache_key(e, at);

	if (!at->maps)
		return s->writer ? line_writer_add(s, LINE_ADDRESS, addr, 0) :
				   put_new_address(s, e, at, addr);
	if (at->ranges) {
		size_t range = address_ranges_find(at->ranges, addr);

		if (address_ranges_has(at->ranges, range, addr))
			return put_in_range(s, e, at, range, addr);
	}
	if (s->writer)
		return give_new_address(s, e, at, addr);
	c = &s->cached[cache_hash(addr, key) >> (64 - SCRIPT_CACHED_BITS)];
	return c->addr == addr && c->key == key ? put_cached(s, c) :
						  put_new_address(s, e, at, addr);
}

/* Where the addresses of a batch are. */
#define UNKNOWN_RANGE (PTUI_NONE - 1) /* among the modules */
struct batch {
	uint32_t module[BATCH_WORDS];
	uint64_t off[BATCH_WORDS];
};

/* The loop has no branches, and loads from memory what printing needs. */
static void batch_find(struct script *s, const struct address_ranges *r, const uint64_t *addrs,
		       size_t n, struct batch *ret)
{
	for (size_t i = 0; i < n; i++) {
		size_t range = address_ranges_find(r, addrs[i]);
		uint32_t module = r->module[range];
		uint64_t off = addrs[i] + r->to_off[range];

		ret->module[i] = address_ranges_has(r, range, addrs[i]) ? module : UNKNOWN_RANGE;
		ret->off[i] = off;
		__builtin_prefetch(code_slot(s, module, off));
	}
}

/* The same for the thread, which finds the code. */
static int give_batch(struct script *s, const struct script_event *e, const struct chain_place *at,
		      const uint64_t *addrs, size_t n)
{
	const struct address_ranges *r = at->ranges;
	struct line_item *item = line_writer_room(s, n);
	uint32_t text = (uint32_t)s->out.len;
	int ret = 0;

	if (!item)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		size_t range = address_ranges_find(r, addrs[i]);

		if (address_ranges_has(r, range, addrs[i])) {
			*item++ = (struct line_item){ addrs[i], addrs[i] + r->to_off[range],
						      r->module[range], text };
			continue;
		}
		line_writer_added(s, item);
		ret = give_new_address(s, e, at, addrs[i]);
		item = ret ? NULL : line_writer_room(s, n - i);
		if (!item)
			return ret ? ret : -ENOMEM;
	}
	line_writer_added(s, item);
	return 0;
}

/* Prints addresses of which no line depends on more than its place. */
static int put_batch(struct script *s, const struct script_event *e, const struct chain_place *at,
		     const uint64_t *addrs, size_t n)
{
	const struct script_text *unmapped = unmapped_text(s, e);
	struct batch b;
	char *p;
	int ret = 0;

	if (!unmapped)
		return -ENOMEM;
	batch_find(s, at->ranges, addrs, n, &b);
	for (size_t i = 0; i < n && !ret;) {
		p = script_room(s, (n - i) * (unmapped->n + LINE_ROOM));
		if (!p)
			return -ENOMEM;
		for (; i < n && b.module[i] == PTUI_NONE; i++) {
			p = put_number(p, e, addrs[i]);
			p = put_line(p, s->lines.data + unmapped->at, unmapped->n);
		}
		script_wrote(s, p);
		for (; i < n && b.module[i] != PTUI_NONE && !ret; i++)
			ret = b.module[i] == UNKNOWN_RANGE ?
				      put_address(s, e, at, addrs[i]) :
				      put_mapped(s, e, at, b.module[i], addrs[i], b.off[i]);
		/* a text may have been made again */
		unmapped = unmapped_text(s, e);
		if (!unmapped)
			return -ENOMEM;
	}
	return ret;
}

/* 0 or -ENOMEM. */
static int chain_place_mode(struct script *s, const struct script_event *e, struct chain_place *at,
			    int mode)
{
	at->mode = (unsigned)mode;
	at->maps = mode == DATA_MODE_USER   ? stream_maps(s->stream, at->pid, at->when) :
		   mode == DATA_MODE_KERNEL ? stream_maps(s->stream, -1, at->when) :
					      0;
	at->ranges = at->maps && e->simple && !at->inlines ?
			     address_spaces_get(&s->spaces, cache_key(e, at)) :
			     NULL;
	return s->writer ? line_writer_place(s, e, at) : 0;
}

/* Addresses before the next marker, as many as a batch takes. */
static size_t address_count(const uint64_t *words, size_t n)
{
	size_t i = 0;

	if (n > BATCH_WORDS)
		n = BATCH_WORDS;
	while (i < n && words[i] < STREAM_CHAIN_MARKER)
		i++;
	return i;
}

/*
 * Prints the addresses among these words; *n counts those of the chain. 0, -ENOMEM, CHAIN_STOPS, or
 * STREAM_CHAIN_BAD or _END.
 */
static int put_words(struct script *s, const struct script_event *e, struct chain_place *at,
		     const uint64_t *words, size_t n_words, size_t *n)
{
	size_t left;
	int ret = 0;

	for (size_t i = 0; i < n_words && *n < s->opts->in.max_stack && !ret; i += left) {
		left = address_count(words + i, n_words - i);
		if (!left) {
			int mode = stream_chain_mode(words[i]);

			if (mode < 0)
				return mode;
			ret = chain_place_mode(s, e, at, mode);
			left = 1;
		} else if (!at->without_user || at->mode != DATA_MODE_USER) {
			if (left > s->opts->in.max_stack - *n)
				left = s->opts->in.max_stack - *n;
			at->uncached |= !at->maps;
			if (!at->ranges)
				left = 1;
			ret = !at->ranges ? put_address(s, e, at, words[i]) :
			      s->writer	  ? give_batch(s, e, at, words + i, left) :
					    put_batch(s, e, at, words + i, left);
			*n += left;
		}
	}
	return ret;
}

/* The text of callers that are known. */
static int put_text_of(struct script *s, const struct stack_text *text)
{
	char *p;

	if (s->writer)
		return line_writer_add(s, LINE_USE, 0, (uint64_t)(text - s->stacks.slots));
	if (!text->n_text)
		return 0;
	p = script_room(s, text->n_text);
	if (!p)
		return -ENOMEM;
	script_wrote(s, put_text(p, s->stacks.texts + text->text_at, text->n_text));
	return 0;
}

/* Nothing but `keep` stays. */
static int forget_texts(struct script *s, struct stack_text *keep)
{
	struct stack_text copy = *keep;

	stack_cache_forget(&s->stacks);
	*keep = copy;
	return s->writer ? line_writer_add(s, LINE_FORGET, 0, 0) : 0;
}

/* Prints callers whose text will be used again; `start`: where they begin in the output. */
static int put_kept_callers(struct script *s, const struct script_event *e, struct chain_place *at,
			    const uint64_t *words, size_t n_words, size_t *n,
			    struct stack_text *text)
{
	size_t start = s->out.len, slot = (size_t)(text - s->stacks.slots);
	int ret = 0;

	if (stack_cache_is_full(&s->stacks) || (s->writer && line_writer_wants_forget(s->writer)))
		ret = forget_texts(s, text);
	if (!ret && s->writer)
		ret = line_writer_add(s, LINE_KEEP, 0, 0);
	if (!ret)
		ret = put_words(s, e, at, words, n_words, n);
	if (ret || at->uncached)
		return ret;
	if (stack_cache_add_words(&s->stacks, text, words, n_words))
		return -ENOMEM;
	return s->writer ? line_writer_add(s, LINE_KEPT, 0, slot) :
			   stack_cache_add_text(&s->stacks, slot, s->out.data + start,
						s->out.len - start);
}

/* The callers, by their text if it is known. All words are printed. */
static int put_callers(struct script *s, const struct script_event *e, struct chain_place *at,
		       const uint64_t *words, size_t n_words, size_t *n)
{
	struct stack_key key;
	struct stack_text *text;

	if (!stack_cache_wants(&s->stacks, n_words))
		return put_words(s, e, at, words, n_words, n);
	key = (struct stack_key){ .user_maps = stream_maps(s->stream, at->pid, at->when),
				  .kernel_maps = stream_maps(s->stream, -1, at->when),
				  .style = (uint32_t)e->kind << 4 | at->mode };
	if (stack_cache_find(&s->stacks, &key, words, n_words, &text))
		return put_text_of(s, text);
	return text ? put_kept_callers(s, e, at, words, n_words, n, text) :
		      put_words(s, e, at, words, n_words, n);
}

static int put_chain(struct script *s, const struct script_event *e, struct chain_place *at,
		     const struct stream_chain *chain, size_t *n)
{
	size_t start = s->out.len, first = 0, items = s->writer ? s->writer->batch->n : 0;
	int ret = 0;

	if (chain->n && chain->words[0] < STREAM_CHAIN_MARKER)
		ret = chain_place_mode(s, e, at, DATA_MODE_USER);
	if (ret)
		return ret;
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
	if (ret == STREAM_CHAIN_BAD) {
		s->out.len = start;
		if (s->writer)
			s->writer->batch->n = items;
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
	ret = put_chain(s, e, &at, &chain, &n);
	if (ret == STREAM_CHAIN_BAD || ret == CHAIN_STOPS)
		return 0;
	if (ret != STREAM_CHAIN_END && ret)
		return ret;
	at.inlines = chain.unwound && !s->opts->no_inlines;
	ret = chain.n_user ? chain_place_mode(s, e, &at, DATA_MODE_USER) : 0;
	for (size_t i = 0; i < chain.n_user && !ret; i++)
		if (!chain.limited || n++ < s->opts->in.max_stack)
			ret = put_address(s, e, &at, chain.user[i]);
	return ret == CHAIN_STOPS ? 0 : ret;
}

/* ---- what the thread does ---- */

#define WRITE_AHEAD 8 /* items whose code is loaded from memory */

static int copy_text(struct script *s, const struct line_batch *b, size_t *from, size_t to)
{
	char *p;

	if (*from == to)
		return 0;
	p = script_room(s, to - *from);
	if (!p)
		return -ENOMEM;
	script_wrote(s, put_text(p, b->text.data + *from, to - *from));
	*from = to;
	return 0;
}

static int put_slot(struct script *s, size_t slot)
{
	return s->stacks.slots ? put_text_of(s, &s->stacks.slots[slot]) : 0;
}

/* An item that is no address in a module; `kept`: where a text begins that is used again. */
static int put_other_item(struct script *s, const struct line_item *it,
			  const struct line_start *starts, const struct line_place *place,
			  size_t *kept)
{
	int ret;

	switch (it->module) {
	case LINE_START:
		return script_print_begin(s, starts[it->off].event, &starts[it->off].start,
					  starts[it->off].period);
	case LINE_ADDRESS:
		script_lock(s);
		ret = put_address(s, place->event, &place->at, it->addr);
		script_unlock(s);
		return ret;
	case LINE_KEEP:
		*kept = s->out.len;
		return 0;
	case LINE_KEPT:
		return stack_cache_add_text(&s->stacks, it->off, s->out.data + *kept,
					    s->out.len - *kept);
	case LINE_USE:
		return put_slot(s, it->off);
	case LINE_FORGET:
		stack_cache_forget(&s->stacks);
		return 0;
	default:
		return 0;
	}
}

/* Writes the lines of these items as long as their code is known. Returns how many it wrote, or 0. */
static size_t write_known(struct script *s, const struct line_batch *b, size_t from,
			  const struct script_event *e, size_t text)
{
	size_t i = from, n;
	char *p = s->out.data + s->out.len;

	for (; i < b->n; i++) {
		const struct line_item *it = &b->items[i];
		const struct script_code *code;

		if (i + WRITE_AHEAD < b->n)
			__builtin_prefetch(
				code_slot(s, it[WRITE_AHEAD].module, it[WRITE_AHEAD].off));
		if (it->module >= LINE_MODULES || it->text != text)
			break;
		code = code_find(code_slot(s, it->module, it->off), e, it->module, it->off);
		if (!code)
			break;
		n = (size_t)code->n_head + code->n_tail + LINE_ROOM;
		if (s->out.cap - (size_t)(p - s->out.data) <= n)
			break;
		p = put_code_at(p, s, e, code, it->addr, it->off);
	}
	script_wrote(s, p);
	return i - from;
}

int script_write_lines(struct script *s, const struct line_batch *b)
{
	const struct line_place *place = NULL;
	size_t copied = 0, kept = 0;
	int ret = 0;

	for (size_t i = 0; i < b->n && !ret; i++) {
		const struct line_item *it = &b->items[i];

		if (place && it->module < LINE_MODULES) {
			i += write_known(s, b, i, place->event, copied);
			if (i == b->n)
				break;
			it = &b->items[i];
		}
		ret = copy_text(s, b, &copied, it->text);
		if (ret)
			break;
		if (it->module == LINE_PLACE)
			place = &b->places[it->off];
		else if (it->module == LINE_GAP)
			ret = put_unmapped(s, place->event, it->addr);
		else if (it->module < LINE_MODULES)
			ret = put_mapped(s, place->event, &place->at, it->module, it->addr,
					 it->off);
		else
			ret = put_other_item(s, it, b->starts, place, &kept);
	}
	return ret ? ret : copy_text(s, b, &copied, b->text.len);
}
