/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads and their maps, as perf report --tasks and --mmaps list them. */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include "base/buf.h"
#include "base/perf_abi.h"
#include "lib/need.h"
#include "machine/task_list.h"

#define EXEC (PROT_READ | PROT_EXEC)

static void add_fork(struct task_list *l, int pid, int tid, int ppid, int ptid)
{
	const struct data_record rec = {
		.type = PERF_RECORD_FORK,
		.task = { .pid = pid, .tid = tid, .ppid = ppid, .ptid = ptid }
	};

	assert_int_equal(task_list_add(l, &rec), 0);
}

static void add_comm(struct task_list *l, int pid, int tid, const char *name)
{
	const struct data_record rec = { .type = PERF_RECORD_COMM,
					 .comm = { .pid = pid, .tid = tid, .name = name } };

	assert_int_equal(task_list_add(l, &rec), 0);
}

static void add_map(struct task_list *l, int pid, uint64_t start, uint64_t end, const char *path)
{
	const struct data_record rec = { .type = PERF_RECORD_MMAP2,
					 .misc = PERF_RECORD_MISC_USER,
					 .mmap = { .pid = pid,
						   .tid = pid,
						   .start = start,
						   .len = end - start,
						   .pgoff = start,
						   .prot = EXEC,
						   .path = path } };

	assert_int_equal(task_list_add(l, &rec), 0);
}

struct seen {
	const struct task_list *l;
	struct buf text;
};

static int see(void *ctx, const struct task *t, unsigned level)
{
	struct seen *s = ctx;
	const struct task_space *space = &s->l->spaces[t->space];

	buf_addf(&s->text, "%*s%d/%d %s", (int)level, "", t->pid, t->tid,
		 t->comm == PTUI_NONE ? "?" : strpool_get(&s->l->names, t->comm));
	for (size_t i = 0; i < space->n; i++)
		buf_addf(&s->text, " %llx-%llx+%llx:%s", (unsigned long long)space->maps[i].start,
			 (unsigned long long)space->maps[i].end,
			 (unsigned long long)space->maps[i].pgoff,
			 strpool_get(&s->l->names, space->maps[i].name));
	buf_add_char(&s->text, '\n');
	return 0;
}

static void expect(const struct task_list *l, const char *text)
{
	struct seen s = { l, BUF_INIT };

	assert_int_equal(task_list_walk(l, see, &s), 0);
	assert_string_equal(buf_str(&s.text), text);
	buf_release(&s.text);
}

static void test_tree(void **state)
{
	struct task_list l;

	(void)state;
	assert_int_equal(task_list_init(&l, false), 0);
	add_comm(&l, 10, 10, "make");
	add_fork(&l, 11, 11, 10, 10);
	add_comm(&l, 11, 11, "cc");
	add_fork(&l, 12, 12, 11, 11);
	add_fork(&l, 11, 300, 11, 11); /* a thread; of bucket 44 */
	add_fork(&l, 20, 20, 19, 19);  /* of a parent that nothing is known about */
	expect(&l,
	       "0/0 swapper\n10/10 make\n 11/11 cc\n  12/12 cc\n  11/300 cc\n19/19 ?\n 20/20 ?\n");
	task_list_release(&l);
}

/* Parents that are each other's: as in perf, they are not listed. */
static void test_loop(void **state)
{
	struct task_list l;

	(void)state;
	assert_int_equal(task_list_init(&l, false), 0);
	add_fork(&l, 11, 11, 10, 10);
	add_fork(&l, 10, 10, 11, 11);
	expect(&l, "0/0 swapper\n");
	task_list_release(&l);
}

/* A long row of parents needs no stack. */
static void test_deep(void **state)
{
	struct seen s;
	struct task_list l;

	(void)state;
	assert_int_equal(task_list_init(&l, false), 0);
	for (int i = 1; i < 20000; i++)
		add_fork(&l, i, i, i - 1, i - 1);
	s = (struct seen){ &l, BUF_INIT };
	assert_int_equal(task_list_walk(&l, see, &s), 0);
	assert_non_null(strstr(buf_str(&s.text), " 19999/19999 "));
	buf_release(&s.text);
	task_list_release(&l);
}

static void test_maps(void **state)
{
	struct task_list l;

	(void)state;
	assert_int_equal(task_list_init(&l, true), 0);
	add_map(&l, 10, 0x1000, 0x5000, "a");
	add_map(&l, 10, 0x2000, 0x3000, "b"); /* in its middle */
	add_fork(&l, 11, 11, 10, 10);	      /* a copy */
	add_map(&l, 10, 0x2800, 0x6000, "c"); /* over the ends of two */
	add_fork(&l, 10, 12, 10, 10);	      /* the same */
	add_map(&l, 11, 0, 0x9000, "//anon");
	expect(&l, "0/0 swapper\n"
		   "10/10 ? 1000-2000+1000:a 2000-2800+2000:b 2800-6000+2800:c\n"
		   " 11/11 ? 0-9000+0:/tmp/perf-11.map\n"
		   " 10/12 ? 1000-2000+1000:a 2000-2800+2000:b 2800-6000+2800:c\n");
	/* a pid that is used again has no maps, but the names of threads that nobody renamed */
	add_fork(&l, 10, 10, 0, 0);
	expect(&l, "0/0 swapper\n"
		   " 10/10 swapper\n"
		   "  11/11 ? 0-9000+0:/tmp/perf-11.map\n"
		   "  10/12 ? 1000-2000+1000:a 2000-2800+2000:b 2800-6000+2800:c\n");
	task_list_release(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tree),
		cmocka_unit_test(test_loop),
		cmocka_unit_test(test_deep),
		cmocka_unit_test(test_maps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
