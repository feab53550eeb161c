/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A thread's own counter: by its page where the kernel allows it, else by read(). */
#include <errno.h>
#include <string.h>
#include "fake/kernel.h"
#include "kernel/self_counter.h"
#include "lib/need.h"
#include "record/doctor/self_cost.h"

static struct perf_event_mmap_page *changing; /* by the next rdpmc */
static uint64_t pmc;
static uint32_t pmc_index;

static uint64_t made_rdpmc(uint32_t index)
{
	uint64_t ret = pmc;

	pmc_index = index;
	if (changing) { /* the kernel moved the event in between */
		changing->lock++;
		changing->offset = 5000;
		pmc = 7;
		changing = NULL;
	}
	return ret;
}

static void page_or_read(void **state)
{
	struct fake_kernel k;
	struct self_counter c;
	struct perf_event_mmap_page *page;
	uint64_t count = 0;

	(void)state;
	fake_kernel_init(&k);
	assert_int_equal(
		self_counter_open(&c, &k.ops, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK), 0);
	for (size_t i = 0; i < FAKE_FDS; i++)
		if (k.fds[i].used)
			k.fds[i].count = 77;
	page = c.page;
	assert_non_null(page);
	c.rdpmc = made_rdpmc;
	/* not on a counter, or forbidden: read() */
	assert_int_equal(self_counter_read(&c, &count), 0);
	assert_int_equal(count, 77);
	assert_false(c.by_page);
	page->index = 3;
	assert_int_equal(self_counter_read(&c, &count), 0);
	assert_int_equal(count, 77);
	/* allowed: the part that the kernel knows, and what the counter has had since, with its sign */
	page->cap_user_rdpmc = 1;
	page->pmc_width = 48;
	page->offset = 1000;
	pmc = 23;
	assert_int_equal(self_counter_read(&c, &count), 0);
	assert_int_equal(count, 1023);
	assert_int_equal(pmc_index, 2);
	assert_true(c.by_page);
	pmc = 0xffffffffffff; /* -1 */
	assert_int_equal(self_counter_read(&c, &count), 0);
	assert_int_equal(count, 999);
	changing = page;
	assert_int_equal(self_counter_read(&c, &count), 0);
	assert_int_equal(count, 5007);
	/* no such instruction on this processor */
	c.rdpmc = NULL;
	assert_int_equal(self_counter_read(&c, &count), 0);
	assert_int_equal(count, 77);
	self_counter_close(&c);
	fake_kernel_release(&k);
}

static void refused(void **state)
{
	struct self_cost cost;
	struct self_counter c;
	struct fake_kernel k;

	(void)state;
	fake_kernel_init(&k);
	/* no samples in the ring of a kernel that is none */
	assert_int_equal(self_cost_measure(&k.ops, &cost), -ENODATA);
	assert_int_equal(k.n_open, 0);
	k.refusals[k.n_refusals++] = (struct fake_refusal){ EACCES, -1, -1, -1, 0, -1 };
	assert_int_equal(self_counter_open(&c, &k.ops, PERF_TYPE_SOFTWARE,
					   PERF_COUNT_SW_TASK_CLOCK),
			 -EACCES);
	assert_int_equal(self_cost_measure(&k.ops, &cost), -EACCES);
	fake_kernel_release(&k);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(page_or_read),
		cmocka_unit_test(refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
