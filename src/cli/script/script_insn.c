/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Instructions at sampled addresses, as perf's text: their code as bytes, and its length. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "annotate/disasm.h"
#include "cli/script/script.h"
#include "profile/debug.h"

#define F(id)	 SCRIPT_FIELD(id)
#define INSN_MAX 16 /* bytes that perf reads; no instruction is longer */

struct script_insns {
	struct disasm *disasm; /* for the code that was decoded last; NULL: there is none */
	struct disasm_target target;
	struct buf text; /* not printed */
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

/* The bytes of the instruction at bytes[0]; 0: it is none. */
static size_t insn_bytes(struct script_insns *i, const struct profile_code *code,
			 const uint8_t *bytes, size_t n)
{
	const struct disasm_target target = { .machine = code->machine,
					      .is_64 = code->is_64,
					      .big_endian = code->big_endian,
					      .flags = code->flags };
	struct disasm_insn insn;

	if (!insns_use(i, &target, NULL))
		return 0;
	buf_clear(&i->text);
	disasm_lock();
	disasm_next(i->disasm, 0, bytes, n, &i->text, &insn);
	disasm_unlock();
	return insn.bad ? 0 : insn.n_bytes;
}

static void add_insn(struct script *s, uint64_t fields, const uint8_t *bytes, size_t n)
{
	if (fields & F(INSNLEN))
		buf_addf(&s->out, " ilen: %zu", n);
	if (!(fields & F(INSN)) || !n)
		return;
	buf_add_str(&s->out, " insn:");
	for (size_t i = 0; i < n; i++)
		buf_addf(&s->out, " %02x", bytes[i]);
}

int script_print_insn(struct script *s, uint64_t fields, const struct data_sample *sample,
		      uint64_t when)
{
	struct profile_code code = { .n = 0 };
	const uint8_t *bytes = NULL;
	size_t n = 0;
	uint32_t frame = stream_frame(s->stream, sample, when, sample->ip);

	if (frame == PTUI_NONE)
		return -ENOMEM;
	if (!stream_code(s->stream, frame, INSN_MAX, &code)) {
		uint64_t at = resolver_frames(stream_resolver(s->stream))[frame].off - code.off;

		bytes = code.bytes + at;
		n = code.n - at < INSN_MAX ? code.n - at : INSN_MAX;
		n = insn_bytes(s->insns, &code, bytes, n);
	}
	add_insn(s, fields, bytes, n);
	profile_code_release(&code);
	return s->out.err || s->insns->text.err ? -ENOMEM : 0;
}
