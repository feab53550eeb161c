/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The process list over a made /proc, and over this one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "fake/kernel.h"
#include "lib/need.h"
#include "model/setup/process.h"

struct world {
	struct fake_kernel kernel;
	struct processes list;
};

/* As chosen on the screen. */
static enum process_order order;
static const char *search;

static void make(struct world *w, int pid, const char *comm, unsigned long ticks,
		 unsigned long start, const char *cmdline, size_t bytes)
{
	char name[64], path[192];
	FILE *f;

	snprintf(name, sizeof(name), "proc/%d/stat", pid);
	fake_file(&w->kernel, name, "%d (%s) S 1 1 1 0 -1 0 0 0 0 0 %lu 0 0 0 20 0 3 0 %lu 0 0\n",
		  pid, comm, ticks, start);
	snprintf(path, sizeof(path), "%s/%d/cmdline", w->kernel.proc, pid);
	f = fopen(path, "w");
	assert_non_null(f);
	fwrite(cmdline, 1, bytes, f);
	fclose(f);
}

static int setup(void **state)
{
	struct world *w = calloc(1, sizeof(*w));

	order = PROCESSES_BY_CPU;
	search = "";
	fake_kernel_init(&w->kernel);
	w->list.proc = w->kernel.proc;
	make(w, 10, "kworker/0:1) R 1", 5, 1, "", 0);
	make(w, 20, "make", 500, 100, "make\0-j2\0", 9);
	make(w, 30, "cc1", 50, 110, "cc1\0-O2\0f oo.c\0", 15);
	fake_file(&w->kernel, "proc/40/stat", "40 (broken");
	*state = w;
	return 0;
}

static int teardown(void **state)
{
	struct world *w = *state;

	processes_release(&w->list);
	fake_kernel_release(&w->kernel);
	free(w);
	return 0;
}

/* As on the screen: read in the background, then shown; unchanged after a failure. */
static int read_all(struct processes *p, uint64_t now_ns, struct ptui_error *err)
{
	struct processes fresh = { .proc = p->proc };
	int ret;

	processes_scan(&fresh, now_ns);
	ret = -fresh.failed.code;
	if (err)
		*err = fresh.failed;
	processes_take(p, &fresh);
	processes_arrange(p, order, search);
	processes_release(&fresh);
	return ret;
}

static const struct process *processes_get(const struct processes *p, size_t i)
{
	assert_true(i < p->n_shown);
	return &p->v[i];
}

static size_t processes_find(const struct processes *p, pid_t pid)
{
	for (size_t i = 0; i < p->n_shown; i++)
		if (p->v[i].pid == pid)
			return i;
	return SIZE_MAX;
}

static void processes_sort(struct processes *p, enum process_order by)
{
	order = by;
	processes_arrange(p, order, search);
}

static void processes_search(struct processes *p, const char *text)
{
	search = text;
	processes_arrange(p, order, search);
}

static void test_list(void **state)
{
	struct world *w = *state;
	const struct process *p;

	assert_int_equal(read_all(&w->list, 1000000000, NULL), 0);
	assert_int_equal(w->list.n_shown, 3);
	p = processes_get(&w->list, 0);
	assert_int_equal(p->pid, 20);
	assert_string_equal(p->name, "make -j2");
	assert_int_equal(p->threads, 3);
	assert_int_equal(p->start, 100);
	assert_true(p->cpu_share < 0);
	assert_true(*p->user);
	assert_string_equal(processes_get(&w->list, 1)->name, "cc1 -O2 f oo.c");
	assert_string_equal(processes_get(&w->list, 2)->name, "[kworker/0:1) R 1]");
}

static void test_share(void **state)
{
	struct world *w = *state;
	long second = sysconf(_SC_CLK_TCK);

	assert_int_equal(read_all(&w->list, 1000000000, NULL), 0);
	make(w, 20, "make", 500 + (unsigned long)second, 100, "make\0", 5);
	make(w, 30, "cc1", 60, 999, "other\0", 6); /* the number is used again */
	assert_int_equal(read_all(&w->list, 3000000000, NULL), 0);
	assert_int_equal(processes_get(&w->list, 0)->pid, 20);
	assert_true(processes_get(&w->list, 0)->cpu_share > 0.499);
	assert_true(processes_get(&w->list, 0)->cpu_share < 0.501);
	assert_true(processes_get(&w->list, processes_find(&w->list, 30))->cpu_share < 0);
}

/* What was busy since the last reading comes before what was busy long ago. */
static void test_recent(void **state)
{
	struct world *w = *state;
	long second = sysconf(_SC_CLK_TCK);

	assert_int_equal(read_all(&w->list, 1000000000, NULL), 0);
	assert_int_equal(processes_get(&w->list, 0)->pid, 20); /* nothing else is known yet */
	make(w, 30, "cc1", 50 + (unsigned long)second / 4, 110, "cc1\0", 4);
	assert_int_equal(read_all(&w->list, 2000000000, NULL), 0);
	assert_int_equal(processes_get(&w->list, 0)->pid, 30);
	assert_int_equal(processes_get(&w->list, 1)->pid, 20);
	processes_sort(&w->list, PROCESSES_BY_TIME);
	assert_int_equal(processes_get(&w->list, 0)->pid, 20);
	processes_sort(&w->list, PROCESSES_BY_CPU);
	assert_int_equal(processes_get(&w->list, 0)->pid, 30);
}

/* Also what is read later, and only what the search shows. */
static void test_sort(void **state)
{
	struct world *w = *state;

	assert_int_equal(read_all(&w->list, 0, NULL), 0);
	processes_sort(&w->list, PROCESSES_BY_NAME);
	assert_string_equal(processes_get(&w->list, 0)->name, "[kworker/0:1) R 1]");
	assert_string_equal(processes_get(&w->list, 1)->name, "cc1 -O2 f oo.c");
	assert_string_equal(processes_get(&w->list, 2)->name, "make -j2");
	assert_int_equal(read_all(&w->list, 0, NULL), 0);
	assert_string_equal(processes_get(&w->list, 2)->name, "make -j2");
	processes_sort(&w->list, PROCESSES_BY_THREADS);
	for (size_t i = 1; i < 3; i++)
		assert_true(processes_get(&w->list, i - 1)->threads >=
			    processes_get(&w->list, i)->threads);
	processes_sort(&w->list, PROCESSES_BY_USER); /* all of the same: by pid */
	assert_int_equal(processes_get(&w->list, 0)->pid, 10);
	processes_sort(&w->list, PROCESSES_BY_TIME);
	for (size_t i = 1; i < 3; i++)
		assert_true(processes_get(&w->list, i - 1)->cpu_ticks >=
			    processes_get(&w->list, i)->cpu_ticks);
	processes_search(&w->list, "make");
	processes_sort(&w->list, PROCESSES_BY_PID);
	assert_int_equal(w->list.n_shown, 1);
	processes_search(&w->list, "");
	for (size_t i = 1; i < 3; i++)
		assert_true(processes_get(&w->list, i - 1)->pid < processes_get(&w->list, i)->pid);
	processes_sort(&w->list, PROCESSES_BY_CPU);
	assert_int_equal(processes_get(&w->list, 0)->pid, 20);
}

static void test_search(void **state)
{
	struct world *w = *state;

	assert_int_equal(read_all(&w->list, 0, NULL), 0);
	processes_search(&w->list, "MAKE j2");
	assert_int_equal(w->list.n_shown, 1);
	assert_int_equal(processes_get(&w->list, 0)->pid, 20);
	assert_int_equal(processes_find(&w->list, 30), SIZE_MAX);
	assert_int_equal(read_all(&w->list, 0, NULL), 0); /* stays */
	assert_int_equal(w->list.n_shown, 1);
	processes_search(&w->list, "30");
	assert_int_equal(w->list.n_shown, 1);
	assert_int_equal(processes_find(&w->list, 30), 0);
	processes_search(&w->list, "nothing");
	assert_int_equal(w->list.n_shown, 0);
	processes_search(&w->list, "");
	assert_int_equal(w->list.n_shown, 3);
}

static void test_identity(void **state)
{
	struct world *w = *state;

	assert_true(process_is(w->kernel.proc, 20, 100));
	assert_false(process_is(w->kernel.proc, 20, 101));
	assert_false(process_is(w->kernel.proc, 21, 100));
	assert_false(process_is(w->kernel.proc, 40, 0));
}

static void test_no_proc(void **state)
{
	struct world *w = *state;
	struct ptui_error err = PTUI_ERROR_INIT;

	assert_int_equal(read_all(&w->list, 0, NULL), 0);
	w->list.proc = "/no/such/folder";
	assert_true(read_all(&w->list, 0, &err) < 0);
	assert_string_equal(err.object, "/no/such/folder");
	assert_int_equal(w->list.n_shown, 3); /* as it was */
}

static void test_this_machine(void **state)
{
	struct processes list = { .proc = "/proc" };
	size_t i;

	(void)state;
	search = "";
	assert_int_equal(read_all(&list, 0, NULL), 0);
	i = processes_find(&list, getpid());
	assert_true(i < list.n_shown);
	assert_non_null(strstr(processes_get(&list, i)->name, "test_process"));
	assert_true(process_is("/proc", getpid(), processes_get(&list, i)->start));
	processes_release(&list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
		TEST(test_list),    TEST(test_share),
		TEST(test_recent),  TEST(test_sort),
		TEST(test_search),  TEST(test_identity),
		TEST(test_no_proc), cmocka_unit_test(test_this_machine),
#undef TEST
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
