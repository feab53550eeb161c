/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two recordings being compared: one tab (rows_tabs.h) per event that both have. */
#ifndef MODEL_COMPARE_COMPARE_H
#define MODEL_COMPARE_COMPARE_H

#include "model/compare/compare_rows.h"
#include "model/rows/rows_tabs.h"

#define COMPARE_LIMIT 0.5 /* percent, as in the Browser */

/* Read-only outside of the model, but for the look and the place of the tabs. */
struct compare {
	struct ptui_profile *profile[2]; /* before, after, as loaded */
	/* Events of the same name, with samples in at least one recording. */
	struct rows_tabs tabs;
	uint32_t (*events)[2]; /* of the tabs */
};

/* Takes references to the profiles. NULL: out of memory. */
struct compare *compare_new(struct ptui_profile *before, struct ptui_profile *after,
			    struct ptui_error *err);
/* No job may be running. */
void compare_free(struct compare *c); /* NULL ok */

/* The recording that the current rows show as before, or as after. */
struct ptui_profile *compare_profile(const struct compare *c, bool after);

/* The tab's event in the recording before or after. */
const struct ptui_event_info *compare_event(const struct compare *c, bool after);
/* Events with samples that only this recording has: "cycles, faults". "": none. Returns buf. */
const char *compare_lone_events(const struct compare *c, bool after, char *buf, size_t size);
/* Rows of the current tab, as rows_tabs_made(). */
struct compare_rows *compare_rows(const struct compare *c);
/* True if children can be shown: both have callchains. */
bool compare_has_children(const struct compare *c);

/* ---- jobs ---- */

struct compare_job {
	struct rows_job rows;
	struct ptui_profile *profile[2]; /* references */
	uint32_t event[2];
	struct compare_views *views; /* existing views; NULL: none. A reference */
};

/* False: the rows of the tab are up to date. */
bool compare_job_next(const struct compare *c, struct compare_job *ret);
/* Accesses only the job. `progress` may be NULL. */
void compare_job_run(struct compare_job *job, ptui_progress_fn progress, void *ctx);
/* Moves the result; what is left in the job (including replaced rows) is to be released. */
void compare_job_done(struct compare *c, struct compare_job *job);
/* Slow: may run in any thread. */
void compare_job_release(struct compare_job *job);

#endif
