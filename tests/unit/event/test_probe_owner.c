/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whose temporary probes are: names of groups, processes that ended, and what they left. */
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "event/probe_owner.h"
#include "lib/need.h"
#include "unit/event/tree.h"

static int setup(void **state)
{
	static struct tree tree;

	*state = &tree;
	return tree_make(&tree);
}

static int teardown(void **state)
{
	tree_remove(*state);
	return 0;
}

static void test_names(void **state)
{
	static const struct {
		const char *group;
		pid_t pid; /* 0: not one of ours */
		uint64_t start, pid_ns;
	} rows[] = {
		{ "ptui_1_2", 1, 2, 0 },
		{ "ptui_4194304_18446744073709551615", 4194304, UINT64_MAX, 0 },
		{ "ptui_12_345_4026532345", 12, 345, 4026532345 },
		{ "ptui_", 0, 0, 0 },
		{ "ptui_1", 0, 0, 0 },
		{ "ptui_1_", 0, 0, 0 },
		{ "ptui_1_2_", 0, 0, 0 },
		{ "ptui_1_2_3_4", 0, 0, 0 },
		{ "ptui_01_2", 0, 0, 0 },
		{ "ptui_1_02", 0, 0, 0 },
		{ "ptui_0_2", 0, 0, 0 },
		{ "ptui_-1_2", 0, 0, 0 },
		{ "ptui_1_2x", 0, 0, 0 },
		{ "ptui_t123", 0, 0, 0 },
		{ "ptui_bash", 0, 0, 0 },
		{ "ptui_2147483648_1", 0, 0, 0 },
		{ "ptui_1_18446744073709551616", 0, 0, 0 },
		{ "probe_bash", 0, 0, 0 },
		{ "probe_ptui_1_2", 0, 0, 0 },
		{ "", 0, 0, 0 },
	};
	struct probe_owner o;
	char buf[PROBE_OWNER_MAX];
	(void)state;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		bool ours = probe_owner_parse(rows[i].group, &o);

		if (ours != (rows[i].pid != 0))
			fail_msg("%s", rows[i].group);
		if (!ours)
			continue;
		assert_int_equal(o.pid, rows[i].pid);
		assert_true(o.start == rows[i].start && o.pid_ns == rows[i].pid_ns);
		assert_string_equal(probe_owner_group(&o, buf), rows[i].group);
	}
}

/* A process and its successors, in a made /proc. */
static void test_ended(void **state)
{
#define BETWEEN "S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18"
	static const struct {
		const char *what, *stat; /* NULL: no such process */
		bool ended;
	} rows[] = {
		{ "it runs", "77 (ptui) " BETWEEN " 500 0\n", false },
		{ "its name has blanks and parentheses", "77 (a) S 9 (b) " BETWEEN " 500 0\n",
		  false },
		{ "its pid was used again", "77 (sh) " BETWEEN " 501 0\n", true },
		{ "it was not waited for", "77 (ptui) Z" BETWEEN " 500 0\n", true },
		{ "it has ended", NULL, true },
	};
	struct tree *tree = *state;
	const struct probe_owner o = { .pid = 77, .start = 500 };
	struct probe_owner elsewhere = o;

	elsewhere.pid_ns = 1;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char path[512];

		if (rows[i].stat)
			tree_write(tree, "proc/77/stat", rows[i].stat);
		snprintf(path, sizeof(path), "%s/77/stat", tree->roots.proc);
		if (!rows[i].stat)
			unlink(path);
		if (probe_owner_has_ended(&tree->roots, &o) != rows[i].ended)
			fail_msg("%s", rows[i].what);
		/* of a process in another pid namespace nothing is known */
		assert_false(probe_owner_has_ended(&tree->roots, &elsewhere));
	}
}

static void test_this_process(void **state)
{
	struct probe_owner o, child;
	char buf[PROBE_OWNER_MAX];
	int end[2];
	pid_t pid;
	(void)state;

	assert_int_equal(probe_owner_of(&roots_system, 0, &o), 0);
	assert_int_equal(o.pid, getpid());
	assert_false(probe_owner_has_ended(&roots_system, &o));
	assert_true(probe_owner_parse(probe_owner_group(&o, buf), &child));
	assert_memory_equal(&o, &child, sizeof(o));
	o.start++;
	assert_true(probe_owner_has_ended(&roots_system, &o));

	assert_int_equal(pipe(end), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		close(end[1]);
		_exit(read(end[0], buf, 1) != 0);
	}
	assert_int_equal(probe_owner_of(&roots_system, pid, &child), 0);
	assert_false(probe_owner_has_ended(&roots_system, &child));
	close(end[0]);
	close(end[1]);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_true(probe_owner_has_ended(&roots_system, &child));
	assert_int_not_equal(probe_owner_of(&roots_system, pid, &child), 0);
}

static void test_leftovers(void **state)
{
	struct tree *tree = *state;
	struct probe_leftovers l;
	struct buf text = BUF_INIT;

	tree_write(tree, "proc/78/stat", "78 (ptui) " BETWEEN " 600 0\n");
	tree_write(tree, "tracing/kprobe_events",
		   "r16:ptui_79_1/back do_open\np:probe/mine do_open\np:kprobes/ptui_79_1 x\n");
	tree_write(tree, "tracing/uprobe_events",
		   "p:probe_bash/readline /bin/bash:0x1 s=+0(%di):string\n"
		   "p:ptui_78_600/runs /bin/bash:0x2\n"
		   "p:ptui_78_599/reused /bin/bash:0x3\n"
		   "p:ptui_79_1/fact /bin/bash:0x4\n"
		   "p:ptui_79_1/fact /bin/bash:0x5\n"
		   "nonsense\n"
		   "p:ptui_79_1_5/elsewhere /bin/bash:0x6\n"
		   "p:ptui_t12/test /bin/bash:0x7\n");
	assert_int_equal(probe_leftovers_read(&tree->roots, tree->tracefs, &l), 0);
	probe_leftovers_names(&l, 9, &text);
	assert_string_equal(buf_str(&text), "ptui_79_1:back, ptui_78_599:reused, ptui_79_1:fact");
	buf_clear(&text);
	probe_leftovers_names(&l, 1, &text);
	assert_string_equal(buf_str(&text), "ptui_79_1:back (+2 more)");
	buf_clear(&text);
	probe_leftovers_command(&l, &text);
	assert_string_equal(buf_str(&text), "ptui probe -d 'ptui_79_1:*' -d 'ptui_78_599:*'");
	probe_leftovers_release(&l);
	buf_release(&text);
	assert_int_equal(probe_leftovers_read(&tree->roots, "/no/such", &l), 0);
	assert_int_equal(l.n, 0);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_names),
	cmocka_unit_test_setup_teardown(test_ended, setup, teardown),
	cmocka_unit_test(test_this_process),
	cmocka_unit_test_setup_teardown(test_leftovers, setup, teardown),
};

int main(void)
{
	return cmocka_run_group_tests_name("probe owner", tests, NULL, NULL);
}
