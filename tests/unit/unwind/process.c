/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit/unwind/process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"
#include "lib/need.h"

/* rva of a file's offset. */
static uint64_t offset_to_rva(struct dso_file *f, uint64_t off)
{
	size_t n = 0;

	assert_int_equal(elf_getphdrnum(dso_file_elf(f), &n), 0);
	for (size_t i = 0; i < n; i++) {
		GElf_Phdr phdr;

		if (gelf_getphdr(dso_file_elf(f), (int)i, &phdr) && phdr.p_type == PT_LOAD &&
		    off >= phdr.p_offset && off - phdr.p_offset < phdr.p_filesz)
			return phdr.p_vaddr + (off - phdr.p_offset);
	}
	return off;
}

static void map_open(struct process *p, struct process_map *m, uint64_t off)
{
	bool vdso = !strcmp(m->path, "[vdso]");
	struct dso_file *f;

	m->bias = m->start - off;
	if (m->path[0] != '/' && !vdso)
		return;
	f = vdso ? dso_vdso_open(NULL, 0, NULL) : dso_file_open(m->path, NULL, 0, NULL);
	if (!f)
		return;
	m->bias = m->start - offset_to_rva(f, off);
	for (struct process_map *other = p->v; other < m; other++)
		if (other->owner && !strcmp(other->path, m->path))
			m->table = other->table;
	if (!m->table) {
		m->table = unwind_table_new(f, NULL, NULL);
		m->owner = m->table;
	}
	dso_file_unref(f);
}

void process_read(struct process *p, pid_t pid)
{
	char name[64], line[1024];
	FILE *maps;

	process_release(p);
	snprintf(name, sizeof(name), "/proc/%d/maps", (int)pid);
	maps = fopen(name, "re");
	assert_non_null(maps);
	while (fgets(line, sizeof(line), maps)) {
		struct process_map m = { 0 };
		unsigned long start, end, off;
		char prot[8];

		if (sscanf(line, "%lx-%lx %7s %lx %*s %*s %255s", &start, &end, prot, &off,
			   m.path) < 4 ||
		    prot[2] != 'x')
			continue;
		assert_int_equal(vec_grow(&p->v, &p->cap, p->n + 1), 0);
		m.start = start;
		m.end = end;
		p->v[p->n++] = m;
		map_open(p, &p->v[p->n - 1], off);
	}
	fclose(maps);
}

void process_release(struct process *p)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->v[i].owner)
			unwind_table_free(p->v[i].table);
	free(p->v);
	memset(p, 0, sizeof(*p));
}

bool process_find(void *process, uint64_t addr, struct unwind_place *ret)
{
	struct process *p = process;

	for (size_t i = 0; i < p->n; i++) {
		if (addr < p->v[i].start || addr >= p->v[i].end)
			continue;
		*ret = (struct unwind_place){ .table = p->v[i].table,
					      .start = p->v[i].start,
					      .end = p->v[i].end,
					      .bias = p->v[i].bias };
		return true;
	}
	return false;
}
