/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sink for the manual page ptui(1). Writers add titles, paragraphs and terms as plain translated
 * text; src/cli formats them.
 */
#ifndef PTUI_MANUAL_H
#define PTUI_MANUAL_H

#ifdef __cplusplus
extern "C" {
#endif

/* Parts of the page that a writer can add to. */
enum ptui_manual_part {
	PTUI_MANUAL_SECTIONS,	 /* whole sections, after those of the commands */
	PTUI_MANUAL_ENVIRONMENT, /* terms: environment variables */
	PTUI_MANUAL_FILES,	 /* terms: files read and written */
};

/* Strings are borrowed for the call. */
struct ptui_manual {
	void (*section)(struct ptui_manual *m, const char *title);
	void (*subsection)(struct ptui_manual *m, const char *title);
	/* Paragraphs, separated by an empty line. */
	void (*text)(struct ptui_manual *m, const char *text);
	/* Preformatted lines. */
	void (*example)(struct ptui_manual *m, const char *lines);
	/* A term and its description. */
	void (*term)(struct ptui_manual *m, const char *word, const char *text);
};

#ifdef __cplusplus
}
#endif
#endif
