/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The Live screen on a fake engine: all of ptui/live.h is implemented here. */
#ifndef TESTS_UNIT_UI_VIEW_LIVE_MADE_H
#define TESTS_UNIT_UI_VIEW_LIVE_MADE_H

#include "lib/need.h"
#include "unit/ui/screen.h"
#include "view/live/live.h"

#define SECOND 1000000000u

struct ptui_live {
	int wake_fd, command_fd;
	enum ptui_live_state state;
	struct ptui_live_event events[12];
	size_t n_events;
	struct ptui_live_stats stats;
	struct ptui_profile *profile;
	struct ptui_live_profile_info info;
	bool has_ring;
	bool no_file; /* as in top */
	struct ptui_snapshot snapshots[16];
	size_t n_snapshots;
	struct ptui_armed armed;
	uint64_t unsaved; /* samples that are in memory only */
	unsigned saved;
	int save_gate,
		save; /* 0 or -errno; saving returns when this pipe's other end is closed; 0: at once */
	char condition[128];
	size_t n_arms;
	uint32_t refresh_ms;
	int status, stops, join;
	unsigned short rows, cols;
	_Atomic bool freed;
	int start_gate[2], start; /* result of the start, which returns when the gate is closed */
	bool may_be_terminated;
};

/* A screen below, the Live screen on top, and what it reported. */
struct live_world {
	struct ptui_live live;
	struct keymaps *keys;
	struct live_hot_view look; /* initial view */
	struct stack *stack;
	struct grid *grid;
	int command; /* its side of the terminal */
	int done;
	char path[64];
	struct ptui_profile *profile;
	bool below_closed, quits;
	char left[1024];
};

extern struct live_world t;

int set_up(void **state);
int tear_down(void **state);
#define LIVE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

/* What the engine has. */
void set_event(size_t i, const char *name, double count, double rate, double share);
/* A profile of two functions, to be published. */
struct ptui_profile *made(uint64_t parse, uint64_t eval);
void publish(struct ptui_profile *p);
/* Adds a snapshot; `path` NULL: without a file. Reported by the next wake(). */
struct ptui_snapshot *taken(enum ptui_snapshot_why why, const char *path);
/* It has news; has ended. */
void wake(void);
void end(enum ptui_live_state state);

void open_live(void);
void key(key_code code);
void draw(int rows, int cols);
void dump(void);
const char *row(int y);
/* The first row that has the text; -1: none. */
int row_of(const char *text);
void sees(const char *text);
void does_not_see(const char *text);
/* Runs the loop until the screen contains the text. */
void waits_for(const char *text);

#endif
