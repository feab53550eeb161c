/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Completion of a line being typed: files, programs, events.
 *
 *	make src/ma▏  -->  src/machine/  src/main.c	candidates, as whole words
 *
 * Returns the start of the word and its sorted candidates.
 */
#ifndef MODEL_COMPLETE_H
#define MODEL_COMPLETE_H

#include <stddef.h>

#include "text/words.h"

struct ptui_catalog;

/*
 * Each fills `ways` (empty; at most COMPLETE_MAX) and sets *begin, as prompt_opts.ways() does. Directories end in /. Unreadable
 * ones have no candidates. 0 or -ENOMEM.
 */
#define COMPLETE_MAX 4096

/* The whole line is a path; ~ is $HOME. */
int complete_path(void *unused, const char *line, size_t at, size_t *begin, struct words *ways);
/*
 * A command line: the first word is a program in PATH, or one with a slash; the others are files.
 * Candidates are quoted for words_split().
 */
int complete_command(void *unused, const char *line, size_t at, size_t *begin, struct words *ways);
/* For -e: the name after the last , or {. Reads the catalog. */
int complete_event(void *unused, const char *line, size_t at, size_t *begin, struct words *ways);

#endif
