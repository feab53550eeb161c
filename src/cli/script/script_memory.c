/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Branch stacks, and where memory accesses were answered, as perf's text. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include "base/perf_abi.h"
#include "base/text.h"
#include "cli/script/script.h"
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
						addr >> 63 ? DATA_MODE_KERNEL : DATA_MODE_USER,
						when, addr) :
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
	text_escape(&s->out,
		    dso ? stream_name(s->stream, dso->kernel ? dso->short_name : dso->name) :
			  "[unknown]");
	buf_add_char(&s->out, ')');
}

static const char *branch_type(uint64_t flags, bool big)
{
	unsigned type = bits(flags, 20, 4, big), new_type = bits(flags, 26, 4, big);

	if (type == TYPE_EXTENDED && new_type < COUNT(new_branch_types))
		return new_branch_types[new_type];
	return type < COUNT(branch_types) ? branch_types[type] : "";
}

/* "/P/X/A/cycles/type " */
static void add_branch_flags(struct script *s, uint64_t flags)
{
	bool big = is_big_endian(s);
	bool missed = bits(flags, 0, 1, big), predicted = bits(flags, 1, 1, big);

	buf_addf(&s->out, "/%c/%c/%c/%u/%s ",
		 predicted ? 'P' :
		 missed	   ? 'M' :
			     '-',
		 bits(flags, 2, 1, big) ? 'X' : '-', bits(flags, 3, 1, big) ? 'A' : '-',
		 bits(flags, 4, 16, big), branch_type(flags, big));
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
		uint64_t from = data_word(sample->branches, 3 * i, swapped);
		uint64_t to = data_word(sample->branches, 3 * i + 1, swapped);
		uint64_t flags = data_word(sample->branches, 3 * i + 2, swapped);

		if (calls && !i)
			buf_addf(&s->out, "..... %2d: %016" PRIx64 "\n", 0, to);
		if (calls)
			buf_addf(&s->out, "..... %2" PRIu64 ": %016" PRIx64 "\n", i + 1, from);
		else
			buf_addf(&s->out,
				 "..... %2" PRIu64 ": %016" PRIx64 " -> %016" PRIx64
				 " %u cycles %s%s%s%s %x %s\n",
				 i, from, to, bits(flags, 4, 16, big),
				 bits(flags, 0, 1, big) ? "M" : " ",
				 bits(flags, 1, 1, big) ? "P" : " ",
				 bits(flags, 3, 1, big) ? "A" : " ",
				 bits(flags, 2, 1, big) ? "T" : " ", bits(flags, 33, 31, big),
				 branch_type(flags, big));
	}
}

int script_print_branches(struct script *s, const struct script_event *e,
			  const struct data_sample *sample, uint64_t when)
{
	bool swapped = data_swapped(stream_file(s->stream));

	for (size_t i = 0; i < sample->n_branches; i++) {
		if (branch_form(e->fields) != BRANCH_SYMBOL)
			buf_add_char(&s->out, ' ');
		for (size_t end = 0; end < 2; end++) {
			if (end)
				buf_add_char(&s->out, '/');
			add_branch_end(s, e->fields, sample, when,
				       data_word(sample->branches, 3 * i + end, swapped));
		}
		add_branch_flags(s, data_word(sample->branches, 3 * i + 2, swapped));
	}
	return s->out.err;
}

/* ---- memory accesses ---- */

static const char *const levels[] = {
	"N/A",
	"HIT",
	"MISS",
	"L1",
	"LFB/MAB",
	"L2",
	"L3",
	"Local RAM",
	"Remote RAM (1 hop)",
	"Remote RAM (2 hops)",
	"Remote Cache (1 hop)",
	"Remote Cache (2 hops)",
	"I/O",
	"Uncached",
};
#define LEVEL_HIT  (1u << 1)
#define LEVEL_MISS (1u << 2)

static const char *const level_numbers[16] = {
	[9] = "CXL",  [10] = "I/O",  [11] = "Any cache", [12] = "LFB/MAB",
	[13] = "RAM", [14] = "PMEM", [15] = "N/A",
};

static const char *const hops[8] = {
	"N/A", "core, same node", "node, same socket", "socket, same board", "board",
};

static const char *const snoops[] = { "N/A", "None", "Hit", "Miss", "HitM" };
static const char *const more_snoops[] = { "Fwd", "Peer" };
static const char *const tlbs[] = { "N/A", "HIT", "MISS", "L1", "L2", "Walker", "Fault" };

/* The names of set bits. Returns whether there were any. */
static bool add_names(struct buf *out, unsigned set, const char *const *names, size_t n, bool any)
{
	for (size_t i = 0; i < n; i++) {
		if (!(set >> i & 1))
			continue;
		buf_addf(out, "%s%s", any ? " or " : "", names[i]);
		any = true;
	}
	return any;
}

static void add_op(struct buf *out, unsigned op)
{
	static const char *const names[] = { "N/A", "LOAD", "STORE", "PFETCH", "EXEC" };

	for (size_t i = 0; i < COUNT(names); i++) {
		if (op >> i & 1) {
			buf_add_str(out, names[i]);
			return;
		}
	}
	buf_add_str(out, "No");
}

static void add_level(struct buf *out, uint64_t v, bool big)
{
	unsigned level = bits(v, 5, 14, big), number = bits(v, 33, 4, big);
	unsigned hop = bits(v, 43, 3, big);
	size_t from = out->len;
	bool any = false;

	if (bits(v, 37, 1, big))
		buf_add_str(out, "Remote ");
	if (hop)
		buf_addf(out, "%s ", hops[hop] ? hops[hop] : "N/A");
	else
		any = add_names(out, level & ~(LEVEL_HIT | LEVEL_MISS), levels, COUNT(levels),
				false);
	if (number) {
		buf_add_str(out, any ? " or " : "");
		if (level_numbers[number])
			buf_add_str(out, level_numbers[number]);
		else
			buf_addf(out, "L%u", number);
	}
	if (out->len == from)
		buf_add_str(out, "N/A");
	if (level & LEVEL_HIT)
		buf_add_str(out, " hit");
	if (level & LEVEL_MISS)
		buf_add_str(out, " miss");
}

static void add_tlb(struct buf *out, unsigned tlb)
{
	if (!add_names(out, tlb & ~(LEVEL_HIT | LEVEL_MISS), tlbs, COUNT(tlbs), false))
		buf_add_str(out, "N/A");
	if (tlb & LEVEL_HIT)
		buf_add_str(out, " hit");
	if (tlb & LEVEL_MISS)
		buf_add_str(out, " miss");
}

static void add_block(struct buf *out, unsigned block)
{
	if (!block || block & 1)
		buf_add_str(out, " N/A");
	else
		buf_addf(out, "%s%s", block & 2 ? " Data" : "", block & 4 ? " Addr" : "");
}

int script_print_data_src(struct script *s, uint64_t v)
{
	bool big = is_big_endian(s), any;
	struct buf *out = &s->out;
	unsigned lock = bits(v, 24, 2, big);
	size_t from = out->len, n;

	buf_addf(out, "%16" PRIx64 " |OP ", v);
	add_op(out, bits(v, 0, 5, big));
	buf_add_str(out, "|LVL ");
	add_level(out, v, big);
	buf_add_str(out, "|SNP ");
	any = add_names(out, bits(v, 19, 5, big), snoops, COUNT(snoops), false);
	if (!add_names(out, bits(v, 38, 2, big), more_snoops, COUNT(more_snoops), any))
		buf_add_str(out, "N/A");
	buf_add_str(out, "|TLB ");
	add_tlb(out, bits(v, 26, 7, big));
	buf_addf(out, "|LCK %s|BLK ", lock & 1 ? "N/A" : lock & 2 ? "Yes" : "No");
	add_block(out, bits(v, 40, 3, big));
	/* as wide as the widest so far */
	n = out->len - from;
	if (n > s->data_src_width)
		s->data_src_width = n;
	while (n++ < s->data_src_width)
		buf_add_char(out, ' ');
	return out->err;
}
