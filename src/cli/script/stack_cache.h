/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The texts of callers: callchains without their first address, most of which a recording has many
 * times.
 *
 *   words:  [ marker | address | address | address | ... ]
 *                               '------ one text ------'
 *
 * In some recordings most are different (broken frame pointers). It pauses then, and tries again later.
 */
#ifndef CLI_SCRIPT_STACK_CACHE_H
#define CLI_SCRIPT_STACK_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STACK_CACHE_BITS 14

/* What the text depends on, besides the words: the maps, and how it is printed. */
struct stack_key {
	uint32_t user_maps, kernel_maps; /* stream_maps() */
	uint32_t style;
};

struct stack_text {
	struct stack_key key;
	uint32_t n_words;
	uint64_t hash;
	uint32_t words_at, n_text;
	size_t text_at;
	bool kept; /* the words and the text; else they were seen once */
};

struct stack_cache {
	struct stack_text *slots;
	uint64_t *words;
	size_t n_words, cap_words;
	char *texts;
	size_t n_texts, cap_texts;
	struct stack_cache_use {
		uint32_t lookups;      /* since it was last decided whether to look up */
		uint64_t words, found; /* looked up; of which the text was known */
		bool pauses;	       /* nothing is looked up */
	} use;
};

void stack_cache_release(struct stack_cache *c);
/* When places have changed. */
void stack_cache_forget(struct stack_cache *c);
/* Whether to look up the next words; false: the cache pauses. */
bool stack_cache_wants(struct stack_cache *c, size_t n_words);
/*
 * True: the text of these words is in *ret. Else *ret is the slot to which they can be added, or NULL
 * if it is the first time that these words are looked up.
 */
bool stack_cache_find(struct stack_cache *c, const struct stack_key *key, const uint64_t *words,
		      size_t n_words, struct stack_text **ret);
/* Both are needed for a text; its two halves may be in two caches, of which two threads have one each. */
int stack_cache_add_words(struct stack_cache *c, struct stack_text *slot, const uint64_t *words,
			  size_t n_words); /* 0 or -ENOMEM */
int stack_cache_add_text(struct stack_cache *c, size_t slot, const char *text,
			 size_t n_text); /* 0 or -ENOMEM */
/* It should be forgotten before something is added. */
bool stack_cache_is_full(const struct stack_cache *c);

#endif
