/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * State of the Live screen: one line per event with its history, values derived from pairs of
 * events (instructions per cycle), and status texts. The engine's facts are copied in at each
 * refresh. For the hottest functions see model/live/live_hot.h.
 *
 *	engine's facts --live_model_update--> lines    name, count, rate, history, running share
 *	                                    derived  title, value, history
 *	                                    stats    samples, lost, bytes, elapsed …
 */
#ifndef MODEL_LIVE_LIVE_H
#define MODEL_LIVE_LIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ptui/live.h"
#include "text/strings.h"

#define LIVE_HISTORY	 128
#define LIVE_DERIVED_MAX 32

/* The last values, oldest first. NaN: not measured. */
struct live_history {
	double values[LIVE_HISTORY];
	size_t n;
};

void live_history_add(struct live_history *h, double value);

struct live_line {
	struct ptui_live_event facts; /* its texts are the engine's */
	struct live_history rates;
};

enum live_derived_unit {
	LIVE_DERIVED_RATIO,   /* "1.38" */
	LIVE_DERIVED_PERCENT, /* value is 0 to 100 */
	LIVE_DERIVED_MILLE,   /* permille */
	LIVE_DERIVED_CPUS,
	LIVE_DERIVED_GHZ,
};

/*
 * A value derived from two events, or from one and the clock: instructions per cycle. It exists if both are
 * recorded with the same levels (:u, :k …) on the same PMU, and is known when both were counted. To add
 * one, add a row to rules[].
 */
struct live_derived {
	const char *title; /* translated */
	char of[32];	   /* "u": distinguishes several with this title; else "" */
	enum live_derived_unit unit;
	double value; /* over the last interval, or in total after the end; NaN: unknown */
	struct live_history values;
	size_t over, under; /* lines; under SIZE_MAX: seconds */
	bool run_time;	    /* divide by how long `over` to `last` ran, not by a count */
	size_t last;
};

enum live_phase {
	LIVE_RECORDING,
	LIVE_PAUSED,
	LIVE_STOPPING,	  /* stop was requested */
	LIVE_TARGET_GONE, /* the targets have exited; the rest is being written */
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
	bool stop_asked; /* set by the caller that requests it */
	/* set before the first feed: the target is neither a command nor processes */
	bool whole_system;
	unsigned n_cpus; /* set by the caller that feeds */
	bool derived_known;
	bool shares;	 /* the running share was once below 100 %: keeps its column */
	uint64_t fed_ns; /* elapsed, at the last point of the histories */
};

/* Minimum distance of history points, so that extra wakeups add none. */
#define LIVE_POINT_NS 10000000u

/* Makes room for the events; `m` is zeroed but for what the caller sets. 0 or -ENOMEM. */
int live_model_init(struct live_model *m, size_t n_events);
void live_model_release(struct live_model *m);

/*
 * After the facts of the lines were set, the events always in the same order. `target_gone`: known to
 * the owner of ptui_live.
 */
void live_model_update(struct live_model *m, const struct ptui_live_stats *stats,
		       enum ptui_live_state state, bool target_gone);

/* "1.38", "4.1 %", "1.97 of 2"; "–" if unknown. Returns buf. */
char *live_derived_text(const struct live_derived *d, unsigned n_cpus, char *buf, size_t size);

/* "● REC" ("● LIVE" without a file), "⏸ paused", "target gone" …; translated, static. */
const char *live_phase_text(enum live_phase phase, bool has_file);

/*
 * The command's exit by its wait status: "exit 2", "killed by signal 11 (Segmentation fault)".
 * Returns buf; "" for -1.
 */
char *live_child_text(int status, char *buf, size_t size);

/*
 * Samples that are not in the shown profile: dropped because of its size limit, or because the screen was
 * too slow. They are in the file, or without one (`has_file`) lost. "" if there are none. Returns buf.
 */
char *live_missing_text(bool has_file, uint64_t left, uint64_t dropped, char *buf, size_t size);

/* Samples that the kernel could not write, by the higher of its two counts. */
uint64_t live_lost(const struct ptui_live_stats *s);
/* True if the ring buffers are nearly full, so that samples may get lost. */
bool live_rings_are_full(const struct ptui_live_stats *s);
/* Appends current problems of the recording, with remedies. */
void live_trouble_text(const struct ptui_live_stats *s, char *buf, size_t size);
/* Appends a text, separated by " · ". */
#define live_add_text(buf, size, ...) text_join(buf, size, " · ", __VA_ARGS__)

#endif
