/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared by tests of whole screens: a directory to run in, checks for every screen, and the way
 * out.
 */
#ifndef TESTS_SCREEN_STEPS_H
#define TESTS_SCREEN_STEPS_H

#include "screen/harness/screen.h"

#define FOLDER_BYTES 64

/* Creates a directory in /tmp; recording_remove() removes it. */
void make_folder(char folder[FOLDER_BYTES]);

struct visit {
	const char *folder;	   /* working directory, and home */
	const char *const *args;   /* after ptui; NULL-terminated; NULL: none */
	int rows, cols;		   /* 0: 24, 80 */
	const char *term, *locale; /* NULL: as screen_start() has it */
	const char *const *env;	   /* more of them; up to 4, NULL at the end; or NULL */
	bool again; /* with the Browser's sort keys and columns of the visit before */
};

/* What a start in another language needs: .locale and .env of it. */
struct language {
	char locale[32];
	const char *env[3];
	char locpath[FOLDER_BYTES + 16], localedir[4096];
};

/* "zh_CN" or "de": makes the locale in `folder`. Skips the test where there is none. */
void make_language(struct language *l, const char *lang, const char *folder);

/* Starts ptui. */
struct screen *visit(const struct visit *how);
/* `ptui report -i perf.data` there, until the rows are. */
struct screen *visit_report(const struct visit *how);

/*
 * Waits for the frame of a screen with rows: one reversed row, text in the first line, hints in the
 * last.
 */
#define check_frame(s) check_frame_at(s, __FILE__, __LINE__)
void check_frame_at(struct screen *s, const char *file, int line);

/* Waits until the cursor row has the text. */
#define wait_cursor(s, text) wait_cursor_at(s, text, __FILE__, __LINE__)
void wait_cursor_at(struct screen *s, const char *text, const char *file, int line);

/* The cursor's row as text. */
const char *cursor_row(struct screen *s);

/* The program has ended with this status, and the terminal is as it was; frees. */
void finish(struct screen *s, int status);

#endif
