/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Demangling. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "symbol/symtab.h"

#ifdef HAVE_LIBIBERTY
#include <libiberty/demangle.h>

/* Detects the language by the name: Rust, C++, D. Without parameters. */
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

/* OCaml: "camlStdlib__List__map_123", where $xx is a byte in hex. NULL: not an OCaml name. */
static char *demangle_ocaml(const char *name)
{
	static const char prefix[] = "caml";
	char *shown, *out;

	if (strncmp(name, prefix, strlen(prefix)) || !isupper((unsigned char)name[strlen(prefix)]))
		return NULL;
	out = shown = malloc(strlen(name) + 1);
	if (!shown)
		return NULL;
	for (name += strlen(prefix); *name; out++) {
		if (name[0] == '$' && isxdigit((unsigned char)name[1]) &&
		    isxdigit((unsigned char)name[2])) {
			char hex[3] = { name[1], name[2], 0 };

			*out = (char)strtoul(hex, NULL, 16);
			name += 3;
		} else if (name[0] == '_' && name[1] == '_') {
			*out = '.';
			name += 2;
		} else {
			*out = *name++;
		}
	}
	*out = 0;
	return shown;
}

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
	if (!shown)
		shown = demangle_ocaml(name);
	return shown ? shown : strdup(name);
}
