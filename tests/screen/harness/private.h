/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the harness's files share. */
#ifndef TESTS_SCREEN_HARNESS_PRIVATE_H
#define TESTS_SCREEN_HARNESS_PRIVATE_H

#include <vterm.h>

#include "screen/harness/keeper.h"

struct screen {
	struct keeper keeper;
	pid_t pid;
	bool stopped, ended;
	int status;
	bool keeper_gone;

	VTerm *vt;
	VTermScreen *cells;
	int rows, cols;
	int mouse;	/* VTERM_PROP_MOUSE_ */
	bool alternate; /* the second screen is shown */
	bool cursor_seen;
	bool paste_asked; /* bracketed paste is on */
	uint64_t bytes;
	enum { BETWEEN, ESCAPE, SEQUENCE } within; /* state after the last byte */
	char part[4];				   /* of a UTF-8 character, not shown yet */
	size_t part_n;
	char osc[8192]; /* the part read of a clipboard sequence */
	size_t osc_n;
	char clipboard[8192];
	bool copied;

	char *row;	  /* of screen_row() and screen_row_looks() */
	int *row_columns; /* column of each byte */
	char *looks;
	size_t row_size;
};

/* Fails the test at `file` and `line`, and shows the screen. */
void __attribute__((noreturn, format(printf, 4, 5)))
screen_fail(struct screen *s, const char *file, int line, const char *fmt, ...);

/* False: the deadline is over, or the program has ended and it never will hold. */
bool screen_wait_for(struct screen *s, screen_holds_fn holds, void *ctx);

/* Scans the program's output for clipboard sequences. */
void screen_watch_clipboard(struct screen *s, const char *bytes, size_t n);

/* A cell; *ret as libvterm has it. */
void screen_cell(struct screen *s, int y, int x, VTermScreenCell *ret);

#endif
