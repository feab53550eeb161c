/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lines of an annotation: instructions, and above them the source they were made from. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "annotate/annotate.h"
#include "annotate/disasm.h"
#include "annotate/source.h"
#include "base/i18n.h"
#include "base/vec.h"

#define PROGRESS_INSNS 4096
/* objdump shows as many lines above the one that code is from, if they were not shown yet */
#define PRECEDING_LINES 5

struct lines_work {
	struct ptui_annotation *a;
	struct profile_debug *debug;
	const struct ptui_annotate_opts *opts;
	struct sources sources;
	struct source_file *file;	  /* of the last instruction */
	const char *scope;		  /* function whose code came last, a->names; NULL: none */
	uint32_t first_inline, n_inlines; /* of the last instruction */
	bool has_lines, has_text;
	const char *missing; /* a source file that could not be read */
	struct buf text;
	int failed;
};

static const char *keep_name(struct lines_work *w, const char *name)
{
	uint32_t id = strpool_add(&w->a->names, name);

	if (id == PTUI_NONE)
		w->failed = -ENOMEM;
	return id == PTUI_NONE ? "" : strpool_get(&w->a->names, id);
}

static struct ptui_line *add_line(struct lines_work *w, enum ptui_line_kind kind, const char *text)
{
	struct ptui_annotation *a = w->a;
	struct ptui_line *line;

	if (a->n_lines >= PTUI_NONE || !text ||
	    vec_grow(&a->lines, &a->cap_lines, a->n_lines + 1)) {
		w->failed = -ENOMEM;
		return NULL;
	}
	line = &a->lines[a->n_lines++];
	memset(line, 0, sizeof(*line));
	line->kind = kind;
	line->text = text;
	line->target_line = PTUI_NONE;
	return line;
}

/* ---- source ---- */

static void add_source(struct lines_work *w, const char *path, unsigned number, const char *text)
{
	struct ptui_line *line = add_line(w, PTUI_LINE_SOURCE,
					  text ? arena_strdup(&w->a->text, text) :
						 arena_printf(&w->a->text, "%s:%u", path, number));

	if (!line)
		return;
	line->path = path;
	line->line = number;
	line->no_text = !text;
	w->a->info.n_source++;
	w->has_text |= text != NULL;
}

/* The lines up to `number`, as far as they were not shown: as `objdump -S` does. */
static void add_source_up_to(struct lines_work *w, const char *path, unsigned number)
{
	struct source_file *f = source_get(&w->sources, path);
	unsigned from;

	if (!f) {
		w->failed = -ENOMEM;
		return;
	}
	if (f == w->file && number == f->last_line)
		return;
	w->file = f;
	if (!f->text)
		w->missing = path;
	from = number > PRECEDING_LINES ? number - PRECEDING_LINES : 1;
	if (f->max_shown >= from)
		from = f->max_shown < number ? f->max_shown + 1 : number;
	f->last_line = number;
	if (number > f->max_shown)
		f->max_shown = number;
	if (!source_line(f, number)) {
		add_source(w, path, number, NULL);
		return;
	}
	for (unsigned i = from; i <= number && !w->failed; i++)
		add_source(w, path, i, source_line(f, i));
}

static void keep_inlines(struct lines_work *w, const struct profile_scope *scopes, size_t n)
{
	struct ptui_annotation *a = w->a;
	bool same = n == w->n_inlines;

	for (size_t i = 0; i < n && same; i++)
		same = !strcmp(a->inlines[w->first_inline + i], scopes[i].name);
	if (same)
		return;
	if (vec_grow(&a->inlines, &a->cap_inlines, a->n_inlines + n)) {
		w->failed = -ENOMEM;
		return;
	}
	w->first_inline = (uint32_t)a->n_inlines;
	w->n_inlines = (uint32_t)n;
	for (size_t i = 0; i < n; i++)
		a->inlines[a->n_inlines++] = keep_name(w, scopes[i].name);
}

/* The source of the instruction at `off`; adds the lines above it. */
static void find_source(struct lines_work *w, uint64_t off, const char **ret_path,
			unsigned *ret_line)
{
	const struct ptui_function *f = &w->a->function;
	const struct profile_frame at = { .addr = off,
					  .dso = f->module,
					  .level = f->kernel ? 'k' : '.' };
	struct profile_scope scopes[PROFILE_INLINE_MAX + 1];
	size_t n = w->debug->scopes(w->debug, &at, false, scopes, PROFILE_INLINE_MAX + 1);
	const char *scope;

	*ret_path = NULL;
	*ret_line = 0;
	if (!n)
		return;
	w->has_lines = true;
	keep_inlines(w, scopes, n - 1);
	scope = n > 1 && !w->failed ? w->a->inlines[w->first_inline] : f->symbol;
	if (scope != w->scope)
		add_line(w, PTUI_LINE_FUNCTION, scope);
	w->scope = scope;
	if (!scopes[0].path || !scopes[0].line)
		return;
	*ret_path = keep_name(w, scopes[0].path);
	*ret_line = scopes[0].line;
	if (!w->failed && !w->opts->no_text)
		add_source_up_to(w, *ret_path, *ret_line);
}

/* ---- instructions ---- */

static void add_target_name(void *ctx, uint64_t addr, struct buf *out)
{
	struct lines_work *w = ctx;
	struct profile_symbol symbol;

	if (!w->debug->symbol(w->debug, w->a->function.module, addr, &symbol))
		return;
	buf_add_str(out, symbol.name);
	if (symbol.inside)
		buf_addf(out, "+0x%" PRIx64, symbol.inside);
}

static void set_target(struct lines_work *w, struct ptui_line *line)
{
	struct profile_symbol symbol;

	if (!w->debug->symbol(w->debug, w->a->function.module, line->target, &symbol))
		return;
	line->target_symbol = keep_name(w, symbol.name);
	line->target_offset = symbol.inside;
}

static size_t add_code(struct lines_work *w, struct disasm *d, size_t at)
{
	const struct profile_code *code = &w->a->code;
	const char *path = NULL;
	struct disasm_insn insn;
	struct ptui_line *line;
	unsigned number = 0;

	if (!w->opts->no_source)
		find_source(w, code->off + at, &path, &number);
	buf_clear(&w->text);
	disasm_next(d, code->addr + at, code->bytes + at, code->n - at, &w->text, &insn);
	line = w->text.err ?
		       NULL :
		       add_line(w, PTUI_LINE_CODE, arena_strdup(&w->a->text, buf_str(&w->text)));
	if (!line) {
		w->failed = -ENOMEM;
		return insn.n_bytes;
	}
	line->path = path;
	line->line = number;
	line->mnemonic = insn.mnemonic;
	line->addr = code->addr + at;
	line->offset = code->off + at;
	line->bytes = code->bytes + at;
	line->n_bytes = insn.n_bytes;
	line->bad = insn.bad;
	line->flow = insn.flow;
	line->has_target = insn.has_target;
	line->target = insn.target;
	line->first_inline = w->first_inline;
	line->n_inlines = w->n_inlines;
	if (line->has_target)
		set_target(w, line);
	w->a->info.n_code++;
	if (insn.bad)
		w->a->info.bad_bytes += insn.n_bytes;
	return insn.n_bytes;
}

/* Sets a->code_lines, and the lines that jumps lead to. */
static int link_jumps(struct ptui_annotation *a)
{
	size_t n = 0;

	a->code_lines = malloc((a->info.n_code + 1) * sizeof(*a->code_lines));
	if (!a->code_lines)
		return -ENOMEM;
	for (size_t i = 0; i < a->n_lines; i++)
		if (a->lines[i].kind == PTUI_LINE_CODE)
			a->code_lines[n++] = (uint32_t)i;
	for (size_t i = 0; i < n; i++) {
		struct ptui_line *line = &a->lines[a->code_lines[i]];
		uint32_t to = line->has_target ? ptui_annotation_find(a, line->target) : PTUI_NONE;

		if (to != PTUI_NONE && a->lines[to].addr == line->target)
			line->target_line = to;
	}
	return 0;
}

/* ---- types of data ---- */

static void find_types(struct lines_work *w)
{
	struct ptui_annotation *a = w->a;
	struct profile_frame f = { .dso = a->function.module, .sym_size = (uint32_t)a->code.n };
	char text[640];

	for (size_t i = 0; i < a->info.n_code && !w->failed; i++) {
		struct ptui_line *line = &a->lines[a->code_lines[i]];

		f.addr = line->offset;
		f.sym_offset = (uint32_t)(line->addr - a->code.addr);
		if (profile_type_of(w->debug, &f, text, sizeof(text)))
			line->type = keep_name(w, text);
	}
}

/* ---- what is missing ---- */

static void note_source(struct lines_work *w)
{
	struct ptui_annotation *a = w->a;
	struct stat binary;

	if (w->opts->no_source)
		return;
	if (!w->has_lines) {
		a->info.no_source = arena_printf(&a->text, _("%s has no debug information"),
						 a->function.dso);
		return;
	}
	if (w->missing)
		a->info.source_note = arena_printf(&a->text, _("the source file %s is not here"),
						   w->missing);
	/* the code may be from a copy in a cache, which is younger */
	if ((!a->function.path || stat(a->function.path, &binary)) && stat(a->code.file, &binary))
		return;
	for (size_t i = 0; i < w->sources.n; i++)
		if (w->sources.files[i]->text &&
		    w->sources.files[i]->mtime_s > (int64_t)binary.st_mtim.tv_sec)
			a->info.source_note = arena_printf(&a->text,
							   _("the source file %s is newer than %s"),
							   w->sources.files[i]->path, a->code.file);
}

static int report_progress(const struct lines_work *w, size_t done)
{
	const struct ptui_annotate_opts *o = w->opts;

	return o->progress && o->progress(o->progress_ctx, _("disassembling"), done, w->a->code.n) ?
		       -ECANCELED :
		       0;
}

static void add_all(struct lines_work *w, struct disasm *d)
{
	for (size_t at = 0, n = 0; at < w->a->code.n && !w->failed; n++) {
		if (n && n % PROGRESS_INSNS == 0) {
			disasm_unlock(); /* others may want it, too */
			w->failed = report_progress(w, at);
			disasm_lock();
		}
		if (!w->failed)
			at += add_code(w, d, at);
	}
}

int annotate_lines(struct ptui_annotation *a, struct ptui_profile *p,
		   const struct ptui_annotate_opts *opts, struct ptui_error *err)
{
	const struct disasm_target target = { .machine = a->code.machine,
					      .is_64 = a->code.is_64,
					      .big_endian = a->code.big_endian,
					      .flags = a->code.flags,
					      .syntax = opts->syntax };
	struct lines_work w = { .a = a,
				.debug = p->debug,
				.opts = opts,
				.text = BUF_INIT,
				.sources = { .prefix = opts->prefix,
					     .prefix_strip = opts->prefix_strip } };
	struct disasm *d = disasm_new(&target, add_target_name, &w, err);

	if (!d)
		return -ENOTSUP;
	disasm_lock();
	add_all(&w, d);
	disasm_unlock();
	disasm_free(d);
	if (!w.failed)
		w.failed = link_jumps(a);
	if (!w.failed && opts->types)
		find_types(&w);
	if (!w.failed)
		note_source(&w);
	buf_release(&w.text);
	sources_release(&w.sources);
	if (w.failed == -ECANCELED)
		return ptui_error_set(err, PTUI_ERROR_INPUT, ECANCELED, NULL, _("cancelled"));
	return w.failed ? ptui_error_nomem(err) : 0;
}
