/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pastes a command line of perf into Setup, checks it on the Options screen, changes it there, and
 * records; perf finds in the file what the line requested.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "screen/harness/screen.h"
#include "screen/scene.h"

/* As a terminal sends it: between the marks of a paste. */
static void paste(struct screen *s, const char *text)
{
	char sent[512];
	int n = snprintf(sent, sizeof(sent), "\033[200~%s\033[201~", text);

	screen_send(s, sent, (size_t)n);
}

/* perf's own words about the first event of the file. */
static bool has_attr(struct scene *s, const char *pattern)
{
	char command[256];

	snprintf(command, sizeof(command),
		 "cd %s && perf evlist -v -i perf.data 2>/dev/null </dev/null | grep -q -- '%s'",
		 s->folder, pattern);
	return !system(command);
}

static bool has_header(struct scene *s, const char *pattern)
{
	char command[256];

	snprintf(
		command, sizeof(command),
		"cd %s && perf report --header-only -i perf.data 2>/dev/null </dev/null | grep -q -- '%s'",
		s->folder, pattern);
	return !system(command);
}

static void test_pasted_line(void **state)
{
	struct scene *scene = *state;
	struct screen *s;

	need("root");
	need("perf");
	s = scene_open(scene);
	paste(s, "sudo perf record -F 99 -g -z --sample-cpu \\\n  -e page-faults -N -- sleep 300");
	screen_wait(s, "perf record -F 99 -g -z --sample-cpu");
	screen_keys(s, "<Enter>");
	screen_wait(s, "set 6 options from the command line");
	screen_wait(s, "99 Hz");
	screen_wait(s, "3 differ: -z --sample-cpu -N");
	/* the list: changed options are marked, and counted */
	screen_keys(s, "<End><Enter>");
	screen_wait_row(s, 0, "Setup › Options");
	screen_wait_row(s, 0, "3 of ");
	screen_keys(s, "/sample-cpu<Enter>");
	screen_wait(s, " *      --sample-cpu");
	screen_wait(s, "CPU number");
	/* one more, by hand, and a value that is wrong first */
	screen_keys(s, "/<C-u>clockid<Enter><Enter>");
	screen_wait(s, "--clockid:");
	screen_keys(s, "nonsense");
	screen_wait(s, "unknown clock 'nonsense'");
	screen_keys(s, "<C-u>monotonic<Enter>");
	screen_wait(s, "monotonic");
	screen_keys(s, "<Esc>");
	screen_wait_row(s, 0, "4 of ");
	screen_keys(s, "<Esc>");
	screen_wait(s, "-k monotonic");
	scene_record(scene);
	scene_await_samples(scene);
	screen_keys(s, "<Enter>");
	screen_wait(s, "of event 'page-faults");
	screen_keys(s, "<C-c>");
	screen_wait_end(s);
	assert_true(has_attr(scene, "page-faults: .*freq: 1"));
	assert_true(has_attr(scene, "sample_period, sample_freq }: 99"));
	assert_true(has_attr(scene, "sample_type: [A-Z|]*CALLCHAIN"));
	assert_true(has_attr(scene, "sample_type: [A-Z|]*CPU"));
	assert_true(has_attr(scene, "use_clockid: 1"));
	/* -N: a table of build-ids in the header */
	assert_false(has_attr(scene, "build_id: 1"));
	assert_false(has_header(scene, "missing features:.* BUILD_ID"));
	assert_false(has_header(scene, "missing features:.* COMPRESSED"));
	assert_true(has_header(
		scene,
		"cmdline : ptui record -F 99 -g -e page-faults -z --sample-cpu -N -k monotonic"));
}

/* Saved for the next session; refused options are listed by name. */
static void test_kept_and_refused(void **state)
{
	struct scene *scene = *state;
	struct screen *s = scene_open(scene);

	paste(s, "perf record -i -N -- true");
	screen_keys(s, "<Enter>");
	screen_wait(s, "-i -N -- true");
	screen_keys(s, "q");
	screen_wait_end(s);
	s = scene_open(scene);
	screen_wait(s, "-i -N -- true");
	paste(s, "perf record --aio --nonsense -a");
	screen_keys(s, "<Enter>");
	screen_wait(s, "Skipped:");
	screen_wait(s, "--aio: not supported:");
	screen_wait(s, "no such option --nonsense");
	screen_wait(s, "ptui record -a");
	screen_keys(s, "<Esc>");
	screen_wait(s, "more options, all at their defaults");
	screen_keys(s, "q");
	screen_wait_end(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_pasted_line, scene_set_up, scene_tear_down),
		cmocka_unit_test_setup_teardown(test_kept_and_refused, scene_set_up,
						scene_tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
