/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When the counters count: delayed or limited to time ranges (-D), and switched by commands from a
 * file descriptor or a FIFO (--control). Commands, replies and messages are perf's.
 *
 *	"enable\n" ----> fd ----> the recorder's poll() ----> control_turn() ----> counters
 *	"ack\n\0"  <---- ack fd <---- every known command
 *
 * Not thread-safe.
 */
#ifndef RECORD_CONTROL_H
#define RECORD_CONTROL_H

#include <stdbool.h>
#include <stdint.h>
#include "kernel/counters.h"
#include "ptui/record.h"
#include "record/snapshot/snapshots.h"

#define CONTROL_LINE_MAX 64 /* of a command, newline included, as in perf */

/* Counters are enabled from `on_ms` to `off_ms` after the start. UINT64_MAX: until the end. */
struct control_stretch {
	uint64_t on_ms, off_ms;
};

/* What is switched, if it is not one set of counters. `event` is an index in the list. 0 or a negative errno. */
struct control_target {
	const struct kernel_ops *ops;
	const struct event_list *events;
	int (*switch_all)(void *ctx, bool on);
	int (*switch_event)(void *ctx, uint32_t event, bool on);
	void *ctx;
};

struct control {
	int fd, ack_fd; /* -1: none */
	bool own_fds;
	char line[CONTROL_LINE_MAX];
	size_t len;
	bool delayed; /* counters start disabled */
	struct control_stretch *stretches;
	size_t n_stretches, cap_stretches;
	size_t at; /* index of the next or current stretch */
	bool on;   /* enabled by a stretch */
	uint64_t began_ns;
	struct control_target target;	/* from control_begin() */
	struct snapshots *snapshots;	/* from control_begin() */
	struct ptui_record_control how; /* shallow copy: strings are not kept */
};

/*
 * Parses how->channel and how->delay, and opens the files that they name. -EINVAL if malformed,
 * else another negative errno; err is set. Call control_release() in any case.
 */
int control_init(struct control *c, const struct ptui_record_control *how, struct ptui_error *err);
void control_release(struct control *c);

/* True if the recording begins with its counters disabled. */
bool control_starts_off(const struct control *c);
/* True for -D MS: they are enabled once, and then until the end. */
bool control_starts_late(const struct control *c);

/* Call when the workload has started; delays count from now. */
void control_begin(struct control *c, struct counters *counters, struct snapshots *snapshots);
/* The same for other targets; again for each run of a command. */
void control_begin_target(struct control *c, const struct control_target *target);
/* For poll(); -1: no channel. */
int control_fd(const struct control *c);
/* Returns the time until the counters have to be switched, at most `ms`. */
int control_wait_ms(const struct control *c, int ms);
/*
 * Switches counters that are due and runs pending commands; `revents` is what poll() returned for
 * the fd. Returns true for "stop". The caller makes sure that counters are not enabled after the
 * end of the recording.
 */
bool control_turn(struct control *c, short revents);

/* ---- parsers (control_parse.c) ---- */

/* Parses "500", "-1" or "10-20,30-40" into *c. -EINVAL with err set. */
int control_parse_delay(struct control *c, const char *text, struct ptui_error *err);
/* Parses "fd:3", "fd:3,4" or "fifo:a,b" and opens FIFOs. A negative errno with err set. */
int control_parse_channel(struct control *c, const char *text, struct ptui_error *err);

#endif
