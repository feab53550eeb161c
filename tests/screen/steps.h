/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What tests of whole screens have in common: a place of their own to run in, what every screen
 * must look like, and the way out.
 */
#ifndef TESTS_SCREEN_STEPS_H
#define TESTS_SCREEN_STEPS_H

#include "screen/harness/screen.h"

#define FOLDER_BYTES 64

/* Makes a folder below /tmp; recording_remove() takes it away. */
void make_folder(char folder[FOLDER_BYTES]);

struct visit {
	const char *folder;	   /* runs in it; it is its home as well */
	const char *const *args;   /* behind ptui; NULL at the end; NULL: none */
	int rows, cols;		   /* 0: 24, 80 */
	const char *term, *locale; /* NULL: as screen_start() has it */
	const char *const *env;	   /* more of them; up to 4, NULL at the end; or NULL */
};

/* Starts ptui. */
struct screen *visit(const struct visit *how);
/* `ptui report -i perf.data` there, until the rows are. */
struct screen *visit_report(const struct visit *how);

/*
 * What holds for a screen with rows: one row in reverse, something in the first line, hints in the
 * last, and nothing but this. Waits for it.
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
