/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How a table comes to be; for the files of the symbol room only.
 *
 *   add … add -> fix ends -> drop aliases -> (more) -> finish
 *
 * The steps and their order are perf's (tools/perf/util/symbol.c), since the choice among
 * symbols at one address depends on it.
 */
#ifndef SYMBOL_BUILDER_H
#define SYMBOL_BUILDER_H

#include "base/arena.h"
#include "symbol/symtab.h"

struct symtab {
	struct symtab_entry *v; /* sorted by start */
	uint64_t *max_end;	/* of v[0 … i] */
	size_t n, cap;
	struct arena names;
	uint64_t kernel_text, kernel_stext; /* kallsyms, vmlinux: addresses of _text and _stext */
	bool demangled_ties;		    /* names are compared as they are shown, demangled */
};

struct symtab *symtab_new(void);

/*
 * Adds an entry; an empty range [start, start) is "size not known". symtab_add() copies the
 * name, for symtab_push() it is in `names` already. 0 or -ENOMEM.
 */
int symtab_push(struct symtab *t, const struct symtab_entry *e);
int symtab_add(struct symtab *t, const struct symtab_entry *e, const char *name, size_t name_len);
/* Sorts by start; equal starts stay in the order they were added in. 0 or -ENOMEM. */
int symtab_sort(struct symtab *t);
/* Sorted: an entry without size ends where the next one begins, the last with its page. */
void symtab_fix_ends(struct symtab *t);
/* Sorted: of entries with one start the best stays. */
void symtab_drop_aliases(struct symtab *t);
/* Sorts, and makes it ready for symtab_find(). 0 or -ENOMEM. */
int symtab_finish(struct symtab *t);

/* symtab_plt.c: adds "NAME@plt" entries. 0 or -ENOMEM. */
int symtab_add_plt(struct symtab *t, struct dso_file *runtime);

#endif
