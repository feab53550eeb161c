/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Branch stacks, and where memory accesses were answered, as perf's text. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include "base/perf_abi.h"
#include "base/text.h"
#include "cli/script/script.h"
#include "profile/hist/data_src.h"
#include "session/stream.h"

#define F(id)	     SCRIPT_FIELD(id)
#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* Bits of a recorded word. On a big-endian machine bit-fields begin at the top. */
static unsigned bits(uint64_t v, unsigned at, unsigned n, bool big_endian)
{
	return (unsigned)(v >> (big_endian ? 64 - at - n : at)) & ((1u << n) - 1);
}

static bool is_big_endian(const struct script *s)
{
	return (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) != data_swapped(stream_file(s->stream));
}

/* ---- branches ---- */

static const char *const branch_types[] = {
	"",	  "COND",      "UNCOND",   "IND",  "CALL", "IND_CALL", "RET",	"SYSCALL",
	"SYSRET", "COND_CALL", "COND_RET", "ERET", "IRQ",  "SERROR",   "NO_TX",
};

static const char *const new_branch_types[] = {
	"FAULT_ALGN", "FAULT_DATA", "FAULT_INST", "ARCH_1", "ARCH_2", "ARCH_3", "ARCH_4", "ARCH_5",
};

#define TYPE_EXTENDED 15

enum branch_form {
	BRANCH_ADDRESS, /* "0xaddr(dso)" */
	BRANCH_SYMBOL,	/* "symbol+0xoff(dso)" */
	BRANCH_OFFSET,	/* "0xoff(dso)" */
};

static enum branch_form branch_form(uint64_t fields)
{
	return fields & F(BRSTACK)    ? BRANCH_ADDRESS :
	       fields & F(BRSTACKSYM) ? BRANCH_SYMBOL :
					BRANCH_OFFSET;
}

static void add_branch_end(struct script *s, uint64_t fields, const struct data_sample *sample,
			   uint64_t when, uint64_t addr)
{
	const struct resolver *r = stream_resolver(s->stream);
	enum branch_form form = branch_form(fields);
	bool resolve = form != BRANCH_ADDRESS || fields & F(DSO);
	uint32_t id = resolve ? stream_frame_in(s->stream, sample->pid,
						data_sample_mode(sample, addr), when, addr) :
				PTUI_NONE;
	const struct frame *f = id == PTUI_NONE ? NULL : &resolver_frames(r)[id];
	const struct symbol *sym = f && f->sym != PTUI_NONE ? resolver_symbol(r, f->sym) : NULL;
	const struct dso_info *dso = f && f->dso != PTUI_NONE ? resolver_dso(r, f->dso) : NULL;

	if (form == BRANCH_SYMBOL) {
		text_escape(&s->out, sym ? stream_name(s->stream, sym->name) : "[unknown]");
		if (sym)
			buf_addf(&s->out, "+0x%" PRIx64, f->off - sym->start);
	} else {
		buf_addf(&s->out, "0x%" PRIx64,
			 form == BRANCH_OFFSET && dso && !dso->kernel ? f->off : addr);
	}
	if (!(fields & F(DSO)))
		return;
	buf_add_char(&s->out, '(');
	text_escape(&s->out, script_dso_name(s, dso));
	buf_add_char(&s->out, ')');
}

static const char *branch_type(uint64_t flags, bool big)
{
	unsigned type = bits(flags, 20, 4, big), new_type = bits(flags, 26, 4, big);

	if (type == TYPE_EXTENDED && new_type < COUNT(new_branch_types))
		return new_branch_types[new_type];
	return type < COUNT(branch_types) ? branch_types[type] : "";
}

void script_branch(const struct script *s, const struct data_sample *sample, size_t i,
		   struct script_branch *ret)
{
	bool swapped = data_swapped(stream_file(s->stream)), big = is_big_endian(s);
	uint64_t flags = data_word(sample->branches, 3 * i + 2, swapped);

	*ret = (struct script_branch){
		.from = data_word(sample->branches, 3 * i, swapped),
		.to = data_word(sample->branches, 3 * i + 1, swapped),
		.missed = bits(flags, 0, 1, big),
		.predicted = bits(flags, 1, 1, big),
		.in_tx = bits(flags, 2, 1, big),
		.abort = bits(flags, 3, 1, big),
		.cycles = bits(flags, 4, 16, big),
		.type = branch_type(flags, big),
	};
}

/* "/P/X/A/cycles/type " */
static void add_branch_flags(struct script *s, const struct script_branch *b)
{
	buf_addf(&s->out, "/%c/%c/%c/%u/%s ",
		 b->predicted ? 'P' :
		 b->missed    ? 'M' :
				'-',
		 b->in_tx ? 'X' : '-', b->abort ? 'A' : '-', b->cycles, b->type);
}

/* -D */
void script_dump_branches(struct script *s, const struct data_event *ev,
			  const struct data_sample *sample)
{
	bool swapped = data_swapped(stream_file(s->stream)), big = is_big_endian(s);
	bool calls = ev->branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK;

	buf_addf(&s->out, "... branch %s: nr:%" PRIu64 "\n", calls ? "callstack" : "stack",
		 sample->n_branches + calls);
	for (uint64_t i = 0; i < sample->n_branches; i++) {
		struct script_branch b;

		script_branch(s, sample, i, &b);
		if (calls && !i)
			buf_addf(&s->out, "..... %2d: %016" PRIx64 "\n", 0, b.to);
		if (calls)
			buf_addf(&s->out, "..... %2" PRIu64 ": %016" PRIx64 "\n", i + 1, b.from);
		else
			buf_addf(&s->out,
				 "..... %2" PRIu64 ": %016" PRIx64 " -> %016" PRIx64
				 " %u cycles %s%s%s%s %x %s\n",
				 i, b.from, b.to, b.cycles, b.missed ? "M" : " ",
				 b.predicted ? "P" : " ", b.abort ? "A" : " ", b.in_tx ? "T" : " ",
				 bits(data_word(sample->branches, 3 * i + 2, swapped), 33, 31, big),
				 b.type);
	}
}

int script_print_branches(struct script *s, const struct script_event *e,
			  const struct data_sample *sample, uint64_t when)
{
	for (size_t i = 0; i < sample->n_branches; i++) {
		struct script_branch b;

		script_branch(s, sample, i, &b);
		if (branch_form(e->fields) != BRANCH_SYMBOL)
			buf_add_char(&s->out, ' ');
		add_branch_end(s, e->fields, sample, when, b.from);
		buf_add_char(&s->out, '/');
		add_branch_end(s, e->fields, sample, when, b.to);
		add_branch_flags(s, &b);
	}
	return s->out.err;
}

/* ---- memory accesses ---- */

int script_print_data_src(struct script *s, uint64_t v)
{
	static const struct {
		const char *name;
		enum data_src_part part;
	} parts[] = {
		{ " |OP ", DATA_SRC_OP },  { "|LVL ", DATA_SRC_LEVEL }, { "|SNP ", DATA_SRC_SNOOP },
		{ "|TLB ", DATA_SRC_TLB }, { "|LCK ", DATA_SRC_LOCK },	{ "|BLK ", DATA_SRC_BLOCK },
	};
	struct buf *out = &s->out;
	size_t from = out->len, n;

	buf_addf(out, "%16" PRIx64, v);
	for (size_t i = 0; i < COUNT(parts); i++) {
		buf_add_str(out, parts[i].name);
		data_src_add(out, parts[i].part, v);
	}
	/* as wide as the widest so far */
	n = out->len - from;
	if (n > s->data_src_width)
		s->data_src_width = n;
	while (n++ < s->data_src_width)
		buf_add_char(out, ' ');
	return out->err;
}
