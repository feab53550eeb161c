/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The queue between recorder and session: order, size limit, drop counts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/perf_abi.h"
#include "lib/need.h"
#include "session/live/live_queue.h"

#define MAX_BYTES    4096
#define RECORD_BYTES 64

static int setup(void **state)
{
	struct live_queue *q = calloc(1, sizeof(*q));

	assert_int_equal(live_queue_init(q, MAX_BYTES), 0);
	live_queue_bound(q);
	*state = q;
	return 0;
}

static int teardown(void **state)
{
	live_queue_release(*state);
	free(*state);
	return 0;
}

/* A pass of `n` records in two pieces; each `every`th is a COMM, the others are samples. */
static void put(struct live_queue *q, size_t n, size_t every)
{
	uint8_t *bytes = calloc(n, RECORD_BYTES);
	struct iovec iov[2];

	for (size_t i = 0; i < n; i++) {
		struct perf_event_header header = { .type = PERF_RECORD_SAMPLE,
						    .size = RECORD_BYTES };

		if (i % every == every - 1)
			header.type = PERF_RECORD_COMM;
		memcpy(bytes + i * RECORD_BYTES, &header, sizeof(header));
		bytes[i * RECORD_BYTES + 8] = (uint8_t)i;
	}
	/* the end of the ring may split a record */
	iov[0] = (struct iovec){ bytes, 40 };
	iov[1] = (struct iovec){ bytes + 40, n * RECORD_BYTES - 40 };
	live_queue_put(q, iov, 2);
	free(bytes);
}

static struct live_block *take(struct live_queue *q, struct live_news *news)
{
	return live_queue_take(q, 0, news); /* a time in the past: does not wait */
}

static void dropped(struct live_queue *q, uint64_t bytes, uint64_t samples)
{
	uint64_t b, s;

	live_queue_dropped(q, &b, &s);
	assert_int_equal(b, bytes);
	assert_int_equal(s, samples);
}

static void blocks_come_in_order(void **state)
{
	struct live_queue *q = *state;
	struct live_block *first, *second;
	struct live_news news;

	assert_null(take(q, &news));
	assert_false(news.idle || news.ended);
	put(q, 3, 100);
	put(q, 5, 100);
	first = take(q, &news);
	assert_non_null(first);
	second = first->next;
	assert_int_equal(first->n, 3 * RECORD_BYTES);
	assert_int_equal(first->bytes[2 * RECORD_BYTES + 8], 2);
	assert_int_equal(second->n, 5 * RECORD_BYTES);
	assert_null(second->next);
	assert_null(take(q, &news));
	dropped(q, 0, 0);
	free(first);
	free(second);
}

static void idle_belongs_to_the_block_before(void **state)
{
	struct live_queue *q = *state;
	struct live_block *first, *second;
	struct live_news news;

	put(q, 1, 100);
	live_queue_idle(q);
	put(q, 1, 100);
	first = take(q, &news);
	second = first->next;
	assert_true(first->idle_after);
	assert_false(second->idle_after);
	assert_false(news.idle);
	live_queue_idle(q); /* after the taken block */
	assert_null(take(q, &news));
	assert_true(news.idle);
	assert_null(take(q, &news));
	assert_false(news.idle);
	live_queue_end(q);
	assert_null(take(q, &news));
	assert_true(news.ended);
	free(first);
	free(second);
}

static void what_does_not_fit_leaves_its_sideband(void **state)
{
	struct live_queue *q = *state;
	struct live_block *first, *second;
	struct live_news news;

	put(q, 60, 100);
	put(q, 20, 10);
	dropped(q, 18 * RECORD_BYTES, 18);
	first = take(q, &news);
	second = first->next;
	assert_int_equal(second->n, 2 * RECORD_BYTES);
	assert_int_equal(second->bytes[8], 9);
	assert_int_equal(second->bytes[RECORD_BYTES + 8], 19);
	/* there is room again */
	put(q, 20, 10);
	dropped(q, 18 * RECORD_BYTES, 18);
	free(first);
	free(second);
}

static void the_bound_holds_for_sideband_too(void **state)
{
	struct live_queue *q = *state;

	for (int i = 0; i < 100; i++)
		put(q, 10, 1);
	assert_true(q->bytes <= MAX_BYTES + MAX_BYTES / 4);
	assert_true(q->bytes > MAX_BYTES);
	dropped(q, 1000 * RECORD_BYTES - q->bytes, 0);
}

static void before_the_start_there_is_no_bound(void **state)
{
	struct live_queue *q = *state;

	q->bounded = false;
	put(q, 1000, 100);
	dropped(q, 0, 0);
	live_queue_bound(q);
	put(q, 1, 100);
	dropped(q, RECORD_BYTES, 1);
}

#define ON_QUEUE(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_QUEUE(blocks_come_in_order),
		ON_QUEUE(idle_belongs_to_the_block_before),
		ON_QUEUE(what_does_not_fit_leaves_its_sideband),
		ON_QUEUE(the_bound_holds_for_sideband_too),
		ON_QUEUE(before_the_start_there_is_no_bound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
