/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record/header/bpf_text.h"

#include <errno.h>
#include <inttypes.h>
#include "base/cursor.h"
#include "base/perf_abi.h"
#include "base/text.h"
#include "record/header/bpf_programs.h"

struct functions {
	struct buf *out;
	bool several; /* a line for each, below that of the program */
	uint32_t n;
};

static int add_function(void *ctx, const struct bpf_function *f)
{
	struct functions *all = ctx;

	if (all->several)
		buf_addf(all->out, "# \tsub_prog %" PRIu32 ": ", all->n++);
	text_escape(all->out, f->name);
	buf_addf(all->out, " addr 0x%" PRIx64 " size %" PRIu32 "\n", f->addr, f->bytes);
	return 0;
}

static void add_program(struct bpf_programs *p, const struct bpf_program *program, struct buf *out)
{
	struct functions all = { .out = out, .several = program->info.nr_jited_ksyms != 1 };

	buf_addf(out, "# bpf_prog_info %" PRIu32 ":%s", program->info.id, all.several ? "\n" : " ");
	if (bpf_program_functions(p, program, add_function, &all))
		out->err = -ENOMEM;
}

static struct cursor feature_cursor(struct data_file *file, unsigned feature)
{
	struct cursor c;
	size_t n = 0;
	const void *bytes = data_feature(file, feature, &n);

	cursor_init(&c, bytes, n, false);
	return c;
}

void bpf_text_add(struct data_file *file, struct buf *out)
{
	struct cursor infos = feature_cursor(file, PTUI_FEAT_BPF_PROG_INFO);
	struct cursor types = feature_cursor(file, PTUI_FEAT_BPF_BTF);
	struct bpf_programs p;

	if (data_swapped(file))
		return;
	bpf_programs_init(&p);
	if (bpf_programs_parse(&p, &infos, &types))
		out->err = -ENOMEM;
	for (size_t i = 0; i < p.n; i++)
		add_program(&p, p.v[i], out);
	bpf_programs_release(&p);
}
