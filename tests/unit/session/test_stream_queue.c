/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The queue that sorts records by time. */
#include <string.h>
#include "base/perf_abi.h"
#include "lib/need.h"
#include "session/stream_queue.h"

static void add(struct stream_queue *q, uint64_t time, uint64_t seq)
{
	uint8_t body[24] = { (uint8_t)seq };
	const struct data_record rec = { .type = PERF_RECORD_SAMPLE,
					 .seq = seq,
					 .bytes = 8 + sizeof(body),
					 .body = body,
					 .body_bytes = sizeof(body) };

	assert_int_equal(stream_queue_add(q, &rec, time, time), 0);
}

/* What comes out up to a time: the numbers of the records. */
static void expect(struct stream_queue *q, uint64_t limit, const uint64_t *seqs, size_t n)
{
	struct data_record rec;
	uint64_t when, last = 0;

	assert_int_equal(stream_queue_take(q, limit), 0);
	for (size_t i = 0; i < n; i++) {
		assert_true(stream_queue_next(q, &rec, &when));
		assert_int_equal(rec.seq, seqs[i]);
		assert_int_equal(rec.body[0], seqs[i]);
		assert_int_equal(rec.type, PERF_RECORD_SAMPLE);
		assert_true(when >= last && when <= limit);
		last = when;
	}
	assert_false(stream_queue_next(q, &rec, &when));
	stream_queue_done(q);
}

static void test_rounds(void **state)
{
	struct stream_queue q = { 0 };

	(void)state;
	expect(&q, UINT64_MAX, NULL, 0);
	add(&q, 5, 1);
	add(&q, 7, 2);
	add(&q, 9, 3);
	add(&q, 6, 4);
	add(&q, 8, 5);
	add(&q, 10, 6);
	expect(&q, 8, (const uint64_t[]){ 1, 4, 2, 5 }, 4);
	add(&q, 9, 7); /* equal times keep their order */
	add(&q, 9, 8);
	expect(&q, 9, (const uint64_t[]){ 3, 7, 8 }, 3);
	expect(&q, UINT64_MAX, (const uint64_t[]){ 6 }, 1);
	stream_queue_release(&q);
}

static void test_many_runs(void **state)
{
	struct stream_queue q = { 0 };
	struct data_record rec;
	uint64_t when, last = 0;
	size_t n = 0;

	(void)state;
	for (uint64_t i = 0; i < 100000; i++)
		add(&q, 1 + i * 7919 % 100003, i);
	assert_int_equal(stream_queue_take(&q, UINT64_MAX), 0);
	for (; stream_queue_next(&q, &rec, &when); n++) {
		assert_true(when >= last);
		assert_int_equal(when, 1 + rec.seq * 7919 % 100003);
		last = when;
	}
	assert_int_equal(n, 100000);
	stream_queue_done(&q);
	stream_queue_release(&q);
}

static void test_texts_move(void **state)
{
	struct stream_queue q = { 0 };
	char body[32] = "xxxxxxxxlibc.so";
	struct data_record rec = { .type = PERF_RECORD_MMAP2,
				   .body = (const uint8_t *)body,
				   .body_bytes = sizeof(body),
				   .mmap = { .path = body + 8, .pid = 17 } };
	uint64_t when;

	(void)state;
	assert_int_equal(stream_queue_add(&q, &rec, 3, 4), 0);
	memset(body, 0, sizeof(body));
	assert_int_equal(stream_queue_take(&q, 3), 0);
	assert_true(stream_queue_next(&q, &rec, &when));
	assert_int_equal(when, 4);
	assert_int_equal(rec.mmap.pid, 17);
	assert_string_equal(rec.mmap.path, "libc.so");
	stream_queue_done(&q);
	stream_queue_release(&q);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rounds),
		cmocka_unit_test(test_many_runs),
		cmocka_unit_test(test_texts_move),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
