/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From frame to frame.
 *
 *   pc - 1 --places--> table, rva --rows--> row --SP, FP, stack--> the caller's pc, SP, FP
 *
 * Both caches have fixed sizes:
 *
 *   places   a few ranges per generation: what the callback has returned
 *   rows     by (table, rva): processes that run the same files share them
 *
 * The address of a caller is looked up minus one, as a call may be the last instruction of its function;
 * that of an interrupted frame (the first one, and the caller of a signal frame) as it is.
 */
#include <stdalign.h>
#include <stdlib.h>
#include "unwind/slow.h"

#define N_SETS		 64 /* powers of two */
#define SET_PLACES	 12
#define N_ROWS		 8192
#define BUDGET		 65536 /* of slow work per stack; a stack that needs much of it takes some 300 */
#define FIRST_FRAMES	 128
#define SIGNAL_FRAME_MAX 32768 /* all registers of any processor fit */

/* The places of the generations that share a set; the oldest is replaced. */
struct place_set {
	uint64_t generations[SET_PLACES];
	struct unwind_place places[SET_PLACES]; /* start == end: free */
	uint32_t next;
};

struct row_entry {
	uint64_t rva;
	uint32_t table; /* id; 0: free */
	struct row row;
};

struct unwinder {
	unwind_find_fn find;
	void *ctx;
	struct frame *frames;
	size_t frames_cap;
	uint64_t last_generation;
	struct unwind_place
		last; /* the place of the frame before: often that of the next one as well */
	struct place_set sets[N_SETS];
	alignas(64) struct row_entry rows[N_ROWS]; /* 2 entries are a cache line */
};

struct unwinder *unwinder_new(unwind_find_fn find, void *ctx)
{
	struct unwinder *u = aligned_alloc(alignof(struct unwinder), sizeof(*u));

	if (u) {
		memset(u, 0, sizeof(*u));
		u->find = find;
		u->ctx = ctx;
	}
	return u;
}

void unwinder_free(struct unwinder *u)
{
	if (u)
		free(u->frames);
	free(u);
}

/* Rows stay: a table's id is never that of another one. */
void unwinder_forget(struct unwinder *u)
{
	memset(&u->last, 0, sizeof(u->last));
	memset(u->sets, 0, sizeof(u->sets));
}

bool unwind_sample_reg(const struct unwind_sample *s, int perf, uint64_t *ret)
{
	uint64_t bit;

	if (perf < 0 || perf > 63)
		return false;
	bit = 1ull << perf;
	if (!(s->regs_mask & bit))
		return false;
	*ret = s->regs[__builtin_popcountll(s->regs_mask & (bit - 1))];
	if (s->arch->word == 4)
		*ret = (uint32_t)*ret;
	return true;
}

/* ---- caches ---- */

static bool place_has(const struct unwind_place *p, uint64_t addr)
{
	return addr >= p->start && addr < p->end;
}

static bool place_search(struct unwinder *u, uint64_t generation, uint64_t addr)
{
	struct place_set *set = &u->sets[(generation * 0x9e3779b97f4a7c15ull >> 40) & (N_SETS - 1)];
	struct unwind_place *p;

	for (size_t i = 0; i < SET_PLACES; i++) {
		if (set->generations[i] == generation && place_has(&set->places[i], addr)) {
			u->last = set->places[i];
			return true;
		}
	}
	p = &set->places[set->next];
	if (!u->find(u->ctx, addr, p) || !place_has(p, addr)) {
		p->start = p->end = 0;
		return false;
	}
	set->generations[set->next] = generation;
	set->next = (set->next + 1) % SET_PLACES;
	u->last = *p;
	return true;
}

/* NULL: nothing is mapped there. */
static const struct unwind_place *place_of(struct unwinder *u, uint64_t generation, uint64_t addr)
{
	if (u->last_generation == generation && place_has(&u->last, addr))
		return &u->last;
	u->last_generation = generation;
	if (place_search(u, generation, addr))
		return &u->last;
	u->last.start = u->last.end = 0;
	return NULL;
}

static const struct row *row_of(struct unwinder *u, const struct unwind_table *t, uint64_t rva)
{
	uint64_t h = (rva ^ (uint64_t)t->id << 40) * 0x9e3779b97f4a7c15ull;
	struct row_entry *e = &u->rows[h >> 40 & (N_ROWS - 1)];

	if (e->rva != rva || e->table != t->id) {
		e->rva = rva;
		e->table = t->id;
		row_at(t, rva, &e->row);
	}
	return &e->row;
}

/* ---- one step ---- */

/* 0: `ret` is the caller; else an enum unwind_end + 1. */
typedef int step_result;

static step_result ends(enum unwind_end end)
{
	return (int)end + 1;
}

static step_result read_failed(const struct stack_walk *w, enum read_result result)
{
	return ends(result == READ_PAST ? walk_end_past(w) : walk_end_below(w));
}

static step_result fp_missing(const struct stack_walk *w, uint32_t k)
{
	return ends(k ? walk_end_past(w) : UNWIND_NO_REGS);
}

static step_result frame_cfa(struct stack_walk *w, uint32_t k, const struct row *row)
{
	struct frame *f = &w->frames[k];
	bool by_fp = row->cfa == ROW_FP || row->cfa == ROW_FP_DEREF;
	enum read_result result;

	if (by_fp && !f->fp_known)
		return fp_missing(w, k);
	f->cfa = (by_fp ? f->fp : f->sp) + (uint64_t)(int64_t)row->cfa_off;
	if (row->cfa == ROW_SP || row->cfa == ROW_FP)
		return 0;
	result = walk_read(w, f->cfa, &f->cfa);
	return result == READ_OK ? 0 : read_failed(w, result);
}

static uint64_t saved_at(const struct frame *f, enum row_saved saved, int32_t off)
{
	uint64_t base = saved == SAVED_AT_SP ? f->sp : saved == SAVED_AT_FP ? f->fp : f->cfa;

	return base + (uint64_t)(int64_t)off;
}

/*
 * Below SP nothing is saved: an epilogue has popped FP, although the row still has the place where it was saved, so
 * the register has the caller's value again. Then a place relative to FP is relative to the caller's, and
 * is outside of the frame.
 */
static void frame_saved_fp(const struct stack_walk *w, const struct frame *f, const struct row *row,
			   struct caller *ret)
{
	uint64_t addr = saved_at(f, row->fp, row->fp_off);

	ret->fp = f->fp;
	ret->fp_known = f->fp_known;
	if (row->fp == SAVED_SAME || addr < f->sp ||
	    (row->fp == SAVED_AT_FP && (addr >= f->cfa || !f->fp_known)))
		return;
	ret->fp_known = walk_read(w, addr, &ret->fp) == READ_OK;
}

static step_result frame_ra(struct stack_walk *w, uint32_t k, const struct row *row, uint64_t *ret)
{
	const struct frame *f = &w->frames[k];
	enum read_result result;

	if (row->ra == SAVED_AT_FP && !f->fp_known)
		return fp_missing(w, k);
	if (row->ra == SAVED_SAME)
		return w->arch->link ? slow_reg(w, k, w->arch->ra, 0, ret) : ends(UNWIND_BAD);
	result = walk_read(w, saved_at(f, row->ra, row->ra_off), ret);
	return result == READ_OK ? 0 : read_failed(w, result);
}

/*
 * A step must leave the frame: towards the stack's origin, or out of a function without a frame (a leaf that
 * has its return address in a register; vfork() on any architecture).
 */
static bool makes_progress(const struct stack_walk *w, uint32_t k, bool interrupted,
			   const struct caller *to)
{
	const struct frame *f = &w->frames[k];

	if (to->interrupted || to->any_sp)
		return to->pc != f->pc || to->sp != f->sp;
	return to->sp > f->sp || (to->sp == f->sp && interrupted && to->pc != f->pc);
}

static step_result step_by_row(struct stack_walk *w, uint32_t k, bool interrupted,
			       const struct row *row, struct caller *ret)
{
	struct frame *f = &w->frames[k];
	step_result err;

	if (row->cfa == ROW_BAD)
		return ends(UNWIND_BAD);
	if (row->cfa == ROW_START)
		return ends(UNWIND_START);
	if (row->cfa == ROW_SLOW) {
		err = slow_step(w, k, ret);
	} else {
		err = frame_cfa(w, k, row);
		if (!err)
			err = frame_ra(w, k, row, &ret->pc);
		if (err)
			return err;
		frame_saved_fp(w, f, row, ret);
		ret->sp = f->cfa + (uint64_t)(int64_t)w->arch->sp_minus_cfa;
		ret->interrupted = row->flags & ROW_SIGNAL;
		ret->any_sp = false;
	}
	f->by_rows = true;
	if (!err && ret->pc && !makes_progress(w, k, interrupted, ret))
		err = ends(UNWIND_BAD);
	return err;
}

/* Where there is no row: by the frame pointer, if what it points to looks like a frame. */
static step_result step_by_guess(struct stack_walk *w, uint32_t k, struct caller *ret)
{
	const struct frame *f = &w->frames[k];
	const unsigned word = w->arch->word;
	uint64_t at = f->fp;

	ret->interrupted = ret->any_sp = false;
	ret->fp_known = true;
	if (w->arch->guess == GUESS_BACKCHAIN) {
		ret->fp = f->fp;
		ret->fp_known = false;
		if (walk_read(w, f->sp, &ret->sp) != READ_OK || ret->sp <= f->sp ||
		    walk_read(w, ret->sp + 16, &ret->pc) != READ_OK)
			return ends(ret->sp || !k ? UNWIND_NO_ROW : UNWIND_START);
		return 0;
	}
	if (w->arch->guess == GUESS_NEVER || !f->fp_known)
		return ends(UNWIND_NO_ROW);
	if (!at) /* so the psABIs mark the outermost frame */
		return ends(k ? UNWIND_START : UNWIND_NO_ROW);
	if (w->arch->guess == GUESS_BELOW_FP)
		at -= 2 * word;
	if (at < f->sp || at % word || walk_read(w, at, &ret->fp) != READ_OK ||
	    walk_read(w, at + word, &ret->pc) != READ_OK)
		return ends(UNWIND_NO_ROW);
	ret->sp = at + 2 * word;
	return 0;
}

/*
 * Whether the caller's frame is on another stack: it is not in the dump, and not just past its end, where the
 * frame of a signal on the same stack may lead.
 */
static bool leaves_stack(const struct stack_walk *w, uint32_t k, const struct caller *to)
{
	uint64_t sp = w->frames[k].sp;

	if (!(to->interrupted || to->any_sp) || to->sp - w->sp0 <= w->dump_bytes)
		return false;
	return to->sp < sp || to->sp - sp > SIGNAL_FRAME_MAX || !w->sample->dump_full;
}

/* ---- a stack ---- */

static bool first_frame(struct stack_walk *w)
{
	struct frame *f = &w->frames[0];
	const struct unwind_sample *s = w->sample;

	f->fp = 0;
	f->is_return = false;
	f->fp_known = unwind_sample_reg(s, unwind_arch_perf_reg(w->arch, w->arch->fp), &f->fp);
	return unwind_sample_reg(s, w->arch->ip_perf, &f->pc) &&
	       unwind_sample_reg(s, unwind_arch_perf_reg(w->arch, w->arch->sp), &f->sp);
}

static bool has_room(struct unwinder *u, size_t n)
{
	struct frame *v;
	size_t cap = u->frames_cap ? 2 * u->frames_cap : FIRST_FRAMES;

	if (n <= u->frames_cap)
		return true;
	v = realloc(u->frames, cap * sizeof(*v));
	if (!v)
		return false;
	u->frames = v;
	u->frames_cap = cap;
	return true;
}

static step_result step(struct unwinder *u, struct stack_walk *w, uint32_t k, bool interrupted,
			struct caller *to, bool *ret_guessed)
{
	struct frame *f = &w->frames[k];
	uint64_t look = f->pc - !interrupted;
	const struct unwind_place *place = place_of(u, w->sample->generation, look);
	const struct row *row = NULL;
	step_result err;

	f->by_rows = false;
	*ret_guessed = false;
	if (!place)
		return ends(UNWIND_NO_MAP);
	f->table = place->table;
	f->bias = place->bias;
	f->rva = look - place->bias;
	if (w->arch->word == 4)
		f->rva = (uint32_t)f->rva;
	if (f->table && f->table->arch == w->arch)
		row = row_of(u, f->table, f->rva);
	if (row && row->cfa != ROW_NONE)
		return step_by_row(w, k, interrupted, row, to);
	err = step_by_guess(w, k, to);
	if (!err && to->pc) {
		to->pc &= w->arch->address_mask;
		if (!place_of(u, w->sample->generation, to->pc - 1))
			return ends(UNWIND_NO_ROW);
		*ret_guessed = true;
	}
	return err;
}

void unwind_stack(struct unwinder *u, const struct unwind_sample *s, uint64_t *addrs, uint32_t max,
		  struct unwind_result *ret)
{
	struct stack_walk w = { .sample = s, .arch = s->arch, .budget = BUDGET };
	bool interrupted = true, guessed;

	*ret = (struct unwind_result){ .end = UNWIND_NO_REGS, .first_guessed = UINT32_MAX };
	if (!s->arch || !max || !has_room(u, 1))
		return;
	w.frames = u->frames;
	if (!first_frame(&w))
		return;
	w.sp0 = w.frames[0].sp;
	w.dump_bytes = s->stack_bytes;
	for (uint32_t k = 0;; k++) {
		struct caller to;
		step_result err;

		addrs[ret->n++] = w.frames[k].pc;
		err = step(u, &w, k, interrupted, &to, &guessed);
		if (!err) {
			to.pc &= s->arch->address_mask;
			if (!to.pc)
				err = ends(UNWIND_START);
			else if (ret->n == max || !has_room(u, ret->n + 1))
				err = ends(UNWIND_MAX);
		}
		if (err) {
			ret->end = (enum unwind_end)(err - 1);
			return;
		}
		if (guessed && !ret->n_guessed++)
			ret->first_guessed = ret->n;
		w.frames = u->frames;
		w.frames[k].is_return &= !to.interrupted;
		w.switched_stack |= leaves_stack(&w, k, &to);
		interrupted = to.interrupted;
		w.frames[k + 1].pc = to.pc;
		w.frames[k + 1].sp = to.sp;
		w.frames[k + 1].fp = to.fp;
		w.frames[k + 1].fp_known = to.fp_known;
		w.frames[k + 1].is_return = !to.interrupted;
	}
}

bool unwinder_is_return(const struct unwinder *u, uint32_t i)
{
	return u->frames[i].is_return;
}
