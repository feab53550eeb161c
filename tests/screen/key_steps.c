/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "screen/key_proof.h"

#define ROWS 50
#define COLS 120

struct keymaps *keys;
char folder[FOLDER_BYTES];
struct screen *s;
const char *lacks_program;
static char work[4096];

void give_up(const char *format, ...)
{
	va_list args;
	char why[1024];

	va_start(args, format);
	vsnprintf(why, sizeof(why), format, args);
	va_end(args);
	for (int y = 0; y < screen_rows(s); y++) {
		if (*screen_row(s, y))
			print_error("%3d|%s\n", y, screen_row(s, y));
	}
	print_error("%s\n", why);
	fail();
	abort(); /* fail() does not return */
}

/* The picture is complete, and no thread has results pending. */
static bool is_drawn(struct screen *screen, void *ctx)
{
	return screen_find(screen, ctx, NULL) < 0 && screen_find(screen, "counting…", NULL) < 0 &&
	       screen_find(screen, "checking …", NULL) < 0 &&
	       screen_find(screen, "checking events …", NULL) < 0 &&
	       screen_find(screen, "reading the processes …", NULL) < 0 &&
	       screen_find(screen, "reading code…", NULL) < 0 &&
	       *screen_row(screen, screen_rows(screen) - 1);
}

void settle(void)
{
	static char mark[] = "\xe2\x98\xa0";

	while (screen_pump(s, 0))
		;
	screen_scribble(s, 0, screen_cols(s) - 1, mark);
	screen_scribble(s, screen_rows(s) - 1, screen_cols(s) - 2, mark);
	screen_send(s, "\f", 1);
	screen_wait_until(s, is_drawn, mark, "Ctrl-L is answered");
}

void type(const char *what)
{
	const char *esc;

	/* in the form that cannot be taken for the beginning of another key */
	while (what && (esc = strstr(what, "<Esc>"))) {
		char part[256];

		snprintf(part, sizeof(part), "%.*s", (int)(esc - what), what);
		screen_keys(s, part);
		screen_send(s, "\033[27u", 5);
		what = esc + 5;
	}
	if (what)
		screen_keys(s, what);
}

void start(const char *const *args)
{
	const struct visit how = { .folder = folder, .args = args, .rows = ROWS, .cols = COLS };

	s = visit(&how);
}

void stop(void)
{
	screen_free(s);
	s = NULL;
}

void write_file(const char *name, const char *text, mode_t mode)
{
	char path[FOLDER_BYTES + 64];
	FILE *out;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	out = fopen(path, "w");
	assert_non_null(out);
	assert_true(fputs(text, out) >= 0);
	assert_int_equal(fclose(out), 0);
	assert_int_equal(chmod(path, mode), 0);
}

int close_place(void **state)
{
	(void)state;
	stop();
	return 0;
}

/* ---- places that lead to others ---- */

const char *state_path(void)
{
	static char path[FOLDER_BYTES + 64];

	snprintf(path, sizeof(path), "%s/ptui/setup", folder);
	return path;
}

/* Writes saved choices: target and output. */
void open_setup(const struct place *p)
{
	(void)p;
	rmdir(state_path()); /* of open_question() */
	write_file("ptui/setup", "# ptui setup\n", 0600);
	start(NULL);
	screen_wait(s, "ptui  Setup");
	type("c<C-u>./w<Enter>");
	screen_wait_gone(s, "command: ");
	screen_wait(s, "-- ./w");
	screen_wait(s, "ptui  Setup");
	type("<Home>");
	settle();
}

void open_browser(const struct place *p)
{
	static const char *const args[] = { "report", "-i", "cycles.data", NULL };

	(void)p;
	start(args);
	screen_wait(s, "of event 'cycles'");
	check_frame(s);
	settle();
}

/* ---- the folder ---- */

/* Changing numbers would look like moves. */
static void write_config(void)
{
	write_file("ptui/config", "set preview off\n", 0644);
}

static void make_recording(const char *name)
{
	static const char *const events[] = { "cycles", "misses", NULL };
	char from[FOLDER_BYTES + 16], to[FOLDER_BYTES + 64];
	struct recording *r = recording_new(folder, events);

	recording_thread(r, 4000000, 4000000, "server");
	recording_module(r, "server");
	for (int i = 0; i < 5; i++) {
		recording_sample(r, 0, "main;serve;parse;eval", 8000000);
		recording_sample(r, 0, "main;serve;parse;lex", 4000000);
		recording_sample(r, 0, "main;idle", 3000000);
		recording_sample(r, 0, "main;serve;send", 5000000);
		recording_sample(r, 0,
				 "main;serve;a_function_whose_name_reaches_into_the_right_half",
				 1000000);
		recording_sample(r, 1, "main;serve;send", 3000);
	}
	recording_close(r);
	snprintf(from, sizeof(from), "%s/perf.data", folder);
	snprintf(to, sizeof(to), "%s/%s", folder, name);
	assert_int_equal(rename(from, to), 0);
}

/* Of a program with code and source lines. */
static void make_program_recording(void)
{
	static const char *const events[] = { "cycles", NULL };
	static const uint64_t at[] = { 0x401050, 0x401050, 0x401043, 0x401050,
				       0x401043, 0x401087, 0x401014 };
	char from[FOLDER_BYTES + 16], to[FOLDER_BYTES + 16];
	struct recording *r = recording_new_branches(folder, events, 0x401058, 0x401030, 5);

	recording_thread(r, 4000000, 4000000, "work");
	lacks_program = recording_program(r);
	for (size_t i = 0; !lacks_program && i < sizeof(at) / sizeof(at[0]); i++)
		recording_at(r, 0, at[i], 1000000);
	recording_close(r);
	snprintf(from, sizeof(from), "%s/perf.data", folder);
	snprintf(to, sizeof(to), "%s/work.data", folder);
	assert_int_equal(rename(from, to), 0);
}

/* Its DSOs no longer exist. */
static void make_gone_recording(void)
{
	static const char *const events[] = { "cycles", NULL };
	char inner[FOLDER_BYTES + 8], from[FOLDER_BYTES + 32], to[FOLDER_BYTES + 32], name[32];
	struct recording *r;

	snprintf(inner, sizeof(inner), "%s/gone", folder);
	assert_int_equal(mkdir(inner, 0755), 0);
	r = recording_new(inner, events);
	recording_thread(r, 4000000, 4000000, "server");
	for (int i = 0; i < 60; i++) {
		snprintf(name, sizeof(name), "libgone%02d.so", i);
		recording_module(r, name);
		snprintf(name, sizeof(name), "f%02d", i);
		recording_sample(r, 0, name, 1000);
	}
	recording_close(r);
	snprintf(from, sizeof(from), "%s/perf.data", inner);
	snprintf(to, sizeof(to), "%s/gone.data", folder);
	assert_int_equal(rename(from, to), 0);
	recording_remove(inner);
}

int make_all(void **state)
{
	char path[FOLDER_BYTES + 16], script[8192];
	const char *top = getenv("top_builddir");

	(void)state;
	setlocale(LC_ALL, "C.UTF-8");
	keys = keymaps_new(NULL);
	assert_non_null(keys);
	make_folder(folder);
	make_recording("other.data");
	make_recording("cycles.data");
	make_program_recording();
	make_gone_recording();
	snprintf(path, sizeof(path), "%s/ptui", folder);
	assert_int_equal(mkdir(path, 0755), 0);
	snprintf(work, sizeof(work), "%s/tests/screen/work", top ? top : ".");
	snprintf(
		script, sizeof(script),
		"#!/bin/sh\ni=0\nwhile [ $i -lt 100 ]; do\n"
		"\techo \"line $i of what the command writes, which is longer than the screen is wide, so "
		"that there is something to be seen at the right of it: $i\"\n"
		"\ti=$((i + 1))\ndone\nexec %s\n",
		work);
	write_file("w", script, 0755);
	write_file("longname", "#!/bin/sh\n", 0755);
	write_config();
	return 0;
}

int remove_all(void **state)
{
	(void)state;
	keymaps_free(keys);
	recording_remove(folder);
	return 0;
}
