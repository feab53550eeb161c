/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of struct term share; nobody else includes it. */
#ifndef TERM_PRIVATE_H
#define TERM_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>

#include "term/input.h"
#include "term/term.h"

/* Bytes on their way to the terminal: [at, n) is still to be sent. */
struct out {
	char *bytes;
	size_t at, n, room;
	bool failed; /* memory: the picture is not whole and must be sent again */
};

void out_add(struct out *o, const char *bytes, size_t n);
void out_text(struct out *o, const char *text);
void out_printf(struct out *o, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* What terminfo says, without padding. "" where there is none. */
struct caps {
	char cup[64], el[16], clear[32];
	char enter[256], leave[256]; /* with mouse and paste */
	char civis[32], cnorm[32];
	char sgr0[32], bold[16], dim[16], smul[16], rev[16];
	char setaf[128], setab[128];
	char csr[32], ind[8], ri[8]; /* rows that scroll; csr is "" when one of them is missing */
	bool wraps_at_once; /* the last cell of the screen cannot be written without scrolling */
	bool bce;
	int colors;
};

/* All rows scroll again, whatever their number: of terminals whose csr is ANSI's. */
#define CSR_WHOLE "\033[r"

#define STYLES	  (N_ROLES * 4) /* a role, by cursor, by bold */

struct term {
	int fd;
	struct grid *grid;
	struct cell *shown; /* what the terminal shows; rows * cols of the grid */
	bool forget;
	bool hung_up, told_hangup;
	bool resized, resumed;
	bool color_true;

	struct caps caps;
	const struct theme *theme;
	enum depth depth;
	char *styles[STYLES]; /* what switches to it; NULL: not made yet */

	struct out out;
	int y, x;  /* where the terminal's cursor is; x -1: not known */
	int style; /* what it writes with; -1: not known */
	bool cursor_shown;

	struct input input;
	struct term_stats stats;
};

/* caps.c: asks terminfo. -ENOTTY: this terminal cannot do what is needed. */
int caps_read(struct caps *c, int fd, bool mouse, struct input *in, struct ptui_error *err);
/* A parameterised capability, into the bytes to be sent. */
void caps_cup(const struct caps *c, struct out *o, int y, int x);
void caps_csr(const struct caps *c, struct out *o, int first, int last);
void caps_color(const struct caps *c, struct out *o, bool background, int color);

/* restore.c: the ways out. One terminal a process. */
int restore_arm(int fd, const char *leave, struct ptui_error *err); /* saves the modes, goes raw */
int restore_again(void);   /* raw once more, after a stop */
void restore_now(void);	   /* async-signal-safe */
void restore_disarm(void); /* restore_now(), handlers too */

/* paint.c */
void paint_forget_styles(struct term *t);
/* Writes on with this style. */
void paint_style(struct term *t, style_t style);

/* shift.c: before the rows are painted; `blank` is what the terminal has where it has cleared. */
void paint_shift(struct term *t, const struct cell *blank);

#endif
