/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What bpf(2) reports about loaded programs and their types (BTF). */
#ifndef KERNEL_BPF_H
#define KERNEL_BPF_H

#include <assert.h>
#include <stdint.h>

struct kernel_ops;

#define BPF_TAG_BYTES  8
#define BPF_NAME_BYTES 16

typedef uint64_t bpf_u64 __attribute__((aligned(8)));

/*
 * struct bpf_prog_info as in Linux 6.1, whatever the installed header has: perf refuses a recording
 * whose struct is larger than its own, and accepts a smaller one.
 */
struct bpf_program_info {
	uint32_t type, id;
	uint8_t tag[BPF_TAG_BYTES];
	uint32_t jited_prog_len, xlated_prog_len;
	bpf_u64 jited_prog_insns, xlated_prog_insns;
	bpf_u64 load_time;
	uint32_t created_by_uid;
	uint32_t nr_map_ids;
	bpf_u64 map_ids;
	char name[BPF_NAME_BYTES]; /* may have no NUL */
	uint32_t ifindex;
	uint32_t gpl_compatible;
	bpf_u64 netns_dev, netns_ino;
	uint32_t nr_jited_ksyms, nr_jited_func_lens;
	bpf_u64 jited_ksyms, jited_func_lens;
	uint32_t btf_id;
	uint32_t func_info_rec_size;
	bpf_u64 func_info;
	uint32_t nr_func_info, nr_line_info;
	bpf_u64 line_info, jited_line_info;
	uint32_t nr_jited_line_info;
	uint32_t line_info_rec_size, jited_line_info_rec_size;
	uint32_t nr_prog_tags;
	bpf_u64 prog_tags;
	bpf_u64 run_time_ns, run_cnt, recursion_misses;
	uint32_t verified_insns;
	uint32_t attach_btf_obj_id, attach_btf_id;
};
static_assert(sizeof(struct bpf_program_info) == 232, "the layout of Linux 6.1");

/* struct bpf_btf_info as in Linux 4.18. */
struct bpf_btf_info_head {
	bpf_u64 btf;
	uint32_t btf_size, id;
};

/* 0 or a negative errno; -ENOENT: `after` is the last one. */
int bpf_next_program(const struct kernel_ops *ops, uint32_t after, uint32_t *ret_id);
/* An fd for ops->close(), or a negative errno; -ENOENT: unloaded. */
int bpf_open_program(const struct kernel_ops *ops, uint32_t id);
int bpf_open_btf(const struct kernel_ops *ops, uint32_t id);
/*
 * BPF_OBJ_GET_INFO_BY_FD: fills at most `bytes` of `info`, and the arrays whose pointers and counts
 * are set in it. Returns how many bytes of it the kernel knows, or a negative errno.
 */
int bpf_read_info(const struct kernel_ops *ops, int fd, void *info, uint32_t bytes);

#endif
