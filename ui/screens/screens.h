/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the files of the program with screens, ui/main.c and ui/screens, only. */
#ifndef SCREENS_SCREENS_H
#define SCREENS_SCREENS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "input/keymap.h"
#include "ptui/cli.h"
#include "ptui/config.h"
#include "ptui/error.h"
#include "term/term.h"
#include "text/words.h"
#include "widget/stack.h"

/* State of one run of the screens. */
struct screens {
	struct keymaps *keys;
	struct config config;
	struct term *term;
	struct stack *stack;

	/* result */
	int ret;
	struct ptui_error err;
	int signal;		   /* signal that ended the program; 0: none */
	char left[PATH_MAX + 256]; /* message to print after the screens close */

	const struct ptui_record_opts *line; /* of `record --tui` or `top` */
	char *probes;			     /* that are recorded next; NULL: none */

	const struct ptui_browse *what; /* while its pipe is followed */

	struct ptui_count_run *run; /* that Setup started; NULL: none */
	char *counted;		    /* text of the last one, to print after the screens close */

	struct stat before; /* the recording that was replaced; st_ino 0: none */
	char before_path[PATH_MAX];
	char several[PATH_MAX + 64]; /* the name of several files that are one profile */
	bool again;		     /* while its successor is being started */
};

/* ui/main.c: the terminal and the stack, until no screen is left. */
int screens_open(struct screens *s, struct ptui_error *err);
int screens_run(struct screens *s, int ret, struct ptui_error *err);
void screens_show_error(struct screens *s, const struct ptui_error *err);
/* The Browser could not read its recording, and no screen is below it. */
void screens_load_failed(void *ctx, int ret, const struct ptui_error *err);
/* From a Browser: back to Setup. */
unsigned screens_record_again(void *ctx, const char *path, bool unwound);
void screens_record_probes(void *ctx, const char *path, const char *events);
/* After a Live that has no Setup: records these probes as the command line `line` does. */
void screens_record_probes_again(struct screens *s, const char *line, const char *events);

/* screens_record.c: Live and the Browser above it: from Setup, from `record --tui`, from `top`. */
unsigned screens_record(void *ctx, const struct ptui_record_opts *opts);
unsigned screens_browse_file(void *ctx, const char *path);
int screens_record_line(void *ctx, const struct ptui_record_opts *opts, struct ptui_error *err);
int screens_top(void *ctx, const struct ptui_top *what, struct ptui_error *err);

/* screens_counts.c: counts, from Setup and from `stat --tui`. */
unsigned screens_count(void *ctx, const struct ptui_record_opts *opts, const struct words *words);
int screens_count_line(void *ctx, struct ptui_count_run *run,
		       const struct ptui_count_run_opts *opts, const char *cmdline,
		       size_t cmdline_bytes, struct ptui_error *err);

#endif
