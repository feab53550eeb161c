/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Frees unused frames, symbols and modules; the remaining ones get new ids. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"
#include "resolve/private.h"

static void compact_dsos(struct resolver *r, const uint32_t *modules, struct strpool_move *names)
{
	size_t n = 0;

	for (size_t i = 0; i < r->n_dsos; i++) {
		struct dso_info *info = &r->dsos[i];

		free(r->work[i].entry_symbols);
		r->work[i].entry_symbols = NULL;
		if (modules[i] == PTUI_NONE) {
			r->bytes -= symtab_bytes(r->work[i].table);
			symtab_free(r->work[i].table);
			free(r->work[i].starts);
			continue;
		}
		info->name = strpool_move(names, info->name);
		info->short_name = strpool_move(names, info->short_name);
		info->why_name = strpool_move(names, info->why_name);
		info->jitdump = strpool_move(names, info->jitdump);
		info->fetched = strpool_move(names, info->fetched);
		info->vmlinux = strpool_move(names, info->vmlinux);
		info->kcore = strpool_move(names, info->kcore);
		memmove(&r->dsos[n], info, sizeof(*info));
		r->work[n++] = r->work[i];
	}
	r->n_dsos = n;
	vec_fit(&r->dsos, &r->cap_dsos, n);
	vec_fit(&r->work, &r->cap_work, n);
}

/* The new id by old id, to be freed; PTUI_NONE: dropped. NULL: out of memory. */
static uint32_t *compact_symbols(struct resolver *r, const bool *used_frames,
				 const uint32_t *modules, struct strpool_move *names)
{
	uint32_t *now = malloc((r->n_symbols + 1) * sizeof(*now)), n = 0;

	if (!now)
		return NULL;
	memset(now, 0xff, (r->n_symbols + 1) * sizeof(*now));
	for (size_t i = 0; i < r->n_frames; i++)
		if (used_frames[i] && r->frames[i].sym != PTUI_NONE)
			now[r->frames[i].sym] = 0;
	for (size_t i = 0; i < r->n_symbols; i++) {
		struct symbol sym = r->symbols[i];

		if (now[i] == PTUI_NONE)
			continue;
		sym.name = strpool_move(names, sym.name);
		sym.dso = modules[sym.dso];
		now[i] = n;
		r->symbols[n++] = sym;
	}
	r->n_symbols = n;
	vec_fit(&r->symbols, &r->cap_symbols, n);
	return now;
}

static void compact_frames(struct resolver *r, const bool *used, const uint32_t *modules,
			   const uint32_t *symbols, uint32_t *ret_frames)
{
	uint32_t n = 0;

	for (size_t i = 0; i < r->n_frames; i++) {
		struct frame f = r->frames[i];

		ret_frames[i] = used[i] ? n : PTUI_NONE;
		if (!used[i])
			continue;
		if (f.dso != PTUI_NONE)
			f.dso = modules[f.dso];
		if (f.sym != PTUI_NONE)
			f.sym = symbols[f.sym];
		r->frames[n++] = f;
	}
	r->n_frames = r->n_symbolized = n;
	vec_fit(&r->frames, &r->cap_frames, n);
}

void resolver_mark_modules(const struct resolver *r, const bool *used_frames, bool *ret_modules)
{
	for (size_t i = 0; i < r->n_frames; i++) {
		const struct frame *f = &r->frames[i];

		if (!used_frames[i])
			continue;
		if (f->dso != PTUI_NONE)
			ret_modules[f->dso] = true;
		if (f->sym != PTUI_NONE)
			ret_modules[r->symbols[f->sym].dso] = true;
	}
}

int resolver_compact(struct resolver *r, const bool *used_frames, const uint32_t *modules,
		     struct strpool_move *names, uint32_t *ret_frames)
{
	uint32_t *symbols = compact_symbols(r, used_frames, modules, names);

	if (!symbols)
		return -ENOMEM;
	compact_frames(r, used_frames, modules, symbols, ret_frames);
	free(symbols);
	compact_dsos(r, modules, names);
	r->names = names->to;
	places_forget(r);
	return frames_index(r) || symbols_index(r) ? -ENOMEM : 0;
}

size_t resolver_bytes(const struct resolver *r)
{
	return r->bytes + r->n_frames * sizeof(*r->frames) + r->n_symbols * sizeof(*r->symbols) +
	       r->n_dsos * (sizeof(*r->dsos) + sizeof(*r->work));
}
