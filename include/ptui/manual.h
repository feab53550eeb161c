/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The manual page's paper. What it takes: titles, paragraphs and terms, as plain text in the
 * person's language. What it gives: its part of ptui(1). Who has something to tell of itself
 * writes on it when asked; how a page looks is the command line's matter.
 */
#ifndef PTUI_MANUAL_H
#define PTUI_MANUAL_H

#ifdef __cplusplus
extern "C" {
#endif

/* What the page wants to hear. */
enum ptui_manual_part {
	PTUI_MANUAL_SECTIONS,	 /* whole sections, behind those of the commands */
	PTUI_MANUAL_ENVIRONMENT, /* terms: the variables that are read */
	PTUI_MANUAL_FILES,	 /* terms: the files that are read and written */
};

/* Texts are the caller's, and are copied at once. */
struct ptui_manual {
	void (*section)(struct ptui_manual *m, const char *title);
	void (*subsection)(struct ptui_manual *m, const char *title);
	/* Paragraphs, apart by an empty line. */
	void (*text)(struct ptui_manual *m, const char *text);
	/* Lines as they stand. */
	void (*example)(struct ptui_manual *m, const char *lines);
	/* What is explained, and what it is. */
	void (*term)(struct ptui_manual *m, const char *word, const char *text);
};

#ifdef __cplusplus
}
#endif
#endif
