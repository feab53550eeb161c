/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fake/bpf.h"

#include <errno.h>
#include <linux/bpf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define PROGRAM_FDS 100000
#define BTF_FDS	    200000

static int next_id(struct fake_bpf *b, union bpf_attr *attr)
{
	for (size_t i = 0; i < b->n; i++)
		if (b->programs[i].info.id > attr->start_id || b->repeats) {
			attr->next_id = b->programs[i].info.id;
			return 0;
		}
	return -ENOENT;
}

static int open_program(struct fake_bpf *b, uint32_t id)
{
	for (size_t i = 0; i < b->n; i++) {
		struct fake_bpf_program *p = &b->programs[i];

		if (p->info.id != id)
			continue;
		if (p->gone || p->refused)
			return p->gone ? -ENOENT : -p->refused;
		b->n_open++;
		return PROGRAM_FDS + (int)i;
	}
	return -ENOENT;
}

static int open_btf(struct fake_bpf *b, uint32_t id)
{
	for (size_t i = 0; i < b->n_btf; i++)
		if (b->btf[i].id == id) {
			b->n_open++;
			return BTF_FDS + (int)i;
		}
	return -ENOENT;
}

/* Like the kernel: copies as many items as fit, and reports the total. */
static bpf_u64 fill(bpf_u64 to, uint32_t room, bpf_u64 from, uint32_t n, size_t item_bytes)
{
	if (room && to && from)
		memcpy((void *)(uintptr_t)to, (const void *)(uintptr_t)from,
		       (room < n ? room : n) * item_bytes);
	return room && from ? to : 0;
}

static void answer(struct fake_bpf_program *p, const struct bpf_program_info *q,
		   struct bpf_program_info *a)
{
	const struct bpf_program_info *i = &p->info;

	*a = *i;
	a->jited_prog_insns = fill(q->jited_prog_insns, q->jited_prog_len, i->jited_prog_insns,
				   i->jited_prog_len, 1);
	a->jited_ksyms = fill(q->jited_ksyms, q->nr_jited_ksyms, i->jited_ksyms, i->nr_jited_ksyms,
			      8);
	a->jited_func_lens = fill(q->jited_func_lens, q->nr_jited_func_lens, i->jited_func_lens,
				  i->nr_jited_func_lens, 4);
	a->func_info = fill(q->func_info, q->nr_func_info, i->func_info, i->nr_func_info,
			    i->func_info_rec_size);
	a->line_info = fill(q->line_info, q->nr_line_info, i->line_info, i->nr_line_info,
			    i->line_info_rec_size);
	a->jited_line_info = fill(q->jited_line_info, q->nr_jited_line_info, i->jited_line_info,
				  i->nr_jited_line_info, i->jited_line_info_rec_size);
	a->prog_tags = fill(q->prog_tags, q->nr_prog_tags, i->prog_tags, i->nr_prog_tags,
			    BPF_TAG_BYTES);
	if (p->changes && p->n_answers)
		a->nr_jited_ksyms = a->nr_prog_tags = a->nr_jited_func_lens = i->nr_jited_ksyms + 1;
	p->n_answers++;
}

static int program_info(struct fake_bpf *b, size_t i, union bpf_attr *attr)
{
	struct bpf_program_info *to = (void *)(uintptr_t)attr->info.info, a;
	uint32_t known = b->known ? b->known : sizeof(a);

	assert_int_equal(attr->info.info_len, sizeof(*to));
	answer(&b->programs[i], to, &a);
	memcpy(to, &a, known);
	attr->info.info_len = known;
	return 0;
}

static int btf_info(struct fake_bpf *b, size_t i, union bpf_attr *attr)
{
	struct bpf_btf_info_head *to = (void *)(uintptr_t)attr->info.info;
	const struct fake_btf *btf = &b->btf[i];

	if (to->btf)
		memcpy((void *)(uintptr_t)to->btf, btf->bytes,
		       to->btf_size < btf->n ? to->btf_size : btf->n);
	to->btf_size = !to->btf && btf->claims ? btf->claims : btf->n;
	to->id = btf->id;
	return 0;
}

int fake_bpf(struct fake_bpf *b, int cmd, void *bytes, unsigned attr_bytes)
{
	union bpf_attr *attr = bytes;

	assert_true(attr_bytes <= sizeof(*attr));
	if (b->refused)
		return -b->refused;
	switch (cmd) {
	case BPF_PROG_GET_NEXT_ID:
		return next_id(b, attr);
	case BPF_PROG_GET_FD_BY_ID:
		return open_program(b, attr->prog_id);
	case BPF_BTF_GET_FD_BY_ID:
		return open_btf(b, attr->btf_id);
	case BPF_OBJ_GET_INFO_BY_FD:
		if (attr->info.bpf_fd >= BTF_FDS)
			return btf_info(b, attr->info.bpf_fd - BTF_FDS, attr);
		return program_info(b, attr->info.bpf_fd - PROGRAM_FDS, attr);
	default:
		return -EINVAL;
	}
}

bool fake_bpf_close(struct fake_bpf *b, int fd)
{
	if (fd < PROGRAM_FDS)
		return false;
	assert_true(b->n_open);
	b->n_open--;
	return true;
}
