/* SPDX-License-Identifier: GPL-2.0-or-later */
/* On the running kernel: counting a program that does something a known number of times. */
#include <dirent.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include "lib/need.h"
#include "ptui/count.h"
#include "session/count/count.h"

#define TIMES	 1234
#define PAGES	 500
#define OTHER_FD 2147354321 /* no program closes it, not even one that closes all */
#define LOOK_MS	 50
#define GIVE_UP	 1200 /* polls: one minute */

struct world {
	pid_t pid;
	int go, done; /* pipes */
	struct ptui_count *count;
};

/* ---- the program ---- */

/* Each byte is a task: 'c' closes a bad fd, 'p' touches new pages. */
static void __attribute__((noreturn)) run_tasks(int go, int done)
{
	char task;

	while (read(go, &task, 1) == 1) {
		char *pages = NULL;

		for (int i = 0; task == 'c' && i < TIMES; i++)
			close(OTHER_FD);
		if (task == 'p') {
			pages = mmap(NULL, PAGES * 4096, PROT_READ | PROT_WRITE,
				     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
			madvise(pages, PAGES * 4096, MADV_NOHUGEPAGE);
			for (int i = 0; i < PAGES; i++)
				pages[i * 4096] = 1;
		}
		if (write(done, "", 1) != 1)
			break;
	}
	_exit(0);
}

static int setup(void **state)
{
	struct world *w = calloc(1, sizeof(*w));
	int go[2], done[2];

	assert_int_equal(pipe(go), 0);
	assert_int_equal(pipe(done), 0);
	w->pid = fork();
	assert_true(w->pid >= 0);
	if (!w->pid) {
		close(go[1]);
		close(done[0]);
		run_tasks(go[0], done[1]);
	}
	close(go[0]);
	close(done[1]);
	w->go = go[1];
	w->done = done[0];
	*state = w;
	return 0;
}

static int teardown(void **state)
{
	struct world *w = *state;

	count_end(w->count);
	close(w->go);
	close(w->done);
	waitpid(w->pid, NULL, 0);
	free(w);
	return 0;
}

static void do_task(struct world *w, char task)
{
	char answer;

	assert_int_equal(write(w->go, &task, 1), 1);
	assert_int_equal(read(w->done, &answer, 1), 1);
}

/* ---- counting ---- */

static void start(struct world *w, bool all)
{
	const struct ptui_count_opts opts = {
		.pids = &w->pid, .n_pids = all ? 0 : 1, .refresh_ms = 20, .settle_ms = 1
	};
	struct ptui_error err = PTUI_ERROR_INIT;

	w->count = ptui_count_new(&opts, &err);
	assert_non_null(w->count);
}

static struct ptui_count_event get(struct world *w, const char *text, const char *filter)
{
	struct ptui_count_event e;

	ptui_count_get(w->count, text, filter, 0, &e);
	return e;
}

static void look(struct world *w)
{
	struct pollfd fd = { .fd = ptui_count_wake_fd(w->count), .events = POLLIN };

	poll(&fd, 1, LOOK_MS);
	ptui_count_ack(w->count);
}

#define AWAIT(w, condition)                                \
	do {                                               \
		int left_ = GIVE_UP;                       \
		while (!(condition) && --left_)            \
			look(w);                           \
		if (!left_)                                \
			fail_msg("never: %s", #condition); \
	} while (0)

/* Waits for two readings after the task, so that the second includes it. */
static struct ptui_count_event settled(struct world *w, const char *text, const char *filter)
{
	unsigned long long then = get(w, text, filter).generation;

	AWAIT(w, get(w, text, filter).generation >= then + 2);
	return get(w, text, filter);
}

/* The sum of a history is the count: rates are between two readings. */
static bool has_peak(const struct ptui_count_event *e)
{
	for (size_t i = 0; i < e->n_history; i++)
		if (e->history[i] > 0)
			return true;
	return false;
}

static void a_process_is_counted(void **state)
{
	static const struct ptui_count_wish wishes[] = {
		{ "page-faults", NULL, true },
		{ "syscalls:sys_enter_close", NULL, true },
		{ "{context-switches,page-faults}", NULL, false },
	};
	struct world *w = *state;
	unsigned long long before;
	struct ptui_count_event e;

	need("root");
	need("tracefs");
	start(w, false);
	assert_int_equal(ptui_count_set(w->count, wishes, 3), 0);
	AWAIT(w, get(w, "{context-switches,page-faults}", NULL).n_history);
	do_task(w, 'c');
	e = settled(w, "syscalls:sys_enter_close", NULL);
	assert_int_equal(e.state, PTUI_COUNT_COUNTING);
	assert_int_equal(e.count, TIMES);
	assert_int_equal(e.scaled, TIMES);
	assert_true(e.running_share > 0.999);
	assert_true(has_peak(&e));
	do_task(w, 'c');
	assert_int_equal(settled(w, "syscalls:sys_enter_close", NULL).count, 2 * TIMES);
	/* sanitizers touch pages of their own */
	before = settled(w, "page-faults", NULL).count;
	do_task(w, 'p');
	assert_true(settled(w, "page-faults", NULL).count >= before + PAGES);
	/* no marked event needs a counter */
	{
		struct ptui_count_fit fit;

		ptui_count_get_fit(w->count, &fit);
		assert_int_equal(fit.state, PTUI_FIT_UNKNOWN);
		assert_false(fit.watchdog);
	}
}

static void a_filter_holds_system_wide(void **state)
{
	static const struct ptui_count_wish wish = { "syscalls:sys_enter_close", "fd == 2147354321",
						     true };
	struct world *w = *state;

	need("root");
	need("tracefs");
	start(w, true);
	assert_int_equal(ptui_count_set(w->count, &wish, 1), 0);
	AWAIT(w, get(w, wish.text, wish.filter).n_history);
	assert_int_equal(get(w, wish.text, wish.filter).count, 0);
	do_task(w, 'c');
	assert_int_equal(settled(w, wish.text, wish.filter).count, TIMES);
	/* without the filter it is another event */
	assert_int_equal(get(w, wish.text, NULL).state, PTUI_COUNT_UNTRIED);
}

static void an_ended_process_counts_nothing_more(void **state)
{
	static const struct ptui_count_wish wish = { "page-faults", NULL, true };
	struct world *w = *state;
	unsigned long long count;

	need("root");
	start(w, false);
	assert_int_equal(ptui_count_set(w->count, &wish, 1), 0);
	AWAIT(w, get(w, wish.text, NULL).n_history);
	kill(w->pid, SIGKILL);
	settled(w, wish.text, NULL);
	count = settled(w, wish.text, NULL).count;
	assert_int_equal(settled(w, wish.text, NULL).count, count);
	assert_int_equal(get(w, wish.text, NULL).state, PTUI_COUNT_COUNTING);
}

/* The number of open counters. */
static size_t n_counters(void)
{
	DIR *dir = opendir("/proc/self/fd");
	struct dirent *item;
	char to[64];
	size_t n = 0;

	assert_non_null(dir);
	while ((item = readdir(dir))) {
		ssize_t bytes = readlinkat(dirfd(dir), item->d_name, to, sizeof(to) - 1);

		to[bytes > 0 ? bytes : 0] = '\0';
		n += strstr(to, "perf_event") != NULL;
	}
	closedir(dir);
	return n;
}

static void what_is_freed_is_closed_behind(void **state)
{
	static const struct ptui_count_wish wishes[] = {
		{ "syscalls:sys_enter_close", NULL, true },
		{ "syscalls:sys_enter_read", NULL, false },
	};
	struct world *w = *state;

	need("root");
	need("tracefs");
	start(w, true);
	assert_int_equal(ptui_count_set(w->count, wishes, 2), 0);
	AWAIT(w, get(w, wishes[1].text, NULL).state == PTUI_COUNT_COUNTING);
	assert_true(n_counters() >= 2);
	ptui_count_free(w->count);
	w->count = NULL;
	for (int left = GIVE_UP; n_counters(); left--) {
		assert_true(left);
		poll(NULL, 0, LOOK_MS);
	}
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_process_is_counted),
		T(a_filter_holds_system_wide),
		T(an_ended_process_counts_nothing_more),
		T(what_is_freed_is_closed_behind),
	};

	return cmocka_run_group_tests_name("session/count_real", tests, NULL, NULL);
}
