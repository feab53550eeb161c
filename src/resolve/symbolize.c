/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From frames to symbols, module by module. */
#include <errno.h>
#include <stdlib.h>
#include "base/buf.h"
#include "base/i18n.h"
#include "base/radix.h"
#include "base/vec.h"
#include "resolve/private.h"

#define AHEAD 16 /* frames that are loaded from memory before they are looked at */

static bool symbol_same(const void *owner, uint32_t index, const void *key)
{
	const struct symbol *a = &((const struct resolver *)owner)->symbols[index], *b = key;

	return a->start == b->start && a->end == b->end && a->name == b->name && a->dso == b->dso;
}

static uint64_t symbol_hash(const struct symbol *sym)
{
	return hash_pair(sym->start, (uint64_t)sym->dso << 32 | sym->name);
}

int symbols_index(struct resolver *r)
{
	int ret = 0;

	index_table_release(&r->symbol_index);
	index_table_init(&r->symbol_index);
	for (size_t i = 0; i < r->n_symbols && !ret; i++)
		ret = index_table_add(&r->symbol_index, symbol_hash(&r->symbols[i]), (uint32_t)i);
	return ret;
}

uint32_t symbol_intern(struct resolver *r, const struct symbol *sym)
{
	uint64_t hash = symbol_hash(sym);
	uint32_t id = index_table_find(&r->symbol_index, hash, symbol_same, r, sym);

	if (id != PTUI_NONE)
		return id;
	if (r->n_symbols >= PTUI_NONE - 1 ||
	    vec_grow(&r->symbols, &r->cap_symbols, r->n_symbols + 1) < 0)
		return PTUI_NONE;
	id = (uint32_t)r->n_symbols;
	r->symbols[id] = *sym;
	if (index_table_add(&r->symbol_index, hash, id) < 0)
		return PTUI_NONE;
	r->n_symbols++;
	return id;
}

/* The frames without a symbol yet, by module and offset: those of a module are ends[dso - 1] to ends[dso]. */
struct unsymbolized {
	struct radix_item *frames; /* offset and id */
	size_t *ends;
};

static void unsymbolized_release(struct unsymbolized *u)
{
	free(u->frames);
	free(u->ends);
}

/* The frames that a module has before it in the list, by counting them; NULL: out of memory. */
static size_t *count_by_dso(struct resolver *r)
{
	size_t *at = calloc(r->n_dsos + 1, sizeof(*at)), sum = 0;

	if (!at)
		return NULL;
	for (size_t i = r->n_symbolized; i < r->n_frames; i++) {
		struct frame *f = &r->frames[i];

		if (f->dso == PTUI_NONE)
			f->symbolized = true;
		if (!f->symbolized)
			at[f->dso]++;
	}
	for (size_t dso = 0; dso <= r->n_dsos; dso++) {
		size_t here = at[dso];

		at[dso] = sum;
		sum += here;
	}
	return at;
}

static int unsymbolized_list(struct resolver *r, struct unsymbolized *u)
{
	size_t first = 0;
	int ret = 0;

	u->ends = count_by_dso(r);
	if (u->ends)
		u->frames = malloc((u->ends[r->n_dsos] + 1) * sizeof(*u->frames));
	if (!u->frames)
		return -ENOMEM;
	for (size_t i = r->n_symbolized; i < r->n_frames; i++) {
		const struct frame *f = &r->frames[i];

		if (!f->symbolized)
			u->frames[u->ends[f->dso]++] = (struct radix_item){ f->off, (uint32_t)i };
	}
	for (size_t dso = 0; dso < r->n_dsos && !ret; dso++) {
		ret = radix_sort(u->frames + first, u->ends[dso] - first);
		first = u->ends[dso];
	}
	return ret;
}

/* Marks unproven names. */
static uint32_t symbol_name(struct resolver *r, const struct dso_info *info, const char *name)
{
	struct buf marked = BUF_INIT;
	uint32_t id = PTUI_NONE;

	if (!info->forced)
		return strpool_add(r->names, name);
	buf_addf(&marked, "%s (unverified)", name);
	if (!marked.err)
		id = strpool_add(r->names, buf_str(&marked));
	buf_release(&marked);
	return id;
}

static uint32_t symbol_of_entry(struct resolver *r, uint32_t dso, const struct symtab_entry *e)
{
	struct symbol sym = { .start = e->start - r->work[dso].shift,
			      .end = e->end - r->work[dso].shift,
			      .dso = dso,
			      .binding = e->binding,
			      .object = e->type == STT_OBJECT,
			      .unnamed = e->unnamed };
	char *shown = NULL;

	/* kernel names are mostly C: shown as they are, as in perf */
	if (r->dsos[dso].kernel ? r->demangle_kernel : !r->mangled_names) {
		shown = symbol_demangle_as(e->name, r->full_names);
		if (!shown)
			return PTUI_NONE;
	}
	sym.name = symbol_name(r, &r->dsos[dso], shown ? shown : e->name);
	sym.starts = !r->dsos[dso].forced && stack_start_name(shown ? shown : e->name);
	free(shown);
	return sym.name == PTUI_NONE ? PTUI_NONE : symbol_intern(r, &sym);
}

/* The same for frames that are symbolized one by one: each name is demangled once. */
static uint32_t symbol_of_entry_kept(struct resolver *r, uint32_t dso, const struct symtab_entry *e)
{
	struct dso_work *w = &r->work[dso];
	size_t i = (size_t)(e - symtab_at(w->table, 0)), n = symtab_n(w->table);
	uint32_t sym;

	if (!w->entry_symbols) {
		w->entry_symbols = malloc(n * sizeof(*w->entry_symbols));
		if (!w->entry_symbols)
			return symbol_of_entry(r, dso, e);
		memset(w->entry_symbols, 0xff, n * sizeof(*w->entry_symbols));
	}
	if (w->entry_symbols[i] != PTUI_NONE)
		return w->entry_symbols[i];
	sym = symbol_of_entry(r, dso, e);
	r->work[dso].entry_symbols[i] = sym;
	return sym;
}

/* The end of the kernel: as recorded, or of the last symbol. Nothing is known beyond it. */
static uint64_t dso_end(const struct resolver *r, uint32_t dso)
{
	const struct symtab *table = r->work[dso].table;
	uint64_t end = machine_module(r->m, dso)->recorded_end, last;

	if (!end)
		return UINT64_MAX;
	if (table && symtab_n(table)) {
		last = symtab_at(table, symtab_n(table) - 1)->end - r->work[dso].shift;
		if (last > end)
			end = last;
	}
	return end;
}

/*
 * Live: a perf map has grown, or was written late. Profiles keep the frames that they have; samples from now on
 * get frames with names.
 */
static void retire_frames(struct resolver *r, uint32_t dso)
{
	const struct dso_work *w = &r->work[dso];

	for (size_t i = 0; w->table && i < r->n_symbolized; i++) {
		struct frame *f = &r->frames[i];

		if (f->dso == dso && f->sym == PTUI_NONE && !f->retired &&
		    symtab_find(w->table, f->off + w->shift)) {
			f->retired = true;
			r->n_retired++;
		}
	}
}

/* Live, and without names until now: worth another try, also if it has no new frames. */
static bool awaits_map(const struct resolver *r, uint32_t dso)
{
	return r->live && r->dsos[dso].jit && r->dsos[dso].state != DSO_UNTRIED &&
	       r->dsos[dso].state != DSO_OK;
}

/*
 * Symbolizes frames of one module, in order of offsets. `keep`: others of the same functions are
 * likely to follow.
 */
static int symbolize_dso(struct resolver *r, uint32_t dso, const struct radix_item *frames,
			 size_t n, bool keep)
{
	uint32_t sym = PTUI_NONE;
	const struct symtab_entry *last = NULL;
	uint64_t dso_ends;
	bool loads;

	if (r->live)
		jit_refresh(r, dso);
	loads = r->dsos[dso].state == DSO_UNTRIED;
	if (loads)
		dso_load(r, dso);
	if (r->cancelled) {
		r->cancelled = false;
		r->dsos[dso].state = DSO_UNTRIED;
		return -ECANCELED;
	}
	dso_ends = dso_end(r, dso);
	for (size_t i = 0; i < n; i++) {
		struct frame *f = &r->frames[frames[i].index];
		const struct symtab_entry *e = NULL;

		if (i + AHEAD < n)
			__builtin_prefetch(&r->frames[frames[i + AHEAD].index], 1);
		if (r->work[dso].table)
			e = symtab_find(r->work[dso].table, f->off + r->work[dso].shift);
		if (e && e != last) {
			sym = keep ? symbol_of_entry_kept(r, dso, e) : symbol_of_entry(r, dso, e);
			if (sym == PTUI_NONE)
				return -ENOMEM;
			last = e;
		}
		f->sym = e ? sym : PTUI_NONE;
		if (!e && f->off >= dso_ends)
			f->dso = PTUI_NONE;
		f->symbolized = true;
	}
	if (loads && r->live && r->dsos[dso].jit)
		retire_frames(r, dso);
	return 0;
}

static void drop_table(struct resolver *r, uint32_t dso)
{
	r->bytes -= symtab_bytes(r->work[dso].table);
	symtab_free(r->work[dso].table);
	r->work[dso].table = NULL;
}

int resolver_symbolize(struct resolver *r, ptui_progress_fn progress, void *ctx,
		       struct ptui_error *err)
{
	struct unsymbolized u = { NULL };
	size_t first = 0, done = 0, total = 0, n_dsos = r->n_dsos, retired = r->n_retired;
	int ret = unsymbolized_list(r, &u);

	r->progress = progress;
	r->progress_ctx = ctx;
	for (uint32_t dso = 0; dso < n_dsos && !ret; dso++)
		total += u.ends[dso] != (dso ? u.ends[dso - 1] : 0) || awaits_map(r, dso);
	for (uint32_t dso = 0; dso < n_dsos && !ret; first = u.ends[dso++]) {
		if (u.ends[dso] == first && !awaits_map(r, dso))
			continue;
		if (progress &&
		    progress(ctx, strpool_get(r->names, r->dsos[dso].short_name), done++, total))
			ret = -ECANCELED;
		else
			ret = symbolize_dso(r, dso, u.frames + first, u.ends[dso] - first, false);
		if (r->once)
			drop_table(r, dso);
	}
	preload_finish(r);
	if (r->n_retired != retired && frames_index(r))
		ret = ret ? ret : -ENOMEM;
	if (ret == -ECANCELED)
		ptui_error_set(err, PTUI_ERROR_SYSTEM, ECANCELED, NULL,
			       _("loading symbols was cancelled"));
	else if (ret)
		ptui_error_nomem(err);
	unsymbolized_release(&u);
	kallsyms_forget(r); /* a live recording may meet modules that are loaded later */
	/* After a failure, frames that were done are skipped by their flag. */
	if (!ret)
		r->n_symbolized = r->n_frames;
	return ret;
}

int resolver_symbolize_frame(struct resolver *r, uint32_t id)
{
	struct frame *f = &r->frames[id];
	struct radix_item item = { f->off, id };
	size_t retired = r->n_retired;
	bool load;
	int ret;

	if (f->symbolized || f->dso == PTUI_NONE) {
		f->symbolized = true;
		return 0;
	}
	load = r->dsos[f->dso].state == DSO_UNTRIED;
	ret = symbolize_dso(r, f->dso, &item, 1, true);
	if (!ret && r->n_retired != retired)
		ret = frames_index(r);
	if (load)
		kallsyms_forget(r);
	return ret;
}

bool resolver_symbol_span(const struct resolver *r, uint32_t id, uint64_t *ret_from,
			  uint64_t *ret_to)
{
	const struct frame *f = &r->frames[id];
	const struct dso_work *w = f->dso == PTUI_NONE ? NULL : &r->work[f->dso];

	if (!w || !f->symbolized || (f->sym == PTUI_NONE && r->dsos[f->dso].kernel))
		return false;
	if (f->sym == PTUI_NONE && !w->table) {
		*ret_from = 0;
		*ret_to = UINT64_MAX;
		return true;
	}
	if (!w->table || !symtab_span(w->table, f->off + w->shift, ret_from, ret_to))
		return false;
	*ret_from = *ret_from < w->shift ? 0 : *ret_from - w->shift;
	*ret_to = *ret_to == UINT64_MAX ? UINT64_MAX : *ret_to - w->shift;
	return *ret_from <= f->off && f->off < *ret_to;
}
