/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The profile of what the builder has: facts about frames, counts by event, what is known of the quality of the data. */
#include "session/builder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- frames ---- */

static char mode_letter(unsigned mode)
{
	static const char levels[] = { 'H', 'k', '.', 'H', 'g', 'u' };

	return mode < sizeof(levels) ? levels[mode] : 'H';
}

static enum ptui_symbols symbols_state(const struct dso_info *dso)
{
	static const enum ptui_symbols states[] = {
		[DSO_UNTRIED] = PTUI_SYMBOLS_OK,
		[DSO_OK] = PTUI_SYMBOLS_OK,
		[DSO_NO_FILE] = PTUI_SYMBOLS_NO_FILE,
		[DSO_STALE] = PTUI_SYMBOLS_STALE,
		[DSO_NO_SYMBOLS] = PTUI_SYMBOLS_NONE,
		[DSO_FORBIDDEN] = PTUI_SYMBOLS_FORBIDDEN,
		[DSO_UNVERIFIED] = PTUI_SYMBOLS_UNVERIFIED,
	};

	if (!dso)
		return PTUI_SYMBOLS_NO_MAP;
	if (dso->forced)
		return PTUI_SYMBOLS_UNVERIFIED;
	if (dso->jit && (dso->state == DSO_NO_FILE || dso->state == DSO_NO_SYMBOLS))
		return PTUI_SYMBOLS_JIT;
	return states[dso->state];
}

/* What frames of a module have in common; PTUI_NONE: of none. */
static struct profile_frame module_frame(const struct builder *b, uint32_t module)
{
	const struct dso_info *dso = module == PTUI_NONE ? NULL : resolver_dso(b->resolver, module);
	const char *no_cfi = dso && b->user_chains.unwinder ?
				     stack_unwinder_module_why(b->user_chains.unwinder, module) :
				     NULL;

	return (struct profile_frame){
		.dso = module,
		.short_name = dso ? dso->short_name : PTUI_NONE,
		.path = dso ? dso->name : PTUI_NONE,
		.sym_name = PTUI_NONE,
		.why = dso && dso->state != DSO_UNTRIED ? dso->why_name : PTUI_NONE,
		/* PTUI_NONE without memory as well */
		.no_cfi = no_cfi ? strpool_add(b->store.names, no_cfi) : PTUI_NONE,
		.hidden = dso && dso->state == DSO_FORBIDDEN,
		.origin = dso ? (uint8_t)dso->origin & 127U : 0,
		.symbols = (uint8_t)symbols_state(dso) & 15U,
	};
}

struct frame_maker {
	const struct resolver *resolver;
	struct profile_frame *of_modules; /* by module; then of no module */
	size_t n_modules;
};

static void make_frame(void *ctx, size_t i, struct profile_frame *ret)
{
	const struct frame_maker *m = ctx;
	const struct frame *f = &resolver_frames(m->resolver)[i];

	*ret = m->of_modules[f->dso == PTUI_NONE ? m->n_modules : f->dso];
	ret->addr = f->off;
	ret->raw_addr = f->addr;
	ret->level = mode_letter(f->mode);
	ret->start = (unsigned)resolver_frame_start(m->resolver, f) & 3U;
	if (f->sym != PTUI_NONE) {
		const struct symbol *sym = resolver_symbol(m->resolver, f->sym);

		frame_set_symbol(ret, sym->name, sym->start, sym->end);
		ret->object = sym->object;
		ret->unnamed = sym->unnamed;
	}
}

static int make_frames(struct builder *b)
{
	size_t n = machine_n_modules(b->machine), n_frames = resolver_n_frames(b->resolver);
	struct frame_maker m = { .resolver = b->resolver, .n_modules = n };
	int ret;

	if (n_frames == profile_store_n_frames(&b->store))
		return 0;
	m.of_modules = malloc((n + 1) * sizeof(*m.of_modules));
	if (!m.of_modules)
		return -ENOMEM;
	for (size_t i = 0; i <= n; i++)
		m.of_modules[i] = module_frame(b, i < n ? (uint32_t)i : PTUI_NONE);
	ret = profile_store_set_modules(&b->store, m.of_modules, n);
	if (!ret)
		ret = profile_store_add_frames(&b->store, n_frames, make_frame, &m);
	free(m.of_modules);
	return ret;
}

void trust_set_damage(struct ptui_trust *trust, const struct data_damage *d)
{
	trust->unknown_event = d->unknown_ids;
	trust->bad_records = d->bad_records;
	trust->unknown_records = d->unknown_records;
	memcpy(trust->unknown_types, d->unknown_types, sizeof(trust->unknown_types));
	trust->truncated_bytes = d->truncated_bytes;
	trust->skipped_bytes = d->skipped_bytes;
	trust->bad_sections = d->bad_sections;
	trust->cut_after_samples = d->cut_after_data;
	memcpy(trust->missing_sections, d->missing_features, sizeof(trust->missing_sections));
	trust->unfinished = d->unfinished;
	memcpy(trust->records, d->records, sizeof(trust->records));
}

void builder_set_damage(struct builder *b, const struct data_damage *d)
{
	trust_set_damage(&b->trust, d);
	b->trust.bad_records += b->bad_periods;
}

/* ---- counts ---- */

/*
 * LOST has the id of the event that wrote the next record into the ring buffer. In a shared buffer
 * the event that lost records may be another one. LOST_SAMPLES counts the losses of each event.
 */
static void count_lost_sideband(struct builder *b)
{
	struct ptui_trust *t = &b->trust;

	t->lost_sideband = t->lost_samples >= t->lost_events ? b->lost_sideband_samples :
							       b->lost_sideband;
}

static void count_events(struct builder *b)
{
	struct ptui_event_info *events = b->store.events;
	size_t n = b->store.n_events;

	for (size_t i = 0; i < n; i++) {
		events[i].lost_samples = i < b->cap_lost ? b->lost_samples[i] : 0;
		events[i].enabled_ns = events[i].running_ns = 0;
	}
	for (size_t i = 0; i < b->n_times; i++) {
		const struct builder_times *t = &b->times[i];

		if (t->event >= n)
			continue;
		events[t->event].enabled_ns += t->enabled_ns;
		/* the clocks of the CPUs do not stop at the same moment */
		events[t->event].running_ns += t->running_ns < t->enabled_ns ? t->running_ns :
									       t->enabled_ns;
	}
}

static void explain_stacks(struct builder *b)
{
	const char *why = b->user_chains.unwinder ? stack_unwinder_why(b->user_chains.unwinder) :
						    NULL;
	uint32_t id = why ? strpool_add(b->store.names, why) : PTUI_NONE;

	for (size_t i = 0; id != PTUI_NONE && i < b->store.n_events; i++)
		if (b->store.events[i].stacks_dumped)
			b->store.events[i].stacks_why = strpool_get(b->store.names, id);
}

/*
 * Of the rows that are kept. Whether a frame is proven is known once it is symbolized, so rows are
 * counted once; all of them again when some were dropped, which happens in batches.
 */
static void count_unverified(struct builder *b)
{
	const struct samples *s = &b->store.samples;
	size_t n = s->n - b->store.first;
	bool has;

	if (b->counted_dropped != b->store.dropped || b->counted_rows > n) {
		b->trust.unverified = 0;
		b->counted_rows = 0;
	}
	b->trust.forced_names = b->resolver_opts.force_names;
	has = resolver_has_unverified(b->resolver);
	for (size_t i = b->counted_rows; i < n && has; i++) {
		uint32_t frame = s->frame[b->store.first + i];

		if (resolver_frame_unverified(b->resolver, &resolver_frames(b->resolver)[frame]))
			b->trust.unverified += samples_count(s, b->store.first + i);
	}
	b->counted_rows = n;
	b->counted_dropped = b->store.dropped;
}

/* A name set after the last sample is in the machine only, and only while the thread lives. */
void builder_name_threads(struct builder *b)
{
	struct samples *s = &b->store.samples;

	for (size_t t = 0; t < s->n_threads; t++) {
		uint32_t comm = machine_comm(b->machine, s->threads[t].pid, s->threads[t].tid,
					     UINT64_MAX);

		if (comm != PTUI_NONE)
			s->threads[t].last_comm = comm;
	}
	profile_store_refresh_threads(&b->store);
}

int builder_find_symbols(struct builder *b, ptui_progress_fn progress, void *ctx,
			 struct ptui_error *err)
{
	int ret = resolver_symbolize(b->resolver, progress, ctx, err);

	if (resolver_n_retired(b->resolver) != b->n_retired)
		chain_builder_invalidate(&b->chain);
	b->n_retired = resolver_n_retired(b->resolver);
	if (!ret && make_frames(b))
		ret = ptui_error_nomem(err);
	return ret;
}

struct ptui_profile *builder_publish(struct builder *b, ptui_progress_fn progress, void *ctx,
				     struct ptui_error *err, int *ret_error)
{
	struct ptui_profile *p = NULL;
	int ret = builder_find_symbols(b, progress, ctx, err);

	if (!ret && builder_find_skips(b))
		ret = ptui_error_nomem(err);
	if (!ret) {
		count_events(b);
		explain_stacks(b);
		count_lost_sideband(b);
		p = profile_store_publish(&b->store, &b->trust);
		if (!p)
			ret = ptui_error_nomem(err);
	}
	/* of the rows that are in it: the store has dropped others */
	if (p) {
		count_unverified(b);
		p->trust = b->trust;
	}
	if (b->chain_numbering != b->store.renumbered)
		chain_builder_invalidate(&b->chain);
	b->chain_numbering = b->store.renumbered;
	if (ret && ret_error)
		*ret_error = ret;
	return p;
}
