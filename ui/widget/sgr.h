/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Colours of a program's output: SGR sequences (CSI … m) as styles of ours. Colours become the
 * nearest of the terminal's 16; text on a coloured background is reversed in that colour.
 */
#ifndef WIDGET_SGR_H
#define WIDGET_SGR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "term/style.h"

#define SGR_PARAMS_MAX 32

/* The numbers of a CSI sequence; further ones are ignored. */
struct sgr_params {
	unsigned v[SGR_PARAMS_MAX];
	bool sub[SGR_PARAMS_MAX]; /* follows a : instead of a ; */
	size_t n;
};

/* What the sequences so far have set. Initialize with SGR_INIT. */
struct sgr {
	int8_t fg, bg;	/* 0 … 15; -1: default */
	unsigned flags; /* STYLE_…, and that it is hidden */
};
#define SGR_INIT                   \
	{                          \
		.fg = -1, .bg = -1 \
	}

void sgr_apply(struct sgr *s, const struct sgr_params *p);
style_t sgr_style(const struct sgr *s);

#endif
