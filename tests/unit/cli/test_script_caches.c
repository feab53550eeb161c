/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What ptui script keeps of addresses and callchains, compared with plain searches; its numbers. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cli/script/address_ranges.h"
#include "cli/script/put.h"
#include "cli/script/stack_cache.h"
#include "lib/need.h"
#include "ptui/profile.h"

#define PART  0x1000 /* each process has a module, or nothing, in each part of its addresses */
#define PARTS 100    /* more than are kept */

static uint32_t module_of(uint32_t key, uint64_t addr)
{
	uint64_t part = addr / PART;

	return (part + key) % 3 ? (uint32_t)(part * 7 + key) : PTUI_NONE;
}

/* Looks an address up as callchains do; returns whether its range was known. */
static bool look_up(struct address_spaces *s, uint32_t key, uint64_t addr)
{
	uint64_t from = addr / PART * PART;
	struct resolver_place place = { from, from + PART, key - from, module_of(key, addr) };
	struct address_ranges *r = address_spaces_get(s, key);
	size_t i = address_ranges_find(r, addr);
	bool known = address_ranges_has(r, i, addr);

	assert_int_equal(r->key, key);
	if (!known)
		i = address_ranges_add(r, &place);
	assert_true(address_ranges_has(r, i, addr));
	assert_int_equal(address_ranges_find(r, addr), i);
	assert_int_equal(r->from[i], from);
	assert_int_equal(r->module[i], module_of(key, addr));
	assert_int_equal(addr + r->to_off[i], addr % PART + key);
	return known;
}

static void ranges_are_those_of_their_process(void **state)
{
	struct address_spaces *s = calloc(1, sizeof(*s));
	unsigned known = 0;

	(void)state;
	assert_non_null(s);
	srand(1);
	for (unsigned i = 0; i < 200000; i++) {
		uint32_t key = 1 + (uint32_t)(rand() % (i % 2 ? 3 : 1000));
		unsigned parts = i % 5 ? 8 : PARTS;

		known += look_up(s, key, (uint64_t)(rand() % (int)(parts * PART)));
	}
	assert_in_range(known, 10000, 190000);
	free(s);
}

static void the_ends_of_ranges(void **state)
{
	struct address_spaces *s = calloc(1, sizeof(*s));
	uint64_t last = (uint64_t)-4096;
	struct address_ranges *r;

	(void)state;
	assert_non_null(s);
	r = address_spaces_get(s, 5);
	assert_false(address_ranges_has(r, address_ranges_find(r, 0), 0));
	assert_false(address_ranges_has(r, address_ranges_find(r, last), last));
	address_ranges_add(r, &(struct resolver_place){ 0, 10, 0, 1 });
	address_ranges_add(r, &(struct resolver_place){ 20, UINT64_MAX, 0, 2 });
	for (uint64_t addr = 0; addr < 30; addr++) {
		size_t i = address_ranges_find(r, addr);

		assert_int_equal(address_ranges_has(r, i, addr), addr < 10 || addr >= 20);
		if (address_ranges_has(r, i, addr))
			assert_int_equal(r->module[i], addr < 10 ? 1 : 2);
	}
	assert_true(address_ranges_has(r, address_ranges_find(r, last), last));
	free(s);
}

/* The text of these words is their first one. */
static bool find_text(struct stack_cache *c, const uint64_t *words, size_t n)
{
	const struct stack_key key = { 1, 2, 3 };
	struct stack_text *slot = NULL;
	bool found = stack_cache_wants(c, n) && stack_cache_find(c, &key, words, n, &slot);

	if (found) {
		assert_int_equal(slot->n_text, sizeof(*words));
		assert_memory_equal(c->texts + slot->text_at, words, sizeof(*words));
	} else if (slot) {
		if (stack_cache_is_full(c)) {
			stack_cache_forget(c);
			return false;
		}
		assert_int_equal(stack_cache_add_words(c, slot, words, n), 0);
		assert_int_equal(stack_cache_add_text(c, (size_t)(slot - c->slots),
						      (const char *)words, sizeof(*words)),
				 0);
	}
	return found;
}

static void callers_that_repeat_are_found(void **state)
{
	struct stack_cache c = { .slots = NULL };
	unsigned found = 0;

	(void)state;
	for (uint64_t i = 0; i < 100000; i++) {
		uint64_t words[4] = { i % 50, 2, 3, 4 };

		found += find_text(&c, words, 4);
	}
	assert_true(found >= 100000 - 2 * 50);
	stack_cache_release(&c);
}

/* Different callers are not looked up for long, and found again soon after they repeat. */
static void callers_that_differ_pause_the_cache(void **state)
{
	struct stack_cache c = { .slots = NULL };
	unsigned found = 0, paused = 0;

	(void)state;
	for (uint64_t i = 0; i < 1000000; i++) {
		uint64_t words[4] = { i, 2, 3, 4 };

		assert_false(find_text(&c, words, 4));
		paused += c.use.pauses;
	}
	assert_true(paused > 800000);
	for (uint64_t i = 0; i < 1000000; i++) {
		uint64_t words[4] = { i % 50, 2, 3, 4 };

		found += find_text(&c, words, 4);
	}
	assert_true(found > 800000);
	stack_cache_release(&c);
}

/* Numbers as printf() writes them, and nothing beyond the room for them. */
static void numbers_are_those_of_printf(void **state)
{
	char expected[64], text[64];

	(void)state;
	srand(2);
	for (unsigned i = 0; i < 200000; i++) {
		uint64_t v = ((uint64_t)rand() << 33 ^ (uint64_t)rand() << 11 ^ (uint64_t)rand()) >>
			     i % 64;
		int width = rand() % 17;

		if (i < 64)
			v = (uint64_t)1 << i;
		else if (i < 84)
			v = i == 64 ? 0 : v / 10 * 10;
		memset(text, '~', sizeof(text));
		snprintf(expected, sizeof(expected), "%*" PRIu64, width, v);
		*put_u64(text, v, (size_t)width) = '\0';
		assert_string_equal(text, expected);
		assert_int_equal(text[PUT_NUMBER_MAX], '~');
		snprintf(expected, sizeof(expected), "%0*" PRIu64, width, v);
		*put_padded(text, v, (size_t)width, '0') = '\0';
		assert_string_equal(text, expected);
		snprintf(expected, sizeof(expected), "%*d", width, (int32_t)v);
		*put_i32(text, (int32_t)v, (size_t)width) = '\0';
		assert_string_equal(text, expected);
		snprintf(expected, sizeof(expected), "%" PRIx64, v);
		*put_hex(text, v) = '\0';
		assert_string_equal(text, expected);
		snprintf(expected, sizeof(expected), "%16" PRIx64, v);
		*put_hex_16(text, v) = '\0';
		assert_string_equal(text, expected);
		assert_int_equal(text[PUT_NUMBER_MAX], '~');
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ranges_are_those_of_their_process),
		cmocka_unit_test(the_ends_of_ranges),
		cmocka_unit_test(callers_that_repeat_are_found),
		cmocka_unit_test(callers_that_differ_pause_the_cache),
		cmocka_unit_test(numbers_are_those_of_printf),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
