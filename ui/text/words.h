/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A command line as text and as words, parsed like a POSIX shell.
 *
 *	make CFLAGS='-O2 -g' "a b"   <-->   make | CFLAGS=-O2 -g | a b
 *
 * Supports quoting only: other shell syntax (pipes, variables, wildcards) is rejected with a hint
 * to use a shell. ~ and ~/x are expanded, since they are often typed.
 */
#ifndef TEXT_WORDS_H
#define TEXT_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "ptui/error.h"

struct words {
	char **v; /* NULL-terminated; NULL if it was never filled */
	size_t n, cap;
	bool failed; /* a word could not be added, for lack of memory: to be checked once at the end */
};
#define WORDS_INIT        \
	{                 \
		.v = NULL \
	}

/* 0 or -ENOMEM; copies. NULL is a word for which there was no memory. */
int words_add(struct words *w, const char *word);
/*
 * A copy of a text that lives as long as the words, so that what has many texts frees them at once.
 * NULL if `text` is, or for lack of memory (then `failed`).
 */
const char *words_keep(struct words *w, const char *text);
int words_addf(struct words *w, const char *fmt, ...) PTUI_PRINTF(2, 3);
/* An option and its value; NULL: none of both. */
int words_add_option(struct words *w, const char *option, const char *value);
int words_add_all(struct words *w, const struct words *from);
void words_remove(struct words *w, size_t i);
/*
 * Adds a line as the newest, without its duplicates; at most `max` stay. "" is ignored. 0 or
 * -ENOMEM.
 */
int words_remember(struct words *w, const char *line, size_t max);
/* Frees the words; it is empty afterwards, and may be filled again. */
void words_release(struct words *w);

/* Appends the words of `text`; a leading ~ is $HOME. -EINVAL: syntax error; -ENOMEM. */
int words_split(struct words *w, const char *text, struct ptui_error *err);
/* The last word with an unquoted *, ? or [, and the character. */
struct words_glob {
	size_t word;
	char c; /* 0: none */
};
/*
 * The same for a pasted line: globs are kept literally, as a shell does if no file matches, and
 * reported in *ret_glob. words_need_shell() is the error to use if that is not acceptable.
 */
int words_split_line(struct words *w, const char *text, struct words_glob *ret_glob,
		     struct ptui_error *err);
int words_need_shell(char c, struct ptui_error *err);
/* A path as typed, with $HOME for a leading ~. NULL: out of memory. free() it. */
char *words_path(const char *path);
/* The words in shell syntax, separated by blanks. NULL: out of memory, or `failed`. free() it. */
char *words_join(const struct words *w);
char *words_join_part(const struct words *w, size_t first, size_t n);

/*
 * What all of them begin with, in whole characters, and not within an escape by \; "" if that is too
 * long. Returns buf.
 */
char *words_common(const struct words *w, char *buf, size_t size);
/* True if `text` contains all words of `wanted`, ignoring case. */
bool words_are_in(const char *text, const char *wanted);

/* Replaces a string by a copy of `to`. 0, or -ENOMEM without a change. */
int words_set(char **text, const char *to);

#endif
