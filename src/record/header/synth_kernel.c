/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's maps, as in perf: pid -1, the text from _text to _etext as "[kernel.kallsyms]_text",
 * whose pgoff is the address of that symbol. From it readers learn how far the running kernel was
 * relocated from its ELF file.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "record/header/synth.h"

struct kernel_text {
	uint64_t start, end;
	const char *start_name;
};

/* "ffffffff81000000 T _text": sorted by address on most machines, so the search ends soon. */
static void note_symbol(char *line, struct kernel_text *k)
{
	char *name;
	uint64_t addr = strtoull(line, &name, 16);

	if (strlen(name) < 4 || !addr)
		return;
	name += 3;
	name[strcspn(name, "\t\n")] = '\0';
	if (!strcmp(name, "_text") || (!k->start && !strcmp(name, "_stext"))) {
		k->start = addr;
		k->start_name = *(name + 1) == 't' ? "_text" : "_stext";
	} else if (!strcmp(name, "_etext")) {
		k->end = addr;
	}
}

static int read_kallsyms(struct synth *s, struct kernel_text *k)
{
	struct buf path = BUF_INIT;
	char *line = NULL;
	size_t cap = 0;
	int ret = 0;
	FILE *f;

	buf_addf(&path, "%s/kallsyms", s->roots->proc);
	f = path.err ? NULL : fopen(buf_str(&path), "re");
	buf_release(&path);
	if (!f)
		return -ENOENT;
	while (!(k->start && k->end) && getline(&line, &cap, f) > 0)
		note_symbol(line, k);
	if (!k->start)
		ret = -ENOENT;
	free(line);
	fclose(f);
	return ret;
}

static int put_kernel_map(struct synth *s, struct data_mmap *m)
{
	int ret;

	m->pid = -1;
	m->prot = PROT_EXEC;
	if (m->build_id_bytes)
		ret = data_put_mmap2(s->out, m, PERF_RECORD_MISC_KERNEL, s->attr, NULL);
	else
		ret = data_put_mmap(s->out, m, PERF_RECORD_MISC_KERNEL, s->attr, NULL);
	return ret == -E2BIG ? 0 : ret;
}

/* ---- modules ---- */

/* The module name is the file name without directory and .ko…, with '-' replaced by '_'. */
static bool is_file_of(const char *path, size_t len, const char *module)
{
	size_t from = len;

	while (from && path[from - 1] != '/')
		from--;
	for (size_t i = from; i < len && path[i] != '.'; i++, module++)
		if (*module != (path[i] == '-' ? '_' : path[i]))
			return false;
	return !*module;
}

/* modules.dep: "kernel/fs/ext4/ext4.ko: kernel/…". Appends the path, or "[name]" if not listed. */
static void module_path(const char *dir, const struct buf *dep, const char *module,
			struct buf *path)
{
	const char *line = buf_str(dep);
	size_t len;

	while (*line) {
		len = strcspn(line, ":\n");
		if (line[len] == ':' && is_file_of(line, len, module)) {
			buf_addf(path, "%s/%.*s", dir, (int)len, line);
			return;
		}
		line += strcspn(line, "\n");
		line += *line == '\n';
	}
	buf_addf(path, "[%s]", module);
}

static void modules_dir(struct synth *s, struct buf *dir)
{
	struct buf release = BUF_INIT;

	if (s->modules_dir) {
		buf_add_str(dir, s->modules_dir);
	} else if (file_readf(&release, 4096, "%s/sys/kernel/osrelease", s->roots->proc) == 0) {
		buf_addf(dir, "/lib/modules/%.*s", (int)strcspn(buf_str(&release), "\n"),
			 buf_str(&release));
	}
	buf_release(&release);
}

/* "ext4 1048576 1 - Live 0xffffffffc0a00000" */
static int put_module(struct synth *s, char *line, const char *dir, const struct buf *dep)
{
	struct buf path = BUF_INIT;
	struct data_mmap m;
	char *rest, *addr;
	int ret;

	memset(&m, 0, sizeof(m));
	rest = strchr(line, ' ');
	addr = strstr(line, " 0x");
	if (!rest || !addr)
		return 0;
	*rest = '\0';
	m.len = strtoull(rest + 1, NULL, 10);
	m.start = strtoull(addr + 1, NULL, 16);
	if (!m.start)
		return 0;
	module_path(dir, dep, line, &path);
	if (path.err)
		return path.err;
	m.path = buf_str(&path);
	if (s->buildids)
		buildids_of_kernel(s->buildids, line, &m);
	ret = put_kernel_map(s, &m);
	buf_release(&path);
	return ret;
}

static int synth_modules(struct synth *s)
{
	struct buf text = BUF_INIT, dir = BUF_INIT, dep = BUF_INIT;
	char *line, *rest;
	int ret = 0;

	/* missing in kernels without modules */
	if (file_readf(&text, 16U << 20, "%s/modules", s->roots->proc))
		goto out;
	modules_dir(s, &dir);
	if (dir.len && file_readf(&dep, 64U << 20, "%s/modules.dep", buf_str(&dir)))
		buf_clear(&dep);
	rest = text.data;
	while (!ret && (line = strsep(&rest, "\n")))
		ret = put_module(s, line, buf_str(&dir), &dep);
out:
	buf_release(&text);
	buf_release(&dir);
	buf_release(&dep);
	return ret;
}

int synth_kernel(struct synth *s)
{
	struct kernel_text k = { 0, 0, NULL };
	struct data_mmap m;
	char name[64];
	int ret = read_kallsyms(s, &k);

	if (ret)
		return ret;
	memset(&m, 0, sizeof(m));
	snprintf(name, sizeof(name), "[kernel.kallsyms]%s", k.start_name);
	m.path = name;
	m.start = k.start;
	m.len = k.end > k.start ? k.end - k.start : 0;
	m.pgoff = k.start;
	if (s->buildids)
		buildids_of_kernel(s->buildids, NULL, &m);
	ret = put_kernel_map(s, &m);
	return ret ? ret : synth_modules(s);
}
