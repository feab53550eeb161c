/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record/header/bpf_programs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/cursor.h"
#include "base/perf_abi.h"
#include "base/vec.h"
#include "data/write/feature_payload.h"
#include "kernel/ops.h"
#include "record/header/btf_names.h"
#include "record/header/features.h"

#define ARRAYS_MAX_BYTES \
	((size_t)64 << 20) /* per program: the verifier allows a million instructions */
#define BTF_MAX_BYTES	((uint32_t)64 << 20)
#define ARRAY_ALIGN	8
#define FUNC_INFO_BYTES 8 /* struct bpf_func_info: instruction, type id */

#define OFF(member)	offsetof(struct bpf_program_info, member)

/* perf's order (enum perf_bpil_array_types); arrays without a row are not read. */
enum {
	ARRAY_JITED_INSNS = 0,
	ARRAY_JITED_KSYMS = 3,
	ARRAY_JITED_FUNC_LENS = 4,
	ARRAY_FUNC_INFO = 5,
	ARRAY_LINE_INFO = 6,
	ARRAY_JITED_LINE_INFO = 7,
	ARRAY_PROG_TAGS = 8,
	N_ARRAYS,
};

/* Offsets of an array's pointer, count and item size; fixed_size is used if size_off is 0. */
static const struct array_place {
	uint16_t pointer_off, count_off, size_off, fixed_size;
} places[N_ARRAYS] = {
	[ARRAY_JITED_INSNS] = { OFF(jited_prog_insns), OFF(jited_prog_len), 0, 1 },
	[ARRAY_JITED_KSYMS] = { OFF(jited_ksyms), OFF(nr_jited_ksyms), 0, 8 },
	[ARRAY_JITED_FUNC_LENS] = { OFF(jited_func_lens), OFF(nr_jited_func_lens), 0, 4 },
	[ARRAY_FUNC_INFO] = { OFF(func_info), OFF(nr_func_info), OFF(func_info_rec_size), 0 },
	[ARRAY_LINE_INFO] = { OFF(line_info), OFF(nr_line_info), OFF(line_info_rec_size), 0 },
	[ARRAY_JITED_LINE_INFO] = { OFF(jited_line_info), OFF(nr_jited_line_info),
				    OFF(jited_line_info_rec_size), 0 },
	[ARRAY_PROG_TAGS] = { OFF(prog_tags), OFF(nr_prog_tags), 0, BPF_TAG_BYTES },
};

static uint32_t read_u32(const struct bpf_program_info *info, size_t off)
{
	uint32_t v;

	memcpy(&v, (const char *)info + off, sizeof(v));
	return v;
}

static void write_u32(struct bpf_program_info *info, size_t off, uint32_t v)
{
	memcpy((char *)info + off, &v, sizeof(v));
}

static void write_u64(struct bpf_program_info *info, size_t off, uint64_t v)
{
	memcpy((char *)info + off, &v, sizeof(v));
}

static uint32_t item_bytes(const struct bpf_program_info *info, const struct array_place *a)
{
	return a->fixed_size ? a->fixed_size : read_u32(info, a->size_off);
}

/* both factors have 32 bits */
static uint64_t array_bytes(const struct bpf_program_info *info, const struct array_place *a)
{
	return (uint64_t)read_u32(info, a->count_off) * item_bytes(info, a);
}

static uint64_t pad8(uint64_t bytes)
{
	return (bytes + ARRAY_ALIGN - 1) / ARRAY_ALIGN * ARRAY_ALIGN;
}

static bool is_within(size_t off, size_t bytes, int known)
{
	return off + bytes <= (size_t)known;
}

static bool kernel_knows(const struct array_place *a, int known)
{
	return is_within(a->pointer_off, 8, known) && is_within(a->count_off, 4, known) &&
	       (a->fixed_size || is_within(a->size_off, 4, known));
}

/* ---- one program ---- */

/*
 * Lays out the arrays one after another. `base` 0: pointers become offsets, as in a file; else they
 * point to where the kernel is to write. Returns the bytes that all of them need.
 */
static uint64_t place_arrays(struct bpf_program_info *info, uint64_t arrays, uint64_t base)
{
	uint64_t off = 0;

	for (size_t i = 0; i < N_ARRAYS; i++) {
		if (!(arrays >> i & 1))
			continue;
		write_u64(info, places[i].pointer_off, base + off);
		off += pad8(array_bytes(info, &places[i]));
	}
	return off;
}

/* Only counts and sizes: the kernel may reject other fields in the second call. */
static void copy_counts(struct bpf_program_info *to, const struct bpf_program_info *from,
			uint64_t arrays)
{
	memset(to, 0, sizeof(*to));
	for (size_t i = 0; i < N_ARRAYS; i++) {
		if (!(arrays >> i & 1))
			continue;
		write_u32(to, places[i].count_off, read_u32(from, places[i].count_off));
		if (!places[i].fixed_size)
			write_u32(to, places[i].size_off, read_u32(from, places[i].size_off));
	}
}

static bool same_counts(const struct bpf_program_info *a, const struct bpf_program_info *b,
			uint64_t arrays)
{
	for (size_t i = 0; i < N_ARRAYS; i++)
		if (arrays >> i & 1 &&
		    (read_u32(a, places[i].count_off) != read_u32(b, places[i].count_off) ||
		     item_bytes(a, &places[i]) != item_bytes(b, &places[i])))
			return false;
	return true;
}

/* Each function has an address, a length and a tag. */
static bool is_valid_reply(const struct bpf_program *p, uint32_t id)
{
	const struct bpf_program_info *i = &p->info;
	uint64_t needed = 1u << ARRAY_JITED_KSYMS | 1u << ARRAY_JITED_FUNC_LENS |
			  1u << ARRAY_PROG_TAGS;

	return i->id == id && (p->arrays & needed) == needed &&
	       i->nr_jited_ksyms == i->nr_prog_tags && i->nr_jited_ksyms == i->nr_jited_func_lens;
}

/* The first call returns the counts, the second one fills the arrays. */
static int read_program(const struct kernel_ops *ops, int fd, uint32_t id, struct bpf_program *p)
{
	struct bpf_program_info counts;
	uint64_t bytes = 0;
	int known;

	memset(&counts, 0, sizeof(counts));
	known = bpf_read_info(ops, fd, &counts, sizeof(counts));
	if (known < 0)
		return known;
	for (size_t i = 0; i < N_ARRAYS; i++) {
		if (!places[i].pointer_off || !kernel_knows(&places[i], known))
			continue;
		p->arrays |= 1ULL << i;
		bytes += pad8(array_bytes(&counts, &places[i]));
		if (bytes > ARRAYS_MAX_BYTES)
			return -EBADMSG;
	}
	p->data = calloc(1, bytes + ARRAY_ALIGN);
	if (!p->data)
		return -ENOMEM;
	p->data_bytes = bytes;
	copy_counts(&p->info, &counts, p->arrays);
	place_arrays(&p->info, p->arrays, (uintptr_t)p->data);
	known = bpf_read_info(ops, fd, &p->info, sizeof(p->info));
	if (known < 0)
		return known;
	/* The kernel resets a pointer if it hides the contents: the array is zeros then. */
	if (!same_counts(&counts, &p->info, p->arrays) || !is_valid_reply(p, id))
		return -EBADMSG;
	place_arrays(&p->info, p->arrays, 0);
	return 0;
}

static void program_free(struct bpf_program *p)
{
	if (p)
		free(p->data);
	free(p);
}

/* ---- types ---- */

static const struct bpf_btf *btf_find(const struct bpf_programs *p, uint32_t id)
{
	for (size_t i = 0; i < p->n_btf; i++)
		if (p->btf[i].id == id)
			return &p->btf[i];
	return NULL;
}

static int btf_insert(struct bpf_programs *p, const struct bpf_btf *btf)
{
	size_t at = p->n_btf;

	if (vec_grow(&p->btf, &p->cap_btf, p->n_btf + 1))
		return -ENOMEM;
	while (at && p->btf[at - 1].id > btf->id)
		at--;
	memmove(&p->btf[at + 1], &p->btf[at], (p->n_btf - at) * sizeof(*p->btf));
	p->btf[at] = *btf;
	p->n_btf++;
	return 0;
}

static int read_btf(const struct kernel_ops *ops, int fd, struct bpf_btf *btf)
{
	struct bpf_btf_info_head info;
	uint32_t bytes;
	int known;

	memset(&info, 0, sizeof(info));
	known = bpf_read_info(ops, fd, &info, sizeof(info));
	if (known < 0)
		return known;
	bytes = info.btf_size;
	if (known < (int)sizeof(info) || !bytes || bytes > BTF_MAX_BYTES || info.id != btf->id)
		return -EBADMSG;
	btf->data = calloc(1, bytes);
	if (!btf->data)
		return -ENOMEM;
	btf->bytes = bytes;
	memset(&info, 0, sizeof(info));
	info.btf = (uintptr_t)btf->data;
	info.btf_size = bytes;
	known = bpf_read_info(ops, fd, &info, sizeof(info));
	if (known < 0)
		return known;
	return info.btf_size == bytes ? 0 : -EBADMSG;
}

/*
 * True if every function has a type: perf looks up types for all programs whose BTF is in the file.
 */
static bool has_types(const struct bpf_program *p)
{
	const struct bpf_program_info *i = &p->info;

	return p->arrays >> ARRAY_FUNC_INFO & 1 && i->btf_id &&
	       i->nr_func_info == i->nr_jited_ksyms && i->func_info_rec_size >= FUNC_INFO_BYTES;
}

/* Without BTF a program still has names. */
static int bpf_programs_read_btf(struct bpf_programs *p, const struct kernel_ops *ops,
				 const struct bpf_program *program)
{
	struct bpf_btf btf = { .id = program->info.btf_id };
	int ret, fd;

	if (!has_types(program) || btf_find(p, btf.id))
		return 0;
	fd = bpf_open_btf(ops, btf.id);
	if (fd < 0)
		return 0;
	ret = read_btf(ops, fd, &btf);
	ops->close(ops->ctx, fd);
	if (!ret)
		ret = btf_insert(p, &btf);
	if (ret)
		free(btf.data);
	return ret == -ENOMEM ? ret : 0;
}

/* ---- all programs ---- */

void bpf_programs_init(struct bpf_programs *p)
{
	memset(p, 0, sizeof(*p));
	pthread_mutex_init(&p->lock, NULL);
}

void bpf_programs_release(struct bpf_programs *p)
{
	for (size_t i = 0; i < p->n; i++)
		program_free(p->v[i]);
	for (size_t i = 0; i < p->n_btf; i++)
		free(p->btf[i].data);
	free(p->v);
	free(p->btf);
	pthread_mutex_destroy(&p->lock);
	memset(p, 0, sizeof(*p));
}

/* The index of `id`, or where to insert it. */
static size_t program_place(const struct bpf_programs *p, uint32_t id)
{
	size_t at = p->n;

	while (at && p->v[at - 1]->info.id >= id)
		at--;
	return at;
}

static int program_insert(struct bpf_programs *p, struct bpf_program *program)
{
	size_t at = program_place(p, program->info.id);

	if (vec_grow(&p->v, &p->cap, p->n + 1))
		return -ENOMEM;
	memmove(&p->v[at + 1], &p->v[at], (p->n - at) * sizeof(*p->v));
	p->v[at] = program;
	p->n++;
	return 0;
}

static int program_get(struct bpf_programs *p, const struct kernel_ops *ops, uint32_t id,
		       const struct bpf_program **ret_program)
{
	size_t at = program_place(p, id);
	struct bpf_program *program;
	int ret, fd;

	if (at < p->n && p->v[at]->info.id == id) {
		*ret_program = p->v[at];
		return 0;
	}
	fd = bpf_open_program(ops, id);
	if (fd < 0)
		return fd;
	program = calloc(1, sizeof(*program));
	ret = program ? read_program(ops, fd, id, program) : -ENOMEM;
	ops->close(ops->ctx, fd);
	if (!ret)
		ret = bpf_programs_read_btf(p, ops, program);
	if (!ret)
		ret = program_insert(p, program);
	if (ret) {
		program_free(program);
		return ret;
	}
	*ret_program = program;
	return 0;
}

int bpf_programs_read(struct bpf_programs *p, const struct kernel_ops *ops, uint32_t id,
		      const struct bpf_program **ret_program)
{
	int ret;

	pthread_mutex_lock(&p->lock);
	ret = program_get(p, ops, id, ret_program);
	pthread_mutex_unlock(&p->lock);
	return ret;
}

/* ---- names ---- */

static const void *program_array(const struct bpf_program *p, size_t pointer_off)
{
	uint64_t off;

	memcpy(&off, (const char *)&p->info + pointer_off, sizeof(off));
	return p->data + off;
}

static const char *type_name(const struct bpf_program *p, const struct btf_names *types, uint32_t i)
{
	const char *item;
	uint32_t type_id;

	if (!has_types(p))
		return NULL;
	item = (const char *)program_array(p, OFF(func_info)) +
	       (size_t)i * p->info.func_info_rec_size;
	memcpy(&type_id, item + 4, sizeof(type_id));
	return btf_names_find(types, type_id);
}

/*
 * perf's rule: the name of the type; else the program's name, or "F" for one of several functions.
 */
static void name_function(const struct bpf_program *p, const struct btf_names *types, uint32_t i,
			  struct bpf_function *f)
{
	const uint8_t *tag = (const uint8_t *)program_array(p, OFF(prog_tags)) +
			     (size_t)i * BPF_TAG_BYTES;
	const char *name = type_name(p, types, i);
	int n = snprintf(f->name, sizeof(f->name), "bpf_prog_");

	for (size_t k = 0; k < BPF_TAG_BYTES; k++)
		n += snprintf(f->name + n, sizeof(f->name) - (size_t)n, "%02x", tag[k]);
	if (name)
		snprintf(f->name + n, sizeof(f->name) - (size_t)n, "_%s", name);
	else if (p->info.nr_jited_ksyms > 1)
		snprintf(f->name + n, sizeof(f->name) - (size_t)n, "_F");
	else if (p->info.name[0])
		snprintf(f->name + n, sizeof(f->name) - (size_t)n, "_%.*s", BPF_NAME_BYTES,
			 p->info.name);
}

int bpf_program_functions(struct bpf_programs *p, const struct bpf_program *program,
			  bpf_function_fn fn, void *ctx)
{
	const struct bpf_btf *found;
	struct bpf_btf btf = { .data = NULL };
	const char *addrs = program_array(program, OFF(jited_ksyms)),
		   *lens = program_array(program, OFF(jited_func_lens));
	struct btf_names types;
	struct bpf_function f;
	int ret;

	/* its data stays where it is when others are added */
	pthread_mutex_lock(&p->lock);
	found = btf_find(p, program->info.btf_id);
	if (found)
		btf = *found;
	pthread_mutex_unlock(&p->lock);
	ret = btf_names_init(&types, btf.data, btf.bytes);
	for (uint32_t i = 0; i < program->info.nr_jited_ksyms && !ret; i++) {
		memcpy(&f.addr, addrs + (size_t)i * 8, sizeof(f.addr));
		memcpy(&f.bytes, lens + (size_t)i * 4, sizeof(f.bytes));
		name_function(program, &types, i, &f);
		ret = fn(ctx, &f);
	}
	btf_names_release(&types);
	return ret;
}

/* ---- the header ---- */

/* Whether each array lies within the data, and each function has an address, a length and a tag. */
static bool is_valid_program(const struct bpf_program *p)
{
	for (size_t i = 0; i < N_ARRAYS; i++) {
		uint64_t off, bytes;

		if (!(p->arrays >> i & 1))
			continue;
		if (!places[i].pointer_off)
			return false;
		memcpy(&off, (const char *)&p->info + places[i].pointer_off, sizeof(off));
		bytes = array_bytes(&p->info, &places[i]);
		if (off > p->data_bytes || bytes > p->data_bytes - off)
			return false;
	}
	return is_valid_reply(p, p->info.id);
}

/* u32 bytes of the info, u32 bytes of the data, u64 arrays, info, data */
static int parse_program(struct bpf_programs *p, struct cursor *c)
{
	uint32_t info_bytes = cursor_u32(c), data_bytes = cursor_u32(c);
	uint64_t arrays = cursor_u64(c);
	const void *info = cursor_bytes(c, info_bytes), *data = cursor_bytes(c, data_bytes);
	struct bpf_program *program;
	int ret = -EBADMSG;

	if (c->bad)
		return 0;
	program = calloc(1, sizeof(*program));
	if (!program)
		return -ENOMEM;
	memcpy(&program->info, info,
	       info_bytes < sizeof(program->info) ? info_bytes : sizeof(program->info));
	program->arrays = arrays;
	program->data_bytes = data_bytes;
	program->data = malloc((size_t)data_bytes + ARRAY_ALIGN);
	if (program->data)
		memcpy(program->data, data, data_bytes);
	if (!program->data)
		ret = -ENOMEM;
	else if (is_valid_program(program))
		ret = program_insert(p, program);
	if (ret)
		program_free(program);
	return ret == -EBADMSG ? 0 : ret;
}

/* u32 id, u32 bytes, data */
static int parse_btf(struct bpf_programs *p, struct cursor *c)
{
	struct bpf_btf btf = { .id = cursor_u32(c) };
	uint32_t bytes = cursor_u32(c);
	const void *data = cursor_bytes(c, bytes);
	int ret;

	if (c->bad)
		return 0;
	btf.data = malloc((size_t)bytes + 1);
	if (!btf.data)
		return -ENOMEM;
	memcpy(btf.data, data, bytes);
	btf.bytes = bytes;
	ret = btf_insert(p, &btf);
	if (ret)
		free(btf.data);
	return ret;
}

int bpf_programs_parse(struct bpf_programs *p, struct cursor *infos, struct cursor *types)
{
	uint32_t n_programs = cursor_u32(infos), n_btf = cursor_u32(types);
	int ret = 0;

	for (uint32_t i = 0; i < n_programs && !infos->bad && !ret; i++)
		ret = parse_program(p, infos);
	for (uint32_t i = 0; i < n_btf && !types->bad && !ret; i++)
		ret = parse_btf(p, types);
	return ret;
}

int bpf_programs_add_features(struct bpf_programs *p, struct data_writer *w)
{
	struct buf infos = BUF_INIT, types = BUF_INIT;
	int ret;

	pthread_mutex_lock(&p->lock);
	buf_add_u32(&infos, (uint32_t)p->n);
	for (size_t i = 0; i < p->n; i++)
		feature_bpf_program(&infos, &p->v[i]->info, sizeof(p->v[i]->info), p->v[i]->arrays,
				    p->v[i]->data, p->v[i]->data_bytes);
	buf_add_u32(&types, (uint32_t)p->n_btf);
	for (size_t i = 0; i < p->n_btf; i++)
		feature_bpf_btf(&types, p->btf[i].id, p->btf[i].data, p->btf[i].bytes);
	pthread_mutex_unlock(&p->lock);
	ret = features_add(w, PTUI_FEAT_BPF_PROG_INFO, &infos);
	if (ret) {
		buf_release(&types);
		return ret;
	}
	return features_add(w, PTUI_FEAT_BPF_BTF, &types);
}
