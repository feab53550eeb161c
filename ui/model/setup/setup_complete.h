/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How a line that is being typed may go on: files, programs, events.
 *
 *	make src/ma▏  -->  src/machine/  src/main.c	the ways, whole words as they will stand there
 *
 * Takes: the line and where typing goes on. Gives: where the word begins that is completed, and
 * all that it may become, sorted. It is not for showing them.
 */
#ifndef MODEL_SETUP_SETUP_COMPLETE_H
#define MODEL_SETUP_SETUP_COMPLETE_H

#include <stddef.h>

#include "model/setup/setup_words.h"

struct ptui_catalog;

/*
 * Each puts the ways into `ways` (empty; at most COMPLETE_MAX) and sets *begin. Folders end in /
 * and what is whole otherwise in nothing. What cannot be read has no ways. 0 or -ENOMEM.
 */
#define COMPLETE_MAX 4096

/* The whole line is the path of a file; ~ is $HOME. */
int complete_path(const char *line, size_t at, size_t *begin, struct words *ways);
/*
 * A command line: its first word is a program of PATH, or one with a slash; the others are files.
 * The ways are quoted as words_split() reads them.
 */
int complete_command(const char *line, size_t at, size_t *begin, struct words *ways);
/* What -e takes: the name behind the last , or {. */
int complete_event(struct ptui_catalog *catalog, const char *line, size_t at, size_t *begin,
		   struct words *ways);

/* What all of them begin with, in whole characters. Returns buf. */
char *complete_common(const struct words *ways, char *buf, size_t size);

#endif
