/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loads two socket filters: "ptui_plain" without types, and "ptui_typed", whose BTF names its
 * functions ptui_typed_main and ptui_typed_sub. Prints their ids. A line on standard input runs the
 * second one for half a second of CPU time and exits; EOF exits at once.
 *
 *	bpf_load: exit status 77 and a reason if the kernel refuses
 */
#include <errno.h>
#include <linux/bpf.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define WORK 1000 /* instructions */

static const char names[] = "\0int\0ptui_typed_main\0ptui_typed_sub";

static const struct {
	uint16_t magic;
	uint8_t version, flags;
	uint32_t header_bytes, type_off, type_bytes, name_off, name_bytes;
	uint32_t types[4 + 3 + 3 + 3];
	char names[sizeof(names)];
} btf = {
	0xeb9f,
	1,
	0,
	24,
	0,
	sizeof(btf.types),
	sizeof(btf.types),
	sizeof(names),
	{
		1, 1u << 24, 4, 1u << 24 | 32, /* 1: int */
		0, 13u << 24, 1,	       /* 2: int () */
		5, 12u << 24, 2,	       /* 3: ptui_typed_main */
		21, 12u << 24, 2,	       /* 4: ptui_typed_sub */
	},
	"\0int\0ptui_typed_main\0ptui_typed_sub",
};

static int bpf(int cmd, union bpf_attr *attr)
{
	long ret = syscall(SYS_bpf, cmd, attr, sizeof(*attr));

	return ret < 0 ? -errno : (int)ret;
}

static int refused(const char *what, int ret)
{
	printf("bpf: %s: %s\n", what, strerror(-ret));
	return 77;
}

static int load_plain(void)
{
	struct bpf_insn code[] = { { .code = BPF_ALU64 | BPF_MOV | BPF_K },
				   { .code = BPF_JMP | BPF_EXIT } };
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.prog_type = BPF_PROG_TYPE_SOCKET_FILTER;
	attr.insns = (uintptr_t)code;
	attr.insn_cnt = 2;
	attr.license = (uintptr_t) "GPL";
	strcpy(attr.prog_name, "ptui_plain");
	return bpf(BPF_PROG_LOAD, &attr);
}

/* main: r0 = sub(); exit. sub: a long way to r0 = 0. */
static int load_typed(int btf_fd)
{
	struct bpf_func_info functions[] = { { 0, 3 }, { 2, 4 } };
	struct bpf_insn code[2 + WORK + 2];
	union bpf_attr attr;

	memset(code, 0, sizeof(code));
	code[0] = (struct bpf_insn){ .code = BPF_JMP | BPF_CALL,
				     .src_reg = BPF_PSEUDO_CALL,
				     .imm = 1 };
	code[1].code = BPF_JMP | BPF_EXIT;
	code[2].code = BPF_ALU64 | BPF_MOV | BPF_K;
	for (size_t i = 0; i < WORK; i++)
		code[3 + i] = (struct bpf_insn){ .code = BPF_ALU64 | BPF_XOR | BPF_K,
						 .imm = (int)i };
	code[3 + WORK].code = BPF_JMP | BPF_EXIT;
	memset(&attr, 0, sizeof(attr));
	attr.prog_type = BPF_PROG_TYPE_SOCKET_FILTER;
	attr.insns = (uintptr_t)code;
	attr.insn_cnt = sizeof(code) / sizeof(*code);
	attr.license = (uintptr_t) "GPL";
	attr.prog_btf_fd = (uint32_t)btf_fd;
	attr.func_info_rec_size = sizeof(*functions);
	attr.func_info = (uintptr_t)functions;
	attr.func_info_cnt = 2;
	strcpy(attr.prog_name, "ptui_typed");
	return bpf(BPF_PROG_LOAD, &attr);
}

static uint32_t id_of(int fd)
{
	struct bpf_prog_info info;
	union bpf_attr attr;

	memset(&info, 0, sizeof(info));
	memset(&attr, 0, sizeof(attr));
	attr.info.bpf_fd = (uint32_t)fd;
	attr.info.info_len = sizeof(info);
	attr.info.info = (uintptr_t)&info;
	return bpf(BPF_OBJ_GET_INFO_BY_FD, &attr) ? 0 : info.id;
}

static double cpu_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int run(int fd)
{
	char packet[64] = "";
	double until = cpu_s() + 0.5;
	int ret = 0;

	while (!ret && cpu_s() < until) {
		union bpf_attr attr;

		memset(&attr, 0, sizeof(attr));
		attr.test.prog_fd = (uint32_t)fd;
		attr.test.data_in = (uintptr_t)packet;
		attr.test.data_size_in = sizeof(packet);
		attr.test.repeat = 1000;
		ret = bpf(BPF_PROG_TEST_RUN, &attr);
	}
	return ret;
}

int main(void)
{
	struct rlimit unlimited = { RLIM_INFINITY, RLIM_INFINITY };
	union bpf_attr attr;
	int plain, typed, btf_fd;
	char c;

	setrlimit(RLIMIT_MEMLOCK, &unlimited); /* Linux before 5.11 */
	plain = load_plain();
	if (plain < 0)
		return refused("BPF_PROG_LOAD", plain);
	memset(&attr, 0, sizeof(attr));
	attr.btf = (uintptr_t)&btf;
	attr.btf_size = sizeof(btf.types) + 24 + sizeof(names);
	btf_fd = bpf(BPF_BTF_LOAD, &attr);
	if (btf_fd < 0)
		return refused("BPF_BTF_LOAD", btf_fd);
	typed = load_typed(btf_fd);
	if (typed < 0)
		return refused("BPF_PROG_LOAD with BTF", typed);
	printf("%u %u\n", id_of(plain), id_of(typed));
	fflush(stdout);
	return read(0, &c, 1) == 1 && run(typed) ? 1 : 0;
}
