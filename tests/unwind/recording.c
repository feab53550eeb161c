/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unwind/recording.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/file.h"
#include "base/vec.h"

/* ---- reading ---- */

static int in_order(int32_t pid, uint64_t when, int32_t other_pid, uint64_t other_when)
{
	if (pid != other_pid)
		return pid < other_pid ? -1 : 1;
	return when < other_when ? -1 : when > other_when;
}

static int by_process(const void *a, const void *b)
{
	const struct dumped *x = a, *y = b;

	return in_order(x->pid, x->when, y->pid, y->when);
}

static int change_by_process(const void *a, const void *b)
{
	const struct change *x = a, *y = b;

	return in_order(x->pid, x->when, y->pid, y->when);
}

/* A generation is an address space between two changes of its maps. */
static void number_generations(struct recording *r)
{
	uint64_t generation = 0;
	size_t c = 0;

	if (r->n)
		qsort(r->v, r->n, sizeof(*r->v), by_process);
	if (r->n_changes)
		qsort(r->changes, r->n_changes, sizeof(*r->changes), change_by_process);
	for (size_t i = 0; i < r->n; i++) {
		struct dumped *d = &r->v[i];

		generation += !i || d->pid != d[-1].pid;
		for (; c < r->n_changes &&
		       in_order(r->changes[c].pid, r->changes[c].when, d->pid, d->when) <= 0;
		     c++)
			generation += r->changes[c].pid == d->pid;
		d->generation = d->sample.generation = generation;
	}
}

static int keep_change(struct recording *r, const struct data_record *rec)
{
	if (rec->type != 1 && rec->type != 10 && rec->type != 3) /* MMAP, MMAP2, COMM */
		return 0;
	if (vec_grow(&r->changes, &r->cap_changes, r->n_changes + 1) < 0)
		return -1;
	r->changes[r->n_changes++] =
		(struct change){ rec->type == 3 ? rec->comm.pid : rec->mmap.pid, rec->id.time_ns };
	return 0;
}

static int read_sideband(struct recording *r)
{
	struct data_walk *w = data_walk_new(r->file, NULL);
	struct data_record rec;
	int ret = w ? 0 : -1;

	while (!ret && !data_walk_next(w, false, &rec, NULL))
		ret = machine_add(r->machine, &rec, rec.id.time_ns) || keep_change(r, &rec);
	data_walk_free(w);
	return ret ? ret : machine_seal(r->machine);
}

static int keep_sample(struct recording *r, const struct data_sample *s)
{
	size_t n_regs = (size_t)__builtin_popcountll(s->regs_user_mask);
	struct dumped *d;
	uint64_t *regs;
	uint8_t *stack;

	if (!s->regs_user_abi || vec_grow(&r->v, &r->cap, r->n + 1) < 0)
		return 0;
	d = &r->v[r->n];
	regs = malloc(n_regs * sizeof(*regs));
	stack = malloc(s->stack_user_dyn_bytes + 1);
	if (!regs || !stack)
		return -1;
	memcpy(regs, s->regs_user, n_regs * sizeof(*regs));
	if (s->stack_user_dyn_bytes)
		memcpy(stack, s->stack_user, s->stack_user_dyn_bytes);
	*d = (struct dumped){
		.pid = s->pid,
		.tid = s->tid,
		.when = s->time_ns,
		.sample = { .arch = unwind_arch_of_uname("x86_64", s->regs_user_abi, NULL),
			    .regs_mask = s->regs_user_mask,
			    .regs = regs,
			    .stack = stack,
			    .stack_bytes = s->stack_user_dyn_bytes,
			    .dump_full = s->stack_user_dyn_bytes == s->stack_user_bytes },
	};
	r->n++;
	return 0;
}

static int read_samples(struct recording *r)
{
	struct data_walk *w = data_walk_new(r->file, NULL);
	struct data_record rec;
	struct data_sample s;
	int ret = w ? 0 : -1;

	while (!ret && !data_walk_next(w, true, &rec, NULL))
		if (rec.type == 9 && !data_walk_sample(w, &rec, &s)) /* PERF_RECORD_SAMPLE */
			ret = keep_sample(r, &s);
	data_walk_free(w);
	return ret;
}

int recording_read(struct recording *r, const char *path)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	int code;

	memset(r, 0, sizeof(*r));
	r->file = data_open(path, &err, &code);
	if (!r->file) {
		fprintf(stderr, "%s\n", err.text);
		return -1;
	}
	strpool_init(&r->names);
	r->machine = machine_new(&r->names);
	if (!r->machine || read_sideband(r) || read_samples(r))
		return -1;
	r->modules = calloc(machine_n_modules(r->machine) + 1, sizeof(*r->modules));
	number_generations(r);
	return r->modules ? 0 : -1;
}

void recording_release(struct recording *r)
{
	for (size_t i = 0; r->modules && i < machine_n_modules(r->machine); i++) {
		unwind_table_free(r->modules[i].table);
		dso_file_unref(r->modules[i].file);
		buf_release(&r->modules[i].contents);
	}
	for (size_t i = 0; i < r->n; i++) {
		free((void *)r->v[i].sample.regs);
		free((void *)r->v[i].sample.stack);
	}
	free(r->v);
	free(r->changes);
	free(r->modules);
	machine_free(r->machine);
	strpool_release(&r->names);
	data_close(r->file);
}

/* ---- modules ---- */

static void module_open(struct recording *r, struct module *m, uint32_t id)
{
	const struct module_ref *ref = machine_module(r->machine, id);
	bool vdso;
	size_t n = 0;

	m->tried = true;
	snprintf(m->path, sizeof(m->path), "%s", strpool_get(&r->names, ref->path));
	vdso = !strcmp(m->path, "[vdso]");
	if (!vdso && (m->path[0] != '/' || m->path[1] == '/'))
		return;
	m->file = vdso ? dso_vdso_open(NULL, 0, NULL) : dso_file_open(m->path, NULL, 0, NULL);
	if (!m->file)
		return;
	m->table = unwind_table_new(m->file, NULL, NULL);
	if (vdso) {
		m->bytes = elf_rawfile(dso_file_elf(m->file), &m->n_bytes);
	} else if (!file_read(m->path, SIZE_MAX, &m->contents, NULL)) {
		m->bytes = m->contents.data;
		m->n_bytes = m->contents.len;
	}
	elf_getphdrnum(dso_file_elf(m->file), &n);
	for (size_t i = 0; i < n; i++) {
		GElf_Phdr phdr;

		if (gelf_getphdr(dso_file_elf(m->file), (int)i, &phdr) &&
		    phdr.p_type == PT_GNU_EH_FRAME) {
			m->hdr_rva = phdr.p_vaddr;
			m->hdr_bytes = phdr.p_filesz;
		}
	}
}

static bool off_to_rva(struct module *m, uint64_t off, uint64_t *ret)
{
	size_t n = 0;

	elf_getphdrnum(dso_file_elf(m->file), &n);
	for (size_t i = 0; i < n; i++) {
		GElf_Phdr phdr;

		if (!gelf_getphdr(dso_file_elf(m->file), (int)i, &phdr) || phdr.p_type != PT_LOAD ||
		    !(phdr.p_flags & PF_X) || off < (phdr.p_offset & ~4095ull) ||
		    off >= phdr.p_offset + phdr.p_filesz)
			continue;
		*ret = phdr.p_vaddr + (off - phdr.p_offset);
		return true;
	}
	return false;
}

struct module *recording_module(struct recording *r, uint64_t addr,
				const struct machine_map **ret_map, uint64_t *ret_bias)
{
	const struct machine_map *map = machine_find_map(r->machine, r->now->pid, r->now->when,
							 addr);
	struct module *m;
	uint64_t rva;

	*ret_map = map;
	if (!map)
		return NULL;
	m = &r->modules[map->module];
	if (!m->tried)
		module_open(r, m, map->module);
	*ret_bias = map->start - map->pgoff;
	if (m->file && !strcmp(m->path, "[vdso]"))
		*ret_bias = map->start;
	else if (m->file && off_to_rva(m, map->pgoff, &rva))
		*ret_bias = map->start - rva;
	return m;
}

bool recording_find(void *ctx, uint64_t addr, struct unwind_place *ret)
{
	const struct machine_map *map;
	struct module *m = recording_module(ctx, addr, &map, &ret->bias);

	if (!m)
		return false;
	ret->table = m->table;
	ret->start = map->start;
	ret->end = map->end;
	return true;
}

/* ---- memory and registers ---- */

/* Of a file: its bytes by the program header that has the address. */
static bool file_word(struct module *m, uint64_t rva, uint64_t *ret)
{
	size_t n = 0;

	if (!m->bytes)
		return false;
	elf_getphdrnum(dso_file_elf(m->file), &n);
	for (size_t i = 0; i < n; i++) {
		GElf_Phdr phdr;
		uint64_t off;

		if (!gelf_getphdr(dso_file_elf(m->file), (int)i, &phdr) || phdr.p_type != PT_LOAD ||
		    rva < phdr.p_vaddr || rva - phdr.p_vaddr + 8 > phdr.p_filesz)
			continue;
		off = rva - phdr.p_vaddr + phdr.p_offset;
		if (off + 8 > m->n_bytes)
			return false;
		memcpy(ret, m->bytes + off, 8);
		return true;
	}
	return false;
}

bool recording_read_word(struct recording *r, uint64_t addr, uint64_t *ret)
{
	const struct unwind_sample *s = &r->now->sample;
	const struct machine_map *map;
	uint64_t sp = 0, bias;
	struct module *m;

	recording_reg(r, 7, &sp);
	if (addr >= sp && addr - sp < s->stack_bytes && s->stack_bytes - (addr - sp) >= 8) {
		memcpy(ret, s->stack + (addr - sp), 8);
		return true;
	}
	/* The recording has only the maps of code; other segments of a module have the same bias. */
	if (r->read_from && file_word(r->read_from, addr - r->read_bias, ret))
		return true;
	m = recording_module(r, addr, &map, &bias);
	return m && file_word(m, addr - bias, ret);
}

bool recording_reg(const struct recording *r, unsigned dwarf, uint64_t *ret)
{
	static const uint8_t perf[] = { 0, 3, 2, 1, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23, 8 };
	const struct unwind_sample *s = &r->now->sample;
	uint64_t bit;

	if (dwarf >= sizeof(perf))
		return false;
	bit = 1ull << perf[dwarf];
	if (!(s->regs_mask & bit))
		return false;
	*ret = s->regs[__builtin_popcountll(s->regs_mask & (bit - 1))];
	return true;
}
