/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sort keys, columns and widths that the user chose in the Browser, kept for its next start in the state
 * file "browser" (state_file.h), for each kind of recording:
 *
 *	sort samples dso,symbol
 *	columns tracepoints overhead,sample,prev_comm
 *	width comm 20
 */
#ifndef MODEL_BROWSER_BROWSER_STATE_H
#define MODEL_BROWSER_BROWSER_STATE_H

#include "model/rows/rows_look.h"

/* Other kinds have other default keys. */
enum browser_kind {
	BROWSER_SAMPLES,
	BROWSER_TRACEPOINTS,
	BROWSER_BRANCHES,
	BROWSER_MEMORY,
	BROWSER_KINDS,
};

struct browser_state {
	struct {
		char sort[ROWS_TEXT_MAX], columns[ROWS_TEXT_MAX]; /* "": default */
	} of[BROWSER_KINDS];
	struct rows_widths widths;
};

/*
 * A missing file is empty. Invalid lines are ignored, with -EBADMSG and how many there are; -EACCES and the
 * like: nothing was read. `err` may be NULL.
 */
int browser_state_load(struct browser_state *s, const char *path, struct ptui_error *err);
/* Writes the file atomically. 0 or a negative errno with err set and the old file in place. */
int browser_state_save(const struct browser_state *s, const char *path, struct ptui_error *err);
/* What applies to this recording, for a look that was not chosen otherwise. */
void browser_state_use(const struct browser_state *s, const struct ptui_profile *p,
		       struct rows_look *ret);
/* The look's, for recordings of this kind. */
void browser_state_keep(struct browser_state *s, const struct ptui_profile *p,
			const struct rows_look *look);
/* Whether keys in the state file may be fields of tracepoints. */
bool browser_state_has_fields(void);

#endif
