/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rings that are filled backwards, over made memory: the kernel's part is played by put(). */
#include <string.h>
#include "kernel/ring_back.h"
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

static void make(struct made *m)
{
	memset(m, 0, sizeof(*m));
	ring_init(&m->ring, m->bytes, PAGE, DATA);
}

static void put(struct made *m, uint16_t size, uint8_t fill)
{
	struct perf_event_header header = { PERF_RECORD_SAMPLE, 0, size };
	uint64_t head = page_of(m)->data_head - size;
	uint8_t record[DATA];

	memset(record, fill, sizeof(record));
	memcpy(record, &header, sizeof(header));
	for (size_t i = 0; i < size; i++)
		m->bytes[PAGE + ((head + i) & (DATA - 1))] = record[i];
	page_of(m)->data_head = head;
}

/* The last byte of each record, in the order in which they are shown. */
static const char *shown(const struct ring_back_look *look)
{
	static char text[DATA];
	uint8_t flat[DATA], *to = flat;
	struct perf_event_header header;
	size_t at = 0, n = 0;

	for (int i = 0; i < look->n_iov; i++) {
		memcpy(to, look->iov[i].iov_base, look->iov[i].iov_len);
		to += look->iov[i].iov_len;
	}
	assert_int_equal(to - flat, look->bytes);
	while (at < look->bytes) {
		memcpy(&header, flat + at, sizeof(header));
		at += header.size;
		text[n++] = (char)flat[at - 1];
	}
	text[n] = '\0';
	return text;
}

static void nothing_was_written(void **state)
{
	struct ring_back_look look;
	struct made m;

	(void)state;
	make(&m);
	ring_back_look(&m.ring, 0, &look);
	assert_int_equal(look.bytes, 0);
	assert_int_equal(look.n_iov, 0);
	assert_false(look.gap);
}

static void newest_first(void **state)
{
	struct ring_back_look look;
	struct made m;

	(void)state;
	make(&m);
	put(&m, 40, 'a');
	put(&m, 24, 'b');
	put(&m, 48, 'c');
	ring_back_look(&m.ring, 0, &look);
	assert_string_equal(shown(&look), "cba");
	assert_int_equal(look.n_new, 112);
	assert_false(look.gap);
	/* looking takes nothing away */
	ring_back_look(&m.ring, 0, &look);
	assert_string_equal(shown(&look), "cba");
}

/* However the records lie: what is shown is whole, and all that can be whole is shown. */
static void wraps_anywhere(void **state)
{
	(void)state;
	for (uint16_t size = 16; size <= 80; size += 8) {
		struct ring_back_look look;
		struct made m;
		char expected[DATA / 16 + 1];

		make(&m);
		for (unsigned n = 1; n < 3 * DATA / 16; n++) {
			size_t fits = DATA / size, i = 0;

			put(&m, size, (uint8_t)('a' + n % 26));
			for (; i < n && i < fits; i++)
				expected[i] = (char)('a' + (n - i) % 26);
			expected[i] = '\0';
			ring_back_look(&m.ring, 0, &look);
			assert_string_equal(shown(&look), expected);
		}
	}
}

static void overlap_and_gap(void **state)
{
	struct ring_back_look look;
	uint64_t seen;
	struct made m;

	(void)state;
	make(&m);
	put(&m, 64, 'a');
	put(&m, 64, 'b');
	ring_back_look(&m.ring, 0, &look);
	seen = look.head;
	put(&m, 64, 'c');
	ring_back_look(&m.ring, seen, &look);
	assert_string_equal(shown(&look), "cba");
	assert_int_equal(look.n_new, 64);
	assert_false(look.gap);
	seen = look.head;
	for (char c = 'd'; c <= 'g'; c++)
		put(&m, 64, (uint8_t)c);
	ring_back_look(&m.ring, seen, &look);
	assert_string_equal(shown(&look), "gfed");
	assert_int_equal(look.n_new, 256);
	assert_false(look.gap);
	seen = look.head;
	for (char c = 'h'; c <= 'l'; c++)
		put(&m, 64, (uint8_t)c);
	ring_back_look(&m.ring, seen, &look);
	assert_string_equal(shown(&look), "lkji");
	assert_true(look.gap);
	/* nothing new: all of it overlaps */
	ring_back_look(&m.ring, look.head, &look);
	assert_int_equal(look.n_new, 0);
	assert_false(look.gap);
}

/* Bytes that are no record end it; what stands before them is good. */
static void damaged(void **state)
{
	struct ring_back_look look;
	struct made m;

	(void)state;
	make(&m);
	put(&m, 32, 'a');
	put(&m, 32, 'b');
	memset(m.bytes + PAGE + DATA - 32, 0, 8);
	ring_back_look(&m.ring, 0, &look);
	assert_string_equal(shown(&look), "b");
	memset(m.bytes + PAGE + DATA - 64, 0xff, 8);
	ring_back_look(&m.ring, 0, &look);
	assert_int_equal(look.bytes, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_was_written),
		cmocka_unit_test(newest_first),
		cmocka_unit_test(wraps_anywhere),
		cmocka_unit_test(overlap_and_gap),
		cmocka_unit_test(damaged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
