/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "annotate/annotate.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "annotate/disasm.h"
#include "base/clock.h"
#include "base/i18n.h"
#include "base/vec.h"
#include "ptui/log.h"

static const struct ptui_annotate_opts default_opts;

/* ---- making one ---- */

static const char *keep(struct ptui_annotation *a, const char *text)
{
	uint32_t id = text ? strpool_add(&a->names, text) : PTUI_NONE;

	return id == PTUI_NONE ? NULL : strpool_get(&a->names, id);
}

/* 0 or -ENOMEM. */
static int keep_function(struct ptui_annotation *a, const struct ptui_function *f)
{
	a->function = *f;
	a->function.symbol = keep(a, f->symbol);
	a->function.dso = keep(a, f->dso);
	a->function.path = keep(a, f->path);
	return a->function.symbol && a->function.dso && (a->function.path || !f->path) ? 0 :
											 -ENOMEM;
}

/* The reason for which the module's symbols, and so its code, are missing; NULL: unknown. */
static const char *module_why(const struct ptui_profile *p, uint32_t module)
{
	for (size_t i = 0; i < p->n_frames; i++)
		if (p->frames[i].dso == module)
			return p->frames[i].why == PTUI_NONE ?
				       NULL :
				       strpool_get(&p->names, p->frames[i].why);
	return NULL;
}

static int read_code(struct ptui_annotation *a, const struct ptui_profile *p,
		     struct ptui_error *err)
{
	struct ptui_error why = PTUI_ERROR_INIT;
	int ret = p->debug ? p->debug->code(p->debug, a->function.module, a->function.start,
					    &a->code, &why) :
			     -ENOENT;
	const char *reason;

	if (!ret)
		return 0;
	if (ret == -ENOMEM)
		return ptui_error_nomem(err);
	if (!ptui_error_is_set(&why)) {
		reason = module_why(p, a->function.module);
		if (reason)
			ptui_error_set(&why, PTUI_ERROR_FORMAT, ENOENT, a->function.path, "%s",
				       reason);
		else
			ptui_error_set(&why, PTUI_ERROR_FORMAT, ENOENT, a->function.path,
				       _("the machine code of %s is not here"), a->function.dso);
	}
	if (!why.hint[0])
		ptui_error_hint(&why, _("copy the program or library from the recorded machine, "
					"below a folder that --symfs names"));
	ptui_error_prefix(&why, _("cannot annotate '%s'"), a->function.symbol);
	if (err)
		*err = why;
	return ret;
}

static void set_info(struct ptui_annotation *a)
{
	char buf[32];

	a->info.file = a->code.file;
	a->info.arch = keep(a, disasm_arch_name(a->code.machine, buf, sizeof(buf)));
	a->info.start = a->code.addr;
	a->info.end = a->code.addr + a->code.n;
}

bool annotate_is_in(const struct ptui_profile *p, const struct profile_frame *f,
		    const struct ptui_function *of)
{
	uint32_t name = of->path ? f->path : f->short_name;

	if (of->lineage == p->lineage)
		return f->dso == of->module;
	return name != PTUI_NONE &&
	       !strcmp(strpool_get(&p->names, name), of->path ? of->path : of->dso);
}

/* The function in this profile, whose ids may differ. False: not in it. */
static bool find_in(const struct ptui_profile *p, const struct ptui_function *f,
		    struct ptui_function *ret)
{
	*ret = *f;
	for (size_t i = 0; f->lineage != p->lineage && i < p->n_frames; i++)
		if (annotate_is_in(p, &p->frames[i], f)) {
			ret->module = p->frames[i].dso;
			ret->lineage = p->lineage;
			return true;
		}
	return f->lineage == p->lineage;
}

struct ptui_annotation *ptui_annotate_new(struct ptui_profile *profile,
					  const struct ptui_function *f,
					  const struct ptui_annotate_opts *opts,
					  struct ptui_error *err)
{
	struct ptui_profile *p = profile->owner ? profile->owner : profile;
	uint64_t begin_ns = clock_monotonic_ns();
	struct ptui_function function;
	struct ptui_annotation *a;
	int ret;

	if (!f->symbol || !find_in(p, f, &function)) {
		ptui_error_set(err, PTUI_ERROR_INPUT, ENOENT, f->dso,
			       _("only functions with a name can be annotated"));
		return NULL;
	}
	a = calloc(1, sizeof(*a));
	if (!a || strpool_init(&a->names)) {
		free(a);
		ptui_error_nomem(err);
		return NULL;
	}
	arena_init(&a->text);
	ret = keep_function(a, &function) ? ptui_error_nomem(err) : read_code(a, p, err);
	if (!ret)
		ret = annotate_lines(a, p, opts ? opts : &default_opts, err);
	if (ret) {
		ptui_annotation_free(a);
		return NULL;
	}
	set_info(a);
	ptui_log(PTUI_LOG_DEBUG, "annotate", "%s: %zu instructions in %.1f ms", a->function.symbol,
		 a->info.n_code, (double)(clock_monotonic_ns() - begin_ns) / 1e6);
	return a;
}

void ptui_annotation_free(struct ptui_annotation *a)
{
	if (!a)
		return;
	arena_release(&a->text);
	strpool_release(&a->names);
	profile_code_release(&a->code);
	free(a->lines);
	free(a->inlines);
	free(a->code_lines);
	free(a);
}

/* ---- reading it ---- */

const struct ptui_function *ptui_annotation_function(const struct ptui_annotation *a)
{
	return &a->function;
}

const struct ptui_annotation_info *ptui_annotation_info(const struct ptui_annotation *a)
{
	return &a->info;
}

size_t ptui_annotation_n_lines(const struct ptui_annotation *a)
{
	return a->n_lines;
}

const struct ptui_line *ptui_annotation_line(const struct ptui_annotation *a, size_t i)
{
	return i < a->n_lines ? &a->lines[i] : NULL;
}

const char *ptui_annotation_inline(const struct ptui_annotation *a, uint32_t i)
{
	return i < a->n_inlines ? a->inlines[i] : NULL;
}

uint32_t ptui_annotation_find(const struct ptui_annotation *a, uint64_t addr)
{
	size_t n = bisect(i, a->info.n_code, a->lines[a->code_lines[i]].addr <= addr);
	const struct ptui_line *line = n ? &a->lines[a->code_lines[n - 1]] : NULL;

	return line && addr - line->addr < line->n_bytes ? a->code_lines[n - 1] : PTUI_NONE;
}
