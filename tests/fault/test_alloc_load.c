/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ptui report --stdio while allocations fail. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "fault/alloc.h"
#include "lib/need.h"
#include "ptui/cli.h"
#include "screen/recording.h"

#define TRIALS 100

static char folder[64], path[96];

static int make(void **state)
{
	static const char *const events[] = { "cycles", "page-faults", NULL };
	struct recording *r;

	(void)state;
	snprintf(folder, sizeof(folder), "%s/ptui-alloc-XXXXXX",
		 getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/perf.data", folder);
	r = recording_new(folder, events);
	recording_module(r, "app");
	recording_thread(r, 100, 100, "app");
	recording_sample(r, 0, "main;run;parse;_ZN3foo3barEv", 30);
	recording_sample(r, 0, "main;run;skip", 20);
	recording_module(r, "libdeep.so");
	recording_thread(r, 100, 101, "helper");
	recording_sample(r, 0, "main;work;deep", 40);
	recording_sample(r, 1, "main;work", 7);
	recording_lost(r, 3);
	recording_close(r);
	return 0;
}

static int drop(void **state)
{
	(void)state;
	recording_remove(folder);
	return 0;
}

/* `ctx`: the arguments after the file, separated by spaces. */
static int report(void *ctx, struct ptui_error *err)
{
	static char program[] = "ptui", command[] = "report", stdio[] = "--stdio", input[] = "-i";
	char *argv[32] = { program, command, stdio, input, path }, line[256];
	int argc = 5;

	(void)err;
	snprintf(line, sizeof(line), "%s", (const char *)ctx);
	for (char *word = strtok(line, " "); word; word = strtok(NULL, " "))
		argv[argc++] = word;
	return ptui_cli_main(argc, argv, NULL);
}

static void run(const char *name, char *arguments)
{
	const struct alloc_scenario s = { .name = name, .run = report, .ctx = arguments };

	alloc_trials(&s, TRIALS);
}

static void test_report(void **state)
{
	char none[] = "";

	(void)state;
	run("report", none);
}

static void test_report_options(void **state)
{
	char arguments[] = "-s comm,dso,sym,cpu --no-children -g caller --percent-limit 1";

	(void)state;
	run("report -s -g", arguments);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_report),
		cmocka_unit_test(test_report_options),
	};

	return cmocka_run_group_tests(tests, make, drop);
}
