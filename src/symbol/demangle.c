/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Demangling. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "base/buf.h"
#include "symbol/symtab.h"

#define JAVA_NAME_MAX 65536

#ifdef HAVE_LIBIBERTY
#include <libiberty/demangle.h>

/* Detects C++ and Rust by the name; for D the library requires the language. */
static char *demangle(const char *name, bool parameters)
{
	char *shown = cplus_demangle(name, parameters ? DMGL_PARAMS | DMGL_ANSI : DMGL_NO_OPTS);

	if (!shown && name[0] == '_' && name[1] == 'D' && isdigit((unsigned char)name[2]))
		shown = cplus_demangle(name, DMGL_DLANG);
	return shown;
}
#else
static char *demangle(const char *name, bool parameters)
{
	(void)name;
	(void)parameters;
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

/* ---- Java: descriptors, as JIT compilers write them ---- */

static const char *java_base_type(char c)
{
	static const char letters[] = "BCDFIJSZV";
	static const char *const names[] = { "byte", "char",  "double",	 "float", "int",
					     "long", "short", "boolean", "void" };
	const char *at = c ? strchr(letters, c) : NULL;

	return at ? names[at - letters] : NULL;
}

/* One type at *p: "I", "[J", "Ljava/lang/String;". 0, or -1: none. */
static int add_java_type(struct buf *out, const char **p)
{
	const char *q = *p, *name;
	unsigned dimensions = 0;

	for (; *q == '['; q++)
		dimensions++;
	name = java_base_type(*q);
	if (name) {
		buf_add_str(out, name);
		q++;
	} else if (*q == 'L') {
		for (q++; *q && *q != ';'; q++)
			buf_add_char(out, *q == '/' ? '.' : *q);
		if (*q++ != ';')
			return -1;
	} else {
		return -1;
	}
	while (dimensions--)
		buf_add_str(out, "[]");
	*p = q;
	return 0;
}

/*
 * "Ljava/lang/String;equals(Ljava/lang/Object;I)Z" -> "java.lang.String.equals(java.lang.Object, int)",
 * without the type that it returns, as in perf. NULL: not a Java name.
 */
static char *demangle_java(const char *name)
{
	const char *p = name, *open = strchr(name, '(');
	struct buf out = BUF_INIT;
	char *shown = NULL;

	if (name[0] != 'L' || !open || !strchr(open, ')') || strlen(name) > JAVA_NAME_MAX)
		return NULL;
	if (add_java_type(&out, &p) || p >= open)
		goto out;
	buf_add_char(&out, '.');
	buf_add(&out, p, (size_t)(open + 1 - p));
	for (p = open + 1; *p && *p != ')';) {
		if (p > open + 1)
			buf_add_str(&out, ", ");
		if (add_java_type(&out, &p))
			goto out;
	}
	if (*p != ')')
		goto out;
	buf_add_char(&out, ')');
	if (!out.err)
		shown = strdup(buf_str(&out));
out:
	buf_release(&out);
	return shown;
}

#define PLT "@plt"

static char *demangle_slot(const char *name, size_t len, bool parameters)
{
	char *bare = strndup(name, len), *shown = NULL, *grown = NULL;
	size_t n;

	if (bare)
		shown = demangle(bare, parameters);
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
	return symbol_demangle_as(name, false);
}

char *symbol_demangle_as(const char *name, bool parameters)
{
	size_t len = strlen(name), tail = sizeof(PLT) - 1;
	char *shown;

	if (len > tail && !strcmp(name + len - tail, PLT))
		shown = demangle_slot(name, len - tail, parameters);
	else
		shown = demangle(name, parameters);
	if (!shown)
		shown = demangle_ocaml(name);
	if (!shown)
		shown = demangle_java(name);
	return shown ? shown : strdup(name);
}
