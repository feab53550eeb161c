/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "data/write/feature_payload.h"

#include <errno.h>
#include <string.h>

#define STRING_ALIGN	     64
#define CACHE_VERSION	     1
#define MEM_TOPOLOGY_VERSION 1
#define BUILD_ID_BYTES	     24 /* 20 of the id, 1 its length, 3 to align */
#define MISC_BUILD_ID_SIZE   (1u << 15)

static void add_string(struct buf *out, const char *text, size_t len)
{
	size_t padded = (len + 1 + STRING_ALIGN - 1) / STRING_ALIGN * STRING_ALIGN;

	buf_add_u32(out, (uint32_t)padded);
	buf_add(out, text, len);
	buf_add_zeros(out, padded - len);
}

void feature_string(struct buf *out, const char *text)
{
	add_string(out, text, strlen(text));
}

void feature_nrcpus(struct buf *out, uint32_t present, uint32_t online)
{
	buf_add_u32(out, present);
	buf_add_u32(out, online);
}

void feature_total_mem(struct buf *out, uint64_t kib)
{
	buf_add_u64(out, kib);
}

void feature_cmdline(struct buf *out, const char *words, size_t bytes)
{
	const char *end = words + bytes;
	uint32_t n = 0;
	size_t len;

	for (const char *at = words; at < end; at += strnlen(at, (size_t)(end - at)) + 1)
		n++;
	buf_add_u32(out, n);
	for (const char *at = words; at < end; at += len + 1) {
		len = strnlen(at, (size_t)(end - at));
		add_string(out, at, len);
	}
}

static void add_lists(struct buf *out, struct feature_lists lists)
{
	buf_add_u32(out, (uint32_t)lists.n);
	for (size_t i = 0; i < lists.n; i++)
		feature_string(out, lists.v[i]);
}

void feature_cpu_topology(struct buf *out, struct feature_lists packages,
			  struct feature_lists cores, struct feature_lists dies,
			  const struct feature_cpu *cpus, size_t n_cpus)
{
	add_lists(out, packages);
	add_lists(out, cores);
	for (size_t i = 0; i < n_cpus; i++) {
		buf_add_u32(out, (uint32_t)cpus[i].core);
		buf_add_u32(out, (uint32_t)cpus[i].socket);
	}
	if (!dies.n)
		return;
	add_lists(out, dies);
	for (size_t i = 0; i < n_cpus; i++)
		buf_add_u32(out, (uint32_t)cpus[i].die);
}

void feature_numa_topology(struct buf *out, const struct feature_node *v, size_t n)
{
	buf_add_u32(out, (uint32_t)n);
	for (size_t i = 0; i < n; i++) {
		buf_add_u32(out, v[i].node);
		buf_add_u64(out, v[i].total_kib);
		buf_add_u64(out, v[i].free_kib);
		feature_string(out, v[i].cpus);
	}
}

void feature_caches(struct buf *out, const struct feature_cache *v, size_t n)
{
	buf_add_u32(out, CACHE_VERSION);
	buf_add_u32(out, (uint32_t)n);
	for (size_t i = 0; i < n; i++) {
		buf_add_u32(out, v[i].level);
		buf_add_u32(out, v[i].line_bytes);
		buf_add_u32(out, v[i].sets);
		buf_add_u32(out, v[i].ways);
		feature_string(out, v[i].type);
		feature_string(out, v[i].size);
		feature_string(out, v[i].cpus);
	}
}

void feature_sample_time(struct buf *out, uint64_t first_ns, uint64_t last_ns)
{
	buf_add_u64(out, first_ns);
	buf_add_u64(out, last_ns);
}

/* The number of blocks is written twice: for the node, and for its bitmap. */
void feature_mem_topology(struct buf *out, uint64_t block_bytes, const struct feature_memory *v,
			  size_t n)
{
	buf_add_u64(out, MEM_TOPOLOGY_VERSION);
	buf_add_u64(out, block_bytes);
	buf_add_u64(out, n);
	for (size_t i = 0; i < n; i++) {
		buf_add_u64(out, v[i].node);
		buf_add_u64(out, v[i].n_blocks);
		buf_add_u64(out, v[i].n_blocks);
		buf_add(out, v[i].blocks, (v[i].n_blocks + 63) / 64 * 8);
	}
}

void feature_group_desc(struct buf *out, const struct feature_group *v, size_t n)
{
	buf_add_u32(out, (uint32_t)n);
	for (size_t i = 0; i < n; i++) {
		feature_string(out, v[i].name);
		buf_add_u32(out, v[i].leader);
		buf_add_u32(out, v[i].members);
	}
}

int feature_build_id(struct buf *out, const struct data_build_id *item)
{
	size_t path_bytes = (strlen(item->path) + 1 + STRING_ALIGN - 1) / STRING_ALIGN *
			    STRING_ALIGN;
	size_t size = 8 + 4 + BUILD_ID_BYTES + path_bytes;

	if (size > UINT16_MAX || item->bytes > DATA_BUILD_ID_MAX)
		return -E2BIG;
	buf_add_u32(out, 0); /* perf leaves the type 0 in the file layout */
	buf_add_u16(out, (uint16_t)(item->misc | MISC_BUILD_ID_SIZE));
	buf_add_u16(out, (uint16_t)size);
	buf_add_u32(out, (uint32_t)item->pid);
	buf_add(out, item->id, item->bytes);
	buf_add_zeros(out, DATA_BUILD_ID_MAX - item->bytes);
	buf_add_u8(out, item->bytes);
	buf_add_zeros(out, BUILD_ID_BYTES - DATA_BUILD_ID_MAX - 1);
	buf_add_str(out, item->path);
	buf_add_zeros(out, path_bytes - strlen(item->path));
	return out->err;
}

void feature_bpf_program(struct buf *out, const void *info, uint32_t info_bytes, uint64_t arrays,
			 const void *data, size_t data_bytes)
{
	buf_add_u32(out, info_bytes);
	buf_add_u32(out, (uint32_t)data_bytes);
	buf_add_u64(out, arrays);
	buf_add(out, info, info_bytes);
	buf_add(out, data, data_bytes);
}

void feature_bpf_btf(struct buf *out, uint32_t id, const void *btf, size_t bytes)
{
	buf_add_u32(out, id);
	buf_add_u32(out, (uint32_t)bytes);
	buf_add(out, btf, bytes);
}
