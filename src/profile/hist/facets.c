/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/hist/facets.h"

#include <errno.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "base/vec.h"
#include "profile/profile.h"

int ptui_hist_check_pattern(const char *option, const char *pattern, struct ptui_error *err)
{
	regex_t re;
	char why[128];
	int code = regcomp(&re, pattern, REG_EXTENDED | REG_NOSUB);

	if (!code) {
		regfree(&re);
		return 0;
	}
	regerror(code, &re, why, sizeof(why));
	return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, pattern,
			      _("%s: '%s' is no regular expression: %s"), option, pattern, why);
}

void facets_release(struct facets *t)
{
	free(t->v);
	index_table_release(&t->index);
	memset(t, 0, sizeof(*t));
}

static bool facet_same(const void *owner, uint32_t index, const void *key)
{
	const struct facet *a = &((const struct facets *)owner)->v[index], *b = key;

	return a->time_ns == b->time_ns && a->cpu == b->cpu && a->parent == b->parent &&
	       a->extra == b->extra;
}

uint32_t facets_add(struct facets *t, const struct facet *f)
{
	uint64_t hash = hash_pair(hash_pair(f->time_ns, f->extra),
				  (uint64_t)f->parent << 32 | f->cpu);
	uint32_t i = index_table_find(&t->index, hash, facet_same, t, f);

	if (i != PTUI_NONE)
		return i;
	if (vec_grow(&t->v, &t->cap, t->n + 1) ||
	    index_table_add(&t->index, hash, (uint32_t)t->n)) {
		t->failed = true;
		return 0;
	}
	t->v[t->n] = *f;
	return (uint32_t)t->n++;
}

/* ---- parents ---- */

enum {
	UNKNOWN,
	MATCHES,
	DIFFERS,
};

/* Whether a name matches; names are looked at once. */
static bool name_matches(const struct ptui_profile *p, const regex_t *re, uint8_t *seen,
			 uint32_t name)
{
	if (name == PTUI_NONE)
		return false;
	if (seen[name] == UNKNOWN)
		seen[name] = regexec(re, strpool_get(&p->names, name), 0, NULL, 0) ? DIFFERS :
										     MATCHES;
	return seen[name] == MATCHES;
}

/* Callers have lower numbers than those below them. */
static void mark_nodes(const struct ptui_profile *p, const struct stacks *stacks, const regex_t *re,
		       bool down, uint8_t *seen, uint32_t *ret)
{
	for (size_t i = 0; i < stacks->n; i++) {
		const struct stack_node *node = &stacks->nodes[i];
		uint32_t name = p->frames[node->frame].sym_name;
		uint32_t above = node->parent == PTUI_NONE ? PTUI_NONE : ret[node->parent];
		bool matches = name_matches(p, re, seen, name);

		ret[i] = matches && (!down || above == PTUI_NONE) ? name : above;
	}
}

uint32_t *parents_find(const struct ptui_profile *p, const struct stacks *stacks,
		       const char *pattern, bool down)
{
	uint8_t *seen;
	uint32_t *ret;
	regex_t re;

	if (regcomp(&re, pattern ? pattern : PARENT_PATTERN, REG_EXTENDED | REG_NOSUB))
		return NULL;
	seen = calloc((size_t)p->names.n + 1, 1);
	ret = seen ? malloc((stacks->n + 1) * sizeof(*ret)) : NULL;
	if (ret)
		mark_nodes(p, stacks, &re, down, seen, ret);
	free(seen);
	regfree(&re);
	return ret;
}

uint32_t *callees_ignore(const struct ptui_profile *p, const struct stacks *stacks,
			 const char *pattern)
{
	uint8_t *seen = calloc((size_t)p->names.n + 1, 1);
	uint32_t *ret = malloc((stacks->n + 1) * sizeof(*ret));
	regex_t re;

	if (!seen || !ret || regcomp(&re, pattern, REG_EXTENDED | REG_NOSUB)) {
		free(seen);
		free(ret);
		return NULL;
	}
	for (size_t i = 0; i < stacks->n; i++) {
		const struct stack_node *node = &stacks->nodes[i];
		uint32_t above = node->parent == PTUI_NONE ? PTUI_NONE : ret[node->parent];

		ret[i] = above;
		if (above == PTUI_NONE &&
		    name_matches(p, &re, seen, p->frames[node->frame].sym_name))
			ret[i] = (uint32_t)i;
	}
	free(seen);
	regfree(&re);
	return ret;
}
