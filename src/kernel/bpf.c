/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/bpf.h"

#include <linux/bpf.h>
#include <string.h>
#include "kernel/ops.h"

int bpf_next_program(const struct kernel_ops *ops, uint32_t after, uint32_t *ret_id)
{
	union bpf_attr attr;
	int ret;

	memset(&attr, 0, sizeof(attr));
	attr.start_id = after;
	ret = ops->bpf(ops->ctx, BPF_PROG_GET_NEXT_ID, &attr, sizeof(attr));
	*ret_id = attr.next_id;
	return ret < 0 ? ret : 0;
}

static int open_by_id(const struct kernel_ops *ops, int cmd, uint32_t id)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.prog_id = id; /* of BTF as well: a union */
	return ops->bpf(ops->ctx, cmd, &attr, sizeof(attr));
}

int bpf_open_program(const struct kernel_ops *ops, uint32_t id)
{
	return open_by_id(ops, BPF_PROG_GET_FD_BY_ID, id);
}

int bpf_open_btf(const struct kernel_ops *ops, uint32_t id)
{
	return open_by_id(ops, BPF_BTF_GET_FD_BY_ID, id);
}

int bpf_read_info(const struct kernel_ops *ops, int fd, void *info, uint32_t bytes)
{
	union bpf_attr attr;
	int ret;

	memset(&attr, 0, sizeof(attr));
	attr.info.bpf_fd = (uint32_t)fd;
	attr.info.info_len = bytes;
	attr.info.info = (uintptr_t)info;
	ret = ops->bpf(ops->ctx, BPF_OBJ_GET_INFO_BY_FD, &attr, sizeof(attr));
	if (ret < 0)
		return ret;
	return (int)(attr.info.info_len < bytes ? attr.info.info_len : bytes);
}
