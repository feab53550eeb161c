/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the screen of a running recording says, without any screen.
 *
 * Takes: the engine's facts, copied in at each refresh. Gives: a line an event with its history,
 * what follows from two events together (instructions per cycle), and texts for the state. Not for
 * the hottest functions: see model/live_hot.h.
 *
 *	engine's facts --live_model_feed--> lines    name, count, rate, history, running share
 *	                                    derived  title, value, history
 *	                                    stats    samples, lost, bytes, elapsed …
 */
#ifndef MODEL_LIVE_LIVE_H
#define MODEL_LIVE_LIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ptui/live.h"

#define LIVE_HISTORY	 128
#define LIVE_DERIVED_MAX 32

/* The last values, the oldest leave. NaN: nothing was measured. */
struct live_history {
	double values[LIVE_HISTORY];
	size_t n, next;
};

/* The i-th of those that are kept, from the oldest on. */
double live_history_at(const struct live_history *h, size_t i);

enum live_unit {
	LIVE_UNIT_COUNT,
	LIVE_UNIT_NS, /* a clock: task-clock, cpu-clock */
};

struct live_line {
	char *name;
	struct ptui_live_event facts; /* its name and reason are the engine's: do not use them */
	char *reason;		      /* why it is not supported; else NULL */
	enum live_unit unit;
	struct live_history rates;
};

enum live_derived_unit {
	LIVE_DERIVED_RATIO,   /* "1.38" */
	LIVE_DERIVED_PERCENT, /* value is 0 to 100 */
	LIVE_DERIVED_MILLE,   /* one of a thousand of the other */
	LIVE_DERIVED_CPUS,
	LIVE_DERIVED_GHZ,
};

/* Two events together, or one and the clock. */
struct live_derived {
	const char *title; /* translated */
	char of[32];	   /* "u": there are several with this title; else "" */
	enum live_derived_unit unit;
	double value; /* over the last interval, over all when none is running; NaN: unknown */
	struct live_history values;
	size_t over, under; /* lines; under SIZE_MAX: seconds */
	bool run_time;	    /* not what they counted: how long one of `over` to `last` ran */
	size_t last;
};

enum live_phase {
	LIVE_RECORDING,
	LIVE_PAUSED,
	LIVE_STOPPING,	  /* a person asked for the end */
	LIVE_TARGET_GONE, /* nobody is there to be measured; the rest is being written */
	LIVE_ENDED,
	LIVE_FAILED,
};

struct live_model {
	struct live_line *lines;
	size_t n_lines;
	struct live_derived *derived;
	size_t n_derived;
	struct ptui_live_stats stats;
	enum live_phase phase;
	bool stop_asked;   /* set by who asks */
	bool whole_system; /* set before the first feed: not a command, nor processes */
	unsigned n_cpus;   /* set by who feeds */
	bool shares;	   /* the running share was under 100 % once: its column stays */
	uint64_t fed_ns;   /* elapsed, at the last point of the histories */
};

/* Points of the histories are at least so far apart, so that extra wakes add none. */
#define LIVE_POINT_NS 10000000u

void live_model_init(struct live_model *m);
void live_model_release(struct live_model *m);

/*
 * The facts as of now; `n` and the order of the events stay what they were at first. 0 or -ENOMEM
 * (then the model is as it was). `target_gone`: as ptui_live's owner knows.
 */
int live_model_feed(struct live_model *m, const struct ptui_live_event *events, size_t n,
		    const struct ptui_live_stats *stats, enum ptui_live_state state,
		    bool target_gone);

/* "● REC" ("● LIVE" without a file), "⏸ paused", "target gone" …; translated, not to be freed. */
const char *live_phase_text(enum live_phase phase, bool has_file);

/*
 * How the command ended, by its wait status: "exit 2", "killed by signal 11 (Segmentation
 * fault)". Returns buf; "" for -1.
 */
char *live_child_text(int status, char *buf, size_t size);

/*
 * What the shown profile does not have and the file does: samples that left it because of the cap,
 * and samples the screen was too slow for. "" when it has all. Returns buf.
 */
char *live_missing_text(uint64_t left, uint64_t dropped, char *buf, size_t size);
/* The same where there is no file, so that nobody has them. */
char *live_gone_text(uint64_t left, uint64_t dropped, char *buf, size_t size);

/* Samples that the kernel could not write, by the account that knows of more. */
uint64_t live_lost(const struct ptui_live_stats *s);
/* Little was missing, and there would have been no room. */
bool live_rings_are_full(const struct ptui_live_stats *s);
/* What is going wrong with the recording, and what would help, is added to buf. */
void live_trouble_text(const struct ptui_live_stats *s, char *buf, size_t size);
/* Adds a text to those that stand there, with a " · " between them. */
void live_add_text(char *buf, size_t size, const char *text);

#endif
