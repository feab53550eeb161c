/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When the counters count: switched on later, for stretches of time (-D), and by whoever writes
 * commands into a file descriptor or a named pipe (--control). Words, answers and what is said are
 * perf's.
 *
 *	"enable\n" ----> fd ----> the recorder's poll() ----> control_turn() ----> counters
 *	"ack\n\0"  <---- ack fd <---- every command that is known
 *
 * Belongs to one recording; used by one thread at a time.
 */
#ifndef RECORD_CONTROL_H
#define RECORD_CONTROL_H

#include <stdbool.h>
#include <stdint.h>
#include "kernel/counters.h"
#include "ptui/record.h"
#include "record/snapshot/snapshots.h"

#define CONTROL_LINE_MAX 64 /* of a command, with its end, as in perf */

/* The counters are on from `on_ms` until `off_ms` after the start. UINT64_MAX: never again off. */
struct control_stretch {
	uint64_t on_ms, off_ms;
};

struct control {
	int fd, ack_fd; /* -1: none */
	bool own_fds;
	char line[CONTROL_LINE_MAX];
	size_t len;
	bool delayed; /* off at the start */
	struct control_stretch *stretches;
	size_t n_stretches, cap_stretches;
	size_t at; /* the one that is next, or lasts */
	bool on;   /* by the stretches */
	uint64_t began_ns;
	struct counters *counters;	/* of control_begin() */
	struct snapshots *snapshots;	/* the same */
	struct ptui_record_control how; /* its texts are not kept */
};

/*
 * Reads how->channel and how->delay, opens what they name. -EINVAL, told: neither is what it should
 * be; else a negative errno, told. Always to be released.
 */
int control_init(struct control *c, const struct ptui_record_control *how, struct ptui_error *err);
void control_release(struct control *c);

/* Whether the recording begins with its counters off. */
bool control_starts_off(const struct control *c);

/* The command runs, the counters stand; time is counted from here. */
void control_begin(struct control *c, struct counters *counters, struct snapshots *snapshots);
/* For poll(); -1: nothing is listened to. */
int control_fd(const struct control *c);
/* At most `ms`: until the counters have to be switched. */
int control_wait_ms(const struct control *c, int ms);
/*
 * Switches what it is time for, and does what was written; `revents` as poll() gave it for the fd.
 * True: "stop". The caller sees to it that the counters are not switched on behind their end.
 */
bool control_turn(struct control *c, short revents);

/* ---- the texts (control_parse.c) ---- */

/* "500", "-1", "10-20,30-40": in *c. -EINVAL, told. */
int control_parse_delay(struct control *c, const char *text, struct ptui_error *err);
/* "fd:3", "fd:3,4", "fifo:a,b". -EINVAL, told; a negative errno of what cannot be opened, told. */
int control_parse_channel(struct control *c, const char *text, struct ptui_error *err);

#endif
