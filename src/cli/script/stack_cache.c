/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/script/stack_cache.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"

#define SLOTS	  ((size_t)1 << STACK_CACHE_BITS)
#define TEXTS_MAX ((size_t)64 << 20) /* then it starts again */
#define WORDS_MAX ((size_t)4 << 20)
#define TRIES	  8192	       /* after which it is decided whether to go on */
#define PAUSE	  (16 * TRIES) /* lookups that are left out */
#define PAYS	  4	       /* one word of so many has to be found */

void stack_cache_release(struct stack_cache *c)
{
	free(c->slots);
	free(c->words);
	free(c->texts);
	memset(c, 0, sizeof(*c));
}

void stack_cache_forget(struct stack_cache *c)
{
	if (c->slots)
		memset(c->slots, 0, SLOTS * sizeof(*c->slots));
	c->n_words = c->n_texts = 0;
}

static uint64_t mix(uint64_t h, uint64_t word)
{
	h = (h ^ word) * 0x9e3779b97f4a7c15u;
	return h ^ h >> 32;
}

/* Two chains of multiplications, of which the processor runs both at once. */
static uint64_t stack_hash(const struct stack_key *key, const uint64_t *words, size_t n)
{
	uint64_t a = mix(key->style, key->user_maps), b = mix(n, key->kernel_maps);
	size_t i = 0;

	for (; i + 2 <= n; i += 2) {
		a = mix(a, words[i]);
		b = mix(b, words[i + 1]);
	}
	if (i < n)
		a = mix(a, words[i]);
	return mix(a, b);
}

static bool key_same(const struct stack_key *a, const struct stack_key *b)
{
	return a->user_maps == b->user_maps && a->kernel_maps == b->kernel_maps &&
	       a->style == b->style;
}

bool stack_cache_wants(struct stack_cache *c, size_t n_words)
{
	struct stack_cache_use *u = &c->use;

	if (u->lookups >= (u->pauses ? PAUSE : TRIES))
		*u = (struct stack_cache_use){ .pauses = !u->pauses && u->found < u->words / PAYS };
	u->lookups++;
	if (!u->pauses)
		u->words += n_words;
	return !u->pauses;
}

/* 0 or -ENOMEM. */
static int stack_cache_init(struct stack_cache *c)
{
	if (!c->slots)
		c->slots = calloc(SLOTS, sizeof(*c->slots));
	return c->slots ? 0 : -ENOMEM;
}

bool stack_cache_find(struct stack_cache *c, const struct stack_key *key, const uint64_t *words,
		      size_t n_words, struct stack_text **ret)
{
	struct stack_text *s;
	uint64_t hash;

	*ret = NULL;
	hash = stack_hash(key, words, n_words);
	if (stack_cache_init(c))
		return false;
	s = &c->slots[hash >> (64 - STACK_CACHE_BITS)];
	if (s->hash != hash || s->n_words != n_words || !key_same(&s->key, key)) {
		*s = (struct stack_text){ .key = *key, .hash = hash, .n_words = (uint32_t)n_words };
		return false;
	}
	if (s->kept && memcmp(c->words + s->words_at, words, n_words * sizeof(*words)))
		return false;
	*ret = s;
	if (s->kept)
		c->use.found += n_words;
	return s->kept;
}

bool stack_cache_is_full(const struct stack_cache *c)
{
	return c->n_texts > TEXTS_MAX || c->n_words > WORDS_MAX;
}

int stack_cache_add_words(struct stack_cache *c, struct stack_text *slot, const uint64_t *words,
			  size_t n_words)
{
	if (vec_grow(&c->words, &c->cap_words, c->n_words + n_words))
		return -ENOMEM;
	memcpy(c->words + c->n_words, words, n_words * sizeof(*words));
	slot->words_at = (uint32_t)c->n_words;
	slot->kept = true;
	c->n_words += n_words;
	return 0;
}

int stack_cache_add_text(struct stack_cache *c, size_t slot, const char *text, size_t n_text)
{
	if (stack_cache_init(c) || vec_grow(&c->texts, &c->cap_texts, c->n_texts + n_text))
		return -ENOMEM;
	if (n_text)
		memcpy(c->texts + c->n_texts, text, n_text);
	c->slots[slot].text_at = c->n_texts;
	c->slots[slot].n_text = (uint32_t)n_text;
	c->n_texts += n_text;
	return 0;
}
