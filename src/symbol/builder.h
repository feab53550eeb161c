/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Building a table; for the files of the symbol room only.
 *
 *   add … add -> fix ends -> drop aliases -> (more) -> finish
 *
 * The steps and their order are perf's (tools/perf/util/symbol.c), since the choice among symbols
 * at one address depends on it.
 */
#ifndef SYMBOL_BUILDER_H
#define SYMBOL_BUILDER_H

#include <ctype.h>
#include "base/arena.h"
#include "symbol/symtab.h"

struct symtab {
	struct symtab_entry *v; /* sorted by start */
	uint64_t *max_end;	/* of v[0 … i]; NULL: always that of v[i] */
	size_t n, cap;
	struct arena names;
	struct kallsyms *names_of;	    /* whose names these are instead; one reference */
	uint64_t kernel_text, kernel_stext; /* addresses of _text and _stext, in kallsyms and
					       vmlinux */
	bool demangled_ties;		    /* names are compared demangled */
};

struct symtab *symtab_new(void);

/*
 * Adds an entry; an empty range [start, start) means "size unknown". symtab_add() copies the name;
 * that of symtab_push() is already in `names`. 0 or -ENOMEM.
 */
int symtab_push(struct symtab *t, const struct symtab_entry *e);
int symtab_add(struct symtab *t, const struct symtab_entry *e, const char *name, size_t name_len);
/* Sorts by start; equal starts keep their order. 0 or -ENOMEM. */
int symtab_sort(struct symtab *t);
/* After sorting: ends entries without size where the next one starts, the last with its page. */
void symtab_fix_ends(struct symtab *t);
/* After sorting: keeps the best of the entries with the same start. */
void symtab_drop_aliases(struct symtab *t);
/* Sorts, and prepares symtab_find(). 0 or -ENOMEM. */
int symtab_finish(struct symtab *t);
/* The same for code of JIT compilers, which reuse memory: the last entry with a start wins. */
int symtab_finish_code(struct symtab *t);

/* Whether one of the first n entries, which are finished, has an offset in [start, end). */
bool symtab_overlaps(const struct symtab *t, size_t n, uint64_t start, uint64_t end);

/* Hexadecimal digits; false: none, or more than 64 bits have. */
static inline bool symtab_read_hex(const char **p, const char *end, uint64_t *ret)
{
	const char *start = *p;
	uint64_t v = 0;

	for (; *p < end && isxdigit((unsigned char)**p); ++*p) {
		char c = **p;

		v = v << 4 | (uint64_t)(c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
	}
	*ret = v;
	return *p > start && *p - start <= 16;
}

/* symtab_plt.c: adds "NAME@plt" entries. 0 or -ENOMEM. */
int symtab_add_plt(struct symtab *t, struct dso_file *runtime);

#endif
