/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names for people. */
#include <stdlib.h>
#include <string.h>
#include "symbol/symtab.h"

#ifdef HAVE_LIBIBERTY
#include <libiberty/demangle.h>

/* Of the style that the name itself tells: Rust, C++, D. Without parameters. */
static char *demangle(const char *name)
{
	return cplus_demangle(name, DMGL_NO_OPTS);
}
#else
static char *demangle(const char *name)
{
	(void)name;
	return NULL;
}
#endif

#define PLT "@plt"

static char *demangle_slot(const char *name, size_t len)
{
	char *bare = strndup(name, len), *shown = NULL, *grown = NULL;
	size_t n;

	if (bare)
		shown = demangle(bare);
	free(bare);
	if (!shown)
		return NULL;
	n = strlen(shown);
	grown = realloc(shown, n + sizeof(PLT));
	if (grown)
		memcpy(grown + n, PLT, sizeof(PLT));
	else
		free(shown);
	return grown;
}

char *symbol_demangle(const char *name)
{
	size_t len = strlen(name), tail = sizeof(PLT) - 1;
	char *shown;

	if (len > tail && !strcmp(name + len - tail, PLT))
		shown = demangle_slot(name, len - tail);
	else
		shown = demangle(name);
	return shown ? shown : strdup(name);
}
