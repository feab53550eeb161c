/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of DSOs without symbols in a view: their share, the reason, and what to install or fetch. */
#ifndef MODEL_BROWSER_MISSING_H
#define MODEL_BROWSER_MISSING_H

#include "ptui/profile.h"

/* malloc'ed; NULL: out of memory. One sentence if all DSOs have symbols. */
char *missing_text(const struct ptui_hist *h);

#endif
