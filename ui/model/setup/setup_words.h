/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A command line as text and as words, the way a POSIX shell reads it.
 *
 *	make CFLAGS='-O2 -g' "a b"   <-->   make | CFLAGS=-O2 -g | a b
 *
 * Only quoting: what a shell would do beyond that (pipes, variables, wildcards) is refused, with the
 * way to have a shell do it. Only ~ and ~/x are what they are to a shell, since people type them.
 */
#ifndef MODEL_SETUP_SETUP_WORDS_H
#define MODEL_SETUP_SETUP_WORDS_H

#include <stddef.h>
#include <stdio.h>

#include "ptui/error.h"

struct words {
	char **v; /* NULL at the end; NULL itself when there never was one */
	size_t n, cap;
};
#define WORDS_INIT         \
	{                  \
		NULL, 0, 0 \
	}

/* 0 or -ENOMEM; copies. */
int words_add(struct words *w, const char *word);
int words_add_all(struct words *w, const struct words *from);
void words_remove(struct words *w, size_t i);
/* As free() and malloc(): afterwards it is empty, and may be filled again. */
void words_release(struct words *w);

/* Appends the words of `text`; a ~ that begins one is $HOME. -EINVAL: no shell would read it so; -ENOMEM. */
int words_split(struct words *w, const char *text, struct ptui_error *err);
/* The last word that has *, ? or [ outside quotes: which, and the character. */
struct words_glob {
	size_t word;
	char c; /* 0: there is none */
};
/*
 * The same for a pasted line: these characters are taken as they are, as a shell does where no file
 * matches, and *ret_glob tells of them. words_need_shell() is the error where that will not do.
 */
int words_split_line(struct words *w, const char *text, struct words_glob *ret_glob,
		     struct ptui_error *err);
int words_need_shell(char c, struct ptui_error *err);
/* A path as it was typed, with $HOME for a ~ at its begin. NULL: out of memory. free() it. */
char *words_path(const char *path);
/* One word as a shell reads it back: quoted only where it must be. */
void words_quote(FILE *out, const char *word);
/* All of them, with blanks between. NULL: out of memory. free() it. */
char *words_join(const struct words *w);

#endif
