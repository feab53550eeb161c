/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Encodes payloads of header features, in host byte order. Errors stick in `out`.
 *
 * Strings are u32 length (of the padded bytes), text, NUL, zeros up to a multiple of 64 bytes.
 */
#ifndef DATA_WRITE_FEATURE_PAYLOAD_H
#define DATA_WRITE_FEATURE_PAYLOAD_H

#include "base/buf.h"
#include "data/read/reader.h"

/* HOSTNAME, OSRELEASE, VERSION, ARCH, CPUDESC, CPUID. */
void feature_string(struct buf *out, const char *text);
/* `present`: number of CPUs (the highest + 1); `online`: of online CPUs. */
void feature_nrcpus(struct buf *out, uint32_t present, uint32_t online);
void feature_total_mem(struct buf *out, uint64_t kib);
/* `words`: texts in `bytes` bytes, each with a NUL, which the last may lack. */
void feature_cmdline(struct buf *out, const char *words, size_t bytes);

struct feature_cpu {
	int32_t core, socket, die;
};

/* Lists ("0-3,8"), without duplicates, of CPUs that share a package, a core, a die. */
struct feature_lists {
	const char *const *v;
	size_t n;
};

/* `dies.n` 0: dies are unknown. `cpus`: one for each present CPU. */
void feature_cpu_topology(struct buf *out, struct feature_lists packages,
			  struct feature_lists cores, struct feature_lists dies,
			  const struct feature_cpu *cpus, size_t n_cpus);

struct feature_node {
	uint32_t node;
	uint64_t total_kib, free_kib;
	const char *cpus; /* "0-3" */
};
void feature_numa_topology(struct buf *out, const struct feature_node *v, size_t n);

struct feature_cache {
	uint32_t level, line_bytes, sets, ways;
	const char *type, *size, *cpus; /* "Data", "32K", "0-1" */
};
void feature_caches(struct buf *out, const struct feature_cache *v, size_t n);

/* Times of the first and the last sample. */
void feature_sample_time(struct buf *out, uint64_t first_ns, uint64_t last_ns);

struct feature_memory {
	uint64_t node;
	const uint64_t *blocks; /* bitmap of the node's memory blocks */
	uint64_t n_blocks;	/* bits in it */
};
void feature_mem_topology(struct buf *out, uint64_t block_bytes, const struct feature_memory *v,
			  size_t n);

struct feature_group {
	const char *name; /* "{anon_group}" if it has none */
	uint32_t leader, members;
};
void feature_group_desc(struct buf *out, const struct feature_group *v, size_t n);

/*
 * One entry of BPF_PROG_INFO and of BPF_BTF, each after a u32 count. `info` is struct
 * bpf_prog_info, with offsets into `data` instead of pointers; `data` has the arrays of the set
 * bits (enum perf_bpil_array_types).
 */
void feature_bpf_program(struct buf *out, const void *info, uint32_t info_bytes, uint64_t arrays,
			 const void *data, size_t data_bytes);
void feature_bpf_btf(struct buf *out, uint32_t id, const void *btf, size_t bytes);

/* One entry of the BUILD_ID table; -E2BIG: the path does not fit. */
int feature_build_id(struct buf *out, const struct data_build_id *item);

#endif
