/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/perf_abi.h"
#include "lib/need.h"
#include "record/snapshot/memory_ring.h"

/* Adds a record with `number` after the header, split at `cut`. */
static void add(struct memory_ring *m, uint16_t size, uint64_t number, size_t cut)
{
	struct perf_event_header header = { PERF_RECORD_SAMPLE, 0, size };
	uint8_t record[UINT16_MAX];

	memcpy(record, &header, sizeof(header));
	for (size_t at = sizeof(header); at + sizeof(number) <= size; at += sizeof(number))
		memcpy(record + at, &number, sizeof(number));
	memory_ring_add(m, record, cut, record + cut, size - cut);
}

/* Checks that it contains whole, consecutive records; returns their number. */
static size_t check(const struct memory_ring *m, uint64_t *ret_first, uint64_t *ret_last)
{
	uint8_t *flat = malloc(m->size);
	struct perf_event_header header;
	struct iovec iov[2];
	size_t bytes, at = 0, n = 0;
	uint64_t number;
	int pieces;

	assert_non_null(flat);
	bytes = memory_ring_peek(m, m->first, m->end, iov, &pieces);
	for (int i = 0; i < pieces; i++) {
		memcpy(flat + at, iov[i].iov_base, iov[i].iov_len);
		at += iov[i].iov_len;
	}
	assert_int_equal(at, bytes);
	for (at = 0; at < bytes; at += header.size, n++) {
		memcpy(&header, flat + at, sizeof(header));
		assert_true(header.size >= 16 && header.size <= bytes - at);
		for (size_t i = 8; i + 8 <= header.size; i += 8) {
			memcpy(&number, flat + at + i, sizeof(number));
			assert_int_equal(number, n ? *ret_last + (i == 8) : number);
			if (i == 8 && !n)
				*ret_first = number;
			*ret_last = number;
		}
	}
	free(flat);
	return n;
}

static void too_small(void **state)
{
	struct memory_ring m;

	(void)state;
	assert_int_equal(memory_ring_init(&m, MEMORY_BYTES_MIN - 1), -EINVAL);
	memory_ring_release(&m);
}

static void keeps_all_that_fits(void **state)
{
	uint64_t first = 0, last = 0;
	struct iovec iov[2];
	struct memory_ring m;
	int n;

	(void)state;
	assert_int_equal(memory_ring_init(&m, MEMORY_BYTES_MIN), 0);
	assert_int_equal(memory_ring_peek(&m, m.first, m.end, iov, &n), 0);
	assert_int_equal(n, 0);
	for (uint64_t i = 0; i < 1000; i++)
		add(&m, 64, i, 64);
	assert_int_equal(check(&m, &first, &last), 1000);
	assert_int_equal(first, 0);
	assert_int_equal(last, 999);
	assert_int_equal(m.samples, 1000);
	assert_int_equal(m.dropped, 0);
	memory_ring_forget(&m, 64 * 990);
	assert_int_equal(check(&m, &first, &last), 10);
	assert_int_equal(first, 990);
	memory_ring_forget(&m, m.end);
	assert_int_equal(check(&m, &first, &last), 0);
	assert_int_equal(m.samples, 0);
	assert_int_equal(m.dropped, 0);
	memory_ring_release(&m);
}

/* Records of all sizes, cut anywhere, over the end of an odd size many times. */
static void drops_the_oldest(void **state)
{
	uint64_t first = 0, last = 0;
	struct memory_ring m;

	(void)state;
	assert_int_equal(memory_ring_init(&m, MEMORY_BYTES_MIN + 4), 0);
	for (uint64_t i = 0; i < 20000; i++) {
		uint16_t size = (uint16_t)(16 + 8 * (i * 7 % 50));
		size_t n;

		add(&m, size, i, 8 * (i % (size / 8 + 1u)));
		if (i % 97 && i != 19999)
			continue;
		n = check(&m, &first, &last);
		assert_int_equal(last, i);
		assert_int_equal(n, m.samples);
		assert_int_equal(n + m.dropped, i + 1);
		assert_int_equal(first, m.dropped);
		/* none is dropped without need */
		assert_true(!m.dropped || m.size - (m.end - m.first) < 16 + 8 * 50 * 2);
	}
	memory_ring_release(&m);
}

/* Records that were read before are not counted as dropped. */
static void seen_before_it_left(void **state)
{
	uint64_t first = 0, last = 0;
	struct memory_ring m;

	(void)state;
	assert_int_equal(memory_ring_init(&m, MEMORY_BYTES_MIN), 0);
	for (uint64_t i = 0; i < 100; i++)
		add(&m, 1024, i, 8);
	assert_int_equal(m.dropped, 36);
	m.seen = m.end;
	for (uint64_t i = 100; i < 100 + 64 + 5; i++)
		add(&m, 1024, i, 1024);
	assert_int_equal(m.dropped, 36 + 5);
	assert_int_equal(check(&m, &first, &last), 64);
	assert_int_equal(first, 105);
	memory_ring_release(&m);
}

static void the_largest_record(void **state)
{
	uint64_t first = 0, last = 0;
	struct memory_ring m;

	(void)state;
	assert_int_equal(memory_ring_init(&m, MEMORY_BYTES_MIN), 0);
	add(&m, 16, 1, 8);
	add(&m, UINT16_MAX & ~7, 2, 1000);
	assert_int_equal(check(&m, &first, &last), 1);
	assert_int_equal(last, 2);
	assert_int_equal(m.dropped, 1);
	memory_ring_release(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(too_small),	      cmocka_unit_test(keeps_all_that_fits),
		cmocka_unit_test(drops_the_oldest),   cmocka_unit_test(seen_before_it_left),
		cmocka_unit_test(the_largest_record),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
