/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finding the symbol table of a DSO. Every failure is kept as its state with a sentence. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "base/vec.h"
#include "ptui/log.h"
#include "resolve/private.h"

void dso_load_failed(struct dso_info *info, enum dso_state state, const struct ptui_error *err)
{
	size_t n = strnlen(err->text, sizeof(info->why) - 1);

	info->state = state;
	memcpy(info->why, err->text, n);
	info->why[n] = 0;
}

/* Of the running kernel only. */
static struct symtab *load_vdso(struct resolver *r, uint32_t dso)
{
	struct dso_info *info = &r->dsos[dso];
	struct ptui_error err = PTUI_ERROR_INIT;
	struct dso_file *f;
	struct symtab *t;

	if (!proof_accept(r, info, proof_vdso(r, dso, &err), &err))
		return NULL;
	err = (struct ptui_error)PTUI_ERROR_INIT;
	f = dso_vdso_open(info->build_id, info->build_id_bytes, &err);
	t = f ? symtab_from_elf(f, f, &err) : NULL;
	if (!t)
		dso_load_failed(info, err.code == ESTALE ? DSO_STALE : DSO_NO_SYMBOLS, &err);
	else
		info->origin = DSO_FROM_FILE;
	dso_file_unref(f);
	return t;
}

/* ---- symbols that came with the recording ---- */

int resolver_give_symbols(struct resolver *r, const struct resolver_given *given)
{
	char *name = strdup(given->name);

	if (!name || vec_grow(&r->given, &r->cap_given, r->n_given + 1)) {
		free(name);
		symtab_free(given->table);
		return -ENOMEM;
	}
	r->given[r->n_given] = *given;
	r->given[r->n_given++].name = name;
	return 0;
}

/* What to add to frame.off to get an address of the table. */
static uint64_t given_shift(const struct resolver_given *g, const struct dso_work *w)
{
	uint64_t off = g->off;

	if (g->as_mapped)
		return 0;
	if (off == UINT64_MAX)
		off = w->identity ? 0 : w->map_pgoff;
	return w->identity ? g->addr - off - w->map_start : g->addr - off;
}

/* NULL: there are none. */
static struct symtab *take_given(struct resolver *r, uint32_t dso)
{
	const char *name = strpool_get(r->names, machine_module(r->m, dso)->path);
	struct symtab *t = NULL;

	for (size_t i = 0; i < r->n_given && !t; i++) {
		struct resolver_given *g = &r->given[i];

		if (!g->table || strcmp(g->name, name))
			continue;
		t = g->table;
		g->table = NULL;
		r->work[dso].shift = given_shift(g, &r->work[dso]);
	}
	return t;
}

void dso_load(struct resolver *r, uint32_t dso)
{
	const struct module_ref *ref = machine_module(r->m, dso);
	struct dso_info *info = &r->dsos[dso];
	struct dso_work *w = &r->work[dso];
	bool named;

	info->unnamed = false;
	w->table = r->n_given ? take_given(r, dso) : NULL;
	if (w->table)
		;
	else if (ref->kernel)
		w->table = kernel_load(r, dso);
	else if (ref->pid >= 0)
		w->table = jit_memory_load(r, dso);
	else if (w->vdso)
		w->table = load_vdso(r, dso);
	else if (ref->memory) {
		info->state = DSO_NO_SYMBOLS;
		snprintf(info->why, sizeof(info->why), "%s", _("memory without a symbol file"));
	} else if (jit_is_dump(r, dso)) {
		w->table = jit_dump_load(r, dso);
	} else {
		w->table = file_load(r, dso);
	}
	named = w->table && !info->unnamed;
	if (named)
		info->state = DSO_OK;
	else
		info->origin = '\0';
	r->bytes += symtab_bytes(w->table);
	/* PTUI_NONE as well without memory */
	info->why_name = named || !*info->why ? PTUI_NONE : strpool_add(r->names, info->why);
	if (!named)
		ptui_log(PTUI_LOG_INFO, "resolve", _("%s: no symbols: %s"),
			 strpool_get(r->names, info->name), info->why);
}
