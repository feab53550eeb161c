/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -D and --control: enabling and disabling counters of a fake kernel. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "event/attr.h"
#include "fake/kernel.h"
#include "lib/need.h"
#include "record/control.h"

#define MS 1000000ULL

struct world {
	struct fake_kernel kernel;
	struct event_list events;
	struct counters counters;
	struct control control;
	int ctl[2], ack[2];
	char said[2048];
};

static void hear(void *ctx, const char *text)
{
	struct world *w = ctx;
	size_t n = strlen(w->said);

	snprintf(w->said + n, sizeof(w->said) - n, "%s\n", text);
}

/* Messages since the last call. */
static void assert_said(struct world *w, const char *wanted)
{
	assert_string_equal(w->said, wanted);
	w->said[0] = '\0';
}

static void add_event(struct world *w, const char *name, uint64_t config)
{
	struct event *ev = event_list_add(&w->events, name);

	assert_non_null(ev);
	ev->kind = EVENT_SOFTWARE;
	ev->attr.type = PERF_TYPE_SOFTWARE;
	ev->attr.config = config;
	ev->leader = (uint32_t)(w->events.n - 1);
}

static int make_world(void **state)
{
	struct world *w = calloc(1, sizeof(*w));
	struct attr_options a = { .period = 1000, .period_given = true, .inherit = true };

	*state = w;
	fake_kernel_init(&w->kernel);
	event_list_init(&w->events);
	add_event(w, "cpu-clock", PERF_COUNT_SW_CPU_CLOCK);
	add_event(w, "page-faults", PERF_COUNT_SW_PAGE_FAULTS);
	assert_int_equal(event_attrs_configure(&w->events, &a), 0);
	assert_int_equal(counters_init(&w->counters, &w->kernel.ops, &w->events, 0, NULL), 0);
	assert_int_equal(counters_open(&w->counters, -1, NULL), 0);
	assert_int_equal(pipe2(w->ctl, O_CLOEXEC), 0);
	assert_int_equal(pipe2(w->ack, O_CLOEXEC | O_NONBLOCK), 0);
	return 0;
}

static int end_world(void **state)
{
	struct world *w = *state;

	control_release(&w->control);
	counters_release(&w->counters);
	event_list_release(&w->events);
	fake_kernel_release(&w->kernel);
	for (int i = 0; i < 2; i++) {
		close(w->ctl[i]);
		close(w->ack[i]);
	}
	free(w);
	return 0;
}

static void begin(struct world *w, const char *delay, bool listens)
{
	struct ptui_record_control how = { .delay = delay, .say = hear, .say_ctx = w };
	char channel[64];

	snprintf(channel, sizeof(channel), "fd:%d,%d", w->ctl[0], w->ack[1]);
	how.channel = listens ? channel : NULL;
	assert_int_equal(control_init(&w->control, &how, NULL), 0);
	control_begin(&w->control, &w->counters, NULL);
}

static bool is_on(struct world *w, uint64_t config)
{
	struct fake_fd *a = fake_find(&w->kernel, PERF_TYPE_SOFTWARE, config, -1, 0);
	struct fake_fd *b = fake_find(&w->kernel, PERF_TYPE_SOFTWARE, config, -1, 1);

	assert_non_null(a);
	assert_non_null(b);
	assert_int_equal(a->enabled, b->enabled);
	return a->enabled;
}

static bool both_on(struct world *w)
{
	bool clock = is_on(w, PERF_COUNT_SW_CPU_CLOCK);

	assert_int_equal(clock, is_on(w, PERF_COUNT_SW_PAGE_FAULTS));
	return clock;
}

/* ---- by time ---- */

static void at(struct world *w, uint64_t ms)
{
	w->kernel.now_ns = w->control.began_ns + ms * MS;
	assert_false(control_turn(&w->control, 0));
}

static void a_delay(void **state)
{
	struct world *w = *state;

	begin(w, "500", false);
	assert_true(control_starts_off(&w->control));
	assert_said(w, "Events disabled\n");
	assert_int_equal(control_wait_ms(&w->control, 1000), 500);
	assert_int_equal(control_wait_ms(&w->control, 100), 100);
	at(w, 499);
	assert_false(both_on(w));
	assert_int_equal(control_wait_ms(&w->control, 1000), 1);
	at(w, 500);
	assert_true(both_on(w));
	assert_said(w, "Events enabled\n");
	assert_int_equal(control_wait_ms(&w->control, 1000), 1000);
	at(w, 1000000);
	assert_true(both_on(w));
	assert_said(w, "");
}

static void never_by_itself(void **state)
{
	struct world *w = *state;

	begin(w, "-1", false);
	assert_true(control_starts_off(&w->control));
	assert_int_equal(control_wait_ms(&w->control, 1000), 1000);
	at(w, 1000000);
	assert_false(both_on(w));
	assert_said(w, "Events disabled\n");
}

static void stretches(void **state)
{
	struct world *w = *state;

	begin(w, "10-20,30-40", false);
	at(w, 9);
	assert_false(both_on(w));
	at(w, 10);
	assert_true(both_on(w));
	assert_int_equal(control_wait_ms(&w->control, 1000), 10);
	at(w, 20);
	assert_false(both_on(w));
	at(w, 35);
	assert_true(both_on(w));
	at(w, 40);
	assert_false(both_on(w));
	assert_int_equal(control_wait_ms(&w->control, 1000), 1000);
	assert_said(w, "Events disabled\nEvents enabled\nEvents disabled\nEvents enabled\n"
		       "Events disabled\n");
}

/* After a late wakeup all missed switches are made up for. */
static void missed_stretches_are_made_up_for(void **state)
{
	struct world *w = *state;

	begin(w, "10-20,30-40,50-60", false);
	at(w, 55);
	assert_true(both_on(w));
	assert_int_equal(control_wait_ms(&w->control, 1000), 5);
}

/* ---- by command ---- */

static bool tell(struct world *w, const char *text, size_t n)
{
	struct pollfd fd = { .fd = control_fd(&w->control), .events = POLLIN };

	assert_int_equal(write(w->ctl[1], text, n), n);
	assert_int_equal(poll(&fd, 1, 1000), 1);
	return control_turn(&w->control, fd.revents);
}

static void assert_answers(struct world *w, int n)
{
	char got[256];
	ssize_t bytes = read(w->ack[0], got, sizeof(got));

	assert_int_equal(bytes < 0 ? 0 : bytes, 5 * n);
	for (int i = 0; i < n; i++)
		assert_memory_equal(got + i * 5, "ack\n", 5);
}

static void the_commands(void **state)
{
	static const struct {
		const char *line, *said;
		bool answered, clock_on, faults_on, end;
	} rows[] = {
		{ "enable", "Events enabled\n", true, true, true, false },
		{ "disable cpu-clock", "Event cpu-clock disabled\n", true, false, true, false },
		{ "disable", "Events disabled\n", true, false, false, false },
		{ "enable page-faults", "Event page-faults enabled\n", true, false, true, false },
		{ "enable nix", "failed: can't find 'nix' event\n", true, false, true, false },
		/* the sideband is never off */
		{ "disable dummy:HG", "failed: can't find 'dummy:HG' event\n", true, false, true,
		  false },
		{ "enablex", "failed: wrong command\n", true, false, true, false },
		{ "ping", "", true, false, true, false },
		{ "ack", "", false, false, true, false },
		{ "nonsense", "", false, false, true, false },
		{ "", "", false, false, true, false },
		{ "snapshot", "failed: this recording takes no snapshots\n", true, false, true,
		  false },
		{ "evlist", "cpu-clock\npage-faults\ndummy:HG\n", true, false, true, false },
		{ "evlist -g", "cpu-clock\npage-faults\ndummy:HG\n", true, false, true, false },
		{ "evlist -F",
		  "cpu-clock: sample_period=1000\npage-faults: sample_period=1000\n"
		  "dummy:HG: sample_period=1000\n",
		  true, false, true, false },
		{ "evlist -x", "failed: wrong command\n", true, false, true, false },
		{ "evlistx", "failed: wrong command\n", true, false, true, false },
		{ "stop", "", true, false, true, true },
	};
	struct world *w = *state;
	char line[64];

	begin(w, "-1", true);
	assert_said(w, "Events disabled\n");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		snprintf(line, sizeof(line), "%s\n", rows[i].line);
		assert_int_equal(tell(w, line, strlen(line)), rows[i].end);
		assert_said(w, rows[i].said);
		assert_answers(w, rows[i].answered);
		assert_int_equal(is_on(w, PERF_COUNT_SW_CPU_CLOCK), rows[i].clock_on);
		assert_int_equal(is_on(w, PERF_COUNT_SW_PAGE_FAULTS), rows[i].faults_on);
	}
}

static void attrs_are_listed(void **state)
{
	struct world *w = *state;

	begin(w, NULL, true);
	assert_false(control_starts_off(&w->control));
	assert_false(tell(w, "evlist -v\n", 10));
	assert_non_null(strstr(w->said, "cpu-clock: type: 1, size: "));
	assert_non_null(strstr(w->said, ", { sample_period, sample_freq }: 1000, sample_type: "));
	assert_answers(w, 1);
}

static void a_group_is_one_line(void **state)
{
	struct world *w = *state;

	w->events.v[1].leader = 0;
	begin(w, NULL, true);
	assert_false(tell(w, "evlist -g\n", 10));
	assert_said(w, "{cpu-clock,page-faults}\ndummy:HG\n");
	w->events.v[1].leader = 1;
}

/* In pieces, several at once, ended by \0, and longer than a command can be. */
static void lines_as_they_come(void **state)
{
	char long_line[200];
	struct world *w = *state;

	begin(w, NULL, true);
	assert_false(tell(w, "dis", 3));
	assert_answers(w, 0);
	assert_false(tell(w, "able\nping", 9));
	assert_said(w, "Events disabled\n");
	assert_answers(w, 1);
	assert_false(tell(w, "\0enable\0", 8));
	assert_said(w, "Events enabled\n");
	assert_answers(w, 2);
	memset(long_line, 'x', sizeof(long_line));
	long_line[sizeof(long_line) - 1] = '\n';
	assert_false(tell(w, long_line, sizeof(long_line)));
	assert_answers(w, 0);
	assert_true(tell(w, "stop\nenable\n", 12));
	assert_said(w, "");
	assert_answers(w, 1);
}

static void no_more_writers(void **state)
{
	struct world *w = *state;

	begin(w, NULL, true);
	close(w->ctl[1]);
	assert_false(control_turn(&w->control, POLLHUP));
	assert_int_equal(control_fd(&w->control), -1);
	w->ctl[1] = dup(w->ctl[0]);
}

/* ---- invalid ---- */

static void texts_that_are_refused(void **state)
{
	static const char *const delays[] = {
		"",	 "x",	 "0",		"-2",	       "5-",	 "-5-6",	"10-5",
		"10-10", "1,2",	 "10-20,20-30", "10-20,15-30", "10-20,", "99999999999", " 5",
		"5 ",	 "1-2-3"
	};
	static const char *const channels[] = { "",
						"x",
						"fd",
						"fd:",
						"fd:x",
						"fd:-1",
						"fd:1,",
						"fd:1x",
						"fd:1,2,3",
						"fd:9999",
						"fifo:",
						"fifo:,x",
						"fifo:/nowhere/at/all" };
	struct ptui_record_control how = { 0 };
	struct ptui_error err;
	struct control c;

	(void)state;
	for (size_t i = 0; i < sizeof(delays) / sizeof(delays[0]); i++) {
		how = (struct ptui_record_control){ .delay = delays[i] };
		err = (struct ptui_error)PTUI_ERROR_INIT;
		assert_int_not_equal(control_init(&c, &how, &err), 0);
		assert_true(ptui_error_is_set(&err));
		control_release(&c);
	}
	for (size_t i = 0; i < sizeof(channels) / sizeof(channels[0]); i++) {
		how = (struct ptui_record_control){ .channel = channels[i] };
		err = (struct ptui_error)PTUI_ERROR_INIT;
		assert_int_not_equal(control_init(&c, &how, &err), 0);
		assert_true(ptui_error_is_set(&err));
		control_release(&c);
	}
}

#define IN_WORLD(f) cmocka_unit_test_setup_teardown(f, make_world, end_world)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_WORLD(a_delay),
		IN_WORLD(never_by_itself),
		IN_WORLD(stretches),
		IN_WORLD(missed_stretches_are_made_up_for),
		IN_WORLD(the_commands),
		IN_WORLD(attrs_are_listed),
		IN_WORLD(a_group_is_one_line),
		IN_WORLD(lines_as_they_come),
		IN_WORLD(no_more_writers),
		cmocka_unit_test(texts_that_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
