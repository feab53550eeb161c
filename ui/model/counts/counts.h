/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows of the Counts screen: what a counting run published, with histories, as texts. */
#ifndef MODEL_COUNTS_COUNTS_H
#define MODEL_COUNTS_COUNTS_H

#include "model/live/live.h"
#include "ptui/count.h"

struct counts_row {
	struct ptui_count_total facts;
	struct live_history rates;
};

struct counts_model {
	struct counts_row *rows;
	size_t n;
	struct ptui_count_run_state state;
	bool stop_asked; /* set by the caller that requests it */
};

/* One row per event of the run, to be freed. 0 or -ENOMEM. */
int counts_init(struct counts_model *m, const struct ptui_count_run *run);
/* Copies the current facts. */
void counts_update(struct counts_model *m, const struct ptui_count_run *run);

/* Texts of a row; return buf. The total is perf's: <not counted>, <not supported>. */
char *counts_interval(const struct counts_row *r, bool ended, char *buf, size_t size);
char *counts_total(const struct counts_row *r, char *buf, size_t size);
char *counts_rate(const struct counts_row *r, bool ended, char *buf, size_t size);
/* The share of time on a counter; "": all of it. */
char *counts_share(const struct counts_row *r, char *buf, size_t size);
/* The name, with the cgroup. */
char *counts_name(const struct counts_row *r, char *buf, size_t size);
/* All of a row, as a message. */
char *counts_details(const struct counts_row *r, char *buf, size_t size);
/* "● COUNT 00:12.4", without the time. Static. */
const char *counts_phase(const struct counts_model *m);

#endif
