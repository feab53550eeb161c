/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rarer fields of a sample. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <time.h>
#include "base/cursor.h"
#include "base/perf_abi.h"
#include "base/text.h"
#include "cli/script/put.h"
#include "cli/script/script.h"
#include "ptui/shape.h"

#define F(id) SCRIPT_FIELD(id)

/* ---- time of day ---- */

/* CLOCK_DATA: u32 version, u32 clockid, u64 wall clock, u64 the recording's clock */
int script_clock(struct data_file *file, struct script_clock *ret)
{
	struct cursor c;
	size_t n = 0;
	const void *bytes = data_feature(file, PTUI_FEAT_CLOCK_DATA, &n);

	cursor_init(&c, bytes, n, data_swapped(file));
	cursor_u32(&c);
	cursor_u32(&c);
	ret->wall_ns = cursor_u64(&c);
	ret->clock_ns = cursor_u64(&c);
	return c.bad ? -ENODATA : 0;
}

int script_print_tod(struct script *s, uint64_t time_ns)
{
	uint64_t ns = s->clock.wall_ns + time_ns - s->clock.clock_ns;
	time_t sec = (time_t)(ns / 1000000000);
	char text[64];
	struct tm tm;

	if (!localtime_r(&sec, &tm) || !strftime(text, sizeof(text), "%F %H:%M:%S", &tm))
		buf_add_str(&s->out, "failed ");
	else if (s->opts->ns)
		buf_addf(&s->out, "%s.%09" PRIu64 " ", text, ns % 1000000000);
	else
		buf_addf(&s->out, "%s.%06" PRIu64 " ", text, ns % 1000000000 / 1000);
	return s->out.err;
}

/* ---- data addresses ---- */

/* Events whose data address is one of code or data with a symbol. */
static bool addr_has_symbol(const struct script_event *e, const struct data_event *ev)
{
	if (e->branch_trace)
		return true;
	return ev->type == PERF_TYPE_SOFTWARE && (ev->config == PERF_COUNT_SW_PAGE_FAULTS ||
						  ev->config == PERF_COUNT_SW_PAGE_FAULTS_MIN ||
						  ev->config == PERF_COUNT_SW_PAGE_FAULTS_MAJ);
}

int script_print_addr(struct script *s, const struct script_event *e, const struct data_event *ev,
		      const struct data_sample *sample, uint64_t when)
{
	char *p = script_room(s, PUT_NUMBER_MAX);
	uint32_t frame;

	if (!p)
		return -ENOMEM;
	script_wrote(s, put_hex_16(p, sample->addr));
	if (!addr_has_symbol(e, ev) || !(e->fields & (F(SYM) | F(DSO))))
		return 0;
	/* the kernel touches user memory, too */
	frame = stream_frame_in(s->stream, sample->pid, data_sample_mode(sample, sample->addr),
				when, sample->addr);
	return frame == PTUI_NONE ? -ENOMEM : script_print_place(s, e, frame, false);
}

/* ---- numbers before the address ---- */

int script_print_values(struct script *s, const struct script_event *e, const struct data_event *ev,
			const struct data_sample *sample, uint64_t when)
{
	uint64_t f = e->fields;
	char *p;
	int ret;

	if (ev->type == PTUI_TYPE_SYNTH && f & F(SYNTH) && script_print_synth(s, ev, sample))
		return -ENOMEM;
	if (!(f & (F(ADDR) | F(DATA_SRC) | F(WEIGHT) | F(INS_LAT) | F(RETIRE_LAT) | F(CGROUP))))
		return 0;
	ret = f & F(ADDR) ? script_print_addr(s, e, ev, sample, when) : 0;
	if (!ret && f & F(DATA_SRC))
		ret = script_print_data_src(s, sample->data_src);
	p = ret ? NULL : script_room(s, 3 * PUT_NUMBER_MAX);
	if (!p)
		return ret ? ret : -ENOMEM;
	if (f & F(WEIGHT))
		p = put_u64(p, sample->weight, 16);
	if (f & F(INS_LAT))
		p = put_u64(p, sample->latency[0], 16);
	if (f & F(RETIRE_LAT))
		p = put_u64(p, sample->latency[1], 16);
	script_wrote(s, p);
	if (f & F(CGROUP)) {
		buf_add_char(&s->out, ' ');
		text_escape(&s->out, script_cgroup_name(s, sample->cgroup));
	}
	return s->out.err;
}

/* ---- and after it ---- */

static void print_regs(struct script *s, uint64_t abi, uint64_t mask, const uint64_t *regs)
{
	if (!regs)
		return;
	buf_addf(&s->out, " ABI:%" PRIu64 " ", abi);
	for (unsigned bit = 0, i = 0; bit < 64; bit++) {
		const char *name;

		if (!(mask >> bit & 1))
			continue;
		name = ptui_register_name(bit);
		buf_addf(&s->out, "%5s:0x%" PRIx64 " ", name ? name : "unknown", regs[i++]);
	}
}

void script_add_page_size(struct buf *out, uint64_t size)
{
	static const char units[] = "BKMG";
	unsigned unit = 0;

	for (; size / 1024 > 1 && unit < 3; unit++) /* as perf rounds */
		size /= 1024;
	if (size)
		buf_addf(out, " %" PRIu64 "%c", size, units[unit]);
	else
		buf_add_str(out, " N/A");
}

/* ---- what a BPF program has written ---- */

static void print_bpf_line(struct script *s, const uint8_t *raw, size_t at, size_t n)
{
	buf_addf(&s->out, "%17s %04zx:", at ? "           " : "BPF output:", at);
	for (size_t i = 0; i < 8; i++) {
		if (i < n)
			buf_addf(&s->out, " %02x", raw[at + i]);
		else
			buf_add_str(&s->out, "   ");
	}
	buf_add_str(&s->out, "  ");
	for (size_t i = 0; i < 8; i++) {
		uint8_t c = i < n ? raw[at + i] : ' ';

		buf_add_char(&s->out, c >= ' ' && c < 0x7f ? (char)c : '.');
	}
	buf_add_char(&s->out, '\n');
}

static void print_bpf_output(struct script *s, const struct data_sample *sample)
{
	const uint8_t *raw = sample->raw;
	size_t n = sample->raw_bytes, text = 0, zeros;

	buf_add_char(&s->out, '\n');
	for (size_t at = 0; raw && at < n; at += 8)
		print_bpf_line(s, raw, at, n - at < 8 ? n - at : 8);
	while (text < n && raw[text] >= ' ' && raw[text] < 0x7f)
		text++;
	for (zeros = text; zeros < n && !raw[zeros];)
		zeros++;
	if (text < n && zeros == n)
		buf_addf(&s->out, "%17s \"%s\"\n", "BPF string:", (const char *)raw);
}

bool script_is_bpf_output(const struct data_event *ev)
{
	return ev->type == PERF_TYPE_SOFTWARE && ev->config == PERF_COUNT_SW_BPF_OUTPUT;
}

int script_print_last_values(struct script *s, const struct script_event *e,
			     const struct data_event *ev, const struct data_sample *sample,
			     uint64_t when)
{
	uint64_t f = e->fields;
	char *p;

	if (f & F(IREGS))
		print_regs(s, sample->regs_intr_abi, sample->regs_intr_mask, sample->regs_intr);
	if (f & F(UREGS))
		print_regs(s, sample->regs_user_abi, sample->regs_user_mask, sample->regs_user);
	if (f & (F(BRSTACK) | F(BRSTACKSYM) | F(BRSTACKOFF)) &&
	    script_print_branches(s, e, sample, when))
		return -ENOMEM;
	if (f & F(BPF_OUTPUT) && script_is_bpf_output(ev))
		print_bpf_output(s, sample);
	if (f & SCRIPT_INSN && script_print_insn(s, f, sample, when))
		return -ENOMEM;
	if (f & SCRIPT_BLOCKS && script_print_blocks(s, e, ev, sample, when))
		return -ENOMEM;
	if (f & F(PHYS_ADDR)) {
		p = script_room(s, PUT_NUMBER_MAX);
		if (!p)
			return -ENOMEM;
		script_wrote(s, put_hex_16(p, sample->phys_addr));
	}
	if (f & F(DATA_PAGE_SIZE))
		script_add_page_size(&s->out, sample->data_page_size);
	if (f & F(CODE_PAGE_SIZE))
		script_add_page_size(&s->out, sample->code_page_size);
	return s->out.err;
}
