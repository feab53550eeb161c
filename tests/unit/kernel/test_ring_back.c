/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Overwrite-mode rings in made-up memory, with put() as the kernel. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "kernel/ring_back.h"
#include "lib/need.h"

#define PAGE 4096
#define DATA 256

struct made {
	struct ring ring;
	_Alignas(PAGE) uint8_t bytes[2 * PAGE];
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

struct seen {
	uint8_t bytes[DATA];
	struct ring_back_copy copy;
	struct ring_back_extent extent;
};

static void copy_and_measure(const struct made *m, uint64_t seen, struct seen *ret)
{
	ring_back_copy(&m->ring, ret->bytes, &ret->copy);
	ring_back_measure(&ret->copy, seen, &ret->extent);
}

/* The last byte of each record, in the order of the result. */
static const char *shown(const struct seen *s)
{
	static char text[DATA];
	struct perf_event_header header;
	size_t at = 0, n = 0;

	while (at < s->extent.bytes) {
		memcpy(&header, s->bytes + at, sizeof(header));
		at += header.size;
		text[n++] = (char)s->bytes[at - 1];
	}
	text[n] = '\0';
	return text;
}

static void nothing_was_written(void **state)
{
	struct seen copied;
	struct made m;

	(void)state;
	make(&m);
	copy_and_measure(&m, 0, &copied);
	assert_int_equal(copied.extent.bytes, 0);
	assert_false(copied.extent.gap);
}

static void newest_first(void **state)
{
	struct seen copied;
	struct made m;

	(void)state;
	make(&m);
	put(&m, 40, 'a');
	put(&m, 24, 'b');
	put(&m, 48, 'c');
	copy_and_measure(&m, 0, &copied);
	assert_string_equal(shown(&copied), "cba");
	assert_int_equal(copied.extent.n_new, 112);
	assert_false(copied.extent.gap);
	/* looking consumes nothing */
	copy_and_measure(&m, 0, &copied);
	assert_string_equal(shown(&copied), "cba");
}

/* Wherever the ring wraps: exactly the whole records are returned. */
static void wraps_anywhere(void **state)
{
	(void)state;
	for (uint16_t size = 16; size <= 80; size += 8) {
		struct seen copied;
		struct made m;
		char expected[DATA / 16 + 1];

		make(&m);
		for (unsigned n = 1; n < 3 * DATA / 16; n++) {
			size_t fits = DATA / size, i = 0;

			put(&m, size, (uint8_t)('a' + n % 26));
			for (; i < n && i < fits; i++)
				expected[i] = (char)('a' + (n - i) % 26);
			expected[i] = '\0';
			copy_and_measure(&m, 0, &copied);
			assert_string_equal(shown(&copied), expected);
		}
	}
}

static void overlap_and_gap(void **state)
{
	struct seen copied;
	uint64_t seen;
	struct made m;

	(void)state;
	make(&m);
	put(&m, 64, 'a');
	put(&m, 64, 'b');
	copy_and_measure(&m, 0, &copied);
	seen = copied.copy.head;
	put(&m, 64, 'c');
	copy_and_measure(&m, seen, &copied);
	assert_string_equal(shown(&copied), "cba");
	assert_int_equal(copied.extent.n_new, 64);
	assert_false(copied.extent.gap);
	seen = copied.copy.head;
	for (char c = 'd'; c <= 'g'; c++)
		put(&m, 64, (uint8_t)c);
	copy_and_measure(&m, seen, &copied);
	assert_string_equal(shown(&copied), "gfed");
	assert_int_equal(copied.extent.n_new, 256);
	assert_false(copied.extent.gap);
	seen = copied.copy.head;
	for (char c = 'h'; c <= 'l'; c++)
		put(&m, 64, (uint8_t)c);
	copy_and_measure(&m, seen, &copied);
	assert_string_equal(shown(&copied), "lkji");
	assert_true(copied.extent.gap);
	/* nothing new: complete overlap */
	copy_and_measure(&m, copied.copy.head, &copied);
	assert_int_equal(copied.extent.n_new, 0);
	assert_false(copied.extent.gap);
}

static struct made *late;

/* Called during the copy, after the head was read. */
static void write_late(int number)
{
	(void)number;
	if (mprotect(late->bytes + PAGE, PAGE, PROT_READ | PROT_WRITE))
		abort();
	put(late, 64, 'e');
}

/*
 * A record that started before the pause and was completed during it: over the oldest one, if the
 * ring is full.
 */
static void written_meanwhile(void **state)
{
	struct sigaction old, action = { .sa_handler = write_late };
	struct seen copied;

	(void)state;
	late = mmap(NULL, sizeof(*late), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		    0);
	assert_true(late != MAP_FAILED);
	make(late);
	for (char c = 'a'; c <= 'd'; c++)
		put(late, 64, (uint8_t)c);
	assert_int_equal(sigaction(SIGSEGV, &action, &old), 0);
	assert_int_equal(mprotect(late->bytes + PAGE, PAGE, PROT_NONE), 0);
	copy_and_measure(late, 0, &copied);
	sigaction(SIGSEGV, &old, NULL);
	assert_string_equal(shown(&copied), "dcb");
	/* the next copy has it */
	copy_and_measure(late, copied.copy.head, &copied);
	assert_string_equal(shown(&copied), "edcb");
	assert_int_equal(copied.extent.n_new, 64);
	assert_false(copied.extent.gap);
	munmap(late, sizeof(*late));
}

/* An invalid record ends it; the records before it are returned. */
static void damaged(void **state)
{
	struct seen copied;
	struct made m;

	(void)state;
	make(&m);
	put(&m, 32, 'a');
	put(&m, 32, 'b');
	memset(m.bytes + PAGE + DATA - 32, 0, 8);
	copy_and_measure(&m, 0, &copied);
	assert_string_equal(shown(&copied), "b");
	memset(m.bytes + PAGE + DATA - 64, 0xff, 8);
	copy_and_measure(&m, 0, &copied);
	assert_int_equal(copied.extent.bytes, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_was_written), cmocka_unit_test(newest_first),
		cmocka_unit_test(wraps_anywhere),      cmocka_unit_test(overlap_and_gap),
		cmocka_unit_test(written_meanwhile),   cmocka_unit_test(damaged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
