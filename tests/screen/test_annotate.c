/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The annotate screen, on a program that has the same code everywhere (annotate_work.c). */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "screen/recording.h"
#include "screen/scene.h"
#include "screen/steps.h"

static char folder[FOLDER_BYTES];
static const char *lack; /* why the program cannot be made; NULL: it can */

static const char *const events[] = { "cycles", "misses", NULL };

/* Samples of work() and leaf(), at instructions that the pictures show. */
static void sample_program(struct recording *r)
{
	static const struct {
		uint64_t addr, samples;
		size_t event;
	} at[] = {
		{ 0x401050, 60, 0 }, { 0x401043, 9, 0 },  { 0x401037, 6, 0 }, { 0x401079, 4, 0 },
		{ 0x401087, 1, 0 },  { 0x401014, 10, 0 }, { 0x401050, 3, 1 }, { 0x401030, 1, 1 },
	};

	for (size_t i = 0; i < sizeof(at) / sizeof(at[0]); i++)
		for (uint64_t n = 0; n < at[i].samples; n++)
			recording_at(r, at[i].event, at[i].addr, 1000000);
}

static int make(void **state)
{
	struct recording *r;

	(void)state;
	make_folder(folder);
	r = recording_new(folder, events);
	recording_thread(r, 4000000, 4000000, "work");
	lack = recording_program(r);
	if (!lack)
		sample_program(r);
	recording_module(r, "libgone.so");
	recording_sample(r, 0, "gone", 20000000);
	recording_close(r);
	return 0;
}

static int clean(void **state)
{
	(void)state;
	recording_remove(folder);
	return 0;
}

static struct screen *browse(int rows, int cols, const char *locale)
{
	const struct visit how = { .folder = folder, .rows = rows, .cols = cols, .locale = locale };

	if (lack)
		skip_because("%s", lack);
	return visit_report(&how);
}

/* At work(), with the hottest instruction under the cursor. */
static struct screen *annotate(int rows, int cols)
{
	struct screen *s = browse(rows, cols, NULL);

	wait_cursor(s, "work");
	screen_keys(s, "a");
	wait_cursor(s, "75.00");
	return s;
}

/* Its samples have a branch to the beginning of the loop, twice: the block in between has 11 instructions. */
static void test_cycles(void **state)
{
	static const char *const samples[] = { "report", "--no-branch-stack", "-i", "perf.data",
					       NULL };
	char branches[FOLDER_BYTES];
	struct visit how = { .folder = branches, .rows = 24, .cols = 80 };
	struct recording *r;
	struct screen *s;

	(void)state;
	if (lack)
		skip_because("%s", lack);
	make_folder(branches);
	r = recording_new_branches(branches, events, 0x401058, 0x401030, 5);
	recording_thread(r, 4000000, 4000000, "work");
	recording_program(r);
	sample_program(r);
	recording_close(r);
	/* of branches, the function that they lead to */
	s = visit_report(&how);
	wait_cursor(s, "work");
	screen_keys(s, "a");
	wait_cursor(s, "100.00");
	wait_cursor(s, "2.20");
	screen_keys(s, "<C-c>");
	finish(s, 0);
	how.args = samples;
	s = visit(&how);
	wait_cursor(s, "work");
	screen_keys(s, "a");
	wait_cursor(s, "75.00");
	wait_cursor(s, "2.20");
	screen_golden(s, "annotate-cycles-80x24", NULL);
	screen_keys(s, "c");
	screen_wait(s, "5 (5/5)");
	screen_keys(s, "c");
	screen_wait(s, "Cycles are hidden.");
	screen_wait_gone(s, "2.20");
	screen_keys(s, "c");
	screen_wait(s, "2.20");
	screen_keys(s, "<C-c>");
	finish(s, 0);
	recording_remove(branches);
}

static void leave(struct screen *s)
{
	screen_keys(s, "<C-c>");
	finish(s, 0);
}

/* ---- pictures ---- */

static void test_sizes(void **state)
{
	struct screen *s = annotate(24, 80);

	(void)state;
	screen_golden(s, "annotate-80x24", NULL);
	screen_resize(s, 50, 160);
	screen_golden(s, "annotate-160x50", NULL);
	screen_keys(s, "j");
	screen_wait(s, "All jumps are drawn");
	screen_keys(s, "koo");
	screen_golden(s, "annotate-bytes-160x50", NULL);
	screen_keys(s, "o");
	screen_resize(s, 10, 40);
	screen_golden(s, "annotate-40x10", NULL);
	leave(s);
}

/* ---- moving ---- */

static void test_hottest(void **state)
{
	struct screen *s = annotate(24, 80);

	(void)state;
	screen_keys(s, "<Tab>");
	wait_cursor(s, "11.25");
	screen_keys(s, "<Tab>");
	wait_cursor(s, "7.50");
	screen_keys(s, "<S-Tab><S-Tab><S-Tab>"); /* the last one is next to the first */
	wait_cursor(s, "1.25");
	screen_keys(s, "<Home>");
	wait_cursor(s, "work():");
	screen_keys(s, "H");
	wait_cursor(s, "75.00");
	leave(s);
}

/* A jump leads to its target, a call to the function, a return and ESC back to the call. */
static void test_follow(void **state)
{
	struct screen *s = annotate(24, 100);

	(void)state;
	screen_keys(s, "/jne<Enter>");
	wait_cursor(s, "↑ jne");
	screen_keys(s, "<Enter>");
	wait_cursor(s, "10:");
	screen_keys(s, "/call<Enter>");
	wait_cursor(s, "→ call   leaf");
	screen_keys(s, "<Enter>");
	screen_wait_row(s, 0, "work › leaf");
	wait_cursor(s, "100.00");
	screen_keys(s, "/ret<Enter>");
	wait_cursor(s, "← ret");
	screen_keys(s, "<Enter>");
	screen_wait_gone(s, "› leaf");
	wait_cursor(s, "→ call   leaf");
	screen_keys(s, "<Enter>");
	screen_wait_row(s, 0, "work › leaf");
	screen_keys(s, "<Left>"); /* at the left edge it goes back, as in perf */
	wait_cursor(s, "→ call   leaf");
	screen_keys(s, "<Home><Enter>");
	screen_wait(s, "There is no jump, call or return on this line.");
	screen_keys(s, "<Esc>");
	screen_wait(s, "Shared Object");
	wait_cursor(s, "work");
	leave(s);
}

static void test_search(void **state)
{
	struct screen *s = annotate(24, 100);

	(void)state;
	screen_keys(s, "<Home>/mix(i)");
	screen_wait(s, "1 of 2");
	wait_cursor(s, "sum += mix(i);");
	screen_keys(s, "<C-u>SIZE");
	screen_wait(s, "1 of 3");
	screen_keys(s, "<C-u>no such thing");
	screen_wait(s, "not found");
	screen_keys(s, "<Esc>");
	screen_wait_gone(s, "find:");
	leave(s);
}

/* ---- what is shown ---- */

static void test_look(void **state)
{
	struct screen *s = annotate(40, 120);

	(void)state;
	screen_keys(s, "s");
	screen_wait_gone(s, "sum += mix(i);");
	wait_cursor(s, "75.00"); /* the cursor keeps its instruction */
	screen_keys(s, "sk");
	screen_wait(s, "  26");
	screen_keys(s, "l");
	screen_wait(s, "annotate_work.c:26");
	screen_keys(s, "lkt");
	screen_wait(s, "60,000,000");
	screen_keys(s, "t");
	wait_cursor(s, "    60 ");
	screen_wait_row(s, 2, "Samples: 80 of 91 of event 'cycles'");
	screen_keys(s, "tp");
	screen_wait(s, "percent of: global period");
	wait_cursor(s, "54.55"); /* of 110 million */
	screen_keys(s, "b");
	screen_wait(s, "percent of: global samples");
	wait_cursor(s, "65.93");
	screen_keys(s, "pbO");
	screen_wait(s, "Offsets of jump targets and calls are shown.");
	screen_keys(s, "O");
	wait_cursor(s, "30:");
	screen_keys(s, "f");
	wait_cursor(s, "401050:");
	screen_keys(s, "foo");
	wait_cursor(s, "41 39 c8");
	screen_keys(s, "oJ");
	screen_keys(s, "/1e:<Enter>");
	wait_cursor(s, "2  1e:");
	screen_keys(s, "jj");
	screen_wait(s, "No jumps are drawn.");
	leave(s);
}

static void test_copy_and_print(void **state)
{
	char path[FOLDER_BYTES + 32], text[8192];
	struct screen *s = annotate(24, 100);
	FILE *in;
	size_t n;

	(void)state;
	screen_keys(s, "y");
	screen_wait(s, "copied to the clipboard");
	assert_string_equal(screen_clipboard(s), "75.00  75.00  cmp    %ecx,%r8d");
	screen_keys(s, "Y");
	screen_wait(s, "copied: ptui annotate work");
	screen_keys(s, "P");
	screen_wait(s, "wrote work.annotation");
	screen_keys(s, "P"); /* no file is overwritten */
	screen_wait(s, "wrote work.annotation.1");
	/* at once: the key before has removed the row under the cursor, and nothing was painted since */
	screen_keys(s, "<End>");
	wait_cursor(s, "ret");
	screen_send(s, "sy", 2);
	screen_wait(s, "copied to the clipboard");
	assert_string_equal(screen_clipboard(s), "← ret");
	leave(s);
	snprintf(path, sizeof(path), "%s/work.annotation", folder);
	in = fopen(path, "r");
	assert_non_null(in);
	n = fread(text, 1, sizeof(text) - 1, in);
	text[n] = '\0';
	assert_int_equal(fclose(in), 0);
	assert_non_null(strstr(text, "# Samples: 80 of 91 of event 'cycles'"));
	assert_non_null(strstr(text, " 75.00   75.00         cmp    %ecx,%r8d\n"));
	assert_non_null(strstr(text, "mix() (inlined):\n"));
}

/* Without colours the numbers say the same. */
static void test_no_colour(void **state)
{
	static const char *const env[] = { "NO_COLOR=1", NULL };
	const struct visit how = { .folder = folder, .rows = 24, .cols = 80, .env = env };
	struct screen *s;

	(void)state;
	if (lack)
		skip_because("%s", lack);
	s = visit_report(&how);
	wait_cursor(s, "work");
	screen_keys(s, "a");
	wait_cursor(s, "75.00");
	screen_golden(s, "annotate-no-colour-80x24", NULL);
	leave(s);
}

/* ---- other ways in ---- */

static void test_menu(void **state)
{
	struct screen *s = browse(24, 100, NULL);

	(void)state;
	wait_cursor(s, "work");
	screen_keys(s, "m");
	screen_wait(s, "(a) show the instructions");
	screen_keys(s, "a");
	wait_cursor(s, "75.00");
	screen_keys(s, "m");
	screen_wait(s, "(H) go to the hottest instruction");
	screen_keys(s, "<Esc>");
	wait_cursor(s, "75.00");
	leave(s);
}

/* What cannot be shown, in one sentence, with a way back. */
static void test_no_code(void **state)
{
	static const char *const masks[] = { "/tmp/[^/]*/", " *$", NULL };
	char path[FOLDER_BYTES + 16];
	struct screen *s;

	(void)state;
	s = browse(24, 100, NULL);
	screen_keys(s, "/gone<Enter>");
	wait_cursor(s, "gone");
	snprintf(path, sizeof(path), "%s/libgone.so", folder);
	assert_int_equal(unlink(path), 0);
	screen_keys(s, "a");
	screen_wait_row(s, 0, "› gone");
	screen_wait(s, "libgone.so");
	screen_wait_gone(s, "reading code");
	screen_golden(s, "annotate-no-code-100x24", masks);
	screen_keys(s, "q");
	wait_cursor(s, "gone");
	screen_keys(s, "Sdso<Enter>");
	leave(s);
}

/* As `ptui annotate NAME` opens it; the list is below. */
static struct screen *annotate_name(const char *file, const char *name)
{
	const char *const args[] = { "annotate", "-i", file, "--tui", name, NULL };
	const struct visit how = { .folder = folder, .args = args };

	if (lack)
		skip_because("%s", lack);
	return visit(&how);
}

static void test_names(void **state)
{
	struct screen *s = annotate_name("perf.data", "leaf");

	(void)state;
	screen_wait_row(s, 0, "› leaf");
	wait_cursor(s, "100.00");
	screen_keys(s, "q");
	screen_wait(s, "Shared Object");
	leave(s);
	s = annotate_name("perf.data", NULL); /* the hottest */
	screen_wait_row(s, 0, "› work");
	wait_cursor(s, "75.00");
	leave(s);
	s = annotate_name("perf.data", "nowhere");
	screen_wait(s, "no samples are in a function 'nowhere'");
	screen_wait(s, "press a on a function of the list");
	screen_keys(s, "q");
	wait_cursor(s, "work");
	leave(s);
}

/* The samples are 1 ms apart: of the first ten, all are at the hottest instruction. */
static void test_filtered(void **state)
{
	static const char *const options[][2] = {
		{ "--time", "1,1.0105" }, { "--time", "0%-10.5%" }, { "--comms", "nobody" },
		{ "--tid", "1-3999999" }, { "--pid", "1-3999999" }, { "--comms", "work" },
	};
	static const char *const lines[] = { "copied: ptui annotate --time 1,1.0105 work",
					     "copied: ptui annotate --time 0%-10.5% work",
					     NULL,
					     NULL,
					     NULL,
					     "copied: ptui annotate --comms work work" };
	static const char *const shown[] = {
		"Samples: 10 of 10 ", "Samples: 10 of 10 ", NULL, NULL, NULL, "Samples: 80 of 91 "
	};

	(void)state;
	if (lack)
		skip_because("%s", lack);
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		const char *const args[] = { "report",	    "-i",	   "perf.data", "--tui",
					     options[i][0], options[i][1], NULL };
		const struct visit how = { .folder = folder, .args = args };
		struct screen *s = visit(&how);

		screen_wait(s, "trust");
		if (shown[i]) {
			wait_cursor(s, "work");
			screen_keys(s, "a");
			screen_wait(s, shown[i]);
			screen_keys(s, "Y");
			screen_wait(s, lines[i]);
		} else {
			screen_wait(s, "No rows");
		}
		leave(s);
	}
}

/* ---- while it is recorded ---- */

/* The samples of the function, in the line above the rows; -1: not there. */
static long samples(struct screen *s)
{
	long n, y = screen_find(s, "Samples: ", NULL);

	return y >= 0 && sscanf(screen_row(s, (int)y), " Samples: %ld of", &n) == 1 ? n : -1;
}

static bool has_more(struct screen *s, void *ctx)
{
	return samples(s) > *(long *)ctx;
}

/* The instruction, without its numbers. */
static void instruction(struct screen *s, char *buf, size_t size)
{
	snprintf(buf, size, "%s", cursor_row(s) + 12);
}

/* The numbers move, and the cursor keeps its instruction. */
static void test_live(void **state)
{
	struct scene *scene = *state;
	const char *top = getenv("top_builddir");
	char line[4096], before[256], after[256];
	struct screen *s;
	long n;

	need("perf");
	scene->cols = 100;
	scene_open(scene);
	s = scene->screen;
	snprintf(line, sizeof(line), "%s/tests/screen/work", top ? top : ".");
	scene_command(scene, line);
	scene_record(scene);
	screen_wait(s, "hot_loop");
	screen_keys(s, "/hot_loop<Enter>");
	wait_cursor(s, "hot_loop");
	screen_keys(s, "a");
	screen_wait_row(s, 0, "Live › hot_loop");
	screen_wait(s, "percent of: local period");
	instruction(s, before, sizeof(before));
	n = samples(s);
	assert_true(n > 0);
	screen_wait_until(s, has_more, &n, "the samples become more");
	n += 5;
	screen_wait_until(s, has_more, &n, "they do so again");
	instruction(s, after, sizeof(after));
	assert_string_equal(before, after);
	screen_keys(s, "<Esc>");
	screen_wait_row(s, 0, "● REC");
	screen_wait(s, "warm_loop");
	screen_keys(s, "<C-c>");
	scene_ended(scene, 0);
}

/* ---- in other languages ---- */

static void in_language(const char *lang, const char *picture)
{
	static const char *const args[] = { "report", "-i", "perf.data", NULL };
	struct language l;
	const struct visit how = {
		.folder = folder, .args = args, .locale = l.locale, .env = l.env
	};
	struct screen *s;

	if (lack)
		skip_because("%s", lack);
	make_language(&l, lang, folder);
	s = visit(&how);
	screen_wait(s, "[.] work");
	screen_keys(s, "<Home>a");
	wait_cursor(s, "cmp ");
	screen_golden(s, picture, NULL);
	screen_keys(s, "m");
	screen_wait(s, "(H) ");
	screen_keys(s, "<Esc>");
	screen_wait_gone(s, "(H) ");
	leave(s);
}

static void test_chinese(void **state)
{
	(void)state;
	in_language("zh_CN", "annotate-zh_CN-80x24");
}

static void test_german(void **state)
{
	(void)state;
	in_language("de", "annotate-de-80x24");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_cycles),
		cmocka_unit_test(test_hottest),
		cmocka_unit_test(test_follow),
		cmocka_unit_test(test_search),
		cmocka_unit_test(test_look),
		cmocka_unit_test(test_copy_and_print),
		cmocka_unit_test(test_no_colour),
		cmocka_unit_test(test_menu),
		cmocka_unit_test(test_chinese),
		cmocka_unit_test(test_german),
		cmocka_unit_test(test_no_code),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_filtered),
		cmocka_unit_test_setup_teardown(test_live, scene_set_up, scene_tear_down),
	};

	setlocale(LC_ALL, "C.UTF-8");
	return cmocka_run_group_tests_name("screen/annotate", tests, make, clean);
}
