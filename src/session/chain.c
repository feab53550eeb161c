/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/chain.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/perf_abi.h"
#include "base/vec.h"

void chain_builder_release(struct chain_builder *b)
{
	free(b->addrs);
	free(b->last);
	free(b->frames);
	free(b->kept);
	memset(b, 0, sizeof(*b));
}

void chain_builder_invalidate(struct chain_builder *b)
{
	b->n_last = 0;
	if (b->kept)
		memset(b->kept, 0, CHAIN_KEPT * sizeof(*b->kept));
}

void chain_builder_keep(struct chain_builder *b)
{
	if (!b->kept)
		b->kept = calloc(CHAIN_KEPT, sizeof(*b->kept));
}

int chain_marker_mode(uint64_t marker)
{
	static const struct {
		uint64_t marker;
		int mode;
	} markers[] = {
		{ PERF_CONTEXT_HV, DATA_MODE_HYPERVISOR },
		{ PERF_CONTEXT_KERNEL, DATA_MODE_KERNEL },
		{ PERF_CONTEXT_USER, DATA_MODE_USER },
		{ PERF_CONTEXT_GUEST_KERNEL, DATA_MODE_GUEST_KERNEL },
		{ PERF_CONTEXT_GUEST_USER, DATA_MODE_GUEST_USER },
	};

	for (size_t i = 0; i < sizeof(markers) / sizeof(markers[0]); i++) {
		if (markers[i].marker == marker)
			return markers[i].mode;
	}
	return -1;
}

static bool is_marker(uint64_t addr)
{
	return addr >= (uint64_t)PERF_CONTEXT_MAX;
}

bool chain_has_user(const struct data_sample *s)
{
	int mode = DATA_MODE_USER;

	for (uint32_t i = 0; i < s->n_chain; i++) {
		if (is_marker(s->chain[i]))
			mode = chain_marker_mode(s->chain[i]);
		else if (mode == DATA_MODE_USER)
			return true;
	}
	return false;
}

bool chain_is_deferred(const struct data_sample *s, uint64_t *ret_cookie)
{
	uint32_t n = s->n_chain;

	if (n < 2 || s->chain[n - 2] != PTUI_CONTEXT_USER_DEFERRED)
		return false;
	*ret_cookie = s->chain[n - 1];
	return true;
}

static void add_addr(struct chain_builder *b, unsigned mode, uint64_t addr)
{
	struct resolver_addr *a = &b->addrs[b->n++];

	a->addr = addr;
	a->mode = mode;
}

static void cut_innermost(struct chain_builder *b, size_t most)
{
	if (b->n <= most)
		return;
	memmove(b->addrs, b->addrs + b->n - most, most * sizeof(*b->addrs));
	b->n = most;
}

/* Sets b->addrs. 0, -EBADMSG or -ENOMEM. */
static int collect_addrs(struct chain_builder *b, const struct data_sample *s,
			 const struct chain_user *user)
{
	size_t n_user = user ? user->n : 0, most = b->max_stack ? b->max_stack : SIZE_MAX;
	size_t max = b->outermost ? SIZE_MAX : most;
	int mode = DATA_MODE_USER;

	b->n = 0;
	if (vec_grow(&b->addrs, &b->cap, s->n_chain + n_user))
		return -ENOMEM;
	for (uint32_t i = 0; i < s->n_chain && b->n < max; i++) {
		uint64_t addr = s->chain[i];

		if (addr == PTUI_CONTEXT_USER_DEFERRED)
			break; /* the user part comes in a separate record; a cookie follows */
		if (is_marker(addr)) {
			mode = chain_marker_mode(addr);
			if (mode < 0)
				return -EBADMSG;
		} else if (i >= b->skip && (!user || mode != DATA_MODE_USER)) {
			add_addr(b, (unsigned)mode, addr);
		}
	}
	if (user && !user->limited)
		cut_innermost(b, most);
	for (size_t i = 0; i < n_user && (!user->limited || b->n < max); i++)
		add_addr(b, DATA_MODE_USER, user->addrs[i]);
	if (!user || user->limited)
		cut_innermost(b, most);
	return 0;
}

/*
 * The number of outermost addresses that mean the same as in the last chain: of the same address
 * space, at a time at which no map is another one.
 */
static size_t count_shared(const struct chain_builder *b, int32_t pid, uint64_t when)
{
	size_t max = b->n < b->n_last ? b->n : b->n_last, i;

	for (i = 0; i < max; i++) {
		const struct resolver_addr *was = &b->last[i], *now = &b->addrs[b->n - 1 - i];

		if (was->addr != now->addr || was->mode != now->mode || when < was->span.from ||
		    when > was->span.last || (pid != b->last_pid && now->mode != DATA_MODE_KERNEL))
			break;
	}
	return i;
}

/*
 * Resolves the addresses that are not shared, innermost first; *ret_same is the number of outermost
 * frames that are those of the last chain.
 */
static int resolve_addrs(struct chain_builder *b, struct resolver *r, int32_t pid, uint64_t when,
			 size_t shared, size_t *ret_same)
{
	size_t n = b->n - shared;
	int ret = resolver_resolve(r, pid, when, b->addrs, n);

	*ret_same = b->n < b->n_last ? b->n : b->n_last;
	for (size_t i = 0; i < n && !ret; i++) {
		size_t to = b->n - 1 - i;
		struct resolver_addr *step = &b->last[to];

		if (to < b->n_last && step->frame != b->addrs[i].frame)
			*ret_same = to;
		*step = b->addrs[i];
	}
	return ret;
}

/* The sample's own address is the first of its chain, but for rare samples. */
static int find_leaf(struct chain_builder *b, struct resolver *r, const struct data_sample *s,
		     uint64_t when, bool *ret_in_chain)
{
	uint32_t mode = s->misc & DATA_CPUMODE_MASK;

	*ret_in_chain = b->n && b->addrs[0].addr == s->ip && b->addrs[0].mode == mode;
	if (*ret_in_chain)
		return 0;
	b->leaf = resolver_frame(r, s->pid, mode, when, s->ip);
	return b->leaf == PTUI_NONE ? -ENOMEM : 0;
}

/* Lists the frames after the first `same`, and cuts the spans. */
static int list_frames(struct chain_builder *b)
{
	struct resolver_span span = { 0, UINT64_MAX };

	b->n_frames = 0;
	if (vec_grow(&b->frames, &b->cap_frames, b->n))
		return -ENOMEM;
	for (size_t i = 0; i < b->n; i++) {
		struct resolver_addr *step = &b->last[i];

		resolver_span_cut(&step->span, &span);
		span = step->span;
		if (i >= b->same)
			b->frames[b->n_frames++] = step->frame;
	}
	return 0;
}

static uint32_t find_first_user(const struct chain_builder *b)
{
	for (size_t i = b->n; i-- > 0;)
		if (b->last[i].mode == DATA_MODE_USER)
			return b->last[i].frame;
	return PTUI_NONE;
}

/* ---- callers that came before ---- */

/* The words of a chain that begins with the sample's own address, as nearly all do. */
static bool callers_find(struct chain_builder *b, const struct data_sample *s, uint64_t when,
			 struct hash_wide *ret_words)
{
	const uint32_t mode = s->misc & DATA_CPUMODE_MASK;
	const struct chain_callers *c;

	if (s->n_chain < 3 || s->chain[1] != s->ip || is_marker(s->ip) || !is_marker(s->chain[0]) ||
	    chain_marker_mode(s->chain[0]) != (int)mode)
		return false;
	*ret_words = hash_words(s->chain + 2, s->n_chain - 2,
				(uint64_t)(uint32_t)s->pid << 8 | mode);
	b->kept_at = (uint32_t)ret_words->v[0] & (CHAIN_KEPT - 1);
	c = &b->kept[b->kept_at];
	return c->used && c->words.v[0] == ret_words->v[0] && c->words.v[1] == ret_words->v[1] &&
	       c->from <= when && when <= c->last;
}

/* Of a chain that was resolved as a whole: b->last. */
static void callers_keep(struct chain_builder *b, const struct hash_wide *words, bool leaf_in_chain)
{
	struct chain_callers *c;
	uint32_t first_user = PTUI_NONE;

	if (!leaf_in_chain || b->n < 2) {
		b->kept_at = PTUI_NONE;
		return;
	}
	for (size_t i = b->n - 1; i-- > 0 && first_user == PTUI_NONE;)
		if (b->last[i].mode == DATA_MODE_USER)
			first_user = b->last[i].frame;
	c = &b->kept[b->kept_at];
	*c = (struct chain_callers){ *words, b->last[b->n - 2].span.from,
				     b->last[b->n - 2].span.last, first_user, true };
}

/* Sets the innermost frame of a chain with known callers. 0 or -ENOMEM. */
static int resolve_leaf(struct chain_builder *b, struct resolver *r, const struct data_sample *s,
			uint64_t when)
{
	const uint32_t mode = s->misc & DATA_CPUMODE_MASK;

	if (vec_grow(&b->frames, &b->cap_frames, 1))
		return -ENOMEM;
	b->leaf = resolver_frame(r, s->pid, mode, when, s->ip);
	b->first_user = mode == DATA_MODE_USER ? b->leaf : b->kept[b->kept_at].first_user;
	b->frames[0] = b->leaf;
	b->n = b->n_frames = 1;
	b->same = 0;
	return b->leaf == PTUI_NONE ? -ENOMEM : 0;
}

int chain_resolve(struct chain_builder *b, struct resolver *r, const struct data_sample *s,
		  const struct chain_user *user, uint64_t when)
{
	struct hash_wide words = { { 0 } };
	bool leaf_in_chain;
	int ret;

	b->kept_at = PTUI_NONE;
	b->known = b->kept && !user && callers_find(b, s, when, &words);
	if (b->known)
		return resolve_leaf(b, r, s, when);
	ret = collect_addrs(b, s, user);
	b->first_user = PTUI_NONE;
	if (ret)
		return ret;
	if (vec_grow(&b->last, &b->cap_last, b->n) || find_leaf(b, r, s, when, &leaf_in_chain))
		return -ENOMEM;
	ret = resolve_addrs(b, r, s->pid, when, count_shared(b, s->pid, when), &b->same);
	if (!ret)
		ret = list_frames(b);
	b->n_last = ret ? 0 : b->n;
	b->last_pid = s->pid;
	if (ret)
		return ret;
	if (leaf_in_chain)
		b->leaf = b->last[b->n - 1].frame;
	b->first_user = find_first_user(b);
	if (b->kept_at != PTUI_NONE)
		callers_keep(b, &words, leaf_in_chain);
	return 0;
}
