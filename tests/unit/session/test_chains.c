/* SPDX-License-Identifier: GPL-2.0-or-later */
/* User parts of stacks that are not in the callchain of the sample: deferred records, branch stacks of calls. */
#include <inttypes.h>
#include <string.h>
#include "base/perf_abi.h"
#include "lib/need.h"
#include "profile/profile.h"
#include "session/load.h"
#include "unit/data/made.h"

#define KERNEL 0xffffffff81000000
#define TYPE   (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN)

static const struct made_event plain = {
	.type = PERF_TYPE_SOFTWARE, .sample_type = TYPE, .period = 1, .flags = MADE_SAMPLE_ID_ALL
};
static const struct made_event lbr = { .type = PERF_TYPE_HARDWARE,
				       .sample_type = TYPE | PERF_SAMPLE_BRANCH_STACK,
				       .period = 1,
				       .flags = MADE_SAMPLE_ID_ALL,
				       .branch_type = PERF_SAMPLE_BRANCH_USER |
						      PERF_SAMPLE_BRANCH_CALL_STACK };

static void put_words(struct made *m, const uint64_t *words, size_t n)
{
	made_u64(m, n);
	for (size_t i = 0; i < n; i++)
		made_u64(m, words[i]);
}

/* Up to the callchain; the caller ends the record. */
static void begin_sample(struct made *m, uint32_t tid, uint64_t time_ns, const uint64_t *chain,
			 size_t n)
{
	made_begin(m, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL);
	made_u64(m, KERNEL);
	made_u32(m, 10);
	made_u32(m, tid);
	made_u64(m, time_ns);
	put_words(m, chain, n);
}

static void put_sample(struct made *m, uint32_t tid, uint64_t time_ns, const uint64_t *chain,
		       size_t n)
{
	begin_sample(m, tid, time_ns, chain, n);
	made_end(m);
}

static void put_deferred(struct made *m, uint32_t tid, uint64_t time_ns, uint64_t cookie,
			 const uint64_t *chain, size_t n)
{
	made_begin(m, PTUI_RECORD_CALLCHAIN_DEFERRED, PERF_RECORD_MISC_USER);
	made_u64(m, cookie);
	put_words(m, chain, n);
	made_u32(m, 10);
	made_u32(m, tid);
	made_u64(m, time_ns);
	made_end(m);
}

/* Of each sample "how: outermost ... innermost", kernel addresses as k and the last digits. */
static void add_stack(struct buf *out, const struct ptui_profile *p, size_t row)
{
	uint64_t addrs[64];
	size_t n = 0;

	for (uint32_t at = p->samples.stack[row]; at != PTUI_NONE && n < 64;
	     at = p->stacks.nodes[at].parent)
		addrs[n++] = p->frames[p->stacks.nodes[at].frame].raw_addr;
	buf_addf(out, "%s%u:", row ? "; " : "", p->samples.how[row]);
	while (n--)
		buf_addf(out, " %s%" PRIx64, addrs[n] >= KERNEL ? "k" : "", addrs[n] & 0xffff);
}

static void check(struct made *m, const struct ptui_load_opts *opts, const char *expected)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct buf out = BUF_INIT;
	struct data_file *f;
	struct ptui_profile *p;
	int ret = 0;

	made_finish(m, NULL, 0);
	f = made_open(m);
	p = session_load(f, opts, &err, &ret);
	assert_non_null(p);
	for (size_t i = 0; i < p->samples.n; i++)
		add_stack(&out, p, i);
	assert_string_equal(buf_str(&out), expected);
	buf_release(&out);
	ptui_profile_unref(p);
	data_close(f);
	made_release(m);
}

/* Samples before the record, two with one cookie; of another thread; and one whose record is lost. */
static void put_deferred_samples(struct made *m, bool swap)
{
	const uint64_t user[] = { (uint64_t)PERF_CONTEXT_USER, 0x10, 0x20, 0x30 };
	uint64_t chain[] = { (uint64_t)PERF_CONTEXT_KERNEL, KERNEL + 1, KERNEL + 2,
			     PTUI_CONTEXT_USER_DEFERRED, 77 };
	const uint64_t whole[] = { (uint64_t)PERF_CONTEXT_KERNEL, KERNEL + 1,
				   (uint64_t)PERF_CONTEXT_USER, 0x10 };

	made_init(m, swap, false);
	made_events(m, &plain, 1, 112);
	put_sample(m, 11, 1, chain, 5);
	put_sample(m, 11, 2, chain, 5);
	put_sample(m, 12, 3, chain, 5);
	put_deferred(m, 11, 4, 77, user, 4);
	chain[4] = 78;
	put_sample(m, 11, 5, chain, 5);
	put_deferred(m, 11, 6, 78, user, 2);
	put_sample(m, 11, 7, whole, 4);
	put_sample(m, 11, 8, chain, 4); /* the cookie is missing */
	/* interrupted in user mode: the whole chain comes later, or never */
	put_sample(m, 12, 9, chain + 3, 2);
	put_deferred(m, 12, 10, 78, user, 3);
	put_sample(m, 12, 11, (const uint64_t[]){ PTUI_CONTEXT_USER_DEFERRED, 79 }, 2);
}

static void test_deferred(void **state)
{
	const struct ptui_load_opts two = { .max_stack = 2 }, none = { .no_chains = true };
	struct made m;

	(void)state;
	for (int swap = 0; swap < 2; swap++) {
		put_deferred_samples(&m, swap);
		check(&m, NULL,
		      "0: 30 20 10 k2 k1; 0: 30 20 10 k2 k1; 7: k2 k1; 0: 10 k2 k1; 0: 10 k1; 0: k2 k1; 0: 20 10; 7:");
	}
	put_deferred_samples(&m, false);
	check(&m, &two, "0: k2 k1; 0: k2 k1; 7: k2 k1; 0: k2 k1; 0: 10 k1; 0: k2 k1; 0: 20 10; 7:");
	put_deferred_samples(&m, false);
	check(&m, &none, "0:; 0:; 0:; 0:; 0:; 0:; 0:; 0:");
}

static void put_branches(struct made *m, const uint64_t (*v)[2], size_t n)
{
	made_u64(m, n);
	for (size_t i = 0; i < n; i++) {
		made_u64(m, v[i][0]);
		made_u64(m, v[i][1]);
		made_u64(m, 0);
	}
}

/* perf's rule: the kernel part, the target of the last call, and the source of each call. */
static void test_lbr(void **state)
{
	const uint64_t chain[] = { (uint64_t)PERF_CONTEXT_KERNEL, KERNEL + 1,
				   (uint64_t)PERF_CONTEXT_USER, 0x25, 0x99 };
	const uint64_t calls[][2] = { { 0x30, 0x20 }, { 0x50, 0x40 } };

	(void)state;
	for (int swap = 0; swap < 2; swap++) {
		struct made m;

		made_init(&m, swap, false);
		made_events(&m, &lbr, 1, 112);
		begin_sample(&m, 11, 1, chain, 5);
		put_branches(&m, calls, 2);
		made_end(&m);
		begin_sample(&m, 11, 2, chain,
			     5); /* nothing was called: the frame pointers' chain */
		put_branches(&m, NULL, 0);
		made_end(&m);
		begin_sample(&m, 11, 3, chain, 2); /* no user part */
		put_branches(&m, calls, 2);
		made_end(&m);
		check(&m, NULL, "0: 50 30 20 k1; 0: 99 25 k1; 0: k1");
	}
}

/* Samples without a stack are looked up in batches; each keeps its place, its frame and its event. */
static void check_mixed(unsigned n, unsigned every)
{
	const struct made_event events[] = {
		{ .type = PERF_TYPE_SOFTWARE,
		  .sample_type = (TYPE | PERF_SAMPLE_IDENTIFIER) & ~PERF_SAMPLE_CALLCHAIN,
		  .period = 1,
		  .flags = MADE_SAMPLE_ID_ALL,
		  .id = 5 },
		{ .type = PERF_TYPE_SOFTWARE,
		  .sample_type = TYPE | PERF_SAMPLE_IDENTIFIER,
		  .period = 1,
		  .flags = MADE_SAMPLE_ID_ALL,
		  .id = 6 },
	};
	struct data_file *f;
	struct ptui_profile *p;
	struct made m;

	made_init(&m, false, false);
	made_events(&m, events, 2, 112);
	for (unsigned i = 0; i < n; i++) {
		const uint64_t chain[] = { (uint64_t)PERF_CONTEXT_KERNEL, KERNEL + i, KERNEL };
		bool stack = every && i % every == every - 1;

		made_begin(&m, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL);
		made_u64(&m, stack ? 6 : 5);
		made_u64(&m, KERNEL + i);
		made_u32(&m, 10);
		made_u32(&m, 11 + i % 3);
		made_u64(&m, i + 1);
		if (stack)
			put_words(&m, chain, 3);
		made_end(&m);
	}
	made_finish(&m, NULL, 0);
	f = made_open(&m);
	p = session_load(f, NULL, NULL, NULL);
	assert_non_null(p);
	assert_int_equal(p->samples.n, n);
	for (unsigned i = 0; i < n; i++) {
		bool stack = every && i % every == every - 1;

		assert_int_equal(p->samples.time_ns[i], i + 1);
		assert_int_equal(p->samples.event[i], stack);
		assert_int_equal(p->frames[p->samples.frame[i]].raw_addr, KERNEL + i);
		assert_int_equal(p->samples.stack[i] != PTUI_NONE, stack);
	}
	ptui_profile_unref(p);
	data_close(f);
	made_release(&m);
}

static void test_mixed(void **state)
{
	(void)state;
	for (unsigned n = 0; n < 100; n++)
		check_mixed(n, n % 40);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_deferred),
		cmocka_unit_test(test_lbr),
		cmocka_unit_test(test_mixed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
