/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rings in made-up memory: every place where a record can wrap, and invalid heads. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "kernel/ring.h"
#include "lib/need.h"

#define PAGE 4096
#define DATA 256

struct made {
	_Alignas(8) uint8_t bytes[PAGE + DATA];
	struct ring ring;
};

static struct perf_event_mmap_page *page_of(struct made *m)
{
	return (void *)m->bytes;
}

/* A ring whose tail and head are at `at`. */
static void make(struct made *m, uint64_t at)
{
	memset(m, 0, sizeof(*m));
	page_of(m)->data_head = at;
	page_of(m)->data_tail = at;
	ring_init(&m->ring, m->bytes, PAGE, DATA);
}

static void put(struct made *m, uint32_t type, uint16_t size, uint8_t fill)
{
	struct perf_event_header header = { type, 0, size };
	uint8_t record[DATA];
	uint64_t head = page_of(m)->data_head;

	memset(record, fill, sizeof(record));
	memcpy(record, &header, sizeof(header));
	for (size_t i = 0; i < size; i++)
		m->bytes[PAGE + ((head + i) & (DATA - 1))] = record[i];
	page_of(m)->data_head = head + size;
}

static void gather(const struct iovec *iov, int n, uint8_t *out)
{
	for (int i = 0; i < n; i++) {
		memcpy(out, iov[i].iov_base, iov[i].iov_len);
		out += iov[i].iov_len;
	}
}

static void wraps_anywhere(void **state)
{
	struct iovec iov[2];
	uint8_t got[DATA];
	struct made m;
	int n;

	(void)state;
	for (uint64_t at = 0; at < 2 * DATA; at += 8) {
		make(&m, at);
		assert_int_equal(ring_peek(&m.ring, iov, &n), 0);
		assert_int_equal(n, 0);
		put(&m, 9, 40, 0xaa);
		put(&m, 3, 24, 0xbb);
		assert_int_equal(ring_peek(&m.ring, iov, &n), 64);
		assert_int_equal(n, (at & (DATA - 1)) + 64 > DATA ? 2 : 1);
		gather(iov, n, got);
		assert_int_equal(got[8], 0xaa);
		assert_int_equal(got[39], 0xaa);
		assert_int_equal(got[40], 3);
		assert_int_equal(got[63], 0xbb);
		/* peeking consumes nothing */
		assert_int_equal(page_of(&m)->data_tail, at);
		ring_consume(&m.ring, 64);
		assert_int_equal(page_of(&m)->data_tail, at + 64);
		assert_int_equal(ring_peek(&m.ring, iov, &n), 0);
	}
}

static void may_be_full(void **state)
{
	struct iovec iov[2];
	struct made m;
	int n;

	(void)state;
	make(&m, 104);
	put(&m, 9, 128, 1);
	put(&m, 9, 128, 2);
	assert_int_equal(ring_peek(&m.ring, iov, &n), DATA);
	assert_int_equal(n, 2);
	assert_int_equal(iov[0].iov_len + iov[1].iov_len, DATA);
}

static void drops_what_cannot_be(void **state)
{
	struct iovec iov[2];
	struct made m;
	int n;

	(void)state;
	make(&m, 0);
	page_of(&m)->data_head = DATA + 8;
	assert_int_equal(ring_peek(&m.ring, iov, &n), 0);
	assert_int_equal(n, 0);
	assert_int_equal(page_of(&m)->data_tail, DATA + 8);
	put(&m, 9, 16, 0);
	assert_int_equal(ring_peek(&m.ring, iov, &n), 16);
}

static void hops_over_records(void **state)
{
	struct perf_event_header header;
	struct ring_hop hop;
	struct iovec iov[2];
	struct made m;
	uint64_t at;
	int n;

	(void)state;
	for (uint64_t start = 0; start < DATA; start += 8) {
		make(&m, start);
		put(&m, 9, 40, 0x11);
		put(&m, 2, 24, 0x22);
		put(&m, 5, 8, 0);
		ring_hop_init(&hop, &m.ring, ring_peek(&m.ring, iov, &n));
		assert_true(ring_hop_next(&hop, &header, &at));
		assert_int_equal(header.type, 9);
		assert_int_equal(at, start);
		assert_true(ring_hop_next(&hop, &header, &at));
		assert_int_equal(header.type, 2);
		assert_int_equal(ring_u64(&m.ring, at, 16), 0x2222222222222222);
		assert_true(ring_hop_next(&hop, &header, &at));
		assert_int_equal(header.size, 8);
		assert_false(ring_hop_next(&hop, &header, &at));
	}
}

static void stops_at_bad_sizes(void **state)
{
	static const uint16_t sizes[] = { 0, 4, 12, 200 };
	struct perf_event_header header;
	struct ring_hop hop;
	struct made m;
	uint64_t at;

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		make(&m, 0);
		put(&m, 9, sizes[i], 0);
		ring_hop_init(&hop, &m.ring, 64);
		assert_int_equal(ring_hop_next(&hop, &header, &at), false);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(wraps_anywhere),	cmocka_unit_test(may_be_full),
		cmocka_unit_test(drops_what_cannot_be), cmocka_unit_test(hops_over_records),
		cmocka_unit_test(stops_at_bad_sizes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
