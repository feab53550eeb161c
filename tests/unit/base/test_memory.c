/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arrays, buffers, arenas; threads that share work. */
#include <errno.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>
#include "base/arena.h"
#include "base/buf.h"
#include "base/thread.h"
#include "base/vec.h"
#include "lib/need.h"
#include "unit/base/random.h"

/* Otherwise a sanitizer ends the program if malloc() fails. */
const char *__asan_default_options(void);
const char *__tsan_default_options(void);
const char *__asan_default_options(void)
{
	return "allocator_may_return_null=1";
}

const char *__tsan_default_options(void)
{
	return "allocator_may_return_null=1";
}

static void count_call(void *ctx, size_t i)
{
	((unsigned *)ctx)[i]++;
}

static void test_each_is_called_once(void **state)
{
	for (size_t n = 0; n < 6; n++) {
		unsigned calls[8] = { 0 };

		thread_each(n, count_call, calls);
		for (size_t i = 0; i < 8; i++)
			assert_int_equal(calls[i], i < n);
	}
	(void)state;
}

/* The advice does not change what is in memory, wherever it begins. */
static void test_memory_at_random(void **state)
{
	size_t bytes = (size_t)9 << 20;
	unsigned char *p = malloc(bytes);

	(void)state;
	assert_non_null(p);
	for (size_t from = 0; from < 3; from++) {
		memset(p, (int)from + 1, bytes);
		memory_at_random(p + from * 4097, bytes - from * 4097);
		for (size_t i = 0; i < bytes; i += 1021)
			assert_int_equal(p[i], from + 1);
	}
	memory_at_random(p, 100);
	free(p);
}

static void test_vec_grows_by_doubling(void **state)
{
	uint32_t *items = NULL;
	size_t cap = 0, grown = 0;

	(void)state;
	for (uint32_t n = 0; n < 100000; n++) {
		size_t before = cap;

		assert_int_equal(vec_grow(&items, &cap, (size_t)n + 1), 0);
		assert_true(cap > n);
		if (cap != before) {
			grown++;
			assert_true(cap >= before * 2);
		}
		items[n] = n * 3;
	}
	assert_true(grown < 20);
	for (uint32_t n = 0; n < 100000; n++)
		assert_int_equal(items[n], n * 3);
	assert_int_equal(vec_grow(&items, &cap, 10), 0); /* never shrinks */
	assert_true(cap >= 100000);
	free(items);
}

static void test_vec_refuses_the_impossible(void **state)
{
	uint64_t *items = NULL, *before;
	size_t cap = 0, cap_before;

	(void)state;
	assert_int_equal(vec_grow(&items, &cap, 5), 0);
	items[4] = 42;
	before = items;
	cap_before = cap;
	assert_int_equal(vec_grow(&items, &cap, SIZE_MAX), -EOVERFLOW);
	assert_int_equal(vec_grow(&items, &cap, SIZE_MAX / 8 + 2), -EOVERFLOW);
	assert_int_equal(vec_grow(&items, &cap, PTRDIFF_MAX / 8), -ENOMEM);
	assert_ptr_equal(items, before);
	assert_int_equal(cap, cap_before);
	assert_int_equal(items[4], 42);
	free(items);
}

static void test_buf_empty(void **state)
{
	struct buf b = BUF_INIT;

	(void)state;
	assert_string_equal(buf_str(&b), "");
	assert_null(buf_take(&b));
	buf_add_str(&b, "");
	assert_non_null(b.data);
	assert_int_equal(b.len, 0);
	buf_align(&b, 8);
	assert_int_equal(b.len, 0);
	buf_release(&b);
	assert_null(b.data);
}

/* Random adds against a plain array that is large enough. */
static void test_buf_against_array(void **state)
{
	static char want[1 << 20];
	struct buf b = BUF_INIT;
	uint64_t seed = 1;
	size_t n = 0;

	(void)state;
	for (size_t round = 0; round < 4000; round++) {
		char piece[200];
		size_t len = random_below(&seed, sizeof(piece)), i;
		uint16_t u16 = (uint16_t)random_next(&seed);
		uint32_t u32 = random_next(&seed);
		uint64_t u64 = (uint64_t)u32 << 32 | 7;

		for (i = 0; i < len; i++)
			piece[i] = (char)('a' + random_below(&seed, 26));
		switch (random_below(&seed, 8)) {
		case 0:
			buf_add(&b, piece, len);
			memcpy(want + n, piece, len);
			n += len;
			break;
		case 1:
			buf_addf(&b, "%.*s|%d", (int)len, piece, 5);
			memcpy(want + n, piece, len);
			memcpy(want + n + len, "|5", 2);
			n += len + 2;
			break;
		case 2:
			buf_add_zeros(&b, len);
			memset(want + n, 0, len);
			n += len;
			break;
		case 3:
			buf_align(&b, 64);
			while (n % 64)
				want[n++] = 0;
			break;
		case 4:
			buf_add_char(&b, 'c');
			buf_add_u8(&b, 0xfe);
			want[n++] = 'c';
			want[n++] = (char)0xfe;
			break;
		case 5:
			buf_add_u16(&b, u16);
			memcpy(want + n, &u16, 2);
			n += 2;
			break;
		case 6:
			buf_add_u32(&b, u32);
			memcpy(want + n, &u32, 4);
			n += 4;
			break;
		case 7:
			buf_add_u64(&b, u64);
			memcpy(want + n, &u64, 8);
			n += 8;
			break;
		}
		assert_int_equal(b.len, n);
		assert_int_equal(b.data[n], 0);
	}
	assert_int_equal(b.err, 0);
	assert_memory_equal(b.data, want, n);
	buf_release(&b);
}

/* Every length around the sizes at which the memory grows. */
static void test_buf_addf_lengths(void **state)
{
	char s[600];

	(void)state;
	memset(s, 'q', sizeof(s));
	for (size_t n = 0; n < sizeof(s); n++) {
		struct buf b = BUF_INIT;

		buf_addf(&b, "%.*s", (int)n, s);
		assert_int_equal(b.len, n);
		buf_addf(&b, "%s", "end");
		assert_int_equal(b.len, n + 3);
		assert_memory_equal(b.data, s, n);
		assert_string_equal(b.data + n, "end");
		buf_release(&b);
	}
}

static void test_buf_error_sticks(void **state)
{
	struct buf b = BUF_INIT;
	char *taken;

	(void)state;
	buf_add_str(&b, "kept");
	buf_add(&b, "x", SIZE_MAX); /* the size is refused: nothing is read */
	assert_int_equal(b.err, -ENOMEM);
	buf_add_str(&b, "more");
	buf_addf(&b, "%d", 1);
	buf_align(&b, 64);
	assert_string_equal(buf_str(&b), "kept");
	assert_null(buf_take(&b));
	assert_int_equal(b.err, -ENOMEM);

	buf_clear(&b);
	assert_int_equal(b.err, 0);
	buf_add_zeros(&b, PTRDIFF_MAX - 1);
	assert_int_equal(b.err, -ENOMEM);
	buf_clear(&b);
	buf_add_str(&b, "again");
	taken = buf_take(&b);
	assert_string_equal(taken, "again");
	assert_null(b.data);
	assert_int_equal(b.cap, 0);
	free(taken);
}

struct piece {
	unsigned char *at;
	size_t n;
	unsigned char mark;
};

/* Allocations are zeroed, aligned, and do not overlap. */
static void test_arena_pieces(void **state)
{
	static struct piece pieces[5000];
	struct arena a = ARENA_INIT;
	uint64_t seed = 3;
	size_t total = 0;

	(void)state;
	for (size_t i = 0; i < 5000; i++) {
		struct piece *p = &pieces[i];

		p->n = random_below(&seed, 50) ? random_below(&seed, 100) :
						 random_below(&seed, 300000);
		p->mark = (unsigned char)(i + 1);
		p->at = arena_alloc(&a, p->n);
		assert_non_null(p->at);
		assert_int_equal((uintptr_t)p->at % alignof(max_align_t), 0);
		for (size_t k = 0; k < p->n; k++)
			if (p->at[k])
				fail_msg("byte %zu of piece %zu is not zero", k, i);
		memset(p->at, p->mark, p->n);
		total += p->n;
	}
	assert_int_equal(a.bytes, total);
	for (size_t i = 0; i < 5000; i++)
		for (size_t k = 0; k < pieces[i].n; k++)
			if (pieces[i].at[k] != pieces[i].mark)
				fail_msg("piece %zu was written over", i);
	arena_release(&a);
	assert_null(a.chunk);
	assert_int_equal(a.bytes, 0);
	arena_release(&a);
}

static void test_arena_strings(void **state)
{
	struct arena a;
	char *s, *bytes, *empty, *formatted;

	(void)state;
	arena_init(&a);
	formatted = arena_printf(&a, "%s/%d", "name", 7);
	s = arena_strdup(&a, "name");
	bytes = arena_memdup0(&a, "a\0b", 3);
	empty = arena_memdup0(&a, NULL, 0);
	assert_string_equal(s, "name");
	assert_memory_equal(bytes, "a\0b", 4);
	assert_string_equal(empty, "");
	assert_string_equal(formatted, "name/7");
	/* odd sizes keep the alignment */
	assert_int_equal((uintptr_t)arena_alloc(&a, 1) % alignof(max_align_t), 0);
	arena_release(&a);
}

static void test_arena_huge(void **state)
{
	struct arena a = ARENA_INIT;
	char *s = arena_strdup(&a, "still here");

	(void)state;
	assert_null(arena_alloc(&a, SIZE_MAX));
	assert_null(arena_alloc(&a, SIZE_MAX - 16));
	assert_null(arena_alloc(&a, PTRDIFF_MAX));
	assert_null(arena_memdup0(&a, "x", SIZE_MAX));
	assert_string_equal(s, "still here");
	assert_int_equal(a.bytes, sizeof("still here"));
	assert_non_null(arena_alloc(&a, 10));
	arena_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_vec_grows_by_doubling),
		cmocka_unit_test(test_each_is_called_once),
		cmocka_unit_test(test_memory_at_random),
		cmocka_unit_test(test_vec_refuses_the_impossible),
		cmocka_unit_test(test_buf_empty),
		cmocka_unit_test(test_buf_against_array),
		cmocka_unit_test(test_buf_addf_lengths),
		cmocka_unit_test(test_buf_error_sticks),
		cmocka_unit_test(test_arena_pieces),
		cmocka_unit_test(test_arena_strings),
		cmocka_unit_test(test_arena_huge),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
