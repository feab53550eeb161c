/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the files of the Live screen. */
#ifndef VIEW_LIVE_LIVE_PRIVATE_H
#define VIEW_LIVE_LIVE_PRIVATE_H

#include "model/live/live.h"
#include "view/command_output.h"
#include "view/live/live.h"
#include "view/probe/probe.h"
#include "view/rows/rows_view.h"
#include "view/sample_saver.h"
#include "view/snapshots/snapshots.h"
#include "view/symbols/symbols.h"
#include "view/trust_show.h"
#include "view/worker.h"
#include "widget/pane.h"

/* What follows the end of the recording. */
enum live_after {
	LIVE_AFTER_BROWSE,
	LIVE_AFTER_LEAVE,
	LIVE_AFTER_SAVE, /* save what is in memory, and leave */
	LIVE_AFTER_QUIT,
	LIVE_AFTER_AGAIN, /* record other events */
};

/* View of the hottest functions. */
struct live_look {
	struct live_hot_view view, first; /* first: as the screen was opened */
	uint64_t since_elapsed_ns;   /* elapsed time of the recording when view.since_ns was set */
	struct ptui_profile *frozen; /* NULL: not frozen */
	struct ptui_live_profile_info frozen_info;
	uint64_t updated_ns,
		/* with view.each_update: time of the update; samples from then on */
		update_since_ns;
};

/* Snapshots by a condition. */
struct live_arm {
	struct ptui_armed armed; /* as of the last refresh */
	struct words typed;
};

struct live_snapshots {
	struct snapshot_list *list;
	struct snapshots_view *shown; /* its screen; NULL: closed */
};

/* From the top. */
enum { BOX_EVENTS, BOX_TOTALS, BOX_NOTE, BOX_RULE, BOX_FUNCTIONS, N_LIVE_BOXES };

struct live_view {
	struct stack *stack;
	struct ptui_live *live;
	struct live_view_opts opts; /* copied */

	struct live_model model;
	struct ptui_event_info event_shown; /* without its texts */
	size_t line;			    /* event whose hottest functions are shown */
	bool line_chosen;		    /* by the user */
	enum live_after after;
	bool joined, asking;
	struct sample_saver saver;
	uint64_t stop_ns; /* time of the request; 0: none */
	bool killing, told_late;
	struct live_snapshots snapshots;
	struct symbols_view *symbols; /* the list of DSOs without symbols; NULL: closed */

	struct latest_worker *worker; /* counts the hottest functions */
	struct live_hot *hot;	      /* NULL: none yet */
	struct ptui_live_profile_info info;
	struct live_look look;
	struct rows_view rows;
	bool has_now; /* a column of Live's own */

	struct live_arm arm;
	struct command_output output;
	struct box boxes[N_LIVE_BOXES];
	bool totals_derived; /* at the last draw, the totals had derived values */
	unsigned wake_watch, timer;
};

/* live.c */
extern const struct screen_ops live_ops;
/* The selected event in the profile; PTUI_NONE: none that is sampled. */
uint32_t live_event_of(const struct live_view *v);
/* Copies the current counts of the recording. */
void live_update_facts(struct live_view *v);

/* live_end.c */
bool live_has_ended(const struct live_view *v);
/* True if a command with its own terminal has not exited. */
bool live_command_runs(const struct live_view *v);
/* For the saver. */
void live_saved(void *ctx, const char *path, const struct ptui_error *err);
/* Continues after the end, if reached. True: `v` is freed. */
bool live_end(struct live_view *v);
/* Shows where the recording is if no screen will. */
void live_report_left(struct live_view *v);
bool live_finish(void *self, int signal);
unsigned live_stop(struct live_view *v);
unsigned live_leave(struct live_view *v);
struct probe_then live_probe_then(struct live_view *v);
unsigned live_change_events(struct live_view *v);
/* Ends this recording, and starts another one with unwound stacks. */
unsigned live_record_unwound(struct live_view *v);

/* live_draw.c */
void live_layout_init(struct live_view *v);
void live_draw_head(void *self, const struct canvas *line);
void live_draw(void *self, const struct canvas *c);
/* What the statistics change between two updates. */
void live_draw_part(void *self, const struct canvas *c);
/* For the other screens, while it records: "● REC 00:12". */
void live_draw_light(void *self, char *buf, size_t size, style_t *ret_style);

/* live_snapshots.c */
/* Checks for new snapshots, and reports them. */
void live_snapshots_feed(struct live_view *v);
bool live_snapshots_can(void *self);
unsigned live_snapshots_take(void *self);
/* Opens the list. */
unsigned live_snapshots_show(struct live_view *v);
/* Appends " 3 snapshots stay as well."; nothing if none have files. */
void live_snapshots_left(const struct live_view *v, char *buf, size_t size);
/* The recording is over and this screen closes: its snapshots stay accessible. */
void live_snapshots_stay(struct live_view *v);

/* live_tree.c */
int live_tree_init(struct live_view *v);
/* Requests the current hottest functions from the worker. */
void live_tree_submit(struct live_view *v);
unsigned live_tree_request(struct live_view *v, enum request req);
unsigned live_tree_mouse(void *self, const struct term_event *e);

/* live_look.c */
/* The profile to show, with a reference; NULL: none yet. */
struct ptui_profile *live_look_profile(struct live_view *v, struct ptui_live_profile_info *ret);
/* Takes what was published. True: count the functions again. */
bool live_look_update(struct live_view *v);
/* View options for the worker. */
struct live_hot_view live_look_view(const struct live_view *v);
/* WISH_PASS: not handled. */
unsigned live_look_request(struct live_view *v, enum request req);
bool live_look_can(const struct live_view *v, enum request req);
/* Appends how the view differs from the default. */
void live_look_text(const struct live_view *v, char *buf, size_t size);

unsigned live_arm_ask(struct live_view *v);
/* Appends the condition and its current value. */
void live_arm_text(const struct live_view *v, char *buf, size_t size);

unsigned live_trust_show(struct live_view *v);
unsigned live_symbols_show(struct live_view *v);

#endif
