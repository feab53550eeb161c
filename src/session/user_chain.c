/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/user_chain.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/perf_abi.h"
#include "base/vec.h"

#define DUMP (PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER)

void user_chains_release(struct user_chains *u)
{
	stack_unwinder_free(u->unwinder);
	deferred_release(&u->deferred);
	for (size_t i = 0; i < u->n_lbr; i++) {
		free(u->lbr[i].entries);
		free(u->lbr[i].below);
	}
	free(u->lbr);
	free(u->addrs);
	memset(u, 0, sizeof(*u));
}

bool user_chain_is_dumped(const struct data_event *e)
{
	return (e->sample_type & DUMP) == DUMP && e->exclude_callchain_user;
}

bool user_chain_was_unwound(const struct data_event *e)
{
	return e->stack_user_bytes && !(e->sample_type & PERF_SAMPLE_STACK_USER);
}

/* ---- a copy of the stack ---- */

static uint8_t stack_how(const struct unwind_result *r)
{
	static const uint8_t how[UNWIND_ENDS] = {
		[UNWIND_START] = STACK_REACHED,	     [UNWIND_MAX] = STACK_CUT,
		[UNWIND_DUMP_END] = STACK_TRUNCATED, [UNWIND_OTHER_STACK] = STACK_OTHER,
		[UNWIND_NO_MAP] = STACK_BROKEN,	     [UNWIND_NO_ROW] = STACK_BROKEN,
		[UNWIND_BAD] = STACK_BROKEN,	     [UNWIND_NO_REGS] = STACK_NOT_UNWOUND,
	};

	return (uint8_t)(how[r->end] | (r->n_guessed ? STACK_GUESSED : 0));
}

/*
 * Callers are return addresses minus one, as in perf: after a call of a function that does not
 * return, the next instruction may belong to another function.
 */
static int unwind(struct user_chains *u, const struct data_sample *s, uint64_t when,
		  struct chain_user *ret, uint8_t *ret_how)
{
	struct unwound_stack stack;
	uint32_t n;

	stack_unwinder_unwind(u->unwinder, s, when, &stack);
	n = stack.result.n;
	if (vec_grow(&u->addrs, &u->cap, n + 1))
		return -ENOMEM;
	for (uint32_t i = 0; i < n; i++)
		u->addrs[i] = stack.addrs[i] - stack_unwinder_is_return(u->unwinder, i);
	*ret = (struct chain_user){ u->addrs, n, false };
	*ret_how = stack_how(&stack.result);
	return 1;
}

/* ---- call stack of the LBR ---- */

#define LBR_WORDS     3 /* { from, to, flags } */
#define LBR_BELOW_MAX 4096

/* Threads with such stacks are few: those of one command, or the newest. NULL: out of memory. */
static struct lbr_thread *lbr_thread(struct user_chains *u, int32_t tid)
{
	struct lbr_thread *oldest = u->lbr;

	for (size_t i = u->n_lbr; i-- > 0;) {
		if (u->lbr[i].tid == tid)
			return &u->lbr[i];
		if (u->lbr[i].time_ns < oldest->time_ns)
			oldest = &u->lbr[i];
	}
	if (u->max_threads && u->n_lbr >= u->max_threads) {
		oldest->tid = tid;
		oldest->n = oldest->n_below = 0;
		oldest->time_ns = 0;
		return oldest;
	}
	if (vec_grow(&u->lbr, &u->cap_lbr, u->n_lbr + 1))
		return NULL;
	u->lbr[u->n_lbr] = (struct lbr_thread){ .tid = tid };
	return &u->lbr[u->n_lbr++];
}

/* The entry of the last sample in the register of the current one's outermost call; SIZE_MAX: none. */
static size_t lbr_common(const struct user_chains *u, const struct lbr_thread *t,
			 const struct data_sample *s)
{
	uint64_t n = s->n_branches, base = u->max_lbr - n + s->branch_hw_index + 1, at;

	if (!t->n || s->time_ns < t->time_ns || n > u->max_lbr)
		return SIZE_MAX;
	/* as in perf: registers are a ring */
	at = t->hw_index > base ? t->hw_index - base : u->max_lbr + t->hw_index - base;
	if (at >= t->n || memcmp(&t->entries[LBR_WORDS * at], s->branches + 8 * LBR_WORDS * (n - 1),
				 8 * LBR_WORDS) != 0)
		return SIZE_MAX;
	return (size_t)at;
}

/* Addresses below the current sample's become those of the last one, and what that had. 0 or -ENOMEM. */
static int lbr_keep_below(struct user_chains *u, struct lbr_thread *t, size_t common)
{
	size_t n = t->n - common - 1;

	/* wrong ones may come again and again */
	if (t->n_below + n > LBR_BELOW_MAX)
		t->n_below = LBR_BELOW_MAX > n ? LBR_BELOW_MAX - n : 0;
	if (vec_grow(&t->below, &t->cap_below, t->n_below + n))
		return -ENOMEM;
	if (n)
		memmove(t->below + n, t->below, t->n_below * sizeof(*t->below));
	for (size_t i = 0; i < n; i++)
		t->below[i] = data_word((const uint8_t *)t->entries, LBR_WORDS * (common + 1 + i),
					u->swapped);
	t->n_below += n;
	return 0;
}

/* Sets what is below the sample's call stack. NULL: out of memory. */
static const struct lbr_thread *lbr_stitch(struct user_chains *u, const struct data_sample *s)
{
	struct lbr_thread *t = lbr_thread(u, s->tid);
	size_t words = LBR_WORDS * (size_t)s->n_branches, common;

	if (!t)
		return NULL;
	common = lbr_common(u, t, s);
	if (common == SIZE_MAX)
		t->n_below = 0;
	else if (lbr_keep_below(u, t, common))
		return NULL;
	if (vec_grow(&t->entries, &t->cap_entries, words))
		return NULL;
	memcpy(t->entries, s->branches, words * sizeof(*t->entries));
	t->n = (size_t)s->n_branches;
	t->hw_index = s->branch_hw_index;
	t->time_ns = s->time_ns;
	return t;
}

/*
 * As in perf (tools/perf/util/machine.c, resolve_lbr_callchain_sample): the target of the last
 * call, then the source of each call, last call first. An entry is { from, to, flags }.
 */
static int lbr_chain(struct user_chains *u, const struct data_sample *s, struct chain_user *ret)
{
	const struct lbr_thread *t = u->max_lbr ? lbr_stitch(u, s) : NULL;
	size_t n = s->n_branches, below = t ? t->n_below : 0;

	if ((u->max_lbr && !t) || vec_grow(&u->addrs, &u->cap, n + 1 + below))
		return -ENOMEM;
	for (size_t i = 0; i < below; i++)
		u->addrs[n + 1 + i] = t->below[i];
	u->addrs[0] = data_word(s->branches, 1, u->swapped);
	for (size_t i = 0; i < n; i++)
		u->addrs[i + 1] = data_word(s->branches, 3 * i, u->swapped);
	*ret = (struct chain_user){ u->addrs, n + 1 + below, false };
	return 1;
}

static bool has_lbr_chain(const struct data_event *e, const struct data_sample *s)
{
	if (!(e->branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK) || !s->n_branches)
		return false;
	for (uint32_t i = 0; i < s->n_chain; i++)
		if (s->chain[i] == (uint64_t)PERF_CONTEXT_USER)
			return true;
	return false;
}

/* ptui's own marks in stacks that were unwound while recording: record/unwind/short_sample.h */
static uint8_t recorded_how(const struct data_sample *s)
{
	const uint64_t user = (uint64_t)PERF_CONTEXT_USER;
	uint32_t n = s->n_chain, marks = 0, i;

	while (marks < n && s->chain[n - 1 - marks] == user)
		marks++;
	if (!marks)
		return STACK_RECORDED;
	for (i = n - marks; i-- > 0;)
		if (s->chain[i] >= (uint64_t)PERF_CONTEXT_MAX)
			break;
	if (i == UINT32_MAX || s->chain[i] != user) /* the marks are all of the user part */
		return marks == 2 ? STACK_LATE : STACK_RECORDED;
	if (n - marks - i - 1 < 2)
		return STACK_LATE;
	return marks > 1 ? STACK_OTHER : STACK_TRUNCATED;
}

int user_chain_get(struct user_chains *u, const struct data_event *e, const struct data_sample *s,
		   uint64_t when, struct chain_user *ret, uint8_t *ret_how)
{
	uint64_t cookie;

	*ret_how = recorded_how(s);
	if (chain_is_deferred(s, &cookie)) {
		if (deferred_find(&u->deferred, s->tid, cookie, ret))
			return 1;
		*ret_how = STACK_LOST;
		return 0;
	}
	if (has_lbr_chain(e, s))
		return lbr_chain(u, s, ret);
	/* kernel threads have no user registers */
	if (u->unwinder && user_chain_is_dumped(e) && s->regs_user && s->stack_user_bytes &&
	    !chain_has_user(s))
		return unwind(u, s, when, ret, ret_how);
	return 0;
}
