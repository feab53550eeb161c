/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The DSOs of a view, and those without symbols, or with unproven ones: what is wrong, and what to do. */
#ifndef MODEL_BROWSER_MISSING_H
#define MODEL_BROWSER_MISSING_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "ptui/profile.h"
#include "text/words.h"

struct missing_row {
	uint64_t id;		 /* of the DSO and its problem */
	double percent, unnamed; /* of the samples of the view: all, and those without a function */
	const char *dso, *path, *why; /* path and why: NULL if unknown */
	enum ptui_symbols state;
	bool kernel;
};

/* Those without symbols. The largest share first, independent of the view. Immutable. */
struct missing_list {
	atomic_uint refs;
	struct missing_row *rows;
	struct words texts; /* of the rows */
	size_t n;
	size_t n_more;		  /* DSOs that are not in the list: it is long enough */
	struct missing_list *all; /* of all DSOs with samples; NULL: this is that list */
};

/* Returns one reference. NULL: out of memory. */
struct missing_list *missing_list_new(const struct ptui_hist *h);
/* Thread-safe. */
struct missing_list *missing_list_ref(struct missing_list *l);
void missing_list_unref(struct missing_list *l); /* NULL ok */

/* "no symbol table", "its debug package (DEBUGINFOD_URLS)": short, for a column. */
const char *missing_problem(const struct missing_row *m);
const char *missing_remedy(const struct missing_row *m);
/* Share, path, the reason, and what to do, in sentences. NULL: out of memory. free() it. */
char *missing_text(const struct missing_row *m);

#endif
