/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The field synth: payloads of the events that `perf inject --itrace` makes from a trace of Intel PT
 * (struct perf_synth_intel_* in tools/perf/util/event.h), little-endian on any machine.
 */
#include <ctype.h>
#include <inttypes.h>
#include "base/cursor.h"
#include "base/perf_abi.h"
#include "cli/script/script.h"

#define TEXT_WIDTH 34

static unsigned bits(uint64_t v, unsigned at, unsigned n)
{
	return (unsigned)(v >> at) & ((1u << n) - 1);
}

/* u32 flags: ip 1; u64 payload, which may be text */
static void add_ptwrite(struct buf *out, uint32_t flags, struct cursor *c)
{
	uint64_t payload = cursor_u64(c), v = payload;
	char text[sizeof(v) + 1] = "";
	size_t n = 0;

	for (; v & 0xff && isprint((unsigned char)v) && !(v & 0x80); v >>= 8)
		text[n++] = (char)v;
	if (v)
		*text = '\0';
	buf_addf(out, " IP: %u payload: %#" PRIx64 " %s ", bits(flags, 0, 1), payload, text);
}

/* u32; u64: hints 8, 24, extensions 2 */
static void add_mwait(struct buf *out, uint32_t flags, struct cursor *c)
{
	uint64_t payload = cursor_u64(c);

	(void)flags;
	buf_addf(out, " hints: %#x extensions: %#x ", bits(payload, 0, 8), bits(payload, 32, 2));
}

/* u32; u64: 7, hw 1, sub-state 4, state 4 */
static void add_pwre(struct buf *out, uint32_t flags, struct cursor *c)
{
	uint64_t payload = cursor_u64(c);

	(void)flags;
	buf_addf(out, " hw: %u cstate: %u sub-cstate: %u ", bits(payload, 7, 1),
		 bits(payload, 12, 4), bits(payload, 8, 4));
}

/* u32 flags: ip 1 */
static void add_exstop(struct buf *out, uint32_t flags, struct cursor *c)
{
	(void)c;
	buf_addf(out, " IP: %u ", bits(flags, 0, 1));
}

/* u32; u64: deepest 4, last 4, reason 4 */
static void add_pwrx(struct buf *out, uint32_t flags, struct cursor *c)
{
	uint64_t payload = cursor_u64(c);

	(void)flags;
	buf_addf(out, " deepest cstate: %u last cstate: %u wake reason: %#x ", bits(payload, 0, 4),
		 bits(payload, 4, 4), bits(payload, 8, 4));
}

/* u32 flags: ratio 8, 8, largest ratio without turbo 8; u32 kHz; u32 */
static void add_cbr(struct buf *out, uint32_t flags, struct cursor *c)
{
	unsigned cbr = bits(flags, 0, 8), max = bits(flags, 16, 8);
	uint32_t khz = cursor_u32(c);

	buf_addf(out, " cbr: %2u freq: %4u MHz ", cbr, (khz + 500) / 1000);
	if (max)
		buf_addf(out, "(%3u%%) ", (5 + 1000 * cbr / max) / 10);
}

/* u32; u64 offset */
static void add_psb(struct buf *out, uint32_t flags, struct cursor *c)
{
	(void)flags;
	buf_addf(out, " psb offs: %#" PRIx64, cursor_u64(c));
}

/* u32 flags: type 5, 2, ip 1, vector 8, n 16; { u64: type 6; u64 payload } × n */
static void add_evt(struct buf *out, uint32_t flags, struct cursor *c)
{
	static const char *const types[32] = { NULL,	 "INTR",	"IRET",	    "SMI",
					       "RSM",	 "SIPI",	"INIT",	    "VMENTRY",
					       "VMEXIT", "VMEXIT_INTR", "SHUTDOWN", NULL,
					       "UINTR",	 "UIRET" };
	static const char *const data_types[64] = { "PFA", "VMXQ", "VMXR" };
	unsigned type = bits(flags, 0, 5);

	if (types[type])
		buf_addf(out, " cfe: %s", types[type]);
	else
		buf_addf(out, " cfe: %u", type);
	buf_addf(out, " IP: %u vector: %u", bits(flags, 7, 1), bits(flags, 8, 8));
	for (unsigned n = bits(flags, 16, 16); n && cursor_left(c) >= 16; n--) {
		unsigned data_type = bits(cursor_u64(c), 0, 6);
		uint64_t payload = cursor_u64(c);

		if (data_types[data_type])
			buf_addf(out, " %s: %#" PRIx64, data_types[data_type], payload);
		else
			buf_addf(out, " EVD_%u: %#" PRIx64, data_type, payload);
	}
}

/* u32 flags: iflag 1, via a branch 1; u64 address of the branch */
static void add_iflag(struct buf *out, uint32_t flags, struct cursor *c)
{
	unsigned iflag = bits(flags, 0, 1);

	(void)c;
	buf_addf(out, " IFLAG: %u->%u %s branch", !iflag, iflag, bits(flags, 1, 1) ? "via" : "non");
}

static const struct {
	uint32_t bytes; /* at least */
	void (*add)(struct buf *out, uint32_t flags, struct cursor *c);
} payloads[] = {
	[PTUI_SYNTH_PTWRITE] = { 12, add_ptwrite }, [PTUI_SYNTH_MWAIT] = { 12, add_mwait },
	[PTUI_SYNTH_PWRE] = { 12, add_pwre },	    [PTUI_SYNTH_EXSTOP] = { 4, add_exstop },
	[PTUI_SYNTH_PWRX] = { 12, add_pwrx },	    [PTUI_SYNTH_CBR] = { 12, add_cbr },
	[PTUI_SYNTH_PSB] = { 12, add_psb },	    [PTUI_SYNTH_EVT] = { 4, add_evt },
	[PTUI_SYNTH_IFLAG_CHG] = { 12, add_iflag },
};

int script_print_synth(struct script *s, const struct data_event *ev,
		       const struct data_sample *sample)
{
	struct buf *out = &s->out;
	size_t from = out->len, n;
	struct cursor c;

	if (ev->config >= sizeof(payloads) / sizeof(*payloads) || !sample->raw ||
	    sample->raw_bytes < payloads[ev->config].bytes)
		return 0;
	cursor_init(&c, sample->raw, sample->raw_bytes, __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	payloads[ev->config].add(out, cursor_u32(&c), &c);
	for (n = out->len - from; n < TEXT_WIDTH; n++)
		buf_add_char(out, ' ');
	return out->err;
}
