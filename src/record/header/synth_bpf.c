/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * BPF programs that were loaded before the recording: a KSYMBOL record for each of their functions
 * and a BPF_EVENT for each program, as perf synthesizes them. Trampolines and dispatchers are only
 * in /proc/kallsyms; so are the names of programs that bpf(2) refuses to describe.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "base/text.h"
#include "base/vec.h"
#include "ptui/log.h"
#include "record/header/bpf_programs.h"
#include "record/header/synth.h"

#define PROGRAMS_MAX 65536 /* limit of one listing: ids only grow, so it might never end */
#define GAP_MAX_BYTES \
	0x100000 /* a program ends where the next symbol begins, but at most this far away */

/* ---- bpf(2) ---- */

struct bpf_synth {
	struct synth *s;
	struct bpf_programs *programs;
	uint64_t *addrs; /* of functions that have a record */
	size_t n, cap;
	size_t n_listed; /* programs */
	int refused;	 /* errno if bpf(2) refused to describe a program, else 0 */
};

static int put_symbol(struct bpf_synth *b, uint64_t addr, uint32_t bytes, const char *name)
{
	struct data_ksymbol symbol = {
		.addr = addr, .len = bytes, .name = name, .type = PERF_RECORD_KSYMBOL_TYPE_BPF
	};

	return data_put_ksymbol(b->s->out, &symbol, b->s->attr, NULL);
}

/* Interpreted functions have no code of their own. */
static int put_function(void *ctx, const struct bpf_function *f)
{
	struct bpf_synth *b = ctx;

	if (!f->addr || !f->bytes)
		return 0;
	if (vec_grow(&b->addrs, &b->cap, b->n + 1))
		return -ENOMEM;
	b->addrs[b->n++] = f->addr;
	return put_symbol(b, f->addr, f->bytes, f->name);
}

static int put_program(struct bpf_synth *b, uint32_t id)
{
	const struct bpf_program *program;
	int ret = bpf_programs_read(b->programs, b->s->ops, id, &program);

	b->n_listed++;
	if (ret == -ENOENT || ret == -ENOMEM)
		return ret == -ENOENT ? 0 : ret;
	if (ret) {
		b->refused = -ret;
		return 0;
	}
	ret = bpf_program_functions(b->programs, program, put_function, b);
	if (!ret && b->s->bpf)
		ret = data_put_bpf_load(b->s->out, id, program->info.tag, b->s->attr, NULL);
	return ret;
}

static int put_programs(struct bpf_synth *b)
{
	uint32_t id = 0, next;
	int ret = 0;

	while (!ret && b->n_listed < PROGRAMS_MAX) {
		ret = bpf_next_program(b->s->ops, id, &next);
		if (ret == -ENOENT || (!ret && next <= id))
			return 0;
		if (ret) {
			b->refused = -ret;
			return 0;
		}
		id = next;
		ret = put_program(b, id);
	}
	return ret;
}

/* ---- /proc/kallsyms ---- */

struct bpf_image {
	uint64_t addr, end;
	bool is_program;
	char *name;
};

struct bpf_images {
	struct bpf_image *v;
	size_t n, cap;
};

static bool has_record(const struct bpf_synth *b, uint64_t addr)
{
	for (size_t i = 0; i < b->n; i++)
		if (b->addrs[i] == addr)
			return true;
	return false;
}

/* "ffffffffc0022054 t bpf_prog_59f4a931744dcdc6_name\t[bpf]": returns the name, or NULL. */
static char *bpf_symbol(char *line, uint64_t *ret_addr)
{
	char *name, *module;

	*ret_addr = strtoull(line, &name, 16);
	if (!*ret_addr || name == line || name[0] != ' ' || !name[1] || name[2] != ' ')
		return NULL;
	name += 3;
	module = strchr(name, '\t');
	if (!module || !text_starts_with(module, "\t[bpf]"))
		return NULL;
	*module = '\0';
	return name;
}

static int note_image(struct bpf_synth *b, struct bpf_images *images, char *line)
{
	struct bpf_image image = { .is_program = false };
	char *name = bpf_symbol(line, &image.addr);

	if (!name || strlen(name) >= BPF_SYMBOL_BYTES)
		return 0;
	image.is_program = text_starts_with(name, "bpf_prog_");
	if (image.is_program && (!b->refused || has_record(b, image.addr)))
		return 0;
	if (!image.is_program && !text_starts_with(name, "bpf_trampoline_") &&
	    !text_starts_with(name, "bpf_dispatcher_"))
		return 0;
	image.end = image.addr + (image.is_program ? GAP_MAX_BYTES : b->s->ops->page_bytes);
	if (vec_grow(&images->v, &images->cap, images->n + 1))
		return -ENOMEM;
	image.name = strdup(name);
	if (!image.name)
		return -ENOMEM;
	images->v[images->n++] = image;
	return 0;
}

static int compare_images(const void *a, const void *b)
{
	const struct bpf_image *x = a, *y = b;

	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

/* If the last image before `addr` is a program, it ends there at the latest. */
static void end_image(struct bpf_images *images, uint64_t addr)
{
	size_t n = bisect(i, images->n, images->v[i].addr < addr);

	if (n && images->v[n - 1].is_program && images->v[n - 1].end > addr)
		images->v[n - 1].end = addr;
}

static int read_images(struct bpf_synth *b, FILE *f, struct bpf_images *images)
{
	bool has_programs = false;
	char *line = NULL;
	size_t cap = 0;
	int ret = 0;

	while (!ret && getline(&line, &cap, f) > 0)
		ret = note_image(b, images, line);
	if (images->n)
		qsort(images->v, images->n, sizeof(*images->v), compare_images);
	for (size_t i = 0; i < images->n; i++)
		has_programs |= images->v[i].is_program;
	if (!ret && has_programs) {
		rewind(f);
		while (getline(&line, &cap, f) > 0)
			end_image(images, strtoull(line, NULL, 16));
	}
	free(line);
	return ret;
}

static int put_images(struct bpf_synth *b)
{
	struct bpf_images images = { .v = NULL };
	struct buf path = BUF_INIT;
	int ret = 0;
	FILE *f;

	buf_addf(&path, "%s/kallsyms", b->s->roots->proc);
	f = path.err ? NULL : fopen(buf_str(&path), "re");
	buf_release(&path);
	if (!f)
		return 0;
	ret = read_images(b, f, &images);
	fclose(f);
	for (size_t i = 0; i < images.n; i++) {
		const struct bpf_image *image = &images.v[i];

		if (!ret)
			ret = put_symbol(b, image->addr, (uint32_t)(image->end - image->addr),
					 image->name);
		free(image->name);
	}
	free(images.v);
	return ret;
}

int synth_bpf(struct synth *s, bool samples_kernel)
{
	struct bpf_programs own;
	struct bpf_synth b = { .s = s, .programs = s->bpf ? s->bpf : &own };
	int ret;

	bpf_programs_init(&own);
	ret = put_programs(&b);
	if (b.refused)
		ptui_log(PTUI_LOG_INFO, "record",
			 _("cannot read all BPF programs from the kernel (%s): using the names in "
			   "/proc/kallsyms"),
			 strerror(b.refused));
	/* without programs there are no trampolines, and the file is long */
	if (!ret && samples_kernel && (b.refused || b.n_listed))
		ret = put_images(&b);
	free(b.addrs);
	bpf_programs_release(&own);
	return ret;
}
