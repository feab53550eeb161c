/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Instructions at sampled addresses and between branches, as perf's text: as bytes, their number, or disassembled. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "annotate/disasm.h"
#include "base/perf_abi.h"
#include "base/text.h"
#include "cli/script/script.h"
#include "profile/debug.h"

#define F(id)	 SCRIPT_FIELD(id)
#define INSN_MAX 16 /* bytes that perf reads; no instruction is longer */

struct script_insns {
	struct disasm *disasm; /* for the code that was decoded last; NULL: there is none */
	struct disasm_target target;
	struct buf text; /* of the last instruction */
};

static void name_nothing(void *ctx, uint64_t addr, struct buf *out)
{
	(void)ctx;
	(void)addr;
	(void)out;
}

static bool insns_use(struct script_insns *i, const struct disasm_target *t, struct ptui_error *err)
{
	const struct disasm_target *old = &i->target;

	if (old->machine == t->machine && old->is_64 == t->is_64 &&
	    old->big_endian == t->big_endian && old->flags == t->flags)
		return i->disasm;
	disasm_free(i->disasm);
	i->target = *t;
	i->disasm = disasm_new(t, name_nothing, NULL, err);
	return i->disasm;
}

int script_insns_new(struct stream *stream, struct script_insns **ret, struct ptui_error *err)
{
	const struct disasm_target target = { .machine = stream_machine(stream), .is_64 = true };
	struct script_insns *i = calloc(1, sizeof(*i));

	*ret = i;
	if (!i)
		return ptui_error_nomem(err);
	return !target.machine || insns_use(i, &target, err) ? 0 : -ENOTSUP;
}

void script_insns_free(struct script_insns *i)
{
	if (!i)
		return;
	disasm_free(i->disasm);
	buf_release(&i->text);
	free(i);
}

/* Whether the next instruction may be elsewhere, which branch stacks of all branches have. */
static bool is_branch(const struct script_insns *i, const struct disasm_insn *insn)
{
	static const char *const names[] = { "sys", "int", "iret" }; /* x86: sysret, int3 */

	for (size_t k = 0; k < sizeof(names) / sizeof(*names); k++)
		if (!strncmp(i->text.data, names[k], strlen(names[k])))
			return true;
	return insn->flow != PTUI_FLOW_NEXT;
}

/* The bytes of the instruction at bytes[0]; 0: it is none. */
static size_t insn_bytes(struct script_insns *i, const struct profile_code *code, uint64_t addr,
			 const uint8_t *bytes, size_t n, bool *ret_branch)
{
	const struct disasm_target target = { .machine = code->machine,
					      .is_64 = code->is_64,
					      .big_endian = code->big_endian,
					      .flags = code->flags };
	struct disasm_insn insn;

	*ret_branch = false;
	if (!n || !insns_use(i, &target, NULL))
		return 0;
	buf_clear(&i->text);
	disasm_lock();
	disasm_next(i->disasm, addr, bytes, n, &i->text, &insn);
	disasm_unlock();
	if (insn.bad || i->text.err)
		return 0;
	*ret_branch = is_branch(i, &insn);
	return insn.n_bytes;
}

/* The last instruction as text; a target without a name is followed by a blank. */
static void add_text(struct script *s)
{
	const struct buf *text = &s->insns->text;
	size_t n = text->len;

	while (n && text->data[n - 1] == ' ')
		n--;
	buf_add(&s->out, text->data, n);
}

static void add_insn(struct script *s, uint64_t fields, const uint8_t *bytes, size_t n)
{
	if (fields & F(INSNLEN))
		buf_addf(&s->out, " ilen: %zu", n);
	if (fields & F(INSN) && n)
		buf_add_str(&s->out, " insn:");
	for (size_t i = 0; fields & F(INSN) && i < n; i++)
		buf_addf(&s->out, " %02x", bytes[i]);
	if (fields & F(DISASM) && n) {
		buf_add_str(&s->out, "\t\t");
		add_text(s);
	}
}

int script_print_insn(struct script *s, uint64_t fields, const struct data_sample *sample,
		      uint64_t when)
{
	struct profile_code code = { .n = 0 };
	const uint8_t *bytes = NULL;
	bool branch;
	size_t n = 0;
	uint32_t frame = stream_frame(s->stream, sample, when, sample->ip);

	if (frame == PTUI_NONE)
		return -ENOMEM;
	if (!stream_code(s->stream, frame, INSN_MAX, &code)) {
		uint64_t at = resolver_frames(stream_resolver(s->stream))[frame].off - code.off;

		bytes = code.bytes + at;
		n = code.n - at < INSN_MAX ? code.n - at : INSN_MAX;
		n = insn_bytes(s->insns, &code, sample->ip, bytes, n, &branch);
	}
	add_insn(s, fields, bytes, n);
	profile_code_release(&code);
	return s->out.err || s->insns->text.err ? -ENOMEM : 0;
}

/* ---- code between branches ---- */

#define BLOCK_MAX 16384 /* bytes of a block with an instruction after it, as in perf */
#define TAIL_MAX  15	/* bytes of that instruction */
#define CROSSES	  1 /* a block that begins in the kernel and ends in user space, or the reverse */

/*
 *	branches, the last one first:	from[0] to[0] | from[1] to[1] | ...
 *	blocks, in the order in which they ran:	... to[1] .. from[0], to[0] .. address of the sample
 */
struct code_blocks {
	struct script *s;
	const struct script_event *e;
	const struct data_sample *sample;
	uint64_t when;
	uint32_t dso, sym; /* whose name was printed last */
	unsigned cycles;   /* of all branches so far */
	struct profile_code code;
	const uint8_t *bytes; /* of the block; in `code` */
	size_t n;
};

static uint32_t block_frame(struct code_blocks *b, uint64_t addr)
{
	return stream_frame_in(b->s->stream, b->sample->pid, data_sample_mode(b->sample, addr),
			       b->when, addr);
}

/* Reads a block with the instruction at its end; b->n stays 0 if it is not known. 0, CROSSES or -ENOMEM. */
static int block_read(struct code_blocks *b, uint64_t start, uint64_t end)
{
	uint32_t frame;

	profile_code_release(&b->code);
	b->n = 0;
	if (!start || !end)
		return 0;
	if ((start ^ end) >> 63)
		return CROSSES;
	if (end - start > BLOCK_MAX - TAIL_MAX)
		return 0;
	frame = block_frame(b, start);
	if (frame == PTUI_NONE)
		return -ENOMEM;
	if (!stream_code(b->s->stream, frame, end - start + TAIL_MAX, &b->code)) {
		uint64_t at = resolver_frames(stream_resolver(b->s->stream))[frame].off -
			      b->code.off;

		b->bytes = b->code.bytes + at;
		b->n = b->code.n - at;
		if (b->n > end - start + TAIL_MAX)
			b->n = end - start + TAIL_MAX;
	}
	return 0;
}

/* "\tsymbol+12:\n", if it is another one. */
static int add_symbol(struct code_blocks *b, uint64_t addr)
{
	const struct resolver *r = stream_resolver(b->s->stream);
	struct buf *out = &b->s->out;
	uint32_t frame = block_frame(b, addr);
	const struct frame *f = frame == PTUI_NONE ? NULL : &resolver_frames(r)[frame];
	const struct symbol *sym;

	if (!f || f->sym == PTUI_NONE || (f->sym == b->sym && f->dso == b->dso))
		return f ? 0 : -ENOMEM;
	sym = resolver_symbol(r, f->sym);
	buf_add_char(out, '\t');
	text_escape(out, stream_name(b->s->stream, sym->name));
	if (f->off != sym->start)
		buf_addf(out, "+%" PRIu64, f->off - sym->start);
	buf_add_char(out, ':');
	b->sym = f->sym;
	b->dso = f->dso;
	if (b->e->fields & F(SRCLINE)) {
		buf_add_char(out, '\t');
		script_add_srcline(b->s, frame, 0, out);
	}
	buf_add_char(out, '\n');
	return out->err;
}

/* Appends the address and code of the instruction at byte `at` of the block. Returns its length; 0: it is none. */
static size_t add_code(struct code_blocks *b, uint64_t addr, size_t at, bool *ret_branch)
{
	size_t left = b->n - at;
	size_t n = insn_bytes(b->s->insns, &b->code, addr, b->bytes + at,
			      left < INSN_MAX ? left : INSN_MAX, ret_branch);

	buf_addf(&b->s->out, "\t%016" PRIx64 "\t", addr);
	if (n && b->e->fields & F(BRSTACKDISASM)) {
		add_text(b->s);
		return n;
	}
	buf_add_str(&b->s->out, n ? "insn: " : "<bad>");
	for (size_t i = 0; i < n; i++)
		buf_addf(&b->s->out, "%02x ", b->bytes[at + i]);
	return n;
}

static int add_source(struct code_blocks *b, uint64_t addr)
{
	return b->e->fields & F(SRCCODE) ? script_print_srccode(b->s, b->sample, b->when, addr) : 0;
}

static size_t add_line(struct code_blocks *b, uint64_t addr, size_t at, bool *ret_branch)
{
	size_t n = add_code(b, addr, at, ret_branch);

	if (b->e->fields & F(BRSTACKINSNLEN))
		buf_addf(&b->s->out, "\tilen: %zu", n);
	buf_add_char(&b->s->out, '\n');
	return n;
}

/* The instruction that jumps, the last one of a block of `n` instructions (0: unknown). */
static int add_jump(struct code_blocks *b, uint64_t addr, size_t at, const struct script_branch *br,
		    unsigned n)
{
	struct buf *out = &b->s->out;
	size_t tab = strlen("\t0123456789abcdef\t") + 30, from = out->len, length;
	bool branch;

	length = add_code(b, addr, at, &branch);
	while (out->len - from < tab && !out->err)
		buf_add_char(out, ' ');
	buf_add_char(out, '\t');
	if (b->e->fields & F(BRSTACKINSNLEN))
		buf_addf(out, "ilen: %zu\t", length);
	buf_addf(out, "#%s%s%s%s", br->predicted ? " PRED" : "", br->missed ? " MISPRED" : "",
		 br->in_tx ? " INTX" : "", br->abort ? " ABORT" : "");
	if (br->cycles) {
		b->cycles += br->cycles;
		buf_addf(out, " %u cycles [%u]", br->cycles, b->cycles);
		if (n)
			buf_addf(out, " %.2f IPC", (double)((float)n / (float)br->cycles));
	}
	buf_add_char(out, '\n');
	return out->err ? out->err : add_source(b, addr);
}

/* The block from `start` to the jump `br`, which was read. */
static int add_block(struct code_blocks *b, uint64_t start, const struct script_branch *br,
		     uint64_t end)
{
	bool branch;
	unsigned n_insns = 0;
	size_t at, n;
	int ret = 0;

	for (at = 0; at < b->n && !ret; at += n) {
		ret = add_symbol(b, start + at);
		if (ret)
			return ret;
		if (start + at == end) {
			ret = add_jump(b, end, at, br, ++n_insns);
			break;
		}
		n = add_line(b, start + at, at, &branch);
		if (!n)
			break;
		ret = add_source(b, start + at);
		n_insns++;
	}
	if (!ret && at != end - start)
		buf_add_str(&b->s->out, "\tmismatch of LBR data and executable\n");
	return ret ? ret : b->s->out.err;
}

static int add_blocks(struct code_blocks *b, size_t n)
{
	struct script_branch br, before;
	int ret;

	/* what ran before the first jump is unknown */
	script_branch(b->s, b->sample, n - 1, &before);
	ret = block_read(b, before.from, before.from);
	if (ret < 0)
		return ret;
	if (b->n) {
		ret = add_symbol(b, before.from);
		if (!ret)
			ret = add_jump(b, before.from, 0, &before, 0);
	}
	for (size_t i = n - 1; i-- > 0 && ret >= 0; before = br) {
		script_branch(b->s, b->sample, i, &br);
		ret = block_read(b, before.to, br.from);
		/* the entry of the kernel may be missing, whose exit was recorded */
		if (ret == CROSSES && i > 0) {
			script_branch(b->s, b->sample, --i, &br);
			ret = block_read(b, before.to, br.from);
		}
		if (ret >= 0 && b->n)
			ret = add_block(b, before.to, &br, br.from);
	}
	return ret < 0 ? ret : 0;
}

/* From the last branch to the address of the sample. */
static int add_last_block(struct code_blocks *b, const struct script_branch *last,
			  bool all_branches)
{
	uint64_t start = last->to, end = b->sample->ip;
	bool branch;
	size_t n = 0;
	int ret;

	if (last->from == end || last->abort)
		return 0; /* the target has not run */
	if (end < start)
		end = start +
		      128; /* a branch is missing: what follows is shown up to the next one */
	ret = block_read(b, start, end);
	if (ret < 0 || (ret = add_symbol(b, start)))
		return ret;
	if (!b->n) {
		ret = block_read(b, b->sample->ip, b->sample->ip);
		if (ret < 0 || !b->n)
			return ret < 0 ? ret : 0;
		add_line(b, b->sample->ip, 0, &branch);
		return add_source(b, b->sample->ip);
	}
	for (size_t at = 0; at <= end - start && !ret; at += n) {
		if (at > b->n)
			break;
		n = add_line(b, start + at, at, &branch);
		if (!n)
			break;
		if (all_branches && branch && start + at != b->sample->ip) {
			buf_add_str(&b->s->out, "\t... not reaching sample ...\n");
			break;
		}
		ret = add_source(b, start + at);
	}
	return ret ? ret : b->s->out.err;
}

int script_print_blocks(struct script *s, const struct script_event *e, const struct data_event *ev,
			const struct data_sample *sample, uint64_t when)
{
	struct code_blocks b = {
		.s = s, .e = e, .sample = sample, .when = when, .dso = PTUI_NONE, .sym = PTUI_NONE
	};
	size_t n = sample->n_branches;
	struct script_branch last;
	int ret;

	if (!n)
		return 0;
	if (s->opts->max_blocks && n > s->opts->max_blocks + 1)
		n = s->opts->max_blocks + 1;
	buf_add_char(&s->out, '\n');
	ret = add_blocks(&b, n);
	if (!ret) {
		script_branch(s, sample, 0, &last);
		ret = add_last_block(&b, &last,
				     !ev->branch_sample_type ||
					     ev->branch_sample_type & PERF_SAMPLE_BRANCH_ANY);
	}
	profile_code_release(&b.code);
	return ret < 0 ? ret : 0;
}
