/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/merge/merge_private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"

/* ---- debug information ---- */

static struct profile_debug *debug_of(struct profile_debug *d, uint32_t *dso)
{
	const struct merged_debug *m = (const struct merged_debug *)d;
	const struct merge_dso *found;

	if (*dso >= m->n_dsos)
		return NULL;
	found = &m->dsos[*dso];
	*dso = found->dso;
	return m->parts[found->part];
}

static size_t merged_scopes(struct profile_debug *d, const struct profile_frame *f, bool before,
			    struct profile_scope *ret, size_t max)
{
	struct profile_frame own = *f;
	struct profile_debug *of = debug_of(d, &own.dso);

	return of ? of->scopes(of, &own, before, ret, max) : 0;
}

static int merged_code(struct profile_debug *d, uint32_t dso, uint64_t start,
		       struct profile_code *ret, struct ptui_error *err)
{
	struct profile_debug *of = debug_of(d, &dso);

	return of ? of->code(of, dso, start, ret, err) : -ENOENT;
}

static bool merged_symbol(struct profile_debug *d, uint32_t dso, uint64_t addr,
			  struct profile_symbol *ret)
{
	struct profile_debug *of = debug_of(d, &dso);

	return of && of->symbol(of, dso, addr, ret);
}

static enum profile_access merged_data_type(struct profile_debug *d, const struct profile_frame *f,
					    struct profile_type *ret)
{
	struct profile_frame own = *f;
	struct profile_debug *of = debug_of(d, &own.dso);

	return of ? of->data_type(of, &own, ret) : PROFILE_ACCESS_UNKNOWN;
}

static void merged_debug_free(struct profile_debug *d)
{
	struct merged_debug *m = (struct merged_debug *)d;

	for (size_t i = 0; i < m->n_parts; i++)
		if (m->parts[i])
			m->parts[i]->free(m->parts[i]);
	free(m->parts);
	free(m->dsos);
	free(m);
}

const struct profile_debug merged_debug_ops = { .scopes = merged_scopes,
						.code = merged_code,
						.symbol = merged_symbol,
						.data_type = merged_data_type,
						.free = merged_debug_free };

/* ---- modules and frames ---- */

static uint64_t dso_hash(const struct merge_dso *d)
{
	return hash_pair(d->path, d->short_name);
}

static const uint8_t *build_id_of(struct profile_debug *d, uint32_t dso, size_t *ret_n)
{
	*ret_n = 0;
	return d && d->build_id ? d->build_id(d, dso, ret_n) : NULL;
}

/* Whether the build-ids of both are known, and not the same. */
static bool is_other_build(const struct profile_merge *m, const struct merge_dso *known,
			   const struct merge_dso *d)
{
	size_t n, n_known;
	const uint8_t *id = build_id_of(m->debug->parts[d->part], d->dso, &n);
	const uint8_t *id_known = build_id_of(m->debug->parts[known->part], known->dso, &n_known);

	return n && n_known && (n != n_known || memcmp(id, id_known, n) != 0);
}

/* The next module after `after` (PTUI_NONE: the first) with these names that this part has not yet. */
static uint32_t next_dso(const struct profile_merge *m, const struct merge_dso *d, uint32_t after)
{
	uint64_t hash = dso_hash(d);
	uint32_t at = index_table_begin(&m->dsos, hash), i;
	bool passed = after == PTUI_NONE;

	while ((i = index_table_next(&m->dsos, hash, &at)) != PTUI_NONE) {
		const struct merge_dso *known = &m->debug->dsos[i];

		if (passed && known->path == d->path && known->short_name == d->short_name &&
		    known->used_by != m->n_parts + 1 && !is_other_build(m, known, d))
			return i;
		passed |= i == after;
	}
	return PTUI_NONE;
}

static const struct profile_frame *merged_frames(const struct profile_merge *m)
{
	return store_array_at(&m->store.arrays[STORE_FRAMES], STORE_FRAMES, 0);
}

static uint64_t symbol_hash(uint32_t dso, uint64_t start)
{
	return hash_pair(dso, start);
}

/* Whether another function starts there: the module is another build. */
static bool contradicts(struct merge_maps *x, uint32_t dso, const struct profile_frame *f)
{
	const struct profile_frame *all = merged_frames(x->m);
	uint64_t start = frame_sym_start(f), hash = symbol_hash(dso, start);
	uint32_t name = strpool_move(&x->names, f->sym_name);
	uint32_t at = index_table_begin(&x->m->symbols, hash), i;

	while ((i = index_table_next(&x->m->symbols, hash, &at)) != PTUI_NONE)
		if (all[i].dso == dso && frame_sym_start(&all[i]) == start)
			return all[i].sym_name != name || all[i].sym_size != f->sym_size;
	return false;
}

static int add_dso(struct merge_maps *x, struct merge_dso *d, uint32_t *ret)
{
	struct merged_debug *debug = x->m->debug;

	if (*ret == PTUI_NONE) {
		if (debug->n_dsos >= PTUI_NONE ||
		    vec_grow(&debug->dsos, &debug->cap_dsos, debug->n_dsos + 1) ||
		    index_table_add(&x->m->dsos, dso_hash(d), (uint32_t)debug->n_dsos))
			return -ENOMEM;
		*ret = (uint32_t)debug->n_dsos;
		debug->dsos[debug->n_dsos++] = *d;
	}
	debug->dsos[*ret].used_by = (uint32_t)x->m->n_parts + 1;
	return 0;
}

int merge_map_dsos(struct merge_maps *x, size_t n)
{
	const struct ptui_profile *part = x->part;
	struct merge_dso *own = calloc(n + 1, sizeof(*own));
	bool *seen = calloc(n + 1, sizeof(*seen)), again = true;
	int ret = own && seen ? 0 : -ENOMEM;

	for (size_t i = 0; i < part->n_frames && !ret; i++) {
		const struct profile_frame *f = &part->frames[i];

		if (f->dso == PTUI_NONE || seen[f->dso])
			continue;
		seen[f->dso] = true;
		own[f->dso] =
			(struct merge_dso){ .path = strpool_move(&x->names, f->path),
					    .short_name = strpool_move(&x->names, f->short_name),
					    .part = (uint32_t)x->m->n_parts,
					    .dso = f->dso };
		x->dsos[f->dso] = next_dso(x->m, &own[f->dso], PTUI_NONE);
	}
	while (again && !ret) {
		again = false;
		for (size_t i = 0; i < part->n_frames; i++) {
			const struct profile_frame *f = &part->frames[i];
			uint32_t *dso = f->dso == PTUI_NONE ? NULL : &x->dsos[f->dso];

			if (!dso || *dso == PTUI_NONE || f->sym_name == PTUI_NONE ||
			    !contradicts(x, *dso, f))
				continue;
			*dso = next_dso(x->m, &own[f->dso], *dso);
			again = true;
		}
	}
	for (size_t d = 0; d < n && !ret; d++) {
		/* two modules of the part with the same names are two here as well */
		if (seen[d] && x->dsos[d] != PTUI_NONE &&
		    x->m->debug->dsos[x->dsos[d]].used_by == x->m->n_parts + 1)
			x->dsos[d] = next_dso(x->m, &own[d], x->dsos[d]);
		if (seen[d])
			ret = add_dso(x, &own[d], &x->dsos[d]);
	}
	free(own);
	free(seen);
	return ret;
}

static bool same_frame(const struct profile_frame *a, const struct profile_frame *b)
{
	return a->addr == b->addr && a->dso == b->dso && a->level == b->level &&
	       a->sym_name == b->sym_name && a->sym_offset == b->sym_offset &&
	       a->sym_size == b->sym_size && a->short_name == b->short_name && a->path == b->path &&
	       a->start == b->start && a->object == b->object && a->unnamed == b->unnamed &&
	       a->hidden == b->hidden && (a->dso != PTUI_NONE || a->raw_addr == b->raw_addr);
}

static uint32_t find_frame(const struct profile_merge *m, const struct profile_frame *f)
{
	const struct profile_frame *all = merged_frames(m);
	uint64_t hash = hash_pair(f->dso, f->addr);
	uint32_t at = index_table_begin(&m->frames, hash), i;

	do {
		i = index_table_next(&m->frames, hash, &at);
	} while (i != PTUI_NONE && !same_frame(&all[i], f));
	return i;
}

static void set_added(void *ctx, size_t i, struct profile_frame *ret)
{
	const struct merge_maps *x = ctx;

	*ret = x->added[i - x->first_added];
	ret->inlined = 0;
}

static int index_frames(struct profile_merge *m, size_t first, size_t end)
{
	const struct profile_frame *all = merged_frames(m);
	int ret = 0;

	for (size_t i = first; i < end && !ret; i++) {
		const struct profile_frame *f = &all[i];

		ret = index_table_add(&m->frames, hash_pair(f->dso, f->addr), (uint32_t)i);
		/* one frame of each function is enough, and most follow another one of it */
		if (!ret && f->sym_name != PTUI_NONE && f->dso != PTUI_NONE && f->face == i)
			ret = index_table_add(&m->symbols, symbol_hash(f->dso, frame_sym_start(f)),
					      (uint32_t)i);
	}
	return ret;
}

int merge_add_frames(struct merge_maps *x)
{
	const struct ptui_profile *part = x->part;
	size_t n = 0, had = x->m->store.arrays[STORE_FRAMES].n;
	int ret;

	x->added = malloc((part->n_frames + 1) * sizeof(*x->added));
	if (!x->added || part->n_frames >= PTUI_NONE - had)
		return -ENOMEM;
	x->first_added = had;
	for (size_t i = 0; i < part->n_frames; i++) {
		struct profile_frame f = part->frames[i];
		uint32_t at;

		f.dso = f.dso == PTUI_NONE ? PTUI_NONE : x->dsos[f.dso];
		f.short_name = strpool_move(&x->names, f.short_name);
		f.path = strpool_move(&x->names, f.path);
		f.why = strpool_move(&x->names, f.why);
		f.no_cfi = strpool_move(&x->names, f.no_cfi);
		f.sym_name = strpool_move(&x->names, f.sym_name);
		at = find_frame(x->m, &f);
		if (at == PTUI_NONE) {
			at = (uint32_t)(had + n);
			x->added[n++] = f;
		}
		x->frames[i] = at;
	}
	ret = profile_store_add_frames(&x->m->store, had + n, set_added, x);
	return ret ? ret : index_frames(x->m, had, had + n);
}
