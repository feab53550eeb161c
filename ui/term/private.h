/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the files of struct term only. */
#ifndef TERM_PRIVATE_H
#define TERM_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>

#include "term/input.h"
#include "term/term.h"

/* Output buffer: [at, n) is still to be sent. */
struct out {
	char *bytes;
	size_t at, n, room;
	bool failed; /* out of memory: the frame is incomplete and must be sent again */
};

void out_add(struct out *o, const char *bytes, size_t n);
void out_text(struct out *o, const char *text);
void out_printf(struct out *o, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* terminfo capabilities, without padding; "" if missing. */
struct caps {
	char cup[64], el[16], clear[32];
	char enter[256], leave[256]; /* including mouse and paste */
	char civis[32], cnorm[32];
	char sgr0[32], bold[16], dim[16], smul[16], rev[16];
	char setaf[128], setab[128];
	char csr[32], ind[8], ri[8]; /* scroll regions; csr is "" if any is missing */
	bool wraps_at_once;	     /* writing the last cell of the screen scrolls it */
	bool bce;
	int colors;
};

/* Resets the scroll region to all rows; for terminals with ANSI csr. */
#define CSR_WHOLE "\033[r"

#define STYLES	  (N_ROLES * 4) /* roles, with cursor, with bold */

struct term {
	int fd;
	struct grid *grid;
	struct cell *shown; /* current contents of the terminal; rows * cols of the grid */
	bool forget;
	bool hung_up, hangup_reported;
	bool resized, resumed;
	bool color_true;

	struct caps caps;
	const struct theme *theme;
	enum depth depth;
	char *styles[STYLES]; /* sequence for each; NULL: not built yet */

	struct out out;
	int y, x;  /* the terminal's cursor; x -1: unknown */
	int style; /* the terminal's current style; -1: unknown */
	bool cursor_shown;

	struct input input;
	struct term_stats stats;
};

/* caps.c: reads terminfo. -ENOTTY: a required capability is missing. */
int caps_read(struct caps *c, int fd, bool mouse, struct input *in, struct ptui_error *err);
/* Appends a parameterised capability to the output. */
void caps_cup(const struct caps *c, struct out *o, int y, int x);
void caps_csr(const struct caps *c, struct out *o, int first, int last);
void caps_color(const struct caps *c, struct out *o, bool background, int color);

/* restore.c: restores the terminal on exit. One terminal per process. */
/* saves the modes, sets raw mode */
int restore_arm(int fd, const char *leave, struct ptui_error *err);
int restore_again(void);   /* sets raw mode again after a stop */
void restore_now(void);	   /* async-signal-safe */
void restore_disarm(void); /* restore_now(), and removes the handlers */

/* paint.c */
void paint_forget_styles(struct term *t);
/* Switches to this style. */
void paint_style(struct term *t, style_t style);

/* shift.c: before the rows are painted; `blank` is a cleared cell. */
void paint_shift(struct term *t, const struct cell *blank);

#endif
